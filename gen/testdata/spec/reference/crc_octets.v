// crc_octets takes octets into the state of a cyclic redundancy check, bit by bit, as polynomials are divided by hand: the bit that enters and the
// coefficient of the highest power decide whether the polynomial is taken away. The lowest bit of an octet comes first. Bit 0 of the
// state is the coefficient of the highest power; bit 0 of POLYNOMIAL is that of the lowest.
`default_nettype none
module crc_octets #(parameter WIDTH = 32, parameter [WIDTH-1:0] POLYNOMIAL = 32'h1EDC6F41, parameter OCTETS = 8) (
    input  wire [WIDTH-1:0]    state,
    input  wire [8*OCTETS-1:0] octets, // the first one in [7:0]
    input  wire [7:0]          count,  // of octets that are taken, from the first on
    output wire [WIDTH-1:0]    next
);
    wire [WIDTH-1:0] taken_away;
    wire [WIDTH-1:0] behind [0:8*OCTETS]; // each bit
    wire [WIDTH-1:0] chosen [0:OCTETS];
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin : powers
            assign taken_away[WIDTH-1-i] = POLYNOMIAL[i];
        end
        assign behind[0] = state;
        for (i = 0; i < 8 * OCTETS; i = i + 1) begin : bits
            assign behind[i+1] = {1'b0, behind[i][WIDTH-1:1]} ^ (taken_away & {WIDTH{behind[i][0] ^ octets[i]}});
        end
        assign chosen[0] = state;
        for (i = 1; i <= OCTETS; i = i + 1) begin : counts
            assign chosen[i] = count >= i ? behind[8*i] : chosen[i-1];
        end
    endgenerate
    assign next = chosen[OCTETS];
endmodule
`default_nettype wire
