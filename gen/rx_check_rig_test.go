package gen_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
	model "github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxCheckBench is rx_check with an STag table and a receive ring.
type rxCheckBench struct {
	Record          hdl.Sink[rdmap.Record]
	Opening         hdl.Sink[engine.Opening]
	Failure         hdl.Sink[engine.Failure]
	Expecting       hdl.Sink[engine.Expecting]
	Credit          hdl.Sink[engine.Credit]
	Row             hdl.Sink[memory.STagWrite]
	Post            hdl.Sink[engine.ReceiveRequest]
	RingOpening     hdl.Sink[engine.Opening]
	Refused         hdl.Source[engine.Event]
	Place           hdl.Source[engine.Placement]
	Placed          hdl.In
	Issued          hdl.Out
	Deliver         hdl.Source[engine.Delivery]
	Invalidate      hdl.Out
	InvalidateIndex hdl.Out
	Count           rdmap.RxCount
}

func rxCheckWithTables(c engine.Config) hdl.Block[rxCheckBench] {
	check, table, ring := rdmap.RxCheck(c), memory.STagTable(c), host.ReceiveRing(c)
	p := check.Ports
	return hdl.Block[rxCheckBench]{
		Kind: "rx_check_bench", Doc: "rx_check_bench is for tests.",
		Ports: rxCheckBench{Record: p.Record, Opening: p.Opening, Failure: p.Failure, Expecting: p.Expecting, Credit: p.Credit,
			Row: table.Ports.Write, Post: ring.Ports.Post, RingOpening: ring.Ports.Opening, Refused: ring.Ports.Refused, Place: p.Place,
			Placed: p.Placed, Issued: p.Issued, Deliver: p.Deliver, Invalidate: p.Invalidate, InvalidateIndex: p.InvalidateIndex, Count: p.Count},
		Build: func(m *hdl.Module, p rxCheckBench) {
			width := check.Ports.Region.Entry.Width()
			rows := func(name string) (engine.STagLookup, engine.STagPort) {
				enable, index, entry := m.Wire(name+"_enable", 1), m.Wire(name+"_index", 24), m.Wire(name+"_entry", width)
				return engine.STagLookup{Enable: enable.Out(), Index: index.Out(), Entry: entry.In()}, engine.STagPort{Enable: enable.In(), Index: index.In(), Entry: entry.Out()}
			}
			idle := func(name string) engine.STagPort {
				w := m.Wire(name+"_entry", width)
				m.Unused("of no use here", w.Value)
				return engine.STagPort{Enable: hdl.Zero(1).In(), Index: hdl.Zero(24).In(), Entry: w.Out()}
			}
			region, regionTable := rows("region")
			invalidated, invalidatedTable := rows("invalidated")
			invalidate, invalidateIndex, ready := m.Wire("invalidating", 1), m.Wire("invalidating_index", 24), m.Wire("table_ready", 1)
			m.Unused("of no use here", ready.Value)
			m.Drive(p.Invalidate, invalidate.Value)
			m.Drive(p.InvalidateIndex, invalidateIndex.Value)
			tables := memory.STagTablePorts{Main: regionTable, Invalidated: invalidatedTable, Local: idle("local"), Recheck: idle("recheck"),
				Invalidate: invalidate.In(), InvalidateIndex: invalidateIndex.In(), Write: p.Row, Ready: ready.Out()}
			if c.Revokes() {
				revoke, withdraw := idle("revoke"), idle("withdraw")
				tables.Revoke, tables.Withdraw = &revoke, &withdraw
			}
			hdl.Instance(m, "stags", table, tables)
			r := ring.Ports
			enable, stream, slot := m.Wire("ring_enable", 1), m.Wire("ring_stream", r.Stream.Width()), m.Wire("ring_slot", r.Slot.Width())
			entry, posted := m.Wire("ring_entry", check.Ports.Ring.Entry.Width()), m.Wire("ring_posted", check.Ports.Ring.Posted.Width())
			consumed, by, count := m.Wire("consumed", 1), m.Wire("consumed_stream", r.Stream.Width()), m.Wire("consumed_count", r.ConsumedCount.Width())
			hdl.Instance(m, "receives", ring, host.ReceiveRingPorts{Post: p.Post, Opening: p.RingOpening, Enable: enable.In(), Stream: stream.In(), Slot: slot.In(),
				Entry: entry.Out(), Posted: posted.Out(), Consumed: consumed.In(), ConsumedStream: by.In(), ConsumedCount: count.In(), Refused: p.Refused})
			hdl.Instance(m, "check", check, rdmap.RxCheckPorts{Record: p.Record, Opening: p.Opening, Failure: p.Failure, Expecting: p.Expecting, Credit: p.Credit,
				Region: region, Invalidated: invalidated, Invalidate: invalidate.Out(), InvalidateIndex: invalidateIndex.Out(),
				Ring:     engine.RingLookup{Enable: enable.Out(), Stream: stream.Out(), Slot: slot.Out(), Entry: entry.In(), Posted: posted.In()},
				Consumed: engine.RingConsumed{Valid: consumed.Out(), Stream: by.Out(), Count: count.Out()},
				Place:    p.Place, Placed: p.Placed, Issued: p.Issued, Deliver: p.Deliver, Count: p.Count})
		},
	}
}

