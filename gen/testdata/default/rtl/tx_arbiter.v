// tx_arbiter shares the transmit side among the executors' responses, the ends of streams and the requester, one
// command per cycle, without latency. Senders that can go take turns, also within a message. Two messages of one
// stream never mix: from the first segment of a message to its final one, the commands of other senders for that
// stream wait.
//
// Messages of read and requests have several segments: each of these senders finishes one before it begins the next;
// requests may also abandon one, in the cycle in which its last command is accepted or later. After reset no sender
// is inside a message. Only the turn and the open messages are registered; the paths are combinational.
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
    // number of the responding executor: 0 Read, 1 Atomic; then the end of the stream, its silent end, a message of the
    // requester
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
    // number of the responding executor: 0 Read, 1 Atomic; then the end of the stream, its silent end, a message of the
    // requester
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
    // number of the responding executor: 0 Read, 1 Atomic; then the end of the stream, its silent end, a message of the
    // requester
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
    // number of the responding executor: 0 Read, 1 Atomic; then the end of the stream, its silent end, a message of the
    // requester
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
    // number of the responding executor: 0 Read, 1 Atomic; then the end of the stream, its silent end, a message of the
    // requester
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
    reg  [3:0] behind_last_q;
    reg        waiting_q;
    reg  [3:0] chosen_q;
    wire [3:0] able             = {requests_can_go, end_can_go, atomic_can_go, read_can_go};
    wire [3:0] able_behind_last = able & behind_last_q;
    wire [3:0] candidates       = (|able_behind_last) ? able_behind_last : able;
    wire [3:0] choice           = candidates & ~{|candidates[2:0], |candidates[1:0], candidates[0], 1'b0};
    // A command that was offered but not accepted stays chosen, so that the offer is stable.
    wire [3:0] goes  = waiting_q ? chosen_q : choice;
    wire       valid = |goes;
    wire       pass  = valid & command_ready;

    always @(posedge clk) begin
        waiting_q <= valid & ~command_ready;
        chosen_q  <= goes;
        if (pass) begin
            behind_last_q <= {|goes[2:0], |goes[1:0], goes[0], 1'b0};
        end
        if (rst) begin
            waiting_q     <= 1'b0;
            behind_last_q <= 4'd0;
        end
    end

    // ---- Command
    assign read_ready             = command_ready & goes[0];
    assign atomic_ready           = command_ready & goes[1];
    assign end_ready              = command_ready & goes[2];
    assign requests_ready         = command_ready & goes[3];
    wire [688:0] command =
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
    assign command_valid          = valid;
    assign command_stream         = command[688:683];
    assign command_kind           = command[682:680];
    assign command_final          = command[679];
    assign command_number         = command[678:647];
    assign command_header_length  = command[646:640];
    assign command_header         = command[639:80];
    assign command_address        = command[79:16];
    assign command_payload_length = command[15:0];

    always @(posedge clk) begin
        if (abandoned) begin
            requests_in_message_q <= 1'b0;
        end
        if (pass & goes[0]) begin
            read_in_message_q <= ~command[679];
            read_stream_q     <= command[688:683];
        end
        if (pass & goes[3] & ~abandoned) begin
            requests_in_message_q <= ~command[679];
            requests_stream_q     <= command[688:683];
        end
        if (rst) begin
            requests_in_message_q <= 1'b0;
            read_in_message_q     <= 1'b0;
        end
    end
endmodule
`default_nettype wire
