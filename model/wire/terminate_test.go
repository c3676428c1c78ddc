package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Terminate headers by hand: Layer and EType share octet 0, the code is octet 1, M, D and R are the top
// three bits of octet 2.
var terminates = []struct {
	name string
	hex  string
	want Terminate
}{
	{"DDP, untagged buffer, invalid MO; no headers",
		"12 04 0000",
		Terminate{Code: TerminateCode{Layer: LayerDDP, EType: 2, Code: 0x04}}},
	{"RDMAP, remote operation, catastrophic on this stream; terminated Atomic Request, RFC 7306 section 8.2",
		"02 07 C000  0046  41 4A 00000000 00000001 00000009 00000000",
		Terminate{Code: TerminateCode{Layer: LayerRDMAP, EType: 2, Code: 0x07}, LengthValid: true, HasDDP: true, DDPSegmentLength: 70,
			DDP: UntaggedHeader(OpAtomicRequest, 9, 0)}},
	{"RDMAP, remote protection, base or bounds; terminated Read Request",
		"01 01 E000  002E  41 41 00000000 00000001 00000002 00000000" +
			"00000011 0000000000000022 00000033 00000044 0000000000000055",
		Terminate{Code: TerminateCode{Layer: LayerRDMAP, EType: 1, Code: 0x01}, LengthValid: true, HasDDP: true, HasRDMAP: true,
			DDPSegmentLength: 46, DDP: UntaggedHeader(OpReadRequest, 2, 0),
			ReadRequest: ReadRequest{0x11, 0x22, 0x33, 0x44, 0x55}}},
	{"DDP, tagged buffer, invalid STag; terminated RDMA Write has the short header",
		"11 00 C000  0010  C1 40 01020304 1112131415161718",
		Terminate{Code: TerminateCode{Layer: LayerDDP, EType: 1, Code: 0x00}, LengthValid: true, HasDDP: true, DDPSegmentLength: 16,
			DDP: TaggedHeader(OpWrite, 0x01020304, 0x1112131415161718, true)}},
	{"LLP, MPA, CRC error; reserved bits are kept",
		"20 02 1FFF",
		Terminate{Code: TerminateCode{Layer: LayerLLP, EType: 0, Code: 0x02}, Reserved: 0x1FFF}},
	{"D without M: the length is there, but means nothing (I-31)",
		"11 03 4000 0102 C1 40 01020304 1112131415161718",
		Terminate{Code: TerminateCode{Layer: LayerDDP, EType: 1, Code: 0x03}, HasDDP: true, DDPSegmentLength: 0x0102,
			DDP: TaggedHeader(OpWrite, 0x01020304, 0x1112131415161718, true)}},
	{"M without D: nothing follows (I-31)",
		"10 00 8000",
		Terminate{Code: TerminateCode{Layer: LayerDDP, EType: 0, Code: 0}, LengthValid: true}},
	{"R without D",
		"01 00 2000 00000011 0000000000000022 00000033 00000044 0000000000000055",
		Terminate{Code: TerminateCode{Layer: LayerRDMAP, EType: 1, Code: 0}, HasRDMAP: true, ReadRequest: ReadRequest{0x11, 0x22, 0x33, 0x44, 0x55}}},
}

func TestTerminateHeaders(t *testing.T) {
	for _, tt := range terminates {
		t.Run(tt.name, func(t *testing.T) {
			b := octets(t, tt.hex)
			assert.Equal(t, b, tt.want.AppendEncode(nil))

			var got Terminate
			rest, err := got.Decode(b)
			require.NoError(t, err)
			assert.Empty(t, rest)
			assert.Equal(t, tt.want, got)

			rest, err = got.Decode(append(b, 0xEE))
			require.NoError(t, err, "octets after the parts have no meaning")
			assert.Equal(t, []byte{0xEE}, rest)

			for n := range b {
				_, err := got.Decode(b[:n])
				var e *Error
				require.ErrorAs(t, err, &e, "cut to %d octets", n)
				assert.Equal(t, spec.WrongLength, e.Rule)
			}
		})
	}
}

func TestTerminateErrorsNameThePart(t *testing.T) {
	whole := octets(t, terminates[2].hex)
	for _, tt := range []struct {
		octets int
		text   string
	}{
		{3, "wrong_length: terminate.length at octet 0 is 3 (0x3); allowed: at least 4 octets"},
		{5, "wrong_length: terminated_length.length at octet 4 is 1 (0x1); allowed: at least 2 octets"},
		{23, "wrong_length: ddp_untagged.length at octet 6 is 17 (0x11); allowed: at least 18 octets with T = 0"},
		{51, "wrong_length: read_request.length at octet 24 is 27 (0x1B); allowed: at least 28 octets"},
	} {
		_, err := new(Terminate).Decode(whole[:tt.octets])
		assert.EqualError(t, err, tt.text)
	}
}
