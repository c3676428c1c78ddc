package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// newKey are the bits of a key that change.
const newKey = 0x21

// commitEnds tests streams that end in two ways at once, and rows that change while requests are executed or wait.
func commitEnds(l *list) {
	pending := func(t *T, name string) { // a Flush, and requests that wait for it
		t.silence()
		t.flush(0, name, 0, 16, bothFlags)
		t.atomicWrite(0, words, 8, data)
		t.verify(0, shared, 0, 16, nil)
		t.atomic(0, t.fetchAdd(words, 16, 1, 0))
		t.read(0, words, 8, 8)
		t.rest()
	}
	for _, e := range []struct {
		name, what string
		end        func(t *T)
		ends       bool
	}{
		{"terminate", "a Terminate of the peer", func(t *T) { t.in(0, wire.AppendTerminate(nil, wire.Terminate{})) }, true},
		{"error", "a segment in error", func(t *T) { t.write(0, private, 0, pattern(1)) }, true},
		{"refused", "a request in error", func(t *T) { t.atomicWrite(0, shared, 20, data) }, true},
		{"shut", "the stream is shut", func(t *T) { t.shut(0) }, false},
	} {
		for _, a := range []struct{ name, area, what string }{{"succeeds", shared, "then the Flush succeeds"}, {"fails", broken, "then the Flush fails"}} {
			c := l.add("commit/ends/"+e.name+"/"+a.name, "requests of all kinds wait for a Flush; "+e.what+" meanwhile, "+a.what+": another stream sees which of them took effect", flags(Platform, RDMAFlush, AfterError), func(t *T) {
				pending(t, a.area)
				e.end(t)
				t.reads("segments_sent")
				t.answer()
				t.rest()
				t.read(1, alias, 0, 32)
				t.reads("segments_sent", "terminates_sent")
			}).in(failing).ird(6).cite(cited("5.1-07", "2.3-05", "4-45")...)
			c.Ends = e.ends
		}
	}
	l.add("commit/ends/reopened", "requests wait for a Flush that the platform fails late; the stream is opened again: nothing of them is left", flags(Platform, RDMAFlush, NewLife), func(t *T) {
		pending(t, broken)
		t.answer()
		t.rest()
		t.open(0)
		for _, o := range commitOps {
			t.ask(0, o, shared, 64)
		}
		t.rest()
		t.reads("segments_sent", "terminates_sent")
	}).in(failing).ird(5).ends().cite(cited("2.3-05")...)

	// Rows that change, by another stream and by the host.
	changes := []struct {
		name, what string
		change     func(t *T)
	}{
		{"own_stream", "a Send of the same stream invalidates it", func(t *T) {
			t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(4))
		}},
		{"other_stream", "another stream invalidates it", func(t *T) {
			t.part(1, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(4))
		}},
		{"other_request", "a Verify of another stream invalidates it", func(t *T) { t.askFor(1, &aVerify, t.sinkAt(shared, 0, 8), t.area(common).stag()) }},
		{"host", "the host invalidates it", func(t *T) { t.store(common, func(r *memory.Region) { r.Rights = 0 }) }},
		{"key", "the host gives it another key", func(t *T) { t.store(common, func(r *memory.Region) { r.Key ^= newKey }) }},
	}
	for _, c := range changes {
		change := func(t *T) {
			c.change(t)
			t.rest()
			t.answer()
		}
		l.add("commit/gone/executing/"+c.name, "an RDMA Flush of a region that the platform flushes; "+c.what+" meanwhile: it continues", flags(RDMAFlush, Platform, Invalidation), func(t *T) {
			t.receives(0, 1)
			t.receives(1, 1)
			t.silence()
			t.flush(0, common, 0, 8, bothFlags)
			t.rest()
			change(t)
		}).cite(cited("5.2-04")...).decides("I-56")
		l.add("commit/gone_victim/executing/"+c.name, "an RDMA Flush that the platform executes; the STag that it is to invalidate is valid no longer: "+c.what+"; it is answered", flags(RDMAFlush, Platform, Invalidation), func(t *T) {
			t.receives(0, 1)
			t.receives(1, 1)
			t.silence()
			t.askFor(0, &aFlush, t.sinkAt(shared, 0, 8), t.area(common).stag())
			t.rest()
			change(t)
			t.reads("invalidations")
			if c.name == "key" { // the new STag remains
				a := t.area(common)
				t.in(1, wire.AppendWrite(nil, a.stag()^newKey, a.to(0), true, pattern(8)))
			}
		}).cite(cited("3.1-09")...).decides("I-56", "I-92")
		if c.name == "own_stream" { // commitInvalidation has the others
			continue
		}
		for _, o := range commitOps {
			l.add("commit/gone/"+o.name+"/"+c.name, o.what+" that waits for a Flush; its region is valid no longer: "+c.what, flags(o.flag, Platform, Invalidation), func(t *T) {
				t.receives(1, 1)
				t.silence()
				t.flush(0, shared, 0, 8, bothFlags)
				t.ask(0, o, common, 8)
				t.rest()
				change(t)
			}).ird(2).ends().cite(cited("5.2-04")...).decides("I-56")
		}
		l.add("commit/gone_victim/"+c.name, "an Atomic Write that waits for a Flush; the STag that it is to invalidate is valid no longer: "+c.what, flags(AtomicWrite, Platform, Invalidation), func(t *T) {
			t.receives(1, 1)
			t.silence()
			t.flush(0, shared, 0, 8, bothFlags)
			t.askFor(0, &anAtomicWord, t.sinkAt(shared, 8, 8), t.area(common).stag())
			t.rest()
			change(t)
		}).ird(2).ends().cite(cited("5.2-04")...).decides("I-92")
	}
}
