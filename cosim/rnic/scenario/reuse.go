package scenario

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// A stain is a piece of payload that shows where it was written.
const stainOctets = 64

// untouched checks that a region still contains the zeros written by the scenario.
func (s *stage) untouched(a *area, octets int) error {
	is := make([]byte, octets)
	if err := s.Device.Memory().Read(a.Address, is); err != nil {
		return err
	}
	for i, b := range is {
		if b != 0 {
			return fail("octet %d of the region is written afterwards: 0x%02X", i, b)
		}
	}
	return nil
}

// queue sends Writes of a stream into a region.
func (s *stage) queue(stream uint32, a *area, writes int) {
	for i := range writes {
		s.Send(stream, wire.AppendWrite(nil, a.stag(), a.Base+uint64(stainOctets*i), true, bytes.Repeat([]byte{0xAA}, stainOctets)))
	}
}

// afterwards zeroes a region as soon as it may be reused, and detects later writes.
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

// until advances cycle by cycle until a condition holds.
func (s *stage) until(what string, is func() bool) error {
	for range 20_000 {
		if is() {
			return nil
		}
		if _, err := s.exchange(1, 0); err != nil {
			return err
		}
	}
	return fail("%s is missing", what)
}

// reuseAfterInvalidation makes Writes of two streams into a region wait for memory, and then a third stream's Send invalidate the
// region. All Writes were accepted before it.
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
				return fail("%s held: a Send with Invalidate completes while payload waits for memory: it would be written afterwards", held)
			}
			// Memory resumes, slowly.
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
				s.sendInvalid(stream)
			}
			if err := s.pass(500); err != nil {
				return err
			}
			if len(s.out.Events) > before {
				return fail("%s held: the end of a stream is reported while payload waits for memory: it would be written afterwards", held)
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

// reuseAfterCommand makes the host remove a row while accepted Writes wait for memory. They are written later; but placements are
// done in the order of acceptance: once a receive completes whose payload arrived afterwards, on any stream, they are in memory.
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
				return fmt.Errorf("%s held, by closing: %t: %w", held, shut, err)
			}
			if err := s.release(held); err != nil {
				return err
			}
			// The model receives the Writes, and then the host's command.
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
