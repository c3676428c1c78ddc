package vectors

import (
	"bytes"
	"cmp"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	rnic "github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/outdir"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

func check(t *testing.T, dir string, o CheckOptions) *Report {
	t.Helper()
	r, err := Check(dir, o)
	require.NoError(t, err)
	return r
}

// TestCheckPasses: all tests of the default configuration, on Verilator, and every sixth under stalls; with -short, a quarter of them.
func TestCheckPasses(t *testing.T) {
	t.Parallel()
	s := newSuite(t, gen.Default())
	dir := directory(t, s)
	var all []int
	sixth := 6
	if testing.Short() {
		all, sixth = every(t, s, 4), 24
	}
	for _, o := range []CheckOptions{{TcIDs: all}, {Stall: simulator.Stall{Mode: simulator.StallBursts, Chance: 128}, TcIDs: every(t, s, sixth)}} {
		o.Engine, o.Options.Seed = "verilator", 5
		r := check(t, dir, o)
		var text bytes.Buffer
		require.NoError(t, r.Write(&text))
		require.True(t, r.OK(), "%v: %s", o.Stall.Mode, text.String())
		want := cmp.Or(len(o.TcIDs), s.NumberOfTests)
		assert.Equal(t, want, r.Passed)
		assert.Equal(t, fmt.Sprintf("PASS: %d tests against the golden model and the generated hardware on verilator, %[1]d passed, 0 failed\n", want), text.String())
	}
}

// every returns the tcIds of every nth test.
func every(t *testing.T, s *suite.Suite, n int) (ids []int) {
	t.Helper()
	s.Each(func(_ *suite.Group, one *suite.Test) {
		if one.TcID%n == 3%n {
			ids = append(ids, one.TcID)
		}
	})
	require.Greater(t, len(ids), 5, "too few tests to be meaningful")
	return ids
}

// TestCheckOnGo: some tests of a small configuration on the other engine.
func TestCheckOnGo(t *testing.T) {
	t.Parallel()
	s := newSuite(t, small)
	ids := every(t, s, 80)
	r := check(t, directory(t, s), CheckOptions{Engine: "go", TcIDs: ids, Options: simulator.Options{Seed: 3}})
	assert.True(t, r.OK(), "%+v", r.Failures)
	assert.Equal(t, len(ids), r.Passed)
}

// TestCheckOfOutcomesInMemory: tests with expected memory contents at their outcomes, on a narrow bus, where the first
// outcome takes long.
func TestCheckOfOutcomesInMemory(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"order/write/read", "order/read/read"} {
		s := newSuite(t, small)
		only(t, s, key)
		r := check(t, directory(t, s), CheckOptions{Engine: "go", Options: simulator.Options{Seed: 1}})
		assert.True(t, r.OK(), "%s: %+v", key, r.Failures)
	}
}

// TestModels: the files of all configurations agree with the golden model; the default one is checked together with the
// hardware.
func TestModels(t *testing.T) {
	long.Test(t)
	t.Parallel()
	for _, c := range configs[1:] {
		r := check(t, directory(t, newSuite(t, c.config)), CheckOptions{})
		assert.True(t, r.OK(), "%s: %+v", c.name, r.Failures)
	}
}

