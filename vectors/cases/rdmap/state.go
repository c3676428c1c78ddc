package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

func inputOfReceive(t *T, b rdmap.Buffer) suite.Input {
	t.ids++
	return suite.Input{Port: suite.PortReceive, Receive: suite.ReceiveOf(rdmap.ReceiveRequest{Stream: t.number(0), ID: 0xEC00_0000_0000_0000 + t.ids, Buffer: b})}
}

// sequence tests the Message Sequence Numbers of each queue, and rings that wrap.
func sequence(l *list) {
	l.add("msn/sends", "more Sends than receive requests at a time: each gets the next buffer", flags(Sequence), func(t *T) {
		for i := range t.Config.ReceiveDepth + 3 {
			t.receive(0, sink, 8*(i%64), 8)
			t.send(0, wire.OpSend, pattern(1+i%8))
		}
	})
	l.add("msn/sends_and_immediates", "Sends of all kinds and Immediate Data share the MSNs and the receive requests of QN 0", flags(Sequence), func(t *T) {
		t.receives(0, 2)
		t.immediate(0, false, data)
		t.send(0, wire.OpSendSE, pattern(3))
		t.receives(0, 2)
		t.send(0, wire.OpSend, pattern(4))
		t.immediate(0, true, ^uint64(data))
	}).cite("RFC7306-6.3-04", "RFC7306-6.3-05", "RFC7306-6.4-01", "RFC7306-7-02", "RFC7306-7-03")
	l.add("msn/requests", "Reads and Atomics share the MSNs of QN 1, Atomic Responses count separately", flags(Sequence), func(t *T) {
		for i := range 6 {
			t.read(0, target, i, 1+i)
			t.rest()
			t.atomic(0, t.fetchAdd(words, 8*i, 1, 0))
			t.rest()
		}
	}).cite("RFC7306-5-16", "RFC7306-5.2-02")
	l.add("msn/requests_round", "more requests than IRD, one at a time", flags(Sequence), func(t *T) {
		for range 2*t.Config.IRD + 1 {
			t.atomic(0, t.fetchAdd(words, 0, 1, 0))
			t.rest()
		}
	})
	l.add("msn/burst", "as many Atomics as IRD without a pause, twice", flags(Sequence, Limit), func(t *T) {
		for range 2 {
			for i := range t.Config.IRD {
				t.atomic(0, t.fetchAdd(words, 8*(i%4), 1, 0))
			}
			t.rest()
		}
	}).cite("RFC7306-5.2.2-11", "RFC7306-5.4-12", "RFC7306-5.4-13")
	l.add("msn/answers_round", "more Atomics by this end than ORD", flags(Sequence), func(t *T) {
		for i := range t.Config.ORD + 2 {
			id := t.postAtomic(0, sink, 8*(i%16), rdmap.Operands{Data: 1})
			t.atomicResponse(0, id, uint64(i)<<32|0x55)
		}
	})
	l.add("msn/per_stream", "each stream counts separately", flags(Sequence, StreamIsolation), func(t *T) {
		t.receives(0, 2)
		t.receives(1, 1)
		t.send(0, wire.OpSend, pattern(1))
		t.send(1, wire.OpSend, pattern(2))
		t.send(0, wire.OpSend, pattern(3))
		t.read(1, target, 0, 1)
		t.atomic(0, t.fetchAdd(words, 0, 1, 0))
	})
	l.add("msn/send_in_the_wrong_order", "Sends with MSN 2 and then 1", flags(Sequence, WrongMSN), func(t *T) {
		t.receives(0, 2)
		t.in(0, wire.AppendSend(nil, wire.OpSend, 0, 2, 0, true, pattern(1)))
		t.in(0, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, pattern(1)))
	}).ends()
	l.add("msn/out", "Sends and Reads by this end count separately", flags(Sequence), func(t *T) {
		t.postSend(0, wire.OpSend, source, 0, 1)
		t.postRead(0, sink, 0, 1)
		t.rest()
		t.postSend(0, wire.OpSendSE, source, 0, 2)
		t.postAtomic(0, sink, 8, rdmap.Operands{Data: 1})
	}).ord(2).depth(4).cite("RFC7306-5.2-02")
}

