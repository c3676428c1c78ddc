package hdl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// compiled compiles a block without mistakes.
func compiled[P any](t *testing.T, b hdl.Block[P]) *hdl.Design {
	t.Helper()
	d, err := hdl.Compile(b)
	require.NoError(t, err)
	return d
}

// prints checks the text of the top module, without the guards against implicit wires.
func prints[P any](t *testing.T, b hdl.Block[P], want string) {
	t.Helper()
	files := compiled(t, b).Files()
	text, found := strings.CutSuffix(files[len(files)-1].Text, "`default_nettype wire\n")
	assert.True(t, found)
	assert.Equal(t, want, "\n"+strings.Replace(text, "`default_nettype none\n", "", 1))
}

// All modules printed by the tests below pass every tool without a warning.
func TestPrintedModulesAreClean(t *testing.T) {
	hdltest.LintDesigns(t, nil, compiled(t, counter()), compiled(t, light()), compiled(t, store()), compiled(t, register()),
		compiled(t, chain()), compiled(t, wide()), compiled(t, partly()), compiled(t, unreset()), compiled(t, sparing()), compiled(t, swap()))
}

type counterPorts struct {
	Step  hdl.In
	Clear hdl.In
	Count hdl.Out
}

func counter() hdl.Block[counterPorts] {
	return hdl.Block[counterPorts]{
		Kind:  "counter",
		Doc:   "counter adds step in each clock.\n\nA clear comes first.",
		Ports: counterPorts{hdl.NewIn(4), hdl.NewIn(1), hdl.NewOut(16)},
		Build: func(m *hdl.Module, p counterPorts) {
			count := m.Reg("count_q", 16, hdl.ResetTo(0))
			m.Note("The sum wraps at 2^16.")
			sum := m.Let("sum", count.Add(p.Step.ZeroExtend(16)))
			m.OnClock(hdl.If(p.Clear.Value, count.Set(hdl.Zero(16))).Else(count.Set(sum)))
			m.Drive(p.Count, count.Value)
		},
	}
}

func TestPrintedCounter(t *testing.T) {
	prints(t, counter(), `
// counter adds step in each clock.
//
// A clear comes first.
module counter (
    input  wire        clk,
    input  wire        rst, // synchronous, active high
    input  wire [3:0]  step,
    input  wire        clear,
    output wire [15:0] count
);
    reg [15:0] count_q;
    // The sum wraps at 2^16.
    wire [15:0] sum = count_q + {12'd0, step};

    always @(posedge clk) begin
        if (clear) begin
            count_q <= 16'd0;
        end else begin
            count_q <= sum;
        end
        if (rst) begin
            count_q <= 16'd0;
        end
    end

    assign count = count_q;
endmodule
`)
}

type lightPorts struct {
	Car        hdl.In
	Green, Red hdl.Out
}

// light is a state machine over a Go enumeration.
func light() hdl.Block[lightPorts] {
	return hdl.Block[lightPorts]{
		Kind: "light", Doc: "light lets a car pass.",
		Ports: lightPorts{hdl.NewIn(1), hdl.NewOut(1), hdl.NewOut(1)},
		Build: func(m *hdl.Module, p lightPorts) {
			m.Section("State")
			f := hdl.NewFSM(m, "light", idle, busy, lost, inTransit)
			waited := m.Reg("waited_q", 3, hdl.ResetTo(0))
			m.OnClock(f.Switch(
				f.In(idle, hdl.If(p.Car.Value, f.Go(busy))),
				f.In(busy, waited.Set(waited.Plus(1)), hdl.If(waited.All(), f.Go(inTransit)).ElseIf(p.Car.Not(), f.Go(lost)).Else(waited.Set(hdl.Zero(3)))),
				f.In(lost),
				f.In(inTransit, f.Go(idle)),
			))

			m.Section("Lamps")
			m.Drive(p.Green, f.Is(inTransit))
			m.Drive(p.Red, f.Is(inTransit).Not())
		},
	}
}

