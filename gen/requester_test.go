package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/wire"
)

// sent reports the last segment of a message.
func sent(c messageBeat) reportBeat {
	return reportBeat{Stream: c.Stream, Kind: c.Kind, Final: true, Asks: c.Number == 1}
}

func dropped(c messageBeat) reportBeat {
	r := sent(c)
	r.Dropped = true
	return r
}

// work returns a work request of a stream on the region of its protection domain.
func work(stream int, id uint64, opcode wire.Opcode, length uint32) workBeat {
	home := requesterTable()[uint32(stream/2)]
	return workBeat{Stream: stream, ID: id, Signaled: true, Opcode: opcode, Length: length,
		Local: bufferBeat{home.Index<<8 | uint32(home.Entry.Key), home.Entry.Base}, Remote: bufferBeat{0xABCD_EF01, 1 << 33}}
}

func completed(w workBeat, status int) completionBeat {
	return completionBeat{Stream: w.Stream, ID: w.ID, Status: status, Opcode: w.Opcode, Length: octetsOf(w)}
}

// sameMessages compares messages; the address of one without payload does not matter.
func sameMessages(t testing.TB, want, got []messageBeat) {
	t.Helper()
	for _, list := range [][]messageBeat{want, got} {
		for i := range list {
			if list[i].Length == 0 {
				list[i].Address = 0
			}
		}
	}
	same(t, want, got)
}

// Every kind of work request, with lengths around those of a segment, produces the same octets as the codec.
func TestRequesterMessages(t *testing.T) {
	for _, maxPayload := range []int{256, 1024, 16384} {
		c := requesterConfig()
		c.MaxPayload = maxPayload
		rows, r := requesterTable(), random(1)
		b := openRequester(t, c, 0, 1)
		msn := map[[2]int]uint32{}
		for i := range 150 {
			w := randomWork(r, rows, i%2, maxPayload, 0)
			queue := [2]int{w.Stream, queueOf(w.Opcode)}
			msn[queue]++
			push(b, "wqe", w)
			b.run()
			want, fails := messagesOf(w, msn[queue], rows)
			require.False(t, fails)
			messages := take[messageBeat](b, "message")
			sameMessages(t, want, messages)
			if isRequest(w.Opcode) {
				same(t, []expectingBeat{expectedOf(w, msn[queue])}, take[expectingBeat](b, "expecting"))
			} else {
				require.Empty(t, take[expectingBeat](b, "expecting"))
			}
			for _, c := range messages {
				push(b, "sent", sent(c))
			}
			b.run()
			done := completed(w, engine.StatusSuccess)
			if isRequest(w.Opcode) {
				require.Empty(t, take[completionBeat](b, "completion"), "a request without a response")
				push(b, "answered", answeredBeat{w.Stream, 7 * w.ID})
				b.run()
			}
			if w.Opcode == wire.OpAtomicRequest {
				done.Data = 7 * w.ID
			}
			if w.Signaled {
				same(t, []completionBeat{done}, take[completionBeat](b, "completion"))
			} else {
				require.Empty(t, take[completionBeat](b, "completion"), "not signaled")
			}
		}
	}
}

