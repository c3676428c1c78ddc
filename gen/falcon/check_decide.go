package falcon

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// qpLife is the state of a QP that depends on what has been decided on: one word of another memory.
type qpLife struct {
	Open   hdl.Value // packets are accepted
	Failed hdl.Value // it is in Error
	Lost   hdl.Value // strongly ordered: a packet of the latest Send was refused
}

func qpLifeOf() qpLife { return qpLife{hdl.Bits(1), hdl.Bits(1), hdl.Bits(1)} }

// checkVerdict is what is decided on a packet, in stage checkDecided unless stated otherwise.
type checkVerdict struct {
	rule, class       *block.Signal // the first broken rule, and the number of its class
	accepted, refused *block.Signal
	applies           *block.Signal // a packet that counts, of a QP that is open or in Error
	places            *block.Signal // its payload is placed
	place             *block.Signal // number of the QP's latest placement
	ends              *block.Signal // a failure that moves the QP to Error
	some              *block.Signal // it has payload
	issued            hdl.Value
}

// classBits is the width of the number of a class of rules.
const classBits = 4

// brokenRule is the first broken rule of a list and its class.
type brokenRule struct {
	rule, class, some *block.Signal
	ends              *block.Signal // it moves the QP to Error
}

// firstBroken is that of the list, in stage checkJudged.
func (k *check) firstBroken(name string, names map[spec.Rule]hdl.Value, list []engine.RuleCheck[spec.Rule]) brokenRule {
	var rules, classes, ends []hdl.When
	var conds []hdl.Value
	ending := func(rule spec.Rule) hdl.Value { // what ends the QP in complete-in-error mode ends it in the other mode too
		switch class := rule.Row().Class; {
		case class.Consequence(spec.CompleteInError).Error:
			return hdl.Ones(1)
		case class.Consequence(spec.Verbs).Error:
			return k.set.completes.At(checkJudged).Not()
		}
		return hdl.Zero(1)
	}
	for _, b := range list {
		rules = append(rules, hdl.When{Cond: b.Cond, Then: names[b.Rule]})
		classes = append(classes, hdl.When{Cond: b.Cond, Then: hdl.Const(classBits, uint64(b.Rule.Row().Class))})
		ends = append(ends, hdl.When{Cond: b.Cond, Then: ending(b.Rule)})
		conds = append(conds, b.Cond)
	}
	return brokenRule{ends: k.signal(name+"_ends", checkJudged, hdl.Select(hdl.Zero(1), ends...)), rule: k.signal(name+"_rule", checkJudged, hdl.Select(hdl.Zero(spec.RuleBits), rules...)),
		class: k.signal(name+"_class", checkJudged, hdl.Select(hdl.Zero(classBits), classes...)), some: k.signal(name+"_breaks", checkJudged, hdl.AnyOf(conds...))}
}

// nameRules declares the rules that a packet can break.
func (k *check) nameRules() map[spec.Rule]hdl.Value {
	names := map[spec.Rule]hdl.Value{}
	for _, row := range spec.Rules[1:] {
		if row.Rule != spec.Incomplete {
			names[row.Rule] = k.m.Constant(strings.ToUpper("rule_"+row.Name), spec.RuleBits, uint64(row.Rule), row.Section+": "+row.Text)
		}
	}
	return names
}

