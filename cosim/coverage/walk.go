package coverage

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// walk brings a message of every bin to a node, each on a stream of its own. Whether it falls into its bin is not for the
// walk to say: that is counted from what the model says of the message when it comes.

// The rows of a stream.
const (
	rowGood    = iota // all rights
	rowSink           // may be written locally, until the walk changes it
	rowWeak           // invalid to no end: no right that is of use
	rowFailing        // memory fails, from its second page on
	rowsOf
)

const (
	page      = 4096
	rowOctets = 1 << 17 // of a stream's row, with room behind it
	rowLength = 1 << 16
	walkBase  = uint64(1) << 32
)

// Where in the good row messages go, so that none touches the octets of another.
const (
	atWrite   = 0x0000
	atRead    = 0x4000
	atAtomic  = 0x6000
	atReceive = 0x8000
	atBefore  = 0xC000 // the same for the message before
)

type walk struct {
	config  walkConfig
	node    *rnic.Node
	changed map[int]bool // rows that are not as at first
	hold    bool         // nothing leaves while requests come
	failing []engine.Range
}

type walkConfig struct{ streams, bus, maxPayload, ird int }

// region is a row as at first.
func (w *walk) region(stream, row int) memory.Region {
	address := uint64(1)<<24 + uint64(stream*rowsOf+row)*rowOctets
	r := memory.Region{Valid: true, Key: uint8(17*stream + row + 1), Owner: uint16(stream), Base: walkBase*uint64(stream+1) + 0x777, Length: rowLength, Address: address}
	switch row {
	case rowGood:
		r.Rights = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic
	case rowSink:
		r.Rights = memory.LocalWrite | memory.Invalidate
	case rowWeak:
		r.Rights = memory.Invalidate
	case rowFailing:
		r.Rights = memory.LocalRead | memory.LocalWrite | memory.RemoteWrite
	}
	return r
}

func (w *walk) stag(stream, row int) uint32 {
	return memory.STag(stream*rowsOf+row, w.region(stream, row).Key)
}

func (w *walk) to(stream, row, offset int) uint64 { return w.region(stream, row).Base + uint64(offset) }

func (w *walk) buffer(stream, row, offset int) rdmap.Buffer {
	return rdmap.Buffer{STag: w.stag(stream, row), TO: w.to(stream, row, offset)}
}

// set stores a row; the walk restores it before the next message of its stream.
func (w *walk) set(stream, row int, edit func(*memory.Region)) error {
	r := w.region(stream, row)
	if edit != nil {
		edit(&r)
	}
	index := stream*rowsOf + row
	w.changed[index] = edit != nil
	return w.node.SetRegion(index, r)
}

// script is what is done for one message: set-up before anything comes, what comes, what comes when all is at rest again,
// and what comes then.
type script struct {
	setUp, first, change, second []func() error
}

// run brings the messages of some bins, one a stream.
func (w *walk) run(list []Message) error {
	scripts := make([]script, len(list))
	for i, m := range list {
		if err := w.fresh(i); err != nil {
			return err
		}
		s, err := w.script(i, m)
		if err != nil {
			return fmt.Errorf("coverage: bin %v: %w", m, err)
		}
		scripts[i] = s
	}
	for phase := range 4 {
		if phase == 1 && w.hold {
			if err := w.stall(256); err != nil {
				return err
			}
		}
		for _, s := range scripts {
			for _, do := range [][]func() error{s.setUp, s.first, s.change, s.second}[phase] {
				if err := do(); err != nil {
					return err
				}
			}
		}
		if err := w.rest(); err != nil {
			return err
		}
		if phase == 1 && w.hold {
			if err := errors.Join(w.stall(0), w.rest()); err != nil {
				return err
			}
		}
		if err := w.node.Settle(); err != nil {
			return err
		}
	}
	for i := range list { // the end of every stream
		w.node.Send(uint32(i), nil)
	}
	var memory [][]rnic.Range
	for i := range list {
		memory = append(memory, []rnic.Range{{Address: w.region(i, rowGood).Address, Octets: rowLength}, {Address: w.region(i, rowSink).Address, Octets: page}})
	}
	return errors.Join(w.rest(), w.node.Settle(memory...))
}

func (w *walk) stall(chance int) error {
	s := engine.Stall{}
	if chance > 0 {
		s = engine.Stall{Mode: engine.StallRandom, Chance: chance}
	}
	return w.node.Device.Stall("m_axis_tx", s)
}

