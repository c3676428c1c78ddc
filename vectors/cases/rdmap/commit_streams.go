package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitStreams tests several streams, and streams that end and are reopened.
func commitStreams(l *list) {
	add := func(key, comment string, write func(t *T)) *Case {
		return l.add("commit/streams/"+key, comment, flags(StreamIsolation), write).cite(cited("2.1-24", "7-06")...)
	}
	add("in_turn", "the three operations on two streams in turn, without a pause", func(t *T) {
		for i := range 2 * min(3, t.Config.IRD) {
			t.ask(i%2, commitOps[i/2%3], shared, 64*(i%2)+8*(i/2))
		}
	})
	add("four", "the three operations on four streams without a pause", func(t *T) {
		for _, o := range commitOps {
			for s := range 4 {
				t.ask(s, o, shared, 64*s)
			}
		}
	}).streams(4).ird(3)
	add("three_digests", "Verifies with different algorithms on all streams at once", func(t *T) {
		for s := range t.layout.Streams {
			v := verifiables[s%3]
			t.verify(s, v.area, 3*s, 30+7*s, t.digest(v.area, 3*s, 30+7*s))
		}
	})
	add("ird", "IRD requests of the extension on all streams of the group at once, while m_axis_tx is held", func(t *T) {
		t.hold()
		for i := range t.Config.IRD {
			for s := range t.layout.Streams {
				t.ask(s, commitOps[(i+s)%3], shared, 64*s+8*(i%8))
			}
		}
		t.release()
	})
	for _, o := range commitOps {
		add("reopened/"+o.name, "the MSNs of a stream start again when it is reopened: "+o.what, func(t *T) {
			t.ask(0, o, shared, 0)
			t.rest()
			t.shut(0)
			t.rest()
			t.open(0)
			t.ask(0, o, shared, 8)
			t.postOp(0, o)
			t.replyTo(0, o)
		})
		add("awaited/"+o.name, "a response to a request from before the stream was reopened: "+o.what, func(t *T) {
			t.postOp(0, o)
			t.rest()
			t.in(0, wire.AppendTerminate(nil, wire.Terminate{}))
			t.rest()
			t.open(0)
			t.replyTo(0, o)
		}).ends()
		add("closed/"+o.name, "a request on a stream that is shut: "+o.what, func(t *T) {
			t.shut(1)
			t.ask(1, o, shared, 0)
			t.ask(0, o, shared, 0)
		}).decides("I-32")
		add("terminated/"+o.name, "a Terminate of the peer while a request is outstanding: "+o.what, func(t *T) {
			t.postOp(0, o)
			t.in(0, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: 0, EType: 2, Code: 7}}))
		}).ends().cite(cited("5.1-07", "2.3-05")...)
	}
	add("ends_while_flushing", "a Terminate of the peer while the platform flushes; the stream is opened again after its answer: nothing is left", func(t *T) {
		t.silence()
		t.flush(0, target, 0, 64, bothFlags)
		t.rest()
		t.in(0, wire.AppendTerminate(nil, wire.Terminate{}))
		t.answer()
		t.rest()
		t.open(0)
		t.flush(0, shared, 0, 8, bothFlags)
	}).ends()
}

