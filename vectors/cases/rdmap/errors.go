package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// failure is a segment on stream 0 that ends the stream, with its preparation.
type failure struct {
	name, what string
	flag       string
	write      func(t *T)
	ird        int
}

// span is an invalid range of a region.
type span struct {
	name, what string
	flag       string
	place      func(t *T) rdmap.Buffer // of 8 octets
}

// spans lists the faults of an access to 8 octets of a region.
var spans = []span{
	{"stag/index", "an STag whose index is beyond the table", InvalidSTag, func(t *T) rdmap.Buffer {
		b := t.at(shared, 0)
		b.STag = uint32(t.Config.STags)<<8 | b.STag&0xFF
		return b
	}},
	{"stag/key", "an STag with another key", InvalidSTag, func(t *T) rdmap.Buffer { b := t.at(shared, 0); b.STag ^= 0x10; return b }},
	{"stag/upper", "an STag with the top bit of the index inverted", InvalidSTag, func(t *T) rdmap.Buffer { b := t.at(shared, 0); b.STag ^= 1 << 31; return b }},
	{"stag/invalid", "an STag whose row is not valid", InvalidSTag, func(t *T) rdmap.Buffer { return t.at(unstored, 0) }},
	{"association/stream", "an STag of another stream", WrongOwner, func(t *T) rdmap.Buffer { return t.at(foreign, 0) }},
	{"association/domain", "an STag of another domain", WrongOwner, func(t *T) rdmap.Buffer { return t.at(strange, 0) }},
	{"access", "an STag that does not permit it", NoRight, func(t *T) rdmap.Buffer { return t.at(private, 0) }},
	{"wrap", "octets that extend past TO 2^64 - 1", TOWrap, func(t *T) rdmap.Buffer { return t.at(top, 249) }},
	{"wrap/all", "a TO of 2^64 - 1 in a region that begins at 0", TOWrap, func(t *T) rdmap.Buffer { b := t.at(bottom, 0); b.TO = allOnes; return b }},
	{"bounds/behind", "octets just after the region", OutOfBounds, func(t *T) rdmap.Buffer { return t.at(shared, 256) }},
	{"bounds/over", "octets of which the last one is after the region", OutOfBounds, func(t *T) rdmap.Buffer { return t.at(shared, 249) }},
	{"bounds/before", "octets of which the first one is before the region", OutOfBounds, func(t *T) rdmap.Buffer { return t.at(shared, -1) }},
	{"bounds/bit32", "a TO with bit 32 inverted", OutOfBounds, func(t *T) rdmap.Buffer { b := t.at(shared, 0); b.TO ^= 1 << 32; return b }},
	{"bounds/zero", "a TO of 0", OutOfBounds, func(t *T) rdmap.Buffer { b := t.at(shared, 0); b.TO = 0; return b }},
}

