package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl/sim"
	"github.com/rnicgen/rnicgen/model/wire"
)

// wraps are numbers just below those at which a counter could wrap.
var wraps = []uint32{1<<8 - 2, 1<<16 - 2, 1<<24 - 2, 1<<31 - 2, 1<<32 - 2}

// renumber replaces 32-bit numbers, which must be 1, in a stream's word of a memory.
func renumber(t testing.TB, s *sim.Sim, memory string, stream int, to uint32, offsets ...int) {
	t.Helper()
	m, err := s.Memory(memory)
	require.NoError(t, err)
	words := make([]uint64, (m.Width+63)/64)
	m.Get(stream, words)
	for _, offset := range offsets {
		require.EqualValues(t, 1, simulator.Bits(words, offset, 32), "%s: no number 1 at bit %d", memory, offset)
		simulator.SetBits(words, offset, 32, uint64(to))
	}
	m.Set(stream, words...)
}

// The Message Sequence Numbers of queues 0, 1 and 3 wrap from 2^32 - 1 to 0, in both directions; then the previous number is
// rejected like any other that is not the next.
func TestRxCheckMessageNumbersWrap(t *testing.T) {
	row := rxRow(1)
	for _, start := range wraps {
		for _, stale := range []string{"", "receive", "request", "response"} {
			b := openRx(t, rxConfig(), 3)
			b.row(1, row)
			b.opened(1, rxDomain)
			b.opened(2, rxDomain) // the word of the last stream decided on is rewritten in every cycle
			b.settle()
			renumber(t, b.sim, "check.stream_state", 1, start, 37, 69, 101, 173) // responses, atomics, requests, receives
			st := &b.ref.streams[1]
			st.responseMsn, st.atomicMsn, st.requestMsn, st.receiveMsn = start, start, start, start
			send(b.rig, "credit", creditBeat{1, start - 1})
			b.settle()
			for i := range uint32(5) {
				msn := start + i
				send(b.rig, "post", postBeat{1, uint64(i), rxSTag(1), row.Base, 8}, postBeat{1, uint64(i), rxSTag(1), row.Base, 8})
				send(b.rig, "expecting", expectingBeat{1, executorAtomic, msn, rxSTag(1), row.Base, 8})
				b.settle()
				b.segment(1, wire.AppendSend(nil, wire.OpSend, 0, start+2*i, 0, true, []byte{1, 2}))
				b.segment(1, wire.AppendImmediate(nil, true, start+2*i+1, 7))
				b.segment(1, wire.AppendAtomicRequest(nil, start+2*i, wire.AtomicRequest{RemoteSTag: rxSTag(1), RemoteTO: row.Base + 5, AOpCode: wire.FetchAdd}))
				b.segment(1, wire.AppendReadRequest(nil, start+2*i+1, wire.ReadRequest{}))
				b.segment(1, wire.AppendAtomicResponse(nil, msn, wire.AtomicResponse{OriginalRequestIdentifier: msn}))
				_, deliveries := b.check()
				require.Len(t, deliveries, 5)
				require.True(t, b.ref.streams[1].open, "%s", fmt.Sprint(deliveries))
				send(b.rig, "credit", creditBeat{1, start + 2*i + 1})
				b.settle()
			}
			send(b.rig, "post", postBeat{1, 1, rxSTag(1), row.Base, 8})
			send(b.rig, "expecting", expectingBeat{1, executorAtomic, 1, rxSTag(1), row.Base, 8})
			b.settle()
			switch stale { // the previous number, also truncated
			case "receive":
				b.segment(1, wire.AppendImmediate(nil, false, start+9, 7))
			case "request":
				b.segment(1, wire.AppendReadRequest(nil, (start+10)^1<<31, wire.ReadRequest{}))
			case "response":
				b.segment(1, wire.AppendAtomicResponse(nil, (start+5)^1<<16, wire.AtomicResponse{OriginalRequestIdentifier: 1}))
			default:
				continue
			}
			_, deliveries := b.check()
			require.Len(t, deliveries, 1)
			require.Equal(t, 3, deliveries[0].Request.Term.Code, "invalid MSN")
		}
	}
}