// commitInvalidation tests the Invalidate STag of requests.
func commitInvalidation(l *list) {
	for _, o := range commitOps {
		add := func(key, comment string, write func(t *T), cites ...string) *Case {
			return l.add("commit/invalidate/"+o.name+"/"+key, o.what+" "+comment, flags(o.flag, Invalidation), write).cite(cited(append(cites, "3.1-09", "3.1-04")...)...)
		}
		ask := func(t *T, area string, invalidate uint32) { t.askFor(0, o, t.sinkAt(area, 8, 8), invalidate) }
		add("other", "that invalidates the STag of another region; then a Write there", func(t *T) {
			ask(t, shared, t.area(common).stag())
			t.rest()
			t.write(0, common, 0, pattern(8))
		}).ends()
		add("own", "that invalidates the STag that it names; then a Read there", func(t *T) {
			ask(t, removable, t.area(removable).stag())
			t.rest()
			t.read(0, removable, 0, 8)
		}).ends()
		add("nothing", "that invalidates the STag of another region, alone", func(t *T) { ask(t, shared, t.area(common).stag()) })
		add("then_again", "that invalidates an STag, and then another one that invalidates it too", func(t *T) {
			ask(t, shared, t.area(common).stag())
			t.rest()
			ask(t, shared, t.area(common).stag())
		}).ends()
		add("counted", "that invalidates an STag, counted", func(t *T) {
			ask(t, shared, t.area(common).stag())
			t.reads("invalidations")
		})
		add("send_behind", "and then a Send with Invalidate of the STag that it names", func(t *T) {
			t.receives(0, 1)
			t.askFor(0, o, t.sinkAt(removable, 8, 8), 0)
			t.rest()
			t.part(0, wire.OpSendInv, t.area(removable).stag(), 0, true, pattern(4))
		}, "4-22", "4-48")
		for _, f := range []struct {
			name, what string
			stag       func(t *T) uint32
		}{
			{"row", "an STag whose row is not valid", func(t *T) uint32 { return t.area(unstored).stag() }},
			{"key", "an STag with another key", func(t *T) uint32 { return t.area(common).stag() ^ 1 }},
			{"beyond", "an STag beyond the table", func(*T) uint32 { return 0xFFFF_FF00 }},
			{"right", "the STag that it names, which may not be invalidated", func(t *T) uint32 { return t.area(shared).stag() }},
			{"other_right", "the STag of another region, which may not be invalidated", func(t *T) uint32 { return t.area(target).stag() }},
			{"association", "an STag of another stream", func(t *T) uint32 { return t.area(foreign).stag() }},
			{"domain", "an STag of another domain", func(t *T) uint32 { return t.area(strange).stag() }},
		} {
			add("wrong/"+f.name, "that invalidates "+f.what, func(t *T) {
				t.askFor(0, o, t.sinkAt(shared, 8, 8), f.stag(t))
				t.rest()
				t.write(1, shared, 8, pattern(2)) // nothing was done
			}).ends()
		}
		add("gone", "of a region whose STag is invalidated while it waits for a Flush", func(t *T) {
			t.receives(0, 1)
			t.silence()
			t.flush(0, shared, 0, 8, bothFlags)
			ask(t, common, 0)
			t.rest()
			t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(4))
			t.rest()
			t.answer()
		}, "5.2-04", "4-48").ird(2).ends()
		add("gone_victim", "whose Invalidate STag is invalidated while it waits for a Flush", func(t *T) {
			t.receives(0, 1)
			t.silence()
			t.flush(0, shared, 0, 8, bothFlags)
			ask(t, shared, t.area(common).stag())
			t.rest()
			t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(4))
			t.rest()
			t.answer()
		}, "5.2-04").ird(2).ends().decides("I-92")
	}
	l.add("commit/invalidate/read_gone", "a Read of a region whose STag is invalidated while it waits for a Flush: the Terminate returns no header", flags(RDMAFlush, Invalidation), func(t *T) {
		t.receives(0, 1)
		t.silence()
		t.flush(0, shared, 0, 8, bothFlags)
		t.read(0, common, 0, 8)
		t.rest()
		t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(4))
		t.rest()
		t.answer()
	}).ird(2).ends().cite(cited("5-01", "2.1.1-10")...).decides("I-93")
	l.add("commit/invalidate/mismatch", "a Verify with a wrong hash invalidates nothing", flags(RDMAVerify, Invalidation), func(t *T) {
		t.requests(0, func(msn uint32) []byte {
			return wire.AppendVerifyRequest(nil, msn, t.area(common).stag(), wire.VerifyRequest{Sink: t.sinkAt(target, 0, 8), Hash: pattern(4)})
		})
		t.rest()
		t.write(1, common, 0, pattern(8))
	}).ends().cite(cited("3.1-09")...)
	l.add("commit/invalidate/failed", "a Flush that the platform fails invalidates nothing", flags(RDMAFlush, Invalidation, Platform), func(t *T) {
		t.askFor(0, &aFlush, t.sinkAt(broken, 0, 8), t.area(common).stag())
		t.rest()
		t.write(1, common, 0, pattern(8))
	}).in(failing).ends().cite(cited("3.1-09")...).decides("I-52")
}

// commitCounts runs past the wraps of rings and small counters.
func commitCounts(l *list) {
	l.add("commit/count/requests", fmt.Sprintf("%d requests of all kinds, IRD at a time", pastOctet), flags(Sequence), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.IRD, 64)
			for i := range n {
				switch left - i {
				default:
					t.ask(0, commitOps[(left-i)%3], shared, 8*(i%32))
				case 5, 50, 100:
					t.read(0, target, i, 8)
				case 7, 70, 110:
					t.atomic(0, t.fetchAdd(words, 8*(i%32), 1, 0))
				}
			}
			t.rest()
			left -= n
		}
	}).cite(cited("3.1-18", "2.1-24")...)
	l.add("commit/count/answers", fmt.Sprintf("%d requests of all kinds by this end, and their responses", pastOctet), flags(Sequence), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.ORD, t.Config.SendDepth)
			for i := range n {
				t.postOp(0, commitOps[(left-i)%3])
			}
			for i := range n {
				t.replyTo(0, commitOps[(left-i)%3])
			}
			left -= n
		}
	}).cite(cited("3.1-19", "3.1.3.2-05")...)
	l.add("commit/count/ird", "IRD requests of the extension while the platform is silent, and one more Read", flags(Limit), func(t *T) {
		t.silence()
		for i := range t.Config.IRD {
			t.flush(0, shared, 8*(i%8), 8, bothFlags)
		}
		t.rest()
		t.read(0, target, 0, 8)
		t.rest()
		t.answer()
	}).ends().cite(cited("2.1-24", "3.1.1.1-03")...)
	l.add("commit/count/ird_in_turn", "more than IRD requests of the extension, one at a time; Verifies read octets that no Atomic Write changes", flags(Limit), func(t *T) {
		for i := range 2*t.Config.IRD + 1 {
			o := commitOps[i%3]
			t.ask(0, o, map[bool]string{true: target, false: shared}[o == &aVerify], 8*(i%8))
			t.rest()
		}
	}).cite(cited("2.1-24")...)
	l.add("commit/count/registers", "the counters after requests of the extension in both directions, and an error", flags(Counter), func(t *T) {
		for _, o := range commitOps {
			t.ask(0, o, shared, 0)
			t.rest()
			t.postOp(0, o)
			t.replyTo(0, o)
			t.rest()
		}
		t.verify(0, shared, 0, 8, pattern(3))
		t.reads("segments_received", "segments_in_error", "messages_sent", "segments_sent", "completions", "terminates_sent", "terminate_log", "features")
	}).ends().cite(cited("3-01", "5.1-03")...)
	l.add("commit/count/mismatch", "a completion with a wrong digest is counted", flags(Counter), func(t *T) {
		t.postVerify(0, sink, 0, 8, memory.CRC64NVMe, someDigest, unsignaled)
		t.replies(0, func(msn uint32) []byte { return wire.AppendVerifyResponse(nil, msn, pattern(9)[1:]) })
		t.reads("completions", "segments_in_error")
	}).ends()
}