// failures lists the errors that depend on more than the segment itself, in the order of the standard.
func failures() (list []failure) {
	add := func(name, what, flag string, write func(t *T)) {
		list = append(list, failure{name: name, what: what, flag: flag, write: write})
	}
	for _, s := range spans {
		add("rdma_write/"+s.name, "RDMA Write: "+s.what, s.flag, func(t *T) {
			b := s.place(t)
			t.in(0, wire.AppendWrite(nil, b.STag, b.TO, true, pattern(8)))
		})
		add("read_request/"+s.name, "RDMA Read: "+s.what, s.flag, func(t *T) { b := s.place(t); t.readFrom(0, b.STag, b.TO, 8) })
		add("atomic_request/"+s.name, "FetchAdd: "+s.what, s.flag, func(t *T) {
			b := s.place(t)
			t.atomic(0, wire.NewFetchAdd(t.identifier(), b.STag, b.TO, 1, 0))
		})
	}
	// A valid region without the required right, but with every other.
	add("rdma_write/right", "RDMA Write to a region that may be read, and be the target of Atomics", NoRight, func(t *T) { t.write(0, alias, 0, pattern(1)) })
	add("atomic_request/right", "FetchAdd on a region that may be read and written", NoRight, func(t *T) { t.atomic(0, t.fetchAdd(target, 0, 1, 0)) })
	add("read_request/right", "RDMA Read from a region with local rights only", NoRight, func(t *T) { t.read(0, sink, 0, 8) })
	add("read_request/size", "RDMA Read of 2^32 - 1 octets", OutOfBounds, func(t *T) { t.read(0, target, 0, 1<<32-1) })
	add("read_request/size_wraps", "RDMA Read of 2^32 - 1 octets over TO 2^64 - 1", TOWrap, func(t *T) { t.read(0, top, 0, 1<<32-1) })
	add("rdma_write/over_by_one", "RDMA Write of a region and one octet more", OutOfBounds, func(t *T) { t.write(0, bottom, 0, pattern(65)) })

	for low := 1; low < 8; low++ {
		add(fmt.Sprintf("atomic_request/alignment/%d", low), fmt.Sprintf("an atomic %d octets after an aligned address", low), Misaligned, func(t *T) {
			if low%2 == 0 {
				t.atomic(0, t.fetchAdd(words, low, allOnes, 0))
			} else {
				t.atomic(0, t.cmpSwap(words, low, 0, allOnes, 0, 0))
			}
		})
	}
	add("atomic_request/alignment/to", "an atomic whose TO is a multiple of 8, but whose address is not", Misaligned, func(t *T) { t.atomic(0, t.fetchAdd(alias, 5, 1, 0)) })
	for a := wire.AOpCode(1); a < 16; a++ {
		if a == wire.CmpSwap || a == wire.Swap {
			continue // Swap depends on the configuration
		}
		add(fmt.Sprintf("atomic_request/aopcode/%x", uint8(a)), fmt.Sprintf("an atomic with AOpCode 0x%X", uint8(a)), AtomicOpcode, func(t *T) {
			r := t.fetchAdd(words, 0, 1, 0)
			r.AOpCode = a
			t.atomic(0, r)
		})
	}

	// Queues: MSN, buffers, MO, opcode, length.
	for _, msn := range []uint32{0, 2, 0x8000_0001, 0xFFFF_FFFF} {
		name := fmt.Sprintf("%08x", msn)
		add("send/msn/"+name, fmt.Sprintf("a first Send with MSN 0x%X", msn), WrongMSN, func(t *T) {
			t.receives(0, 2)
			t.in(0, wire.AppendSend(nil, wire.OpSend, 0, msn, 0, true, pattern(3)))
		})
		add("immediate/msn/"+name, fmt.Sprintf("first Immediate Data with MSN 0x%X", msn), WrongMSN, func(t *T) {
			t.receives(0, 2)
			t.in(0, wire.AppendImmediate(nil, false, msn, data))
		})
		add("read_request/msn/"+name, fmt.Sprintf("a first RDMA Read with MSN 0x%X", msn), WrongMSN, func(t *T) {
			a := t.area(target)
			t.in(0, wire.AppendReadRequest(nil, msn, wire.ReadRequest{ReadMessageSize: 1, DataSourceSTag: a.stag(), DataSourceTO: a.to(0)}))
		})
		add("atomic_request/msn/"+name, fmt.Sprintf("a first FetchAdd with MSN 0x%X", msn), WrongMSN, func(t *T) {
			t.in(0, wire.AppendAtomicRequest(nil, msn, t.fetchAdd(words, 0, 1, 0)))
		})
		add("terminate/msn/"+name, fmt.Sprintf("a Terminate with MSN 0x%X", msn), WrongMSN, func(t *T) {
			t.in(0, set(wire.AppendTerminate(nil, wire.Terminate{}), 0, wire.DDPUntaggedTable, "msn", uint64(msn)))
		})
		add("atomic_response/msn/"+name, fmt.Sprintf("a first Atomic Response with MSN 0x%X", msn), WrongMSN, func(t *T) {
			id := t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
			t.in(0, wire.AppendAtomicResponse(nil, msn, wire.AtomicResponse{OriginalRequestIdentifier: id}))
		})
	}
	add("send/msn/again", "a Send with the MSN of the previous one", WrongMSN, func(t *T) {
		t.receives(0, 2)
		t.send(0, wire.OpSend, pattern(3))
		t.in(0, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, pattern(4)))
	})
	add("request/msn/again", "a FetchAdd with the MSN of the previous RDMA Read", WrongMSN, func(t *T) {
		t.read(0, target, 0, 1)
		t.rest()
		t.in(0, wire.AppendAtomicRequest(nil, 1, t.fetchAdd(words, 0, 1, 0)))
	})
	add("send/no_buffer", "a Send without a receive request", NoBuffer, func(t *T) { t.send(0, wire.OpSend, pattern(3)) })
	add("send/no_buffer/empty", "a Send of no octets without a receive request", NoBuffer, func(t *T) { t.send(0, wire.OpSend, nil) })
	add("send/no_buffer/second", "two Sends, and a receive request for the first", NoBuffer, func(t *T) {
		t.receives(0, 1)
		t.send(0, wire.OpSend, pattern(3))
		t.send(0, wire.OpSend, pattern(4))
	})
	add("immediate/no_buffer", "Immediate Data without a receive request", NoBuffer, func(t *T) { t.immediate(0, false, data) })
	add("immediate_se/no_buffer", "Immediate Data with Solicited Event without a receive request", NoBuffer, func(t *T) { t.immediate(0, true, data) })
	add("send/other_stream", "a Send on a stream without a receive request, while another has one", NoBuffer, func(t *T) {
		t.receives(1, 1)
		t.send(0, wire.OpSend, pattern(3))
	})
	add("send/offset/first", "a Send whose first segment has MO 1", WrongOffset, func(t *T) { t.receives(0, 1); t.part(0, wire.OpSend, 0, 1, true, pattern(3)) })
	add("send/offset/gap", "a Send with an octet missing between its segments", WrongOffset, func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, pattern(3))
		t.part(0, wire.OpSend, 0, 4, true, pattern(3))
	})
	add("send/offset/again", "a Send whose second segment starts at 0 again", WrongOffset, func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, pattern(3))
		t.part(0, wire.OpSend, 0, 0, true, pattern(3))
	})
	add("immediate/offset", "Immediate Data with MO 8", WrongOffset, func(t *T) {
		t.receives(0, 1)
		t.in(0, set(wire.AppendImmediate(nil, false, 1, data), 0, wire.DDPUntaggedTable, "mo", 8))
	})
	add("send/opcode", "a Send whose second segment is a Send with Solicited Event", OtherOpcode, func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, pattern(3))
		t.part(0, wire.OpSendSE, 0, 3, true, pattern(3))
	})
	add("send/immediate", "an incomplete Send of one empty segment, and then Immediate Data", OtherOpcode, func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, nil)
		t.immediate(0, false, data)
	})
	add("send/long", "a Send of 65 octets into a buffer of 64", MessageTooLong, func(t *T) { t.receives(0, 1); t.send(0, wire.OpSend, pattern(65)) })
	add("send/long/second", "a Send whose second segment extends past the buffer", MessageTooLong, func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, pattern(40))
		t.part(0, wire.OpSend, 0, 40, true, pattern(25))
	})
	add("send/long/none", "a Send of 1 octet into a buffer of none", MessageTooLong, func(t *T) { t.receive(0, sink, 0, 0); t.send(0, wire.OpSend, pattern(1)) })
	for _, b := range []struct {
		name, what string
		area       string
		offset     int
	}{
		{"invalid", "whose STag is not valid", unstored, 0}, {"association", "of another stream", foreign, 0}, {"domain", "of another domain", strange, 0},
		{"right", "that may not be written locally", source, 0}, {"bounds", "that ends before the message", bottom, 62}, {"wrap", "at the last octet", top, 255},
	} {
		add("send/buffer/"+b.name, "a Send of 8 octets into a buffer "+b.what, LocalBuffer, func(t *T) {
			t.receive(0, b.area, b.offset, 64)
			t.send(0, wire.OpSend, pattern(8))
		})
	}
	for _, i := range []struct {
		name, what string
		stag       func(t *T) uint32
	}{
		{"invalid", "whose row is not valid", func(t *T) uint32 { return t.area(unstored).stag() }},
		{"index", "beyond the table", func(t *T) uint32 { return uint32(t.Config.STags)<<8 | t.area(common).stag()&0xFF }},
		{"key", "with another key", func(t *T) uint32 { return t.area(common).stag() ^ 1 }},
		{"stream", "of another stream", func(t *T) uint32 { return t.area(foreign).stag() }},
		{"domain", "of another domain", func(t *T) uint32 { return t.area(strange).stag() }},
		{"right", "that may not be invalidated", func(t *T) uint32 { return t.area(shared).stag() }},
	} {
		for _, op := range []wire.Opcode{wire.OpSendInv, wire.OpSendSEInv} {
			add(op.Name()+"/"+i.name, fmt.Sprintf("%v of an STag %s", op, i.what), Invalidation, func(t *T) {
				t.receives(0, 1)
				t.part(0, op, i.stag(t), 0, true, pattern(8))
			})
		}
	}

	// Responses.
	responses := func(name, what string, write func(t *T)) { add(name, what, WrongAnswer, write) }
	responses("read_response/none", "a Read Response without a request", func(t *T) { t.readResponse(0, sink, 0, true, pattern(8)) })
	responses("read_response/none/empty", "a Read Response of no octets without a request", func(t *T) { t.readResponse(0, sink, 0, true, nil) })
	responses("atomic_response/none", "an Atomic Response without a request", func(t *T) { t.atomicResponse(0, 1, data) })
	responses("read_response/second", "two Read Responses to one Read", func(t *T) {
		t.postRead(0, sink, 0, 8)
		t.readResponse(0, sink, 0, true, pattern(8))
		t.readResponse(0, sink, 0, true, pattern(8))
	})
	responses("atomic_response/second", "two Atomic Responses to one atomic", func(t *T) {
		id := t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
		t.atomicResponse(0, id, data)
		t.atomicResponse(0, id, data)
	})
	responses("read_response/to_atomic", "a Read Response while an atomic is the oldest outstanding request", func(t *T) {
		t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
		t.postRead(0, sink, 8, 8)
		t.readResponse(0, sink, 8, true, pattern(8))
	})
	responses("atomic_response/to_read", "an Atomic Response while a Read is the oldest outstanding request", func(t *T) {
		t.postRead(0, sink, 8, 8)
		id := t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
		t.atomicResponse(0, id, data)
	})
	responses("atomic_response/identifier", "an Atomic Response with another identifier", func(t *T) {
		id := t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
		t.atomicResponse(0, id^0x8000_0000, data)
	})
	responses("atomic_response/identifier/next", "an Atomic Response with the identifier of the second of two", func(t *T) {
		t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
		id := t.postAtomic(0, sink, 8, rdmap.Operands{Data: 1})
		t.atomicResponse(0, id, data)
	})
	for _, r := range []struct {
		name, what string
		write      func(t *T)
	}{
		{"long", "with one octet too many", func(t *T) { t.readResponse(0, sink, 0, true, pattern(9)) }},
		{"long/second", "whose second segment has one octet too many", func(t *T) {
			t.readResponse(0, sink, 0, false, pattern(5))
			t.readResponse(0, sink, 5, true, pattern(4))
		}},
		{"early", "with L set although octets are missing", func(t *T) { t.readResponse(0, sink, 0, true, pattern(7)) }},
		{"early/empty", "of no octets", func(t *T) { t.readResponse(0, sink, 0, true, nil) }},
		{"late", "that is complete but has L clear", func(t *T) { t.readResponse(0, sink, 0, false, pattern(8)) }},
		{"stag", "to another STag", func(t *T) { t.readResponse(0, shared, 0, true, pattern(8)) }},
		{"to", "to the next octet", func(t *T) { t.readResponse(0, sink, 1, true, pattern(8)) }},
		{"to/second", "whose second segment goes to the first octets again", func(t *T) {
			t.readResponse(0, sink, 0, false, pattern(4))
			t.readResponse(0, sink, 0, true, pattern(4))
		}},
	} {
		responses("read_response/"+r.name, "a Read of 8 octets, and a Read Response "+r.what, func(t *T) { t.postRead(0, sink, 0, 8); r.write(t) })
	}
	responses("read_response/sink_gone", "the sink of a Read is invalid when its Read Response arrives", func(t *T) {
		t.postRead(0, sink, 0, 8)
		t.store(sink, func(r *memory.Region) { r.Rights = 0 })
		t.readResponse(0, sink, 0, true, pattern(8))
	})
	responses("atomic_response/buffer_gone", "the buffer of an atomic is invalid when its Atomic Response arrives", func(t *T) {
		id := t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
		t.store(sink, func(r *memory.Region) { r.Rights = 0 })
		t.atomicResponse(0, id, data)
	})

	// Local buffers.
	own := func(name, what string, write func(t *T)) { add(name, what, LocalBuffer, write) }
	for _, b := range []struct {
		name, what string
		area       string
		offset     int
	}{
		{"invalid", "whose STag is not valid", unstored, 0}, {"association", "of another stream", foreign, 0}, {"domain", "of another domain", strange, 0},
		{"bounds", "that extends past its region", bottom, 57}, {"wrap", "that extends past TO 2^64 - 1", top, 250},
	} {
		own("out/rdma_write/"+b.name, "this end writes 8 octets from a buffer "+b.what, func(t *T) { t.postWrite(0, b.area, b.offset, 8) })
		own("out/send/"+b.name, "this end sends 8 octets from a buffer "+b.what, func(t *T) { t.postSend(0, wire.OpSend, b.area, b.offset, 8) })
		own("out/read_request/"+b.name, "this end reads 8 octets to a buffer "+b.what, func(t *T) { t.postRead(0, b.area, b.offset, 8) })
		own("out/atomic_request/"+b.name, "this end posts an atomic whose result goes to a buffer "+b.what, func(t *T) { t.postAtomic(0, b.area, b.offset, rdmap.Operands{Data: 1}) })
	}
	own("out/rdma_write/right", "this end writes from a buffer that may not be read locally", func(t *T) { t.postWrite(0, sink, 0, 8) })
	own("out/read_request/right", "this end reads to a buffer that may not be written locally", func(t *T) { t.postRead(0, source, 0, 8) })
	own("out/atomic_request/right", "this end posts an atomic whose result goes to a buffer that may not be written locally", func(t *T) { t.postAtomic(0, source, 0, rdmap.Operands{Data: 1}) })
	own("out/unsignaled", "a Write that is not signaled completes when it fails", func(t *T) { t.postWrite(0, sink, 0, 8, unsignaled) })
	return list
}

