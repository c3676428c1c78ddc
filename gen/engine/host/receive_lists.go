package host

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// ReceiveElements is the read port of the buffers of requests that have several.
type ReceiveElements struct {
	Enable hdl.In  `doc:"read an element"`
	Stream hdl.In  `doc:"number of the stream"`
	Place  hdl.In  `doc:"of the element, as the entry of its request says"`
	Entry  hdl.Out `doc:"packed ListElement, from the next cycle on"`
}

const receiveListsDoc = `

A request may have several buffers, a beat each, and all but the last one with more; beats of other streams may be between
them. Its one entry has the octets of all of them. A stream has %d places for buffers of such requests, which are free again
once the stream has used the request. A request that does not find all of them is refused as a whole, with its last beat.`

// postedElements is how far a stream has posted elements: their places, modulo twice their number.
type postedElements struct {
	First  hdl.Value // after those of the requests in the ring
	Next   hdl.Value // and after those of the request that is being posted
	Octets hdl.Value // of that, 33 bits; a larger number has all of them
	Lacks  hdl.Value // one of its elements has no place
	Inside hdl.Value // it has begun
}

// receiveLists are the elements of a receive_ring.
type receiveLists struct {
	m           *hdl.Module
	sweep       block.Sweep
	c           engine.Config
	held        engine.ReceiveRequest
	valid       hdl.Value // a beat is held
	posts, used block.Context
	now         postedElements
	freed       hdl.Value // places that were used and are free again, modulo twice their number

	last, lacks hdl.Value // the beat is the last one of its request, which has no place for all elements
	request     engine.ReceiveRequest
	list        *engine.ReceiveList
	stored      hdl.Value // places after the request if it is stored
	busy        hdl.Value // a change of freed is on its way
}

func postedElementsOf(places int) postedElements {
	n := hdl.Bits(places)
	return postedElements{n, n, hdl.Bits(33), hdl.Bits(1), hdl.Bits(1)}
}

// newReceiveLists looks at the beat that is held; take is 1 in the cycle before.
func newReceiveLists(m *hdl.Module, p ReceiveRingPorts, c engine.Config, sweep block.Sweep, take, valid hdl.Value, held engine.ReceiveRequest) *receiveLists {
	rw := block.IndexWidth(c.ReceiveDepth)
	m.Section("Elements of requests that have several: the beat that is held")
	proto := postedElementsOf(rw + 1)
	l := &receiveLists{m: m, sweep: sweep, c: c, held: held, valid: valid, posts: block.NewContext(m, "posted_elements", hdl.Zero(hdl.PackedWidth(proto)), sweep),
		used: block.NewContext(m, "freed_elements", hdl.Zero(rw+1), sweep)}
	now := hdl.LetOf(m, "elements", hdl.Unpack(proto, l.posts.Read("elements_before", take, p.Post.Data.Stream)))
	l.now, l.freed = now, l.used.Read("freed", take, p.Post.Data.Stream)
	more := held.List.(*engine.ReceiveElement).More
	isList := m.Let("is_list", now.Inside.Or(more))
	waiting := m.Let("elements_waiting", now.Next.Sub(l.freed))
	m.Unused("only whether all places are in use matters", waiting.Truncate(rw))
	l.lacks = m.Let("lacks_place", isList.And(now.Lacks.Or(waiting.Bit(rw))))
	sum := m.Let("octets_with_it", now.Octets.ZeroExtend(34).Add(held.Length.ZeroExtend(34)))
	octets := m.Let("octets", sum.Truncate(33).Or(sum.Bit(33).Replicate(33)))
	stores := m.Let("stores_element", hdl.AllOf(valid, isList, l.lacks.Not()))
	elements := m.Memory("elements", hdl.PackedWidth(engine.ListElementOf()), c.Streams*c.ReceiveDepth)
	elements.Write(stores, hdl.Cat(held.Stream, now.Next.Truncate(rw)), hdl.Pack(engine.ListElement{Buffer: held.Buffer, Length: held.Length}))
	m.Drive(p.Elements.Entry, elements.Read("element_q", p.Elements.Enable.Value, hdl.Cat(p.Elements.Stream.Value, p.Elements.Place.Value), hdl.ReadOld))
	l.last = more.Not()
	l.stored = m.Let("places_behind", hdl.Mux(isList, m.Let("place_behind", now.Next.Plus(1)), now.First))
	l.request = held
	l.request.Length = octets.Truncate(32)
	l.list = &engine.ReceiveList{Is: isList, Huge: octets.Bit(32), First: now.First.Truncate(rw), Final: now.Next.Truncate(rw)}
	return l
}

// keep keeps what follows from the beat. store is 1 if it is the last one of a request that is stored; opens empties the ring of stream.
func (l *receiveLists) keep(p ReceiveRingPorts, store, opens, slot hdl.Value, posted block.Context) {
	m, rw := l.m, block.IndexWidth(l.c.ReceiveDepth)
	goesOn, now := l.last.Not(), l.now
	next := hdl.LetOf(m, "elements_next", postedElements{First: hdl.Mux(store, l.stored, now.First), Octets: hdl.Cat(l.list.Huge, l.request.Length).And(goesOn.Replicate(33)), Lacks: goesOn.And(l.lacks), Inside: goesOn,
		Next: hdl.Select(l.stored, hdl.When{Cond: goesOn, Then: m.Let("places_so_far", hdl.Mux(l.lacks, now.Next, now.Next.Plus(1)))}, hdl.When{Cond: store.Not(), Then: now.First})})
	empty := block.Change{When: opens, Stream: p.Opening.Data.Stream}
	l.posts.Write(empty, block.Change{When: l.valid, Stream: l.held.Stream, Word: hdl.Pack(next)})

	if p.Release != nil {
		l.release(p, store, empty)
		return
	}
	m.Section("Places up to the oldest request that is not used are free")
	of := p.ConsumedStream.Value
	starts := m.Memory("request_places", rw+1, l.c.Streams*l.c.ReceiveDepth)
	starts.Write(store, hdl.Cat(l.held.Stream, slot), now.First)
	start := starts.Read("oldest_place_q", p.Consumed.Value, hdl.Cat(of, p.ConsumedCount.Truncate(rw)), hdl.ReadNew)
	all := posted.Read("posted_of_consumed", p.Consumed.Value, of)
	behind := hdl.Unpack(postedElementsOf(rw+1), l.posts.Read("elements_of_consumed", p.Consumed.Value, of))
	m.Unused("of the requests in the ring", behind.Next, behind.Octets, behind.Lacks, behind.Inside)
	busy := m.Reg("frees_q", 1, hdl.ResetTo(0))
	stream, count := m.Reg("frees_stream_q", of.Width(), hdl.NoReset), m.Reg("frees_count_q", rw+1, hdl.NoReset)
	m.OnClock(busy.Set(p.Consumed.Value), stream.Set(of), count.Set(p.ConsumedCount.Value))
	l.busy = busy.Value
	l.used.Write(empty, block.Change{When: busy.Value, Stream: stream.Value, Word: m.Let("free_up_to", hdl.Mux(all.Eq(count.Value), behind.First, start))})
}
