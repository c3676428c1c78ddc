package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxRandomRow returns a random row, valid and usable for some stream in most cases.
func rxRandomRow(r *rand.Rand, streams int) stagRow {
	row := stagRow{Valid: r.IntN(8) > 0, Key: uint8(r.Uint32()), Rights: 63, Base: operand(r), Length: uint64(r.Uint32N(4096)), Address: operand(r)}
	if r.IntN(3) == 0 {
		row.Rights = uint8(r.UintN(64))
	}
	row.Owner = uint16(r.IntN(streams))
	if row.ByDomain = r.IntN(4) > 0; row.ByDomain {
		row.Owner = uint16(rxDomain + r.IntN(2))
	}
	if row.Base+row.Length < row.Base { // to the end of the address space
		row.Base = -row.Length
	}
	if row.Address+row.Length < row.Address { // likewise in memory
		row.Address = -row.Length &^ 7
	}
	return row
}

// setUp prepares a round: rows, openings, receive requests, expected responses, credit for sent responses.
func (b *rxBench) setUp(all bool) {
	w := rxTraffic{b.rand, b.ref}
	for i := range uint32(w.c.STags) {
		if all || w.IntN(24) == 0 || !w.rows[i].Valid {
			b.row(i, rxRandomRow(b.rand, w.c.Streams))
		}
	}
	b.settle()
	for s := range w.streams {
		if all || !w.streams[s].open && w.IntN(8) > 0 {
			b.opened(s, rxDomain+s%2)
			b.settle()
			if w.IntN(16) == 0 {
				send(b.rig, "opening", openingBeat{s, false, 0})
			}
		}
	}
	b.settle()
	for s := range w.streams {
		for range w.c.ReceiveDepth - len(w.streams[s].posted) {
			if w.IntN(4) > 0 {
				p := postBeat{Stream: s, ID: w.Uint64(), Length: w.Uint32N(200)}
				p.STag, p.TO = w.somewhere(s, p.Length, model.LocalWrite)
				send(b.rig, "post", p)
			}
		}
		for range w.c.ORD - len(w.streams[s].asked) {
			if w.IntN(4) > 0 {
				e := expectingBeat{Stream: s, Executor: []int{executorRead, executorAtomic}[w.IntN(2)], Identifier: w.Uint32(), Length: w.Uint32N(150)}
				if e.Executor == executorAtomic {
					e.Length = 8
				}
				e.STag, e.TO = w.somewhere(s, e.Length, model.LocalWrite)
				send(b.rig, "expecting", e)
			}
		}
		if w.IntN(2) == 0 {
			send(b.rig, "credit", creditBeat{s, w.streams[s].mayRespond()})
		}
	}
	b.settle()
}

// rxRandom sends rounds of random segments, bad in 256 of them broken, with credit and failures at random times.
func rxRandom(t *testing.T, c engine.Config, idle, pressure, rounds, bad int) (b *rxBench, kinds map[oneHot]int) {
	b, kinds = openRx(t, c, uint64(idle+3*pressure+c.Streams)), map[oneHot]int{}
	b.slow = pressure
	b.setUp(true)
	for range rounds {
		b.stall(0, 0)
		b.setUp(false)
		b.stall(idle, pressure)
		for range 2 {
			plan := rxTraffic{b.rand, b.ref.plan()}
			busy := b.rand.IntN(c.Streams)
			for range 12 {
				stream := busy
				if b.rand.IntN(3) == 0 {
					stream = b.rand.IntN(c.Streams)
				}
				segment := plan.next(stream)
				if b.rand.IntN(256) < bad {
					segment = plan.broken(segment)
				}
				plan.segment(stream, segment)
				b.segment(stream, segment)
			}
			if b.rand.IntN(2) == 0 {
				sendAt(b.rig, "credit", b.cycle+b.rand.IntN(20), creditBeat{busy, b.ref.streams[busy].mayRespond()})
			}
			if b.rand.IntN(16) == 0 {
				sendAt(b.rig, "failure", b.cycle+b.rand.IntN(20), failed(b.rand.IntN(c.Streams), b.rand.IntN(2)))
			}
			for len(b.segments)+len(b.counted) > 0 {
				b.clock()
				require.Less(t, b.quiet, 2000)
			}
		}
		_, deliveries := b.check()
		for _, d := range deliveries {
			kinds[d.Kind]++
		}
	}
	return b, kinds
}

