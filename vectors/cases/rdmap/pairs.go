package rdmap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// fault is one fault of a message. Faults of different fields can be combined.
type fault struct {
	name, field string
	segment     func(b []byte) []byte   // changes the segment
	buffer      func(b *rdmap.Buffer)   // changes the buffer that it names
	row         func(r *memory.Region)  // changes the region of that buffer; for a response, after its request
	ready       func(t *T, m *pairable) // replaces the message's own
	after       func(t *T)
}

// beyondIRD is a request that meets as many as IRD.
var beyondIRD = fault{name: "ird", field: "ready", ready: func(t *T, _ *pairable) {
	t.hold()
	for range t.Config.IRD {
		t.read(0, target, 0, 8)
	}
	t.rest()
}, after: func(t *T) { t.release() }}

// pairable is a message with all its possible faults, in the order of the checks.
type pairable struct {
	name, what string
	op         wire.Opcode
	isResponse bool // a response
	right      memory.Rights
	region     func(r *memory.Region) // what its region has beside those of others
	ready      func(t *T, m *pairable)
	make       func(t *T, b rdmap.Buffer) []byte
	faults     []fault
}

// wide returns a region of 16 octets, of which a message uses 8.
func (t *T) wide() memory.Region {
	r := t.narrow()
	r.Length = 16
	return r
}

func field(table *wire.Table, name string, value uint64) func(b []byte) []byte {
	return func(b []byte) []byte { return set(b, 0, table, name, value) }
}

// ofHeader returns the faults of a header, from version to length.
func ofHeader(m *pairable) (list []fault) {
	message, _ := spec.AllExtensions.Operation(m.op)
	table := wire.DDPUntaggedTable
	if message.Tagged {
		table = wire.DDPTaggedTable
	}
	list = append(list, fault{name: "dv", field: "dv", segment: field(table, "dv", 2)})
	if !message.Tagged {
		list = append(list, fault{name: "queue", field: "queue", segment: field(table, "queue_number", 5)})
	}
	list = append(list, fault{name: "rv", field: "rv", segment: field(table, "rv", 3)}, fault{name: "opcode", field: "opcode", segment: field(table, "opcode", 0xD)})
	if message.Tagged {
		return list
	}
	list = append(list, fault{name: "queue_of_another", field: "queue", segment: func(b []byte) []byte {
		q, _ := table.MustField("queue_number").Get(b)
		return set(b, 0, table, "queue_number", (q+1)%4)
	}})
	if message.ZeroMO {
		list = append(list, fault{name: "mo", field: "mo", segment: field(table, "mo", 8)})
	}
	if message.SingleSegment {
		list = append(list, fault{name: "not_last", field: "last", segment: func(b []byte) []byte { b[0] &^= 0x40; return b }})
		if m.op != wire.OpTerminate {
			list = append(list, fault{name: "length", field: "length", segment: func(b []byte) []byte { return append(b, 0) }})
		} else {
			list = append(list, fault{name: "length", field: "length", segment: func(b []byte) []byte { return b[:len(b)-1] }})
		}
	}
	return append(list, fault{name: "msn", field: "msn", segment: func(b []byte) []byte {
		n, _ := table.MustField("msn").Get(b)
		return set(b, 0, table, "msn", n+1)
	}})
}

// ofRegion returns the faults of a region.
func ofRegion(right memory.Rights) []fault {
	return []fault{
		{name: "stag", field: "stag", buffer: func(b *rdmap.Buffer) { b.STag ^= 0x80 }},
		{name: "owner", field: "owner", row: func(r *memory.Region) { r.ByDomain, r.Owner = true, 0x7A5A }},
		{name: "right", field: "right", row: func(r *memory.Region) { r.Rights = every &^ right }},
		{name: "wrap", field: "to", buffer: func(b *rdmap.Buffer) { b.TO = allOnes - 3 }},
		{name: "bounds", field: "size", row: func(r *memory.Region) { r.Length = 4 }},
	}
}

