// payload_8_2_fifo_8192 passes beats on in order: one a clock in, one a clock out, one clock of latency when it is empty.
// It holds 8192 in its memory and one at its output.
`default_nettype none
module payload_8_2_fifo_8192 (
    input  wire        clk,
    input  wire        rst,
    input  wire        in_tvalid,
    output wire        in_tready,
    input  wire [63:0] in_tdata,
    input  wire [7:0]  in_tkeep,
    input  wire        in_tlast,
    input  wire        in_tuser,
    output wire        out_tvalid,
    input  wire        out_tready,
    output wire [63:0] out_tdata,
    output wire [7:0]  out_tkeep,
    output wire        out_tlast,
    output wire        out_tuser
);
    reg        out_valid_q;
    reg        out_is_stored_q;
    reg [73:0] direct_q;
    reg [12:0] head_q;
    reg [12:0] tail_q;
    reg [13:0] held_q;
    // A beat goes past the memory when nothing is in it and the output is free.
    wire        out_free     = ~out_valid_q | out_tready;
    wire        memory_empty = ~|held_q;
    wire        ready        = ~held_q[13];
    wire        fetch        = out_free & ~memory_empty;
    wire        pass         = in_tvalid & out_free & memory_empty;
    wire        store        = in_tvalid & ready & ~pass;
    wire [73:0] beat         = {in_tdata, in_tkeep, in_tlast, in_tuser};
    assign in_tready = ready;
    reg  [73:0] beats [0:8191];
    reg  [73:0] fetched_q;

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
            head_q <= head_q + 13'd1;
        end
        if (store) begin
            tail_q <= tail_q + 13'd1;
        end
        if (store & ~fetch) begin
            held_q <= held_q + 14'd1;
        end else if (fetch & ~store) begin
            held_q <= held_q - 14'd1;
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            head_q      <= 13'd0;
            tail_q      <= 13'd0;
            held_q      <= 14'd0;
        end
    end

    wire [73:0] out = out_is_stored_q ? fetched_q : direct_q;
    assign out_tvalid = out_valid_q;
    assign out_tdata  = out[73:10];
    assign out_tkeep  = out[9:2];
    assign out_tlast  = out[1];
    assign out_tuser  = out[0];
endmodule
`default_nettype wire
