package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/rnic/replay"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/vectors/requirements"
)

// call runs the program as a user does.
func call(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(context.Background(), append(args, "--quiet"), &o, &e)
	return code, o.String(), e.String()
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

const siw = "../../cosim/capture/testdata/siw/"

// Bad usage or input: exit code 2, a message that names the fault and what is allowed, and no output.
func TestBadInput(t *testing.T) {
	capture, err := os.ReadFile(siw + "siw612_rping_S64.pcap")
	require.NoError(t, err)
	for _, tt := range []struct {
		name, message string
		args          []string
	}{
		{"no such command", `unknown command "compile"`, []string{"compile"}},
		{"no such flag", "unknown flag: --fast", []string{"cosim", "--fast"}},
		{"a stray argument", `unknown command "x"`, []string{"cosim", "x"}},
		{"no output directory", `required flag(s) "out" not set`, []string{"generate"}},
		{"malformed config", "bus_bytes is 24; allowed: 8, 16, 32, 64 or 128", []string{"cosim", "--engine", "go", "--config", file(t, "c.yaml", "bus_bytes: 24")}},
		{"unknown field in config", "field bus not found", []string{"cosim", "--config", file(t, "c.yaml", "bus: 24")}},
		{"config is not YAML", "c.yaml", []string{"cosim", "--config", file(t, "c.yaml", "\x00\xff{")}},
		{"another top", `config: top is "switch"; allowed: rnic`, []string{"cosim", "--config", file(t, "c.yaml", "top: switch")}},
		{"config is not there", "nothing.yaml: no such file", []string{"generate", "--config", "nothing.yaml", "--out", t.TempDir()}},
		{"unknown engine", `unknown engine "vcs"; allowed: go, verilator, icarus, gates`, []string{"cosim", "--engine", "vcs"}},
		{"unknown state on two states", "the verilator engine has two states, but unknown state needs four; allowed: the icarus engine", []string{"cosim", "--unknown"}},
		{"no seeds", "--seeds is 0; allowed: at least 1", []string{"cosim", "--seeds", "0"}},
		{"a waveform of gates", "trace file x.vcd: the gates engine does not write waveforms", []string{"cosim", "--engine", "gates", "--trace", "x.vcd"}},
		{"no messages", "--messages is 0; allowed: at least 1", []string{"cosim", "--engine", "go", "--messages", "0"}},
		{"messages is no number", `invalid argument "many"`, []string{"cosim", "--messages", "many"}},
		{"stall", `stall "often"; allowed: none, a fraction of all cycles such as 0.25, random:N or bursts:N with N from 0 to 255`, []string{"cosim", "--stall", "often"}},
		{"peer", `--peer is "switch"; allowed: model or rtl`, []string{"cosim", "--peer", "switch"}},
		{"error rate", "--error-rate is 1.5; allowed: 0 to 1", []string{"cosim", "--error-rate", "1.5"}},
		{"error rate is no number", "--error-rate is NaN; allowed: 0 to 1", []string{"cosim", "--error-rate", "nan"}},
		{"latency", `--memory-latency is "9..3"; allowed: A..B with 1 <= A <= B <= 100000`, []string{"cosim", "--memory-latency", "9..3"}},
		{"latency is no range", `--memory-latency is "7"; allowed: A..B`, []string{"cosim", "--memory-latency", "7"}},
		{"streams", "streams is 5; allowed: a power of two", []string{"cosim", "--streams", "5"}},
		{"too many active streams", "--active-streams is 65; allowed: 1 to 64, or 0 for all", []string{"cosim", "--active-streams", "65"}},
		{"active streams", "--active-streams is -1; allowed: 1 to 64, or 0 for all", []string{"cosim", "--active-streams", "-1"}},
		{"no configurations", "--configurations is 0; allowed: 1 to 1000000", []string{"cosim", "--configurations", "0"}},
		{"configurations with a peer", "--peer is rtl; allowed: only without --configurations, which draws it", []string{"cosim", "--configurations", "2", "--peer", "rtl"}},
		{"configurations of a file", "c.yaml; allowed: only without --configurations, which draws it", []string{"cosim", "--configurations", "2", "--config", file(t, "c.yaml", "streams: 4")}},
		{"report into a directory that is not there", "--json", []string{"cosim", "--engine", "go", "--json", "nowhere/report.json"}},
		{"a soak of nothing", "--cycles is 0; allowed: at least 1", []string{"soak", "--cycles", "0"}},
		{"a crash without the extension", "extensions is []; allowed for crash: commit among them", []string{"crash", "--config", file(t, "c.yaml", "streams: 4")}},
		{"a crash of too many streams", "--streams is 65; allowed: 1 to 64", []string{"crash", "--streams", "2,65"}},
		{"a crash with another step", `--break is "tail"; allowed: [flush persistence verify platform]`, []string{"crash", "--break", "tail"}},
		{"no capture named", "requires at least 1 arg", []string{"replay"}},
		{"capture is not there", "nothing.pcap", []string{"replay", "--engine", "go", "nothing.pcap"}},
		{"capture is a directory", "is a directory", []string{"replay", "--engine", "go", t.TempDir()}},
		{"not a capture", "a pcap or pcapng file", []string{"replay", "--engine", "go", file(t, "x.pcap", "this is no capture")}},
		{"empty capture", "pcap", []string{"replay", "--engine", "go", file(t, "x.pcap", "")}},
		{"truncated capture", "octet", []string{"replay", "--engine", "go", file(t, "x.pcap", string(capture[:len(capture)-7]))}},
		{"output below a file", "output directory", []string{"generate", "--out", file(t, "x", "") + "/rtl"}},
		{"output is a foreign directory", "is not from rnicgen", []string{"generate", "--out", filepath.Dir(file(t, "mine.txt", "x"))}},
		{"unknown aggressor", `--aggressor is "nobody"; allowed: alternating, reads-8, `, []string{"bench", "--isolation", "--aggressor", "nobody"}},
		{"aggressor without isolation", "--aggressor stags; allowed: only with --isolation", []string{"bench", "--aggressor", "stags"}},
		{"plot without isolation", "--plot out; allowed: only with --isolation", []string{"bench", "--plot", "out"}},
		{"unknown block", `--block is "divider"; allowed: atomic_responder, atomic_unit, `, []string{"prove", "--block", "divider"}},
		{"unknown solver", `--solver is "yices"; allowed: z3, cvc4`, []string{"prove", "--solver", "yices"}},
		{"no jobs", "--jobs is 0; allowed: at least 1", []string{"prove", "--jobs", "0"}},
		{"no time", "--timeout is 0s; allowed: more than 0", []string{"prove", "--timeout", "0s"}},
		{"trace is a file", "is not a directory", []string{"prove", "--trace", file(t, "x", "")}},
		{"trace is not there", "--trace: nowhere: no such file or directory; allowed: an existing directory", []string{"prove", "--trace", "nowhere"}},
		{"vectors of a directory without any", "manifest", []string{"check-vectors", "--engine", "go", t.TempDir()}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := call(tt.args...)
			assert.Equal(t, exitBadInput, code)
			assert.Contains(t, errs, tt.message)
			assert.Empty(t, out)
			assert.NotContains(t, errs, "goroutine")
		})
	}
}

