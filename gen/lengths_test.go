package gen_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/wire"
)

// longLengths are lengths near which a counter of octets or of segments could overflow. The longest message has 2^18 segments of
// maximum payload.
var longLengths = []struct {
	octets     uint32
	maxPayload int
}{
	{1<<16 - 1, 256}, {1 << 16, 256}, {1<<16 + 1, 256}, {1 << 20, 1024}, {1<<24 + 100, 4096},
	{1<<16 - 1, 16384}, {1 << 16, 16384}, {1<<16 + 1, 16384}, {1 << 20, 8192}, {1<<24 + 100, 16384}, {1<<32 - 1, 16384},
}

// longMessage checks the segments of one message to its end.
type longMessage struct {
	octets, maxPayload uint32
	address            uint64
	header             func(at uint32, last bool) []byte
	at                 uint32
	ended              bool
}

// command checks the next segment.
func (l *longMessage) command(t testing.TB, header []byte, headerLength int, address uint64, payload int, final bool) {
	n := min(l.octets-l.at, l.maxPayload)
	last := n == l.octets-l.at
	want := l.header(l.at, last)
	if l.ended || payload != int(n) || final != last || headerLength != len(want) || !bytes.Equal(want, header[:len(want)]) || address != l.address+uint64(l.at) {
		require.False(t, l.ended, "a command after the last one")
		require.Equal(t, []any{int(n), last, want, l.address + uint64(l.at)}, []any{payload, final, header[:headerLength], address}, "at octet %d of %d", l.at, l.octets)
	}
	l.at, l.ended = l.at+n, last
}

// Long Read Responses, Writes and Sends to their last segment; source and sink cross 2^32 and 2^48.
func TestTxTurnsLong(t *testing.T) {
	long.Test(t)
	t.Parallel()
	for _, row := range longLengths {
		for _, opcode := range []wire.Opcode{wire.OpReadResponse, wire.OpWrite, wire.OpSendSE} {
			b := openTxTurns(t, txConfig(64, row.maxPayload))
			l := &longMessage{octets: row.octets, maxPayload: uint32(row.maxPayload), address: 1<<48 - 1000, header: func(at uint32, last bool) []byte {
				if opcode == wire.OpSendSE {
					h := wire.UntaggedHeader(opcode, 1<<32-1, at)
					h.Last = last
					return h.AppendEncode(nil)
				}
				h := wire.TaggedHeader(opcode, 0xABCD_EF01, 1<<40-0x1234_5678+uint64(at), last)
				return h.AppendEncode(nil)
			}}
			header := l.header(0, true)
			onBeat(b.rig, "command", func(c txCommandBeat) {
				c.unmeasured(t, 64)
				l.command(t, c.Header, c.HeaderLength, c.Address, c.PayloadLength, c.Final)
			})
			send(b.rig, "message", txMessageBeat{Stream: 5, Number: requestNumbers - 1, HeaderLength: len(header), Header: padded(header), Address: l.address, Length: row.octets})
			b.rest(20)
			assert.True(t, l.ended, "%d octets in segments of %d", row.octets, row.maxPayload)
		}
	}
}

// The counters of a stream's messages and reports wrap: after more than 2^16 of them, a failed work request still waits for the last one.
func TestRequesterCountsMessages(t *testing.T) {
	const messages = 1<<16 + 100
	b := openRig(t, requesterWithTable(requesterConfig()), 1)
	send(b, "row", requesterTable()[0])
	send(b, "opening", openingBeat{0, true, domainOf(0)})
	b.rest(20)
	w, bad := work(0, 1, wire.OpSend, 8), work(0, 2, wire.OpWrite, 8)
	bad.Local.STag++
	unsignaled := w
	unsignaled.Signaled = false
	var last messageBeat
	count := 0
	onBeat(b, "message", func(c messageBeat) {
		if count++; count < messages {
			send(b, "sent", sent(c))
			if count+4 < messages {
				send(b, "wqe", unsignaled)
			}
		}
		last = c
	})
	send(b, "wqe", unsignaled, unsignaled, unsignaled, unsignaled)
	b.rest(50)
	require.Equal(t, messages-1, count)
	send(b, "wqe", w, bad)
	b.rest(50)
	require.Equal(t, messages, count)
	same(t, []failureBeat{failed(0, 0)}, received[failureBeat](b, "failed"))
	send(b, "ended", endedBeat{0})
	b.rest(50)
	require.Empty(t, received[completionBeat](b, "completion"))
	send(b, "sent", sent(last))
	b.rest(50)
	same(t, []completionBeat{completed(w, engine.StatusFlushed), completed(bad, engine.StatusProtection)}, received[completionBeat](b, "completion"))
}
