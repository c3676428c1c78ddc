// tx_coming_64_1024_fifo_256 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 256 in its memory and one at its output.
`default_nettype none
module tx_coming_64_1024_fifo_256 (
    input  wire       clk,
    input  wire       rst,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [4:0] in_beats,
    input  wire [5:0] in_offset,
    input  wire [5:0] in_ends,
    input  wire [5:0] in_turn,
    input  wire       in_late,
    input  wire       in_spill,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [4:0] out_beats,
    output wire [5:0] out_offset,
    output wire [5:0] out_ends,
    output wire [5:0] out_turn,
    output wire       out_late,
    output wire       out_spill
);
    reg        out_valid_q;
    reg        out_is_stored_q;
    reg [24:0] direct_q;
    reg [7:0]  head_q;
    reg [7:0]  tail_q;
    reg [8:0]  held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire        out_free     = ~out_valid_q | out_ready;
    wire        memory_empty = ~|held_q;
    wire        ready        = ~held_q[8];
    wire        fetch        = out_free & ~memory_empty;
    wire        pass         = in_valid & out_free & memory_empty;
    wire        store        = in_valid & ready & ~pass;
    wire [24:0] beat         = {in_beats, in_offset, in_ends, in_turn, in_late, in_spill};
    assign in_ready = ready;
    reg  [24:0] beats [0:255];
    reg  [24:0] fetched_q;

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

    wire [24:0] out = out_is_stored_q ? fetched_q : direct_q;
    assign out_valid  = out_valid_q;
    assign out_beats  = out[24:20];
    assign out_offset = out[19:14];
    assign out_ends   = out[13:8];
    assign out_turn   = out[7:2];
    assign out_late   = out[1];
    assign out_spill  = out[0];
endmodule
`default_nettype wire
