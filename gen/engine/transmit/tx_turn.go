package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// txState is what is known of the stream of a token, but for what arrives in this cycle and arrived in the one before.
type txState struct {
	More    hdl.Value // a message waits behind the oldest one
	Newest  hdl.Value // place of the newest message
	Stopped hdl.Value // nothing is sent until it is opened again
}

// follow is the state in the next cycle, of a stream of which a message arrived in the cycle before if came is 1.
func (t *txTurns) follow(name string, stream hdl.Value, is txState, came, place hdl.Value) txState {
	opens, drops := t.changes.opened.of(t.Module, name+"_is_opened", stream), t.changes.dropped.of(t.Module, name+"_is_dropped", stream)
	return txState{More: came.Or(is.More), Newest: t.Let(name+"_newest", hdl.Mux(came, place, is.Newest)), Stopped: opens.Not().And(drops.Or(is.Stopped))}
}

// txChange names a stream that changes in this cycle.
type txChange struct{ is, stream hdl.Reg }

func (t *txTurns) change(name string, is, stream hdl.In) txChange {
	c := txChange{t.Reg(name+"_q", 1, hdl.ResetTo(0)), t.Reg(name+"_stream_q", stream.Value.Width(), hdl.NoReset)}
	t.OnClock(c.is.Set(is.Value), c.stream.Set(stream.Value))
	return c
}

// of is 1 if that stream changes.
func (c txChange) of(m *hdl.Module, name string, stream hdl.Value) hdl.Value {
	return m.Let(name, c.is.And(c.stream.Eq(stream)))
}

// txTurn is the token of the stream that has its turn. Whether its next segment is the last one of its message changes with the stream.
type txTurn struct{ Stream, Place, Index, Credit, Parity hdl.Value }

// turn sends segments of the stream that has its turn, one per cycle.
func (t *txTurns) turn(next hdl.Sink[txToken], streamAfter hdl.Value, to hdl.Source[txPiece]) {
	m, p, always := t.Module, t.p, hdl.Ones(1)
	free := m.Wire("is_free", 1)
	next.Accept(m, free.Value)
	arrived := m.Reg("arrived_place_q", t.placeBits(), hdl.NoReset)
	m.OnClock(arrived.Set(t.arriving.place))
	t.changes.opened, t.changes.dropped = t.change("opened", p.Opened, p.OpenedStream), t.change("dropped", p.Dropped, p.DroppedStream)
	first := t.prepare(next, streamAfter, free.Value, arrived.Value)

	m.Section("The stream that has its turn, and its oldest message")
	pieces, again := block.NewSkid(m, "piece", t.piece(), to), block.NewSkid(m, "again", t.token(), t.again)
	m.Note("Both have room; it is the last segment of its message; it is the last of all that the stream has.")
	roomy, isLast, isAll := m.Reg("has_room_q", 1, hdl.ResetTo(1)), m.Reg("now_last_q", 1, hdl.NoReset), m.Reg("now_all_q", 1, hdl.NoReset)
	m.Unused("has_room_q has both", pieces.Room, again.Room)
	valid := m.Reg("now_valid_q", 1, hdl.ResetTo(0))
	n := next.Data
	turn := hdl.NewRegOf(m, "now", txTurn{n.Stream, n.Place, n.Index, n.Credit, n.Parity}, hdl.NoReset)
	ends, passes := m.Wire("turn_ends", 1), m.Wire("message_passes", 1)
	m.Drive(free.Out(), valid.Not().Or(ends.Value))
	now := turn.Q
	behindIt := m.Wire("linked_place", t.placeBits())
	address := m.Let("place_of_turn", hdl.Mux(free.Value, n.Place, hdl.Mux(passes.Value, behindIt.Value, now.Place)))
	following := hdl.LetOf(m, "following", hdl.Unpack(t.link(), t.next.Read("link_q", always, address, hdl.ReadOld)))
	m.Drive(behindIt.Out(), following.Place)
	oldest := hdl.LetOf(m, "oldest", hdl.Unpack(t.size(), t.sizes.Read("size_q", always, address, hdl.ReadOld)))
	m.Note("A message counts two cycles after it arrives: then the link to it has been read.")
	state := hdl.NewRegOf(m, "now", first.is, hdl.NoReset)
	came, arrives, comes := m.Reg("came_q", 1, hdl.NoReset), m.Reg("arrives_q", 1, hdl.NoReset), m.Reg("came_or_arrives_q", 1, hdl.NoReset)
	after := t.follow("now", now.Stream, state.Q, came.Value, arrived.Value)
	more := state.Q.More
	after.More = came.Or(hdl.Mux(passes.Value, m.Let("linked_has_more", state.Q.Newest.Ne(behindIt.Value)), more))
	cameNext := m.Let("comes_next", hdl.Mux(free.Value, first.arrives, arrives.Value))
	arrivesNext := m.Let("arrives_next", hdl.Mux(free.Value, first.comes, t.comes("message_comes", now.Stream)))
	m.OnClock(
		came.Set(cameNext), arrives.Set(arrivesNext), comes.Set(cameNext.Or(arrivesNext)),
		state.Set(hdl.Unpack(first.is, hdl.Mux(free.Value, hdl.Pack(first.is), hdl.Pack(after)))))

	m.Section("Its next segment")
	last := isLast.Value
	room, retires := roomy.Value, isAll.Value
	goes := m.Let("segment_goes", hdl.AllOf(valid.Value, room, retires.And(comes.Value).Not()))
	full := m.Let("full_octets", hdl.Cat(hdl.Const(2, 1), oldest.Header.ZeroExtend(t.lengthBits()-1)))
	cost := m.Let("octets", hdl.Mux(last, oldest.LastOctets, full).ZeroExtend(t.creditBits()))
	rest := m.Let("credit_left", now.Credit.Sub(cost))
	m.Note("Without a stream that waits for a turn nothing is spent.")
	sign := t.creditBits() - 1
	suffices := m.Let("suffices", now.Credit.Bit(sign).Not().And(now.Credit.Slice(sign-1, t.lengthBits()-1).Any()))
	spent := m.Let("is_spent", suffices.Not().And(next.Valid))
	m.Drive(passes.Out(), hdl.AllOf(valid.Value, room, last, retires.Not(), spent.Not()))
	m.Note("Not from segment_goes, which comes later.")
	m.Drive(ends.Out(), hdl.AllOf(valid.Value, room, hdl.Mux(retires, comes.Not(), spent)))
	index := m.Let("index_next", now.Index.Plus(1).And(last.Not().Replicate(t.indexBits())))
	m.Note("Where the segment behind it is, and whether that is the last one of its message. If the stream is stopped, the next one is.")
	lastNext := m.Let("last_next", hdl.Mux(last, following.Last, m.Let("rest_is_last", now.Index.Plus(1).Eq(oldest.Behind))))
	behind := m.Let("place_behind", hdl.Mux(last, behindIt.Value, now.Place))
	begins, goesOn := m.Let("begins_last", n.Last.Or(first.is.Stopped)), m.Let("is_last_then", hdl.Mux(goes, lastNext, last).Or(after.Stopped))
	beginsAll, goesOnAll := m.Let("begins_all", begins.And(first.is.More.Not())), m.Let("is_all_then", goesOn.And(after.More.Not()))
	m.OnClock(
		hdl.If(free.Value, valid.Set(next.Valid), turn.Set(txTurn{n.Stream, n.Place, n.Index, n.Credit, n.Parity})).
			ElseIf(goes, turn.Set(txTurn{now.Stream, behind, index, hdl.Mux(next.Valid, rest, now.Credit), now.Parity})),
		isLast.Set(hdl.Mux(free.Value, begins, goesOn)),
		isAll.Set(hdl.Mux(free.Value, beginsAll, goesOnAll)))
	comesBack := again.Drive(m.Let("comes_again", hdl.AllOf(goes, spent, retires.Not())), txToken{Stream: now.Stream, Place: behind, Index: index,
		Last: lastNext, Credit: rest, Parity: now.Parity})
	m.Note("The token is taken back in the next cycle.")
	m.OnClock(t.gone.is.Set(goes.And(retires)), t.gone.stream.Set(now.Stream), t.gone.parity.Set(now.Parity))
	t.retired.Write(block.Change{When: t.gone.is.Value, Stream: t.gone.stream.Value, Word: t.gone.parity.Value})
	filled := pieces.Drive(goes, txPiece{Stream: now.Stream, Place: now.Place, Index: now.Index, Last: last, LastLength: oldest.LastLength})
	m.OnClock(roomy.Set(filled.Or(comesBack).Not()))
}

