// turn_64_8_fifo_1024 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 1024 in its memory and one at its output.
`default_nettype none
module turn_64_8_fifo_1024 (
    input  wire       clk,
    input  wire       rst,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [5:0] in_stream,
    input  wire [3:0] in_slot,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [5:0] out_stream,
    output wire [3:0] out_slot
);
    reg        out_valid_q;
    reg        out_is_stored_q;
    reg [9:0]  direct_q;
    reg [9:0]  head_q;
    reg [9:0]  tail_q;
    reg [10:0] held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire       out_free     = ~out_valid_q | out_ready;
    wire       memory_empty = ~|held_q;
    wire       ready        = ~held_q[10];
    wire       fetch        = out_free & ~memory_empty;
    wire       pass         = in_valid & out_free & memory_empty;
    wire       store        = in_valid & ready & ~pass;
    wire [9:0] beat         = {in_stream, in_slot};
    assign in_ready = ready;
    reg  [9:0] beats [0:1023];
    reg  [9:0] fetched_q;

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

    wire [9:0] out = out_is_stored_q ? fetched_q : direct_q;
    assign out_valid  = out_valid_q;
    assign out_stream = out[9:4];
    assign out_slot   = out[3:0];
endmodule
`default_nettype wire
