package formal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Kind is the extent to which a property is shown.
type Kind string

// The kinds of result.
const (
	Proven   Kind = "proven"   // for all cycles, by induction over Depth cycles
	Bounded  Kind = "bounded"  // for the first Depth cycles from reset
	Composed Kind = "composed" // it is a property of a child, and proven there
	Excused  Kind = "excused"  // a rule of a stream that is not required to hold, for the reason in Detail
	Assumed  Kind = "assumed"  // an assumption, guaranteed by Detail
	Failed   Kind = "failed"
)

// Result is the result for one property.
type Result struct {
	Property  string
	Says      string
	Kind      Kind
	Depth     int
	Detail    string        // of a failure the reason; of a composed property the child
	Trace     string        // file with the waveform of a counterexample
	Time      time.Duration // of the run that shows it, which several properties may share
	Shown     []Shown       // for an assumption: the properties of other blocks that show it; may be none
	Control   string        // outcome of its negative controls
	ControlOK bool
}

// OK reports whether the result is as required.
func (r Result) OK() bool { return r.Kind != Failed && r.ControlOK }

// Prove proves the properties of the top of the block, the handshakes of its sources, and those of the sinks of its children. With
// controls it also shows that each of them can fail.
func (b Block) Prove(ctx context.Context, o Options, controls bool) ([]Result, error) {
	p := &prover{Block: b, options: o, spec: b.Specs[b.Design.Name()], abstract: map[string]bool{}}
	if p.spec == nil {
		p.spec = &Spec{Depth: DefaultDepth, Bound: DefaultBound}
	}
	if controls {
		files := p.Design.Specialised()
		if err := p.spec.CheckControls(files[len(files)-1].Text); err != nil {
			return nil, err
		}
	}
	p.start()
	for _, phase := range []func(context.Context) error{p.streams, p.induction, p.bounds} {
		if err := phase(ctx); err != nil {
			return nil, err
		}
	}
	if controls {
		for i := range p.results {
			if err := p.controls(ctx, &p.results[i]); err != nil {
				return nil, err
			}
		}
	}
	return p.results, nil
}

type prover struct {
	Block
	options  Options
	spec     *Spec
	results  []Result
	abstract map[string]bool // properties shown for any behaviour of the children
}

// rule prefixes the name of a stream in the property that is its rule.
const (
	rule          = "handshake_"
	handshakeRule = "what is offered stays until it is taken"
)

// start lists the properties to show.
func (p *prover) start() {
	for _, q := range p.spec.Properties {
		p.results = append(p.results, Result{Property: q.Name, Says: q.Says, ControlOK: true})
	}
	for _, a := range p.spec.Assumptions {
		p.results = append(p.results, Result{Property: a.Name, Kind: Assumed, Detail: a.By, Shown: a.Shown, ControlOK: true})
	}
	w := wiringOf(p.Design.IR())
	for _, s := range w.module.Streams {
		if !s.Sink {
			p.source(w, s)
		}
	}
	for _, i := range instances(w.module) {
		for _, s := range i.Module.Streams {
			if s.Sink {
				p.sink(w, i, s)
			}
		}
	}
}

// source lists the rule of a source of the top. A source forwarded from a child is shown there.
func (p *prover) source(w *wiring, s ir.StreamPort) {
	name := p.stream(w.module.Name, s.Valid.Name)
	r := Result{Property: rule + name, Says: handshakeRule, ControlOK: true}
	if why := p.spec.Excuse(name); why != "" {
		r.Kind, r.Detail = Excused, why
	} else if from, is := w.straight(end{nil, s}); is && from.instance != nil && !p.excused(from) {
		r.Kind, r.Detail = Composed, fmt.Sprintf("of %s (%s)", from.instance.Name, from.instance.Module.Name)
	}
	p.results = append(p.results, r)
}

// sink lists the rule of a child's sink, which the child assumes. It is not listed if the sink is connected by wires only to a stream
// that keeps it.
func (p *prover) sink(w *wiring, i *ir.Instance, s ir.StreamPort) {
	to := end{i, s}
	if from, is := w.straight(to); p.excused(to) || is && !p.excused(from) {
		return
	}
	r := Result{Property: i.Name + "." + rule + p.stream(i.Module.Name, s.Valid.Name), Says: handshakeRule, ControlOK: true}
	if !i.Module.Clocked {
		r.Kind, r.Detail = Failed, "the sink of a child without a clock has to be joined to a stream by wires alone"
	}
	p.results = append(p.results, r)
}

// excused reports whether the rule of a stream is not required to hold.
func (p *prover) excused(e end) bool {
	module := p.Design.Name()
	if e.instance != nil {
		module = e.instance.Module.Name
	}
	return p.Specs[module].Excuse(p.stream(module, e.stream.Valid.Name)) != ""
}

// stream is the name of the stream with this valid.
func (b Block) stream(module, valid string) string {
	for _, m := range b.Design.Modules() {
		for _, s := range m.Streams() {
			if m.Name() == module && s.Valid == valid {
				return s.Name
			}
		}
	}
	return valid
}

func (p *prover) result(label string) *Result {
	return &p.results[slices.IndexFunc(p.results, func(r Result) bool { return r.Property == label })]
}

// bound is the number of cycles from reset for which a bounded property is shown, or 0.
func (p *prover) bound(label string) int {
	if q := p.spec.limit(label); q != nil {
		return q.Bounded
	}
	return 0
}

// steps is the number of cycles from reset to search for a counterexample to a property or its control.
func (p *prover) steps(label string) int {
	switch {
	case p.bound(label) > 0:
		return p.bound(label)
	case p.spec.property(label) == nil:
		return max(p.spec.Bound, DefaultBound)
	}
	return max(p.spec.Bound, p.spec.Depth+1)
}

