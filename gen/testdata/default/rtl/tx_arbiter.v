// tx_arbiter shares the transmit side among the executors' responses, the ends of streams and the requester, one
// command per cycle, with one cycle of latency. Senders that can go take turns, also within a message. Two messages
// of one stream never mix: from the first segment of a message to its final one, the commands of other senders for
// that stream wait.
//
// Messages of read and requests have several segments: each of these senders finishes one before it begins the next;
// requests may also abandon one, in the cycle in which its last command is accepted or later. After reset no sender
// is inside a message. Commands leave from registers, and one more can wait, so that what a sender sees depends on
// the other senders, not on who takes the commands.
//
// Built for streams 64.
`default_nettype none
module tx_arbiter (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // read
    input  wire         read_valid,
    output wire         read_ready,
    input  wire [5:0]   read_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   read_kind,
    input  wire         read_final,          // last segment of its message
    input  wire [31:0]  read_number,         // number of the answered request
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   read_header_length,
    input  wire [559:0] read_header,         // octet i in [8i+7:8i]; 0 from header_length on
    input  wire [63:0]  read_address,        // of the first octet of payload in memory
    input  wire [15:0]  read_payload_length, // octets, 0 to MaxPayload

    // atomic
    input  wire         atomic_valid,
    output wire         atomic_ready,
    input  wire [5:0]   atomic_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   atomic_kind,
    input  wire         atomic_final,          // last segment of its message
    input  wire [31:0]  atomic_number,         // number of the answered request
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   atomic_header_length,
    input  wire [559:0] atomic_header,         // octet i in [8i+7:8i]; 0 from header_length on
    input  wire [63:0]  atomic_address,        // of the first octet of payload in memory
    input  wire [15:0]  atomic_payload_length, // octets, 0 to MaxPayload

    // end
    input  wire         end_valid,
    output wire         end_ready,
    input  wire [5:0]   end_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   end_kind,
    input  wire         end_final,          // last segment of its message
    input  wire [31:0]  end_number,         // number of the answered request
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   end_header_length,
    input  wire [559:0] end_header,         // octet i in [8i+7:8i]; 0 from header_length on
    input  wire [63:0]  end_address,        // of the first octet of payload in memory
    input  wire [15:0]  end_payload_length, // octets, 0 to MaxPayload

    // requests
    input  wire         requests_valid,
    output wire         requests_ready,
    input  wire [5:0]   requests_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   requests_kind,
    input  wire         requests_final,          // last segment of its message
    input  wire [31:0]  requests_number,         // number of the answered request
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   requests_header_length,
    input  wire [559:0] requests_header,         // octet i in [8i+7:8i]; 0 from header_length on
    input  wire [63:0]  requests_address,        // of the first octet of payload in memory
    input  wire [15:0]  requests_payload_length, // octets, 0 to MaxPayload

    input  wire         abandoned, // requests sends no more of its current message

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
    // ---- Senders that can go: no other is inside a message of the stream
    reg        read_in_message_q;
    reg  [5:0] read_stream_q;
    reg        requests_in_message_q;
    reg  [5:0] requests_stream_q;
    wire       read_can_go     = read_valid & ~(requests_in_message_q & (requests_stream_q == read_stream));
    wire       atomic_can_go   =
          atomic_valid
        & ~(read_in_message_q & (read_stream_q == atomic_stream))
        & ~(requests_in_message_q & (requests_stream_q == atomic_stream));
    wire       end_can_go      =
          end_valid
        & ~(read_in_message_q & (read_stream_q == end_stream))
        & ~(requests_in_message_q & (requests_stream_q == end_stream));
    wire       requests_can_go = requests_valid & ~(read_in_message_q & (read_stream_q == requests_stream));

    // ---- The next sender that can go after the last one that went. From bit 0 on: read, atomic, end, requests
    reg  [5:0]   command_stream_q;
    reg  [2:0]   command_kind_q;
    reg          command_final_q;
    reg  [31:0]  command_number_q;
    reg  [6:0]   command_header_length_q;
    reg  [559:0] command_header_q;
    reg  [63:0]  command_address_q;
    reg  [15:0]  command_payload_length_q;
    reg          command_valid_q;
    reg  [5:0]   command_kept_stream_q;
    reg  [2:0]   command_kept_kind_q;
    reg          command_kept_final_q;
    reg  [31:0]  command_kept_number_q;
    reg  [6:0]   command_kept_header_length_q;
    reg  [559:0] command_kept_header_q;
    reg  [63:0]  command_kept_address_q;
    reg  [15:0]  command_kept_payload_length_q;
    reg          command_keeps_q;
    reg          command_room_q;
    reg  [3:0]   behind_last_q;
    wire [3:0]   able             = {requests_can_go, end_can_go, atomic_can_go, read_can_go};
    wire [3:0]   able_behind_last = able & behind_last_q;
    wire [3:0]   candidates       = (|able_behind_last) ? able_behind_last : able;
    wire [3:0]   choice           = candidates & ~{|candidates[2:0], |candidates[1:0], candidates[0], 1'b0};
    wire [3:0]   goes             = choice & {4{command_room_q}};

    always @(posedge clk) begin
        if ((|able) & command_room_q) begin
            behind_last_q <= {|choice[2:0], |choice[1:0], choice[0], 1'b0};
        end
        if (rst) begin
            behind_last_q <= 4'd0;
        end
    end

    // ---- Command
    assign read_ready     = goes[0];
    assign atomic_ready   = goes[1];
    assign end_ready      = goes[2];
    assign requests_ready = goes[3];
    wire [688:0] chosen_command =
          (
                {
                    read_stream, read_kind, read_final, read_number, read_header_length, read_header,
                    read_address, read_payload_length
                }
              & {689{goes[0]}}
          )
        | (
                {
                    atomic_stream, atomic_kind, atomic_final, atomic_number, atomic_header_length,
                    atomic_header, atomic_address, atomic_payload_length
                }
              & {689{goes[1]}}
          )
        | (
                {
                    end_stream, end_kind, end_final, end_number, end_header_length, end_header, end_address,
                    end_payload_length
                }
              & {689{goes[2]}}
          )
        | (
                {
                    requests_stream, requests_kind, requests_final, requests_number, requests_header_length,
                    requests_header, requests_address, requests_payload_length
                }
              & {689{goes[3]}}
          );
    wire         command_free   = ~command_valid_q | command_ready;
    wire [688:0] command_next   =
          {
              chosen_command[688:683], chosen_command[682:680], chosen_command[679], chosen_command[678:647],
              chosen_command[646:640], chosen_command[639:80], chosen_command[79:16], chosen_command[15:0]
          }
        | (
                {
                    command_kept_stream_q, command_kept_kind_q, command_kept_final_q, command_kept_number_q,
                    command_kept_header_length_q, command_kept_header_q, command_kept_address_q,
                    command_kept_payload_length_q
                }
              & {689{command_keeps_q}}
          );
    wire         command_keeps  = (command_keeps_q | ((|able) & command_room_q)) & ~command_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (command_free) begin
            command_valid_q          <= command_keeps_q | ((|able) & command_room_q);
            command_stream_q         <= command_next[688:683];
            command_kind_q           <= command_next[682:680];
            command_final_q          <= command_next[679];
            command_number_q         <= command_next[678:647];
            command_header_length_q  <= command_next[646:640];
            command_header_q         <= command_next[639:80];
            command_address_q        <= command_next[79:16];
            command_payload_length_q <= command_next[15:0];
        end
        if (~command_keeps_q) begin
            command_kept_stream_q         <= chosen_command[688:683];
            command_kept_kind_q           <= chosen_command[682:680];
            command_kept_final_q          <= chosen_command[679];
            command_kept_number_q         <= chosen_command[678:647];
            command_kept_header_length_q  <= chosen_command[646:640];
            command_kept_header_q         <= chosen_command[639:80];
            command_kept_address_q        <= chosen_command[79:16];
            command_kept_payload_length_q <= chosen_command[15:0];
        end
        command_keeps_q <= command_keeps;
        command_room_q  <= ~command_keeps;
        if (rst) begin
            command_valid_q <= 1'b0;
            command_keeps_q <= 1'b0;
            command_room_q  <= 1'b1;
        end
    end

    assign command_valid          = command_valid_q;
    assign command_stream         = command_stream_q;
    assign command_kind           = command_kind_q;
    assign command_final          = command_final_q;
    assign command_number         = command_number_q;
    assign command_header_length  = command_header_length_q;
    assign command_header         = command_header_q;
    assign command_address        = command_address_q;
    assign command_payload_length = command_payload_length_q;

    always @(posedge clk) begin
        if (abandoned) begin
            requests_in_message_q <= 1'b0;
        end
        if (goes[0]) begin
            read_in_message_q <= ~chosen_command[679];
            read_stream_q     <= chosen_command[688:683];
        end
        if (goes[3] & ~abandoned) begin
            requests_in_message_q <= ~chosen_command[679];
            requests_stream_q     <= chosen_command[688:683];
        end
        if (rst) begin
            requests_in_message_q <= 1'b0;
            read_in_message_q     <= 1'b0;
        end
    end
endmodule
`default_nettype wire
