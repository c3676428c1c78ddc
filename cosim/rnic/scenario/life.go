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
	{Name: "meetings", Doc: "what the host does meets what needs it, at every distance in cycles", run: meetings},
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

// leaves lets cycles pass until a segment of an opcode has left on a stream.
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

// openAgain ends a stream with answers, work and receive requests under way, and opens it again so many cycles after its Terminate
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
			return fmt.Errorf("opened again after %d cycles: %w", wait, err)
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
			return fmt.Errorf("opened again after %d cycles: %w", wait, err)
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
