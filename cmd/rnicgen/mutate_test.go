package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/internal/long"
)

// An open mutant makes the command exit with 1; the report locates it.
func TestMutate(t *testing.T) {
	long.Test(t)
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
	assert.Equal(t, row.Mutants, row.Killed+row.Timing+row.Alone+row.Equivalent+row.Open)
	assert.Equal(t, row.Score, r.Score)
	assert.Len(t, r.Other, row.Timing+row.Alone)
	assert.Len(t, r.Open, row.Open)
	assert.Equal(t, row.Open > 0, code == exitMismatch)
	assert.Regexp(t, `meaning score [\d.]+ %: \d of 4 mutants of 1 blocks killed`, out)
	for _, m := range r.Open {
		assert.Regexp(t, `^axi_read_arbiter\.go:\d+$`, m.Source)
		assert.Regexp(t, `^axi_read_arbiter_16\.v:\d+$`, m.Verilog)
		assert.Contains(t, out, "- "+m.Before+"\n  + "+m.After)
	}

	code, _, errs = call("mutate", "--block", "nothing")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `no block "nothing"; allowed: [`)
	code, _, errs = call("mutate", "--least", "101")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "--least is 101; allowed: 0 to 100 percent")
	code, _, errs = call("mutate", "--jobs", "0")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "--jobs is 0; allowed: ")
}
