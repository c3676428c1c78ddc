package scenario

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

var lifeScenarios = []Scenario{
	{Name: "changes-beside-traffic", Doc: "streams are opened and shut, and rows stored and taken away, beside traffic on other streams", run: changesBesideTraffic},
	{Name: "reuse-after-invalidation", Doc: "when the completion of a Send with Invalidate is there, no stream's payload lands in the region", run: reuseAfterInvalidation},
	{Name: "reuse-after-end", Doc: "when a stream's end is told, none of its payload lands in memory", run: reuseAfterEnd},
	{Name: "reuse-after-command", Doc: "a row taken away, a stream shut: what was accepted before lands before what is placed later completes", run: reuseAfterCommand},
	{Name: "open-again", Doc: "a stream is opened again as soon as its Terminate has left, at every distance: nothing of before acts on it", run: openAgain},
	{Name: "meetings", Doc: "what the host does meets what needs it, at every distance in clocks", run: meetings},
	{Name: "withdrawn-rows", Doc: "the row of an STag goes while what was accepted with it waits: it does not go on", run: withdrawnRows,
		lacks: func(c gen.Config) string { return atLeast("ird", c.IRD, 2) }},
	{Name: "untaken-completions", Doc: "what a completion says was decided before it is taken", run: untakenCompletions},
}

// changesBesideTraffic changes streams and rows that nothing uses while all others are busy.
func changesBesideTraffic(s *stage) error {
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	mine := s.streams[len(s.streams)-1] // the one that changes
	s.streams = s.streams[:len(s.streams)-1]
	l.streams = s.streams
	if err := s.open(s.streams...); err != nil {
		return err
	}
	row, err := s.region(4096, memory.RemoteWrite)
	if err != nil {
		return err
	}
	for range 3 {
		if err := l.round(); err != nil {
			return err
		}
		for range 12 {
			if err := s.pass(uint64(1 + s.rand.IntN(60))); err != nil {
				return err
			}
			if err := s.Open(mine, domain); err != nil {
				return err
			}
			row.Valid = true
			row.Key, row.Base = uint8(s.rand.Uint32()), s.rand.Uint64()>>8
			if err := s.SetRegion(row.index, row.Region); err != nil {
				return err
			}
			octets := s.octets(1 + s.rand.IntN(100))
			s.touches(mine, row, row.Base, len(octets))
			s.Send(mine, wire.AppendWrite(nil, row.stag(), row.Base, true, octets))
			if err := s.pass(uint64(200 + s.rand.IntN(200))); err != nil {
				return err
			}
			for range restRounds { // the Write is in memory, whatever the others do
				is := make([]byte, len(octets))
				if err := s.Device.Memory().Read(row.Address, is); err != nil {
					return err
				}
				if bytes.Equal(is, octets) {
					break
				}
				if err := s.pass(50); err != nil {
					return err
				}
			}
			// Memory answers, the model takes the Write; then the row is gone.
			if err := s.pass(400); err != nil {
				return err
			}
			row.Valid = false
			if err := errors.Join(s.SettleStream(mine, s.used[mine]), s.SetRegion(row.index, row.Region)); err != nil {
				return err
			}
			// With the row gone, the stream ends; the end leaves before it is opened again.
			s.may(mine)
			s.Send(mine, wire.AppendWrite(nil, row.stag(), row.Base, true, octets))
			if err := s.leaves(mine, spec.Terminate.Opcode()); err != nil {
				return err
			}
			if err := s.SettleStream(mine, s.used[mine]); err != nil {
				return err
			}
		}
		if err := s.done(); err != nil {
			return err
		}
	}
	return nil
}

// leaves lets clocks pass until a segment of an opcode has left on a stream.
func (s *stage) leaves(stream uint32, op wire.Opcode) error {
	for range restRounds {
		for _, segment := range s.left[stream] {
			if view, _ := wire.Classify(segment.Octets); view.Header.Opcode == op {
				s.left[stream] = nil
				return nil
			}
		}
		if err := s.pass(20); err != nil {
			return err
		}
	}
	return fail("no %s leaves on stream %d", op, stream)
}

// A stain shows where payload lands.
const stainOctets = 64

// untouched tells whether none of a region's octets has changed from now on; the scenario has written zeros.
func (s *stage) untouched(a *area, octets int) error {
	is := make([]byte, octets)
	if err := s.Device.Memory().Read(a.Address, is); err != nil {
		return err
	}
	for i, b := range is {
		if b != 0 {
			return fail("octet %d of the region is written after that: 0x%02X", i, b)
		}
	}
	return nil
}

// queue holds memory and sends Writes of a stream into a region until as many wait as there is room for.
func (s *stage) queue(stream uint32, a *area, writes int) {
	for i := range writes {
		s.Send(stream, wire.AppendWrite(nil, a.stag(), a.Base+uint64(stainOctets*i), true, bytes.Repeat([]byte{0xAA}, stainOctets)))
	}
}

