package synth

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
)

// wrapperName is the module that [wrap] generates.
const wrapperName = "wrapped_for_routing"

// wrap is Verilog around a design that needs two pins besides the clock: the inputs come from a shift register, and registered outputs
// are reduced to one bit, 8 of them per cycle, so that all paths of the design begin and end at registers.
func wrap(d *hdl.Design) string {
	var in, out int
	connections := []string{}
	if d.Clocked() {
		connections, in = []string{".clk(clk)", ".rst(in_q[0])"}, 1
	}
	for _, p := range d.Ports() {
		switch {
		case p.Out:
			connections = append(connections, fmt.Sprintf(".%s(out[%d:%d])", p.Name, out+p.Width-1, out))
			out += p.Width
		default:
			connections = append(connections, fmt.Sprintf(".%s(in_q[%d:%d])", p.Name, in+p.Width-1, in))
			in += p.Width
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module %s (input clk, input serial_in, output serial_out);\n", wrapperName)
	fmt.Fprintf(&b, "    reg [%d:0] shift_q, in_q;\n    always @(posedge clk) begin\n        shift_q <= {shift_q, serial_in};\n        in_q <= shift_q;\n    end\n", max(in, 1)-1)
	fmt.Fprintf(&b, "    wire [%d:0] out;\n    %s dut (%s);\n", out-1, d.Top(), strings.Join(connections, ", "))
	fmt.Fprintf(&b, "    reg [%d:0] level_0_q;\n    always @(posedge clk) level_0_q <= out;\n", out-1)
	level := 0
	for n := out; n > 1; level++ {
		next := (n + 7) / 8
		fmt.Fprintf(&b, "    reg [%d:0] level_%d_q;\n    always @(posedge clk) begin\n", next-1, level+1)
		for i := range next {
			fmt.Fprintf(&b, "        level_%d_q[%d] <= ^level_%d_q[%d:%d];\n", level+1, i, level, min(8*i+7, n-1), 8*i)
		}
		b.WriteString("    end\n")
		n = next
	}
	fmt.Fprintf(&b, "    assign serial_out = level_%d_q[0];\nendmodule\n", level)
	return b.String()
}
