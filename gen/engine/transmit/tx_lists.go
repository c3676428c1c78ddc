package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// txFresh is how many tokens of streams that had nothing to send wait for their place in the list of streams.
const txFresh = 8

// accept takes messages. If nothing waits, the first segment leaves at once: opens is 1. What is left of the message gets into the list of
// its stream.
func (t *txTurns) accept(room hdl.Value) (first engine.TxCommand, opens hdl.Value) {
	m, p, c := t.Module, t.p, t.c
	fresh := hdl.NewStream(m, "fresh", t.token())
	t.fresh = fresh.Sink()
	tokens := block.NewReserved(m, "fresh_token", txFresh, t.token(), fresh.Source())

	m.Section("Places: those never used, then those that are free again")
	freed, next := hdl.NewStream(m, "freed", t.place()), hdl.NewStream(m, "free", t.place())
	t.freed = freed.Source()
	freed.Sink().Accept(m, hdl.Ones(1))
	block.Roomy(m, "free_places", txPlaces(c), freed.Sink().Valid, freed.Sink().Data, next.Source())
	used := m.Reg("used_q", t.placeBits()+1, hdl.ResetTo(0))
	allUsed := used.Bit(t.placeBits())
	place := m.Let("place", hdl.Mux(allUsed, next.Sink().Data.Place, used.Truncate(t.placeBits())))

	m.Section("Accept a message; its first segment may leave at once")
	idle := m.Reg("idle_q", 1, hdl.ResetTo(1))
	ready := m.Reg("ready_q", 1, hdl.ResetTo(0))
	p.Message.Accept(m, ready.Value)
	a := p.Message.Data
	pb := t.lengthBits() - 1
	upper, lower := a.Length.Slice(31, pb), a.Length.Truncate(pb)
	isOne := m.Let("has_one_segment", upper.Slice(upper.Width()-1, 1).IsZero().And(upper.Bit(0).Not().Or(lower.IsZero())))
	isTwo := m.Let("has_two_segments", hdl.Mux(lower.IsZero(), upper.Is(2), upper.Is(1)))
	takes := m.Let("takes", p.Message.Valid.And(ready.Value))
	t.taken.is, t.taken.stream = takes, a.Stream
	opens = m.Let("opens_message", hdl.AllOf(append([]hdl.Value{takes, idle.Value, room}, t.mayOpen(a)...)...))
	queues := m.Let("is_queued", takes.And(opens.And(isOne).Not()))
	valid := m.Reg("arriving_valid_q", 1, hdl.ResetTo(0))
	reuses := m.Let("reuses_place", valid.And(allUsed))
	next.Sink().Accept(m, reuses)
	m.Unused("counted", next.Sink().Valid)
	m.Note("A message gets its place a cycle after it is taken. Whether there is one for another message is decided a cycle before that arrives.")
	unused := m.Let("has_unused", allUsed.Not().And(used.Slice(t.placeBits()-1, 1).All().Not()))
	count := m.Reg("free_q", t.placeBits()+1, hdl.ResetTo(0))
	wide := func(is hdl.Value) hdl.Value { return is.ZeroExtend(count.Width()) }
	after := m.Let("free_after", count.Add(wide(freed.Sink().Valid)).Sub(wide(reuses)))
	m.OnClock(count.Set(after))
	hasTwo := m.Let("has_two_free", after.Slice(t.placeBits(), 1).Any())
	free := m.Let("has_free", hasTwo.Or(after.Any().And(takes.Not())))
	m.OnClock(ready.Set(hdl.AllOf(t.sweep.Done, tokens.Spare, unused.Or(free))))
	length := m.Let("first_length", hdl.Mux(isOne, a.Length.Truncate(t.lengthBits()), hdl.Const(t.lengthBits(), uint64(c.MaxPayload))))
	beats, ends := t.measureFirst(a, length, isOne)
	first = engine.TxCommand{Stream: a.Stream, Kind: a.Kind, Final: isOne, Number: a.Number, HeaderLength: a.HeaderLength,
		Header: c.Profile.Opens(m, a.Header, isOne), Address: a.Address,
		PayloadLength: length.ZeroExtend(16), Beats: beats, Ends: ends, Tag: a.Tag, Far: engine.FarOf(c, hdl.Zero(1))}
	inside := m.Reg("inside_q", t.placeBits()+2, hdl.ResetTo(0))
	rest := m.Let("inside_if_none", inside.Sub(t.left.ZeroExtend(inside.Width())))
	m.OnClock(
		hdl.If(valid.And(allUsed.Not()), used.Set(used.Plus(1))),
		inside.Set(hdl.Mux(queues, rest.Plus(1), rest)), idle.Set(queues.Not().And(hdl.Mux(t.left.Value, inside.Is(1), inside.IsZero()))))

	m.Section("Put it at the end of the list of its stream; a stream that had nothing to send gets a token")
	begun := m.Reg("arriving_begun_q", 1, hdl.NoReset)
	last, one := m.Reg("arriving_last_q", 1, hdl.NoReset), m.Reg("arriving_is_one_q", 1, hdl.NoReset)
	message := hdl.NewRegOf(m, "arriving", a, hdl.NoReset)
	m.OnClock(valid.Set(queues), message.Set(a), begun.Set(opens), one.Set(isOne),
		last.Set(hdl.Mux(opens, isTwo, isOne)))
	w := message.Q
	t.far.arrives = t.isFar("arriving_is_far", w)
	far := engine.FarOf(c, t.far.arrives)
	t.arriving.is, t.arriving.stream, t.arriving.place = valid.Value, w.Stream, place
	lists := block.NewContext(m, "lists", hdl.Zero(hdl.PackedWidth(t.queue())), t.sweep)
	t.queues = lists.Loop(block.LoopUser{Read: queues, Stream: a.Stream, Deciding: valid.Value, Decided: w.Stream})
	queue := hdl.LetOf(m, "queue", hdl.Unpack(t.queue(), t.queues.Now))
	retired := m.Let("was_retired", hdl.Mux(t.gone.is.And(t.gone.stream.Eq(w.Stream)), t.gone.parity.Value, t.retired.Read("retired", queues, a.Stream)))
	waits := m.Let("stream_waits", queue.Parity.Xor(retired))
	begins := m.Let("begins", valid.And(waits.Not()))
	t.begins = begins
	parity := queue.Parity.Xor(waits.Not())
	t.queues.Decide(hdl.Pack(txQueue{Last: place, Parity: parity}))
	t.next.Write(valid.And(waits), queue.Last, hdl.Pack(txLink{Place: place, Last: one.Value, Far: far}))
	tokens.Drive(queues, valid.And(waits), begins, txToken{Stream: w.Stream, Place: place, Index: begun.ZeroExtend(t.indexBits()), Last: last.Value,
		Credit: hdl.Zero(t.creditBits()), Parity: parity, Far: far})
	t.sizes.Write(valid.Value, place, m.Let("size", hdl.Pack(t.measure(w))))
	t.contents.Write(valid.Value, place, hdl.Pack(txContents{Kind: w.Kind, Number: w.Number, HeaderLength: w.HeaderLength, Header: w.Header, Address: w.Address, Tag: w.Tag}))
	return first, opens
}

