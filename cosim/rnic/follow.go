package rnic

import (
	"bytes"
	"fmt"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// follower is what is known of a stream that device and model do not agree on yet.
type follower struct {
	opened    bool // ever
	domain    uint16
	otherwise bool               // something that the model has not come to may have ended the stream for local reasons
	segments  []arrival          // that the device has, and the model has not taken
	answers   [][]byte           // that the model's responder has sent, and the device has not
	requests  [][]byte           // the same of the requester
	starting  []int              // for each work request that the model has not started, how many segments can leave
	work      []promise          // work requests whose end the device has not told
	received  []receipt          // receives that the model has completed, and the device has not
	outcomes  []rdmap.Completion // the same of work requests, in the order of work
	events    []rdmap.Event      // the same of events
	queue     []inbound          // requests of the peer that the model has taken and not executed
	refusals  int                // receive requests that the model has refused, and the device has not
	late      []inbound          // without the retire port: atomics without an answer when the stream ended
	words     map[uint64]uint64  // what was there before them

	taken     int // requests of the peer that the model has taken
	executed  int // of these, how many it has executed
	answered  int // of these, how many have left the device, answered
	left      int // Reads and Atomics of this node that have left
	asked     int // Reads and Atomics of this node that the model has transmitted
	replied   int // of these, how many the model has the answer to
	originals int // of these, how many to Atomics
	good      int // of these, how many have their answers in memory
	told      int // Reads and Atomics among the outcomes
	limit     int // of the peer's requests, how many may be executed: what comes behind a failed placement is dropped

	doomed     bool                // a placement has failed: nothing behind it succeeds
	lost       bool                // the device has shown it
	unanswered bool                // the stream has ended, and atomics were not executed
	muted      bool                // memory has failed for an answer: none behind it leaves
	refused    bool                // memory has refused the result of an atomic
	halted     bool                // a work request has failed its check
	unread     bool                // memory did not give the octets of a message: nothing behind it leaves
	closed     bool                // the device has told of a work request without success: none behind it has it
	unhappy    []unhappy           // those, for Settle
	over       bool                // the device has told that the stream has ended
	ended      bool                // the device has sent its Terminate
	failure    spec.Rule           // that no segment is the reason of: what the Terminate says
	sentCode   *wire.TerminateCode // of the device's Terminate
	toldCode   *wire.TerminateCode // of the device's event

	shown    reported // by the retire port
	lostSTag bool     // a request was not executed because its STag was invalidated
	middle   message  // the stream is in the middle of such a message
	cut      [2]bool  // answers, requests: one stopped in the middle, and another message has begun since
}

// message tells in the middle of which message a stream is.
type message int

const (
	messageNone message = iota
	messageAnswer
	messageRequest
)

const noLimit = int(^uint(0) >> 1)

// arrival is a segment; and when it was sent, how many of the peer's requests had their answers, and how many Reads and
// Atomics had left.
type arrival struct {
	octets   []byte
	answered int
	asked    int
}

// promise is a work request that was posted.
type promise struct {
	id       uint64
	signaled bool
	wrong    bool // its local buffer may not be used so
}

// unhappy is a work request without success, as the device has told.
type unhappy struct {
	completion Completion
	wrong      bool
}

// receipt is a receive that the model has completed; lost when its octets, or earlier ones, are not in memory.
type receipt struct {
	completion Completion
	lost       bool
}

// inbound is a request of the peer.
type inbound struct {
	read    bool
	stag    uint32
	address uint64
	octets  uint64
	gone    bool // it can only be executed after its STag has been invalidated
	atomic  wire.AtomicRequest
}

// take lets the model take the next segment of a stream that the device has.
func (n *Node) take(stream uint32) bool {
	f := &n.streams[stream]
	if len(f.segments) == 0 {
		return false
	}
	segment := f.segments[0].octets
	f.segments = f.segments[1:]
	open := n.Model.IsOpen(stream)
	_, waiting := n.Model.Queued(stream)
	v := n.Model.Receive(stream, segment)
	f.trim(n.Model.Queued(stream))
	if !open || v.Error != spec.None {
		if open {
			f.shown.broken = v.Error
		}
		n.observe(stream, segment, v, nil)
		n.collect(stream)
		return true
	}
	if v.Octets > 0 || v.Opcode == wire.OpAtomicResponse {
		f.shown.places++
	}
	if !f.doomed && v.Octets > 0 && n.fails(v.Address, uint64(v.Octets), true) {
		f.doomed, f.limit = true, f.taken
	}
	var request *inbound
	if _, still := n.Model.Queued(stream); v.Opcode == wire.OpWrite && waiting > 0 && still == 0 {
		f.shown.released++
	}
	if v.Last && (v.Opcode == wire.OpSendInv || v.Opcode == wire.OpSendSEInv) {
		view, _ := wire.Classify(segment)
		for i := range f.queue[len(f.queue)-waiting:] { // they waited for this message
			in := &f.queue[len(f.queue)-waiting+i]
			in.gone = in.gone || in.stag == view.Header.InvalidateSTag
		}
	}
	switch {
	case isRequest(v.Opcode):
		f.taken++
		f.queue = append(f.queue, n.inbound(segment, v.Opcode))
		request = &f.queue[len(f.queue)-1]
	case v.Last && (v.Opcode == wire.OpReadResponse || v.Opcode == wire.OpAtomicResponse):
		if v.Opcode == wire.OpAtomicResponse {
			f.originals++
		}
		if f.replied++; !f.doomed {
			f.good++
		}
	}
	n.observe(stream, segment, v, request)
	n.collect(stream)
	return true
}

// collect takes what the model has completed. Nothing succeeds behind a failed placement.
func (n *Node) collect(stream uint32) {
	f := &n.streams[stream]
	for {
		m, is := n.Model.NextReceived(stream)
		if !is {
			break
		}
		if m.Status == rdmap.StatusSuccess { // of the others the device says nothing: the host knows what it has posted
			f.received = append(f.received, receipt{completionOf(m), f.doomed})
		}
	}
	for {
		m, is := n.Model.NextEvent(stream)
		if !is {
			break
		}
		if m.Kind != rdmap.EventSolicited || !f.doomed {
			f.events = append(f.events, m)
		}
	}
	for {
		m, is := n.Model.NextSent(stream)
		if !is {
			break
		}
		if m.Status == rdmap.StatusSuccess && isRequest(m.Opcode) {
			f.told++
		}
		if m.Status == rdmap.StatusSuccess && f.told > f.good {
			m.Status = rdmap.StatusFlushed
		}
		f.outcomes = append(f.outcomes, m)
	}
}

// isRequest tells whether a message has an answer.
func isRequest(op wire.Opcode) bool { return op == wire.OpReadRequest || op == wire.OpAtomicRequest }

// inbound is what a request that the model has taken asks for.
func (n *Node) inbound(segment []byte, op wire.Opcode) inbound {
	parts, _ := wire.Classify(segment)
	var in inbound
	var to uint64
	if in.read = op == wire.OpReadRequest; in.read {
		var r wire.ReadRequest
		_ = r.Decode(parts.Payload) // the model has taken it
		in.stag, to, in.octets = r.DataSourceSTag, r.DataSourceTO, uint64(r.ReadMessageSize)
	} else {
		var r wire.AtomicRequest
		_ = r.Decode(parts.Payload)
		in.stag, to, in.octets, in.atomic = r.RemoteSTag, r.RemoteTO, memory.WordOctets, r
	}
	if region, is := n.Model.Region(int(in.stag >> 8)); is {
		in.address = region.Address + (to - region.Base)
	}
	return in
}

// trim forgets the latest requests, which waited for the rest of a message when the stream ended.
func (f *follower) trim(queued, _ int) { f.queue = f.queue[:min(len(f.queue), queued)] }

// waits tells whether the oldest request of the peer waits for the rest of a message.
func (n *Node) waits(stream uint32) bool {
	queued, waiting := n.Model.Queued(stream)
	return waiting > 0 && waiting == queued
}

// gone tells whether the STag of a request has been invalidated since the request was taken.
func (n *Node) gone(in *inbound) bool {
	if in.octets == 0 {
		return false
	}
	region, is := n.Model.Region(int(in.stag >> 8))
	return !is || !region.Valid
}

// execute lets the model answer the next request of a stream, taking segments until there is one; behind the last of a
// stream that has ended, it ends it.
func (n *Node) execute(stream uint32) *rdmap.Executed {
	f := &n.streams[stream]
	for (len(f.queue) == 0 || n.waits(stream)) && n.Model.IsOpen(stream) {
		if !n.take(stream) {
			return nil
		}
	}
	if len(f.queue) == 0 {
		return n.append(stream, nil)
	}
	in := f.queue[0]
	if f.executed >= f.limit {
		return nil
	}
	if !n.gone(&in) {
		return n.append(stream, &in)
	}
	// Either: the request was executed before the Send with Invalidate was received, or not at all.
	if in.gone {
		return nil
	}
	index := int(in.stag >> 8)
	region, _ := n.Model.Region(index)
	region.Valid = true
	_ = n.Model.SetRegion(index, region) // it was there before
	done := n.append(stream, &in)
	region.Valid = false
	_ = n.Model.SetRegion(index, region)
	return done
}

// append executes and keeps the answers that can leave.
func (n *Node) append(stream uint32, in *inbound) *rdmap.Executed {
	f := &n.streams[stream]
	segments, done := n.Model.Execute(stream)
	muted := f.muted
	if in != nil {
		f.queue = f.queue[1:]
		f.executed++
		if in.read {
			f.shown.begun++
		}
		if first := n.firstFailure(in.address, in.octets, false); in.read && first < in.octets {
			segments = segments[:first/uint64(n.config.MaxPayload)] // those before the failure
			f.muted = true
		}
	}
	if !muted || done != nil && done.Kind == rdmap.ExecutedTerminate {
		for _, s := range segments {
			f.answers = append(f.answers, bytes.Clone(s))
		}
	}
	n.collect(stream)
	return done
}

// followAtomic executes the requests of a stream up to its next atomic, which must be the one that the device reports.
func (n *Node) followAtomic(r Retired) error {
	n.checked.Atomics++
	f := &n.streams[r.Stream]
	fails := n.fails(r.Address, memory.WordOctets, false)
	if !fails && n.fails(r.Address, memory.WordOctets, true) {
		// What a word is that memory does not take, nobody knows but the device.
		n.Model.Memory().SetWord(r.Address, r.Original)
		f.refused = true
	}
	if fails != r.Failed {
		return n.differs(r.Stream, "an atomic", fmt.Sprintf("%+v", r), fmt.Sprintf("failed: %t", fails))
	}
	device := fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", r.Opcode, r.Address, r.Original, r.Result)
	for {
		done := n.execute(r.Stream)
		if done == nil {
			return n.differs(r.Stream, "an atomic", device, "none")
		}
		if done.Kind == rdmap.ExecutedRead {
			continue
		}
		model := fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", done.Opcode, done.Address, done.Original, done.Result)
		if fails && done.Kind == rdmap.ExecutedAtomic {
			model = fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", done.Opcode, done.Address, 0, 0)
			if !f.muted {
				f.answers = f.answers[:len(f.answers)-1]
			}
			f.muted = true
		}
		if done.Kind != rdmap.ExecutedAtomic {
			model = "the stream has ended"
		}
		if device != model {
			return n.differs(r.Stream, "an atomic", device, model)
		}
		return nil
	}
}

// followSegment finds the segment that leaves next in the model.
func (n *Node) followSegment(s Segment) error {
	n.checked.Segments++
	f := &n.streams[s.Stream]
	if f.ended {
		return n.differs(s.Stream, "a segment behind the Terminate", show(s.Octets), "none")
	}
	view, _ := wire.Classify(s.Octets)
	last := view.Header.Last
	if last {
		n.checked.Messages++
	}
	next, of := &f.requests, messageRequest
	switch op := view.Header.Opcode; op {
	case wire.OpTerminate:
		return n.followTerminate(s.Stream, s.Octets)
	case wire.OpReadResponse, wire.OpAtomicResponse:
		next, of = &f.answers, messageAnswer
		for len(*next) == 0 && !f.muted && n.execute(s.Stream) != nil {
		}
		if last {
			f.answered++
		}
		if op == wire.OpAtomicResponse && !n.config.RetirePort {
			n.checked.Atomics++
		}
	default:
		if len(*next) == 0 {
			n.transmit(s.Stream, true)
		}
		if isRequest(op) {
			f.left++
		} else if len(*next) > 0 && last {
			n.Model.Left(s.Stream)
			n.collect(s.Stream)
		}
	}
	if len(*next) == 0 {
		return n.differs(s.Stream, "a segment", show(s.Octets), "none")
	}
	want := (*next)[0]
	*next = (*next)[1:]
	if !bytes.Equal(want, s.Octets) {
		return n.differs(s.Stream, "a segment", show(s.Octets), show(want))
	}
	return n.followMessage(s, of, last)
}

// followMessage finds a message that begins in the middle of another one of its stream, which goes on later. It may stop for good:
// memory, or a local buffer, has failed in the middle of it.
func (n *Node) followMessage(s Segment, of message, last bool) error {
	f := &n.streams[s.Stream]
	if f.middle != messageNone && f.middle != of {
		f.cut[f.middle-1] = true
	}
	if f.cut[of-1] {
		return n.differs(s.Stream, "a segment", show(s.Octets), "none: another message has begun in the middle of this one")
	}
	if f.middle = of; last {
		f.middle = messageNone
	}
	return nil
}

// transmit lets the model start the next work request of a stream that has segments; taking lets it take segments of the
// peer's while it waits for an answer.
func (n *Node) transmit(stream uint32, taking bool) (started bool) {
	f := &n.streams[stream]
	for !f.halted {
		segments, progress := n.Model.Transmit(stream)
		if progress == rdmap.Idle {
			if !taking || !n.take(stream) {
				return started
			}
			continue
		}
		readable := f.starting[0]
		f.starting = f.starting[1:]
		if progress == rdmap.Failed {
			f.halted = true // the stream ends when the device shows it
		} else if view, _ := wire.Classify(segments[0]); isRequest(view.Header.Opcode) {
			f.asked++
		}
		if f.unread {
			segments = nil
		} else if readable < len(segments) {
			segments, f.unread = segments[:readable], true
		}
		for _, s := range segments {
			f.requests = append(f.requests, bytes.Clone(s))
		}
		if started = true; len(segments) > 0 {
			return true
		}
	}
	return started
}

// followEvent takes segments until the model has an event.
func (n *Node) followEvent(e Event) error {
	n.checked.Events++
	n.events = append(n.events, e)
	f := &n.streams[e.Stream]
	if e.Kind == engine.EventEnded || e.Kind == engine.EventClosed {
		f.shown.ends[e.Kind-engine.EventEnded]++
	}
	device := fmt.Sprintf("kind %d, Terminate %v", e.Kind, e.Term)
	switch e.Kind {
	case engine.EventEnded:
		if f.over {
			return n.differs(e.Stream, "an event", device, "none")
		}
		f.over, f.toldCode = true, &e.Term
		return nil // its octets are compared
	case engine.EventReceiveRefused:
		n.checked.Refused++
		n.refused++
		if f.refusals--; f.refusals < 0 && n.Model.IsOpen(e.Stream) || e.Term != (wire.TerminateCode{}) {
			return n.differs(e.Stream, "an event", device, "none")
		}
		return nil
	}
	for {
		if len(f.events) == 0 {
			if !n.take(e.Stream) {
				return n.differs(e.Stream, "an event", device, "none")
			}
			continue
		}
		m := f.events[0]
		f.events = f.events[1:]
		kind := uint8(engine.EventSolicited)
		if m.Kind == rdmap.EventTerminated {
			kind, f.over = engine.EventClosed, true
		} else if e.Kind != engine.EventSolicited && n.findsDoom(e.Stream) {
			continue // Either: what was on its way when a placement failed succeeds, or is lost
		}
		if model := fmt.Sprintf("kind %d, Terminate %v", kind, m.Term); device != model {
			return n.differs(e.Stream, "an event", device, model)
		}
		return nil
	}
}

// followCompletion takes segments until the model has the completion.
func (n *Node) followCompletion(c Completion) error {
	n.checked.Completions++
	if c.Recv {
		return n.followReceive(c)
	}
	f := &n.streams[c.Stream]
	none := func() error { return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), "none") }
	for len(f.work) > 0 && f.work[0].id != c.ID && !f.work[0].signaled && !f.closed {
		// A work request that is not signaled is passed over when it has succeeded.
		if m, is := n.outcome(c.Stream); !is || m.Status != rdmap.StatusSuccess {
			return none()
		}
		f.work = f.work[1:]
	}
	if len(f.work) == 0 || f.work[0].id != c.ID {
		return none()
	}
	w := f.work[0]
	f.work = f.work[1:]
	if c.Status != engine.StatusSuccess {
		f.closed = true
		f.unhappy = append(f.unhappy, unhappy{c, w.wrong})
		return nil
	}
	m, is := n.outcome(c.Stream)
	if !is || f.closed || !w.signaled {
		return none()
	}
	if want := completionOf(m); c != want {
		return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), fmt.Sprintf("%+v", want))
	}
	return nil
}

