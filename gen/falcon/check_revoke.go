package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// revocationsAhead is the number of packets ahead that can invalidate an R-Key after a packet's lookup and before its decision; the lookup
// sees older invalidations.
const revocationsAhead = checkDecided - checkFound

// revocation says in stage checkDecided that a key which a packet uses has been invalidated since its lookup, and nothing before that is
// wrong with it.
type revocation struct {
	region, key *block.Signal // the region that it accesses; the R-Key in IETH
	rule        *block.Signal // of the former
}

// revoke finds the keys that have been invalidated since their lookup, and invalidates that of an accepted packet, except on a weakly
// ordered QP, where the message is over later.
func (k *check) revoke(names map[spec.Rule]hdl.Value, list []engine.RuleCheck[spec.Rule], accepted func() hdl.Value) (r revocation, invalidate func()) {
	m, is, f := k.m, k.is, k.found
	m.Section("Keys invalidated since their lookup, by a packet 1 or more cycles ahead")
	invalidating := m.Wire("invalidates_key", 1)
	invalidated := []hdl.Value{invalidating.Value} // in the previous cycles, latest first
	var moves hdl.Stmts
	for n := 1; n < revocationsAhead; n++ {
		q := m.Reg(fmt.Sprintf("invalidated_%d_q", n), 1, hdl.ResetTo(0))
		moves = append(moves, q.Set(invalidated[n-1]))
		invalidated = append(invalidated, q.Value)
	}
	m.OnClock(moves)
	word := k.found.word
	const compared = checkFound + 1
	gone := func(name string, index *block.Signal, use hdl.Value) *block.Signal {
		var before []hdl.Value
		var next hdl.Value
		for n := 1; n <= revocationsAhead; n++ {
			same := k.signal(fmt.Sprintf("%s_ahead_%d", name, n), compared, index.At(compared).Eq(word.At(compared+n))).At(checkJudged)
			if n == 1 {
				next = same
				continue
			}
			before = append(before, same.And(invalidated[n-1]))
		}
		went, goes := k.signal(name+"_went_before", checkJudged, hdl.AnyOf(before...)), k.holds(name+"_goes", checkJudged, next)
		used := k.signal(name+"_is_used", checkJudged, use)
		gone := m.Let(name+"_went", went.At(checkDecided).Or(goes.At(checkDecided).And(invalidated[1])))
		return k.signal(name+"_is_gone", checkDecided, used.At(checkDecided).And(gone))
	}
	breaks := func(name string, from, to spec.Rule) hdl.Value { // a rule of these, without the last one
		var any []hdl.Value
		for _, b := range list {
			if b.Rule >= from && b.Rule < to {
				any = append(any, b.Cond)
			}
		}
		return m.Let(name, hdl.AnyOf(any...))
	}
	at := func(v *block.Signal) hdl.Value { return v.At(checkJudged) }
	sends := m.Let("is_push_of_send", at(is.push).And(at(is.send)))
	m.Note("Rules ahead of that of the region: it is the buffer of a Send, the target of a Write or a pull, or the sink of a response.")
	early := hdl.AnyOf(breaks("breaks_before_receive", spec.None, spec.ReceiveBuffer), breaks("breaks_before_region", spec.ReceiveBuffer, spec.RKeyUnknown).And(sends.Not()),
		breaks("breaks_before_sink", spec.RKeyUnknown, spec.SinkBuffer).And(at(is.data)))
	r.region = k.parts.any(k, "uses_gone_region", checkDecided, gone("region", f.index, hdl.AllOf(at(f.reaches), at(k.isPacket), early.Not())).At(checkDecided))
	revokes := k.signal("revokes", checkTaken, hdl.AllOf(is.push.At(checkTaken), is.invalidates.At(checkTaken), is.errs.At(checkTaken).Not()))
	r.key = gone("revoked", word, hdl.AllOf(at(revokes), breaks("breaks_before_key", spec.None, spec.CannotInvalidate).Not()))
	r.rule = k.signal("rule_of_region", checkJudged, hdl.Select(names[spec.RKeyUnknown], hdl.When{Cond: at(is.data), Then: names[spec.SinkBuffer]}, hdl.When{Cond: sends, Then: names[spec.ReceiveBuffer]}))
	k.revokes = revokes
	return r, func() {
		m.Drive(invalidating.Out(), hdl.AllOf(k.pipe.Valid(checkDecided), accepted(), revokes.At(checkDecided), k.set.weak.At(checkDecided).Not()))
		m.Drive(k.p.Invalidate, invalidated[1])
		m.Drive(k.p.InvalidateIndex, word.At(checkDecided+1))
		m.Drive(k.p.Count.Invalidated, invalidated[1])
	}
}
