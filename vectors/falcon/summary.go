package falcon

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	cases "github.com/rnicgen/rnicgen/vectors/cases/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	rdmap "github.com/rnicgen/rnicgen/vectors/suite"
)

// Summary counts a suite.
type Summary struct {
	Tests      int     `json:"tests"`
	Errors     int     `json:"errors"`
	Groups     int     `json:"groups"`
	Steps      int     `json:"steps"`
	Flags      []Count `json:"flags"`      // in the order of the documentation
	Operations []Count `json:"operations"` // in the order of the table: tests with a packet of it, sent or received
	Rules      []Count `json:"rules"`      // in the order of the checks: tests in which a packet breaks it
}

// Count is a number of tests, and how many of them have the result error.
type Count struct {
	Name   string `json:"name"`
	Tests  int    `json:"tests"`
	Errors int    `json:"errors"`
}

// ErrorShare returns the percentage of tests with the result error, rounded down.
func (s Summary) ErrorShare() int {
	if s.Tests == 0 {
		return 0
	}
	return 100 * s.Errors / s.Tests
}

// WriteFlags prints the number of tests by flag, by operation and by rule.
func (s Summary) WriteFlags(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, table := range []struct {
		what string
		rows []Count
	}{{"flag", s.Flags}, {"operation", s.Operations}, {"rule", s.Rules}} {
		fmt.Fprintf(t, "%s\ttests\terrors\n", table.what)
		for _, c := range table.rows {
			fmt.Fprintf(t, "%s\t%d\t%d\n", c.Name, c.Tests, c.Errors)
		}
	}
	return t.Flush()
}

// Summarize counts a suite.
func Summarize(s *suite.Suite) Summary {
	sum := Summary{Groups: len(s.Groups)}
	order, _ := s.Config.Order()
	flags, operations, rules := counter{}, counter{}, counter{}
	s.Each(func(_ *suite.Group, t *suite.Test) {
		inError := t.Result == rdmap.Error
		sum.Tests++
		sum.Steps += len(t.Steps)
		if inError {
			sum.Errors++
		}
		flags.add(t.Flags, inError)
		operations.add(operationsOf(t, order), inError)
		var broken []string
		for i := range t.Steps {
			broken = append(broken, strings.Fields(t.Steps[i].Breaks)...)
		}
		rules.add(broken, inError)
	})
	for _, n := range cases.Notes {
		sum.Flags = append(sum.Flags, flags.of(n.Flag))
	}
	for i := range spec.Operations {
		sum.Operations = append(sum.Operations, operations.of(spec.Operations[i].Opcode.String()))
	}
	for _, r := range spec.Rules[1:] {
		sum.Rules = append(sum.Rules, rules.of(r.Name))
	}
	return sum
}

// operationsOf names the operations of a test's packets.
func operationsOf(t *suite.Test, order spec.BitOrder) (names []string) {
	add := func(octets []byte) {
		p := packet.Packet{}
		if p.Decode(octets, order) == spec.None {
			names = append(names, p.Opcode.String())
		}
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Request != nil && s.Breaks == "" {
			add(s.Request.Hex)
		}
		if s.Response != nil && s.Breaks == "" {
			add(s.Response.Hex)
		}
		for j := range s.Expect {
			if e := &s.Expect[j]; e.Request != nil {
				add(e.Request.Hex)
			} else if e.Response != nil {
				add(e.Response.Hex)
			}
		}
	}
	return names
}

// counter counts tests by name.
type counter map[string]*Count

// add counts a test once for each of its names.
func (c counter) add(names []string, inError bool) {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			continue
		}
		seen[n] = true
		if c[n] == nil {
			c[n] = &Count{Name: n}
		}
		c[n].Tests++
		if inError {
			c[n].Errors++
		}
	}
}

func (c counter) of(name string) Count {
	if c[name] == nil {
		return Count{Name: name}
	}
	return *c[name]
}

func ruleText(name string) string {
	for _, r := range spec.Rules {
		if r.Name == name {
			return r.Text + " (" + r.Section + ")"
		}
	}
	return ""
}
