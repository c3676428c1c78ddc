package hdltest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

func TestMissingToolErrorNamesInstallCommand(t *testing.T) {
	t.Setenv("PATH", "")
	for tool, want := range map[string]string{
		"verilator": "verilator is not installed; install it with: apt-get install verilator",
		"iverilog":  "iverilog is not installed; install it with: apt-get install iverilog",
		"vvp":       "vvp is not installed; install it with: apt-get install iverilog",
		"yosys":     "yosys is not installed; install it with: apt-get install yosys",
	} {
		_, err := Run(t.TempDir(), tool)
		assert.EqualError(t, err, want)
	}
}

// Every tool is run: each finds something that the others miss.
func TestWarnings(t *testing.T) {
	for _, c := range []struct{ tool, what, body string }{
		{"verilator", "UNUSEDSIGNAL", "assign y = 1'b0;"},
		{"verilator", "WIDTH", "assign y = {a, a};"},
		{"iverilog", "sensitive to all", "reg m [0:1]; reg q; always @* begin q = m[a]; end always @(posedge a) m[0] <= q; assign y = q;"},
		{"yosys", "is used but has no driver", "wire w; assign y = a ^ w;"},
	} {
		found, err := warnings(t.TempDir(), []hdl.File{{Name: "wrong.v",
			Text: "module wrong(input wire a, output wire y);\n" + c.body + "\nendmodule\n"}}, "wrong")
		require.NoError(t, err)
		assert.Contains(t, found[c.tool], c.what)
	}
	found, err := warnings(t.TempDir(), []hdl.File{{Name: "right.v", Text: "module right(input wire a, output wire y);\nassign y = ~a;\nendmodule\n"}}, "right")
	require.NoError(t, err)
	assert.Empty(t, found)
}

// A design whose Verilog behaves differently from its simulation is detected.
func TestCompareFindsADifference(t *testing.T) {
	files, err := bench(1, 20, []*hdl.Design{inverter(t)})
	require.NoError(t, err)
	assert.ErrorContains(t, files.compare(""), "0 of 20 lines were printed")
	files.sources[0].Text = "module inverter(input wire a, output wire y);\nassign y = a;\nendmodule\n"
	out, err := Icarus.run(t.TempDir(), files.sources)
	require.NoError(t, err)
	assert.ErrorContains(t, files.compare(out), "inverter: {y[1]} in cycle 0: Verilog says ")
	Agree(t, 1, 20, []Engine{Icarus}, inverter(t))
}

func inverter(t *testing.T) *hdl.Design {
	type ports struct {
		A hdl.In
		Y hdl.Out
	}
	d, err := hdl.Compile(hdl.Block[ports]{Kind: "inverter", Ports: ports{hdl.NewIn(1), hdl.NewOut(1)},
		Build: func(m *hdl.Module, p ports) { m.Drive(p.Y, p.A.Not()) }})
	require.NoError(t, err)
	return d
}
