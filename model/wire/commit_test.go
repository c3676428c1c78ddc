package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// The six messages of draft-talpey-rdma-commit-01, written by hand from the figures of its sections 3.1 to 3.1.3 and
// the untagged header of RFC 5041, which Appendix A draws without the Message Offset (I-16). The octets are DDP control,
// RDMAP control, Invalidate STag, QN, MSN, MO, then the words of the figures.
var commitSegments = []struct {
	name   string
	opcode Opcode
	hex    string
	build  func() []byte
}{
	{"Flush to Persistence", OpFlushRequest,
		"41 4C  00000000  00000001  00000005  00000000" + "A1A2A3A4  B1B2B3B4  C1C2C3C4C5C6C7C8  00000001",
		func() []byte {
			return AppendFlushRequest(nil, 5, 0, FlushRequest{Sink{0xA1A2A3A4, 0xB1B2B3B4, 0xC1C2C3C4C5C6C7C8}, Persistence})
		}},
	{"Flush to Global Visibility with an Invalidate STag", OpFlushRequest,
		"41 4C  DEADBEEF  00000001  00000001  00000000" + "00000102  FFFFFFFF  0000000000000003  00000002",
		func() []byte {
			return AppendFlushRequest(nil, 1, 0xDEADBEEF, FlushRequest{Sink{0x102, 1<<32 - 1, 3}, GlobalVisibility})
		}},
	{"Flush Response: no payload", OpFlushResponse,
		"41 4D  00000000  00000003  00000007  00000000",
		func() []byte { return AppendFlushResponse(nil, 7) }},
	{"Verify Request without a hash", OpVerifyRequest,
		"41 4E  00000000  00000001  00000006  00000000" + "00000102  00000009  0000000000001000",
		func() []byte { return AppendVerifyRequest(nil, 6, 0, VerifyRequest{Sink: Sink{0x102, 9, 0x1000}}) }},
	{"Verify Request with the CRC32C of 123456789: most significant octet first (I-51)", OpVerifyRequest,
		"41 4E  00000103  00000001  00000007  00000000" + "00000102  00000009  0000000000001000  E3069283",
		func() []byte {
			return AppendVerifyRequest(nil, 7, 0x103, VerifyRequest{Sink{0x102, 9, 0x1000}, []byte{0xE3, 0x06, 0x92, 0x83}})
		}},
	{"Verify Response", OpVerifyResponse,
		"41 4F  00000000  00000003  00000002  00000000" + "AE8B14860A799888",
		func() []byte {
			return AppendVerifyResponse(nil, 2, []byte{0xAE, 0x8B, 0x14, 0x86, 0x0A, 0x79, 0x98, 0x88})
		}},
	{"Atomic Write Request: bit 4 of the opcode is beside the upper reserved bit", OpAtomicWriteRequest,
		"41 50  00000000  00000001  00000008  00000000" + "00000102  00000008  FFFFFFFFFFFFFFF8  0102030405060708",
		func() []byte {
			return AppendAtomicWriteRequest(nil, 8, 0, AtomicWriteRequest{Sink{0x102, 8, 1<<64 - 8}, 0x0102030405060708})
		}},
	{"Atomic Write Response: no payload", OpAtomicWriteResponse,
		"41 51  00000000  00000003  00000003  00000000",
		func() []byte { return AppendAtomicWriteResponse(nil, 3) }},
}

func TestEveryCommitMessage(t *testing.T) {
	seen := map[Opcode]bool{}
	for _, tt := range commitSegments {
		want := octets(t, tt.hex)
		assert.Equal(t, want, tt.build(), tt.name)
		s, rule := ClassifyWith(spec.Commit, want)
		require.Equal(t, spec.None, rule, tt.name)
		assert.NoError(t, DiagnoseWith(spec.Commit, want))
		assert.Equal(t, tt.opcode, s.Header.Opcode, tt.name)
		assert.Zero(t, s.Header.RDMAPReserved, tt.name)
		assert.Equal(t, want, AppendSegment(nil, s.Header, s.Payload), tt.name)
		seen[tt.opcode] = true

		// Without the extension the opcode is reserved, or, with bit 4 ignored, that of another message (I-15).
		s, rule = Classify(want)
		if tt.opcode < 0x10 {
			assert.Equal(t, spec.ReservedOpcode, rule, tt.name)
		} else {
			assert.Equal(t, spec.WrongTBit+spec.Rule(tt.opcode&1), rule, tt.name) // an untagged Write, a Read Request on QN 3
		}
		assert.Equal(t, tt.opcode&0xF, s.Header.Opcode, tt.name)
		assert.Equal(t, want, AppendSegment(nil, s.Header, s.Payload), tt.name)
	}
	assert.Len(t, seen, len(spec.CommitOperations))
}

func TestDecodedCommitFields(t *testing.T) {
	payload := func(i int) []byte { return octets(t, commitSegments[i].hex)[18:] }
	var f FlushRequest
	require.NoError(t, f.Decode(payload(0)))
	assert.Equal(t, FlushRequest{Sink{0xA1A2A3A4, 0xB1B2B3B4, 0xC1C2C3C4C5C6C7C8}, 1}, f)
	var v VerifyRequest
	require.NoError(t, v.Decode(payload(3)))
	assert.Equal(t, VerifyRequest{Sink{0x102, 9, 0x1000}, []byte{}}, v)
	require.NoError(t, v.Decode(payload(4)))
	assert.Equal(t, VerifyRequest{Sink{0x102, 9, 0x1000}, []byte{0xE3, 0x06, 0x92, 0x83}}, v)
	var a AtomicWriteRequest
	require.NoError(t, a.Decode(payload(6)))
	assert.Equal(t, AtomicWriteRequest{Sink{0x102, 8, 0xFFFFFFFFFFFFFFF8}, 0x0102030405060708}, a)

	for n := range 40 {
		b := make([]byte, n)
		assert.Equal(t, n == 20, f.Decode(b) == nil)
		assert.Equal(t, n >= 16, v.Decode(b) == nil)
		assert.Equal(t, n == 24, a.Decode(b) == nil)
	}
	assert.EqualError(t, v.Decode(make([]byte, 15)), "wrong_length: verify_request.length at octet 0 is 15 (0xF); allowed: at least 16 octets")
}

