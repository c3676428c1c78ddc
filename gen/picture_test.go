package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// pins are the values of inputs, one per cycle. An input keeps its last value; inputs not listed are 0.
type pins map[string][]uint64

// picture draws the waveforms of a block's signals from the end of reset.
func picture[P any](t *testing.T, block hdl.Block[P], cycles int, inputs pins, signals ...string) string {
	t.Helper()
	d, err := hdl.Compile(block)
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	s.Reset(1)
	w, err := sim.NewWave(s, signals...)
	require.NoError(t, err)
	for clock := range cycles {
		for name, values := range inputs {
			in, err := s.Input(name)
			require.NoError(t, err)
			in.Set(values[min(clock, len(values)-1)])
		}
		s.Step()
	}
	return "\n" + w.String()
}
