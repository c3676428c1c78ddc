// atomic_alu_miter gives one operation a clock to the ALU and to the specification, and wants the same answer a clock later.
`default_nettype none
module atomic_alu_miter (
    input wire        clk,
    input wire [3:0]  opcode,
    input wire [63:0] original,
    input wire [63:0] data,
    input wire [63:0] mask,
    input wire [63:0] compare,
    input wire [63:0] compare_mask
);
    wire [63:0] have, have_original, want;
    atomic_operation specification (
        .opcode(opcode), .original(original), .data(data), .mask(mask), .compare(compare), .compare_mask(compare_mask),
        .result(want)
    );
    atomic_alu alu (
        .clk(clk), .rst(1'b0), .req_valid(1'b1), .req_ready(),
        .req_opcode(opcode), .req_original(original), .req_data(data), .req_mask(mask),
        .req_compare(compare), .req_compare_mask(compare_mask),
        .resp_valid(), .resp_ready(1'b1), .resp_original(have_original), .resp_result(have)
    );
    reg [63:0] want_q, original_q;
    reg        started_q = 1'b0;
    always @(posedge clk) begin
        want_q     <= want;
        original_q <= original;
        started_q  <= 1'b1;
    end
    always @* begin
        if (started_q) begin
            assert (have == want_q);
            assert (have_original == original_q);
        end
    end
endmodule
`default_nettype wire
