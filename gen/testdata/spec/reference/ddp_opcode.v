// ddp_opcode is the required form of the message of each opcode, written by hand from RFC 5040 section 4 and RFC 7306 sections 4 and 5.2.
`default_nettype none
module ddp_opcode (
    input  wire [3:0]  opcode,
    output reg         known,     // the opcode is one of RFC 5040 or RFC 7306
    output reg         in_tagged, // it goes to a tagged buffer
    output reg  [31:0] queue,     // else to this queue
    output reg         data,      // the octets after the DDP header are the user's, or a Terminate's
    output reg  [15:0] exactly,   // else there are this many
    output reg         replied,   // its response goes to queue 3
    output reg  [3:0]  request    // of requests, in the order of their opcodes, the place of this one, or of the one that it responds to
);
    always @* begin
        known = 1'b1; in_tagged = 1'b0; queue = 32'd0; data = 1'b1; exactly = 16'd0; replied = 1'b0; request = 4'd0;
        case (opcode)
            4'd0:  in_tagged = 1'b1;                                        // RDMA Write
            4'd1:  begin queue = 32'd1; data = 1'b0; exactly = 16'd28; end  // RDMA Read Request
            4'd2:  in_tagged = 1'b1;                                        // RDMA Read Response
            4'd3, 4'd4, 4'd5, 4'd6: ;                                       // Send, with Invalidate, with SE, with both
            4'd7:  queue = 32'd2;                                           // Terminate
            4'd8, 4'd9: begin data = 1'b0; exactly = 16'd8; end             // Immediate Data, with SE
            4'd10: begin queue = 32'd1; data = 1'b0; exactly = 16'd52; replied = 1'b1; request = 4'd1; end // Atomic Request
            4'd11: begin queue = 32'd3; data = 1'b0; exactly = 16'd12; request = 4'd1; end                 // Atomic Response
            default: known = 1'b0;
        endcase
    end
endmodule
`default_nettype wire
