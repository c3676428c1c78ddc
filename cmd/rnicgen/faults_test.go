package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/internal/long"
)

// oneLine checks the message for a failure outside the hardware: one line that names it.
func oneLine(t *testing.T, shows, errs string) {
	t.Helper()
	assert.Contains(t, errs, shows)
	assert.Equal(t, 1, strings.Count(errs, "\n"), errs)
	assert.NotContains(t, errs, "goroutine")
}

// use maps each tool to a command that needs it.
var use = map[string][]string{
	"verilator":    {"cosim"},
	"g++":          {"cosim"},
	"iverilog":     {"cosim", "--engine", "icarus"},
	"iverilog-vpi": {"cosim", "--engine", "icarus"},
	"vvp":          {"cosim", "--engine", "icarus"},
	"yosys":        {"cosim", "--engine", "gates"},
	"yosys-smtbmc": {"prove", "--block", "failure_gather"},
	"z3":           {"prove", "--block", "failure_gather"},
	"cadical":      {"prove", "--block", "failure_gather"},
	"cvc4":         {"prove", "--block", "failure_gather", "--solver", "cvc4"},
}

// Each missing tool is named, with the command that installs it, before anything is built.
func TestEachMissingTool(t *testing.T) {
	all := []string{"cc", "gcc", "perl", "python3", "yosys-abc"}
	for name := range use {
		all = append(all, name)
	}
	for name, args := range use {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, other := range all {
				if path, err := exec.LookPath(other); err == nil && other != name {
					require.NoError(t, os.Symlink(path, filepath.Join(dir, other)))
				}
			}
			t.Setenv("RNICGEN_CACHE", t.TempDir())
			t.Setenv("PATH", dir)
			code, out, errs := call(args...)
			assert.Equal(t, exitBadInput, code)
			assert.Empty(t, out)
			oneLine(t, name+" is not installed", errs)
			assert.Contains(t, errs, "install it with: apt-get install ")
		})
	}
}

// A tool that is killed, fails, or produces nothing is named in one line, and leaves no report and no model.
func TestToolsThatDie(t *testing.T) {
	config := file(t, "small.yaml", smallRNIC)
	for name, args := range use {
		if name == "cvc4" {
			continue // as z3
		}
		for how, script := range map[string]string{"is killed": "kill -KILL $$", "fails": "exit 3", "does nothing": "exit 0"} {
			t.Run(name+" "+how, func(t *testing.T) {
				if how != "fails" && name != "g++" {
					long.Test(t)
				}
				t.Parallel()
				path := filepath.Join(t.TempDir(), "report.json")
				args := append(args, "--json", path, "--quiet")
				if args[0] == "cosim" {
					args = append(args, "--config", config)
				}
				p := start(t, map[string]string{name: real(t, name) + script}, args...)
				assert.Equal(t, exitBadInput, p.end(t))
				who := name
				if name == "z3" {
					who = "the solver z3 ended without an answer"
				}
				oneLine(t, who, p.errs.String())
				assert.Empty(t, p.out.String())
				assert.NoFileExists(t, path)
				assert.Empty(t, left(t, p.temporary))
				for _, entry := range left(t, p.cache) { // products of other tools may stay
					assert.True(t, strings.HasPrefix(entry, "vpi-") || strings.HasPrefix(entry, "icarus-"), entry)
				}
			})
		}
	}
}

// A truncated or missing model in the cache is rebuilt, which one line reports; the run itself is unaffected.
func TestDamagedModel(t *testing.T) {
	long.Test(t)
	t.Setenv("RNICGEN_CACHE", t.TempDir())
	config := file(t, "small.yaml", smallRNIC)
	run := func() string {
		code, out, errs := call("cosim", "--engine", "icarus", "--config", config, "--messages", "20")
		require.Equal(t, exitAgreement, code, errs)
		assert.Regexp(t, "^20 messages, .* 0 mismatches", out)
		return errs
	}
	assert.Empty(t, run())
	for name, shows := range map[string]string{"icarus-*/dut.vvp": "dut.vvp has 1000 octets, not ", "vpi-*/rnicgen.vpi": "rnicgen.vpi: no such file or directory"} {
		paths, err := filepath.Glob(filepath.Join(os.Getenv("RNICGEN_CACHE"), name))
		require.NoError(t, err)
		require.Len(t, paths, 1)
		if strings.HasPrefix(name, "vpi") {
			require.NoError(t, os.Remove(paths[0]))
		} else {
			require.NoError(t, os.Truncate(paths[0], 1000))
		}
		oneLine(t, shows, run())
		assert.Empty(t, run())
	}
}

