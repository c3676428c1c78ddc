// bypass passes beats on in order, one per cycle. When it is empty a beat leaves in the cycle in which it arrives;
// it holds DEPTH + 1 beats that are not accepted.
`default_nettype none
module bypass #(
    parameter WIDTH = 64, // bits of a beat
    parameter DEPTH = 16  // beats in memory: a power of two, at least 2
) (
    input  wire             clk,
    input  wire             rst, // synchronous, active high

    // in: beats to store
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [WIDTH-1:0] in_data,  // one beat

    // out: the same beats, in order
    output wire             out_valid,
    input  wire             out_ready,
    output wire [WIDTH-1:0] out_data   // one beat
);
    wire             stored_valid;
    wire             stored_ready;
    wire [WIDTH-1:0] stored_data;
    wire             waiting_valid;
    wire             waiting_ready;
    wire [WIDTH-1:0] waiting_data;

    fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (stored_valid),
        .in_ready  (stored_ready),
        .in_data   (stored_data),
        .out_valid (waiting_valid),
        .out_ready (waiting_ready),
        .out_data  (waiting_data)
    );

    wire is_empty = ~waiting_valid;
    assign stored_valid  = in_valid & ~(is_empty & out_ready);
    assign stored_data   = in_data;
    assign in_ready      = stored_ready;
    assign waiting_ready = out_ready;
    assign out_valid     = waiting_valid | in_valid;
    assign out_data      = is_empty ? in_data : waiting_data;
endmodule
`default_nettype wire
