package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// takenReceive is a receive of a shared queue that a message takes with this packet, and does not complete at once: on a weakly ordered QP, of
// which parts wait for lower SNs.
type takenReceive struct{ some, place, id *block.Signal }

// takes finds it in an arrival.
func (u *scoreboard) takes(packet hdl.Value) takenReceive {
	in := u.p.Arrival.Data
	return takenReceive{
		some:  u.pipe.Signal("takes_receive", 0, hdl.AllOf(packet, in.Counts, in.Weak, in.Takes)),
		place: u.pipe.Holds("taken_place", 0, in.Part.RMSN.Truncate(u.takenBits())), id: u.pipe.Holds("taken_id", 0, in.Part.receive()),
	}
}

// takenBits is the width of an RMSN modulo the messages of a QP that have a receive.
func (u *scoreboard) takenBits() int { return block.IndexWidth(u.c.ReceiveDepth) }

// flushing is the search for receives to flush, after the end of a weakly ordered QP.
type flushing struct {
	next  hdl.Value     // sequence.Flushed after this turn
	goes  hdl.Value     // turns are needed
	step  *block.Signal // this turn looks at a place
	place *block.Signal // counted from the next RMSN on
}

// flushing goes on with it, in stage turnKnown; a QP is not opened again before it is over. comes is 1 with the end of a QP, drains if nothing of a QP can take effect any more.
func (u *scoreboard) flushing(now sequence, comes, drains hdl.Value) flushing {
	m, bits := u.Module, u.takenBits()
	at := func(s *block.Signal) hdl.Value { return s.At(turnKnown) }
	begins := m.Let("flush_begins", comes.And(at(u.shares)))
	step := m.Let("looks_for_taken", hdl.AllOf(u.pipe.Valid(turnKnown), drains, at(u.steps), at(u.packet).Not(), now.Flushed.Bit(bits).Not()))
	goes := m.Let("flush_goes_on", begins.Or(now.Flushed.Bit(bits).Not()))
	flushes := block.NewContext(m, "is_flushed", hdl.Zero(1), u.sweep)
	stays := u.pipe.Signal("flush_stays", turnKnown, goes.And(at(u.opens).Not())).At(partKnown)
	flushes.Write(block.Change{When: u.pipe.Valid(partKnown), Stream: u.stream.At(partKnown), Word: stays})
	m.Drive(u.p.Flush.Goes, flushes.Read("flush_goes", hdl.Ones(1), u.p.Flush.Stream.Value))
	next := hdl.Select(now.Flushed, hdl.When{Cond: begins, Then: hdl.Zero(bits + 1)}, hdl.When{Cond: step, Then: m.Let("flushed_behind", now.Flushed.Plus(1))})
	return flushing{next: m.Let("flushed_next", next), goes: goes,
		step: u.pipe.Holds("looks_for_taken", turnKnown, step), place: u.pipe.Signal("flush_place", turnKnown, now.Flushed.Truncate(bits))}
}

// flushed is a receive that a message has taken, and that is flushed.
type flushed struct {
	some *block.Signal
	id   hdl.Value // in stage messageDone
}

// flush follows which receives of a QP are taken and not complete, and finds the one to flush, in stage messageKnown; rmsn is that of the open message.
// over says when the receive of that, or one that is flushed, completes: the place of the open message is the first one to be looked at.
func (u *scoreboard) flush(f flushing, rmsn hdl.Value) (found flushed, over func(completes *block.Signal)) {
	m, pipe, n := u.Module, u.pipe, u.c.ReceiveDepth
	at := func(s *block.Signal) hdl.Value { return s.At(messageDone) }
	m.Section("Receives of a shared queue that are taken, by RMSN")
	open := pipe.Signal("place_of_next_receive", messageKnown, rmsn.Truncate(u.takenBits()))
	place := m.Let("place_to_flush", open.At(messageKnown).Add(f.place.At(messageKnown)))
	taken := block.NewContext(m, "taken", hdl.Zero(n), u.sweep).Loop(block.LoopUser{Read: pipe.Valid(messageKnown), Stream: u.stream.At(messageKnown),
		Deciding: pipe.Valid(messageDone), Decided: at(u.stream)})
	ids := m.Memory("taken_ids", at(u.taken.id).Width(), u.c.Streams*n)
	ids.Write(m.Let("keeps_id", pipe.Valid(messageDone).And(at(u.taken.some))), hdl.Cat(at(u.stream), at(u.taken.place)), at(u.taken.id))
	m.Note("After its end a QP takes nothing, and completes nothing but what is flushed; the end is some turns ahead.")
	now := taken.Latest("taken_before", pipe.Valid(partKnown), u.stream.At(partKnown))
	found = flushed{some: pipe.Signal("flushes", messageKnown, f.step.At(messageKnown).And(pick(m, "is_taken", now, place))),
		id: ids.Read("taken_id_q", f.step.At(messageKnown), hdl.Cat(u.stream.At(messageKnown), place), hdl.ReadOld)}
	return found, func(completes *block.Signal) {
		bit := func(name string, place, when *block.Signal) hdl.Value {
			return m.Let(name, hdl.Const(n, 1).ShiftLeft(at(place)).And(at(when).Replicate(n)))
		}
		begun, over := bit("takes_place", u.taken.place, u.taken.some), bit("gives_place", open, completes)
		taken.Decide(taken.Now.Or(begun).And(hdl.AnyOf(over, at(u.opens).Replicate(n)).Not()))
	}
}
