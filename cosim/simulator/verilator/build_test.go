package verilator

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/tool"
	"github.com/rnicgen/rnicgen/internal/long"
)

func TestMissingToolErrorNamesInstallCommand(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := Open(testdesign.FIFO(), simulator.Options{})
	assert.ErrorIs(t, err, simulator.ErrMissingTool)
	assert.EqualError(t, err, "verilator is not installed, or not in PATH; install it with: apt-get install verilator g++")

	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "verilator"), []byte("#!/bin/sh\n"), 0o755))
	t.Setenv("PATH", bin)
	_, err = Open(testdesign.FIFO(), simulator.Options{})
	assert.ErrorIs(t, err, simulator.ErrMissingTool)
	assert.EqualError(t, err, "g++ is not installed, or not in PATH; install it with: apt-get install verilator g++")
}

func TestRejectedVerilogShowsVerilatorMessages(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("RNICGEN_CACHE", cache)
	d := testdesign.FIFO()
	d.Files[0].Text = strings.Replace(d.Files[0].Text, "level != 5'd16", "lavel != 5'd16", 1)
	_, err := Open(d, simulator.Options{})
	var failed *tool.Error
	require.ErrorAs(t, err, &failed)
	assert.Regexp(t, `(?m)^%Error: fifo\.v:\d+:\d+: Can't find definition of variable: 'lavel'$`, failed.Stderr)
	assert.Contains(t, err.Error(), failed.Stderr[:40])
	assert.Contains(t, err.Error(), "verilator --cc -O3")
	left, err := os.ReadDir(cache)
	require.NoError(t, err)
	assert.Empty(t, left, "a failed build leaves nothing")
}

// OPT_FAST changes the compiler flags, and with them the model.
func TestOptFast(t *testing.T) {
	model := func(flags string) string {
		t.Setenv("OPT_FAST", flags)
		path, err := build(t.Context(), testdesign.FIFO(), variant{})
		require.NoError(t, err)
		return path
	}
	assert.NotEqual(t, model("-Og"), model("-O0"))
	t.Setenv("OPT_FAST", "-Ofaster")
	_, err := build(t.Context(), testdesign.FIFO(), variant{})
	assert.ErrorContains(t, err, "-Ofaster")
	t.Setenv("OPT_FAST", "")
	assert.Equal(t, []string{"-O3"}, variant{}.modelSpeed())
}

// A Verilator warning fails the build.
func TestWarningsAreErrors(t *testing.T) {
	t.Setenv("RNICGEN_CACHE", t.TempDir())
	d := testdesign.FIFO()
	d.Files[0].Text = strings.Replace(d.Files[0].Text, "head_q <= 5'd0", "head_q <= 9'd256", 1)
	_, err := Open(d, simulator.Options{})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "%Warning-WIDTH: fifo.v:")
}

// Two processes and two goroutines in each build the same design into an empty cache.
func TestConcurrentBuilds(t *testing.T) {
	long.Test(t)
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
			e, err := Open(testdesign.Deadlock(), simulator.Options{})
			if err == nil {
				_, err = e.Run(100, 10)
			}
			errs <- err
		}()
	}
	require.NoError(t, <-errs)
	require.NoError(t, <-errs)
}

// Loading a truncated library would crash the process, and junk would fail to load: both are rebuilt. So is an intact library that
// cannot be loaded.
func TestDamagedLibrary(t *testing.T) {
	long.Test(t)
	junk := func(dir string) error {
		path := filepath.Join(dir, library)
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return errors.Join(os.Remove(path), os.WriteFile(path, make([]byte, info.Size()), 0o644))
	}
	d := testdesign.FIFO()
	d.Files[0].Text += fmt.Sprintf("// %d\n", rand.Uint64())
	path, err := build(t.Context(), d, variant{quick: true})
	require.NoError(t, err)
	defer os.RemoveAll(filepath.Dir(path))
	for _, tt := range []struct {
		name   string
		damage func(dir string) error
		says   string
	}{ // only the last case loads the library: truncating a loaded library crashes the process
		{"cut short", func(dir string) error { return os.Truncate(filepath.Join(dir, library), 5000) }, "dut.so has 5000 octets"},
		{"junk", junk, "dut.so differs from its sha256"},
		{"sealed junk", func(dir string) error {
			sum := fmt.Sprintf(`{"entry":%q,"files":[{"name":"dut.so","bytes":4,"sha256":"%x"}]}`, filepath.Base(dir), sha256.Sum256([]byte("junk")))
			path := filepath.Join(dir, library)
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("junk"), 0o644), os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(sum), 0o644))
		}, "cannot be used"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			ctx := hclog.WithContext(t.Context(), hclog.New(&hclog.LoggerOptions{Output: &log}))
			require.NoError(t, tt.damage(filepath.Dir(path)))
			if tt.name != "sealed junk" {
				_, err = build(ctx, d, variant{quick: true})
				require.NoError(t, err)
			} else {
				e, err := Open(d, simulator.Options{Context: ctx, Quick: true})
				require.NoError(t, err)
				_, err = e.Run(100, 0)
				require.NoError(t, err)
				require.NoError(t, e.Close())
			}
			assert.Contains(t, log.String(), tt.says)
			assert.Equal(t, 1, strings.Count(log.String(), "\n"))
		})
	}
}
