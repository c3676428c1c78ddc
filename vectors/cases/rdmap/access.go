package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// access is the use of 8 octets of a region by one kind of message.
type access struct {
	name, what string
	right      memory.Rights
	isResponse bool                                   // a response; its request is sent while near is still valid
	ready      func(t *T, stream int, b rdmap.Buffer) // preparation
	message    func(t *T, stream int, b rdmap.Buffer) // the message
}

// accesses lists all of them. Invalidation uses no octets and only names the region.
var accesses = []access{
	{"rdma_write", "an RDMA Write", memory.RemoteWrite, false, nil, func(t *T, stream int, b rdmap.Buffer) {
		t.in(stream, wire.AppendWrite(nil, b.STag, b.TO, true, pattern(8)))
	}},
	{"read_request", "an RDMA Read", memory.RemoteRead, false, nil, func(t *T, stream int, b rdmap.Buffer) { t.readFrom(stream, b.STag, b.TO, 8) }},
	{"atomic_request", "a FetchAdd", memory.RemoteAtomic, false, nil, func(t *T, stream int, b rdmap.Buffer) {
		t.atomic(stream, wire.NewFetchAdd(t.identifier(), b.STag, b.TO, data, 0))
	}},
	{"send", "a Send into a buffer", memory.LocalWrite, false, func(t *T, stream int, b rdmap.Buffer) { t.receiveInto(stream, b, 8) },
		func(t *T, stream int, _ rdmap.Buffer) { t.send(stream, wire.OpSend, pattern(8)) }},
	{"read_response", "a Read Response", memory.LocalWrite, true, func(t *T, stream int, _ rdmap.Buffer) { t.postRead(stream, near, 0, 8) },
		func(t *T, stream int, b rdmap.Buffer) {
			t.in(stream, wire.AppendReadResponse(nil, b.STag, b.TO, true, pattern(8)))
		}},
	{"atomic_response", "an Atomic Response", memory.LocalWrite, true, func(t *T, stream int, _ rdmap.Buffer) { t.postAtomic(stream, near, 0, rdmap.Operands{Data: 1}) },
		func(t *T, stream int, _ rdmap.Buffer) { t.atomicResponse(stream, t.issued[t.number(stream)], data) }},
	{"out/rdma_write", "an RDMA Write by this end", memory.LocalRead, false, nil, func(t *T, stream int, b rdmap.Buffer) {
		t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpWrite, Local: b, Length: 8, Remote: remote})
	}},
	{"out/send", "a Send by this end", memory.LocalRead, false, nil, func(t *T, stream int, b rdmap.Buffer) {
		t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpSend, Local: b, Length: 8})
	}},
	{"out/read_request", "an RDMA Read by this end", memory.LocalWrite, false, nil, func(t *T, stream int, b rdmap.Buffer) {
		t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpReadRequest, Local: b, Length: 8, Remote: remote})
	}},
	{"out/atomic_request", "an Atomic by this end", memory.LocalWrite, false, nil, func(t *T, stream int, b rdmap.Buffer) {
		t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpAtomicRequest, Local: b, Remote: remote, Operands: rdmap.Operands{Data: 1}})
	}},
	{"invalidate", "a Send with Invalidate", memory.Invalidate, false, func(t *T, stream int, _ rdmap.Buffer) { t.receiveInto(stream, rdmap.Buffer{}, 0) },
		func(t *T, stream int, b rdmap.Buffer) { t.part(stream, wire.OpSendInv, b.STag, 0, true, nil) }},
}

// receiveInto posts a buffer.
func (t *T) receiveInto(stream int, b rdmap.Buffer, octets uint32) {
	t.ids++
	t.add(suite.Input{Port: suite.PortReceive, Receive: suite.ReceiveOf(rdmap.ReceiveRequest{Stream: t.number(stream), ID: 0xEC00_0000_0000_0000 + t.ids, Buffer: b, Length: octets})})
}

// narrow returns an aligned region of 8 octets in memory that exists in every world.
func (t *T) narrow() memory.Region {
	return memory.Region{Rights: all | memory.Invalidate, Address: t.area(shared).Region.Address + 64, Length: 8, Base: 0x0123_4567_89AB_CD00}
}

// again reopens a stream. It need not wait after another change of rows or streams.
func (t *T) again(stream int) {
	t.joinControl()
	t.open(stream)
}

// joinControl lets a change of a row or stream directly follow the previous change.
func (t *T) joinControl() {
	if n := len(t.input); n > 0 && !t.pause && t.input[n-1].Port == suite.PortControl {
		t.atOnce()
	}
}

// each sends n messages, each alone on a newly opened stream: on all streams of the layout in turn, so that many are in
// flight at once.
func (t *T) each(n int, ready, message func(stream, i int)) {
	streams := len(t.layout.Streams)
	for first := 0; first < n; first += streams {
		some := min(streams, n-first)
		for s := range some {
			if first > 0 {
				t.again(s)
			}
		}
		for s := range some {
			ready(s, first+s)
		}
		for s := range some {
			message(s, first+s)
		}
	}
}

// try performs an access on stream 0 to the region near, modified by change. For a response, the request is sent before
// the change.
func (t *T) try(a *access, change func(r *memory.Region)) {
	r := t.narrow()
	if a.isResponse {
		t.lay(near, r)
		a.ready(t, 0, t.at(near, 0))
	}
	change(&r)
	t.lay(near, r)
	if a.ready != nil && !a.isResponse {
		a.ready(t, 0, t.at(near, 0))
	}
	a.message(t, 0, t.at(near, 0))
}

