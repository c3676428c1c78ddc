package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl/synth"
	"github.com/rnicgen/rnicgen/internal/long"
)

// A path is reported with the lines of Go that created its ends, a memory with the cell it was mapped to.
func TestSynth(t *testing.T) {
	long.Test(t)
	code, out, errs := call("synth", "--block", "request_turns", "--paths", "2", "--json", "-")
	require.Zero(t, code, errs)
	var reports []synth.Report
	require.NoError(t, json.Unmarshal([]byte(out), &reports))
	require.Len(t, reports, 1)
	r := reports[0]
	assert.Equal(t, "xcup", r.Target)
	assert.Positive(t, r.LUT)
	assert.Positive(t, r.FF)
	assert.Positive(t, r.Delay)
	assert.Empty(t, r.Unmodeled)
	require.NotEmpty(t, r.Memories)
	assert.Regexp(t, `\.go:\d+$`, r.Memories[0].Made)
	require.Len(t, r.Paths, 2)
	assert.Equal(t, r.Delay, r.Paths[0].Delay)

	code, _, errs = call("synth", "--target", "virtex2")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `--target: there is no target "virtex2"; allowed: xcup, xc7, ecp5, ice40`)
	code, _, errs = call("synth", "--block", "nothing")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `--block is "nothing"; allowed: `)
	code, _, errs = call("synth", "--paths", "-1")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "--paths is -1; allowed: at least 0")
	code, _, errs = call("synth", "--pnr")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "--pnr: there is no place and route for xcup; allowed: ecp5, ice40")
	code, _, errs = call("synth", "--seeds", "0")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "--seeds is 0; allowed: at least 1")
}