// decide decides on a packet from its broken rules and from the life of its QP.
func (k *check) decide() {
	m, is, set := k.m, k.is, k.set
	at := func(v *block.Signal) hdl.Value { return v.At(checkDecided) }
	signal := func(name string, v hdl.Value) *block.Signal { return k.signal(name, checkDecided, v) }
	m.Section("First broken rule")
	names := k.nameRules()
	list := k.rules.List(checkJudged)
	m.Note("The list is halved; a rule of the first half has priority.")
	half := len(list) / 2
	high, low := k.firstBroken("high", names, list[:half]), k.firstBroken("low", names, list[half:])
	rule := k.signal("first_rule", checkDecided, hdl.Mux(at(high.some), at(high.rule), at(low.rule)))
	class := k.signal("first_class", checkDecided, hdl.Mux(at(high.some), at(high.class), at(low.class)))
	ends := m.Let("rule_ends_qp", hdl.Mux(at(high.some), at(high.ends), at(low.ends)))
	mayFail := k.signal("may_fail", checkJudged, hdl.AllOf(is.push.At(checkJudged).Or(is.pull.At(checkJudged)), set.ud.At(checkJudged).Not()))
	broken := k.signal("breaks_rule", checkJudged, high.some.At(checkJudged).Or(low.some.At(checkJudged)))
	var before []hdl.Value // rules that count even if the QP is closed, or in Error
	for _, b := range list {
		if b.Rule < spec.QPInError || b.Rule == spec.BehindRNR {
			before = append(before, b.Cond)
		}
	}
	early := k.signal("breaks_early_rule", checkJudged, hdl.AnyOf(before...))
	short := k.signal("is_short_request", checkJudged, is.short.At(checkJudged).And(is.data.At(checkJudged).Not()))

	v := &k.verdict
	var lost hdl.Value // an earlier packet of the same Send was refused
	gone, invalidate := k.revoke(names, list, func() hdl.Value { return at(v.accepted).And(lost.Not()) })

	m.Section("Decide")
	context := block.NewContext(m, "qp_life", hdl.Zero(hdl.PackedWidth(qpLifeOf())), k.sweep).Stage(k.pipe, checkDecided-2, k.stream)
	now := hdl.LetOf(m, "life", hdl.Unpack(qpLifeOf(), context.Now))
	request := at(is.push).Or(at(is.pull))
	code := func(rule spec.Rule) hdl.Value { return hdl.Const(classBits, uint64(rule.Row().Class)) }
	closed := m.Let("is_closed", hdl.AllOf(request, now.Open.Not(), now.Failed.Not(), at(short).Not()))
	inError := m.Let("is_in_error_qp", hdl.AllOf(request, now.Failed, at(early).Not()))
	idle := m.Let("has_no_pulls", hdl.AllOf(at(is.data), now.Open.Not(), at(broken).Not()))
	isGone := m.Let("uses_invalid_key", at(gone.region).Or(at(gone.key)))
	wrong := m.Let("is_wrong", at(broken).Or(isGone))
	firstRule := m.Let("broken_rule", hdl.Select(at(rule), hdl.When{Cond: at(gone.region), Then: at(gone.rule)}, hdl.When{Cond: at(gone.key), Then: names[spec.CannotInvalidate]}))
	firstCode := m.Let("broken_class", hdl.Mux(isGone, hdl.Mux(at(is.data), code(spec.SinkBuffer), code(spec.RKeyUnknown)), at(class)))
	choose := func(found hdl.Value, of func(spec.Rule) hdl.Value) hdl.Value {
		return hdl.Select(found, hdl.When{Cond: closed, Then: of(spec.UnknownQP)}, hdl.When{Cond: inError, Then: of(spec.QPInError)}, hdl.When{Cond: idle, Then: of(spec.NotOutstanding)})
	}
	v.rule = signal("rule", choose(firstRule, func(r spec.Rule) hdl.Value { return names[r] }))
	v.class = signal("rule_class", choose(firstCode, code))
	isBroken := m.Let("is_refused_packet", hdl.AnyOf(wrong, closed, inError, idle))
	v.applies = signal("takes_effect_of_open", hdl.AllOf(at(k.isPacket), at(k.state.counts), closed.Not()))
	v.accepted = signal("is_accepted", at(k.isPacket).And(isBroken.Not()))
	v.refused = signal("is_refused", at(k.isPacket).And(isBroken))
	m.Note("A packet moves its QP to Error if it is in error, or if its error is fatal; those of a datagram, and responses, do not.")
	fails := signal("fails_qp", hdl.AllOf(at(mayFail), now.Open, hdl.Mux(isGone, at(set.completes).Not(), ends)))
	v.ends = signal("reports_error", at(k.isFailure).And(now.Open.Or(at(k.again))))
	v.some = k.signal("has_payload", checkTaken, k.record.HasPayload.And(k.isPacket.At(checkTaken)))
	word := k.of("places_word", checkJudged, is.data.At(checkJudged), is.atomic.At(checkJudged))
	v.places = signal("places", at(v.accepted).And(hdl.AnyOf(at(word), hdl.AllOf(at(v.some), at(is.errs).Not(), at(is.octets).Any()))))
	k.word = word
	opening := at(k.isOpening)
	failed := m.Let("goes_to_error", hdl.AnyOf(at(fails), at(k.isFailure).And(now.Open)))
	lost = m.Let("is_of_lost_send", now.Lost.And(at(is.starts).Not()))
	part := m.Let("is_part_of_send", hdl.AllOf(at(is.push), at(is.send), at(k.state.counts)))
	context.Decide(m, hdl.Pack(qpLife{Open: hdl.Mux(opening, at(k.opens).And(at(k.lastTurn)), now.Open.And(failed.Not())),
		Failed: opening.Not().And(now.Failed.Or(failed)), Lost: opening.Not().And(hdl.Mux(part, lost.Or(isBroken), now.Lost))}))

	m.Section("Number of the QP's latest placement")
	behind := checkDecided + 1
	numbers := block.NewContext(m, "qp_place", hdl.Zero(engine.PlacementBits), k.sweep).Stage(k.pipe, behind-2, k.stream)
	issued := m.Reg("issued_q", engine.PlacementBits, hdl.ResetTo(0))
	next := m.Let("next_place", issued.Plus(1))
	v.place = k.signal("place_number", behind, hdl.Mux(v.places.At(behind), next, numbers.Now))
	numbers.Decide(m, v.place.At(behind).And(k.isOpening.At(behind).Not().Replicate(engine.PlacementBits)))
	m.OnClock(hdl.If(k.pipe.Valid(behind).And(v.places.At(behind)), issued.Set(next)))
	v.issued = issued.Value
	m.Drive(k.p.Issued, issued.Value)

	m.Section("A QP that a packet has moved to Error enters again; there is room, since it does so once")
	k.failed.Drive(m, m.Let("reports_failed", k.pipe.Valid(checkDecided+1).And(fails.At(checkDecided+1))), qpFailed{k.stream.At(checkDecided + 1), v.rule.At(checkDecided + 1)})
	m.Unused("each QP fails once", k.failed.Ready)
	invalidate()
	k.useReceives(m.Let("opening_is_entered", hdl.AllOf(k.pipe.Valid(checkDecided), opening, at(k.lastTurn))))
}
