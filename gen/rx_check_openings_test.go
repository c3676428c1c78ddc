package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/wire"
)

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