// IRD is enforced where the request numbers wrap.
func TestRxCheckIRDWraps(t *testing.T) {
	for _, start := range wraps {
		for before := range uint32(4) {
			b := openRx(t, rxConfig(), 3)
			b.opened(1, rxDomain)
			b.opened(2, rxDomain)
			b.settle()
			first := start + 2 - before
			renumber(t, b.sim, "check.stream_state", 1, first, 101)
			b.ref.streams[1].requestMsn = first
			send(b.rig, "credit", creditBeat{1, first - 1})
			b.settle()
			for i := range uint32(b.ref.c.IRD) + 1 {
				b.segment(1, wire.AppendReadRequest(nil, first+i, wire.ReadRequest{}))
			}
			_, deliveries := b.check()
			require.Len(t, deliveries, b.ref.c.IRD+1)
			assert.Equal(t, oneHot(engine.DeliverEnd), deliveries[b.ref.c.IRD].Kind)
			assert.Equal(t, 1, b.errors)
		}
	}
}

// The requester's numbers wrap from 2^32 - 1 to 0: those of Sends and Immediate Data, of Reads and Atomics, and of the responses
// that it announces to the receive side.
func TestRequesterMessageNumbersWrap(t *testing.T) {
	for _, start := range wraps {
		b := openRig(t, requesterWithTable(requesterConfig()), 1)
		for i := range uint32(requesterRows) {
			row := requesterTable()[i]
			row.Index = i
			send(b, "row", row)
		}
		send(b, "opening", openingBeat{0, true, domainOf(0)})
		b.rest(60)
		renumber(t, b.sim, "requester.messages.issue_state", 0, start, 17, 49)
		msn := map[int]uint32{0: start, 1: start}
		for i, opcode := range []wire.Opcode{wire.OpSend, wire.OpReadRequest, wire.OpImmediate, wire.OpAtomicRequest, wire.OpSendSE, wire.OpAtomicRequest,
			wire.OpImmediateSE, wire.OpReadRequest, wire.OpSendInv, wire.OpReadRequest, wire.OpWrite} {
			w := work(0, uint64(i), opcode, 300)
			send(b, "wqe", w)
			b.rest(60)
			queue := queueOf(opcode)
			want, _ := messagesOf(w, msn[queue], requesterTable())
			messages := received[messageBeat](b, "message")
			sameMessages(t, want, messages)
			for _, c := range messages {
				send(b, "sent", sent(c))
			}
			b.rest(60)
			if isRequest(opcode) {
				same(t, []expectingBeat{expectedOf(w, msn[queue])}, received[expectingBeat](b, "expecting"))
				send(b, "answered", answeredBeat{0, 5})
				b.rest(60)
			}
			msn[queue]++
			require.Len(t, received[completionBeat](b, "completion"), 1)
		}
	}
}

// Each counter has 32 bits and wraps from 2^32 - 1 to 0, and so does the count of Terminates dropped from the log.
func TestCSRCountersWrap(t *testing.T) {
	for _, start := range wraps {
		b := openCSR(t)
		for i, name := range append([]string{"terminates_lost"}, csrCounters...) {
			r, err := b.sim.Register(name + "_q")
			require.NoError(t, err)
			r.Set(uint64(start))
			if i > 0 {
				b.model.counters[i-1] = start
			}
		}
		b.model.lost = start
		pins := eager()
		for i := range uint32(20) {
			pins.event = &csrEvent{Kind: engine.EventEnded, Code: i}
			pins.pulses = (1<<len(csrCounters) - 1) * (i & 1)
			b.step(pins)
		}
		b.reads = []int{rLost}
		for i := range csrCounters {
			b.reads = append(b.reads, rCounters+4*i)
		}
		b.settle()
		assert.Equal(t, [2]uint32{start + 4, okay}, b.gave[0], "terminates_lost")
		for i, name := range csrCounters {
			assert.Equal(t, [2]uint32{start + 10, okay}, b.gave[1+i], name)
		}
	}
}
