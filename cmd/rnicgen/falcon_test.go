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

// Vectors of profile falcon are written, and replayed on the golden model.
func TestFalconConfig(t *testing.T) {
	long.Test(t)
	config := file(t, "f.yaml", "profile: falcon\nbit_order: mirrored\n")
	dir, counts := filepath.Join(t.TempDir(), "v"), filepath.Join(t.TempDir(), "counts.json")
	code, out, errs := call("vectors", "--config", config, "--out", dir, "--flags", "--json", counts)
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^flag  +tests  errors\n`, out)
	assert.Regexp(t, `\n4[0-9]{3} tests, [0-9]+ with errors \(6[0-9] %\), 22 files in `, out)
	text, err := os.ReadFile(counts)
	require.NoError(t, err)
	var report falconReport
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Equal(t, "mirrored", report.Config.BitOrder)
	assert.Greater(t, report.Summary.Tests, 3000)

	code, out, errs = call("check-vectors", "--engine", "model", "--tcid", "100001", dir)
	require.Equal(t, exitAgreement, code, errs)
	assert.Equal(t, "PASS: 1 tests of profile falcon against the golden model, 1 passed, 0 failed\n", out)
	code, out, _ = call("check-vectors", "--engine", "go", "--tcid", "100001", "--json", "-", dir)
	assert.Equal(t, exitAgreement, code)
	assert.Regexp(t, `"hardware": {\s+"tests": 1,\s+"passed": 1,`, out)
	code, out, errs = call("check-vectors", "--engine", "go", "--tcid", "100001", dir)
	require.Equal(t, exitAgreement, code, errs)
	assert.Contains(t, out, "1 of these tests on hardware (go), 1 passed, 0 failed\n")
	code, _, errs = call("check-vectors", "--engine", "warp", "--tcid", "100001", dir)
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `"warp"`)
	code, out, _ = call("requirements", "--config", config)
	assert.Equal(t, exitAgreement, code)
	assert.Contains(t, out, " 634 not of a profile of this configuration, 0 orphans\n")
}

// The hardware of the profile is generated, and runs against itself and the golden model.
func TestFalconHardware(t *testing.T) {
	config := file(t, "f.yaml", "profile: falcon\nstreams: 4\nbus_bytes: 16\nmax_payload: 256\n")
	dir := filepath.Join(t.TempDir(), "rtl")
	code, out, errs := call("generate", "--config", config, "--out", dir)
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^[0-9]+ files in `, out)
	top, err := os.ReadFile(filepath.Join(dir, "rtl", "rnic.v"))
	require.NoError(t, err)
	assert.Contains(t, string(top), "s_axis_rx_tdest")

	code, out, errs = call("cosim", "--config", config, "--messages", "400", "--engine", "go")
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^400 messages, [0-9]+ cycles, 0 mismatches, seed 1, engine go, `, out)
	code, out, errs = call("cosim", "--config", config, "--configurations", "1", "--messages", "50", "--engine", "go")
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^1 configurations, 50 messages, [0-9]+ cycles, 0 mismatches, seed 1, engine go\n`, out)
	code, _, errs = call("cosim", "--config", config, "--messages", "8", "--engine", "go", "--trace", filepath.Join(t.TempDir(), "nowhere", "a.vcd"))
	assert.Equal(t, exitBadInput, code, "no mismatch")
	assert.NotContains(t, errs, "mismatch")
	code, _, errs = call("cosim", "--config", config, "--scenario", "all")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "--scenario is all; allowed with profile falcon: none")
}

// A program of RDMA over Falcon runs, and is no vector.
func TestSoakOverFalcon(t *testing.T) {
	long.Test(t)
	config := file(t, "f.yaml", "profile: falcon\nstreams: 4\nbus_bytes: 16\nstags: 64\nird: 2\nord: 2\nreceive_depth: 4\nsend_depth: 4\nmax_payload: 256\natomic_depth: 16\nwindow: 16\n")
	code, out, errs := call("soak", "--config", config, "--program", "0700000000", "--out", filepath.Join(t.TempDir(), "found"))
	assert.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^1 programs, 1 kept, [0-9]+ features reached, 8 messages, [0-9]+ cycles, [0-9]+ cycles/s, 0 findings, seed 1\n$`, out)
	assert.Contains(t, errs, "run it with --program")
}

// Every other command says that it knows no other profile than rdmap; keys of one profile are refused with the other.
func TestFalconConfigElsewhere(t *testing.T) {
	config := file(t, "f.yaml", "profile: falcon\n")
	for _, args := range [][]string{{"replay", "a.pcap"}, {"crash"}} {
		code, out, errs := call(append(args, "--config", config)...)
		assert.Equal(t, exitBadInput, code, args)
		assert.Empty(t, out, args)
		assert.Contains(t, errs, "config: profile is falcon; allowed: rdmap with this command", args)
	}
	for text, message := range map[string]string{
		"profile: falcon\nextensions: [commit]":    "config: extensions is [commit]; allowed: none with profile falcon",
		"profile: falcon\nretire_port: true":       "config: retire_port is true; allowed: false with profile falcon",
		"profile: falcon\nbit_order: left":         `config: bit_order is "left"; allowed: drawn or mirrored`,
		"profile: falcon\nwindow: 48":              "config: window is 48; allowed: a power of two from 16 to 256",
		"profile: falcon\nird: 512":                "config: ird is 512; allowed: a power of two from 1 to 256",
		"profile: falcon\nmtu: 256":                "field mtu not found",
		"bit_order: drawn":                         `config: bit_order is "drawn"; allowed: only with profile falcon`,
		"window: 64":                               "config: window is 64; allowed: only with profile falcon",
		"buffer_octets: 64":                        "config: buffer_octets is 64; allowed: only with profile falcon",
		"profile: roce":                            `config: profile is "roce"; allowed: rdmap and falcon`,
		"profile: falcon\nmax_payload: 16384\n":    "config: max_payload is 16384; allowed: a power of two from 256 to 4096",
		"profile: falcon\nird: 4\nbus_bytes: 64\n": "",
	} {
		code, _, errs := call("generate", "--config", file(t, "g.yaml", text), "--out", filepath.Join(t.TempDir(), "rtl"))
		if message == "" {
			assert.Equal(t, exitAgreement, code, errs)
			continue
		}
		assert.Equal(t, exitBadInput, code, text)
		assert.Contains(t, errs, message, text)
	}
	for _, command := range [][]string{{"vectors", "--out", filepath.Join(t.TempDir(), "v")}, {"coverage"}} {
		code, _, errs := call(append(command, "--config", file(t, "h.yaml", "profile: falcon\nird: 4\n"))...)
		assert.Equal(t, exitBadInput, code, command)
		assert.Contains(t, errs, "config: ird is 4; allowed: for vectors 8 to 256", command)
	}
}
