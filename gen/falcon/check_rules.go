package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// judge lists the conditions of all rules but those of QPs that are closed or in Error. Of the rules that a packet breaks, the one with the
// lowest number counts.
func (k *check) judge() {
	var rows []engine.RuleName[spec.Rule]
	for _, row := range spec.Rules {
		rows = append(rows, engine.RuleName[spec.Rule]{Rule: row.Rule, Name: row.Name})
	}
	k.rules = engine.NewRuleSet(k.pipe, rows)
	request := k.signal("is_request", checkTaken, k.is.push.At(checkTaken).Or(k.is.pull.At(checkTaken)))
	k.judgePlace(request)
	k.judgeMemory()
	k.judgeResponse()
}

// of is a signal that is 1 if all others are.
func (k *check) of(name string, stage int, all ...hdl.Value) *block.Signal {
	return k.signal(name, stage, hdl.AllOf(all...))
}

// judgePlace has the rules of where a request belongs, and of its operation.
func (k *check) judgePlace(request *block.Signal) {
	m, is, set, s := k.m, k.is, k.set, k.state
	m.Section("Rules of requests: where they belong, and of which operation they are")
	checks := k.checks(checkSet)
	k.rules.Add(spec.ShortPacket, request, is.short)
	k.rules.Add(spec.UnknownQP, request, is.beyond)
	k.rules.Add(spec.UnknownQP, request, set.noTarget)
	k.rules.Add(spec.WrongCID, request, set.wrongCID)
	k.rules.Add(spec.WrongVersion, request, k.holds("has_wrong_version", checkSet, checks.WrongVersion))
	k.rules.Add(spec.NoIRRQ, s.noIRRQ)
	k.rules.Add(spec.BehindRNR, request, s.behind)
	k.rules.Add(spec.BadOpcode, request, set.badOpcode)
	k.rules.Add(spec.ShortHeaders, request, k.holds("has_short_headers", checkSet, checks.ShortHeaders))
	ordered := k.signal("has_ordered_sn", checkNumbered, request.At(checkNumbered).And(s.wrongSN.At(checkNumbered)))
	k.rules.Add(spec.SNGap, ordered, k.of("sn_is_later", checkNumbered, s.earlierSN.At(checkNumbered).Not()))
	k.rules.Add(spec.SNRepeated, ordered, s.earlierSN)
	k.rules.Add(spec.BadQKey, is.push, set.badQKey)
	k.rules.Add(spec.OutOfPlace, request, s.outOfPlace)
	k.rules.Add(spec.BadRMSN, s.wrongMessage)
	k.rules.Add(spec.BadRMSN, s.wrongPull)
}

