package gates

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/icarus"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/enginetest"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/tool"
	"github.com/rnicgen/rnicgen/internal/long"
)

func TestEngine(t *testing.T) {
	long.Test(t)
	enginetest.Conform(t, Open)
}

func TestMissingToolErrorNamesInstallCommand(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Open(testdesign.FIFO(), simulator.Options{})
	assert.ErrorIs(t, err, simulator.ErrMissingTool)
	assert.EqualError(t, err, "yosys is not installed, or not in PATH; install it with: apt-get install yosys")
}

func TestRejectedVerilogShowsYosysMessages(t *testing.T) {
	t.Setenv("RNICGEN_CACHE", t.TempDir())
	d := testdesign.FIFO()
	d.Files[0].Text = strings.Replace(d.Files[0].Text, "endmodule", "endmodul", 1)
	_, err := Open(d, simulator.Options{})
	var failed *tool.Error
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, failed.Stderr, "fifo.v:")
}

func TestUnsupportedOptions(t *testing.T) {
	_, err := Open(testdesign.FIFO(), simulator.Options{Trace: "a.vcd"})
	assert.EqualError(t, err, "trace file a.vcd: the gates engine does not write waveforms; allowed: go, verilator, icarus")
	_, err = Open(testdesign.FIFO(), simulator.Options{Unknown: true})
	assert.EqualError(t, err, "the gates engine has two states, but unknown state needs four; allowed: the icarus engine")
}

// body returns a design of one module, with an octet in and out.
func body(text string) *simulator.Design {
	d := testdesign.Careless()
	d.Top = "body"
	d.Files = []simulator.File{{Name: "body.v", Text: "module body(input clk, rst, input [7:0] s_data, input s_valid, output s_ready, " +
		"output [7:0] m_data, output m_valid, input m_ready);\n" + text + "\nendmodule\n"}}
	return d
}

func TestRejectsNonSynchronousLogic(t *testing.T) {
	for text, says := range map[string]string{
		"wire [7:0] a = s_data ^ {a[6:0], a[7]}; assign m_data = a, m_valid = s_valid, s_ready = m_ready;":                      "found logic loop",
		"reg [7:0] a; always @(negedge clk) a <= s_data; assign m_data = a, m_valid = s_valid, s_ready = m_ready;":              "not a type known to the gates engine",
		"reg [7:0] a; always @(posedge s_valid) a <= s_data; assign m_data = a, m_valid = s_valid, s_ready = m_ready;":          "not clocked by the design's clock",
		"reg [7:0] a; always @* if (m_ready) a = s_data; assign m_data = a, m_valid = s_valid, s_ready = m_ready;":              "not a type known to the gates engine",
		"reg [7:0] a [0:63]; initial a[3] = 9; assign m_data = a[s_data[5:0]], m_valid = s_valid, s_ready = m_ready;\n" + write: "a memory with resets, initial values",
	} {
		_, err := Open(body(text), simulator.Options{})
		assert.ErrorContains(t, err, says, text)
	}
}

const write = "always @(posedge clk) if (s_valid) a[s_data[7:2]] <= s_data;"

// ports lists the kinds of memory ports: asynchronous and synchronous read, write-first read, partial word writes, and an address
// range that is not completely used.
var ports = map[string]string{
	"asynchronous read": "reg [7:0] a [0:63]; assign m_data = a[s_data[5:0]], m_valid = s_valid, s_ready = m_ready;\n" + write,
	"synchronous read": "reg [7:0] a [0:63]; reg [7:0] q; reg v; assign m_data = q, m_valid = v, s_ready = m_ready;\n" + write +
		"always @(posedge clk) begin v <= s_valid & ~rst; if (s_valid) q <= a[s_data[7:2] ^ s_data[1:0]]; end",
	"write-first read": "reg [7:0] a [0:63]; reg [5:0] q; reg v; assign m_data = a[q], m_valid = v, s_ready = m_ready;\n" + write +
		"always @(posedge clk) begin v <= s_valid & ~rst; if (s_valid) q <= s_data[7:2] ^ s_data[1:0]; end",
	"partial writes": "reg [7:0] a [0:47]; reg [7:0] q; reg v; assign m_data = q, m_valid = v, s_ready = m_ready;\n" +
		"always @(posedge clk) begin v <= s_valid & ~rst; q <= a[s_data[5:0] < 48 ? s_data[5:0] : 5];\n" +
		"if (s_valid & s_data[6]) a[s_data[5:0]][3:0] <= s_data[3:0]; if (s_valid & s_data[7]) a[s_data[4:0]][7:4] <= s_data[7:4]; end",
}

// Each kind gives the same trace with both forms of the netlist and with the original Verilog.
func TestNetlistEquivalence(t *testing.T) {
	for name, text := range ports {
		d := body(text)
		traces := map[string]enginetest.Trace{}
		record := func(on string, d *simulator.Design, open enginetest.Open) {
			e, err := open(d, simulator.Options{Seed: 1, Buffer: 512, Hash: true, Stamps: true})
			require.NoError(t, err, "%s, %s", name, on)
			traces[on] = enginetest.Record(t, d, e, simulator.Stall{Mode: simulator.StallRandom, Chance: 90}, 100)
			require.NoError(t, e.Close())
		}
		record("verilog", d, icarus.Open)
		record("gates", d, Open)
		dir, err := Synthesise(t.Context(), d)
		require.NoError(t, err)
		netlist, err := os.ReadFile(filepath.Join(dir, VerilogFile))
		require.NoError(t, err)
		d.Files = []simulator.File{{Name: "netlist.v", Text: string(netlist)}}
		record("netlist as Verilog", d, icarus.Open)
		for on, trace := range traces {
			assert.Equal(t, traces["verilog"], trace, "%s, %s", name, on)
		}
		assert.Greater(t, traces["gates"].Stats[1].Beats, uint64(200))
	}
}

func TestRandomInitFollowsTheSeed(t *testing.T) {
	first := func(o simulator.Options) uint64 {
		e, err := Open(testdesign.Careless(), o)
		require.NoError(t, err)
		defer e.Close()
		word := make([]uint64, 1)
		require.NoError(t, e.Peek("m_data", word))
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
