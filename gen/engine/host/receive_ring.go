package host

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// ReceiveRingPorts hold receive requests, read by stream and slot.
type ReceiveRingPorts struct {
	Post    hdl.Sink[engine.ReceiveRequest] `hdl:"rqe"`
	Opening hdl.Sink[engine.Opening]        `doc:"empties the stream's ring"`

	Enable hdl.In  `doc:"read the slot of the stream, and its number of posted requests"`
	Stream hdl.In  `doc:"number of the stream"`
	Slot   hdl.In  `doc:"number of the request, modulo the ring"`
	Entry  hdl.Out `doc:"packed RingEntry, from the next cycle on"`
	Posted hdl.Out `doc:"requests posted since the opening, modulo twice the ring"`

	Consumed       hdl.In `doc:"the stream has used requests"`
	ConsumedStream hdl.In `doc:"number of the stream"`
	ConsumedCount  hdl.In `doc:"requests used since the opening, modulo twice the ring"`

	Refused  hdl.Source[engine.Event]
	Count    *ReceiveCount
	Elements *ReceiveElements
	Release  *hdl.Sink[engine.ReleasedList]
}

// ReceiveCount is a second read port, for a profile whose messages say by a number which request they take.
type ReceiveCount struct {
	Enable hdl.In  `doc:"read the number of requests posted to the stream"`
	Stream hdl.In  `doc:"number of the stream"`
	Posted hdl.Out `doc:"requests posted since the opening, 32 bits, from the next cycle on"`
}

const receiveRingDoc = `receive_ring holds the receive requests of each stream (RFC 5041 section 4.3), up to %[1]d unused ones, and accepts
one per cycle. Request number n since the opening of its stream is in slot n modulo %[1]d. A request that finds
%[1]d waiting is refused: it is dropped and reported by an event. No request is accepted while such an event waits.

A read does not see a request accepted in the same cycle, and may miss one accepted in the cycle before. A slot
keeps its request until the stream has used it and its place is posted again. An opening waits until accepted
requests are stored or refused, and for a cycle without consumed. After reset every ring is empty; for one cycle
per stream nothing is accepted, reads return nothing meaningful, and consumed has no effect.`

// CountedReceiveRing is [ReceiveRing] with the port Count.
func CountedReceiveRing(c engine.Config) hdl.Block[ReceiveRingPorts] {
	b := ReceiveRing(c)
	b.Options = []string{"counted"}
	b.Ports.Count = &ReceiveCount{Enable: hdl.NewIn(1), Stream: hdl.NewIn(block.IndexWidth(c.Streams)), Posted: hdl.NewOut(32)}
	return b
}

// ReceiveRing also keeps requests on closed streams; the next opening discards them.
func ReceiveRing(c engine.Config) hdl.Block[ReceiveRingPorts] {
	sw, rw := block.IndexWidth(c.Streams), block.IndexWidth(c.ReceiveDepth)
	return hdl.Block[ReceiveRingPorts]{
		Kind: "receive_ring", Params: c.Params("streams", "receive_depth"),
		Doc: fmt.Sprintf(receiveRingDoc, c.ReceiveDepth),
		Ports: ReceiveRingPorts{
			Post: hdl.NewSink(engine.ReceiveRequestOf(c.Streams)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)),
			Enable: hdl.NewIn(1), Stream: hdl.NewIn(sw), Slot: hdl.NewIn(rw),
			Entry: hdl.NewOut(hdl.PackedWidth(engine.RingEntryOf())), Posted: hdl.NewOut(rw + 1),
			Consumed: hdl.NewIn(1), ConsumedStream: hdl.NewIn(sw), ConsumedCount: hdl.NewIn(rw + 1),
			Refused: hdl.NewSource(engine.EventOf(c)),
		},
		Build: func(m *hdl.Module, p ReceiveRingPorts) { buildReceiveRing(m, p, c) },
	}
}

// ListedReceiveRing is [CountedReceiveRing] for requests with several buffers.
func ListedReceiveRing(c engine.Config) hdl.Block[ReceiveRingPorts] {
	b := CountedReceiveRing(c)
	b.Options = append(b.Options, "listed")
	b.Doc += fmt.Sprintf(receiveListsDoc, c.ReceiveDepth)
	b.Ports.Post, b.Ports.Entry = hdl.NewSink(engine.ListedRequestOf(c.Streams)), hdl.NewOut(hdl.PackedWidth(engine.ListedEntryOf(c)))
	b.Ports.Elements = &ReceiveElements{Enable: hdl.NewIn(1), Stream: hdl.NewIn(block.IndexWidth(c.Streams)), Place: hdl.NewIn(block.IndexWidth(c.ReceiveDepth)),
		Entry: hdl.NewOut(hdl.PackedWidth(engine.ListElementOf()))}
	return b
}

// SharedReceiveRing is [ListedReceiveRing] for requests that are used in any order: a list keeps its places until it is released.
func SharedReceiveRing(c engine.Config) hdl.Block[ReceiveRingPorts] {
	b := ListedReceiveRing(c)
	b.Kind = "shared_receive_ring"
	b.Doc += releasedListsDoc
	release := hdl.NewSink(engine.ReleasedListOf(c))
	b.Ports.Release = &release
	return b
}

