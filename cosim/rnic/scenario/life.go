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
	{Name: "changes-beside-traffic", Doc: "streams are opened and closed, and rows stored and removed, during traffic on other streams", run: changesBesideTraffic},
	{Name: "reuse-after-invalidation", Doc: "after the completion of a Send with Invalidate, no stream's payload is written to the region", run: reuseAfterInvalidation},
	{Name: "reuse-after-end", Doc: "after a stream's end is reported, none of its payload is written to memory", run: reuseAfterEnd},
	{Name: "reuse-after-command", Doc: "a row removed, a stream closed: payload accepted before is written before any later placement completes", run: reuseAfterCommand},
	{Name: "open-again", Doc: "a stream is reopened as soon as its Terminate is sent, at every distance: no earlier state affects it", run: openAgain},
	{Name: "meetings", Doc: "host actions race with the segments that depend on them, at every distance in cycles", run: meetings},
	{Name: "withdrawn-rows", Doc: "the row of an STag is removed while accepted operations wait: they do not continue", run: withdrawnRows,
		lacks: func(c gen.Config) string { return atLeast("ird", c.IRD, 2) }},
	{Name: "untaken-completions", Doc: "a completion's status is decided before it is taken", run: untakenCompletions},
}

// changesBesideTraffic changes unused streams and rows while all others are busy.
func changesBesideTraffic(s *stage) error {
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	mine := s.streams[len(s.streams)-1] // the changing stream
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
			for range restRounds { // until the Write is in memory
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
			// Memory responds, the model receives the Write; then the row is removed.
			if err := s.pass(400); err != nil {
				return err
			}
			row.Valid = false
			if err := errors.Join(s.SettleStream(mine, s.used[mine]), s.SetRegion(row.index, row.Region)); err != nil {
				return err
			}
			// Without the row, the stream ends; the Terminate is sent before the stream is reopened.
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

// leaves runs until a segment with an opcode is sent on a stream.
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
	return fail("no %s is sent on stream %d", op, stream)
}

// openAgain ends a stream with responses, work and receive requests in flight, and reopens it a number of cycles after its Terminate
// is sent and its work requests have completed. The stream must then be in its initial state in every block.
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
		// An incomplete Send, requests, an incomplete response, and work requests, some of which wait.
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
		// Only the segment that ends the stream follows the Send: a response would end it earlier, and later segments would reach the reopened stream.
		s.cut[stream] = true
		s.Send(stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, 0, false, s.octets(1+s.rand.IntN(60))))
		if err := s.pass(uint64(s.rand.IntN(40))); err != nil {
			return err
		}
		s.sendInvalid(stream)
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
			return fmt.Errorf("reopened after %d cycles: %w", wait, err)
		}
		// The reopened stream: the first number of each queue, all slots of each ring, and a Send of two segments.
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
			return fmt.Errorf("reopened after %d cycles: %w", wait, err)
		}
	}
	return nil
}

// workDone counts the completed work requests of a stream.
func (s *stage) workDone(stream uint32) (n int) {
	for _, c := range s.out.Completions {
		if c.Stream == stream && !c.Recv {
			n++
		}
	}
	return n
}

// meetings runs rnic.Races.
func meetings(s *stage) error {
	met, err := rnic.RacesOn(s.Device, s.config)
	if err == nil && (met.Found < 5 || met.Missed < 5 || met.Rows < 5 || met.NoRows < 5) {
		err = fail("no races occurred: %+v", met)
	}
	return err
}

// withdrawnRows runs rnic.Withdrawn.
func withdrawnRows(s *stage) error { return rnic.Withdrawn(s.Device, s.config) }

// untakenCompletions runs rnic.Untaken.
func untakenCompletions(s *stage) error { return rnic.Untaken(s.Device, s.config) }