// pairables returns the messages of the peer.
func pairables() (list []*pairable) {
	nothing := func(*T, *pairable) {}
	none := func(name string) fault { return fault{name: name, field: "ready", ready: nothing} }
	add := func(m *pairable, header []fault, more ...fault) {
		m.faults = append(append([]fault{}, header...), more...)
		list = append(list, m)
	}
	m := &pairable{name: "rdma_write", what: "an RDMA Write", op: wire.OpWrite, right: memory.RemoteWrite, ready: nothing,
		make: func(_ *T, b rdmap.Buffer) []byte { return wire.AppendWrite(nil, b.STag, b.TO, true, pattern(8)) }}
	add(m, ofHeader(m), ofRegion(m.right)...)

	buffer := func(octets uint32) func(t *T, m *pairable) {
		return func(t *T, m *pairable) { t.receiveInto(0, t.paired(m), octets) }
	}
	begun := func(t *T, m *pairable) {
		buffer(16)(t, m)
		t.part(0, wire.OpSendSE, 0, 0, false, nil)
	}
	m = &pairable{name: "send_inv", what: "a Send with Invalidate", op: wire.OpSendInv, right: memory.LocalWrite, ready: buffer(16),
		make: func(t *T, _ rdmap.Buffer) []byte {
			return wire.AppendSend(nil, wire.OpSendInv, t.area(common).stag(), t.msn(0, wire.QueueSend), 0, true, pattern(8))
		}}
	add(m, ofHeader(m), append([]fault{none("no_buffer"), {name: "offset", field: "mo", segment: field(wire.DDPUntaggedTable, "mo", 8)},
		{name: "begun", field: "ready", ready: begun}, {name: "long", field: "ready", ready: buffer(4)}}, append(ofRegion(m.right)[:3:3],
		fault{name: "bounds", field: "size", row: func(r *memory.Region) { r.Length = 4 }},
		fault{name: "invalidate", field: "invalidate", segment: field(wire.DDPUntaggedTable, "invalidate_stag", 0xFFFF_FF00)})...)...)
	m = &pairable{name: "immediate", what: "Immediate Data", op: wire.OpImmediate, ready: buffer(16),
		make: func(t *T, _ rdmap.Buffer) []byte {
			return wire.AppendImmediate(nil, false, t.msn(0, wire.QueueSend), data)
		}}
	add(m, ofHeader(m), none("no_buffer"), fault{name: "begun", field: "ready", ready: begun})

	m = &pairable{name: "read_request", what: "an RDMA Read", op: wire.OpReadRequest, right: memory.RemoteRead, ready: nothing,
		make: func(t *T, b rdmap.Buffer) []byte {
			return wire.AppendReadRequest(nil, t.msn(0, wire.QueueRequest), wire.ReadRequest{DataSinkSTag: peerSTag, DataSinkTO: peerTO, ReadMessageSize: 8, DataSourceSTag: b.STag, DataSourceTO: b.TO})
		}}
	add(m, ofHeader(m), append([]fault{beyondIRD}, ofRegion(m.right)...)...)
	m = &pairable{name: "atomic_request", what: "a FetchAdd", op: wire.OpAtomicRequest, right: memory.RemoteAtomic, ready: nothing,
		make: func(t *T, b rdmap.Buffer) []byte {
			return wire.AppendAtomicRequest(nil, t.msn(0, wire.QueueRequest), wire.NewFetchAdd(t.identifier(), b.STag, b.TO, 1, 0))
		}}
	add(m, ofHeader(m), append(append([]fault{beyondIRD, {name: "aopcode", field: "aopcode", segment: func(b []byte) []byte {
		if len(b) < untaggedOctets+52 {
			return b
		}
		return set(b, untaggedOctets, wire.AtomicRequestTable, "aopcode", 7)
	}}}, ofRegion(m.right)...), fault{name: "alignment", field: "to", buffer: func(b *rdmap.Buffer) { b.TO += 4 }})...)

	m = &pairable{name: "terminate", what: "a Terminate", op: wire.OpTerminate, ready: nothing,
		make: func(*T, rdmap.Buffer) []byte { return wire.AppendTerminate(nil, wire.Terminate{}) }}
	add(m, ofHeader(m))

	postRead := func(t *T, _ *pairable) { t.postRead(0, near, 0, 8) }
	postAtomic := func(t *T, _ *pairable) { t.postAtomic(0, near, 0, rdmap.Operands{Data: 1}) }
	gone := append(ofRegion(memory.LocalWrite)[1:3:3], fault{name: "bounds", field: "size", row: func(r *memory.Region) { r.Length = 4 }})
	m = &pairable{name: "atomic_response", what: "an Atomic Response", op: wire.OpAtomicResponse, isResponse: true, right: memory.LocalWrite, ready: postAtomic,
		make: func(*T, rdmap.Buffer) []byte {
			return wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 1, OriginalRemoteDataValue: data})
		}}
	add(m, ofHeader(m), append([]fault{none("none"), {name: "to_read", field: "ready", ready: postRead},
		{name: "identifier", field: "identifier", segment: func(b []byte) []byte {
			return set(b, untaggedOctets, wire.AtomicResponseTable, "original_request_identifier", 2)
		}}}, gone...)...)
	m = &pairable{name: "read_response", what: "a Read Response", op: wire.OpReadResponse, isResponse: true, right: memory.LocalWrite, ready: postRead,
		make: func(_ *T, b rdmap.Buffer) []byte { return wire.AppendReadResponse(nil, b.STag, b.TO, true, pattern(8)) }}
	add(m, ofHeader(m), append([]fault{none("none"), {name: "to_atomic", field: "ready", ready: postAtomic},
		{name: "long", field: "length", segment: func(b []byte) []byte { return append(b, 0) }},
		{name: "early", field: "length", segment: func(b []byte) []byte { return b[:len(b)-1] }},
		{name: "not_last", field: "last", segment: func(b []byte) []byte { b[0] &^= 0x40; return b }},
		{name: "stag", field: "stag", buffer: func(b *rdmap.Buffer) { b.STag ^= 0x80 }},
		{name: "to", field: "to", buffer: func(b *rdmap.Buffer) { b.TO += 4 }}}, gone...)...)
	return list
}

