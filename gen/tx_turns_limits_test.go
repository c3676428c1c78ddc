package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
)

// All places are filled and freed repeatedly: every message leaves whole and in order.
func TestTxTurnsFull(t *testing.T) {
	for _, row := range []struct {
		c      gen.Config
		places int
	}{
		{gen.Config{BusBytes: 8, Streams: 2, IRD: 2, SendDepth: 2, MaxPayload: 256}, 16},
		{gen.Config{BusBytes: 64, Streams: 8, IRD: 2, SendDepth: 4, MaxPayload: 256}, 64},
		{gen.Config{BusBytes: 64, Streams: 64, IRD: 8, SendDepth: 16, MaxPayload: 256}, 512},
	} {
		b := openTxTurns(t, row.c.Engine())
		want := map[int][]txCommandBeat{}
		number := uint32(0)
		ask := func(stream int) {
			number++
			q := turnsMessage(stream, number, turnsLengths(b.rand, 256))
			send(b.rig, "message", q)
			want[stream] = append(want[stream], q.segments(256)...)
		}
		for round := range 6 {
			b.stream("command").chance = 256
			before, asked := len(b.stream("message").at), int(number)
			one := b.rand.IntN(row.c.Streams)
			for range row.places + 20 {
				if stream := b.rand.IntN(row.c.Streams); round%2 == 0 {
					ask(stream)
				} else {
					ask(one)
				}
			}
			b.pass(row.places + 100)
			taken := len(b.stream("message").at) - before
			require.GreaterOrEqual(t, taken, row.places, "%d places, round %d", row.places, round)
			require.Less(t, taken, int(number)-asked, "the input is never blocked")
			b.stall(0, []int{0, 128, 240}[round%3])
			b.pass(5 * row.places)
			b.stall(0, 0)
			b.rest(200)
		}
		got := map[int][]txCommandBeat{}
		for _, s := range b.sent {
			got[s.Stream] = append(got[s.Stream], s)
		}
		for stream := range want {
			same(t, want[stream], got[stream])
		}
	}
}

// While turns of some streams end every cycle or two, many other streams begin to send, one per cycle: all of them are served.
func TestTxTurnsManyBegin(t *testing.T) {
	c := gen.Config{BusBytes: 64, Streams: 64, IRD: 8, SendDepth: 16, MaxPayload: 256}.Engine()
	b := openTxTurns(t, c)
	for round := range uint32(10) {
		for stream := range 16 {
			send(b.rig, "message", turnsMessage(stream, round, 100*256))
		}
		b.pass(100)
		b.sent = nil
		for stream := 16; stream < 64; stream++ {
			send(b.rig, "message", turnsMessage(stream, round, 1))
		}
		b.rest(300)
		count := map[int]int{}
		for _, s := range b.sent {
			count[s.Stream]++
		}
		for stream := 16; stream < 64; stream++ {
			require.Equal(t, 1, count[stream], "stream %d, round %d", stream, round)
		}
	}
}

// While all streams wait, one of the highest weight sends that many times the octets of each other one.
func TestTxTurnsHighestWeight(t *testing.T) {
	const most = 1<<engine.WeightBits - 1
	b := openTxTurns(t, txConfig(64, 256))
	send(b.rig, "weight", weightBeat{2, most})
	b.stream("command").chance = 256
	for i := range uint32(8) {
		send(b.rig, "message", turnsMessage(int(i), 2*i, 1<<20))
	}
	b.pass(40)
	b.stream("command").chance = 0
	b.pass(1500)
	octets := map[int]int{}
	for _, s := range b.sent {
		octets[s.Stream] += s.HeaderLength + s.PayloadLength
	}
	for stream := range 8 {
		if stream != 2 {
			assert.InEpsilon(t, most*octets[stream], octets[2], 0.1, "stream %d: %v", stream, octets)
		}
	}
}

// A stream that sent alone for any time has no debt: it shares equally with a new one at once.
func TestTxTurnsAlone(t *testing.T) {
	for _, segments := range []int{1, 20, 500} {
		b := openTxTurns(t, txConfig(64, 256))
		send(b.rig, "message", turnsMessage(1, 0, 1<<20))
		b.pass(segments + 10)
		send(b.rig, "message", turnsMessage(2, 2, 1<<20))
		b.pass(20)
		b.sent = nil
		b.pass(40)
		count := map[int]int{}
		for _, s := range b.sent {
			count[s.Stream]++
		}
		assert.InDelta(t, count[1], count[2], 4, "after %d segments: %v", segments, count)
	}
}

// During a turn of a stream with waiting messages, one of its segments is dropped and the stream is reopened. Messages from before
// the opening end with their next segment; those after it leave whole, in the same turn.
func TestTxTurnsChangesInTurn(t *testing.T) {
	for n := range 32 {
		cycle, beside := n/2, n%2 == 1 // a late segment of before is dropped as the stream is opened
		t.Run(fmt.Sprint(cycle, beside), func(t *testing.T) {
			b := openTxTurns(t, txConfig(64, 256))
			send(b.rig, "weight", weightBeat{1, 1<<engine.WeightBits - 1})
			send(b.rig, "message", turnsMessage(2, 0, 1<<16))
			b.pass(20)
			for i := range uint32(12) {
				send(b.rig, "message", turnsMessage(1, 2+2*i, 1000))
			}
			b.pass(cycle + 8)
			b.stream("command").chance = 256
			b.pass(8)
			b.happens("dropped", 1)
			b.pass(4)
			dropped := len(b.sent)
			b.stream("command").chance = 0
			b.pass(10)
			b.stream("command").chance = 256
			b.pass(4)
			for _, s := range b.sent[dropped+4:] {
				require.True(t, s.Stream == 2 || s.Final, "four were in the pipeline")
			}
			if beside {
				b.inputs["dropped"].Set(1)
				b.inputs["dropped_stream"].Set(1)
			}
			b.happens("opened", 1)
			b.inputs["dropped"].Set(0)
			q := turnsMessage(1, 30, 1000)
			send(b.rig, "message", q)
			b.pass(4)
			b.stream("command").chance = 0
			b.rest(100)
			var sent []txCommandBeat
			final := 0
			for _, s := range b.sent {
				if s.Stream == 1 {
					sent = append(sent, s)
					final += int(bitOf(s.Final))
				}
			}
			want := q.segments(256)
			same(t, want, sent[len(sent)-len(want):])
			assert.Equal(t, 13, final, "every message ends")
		})
	}
}

// An opening in the cycle in which a segment is dropped counts: the segment is one of before.
func TestTxTurnsOpenedBesideDrop(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		b := openTxTurns(t, txConfig(64, 256))
		if stopped {
			b.happens("dropped", 1)
			b.pass(5)
		}
		b.inputs["opened"].Set(1)
		b.inputs["opened_stream"].Set(1)
		b.happens("dropped", 1)
		b.inputs["opened"].Set(0)
		b.pass(5)
		q := turnsMessage(1, 2, 3000)
		send(b.rig, "message", turnsMessage(2, 0, 1<<13), q)
		b.rest(100)
		same(t, q.segments(256), byStream(b.sent)[1])
	}
}
