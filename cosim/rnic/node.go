package rnic

import (
	"bytes"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/engine"
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
type Node struct {
	Device *Device
	Model  *rdmap.Engine

	name    string
	streams []follower
	checked Checked
	tracer  *tracer // with Options.Stamps
}

// Checked counts what was compared.
type Checked struct {
	Messages    uint64 // that left the device
	Segments    uint64
	Completions uint64
	Events      uint64
	Atomics     uint64
}

// follower is what is known of a stream that device and model do not agree on yet.
type follower struct {
	segments   [][]byte // that the device has, and the model has not taken
	answers    [][]byte // that the model's responder has sent, and the device has not
	requests   [][]byte // the same of the requester
	terminated bool     // the device has sent its Terminate
	over       bool     // the device has shown that the stream has ended
	executed   int      // atomics that the model has executed and the device has not reported
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

// openNode starts a device of a design, or of the configuration's own.
func openNode(name string, c gen.Config, design *engine.Design, o Options) (*Node, error) {
	if design == nil {
		return OpenNode(name, c, o)
	}
	device, err := OpenDesign(c, design, o)
	if err != nil {
		return nil, err
	}
	return NewNode(name, c, device)
}

// NewNode joins a model to a device that is as after reset.
func NewNode(name string, c gen.Config, device *Device) (*Node, error) {
	model, err := rdmap.NewEngine(ModelConfig(c))
	if err != nil {
		return nil, err
	}
	n := &Node{Device: device, Model: model, name: name, streams: make([]follower, c.Streams)}
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

// ReceivesWaiting is the number of receive requests that the device has not accepted.
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
	n.streams[stream] = follower{}
	if n.tracer != nil {
		n.tracer.open(stream)
	}
	n.Model.Open(stream, domain)
	for is := true; is; {
		_, is = n.Model.NextReceived(stream)
	}
	return n.Device.Open(stream, domain)
}

// Write puts octets into the memory of both while nothing of them is in use.
func (n *Node) Write(address uint64, octets []byte) error {
	n.Model.Memory().Write(address, octets)
	return n.Device.memory.Write(address, octets)
}

// PostWork posts a work request. The caller keeps within SendDepth.
func (n *Node) PostWork(w rdmap.WorkRequest) error {
	if n.Model.PostSend(w) {
		return fmt.Errorf("%s: the model refuses a work request on stream %d", n.name, w.Stream)
	}
	n.Device.PostWork(w)
	return nil
}

// PostReceive posts a receive request. The caller keeps within ReceiveDepth, and sends what needs it when the device has
// accepted it.
func (n *Node) PostReceive(r rdmap.ReceiveRequest) error {
	if n.Model.PostReceive(r) {
		return fmt.Errorf("%s: the model refuses a receive request on stream %d", n.name, r.Stream)
	}
	n.Device.PostReceive(r)
	return nil
}

// Send gives a segment to both.
func (n *Node) Send(stream uint32, segment []byte) {
	n.streams[stream].segments = append(n.streams[stream].segments, segment)
	n.Device.Send(stream, segment)
}

// Run lets the device work and compares what comes out of it.
func (n *Node) Run(clocks, idle uint64) (Output, error) {
	if _, err := n.Device.Run(clocks, idle); err != nil {
		return Output{}, fmt.Errorf("%s: %w", n.name, err)
	}
	out := n.Device.Take()
	if n.tracer != nil {
		n.Device.TxClocks()
		if _, err := n.Device.RxClocks(); err != nil {
			return out, err
		}
		for _, v := range n.tracer.add(out.steps) {
			return out, n.differs(v.Second.Stream, "the order of what happens", v.String(), "as the tables want it")
		}
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
	return out, nil
}

// take lets the model take the next segment of a stream that the device has.
func (n *Node) take(stream uint32) bool {
	f := &n.streams[stream]
	if len(f.segments) == 0 {
		return false
	}
	n.Model.Receive(stream, f.segments[0])
	f.segments = f.segments[1:]
	return true
}

// execute lets the model answer the next request of a stream, taking segments until there is one.
func (n *Node) execute(stream uint32) *rdmap.Executed {
	f := &n.streams[stream]
	for {
		segments, done := n.Model.Execute(stream)
		if done == nil {
			if !n.take(stream) {
				return nil
			}
			continue
		}
		for _, s := range segments {
			f.answers = append(f.answers, bytes.Clone(s))
		}
		return done
	}
}

func (n *Node) differs(stream uint32, what, device, model string) error {
	return &Difference{Node: n.name, Stream: stream, What: what, Device: device, Model: model}
}

// followAtomic executes the requests of a stream up to its next atomic, which must be the one that the device reports.
func (n *Node) followAtomic(r Retired) error {
	n.checked.Atomics++
	device := fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", r.Opcode, r.Address, r.Original, r.Result)
	for {
		done := n.execute(r.Stream)
		if done == nil {
			return n.differs(r.Stream, "an atomic", device, "none")
		}
		if done.Kind == rdmap.ExecutedRead {
			continue
		}
		model := fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", done.Opcode, done.Address, done.Original, done.Result)
		if done.Kind != rdmap.ExecutedAtomic {
			model = "the stream has ended"
		}
		if device != model {
			return n.differs(r.Stream, "an atomic", device, model)
		}
		return nil
	}
}

// followSegment finds the segment that leaves next in the model.
func (n *Node) followSegment(s Segment) error {
	n.checked.Segments++
	f := &n.streams[s.Stream]
	if f.terminated {
		return n.differs(s.Stream, "a segment behind the Terminate", show(s.Octets), "none")
	}
	var next *[][]byte
	view, _ := wire.Classify(s.Octets)
	if view.Header.Last {
		n.checked.Messages++
	}
	switch view.Header.Opcode {
	case wire.OpReadResponse, wire.OpAtomicResponse, wire.OpTerminate:
		next = &f.answers
		f.terminated = view.Header.Opcode == wire.OpTerminate
		for len(*next) == 0 && n.execute(s.Stream) != nil {
		}
		if f.terminated {
			n.catchUp(s.Stream, s.Octets)
		}
	default:
		next = &f.requests
		if len(*next) == 0 {
			n.transmit(s.Stream)
		}
		if len(*next) > 0 && view.Header.Last {
			n.Model.Left(s.Stream)
		}
	}
	if len(*next) == 0 {
		return n.differs(s.Stream, "a segment", show(s.Octets), "none")
	}
	want := (*next)[0]
	*next = (*next)[1:]
	if !bytes.Equal(want, s.Octets) {
		return n.differs(s.Stream, "a segment", show(s.Octets), show(want))
	}
	return nil
}

// catchUp lets the model come to its Terminate, when the device has sent one and the model still has answers.
func (n *Node) catchUp(stream uint32, terminate []byte) {
	f := &n.streams[stream]
	if len(f.answers) > 0 && bytes.Equal(f.answers[0], terminate) {
		return
	}
	for n.take(stream) {
	}
	for len(f.answers) == 0 && n.execute(stream) != nil {
	}
}

// transmit lets the model start the next work request of a stream, taking segments while it waits for an answer.
func (n *Node) transmit(stream uint32) {
	f := &n.streams[stream]
	for {
		segments, progress := n.Model.Transmit(stream)
		if progress == rdmap.Idle {
			if !n.take(stream) {
				return
			}
			continue
		}
		for _, s := range segments {
			f.requests = append(f.requests, bytes.Clone(s))
		}
		if progress == rdmap.Failed {
			n.Model.Fail(stream, wire.ErrLocal)
		}
		if len(segments) > 0 {
			return
		}
	}
}

// followEvent takes segments until the model has an event.
func (n *Node) followEvent(e Event) error {
	n.checked.Events++
	device := fmt.Sprintf("kind %d, Terminate %v", e.Kind, e.Term)
	switch e.Kind {
	case gen.EventTerminateSent:
		n.streams[e.Stream].over = true
		return nil // its octets are compared
	case gen.EventReceiveRefused:
		return n.differs(e.Stream, "an event", device, "none")
	}
	for {
		m, is := n.Model.NextEvent(e.Stream)
		if !is {
			if !n.take(e.Stream) {
				return n.differs(e.Stream, "an event", device, "none")
			}
			continue
		}
		kind := uint8(gen.EventSolicited)
		if m.Kind == rdmap.EventTerminated {
			kind = gen.EventTerminateReceived
			n.streams[e.Stream].over = true
		}
		if model := fmt.Sprintf("kind %d, Terminate %v", kind, m.Term); device != model {
			return n.differs(e.Stream, "an event", device, model)
		}
		return nil
	}
}

// followCompletion takes segments until the model has the completion.
func (n *Node) followCompletion(c Completion) error {
	n.checked.Completions++
	for {
		next := n.Model.NextSent
		if c.Recv {
			next = n.Model.NextReceived
		}
		m, is := next(c.Stream)
		if !is {
			if !n.take(c.Stream) && (c.Status != gen.StatusFlushed || n.execute(c.Stream) == nil) {
				return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), "none")
			}
			continue
		}
		if m.Recv && m.Status == rdmap.StatusFlushed && c.Status != gen.StatusFlushed {
			continue // the host knows what it has posted
		}
		want := completionOf(m)
		if c.Status != gen.StatusSuccess && c.Status == want.Status {
			want.Length, want.Data, want.STag = c.Length, c.Data, c.STag // they mean nothing
		}
		if c != want {
			return n.differs(c.Stream, "a completion", fmt.Sprintf("%+v", c), fmt.Sprintf("%+v", want))
		}
		return nil
	}
}

// completionOf is what the model completes, as the device tells it.
func completionOf(m rdmap.Completion) Completion {
	return Completion{Stream: m.Stream, ID: m.ID, Status: statusOf(m.Status), Opcode: m.Opcode, Recv: m.Recv, Length: m.Length, Data: m.Data, STag: m.STag}
}

func statusOf(s rdmap.Status) uint8 {
	switch s {
	case rdmap.StatusFlushed:
		return gen.StatusFlushed
	case rdmap.StatusProtection:
		return gen.StatusProtection
	}
	return gen.StatusSuccess
}

// Settle compares what is left when the device is at rest: nothing may be missing, and memory must be equal in the given
// ranges.
func (n *Node) Settle(ranges ...Range) error {
	for i := range n.streams {
		s, f := uint32(i), &n.streams[i]
		for n.take(s) {
		}
		for n.execute(s) != nil {
		}
		if len(f.answers) > 0 {
			return n.differs(s, "a segment that does not come", "none", show(f.answers[0]))
		}
		if !f.over {
			n.transmit(s)
		}
		if len(f.requests) > 0 && !f.over {
			return n.differs(s, "a segment that does not come", "none", show(f.requests[0]))
		}
		if m, is := n.Model.NextReceived(s); is && m.Status == rdmap.StatusSuccess {
			return n.differs(s, "a completion that does not come", "none", fmt.Sprintf("%+v", m))
		}
		if m, is := n.Model.NextSent(s); is && !f.over {
			return n.differs(s, "a completion that does not come", "none", fmt.Sprintf("%+v", m))
		}
		if m, is := n.Model.NextEvent(s); is {
			return n.differs(s, "an event that does not come", "none", fmt.Sprintf("%+v", m))
		}
	}
	for _, r := range ranges {
		device, model := make([]byte, r.Octets), make([]byte, r.Octets)
		if err := n.Device.memory.Read(r.Address, device); err != nil {
			return err
		}
		n.Model.Memory().Read(r.Address, model)
		for i := range device {
			if device[i] != model[i] {
				return n.differs(0, fmt.Sprintf("memory at 0x%X", r.Address+uint64(i)), show(device[i:min(len(device), i+16)]), show(model[i:min(len(model), i+16)]))
			}
		}
	}
	return nil
}

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
