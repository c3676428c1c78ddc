// tx_arbiter lets four senders share the transmit side, one command a clock, in the clock in which it comes. Those
// who can go take turns, also within a message. But two messages of one stream never mix: from the first segment
// of a message to its final one, what other senders have for its stream waits.
//
// Atomic and terminate have messages of one segment. Read and requests finish one message before they begin the
// next; requests may also abandon one, in a clock or after one in which its last command was taken. After reset
// nobody is in the middle of a message. It is combinational but for whose turn it is and who is in the middle.
//
// Built for streams 2.
`default_nettype none
module tx_arbiter (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // atomic
    input  wire         atomic_valid,
    output wire         atomic_ready,
    input  wire         atomic_stream,
    input  wire [2:0]   atomic_kind,
    input  wire         atomic_final,
    input  wire [31:0]  atomic_msn,
    input  wire [6:0]   atomic_header_length,
    input  wire [559:0] atomic_header,
    input  wire [63:0]  atomic_address,
    input  wire [15:0]  atomic_payload_length,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   atomic_term_layer,
    input  wire [3:0]   atomic_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   atomic_term_code,      // error code that the Terminate reports

    // read
    input  wire         read_valid,
    output wire         read_ready,
    input  wire         read_stream,
    input  wire [2:0]   read_kind,
    input  wire         read_final,
    input  wire [31:0]  read_msn,
    input  wire [6:0]   read_header_length,
    input  wire [559:0] read_header,
    input  wire [63:0]  read_address,
    input  wire [15:0]  read_payload_length,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   read_term_layer,
    input  wire [3:0]   read_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   read_term_code,      // error code that the Terminate reports

    // terminate
    input  wire         terminate_valid,
    output wire         terminate_ready,
    input  wire         terminate_stream,
    input  wire [2:0]   terminate_kind,
    input  wire         terminate_final,
    input  wire [31:0]  terminate_msn,
    input  wire [6:0]   terminate_header_length,
    input  wire [559:0] terminate_header,
    input  wire [63:0]  terminate_address,
    input  wire [15:0]  terminate_payload_length,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   terminate_term_layer,
    input  wire [3:0]   terminate_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   terminate_term_code,      // error code that the Terminate reports

    // requests
    input  wire         requests_valid,
    output wire         requests_ready,
    input  wire         requests_stream,
    input  wire [2:0]   requests_kind,
    input  wire         requests_final,
    input  wire [31:0]  requests_msn,
    input  wire [6:0]   requests_header_length,
    input  wire [559:0] requests_header,
    input  wire [63:0]  requests_address,
    input  wire [15:0]  requests_payload_length,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   requests_term_layer,
    input  wire [3:0]   requests_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   requests_term_code,      // error code that the Terminate reports

    input  wire         abandoned, // requests will send no more of the message that it is in the middle of

    // command
    output wire         command_valid,
    input  wire         command_ready,
    output wire         command_stream,
    output wire [2:0]   command_kind,
    output wire         command_final,
    output wire [31:0]  command_msn,
    output wire [6:0]   command_header_length,
    output wire [559:0] command_header,
    output wire [63:0]  command_address,
    output wire [15:0]  command_payload_length,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   command_term_layer,
    output wire [3:0]   command_term_etype,     // error type that the Terminate reports
    output wire [7:0]   command_term_code       // error code that the Terminate reports
);
    // ---- Who can go: nobody else is in the middle of a message of the stream
    reg  read_in_message_q;
    reg  read_stream_q;
    reg  requests_in_message_q;
    reg  requests_stream_q;
    wire atomic_can_go    =
          atomic_valid
        & ~(read_in_message_q & (read_stream_q == atomic_stream))
        & ~(requests_in_message_q & (requests_stream_q == atomic_stream));
    wire read_can_go      = read_valid & ~(requests_in_message_q & (requests_stream_q == read_stream));
    wire terminate_can_go =
          terminate_valid
        & ~(read_in_message_q & (read_stream_q == terminate_stream))
        & ~(requests_in_message_q & (requests_stream_q == terminate_stream));
    wire requests_can_go  = requests_valid & ~(read_in_message_q & (read_stream_q == requests_stream));

    // ---- Who goes: the first behind the one that went last. Bit 0 is atomic, then read, terminate, requests
    reg  [3:0] behind_last_q;
    reg        waiting_q;
    reg  [3:0] chosen_q;
    wire [3:0] able             = {requests_can_go, terminate_can_go, read_can_go, atomic_can_go};
    wire [3:0] able_behind_last = able & behind_last_q;
    wire [3:0] candidates       = (|able_behind_last) ? able_behind_last : able;
    wire [3:0] choice           = candidates & ~{|candidates[2:0], |candidates[1:0], candidates[0], 1'b0};
    // A command that was offered and not taken stays chosen, so that the offer does not change.
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
    assign atomic_ready           = command_ready & goes[0];
    assign read_ready             = command_ready & goes[1];
    assign terminate_ready        = command_ready & goes[2];
    assign requests_ready         = command_ready & goes[3];
    wire [699:0] command =
          (
                {
                    atomic_stream, atomic_kind, atomic_final, atomic_msn, atomic_header_length, atomic_header,
                    atomic_address, atomic_payload_length, atomic_term_layer, atomic_term_etype,
                    atomic_term_code
                }
              & {700{goes[0]}}
          )
        | (
                {
                    read_stream, read_kind, read_final, read_msn, read_header_length, read_header,
                    read_address, read_payload_length, read_term_layer, read_term_etype, read_term_code
                }
              & {700{goes[1]}}
          )
        | (
                {
                    terminate_stream, terminate_kind, terminate_final, terminate_msn, terminate_header_length,
                    terminate_header, terminate_address, terminate_payload_length, terminate_term_layer,
                    terminate_term_etype, terminate_term_code
                }
              & {700{goes[2]}}
          )
        | (
                {
                    requests_stream, requests_kind, requests_final, requests_msn, requests_header_length,
                    requests_header, requests_address, requests_payload_length, requests_term_layer,
                    requests_term_etype, requests_term_code
                }
              & {700{goes[3]}}
          );
    assign command_valid          = valid;
    assign command_stream         = command[699];
    assign command_kind           = command[698:696];
    assign command_final          = command[695];
    assign command_msn            = command[694:663];
    assign command_header_length  = command[662:656];
    assign command_header         = command[655:96];
    assign command_address        = command[95:32];
    assign command_payload_length = command[31:16];
    assign command_term_layer     = command[15:12];
    assign command_term_etype     = command[11:8];
    assign command_term_code      = command[7:0];

    always @(posedge clk) begin
        if (abandoned) begin
            requests_in_message_q <= 1'b0;
        end
        if (pass & goes[1]) begin
            read_in_message_q <= ~command[695];
            read_stream_q     <= command[699];
        end
        if (pass & goes[3] & ~abandoned) begin
            requests_in_message_q <= ~command[695];
            requests_stream_q     <= command[699];
        end
        if (rst) begin
            requests_in_message_q <= 1'b0;
            read_in_message_q     <= 1'b0;
        end
    end
endmodule
`default_nettype wire
