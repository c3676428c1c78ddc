package gen_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/gen"
)

// Any text is rejected, or yields a valid configuration that survives writing and reading.
func FuzzReadConfig(f *testing.F) {
	for _, text := range []string{"", "top: rnic\nstreams: 4\n", "extensions: [draft00]\nstags: 16\n", "streams: 3", "a: &x [*x]", "---\n---\n", "bus_bytes: 1e9"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := gen.ReadConfig(bytes.NewReader(text))
		if err != nil {
			return
		}
		require.NoError(t, c.Check())
		again, err := yaml.Marshal(c)
		require.NoError(t, err)
		second, err := gen.ReadConfig(bytes.NewReader(again))
		require.NoError(t, err)
		require.Equal(t, c.Top, second.Top)
		require.Equal(t, c.Streams, second.Streams)
	})
}