// measureFirst measures the first segment, of length octets of payload. With many senders, whose messages are known late, both lengths between
// which is the choice are measured beside it.
func (t *txTurns) measureFirst(a engine.TxMessage, length, isOne hdl.Value) (beats, ends hdl.Value) {
	m, c := t.Module, t.c
	if !engine.Stops(c) {
		return segmentBeats(m, "first", length, a.HeaderLength, c)
	}
	beats, ends = segmentBeats(m, "only", a.Length.Truncate(t.lengthBits()), a.HeaderLength, c)
	full, fullEnds := segmentBeats(m, "first", hdl.Const(t.lengthBits(), uint64(c.MaxPayload)), a.HeaderLength, c)
	return hdl.Mux(isOne, beats, full), hdl.Mux(isOne, ends, fullEnds)
}

// measure counts the segments of a message.
func (t *txTurns) measure(w engine.TxMessage) txSize {
	m, pb := t.Module, t.lengthBits()-1
	upper, lower := w.Length.Slice(31, pb), w.Length.Truncate(pb)
	isFull := m.Let("last_is_full", lower.IsZero().And(upper.Any()))
	last := m.Let("last_length", hdl.Cat(isFull, lower))
	octets := t.lengthBits() + 1
	return txSize{Behind: upper.Sub(isFull.ZeroExtend(t.indexBits())), LastLength: last,
		LastOctets: last.ZeroExtend(octets).Add(w.HeaderLength.ZeroExtend(octets)), Header: w.HeaderLength}
}
