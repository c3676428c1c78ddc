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

// Node is a device and the golden model that follows it. All posted requests and received segments go to both; everything the
// device outputs must match the model.
//
// The model receives a segment, and executes a request, no earlier than the device shows that it has: a step that the device
// has not shown may have happened or not. Settle, called when the device is idle, makes the model receive everything left, and
// finds what the device has failed to do.
//
// Where two outcomes are valid, the model's documentation says so, and the node accepts the one that the device shows.
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
	dropping bool // the model drops requests instead of executing them
	base     counts
	extra    counts // differences between the counts of device and model
	ends     map[wire.TerminateCode]uint64
	unequal  bool // a stream has ended at an unobservable point
	drops    bool // responses of a stream were dropped
	events   []Event
	stored   uint64       // see ReceivesStored
	buffer   []byte       // for octets of the device's memory
	tracer   *tracer      // with Options.Stamps
	leaving  []Segment    // sent, not yet reported
	reports  []sentReport // of segments not yet sent
	dropped  uint32       // segments reported as dropped
	refused  uint32       // refused receive requests
	lost     uint32       // Terminates lost because the log was full
	flushes  flushes
}

// OpenNode starts a device and a model with one configuration. name identifies the node in messages.
func OpenNode(name string, c gen.Config, o Options) (*Node, error) {
	device, err := OpenDevice(c, o)
	if err != nil {
		return nil, err
	}
	return NewNode(name, c, device)
}

// NewNode attaches a model to a freshly reset device.
func NewNode(name string, c gen.Config, device *Device) (*Node, error) {
	config := ModelConfig(c)
	config.IRD = 1 << 16       // whether a request exceeds IRD depends on timing: findsRefused
	config.SendDepth = 1 << 16 // the host enforces it; the model flushes what the device has flushed in Settle
	model, err := rdmap.NewEngine(config)
	if err != nil {
		return nil, err
	}
	n := &Node{Device: device, Model: model, name: name, config: c, kinds: sentKindsOf(c), streams: make([]follower, c.Streams), ends: map[wire.TerminateCode]uint64{}}
	model.ReadError = func(uint32, uint64, int) bool { return n.dropping }
	model.WriteError = model.ReadError
	model.FlushError = func(uint32, uint64, uint64, wire.Disposition) bool { return n.dropping }
	if device.stamps != nil {
		n.tracer = newTracer(c)
	}
	return n, nil
}

// ModelConfig converts a generator configuration to the model's.
func ModelConfig(c gen.Config) rdmap.EngineConfig {
	return rdmap.EngineConfig{Streams: c.Streams, STags: c.STags, IRD: c.IRD, ORD: c.ORD, ReceiveDepth: c.ReceiveDepth, SendDepth: c.SendDepth,
		MaxPayload: c.MaxPayload, Draft00: c.Draft00(), Extensions: c.Protocol(), Commit: modelCommit(c)}
}

// SetFaulty sets the ranges of the device's memory that respond with an error. They consist of whole lines of 128 octets.
func (n *Node) SetFaulty(ranges ...simulator.Range) error {
	n.faulty = ranges
	return n.Device.SetErrors(ranges...)
}

// ReceivesStored returns how many of the posted receive requests, in order, the device has stored in its rings or refused. A
// request that is only accepted does not count yet.
func (n *Node) ReceivesStored() uint64 { return n.stored }

// ReceivesWaiting returns how many the device has not accepted at its port.
func (n *Node) ReceivesWaiting() int { return n.Device.ReceivesWaiting() }

// Close frees the device.
func (n *Node) Close() error { return n.Device.Close() }

// Checked returns the counts of comparisons so far.
func (n *Node) Checked() Checked { return n.checked }

// SetRegion stores a row of the STag table. Nothing may be in flight.
func (n *Node) SetRegion(index int, r memory.Region) error {
	if err := n.Model.SetRegion(index, r); err != nil {
		return err
	}
	return n.Device.SetRegion(index, r)
}

// Weigh gives a stream its share of the transmit side, which does not concern the model.
func (n *Node) Weigh(stream uint32, weight uint8) error { return n.Device.Weigh(stream, weight) }

// Open opens a stream on which nothing is in flight.
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

// Write stores octets in both memories while they are not in use.
func (n *Node) Write(address uint64, octets []byte) error {
	n.Model.Memory().Write(address, octets)
	return n.Device.memory.Write(address, octets)
}

// PostWork posts a work request. One that exceeds SendDepth waits at the device's port, and blocks those after it.
func (n *Node) PostWork(w rdmap.WorkRequest) error {
	n.Device.PostWork(w)
	f := &n.streams[w.Stream]
	f.work = append(f.work, promise{id: w.ID, signaled: w.Signaled, wrong: !n.usableLocal(w)})
	f.otherwise = f.otherwise || isRequest(w.Opcode) && n.suspect(w.Local.STag)
	f.starting = append(f.starting, n.readable(w))
	w.Signaled = true // the model reports every one
	if n.Model.PostSend(w) {
		return fmt.Errorf("%s: the model refuses a work request on stream %d", n.name, w.Stream)
	}
	return nil
}

// PostReceive posts a receive request. The caller sends the message for it only once the device has stored it, and posts a request
// beyond ReceiveDepth only while no message in flight can use another one: the model refuses it, and an event must report that.
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

// Send passes a segment to both.
func (n *Node) Send(stream uint32, segment []byte) {
	f := &n.streams[stream]
	f.segments = append(f.segments, arrival{segment, f.answered, f.left})
	f.shown.sent = append(f.shown.sent, segment)
	n.Device.Send(stream, segment)
}

// Run runs the device and compares its output. A *simulator.StuckError means that the device is waiting, possibly for its peer; the
// output so far has been compared.
func (n *Node) Run(cycles, idle uint64) (Output, error) {
	before, _ := n.Device.accepted()
	why, err := n.Device.Run(cycles, idle)
	var stuck *simulator.StuckError
	if err != nil && !errors.As(err, &stuck) {
		return Output{}, fmt.Errorf("%s: %w", n.name, err)
	}
	out := n.Device.Take()
	accepted, receives := n.Device.accepted()
	out.Busy = why.Why == simulator.MaxCycles || why.Why == simulator.OutputFull || accepted != before || n.Device.Flushing()
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
		n.checked.Steps += uint64(len(out.steps))
		for _, v := range n.tracer.add(out.steps) {
			return out, n.differs(v.Second.Stream, "the order of steps", v.String(), "as the tables require")
		}
	}
	n.flushes.asked = append(n.flushes.asked, out.Flushes...)
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
		return out, fmt.Errorf("%s: %w", n.name, err)
	}
	return out, n.flushes.none
}

// storingCycles exceeds the time of a receive request from rqe to its ring; one is accepted per cycle.
const storingCycles = 4
