package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxKnown is what rx_check has looked up for a segment.
type rxKnown struct {
	request  engine.RingEntry // oldest receive request
	empty    hdl.Value        // there is none
	awaited  engine.Expected  // oldest answer that is awaited
	none     hdl.Value        // there is none
	missing  hdl.Value        // octets of it that have not come
	answered hdl.Value        // MSN of the peer's latest request that was answered
	region   memory.RegionFaults
	stag, to hdl.Value
}

// rxBreaches says when a segment breaks which rule. Of the rules that an operation can break, the one with the lowest number is
// reported.
func rxBreaches(m *hdl.Module, p RxCheckPorts, c engine.Config, s rxSegment, now rxState, k rxKnown) breaches {
	msn := s.head.fieldAs("msn", 0, wire.DDPUntaggedTable, "msn")
	length := m.Let("payload_octets", s.PayloadLength.ZeroExtend(32))
	b := breaches{}
	m.Note("Queue 0: Sends and Immediate Data")
	receives := m.Let("receives", s.isSend.Or(s.isImmediate))
	offset := s.head.fieldAs("mo", 0, wire.DDPUntaggedTable, "mo")
	bufferFails := m.Let("buffer_fails", k.region.Any)
	end := m.Let("message_end", now.Offset.ZeroExtend(33).Add(length.ZeroExtend(33)))
	b.add(spec.MSNOutOfRange, receives, msn.Ne(now.ReceiveMsn))
	b.add(spec.NoReceiveBuffer, receives, k.empty)
	b.add(spec.WrongMO, receives, offset.Ne(now.Offset))
	b.add(spec.OpcodeChanges, receives, now.Within, s.opcode.Ne(now.Opcode))
	inTagged := m.Let("inside_tagged", now.Writing.Or(now.Answering))
	b.add(spec.Interleaved, receives, now.Within.Not(), inTagged)
	b.add(spec.MessageTooLong, s.isSend, k.request.Length.ZeroExtend(33).Lt(end))
	b.add(spec.Local, s.isSend, bufferFails)
	row := hdl.LetOf(m, "invalidated_row", hdl.Unpack(engine.STagEntryOf(), p.Invalidated.Entry.Value))
	m.Unused("an invalidation reaches no memory", row.Rights.LocalRead, row.Rights.LocalWrite, row.Rights.RemoteRead, row.Rights.RemoteWrite,
		row.Rights.RemoteAtomic, row.Base, row.Length, row.Address)
	bad := memory.STagCheck(row, s.untagged("invalidate_stag"), s.Stream, now.Domain)
	named := m.Let("may_be_invalidated", hdl.AllOf(bad.STag.Not(), bad.Association.Not(), row.Rights.Invalidate))
	b.add(spec.CannotInvalidate, s.isInvalidating, s.last, named.Not())

	m.Note("Queue 1: requests")
	asks := m.Let("asks", s.isRequest())
	unanswered := m.Let("unanswered", now.RequestMsn.Sub(k.answered))
	b.add(spec.MSNOutOfRange, asks, msn.Ne(now.RequestMsn))
	b.add(spec.IRDExceeded, asks, hdl.Const(32, uint64(c.IRD)).Lt(unanswered))
	b.add(spec.RequestSTag, asks, k.region.STag)
	b.add(spec.RequestAssociation, asks, k.region.Association)
	b.add(spec.RequestAccess, asks, k.region.Access)
	b.add(spec.RequestTOWrap, asks, k.region.Wrap)
	b.add(spec.RequestBounds, asks, k.region.Bounds)
	for _, r := range requests {
		r.rules(m, c, s, k.region, b)
	}

	m.Note("Queue 2: Terminate")
	b.add(spec.MSNOutOfRange, s.isTerminate, msn.Ne(hdl.Const(32, 1)))

	m.Note("Queue 3: responses")
	replies := m.Let("is_reply", s.isReply())
	width := c.Kinds().ExecutorBits()
	awaits := func(is func(request) bool) hdl.Value {
		var any []hdl.Value
		for i, r := range requests {
			if is(r) {
				any = append(any, k.awaited.Executor.Eq(hdl.Const(width, uint64(i))))
			}
		}
		return hdl.AnyOf(any...)
	}
	wanted := m.Let("reply_is_awaited", k.awaited.Executor.Eq(s.reply(func(i int, _ *response) hdl.Value { return hdl.Const(width, uint64(i)) })))
	identifier := m.Let("identifier", s.reply(func(_ int, r *response) hdl.Value { return r.identifier }))
	b.add(spec.MSNOutOfRange, replies, msn.Ne(now.AnswerMsn))
	b.add(spec.NoAtomicOutstanding, replies, k.none)
	b.add(spec.UnexpectedResponse, replies, wanted.Not())
	b.add(spec.Interleaved, replies, inTagged.Or(now.Within))
	b.add(spec.WrongIdentifier, replies, identifier.Ne(k.awaited.Identifier))
	b.add(spec.Local, replies, bufferFails)

	m.Note("Read Responses, then what they share with Writes")
	tagged := m.Let("is_tagged_access", s.isWrite.Or(s.isReadResponse))
	some := m.Let("has_payload", s.PayloadLength.Any())
	begins := m.Let("begins_inside", now.Answering.Not().And(now.Within.Or(now.Writing)))
	readAwaited := m.Let("read_is_awaited", awaits(func(r request) bool { return !r.atQueue3() }))
	b.add(spec.UnexpectedResponse, s.isReadResponse, k.none.Or(readAwaited.Not()))
	b.add(spec.Interleaved, s.isReadResponse, begins)
	b.add(spec.ReadTooLong, s.isReadResponse, k.missing.Lt(length))
	b.add(spec.WrongReadLast, s.isReadResponse, s.last.Ne(length.Eq(k.missing)))
	b.add(spec.WrongSinkSTag, s.isReadResponse, some, k.stag.Ne(k.awaited.Local.STag))
	next := m.Let("next_to", k.awaited.Local.TO.Add(now.Received.ZeroExtend(64)))
	b.add(spec.WrongSinkTO, s.isReadResponse, some, k.to.Ne(next))
	b.add(spec.TaggedSTag, tagged, k.region.STag)
	b.add(spec.TaggedAssociation, tagged, k.region.Association)
	b.add(spec.TaggedAccess, tagged, k.region.Access)
	b.add(spec.TaggedTOWrap, tagged, k.region.Wrap)
	b.add(spec.TaggedBounds, tagged, k.region.Bounds)
	return b
}

// verdict is the first rule that a segment breaks. One that is local to this node gives nothing of the segment back.
type verdict struct {
	rule, broken, local hdl.Value
	term                Term // of its Terminate; it means nothing when no rule is broken
}

// judge puts what the parser has found before the other breaches.
func judge(m *hdl.Module, s rxSegment, b breaches) verdict {
	m.Section("The first rule that is broken; what the parser has found comes first")
	list := b.list(m)
	names := nameRules(m, func(*spec.RuleRow) bool { return true })
	rule, broken := firstBreach(m, names, &s.Rule, list)
	v := verdict{rule: rule, broken: m.Let("breaks_rule", broken), term: terminateTable(m, names, rule)}
	v.local = m.Let("is_local", rule.Eq(names[spec.ShortHeader]).Or(rule.Eq(names[spec.Local])))
	return v
}
