package scenario

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// terminateLog ends streams from both sides, and reads the log after few entries, when it is just full, one beyond, and after many.
func terminateLog(s *stage) error {
	for _, ends := range []int{1, 15, 16, 17, 2, 41} {
		for n := range ends {
			stream := s.streams[n%len(s.streams)]
			if n > 0 && n%len(s.streams) == 0 {
				if err := errors.Join(s.rest(), s.Settle(s.used...)); err != nil {
					return err
				}
			}
			if err := s.openRaw(stream); err != nil {
				return err
			}
			s.may(stream)
			switch s.rand.IntN(3) {
			case 0:
				s.sendInvalid(stream)
			case 1: // local, with another code
				s.Send(stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, 0, true, nil))
			default:
				s.Send(stream, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: wire.Layer(s.rand.IntN(3)), EType: uint8(s.rand.IntN(16)), Code: uint8(s.rand.Uint32())}}))
			}
		}
		if err := s.done(); err != nil {
			return err
		}
	}
	return nil
}

// refusedReceives fills receive queues, posts beyond the limit, uses some requests, and repeats.
func refusedReceives(s *stage) error {
	streams := s.streams[:min(4, len(s.streams))]
	if err := s.openRaw(streams...); err != nil {
		return err
	}
	total := 0
	for round := range 3 {
		for _, stream := range streams {
			free := s.config.ReceiveDepth
			if round > 0 {
				free = 1
			}
			for range free {
				if err := s.PostReceive(receiveNothing(s, stream)); err != nil {
					return err
				}
			}
			for range 1 + s.rand.IntN(3) {
				if err := s.PostReceive(receiveNothing(s, stream)); err != nil {
					return err
				}
				total++
			}
		}
		if err := s.rest(); err != nil {
			return err
		}
		for _, stream := range streams {
			s.immediate(stream)
		}
		if err := s.done(); err != nil {
			return err
		}
	}
	return s.register("receives_refused", uint32(total))
}

// memoryErrors makes memory fail once for each kind of access, each on a freshly opened stream, and ends streams for other reasons.
func memoryErrors(s *stage) error {
	broken, err := s.region(1<<16, everything|memory.Invalidate)
	if err != nil {
		return err
	}
	refusing, err := s.region(1<<16, memory.RemoteAtomic)
	if err != nil {
		return err
	}
	unreadable, err := s.region(1<<16, memory.RemoteAtomic)
	if err != nil {
		return err
	}
	sound, err := s.region(1<<16, everything)
	if err != nil {
		return err
	}
	if err := s.SetFaulty(simulator.Range{First: broken.Address, Last: broken.Address + 0xFFFF, Reads: true, Writes: true},
		simulator.Range{First: refusing.Address, Last: refusing.Address + 0xFFFF, Writes: true},
		simulator.Range{First: unreadable.Address, Last: unreadable.Address + 0xFFFF, Reads: true}); err != nil {
		return err
	}
	stream, counted := s.streams[len(s.streams)-1], uint32(0)
	local := func(a *area) rdmap.Buffer { return rdmap.Buffer{STag: a.stag(), TO: a.Base} }
	atomic := func(a *area) func() error { // the word is not compared: memory has failed
		if !s.config.RetirePort {
			return nil
		}
		return func() error {
			s.Send(stream, wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(7, a.stag(), a.Base+8, 1, 0)))
			return nil
		}
	}
	for _, t := range []struct {
		name  string
		fails uint32
		do    func() error // nil: not observable
	}{
		{"a Write", 1, func() error {
			s.Send(stream, wire.AppendWrite(nil, broken.stag(), broken.Base, true, s.octets(100)))
			return nil
		}},
		{"a Send", 1, func() error {
			err := s.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: s.nextID(), Buffer: local(broken), Length: 100})
			s.send(stream, s.octets(100))
			return err
		}},
		{"a Read by the peer", 1, func() error { s.read(stream, broken, broken.Base, 100); return nil }},
		{"an Atomic's word", 1, atomic(unreadable)},
		{"an Atomic's word, and the following write without strobes", 2, atomic(broken)},
		{"an Atomic's result", 1, atomic(refusing)},
		{"the source of a Write", 1, func() error {
			return s.post(rdmap.WorkRequest{Stream: stream, Opcode: spec.Write.Opcode(), Signaled: true, Local: local(broken), Length: 10, Remote: local(sound)})
		}},
		{"no memory error, but an invalid local buffer", 0, func() error {
			return s.post(rdmap.WorkRequest{Stream: stream, Opcode: spec.Write.Opcode(), Signaled: true, Local: rdmap.Buffer{STag: 0xFFFFFF00}, Length: 10, Remote: local(sound)})
		}},
		{"no memory error, but an invalid segment", 0, func() error { s.sendInvalid(stream); return nil }},
	} {
		if t.do == nil {
			continue
		}
		if err := s.openRaw(stream); err != nil {
			return err
		}
		s.may(stream)
		if err := t.do(); err != nil {
			return err
		}
		if err := s.done(); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		counted += t.fails
		if err := s.register("memory_errors", counted); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// cutMessages makes a local buffer end in the middle of a message: for Writes and Sends, with and without requests of the peer
// that have to be answered before the Terminate. Nothing else is in flight that could push the Terminate out.
func cutMessages(s *stage) error {
	most := s.config.MaxPayload
	short, err := s.region(uint64(2*most+most/2), memory.LocalRead|memory.RemoteRead)
	if err != nil {
		return err
	}
	if err := s.fill(short, 2*most); err != nil {
		return err
	}
	for round, op := range []wire.Opcode{spec.Write.Opcode(), spec.Send.Opcode(), spec.Write.Opcode(), spec.Send.Opcode()} {
		stream := s.streams[round%len(s.streams)]
		if err := s.openRaw(stream); err != nil {
			return err
		}
		s.may(stream)
		if round >= 2 {
			s.read(stream, short, short.Base, uint32(2*most))
		}
		if err := s.post(rdmap.WorkRequest{Stream: stream, Opcode: op, Signaled: true, Local: rdmap.Buffer{STag: short.stag(), TO: short.Base},
			Length: uint32(4 * most), Remote: rdmap.Buffer{STag: short.stag()}}); err != nil {
			return err
		}
		if err := s.done(); err != nil {
			return err
		}
		left := s.left[stream]
		if last, _ := wire.Classify(left[len(left)-1].Octets); !last.Header.Opcode.Is(spec.Terminate) {
			return fail("the last segment of a stream whose message was cut is a %s", last.Header.Opcode)
		}
		s.left[stream] = nil
	}
	return nil
}
