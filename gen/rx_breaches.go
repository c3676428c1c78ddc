package gen

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxKnown is what rx_check has looked up for a segment.
type rxKnown struct {
	request  RingEntry // oldest receive request
	empty    hdl.Value // there is none
	awaited  Expected  // oldest answer that is awaited
	none     hdl.Value // there is none
	missing  hdl.Value // octets of it that have not come
	answered hdl.Value // MSN of the peer's latest request that was answered
	region   regionFaults
	stag, to hdl.Value
}

// rxBreaches lists what can be wrong with a segment, in the order of the checks.
func rxBreaches(m *hdl.Module, p RxCheckPorts, c Config, s rxSegment, now rxState, k rxKnown) []breach {
	msn := m.Let("msn", s.untagged("msn"))
	length := m.Let("payload_octets", s.PayloadLength.ZeroExtend(32))
	m.Note("What the parser has found")
	short := m.Let("is_short", s.Error.Eq(m.Constant("ERROR_SHORT_HEADER", 4, uint64(wire.ErrShortHeader))))
	out := []breach{{cond: short, given: &s.Term, local: true}, {cond: m.Let("is_wrong", s.Error.Any()), given: &s.Term}}
	add := func(cond hdl.Value, layer, etype, code uint64) {
		out = append(out, breach{cond: cond, layer: layer, etype: etype, code: code})
	}
	local := func(cond hdl.Value) { out = append(out, breach{cond: cond, local: true}) }

	m.Note("Queue 0: Sends and Immediate Data")
	receives := m.Let("receives", s.isSend.Or(s.isImmediate))
	offset := m.Let("mo", s.untagged("mo"))
	bufferFails := m.Let("buffer_fails", k.region.Any)
	end := m.Let("message_end", now.Offset.ZeroExtend(33).Add(length.ZeroExtend(33)))
	add(receives.And(msn.Ne(now.ReceiveMsn)), 1, 2, 0x03)
	add(receives.And(k.empty), 1, 2, 0x02)
	add(receives.And(offset.Ne(now.Offset)), 1, 2, 0x04)
	add(hdl.AllOf(receives, now.Within, s.opcode.Ne(now.Opcode)), 0, 2, 0x06)
	inTagged := m.Let("inside_tagged", now.Writing.Or(now.Answering))
	add(hdl.AllOf(receives, now.Within.Not(), inTagged), 0, 2, 0x06)
	add(s.isSend.And(k.request.Length.ZeroExtend(33).Lt(end)), 1, 2, 0x05)
	local(s.isSend.And(bufferFails))
	row := hdl.LetOf(m, "invalidated_row", hdl.Unpack(stagEntry(), p.Invalidated.Entry.Value))
	m.Unused(hdl.Cat(row.Rights.LocalRead, row.Rights.LocalWrite, row.Rights.RemoteRead, row.Rights.RemoteWrite, row.Rights.RemoteAtomic))
	m.Unused(hdl.Cat(row.Base, row.Length, row.Address))
	bad := stagCheck(row, s.untagged("invalidate_stag"), s.Stream, now.Domain)
	named := m.Let("may_be_invalidated", hdl.AllOf(bad.STag.Not(), bad.Association.Not(), row.Rights.Invalidate))
	add(hdl.AllOf(s.isInvalidating, s.last, named.Not()), 0, 1, 0x09)

	m.Note("Queue 1: Read and Atomic Requests")
	asks := m.Let("asks", s.isRead.Or(s.isAtomic))
	unanswered := m.Let("unanswered", now.RequestMsn.Sub(k.answered))
	add(asks.And(msn.Ne(now.RequestMsn)), 1, 2, 0x03)
	add(asks.And(hdl.Const(32, uint64(c.IRD)).Lt(unanswered)), 1, 2, 0x02)
	names := nameAtomics(m, c.Draft00())
	var known []hdl.Value
	for _, op := range []wire.AOpCode{wire.FetchAdd, wire.Swap, wire.CmpSwap} {
		if code, has := names[op]; has {
			known = append(known, s.atomic("aopcode").Eq(code))
		}
	}
	isKnown := m.Let("is_known_atomic", hdl.AnyOf(known...))
	add(s.isAtomic.And(isKnown.Not()), 0, 2, 0x06)
	add(asks.And(k.region.STag), 0, 1, 0x00)
	add(asks.And(k.region.Association), 0, 1, 0x03)
	add(asks.And(k.region.Access), 0, 1, 0x02)
	add(asks.And(k.region.Wrap), 0, 1, 0x04)
	add(asks.And(k.region.Bounds), 0, 1, 0x01)
	add(s.isAtomic.And(m.Let("is_unaligned", k.region.Address.Slice(2, 0).Any())), 0, 2, 0x07)

	m.Note("Queue 2: Terminate")
	add(s.isTerminate.And(msn.Ne(hdl.Const(32, 1))), 1, 2, 0x03)

	m.Note("Queue 3: Atomic Responses")
	add(s.isAtomicResponse.And(msn.Ne(now.AnswerMsn)), 1, 2, 0x03)
	add(s.isAtomicResponse.And(k.none), 1, 2, 0x02)
	add(s.isAtomicResponse.And(k.awaited.Atomic.Not().Or(inTagged).Or(now.Within)), 0, 2, 0x06)
	identifier := m.Let("identifier", s.answer("original_request_identifier"))
	add(s.isAtomicResponse.And(identifier.Ne(k.awaited.Identifier)), 0, 2, 0x07)
	local(s.isAtomicResponse.And(bufferFails))

	m.Note("Read Responses, then what they share with Writes")
	tagged := m.Let("is_tagged_access", s.isWrite.Or(s.isReadResponse))
	some := m.Let("has_payload", s.PayloadLength.Any())
	begins := m.Let("begins_inside", now.Answering.Not().And(now.Within.Or(now.Writing)))
	add(s.isReadResponse.And(hdl.AnyOf(k.none, k.awaited.Atomic, begins)), 0, 2, 0x06)
	add(s.isReadResponse.And(k.missing.Lt(length)), 1, 1, 0x01)
	add(s.isReadResponse.And(s.last.Ne(length.Eq(k.missing))), 0, 2, 0x07)
	add(hdl.AllOf(s.isReadResponse, some, k.stag.Ne(k.awaited.Local.STag)), 1, 1, 0x00)
	next := m.Let("next_to", k.awaited.Local.TO.Add(now.Received.ZeroExtend(64)))
	add(hdl.AllOf(s.isReadResponse, some, k.to.Ne(next)), 1, 1, 0x01)
	add(tagged.And(k.region.STag), 1, 1, 0x00)
	add(tagged.And(k.region.Association), 1, 1, 0x02)
	add(tagged.And(k.region.Access), 0, 1, 0x02)
	add(tagged.And(k.region.Wrap), 1, 1, 0x03)
	add(tagged.And(k.region.Bounds), 1, 1, 0x01)
	return out
}
