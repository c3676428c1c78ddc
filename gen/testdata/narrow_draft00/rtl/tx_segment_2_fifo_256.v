// tx_segment_2_fifo_256 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 256 in its memory and one at its output.
`default_nettype none
module tx_segment_2_fifo_256 (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire         in_stream,
    input  wire [2:0]   in_kind,
    input  wire         in_final,
    input  wire [31:0]  in_msn,
    input  wire [6:0]   in_header_length,
    input  wire [559:0] in_header,
    input  wire [15:0]  in_payload_length,
    output wire         out_valid,
    input  wire         out_ready,
    output wire         out_stream,
    output wire [2:0]   out_kind,
    output wire         out_final,
    output wire [31:0]  out_msn,
    output wire [6:0]   out_header_length,
    output wire [559:0] out_header,
    output wire [15:0]  out_payload_length
);
    reg         out_valid_q;
    reg         out_is_stored_q;
    reg [619:0] direct_q;
    reg [7:0]   head_q;
    reg [7:0]   tail_q;
    reg [8:0]   held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire         out_free     = ~out_valid_q | out_ready;
    wire         memory_empty = ~|held_q;
    wire         ready        = ~held_q[8];
    wire         fetch        = out_free & ~memory_empty;
    wire         pass         = in_valid & out_free & memory_empty;
    wire         store        = in_valid & ready & ~pass;
    wire [619:0] beat         = {
        in_stream, in_kind, in_final, in_msn, in_header_length, in_header, in_payload_length
    };
    assign in_ready = ready;
    reg  [619:0] beats [0:255];
    reg  [619:0] fetched_q;

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
            head_q <= head_q + 8'd1;
        end
        if (store) begin
            tail_q <= tail_q + 8'd1;
        end
        if (store & ~fetch) begin
            held_q <= held_q + 9'd1;
        end else if (fetch & ~store) begin
            held_q <= held_q - 9'd1;
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            head_q      <= 8'd0;
            tail_q      <= 8'd0;
            held_q      <= 9'd0;
        end
    end

    wire [619:0] out = out_is_stored_q ? fetched_q : direct_q;
    assign out_valid          = out_valid_q;
    assign out_stream         = out[619];
    assign out_kind           = out[618:616];
    assign out_final          = out[615];
    assign out_msn            = out[614:583];
    assign out_header_length  = out[582:576];
    assign out_header         = out[575:16];
    assign out_payload_length = out[15:0];
endmodule
`default_nettype wire
