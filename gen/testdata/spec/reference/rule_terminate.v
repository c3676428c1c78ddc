// rule_terminate gives the Terminate required for a broken rule, written by hand from the tables of RFC 5040 section 4.8 and RFC 5041
// section 7.2. The numbers of rules are those of docs/headers.md.
`default_nettype none
module rule_terminate (
    input  wire [5:0]  rule,
    output reg  [15:0] terminate // layer, error type, error code
);
    always @* begin
        case (rule)
            6'd1: terminate = 16'h1000;                      // DDP, local
            // DDP, tagged buffer.
            6'd22, 6'd32: terminate = 16'h1100;              // invalid STag: not the sink's, or of no region
            6'd20, 6'd23, 6'd36: terminate = 16'h1101;       // base or bounds: of the sink, or of a region
            6'd33: terminate = 16'h1102;                     // STag not associated with the stream
            6'd35: terminate = 16'h1103;                     // TO wrap
            6'd2: terminate = 16'h1104;                      // DDP version
            // DDP, untagged buffer.
            6'd4: terminate = 16'h1201;                      // QN
            6'd12, 6'd13, 6'd14: terminate = 16'h1202;       // MSN, no buffer: receive, request, response
            6'd11: terminate = 16'h1203;                     // MSN out of range
            6'd9, 6'd15: terminate = 16'h1204;               // MO
            6'd19: terminate = 16'h1205;                     // message too long
            6'd3: terminate = 16'h1206;                      // DDP version
            // RDMAP, remote protection.
            6'd26: terminate = 16'h0100;                     // invalid STag
            6'd30: terminate = 16'h0101;                     // base or bounds
            6'd28, 6'd34: terminate = 16'h0102;              // access rights, which only RDMAP knows
            6'd27: terminate = 16'h0103;                     // STag not associated with the stream
            6'd29: terminate = 16'h0104;                     // TO wrap
            6'd38: terminate = 16'h0109;                     // STag cannot be invalidated
            // RDMAP, remote operation.
            6'd5: terminate = 16'h0205;                      // RDMAP version
            6'd6, 6'd7, 6'd8, 6'd16, 6'd17, 6'd18, 6'd25: terminate = 16'h0206; // unexpected opcode
            6'd10, 6'd21, 6'd24, 6'd31: terminate = 16'h0207; // catastrophic, this stream
            default: terminate = 16'h0000;                   // RDMAP, local
        endcase
    end
endmodule
`default_nettype wire
