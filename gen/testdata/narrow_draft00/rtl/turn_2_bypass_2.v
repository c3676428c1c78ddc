// turn_2_bypass_2 passes beats on in order, one a clock; when it is empty, in the clock in which they come. It holds
// those that nobody takes, 3 of them.
`default_nettype none
module turn_2_bypass_2 (
    input  wire clk,
    input  wire rst,
    input  wire in_valid,
    output wire in_ready,
    input  wire in_stream,
    output wire out_valid,
    input  wire out_ready,
    output wire out_stream
);
    wire stored_valid;
    wire stored_ready;
    wire stored_stream;
    wire waiting_valid;
    wire waiting_ready;
    wire waiting_stream;

    turn_2_fifo_2 fifo (
        .clk        (clk),
        .rst        (rst),
        .in_valid   (stored_valid),
        .in_ready   (stored_ready),
        .in_stream  (stored_stream),
        .out_valid  (waiting_valid),
        .out_ready  (waiting_ready),
        .out_stream (waiting_stream)
    );

    wire is_empty = ~waiting_valid;
    assign stored_valid  = in_valid & ~(is_empty & out_ready);
    assign stored_stream = in_stream;
    assign in_ready      = stored_ready;
    assign waiting_ready = out_ready;
    wire out      = is_empty ? in_stream : waiting_stream;
    assign out_valid     = waiting_valid | in_valid;
    assign out_stream    = out;
endmodule
`default_nettype wire
