package system

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

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
	for more := true; more; {
		more = false
		switch m := n.host.Peek().(type) {
		case nil:
		case *system.Work:
			more = n.device.work(m.Request)
		case *system.Receive:
			more = n.device.receive(m.Request)
		default:
			return took, fmt.Errorf("a %T arrives from the host", m)
		}
		if more {
			n.host.Retrieve(now)
			took = true
		}
	}
	brought, err := n.device.take(now)
	return took || brought, err
}

// answer passes an answer of memory to the memory port. The order of the answers of a cycle does not matter.
func (n *rtl) answer(m sim.Msg) error {
	switch m := m.(type) {
	case *mem.DataReadyRsp:
		line, is := n.reading[m.RespondTo]
		if !is {
			return fmt.Errorf("memory answers a read that was not asked for: %s", m.RespondTo)
		}
		if uint64(len(m.Data)) != n.port.reads.bus {
			return fmt.Errorf("memory answers a read of %d octets with %d", n.port.reads.bus, len(m.Data))
		}
		delete(n.reading, m.RespondTo)
		line.octets = m.Data
	case *mem.WriteDoneRsp:
		done, is := n.writing[m.RespondTo]
		if !is {
			return fmt.Errorf("memory answers a write that was not asked for: %s", m.RespondTo)
		}
		delete(n.writing, m.RespondTo)
		n.port.writes.answer(done)
	default:
		return fmt.Errorf("a %T arrives from memory", m)
	}
	return nil
}

// collect takes what has come out of the hardware.
func (n *rtl) collect(now sim.VTimeInSec) (collected bool, err error) {
	in, err := n.port.stats("s_axis_rx")
	if err != nil {
		return false, err
	}
	out, err := n.port.stats("m_axis_tx")
	if err != nil {
		return false, err
	}
	collected = in.Beats != n.traffic.BeatsIn || out.Beats != n.traffic.BeatsOut
	n.traffic.BeatsIn, n.traffic.BeatsOut = in.Beats, out.Beats
	some, err := n.device.collect(now)
	return collected || some, err
}

// send sends what has come out of the hardware as far as the ports have room.
func (n *rtl) send(now sim.VTimeInSec) error {
	if err := n.device.send(now); err != nil {
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
	if line := n.port.reads.next(); line != nil && n.memory.CanSend() {
		m := &mem.ReadReq{MsgMeta: meta(now, n.memory, n.toMemory), Address: line.address, AccessByteSize: n.port.reads.bus}
		n.reading[m.ID] = line
		n.memory.Send(m)
		n.port.reads.sent()
		n.traffic.LinesRead++
	}
	if w := n.port.writes.next(); w != nil && n.memory.CanSend() {
		m := &mem.WriteReq{MsgMeta: meta(now, n.memory, n.toMemory), Address: w.address, Data: w.octets}
		n.writing[m.ID] = w
		n.memory.Send(m)
		n.port.writes.sent()
		n.traffic.LinesWrote++
	}
	return nil
}

func meta(now sim.VTimeInSec, from, to sim.Port) sim.MsgMeta {
	return sim.MsgMeta{ID: sim.GetIDGenerator().Generate(), Src: from, Dst: to, SendTime: now}
}