// A full disk for the cache, the report, the waveform or the output.
func TestFullDisk(t *testing.T) {
	long.Test(t)
	config := file(t, "small.yaml", smallRNIC)
	for name, tt := range map[string]struct {
		shows string
		args  func(full string) []string
	}{
		"generate": {"no space left on device", func(full string) []string { return []string{"generate", "--out", full + "/rtl"} }},
		"vectors":  {"no space left on device", func(full string) []string { return []string{"vectors", "--out", full + "/vectors"} }},
		"report":   {"report.json is not written: no space left on device", func(full string) []string { return []string{"requirements", "--json", full + "/report.json"} }},
		"waveform": {"wave.vcd cannot be written: ", func(full string) []string {
			return []string{"cosim", "--engine", "go", "--config", config, "--messages", "300", "--trace", full + "/wave.vcd"}
		}},
		"waveform of icarus": {"wave.vcd cannot be written: ", func(full string) []string {
			return []string{"cosim", "--engine", "icarus", "--config", config, "--messages", "100", "--trace", full + "/wave.vcd"}
		}},
		"cache": {"no space left for built models in ", func(string) []string {
			return []string{"cosim", "--engine", "icarus", "--config", config}
		}},
		"cache of verilator": {"no space left for built models in ", func(string) []string { return []string{"cosim", "--config", config} }},
	} {
		t.Run(name, func(t *testing.T) {
			full := smallDisk(t)
			if full == "" {
				return // mounting is not permitted; other tests cover a full device and injected errors
			}
			if strings.HasPrefix(name, "cache") {
				t.Setenv("RNICGEN_CACHE", full)
			}
			code, _, errs := call(tt.args(full)...)
			assert.Equal(t, exitBadInput, code)
			oneLine(t, tt.shows, errs)
			assert.Empty(t, left(t, full))
		})
	}
}

// A failure to write standard output is an error for every command.
func TestFullStandardOutput(t *testing.T) {
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer device.Close()
	for _, args := range [][]string{{"version"}, {"requirements", "--json", "-"}, {"--help"}} {
		var errs bytes.Buffer
		assert.Equal(t, exitBadInput, run(t.Context(), args, device, &errs), args)
		oneLine(t, "rnicgen: standard output: no space left on device", errs.String())
	}
	code, out, errs := call("requirements", "--json", "/dev/full")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, out, " 0 orphans\n", "the result is printed regardless")
	oneLine(t, "rnicgen: --json: /dev/full is not written: no space left on device", errs)
}

// A report that cannot be written is refused before any work: no tool runs, nothing is printed.
func TestUnwritableReport(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	here := t.TempDir()
	for _, command := range [][]string{{"cosim"}, {"replay", siw + "siw612_crc_rtest_ops.pcap"}, {"vectors", "--out", filepath.Join(here, "out")}, {"check-vectors", here},
		{"soak"}, {"crash"}, {"mutate"}, {"prove"}, {"coverage"}, {"requirements"}, {"bench"}} {
		for path, shows := range map[string]string{
			filepath.Join(here, "none", "report.json"): "cannot be created: no such file or directory",
			file(t, "file", "") + "/report.json":       "not a directory",
			here:                                       "is a directory",
			"/proc/report.json":                        "cannot be created: ",
		} {
			code, out, errs := call(append(command, "--json", path)...)
			assert.Equal(t, exitBadInput, code)
			assert.Empty(t, out)
			oneLine(t, "--json: ", errs)
			assert.Contains(t, errs, shows)
			assert.Contains(t, errs, "; allowed: a file that can be written, or - for standard output")
		}
	}
	assert.Empty(t, left(t, here))
}

// A report is written completely or not at all, through a link, over an old one, and to a device.
func TestReportIsWhole(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.json"), filepath.Join(dir, "link.json")
	require.NoError(t, os.WriteFile(target, []byte("old and long"), 0o600))
	require.NoError(t, os.Symlink(target, link))
	require.NoError(t, writeWhole(link, []byte("new")))
	text, err := os.ReadFile(target)
	require.NoError(t, err)
	assert.Equal(t, "new", string(text))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	require.NoError(t, writeWhole("/dev/null", []byte("x")))
	assert.ErrorIs(t, writeWhole("/dev/full", []byte("x")), syscall.ENOSPC)
	assert.Equal(t, []string{"link.json", "target.json"}, left(t, dir))
}

// A waveform that cannot be written is refused before a model is built.
func TestUnwritableWaveform(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, engine := range []string{"verilator", "icarus", "go"} {
		code, _, errs := call("cosim", "--engine", engine, "--trace", "/proc/nowhere/wave.vcd")
		assert.Equal(t, exitBadInput, code)
		oneLine(t, "trace file /proc/nowhere/wave.vcd cannot be written: no such file or directory", errs)
	}
}