type (
	recordBeat struct {
		Stream        int
		Rule          spec.Rule
		SegmentLength int
		PayloadLength int
		Header        []byte
	}
	creditBeat struct {
		Stream int
		Number uint32
	}
	postBeat struct {
		Stream int
		ID     uint64
		STag   uint32
		TO     uint64
		Length uint32
	}
	placementBeat struct {
		Stream          int
		Discard, Inline bool
		Address         uint64
		Length          int
		Data            uint64
	}
	deliveryBeat          deliveryBeatOf[inboundRequestBeat]
	deliveryBeatOf[R any] struct {
		Kind    oneHot
		Place   int
		ID      uint64
		Opcode  wire.Opcode
		Length  uint32
		Rule    spec.Rule
		Queue   queuePlaceBeat
		Request R
	}
	queuePlaceBeat struct{ Waits, First, Releases bool }
)

// recordBeatOf returns the parser's record of a segment.
func recordBeatOf(stream int, segment []byte) recordBeat {
	s, kind := wire.Classify(segment)
	b := recordBeat{Stream: stream, Rule: kind, SegmentLength: len(segment), Header: padded(segment[:min(len(segment), rdmap.HeaderOctets)])}
	if m, known := s.Header.Opcode.Operation(); known && m.CarriesPayload && (kind == spec.None || kind > spec.WrongQueue) {
		b.PayloadLength = len(s.Payload)
	}
	return b
}

// beat returns the beat that writes the row.
func (e stagRow) beat(index uint32) (b rowBeat) {
	b.Index = index
	b.Entry.Valid, b.Entry.Key, b.Entry.ByDomain, b.Entry.Owner = e.Valid, e.Key, e.ByDomain, int(e.Owner)
	b.Entry.Base, b.Entry.Length, b.Entry.Address = e.Base, e.Length, e.Address
	r := &b.Entry.Rights
	for i, to := range []*bool{&r.Invalidate, &r.RemoteAtomic, &r.RemoteWrite, &r.RemoteRead, &r.LocalWrite, &r.LocalRead} {
		*to = e.Rights>>i&1 == 1
	}
	return b
}

// Bits of the rights of a stagRow.
const (
	mayInvalidate = 1 << iota
	mayRemoteAtomic
	mayRemoteWrite
	mayRemoteRead
	mayLocalWrite
	mayLocalRead
)

// rxStream is the reference of one stream.
type rxStream struct {
	open        bool
	domain      int
	place       int        // its latest placement
	posted      []postBeat // unused receive requests
	receiveMsn  uint32
	within      bool // a Send has begun
	opcode      wire.Opcode
	octets      uint32 // of that Send
	requestMsn  uint32
	responded   uint32 // MSN of the latest request whose response was sent
	atomicMsn   uint32
	responseMsn uint32
	asked       []expectingBeat // Reads and Atomics of this node without a response
	received    uint32          // octets of the response to the first
	writing     bool            // an RDMA Write has begun
	reading     bool            // an RDMA Read Response has begun
	waiting     int             // requests that wait until no message is incomplete
}

// rxReference is the reference model of rx_check.
type rxReference struct {
	c       engine.Config
	streams []rxStream
	rows    map[uint32]stagRow
	table   *model.Table // the golden model's, with the same rows
	number  int          // of the latest placement

	places                                   []placementBeat
	deliveries                               []deliveryBeat
	invalidates                              []uint32
	segments, discarded, errors, invalidated int
}

func newRxReference(c engine.Config) *rxReference {
	table, err := model.NewTable(c.STags)
	if err != nil {
		panic(err)
	}
	return &rxReference{c: c, streams: make([]rxStream, c.Streams), rows: map[uint32]stagRow{}, table: table}
}

// plan returns a copy on which segments can be tried.
func (w *rxReference) plan() *rxReference {
	p := newRxReference(w.c)
	for i, s := range w.streams {
		s.posted, s.asked = slices.Clone(s.posted), slices.Clone(s.asked)
		p.streams[i] = s
	}
	for i, row := range w.rows {
		p.row(i, row)
	}
	return p
}

// row writes a row of the STag table.
func (w *rxReference) row(index uint32, row stagRow) {
	w.rows[index] = row
	if err := w.table.Set(int(index), row.region()); err != nil {
		panic(err)
	}
}

func (w *rxReference) peer(stream int) model.Peer {
	return model.Peer{Stream: uint32(stream), Domain: uint16(w.streams[stream].domain)}
}

