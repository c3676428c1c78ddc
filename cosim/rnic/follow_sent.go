package rnic

import (
	"bytes"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// followSegment finds the next sent segment in the model.
func (n *Node) followSegment(s Segment) error {
	n.checked.Segments++
	f := &n.streams[s.Stream]
	if f.life.silent() {
		return n.differs(s.Stream, "a segment after the Terminate", n.show(s.Octets), "none")
	}
	view, _ := n.classify(s.Octets)
	last := view.Header.Last
	if last {
		n.checked.Messages++
	}
	next, of := &f.requests, messageRequest
	switch op := view.Header.Opcode; {
	case isOf(op, spec.Terminate):
		return n.followTerminate(s.Stream, s.Octets)
	case isOf(op, spec.Responses):
		next, of = &f.responses, messageResponse
		for len(*next) == 0 && !f.failures.has(responseFailed) && n.execute(s.Stream) != nil {
		}
		if last {
			f.answered++
		}
		if isOf(op, spec.AtomicResponse) && !n.config.RetirePort {
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
		return n.differs(s.Stream, "a segment", n.show(s.Octets), "none")
	}
	want := (*next)[0]
	*next = (*next)[1:]
	if !bytes.Equal(want, s.Octets) {
		return n.differs(s.Stream, "a segment", n.show(s.Octets), n.show(want))
	}
	return n.followMessage(s, of, last)
}

// followMessage finds a message that starts in the middle of another one of its stream, which continues later. The other one may
// also be abandoned: memory failed in the middle of it.
func (n *Node) followMessage(s Segment, of message, last bool) error {
	f := &n.streams[s.Stream]
	if f.middle != messageNone && f.middle != of {
		f.cut[f.middle-1] = true
	}
	if f.cut[of-1] {
		return n.differs(s.Stream, "a segment", n.show(s.Octets), "none: another message has started in the middle of this one")
	}
	if f.middle = of; last {
		f.middle = messageNone
	}
	return nil
}

// transmit makes the model start the stream's next work request that has segments; taking lets it receive segments of the peer
// while it waits for a response.
func (n *Node) transmit(stream uint32, taking bool) (started bool) {
	f := &n.streams[stream]
	for !f.failures.has(workRefused) {
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
			f.failures |= workRefused // the stream ends once the device shows it
		} else if view, _ := n.classify(segments[0]); isRequest(view.Header.Opcode) {
			f.asked++
		}
		if f.failures.has(payloadUnread) {
			segments = nil
		} else if readable < len(segments) {
			segments = segments[:readable]
			f.failures |= payloadUnread
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
