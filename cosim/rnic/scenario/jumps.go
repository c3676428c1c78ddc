package scenario

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// sentIndex is the register with the number of the next segment of the only message in transmission.
const sentIndex = "tx_turns.now_index_q"

// sentOffsets transmits messages of 2^32 - 1 octets: their first segments, those across each edge, and their last. The model
// generates only whole messages, so the expected segments are computed here.
func sentOffsets(s *stage) error {
	source, err := s.nearRegion(1<<33, memory.LocalRead|memory.RemoteRead)
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
		to := uint64(1) << 40
		if op.Is(spec.ReadResponse) {
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
			// The transmit side is full: nothing moves. Jump by whole segments to just before the edge.
			made := leaving.made()
			distance := (edge - uint64(2*most) - min(made, edge-uint64(2*most))) / uint64(most) * uint64(most)
			if err := s.jump(distance); err != nil {
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

// jump advances the message by whole segments.
func (s *stage) jump(distance uint64) error {
	r, err := s.inside.Register(sentIndex)
	if err == nil {
		r.Set(r.Get() + distance/uint64(s.config.MaxPayload))
	}
	return err
}

// leavingMessage checks the segments of one message in transmission.
type leavingMessage struct {
	s      *stage
	source *area
	op     wire.Opcode
	to     uint64
	offset uint64   // of the next segment
	jumps  []jumped // still ahead
	out    rnic.Output
	ended  bool
}

// jumped is a jump made after the segments up to an offset.
type jumped struct{ at, distance uint64 }

// made returns the offset of the next segment that the hardware generates.
func (l *leavingMessage) made() uint64 {
	r, err := l.s.inside.Register(sentIndex)
	if err != nil {
		panic(err) // the name is constant
	}
	return r.Get() * uint64(l.s.config.MaxPayload)
}

// run advances a number of cycles and compares the output.
func (l *leavingMessage) run(cycles uint64) error {
	if _, err := l.s.Device.Run(cycles, 0); err != nil {
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

// pull takes segments until one ends at an offset or after it.
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
	return fail("no more segments are sent after %d octets", l.offset)
}

// compare compares a segment with the expected one.
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
		return fail("the segment at octet %d of a %s of 2^32 - 1:\n  device: % X\n  expected: % X", l.offset, l.op, octets[:min(40, len(octets))], want[:min(40, len(want))])
	}
	l.offset, l.ended = l.offset+n, last
	return nil
}
