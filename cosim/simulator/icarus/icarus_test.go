package icarus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/enginetest"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/tool"
	"github.com/rnicgen/rnicgen/internal/long"
)

func TestEngine(t *testing.T) {
	long.Test(t)
	enginetest.Conform(t, Open)
}

func begin(t *testing.T, d *simulator.Design, o simulator.Options) *batch.Engine {
	t.Helper()
	e, err := Open(d, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e.(*batch.Engine)
}

func TestMissingToolErrorNamesInstallCommand(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	for _, name := range []string{"iverilog", "iverilog-vpi", "vvp", "cc"} {
		_, err := Open(testdesign.FIFO(), simulator.Options{})
		assert.ErrorIs(t, err, simulator.ErrMissingTool)
		assert.EqualError(t, err, name+" is not installed, or not in PATH; install it with: apt-get install iverilog gcc")
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755))
	}
}

func TestRejectedVerilogShowsIcarusMessages(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("RNICGEN_CACHE", cache)
	d := testdesign.FIFO()
	d.Files[0].Text = strings.Replace(d.Files[0].Text, "level != 5'd16", "lavel != 5'd16", 1)
	_, err := Open(d, simulator.Options{})
	var failed *tool.Error
	require.ErrorAs(t, err, &failed)
	assert.Regexp(t, `(?m)^fifo\.v:\d+: error: Unable to bind wire/reg/memory .lavel.`, failed.Stderr)
	left, err := filepath.Glob(filepath.Join(cache, "icarus-*"))
	require.NoError(t, err)
	assert.Empty(t, left, "a failed build leaves nothing")
}

// An unknown value after reset is reported with the signal, the value, the cycle and the seed.
func TestUnknownOutputIsReported(t *testing.T) {
	e := begin(t, testdesign.Counter(), simulator.Options{Seed: 3, Unknown: true})
	result, err := e.Run(100, 0)
	assert.Equal(t, simulator.Failed, result.Why)
	assert.Equal(t, &simulator.UnknownError{Signal: "m_data", Stream: "m", Value: "16'b" + strings.Repeat("x", 16), Cycle: 4, Seed: 3}, err)
	assert.EqualError(t, err, "m_data of a beat on m is unknown in cycle 4: 16'bxxxxxxxxxxxxxxxx (seed 3)")
	_, again := e.Run(1, 0)
	assert.Equal(t, err, again, "the failure persists")

	for what, change := range map[string][2]string{
		"s_ready is unknown in cycle 4: 1'bx (seed 1)":               {"if (rst) begin\n            head_q <= 5'd0;", "if (rst) begin"},
		"level is unknown in cycle 4: 5'b00x10 (seed 1)":             {"assign level           = tail_q - head_q;", "reg a; assign level = {2'd0, a, 2'd2};"},
		"m_last of a beat on m is unknown in cycle 5: 1'bx (seed 1)": {"assign {m_last, m_data} = beats[head_q[3:0]];", "assign m_data = beats[head_q[3:0]][63:0];"},
	} {
		d := testdesign.FIFO()
		require.Contains(t, d.Files[0].Text, change[0])
		d.Files[0].Text = strings.Replace(d.Files[0].Text, change[0], change[1], 1)
		e := begin(t, d, simulator.Options{Seed: 1, Unknown: true})
		_, err := e.Push(0, []uint64{1, 1})
		require.NoError(t, err)
		_, err = e.Run(10, 0)
		assert.EqualError(t, err, what)
	}
}

// Registers that start unknown are harmless if they are reset or written before use: the run equals one that starts from zeros.
func TestUnknownStartIsForgotten(t *testing.T) {
	var runs []enginetest.Trace
	for _, o := range []simulator.Options{{}, {Unknown: true}, {RandomInit: true}} {
		o.Seed, o.Buffer, o.Hash, o.Stamps = 2, 512, true, true
		runs = append(runs, enginetest.Record(t, testdesign.FIFO(), begin(t, testdesign.FIFO(), o), simulator.Stall{Mode: simulator.StallRandom, Chance: 90}, 100))
	}
	assert.Equal(t, runs[0], runs[1])
	assert.Equal(t, runs[0], runs[2])
}

func TestRandomInitFollowsTheSeed(t *testing.T) {
	first := func(o simulator.Options) uint64 {
		e := begin(t, testdesign.Counter(), o)
		_, err := e.Run(1, 0)
		require.NoError(t, err)
		word := make([]uint64, 1)
		_, err = e.Pop(0, word, nil)
		require.NoError(t, err)
		return word[0]
	}
	assert.Zero(t, first(simulator.Options{Seed: 1}))
	seen := map[uint64]bool{}
	for seed := range uint64(6) {
		v := first(simulator.Options{Seed: seed, RandomInit: true})
		assert.Equal(t, v, first(simulator.Options{Seed: seed, RandomInit: true}))
		seen[v] = true
	}
	assert.Greater(t, len(seen), 4)
}

