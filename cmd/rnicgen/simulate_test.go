package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sarchlab/akita/v3/tracing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/system"
)

// A sequencer: every number is drawn once, serial and parallel runs are equal, and the JSON report has the rows that are printed.
func TestSimulate(t *testing.T) {
	code, out, errs := call("simulate", "--workload", "sequencer", "--nodes", "3", "--json", "-", "--engine", "serial")
	require.Equal(t, exitAgreement, code, errs)
	var serial simulateReport
	require.NoError(t, json.Unmarshal([]byte(out), &serial))
	require.Len(t, serial.Rows, 2)
	assert.Equal(t, uint64(2*1000), serial.Rows[0].Count)
	assert.False(t, serial.Rows[0].Operation)
	assert.Equal(t, "fetch_add", serial.Rows[1].Name)
	assert.Equal(t, uint64(2*1000), serial.Nodes[0].SegmentsIn)
	assert.InDelta(t, 1, serial.Rows[0].Fairness, 0.01)

	code, out, errs = call("simulate", "--workload", "sequencer", "--nodes", "3", "--json", "-")
	require.Equal(t, exitAgreement, code, errs)
	var parallel simulateReport
	require.NoError(t, json.Unmarshal([]byte(out), &parallel))
	assert.Equal(t, serial.Rows, parallel.Rows)
	assert.Equal(t, serial.Nodes, parallel.Nodes)
	assert.Equal(t, serial.Cycles, parallel.Cycles)

	code, out, errs = call("simulate", "--workload", "sequencer", "--nodes", "3")
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `(?m)^3 nodes, \d+ cycles, [\d.]+ us simulated$`, out)
	assert.Regexp(t, `(?m)^ +draw +fetch_add +2000 +0 `, out)
	assert.Regexp(t, `(?m)^ +draw +- fetch_add +2000 +0 `, out)
}

// The hardware as one of the nodes, in a small configuration.
func TestSimulateHardware(t *testing.T) {
	long.Test(t)
	config := file(t, "small.yaml", smallRNIC)
	workload := file(t, "w.yaml", `
flows:
  - {from: 0, to: 1, transactions: 20, mix: [{steps: [{operation: write, octets: 100}, {operation: fetch_add}]}]}
`)
	code, out, errs := call("simulate", "--config", config, "--workload", workload, "--rtl", "1")
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `(?m)^ +flow 0 +write +20 `, out)
	code, out, errs = call("simulate", "--config", config, "--workload", workload, "--compare")
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `(?m)^ +flow 0 +write +20 `, out)
}

// A configuration of the profile falcon is enough for a network of RDMA over Falcon, which may reorder; the seed decides, not the engine.
func TestSimulateFalcon(t *testing.T) {
	config := file(t, "falcon.yaml", "profile: falcon\n")
	workload := file(t, "w.yaml", `
nodes: 3
network: {reorder: 1us}
flows:
  - {from: 1-, to: 0, transactions: 200, ordering: weak, mix: [{steps: [{operation: fetch_add}]}]}
`)
	run := func(more ...string) (r simulateReport) {
		code, out, errs := call(append([]string{"simulate", "--config", config, "--workload", workload, "--json", "-"}, more...)...)
		require.Equal(t, exitAgreement, code, errs)
		require.NoError(t, json.Unmarshal([]byte(out), &r))
		return r
	}
	serial, parallel := run(), run("--engine", "parallel")
	require.Len(t, serial.Rows, 2)
	assert.Equal(t, uint64(400), serial.Rows[0].Count)
	assert.Equal(t, serial.Report, parallel.Report)
	assert.NotEqual(t, serial.Cycles, run("--seed", "2").Cycles)
}

// What was measured on the hardware of the profile falcon is printed by its name.
func TestTimingOfFalcon(t *testing.T) {
	code, out, errs := call("timing", "--config", file(t, "falcon.yaml", "profile: falcon\nbus_bytes: 16\nstreams: 2\nstags: 16\n"), "--engine", "go")
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `(?m)^completed to done +26$`, out)
	assert.Regexp(t, `(?m)^one qp: writes in +\d`, out)
}

func TestSimulateRefuses(t *testing.T) {
	workload := file(t, "w.yaml", "nodes: 2\nflows: []\n")
	for _, c := range []struct {
		args    []string
		message string
	}{
		{[]string{"--workload", "nothing"}, `--workload: workload "nothing"; allowed: a file, or aggressor, all-to-all, `},
		{[]string{"--workload", workload}, "workload: flows is empty; allowed: at least one flow"},
		{[]string{"--workload", file(t, "x.yaml", "node: 1\n")}, "workload: line 1: field node not found"},
		{[]string{"--nodes", "300"}, "workload: nodes is 300; allowed: 2 to 256"},
		{[]string{"--engine", "go"}, `--engine is "go"; allowed: serial, parallel`},
		{[]string{"--rtl", "x"}, `--rtl: nodes "x"; allowed: all, a number`},
		{[]string{"--rtl", "2"}, "workload: rtl is 2; allowed: 0 to 1"},
		{[]string{"--trace", "trace.txt"}, "--trace is trace.txt; allowed: a new file with the extension .csv"},
		{[]string{"--trace", "/nothing/trace.csv"}, "--trace: /nothing/trace.csv cannot be created"},
		{[]string{"--trace", file(t, "t.csv", "")}, "exists; allowed: a new file"},
		{[]string{"--compare", "--rtl", "0"}, "--compare with --rtl"},
		{[]string{"--compare", "--monitor"}, "--compare with --plot, --trace or --monitor"},
		{[]string{"--workload", "log", "--config", file(t, "f.yaml", "profile: falcon\n")}, "steps[1].operation is flush; allowed: write, read, send, fetch_add, cmp_swap with profile falcon"},
		{[]string{"--workload", file(t, "r.yaml", "network: {reorder: 200ns}\nflows: [{from: 0, to: 1, transactions: 1, mix: [{steps: [{operation: write}]}]}]\n")},
			"network.reorder is 200ns; allowed: 0s, as iWARP is over TCP"},
		{[]string{"--workload", "log", "--config", file(t, "c.yaml", "")}, "steps[1].operation is flush; allowed: with the extension commit"},
	} {
		code, out, errs := call(append([]string{"simulate"}, c.args...)...)
		assert.Equal(t, exitBadInput, code, "%v", c.args)
		assert.Contains(t, errs, c.message)
		assert.Empty(t, out)
	}
}

