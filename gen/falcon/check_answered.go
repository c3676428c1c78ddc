package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// answeredPulls counts the pulls of a QP whose response has left. Responses leave in any order, so each one counts by itself; those to pulls
// of an earlier life of the QP do not count.
type answeredPulls struct {
	Life  hdl.Value // openings of the QP, modulo the numbers of requests
	Count hdl.Value // modulo the same
}

func answeredPullsOf(c engine.Config) answeredPulls {
	return answeredPulls{hdl.Bits(engine.NumberBits(c)), hdl.Bits(engine.NumberBits(c))}
}

// answers counts them. An opening counts for itself and for all that follow it; a response that leaves in the cycle of the lookup is visible later.
func (k *check) answers() {
	m, p := k.m, k.p
	width := engine.NumberBits(k.c)
	proto := answeredPullsOf(k.c)
	begins := m.Let("life_begins", hdl.AllOf(k.pipe.Valid(checkTaken), k.isOpening.At(checkTaken), k.lastTurn.At(checkTaken), k.opens.At(checkTaken)))
	p.Credit.Accept(m, k.sweep.Done.And(begins.Not()))
	changes := m.Let("answered_changes", begins.Or(p.Credit.Valid.And(k.sweep.Done)))
	stream := m.Let("answered_stream", hdl.Mux(begins, k.stream.At(checkTaken), p.Credit.Data.Stream))
	deciding, opens := m.Reg("answered_deciding_q", 1, hdl.ResetTo(0)), m.Reg("answered_opens_q", 1, hdl.NoReset)
	decided, number := m.Reg("answered_stream_q", stream.Width(), hdl.NoReset), m.Reg("answered_number_q", width, hdl.NoReset)
	m.OnClock(deciding.Set(changes), opens.Set(begins), decided.Set(stream), number.Set(p.Credit.Data.Number))
	counts := block.NewContext(m, "answered", hdl.Zero(hdl.PackedWidth(proto)), k.sweep).Loop(block.LoopUser{Read: changes, Stream: stream, Deciding: deciding.Value, Decided: decided.Value})
	now := hdl.LetOf(m, "had_answered", hdl.Unpack(proto, counts.Now))
	counted := now.Count.Add(m.Let("is_of_this_life", number.Eq(now.Life)).ZeroExtend(width))
	counts.Decide(hdl.Mux(opens.Value, hdl.Pack(answeredPulls{now.Life.Plus(1), hdl.Zero(width)}), hdl.Pack(answeredPulls{now.Life, counted})))
	k.lives = counts
	is := hdl.Unpack(proto, counts.Latest("answered_of_packet", k.pipe.Valid(checkSet), k.stream.At(checkSet)))
	k.answered, k.life = is.Count, is.Life
}