// tampered lists files with a wrong expectation.
var tampered = []struct {
	what  string
	key   string
	wrong func(one *suite.Test)
	place string
}{
	{"a bit of a response", "fetch_add/none/carry", func(one *suite.Test) { one.Expect[0].Hex[29] ^= 1 }, "expect/0"},
	{"a code of a Terminate", "error/rdma_write/stag/key", func(one *suite.Test) { one.Expect[0].Hex[19] ^= 1 }, "expect/0"},
	{"the header that a Terminate returns", "error/rdma_write/stag/key", func(one *suite.Test) { one.Expect[0].Hex[26] ^= 0x80 }, "expect/0"},
	{"the length of a segment", "out/rdma_write", func(one *suite.Test) { one.Expect[0].Hex = one.Expect[0].Hex[:20] }, "expect/0"},
	{"the stream of a segment", "out/rdma_write", func(one *suite.Test) { one.Expect[0].Stream ^= 1 }, "expect/0"},
	{"the order of responses", "order/answers", func(one *suite.Test) { one.Expect[0], one.Expect[1] = one.Expect[1], one.Expect[0] }, "expect/0"},
	{"the id of a completion", "out/send", func(one *suite.Test) { one.Expect[1].Completion.ID++ }, "expect/1"},
	{"the status of a completion", "error/out/rdma_write/bounds", func(one *suite.Test) { one.Expect[0].Completion.Status = "flushed" }, "expect/0"},
	{"the length of a completion", "out/send", func(one *suite.Test) { *one.Expect[1].Completion.Length++ }, "expect/1"},
	{"the data of a completion", "in/immediate/stream0", func(one *suite.Test) { *one.Expect[0].Completion.Data ^= 1 << 63 }, "expect/0"},
	{"the STag of a completion", "invalidate/send_inv/nothing", func(one *suite.Test) { *one.Expect[0].Completion.STag ^= 1 }, "expect/0"},
	{"the kind of an event", "in/send_se/stream0", func(one *suite.Test) { one.Expect[1].Event.Kind = "receive_refused" }, "expect/1"},
	{"the code of an event", "in/terminate/stream0", func(one *suite.Test) { one.Expect[0].Event.Code ^= 1 }, "expect/0"},
	{"an octet of memory", "in/rdma_write/stream0", func(one *suite.Test) { one.Memory[0].Hex[3] ^= 1 }, "memory/0"},
	{"an octet that must not change", "in/rdma_write/stream0", func(one *suite.Test) {
		last := &one.Memory[len(one.Memory)-1]
		last.Hex = append(last.Hex, 0)
	}, ""},
	{"an outcome that is missing", "order/answers", func(one *suite.Test) { one.Expect = one.Expect[:1] }, "m_axis_tx, after the last outcome"},
	{"an excess outcome", "out/read_request", func(one *suite.Test) { one.Expect = append(one.Expect, one.Expect[0]) }, "expect/1"},
	{"a counter", "register/in", func(one *suite.Test) { one.Expect[len(one.Expect)-1].Register.Value++ }, ""},
	{"an entry of the log", "register/terminates/streams", func(one *suite.Test) {
		for i := range one.Expect {
			if r := one.Expect[i].Register; r != nil && r.Name == suite.LogRegister {
				r.Value ^= 1 << 16
				return
			}
		}
	}, ""},
	{"memory that has not been written yet", "order/atomic_response_then_completion", func(one *suite.Test) {
		one.Expect[1].Memory = []suite.Octets{{Address: one.Memory[0].Address, Hex: suite.HexOctets{one.Memory[0].Hex[0] ^ 1}}}
	}, "expect/1"},
}

// TestCheckFindsWrongFiles: every wrong expectation in a file is found by the model, and also by the hardware alone.
func TestCheckFindsWrongFiles(t *testing.T) {
	t.Parallel()
	device, err := rnic.OpenDevice(small, rnic.Options{Engine: "go", Seed: 1, Latency: MemoryLatency})
	require.NoError(t, err)
	defer device.Close()
	hardware := replay.NewHardware(device, simulator.Stall{})
	for _, c := range tampered {
		t.Run(c.what, func(t *testing.T) {
			s := newSuite(t, small)
			g, one := only(t, s, c.key)
			c.wrong(one)
			one.Result = suite.ResultOf(one)
			dir := directory(t, s)
			r := check(t, dir, CheckOptions{})
			assert.False(t, r.OK())
			require.Len(t, r.Failures, 1)
			f := r.Failures[0]
			assert.Equal(t, one.TcID, f.TcID)
			if c.place != "" {
				assert.Equal(t, c.place, f.Place)
			}
			assert.Equal(t, "the golden model disagrees with the file", f.Problem)
			assert.NotEqual(t, f.Expected, f.Actual)
			assert.Equal(t, fmt.Sprintf("rnicgen check-vectors --tcid %d %s", one.TcID, dir), f.Rerun)

			checker := checker{hardware: hardware, device: device, report: &Report{}}
			found, err := checker.run(g, one)
			require.NoError(t, err)
			require.NotNil(t, found, "the hardware agrees")
			assert.Equal(t, "the hardware disagrees with the file", found.Problem)
		})
	}
}