// invalidation tests Send with Invalidate and its effects.
func invalidation(l *list) {
	for _, op := range []wire.Opcode{wire.OpSendInv, wire.OpSendSEInv} {
		add := func(key, what string, write func(t *T)) *Case {
			return l.add("invalidate/"+op.Name()+"/"+key, op.String()+", and then "+what, flags(Invalidation), func(t *T) {
				t.receives(0, 2)
				t.part(0, op, t.area(common).stag(), 0, true, pattern(8))
				write(t)
			})
		}
		add("nothing", "nothing", func(*T) {})
		add("rdma_write", "an RDMA Write to the STag", func(t *T) { t.write(0, common, 0, pattern(8)) }).ends()
		add("read_request", "an RDMA Read from the STag", func(t *T) { t.read(0, common, 0, 8) }).ends()
		add("atomic_request", "a FetchAdd on the STag", func(t *T) { t.atomic(0, t.fetchAdd(common, 0, 1, 0)) }).ends()
		add("again", "another one of the same STag", func(t *T) { t.part(0, op, t.area(common).stag(), 0, true, pattern(3)) }).ends()
		add("empty_write", "an RDMA Write of no octets to the STag, which is not checked", func(t *T) { t.write(0, common, 0, nil) })
		add("other_stag", "an RDMA Write to another STag", func(t *T) { t.write(0, shared, 0, pattern(8)) })
		add("other_stream", "an RDMA Write to the STag on another stream", func(t *T) { t.rest(); t.write(1, common, 0, pattern(8)) }).ends()
		add("out/rdma_write", "this end writes from the STag", func(t *T) { t.postWrite(0, common, 0, 8) }).ends()
		add("out/read_request", "this end reads to the STag", func(t *T) { t.postRead(0, common, 0, 8) }).ends()
		add("buffer", "a Send into a buffer of the STag", func(t *T) {
			t.receives(0, 1)
			t.send(0, wire.OpSend, pattern(1))
			t.receive(0, common, 0, 8)
			t.send(0, wire.OpSend, pattern(8))
		})
		add("stored_again", "the row is stored again, and an RDMA Write to it", func(t *T) {
			t.store(common, func(*memory.Region) {})
			t.write(0, common, 0, pattern(8))
		})
	}
	l.add("invalidate/own", "Send with Invalidate of an STag that is the stream's alone", flags(Invalidation), func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSendInv, t.area(removable).stag(), 0, true, pattern(8))
		t.rest()
		t.write(0, removable, 0, pattern(1))
	}).ends()
	l.add("invalidate/into_itself", "Send with Invalidate into a buffer of the STag that it invalidates: the message completes first", flags(Invalidation), func(t *T) {
		t.receive(0, common, 0, 64)
		t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(8))
	})
	l.add("invalidate/last_segment", "the STag is valid until the last segment of the message", flags(Invalidation, MultiSegment), func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSendInv, t.area(common).stag(), 0, false, pattern(8))
		t.write(0, common, 0, pattern(5))
		t.part(0, wire.OpSendInv, t.area(common).stag(), 8, true, pattern(8))
		t.write(0, common, 8, pattern(5))
	}).ends()
	l.add("invalidate/answer", "the sink of a Read is invalidated before its Read Response arrives", flags(Invalidation), func(t *T) {
		t.postRead(0, common, 0, 8)
		t.receives(0, 1)
		t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, nil)
		t.readResponse(0, common, 0, true, pattern(8))
	}).ends()
	for _, op := range []wire.Opcode{wire.OpSend, wire.OpSendSE, wire.OpImmediate, wire.OpImmediateSE} {
		l.add("invalidate/not/"+op.Name(), fmt.Sprintf("%v with a value in the place of the Invalidate STag: nothing is invalidated", op), flags(Invalidation, IgnoredField), func(t *T) {
			t.receives(0, 1)
			segment := wire.AppendSend(nil, op, 0, 1, 0, true, pattern(8))
			t.in(0, set(segment, 0, wire.DDPUntaggedTable, "invalidate_stag", uint64(t.area(common).stag())))
			t.write(0, common, 0, pattern(8))
		}).cite("RFC7306-4.1-09")
	}
}

