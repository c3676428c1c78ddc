package sim

import "github.com/rnicgen/rnicgen/hdl/internal/ir"

// opcode is the operation of an instruction; see run.go.
type opcode uint8

const (
	opCopy opcode = iota
	opNot
	opAnd
	opOr
	opXor
	opAdd
	opSub
	opEq
	opNe
	opLt
	opLe
	opShl
	opShr
	opMux
	opAll
	opAny
	opParity
	opSlice
	opSlice2
	opJoin
	opSpread1
	opReverse
	opInsert

	wideCopy
	wideNot
	wideAnd
	wideOr
	wideXor
	wideAdd
	wideSub
	wideEq
	wideNe
	wideLt
	wideLe
	wideShl
	wideShr
	wideMux
	wideAll
	wideAny
	wideParity
	wideSlice
	wideSpread1
	wideSpread
	wideSpread8
	wideReverse
	widePut
)

// instr is one instruction. d, a, b and c are word indices, n a number of words; the rest depends on the opcode.
type instr struct {
	op         opcode
	sh         uint8
	n          uint32
	d, a, b, c uint32
	k          uint64
}

// program is an instruction list with its words.
type program struct {
	words []uint64
	code  []instr
	slots map[*node]int
	wish  map[*node]int // where the value of a node should be placed
}

// newProgram adds one word to those reserved, because a slice may read the word after a value.
func newProgram() *program {
	return &program{words: make([]uint64, 1), slots: map[*node]int{}, wish: map[*node]int{}}
}

// alloc reserves words.
func (p *program) alloc(words int) int {
	slot := len(p.words) - 1
	p.words = append(p.words, make([]uint64, words)...)
	return slot
}

// result reserves the words of a node's value.
func (p *program) result(n *node) int {
	slot, wished := p.wish[n]
	if !wished {
		slot = p.alloc(n.words())
	}
	p.slots[n] = slot
	return slot
}

var narrowOps = map[ir.Op]opcode{ir.Not: opNot, ir.And: opAnd, ir.Or: opOr, ir.Xor: opXor, ir.Add: opAdd, ir.Sub: opSub,
	ir.Eq: opEq, ir.Ne: opNe, ir.Lt: opLt, ir.Le: opLe, ir.ShiftLeft: opShl, ir.ShiftRight: opShr, ir.ReduceAnd: opAll,
	ir.ReduceOr: opAny, ir.ReduceXor: opParity, ir.ReverseOctets: opReverse}

var wideOps = map[ir.Op]opcode{ir.Not: wideNot, ir.And: wideAnd, ir.Or: wideOr, ir.Xor: wideXor, ir.Add: wideAdd, ir.Sub: wideSub,
	ir.Eq: wideEq, ir.Ne: wideNe, ir.Lt: wideLt, ir.Le: wideLe, ir.ShiftLeft: wideShl, ir.ShiftRight: wideShr, ir.ReduceAnd: wideAll,
	ir.ReduceOr: wideAny, ir.ReduceXor: wideParity, ir.ReverseOctets: wideReverse}

// emit appends the instructions for n and its operands, and returns the place of its value.
func (p *program) emit(n *node) int {
	if slot, done := p.slots[n]; done {
		return slot
	}
	switch n.op {
	case ir.Const:
		slot := p.result(n)
		copy(p.words[slot:], n.value)
		return slot
	case input, state:
		return p.result(n)
	case ir.Slice:
		return p.emitSlice(n)
	case ir.Concat:
		return p.emitConcat(n)
	}
	a := make([]uint32, 3)
	for i, arg := range n.args {
		a[i] = uint32(p.emit(arg))
	}
	in := instr{a: a[0], b: a[1], c: a[2], k: topMask(n.width), n: uint32(n.words())}
	wide := n.width > 64
	switch n.op {
	case ir.Mux:
		in.op, in.a, in.b, in.c = opMux, a[1], a[2], a[0]
		if wide {
			in.op = wideMux
		}
	case ir.Replicate:
		switch {
		case n.args[0].width > 1:
			in.op, in.b, in.c = wideSpread, uint32(n.args[0].width), uint32(n.group)
			if n.group == 8 {
				in.op = wideSpread8
			}
		case wide:
			in.op = wideSpread1
		default:
			in.op = opSpread1
		}
	default:
		operand := n.args[0].width
		in.op = narrowOps[n.op]
		if operand > 64 {
			in.op, in.n = wideOps[n.op], uint32(n.args[0].words())
		}
		switch n.op {
		case ir.ReduceAnd:
			in.k = topMask(operand)
		case ir.ReverseOctets:
			in.sh = uint8((64 - operand%64) % 64)
		}
	}
	in.d = uint32(p.result(n))
	p.code = append(p.code, in)
	return int(in.d)
}

// emitSlice needs no instruction for whole words, since the bits above a value are 0.
func (p *program) emitSlice(n *node) int {
	a := n.args[0]
	slot := p.emit(a)
	word, sh := n.lo/64, n.lo%64
	if sh == 0 && (n.width%64 == 0 || n.lo+n.width == a.width) {
		p.slots[n] = slot + word
		return slot + word
	}
	in := instr{op: opSlice, sh: uint8(sh), a: uint32(slot + word), k: topMask(n.width), n: uint32(n.words())}
	switch {
	case n.width > 64:
		in.op = wideSlice
	case sh+n.width > 64:
		in.op = opSlice2
	}
	in.d = uint32(p.result(n))
	p.code = append(p.code, in)
	return int(in.d)
}

// emitConcat needs no instruction to prepend zeros to a value that fits into one word.
func (p *program) emitConcat(n *node) int {
	if n.width > 64 {
		return p.emitWideConcat(n)
	}
	acc, low := -1, 0 // the join so far and the lowest bit it has
	base := n.width
	for i, part := range n.args {
		base -= part.width
		slot := p.emit(part)
		if part.isValue(0) {
			continue
		}
		if acc < 0 {
			acc, low = slot, base
			continue
		}
		acc = p.join(n, acc, slot, low-base, base == 0 && i == len(n.args)-1)
		low = base
	}
	switch {
	case acc < 0:
		acc = p.alloc(1)
	case low > 0:
		acc = p.join(n, acc, p.emit(zero), low, true)
	}
	p.slots[n] = acc
	return acc
}

// zero is the constant 0.
var zero = &node{op: ir.Const, width: 64, value: []uint64{0}}

func (p *program) join(n *node, high, low, sh int, last bool) int {
	d := 0
	if last {
		d = p.result(n)
	} else {
		d = p.alloc(1)
	}
	p.code = append(p.code, instr{op: opJoin, d: uint32(d), a: uint32(high), b: uint32(low), sh: uint8(sh)})
	return d
}

// emitWideConcat writes the parts from the lowest to the highest, so that the part which reaches a word
// first clears it.
func (p *program) emitWideConcat(n *node) int {
	from := make([]int, len(n.args))
	for i, part := range n.args {
		from[i] = p.emit(part)
	}
	d := p.result(n)
	at := 0
	for i := len(n.args) - 1; i >= 0; i-- {
		part := n.args[i]
		word, sh := at/64, at%64
		in := instr{d: uint32(d + word), a: uint32(from[i]), sh: uint8(sh)}
		switch {
		case sh+part.width > 64:
			in.op, in.n, in.c = widePut, uint32(part.words()), uint32((sh+part.width-1)/64)
		case sh == 0:
			in.op = opCopy
		default:
			in.op = opInsert
		}
		if in.op != opInsert || !part.isValue(0) {
			p.code = append(p.code, in)
		}
		at += part.width
	}
	return d
}
