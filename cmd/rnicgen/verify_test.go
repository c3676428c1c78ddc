package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/internal/long"
)

// The directory holds the output, the reports, the tool versions, and the sha256 of the Verilog that generate writes.
func TestVerify(t *testing.T) {
	long.Test(t)
	dir := filepath.Join(t.TempDir(), "evidence")
	code, out, errs := call("verify", "--out", dir, "--step", "vectors,check-verilator,cosim-go")
	require.Equal(t, exitAgreement, code, errs)
	assert.Contains(t, out, "PASS: 3 steps, evidence in "+filepath.Join(dir, "evidence.md"))
	_, err := outdir.Verify(dir)
	require.NoError(t, err)

	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	var e struct {
		OK, Complete bool
		Tools        []struct{ Name, Version string }
		RTL          []struct {
			Top   string
			Files []struct{ Name, SHA256 string }
		}
		Steps []struct {
			Name, Command, Summary string
			Exit                   int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(read("evidence.json")), &e))
	assert.True(t, e.OK)
	assert.False(t, e.Complete)
	require.Len(t, e.Steps, 3)
	assert.Equal(t, "rnicgen check-vectors --engine verilator vectors", e.Steps[2].Command)
	assert.Contains(t, read("check-verilator.txt"), e.Steps[2].Summary)
	assert.Contains(t, read("evidence.md"), "**Some steps were skipped.**")
	assert.Contains(t, read("cosim-go.json"), `"mismatches": 0`)
	assert.NotContains(t, read("check-verilator.json"), os.TempDir())

	rtl := filepath.Join(t.TempDir(), "rtl")
	code, _, errs = call("generate", "--out", rtl)
	require.Equal(t, exitAgreement, code, errs)
	m, err := outdir.Read(rtl)
	require.NoError(t, err)
	want := map[string]string{}
	for _, f := range m.Files {
		want[f.Name] = f.SHA256
	}
	require.Equal(t, gen.Top, e.RTL[0].Top)
	for _, f := range e.RTL[0].Files {
		assert.Equal(t, want[f.Name], f.SHA256, f.Name)
	}
	for _, tool := range e.Tools {
		assert.NotEmpty(t, tool.Version, tool.Name)
	}
}

// The limits are valid configurations other than the default.
func TestLimits(t *testing.T) {
	for _, l := range limits {
		c, err := gen.ReadConfig(strings.NewReader(l.config))
		require.NoError(t, err, l.name)
		assert.NotEqual(t, gen.Default(), c, l.name)
	}
}

// A step that fails or cannot run does not stop the others, and is reported.
func TestVerifyTellsWhatFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "evidence")
	code, out, _ := call("verify", "--out", dir, "--step", "check-go,requirements")
	assert.Equal(t, exitMismatch, code)
	assert.Regexp(t, `(?m)^BROKEN +check-go`, out)
	assert.Regexp(t, `(?m)^PASS +requirements`, out)
	assert.Contains(t, out, "FAIL: 2 steps")
	page, err := os.ReadFile(filepath.Join(dir, "evidence.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "**Not everything agreed**")

	code, _, errs := call("verify", "--out", dir, "--step", "everything")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `--step is "everything"; allowed: vectors, requirements`)

	mine := filepath.Dir(file(t, "mine.txt", "x"))
	code, _, errs = call("verify", "--out", mine)
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "is not from rnicgen")
}

// Results are in the directory before the next step starts, and are marked as incomplete.
func TestVerifyWritesAfterEveryStep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "evidence")
	a := &app{out: io.Discard, errs: io.Discard, log: hclog.NewNullLogger(), ctx: t.Context()}
	all := verifications()
	_, err := a.verify(all[slices.IndexFunc(all, func(s verification) bool { return s.name == "requirements" }):][:1], dir)
	require.NoError(t, err)
	_, err = outdir.Verify(dir)
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(dir, "evidence.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "0 orphans")
	assert.Contains(t, string(page), "**Some steps were skipped.**")
}
