package verilator

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/engine/internal/testdesign"
	"github.com/rnicgen/rnicgen/cosim/engine/internal/tool"
)

func TestMissingToolNamesWhatInstallsIt(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := Open(testdesign.FIFO(), engine.Options{})
	assert.ErrorIs(t, err, engine.ErrMissingTool)
	assert.EqualError(t, err, "verilator is not installed, or not in PATH; install it with: apt-get install verilator g++")

	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "verilator"), []byte("#!/bin/sh\n"), 0o755))
	t.Setenv("PATH", bin)
	_, err = Open(testdesign.FIFO(), engine.Options{})
	assert.ErrorIs(t, err, engine.ErrMissingTool)
	assert.EqualError(t, err, "g++ is not installed, or not in PATH; install it with: apt-get install verilator g++")
}

func TestRejectedVerilogShowsWhatVerilatorSays(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("RNICGEN_CACHE", cache)
	d := testdesign.FIFO()
	d.Files[0].Text = strings.Replace(d.Files[0].Text, "level != 5'd16", "lavel != 5'd16", 1)
	_, err := Open(d, engine.Options{})
	var failed *tool.Error
	require.ErrorAs(t, err, &failed)
	assert.Regexp(t, `(?m)^%Error: fifo\.v:\d+:\d+: Can't find definition of variable: 'lavel'$`, failed.Stderr)
	assert.Contains(t, err.Error(), failed.Stderr[:40])
	assert.Contains(t, err.Error(), "verilator --cc -O3")
	left, err := os.ReadDir(cache)
	require.NoError(t, err)
	assert.Empty(t, left, "a failed build leaves nothing")
}

// OPT_FAST makes another model, with other flags.
func TestOptFast(t *testing.T) {
	model := func(flags string) string {
		t.Setenv("OPT_FAST", flags)
		path, err := build(t.Context(), testdesign.FIFO(), variant{})
		require.NoError(t, err)
		return path
	}
	assert.NotEqual(t, model("-O1"), model("-O1 -g0"))
	t.Setenv("OPT_FAST", "-Ofaster")
	_, err := build(t.Context(), testdesign.FIFO(), variant{})
	assert.ErrorContains(t, err, "-Ofaster")
	t.Setenv("OPT_FAST", "")
	assert.Equal(t, []string{"-O3"}, variant{}.modelSpeed())
}

// A warning is an error: what Verilator doubts does not go into silicon.
func TestWarningsAreErrors(t *testing.T) {
	t.Setenv("RNICGEN_CACHE", t.TempDir())
	d := testdesign.FIFO()
	d.Files[0].Text = strings.Replace(d.Files[0].Text, "head_q <= 5'd0", "head_q <= 9'd256", 1)
	_, err := Open(d, engine.Options{})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "%Warning-WIDTH: fifo.v:")
}

// Two processes and two goroutines in each build the same design into an empty cache.
func TestConcurrentBuilds(t *testing.T) {
	if os.Getenv("BUILD_AND_LEAVE") != "" {
		buildTwice(t)
		return
	}
	cache := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	done := make(chan string)
	for range 2 {
		go func() {
			cmd := exec.Command(self, "-test.run=^TestConcurrentBuilds$")
			cmd.Env = append(os.Environ(), "BUILD_AND_LEAVE=1", "RNICGEN_CACHE="+cache)
			out, err := cmd.CombinedOutput()
			if err != nil {
				out = append(out, err.Error()...)
				done <- string(out)
				return
			}
			done <- ""
		}()
	}
	assert.Empty(t, <-done)
	assert.Empty(t, <-done)
	built, err := filepath.Glob(filepath.Join(cache, "*", "dut.so"))
	require.NoError(t, err)
	assert.Len(t, built, 1)
	entries, err := os.ReadDir(cache)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "the library, the run-time objects, and nothing unfinished")
}

func buildTwice(t *testing.T) {
	errs := make(chan error)
	for range 2 {
		go func() {
			e, err := Open(testdesign.Deadlock(), engine.Options{})
			if err == nil {
				_, err = e.Run(100, 10)
			}
			errs <- err
		}()
	}
	require.NoError(t, <-errs)
	require.NoError(t, <-errs)
}
