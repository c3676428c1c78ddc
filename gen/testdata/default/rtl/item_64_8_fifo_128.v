// item_64_8_fifo_128 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 128 in its memory and one at its output.
`default_nettype none
module item_64_8_fifo_128 (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [2:0]   in_kind,
    input  wire [8:0]   in_place,
    input  wire [63:0]  in_id,
    input  wire [3:0]   in_opcode,
    input  wire [31:0]  in_length,
    input  wire [5:0]   in_rule,
    input  wire         in_queue_waits,
    input  wire [3:0]   in_queue_released,
    input  wire [3:0]   in_queue_slot,
    input  wire [5:0]   in_request_stream,
    input  wire [1:0]   in_request_kind,
    input  wire [31:0]  in_request_msn,
    input  wire [31:0]  in_request_atomic_msn,
    input  wire [31:0]  in_request_stag,
    input  wire [63:0]  in_request_address,
    input  wire [3:0]   in_request_term_layer,
    input  wire [3:0]   in_request_term_etype,
    input  wire [7:0]   in_request_term_code,
    input  wire [5:0]   in_request_header_length,
    input  wire [15:0]  in_request_segment_length,
    input  wire [415:0] in_request_body,
    output wire         out_valid,
    input  wire         out_ready,
    output wire [2:0]   out_kind,
    output wire [8:0]   out_place,
    output wire [63:0]  out_id,
    output wire [3:0]   out_opcode,
    output wire [31:0]  out_length,
    output wire [5:0]   out_rule,
    output wire         out_queue_waits,
    output wire [3:0]   out_queue_released,
    output wire [3:0]   out_queue_slot,
    output wire [5:0]   out_request_stream,
    output wire [1:0]   out_request_kind,
    output wire [31:0]  out_request_msn,
    output wire [31:0]  out_request_atomic_msn,
    output wire [31:0]  out_request_stag,
    output wire [63:0]  out_request_address,
    output wire [3:0]   out_request_term_layer,
    output wire [3:0]   out_request_term_etype,
    output wire [7:0]   out_request_term_code,
    output wire [5:0]   out_request_header_length,
    output wire [15:0]  out_request_segment_length,
    output wire [415:0] out_request_body
);
    reg         out_valid_q;
    reg         out_is_stored_q;
    reg [748:0] direct_q;
    reg [6:0]   head_q;
    reg [6:0]   tail_q;
    reg [7:0]   held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire         out_free     = ~out_valid_q | out_ready;
    wire         memory_empty = ~|held_q;
    wire         ready        = ~held_q[7];
    wire         fetch        = out_free & ~memory_empty;
    wire         pass         = in_valid & out_free & memory_empty;
    wire         store        = in_valid & ready & ~pass;
    wire [748:0] beat         = {
        in_kind, in_place, in_id, in_opcode, in_length, in_rule, in_queue_waits, in_queue_released,
        in_queue_slot, in_request_stream, in_request_kind, in_request_msn, in_request_atomic_msn,
        in_request_stag, in_request_address, in_request_term_layer, in_request_term_etype,
        in_request_term_code, in_request_header_length, in_request_segment_length, in_request_body
    };
    assign in_ready = ready;
    reg  [748:0] beats [0:127];
    reg  [748:0] fetched_q;

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
            head_q <= head_q + 7'd1;
        end
        if (store) begin
            tail_q <= tail_q + 7'd1;
        end
        if (store & ~fetch) begin
            held_q <= held_q + 8'd1;
        end else if (fetch & ~store) begin
            held_q <= held_q - 8'd1;
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            head_q      <= 7'd0;
            tail_q      <= 7'd0;
            held_q      <= 8'd0;
        end
    end

    wire [748:0] out = out_is_stored_q ? fetched_q : direct_q;
    assign out_valid                  = out_valid_q;
    assign out_kind                   = out[748:746];
    assign out_place                  = out[745:737];
    assign out_id                     = out[736:673];
    assign out_opcode                 = out[672:669];
    assign out_length                 = out[668:637];
    assign out_rule                   = out[636:631];
    assign out_queue_waits            = out[630];
    assign out_queue_released         = out[629:626];
    assign out_queue_slot             = out[625:622];
    assign out_request_stream         = out[621:616];
    assign out_request_kind           = out[615:614];
    assign out_request_msn            = out[613:582];
    assign out_request_atomic_msn     = out[581:550];
    assign out_request_stag           = out[549:518];
    assign out_request_address        = out[517:454];
    assign out_request_term_layer     = out[453:450];
    assign out_request_term_etype     = out[449:446];
    assign out_request_term_code      = out[445:438];
    assign out_request_header_length  = out[437:432];
    assign out_request_segment_length = out[431:416];
    assign out_request_body           = out[415:0];
endmodule
`default_nettype wire