// judgeMemory has the rules of what receives a request, of its length, and of the memory that it names.
func (k *check) judgeMemory() {
	m, is, set, s, f := k.m, k.is, k.set, k.state, k.found
	m.Section("Rules of requests: what receives them, their length, their memory")
	at := func(v *block.Signal) hdl.Value { return v.At(checkCounted) }
	k.rules.Add(spec.UnknownSRQ, is.push, k.shared.noQueue)
	k.rules.Add(spec.NoReceive, s.noReceive)
	names := k.of("names_memory", checkTaken, is.errs.At(checkTaken).Not())
	k.rules.Add(spec.BadPayload, k.signal("is_a_request", checkTaken, is.push.At(checkTaken).Or(is.pull.At(checkTaken))), set.badPayload)
	k.rules.Add(spec.BadLength, is.push, is.write, names, is.mismatch)
	length := k.record.Header.Length
	k.rules.Add(spec.BadLength, is.pull, is.read, k.signal("asks_above_mtu", checkTaken, hdl.Const(32, uint64(k.c.MaxPayload)).Lt(length)))

	m.Note("A Send that is not strongly ordered has parts of one MTU.")
	offset := f.offset
	first := k.signal("has_offset_0", checkSet, offset.At(checkSet).IsZero())
	parts := m.Let("is_multiple", hdl.Mux(at(is.starts), at(first), at(first).Not().And(at(offset).Truncate(block.IndexWidth(k.c.MaxPayload)).IsZero())))
	next := m.Let("is_next_offset", hdl.Mux(at(is.starts), at(first), at(offset).Eq(s.Offset)))
	sends := k.of("sends", checkTaken, is.push.At(checkTaken), is.send.At(checkTaken), is.errs.At(checkTaken).Not())
	k.rules.Add(spec.BadOffset, sends, k.signal("has_bad_offset", checkCounted, hdl.Mux(at(set.strong), next.Not(), at(set.ud).Not().And(parts.Not()))))
	found := func(v *block.Signal) hdl.Value { return v.At(checkFound) }
	base := f.before
	list := f.receive.List.(*engine.ReceiveList)
	receive := k.signal("octets_of_receive", checkFound, hdl.Cat(list.Is.And(list.Huge), f.receive.Length))
	end := k.signal("message_end", checkFound, found(base).ZeroExtend(33).Add(found(is.octets).ZeroExtend(33)))
	k.rules.Add(spec.TooLong, sends, k.signal("ends_behind_receive", checkFound+1, receive.At(checkFound+1).Lt(end.At(checkFound+1))))
	k.rules.Add(spec.ReceiveBuffer, sends, f.refused)
	remote := k.signal("names_region", checkTaken, hdl.AllOf(is.pull.At(checkTaken).Or(is.push.At(checkTaken).And(is.write.At(checkTaken))), is.errs.At(checkTaken).Not()))
	k.rules.Add(spec.RKeyUnknown, remote, f.STag)
	k.rules.Add(spec.RKeyOwner, remote, f.Association)
	k.rules.Add(spec.RKeyRight, remote, f.Access)
	k.rules.Add(spec.VAWrap, remote, f.Wrap)
	k.rules.Add(spec.OutOfBounds, remote, f.Bounds)
	k.rules.Add(spec.Misaligned, is.pull, is.atomic, k.signal("is_misaligned", checkLooked+1, f.Address.At(checkLooked+1).Truncate(3).Any()))

	row := hdl.LetOf(m, "revoked", hdl.Unpack(engine.STagEntryOf(k.c), f.revoked))
	m.Unused("an invalidation accesses no memory", row.Rights.LocalRead, row.Rights.LocalWrite, row.Rights.RemoteRead, row.Rights.RemoteWrite,
		row.Rights.RemoteAtomic, row.Base, row.Length, row.Address)
	word := k.holds("revoked_key", checkTaken, k.record.Header.Word.Truncate(8)).At(checkLooked)
	bad := memory.STagCheck(row, word, k.stream.At(checkLooked), k.holds("owner", checkCounted, s.Domain).At(checkLooked))
	k.rules.Add(spec.CannotInvalidate, sends, is.invalidates, k.signal("cannot_be_invalidated", checkLooked, hdl.AnyOf(bad.STag, bad.Association, row.Rights.Invalidate.Not())))
}

// judgeResponse has the rules of responses.
func (k *check) judgeResponse() {
	m, is, f := k.m, k.is, &k.found
	m.Section("Rules of responses. CE counts before the opcode and the headers (I-108)")
	at := func(v *block.Signal) hdl.Value { return v.At(checkFound) }
	checks, h := k.checks(checkFound), k.record.Header
	sn, ce := k.holds("response_sn", checkTaken, h.SN), k.holds("response_ce", checkTaken, h.CE)
	m.Note("The pull, which CID and RSN select, is over, whatever QP the response names (I-118).")
	mine := m.Let("is_of_qp", f.asked.Stream.Eq(at(k.stream)).And(at(is.beyond).Not()))
	k.rules.Add(spec.NotOutstanding, is.data, k.signal("is_not_outstanding", checkFound, f.asked.Open.And(f.asked.Pull).Not()))
	wrong := k.signal("is_of_another", checkFound, hdl.AnyOf(checks.WrongVersion, at(sn).Ne(f.asked.SN), mine.Not()))
	kind := k.signal("is_other_response", checkFound, hdl.AnyOf(checks.BadOpcode, at(k.set.otherService), hdl.Mux(f.asked.Atomic, at(is.atomic), at(is.read)).Not()))
	readable := m.Let("is_readable", hdl.AllOf(checks.ShortPacket.Not(), at(wrong).Not(), at(ce).Not()))
	k.rules.Add(spec.ResponseShort, is.data, k.signal("response_is_short", checkFound, checks.ShortPacket.Or(hdl.AllOf(readable, at(kind).Not(), checks.ShortHeaders))))
	k.rules.Add(spec.ResponseWrong, is.data, k.signal("response_is_wrong", checkFound, at(wrong).Or(at(ce).Not().And(at(kind)))))
	k.rules.Add(spec.ResponseCE, is.data, k.of("response_has_ce", checkFound, at(ce)))
	sink, key := k.holds("response_va", checkTaken, h.SinkVA), k.holds("response_key", checkTaken, h.LKey)
	k.rules.Add(spec.ResponseSink, is.data, k.signal("has_other_sink", checkFound, at(sink).Ne(f.asked.SinkVA).Or(at(key).Ne(f.asked.LKey))))
	k.rules.Add(spec.ResponseLength, is.data, k.signal("has_other_length", checkFound, checks.BadPayload.Or(at(is.octets).Ne(f.asked.Length))))
	k.rules.Add(spec.SinkBuffer, is.data, f.Any)
}
