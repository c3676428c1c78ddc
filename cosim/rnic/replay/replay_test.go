package replay

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/gen"
)

const captures = "../../capture/testdata/siw/"

func TestCaptures(t *testing.T) {
	files, err := filepath.Glob(captures + "*.pcap")
	require.NoError(t, err)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c, err := capture.Open(f)
			require.NoError(t, err)
			r, err := Run(c, Options{Config: gen.DefaultRNIC(), Engine: "go"})
			require.NoError(t, err)
			t.Logf("%+v", r)
			assert.Zero(t, r.Mismatches, "%v", r.First)
		})
	}
}
