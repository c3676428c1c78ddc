package rdmap

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// order tests the rows of RFC 7306 section 7 and RFC 5040 section 5.5, as far as they are visible at the ports: what is
// in memory, and what has completed, at the time of each outcome.
func order(l *list) {
	const n = 200 // octets: long enough to be in flight for a while
	first := []struct {
		name, what string
		message    func(t *T)
	}{
		{"write", "an RDMA Write", func(t *T) { t.write(0, target, 7, pattern(n)) }},
		{"send", "a Send", func(t *T) { t.part(0, wire.OpSend, 0, 0, true, pattern(n)) }},
		{"send_se", "a Send with Solicited Event", func(t *T) { t.part(0, wire.OpSendSE, 0, 0, true, pattern(n)) }},
		{"send_inv", "a Send with Invalidate", func(t *T) { t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(n)) }},
		{"immediate", "Immediate Data", func(t *T) { t.immediate(0, false, data) }},
		{"immediate_se", "Immediate Data with Solicited Event", func(t *T) { t.immediate(0, true, data) }},
		{"read", "an RDMA Read", func(t *T) { t.read(0, target, 1000, n) }},
		{"atomic", "an atomic", func(t *T) { t.atomic(0, t.fetchAdd(words, 8, 1, 0)) }},
	}
	second := []struct {
		name, what string
		message    func(t *T)
	}{
		{"write", "an RDMA Write", func(t *T) { t.write(0, target, 7+n, pattern(n)) }},
		{"send", "a Send", func(t *T) { t.part(0, wire.OpSend, 0, 0, true, pattern(n+1)) }},
		{"immediate", "Immediate Data", func(t *T) { t.immediate(0, true, ^uint64(data)) }},
		{"read", "an RDMA Read", func(t *T) { t.read(0, target, 1300, n) }},
		{"atomic", "an atomic", func(t *T) { t.atomic(0, t.fetchAdd(words, 16, 1, 0)) }},
	}
	// Rows of the table, by the two messages.
	rows := map[string][]string{
		"immediate/send": {"RFC7306-7-04", "RFC7306-6.4-01"}, "immediate/write": {"RFC7306-7-05"}, "immediate/read": {"RFC7306-7-06"},
		"immediate/atomic": {"RFC7306-7-07"}, "immediate/immediate": {"RFC7306-7-08"}, "send/immediate": {"RFC7306-7-08"},
		"write/immediate": {"RFC7306-7-09", "RFC7306-1-01", "RFC7306-6-01", "RFC7306-6-03"}, "read/immediate": {"RFC7306-7-10"},
		"atomic/immediate": {"RFC7306-7-11"}, "atomic/send": {"RFC7306-7-12", "RFC7306-5.4-10", "RFC7306-5.4-07"}, "atomic/write": {"RFC7306-7-13", "RFC7306-5.4-07"},
		"atomic/read": {"RFC7306-7-14"}, "atomic/atomic": {"RFC7306-7-15"}, "send/atomic": {"RFC7306-7-16"},
		"write/atomic": {"RFC7306-7-17"}, "read/atomic": {"RFC7306-7-18"},
	}
	consumes := map[string]bool{"send": true, "immediate": true} // a receive request
	kind := map[string]string{"send_se": "send", "send_inv": "send", "immediate_se": "immediate"}
	for _, a := range first {
		for _, b := range second {
			row := a.name
			if k, is := kind[a.name]; is {
				row = k
			}
			key := "order/" + a.name + "/" + b.name
			if b.name == "send" && !consumes[row] {
				key += "/received" // in the case without it, the buffer was too short for the Send
			}
			c := l.add(key, fmt.Sprintf("%s and then %s on one stream: the state at the time of the outcomes", a.what, b.what), flags(Ordering), func(t *T) {
				if b.name != "send" || consumes[row] {
					t.receive(0, sink, 3, n)
				}
				t.receive(0, sink, 300, n+1)
				a.message(t)
				b.message(t)
			}).ordered().cite(rows[row+"/"+b.name]...)
			if isRequest := map[string]bool{"read": true, "atomic": true}; isRequest[a.name] && isRequest[b.name] {
				c.ird(2)
			}
			if row == "send" {
				c.cite("RFC7306-7-02")
			}
			if row == "immediate" || b.name == "immediate" {
				c.cite("RFC7306-7-03")
			}
		}
	}
	l.add("order/many_writes_then_immediate", "20 RDMA Writes and then Immediate Data: all of them are in memory when it completes", flags(Ordering), func(t *T) {
		t.receives(0, 1)
		for i := range 20 {
			t.write(0, target, 61*i, pattern(61))
		}
		t.immediate(0, true, data)
	}).ordered().cite("RFC7306-7-09", "RFC7306-1-01", "RFC7306-6-01")
	l.add("order/write_in_parts_then_send", "an RDMA Write in three segments and then a Send of no octets", flags(Ordering, MultiSegment), func(t *T) {
		t.receives(0, 1)
		a := t.area(target)
		for i := range 3 {
			t.in(0, wire.AppendWrite(nil, a.stag(), a.to(100*i), i == 2, pattern(100)))
		}
		t.send(0, wire.OpSend, nil)
	}).ordered()
	l.add("order/write_then_read_of_it", "an RDMA Write and then an RDMA Read of what it wrote", flags(Ordering), func(t *T) {
		t.write(0, target, 33, pattern(150))
		t.read(0, target, 33, 150)
	}).ordered()
	l.add("order/read_response_then_completion", "the octets of a Read by this end are in memory when it completes", flags(Ordering), func(t *T) {
		t.postRead(0, sink, 13, 400)
		octets := pattern(400)
		for i := range 4 {
			t.readResponse(0, sink, 13+100*i, i == 3, octets[100*i:100*i+100])
		}
	}).ordered().cite("RFC7306-5.4-11")
	l.add("order/atomic_response_then_completion", "the result of an atomic by this end is in memory when it completes", flags(Ordering), func(t *T) {
		id := t.postAtomic(0, sink, 13, rdmap.Operands{Data: 1})
		t.atomicResponse(0, id, data)
	}).ordered().cite("RFC7306-5.4-11", "RFC7306-5.4-02", "RFC7306-5.2.2-13")
	l.add("order/answers", "interleaved Reads and Atomics are answered in order of arrival", flags(Ordering), func(t *T) {
		for i := range min(6, t.Config.IRD) {
			if i%2 == 0 {
				t.read(0, target, i, 1+100*(5-i))
			} else {
				t.atomic(0, t.fetchAdd(words, 8*i, 1, 0))
			}
		}
	}).ird(2).cite("RFC7306-5.2.2-15", "RFC7306-7-14", "RFC7306-7-18", "RFC7306-5.2.1-35")
	l.add("order/missing_segment", "an atomic after a Send whose last segment is missing: it is not executed, and the Send does not complete", flags(Ordering), func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, pattern(8))
		t.atomic(0, t.fetchAdd(words, 0, 1, 0))
	}).cite("RFC7306-5.4-08").decides("I-77", "I-85")
}

