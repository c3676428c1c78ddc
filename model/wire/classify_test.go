package wire

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// header changes a valid header of a message into the one under test.
func header(op Opcode, change func(h *DDPHeader)) DDPHeader {
	h := UntaggedHeader(op, 1, 0)
	if m, _ := op.Operation(); m.Tagged {
		h = TaggedHeader(op, 0x100, 0x200, true)
	}
	if change != nil {
		change(&h)
	}
	return h
}

// One row per case, in the order of the rules; the name describes the fault.
func TestClassify(t *testing.T) {
	dv := func(v uint8) func(*DDPHeader) { return func(h *DDPHeader) { h.DV = v } }
	rv := func(v uint8) func(*DDPHeader) { return func(h *DDPHeader) { h.RV = v } }
	qn := func(v uint32) func(*DDPHeader) { return func(h *DDPHeader) { h.QueueNumber = v } }
	mo := func(v uint32) func(*DDPHeader) { return func(h *DDPHeader) { h.MO = v } }
	more := func(h *DDPHeader) { h.Last = false }
	tagged := func(h *DDPHeader) { h.Tagged = true }
	untagged := func(h *DDPHeader) { h.Tagged = false }
	reserved := func(h *DDPHeader) { h.DDPReserved, h.RDMAPReserved, h.InvalidateSTag = 0xF, 3, 0xFFFFFFFF }

	for _, tt := range []struct {
		name   string
		op     Opcode
		change func(*DDPHeader)
		length int // octets after the DDP header
		want   spec.Rule
		text   string
	}{
		{"reserved bits and an unused ULP word are ignored", OpAtomicRequest, reserved, 52, spec.None, ""},
		{"the shortest Terminate", OpTerminate, nil, 4, spec.None, ""},
		{"a segment in the middle of a Send", OpSend, func(h *DDPHeader) { h.Last, h.MO = false, 1448 }, 10, spec.None, ""},
		{"MSN 0 is checked by the responder", OpReadRequest, func(h *DDPHeader) { h.MSN = 0 }, 28, spec.None, ""},

		{"DV 0, tagged", OpWrite, dv(0), 0, spec.TaggedDDPVersion, "tagged_ddp_version: ddp_tagged.dv at octet 0 is 0 (0x0); allowed: 1"},
		{"DV 3, untagged, with an invalid QN and RV too", OpSend, func(h *DDPHeader) { h.DV, h.RV, h.QueueNumber = 3, 0, 9 }, 0,
			spec.UntaggedDDPVersion, "untagged_ddp_version: ddp_untagged.dv at octet 0 is 3 (0x3); allowed: 1"},

		{"QN 4", OpSend, qn(4), 0, spec.NoSuchQueue, "no_such_queue: ddp_untagged.queue_number at octet 6 is 4 (0x4); allowed: 0..3"},
		{"QN with only the top bit, with an invalid RV too", OpSend, func(h *DDPHeader) { h.QueueNumber, h.RV = 1<<31, 2 }, 0,
			spec.NoSuchQueue, "no_such_queue: ddp_untagged.queue_number at octet 6 is 2147483648 (0x80000000); allowed: 0..3"},
		{"QN 4 and a reserved opcode", Opcode(0xF), qn(4), 0, spec.NoSuchQueue, ""},

		{"RV 0", OpSend, rv(0), 0, spec.BadRDMAPVersion, "bad_rdmap_version: ddp_untagged.rv at octet 1 is 0 (0x0); allowed: 1"},
		{"RV 2, tagged", OpReadResponse, rv(2), 0, spec.BadRDMAPVersion, ""},
		{"RV 3 and a reserved opcode", Opcode(0xF), rv(3), 0, spec.BadRDMAPVersion, ""},

		{"opcode 0xF", Opcode(0xF), nil, 0, spec.ReservedOpcode,
			fmt.Sprintf("reserved_opcode: ddp_untagged.opcode at octet 1 is 15 (0xF); allowed: 0..%d", len(spec.Operations)-1)},
		{"opcode 0xF, tagged", Opcode(0xF), tagged, 0, spec.ReservedOpcode, ""},

		{"an untagged RDMA Write", OpWrite, untagged, 0, spec.WrongTBit, "wrong_t_bit: ddp_untagged.t at octet 0 is 0 (0x0); allowed: 1 for this opcode"},
		{"a tagged Send", OpSend, tagged, 0, spec.WrongTBit, "wrong_t_bit: ddp_tagged.t at octet 0 is 1 (0x1); allowed: 0 for this opcode"},
		{"a tagged Atomic Request", OpAtomicRequest, tagged, 52, spec.WrongTBit, ""},
		{"an untagged Read Response on QN 3", OpReadResponse, func(h *DDPHeader) { h.Tagged, h.QueueNumber = false, 3 }, 0, spec.WrongTBit, ""},

		{"a Send on QN 1", OpSend, qn(1), 0, spec.WrongQueue, "wrong_queue: ddp_untagged.queue_number at octet 6 is 1 (0x1); allowed: 0 for this opcode"},
		{"an Atomic Response on QN 1, as in draft-00 Figure 2", OpAtomicResponse, qn(1), 12, spec.WrongQueue,
			"wrong_queue: ddp_untagged.queue_number at octet 6 is 1 (0x1); allowed: 3 for this opcode"},
		{"Immediate Data with SE on QN 1, as in draft-00 Figure 2", OpImmediateSE, qn(1), 8, spec.WrongQueue, ""},
		{"an Atomic Request on QN 0, with an MO too", OpAtomicRequest, func(h *DDPHeader) { h.QueueNumber, h.MO = 0, 4 }, 52, spec.WrongQueue, ""},

		{"MO in a Read Request", OpReadRequest, mo(1), 28, spec.MONotZero, "mo_not_zero: ddp_untagged.mo at octet 14 is 1 (0x1); allowed: 0"},
		{"MO in a Terminate", OpTerminate, mo(1 << 31), 4, spec.MONotZero, ""},
		{"MO in an Atomic Request of a wrong length", OpAtomicRequest, mo(52), 51, spec.MONotZero, ""},
		{"MO in an Atomic Response", OpAtomicResponse, mo(8), 12, spec.MONotZero, ""},

		{"L = 0 in an Atomic Request", OpAtomicRequest, more, 52, spec.WrongLength, "wrong_length: ddp_untagged.l at octet 0 is 0 (0x0); allowed: 1, the message is a single segment"},
		{"L = 0 in a Terminate", OpTerminate, more, 4, spec.WrongLength, ""},
		{"MO in Immediate Data (I-07)", OpImmediate, mo(8), 8, spec.WrongLength, "wrong_length: ddp_untagged.mo at octet 14 is 8 (0x8); allowed: 0, the message is a single segment"},
		{"Immediate Data of 7 octets", OpImmediate, nil, 7, spec.WrongLength, "wrong_length: immediate.length at octet 18 is 7 (0x7); allowed: exactly 8 octets"},
		{"Immediate Data with SE of 9 octets", OpImmediateSE, nil, 9, spec.WrongLength, ""},
		{"an Atomic Response of 32 octets (I-01)", OpAtomicResponse, nil, 32, spec.WrongLength, "wrong_length: atomic_response.length at octet 18 is 32 (0x20); allowed: exactly 12 octets"},
		{"an Atomic Request of 51 octets", OpAtomicRequest, nil, 51, spec.WrongLength, "wrong_length: atomic_request.length at octet 18 is 51 (0x33); allowed: exactly 52 octets"},
		{"an Atomic Request of 53 octets", OpAtomicRequest, nil, 53, spec.WrongLength, ""},
		{"a Read Request without its header", OpReadRequest, nil, 0, spec.WrongLength, "wrong_length: read_request.length at octet 18 is 0 (0x0); allowed: exactly 28 octets"},
		{"a Terminate of 3 octets", OpTerminate, nil, 3, spec.WrongLength, "wrong_length: terminate.length at octet 18 is 3 (0x3); allowed: at least 4 octets"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			segment := AppendSegment(nil, header(tt.op, tt.change), make([]byte, tt.length))
			_, kind := Classify(segment)
			require.Equal(t, tt.want, kind)
			switch {
			case tt.want == spec.None:
				assert.NoError(t, Diagnose(segment))
			case tt.text != "":
				assert.EqualError(t, Diagnose(segment), tt.text)
			}
		})
	}
}

