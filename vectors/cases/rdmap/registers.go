package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// reads reads registers one after the other.
func (t *T) reads(names ...string) {
	for _, name := range names {
		t.add(suite.Input{Port: suite.PortControl, Read: name})
	}
}

// registers tests the constant registers, and every counter after everything that it counts.
func registers(l *list) {
	add := func(key, comment string, write func(t *T)) *Case {
		return l.add("register/"+key, comment, flags(Counter), func(t *T) { write(t); t.reads(suite.CounterRegisters...) })
	}
	l.add("register/fixed", "the registers that describe the device", flags(Counter), func(t *T) {
		t.reads("id", "version", "status", "bus_bytes", "streams", "stags", "ird", "ord", "receive_depth", "send_depth", "max_payload", "features")
	})
	add("nothing", "every counter without traffic", func(*T) {})
	add("in", "every counter after messages of the peer, of one and of three segments", func(t *T) {
		t.receives(0, 2)
		eachPart([]int{3, 4, 5}, func(offset int, last bool, data []byte) { t.part(0, wire.OpSend, 0, offset, last, data) })
		t.immediate(0, true, data)
		t.write(0, target, 0, pattern(9))
		t.atomic(0, t.fetchAdd(words, 0, 1, 0))
		t.rest()
		t.read(0, target, 0, 2*t.Config.MaxPayload+1)
	})
	add("out", "every counter after messages of this end, of one and of three segments, some of them unsignaled", func(t *T) {
		t.postWrite(0, source, 0, 2*t.Config.MaxPayload+1)
		t.postSend(0, wire.OpSendInv, source, 0, 3, unsignaled)
		t.rest()
		t.postRead(0, sink, 0, 8)
		t.readResponse(0, sink, 0, false, pattern(4))
		t.readResponse(0, sink, 4, true, pattern(4))
		id := t.postAtomic(0, sink, 8, rdmap.Operands{Data: 1}, unsignaled)
		t.atomicResponse(0, id, data)
	})
	add("discarded", "every counter after segments for a stream that is shut, and for one that has ended", func(t *T) {
		t.shut(1)
		for i := range 5 {
			t.write(1, shared, i, pattern(3))
		}
		t.write(0, private, 0, pattern(1))
		t.rest()
		t.write(0, shared, 0, pattern(1))
		t.in(0, nil)
	}).ends()
	add("errors", "every counter after errors of all sorts, on one stream that is reopened repeatedly", func(t *T) {
		for i := range 6 {
			t.again(0)
			switch i {
			case 0:
				t.write(0, private, 0, pattern(1))
			case 1:
				t.in(0, nil)
			case 2:
				t.atomic(0, t.fetchAdd(words, 4, 1, 0))
			case 3:
				t.read(0, unstored, 0, 8)
			case 4:
				t.send(0, wire.OpSend, pattern(1))
			case 5:
				t.in(0, wire.AppendTerminate(nil, wire.Terminate{}))
			}
		}
		t.reads(suite.LogRegister, suite.LogRegister, suite.LogRegister, suite.LogRegister, suite.LogRegister, suite.LogRegister, suite.LogRegister)
	}).ends()
	add("work", "every counter after work requests that are flushed, and one that fails", func(t *T) {
		t.postRead(0, sink, 0, 8)
		t.rest()
		t.postWrite(0, private, 60, 8)
		t.rest()
		t.postImmediate(0, false, data)
		t.rest()
		t.postSend(0, wire.OpSend, source, 0, 8, unsignaled)
	}).ends()
	add("refused", "every counter after 3 excess receive requests", func(t *T) { t.receives(0, t.Config.ReceiveDepth+3) }).ends()
	add("invalidations", "every counter after Sends with Invalidate, one of which invalidates nothing", func(t *T) {
		t.receives(0, 2)
		t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(3))
		t.part(0, wire.OpSendSEInv, t.area(removable).stag(), 0, true, nil)
		t.receives(0, 2)
		t.part(0, wire.OpSendInv, t.area(common).stag(), 0, true, pattern(3))
	}).ends()
	add("terminates", "every counter, and the log, after 21 Terminates in turn sent and received: five of them are lost", func(t *T) {
		for i := range logged + 5 {
			t.again(0)
			if i%2 == 0 {
				t.write(0, private, 0, pattern(1))
			} else {
				t.in(0, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: wire.Layer(i % 3), EType: uint8(i % 16), Code: uint8(8 * i)}}))
			}
		}
		for range logged + 2 {
			t.reads(suite.LogRegister)
		}
	}).ends()
	add("terminates/streams", "every counter, and the log, after Terminates on all streams of the group, one after the other", func(t *T) {
		for s := range t.layout.Streams {
			t.write(s, private, s, pattern(1))
			t.rest()
		}
		for range len(t.layout.Streams) + 1 {
			t.reads(suite.LogRegister)
		}
	}).ends()
	others := func() []string { // a memory error ends the stream of a segment that is not itself in error
		var names []string
		for _, name := range suite.CounterRegisters {
			if name != "segments_in_error" && name != "segments_dropped" {
				names = append(names, name)
			}
		}
		return names
	}
	l.add("register/memory_errors", "counters after errors of memory: on reads and writes of single beats", flags(Counter, MemoryError), func(t *T) {
		t.write(0, broken, 0, pattern(8))
		t.again(0)
		t.read(0, broken, 0, 8)
		t.again(0)
		t.postWrite(0, broken, 0, 8)
		t.again(0)
		t.receive(0, broken, 0, 8)
		t.send(0, wire.OpSend, pattern(8))
		t.reads(others()...)
	}).in(failing).ends()
	l.add("register/dropped", "counters after a Read of three segments whose first segment fails to be read from memory: the others are dropped", flags(Counter, MemoryError), func(t *T) {
		k := cracks[0]
		p := t.place(k.name)
		t.lay(near, memory.Region{Rights: memory.RemoteRead, Address: p.Address, Length: uint64(p.Size), Base: 0})
		t.read(0, near, crackAt, 2*min(t.Config.MaxPayload, 2048)+t.Config.MaxPayload/2)
		t.reads("segments_sent", "messages_sent", "segments_dropped", "terminates_sent", "memory_errors")
	}).in(cracked).ends()
}

// logged is the number of Terminates in the log.
const logged = 16
