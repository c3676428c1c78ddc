package system

import (
	"errors"
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/system"
)

// overFalcon is the hardware of the profile falcon, above the Falcon of its node.
type overFalcon struct {
	*falconHardware
	n         *rtl
	transport *system.FalconTransport
	packets   []falcon.Packet // that wait for Falcon
	credits   []returned      // that wait for the hardware
	wake      system.Cycle    // when Falcon has something to do
}

// returned are credits of a connection.
type returned struct {
	cid uint32
	spec.Credits
}

func newOverFalcon(n *rtl, h *falconHardware) *overFalcon {
	d := &overFalcon{falconHardware: h, n: n, wake: never}
	d.transport = system.NewFalconTransport(n.site, n.network, func(cid uint32, c spec.Credits) { d.credits = append(d.credits, returned{cid, c}) })
	return d
}

func (d *overFalcon) setRegion(index int, r memory.Region) error { return d.SetRegion(index, r) }

// open opens the QP of a stream in protection domain 0.
func (d *overFalcon) open(stream uint32) error {
	peer := d.n.site.Peers[stream]
	return d.Connect(falcon.QP{Number: stream, Ordering: peer.Ordering.Falcon(), Errors: spec.CompleteInError, CID: stream, Remote: peer.Stream, RNRTimeout: 1,
		Credits: system.FalconCredits(d.n.site.Config), ORD: system.FalconORD(d.n.site.Config)})
}

func (d *overFalcon) close() error { return d.Close() }

func (d *overFalcon) work(w rdmap.WorkRequest) bool {
	if !d.free("wqe") {
		return false
	}
	x := system.FalconWork(w)
	d.PostWork(falcon.Work{QP: x.QP, ID: x.ID, Opcode: falcon.OpcodeOf(spec.RC, x.Kind, x.Suffix), Local: x.Local, VA: x.VA, RKey: x.RKey, Data: x.Data, Compare: x.Compare})
	return true
}

func (d *overFalcon) receive(r rdmap.ReceiveRequest) bool {
	if !d.free("rqe") {
		return false
	}
	d.PostReceive(r.Stream, r.ID, model.Element{Key: r.Buffer.STag, VA: r.Buffer.TO, Length: r.Length})
	return true
}

func (d *overFalcon) take(now sim.VTimeInSec) (took bool, err error) {
	t := d.transport
	t.Collect(d.n.Freq.Cycle(now))
	if s := t.Packet(); s != nil && d.free("s_axis_rx") {
		t.PacketTaken()
		d.Deliver(falcon.Packet{Type: s.Falcon.Type, CID: s.Stream, RSN: s.Falcon.RSN, Octets: s.Octets})
		d.n.traffic.SegmentsIn++
		took = true
	}
	if d.free("completed") {
		if c, some := t.Completed(); some {
			d.Device.Complete(c)
			took = true
		}
	}
	if len(d.credits) > 0 && d.free("credit") {
		d.Return(d.credits[0].cid, d.credits[0].Credits)
		d.credits = d.credits[1:]
		took = true
	}
	return took, t.Err()
}

func (d *overFalcon) run() error {
	if err := d.hold("m_axis_tx", len(d.packets) > 0); err != nil {
		return err
	}
	_, err := d.Run(1, 0)
	return err
}

func (d *overFalcon) collect(now sim.VTimeInSec) (some bool, err error) {
	out := d.Take()
	for _, a := range out.Answers {
		d.transport.Answer(a, d.n.Freq.Cycle(now))
	}
	d.packets = append(d.packets, out.Packets...)
	for _, c := range out.Completions {
		if c.Status != model.Success {
			err = errors.Join(err, fmt.Errorf("QP %d: a completion with status %v", c.QP, c.Status))
		}
		d.n.completions = append(d.n.completions, rdmap.Completion{Stream: c.QP, ID: c.ID, Recv: c.Receive, Length: c.Length, Data: c.Data})
	}
	for _, e := range out.Events {
		switch e.Kind {
		case falcon.Ended:
			d.n.ended = append(d.n.ended, e.QP)
		case falcon.Refused:
			err = errors.Join(err, fmt.Errorf("QP %d: a receive is refused, as there are receive_depth of them", e.QP))
		}
	}
	return len(out.Answers)+len(out.Packets)+len(out.Completions)+len(out.Events) > 0, err
}

func (d *overFalcon) send(now sim.VTimeInSec) error {
	t := d.transport
	if len(d.packets) > 0 && t.CanSend() {
		p := d.packets[0]
		d.packets = d.packets[1:]
		d.n.traffic.SegmentsOut++
		t.Send(p.CID, system.Transaction{Type: p.Type, RSN: p.RSN, Length: p.Length}, p.Octets)
	}
	d.wake = t.Flush(d.n.toNetwork, d.n.Freq.Cycle(now))
	return t.Err()
}

func (d *overFalcon) idle() bool {
	return len(d.packets)+len(d.credits) == 0 && d.free("s_axis_rx") && d.free("wqe") && d.free("rqe") && d.free("completed") && d.free("credit")
}

func (d *overFalcon) next() system.Cycle { return d.wake }
