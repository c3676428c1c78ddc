package gen_test

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	model "github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
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
	atomicMsn   uint32 // of the next response on queue 3
	responseMsn uint32
	asked       []rxExpecting // requests of this node without a response
	received    uint32        // octets of the response to the first
	writing     bool          // an RDMA Write has begun
	reading     bool          // an RDMA Read Response has begun
	waiting     int           // requests that wait until no message is incomplete
}

// rxReference is the reference model of rx_check.
type rxReference struct {
	c       engine.Config
	x       spec.Extensions
	streams []rxStream
	rows    map[uint32]stagRow
	table   *model.Table // the golden model's, with the same rows
	number  int          // of the latest placement

	far                                      []int // streams of placements in far memory, which have no numbers
	places                                   []placementBeat
	deliveries                               []rxDelivery
	invalidates                              []uint32
	segments, discarded, errors, invalidated int
}

func newRxReference(c engine.Config) *rxReference {
	table, err := model.NewTable(c.STags)
	if err != nil {
		panic(err)
	}
	return &rxReference{c: c, x: c.Profile.(rdmap.Profile).Extensions, streams: make([]rxStream, c.Streams), rows: map[uint32]stagRow{}, table: table}
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

// failure ends a stream; the Terminate returns the header of the request that failed, if one did.
func (w *rxReference) failure(f rxFailure) {
	if !w.streams[f.Stream].open {
		return
	}
	w.end(f.Stream, []spec.Rule{engine.FaultLocal: spec.Local, engine.FaultSTag: spec.RequestSTag, engine.FaultRevokes: spec.CannotInvalidate,
		engine.FaultFails: spec.ExecutionFailed, engine.FaultDiffers: spec.HashMismatch}[f.Fault], nil, 0)
	d := &w.deliveries[len(w.deliveries)-1]
	d.Rule = spec.None // not caused by a segment
	if f.Length > 0 {
		d.Request.HeaderLength, d.Request.SegmentLength, d.Request.Body = len(f.header()), f.Length, f.header()
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

func (w *rxReference) delivery(kind oneHot, stream int) rxDelivery {
	d := rxDelivery{Kind: kind, Place: w.streams[stream].place}
	d.Request.Stream = stream
	return d
}

// numbers masks the bits of an MSN that the hardware compares.
func (w *rxReference) numbers() uint32 { return 1<<engine.NumberBits(w.c) - 1 }

// mayRespond is the MSN of the latest request whose response may be sent.
func (s *rxStream) mayRespond() uint32 { return s.requestMsn - 1 - uint32(s.waiting) }

// complete releases the waiting requests once no message is incomplete. After a Write, d is delivered only if requests wait.
func (w *rxReference) complete(stream int, d *rxDelivery) {
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
	if w.isFar(p.Address) {
		w.far = append(w.far, p.Stream)
	} else {
		w.number++
		w.streams[p.Stream].place = w.number % 512
	}
	w.places = append(w.places, p)
}

func (w *rxReference) isFar(address uint64) bool { return w.c.FarBit > 0 && address>>w.c.FarBit&1 == 1 }

// region checks an access. If it is broken, the results are the rules broken by a tagged segment and by a request.
func (w *rxReference) region(stream int, stag uint32, to uint64, length uint32, right model.Rights) (address uint64, broken bool, ofTagged, ofRequest spec.Rule) {
	return w.target(stream, rxTarget{stag: stag, to: to, length: length, right: right})
}

// rxTarget is memory that a message names.
type rxTarget struct {
	stag   uint32
	to     uint64
	length uint32
	right  model.Rights
	named  bool // also if it is of 0 octets
}

// target is region for a request.
func (w *rxReference) target(stream int, q rxTarget) (address uint64, broken bool, ofTagged, ofRequest spec.Rule) {
	check := w.table.Check
	if q.named {
		check = w.table.CheckNamed
	}
	address, fault := check(w.peer(stream), q.stag, q.to, uint64(q.length), q.right)
	i := map[model.Fault]spec.Rule{model.BadSTag: 0, model.NotAssociated: 1, model.NoRight: 2, model.TOWraps: 3, model.OutOfBounds: 4}[fault]
	return address, fault != model.Granted, spec.TaggedSTag + i, spec.RequestSTag + i
}

// segment processes the next segment.
func (w *rxReference) segment(stream int, octets []byte) {
	w.segments++
	payload := recordBeatWith(w.x, stream, octets).PayloadLength
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
	s, kind := wire.ClassifyWith(w.x, octets)
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
	default:
		if w.x.Is(s.Header.Opcode, spec.Requests) {
			w.request(stream, octets, s, terminate)
			return
		}
		w.reply(stream, s, terminate)
	}
}
