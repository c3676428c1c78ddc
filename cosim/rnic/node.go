package rnic

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Node is a device and the golden model that follows it. Everything that is posted and sent goes to both; whatever
// leaves the device must be what the model says.
//
// The model takes a segment, and executes a request, as late as the device shows that it has: what the device has not
// shown may have happened or not. Settle, when the device is at rest, makes the model take all that is left, and finds
// what the device has failed to do.
//
// Where two outcomes are right, the model's documentation says so, and the node accepts the one that the device shows.
// Each such place has a comment here that begins with "Either".
type Node struct {
	Device *Device
	Model  *rdmap.Engine

	Observer Observer // may be nil

	name     string
	config   gen.Config
	kinds    sentKinds
	faulty   []simulator.Range
	streams  []follower
	checked  Checked
	dropping bool // the model drops the requests that it executes
	base     counts
	extra    counts // what the model does not count as the device does
	ends     map[wire.TerminateCode]uint64
	unequal  bool // a stream has ended at a point that is not visible
	events   []Event
	stored   uint64       // see ReceivesStored
	buffer   []byte       // octets of the device's memory
	tracer   *tracer      // with Options.Stamps
	leaving  []Segment    // that have left, and are not reported
	reports  []sentReport // of segments that have not left
	dropped  uint32       // segments that were reported as dropped
	refused  uint32       // receive requests
	lost     uint32       // Terminates that the log had no room for
}

// OpenNode starts a device and a model of one configuration. name tells it from others in messages.
func OpenNode(name string, c gen.Config, o Options) (*Node, error) {
	device, err := OpenDevice(c, o)
	if err != nil {
		return nil, err
	}
	return NewNode(name, c, device)
}

// NewNode joins a model to a device that is as after reset.
func NewNode(name string, c gen.Config, device *Device) (*Node, error) {
	config := ModelConfig(c)
	config.IRD = 1 << 16       // whether a request is one too many is a matter of time: findsRefused
	config.SendDepth = 1 << 16 // the host keeps to it; what the device has flushed the model flushes in Settle
	model, err := rdmap.NewEngine(config)
	if err != nil {
		return nil, err
	}
	n := &Node{Device: device, Model: model, name: name, config: c, kinds: sentKindsOf(c), streams: make([]follower, c.Streams), ends: map[wire.TerminateCode]uint64{}}
	model.ReadError = func(uint32, uint64, int) bool { return n.dropping }
	if device.stamps != nil {
		n.tracer = newTracer(c)
	}
	return n, nil
}

// ModelConfig is the model's configuration of a generator's.
func ModelConfig(c gen.Config) rdmap.EngineConfig {
	return rdmap.EngineConfig{Streams: c.Streams, STags: c.STags, IRD: c.IRD, ORD: c.ORD, ReceiveDepth: c.ReceiveDepth, SendDepth: c.SendDepth,
		MaxPayload: c.MaxPayload, Draft00: c.Draft00()}
}

// SetFaulty sets the ranges of the device's memory that answer with an error. They begin and end with lines of 128 octets.
func (n *Node) SetFaulty(ranges ...simulator.Range) error {
	n.faulty = ranges
	return n.Device.SetErrors(ranges...)
}

// ReceivesStored is how many of the receive requests that were posted, in their order, the device has in its rings or has refused.
// One that it has only accepted is not there yet.
func (n *Node) ReceivesStored() uint64 { return n.stored }

// ReceivesWaiting is how many the device has not accepted at its port.
func (n *Node) ReceivesWaiting() int { return n.Device.ReceivesWaiting() }

// Close frees the device.
func (n *Node) Close() error { return n.Device.Close() }

// Checked is what has been compared so far.
func (n *Node) Checked() Checked { return n.checked }

// SetRegion stores a row of the STag table while nothing is under way.
func (n *Node) SetRegion(index int, r memory.Region) error {
	if err := n.Model.SetRegion(index, r); err != nil {
		return err
	}
	return n.Device.SetRegion(index, r)
}

