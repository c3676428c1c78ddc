package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxKnown is the result of the lookups for a segment.
type rxKnown struct {
	request     engine.RingEntry // oldest receive request, in stage found
	empty       *block.Signal    // there is none
	awaited     engine.Expected  // oldest awaited response, in stage found
	none        *block.Signal    // there is none
	answered    *block.Signal    // MSN of the latest request from the peer that has been answered
	differs     *block.Signal    // the response is not what it is compared with; nil: nothing is compared
	region      rxRegion
	invalidated *block.Signal // packed row of the STag named by a Send with Invalidate
}

// rxRules collects the conditions under which rules are broken.
type rxRules = engine.RuleSet[spec.Rule]

func newRxRules(s rxSegment) rxRules {
	var rows []engine.RuleName[spec.Rule]
	for _, row := range s.x.Rules() {
		rows = append(rows, engine.RuleName[spec.Rule]{Rule: row.Rule, Name: row.Name})
	}
	return engine.NewRuleSet(s.Pipeline, rows)
}

// checkRules lists the conditions of all rules. Of the rules that a segment breaks, the one with the lowest number is reported.
func checkRules(m *hdl.Module, c engine.Config, s rxSegment, now rxState, k rxKnown) rxRules {
	m.Section("Rules of messages, checked against the counts of the stream")
	b := newRxRules(s)
	ne := func(name string, stage int, x, y hdl.Value) *block.Signal { return s.Signal(name, stage, x.Ne(y)) }
	_, untagged := wire.DDPTables(s.x)
	msn, mo := s.Holds("msn", taken, s.head.fieldAs("msn", 0, untagged, "msn")), s.Holds("mo", taken, s.head.fieldAs("mo", 0, untagged, "mo"))
	not := func(name string, v *block.Signal) *block.Signal {
		return s.Signal(name, v.Stage(), v.At(v.Stage()).Not())
	}
	receives := s.Signal("receives", taken, s.isSend.At(taken).Or(s.isImmediate.At(taken)))
	expected := m.Let("expected_msn", hdl.Select(now.ReplyMsn, hdl.When{Cond: receives.At(counted), Then: now.ReceiveMsn},
		hdl.When{Cond: s.isRequest.At(counted), Then: now.RequestMsn}, hdl.When{Cond: s.isTerminate.At(counted), Then: hdl.Const(32, 1)}))
	has := s.Signal("has_msn", taken, hdl.AnyOf(receives.At(taken), s.isRequest.At(taken), s.isTerminate.At(taken), s.isReply.At(taken)))
	b.Add(spec.MSNOutOfRange, has, ne("wrong_msn", counted, msn.At(counted), expected))
	within, tagged := s.Holds("within", counted, now.Within), s.Signal("inside_tagged", counted, now.Writing.Or(now.Reading))
	b.Add(spec.WrongMO, receives, ne("wrong_mo", counted, mo.At(counted), now.Offset))
	b.Add(spec.OpcodeChanges, receives, within, ne("other_opcode", counted, s.opcode.At(counted), now.Opcode))
	b.Add(spec.Interleaved, receives, not("not_within", within), tagged)
	b.Add(spec.Interleaved, s.isReply, s.Signal("inside_message", counted, tagged.At(counted).Or(now.Within)))
	b.Add(spec.Interleaved, s.isReadResponse, s.Signal("begins_inside", counted, now.Reading.Not().And(now.Within.Or(now.Writing))))

	m.Section("Rules of outstanding operations, checked against receive requests and awaited responses")
	b.Add(spec.NoReceiveBuffer, receives, k.empty)
	b.Add(spec.MessageTooLong, s.isSend, s.Signal("is_beyond_buffer", found, k.request.Length.ZeroExtend(33).Lt(s.now.messageEnd.At(found))))
	m.Note("At most IRD requests are not answered, so a few bits of an MSN suffice.")
	number := engine.NumberBits(c)
	requestMsn := s.Holds("request_msn", counted, now.RequestMsn.Truncate(number))
	unanswered := s.Signal("unanswered", counted+1, requestMsn.At(counted+1).Sub(k.answered.At(counted+1)))
	b.Add(spec.IRDExceeded, s.isRequest, s.Signal("exceeds_ird", found, hdl.Const(number, uint64(c.IRD)).Lt(unanswered.At(found))))
	width := c.Kinds().ExecutorBits()
	executor := func(i int) hdl.Value { return hdl.Const(width, uint64(i)) }
	var reads []hdl.Value
	for i, r := range requestsOf(s.x) {
		if !r.atQueue3() {
			reads = append(reads, k.awaited.Executor.Eq(executor(i)))
		}
	}
	read := s.Signal("awaits_tagged", found, hdl.AnyOf(reads...))
	identifier := s.Signal("identifier", taken, s.reply(taken, func(_ int, r request) (hdl.Value, bool) { return r.identifier(s.head) }))
	b.Add(spec.NoAtomicOutstanding, s.isReply, k.none)
	b.Add(spec.UnexpectedResponse, s.isReply, ne("awaits_another", found, k.awaited.Executor, s.reply(found, func(i int, _ request) (hdl.Value, bool) { return executor(i), true })))
	b.Add(spec.WrongIdentifier, s.wordReply, ne("wrong_identifier", found, k.awaited.Identifier, identifier.At(found)))
	b.Add(spec.UnexpectedResponse, s.isReadResponse, s.Signal("awaits_no_read", found, k.none.At(found).Or(read.At(found).Not())))
	missing := s.Signal("missing", found, k.awaited.Length.Sub(s.now.received.At(found)))
	length := s.payloadLength.At(found + 1).ZeroExtend(32)
	some := s.Signal("has_payload", taken, s.payloadLength.At(taken).Any())
	b.Add(spec.ReadTooLong, s.isReadResponse, s.Signal("is_beyond_read", found+1, missing.At(found+1).Lt(length)))
	b.Add(spec.WrongReadLast, s.isReadResponse, ne("wrong_last", found+1, s.last.At(found+1), length.Eq(missing.At(found+1))))
	sink := s.Holds("sink_stag", found, k.awaited.Local.STag)
	b.Add(spec.WrongSinkSTag, s.isReadResponse, some, ne("wrong_sink_stag", found+1, s.stag.At(found+1), sink.At(found+1)))
	b.Add(spec.WrongSinkTO, s.isReadResponse, some, ne("wrong_sink_to", found+1, s.to.At(found+1), k.region.next.At(found+1)))

	if s.payloadReply != nil {
		b.Add(spec.ResponseLength, s.payloadReply, ne("wrong_response_length", found, k.awaited.Length, s.payloadLength.At(found).ZeroExtend(32)))
	}

	m.Section("Rules of memory access")
	b.Add(spec.Local, s.isSend, k.region.Any)
	b.Add(spec.Local, s.isReply, k.region.Any)
	row := hdl.LetOf(m, "invalidated_row", hdl.Unpack(engine.STagEntryOf(c), k.invalidated.At(looked)))
	m.Unused("an invalidation accesses no memory", row.Rights.LocalRead, row.Rights.LocalWrite, row.Rights.RemoteRead, row.Rights.RemoteWrite,
		row.Rights.RemoteAtomic, row.Base, row.Length, row.Address)
	engine.UnusedTag(m, "an invalidation accesses no memory", row.Tag)
	bad := memory.STagCheck(row, s.invalidate.At(looked), s.stream.At(looked), s.domainOf.At(looked))
	cannot := s.Signal("cannot_be_invalidated", looked, hdl.AnyOf(bad.STag, bad.Association, row.Rights.Invalidate.Not()))
	b.Add(spec.CannotInvalidate, s.isInvalidating, s.last, cannot)
	if s.revokes != nil {
		b.Add(spec.CannotInvalidate, s.revokes, cannot)
	}
	access := s.Signal("is_tagged_access", taken, s.isWrite.At(taken).Or(s.isReadResponse.At(taken)))
	for _, of := range []struct {
		fault           *block.Signal
		tagged, request spec.Rule
	}{
		{k.region.STag, spec.TaggedSTag, spec.RequestSTag}, {k.region.Association, spec.TaggedAssociation, spec.RequestAssociation},
		{k.region.Access, spec.TaggedAccess, spec.RequestAccess}, {k.region.Wrap, spec.TaggedTOWrap, spec.RequestTOWrap},
		{k.region.Bounds, spec.TaggedBounds, spec.RequestBounds},
	} {
		b.Add(of.tagged, access, of.fault)
		b.Add(of.request, s.isRequest, of.fault)
	}
	for _, r := range requestsOf(s.x) {
		r.rules(m, c, s, k.region, b)
	}
	return b
}
