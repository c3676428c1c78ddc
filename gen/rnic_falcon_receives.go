package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
)

// receiveRings are rings of receive requests: one for each QP, or for each shared receive queue.
type receiveRings struct {
	enable, stream, slot, entry, posted     hdl.Wire
	countEnable, countStream, countPosted   hdl.Wire
	consumed, consumedStream, consumedCount hdl.Wire
	read, readStream, readPlace, element    hdl.Wire
}

// newReceiveRings places them; prefix is that of their wires.
func newReceiveRings(m *hdl.Module, c engine.Config, ring hdl.Block[host.ReceiveRingPorts], name, prefix string, release *hdl.Sink[engine.ReleasedList], post hdl.Sink[engine.ReceiveRequest], opening hdl.Sink[engine.Opening], refused hdl.Source[engine.Event]) receiveRings {
	slot, sw := block.IndexWidth(c.ReceiveDepth), block.IndexWidth(c.Streams)
	wire := func(name string, width int) hdl.Wire { return m.Wire(prefix+name, width) }
	r := receiveRings{enable: wire("ring_enable", 1), stream: wire("ring_stream", sw), slot: wire("ring_slot", slot),
		entry: wire("ring_entry", hdl.PackedWidth(engine.ListedEntryOf(c))), posted: wire("ring_posted", slot+1),
		countEnable: wire("count_enable", 1), countStream: wire("count_stream", sw), countPosted: wire("count_posted", 32),
		consumed: wire("consumed", 1), consumedStream: wire("consumed_stream", sw), consumedCount: wire("consumed_count", slot+1),
		read: wire("element_enable", 1), readStream: wire("element_stream", sw), readPlace: wire("element_place", slot), element: wire("element_entry", hdl.PackedWidth(engine.ListElementOf()))}
	hdl.Instance(m, name, ring, host.ReceiveRingPorts{Post: post, Opening: opening,
		Enable: r.enable.In(), Stream: r.stream.In(), Slot: r.slot.In(), Entry: r.entry.Out(), Posted: r.posted.Out(),
		Consumed: r.consumed.In(), ConsumedStream: r.consumedStream.In(), ConsumedCount: r.consumedCount.In(), Refused: refused,
		Count:    &host.ReceiveCount{Enable: r.countEnable.In(), Stream: r.countStream.In(), Posted: r.countPosted.Out()},
		Release:  release,
		Elements: &host.ReceiveElements{Enable: r.read.In(), Stream: r.readStream.In(), Place: r.readPlace.In(), Entry: r.element.Out()}})
	return r
}

func (r receiveRings) lookup() engine.RingLookup {
	return engine.RingLookup{Enable: r.enable.Out(), Stream: r.stream.Out(), Slot: r.slot.Out(), Entry: r.entry.In(), Posted: r.posted.In()}
}

func (r receiveRings) count() engine.RingCount {
	return engine.RingCount{Enable: r.countEnable.Out(), Stream: r.countStream.Out(), Posted: r.countPosted.In()}
}

func (r receiveRings) consumer() engine.RingConsumed {
	return engine.RingConsumed{Valid: r.consumed.Out(), Stream: r.consumedStream.Out(), Count: r.consumedCount.Out()}
}

func (r receiveRings) elements() engine.ElementLookup {
	return engine.ElementLookup{Enable: r.read.Out(), Stream: r.readStream.Out(), Place: r.readPlace.Out(), Entry: r.element.In()}
}

// falconReceives are all receive requests.
type falconReceives struct {
	own, shared receiveRings
	queue       hdl.Sink[falcon.SharedQueue] // for falcon_check
	refused     hdl.Stream[engine.Event]
}

func buildReceives(m *hdl.Module, c engine.Config, post hdl.Sink[falcon.ReceiveRequest], opening hdl.Sink[engine.Opening], queue hdl.Sink[falcon.SharedQueue], release hdl.Sink[engine.ReleasedList]) (r falconReceives) {
	requests := func(name string) hdl.Stream[engine.ReceiveRequest] {
		return hdl.NewStream(m, name, engine.ListedRequestOf(c.Streams))
	}
	events := func(name string) hdl.Stream[engine.Event] { return hdl.NewStream(m, name, engine.EventOf(c)) }
	own, shared := requests("own_receive"), requests("shared_receive")
	falcon.ForkReceives(m, post, own.Source(), shared.Source())
	checked, emptied := hdl.NewStream(m, "checked_queue", falcon.SharedQueueOf(c)), hdl.NewStream(m, "emptied_queue", falcon.SharedQueueOf(c))
	both(m, "queue_set", queue, checked.Source(), emptied.Source())
	empty := hdl.NewStream(m, "empty_ring", engine.OpeningOf(c.Streams))
	falcon.EmptyRing(m, emptied.Sink(), empty.Source())
	r.queue = checked.Sink()

	refusedOwn, refusedShared, ofShared := events("refused_own"), events("refused_shared"), events("refused_of_shared")
	r.own = newReceiveRings(m, c, host.ListedReceiveRing(c), "receives", "", nil, own.Sink(), opening, refusedOwn.Source())
	r.shared = newReceiveRings(m, c, host.SharedReceiveRing(c), "shared_receives", "shared_", &release, shared.Sink(), empty.Sink(), refusedShared.Source())
	falcon.SharedEvents(m, refusedShared.Sink(), ofShared.Source())
	r.refused = events("refused")
	block.Merge(m, "refusals", refusedOwn.Sink(), ofShared.Sink(), r.refused.Source())
	return r
}
