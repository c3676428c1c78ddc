package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

type readRequestBeat struct {
	Stream  int
	Number  uint32
	Address uint64
	Length  uint32
	Sink    struct {
		STag uint32
		TO   uint64
	}
}

func randomRead(r *rand.Rand, length uint32) readRequestBeat {
	q := readRequestBeat{Stream: r.IntN(8), Number: r.Uint32(), Address: operand(r), Length: length}
	q.Sink.STag, q.Sink.TO = r.Uint32(), operand(r)
	return q
}

// segments splits a Read into commands, with headers as encoded by model/wire.
func (q readRequestBeat) segments(most uint32) (list []txCommandBeat) {
	for done := uint32(0); ; {
		n := min(q.Length-done, most)
		last := done+n == q.Length
		h := wire.TaggedHeader(wire.OpReadResponse, q.Sink.STag, q.Sink.TO+uint64(done), last)
		list = append(list, txCommandBeat{Stream: q.Stream, Kind: sentRead, Final: last, Number: q.Number, HeaderLength: 14,
			Header: padded(h.AppendEncode(nil)), Address: q.Address + uint64(done), PayloadLength: int(n)})
		if done += n; last {
			return list
		}
	}
}

func someReads(most uint32) (reads []readRequestBeat, want []txCommandBeat) {
	r := random(11)
	lengths := []uint32{0, 1, most - 1, most, most + 1, 2*most - 1, 2 * most, 2*most + 1, 0, 0, 5 * most}
	for range 200 {
		lengths = append(lengths, r.Uint32N(6*most))
	}
	for _, n := range lengths {
		q := randomRead(r, n)
		reads, want = append(reads, q), append(want, q.segments(most)...)
	}
	return reads, want
}

func TestReadResponderUnderStalls(t *testing.T) {
	for _, most := range []int{256, 1024, 16384} {
		reads, want := someReads(uint32(most))
		everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
			b := open(t, rdmap.ReadResponder(txConfig(64, most)))
			b.stall(idle, pressure)
			push(b, "req", reads...)
			b.run()
			same(t, want, take[txCommandBeat](b, "command"))
		})
	}
}

// One command per cycle, the first one cycle after its Read.
func TestReadResponderRate(t *testing.T) {
	reads, want := someReads(1024)
	b := open(t, rdmap.ReadResponder(txConfig(64, 1024)))
	push(b, "req", reads...)
	b.run()
	same(t, want, take[txCommandBeat](b, "command"))
	gapless(t, b.cycles("command"))
	assert.Equal(t, b.cycles("req")[0]+1, b.cycles("command")[0])
}

// The longest Read has 2^24 segments, one per cycle; this checks the first of them.
func TestReadResponderLongest(t *testing.T) {
	b := openRig(t, rdmap.ReadResponder(txConfig(64, 256)), 1)
	q := randomRead(random(3), 1<<32-1)
	send(b, "req", q)
	for range 3001 {
		b.step()
	}
	got := received[txCommandBeat](b, "command")
	require.Len(t, got, 3000)
	for i, c := range got {
		var h wire.DDPHeader
		require.NoError(t, h.Decode(c.octets(t)))
		require.Equal(t, wire.TaggedHeader(wire.OpReadResponse, q.Sink.STag, q.Sink.TO+uint64(256*i), false), h)
		require.Equal(t, q.Address+uint64(256*i), c.Address)
	}
}

// A reset during a Read drops it.
func TestReadResponderReset(t *testing.T) {
	b := open(t, rdmap.ReadResponder(txConfig(64, 256)))
	push(b, "req", randomRead(random(3), 1<<20))
	b.step(10)
	b.reset()
	q := randomRead(random(4), 300)
	push(b, "req", q)
	b.run()
	same(t, q.segments(256), take[txCommandBeat](b, "command"))
}
