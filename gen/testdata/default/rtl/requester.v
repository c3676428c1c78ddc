// requester executes the work requests of the host: RDMA Writes and Reads, Sends, Immediate Data and Atomics (RFC
// 5040 section 5, RFC 7306 sections 5 and 6). It starts the work requests of a stream in posting order, makes their
// messages, and completes them in that order. Per stream, 16 work requests can be in progress and 8
// Reads and Atomics without a response. A work request beyond these limits waits in the ring of its stream while other
// streams go on.
//
// It makes one message per cycle, and completes one work request per cycle. Streams take turns of up to 16 work
// requests, fewer while others wait.
//
// The ring holds 16. A work request that finds it full waits, together with all posted after it, for whatever
// stream, until one of its stream is sent: a host that keeps at most 16 of a stream incomplete never sees this.
// Reports, responses and ends are accepted all the time.
//
// Every segment is reported as sent or dropped, and every end of a stream, also one caused by a failure or a dropped
// segment, arrives as ended. A work request on an ended stream is flushed after both: once the host has all
// completions of a stream it may open the stream again. An opening empties the ring; it waits while a work request of
// its stream is being issued. After reset all streams are closed, and for one cycle per stream nothing is accepted.
//
// Built for streams 64, send_depth 16, ird 8, ord 8.
`default_nettype none
module requester (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // wqe
    input  wire         wqe_valid,
    output wire         wqe_ready,
    input  wire [5:0]   wqe_stream,              // number of the stream
    input  wire [63:0]  wqe_id,                  // chosen by the host, returned in its completion
    input  wire         wqe_signaled,            // 1: always complete it; 0: only if it fails
    input  wire [3:0]   wqe_opcode,              // opcode of the operation
    input  wire [31:0]  wqe_local_stag,          // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  wqe_local_to,            // tagged offset of the first octet
    input  wire [31:0]  wqe_length,              // octets of the message; ignored for Atomics and Immediate Data
    input  wire [31:0]  wqe_remote_stag,         // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  wqe_remote_to,           // tagged offset of the first octet
    input  wire [3:0]   wqe_atomic_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    input  wire [63:0]  wqe_atomic_data,
    input  wire [63:0]  wqe_atomic_mask,         // Add Mask or Swap Mask
    input  wire [63:0]  wqe_atomic_compare,      // Compare Data
    input  wire [63:0]  wqe_atomic_compare_mask, // Compare Mask

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

    // local
    output wire         local_enable, // look index up in this cycle
    output wire [23:0]  local_index,  // upper 24 bits of an STag
    input  wire [223:0] local_entry,  // packed STagEntry, from the next cycle on

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
    output wire [31:0]  message_length,        // octets of payload, 32 bits

    // expecting
    output wire         expecting_valid,
    input  wire         expecting_ready,
    output wire [5:0]   expecting_stream,     // number of the stream
    output wire         expecting_executor,   // number of the executor at the peer
    output wire [31:0]  expecting_identifier, // Request Identifier, for requests that have one
    output wire [31:0]  expecting_stag,       // STag: index in [31:8], key in [7:0]
    output wire [63:0]  expecting_to,         // tagged offset of the first octet
    output wire [31:0]  expecting_length,     // octets of the response

    // sent
    input  wire         sent_valid,
    output wire         sent_ready,
    input  wire [5:0]   sent_stream,  // number of the stream
    input  wire [2:0]   sent_kind,    // as in the command
    input  wire         sent_final,   // last segment of its message
    input  wire         sent_dropped, // 1: not sent because its stream has ended
    input  wire         sent_asks,    // 1: a message of the requester that has a response, a Read or an Atomic

    // answered
    input  wire         answered_valid,
    output wire         answered_ready,
    input  wire [5:0]   answered_stream, // number of the stream
    input  wire [63:0]  answered_data,   // data in the response, 64 bits; 0 for a Read

    // ended
    input  wire         ended_valid,
    output wire         ended_ready,
    input  wire [5:0]   ended_stream, // number of the stream

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    // completion
    output wire         completion_valid,
    input  wire         completion_ready,
    output wire [5:0]   completion_stream, // number of the stream
    output wire [63:0]  completion_id,     // that of the request
    // 0 success, 1 flushed: the stream ended first, 2 local protection error when the work request started, 3 memory
    // error, receives only (I-86)
    output wire [1:0]   completion_status,
    output wire [3:0]   completion_opcode, // opcode of the received message or of the work request
    output wire         completion_recv,   // 1 for a receive, 0 for a work request
    output wire [31:0]  completion_length, // octets received or transferred
    output wire [63:0]  completion_data,   // Immediate Data or an Atomic's original value
    output wire [31:0]  completion_stag    // invalidated STag
);
    wire         abandoned_valid;
    wire         abandoned_ready;
    wire [5:0]   abandoned_stream;
    wire         opened_valid;
    wire         opened_ready;
    wire [5:0]   opened_stream;
    wire [4:0]   opened_oldest;
    wire [3:0]   opened_finished;
    wire [15:0]  opened_domain;
    wire         issued_valid;
    wire         issued_ready;
    wire [5:0]   issued_stream;
    wire [4:0]   issued_number;
    wire         opens;
    wire [5:0]   opens_stream;
    wire [15:0]  opens_domain;
    wire         look;
    wire [5:0]   look_stream;
    wire         freed;
    wire [5:0]   freed_stream;
    wire         fetch;
    wire [5:0]   fetch_stream;
    wire         ask;
    wire [5:0]   ask_stream;
    wire         count;
    wire [5:0]   count_stream;
    wire         store;
    wire [5:0]   store_stream;
    wire [8:0]   progress;
    wire [4:0]   fetch_number;
    wire [552:0] fetched;
    wire         closed;
    wire [15:0]  made;
    wire [3:0]   store_slot;
    wire [103:0] store_entry;

    work_ring rings (
        .clk                     (clk),
        .rst                     (rst),
        .wqe_valid               (wqe_valid),
        .wqe_ready               (wqe_ready),
        .wqe_stream              (wqe_stream),
        .wqe_id                  (wqe_id),
        .wqe_signaled            (wqe_signaled),
        .wqe_opcode              (wqe_opcode),
        .wqe_local_stag          (wqe_local_stag),
        .wqe_local_to            (wqe_local_to),
        .wqe_length              (wqe_length),
        .wqe_remote_stag         (wqe_remote_stag),
        .wqe_remote_to           (wqe_remote_to),
        .wqe_atomic_opcode       (wqe_atomic_opcode),
        .wqe_atomic_data         (wqe_atomic_data),
        .wqe_atomic_mask         (wqe_atomic_mask),
        .wqe_atomic_compare      (wqe_atomic_compare),
        .wqe_atomic_compare_mask (wqe_atomic_compare_mask),
        .opened_valid            (opened_valid),
        .opened_ready            (opened_ready),
        .opened_stream           (opened_stream),
        .opened_oldest           (opened_oldest),
        .opened_finished         (opened_finished),
        .opened_domain           (opened_domain),
        .message_valid           (issued_valid),
        .message_ready           (issued_ready),
        .message_stream          (issued_stream),
        .message_number          (issued_number),
        .look                    (look),
        .look_stream             (look_stream),
        .progress                (progress),
        .freed                   (freed),
        .freed_stream            (freed_stream),
        .fetch                   (fetch),
        .fetch_stream            (fetch_stream),
        .fetch_number            (fetch_number),
        .fetched                 (fetched),
        .opens                   (opens),
        .opens_stream            (opens_stream),
        .opens_domain            (opens_domain)
    );

    request_messages messages (
        .clk                   (clk),
        .rst                   (rst),
        .work_valid            (issued_valid),
        .work_ready            (issued_ready),
        .work_stream           (issued_stream),
        .work_number           (issued_number),
        .local_enable          (local_enable),
        .local_index           (local_index),
        .local_entry           (local_entry),
        .message_valid         (message_valid),
        .message_ready         (message_ready),
        .message_stream        (message_stream),
        .message_kind          (message_kind),
        .message_number        (message_number),
        .message_header_length (message_header_length),
        .message_header        (message_header),
        .message_address       (message_address),
        .message_length        (message_length),
        .expecting_valid       (expecting_valid),
        .expecting_ready       (expecting_ready),
        .expecting_stream      (expecting_stream),
        .expecting_executor    (expecting_executor),
        .expecting_identifier  (expecting_identifier),
        .expecting_stag        (expecting_stag),
        .expecting_to          (expecting_to),
        .expecting_length      (expecting_length),
        .failed_valid          (failed_valid),
        .failed_ready          (failed_ready),
        .failed_stream         (failed_stream),
        .failed_fault          (failed_fault),
        .abandoned_valid       (abandoned_valid),
        .abandoned_ready       (abandoned_ready),
        .abandoned_stream      (abandoned_stream),
        .fetch                 (fetch),
        .fetch_stream          (fetch_stream),
        .fetch_number          (fetch_number),
        .fetched               (fetched),
        .ask                   (ask),
        .ask_stream            (ask_stream),
        .closed                (closed),
        .store                 (store),
        .store_stream          (store_stream),
        .store_slot            (store_slot),
        .store_entry           (store_entry),
        .count                 (count),
        .count_stream          (count_stream),
        .made                  (made),
        .opened                (opens),
        .opened_stream         (opens_stream),
        .opened_domain         (opens_domain)
    );

    send_completion completion (
        .clk               (clk),
        .rst               (rst),
        .sent_valid        (sent_valid),
        .sent_ready        (sent_ready),
        .sent_stream       (sent_stream),
        .sent_kind         (sent_kind),
        .sent_final        (sent_final),
        .sent_dropped      (sent_dropped),
        .sent_asks         (sent_asks),
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
        .opened_valid      (opened_valid),
        .opened_ready      (opened_ready),
        .opened_stream     (opened_stream),
        .opened_oldest     (opened_oldest),
        .opened_finished   (opened_finished),
        .opened_domain     (opened_domain),
        .look              (look),
        .look_stream       (look_stream),
        .progress          (progress),
        .freed             (freed),
        .freed_stream      (freed_stream),
        .ask               (ask),
        .ask_stream        (ask_stream),
        .closed            (closed),
        .count             (count),
        .count_stream      (count_stream),
        .made              (made),
        .store             (store),
        .store_stream      (store_stream),
        .store_slot        (store_slot),
        .store_entry       (store_entry)
    );
endmodule
`default_nettype wire