func (w *rxReference) opening(o openingBeat) {
	s := &w.streams[o.Stream]
	*s = rxStream{open: o.Open, domain: o.Domain, posted: s.posted, receiveMsn: 1, requestMsn: 1, atomicMsn: 1, responseMsn: 1}
}

func (w *rxReference) failure(f failureBeat) {
	if w.streams[f.Stream].open {
		w.end(f.Stream, []spec.Rule{engine.FaultLocal: spec.Local, engine.FaultSTag: spec.RequestSTag}[f.Fault], nil, 0)
		w.deliveries[len(w.deliveries)-1].Rule = spec.None // not caused by a segment
	}
}

// end terminates a stream for a broken rule; the Terminate includes back octets of the segment.
func (w *rxReference) end(stream int, rule spec.Rule, segment []byte, back int) {
	code, _ := rule.Terminate()
	d := w.delivery(engine.DeliverEnd, stream)
	d.Rule, d.Request.Kind, d.Request.HeaderLength = rule, kindEnd, back
	d.Request.Term.Layer, d.Request.Term.Etype, d.Request.Term.Code = int(code.Layer), int(code.EType), int(code.Code)
	if back > 0 {
		d.Request.SegmentLength, d.Request.Body = len(segment), slices.Clone(segment[:back])
	}
	w.deliveries = append(w.deliveries, d)
	w.streams[stream].open = false
}

func (w *rxReference) delivery(kind oneHot, stream int) deliveryBeat {
	return deliveryBeat{Kind: kind, Place: w.streams[stream].place, Request: inboundRequestBeat{Stream: stream}}
}

// numbers masks the bits of an MSN that the hardware compares.
func (w *rxReference) numbers() uint32 { return 1<<engine.NumberBits(w.c) - 1 }

// mayRespond is the MSN of the latest request whose response may be sent.
func (s *rxStream) mayRespond() uint32 { return s.requestMsn - 1 - uint32(s.waiting) }

// complete releases the waiting requests once no message is incomplete. After a Write, d is delivered only if requests wait.
func (w *rxReference) complete(stream int, d *deliveryBeat) {
	st := &w.streams[stream]
	if st.waiting == 0 || st.within || st.writing || st.reading {
		return
	}
	d.Queue.Releases = true
	st.waiting = 0
	if d.Kind == engine.DeliverRelease {
		w.deliveries = append(w.deliveries, *d)
	}
}

// place adds a placement, which gets the next number and becomes the latest of its stream.
func (w *rxReference) place(p placementBeat) {
	w.number++
	w.streams[p.Stream].place = w.number % 512
	w.places = append(w.places, p)
}

// region checks an access. If it is broken, the results are the rules broken by a tagged segment and by a request.
func (w *rxReference) region(stream int, stag uint32, to uint64, length uint32, right model.Rights) (address uint64, broken bool, ofTagged, ofRequest spec.Rule) {
	address, fault := w.table.Check(w.peer(stream), stag, to, uint64(length), right)
	i := map[model.Fault]spec.Rule{model.BadSTag: 0, model.NotAssociated: 1, model.NoRight: 2, model.TOWraps: 3, model.OutOfBounds: 4}[fault]
	return address, fault != model.Granted, spec.TaggedSTag + i, spec.RequestSTag + i
}

// segment processes the next segment.
func (w *rxReference) segment(stream int, octets []byte) {
	w.segments++
	payload := recordBeatOf(stream, octets).PayloadLength
	discard := func() {
		if payload > 0 {
			w.places = append(w.places, placementBeat{Stream: stream, Discard: true, Length: payload})
		}
	}
	st := &w.streams[stream]
	if !st.open {
		w.discarded++
		discard()
		return
	}
	s, kind := wire.Classify(octets)
	back := 18
	if s.Header.Tagged {
		back = 14
	}
	terminate := func(rule spec.Rule) {
		w.errors++
		switch code, _ := rule.Terminate(); {
		case rule == spec.ShortHeader, rule == spec.Local:
			back = 0
		case back == 18 && s.Header.Opcode == wire.OpReadRequest && len(octets) == 46 && code.Layer == wire.LayerRDMAP:
			back = 46
		}
		discard()
		w.end(stream, rule, octets, back)
	}
	if kind != spec.None {
		terminate(kind)
		return
	}
	switch s.Header.Opcode {
	case wire.OpWrite:
		address, broken, rule, _ := w.region(stream, s.Header.STag, s.Header.TO, uint32(payload), model.RemoteWrite)
		if broken {
			terminate(rule)
			return
		}
		if payload > 0 {
			w.place(placementBeat{Stream: stream, Address: address, Length: payload})
		}
		st.writing = !s.Header.Last
		d := w.delivery(engine.DeliverRelease, stream)
		w.complete(stream, &d)
	case wire.OpReadResponse:
		w.readResponse(stream, s, terminate)
	case wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv, wire.OpImmediate, wire.OpImmediateSE:
		w.receive(stream, s, terminate)
	case wire.OpReadRequest, wire.OpAtomicRequest:
		w.request(stream, s, terminate)
	case wire.OpTerminate:
		if s.Header.MSN != 1 {
			terminate(spec.MSNOutOfRange)
			return
		}
		discard()
		d := w.delivery(engine.DeliverClose, stream)
		d.Request.Kind = kindClose
		d.Request.Term.Layer, d.Request.Term.Etype, d.Request.Term.Code = int(s.Payload[0]>>4), int(s.Payload[0]&15), int(s.Payload[1])
		w.deliveries = append(w.deliveries, d)
		st.open = false
	case wire.OpAtomicResponse:
		w.atomicResponse(stream, s, terminate)
	}
}

