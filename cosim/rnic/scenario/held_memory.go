package scenario

import (
	"errors"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// heldFailures makes memory fail for one placement of every stream, with its responses held until the receive side is stuck
// waiting for them. Each stream ends because of its failure, and memory_errors counts each.
func heldFailures(s *stage) error {
	broken, err := s.region(1<<20, memory.RemoteWrite)
	if err != nil {
		return err
	}
	source, err := s.region(4096, memory.RemoteRead)
	if err != nil {
		return err
	}
	if err := s.SetFaulty(simulator.Range{First: broken.Address, Last: broken.Address + broken.Length - 1, Reads: true, Writes: true}); err != nil {
		return err
	}
	streams := s.streams
	if err := s.openRaw(streams...); err != nil {
		return err
	}
	s.may(streams...)
	if err := s.hold("m_axi_b"); err != nil {
		return err
	}
	for i, stream := range streams {
		s.Send(stream, wire.AppendWrite(nil, broken.stag(), broken.Base+uint64(256*i), true, s.octets(8)))
	}
	// The first waiting item belongs to the placement that fails last.
	for range min(s.config.IRD, max(1, 256/len(streams))) {
		for _, stream := range slices.Backward(streams) {
			s.read(stream, source, source.Base, 1+s.rand.Uint32N(64))
		}
	}
	if err := s.pass(3000); err != nil {
		return err
	}
	if n := len(s.out.Events); n > 0 {
		return fail("%d ends of streams are reported before memory has failed", n)
	}
	if err := s.release("m_axi_b"); err != nil {
		return err
	}
	if err := s.done(); err != nil {
		return err
	}
	if n := len(s.out.Events); n != len(streams) {
		return fail("memory has failed for %d streams, and %d have ended", len(streams), n)
	}
	return s.register("memory_errors", uint32(len(streams)))
}

// Capacities of the engine's buffers, as observable at the ports.
const (
	deliveryRoom  = 128 - 1 // the next segment occupies the last slot until it turns out to need no delivery
	placementRoom = 16 + 2  // likewise
)

// heldDeliveries fills the buffer with waiting receives and requests: the first waits for its placement, those of all streams for
// the first. The placement of another stream must complete meanwhile.
func heldDeliveries(s *stage) error {
	target, err := s.nearRegion(1<<24, memory.RemoteWrite|memory.RemoteRead)
	if err != nil {
		return err
	}
	if err := s.openRaw(s.streams...); err != nil {
		return err
	}
	for _, stream := range s.streams {
		for range s.share(deliveryRoom, s.config.ReceiveDepth) {
			if err := s.PostReceive(receiveNothing(s, stream)); err != nil {
				return err
			}
		}
	}
	if err := s.pass(1000); err != nil {
		return err
	}
	if err := s.hold("m_axi_b"); err != nil {
		return err
	}
	first, other := s.streams[0], s.streams[1]
	s.write(first, target, s.octets(8))
	left := deliveryRoom
	for range s.share(deliveryRoom, s.config.ReceiveDepth) {
		for _, stream := range s.streams {
			if left > 0 {
				s.immediate(stream)
				left--
			}
		}
	}
	for range s.config.IRD {
		for _, stream := range s.streams {
			if left > 0 {
				s.read(stream, target, target.Base+4096, 1)
				left--
			}
		}
	}
	before := s.beats("m_axi_aw")
	s.write(other, target, s.octets(8))
	if err := s.pass(2000); err != nil {
		return err
	}
	if n := s.completions(-1); n > 0 {
		return fail("%d receives complete before the preceding Write is in memory", n)
	}
	if n := s.beats("m_axi_aw") - before; n != 2 {
		return fail("%d items that wait for a placement hold up the placement of another stream", deliveryRoom)
	}
	if err := s.release("m_axi_b"); err != nil {
		return err
	}
	return s.done()
}

// share divides a number of items among the streams, at most depth each.
func (s *stage) share(things, depth int) int {
	return min(depth, (things+len(s.streams)-1)/len(s.streams))
}

// heldPlacements fills the buffer with Writes waiting for memory. A receive of another stream must complete meanwhile.
func heldPlacements(s *stage) error {
	target, err := s.region(1<<24, memory.RemoteWrite|memory.LocalWrite)
	if err != nil {
		return err
	}
	if err := s.openRaw(s.streams...); err != nil {
		return err
	}
	first, other := s.streams[0], s.streams[1]
	if err := s.PostReceive(receiveNothing(s, other)); err != nil {
		return err
	}
	if err := s.hold("m_axi_aw", "m_axi_w"); err != nil {
		return err
	}
	// One in the arbiter, one at the output of placement, one being processed by it.
	const moving = 3
	for range placementRoom + moving {
		s.Send(first, wire.AppendWrite(nil, target.stag(), s.fresh(first, target, 8), true, s.octets(8)))
	}
	s.immediate(other)
	if err := s.pass(3000); err != nil {
		return err
	}
	if n := s.completions(int(other)); n != 1 {
		return fail("%d placements that wait for memory hold up a receive of another stream", placementRoom+moving)
	}
	if err := s.release("m_axi_aw", "m_axi_w"); err != nil {
		return err
	}
	return s.done()
}

// unansweredPlacements sends more Writes than there are placement numbers, while memory answers none of them: numbers must not wrap
// around, or a receive after a Write would complete before it.
func unansweredPlacements(s *stage) error {
	const numbers, before, behind = 512, 505, 12 // placement numbers; Writes of another stream before and after the observed one
	target, err := s.region(1<<24, memory.RemoteWrite|memory.LocalWrite)
	if err != nil {
		return err
	}
	if err := s.openRaw(s.streams...); err != nil {
		return err
	}
	first, other := s.streams[0], s.streams[1]
	if err := errors.Join(s.PostReceive(receiveNothing(s, other)), s.Device.Memory().SetOutstanding(simulator.MaxOutstanding), s.hold("m_axi_b")); err != nil {
		return err
	}
	write := func(stream uint32) {
		s.Send(stream, wire.AppendWrite(nil, target.stag(), s.fresh(stream, target, 8), true, s.octets(8)))
	}
	for range before {
		write(first)
	}
	write(other)
	for range behind {
		write(first)
	}
	s.immediate(other)
	if err := s.pass(6000); err != nil {
		return err
	}
	if n := s.beats("m_axi_aw"); n < numbers-64 {
		return fail("memory received %d of %d Writes", n, before+1+behind)
	}
	if n := s.completions(int(other)); n != 0 {
		return fail("a receive completes before the preceding Write, which memory has not answered")
	}
	if err := s.release("m_axi_b"); err != nil {
		return err
	}
	return s.done()
}

// fresh allocates an unused beat of a region.
func (s *stage) fresh(stream uint32, a *area, octets int) uint64 {
	to := a.next(octets, 256)
	s.touches(stream, a, to, octets)
	return to
}