// memoryErrors tests memory that responds with an error.
func memoryErrors(l *list) {
	add := func(key, what string, write func(t *T)) {
		l.add("memory_error/"+key, what+" where memory responds with an error", flags(MemoryError), write).in(failing).ends().cite("RFC7306-8.1-01", "RFC7306-8.1-02").decides("I-86")
	}
	add("rdma_write", "an RDMA Write", func(t *T) { t.write(0, broken, 3, pattern(20)) })
	add("rdma_write_then_send", "an RDMA Write, and then a Send elsewhere,", func(t *T) {
		t.receives(0, 1)
		t.write(0, broken, 3, pattern(20))
		t.rest()
		t.send(0, wire.OpSend, pattern(3))
	})
	add("read_request", "an RDMA Read", func(t *T) { t.read(0, broken, 3, 20) })
	add("atomic_request", "a FetchAdd", func(t *T) { t.atomic(0, t.fetchAdd(broken, 8, 1, 0)) })
	add("send", "a Send into a buffer", func(t *T) { t.receive(0, broken, 0, 64); t.send(0, wire.OpSend, pattern(20)) })
	add("out/rdma_write", "an RDMA Write by this end", func(t *T) { t.postWrite(0, broken, 0, 20) })
	add("out/send", "a Send by this end", func(t *T) { t.postSend(0, wire.OpSend, broken, 0, 20) })
	add("read_response", "the Read Response to this end", func(t *T) {
		t.postRead(0, broken, 0, 8)
		t.readResponse(0, broken, 0, true, pattern(8))
	})
	add("atomic_response", "the result of an atomic by this end", func(t *T) {
		id := t.postAtomic(0, broken, 0, rdmap.Operands{Data: 1})
		t.atomicResponse(0, id, data)
	})
	add("other_stream", "an RDMA Write, and one on another stream elsewhere,", func(t *T) {
		t.write(0, broken, 3, pattern(20))
		t.write(1, shared, 0, pattern(20))
	})
}

