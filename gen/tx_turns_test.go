package gen_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/model/wire"
)

type weightBeat struct{ Stream, Weight int }

// txTurnsRig is tx_turns with a record of its output.
type txTurnsRig struct {
	*rig
	c    engine.Config
	sent []txCommandBeat
}

func openTxTurns(t testing.TB, c engine.Config) *txTurnsRig {
	b := &txTurnsRig{rig: openRig(t, transmit.TxTurns(c), 1), c: c}
	b.begin()
	onBeat(b.rig, "command", func(s txCommandBeat) { b.sent = append(b.sent, s.unmeasured(t, c.BusBytes)) })
	return b
}

// begin waits until the state of every stream is initialised.
func (b *txTurnsRig) begin() {
	for _, name := range []string{"dropped", "dropped_stream", "opened", "opened_stream"} {
		b.inputs[name].Set(0)
	}
	b.pass(b.c.Streams + 2)
	require.Equal(b.t, uint64(1), b.signal("running").Get())
}

// pass runs some cycles.
func (b *txTurnsRig) pass(cycles int) {
	for range cycles {
		b.step()
	}
}

// happens reports to the block that a segment of a stream was dropped, or that the stream was opened.
func (b *txTurnsRig) happens(what string, stream int) {
	b.inputs[what].Set(1)
	b.inputs[what+"_stream"].Set(uint64(stream))
	b.step()
	b.inputs[what].Set(0)
}

// turnsMessage is a Write, or a Send if its number is odd.
func turnsMessage(stream int, number, length uint32) txMessageBeat {
	q := txMessageBeat{Stream: stream, Kind: kindMessage, Number: number % requestNumbers, Address: uint64(number) << 33, Length: length}
	header := turnsHeader(number, 0, true)
	q.HeaderLength, q.Header = len(header), padded(header)
	return q
}

func turnsHeader(number, at uint32, last bool) []byte {
	h := wire.TaggedHeader(wire.OpWrite, number, uint64(number)<<32+uint64(at), last)
	if number%2 == 1 {
		h = wire.UntaggedHeader(wire.OpSend, number, at)
		h.Last = last
	}
	return h.AppendEncode(nil)
}

// segments splits a message into commands, with headers as encoded by model/wire.
func (q txMessageBeat) segments(most uint32) (list []txCommandBeat) {
	for at := uint32(0); ; at += most {
		n := min(q.Length-at, most)
		last := at+n == q.Length
		list = append(list, txCommandBeat{Stream: q.Stream, Kind: q.Kind, Final: last, Number: q.Number, HeaderLength: q.HeaderLength,
			Header: padded(turnsHeader(uint32(q.Address>>33), at, last)), Address: q.Address + uint64(at), PayloadLength: int(n)})
		if last {
			return list
		}
	}
}

// turnsLengths are lengths around those of segments.
func turnsLengths(r *rand.Rand, most uint32) uint32 {
	return []uint32{0, 1, most - 1, most, most + 1, 2*most - 1, 2 * most, 2*most + 1, r.Uint32N(6 * most)}[r.IntN(9)]
}

// The messages of each stream leave whole and in order, whatever the other streams do.
func TestTxTurnsUnderStalls(t *testing.T) {
	for _, c := range []gen.Config{{BusBytes: 8, Streams: 2, IRD: 2, SendDepth: 2, MaxPayload: 256}, {BusBytes: 64, Streams: 8, IRD: 4, SendDepth: 4, MaxPayload: 1024},
		{BusBytes: 8, Streams: 64, IRD: 4, SendDepth: 4, MaxPayload: 256}} { // with short turns
		everyChance(t, func(t *testing.T, idle, pressure int) {
			b := openTxTurns(t, c.Engine())
			b.stall(idle, pressure)
			want := map[int][]txCommandBeat{}
			for i := range uint32(300) {
				q := turnsMessage(b.rand.IntN(1+b.rand.IntN(c.Streams)), i, turnsLengths(b.rand, uint32(c.MaxPayload)))
				send(b.rig, "message", q)
				want[q.Stream] = append(want[q.Stream], q.segments(uint32(c.MaxPayload))...)
			}
			b.rest(200)
			got := map[int][]txCommandBeat{}
			for _, s := range b.sent {
				got[s.Stream] = append(got[s.Stream], s)
			}
			for stream := range c.Streams {
				same(t, want[stream], got[stream])
			}
		})
	}
}

// turnsReference orders segments by deficit round robin.
type turnsReference struct {
	c      engine.Config
	weight map[int]int
	list   []int
	credit map[int]int
	queues map[int][]txCommandBeat
}

