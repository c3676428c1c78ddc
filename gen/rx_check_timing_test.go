package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/wire"
)

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