// rest lets the device work until nothing happens any more. It may wait for a peer that does not answer.
func (w *walk) rest() error {
	for {
		out, err := w.node.Run(4000, 256)
		var waits *engine.StuckError
		if err != nil && !errors.As(err, &waits) {
			return err
		}
		if !out.Busy || err != nil || w.hold && len(out.Segments) == 0 {
			return nil
		}
	}
}

// fresh opens a stream with its rows as at first.
func (w *walk) fresh(stream int) error {
	for row := range rowsOf {
		if w.changed[stream*rowsOf+row] {
			if err := w.set(stream, row, nil); err != nil {
				return err
			}
		}
	}
	return w.node.Open(uint32(stream), 9)
}

// newWalk sets a node up: the rows of every stream, and memory that fails.
func newWalk(c *collector) (*walk, error) {
	k := c.config
	node, err := rnic.OpenNode("walk", k, rnic.Options{Engine: engineName, Seed: 1, Latency: engine.Latency{Least: 1, Most: 40}, Coverage: &c.code})
	if err != nil {
		return nil, err
	}
	const most = 16 // ranges in which memory can fail
	w := &walk{config: walkConfig{min(k.Streams, k.STags/rowsOf, most), k.BusBytes, k.MaxPayload, k.IRD}, node: node, changed: map[int]bool{}}
	node.Observer = c.bins
	var bounds []engine.Range
	for s := range w.config.streams {
		for row := range rowsOf {
			r := w.region(s, row)
			bounds = append(bounds, engine.Range{First: r.Address, Last: r.Address + r.Length - 1, Reads: true, Writes: true})
			if row == rowFailing {
				w.failing = append(w.failing, engine.Range{First: r.Address + page, Last: r.Address + r.Length - 1, Reads: true, Writes: true})
			}
			if err := w.set(s, row, nil); err != nil {
				return nil, errors.Join(err, node.Close())
			}
		}
	}
	if err := errors.Join(node.SetFaulty(w.failing...), node.Device.Memory().SetBounds(bounds...)); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	return w, nil
}

// octetsOf is a length of a class.
func (w *walk) octetsOf(class string) int {
	switch class {
	case "1-7":
		return 5
	case "8-bus", "fixed":
		return 8
	case "beats":
		return w.config.bus + 9
	case "segments":
		return 24
	}
	return 0
}

// offset is an address of a class, from one of the bus's.
func (w *walk) offset(class string) int {
	switch class {
	case "word":
		return 8
	case "octet":
		return 3
	}
	return 0
}

func payload(octets int) []byte {
	p := make([]byte, octets)
	for i := range p {
		p[i] = byte(i*37 + octets)
	}
	return p
}

// maker writes the script of one message.
type maker struct {
	*walk
	s     script
	at    int // stream
	m     Message
	sends uint32 // MSN of the message that comes next on queue 0
	asks  uint32 // on queue 1
	op    wire.Opcode
}

func (k *maker) do(list *[]func() error, f func() error) { *list = append(*list, f) }

// in brings a segment, and later brings one when all before is at rest.
func (k *maker) in(segment []byte) {
	k.do(&k.s.first, func() error { k.node.Send(uint32(k.at), segment); return nil })
}

func (k *maker) later(segment []byte) {
	k.do(&k.s.second, func() error { k.node.Send(uint32(k.at), segment); return nil })
}

func (k *maker) receive(b rdmap.Buffer, length int) {
	k.do(&k.s.setUp, func() error {
		return k.node.PostReceive(rdmap.ReceiveRequest{Stream: uint32(k.at), ID: uint64(k.at) << 8, Buffer: b, Length: uint32(length)})
	})
}

func (k *maker) post(op wire.Opcode, local rdmap.Buffer, length int) {
	k.do(&k.s.setUp, func() error {
		return k.node.PostWork(rdmap.WorkRequest{Stream: uint32(k.at), ID: 7, Signaled: true, Opcode: op, Local: local, Length: uint32(length),
			Remote: rdmap.Buffer{STag: 0xFFFFFF00}, Operands: rdmap.Operands{AOpCode: wire.FetchAdd}})
	})
}

