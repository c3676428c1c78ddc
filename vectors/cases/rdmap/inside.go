package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// outer is a message of two segments on stream 0, inside which others start.
type outer struct {
	name, what  string
	begin, end  func(t *T)
	requirement string // the row of RFC 7306 section 7 for an atomic
}

// outers lists Sends of all kinds, a Write and a Read Response. Their halves have equal lengths.
func outers(octets []byte) []outer {
	half := len(octets) / 2
	send := func(name string, op wire.Opcode) outer {
		part := func(last bool) func(t *T) {
			return func(t *T) {
				if !last {
					t.receive(0, sink, 5, 2*half)
					t.part(0, op, t.area(common).stag(), 0, false, octets[:half])
				} else {
					t.part(0, op, t.area(common).stag(), half, true, octets[half:])
				}
			}
		}
		return outer{name, fmt.Sprintf("a %v", op), part(false), part(true), "RFC7306-7-16"}
	}
	write := outer{"rdma_write", "an RDMA Write",
		func(t *T) { t.writePart(0, target, 7, false, octets[:half]) },
		func(t *T) { t.writePart(0, target, 7+half, true, octets[half:]) }, "RFC7306-7-17"}
	response := outer{"read_response", "a Read Response",
		func(t *T) { t.postRead(0, sink, 9, 2*half); t.readResponse(0, sink, 9, false, octets[:half]) },
		func(t *T) { t.readResponse(0, sink, 9+half, true, octets[half:]) }, ""}
	return []outer{send("send", wire.OpSend), send("send_se", wire.OpSendSE), send("send_inv", wire.OpSendInv), send("send_se_inv", wire.OpSendSEInv), write, response}
}

