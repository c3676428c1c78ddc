package scenario

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/sim"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

var pressureScenarios = []Scenario{
	{Name: "held-ports", Doc: "every output port and memory channel is held for thousands of cycles under full load", run: heldPorts},
	{Name: "longest-segments", Doc: "segments of 65,535 octets behind each other, memory held", run: longestSegments},
	{Name: "held-answers", Doc: "nobody takes answers: every stream has all its requests and its Terminate inside, and receives go on", run: heldAnswers,
		lacks: func(c gen.Config) string { return atLeast("streams", c.Streams, 4) }},
	{Name: "held-failures", Doc: "memory fails for all streams at once while the way to their Terminates is full", run: heldFailures},
	{Name: "held-deliveries", Doc: "deliveries wait for a placement; placements behind them go on", run: heldDeliveries,
		lacks: func(c gen.Config) string {
			n := min(c.Streams, most)
			return atLeast("what streams * (receive_depth + ird) comes to", n*(min(c.ReceiveDepth, (deliveryRoom+n-1)/n)+c.IRD), deliveryRoom)
		}},
	{Name: "held-placements", Doc: "placements wait for memory; what follows from other segments goes on", run: heldPlacements},
	{Name: "unanswered-placements", Doc: "memory answers none of more Writes than placements have numbers: nothing completes before its own", run: unansweredPlacements},
	{Name: "memory-ids", Doc: "bursts of payload have ID 0, those of the words of Atomics ID 1", run: memoryIDs, sets: true},
	{Name: "held-commands", Doc: "nobody takes segments: as many as the transmit side holds have their payload", run: heldCommands},
}

// heldPorts holds each port at a random moment of full load.
func heldPorts(s *stage) error {
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	if err := s.open(s.streams...); err != nil {
		return err
	}
	for _, port := range []string{"m_axis_tx", "cqe", "event", "m_axi_aw", "m_axi_w", "m_axi_b", "m_axi_ar", "m_axi_r"} {
		if err := l.round(); err != nil {
			return err
		}
		if err := s.pass(uint64(s.rand.IntN(600))); err != nil {
			return err
		}
		if err := s.hold(port); err != nil {
			return err
		}
		before := s.beats(port)
		if err := s.pass(3000); err != nil {
			return err
		}
		if n := s.beats(port) - before; n > 0 {
			return fail("%s has passed %d beats while it was held", port, n)
		}
		if err := s.release(port); err != nil {
			return err
		}
		if err := s.done(); err != nil {
			return err
		}
	}
	return nil
}

// longestSegments sends segments as long as there can be: one of them fills the payload buffer, since nothing of it may be placed
// before its end is there. The next one finds it full.
func longestSegments(s *stage) error {
	target, err := s.region(1<<32, memory.RemoteWrite|memory.LocalWrite)
	if err != nil {
		return err
	}
	stream, other := s.streams[0], s.streams[1]
	if err := s.openRaw(stream, other); err != nil {
		return err
	}
	const write, send = wire.MaxSegment - 14, wire.MaxSegment - 18 // octets of payload
	for range 2 {
		if err := s.receive(stream, target, send); err != nil {
			return err
		}
	}
	if err := s.hold("m_axi_w"); err != nil {
		return err
	}
	for _, n := range []int{write, 1, 0, write, 17} {
		s.write(stream, target, s.octets(n))
		s.write(other, target, s.octets(1+s.rand.IntN(write)))
	}
	s.send(stream, s.octets(send))
	s.write(other, target, s.octets(write))
	s.send(stream, s.octets(send-1))
	beats := uint64(16 * wire.MaxSegment / s.config.BusBytes)
	if err := s.pass(min(beats, 4000)); err != nil {
		return err
	}
	if err := s.release("m_axi_w"); err != nil {
		return err
	}
	if err := s.done(); err != nil {
		return err
	}
	// One by one, every length at which the last beat is another.
	for n := write - s.config.BusBytes; n <= write; n++ {
		s.write(stream, target, s.octets(n))
	}
	return s.done()
}

// heldAnswers keeps m_axis_tx held. A Read of more segments than the transmit side holds keeps read_responder, and a request behind
// it request_order, so that all others wait in the buffer, and so do the Terminates.
func heldAnswers(s *stage) error {
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
	if s.config.Streams*s.config.IRD <= 1<<14 { // all of them, or the buffer cannot be full
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
	// What comes next is stuck in request_order: a Read of another stream behind it, or an Atomic of the same one.
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
	clocks := uint64(1000 + 8*len(streams)*(s.config.IRD+2))
	if err := s.pass(clocks); err != nil {
		return err
	}
	if n := s.completions(-1); n != len(streams) {
		return fail("while m_axis_tx is held, %d of %d receives complete", n, len(streams))
	}
	for _, stream := range streams {
		s.wrong(stream)
	}
	if err := s.pass(clocks); err != nil {
		return err
	}
	if n := len(s.out.Events); n != len(streams) {
		return fail("while m_axis_tx is held, the host hears of %d of %d ends of streams", n, len(streams))
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
			return fail("the last segment on stream %d is no Terminate but a %s", stream, last.Header.Opcode)
		}
	}
	return s.register("terminates_sent", uint32(len(streams)))
}

// segmentsHeld is at least how many of the longest segments the transmit side holds with their payload.
func (s *stage) segmentsHeld() int {
	beats := s.config.MaxPayload / s.config.BusBytes
	return min(commandRoom, payloadRoom(s.config)/beats)
}

