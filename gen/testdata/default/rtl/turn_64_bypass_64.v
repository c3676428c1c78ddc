// turn_64_bypass_64 passes beats on in order, one a clock; when it is empty, in the clock in which they come. It holds
// those that nobody takes, 65 of them.
`default_nettype none
module turn_64_bypass_64 (
    input  wire       clk,
    input  wire       rst,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [5:0] in_stream,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [5:0] out_stream
);
    wire       stored_valid;
    wire       stored_ready;
    wire [5:0] stored_stream;
    wire       waiting_valid;
    wire       waiting_ready;
    wire [5:0] waiting_stream;

    turn_64_fifo_64 fifo (
        .clk        (clk),
        .rst        (rst),
        .in_valid   (stored_valid),
        .in_ready   (stored_ready),
        .in_stream  (stored_stream),
        .out_valid  (waiting_valid),
        .out_ready  (waiting_ready),
        .out_stream (waiting_stream)
    );

    wire       is_empty = ~waiting_valid;
    assign stored_valid  = in_valid & ~(is_empty & out_ready);
    assign stored_stream = in_stream;
    assign in_ready      = stored_ready;
    assign waiting_ready = out_ready;
    wire [5:0] out      = is_empty ? in_stream : waiting_stream;
    assign out_valid     = waiting_valid | in_valid;
    assign out_stream    = out;
endmodule
`default_nettype wire
