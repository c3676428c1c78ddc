package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// txPiece is a segment that leaves in a turn.
type txPiece struct {
	Stream     hdl.Value
	Index      hdl.Value // of the segment in its message
	Last       hdl.Value // it is the last one
	LastLength hdl.Value // octets of payload of the last one
}

// turn sends segments of the stream that has its turn: piece, of the message at a place, if goes is 1.
func (t *txTurns) turn(next hdl.Sink[txToken], room hdl.Value) (piece txPiece, at, goes hdl.Value) {
	m, p := t.Module, t.p
	m.Section("The stream that has its turn, and its oldest message")
	again := block.NewSkid(m, "again", t.token(), t.again)
	valid, turn := m.Reg("now_valid_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "now", t.token(), hdl.NoReset)
	ends, passes := m.Wire("turn_ends", 1), m.Wire("message_passes", 1)
	free := m.Let("is_free", valid.Not().Or(ends.Value))
	next.Accept(m, free)
	now, always := turn.Q, hdl.Ones(1)
	begins := m.Reg("begins_q", 1, hdl.NoReset)
	m.OnClock(begins.Set(free))
	behindIt := m.Wire("linked_place", t.placeBits())
	address := m.Let("place_of_turn", hdl.Mux(free, next.Data.Place, hdl.Mux(passes.Value, behindIt.Value, now.Place)))
	following := hdl.LetOf(m, "following", hdl.Unpack(t.link(), t.next.Read("link_q", always, address, hdl.ReadNew)))
	m.Drive(behindIt.Out(), following.Place)
	oldest := hdl.LetOf(m, "oldest", hdl.Unpack(t.size(), t.sizes.Read("size_q", always, address, hdl.ReadOld)))
	m.Note("The state of the stream is read as its turn begins; then registers follow its changes. A message that comes while the list is")
	m.Note("read is not the oldest one: the token has been on its way for longer.")
	arrives := m.Let("more_arrives", t.arriving.is.And(t.arriving.stream.Eq(now.Stream)))
	stored, isLatest := t.queues.Stored("first_list", always, next.Data.Stream)
	latest := hdl.LetOf(m, "latest_list", hdl.Unpack(t.queue(), t.queues.Latest("first_newest", always, next.Data.Stream)))
	m.Unused("the stream has a token", latest.Parity, stored.Bit(0))
	newest := m.Reg("newest_q", t.placeBits(), hdl.NoReset)
	before := hdl.Unpack(t.queue(), stored).Last
	more := m.Let("has_more", hdl.Mux(begins.Value, m.Let("had_more", isLatest.Not().Or(before.Ne(now.Place))), m.Let("got_more", newest.Ne(now.Place))))
	opened, openedStream := m.Reg("opened_q", 1, hdl.ResetTo(0)), m.Reg("opened_stream_q", now.Stream.Width(), hdl.NoReset)
	dropped, droppedStream := m.Reg("dropped_q", 1, hdl.ResetTo(0)), m.Reg("dropped_stream_q", now.Stream.Width(), hdl.NoReset)
	m.OnClock(opened.Set(p.Opened.Value), openedStream.Set(p.OpenedStream.Value), dropped.Set(p.Dropped.Value), droppedStream.Set(p.DroppedStream.Value))
	stopped := block.NewContext(m, "stopped", hdl.Zero(1), t.sweep)
	stopped.Write(block.Change{When: opened.Value, Stream: openedStream.Value}, block.Change{When: dropped.Value, Stream: droppedStream.Value, Word: hdl.Ones(1)})
	stays := m.Reg("stays_stopped_q", 1, hdl.NoReset)
	isStopped := m.Let("is_stopped", hdl.Mux(begins.Value, stopped.Read("first_stopped", always, next.Data.Stream), stays.Value))
	opens, drops := m.Let("is_opened", opened.And(openedStream.Eq(now.Stream))), m.Let("is_dropped", dropped.And(droppedStream.Eq(now.Stream)))
	m.OnClock(
		newest.Set(hdl.Select(newest.Value, hdl.When{Cond: arrives, Then: t.arriving.place}, hdl.When{Cond: begins.Value, Then: latest.Last})),
		stays.Set(opens.Not().And(drops.Or(isStopped))))

	m.Section("Its next segment")
	last := m.Let("is_last", now.Last.Or(isStopped))
	room = m.Let("has_room", room.And(again.Room))
	retires := m.Let("would_retire", last.And(more.Not()))
	goes = m.Let("segment_goes", hdl.AllOf(valid.Value, room, retires.And(arrives).Not()))
	full := m.Let("full_octets", hdl.Cat(hdl.Const(2, 1), oldest.Header.ZeroExtend(t.lengthBits()-1)))
	cost := m.Let("octets", hdl.Mux(last, oldest.LastOctets, full).ZeroExtend(t.creditBits()))
	rest := m.Let("credit_left", now.Credit.Sub(cost))
	m.Note("Without a stream that waits for a turn nothing is spent.")
	sign := t.creditBits() - 1
	suffices := m.Let("suffices", now.Credit.Bit(sign).Not().And(now.Credit.Slice(sign-1, t.lengthBits()-1).Any()))
	spent := m.Let("is_spent", suffices.Not().And(next.Valid))
	m.Drive(passes.Out(), hdl.AllOf(valid.Value, room, last, more, spent.Not()))
	m.Note("Not from segment_goes, which comes later.")
	m.Drive(ends.Out(), hdl.AllOf(valid.Value, room, hdl.Mux(retires, arrives.Not(), spent)))
	index := m.Let("index_next", now.Index.Plus(1).And(last.Not().Replicate(t.indexBits())))
	m.Note("Where the segment behind it is, and whether that is the last one of its message.")
	lastNext := m.Let("last_next", hdl.Mux(last, following.Last, m.Let("rest_is_last", now.Index.Plus(1).Eq(oldest.Behind))))
	behind := m.Let("place_behind", hdl.Mux(last, behindIt.Value, now.Place))
	m.OnClock(
		hdl.If(free, valid.Set(next.Valid), turn.Set(next.Data)).
			ElseIf(goes, turn.Set(txToken{Stream: now.Stream, Place: behind, Index: index, Last: lastNext, Credit: hdl.Mux(next.Valid, rest, now.Credit), Parity: now.Parity})))
	again.Drive(m.Let("comes_again", hdl.AllOf(goes, spent, retires.Not())), txToken{Stream: now.Stream, Place: behind, Index: index, Last: lastNext,
		Credit: rest, Parity: now.Parity})
	m.Note("The place is free, and the token taken back, in the next cycle.")
	leaves, leaving := m.Reg("leaves_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "left", t.place(), hdl.NoReset)
	m.OnClock(
		leaves.Set(goes.And(last)), leaving.Set(txPlace{now.Place}),
		t.gone.is.Set(goes.And(retires)), t.gone.stream.Set(now.Stream), t.gone.parity.Set(now.Parity))
	t.retired.Write(block.Change{When: t.gone.is.Value, Stream: t.gone.stream.Value, Word: t.gone.parity.Value})
	t.freed.Drive(m, leaves.Value, leaving.Q)
	m.Unused("there is room for all places", t.freed.Ready)
	return txPiece{Stream: now.Stream, Index: now.Index, Last: last, LastLength: oldest.LastLength}, now.Place, goes
}
