package gen_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// requestOrderBench is request_order with an STag table.
type requestOrderBench struct {
	In              hdl.Sink[order.QueuedRequest]
	Opening         hdl.Sink[engine.Opening]
	Row             hdl.Sink[memory.STagWrite]
	Invalidate      hdl.In
	InvalidateIndex hdl.In
	Start           []hdl.Named[hdl.Source[any]] `hdl:"-"`
	End             hdl.Source[engine.InboundRequest]
	Failed          hdl.Source[engine.Failure]
	Over            []hdl.Named[hdl.Sink[engine.Over]] `hdl:"-"`
}

func requestOrderWithTable(c engine.Config) hdl.Block[requestOrderBench] {
	block, table := order.RequestOrder(c), memory.STagTable(c)
	p := block.Ports
	return hdl.Block[requestOrderBench]{
		Kind: "request_order_bench", Doc: "request_order_bench is for tests.",
		Ports: requestOrderBench{In: p.In, Opening: p.Opening, Row: table.Ports.Write, Invalidate: table.Ports.Invalidate, InvalidateIndex: table.Ports.InvalidateIndex,
			Start: p.Start, End: p.End, Failed: p.Failed, Over: p.Over},
		Build: func(m *hdl.Module, p requestOrderBench) {
			width := block.Ports.Recheck.Entry.Width()
			enable, index, entry, ready := m.Wire("enable", 1), m.Wire("index", 24), m.Wire("entry", width), m.Wire("table_ready", 1)
			m.Unused("of no use here", ready.Value)
			idle := func(name string) engine.STagPort {
				w := m.Wire(name+"_entry", width)
				m.Unused("of no use here", w.Value)
				return engine.STagPort{Enable: hdl.Zero(1).In(), Index: hdl.Zero(24).In(), Entry: w.Out()}
			}
			hdl.Instance(m, "stags", table, memory.STagTablePorts{Main: idle("main"), Invalidated: idle("invalidated"), Local: idle("local"),
				Recheck:    engine.STagPort{Enable: enable.In(), Index: index.In(), Entry: entry.Out()},
				Invalidate: p.Invalidate, InvalidateIndex: p.InvalidateIndex, Write: p.Row, Ready: ready.Out()})
			hdl.Instance(m, "order", block, order.RequestOrderPorts{In: p.In, Opening: p.Opening,
				Recheck: engine.STagLookup{Enable: enable.Out(), Index: index.Out(), Entry: entry.In()},
				Start:   p.Start, End: p.End, Failed: p.Failed, Over: p.Over})
		},
	}
}

// inboundAtomicBeat is a gen.AtomicRequest.
type inboundAtomicBeat struct {
	Stream                           int
	Number, AtomicMsn, Identifier    uint32
	Address, Set                     uint64
	Opcode                           wire.AOpCode
	Data, Mask, Compare, CompareMask uint64
}

// orderedRequest is a request, or an end, that was accepted.
type orderedRequest struct {
	inboundRequestBeat
	fence bool // it starts when all earlier ones of its stream are over
}

// orderStream is the reference of one stream.
type orderStream struct {
	queued  []orderedRequest // may start
	waiting []orderedRequest // not released yet
	latest  int              // kind of the latest stored request, -1: none
	running int              // started, not over
	failed  bool
	sent    int  // items sent, not accepted yet
	waits   bool // the latest sent item waits for a release
	ended   bool // the end of the stream was sent, and the stream is not reopened
	left    bool // the end has left, and no opening was sent
}

// orderBench compares request_order with the reference. When a stream's request enters the pipeline is read from a signal inside the
// block; the reference checks that it may, and determines the output.
type orderBench struct {
	*rig
	c            engine.Config
	streams      []orderStream
	keys         [orderRows]int // key of a row; -1: it is not valid
	writing      *rowBeat       // accepted and not yet written
	invalidating bool           // a row was invalidated in the previous cycle
	enters       *orderedRequest
	opens        int // stream of the opening that enters, -1: none
	due          map[string][]orderedRequest
	started      []string         // the output so far, as port and stream
	working      map[string][]int // by executor: streams of its requests that it has not reported as over
	lag          int              // out of 256: an executor reports nothing in a cycle
}