// inside tests messages that start while another one of their stream is incomplete: requests wait for it (I-77),
// messages that would be delivered first are refused (I-78), RDMA Writes are placed.
func inside(l *list) {
	const half = 20
	octets := pattern(2 * half)
	outers := outers(octets)
	write, response := outers[4], outers[5]
	requests := []struct {
		name, what string
		message    func(t *T)
	}{
		{"read", "an RDMA Read", func(t *T) { t.read(0, target, 0, 60) }},
		{"atomic", "an atomic", func(t *T) { t.atomic(0, t.fetchAdd(words, 8, 1, 0)) }},
	}
	for _, o := range outers {
		for _, r := range requests {
			cites := []string{"RFC7306-5.4-06", "RFC7306-5.4-08"}
			if r.name == "atomic" && o.requirement != "" {
				cites = append(cites, o.requirement)
			}
			l.add("inside/"+o.name+"/"+r.name, fmt.Sprintf("%s inside %s: it is executed when that is complete", r.what, o.what), flags(Ordering, MultiSegment), func(t *T) {
				o.begin(t)
				r.message(t)
				t.rest()
				o.end(t)
			}).ordered().cite(cites...).decides("I-77")
			l.add("inside/"+o.name+"/"+r.name+"/never_ends", fmt.Sprintf("%s inside %s whose last segment never arrives: it is not executed", r.what, o.what), flags(Ordering, MultiSegment), func(t *T) {
				o.begin(t)
				r.message(t)
			}).cite("RFC7306-5.4-08").decides("I-77")
			l.add("inside/"+o.name+"/"+r.name+"/stream_ends", fmt.Sprintf("%s inside %s, then a segment in error: it is never executed", r.what, o.what), flags(Ordering, MultiSegment, AfterError), func(t *T) {
				o.begin(t)
				r.message(t)
				t.in(0, []byte{0})
			}).cite("RFC7306-5.4-08").decides("I-77").ends()
		}
		l.add("inside/"+o.name+"/terminate", fmt.Sprintf("a Terminate from the peer inside %s with requests inside: none is executed", o.what), flags(Ordering, MultiSegment), func(t *T) {
			o.begin(t)
			t.read(0, target, 0, 60)
			t.atomic(0, t.fetchAdd(words, 8, 1, 0))
			t.in(0, wire.AppendTerminate(nil, wire.Terminate{}))
		}).ird(2).ends()
		l.add("inside/"+o.name+"/other_stream", fmt.Sprintf("requests of another stream do not wait for %s", o.what), flags(Ordering, MultiSegment, StreamIsolation), func(t *T) {
			o.begin(t)
			t.atomic(0, t.fetchAdd(shared, 8, 1, 0))
			t.rest()
			t.atomic(1, t.fetchAdd(shared, 8, 2, 0))
			t.read(1, target, 0, 60)
			t.rest()
			o.end(t)
		}).ird(2)
	}
	l.add("inside/all_of_ird", "as many Reads and Atomics inside a Send as IRD permits: they are executed in order when it is complete, followed by later requests", flags(Ordering, MultiSegment), func(t *T) {
		outers[0].begin(t)
		n := min(t.Config.IRD, 16)
		for i := range n {
			if i%2 == 0 {
				t.atomic(0, t.fetchAdd(words, 8*(i%4), uint64(1)<<i, 0))
			} else {
				t.read(0, words, 8*(i%4), 8+i)
			}
			if i == n/2 {
				t.rest()
			}
		}
		t.rest()
		outers[0].end(t)
		t.rest()
		t.read(0, words, 0, 64)
	}).ordered()
	l.add("inside/one_too_many", "one more request inside a Send than IRD permits: waiting requests count, none is executed", flags(Ordering, MultiSegment, Limit), func(t *T) {
		outers[0].begin(t)
		for range t.Config.IRD + 1 {
			t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		}
	}).decides("I-77").ends()
	l.add("inside/before_and_inside", "an atomic before a Send is executed although the Send is never completed, one inside it is not", flags(Ordering, MultiSegment), func(t *T) {
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		outers[0].begin(t)
		t.atomic(0, t.fetchAdd(words, 8, 2, 0))
	}).ird(2)
	l.add("inside/send_and_write", "an atomic inside a Send and an RDMA Write, of which the Write is complete first: it waits for both", flags(Ordering, MultiSegment), func(t *T) {
		outers[0].begin(t)
		write.begin(t)
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		t.rest()
		write.end(t)
		t.rest()
		outers[0].end(t)
	}).ordered().ird(2)
	l.add("inside/write_and_send", "an atomic inside an RDMA Write and a Send, of which the Send is complete first: it waits for both", flags(Ordering, MultiSegment), func(t *T) {
		outers[0].begin(t)
		write.begin(t)
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		t.rest()
		outers[0].end(t)
		t.rest()
		write.end(t)
	}).ordered().ird(2)
	l.add("inside/zero_length", "an atomic inside a Send of two segments without octets", flags(Ordering, MultiSegment, ZeroLength), func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, nil)
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		t.rest()
		t.part(0, wire.OpSend, 0, 0, true, nil)
	}).ordered()
	l.add("inside/invalidated", "an atomic inside the Send that invalidates its STag: the STag is invalid when it would be executed (I-46)", flags(Ordering, MultiSegment, Invalidation), func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSendInv, t.area(common).stag(), 0, false, pattern(9))
		t.atomic(0, t.fetchAdd(common, 8, 1, 0))
		t.rest()
		t.part(0, wire.OpSendInv, t.area(common).stag(), 9, true, pattern(9))
	}).decides("I-79").ends()
	l.add("inside/stored_again", "an atomic inside a Send, whose row is stored with another key before it would be executed: its STag is invalid (I-46)", flags(Ordering, MultiSegment, InvalidSTag), func(t *T) {
		outers[0].begin(t)
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		t.rest()
		t.store(words, func(r *memory.Region) { r.Key ^= 0x40 })
		outers[0].end(t)
	}).decides("I-79").ends()
	l.add("inside/reopened", "a stream is shut and reopened with waiting requests: none of them remains", flags(Ordering, MultiSegment), func(t *T) {
		outers[0].begin(t)
		for range t.Config.IRD {
			t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		}
		t.rest()
		t.shut(0)
		t.open(0)
		outers[0].begin(t)
		t.atomic(0, t.fetchAdd(words, 8, 2, 0))
		t.rest()
		outers[0].end(t)
	})
	l.add("inside/bad_request", "a request in error inside a Send ends the stream on arrival", flags(Ordering, MultiSegment, InvalidSTag), func(t *T) {
		outers[0].begin(t)
		t.readFrom(0, t.area(unstored).stag(), 0, 8)
	}).decides("I-77").ends()

	for _, b := range []struct {
		name, what string
		outer      outer
		message    func(t *T)
	}{
		{"send_in_write", "a Send inside an RDMA Write", write, func(t *T) { t.send(0, wire.OpSend, pattern(3)) }},
		{"first_of_send_in_write", "the first segment of a Send inside an RDMA Write", write, func(t *T) { t.part(0, wire.OpSendSE, 0, 0, false, pattern(3)) }},
		{"immediate_in_write", "Immediate Data inside an RDMA Write", write, func(t *T) { t.immediate(0, false, data) }},
		{"send_in_read_response", "a Send inside a Read Response", response, func(t *T) { t.send(0, wire.OpSend, pattern(3)) }},
		{"immediate_se_in_read_response", "Immediate Data inside a Read Response", response, func(t *T) { t.immediate(0, true, data) }},
	} {
		l.add("inside/refused/"+b.name, b.what+", which would be delivered first", flags(Ordering, MultiSegment, OtherOpcode), func(t *T) {
			t.receive(0, sink, 300, 2*half)
			b.outer.begin(t)
			b.message(t)
		}).ends()
	}
	for _, o := range []outer{outers[0], write} {
		l.add("inside/refused/atomic_response_in_"+o.name, "an Atomic Response inside "+o.what+", which would be delivered first", flags(Ordering, MultiSegment, OtherOpcode), func(t *T) {
			id := t.postAtomic(0, sink, 400, rdmap.Operands{Data: 1})
			o.begin(t)
			t.atomicResponse(0, id, data)
		}).ends()
		l.add("inside/refused/read_response_in_"+o.name, "a Read Response inside "+o.what+", which would be delivered first", flags(Ordering, MultiSegment, OtherOpcode), func(t *T) {
			t.postRead(0, sink, 400, half)
			o.begin(t)
			t.readResponse(0, sink, 400, true, octets[:half])
		}).ends()
	}
	l.add("inside/write_in_send", "an RDMA Write inside a Send is placed, also when the Send is complete first", flags(MultiSegment), func(t *T) {
		outers[0].begin(t)
		write.begin(t)
		outers[0].end(t)
		t.rest()
		write.end(t)
	}).ordered()
	l.add("inside/write_in_read_response", "an RDMA Write inside a Read Response is placed", flags(MultiSegment), func(t *T) {
		response.begin(t)
		write.begin(t)
		write.end(t)
		response.end(t)
	}).ordered()
}