// TestCheckFindsBrokenHardware forces one value in the hardware and checks which tests detect it.
func TestCheckFindsBrokenHardware(t *testing.T) {
	t.Parallel()
	s := newSuite(t, small)
	for _, f := range []struct {
		what, module, value string
		is                  uint64
		finds, passes       string
	}{
		{"completions do not wait for memory", "delivery_gate_4_2", "has_arrived", 1, "order/many_writes_then_immediate", "in/terminate/stream0"},
		{"no event is solicited", "delivery_gate_4_2", "is_solicited", 0, "in/send_se/stream0", "in/send/stream0"},
		{"every STag may be invalidated", "rx_check_4_2_2_4", "cannot_be_invalidated", 0, "error/send_inv/right", "invalidate/send_inv/nothing"},
		{"Terminates omit the Read Request", "terminate_builder_4_2", "has_read_request", 0, "error/read_request/access", "error/rdma_write/access"},
		{"an invalid STag remains usable", "rx_check_4_2_2_4", "delivered_stag", 0, "in/send_inv/stream0", "in/send/stream0"},
	} {
		t.Run(f.what, func(t *testing.T) {
			one := *s
			g, finds := find(t, s, f.finds)
			other, passes := find(t, s, f.passes)
			a, b := *g, *other
			a.Tests, b.Tests = []suite.Test{*finds}, []suite.Test{*passes}
			one.Groups, one.NumberOfTests = []suite.Group{a, b}, 2
			r := check(t, directory(t, &one), CheckOptions{Engine: "go", open: func(c gen.Config, o rnic.Options) (device, error) {
				d, err := gen.Compile(c)
				require.NoError(t, err)
				hdltest.Force(t, d, f.module, f.value, f.is)
				return rnic.OpenDesign(c, rnic.DesignOf(c, d), o)
			}})
			require.Equal(t, 1, r.Failed)
			assert.Equal(t, finds.TcID, r.Failures[0].TcID)
			assert.Equal(t, 1, r.Passed)
			var text bytes.Buffer
			require.NoError(t, r.Write(&text))
			assert.Contains(t, text.String(), "reproduce it with: rnicgen check-vectors --engine go --tcid")
		})
	}
}

// TestQuiet: the caller selects the quiet time. If it is long enough, nothing changes; if too short, outcomes are
// missing.
func TestQuiet(t *testing.T) {
	s := newSuite(t, small)
	only(t, s, "error/read_request/bounds/behind")
	dir := directory(t, s)
	for quiet, ok := range map[uint64]bool{1: false, 60: true, 1000: true} {
		r := check(t, dir, CheckOptions{Engine: "go", Options: simulator.Options{Seed: 3}, Quiet: quiet, Permissive: true})
		assert.Equal(t, ok, r.OK(), quiet)
		if !ok {
			assert.Contains(t, r.Failures[0].Rerun, fmt.Sprintf("check-vectors --engine go --permissive --quiet-cycles %d --tcid", quiet))
		}
	}
}

// TestPermissive: hardware with a larger IRD than in the file behaves as the specifications permit, but not as decided.
func TestPermissive(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"limit/ird/read", "limit/ird/atomic"} {
		s := newSuite(t, small)
		only(t, s, key)
		dir := directory(t, s)
		for _, c := range []struct {
			ird        int
			permissive bool
			ok         bool
		}{{2, false, true}, {2, true, true}, {4, false, false}, {4, true, true}} {
			r := check(t, dir, CheckOptions{Engine: "go", Options: simulator.Options{Seed: 3}, Permissive: c.permissive, open: func(config gen.Config, o rnic.Options) (device, error) {
				config.IRD = c.ird
				return rnic.OpenDevice(config, o)
			}})
			assert.Equal(t, c.ok, r.OK(), "%s: %+v: %+v", key, c, r.Failures)
		}
	}
}

