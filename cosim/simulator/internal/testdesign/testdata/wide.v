// wide has a register with fields of every storage class, two independent streams, and outputs that depend on inputs of
// the same cycle.
`default_nettype none
module wide (
    input  wire         clk,
    input  wire         rst,
    input  wire         a_valid,
    output wire         a_ready,
    input  wire [  6:0] a_byte,
    input  wire [560:0] a_header,
    input  wire [ 14:0] a_short,
    input  wire [ 40:0] a_quad,
    input  wire [ 99:0] a_wide,
    output wire         b_valid,
    input  wire         b_ready,
    output wire [  6:0] b_byte,
    output wire [560:0] b_header,
    output wire [ 14:0] b_short,
    output wire [ 40:0] b_quad,
    output wire [ 99:0] b_wide,
    input  wire         c_valid,
    output wire         c_ready,
    input  wire [ 31:0] c_word,
    output wire         d_valid,
    input  wire         d_ready,
    output wire [ 31:0] d_word
);
    reg         valid_q;
    reg [723:0] beat_q;

    assign a_ready = !valid_q || b_ready;
    assign b_valid = valid_q;
    assign {b_wide, b_quad, b_short, b_header, b_byte} = beat_q;

    always @(posedge clk) begin
        if (a_ready) begin
            valid_q <= a_valid;
            beat_q  <= {a_wide, a_quad, a_short, a_header, a_byte};
        end
        if (rst) valid_q <= 1'b0;
    end

    assign d_valid = c_valid;
    assign c_ready = d_ready;
    assign d_word  = ~c_word;
endmodule
`default_nettype wire