// A work request with an invalid local buffer is not sent, fails once, and ends its stream.
func TestRequesterFailure(t *testing.T) {
	c := requesterConfig()
	home := requesterTable()[0]
	stag := func(i uint32) uint32 { return i<<8 | (0x40 + i) }
	end := home.Entry.Base + home.Entry.Length
	for _, row := range []struct {
		says   string
		opcode wire.Opcode
		length uint32
		stag   uint32
		to     uint64
		fine   bool // it does not fail
	}{
		{"key", wire.OpWrite, 1, stag(0) ^ 1, home.Entry.Base, false},
		{"key, no octets", wire.OpWrite, 0, stag(0) ^ 1, home.Entry.Base, true},
		{"index beyond the table", wire.OpSend, 1, stag(0) | 1<<31, home.Entry.Base, false},
		{"row not valid", wire.OpSend, 1, stag(5), requesterTable()[5].Entry.Base, false},
		{"other domain", wire.OpSend, 1, stag(1), requesterTable()[1].Entry.Base, false},
		{"other stream", wire.OpSend, 1, stag(2), requesterTable()[2].Entry.Base, false},
		{"no local read", wire.OpSendSE, 1, stag(3), requesterTable()[3].Entry.Base, false},
		{"a Read needs no local read", wire.OpReadRequest, 1, stag(3), requesterTable()[3].Entry.Base, true},
		{"a Read needs local write", wire.OpReadRequest, 1, stag(4), requesterTable()[4].Entry.Base, false},
		{"so does an Atomic", wire.OpAtomicRequest, 0, stag(4), requesterTable()[4].Entry.Base, false},
		{"a Write needs no local write", wire.OpWrite, 1, stag(4), requesterTable()[4].Entry.Base, true},
		{"remote rights do not suffice", wire.OpWrite, 1, stag(7), requesterTable()[7].Entry.Base, false},
		{"Immediate Data has no buffer", wire.OpImmediate, 9, stag(5), 0, true},
		{"before the region", wire.OpWrite, 1, stag(0), home.Entry.Base - 1, false},
		{"to the end of the region", wire.OpWrite, 1000, stag(0), end - 1000, true},
		{"the last segment leaves the region", wire.OpWrite, 1000, stag(0), end - 999, false},
		{"the second segment leaves the region", wire.OpSendInv, 1000, stag(0), end - 256, false},
		{"a Read is checked as a whole", wire.OpReadRequest, 1000, stag(0), end - 999, false},
		{"an Atomic to the end", wire.OpAtomicRequest, 1, stag(0), end - 8, true},
		{"an Atomic beyond the end", wire.OpAtomicRequest, 1, stag(0), end - 7, false},
		{"to the end of the address space", wire.OpSend, 512, stag(6), ^uint64(0) - 511, true},
		{"over it", wire.OpSend, 512, stag(6), ^uint64(0) - 510, false},
		{"a Read Response is no work request", wire.OpReadResponse, 0, stag(0), home.Entry.Base, false},
		{"nor is a Terminate", wire.OpTerminate, 0, stag(0), home.Entry.Base, false},
		{"nor an Atomic Response", wire.OpAtomicResponse, 0, stag(0), home.Entry.Base, false},
		{"nor a reserved opcode", 15, 0, stag(0), home.Entry.Base, false},
	} {
		t.Run(row.says, func(t *testing.T) {
			b := openRequester(t, c, 0, 1)
			w := work(0, 77, row.opcode, row.length)
			w.Local, w.Signaled = bufferBeat{row.stag, row.to}, row.fine
			behind, other := work(0, 78, wire.OpWrite, 1), work(1, 79, wire.OpWrite, 1)
			push(b, "wqe", w, behind, other)
			b.step(100)
			messages := take[messageBeat](b, "message")
			require.Len(t, ofStream(messages, 1), 1, "the other stream continues")
			if row.fine {
				assert.Empty(t, take[failureBeat](b, "failed"))
				require.Len(t, ofStream(messages, 0), 2, "later work requests start")
			} else {
				same(t, []failureBeat{failed(0, 0)}, take[failureBeat](b, "failed"))
				require.Len(t, ofStream(messages, 0), 0, "neither it nor later ones are sent")
			}
			for _, c := range messages {
				push(b, "sent", sent(c))
			}
			b.step(100)
			if row.fine {
				return
			}
			same(t, []completionBeat{completed(other, engine.StatusSuccess)}, take[completionBeat](b, "completion"))
			push(b, "ended", endedBeat{0})
			b.run()
			same(t, []completionBeat{completed(w, engine.StatusProtection), completed(behind, engine.StatusFlushed)}, take[completionBeat](b, "completion"))
			push(b, "wqe", w)
			b.run()
			same(t, []completionBeat{completed(w, engine.StatusFlushed)}, take[completionBeat](b, "completion"))
			assert.Empty(t, take[failureBeat](b, "failed"), "once per stream")
			assert.Empty(t, take[messageBeat](b, "message"))
		})
	}
}

