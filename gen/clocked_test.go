package gen_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// clocked is one block, started from random state and reset, for tests that set and read its pins cycle by cycle.
type clocked struct {
	t       testing.TB
	sim     *sim.Sim
	inputs  map[string]sim.Input
	signals map[string]sim.Signal
}

func openClocked[P any](t testing.TB, block hdl.Block[P]) *clocked {
	t.Helper()
	d, err := hdl.Compile(block)
	require.NoError(t, err)
	s, err := sim.New(d, sim.RandomInit(1))
	require.NoError(t, err)
	c := &clocked{t: t, sim: s, inputs: map[string]sim.Input{}, signals: map[string]sim.Signal{}}
	for _, p := range d.Ports() {
		c.signals[p.Name], err = s.Signal(p.Name)
		require.NoError(t, err)
		if !p.Out {
			c.inputs[p.Name], err = s.Input(p.Name)
			require.NoError(t, err)
			c.inputs[p.Name].Set(0)
		}
	}
	s.Reset(2)
	return c
}

func (c *clocked) set(name string, v uint64) { c.input(name).Set(v) }

func (c *clocked) setBig(name string, v *big.Int) {
	words := make([]uint64, (v.BitLen()+63)/64)
	for i := range words {
		words[i] = new(big.Int).Rsh(v, uint(64*i)).Uint64()
	}
	c.input(name).SetWords(words)
}

func (c *clocked) input(name string) sim.Input {
	in, is := c.inputs[name]
	if !is {
		require.Fail(c.t, "there is no input "+name)
	}
	return in
}

// get returns the value of a port at the next clock edge.
func (c *clocked) get(name string) uint64 {
	s, is := c.signals[name]
	if !is {
		require.Fail(c.t, "there is no port "+name)
	}
	c.sim.Eval()
	return s.Get()
}

func (c *clocked) getBig(name string) *big.Int {
	s, is := c.signals[name]
	if !is {
		require.Fail(c.t, "there is no port "+name)
	}
	c.sim.Eval()
	words, v := make([]uint64, (s.Width+63)/64), new(big.Int)
	s.GetWords(words)
	for i, w := range words {
		v.Or(v, new(big.Int).Lsh(new(big.Int).SetUint64(w), uint(64*i)))
	}
	return v
}
