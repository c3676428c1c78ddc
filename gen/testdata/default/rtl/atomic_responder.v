// atomic_responder turns each result of the atomic unit into the message that sends it: an Atomic Operation Response
// of 30 octets on queue 3 (RFC 7306 section 5.2.2). A failed result gives a message without octets, on which the
// transmit side fails the stream, so that no later response leaves. It is combinational.
//
// Built for streams 64, ird 8.
`default_nettype none
module atomic_responder (

    // response
    input  wire         response_valid,
    output wire         response_ready,
    input  wire [5:0]   response_stream,     // number of the stream
    input  wire [4:0]   response_number,     // number of the request
    input  wire [31:0]  response_atomic_msn, // MSN of the response on queue 3
    input  wire [31:0]  response_identifier, // Request Identifier
    input  wire [63:0]  response_original,   // word before the Atomic; 0 if it failed
    input  wire         response_failed,     // 1: memory did not deliver the word

    // message
    output wire         message_valid,
    input  wire         message_ready,
    output wire [5:0]   message_stream,        // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    output wire [2:0]   message_kind,
    // of the answered request; of a message of the requester 1 if it has a response, otherwise 0
    output wire [4:0]   message_number,
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    output wire [6:0]   message_header_length,
    // as if the message had one segment, octet i in [8i+7:8i]; 0 from header_length on
    output wire [559:0] message_header,
    output wire [63:0]  message_address,       // of the first octet of payload in memory
    output wire [31:0]  message_length         // octets of payload, 32 bits
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

    // ---- Message: the response, or one without octets that fails the stream
    localparam [2:0] SEND_ATOMIC = 3'd4;
    assign message_valid         = response_valid;
    assign message_stream        = response_stream;
    assign message_kind          = SEND_ATOMIC;
    assign message_number        = response_number;
    assign message_header_length = 7'd30 & {7{~response_failed}};
    assign message_header        = {320'd0, octets & {240{~response_failed}}};
    assign message_address       = 64'd0;
    assign message_length        = 32'd0;
    assign response_ready        = message_ready;
endmodule
`default_nettype wire
