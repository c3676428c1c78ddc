// Package evidence records a run of all checks: the tools, the Verilog, the steps and their output.
package evidence

import (
	"encoding/json"

	"github.com/rnicgen/rnicgen/gen/outdir"
)

// Step is one check: an rnicgen command, as a user calls it, and its result.
type Step struct {
	Name    string  `json:"name"`
	Shows   string  `json:"says"` // what it shows
	Command string  `json:"command"`
	Exit    int     `json:"exit"` // 0 agreement, 1 mismatch, 2 could not run, 130 and 143 interrupted
	Seconds float64 `json:"seconds"`
	Summary string  `json:"summary"` // the last line printed

	Printed string `json:"-"` // standard output, then standard error
	Report  []byte `json:"-"` // JSON; nil if none was written
}

// Verdict names the exit code.
func (s Step) Verdict() string {
	switch s.Exit {
	case 0:
		return "PASS"
	case 1:
		return "FAIL"
	case 130, 143:
		return "INTERRUPTED"
	}
	return "BROKEN"
}

// Evidence is the complete record.
type Evidence struct {
	Started   string `json:"started"` // UTC
	Generator string `json:"generator"`
	Source    string `json:"source"` // revision of the generator's own source
	Tools     []Tool `json:"tools"`
	RTL       []RTL  `json:"rtl"`
	Steps     []Step `json:"steps"`
	Complete  bool   `json:"complete"` // no step was skipped
}

// OK reports whether there were steps and all of them agreed.
func (e *Evidence) OK() bool {
	for _, s := range e.Steps {
		if s.Exit != 0 {
			return false
		}
	}
	return len(e.Steps) > 0
}

// Write creates the directory: evidence.md, evidence.json, and the output (NAME.txt) and report (NAME.json) of each
// step.
func (e *Evidence) Write(dir string) error {
	text, err := json.MarshalIndent(struct {
		*Evidence
		OK bool `json:"ok"`
	}{e, e.OK()}, "", "  ")
	if err != nil {
		return err
	}
	files := []outdir.File{{Name: "evidence.json", Data: append(text, '\n')}, {Name: "evidence.md", Data: e.markdown()}}
	for _, s := range e.Steps {
		files = append(files, outdir.File{Name: s.Name + ".txt", Data: []byte(s.Printed)})
		if s.Report != nil {
			files = append(files, outdir.File{Name: s.Name + ".json", Data: s.Report})
		}
	}
	return outdir.Write(dir, outdir.Manifest{Generator: e.Generator, Kind: "evidence", Config: e.RTL}, files)
}
