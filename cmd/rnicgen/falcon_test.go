package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Vectors of profile falcon are written, and replayed on the golden model.
func TestFalconConfig(t *testing.T) {
	config := file(t, "f.yaml", "profile: falcon\nbit_order: mirrored\n")
	dir, counts := filepath.Join(t.TempDir(), "v"), filepath.Join(t.TempDir(), "counts.json")
	code, out, errs := call("vectors", "--config", config, "--out", dir, "--flags", "--json", counts)
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^flag  +tests  errors\n`, out)
	assert.Regexp(t, `\n4[0-9]{3} tests, [0-9]+ with errors \(6[0-9] %\), 6 files in `, out)
	text, err := os.ReadFile(counts)
	require.NoError(t, err)
	var report falconReport
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Equal(t, "mirrored", report.Config.BitOrder)
	assert.Greater(t, report.Summary.Tests, 3000)

	code, out, errs = call("check-vectors", "--tcid", "100001", dir)
	require.Equal(t, exitAgreement, code, errs)
	assert.Equal(t, "PASS: 1 tests of profile falcon against the golden model, 1 passed, 0 failed\n", out)
	code, out, _ = call("check-vectors", "--engine", "model", "--tcid", "100001", "--json", "-", dir)
	assert.Equal(t, exitAgreement, code)
	assert.Contains(t, out, `"passed": 1`)
	code, _, errs = call("check-vectors", "--engine", "go", dir)
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `--engine is "go"; allowed for vectors of profile falcon: model`)
	code, out, _ = call("requirements", "--config", config)
	assert.Equal(t, exitAgreement, code)
	assert.Contains(t, out, " 634 not of a profile of this configuration, 0 orphans\n")
}

// Every other command says that the profile has no hardware.
func TestFalconConfigWithoutHardware(t *testing.T) {
	config := file(t, "f.yaml", "profile: falcon\n")
	for _, args := range [][]string{{"generate", "--out", filepath.Join(t.TempDir(), "x")}, {"cosim"}, {"replay", "a.pcap"}, {"mutate"}, {"coverage"}, {"soak"}, {"crash"}, {"synth"}} {
		code, out, errs := call(append(args, "--config", config)...)
		assert.Equal(t, exitBadInput, code, args)
		assert.Empty(t, out, args)
		assert.Contains(t, errs, "profile is falcon; allowed: rdmap; falcon has no hardware yet, only the commands vectors, check-vectors and requirements work with it", args)
	}
	for _, command := range []string{"vectors", "requirements"} {
		args := []string{command, "--config", file(t, "g.yaml", "profile: falcon\nstreams: 8\n")}
		if command == "vectors" {
			args = append(args, "--out", t.TempDir())
		}
		code, _, errs := call(args...)
		assert.Equal(t, exitBadInput, code)
		assert.Contains(t, errs, "config: streams is 8; allowed: with profile falcon only profile, bit_order, mtu, irrq, window, buffer_octets")
	}
}
