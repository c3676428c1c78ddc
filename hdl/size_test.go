package hdl_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

type wordPorts struct {
	In  hdl.In  `doc:"a word"`
	Out hdl.Out `doc:"the same, DEPTH cycles later"`
}

// delay holds words in a ring of memory; odd adds a difference not in the parameters.
func delay(width, depth hdl.Size, odd uint64) hdl.Block[wordPorts] {
	w := hdl.NewParameter("WIDTH", "bits of a word", width, 8)
	d := hdl.NewParameter("DEPTH", "words", depth, 4)
	return hdl.Block[wordPorts]{
		Kind: "delay", Parameters: []hdl.Parameter{w, d}, Doc: "delay delays words.",
		Ports: wordPorts{hdl.In{Value: w.Size().Bits()}, hdl.SizedOut(w.Size())},
		Build: func(m *hdl.Module, p wordPorts) {
			index := m.IndexSize("INDEX", d.Size())
			at := m.SizedReg("at_q", index, hdl.ResetTo(0))
			ring := m.SizedMemory("ring", w.Size(), d.Size())
			oldest := ring.Read("oldest_q", hdl.Ones(1), at.Value, hdl.ReadOld)
			ring.Write(hdl.Ones(1), at.Value, p.In.Value)
			m.OnClock(at.Set(at.Plus(1 + odd)))
			m.Drive(p.Out, oldest)
		},
	}
}

type pairPorts struct {
	A, B hdl.In
	X, Y hdl.Out
}

func twoDelays(odd uint64) hdl.Block[pairPorts] {
	return hdl.Block[pairPorts]{
		Kind: "pair", Params: []hdl.Param{{Name: "wide", Value: 12}}, Options: []string{"both"}, Doc: "pair delays two words.",
		Ports: pairPorts{hdl.NewIn(1), hdl.NewIn(12), hdl.NewOut(1), hdl.NewOut(12)},
		Build: func(m *hdl.Module, p pairPorts) {
			hdl.Instance(m, "first", delay(hdl.Fixed(1), hdl.Fixed(2), 0), wordPorts{p.A, p.X})
			hdl.Instance(m, "second", delay(hdl.Fixed(12), hdl.Fixed(16), odd), wordPorts{p.B, p.Y})
		},
	}
}

// Instances that differ only in parameters share a module; a top has its own values as defaults.
func TestParametersArePrinted(t *testing.T) {
	d := compiled(t, twoDelays(0))
	files := d.Files()
	require.Len(t, files, 2)
	assert.Equal(t, "delay.v", files[0].Name)
	assert.Equal(t, `// delay delays words.
`+"`default_nettype none"+`
module delay #(
    parameter WIDTH = 8, // bits of a word
    parameter DEPTH = 4  // words
) (
    input  wire             clk,
    input  wire             rst, // synchronous, active high
    input  wire [WIDTH-1:0] in,  // a word
    output wire [WIDTH-1:0] out  // the same, DEPTH cycles later
);
    localparam INDEX = $clog2(DEPTH);
    reg [INDEX-1:0] at_q;
    reg [WIDTH-1:0] ring [0:DEPTH-1];
    reg [WIDTH-1:0] oldest_q;

    always @(posedge clk) begin
        ring[at_q] <= in;
        oldest_q <= ring[at_q];
    end

    always @(posedge clk) begin
        at_q <= at_q + 1'b1;
        if (rst) begin
            at_q <= {INDEX{1'b0}};
        end
    end

    assign out = oldest_q;
endmodule
`+"`default_nettype wire\n", files[0].Text)
	assert.Contains(t, files[1].Text, "// pair delays two words.\n//\n// Built for wide 12, both.\n")
	assert.Contains(t, files[1].Text, "    delay #(.WIDTH(1), .DEPTH(2)) first (")
	assert.Contains(t, files[1].Text, "    delay #(.WIDTH(12), .DEPTH(16)) second (")

	assert.Equal(t, "pair", d.Top())
	assert.Equal(t, "pair_12_both", d.Name())
	assert.True(t, d.Has("both"))
	assert.Equal(t, []hdl.Param{{Name: "wide", Value: 12}}, d.Params())
	alone := d.Modules()[1]
	assert.Equal(t, "delay_12_16", alone.Name())
	assert.Equal(t, []hdl.Param{{Name: "width", Value: 12}, {Name: "depth", Value: 16}}, alone.Params())
	assert.Contains(t, alone.Files()[0].Text, "parameter WIDTH = 12,")

	prefixed := d.Prefixed("my_")
	assert.Equal(t, []string{"my_delay.v", "my_pair.v"}, []string{prefixed[0].Name, prefixed[1].Name})
	assert.Contains(t, prefixed[0].Text, "\nmodule my_delay #(")
	assert.Contains(t, prefixed[1].Text, "    my_delay #(")

	var names []string
	for _, f := range d.Specialised() {
		names = append(names, f.Name)
		assert.NotContains(t, f.Text, "parameter ")
	}
	assert.Equal(t, []string{"delay_1_2.v", "delay_12_16.v", "pair_12_both.v"}, names)
	hdltest.LintDesigns(t, nil, d)
	hdltest.LintDesigns(t, nil, alone)
}

// Modules that differ in more than parameters must have different kinds.
func TestParametersAreAllThatDiffers(t *testing.T) {
	_, err := hdl.Compile(twoDelays(1))
	require.Error(t, err)
	assert.Contains(t, err.Error(), "delay: two modules of this kind differ in more than parameters")
}

// The range of an index must be a parameter, not a number.
func TestIndexOfANumber(t *testing.T) {
	type ports struct{ Out hdl.Out }
	_, err := hdl.Compile(hdl.Block[ports]{Kind: "odd", Ports: ports{hdl.NewOut(4)}, Build: func(m *hdl.Module, p ports) {
		m.Drive(p.Out, m.SizedReg("at_q", m.IndexSize("INDEX", hdl.Fixed(16)), hdl.ResetTo(0)).Value)
	}})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "odd.INDEX: the bits of an index below 16, which is no parameter")
}