const orderRows = 16

func openOrder(t testing.TB, seed uint64) *orderBench {
	return openOrderOf(t, turnsConfig(4, 8, 64), seed)
}

func openOrderOf(t testing.TB, c engine.Config, seed uint64) *orderBench {
	c.STags = orderRows
	b := &orderBench{rig: openRig(t, requestOrderWithTable(c), seed), c: c}
	b.rig.look = b.look
	b.restart()
	return b
}

// restart clears the reference after a reset, and writes all rows, with the keys of rxSTag.
func (b *orderBench) restart() {
	*b = orderBench{rig: b.rig, c: b.c, streams: make([]orderStream, b.c.Streams), due: map[string][]orderedRequest{}, working: map[string][]int{}, lag: 256, opens: -1}
	for i := range b.streams {
		b.streams[i].latest = -1
	}
	for i := range uint32(orderRows) {
		b.keys[i] = -1
		send(b.rig, "row", rxRow(i).beat(i))
	}
	b.rest(5)
}

// executorOf is the executor of a kind of request.
var executorOf = map[int]string{kindRead: "read", kindAtomic: "atomic", kindFarAtomic: "far_atomic"}

// executors are those of the configuration.
func (b *orderBench) executors() []string {
	if b.c.HasFar() {
		return []string{"read", "atomic", "far_atomic"}
	}
	return []string{"read", "atomic"}
}

func (b *orderBench) took(stream string) bool {
	s := b.rig.stream(stream)
	return s.valid.Get() == 1 && s.ready.Get() == 1
}

// look compares the outputs of this cycle with the reference.
func (b *orderBench) look() {
	invalidated := -1
	if b.signal("invalidate").Get() == 1 {
		invalidated = int(b.signal("invalidate_index").Get())
		b.keys[invalidated] = -1
	}
	b.decides()
	b.writes(invalidated)
	for _, out := range append(b.executors(), "end", "failed") {
		if b.rig.stream(out).valid.Get() == 0 {
			continue
		}
		require.NotEmpty(b.t, b.due[out], out)
		q := b.due[out][0]
		b.compare(out, q)
		if b.took(out) {
			b.started = append(b.started, fmt.Sprint(out, " ", q.Stream))
			b.due[out] = b.due[out][1:]
			switch out {
			case "read", "atomic", "far_atomic":
				b.working[out] = append(b.working[out], q.Stream)
			case "end":
				b.streams[q.Stream].left = true
			}
		}
	}
	for _, name := range b.executors() {
		if b.took(name + "_over") {
			var q endedBeat
			peek(b.rig, name+"_over", &q)
			b.streams[q.Stream].running--
		}
	}
	b.chooses()
	if b.took("in") {
		var q queuedBeat
		peek(b.rig, "in", &q)
		b.arrives(q)
	}
}

// writes updates rows for lookups from the next cycle on. invalidated is the row invalidated in this cycle, -1: none. A row accepted in
// the previous cycle is written unless a row was invalidated in that cycle.
func (b *orderBench) writes(invalidated int) {
	if row := b.writing; row != nil && !b.invalidating {
		if int(row.Index) != invalidated {
			b.keys[row.Index] = int(row.Entry.Key)
		}
		b.writing = nil
	}
	if b.took("row") {
		b.writing = new(rowBeat)
		peek(b.rig, "row", b.writing)
	}
	b.invalidating = invalidated >= 0
}

// chooses checks the request that enters the pipeline: it is the oldest of its stream, and no request that it must wait for is running.
func (b *orderBench) chooses() {
	b.enters, b.opens = nil, -1
	if b.took("opening") {
		var o openingBeat
		peek(b.rig, "opening", &o)
		b.opens = o.Stream
		require.Zero(b.t, b.signal("order.chooses").Get())
		return
	}
	if b.signal("order.chooses").Get() == 0 {
		return
	}
	s := &b.streams[b.signal("order.chosen_stream").Get()]
	require.NotEmpty(b.t, s.queued)
	q := s.queued[0]
	s.queued = s.queued[1:]
	require.True(b.t, !q.fence || s.running == 0, "a request of stream %d starts too early", q.Stream)
	s.running++
	b.enters = &q
}

