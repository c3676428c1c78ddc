// place_64_bypass_16 passes beats on in order, one a clock; when it is empty, in the clock in which they come. It holds
// those that nobody takes, 17 of them.
`default_nettype none
module place_64_bypass_16 (
    input  wire        clk,
    input  wire        rst,
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [5:0]  in_stream,
    input  wire        in_discard,
    input  wire        in_inline,
    input  wire [63:0] in_address,
    input  wire [15:0] in_length,
    input  wire [63:0] in_data,
    output wire        out_valid,
    input  wire        out_ready,
    output wire [5:0]  out_stream,
    output wire        out_discard,
    output wire        out_inline,
    output wire [63:0] out_address,
    output wire [15:0] out_length,
    output wire [63:0] out_data
);
    wire        stored_valid;
    wire        stored_ready;
    wire [5:0]  stored_stream;
    wire        stored_discard;
    wire        stored_inline;
    wire [63:0] stored_address;
    wire [15:0] stored_length;
    wire [63:0] stored_data;
    wire        waiting_valid;
    wire        waiting_ready;
    wire [5:0]  waiting_stream;
    wire        waiting_discard;
    wire        waiting_inline;
    wire [63:0] waiting_address;
    wire [15:0] waiting_length;
    wire [63:0] waiting_data;

    place_64_fifo_16 fifo (
        .clk         (clk),
        .rst         (rst),
        .in_valid    (stored_valid),
        .in_ready    (stored_ready),
        .in_stream   (stored_stream),
        .in_discard  (stored_discard),
        .in_inline   (stored_inline),
        .in_address  (stored_address),
        .in_length   (stored_length),
        .in_data     (stored_data),
        .out_valid   (waiting_valid),
        .out_ready   (waiting_ready),
        .out_stream  (waiting_stream),
        .out_discard (waiting_discard),
        .out_inline  (waiting_inline),
        .out_address (waiting_address),
        .out_length  (waiting_length),
        .out_data    (waiting_data)
    );

    wire         is_empty = ~waiting_valid;
    assign stored_valid   = in_valid & ~(is_empty & out_ready);
    assign stored_stream  = in_stream;
    assign stored_discard = in_discard;
    assign stored_inline  = in_inline;
    assign stored_address = in_address;
    assign stored_length  = in_length;
    assign stored_data    = in_data;
    assign in_ready       = stored_ready;
    assign waiting_ready  = out_ready;
    wire [151:0] out      =
        is_empty ? {in_stream, in_discard, in_inline, in_address, in_length, in_data} :
                   {
                       waiting_stream, waiting_discard, waiting_inline, waiting_address, waiting_length,
                       waiting_data
                   };
    assign out_valid      = waiting_valid | in_valid;
    assign out_stream     = out[151:146];
    assign out_discard    = out[145];
    assign out_inline     = out[144];
    assign out_address    = out[143:80];
    assign out_length     = out[79:64];
    assign out_data       = out[63:0];
endmodule
`default_nettype wire