// before brings a message of an operation.
func (k *maker) before(o ordering.Operation) {
	good := k.stag(k.at, rowGood)
	switch o {
	case ordering.Send:
		k.receive(k.buffer(k.at, rowGood, atBefore), 64)
		k.in(wire.AppendSend(nil, wire.OpSend, 0, k.sends, 0, true, payload(4)))
		k.sends++
	case ordering.Immediate:
		k.receive(rdmap.Buffer{}, 0)
		k.in(wire.AppendImmediate(nil, false, k.sends, 5))
		k.sends++
	case ordering.Write:
		k.in(wire.AppendWrite(nil, good, k.to(k.at, rowGood, atBefore+128), true, payload(4)))
	case ordering.Read:
		k.ask(4)
	case ordering.Atomic:
		k.in(wire.AppendAtomicRequest(nil, k.asks, wire.AtomicRequest{AOpCode: wire.FetchAdd, RequestIdentifier: k.asks, RemoteSTag: good, RemoteTO: k.to(k.at, rowGood, atAtomic+256), Data: 1}))
		k.asks++
	}
}

// ask brings a Read Request.
func (k *maker) ask(octets int) {
	k.in(wire.AppendReadRequest(nil, k.asks, wire.ReadRequest{DataSinkSTag: 0xFFFFFF00, ReadMessageSize: uint32(octets),
		DataSourceSTag: k.stag(k.at, rowGood), DataSourceTO: k.to(k.at, rowGood, atRead)}))
	k.asks++
}

// script is what brings a message of a bin.
func (w *walk) script(stream int, m Message) (script, error) {
	k := &maker{walk: w, at: stream, m: m, sends: 1, asks: 1}
	k.op = wire.Opcode(0xC + stream%4)
	if row := message(m.Opcode); row != nil {
		k.op = row.Opcode
	}
	if i := slices.Index(Rows, m.Row); i >= 2 {
		for range k.fill(ordering.Operation(i - 2)) {
			k.ask(1)
		}
		k.before(ordering.Operation(i - 2))
	}
	switch {
	case m.Error == "stream_terminated":
		k.in(nil)
		if m.Opcode == none {
			k.in(payload(5))
		} else {
			k.in(wire.AppendSegment(nil, k.header(), nil))
		}
	case m.Error == "short_header":
		k.in(payload(13)[:7])
	case slices.Contains(headerErrors, m.Error):
		k.malformed()
	case m.Opcode == "rdma_write":
		k.write()
	case m.Opcode == "read_request", m.Opcode == "atomic_request":
		k.request()
	case m.Opcode == "read_response":
		k.readResponse()
	case m.Opcode == "atomic_response":
		k.atomicResponse()
	case m.Opcode == "terminate":
		h := k.header()
		if m.Error == "msn" {
			h.MSN = 2
		}
		k.in(wire.AppendSegment(nil, h, payload(4)))
	default:
		k.send()
	}
	return k.s, nil
}

// fill is how many requests come before one too many, beside that of the operation before.
func (k *maker) fill(before ordering.Operation) int {
	if k.m.Error != "ird" {
		return 0
	}
	if before == ordering.Read || before == ordering.Atomic {
		return k.config.ird - 1
	}
	return k.config.ird
}

// header is a right one of the opcode; a reserved opcode is untagged.
func (k *maker) header() wire.DDPHeader {
	if row, known := k.op.Message(); known && row.Tagged {
		return wire.TaggedHeader(k.op, k.stag(k.at, rowGood), k.to(k.at, rowGood, atWrite), true)
	}
	h := wire.UntaggedHeader(k.op, 1, 0)
	switch h.QueueNumber {
	case wire.QueueSend:
		h.MSN = k.sends
	case wire.QueueRequest:
		h.MSN = k.asks
	}
	return h
}

// malformed has something wrong in its header.
func (k *maker) malformed() {
	h := k.header()
	switch k.m.Error {
	case "ddp_version":
		h.DV = 3
	case "queue_number":
		h.Tagged, h.QueueNumber = false, 4+uint32(k.at)<<16
	case "rdmap_version":
		h.RV = 2
	case "tagged_flag":
		h.Tagged = !h.Tagged
	case "queue_mismatch":
		h.QueueNumber = (h.QueueNumber + 1) % 4
	case "message_offset":
		h.MO = 1 << (k.at % 32)
	case "length":
		h.Last = false
	}
	octets := k.octetsOf(k.m.Length)
	if k.m.Length == "beats" {
		octets = max(octets, 72)
	}
	k.in(wire.AppendSegment(nil, h, payload(octets)))
}

