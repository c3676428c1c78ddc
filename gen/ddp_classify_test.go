package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
	model "github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// verdict is the result of ddp_classify for a segment.
type verdict struct {
	rule          spec.Rule
	carries       bool
	payloadLength int
}

// classifier simulates ddp_classify: the start of a segment in one cycle, the rest in the next.
type classifier struct {
	extensions     spec.Extensions
	sim            *sim.Sim
	enable, start  sim.Input
	header, length sim.Input
	out            []sim.Signal
	words          [3]uint64
}

func newClassifier(t *testing.T) *classifier { return newClassifierOf(t, 0) }

func newClassifierOf(t *testing.T, x spec.Extensions) *classifier {
	d, err := hdl.Compile(rdmap.DDPClassify(rdmap.Profile{Extensions: x}))
	require.NoError(t, err)
	c := &classifier{extensions: x}
	c.sim, err = sim.New(d)
	require.NoError(t, err)
	for name, in := range map[string]*sim.Input{"enable": &c.enable, "start": &c.start, "header": &c.header, "length": &c.length} {
		*in, err = c.sim.Input(name)
		require.NoError(t, err)
	}
	c.sim.Reset(2)
	for _, name := range []string{"rule", "start_carries", "payload_length", "carries_data"} {
		s, err := c.sim.Signal(name)
		require.NoError(t, err)
		c.out = append(c.out, s)
	}
	return c
}

func (c *classifier) classify(header [18]byte, length int) verdict {
	get := func(i int) uint64 { return c.out[i].Get() }
	var start [2]uint64
	for i, o := range header[:10] {
		bit := 8 * (9 - i)
		start[bit/64] |= uint64(o) << (bit % 64)
	}
	c.enable.Set(1)
	c.start.SetWords(start[:])
	c.sim.Eval()
	carries := get(1)
	c.sim.Step()
	c.enable.Set(0)
	start[0], start[1] = ^start[0], ^start[1]&0xFFFF
	c.start.SetWords(start[:]) // the next segment: must be ignored
	c.words = [3]uint64{}
	for i, o := range header {
		bit := 8 * (17 - i) // octet 0 is the most significant
		c.words[bit/64] |= uint64(o) << (bit % 64)
	}
	c.header.SetWords(c.words[:])
	c.length.Set(uint64(length))
	c.sim.Eval()
	if get(3) != carries {
		return verdict{63, false, -1} // the result did not stay
	}
	return verdict{spec.Rule(get(0)), carries == 1, int(get(2))}
}

// octets is a buffer of the longest segment; octets after the header do not matter here.
var octets [wire.MaxSegment]byte

// classifyByModel uses the golden model. Whether a segment carries data depends only on its first ten octets, so the model is
// given the longest segment that starts with them, with a Message Offset of 0.
func classifyByModel(x spec.Extensions, header [18]byte, length int) verdict {
	copy(octets[:], header[:])
	v := verdict{}
	if x == 0 {
		r, _ := model.RecordOf(0, octets[:length])
		v.rule, v.payloadLength = r.Rule, r.PayloadLength
	} else {
		s, rule := wire.ClassifyWith(x, octets[:length])
		m, known := x.Operation(s.Header.Opcode)
		if v.rule = rule; known && m.CarriesPayload && (rule == spec.None || rule > spec.WrongQueue) {
			v.payloadLength = len(s.Payload)
		}
	}
	clear(octets[10:18])
	s, kind := wire.ClassifyWith(x, octets[:])
	m, _ := x.Operation(s.Header.Opcode)
	v.carries = (kind == spec.None || kind == spec.MONotZero || kind == spec.WrongLength) && m.CarriesPayload
	return v
}

// check compares hardware and model. Octets beyond the segment are zero.
func (c *classifier) check(t *testing.T, header [18]byte, length int) {
	for i := length; i < len(header); i++ {
		header[i] = 0
	}
	if want, got := classifyByModel(c.extensions, header, length), c.classify(header, length); want != got {
		require.Equal(t, want, got, "%d octets, header %x", length, header)
	}
}

func classifyHeader(opcode, dv, rv int, tagged, last bool, queue, mo uint32, reserved uint8) (b [18]byte) {
	h := wire.DDPHeader{Last: last, DV: uint8(dv), RV: uint8(rv), Opcode: wire.Opcode(opcode), DDPReserved: reserved, RDMAPReserved: reserved,
		InvalidateSTag: 0xA5A5A5A5, QueueNumber: queue, MSN: 0x5A5A5A5A, MO: mo}
	h.AppendEncode(b[:0])
	if tagged {
		b[0] |= 0x80
	}
	return b
}

