package gen_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldens are very different configurations. The Verilog of the default is committed, so that reviews show its changes.
func goldens() map[string]gen.Config {
	narrow := gen.Config{Top: gen.Top, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 8, Streams: 2, STags: 16, IRD: 1, ORD: 2,
		ReceiveDepth: 2, SendDepth: 2, MaxPayload: 256, AtomicDepth: 4}
	return map[string]gen.Config{"default": gen.Default(), "narrow_draft00": narrow}
}

func TestGoldenVerilog(t *testing.T) {
	c := gen.Default()
	files, err := gen.Generate(c)
	require.NoError(t, err)
	dir := filepath.Join("testdata", "default")
	if *update {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, outdir.Write(dir, outdir.Manifest{Generator: "rnicgen " + engine.Version, Kind: "rtl", Config: c}, files))
	}
	for _, f := range files {
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(f.Data), "%s changed; if intended: go test ./gen -run Golden -update", f.Name)
	}
	m, err := outdir.Verify(dir)
	require.NoError(t, err)
	assert.Len(t, m.Files, len(files), "the golden directory has files that are no longer generated")
}

func TestGenerateIsReproducible(t *testing.T) {
	a, err := gen.Generate(gen.Default())
	require.NoError(t, err)
	b, err := gen.Generate(gen.Default())
	require.NoError(t, err)
	assert.Equal(t, a, b)
}
