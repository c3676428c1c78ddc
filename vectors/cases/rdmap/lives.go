package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// life is a piece of state of a stream that ends, and a check that it is gone when the stream is reopened.
type life struct {
	name, what string
	before     func(t *T)
	after      func(t *T)
	ends       bool // the reopened stream ends too
	depth      int
}

// lives returns all of them, for an ORD.
func lives(ord int) []life {
	return []life{
		{name: "half_send", what: "half a Send has been received", before: func(t *T) {
			t.receives(0, 2)
			t.part(0, wire.OpSend, 0, 0, false, pattern(9))
		}, after: func(t *T) {
			t.receives(0, 1)
			t.part(0, wire.OpSendSE, 0, 0, false, pattern(5))
			t.part(0, wire.OpSendSE, 0, 5, true, pattern(7))
		}},
		{name: "half_send_goes_on", what: "half a Send has been received, and its other half arrives afterwards", before: func(t *T) {
			t.receives(0, 2)
			t.part(0, wire.OpSend, 0, 0, false, pattern(9))
		}, after: func(t *T) {
			t.receives(0, 1)
			t.part(0, wire.OpSend, 0, 9, true, pattern(7))
		}, ends: true},
		{name: "half_read_response", what: "half a Read Response has been received", before: func(t *T) {
			t.postRead(0, sink, 0, 8)
			t.readResponse(0, sink, 0, false, pattern(4))
		}, after: func(t *T) {
			t.postRead(0, sink, 16, 12)
			t.readResponse(0, sink, 16, false, pattern(8))
			t.readResponse(0, sink, 24, true, pattern(4))
		}},
		{name: "awaited_read", what: "a Read of this end is outstanding, and the response arrives afterwards", before: func(t *T) { t.postRead(0, sink, 0, 8) },
			after: func(t *T) { t.readResponse(0, sink, 0, true, pattern(8)) }, ends: true},
		{name: "awaited_atomic", what: "an Atomic of this end is outstanding, and the response arrives afterwards", before: func(t *T) { t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1}) },
			after: func(t *T) { t.atomicResponse(0, 1, data) }, ends: true},
		{name: "awaited_in_turn", what: "a Read of this end is outstanding, and afterwards an Atomic is the oldest", before: func(t *T) { t.postRead(0, sink, 0, 8) },
			after: func(t *T) {
				id := t.postAtomic(0, sink, 8, rdmap.Operands{Data: 1})
				t.atomicResponse(0, id, data)
				t.postRead(0, sink, 16, 8)
				t.readResponse(0, sink, 16, true, pattern(8))
			}},
		{name: "ord", what: "ORD requests of this end are outstanding", before: func(t *T) {
			for i := range t.Config.ORD {
				t.postRead(0, sink, 8*(i%64), 8)
			}
		}, after: func(t *T) {
			for i := range t.Config.ORD {
				t.postRead(0, sink, 8*(i%64), 8)
			}
			for i := range t.Config.ORD {
				t.readResponse(0, sink, 8*(i%64), true, pattern(8))
			}
		}, depth: ord},
		{name: "ird", what: "requests of the peer were answered, and afterwards IRD arrive at once", before: func(t *T) {
			for range min(17, 2*t.Config.IRD+1) {
				t.read(0, target, 0, 8)
				t.rest()
			}
		}, after: func(t *T) {
			t.hold()
			for i := range t.Config.IRD {
				t.read(0, target, i, 8)
			}
			t.release()
		}},
		{name: "ird_exceeded", what: "requests of the peer were answered, and afterwards one more than IRD arrives", before: func(t *T) {
			for range min(17, 2*t.Config.IRD+1) {
				t.read(0, target, 0, 8)
				t.rest()
			}
		}, after: func(t *T) {
			t.hold()
			for i := range t.Config.IRD {
				t.read(0, target, i, 8)
			}
			t.rest()
			t.read(0, target, 0, 8)
			t.release()
		}, ends: true},
		{name: "msn/sends", what: "Sends have been received on QN 0", before: func(t *T) {
			t.receives(0, 3)
			for range 3 {
				t.send(0, wire.OpSend, pattern(3))
			}
		}, after: func(t *T) { t.receives(0, 2); t.send(0, wire.OpSend, pattern(4)); t.immediate(0, true, data) }, depth: 3},
		{name: "msn/sends_go_on", what: "Sends have been received on QN 0, and afterwards one with the next MSN arrives", before: func(t *T) {
			t.receives(0, 3)
			for range 3 {
				t.send(0, wire.OpSend, pattern(3))
			}
		}, after: func(t *T) {
			t.receives(0, 2)
			t.in(0, wire.AppendSend(nil, wire.OpSend, 0, 4, 0, true, pattern(4)))
		}, ends: true, depth: 3},
		{name: "msn/requests", what: "Reads and Atomics have been received on QN 1", before: func(t *T) {
			for range 3 {
				t.read(0, target, 0, 8)
				t.rest()
				t.atomic(0, t.fetchAdd(words, 0, 1, 0))
				t.rest()
			}
		}, after: func(t *T) {
			t.atomic(0, t.fetchAdd(words, 8, 1, 0)) // its response has MSN 1
			t.rest()
			t.read(0, target, 0, 8)
		}},
		{name: "msn/answers", what: "Atomic Responses have been received on QN 3", before: func(t *T) {
			for i := range 3 {
				id := t.postAtomic(0, sink, 8*i, rdmap.Operands{Data: 1})
				t.atomicResponse(0, id, data)
			}
		}, after: func(t *T) {
			id := t.postAtomic(0, sink, 32, rdmap.Operands{Data: 1})
			t.atomicResponse(0, id, ^uint64(data))
		}},
		{name: "msn/out", what: "Sends, Reads and Atomics have been sent", before: func(t *T) {
			for i := range 3 {
				t.postSend(0, wire.OpSend, source, 0, 8)
				t.rest()
				t.postRead(0, sink, 0, 8)
				t.readResponse(0, sink, 0, true, pattern(8))
				t.postImmediate(0, i%2 == 0, data)
			}
		}, after: func(t *T) {
			t.postImmediate(0, true, data)
			t.rest()
			t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
			t.rest()
			t.postSend(0, wire.OpSendSE, source, 0, 8)
		}},
		{name: "receives", what: "receive requests are posted, and afterwards a Send finds none", before: func(t *T) { t.receives(0, 2) },
			after: func(t *T) { t.send(0, wire.OpSend, pattern(3)) }, ends: true},
		{name: "receives_in_turn", what: "receive requests are posted, and afterwards a Send takes the first of the new ones", before: func(t *T) {
			t.receives(0, t.Config.ReceiveDepth)
			t.send(0, wire.OpSend, pattern(3))
		}, after: func(t *T) {
			for i := range t.Config.ReceiveDepth {
				t.receive(0, sink, 600+8*(i%64), 8)
			}
			for i := range t.Config.ReceiveDepth {
				t.send(0, wire.OpSend, pattern(i%9))
			}
		}},
		{name: "work", what: "work requests wait for ORD, and afterwards as many as fit are posted", before: func(t *T) {
			for i := range t.Config.ORD + 1 {
				t.postRead(0, sink, 8*(i%64), 8)
			}
			t.postWrite(0, source, 0, 8)
		}, after: func(t *T) {
			for i := range t.Config.SendDepth {
				t.postWrite(0, source, 1+i%64, 3)
			}
		}, depth: ord + 2},
		{name: "work_done_behind", what: "a sent Write waits for an outstanding Read, and afterwards another Write completes", before: func(t *T) {
			t.postRead(0, sink, 0, 8)
			t.postWrite(0, source, 0, 8)
		}, after: func(t *T) { t.postWrite(0, source, 8, 8) }},
		{name: "failure", what: "a work request has failed, and afterwards one succeeds and the next fails again", before: func(t *T) { t.postWrite(0, private, 60, 8) },
			after: func(t *T) {
				t.postWrite(0, source, 0, 8)
				t.rest()
				t.postWrite(0, private, 60, 8)
			}, ends: true},
		{name: "terminate", what: "a segment was in error, and afterwards another one is", before: func(t *T) { t.write(0, private, 0, pattern(8)) },
			after: func(t *T) {
				t.read(0, target, 0, 8)
				t.rest()
				t.write(0, strange, 0, pattern(8))
			}, ends: true},
		{name: "domain", what: "it was in another domain", before: func(t *T) { t.write(0, shared, 0, pattern(8)) }, after: func(t *T) {
			t.openIn(0, 0x0F0F)
			t.lay(near, memory.Region{Rights: all, ByDomain: true, Owner: 0x0F0F, Address: t.area(shared).Region.Address, Length: 64, Base: 5})
			t.write(0, near, 8, pattern(8))
			t.write(0, shared, 16, pattern(8))
		}, ends: true},
	}
}

