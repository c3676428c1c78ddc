// read_responder answers RDMA Reads (RFC 5040 section 4.5): one command per segment of the RDMA Read Response, in
// order, one per cycle, also from one Read to the next. All segments but the last have the largest payload; the last
// has the rest, which is nothing when the Read asks for 0 octets. The first command of a Read leaves one cycle after
// the Read arrives.
//
// Built for max_payload 1024, streams 64.
`default_nettype none
module read_responder (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // req
    input  wire         req_valid,
    output wire         req_ready,
    input  wire [5:0]   req_stream,    // number of the stream
    input  wire [31:0]  req_number,    // of the request
    input  wire [63:0]  req_address,   // of the first octet in memory
    input  wire [31:0]  req_length,    // octets, 32 bits, may be 0
    input  wire [31:0]  req_sink_stag, // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  req_sink_to,   // tagged offset of the first octet

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

    // ---- Rest of the Read
    reg        valid_q;
    reg [5:0]  stream_q;
    reg [31:0] number_q;
    reg [31:0] sink_stag_q;
    reg [63:0] sink_to_q;
    reg [63:0] address_q;
    reg [31:0] left_q;
    localparam [31:0] MAX_PAYLOAD = 32'd1024;
    wire last = left_q <= MAX_PAYLOAD;
    wire free = ~valid_q | (command_ready & last);
    assign req_ready = free;

    always @(posedge clk) begin
        if (free) begin
            valid_q     <= req_valid;
            stream_q    <= req_stream;
            number_q    <= req_number;
            sink_stag_q <= req_sink_stag;
            sink_to_q   <= req_sink_to;
            address_q   <= req_address;
            left_q      <= req_length;
        end else if (command_ready) begin
            sink_to_q <= sink_to_q + 64'd1024;
            address_q <= address_q + 64'd1024;
            left_q    <= left_q - MAX_PAYLOAD;
        end
        if (rst) begin
            valid_q <= 1'b0;
        end
    end

    // ---- Its next segment
    localparam [3:0] READ_RESPONSE = 4'd2;
    wire [111:0] header = {1'b1, last, 4'd0, 2'd1, 2'd1, 2'd0, READ_RESPONSE, sink_stag_q, sink_to_q};
    localparam [2:0] SEND_READ = 3'd3;
    assign command_valid          = valid_q;
    assign command_stream         = stream_q;
    assign command_kind           = SEND_READ;
    assign command_final          = last;
    assign command_number         = number_q;
    assign command_header_length  = 7'd14;
    wire [111:0] command_header_reversed;
    generate
        for (i = 0; i < 14; i = i + 1) begin : each_command_header_reversed
            assign command_header_reversed[8 * i +: 8] = header[8 * (13 - i) +: 8];
        end
    endgenerate
    assign command_header         = {448'd0, command_header_reversed};
    assign command_address        = address_q;
    assign command_payload_length = last ? left_q[15:0] : 16'd1024;
endmodule
`default_nettype wire