// ignored tests fields that a receiver ignores.
func ignored(l *list) {
	type change struct {
		name, what string
		flag       string
		segment    func(b []byte) []byte
	}
	control := []change{
		{"ddp_reserved", "the four reserved DDP bits are set", ReservedBits, func(b []byte) []byte { b[0] |= 0x3C; return b }},
		{"rdmap_reserved", "the two reserved RDMAP bits are set", ReservedBits, func(b []byte) []byte { b[1] |= 0x30; return b }},
	}
	if l.commits() { // one of them is a bit of the opcode
		control[1] = change{"rdmap_reserved_bit", "the reserved RDMAP bit is set", ReservedBits, func(b []byte) []byte { b[1] |= 0x20; return b }}
	}
	invalidating := func(op wire.Opcode) func(t *T) []byte {
		return func(t *T) []byte { return wire.AppendSend(nil, op, t.area(common).stag(), 1, 0, true, pattern(8)) }
	}
	messages := []struct {
		name, what string
		tagged     bool
		ready      func(t *T)
		segment    func(t *T) []byte
	}{
		{"rdma_write", "an RDMA Write", true, func(*T) {}, func(t *T) []byte {
			a := t.area(shared)
			return wire.AppendWrite(nil, a.stag(), a.to(0), true, pattern(8))
		}},
		{"read_request", "an RDMA Read", false, func(*T) {}, func(t *T) []byte {
			a := t.area(shared)
			return wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSinkSTag: 1, DataSinkTO: 2, ReadMessageSize: 8, DataSourceSTag: a.stag(), DataSourceTO: a.to(0)})
		}},
		{"read_response", "a Read Response", true, func(t *T) { t.postRead(0, shared, 0, 8) }, func(t *T) []byte {
			a := t.area(shared)
			return wire.AppendReadResponse(nil, a.stag(), a.to(0), true, pattern(8))
		}},
		{"send", "a Send", false, func(t *T) { t.receives(0, 1) }, func(t *T) []byte { return wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, pattern(8)) }},
		{"send_inv", "a Send with Invalidate", false, func(t *T) { t.receives(0, 1) }, invalidating(wire.OpSendInv)},
		{"send_se", "a Send with Solicited Event", false, func(t *T) { t.receives(0, 1) }, func(t *T) []byte { return wire.AppendSend(nil, wire.OpSendSE, 0, 1, 0, true, pattern(8)) }},
		{"send_se_inv", "a Send with Solicited Event and Invalidate", false, func(t *T) { t.receives(0, 1) }, invalidating(wire.OpSendSEInv)},
		{"immediate", "Immediate Data", false, func(t *T) { t.receives(0, 1) }, func(t *T) []byte { return wire.AppendImmediate(nil, false, 1, data) }},
		{"immediate_se", "Immediate Data with Solicited Event", false, func(t *T) { t.receives(0, 1) }, func(t *T) []byte { return wire.AppendImmediate(nil, true, 1, data) }},
		{"atomic_request", "a FetchAdd", false, func(*T) {}, func(t *T) []byte { return wire.AppendAtomicRequest(nil, 1, t.fetchAdd(shared, 0, 1, 0)) }},
		{"atomic_response", "an Atomic Response", false, func(t *T) { t.postAtomic(0, shared, 0, rdmap.Operands{Data: 1}) }, func(t *T) []byte {
			return wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 1, OriginalRemoteDataValue: data})
		}},
		{"terminate", "a Terminate", false, func(*T) {}, func(t *T) []byte {
			return wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: 1, EType: 2, Code: 3}})
		}},
	}
	for _, m := range messages {
		changes := control
		if invalidates := strings.HasSuffix(m.name, "_inv"); !m.tagged && !invalidates {
			changes = append(changes[:2:2], change{"invalidate_stag", "the field of the Invalidate STag has a value", IgnoredField, func(b []byte) []byte {
				return set(b, 0, wire.DDPUntaggedTable, "invalidate_stag", 0xFFFF_FFFF)
			}})
		}
		for _, c := range changes {
			one := l.add("ignored/"+m.name+"/"+c.name, m.what+" in which "+c.what, flags(c.flag), func(t *T) { m.ready(t); t.in(0, c.segment(m.segment(t))) })
			one.Ends = m.name == "terminate"
			if l.commits() { // a message without the extension
				one.cite(cited("2.1.1-10", "3.1-03")...)
			}
		}
	}
	l.add("ignored/terminate/rest", "a Terminate with all its parts, reserved bits and trailing octets", flags(ReservedBits), func(t *T) {
		term := wire.Terminate{Code: wire.TerminateCode{Layer: 0, EType: 1, Code: 2}, Reserved: 0x1FFF, LengthValid: true, HasDDP: true, HasRDMAP: true, DDPSegmentLength: 46,
			DDP: wire.UntaggedHeader(wire.OpReadRequest, 1, 0)}
		t.in(0, append(wire.AppendTerminate(nil, term), pattern(9)...))
	}).ends()
	for _, code := range []wire.TerminateCode{{Layer: 0, EType: 2, Code: 7}, {Layer: 1, EType: 1, Code: 0}, {Layer: 2, EType: 0, Code: 1}, {Layer: 15, EType: 15, Code: 255}} {
		l.add(fmt.Sprintf("terminate/%x_%x_%02x", uint8(code.Layer), code.EType, code.Code),
			fmt.Sprintf("a Terminate from the peer with %d/%d/0x%02X is reported to the host", uint8(code.Layer), code.EType, code.Code), flags(TerminateIn), func(t *T) {
				t.postRead(0, sink, 0, 8)
				t.in(0, wire.AppendTerminate(nil, wire.Terminate{Code: code}))
			}).ends().cite("RFC7306-6.1-07", "RFC7306-1.1-06")
	}
}

