package scenario

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// Scenario is one directed run.
type Scenario struct {
	Name string
	Doc  string // one line

	// Long ones run only when they are asked for by name.
	Long bool

	run   func(s *stage) error
	lacks func(c gen.Config) string // why a configuration cannot run it; nil: all can
	sets  bool                      // it sets internal state, which requires the engine go
	spare bool                      // the host continuously opens and closes an unused stream
}

// All lists the scenarios in the order in which they run.
func All() []Scenario {
	list := slices.Concat(pressureScenarios, askedScenarios, registerScenarios, lifeScenarios, countScenarios, wordScenarios, lengthScenarios)
	for _, name := range disturbed {
		s := list[slices.IndexFunc(list, func(s Scenario) bool { return s.Name == name })]
		s.Name, s.Doc, s.spare = name+"-disturbed", s.Doc+", while another stream is opened and closed", true
		list = append(list, s)
	}
	return list
}

// disturbed lists the scenarios that run a second time, while the host continuously opens and closes an unused stream.
var disturbed = []string{"memory-errors", "cut-messages", "refused-receives", "reuse-after-invalidation", "mixed-sends", "no-octets", "held-deliveries"}

// Select finds scenarios by a comma-separated list: names, "all" for those that are not long, "none".
func Select(list string) ([]Scenario, error) {
	var chosen []Scenario
	names := []string{"all", "none"}
	for _, s := range All() {
		names = append(names, s.Name)
	}
	for _, word := range strings.Split(list, ",") {
		if !slices.Contains(names, word) {
			return nil, fmt.Errorf("there is no scenario %q; allowed: %s", word, strings.Join(names, ", "))
		}
		for _, s := range All() {
			if s.Name == word || word == "all" && !s.Long {
				chosen = append(chosen, s)
			}
		}
	}
	return chosen, nil
}

// Plan selects what to run, and on what.
type Plan struct {
	Config    gen.Config
	Engine    string // one of engines.Names
	Seed      uint64
	Scenarios []Scenario
	Trace     string            // waveform file; of the last scenario
	Design    *simulator.Design // in place of that of Config; tests pass mutated designs
	Unknown   bool
	Quick     bool            // faster build, slower simulation
	Context   context.Context // cancels the run; may be nil
}

// Result is the result of one scenario.
type Result struct {
	Name    string
	Skipped string // why it did not run
	Cycles  uint64
	Elapsed time.Duration
	Checked rnic.Checked
}

// Error is a scenario that failed.
type Error struct {
	Scenario string
	Seed     uint64
	Err      error
}

func (e *Error) Error() string {
	return fmt.Sprintf("scenario %s, seed %d: %v", e.Scenario, e.Seed, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// IsMismatch reports whether an error of Run is a fault of the hardware.
func IsMismatch(err error) bool {
	var failed *failure
	return errors.As(err, &failed) || rnic.IsMismatch(err)
}

// failure is an unmet expectation of a scenario.
type failure struct{ text string }

func (f *failure) Error() string { return f.text }

func fail(format string, args ...any) error { return &failure{fmt.Sprintf(format, args...)} }

// Run runs scenarios in sequence, each on a new device, up to the first that fails: an *Error.
func Run(p Plan) (results []Result, err error) {
	design := p.Design
	if design == nil {
		if design, err = rnic.Design(p.Config); err != nil {
			return nil, err
		}
	}
	for _, s := range p.Scenarios {
		r, err := s.play(p, design)
		results = append(results, r)
		if err != nil {
			return results, &Error{Scenario: s.Name, Seed: p.Seed, Err: err}
		}
	}
	return results, nil
}

func (s *Scenario) play(p Plan, design *simulator.Design) (r Result, err error) {
	r.Name = s.Name
	if s.spare { // a scenario needs at least two streams
		r.Skipped = atLeast("streams", p.Config.Streams, 3)
	}
	if s.lacks != nil && r.Skipped == "" {
		r.Skipped = s.lacks(p.Config)
	}
	if r.Skipped != "" {
		return r, nil
	}
	start := time.Now()
	o := rnic.Options{Engine: p.Engine, Seed: p.Seed, Trace: p.Trace, Unknown: p.Unknown, Quick: p.Quick, Context: p.Context}
	var inside *sim.Sim
	if s.sets {
		o.Engine, o.Unknown, design = "go", false, within(design, &inside)
	}
	st, err := openStage(p.Config, design, o)
	if err != nil {
		return r, err
	}
	st.inside = inside
	if s.spare {
		last := len(st.streams) - 1
		st.spare, st.streams = &st.streams[last], st.streams[:last]
	}
	err = s.run(st)
	r.Cycles, r.Checked, r.Elapsed = st.Device.Engine().Cycle(), st.Node.Checked(), time.Since(start)
	return r, errors.Join(err, st.Close())
}

// within returns a design that also hands its simulation in Go to the caller.
func within(design *simulator.Design, to **sim.Sim) *simulator.Design {
	d := *design
	d.Simulate = func(o simulator.Options) (simulator.Model, error) {
		model, err := design.Simulate(o)
		if m, is := model.(interface{ Sim() *sim.Sim }); is {
			*to = m.Sim()
		}
		return model, err
	}
	return &d
}
