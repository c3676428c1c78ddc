package sequence_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

type word struct{ Wide hdl.Value }

type ports struct {
	In    hdl.Sink[word]
	Out   hdl.Source[word]
	Count hdl.Out `doc:"beats taken"`
}

// counter passes beats of 72 bits and counts them.
func counter() hdl.Block[ports] {
	proto := func() word { return word{hdl.Bits(72)} }
	return hdl.Block[ports]{
		Kind: "counter", Doc: "counter passes beats on and counts them.",
		Ports: ports{In: hdl.NewSink(proto()), Out: hdl.NewSource(proto()), Count: hdl.NewOut(4)},
		Build: func(m *hdl.Module, p ports) {
			count := m.Reg("count_q", 4, hdl.ResetTo(5))
			m.OnClock(hdl.If(p.In.Valid.And(p.Out.Ready), count.Set(count.Add(hdl.Const(4, 1)))))
			p.In.Accept(m, p.Out.Ready)
			p.Out.Drive(m, p.In.Valid, p.In.Data)
			m.Drive(p.Count, count.Value)
		},
	}
}

// player plays the counter and all its mutants.
func player(t *testing.T) (*sequence.Player, []mutate.Mutant) {
	t.Helper()
	d, err := hdl.Compile(counter())
	require.NoError(t, err)
	s, err := mutate.New(d, mutate.Options{Seed: 1})
	require.NoError(t, err)
	a, err := s.Alone("counter", s.Mutants)
	require.NoError(t, err)
	p, err := sequence.New(a)
	require.NoError(t, err)
	return p, s.Mutants
}

// A mutant is distinguished in the first cycle with a visible difference: differences during the first reset, or on a stream
// without valid, do not count.
func TestDiffers(t *testing.T) {
	p, mutants := player(t)
	one, wide := big.NewInt(1), new(big.Int).Lsh(big.NewInt(0xab), 64)
	taken := map[string]*big.Int{"in_wide": wide, "in_valid": one, "out_ready": one}
	s, err := p.Record(sequence.Inputs{Clocks: []map[string]*big.Int{{"rst": one, "in_wide": wide}, {"in_wide": wide}, taken, {}}})
	require.NoError(t, err)
	assert.Equal(t, 4, s.Clocks())
	quiet, err := p.Record(sequence.Inputs{Clocks: []map[string]*big.Int{{"rst": one}, {}, {}, {}}})
	require.NoError(t, err)
	told, places := 0, map[string]int{}
	for _, m := range mutants {
		clock, port := p.Differs(s, mutate.SelectOf(m))
		if port != "" {
			told++
			places[m.Place+" "+m.Change] = clock
			assert.Positive(t, clock)
		}
		if _, port := p.Differs(quiet, mutate.SelectOf(m)); port != "" {
			assert.NotEqual(t, "out_wide", port)
		}
	}
	assert.Greater(t, told, 5)
	assert.Less(t, told, len(mutants))
	_, port := p.Differs(s, "")
	assert.Empty(t, port)
	t.Log(places)

	ones, err := p.Record(sequence.Inputs{Ones: true, Clocks: []map[string]*big.Int{{}, {}}}) // without a reset
	require.NoError(t, err)
	_, port = p.Differs(ones, "")
	assert.Empty(t, port)

	_, err = p.Record(sequence.Inputs{Clocks: []map[string]*big.Int{{"none": one}}})
	assert.EqualError(t, err, `clock 0 of a sequence names the input "none", which counter does not have; allowed: [in_valid in_wide out_ready rst]`)
}
