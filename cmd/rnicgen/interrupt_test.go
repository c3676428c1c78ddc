package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/internal/long"
)

const (
	smallRNIC = "bus_bytes: 16\nstreams: 4\nstags: 64\nird: 4\nord: 4\nreceive_depth: 4\nsend_depth: 4\nmax_payload: 256\natomic_depth: 16\n"
	endless   = "1000000000"

	// hangs is a tool that ignores SIGINT and SIGTERM and never ends, and neither does its child process.
	hangs = `trap '' INT TERM; sh -c 'trap "" INT TERM; echo $$ >>"$TMPDIR_OF_TEST/children"; while :; do sleep 0.05; done' & wait`
)

// Every long-running command stops on a signal, reports its progress, and leaves nothing behind.
func TestInterrupt(t *testing.T) {
	config := file(t, "small.yaml", smallRNIC)
	capture := siw + "siw612_crc_rtest_ops.pcap"
	captures := make([]string, 400)
	for i := range captures {
		captures[i] = capture
	}
	written := filepath.Join(t.TempDir(), "vectors")
	code, _, errs := call("vectors", "--config", config, "--out", written)
	require.Equal(t, exitAgreement, code, errs)
	out := filepath.Join(t.TempDir(), "out")
	verilator, yosys := map[string]string{"verilator": real(t, "verilator") + hangs}, map[string]string{"yosys": real(t, "yosys") + hangs}
	for _, tt := range []struct {
		name  string
		shows string // matches standard output
		tools map[string]string
		args  []string
		keys  []string // of the report
	}{
		{"cosim", `^interrupted: \d+ messages, \d+ cycles, 0 mismatches so far, seed 9, engine go\n$`, nil,
			[]string{"cosim", "--engine", "go", "--config", config, "--messages", endless, "--seed", "9"}, []string{"seed", "messages", "cycles"}},
		{"cosim on icarus", `^interrupted: \d+ messages, \d+ cycles, `, nil, []string{"cosim", "--engine", "icarus", "--config", config, "--messages", endless}, []string{"seed"}},
		{"cosim that builds", `^interrupted: 0 messages, 0 cycles, 0 mismatches so far, seed 1, engine verilator\n$`, verilator,
			[]string{"cosim", "--config", config}, []string{"seed"}},
		{"cosim of configurations", `^interrupted: \d of 9 configurations started, 0 messages, 0 scenarios, 0 cycles, 0 mismatches so far, engine verilator\n$`, verilator,
			[]string{"cosim", "--configurations", "9"}, []string{"seed", "configurations"}},
		{"cosim of scenarios", `interrupted: \d+ of \d+ scenarios started, \d+ cycles, 0 mismatches so far, seed 1, engine go\n$`, nil,
			[]string{"cosim", "--engine", "go", "--scenario", "open-again"}, []string{"seed"}},
		{"cosim on gates that builds", `^interrupted: 0 messages`, yosys, []string{"cosim", "--engine", "gates", "--config", config}, []string{"seed"}},
		{"replay", `^interrupted: \d+ of 400 captures replayed, engine go\n$`, nil, append([]string{"replay", "--engine", "go"}, captures...), []string{"report"}},
		{"check-vectors", `^interrupted: \d+ tests done, engine verilator\n$`, verilator, []string{"check-vectors", written}, []string{"tests"}},
		{"soak", `^interrupted: 0 programs, .* 0 findings, seed 3\n$`, verilator, []string{"soak", "--seed", "3"}, []string{"seed", "cycles", "findings"}},
		{"crash", `^interrupted: 0 of 2 runs\n$`, verilator, []string{"crash", "--streams", "1,2"}, []string{"report"}},
		{"mutate", `interrupted, seed 1: 0 of 0 mutants of 0 blocks`, verilator,
			[]string{"mutate", "--config", config, "--block", "axi_read_arbiter", "--limit", "2"}, []string{"blocks"}},
		{"prove", `interrupted: 0 properties of 0 blocks`, yosys, []string{"prove", "--block", "ddp_classify"}, []string{"report"}},
		{"coverage", `^interrupted: run "vectors" of configuration "rnic", nothing measured yet\n$`, verilator,
			[]string{"coverage", "--config", config, "--out", out}, []string{"config", "run"}},
	} {
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			if s == syscall.SIGTERM && tt.tools == nil && tt.name != "cosim" {
				continue // as for SIGINT
			}
			t.Run(tt.name+", "+s.String(), func(t *testing.T) {
				if s == syscall.SIGTERM && !strings.HasPrefix(tt.name, "cosim") {
					long.Test(t)
				}
				t.Parallel()
				scratch := t.TempDir()
				path := filepath.Join(scratch, "report.json")
				tools := map[string]string{}
				for name, script := range tt.tools {
					tools[name] = "TMPDIR_OF_TEST=" + scratch + "; export TMPDIR_OF_TEST\n" + script
				}
				args, wave := append(slices.Clone(tt.args), "--quiet", "--json", path), filepath.Join(scratch, "wave.vcd")
				if tt.tools == nil {
					args = append(args, "--trace", wave) // exists once the run has started
				}
				p := start(t, tools, args...)
				started := filepath.Join(scratch, "children")
				if tt.tools == nil {
					started = wave
				}
				if tt.name == "replay" {
					started = filepath.Join(scratch, "wave-client.vcd")
				}
				children := waitFor(t, started)
				if tt.tools == nil {
					children = nil
				}
				require.NoError(t, p.Process.Signal(s))
				assert.Equal(t, 128+int(s), p.end(t))
				assert.Regexp(t, tt.shows, p.out.String())
				assert.Regexp(t, `(?m)^rnicgen: interrupted by signal \d+ \(\w+\)$`, p.errs.String())
				assert.NotContains(t, p.errs.String(), "goroutine")
				report := marked(t, path)
				for _, key := range tt.keys {
					assert.Contains(t, report, key)
				}
				assert.NoFileExists(t, out)
				assert.Empty(t, left(t, p.temporary))
				for _, name := range left(t, p.cache) {
					assert.NotContains(t, name, "building")
				}
				for pid := range strings.FieldsSeq(string(children)) {
					assert.Eventually(t, func() bool { return gone(pid) }, 5*time.Second, 5*time.Millisecond, "a tool is still running")
				}
			})
		}
	}
}

