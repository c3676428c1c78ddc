// Package formal proves properties of a design for all inputs: by k-induction where that closes, else for a number of clocks
// from reset. It prints the Verilog with the property files in it and runs yosys and an SMT solver.
package formal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind is how far a property is shown.
type Kind string

// The kinds of result.
const (
	Proven   Kind = "proven"   // for all clocks, by induction over Depth clocks
	Bounded  Kind = "bounded"  // for the first Depth clocks from reset
	Composed Kind = "composed" // it is that of a child, and proven there
	Failed   Kind = "failed"
)

// Result is what is known of one property.
type Result struct {
	Property string
	Says     string
	Kind     Kind
	Depth    int
	Detail   string        // of a failure: why; of a composed one: the child
	Trace    string        // file with the waveform of a counterexample
	Time     time.Duration // of the run that shows it, which several properties share
	Twin     string        // what became of its twins
	TwinOK   bool
}

// OK is true of a result that is what was asked for.
func (r Result) OK() bool { return r.Kind != Failed && r.TwinOK }

// Prove shows the properties of the block's top, the handshakes of its sources, and those of its children's sinks. With twins it
// also shows that each of them can fail.
func (b Block) Prove(ctx context.Context, o Options, twins bool) ([]Result, error) {
	p := &prover{Block: b, options: o, spec: b.Specs[b.Design.Top()], abstract: map[string]bool{}}
	if p.spec == nil {
		p.spec = &Spec{Depth: DefaultDepth, Bound: DefaultBound}
	}
	p.start()
	for _, phase := range []func(context.Context) error{p.streams, p.bounds, p.induction} {
		if err := phase(ctx); err != nil {
			return nil, err
		}
	}
	if twins {
		for i := range p.results {
			if err := p.twins(ctx, &p.results[i]); err != nil {
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
	abstract map[string]bool // what is shown for any behaviour of the children
}

const handshakeRule = "what is offered stays until it is taken"

// start lists what is to be shown. A source that is a child's is shown there.
func (p *prover) start() {
	for _, q := range p.spec.Properties {
		p.results = append(p.results, Result{Property: q.Name, Says: q.Says, TwinOK: true})
	}
	w := wiringOf(p.Design.IR())
	for _, s := range p.Design.Streams() {
		if s.Sink {
			continue
		}
		r := Result{Property: "handshake_" + s.Name, Says: handshakeRule, TwinOK: true}
		if child, is := w.composed(s.Valid); is {
			r.Kind, r.Detail = Composed, "of "+child
		}
		p.results = append(p.results, r)
	}
	for _, i := range instances(p.Design.IR()) {
		for _, valid := range w.loose(i) {
			r := Result{Property: i.Name + ".handshake_" + p.stream(i.Module.Name, valid), Says: handshakeRule, TwinOK: true}
			if !i.Module.Clocked {
				r.Kind, r.Detail = Failed, "the sink of a child without a clock has to be joined by wires alone"
			}
			p.results = append(p.results, r)
		}
	}
}

// stream is the name of the stream with this valid.
func (b Block) stream(module, valid string) string {
	for _, m := range b.Design.Modules() {
		for _, s := range m.Streams() {
			if m.Top() == module && s.Valid == valid {
				return s.Name
			}
		}
	}
	return valid
}

func (p *prover) result(label string) *Result {
	return &p.results[slices.IndexFunc(p.results, func(r Result) bool { return r.Property == label })]
}

// steps is how many clocks from reset a property is searched for a counterexample.
func (p *prover) steps(label string) int {
	if q := p.spec.property(label); q != nil && q.Bounded > 0 {
		return q.Bounded
	}
	return max(p.spec.Bound, p.spec.Depth+1)
}

// open lists what is not decided yet, of those that a filter takes.
func (p *prover) open(of func(label string) bool) goals {
	var out goals
	for _, r := range p.results {
		if r.Kind == "" && of(r.Property) {
			out = append(out, r.Property)
		}
	}
	return out
}

// streams shows the rules of streams that hold whatever the children do, as long as they keep the rules at their sources. It
// leaves the others open.
func (p *prover) streams(ctx context.Context) error {
	if len(instances(p.Design.IR())) == 0 {
		return nil
	}
	left := p.open(func(label string) bool { return strings.Contains(label, "handshake_") && p.spec.property(label) == nil })
	begun := time.Now()
	for _, ask := range []func(*model) (verdict, error){
		func(m *model) (verdict, error) { return m.induce(ctx, p.spec.Depth) },
		func(m *model) (verdict, error) { return m.search(ctx, p.spec.Depth+1) },
	} {
		for len(left) > 0 {
			v, err := p.ask(ctx, view{goals: left, abstract: true}, ask)
			if err != nil {
				return err
			}
			if v.holds {
				break
			}
			left = slices.DeleteFunc(left, goals(v.failed).has)
		}
	}
	for _, label := range left {
		r := p.result(label)
		r.Kind, r.Depth, r.Time = Proven, p.spec.Depth, time.Since(begun)
		p.abstract[label] = true
	}
	return nil
}

// bounds searches the first clocks from reset for counterexamples. It decides the properties that fail, and those that are
// not to be proven further.
func (p *prover) bounds(ctx context.Context) error {
	var steps []int
	for _, r := range p.results {
		if n := p.steps(r.Property); !slices.Contains(steps, n) {
			steps = append(steps, n)
		}
	}
	for _, n := range steps {
		at := func(label string) bool { return p.steps(label) == n }
		err := p.until(ctx, at, func(m *model) (verdict, error) { return m.search(ctx, n) },
			func(r *Result, v verdict) {
				q := p.spec.property(r.Property)
				switch {
				case !v.holds:
					r.Kind, r.Depth, r.Trace = Failed, v.step, v.wave
					r.Detail = fmt.Sprintf("a counterexample ends in step %d", v.step)
				case q != nil && q.Bounded > 0:
					r.Kind, r.Depth, r.Detail = Bounded, n, q.Reason
				}
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// induction proves what is left, all together: each may rest on the others.
func (p *prover) induction(ctx context.Context) error {
	return p.until(ctx, func(string) bool { return true },
		func(m *model) (verdict, error) { return m.induce(ctx, p.spec.Depth) },
		func(r *Result, v verdict) {
			r.Depth = v.step
			if v.holds {
				r.Kind = Proven
				return
			}
			r.Kind, r.Trace = Failed, v.wave
			r.Detail = fmt.Sprintf("induction over %d clocks does not close", p.spec.Depth)
		})
}

// until asks for what is open, without those that fail, until the rest holds.
func (p *prover) until(ctx context.Context, of func(string) bool, ask func(*model) (verdict, error), decide func(*Result, verdict)) error {
	for {
		g := p.open(of)
		if len(g) == 0 {
			return nil
		}
		begun := time.Now()
		v, err := p.ask(ctx, view{goals: g}, ask)
		if errors.Is(err, errTimeout) {
			for _, label := range g {
				r := p.result(label)
				r.Kind, r.Detail, r.Time = Failed, err.Error(), time.Since(begun)
			}
			return nil
		}
		if err != nil {
			return err
		}
		hit := g
		if !v.holds {
			hit = v.failed
		}
		for _, label := range hit {
			if !g.has(label) {
				return fmt.Errorf("%s: the solver speaks of %s, which is not asked for", p.Design.Top(), label)
			}
			r := p.result(label)
			r.Time += time.Since(begun)
			decide(r, v)
		}
		if v.holds {
			return nil
		}
	}
}

// ask makes the model of a view and asks the solver about it.
func (p *prover) ask(ctx context.Context, v view, ask func(*model) (verdict, error)) (verdict, error) {
	text, err := p.verilog(v)
	if err != nil {
		return verdict{}, err
	}
	wave := p.Design.Top() + "-" + v.goals[0]
	if v.edit != nil || v.twin || v.abstract {
		wave = ""
	}
	m, err := compile(ctx, p.options, p.Design.Top(), v.goals, text, wave)
	if err != nil {
		return verdict{}, err
	}
	defer m.remove()
	return ask(m)
}
