package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// endTurns is for how many turns of its QP after the end waiting Atomics are refused: then each slot of one that had its turn before is known
// to be free.
const endTurns = 3

// ending is the end of a weakly ordered QP: no number has its turn any more, and Atomics that wait are refused, one in a turn.
type ending struct {
	next    hdl.Value     // sequence.Ended after this turn
	goes    hdl.Value     // turns are needed
	refuses hdl.Value     // an Atomic that waits
	refused hdl.Value     // its slot, 1 bit per slot
	slot    *block.Signal // its number
	flush   flushing
}

// ending says what becomes of Atomics that wait. It is in stage turnKnown. beyond is 1 if this packet's SN ends the QP.
func (u *scoreboard) ending(now sequence, waiting, beyond hdl.Value) ending {
	m, pipe := u.Module, u.pipe
	at := func(s *block.Signal) hdl.Value { return s.At(turnKnown) }
	m.Section("The end of a QP: each Atomic that waits has been acknowledged, and so is refused")
	comes := m.Let("end_comes", at(u.ends).And(now.Weak))
	over, drains := now.Ended.Bit(0), now.Ended.Bit(endTurns-1)
	m.Note("What is refused gives its slot back at once. A delivery has one request.")
	refuses := m.Let("refuses_stored", hdl.AllOf(pipe.Valid(turnKnown), drains, at(u.steps), waiting.Any()))
	refused := m.Let("refused_slot", block.Lowest(waiting).And(drains.And(at(u.steps)).Replicate(waiting.Width())))
	m.Note("One that arrives in this turn has a token from the next arrival on: the end, if there is no other. The end counts the turns anew.")
	flush := u.flushing(now, comes, drains)
	goes := m.Let("end_goes_on", hdl.AllOf(over.Or(comes), now.Holds.Or(flush.goes), at(u.opens).Not()))
	return ending{flush: flush, goes: goes, refuses: refuses, refused: refused,
		next: m.Let("ended_next", hdl.Cat(now.Ended.Truncate(endTurns-1).And(comes.Not().Replicate(endTurns-1)), hdl.AnyOf(over, comes, beyond))),
		slot: pipe.Holds("refused_number", turnKnown, firstClear(m, "refused", waiting.Not()))}
}