// place is where the payload goes, and the octets of the segment before it.
func (k *maker) place(offset int) (at, before int) {
	at = offset + k.config.bus*2 + k.offset(k.m.Align)
	if k.m.Length == "segments" {
		before = 16
	}
	return at, before
}

// ofPeer is a buffer that the peer names wrongly.
func (k *maker) ofPeer(offset, octets int) rdmap.Buffer {
	b := k.buffer(k.at, rowGood, offset)
	switch k.m.Error {
	case "stag":
		b.STag ^= 1
	case "association":
		other := (k.at + 1) % k.config.streams
		b = k.buffer(other, rowGood, offset)
	case "access":
		b.STag = k.stag(k.at, rowWeak)
	case "to_wrap":
		b.TO = ^uint64(0)
	case "bounds":
		b.TO = k.to(k.at, rowGood, rowLength-octets+1)
	}
	return b
}

func (k *maker) write() {
	octets := k.octetsOf(k.m.Length)
	at, before := k.place(atWrite)
	if k.m.Error == "local" {
		octets, at = k.failing64(octets, before)
		b := k.buffer(k.at, rowFailing, at)
		if before > 0 {
			k.in(wire.AppendWrite(nil, b.STag, b.TO-uint64(before), false, payload(before)))
		}
		k.in(wire.AppendWrite(nil, b.STag, b.TO, true, payload(octets)))
		return
	}
	if before > 0 {
		b := k.buffer(k.at, rowGood, at-before)
		k.in(wire.AppendWrite(nil, b.STag, b.TO, false, payload(before)))
	}
	b := k.ofPeer(at, octets)
	if k.m.Error == "to_wrap" {
		octets = max(octets, 2)
	}
	if octets == 0 {
		b = rdmap.Buffer{} // is not looked at
	}
	k.in(wire.AppendWrite(nil, b.STag, b.TO, true, payload(octets)))
}

// failing64 is where in the failing row a payload fails: the first of two segments is before the page that does.
func (k *maker) failing64(octets, before int) (long, at int) {
	if before > 0 {
		return 2 * 128, page - 128 + k.offset(k.m.Align)
	}
	return octets, page + k.config.bus*2 + k.offset(k.m.Align)
}

func (k *maker) request() {
	octets := k.octetsOf(k.m.Length)
	at, _ := k.place(atRead)
	if k.m.Length == "segments" {
		octets = k.config.maxPayload + 5
	}
	if k.m.Error == "ird" && k.m.Row != "nothing" {
		k.walk.hold = true
	}
	msn := k.asks
	if k.m.Error == "msn" {
		msn += 1 << (k.at % 32)
	}
	if k.op == wire.OpReadRequest {
		if k.m.Error == "to_wrap" {
			octets = max(octets, 2)
		}
		b := k.ofPeer(at, octets)
		k.in(wire.AppendReadRequest(nil, msn, wire.ReadRequest{DataSinkSTag: 0xFFFFFF00, DataSinkTO: 3, ReadMessageSize: uint32(octets), DataSourceSTag: b.STag, DataSourceTO: b.TO}))
		return
	}
	at = atAtomic + k.offset(k.m.Align)
	b := k.ofPeer(at, 8)
	a := wire.AtomicRequest{AOpCode: wire.FetchAdd, RequestIdentifier: 77, RemoteSTag: b.STag, RemoteTO: b.TO, Data: 3}
	switch k.m.Error {
	case "atomic_opcode":
		a.AOpCode = 7
	case "alignment":
		a.RemoteTO += 1 + uint64(k.at%7)
	}
	k.in(wire.AppendAtomicRequest(nil, msn, a))
}

