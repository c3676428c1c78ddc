package sim

import (
	"encoding/binary"
	"math/big"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Nodes that have no operation: their words are set from outside the instruction list.
const (
	input ir.Op = 100 + iota
	state
)

// node is a value of the flattened design. Nodes of one graph are unique.
type node struct {
	op    ir.Op
	width int
	args  []*node
	value []uint64 // Const
	lo    int      // Slice
	group int      // Replicate
	id    int
}

func (n *node) words() int { return (n.width + 63) / 64 }

func (n *node) isConst() bool { return n.op == ir.Const }

// isValue reports whether n is the constant v of at most 64 bits, of any width.
func (n *node) isValue(v uint64) bool {
	if n.op != ir.Const || n.value[0] != v {
		return false
	}
	for _, w := range n.value[1:] {
		if w != 0 {
			return false
		}
	}
	return true
}

func (n *node) isOnes() bool {
	if n.op != ir.Const {
		return false
	}
	last := len(n.value) - 1
	for _, w := range n.value[:last] {
		if w != ^uint64(0) {
			return false
		}
	}
	return n.value[last] == topMask(n.width)
}

// topMask covers the used bits of the highest word of a value.
func topMask(width int) uint64 { return ^uint64(0) >> ((64 - width%64) % 64) }

// graph creates nodes, each once.
type graph struct {
	known map[string]*node
	count int
}

func newGraph() *graph { return &graph{known: map[string]*node{}} }

// fresh creates a node that is distinct from all others.
func (g *graph) fresh(op ir.Op, width int) *node {
	g.count++
	return &node{op: op, width: width, id: g.count}
}

// unique returns the existing node that is identical to n, or n.
func (g *graph) unique(n *node) *node {
	key := make([]byte, 0, 64)
	put := func(v int) { key = binary.AppendUvarint(key, uint64(v)) }
	put(int(n.op))
	put(n.width)
	put(n.lo)
	put(n.group)
	for _, a := range n.args {
		put(a.id)
	}
	for _, v := range n.value {
		key = binary.LittleEndian.AppendUint64(key, v)
	}
	if old := g.known[string(key)]; old != nil {
		return old
	}
	g.count++
	n.id = g.count
	g.known[string(key)] = n
	return n
}

// number is a constant.
func (g *graph) number(width int, words ...uint64) *node {
	n := &node{op: ir.Const, width: width, value: make([]uint64, (width+63)/64)}
	copy(n.value, words)
	n.value[len(n.value)-1] &= topMask(width)
	return g.unique(n)
}

func (g *graph) big(width int, v *big.Int) *node { return g.number(width, bigWords(v)...) }

func bigWords(v *big.Int) []uint64 {
	var out []uint64
	mask := new(big.Int).SetUint64(^uint64(0))
	for rest := new(big.Int).Set(v); rest.Sign() > 0; rest.Rsh(rest, 64) {
		out = append(out, new(big.Int).And(rest, mask).Uint64())
	}
	return out
}
