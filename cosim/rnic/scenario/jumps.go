package scenario

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl/sim"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// A jump is what is added to, or taken from, registers to put a message that leaves further on.
type jump struct{ ahead, back []string }

var (
	requestJump = jump{[]string{"requester.segments.at_local_q", "requester.segments.at_remote_q", "requester.segments.at_offset_q"}, []string{"requester.segments.at_left_q"}}
	answerJump  = jump{[]string{"read_responder.sink_to_q", "read_responder.address_q"}, []string{"read_responder.left_q"}}
)

// sentOffsets lets messages of 2^32 - 1 octets leave: their first segments, those across each edge, and their last. The model makes
// whole messages, so what each segment must be is worked out here.
func sentOffsets(s *stage) error {
	source, err := s.region(1<<33, memory.LocalRead|memory.RemoteRead)
	if err != nil {
		return err
	}
	stream, most := s.streams[0], s.config.MaxPayload
	edges := []uint64{1 << 16, 1 << 24, 1 << 31, longest}
	for _, edge := range append([]uint64{0}, edges...) {
		low := max(edge, uint64(4*most)) - uint64(4*most)
		if err := s.Device.Memory().Write(source.Address+low, s.octets(8*most)); err != nil {
			return err
		}
	}
	for _, op := range []wire.Opcode{spec.Write.Opcode(), spec.Send.Opcode(), spec.ReadResponse.Opcode()} {
		if err := errors.Join(s.Device.Open(stream, domain), s.hold("m_axis_tx")); err != nil {
			return err
		}
		to, by := uint64(1)<<40, requestJump
		if op.Is(spec.ReadResponse) {
			by = answerJump
			s.Device.Send(stream, wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSinkSTag: 7, DataSinkTO: to, ReadMessageSize: longest, DataSourceSTag: source.stag(), DataSourceTO: source.Base}))
		} else {
			s.Device.PostWork(rdmap.WorkRequest{Stream: stream, ID: s.nextID(), Signaled: true, Opcode: op, Length: longest,
				Local: rdmap.Buffer{STag: source.stag(), TO: source.Base}, Remote: rdmap.Buffer{STag: 7, TO: to}})
		}
		leaving := leavingMessage{s: s, source: source, op: op, to: to}
		for _, edge := range edges {
			if err := leaving.run(uint64(300 + payloadRoom(s.config))); err != nil {
				return err
			}
			// The transmit side is full: nothing moves. So many whole segments further on the edge is near.
			made := leaving.made()
			distance := (edge - uint64(2*most) - min(made, edge-uint64(2*most))) / uint64(most) * uint64(most)
			if err := s.jump(by, distance); err != nil {
				return err
			}
			leaving.jumps = append(leaving.jumps, jumped{made, distance})
			if err := leaving.pull(made + distance + uint64(4*most)); err != nil {
				return fmt.Errorf("%s across 0x%X: %w", op, edge, err)
			}
		}
		if err := leaving.pull(longest); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		if err := errors.Join(s.release("m_axis_tx"), leaving.run(uint64(600+2*payloadRoom(s.config)))); err != nil {
			return err
		}
		if op.Is(spec.ReadResponse) {
			continue
		}
		if c := leaving.out.Completions; len(c) != 1 || c[0].Status != engine.StatusSuccess || c[0].Length != longest {
			return fail("the completion of a %s of 2^32 - 1 octets: %+v", op, c)
		}
	}
	return nil
}

// jump puts registers further on.
func (s *stage) jump(by jump, distance uint64) error {
	add := func(names []string, distance uint64) error {
		for _, name := range names {
			r, err := s.inside.Register(name)
			if err != nil {
				return err
			}
			r.Set(r.Get() + distance)
		}
		return nil
	}
	return errors.Join(add(by.ahead, distance), add(by.back, -distance))
}

// leavingMessage follows the segments of one message that leaves.
type leavingMessage struct {
	s      *stage
	source *area
	op     wire.Opcode
	to     uint64
	offset uint64   // of the next segment
	jumps  []jumped // that are ahead
	out    rnic.Output
	ended  bool
}

// jumped is a jump: behind the segments before an offset.
type jumped struct{ at, distance uint64 }

