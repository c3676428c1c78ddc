package falcon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/replay"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	rdmap "github.com/rnicgen/rnicgen/vectors/suite"
)

// CheckOptions selects what a directory is checked against.
type CheckOptions struct {
	TcIDs    []int          // tests to run; empty: all
	Hardware falcon.Options // on which tests run too, if it names an engine
}

// Report is the outcome of a check.
type Report struct {
	Dir      string          `json:"dir"`
	Engine   string          `json:"engine"`
	Config   suite.Seeded    `json:"config"`
	Tests    int             `json:"tests"` // that were run
	Passed   int             `json:"passed"`
	Failed   int             `json:"failed"`
	Hardware *HardwareReport `json:"hardware,omitempty"`
	Failures []Failure       `json:"failures"`
	Stale    []string        `json:"stale"` // files that disagree with vectors.json
}

// HardwareReport is what became of the tests on hardware.
type HardwareReport struct {
	Tests  int            `json:"tests"`
	Passed int            `json:"passed"`
	Failed int            `json:"failed"`
	Lacks  map[string]int `json:"lacks"` // tests that were not run, by what they need
}

// Failure is the first difference in a failed test.
type Failure struct {
	TcID     int    `json:"tcId"`
	Comment  string `json:"comment"`
	Witness  string `json:"witness"` // that disagrees
	Place    string `json:"place"`   // in the test
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	Rerun    string `json:"rerun"` // command
}

// Engine is that of a check without hardware.
const Engine = "model"

// checker runs tests and records failures.
type checker struct {
	*Report
	o      CheckOptions
	runner *hardware.Runner // nil: no hardware
}

// Check reads a vector directory and replays its tests, or those with the given tcIds, on the golden model and on hardware. An error concerns
// the directory; a disagreement is recorded in the report.
func Check(dir string, o CheckOptions) (*Report, error) {
	s, err := Read(dir)
	if err != nil {
		return nil, err
	}
	c := &checker{Report: &Report{Dir: dir, Engine: Engine, Config: s.Config, Failures: []Failure{}}, o: o}
	if o.Hardware.Engine != "" {
		c.Engine, c.Hardware = o.Hardware.Engine, &HardwareReport{Lacks: map[string]int{}}
	}
	missing := slices.Clone(o.TcIDs)
	s.Each(func(g *suite.Group, t *suite.Test) {
		missing = slices.DeleteFunc(missing, func(id int) bool { return id == t.TcID })
		if err == nil && (len(o.TcIDs) == 0 || slices.Contains(o.TcIDs, t.TcID)) {
			err = errors.Join(c.test(g, t), c.onHardware(g, t))
		}
	})
	err = errors.Join(err, c.close())
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("vectors: %s: %w", filepath.Join(dir, suiteFile), &rdmap.FieldError{Field: "tcId", Value: missing[0], Allowed: "the tcId of a test in the file"})
	}
	if err != nil {
		return nil, err
	}
	return c.Report, c.compareFiles(s)
}

// test runs a test on the golden model.
func (c *checker) test(g *suite.Group, t *suite.Test) error {
	c.Tests++
	for _, backwards := range []bool{false, true} {
		got, err := replay.Runner{Config: c.Config.Config, Backwards: backwards}.Run(g, t)
		if err != nil {
			return fmt.Errorf("vectors: tcId %d: %w", t.TcID, err)
		}
		if d := suite.Compare(g, t, got); d != nil {
			c.Failed++
			c.fails(t, "the golden model", Engine, d)
			return nil
		}
	}
	c.Passed++
	return nil
}

func (c *checker) fails(t *suite.Test, witness, engine string, d *suite.Difference) {
	c.Failures = append(c.Failures, Failure{t.TcID, t.Comment, witness, d.Place, suite.Show(d.Expected), suite.Show(d.Actual),
		fmt.Sprintf("%s check-vectors --engine %s --tcid %d %s", Generator, engine, t.TcID, c.Dir)})
}

// onHardware runs a test on hardware, if that has what it needs.
func (c *checker) onHardware(g *suite.Group, t *suite.Test) error {
	if c.Hardware == nil {
		return nil
	}
	if what := hardware.Lacks(c.Config.Config, g, t); what != "" {
		c.Hardware.Lacks[what]++
		return nil
	}
	if c.runner == nil {
		d, err := falcon.Open(hardware.Config(c.Config.Config), c.o.Hardware)
		if err != nil {
			return err
		}
		c.runner = &hardware.Runner{Config: c.Config.Config, Device: d}
	}
	c.Hardware.Tests++
	got, err := c.runner.Run(g, t)
	d := &suite.Difference{Place: "run", Expected: "no error"}
	if err != nil {
		d.Actual = err.Error()
		err = c.close()
	} else {
		d = suite.Compare(g, t, got)
	}
	if d != nil {
		c.Hardware.Failed++
		c.fails(t, "hardware", c.Engine, d)
		return err
	}
	c.Hardware.Passed++
	return nil
}

func (c *checker) close() error {
	if c.runner == nil {
		return nil
	}
	err := c.runner.Device.Close()
	c.runner = nil
	return err
}

// compareFiles lists the files that disagree with the suite, if this version wrote the directory.
func (r *Report) compareFiles(s *suite.Suite) error {
	if s.Version != engine.Version {
		return nil
	}
	want, err := files(s)
	for _, f := range want {
		is, err := os.ReadFile(filepath.Join(r.Dir, filepath.FromSlash(f.Name)))
		if err != nil || !bytes.Equal(is, f.Data) {
			r.Stale = append(r.Stale, f.Name)
		}
	}
	return err
}

// OK reports whether there was at least one test and all passed.
func (r *Report) OK() bool { return r.Passed > 0 && len(r.Failures) == 0 && len(r.Stale) == 0 }

// Write prints the counts and the first failure in full.
func (r *Report) Write(w io.Writer) error {
	var b bytes.Buffer
	for _, name := range r.Stale {
		fmt.Fprintf(&b, "%s disagrees with %s\n", name, suiteFile)
	}
	if len(r.Failures) > 0 {
		f := r.Failures[0]
		fmt.Fprintf(&b, "tcId %d: %s\n  %s disagrees with the file at %s\n  expected %s\n  actual   %s\n  reproduce it with: %s\n",
			f.TcID, f.Comment, f.Witness, f.Place, f.Expected, f.Actual, f.Rerun)
	}
	if h := r.Hardware; h != nil {
		fmt.Fprintf(&b, "%d of these tests on hardware (%s), %d passed, %d failed\n", h.Tests, r.Engine, h.Passed, h.Failed)
		var list []string
		for _, what := range slices.Sorted(maps.Keys(h.Lacks)) {
			list = append(list, fmt.Sprintf("%s %d", what, h.Lacks[what]))
		}
		if len(list) > 0 {
			fmt.Fprintf(&b, "others need what it lacks: %s\n", strings.Join(list, ", "))
		}
	}
	verdict := "PASS"
	if !r.OK() {
		verdict = "FAIL"
	}
	fmt.Fprintf(&b, "%s: %d tests of profile %s against the golden model, %d passed, %d failed\n", verdict, r.Tests, suite.Profile, r.Passed, r.Failed)
	_, err := w.Write(b.Bytes())
	return err
}
