package scenario

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

var countScenarios = []Scenario{
	{Name: "message-numbers", Doc: "Message Sequence Numbers of queues 0, 1 and 3 across 2^8, 2^16, 2^24, 2^31 and 2^32, both ways", run: messageNumbers, sets: true},
	{Name: "wrong-numbers", Doc: "a Message Sequence Number, or offset, with one bit wrong, on each queue", run: wrongNumbers},
	{Name: "send-offsets", Doc: "a received Send across offsets 2^16, 2^24, 2^31, up to 2^32 - 1, and beyond", run: sendOffsets, sets: true},
	{Name: "read-offsets", Doc: "a received Read Response across octets 2^16, 2^24, 2^31, up to 2^32 - 1", run: readOffsets, sets: true},
	{Name: "sent-offsets", Doc: "a transmitted Write, Send and Read Response of 2^32 - 1 octets: start, wraps and end", run: sentOffsets, sets: true},
	{Name: "counter-wraps", Doc: "every counter of the registers across 2^32", run: counterWraps, sets: true},
	{Name: "wraps", Doc: "one stream alone until each of its rings and numbers has wrapped", run: wraps},
}

// set writes a number of a stream's state in the hardware. The most recently opened stream cannot be set: rx_check writes its state back.
func (s *stage) set(stream uint32, name string, value uint64) error {
	done := false
	for _, f := range gen.StreamState(s.config) {
		if f.Name != name {
			continue
		}
		m, err := s.inside.Memory(f.Memory)
		if err != nil {
			return err
		}
		words := make([]uint64, (m.Width+63)/64)
		m.Get(int(stream), words)
		for i := range f.Width {
			at := f.Low + i
			words[at/64] = words[at/64]&^(1<<(at%64)) | value>>i&1<<(at%64)
		}
		m.Set(int(stream), words...)
		done = true
	}
	if !done {
		return fmt.Errorf("a stream has no number %s", name)
	}
	return nil
}

// openAway opens a stream, alone if it is raw, and another one after it, so that the first can be set.
func (s *stage) openAway(stream uint32, raw bool) error {
	if raw {
		s.raw[stream] = &rawStream{send: 1, request: 1, alone: true}
	}
	return s.open(stream, s.streams[len(s.streams)-1])
}

// resume sets all message numbers of a stream to n, at both ends.
func (s *stage) resume(stream, n uint32) error {
	p := rdmap.Position{Expected: [4]uint32{n, n, 1, n}, Sent: [4]uint32{n, n, 1, n}}
	s.Model.Resume(stream, p)
	s.peer.Model.Resume(stream, p)
	if r := s.raw[stream]; r != nil {
		r.send, r.request = n, n
	}
	var errs []error
	for _, name := range []string{"ReceiveMsn", "RequestMsn", "ResponseMsn", "ReplyMsn", "SendMsn"} { // RequestMsn is in both memories
		errs = append(errs, s.set(stream, name, uint64(n)))
	}
	return errors.Join(append(errs, s.set(stream, "AnsweredMsn", uint64(n-1)))...)
}

// edges are the values at which a counter may wrap; the scenarios start slightly before them.
var edges = []uint64{1 << 8, 1 << 16, 1 << 24, 1 << 31, 1 << 32}

// messageNumbers sends messages of each kind both ways across each edge.
func messageNumbers(s *stage) error {
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	stream := s.streams[0]
	for _, edge := range edges {
		if err := s.openAway(stream, false); err != nil {
			return err
		}
		if err := s.resume(stream, uint32(edge-3)); err != nil {
			return err
		}
		for range 5 {
			for _, op := range []wire.Opcode{spec.Send.Opcode(), spec.ReadRequest.Opcode(), spec.AtomicRequest.Opcode(), spec.Immediate.Opcode(), spec.Write.Opcode()} {
				if takesReceive(op) {
					if err := errors.Join(s.receive(stream, l.sink, 3*s.config.MaxPayload), s.receivePeer(stream, l.sink, 3*s.config.MaxPayload), l.accepted()); err != nil {
						return err
					}
				}
				if err := errors.Join(s.postPeer(l.work(stream, op, false)), s.post(l.work(stream, op, true))); err != nil {
					return err
				}
			}
			if err := s.rest(); err != nil {
				return err
			}
		}
		if err := s.done(); err != nil {
			return fmt.Errorf("across 0x%X: %w", edge, err)
		}
		for _, p := range []rdmap.Position{s.Model.Position(stream), s.peer.Model.Position(stream)} {
			if p.Expected[0] != uint32(edge-3+10) || p.Sent[0] != uint32(edge-3+10) || p.Expected[1] != uint32(edge-3+10) || p.Expected[3] != uint32(edge-3+5) {
				return fail("messages are missing across 0x%X: %+v", edge, p)
			}
		}
	}
	return nil
}

