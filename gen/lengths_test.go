package gen_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/rdmap"
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

// longMessage checks the commands of one message to its end.
type longMessage struct {
	octets, maxPayload uint32
	address            uint64
	header             func(at uint32, last bool) []byte
	at                 uint32
	ended              bool
}

// command checks the next command.
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

// Long Read Responses to their last segment; source and sink cross 2^32 and 2^48.
func TestReadResponderLong(t *testing.T) {
	t.Parallel()
	for _, row := range longLengths {
		b := openRig(t, rdmap.ReadResponder(txConfig(64, row.maxPayload)), 1)
		q := readRequestBeat{Stream: 5, Number: 1<<32 - 1, Address: 1<<48 - 1000, Length: row.octets}
		q.Sink.STag, q.Sink.TO = 0xABCD_EF01, 1<<40-0x1234_5678
		l := &longMessage{octets: row.octets, maxPayload: uint32(row.maxPayload), address: q.Address, header: func(at uint32, last bool) []byte {
			h := wire.TaggedHeader(wire.OpReadResponse, q.Sink.STag, q.Sink.TO+uint64(at), last)
			return h.AppendEncode(nil)
		}}
		onBeat(b, "command", func(c txCommandBeat) {
			l.command(t, c.Header, c.HeaderLength, c.Address, c.PayloadLength, c.Final)
		})
		send(b, "req", q)
		b.rest(4)
		assert.True(t, l.ended, "%d octets in segments of %d", row.octets, row.maxPayload)
	}
}

// Long Writes and Sends to their last segment; each command is reported some time later, and the completion has the length.
func TestRequesterLong(t *testing.T) {
	t.Parallel()
	for i, row := range longLengths {
		c := requesterConfig()
		c.MaxPayload = row.maxPayload
		b := openRig(t, requesterWithTable(c), 1)
		region := requesterTable()[8]
		region.Entry.Address = 1<<48 - 1000
		send(b, "row", region)
		send(b, "opening", openingBeat{0, true, domainOf(0)})
		w := work(0, 1, []wire.Opcode{wire.OpWrite, wire.OpSendSE}[i%2], row.octets)
		w.Local = bufferBeat{8<<8 | 0x48, region.Entry.Base}
		w.Remote.TO = 1<<40 - 0x1234_5678
		l := &longMessage{octets: row.octets, maxPayload: uint32(row.maxPayload), address: region.Entry.Address, header: func(at uint32, last bool) []byte {
			h := wire.TaggedHeader(wire.OpWrite, w.Remote.STag, w.Remote.TO+uint64(at), last)
			if w.Opcode != wire.OpWrite {
				h = wire.UntaggedHeader(w.Opcode, 1, at)
				h.Last = last
			}
			return h.AppendEncode(nil)
		}}
		onBeat(b, "command", func(c commandBeat) {
			l.command(t, c.Header[:], c.HeaderLength, c.Address, c.PayloadLength, c.Final)
			sendAt(b, "sent", b.cycle+20, sent(c))
		})
		b.rest(20)
		send(b, "wqe", w)
		b.rest(50)
		assert.True(t, l.ended, "%d octets in segments of %d", row.octets, row.maxPayload)
		same(t, []completionBeat{completed(w, engine.StatusSuccess)}, received[completionBeat](b, "completion"))
	}
}

// The counters of a stream's commands and reports wrap: after more than 2^16 of them, a failed work request still waits for the last one.
func TestRequesterCountsCommands(t *testing.T) {
	const segments = 1<<16 + 100
	b := openRig(t, requesterWithTable(requesterConfig()), 1)
	send(b, "row", requesterTable()[8])
	send(b, "opening", openingBeat{0, true, domainOf(0)})
	b.rest(20)
	w, bad := work(0, 1, wire.OpSend, segments*256), work(0, 2, wire.OpWrite, 8)
	w.Local = bufferBeat{8<<8 | 0x48, requesterTable()[8].Entry.Base}
	var last commandBeat
	count := 0
	onBeat(b, "command", func(c commandBeat) {
		if count++; count < segments {
			send(b, "sent", sent(c))
		}
		last = c
	})
	send(b, "wqe", w, bad)
	b.rest(50)
	require.Equal(t, segments, count)
	same(t, []failureBeat{failed(0, 0)}, received[failureBeat](b, "failed"))
	send(b, "ended", endedBeat{0})
	b.rest(50)
	require.Empty(t, received[completionBeat](b, "completion"))
	send(b, "sent", sent(last))
	b.rest(50)
	same(t, []completionBeat{completed(w, engine.StatusFlushed), completed(bad, engine.StatusProtection)}, received[completionBeat](b, "completion"))
}
