// requester does what the host asks for in work requests: RDMA Writes and Reads, Sends, Immediate Data and Atomics
// (RFC 5040 section 5, RFC 7306 sections 5 and 6). It starts those of a stream in the order in which they are posted, cuts
// their messages to segments, and completes them in that order. Streams take turns, one work request each. Its limits a
// stream are 2 work requests under way and 2 Reads and Atomics without an answer. A work request beyond them waits
// in its stream's ring, and those of other streams go on.
//
// The ring holds 2. A work request that finds it full waits, and with it all that are posted behind it, for whatever
// stream, until one of its stream begins: a host that has no more than 2 of a stream incomplete never sees this.
// Reports, answers and ends are taken all the while.
//
// Every command is reported as sent or dropped, and every end of a stream, also one that a failure or a dropped command
// asks for, comes as ended. A work request on a stream that ends is flushed when both are there for it: who has seen all
// completions of a stream may open it again. An opening empties the ring. After reset all streams are shut, and for one
// clock a stream nothing is taken.
`default_nettype none
module requester_2_2_2_256 (
    input  wire         clk,
    input  wire         rst,
    input  wire         s_axis_wqe_valid,
    output wire         s_axis_wqe_ready,
    input  wire         s_axis_wqe_stream,
    input  wire [63:0]  s_axis_wqe_id,
    input  wire         s_axis_wqe_signaled,
    input  wire [3:0]   s_axis_wqe_opcode,
    input  wire [31:0]  s_axis_wqe_local_stag,
    input  wire [63:0]  s_axis_wqe_local_to,
    input  wire [31:0]  s_axis_wqe_length,
    input  wire [31:0]  s_axis_wqe_remote_stag,
    input  wire [63:0]  s_axis_wqe_remote_to,
    input  wire [3:0]   s_axis_wqe_atomic_opcode,
    input  wire [63:0]  s_axis_wqe_atomic_data,
    input  wire [63:0]  s_axis_wqe_atomic_mask,
    input  wire [63:0]  s_axis_wqe_atomic_compare,
    input  wire [63:0]  s_axis_wqe_atomic_compare_mask,
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire         opening_stream,
    input  wire         opening_open,
    input  wire [15:0]  opening_domain,
    output wire         local_enable,
    output wire [23:0]  local_index,
    input  wire [223:0] local_entry,
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
    output wire [3:0]   command_term_layer,
    output wire [3:0]   command_term_etype,
    output wire [7:0]   command_term_code,
    output wire         expecting_valid,
    input  wire         expecting_ready,
    output wire         expecting_stream,
    output wire         expecting_atomic,
    output wire [31:0]  expecting_identifier,
    output wire [31:0]  expecting_stag,
    output wire [63:0]  expecting_to,
    output wire [31:0]  expecting_length,
    input  wire         sent_valid,
    output wire         sent_ready,
    input  wire         sent_stream,
    input  wire [2:0]   sent_kind,
    input  wire         sent_final,
    input  wire         sent_dropped,
    input  wire         answered_valid,
    output wire         answered_ready,
    input  wire         answered_stream,
    input  wire [63:0]  answered_data,
    input  wire         ended_valid,
    output wire         ended_ready,
    input  wire         ended_stream,
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire         failed_stream,
    output wire [3:0]   failed_term_layer,
    output wire [3:0]   failed_term_etype,
    output wire [7:0]   failed_term_code,
    output wire         completion_valid,
    input  wire         completion_ready,
    output wire         completion_stream,
    output wire [63:0]  completion_id,
    output wire [1:0]   completion_status,
    output wire [3:0]   completion_opcode,
    output wire         completion_recv,
    output wire [31:0]  completion_length,
    output wire [63:0]  completion_data,
    output wire [31:0]  completion_stag,
    output wire         abandons
);
    wire         abandoned_valid;
    wire         abandoned_ready;
    wire         abandoned_stream;
    assign abandons = abandoned_valid & abandoned_ready;
    wire         offered_valid;
    wire         offered_ready;
    wire         offered_stream;
    wire [63:0]  offered_id;
    wire         offered_signaled;
    wire [3:0]   offered_opcode;
    wire [31:0]  offered_local_stag;
    wire [63:0]  offered_local_to;
    wire [31:0]  offered_length;
    wire [31:0]  offered_remote_stag;
    wire [63:0]  offered_remote_to;
    wire [3:0]   offered_atomic_opcode;
    wire [63:0]  offered_atomic_data;
    wire [63:0]  offered_atomic_mask;
    wire [63:0]  offered_atomic_compare;
    wire [63:0]  offered_atomic_compare_mask;
    wire [1:0]   number;
    wire         refused;
    wire         look;
    wire         look_stream;
    wire [9:0]   state;
    wire         busy;
    wire         busy_stream;
    wire         freed;
    wire         store;
    wire         store_stream;
    wire         store_slot;
    wire [101:0] store_entry;
    wire         opened;
    wire         reported;
    wire         closing;
    wire         closing_stream;

    work_ring_2_2 rings (
        .clk                            (clk),
        .rst                            (rst),
        .s_axis_wqe_valid               (s_axis_wqe_valid),
        .s_axis_wqe_ready               (s_axis_wqe_ready),
        .s_axis_wqe_stream              (s_axis_wqe_stream),
        .s_axis_wqe_id                  (s_axis_wqe_id),
        .s_axis_wqe_signaled            (s_axis_wqe_signaled),
        .s_axis_wqe_opcode              (s_axis_wqe_opcode),
        .s_axis_wqe_local_stag          (s_axis_wqe_local_stag),
        .s_axis_wqe_local_to            (s_axis_wqe_local_to),
        .s_axis_wqe_length              (s_axis_wqe_length),
        .s_axis_wqe_remote_stag         (s_axis_wqe_remote_stag),
        .s_axis_wqe_remote_to           (s_axis_wqe_remote_to),
        .s_axis_wqe_atomic_opcode       (s_axis_wqe_atomic_opcode),
        .s_axis_wqe_atomic_data         (s_axis_wqe_atomic_data),
        .s_axis_wqe_atomic_mask         (s_axis_wqe_atomic_mask),
        .s_axis_wqe_atomic_compare      (s_axis_wqe_atomic_compare),
        .s_axis_wqe_atomic_compare_mask (s_axis_wqe_atomic_compare_mask),
        .opened                         (opened),
        .opened_stream                  (opening_stream),
        .freed                          (freed),
        .freed_stream                   (busy_stream),
        .offer_valid                    (offered_valid),
        .offer_ready                    (offered_ready),
        .offer_stream                   (offered_stream),
        .offer_id                       (offered_id),
        .offer_signaled                 (offered_signaled),
        .offer_opcode                   (offered_opcode),
        .offer_local_stag               (offered_local_stag),
        .offer_local_to                 (offered_local_to),
        .offer_length                   (offered_length),
        .offer_remote_stag              (offered_remote_stag),
        .offer_remote_to                (offered_remote_to),
        .offer_atomic_opcode            (offered_atomic_opcode),
        .offer_atomic_data              (offered_atomic_data),
        .offer_atomic_mask              (offered_atomic_mask),
        .offer_atomic_compare           (offered_atomic_compare),
        .offer_atomic_compare_mask      (offered_atomic_compare_mask),
        .number                         (number),
        .refused                        (refused),
        .look                           (look),
        .look_stream                    (look_stream)
    );

    request_segments_2_2_2_256 segments (
        .clk                      (clk),
        .rst                      (rst),
        .work_valid               (offered_valid),
        .work_ready               (offered_ready),
        .work_stream              (offered_stream),
        .work_id                  (offered_id),
        .work_signaled            (offered_signaled),
        .work_opcode              (offered_opcode),
        .work_local_stag          (offered_local_stag),
        .work_local_to            (offered_local_to),
        .work_length              (offered_length),
        .work_remote_stag         (offered_remote_stag),
        .work_remote_to           (offered_remote_to),
        .work_atomic_opcode       (offered_atomic_opcode),
        .work_atomic_data         (offered_atomic_data),
        .work_atomic_mask         (offered_atomic_mask),
        .work_atomic_compare      (offered_atomic_compare),
        .work_atomic_compare_mask (offered_atomic_compare_mask),
        .number                   (number),
        .refused                  (refused),
        .local_enable             (local_enable),
        .local_index              (local_index),
        .local_entry              (local_entry),
        .command_valid            (command_valid),
        .command_ready            (command_ready),
        .command_stream           (command_stream),
        .command_kind             (command_kind),
        .command_final            (command_final),
        .command_msn              (command_msn),
        .command_header_length    (command_header_length),
        .command_header           (command_header),
        .command_address          (command_address),
        .command_payload_length   (command_payload_length),
        .command_term_layer       (command_term_layer),
        .command_term_etype       (command_term_etype),
        .command_term_code        (command_term_code),
        .expecting_valid          (expecting_valid),
        .expecting_ready          (expecting_ready),
        .expecting_stream         (expecting_stream),
        .expecting_atomic         (expecting_atomic),
        .expecting_identifier     (expecting_identifier),
        .expecting_stag           (expecting_stag),
        .expecting_to             (expecting_to),
        .expecting_length         (expecting_length),
        .failed_valid             (failed_valid),
        .failed_ready             (failed_ready),
        .failed_stream            (failed_stream),
        .failed_term_layer        (failed_term_layer),
        .failed_term_etype        (failed_term_etype),
        .failed_term_code         (failed_term_code),
        .abandoned_valid          (abandoned_valid),
        .abandoned_ready          (abandoned_ready),
        .abandoned_stream         (abandoned_stream),
        .look                     (look),
        .look_stream              (look_stream),
        .state                    (state),
        .busy                     (busy),
        .busy_stream              (busy_stream),
        .store                    (store),
        .store_stream             (store_stream),
        .store_slot               (store_slot),
        .store_entry              (store_entry),
        .opened                   (opened),
        .opened_stream            (opening_stream),
        .opened_domain            (opening_domain),
        .reported                 (reported),
        .closing                  (closing),
        .closing_stream           (closing_stream)
    );

    send_completion_2_2_2 completion (
        .clk               (clk),
        .rst               (rst),
        .sent_valid        (sent_valid),
        .sent_ready        (sent_ready),
        .sent_stream       (sent_stream),
        .sent_kind         (sent_kind),
        .sent_final        (sent_final),
        .sent_dropped      (sent_dropped),
        .answered_valid    (answered_valid),
        .answered_ready    (answered_ready),
        .answered_stream   (answered_stream),
        .answered_data     (answered_data),
        .ended_valid       (ended_valid),
        .ended_ready       (ended_ready),
        .ended_stream      (ended_stream),
        .opening_valid     (opening_valid),
        .opening_ready     (opening_ready),
        .opening_stream    (opening_stream),
        .opening_open      (opening_open),
        .opening_domain    (opening_domain),
        .completion_valid  (completion_valid),
        .completion_ready  (completion_ready),
        .completion_stream (completion_stream),
        .completion_id     (completion_id),
        .completion_status (completion_status),
        .completion_opcode (completion_opcode),
        .completion_recv   (completion_recv),
        .completion_length (completion_length),
        .completion_data   (completion_data),
        .completion_stag   (completion_stag),
        .abandoned_valid   (abandoned_valid),
        .abandoned_ready   (abandoned_ready),
        .abandoned_stream  (abandoned_stream),
        .look              (look),
        .look_stream       (look_stream),
        .state             (state),
        .busy              (busy),
        .busy_stream       (busy_stream),
        .freed             (freed),
        .store             (store),
        .store_stream      (store_stream),
        .store_slot        (store_slot),
        .store_entry       (store_entry),
        .opened            (opened),
        .reported          (reported),
        .closing           (closing),
        .closing_stream    (closing_stream)
    );
endmodule
`default_nettype wire