// receive processes Sends and Immediate Data.
func (w *rxReference) receive(stream int, s wire.Segment, terminate func(spec.Rule)) {
	st, h := &w.streams[stream], s.Header
	isSend := h.Opcode != wire.OpImmediate && h.Opcode != wire.OpImmediateSE
	invalidates := h.Last && (h.Opcode == wire.OpSendInv || h.Opcode == wire.OpSendSEInv)
	length := uint32(len(s.Payload))
	switch {
	case h.MSN != st.receiveMsn:
		terminate(spec.MSNOutOfRange)
		return
	case len(st.posted) == 0:
		terminate(spec.NoReceiveBuffer)
		return
	case h.MO != st.octets:
		terminate(spec.WrongMO)
		return
	case st.within && st.opcode != h.Opcode:
		terminate(spec.OpcodeChanges)
		return
	case !st.within && (st.writing || st.reading):
		terminate(spec.Interleaved)
		return
	}
	request := st.posted[0]
	if isSend {
		if uint64(st.octets)+uint64(length) > uint64(request.Length) {
			terminate(spec.MessageTooLong)
			return
		}
		address, broken, _, _ := w.region(stream, request.STag, request.TO+uint64(st.octets), length, model.LocalWrite)
		if broken {
			terminate(spec.Local)
			return
		}
		if invalidates && !w.table.MayInvalidate(w.peer(stream), h.InvalidateSTag) {
			terminate(spec.CannotInvalidate)
			return
		}
		if length > 0 {
			w.place(placementBeat{Stream: stream, Address: address, Length: int(length)})
		}
		st.octets += length
		st.within, st.opcode = !h.Last, h.Opcode
		if !h.Last {
			return
		}
	}
	d := w.delivery(engine.DeliverReceive, stream)
	d.ID, d.Opcode, d.Length = request.ID, h.Opcode, st.octets
	if !isSend {
		d.Length, d.Request.Body = 8, slices.Clone(s.Payload)
	}
	if invalidates {
		row := w.rows[h.InvalidateSTag>>8]
		row.Valid = false
		w.row(h.InvalidateSTag>>8, row)
		w.invalidates = append(w.invalidates, h.InvalidateSTag>>8)
		w.invalidated++
		d.Request.STag = h.InvalidateSTag
		d.Place = w.number % 512 // the latest placement of any stream
	}
	if isSend {
		w.complete(stream, &d)
	}
	w.deliveries = append(w.deliveries, d)
	st.posted, st.octets = st.posted[1:], 0
	st.receiveMsn++
}

// request processes Read and Atomic Requests.
func (w *rxReference) request(stream int, s wire.Segment, terminate func(spec.Rule)) {
	st := &w.streams[stream]
	d := w.delivery(engine.DeliverRequest, stream)
	d.Opcode, d.Request.Number, d.Request.Body = s.Header.Opcode, s.Header.MSN&w.numbers(), slices.Clone(s.Payload)
	var stag, length uint32
	var to uint64
	right := model.RemoteRead
	var atomic wire.AtomicRequest
	if s.Header.Opcode == wire.OpAtomicRequest {
		_ = atomic.Decode(s.Payload)
		stag, to, length, right = atomic.RemoteSTag, atomic.RemoteTO, 8, model.RemoteAtomic
		d.Request.Kind, d.Request.ResponseMsn = kindAtomic, st.atomicMsn
	} else {
		var read wire.ReadRequest
		_ = read.Decode(s.Payload)
		stag, to, length = read.DataSourceSTag, read.DataSourceTO, read.ReadMessageSize
		d.Request.Kind = kindRead
	}
	address, outside, _, rule := w.region(stream, stag, to, length, right)
	known := atomic.AOpCode == wire.FetchAdd || atomic.AOpCode == wire.CmpSwap || atomic.AOpCode == wire.Swap && draft00(w.c)
	isAtomic := d.Request.Kind == kindAtomic
	switch {
	case s.Header.MSN != st.requestMsn:
		terminate(spec.MSNOutOfRange)
	case st.requestMsn-1-st.responded >= uint32(w.c.IRD):
		terminate(spec.IRDExceeded)
	case isAtomic && !known:
		terminate(spec.AOpCodeNotSupported)
	case outside:
		terminate(rule)
	case isAtomic && address%8 != 0:
		terminate(spec.Misaligned)
	default:
		if length > 0 {
			d.Request.STag, d.Request.Address = stag, address
		}
		if st.within || st.writing || st.reading {
			d.Queue.Waits, d.Queue.First = true, st.waiting == 0
			st.waiting++
		}
		w.deliveries = append(w.deliveries, d)
		st.requestMsn++
		if isAtomic {
			st.atomicMsn++
		}
	}
}