// decides determines the outcome of the request that entered in the previous cycle; its STag is looked up in this one.
func (b *orderBench) decides() {
	if b.opens >= 0 {
		b.streams[b.opens].failed, b.streams[b.opens].ended = false, false
	}
	if b.enters == nil {
		return
	}
	q := *b.enters
	s := &b.streams[q.Stream]
	switch gone := q.reaches() && b.keys[q.STag>>8] != int(q.STag&255); {
	case endsStream(q.Kind):
		b.due["end"] = append(b.due["end"], q)
		s.running--
	case s.failed:
		s.running--
	case gone:
		s.failed = true
		b.due["failed"] = append(b.due["failed"], q)
		s.running--
	default:
		out := executorOf[q.Kind]
		b.due[out] = append(b.due[out], q)
	}
}

// reaches reports whether a request accesses memory.
func (q orderedRequest) reaches() bool {
	var read wire.ReadRequest
	_ = read.Decode(q.Body[:28])
	return q.Kind == kindAtomic || q.Kind == kindFarAtomic || q.Kind == kindRead && read.ReadMessageSize > 0
}

func (b *orderBench) arrives(q queuedBeat) {
	s := &b.streams[q.Stream]
	s.sent--
	if q.Queue.Releases {
		s.queued, s.waiting = append(s.queued, s.waiting...), nil
		return
	}
	r := orderedRequest{q.inboundRequestBeat, q.Kind != s.latest || endsStream(q.Kind)}
	s.latest = q.Kind
	if !q.Queue.Waits || q.Queue.First {
		s.waiting = nil
	}
	if q.Queue.Waits {
		s.waiting = append(s.waiting, r)
	} else {
		s.queued = append(s.queued, r)
	}
}

// compare checks the output offered for a request.
func (b *orderBench) compare(out string, q orderedRequest) {
	switch out {
	case "failed":
		var f failureBeat
		peek(b.rig, out, &f)
		require.Equal(b.t, failed(q.Stream, engine.FaultSTag), f)
	case "atomic", "far_atomic":
		var r wire.AtomicRequest
		require.NoError(b.t, r.Decode(q.Body))
		var a inboundAtomicBeat
		peek(b.rig, out, &a)
		require.Equal(b.t, inboundAtomicBeat{q.Stream, q.Number, q.ResponseMsn, r.RequestIdentifier, q.Address, setOf(q.Address>>3, b.c.AtomicDepth), r.AOpCode, r.Data, r.Mask, r.CompareData, r.CompareMask}, a)
	case "read":
		var r wire.ReadRequest
		require.NoError(b.t, r.Decode(q.Body[:28]))
		want := readRequestBeat{Stream: q.Stream, Number: q.Number, Address: q.Address, Length: r.ReadMessageSize}
		want.Sink.STag, want.Sink.TO = r.DataSinkSTag, r.DataSinkTO
		var a readRequestBeat
		peek(b.rig, out, &a)
		require.Equal(b.t, want, a)
	default:
		var a inboundRequestBeat
		peek(b.rig, out, &a)
		require.Equal(b.t, q.inboundRequestBeat, a)
	}
}

// over reports for each of these streams that the oldest request at an executor is over.
func (b *orderBench) over(name string, streams ...int) {
	b.t.Helper()
	for _, s := range streams {
		i := slices.Index(b.working[name], s)
		require.GreaterOrEqual(b.t, i, 0, "%s of stream %d is not in progress", name, s)
		b.working[name] = slices.Delete(b.working[name], i, i+1)
		send(b.rig, name+"_over", endedBeat{s})
	}
}

// pass runs some cycles, in which executors report at random.
func (b *orderBench) pass(cycles int) {
	for range cycles {
		for _, name := range b.executors() {
			if w := b.working[name]; b.lag < 256 && len(w) > 0 && b.rand.IntN(256) >= b.lag {
				b.over(name, w[b.rand.IntN(len(w))])
			}
		}
		b.step()
		if b.t.Failed() {
			b.t.FailNow()
		}
		b.inputs["invalidate"].Set(0)
	}
}

