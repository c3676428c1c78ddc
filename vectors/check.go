package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// CheckOptions selects what a directory is checked against. The zero value selects only the golden model.
type CheckOptions struct {
	Engine     string            // simulation engine for the generated hardware; empty: none
	Options    simulator.Options // of that engine
	Stall      simulator.Stall   // stalls of the hardware's ports
	TcIDs      []int             // tests to run; empty: all
	Permissive bool              // the hardware may do anything that the specifications permit, regardless of decisions
	Quiet      uint64            // cycles without a handshake after which the hardware is idle; 0: default

	Progress func(done, tests int)

	open func(gen.Config, rnic.Options) (device, error) // for tests: other hardware
}

// device is hardware that must be closed.
type device interface {
	replay.Device
	Close() error
}

// MemoryLatency is the latency of the hardware's memory: long and variable enough to expose logic that does not wait
// for memory.
var MemoryLatency = simulator.Latency{Least: 1, Most: 40}

// maxStuck limits the number of hangs in one check.
const maxStuck = 3

// checker runs tests and records failures.
type checker struct {
	options  CheckOptions
	config   gen.Config
	report   *Report
	device   device
	hardware *replay.Hardware
	stuck    int
}

// Check reads a vector directory and replays its tests separately against the golden model and, with an engine, against
// hardware generated from its configuration. It also checks that the other files of the directory agree with
// vectors.json. An error concerns the directory (ErrInput) or the engine; a disagreement is not an error but is
// recorded in the report.
func Check(dir string, o CheckOptions) (*Report, error) {
	s, err := Read(dir)
	if err != nil {
		return nil, err
	}
	c := &checker{options: o, config: s.Config.Config, report: &Report{Dir: dir, Engine: o.Engine, Config: s.Config, Summary: Summarize(s)}}
	if o.Permissive {
		c.report.flags = append(c.report.flags, "--permissive")
	}
	if o.Quiet > 0 {
		c.report.flags = append(c.report.flags, fmt.Sprintf("--quiet-cycles %d", o.Quiet))
	}
	ids := map[int]bool{}
	s.Each(func(_ *suite.Group, t *suite.Test) { ids[t.TcID] = true })
	for _, id := range o.TcIDs {
		if !ids[id] {
			return nil, &InputError{filepath.Join(dir, suiteFile), &suite.FieldError{Field: "tcId", Value: id, Allowed: "the tcId of a test in the file"}}
		}
	}
	err = c.open()
	done := 0
	s.Each(func(g *suite.Group, t *suite.Test) {
		if err != nil || len(o.TcIDs) > 0 && !slices.Contains(o.TcIDs, t.TcID) {
			return
		}
		err = c.test(g, t)
		if done++; o.Progress != nil {
			o.Progress(done, c.report.Summary.Tests)
		}
	})
	if c.device != nil {
		err = errors.Join(err, c.device.Close())
	}
	if err != nil {
		return nil, err
	}
	c.report.Tests = c.report.Passed + c.report.Failed
	if c.report.Stale, err = stale(dir, s); err != nil {
		return nil, err
	}
	return c.report, nil
}

// open starts the hardware, if an engine is selected.
func (c *checker) open() (err error) {
	if c.options.Engine == "" {
		return nil
	}
	o := rnic.Options{Engine: c.options.Engine, Seed: c.options.Options.Seed, Latency: MemoryLatency, Stall: c.options.Stall,
		Unknown: c.options.Options.Unknown, Trace: c.options.Options.Trace, Coverage: c.options.Options.Coverage, Context: c.options.Options.Context}
	c.device = nil
	if c.options.open != nil {
		c.device, err = c.options.open(c.config, o)
	} else {
		var d *rnic.Device
		if d, err = rnic.OpenDevice(c.config, o); err == nil {
			c.device = d
		}
	}
	if err == nil {
		c.hardware = replay.NewHardware(c.device, c.options.Stall)
		if c.options.Quiet > 0 {
			c.hardware.Quiet = c.options.Quiet
		}
	}
	return err
}

func (c *checker) test(g *suite.Group, t *suite.Test) error {
	failure, err := c.model(g, t)
	if err == nil && failure == nil && c.device != nil {
		if c.stuck >= maxStuck {
			c.report.NotRun++
			return nil
		}
		failure, err = c.run(g, t)
	}
	switch {
	case err != nil:
		return err
	case failure != nil:
		failure.TcID, failure.Comment, failure.Rerun = t.TcID, t.Comment, c.report.rerun(t.TcID)
		c.report.Failed++
		c.report.Failures = append(c.report.Failures, *failure)
	default:
		c.report.Passed++
	}
	return nil
}

// model runs a test on the golden model, with all schedules.
func (c *checker) model(g *suite.Group, t *suite.Test) (*Failure, error) {
	ordered := slices.ContainsFunc(t.Expect, func(e suite.Expect) bool { return len(e.Memory) > 0 })
	for _, schedule := range replay.Schedules {
		eager := schedule == replay.Eager
		out, err := replay.Model(c.config, g, t, schedule, ordered && eager)
		if err != nil {
			return nil, &InputError{filepath.Join(c.report.Dir, suiteFile), err}
		}
		d := replay.Compare(t, out.Expect, out.Memory, ordered && eager)
		if d != nil {
			return &Failure{Problem: "the golden model disagrees with the file", Place: d.Place, Expected: show(d.Expected), Actual: show(d.Actual)}, nil
		}
	}
	return nil, nil
}

// run runs a test on the hardware. A test that hangs or shows unknown state fails, and the hardware is restarted.
func (c *checker) run(g *suite.Group, t *suite.Test) (*Failure, error) {
	out, changes, err := c.hardware.Run(g, t)
	var hangs *replay.HangError
	var shows *simulator.UnknownError
	if errors.As(err, &hangs) || errors.As(err, &shows) {
		c.stuck++
		return &Failure{Problem: err.Error()}, errors.Join(c.device.Close(), c.open())
	}
	if err != nil {
		return nil, err
	}
	compare := replay.Compare
	if c.options.Permissive {
		compare = replay.ComparePermissive
	}
	d := compare(t, out, changes, true)
	if d == nil {
		return nil, nil
	}
	return &Failure{Problem: "the hardware disagrees with the file", Place: d.Place, Expected: show(d.Expected), Actual: show(d.Actual)}, nil
}

// stale lists the files that disagree with the suite, if this version wrote the directory.
func stale(dir string, s *suite.Suite) (names []string, err error) {
	if s.Version != engine.Version {
		return nil, nil
	}
	want, err := files(s)
	if err != nil {
		return nil, err
	}
	for _, f := range want {
		is, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil || !bytes.Equal(is, f.Data) {
			names = append(names, f.Name)
		}
	}
	return names, nil
}
