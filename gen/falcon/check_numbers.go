package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// messageSlot is the latest message of a QP that is not strongly ordered, of those that take the same place in the ring of receives.
type messageSlot struct {
	Turn  hdl.Value // RMSN without the bits of the place
	Ended hdl.Value // its last packet has come
	SN    hdl.Value `hdl:"sn"` // of that packet
}

// numbers looks up what numbers may come on a QP that is not strongly ordered. Each of the places of a window expects its next number.
func (k *check) numbers() {
	m, c, is, set, s := k.m, k.c, k.is, k.set, &k.state
	at := func(v *block.Signal) hdl.Value { return v.At(checkNumbered) }
	signal := func(name string, v hdl.Value) *block.Signal { return k.signal(name, checkNumbered, v) }
	m.Section("Windows of numbers: what number of each place comes next")
	w, i, r := block.IndexWidth(k.profile.Window), block.IndexWidth(c.IRD), block.IndexWidth(c.ReceiveDepth)
	place := func(name string, v *block.Signal, bits int) *block.Signal {
		of := hdl.Mux(k.isOpening.At(checkSet), wide(k.number.At(checkSet), bits), v.At(checkSet).Truncate(bits))
		return k.signal(name, checkSet, hdl.Cat(k.stream.At(checkSet), of))
	}
	words := func(name string, proto hdl.Value, bits int, v *block.Signal) block.Stage {
		return block.NewNumbered(m, name, proto, k.stream.At(checkSet).Width()+bits).Stage(k.pipe, checkNumbered-2, place(name+"_place", v, bits))
	}
	sns, pulls := words("next_sn", hdl.Bits(32-w), w, s.sn), words("next_pull", hdl.Bits(32-i), i, s.named)
	slotOf := messageSlot{Turn: hdl.Bits(32 - r), Ended: hdl.Bits(1), SN: hdl.Bits(32)}
	messages := words("message_slot", hdl.Bits(hdl.PackedWidth(slotOf)), r, s.named)
	slot := hdl.LetOf(m, "slot", hdl.Unpack(slotOf, messages.Now))

	m.Section("Numbers that may not come")
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
	s.wrongMessage = signal("has_wrong_rmsn", at(joins).And(hdl.Mux(at(set.strong), otherMessage, later.Bit(later.Width()-1).Or(behindEnd))))

	m.Section("The next numbers behind it")
	m.Note("The first number of place 0 is that of its second turn: numbers begin with 1.")
	known := at(s.forgets).Not()
	first := func(bits, width int) hdl.Value { return wide(at(k.number), bits).IsZero().ZeroExtend(width) }
	next := func(name string, words block.Stage, bits int, comes *block.Signal) {
		words.Decide(m, hdl.Select(words.Now, hdl.When{Cond: at(k.isOpening), Then: first(bits, 32-bits)}, hdl.When{Cond: at(comes).And(known), Then: m.Let("next_"+name, words.Now.Plus(1))}))
	}
	next("sn_turn", sns, w, s.counts)
	next("pull_turn", pulls, i, s.asks)
	fresh := messageSlot{Turn: first(r, 32-r).Minus(1), Ended: hdl.Ones(1), SN: hdl.Zero(32)}
	joined := messageSlot{Turn: turn, Ended: begun.And(slot.Ended).Or(at(is.ends)), SN: hdl.Mux(at(is.ends), at(s.sn), slot.SN)}
	messages.Decide(m, hdl.Select(messages.Now, hdl.When{Cond: at(k.isOpening), Then: hdl.Pack(fresh)}, hdl.When{Cond: hdl.AllOf(at(s.counts), at(joins), known), Then: hdl.Pack(joined)}))
}

// wide is v in so many bits.
func wide(v hdl.Value, bits int) hdl.Value {
	if v.Width() >= bits {
		return v.Truncate(bits)
	}
	return v.ZeroExtend(bits)
}
