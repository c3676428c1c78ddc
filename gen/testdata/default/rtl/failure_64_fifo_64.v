// failure_64_fifo_64 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 64 in its memory and one at its output.
`default_nettype none
module failure_64_fifo_64 (
    input  wire       clk,
    input  wire       rst,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [5:0] in_stream,
    input  wire [3:0] in_term_layer,
    input  wire [3:0] in_term_etype,
    input  wire [7:0] in_term_code,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [5:0] out_stream,
    output wire [3:0] out_term_layer,
    output wire [3:0] out_term_etype,
    output wire [7:0] out_term_code
);
    reg        out_valid_q;
    reg        out_is_stored_q;
    reg [21:0] direct_q;
    reg [5:0]  head_q;
    reg [5:0]  tail_q;
    reg [6:0]  held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire        out_free     = ~out_valid_q | out_ready;
    wire        memory_empty = ~|held_q;
    wire        ready        = ~held_q[6];
    wire        fetch        = out_free & ~memory_empty;
    wire        pass         = in_valid & out_free & memory_empty;
    wire        store        = in_valid & ready & ~pass;
    wire [21:0] beat         = {in_stream, in_term_layer, in_term_etype, in_term_code};
    assign in_ready = ready;
    reg  [21:0] beats [0:63];
    reg  [21:0] fetched_q;

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
            head_q <= head_q + 6'd1;
        end
        if (store) begin
            tail_q <= tail_q + 6'd1;
        end
        if (store & ~fetch) begin
            held_q <= held_q + 7'd1;
        end else if (fetch & ~store) begin
            held_q <= held_q - 7'd1;
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            head_q      <= 6'd0;
            tail_q      <= 6'd0;
            held_q      <= 7'd0;
        end
    end

    wire [21:0] out = out_is_stored_q ? fetched_q : direct_q;
    assign out_valid      = out_valid_q;
    assign out_stream     = out[21:16];
    assign out_term_layer = out[15:12];
    assign out_term_etype = out[11:8];
    assign out_term_code  = out[7:0];
endmodule
`default_nettype wire
