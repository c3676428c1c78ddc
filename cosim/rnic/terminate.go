package rnic

import (
	"bytes"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

var (
	codeLocal = codeOf(spec.Local)
	codeGone  = codeOf(spec.RequestSTag)
)

func codeOf(kind spec.Rule) wire.TerminateCode {
	code, _ := kind.Terminate()
	return code
}

// followTerminate finds why the device has ended a stream, and compares the Terminate.
func (n *Node) followTerminate(stream uint32, octets []byte) error {
	f := &n.streams[stream]
	var t wire.Terminate
	view, _ := n.classify(octets)
	if _, err := t.DecodeWith(n.config.Protocol(), view.Payload); err != nil {
		return n.differs(stream, "a Terminate", n.show(octets), err.Error())
	}
	_ = f.show(showsTerminate) // a second one is caught by followSegment
	f.sentCode = &t.Code
	n.checked.Streams++
	n.extra.terminates++
	n.ends[t.Code]++
	var want []byte
	switch {
	case !t.HasDDP && t.Code == codeGone && n.findsGone(stream):
		f.cause = spec.RequestSTag
		f.failures |= stagGone
	case !t.HasDDP && t.Code == codeLocal && n.findsFailure(stream):
		f.cause = spec.Local
	case t.HasDDP && n.findsFailedRequest(stream, &t):
		f.failures |= responseFailed
		want = wire.AppendTerminate(nil, wire.Terminate{Code: t.Code, LengthValid: true, HasDDP: true, DDPSegmentLength: t.DDPSegmentLength, DDP: t.DDP})
	case t.HasDDP && n.findsEarly(stream, &t):
		want = wire.AppendTerminate(nil, wire.Terminate{Code: t.Code, LengthValid: true, HasDDP: true, DDPSegmentLength: t.DDPSegmentLength, DDP: t.DDP})
	default:
		for n.Model.IsOpen(stream) {
			if !n.takeNext(stream, &t) {
				return n.differs(stream, "a Terminate", n.show(octets), "none")
			}
		}
	}
	if f.cause != spec.None {
		if code, _ := f.cause.Terminate(); want == nil {
			want = wire.AppendTerminate(nil, wire.Terminate{Code: code})
		}
		// How many segments the device receives before it learns of the failure is not observable: Settle.
	} else if last := n.finish(stream); want == nil {
		want = last
	}
	if len(f.responses) > 0 && !n.dropsResponses(stream) {
		return n.differs(stream, "a Terminate before a response", n.show(octets), n.show(f.responses[0]))
	}
	if f.unanswered && !n.dropsResponses(stream) {
		return n.differs(stream, "a Terminate before an atomic", n.show(octets), "not executed")
	}
	f.responses = nil
	if err := n.compareRule(stream); err != nil {
		return err
	}
	if !bytes.Equal(want, octets) && !n.mayBreak(stream, &t, n.beforeInvalidation(stream)) {
		return n.differs(stream, "a Terminate", n.show(octets), n.show(want))
	}
	return nil
}

// dropsResponses reports whether memory has failed for the stream, so that responses to received requests must not be sent.
func (n *Node) dropsResponses(stream uint32) bool {
	f := &n.streams[stream]
	for !f.failures.has(placementFailed|responseFailed) && n.transmit(stream, false) {
	}
	return f.failures.has(placementFailed | responseFailed | payloadUnread)
}

// takeNext receives a segment, which may be the one reported by the device's Terminate.
//
// Either: an unsolicited response meets a stream that waits for nothing, or one whose next Read or Atomic Request has been
// generated but not sent.
func (n *Node) takeNext(stream uint32, t *wire.Terminate) bool {
	f := &n.streams[stream]
	if len(f.segments) > 0 && f.asked == f.replied && t.HasDDP {
		octets := f.segments[0].octets
		view, kind := n.classify(octets)
		nothing := spec.UnexpectedResponse
		if isOf(view.Header.Opcode, spec.Replies) {
			nothing = spec.NoAtomicOutstanding
		}
		isResponse := isOf(view.Header.Opcode, spec.Responses)
		if kind == spec.None && isResponse && t.DDP == view.Header && !n.says(stream, t, nothing) {
			for f.asked == f.replied && n.transmit(stream, false) {
			}
		}
	}
	return n.take(stream)
}

// findsGone reports whether the oldest request of a stream has lost its STag, after receiving the segments needed.
func (n *Node) findsGone(stream uint32) bool {
	f := &n.streams[stream]
	for {
		if len(f.queue) > 0 && !n.waits(stream) && n.gone(&f.queue[0]) {
			return true
		}
		if !n.Model.IsOpen(stream) || !n.take(stream) {
			return false
		}
		if n.config.Protocol()&spec.Commit != 0 && f.shown.broken == spec.RequestSTag && n.saysExecuted(stream, codeGone) {
			f.shown.broken = spec.None // Either: it arrives before another request invalidates its STag, or after
			return true
		}
	}
}

// findsFailure reports whether there is a failure not caused by a segment, after receiving the segments needed.
func (n *Node) findsFailure(stream uint32) bool {
	f := &n.streams[stream]
	for {
		if f.failures.has(local) {
			return true
		}
		if len(f.queue) > 0 && !n.waits(stream) && !f.queue[0].is(spec.Committing) && n.fails(f.queue[0].address, f.queue[0].octets, false) {
			if !f.queue[0].is(spec.AtomicRequest) {
				n.execute(stream) // everything before the failure must have been sent
			}
			if len(f.responses) == 0 {
				f.failures |= responseFailed
			}
			return f.failures.has(responseFailed)
		}
		for n.transmit(stream, false) && !f.failures.has(workRefused) {
		}
		if f.failures.has(workRefused | payloadUnread) {
			return true
		}
		if !n.Model.IsOpen(stream) || !n.take(stream) {
			return false
		}
	}
}

// findsEarly reports whether a segment was refused because of the stream's state when it arrived, and applies that outcome.
//
// Either: a request exceeds IRD, or the response to an earlier one has just been sent; it cannot exceed IRD if fewer than IRD
// others were unanswered when it was sent. Either: a response meets a stream that waits for nothing, or one that has just sent a
// Read or Atomic Request; it cannot meet the former if a request was sent and unanswered when the response was sent.
func (n *Node) findsEarly(stream uint32, t *wire.Terminate) bool {
	f := &n.streams[stream]
	request := isRequest(t.DDP.Opcode) && n.says(stream, t, spec.IRDExceeded)
	answer := isOf(t.DDP.Opcode, spec.ReadResponse) && n.says(stream, t, spec.UnexpectedResponse) ||
		isOf(t.DDP.Opcode, spec.Replies) && n.says(stream, t, spec.NoAtomicOutstanding)
	early := spec.IRDExceeded
	switch {
	case answer && isOf(t.DDP.Opcode, spec.ReadResponse):
		early = spec.UnexpectedResponse
	case answer:
		early = spec.NoAtomicOutstanding
	case !request:
		return false
	}
	for len(f.segments) > 0 && n.Model.IsOpen(stream) {
		s := f.segments[0]
		view, kind := n.classify(s.octets)
		if kind == spec.None && view.Header == t.DDP && len(s.octets) == int(t.DDPSegmentLength) {
			may := f.taken-s.answered >= n.config.IRD && view.Header.MSN == uint32(f.taken+1)
			if answer {
				may = s.asked <= f.replied && (view.Header.Tagged || view.Header.MSN == uint32(f.originals+1))
			}
			if may {
				f.shown.broken = early
				n.observe(stream, s.octets, rdmap.Verdict{Error: early}, nil)
				n.Model.Fail(stream, spec.IRDExceeded)
				f.trim(n.Model.Queued(stream))
				n.extra.inError++
				n.extra.discarded-- // the model discards it
			}
			return may
		}
		n.take(stream)
	}
	return false
}