// A segment that ends inside its DDP header is short, regardless of other faults.
func TestClassifyShortSegments(t *testing.T) {
	for n := range 20 {
		tagged, untagged := make([]byte, n), make([]byte, n)
		if n > 0 {
			tagged[0] = 0x80
		}
		_, kind := Classify(tagged)
		assert.Equal(t, n < 14, kind == spec.ShortHeader, "%d octets, T = 1", n)
		_, kind = Classify(untagged)
		assert.Equal(t, n < 18, kind == spec.ShortHeader, "%d octets, T = 0", n)
	}
	assert.EqualError(t, Diagnose(nil),
		"short_header: ddp_untagged.length at octet 0 is 0 (0x0); allowed: at least 14 octets with T = 1, 18 with T = 0")
	assert.EqualError(t, Diagnose([]byte{0xC1, 0x40}),
		"short_header: ddp_tagged.length at octet 0 is 2 (0x2); allowed: at least 14 octets with T = 1")
	assert.EqualError(t, Diagnose(make([]byte, 17)),
		"short_header: ddp_untagged.length at octet 0 is 17 (0x11); allowed: at least 18 octets with T = 0")
}

// All opcodes on all queues with both T bits: Figure 2 of RFC 7306, and the figure of RFC 5040 that it extends, define
// which are accepted.
func TestEveryOpcodeOnEveryQueue(t *testing.T) {
	queue := [16]int{0: -1, 1: 1, 2: -1, 3: 0, 4: 0, 5: 0, 6: 0, 7: 2, 8: 0, 9: 0, 10: 1, 11: 3}
	length := [16]int{1: 28, 7: 4, 8: 8, 9: 8, 10: 52, 11: 12}
	for op := Opcode(0); op <= 0xF; op++ {
		_, known := op.Operation()
		if known && op > OpAtomicResponse {
			continue // not in the figures
		}
		for qn := uint32(0); qn < 4; qn++ {
			for _, tagged := range []bool{false, true} {
				h := DDPHeader{Tagged: tagged, Last: true, DV: 1, RV: 1, Opcode: op, QueueNumber: qn}
				_, kind := Classify(AppendSegment(nil, h, make([]byte, length[op])))
				switch want := queue[op&0xF]; {
				case !known:
					assert.Equal(t, spec.ReservedOpcode, kind, "opcode %d, T = %v", op, tagged)
				case tagged != (want == -1):
					assert.Equal(t, spec.WrongTBit, kind, "opcode %d, T = %v", op, tagged)
				case !tagged && int(qn) != want:
					assert.Equal(t, spec.WrongQueue, kind, "opcode %d on QN %d", op, qn)
				default:
					assert.Equal(t, spec.None, kind, "opcode %d on QN %d", op, qn)
				}
			}
		}
	}
}

