package vectors

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Report is the result of a check.
type Report struct {
	Dir      string       `json:"dir"`
	Engine   string       `json:"engine,omitempty"` // empty: the golden model alone
	Config   suite.Config `json:"config"`
	Summary  Summary      `json:"summary"` // of the file
	Tests    int          `json:"tests"`   // number of tests run
	Passed   int          `json:"passed"`
	Failed   int          `json:"failed"`
	NotRun   int          `json:"notRun"` // skipped because the hardware hung too often
	Failures []Failure    `json:"failures"`
	Stale    []string     `json:"stale"` // files that disagree with vectors.json

	flags []string // flags of the command other than --engine
}

// Failure is the first difference in a failed test.
type Failure struct {
	TcID     int    `json:"tcId"`
	Comment  string `json:"comment"`
	Problem  string `json:"problem"`
	Place    string `json:"place,omitempty"` // in the test
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
	Rerun    string `json:"rerun"` // command
}

// OK reports whether there was at least one test and all passed.
func (r *Report) OK() bool {
	return r.Passed > 0 && r.Failed == 0 && r.NotRun == 0 && len(r.Stale) == 0
}

func (r *Report) rerun(id int) string {
	command := []string{Generator, "check-vectors"}
	if r.Engine != "" {
		command = append(command, "--engine", r.Engine)
	}
	command = append(command, r.flags...)
	return strings.Join(append(command, fmt.Sprintf("--tcid %d", id), r.Dir), " ")
}

// Write prints the counts and the first failure in full.
func (r *Report) Write(w io.Writer) error {
	against := "the golden model"
	if r.Engine != "" {
		against += " and the generated hardware on " + r.Engine
	}
	verdict := "PASS"
	if !r.OK() {
		verdict = "FAIL"
	}
	var b strings.Builder
	for _, name := range r.Stale {
		fmt.Fprintf(&b, "%s disagrees with %s\n", name, suiteFile)
	}
	if len(r.Failures) > 0 {
		f := r.Failures[0]
		fmt.Fprintf(&b, "tcId %d: %s\n  %s", f.TcID, f.Comment, f.Problem)
		if f.Place != "" {
			fmt.Fprintf(&b, " at %s\n  expected %s\n  actual   %s", f.Place, f.Expected, f.Actual)
		}
		fmt.Fprintf(&b, "\n  reproduce it with: %s\n", f.Rerun)
	}
	fmt.Fprintf(&b, "%s: %d tests against %s, %d passed, %d failed", verdict, r.Tests, against, r.Passed, r.Failed)
	if r.NotRun > 0 {
		fmt.Fprintf(&b, ", %d not run", r.NotRun)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// show formats an outcome as in the file.
func show(v any) string {
	if v == nil {
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
