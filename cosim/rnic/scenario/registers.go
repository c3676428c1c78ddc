package scenario

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
)

var registerScenarios = []Scenario{
	{Name: "registers", Doc: "every register: value, storage, strobes, and refused addresses and commands", run: registers},
	{Name: "terminate-log", Doc: "the Terminate log: order, last entry, overflow", run: terminateLog},
	{Name: "refused-receives", Doc: "receive requests beyond ReceiveDepth", run: refusedReceives},
	{Name: "memory-errors", Doc: "memory fails for each kind of access: counted once, one Terminate", run: memoryErrors},
	{Name: "cut-messages", Doc: "a message whose local buffer ends in its middle: the Terminate of its stream takes its place", run: cutMessages},
	{Name: "rows", Doc: "rows of the STag table that differ in one bit, and STags beyond the table: only the named row is invalidated", run: rows},
}

func registers(s *stage) error {
	port := s.Device.Registers()
	if err := s.register("status", 0); err != nil { // setup is not finished in the first cycles
		return err
	}
	for {
		status, err := s.Device.ReadRegister("status")
		if err != nil {
			return err
		}
		if status == 4 {
			break
		}
		if status != 0 {
			return fail("register status is %d during setup, not 0", status)
		}
		if s.Device.Engine().Cycle() > uint64(10000+4*(s.config.STags+s.config.Streams+s.config.AtomicDepth)) {
			return fail("register status never reports ready")
		}
	}
	if is, least := s.Device.Engine().Cycle(), uint64(max(s.config.STags, s.config.AtomicDepth)); is < least {
		return fail("register status reports ready in cycle %d; the tables take %d", is, least)
	}

	known, readable := map[string]uint32{}, rnic.Identity(s.config)
	offsets := map[uint64]engine.Register{}
	for _, r := range s.config.Registers() {
		offsets[uint64(r.Offset)] = r
		if r.Access != engine.WriteOnly {
			known[r.Name] = readable[r.Name]
		}
	}
	known["status"] = 4
	compare := func(when string) error {
		low := uint64(s.rand.IntN(4)) // the two low bits of an address are ignored
		for _, r := range s.config.Registers() {
			if r.Access == engine.WriteOnly {
				continue
			}
			is, err := port.Read(uint64(r.Offset) + low)
			if err != nil {
				return fail("%s: register %s: %v", when, r.Name, err)
			}
			if uint32(is) != known[r.Name] {
				return fail("%s: register %s is 0x%X, not 0x%X", when, r.Name, is, known[r.Name])
			}
		}
		return nil
	}
	if err := compare("after reset"); err != nil {
		return err
	}
	put := func(r engine.Register, value, strobes uint32) error {
		mask := uint32(0)
		for i := range 4 {
			if strobes>>i&1 == 1 {
				mask |= 0xFF << (8 * i)
			}
		}
		width := uint32(1<<r.Width - 1)
		known[r.Name] = (known[r.Name]&^mask | value&mask) & width
		return port.WriteOctets(uint64(r.Offset), uint64(value), uint64(strobes))
	}
	for round := range 3 + 32 + 16 { // extremes, random values, each bit, all strobes
		for _, r := range s.config.Registers() {
			if r.Access != engine.ReadWrite {
				continue
			}
			value, strobes := s.rand.Uint32(), uint32(15)
			switch {
			case round == 0:
				value = ^uint32(0)
			case round == 1:
				value = 0
			case round >= 3 && round < 35:
				value = 1 << (round - 3)
			case round >= 35:
				strobes = uint32(round - 35)
			}
			if err := put(r, value, strobes); err != nil {
				return fail("register %s: %v", r.Name, err)
			}
		}
		if err := compare(fmt.Sprintf("after %d writes to each", round+1)); err != nil {
			return err
		}
	}
	return refusals(s, port, offsets, put, compare)
}

// refusals makes accesses that must return an error and change nothing.
func refusals(s *stage, port *cosim.Registers, offsets map[uint64]engine.Register, put func(r engine.Register, value, strobes uint32) error, compare func(string) error) error {
	refused := func(err error, what string, args ...any) error {
		if !errors.Is(err, cosim.ErrRegister) {
			return fail(what+" is not refused: %v", append(args, err)...)
		}
		return nil
	}
	for offset := uint64(0); offset < 1<<12; offset += 4 {
		r, is := offsets[offset]
		if !is || r.Access == engine.WriteOnly {
			if _, err := port.Read(offset); refused(err, "") != nil {
				return refused(err, "a read of 0x%03X", offset)
			}
		}
		if !is || r.Access == engine.ReadOnly || r.Access == engine.ReadRemoves {
			if err := port.Write(offset, 1); refused(err, "") != nil {
				return refused(err, "a write to 0x%03X", offset)
			}
		}
	}
	byName := map[string]engine.Register{}
	for _, r := range offsets {
		byName[r.Name] = r
	}
	for _, c := range []struct {
		command, number string
		things          int
		last            uint64 // command
	}{{"stag_command", "stag_index", s.config.STags, 2}, {"stream_command", "stream_number", s.config.Streams, 3}} {
		number, offset := byName[c.number], uint64(byName[c.command].Offset)
		for bit := range number.Width {
			if err := put(number, 1<<bit, 15); err != nil {
				return err
			}
			for _, command := range []uint64{0, 2, 3, 4, 1 << 31, 1<<31 | 1, 1<<8 | 2} {
				err := port.Write(offset, command)
				if right := command == 0 || command >= 2 && command <= c.last && 1<<bit < c.things; right && err != nil {
					return fail("%s %d for %d of %d: %v", c.command, command, 1<<bit, c.things, err)
				} else if !right {
					if err := refused(err, "%s %d for %d of %d", c.command, command, 1<<bit, c.things); err != nil {
						return err
					}
				}
			}
		}
		if err := put(number, uint32(c.things-1), 15); err != nil {
			return err
		}
		if err := port.Write(offset, 2); err != nil {
			return fail("%s for the last of %d: %v", c.command, c.things, err)
		}
	}
	if err := s.pass(100); err != nil {
		return err
	}
	return compare("after refused accesses")
}