func TestRxCheckRandomUnderStalls(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b, kinds := rxRandom(t, rxConfig(), idle, pressure, 60, 12)
		for kind := range oneHot(6) {
			assert.NotZero(t, kinds[kind], "kind %d", kind)
		}
		assert.Greater(t, b.came-b.discarded, b.came/2)
	})
}

// Other depths and limits per stream, and Swap.
func TestRxCheckRandomSizes(t *testing.T) {
	for _, c := range []gen.Config{
		{Streams: 2, STags: 16, IRD: 1, ORD: 2, ReceiveDepth: 2},
		{Streams: 8, STags: 64, IRD: 8, ORD: 16, ReceiveDepth: 16, Extensions: []string{"draft00"}},
	} {
		b, _ := rxRandom(t, c.Engine(), 60, 60, 30, 6)
		assert.Greater(t, b.came-b.discarded, b.came/2)
	}
}

// A segment of any kind is accepted in every cycle, even if all are of one stream.
func TestRxCheckRate(t *testing.T) {
	c := rxConfig()
	c.IRD, c.ORD, c.ReceiveDepth = 64, 64, 64
	row := rxRow(1)
	for name, kind := range map[string]struct {
		segment func(i int, msn uint32) []byte
	}{
		"Writes": {func(i int, msn uint32) []byte {
			return wire.AppendWrite(nil, rxSTag(1), row.Base, true, make([]byte, 8))
		}},
		"Reads and Atomics": {func(i int, msn uint32) []byte {
			if i/2%2 == 0 {
				return wire.AppendAtomicRequest(nil, msn, wire.AtomicRequest{RemoteSTag: rxSTag(1), RemoteTO: row.Base + 5})
			}
			return wire.AppendReadRequest(nil, msn, wire.ReadRequest{ReadMessageSize: 5, DataSourceSTag: rxSTag(1), DataSourceTO: row.Base})
		}},
		"Sends": {func(i int, msn uint32) []byte {
			return wire.AppendSend(nil, wire.OpSend, 0, msn, 0, true, make([]byte, 8))
		}},
		"Immediate Data": {func(i int, msn uint32) []byte { return wire.AppendImmediate(nil, false, msn, 5) }},
		"responses": {func(i int, msn uint32) []byte {
			if i/2%2 == 0 {
				return wire.AppendAtomicResponse(nil, msn-msn/4*2, wire.AtomicResponse{})
			}
			return wire.AppendReadResponse(nil, rxSTag(1), row.Base+5, true, make([]byte, 8))
		}},
	} {
		for _, streams := range []int{1, 2} {
			b := openRx(t, c, 5)
			b.row(1, row)
			for s := range streams {
				b.opened(s, rxDomain)
				b.settle()
				for i := range 60 {
					send(b.rig, "post", postBeat{s, 1, rxSTag(1), row.Base + 5, 8})
					send(b.rig, "expecting", expectingBeat{Stream: s, Executor: []int{executorAtomic, executorRead}[i/2%2], STag: rxSTag(1), TO: row.Base + 5, Length: 8})
				}
			}
			b.settle()
			for i := range 60 * streams {
				b.segment(i%streams, kind.segment(i/streams, uint32(i/streams)+1))
			}
			b.check()
			require.Zero(t, b.errors, name)
			at := b.rig.stream("record").at
			for i := 1; i < len(at); i++ {
				require.Equal(t, at[i-1]+1, at[i], "%s on %d streams: number %d", name, streams, i)
			}
		}
	}
}

