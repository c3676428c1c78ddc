package scenario

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/hdl/sim"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// counters lists the counter registers.
var counters = []string{"segments_received", "segments_discarded", "segments_in_error", "messages_sent", "segments_sent", "segments_dropped", "completions",
	"terminates_sent", "terminates_received", "memory_errors", "receives_refused", "invalidations", "terminates_lost"}

// counterWraps makes every counter reach 2^32 - 1 and wrap. Then it restores them, plus what they have counted, and compares them
// with the model.
func counterWraps(s *stage) error {
	const near = 1<<32 - 3
	var before [13]uint64
	registers := make([]sim.Input, len(before))
	for i, name := range counters {
		r, err := s.inside.Register("csr." + name + "_q")
		if err != nil {
			return err
		}
		registers[i], before[i] = r, r.Get()
		r.Set(near)
	}
	failures, err := everyCount(s)
	if err != nil {
		return err
	}
	for i, name := range counters {
		is := registers[i].Get()
		if err := s.register(name, uint32(is)); err != nil {
			return err
		}
		counted := uint32(is) - near
		if is >= near || name == "memory_errors" && counted != failures {
			return fail("register %s is 0x%X: it has counted %d from 0x%X", name, is, counted, uint32(near))
		}
		registers[i].Set(before[i] + uint64(counted))
	}
	return s.done()
}

// everyCount triggers each counter more than twice, and more Terminates than the log holds.
func everyCount(s *stage) (failures uint32, err error) {
	broken, err := s.region(1<<20, memory.LocalRead)
	if err != nil {
		return 0, err
	}
	if err := s.SetFaulty(simulator.Range{First: broken.Address, Last: broken.Address + broken.Length - 1, Reads: true}); err != nil {
		return 0, err
	}
	stream := s.streams[0]
	for range 8 {
		victim, err := s.region(64, memory.Invalidate)
		if err != nil {
			return 0, err
		}
		s.rows--
		if err := s.openRaw(stream); err != nil {
			return 0, err
		}
		s.may(stream)
		for range s.config.ReceiveDepth {
			if err := s.PostReceive(receiveNothing(s, stream)); err != nil {
				return 0, err
			}
		}
		if err := s.PostReceive(receiveNothing(s, stream)); err != nil { // one too many
			return 0, err
		}
		if err := s.rest(); err != nil {
			return 0, err
		}
		s.Send(stream, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), victim.stag(), 1, 0, true, nil))
		s.raw[stream].send++
		s.immediate(stream)
		if err := s.post(rdmap.WorkRequest{Stream: stream, Opcode: spec.Write.Opcode(), Signaled: true, Length: uint32(8 * s.config.MaxPayload),
			Local: rdmap.Buffer{STag: broken.stag(), TO: broken.Base}}); err != nil {
			return 0, err
		}
		failures++
		if err := s.rest(); err != nil {
			return 0, err
		}
		s.write(stream, broken, []byte{1}) // discarded
		for range 2 {
			if err := errors.Join(s.rest(), s.Settle(s.used...), s.openRaw(stream)); err != nil {
				return 0, err
			}
			s.Send(stream, wire.AppendTerminate(nil, wire.Terminate{}))
		}
		if err := errors.Join(s.rest(), s.Settle(s.used...), s.openRaw(stream)); err != nil {
			return 0, err
		}
		s.sendInvalid(stream)
		if err := errors.Join(s.rest(), s.Settle(s.used...)); err != nil {
			return 0, err
		}
	}
	return failures, nil
}

// wraps keeps one stream busy until each of its rings and operation numbers has wrapped twice.
func wraps(s *stage) error {
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	stream := s.streams[0]
	if err := s.open(stream); err != nil {
		return err
	}
	// Rings count modulo twice their slots; placements modulo 512, and Atomics modulo twice their depth.
	rounds := 5
	for range rounds {
		if err := errors.Join(l.oneRound(stream), s.done()); err != nil {
			return err
		}
	}
	want, burst := min(2*2*s.config.AtomicDepth+1, 5000), 4*s.config.IRD
	for atomics := 0; atomics < want; atomics += burst {
		for range burst {
			if err := s.postPeer(l.work(stream, spec.AtomicRequest.Opcode(), false)); err != nil {
				return err
			}
		}
		if err := s.rest(); err != nil {
			return err
		}
	}
	for range 3 * 512 / 8 {
		for range 8 {
			s.postPeer(rdmap.WorkRequest{Stream: stream, Opcode: spec.Write.Opcode(), Local: l.from(8), Length: 8, Remote: l.to(stream, 8, true)})
		}
		if err := s.pass(40); err != nil {
			return err
		}
	}
	return s.done()
}