// waitFor waits until a file has content: a complete line, or more than 100 octets.
func waitFor(t *testing.T, path string) (text []byte) {
	t.Helper()
	require.Eventually(t, func() bool {
		text, _ = os.ReadFile(path)
		return len(text) > 100 || len(text) > 0 && text[len(text)-1] == '\n'
	}, 60*time.Second, 5*time.Millisecond)
	return text
}

// A computation that cannot be canceled is abandoned when the context ends.
func TestInterruptedComputation(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	end(&interruption{syscall.SIGTERM})
	dir := filepath.Join(t.TempDir(), "out")
	for shows, args := range map[string][]string{
		"interrupted: nothing written, seed 4\n": {"vectors", "--out", dir, "--seed", "4"},
		"interrupted: nothing counted yet\n":     {"requirements"},
		"interrupted: 0 figures measured\n":      {"bench"},
		"interrupted: 0 aggressors measured\n":   {"bench", "--isolation"},
	} {
		path := filepath.Join(t.TempDir(), "report.json")
		var out, errs bytes.Buffer
		assert.Equal(t, 143, run(ctx, append(args, "--quiet", "--json", path), &out, &errs))
		assert.Contains(t, out.String(), shows)
		assert.Equal(t, "rnicgen: interrupted by signal 15 (terminated)\n", errs.String())
		marked(t, path)
		assert.NoFileExists(t, dir)
	}
}

// gone reports whether a process has ended or is a zombie.
func gone(pid string) bool {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	return err != nil || strings.Contains(string(text), ") Z ")
}

// The evidence of an interrupted run holds the steps completed, and is marked as incomplete.
func TestInterruptedVerify(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "evidence")
	p := start(t, nil, "verify", "--out", dir, "--step", "vectors,cosim-icarus", "--quiet")
	require.Eventually(t, func() bool { _, err := os.Stat(dir); return err == nil }, 60*time.Second, 5*time.Millisecond, "the first step")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, 143, p.end(t))
	assert.Regexp(t, `(?m)^PASS +vectors`, p.out.String())
	assert.Contains(t, p.out.String(), "interrupted: ")
	page, err := os.ReadFile(filepath.Join(dir, "evidence.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "**Some steps were skipped.**")
	assert.Empty(t, left(t, p.temporary))
}

// A second signal exits a run that is blocked: its report goes to a pipe without a reader.
func TestSecondSignal(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	wave := filepath.Join(t.TempDir(), "wave.vcd")
	p := start(t, nil, "cosim", "--engine", "go", "--config", file(t, "small.yaml", smallRNIC), "--messages", endless, "--json", pipe, "--trace", wave)
	waitFor(t, wave)
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	time.Sleep(echo / 3)
	require.NoError(t, p.Process.Signal(syscall.SIGINT), "timeout(1) sends the signal twice in a row")
	time.Sleep(echo)
	require.NoError(t, p.Process.Signal(syscall.Signal(0)), "the program still waits")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, 143, p.end(t))
}

// A mismatch takes precedence over an interruption.
func TestMismatchBeforeTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := &app{ctx: ctx}
	cancel()
	assert.False(t, a.interrupted(errMismatch))
	assert.True(t, a.interrupted(context.Canceled))
	assert.False(t, a.interrupted(nil))
}
