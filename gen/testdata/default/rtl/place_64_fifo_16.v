// place_64_fifo_16 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 16 in its memory and one at its output.
`default_nettype none
module place_64_fifo_16 (
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
    reg         out_valid_q;
    reg         out_is_stored_q;
    reg [151:0] direct_q;
    reg [3:0]   head_q;
    reg [3:0]   tail_q;
    reg [4:0]   held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire         out_free     = ~out_valid_q | out_ready;
    wire         memory_empty = ~|held_q;
    wire         ready        = ~held_q[4];
    wire         fetch        = out_free & ~memory_empty;
    wire         pass         = in_valid & out_free & memory_empty;
    wire         store        = in_valid & ready & ~pass;
    wire [151:0] beat         = {in_stream, in_discard, in_inline, in_address, in_length, in_data};
    assign in_ready = ready;
    reg  [151:0] beats [0:15];
    reg  [151:0] fetched_q;

    always @(posedge clk) begin
        if (store) begin
            beats[tail_q] <= beat;
        end
        if (fetch) begin
            fetched_q <= beats[head_q];
        end
    end

    always @(posedge clk) begin
        if (out_free) begin
            out_valid_q     <= fetch | pass;
            out_is_stored_q <= ~memory_empty;
        end
        if (pass) begin
            direct_q <= beat;
        end
        if (fetch) begin
            head_q <= head_q + 4'd1;
        end
        if (store) begin
            tail_q <= tail_q + 4'd1;
        end
        if (store & ~fetch) begin
            held_q <= held_q + 5'd1;
        end else if (fetch & ~store) begin
            held_q <= held_q - 5'd1;
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            head_q      <= 4'd0;
            tail_q      <= 4'd0;
            held_q      <= 5'd0;
        end
    end

    wire [151:0] out = out_is_stored_q ? fetched_q : direct_q;
    assign out_valid   = out_valid_q;
    assign out_stream  = out[151:146];
    assign out_discard = out[145];
    assign out_inline  = out[144];
    assign out_address = out[143:80];
    assign out_length  = out[79:64];
    assign out_data    = out[63:0];
endmodule
`default_nettype wire
