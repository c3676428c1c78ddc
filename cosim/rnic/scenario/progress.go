package scenario

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// hold stalls ports completely until they are released.
func (s *stage) hold(ports ...string) error { return s.stall(256, ports) }

func (s *stage) release(ports ...string) error { return s.stall(0, ports) }

func (s *stage) stall(chance int, ports []string) error {
	for _, p := range ports {
		if err := s.Device.Stall(p, simulator.Stall{Mode: simulator.StallRandom, Chance: chance}); err != nil {
			return err
		}
	}
	return nil
}

// exchange runs both ends and carries their segments across.
func (s *stage) exchange(cycles, idle uint64) (moved bool, err error) {
	if s.spare != nil {
		if err := s.disturb(); err != nil {
			return false, err
		}
	}
	out, err := s.Run(cycles, idle)
	var stuck *simulator.StuckError
	if s.stuck = nil; errors.As(err, &stuck) {
		s.stuck, err = err, nil
	}
	if err != nil {
		return false, err
	}
	s.out.Completions = append(s.out.Completions, out.Completions...)
	s.out.Events = append(s.out.Events, out.Events...)
	s.out.Retired = append(s.out.Retired, out.Retired...)
	for _, e := range out.Events {
		if e.Kind != engine.EventSolicited && e.Kind != engine.EventReceiveRefused && !s.ending[e.Stream] {
			return false, fail("stream %d has ended: %+v", e.Stream, e)
		}
	}
	for _, segment := range out.Segments {
		s.left[segment.Stream] = append(s.left[segment.Stream], segment)
		view, _ := wire.Classify(segment.Octets)
		r, op := s.raw[segment.Stream], view.Header.Opcode
		if r == nil || !r.alone && (op.Is(spec.Requests)) {
			s.peer.Send(segment.Stream, segment.Octets)
			s.stirred = true
		}
	}
	var back rnic.Output
	if s.stirred { // otherwise the peer has nothing to do
		back, err = s.peer.Run(0, 0)
	}
	s.stirred = false
	for _, segment := range back.Segments {
		if !s.cut[segment.Stream] {
			s.Send(segment.Stream, segment.Octets)
		}
	}
	return out.Busy || len(out.Completions)+len(out.Segments)+len(out.Events)+len(out.Retired)+len(back.Segments) > 0, err
}

// disturb advances a few cycles, and opens or closes the spare stream, which must not affect other streams.
func (s *stage) disturb() error {
	if _, err := s.Device.Run(uint64(1+s.rand.IntN(40)), 0); err != nil {
		return err
	}
	if s.rand.IntN(3) == 0 {
		return s.Device.Shut(*s.spare)
	}
	return s.Device.Open(*s.spare, domain)
}

// pass advances a number of cycles.
func (s *stage) pass(cycles uint64) error {
	const step = 250
	for ; cycles > 0; cycles -= min(cycles, step) {
		if _, err := s.exchange(min(cycles, step), 0); err != nil {
			return err
		}
	}
	return nil
}

// restRounds limits the number of rounds until both ends are idle.
const restRounds = 20_000

// rest runs until both ends are idle.
func (s *stage) rest() error {
	for quiet, rounds := 0, 0; quiet < 2; quiet++ {
		if rounds++; rounds > restRounds {
			return fail("does not become idle")
		}
		idle := uint64(64)
		if quiet > 0 {
			idle = rnic.Silence(s.config)
		}
		moved, err := s.exchange(2000+idle, idle)
		if err != nil {
			return err
		}
		if moved {
			quiet = 0
		}
	}
	return nil
}

// done runs until both ends are idle and compares the remaining state.
func (s *stage) done() error {
	if err := s.rest(); err != nil {
		return err
	}
	if s.stuck != nil {
		return fail("no progress: %v", s.stuck)
	}
	if err := s.Settle(s.used...); err != nil {
		return err
	}
	return s.CompareRegisters()
}
