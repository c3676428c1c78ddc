package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// list is the list of the streams that have something to send. The result is the token of the next turn, with its credit, and the stream
// of the one after it.
func (t *txTurns) list() (next hdl.Sink[txToken], stream hdl.Value) {
	m := t.Module
	m.Section("List of the streams that have something to send")
	again, merged := hdl.NewStream(m, "again", t.token()), hdl.NewStream(m, "token", t.token())
	listed, turn := hdl.NewStream(m, "listed", t.token()), hdl.NewStream(m, "next_turn", t.token())
	t.again = again.Source()
	block.Merge(m, "tokens", t.fresh, again.Sink(), merged.Source())
	buffer := block.NewSkid(m, "upcoming", t.token(), turn.Source())
	if t.c.HasFar() {
		return t.listFar(merged.Sink(), listed, buffer, turn.Sink())
	}
	if !txCrowds(t.c) {
		block.Fifo(m, "turns", max(2, t.c.Streams), merged.Sink(), listed.Source())
		word := t.bring(listed.Sink(), hdl.Zero(1), func(valid hdl.Value) hdl.Value { return valid.Not().Or(buffer.Room) })
		buffer.Drive(word.valid.And(buffer.Room), word.token)
		return turn.Sink(), m.Let("stream_after", buffer.First(word.token).Stream)
	}

	waiting := hdl.NewStream(m, "waiting", t.token())
	block.Fifo(m, "turns", t.c.Streams, waiting.Sink(), listed.Source())
	credited := hdl.NewStream(m, "credited", t.token())
	offer := block.NewOffer(m, "credited", t.token(), credited.Source())
	word := t.bring(listed.Sink(), t.crowded(), func(valid hdl.Value) hdl.Value { return valid.Not().Or(offer.Free) })
	offer.Drive(word.valid, word.token)
	token := credited.Sink()
	m.Note("A stream that still owes passes its turn on, ahead of those that enter the list.")
	owes, other := m.Let("owes", token.Data.Credit.Bit(t.creditBits()-1)), merged.Sink()
	passes := m.Let("passes", token.Valid.And(owes))
	waiting.Source().Drive(m, passes.Or(other.Valid), hdl.Unpack(token.Data, hdl.Mux(passes, hdl.Pack(token.Data), hdl.Pack(other.Data))))
	other.Accept(m, waiting.Source().Ready.And(passes.Not()))
	token.Accept(m, hdl.Mux(owes, waiting.Source().Ready, buffer.Room))
	buffer.Drive(hdl.AllOf(token.Valid, owes.Not(), buffer.Room), token.Data)
	return turn.Sink(), m.Let("stream_after", buffer.First(token.Data).Stream)
}

// crowded is 1 while txCrowd streams or more have something to send, and one of them has sent all that it had among the last txCrowd segments.
func (t *txTurns) crowded() hdl.Value {
	m := t.Module
	count := m.Reg("waiting_streams_q", block.IndexWidth(t.c.Streams)+1, hdl.ResetTo(0))
	is := m.Reg("is_crowded_q", 1, hdl.ResetTo(0))
	emptied, counts := t.emptied()
	more := func(is hdl.Value) hdl.Value { return is.ZeroExtend(count.Width()) }
	m.OnClock(count.Set(count.Add(more(t.begins)).Sub(more(t.gone.is.Value))), counts,
		is.Set(count.Slice(count.Width()-1, block.IndexWidth(txCrowd)).Any().And(emptied)))
	return is.Value
}

// emptied is 1 if one of the last txCrowd segments was all that its stream had. counts is a statement of each cycle.
func (t *txTurns) emptied() (is hdl.Value, counts hdl.Stmt) {
	m := t.Module
	t.sent = m.Wire("one_is_sent", 1)
	since := m.Reg("segments_since_q", block.IndexWidth(txCrowd)+1, hdl.ResetTo(0))
	long := since.Bit(since.Width() - 1)
	t.far.emptied = long.Not()
	return t.far.emptied, hdl.If(t.gone.is.Value, since.Set(hdl.Zero(since.Width()))).ElseIf(t.sent.And(long.Not()), since.Set(since.Plus(1)))
}

// txCredited is a token with the credit of its turn.
type txCredited struct {
	valid hdl.Value
	token txToken
}

// bring gives the first token of the list the credit of a turn. free is 1 if another one may be taken.
func (t *txTurns) bring(listed hdl.Sink[txToken], crowded hdl.Value, free func(valid hdl.Value) hdl.Value) txCredited {
	m, p, c := t.Module, t.p, t.c
	m.Section("Credit of the next turn")
	weights := block.NewContext(m, "weights", hdl.Zero(engine.WeightBits), t.sweep)
	weights.Write(block.Change{When: p.Weight.Valid, Stream: p.Weight.Data.Stream, Word: p.Weight.Data.Weight})
	p.Weight.Accept(m, t.sweep.Done)
	valid, token := m.Reg("weighed_valid_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "weighed", t.token(), hdl.NoReset)
	takes := m.Let("weighed_free", free(valid.Value))
	listed.Accept(m, takes)
	m.OnClock(hdl.If(takes, valid.Set(listed.Valid), token.Set(listed.Data)))
	weight := weights.Read("weight", takes, listed.Data.Stream)
	counts := m.Let("turn_weight", hdl.Cat(weight.Slice(engine.WeightBits-1, 1), weight.Bit(0).Or(weight.IsZero())))
	times := func(octets int) hdl.Value { // a power of two
		return hdl.Cat(counts, hdl.Zero(block.IndexWidth(octets))).ZeroExtend(t.creditBits())
	}
	segment, header := times(c.MaxPayload), times(headerRoom)
	if txCrowds(c) {
		segment = hdl.Mux(crowded, times(c.MaxPayload/txShare), segment)
		header = hdl.Mux(crowded, times(headerRoom/2), header)
	}
	word := token.Q
	word.Credit = m.Let("turn_credit", token.Q.Credit.Add(m.Let("turn_segment", segment)).Add(m.Let("turn_header", header)))
	return txCredited{valid.Value, word}
}
