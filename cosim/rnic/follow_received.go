package rnic

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// take makes the model receive the stream's next segment.
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
			f.shown.broken, f.broke = v.Error, segment
		} else if f.failures.has(local) { // the device may have received it before the failure
			n.mayFlushLate(segment)
		}
		n.observe(stream, segment, v, nil)
		n.collect(stream)
		return true
	}
	if v.Octets > 0 || isOf(v.Opcode, spec.AtomicResponse) {
		f.shown.places++
	}
	if !f.failures.has(placementFailed) && v.Octets > 0 && n.fails(v.Address, uint64(v.Octets), true) {
		f.failures |= placementFailed
		f.limit = f.taken
	}
	var request *inbound
	if _, still := n.Model.Queued(stream); isOf(v.Opcode, spec.Write) && waiting > 0 && still == 0 {
		f.shown.released++
	}
	if v.Last && isOf(v.Opcode, spec.SendInvalidate) {
		view, _ := n.classify(segment)
		for i := range f.queue[len(f.queue)-waiting:] { // requests that waited for this message
			in := &f.queue[len(f.queue)-waiting+i]
			in.gone = in.gone || in.stag == view.Header.InvalidateSTag
		}
	}
	switch {
	case isRequest(v.Opcode):
		f.taken++
		f.queue = append(f.queue, n.inbound(segment, v.Opcode))
		request = &f.queue[len(f.queue)-1]
	case v.Last && isOf(v.Opcode, spec.Responses):
		if isOf(v.Opcode, spec.Replies) {
			f.originals++
		}
		if f.replied++; !f.failures.has(placementFailed) {
			f.good++
		}
	}
	n.observe(stream, segment, v, request)
	n.collect(stream)
	return true
}

// collect takes the model's completions. Nothing succeeds after a failed placement.
func (n *Node) collect(stream uint32) {
	f := &n.streams[stream]
	for {
		m, is := n.Model.NextReceived(stream)
		if !is {
			break
		}
		if m.Status == rdmap.StatusSuccess { // the device does not report the others: the host knows what it has posted
			f.received = append(f.received, receipt{completionOf(m), f.failures.has(placementFailed)})
		}
	}
	for {
		m, is := n.Model.NextEvent(stream)
		if !is {
			break
		}
		if m.Kind == rdmap.EventMismatch {
			continue // the device says so with the event of the end of the stream
		}
		if m.Kind != rdmap.EventSolicited || !f.failures.has(placementFailed) {
			f.events = append(f.events, m)
		}
	}
	for {
		m, is := n.Model.NextSent(stream)
		if !is {
			break
		}
		if m.Status == rdmap.StatusSuccess && isRequest(m.Opcode) {
			f.reported++
		}
		if m.Status == rdmap.StatusSuccess && f.reported > f.good {
			m.Status = rdmap.StatusFlushed
		}
		f.outcomes = append(f.outcomes, m)
	}
}

// isRequest reports whether a message has a response.
func isRequest(op wire.Opcode) bool { return isOf(op, spec.Requests) }

// inbound decodes a request that the model has received.
func (n *Node) inbound(segment []byte, op wire.Opcode) inbound {
	parts, _ := n.classify(segment)
	in := inbound{opcode: op, payload: parts.Payload, header: parts.Header, length: len(segment)}
	var to uint64
	in.stag, to, in.octets = rdmap.Names(op, parts.Payload)
	if region, is := n.Model.Region(int(in.stag >> 8)); is {
		in.address = region.Address + (to - region.Base)
	}
	return in
}

// trim drops the latest requests, which waited for the rest of a message when the stream ended.
func (f *follower) trim(queued, _ int) { f.queue = f.queue[:min(len(f.queue), queued)] }