// afterwards zeroes a region at the moment at which it may be used again, and finds what lands there later.
func (s *stage) afterwards(a *area, octets int) error {
	zeros := make([]byte, octets)
	if err := s.Write(a.Address, zeros); err != nil {
		return err
	}
	if err := s.rest(); err != nil {
		return err
	}
	return s.untouched(a, octets)
}

// until lets single clocks pass until something has come out.
func (s *stage) until(what string, is func() bool) error {
	for range 20_000 {
		if is() {
			return nil
		}
		if _, err := s.exchange(1, 0); err != nil {
			return err
		}
	}
	return fail("%s does not come", what)
}

// reuseAfterInvalidation lets Writes of two streams into a region wait for memory, and a third stream's Send invalidate the
// region behind them. All of them were accepted before.
func reuseAfterInvalidation(s *stage) error {
	const writes = 6
	for _, held := range []string{"m_axi_aw", "m_axi_w", "m_axi_b"} {
		for order := range 2 {
			a, err := s.region(1<<16, memory.RemoteWrite|memory.Invalidate)
			if err != nil {
				return err
			}
			first, second := s.streams[0], s.streams[1]
			if order == 1 {
				first, second = second, first
			}
			if err := s.openRaw(first, second); err != nil {
				return err
			}
			if err := s.PostReceive(receiveNothing(s, second)); err != nil {
				return err
			}
			if err := s.pass(50); err != nil {
				return err
			}
			before := s.completions(int(second))
			if err := s.hold(held); err != nil {
				return err
			}
			s.queue(second, a, 1)
			s.queue(first, a, writes)
			if err := s.pass(500); err != nil {
				return err
			}
			s.TakeAll(first)
			s.TakeAll(second)
			s.Send(second, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), a.stag(), s.raw[second].send, 0, true, nil))
			s.raw[second].send++
			if err := s.pass(500); err != nil {
				return err
			}
			if s.completions(int(second)) > before {
				return fail("%s held: a Send with Invalidate completes while payload waits for memory: it would be written after that", held)
			}
			// Memory answers again, a little at a time.
			if err := s.stall(240, []string{held}); err != nil {
				return err
			}
			if err := s.until("the completion of a Send with Invalidate", func() bool { return s.completions(int(second)) > before }); err != nil {
				return err
			}
			if err := s.afterwards(a, writes*stainOctets); err != nil {
				return fmt.Errorf("%s held, the Send on stream %d: %w", held, second, err)
			}
			if err := s.release(held); err != nil {
				return err
			}
			if err := s.Write(a.Address, make([]byte, writes*stainOctets)); err != nil {
				return err
			}
			if err := s.done(); err != nil {
				return err
			}
		}
	}
	return nil
}

// reuseAfterEnd ends a stream, by an error and by the peer's Terminate, while its Writes wait for memory.
func reuseAfterEnd(s *stage) error {
	const writes = 6
	stream := s.streams[0]
	for _, held := range []string{"m_axi_aw", "m_axi_w", "m_axi_b"} {
		for _, byPeer := range []bool{false, true} {
			a, err := s.region(1<<16, memory.RemoteWrite)
			if err != nil {
				return err
			}
			if err := errors.Join(s.openRaw(stream), s.hold(held)); err != nil {
				return err
			}
			before := len(s.out.Events)
			s.may(stream)
			s.queue(stream, a, writes)
			if byPeer {
				s.Send(stream, wire.AppendTerminate(nil, wire.Terminate{}))
			} else {
				s.wrong(stream)
			}
			if err := s.pass(500); err != nil {
				return err
			}
			if len(s.out.Events) > before {
				return fail("%s held: the end of a stream is told while payload waits for memory: it would be written after that", held)
			}
			if err := s.stall(240, []string{held}); err != nil {
				return err
			}
			if err := s.until("the event of an end", func() bool { return len(s.out.Events) > before }); err != nil {
				return err
			}
			if err := s.afterwards(a, writes*stainOctets); err != nil {
				return fmt.Errorf("%s held, ended by the peer: %t: %w", held, byPeer, err)
			}
			if err := s.release(held); err != nil {
				return err
			}
			if err := s.done(); err != nil {
				return err
			}
		}
	}
	return nil
}