// turn returns the segments of the next turn.
func (r *turnsReference) turn() (list []txCommandBeat) {
	stream := r.list[0]
	r.list = r.list[1:]
	credit := r.credit[stream] + max(1, r.weight[stream])*(r.c.MaxPayload+128)
	for suffices := true; suffices && len(r.queues[stream]) > 0; {
		suffices = credit >= r.c.MaxPayload
		s := r.queues[stream][0]
		credit -= s.HeaderLength + s.PayloadLength
		list, r.queues[stream] = append(list, s), r.queues[stream][1:]
	}
	if r.credit[stream] = 0; len(r.queues[stream]) > 0 {
		r.credit[stream], r.list = credit, append(r.list, stream)
	}
	return list
}

// With streams that always wait, segments leave in the order of the reference: turns by octets, weighted.
func TestTxTurnsOrder(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		c := txConfig(64, 256)
		b := openTxTurns(t, c)
		r := &turnsReference{c: c, weight: map[int]int{}, credit: map[int]int{}, queues: map[int][]txCommandBeat{}}
		for stream := range c.Streams {
			r.weight[stream] = b.rand.IntN(4)
			send(b.rig, "weight", weightBeat{stream, r.weight[stream]})
		}
		r.weight[0] = 1
		send(b.rig, "weight", weightBeat{0, 1})
		b.rest(10)
		b.stall(idle, 256)
		plug := turnsMessage(0, 1000, 80*256) // holds the turn until others wait
		send(b.rig, "message", plug)
		b.pass(40)
		for i := range uint32(180) {
			q := turnsMessage(1+int(i)%7, i, turnsLengths(b.rand, 256))
			send(b.rig, "message", q)
			r.queues[q.Stream] = append(r.queues[q.Stream], q.segments(256)...)
		}
		for len(b.stream("message").queue) > 0 || b.stream("message").offer {
			b.step()
		}
		b.pass(40)
		b.stall(idle, pressure)
		b.rest(200)
		first := slices.IndexFunc(b.sent, func(s txCommandBeat) bool { return s.Stream != 0 })
		r.list, r.queues[0] = []int{1, 2, 3, 4, 5, 6, 7, 0}, plug.segments(256)[first:]
		r.credit[0] = 256 + 128 - 2*(256+14)
		var want []txCommandBeat
		for len(r.list) > 6 { // with fewer streams, a turn may end while no other stream is ready
			want = append(want, r.turn()...)
		}
		require.Greater(t, len(want), 150)
		same(t, want, b.sent[first:first+len(want)])
	})
}

// A stream of weight 4 sends four times the octets of each other one, whatever the lengths of the messages.
func TestTxTurnsWeights(t *testing.T) {
	c := txConfig(64, 1024)
	b := openTxTurns(t, c)
	send(b.rig, "weight", weightBeat{2, 4})
	octets := map[int]int{}
	waiting := map[int]int{}
	lengths := []uint32{100 * 1024, 1024, 5000, 0, 700, 1}
	number := uint32(0)
	b.sent = nil
	onBeat(b.rig, "command", func(s txCommandBeat) {
		octets[s.Stream] += s.HeaderLength + s.PayloadLength
		waiting[s.Stream] -= s.HeaderLength + s.PayloadLength
	})
	for range 80000 {
		for stream, length := range lengths {
			if waiting[stream] < 1<<14 && len(b.stream("message").queue) == 0 { // every stream always has something waiting
				number++
				q := turnsMessage(stream, 2*number, length)
				send(b.rig, "message", q)
				for _, s := range q.segments(1024) {
					waiting[stream] += s.HeaderLength + s.PayloadLength
				}
			}
		}
		b.stream("command").chance = 256 * min(1, b.rand.IntN(4)) // slower than the input
		b.step()
	}
	for _, stream := range []int{0, 1} {
		assert.InEpsilon(t, 4*octets[stream], octets[2], 0.03, "stream %d: %d octets, stream 2: %d", stream, octets[stream], octets[2])
	}
	t.Log(octets)
}

