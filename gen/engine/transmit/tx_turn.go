package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// txTurn is the token of the stream that has its turn. Whether its next segment is the last one of its message changes with the stream.
type txTurn struct {
	Stream, Place, Index, Credit, Parity hdl.Value
	Far                                  any `hdl:"-"`
}

func turnOf(t txToken) txTurn { return txTurn{t.Stream, t.Place, t.Index, t.Credit, t.Parity, t.Far} }

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
	m.Note("Whether a turn ends depends on few registers: both buffers have room; the segment is the last one of its message; it is all that the")
	m.Note("stream has.")
	roomy, isLast, isAll := m.Reg("has_room_q", 1, hdl.ResetTo(1)), m.Reg("now_last_q", 1, hdl.NoReset), m.Reg("now_all_q", 1, hdl.NoReset)
	m.Unused("has_room_q is of both", pieces.Room, again.Room)
	valid := m.Reg("now_valid_q", 1, hdl.ResetTo(0))
	n := next.Data
	turn := hdl.NewRegOf(m, "now", turnOf(n), hdl.NoReset)
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
	if txCrowds(t.c) || t.c.HasFar() {
		m.Drive(t.sent.Out(), goes)
	}
	full := m.Let("full_octets", hdl.Cat(hdl.Const(2, 1), oldest.Header.ZeroExtend(t.lengthBits()-1)))
	cost := m.Let("octets", hdl.Mux(last, oldest.LastOctets, full).ZeroExtend(t.creditBits()))
	rest := m.Let("credit_left", now.Credit.Sub(cost))
	m.Note("Without a stream that waits for a turn nothing is spent.")
	enough := func(name string, credit hdl.Value) hdl.Value {
		sign := t.creditBits() - 1
		return m.Let(name, credit.Bit(sign).Not().And(credit.Slice(sign-1, block.IndexWidth(txEnough(t.c))).Any()))
	}
	suffices := m.Reg("suffices_q", 1, hdl.NoReset)
	isSpent, farEnds := suffices.Not().And(next.Valid), t.endsFar(now, last, following)
	spent := m.Let("is_spent", hdl.AnyOf(append(farEnds, isSpent)...))
	m.Drive(passes.Out(), hdl.AllOf(valid.Value, room, last, retires.Not(), spent.Not()))
	m.Drive(ends.Out(), hdl.AllOf(valid.Value, room, hdl.Mux(retires, comes.Not(), spent)))
	index := m.Let("index_next", now.Index.Plus(1).And(last.Not().Replicate(t.indexBits())))
	m.Note("Where the next segment is, and whether that is the last one of its message. If the stream is stopped, the next one is.")
	lastNext := m.Let("last_next", hdl.Mux(last, following.Last, m.Let("rest_is_last", now.Index.Plus(1).Eq(oldest.Behind))))
	behind := m.Let("place_behind", hdl.Mux(last, behindIt.Value, now.Place))
	begins, goesOn := m.Let("begins_last", n.Last.Or(first.is.Stopped)), m.Let("is_last_then", hdl.Mux(goes, lastNext, last).Or(after.Stopped))
	beginsAll, goesOnAll := m.Let("begins_all", begins.And(first.is.More.Not())), m.Let("is_all_then", goesOn.And(after.More.Not()))
	m.OnClock(
		hdl.If(free.Value, valid.Set(next.Valid), turn.Set(turnOf(n)), suffices.Set(enough("turn_suffices", n.Credit))).
			ElseIf(goes, turn.Set(txTurn{now.Stream, behind, index, hdl.Mux(next.Valid, rest, now.Credit), now.Parity, now.Far}),
				suffices.Set(hdl.Mux(next.Valid, enough("rest_suffices", rest), suffices.Value))),
		isLast.Set(hdl.Mux(free.Value, begins, goesOn)),
		isAll.Set(hdl.Mux(free.Value, beginsAll, goesOnAll)))
	comesAgain, far := m.Let("comes_again", hdl.AllOf(goes, spent, retires.Not())), t.farNext(now, last, following)
	comesBack := again.Drive(comesAgain, txToken{Stream: now.Stream, Place: behind, Index: index,
		Last: lastNext, Credit: t.owed("credit_then", rest, farEnds...), Parity: now.Parity, Far: far})
	m.Note("The token is taken back in the next cycle.")
	m.OnClock(t.gone.is.Set(goes.And(retires)), t.gone.stream.Set(now.Stream), t.gone.parity.Set(now.Parity))
	t.retired.Write(block.Change{When: t.gone.is.Value, Stream: t.gone.stream.Value, Word: t.gone.parity.Value})
	filled := pieces.Drive(goes, txPiece{Stream: now.Stream, Place: now.Place, Index: now.Index, Last: last, LastLength: oldest.LastLength, Far: now.Far})
	t.farGoes(goes, comesAgain, now, far)
	m.OnClock(roomy.Set(filled.Or(comesBack).Not()))
}