// send is a Send of any kind, or Immediate Data.
func (k *maker) send() {
	octets := k.octetsOf(k.m.Length)
	at, before := k.place(atReceive)
	immediate := k.op == wire.OpImmediate || k.op == wire.OpImmediateSE
	buffer, room := k.buffer(k.at, rowGood, at-before), before+octets
	msn, mo, op := k.sends, before, k.op
	stag := k.stag(k.at, rowSink)
	if op == wire.OpSendInv || op == wire.OpSendSEInv {
		k.changed[k.at*rowsOf+rowSink] = true
	}
	first := op
	switch k.m.Error {
	case "msn":
		msn += 1 << (k.at % 32)
	case "send_offset":
		if immediate {
			before, first = 4, wire.OpSend
			room = 4
		}
		mo += 1 << (k.at%31 + 1)
	case "send_opcode":
		first = wire.OpSend + (op-wire.OpSend+1)%4
		if immediate {
			k.receive(buffer, 64)
			k.in(wire.AppendSend(nil, wire.OpSend, 0, msn, 0, false, nil))
			room = -1
		}
	case "message_too_long":
		room--
	case "invalidate":
		stag = k.stag(k.at, rowGood)
	case "local":
		if k.m.Align == none { // the buffer ends where the message goes on, or may not be written
			if buffer = k.buffer(k.at, rowWeak, 0); before > 0 {
				buffer = k.buffer(k.at, rowGood, rowLength-before)
			}
			break
		}
		octets, at = k.failing64(octets, before)
		buffer, room = k.buffer(k.at, rowFailing, at-before), before+octets
	}
	if k.m.Error != "no_buffer" && room >= 0 {
		k.receive(buffer, room)
	}
	if before > 0 {
		k.in(wire.AppendSend(nil, first, stag, k.sends, 0, false, payload(before)))
	}
	if immediate {
		k.in(wire.AppendImmediate(nil, op == wire.OpImmediateSE, msn, 9))
		return
	}
	k.in(wire.AppendSend(nil, op, stag, msn, uint32(mo), true, payload(octets)))
}

// spoilSink changes the row of a sink while its answer is awaited.
func (k *maker) spoilSink(edit func(*memory.Region)) {
	k.do(&k.s.change, func() error { return k.set(k.at, rowSink, edit) })
}

func (k *maker) readResponse() {
	octets := k.octetsOf(k.m.Length)
	at, before := k.place(0)
	row, asked := rowSink, before+octets
	if k.m.Error == "local" {
		row = rowFailing
		octets, at = k.failing64(octets, before)
		asked = before + octets
	}
	sink := k.buffer(k.at, row, at-before)
	b := k.buffer(k.at, row, at)
	switch k.m.Error {
	case "read_too_long":
		asked--
	case "read_last":
		asked += 3
	case "sink_stag":
		b.STag ^= 1 << (k.at % 8)
	case "sink_to":
		b.TO ^= 1 << (k.at % 64)
	case "stag":
		k.spoilSink(func(r *memory.Region) { r.Key++ })
	case "association":
		k.spoilSink(func(r *memory.Region) { r.Owner ^= 1 })
	case "access":
		k.spoilSink(func(r *memory.Region) { r.Rights = memory.RemoteRead })
	case "bounds":
		k.spoilSink(func(r *memory.Region) { r.Length = uint64(at) })
	}
	if k.m.Error != "response" {
		k.post(wire.OpReadRequest, sink, asked)
	}
	if before > 0 {
		k.in(wire.AppendReadResponse(nil, sink.STag, sink.TO, false, payload(before)))
	}
	k.later(wire.AppendReadResponse(nil, b.STag, b.TO, true, payload(octets)))
}

func (k *maker) atomicResponse() {
	at, _ := k.place(0)
	row := rowSink
	if k.m.Error == "local" && k.m.Align != none {
		row = rowFailing
		_, at = k.failing64(8, 0)
	}
	msn, id := uint32(1), uint32(1)
	op := wire.OpAtomicRequest
	switch k.m.Error {
	case "msn":
		msn += 1 << (k.at % 32)
	case "identifier":
		id ^= 1 << (k.at % 32)
	case "response":
		op = wire.OpReadRequest
	case "local":
		if k.m.Align == none {
			k.spoilSink(func(r *memory.Region) { r.Key++ })
		}
	}
	if k.m.Error != "no_request" {
		k.post(op, k.buffer(k.at, row, at), 8)
	}
	k.later(wire.AppendAtomicResponse(nil, msn, wire.AtomicResponse{OriginalRequestIdentifier: id, OriginalRemoteDataValue: 0x0123456789ABCDEF}))
}

// walkBins brings a message of each bin that none has fallen into yet.
func (c *collector) walkBins() (err error) {
	w, err := newWalk(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.node.Close()) }()
	possible, _ := Bins(c.config)
	var plain, held []Message
	for _, m := range possible {
		switch {
		case c.bins.count[m] > 0:
		case m.Error == "ird":
			held = append(held, m)
		default:
			plain = append(plain, m)
		}
	}
	for _, list := range [][]Message{plain, held} {
		for some := range slices.Chunk(list, w.config.streams) {
			w.hold = false
			if err := w.run(some); rnic.IsMismatch(err) {
				return &WrongError{"a message of every bin", err.Error()}
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}
