package hdl_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/hdl"
)

type widePorts struct {
	FirstOperand, SecondOperand, ThirdOperand hdl.In
	Y                                         hdl.Out
}

// wide has expressions that do not fit on a line.
func wide() hdl.Block[widePorts] {
	return hdl.Block[widePorts]{
		Kind: "wide", Doc: "wide breaks lines.",
		Ports: widePorts{hdl.NewIn(64), hdl.NewIn(64), hdl.NewIn(64), hdl.NewOut(64)},
		Build: func(m *hdl.Module, p widePorts) {
			a, b, c := p.FirstOperand.Value, p.SecondOperand.Value, p.ThirdOperand.Value
			terms := m.Let("terms", a.Add(b).Xor(b.Sub(c).And(a)).Xor(a.And(b).And(c.Not())).Xor(b.Add(c)))
			inner := m.Let("inner", a.And(a.Add(b).Xor(b.Sub(c)).Xor(a.Or(b).Or(c.Not())).Xor(b.Or(c)).Xor(a.Not().Or(b.Not()))))
			table := m.Let("choice", hdl.Select(a,
				hdl.When{Cond: a.Eq(b), Then: b},
				hdl.When{Cond: a.Lt(c), Then: terms.And(inner).Or(terms.Not().And(a)).Or(inner.Not().And(b)).Or(inner.And(a).And(b))}))
			var octets []hdl.Value
			for i := range 8 {
				octets = append(octets, table.Slice(8*i+7, 8*i))
			}
			swapped := m.Let("swapped", hdl.Cat(octets...))
			sum := m.Reg("sum_q", 64, hdl.ResetTo(1))
			m.OnClock(hdl.If(hdl.AnyOf(a.Eq(b), b.Eq(c), c.Eq(swapped), swapped.Eq(a), swapped.Eq(b), sum.Lt(a), sum.Lt(b)),
				sum.Set(sum.Add(swapped))))
			m.Drive(p.Y, sum.Value)
		},
	}
}

func TestPrintedLongLines(t *testing.T) {
	prints(t, wide(), `
// wide breaks lines.
module wide (
    input  wire        clk,
    input  wire        rst, // synchronous, active high
    input  wire [63:0] first_operand,
    input  wire [63:0] second_operand,
    input  wire [63:0] third_operand,
    output wire [63:0] y
);
    wire [63:0] terms   =
          (first_operand + second_operand)
        ^ ((second_operand - third_operand) & first_operand)
        ^ (first_operand & second_operand & ~third_operand)
        ^ (second_operand + third_operand);
    wire [63:0] inner   =
          first_operand
        & (
                (first_operand + second_operand)
              ^ (second_operand - third_operand)
              ^ (first_operand | second_operand | ~third_operand)
              ^ (second_operand | third_operand)
              ^ (~first_operand | ~second_operand)
          );
    wire [63:0] choice  =
        (first_operand == second_operand) ? second_operand :
        (first_operand < third_operand)   ? (
                                                  (terms & inner)
                                                | (~terms & first_operand)
                                                | (~inner & second_operand)
                                                | (inner & first_operand & second_operand)
                                            ) :
                                            first_operand;
    wire [63:0] swapped = {
        choice[7:0], choice[15:8], choice[23:16], choice[31:24], choice[39:32], choice[47:40], choice[55:48],
        choice[63:56]
    };
    reg  [63:0] sum_q;

    always @(posedge clk) begin
        if (
              (first_operand == second_operand)
            | (second_operand == third_operand)
            | (third_operand == swapped)
            | (swapped == first_operand)
            | (swapped == second_operand)
            | (sum_q < first_operand)
            | (sum_q < second_operand)
        ) begin
            sum_q <= sum_q + swapped;
        end
        if (rst) begin
            sum_q <= 64'd1;
        end
    end

    assign y = sum_q;
endmodule
`)
}

type partlyPorts struct {
	A, B  hdl.In
	Carry hdl.Out
	High  hdl.Out
	Mask  hdl.Out
}