// A missing compiler is named, with the command that installs it.
func TestMissingTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("RNICGEN_CACHE", t.TempDir())
	code, _, errs := call("cosim", "--messages", "1")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "apt-get install")
}

func TestMissingSolver(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, _, errs := call("prove", "--solver", "cvc4")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "cvc4 is not installed; install it with: apt-get install cvc4")
}

func TestProveReport(t *testing.T) {
	long.Test(t)
	path := filepath.Join(t.TempDir(), "report.json")
	code, out, errs := call("prove", "--block", "ddp_classify", "--json", path)
	require.Equal(t, exitAgreement, code, errs)
	assert.Contains(t, out, "ddp_classify         error_as_specified  proven k=1")
	assert.Contains(t, out, "6 properties of 2 blocks: 6 proven, 0 bounded, 0 composed, 0 excused, 0 failed")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var rows []map[string]any
	require.NoError(t, json.Unmarshal(text, &rows))
	require.Len(t, rows, 8)
	delete(rows[1], "seconds")
	delete(rows[1], "says")
	assert.Equal(t, map[string]any{"block": "ddp_classify", "property": "data_as_specified", "kind": "proven", "depth": 1.0, "solver": "z3",
		"twin": "fails at step 1, 2, 1", "ok": true}, rows[1])

	// A proof that times out fails.
	code, out, _ = call("prove", "--block", "opening_fork", "--timeout", "1ms")
	assert.Equal(t, exitMismatch, code)
	assert.Contains(t, out, "FAILED")
	assert.Contains(t, out, "timeout after 1ms")
}

