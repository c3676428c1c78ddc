// merge forwards the beats of two streams, one per cycle, with one cycle of latency. A waiting stream is passed
// over at most once.
`default_nettype none
module merge #(
    parameter WIDTH = 64 // bits of a beat
) (
    input  wire             clk,
    input  wire             rst, // synchronous, active high

    // a: one stream
    input  wire             a_valid,
    output wire             a_ready,
    input  wire [WIDTH-1:0] a_data,  // one beat

    // b: the other stream
    input  wire             b_valid,
    output wire             b_ready,
    input  wire [WIDTH-1:0] b_data,  // one beat

    // out: the beats of both, each stream's in order
    output wire             out_valid,
    input  wire             out_ready,
    output wire [WIDTH-1:0] out_data   // one beat
);
    reg  [WIDTH-1:0] out_q;
    reg              out_valid_q;
    reg              b_turn_q;
    wire             free   = ~out_valid_q | out_ready;
    wire             pick_b = b_valid & (b_turn_q | ~a_valid);
    wire             any    = a_valid | b_valid;
    assign a_ready = free & ~pick_b;
    assign b_ready = free & pick_b;
    wire [WIDTH-1:0] picked = pick_b ? b_data : a_data;

    always @(posedge clk) begin
        if (free) begin
            out_valid_q <= any;
            if (any) begin
                out_q    <= picked;
                b_turn_q <= ~pick_b;
            end
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            b_turn_q    <= 1'b0;
        end
    end

    assign out_valid = out_valid_q;
    assign out_data  = out_q;
endmodule
`default_nettype wire