// partly selects bits from expressions, which Verilog allows only for names.
func partly() hdl.Block[partlyPorts] {
	return hdl.Block[partlyPorts]{
		Kind: "partly", Doc: "partly needs some bits only.",
		Ports: partlyPorts{hdl.NewIn(8), hdl.NewIn(8), hdl.NewOut(1), hdl.NewOut(4), hdl.NewOut(15)},
		Build: func(m *hdl.Module, p partlyPorts) {
			m.Drive(p.Carry, p.A.ZeroExtend(9).Add(p.B.ZeroExtend(9)).Bit(8))
			m.Drive(p.High, p.A.ShiftLeft(p.B.Truncate(3)).Slice(7, 4))
			m.Drive(p.Mask, p.A.Truncate(4).Replicate(4).Slice(15, 1))
			m.Unused("of no use here", hdl.Cat(p.B.Slice(7, 3), p.B.Slice(7, 3)))
		},
	}
}

func TestPrintedSelectionsFromExpressions(t *testing.T) {
	prints(t, partly(), `
// partly needs some bits only.
module partly (
    input  wire [7:0]  a,
    input  wire [7:0]  b,
    output wire        carry,
    output wire [3:0]  high,
    output wire [14:0] mask
);
    wire [8:0] carry_sum = {1'b0, a} + {1'b0, b};
    assign carry = carry_sum[8];
    wire [7:0] high_shifted = a << b[2:0];
    assign high  = high_shifted[7:4];
    wire [15:0] mask_replicated = {{4{a[3]}}, {4{a[2]}}, {4{a[1]}}, {4{a[0]}}};
    assign mask  = mask_replicated[15:1];

    // Not read:
    // b[7:3], b[7:3]: of no use here
    wire unused = &{1'b0, b[7:3], b[7:3], carry_sum[7:0], high_shifted[3:0], mask_replicated[0]};
endmodule
`)
}

// unreset has no register with a reset value.
func unreset() hdl.Block[onlyInOut] {
	return hdl.Block[onlyInOut]{
		Kind: "unreset", Ports: onlyInOut{hdl.NewIn(1), hdl.NewOut(1)},
		Build: func(m *hdl.Module, p onlyInOut) {
			r := m.Reg("late_q", 1, hdl.NoReset)
			m.OnClock(r.Set(p.A.Value), hdl.If(p.A.Value))
			m.OnClock()
			m.Section("Two lines\nof a title")
			m.Note("and of a comment:\nthe second.\n")
			m.Drive(p.Y, r.Value)
		},
	}
}

type onlyInOut struct {
	A hdl.In
	Y hdl.Out
}

func TestPrintedModuleWithoutReset(t *testing.T) {
	prints(t, unreset(), `
module unreset (
    input  wire clk,
    input  wire rst, // synchronous, active high
    input  wire a,
    output wire y
);
    reg late_q;

    always @(posedge clk) begin
        late_q <= a;
        if (a) begin
        end
    end

    // ---- Two lines
    // of a title
    // and of a comment:
    // the second.
    assign y = late_q;

    wire unused = &{1'b0, rst};
endmodule
`)
}

// sparing declares unused constants and states, which are not printed.
func sparing() hdl.Block[onlyInOut] {
	return hdl.Block[onlyInOut]{
		Kind: "sparing", Doc: "sparing has more names than it needs.", Ports: onlyInOut{hdl.NewIn(1), hdl.NewOut(1)},
		Build: func(m *hdl.Module, p onlyInOut) {
			f := hdl.NewFSM(m, "mode", idle, busy, lost)
			m.Constant("SPARE", 3, 2)
			limit := m.Constant("LIMIT", 1, 1, "its comment")
			most := m.Constant("MOST", 1, 1, "a comment that is too long to stand behind what it belongs to, for lines have no more than 120 columns")
			m.OnClock(hdl.If(p.A.Eq(limit).And(p.A.Eq(most)), f.Go(busy)))
			m.Drive(p.Y, f.Is(idle))
		},
	}
}

func TestPrintedConstants(t *testing.T) {
	prints(t, sparing(), `
// sparing has more names than it needs.
module sparing (
    input  wire clk,
    input  wire rst, // synchronous, active high
    input  wire a,
    output wire y
);
    localparam [1:0] MODE_IDLE = 2'd0;
    localparam [1:0] MODE_BUSY = 2'd1;
    reg [1:0] mode_q;
    localparam LIMIT = 1'd1; // its comment
    // a comment that is too long to stand behind what it belongs to, for lines have no more than 120 columns
    localparam MOST  = 1'd1;

    always @(posedge clk) begin
        if ((a == LIMIT) & (a == MOST)) begin
            mode_q <= MODE_BUSY;
        end
        if (rst) begin
            mode_q <= MODE_IDLE;
        end
    end

    assign y = mode_q == MODE_IDLE;
endmodule
`)
}
