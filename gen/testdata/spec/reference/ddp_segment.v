// ddp_segment checks one DDP segment against RFC 5041 section 4, RFC 5040 section 4 and RFC 7306 section 4, written by hand from their
// text, with COMMIT also draft-talpey-rdma-commit-01 section 3.1: the first rule that it breaks (numbers of docs/headers.md), and the data that it carries. Octet 0 is octets[143:136]; octets
// after the segment are not read.
`default_nettype none
module ddp_segment #(parameter COMMIT = 0) (
    input  wire [143:0] octets,
    input  wire [15:0]  length,
    output reg  [5:0]   rule,           // 0: none
    output reg          carries_data,
    output reg  [15:0]  header_length,  // of the DDP header
    output reg  [15:0]  payload_length
);
    // DDP control and RDMAP control.
    wire       tagged = octets[143];
    wire       last   = octets[142];
    wire [1:0] dv     = octets[137:136];
    wire [1:0] rv     = octets[135:134];
    wire [4:0] opcode = octets[132:128];
    // Of an untagged segment: octets 6 to 9 are the Queue Number, 14 to 17 the Message Offset.
    wire [31:0] qn    = {octets[95:88], octets[87:80], octets[79:72], octets[71:64]};
    wire [31:0] mo    = octets[31:0];

    wire        known, in_tagged, data, single, at_least;
    wire [31:0] queue;
    wire [15:0] wants;
    ddp_opcode #(.COMMIT(COMMIT)) message (
        .opcode(opcode), .known(known), .in_tagged(in_tagged), .queue(queue), .data(data), .single(single), .octets(wants), .at_least(at_least),
        .replied(), .request()
    );

    wire is_immediate = opcode[3:0] == 4'd8 || opcode[3:0] == 4'd9;

    always @* begin
        header_length  = tagged ? 16'd14 : 16'd18;
        rule           = 6'd0;
        carries_data   = 1'b0;
        payload_length = 16'd0;
        if (length < header_length) begin                          // no DDP header
            rule = 6'd1;
        end else if (dv != 2'b01) begin                            // DDP version
            rule = tagged ? 6'd2 : 6'd3;
        end else if (!tagged && qn >= 32'd4) begin                 // invalid QN
            rule = 6'd4;
        end else if (rv != 2'b01) begin                            // RDMAP version
            rule = 6'd5;
        end else if (!known) begin                                 // unexpected opcode
            rule = 6'd6;
        end else if (tagged != in_tagged) begin                    // not in this buffer model
            rule = 6'd7;
        end else if (!tagged && qn != queue) begin                 // not in this queue
            rule = 6'd8;
        end else begin
            carries_data   = data;
            payload_length = data ? length - header_length : 16'd0;
            if (single && !is_immediate && mo != 32'd0) begin                                // invalid MO
                rule = 6'd9;
            end else if (single && (!last || mo != 32'd0 ||                                  // a message of one segment, of this length
                (at_least ? length < header_length + wants : length != header_length + wants))) begin
                rule = 6'd10;
            end
        end
    end
endmodule
`default_nettype wire