// An STag that becomes invalid does not stop a message that was issued before, but every later one.
func TestRequesterChecksAtTheBeginning(t *testing.T) {
	b := openRequester(t, requesterConfig(), 0)
	holdUp(b, "message")
	first, second := work(0, 5, wire.OpSend, 40*256), work(0, 6, wire.OpSend, 1)
	push(b, "wqe", first)
	b.step(50)
	push(b, "row", rowBeat{Index: 0})
	b.step(50)
	push(b, "wqe", second)
	letGo(b, "message")
	b.run()
	messages := take[messageBeat](b, "message")
	want, _ := messagesOf(first, 1, requesterTable())
	sameMessages(t, want, messages)
	same(t, []failureBeat{failed(0, 0)}, take[failureBeat](b, "failed"))
	push(b, "sent", sent(messages[0]))
	b.run()
	push(b, "ended", endedBeat{0})
	b.run()
	same(t, []completionBeat{completed(first, engine.StatusSuccess), completed(second, engine.StatusProtection)}, take[completionBeat](b, "completion"))
}

// holdUp blocks a stream, letGo unblocks it.
func holdUp(b *bench, stream string) { stallOf(b, stream, 256) }
func letGo(b *bench, stream string)  { stallOf(b, stream, 0) }

// After the end of a stream nothing more of it is sent; its completions wait for the messages already in the transmit side.
func TestRequesterEnd(t *testing.T) {
	c := requesterConfig()
	c.SendDepth = 32
	b := openRequester(t, c, 0, 1)
	holdUp(b, "message")
	var want []completionBeat
	for i := range uint64(20) {
		w := work(0, i, wire.OpWrite, 300)
		push(b, "wqe", w)
		want = append(want, completed(w, engine.StatusFlushed))
	}
	push(b, "wqe", work(1, 4, wire.OpWrite, 1))
	b.step(60)
	push(b, "ended", endedBeat{0})
	b.step(30)
	assert.Empty(t, take[completionBeat](b, "completion"), "its messages are not reported yet")
	letGo(b, "message")
	b.step(60)
	messages := take[messageBeat](b, "message")
	require.Len(t, ofStream(messages, 0), 16, "those made before the end")
	require.Len(t, ofStream(messages, 1), 1)
	assert.Empty(t, take[completionBeat](b, "completion"))
	for _, c := range ofStream(messages, 0) {
		push(b, "sent", dropped(c))
	}
	b.run()
	same(t, want, take[completionBeat](b, "completion"))
	assert.Empty(t, take[failureBeat](b, "failed"))
}

// In whatever cycle the stream ends, the work request is flushed, or fails if its failure was reported.
func TestRequesterEndAtAnyCycle(t *testing.T) {
	good, bad := work(0, 1, wire.OpWrite, 1<<16), work(0, 1, wire.OpWrite, 1<<16)
	bad.Local.STag++
	b := openRequester(t, requesterConfig())
	failures := 0
	for cycles := range 32 {
		for _, w := range []workBeat{good, bad} {
			push(b, "opening", openingBeat{0, true, domainOf(0)})
			b.run()
			push(b, "wqe", w)
			b.step(cycles)
			push(b, "ended", endedBeat{0})
			b.step(100)
			messages := take[messageBeat](b, "message")
			require.LessOrEqual(t, len(messages), 1)
			for _, c := range messages {
				push(b, "sent", dropped(c))
			}
			b.run()
			status := engine.StatusFlushed
			if reported := take[failureBeat](b, "failed"); len(reported) > 0 {
				same(t, []failureBeat{failed(0, 0)}, reported)
				status = engine.StatusProtection
				failures++
			}
			same(t, []completionBeat{completed(w, status)}, take[completionBeat](b, "completion"))
			require.True(t, status == engine.StatusFlushed || w == bad)
		}
	}
	require.Greater(t, failures, 3)
	require.Less(t, failures, 32)
}