// limits tests IRD, ORD and the depths of the queues.
func limits(l *list) {
	l.add("limit/ird/read", "one Read more than IRD while m_axis_tx is held", flags(Limit), func(t *T) {
		t.hold()
		for i := range t.Config.IRD {
			t.read(0, target, i, 8)
		}
		t.rest()
		t.read(0, target, 0, 8)
		t.release()
	}).ends().cite("RFC7306-5.2.2-11", "RFC7306-5.2-03")
	l.add("limit/ird/atomic", "one Atomic more than IRD while m_axis_tx is held, some of them Reads", flags(Limit), func(t *T) {
		t.hold()
		for i := range t.Config.IRD {
			if i%2 == 0 {
				t.read(0, target, i, 8)
			} else {
				t.atomic(0, t.fetchAdd(words, 8*i, 1, 0))
			}
		}
		t.rest()
		t.atomic(0, t.fetchAdd(words, 0, 1, 0))
		t.release()
	}).ends().cite("RFC7306-5.2.2-11", "RFC7306-5.2-03")
	l.add("limit/ird/full", "as many Reads as IRD while m_axis_tx is held, and then as many again", flags(Limit), func(t *T) {
		for range 2 {
			t.hold()
			for i := range t.Config.IRD {
				t.read(0, target, i, 8)
			}
			t.release()
		}
	}).cite("RFC7306-5.2.2-11", "RFC7306-5.2-03")
	l.add("limit/ird/other_stream", "a stream at its IRD, and another one below", flags(Limit, StreamIsolation), func(t *T) {
		t.hold()
		for i := range t.Config.IRD {
			t.read(0, target, i, 8)
		}
		t.read(1, target, 0, 8)
		t.release()
	}).decides("I-11")
	l.add("limit/ord", "more Reads by this end than ORD: the next is sent when the first is answered", flags(Limit), func(t *T) {
		for i := range t.Config.ORD + 1 {
			t.postRead(0, sink, 8*i, 8)
		}
		for i := range t.Config.ORD + 1 {
			t.rest()
			t.readResponse(0, sink, 8*i, true, pattern(8))
		}
	}).depth(l.config.ORD + 1).cite("RFC7306-5.2.2-12")
	l.add("limit/ord/atomics", "more Atomics by this end than ORD, and a later Write that waits", flags(Limit), func(t *T) {
		var ids []uint32
		for i := range t.Config.ORD + 1 {
			ids = append(ids, t.postAtomic(0, sink, 8*i, rdmap.Operands{Data: 1}))
		}
		t.postWrite(0, source, 0, 8)
		for _, id := range ids {
			t.rest()
			t.atomicResponse(0, id, data)
		}
	}).depth(l.config.ORD+2).cite("RFC7306-5-15", "RFC7306-5.2.2-12", "RFC7306-4.1-22", "RFC7306-5.2.2-07")
	l.add("limit/receives", "an excess receive request is refused, the others are used", flags(Limit), func(t *T) {
		for i := range t.Config.ReceiveDepth + 1 {
			t.receive(0, sink, 8*(i%64), 8)
		}
		for range min(3, t.Config.ReceiveDepth) {
			t.send(0, wire.OpSend, pattern(8))
		}
	}).ends()
	l.add("limit/receives/refused_one_is_not_there", "as many Sends as receive requests fit, and one for the refused receive request", flags(Limit, NoBuffer), func(t *T) {
		for i := range t.Config.ReceiveDepth + 1 {
			t.receive(0, sink, 8*(i%64), 8)
		}
		for range t.Config.ReceiveDepth + 1 {
			t.send(0, wire.OpSend, pattern(8))
		}
	}).ends()
	l.add("limit/sends", "as many work requests as fit, then as many again", flags(Limit), func(t *T) {
		for range 2 {
			for i := range t.Config.SendDepth {
				t.postWrite(0, source, i, 3)
			}
			t.rest()
		}
	})
}

// flushes tests requests that are posted when a stream ends.
func flushes(l *list) {
	ends := []struct {
		name, what string
		end        func(t *T)
	}{
		{"error", "a segment in error", func(t *T) { t.write(0, private, 0, pattern(1)) }},
		{"terminate", "a Terminate from the peer", func(t *T) {
			t.in(0, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: 1, EType: 2, Code: 2}}))
		}},
		{"shut", "a shut by the host", func(t *T) { t.shut(0) }},
	}
	for _, e := range ends {
		// The host shuts only a stream with nothing in flight.
		idle := e.name == "shut"

		add := func(key, what string, write func(t *T)) *Case {
			return l.add("flush/"+e.name+"/"+key, "a stream that ends by "+e.what+", with "+what, flags(Flush), func(t *T) { write(t); t.rest(); e.end(t) }).ends()
		}
		if !idle {
			underWay(l.config.ORD, add)
		}
		l.add("flush/"+e.name+"/posted_behind", "a stream that ends by "+e.what+": requests posted later are flushed", flags(Flush), func(t *T) {
			e.end(t)
			t.postWrite(0, source, 0, 8)
			t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
			t.receives(0, 1)
			t.write(0, shared, 0, pattern(8))
		}).ends()
		again := l.add("flush/"+e.name+"/opened_again", "a stream that ends by "+e.what+" during traffic, and is reopened: all MSNs are 1", flags(Flush, StreamSetup), func(t *T) {
			t.receives(0, 2)
			t.send(0, wire.OpSend, pattern(1))
			t.atomic(0, t.fetchAdd(words, 0, 1, 0))
			if !idle {
				t.postRead(0, sink, 0, 8)
			}
			t.rest()
			e.end(t)
			t.open(0)
			t.receives(0, 1)
			t.send(0, wire.OpSend, pattern(3))
			t.atomic(0, t.fetchAdd(words, 0, 1, 0))
			t.rest()
			id := t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
			t.atomicResponse(0, id, data)
		})
		again.Ends = !idle
	}
	l.add("flush/local/behind", "a Write that fails, after an outstanding Read and before a Send", flags(Flush, LocalBuffer), func(t *T) {
		t.postRead(0, sink, 0, 8)
		t.postWrite(0, private, 60, 8)
		t.postSend(0, wire.OpSend, source, 0, 8)
	}).ends().depth(4)
}

