package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// messageSlot is the latest message of a QP that takes a receive, of those that take the same place in the ring of receives.
type messageSlot struct {
	Turn    hdl.Value // RMSN without the bits of the place
	Unknown hdl.Value // its shared queue is unknown (I-119)
	Ended   hdl.Value // its last packet has arrived
	SN      hdl.Value `hdl:"sn"` // of that packet
}

func messageSlotOf(c engine.Config) messageSlot {
	return messageSlot{Turn: hdl.Bits(32 - block.IndexWidth(c.ReceiveDepth)), Unknown: hdl.Bits(1), Ended: hdl.Bits(1), SN: hdl.Bits(32)}
}

// numbers looks up which numbers are allowed on a QP that is not strongly ordered. Each of the places of a window expects its next number.
func (k *check) numbers() {
	m, c, is, set, s := k.m, k.c, k.is, k.set, &k.state
	at := func(v *block.Signal) hdl.Value { return v.At(checkNumbered) }
	signal := func(name string, v hdl.Value) *block.Signal { return k.signal(name, checkNumbered, v) }
	m.Section("Windows of numbers: the next number of each place")
	w, i, r := block.IndexWidth(k.profile.Window), block.IndexWidth(c.IRD), block.IndexWidth(c.ReceiveDepth)
	place := func(name string, v *block.Signal, bits int) *block.Signal {
		of := hdl.Mux(k.isOpening.At(checkSet), wide(k.number.At(checkSet), bits), v.At(checkSet).Truncate(bits))
		return k.signal(name, checkSet, hdl.Cat(k.stream.At(checkSet), of))
	}
	words := func(name string, proto hdl.Value, bits int, v *block.Signal) block.Stage {
		return block.NewNumbered(m, name, proto, k.stream.At(checkSet).Width()+bits).Stage(k.pipe, checkNumbered-2, place(name+"_place", v, bits))
	}
	sns, pulls := words("next_sn", hdl.Bits(32-w), w, s.sn), words("next_pull", hdl.Bits(32-i), i, s.named)
	slot := hdl.LetOf(m, "slot_of_message", hdl.Unpack(messageSlotOf(c), k.holds("slot", checkCounted, k.messages.Now).At(checkNumbered)))
	m.Unused("it counts a stage before", slot.Unknown)

	m.Section("Numbers that are not allowed")
	joins := k.signal("is_of_received_message", checkSet, hdl.AllOf(is.push.At(checkSet), is.receives.At(checkSet), set.ud.At(checkSet).Not()))
	low := min(i, r)
	turns := k.holds("rmsn_turns", checkCounted, s.named.At(checkCounted).Slice(31, low))
	turnOf := func(bits int) hdl.Value { return at(turns).Slice(31-low, bits-low) }
	snTurn, turn := at(s.sn).Slice(31, w), turnOf(r)
	later := m.Let("turns_ahead", turn.Sub(slot.Turn))
	begun := m.Let("is_begun", later.IsZero())
	ordered := func(name string, v hdl.Value) hdl.Value { return k.signal(name, checkCounted, v).At(checkNumbered) }
	inOrder := func(v *block.Signal) hdl.Value { return v.At(checkCounted) }
	other := ordered("is_other_sn", inOrder(s.isNext).Not())
	s.wrongSN = signal("has_wrong_sn", hdl.Mux(at(set.strong), other, at(set.weak).And(snTurn.Ne(sns.Now))))
	before := ordered("is_before_next_sn", inOrder(s.sn).Sub(s.SN).Bit(31))
	s.earlierSN = signal("has_earlier_sn", hdl.Mux(at(set.strong), before, snTurn.Sub(sns.Now).Bit(31-w)))
	otherPull, otherMessage := ordered("is_other_pull", inOrder(s.named).Ne(s.Pull)), ordered("is_other_message", inOrder(s.named).Ne(s.RMSN))
	wrong := hdl.Mux(at(set.strong), otherPull, turnOf(i).Ne(pulls.Now))
	if c.IRD == 1 { // a table has 2 places or more
		wrong = otherPull
	}
	s.wrongPull = signal("has_wrong_pull_rmsn", at(is.pull).And(wrong))
	behindEnd := m.Let("is_behind_end", hdl.AllOf(begun, slot.Ended, hdl.AnyOf(at(set.weak).Not(), at(is.ends), slot.SN.Sub(at(s.sn)).Bit(31))))
	beyond := m.Let("is_beyond_window", at(k.shared.shares).And(beyondMessages(m, c, later, slot.Ended)))
	s.wrongMessage = signal("has_wrong_rmsn", at(joins).And(hdl.Mux(at(set.strong), otherMessage, hdl.AnyOf(later.Bit(later.Width()-1), behindEnd, beyond))))

	m.Section("The next numbers after it")
	m.Note("The first number of place 0 is that of its second turn: numbers begin with 1.")
	known := at(s.forgets).Not()
	forgotten := k.holds("forgotten_number", checkCounted, wide(inOrder(k.number), max(w, i)))
	first := func(bits, width int) hdl.Value { return wide(at(forgotten), bits).IsZero().ZeroExtend(width) }
	next := func(name string, words block.Stage, bits int, comes *block.Signal) {
		words.Decide(m, hdl.Select(words.Now, hdl.When{Cond: at(k.isOpening), Then: first(bits, 32-bits)}, hdl.When{Cond: at(comes).And(known), Then: m.Let("next_"+name, words.Now.Plus(1))}))
	}
	next("sn_turn", sns, w, s.counts)
	next("pull_turn", pulls, i, s.asks)
	k.joinMessage(joins, wide(inOrder(k.number), r).IsZero().ZeroExtend(32-r).Minus(1))
}

