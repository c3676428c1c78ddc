package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
)

// farBit marks far memory in these tests, above all addresses of [turnsMessage].
const farBit = 60

// farCommandBeat is an engine.TxCommand if some memory is far.
type farCommandBeat struct {
	Stream        int
	Kind          int
	Final         bool
	Number        uint32
	HeaderLength  int
	Header        []byte
	Address       uint64
	PayloadLength int
	Beats, Ends   int
	Far           bool
}

func (f farCommandBeat) command() txCommandBeat {
	return txCommandBeat{f.Stream, f.Kind, f.Final, f.Number, f.HeaderLength, f.Header, f.Address, f.PayloadLength, f.Beats, f.Ends}
}

// farMessage is [turnsMessage] from far memory.
func farMessage(stream int, number, length uint32) txMessageBeat {
	q := turnsMessage(stream, number, length)
	q.Address |= 1 << farBit
	return q
}

// isFar reports whether a message has payload in far memory.
func (q txMessageBeat) isFar() bool { return q.Address>>farBit&1 == 1 && q.Length > 0 }

// segmentsAnywhere are the segments of a message from near or far memory.
func (q txMessageBeat) segmentsAnywhere(most uint32) []txCommandBeat {
	bit := q.Address & (1 << farBit)
	q.Address ^= bit
	list := q.segments(most)
	for i := range list {
		list[i].Address |= bit
	}
	return list
}

// farRig is tx_turns with a stand-in for tx_staging, from which segments leave in order, some cycles after they arrived.
type farRig struct {
	*txTurnsRig
	staged []txCommandBeat
	unread int // segments that have left and still use their place
	most   int // segments in places at once
	late   func() bool
}

func openFarTurns(t testing.TB, c engine.Config, late func() bool) *farRig {
	c.FarBit = farBit
	b := &farRig{txTurnsRig: &txTurnsRig{rig: openRig(t, transmit.TxTurns(c), 1), c: c}, late: late}
	b.inputs["staged_left"].Set(0)
	b.inputs["staged_freed"].Set(0)
	b.begin()
	onBeat(b.rig, "command", func(f farCommandBeat) {
		s := f.command().unmeasured(t, c.BusBytes)
		assert.Equal(t, s.Address>>farBit&1 == 1 && s.PayloadLength > 0, f.Far)
		if !f.Far {
			b.sent = append(b.sent, s)
			return
		}
		b.staged = append(b.staged, s)
		b.most = max(b.most, len(b.staged)+b.unread)
	})
	return b
}

// turn runs one cycle, in which a segment may leave, and one that has left may have been read.
func (b *farRig) turn() {
	leaves, freed := len(b.staged) > 0 && !b.late(), b.unread > 0 && !b.late()
	if leaves {
		b.sent, b.staged = append(b.sent, b.staged[0]), b.staged[1:]
		b.unread++
	}
	if freed {
		b.unread--
	}
	b.inputs["staged_left"].Set(asBit(leaves))
	b.inputs["staged_freed"].Set(asBit(freed))
	b.step()
}

func asBit(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

func byStream(list []txCommandBeat) map[int][]txCommandBeat {
	of := map[int][]txCommandBeat{}
	for _, s := range list {
		of[s.Stream] = append(of[s.Stream], s)
	}
	return of
}

// The segments of each stream leave in order, from near and far memory; no more go to tx_staging than it has places.
func TestTxTurnsFarUnderStalls(t *testing.T) {
	for _, c := range []gen.Config{{BusBytes: 8, Streams: 2, IRD: 2, SendDepth: 2, MaxPayload: 256}, {BusBytes: 64, Streams: 8, IRD: 4, SendDepth: 4, MaxPayload: 1024},
		{BusBytes: 8, Streams: 64, IRD: 4, SendDepth: 4, MaxPayload: 256}} {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			chance := 0
			var b *farRig
			b = openFarTurns(t, c.Engine(), func() bool { return b.rand.IntN(256) < chance })
			b.stall(idle, pressure)
			var want []txCommandBeat
			for i := range uint32(400) {
				q := turnsMessage(b.rand.IntN(1+b.rand.IntN(c.Streams)), i, turnsLengths(b.rand, uint32(c.MaxPayload)))
				if b.rand.IntN(3) == 0 {
					q.Address |= 1 << farBit
				}
				send(b.rig, "message", q)
				want = append(want, q.segmentsAnywhere(uint32(c.MaxPayload))...)
			}
			for n := 0; len(b.sent) < len(want); n++ {
				if n%64 == 0 {
					chance = []int{0, 128, 250, 255}[b.rand.IntN(4)]
				}
				b.turn()
				require.Less(t, n, 400_000)
			}
			got, expected := byStream(b.sent), byStream(want)
			for stream := range c.Streams {
				same(t, expected[stream], got[stream])
			}
			assert.LessOrEqual(t, b.most, transmit.TxStagingSlots)
			b.isAtRest(c)
		})
	}
}

