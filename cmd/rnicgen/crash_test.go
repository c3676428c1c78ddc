package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/crash"
)

// A run per number of streams, and the timeline of a record; with a step left out the exit code is 1 and the cycle is named.
func TestCrash(t *testing.T) {
	config := file(t, "commit.yaml", smallRNIC+"extensions: [commit]\n")
	args := []string{"crash", "--engine", "go", "--config", config, "--streams", "1,2", "--records", "2", "--octets", "20", "--quiet"}
	code, out, errs := call(args...)
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `(?m)^ +2 +4 +\d+ +\d+ +4 +0 +0 +0$`, out)
	assert.Contains(t, out, "\nAtomic Write of the tail  |")

	code, out, errs = call(append(args, "--break", "flush", "--json", "-")...)
	assert.Equal(t, exitMismatch, code)
	assert.Regexp(t, `^cycle \d+: stream 0: the tail may be 0x\w+, and octet 0 of record 0x\w+ may be missing\n$`, errs)
	var results []crash.Result
	require.NoError(t, json.Unmarshal([]byte(out), &results))
	require.Len(t, results, 1, "the first fault ends it")
	assert.Equal(t, errs, results[0].Fault+"\n")
}