// hanging is hardware that never becomes idle.
type hanging struct{ device }

func (hanging) Run(uint64, uint64) (simulator.Result, error) {
	return simulator.Result{Cycles: 64, Why: simulator.Stuck}, &simulator.StuckError{Cycle: 7, Idle: 64}
}

// TestCheckOfHangingHardware: the check ends soon, and tests that were not run do not count as passed.
func TestCheckOfHangingHardware(t *testing.T) {
	t.Parallel()
	s := newSuite(t, small)
	opened := 0
	r := check(t, directory(t, s), CheckOptions{Engine: "go", open: func(c gen.Config, o rnic.Options) (device, error) {
		opened++
		d, err := rnic.OpenDevice(c, o)
		return hanging{d}, err
	}})
	assert.Equal(t, 1+maxStuck, opened)
	assert.Zero(t, r.Passed)
	assert.Equal(t, maxStuck, r.Failed)
	assert.Equal(t, s.NumberOfTests, r.Failed+r.NotRun)
	assert.Contains(t, r.Failures[0].Problem, "the hardware hangs: stuck in cycle 7")
}

// TestCheckTcIDs: only the selected tests run; an unknown tcId is refused.
func TestCheckTcIDs(t *testing.T) {
	s := newSuite(t, small)
	g, one := find(t, s, "in/send/stream0")
	s.Groups, s.NumberOfTests = []suite.Group{*g}, len(g.Tests)
	dir := directory(t, s)
	var steps []int
	r := check(t, dir, CheckOptions{TcIDs: []int{one.TcID}, Progress: func(done, _ int) { steps = append(steps, done) }})
	assert.True(t, r.OK())
	assert.Equal(t, 1, r.Tests)
	assert.Equal(t, []int{1}, steps)
	_, err := Check(dir, CheckOptions{TcIDs: []int{123456}})
	require.ErrorIs(t, err, ErrInput)
	assert.ErrorContains(t, err, "tcId is 123456; allowed: the tcId of a test in the file")
}

// TestCheckFindsOtherHardware: hardware of another configuration executes requests that it should refuse.
func TestCheckFindsOtherHardware(t *testing.T) {
	t.Parallel()
	s := newSuite(t, small)
	only(t, s, "error/atomic_request/aopcode/1")
	r := check(t, directory(t, s), CheckOptions{Engine: "go", open: func(c gen.Config, o rnic.Options) (device, error) {
		c.Extensions = []string{"draft00"}
		return rnic.OpenDevice(c, o)
	}})
	assert.False(t, r.OK())
	require.Len(t, r.Failures, 1)
	assert.Equal(t, "the hardware disagrees with the file", r.Failures[0].Problem)
}

// TestCheckFindsStaleFiles: each file of a directory must agree with vectors.json.
func TestCheckFindsStaleFiles(t *testing.T) {
	t.Parallel()
	s := newSuite(t, small)
	only(t, s, "in/send/stream0")
	list, err := files(s)
	require.NoError(t, err)
	for _, f := range list {
		if f.Name == suiteFile {
			continue
		}
		broken := append(bytes.Clone(f.Data[:len(f.Data)-1]), '0', '\n')
		r := check(t, directory(t, s, outdir.File{Name: f.Name, Data: broken}), CheckOptions{})
		assert.False(t, r.OK(), f.Name)
		assert.Equal(t, []string{f.Name}, r.Stale)
		var text bytes.Buffer
		require.NoError(t, r.Write(&text))
		assert.Contains(t, text.String(), f.Name+" disagrees with vectors.json\nFAIL: ")
	}
}