func (w *rxReference) atomicResponse(stream int, s wire.Segment, terminate func(spec.Rule)) {
	st := &w.streams[stream]
	var response wire.AtomicResponse
	_ = response.Decode(s.Payload)
	switch {
	case s.Header.MSN != st.responseMsn:
		terminate(spec.MSNOutOfRange)
		return
	case len(st.asked) == 0:
		terminate(spec.NoAtomicOutstanding)
		return
	case st.asked[0].Executor != executorAtomic:
		terminate(spec.UnexpectedResponse)
		return
	case st.within || st.writing || st.reading:
		terminate(spec.Interleaved)
		return
	case st.asked[0].Identifier != response.OriginalRequestIdentifier:
		terminate(spec.WrongIdentifier)
		return
	}
	address, broken, _, _ := w.region(stream, st.asked[0].STag, st.asked[0].TO, 8, model.LocalWrite)
	if broken {
		terminate(spec.Local)
		return
	}
	w.place(placementBeat{Stream: stream, Inline: true, Address: address, Length: 8, Data: response.OriginalRemoteDataValue})
	d := w.delivery(engine.DeliverResponse, stream)
	d.Opcode, d.Request.Body = s.Header.Opcode, slices.Clone(s.Payload[4:12])
	w.deliveries = append(w.deliveries, d)
	st.asked = st.asked[1:]
	st.responseMsn++
}

func (w *rxReference) readResponse(stream int, s wire.Segment, terminate func(spec.Rule)) {
	st, h, length := &w.streams[stream], s.Header, uint32(len(s.Payload))
	if len(st.asked) == 0 || st.asked[0].Executor == executorAtomic {
		terminate(spec.UnexpectedResponse)
		return
	}
	if !st.reading && (st.within || st.writing) {
		terminate(spec.Interleaved)
		return
	}
	read := st.asked[0]
	missing := read.Length - st.received
	address, outside, rule, _ := w.region(stream, h.STag, h.TO, length, model.LocalWrite)
	switch {
	case length > missing:
		terminate(spec.ReadTooLong)
	case h.Last != (length == missing):
		terminate(spec.WrongReadLast)
	case length > 0 && h.STag != read.STag:
		terminate(spec.WrongSinkSTag)
	case length > 0 && h.TO != read.TO+uint64(st.received):
		terminate(spec.WrongSinkTO)
	case outside:
		terminate(rule)
	default:
		if length > 0 {
			w.place(placementBeat{Stream: stream, Address: address, Length: int(length)})
		}
		st.received += length
		st.reading = !h.Last
		if h.Last {
			d := w.delivery(engine.DeliverResponse, stream)
			d.Opcode = h.Opcode
			w.complete(stream, &d)
			w.deliveries = append(w.deliveries, d)
			st.asked, st.received = st.asked[1:], 0
		}
	}
}

// meaning keeps the fields of a delivery that are defined for its kind.
func (d deliveryBeat) meaning() deliveryBeat {
	m, q := deliveryBeat{Kind: d.Kind, Place: d.Place, Queue: d.Queue}, d.Request
	m.Request.Stream = q.Stream
	switch d.Kind {
	case engine.DeliverReceive:
		m.ID, m.Opcode, m.Length = d.ID, d.Opcode, d.Length
		if d.Opcode == wire.OpImmediate || d.Opcode == wire.OpImmediateSE {
			m.Request.Body = q.Body[:8]
		} else {
			m.Request.STag = q.STag
		}
	case engine.DeliverResponse:
		m.Opcode = d.Opcode
		if d.Opcode == wire.OpAtomicResponse {
			m.Request.Body = q.Body[4:12]
		}
	case engine.DeliverRequest:
		m.Opcode, m.Request.Kind, m.Request.Number, m.Request.STag, m.Request.Address = d.Opcode, q.Kind, q.Number, q.STag, q.Address
		m.Request.Body = q.Body[:28]
		if q.Kind == kindAtomic {
			m.Request.ResponseMsn, m.Request.Body = q.ResponseMsn, q.Body
		} else if slices.Equal(q.Body[12:16], make([]byte, 4)) { // of 0 octets
			m.Request.STag, m.Request.Address = 0, 0
		}
	case engine.DeliverEnd:
		m.Rule, m.Request.Kind, m.Request.Term, m.Request.HeaderLength = d.Rule, q.Kind, q.Term, q.HeaderLength
		if q.HeaderLength > 0 {
			m.Request.SegmentLength, m.Request.Body = q.SegmentLength, q.Body[:q.HeaderLength]
		}
	case engine.DeliverClose:
		m.Request.Kind, m.Request.Term = q.Kind, q.Term
	}
	return m
}