// made is where the segment begins that the hardware makes next.
func (l *leavingMessage) made() uint64 {
	name := "requester.segments.at_left_q"
	if l.op.Is(spec.ReadResponse) {
		name = "read_responder.left_q"
	}
	r, err := l.s.inside.Register(name)
	if err != nil {
		panic(err) // the names are the program's
	}
	return longest - r.Get()
}

// run lets clocks pass and compares what leaves.
func (l *leavingMessage) run(clocks uint64) error {
	if _, err := l.s.Device.Run(clocks, 0); err != nil {
		return err
	}
	out := l.s.Device.Take()
	l.out.Completions = append(l.out.Completions, out.Completions...)
	if len(out.Events) > 0 {
		return fail("an event: %+v", out.Events[0])
	}
	for _, segment := range out.Segments {
		if err := l.compare(segment.Octets); err != nil {
			return err
		}
	}
	return nil
}

// pull takes segments until one has left that ends at an offset or behind it.
func (l *leavingMessage) pull(offset uint64) error {
	if err := l.s.release("m_axis_tx"); err != nil {
		return err
	}
	for range restRounds {
		if l.offset >= min(offset, longest) {
			return l.s.hold("m_axis_tx")
		}
		if err := l.run(uint64(l.s.config.MaxPayload/l.s.config.BusBytes + 1)); err != nil {
			return err
		}
	}
	return fail("no more segments leave behind %d octets", l.offset)
}

// compare compares a segment with what it must be.
func (l *leavingMessage) compare(octets []byte) error {
	if len(l.jumps) > 0 && l.offset == l.jumps[0].at {
		l.offset += l.jumps[0].distance
		l.jumps = l.jumps[1:]
	}
	n := min(uint64(l.s.config.MaxPayload), longest-l.offset)
	payload := make([]byte, n)
	if err := l.s.Device.Memory().Read(l.source.Address+l.offset, payload); err != nil {
		return err
	}
	last := l.offset+n == longest
	var want []byte
	switch l.op.Class() {
	case spec.Write:
		want = wire.AppendWrite(nil, 7, l.to+l.offset, last, payload)
	case spec.ReadResponse:
		want = wire.AppendReadResponse(nil, 7, l.to+l.offset, last, payload)
	default:
		want = wire.AppendSend(nil, l.op, 0, 1, uint32(l.offset), last, payload)
	}
	if l.ended || !bytes.Equal(want, octets) {
		return fail("the segment at octet %d of a %s of 2^32 - 1:\n  device: % X\n  needed: % X", l.offset, l.op, octets[:min(40, len(octets))], want[:min(40, len(want))])
	}
	l.offset, l.ended = l.offset+n, last
	return nil
}

// counters are the registers that count.
var counters = []string{"segments_received", "segments_discarded", "segments_in_error", "messages_sent", "segments_sent", "segments_dropped", "completions",
	"terminates_sent", "terminates_received", "memory_errors", "receives_refused", "invalidations", "terminates_lost"}

// counterWraps lets every counter come to 2^32 - 1 and begin anew. Then they are put back, but for what they have counted, and
// compared with the model.
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
			return fail("register %s is 0x%X: it has counted %d from 0x%X on", name, is, counted, uint32(near))
		}
		registers[i].Set(before[i] + uint64(counted))
	}
	return s.done()
}

// everyCount does what each counter counts, more than twice; of the Terminates more than the log holds.
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
		s.write(stream, broken, []byte{1}) // is discarded
		for range 2 {
			if err := errors.Join(s.rest(), s.Settle(s.used...), s.openRaw(stream)); err != nil {
				return 0, err
			}
			s.Send(stream, wire.AppendTerminate(nil, wire.Terminate{}))
		}
		if err := errors.Join(s.rest(), s.Settle(s.used...), s.openRaw(stream)); err != nil {
			return 0, err
		}
		s.wrong(stream)
		if err := errors.Join(s.rest(), s.Settle(s.used...)); err != nil {
			return 0, err
		}
	}
	return failures, nil
}

// wraps keeps one stream busy until each of its rings, and each number of its operations, has wrapped twice.
func wraps(s *stage) error {
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	stream := s.streams[0]
	if err := s.open(stream); err != nil {
		return err
	}
	// Rings count modulo twice their places; placements modulo 512, and Atomics modulo twice as many as are under way.
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
