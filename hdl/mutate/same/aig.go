package same

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// lit is a signal of a netlist of and gates: twice the number of a variable, plus one when it is inverted. 0 is false, 1 true.
type lit uint32

func (l lit) not() lit     { return l ^ 1 }
func (l lit) of(s lit) lit { return l ^ s&1 } // l, inverted as s is

// aig is a netlist of and gates and registers, as yosys writes it (AIGER 1.9, ascii).
type aig struct {
	vars    int // and the false, which is variable 0
	inputs  []lit
	latches []latch
	outputs []lit
	ands    []and // each after those that it needs

	inputNames  []string
	latchNames  []string
	outputNames []string
}

// latch is a register of one bit. It starts with 0 or 1, or, when start is itself, with any value.
type latch struct{ is, next, start lit }

type and struct{ is, a, b lit }

// readAIG reads a netlist with its symbols.
func readAIG(text []byte) (*aig, error) {
	s := bufio.NewScanner(bytes.NewReader(text))
	s.Buffer(nil, 1<<22)
	line := func(least int) ([]lit, error) {
		if !s.Scan() {
			return nil, fmt.Errorf("a netlist ends too early")
		}
		var list []lit
		for _, f := range strings.Fields(s.Text()) {
			n, err := strconv.ParseUint(f, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("a netlist has the line %q", s.Text())
			}
			list = append(list, lit(n))
		}
		if len(list) < least {
			return nil, fmt.Errorf("a netlist has the line %q", s.Text())
		}
		return list, nil
	}
	if !s.Scan() {
		return nil, fmt.Errorf("an empty netlist")
	}
	var most, inputs, latches, outputs, ands int
	if _, err := fmt.Sscanf(s.Text(), "aag %d %d %d %d %d", &most, &inputs, &latches, &outputs, &ands); err != nil {
		return nil, fmt.Errorf("a netlist begins with %q", s.Text())
	}
	g := &aig{vars: most + 1, inputNames: make([]string, inputs), latchNames: make([]string, latches), outputNames: make([]string, outputs)}
	for range inputs {
		l, err := line(1)
		if err != nil {
			return nil, err
		}
		g.inputs = append(g.inputs, l[0])
	}
	for range latches {
		l, err := line(2)
		if err != nil {
			return nil, err
		}
		g.latches = append(g.latches, latch{l[0], l[1], append(l, 0)[2]})
	}
	for range outputs {
		l, err := line(1)
		if err != nil {
			return nil, err
		}
		g.outputs = append(g.outputs, l[0])
	}
	for range ands {
		l, err := line(3)
		if err != nil {
			return nil, err
		}
		g.ands = append(g.ands, and{l[0], l[1], l[2]})
	}
	for s.Scan() && s.Text() != "c" {
		of, name, _ := strings.Cut(s.Text(), " ")
		n, err := strconv.Atoi(of[1:])
		list := map[byte][]string{'i': g.inputNames, 'l': g.latchNames, 'o': g.outputNames}[of[0]]
		if err != nil || n >= len(list) {
			return nil, fmt.Errorf("a netlist has the symbol %q", s.Text())
		}
		list[n] = name
	}
	return g, s.Err()
}

// builder makes a netlist in which no two gates do the same.
type builder struct {
	next    lit
	gates   map[[2]lit]lit
	order   []and
	inputs  []lit
	latches []latch
}

func newBuilder() *builder { return &builder{next: 2, gates: map[[2]lit]lit{}} }

func (b *builder) fresh() lit {
	b.next += 2
	return b.next - 2
}

func (b *builder) and(x, y lit) lit {
	if x > y {
		x, y = y, x
	}
	switch {
	case x == 0 || x == y.not():
		return 0
	case x == 1 || x == y:
		return y
	}
	if l, is := b.gates[[2]lit{x, y}]; is {
		return l
	}
	l := b.fresh()
	b.gates[[2]lit{x, y}] = l
	b.order = append(b.order, and{l, x, y})
	return l
}

func (b *builder) or(x, y lit) lit { return b.and(x.not(), y.not()).not() }

// behind marks what an output depends on. Registers that are free may have any value in any clock.
func (b *builder) behind(output lit, free map[lit]bool) []bool {
	needed := make([]bool, b.next/2)
	needed[output>>1] = true
	for more := true; more; {
		more = false
		for i := len(b.order) - 1; i >= 0; i-- {
			if g := b.order[i]; needed[g.is>>1] {
				needed[g.a>>1], needed[g.b>>1] = true, true
			}
		}
		for _, l := range b.latches {
			if needed[l.is>>1] && !needed[l.next>>1] && !free[l.is] {
				needed[l.next>>1], more = true, true
			}
		}
	}
	return needed
}

// binary is what an output depends on, as AIGER's binary format has it: inputs first, then registers, then gates.
func (b *builder) binary(output lit, free map[lit]bool) []byte {
	needed := b.behind(output, free)
	number := map[lit]lit{0: 0}
	var inputs, latches, ands int
	give := func(l lit, count *int) {
		if needed[l>>1] {
			number[l] = lit(2 * len(number))
			*count++
		}
	}
	for _, l := range b.inputs {
		give(l, &inputs)
	}
	for _, l := range b.latches {
		if free[l.is] {
			give(l.is, &inputs)
		}
	}
	for _, l := range b.latches {
		if !free[l.is] {
			give(l.is, &latches)
		}
	}
	for _, g := range b.order {
		give(g.is, &ands)
	}
	as := func(l lit) lit { return number[l&^1].of(l) }
	var out bytes.Buffer
	fmt.Fprintf(&out, "aig %d %d %d 1 %d\n", len(number)-1, inputs, latches, ands)
	for _, l := range b.latches {
		if needed[l.is>>1] && !free[l.is] {
			fmt.Fprintf(&out, "%d\n", as(l.next))
		}
	}
	fmt.Fprintf(&out, "%d\n", as(output))
	for _, g := range b.order {
		if !needed[g.is>>1] {
			continue
		}
		x, y := as(g.a), as(g.b)
		if x < y {
			x, y = y, x
		}
		for _, delta := range []lit{as(g.is) - x, x - y} {
			for ; delta >= 0x80; delta >>= 7 {
				out.WriteByte(byte(delta) | 0x80)
			}
			out.WriteByte(byte(delta))
		}
	}
	return out.Bytes()
}
