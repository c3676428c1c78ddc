package mutate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/prove"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Options say which mutants to make and how much of the machine to use.
type Options struct {
	Configs  []gen.Config    // a block is tested in the first that has it; none: Configs()
	Blocks   []string        // the blocks to test; none: all
	Limit    int             // mutants a block; 0: DefaultLimit, less than 0: all
	Seed     uint64          // of what is chosen
	Jobs     int             // mutants at a time; 0: 2
	Late     bool            // run long traffic and proofs on every mutant that short traffic leaves, also on those that differ
	Context  context.Context // ends it; nil: nothing does
	Progress func(text string)

	stages func(gen.Config) ([]stage, error) // of tests: other tests
}

// DefaultLimit is how many mutants of a block are tested.
const DefaultLimit = 200

// Configs are the configurations that mutants are tested in when no other is wanted. They are small, so that everything in
// them fills up, wraps and runs out often, and so that a clock is simulated fast.
func Configs() []gen.Config {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth = 16, 4, 64, 4, 4, 4, 4, 256, 16
	c.Extensions = []string{"draft00"}
	return []gen.Config{c}
}

// Fate is what became of a mutant.
type Fate string

// The fates of mutants.
const (
	ByVerdict  Fate = "verdict"  // something that came out was wrong
	ByHang     Fate = "hang"     // the hardware did not come to rest
	ByProperty Fate = "property" // a property that is proven of the block is not proven of it
	Timing     Fate = "timing"   // everything was right, in other clocks or another order than without the mutant
	Alone      Fate = "alone"    // all traffic was right; the block by itself shows something else on some inputs
	Equivalent Fate = "equivalent"
	Open       Fate = "open"
)

// Meaning is true of a fate that a test of meaning decides: the hardware is wrong, and the test says so. Timing and Alone only
// tell the hardware apart from itself.
func (f Fate) Meaning() bool { return f == ByVerdict || f == ByHang || f == ByProperty }

// Outcome is a mutant and what became of it.
type Outcome struct {
	mutate.Mutant
	Fate  Fate
	By    string // the stage that killed it, or how it was shown to be equivalent
	Says  string // the verdict
	Where mutate.Difference
	took  time.Duration
}

// Run makes mutants of every block and tests them. When the context ends, the report is of the mutants whose fate is known.
func Run(o Options) (*Report, error) {
	o.fill()
	if err := proving.CheckTools(); err != nil { // not after all the work
		return nil, err
	}
	allowed := Blocks(o.Configs)
	for _, block := range o.Blocks {
		if !slices.Contains(allowed, block) {
			return nil, fmt.Errorf("there is no block %q; allowed: %v", block, allowed)
		}
	}
	r := &Report{}
	done := map[string]bool{}
	for _, c := range o.Configs {
		all, err := newSubject(c, o, func(block string) bool { return !done[block] && o.wants(block) })
		if err != nil {
			return nil, err
		}
		for _, group := range all.groups() {
			outcomes, err := all.test(group, o)
			if err != nil && o.Context.Err() == nil {
				return nil, err
			}
			r.add(all, group, outcomes)
			if err != nil {
				return r, context.Cause(o.Context)
			}
		}
		for block := range all.set.Available {
			done[block] = true
		}
	}
	return r, nil
}

