package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/wire"
)

// follow runs some cycles, reports every message as sent, except those of the mute stream, and returns all messages.
func follow(b *bench, cycles, mute int) (messages []messageBeat) {
	for range cycles {
		b.step(1)
		for _, c := range take[messageBeat](b, "message") {
			messages = append(messages, c)
			if c.Stream != mute {
				push(b, "sent", sent(c))
			}
		}
	}
	return messages
}

// atTheLimit opens streams; on stream 0, ORD Reads are in progress and reported as sent.
func atTheLimit(t *testing.T, c engine.Config) *bench {
	b := openRequester(t, c, 0, 1, 2)
	for i := range c.ORD {
		push(b, "wqe", work(0, uint64(i), wire.OpReadRequest, 8))
	}
	require.Len(t, follow(b, 100, -1), c.ORD)
	return b
}

// While a stream waits for a response that never arrives, or for a report, all others continue.
func TestRequesterWaitingStreamHoldsUpNoOther(t *testing.T) {
	c := requesterConfig()
	for _, row := range []struct {
		says   string
		opcode wire.Opcode
		mute   int // stream without reports
		begin  int // work requests issued on the waiting stream
	}{{"ORD", wire.OpReadRequest, -1, c.ORD}, {"SendDepth", wire.OpWrite, 0, c.SendDepth}} {
		t.Run(row.says, func(t *testing.T) {
			b := openRequester(t, c, 0, 1, 2, 3)
			var waiting []workBeat
			for i := range row.begin + c.SendDepth {
				waiting = append(waiting, work(0, uint64(i), row.opcode, 8))
			}
			push(b, "wqe", waiting...)
			require.Len(t, follow(b, 100, row.mute), row.begin)
			require.Zero(t, b.stats("wqe").Queued, "its ring holds the others")
			var want []completionBeat
			for round := range uint64(100) {
				for s := 1; s < 4; s++ {
					w := work(s, round, []wire.Opcode{wire.OpWrite, wire.OpReadRequest, wire.OpSend, wire.OpImmediate, wire.OpAtomicRequest}[round%5], 300)
					push(b, "wqe", w)
					if isRequest(w.Opcode) {
						push(b, "answered", answeredBeat{s, 0})
					}
					want = append(want, completed(w, engine.StatusSuccess))
				}
				for _, c := range follow(b, 45, row.mute) {
					require.NotZero(t, c.Stream)
				}
			}
			require.ElementsMatch(t, want, take[completionBeat](b, "completion"))
			push(b, "ended", endedBeat{0})
			want = nil
			for i, w := range waiting {
				if want = append(want, completed(w, engine.StatusFlushed)); i < row.begin && row.mute == 0 {
					push(b, "sent", reportBeat{Stream: 0, Kind: kindMessage, Final: true, Dropped: true})
				}
			}
			b.run()
			same(t, want, take[completionBeat](b, "completion"))
		})
	}
}

// A waiting stream resumes when its response arrives, or ends, in whatever cycle, including the one in which the stream is found to
// have to wait; also while other streams are opened or have work.
func TestRequesterUpdateAtAnyCycle(t *testing.T) {
	for _, beside := range []string{"nothing", "openings", "work"} {
		for _, update := range []string{"answered", "ended"} {
			t.Run(fmt.Sprint(update, " beside ", beside), func(t *testing.T) {
				c := requesterConfig()
				c.SendDepth = 16
				b := atTheLimit(t, c)
				for cycle := range 28 {
					read, write := work(0, 50, wire.OpReadRequest, 8), work(0, 51, wire.OpWrite, 8)
					var messages []messageBeat
					for now := range 130 {
						if now == 8 {
							push(b, "wqe", read, write)
						}
						if now == cycle && update == "answered" {
							push(b, "answered", answeredBeat{0, 0})
						} else if now == cycle {
							push(b, "ended", endedBeat{0})
						}
						if beside == "openings" && now < 40 {
							push(b, "opening", openingBeat{1 + now%3, true, 0})
						} else if beside == "work" && now%3 == 0 && now < 40 {
							push(b, "wqe", work(1, uint64(now), wire.OpWrite, 8))
						}
						messages = append(messages, ofStream(follow(b, 1, -1), 0)...)
					}
					var done []completionBeat
					for _, c := range take[completionBeat](b, "completion") {
						if c.Stream == 0 {
							done = append(done, c)
						}
					}
					if update == "answered" {
						require.Len(t, messages, 2, "update in cycle %d", cycle)
						require.Len(t, done, 1)
						push(b, "answered", answeredBeat{0, 0}, answeredBeat{0, 0})
						b.run()
						require.Len(t, take[completionBeat](b, "completion"), 3, "the Reads and the Write")
						push(b, "wqe", work(0, 1, wire.OpReadRequest, 8), work(0, 2, wire.OpReadRequest, 8))
						require.Len(t, follow(b, 60, -1), 2)
						continue
					}
					require.Empty(t, messages[:max(0, len(messages)-2)], "update in cycle %d", cycle)
					require.Len(t, done, 4, "update in cycle %d", cycle)
					same(t, []completionBeat{completed(read, engine.StatusFlushed), completed(write, engine.StatusFlushed)}, done[2:])
					push(b, "opening", openingBeat{0, true, domainOf(0)}, openingBeat{1, true, domainOf(1)})
					b.run()
					push(b, "wqe", work(0, 1, wire.OpReadRequest, 8), work(0, 2, wire.OpReadRequest, 8))
					require.Len(t, follow(b, 60, -1), 2)
				}
			})
		}
	}
}

