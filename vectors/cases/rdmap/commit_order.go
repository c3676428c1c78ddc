package rdmap

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/wire"
)

// mover is a message on stream 0 that uses the words 8 to 11 of the areas words and alias as far as it can. Octets that
// have not been flushed have no defined digest, so a Verify names the region that is not persistent (I-54).
type mover struct {
	operation ordering.Operation
	name      string
	send      func(t *T)
	receives  bool // needs a receive request
	queued    bool // on queue 1
}

var movers = []mover{
	{ordering.Write, "write", func(t *T) { t.write(0, words, 64, pattern(32)) }, false, false},
	{ordering.Send, "send", func(t *T) { t.send(0, wire.OpSend, pattern(60)) }, true, false},
	{ordering.Send, "send_se", func(t *T) { t.send(0, wire.OpSendSE, pattern(60)) }, true, false},
	{ordering.Send, "send_inv", func(t *T) { t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(60)) }, true, false},
	{ordering.Send, "send_se_inv", func(t *T) { t.part(0, wire.OpSendSEInv, t.area(common).stag(), 0, true, pattern(60)) }, true, false},
	{ordering.Immediate, "immediate", func(t *T) { t.immediate(0, false, data) }, true, false},
	{ordering.Immediate, "immediate_se", func(t *T) { t.immediate(0, true, data) }, true, false},
	{ordering.Read, "read", func(t *T) { t.read(0, words, 64, 32) }, false, true},
	{ordering.Atomic, "atomic", func(t *T) { t.atomic(0, t.fetchAdd(words, 72, 0x0101_0101, 0)) }, false, true},
	{ordering.Flush, "flush", func(t *T) { t.flush(0, words, 64, 32, wire.Persistence) }, false, true},
	{ordering.Verify, "verify", func(t *T) { t.verify(0, alias, 64, 32, nil) }, false, true},
	{ordering.AtomicWrite, "atomic_write", func(t *T) { t.atomicWrite(0, words, 72, data) }, false, true},
}

// commitOrder tests every pair of messages of which one is of the extension, with what is in memory at each outcome.
func commitOrder(l *list) {
	rows := map[[2]ordering.Operation]string{}
	for _, r := range ordering.CommitRows {
		rows[[2]ordering.Operation{r.First, r.Second}] = r.Requirement
	}
	for _, first := range movers {
		for _, second := range movers {
			row, is := rows[[2]ordering.Operation{first.operation, second.operation}]
			if !is {
				continue
			}
			// A later Write may pass, so that it must not change what the first reads or writes.
			send := second.send
			if second.operation == ordering.Write {
				send = func(t *T) { t.write(0, target, 64, pattern(32)) }
			}
			more := []string{"3.1.1.3-13", "3.1.1.3-01", "3.1.2.3-01", "4-01"}
			if first.operation == ordering.Send {
				more = append(more, "4-02")
			}
			if first.operation == ordering.Immediate {
				more = append(more, "4-03")
			}
			if first.operation == ordering.Verify || second.operation == ordering.Verify {
				more = append(more, "2-11", "3.1.2.3-04")
			}
			c := l.add("commit/order/"+first.name+"/"+second.name, fmt.Sprintf("%s and then %s: the state at the time of the outcomes", first.operation, second.operation)+variant(&first, &second),
				flags(Pipeline, Ordering), func(t *T) {
					for _, m := range []mover{first, second} {
						if m.receives {
							t.receive(0, sink, 3, 60)
						}
					}
					first.send(t)
					send(t)
				}).ordered().cite(append(cited(more...), row)...).decides("I-21")
			if first.queued && second.queued {
				c.ird(2)
			}
			if !second.queued {
				c.decides("I-59")
			}
		}
	}
	l.add("commit/order/all", "a message of every kind on one stream without a pause, twice", flags(Pipeline, Ordering), func(t *T) {
		for range 2 {
			for _, m := range movers {
				if m.receives && !strings.HasSuffix(m.name, "_inv") {
					t.receive(0, sink, 3, 60)
				}
			}
			for _, m := range movers {
				if !strings.HasSuffix(m.name, "_inv") {
					m.send(t)
				}
			}
			t.rest()
		}
	}).ird(5).depth(4).cite(cited("3.1.2.3-04", "2-11", "4-47")...).decides("I-21")
	for _, o := range commitOps {
		l.add("commit/order/in_message/"+o.name, o.what+" between the segments of a Send waits for its end", flags(Pipeline, Ordering), func(t *T) {
			t.receive(0, sink, 3, 60)
			t.part(0, wire.OpSend, 0, 0, false, pattern(30))
			t.ask(0, o, shared, 64)
			t.part(0, wire.OpSend, 0, 30, true, pattern(30))
		}).cite(cited("4-47", "3.1.1-02", "3.1.2-02", "3.1.3-02")...).decides("I-77")
	}
}

