package system

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/system"
)

// take passes messages to the hardware: all answers of memory, and of the rest what it has room for.
func (n *rtl) take(now sim.VTimeInSec) (took bool, err error) {
	for m := n.memory.Retrieve(now); m != nil; m = n.memory.Retrieve(now) {
		took = true
		if err := n.answer(m); err != nil {
			return took, err
		}
	}
	h := n.hardware
	for more := true; more; {
		more = false
		switch m := n.host.Peek().(type) {
		case nil:
		case *system.Work:
			if more = h.WorkWaiting() == 0; more {
				h.PostWork(m.Request)
			}
		case *system.Receive:
			if more = h.ReceivesWaiting() == 0; more {
				h.PostReceive(m.Request)
			}
		default:
			return took, fmt.Errorf("a %T arrives from the host", m)
		}
		if more {
			n.host.Retrieve(now)
			took = true
		}
	}
	switch m := n.network.Peek().(type) {
	case nil:
	case *system.Segment:
		if h.SegmentsWaiting() > 0 {
			break
		}
		n.network.Retrieve(now)
		took = true
		n.traffic.SegmentsIn++
		h.Send(m.Stream, m.Octets)
	default:
		return took, fmt.Errorf("a %T arrives from the network", m)
	}
	return took, nil
}

// answer passes an answer of memory to the memory port. The order of the answers of a cycle does not matter.
func (n *rtl) answer(m sim.Msg) error {
	switch m := m.(type) {
	case *mem.DataReadyRsp:
		line, is := n.reading[m.RespondTo]
		if !is {
			return fmt.Errorf("memory answers a read that was not asked for: %s", m.RespondTo)
		}
		if uint64(len(m.Data)) != n.hardware.reads.bus {
			return fmt.Errorf("memory answers a read of %d octets with %d", n.hardware.reads.bus, len(m.Data))
		}
		delete(n.reading, m.RespondTo)
		line.octets = m.Data
	case *mem.WriteDoneRsp:
		done, is := n.writing[m.RespondTo]
		if !is {
			return fmt.Errorf("memory answers a write that was not asked for: %s", m.RespondTo)
		}
		delete(n.writing, m.RespondTo)
		n.hardware.writes.answer(done)
	default:
		return fmt.Errorf("a %T arrives from memory", m)
	}
	return nil
}

// collect takes what has come out of the hardware.
func (n *rtl) collect() (collected bool, err error) {
	h := n.hardware
	in, err := h.Beats("s_axis_rx")
	if err != nil {
		return false, err
	}
	out, err := h.Beats("m_axis_tx")
	if err != nil {
		return false, err
	}
	collected = in != n.traffic.BeatsIn || out != n.traffic.BeatsOut
	n.traffic.BeatsIn, n.traffic.BeatsOut = in, out
	output := h.Take()
	n.segments = append(n.segments, output.Segments...)
	for _, c := range output.Completions {
		completion, err := completionOf(c)
		if err != nil {
			return false, err
		}
		n.completions = append(n.completions, completion)
	}
	for _, e := range output.Events {
		switch e.Kind {
		case engine.EventEnded, engine.EventClosed:
			n.ended = append(n.ended, e.Stream)
		case engine.EventReceiveRefused:
			return false, fmt.Errorf("stream %d: a receive request is refused, as there are receive_depth of them", e.Stream)
		}
	}
	return collected || len(output.Segments)+len(output.Completions)+len(output.Events) > 0, nil
}

// statuses are those of the model, by that of the hardware.
var statuses = map[uint8]rdmap.Status{engine.StatusSuccess: rdmap.StatusSuccess, engine.StatusFlushed: rdmap.StatusFlushed,
	engine.StatusProtection: rdmap.StatusProtection}

func completionOf(c rnic.Completion) (rdmap.Completion, error) {
	status, is := statuses[c.Status]
	switch {
	case is:
	case c.Recv:
		return rdmap.Completion{}, fmt.Errorf("stream %d: memory has failed for receive request %d", c.Stream, c.ID)
	default:
		status = rdmap.StatusMismatch // engine.StatusDiffers
	}
	return rdmap.Completion{Stream: c.Stream, ID: c.ID, Recv: c.Recv, Status: status, Opcode: c.Opcode, Length: c.Length, Data: c.Data, STag: c.STag}, nil
}

// send sends what has come out of the hardware as far as the ports have room.
func (n *rtl) send(now sim.VTimeInSec) error {
	if err := n.sendSegment(now); err != nil {
		return err
	}
	if len(n.completions) > 0 && n.host.CanSend() {
		n.host.Send(&system.Done{MsgMeta: meta(now, n.host, n.toHost), Completion: n.completions[0]})
		n.completions = n.completions[1:]
	}
	if len(n.ended) > 0 && n.host.CanSend() {
		n.host.Send(&system.Ended{MsgMeta: meta(now, n.host, n.toHost), Stream: n.ended[0]})
		n.ended = n.ended[1:]
	}
	if line := n.hardware.reads.next(); line != nil && n.memory.CanSend() {
		m := &mem.ReadReq{MsgMeta: meta(now, n.memory, n.toMemory), Address: line.address, AccessByteSize: n.hardware.reads.bus}
		n.reading[m.ID] = line
		n.memory.Send(m)
		n.hardware.reads.sent()
		n.traffic.LinesRead++
	}
	if w := n.hardware.writes.next(); w != nil && n.memory.CanSend() {
		m := &mem.WriteReq{MsgMeta: meta(now, n.memory, n.toMemory), Address: w.address, Data: w.octets}
		n.writing[m.ID] = w
		n.memory.Send(m)
		n.hardware.writes.sent()
		n.traffic.LinesWrote++
	}
	return nil
}

func (n *rtl) sendSegment(now sim.VTimeInSec) error {
	if len(n.segments) == 0 || !n.network.CanSend() {
		return nil
	}
	s := n.segments[0]
	if int(s.Stream) >= len(n.site.Peers) {
		return fmt.Errorf("a segment leaves on stream %d, which has no peer", s.Stream)
	}
	to := n.site.Peers[s.Stream]
	n.network.Send(&system.Segment{MsgMeta: meta(now, n.network, n.toNetwork), To: to.Node, Stream: to.Stream, Octets: s.Octets})
	n.segments = n.segments[1:]
	n.traffic.SegmentsOut++
	return nil
}

func meta(now sim.VTimeInSec, from, to sim.Port) sim.MsgMeta {
	return sim.MsgMeta{ID: sim.GetIDGenerator().Generate(), Src: from, Dst: to, SendTime: now}
}