// A report unblocks a stream that has SendDepth work requests in progress, in whatever cycle it arrives.
func TestRequesterReportAtAnyCycle(t *testing.T) {
	c := requesterConfig()
	b := openRequester(t, c, 0)
	var messages []messageBeat
	for i := range c.SendDepth {
		push(b, "wqe", work(0, uint64(i), wire.OpWrite, 8))
	}
	messages = follow(b, 60, 0)
	for cycle := range 28 {
		for now := range 90 {
			if now == 8 {
				push(b, "wqe", work(0, 9, wire.OpWrite, 8))
			}
			if now == cycle {
				push(b, "sent", sent(messages[0]))
				messages = messages[1:]
			}
			messages = append(messages, follow(b, 1, 0)...)
		}
		require.Len(t, messages, c.SendDepth, "a report in cycle %d", cycle)
	}
}

// A work request is issued whenever it is posted, even in the cycle in which the last one of its stream is issued.
func TestRequesterPostAtAnyCycle(t *testing.T) {
	b := openRequester(t, requesterConfig(), 0, 1)
	for cycle := range 20 {
		for _, stream := range []int{0, 1} {
			push(b, "wqe", work(0, 1, wire.OpWrite, 8))
			messages := follow(b, cycle, -1)
			push(b, "wqe", work(stream, 2, wire.OpSend, 8))
			require.Len(t, append(messages, follow(b, 40, -1)...), 2, "posted %d cycles later", cycle)
			b.run()
			require.Len(t, take[completionBeat](b, "completion"), 2)
		}
	}
}

// A work request whose stream's ring is full blocks all later ones, until one of its stream is issued.
func TestRequesterFullRing(t *testing.T) {
	c := requesterConfig()
	b := atTheLimit(t, c)
	before := b.stats("wqe").Beats
	for i := range uint64(c.SendDepth) + 2 {
		push(b, "wqe", work(0, i, wire.OpReadRequest, 8))
	}
	push(b, "wqe", work(1, 1, wire.OpWrite, 8))
	require.Empty(t, follow(b, 60, -1))
	require.Equal(t, uint64(c.SendDepth)+1, b.stats("wqe").Beats-before, "one waits outside the ring")
	push(b, "answered", answeredBeat{0, 0})
	require.Len(t, follow(b, 60, -1), 1)
	require.Equal(t, uint64(c.SendDepth)+2, b.stats("wqe").Beats-before)
	push(b, "answered", answeredBeat{0, 0})
	require.Len(t, follow(b, 60, -1), 2, "and the one of the other stream")
}

// An opening discards all waiting work requests; the stream starts again at MSN 1.
func TestRequesterOpeningEmptiesTheRing(t *testing.T) {
	c := requesterConfig()
	b := atTheLimit(t, c)
	for i := range uint64(c.SendDepth) {
		push(b, "wqe", work(0, i, wire.OpReadRequest, 8))
	}
	require.Empty(t, follow(b, 60, -1))
	push(b, "opening", openingBeat{0, true, domainOf(0)})
	require.Empty(t, follow(b, 60, -1))
	w := work(0, 70, wire.OpReadRequest, 8)
	push(b, "wqe", w)
	want, _ := messagesOf(w, 1, requesterTable())
	sameMessages(t, want, follow(b, 60, -1))
	push(b, "answered", answeredBeat{0, 0})
	b.run()
	same(t, []completionBeat{completed(w, engine.StatusSuccess)}, take[completionBeat](b, "completion"))
}

// While reports arrive, messages of many streams still leave one per cycle, and those of one stream as fast as its window of 64
// allows.
func TestRequesterKeepsUpWithReports(t *testing.T) {
	c := requesterConfig()
	c.Streams, c.SendDepth = 8, 64
	for _, row := range []struct {
		streams int
		within  uint64 // cycles for 600
	}{{1, 1250}, {4, 600}, {8, 600}} {
		b := openRequester(t, c)
		for s := range c.Streams {
			push(b, "opening", openingBeat{s, true, domainOf(0)})
		}
		b.run()
		const n = 800
		for i := range n {
			push(b, "wqe", allowedWork(i%row.streams, wire.OpWrite))
		}
		follow(b, 2*n+200, -1)
		for _, what := range []string{"message", "completion"} {
			at := b.cycles(what)
			require.Len(t, at, n)
			require.LessOrEqual(t, at[n-100]-at[100], row.within+1, "%s of %d streams", what, row.streams)
		}
	}
}

