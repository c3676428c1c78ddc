package scenario

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/sim"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

var pressureScenarios = []Scenario{
	{Name: "held-ports", Doc: "every output port and memory channel is stalled for thousands of cycles under full load", run: heldPorts},
	{Name: "longest-segments", Doc: "back-to-back segments of 65,535 octets, memory stalled", run: longestSegments},
	{Name: "held-answers", Doc: "responses are not taken: the device holds all requests and the Terminate of every stream, and receives continue", run: heldResponses,
		lacks: func(c gen.Config) string { return atLeast("streams", c.Streams, 4) }},
	{Name: "held-failures", Doc: "memory fails for all streams at once while the path of their Terminates is full", run: heldFailures},
	{Name: "held-deliveries", Doc: "deliveries wait for a placement; later placements continue", run: heldDeliveries,
		lacks: func(c gen.Config) string {
			n := min(c.Streams, most)
			return atLeast("streams * (receive_depth + ird)", n*(min(c.ReceiveDepth, (deliveryRoom+n-1)/n)+c.IRD), deliveryRoom)
		}},
	{Name: "held-placements", Doc: "placements wait for memory; processing of other segments continues", run: heldPlacements},
	{Name: "unanswered-placements", Doc: "more Writes unanswered by memory than placement numbers: nothing completes before its own Write", run: unansweredPlacements},
	{Name: "memory-ids", Doc: "bursts of payload have ID 0, those of the words of Atomics ID 1; in far memory reads of payload have ID 2, words ID 3", run: memoryIDs, sets: true},
	{Name: "held-commands", Doc: "segments are not taken: payload is read for as many as the transmit side holds", run: heldCommands},
}

// heldPorts stalls each port at a random moment of full load.
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
			return fail("%s has transferred %d beats while it was held", port, n)
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

// longestSegments sends segments of maximum length: one of them fills the payload buffer, since no part of it may be placed before
// its end arrives. The next one finds the buffer full.
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
	// Every length of the last beat, one by one.
	for n := write - s.config.BusBytes; n <= write; n++ {
		s.write(stream, target, s.octets(n))
	}
	return s.done()
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
			expected := uint64(0)
			isWord := address >= l.words.Address && address < l.words.Address+l.words.Length
			if isWord {
				expected = 1
			}
			if bit := s.config.FarMemoryBit; bit > 0 {
				expected += 2 * (address >> bit & 1)
			}
			if seen[fmt.Sprint(channel, id)]++; id != expected && wrong == nil {
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