// A Send with Invalidate takes effect for the next segment already, whatever use that makes of the STag.
func TestRxCheckInvalidatesAtOnce(t *testing.T) {
	row := rxRow(2)
	for name, next := range map[string]struct {
		segment []byte
		code    wire.TerminateCode
	}{
		"Write":          {wire.AppendWrite(nil, rxSTag(2), row.Base, true, []byte{1}), term(1, 1, 0)},
		"Read Request":   {wire.AppendReadRequest(nil, 1, wire.ReadRequest{ReadMessageSize: 1, DataSourceSTag: rxSTag(2), DataSourceTO: row.Base}), term(0, 1, 0)},
		"Atomic Request": {wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{RemoteSTag: rxSTag(2), RemoteTO: row.Base + 5}), term(0, 1, 0)},
		"its buffer":     {wire.AppendSend(nil, wire.OpSend, 0, 2, 0, true, []byte{1}), term(0, 0, 0)},
		"once more":      {wire.AppendSend(nil, wire.OpSendSEInv, rxSTag(2), 2, 0, true, nil), term(0, 1, 9)},
		"Read Response":  {wire.AppendReadResponse(nil, rxSTag(2), row.Base, true, []byte{1}), term(1, 1, 0)},
	} {
		for gap := range 4 {
			b := openRx(t, rxConfig(), 6)
			b.row(1, rxRow(1))
			b.row(2, row)
			b.opened(1, rxDomain)
			b.settle()
			send(b.rig, "expecting", expectingBeat{Stream: 1, STag: rxSTag(2), TO: row.Base, Length: 1})
			send(b.rig, "post", postBeat{1, 1, rxSTag(1), rxRow(1).Base, 8}, postBeat{1, 1, rxSTag(2), row.Base, 8})
			b.settle()
			b.segment(1, wire.AppendSend(nil, wire.OpSendInv, rxSTag(2), 1, 0, true, nil))
			for range gap {
				b.clock()
			}
			b.segment(1, next.segment)
			_, deliveries := b.check()
			require.Len(t, deliveries, 2, name)
			require.Equal(t, []uint32{2}, b.invalidates)
			q := deliveries[1].Request
			require.Equal(t, next.code, term(wire.Layer(q.Term.Layer), uint8(q.Term.Etype), uint8(q.Term.Code)), name)
		}
	}
}

// A Send with Invalidate invalidates its STag when it is checked, however long its delivery has to wait.
func TestRxCheckInvalidatesInTurn(t *testing.T) {
	b := openRx(t, rxConfig(), 7)
	b.row(2, rxRow(2))
	b.opened(1, rxDomain)
	b.settle()
	send(b.rig, "post", postBeat{1, 1, rxSTag(2), rxRow(2).Base, 8}, postBeat{1, 1, rxSTag(2), rxRow(2).Base, 8})
	b.settle()
	b.rig.stream("deliver").chance = 256
	b.segment(1, wire.AppendImmediate(nil, false, 1, 1))
	b.segment(1, wire.AppendSend(nil, wire.OpSendInv, rxSTag(2), 2, 0, true, []byte{1}))
	b.segment(1, wire.AppendWrite(nil, rxSTag(2), rxRow(2).Base, true, []byte{1}))
	for range 50 {
		b.clock()
	}
	require.Equal(t, []uint32{2}, b.invalidates)
	require.Equal(t, 1, b.begun)
	b.rig.stream("deliver").chance = 0
	_, deliveries := b.check()
	require.Len(t, deliveries, 3)
}

// With an output blocked, segments are accepted only while their results have room, 33 placements or 129 deliveries; nothing is lost.
func TestRxCheckRoom(t *testing.T) {
	for stalled, taken := range map[string]int{"place": 33, "deliver": 129} {
		c := rxConfig()
		c.IRD = 256
		b := openRx(t, c, 13)
		b.row(1, rxRow(1))
		b.opened(1, rxDomain)
		b.settle()
		b.rig.stream(stalled).chance = 256
		for i := range 300 {
			if stalled == "place" {
				b.segment(1, wire.AppendWrite(nil, rxSTag(1), rxRow(1).Base, true, []byte{1}))
			} else {
				b.segment(1, wire.AppendReadRequest(nil, uint32(i%256)+1, wire.ReadRequest{}))
			}
		}
		for range 400 {
			b.clock()
		}
		require.Equal(t, taken, b.now("record"), stalled)
		b.rig.stream(stalled).chance = 0
		b.check()
	}
}