func variant(a, b *mover) string { return fmt.Sprintf(" (%s, %s)", a.name, b.name) }

// commitPipelines tests Write, Flush, Verify and Atomic Write, the use for which the extension is made.
func commitPipelines(l *list) {
	add := func(key, comment string, write func(t *T), cites ...string) *Case {
		return l.add("commit/pipeline/"+key, comment, flags(Pipeline), write).cite(cited(cites...)...)
	}
	// room waits if the next request would exceed IRD.
	room := func(t *T) {
		if t.Config.IRD == 1 {
			t.rest()
		}
	}
	pipeline := func(t *T, wrong string) {
		octets := pattern(100)
		digest := digestOf(t.area(target).Region.Attributes.Hash, octets)
		t.write(0, target, 40, octets)
		flushed := target
		if wrong == "flush" {
			flushed = private
		}
		t.flush(0, flushed, 40, 20, bothFlags)
		t.rest()
		t.flush(0, target, 40, 100, bothFlags)
		if wrong == "verify" {
			digest[2] ^= 4
		}
		room(t)
		t.verify(0, target, 40, 100, digest)
		t.rest()
		if wrong == "atomic_write" {
			t.atomicWrite(0, words, 12, data)
			room(t)
		}
		t.atomicWrite(0, words, 8, data)
	}
	add("success", "Write, Flush, Verify and Atomic Write", func(t *T) { pipeline(t, "") }, "2-12", "2-13", "2.2-01", "2.2-06", "3.1.1-08", "3.1.2.3-05", "2-08").ordered()
	for _, wrong := range []string{"flush", "verify", "atomic_write"} {
		add("fails/"+wrong, "the same with an error in the "+wrong+": the last Atomic Write has no effect", func(t *T) { pipeline(t, wrong) },
			"2.3-04", "2.2-01", "2.2-06", "4-45", "5.1-07", "2.3-05").ends()
	}
	for _, f := range []wire.Disposition{wire.Persistence, wire.GlobalVisibility, bothFlags} {
		add(fmt.Sprintf("flags_%d", f), fmt.Sprintf("Write, Flush with flags %d and Atomic Write", f), func(t *T) {
			t.write(0, target, 40, pattern(200))
			t.flush(0, target, 40, 200, f)
			room(t)
			t.atomicWrite(0, words, 8, data)
		}, "2-09", "2.2-05", "3.1.3-02", "3.1.3.1-13", "3.1.1-08").ordered()
	}
	add("twice", "a Flush of octets that are flushed already", func(t *T) {
		t.write(0, target, 40, pattern(64))
		t.flush(0, target, 40, 64, bothFlags)
		t.rest()
		t.flush(0, target, 40, 64, bothFlags)
	}, "3.1.1.3-09")
	add("mixed/wrong_hash", "a wrong hash, and after it requests of all kinds without a pause: they have no effect", func(t *T) {
		t.verify(0, shared, 0, 200, pattern(32))
		t.atomicWrite(0, shared, 8, data)
		t.flush(0, shared, 0, 8, bothFlags)
		t.atomic(0, t.fetchAdd(shared, 16, 1, 0))
		t.read(0, target, 0, 8)
	}, "4-45", "4-41", "4-40", "2.3-04", "5.1-07").ird(5).ends()
	add("mixed/wrong_hash_between", "a Read, an Atomic Write and a FetchAdd before a wrong hash, and the same after it", func(t *T) {
		for i := range 2 {
			t.read(0, target, 0, 100)
			t.atomicWrite(0, words, 8+64*i, data)
			t.atomic(0, t.fetchAdd(words, 16+64*i, 1, 0))
			if i == 0 {
				t.verify(0, shared, 0, 200, pattern(32))
			}
		}
	}, "4-45", "4-41", "5.1-04").ird(7).ends()
	add("mixed/refused_write", "a misaligned Atomic Write, and after it requests of all kinds without a pause", func(t *T) {
		t.atomicWrite(0, shared, 8, data)
		t.atomicWrite(0, shared, 20, data)
		t.atomicWrite(0, shared, 24, data)
		t.flush(0, shared, 0, 8, bothFlags)
		t.write(0, shared, 32, pattern(8))
	}, "4-45", "3.1.3.1-15").ird(4).ends()
}
