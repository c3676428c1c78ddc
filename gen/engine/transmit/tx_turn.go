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
	m.Note("What is read of the next stream, of the next message and of this one: which of them it is is known a cycle later.")
	begins, passed := m.Reg("begins_q", 1, hdl.NoReset), m.Reg("passed_q", 1, hdl.NoReset)
	m.OnClock(begins.Set(free), passed.Set(passes.Value))
	link := m.Wire("following_link", hdl.PackedWidth(t.link()))
	following := hdl.LetOf(m, "following", hdl.Unpack(t.link(), link.Value))
	oneOf := func(name string, from *hdl.Memory, mode hdl.Collision) hdl.Value {
		read := func(of string, place hdl.Value) hdl.Value { return from.Read(of+"_"+name+"_q", always, place, mode) }
		return hdl.Mux(begins.Value, read("first", next.Data.Place), hdl.Mux(passed.Value, read("second", following.Place), read("same", now.Place)))
	}
	m.Drive(link.Out(), m.Let("link", oneOf("link", t.next, hdl.ReadNew)))
	oldest := hdl.LetOf(m, "oldest", hdl.Unpack(t.size(), m.Let("size_of_turn", oneOf("size", t.sizes, hdl.ReadOld))))
	either := func(name string, read func(name string, enable, stream hdl.Value) hdl.Value) hdl.Value {
		return m.Let(name, hdl.Mux(begins.Value, read("next_"+name, always, next.Data.Stream), read("now_"+name, always, now.Stream)))
	}
	more := either("has_more", func(name string, enable, stream hdl.Value) hdl.Value {
		queue := hdl.LetOf(m, name+"_of", hdl.Unpack(t.queue(), t.queues.Latest(name, enable, stream)))
		m.Unused("the stream has a token", queue.Parity)
		return m.Let(name, queue.Last.Ne(now.Place))
	})
	stopped := block.NewContext(m, "stopped", hdl.Zero(1), t.sweep)
	stopped.Write(block.Change{When: p.Opened.Value, Stream: p.OpenedStream.Value}, block.Change{When: p.Dropped.Value, Stream: p.DroppedStream.Value, Word: hdl.Ones(1)})
	isStopped := either("is_stopped", stopped.Read)

	m.Section("Its next segment")
	last := m.Let("is_last", now.Last.Or(isStopped))
	arrives := m.Let("more_arrives", t.arriving.is.And(t.arriving.stream.Eq(now.Stream)))
	goes = m.Let("segment_goes", hdl.AllOf(valid.Value, room, again.Room, hdl.AllOf(last, more.Not(), arrives).Not()))
	full := m.Let("full_octets", hdl.Cat(hdl.Const(2, 1), oldest.Header.ZeroExtend(t.lengthBits()-1)))
	cost := m.Let("octets", hdl.Mux(last, oldest.LastOctets, full).ZeroExtend(t.creditBits()))
	rest := m.Let("credit_left", now.Credit.Sub(cost))
	m.Note("Without a stream that waits for a turn nothing is spent.")
	sign := t.creditBits() - 1
	suffices := m.Let("suffices", now.Credit.Bit(sign).Not().And(now.Credit.Slice(sign-1, t.lengthBits()-1).Any()))
	spent := m.Let("is_spent", suffices.Not().And(next.Valid))
	stays := m.Let("message_stays", last.Not())
	has := m.Let("stream_has_more", stays.Or(more))
	m.Drive(passes.Out(), hdl.AllOf(goes, last, more, spent.Not()))
	m.Drive(ends.Out(), goes.And(spent.Or(has.Not())))
	index := m.Let("index_next", now.Index.Plus(1).And(stays.Replicate(t.indexBits())))
	m.Note("Where the segment behind it is, and whether that is the last one of its message.")
	lastNext := m.Let("last_next", hdl.Mux(last, following.Last, m.Let("rest_is_last", now.Index.Plus(1).Eq(oldest.Behind))))
	behind := m.Let("place_behind", hdl.Mux(last, following.Place, now.Place))
	m.OnClock(
		hdl.If(free, valid.Set(next.Valid), turn.Set(next.Data)).
			ElseIf(goes, turn.Set(txToken{Stream: now.Stream, Place: behind, Index: index, Last: lastNext, Credit: hdl.Mux(next.Valid, rest, now.Credit), Parity: now.Parity})))
	again.Drive(m.Let("comes_again", hdl.AllOf(goes, spent, has)), txToken{Stream: now.Stream, Place: behind, Index: index, Last: lastNext,
		Credit: rest, Parity: now.Parity})
	t.retired.Write(block.Change{When: m.Let("retires", goes.And(has.Not())), Stream: now.Stream, Word: now.Parity})
	t.freed.Drive(m, goes.And(last), txPlace{now.Place})
	m.Unused("there is room for all places", t.freed.Ready)
	return txPiece{Stream: now.Stream, Index: now.Index, Last: last, LastLength: oldest.LastLength}, now.Place, goes
}