func TestClassifyDoesNotAllocate(t *testing.T) {
	good := AppendAtomicRequest(nil, 1, NewFetchAdd(1, 2, 8, 1, 0))
	bad := AppendSegment(nil, header(OpAtomicRequest, nil), make([]byte, 51))
	var request AtomicRequest
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s, kind := Classify(good)
		if kind == spec.None && request.Decode(s.Payload) != nil {
			panic("the request does not decode")
		}
		if _, kind = Classify(bad); kind != spec.WrongLength {
			panic("the short request is accepted")
		}
	}))
	buffer := make([]byte, 0, 128)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		buffer = AppendAtomicRequest(buffer[:0], 1, request)
	}), "encoding into a buffer that is large enough")
}

func BenchmarkClassify(b *testing.B) {
	segment := AppendAtomicRequest(nil, 1, NewFetchAdd(1, 2, 8, 1, 0))
	b.ReportAllocs()
	for b.Loop() {
		if _, kind := Classify(segment); kind != spec.None {
			b.Fatal(kind)
		}
	}
}

func BenchmarkDecodeAtomicRequest(b *testing.B) {
	r := NewFetchAdd(1, 2, 8, 1, 0)
	payload := r.AppendEncode(nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Decode(payload); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeAtomicResponse(b *testing.B) {
	var buffer [64]byte
	b.ReportAllocs()
	for b.Loop() {
		AppendAtomicResponse(buffer[:0], 1, AtomicResponse{1, 2})
	}
}
