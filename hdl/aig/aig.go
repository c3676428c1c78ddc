// Package aig holds netlists of and gates and 1-bit registers (AIGER), and queries ABC, which comes with yosys, about them.
package aig

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Lit is a signal of a netlist: twice the number of a variable, plus one if it is inverted. 0 is false, 1 true.
type Lit uint32

// Not is the inverted signal.
func (l Lit) Not() Lit { return l ^ 1 }

// As is a signal, inverted if s is.
func (l Lit) As(s Lit) Lit { return l ^ s&1 }

// Netlist is a file written by yosys with write_aiger -ascii -symbols (AIGER 1.9).
type Netlist struct {
	Vars        int // including the constant false, variable 0
	Inputs      []Lit
	Latches     []Latch
	Outputs     []Lit
	Bad         []Lit // assertions that fail
	Constraints []Lit // assumptions
	Ands        []And // in dependency order

	InputNames  []string
	OutputNames []string
}

// Latch is a 1-bit register. It starts with 0 or 1, or with any value if Start is the latch itself.
type Latch struct{ Is, Next, Start Lit }

// And is a gate.
type And struct{ Is, A, B Lit }

// Read reads a netlist with its symbols.
func Read(text []byte) (*Netlist, error) {
	s := bufio.NewScanner(bytes.NewReader(text))
	s.Buffer(nil, 1<<22)
	var head [7]int
	if !s.Scan() {
		return nil, fmt.Errorf("an empty netlist")
	}
	if n, _ := fmt.Sscanf(s.Text(), "aag %d %d %d %d %d %d %d", &head[0], &head[1], &head[2], &head[3], &head[4], &head[5], &head[6]); n < 5 {
		return nil, fmt.Errorf("a netlist begins with %q", s.Text())
	}
	var wrong error
	lines := func(count, least int, take func([]Lit)) {
		for range count {
			var list []Lit
			if wrong == nil && s.Scan() {
				for _, f := range strings.Fields(s.Text()) {
					n, err := strconv.ParseUint(f, 10, 32)
					if err != nil || int(n>>1) > head[0] {
						break
					}
					list = append(list, Lit(n))
				}
			}
			if len(list) < least {
				wrong = fmt.Errorf("a netlist has the line %q; allowed: at least %d numbers below %d", s.Text(), least, 2*head[0]+2)
				return
			}
			take(list)
		}
	}
	n := &Netlist{Vars: head[0] + 1, InputNames: make([]string, head[1]), OutputNames: make([]string, head[3])}
	one := func(to *[]Lit) func([]Lit) { return func(l []Lit) { *to = append(*to, l[0]) } }
	lines(head[1], 1, one(&n.Inputs))
	lines(head[2], 2, func(l []Lit) { n.Latches = append(n.Latches, Latch{l[0], l[1], append(l, 0)[2]}) })
	lines(head[3], 1, one(&n.Outputs))
	lines(head[5], 1, one(&n.Bad))
	lines(head[6], 1, one(&n.Constraints))
	lines(head[4], 3, func(l []Lit) { n.Ands = append(n.Ands, And{l[0], l[1], l[2]}) })
	for wrong == nil && s.Scan() && s.Text() != "c" {
		of, name, _ := strings.Cut(s.Text(), " ")
		list := map[byte][]string{'i': n.InputNames, 'o': n.OutputNames}[of[0]]
		if list == nil {
			continue
		}
		at, err := strconv.Atoi(of[1:])
		if err != nil || at >= len(list) {
			return nil, fmt.Errorf("a netlist has the symbol %q", s.Text())
		}
		list[at] = name
	}
	return n, wrong
}
