package vectors

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/cases"
	rniccases "github.com/rnicgen/rnicgen/vectors/rnic/cases"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Summary counts a suite.
type Summary struct {
	Tests   int           `json:"tests"`
	Errors  int           `json:"errors"` // tests with an error among their outcomes
	Groups  int           `json:"groups"`
	Inputs  int           `json:"inputs"`
	Flags   []FlagSummary `json:"flags"`             // in the order of the documentation
	Records []KindSummary `json:"records,omitempty"` // of rnic_atomics, by error kind

	Acceptable int           `json:"acceptable,omitempty"` // of rnic, tests of which the specifications permit other outcomes
	Terminates []CodeSummary `json:"terminates,omitempty"` // of rnic, those that are sent
}

// CodeSummary counts the Terminates of a code, in the manner of 1/2/0x03.
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

// KindSummary counts the records of an error kind.
type KindSummary struct {
	Error   string `json:"error"`
	Records int    `json:"records"`
}

// ErrorShare is the share of tests with an error in percent, rounded down.
func (s Summary) ErrorShare() int {
	if s.Tests == 0 {
		return 0
	}
	return 100 * s.Errors / s.Tests
}

// WriteFlags tells people how many tests have each flag, and how many of these are errors. A test may have several.
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
	flags, kinds := map[string]*FlagSummary{}, map[string]int{}
	s.Each(func(_ *suite.Group, t *suite.Test) {
		sum.Tests++
		sum.Inputs += len(t.Input)
		if t.Result == suite.Error {
			sum.Errors++
		}
		for _, f := range t.Flags {
			if flags[f] == nil {
				flags[f] = &FlagSummary{Flag: f}
			}
			flags[f].Tests++
			if t.Result == suite.Error {
				flags[f].Errors++
			}
		}
		for _, e := range t.Expect {
			if e.Record != nil {
				kinds[e.Record.Error]++
			}
		}
	})
	for _, n := range cases.Notes {
		if f := flags[n.Flag]; f != nil {
			sum.Flags = append(sum.Flags, *f)
		}
	}
	for _, row := range wire.Errors {
		sum.Records = append(sum.Records, KindSummary{row.Name, kinds[row.Name]})
	}
	return sum
}

// SummarizeRNIC counts a suite of rnic.
func SummarizeRNIC(s *rnicsuite.Suite) Summary {
	sum := Summary{Groups: len(s.Groups)}
	flags, codes := map[string]*FlagSummary{}, map[string]int{}
	s.Each(func(_ *rnicsuite.Group, t *rnicsuite.Test) {
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
			if e := t.Expect[i].Event; e != nil && e.Kind == rnicsuite.Kinds[gen.EventTerminateSent] {
				codes[short(wire.TerminateCode{Layer: wire.Layer(e.Layer), EType: uint8(e.EType), Code: uint8(e.Code)})]++
			}
		}
	})
	for _, n := range rniccases.Notes {
		if f := flags[n.Flag]; f != nil {
			sum.Flags = append(sum.Flags, *f)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		sum.Terminates = append(sum.Terminates, CodeSummary{code, codes[code]})
	}
	return sum
}
