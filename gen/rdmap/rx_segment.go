package rdmap

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxSegment is an item in the pipeline of rx_check: a segment, an opening or a failure.
type rxSegment struct {
	*block.Pipeline
	m *hdl.Module
	x spec.Extensions

	stream                          *block.Signal
	isOpening, isFailure, isSegment *block.Signal
	opens, domain                   *block.Signal // of an opening
	domainOf                        *block.Signal // protection domain of the stream
	fault                           *block.Signal // of a failure

	rule, payloadLength *block.Signal
	head                header        // fields in stage taken
	record              *block.Signal // header octets, segment length and payload length, in stage leaving

	isWrite, isReadResponse, isSend, isInvalidating, isImmediate, isTerminate *block.Signal
	isRequest, isReply                                                        *block.Signal
	wordReply, payloadReply                                                   *block.Signal // a response on queue 3 with a word; with payload, nil if there is none
	isCommitting, revokes                                                     *block.Signal // a request of the extension Commit, with an Invalidate STag; nil without it
	segmentLength                                                             *block.Signal
	digest                                                                    *block.Signal   // octets of that of a response, in stage found; nil without the extension Commit
	requests, replies                                                         []*block.Signal // by request: is that request; is its response on queue 3, nil for none
	opcode, isTagged, last, invalidate                                        *block.Signal

	stag, to, reach *block.Signal // region named in the header; octets accessed
	names           *block.Signal // it is named even if no octet is; nil if that does not happen
	now             rxCounts
}

// rxCounts are derived from the state of the stream for a segment.
type rxCounts struct {
	consumed, awaited, received, offset                   *block.Signal
	messageEnd, responseMsn, used, waits, first, releases *block.Signal
	receives, responds                                    *block.Signal
}

// view decodes a record. Openings and failures are in no class.
func (s *rxSegment) view(r Record) {
	m := s.m
	s.rule, s.payloadLength = s.Holds("rule", 0, r.Rule), s.Holds("payload_length", 0, r.PayloadLength)
	s.segmentLength = s.Holds("segment_length", 0, r.SegmentLength)
	octets, length := s.Holds("header", 0, r.Header).At(taken), s.segmentLength.At(taken)
	s.record = s.Signal("record", taken, hdl.Cat(length, s.payloadLength.At(taken), octets)).Later(leaving)
	if s.x&spec.Commit != 0 {
		s.digest = s.Signal("digest", taken, octets.Slice(8*(untagged+digestOctets)-1, 8*untagged)).Later(found)
	}
	s.head = newHeader(m, "octets", octets.ReverseOctets())
	m.Unused("only its fields are read", s.head.bits)
	names := nameOpcodes(m, s.x, s.x.All(spec.Segments))
	_, untagged := wire.DDPTables(s.x)
	opcode := s.head.fieldAs("opcode", 0, untagged, "opcode")
	s.opcode = s.Holds("opcode", taken, opcode)
	isSegment := s.isSegment.At(taken)
	is := func(name string, c spec.Class) *block.Signal {
		return s.Signal(name, taken, isSegment.And(names.oneOf(opcode, s.x.All(c))))
	}
	s.isWrite, s.isReadResponse = is("is_write", spec.Write), is("is_read_response", spec.ReadResponse)
	s.isSend, s.isInvalidating = is("is_send", spec.Sends), is("is_invalidating", spec.SendInvalidate)
	s.isImmediate, s.isTerminate = is("is_immediate", spec.Immediate), is("is_terminate", spec.Terminate)
	var asks, replies []hdl.Value
	for _, r := range requestsOf(s.x) {
		request := is("is_"+r.Name, r.Class)
		s.requests, s.replies, asks = append(s.requests, request), append(s.replies, nil), append(asks, request.At(taken))
		if r.atQueue3() {
			reply := is("is_"+r.response.Name, r.response.Class)
			s.replies[len(s.replies)-1], replies = reply, append(replies, reply.At(taken))
		}
	}
	s.isRequest, s.isReply = s.Signal("is_request", taken, hdl.AnyOf(asks...)), s.Signal("is_reply", taken, hdl.AnyOf(replies...))
	s.isTagged = s.Holds("is_tagged", taken, s.head.fieldAs("is_tagged", 0, untagged, "t"))
	s.last = s.Holds("is_last", taken, s.head.fieldAs("is_last", 0, untagged, "l"))
	s.invalidate = s.Holds("invalidate_stag", taken, s.untagged("invalidate_stag"))
	s.viewCommit()
	s.nameRegion(m)
}

// viewCommit sorts responses on queue 3 by what they carry, and finds the requests of the extension Commit.
func (s *rxSegment) viewCommit() {
	s.wordReply = s.isReply
	if s.x&spec.Commit == 0 {
		return
	}
	var words, payloads, commits []hdl.Value
	for i, r := range requestsOf(s.x) {
		if r.Class&spec.Committing != 0 {
			commits = append(commits, s.requests[i].At(taken))
		}
		switch {
		case !r.atQueue3():
		case r.response.CarriesPayload:
			payloads = append(payloads, s.replies[i].At(taken))
		case r.response.FixedLength > 0:
			words = append(words, s.replies[i].At(taken))
		}
	}
	s.wordReply, s.payloadReply = s.Signal("is_word_reply", taken, hdl.AnyOf(words...)), s.Signal("is_payload_reply", taken, hdl.AnyOf(payloads...))
	s.isCommitting = s.Signal("is_committing", taken, hdl.AnyOf(commits...))
	s.revokes = s.Signal("revokes", taken, s.isCommitting.At(taken).And(s.invalidate.At(taken).Any()))
}