// Open opens a stream on which nothing is under way.
func (n *Node) Open(stream uint32, domain uint16) error {
	n.streams[stream] = follower{limit: noLimit, domain: domain, life: running}
	if n.tracer != nil {
		n.tracer.open(stream)
	}
	if n.Observer != nil {
		n.Observer.Opened(stream)
	}
	n.Model.Open(stream, domain)
	for is := true; is; {
		_, is = n.Model.NextReceived(stream)
	}
	for is := true; is; {
		_, is = n.Model.NextSent(stream)
	}
	return n.Device.Open(stream, domain)
}

// Write puts octets into the memory of both while nothing of them is in use.
func (n *Node) Write(address uint64, octets []byte) error {
	n.Model.Memory().Write(address, octets)
	return n.Device.memory.Write(address, octets)
}

// PostWork posts a work request. What is beyond SendDepth waits in front of the device, and others behind it.
func (n *Node) PostWork(w rdmap.WorkRequest) error {
	n.Device.PostWork(w)
	f := &n.streams[w.Stream]
	f.work = append(f.work, promise{id: w.ID, signaled: w.Signaled, wrong: !n.usableLocal(w)})
	f.otherwise = f.otherwise || isRequest(w.Opcode) && n.suspect(w.Local.STag)
	f.starting = append(f.starting, n.readable(w))
	w.Signaled = true // the model tells of every one
	if n.Model.PostSend(w) {
		return fmt.Errorf("%s: the model refuses a work request on stream %d", n.name, w.Stream)
	}
	return nil
}

// PostReceive posts a receive request. The caller sends what needs it when the device has stored it, and posts one beyond
// ReceiveDepth when nothing is under way that may use another: the model refuses it, and an event must say so.
func (n *Node) PostReceive(r rdmap.ReceiveRequest) error {
	n.Device.PostReceive(r)
	f := &n.streams[r.Stream]
	if n.Model.PostReceive(r) {
		f.refusals++
		return nil
	}
	f.otherwise = f.otherwise || !n.usable(r.Stream, r.Buffer, r.Length, memory.LocalWrite) || n.suspect(r.Buffer.STag)
	return nil
}

// Send gives a segment to both.
func (n *Node) Send(stream uint32, segment []byte) {
	f := &n.streams[stream]
	f.segments = append(f.segments, arrival{segment, f.answered, f.left})
	f.shown.sent = append(f.shown.sent, segment)
	n.Device.Send(stream, segment)
}

// Run lets the device work and compares what comes out of it. A *engine.StuckError says that the device waits for something;
// that may be its peer, and all that came out is compared.
func (n *Node) Run(cycles, idle uint64) (Output, error) {
	before, _ := n.Device.accepted()
	why, err := n.Device.Run(cycles, idle)
	var stuck *simulator.StuckError
	if err != nil && !errors.As(err, &stuck) {
		return Output{}, fmt.Errorf("%s: %w", n.name, err)
	}
	out := n.Device.Take()
	accepted, receives := n.Device.accepted()
	out.Busy = why.Why == simulator.MaxCycles || why.Why == simulator.OutputFull || accepted != before
	if why.Why == simulator.Quiet || why.Why == simulator.Stuck {
		n.stored = receives
	} else {
		n.stored = max(n.stored, receives-min(receives, storingCycles))
	}
	if n.tracer != nil {
		n.Device.TxCycles()
		if _, err := n.Device.RxCycles(); err != nil {
			return out, err
		}
		for _, v := range n.tracer.add(out.steps) {
			return out, n.differs(v.Second.Stream, "the order of what happens", v.String(), "as the tables want it")
		}
	}
	if err := n.followReports(out.steps, out.Segments); err != nil {
		return out, err
	}
	for _, r := range out.Retired {
		if err := n.followAtomic(r); err != nil {
			return out, err
		}
	}
	for _, s := range out.Segments {
		if err := n.followSegment(s); err != nil {
			return out, err
		}
	}
	for _, e := range out.Events {
		if err := n.followEvent(e); err != nil {
			return out, err
		}
	}
	for _, c := range out.Completions {
		if err := n.followCompletion(c); err != nil {
			return out, err
		}
	}
	if stuck != nil {
		err = fmt.Errorf("%s: %w", n.name, err)
	}
	return out, err
}

// storingCycles is more than a receive request takes from rqe to its ring, of which one a clock is accepted.
const storingCycles = 4
