package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// WorkRingPorts hold work requests until they are issued.
type WorkRingPorts struct {
	Post         hdl.Sink[engine.WorkRequest] `hdl:"wqe"`
	Opened       hdl.In                       `doc:"empties the ring of opened_stream; no offer is accepted in such a cycle"`
	OpenedStream hdl.In                       `doc:"number of the stream"`
	Freed        hdl.In                       `doc:"the oldest work request of freed_stream may be issued now if it could not before"`
	FreedStream  hdl.In                       `doc:"number of the stream"`

	Offer   hdl.Source[engine.WorkRequest]
	Number  hdl.Out `doc:"work requests of its stream issued since the opening, modulo twice the ring"`
	Refused hdl.In  `doc:"the accepted offer was not issued: the stream is left out until it is freed"`

	Look       hdl.Out `doc:"a work request of look_stream is offered in the next cycle"`
	LookStream hdl.Out `doc:"number of the stream"`
}

const workRingDoc = `work_ring holds the work requests of each stream that have not started, up to %[1]d, and offers the oldest ones of
all streams in turn. Number n since the opening of its stream is in slot n modulo %[1]d. A stream with work is in a
list once: when its turn comes, its oldest work request is offered; when that has started, the stream goes to the
end of the list if it has more. A stream whose offer is refused leaves the list until it is freed; the others go
on.

A work request for a stream whose ring is full waits, together with all posted after it, for whatever stream, until
one of its stream starts. A host that keeps at most %[1]d of a stream incomplete never sees this.

Every change of a stream's state, a post, the end of a turn, an opening or freed, takes a cycle of its own and sees
the result of the previous one, so no change is lost. Priority: opening, end of a turn, freed, post. freed occurs
at most once in 3 cycles, and not with an opening or in the 2 cycles after one. An opening also withdraws the offer
of its stream.

A post is offered 3 cycles later at the earliest. The work requests of one stream are offered every 3 cycles, those
of several every 2. After reset every ring is empty, and for one cycle per stream nothing is accepted.`

// WorkRing keeps per stream: a ring, two counts and two flags.
func WorkRing(c engine.Config) hdl.Block[WorkRingPorts] {
	sw := block.IndexWidth(c.Streams)
	return hdl.Block[WorkRingPorts]{
		Kind: "work_ring", Params: c.Params("streams", "send_depth"),
		Doc: fmt.Sprintf(workRingDoc, c.SendDepth),
		Ports: WorkRingPorts{
			Post: hdl.NewSink(engine.WorkRequestOf(c)), Opened: hdl.NewIn(1), OpenedStream: hdl.NewIn(sw), Freed: hdl.NewIn(1), FreedStream: hdl.NewIn(sw),
			Offer: hdl.NewSource(engine.WorkRequestOf(c)), Number: hdl.NewOut(block.IndexWidth(c.SendDepth) + 1), Refused: hdl.NewIn(1),
			Look: hdl.NewOut(1), LookStream: hdl.NewOut(sw),
		},
		Build: func(m *hdl.Module, p WorkRingPorts) { buildWorkRing(m, p, c) },
	}
}

// waitingWork is a work request in the ring of its stream.
type waitingWork struct {
	ID       hdl.Value `hdl:"id"`
	Signaled hdl.Value
	Opcode   hdl.Value
	Local    engine.Buffer
	Length   hdl.Value
	Remote   engine.Buffer
	Operands engine.AtomicOperands `hdl:"atomic"`
}

// ringState is the state of a stream. Work requests are counted modulo twice the ring.
type ringState struct {
	Posted  hdl.Value
	Issued  hdl.Value
	Listed  hdl.Value // in the list, or has its turn
	LeftOut hdl.Value // until it is freed
}

// ringChange is a change of a stream; there is one per cycle.
type ringChange struct {
	Stream  hdl.Value
	Opens   hdl.Value
	Turn    hdl.Value // its turn is over
	Issued  hdl.Value // a work request was issued in that turn
	Refused hdl.Value // none could be issued in that turn
	Freed   hdl.Value
	Posts   hdl.Value
}

