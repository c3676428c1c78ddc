package mutate

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/prove"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// subject is a configuration and the mutants of its blocks.
type subject struct {
	config gen.Config
	design *hdl.Design
	files  prove.Files
	set    *mutate.Set
	stages []stage
}

func newSubject(c gen.Config, o Options, wants func(string) bool) (*subject, error) {
	d, err := gen.Compile(c)
	if err != nil {
		return nil, err
	}
	s := &subject{config: c, design: d}
	if s.stages, err = o.stages(c); err != nil {
		return nil, err
	}
	if s.files, err = prove.Read(gen.Specs, gen.SpecDir); err != nil {
		return nil, err
	}
	s.set, err = mutate.New(d, mutate.Options{Wants: wants, Steady: s.files.Steady, Limit: max(0, o.Limit), Seed: o.Seed})
	return s, err
}

// groupSize is the number of mutants built into one model. A model of all mutants of all blocks is built only once, but is several
// times slower than the hardware without mutants; a model per block takes longer to build than to kill its mutants.
const groupSize = 1000

// groups returns groups of mutants, each of one or more complete blocks.
func (s *subject) groups() (list [][]mutate.Mutant) {
	for _, m := range s.set.Mutants {
		last := len(list) - 1
		if last < 0 || len(list[last]) >= groupSize && list[last][len(list[last])-1].Block != m.Block {
			list, last = append(list, nil), last+1
		}
		list[last] = append(list[last], m)
	}
	return list
}

// simulated converts a design for use by an engine.
func simulated(c gen.Config, d *hdl.Design) *simulator.Design {
	e := rnic.DesignOf(c, d)
	if c.Profile == gen.ProfileFalcon {
		e = falcon.DesignOf(c, d)
	}
	for i := range e.Files { // a mutant's comparisons may be constant
		e.Files[i].Text = "/* verilator lint_off CMPCONST */\n/* verilator lint_off UNSIGNED */\n" + e.Files[i].Text
	}
	return e
}

// test determines the outcomes of a group of mutants.
func (s *subject) test(group []mutate.Mutant, o Options) ([]Result, error) {
	start := time.Now()
	d, err := s.set.With(group)
	if err != nil {
		return nil, err
	}
	design := simulated(s.config, d)
	base := &baseline{context: o.Context, design: design}
	for _, st := range s.stages {
		if st.late {
			continue
		}
		if _, err := base.of(st); err != nil {
			return nil, err
		}
	}
	o.Progress(fmt.Sprintf("%d mutants, %s to %s, built in %.0f s", len(group), group[0].Block, group[len(group)-1].Block, time.Since(start).Seconds()))
	out := make([]Result, len(group))
	for i := range out {
		out[i] = Result{Mutant: group[i], Outcome: Open}
	}
	step := func(f func(*Result) error) error {
		err := each(o, out, f)
		o.Progress(fmt.Sprintf("%s after %.0f s, %d equivalent", opened(out), time.Since(start).Seconds(), count(out, Equivalent)))
		return err
	}
	p, err := s.modules(o.Context)
	if err != nil {
		return nil, err
	}
	err = step(func(m *Result) error { return s.kill(o.Context, m, base, false) })
	for _, look := range p.looks(o, func(m *Result) error { return s.kill(o.Context, m, base, true) }) {
		if err == nil {
			p.narrow(out)
			err = step(look)
		}
	}
	if err != nil {
		return slices.DeleteFunc(out, func(m Result) bool { return m.Outcome == Open }), err
	}
	for i := range out {
		if !out[i].Outcome.Meaning() {
			out[i].Where = s.set.Difference(out[i].Mutant)
		}
		if m := out[i]; m.Outcome == Open {
			o.Progress(fmt.Sprintf("open: %s, mutant %d, %s %s: - %s + %s", m.Module, m.Number, m.Place, m.Change, m.Where.Before, m.Where.After))
		}
	}
	return out, nil
}

// each calls f for all open results, some in parallel, and reports progress from time to time.
func each(o Options, list []Result, f func(*Result) error) error {
	errs := make([]error, len(list))
	var wait sync.WaitGroup
	next := make(chan int)
	for range o.Jobs {
		wait.Go(func() {
			for i := range next {
				start := time.Now()
				errs[i] = f(&list[i])
				list[i].took += time.Since(start)
			}
		})
	}
	reported := time.Now()
	for i := range list {
		if list[i].Outcome != Open || o.Context.Err() != nil {
			continue
		}
		if next <- i; time.Since(reported) > time.Minute {
			reported = time.Now()
			o.Progress(fmt.Sprintf("%d of %d mutants examined", i, len(list)))
		}
	}
	close(next)
	wait.Wait()
	return errors.Join(append(errs, o.Context.Err())...)
}