// joinMessage adds a packet to its message, in stage checkCounted. turn is that of a message whose place is forgotten.
func (k *check) joinMessage(joins *block.Signal, turn hdl.Value) {
	m, is, s := k.m, k.is, &k.state
	at := func(v *block.Signal) hdl.Value { return v.At(checkCounted) }
	fresh := messageSlot{Turn: turn, Ended: hdl.Ones(1), SN: hdl.Zero(32), Unknown: hdl.Zero(1)}
	joined := messageSlot{Turn: at(s.named).Slice(31, 32-turn.Width()), Ended: k.begun.And(k.slot.Ended).Or(at(is.ends)), SN: hdl.Mux(at(is.ends), at(s.sn), k.slot.SN), Unknown: at(k.shared.noQueue)}
	m.Note("It counts unless it gets RNR, which of a push has two causes.")
	may := k.signal("may_join_message", checkSet, hdl.AllOf(joins.At(checkSet), k.set.addressed.At(checkSet)))
	m.Drive(k.joins.Out(), hdl.AllOf(at(may), at(s.behind).Not(), at(s.lacks).Not(), at(s.forgets).Not()))
	k.messages.Decide(m, hdl.Select(k.messages.Now, hdl.When{Cond: at(k.isOpening), Then: hdl.Pack(fresh)}, hdl.When{Cond: k.joins.Value, Then: hdl.Pack(joined)}))
}

// beyondMessages is 1 if a message is 256 or more ahead of one that is not over, whose place it has in one of the next turns (I-72).
func beyondMessages(m *hdl.Module, c engine.Config, turns, ended hdl.Value) hdl.Value {
	low := block.IndexWidth(max(1, spec.MessageWindow/c.ReceiveDepth))
	if c.ReceiveDepth >= spec.MessageWindow {
		low = 0
	}
	high := turns.Slice(turns.Width()-1, low)
	rest := high.Slice(high.Width()-1, 1).Any()
	if low > 0 {
		rest = rest.Or(high.Bit(0).And(turns.Truncate(low).Any()))
	}
	return hdl.Mux(ended, m.Let("is_beyond_next_turns", rest), high.Any())
}

// wide is v in so many bits.
func wide(v hdl.Value, bits int) hdl.Value {
	if v.Width() >= bits {
		return v.Truncate(bits)
	}
	return v.ZeroExtend(bits)
}