// At least 496 placements can be in progress before segments wait, and never more than 511. The numbers wrap, and each delivery has
// the number of its stream's latest placement.
func TestRxCheckPlacementNumbers(t *testing.T) {
	b := openRx(t, rxConfig(), 8)
	row := rxRow(1)
	b.row(1, row)
	b.opened(1, rxDomain)
	b.opened(2, rxDomain)
	b.settle()
	write := func(stream, n int) {
		b.segment(stream, wire.AppendWrite(nil, rxSTag(1), row.Base, true, make([]byte, n)))
	}
	b.slow = 256
	for round := range 3 {
		for i := range 900 {
			write(1+i%2, i%3)
		}
		write(3, 5) // a closed stream
		for range 1000 {
			b.clock()
		}
		require.GreaterOrEqual(t, b.begun-b.placed, 496, "round %d", round)
		require.NotEmpty(t, b.segments)
		was := b.begun
		b.placed += 32
		for range 50 {
			b.clock()
		}
		require.Greater(t, b.begun, was)
		require.GreaterOrEqual(t, b.begun-b.placed, 496)
		b.slow = 0
		b.check()
		msn := uint32(round) + 1
		b.segment(1, wire.AppendReadRequest(nil, msn, wire.ReadRequest{}))
		write(2, 1)
		b.segment(2, wire.AppendReadRequest(nil, msn, wire.ReadRequest{}))
		_, deliveries := b.check()
		require.Equal(t, b.begun%512, deliveries[1].Place)
		require.NotEqual(t, b.begun%512, deliveries[0].Place)
		send(b.rig, "credit", creditBeat{1, msn}, creditBeat{2, msn})
		b.slow = 256
	}
	require.Greater(t, b.begun, 1024)
}

// An opening and a failure that arrive in one cycle, and a segment in a later one, take effect in this order, however close they are.
func TestRxCheckOpenings(t *testing.T) {
	b := openRx(t, rxConfig(), 9)
	b.row(1, rxRow(1))
	immediate := func(msn uint32) []byte { return wire.AppendImmediate(nil, false, msn, 9) }
	read := func(msn uint32) []byte { return wire.AppendReadRequest(nil, msn, wire.ReadRequest{}) }
	atomic := wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 1})
	for gap := range 5 {
		b.opened(2, rxDomain)
		b.settle()
		send(b.rig, "post", postBeat{2, 1, rxSTag(1), rxRow(1).Base, 100}, postBeat{2, 1, rxSTag(1), rxRow(1).Base, 100})
		send(b.rig, "expecting", expectingBeat{2, executorAtomic, 1, rxSTag(1), rxRow(1).Base, 8})
		b.settle()
		// All numbers of the stream advance, and a message begins.
		b.segment(2, read(1))
		b.segment(2, read(2))
		b.segment(2, atomic)
		b.segment(2, immediate(1))
		b.segment(2, wire.AppendSend(nil, wire.OpSend, 0, 2, 0, false, []byte{1, 2, 3}))
		b.check()
		require.True(t, b.ref.streams[2].open)
		failures := b.errors
		send(b.rig, "failure", failed(2, 0x44))
		send(b.rig, "opening", openingBeat{2, gap%2 == 0, rxDomain})
		for range gap + 1 {
			b.clock()
		}
		b.segment(2, read(1))
		_, deliveries := b.check()
		require.Equal(t, failures, b.errors)
		if gap == 0 { // the opening is first: the failure ends the stream again
			require.Len(t, deliveries, 1)
			require.Equal(t, 0, deliveries[0].Request.Term.Etype)
		}
		// After reopening, everything starts from the beginning.
		b.opened(2, rxDomain)
		b.settle()
		send(b.rig, "post", postBeat{2, 7, rxSTag(1), rxRow(1).Base, 100})
		send(b.rig, "expecting", expectingBeat{2, executorAtomic, 1, rxSTag(1), rxRow(1).Base, 8})
		b.settle()
		b.segment(2, read(1))
		b.segment(2, read(2))
		b.segment(2, immediate(1))
		b.segment(2, atomic)
		_, deliveries = b.check()
		require.Len(t, deliveries, 4)
		require.True(t, b.ref.streams[2].open)
		require.Equal(t, uint64(7), deliveries[2].ID)
		b.segment(2, atomic) // the same MSN again
		_, deliveries = b.check()
		require.Equal(t, term(1, 2, 3).Code, uint8(deliveries[0].Request.Term.Code))
	}
}

