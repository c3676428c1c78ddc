package vectors

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

func check(t *testing.T, dir string, o CheckOptions) *Report {
	t.Helper()
	r, err := Check(dir, o)
	require.NoError(t, err)
	return r
}

// TestCheckPasses: the files fit the golden model and the hardware, for all sorts of configurations.
func TestCheckPasses(t *testing.T) {
	t.Parallel()
	for _, c := range configs[:4] {
		t.Run(c.name, func(t *testing.T) {
			s := newSuite(t, c.config)
			r := check(t, directory(t, s), CheckOptions{Engine: "go"})
			assert.True(t, r.OK(), "%v", r)
			assert.Equal(t, s.NumberOfTests, r.Passed)
			var text bytes.Buffer
			require.NoError(t, r.Write(&text))
			assert.Equal(t, fmt.Sprintf("PASS: %d tests against the golden model and the generated hardware on go, %[1]d passed, 0 failed\n", s.NumberOfTests), text.String())
		})
	}
}

func TestCheckOnVerilator(t *testing.T) {
	r := check(t, directory(t, newSuite(t, small)), CheckOptions{Engine: "verilator"})
	assert.True(t, r.OK(), "%v", r)
}

func TestCheckUnderStalls(t *testing.T) {
	dir := directory(t, newSuite(t, small))
	for _, mode := range []engine.StallMode{engine.StallRandom, engine.StallBursts} {
		r := check(t, dir, CheckOptions{Engine: "go", Options: engine.Options{Seed: 5}, Stall: engine.Stall{Mode: mode, Chance: 128}})
		assert.True(t, r.OK(), "%v: %v", mode, r)
	}
}

func TestCheckOneTest(t *testing.T) {
	var steps []int
	r := check(t, directory(t, newSuite(t, small)), CheckOptions{Engine: "go", TcIDs: []int{7}, Progress: func(done, _ int) { steps = append(steps, done) }})
	assert.True(t, r.OK())
	assert.Equal(t, 1, r.Tests)
	assert.Equal(t, []int{1}, steps)
}

// tampered are files that say something wrong.
var tampered = []struct {
	what  string
	key   string
	wrong func(one *suite.Test)
	place string
}{
	{"a bit of a response", "fetch_add/none/carry", func(one *suite.Test) { outcome(one, suite.PortTx).Hex[29] ^= 1 }, "expect/0"},
	{"the MSN of a response", "msn/from_ffffffff", func(one *suite.Test) { outcome(one, suite.PortTx).Hex[10] ^= 0x80 }, "expect/0"},
	{"the length of a response", "fetch_add/none/carry", func(one *suite.Test) { e := outcome(one, suite.PortTx); e.Hex = e.Hex[:29] }, "expect/0"},
	{"the stream of a response", "fetch_add/none/carry", func(one *suite.Test) { outcome(one, suite.PortTx).Stream ^= 1 }, "expect/0"},
	{"a word of memory", "cmp_swap/lock", func(one *suite.Test) { one.Memory[0].Data ^= 1 << 63 }, "memory/0"},
	{"a word that must stay", "address/usual/misaligned/2", func(one *suite.Test) { one.Memory[0].Data++ }, "memory/0"},
	{"an error kind", "stag/bit0", func(one *suite.Test) { outcome(one, suite.PortRecord).Record.Code = 13 }, "expect/0"},
	{"a name of an error", "stag/bit0", func(one *suite.Test) { outcome(one, suite.PortRecord).Record.Error = "bounds" }, "expect/0"},
	{"a layer", "queue/send/00000004", func(one *suite.Test) { outcome(one, suite.PortRecord).Record.TermLayer = 0 }, "expect/0"},
	{"an error type", "version/ddp/rdma_write/0", func(one *suite.Test) { outcome(one, suite.PortRecord).Record.TermEtype = 2 }, "expect/0"},
	{"an error code", "address/usual/misaligned/1", func(one *suite.Test) { outcome(one, suite.PortRecord).Record.TermCode = 8 }, "expect/0"},
	{"a segment length", "short/untagged/17", func(one *suite.Test) { outcome(one, suite.PortRecord).Record.SegmentLength = 18 }, "expect/0"},
	{"a payload length", "payload/send/7", func(one *suite.Test) { outcome(one, suite.PortRecord).Record.PayloadLength = 8 }, "expect/0"},
	{"an octet of a header", "message/send/plain", func(one *suite.Test) { outcome(one, suite.PortRecord).Record.Header[3] ^= 4 }, "expect/0"},
	{"an octet of a payload", "payload/rdma_write/9", func(one *suite.Test) { outcome(one, suite.PortPayload).Hex[8] ^= 1 }, "expect/1"},
	{"an answer of the host", "host/read_after_add", func(one *suite.Test) { outcome(one, suite.PortAnswer).Hex[0] ^= 1 }, "expect/2"},
	{"a retired word", "fetch_add/none/carry", func(one *suite.Test) { outcome(one, suite.PortRetire).Retire.Result ^= 2 }, "expect/1"},
	{"an outcome that is missing", "message/send/plain", func(one *suite.Test) { one.Expect = one.Expect[:1] }, "expect/1"},
	{"an outcome too many", "message/read_request/plain", func(one *suite.Test) { one.Expect = append(one.Expect, one.Expect[0]) }, "expect/1"},
	{"no outcome at all", "short/tagged/3", func(one *suite.Test) { one.Expect, one.Result = []suite.Expect{}, suite.Valid }, "expect/0"},
}