// errors tests each failure alone.
func errors(l *list) {
	for _, f := range failures() {
		c := l.add("error/"+f.name, f.what, flags(f.flag), f.write).ends().ord(2)
		if f.flag == LocalBuffer {
			c.cite("RFC7306-8.1-01", "RFC7306-8.1-02")
		}
	}
	if !l.config.Draft00() {
		l.add("error/atomic_request/aopcode/1", "an atomic with AOpCode 0x1, which is Swap in draft-00", flags(AtomicOpcode), func(t *T) {
			r := t.fetchAdd(words, 0, 1, 0)
			r.AOpCode = wire.Swap
			t.atomic(0, r)
		}).ends()
	}
	l.add("error/out/third_segment", "this end writes a message whose last segment is outside its region: no segment is sent", flags(LocalBuffer), func(t *T) {
		n := 2 * t.Config.MaxPayload
		t.postWrite(0, source, long(t.Config)-n-3, n+4)
	}).decides("I-87").ends()
}

// silence sends more traffic after an error: it has no effect.
func silence(l *list) {
	for _, f := range failures() {
		if f.flag == LocalBuffer && len(f.name)%3 > 0 || f.flag == AtomicOpcode {
			continue
		}
		l.add("after/"+f.name, f.what+"; then a Write, a Read, an atomic and a Send on the stream", flags(AfterError), func(t *T) {
			f.write(t)
			t.rest()
			t.write(0, shared, 64, pattern(16))
			t.read(0, shared, 0, 8)
			t.atomic(0, t.fetchAdd(shared, 128, 1, 0))
			t.send(0, wire.OpSendSE, pattern(5))
			t.in(0, wire.AppendTerminate(nil, wire.Terminate{}))
		}).ends().ord(2)
	}
	l.add("after/terminate", "a Terminate from the peer, and then segments of all kinds", flags(AfterError), func(t *T) {
		t.receives(0, 2)
		t.in(0, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: 0, EType: 2, Code: 7}}))
		t.write(0, shared, 64, pattern(16))
		t.read(0, shared, 0, 8)
		t.atomic(0, t.fetchAdd(shared, 128, 1, 0))
		t.send(0, wire.OpSend, pattern(5))
		t.in(0, nil)
	}).ends()
	l.add("after/without_rest", "an error with segments before and after it without a pause", flags(AfterError), func(t *T) {
		t.write(0, shared, 0, pattern(9))
		t.write(0, private, 0, pattern(9))
		t.write(0, shared, 16, pattern(9))
		t.write(0, shared, 32, pattern(9))
	}).ends()
	l.add("after/answers_first", "a Read and a FetchAdd, then an error: the Terminate follows their responses", flags(AfterError), func(t *T) {
		t.read(0, target, 0, 100)
		t.atomic(0, t.fetchAdd(shared, 8, 1, 0))
		t.write(0, private, 0, pattern(1))
		t.read(0, target, 0, 8)
	}).ends().ird(2)
	l.add("after/answers_first_held", "the same while m_axis_tx is held", flags(AfterError), func(t *T) {
		t.hold()
		t.read(0, target, 0, 100)
		t.read(0, target, 50, 10)
		t.write(0, private, 0, pattern(1))
		t.read(0, target, 0, 8)
		t.release()
	}).ends().ird(2)
	l.add("after/one_terminate", "three errors on one stream: one Terminate", flags(AfterError), func(t *T) {
		t.write(0, private, 0, pattern(1))
		t.rest()
		t.write(0, private, 0, pattern(1))
		t.in(0, nil)
	}).ends()
	l.add("after/out", "an error, and then work requests: they are flushed", flags(AfterError), func(t *T) {
		t.write(0, private, 0, pattern(1))
		t.postWrite(0, source, 0, 8)
		t.rest()
		t.postRead(0, sink, 0, 8)
		t.rest()
		t.postImmediate(0, false, data, unsignaled)
	}).ends()
}