// An opening, a failure and a segment of three streams that arrive in one cycle each affect only their own stream.
func TestRxCheckTakesTurns(t *testing.T) {
	b := openRx(t, rxConfig(), 12)
	for s := range 3 {
		b.opened(s, rxDomain)
	}
	b.settle()
	for round := range uint32(4) {
		b.segment(1, wire.AppendReadRequest(nil, round+1, wire.ReadRequest{}))
		send(b.rig, "failure", failed(2, 9))
		send(b.rig, "opening", openingBeat{3 * int(round%2), true, rxDomain})
		_, deliveries := b.check()
		require.Len(t, deliveries, map[bool]int{true: 2, false: 1}[round == 0])
		send(b.rig, "credit", creditBeat{1, round + 1})
		b.settle()
	}
}

// Credit applies to a segment that is counted in the next cycle.
func TestRxCheckCredit(t *testing.T) {
	for _, late := range []int{0, 1} {
		b := openRx(t, rxConfig(), 10)
		b.opened(1, rxDomain)
		b.settle()
		for msn := range uint32(3) {
			sendAt(b.rig, "record", b.cycle+5+int(msn), recordBeatOf(1, wire.AppendReadRequest(nil, msn+1, wire.ReadRequest{})))
			b.segments = append(b.segments, rxSegment{1, wire.AppendReadRequest(nil, msn+1, wire.ReadRequest{})})
		}
		sendAt(b.rig, "credit", b.cycle+8+late, creditBeat{1, 1})
		_, deliveries := b.check()
		require.Len(t, deliveries, 3)
		require.Equal(t, late, b.errors)
	}
}

// After a reset in any state nothing is accepted for one cycle per stream; then every stream is closed, and placements start at 1.
func TestRxCheckReset(t *testing.T) {
	c := rxConfig()
	c.Streams = 8
	b := openRx(t, c, 11)
	write := wire.AppendWrite(nil, rxSTag(1), rxRow(1).Base, true, []byte{1})
	send3 := wire.AppendSend(nil, wire.OpSend, 0, 1, 0, false, []byte{1})
	for cycles := range 24 {
		b.settle()
		for i := range uint32(c.STags) {
			b.row(i, rxRow(1))
		}
		for s := range c.Streams {
			b.opened(s, rxDomain)
		}
		b.settle()
		send(b.rig, "post", postBeat{1, 1, rxSTag(1), rxRow(1).Base, 9})
		b.settle()
		for s := range c.Streams {
			b.segment(s, write)
			b.segment(s, send3)
		}
		for range cycles {
			b.clock()
		}
		b.reset()
		for range cycles % 10 { // a reset during the sweep too
			b.step()
		}
		b.reset()
		for s := range c.Streams {
			b.segment(s, write)
		}
		send(b.rig, "opening", openingBeat{0, true, rxDomain})
		b.check()
		require.Equal(t, c.Streams+3, b.rig.stream("opening").at[0], "its turn is known in the first cycle, and it is counted two cycles after it entered")
		require.Equal(t, c.Streams-1, b.discarded, "stream 0 was opened first")
		require.Equal(t, 1, b.errors, "its rows are no longer valid")
	}
}
