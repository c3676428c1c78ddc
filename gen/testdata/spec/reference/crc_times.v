// crc_times multiplies two polynomials over GF(2) by hand, a few bits at a time: the sum so far is multiplied by x and reduced, and the factor is added
// if the next bit is 1. Bit 0 of sum and factor is the coefficient of the highest power, and so is bit 0 of the bits; bit 0 of POLYNOMIAL is that
// of the lowest.
`default_nettype none
module crc_times #(parameter WIDTH = 32, parameter [WIDTH-1:0] POLYNOMIAL = 32'h1EDC6F41, parameter BITS = 4) (
    input  wire [WIDTH-1:0] sum,
    input  wire [BITS-1:0]  bits,
    input  wire [WIDTH-1:0] factor,
    output wire [WIDTH-1:0] next
);
    wire [WIDTH-1:0] taken_away;
    wire [WIDTH-1:0] behind [0:BITS]; // each bit
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin : powers
            assign taken_away[WIDTH-1-i] = POLYNOMIAL[i];
        end
        assign behind[0] = sum;
        for (i = 0; i < BITS; i = i + 1) begin : steps
            assign behind[i+1] = {1'b0, behind[i][WIDTH-1:1]} ^ (taken_away & {WIDTH{behind[i][0]}}) ^ (factor & {WIDTH{bits[i]}});
        end
    endgenerate
    assign next = behind[BITS];
endmodule
`default_nettype wire