// meaning keeps the fields of a placement that are defined for its kind.
func (p placementBeat) meaning() placementBeat {
	if p.Discard {
		p.Inline, p.Address = false, 0
	}
	if !p.Inline {
		p.Data = 0
	}
	return p
}

// rxBench compares rx_check with the reference, which processes beats in the order of acceptance, at the time at which they are
// counted. Placements finish in order, after random delays.
type rxBench struct {
	*rig
	ref      *rxReference
	segments []rxSegment // not accepted yet
	counted  []rxCounted // accepted, not counted yet
	slow     int         // out of 256: no placement finishes in a cycle
	placed   int
	begun    int // the pin issued, unwrapped

	invalidates                               []uint32
	came, discarded, errors, invalidated, put int
}

type rxCounted struct {
	at int // cycle
	by func(ref *rxReference)
}

type rxSegment struct {
	stream int
	octets []byte
}

func rxConfig() engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.STags, c.IRD, c.ORD, c.ReceiveDepth = 4, 16, 2, 2, 4
	return c
}

func openRx(t testing.TB, c engine.Config, seed uint64) *rxBench {
	b := &rxBench{rig: openRig(t, rxCheckWithTables(c), seed)}
	b.restart(c)
	b.rig.look = b.look
	return b
}

// reset resets the block and the reference.
func (b *rxBench) reset() {
	b.rig.look = nil
	b.rig.reset()
	b.rig.look = b.look
	b.restart(b.ref.c)
}

func (b *rxBench) restart(c engine.Config) {
	*b = rxBench{rig: b.rig, ref: newRxReference(c), slow: b.slow}
	b.inputs["placed"].Set(0)
}

// now returns the number of beats of a stream accepted so far.
func (b *rxBench) now(stream string) int { return len(b.rig.stream(stream).at) }

func (b *rxBench) took(stream string) bool {
	at := b.rig.stream(stream).at
	return len(at) > 0 && at[len(at)-1] == b.cycle
}

// fieldsOf reads the beat that a sink accepts in this cycle.
func fieldsOf[T any](b *rxBench, stream string) (beat T) {
	peek(b.rig, stream, &beat)
	return beat
}

// count applies an input of this cycle to the reference in the cycle in which the pipeline counts it.
func (b *rxBench) count(by func(ref *rxReference)) {
	b.counted = append(b.counted, rxCounted{b.cycle + 2, by})
}

func (b *rxBench) look() {
	if b.took("row") {
		row := fieldsOf[rowBeat](b, "row")
		b.ref.row(row.Index, rowOf(row))
	}
	if b.took("post") {
		p := fieldsOf[postBeat](b, "post")
		b.ref.streams[p.Stream].posted = append(b.ref.streams[p.Stream].posted, p)
	}
	if b.took("ring_opening") {
		b.ref.streams[fieldsOf[openingBeat](b, "ring_opening").Stream].posted = nil
	}
	for len(b.counted) > 0 && b.counted[0].at <= b.cycle {
		b.counted[0].by(b.ref)
		b.counted = b.counted[1:]
	}
	if b.took("expecting") {
		e := fieldsOf[expectingBeat](b, "expecting")
		b.ref.streams[e.Stream].asked = append(b.ref.streams[e.Stream].asked, e)
	}
	if b.took("credit") {
		c := fieldsOf[creditBeat](b, "credit")
		st := &b.ref.streams[c.Stream]
		st.responded = st.requestMsn - 1 - (st.requestMsn-1-c.Number)&b.ref.numbers()
	}
	if b.took("opening") { // accepted in the cycle in which it is counted
		b.ref.opening(fieldsOf[openingBeat](b, "opening"))
	}
	switch {
	case b.took("failure"):
		f := fieldsOf[failureBeat](b, "failure")
		b.count(func(ref *rxReference) { ref.failure(f) })
	case b.took("record"):
		s := b.segments[0]
		b.segments = b.segments[1:]
		b.count(func(ref *rxReference) { ref.segment(s.stream, s.octets) })
	}
	for pin, n := range map[string]*int{"count_segments": &b.came, "count_discarded": &b.discarded, "count_errors": &b.errors, "count_invalidated": &b.invalidated} {
		*n += int(b.signal(pin).Get())
	}
	if b.signal("invalidate").Get() == 1 {
		b.invalidates = append(b.invalidates, uint32(b.signal("invalidate_index").Get()))
	}
	b.begun += (int(b.signal("issued").Get()) - b.begun) & 511
	require.Less(b.t, b.begun-b.placed, 512, "numbers in use")
	if b.took("place") && b.signal("place_discard").Get() == 0 {
		b.put++
	}
	require.LessOrEqual(b.t, b.put, b.begun, "a placement without a number")
	if b.placed < b.put && (b.slow == 0 || b.rand.IntN(256) >= b.slow) {
		b.placed++
	}
}

