package rdmap

import "github.com/rnicgen/rnicgen/model/wire"

// Position is the progress of a stream, for starting as if it had been open for long.
type Position struct {
	Expected [4]uint32 // next MSN to receive on each untagged queue
	Sent     [4]uint32 // next MSN to send on each untagged queue

	// The Send being received, if SendOctets is not 0.
	SendOpcode wire.Opcode
	SendOctets uint32 // octets received

	ReadOctets uint32 // octets received of the response to the oldest outstanding Read
}

// Resume sets the position of an open stream with nothing but that Read in flight. For tests.
func (e *Engine) Resume(stream uint32, p Position) {
	s := &e.streams[stream]
	s.expected, s.sent = p.Expected, p.Sent
	s.inSend, s.opcode, s.octets = p.SendOctets > 0, p.SendOpcode, p.SendOctets
	if s.outstanding.len() > 0 {
		s.work.at(*s.outstanding.front()).octets = p.ReadOctets
	}
}

// Position returns the position of a stream.
func (e *Engine) Position(stream uint32) Position {
	s := &e.streams[stream]
	p := Position{Expected: s.expected, Sent: s.sent, SendOpcode: s.opcode, SendOctets: s.octets}
	if s.outstanding.len() > 0 {
		p.ReadOctets = s.work.at(*s.outstanding.front()).octets
	}
	return p
}
