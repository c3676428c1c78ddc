// atomic_operation is the reference for atomic_unit, written by hand, bit by bit, from the text of RFC 7306 section 5.1.
// With DRAFT00 it includes Swap of draft-ietf-storm-rdmap-ext-00 section 5.1.2.
`default_nettype none
module atomic_operation #(parameter DRAFT00 = 0) (
    input  wire [3:0]  opcode, // AOpCode: 0 FetchAdd, 1 Swap, 2 CmpSwap; others leave the word unchanged
    input  wire [63:0] original,
    input  wire [63:0] data,
    input  wire [63:0] mask,
    input  wire [63:0] compare,
    input  wire [63:0] compare_mask,
    output reg  [63:0] result
);
    integer   i;
    reg       carry;
    reg [1:0] sum;
    always @* begin
        result = original;
        carry  = 1'b0;
        sum    = 2'd0;
        if (opcode == 4'd0) begin // FetchAdd
            for (i = 0; i < 64; i = i + 1) begin
                sum       = {1'b0, carry} + {1'b0, original[i]} + {1'b0, data[i]};
                result[i] = sum[0];
                carry     = sum[1] && !mask[i];
            end
        end else if (opcode == 4'd1 && DRAFT00 == 1) begin // Swap: its mask is ignored
            result = data;
        end else if (opcode == 4'd2) begin // CmpSwap
            if (!(|((compare ^ original) & compare_mask))) begin
                result = (original & ~mask) | (data & mask);
            end
        end
    end
endmodule
`default_nettype wire