// Work requests in progress when a stream ends are flushed in order, once their messages are reported as sent or dropped; a dropped
// segment other than the last completes nothing.
func TestRequesterFlush(t *testing.T) {
	b := openRequester(t, requesterConfig(), 0)
	read, write, atomic := work(0, 1, wire.OpReadRequest, 100), work(0, 2, wire.OpWrite, 300), work(0, 3, wire.OpAtomicRequest, 0)
	write.Signaled = false
	push(b, "wqe", read, write, atomic)
	b.run()
	messages := take[messageBeat](b, "message")
	require.Len(t, messages, 3)
	segment := dropped(messages[1])
	segment.Final = false
	push(b, "sent", sent(messages[0]), segment, dropped(messages[1]))
	b.run()
	assert.Empty(t, take[completionBeat](b, "completion"))
	late := work(0, 4, wire.OpWrite, 0)
	push(b, "wqe", late)
	b.run()
	assert.Empty(t, take[messageBeat](b, "message"), "the stream is closed")
	push(b, "answered", answeredBeat{0, 1})
	b.run()
	assert.Empty(t, take[completionBeat](b, "completion"), "nothing succeeds on a closed stream")
	push(b, "ended", endedBeat{0})
	b.run()
	push(b, "sent", dropped(messages[2]))
	b.run()
	var want []completionBeat
	for _, w := range []workBeat{read, write, atomic, late} {
		want = append(want, completed(w, engine.StatusFlushed))
	}
	same(t, want, take[completionBeat](b, "completion"))
}

// A stream that was never opened, or is closed, flushes everything; when reopened it starts at MSN 1, with nothing in progress.
func TestRequesterOpening(t *testing.T) {
	c := requesterConfig()
	b := openRequester(t, c)
	flushed := func(stream int) {
		t.Helper()
		var want []completionBeat
		for i := range uint64(11) {
			w := work(stream, i, []wire.Opcode{wire.OpSend, wire.OpReadRequest}[i%2], 600)
			w.Signaled = i%3 == 0
			push(b, "wqe", w)
			want = append(want, completed(w, engine.StatusFlushed))
		}
		b.run()
		same(t, want, take[completionBeat](b, "completion"))
		require.Empty(t, take[messageBeat](b, "message"))
	}
	for s := range c.Streams {
		flushed(s)
	}
	for round := range 3 {
		push(b, "opening", openingBeat{2, true, domainOf(2)})
		b.run()
		for i := range uint32(6) {
			send, read := work(2, 1, wire.OpSend, 0), work(2, 2, wire.OpReadRequest, 0)
			push(b, "wqe", send, read)
			b.run()
			messages := take[messageBeat](b, "message")
			first, _ := messagesOf(send, i+1, requesterTable())
			second, _ := messagesOf(read, i+1, requesterTable())
			sameMessages(t, append(first, second...), messages)
			push(b, "sent", sent(messages[0]), sent(messages[1]))
			push(b, "answered", answeredBeat{2, 0})
			b.run()
			same(t, []completionBeat{completed(send, engine.StatusSuccess), completed(read, engine.StatusSuccess)}, take[completionBeat](b, "completion"))
		}
		if round%2 == 0 {
			push(b, "opening", openingBeat{2, false, 0})
		} else {
			push(b, "ended", endedBeat{2})
		}
		b.run()
		flushed(2)
		flushed(3)
	}
}

// A work request on a closed stream is not abandoned until the messages of all earlier work requests have left: otherwise the
// receiver of messages would take the message of one of those to be incomplete.
func TestRequesterAbandonsBehindMessages(t *testing.T) {
	b := openRequester(t, requesterConfig(), 0)
	closed := work(1, 2, wire.OpWrite, 1)
	push(b, "wqe", work(0, 1, wire.OpWrite, 256))
	holdUp(b, "message")
	push(b, "wqe", closed)
	b.step(50)
	require.Empty(t, take[completionBeat](b, "completion"))
	letGo(b, "message")
	b.run()
	require.Len(t, take[messageBeat](b, "message"), 1)
	same(t, []completionBeat{completed(closed, engine.StatusFlushed)}, take[completionBeat](b, "completion"))
}

