package mutate

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

var update = flag.Bool("update", false, "write what is committed anew")

// The hardware does in every clock of every test what is committed.
func TestTraces(t *testing.T) {
	var all []tracesOfConfig
	for _, c := range Configs() {
		d, err := gen.Compile(c)
		require.NoError(t, err)
		list, err := stages(c)
		require.NoError(t, err)
		one := tracesOfConfig{Config: c, Traces: map[string]trace{}}
		for _, st := range list {
			have, err := st.trace(t.Context(), hardware(c, d), 0, endless)
			require.NoError(t, err, st.name)
			if !*update {
				assert.True(t, tracesOf(c)[st.name].equal(have), "%s: the trace has changed; if that is meant: go test ./cosim/mutate -run Traces -update", st.name)
			}
			one.Traces[st.name] = have
		}
		all = append(all, one)
	}
	if *update {
		text, err := json.Marshal(all)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("testdata/traces.json", append(text, '\n'), 0o644))
	}
}