// randomTraffic draws cases from the seed of the file. Every input waits for the previous ones, so that no order is
// left open.
func randomTraffic(l *list) {
	for i := range 24 {
		l.add(fmt.Sprintf("random/%d", i), fmt.Sprintf("random traffic of two streams, number %d", i), flags(Random), func(t *T) {
			t.receives(0, 2)
			t.receives(1, 2)
			left := [2]int{2, 2}
			for range 6 + t.Rand.IntN(6) {
				t.rest()
				t.random(t.Rand.IntN(2), &left)
			}
		})
	}
	fails := failures()
	for i := range 16 {
		l.add(fmt.Sprintf("random/broken/%d", i), fmt.Sprintf("random traffic of two streams, of which one ends, number %d", i), flags(Random, AfterError), func(t *T) {
			left := [2]int{}
			for range 2 + t.Rand.IntN(3) {
				t.rest()
				t.random(1, &left)
			}
			t.rest()
			fails[t.Rand.IntN(len(fails))].write(t)
			for range 2 + t.Rand.IntN(4) {
				t.rest()
				t.random(t.Rand.IntN(2), &left)
			}
		}).ends().ord(2)
	}
}

// random adds one message that is valid on a new stream.
func (t *T) random(stream int, left *[2]int) {
	results := [...]string{sink, foreign}[stream]
	n, at := t.Rand.IntN(150), t.Rand.IntN(64)
	switch t.Rand.IntN(9) {
	case 0:
		t.write(stream, target, at, pattern(n))
	case 1:
		t.read(stream, target, at, n)
	case 2, 3:
		t.atomic(stream, t.fetchAdd(shared, 8*t.Rand.IntN(4), operand(t), operand(t)))
	case 4:
		t.atomic(stream, t.cmpSwap(shared, 8*t.Rand.IntN(4), operand(t), operand(t), operand(t), 1<<t.Rand.IntN(64)))
	case 5:
		if left[stream] > 0 {
			left[stream]--
			t.send(stream, sends[2*t.Rand.IntN(2)], pattern(n%65))
			return
		}
		t.write(stream, target, at, nil)
	case 6:
		if left[stream] > 0 {
			left[stream]--
			t.immediate(stream, t.Rand.IntN(2) == 0, operand(t))
			return
		}
		t.read(stream, target, at, 0)
	case 7:
		t.postRead(stream, results, at, n)
		t.readResponse(stream, results, at, true, pattern(n))
	default:
		id := t.postAtomic(stream, results, at, rdmap.Operands{AOpCode: wire.CmpSwap, Data: operand(t), Mask: operand(t), CompareData: operand(t), CompareMask: operand(t)})
		t.atomicResponse(stream, id, operand(t))
	}
}

// operand returns a random number, often a boundary value.
func operand(t *T) uint64 {
	switch t.Rand.IntN(5) {
	case 0:
		return 0
	case 1:
		return allOnes
	case 2:
		return 1 << t.Rand.IntN(64)
	}
	return t.Rand.Uint64()
}