// A Read or Atomic beyond ORD waits until an earlier one is complete; a work request beyond SendDepth waits until any earlier one is.
func TestRequesterLimits(t *testing.T) {
	c := requesterConfig()
	c.SendDepth, c.ORD = 8, 4
	b := openRequester(t, c, 0, 1)
	for i := range uint64(6) {
		push(b, "wqe", work(0, i, []wire.Opcode{wire.OpReadRequest, wire.OpAtomicRequest}[i%2], 1))
	}
	push(b, "wqe", work(1, 9, wire.OpWrite, 1))
	b.step(100)
	messages := take[messageBeat](b, "message")
	require.Len(t, messages, 5, "ORD, and the other stream's Write")
	messages = ofStream(messages, 0)
	push(b, "answered", answeredBeat{0, 5})
	b.step(50)
	require.Empty(t, take[messageBeat](b, "message"), "the request of that response is not reported yet")
	push(b, "sent", sent(messages[0]))
	b.step(50)
	require.Len(t, take[messageBeat](b, "message"), 1)
	require.Len(t, take[completionBeat](b, "completion"), 1)
	push(b, "sent", sent(messages[1]), sent(messages[2]), sent(messages[3]))
	push(b, "answered", answeredBeat{0, 6})
	b.run()
	require.Len(t, take[messageBeat](b, "message"), 1, "the last Atomic")
	same(t, []completionBeat{{ID: 1, Stream: 0, Opcode: wire.OpAtomicRequest, Length: 8, Data: 6}}, take[completionBeat](b, "completion"))

	b = openRequester(t, c, 0, 1)
	for i := range uint64(10) {
		push(b, "wqe", work(1, i, wire.OpWrite, 0))
	}
	b.step(100)
	messages = take[messageBeat](b, "message")
	require.Len(t, messages, 8, "SendDepth")
	push(b, "sent", sent(messages[0]))
	b.step(50)
	require.Len(t, take[messageBeat](b, "message"), 1)
}

// ofStream returns the messages of a stream.
func ofStream(messages []messageBeat, stream int) (own []messageBeat) {
	for _, c := range messages {
		if c.Stream == stream {
			own = append(own, c)
		}
	}
	return own
}

// The message of a Read is not offered before the response is announced to the receive side.
func TestRequesterAnnounces(t *testing.T) {
	b := openRequester(t, requesterConfig(), 0)
	holdUp(b, "expecting")
	push(b, "wqe", work(0, 1, wire.OpReadRequest, 1))
	b.step(50)
	require.Zero(t, b.stats("message").Offered)
	letGo(b, "expecting")
	b.run()
	require.Equal(t, b.cycles("expecting")[0]+1, b.cycles("message")[0])
}

// While a work request waits for whatever reason, reports, responses and ends of all streams are accepted.
func TestRequesterWaitingHoldsNothingUp(t *testing.T) {
	for _, wait := range []string{"message", "expecting", "failed", "ORD"} {
		t.Run(wait, func(t *testing.T) {
			b := openRequester(t, requesterConfig(), 0, 1, 2)
			push(b, "wqe", work(0, 1, wire.OpWrite, 0), work(1, 2, wire.OpReadRequest, 0), work(2, 3, wire.OpAtomicRequest, 0), work(2, 3, wire.OpAtomicRequest, 0))
			b.run()
			messages := take[messageBeat](b, "message")
			require.Len(t, messages, 4)
			if wait != "ORD" {
				holdUp(b, wait)
			}
			bad := work(2, 4, wire.OpReadRequest, 1)
			if wait == "failed" {
				bad.Local.STag++
				push(b, "ended", endedBeat{2})
				push(b, "opening", openingBeat{2, true, domainOf(2)})
				b.run()
			}
			push(b, "wqe", bad, bad, bad)
			b.step(50)
			require.Equal(t, uint64(4), b.stats("message").Beats, "no more are issued")
			push(b, "sent", sent(messages[0]), sent(messages[1]))
			push(b, "answered", answeredBeat{1, 0})
			push(b, "opening", openingBeat{3, true, 1})
			b.step(50)
			push(b, "ended", endedBeat{0}, endedBeat{1})
			b.step(50)
			require.ElementsMatch(t, []completionBeat{completed(work(0, 1, wire.OpWrite, 0), 0), completed(work(1, 2, wire.OpReadRequest, 0), 0)}, take[completionBeat](b, "completion"))
			for _, s := range []string{"sent", "answered", "ended", "opening"} {
				require.Zero(t, b.stats(s).Queued, s)
			}
		})
	}
}

