package mutate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

func compile(t *testing.T) *hdl.Design {
	t.Helper()
	c := gen.Default()
	c.Streams, c.STags = 4, 64
	d, err := gen.Compile(c)
	require.NoError(t, err)
	return d
}

// Every block has mutants, every kind of mutation occurs, and each mutant differs from the original text, at a position that a
// reader can find.
func TestEveryMutantChangesText(t *testing.T) {
	d := compile(t)
	s, err := mutate.New(d, mutate.Options{Limit: 100, Seed: 3})
	require.NoError(t, err)
	written := map[string]string{}
	parts := d.Modules()
	for i, f := range d.Specialised() {
		written[parts[i].Name()] = f.Text
	}
	blocks, every := map[string]int{}, 16
	if testing.Short() {
		every = 48
	}
	for i, m := range s.Mutants {
		blocks[m.Block]++
		assert.Equal(t, i+1, m.Number)
		assert.Positive(t, m.Line, "%+v", m)
		assert.True(t, strings.HasSuffix(m.File, ".go"), "%+v", m)
		if i%every > 0 { // a sample: to print takes long
			continue
		}
		text := s.Text(m)
		assert.NotEqual(t, written[m.Module], text, "%+v", m)
		where := s.Difference(m)
		assert.NotEqual(t, where.Before, where.After, "%+v", m)
	}
	for _, part := range parts {
		block := part.Top()
		assert.Equal(t, min(100, s.Available[block]), blocks[block], block)
		assert.NotZero(t, blocks[block], block)
	}
	all, err := mutate.New(d, mutate.Options{Seed: 3}) // some kinds are rare
	require.NoError(t, err)
	kinds := map[mutate.Kind]int{}
	for _, m := range all.Mutants {
		kinds[m.Kind]++
	}
	for _, k := range mutate.Kinds {
		assert.NotZero(t, kinds[k], k)
	}
	again, err := mutate.New(compile(t), mutate.Options{Limit: 100, Seed: 3})
	require.NoError(t, err)
	for i := range s.Mutants {
		a, b := s.Mutants[i], again.Mutants[i]
		assert.Equal(t, [...]any{a.Module, a.Place, a.Change}, [...]any{b.Module, b.Place, b.Change})
	}
	other, err := mutate.New(compile(t), mutate.Options{Limit: 100, Seed: 4})
	require.NoError(t, err)
	same := 0
	for i := range s.Mutants {
		if a, b := s.Mutants[i], other.Mutants[i]; a.Place == b.Place && a.Change == b.Change {
			same++
		}
	}
	assert.Less(t, same, len(s.Mutants)/2, "another seed selects other mutants")
}

// The mutants of a block do not depend on the other selected blocks.
func TestBlockByItself(t *testing.T) {
	choose := func(blocks ...string) (list [][3]string) {
		wants := func(block string) bool { return slices.Contains(blocks, block) }
		s, err := mutate.New(compile(t), mutate.Options{Limit: 20, Seed: 3, Wants: wants})
		require.NoError(t, err)
		for _, m := range s.Mutants {
			if m.Block == "request_order" {
				list = append(list, [...]string{m.Module, m.Place, m.Change})
			}
		}
		return list
	}
	alone := choose("request_order")
	assert.Len(t, alone, 20)
	assert.Equal(t, alone, choose("rx_check", "request_order"))
}

// The original design is not modified, and a design without mutants gains only the input.
func TestDesignIsLeftAlone(t *testing.T) {
	d := compile(t)
	before := d.Specialised()
	s, err := mutate.New(d, mutate.Options{Wants: func(block string) bool { return block == "merge" }, Seed: 1})
	require.NoError(t, err)
	assert.Equal(t, before, d.Specialised())
	assert.Equal(t, s.Available["merge"], len(s.Mutants))
	for i, f := range s.Design.Specialised() {
		if strings.HasPrefix(f.Name, "merge_") {
			assert.Contains(t, f.Text, "mutant == ")
		} else {
			assert.NotContains(t, f.Text, "mutant == ")
		}
		assert.Equal(t, before[i].Name, f.Name)
	}
	ports := s.Design.Ports()
	assert.Equal(t, "mutant", ports[len(ports)-1].Name)
	assert.Len(t, ports, len(d.Ports())+1)
}

// pathPorts has a path through it from a to x, and none from b to y.
type pathPorts struct {
	A, B hdl.In
	X, Y hdl.Out
}

// Pins are swapped unless the swap would create a combinational loop.
func TestNoMutantLoops(t *testing.T) {
	paths := hdl.Block[pathPorts]{Kind: "two_paths", Doc: "two_paths.", Ports: pathPorts{hdl.NewIn(1), hdl.NewIn(1), hdl.NewOut(1), hdl.NewOut(1)},
		Build: func(m *hdl.Module, p pathPorts) {
			held := m.Reg("held_q", 1, hdl.ResetTo(0))
			m.OnClock(held.Set(p.B.Value))
			m.Drive(p.X, p.A.Value.Not())
			m.Drive(p.Y, held.Value)
		}}
	top := func(loops bool) hdl.Block[pathPorts] {
		return hdl.Block[pathPorts]{Kind: "top", Doc: "top.", Ports: paths.Ports, Build: func(m *hdl.Module, p pathPorts) {
			x, y := m.Wire("x_wire", 1), m.Wire("y_wire", 1)
			b := p.B.Value
			if loops {
				b = x.Value // must not be combined with a, which leads to x
			}
			hdl.Instance(m, "paths", paths, pathPorts{A: p.A, B: b.In(), X: x.Out(), Y: y.Out()})
			m.Unused("of no use here", p.B.Value)
			m.Drive(p.X, x.Value)
			m.Drive(p.Y, y.Value)
		}}
	}
	for _, loops := range []bool{false, true} {
		d, err := hdl.Compile(top(loops))
		require.NoError(t, err)
		s, err := mutate.New(d, mutate.Options{Seed: 1})
		require.NoError(t, err)
		found := 0
		for _, m := range s.Mutants {
			if m.Kind == mutate.Port {
				found++
			}
		}
		assert.Equal(t, map[bool]int{false: 1, true: 0}[loops], found)
	}
}
