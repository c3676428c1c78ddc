package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// flip is a field of a segment in which inverting any bit is an error.
type flip struct {
	name, what string
	bits       int
	ready      func(t *T, stream int)      // preparation for the segment
	segment    func(t *T, bit uint) []byte // with the bit inverted
}

// wrongBits inverts each bit of a field in an otherwise valid segment. The stream is reopened in between.
func wrongBits(l *list) {
	names := func(table *wire.Table, field string, at int, good func(t *T) []byte) func(t *T, bit uint) []byte {
		return func(t *T, bit uint) []byte {
			b := good(t)
			v, _ := table.MustField(field).Get(b[at:])
			return set(b, at, table, field, v^1<<bit)
		}
	}
	ddp := wire.DDPUntaggedTable
	read := func(t *T) []byte {
		return wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSinkSTag: peerSTag, DataSinkTO: peerTO, ReadMessageSize: 8, DataSourceSTag: t.area(near).stag(), DataSourceTO: t.area(near).to(0)})
	}
	atomic := func(t *T) []byte { return wire.AppendAtomicRequest(nil, 1, t.fetchAdd(near, 0, data, 0)) }
	send := func(t *T) []byte { return wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, pattern(8)) }
	invalidating := func(op wire.Opcode) func(t *T) []byte {
		return func(t *T) []byte { return wire.AppendSend(nil, op, t.area(near).stag(), 1, 0, true, pattern(8)) }
	}
	second := func(t *T) []byte { return wire.AppendSend(nil, wire.OpSend, 0, 1, 9, true, pattern(8)) }
	immediate := func(t *T) []byte { return wire.AppendImmediate(nil, true, 1, data) }
	terminate := func(*T) []byte { return wire.AppendTerminate(nil, wire.Terminate{}) }
	answer := func(*T) []byte {
		return wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 1, OriginalRemoteDataValue: data})
	}
	none := func(*T, int) {}
	receive := func(t *T, stream int) { t.receive(stream, shared, 64*stream, 64) }
	half := func(t *T, stream int) {
		receive(t, stream)
		t.part(stream, wire.OpSend, 0, 0, false, pattern(9))
	}
	issued := func(t *T, stream int) { t.postAtomic(stream, near, 0, rdmap.Operands{Data: 1}) }
	var list []flip
	for _, m := range []struct {
		name, what string
		ready      func(t *T, stream int)
		good       func(t *T) []byte
	}{
		{"send", "a Send", receive, send}, {"read_request", "an RDMA Read", none, read}, {"atomic_request", "a FetchAdd", none, atomic},
		{"send_inv", "a Send with Invalidate", receive, invalidating(wire.OpSendInv)}, {"send_se_inv", "a Send with Solicited Event and Invalidate", receive, invalidating(wire.OpSendSEInv)},
		{"send_se", "a Send with Solicited Event", receive, func(*T) []byte { return wire.AppendSend(nil, wire.OpSendSE, 0, 1, 0, true, pattern(8)) }},
		{"immediate_data", "Immediate Data, not solicited", receive, func(*T) []byte { return wire.AppendImmediate(nil, false, 1, data) }},
		{"immediate", "Immediate Data", receive, immediate}, {"terminate", "a Terminate", none, terminate}, {"atomic_response", "an Atomic Response", issued, answer},
	} {
		list = append(list,
			flip{m.name + "/msn", m.what + ": MSN", 32, m.ready, names(ddp, "msn", 0, m.good)},
			flip{m.name + "/mo", m.what + ": MO", 32, m.ready, names(ddp, "mo", 0, m.good)},
			flip{m.name + "/queue_number", m.what + ": queue number", 32, m.ready, names(ddp, "queue_number", 0, m.good)})
	}
	list = append(list,
		flip{"send/second/mo", "the second segment of a Send: MO", 32, half, names(ddp, "mo", 0, second)},
		flip{"send/second/msn", "the second segment of a Send: MSN", 32, half, names(ddp, "msn", 0, second)},
		flip{"send_se_inv/invalidate_stag", "a Send with Solicited Event and Invalidate: Invalidate STag", 32, receive, names(ddp, "invalidate_stag", 0, invalidating(wire.OpSendSEInv))},
		flip{"read_request/size", "an RDMA Read: message size", 32, none, names(wire.ReadRequestTable, "read_message_size", untaggedOctets, read)},
		flip{"atomic_response/identifier", "an Atomic Response: identifier", 32, issued, names(wire.AtomicResponseTable, "original_request_identifier", untaggedOctets, answer)})
	for _, f := range list {
		l.add("bit/"+f.name, fmt.Sprintf("%s, with each of %d bits inverted", f.what, f.bits), flags(SingleBit), func(t *T) {
			t.lay(near, t.narrow())
			t.each(f.bits, func(stream, _ int) { f.ready(t, stream) }, func(stream, bit int) { t.in(stream, f.segment(t, uint(bit))) })
		}).ends()
	}

	aopcode := names(wire.AtomicRequestTable, "aopcode", untaggedOctets, atomic)
	l.add("bit/atomic_request/aopcode", "a FetchAdd: AOpCode, with each of 4 bits inverted", flags(SingleBit, AtomicOpcode), func(t *T) {
		t.lay(near, t.narrow())
		for bit := range uint(4) {
			t.again(0)
			t.in(0, aopcode(t, bit))
		}
	}).ends()

	// STag and TO of every use of a region.
	for _, a := range accesses {
		for _, f := range []struct {
			name, what string
			bits       int
			flip       func(b *rdmap.Buffer, bit int)
		}{
			{"stag", "STag", 32, func(b *rdmap.Buffer, bit int) { b.STag ^= 1 << bit }},
			{"to", "TO", 64, func(b *rdmap.Buffer, bit int) { b.TO ^= 1 << bit }},
		} {
			if a.name == "atomic_response" || a.name == "invalidate" && f.name == "to" {
				continue // has none
			}
			l.add("bit/"+a.name+"/"+f.name, fmt.Sprintf("%s: %s, with each of %d bits inverted", a.what, f.what, f.bits), flags(SingleBit), func(t *T) {
				t.lay(near, t.narrow())
				flipped := func(bit int) rdmap.Buffer {
					b := t.at(near, 0)
					f.flip(&b, bit)
					return b
				}
				t.each(f.bits, func(stream, bit int) {
					if a.ready != nil {
						a.ready(t, stream, flipped(bit))
					}
				}, func(stream, bit int) { a.message(t, stream, flipped(bit)) })
			}).ends()
		}
	}
	l.add("bit/out/length", "Writes by this end from a region of 8 octets: length 8 with each of 32 bits inverted", flags(SingleBit, LocalBuffer), func(t *T) {
		t.lay(near, t.narrow())
		t.each(32, func(int, int) {}, func(stream, bit int) {
			t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpWrite, Local: t.at(near, 0), Length: 8 ^ 1<<bit, Remote: remote})
		})
	}).ends()
	l.add("bit/out/read_request/length", "Reads by this end to a region of 8 octets: length 8 with each of 32 bits inverted", flags(SingleBit, LocalBuffer), func(t *T) {
		t.lay(near, t.narrow())
		t.each(32, func(int, int) {}, func(stream, bit int) {
			t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpReadRequest, Local: t.at(near, 0), Length: 8 ^ 1<<bit, Remote: remote})
		})
	}).ends()
	l.add("bit/receive/length", "Sends of 8 octets into buffers whose length is each power of two", flags(SingleBit, MessageTooLong), func(t *T) {
		t.lay(near, t.narrow())
		t.each(32, func(stream, bit int) { t.receiveInto(stream, t.at(near, 0), 1<<bit) }, func(stream, _ int) { t.send(stream, wire.OpSend, pattern(8)) })
	}).ends()
	for _, f := range []struct {
		name, what string
		bits       int
		change     func(r *memory.Region, bit int)
	}{
		{"base", "base", 64, func(r *memory.Region, bit int) { r.Base ^= 1 << bit }},
		{"length", "length", 64, func(r *memory.Region, bit int) { r.Length ^= 1 << bit }},
	} {
		l.add("bit/region/"+f.name, fmt.Sprintf("RDMA Writes of a whole region of 8 octets, whose %s has each of %d bits inverted", f.what, f.bits), flags(SingleBit), func(t *T) {
			b := rdmap.Buffer{STag: memory.STag(t.layout.first()+loose[near].row, loose[near].key), TO: t.narrow().Base}
			for bit := range f.bits {
				r := t.narrow()
				f.change(&r, bit)
				if r.Length > 0 && (r.Base > -r.Length || r.Address > -r.Length) {
					continue // cannot be stored
				}
				t.again(0)
				t.lay(near, r)
				t.in(0, wire.AppendWrite(nil, b.STag, b.TO, true, pattern(8)))
			}
		}).ends()
	}
}