// newLives reopens a stream after each way of ending it, with each piece of state that might remain.
func newLives(l *list) {
	ends := []struct {
		name, what string
		end        func(t *T)
	}{
		{"error", "a segment in error", func(t *T) { t.write(0, private, 0, pattern(1)) }},
		{"terminate", "a Terminate from the peer", func(t *T) { t.in(0, wire.AppendTerminate(nil, wire.Terminate{})) }},
	}
	for _, one := range lives(l.config.ORD) {
		for _, e := range ends {
			l.add("life/"+one.name+"/"+e.name, fmt.Sprintf("a stream that ends by %s is reopened: %s", e.what, one.what), flags(NewLife, StreamSetup), func(t *T) {
				one.before(t)
				t.rest()
				e.end(t)
				t.open(0)
				one.after(t)
			}).ends().depth(one.depth)
		}
	}
	l.add("life/failed_memory", "a stream that ends by a memory error is reopened, and has another memory error", flags(NewLife, MemoryError), func(t *T) {
		for range 3 {
			t.write(0, shared, 0, pattern(20))
			t.rest()
			t.write(0, broken, 3, pattern(20))
			t.open(0)
		}
		t.read(0, broken, 0, 8)
		t.open(0)
		t.atomic(0, t.fetchAdd(shared, 0, 1, 0))
	}).in(failing).ends()
	l.add("life/many", "a stream is opened 40 times and ends with a different error each time, while another stream continues", flags(NewLife, StreamIsolation), func(t *T) {
		for i := range 40 {
			switch i % 4 {
			case 0:
				t.write(0, private, 0, pattern(1))
			case 1:
				t.in(0, nil)
			case 2:
				t.send(0, wire.OpSend, pattern(i))
			default:
				t.atomic(0, t.fetchAdd(words, 4, 1, 0))
			}
			t.write(1, shared, i, pattern(9))
			t.open(0)
		}
		t.write(0, shared, 64, pattern(8))
	}).ends()
	l.add("life/open_when_open", "an open stream is reopened between messages: its MSNs restart, and posted requests are gone", flags(NewLife, StreamSetup), func(t *T) {
		t.receives(0, 2)
		t.send(0, wire.OpSend, pattern(3))
		t.atomic(0, t.fetchAdd(words, 0, 1, 0))
		t.open(0)
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		t.receives(0, 1)
		t.send(0, wire.OpSend, pattern(4))
		t.send(0, wire.OpSend, pattern(5))
	}).ends()
}

