// tx_arbiter joins the messages of all senders, the executors' responses, the ends of streams and the requester, one
// per cycle, with one cycle of latency. Senders take turns. Messages leave from registers, and one more can wait, so
// that
// what a sender sees depends on the other senders, not on who takes the messages.
//
// Built for streams 64.
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
    input  wire [31:0]  read_number,        // number of the answered request
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
    input  wire [31:0]  atomic_number,        // number of the answered request
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
    input  wire [31:0]  end_number,        // number of the answered request
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
    input  wire [31:0]  requests_number,        // number of the answered request
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
    output wire [31:0]  message_number,        // number of the answered request
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    output wire [6:0]   message_header_length,
    // as if the message had one segment, octet i in [8i+7:8i]; 0 from header_length on
    output wire [559:0] message_header,
    output wire [63:0]  message_address,       // of the first octet of payload in memory
    output wire [31:0]  message_length         // octets of payload, 32 bits
);
    // ---- The next sender after the last one that went. From bit 0 on: read, atomic, end, requests
    reg  [5:0]   message_stream_q;
    reg  [2:0]   message_kind_q;
    reg  [31:0]  message_number_q;
    reg  [6:0]   message_header_length_q;
    reg  [559:0] message_header_q;
    reg  [63:0]  message_address_q;
    reg  [31:0]  message_length_q;
    reg          message_valid_q;
    reg  [5:0]   message_kept_stream_q;
    reg  [2:0]   message_kept_kind_q;
    reg  [31:0]  message_kept_number_q;
    reg  [6:0]   message_kept_header_length_q;
    reg  [559:0] message_kept_header_q;
    reg  [63:0]  message_kept_address_q;
    reg  [31:0]  message_kept_length_q;
    reg          message_keeps_q;
    reg          message_room_q;
    reg  [3:0]   behind_last_q;
    wire [3:0]   able             = {requests_valid, end_valid, atomic_valid, read_valid};
    wire [3:0]   able_behind_last = able & behind_last_q;
    wire [3:0]   candidates       = (|able_behind_last) ? able_behind_last : able;
    wire [3:0]   choice           = candidates & ~{|candidates[2:0], |candidates[1:0], candidates[0], 1'b0};
    wire [3:0]   goes             = choice & {4{message_room_q}};

    always @(posedge clk) begin
        if ((|able) & message_room_q) begin
            behind_last_q <= {|choice[2:0], |choice[1:0], choice[0], 1'b0};
        end
        if (rst) begin
            behind_last_q <= 4'd0;
        end
    end

    // ---- Message
    assign read_ready     = goes[0];
    assign atomic_ready   = goes[1];
    assign end_ready      = goes[2];
    assign requests_ready = goes[3];
    wire [703:0] chosen_message =
          (
                {
                    read_stream, read_kind, read_number, read_header_length, read_header, read_address,
                    read_length
                }
              & {704{goes[0]}}
          )
        | (
                {
                    atomic_stream, atomic_kind, atomic_number, atomic_header_length, atomic_header,
                    atomic_address, atomic_length
                }
              & {704{goes[1]}}
          )
        | (
                {end_stream, end_kind, end_number, end_header_length, end_header, end_address, end_length}
              & {704{goes[2]}}
          )
        | (
                {
                    requests_stream, requests_kind, requests_number, requests_header_length, requests_header,
                    requests_address, requests_length
                }
              & {704{goes[3]}}
          );
    wire         message_free   = ~message_valid_q | message_ready;
    wire [703:0] message_next   =
          {
              chosen_message[703:698], chosen_message[697:695], chosen_message[694:663],
              chosen_message[662:656], chosen_message[655:96], chosen_message[95:32], chosen_message[31:0]
          }
        | (
                {
                    message_kept_stream_q, message_kept_kind_q, message_kept_number_q,
                    message_kept_header_length_q, message_kept_header_q, message_kept_address_q,
                    message_kept_length_q
                }
              & {704{message_keeps_q}}
          );
    wire         message_keeps  = (message_keeps_q | ((|able) & message_room_q)) & ~message_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (message_free) begin
            message_valid_q         <= message_keeps_q | ((|able) & message_room_q);
            message_stream_q        <= message_next[703:698];
            message_kind_q          <= message_next[697:695];
            message_number_q        <= message_next[694:663];
            message_header_length_q <= message_next[662:656];
            message_header_q        <= message_next[655:96];
            message_address_q       <= message_next[95:32];
            message_length_q        <= message_next[31:0];
        end
        if (~message_keeps_q) begin
            message_kept_stream_q        <= chosen_message[703:698];
            message_kept_kind_q          <= chosen_message[697:695];
            message_kept_number_q        <= chosen_message[694:663];
            message_kept_header_length_q <= chosen_message[662:656];
            message_kept_header_q        <= chosen_message[655:96];
            message_kept_address_q       <= chosen_message[95:32];
            message_kept_length_q        <= chosen_message[31:0];
        end
        message_keeps_q <= message_keeps;
        message_room_q  <= ~message_keeps;
        if (rst) begin
            message_valid_q <= 1'b0;
            message_keeps_q <= 1'b0;
            message_room_q  <= 1'b1;
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
endmodule
`default_nettype wire