// wrongNumbers inverts one bit of a number at a time. Each such segment must be refused.
func wrongNumbers(s *stage) error {
	source, err := s.region(4096, memory.RemoteRead|memory.RemoteAtomic|memory.LocalWrite)
	if err != nil {
		return err
	}
	at := 0
	for bit := range 32 {
		wrong := uint32(1 ^ 1<<bit)
		terminate := wire.AppendTerminate(nil, wire.Terminate{})
		binary.BigEndian.PutUint32(terminate[10:], wrong) // MSN
		read := wire.ReadRequest{ReadMessageSize: 8, DataSourceSTag: source.stag(), DataSourceTO: source.Base}
		for _, octets := range [][]byte{
			wire.AppendSend(nil, spec.Send.Opcode(), 0, wrong, 0, true, nil), wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, 1<<bit, true, nil),
			wire.AppendImmediate(nil, false, wrong, 0), wire.AppendReadRequest(nil, wrong, read),
			wire.AppendAtomicRequest(nil, wrong, wire.NewFetchAdd(1, source.stag(), source.Base, 1, 0)),
			terminate, wire.AppendAtomicResponse(nil, wrong, wire.AtomicResponse{}),
		} {
			stream := s.streams[at%len(s.streams)]
			if at++; at%len(s.streams) == 0 {
				if err := s.done(); err != nil {
					return err
				}
			}
			if err := s.openRaw(stream); err != nil {
				return err
			}
			s.may(stream)
			if err := s.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: s.nextID(), Buffer: rdmap.Buffer{STag: source.stag(), TO: source.Base}, Length: 8}); err != nil {
				return err
			}
			s.Send(stream, octets)
		}
	}
	return s.done()
}

// longest is the maximum message length in octets.
const longest = 1<<32 - 1

// sendOffsets continues a Send of many segments at offsets that it would reach only after a long time.
func sendOffsets(s *stage) error {
	buffer, err := s.region(1<<33, memory.LocalWrite)
	if err != nil {
		return err
	}
	stream := s.streams[0]
	for _, edge := range []uint64{1 << 16, 1 << 24, 1 << 31, longest, longest + 2} {
		if err := s.openAway(stream, true); err != nil {
			return err
		}
		if err := s.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: s.nextID(), Buffer: rdmap.Buffer{STag: buffer.stag(), TO: buffer.Base}, Length: longest}); err != nil {
			return err
		}
		if err := s.rest(); err != nil {
			return err
		}
		begin := uint32(edge - 700)
		s.Model.Resume(stream, rdmap.Position{Expected: [4]uint32{1, 1, 1, 1}, Sent: [4]uint32{1, 1, 1, 1}, SendOpcode: spec.Send.Opcode(), SendOctets: begin})
		if err := errors.Join(s.set(stream, "Within", 1), s.set(stream, "Opcode", uint64(spec.Send.Opcode())), s.set(stream, "Offset", uint64(begin))); err != nil {
			return err
		}
		if edge > longest {
			s.may(stream)
		}
		at := begin
		for i, n := range []int{0, 300, 1, 64, 335, 0} {
			octets := s.octets(n)
			s.touches(stream, buffer, buffer.Base+uint64(at), n)
			s.Send(stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, at, i == 5, octets))
			at += uint32(n)
		}
		if edge > longest { // one octet too many
			s.Send(stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, at, true, s.octets(3)))
		}
		before := s.completions(int(stream))
		if err := s.done(); err != nil {
			return fmt.Errorf("across 0x%X: %w", edge, err)
		}
		if edge <= longest && s.completions(int(stream)) != before+1 {
			return fail("a Send across 0x%X does not complete", edge)
		}
	}
	return nil
}

// readOffsets continues the response to a Read of maximum length at offsets that it would reach only after a long time.
func readOffsets(s *stage) error {
	sink, err := s.region(1<<33, memory.LocalWrite)
	if err != nil {
		return err
	}
	stream := s.streams[0]
	for _, edge := range []uint64{1 << 16, 1 << 24, 1 << 31, longest, longest + 1} {
		if err := s.openAway(stream, true); err != nil {
			return err
		}
		s.left[stream] = nil
		length := uint32(min(edge, longest))
		if err := s.post(rdmap.WorkRequest{Stream: stream, Opcode: spec.ReadRequest.Opcode(), Signaled: true, Local: rdmap.Buffer{STag: sink.stag(), TO: sink.Base}, Length: length}); err != nil {
			return err
		}
		if err := s.until("a Read Request", func() bool { return len(s.left[stream]) > 0 }); err != nil {
			return err
		}
		if err := s.wake(); err != nil {
			return err
		}
		begin := length - 700
		p := s.Model.Position(stream)
		p.ReadOctets = begin
		s.Model.Resume(stream, p)
		if err := s.set(stream, "Received", uint64(begin)); err != nil {
			return err
		}
		at, sizes := begin, []int{0, 300, 1, 64, 335}
		if edge > longest { // one octet too many
			s.may(stream)
			sizes[4]++
		}
		for i, n := range sizes {
			to := sink.Base + uint64(at)
			if i < 4 || edge <= longest {
				s.touches(stream, sink, to, n)
			}
			s.Send(stream, wire.AppendReadResponse(nil, sink.stag(), to, i == 4, s.octets(n)))
			at += uint32(n)
		}
		before := s.completions(int(stream))
		if err := s.done(); err != nil {
			return fmt.Errorf("across 0x%X: %w", edge, err)
		}
		if edge <= longest && s.completions(int(stream)) != before+1 {
			return fail("a Read across 0x%X does not complete", edge)
		}
	}
	return nil
}

// wake makes rx_check write the state of another stream, so that the others can be set.
func (s *stage) wake() error {
	other := s.streams[len(s.streams)-1]
	a, err := s.region(4096, memory.RemoteWrite)
	if err != nil {
		return err
	}
	s.rows--
	s.write(other, a, s.octets(1))
	return s.rest()
}
