// read_responder turns each RDMA Read into its RDMA Read Response (RFC 5040 section 4.5): a tagged message for the STag
// and TO of the sink, with the octets that were asked for. It is combinational.
//
// Built for streams 64, ird 8.
`default_nettype none
module read_responder (

    // req
    input  wire         req_valid,
    output wire         req_ready,
    input  wire [5:0]   req_stream,    // number of the stream
    input  wire [4:0]   req_number,    // of the request, for its credit
    input  wire [63:0]  req_address,   // of the first octet in memory
    input  wire [31:0]  req_length,    // octets, 32 bits, may be 0
    input  wire [31:0]  req_sink_stag, // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  req_sink_to,   // tagged offset of the first octet

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
    localparam [3:0] READ_RESPONSE = 4'd2;
    wire [111:0] header = {1'b1, 1'b1, 4'd0, 2'd1, 2'd1, 2'd0, READ_RESPONSE, req_sink_stag, req_sink_to};
    localparam [2:0] SEND_READ = 3'd3;
    assign message_valid         = req_valid;
    assign message_stream        = req_stream;
    assign message_kind          = SEND_READ;
    assign message_number        = req_number;
    assign message_header_length = 7'd14;
    wire [111:0] message_header_reversed;
    generate
        for (i = 0; i < 14; i = i + 1) begin : each_message_header_reversed
            assign message_header_reversed[8 * i +: 8] = header[8 * (13 - i) +: 8];
        end
    endgenerate
    assign message_header        = {448'd0, message_header_reversed};
    assign message_address       = req_address;
    assign message_length        = req_length;
    assign req_ready             = message_ready;
endmodule
`default_nettype wire
