package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// Messages of a QP are numbered, and so are the places of their elements in its ring. A push is described in the place of its first element. A
// Read has a description for each element, unless it has no octets at all: then one packet asks for those of the first element (I-122).

// postCount is what a QP has posted.
type postCount struct {
	Messages hdl.Value // that are complete
	Elements hdl.Value // places of these
}

func postCountOf(c engine.Config) postCount {
	n := hdl.Bits(numberBits(c))
	return postCount{n, n}
}

// posting is how far a QP has posted a message.
type posting struct {
	Count  postCount
	Next   hdl.Value // place after those in use
	Some   hdl.Value // the message has octets so far
	Octets hdl.Value // their number
}

func postingOf(c engine.Config) posting {
	n := postCountOf(c)
	return posting{n, n.Elements, hdl.Bits(1), hdl.Bits(32)}
}

// postedElement is what becomes of an element.
type postedElement struct {
	after  postCount // of the QP, with the message if it is complete
	last   hdl.Value // it is
	place  hdl.Value // of its packets
	holds  hdl.Value // of its headers
	empty  hdl.Value // an element of a Read that asks for nothing
	next   hdl.Value // place after it
	at     hdl.Value // its place
	length hdl.Value // its octets
	octets hdl.Value // of the message up to it, of a Read those of the element
}

// place counts an element, and says where it is described.
func (u *requests) place(pipe *block.Pipeline, tag *Sent, octets *block.Signal, isPull hdl.Value, foreign *block.Signal) postedElement {
	m, c := u.Module, u.c
	placed := func(name string, v hdl.Value) hdl.Value { return pipe.Holds(name, 0, v).At(postPlaced) }
	first, last := placed("placed_first", tag.First), placed("placed_more", tag.More).Not()
	pull, unfit, own := placed("placed_pull", isPull), placed("placed_unfit", tag.Unfit).Or(foreign.At(postPlaced)), octets.At(postPlaced)
	now := hdl.LetOf(m, "had", hdl.Unpack(postingOf(c), u.posts.Now))
	base := now.Count.Elements
	goesOn := first.Not()
	some := m.Let("has_some_before", now.Some.And(goesOn))
	before := m.Let("octets_before_it", now.Octets.And(goesOn.And(pull.Not()).Replicate(32)))
	any := m.Let("element_has_some", own.Any())
	at := m.Let("element_place", hdl.Mux(first, base, now.Next))
	next := m.Let("place_behind", at.Plus(1))
	sum := m.Let("octets_with_it", before.Add(own))
	m.Note("Of a Read that is unfit, or without octets, only the first place counts.")
	someNow := m.Let("has_some", some.Or(any))
	alone := m.Let("first_counts_alone", last.And(unfit.Or(someNow.Not())))
	whole := m.Let("describes_message", pull.Not().Or(alone))
	after := postCount{Messages: now.Count.Messages.Add(last.ZeroExtend(numberBits(c))), Elements: hdl.Mux(last, next, base)}
	u.posts.Decide(hdl.Pack(posting{Count: after, Next: next, Some: someNow, Octets: sum}))
	return postedElement{after: after, last: last, place: hdl.Mux(whole, base, at), holds: hdl.Mux(pull, at, base), empty: m.Let("is_empty", whole.Or(any).Not()),
		next: next, octets: sum, at: at, length: own}
}

// accept puts messages in the ring of their QP. The result are the QPs that have a new one.
func (u *requests) accept() hdl.Sink[token] {
	m, c, p := u.Module, u.c, u.p
	m.Section("Accept an element of a message: its place is the next one of its QP")
	out := hdl.NewStream(m, "posts", tokenOf(c))
	queue := block.NewReserved(m, "post", 16, tokenOf(c), out.Source())
	ready := m.Let("ready", hdl.AllOf(u.sweep.Done, queue.Room, u.gate.Value.Not()))
	p.Message.Accept(m, ready)
	takes := m.Let("takes_message", p.Message.Valid.And(ready))
	held := hdl.NewRegOf(m, "held", p.Message.Data, hdl.NoReset)
	m.OnClock(held.Set(p.Message.Data))
	accepts := u.laterBit("accepts_q", takes)
	w := held.Q
	pipe := block.NewNamedPipeline(m, "post_", accepts, postTold)
	stream := pipe.Holds("posted_stream", 0, w.Stream)
	words := block.NewContext(m, "post_counts", hdl.Zero(hdl.PackedWidth(postingOf(c))), u.sweep)
	u.posts = words.Loop(block.LoopUser{Read: accepts, Stream: w.Stream, Deciding: pipe.Valid(postPlaced), Decided: stream.At(postPlaced)})

	m.Section("Its words: a message counts from the cycle on in which the last one is in memory")
	info, message, at := u.decode(pipe, w)
	of := func(name string, v hdl.Value) *block.Signal { return pipe.Holds(name, postPlaced, v) }
	after, last := of("posted_count", hdl.Pack(at.after)), of("posts_message", at.last)
	place := pipe.Signal("posted_slot", postPlaced, slot(stream.At(postPlaced), at.place))
	m.Drive(p.Listed.Valid, pipe.Valid(postPlaced))
	m.Drive(p.Listed.Stream, stream.At(postPlaced))
	m.Drive(p.Listed.Place, at.at.Truncate(numberBits(c)-1))
	m.Drive(p.Listed.Address, pipe.Holds("element_address", 0, w.Address).At(postPlaced))
	m.Drive(p.Listed.Length, at.length)
	u.messages.Write(pipe.Valid(postPlaced), m.Let("held_slot", slot(stream.At(postPlaced), at.holds)), pipe.Holds("stored_message", 0, hdl.Pack(message)).At(postPlaced))
	u.infos.Write(pipe.Valid(postStored), place.At(postStored), pipe.Holds("stored_info", postMeasured, hdl.Pack(info)).At(postStored))
	counted := m.Let("counts_message", pipe.Valid(postStored).And(last.At(postStored)))
	counts := hdl.Unpack(postCountOf(c), after.At(postStored))
	u.posted.Write(block.Change{When: counted, Stream: stream.At(postStored), Word: counts.Messages})
	u.places.Write(block.Change{When: counted, Stream: stream.At(postStored), Word: counts.Elements})
	m.Drive(p.Post, counted)
	m.Drive(p.Posted, hdl.Pack(posted{stream.At(postStored), counts.Messages}))
	tells := m.Let("tells_of_message", pipe.Valid(postTold).And(last.At(postTold)))
	queue.Drive(takes, pipe.Valid(postTold).And(tells.Not()), tells, token{stream.At(postTold)})
	m.Unused("of messages of the requester nothing else counts", w.Kind, w.Number)
	pipe.Close()
	return out.Sink()
}

// Stages of the pipeline of new messages.
const (
	postPlaced   = 1 // its place is known
	postMeasured = 2 // its octets are
	postStored   = 3 // its packets are, and it counts
	postTold     = 4
)
