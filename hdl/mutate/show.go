package mutate

import (
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
	"github.com/rnicgen/rnicgen/hdl/internal/verilog"
)

// Difference is the change of a mutant in the printed text of its module: the first line, before and after.
type Difference struct {
	File   string
	Line   int
	Before string
	After  string
}

// Difference returns the change of a mutant.
func (s *Set) Difference(m Mutant) Difference {
	before, after := s.lines(m.Module), strings.Split(s.Text(m), "\n")
	d := Difference{File: m.Module + ".v"}
	for i := range max(len(before), len(after)) {
		a, b := lineOf(before, i), lineOf(after, i)
		if strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ") {
			continue
		}
		if d.Line == 0 || strings.Contains(d.Before, "localparam") { // which is less informative than its use
			d.Line, d.Before, d.After = i+1, strings.TrimSpace(a), strings.TrimSpace(b)
		}
		if len(before) != len(after) || !strings.Contains(a, "localparam") {
			break
		}
	}
	return d
}

// Text prints the module of a mutant with only this fault.
func (s *Set) Text(m Mutant) string {
	c := s.module(m.Module).Clone()
	put(c, []Mutant{m}, nil)
	return verilog.Module(c)
}

func (s *Set) lines(module string) []string {
	return strings.Split(verilog.Module(s.module(module)), "\n")
}

func (s *Set) module(name string) *ir.Module {
	for _, m := range s.modules {
		if m.Name == name {
			return m
		}
	}
	return nil
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
