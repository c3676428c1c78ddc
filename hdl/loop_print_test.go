package hdl_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/hdl"
)

type swapPorts struct {
	Data hdl.In
	Keep hdl.In
	Y    hdl.Out
	Mask hdl.Out
}

// swap has a short concatenation, and a long one that is printed as a loop.
func swap() hdl.Block[swapPorts] {
	return hdl.Block[swapPorts]{
		Kind: "swap", Doc: "swap puts octets in network order.",
		Ports: swapPorts{hdl.NewIn(128), hdl.NewIn(16), hdl.NewOut(128), hdl.NewOut(128)},
		Build: func(m *hdl.Module, p swapPorts) {
			short := m.Let("short_word", p.Data.Slice(31, 0).ReverseOctets())
			long := m.Let("long_word", p.Data.Slice(111, 16).ReverseOctets())
			m.Drive(p.Y, hdl.Cat(p.Data.ReverseOctets().Slice(31, 0), long.Xor(short.ZeroExtend(96))))
			m.Drive(p.Mask, p.Data.And(p.Keep.Replicate(8)))
		},
	}
}

func TestPrintedLoops(t *testing.T) {
	prints(t, swap(), `
// swap puts octets in network order.
module swap (
    input  wire [127:0] data,
    input  wire [15:0]  keep,
    output wire [127:0] y,
    output wire [127:0] mask
);
    genvar i;
    wire [31:0] short_word = {data[7:0], data[15:8], data[23:16], data[31:24]};
    wire [95:0] long_word;
    generate
        for (i = 0; i < 12; i = i + 1) begin : each_long_word
            assign long_word[8 * i +: 8] = data[16 + 8 * (11 - i) +: 8];
        end
    endgenerate
    assign y    = {
        {data[103:96], data[111:104], data[119:112], data[127:120]}, long_word ^ {64'd0, short_word}
    };
    wire [127:0] mask_replicated;
    generate
        for (i = 0; i < 16; i = i + 1) begin : each_mask_replicated
            assign mask_replicated[8 * i +: 8] = {8{keep[i]}};
        end
    endgenerate
    assign mask = data & mask_replicated;
endmodule
`)
}