// clock runs one cycle, then updates the count of finished placements.
func (b *rxBench) clock() {
	b.step()
	b.inputs["placed"].Set(uint64(b.placed % 512))
}

// settle runs until everything is accepted and the block is idle.
func (b *rxBench) settle() {
	b.t.Helper()
	for b.quiet = 0; b.quiet < 24 || b.pending() != "" || b.placed < b.put; {
		b.clock()
		require.Less(b.t, b.quiet, 4000, "%s waits", b.pending())
		require.False(b.t, b.t.Failed())
	}
}

// segment sends a segment.
func (b *rxBench) segment(stream int, octets []byte) {
	b.segments = append(b.segments, rxSegment{stream, octets})
	send(b.rig, "record", recordBeatOf(stream, octets))
}

func (b *rxBench) row(index uint32, row stagRow) { send(b.rig, "row", row.beat(index)) }

// opened opens a stream with an empty ring. Updates of the stream before the opening is accepted are lost.
func (b *rxBench) opened(stream, domain int) {
	send(b.rig, "ring_opening", openingBeat{stream, true, domain})
	send(b.rig, "opening", openingBeat{stream, true, domain})
	for b.pending() != "" {
		b.clock()
	}
}

// check settles and compares all output since the last check.
func (b *rxBench) check() (places []placementBeat, deliveries []deliveryBeat) {
	b.t.Helper()
	b.settle()
	for _, p := range received[placementBeat](b.rig, "place") {
		places = append(places, p.meaning())
	}
	for _, d := range received[deliveryBeat](b.rig, "deliver") {
		deliveries = append(deliveries, d.meaning())
	}
	same(b.t, b.ref.places, places)
	same(b.t, b.ref.deliveries, deliveries)
	same(b.t, b.ref.invalidates, b.invalidates)
	require.Equal(b.t, []int{b.ref.segments, b.ref.discarded, b.ref.errors, b.ref.invalidated}, []int{b.came, b.discarded, b.errors, b.invalidated}, "counters")
	require.Equal(b.t, b.ref.number, b.begun, "placements begun")
	require.Empty(b.t, received[struct {
		Stream, Kind int
		Term         struct{ Layer, Etype, Code int }
	}](b.rig, "refused"))
	b.ref.places, b.ref.deliveries = nil, nil
	return places, deliveries
}

// region returns the row for the golden model.
func (e stagRow) region() model.Region {
	r := model.Region{Valid: e.Valid, Key: e.Key, ByDomain: e.ByDomain, Owner: e.Owner, Base: e.Base, Length: e.Length, Address: e.Address}
	for bit, right := range []model.Rights{model.Invalidate, model.RemoteAtomic, model.RemoteWrite, model.RemoteRead, model.LocalWrite, model.LocalRead} {
		if e.Rights>>bit&1 == 1 {
			r.Rights |= right
		}
	}
	return r
}

func rowOf(b rowBeat) stagRow {
	row := stagRow{Valid: b.Entry.Valid, Key: b.Entry.Key, ByDomain: b.Entry.ByDomain, Owner: uint16(b.Entry.Owner), Base: b.Entry.Base, Length: b.Entry.Length, Address: b.Entry.Address}
	r := b.Entry.Rights
	for i, is := range []bool{r.Invalidate, r.RemoteAtomic, r.RemoteWrite, r.RemoteRead, r.LocalWrite, r.LocalRead} {
		if is {
			row.Rights |= 1 << i
		}
	}
	return row
}

// rxTraffic generates segments for a plan, most of them valid.
type rxTraffic struct {
	*rand.Rand
	*rxReference
}

// somewhere returns an STag and TO at which length octets may be accessed, if it finds one.
func (w rxTraffic) somewhere(stream int, length uint32, right model.Rights) (stag uint32, to uint64) {
	for range 40 {
		index := w.Uint32N(uint32(w.c.STags))
		row := w.rows[index]
		room := row.Length - min(row.Length, uint64(length))
		stag, to = index<<8|uint32(row.Key), row.Base+[]uint64{0, room, room / 2, w.Uint64N(room/8+1) * 8}[w.IntN(4)]
		if right == model.RemoteAtomic {
			to += -(row.Address + to - row.Base) & 7
		}
		if _, broken, _, _ := w.region(stream, stag, to, length, right); !broken {
			break
		}
	}
	return stag, to
}

func (w rxTraffic) payload(most uint32) []byte {
	return noise(w.Rand, int(min(most, []uint32{0, 1, 8, most, w.Uint32N(most + 1)}[w.IntN(5)])))
}