// isAtRest checks that nothing is counted that is not there, after whatever traffic: all places are free, and the only stream that waits is the only
// one that counts.
func (b *farRig) isAtRest(c gen.Config) {
	b.stall(0, 0)
	b.late = func() bool { return false }
	for range 200 {
		b.turn()
	}
	require.Zero(b.t, len(b.staged)+b.unread)
	assert.Equal(b.t, uint64(c.Streams), b.signal("near_streams").Get(), "streams often send all that they have")
	assert.Zero(b.t, b.signal("far_streams").Get())
	send(b.rig, "message", turnsMessage(0, 0, 100*uint32(c.MaxPayload)))
	for range 60 {
		b.turn()
	}
	assert.Equal(b.t, [2]uint64{1, 0}, [2]uint64{b.signal("near_streams").Get(), b.signal("far_streams").Get()}, "near, far")
	for range 100 {
		b.turn()
	}
	b.late = func() bool { return true }
	for s := range min(4, c.Streams) {
		send(b.rig, "message", farMessage(s, 0, 100*uint32(c.MaxPayload)))
	}
	for range 300 {
		b.turn()
	}
	assert.Equal(b.t, uint64(min(4, c.Streams)), b.signal("far_streams").Get())
	assert.Len(b.t, b.staged, transmit.TxStagingSlots)
}

// While far memory does not answer, other streams go on at one segment per cycle, and so does the stream itself up to its far message.
func TestTxTurnsFarIsInNobodysWay(t *testing.T) {
	b := openFarTurns(t, gen.Config{BusBytes: 64, Streams: 8, IRD: 64, SendDepth: 64, MaxPayload: 1024}.Engine(), func() bool { return true })
	number := uint32(0)
	post := func(message func(stream int, number, length uint32) txMessageBeat, stream int, length uint32) {
		send(b.rig, "message", message(stream, number, length))
		number++
	}
	post(turnsMessage, 3, 100)
	for range 4 { // more than tx_staging holds
		post(farMessage, 3, 8000)
	}
	post(turnsMessage, 3, 100)
	for range 200 {
		b.turn()
	}
	assert.Len(t, b.sent, 1)
	assert.Len(t, b.staged, transmit.TxStagingSlots)
	before, cycle := len(b.sent), b.cycle
	for range 100 {
		for s := range 7 {
			if s != 3 {
				post(turnsMessage, s, 100)
			}
		}
	}
	for len(b.sent) < before+600 {
		b.turn()
		require.Less(t, b.cycle, cycle+2000)
	}
	assert.Less(t, b.cycle-cycle, 600*103/100+20, "cycles of 600 segments")
	assert.Len(t, b.staged, transmit.TxStagingSlots)
	b.late = func() bool { return false }
	for range 200 {
		b.turn()
	}
	last := b.sent[len(b.sent)-1]
	assert.Equal(t, 1+4*8+1+600, len(b.sent))
	assert.Equal(t, [2]int{3, 100}, [2]int{last.Stream, last.PayloadLength}, "behind the far ones of its stream")
}

// A message that is not far waits as long as a segment of its stream is in tx_staging, also if that was all that the stream had.
func TestTxTurnsFarKeepsOrder(t *testing.T) {
	b := openFarTurns(t, gen.Config{BusBytes: 64, Streams: 4, IRD: 4, SendDepth: 4, MaxPayload: 256}.Engine(), func() bool { return true })
	for place := range transmit.TxStagingSlots + 1 {
		b.sent, b.late = nil, func() bool { return true }
		send(b.rig, "message", farMessage(1, 0, 200))
		for range 30 {
			b.turn()
		}
		require.Len(t, b.staged, 1)
		send(b.rig, "message", turnsMessage(1, 1, 200), turnsMessage(2, 2, 200))
		for range 100 {
			b.turn()
		}
		require.Len(t, b.sent, 1, "in place %d", place)
		assert.Equal(t, 2, b.sent[0].Stream)
		b.late = func() bool { return false }
		for range 30 {
			b.turn()
		}
		require.Len(t, b.sent, 3)
		assert.Equal(t, []uint32{0, 1}, []uint32{b.sent[1].Number, b.sent[2].Number})
	}
}

// A stopped stream ends each of its messages with the next segment, also far ones.
func TestTxTurnsFarStops(t *testing.T) {
	b := openFarTurns(t, gen.Config{BusBytes: 64, Streams: 4, IRD: 4, SendDepth: 4, MaxPayload: 256}.Engine(), func() bool { return false })
	for i := range uint32(3) {
		send(b.rig, "message", farMessage(1, 2*i, 60*256), turnsMessage(1, 2*i+1, 60*256))
	}
	for range 40 {
		b.turn()
	}
	b.happens("dropped", 1)
	before := len(b.sent) + len(b.staged)
	for range 200 {
		b.turn()
	}
	assert.LessOrEqual(t, len(b.sent)-before, 6+4, "one of each message, and those on their way")
	finals := 0
	for _, s := range b.sent {
		if s.Final {
			finals++
		}
	}
	assert.Equal(t, 6, finals)
	assert.Zero(t, len(b.staged)+b.unread)
}