// A response that arrives in the same cycle as the end of its stream takes effect first.
func TestRequesterResponseBeforeEnd(t *testing.T) {
	b := openRequester(t, requesterConfig(), 0)
	w := work(0, 1, wire.OpReadRequest, 5)
	push(b, "wqe", w)
	b.run()
	push(b, "sent", sent(take[messageBeat](b, "message")[0]))
	b.run()
	push(b, "ended", endedBeat{0})
	push(b, "answered", answeredBeat{0, 0})
	b.run()
	same(t, []completionBeat{completed(w, engine.StatusSuccess)}, take[completionBeat](b, "completion"))
}

// A Read or Atomic that is sent after the end of its stream, with nothing after it, is flushed: none waits for its response.
func TestRequesterSentBehindEnd(t *testing.T) {
	for _, opcode := range []wire.Opcode{wire.OpReadRequest, wire.OpAtomicRequest} {
		for ahead := range 2 {
			b := openRequester(t, requesterConfig(), 0)
			var all []workBeat
			for i := range ahead + 1 {
				all = append(all, work(0, uint64(i), opcode, 8))
			}
			push(b, "wqe", all...)
			b.run()
			messages := take[messageBeat](b, "message")
			require.Len(t, messages, ahead+1)
			push(b, "ended", endedBeat{0})
			b.run()
			var want []completionBeat
			for i, m := range messages {
				push(b, "sent", sent(m))
				b.run()
				want = append(want, completed(all[i], engine.StatusFlushed))
				same(t, want[i:], take[completionBeat](b, "completion"))
			}
		}
	}
}

// Work requests of many streams are issued one per cycle, those of one stream at least every other cycle; reports keep up.
func TestRequesterIsFast(t *testing.T) {
	c := requesterConfig()
	c.Streams, c.SendDepth, c.ORD = 8, 256, 64
	inOneDomain := func() *bench {
		b := openRequester(t, c)
		for s := range c.Streams {
			push(b, "opening", openingBeat{s, true, domainOf(0)})
		}
		b.run()
		return b
	}
	for _, kind := range []struct {
		opcode  wire.Opcode
		streams int
		within  uint64 // cycles for 100
	}{{wire.OpWrite, 1, 200}, {wire.OpSend, 1, 200}, {wire.OpImmediate, 1, 200}, {wire.OpReadRequest, 1, 200},
		{wire.OpWrite, 2, 150}, {wire.OpWrite, 8, 100}, {wire.OpSend, 8, 100}, {wire.OpImmediate, 8, 100}, {wire.OpReadRequest, 8, 100}, {wire.OpAtomicRequest, 8, 100}} {
		b := inOneDomain()
		n := min(400, kind.streams*c.ORD)
		for i := range n {
			push(b, "wqe", allowedWork(i%kind.streams, kind.opcode))
		}
		b.run()
		at := b.cycles("message")
		require.Len(t, at, n)
		first, last := n/8, n-n/8 // past the start, and before work runs out
		assert.LessOrEqual(t, (at[last]-at[first])*100, uint64(last-first)*kind.within, "work requests: %s of %d", kind.opcode, kind.streams)
		for _, c := range take[messageBeat](b, "message") {
			push(b, "sent", sent(c))
			if isRequest(kind.opcode) {
				push(b, "answered", answeredBeat{c.Stream, 0})
			}
		}
		b.run()
		gapless(t, b.cycles("sent"))
		if isRequest(kind.opcode) {
			gapless(t, b.cycles("answered"))
		}
		at = b.cycles("completion")
		require.Len(t, at, n)
		if kind.streams == 8 {
			first = n / 8
			assert.LessOrEqual(t, at[last]-at[first], uint64(last-first)*11/10, "completions: %s of %d", kind.opcode, kind.streams)
		}
	}
}

