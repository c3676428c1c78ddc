package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitLimits tests that requests of the extension count in ORD and are held by it, long segments, and high MSNs.
func commitLimits(l *list) {
	ord := l.config.ORD
	// asker is a request of this end on queue 1 of any kind, with its response.
	type asker struct {
		name, what string
		post       func(t *T, i int) uint32
		reply      func(t *T, id uint32, i int)
	}
	others := []asker{
		{"read", "an RDMA Read", func(t *T, i int) uint32 { return t.postRead(0, sink, 64+8*(i%32), 8) },
			func(t *T, _ uint32, i int) { t.readResponse(0, sink, 64+8*(i%32), true, pattern(8)) }},
		{"atomic", "an Atomic", func(t *T, i int) uint32 { return t.postAtomic(0, sink, 64+8*(i%32), rdmap.Operands{Data: 1}) },
			func(t *T, id uint32, _ int) { t.atomicResponse(0, id, data) }},
	}
	for _, o := range commitOps {
		one := asker{o.name, o.what, func(t *T, _ int) uint32 { return t.postOp(0, o) }, func(t *T, _ uint32, _ int) { t.replyTo(0, o) }}
		add := func(first, last asker) {
			l.add("commit/ord/"+first.name+"/"+last.name, fmt.Sprintf("%s as often as ORD permits, and %s: it is not sent before a response arrives", first.what, last.what), flags(Limit, o.flag), func(t *T) {
				var ids []uint32
				for i := range ord {
					ids = append(ids, first.post(t, i))
				}
				id := last.post(t, ord)
				t.reads("segments_sent")
				first.reply(t, ids[0], 0)
				t.reads("segments_sent")
				for i := 1; i < ord; i++ {
					first.reply(t, ids[i], i)
				}
				last.reply(t, id, ord)
			}).depth(ord + 1).cite(cited("2.1-24", "3.1.1.1-03", "3.1.2.1-03", "3.1.3.1-03")...).decides("I-11")
		}
		add(one, one)
		for _, other := range others {
			add(one, other)
			add(other, one)
		}
	}
	l.add("commit/ord/behind", "a Write and a Send after a Flush that waits for ORD: they are not sent before it", flags(Limit, RDMAFlush), func(t *T) {
		for range ord + 1 {
			t.postOp(0, &aFlush)
		}
		t.postWrite(0, source, 0, 8)
		t.postSend(0, wire.OpSend, source, 0, 8)
		t.reads("segments_sent")
		t.replyTo(0, &aFlush)
		t.reads("segments_sent")
		for range ord {
			t.replyTo(0, &aFlush)
		}
	}).depth(ord + 3).cite(cited("2.1-24")...)
	for _, e := range []struct {
		name, what string
		end        func(t *T)
	}{
		{"error", "a segment in error", func(t *T) { t.write(0, private, 0, pattern(1)) }},
		{"terminate", "a Terminate of the peer", func(t *T) { t.in(0, wire.AppendTerminate(nil, wire.Terminate{})) }},
	} {
		l.add("commit/ord/ends/"+e.name, "requests of the extension that wait for ORD, and then "+e.what+": those are never sent", flags(Limit, Flush), func(t *T) {
			for i := range ord + 3 {
				t.postOp(0, commitOps[i%3])
			}
			t.reads("segments_sent")
			e.end(t)
			t.reads("segments_sent")
		}).depth(ord + 3).cite(cited("2.1-24", "5.1-07")...).ends()
	}
	for i, name := range []string{"below", "at", "above"} {
		d := i - 1
		n := l.config.MaxPayload + d
		l.add("commit/payload/verify_request/"+name, fmt.Sprintf("an RDMA Verify with so long a hash that its payload has max_payload%+d octets", d), flags(RDMAVerify, WrongLength, MaxLength), func(t *T) {
			t.verify(0, shared, 0, 8, pattern(n-16))
		}).ends().cite(cited("3.1.2.1-07")...)
		l.add("commit/payload/verify_response/"+name, fmt.Sprintf("a Verify Response of max_payload%+d octets", d), flags(RDMAVerify, WrongAnswer, MaxLength), func(t *T) {
			t.postOp(0, &aVerify)
			t.in(0, wire.AppendVerifyResponse(nil, 1, pattern(n)))
		}).ends().cite(cited("5.1-05")...)
	}
	const far = 1<<10 + 3
	l.add("commit/msn/requests", fmt.Sprintf("%d Flushes of the peer, IRD at a time, and then one with the MSN modulo 2^10", far), flags(Sequence, RDMAFlush), func(t *T) {
		for i := range far {
			t.flush(0, shared, 0, 0, bothFlags)
			if (i+1)%min(t.Config.IRD, 16) == 0 {
				t.rest()
			}
		}
		t.rest()
		t.in(0, aFlush.segment(t.msn(0, wire.QueueRequest)&(1<<10-1), 0, t.sinkAt(shared, 0, 8)))
	}).ends().cite(cited("3.1-18")...).decides("I-20")
	l.add("commit/msn/responses", fmt.Sprintf("%d Flushes of this end and their responses, and then one with the MSN modulo 2^10", far), flags(Sequence, RDMAFlush), func(t *T) {
		for left := far; left > 0; {
			n := min(left, t.Config.ORD, t.Config.SendDepth)
			for range n {
				t.postOp(0, &aFlush, unsignaled)
			}
			for range n {
				t.replyTo(0, &aFlush)
			}
			left -= n
		}
		t.postOp(0, &aFlush)
		t.in(0, replyOf(wire.OpFlushResponse, t.msn(0, wire.QueueAtomicResponse)&(1<<10-1)))
	}).ends().cite(cited("3.1-19")...)
}