func TestGenerate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rtl")
	for range 2 { // the second run replaces the first
		code, out, errs := call("generate", "--out", dir)
		require.Equal(t, exitAgreement, code, errs)
		assert.Contains(t, out, dir)
	}
	for _, name := range []string{"rnic.f", "rnic.core", "manifest.json", "rtl/rnic.v"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "no other file remains next to the directory")
}

func TestCosimReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	code, out, errs := call("cosim", "--engine", "go", "--messages", "2000", "--seed", "7", "--json", path)
	require.Equal(t, exitAgreement, code, errs)
	assert.Contains(t, out, "2000 messages")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var report map[string]any
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Greater(t, report["cycles"], 2000.0)
	assert.Greater(t, report["messages_per_second"], 0.0)
	delete(report, "cycles")
	delete(report, "messages_per_second")
	assert.Equal(t, map[string]any{"engine": "go", "config": "default", "seed": 7.0, "messages": 2000.0, "mismatches": 0.0}, report)
}

// Several seeds produce one report, up to the first mismatch.
func TestCosimSeeds(t *testing.T) {
	config := file(t, "c.yaml", smallRNIC)
	path := filepath.Join(t.TempDir(), "report.json")
	code, out, errs := call("cosim", "--engine", "go", "--config", config, "--messages", "500", "--seed", "7", "--seeds", "3", "--json", path)
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^1500 messages, \d+ cycles, 0 mismatches, 3 seeds from 7 on, engine go, `, out)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var report cosimReport
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Equal(t, []uint64{7, 3, 1500}, []uint64{report.Seed, report.Seeds, report.Messages})

	var seeds []uint64
	var o, e bytes.Buffer
	a := &app{out: &o, errs: &e, engine: "go", json: path}
	err = a.cosimSeeds(traffic{Seed: 4}, 100, func(o traffic) (ran, error) {
		seeds = append(seeds, o.Seed)
		if o.Seed == 6 {
			return ran{10, 20, 1}, errMismatch
		}
		return ran{10, 20, 1}, nil
	})
	assert.ErrorIs(t, err, errMismatch)
	assert.Equal(t, []uint64{4, 5, 6}, seeds)
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Equal(t, []uint64{3, 30, 60, 1}, []uint64{report.Seeds, report.Messages, report.Cycles, uint64(report.Mismatches)})
	assert.Empty(t, o.String())
}

func TestCosimOnSlowEngines(t *testing.T) {
	long.Test(t)
	// The same as in cosim/rnic and vectors, so that it is synthesised only once.
	config := file(t, "c.yaml", "bus_bytes: 8\nstreams: 4\nstags: 64\nord: 2\nreceive_depth: 4\nmax_payload: 256\n")
	for _, args := range [][]string{{"--engine", "icarus", "--unknown"}, {"--engine", "gates"}} {
		code, out, errs := call(append([]string{"cosim", "--config", config, "--messages", "300"}, args...)...)
		require.Equal(t, exitAgreement, code, errs)
		assert.Regexp(t, `^300 messages, \d+ cycles, 0 mismatches, seed 1, engine `+args[1], out)
	}
}

func TestReplayReport(t *testing.T) {
	code, out, errs := call("replay", "--engine", "go", "--json", "-", siw+"siw612_crc_rtest_ops.pcap", siw+"siw612_raw01_badcrc.pcap")
	require.Equal(t, exitAgreement, code, errs)
	var reports []struct {
		File       string
		TCPStreams int `json:"tcp_streams"`
		FPDUs      int
		CRCChecked int `json:"crc_checked"`
		CRCBad     int `json:"crc_bad"`
		Messages   map[string]int
		Mismatches int
		Compared   int  `json:"engine_messages_compared"`
		Memory     int  `json:"memory_octets_compared"`
		Differ     *int `json:"engine_mismatches"`
	}
	require.NoError(t, json.NewDecoder(strings.NewReader(out)).Decode(&reports))
	require.Len(t, reports, 2)
	first := reports[0]
	assert.Equal(t, []int{1, 85, 85, 0, 0}, []int{first.TCPStreams, first.FPDUs, first.CRCChecked, first.CRCBad, first.Mismatches})
	assert.Len(t, first.Messages, len(spec.Operations))
	total := 0
	for _, n := range first.Messages {
		total += n
	}
	assert.Equal(t, 85, total)
	assert.Equal(t, []int{46, 61958}, []int{first.Compared, first.Memory})
	assert.Zero(t, *first.Differ)
	assert.Equal(t, 1, reports[1].CRCBad)
}

// The configuration must have enough streams for the captured connections.
func TestReplayConfigurations(t *testing.T) {
	code, out, errs := call("replay", "--engine", "go", "--config", file(t, "c.yaml", "bus_bytes: 16\nstreams: 2\n"), siw+"siw612_p2p_read_rtr_crc.pcap")
	require.Equal(t, exitAgreement, code, errs)
	assert.Contains(t, out, "6 FPDUs, 6 messages, 136 octets of memory, 0 RoCE atomics, 0 mismatches")
	code, _, errs = call("replay", "--engine", "go", "--config", file(t, "c.yaml", "streams: 2\n"), siw+"siw612_ib_write_bw_bidir_2qp.pcap")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, "streams is 2; the capture needs more")
}

func TestVersion(t *testing.T) {
	code, out, _ := call("version")
	assert.Equal(t, exitAgreement, code)
	assert.Regexp(t, `^rnicgen \d+\.\d+\.\d+\n$`, out)
}

// The message for a capture with a mismatch. No capture has one, so the report is constructed.
func TestReplayMismatch(t *testing.T) {
	var out, errs bytes.Buffer
	a := &app{out: &out, errs: &errs, engine: "go", config: "small.yaml"}
	err := a.replayResult([]replayReport{{File: "a.pcap", Differences: 2, Report: replay.Report{First: errors.New("message 7")}}, {File: "b.pcap"}})
	assert.ErrorIs(t, err, errMismatch)
	assert.Equal(t, `mismatch: a.pcap: message 7
reproduce it with:
  rnicgen replay --engine go --config small.yaml --trace mismatch.vcd a.pcap
`, errs.String())
}

// Every requirement has evidence or a reviewed exception.
func TestRequirements(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matrix.json")
	code, out, errs := call("requirements", "--json", path)
	require.Equal(t, exitAgreement, code, out+errs)
	assert.Contains(t, out, " 0 orphans\n")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var report struct {
		Catalogues []map[string]any
		Orphans    []string
		Rows       []map[string]any
	}
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Len(t, report.Catalogues, len(requirements.Catalogues)+1)
	assert.Equal(t, []string{}, report.Orphans)
	require.Greater(t, len(report.Rows), 900)
	for _, r := range report.Rows {
		for _, key := range []string{"id", "catalogue", "level", "section", "status"} {
			assert.NotEmpty(t, r[key])
		}
		shown := len(r["properties"].([]any)) > 0 || r["vectors"].(map[string]any)["count"] != 0.0
		_, excepted := r["exception"]
		assert.Equal(t, shown, r["status"] == "vectors" || r["status"] == "properties", r["id"])
		assert.Equal(t, excepted, r["status"] == "exception", r["id"])
		assert.Equal(t, shown, len(r["implemented"].([]any)) > 0, r["id"])
	}
	code, out, _ = call("requirements", "--config", file(t, "c.yaml", "top: rnic"), "--catalogue", "rfc7306")
	assert.Equal(t, exitAgreement, code)
	assert.Contains(t, out, "\n260 requirements: ")
	code, out, _ = call("requirements", "--config", file(t, "c.yaml", "top: rnic"), "--catalogue", "draft-ietf-storm-rdmap-ext-00")
	assert.Equal(t, exitAgreement, code)
	assert.Contains(t, out, " 68 not of a profile of this configuration, 0 orphans\n")
	code, _, errs = call("requirements", "--config", file(t, "c.yaml", "top: rnic"), "--catalogue", "rfc5040")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `catalogue is "rfc5040"; allowed: ocp-rdma-over-falcon-0.9, `)
}

// Vectors are written, then replayed against the golden model and the hardware.
func TestVectors(t *testing.T) {
	config := file(t, "c.yaml", "bus_bytes: 16\nstreams: 8\nstags: 64\nmax_payload: 256\n")
	dir := filepath.Join(t.TempDir(), "vectors")
	counts := filepath.Join(t.TempDir(), "counts.json")
	code, out, errs := call("vectors", "--config", config, "--out", dir, "--flags", "--json", counts)
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^flag  +tests  errors\n`, out)
	assert.Regexp(t, `\n2[0-9]{3} tests, [0-9]+ with errors \([3-9][0-9] %\), [0-9]+ acceptable, 27 files in `, out)
	text, err := os.ReadFile(counts)
	require.NoError(t, err)
	var report vectorsReport
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Equal(t, 27, report.Files)
	assert.Equal(t, report.Summary.ErrorShare(), report.ErrorPercent)
	assert.Greater(t, len(report.Summary.Flags), 20)
	for _, f := range report.Summary.Flags {
		assert.Positive(t, f.Tests, f.Flag)
		assert.Regexp(t, fmt.Sprintf(`\n%s +%d +%d\n`, f.Flag, f.Tests, f.Errors), out)
	}
	code, out, errs = call("check-vectors", "--engine", "go", "--tcid", "1000,1100,1200", dir)
	require.Equal(t, exitAgreement, code, out+errs)
	assert.Equal(t, "PASS: 3 tests against the golden model and the generated hardware on go, 3 passed, 0 failed\n", out)
}