const every = all | memory.Invalidate

// rightsAlone tests each access with each single right, and with all rights but the one that it needs.
func rightsAlone(l *list) {
	for _, a := range accesses {
		l.add("rights/"+a.name, a.what+" to regions with only the right that it needs, with only each other right, and with all others", flags(Rights, NoRight), func(t *T) {
			t.try(&a, func(r *memory.Region) { r.Rights = a.right })
			t.again(0)
			t.try(&a, func(r *memory.Region) { r.Rights = every &^ a.right })
			for bit := range suite.Rights {
				if right := memory.Rights(1) << bit; right != a.right {
					t.again(0)
					t.try(&a, func(r *memory.Region) { r.Rights = right })
				}
			}
		}).ends()
	}
}

// owner tests a use of a region by its stream, by its domain, and by others. own makes the region that of a stream or domain.
func (l *list) owner(prefix string, a *access, own func(byDomain bool, owner uint16) func(r *memory.Region)) *Case {
	return l.add(prefix+a.name, a.what+" to regions of its stream, of its domain, and of streams and domains with the number of the other", flags(Domains, WrongOwner), func(t *T) {
		number, other := uint16(t.number(0)), uint16(t.number(1))
		t.openIn(0, other) // the domain has the number of another stream
		t.try(a, own(true, other))
		t.openIn(0, other)
		t.try(a, own(false, number))
		for _, wrong := range []func(r *memory.Region){own(false, other), own(true, number), own(true, t.layout.Streams[0].Domain), own(true, ^other), own(false, 0x8000|number)} {
			t.openIn(0, other)
			t.try(a, wrong)
		}
	})
}

// owners tests streams in several domains, and regions that belong to streams and to domains.
func owners(l *list) {
	for _, a := range accesses {
		own := func(byDomain bool, owner uint16) func(r *memory.Region) {
			return func(r *memory.Region) { r.ByDomain, r.Owner = byDomain, owner }
		}
		l.owner("owner/", &a, own).ends()
		for _, byDomain := range []bool{false, true} {
			name, what := "stream", "stream"
			if byDomain {
				name, what = "domain", "protection domain"
			}
			l.add("owner/"+a.name+"/bits/"+name, fmt.Sprintf("%s to regions whose %s differs from the expected one in one bit, each of 16", a.what, what), flags(Domains, WrongOwner, SingleBit), func(t *T) {
				right := uint16(t.number(0))
				if byDomain {
					right = t.layout.Streams[0].Domain
				}
				t.try(&a, own(byDomain, right))
				for bit := range 16 {
					t.again(0)
					t.try(&a, own(byDomain, right^1<<bit))
				}
			}).ends()
		}
	}
	l.add("domain/two", "two streams in two domains, with regions of either domain, of the streams, and of neither", flags(Domains), func(t *T) {
		t.openIn(0, 0x0101)
		t.openIn(1, 0x0102)
		r := t.narrow()
		r.ByDomain, r.Owner = true, 0x0101
		t.lay(near, r)
		r.Owner, r.Address = 0x0102, r.Address+8
		t.lay(far, r)
		t.write(0, near, 0, pattern(8))
		t.write(1, far, 0, pattern(8))
		t.rest()
		t.atomic(0, t.fetchAdd(near, 0, 1, 0))
		t.atomic(1, t.fetchAdd(far, 0, 1, 0))
		t.rest()
		t.read(0, near, 0, 8)
		t.read(1, far, 0, 8)
		t.rest()
		t.postWrite(0, near, 0, 8)
		t.postWrite(1, far, 0, 8)
	})
	l.add("domain/again", "a stream is reopened in another domain while another stream remains in the old one", flags(Domains, StreamSetup), func(t *T) {
		t.write(0, shared, 0, pattern(8))
		t.openIn(0, ^t.layout.Streams[0].Domain)
		t.write(1, shared, 8, pattern(8))
		t.write(0, shared, 16, pattern(8))
		t.rest()
		t.write(1, shared, 24, pattern(8))
	}).ends()
	l.add("domain/buffer_beyond_region", "a receive buffer that is longer than its region: Sends that end in the region are placed, and one that does not ends the stream", flags(RegionEdge, LocalBuffer), func(t *T) {
		for range 2 {
			t.receive(0, bottom, 40, 100)
		}
		t.send(0, wire.OpSend, pattern(24))
		t.send(0, wire.OpSend, pattern(25))
	}).ends()
	l.add("domain/buffer_beyond_region/segments", "a receive buffer that is longer than its region: the second segment of a Send leaves the region", flags(RegionEdge, LocalBuffer, MultiSegment), func(t *T) {
		t.receive(0, bottom, 40, 100)
		t.part(0, wire.OpSend, 0, 0, false, pattern(24))
		t.part(0, wire.OpSend, 0, 24, true, pattern(1))
	}).ends()
	l.add("domain/buffer_beyond_region/empty", "a receive buffer that starts after its region, and a Send and Immediate Data that place nothing in it", flags(RegionEdge, ZeroLength), func(t *T) {
		t.receive(0, bottom, 100, 100)
		t.receive(0, bottom, 100, 100)
		t.send(0, wire.OpSend, nil)
		t.immediate(0, false, data)
	})
}

// openIn opens a stream in a domain.
func (t *T) openIn(stream int, domain uint16) {
	t.joinControl()
	s := suite.Stream{Stream: t.number(stream), Domain: domain}
	t.add(suite.Input{Port: suite.PortControl, Open: &s})
	t.forget(stream)
}
