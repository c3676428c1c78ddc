package aig

import (
	"bytes"
	"fmt"
	"slices"
)

// Builder builds a netlist without equivalent gates, in which all registers start with 0.
type Builder struct {
	next      Lit
	gates     map[[2]Lit]Lit
	order     []And
	inputs    []Lit
	registers []Lit
	becomes   map[Lit]Lit
}

// NewBuilder returns an empty netlist.
func NewBuilder() *Builder {
	return &Builder{next: 2, gates: map[[2]Lit]Lit{}, becomes: map[Lit]Lit{}}
}

func (b *Builder) fresh() Lit {
	b.next += 2
	return b.next - 2
}

// Input adds an input.
func (b *Builder) Input() Lit {
	l := b.fresh()
	b.inputs = append(b.inputs, l)
	return l
}

// Register adds a register, which is constant 0 until Set defines its next value.
func (b *Builder) Register() Lit {
	l := b.fresh()
	b.registers = append(b.registers, l)
	return l
}

// Set defines the next value of a register.
func (b *Builder) Set(register, next Lit) { b.becomes[register] = next }

// Starting adds a register that starts with first instead of 0: value is its value, raw the register to pass to Set. started is 0 in
// the first cycle only.
func (b *Builder) Starting(started, first Lit) (raw, value Lit) {
	raw = b.Register()
	return raw, b.Or(b.And(started, raw), b.And(started.Not(), first))
}

// Copy adds the gates of a netlist: values holds its inputs and registers, by variable, and receives all others.
func (b *Builder) Copy(n *Netlist, values []Lit) {
	for _, g := range n.Ands {
		values[g.Is>>1] = b.And(values[g.A>>1].As(g.A), values[g.B>>1].As(g.B))
	}
}

// And is the conjunction.
func (b *Builder) And(x, y Lit) Lit {
	if x > y {
		x, y = y, x
	}
	switch {
	case x == 0 || x == y.Not():
		return 0
	case x == 1 || x == y:
		return y
	}
	if l, is := b.gates[[2]Lit{x, y}]; is {
		return l
	}
	l := b.fresh()
	b.gates[[2]Lit{x, y}] = l
	b.order = append(b.order, And{l, x, y})
	return l
}

// Or is the disjunction.
func (b *Builder) Or(x, y Lit) Lit { return b.And(x.Not(), y.Not()).Not() }

// Xor is the exclusive or.
func (b *Builder) Xor(x, y Lit) Lit { return b.Or(b.And(x, y.Not()), b.And(x.Not(), y)) }

// behind marks the variables that an output depends on.
func (b *Builder) behind(output Lit, free map[Lit]bool) []bool {
	needed := make([]bool, b.next/2)
	needed[output>>1] = true
	for more := true; more; {
		more = false
		for i := len(b.order) - 1; i >= 0; i-- {
			if g := b.order[i]; needed[g.Is>>1] {
				needed[g.A>>1], needed[g.B>>1] = true, true
			}
		}
		for _, r := range b.registers {
			if next := b.becomes[r]; needed[r>>1] && !needed[next>>1] && !free[r] {
				needed[next>>1], more = true, true
			}
		}
	}
	return needed
}

// cone is the part of the netlist that an output depends on.
type cone struct {
	inputs, registers []Lit
	ands              []And
}

func (b *Builder) cone(output Lit, free map[Lit]bool) (c cone) {
	needed := b.behind(output, free)
	for _, l := range b.inputs {
		if needed[l>>1] {
			c.inputs = append(c.inputs, l)
		}
	}
	for _, l := range b.registers {
		switch {
		case !needed[l>>1]:
		case free[l]:
			c.inputs = append(c.inputs, l)
		default:
			c.registers = append(c.registers, l)
		}
	}
	for _, g := range b.order {
		if needed[g.Is>>1] {
			c.ands = append(c.ands, g)
		}
	}
	return c
}

// Inputs are the inputs of Binary, in its order.
func (b *Builder) Inputs(output Lit, free map[Lit]bool) []Lit { return b.cone(output, free).inputs }

// Binary is the cone of an output in AIGER's binary format: inputs first, then registers, then gates. A free register is an input: it
// may have any value in any cycle.
func (b *Builder) Binary(output Lit, free map[Lit]bool) []byte {
	c := b.cone(output, free)
	number := map[Lit]Lit{0: 0}
	give := func(l Lit) { number[l] = Lit(2 * len(number)) }
	for _, l := range slices.Concat(c.inputs, c.registers) {
		give(l)
	}
	for _, g := range c.ands {
		give(g.Is)
	}
	as := func(l Lit) Lit { return number[l&^1].As(l) }
	var out bytes.Buffer
	fmt.Fprintf(&out, "aig %d %d %d 1 %d\n", len(number)-1, len(c.inputs), len(c.registers), len(c.ands))
	for _, l := range c.registers {
		fmt.Fprintf(&out, "%d\n", as(b.becomes[l]))
	}
	fmt.Fprintf(&out, "%d\n", as(output))
	for _, g := range c.ands {
		x, y := as(g.A), as(g.B)
		if x < y {
			x, y = y, x
		}
		for _, delta := range []Lit{as(g.Is) - x, x - y} {
			for ; delta >= 0x80; delta >>= 7 {
				out.WriteByte(byte(delta) | 0x80)
			}
			out.WriteByte(byte(delta))
		}
	}
	return out.Bytes()
}