// The whole engine: the report, and the command that reproduces a mismatch.
func TestCosimOfTheWholeEngine(t *testing.T) {
	config := file(t, "whole.yaml", "top: rnic\nstreams: 4\nstags: 64")
	args := []string{"cosim", "--engine", "go", "--config", config, "--messages", "60", "--seed", "9", "--peer", "rtl", "--error-rate", "0.1", "--memory-latency", "1..9", "--stall", "random:40"}
	code, out, errs := call(append(args, "--json", "-")...)
	require.Equal(t, exitAgreement, code, errs)
	var report cosimReport
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	assert.Equal(t, cosimReport{Engine: "go", Config: config, Seed: 9, Messages: 60, Cycles: report.Cycles, MessagesPerSecond: report.MessagesPerSecond}, report)
	assert.NotZero(t, report.Cycles)
	for _, messages := range []string{"1", "3", "20"} { // in phases, as far as the messages suffice
		code, out, _ = call("cosim", "--engine", "go", "--config", config, "--streams", "2", "--active-streams", "1", "--messages", messages)
		assert.Equal(t, exitAgreement, code)
		assert.Contains(t, out, messages+" messages, ")
	}

	a := &app{engine: "go", config: config}
	plan := rnic.Plan{Messages: 60, Seed: 9, Peer: "rtl", ErrorRate: 0.25, Latency: simulator.Latency{Least: 1, Most: 9}, Stall: simulator.Stall{Mode: simulator.StallRandom, Chance: 40}}
	assert.Equal(t, "rnicgen cosim --engine go --config "+config+" --messages 60 --seed 9 --peer rtl --streams 2 --error-rate 0.25 --memory-latency 1..9 --stall random:40 --trace mismatch.vcd",
		a.againWhole(plan, 2, a.configArgument()))
}