// paired is the buffer that a message of a pair names.
func (t *T) paired(m *pairable) rdmap.Buffer {
	b := t.at(near, 0)
	for _, f := range t.faults {
		if f.buffer != nil {
			f.buffer(&b)
		}
	}
	return b
}

// wrong sends a message with some faults on stream 0.
func (t *T) wrong(m *pairable, faults ...fault) {
	t.faults = faults
	r := t.wide()
	if m.region != nil {
		m.region(&r)
	}
	ready := m.ready
	for _, f := range faults {
		if f.ready != nil {
			ready = f.ready
		}
	}
	if m.isResponse {
		t.lay(near, r)
		ready(t, m)
	}
	for _, f := range faults {
		if f.row != nil {
			f.row(&r)
		}
	}
	if !m.isResponse || r != t.wide() {
		t.lay(near, r)
	}
	if !m.isResponse {
		ready(t, m)
	}
	segment := m.make(t, t.paired(m))
	for _, f := range slices.Backward(faults) { // the length is changed after the fields
		if f.segment != nil {
			segment = f.segment(segment)
		}
	}
	t.in(0, segment)
	for _, f := range faults {
		if f.after != nil {
			f.after(t)
		}
	}
	t.faults = nil
}

// pairsOfTest bounds the number of permitted outcomes of a test, since the specifications order few of the checks
// (I-36).
const pairsOfTest = 3

// pairs tests messages with every possible pair of faults: the one that is checked first determines the outcome.
func pairs(l *list) { pairsOf(l, pairables()) }

func pairsOf(l *list, messages []*pairable) {
	for _, m := range messages {
		for i, first := range m.faults {
			var second []fault
			for _, f := range m.faults[i+1:] {
				if f.field != first.field {
					second = append(second, f)
				}
			}
			if len(second) == 0 {
				continue
			}
			few := slices.Collect(slices.Chunk(second, pairsOfTest))
			for part, second := range few {
				key := "pair/" + m.name + "/" + first.name
				var names []string
				for _, f := range second {
					names = append(names, f.name)
				}
				if len(few) > 1 {
					key += fmt.Sprintf("/%d", part)
				}
				l.add(key, m.what+" in which "+first.name+" is invalid, and also one that is checked later: "+strings.Join(names, ", "), flags(TwoErrors), func(t *T) {
					for n, f := range second {
						if n > 0 {
							t.again(0)
						}
						t.wrong(m, first, f)
					}
				}).ends()
			}
		}
	}
}
