package replay

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Options say on what captures run.
type Options struct {
	Config  gen.Config
	Engine  string // one of engines.Names
	Trace   string // waveform file; each node has one, named -client and -server
	Stall   simulator.Stall
	Seed    uint64
	Context context.Context // ends it; nil: nothing does
	Grow    bool            // take a configuration with more streams and STags for a capture that needs them
}

// Replayer replays captures with one configuration. It compiles the design when the first capture needs it.
type Replayer struct {
	options Options
	design  *simulator.Design
}

// New opens nothing yet.
func New(o Options) *Replayer { return &Replayer{options: o} }

// Replay runs the iWARP connections and the RoCE atomics of a capture. Mismatches are in the report; the error is for what cannot be run.
func (r *Replayer) Replay(c *capture.Capture) (report Report, err error) {
	for {
		report = Report{}
		p, err := newPlan(c, r.options.Config, &report)
		var short *ResourceError
		if errors.As(err, &short) && r.options.Grow && r.grow(short) {
			continue
		}
		if err != nil || len(p.steps) == 0 {
			return report, err
		}
		return report, r.run(p)
	}
}

// grow doubles what a capture needs more of, if it may be more.
func (r *Replayer) grow(short *ResourceError) bool {
	c := r.options.Config
	if short.Field == "streams" {
		c.Streams *= 2
	} else {
		c.STags *= 2
	}
	if c.Check() != nil {
		return false
	}
	r.options.Config, r.design = c, nil
	return true
}

// run runs a plan.
func (r *Replayer) run(p *plan) (err error) {
	if r.design == nil {
		if r.design, err = rnic.Design(r.options.Config); err != nil {
			return err
		}
	}
	run := &runner{plan: p, options: r.options, design: r.design, running: map[*end]*host{}}
	defer func() { err = errors.Join(err, run.close()) }()
	for i := range run.sides {
		if run.sides[i], err = run.open(i); err != nil {
			return err
		}
	}
	err = run.replay()
	var differs *rnic.Difference
	var stuck *simulator.StuckError
	if errors.As(err, &differs) || errors.As(err, &stuck) {
		p.report.mismatch("%w", err)
		return nil
	}
	return err
}

// side is a node while it runs.
type side struct {
	node    *rnic.Node
	ends    []*host
	layout  *layout
	serving bool // requests of peers may not be answered yet
}

// host is an end while it runs.
type host struct {
	*end
	side     *side
	due      []*work // to be posted
	posted   []*work
	done     int // of posted, completed
	waiting  int // Reads and Atomics posted and not completed
	offered  int // receive requests posted
	received int // of these, completed
	accepted int // of these, those that the engine has
	pending  int // requests of the peer since the node was at rest
	sent     [][]byte
	asked    int // Read and Atomic Requests among sent
	events   int // solicited
	receipts []rnic.Completion
	results  []rnic.Completion
	died     bool // it has sent a Terminate
}

// runner is a plan while it runs.
type runner struct {
	*plan
	options Options
	design  *simulator.Design
	sides   [2]*side
	running map[*end]*host
}

func (r *runner) close() (err error) {
	for _, s := range r.sides {
		if s != nil {
			r.report.Clocks += s.node.Device.Engine().Cycle()
			err = errors.Join(err, s.node.Close())
		}
	}
	return err
}

// latency is that of the memory behind the engines: such that much is under way at once.
var latency = simulator.Latency{Least: 4, Most: 40}