// invalidate invalidates a row in the next cycle.
func (b *orderBench) invalidate(row uint32) {
	b.inputs["invalidate"].Set(1)
	b.inputs["invalidate_index"].Set(uint64(row))
}

// settle runs until the block is idle; only requests that must wait are left. Requests of a failed stream are dropped one by one, which
// is not visible at the ports.
func (b *orderBench) settle() {
	b.t.Helper()
	for b.quiet = 0; b.quiet < 50 || b.pending() != "" && b.quiet < 1000; {
		b.pass(1)
		if b.signal("order.chooses").Get() == 1 {
			b.quiet = 0
		}
	}
	for i, s := range b.streams {
		full := slices.ContainsFunc(append(b.executors(), "end"), func(out string) bool { return b.rig.stream(out).chance == 256 })
		require.True(b.t, full || len(s.queued) == 0 || s.queued[0].fence && s.running > 0, "stream %d has a request that does not start", i)
	}
}

// request returns a request of a kind for the memory of a row.
func (b *orderBench) request(kind, stream int, row uint32) queuedBeat {
	q := queuedBeat{inboundRequestBeat: randomTerminate(b.rand, 18)}
	q.Stream, q.Kind, q.STag = stream, kind, rxSTag(row)
	return q
}

// send sends an item.
func (b *orderBench) send(q queuedBeat) {
	s := &b.streams[q.Stream]
	q.Queue.First, s.waits = q.Queue.Waits && !s.waits, q.Queue.Waits
	s.sent++
	send(b.rig, "in", q)
}

// asks sends items for row 1, each a letter for the kind, then the stream: a, r requests, d an Atomic in far memory; z a Read of no octets; A, R requests that wait
// for a release; f the release; t, s the end.
func (b *orderBench) asks(list ...string) {
	for _, item := range list {
		kind := map[byte]int{'a': kindAtomic, 'A': kindAtomic, 'd': kindFarAtomic, 'r': kindRead, 'R': kindRead, 'z': kindRead, 't': kindEnd, 's': kindClose}[item[0]]
		q := b.request(kind, int(item[1]-'0'), 1)
		if item[0] == 'z' {
			clear(q.Body[12:16])
		}
		q.Queue.Waits, q.Queue.Releases = item[0] == 'A' || item[0] == 'R', item[0] == 'f'
		b.send(q)
	}
}

// gives checks that exactly this has left since the last call, in this order within each stream.
func (b *orderBench) gives(want ...string) {
	b.t.Helper()
	b.settle()
	byStream := func(list []string) []string {
		return slices.SortedStableFunc(slices.Values(list), func(a, b string) int { return int(a[len(a)-1]) - int(b[len(b)-1]) })
	}
	require.Equal(b.t, byStream(want), byStream(b.started))
	b.started = nil
}

// random sends an item that a peer with IRD could cause.
func (b *orderBench) random() {
	stream := b.rand.IntN(b.c.Streams)
	s := &b.streams[stream]
	if s.left {
		s.left = false
		send(b.rig, "opening", openingBeat{stream, true, 1})
	}
	if s.sent > 0 || s.ended {
		return
	}
	q := b.request([]int{kindRead, kindAtomic, kindFarAtomic}[b.rand.IntN(len(b.executors()))], stream, b.rand.Uint32N(6))
	if s.latest >= 0 && !endsStream(s.latest) && b.rand.IntN(3) > 0 {
		q.Kind = s.latest
	}
	if b.rand.IntN(4) == 0 {
		clear(q.Body[12:16])
	}
	switch n := b.rand.IntN(32); {
	case n < 24 && len(s.queued)+len(s.waiting) < b.c.IRD && s.running < b.c.IRD+b.c.AtomicDepth:
		q.Queue.Waits = len(s.waiting) > 0 || b.rand.IntN(5) == 0
		b.send(q)
	case n < 30 && len(s.waiting) > 0:
		q.Queue.Releases = true
		b.send(q)
	case n == 30 && b.rand.IntN(4) == 0 || s.failed && n > 28:
		q.Kind = []int{kindEnd, kindClose}[b.rand.IntN(2)]
		s.ended = true
		b.send(q)
	}
}