// While messages are blocked, more Reads are announced to the receive side than there are places after the pipeline: none is lost.
func TestRequesterManyAnnounced(t *testing.T) {
	c := requesterConfig()
	c.SendDepth, c.ORD = 64, 64
	b := openRequester(t, c, 0, 1, 2)
	holdUp(b, "message")
	for i := range uint64(60) {
		push(b, "wqe", work(int(i%3), i, wire.OpReadRequest, 1))
	}
	b.step(300)
	require.GreaterOrEqual(t, len(b.cycles("expecting")), 16)
	letGo(b, "message")
	b.run()
	require.Len(t, take[messageBeat](b, "message"), 60)
}

// However many work requests are complete at once, after a Read whose response is last, all complete.
func TestRequesterManyCompleteAtOnce(t *testing.T) {
	c := requesterConfig()
	c.SendDepth = 64
	b := openRequester(t, c, 0)
	for n := range uint64(50) {
		push(b, "wqe", work(0, 0, wire.OpReadRequest, 8))
		for i := range n {
			push(b, "wqe", work(0, i+1, wire.OpSend, 0))
		}
		require.Len(t, follow(b, 200, -1), int(n)+1)
		require.Empty(t, take[completionBeat](b, "completion"))
		push(b, "answered", answeredBeat{0, 0})
		b.run()
		require.Len(t, take[completionBeat](b, "completion"), int(n)+1)
	}
}

// Responses that arrived before the end of their stream count, in whatever cycle both arrive, also while other streams are opened.
func TestRequesterResponsesBeforeEnd(t *testing.T) {
	for cycle := range 16 {
		for behind := range 3 {
			c := requesterConfig()
			b := openRequester(t, c, 0, 1)
			read := work(0, 1, wire.OpReadRequest, 5)
			push(b, "wqe", read, read)
			require.Len(t, follow(b, 60, -1), 2)
			for now := range 60 {
				if now%8 == 0 {
					push(b, "opening", openingBeat{1 + now/8%2, true, 0})
				}
				if now == cycle {
					push(b, "answered", answeredBeat{0, 0}, answeredBeat{0, 0})
				}
				if now == cycle+behind {
					push(b, "ended", endedBeat{0})
				}
				b.step(1)
			}
			if done := take[completionBeat](b, "completion"); behind > 0 {
				same(t, []completionBeat{completed(read, engine.StatusSuccess), completed(read, engine.StatusSuccess)}, done)
			}
		}
	}
}

// An opening takes effect whole, in whatever cycle it arrives, while other streams have work requests issued, fetched and completed, and the stream waits
// with work requests that it forgets.
func TestRequesterOpeningForgetsBesideWork(t *testing.T) {
	for _, freed := range []bool{false, true} {
		for cycle := range 40 {
			c := requesterConfig()
			b := openRequester(t, c, 0, 1, 2, 3)
			for i := range c.SendDepth {
				push(b, "wqe", work(1, uint64(i), wire.OpReadRequest, 8))
			}
			require.Len(t, follow(b, 60, -1), c.ORD)
			for now := range 80 {
				if now < 50 {
					push(b, "wqe", work([]int{0, 2, 3}[now%3], uint64(now), wire.OpWrite, 8))
				}
				if now == 25 && freed && cycle > now { // in the life in which it was asked for
					push(b, "answered", answeredBeat{1, 0})
				}
				if now == cycle {
					push(b, "opening", openingBeat{1, true, domainOf(1)})
				}
				follow(b, 1, 1)
			}
			follow(b, 150, 1)
			require.Len(t, b.cycles("opening"), 5)
			take[completionBeat](b, "completion")
			for i := range uint64(3) {
				w := work(1, 50+i, wire.OpWrite, 8)
				push(b, "wqe", w)
				messages := follow(b, 60, -1)
				require.Len(t, messages, 1, "opened in cycle %d", cycle)
				same(t, []completionBeat{completed(w, engine.StatusSuccess)}, take[completionBeat](b, "completion"))
			}
			for i := range c.SendDepth { // as many as may be incomplete: they hold up nobody
				push(b, "wqe", work(1, 60+uint64(i), wire.OpReadRequest, 8))
			}
			push(b, "wqe", work(0, 99, wire.OpWrite, 8))
			require.Len(t, follow(b, 150, -1), c.ORD+1, "opened in cycle %d", cycle)
		}
	}
}
