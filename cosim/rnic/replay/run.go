package replay

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// run executes a plan.
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

// side is the run-time state of a node.
type side struct {
	node    *rnic.Node
	ends    []*host
	layout  *layout
	serving bool // requests of peers may still be unanswered
}

// host is the run-time state of an end.
type host struct {
	*end
	side     *side
	due      []*work // not yet posted
	posted   []*work
	done     int // number completed of posted
	waiting  int // pending Reads and Atomics
	offered  int // receive requests posted
	received int // receive requests completed
	accepted int // receive requests stored by the engine
	pending  int // requests of the peer since the node was last idle
	sent     [][]byte
	asked    int // Read and Atomic Requests among sent
	events   int // solicited
	receipts []rnic.Completion
	results  []rnic.Completion
	died     bool // it has sent a Terminate
}

// runner is the run-time state of a plan.
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
			r.report.Cycles += s.node.Device.Engine().Cycle()
			err = errors.Join(err, s.node.Close())
		}
	}
	return err
}

// latency is the engines' memory latency, chosen to keep many operations in flight.
var latency = simulator.Latency{Least: 4, Most: 40}

// open starts a node with the first region of each name, and the initial memory contents.
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

// replay executes the steps.
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
	if is(s.opcode, spec.Terminate) { // earlier work of the receiver must be sent first
		if err := r.rest(to.side); err != nil {
			return err
		}
	}
	if !s.deliver {
		return nil
	}
	request := is(s.opcode, spec.Requests)
	must := s.alone || s.receives > to.accepted || s.requested > 0 || s.places && to.side.serving || request && to.pending >= r.config.IRD
	if must {
		if err := r.rest(to.side); err != nil {
			return err
		}
	}
	if to.asked < s.requested {
		r.report.mismatch("%s: request %d to its peer is not sent before its captured response", to.name, s.requested)
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

// prepare applies the hosts' actions before a segment.
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

// identify sets the identifier of an Atomic Response to the one chosen by the receiver's engine for its request.
func (r *runner) identify(to *host, s *step) []byte {
	if !is(s.opcode, spec.AtomicResponse) || s.requested == 0 {
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
