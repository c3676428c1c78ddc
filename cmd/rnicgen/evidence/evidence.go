// Package evidence is the record of a run of all checks: which tools, which Verilog, which steps, and what each printed.
package evidence

import (
	"encoding/json"

	"github.com/rnicgen/rnicgen/gen/outdir"
)

// Step is one check: a command of rnicgen, as a user calls it, and what came of it.
type Step struct {
	Name    string  `json:"name"`
	Says    string  `json:"says"` // what it is evidence of
	Command string  `json:"command"`
	Exit    int     `json:"exit"` // 0 agreement, 1 a mismatch, 2 it could not run, 130 and 143 interrupted
	Seconds float64 `json:"seconds"`
	Summary string  `json:"summary"` // the last line printed

	Printed string `json:"-"` // standard output, then what went to standard error
	Report  []byte `json:"-"` // JSON; nil when it wrote none
}

// Verdict is a word for the exit code.
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

// Evidence is all of it.
type Evidence struct {
	Started   string `json:"started"` // UTC
	Generator string `json:"generator"`
	Source    string `json:"source"` // revision of the generator's own source
	Tools     []Tool `json:"tools"`
	RTL       []RTL  `json:"rtl"`
	Steps     []Step `json:"steps"`
	Complete  bool   `json:"complete"` // no step was left out
}

// OK is true when there were steps and each agreed.
func (e *Evidence) OK() bool {
	for _, s := range e.Steps {
		if s.Exit != 0 {
			return false
		}
	}
	return len(e.Steps) > 0
}

// Write makes the directory: evidence.md, evidence.json, and of each step what it printed (NAME.txt) and its report (NAME.json).
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