func TestPrintedStateMachine(t *testing.T) {
	prints(t, light(), `
// light lets a car pass.
module light (
    input  wire clk,
    input  wire rst, // synchronous, active high
    input  wire car,
    output wire green,
    output wire red
);
    // ---- State
    localparam [1:0] LIGHT_IDLE       = 2'd0;
    localparam [1:0] LIGHT_BUSY       = 2'd1;
    localparam [1:0] LIGHT_LOST       = 2'd2;
    localparam [1:0] LIGHT_IN_TRANSIT = 2'd3;
    reg [1:0] light_q;
    reg [2:0] waited_q;

    always @(posedge clk) begin
        case (light_q)
            LIGHT_IDLE: begin
                if (car) begin
                    light_q <= LIGHT_BUSY;
                end
            end
            LIGHT_BUSY: begin
                waited_q <= waited_q + 3'd1;
                if (&waited_q) begin
                    light_q <= LIGHT_IN_TRANSIT;
                end else if (~car) begin
                    light_q <= LIGHT_LOST;
                end else begin
                    waited_q <= 3'd0;
                end
            end
            LIGHT_LOST: ;
            LIGHT_IN_TRANSIT: begin
                light_q <= LIGHT_IDLE;
            end
            default: ;
        endcase
        if (rst) begin
            light_q  <= LIGHT_IDLE;
            waited_q <= 3'd0;
        end
    end

    // ---- Lamps
    assign green = light_q == LIGHT_IN_TRANSIT;
    assign red   = light_q != LIGHT_IN_TRANSIT;
endmodule
`)
}

type storePorts struct {
	Write    hdl.In
	To, From hdl.In
	Data     hdl.In
	Old      hdl.Out
	Fresh    hdl.Out
}

// store has a memory with both collision modes. Expressions computed for a port have names.
func store() hdl.Block[storePorts] {
	return hdl.Block[storePorts]{
		Kind: "store", Doc: "store keeps 16 octets.",
		Ports: storePorts{hdl.NewIn(1), hdl.NewIn(4), hdl.NewIn(4), hdl.NewIn(8), hdl.NewOut(8), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p storePorts) {
			octets := m.Memory("octets", 8, 16)
			octets.Write(p.Write.Value, p.To.Value, p.Data.Not())
			old := octets.Read("old_q", p.Write.Not(), p.From.Value, hdl.ReadOld)
			fresh := octets.Read("seen_q", hdl.Ones(1), p.From.Plus(1), hdl.ReadNew)
			m.Drive(p.Old, old)
			m.Drive(p.Fresh, fresh)
		},
	}
}

func TestPrintedMemory(t *testing.T) {
	prints(t, store(), `
// store keeps 16 octets.
module store (
    input  wire       clk,
    input  wire       rst, // synchronous, active high
    input  wire       write,
    input  wire [3:0] to,
    input  wire [3:0] from,
    input  wire [7:0] data,
    output wire [7:0] old,
    output wire [7:0] fresh
);
    reg  [7:0] octets [0:15];
    reg  [7:0] old_q;
    reg  [7:0] seen_old_q;
    reg  [7:0] seen_new_q;
    reg        seen_is_new_q;
    wire [7:0] seen              = seen_is_new_q ? seen_new_q : seen_old_q;
    wire [3:0] seen_addr         = from + 4'd1;
    wire [7:0] octets_write_data = ~data;

    always @(posedge clk) begin
        if (write) begin
            octets[to] <= octets_write_data;
        end
        if (~write) begin
            old_q <= octets[from];
        end
        seen_old_q <= octets[seen_addr];
    end

    always @(posedge clk) begin
        seen_is_new_q <= write & (to == seen_addr);
        seen_new_q    <= octets_write_data;
    end

    assign old   = old_q;
    assign fresh = seen;

    wire unused = &{1'b0, rst};
endmodule
`)
}