func TestFlushFlags(t *testing.T) {
	for bit := range 32 {
		assert.Equal(t, bit < 2, (Disposition(1) << bit).Valid(), "bit %d", bit)
	}
	assert.False(t, Disposition(0).Valid())
	assert.True(t, (Persistence | GlobalVisibility).Valid())
}

func TestClassifyCommit(t *testing.T) {
	const request, response = " 00000000 00000001 00000001 00000000 ", " 00000000 00000003 00000001 00000000 "
	sink := "00000102 00000008 0000000000001000"
	for _, tt := range []struct {
		name, hex string
		want      spec.Rule
		text      string
	}{
		{"reserved bits are ignored", "7D 6C" + request + sink + "00000001", spec.None, ""},
		{"opcode 0x12", "41 52" + request, spec.ReservedOpcode, "reserved_opcode: ddp_untagged.opcode at octet 1 is 18 (0x12); allowed: 0..17"},
		{"opcode 0x1A is not an Atomic Request", "41 5A" + request, spec.ReservedOpcode, ""},
		{"a tagged Flush Request", "C1 4C 00000000 0000000000000000" + sink + "00000001", spec.WrongTBit, ""},
		{"a Flush Request on QN 3", "41 4C" + response + sink + "00000001", spec.WrongQueue, ""},
		{"a Verify Response on QN 1", "41 4F" + request + "01020304", spec.WrongQueue, ""},
		{"an Atomic Write Request on QN 0", "41 50 00000000 00000000 00000001 00000000" + sink + "0000000000000000", spec.WrongQueue, ""},
		{"QN 4", "41 4C 00000000 00000004 00000001 00000000" + sink + "00000001", spec.NoSuchQueue, ""},
		{"DV", "42 4C" + request + sink + "00000001", spec.UntaggedDDPVersion, ""},
		{"RV", "41 8C" + request + sink + "00000001", spec.BadRDMAPVersion, ""},
		{"MO of a Verify Request", "41 4E 00000000 00000001 00000001 00000010" + sink, spec.MONotZero, ""},
		{"MO of an Atomic Write Response", "41 51 00000000 00000003 00000001 00000001", spec.MONotZero, ""},
		{"a Verify Request in two segments", "01 4E" + request + sink, spec.WrongLength, ""},
		{"a Flush Request of 19 octets", "41 4C" + request + sink + "000000", spec.WrongLength, "wrong_length: flush_request.length at octet 18 is 19 (0x13); allowed: exactly 20 octets"},
		{"a Flush Request of 21 octets", "41 4C" + request + sink + "0000000001", spec.WrongLength, ""},
		{"a Verify Request of 15 octets", "41 4E" + request + sink[:len(sink)-2], spec.WrongLength, ""},
		{"an Atomic Write Request of 23 octets", "41 50" + request + sink + "00000000000000", spec.WrongLength, ""},
		{"an Atomic Write Request of 25 octets", "41 50" + request + sink + "000000000000000000", spec.WrongLength, ""},
		{"a Flush Response of an octet", "41 4D" + response + "00", spec.WrongLength, "wrong_length: ddp_untagged.length at octet 18 is 1 (0x1); allowed: none"},
		{"an Atomic Write Response of 8 octets", "41 51" + response + "0000000000000000", spec.WrongLength, ""},
	} {
		segment := octets(t, tt.hex)
		_, rule := ClassifyWith(spec.Commit, segment)
		assert.Equal(t, tt.want, rule, tt.name)
		if tt.text != "" {
			assert.EqualError(t, DiagnoseWith(spec.Commit, segment), tt.text)
		}
	}
}

func TestCommitTablesAreConsistent(t *testing.T) {
	for _, table := range CommitTables() {
		require.NoError(t, table.Check())
		assert.NotContains(t, Tables(), table, "the hardware's tables are those without extensions")
		for _, f := range table.Fields {
			assert.NotEmpty(t, f.Doc)
		}
	}
	for i := range spec.CommitOperations {
		if o := &spec.CommitOperations[i]; o.Header != "" {
			assert.Equal(t, o.MinLength, HeaderOf(o).Octets, o.Name)
		}
	}
}

// With or without the extension, decoding and encoding restore any segment, and the extension changes only the opcode
// and what depends on it.
func TestAnyControlOctets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SliceOfN(rapid.Byte(), 18, 60).Draw(t, "segment")
		for _, x := range []spec.Extensions{0, spec.Commit} {
			s, _ := ClassifyWith(x, segment)
			require.Equal(t, segment, AppendSegment(nil, s.Header, s.Payload))
			require.Equal(t, segment[1]&(1<<x.OpcodeBits()-1), uint8(s.Header.Opcode))
		}
		s, rule := Classify(segment)
		if with, changed := ClassifyWith(spec.Commit, segment); with.Header.Opcode < 12 {
			require.Equal(t, rule, changed)
			require.Equal(t, s.Payload, with.Payload)
		}
	})
}
