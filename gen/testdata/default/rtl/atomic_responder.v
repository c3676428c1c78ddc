// atomic_responder turns each result of the atomic unit into the command that sends it: an Atomic Operation Response
// of 30 octets on queue 3 (RFC 7306 section 5.2.2). A failed result gives a command without octets, on which the
// transmit side fails the stream, so that no later response leaves. It is combinational.
//
// Built for streams 64.
`default_nettype none
module atomic_responder (

    // response
    input  wire         response_valid,
    output wire         response_ready,
    input  wire [5:0]   response_stream,     // number of the stream
    input  wire [31:0]  response_number,     // number of the request
    input  wire [31:0]  response_atomic_msn, // MSN of the response on queue 3
    input  wire [31:0]  response_identifier, // Request Identifier
    input  wire [63:0]  response_original,   // word before the Atomic; 0 if it failed
    input  wire         response_failed,     // 1: memory did not deliver the word

    // command
    output wire         command_valid,
    input  wire         command_ready,
    output wire [5:0]   command_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    output wire [2:0]   command_kind,
    output wire         command_final,          // last segment of its message
    output wire [31:0]  command_number,         // number of the answered request
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    output wire [6:0]   command_header_length,
    output wire [559:0] command_header,         // octet i in [8i+7:8i]; 0 from header_length on
    output wire [63:0]  command_address,        // of the first octet of payload in memory
    output wire [15:0]  command_payload_length  // octets, 0 to MaxPayload
);
    genvar i;
    localparam [3:0] ATOMIC_RESPONSE = 4'd11;
    wire [143:0] ddp_header   = {
        1'b0, 1'b1, 4'd0, 2'd1, 2'd1, 2'd0, ATOMIC_RESPONSE, 32'd0, 32'd3, response_atomic_msn, 32'd0
    };
    wire [95:0]  rdmap_header = {response_identifier, response_original};
    wire [239:0] octets_octets = {ddp_header, rdmap_header};
    wire [239:0] octets;
    generate
        for (i = 0; i < 30; i = i + 1) begin : each_octets
            assign octets[8 * i +: 8] = octets_octets[8 * (29 - i) +: 8];
        end
    endgenerate

    // ---- Command: the response, or one without octets that fails the stream
    localparam [2:0] SEND_ATOMIC = 3'd4;
    assign command_valid          = response_valid;
    assign command_stream         = response_stream;
    assign command_kind           = SEND_ATOMIC;
    assign command_final          = 1'b1;
    assign command_number         = response_number;
    assign command_header_length  = 7'd30 & {7{~response_failed}};
    assign command_header         = {320'd0, octets & {240{~response_failed}}};
    assign command_address        = 64'd0;
    assign command_payload_length = 16'd0;
    assign response_ready         = command_ready;
endmodule
`default_nettype wire
