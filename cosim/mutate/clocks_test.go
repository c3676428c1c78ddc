package mutate

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
)

var update = flag.Bool("update", false, "write testdata/clocks.json")

// The hardware takes the clocks that are committed: to the clock, in every test.
func TestClocks(t *testing.T) {
	var all []clocksOfConfig
	for _, c := range Configs() {
		d, err := gen.Compile(c)
		require.NoError(t, err)
		list, err := stages(c)
		require.NoError(t, err)
		one := clocksOfConfig{Config: c, Clocks: map[string][]uint64{}}
		for _, st := range list {
			clean := hardware(c, d)
			clean.Wrap = func(e engine.Engine) (engine.Engine, error) { return e, e.Reset(selectClocks) }
			clocks, err := st.run(clean, func(int) {})
			require.NoError(t, err, st.name)
			if !*update {
				assert.Equal(t, clocksOf(c)[st.name], clocks, "%s: the clocks have changed; if that is meant: go test ./cosim/mutate -run Clocks -update", st.name)
			}
			one.Clocks[st.name] = clocks
		}
		all = append(all, one)
	}
	if *update {
		text, err := json.Marshal(all)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("testdata/clocks.json", append(text, '\n'), 0o644))
	}
}
