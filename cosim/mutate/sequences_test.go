package mutate

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

// Every module does on its sequences what is committed.
func TestSequences(t *testing.T) {
	names, err := sequenced()
	require.NoError(t, err)
	require.NotEmpty(t, names)
	played := map[string]bool{}
	for _, c := range Configs() {
		d, err := gen.Compile(c)
		require.NoError(t, err)
		set, err := mutate.New(d, mutate.Options{Wants: func(string) bool { return false }})
		require.NoError(t, err)
		for _, m := range d.Modules() {
			list, err := sequencesOf(m.Name())
			require.NoError(t, err)
			if len(list) == 0 || played[m.Name()] {
				continue
			}
			played[m.Name()] = true
			alone, err := set.Alone(m.Name(), nil)
			require.NoError(t, err)
			player, err := sequence.New(alone)
			require.NoError(t, err)
			for i, s := range list {
				if *update {
					inputs, err := player.Inputs(s)
					require.NoError(t, err)
					list[i], err = player.Record(inputs)
					require.NoError(t, err)
					continue
				}
				clock, port, err := player.Differs(s, "")
				require.NoError(t, err)
				assert.Empty(t, port, "%s, sequence %d, clock %d: if that is meant: go test ./cosim/mutate -run Sequences -update", m.Name(), i, clock)
			}
			if *update {
				require.NoError(t, writeSequences(filepath.FromSlash(sequencesDir), m.Name(), list))
			}
		}
	}
	for _, name := range names {
		assert.True(t, played[name], "there are sequences of %s, and no such module", name)
	}
}
