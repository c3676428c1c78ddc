package rdmap

import "github.com/rnicgen/rnicgen/model/wire"

// Position is where a stream stands: as if it had been open for long.
type Position struct {
	Expected [4]uint32 // MSN of the message that comes next on each untagged queue
	Sent     [4]uint32 // MSN of the message that leaves next on each untagged queue

	// Of the Send that is coming, when SendOctets is not 0.
	SendOpcode wire.Opcode
	SendOctets uint32 // that have come

	ReadOctets uint32 // of the answer to the oldest Read that is outstanding, which have come
}

// Resume puts a stream that is open, and on which nothing but that Read is under way, where it would be later. For tests.
func (e *Engine) Resume(stream uint32, p Position) {
	s := &e.streams[stream]
	s.expected, s.sent = p.Expected, p.Sent
	s.begun, s.opcode, s.octets = p.SendOctets > 0, p.SendOpcode, p.SendOctets
	if s.outstanding.len() > 0 {
		s.work.at(*s.outstanding.front()).octets = p.ReadOctets
	}
}

// Position is where a stream stands.
func (e *Engine) Position(stream uint32) Position {
	s := &e.streams[stream]
	p := Position{Expected: s.expected, Sent: s.sent, SendOpcode: s.opcode, SendOctets: s.octets}
	if s.outstanding.len() > 0 {
		p.ReadOctets = s.work.at(*s.outstanding.front()).octets
	}
	return p
}