type packet struct {
	Data hdl.Value
	Last hdl.Value `hdl:"eop"`
}

type registerPorts struct {
	In  hdl.Sink[packet]
	Out hdl.Source[packet]
}

// register is a stream register: ready passes through it, data does not.
func register() hdl.Block[registerPorts] {
	beat := packet{hdl.Bits(32), hdl.Bits(1)}
	return hdl.Block[registerPorts]{
		Kind: "register_32", Doc: "register_32 holds one beat.",
		Ports: registerPorts{hdl.NewSink(beat), hdl.NewSource(beat)},
		Build: func(m *hdl.Module, p registerPorts) {
			valid := m.Reg("valid_q", 1, hdl.ResetTo(0))
			held := hdl.NewRegOf(m, "held", beat, hdl.NoReset)
			free := m.Let("free", valid.Not().Or(p.Out.Ready))
			m.OnClock(hdl.If(free, valid.Set(p.In.Valid), held.Set(p.In.Data)))
			p.In.Accept(m, free)
			p.Out.Drive(m, valid.Value, held.Q)
		},
	}
}

func TestPrintedStreamRegister(t *testing.T) {
	prints(t, register(), `
// register_32 holds one beat.
module register_32 (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // in
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [31:0] in_data,
    input  wire        in_eop,

    // out
    output wire        out_valid,
    input  wire        out_ready,
    output wire [31:0] out_data,
    output wire        out_eop
);
    reg         valid_q;
    reg  [31:0] held_data_q;
    reg         held_eop_q;
    wire        free = ~valid_q | out_ready;

    always @(posedge clk) begin
        if (free) begin
            valid_q     <= in_valid;
            held_data_q <= in_data;
            held_eop_q  <= in_eop;
        end
        if (rst) begin
            valid_q <= 1'b0;
        end
    end

    assign in_ready  = free;
    assign out_valid = valid_q;
    assign out_data  = held_data_q;
    assign out_eop   = held_eop_q;
endmodule
`)
}

// chain connects two registers in series.
func chain() hdl.Block[registerPorts] {
	b := register()
	return hdl.Block[registerPorts]{
		Kind: "chain", Doc: "chain is two registers.", Ports: b.Ports,
		Build: func(m *hdl.Module, p registerPorts) {
			between := hdl.NewStream(m, "between", packet{hdl.Bits(32), hdl.Bits(1)})
			hdl.Instance(m, "first", b, registerPorts{In: p.In, Out: between.Source()})
			m.Note("The second register gives ready a clock to travel.")
			hdl.Instance(m, "second", b, registerPorts{In: between.Sink(), Out: p.Out})
		},
	}
}

func TestPrintedInstances(t *testing.T) {
	prints(t, chain(), `
// chain is two registers.
module chain (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // in
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [31:0] in_data,
    input  wire        in_eop,

    // out
    output wire        out_valid,
    input  wire        out_ready,
    output wire [31:0] out_data,
    output wire        out_eop
);
    wire        between_valid;
    wire        between_ready;
    wire [31:0] between_data;
    wire        between_eop;

    register_32 first (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (in_valid),
        .in_ready  (in_ready),
        .in_data   (in_data),
        .in_eop    (in_eop),
        .out_valid (between_valid),
        .out_ready (between_ready),
        .out_data  (between_data),
        .out_eop   (between_eop)
    );

    // The second register gives ready a clock to travel.
    register_32 second (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (between_valid),
        .in_ready  (between_ready),
        .in_data   (between_data),
        .in_eop    (between_eop),
        .out_valid (out_valid),
        .out_ready (out_ready),
        .out_data  (out_data),
        .out_eop   (out_eop)
    );
endmodule
`)
	assert.Len(t, compiled(t, chain()).Files(), 2, "a module that is used twice is printed once")
}
