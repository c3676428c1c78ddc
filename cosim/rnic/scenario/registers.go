package scenario

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

var registerScenarios = []Scenario{
	{Name: "registers", Doc: "every register: what it says, what it holds, strobes, and addresses and commands that are refused", run: registers},
	{Name: "terminate-log", Doc: "the log of Terminates: order, the last place, overflow", run: terminateLog},
	{Name: "refused-receives", Doc: "receive requests beyond ReceiveDepth", run: refusedReceives},
	{Name: "memory-errors", Doc: "memory fails for each that uses it: once counted, once a Terminate", run: memoryErrors},
	{Name: "cut-messages", Doc: "a message whose later segments fail: nothing of it goes on, and its stream's Terminate leaves", run: cutMessages},
	{Name: "rows", Doc: "rows of the STag table that differ in one bit, and STags beyond the table: only what is named is invalidated", run: rows},
}

func registers(s *stage) error {
	port := s.Device.Registers()
	if err := s.register("status", 0); err != nil { // nothing is set up in the first clocks
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
			return fail("register status is %d during the set-up, not 0", status)
		}
		if s.Device.Engine().Cycle() > uint64(10000+4*(s.config.STags+s.config.Streams+s.config.AtomicDepth)) {
			return fail("register status never says ready")
		}
	}
	if is, least := s.Device.Engine().Cycle(), uint64(max(s.config.STags, s.config.AtomicDepth)); is < least {
		return fail("register status says ready in cycle %d; the tables take %d", is, least)
	}

	known, readable := map[string]uint32{}, rnic.Identity(s.config)
	offsets := map[uint64]engine.Register{}
	for _, r := range gen.Registers {
		offsets[uint64(r.Offset)] = r
		if r.Access != engine.WriteOnly {
			known[r.Name] = readable[r.Name]
		}
	}
	known["status"] = 4
	compare := func(when string) error {
		low := uint64(s.rand.IntN(4)) // the two low bits of an address are ignored
		for _, r := range gen.Registers {
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
		for _, r := range gen.Registers {
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

// refusals makes accesses that are answered with an error, and change nothing.
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
	}{{"stag_command", "stag_index", s.config.STags}, {"stream_command", "stream_number", s.config.Streams}} {
		number, offset := byName[c.number], uint64(byName[c.command].Offset)
		for bit := range number.Width {
			if err := put(number, 1<<bit, 15); err != nil {
				return err
			}
			for _, command := range []uint64{0, 2, 3, 4, 1 << 31, 1<<31 | 1, 1<<8 | 2} {
				err := port.Write(offset, command)
				if right := command == 0 || command == 2 && 1<<bit < c.things; right && err != nil {
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
	return compare("after accesses that are refused")
}

// terminateLog ends streams by both sides, and reads the log after few, as many as it holds, one more, and many.
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
				s.wrong(stream)
			case 1: // of its own, with another code
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

// refusedReceives fills receive queues, asks for more, uses some, and asks again.
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

// memoryErrors lets memory fail once for each kind of use, on a stream of its own each time, and lets streams end for other reasons.
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
	atomic := func(a *area) func() error { // what becomes of the word is not compared: memory has failed
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
		do    func() error // nil: it would not be visible
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
		{"a Read of the peer", 1, func() error { s.read(stream, broken, broken.Base, 100); return nil }},
		{"an Atomic's word", 1, atomic(unreadable)},
		{"an Atomic's word, and the write without strobes behind it", 2, atomic(broken)},
		{"an Atomic's result", 1, atomic(refusing)},
		{"the source of a Write", 1, func() error {
			return s.post(rdmap.WorkRequest{Stream: stream, Opcode: spec.Write.Opcode(), Signaled: true, Local: local(broken), Length: 10, Remote: local(sound)})
		}},
		{"no memory but a local buffer that is not there", 0, func() error {
			return s.post(rdmap.WorkRequest{Stream: stream, Opcode: spec.Write.Opcode(), Signaled: true, Local: rdmap.Buffer{STag: 0xFFFFFF00}, Length: 10, Remote: local(sound)})
		}},
		{"no memory but a wrong segment", 0, func() error { s.wrong(stream); return nil }},
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

// cutMessages lets a local buffer end in the middle of a message: for Writes and Sends, with and without requests of the peer
// that have to be answered before the Terminate. Nothing else is under way, so nothing else helps the Terminate out.
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

// rows invalidates one row after the other by Sends, and uses the others in between. Their indices differ in one bit; STags beyond the
// table differ from them above it.
func rows(s *stage) error {
	stream, other := s.streams[0], s.streams[len(s.streams)-1]
	indices := []int{0, s.config.STags - 1}
	for i := 1; i < s.config.STags; i <<= 1 {
		indices = append(indices, i)
		if i > 1 {
			indices = append(indices, i+1)
		}
	}
	areas := map[int]*area{}
	var list []int
	for _, i := range indices {
		if areas[i] != nil {
			continue
		}
		s.rows = i
		a, err := s.region(4096, memory.RemoteWrite|memory.Invalidate)
		if err != nil {
			return err
		}
		areas[i] = a
		list = append(list, i)
	}
	if err := s.openRaw(stream, other); err != nil {
		return err
	}
	s.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for gone, i := range list {
		if err := s.PostReceive(receiveNothing(s, stream)); err != nil {
			return err
		}
		if err := s.pass(50); err != nil {
			return err
		}
		s.Send(stream, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), areas[i].stag(), s.raw[stream].send, 0, true, nil))
		s.raw[stream].send++
		for _, still := range list[gone+1:] {
			s.write(stream, areas[still], s.octets(4))
		}
		if err := s.done(); err != nil {
			return err
		}
		// The one that is gone, and its index beyond the table: whoever names them ends.
		for _, index := range []int{i, i + s.config.STags, i | 1<<23} {
			s.Send(other, wire.AppendWrite(nil, memory.STag(index, areas[i].Key), areas[i].Base, true, s.octets(4)))
			s.may(other)
			if err := s.done(); err != nil {
				return err
			}
			if err := s.openRaw(other); err != nil {
				return err
			}
		}
	}
	return s.register("invalidations", uint32(len(list)))
}
