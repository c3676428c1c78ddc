// ddp_opcode is the required form of the message of each opcode, written by hand from RFC 5040 section 4 and RFC 7306 sections 4 and 5.2.
// With COMMIT it includes those of draft-talpey-rdma-commit-01 section 3.1, whose opcodes have five bits.
`default_nettype none
module ddp_opcode #(parameter COMMIT = 0) (
    input  wire [4:0]  opcode,    // the top bit counts with COMMIT only
    output reg         known,     // the opcode is one of these documents
    output reg         in_tagged, // it goes to a tagged buffer
    output reg  [31:0] queue,     // else to this queue
    output reg         data,      // the octets after the DDP header are the user's, a digest, or a Terminate's
    output reg         single,    // the message has one segment
    output reg  [15:0] octets,    // which has this many after the DDP header
    output reg         at_least,  // or more
    output reg         replied,   // its response goes to queue 3
    output reg  [3:0]  request    // of requests, in the order of their opcodes, the place of this one, or of the one that it responds to
);
    always @* begin
        known = 1'b1; in_tagged = 1'b0; queue = 32'd0; data = 1'b0; single = 1'b1; octets = 16'd0; at_least = 1'b0; replied = 1'b0; request = 4'd0;
        case (COMMIT == 1 ? opcode : {1'b0, opcode[3:0]})
            5'd0:  begin in_tagged = 1'b1; data = 1'b1; single = 1'b0; end                    // RDMA Write
            5'd1:  begin queue = 32'd1; octets = 16'd28; end                                  // RDMA Read Request
            5'd2:  begin in_tagged = 1'b1; data = 1'b1; single = 1'b0; end                    // RDMA Read Response
            5'd3, 5'd4, 5'd5, 5'd6: begin data = 1'b1; single = 1'b0; end                     // Send, with Invalidate, with SE, with both
            5'd7:  begin queue = 32'd2; data = 1'b1; octets = 16'd4; at_least = 1'b1; end     // Terminate
            5'd8, 5'd9: octets = 16'd8;                                                       // Immediate Data, with SE
            5'd10: begin queue = 32'd1; octets = 16'd52; replied = 1'b1; request = 4'd1; end  // Atomic Request
            5'd11: begin queue = 32'd3; octets = 16'd12; request = 4'd1; end                  // Atomic Response
            default: begin known = 1'b0; data = 1'b1; single = 1'b0; end
        endcase
        if (COMMIT == 1 && opcode >= 5'd12 && opcode <= 5'd17) begin
            known   = 1'b1;
            data    = 1'b0;
            single  = 1'b1;
            queue   = opcode[0] ? 32'd3 : 32'd1;
            replied = !opcode[0];
            case (opcode)
                5'd12: begin octets = 16'd20; request = 4'd2; end                             // Flush Request
                5'd13: request = 4'd2;                                                        // Flush Response
                5'd14: begin octets = 16'd16; at_least = 1'b1; request = 4'd3; end            // Verify Request, and a hash
                5'd15: begin data = 1'b1; at_least = 1'b1; request = 4'd3; end                // Verify Response: a digest
                5'd16: begin octets = 16'd24; request = 4'd4; end                             // Atomic Write Request
                default: request = 4'd4;                                                      // Atomic Write Response
            endcase
        end
    end
endmodule
`default_nettype wire