// allowedWork is a work request of 64 octets on a region of the stream's domain.
func allowedWork(stream int, opcode wire.Opcode) workBeat {
	w := work(0, 1, opcode, 64)
	w.Stream = stream
	return w
}

// Openings of other streams between the work requests of a stream do not affect it.
func TestRequesterOpensBesideWork(t *testing.T) {
	some := simulator.Stall{Mode: simulator.StallRandom, Chance: 128}
	for _, idle := range []simulator.Stall{{}, some} {
		b := openRequester(t, requesterConfig(), 0)
		b.stall(idle, simulator.Stall{})
		var want, messages []messageBeat
		for i := range uint32(200) {
			w := work(0, uint64(i), wire.OpSend, 0)
			push(b, "wqe", w)
			push(b, "opening", openingBeat{int(1 + i%3), true, domainOf(2)})
			c, _ := messagesOf(w, i+1, requesterTable())
			want = append(want, c...)
		}
		for range 3000 {
			b.step(1)
			for _, c := range take[messageBeat](b, "message") {
				messages = append(messages, c)
				push(b, "sent", sent(c))
			}
		}
		sameMessages(t, want, messages)
		require.Len(t, take[completionBeat](b, "completion"), 200)
	}
}

// A report and a response are taken in the same cycle.
func TestRequesterTakesReportsBesideResponses(t *testing.T) {
	c := requesterConfig()
	c.SendDepth, c.ORD = 64, 16
	b := openRequester(t, c, 0)
	for i := range 16 {
		push(b, "wqe", work(0, uint64(i), wire.OpReadRequest, 0))
	}
	b.run()
	for _, c := range take[messageBeat](b, "message") {
		push(b, "sent", sent(c))
		push(b, "answered", answeredBeat{0, 0})
	}
	b.run()
	require.Equal(t, b.cycles("sent"), b.cycles("answered"))
	gapless(t, b.cycles("sent"))
}

// A reset in any state discards everything: all streams are closed, and every work request is flushed.
func TestRequesterReset(t *testing.T) {
	for cycles := range 40 {
		b := openRequester(t, requesterConfig(), 0, 1, 2, 3)
		r := random(uint64(cycles))
		for range 20 {
			push(b, "wqe", randomWork(r, requesterTable(), r.IntN(4), 256, 20))
		}
		b.step(cycles)
		b.reset()
		w := work(0, 1, wire.OpReadRequest, 1)
		push(b, "wqe", w)
		b.run()
		same(t, []completionBeat{completed(w, engine.StatusFlushed)}, take[completionBeat](b, "completion"))
		fillRequester(b, 0)
		push(b, "wqe", w)
		b.run()
		want, _ := messagesOf(w, 1, requesterTable())
		sameMessages(t, want, take[messageBeat](b, "message"))
		require.Empty(t, take[completionBeat](b, "completion"))
		require.Empty(t, take[failureBeat](b, "failed"))
	}
}

func TestRequesterIsCleanInEveryTool(t *testing.T) {
	long.Test(t)
	t.Parallel()
	for _, c := range []gen.Config{
		{Streams: 2, SendDepth: 2, ORD: 2, MaxPayload: 256}, {Streams: 64, SendDepth: 16, ORD: 8, MaxPayload: 1024},
		{Streams: 16384, SendDepth: 1024, ORD: 64, MaxPayload: 16384}, {Streams: 4, SendDepth: 2, ORD: 64, MaxPayload: 512},
	} {
		d, err := hdl.Compile(request.Requester(c.Engine()))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}
