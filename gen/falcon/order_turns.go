package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// sequence is the state of a QP's numbers: of a weakly ordered QP the SNs that count, of others the RMSNs of messages that are over. Each
// number arrives once, less than a span ahead of the first one that has not arrived.
type sequence struct {
	Next    hdl.Value // the first number that has not taken effect; low bits
	Ready   hdl.Value // it has arrived
	Behind  hdl.Value // so has the one after it
	Weak    hdl.Value // numbers are SNs
	Holds   hdl.Value // Atomics have waited in the turn before, or do now
	Given   hdl.Value // toggles, per slot of an Atomic, when the slot is given to one, whether it has to wait or not, and when that one is refused
	Ended   hdl.Value // weakly ordered: 1 bit per turn since the end of the QP, the lowest ones first
	Flushed hdl.Value // places after the end that have been looked at for receives to flush
	Laps    hdl.Value // per number modulo the span: of the next one to arrive, the bit above those of the span
}

// orderParts is how many parts of a QP wait at most: those of a window that is complete, and of the next one, which the peer may begin before
// the walk has gone through the first.
func orderParts(c engine.Config) int { return 2 * profileOf(c).Window }

// orderSpan is how many numbers of a QP may be ahead: SNs, or RMSNs of messages for which a receive is posted (I-72).
func orderSpan(c engine.Config) int {
	return max(orderParts(c), min(c.ReceiveDepth, spec.MessageWindow))
}

// orderNumberBits has room for a number modulo twice the span, and for the messages that are over, as they are counted.
func orderNumberBits(c engine.Config) int {
	return max(block.IndexWidth(orderSpan(c))+1, overBits(c))
}

// countBits is the width of a count of used receives, modulo twice those that may be posted.
func countBits(c engine.Config) int { return block.IndexWidth(c.ReceiveDepth) + 1 }

// atomicSlots is how many Atomics of a QP wait at most: IRD, which the IRRQ has.
func atomicSlots(c engine.Config) int { return max(2, c.IRD) }

func sequenceOf(c engine.Config) sequence {
	bit := hdl.Bits(1)
	return sequence{Next: hdl.Bits(orderNumberBits(c)), Ready: bit, Behind: bit, Weak: bit, Holds: bit, Given: hdl.Bits(atomicSlots(c)), Ended: hdl.Bits(endTurns),
		Flushed: hdl.Bits(countBits(c)), Laps: hdl.Bits(orderSpan(c))}
}

// unusedSequence is that of an opened QP: numbers begin with 1, so 0 modulo the span is in the second lap.
func unusedSequence(c engine.Config) sequence {
	return sequence{Next: hdl.Const(orderNumberBits(c), 1), Ready: hdl.Zero(1), Behind: hdl.Zero(1), Weak: hdl.Zero(1), Holds: hdl.Zero(1), Given: hdl.Zero(atomicSlots(c)),
		Ended: hdl.Zero(endTurns), Flushed: hdl.Const(countBits(c), uint64(c.ReceiveDepth)), Laps: hdl.Const(orderSpan(c), 1)}
}

// turn is what a turn of a QP lets take effect.
type turn struct {
	own      *block.Signal // the part of the packet itself
	stored   *block.Signal // a part that waited
	beyond   *block.Signal // the SN is not among those for which there is room
	slot     *block.Signal // of an Atomic
	refuses  *block.Signal // an Atomic that waits, because its QP has ended
	refused  *block.Signal // its slot
	flush    flushing
	over     *block.Signal // a message of a QP that is not weakly ordered, whose number is the next one
	count    *block.Signal // its number
	next     hdl.Value     // the next number
	released hdl.Wire      // toggles the slots of Atomics that have taken effect; in the next stage
}

