package wire

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// octets decodes hexadecimal with spaces and line breaks.
func octets(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

// Every message kind, written by hand from the figures of RFC 5040, RFC 5041 and RFC 7306 Appendix A. The octets are
// DDP control, RDMAP control, then the words of the header.
var segments = []struct {
	name   string
	opcode Opcode
	hex    string
	build  func() []byte
}{
	{"last segment of an RDMA Write of 3 octets", OpWrite,
		"C1 40  01020304  1112131415161718  AABBCC",
		func() []byte { return AppendWrite(nil, 0x01020304, 0x1112131415161718, true, []byte{0xAA, 0xBB, 0xCC}) }},
	{"a segment of an RDMA Write that is not the last", OpWrite,
		"81 40  01020304  FFFFFFFFFFFFFFFF  AA",
		func() []byte { return AppendWrite(nil, 0x01020304, 1<<64-1, false, []byte{0xAA}) }},
	{"RDMA Write of no octets", OpWrite,
		"C1 40  00000000  0000000000000000",
		func() []byte { return AppendWrite(nil, 0, 0, true, nil) }},
	{"RDMA Read Request", OpReadRequest,
		"41 41  00000000  00000001  00000005  00000000" +
			"A1A2A3A4  B1B2B3B4B5B6B7B8  00001000  C1C2C3C4  D1D2D3D4D5D6D7D8",
		func() []byte {
			return AppendReadRequest(nil, 5, ReadRequest{DataSinkSTag: 0xA1A2A3A4, DataSinkTO: 0xB1B2B3B4B5B6B7B8,
				ReadMessageSize: 4096, DataSourceSTag: 0xC1C2C3C4, DataSourceTO: 0xD1D2D3D4D5D6D7D8})
		}},
	{"RDMA Read Response", OpReadResponse,
		"C1 42  A1A2A3A4  B1B2B3B4B5B6B7B8  00",
		func() []byte { return AppendReadResponse(nil, 0xA1A2A3A4, 0xB1B2B3B4B5B6B7B8, true, []byte{0}) }},
	{"second, last segment of a Send", OpSend,
		"41 43  00000000  00000000  00000007  00000580  0102",
		func() []byte { return AppendSend(nil, OpSend, 0, 7, 0x580, true, []byte{1, 2}) }},
	{"Send with Invalidate", OpSendInv,
		"41 44  DEADBEEF  00000000  00000001  00000000  01",
		func() []byte { return AppendSend(nil, OpSendInv, 0xDEADBEEF, 1, 0, true, []byte{1}) }},
	{"Send with Solicited Event, of no octets", OpSendSE,
		"41 45  00000000  00000000  FFFFFFFF  00000000",
		func() []byte { return AppendSend(nil, OpSendSE, 0, 0xFFFFFFFF, 0, true, nil) }},
	{"first segment of a Send with Solicited Event and Invalidate", OpSendSEInv,
		"01 46  DEADBEEF  00000000  00000002  00000000  01",
		func() []byte { return AppendSend(nil, OpSendSEInv, 0xDEADBEEF, 2, 0, false, []byte{1}) }},
	{"Terminate without terminated headers", OpTerminate,
		"41 47  00000000  00000002  00000001  00000000  00 00 00 00",
		func() []byte { return AppendTerminate(nil, Terminate{}) }},
	{"Immediate Data", OpImmediate,
		"41 48  00000000  00000000  00000003  00000000  0102030405060708",
		func() []byte { return AppendImmediate(nil, false, 3, 0x0102030405060708) }},
	{"Immediate Data with Solicited Event", OpImmediateSE,
		"41 49  00000000  00000000  00000004  00000000  FF00000000000000",
		func() []byte { return AppendImmediate(nil, true, 4, 0xFF00000000000000) }},
	{"Atomic Request, FetchAdd: Compare Data 0, Compare Mask all ones", OpAtomicRequest,
		"41 4A  00000000  00000001  00000006  00000000" +
			"0000000 0  51525354  61626364  7172737475767778" +
			"0000000000000001  8000000080000000  0000000000000000  FFFFFFFFFFFFFFFF",
		func() []byte {
			return AppendAtomicRequest(nil, 6, NewFetchAdd(0x51525354, 0x61626364, 0x7172737475767778, 1, 0x8000000080000000))
		}},
	{"Atomic Request, CmpSwap", OpAtomicRequest,
		"41 4A  00000000  00000001  00000001  00000000" +
			"0000000 2  00000001  00000002  0000000000000003" +
			"1112131415161718  2122232425262728  3132333435363738  4142434445464748",
		func() []byte {
			return AppendAtomicRequest(nil, 1, NewCmpSwap(1, 2, 3, 0x1112131415161718, 0x2122232425262728,
				0x3132333435363738, 0x4142434445464748))
		}},
	{"Atomic Request, Swap of draft-00: both masks all ones", OpAtomicRequest,
		"41 4A  00000000  00000001  00000001  00000000" +
			"0000000 1  00000001  00000002  0000000000000003" +
			"1112131415161718  FFFFFFFFFFFFFFFF  0000000000000000  FFFFFFFFFFFFFFFF",
		func() []byte { return AppendAtomicRequest(nil, 1, NewSwap(1, 2, 3, 0x1112131415161718)) }},
	{"Atomic Response: 12 octets (I-01)", OpAtomicResponse,
		"41 4B  00000000  00000003  00000001  00000000  51525354  8182838485868788",
		func() []byte {
			return AppendAtomicResponse(nil, 1, AtomicResponse{OriginalRequestIdentifier: 0x51525354,
				OriginalRemoteDataValue: 0x8182838485868788})
		}},
}

func TestEveryMessageKind(t *testing.T) {
	seen := map[Opcode]bool{}
	for _, tt := range segments {
		t.Run(tt.name, func(t *testing.T) {
			want := octets(t, tt.hex)
			assert.Equal(t, want, tt.build())

			var h DDPHeader
			require.NoError(t, h.Decode(want))
			assert.Equal(t, want[:h.Length()], h.AppendEncode(nil))

			s, kind := Classify(want)
			require.Equal(t, spec.None, kind)
			assert.NoError(t, Diagnose(want))
			assert.Equal(t, tt.opcode, s.Header.Opcode)
			m, _ := tt.opcode.Operation()
			assert.Equal(t, m.Tagged, s.Header.Tagged)
			assert.Equal(t, want[s.Header.Length():], s.Payload)
			seen[tt.opcode] = true
		})
	}
	assert.Len(t, seen, len(spec.Operations), "a message kind has no example")
}

func TestDecodedFields(t *testing.T) {
	payload := func(i int) []byte {
		s, kind := Classify(octets(t, segments[i].hex))
		require.Equal(t, spec.None, kind)
		return s.Payload
	}
	for i, tt := range segments {
		switch tt.name {
		case "RDMA Read Request":
			var r ReadRequest
			require.NoError(t, r.Decode(payload(i)))
			assert.Equal(t, ReadRequest{0xA1A2A3A4, 0xB1B2B3B4B5B6B7B8, 4096, 0xC1C2C3C4, 0xD1D2D3D4D5D6D7D8}, r)
		case "Atomic Request, CmpSwap":
			var r AtomicRequest
			require.NoError(t, r.Decode(payload(i)))
			assert.Equal(t, AtomicRequest{0, CmpSwap, 1, 2, 3,
				0x1112131415161718, 0x2122232425262728, 0x3132333435363738, 0x4142434445464748}, r)
		case "Atomic Response: 12 octets (I-01)":
			var r AtomicResponse
			require.NoError(t, r.Decode(payload(i)))
			assert.Equal(t, AtomicResponse{0x51525354, 0x8182838485868788}, r)
		case "Immediate Data":
			var d Immediate
			require.NoError(t, d.Decode(payload(i)))
			assert.Equal(t, Immediate{0x0102030405060708}, d)
		}
	}
}

func TestDDPHeaderRefusesShortSegments(t *testing.T) {
	assert.EqualError(t, new(DDPHeader).Decode([]byte{0x41}),
		"short_header: ddp_untagged.length at octet 0 is 1 (0x1); allowed: at least 18 octets with T = 0")
}

// Fixed headers reject any other length; the error names the valid one.
func TestDecodeRefusesOtherLengths(t *testing.T) {
	decoders := map[string]struct {
		decode func([]byte) error
		octets int
	}{
		"read_request":    {new(ReadRequest).Decode, 28},
		"atomic_request":  {new(AtomicRequest).Decode, 52},
		"atomic_response": {new(AtomicResponse).Decode, 12},
		"immediate":       {new(Immediate).Decode, 8},
	}
	for name, d := range decoders {
		for n := range 64 {
			err := d.decode(make([]byte, n))
			if n == d.octets {
				assert.NoError(t, err, "%s of %d octets", name, n)
				continue
			}
			var e *Error
			require.ErrorAs(t, err, &e, "%s of %d octets", name, n)
			assert.Equal(t, spec.WrongLength, e.Rule)
			assert.Equal(t, name, e.Header)
			assert.Equal(t, uint64(n), e.Value)
		}
	}
	assert.EqualError(t, new(AtomicResponse).Decode(make([]byte, 32)),
		"wrong_length: atomic_response.length at octet 0 is 32 (0x20); allowed: exactly 12 octets")
}

func TestMessagesTable(t *testing.T) {
	for i, m := range spec.Operations {
		assert.Equal(t, Opcode(i), m.Opcode, "Operations is indexed by opcode")
		if m.FixedLength != 0 {
			assert.Equal(t, HeaderOf(&m).Octets, m.FixedLength, m.Name)
			assert.Equal(t, m.FixedLength, m.MinLength, m.Name)
			assert.False(t, m.CarriesPayload, "%s has only a header", m.Name)
		}
		assert.LessOrEqual(t, m.Queue, QueueMax)
	}
	assert.Equal(t, "Send with Solicited Event and Invalidate", OpSendSEInv.String())
	assert.Equal(t, "reserved opcode 0xF", Opcode(0xF).String())
}

func TestNamesInJSON(t *testing.T) {
	text, err := json.Marshal([]any{OpWrite, OpSendSEInv, OpAtomicResponse, Opcode(0xF), spec.RequestTOWrap, FetchAdd})
	require.NoError(t, err)
	assert.JSONEq(t, `["rdma_write","send_se_inv","atomic_response","reserved_f","request_to_wrap",0]`, string(text))

	for c := Opcode(0); c <= 0xF; c++ {
		var back Opcode
		text, _ := c.MarshalText()
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, c, back)
	}
	assert.EqualError(t, new(Opcode).UnmarshalText([]byte("RDMA Write")),
		`spec: opcode name is "RDMA Write"; allowed: a name in the table of operations, such as rdma_write`)
}

func TestAOpCodes(t *testing.T) {
	for a := AOpCode(0); a <= 0xF; a++ {
		assert.Equal(t, a == FetchAdd || a == CmpSwap, a.Supported(false), "%v", a)
		assert.Equal(t, a == FetchAdd || a == CmpSwap || a == Swap, a.Supported(true), "%v with draft-00", a)
	}
	assert.Equal(t, []string{"FetchAdd", "Swap", "CmpSwap", "unassigned AOpCode 0xF"},
		[]string{FetchAdd.String(), Swap.String(), CmpSwap.String(), AOpCode(15).String()})
}