// open starts a node with the first region of each name, and everything that was in memory.
func (r *runner) open(i int) (*side, error) {
	name, trace := [...]string{"client", "server"}[i], r.options.Trace
	if trace != "" {
		extension := filepath.Ext(trace)
		trace = strings.TrimSuffix(trace, extension) + "-" + name + extension
	}
	device, err := rnic.OpenDesign(r.config, r.design, rnic.Options{Engine: r.options.Engine, Seed: 2*r.options.Seed + uint64(i), Latency: latency, Stall: r.options.Stall, Trace: trace, Context: r.options.Context})
	if err != nil {
		return nil, err
	}
	node, err := rnic.NewNode(name, r.config, device)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	s := &side{node: node, layout: r.nodes[i]}
	for _, n := range s.layout.order {
		first := s.layout.names[n][0]
		if err := node.SetRegion(first.row, first.entry()); err != nil {
			return s, err
		}
	}
	for _, g := range s.layout.regions() {
		for _, number := range g.numbers() {
			if err := node.Write(g.addressOf(number*pageOctets), g.pages[number].initial[:]); err != nil {
				return s, err
			}
		}
	}
	for _, e := range r.ends {
		if e.node != i {
			continue
		}
		h := &host{end: e, side: s}
		r.running[e] = h
		s.ends = append(s.ends, h)
		if err := node.Open(e.stream, r.domains[e.host]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// replay goes through the steps.
func (r *runner) replay() error {
	for _, s := range r.sides {
		if err := r.rest(s); err != nil {
			return err
		}
	}
	for _, s := range r.steps {
		if err := r.step(s); err != nil {
			return err
		}
	}
	for _, s := range r.sides {
		if err := r.rest(s); err != nil {
			return err
		}
	}
	return r.compare()
}

func (r *runner) step(s *step) error {
	if err := r.prepare(s); err != nil {
		return err
	}
	from, to := r.running[s.from], r.running[s.to]
	if s.work != nil {
		from.due = append(from.due, s.work)
		if err := r.post(from.side); err != nil {
			return err
		}
	}
	if s.opcode.Is(spec.Terminate) { // what the receiver had posted before leaves before
		if err := r.rest(to.side); err != nil {
			return err
		}
	}
	if !s.deliver {
		return nil
	}
	request := s.opcode.Is(spec.Requests)
	must := s.alone || s.receives > to.accepted || s.requested > 0 || s.places && to.side.serving || request && to.pending >= r.config.IRD
	if must {
		if err := r.rest(to.side); err != nil {
			return err
		}
	}
	if to.asked < s.requested {
		r.report.mismatch("%s: request %d to its peer has not left when the capture has the answer", to.name, s.requested)
		return nil
	}
	if request {
		to.pending++
		to.side.serving = true
	}
	to.side.node.Send(to.stream, r.identify(to, s))
	r.report.Segments++
	return nil
}

// prepare does what the hosts had done before a segment.
func (r *runner) prepare(s *step) error {
	for _, g := range s.register {
		side := r.sides[g.node]
		if err := r.rest(side); err != nil {
			return err
		}
		if err := side.node.SetRegion(g.region.row, g.region.entry()); err != nil {
			return err
		}
	}
	for _, st := range s.stores {
		side := r.sides[st.node]
		if err := r.rest(side); err != nil {
			return err
		}
		if err := side.node.Write(st.region.addressOf(st.to), st.octets); err != nil {
			return err
		}
	}
	return nil
}

// identify gives an Atomic Response the identifier that the receiver's engine has chosen for its request.
func (r *runner) identify(to *host, s *step) []byte {
	if !s.opcode.Is(spec.AtomicResponse) || s.requested == 0 {
		return s.segment
	}
	asked := to.asking[s.requested-1].message
	f := wire.AtomicResponseTable.MustField("original_request_identifier")
	body := s.segment[wire.DDPUntaggedTable.Octets:]
	if id, _ := f.Get(body); id == uint64(asked.atomic.RequestIdentifier) {
		f.Set(body, uint64(asked.msn))
	}
	return s.segment
}

// post posts what there is room for.
func (r *runner) post(s *side) error {
	for _, h := range s.ends {
		for ; h.offered < len(h.end.receives) && h.offered-h.received < r.config.ReceiveDepth && !h.died; h.offered++ {
			q := h.end.receives[h.offered]
			err := s.node.PostReceive(rdmap.ReceiveRequest{Stream: h.stream, ID: uint64(h.offered), Length: q.length,
				Buffer: rdmap.Buffer{STag: stagOf(h.buffers), TO: q.to}})
			if err != nil {
				return err
			}
		}
		for ; len(h.due) > 0 && len(h.posted)-h.done < r.config.SendDepth && !h.died; h.due = h.due[1:] {
			w := h.due[0]
			if w.message.isRequest() {
				if h.waiting == r.config.ORD { // the engine would wait, and with it the work of all streams
					break
				}
				h.waiting++
			}
			if err := s.node.PostWork(h.request(w, uint64(len(h.posted)))); err != nil {
				return err
			}
			h.posted = append(h.posted, w)
		}
	}
	return nil
}

func stagOf(g *region) uint32 {
	if g == nil {
		return 0
	}
	return uint32(g.row)<<8 | g.stag&0xFF
}

// request is the work request of a message.
func (h *host) request(w *work, id uint64) rdmap.WorkRequest {
	m := w.message
	q := rdmap.WorkRequest{Stream: h.stream, ID: id, Opcode: m.opcode, Signaled: true, Length: uint32(len(m.octets)),
		Local: rdmap.Buffer{STag: stagOf(h.source), TO: w.to}, Remote: rdmap.Buffer{STag: m.stag, TO: m.to}}
	switch {
	case m.opcode.Is(spec.ReadRequest):
		r := &m.read
		q.Local, q.Remote = rdmap.Buffer{STag: r.DataSinkSTag, TO: r.DataSinkTO}, rdmap.Buffer{STag: r.DataSourceSTag, TO: r.DataSourceTO}
		q.Length = r.ReadMessageSize
	case m.opcode.Is(spec.AtomicRequest):
		a := &m.atomic
		q.Local, q.Remote = rdmap.Buffer{STag: stagOf(h.buffers), TO: w.to}, rdmap.Buffer{STag: a.RemoteSTag, TO: a.RemoteTO}
		q.Operands = rdmap.Operands{AOpCode: a.AOpCode, Data: a.Data, Mask: a.Mask, CompareData: a.CompareData, CompareMask: a.CompareMask}
	case isImmediate(m.opcode):
		q.Operands.Data = m.immediate()
	}
	return q
}

// The clocks of a run, and how many without anything happening end it.
const (
	runClocks   = 1 << 20
	quietClocks = 64
)

// rest lets a node work until nothing happens any more, and lets the model catch up.
func (r *runner) rest(s *side) error {
	for moved := true; moved; {
		if err := r.post(s); err != nil {
			return err
		}
		out, err := s.node.Run(runClocks, quietClocks)
		if err != nil {
			return err
		}
		r.collect(s, out)
		moved = len(out.Segments)+len(out.Completions)+len(out.Events) > 0 || s.node.Device.Waiting() > 0
	}
	s.serving = false
	for _, h := range s.ends {
		h.pending, h.accepted = 0, h.offered
	}
	return s.node.Settle()
}

func (r *runner) collect(s *side, out rnic.Output) {
	of := make(map[uint32]*host, len(s.ends))
	for _, h := range s.ends {
		of[h.stream] = h
	}
	for _, x := range out.Segments {
		h := of[x.Stream]
		h.sent = append(h.sent, x.Octets)
		if parts, _ := wire.Classify(x.Octets); parts.Header.Opcode.Is(spec.Requests) {
			h.asked++
		}
	}
	for _, c := range out.Completions {
		h := of[c.Stream]
		if c.Recv {
			h.received++
			h.receipts = append(h.receipts, c)
		} else {
			if h.done++; c.Opcode.Is(spec.Requests) {
				h.waiting--
			}
			h.results = append(h.results, c)
		}
	}
	for _, e := range out.Events {
		h := of[e.Stream]
		switch e.Kind {
		case engine.EventSolicited:
			h.events++
		case engine.EventEnded, engine.EventClosed:
			h.died = true
		}
	}
}