// refusedInside tests messages that are not permitted inside another one (I-78) and have a second fault: those of the
// queue are checked first, those of the message itself last.
func refusedInside(l *list) {
	octets := pattern(40)
	write := func(t *T) { t.writePart(0, target, 7, false, octets[:20]) }
	send := func(t *T) {
		t.receive(0, sink, 5, 40)
		t.part(0, wire.OpSendSE, 0, 0, false, octets[:20])
	}
	ready := func(t *T) { t.receive(0, sink, 300, 20) }
	for _, c := range []struct {
		name, what string
		begin      func(t *T) // the incomplete message
		message    func(t *T)
	}{
		{"send/msn", "a Send with another MSN inside an RDMA Write", func(t *T) { ready(t); write(t) },
			func(t *T) { t.in(0, wire.AppendSend(nil, wire.OpSend, 0, 2, 0, true, octets[:3])) }},
		{"send/no_buffer", "a Send without a receive request inside an RDMA Write", write,
			func(t *T) { t.in(0, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, octets[:3])) }},
		{"send/offset", "a Send that begins with another Message Offset inside an RDMA Write", func(t *T) { ready(t); write(t) },
			func(t *T) { t.part(0, wire.OpSend, 0, 8, true, octets[:3]) }},
		{"send/long", "a Send that does not fit its buffer inside an RDMA Write", func(t *T) { ready(t); write(t) },
			func(t *T) { t.part(0, wire.OpSend, 0, 0, true, octets) }},
		{"send/buffer", "a Send with an invalid buffer inside an RDMA Write", func(t *T) { t.receive(0, source, 0, 20); write(t) },
			func(t *T) { t.part(0, wire.OpSend, 0, 0, true, octets[:3]) }},
		{"send/invalidate", "a Send inside an RDMA Write that may not invalidate its STag", func(t *T) { ready(t); write(t) },
			func(t *T) { t.part(0, wire.OpSendInv, t.area(target).stag(), 0, true, octets[:3]) }},
		{"immediate/no_buffer", "Immediate Data without a receive request inside an RDMA Write", write,
			func(t *T) { t.in(0, wire.AppendImmediate(nil, false, 1, data)) }},
		{"read_response/not_asked", "an unsolicited Read Response inside a Send", send,
			func(t *T) { t.readResponse(0, sink, 400, true, octets) }},
		{"read_response/long", "a Read Response with more octets than requested inside a Send", func(t *T) { t.postRead(0, sink, 400, 20); send(t) },
			func(t *T) { t.readResponse(0, sink, 400, true, octets) }},
		{"read_response/last", "a Read Response that ends too early inside an RDMA Write", func(t *T) { t.postRead(0, sink, 400, 40); write(t) },
			func(t *T) { t.readResponse(0, sink, 400, true, octets[:20]) }},
		{"read_response/sink", "a Read Response to another STag inside a Send", func(t *T) { t.postRead(0, sink, 400, 40); send(t) },
			func(t *T) { t.readResponse(0, target, 40, true, octets) }},
		{"atomic_response/msn", "an Atomic Response with another MSN inside an RDMA Write", func(t *T) { t.postAtomic(0, sink, 400, rdmap.Operands{Data: 1}); write(t) },
			func(t *T) {
				t.in(0, wire.AppendAtomicResponse(nil, 2, wire.AtomicResponse{OriginalRequestIdentifier: 1, OriginalRemoteDataValue: data}))
			}},
		{"atomic_response/not_asked", "an unsolicited Atomic Response inside a Send", send,
			func(t *T) { t.atomicResponse(0, 1, data) }},
		{"atomic_response/identifier", "an Atomic Response with another identifier inside a Send", func(t *T) { t.postAtomic(0, sink, 400, rdmap.Operands{Data: 1}); send(t) },
			func(t *T) { t.atomicResponse(0, 0x8000_0001, data) }},
	} {
		l.add("inside/refused/and/"+c.name, c.what, flags(Ordering, MultiSegment, TwoErrors), func(t *T) {
			c.begin(t)
			c.message(t)
		}).ends().decides("I-78")
	}
	l.add("inside/begun_behind", "an RDMA Write that starts after a request which waits for a Send: the request is executed, before or after the Write is complete", flags(Ordering, MultiSegment), func(t *T) {
		send(t)
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		t.rest()
		write(t)
		t.part(0, wire.OpSendSE, 0, 20, true, octets[20:])
		t.rest()
		t.writePart(0, target, 27, true, octets[20:])
	}).decides("I-77", "I-78")
	l.add("inside/request_behind", "requests after a waiting one arrive when no message, or another one, is incomplete: they are executed in order", flags(Ordering, MultiSegment), func(t *T) {
		send(t)
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
		write(t)
		t.part(0, wire.OpSendSE, 0, 20, true, octets[20:])
		t.atomic(0, t.fetchAdd(words, 8, 2, 0))
		t.rest()
		t.writePart(0, target, 27, true, octets[20:])
		t.atomic(0, t.fetchAdd(words, 8, 4, 0))
	}).ird(3).decides("I-77", "I-78")
}

// writePart sends a segment of an RDMA Write.
func (t *T) writePart(stream int, name string, offset int, last bool, data []byte) {
	a := t.area(name)
	t.in(stream, wire.AppendWrite(nil, a.stag(), a.to(offset), last, data))
}