func buildReceiveRing(m *hdl.Module, p ReceiveRingPorts, c engine.Config) {
	rw := block.IndexWidth(c.ReceiveDepth)
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	swept := sweep.Done

	m.Section("Take: the counts of the stream are read while the request advances")
	held := hdl.NewRegOf(m, "held", p.Post.Data, hdl.NoReset)
	valid := m.Reg("held_valid_q", 1, hdl.ResetTo(0))
	refused := m.Reg("refused_valid_q", 1, hdl.ResetTo(0))
	m.Note("Nothing is taken while a refusal waits. The request that follows a refused one may be taken already: there is room for its refusal.")
	settled := p.Consumed.Not()
	may := hdl.AllOf(swept, p.Opening.Valid.Not(), refused.Not())
	var freeing hdl.Wire // of elements
	if p.Elements != nil {
		freeing = m.Wire("is_freeing", 1)
		settled = settled.And(freeing.Not())
	}
	if p.Release != nil {
		may = may.And(freeing.Not())
	}
	ready := m.Let("ready", may)
	take := m.Let("take", ready.And(p.Post.Valid))
	opens := m.Let("opens", hdl.AllOf(swept, p.Opening.Valid, valid.Not(), settled))
	p.Post.Accept(m, ready)
	p.Opening.Accept(m, opens)
	m.Unused("an opening empties the ring, whether it opens or closes the stream", p.Opening.Data.Open, p.Opening.Data.Domain)
	m.OnClock(
		valid.Set(take), hdl.If(ready, held.Set(p.Post.Data)))

	m.Section("Counts of requests posted and used, modulo twice the ring: the top bit of their difference is set if it is full")
	posted, used := block.NewContext(m, "posted_counts", hdl.Zero(rw+1), sweep), block.NewContext(m, "used_counts", hdl.Zero(rw+1), sweep)
	store := m.Wire("store", 1)
	next := m.Wire("posted_next", rw+1)
	empty := block.Change{When: opens, Stream: p.Opening.Data.Stream}
	posted.Write(empty, block.Change{When: store.Value, Stream: held.Q.Stream, Word: next.Value})
	used.Write(empty, block.Change{When: p.Consumed.Value, Stream: p.ConsumedStream.Value, Word: p.ConsumedCount.Value})
	before := posted.Read("posted_before", take, p.Post.Data.Stream)
	waiting := m.Let("waiting", before.Sub(used.Read("used", take, p.Post.Data.Stream)))
	m.Unused("only whether the ring is full matters", waiting.Truncate(rw))
	m.Drive(next.Out(), before.Plus(1))

	m.Section("Store, or refuse")
	entry := engine.RingEntry{ID: held.Q.ID, Buffer: held.Q.Buffer, Length: held.Q.Length}
	full, ends := m.Let("full", waiting.Bit(rw)), valid.Value
	if p.Elements != nil {
		lists := newReceiveLists(m, p, c, sweep, take, valid.Value, held.Q)
		lists.keep(p, store.Value, opens, before.Truncate(rw), posted)
		m.Drive(freeing.Out(), lists.busy)
		entry.Length, entry.List = lists.request.Length, lists.list
		full, ends = m.Let("has_no_place", full.Or(lists.lacks)), m.Let("is_whole", valid.And(lists.last))
	}
	sw := block.IndexWidth(c.Streams)
	refusedStream, nextStream := m.Reg("refused_stream_q", sw, hdl.NoReset), m.Reg("next_refused_stream_q", sw, hdl.NoReset)
	another := m.Reg("another_refused_q", 1, hdl.ResetTo(0))
	m.Drive(store.Out(), ends.And(full.Not()))
	refuses := m.Let("refuses", ends.And(full))
	told := m.Let("refusal_told", refused.Not().Or(p.Refused.Ready))
	m.OnClock(
		hdl.If(told, refused.Set(another.Or(refuses)), refusedStream.Set(hdl.Mux(another.Value, nextStream.Value, held.Q.Stream))),
		hdl.If(refuses, nextStream.Set(held.Q.Stream)),
		another.Set(hdl.Mux(told, another.And(refuses), another.Or(refuses))))
	p.Refused.Drive(m, refused.Value, engine.Event{Stream: refusedStream.Value, Kind: hdl.Const(2, engine.EventReceiveRefused),
		Detail: c.Profile.NoDetail()})

	m.Section("Read")
	ring := m.Memory("ring", hdl.PackedWidth(entry), c.Streams*c.ReceiveDepth)
	ring.Write(store.Value, hdl.Cat(held.Q.Stream, before.Truncate(rw)), m.Let("stored_entry", hdl.Pack(entry)))
	m.Drive(p.Entry, ring.Read("entry_q", p.Enable.Value, hdl.Cat(p.Stream.Value, p.Slot.Value), hdl.ReadNew))
	m.Drive(p.Posted, posted.Read("posted", p.Enable.Value, p.Stream.Value))
	if p.Count == nil {
		return
	}
	m.Section("Requests posted since the opening, with all bits of the number")
	total := block.NewContext(m, "totals", hdl.Zero(32), sweep)
	now := total.Read("total", take, p.Post.Data.Stream)
	total.Write(empty, block.Change{When: store.Value, Stream: held.Q.Stream, Word: m.Let("next_total", now.Plus(1))})
	m.Drive(p.Count.Posted, total.Read("counted", p.Count.Enable.Value, p.Count.Stream.Value))
}