// heldFailures lets memory fail for one placement of every stream when its answers have been held until the receive side is
// stuck behind what waits for them. Each stream ends, by its failure, and memory_errors counts each.
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
	// The first of what waits belongs to the placement that fails last.
	for range min(s.config.IRD, max(1, 256/len(streams))) {
		for _, stream := range slices.Backward(streams) {
			s.read(stream, source, source.Base, 1+s.rand.Uint32N(64))
		}
	}
	if err := s.pass(3000); err != nil {
		return err
	}
	if n := len(s.out.Events); n > 0 {
		return fail("the host hears of %d ends of streams before memory has failed", n)
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

// The rooms of the engine's buffers, as far as they show at the ports.
const (
	deliveryRoom  = 128 - 1 // of the buffer; the segment behind them needs the last place until it turns out to lead to no delivery
	placementRoom = 16 + 2  // the same
	commandRoom   = 256 + 1 // in the buffer and at its output
)

// heldDeliveries lets as many receives and requests wait as there is room for: the first for its placement, those of all streams
// behind it. The placement of another stream is done meanwhile.
func heldDeliveries(s *stage) error {
	target, err := s.region(1<<24, memory.RemoteWrite|memory.RemoteRead)
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
		return fail("%d receives complete before the Write ahead of them is in memory", n)
	}
	if n := s.beats("m_axi_aw") - before; n != 2 {
		return fail("%d items that wait for a placement hold up the placement of another stream", deliveryRoom)
	}
	if err := s.release("m_axi_b"); err != nil {
		return err
	}
	return s.done()
}

// share is how many of a number of things a stream gets, at most depth.
func (s *stage) share(things, depth int) int {
	return min(depth, (things+len(s.streams)-1)/len(s.streams))
}

// heldPlacements lets as many Writes wait for memory as there is room for. A receive of another stream completes meanwhile.
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
	// One is in the arbiter, one at the output of placement, and one is taken by it.
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

// unansweredPlacements has more Writes come than placements have numbers, while memory answers none of them: numbers must not come
// round, or a receive behind a Write would complete before it.
func unansweredPlacements(s *stage) error {
	const numbers, before, behind = 512, 505, 12 // of placements; Writes of another stream before and behind the one that is watched
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
		return fail("memory was given %d of %d Writes", n, before+1+behind)
	}
	if n := s.completions(int(other)); n != 0 {
		return fail("a receive completes before the Write ahead of it, which memory has not answered")
	}
	if err := s.release("m_axi_b"); err != nil {
		return err
	}
	return s.done()
}

// fresh is a beat of memory of a region's that nothing uses.
func (s *stage) fresh(stream uint32, a *area, octets int) uint64 {
	to := a.next(octets, 256)
	s.touches(stream, a, to, octets)
	return to
}

// heldCommands asks for more segments than the transmit side holds: of as many as there is room for memory is read ahead.
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
	// Each segment has at most four beats; one Read of many segments, as far as its own are short enough.
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
	// One more is at the output; each has as many beats as its octets behind a header take.
	beats := (14%s.config.BusBytes + int(octets) + s.config.BusBytes - 1) / s.config.BusBytes
	want := min(asked, commandRoom+1, payloadRoom(s.config)/beats)
	if n := int(s.beats("m_axi_ar") - before); n < want {
		return fail("while m_axis_tx is held, memory is read for %d segments of %d; there is room for %d", n, asked, want)
	}
	if err := s.release("m_axis_tx"); err != nil {
		return err
	}
	if err := s.done(); err != nil {
		return err
	}
	// Payload of the longest segments: as many as have room for all of their beats.
	if err := s.hold("m_axis_tx"); err != nil {
		return err
	}
	each := s.config.MaxPayload / s.config.BusBytes
	segments := min(commandRoom, payloadRoom(s.config)/(each+1))
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

// payloadRoom is how many beats of payload the transmit side holds: those of a latency, and three segments.
func payloadRoom(c gen.Config) int {
	return 1 << bits.Len(uint(224+3*(c.MaxPayload/c.BusBytes+1)-1))
}

// memoryIDs watches the address channels while payload and words of Atomics are read and written.
func memoryIDs(s *stage) error {
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	stream := s.streams[0]
	if err := s.openRaw(stream); err != nil {
		return err
	}
	seen := map[string]int{}
	var wrong error
	for _, channel := range []string{"aw", "ar"} {
		var signals [4]sim.Signal // valid, ready, id, address
		for i, name := range []string{"valid", "ready", "id", "addr"} {
			if signals[i], err = s.inside.Signal("m_axi_" + channel + name); err != nil {
				return err
			}
		}
		s.inside.OnStep(func() {
			if signals[0].Get()&signals[1].Get() == 0 {
				return
			}
			id, address := signals[2].Get(), signals[3].Get()
			ofWords := uint64(0)
			if address >= l.words.Address && address < l.words.Address+l.words.Length {
				ofWords = 1
			}
			if seen[fmt.Sprint(channel, id)]++; id != ofWords && wrong == nil {
				wrong = fail("m_axi_%sid is %d for address 0x%X", channel, id, address)
			}
		})
	}
	for range min(4, s.config.IRD) {
		s.write(stream, l.sink, s.octets(100))
		s.read(stream, l.source, l.source.Base, 100)
		if err := s.rest(); err != nil {
			return err
		}
		s.fetchAdd(stream, l.words, l.words.next(memory.WordOctets, memory.WordOctets))
		if err := s.rest(); err != nil {
			return err
		}
	}
	if err := errors.Join(wrong, s.done()); err != nil {
		return err
	}
	if len(seen) != 4 {
		return fail("bursts seen: %v", seen)
	}
	return nil
}
