package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	cosimrnic "github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/replay"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// CheckOptions say what a directory is checked against. The zero value is the golden model alone.
type CheckOptions struct {
	Engine  string         // engine to run the generated hardware on; empty: none
	Options engine.Options // of that engine
	Stall   engine.Stall   // how often the hardware's ports are held back
	TcIDs   []int          // the tests to run; none: all

	// Of rnic.
	Permissive bool   // the hardware may do all that the specifications permit, whatever the decisions say
	Quiet      uint64 // cycles without a handshake after which the hardware is at rest; 0: those that suit it

	Progress func(done, tests int)

	open     func(gen.Config, string, engine.Options) (device, error) // of tests: other hardware
	openRNIC func(gen.Config, cosimrnic.Options) (rnicDevice, error)  // the same, of rnic
}

// device is hardware that has to be closed.
type device interface {
	replay.Device
	Close() error
}

// maxStuck ends a check of hardware that hangs again and again.
const maxStuck = 3

// checker runs tests and notes what does not fit.
type checker struct {
	options CheckOptions
	report  *Report
	model   *replay.Model
	device  device
	stuck   int
	done    int
}

// Check reads a vector directory and replays its tests against the golden model and, with an engine, against the
// hardware that is generated for its configuration. Beside that, the other files of the directory have to be what
// vectors.json says. An error is about the directory (ErrInput) or about the engine; a disagreement is no error
// but in the report.
func Check(dir string, o CheckOptions) (*Report, error) {
	text, err := readText(dir)
	if err != nil {
		return nil, err
	}
	if isRNIC(text) {
		s, err := decodeRNIC(text)
		if err != nil {
			return nil, &InputError{filepath.Join(dir, suiteFile), err}
		}
		return checkRNIC(dir, s, o)
	}
	s, err := decode(text)
	if err != nil {
		return nil, &InputError{filepath.Join(dir, suiteFile), err}
	}
	c := &checker{options: o, model: replay.NewModel(s.Config.Config),
		report: &Report{Dir: dir, Engine: o.Engine, Config: s.Config, Summary: Summarize(s)}}
	for _, id := range o.TcIDs {
		if !has(s, id) {
			return nil, &InputError{filepath.Join(dir, suiteFile), &suite.FieldError{Field: "tcId", Value: id, Allowed: "a test of the file"}}
		}
	}
	if o.Engine != "" {
		if c.device, err = c.open(s.Config.Config); err != nil {
			return nil, err
		}
	}
	for i := range s.Groups {
		if err == nil {
			err = c.group(&s.Groups[i])
		}
	}
	if c.device != nil {
		err = errors.Join(err, c.device.Close())
	}
	if err != nil {
		return nil, err
	}
	if c.report.Stale, err = stale(dir, s); err != nil {
		return nil, err
	}
	return c.report, nil
}