// One segment per cycle, even of a single stream; if nothing waits, the first one leaves a cycle after its message.
func TestTxTurnsRate(t *testing.T) {
	for _, row := range []struct {
		streams int
		length  uint32
	}{{1, 1}, {2, 1}, {8, 0}, {1, 2048}, {1, 100 * 1024}, {8, 5000}} {
		for _, waits := range []bool{false, true} {
			b := openTxTurns(t, txConfig(64, 1024))
			want := 0
			for i := range 100 {
				q := turnsMessage(i%row.streams, uint32(i), row.length)
				want += len(q.segments(1024))
				send(b.rig, "message", q)
			}
			if waits {
				b.stream("command").chance = 256
				b.pass(300)
				b.stream("command").chance = 0
			}
			b.rest(30)
			at := b.stream("command").at
			require.Len(t, at, want, "%v", row)
			if !waits {
				assert.Equal(t, b.stream("message").at[0]+1, at[0])
			}
			assert.LessOrEqual(t, at[len(at)-1]-at[0], len(at)+8, "%v, behind others: %t", row, waits)
		}
	}
}

// A stream that uses all its places blocks no other stream.
func TestTxTurnsHoldsUpNobody(t *testing.T) {
	c := txConfig(64, 1024)
	b := openTxTurns(t, c)
	b.stream("command").chance = 256
	for i := range c.IRD + c.SendDepth {
		send(b.rig, "message", turnsMessage(1, uint32(i), 1<<20))
	}
	b.pass(100)
	send(b.rig, "message", turnsMessage(2, 1000, 1))
	b.pass(20)
	require.Len(t, b.stream("message").at, c.IRD+c.SendDepth+1)
	b.sent = nil
	b.stream("command").chance = 0
	b.pass(20)
	at := slices.IndexFunc(b.sent, func(s txCommandBeat) bool { return s.Stream == 2 })
	require.GreaterOrEqual(t, at, 0)
	assert.LessOrEqual(t, at, 6, "after three segments in the pipeline and the rest of a turn")
}

// Once a segment of a stream is dropped, each message of the stream ends with its next segment, until the stream is reopened.
func TestTxTurnsEndsMessages(t *testing.T) {
	b := openTxTurns(t, txConfig(64, 256))
	b.stream("command").chance = 256
	for i := range uint32(3) {
		send(b.rig, "message", turnsMessage(1, 2*i, 1<<20))
	}
	send(b.rig, "message", turnsMessage(2, 8, 1000))
	b.pass(20)
	b.happens("dropped", 1)
	b.stream("command").chance = 0
	b.rest(30)
	count, final := map[int]int{}, map[int]int{}
	for _, s := range b.sent {
		count[s.Stream]++
		final[s.Stream] += int(bitOf(s.Final))
	}
	assert.Equal(t, map[int]int{1: 3, 2: 1}, final)
	assert.LessOrEqual(t, count[1], 8, "three in the pipeline, one per message, and the segment that the turn had begun")
	assert.Equal(t, 4, count[2])
	b.happens("opened", 1)
	b.sent = nil
	send(b.rig, "message", turnsMessage(1, 10, 1000))
	b.rest(30)
	same(t, turnsMessage(1, 10, 1000).segments(256), b.sent)
}

// A command is on offer whether it is accepted or not, also the first one after a reset.
func TestTxTurnsOffersWithoutReady(t *testing.T) {
	b := &txTurnsRig{rig: openRig(t, transmit.TxTurns(txConfig(64, 256)), 1), c: txConfig(64, 256)}
	for range 3 {
		b.stall(0, 256)
		b.begin()
		send(b.rig, "message", turnsMessage(1, 2, 600))
		b.pass(40)
		require.Equal(t, uint64(1), b.rig.stream("command").valid.Get())
		b.stall(0, 0)
		b.rest(20)
	}
}

// A reset in any state discards everything.
func TestTxTurnsReset(t *testing.T) {
	for cycles := range 40 {
		b := openTxTurns(t, txConfig(64, 256))
		for i := range uint32(30) {
			send(b.rig, "message", turnsMessage(b.rand.IntN(8), i, turnsLengths(b.rand, 256)))
		}
		b.stall(0, 128)
		b.pass(cycles)
		b.reset()
		b.stall(0, 0)
		b.begin()
		b.sent = nil
		var want []txCommandBeat
		for i := range uint32(8) {
			q := turnsMessage(int(i), i, 600)
			send(b.rig, "message", q)
			b.rest(20)
			want = append(want, q.segments(256)...)
		}
		same(t, want, b.sent)
	}
}

func TestTxTurnsIsCleanInEveryTool(t *testing.T) {
	t.Parallel()
	for _, c := range []gen.Config{{BusBytes: 8, Streams: 2, IRD: 1, SendDepth: 2, MaxPayload: 256}, {BusBytes: 128, Streams: 16384, IRD: 64, SendDepth: 64, MaxPayload: 16384}} {
		d, err := hdl.Compile(transmit.TxTurns(c.Engine()))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}