func outcome(one *suite.Test, port string) *suite.Expect {
	for i := range one.Expect {
		if one.Expect[i].Port == port {
			return &one.Expect[i]
		}
	}
	return nil
}

// TestCheckFindsWrongFiles: whatever a file says wrong, in vectors.json and all that is made of it, the model
// finds, and the hardware by itself does too.
func TestCheckFindsWrongFiles(t *testing.T) {
	for _, c := range tampered {
		t.Run(c.what, func(t *testing.T) {
			s := newSuite(t, small)
			g, one := only(t, s, c.key)
			c.wrong(one)
			dir := directory(t, s)
			r := check(t, dir, CheckOptions{})
			assert.False(t, r.OK())
			assert.Equal(t, 1, r.Failed)
			require.Len(t, r.Failures, 1)
			f := r.Failures[0]
			assert.Equal(t, one.TcID, f.TcID)
			assert.Equal(t, c.place, f.Place)
			assert.NotEqual(t, f.Expected, f.Actual)
			assert.Equal(t, fmt.Sprintf("rnicgen check-vectors --tcid %d %s", one.TcID, dir), f.Rerun)

			hardware := checker{options: CheckOptions{Engine: "go"}, report: &Report{}}
			device, err := cosim.Open(small, "go", engine.Options{})
			require.NoError(t, err)
			defer device.Close()
			hardware.device = device
			v := verdicts{map[int]*Failure{}, map[int]bool{}}
			var tests []*suite.Test
			for i := range g.Tests {
				tests = append(tests, &g.Tests[i])
			}
			require.NoError(t, hardware.hardware(g, tests, v))
			require.Len(t, v.failed, 1)
			assert.Contains(t, v.failed, one.TcID)
		})
	}
}

// TestCheckFindsStaleFiles: the bench, the capture and the README have to be those of vectors.json.
func TestCheckFindsStaleFiles(t *testing.T) {
	s := newSuite(t, small)
	only(t, s, "message/send/plain")
	list, err := files(s)
	require.NoError(t, err)
	for _, f := range list {
		if f.Name == suiteFile {
			continue
		}
		broken := append(bytes.Clone(f.Data[:len(f.Data)-2]), '0', '\n')
		r := check(t, directory(t, s, outdir.File{Name: f.Name, Data: broken}), CheckOptions{})
		assert.False(t, r.OK(), f.Name)
		assert.Equal(t, []string{f.Name}, r.Stale)
		var text bytes.Buffer
		require.NoError(t, r.Write(&text))
		assert.Contains(t, text.String(), f.Name+" is not what vectors.json says\nFAIL: ")
	}
}

