package scenario

import (
	"errors"
	"math/bits"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// heldResponses holds m_axis_tx. A Read of more segments than the transmit side holds blocks read_responder, and the next request
// blocks request_order, so that all others wait in the buffer, and so do the Terminates.
func heldResponses(s *stage) error {
	source, err := s.region(1<<32, memory.RemoteRead)
	if err != nil {
		return err
	}
	words, err := s.region(1<<20, memory.RemoteAtomic)
	if err != nil {
		return err
	}
	if err := s.fill(source, 4096); err != nil {
		return err
	}
	streams := s.streams
	if s.config.Streams*s.config.IRD <= 1<<14 { // all of them, otherwise the buffer cannot be filled
		streams = nil
		for i := range s.config.Streams {
			streams = append(streams, uint32(i))
		}
	}
	if err := s.openRaw(streams...); err != nil {
		return err
	}
	if err := s.hold("m_axis_tx"); err != nil {
		return err
	}
	for _, stream := range streams {
		if err := s.PostReceive(receiveNothing(s, stream)); err != nil {
			return err
		}
	}
	s.read(streams[0], source, source.Base, uint32((s.segmentsHeld()+8)*s.config.MaxPayload))
	// The next request is stuck in request_order: a Read of another stream, or an Atomic of the same one.
	if s.config.IRD > 1 {
		s.fetchAdd(streams[0], words, words.Base+8*uint64(streams[0]))
	} else {
		s.read(streams[1], source, source.Base, 1)
	}
	for more := true; more; {
		more = false
		for _, stream := range streams {
			if int(s.raw[stream].request) > s.config.IRD {
				continue
			}
			more = true
			if s.rand.IntN(2) == 0 {
				s.fetchAdd(stream, words, words.Base+8*uint64(stream))
			} else {
				s.read(stream, source, source.Base+uint64(s.rand.IntN(4000)), uint32(s.rand.IntN(96)))
			}
		}
		if err := s.pass(64); err != nil {
			return err
		}
	}
	for _, stream := range streams {
		s.immediate(stream)
	}
	cycles := uint64(1000 + 8*len(streams)*(s.config.IRD+2))
	if err := s.pass(cycles); err != nil {
		return err
	}
	if n := s.completions(-1); n != len(streams) {
		return fail("while m_axis_tx is held, %d of %d receives complete", n, len(streams))
	}
	for _, stream := range streams {
		s.sendInvalid(stream)
	}
	if err := s.pass(cycles); err != nil {
		return err
	}
	if n := len(s.out.Events); n != len(streams) {
		return fail("while m_axis_tx is held, %d of %d ends of streams are reported", n, len(streams))
	}
	if err := s.release("m_axis_tx"); err != nil {
		return err
	}
	if err := s.done(); err != nil {
		return err
	}
	for _, stream := range streams {
		segments := s.left[stream]
		if last, _ := wire.Classify(segments[len(segments)-1].Octets); !last.Header.Opcode.Is(spec.Terminate) {
			return fail("the last segment on stream %d is a %s, not a Terminate", stream, last.Header.Opcode)
		}
	}
	return s.register("terminates_sent", uint32(len(streams)))
}

// segmentsHeld is a lower bound of the number of longest segments that the transmit side holds with their payload.
func (s *stage) segmentsHeld() int {
	beats := s.config.MaxPayload / s.config.BusBytes
	return min(commandRoom(s.config, s.config.MaxPayload), payloadRoom(s.config)/beats)
}

// heldCommands requests more segments than the transmit side holds: memory must be read ahead for as many as fit.
func heldCommands(s *stage) error {
	source, err := s.region(1<<20, memory.RemoteRead)
	if err != nil {
		return err
	}
	if err := s.fill(source, 4096); err != nil {
		return err
	}
	if err := s.openRaw(s.streams...); err != nil {
		return err
	}
	if err := s.hold("m_axis_tx"); err != nil {
		return err
	}
	// Each segment has at most four beats.
	before, octets := s.beats("m_axi_ar"), uint32(8)
	asked := 0
	for range s.config.IRD {
		for _, stream := range s.streams {
			s.read(stream, source, source.Base+256*uint64(s.rand.IntN(8)), octets)
			asked++
		}
	}
	if err := s.pass(2000 + 4*uint64(asked)); err != nil {
		return err
	}
	// One more is at the output; each segment occupies the beats of its octets after the header.
	beats := (readResponseHeader%s.config.BusBytes + int(octets) + s.config.BusBytes - 1) / s.config.BusBytes
	want := min(asked, commandRoom(s.config, int(octets)), payloadRoom(s.config)/beats)
	if n := int(s.beats("m_axi_ar") - before); n < want {
		return fail("while m_axis_tx is held, memory is read for %d segments of %d; there is room for %d", n, asked, want)
	}
	if err := s.release("m_axis_tx"); err != nil {
		return err
	}
	if err := s.done(); err != nil {
		return err
	}
	// Payload of the longest segments: as many segments as fit with all their beats.
	if err := s.hold("m_axis_tx"); err != nil {
		return err
	}
	each := s.config.MaxPayload / s.config.BusBytes
	segments := min(commandRoom(s.config, s.config.MaxPayload), payloadRoom(s.config)/(each+1))
	source.Base, source.Length = 0, 1<<32
	if err := errors.Join(s.SetRegion(source.index, source.Region)); err != nil {
		return err
	}
	before = s.beats("m_axi_r")
	s.read(s.streams[0], source, -source.Address&0xFFFF, uint32((s.segmentsHeld()+8)*s.config.MaxPayload))
	if err := s.pass(1000 + uint64(2*payloadRoom(s.config))); err != nil {
		return err
	}
	if n := int(s.beats("m_axi_r") - before); n < segments*each {
		return fail("while m_axis_tx is held, %d beats of payload are read; there is room for %d segments of %d", n, segments, each)
	}
	if err := s.release("m_axis_tx"); err != nil {
		return err
	}
	return s.done()
}

// commandRoom is a lower bound of the number of segments of Read Responses, each with some octets of payload, that the transmit side holds:
// as many as have the beats, header and payload, that hide the memory latency, and two that are sent.
func commandRoom(c gen.Config, octets int) int {
	beats := (readResponseHeader + octets + c.BusBytes - 1) / c.BusBytes
	return (176+2*(c.MaxPayload/c.BusBytes+1))/beats + 2
}

// readResponseHeader is the number of octets of a tagged DDP header.
const readResponseHeader = 14

// payloadRoom is the number of beats of payload that the transmit side holds: enough for the memory latency and three segments.
func payloadRoom(c gen.Config) int {
	return 1 << bits.Len(uint(224+3*(c.MaxPayload/c.BusBytes+1)-1))
}
