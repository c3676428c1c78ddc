package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitPlatform tests flushes that the platform answers late, in another order or with a failure, and failing memory.
func commitPlatform(l *list) {
	add := func(key, comment string, write func(t *T), cites ...string) *Case {
		return l.add("commit/platform/"+key, comment, flags(Platform, RDMAFlush), write).cite(cited(cites...)...)
	}
	counted := func(t *T) { // responses so far
		t.reads("segments_sent")
	}
	for _, f := range []wire.Disposition{wire.Persistence, wire.GlobalVisibility, bothFlags} {
		add(fmt.Sprintf("late/flags_%d", f), fmt.Sprintf("a Flush with flags %d, which the platform answers late: nothing is sent before", f), func(t *T) {
			t.silence()
			t.write(0, target, 3, pattern(40))
			t.flush(0, target, 3, 40, f)
			counted(t)
			t.answer()
			t.rest()
			counted(t)
		}, "2.1-15", "3.1.1-03", "3.1.1-05", "3.1.1.3-08", "2.1-04", "2-06", "2-07", "2-01", "2-02", "3.1.1.2-04", "2.1.1-04")
	}
	add("late/nothing", "a Flush of no octets is answered although the platform is silent", func(t *T) {
		t.silence()
		t.flush(0, target, 3, 0, bothFlags)
		counted(t)
		t.answer()
	}, "3.1.1.1-07").decides("I-20")
	add("late/order", "requests of all kinds after a Flush that the platform answers late: nothing is sent or placed before", func(t *T) {
		t.silence()
		t.flush(0, target, 3, 40, bothFlags)
		t.atomicWrite(0, words, 8, data)
		t.verify(0, bottom, 3, 40, nil)
		t.atomic(0, t.fetchAdd(words, 16, 1, 0))
		t.read(0, words, 8, 8)
		counted(t)
		t.answer()
	}, "2.2-05", "3.1.3-02", "3.1.3.1-13", "4-37", "4-38", "4-25", "4-24", "4-36", "2.1-24").ird(5)
	add("late/others", "Writes, a Send and Immediate Data after such a Flush: they are not held", func(t *T) {
		t.receives(0, 2)
		t.silence()
		t.flush(0, target, 3, 40, bothFlags)
		t.write(0, shared, 0, pattern(16))
		t.send(0, wire.OpSend, pattern(20))
		t.immediate(0, true, data)
		t.reads("completions")
		t.answer()
	}, "4-21", "4-22", "4-23", "3.2.2-01").decides("I-59")
	add("late/streams", "Flushes of all streams of the group at once, answered in any order", func(t *T) {
		t.silence()
		for i := range min(4, t.Config.IRD) {
			for s := range t.layout.Streams {
				t.flush(s, shared, 16*s+4*i, 4+s, bothFlags)
			}
		}
		t.rest()
		t.answer()
	}, "2.1-06")
	add("late/other_stream", "one stream waits for the platform, and another one does all the rest", func(t *T) {
		t.silence()
		t.flush(0, target, 3, 40, bothFlags)
		t.ask(1, &aVerify, shared, 0)
		t.ask(1, &anAtomicWord, shared, 64)
		t.read(1, target, 0, 8)
		counted(t)
		t.answer()
	}).ird(3)
	add("late/requester", "a Flush of the peer waits for the platform while this end sends", func(t *T) {
		t.silence()
		t.flush(0, target, 3, 40, bothFlags)
		t.postWrite(0, source, 0, 8)
		t.postOp(0, &anAtomicWord)
		counted(t)
		t.answer()
	})

	failed := func(key, comment string, write func(t *T), cites ...string) *Case {
		return add("fails/"+key, comment, write, append(cites, "2.1-21", "2.1-22", "3.1.1-04", "3.1.1.2-05", "5.1-06", "5.1-07", "2.1-19", "5.2-04")...).in(failing).ends()
	}
	for _, f := range []wire.Disposition{wire.Persistence, wire.GlobalVisibility, bothFlags} {
		failed(fmt.Sprintf("flags_%d", f), fmt.Sprintf("the platform fails a Flush with flags %d", f), func(t *T) { t.flush(0, broken, 8, 16, f) })
	}
	failed("last_octet", "the platform fails a Flush of which only the last octet is faulty", func(t *T) {
		b := t.area(broken).Region
		b.Address, b.Length = b.Address-16, 64
		t.lay(near, b)
		t.flush(0, near, 0, 17, bothFlags)
	})
	failed("not_touched", "a Flush that ends one octet before the faulty ones succeeds, and the next one fails", func(t *T) {
		b := t.area(broken).Region
		b.Address, b.Length = b.Address-16, 64
		t.lay(near, b)
		t.flush(0, near, 0, 16, bothFlags)
		t.rest()
		t.flush(0, near, 16, 1, bothFlags)
	})
	failed("late", "the platform fails a Flush late, and later requests of all kinds wait: they have no effect", func(t *T) {
		t.silence()
		t.flush(0, broken, 0, 16, bothFlags)
		t.atomicWrite(0, words, 8, data)
		t.verify(0, shared, 0, 16, nil)
		t.flush(0, shared, 0, 16, bothFlags)
		t.atomic(0, t.fetchAdd(words, 16, 1, 0))
		t.read(0, words, 8, 8)
		counted(t)
		t.answer()
	}, "4-38", "4-45", "2.3-04", "3.1.3.1-13", "2.2-01").ird(6)
	failed("after_others", "a Flush that succeeds, a Read and a FetchAdd, and then one that the platform fails", func(t *T) {
		t.flush(0, shared, 0, 16, bothFlags)
		t.read(0, target, 0, 100)
		t.atomic(0, t.fetchAdd(words, 16, 1, 0))
		t.flush(0, broken, 0, 16, bothFlags)
	}, "5.1-04").ird(4)
	failed("one_of_two", "the platform fails the Flush of one stream, and not that of another", func(t *T) {
		t.silence()
		t.flush(0, broken, 0, 16, bothFlags)
		t.flush(1, shared, 0, 16, bothFlags)
		t.rest()
		t.answer()
		t.rest()
		t.flush(1, shared, 16, 16, bothFlags)
	})
	failed("reopened", "the stream is reopened after a failed Flush, and flushes again", func(t *T) {
		t.flush(0, broken, 0, 16, bothFlags)
		t.again(0)
		t.flush(0, shared, 0, 16, bothFlags)
	}, "2.3-05")
	failed("with_work", "a failed Flush of the peer flushes the work requests of this end", func(t *T) {
		t.postOp(0, &aFlush)
		t.postOp(0, &anAtomicWord)
		t.flush(0, broken, 0, 16, bothFlags)
		t.rest()
		t.postOp(0, &aVerify)
	}).depth(3)

	faulty := func(key, comment, flag string, write func(t *T)) *Case {
		return l.add("commit/memory/"+key, comment, flags(MemoryError, flag), write).in(failing).ends().cite(cited("5.1-06", "5.1-07", "5.2-04", "3.1.2-03", "3.1.3-04", "4-45")...)
	}
	faulty("verify", "a Verify of octets that cannot be read", RDMAVerify, func(t *T) { t.verify(0, broken, 0, 16, nil) })
	faulty("verify/expected", "a Verify of octets that cannot be read, with the hash that they have", RDMAVerify, func(t *T) { t.verify(0, broken, 0, 16, t.digest(broken, 0, 16)) })
	faulty("verify/last", "a Verify of which only the last octets cannot be read", RDMAVerify, func(t *T) {
		b := t.area(broken).Region
		b.Address, b.Length = b.Address-100, 128
		t.lay(near, b)
		t.verify(0, near, 0, 101, nil)
	})
	faulty("atomic_write", "an Atomic Write of octets that cannot be written", AtomicWrite, func(t *T) { t.atomicWrite(0, broken, 8, data) })
	faulty("verify/behind", "the same with requests after it, which have no effect", RDMAVerify, func(t *T) {
		t.verify(0, broken, 0, 16, nil)
		t.rest()
		t.atomicWrite(0, words, 8, data)
		t.flush(0, shared, 0, 8, bothFlags)
	})
	faulty("atomic_write/others", "an Atomic Write that fails; another stream continues", AtomicWrite, func(t *T) {
		t.atomicWrite(0, broken, 8, data)
		t.rest()
		t.atomicWrite(1, shared, 8, data)
		t.verify(1, target, 0, 100, nil)
	}).ird(2)
	faulty("verify_response", "a Verify Response whose digest cannot be written", RDMAVerify, func(t *T) {
		t.postVerify(0, broken, 0, 8, memory.CRC64NVMe, nil)
		t.replyTo(0, &aVerify)
	})
}
