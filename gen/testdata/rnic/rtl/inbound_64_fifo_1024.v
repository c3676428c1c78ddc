// inbound_64_fifo_1024 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 1024 in its memory and one at its output.
`default_nettype none
module inbound_64_fifo_1024 (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [5:0]   in_stream,
    input  wire [1:0]   in_kind,
    input  wire [31:0]  in_msn,
    input  wire [31:0]  in_atomic_msn,
    input  wire [31:0]  in_stag,
    input  wire [63:0]  in_address,
    input  wire [3:0]   in_term_layer,
    input  wire [3:0]   in_term_etype,
    input  wire [7:0]   in_term_code,
    input  wire [5:0]   in_header_length,
    input  wire [15:0]  in_segment_length,
    input  wire [415:0] in_body,
    output wire         out_valid,
    input  wire         out_ready,
    output wire [5:0]   out_stream,
    output wire [1:0]   out_kind,
    output wire [31:0]  out_msn,
    output wire [31:0]  out_atomic_msn,
    output wire [31:0]  out_stag,
    output wire [63:0]  out_address,
    output wire [3:0]   out_term_layer,
    output wire [3:0]   out_term_etype,
    output wire [7:0]   out_term_code,
    output wire [5:0]   out_header_length,
    output wire [15:0]  out_segment_length,
    output wire [415:0] out_body
);
    reg         out_valid_q;
    reg         out_is_stored_q;
    reg [621:0] direct_q;
    reg [9:0]   head_q;
    reg [9:0]   tail_q;
    reg [10:0]  held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire         out_free     = ~out_valid_q | out_ready;
    wire         memory_empty = ~|held_q;
    wire         ready        = ~held_q[10];
    wire         fetch        = out_free & ~memory_empty;
    wire         pass         = in_valid & out_free & memory_empty;
    wire         store        = in_valid & ready & ~pass;
    wire [621:0] beat         = {
        in_stream, in_kind, in_msn, in_atomic_msn, in_stag, in_address, in_term_layer, in_term_etype,
        in_term_code, in_header_length, in_segment_length, in_body
    };
    assign in_ready = ready;
    reg  [621:0] beats [0:1023];
    reg  [621:0] fetched_q;

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
            head_q <= head_q + 10'd1;
        end
        if (store) begin
            tail_q <= tail_q + 10'd1;
        end
        if (store & ~fetch) begin
            held_q <= held_q + 11'd1;
        end else if (fetch & ~store) begin
            held_q <= held_q - 11'd1;
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            head_q      <= 10'd0;
            tail_q      <= 10'd0;
            held_q      <= 11'd0;
        end
    end

    wire [621:0] out = out_is_stored_q ? fetched_q : direct_q;
    assign out_valid          = out_valid_q;
    assign out_stream         = out[621:616];
    assign out_kind           = out[615:614];
    assign out_msn            = out[613:582];
    assign out_atomic_msn     = out[581:550];
    assign out_stag           = out[549:518];
    assign out_address        = out[517:454];
    assign out_term_layer     = out[453:450];
    assign out_term_etype     = out[449:446];
    assign out_term_code      = out[445:438];
    assign out_header_length  = out[437:432];
    assign out_segment_length = out[431:416];
    assign out_body           = out[415:0];
endmodule
`default_nettype wire
