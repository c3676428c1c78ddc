package scenario

import (
	"errors"
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

var lengthScenarios = []Scenario{
	{Name: "lengths", Doc: "Writes, Reads and Sends of 64 KiB - 1, 64 KiB, 64 KiB + 1 and 1 MiB, both ways, on concurrent streams", run: lengths},
	{Name: "no-octets", Doc: "messages and segments without octets: each opcode, first, in the middle, last", run: noOctets},
	{Name: "mixed-sends", Doc: "Sends of many segments, interleaved among streams", run: mixedSends},
	{Name: "long", Long: true, Doc: "Writes, Reads and Sends of 2^24 + 100 octets, both ways", run: func(s *stage) error { return exchangeLengths(s, 1<<24+100) }},
}

var dataOpcodes = []wire.Opcode{spec.Write.Opcode(), spec.ReadRequest.Opcode(), spec.Send.Opcode()}

func lengths(s *stage) error {
	mebi := min(1<<20, s.config.BusBytes<<14) // narrow buses would take too long
	return exchangeLengths(s, 1<<16-1, 1<<16, 1<<16+1, mebi)
}

// exchangeLengths sends a message of each kind and length in both directions, with one stream per kind and direction if there are enough.
func exchangeLengths(s *stage, list ...int) error {
	source, err := s.region(1<<28, memory.LocalRead|memory.RemoteRead)
	if err != nil {
		return err
	}
	sink, err := s.region(1<<40, memory.LocalWrite|memory.RemoteWrite)
	if err != nil {
		return err
	}
	most := 0
	for _, n := range list {
		most = max(most, n)
	}
	if err := errors.Join(s.fill(source, most+64), s.open(s.streams...)); err != nil {
		return err
	}
	for _, n := range list {
		at := 0
		for _, own := range []bool{true, false} {
			for _, op := range dataOpcodes {
				stream := s.streams[at%len(s.streams)]
				at++
				from := rdmap.Buffer{STag: source.stag(), TO: source.Base + uint64(s.rand.IntN(64))}
				to := rdmap.Buffer{STag: sink.stag(), TO: sink.next(n, 1)}
				w := rdmap.WorkRequest{Stream: stream, Opcode: op, Signaled: true, Length: uint32(n), Local: from, Remote: to}
				if op.Is(spec.ReadRequest) {
					w.Local, w.Remote = to, from
				}
				if own == (op.Is(spec.ReadRequest)) {
					s.touches(stream, sink, to.TO, n)
				}
				if op == spec.Send.Opcode() {
					if own {
						err = s.receivePeer(stream, sink, n)
					} else if err = s.receive(stream, sink, n); err == nil {
						err = s.taken()
					}
				}
				if own {
					err = errors.Join(err, s.post(w))
				} else {
					err = errors.Join(err, s.postPeer(w))
				}
				if err != nil {
					return err
				}
			}
		}
		if err := s.done(); err != nil {
			return err
		}
	}
	return nil
}

// taken runs until the device has taken all receive requests.
func (s *stage) taken() error {
	for range restRounds {
		if s.ReceivesWaiting() == 0 {
			return nil
		}
		if _, err := s.exchange(50, 0); err != nil {
			return err
		}
	}
	return fail("%d receive requests are not taken", s.ReceivesWaiting())
}

// noOctets sends messages and segments without octets.
func noOctets(s *stage) error {
	a, err := s.region(1<<20, everything|memory.Invalidate)
	if err != nil {
		return err
	}
	stream, own := s.streams[0], s.streams[1]
	s.raw[own] = &rawStream{send: 1, request: 1, alone: true}
	if err := errors.Join(s.openRaw(stream), s.open(own)); err != nil {
		return err
	}
	// Sends, as lists of their segments' lengths.
	for _, op := range slices.Concat(spec.Send.All(), spec.SendInvalidate.All()) {
		for _, sizes := range [][]int{{0}, {0, 0}, {0, 5}, {5, 0}, {0, 0, 7, 0, 9, 0}} {
			if err := errors.Join(s.receive(stream, a, 64), s.taken()); err != nil {
				return err
			}
			invalidate := uint32(0)
			if op.Is(spec.SendInvalidate) {
				victim, err := s.region(64, memory.Invalidate)
				if err != nil {
					return err
				}
				s.rows-- // the row is free again
				invalidate = victim.stag()
			}
			r, at := s.raw[stream], uint32(0)
			for i, n := range sizes {
				s.Send(stream, wire.AppendSend(nil, op, invalidate, r.send, at, i == len(sizes)-1, s.octets(n)))
				at += uint32(n)
			}
			r.send++
			if err := s.rest(); err != nil {
				return err
			}
		}
	}
	// Writes: the STag of a segment without octets is not checked.
	for _, sizes := range [][]int{{0}, {0, 0}, {0, 5}, {5, 0}, {3, 0, 4}} {
		to := a.next(16, 1)
		s.touches(stream, a, to, 16)
		for i, n := range sizes {
			stag := a.stag()
			if n == 0 {
				stag = s.rand.Uint32()
			}
			s.Send(stream, wire.AppendWrite(nil, stag, to, i == len(sizes)-1, s.octets(n)))
			to += uint64(n)
		}
	}
	// A Read of no octets, from nowhere.
	s.Send(stream, wire.AppendReadRequest(nil, s.raw[stream].request, wire.ReadRequest{DataSinkSTag: 5, DataSinkTO: 6, DataSourceSTag: s.rand.Uint32()}))
	s.raw[stream].request++
	if err := s.done(); err != nil {
		return err
	}
	// Requests of this node, with responses in segments without octets.
	for _, sizes := range [][]int{{0}, {0, 5}, {5, 0}, {3, 0, 4}, {0, 0, 9, 0}} {
		total := 0
		for _, n := range sizes {
			total += n
		}
		to := a.next(max(total, 1), 1)
		s.touches(own, a, to, total)
		s.left[own] = nil
		if err := s.post(rdmap.WorkRequest{Stream: own, Opcode: spec.ReadRequest.Opcode(), Signaled: true, Length: uint32(total), Local: rdmap.Buffer{STag: a.stag(), TO: to}}); err != nil {
			return err
		}
		if err := s.until("a Read Request", func() bool { return len(s.left[own]) > 0 }); err != nil {
			return err
		}
		if sizes[len(sizes)-1] == 0 && total > 0 {
			// The segment that completes the octets must have L and ends the message.
			sizes = sizes[:len(sizes)-1]
		}
		for i, n := range sizes {
			s.Send(own, wire.AppendReadResponse(nil, a.stag(), to, i == len(sizes)-1, s.octets(n)))
			to += uint64(n)
		}
		if err := s.rest(); err != nil {
			return err
		}
	}
	for _, op := range slices.Concat(spec.Write.All(), spec.Send.All(), spec.SendInvalidate.All()) {
		// The local buffer is not checked either.
		if err := s.post(rdmap.WorkRequest{Stream: own, Opcode: op, Signaled: true, Local: rdmap.Buffer{STag: s.rand.Uint32()}, Remote: rdmap.Buffer{STag: s.rand.Uint32()}}); err != nil {
			return err
		}
		if err := s.rest(); err != nil {
			return err
		}
	}
	return s.done()
}

// mixedSends sends Sends of up to eight segments on all streams, each segment on a random stream, some without octets.
func mixedSends(s *stage) error {
	a, err := s.region(1<<40, memory.LocalWrite)
	if err != nil {
		return err
	}
	streams := s.streams[:min(8, len(s.streams))]
	if err := s.openRaw(streams...); err != nil {
		return err
	}
	const octets = 8 * 700
	for range 4 {
		type sending struct{ segments, at, left int }
		all := make([]sending, len(streams))
		left := 0
		for i, stream := range streams {
			messages := min(s.config.ReceiveDepth, 8)
			for range messages {
				if err := s.receive(stream, a, octets); err != nil {
					return err
				}
			}
			all[i].left = messages
			left += messages
		}
		if err := s.taken(); err != nil {
			return err
		}
		for left > 0 {
			i := s.rand.IntN(len(streams))
			m, r := &all[i], s.raw[streams[i]]
			if m.left == 0 {
				continue
			}
			n := 0
			if s.rand.IntN(4) > 0 {
				n = s.rand.IntN(700)
			}
			last := m.segments == 7 || s.rand.IntN(5) == 0
			s.Send(streams[i], wire.AppendSend(nil, spec.Send.Opcode(), 0, r.send, uint32(m.at), last, s.octets(n)))
			m.segments, m.at = m.segments+1, m.at+n
			if last {
				r.send++
				left--
				*m = sending{left: m.left - 1}
			}
		}
		if err := s.done(); err != nil {
			return err
		}
	}
	return nil
}