func (c *checker) open(config gen.Config) (device, error) {
	if c.options.open != nil {
		return c.options.open(config, c.options.Engine, c.options.Options)
	}
	d, err := cosim.Open(config, c.options.Engine, c.options.Options)
	if err != nil {
		return nil, err
	}
	if err := d.Stall(c.options.Stall); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// reopen takes new hardware in place of that which cannot go on.
func (c *checker) reopen() (err error) {
	err = c.device.Close()
	c.device = nil
	if err == nil {
		c.device, err = c.open(c.report.Config.Config)
	}
	return err
}

func has(s *suite.Suite, id int) (found bool) {
	s.Each(func(_ *suite.Group, t *suite.Test) { found = found || t.TcID == id })
	return found
}

// group runs the chosen tests of a group: each on the model, all in one go on the hardware. When that does not
// fit, each runs again by itself, to find those that fail.
func (c *checker) group(g *suite.Group) error {
	var tests []*suite.Test
	for i := range g.Tests {
		if t := &g.Tests[i]; len(c.options.TcIDs) == 0 || slices.Contains(c.options.TcIDs, t.TcID) {
			tests = append(tests, t)
		}
	}
	if len(tests) == 0 {
		return nil
	}
	v := verdicts{map[int]*Failure{}, map[int]bool{}}
	for _, t := range tests {
		out, err := c.model.Run(g, t)
		if err != nil {
			return &InputError{filepath.Join(c.report.Dir, suiteFile), err}
		}
		if f := compareModel(t, out); f != nil {
			v.failed[t.TcID] = f
		}
	}
	if c.device != nil {
		if err := c.hardware(g, tests, v); err != nil {
			return err
		}
	}
	c.count(tests, v)
	return nil
}

// verdicts on the tests of a group, by tcId; the others have passed.
type verdicts struct {
	failed map[int]*Failure
	notRun map[int]bool
}

func (c *checker) hardware(g *suite.Group, tests []*suite.Test, v verdicts) error {
	if c.stuck >= maxStuck {
		for _, t := range tests {
			v.notRun[t.TcID] = true
		}
		return nil
	}
	together, err := c.run(g, tests)
	if err != nil || together == nil {
		return err
	}
	found := false
	for _, t := range tests {
		if c.stuck >= maxStuck {
			v.notRun[t.TcID] = true
			continue
		}
		alone, err := c.run(g, []*suite.Test{t})
		if err != nil {
			return err
		}
		if alone != nil {
			found = true
			if v.failed[t.TcID] == nil { // the model's disagreement comes first: the file is wrong
				v.failed[t.TcID] = alone
			}
		}
	}
	if !found && v.failed[together.TcID] == nil {
		together.Problem += "; alone the test passes, behind the others of its group it does not"
		v.failed[together.TcID] = together
	}
	return nil
}

// run runs tests of a group in one go and compares. Hardware that hangs is a failure too; it is reset.
func (c *checker) run(g *suite.Group, tests []*suite.Test) (*Failure, error) {
	ports, err := replay.Hardware(c.device, g, tests)
	var hangs *engine.StuckError
	var shows *engine.UnknownError
	switch {
	case errors.As(err, &shows):
		c.stuck++
		f := &Failure{TcID: tests[0].TcID, Comment: tests[0].Comment, Problem: "the hardware shows unknown state: " + err.Error()}
		return f, c.reopen()
	case errors.As(err, &hangs):
		c.stuck++
		f := &Failure{TcID: tests[0].TcID, Comment: tests[0].Comment, Problem: "the hardware hangs: " + err.Error()}
		return f, c.device.Reset()
	case err != nil:
		return nil, fmt.Errorf("vectors: %s engine: %w", c.options.Engine, err)
	}
	return ComparePorts(tests, ports), nil
}

func (c *checker) count(tests []*suite.Test, v verdicts) {
	for _, t := range tests {
		f := v.failed[t.TcID]
		switch {
		case f != nil:
			f.Rerun = c.report.rerun(t.TcID)
			c.report.Failed++
			c.report.Failures = append(c.report.Failures, *f)
		case v.notRun[t.TcID]:
			c.report.NotRun++
		default:
			c.report.Passed++
		}
		c.done++
	}
	c.report.Tests = c.report.Passed + c.report.Failed
	if c.options.Progress != nil {
		c.options.Progress(c.done, c.report.Summary.Tests)
	}
}

// stale lists the files that are not what the suite says, in so far as this version wrote the directory.
func stale(dir string, s *suite.Suite) ([]string, error) {
	if s.Version != gen.Version {
		return nil, nil
	}
	want, err := files(s)
	if err != nil {
		return nil, err
	}
	return differ(dir, want)
}

func staleRNIC(dir string, s *rnicsuite.Suite) ([]string, error) {
	if s.Version != gen.Version {
		return nil, nil
	}
	want, err := rnicFiles(s)
	if err != nil {
		return nil, err
	}
	return differ(dir, want)
}

// differ lists the files of a directory that are not what they should be.
func differ(dir string, want []outdir.File) (names []string, err error) {
	for _, f := range want {
		is, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil || !bytes.Equal(is, f.Data) {
			names = append(names, f.Name)
		}
	}
	return names, nil
}
