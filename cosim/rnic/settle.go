package rnic

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// finish makes the model answer all answerable requests of a stream, then end it. It returns the last segment if it is a
// Terminate, and keeps the others. An atomic has been executed if and only if the device has reported it.
func (n *Node) finish(stream uint32) (terminate []byte) {
	f := &n.streams[stream]
	n.drops = n.drops || slices.ContainsFunc(f.queue, func(in inbound) bool { return invalidates(in.header) })
	for n.transmit(stream, false) { // a started message may have failed
	}
	for len(f.queue) > 0 && !f.queue[0].is(words) && !n.gone(&f.queue[0]) {
		// Either: the failure of a request ends the stream, or a segment that arrives before it is reported.
		if n.failsExecuted(&f.queue[0]) != spec.None {
			f.failures |= responseFailed
			break
		}
		if n.execute(stream) == nil {
			break
		}
	}
	f.unanswered = len(f.queue) > 0 && n.failsExecuted(&f.queue[0]) == spec.None && !n.gone(&f.queue[0])
	f.late = withoutResponse(f.queue)
	n.mayFlush(f.queue)
	n.dropping = true
	defer func() { n.dropping = false }()
	for {
		segments, done := n.Model.Execute(stream)
		if done == nil {
			n.collect(stream)
			f.queue = nil
			return terminate
		}
		if done.Kind == rdmap.ExecutedTerminate {
			terminate = bytes.Clone(segments[len(segments)-1])
		}
	}
}

// Settle compares the remaining state when the device is idle: nothing may be missing. Memory must be equal in the given ranges,
// which are by stream, followed by those shared by all streams.
func (n *Node) Settle(ranges ...[]Range) error {
	for i := range n.streams {
		if n.streams[i].life == unopened {
			continue
		}
		var private []Range
		if i < len(ranges) {
			private = ranges[i]
		}
		if err := n.settle(uint32(i), private); err != nil {
			return err
		}
	}
	if err := cmp.Or(n.settleSent(), n.settleFlushes()); err != nil {
		return err
	}
	for i, list := range ranges {
		if _, err := n.equal(uint32(min(i, len(n.streams)-1)), list); err != nil {
			return err
		}
	}
	return nil
}

// TakeAll makes the model receive all segments of a stream, when the device is known to have received them.
func (n *Node) TakeAll(stream uint32) {
	for n.take(stream) {
	}
}

// SettleStream is Settle for one stream on which nothing is in flight.
func (n *Node) SettleStream(stream uint32, ranges []Range) error {
	if err := n.settle(stream, ranges); err != nil {
		return err
	}
	_, err := n.equal(stream, ranges)
	return err
}

func (n *Node) settle(stream uint32, private []Range) error {
	f := &n.streams[stream]
	missing := func(what string, octets any) error {
		return n.differs(stream, what+" that is missing", "none", fmt.Sprint(octets))
	}
	switch {
	case f.cause != spec.None:
		if err := n.settleFailure(stream, private); err != nil {
			return err
		}
	case f.life != running:
		for n.take(stream) {
		}
		if f.life == reported {
			// The peer has ended it: all requests have been answered.
			n.checked.Streams++
			n.finish(stream)
			if len(f.responses) > 0 && !n.dropsResponses(stream) {
				return missing("a segment", n.show(f.responses[0]))
			}
			if f.unanswered && !n.dropsResponses(stream) {
				return missing("an atomic", "requested before the Terminate")
			}
		}
	default:
		for n.take(stream) {
		}
		for n.execute(stream) != nil {
		}
		if len(f.responses) > 0 {
			return missing("a segment", n.show(f.responses[0]))
		}
		for n.transmit(stream, false) {
		}
		if len(f.requests) > 0 {
			return missing("a segment", n.show(f.requests[0]))
		}
		if f.failures.has(local) || len(f.queue) > 0 && n.Model.IsOpen(stream) && !n.waits(stream) {
			return missing("a Terminate", codeLocal)
		}
	}
	if err := n.adopt(stream, f.late); err != nil {
		return err
	}
	n.collect(stream)
	if f.sentCode != nil && (f.reportedCode == nil || *f.reportedCode != *f.sentCode) || f.sentCode == nil && f.reportedCode != nil {
		return n.differs(stream, "the event of a Terminate", fmt.Sprint(f.reportedCode), fmt.Sprint(f.sentCode))
	}
	if err := n.settleReports(stream); err != nil {
		return err
	}
	if len(f.received) > 0 && !(f.failures.has(placementFailed) && f.reportedLost) {
		return missing("a completion", fmt.Sprintf("%+v", f.received[0]))
	}
	if f.refusals > 0 {
		return missing("an event", fmt.Sprintf("%d receive requests beyond the limit are refused", f.refusals))
	}
	for _, e := range f.events {
		if e.Kind != rdmap.EventSolicited || !f.failures.has(placementFailed) {
			return missing("an event", fmt.Sprintf("%+v", e))
		}
	}
	return n.settleWork(stream)
}