func TestModelThatFails(t *testing.T) {
	defer func(was int) { patience = was }(patience)
	patience = 1
	e := begin(t, testdesign.Diverge(), simulator.Options{})
	_, err := e.Push(0, []uint64{1, 7})
	require.NoError(t, err)
	result, err := e.Run(100, 10)
	assert.Equal(t, simulator.Failed, result.Why)
	assert.Equal(t, &simulator.FailedError{Cycle: 5, Message: "the logic did not settle in 1 seconds"}, err)

	e = begin(t, testdesign.Counter(), simulator.Options{})
	_, err = e.Run(1000, 0)
	assert.Equal(t, &simulator.FailedError{Cycle: 105, Message: "the design has called $finish or $stop"}, err, "the effect of an edge is visible in the next cycle")
}

func TestTraces(t *testing.T) {
	hash := func(path string) uint64 {
		e := begin(t, testdesign.FIFO(), simulator.Options{Hash: true, Trace: path})
		_, err := e.Push(0, []uint64{0xABC, 1})
		require.NoError(t, err)
		_, err = e.Run(46, 0)
		require.NoError(t, err)
		require.NoError(t, e.Close())
		return e.TraceHash()
	}
	plain := hash("")
	vcd := filepath.Join(t.TempDir(), "a.vcd")
	assert.Equal(t, plain, hash(vcd), "tracing changes nothing")
	text, err := os.ReadFile(vcd)
	require.NoError(t, err)
	clk := regexp.MustCompile(`\$var wire +1 (\S+) clk \$end`).FindSubmatch(text)
	require.NotNil(t, clk)
	assert.Equal(t, 50, strings.Count(string(text), "\n1"+string(clk[1])+"\n"), "4 cycles of reset and 46 of the run")
	assert.Contains(t, string(text), "#495\n", "the clock rises in the middle of ten units")
	assert.Contains(t, string(text), "b101010111100 ")
	assert.Contains(t, string(text), "head_q", "including internal signals")

	fst := filepath.Join(t.TempDir(), "a.fst")
	assert.Equal(t, plain, hash(fst))
	info, err := os.Stat(fst)
	require.NoError(t, err)
	assert.Greater(t, info.Size(), int64(300))

	_, err = Open(testdesign.FIFO(), simulator.Options{Trace: "a.txt"})
	assert.EqualError(t, err, "trace file a.txt: the name must end in .vcd or .fst")
	_, err = Open(testdesign.FIFO(), simulator.Options{Trace: "nowhere/a.vcd"})
	assert.ErrorContains(t, err, "trace file nowhere/a.vcd cannot be written: no such file")
}

// The child runs until its engine is closed, and at the latest until this program ends.
func TestChildEnds(t *testing.T) {
	if name := os.Getenv("OPEN_AND_DIE"); name != "" {
		m := childOf(t)
		require.NoError(t, os.WriteFile(name, fmt.Append(nil, m.child.Process.Pid), 0o644))
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	m := childOf(t)
	number := m.child.Process.Pid
	require.True(t, runs(number))
	require.NoError(t, m.Close())
	assert.False(t, runs(number), "closed")

	m = childOf(t)
	number = m.child.Process.Pid
	require.NoError(t, m.child.Process.Kill())
	m.Clock()
	m.Settle()
	assert.EqualError(t, m.Err(), "vvp died in the middle of the run (signal: killed); run the command again, with more memory if the system ran out of it")
	assert.False(t, runs(number), "waited for")

	file := filepath.Join(t.TempDir(), "pid")
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^TestChildEnds$")
	cmd.Env = append(os.Environ(), "OPEN_AND_DIE="+file)
	assert.Error(t, cmd.Run(), "killed")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	number, err = strconv.Atoi(string(text))
	require.NoError(t, err)
	assert.Eventually(t, func() bool { return !runs(number) }, 20*time.Second, 20*time.Millisecond)
}

// childOf starts a FIFO whose process the test can see.
func childOf(t *testing.T) *model {
	t.Helper()
	tools, err := findTools(t.Context())
	require.NoError(t, err)
	module, err := vpiModule(t.Context(), tools)
	require.NoError(t, err)
	d := testdesign.FIFO()
	path, err := compile(t.Context(), tools, d)
	require.NoError(t, err)
	m, err := start(t.Context(), d, nil, tools.vvp, arguments(d, module, path, simulator.Options{})...)
	require.NoError(t, err)
	m.Settle()
	require.NoError(t, m.Err())
	return m
}

// runs reports whether a process exists and is not a zombie.
func runs(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(text), ") Z ")
}