func (o *Options) fill() {
	if o.Configs == nil {
		o.Configs = Configs()
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	if o.Jobs <= 0 {
		o.Jobs = 2
	}
	if o.stages == nil {
		o.stages = stages
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
}

func (o *Options) wants(block string) bool {
	return len(o.Blocks) == 0 || slices.Contains(o.Blocks, block)
}

// Blocks lists the blocks of some configurations.
func Blocks(configs []gen.Config) (list []string) {
	for _, c := range configs {
		d, err := gen.Compile(c)
		if err != nil {
			continue
		}
		for _, m := range d.Modules() {
			if kind := m.Top(); !slices.Contains(list, kind) {
				list = append(list, kind)
			}
		}
	}
	return list
}

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

// groupSize is how many mutants are built into one model. A model of all mutants of all blocks is built once, but is several
// times slower than the hardware without mutants; one of each block takes longer to build than its mutants take to die.
const groupSize = 1000

// groups are the mutants of one or more whole blocks.
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

// hardware makes a design of a configuration an engine's.
func hardware(c gen.Config, d *hdl.Design) *simulator.Design {
	e := rnic.DesignOf(c, d)
	for i := range e.Files { // what a mutant compares may be decided
		e.Files[i].Text = "/* verilator lint_off CMPCONST */\n/* verilator lint_off UNSIGNED */\n" + e.Files[i].Text
	}
	return e
}

// test finds the fate of some mutants.
func (s *subject) test(group []mutate.Mutant, o Options) ([]Outcome, error) {
	start := time.Now()
	d, err := s.set.With(group)
	if err != nil {
		return nil, err
	}
	design := hardware(s.config, d)
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
	out := make([]Outcome, len(group))
	for i := range out {
		out[i] = Outcome{Mutant: group[i], Fate: Open}
	}
	step := func(f func(*Outcome) error) error {
		err := each(o, out, f)
		o.Progress(fmt.Sprintf("%s after %.0f s, %d equivalent", opened(out), time.Since(start).Seconds(), count(out, Equivalent)))
		return err
	}
	p, err := s.modules(o.Context)
	if err != nil {
		return nil, err
	}
	err = step(func(m *Outcome) error { return s.kill(o.Context, m, base, false) })
	for _, look := range p.looks(o, func(m *Outcome) error { return s.kill(o.Context, m, base, true) }) {
		if err == nil {
			p.narrow(out)
			err = step(look)
		}
	}
	if err != nil {
		return slices.DeleteFunc(out, func(m Outcome) bool { return m.Fate == Open }), err
	}
	for i := range out {
		if !out[i].Fate.Meaning() {
			out[i].Where = s.set.Difference(out[i].Mutant)
		}
		if m := out[i]; m.Fate == Open {
			o.Progress(fmt.Sprintf("open: %s, mutant %d, %s %s: - %s + %s", m.Module, m.Number, m.Place, m.Change, m.Where.Before, m.Where.After))
		}
	}
	return out, nil
}

// opened says how many are open, and which when they are few.
func opened(list []Outcome) string {
	n := count(list, Open)
	if n == 0 || n > 40 {
		return fmt.Sprintf("%d open", n)
	}
	var names []string
	for _, m := range list {
		if m.Fate == Open {
			names = append(names, fmt.Sprintf("%s %d", m.Block, m.Number))
		}
	}
	return fmt.Sprintf("%d open (%s)", n, strings.Join(names, ", "))
}

func count(list []Outcome, f Fate) (n int) {
	for i := range list {
		if list[i].Fate == f {
			n++
		}
	}
	return n
}

// each calls f for all open outcomes, some at a time, and tells now and then how far it is.
func each(o Options, list []Outcome, f func(*Outcome) error) error {
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
	told := time.Now()
	for i := range list {
		if list[i].Fate != Open || o.Context.Err() != nil {
			continue
		}
		if next <- i; time.Since(told) > time.Minute {
			told = time.Now()
			o.Progress(fmt.Sprintf("%d of %d mutants looked at", i, len(list)))
		}
	}
	close(next)
	wait.Wait()
	return errors.Join(append(errs, o.Context.Err())...)
}

// baseline is what the stages see of a design without a mutant, which must pass. Each is run when it is first needed.
type baseline struct {
	context context.Context
	design  *simulator.Design
	made    once[trace]
}

func (b *baseline) of(st stage) (trace, error) {
	return b.made.get(st.name, func() (trace, error) {
		have, err := st.trace(b.context, b.design, 0, endless)
		if err != nil {
			err = fmt.Errorf("without a mutant: %s: %w", st.name, err)
		}
		return have, err
	})
}

// kill runs the stages, early or late ones, until one of them finds the mutant.
func (s *subject) kill(ctx context.Context, m *Outcome, base *baseline, late bool) error {
	differs := ""
	for _, st := range s.stages {
		if st.late != late {
			continue
		}
		want, err := base.of(st)
		if err != nil {
			return err
		}
		have, err := attempt(ctx, st, base.design, m.Number, want)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if couldNotRun(err) {
			return fmt.Errorf("mutant %d: %s: %w", m.Number, st.name, err)
		}
		if err != nil {
			m.Fate, m.By, m.Says = ByVerdict, st.name, err.Error()
			if hangs(err) {
				m.Fate = ByHang
			}
			return nil
		}
		if differs == "" && !have.equal(want) {
			differs = st.name
		}
	}
	if differs != "" {
		m.Fate, m.By = Timing, differs
	}
	return nil
}

// attempt runs a stage on a mutant. Broken hardware may break what looks at it.
func attempt(ctx context.Context, st stage, d *simulator.Design, number int, base trace) (have trace, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = &verdictError{fmt.Sprintf("the comparison broke down: %v", broken)}
		}
	}()
	return st.trace(ctx, d, number, func(step int) uint64 {
		if step < len(base.clocks) {
			return base.clocks[step] + base.clocks[step]/2 + slack
		}
		return slack
	})
}

// couldNotRun tells whether an error is of the machine that the test ran on, and says nothing of the hardware.
func couldNotRun(err error) bool {
	var file *fs.PathError
	var program *exec.Error
	var system syscall.Errno
	return errors.As(err, &file) || errors.As(err, &program) || errors.As(err, &system)
}

// hangs tells whether an error says that nothing comes any more, or no end.
func hangs(err error) bool {
	var stuck *simulator.StuckError
	var stands *rnic.ProgressError
	return errors.Is(err, errEndless) || errors.As(err, &stuck) || errors.As(err, &stands)
}
