package falcon

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/vectors/falcon/replay"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	rdmap "github.com/rnicgen/rnicgen/vectors/suite"
)

// Report is the outcome of a check.
type Report struct {
	Dir      string       `json:"dir"`
	Engine   string       `json:"engine"`
	Config   suite.Seeded `json:"config"`
	Tests    int          `json:"tests"` // that were run
	Passed   int          `json:"passed"`
	Failed   int          `json:"failed"`
	Failures []Failure    `json:"failures"`
	Stale    []string     `json:"stale"` // files that disagree with vectors.json
}

// Failure is the first difference in a failed test.
type Failure struct {
	TcID     int    `json:"tcId"`
	Comment  string `json:"comment"`
	Place    string `json:"place"` // in the test
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	Rerun    string `json:"rerun"` // command
}

// Engine is the only one that can replay vectors of the profile.
const Engine = "model"

// Check reads a vector directory and replays its tests, or those with the given tcIds, on the golden model. An error concerns
// the directory; a disagreement is recorded in the report.
func Check(dir string, tcIDs []int) (*Report, error) {
	s, err := Read(dir)
	if err != nil {
		return nil, err
	}
	r := &Report{Dir: dir, Engine: Engine, Config: s.Config, Failures: []Failure{}, Stale: []string{}}
	missing := slices.Clone(tcIDs)
	s.Each(func(g *suite.Group, t *suite.Test) {
		missing = slices.DeleteFunc(missing, func(id int) bool { return id == t.TcID })
		if err == nil && (len(tcIDs) == 0 || slices.Contains(tcIDs, t.TcID)) {
			err = r.test(g, t)
		}
	})
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("vectors: %s: %w", filepath.Join(dir, suiteFile), &rdmap.FieldError{Field: "tcId", Value: missing[0], Allowed: "the tcId of a test in the file"})
	}
	if err != nil {
		return nil, err
	}
	return r, r.compareFiles(s)
}

func (r *Report) test(g *suite.Group, t *suite.Test) error {
	r.Tests++
	for _, backwards := range []bool{false, true} {
		got, err := replay.Runner{Config: r.Config.Config, Backwards: backwards}.Run(g, t)
		if err != nil {
			return fmt.Errorf("vectors: tcId %d: %w", t.TcID, err)
		}
		if d := suite.Compare(g, t, got); d != nil {
			r.Failed++
			r.Failures = append(r.Failures, Failure{t.TcID, t.Comment, d.Place, suite.Show(d.Expected), suite.Show(d.Actual),
				fmt.Sprintf("%s check-vectors --tcid %d %s", Generator, t.TcID, r.Dir)})
			return nil
		}
	}
	r.Passed++
	return nil
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
func (r *Report) OK() bool { return r.Passed > 0 && r.Failed == 0 && len(r.Stale) == 0 }

// Write prints the counts and the first failure in full.
func (r *Report) Write(w io.Writer) error {
	var b bytes.Buffer
	for _, name := range r.Stale {
		fmt.Fprintf(&b, "%s disagrees with %s\n", name, suiteFile)
	}
	if len(r.Failures) > 0 {
		f := r.Failures[0]
		fmt.Fprintf(&b, "tcId %d: %s\n  the golden model disagrees with the file at %s\n  expected %s\n  actual   %s\n  reproduce it with: %s\n",
			f.TcID, f.Comment, f.Place, f.Expected, f.Actual, f.Rerun)
	}
	verdict := "PASS"
	if !r.OK() {
		verdict = "FAIL"
	}
	fmt.Fprintf(&b, "%s: %d tests of profile %s against the golden model, %d passed, %d failed\n", verdict, r.Tests, suite.Profile, r.Passed, r.Failed)
	_, err := w.Write(b.Bytes())
	return err
}
