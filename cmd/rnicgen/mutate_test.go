package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A mutant that is open makes the command exit with 1; the report says where to look.
func TestMutate(t *testing.T) {
	config := file(t, "small.yaml", smallRNIC)
	path := filepath.Join(t.TempDir(), "mutants.json")
	code, out, errs := call("mutate", "--config", config, "--block", "axi_read_arbiter", "--limit", "4", "--json", path)
	text, err := os.ReadFile(path)
	require.NoError(t, err, errs)
	var r mutateReport
	require.NoError(t, json.Unmarshal(text, &r))
	require.Len(t, r.Blocks, 1)
	row := r.Blocks[0]
	assert.Equal(t, "axi_read_arbiter", row.Block)
	assert.Equal(t, 4, row.Mutants)
	assert.Equal(t, row.Mutants, row.Killed+row.Equivalent+row.Open)
	assert.Len(t, r.Open, row.Open)
	assert.Zero(t, row.KilledByTiming, "no clocks are committed for this configuration")
	assert.Equal(t, row.Open > 0, code == exitMismatch)
	assert.Contains(t, out, "4 mutants of 1 blocks: ")
	for _, m := range r.Open {
		assert.Regexp(t, `^axi_read_arbiter\.go:\d+$`, m.Source)
		assert.Regexp(t, `^axi_read_arbiter_16\.v:\d+$`, m.Verilog)
		assert.Contains(t, out, "- "+m.Before+"\n  + "+m.After)
	}

	code, _, errs = call("mutate", "--block", "nothing")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `there is no block "nothing"; allowed: [`)
	code, _, errs = call("mutate", "--keep", "nowhere")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "--keep: nowhere is not a directory")
	code, _, errs = call("mutate", "--jobs", "0")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "--jobs 0; allowed: ")
}
