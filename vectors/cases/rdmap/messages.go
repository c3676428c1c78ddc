package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

const allOnes = ^uint64(0)

// sends lists the four Sends.
var sends = []wire.Opcode{wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv}

// data is a number of 8 different octets.
const data = 0x0123_4567_89AB_CDEF

// incoming tests every message that the peer can send.
func incoming(l *list) {
	for stream := range 2 {
		receiver := [...]string{"stream 0", "stream 1"}[stream]
		results := [...]string{sink, foreign}[stream]
		add := func(key, comment string, write func(t *T)) *Case {
			return l.add(fmt.Sprintf("in/%s/stream%d", key, stream), comment+" on "+receiver, flags(Basic), write)
		}
		add("rdma_write", "an RDMA Write of 21 octets", func(t *T) { t.write(stream, target, 5, pattern(21)) })
		add("read_request", "an RDMA Read of 21 octets", func(t *T) { t.read(stream, target, 5, 21) })
		for _, op := range sends {
			add(op.Name(), fmt.Sprintf("%v of 21 octets into a buffer of 64", op), func(t *T) {
				t.receives(stream, 1)
				invalidate := uint32(0)
				if op == wire.OpSendInv || op == wire.OpSendSEInv {
					invalidate = t.area(common).stag()
				}
				t.part(stream, op, invalidate, 0, true, pattern(21))
			})
		}
		add("immediate", "Immediate Data", func(t *T) { t.receives(stream, 1); t.immediate(stream, false, data) }).
			cite("RFC7306-6-02", "RFC7306-6.1-03", "RFC7306-6.2-04")
		add("immediate_se", "Immediate Data with Solicited Event", func(t *T) { t.receives(stream, 1); t.immediate(stream, true, data) }).
			cite("RFC7306-6-02", "RFC7306-6.1-03", "RFC7306-6.1-04", "RFC7306-6.2-04")
		add("fetch_add", "a FetchAdd", func(t *T) { t.atomic(stream, t.fetchAdd(shared, 8, 0x1_0000_0001, 0)) })
		add("cmp_swap", "a CmpSwap whose comparison holds", func(t *T) {
			t.atomic(stream, t.cmpSwap(shared, 16, data, allOnes, t.word(shared, 16), allOnes))
		})
		add("terminate", "a Terminate from the peer", func(t *T) {
			t.in(stream, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: wire.LayerDDP, EType: 2, Code: 2}}))
		}).ends().cite("RFC7306-6.1-07")
		add("read_response", "an RDMA Read of 21 octets by this end, and its Read Response", func(t *T) {
			t.postRead(stream, results, 7, 21)
			t.readResponse(stream, results, 7, true, pattern(21))
		})
		add("atomic_response", "a FetchAdd by this end, and its Atomic Response", func(t *T) {
			id := t.postAtomic(stream, results, 24, rdmap.Operands{Data: 1})
			t.atomicResponse(stream, id, data)
		})
	}
}

