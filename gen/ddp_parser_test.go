package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	model "github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

const parserStreams = 8

// parserRun is the input of ddp_parser and the expected output.
type parserRun struct {
	busBytes    int
	rx, payload []axisBeat
	records     []model.Record
}

func (run *parserRun) add(stream uint32, segment []byte) {
	record, payload := model.RecordOf(stream, segment)
	run.rx = append(run.rx, soiled(beatsOf(run.busBytes, stream, segment))...)
	run.records = append(run.records, record)
	if len(payload) > 0 {
		run.payload = append(run.payload, beatsOf(run.busBytes, stream, payload)...)
	}
}

func (run *parserRun) open(t testing.TB) *bench {
	return open(t, rdmap.DDPParser(rdmap.Profile{}, run.busBytes, parserStreams))
}

func (run *parserRun) check(t testing.TB, b *bench) {
	push(b, "s_axis_rx", run.rx...)
	b.run()
	same(t, run.records, take[model.Record](b, "m_record"))
	same(t, run.payload, take[axisBeat](b, "m_axis_payload"))
}

// segmentKinds returns all variants of the start of a header: T, L, versions, opcode and queue.
func segmentKinds() (kinds []wire.DDPHeader) {
	for opcode := range wire.Opcode(16) {
		m, _ := opcode.Operation()
		good := wire.DDPHeader{Tagged: m.Tagged, Last: true, DV: 1, RV: 1, Opcode: opcode, QueueNumber: m.Queue}
		for _, spoil := range []func(h *wire.DDPHeader){
			func(h *wire.DDPHeader) {},
			func(h *wire.DDPHeader) { h.Last = false },
			func(h *wire.DDPHeader) { h.Tagged = !h.Tagged },
			func(h *wire.DDPHeader) { h.DV = 2 },
			func(h *wire.DDPHeader) { h.RV = 0 },
			func(h *wire.DDPHeader) { h.QueueNumber++ },
			func(h *wire.DDPHeader) { h.QueueNumber |= 1 << 31 },
			func(h *wire.DDPHeader) { h.MO = 1 << 24 },
		} {
			kind := good
			spoil(&kind)
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// segmentOf returns a segment of n octets: the header, truncated if it is longer, then noise.
func segmentOf(r *rand.Rand, h wire.DDPHeader, n int) []byte {
	segment := h.AppendEncode(nil)
	for len(segment) < n {
		segment = append(segment, byte(r.Uint32()))
	}
	return segment[:n]
}

// mixedRun returns segments of all kinds, of lengths up to longest, in random order.
func mixedRun(busBytes, segments, longest int) *parserRun {
	r, run, kinds := random(8), &parserRun{busBytes: busBytes}, segmentKinds()
	for range segments {
		kind := kinds[r.IntN(len(kinds))]
		if r.IntN(2) == 0 { // half of the segments are valid
			kind = kinds[8*r.IntN(len(kinds)/8)]
		}
		run.add(r.Uint32N(parserStreams), segmentOf(r, kind, r.IntN(longest+1)))
	}
	return run
}

// The bus is fully used: no cycle is lost between segments, whatever their kinds and lengths. Every kind has every length up
// to three beats beyond the longest header.
func TestDDPParserFullRate(t *testing.T) {
	for _, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			r := random(9)
			var runs []*parserRun
			for n := range 3*bus + 81 {
				run := &parserRun{busBytes: bus}
				for _, kind := range segmentKinds() {
					run.add(r.Uint32N(parserStreams), segmentOf(r, kind, n))
				}
				runs = append(runs, run)
			}
			b := runs[0].open(t)
			for _, run := range append(runs, mixedRun(bus, 2000, 3*bus+80)) {
				run.check(t, b)
				s := b.stats("s_axis_rx")
				require.Equal(t, s.Offered, s.Beats, "a beat was stalled")
			}
		})
	}
}

func TestDDPParserUnderStalls(t *testing.T) {
	for _, bus := range block.BusWidths {
		run := mixedRun(bus, 300, 3*bus+80)
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
				b := run.open(t)
				b.stall(idle, pressure)
				run.check(t, b)
			})
		})
	}
}

// The longest segment that MPA can carry, then a short one: no counter overflows.
func TestDDPParserLongestSegment(t *testing.T) {
	for _, bus := range block.BusWidths {
		r, run := random(10), &parserRun{busBytes: bus}
		for _, h := range []wire.DDPHeader{wire.TaggedHeader(wire.OpWrite, 1, 2, true), wire.UntaggedHeader(wire.OpSend, 1, 0), wire.UntaggedHeader(wire.OpAtomicRequest, 1, 0)} {
			run.add(3, segmentOf(r, h, wire.MaxSegment))
			run.add(4, segmentOf(r, h, 19))
		}
		assert.Equal(t, []int{65535 - 14, 5, 65535 - 18, 1, 0, 0}, payloadLengths(run.records))
		run.check(t, run.open(t))
	}
}

func payloadLengths(records []model.Record) (lengths []int) {
	for _, r := range records {
		lengths = append(lengths, r.PayloadLength)
	}
	return lengths
}

// A reset in any cycle of a packet, with the outputs accepted or not, drops everything in progress.
func TestDDPParserReset(t *testing.T) {
	for _, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			before, after := &parserRun{busBytes: bus}, mixedRun(bus, 10, 3*bus+80)
			r := random(11)
			for _, h := range []wire.DDPHeader{wire.TaggedHeader(wire.OpWrite, 1, 2, true), wire.UntaggedHeader(wire.OpAtomicRequest, 1, 0)} {
				before.add(7, segmentOf(r, h, 70+bus))
			}
			b := before.open(t)
			for _, pressure := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 256}} {
				for cycles := range 2*len(before.rx) + 2 {
					b.stall(simulator.Stall{}, pressure)
					push(b, "s_axis_rx", before.rx...)
					b.step(cycles)
					b.reset()
					b.stall(simulator.Stall{}, simulator.Stall{})
					after.check(t, b)
				}
			}
		})
	}
}

// Payload leaves while the record of its segment waits, and records of segments without payload leave while payload waits.
func TestDDPParserOutputsAreIndependent(t *testing.T) {
	never := simulator.Stall{Mode: simulator.StallRandom, Chance: 256}
	send, atomic := wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, make([]byte, 8)), wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{})
	for _, row := range []struct {
		waits, leaves string
		segments      [][]byte
		beats         int
	}{
		{"m_record", "m_axis_payload", [][]byte{send, send}, 1},
		{"m_axis_payload", "m_record", [][]byte{send, atomic, atomic, atomic}, 4},
	} {
		run := &parserRun{busBytes: 8}
		for _, s := range row.segments {
			run.add(1, s)
		}
		b := run.open(t)
		require.NoError(t, b.engine.SetStall(b.lane(row.waits).index, never))
		push(b, "s_axis_rx", run.rx...)
		b.step(100)
		assert.Len(t, b.cycles(row.leaves), row.beats, "%s leaves while %s waits", row.leaves, row.waits)
		require.NoError(t, b.engine.SetStall(b.lane(row.waits).index, simulator.Stall{}))
		b.run()
		same(t, run.records, take[model.Record](b, "m_record"))
		same(t, run.payload, take[axisBeat](b, "m_axis_payload"))
	}
}
