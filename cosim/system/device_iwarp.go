package system

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/system"
)

// iwarp is the hardware of the profile rdmap.
type iwarp struct {
	*hardware
	n        *rtl
	segments []rnic.Segment // that wait for the network
}

func (d *iwarp) setRegion(index int, r memory.Region) error { return d.SetRegion(index, r) }

// open opens a stream in protection domain 0.
func (d *iwarp) open(stream uint32) error { return d.Open(stream, 0) }

func (d *iwarp) close() error { return d.Close() }

func (d *iwarp) work(w rdmap.WorkRequest) bool {
	if d.WorkWaiting() > 0 {
		return false
	}
	d.PostWork(w)
	return true
}

func (d *iwarp) receive(r rdmap.ReceiveRequest) bool {
	if d.ReceivesWaiting() > 0 {
		return false
	}
	d.PostReceive(r)
	return true
}

func (d *iwarp) take(now sim.VTimeInSec) (took bool, err error) {
	switch m := d.n.network.Peek().(type) {
	case nil:
	case *system.Segment:
		if d.SegmentsWaiting() > 0 {
			break
		}
		d.n.network.Retrieve(now)
		took = true
		d.n.traffic.SegmentsIn++
		d.Send(m.Stream, m.Octets)
	default:
		return took, fmt.Errorf("a %T arrives from the network", m)
	}
	return took, nil
}

func (d *iwarp) run() error {
	if err := d.hold("m_axis_tx", len(d.segments) > 0); err != nil {
		return err
	}
	_, err := d.Run(1, 0)
	return err
}

func (d *iwarp) collect(sim.VTimeInSec) (some bool, err error) {
	output := d.Take()
	d.segments = append(d.segments, output.Segments...)
	for _, c := range output.Completions {
		completion, err := completionOf(c)
		if err != nil {
			return false, err
		}
		d.n.completions = append(d.n.completions, completion)
	}
	for _, e := range output.Events {
		switch e.Kind {
		case engine.EventEnded, engine.EventClosed:
			d.n.ended = append(d.n.ended, e.Stream)
		case engine.EventReceiveRefused:
			return false, fmt.Errorf("stream %d: a receive request is refused, as there are receive_depth of them", e.Stream)
		}
	}
	return len(output.Segments)+len(output.Completions)+len(output.Events) > 0, nil
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

func (d *iwarp) send(now sim.VTimeInSec) error {
	n := d.n
	if len(d.segments) == 0 || !n.network.CanSend() {
		return nil
	}
	s := d.segments[0]
	if int(s.Stream) >= len(n.site.Peers) {
		return fmt.Errorf("a segment leaves on stream %d, which has no peer", s.Stream)
	}
	to := n.site.Peers[s.Stream]
	n.network.Send(&system.Segment{MsgMeta: meta(now, n.network, n.toNetwork), To: to.Node, Stream: to.Stream, Octets: s.Octets})
	d.segments = d.segments[1:]
	n.traffic.SegmentsOut++
	return nil
}

func (d *iwarp) idle() bool { return d.Waiting() == 0 && !d.Flushing() && len(d.segments) == 0 }

func (d *iwarp) next() system.Cycle { return never }