// turns decides what takes effect.
func (u *scoreboard) turns() turn {
	m, c, pipe, in := u.Module, u.c, u.pipe, u.p.Arrival.Data
	nb, lap := orderNumberBits(c), block.IndexWidth(orderSpan(c))
	m.Unused("falcon_check has checked the window", in.SN.Slice(31, nb))
	m.Unused("a receive is posted for it", in.Part.RMSN.Slice(31, max(nb, rmsnBits)))
	number := pipe.Signal("number", 0, hdl.Mux(in.Weak, in.SN.Truncate(nb), in.Part.RMSN.Truncate(nb)))
	before, secondBefore := pipe.Signal("number_before", 1, number.At(1).Minus(1)), pipe.Signal("number_but_one_before", 1, number.At(1).Minus(2))
	comes := pipe.Signal("number_comes", 0, u.counts.At(0).And(in.Weak.Or(in.Part.Receives.And(in.Part.Ends))))
	at := func(s *block.Signal) hdl.Value { return s.At(turnKnown) }
	released := m.Wire("released", atomicSlots(c))
	taken := u.slots(released.Value)

	m.Section("Does the next number take effect? It arrives in this turn, or has arrived")
	words := block.NewContext(m, "numbers", hdl.Pack(unusedSequence(c)), u.sweep).Stage(pipe, 0, u.stream)
	now := hdl.LetOf(m, "had", hdl.Unpack(sequenceOf(c), words.Now))
	valid := pipe.Valid(turnKnown)
	m.Note("Whether it is the next number is compared a stage before.")
	goesOn := m.Wire("goes_on", 1)
	ahead := hdl.Select(m.Let("is_same_as_next", number.At(1).Eq(now.Next)), hdl.When{Cond: at(u.opens), Then: number.At(1).Is(1)},
		hdl.When{Cond: goesOn.Value, Then: m.Let("is_behind_next", before.At(1).Eq(now.Next))})
	isNext := m.Let("is_next", at(comes).And(words.Early("is_next_number", ahead, func(word hdl.Value) hdl.Value { return number.At(1).Eq(hdl.Unpack(sequenceOf(c), word).Next) })))
	m.Note("A delivery has one request: that of the packet, or that of an Atomic that waits.")
	steps := m.Let("may_take_stored", at(u.steps).Or(at(u.asks).And(now.Holds.Not())))
	over := now.Ended.Bit(0)
	mayGo := m.Let("may_go_on", hdl.AllOf(now.Ready, over.Not(), now.Weak.Not().Or(steps)))
	if m.Drive(goesOn.Out(), isNext.Or(mayGo)); nb > lap+1 {
		m.Unused("the rest is compared a stage before", at(number).Slice(nb-1, lap+1))
	}
	may := m.Let("may_step", mayGo.And(at(u.opens).Not()))
	advances := m.Let("advances", isNext.Or(may))
	isWeak := m.Let("is_weak", hdl.Mux(at(comes), at(u.weak), now.Weak))
	distance := m.Let("distance", at(number).Truncate(lap+1).Sub(now.Next.Truncate(lap+1)))
	room := block.IndexWidth(orderParts(c))
	m.Unused("only whether there is room matters", distance.Truncate(room))
	m.Note("The number after it is known; the one after that is two places further on, and in the next lap if past the last place.")
	place := m.Let("next_place", now.Next.Truncate(lap))
	laps := now.Laps.Width()
	second := hdl.Cat(now.Laps.Truncate(2), now.Laps.Slice(laps-1, 2))
	hasSecond := m.Let("second_has_come", pick(m, "lap_of_second", second, place).Ne(now.Next.Bit(lap).Xor(place.Slice(lap-1, 1).All())))
	comesSecond := m.Let("second_comes", at(comes).And(at(secondBefore).Eq(now.Next)))
	behind := m.Let("behind_next", now.Behind.Or(at(comes).And(at(before).Eq(now.Next))))

	waiting := m.Let("waiting_atomics", now.Given.Xor(taken))
	free := m.Let("free_slot", block.Lowest(waiting.Not()))
	beyond := m.Let("is_beyond", hdl.AllOf(at(comes), at(u.weak), distance.Slice(lap, room).Any()))
	end := u.ending(now, waiting, beyond)
	ready := m.Let("ready_next", hdl.Mux(advances, behind, hdl.AllOf(now.Ready, at(u.opens).Not(), over.Not())).Or(end.goes))
	m.Note("An opening has no part.")
	given := m.Let("given_next", now.Given.And(at(u.opens).Not().Replicate(free.Width())).Xor(free.And(at(u.waits).Replicate(free.Width()))).Xor(end.refused))
	toggles := hdl.Const(now.Laps.Width(), 1).ShiftLeft(at(number).Truncate(lap)).And(at(comes).Replicate(now.Laps.Width()))
	unused := unusedSequence(c)
	unused.Ready, unused.Given = ready, given
	words.Decide(m, hdl.Mux(at(u.opens), hdl.Pack(unused), hdl.Pack(sequence{Next: hdl.Mux(advances, m.Let("number_behind", now.Next.Plus(1)), now.Next), Ready: ready,
		Behind: m.Let("second_next", hdl.Mux(advances, hasSecond.Or(comesSecond), behind)), Weak: isWeak,
		Holds: at(u.waits).Or(waiting.Any()), Given: given, Ended: end.next, Flushed: end.flush.next, Laps: now.Laps.Xor(m.Let("number_toggles", toggles))})))
	u.tokens(pipe.Signal("ready_after", turnKnown, ready).At(partKnown))
	own := hdl.AllOf(valid, at(u.counts), at(u.weak).Not().Or(isNext.And(over.Not())))
	return turn{own: pipe.Signal("takes_own", turnKnown, own), stored: pipe.Signal("takes_stored", turnKnown, hdl.AllOf(valid, may, isNext.Not(), now.Weak)),
		beyond: pipe.Signal("ends_because_beyond", turnKnown, valid.And(beyond)), refuses: pipe.Holds("refuses_stored", turnKnown, end.refuses), refused: end.slot, flush: end.flush,
		slot:  pipe.Signal("slot", turnKnown, firstClear(m, "free", waiting)),
		over:  pipe.Signal("message_is_over", turnKnown, hdl.AllOf(valid, advances, isWeak.Not())),
		count: pipe.Signal("number_of_over", turnKnown, now.Next.Truncate(overBits(c))), next: now.Next, released: released}
}

