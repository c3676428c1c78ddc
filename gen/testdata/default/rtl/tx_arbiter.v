// tx_arbiter joins the messages of all senders, the executors' responses, the ends of streams and the requester, one
// per cycle, with one cycle of latency. Senders take turns. Whose turn it is is known a cycle before: it passes on when
// another sender waits, so a message that finds the turn elsewhere waits one more cycle. When none waits, the executor
// of words has the turn, whose latency counts most. Messages leave from registers.
//
// Built for streams 64, ird 8.
`default_nettype none
module tx_arbiter (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // read
    input  wire         read_valid,
    output wire         read_ready,
    input  wire [5:0]   read_stream,        // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   read_kind,
    // of the answered request; of a message of the requester 1 if it has a response, otherwise 0
    input  wire [4:0]   read_number,
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   read_header_length,
    // as if the message had one segment, octet i in [8i+7:8i]; 0 from header_length on
    input  wire [559:0] read_header,
    input  wire [63:0]  read_address,       // of the first octet of payload in memory
    input  wire [31:0]  read_length,        // octets of payload, 32 bits

    // atomic
    input  wire         atomic_valid,
    output wire         atomic_ready,
    input  wire [5:0]   atomic_stream,        // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   atomic_kind,
    // of the answered request; of a message of the requester 1 if it has a response, otherwise 0
    input  wire [4:0]   atomic_number,
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   atomic_header_length,
    // as if the message had one segment, octet i in [8i+7:8i]; 0 from header_length on
    input  wire [559:0] atomic_header,
    input  wire [63:0]  atomic_address,       // of the first octet of payload in memory
    input  wire [31:0]  atomic_length,        // octets of payload, 32 bits

    // end
    input  wire         end_valid,
    output wire         end_ready,
    input  wire [5:0]   end_stream,        // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   end_kind,
    // of the answered request; of a message of the requester 1 if it has a response, otherwise 0
    input  wire [4:0]   end_number,
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   end_header_length,
    // as if the message had one segment, octet i in [8i+7:8i]; 0 from header_length on
    input  wire [559:0] end_header,
    input  wire [63:0]  end_address,       // of the first octet of payload in memory
    input  wire [31:0]  end_length,        // octets of payload, 32 bits

    // requests
    input  wire         requests_valid,
    output wire         requests_ready,
    input  wire [5:0]   requests_stream,        // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   requests_kind,
    // of the answered request; of a message of the requester 1 if it has a response, otherwise 0
    input  wire [4:0]   requests_number,
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   requests_header_length,
    // as if the message had one segment, octet i in [8i+7:8i]; 0 from header_length on
    input  wire [559:0] requests_header,
    input  wire [63:0]  requests_address,       // of the first octet of payload in memory
    input  wire [31:0]  requests_length,        // octets of payload, 32 bits

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
    // ---- Whose turn it is. Numbers from 0 on: read, atomic, end, requests
    reg  [5:0]   message_stream_q;
    reg  [2:0]   message_kind_q;
    reg  [4:0]   message_number_q;
    reg  [6:0]   message_header_length_q;
    reg  [559:0] message_header_q;
    reg  [63:0]  message_address_q;
    reg  [31:0]  message_length_q;
    reg          message_valid_q;
    wire         message_free = ~message_valid_q | message_ready;
    reg  [1:0]   turn_q;
    wire [3:0]   has_turn     = {turn_q == 2'd3, turn_q == 2'd2, turn_q == 2'd1, turn_q == 2'd0};
    wire [3:0]   able         = {requests_valid, end_valid, atomic_valid, read_valid};
    wire         offers       = |(able & has_turn);
    // The next waiting sender after it, otherwise the first that waits. A message on offer keeps the turn until it is
    // taken.
    wire [3:0] others        = able & ~has_turn;
    wire [3:0] others_behind = others & {|has_turn[2:0], |has_turn[1:0], has_turn[0], 1'b0};
    wire [3:0] candidates    = (|others_behind) ? others_behind : others;
    wire [3:0] choice        = candidates & ~{|candidates[2:0], |candidates[1:0], candidates[0], 1'b0};
    wire       turn_passes = (|others) & (message_free | ~offers);
    wire [1:0] next_turn   = {choice[2] | choice[3], choice[1] | choice[3]};

    always @(posedge clk) begin
        if (turn_passes) begin
            turn_q <= next_turn;
        end else if (~|able) begin
            turn_q <= 2'd1;
        end
        if (rst) begin
            turn_q <= 2'd1;
        end
    end

    // ---- Message
    assign read_ready     = has_turn[0] & message_free;
    assign atomic_ready   = has_turn[1] & message_free;
    assign end_ready      = has_turn[2] & message_free;
    assign requests_ready = has_turn[3] & message_free;
    wire [676:0] chosen_message =
        (turn_q == 2'd3) ? {
                               requests_stream, requests_kind, requests_number, requests_header_length,
                               requests_header, requests_address, requests_length
                           } :
        (turn_q == 2'd2) ? {
                               end_stream, end_kind, end_number, end_header_length, end_header, end_address,
                               end_length
                           } :
        (turn_q == 2'd1) ? {
                               atomic_stream, atomic_kind, atomic_number, atomic_header_length, atomic_header,
                               atomic_address, atomic_length
                           } :
                           {
                               read_stream, read_kind, read_number, read_header_length, read_header,
                               read_address, read_length
                           };

    always @(posedge clk) begin
        if (message_free) begin
            message_valid_q         <= offers;
            message_stream_q        <= chosen_message[676:671];
            message_kind_q          <= chosen_message[670:668];
            message_number_q        <= chosen_message[667:663];
            message_header_length_q <= chosen_message[662:656];
            message_header_q        <= chosen_message[655:96];
            message_address_q       <= chosen_message[95:32];
            message_length_q        <= chosen_message[31:0];
        end
        if (rst) begin
            message_valid_q <= 1'b0;
        end
    end

    assign message_valid         = message_valid_q;
    assign message_stream        = message_stream_q;
    assign message_kind          = message_kind_q;
    assign message_number        = message_number_q;
    assign message_header_length = message_header_length_q;
    assign message_header        = message_header_q;
    assign message_address       = message_address_q;
    assign message_length        = message_length_q;

    // Not read:
    // choice[0]: number 0 has no bits
    wire unused = &{1'b0, choice[0]};
endmodule
`default_nettype wire
