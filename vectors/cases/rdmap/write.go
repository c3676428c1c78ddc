package rdmap

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// T builds the input of a case in its layout.
type T struct {
	Config gen.Config
	Rand   *rand.Rand // for random cases, seeded with the case's key

	layout   *Layout
	input    []suite.Input
	pause    bool
	now      bool
	received map[[2]uint32]uint32 // number of received messages, by stream and queue
	issued   map[uint32]uint32    // number of requests of this end on queue 1, by stream
	ids      uint64
	laid     map[string]Area // regions created by the case
	faults   []fault         // of the current message
}

// New returns a T without input.
func New(c gen.Config, l *Layout, r *rand.Rand) *T {
	return &T{Config: c, Rand: r, layout: l, received: map[[2]uint32]uint32{}, issued: map[uint32]uint32{}, laid: map[string]Area{}}
}

// Result returns the input of the case.
func (t *T) Result() []suite.Input { return t.input }

// area returns an area of the layout, or one created by the case.
func (t *T) area(name string) Area {
	if a, is := t.laid[name]; is {
		return a
	}
	a, is := t.layout.Areas[name]
	if !is {
		panic("cases: no area " + name)
	}
	return a
}

// word returns the word of an area at an offset before the test.
func (t *T) word(name string, offset int) uint64 {
	at := t.area(name).Region.Address + uint64(offset)
	for _, m := range t.layout.Memory {
		if at >= uint64(m.Address) && at-uint64(m.Address) <= uint64(len(m.Hex)-8) {
			return binary.LittleEndian.Uint64(m.Hex[at-uint64(m.Address):])
		}
	}
	panic(fmt.Sprintf("cases: no word at %x", at))
}

func (t *T) number(stream int) uint32 { return t.layout.Streams[stream].Stream }

// add appends an input. It waits after rest, and when it is on another port than the previous one.
func (t *T) add(in suite.Input) {
	in.Wait = t.pause || len(t.input) == 0 || !t.now && (t.input[len(t.input)-1].Port != in.Port || in.Port == suite.PortControl || in.Port == suite.PortTx)
	t.pause, t.now = false, false
	t.input = append(t.input, in)
}

// rest makes the next input wait.
func (t *T) rest() { t.pause = true }

// atOnce makes the next input not wait: it or the previous one is on the control port.
func (t *T) atOnce() { t.now = true }

// hold holds m_axis_tx until release.
func (t *T) hold()    { t.holds(true) }
func (t *T) release() { t.holds(false) }

func (t *T) holds(on bool) { t.add(suite.Input{Port: suite.PortTx, Hold: &on}) }

// store changes the row of an area.
func (t *T) store(name string, change func(r *memory.Region)) {
	a := t.area(name)
	change(&a.Region)
	r := suite.RegionOf(a.Index, a.Region)
	t.add(suite.Input{Port: suite.PortControl, Region: &r})
}

func (t *T) open(stream int) {
	s := t.layout.Streams[stream]
	t.add(suite.Input{Port: suite.PortControl, Open: &s})
	t.forget(stream)
}

// forget restarts the counts of a reopened stream.
func (t *T) forget(stream int) {
	for q := range uint32(4) {
		delete(t.received, [2]uint32{t.number(stream), q})
	}
	delete(t.issued, t.number(stream))
}

func (t *T) shut(stream int) {
	s := t.number(stream)
	t.add(suite.Input{Port: suite.PortControl, Shut: &s})
}

// in adds a segment from the peer.
func (t *T) in(stream int, segment []byte) {
	s := t.number(stream)
	t.add(suite.Input{Port: suite.PortRx, Stream: &s, Hex: segment})
}

// msn returns the MSN of the next message on a queue; took counts a complete message.
func (t *T) msn(stream int, queue uint32) uint32 {
	return t.received[[2]uint32{t.number(stream), queue}] + 1
}

func (t *T) took(stream int, queue uint32) { t.received[[2]uint32{t.number(stream), queue}]++ }

