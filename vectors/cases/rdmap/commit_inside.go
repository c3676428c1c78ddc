package rdmap

import "github.com/rnicgen/rnicgen/model/wire"

// commitInside tests messages of the extension that start while another message of their stream is incomplete: requests
// wait for it (I-77), responses are refused (I-78).
func commitInside(l *list) {
	const half = 20
	around := outers(pattern(2 * half))
	send, write, response := around[0], around[4], around[5]
	for _, a := range around {
		for _, o := range commitOps {
			l.add("commit/inside/"+a.name+"/"+o.name, o.what+" inside "+a.what+": nothing is done or sent before that is complete", flags(o.flag, Ordering, MultiSegment), func(t *T) {
				a.begin(t)
				t.ask(0, o, shared, 64)
				t.reads("segments_sent")
				t.ask(1, &aVerify, shared, 64) // the octets of that time
				t.rest()
				a.end(t)
				t.rest()
				t.reads("segments_sent")
			}).ordered().cite(cited("4-47", "3.1.1-02", "3.1.2-02", "3.1.3-02")...).decides("I-77")
		}
	}
	for _, a := range []outer{send, write, response} {
		for _, o := range commitOps {
			l.add("commit/inside/"+a.name+"/"+o.name+"/stream_ends", o.what+" inside "+a.what+", then a segment in error: it is never executed", flags(o.flag, Ordering, MultiSegment, AfterError), func(t *T) {
				a.begin(t)
				t.ask(0, o, shared, 64)
				t.rest()
				t.in(0, []byte{0})
			}).cite(cited("4-47")...).decides("I-77").ends()
		}
		l.add("commit/inside/"+a.name+"/terminate", "a Terminate of the peer inside "+a.what+" with requests of the extension inside: none is executed", flags(Ordering, MultiSegment, TerminateIn), func(t *T) {
			a.begin(t)
			for _, o := range commitOps {
				t.ask(0, o, shared, 64)
			}
			t.rest()
			t.in(0, wire.AppendTerminate(nil, wire.Terminate{}))
		}).ird(3).decides("I-77").ends()
	}
	l.add("commit/inside/waiting_flush", "a Write and a Flush inside a Send while the platform is silent: the platform is asked when the Send is complete", flags(RDMAFlush, Ordering, MultiSegment, Platform), func(t *T) {
		t.silence()
		send.begin(t)
		t.write(0, shared, 64, pattern(8))
		t.ask(0, &aFlush, shared, 64)
		t.ask(0, &anAtomicWord, shared, 72)
		t.rest()
		send.end(t)
		t.rest()
		t.reads("segments_sent")
		t.answer()
	}).ird(2).cite(cited("4-47")...).decides("I-77")
	for _, a := range []outer{send, write} {
		for _, o := range commitOps {
			l.add("commit/inside/refused/"+o.name+"_response_in_"+a.name, "the response to "+o.what+" inside "+a.what+", which would be delivered first", flags(o.flag, Ordering, MultiSegment, OtherOpcode), func(t *T) {
				t.postOp(0, o)
				a.begin(t)
				t.replyTo(0, o)
			}).ends().cite(cited("5.1-05", "3.1.3.2-05")...).decides("I-78")
		}
	}
}
