package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// work is a posted work request.
type work struct {
	WorkRequest
	msn    uint32 // of a Read or Atomic Request
	octets uint32 // octets received of a Read
	data   uint64 // value returned by an Atomic
	done   bool   // ready to complete with status
	status Status
}

// isRequest reports whether the message has a response, so that it counts against ORD.
func (w *work) isRequest() bool { return byRequest[w.Opcode] != nil }

// Progress is the result of Transmit.
type Progress uint8

const (
	Idle        Progress = iota // no work request may start
	Transmitted                 // a work request started; all its segments are returned
	Failed                      // a work request started, but its local buffer or memory failed; no other starts on the stream
)

// Transmit starts the next work request of a stream, in the order of posting, and returns its segments; they are valid
// until the next Transmit or Execute. While ORD requests with a response are outstanding, the next one waits, and so do
// all later work requests.
//
// Messages are split into segments of MaxPayload octets. The local buffer of a Write or Send is checked before the first one;
// if memory fails for a later one, those before it are sent. After a failure the caller must call Fail when the stream has
// ended.
func (e *Engine) Transmit(stream uint32) ([][]byte, Progress) {
	e.begin()
	s := &e.streams[stream]
	if s.halted || s.next == s.work.next {
		return nil, Idle
	}
	w := s.work.at(s.next)
	if w.isRequest() && s.outstanding.len() >= e.config.ORD {
		return nil, Idle
	}
	switch {
	case w.isRequest():
		e.transmitRequest(s, w)
	case w.Opcode.Is(spec.Immediate):
		start := len(e.tx)
		e.tx = wire.AppendImmediate(e.tx, w.Opcode == wire.OpImmediateSE, s.count(wire.QueueSend), w.Operands.Data)
		e.emit(start)
	default:
		e.transmitData(s, w)
	}
	number := s.next
	s.next++
	if s.halted {
		e.complete(s)
		return e.segments, Failed
	}
	if w.isRequest() {
		s.outstanding.push(number)
	} else {
		s.leaving.push(number)
	}
	return e.segments, Transmitted
}

// count returns the MSN of the next message sent on a queue, and increments it.
func (s *endpoint) count(queue uint32) uint32 {
	msn := s.sent[queue]
	s.sent[queue]++
	return msn
}

// protect fails a work request whose local buffer may not be accessed.
func (e *Engine) protect(s *endpoint, w *work) {
	w.done, w.status = true, StatusProtection
	s.halted = true
	e.counters.ProtectionErrors++
}

// transmitData splits an RDMA Write or a Send into segments, if its local buffer may be read: otherwise the Terminate takes the place of
// the whole message (RFC 7306 section 8.1).
func (e *Engine) transmitData(s *endpoint, w *work) {
	address, fault := e.table.Check(s.peer, w.Local.STag, w.Local.TO, uint64(w.Length), memory.LocalRead)
	if fault != memory.Granted {
		e.protect(s, w)
		return
	}
	msn := uint32(0)
	if w.Opcode != wire.OpWrite {
		msn = s.count(wire.QueueSend)
	}
	for offset, left := uint32(0), int(w.Length); ; {
		n := min(left, e.config.MaxPayload)
		left -= n
		var h wire.DDPHeader
		if w.Opcode == wire.OpWrite {
			h = wire.TaggedHeader(wire.OpWrite, w.Remote.STag, w.Remote.TO+uint64(offset), left == 0)
		} else {
			h = wire.UntaggedHeader(w.Opcode, msn, offset)
			h.Last = left == 0
			if w.Opcode == wire.OpSendInv || w.Opcode == wire.OpSendSEInv {
				h.InvalidateSTag = w.Remote.STag
			}
		}
		if !e.emitData(s, &h, address+uint64(offset), n) {
			s.halted = true
			return
		}
		if left == 0 {
			return
		}
		offset += uint32(n)
	}
}

// transmitRequest sends a request. The local buffer must have room for its response.
func (e *Engine) transmitRequest(s *endpoint, w *work) {
	o := byRequest[w.Opcode]
	buffer, _ := o.lengths(&w.WorkRequest)
	if _, fault := e.table.Check(s.peer, w.Local.STag, w.Local.TO, uint64(buffer), memory.LocalWrite); fault != memory.Granted {
		e.protect(s, w)
		return
	}
	w.msn = s.count(wire.QueueRequest)
	start := len(e.tx)
	e.tx = o.appendRequest(e.tx, w)
	e.emit(start)
}

// Left reports to the engine that the last segment of the oldest transmitted Write, Send or Immediate Data of a stream
// has left the node. It returns false if there is none.
func (e *Engine) Left(stream uint32) bool {
	s := &e.streams[stream]
	if s.leaving.len() == 0 {
		return false
	}
	s.work.at(*s.leaving.pop()).done = true
	e.complete(s)
	return true
}
