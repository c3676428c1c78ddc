// terminate_builder turns the end of a stream into the message that sends a Terminate (RFC 5040 section 4.8): an
// untagged segment on queue 2 with MSN 1, its control word, and, if a header is returned, the DDP Segment Length
// and that header as received. HdrCt says what is present: M and D with a header, R when the 28 octets of an
// RDMA Read Request are part of it. A silent end gives a message that sends nothing. It is combinational.
//
// Built for streams 64, ird 8.
`default_nettype none
module terminate_builder (

    // req
    input  wire         req_valid,
    output wire         req_ready,
    input  wire [5:0]   req_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end; for an executor: 2 Read, 3 Atomic; others follow
    input  wire [1:0]   req_kind,
    input  wire [4:0]   req_number,         // low bits of the MSN of the request; returned in its credit
    input  wire [31:0]  req_stag,           // STag of the target or source
    input  wire [63:0]  req_address,        // of the target or source in memory
    input  wire [31:0]  req_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   req_term_layer,
    input  wire [3:0]   req_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   req_term_code,      // error code that the Terminate reports
    input  wire [5:0]   req_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    input  wire [15:0]  req_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    input  wire [415:0] req_body,

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

    // ---- The segment up to the terminated header, in network order
    wire gives_header_back = |req_header_length;
    wire has_read_request  = req_header_length == 6'd46;
    localparam [3:0] TERMINATE = 4'd7;
    wire [143:0] ddp_header   = {1'b0, 1'b1, 4'd0, 2'd1, 2'd1, 2'd0, TERMINATE, 32'd0, 32'd2, 32'd1, 32'd0};
    wire [31:0]  control_word = {
        req_term_layer, req_term_etype, req_term_code, gives_header_back, gives_header_back, has_read_request,
        13'd0
    };

    // ---- The terminated header: 0, 14, 18 or 46 octets of the body
    wire         is_untagged         = has_read_request | (req_header_length == 6'd18);
    wire [223:0] read_request_header = req_body[367:144];
    wire [31:0]  message_offset      = req_body[143:112];
    wire [111:0] first_14_octets     = req_body[111:0];
    wire [367:0] terminated_header   = {
        read_request_header & {224{has_read_request}}, message_offset & {32{is_untagged}},
        first_14_octets & {112{gives_header_back}}
    };

    // ---- Message
    wire         is_silent = req_kind == 2'd1;
    wire [191:0] octets_octets = {ddp_header, control_word, req_segment_length & {16{gives_header_back}}};
    wire [191:0] octets_reversed;
    generate
        for (i = 0; i < 24; i = i + 1) begin : each_octets_reversed
            assign octets_reversed[8 * i +: 8] = octets_octets[8 * (23 - i) +: 8];
        end
    endgenerate
    wire [559:0] octets    = {terminated_header, octets_reversed};
    localparam [2:0] SEND_CLOSE = 3'd1;
    localparam [2:0] SEND_END   = 3'd0;
    assign message_valid         = req_valid;
    assign message_stream        = req_stream;
    assign message_kind          = is_silent ? SEND_CLOSE : SEND_END;
    assign message_number        = req_number;
    assign message_header_length =
        (gives_header_back ? ({1'b0, req_header_length} + 7'd24) : 7'd22) & {7{~is_silent}};
    assign message_header        = octets & {560{~is_silent}};
    assign message_address       = 64'd0;
    assign message_length        = 32'd0;
    assign req_ready             = message_ready;

    // Not read:
    // req_response_msn, req_stag, req_address, req_body[415:368]: a Terminate returns at most the header of a Read
    // Request
    wire unused = &{1'b0, req_response_msn, req_stag, req_address, req_body[415:368]};
endmodule
`default_nettype wire