// beside changes rows and streams during traffic of another stream through other rows.
func beside(l *list) {
	changes := []struct {
		name, what string
		change     func(t *T)
	}{
		{"store", "a row is stored", func(t *T) { t.store(common, func(r *memory.Region) { r.Key++ }) }},
		{"clear", "a row is made invalid", func(t *T) { t.store(common, func(r *memory.Region) { r.Rights = 0 }) }},
		{"open", "another stream is reopened", func(t *T) { t.open(1) }},
		{"shut", "another stream is shut", func(t *T) { t.shut(1) }},
		{"shut_and_open", "another stream is shut and reopened", func(t *T) { t.shut(1); t.atOnce(); t.open(1) }},
	}
	for _, c := range changes {
		l.add("beside/"+c.name, c.what+" during Writes, a Send in parts, a Read and Atomics", flags(StreamSetup, StreamIsolation), func(t *T) {
			t.receives(0, 2)
			for round := range 3 {
				for i := range 4 {
					t.write(0, target, 300*i, pattern(290))
				}
				t.part(0, wire.OpSend, 0, 0, false, pattern(9+round%2))
				t.atOnce()
				c.change(t)
				t.atOnce()
				t.part(0, wire.OpSend, 0, 9+round%2, true, pattern(7))
				t.write(0, shared, 8*round, pattern(8))
				t.atOnce()
				c.change(t)
				t.receives(0, 1)
				t.atomic(0, t.fetchAdd(words, 8*round, 1, 0))
				t.atOnce()
				c.change(t)
				t.rest()
				t.read(0, target, 0, 200)
				t.atOnce()
				c.change(t)
			}
		}).depth(3)
		l.add("beside/held/"+c.name, c.what+" while responses and requests of a stream are held at m_axis_tx", flags(StreamSetup, StreamIsolation), func(t *T) {
			t.hold()
			for i := range t.Config.IRD {
				t.read(0, target, i, 100)
			}
			t.postWrite(0, source, 0, 50)
			c.change(t)
			t.postSend(0, wire.OpSend, source, 0, 50)
			c.change(t)
			t.release()
		})
	}
	l.add("beside/invalidate", "Send with Invalidate on one stream, during Writes, Reads and Atomics on another that name other rows", flags(StreamIsolation, Invalidation), func(t *T) {
		t.receives(1, 2)
		for round := range 2 {
			for i := range 6 {
				t.write(0, target, 100*i, pattern(90+round))
			}
			t.atomic(0, t.fetchAdd(words, 0, 1, 0))
			t.part(1, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(8))
			t.write(0, shared, 128, pattern(64))
			t.store(common, func(*memory.Region) {}) // after the STag is invalid; otherwise their order would be open
			t.rest()
			t.read(0, target, 50, 300)
			t.rest()
		}
	})
}