// isolation checks that events on one stream do not affect the others.
func isolation(l *list) {
	for _, f := range failures() {
		if len(f.name)%2 == 0 || f.flag == AtomicOpcode {
			continue
		}
		l.add("others/"+f.name, f.what+"; another stream continues", flags(StreamIsolation), func(t *T) {
			t.write(1, shared, 0, pattern(8))
			f.write(t)
			t.rest()
			t.write(1, shared, 8, pattern(8))
			t.atomic(1, t.fetchAdd(shared, 128, 1, 0))
			t.read(1, target, 0, 8)
		}).ends().ord(2).ird(2)
	}
	l.add("others/between", "interleaved Sends of two streams, each with its own MSNs and buffers", flags(StreamIsolation), func(t *T) {
		t.receives(0, 2)
		t.receives(1, 2)
		for i := range 2 {
			t.part(0, wire.OpSend, 0, 0, false, pattern(3+i))
			t.part(1, wire.OpSend, 0, 0, false, pattern(5+i))
			t.part(0, wire.OpSend, 0, 3+i, true, pattern(7))
			t.part(1, wire.OpSend, 0, 5+i, true, pattern(9))
		}
	})
	l.add("others/four", "interleaved Writes of four streams", flags(StreamIsolation), func(t *T) {
		for i := range 16 {
			t.write(i%4, shared, 16*i, pattern(3+i%13))
		}
	}).streams(4)
	l.add("others/out", "a stream that ends flushes only its own work requests", flags(StreamIsolation), func(t *T) {
		t.postRead(0, sink, 0, 8)
		t.postRead(1, foreign, 0, 8)
		t.write(0, private, 0, pattern(1))
		t.rest()
		t.readResponse(1, foreign, 0, true, pattern(8))
	}).ends()
}