func buildWorkRing(m *hdl.Module, p WorkRingPorts, c engine.Config) {
	sw, dw := block.IndexWidth(c.Streams), block.IndexWidth(c.SendDepth)
	post := engine.WorkRequestOf(c)
	proto := waitingWork{ID: post.ID, Signaled: post.Signaled, Opcode: post.Opcode, Local: post.Local, Length: post.Length, Remote: post.Remote, Operands: post.Operands}
	stateOf := ringState{Posted: hdl.Bits(dw + 1), Issued: hdl.Bits(dw + 1), Listed: hdl.Bits(1), LeftOut: hdl.Bits(1)}
	sweep := block.NewSweep(m, sw)
	swept := sweep.Done

	m.Section("One change per cycle: an opening, the end of a turn, freed, a post")
	offered := m.Reg("offered_q", 1, hdl.ResetTo(0))
	void := m.Reg("offer_is_void_q", 1, hdl.NoReset)
	offerStream := m.Reg("offer_stream_q", sw, hdl.NoReset)
	freed := m.Reg("freed_q", 1, hdl.ResetTo(0))
	freedStream := m.Reg("freed_stream_q", sw, hdl.NoReset)
	held := hdl.NewRegOf(m, "held", post, hdl.NoReset)
	waits := m.Wire("post_waits", 1)
	opens := p.Opened.Value
	offers := m.Let("offers", offered.And(void.Not()))
	turn := m.Let("ends_turn", hdl.AllOf(offered.Value, opens.Not(), void.Or(p.Offer.Ready)))
	begins := m.Let("begins", hdl.AllOf(turn, offers, p.Refused.Not()))
	refused := m.Let("is_refused", hdl.AllOf(turn, offers, p.Refused.Value))
	frees := m.Let("frees", hdl.AllOf(freed.Value, opens.Not(), turn.Not()))
	free := m.Let("posts_can_go", hdl.AllOf(swept, opens.Not(), turn.Not(), freed.Not()))
	ready := m.Let("ready", free.And(waits.Not()))
	p.Post.Accept(m, ready)
	take := m.Let("take", ready.And(p.Post.Valid))
	posts := m.Let("posts", free.And(waits.Or(p.Post.Valid)))
	stream := m.Let("changed_stream", hdl.Select(hdl.Mux(waits.Value, held.Q.Stream, p.Post.Data.Stream),
		hdl.When{Cond: opens, Then: p.OpenedStream.Value}, hdl.When{Cond: turn, Then: offerStream.Value}, hdl.When{Cond: freed.Value, Then: freedStream.Value}))
	heldValid := m.Reg("held_valid_q", 1, hdl.ResetTo(0))
	change := hdl.NewRegOf(m, "change", ringChange{hdl.Bits(sw), hdl.Bits(1), hdl.Bits(1), hdl.Bits(1), hdl.Bits(1), hdl.Bits(1), hdl.Bits(1)}, hdl.ResetTo(0))
	m.OnClock(
		change.Set(ringChange{Stream: stream, Opens: opens, Turn: turn, Issued: begins, Refused: refused, Freed: frees, Posts: posts}),
		hdl.If(p.Freed.Value, freed.Set(hdl.Ones(1)), freedStream.Set(p.FreedStream.Value)).ElseIf(frees, freed.Set(hdl.Zero(1))),
		hdl.If(take, held.Set(p.Post.Data)),
		heldValid.Set(take.Or(waits.Value)),
	)

	m.Section("New state of the stream")
	states := block.NewContext(m, "ring_states", hdl.Zero(hdl.PackedWidth(stateOf)), sweep)
	changed := m.Wire("state_next", hdl.PackedWidth(stateOf))
	ch := change.Q
	changes := m.Let("changes", hdl.AnyOf(ch.Opens, ch.Turn, ch.Freed, ch.Posts))
	states.Write(block.Change{When: changes, Stream: ch.Stream, Word: changed.Value})
	now := hdl.Unpack(stateOf, states.Read("state", m.Let("read_state", hdl.AnyOf(opens, turn, frees, posts)), stream))
	m.Note("The top bit of the difference is set if the ring is full.")
	waiting := m.Let("waiting", now.Posted.Sub(now.Issued))
	m.Unused("only whether the ring is full matters", waiting.Truncate(dw))
	stores := m.Let("stores", ch.Posts.And(waiting.Bit(dw).Not()))
	m.Drive(waits.Out(), heldValid.And(stores.Not()))
	posted := m.Let("posted_next", now.Posted.Add(stores.ZeroExtend(dw+1)).And(ch.Opens.Not().Replicate(dw+1)))
	issued := m.Let("issued_next", now.Issued.Add(ch.Issued.ZeroExtend(dw+1)).And(ch.Opens.Not().Replicate(dw+1)))
	again := m.Let("goes_again", hdl.AllOf(ch.Turn, ch.Refused.Not(), posted.Ne(issued)))
	joins := m.Let("joins", now.Listed.Not().And(hdl.Mux(now.LeftOut, ch.Freed, stores)))
	m.Drive(changed.Out(), hdl.Pack(ringState{Posted: posted, Issued: issued,
		Listed:  hdl.Mux(ch.Turn, again, now.Listed.Or(joins)),
		LeftOut: hdl.AllOf(now.LeftOut.Or(ch.Refused), ch.Freed.Not(), ch.Opens.Not())}))

	m.Section("The list: read the state of its first stream, then the slot of its oldest work request")
	list, first := hdl.NewStream(m, "list_last", engine.EndedOf(c.Streams)), hdl.NewStream(m, "list_first", engine.EndedOf(c.Streams))
	list.Source().Drive(m, again.Or(joins), engine.Ended{Stream: ch.Stream})
	m.Unused("the list has room for all streams", list.Source().Ready)
	block.Bypass(m, "turns", c.Streams, list.Sink(), first.Source())
	next := m.Reg("next_valid_q", 1, hdl.ResetTo(0))
	nextStream := m.Reg("next_stream_q", sw, hdl.NoReset)
	m.Note("Not while an opening may be about to reset its state, which is read again in every cycle.")
	advance := m.Let("advance", hdl.AllOf(next.Value, offered.Not(), opens.Not(), ch.Opens.Not()))
	pop := m.Let("pop", next.Not().Or(advance))
	first.Sink().Accept(m, pop)
	has := hdl.Unpack(stateOf, states.Read("next_state", m.Let("read_next", first.Sink().Valid.Or(next.Value)),
		m.Let("read_stream", hdl.Mux(pop, first.Sink().Data.Stream, nextStream.Value))))
	m.Unused("a stream whose turn comes is listed", has.Listed, has.LeftOut)
	number := m.Reg("offer_number_q", dw+1, hdl.NoReset)
	ring := m.Memory("ring", hdl.PackedWidth(proto), c.Streams*c.SendDepth)
	w := held.Q
	ring.Write(stores, hdl.Cat(w.Stream, now.Posted.Truncate(dw)), m.Let("stored_work", hdl.Pack(waitingWork{ID: w.ID, Signaled: w.Signaled,
		Opcode: w.Opcode, Local: w.Local, Length: w.Length, Remote: w.Remote, Operands: w.Operands})))
	oldest := hdl.Unpack(proto, ring.Read("oldest_q", advance, hdl.Cat(nextStream.Value, has.Issued.Truncate(dw)), hdl.ReadOld))
	m.OnClock(
		hdl.If(pop, next.Set(first.Sink().Valid), nextStream.Set(first.Sink().Data.Stream)),
		hdl.If(advance, offered.Set(hdl.Ones(1)), offerStream.Set(nextStream.Value), number.Set(has.Issued), void.Set(has.Posted.Eq(has.Issued))).
			ElseIf(turn, offered.Set(hdl.Zero(1))).
			ElseIf(opens.And(p.OpenedStream.Eq(offerStream.Value)), void.Set(hdl.Ones(1))),
	)

	m.Section("Offer")
	p.Offer.Drive(m, offers, engine.WorkRequest{Stream: offerStream.Value, ID: oldest.ID, Signaled: oldest.Signaled, Opcode: oldest.Opcode,
		Local: oldest.Local, Length: oldest.Length, Remote: oldest.Remote, Operands: oldest.Operands})
	m.Drive(p.Number, number.Value)
	m.Drive(p.Look, advance.Or(offers))
	m.Drive(p.LookStream, hdl.Mux(offered.Value, offerStream.Value, nextStream.Value))
}