// TestCheckFindsOtherHardware: hardware of another configuration executes what it should refuse.
func TestCheckFindsOtherHardware(t *testing.T) {
	r := check(t, directory(t, newSuite(t, small)), CheckOptions{Engine: "go", open: func(c gen.Config, name string, o engine.Options) (device, error) {
		c.Extensions = []string{"draft00"}
		return cosim.Open(c, name, o)
	}})
	assert.False(t, r.OK())
	require.NotEmpty(t, r.Failures)
	assert.Contains(t, r.Failures[0].Comment, "AOpCode 0x1 is not supported")
	assert.Contains(t, r.Failures[0].Problem, "the hardware disagrees with the file")
	var text bytes.Buffer
	require.NoError(t, r.Write(&text))
	assert.Contains(t, text.String(), "again: rnicgen check-vectors --engine go --tcid")
	assert.Contains(t, text.String(), "FAIL: ")
}

// TestCheckFindsBrokenRTL changes one thing in the Verilog of the hardware.
func TestCheckFindsBrokenRTL(t *testing.T) {
	f := faults[0]
	s := newSuite(t, small)
	r := check(t, directory(t, s), CheckOptions{Engine: "verilator", open: func(c gen.Config, name string, o engine.Options) (device, error) {
		d, err := cosim.RNICAtomics(c)
		require.NoError(t, err)
		var rtl []outdir.File
		for _, f := range d.Files {
			rtl = append(rtl, outdir.File{Name: f.Name, Data: []byte(f.Text)})
		}
		for i, f := range broken(t, rtl, f.module, f.old, f.changed) {
			d.Files[i].Text = string(f.Data)
		}
		return cosim.OpenDesign(c, d, name, o)
	}})
	assert.False(t, r.OK())
	failed := map[int]bool{}
	for _, f := range r.Failures {
		failed[f.TcID] = true
	}
	_, one := find(t, s, f.key)
	assert.True(t, failed[one.TcID], one.Comment)
	_, one = find(t, s, "cmp_swap/swap_bit31")
	assert.False(t, failed[one.TcID], "%s: this is not a FetchAdd", one.Comment)
}

// hanging is hardware that takes segments and never finishes.
type hanging struct {
	device
	sent   bool
	resets int
}

func (h *hanging) Send(uint32, []byte) error { h.sent = true; return nil }

func (h *hanging) Run() error {
	if h.sent {
		h.sent = false
		return &engine.StuckError{Cycle: 7, Idle: 64}
	}
	return h.device.Run()
}

func (h *hanging) Reset() error { h.resets++; return h.device.Reset() }

// TestCheckOfHangingHardware ends soon, and nothing counts as passed that was not run.
func TestCheckOfHangingHardware(t *testing.T) {
	h := &hanging{}
	s := newSuite(t, small)
	r := check(t, directory(t, s), CheckOptions{Engine: "go", open: func(c gen.Config, name string, o engine.Options) (device, error) {
		var err error
		h.device, err = cosim.Open(c, name, o)
		return h, err
	}})
	assert.False(t, r.OK())
	assert.Equal(t, maxStuck, h.resets)
	assert.Zero(t, r.Passed)
	assert.Equal(t, maxStuck-1, r.Failed) // the group, then two of its tests
	assert.Equal(t, s.NumberOfTests, r.Failed+r.NotRun)
	assert.Contains(t, r.Failures[0].Problem, "the hardware hangs: stuck in cycle 7")
}

func TestUnknownEngine(t *testing.T) {
	_, err := Check(directory(t, newSuite(t, small)), CheckOptions{Engine: "warp"})
	assert.ErrorIs(t, err, engine.ErrUnknownEngine)
	assert.NotErrorIs(t, err, ErrInput)
}