// classified tests every fault of a segment by itself, for every message.
func classified(l *list) {
	for _, m := range spec.Operations {
		classify(l, &m)
	}
	for n := 1; n < untaggedOctets; n++ {
		l.add(fmt.Sprintf("segment/untagged_%d_octets", n), fmt.Sprintf("the first %d octets of a Send; its DDP header has 18", n), flags(ShortHeader), func(t *T) {
			t.in(0, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, nil)[:n])
		}).ends()
	}
	for n := 2; n < 14; n++ {
		l.add(fmt.Sprintf("segment/tagged_%d_octets", n), fmt.Sprintf("the first %d octets of an RDMA Write; its DDP header has 14", n), flags(ShortHeader), func(t *T) {
			a := t.area(shared)
			t.in(0, wire.AppendWrite(nil, a.stag(), a.to(0), true, nil)[:n])
		}).ends()
	}
	l.add("segment/empty", "an empty segment", flags(ShortHeader), func(t *T) { t.in(0, nil) }).ends()
	l.add("segment/one_octet", "a segment of one octet", flags(ShortHeader), func(t *T) { t.in(0, []byte{0xC1}) }).ends()
	l.add("segment/atomic_response/32_octets", "an Atomic Response with 32 octets of payload (I-01)", flags(WrongLength), func(t *T) {
		t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
		t.in(0, append(wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 1}), pattern(20)...))
	}).ends()
	for n := range 3 {
		octets := []int{0, 7, 16}[n]
		l.add(fmt.Sprintf("segment/immediate/%d_octets", octets), fmt.Sprintf("Immediate Data of %d octets", octets), flags(WrongLength), func(t *T) {
			t.receives(0, 1)
			t.in(0, append(wire.AppendImmediate(nil, false, 1, 0)[:untaggedOctets], pattern(octets)...))
		}).ends().cite("RFC7306-6.1-05", "RFC7306-6.1-06", "RFC7306-6.3-09")
	}
}