// outgoing tests every work request.
func outgoing(l *list) {
	add := func(key, comment string, write func(t *T)) *Case {
		return l.add("out/"+key, comment, flags(Basic), write)
	}
	add("rdma_write", "this end writes 21 octets", func(t *T) { t.postWrite(0, source, 3, 21) })
	for _, op := range sends {
		add(op.Name(), fmt.Sprintf("this end sends 21 octets with %v", op), func(t *T) { t.postSend(0, op, source, 3, 21) })
	}
	add("immediate", "this end sends Immediate Data", func(t *T) { t.postImmediate(0, false, data) })
	add("immediate_se", "this end sends Immediate Data with Solicited Event", func(t *T) { t.postImmediate(0, true, data) })
	add("read_request", "this end reads 21 octets; no response arrives", func(t *T) { t.postRead(0, sink, 3, 21) })
	for _, o := range []struct {
		name string
		rdmap.Operands
	}{
		{"fetch_add", rdmap.Operands{AOpCode: wire.FetchAdd, Data: data, Mask: 0x8000_0000_8000_0000}},
		{"fetch_add_compare", rdmap.Operands{AOpCode: wire.FetchAdd, Data: data, CompareData: allOnes, CompareMask: 5}},
		{"cmp_swap", rdmap.Operands{AOpCode: wire.CmpSwap, Data: data, Mask: 0xFF00_FF00_FF00_FF00, CompareData: 0x1111_2222_3333_4444, CompareMask: 0x00FF_00FF_00FF_00FF}},
	} {
		add(o.name, fmt.Sprintf("this end requests an atomic, %v; no response arrives (%s)", o.AOpCode, o.name), func(t *T) { t.postAtomic(0, sink, 0, o.Operands) }).
			cite("RFC7306-5.4-02")
	}
	add("unsignaled/rdma_write", "an unsignaled Write completes silently, and a signaled one after it has a completion", func(t *T) {
		t.postWrite(0, source, 0, 8, unsignaled)
		t.postWrite(0, source, 8, 8)
	})
	add("unsignaled/read_request", "an unsignaled Read that is answered, and a signaled one after it", func(t *T) {
		t.postRead(0, sink, 0, 8, unsignaled)
		t.readResponse(0, sink, 0, true, pattern(8))
		t.postRead(0, sink, 8, 8)
		t.readResponse(0, sink, 8, true, pattern(8))
	})
	add("unsignaled/atomic_request", "an unsignaled atomic still writes its result to memory", func(t *T) {
		id := t.postAtomic(0, sink, 40, rdmap.Operands{Data: 1}, unsignaled)
		t.atomicResponse(0, id, data)
	})
	add("order/write_behind_read", "a Write after a Read is sent at once and completes after it", func(t *T) {
		t.postRead(0, sink, 0, 8)
		t.postWrite(0, source, 0, 8)
		t.readResponse(0, sink, 0, true, pattern(8))
	}).cite("RFC7306-5.4-01")
	add("order/mixed", "a Send, an Immediate, an atomic and a Write are sent in the order of posting", func(t *T) {
		t.postSend(0, wire.OpSend, source, 0, 8)
		t.postImmediate(0, true, data)
		t.rest()
		id := t.postAtomic(0, sink, 0, rdmap.Operands{AOpCode: wire.CmpSwap, Data: 1, Mask: 1})
		t.postWrite(0, source, 8, 8)
		t.rest()
		t.atomicResponse(0, id, data)
	}).cite("RFC7306-5.2.1-34", "RFC7306-6.3-08")
	add("order/immediates", "Immediates and Sends, each with the next MSN", func(t *T) {
		for i := range 2 {
			t.postImmediate(0, i%2 == 1, data+uint64(i))
			t.postSend(0, wire.OpSend, source, i, 3)
			t.rest()
		}
	}).cite("RFC7306-6.3-08")
	add("order/requests", "a Read and an atomic share the MSNs of QN 1; they are answered in order", func(t *T) {
		t.postRead(0, sink, 0, 8)
		id := t.postAtomic(0, sink, 8, rdmap.Operands{Data: 3})
		t.readResponse(0, sink, 0, true, pattern(8))
		t.atomicResponse(0, id, 0x1111_2222_3333_4444)
		t.postRead(0, sink, 16, 5)
		t.readResponse(0, sink, 16, true, pattern(5))
	}).cite("RFC7306-5.2.1-34", "RFC7306-5-16", "RFC7306-5.2-03")
	add("identifiers", "the identifier of an atomic is the MSN of its request; the MSN of its response counts responses", func(t *T) {
		t.postRead(0, sink, 0, 1)
		t.readResponse(0, sink, 0, true, pattern(1))
		for i := range 3 {
			id := t.postAtomic(0, sink, 8*i, rdmap.Operands{Data: 3})
			t.atomicResponse(0, id, uint64(i)<<60|data)
		}
	}).cite("RFC7306-5-16", "RFC7306-5-15")
	add("result/unaligned", "the result of an atomic is written to any address, and nowhere else", func(t *T) {
		for i := range 4 {
			id := t.postAtomic(0, sink, 60+17*i, rdmap.Operands{Data: 1})
			t.atomicResponse(0, id, data<<i)
		}
	}).cite("RFC7306-5.2.2-13")
	if l.config.Draft00() {
		add("swap", "this end requests a Swap", func(t *T) {
			id := t.postAtomic(0, sink, 0, rdmap.Operands{AOpCode: wire.Swap, Data: data})
			t.atomicResponse(0, id, 1)
		}).cite("DRAFT00-5.1.2-01")
	}
}