// comes is 1 if a message of that stream arrives in the next cycle. If the stream has a message already, it is queued.
func (t *txTurns) comes(name string, stream hdl.Value) hdl.Value {
	return t.Let(name, t.taken.is.And(t.taken.stream.Eq(stream)))
}

// txFirst is the state of a stream whose turn begins in the next cycle, and whether a message of it arrives in this one and in the next.
type txFirst struct {
	is             txState
	arrives, comes hdl.Value
}

// prepare looks up the state of the stream whose turn is next, and follows it until the turn begins.
func (t *txTurns) prepare(next hdl.Sink[txToken], streamAfter, begins, arrivedPlace hdl.Value) txFirst {
	m, always := t.Module, hdl.Ones(1)
	m.Section("The stream whose turn is next")
	m.Note("A message that comes while the list is read is not the oldest one: the token has been on its way for longer.")
	n, free := next.Data, m.Let("next_is_free", next.Valid.Not().Or(begins))
	found := m.Reg("is_found_q", 1, hdl.NoReset)
	list := hdl.LetOf(m, "next_list", hdl.Unpack(t.queue(), t.queues.Latest("next_list", always, streamAfter)))
	m.Unused("the stream has a token", list.Parity)
	stopped := block.NewContext(m, "stopped", hdl.Zero(1), t.sweep)
	stopped.Write(block.Change{When: t.changes.opened.is.Value, Stream: t.changes.opened.stream.Value},
		block.Change{When: t.changes.dropped.is.Value, Stream: t.changes.dropped.stream.Value, Word: hdl.Ones(1)})
	state, came := hdl.NewRegOf(m, "known", txState{hdl.Bits(1), n.Place, hdl.Bits(1)}, hdl.NoReset), m.Reg("next_came_q", 1, hdl.NoReset)
	read := txState{More: m.Let("next_has_more", list.Last.Ne(n.Place)), Newest: list.Last, Stopped: stopped.Read("next_stopped", always, streamAfter)}
	is := hdl.LetOf(m, "next_state", hdl.Unpack(read, hdl.Mux(found.Value, hdl.Pack(read), hdl.Pack(state.Q))))
	arrives := m.Reg("next_arrives_q", 1, hdl.NoReset)
	first := txFirst{t.follow("next", n.Stream, is, came.And(found.Not()), arrivedPlace), arrives.Value, t.comes("next_comes", n.Stream)}
	m.OnClock(found.Set(free), came.Set(first.arrives), state.Set(first.is),
		arrives.Set(hdl.Mux(free, t.comes("comes_after", streamAfter), first.comes)))
	return first
}