// orPayloadReply adds responses on queue 3 with payload to a condition in stage taken.
func (s rxSegment) orPayloadReply(is hdl.Value) hdl.Value {
	if s.payloadReply == nil {
		return is
	}
	return is.Or(s.payloadReply.At(taken))
}

func (s rxSegment) untagged(name string) hdl.Value { return s.untaggedOf(s.head, name) }

// untaggedOf is a field of the untagged DDP header that h begins with.
func (s rxSegment) untaggedOf(h header, name string) hdl.Value {
	_, untagged := wire.DDPTables(s.x)
	return h.field(0, untagged, name)
}

// is reports whether the segment is a request for an executor.
func (s rxSegment) is(executor string) *block.Signal {
	for i, r := range requestsOf(s.x) {
		if r.Executor == executor {
			return s.requests[i]
		}
	}
	return nil
}

// reply selects a value of responses on queue 3, by request, in a stage; of is false for those that have none.
func (s rxSegment) reply(stage int, of func(i int, r request) (hdl.Value, bool)) hdl.Value {
	var last hdl.Value
	var rows []hdl.When
	for i, r := range slices.Backward(requestsOf(s.x)) {
		if !r.atQueue3() {
			continue
		}
		v, has := of(i, r)
		switch {
		case !has:
		case last.Width() == 0:
			last = v
		default:
			rows = append(rows, hdl.When{Cond: s.replies[i].At(stage), Then: v})
		}
	}
	return hdl.Select(last, rows...)
}

// count computes the state of the stream after a segment, assuming that it is valid: an invalid one ends the stream.
func (s *rxSegment) count(m *hdl.Module, c engine.Config, now rxState, state block.Stage) {
	at := func(v *block.Signal) hdl.Value { return v.At(counted) }
	add := func(v, when hdl.Value) hdl.Value { return v.Add(when.ZeroExtend(v.Width())) }
	holds := func(name string, v hdl.Value) *block.Signal { return s.Holds(name, counted, v) }
	signal := func(name string, v hdl.Value) *block.Signal { return s.Signal(name, counted, v) }
	some := at(s.payloadLength)
	open := at(s.last).Not() // the message continues

	receives := signal("completes_receive", at(s.isImmediate).Or(at(s.isSend).And(at(s.last))))
	responds := signal("completes_response", at(s.isReply).Or(at(s.isReadResponse).And(at(s.last))))
	end := signal("message_end", now.Offset.ZeroExtend(33).Add(some.ZeroExtend(33)))
	used := signal("receives_used", add(now.Consumed, at(receives)))
	m.Note("A request waits while a message of its stream is incomplete (RFC 7306 section 5.4). The segment that completes the last one releases all.")
	within := m.Let("still_within", hdl.Mux(at(s.isSend), open, now.Within))
	writing := m.Let("still_writing", hdl.Mux(at(s.isWrite), open, now.Writing))
	reading := m.Let("still_reading", hdl.Mux(at(s.isReadResponse), open, now.Reading))
	waits := signal("waits", at(s.isRequest).And(now.incomplete()))
	first := signal("waits_first", at(waits).And(now.Waiting.Not()))
	releases := signal("releases", now.Waiting.And(hdl.AnyOf(within, writing, reading).Not()))
	var replied []hdl.Value
	for i, r := range requestsOf(s.x) {
		if r.atQueue3() {
			replied = append(replied, at(s.requests[i]))
		}
	}
	received := m.Let("received", now.Received.Add(some.ZeroExtend(32)))
	after := rxState{
		Domain:      now.Domain,
		ReceiveMsn:  add(now.ReceiveMsn, at(receives)),
		Within:      within,
		Opcode:      hdl.Mux(at(s.isSend), at(s.opcode), now.Opcode),
		Offset:      hdl.Mux(at(s.isSend), at(end).Truncate(32).And(open.Replicate(32)), now.Offset),
		Consumed:    at(used),
		RequestMsn:  add(now.RequestMsn, at(s.isRequest)),
		ResponseMsn: add(now.ResponseMsn, hdl.AnyOf(replied...)),
		ReplyMsn:    add(now.ReplyMsn, at(s.isReply)),
		Awaited:     add(now.Awaited, at(responds)),
		Received:    hdl.Mux(at(s.isReadResponse), received.And(open.Replicate(32)), now.Received),
		Writing:     writing,
		Reading:     reading,
		Waiting:     now.Waiting.Or(at(waits)).And(at(releases).Not()),
	}
	state.Decide(m, hdl.Mux(at(s.isOpening), hdl.Pack(freshRxState(c, at(s.domain))), hdl.Pack(after)))
	s.domainOf = holds("domain", now.Domain)
	s.now = rxCounts{
		consumed: holds("consumed", now.Consumed), awaited: holds("responses_done", now.Awaited), received: holds("received_before", now.Received),
		offset: holds("offset", now.Offset), messageEnd: end, responseMsn: holds("response_msn", now.ResponseMsn), used: used,
		waits: waits, first: first, releases: releases, receives: receives, responds: responds,
	}
}