// Every combination of the relevant fields, at every length near a limit.
func TestDDPClassify(t *testing.T) {
	lengths := []int{0, 1, 2, 6, 9, 10, wire.MaxSegment - 1, wire.MaxSegment}
	for _, header := range []int{14, 18} {
		for _, limit := range []int{0, 4, 8, 12, 28, 52} { // none, Terminate, Immediate Data, Atomic Response, Read, Atomic Request
			lengths = append(lengths, header+limit-1, header+limit, header+limit+1)
		}
	}
	c := newClassifier(t)
	yes := []bool{false, true}
	for opcode := range 16 {
		for version := range 16 {
			for _, tagged := range yes {
				for _, last := range yes {
					for _, queue := range []uint32{0, 1, 2, 3, 4, 0x80000000, 0x00010001} {
						for _, mo := range []uint32{0, 1, 0x80000000} {
							for _, n := range lengths {
								c.check(t, classifyHeader(opcode, version&3, version>>2, tagged, last, queue, mo, uint8(n)), n)
							}
						}
					}
				}
			}
		}
	}
}

// With the extension Commit there are more opcodes and lengths: every length near one that an operation has, and as much longer as any power of two.
func TestDDPClassifyOfCommit(t *testing.T) {
	c := newClassifierOf(t, spec.Commit)
	var lengths []int
	for _, header := range []int{14, 18} {
		seen := map[int]bool{}
		for _, o := range spec.Commit.Operations() {
			if !seen[o.MinLength] {
				seen[o.MinLength] = true
				n := header + o.MinLength
				lengths = append(lengths, n-1, n, n+1)
				for bit := 1; bit < 16; bit++ {
					lengths = append(lengths, min(n+1<<bit, wire.MaxSegment))
				}
			}
		}
	}
	yes := []bool{false, true}
	for opcode := range 1 << spec.Commit.OpcodeBits() {
		for _, version := range []int{5, 4, 1} {
			for _, tagged := range yes {
				for _, last := range yes {
					for _, queue := range []uint32{0, 1, 2, 3, 4, 0x00010001} {
						for _, mo := range []uint32{0, 1, 0x80000000} {
							for _, n := range lengths {
								c.check(t, classifyHeader(opcode, version&3, version>>2, tagged, last, queue, mo, uint8(n)&1), n)
							}
						}
					}
				}
			}
		}
	}
}

func TestDDPClassifyAtRandom(t *testing.T) {
	c, r := newClassifier(t), random(7)
	for range 200_000 {
		opcode := r.IntN(16)
		message, _ := wire.Opcode(opcode).Operation()
		h := classifyHeader(opcode, 1, 1, message.Tagged, true, message.Queue, 0, 0)
		for range r.IntN(3) { // a valid header with up to two bits inverted
			i := r.IntN(8 * 18)
			h[i/8] ^= 1 << (i % 8)
		}
		c.check(t, h, r.IntN(100))
	}
}

// Segments with expectations by hand, in case model and hardware share an error.
func TestDDPClassifyByHand(t *testing.T) {
	c := newClassifier(t)
	for _, row := range []struct {
		says   string
		header [18]byte
		length int
		want   verdict
	}{
		{"RDMA Write without payload", [18]byte{0xC1, 0x40}, 14, verdict{0, true, 0}},
		{"RDMA Write of 5 octets", [18]byte{0xC1, 0x40}, 19, verdict{0, true, 5}},
		{"Send of 5 octets", [18]byte{0x41, 0x43}, 23, verdict{0, true, 5}},
		{"Atomic Request", [18]byte{0x41, 0x4A, 9: 1}, 70, verdict{}},
		{"empty", [18]byte{}, 0, verdict{spec.ShortHeader, false, 0}},
		{"tagged, DV 2", [18]byte{0xC2, 0x40}, 14, verdict{spec.TaggedDDPVersion, false, 0}},
		{"untagged, DV 0", [18]byte{0x40, 0x43}, 18, verdict{spec.UntaggedDDPVersion, false, 0}},
		{"queue 4", [18]byte{0x41, 0x43, 9: 4}, 18, verdict{spec.NoSuchQueue, false, 0}},
		{"RV 0", [18]byte{0x41, 0x03}, 18, verdict{spec.BadRDMAPVersion, false, 0}},
		{"opcode 0xF", [18]byte{0x41, 0x4F}, 18, verdict{spec.ReservedOpcode, false, 0}},
		{"tagged Send", [18]byte{0xC1, 0x43}, 18, verdict{spec.WrongTBit, false, 0}},
		{"Send on queue 1", [18]byte{0x41, 0x43, 9: 1}, 18, verdict{spec.WrongQueue, false, 0}},
		{"Terminate at MO 1", [18]byte{0x41, 0x47, 9: 2, 17: 1}, 22, verdict{spec.MONotZero, true, 4}},
		{"Terminate of 3 octets", [18]byte{0x41, 0x47, 9: 2}, 21, verdict{spec.WrongLength, true, 3}},
		{"Immediate Data at MO 1", [18]byte{0x41, 0x48, 17: 1}, 26, verdict{spec.WrongLength, false, 0}},
		{"reserved bits set: ignored", [18]byte{0xFD, 0x70}, 14, verdict{0, true, 0}},
	} {
		require.Equal(t, row.want, c.classify(row.header, row.length), row.says)
	}
}
