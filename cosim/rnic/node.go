package rnic

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
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

// Checked counts what was compared.
type Checked struct {
	Messages    uint64 // that left the device
	Segments    uint64
	Completions uint64
	Events      uint64
	Atomics     uint64
	Streams     uint64 // that ended, and how
	Refused     uint64 // receive requests beyond the limit
	Registers   uint64
	Steps       uint64 // of messages, compared with the ordering tables
	Reports     uint64 // of the retire port: counts of a stream
}

func (c *Checked) add(o Checked) {
	c.Messages += o.Messages
	c.Segments += o.Segments
	c.Completions += o.Completions
	c.Events += o.Events
	c.Atomics += o.Atomics
	c.Streams += o.Streams
	c.Refused += o.Refused
	c.Registers += o.Registers
	c.Steps += o.Steps
	c.Reports += o.Reports
}

// Difference is a device that does not do what the model says.
type Difference struct {
	Node   string
	Stream uint32
	What   string
	Device string
	Model  string
}

func (d *Difference) Error() string {
	return fmt.Sprintf("%s, stream %d: %s differs\n  device: %s\n  model:  %s", d.Node, d.Stream, d.What, d.Device, d.Model)
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
	n := &Node{Device: device, Model: model, name: name, config: c, streams: make([]follower, c.Streams), ends: map[wire.TerminateCode]uint64{}}
	for i := range n.streams {
		n.streams[i].over = true
	}
	model.ReadError = func(uint32, uint64, int) bool { return n.dropping }
	if device.stamps != nil {
		n.tracer = newTracer(c.Streams)
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

// fails tells whether memory answers an access with an error.
func (n *Node) fails(address, octets uint64, write bool) bool {
	return n.firstFailure(address, octets, write) < octets
}

// firstFailure is the number of the first octet of an access that memory answers with an error, octets if there is none.
func (n *Node) firstFailure(address, octets uint64, write bool) uint64 {
	first := octets
	for _, r := range n.faulty {
		if (write && r.Writes || !write && r.Reads) && address <= r.Last && address+octets > r.First {
			first = min(first, max(r.First, address)-address)
		}
	}
	return first
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
	n.streams[stream] = follower{limit: noLimit, domain: domain, opened: true}
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

// usableLocal tells whether a work request may use its local buffer.
func (n *Node) usableLocal(w rdmap.WorkRequest) bool {
	switch w.Opcode.Class() {
	case spec.Immediate:
		return true
	case spec.AtomicRequest:
		return n.usable(w.Stream, w.Local, memory.WordOctets, memory.LocalWrite)
	case spec.ReadRequest:
		return n.usable(w.Stream, w.Local, w.Length, memory.LocalWrite)
	}
	return n.usable(w.Stream, w.Local, w.Length, memory.LocalRead)
}

// readable is how many segments of a work request have payload that memory gives, noLimit if all.
func (n *Node) readable(w rdmap.WorkRequest) int {
	if !w.Opcode.Is(spec.Write) && !isSend(w.Opcode) || !n.usable(w.Stream, w.Local, w.Length, memory.LocalRead) || w.Length == 0 {
		return noLimit
	}
	region, _ := n.Model.Region(int(w.Local.STag >> 8))
	octets := uint64(w.Length)
	if first := n.firstFailure(region.Address+(w.Local.TO-region.Base), octets, false); first < octets {
		return int(first) / n.config.MaxPayload
	}
	return noLimit
}

// usable tells whether a stream may use a local buffer.
func (n *Node) usable(stream uint32, b rdmap.Buffer, length uint32, right memory.Rights) bool {
	region, is := n.Model.Region(int(b.STag >> 8))
	owner := uint16(stream)
	if region.ByDomain {
		owner = n.streams[stream].domain
	}
	return length == 0 || is && region.Valid && region.Key == uint8(b.STag) && region.Owner == owner && region.Rights&right != 0 &&
		b.TO >= region.Base && b.TO-region.Base <= region.Length && uint64(length) <= region.Length-(b.TO-region.Base)
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
func (n *Node) Run(clocks, idle uint64) (Output, error) {
	before, _ := n.Device.accepted()
	why, err := n.Device.Run(clocks, idle)
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
		n.stored = max(n.stored, receives-min(receives, storingClocks))
	}
	if n.tracer != nil {
		n.Device.TxClocks()
		if _, err := n.Device.RxClocks(); err != nil {
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

func (n *Node) differs(stream uint32, what, device, model string) error {
	return &Difference{Node: n.name, Stream: stream, What: what, Device: device, Model: model}
}

// storingClocks is more than a receive request takes from rqe to its ring, of which one a clock is accepted.
const storingClocks = 4

// Range is some octets of memory.
type Range struct {
	Address uint64
	Octets  int
}

// show is a segment for a person to read.
func show(octets []byte) string {
	const most = 80
	s, _ := wire.Classify(octets)
	text := fmt.Sprintf("%s, %d octets: % X", s.Header.Opcode, len(octets), octets[:min(len(octets), most)])
	if len(octets) > most {
		text += " ..."
	}
	return text
}
