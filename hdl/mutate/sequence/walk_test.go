package sequence_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// A walk begins with reset, is reproducible from its seed, and keeps an offered beat unchanged until it is accepted.
func TestWalk(t *testing.T) {
	p, _ := player(t)
	in := mutate.AloneStream{Steady: true}
	in.Name, in.Sink, in.Valid, in.Ready, in.Fields = "in", true, "in_valid", "in_ready", []string{"in_wide"}
	waited, taken, values := 0, 0, map[string]bool{}
	for seed := range uint64(20) {
		inputs, err := p.Walk([]mutate.AloneStream{in}, 500, seed)
		require.NoError(t, err)
		again, err := p.Walk([]mutate.AloneStream{in}, 500, seed)
		require.NoError(t, err)
		require.Equal(t, inputs, again)
		require.Len(t, inputs.Clocks, 500)
		is := func(clock int, port string) bool { return inputs.Clocks[clock][port].Cmp(big.NewInt(1)) == 0 }
		for clock, now := range inputs.Clocks {
			assert.Equal(t, clock == 0, is(clock, "rst"))
			values[now["in_wide"].Text(16)] = true
			if clock < 2 || !is(clock-1, "in_valid") {
				continue
			}
			if is(clock-1, "out_ready") { // the counter is ready exactly if its output is
				taken++
				continue
			}
			waited++
			assert.True(t, is(clock, "in_valid"))
			assert.Equal(t, inputs.Clocks[clock-1]["in_wide"], now["in_wide"], "clock %d", clock)
		}
	}
	assert.Greater(t, waited, 500)
	assert.Greater(t, taken, 500)
	assert.Greater(t, len(values), 20)
}