// write sends an RDMA Write of one segment.
func (t *T) write(stream int, name string, offset int, data []byte) {
	a := t.area(name)
	t.in(stream, wire.AppendWrite(nil, a.stag(), a.to(offset), true, data))
}

// send sends a Send of any kind, or a part of one.
func (t *T) send(stream int, op wire.Opcode, data []byte) { t.part(stream, op, 0, 0, true, data) }

func (t *T) part(stream int, op wire.Opcode, invalidate uint32, mo int, last bool, data []byte) {
	t.in(stream, wire.AppendSend(nil, op, invalidate, t.msn(stream, wire.QueueSend), uint32(mo), last, data))
	if last {
		t.took(stream, wire.QueueSend)
	}
}

func (t *T) immediate(stream int, se bool, data uint64) {
	t.in(stream, wire.AppendImmediate(nil, se, t.msn(stream, wire.QueueSend), data))
	t.took(stream, wire.QueueSend)
}

// The sink of Read Responses of the design under test.
const (
	peerSTag = 0xABCDEF01
	peerTO   = 0x1122_3344_5566_7788
)

func (t *T) read(stream int, name string, offset, octets int) {
	a := t.area(name)
	t.readFrom(stream, a.stag(), a.to(offset), uint32(octets))
}

func (t *T) readFrom(stream int, stag uint32, to uint64, octets uint32) {
	t.in(stream, wire.AppendReadRequest(nil, t.msn(stream, wire.QueueRequest), wire.ReadRequest{DataSinkSTag: peerSTag, DataSinkTO: peerTO,
		ReadMessageSize: octets, DataSourceSTag: stag, DataSourceTO: to}))
	t.took(stream, wire.QueueRequest)
}

func (t *T) atomic(stream int, r wire.AtomicRequest) {
	t.in(stream, wire.AppendAtomicRequest(nil, t.msn(stream, wire.QueueRequest), r))
	t.took(stream, wire.QueueRequest)
}

// identifier returns an identifier that is unique in the case.
func (t *T) identifier() uint32 {
	t.ids++
	return 0x1D2E3F00 + uint32(t.ids)
}

func (t *T) fetchAdd(name string, offset int, data, mask uint64) wire.AtomicRequest {
	a := t.area(name)
	return wire.NewFetchAdd(t.identifier(), a.stag(), a.to(offset), data, mask)
}

func (t *T) cmpSwap(name string, offset int, swap, swapMask, compare, compareMask uint64) wire.AtomicRequest {
	a := t.area(name)
	return wire.NewCmpSwap(t.identifier(), a.stag(), a.to(offset), swap, swapMask, compare, compareMask)
}

// set sets a word of an area through an RDMA Write on stream 0, and rests.
func (t *T) set(name string, offset int, value uint64) {
	t.write(0, name, offset, binary.LittleEndian.AppendUint64(nil, value))
	t.rest()
}

// readResponse responds to a Read of this end.
func (t *T) readResponse(stream int, name string, offset int, last bool, data []byte) {
	a := t.area(name)
	t.in(stream, wire.AppendReadResponse(nil, a.stag(), a.to(offset), last, data))
}

// atomicResponse responds to an Atomic of this end.
func (t *T) atomicResponse(stream int, identifier uint32, original uint64) {
	t.in(stream, wire.AppendAtomicResponse(nil, t.msn(stream, wire.QueueAtomicResponse),
		wire.AtomicResponse{OriginalRequestIdentifier: identifier, OriginalRemoteDataValue: original}))
	t.took(stream, wire.QueueAtomicResponse)
}

// receive posts a buffer.
func (t *T) receive(stream int, name string, offset, octets int) {
	a := t.area(name)
	t.ids++
	t.add(suite.Input{Port: suite.PortReceive, Receive: suite.ReceiveOf(rdmap.ReceiveRequest{Stream: t.number(stream), ID: 0xEC00_0000_0000_0000 + t.ids,
		Buffer: rdmap.Buffer{STag: a.stag(), TO: a.to(offset)}, Length: uint32(octets)})})
}