// settleFailure finds where a stream has ended after a failure not caused by a segment.
//
// Either: a segment that arrives before the failure is reported inside the device is received, or discarded. The smallest number
// of received segments that explains the device's memory is as good as any.
func (n *Node) settleFailure(stream uint32, private []Range) error {
	f := &n.streams[stream]
	n.unequal = true
	suspicious := 0 // segments up to the last that may cause a failure
	for i, s := range f.segments {
		if n.suspicious(s.octets) {
			f.otherwise, suspicious = true, i+1
		}
		view, _ := n.classify(s.octets)
		n.drops = n.drops || invalidates(view.Header)
	}
	all := len(f.segments)
	if f.otherwise { // the buffer of a response or a Send may be at fault
		suspicious = all
	}
	for {
		_ = n.adopt(stream, withoutResponse(f.queue)) // memory decides
		different, err := n.equal(stream, private)
		if err != nil && different == nil {
			return err
		}
		if err == nil && len(f.unhappy) == 0 && len(f.outcomes) < len(f.work) {
			// Unreported requests have succeeded.
			err = n.differs(stream, "a missing completion", "none", fmt.Sprintf("%+v", f.work[len(f.outcomes)]))
		}
		for len(f.queue) > 0 && !n.waits(stream) && !f.queue[0].is(words) && n.fails(f.queue[0].address, f.queue[0].octets, false) && n.execute(stream) != nil {
			// Memory has failed for its response; everything before the failure is sent.
		}
		if len(f.responses) > 0 && !f.failures.has(placementFailed|payloadUnread) {
			return n.differs(stream, "a missing segment", "none", n.show(f.responses[0]))
		}
		unanswered := len(f.queue) > 0 && !n.waits(stream) && n.failsExecuted(&f.queue[0]) == spec.None && !n.gone(&f.queue[0]) && !n.dropsResponses(stream)
		if err == nil && unanswered {
			err = n.differs(stream, "a missing response", "none", fmt.Sprintf("%+v", f.queue[0]))
		}
		if err == nil {
			break
		}
		before := len(f.received)
		if unanswered && all-len(f.segments) >= suspicious || !n.take(stream) || len(f.received) > before {
			return err
		}
	}
	n.Model.Fail(stream, f.cause)
	f.trim(n.Model.Queued(stream))
	n.finish(stream)
	for n.take(stream) {
	}
	return nil
}

// suspicious reports whether a segment names memory that may fail.
func (n *Node) suspicious(octets []byte) bool {
	view, kind := n.classify(octets)
	if kind == spec.None && isRequest(view.Header.Opcode) {
		return n.suspect(n.inbound(octets, view.Header.Opcode).stag)
	}
	return kind == spec.None && view.Header.Tagged && n.suspect(view.Header.STag)
}

// suspect reports whether any memory of an STag fails.
func (n *Node) suspect(stag uint32) bool {
	r, _ := n.Model.Region(int(stag >> 8))
	return n.fails(r.Address, r.Length, true)
}

// settleWork compares the unsuccessful work requests.
//
// Either: a message already sent when its stream ends is flushed, or succeeds; likewise one that has failed and would have ended
// its stream, if something else ends it. A message after one whose payload memory failed to return may have started and failed.
func (n *Node) settleWork(stream uint32) error {
	f := &n.streams[stream]
	only := f.cause == spec.Local && !f.failures.has(local&^workRefused) && !f.otherwise // the failure is a work request's
	for _, u := range f.unhappy {
		c := u.completion
		if len(f.outcomes) == 0 {
			return n.differs(stream, "a completion", fmt.Sprintf("%+v", c), "none")
		}
		m := f.outcomes[0]
		f.outcomes = f.outcomes[1:]
		want := completionOf(m)
		right := c.Status == want.Status || c.Status == engine.StatusFlushed && (want.Status == engine.StatusSuccess || !only) ||
			c.Status == engine.StatusProtection && u.wrong && f.failures.has(payloadUnread)
		if c.ID != want.ID || c.Opcode != want.Opcode || !right || !f.life.known() {
			return n.differs(stream, "a completion", fmt.Sprintf("%+v", c), fmt.Sprintf("%+v", want))
		}
	}
	f.unhappy = nil
	for len(f.work) > 0 && (len(f.outcomes) > 0 || f.life.known()) { // others wait for their responses
		w := f.work[0]
		if len(f.outcomes) == 0 || w.signaled || f.reportedClosed || f.outcomes[0].Status != rdmap.StatusSuccess {
			return n.differs(stream, "a missing completion", "none", fmt.Sprintf("%+v %+v", w, f.outcomes))
		}
		f.outcomes, f.work = f.outcomes[1:], f.work[1:]
	}
	return nil
}

// equal compares memory; the first result is the Difference found.
func (n *Node) equal(stream uint32, ranges []Range) (*Difference, error) {
	for _, r := range ranges {
		n.buffer = slices.Grow(n.buffer[:0], r.Octets)[:r.Octets]
		device := n.buffer
		if err := n.Device.memory.Read(r.Address, device); err != nil {
			return nil, err
		}
		if n.Model.Memory().Equal(r.Address, device) {
			continue
		}
		model := make([]byte, r.Octets)
		n.Model.Memory().Read(r.Address, model)
		for i := range device {
			if device[i] != model[i] {
				d := n.differs(stream, fmt.Sprintf("memory at 0x%X", r.Address+uint64(i)), fmt.Sprintf("% X", device[i:min(len(device), i+16)]), fmt.Sprintf("% X", model[i:min(len(model), i+16)])).(*Difference)
				return d, d
			}
		}
	}
	return nil, nil
}
