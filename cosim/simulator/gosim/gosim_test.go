package gosim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/gosim"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/enginetest"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
	"github.com/rnicgen/rnicgen/hdl"
)

func TestEngine(t *testing.T) { enginetest.Conform(t, gosim.Open) }

func TestUnsupportedOptions(t *testing.T) {
	_, err := gosim.Open(testdesign.Widen(), simulator.Options{})
	assert.EqualError(t, err, "widen exists only as Verilog, which the go engine cannot run")
	_, err = gosim.Open(testdesign.FIFO(), simulator.Options{RandomInit: true})
	assert.EqualError(t, err, "fifo: this model writes no trace and starts only from zeros")
}

// passOn is a register between two streams; its data is unknown until it is first loaded.
func passOn() hdl.Block[ports] {
	return hdl.Block[ports]{
		Kind: "pass_on", Doc: "pass_on holds one beat.",
		Ports: ports{In: hdl.NewSink(word{hdl.Bits(8)}), Out: hdl.NewSource(word{hdl.Bits(8)})},
		Build: func(m *hdl.Module, p ports) {
			valid, data := m.Reg("valid_q", 1, hdl.ResetTo(0)), m.Reg("data_q", 8, hdl.NoReset)
			ready := m.Let("ready", valid.Not().Or(p.Out.Ready))
			m.OnClock(hdl.If(ready, valid.Set(p.In.Valid)), hdl.If(ready.And(p.In.Valid), data.Set(p.In.Data.Octet)))
			p.In.Accept(m, ready)
			p.Out.Drive(m, valid.Value, word{data.Value})
		},
	}
}

type word struct{ Octet hdl.Value }

type ports struct {
	In  hdl.Sink[word]
	Out hdl.Source[word]
}

func open(t *testing.T, o simulator.Options) (simulator.Engine, error) {
	t.Helper()
	d, err := hdl.Compile(passOn())
	require.NoError(t, err)
	e := &simulator.Design{Top: d.Top(), Clock: "clk", Reset: "rst",
		Ports: []simulator.Port{{Name: "clk", Width: 1}, {Name: "rst", Width: 1}},
		Streams: []simulator.Stream{
			{Name: "in", Dir: simulator.Sink, Valid: "in_valid", Ready: "in_ready", Fields: []string{"in_octet"}},
			{Name: "out", Dir: simulator.Source, Valid: "out_valid", Ready: "out_ready", Fields: []string{"out_octet"}}},
		Simulate: func(o simulator.Options) (simulator.Model, error) { return gosim.Simulate(d, o) }}
	for _, p := range d.Ports() {
		dir := simulator.In
		if p.Out {
			dir = simulator.Out
		}
		e.Ports = append(e.Ports, simulator.Port{Name: p.Name, Dir: dir, Width: p.Width})
	}
	return gosim.Open(e, o)
}

// Registers without a reset start from a state chosen by the seed; registers with a reset are reset as usual.
func TestRandomInit(t *testing.T) {
	found := map[uint64]bool{}
	for seed := range uint64(8) {
		e, err := open(t, simulator.Options{Seed: seed, RandomInit: true})
		require.NoError(t, err)
		var octet, valid [1]uint64
		require.NoError(t, e.Peek("out_octet", octet[:]))
		require.NoError(t, e.Peek("out_valid", valid[:]))
		assert.Zero(t, valid[0])
		found[octet[0]] = true
		require.NoError(t, e.Close())
	}
	assert.Greater(t, len(found), 4)
}

func TestTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wave.vcd")
	e, err := open(t, simulator.Options{Trace: path})
	require.NoError(t, err)
	_, err = e.Push(0, []uint64{0xA5})
	require.NoError(t, err)
	_, err = e.Run(10, 0)
	require.NoError(t, err)
	require.NoError(t, e.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(text), "$enddefinitions")
	assert.Contains(t, string(text), "b10100101 ")
	_, err = open(t, simulator.Options{Trace: "wave.fst"})
	assert.EqualError(t, err, "trace file wave.fst: the go engine writes .vcd; the verilator engine .vcd and .fst")
	_, err = open(t, simulator.Options{Trace: "nowhere/wave.vcd"})
	assert.ErrorContains(t, err, "trace file nowhere/wave.vcd cannot be written: no such file")
}