// reuseAfterCommand takes a row away by the host while Writes that were accepted wait for memory. They land later; but placements are
// done in the order in which they were accepted: when a receive completes whose payload came afterwards, on any stream, they have.
func reuseAfterCommand(s *stage) error {
	const writes = 6
	first, other := s.streams[0], s.streams[1]
	for _, shut := range []bool{false, true} {
		for _, held := range []string{"m_axi_aw", "m_axi_w", "m_axi_b"} {
			a, err := s.region(1<<16, memory.RemoteWrite)
			if err != nil {
				return err
			}
			sound, err := s.region(4096, memory.LocalWrite)
			if err != nil {
				return err
			}
			if err := s.openRaw(first, other); err != nil {
				return err
			}
			if err := s.receive(other, sound, 8); err != nil {
				return err
			}
			if err := errors.Join(s.pass(50), s.hold(held)); err != nil {
				return err
			}
			s.queue(first, a, writes)
			if err := s.pass(500); err != nil {
				return err
			}
			if shut {
				err = s.Device.Shut(first)
			} else {
				a.Valid = false
				err = s.Device.SetRegion(a.index, a.Region)
			}
			if err != nil {
				return err
			}
			s.send(other, s.octets(8))
			if err := s.stall(240, []string{held}); err != nil {
				return err
			}
			before := s.completions(int(other))
			if err := s.until("the completion of a receive", func() bool { return s.completions(int(other)) > before }); err != nil {
				return err
			}
			if err := s.afterwards(a, writes*stainOctets); err != nil {
				return fmt.Errorf("%s held, by a shut: %t: %w", held, shut, err)
			}
			if err := s.release(held); err != nil {
				return err
			}
			// The model takes the Writes, and learns what the host has done.
			err = s.SettleStream(first, nil)
			if shut {
				err = errors.Join(err, s.open(first))
			} else {
				err = errors.Join(err, s.SetRegion(a.index, a.Region))
			}
			if err := errors.Join(err, s.Write(a.Address, make([]byte, writes*stainOctets)), s.done()); err != nil {
				return err
			}
		}
	}
	return nil
}

// openAgain ends a stream with answers, work and receive requests under way, and opens it again so many clocks after its Terminate
// has left and its work requests have completed. What follows must find a stream that is new in every block.
func openAgain(s *stage) error {
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	stream := s.streams[0]
	for wait := range uint64(24) {
		if err := s.openRaw(stream); err != nil {
			return err
		}
		s.may(stream)
		s.left[stream], s.out = nil, rnic.Output{}
		// A Send that is not complete, requests, an answer that is not complete, work of which some waits.
		for range min(3, s.config.ReceiveDepth) {
			if err := s.receive(stream, l.sink, 64); err != nil {
				return err
			}
		}
		for i := range min(3, s.config.SendDepth) {
			op := []wire.Opcode{spec.ReadRequest.Opcode(), spec.Write.Opcode(), spec.AtomicRequest.Opcode()}[i]
			w := l.work(stream, op, true)
			w.Signaled = true
			if err := s.post(w); err != nil {
				return err
			}
		}
		if err := s.pass(uint64(s.rand.IntN(80))); err != nil {
			return err
		}
		for range min(2, s.config.IRD) {
			s.read(stream, l.source, l.source.Base, uint32(s.rand.IntN(3*s.config.MaxPayload)))
		}
		// Behind the Send comes nothing but what ends the stream: an answer would end it earlier, and what is behind would come in the next life.
		s.cut[stream] = true
		s.Send(stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, 0, false, s.octets(1+s.rand.IntN(60))))
		if err := s.pass(uint64(s.rand.IntN(40))); err != nil {
			return err
		}
		s.wrong(stream)
		ended := func() bool {
			left := s.left[stream]
			if len(left) == 0 {
				return false
			}
			view, _ := wire.Classify(left[len(left)-1].Octets)
			return view.Header.Opcode.Is(spec.Terminate) && s.workDone(stream) == min(3, s.config.SendDepth)
		}
		if err := s.until("the end of a stream", ended); err != nil {
			return err
		}
		if err := s.pass(wait); err != nil {
			return err
		}
		if err := s.SettleStream(stream, s.used[stream]); err != nil {
			return fmt.Errorf("opened again after %d clocks: %w", wait, err)
		}
		// The new life: from the first number of each queue, all places of each ring, and a Send of two segments.
		if err := s.open(stream); err != nil {
			return err
		}
		delete(s.cut, stream)
		delete(s.raw, stream)
		delete(s.ending, stream)
		if err := l.oneRound(stream); err != nil {
			return err
		}
		if err := s.done(); err != nil {
			return fmt.Errorf("opened again after %d clocks: %w", wait, err)
		}
	}
	return nil
}

// workDone counts the work requests of a stream that are complete.
func (s *stage) workDone(stream uint32) (n int) {
	for _, c := range s.out.Completions {
		if c.Stream == stream && !c.Recv {
			n++
		}
	}
	return n
}

// meetings are those of rnic.Races.
func meetings(s *stage) error {
	met, err := rnic.RacesOn(s.Device, s.config)
	if err == nil && (met.Found < 5 || met.Missed < 5 || met.Rows < 5 || met.NoRows < 5) {
		err = fail("they do not meet: %+v", met)
	}
	return err
}

// withdrawnRows are those of rnic.Withdrawn.
func withdrawnRows(s *stage) error { return rnic.Withdrawn(s.Device, s.config) }

// untakenCompletions are those of rnic.Untaken.
func untakenCompletions(s *stage) error { return rnic.Untaken(s.Device, s.config) }