// next returns a valid next segment of a stream.
func (w rxTraffic) next(stream int) (segment []byte) {
	st := &w.streams[stream]
	switch n := w.IntN(16); {
	case n < 3:
		data := w.payload(60)
		stag, to := w.somewhere(stream, uint32(len(data)), model.RemoteWrite)
		return wire.AppendWrite(nil, stag, to, w.IntN(4) > 0, data)
	case n < 8 && len(st.posted) > 0 && (st.within || !st.writing && !st.reading || w.IntN(16) == 0):
		if !st.within && w.IntN(4) == 0 {
			return wire.AppendImmediate(nil, w.IntN(2) == 0, st.receiveMsn, w.Uint64())
		}
		opcode := st.opcode
		if !st.within {
			opcode = []wire.Opcode{wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv}[w.IntN(4)]
		}
		invalidate := w.Uint32()
		for i := range uint32(w.c.STags) {
			if row := w.rows[i]; w.IntN(4) > 0 && row.Valid && row.Rights&mayInvalidate != 0 && (row.ByDomain && int(row.Owner) == st.domain || !row.ByDomain && int(row.Owner) == stream) {
				invalidate = i<<8 | uint32(row.Key)
			}
		}
		return wire.AppendSend(nil, opcode, invalidate, st.receiveMsn, st.octets, w.IntN(3) > 0, w.payload(st.posted[0].Length-min(st.octets, st.posted[0].Length)))
	case n < 13 && st.requestMsn-1-st.responded < uint32(w.c.IRD):
		if w.IntN(2) == 0 {
			q := wire.ReadRequest{DataSinkSTag: w.Uint32(), DataSinkTO: w.Uint64(), ReadMessageSize: []uint32{0, 1, 100, w.Uint32N(5000)}[w.IntN(4)]}
			q.DataSourceSTag, q.DataSourceTO = w.somewhere(stream, q.ReadMessageSize, model.RemoteRead)
			return wire.AppendReadRequest(nil, st.requestMsn, q)
		}
		q := wire.AtomicRequest{Reserved: w.Uint32() >> 4, AOpCode: []wire.AOpCode{wire.FetchAdd, wire.CmpSwap}[w.IntN(2)], RequestIdentifier: w.Uint32(),
			Data: w.Uint64(), Mask: w.Uint64(), CompareData: w.Uint64(), CompareMask: w.Uint64()}
		if draft00(w.c) && w.IntN(3) == 0 {
			q.AOpCode = wire.Swap
		}
		q.RemoteSTag, q.RemoteTO = w.somewhere(stream, 8, model.RemoteAtomic)
		return wire.AppendAtomicRequest(nil, st.requestMsn, q)
	case (st.within || st.writing) && !st.reading && w.IntN(16) > 0:
	case len(st.asked) > 0 && st.asked[0].Executor == executorAtomic:
		return wire.AppendAtomicResponse(nil, st.responseMsn, wire.AtomicResponse{OriginalRequestIdentifier: st.asked[0].Identifier, OriginalRemoteDataValue: w.Uint64()})
	case len(st.asked) > 0:
		read := st.asked[0]
		data := w.payload(min(60, read.Length-st.received))
		return wire.AppendReadResponse(nil, read.STag, read.TO+uint64(st.received), st.received+uint32(len(data)) == read.Length, data)
	case n == 15 && w.IntN(3) == 0:
		segment = wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: wire.Layer(w.IntN(3)), EType: uint8(w.IntN(16)), Code: uint8(w.Uint32())}})
		return append(segment, noise(w.Rand, w.IntN(40))...)
	}
	return w.next(stream)
}

// broken changes a segment such that it usually breaks a rule.
func (w rxTraffic) broken(segment []byte) []byte {
	b := slices.Clone(segment)
	flip := func(first, octets int) {
		if at := first + w.IntN(octets); at < len(b) {
			b[at] ^= 1 << w.IntN(8)
		}
	}
	tagged := b[0]&0x80 != 0
	switch w.IntN(9) {
	case 0:
		flip(0, 2) // the control octets
	case 1:
		b[0] ^= 0x40 // L
	case 2: // STag, TO, or MSN and MO
		flip(2, 12)
	case 3:
		if !tagged && len(b) >= 18 {
			b[13] += 1 // MSN
		}
	case 4:
		if !tagged && len(b) >= 18 {
			b[17] += 1 // MO
		}
	case 5:
		flip(18, 52)
	case 6:
		b = b[:w.IntN(len(b)+1)]
	case 7:
		b = append(b, noise(w.Rand, 1+w.IntN(70))...)
	case 8: // another message of the same form
		b[1] = b[1]&0xF0 | uint8(w.IntN(16))
	}
	if len(b) > 1 && wire.Opcode(b[1]&0xF) > wire.OpAtomicResponse && wire.Opcode(b[1]&0xF).Is(spec.Segments) {
		b[1] |= 0xF // rxReference lacks the other operations
	}
	return b
}
