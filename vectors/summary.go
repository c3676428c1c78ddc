package vectors

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/wire"

	cases "github.com/rnicgen/rnicgen/vectors/cases/rdmap"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Summary counts a suite.
type Summary struct {
	Tests  int           `json:"tests"`
	Errors int           `json:"errors"` // tests with an error among their outcomes
	Groups int           `json:"groups"`
	Inputs int           `json:"inputs"`
	Flags  []FlagSummary `json:"flags"` // in the order of the documentation

	Acceptable int           `json:"acceptable,omitempty"` // tests for which the specifications permit other outcomes
	Terminates []CodeSummary `json:"terminates,omitempty"` // Terminates sent
}

// CodeSummary counts the Terminates with a code, written as 1/2/0x03.
type CodeSummary struct {
	Code       string `json:"code"`
	Terminates int    `json:"terminates"`
}

// FlagSummary counts the tests of a flag.
type FlagSummary struct {
	Flag   string `json:"flag"`
	Tests  int    `json:"tests"`
	Errors int    `json:"errors"`
}

// ErrorShare returns the percentage of tests with an error, rounded down.
func (s Summary) ErrorShare() int {
	if s.Tests == 0 {
		return 0
	}
	return 100 * s.Errors / s.Tests
}

// WriteFlags prints the number of tests per flag, and how many of these have errors. A test may have several flags.
func (s Summary) WriteFlags(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "flag\ttests\terrors")
	for _, f := range s.Flags {
		fmt.Fprintf(t, "%s\t%d\t%d\n", f.Flag, f.Tests, f.Errors)
	}
	return t.Flush()
}

// Summarize counts a suite.
func Summarize(s *suite.Suite) Summary {
	sum := Summary{Groups: len(s.Groups)}
	flags, codes := map[string]*FlagSummary{}, map[string]int{}
	s.Each(func(_ *suite.Group, t *suite.Test) {
		sum.Tests++
		sum.Inputs += len(t.Input)
		inError := t.InError()
		if inError {
			sum.Errors++
		}
		if t.Open() {
			sum.Acceptable++
		}
		for _, f := range t.Flags {
			if flags[f] == nil {
				flags[f] = &FlagSummary{Flag: f}
			}
			flags[f].Tests++
			if inError {
				flags[f].Errors++
			}
		}
		for i := range t.Expect {
			if e := t.Expect[i].Event; e != nil && e.Kind == suite.Kinds[engine.EventEnded] {
				codes[short(wire.TerminateCode{Layer: wire.Layer(e.Layer), EType: uint8(e.EType), Code: uint8(e.Code)})]++
			}
		}
	})
	for _, n := range cases.Notes {
		if f := flags[n.Flag]; f != nil {
			sum.Flags = append(sum.Flags, *f)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		sum.Terminates = append(sum.Terminates, CodeSummary{code, codes[code]})
	}
	return sum
}

// short formats layer, error type and code.
func short(c wire.TerminateCode) string {
	return fmt.Sprintf("%d/%d/0x%02X", uint8(c.Layer), c.EType, c.Code)
}
