// tx_arrived_fifo_256 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 256 in its memory and one at its output.
`default_nettype none
module tx_arrived_fifo_256 (
    input  wire clk,
    input  wire rst,
    input  wire in_valid,
    output wire in_ready,
    input  wire in_failed,
    output wire out_valid,
    input  wire out_ready,
    output wire out_failed
);
    reg       out_valid_q;
    reg       out_is_stored_q;
    reg       direct_q;
    reg [7:0] head_q;
    reg [7:0] tail_q;
    reg [8:0] held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire out_free     = ~out_valid_q | out_ready;
    wire memory_empty = ~|held_q;
    wire ready        = ~held_q[8];
    wire fetch        = out_free & ~memory_empty;
    wire pass         = in_valid & out_free & memory_empty;
    wire store        = in_valid & ready & ~pass;
    wire beat         = in_failed;
    assign in_ready = ready;
    reg  beats [0:255];
    reg  fetched_q;

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

    wire out = out_is_stored_q ? fetched_q : direct_q;
    assign out_valid  = out_valid_q;
    assign out_failed = out;
endmodule
`default_nettype wire