// classify tests every fault of a segment with a message.
func classify(l *list, m *spec.Operation) {
	op, one := m.Opcode, exampleOf(m)
	add := func(key, what, flag string, change func(segment []byte) []byte) {
		l.add("segment/"+m.Name+"/"+key, m.Title+": "+what, flags(flag), func(t *T) {
			one.ready(t)
			t.in(0, change(one.segment(t)))
			t.rest()
			t.write(0, shared, 64, pattern(8)) // discarded
		}).ends()
	}
	field := func(table *wire.Table, name string, value uint64) func([]byte) []byte {
		return func(b []byte) []byte { return set(b, 0, table, name, value) }
	}
	tagged, table := wire.DDPTables(m.Extension)
	if m.Tagged {
		table = tagged
	}
	add("dv0", "DV is 0", WrongVersion, field(table, "dv", 0))
	add("dv2", "DV is 2", WrongVersion, field(table, "dv", 2))
	add("dv3", "DV is 3", WrongVersion, field(table, "dv", 3))
	add("rv0", "RV is 0", WrongVersion, field(table, "rv", 0))
	add("rv2", "RV is 2", WrongVersion, field(table, "rv", 2))
	add("rv3", "RV is 3", WrongVersion, field(table, "rv", 3))
	other := reservedOpcode(op)
	add("opcode", fmt.Sprintf("opcode 0x%X instead", uint8(other)), l.faultOf(m, other), field(table, "opcode", uint64(other)))
	add("t", "T does not match the opcode", WrongTagged, func(b []byte) []byte { b[0] ^= 0x80; return b })
	add("short", "the segment ends inside its DDP header", ShortHeader, func(b []byte) []byte { return b[:13+int(op)%2*(table.Octets-14)] })
	if m.Tagged {
		return
	}
	add("qn4", "QN is 4", WrongQueue, field(table, "queue_number", 4))
	add("qn_upper", "QN is its queue with bit 16 set", WrongQueue, func(b []byte) []byte {
		q, _ := table.MustField("queue_number").Get(b)
		return set(b, 0, table, "queue_number", q|1<<16)
	})
	add("qn_other", "QN is that of another message", WrongQueue, func(b []byte) []byte {
		q, _ := table.MustField("queue_number").Get(b)
		return set(b, 0, table, "queue_number", (q+1)%4)
	})
	if m.ZeroMO {
		add("mo", "MO is 1", WrongOffset, field(table, "mo", 1))
	}
	if !m.SingleSegment {
		return
	}
	for _, n := range one.lengths {
		what, flag := fmt.Sprintf("%d octets after the DDP header", n), WrongLength
		if op == wire.OpVerifyRequest && n == hashed {
			what, flag = what+": a hash of the right length that is not the digest", WrongHash
		}
		add(fmt.Sprintf("payload_%d", n), what, flag, func(b []byte) []byte {
			return append(b[:min(len(b), untaggedOctets+n)], pattern(max(0, untaggedOctets+n-len(b)))...)
		})
	}
	add("two_segments", "L is 0", NotLast, func(b []byte) []byte { b[0] &^= 0x40; return b })
	if op == wire.OpTerminate {
		add("length_short", "3 octets of payload", WrongLength, func(b []byte) []byte { return b[:21] })
		return
	}
	if m.Empty {
		add("length_long", "one octet too many", WrongLength, func(b []byte) []byte { return append(b, 0) })
		return
	}
	add("length_short", "one octet is missing", WrongLength, func(b []byte) []byte { return b[:len(b)-1] })
	add("length_long", "one octet too many", WrongLength, func(b []byte) []byte { return append(b, 0) })
	add("length_none", "no payload", WrongLength, func(b []byte) []byte { return b[:untaggedOctets] })
}

const untaggedOctets = 18 // of the DDP header

// reservedOpcode returns an opcode to replace op: for the messages of RFC 7306 one of those that it reserves, which
// differs by op, and for those of the extension commit one of those that both reserve.
func reservedOpcode(op wire.Opcode) wire.Opcode {
	if op > wire.OpAtomicResponse {
		return wire.Opcode(spec.AllExtensions.Count()) + op%8
	}
	return 0xC + op%4
}

// faultOf returns the flag of a segment of an operation with another opcode: what the opcode then says of the segment. An
// opcode that RFC 7306 reserves is not unknown if it belongs to an extension.
func (l *list) faultOf(m *spec.Operation, other wire.Opcode) string {
	o, known := l.config.Protocol().Operation(other)
	switch {
	case !known:
		return UnknownOpcode
	case o.Tagged != m.Tagged:
		return WrongTagged
	case o.Queue != m.Queue:
		return WrongQueue
	case o.Class&spec.Committing != 0:
		return InvalidSTag // where m has another field
	}
	return WrongAnswer
}
