package vectors

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	cosimrnic "github.com/rnicgen/rnicgen/cosim/rnic"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	rnicreplay "github.com/rnicgen/rnicgen/vectors/rnic/replay"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// rnicDevice is hardware that has to be closed.
type rnicDevice interface {
	rnicreplay.Device
	Close() error
}

// MemoryLatency is that of the memory behind the hardware: long enough, and different enough from burst to burst, that what
// does not wait for it shows.
var MemoryLatency = engine.Latency{Least: 1, Most: 40}

// rnicChecker runs tests of rnic and notes what does not fit.
type rnicChecker struct {
	options  CheckOptions
	config   gen.Config
	report   *Report
	device   rnicDevice
	hardware *rnicreplay.Hardware
	stuck    int
}

// checkRNIC replays the tests of a suite. Each runs by itself.
func checkRNIC(dir string, s *rnicsuite.Suite, o CheckOptions) (*Report, error) {
	c := &rnicChecker{options: o, config: s.Config.Config, report: &Report{Dir: dir, Engine: o.Engine, Config: suite.Config(s.Config), Summary: SummarizeRNIC(s)}}
	if o.Permissive {
		c.report.flags = append(c.report.flags, "--permissive")
	}
	if o.Quiet > 0 {
		c.report.flags = append(c.report.flags, fmt.Sprintf("--quiet-cycles %d", o.Quiet))
	}
	ids := map[int]bool{}
	s.Each(func(_ *rnicsuite.Group, t *rnicsuite.Test) { ids[t.TcID] = true })
	for _, id := range o.TcIDs {
		if !ids[id] {
			return nil, &InputError{filepath.Join(dir, suiteFile), &suite.FieldError{Field: "tcId", Value: id, Allowed: "a test of the file"}}
		}
	}
	err := c.open()
	done := 0
	s.Each(func(g *rnicsuite.Group, t *rnicsuite.Test) {
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
	if c.report.Stale, err = staleRNIC(dir, s); err != nil {
		return nil, err
	}
	return c.report, nil
}

// open starts the hardware, if there is to be any.
func (c *rnicChecker) open() (err error) {
	if c.options.Engine == "" {
		return nil
	}
	o := cosimrnic.Options{Engine: c.options.Engine, Seed: c.options.Options.Seed, Latency: MemoryLatency, Stall: c.options.Stall,
		Unknown: c.options.Options.Unknown, Trace: c.options.Options.Trace, Coverage: c.options.Options.Coverage, Context: c.options.Options.Context}
	c.device = nil
	if c.options.openRNIC != nil {
		c.device, err = c.options.openRNIC(c.config, o)
	} else {
		var d *cosimrnic.Device
		if d, err = cosimrnic.OpenDevice(c.config, o); err == nil {
			c.device = d
		}
	}
	if err == nil {
		c.hardware = rnicreplay.NewHardware(c.device, c.options.Stall)
		if c.options.Quiet > 0 {
			c.hardware.Quiet = c.options.Quiet
		}
	}
	return err
}

func (c *rnicChecker) test(g *rnicsuite.Group, t *rnicsuite.Test) error {
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

// model runs a test on the golden model, in all orders that it may choose.
func (c *rnicChecker) model(g *rnicsuite.Group, t *rnicsuite.Test) (*Failure, error) {
	ordered := slices.ContainsFunc(t.Expect, func(e rnicsuite.Expect) bool { return len(e.Memory) > 0 })
	for _, schedule := range rnicreplay.Schedules {
		eager := schedule == rnicreplay.Eager
		out, err := rnicreplay.Model(c.config, g, t, schedule, ordered && eager)
		if err != nil {
			return nil, &InputError{filepath.Join(c.report.Dir, suiteFile), err}
		}
		d := rnicreplay.Compare(t, out.Expect, out.Memory, ordered && eager)
		if d != nil {
			return &Failure{Problem: "the golden model disagrees with the file", Place: d.Place, Expected: show(d.Expected), Actual: show(d.Actual)}, nil
		}
	}
	return nil, nil
}

// run runs a test on the hardware. One that hangs or shows unknown state has failed; new hardware takes its place.
func (c *rnicChecker) run(g *rnicsuite.Group, t *rnicsuite.Test) (*Failure, error) {
	out, changes, err := c.hardware.Run(g, t)
	var hangs *rnicreplay.HangError
	var shows *engine.UnknownError
	if errors.As(err, &hangs) || errors.As(err, &shows) {
		c.stuck++
		return &Failure{Problem: err.Error()}, errors.Join(c.device.Close(), c.open())
	}
	if err != nil {
		return nil, err
	}
	compare := rnicreplay.Compare
	if c.options.Permissive {
		compare = rnicreplay.ComparePermissive
	}
	d := compare(t, out, changes, true)
	if d == nil {
		return nil, nil
	}
	return &Failure{Problem: "the hardware disagrees with the file", Place: d.Place, Expected: show(d.Expected), Actual: show(d.Actual)}, nil
}