// operandBits tests each bit of each operand.
func operandBits(l *list) {
	type operands = rdmap.Operands
	fields := []struct {
		name, what string
		of         func(bit int) (operands, uint64) // and the original word
	}{
		{"fetch_add/data", "FetchAdds of each power of two", func(bit int) (operands, uint64) { return operands{Data: 1 << bit}, 0x5555_5555_5555_5555 }},
		{"fetch_add/mask", "FetchAdds of ones to ones with one bit of the Add Mask", func(bit int) (operands, uint64) { return operands{Data: allOnes, Mask: 1 << bit}, allOnes }},
		{"fetch_add/mask_missing", "FetchAdds of ones to ones with all bits of the Add Mask but one", func(bit int) (operands, uint64) { return operands{Data: allOnes, Mask: allOnes ^ 1<<bit}, allOnes }},
		{"cmp_swap/data", "CmpSwaps of one bit", func(bit int) (operands, uint64) {
			return operands{AOpCode: wire.CmpSwap, Data: 1 << bit, Mask: allOnes}, data
		}},
		{"cmp_swap/mask", "CmpSwaps with one bit of the Swap Mask", func(bit int) (operands, uint64) {
			return operands{AOpCode: wire.CmpSwap, Data: ^uint64(data), Mask: 1 << bit}, data
		}},
		{"cmp_swap/compare", "CmpSwaps whose comparison fails in one bit", func(bit int) (operands, uint64) {
			return operands{AOpCode: wire.CmpSwap, Data: ^uint64(data), Mask: allOnes, CompareData: data ^ 1<<bit, CompareMask: allOnes}, data
		}},
		{"cmp_swap/compare_mask", "CmpSwaps that compare one bit, which is equal", func(bit int) (operands, uint64) {
			return operands{AOpCode: wire.CmpSwap, Data: uint64(bit), Mask: allOnes, CompareData: ^uint64(data) ^ 1<<bit, CompareMask: 1 << bit}, data
		}},
		{"cmp_swap/compare_mask_missing", "CmpSwaps that compare all bits but one, which is not equal", func(bit int) (operands, uint64) {
			return operands{AOpCode: wire.CmpSwap, Data: uint64(bit), Mask: allOnes, CompareData: data ^ 1<<bit, CompareMask: allOnes ^ 1<<bit}, data
		}},
	}
	for _, f := range fields {
		l.add("operand/in/"+f.name, f.what+": 64 of them", flags(SingleBit, Mask), func(t *T) {
			word := make([]byte, 0, 256)
			for range 32 {
				_, before := f.of(0)
				for i := range 8 {
					word = append(word, byte(before>>(8*i)))
				}
			}
			for bit := range 64 {
				if bit%32 == 0 {
					t.rest()
					t.write(0, words, 0, word)
					t.rest()
				}
				o, _ := f.of(bit)
				r := t.fetchAdd(words, 8*(bit%32), o.Data, o.Mask)
				if o.AOpCode == wire.CmpSwap {
					r = t.cmpSwap(words, 8*(bit%32), o.Data, o.Mask, o.CompareData, o.CompareMask)
				}
				t.atomic(0, r)
				if (bit+1)%t.Config.IRD == 0 {
					t.rest()
				}
			}
		})
		l.add("operand/out/"+f.name, f.what+" by this end: 64 of them, with each power of two as the returned value", flags(SingleBit, Mask), func(t *T) {
			some := min(t.Config.ORD, t.Config.SendDepth)
			for bit := 0; bit < 64; bit += some {
				var issued []uint32
				for i := bit; i < min(64, bit+some); i++ {
					o, _ := f.of(i)
					issued = append(issued, t.postAtomic(0, sink, 3+8*i, o))
				}
				for i, id := range issued {
					t.atomicResponse(0, id, 1<<(bit+i))
				}
			}
		})
	}
	l.add("operand/immediate", "Immediate Data of each power of two, in both directions, with IDs of each power of two", flags(SingleBit), func(t *T) {
		some := min(t.Config.ReceiveDepth, t.Config.SendDepth)
		for bit := 0; bit < 64; bit += some {
			for i := bit; i < min(64, bit+some); i++ {
				t.add(suite.Input{Port: suite.PortReceive, Receive: suite.ReceiveOf(rdmap.ReceiveRequest{Stream: t.number(0), ID: 1 << i})})
			}
			for i := bit; i < min(64, bit+some); i++ {
				t.immediate(0, false, 1<<i)
			}
			for i := bit; i < min(64, bit+some); i++ {
				t.postImmediate(0, false, 1<<i, func(w *rdmap.WorkRequest) { w.ID = 1 << i })
			}
		}
	})
	l.add("operand/remote", "Writes, Reads and Atomics by this end to each power of two as TO and as STag", flags(SingleBit), func(t *T) {
		for bit := range 64 {
			change := func(w *rdmap.WorkRequest) { w.Remote = rdmap.Buffer{STag: 1 << (bit % 32), TO: 1 << bit} }
			t.postWrite(0, source, bit, bit%3, change)
			t.postRead(0, sink, bit, bit%5, change)
			t.readResponse(0, sink, bit, true, pattern(bit%5))
			id := t.postAtomic(0, sink, bit, rdmap.Operands{Data: 1}, change)
			t.atomicResponse(0, id, data)
		}
	})
	l.add("operand/sink", "Reads by the peer whose sink has each power of two as TO and as STag, and FetchAdds with each power of two as identifier", flags(SingleBit), func(t *T) {
		a := t.area(target)
		for bit := range 64 {
			t.in(0, wire.AppendReadRequest(nil, t.msn(0, wire.QueueRequest), wire.ReadRequest{DataSinkSTag: 1 << (bit % 32), DataSinkTO: 1 << bit,
				ReadMessageSize: uint32(bit % 7), DataSourceSTag: a.stag(), DataSourceTO: a.to(bit)}))
			t.took(0, wire.QueueRequest)
			t.rest()
			r := t.fetchAdd(words, 8*(bit%32), 1, 0)
			r.RequestIdentifier = 1 << (bit % 32)
			t.atomic(0, r)
			t.rest()
		}
	})
	l.add("operand/invalidate", "Sends with Invalidate by this end of each power of two as STag", flags(SingleBit), func(t *T) {
		for bit := range 32 {
			t.postSend(0, wire.OpSendInv, source, bit, bit%3, func(w *rdmap.WorkRequest) { w.Remote.STag = 1 << bit })
			if (bit+1)%t.Config.SendDepth == 0 {
				t.rest()
			}
		}
	})
}
