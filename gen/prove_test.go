package gen_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/prove"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

// The ALU computes for all inputs what the specification's pseudocode does, which stands in testdata/spec/reference, written by
// hand. rnicgen prove shows it with the broken twins, and for draft00.
func TestAtomicALUIsProven(t *testing.T) {
	t.Parallel()
	files, err := prove.Read(gen.Specs, gen.SpecDir)
	require.NoError(t, err)
	blocks, err := prove.Blocks(files, gen.Config{Top: gen.TopAtomics, Profile: "rdmap", BusBytes: 8, Streams: 2, WindowWords: 2})
	require.NoError(t, err)
	blocks = slices.DeleteFunc(blocks, func(b prove.Block) bool { return b.Name != "atomic_alu" })
	require.Len(t, blocks, 1)
	rows, err := prove.Prove(context.Background(), blocks, prove.Options{Options: formal.Options{Solver: formal.Solvers()[0], Timeout: 5 * time.Minute}})
	require.NoError(t, err)
	table := &bytes.Buffer{}
	require.NoError(t, prove.Write(table, rows))
	for _, r := range rows {
		assert.Equal(t, "proven", r.Kind, table.String())
	}
	assert.Contains(t, table.String(), "result_as_specified")
}