// underWay adds everything that can be in flight when a stream ends. ord is the number of requests in flight.
func underWay(ord int, add func(key, what string, write func(t *T)) *Case) {
	add("read", "an outstanding Read", func(t *T) { t.postRead(0, sink, 0, 8) })
	add("atomic", "an outstanding atomic", func(t *T) { t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1}) })
	add("half_read", "a half-received Read", func(t *T) { t.postRead(0, sink, 0, 8); t.readResponse(0, sink, 0, false, pattern(4)) })
	add("waiting", "Reads that wait for ORD, and a later unsignaled Write", func(t *T) {
		for i := range ord + 1 {
			t.postRead(0, sink, 8*i, 8)
		}
		t.postWrite(0, source, 0, 8, unsignaled)
	}).depth(ord + 2)
	add("done_behind", "a sent Write after an outstanding Read", func(t *T) { t.postRead(0, sink, 0, 8); t.postWrite(0, source, 0, 8) })
	add("half_send", "a half-received Send", func(t *T) { t.receives(0, 2); t.part(0, wire.OpSend, 0, 0, false, pattern(9)) })
	add("receives", "unused receive requests", func(t *T) { t.receives(0, 2) })
}

// setUps changes rows and streams between segments.
func setUps(l *list) {
	l.add("set_up/key", "a row gets another key: the old STag is no longer valid", flags(StreamSetup), func(t *T) {
		t.write(0, shared, 0, pattern(8))
		t.store(shared, func(r *memory.Region) { r.Key++ })
		t.write(0, shared, 8, pattern(8))
	}).ends()
	l.add("set_up/moved", "a region moves to other memory", flags(StreamSetup), func(t *T) {
		t.write(0, shared, 0, pattern(8))
		t.store(shared, func(r *memory.Region) { r.Address = t.area(foreign).Region.Address; r.Base++ })
		t.write(0, shared, 1, pattern(8))
	})
	l.add("set_up/rights", "a region loses the right Remote Write and keeps Remote Read", flags(StreamSetup), func(t *T) {
		t.write(0, shared, 0, pattern(8))
		t.store(shared, func(r *memory.Region) { r.Rights &^= memory.RemoteWrite })
		t.read(0, shared, 0, 8)
		t.write(0, shared, 8, pattern(8))
	}).ends()
	l.add("set_up/owner", "a region changes from one stream to another", flags(StreamSetup), func(t *T) {
		t.store(foreign, func(r *memory.Region) { r.Owner = uint16(t.number(0)) })
		t.write(0, foreign, 0, pattern(8))
		t.write(1, foreign, 8, pattern(8))
	}).ends()
	l.add("set_up/shut", "a stream is shut: segments are discarded silently", flags(StreamSetup), func(t *T) {
		t.shut(1)
		t.write(1, shared, 0, pattern(8))
		t.in(1, nil)
		t.write(0, shared, 16, pattern(8))
	})
	l.add("set_up/never_opened", "segments for a stream that was never opened are discarded", flags(StreamSetup), func(t *T) {
		other := (t.number(0) + uint32(t.Config.Streams) - 1) % uint32(t.Config.Streams)
		a := t.area(shared)
		t.add(suite.Input{Port: suite.PortRx, Stream: &other, Hex: wire.AppendWrite(nil, a.stag(), a.to(0), true, pattern(8))})
		t.write(0, shared, 16, pattern(8))
	}).streams(8)
	l.add("set_up/domain", "a stream is opened in another domain", flags(StreamSetup), func(t *T) {
		s := t.layout.Streams[1]
		s.Domain ^= 0x8000
		t.shut(1)
		t.add(suite.Input{Port: suite.PortControl, Open: &s})
		t.write(1, strange, 0, pattern(8))
		t.write(1, shared, 0, pattern(8))
	}).ends()
}