// outcome is the end of the oldest work request, if the model has it or comes to it by taking segments.
func (n *Node) outcome(stream uint32) (m rdmap.Completion, is bool) {
	f := &n.streams[stream]
	for len(f.outcomes) == 0 {
		if !n.take(stream) {
			return m, false
		}
	}
	m = f.outcomes[0]
	f.outcomes = f.outcomes[1:]
	return m, true
}

// followReceive compares the completion of a receive.
func (n *Node) followReceive(c Completion) error {
	f := &n.streams[c.Stream]
	f.shown.received++
	for len(f.received) == 0 && n.take(c.Stream) {
	}
	if len(f.received) == 0 {
		return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), "none")
	}
	want := f.received[0]
	f.received = f.received[1:]
	if c.Status == engine.StatusMemory {
		// Either: what was on its way when a placement failed succeeds, or is lost with it; and all behind it.
		f.lost = true
		if n.findsDoom(c.Stream) && c.ID == want.completion.ID {
			return nil
		}
	} else if !f.lost && !want.lost && c == want.completion {
		n.invalidated(c)
		return nil
	}
	return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), fmt.Sprintf("%+v, lost: %t", want.completion, f.lost || want.lost))
}

// findsDoom tells whether a placement has failed, with all segments taken that it needs.
func (n *Node) findsDoom(stream uint32) bool {
	f := &n.streams[stream]
	for !f.doomed && n.take(stream) {
	}
	return f.doomed
}

// invalidated marks the requests that cannot have started when the completion of a Send with Invalidate came, and must fail
// now: Reads that wait for an atomic, where its execution is reported, and atomics that wait for a Read.
func (n *Node) invalidated(c Completion) {
	f := &n.streams[c.Stream]
	if c.STag == 0 {
		return
	}
	reads, atomics := len(f.answers) > 0, false
	for i := range f.queue {
		in := &f.queue[i]
		if in.stag == c.STag && (in.read && atomics && n.config.RetirePort || !in.read && reads) {
			in.gone = true
		}
		reads, atomics = reads || in.read, atomics || !in.read
	}
}

// completionOf is what the model completes, as the device tells it.
func completionOf(m rdmap.Completion) Completion {
	return Completion{Stream: m.Stream, ID: m.ID, Status: statusOf(m.Status), Opcode: m.Opcode, Recv: m.Recv, Length: m.Length, Data: m.Data, STag: m.STag}
}

func statusOf(s rdmap.Status) uint8 {
	switch s {
	case rdmap.StatusFlushed:
		return engine.StatusFlushed
	case rdmap.StatusProtection:
		return engine.StatusProtection
	}
	return engine.StatusSuccess
}