// tokens gives a QP of which something may take effect a token, which stays until the last step of a turn finds nothing.
func (u *scoreboard) tokens(ready hdl.Value) {
	m, pipe := u.Module, u.pipe
	m.Section("QPs that have a token")
	at := func(s *block.Signal) hdl.Value { return s.At(partKnown) }
	had := block.NewContext(m, "has_token", hdl.Zero(1), u.sweep).Loop(block.LoopUser{Read: pipe.Valid(turnKnown), Stream: u.stream.At(turnKnown),
		Deciding: pipe.Valid(partKnown), Decided: at(u.stream)})
	had.Decide(hdl.Mux(ready, had.Now.Or(at(u.packet)), had.Now.And(at(u.last).Not())))
	pushes := m.Let("pushes_token", ready.And(at(u.last).Or(at(u.packet).And(had.Now.Not()))))
	u.walk.found(m, pipe.Valid(partKnown).And(ready.Not()), at(u.stream), pipe.Valid(partKnown).And(pushes))
}

// slots counts the slots of Atomics that have taken effect. A free one may count late: the IRRQ has no place for another Atomic so soon.
func (u *scoreboard) slots(released hdl.Value) (freed hdl.Value) {
	m, pipe, none := u.Module, u.pipe, hdl.Zero(atomicSlots(u.c))
	m.Section("Slots of Atomics that wait: they differ in what was given and what is free again")
	opens := pipe.Valid(partKnown).And(u.opens.At(partKnown))
	loop := block.NewContext(m, "freed", none, u.sweep).Loop(block.LoopUser{Read: pipe.Valid(turnKnown), Stream: u.stream.At(turnKnown),
		Deciding: m.Let("changes_freed", opens.Or(released.Any())), Decided: u.stream.At(partKnown)})
	loop.Decide(hdl.Mux(opens, none, loop.Now.Xor(released)))
	return pipe.Holds("freed_slots", 1, loop.Latest("freed_slots", pipe.Valid(0), u.stream.At(0))).At(turnKnown)
}

// pick is the bit of v with an index.
func pick(m *hdl.Module, name string, v, index hdl.Value) hdl.Value {
	for b := index.Width() - 1; b > 0; b-- {
		half := v.Width() / 2
		v = m.Let(fmt.Sprintf("%s_of_%d", name, half), hdl.Mux(index.Bit(b), v.Slice(v.Width()-1, half), v.Truncate(half)))
	}
	return m.Let(name, hdl.Mux(index.Bit(0), v.Bit(1), v.Bit(0)))
}

// firstClear is the number of the lowest bit of v that is 0, if one is.
func firstClear(m *hdl.Module, name string, v hdl.Value) hdl.Value {
	half := v.Width() / 2
	low, high := v.Truncate(half), v.Slice(v.Width()-1, half)
	if half == 1 {
		return m.Let(name+"_number", low)
	}
	above := m.Let(name+"_is_above", low.All())
	return m.Let(name+"_number", hdl.Cat(above, hdl.Mux(above, firstClear(m, name+"_high", high), firstClear(m, name+"_low", low))))
}
