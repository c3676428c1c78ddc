package sequence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

// A walk begins with reset, is the same from the same seed, and leaves an offer as it is until it is taken.
func TestWalk(t *testing.T) {
	p := player(t)
	in := mutate.AloneStream{Steady: true}
	in.Name, in.Sink, in.Valid, in.Ready, in.Fields = "in", true, "in_valid", "in_ready", []string{"in_wide"}
	waited, taken, values := 0, 0, map[string]bool{}
	for seed := range uint64(20) {
		inputs, err := p.Walk([]mutate.AloneStream{in}, 500, seed)
		require.NoError(t, err)
		again, err := p.Walk([]mutate.AloneStream{in}, 500, seed)
		require.NoError(t, err)
		require.Equal(t, inputs, again)
		s, err := p.Record(inputs)
		require.NoError(t, err)
		require.Len(t, s, 500)
		at := state{}
		for clock, now := range s {
			before := at.copy()
			at.change(now)
			assert.Equal(t, clock == 0, at["rst"] == "1")
			values[at["in_wide"]] = true
			if clock < 2 || before["in_valid"] != "1" {
				continue
			}
			if before["in_ready"] == "1" {
				taken++
				continue
			}
			waited++
			assert.Equal(t, before["in_wide"]+"1", at["in_wide"]+at["in_valid"], "clock %d", clock)
		}
	}
	assert.Greater(t, waited, 500)
	assert.Greater(t, taken, 500)
	assert.Greater(t, len(values), 20)
}

// state is the latest value of each port.
type state map[string]string

func (s state) change(now sequence.Clock) {
	for _, list := range []map[string]string{now.In, now.Out} {
		for name, value := range list {
			s[name] = value
		}
	}
}

func (s state) copy() state {
	out := state{}
	out.change(sequence.Clock{In: s})
	return out
}