// open lists the undecided properties accepted by a filter.
func (p *prover) open(of func(label string) bool) goals {
	var out goals
	for _, r := range p.results {
		if r.Kind == "" && of(r.Property) {
			out = append(out, r.Property)
		}
	}
	return out
}

// streams proves the rules of streams that hold for any behaviour of the children that keeps the rules at their sources. It leaves the
// others open.
func (p *prover) streams(ctx context.Context) error {
	if len(instances(p.Design.IR())) == 0 {
		return nil
	}
	left := p.open(func(label string) bool { return strings.Contains(label, rule) && p.spec.property(label) == nil })
	begun := time.Now()
	for _, ask := range []func(*model) (verdict, error){
		func(m *model) (verdict, error) { return m.induce(ctx, p.spec.Depth) },
		func(m *model) (verdict, error) { return m.search(ctx, p.spec.Depth+1) },
	} {
		if _, err := p.close(ctx, &left, view{abstract: true}, ask); err != nil {
			return err
		}
	}
	p.proven(left, p.spec.Depth, time.Since(begun))
	for _, label := range left {
		p.abstract[label] = true
	}
	return nil
}

// induction proves unbounded properties: first those that need no assumption, then the rest together, each of which may rest on the
// others. Those that do not close are left open.
func (p *prover) induction(ctx context.Context) error {
	if err := p.together(ctx, true, p.open(p.spec.isAlone)); err != nil {
		return err
	}
	return p.together(ctx, false, p.open(func(label string) bool { return p.bound(label) == 0 && !p.spec.isAlone(label) }))
}

func (p *prover) together(ctx context.Context, alone bool, left goals) error {
	begun := time.Now()
	for len(left) > 0 {
		step, err := p.close(ctx, &left, view{alone: alone}, func(m *model) (verdict, error) { return p.inductionStep(ctx, m) })
		if err != nil {
			return err
		}
		before := len(left)
		// Base case.
		if _, err := p.close(ctx, &left, view{alone: alone}, func(m *model) (verdict, error) { return p.counterexample(ctx, m, p.spec.Depth+1) }); err != nil {
			return err
		}
		if len(left) == before {
			p.proven(left, step, time.Since(begun))
			return nil
		}
	}
	return nil
}

// inductionStep proves the induction step: on gates if the block is small enough, which gives no trace, otherwise with the solver.
func (p *prover) inductionStep(ctx context.Context, m *model) (verdict, error) {
	if p.onGates() {
		v, known, err := m.step(ctx, p.spec.Depth)
		if err != nil && !errors.Is(err, errTimeout) || known && (v.holds || m.vcd == "") {
			return v, err
		}
	}
	return m.induce(ctx, p.spec.Depth)
}

// close removes failing goals until the remaining ones hold. None holds if time runs out.
func (p *prover) close(ctx context.Context, left *goals, v view, ask func(*model) (verdict, error)) (step int, err error) {
	for len(*left) > 0 {
		v.goals = *left
		said, err := p.ask(ctx, v, ask)
		if errors.Is(err, errTimeout) {
			*left = nil
			return 0, nil
		}
		if err != nil || said.holds {
			return said.step, err
		}
		rest := slices.DeleteFunc(slices.Clone(*left), goals(said.failed).has)
		if len(rest) == len(*left) {
			return 0, fmt.Errorf("%s: the solver speaks of %s, which is not asked for", p.Design.Name(), said.failed)
		}
		*left = rest
	}
	return 0, nil
}

func (p *prover) proven(g goals, depth int, took time.Duration) {
	for _, label := range g {
		r := p.result(label)
		r.Kind, r.Depth, r.Time = Proven, depth, took
	}
}

// bounds searches the first cycles from reset for counterexamples to unproven properties. A property that should have been proven fails
// even if there is none.
func (p *prover) bounds(ctx context.Context) error {
	for {
		left := p.open(func(string) bool { return true })
		if len(left) == 0 {
			return nil
		}
		steps := p.steps(left[0])
		left = slices.DeleteFunc(left, func(label string) bool { return p.steps(label) != steps })
		begun := time.Now()
		said, err := p.ask(ctx, view{goals: left}, func(m *model) (verdict, error) { return p.counterexample(ctx, m, steps) })
		late := errors.Is(err, errTimeout)
		if err != nil && !late {
			return err
		}
		hit := left
		if !said.holds && !late {
			hit = said.failed
		}
		for _, label := range hit {
			r := p.result(label)
			r.Time, r.Depth = time.Since(begun), steps
			switch {
			case late:
				r.Kind, r.Detail = Failed, fmt.Sprintf("a search of %d steps: %v", steps, err)
			case !said.holds:
				r.Kind, r.Depth, r.Trace = Failed, said.step, said.wave
				r.Detail = fmt.Sprintf("a counterexample ends in step %d", said.step)
			case p.bound(label) > 0:
				r.Kind, r.Detail = Bounded, p.spec.limit(label).Reason
			default:
				r.Kind, r.Detail = Failed, fmt.Sprintf("induction over %d cycles does not close; no counterexample in %d steps", p.spec.Depth, steps)
			}
		}
	}
}

// ask builds the model of a view and runs the solver on it.
func (p *prover) ask(ctx context.Context, v view, ask func(*model) (verdict, error)) (verdict, error) {
	text, err := p.verilog(v)
	if err != nil {
		return verdict{}, err
	}
	wave := ""
	if p.options.Trace != "" && v.edit == nil && !v.control && !v.abstract {
		wave = p.Design.Name() + "-" + v.goals[0]
	}
	m, err := compile(ctx, p.options, p.Design.Name(), v.goals, text, wave)
	if err != nil {
		return verdict{}, err
	}
	defer m.remove()
	return ask(m)
}