// receives posts buffers of 64 octets, one after the other in the sink.
func (t *T) receives(stream, n int) {
	name := sink
	if stream == 1 {
		name = foreign
	}
	for i := range n {
		t.receive(stream, name, 64*(i%8), 64)
	}
}

// post posts a signaled work request; for a request on queue 1 it returns the MSN.
func (t *T) post(w rdmap.WorkRequest, change ...func(w *rdmap.WorkRequest)) (msn uint32) {
	t.ids++
	w.ID, w.Signaled = 0x3041_0000_0000_0000+t.ids, true
	stream := int(w.Stream)
	w.Stream = t.number(stream)
	for _, f := range change {
		f(&w)
	}
	if spec.AllExtensions.Is(w.Opcode, spec.Requests) {
		t.issued[w.Stream]++
	}
	t.add(suite.Input{Port: suite.PortWork, Work: suite.WorkOf(w)})
	return t.issued[w.Stream]
}

func unsignaled(w *rdmap.WorkRequest) { w.Signaled = false }

// at returns a position in an area.
func (t *T) at(name string, offset int) rdmap.Buffer {
	a := t.area(name)
	return rdmap.Buffer{STag: a.stag(), TO: a.to(offset)}
}

// remote is a position at the peer.
var remote = rdmap.Buffer{STag: peerSTag, TO: peerTO}

// Work requests of a stream.
func (t *T) postWrite(stream int, name string, offset, octets int, change ...func(w *rdmap.WorkRequest)) {
	t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpWrite, Local: t.at(name, offset), Length: uint32(octets), Remote: remote}, change...)
}

func (t *T) postSend(stream int, op wire.Opcode, name string, offset, octets int, change ...func(w *rdmap.WorkRequest)) {
	w := rdmap.WorkRequest{Stream: uint32(stream), Opcode: op, Local: t.at(name, offset), Length: uint32(octets)}
	if op == wire.OpSendInv || op == wire.OpSendSEInv {
		w.Remote.STag = 0x5AFE_C0DE
	}
	t.post(w, change...)
}

func (t *T) postRead(stream int, name string, offset, octets int, change ...func(w *rdmap.WorkRequest)) uint32 {
	return t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpReadRequest, Local: t.at(name, offset), Length: uint32(octets), Remote: remote}, change...)
}

func (t *T) postAtomic(stream int, name string, offset int, o rdmap.Operands, change ...func(w *rdmap.WorkRequest)) uint32 {
	return t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpAtomicRequest, Local: t.at(name, offset), Remote: remote, Operands: o}, change...)
}

func (t *T) postImmediate(stream int, se bool, data uint64, change ...func(w *rdmap.WorkRequest)) {
	op := wire.OpImmediate
	if se {
		op = wire.OpImmediateSE
	}
	t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: op, Operands: rdmap.Operands{Data: data}}, change...)
}

// set changes a field of a header that starts at octet at of a segment.
func set(segment []byte, at int, table *wire.Table, field string, value uint64) []byte {
	if !table.MustField(field).Set(segment[at:], value) {
		panic(fmt.Sprintf("cases: %s.%s cannot be %#x in a segment of %d octets", table.Name, field, value, len(segment)))
	}
	return segment
}

// pattern returns n octets that identify their position: no two adjacent ones are equal, and all beats differ.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8*31 + 1)
	}
	return b
}

// boundaries returns lengths for which the segment ends at, before and after a beat of every bus, for payload after a
// header of the given length.
func boundaries(header int) []int {
	set := map[int]bool{}
	for n := range 10 {
		set[n] = true
	}
	for _, bus := range block.BusWidths {
		for d := -1; d <= 1; d++ {
			set[bus+d] = true
			if n := (header/bus+1)*bus - header + d; n > 0 {
				set[n] = true
			}
		}
	}
	var list []int
	for n := range 512 {
		if set[n] {
			list = append(list, n)
		}
	}
	return list
}