// The trace is what akita's viewer reads: every transaction, its operations, and the segments and accesses that they cause.
func TestSimulateTrace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trace.csv")
	code, _, errs := call("simulate", "--workload", "lock", "--nodes", "3", "--trace", path)
	require.Equal(t, exitAgreement, code, errs)
	r := tracing.NewCSVTraceReader(path)
	assert.Subset(t, r.ListComponents(), []string{"Node[0].RNIC", "Node[0].Memory", "Node[1].Host"})
	kinds := map[string]int{}
	operations := map[string]int{}
	for _, task := range r.ListTasks(tracing.TaskQuery{}) {
		kinds[task.Kind]++
		if task.Kind == "operation" {
			operations[task.ParentID]++
			assert.Greater(t, task.EndTime, task.StartTime)
		}
	}
	assert.Equal(t, 200, kinds["transaction"])
	assert.Greater(t, kinds["segment"], kinds["operation"])
	assert.Greater(t, kinds["req_in"], kinds["operation"])
	require.Len(t, operations, 200)
	for id, n := range operations {
		assert.GreaterOrEqual(t, n, 3, id)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing unfinished is left")
}

func TestSimulatePlots(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plots")
	workload := file(t, "w.yaml", `
nodes: 4
flows:
  - {from: 1-, to: 0, transactions: 30, mix: [{steps: [{operation: read, octets: 512}]}]}
`)
	code, _, errs := call("simulate", "--workload", workload, "--plot", dir)
	require.Equal(t, exitAgreement, code, errs)
	for _, name := range []string{"latency.svg", "contenders.svg", "fairness.svg"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Contains(t, string(text), "<svg")
	}
}

// akita's page tells of the components while a simulation runs, and afterwards until it is interrupted.
func TestSimulateMonitor(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(self, "simulate", "--monitor")
	c.Env = append(os.Environ(), "RNICGEN_MAIN=1")
	stderr, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() })
	address := ""
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if m := regexp.MustCompile(`http://localhost:\d+`).FindString(lines.Text()); m != "" {
			address = m
			break
		}
	}
	require.NotEmpty(t, address)
	get := func(path string) string {
		client := http.Client{Timeout: 10 * time.Second}
		r, err := client.Get(address + path)
		require.NoError(t, err)
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return string(text)
	}
	var components []string
	require.NoError(t, json.Unmarshal([]byte(get("/api/list_components")), &components))
	assert.Equal(t, []string{"Node[0].Host", "Node[0].RNIC", "Node[0].Memory", "Node[1].Host", "Node[1].RNIC", "Node[1].Memory"}, components)
	assert.Contains(t, get("/"), "Akita Monitoring Tool")
	if !testing.Short() {
		page, err := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom", address).Output()
		require.NoError(t, err)
		assert.Contains(t, string(page), "Node[0]")
	}
	for lines.Scan() && !strings.Contains(lines.Text(), "the simulation is over") {
	}
	require.NoError(t, c.Process.Signal(syscall.SIGINT))
	assert.NoError(t, c.Wait(), "the run is complete")
}

// akita's server listens at all addresses, and answers this machine only.
func TestMonitorIsLocal(t *testing.T) {
	h := loopbackOnly(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") }))
	for from, want := range map[string]int{
		"127.0.0.1:1000": http.StatusOK, "127.9.9.9:1": http.StatusOK, "[::1]:1000": http.StatusOK, "[::ffff:127.0.0.1]:7": http.StatusOK,
		"192.0.2.1:1000": http.StatusForbidden, "[2001:db8::1]:1000": http.StatusForbidden, "[::ffff:192.0.2.1]:7": http.StatusForbidden, "": http.StatusForbidden,
	} {
		r := httptest.NewRequest(http.MethodGet, "/api/now", nil)
		r.RemoteAddr = from
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		assert.Equal(t, want, w.Code, from)
		assert.Equal(t, want == http.StatusOK, w.Body.String() == "page", from)
	}
}

// Shipped workloads are described, and the page about them lists them all.
func TestWorkloadsAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/simulate.md")
	require.NoError(t, err)
	for _, name := range system.Shipped() {
		text, err := system.OpenShipped(name)
		require.NoError(t, err)
		w, err := system.ReadWorkload(strings.NewReader(string(text)))
		require.NoError(t, err)
		assert.NotEmpty(t, w.About)
		assert.NotEmpty(t, w.LookFor)
		assert.Contains(t, string(page), "| `"+name+"` | "+w.About+". Look for: "+w.LookFor+" |")
	}
}
