// request_messages makes the messages of work requests, one per cycle, in the order in which they were issued.
//
// The local buffer is checked as a whole. If the check fails, or the opcode is not one of a work request, the failure
// is reported and the stream has failed: nothing more of it is sent until it is opened again. Nor is anything sent of a
// stream that has ended. A work request that is not sent is abandoned, after the messages before it have left, also
// those of other streams.
//
// The message of a Read or Atomic is offered after the receive side has accepted what to expect.
//
// A work request is a message 8 cycles later. Places in the buffer of 16 messages are reserved, so no stage waits.
//
// Built for streams 64, send_depth 16, ird 8.
`default_nettype none
module request_messages (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // work
    input  wire         work_valid,
    output wire         work_ready,
    input  wire [5:0]   work_stream, // number of the stream
    input  wire [4:0]   work_number, // of the work request on its stream, modulo twice the ring

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

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    // abandoned: a work request was issued whose message is not sent
    output wire         abandoned_valid,
    input  wire         abandoned_ready,
    output wire [5:0]   abandoned_stream, // number of the stream

    output wire         fetch,         // fetch a work request
    output wire [5:0]   fetch_stream,  // number of the stream
    output wire [4:0]   fetch_number,  // its number
    input  wire [552:0] fetched,       // packed work request, 2 cycles later
    output wire         ask,           // fetch whether ask_stream has ended
    output wire [5:0]   ask_stream,    // number of the stream
    input  wire         closed,        // it has, in the next cycle
    output wire         store,         // an entry of the work requests in progress changes
    output wire [5:0]   store_stream,  // number of the stream
    output wire [3:0]   store_slot,    // its slot in the ring
    output wire [103:0] store_entry,   // packed underWay
    input  wire         count,         // fetch the number of messages of count_stream
    input  wire [5:0]   count_stream,  // number of the stream
    output wire [15:0]  made,          // messages, modulo 2^16, in the next cycle
    input  wire         opened,        // opened_stream is opened or closed: nothing of it is in progress
    input  wire [5:0]   opened_stream, // number of the stream
    input  wire [15:0]  opened_domain  // protection domain
);
    genvar i;
    reg [5:0] sweep_q;
    reg       swept_q;

    always @(posedge clk) begin
        if (~swept_q) begin
            sweep_q <= sweep_q + 6'd1;
            if (&sweep_q) begin
                swept_q <= 1'b1;
            end
        end
        if (rst) begin
            sweep_q <= 6'd0;
            swept_q <= 1'b0;
        end
    end

    wire         next_message_valid;
    wire         next_message_ready;
    wire [5:0]   next_message_stream;
    wire [6:0]   next_message_header_length;
    wire [559:0] next_message_header;
    wire [63:0]  next_message_address;
    wire [31:0]  next_message_length;
    wire         known_valid;
    wire         known_ready;
    wire [5:0]   known_stream;
    wire         known_executor;
    wire [31:0]  known_identifier;
    wire [31:0]  known_stag;
    wire [63:0]  known_to;
    wire [31:0]  known_length;
    reg  [4:0]   buffered_reserved_q;
    wire         buffered_in_valid;
    wire         buffered_in_ready;
    wire [5:0]   buffered_in_stream;
    wire [6:0]   buffered_in_header_length;
    wire [559:0] buffered_in_header;
    wire [63:0]  buffered_in_address;
    wire [31:0]  buffered_in_length;
    wire         buffered_out_valid;
    wire         buffered_out_ready;
    wire [5:0]   buffered_out_stream;
    wire [6:0]   buffered_out_header_length;
    wire [559:0] buffered_out_header;
    wire [63:0]  buffered_out_address;
    wire [31:0]  buffered_out_length;
    reg  [4:0]   expecting_reserved_q;
    wire         expecting_in_valid;
    wire         expecting_in_ready;
    wire [5:0]   expecting_in_stream;
    wire         expecting_in_executor;
    wire [31:0]  expecting_in_identifier;
    wire [31:0]  expecting_in_stag;
    wire [63:0]  expecting_in_to;
    wire [31:0]  expecting_in_length;
    wire         expecting_out_valid;
    wire         expecting_out_ready;
    wire [5:0]   expecting_out_stream;
    wire         expecting_out_executor;
    wire [31:0]  expecting_out_identifier;
    wire [31:0]  expecting_out_stag;
    wire [63:0]  expecting_out_to;
    wire [31:0]  expecting_out_length;
    wire         next_flags_valid;
    wire         next_flags_ready;
    wire         next_flags_abandons;
    wire         next_flags_asks;
    wire         failure_valid;
    wire         failure_ready;
    wire [5:0]   failure_stream;
    wire         failure_fault;
    wire         first_failure_valid;
    wire         first_failure_ready;
    wire [5:0]   first_failure_stream;
    wire         first_failure_fault;
    wire [6:0]   failures_out;
    assign first_failure_stream = failures_out[6:1];
    assign first_failure_fault  = failures_out[0];

    fifo #(.WIDTH(7), .DEPTH(64)) failures (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (failure_valid),
        .in_ready  (failure_ready),
        .in_data   ({failure_stream, failure_fault}),
        .out_valid (first_failure_valid),
        .out_ready (first_failure_ready),
        .out_data  (failures_out)
    );

    // ---- Offer messages; that of a Read or Atomic after the receive side has accepted what to expect
    assign expecting_valid      = known_valid;
    assign expecting_stream     = known_stream;
    assign expecting_executor   = known_executor;
    assign expecting_identifier = known_identifier;
    assign expecting_stag       = known_stag;
    assign expecting_to         = known_to;
    assign expecting_length     = known_length;
    assign known_ready          = expecting_ready;
    reg [5:0] announced_q;
    reg       none_announced_q;
    wire waits          = next_flags_asks & none_announced_q;
    wire offers         = next_flags_valid & ~next_flags_abandons & ~waits;
    wire announces      = known_valid & expecting_ready;
    wire request_leaves = offers & next_flags_asks & message_ready;
    // Both sums are ready when it is known whether a request leaves.
    wire [5:0] announced_if_stays  = announced_q + {5'd0, announces};
    wire [5:0] announced_if_leaves = (announced_q - 6'd1) + {5'd0, announces};

    always @(posedge clk) begin
        announced_q      <= request_leaves ? announced_if_leaves : announced_if_stays;
        none_announced_q <= request_leaves ? (~|announced_if_leaves) : (~|announced_if_stays);
        if (rst) begin
            announced_q      <= 6'd0;
            none_announced_q <= 1'b1;
        end
    end

    assign message_valid         = offers;
    assign message_stream        = next_message_stream;
    assign message_kind          = 3'd2;
    assign message_number        = {4'd0, next_flags_asks};
    assign message_header_length = next_message_header_length;
    assign message_header        = next_message_header;
    assign message_address       = next_message_address;
    assign message_length        = next_message_length;
    // A work request is abandoned when all failures have been accepted.
    assign failed_valid        = first_failure_valid;
    assign failed_stream       = first_failure_stream;
    assign failed_fault        = first_failure_fault;
    assign first_failure_ready = failed_ready;
    // Once it is offered it stays: a later failure is of a later work request.
    reg  abandon_waits_q;
    wire may_abandon = abandon_waits_q | ~first_failure_valid;
    wire abandons    = next_flags_valid & next_flags_abandons & may_abandon;

    always @(posedge clk) begin
        abandon_waits_q <= abandons & ~abandoned_ready;
        if (rst) begin
            abandon_waits_q <= 1'b0;
        end
    end

    assign abandoned_valid    = abandons;
    assign abandoned_stream   = next_message_stream;
    wire next_leaves = next_flags_abandons ? (abandoned_ready & may_abandon) : (message_ready & ~waits);
    assign next_flags_ready   = next_leaves;
    assign next_message_ready = next_leaves;
    reg  begins_q;

    always @(posedge clk) begin
        begins_q <= swept_q;
        if (rst) begin
            begins_q <= 1'b0;
        end
    end

    wire may_enter = begins_q & ~buffered_reserved_q[4] & ~expecting_reserved_q[4];

    // ---- The next work request; an opening goes first
    reg        next_valid_q;
    reg  [5:0] next_stream_q;
    reg  [4:0] next_number_q;
    wire       goes      = may_enter & ~opened;
    wire       next_free = ~next_valid_q | goes;
    wire       enters    = next_valid_q & goes;
    assign work_ready = next_free;

    always @(posedge clk) begin
        if (next_free) begin
            next_valid_q  <= work_valid;
            next_stream_q <= work_stream;
            next_number_q <= work_number;
        end
        if (rst) begin
            next_valid_q <= 1'b0;
        end
    end

    wire       moves_on = enters | opened;
    reg        valid_1_q;
    reg        valid_2_q;
    reg        valid_3_q;
    reg        valid_4_q;
    reg        valid_5_q;
    reg        valid_6_q;
    reg        valid_7_q;
    wire [5:0] stream   = opened ? opened_stream : next_stream_q;
    wire [3:0] slot     = next_number_q[3:0];
    assign fetch        = enters;
    assign fetch_stream = next_stream_q;
    assign fetch_number = next_number_q;

    // ---- Work request: its place and length
    localparam [3:0] RDMA_WRITE     = 4'd0;
    localparam [3:0] READ_REQUEST   = 4'd1;
    localparam [3:0] SEND           = 4'd3;
    localparam [3:0] SEND_INV       = 4'd4;
    localparam [3:0] SEND_SE        = 4'd5;
    localparam [3:0] SEND_SE_INV    = 4'd6;
    localparam [3:0] IMMEDIATE      = 4'd8;
    localparam [3:0] IMMEDIATE_SE   = 4'd9;
    localparam [3:0] ATOMIC_REQUEST = 4'd10;
    wire         work_is_write     = fetched[487:484] == RDMA_WRITE;
    wire         work_is_read      = fetched[487:484] == READ_REQUEST;
    wire         work_is_atomic    = fetched[487:484] == ATOMIC_REQUEST;
    wire         work_is_send      =
          (fetched[487:484] == SEND)
        | (fetched[487:484] == SEND_INV)
        | (fetched[487:484] == SEND_SE)
        | (fetched[487:484] == SEND_SE_INV);
    wire         work_invalidates  = (fetched[487:484] == SEND_INV) | (fetched[487:484] == SEND_SE_INV);
    wire         work_is_immediate = (fetched[487:484] == IMMEDIATE) | (fetched[487:484] == IMMEDIATE_SE);
    wire         asks              = work_is_read | work_is_atomic;
    wire         moves_payload     = work_is_write | work_is_send;
    wire         is_work           =
        work_is_write | work_is_read | work_is_atomic | work_is_send | work_is_immediate;
    wire [31:0]  octets            = (work_is_atomic | work_is_immediate) ? 32'd8 : fetched[387:356];
    reg  [2:0]   work_request_in_q;
    reg  [2:0]   work_request_out_q;
    reg  [552:0] work_request_way [0:7];
    reg  [552:0] work_request_7_q;

    always @(posedge clk) begin
        if (valid_2_q) begin
            work_request_way[work_request_in_q] <= fetched;
        end
        if (valid_6_q) begin
            work_request_7_q <= work_request_way[work_request_out_q];
        end
    end

    // ---- Local buffer: looked up in one cycle, checked in two more
    assign local_enable = valid_2_q;
    assign local_index  = fetched[483:460];
    wire [7:0]  local_key     = fetched[459:452];
    reg  [15:0] domains [0:63];
    wire        write_domains = ~swept_q | opened;
    wire [5:0]  domains_row   = ~swept_q ? sweep_q : opened_stream;
    wire [15:0] domains_word  = ~swept_q ? 16'd0 : opened_domain;
    reg  [5:0]  stream_1_q;
    reg  [5:0]  stream_2_q;
    reg  [15:0] domain_old_q;
    reg  [15:0] domain_new_q;
    reg         domain_is_new_q;
    wire [15:0] domain        = domain_is_new_q ? domain_new_q : domain_old_q;

    always @(posedge clk) begin
        if (write_domains) begin
            domains[domains_row] <= domains_word;
        end
        if (valid_2_q) begin
            domain_old_q <= domains[stream_2_q];
        end
    end

    always @(posedge clk) begin
        if (valid_2_q) begin
            domain_is_new_q <= write_domains & (domains_row == stream_2_q);
            domain_new_q    <= domains_word;
        end
    end

    reg  [31:0]  octets_3_q;
    reg  [31:0]  octets_4_q;
    reg          asks_3_q;
    reg          asks_4_q;
    reg          moves_payload_3_q;
    reg          moves_payload_4_q;
    wire [31:0]  checked_octets           = octets_4_q & {32{asks_4_q | moves_payload_4_q}};
    reg  [223:0] row_4_q;
    wire         row_valid                = row_4_q[223];
    wire [7:0]   row_key                  = row_4_q[222:215];
    wire         row_rights_local_read    = row_4_q[214];
    wire         row_rights_local_write   = row_4_q[213];
    wire         row_rights_remote_read   = row_4_q[212];
    wire         row_rights_remote_write  = row_4_q[211];
    wire         row_rights_remote_atomic = row_4_q[210];
    wire         row_rights_invalidate    = row_4_q[209];
    wire         row_by_domain            = row_4_q[208];
    wire [15:0]  row_owner                = row_4_q[207:192];
    wire [63:0]  row_base                 = row_4_q[191:128];
    wire [63:0]  row_length               = row_4_q[127:64];
    wire [63:0]  row_address              = row_4_q[63:0];
    reg  [7:0]  local_key_3_q;
    reg  [7:0]  local_key_4_q;
    reg  [63:0] local_to_3_q;
    reg  [63:0] local_to_4_q;
    wire        has_right                = asks_4_q ? row_rights_local_write : row_rights_local_read;
    reg  [5:0]  stream_3_q;
    reg  [5:0]  stream_4_q;
    reg  [15:0] domain_4_q;
    wire        local_buffer_reaches_memory = |checked_octets;
    wire        local_buffer_refuses     =
          ~row_valid
        | (row_key != local_key_4_q)
        | (row_owner != (row_by_domain ? domain_4_q : {10'd0, stream_4_q}))
        | ~has_right;
    wire [64:0] local_buffer_end         = {1'b0, local_to_4_q} + {33'd0, checked_octets};
    // Distance of the first octet from the start of the region, and its maximum; either is negative if out of bounds.
    wire [64:0] local_buffer_distance    = {1'b0, local_to_4_q} - {1'b0, row_base};
    wire [64:0] local_buffer_most_distance = {1'b0, row_length} - {33'd0, checked_octets};
    reg  [64:0] local_buffer_distance_5_q;
    reg  [64:0] local_buffer_most_distance_5_q;
    reg  [64:0] local_buffer_end_5_q;
    wire        local_buffer_to_wraps    = local_buffer_end_5_q[64] & (|local_buffer_end_5_q[63:0]);
    wire        local_buffer_out_of_bounds =
          local_buffer_distance_5_q[64]
        | local_buffer_most_distance_5_q[64]
        | (local_buffer_most_distance_5_q[63:0] < local_buffer_distance_5_q[63:0]);
    reg         local_buffer_reaches_memory_5_q;
    reg         local_buffer_refuses_5_q;
    wire        local_buffer_fails       =
          local_buffer_reaches_memory_5_q
        & (local_buffer_refuses_5_q | local_buffer_to_wraps | local_buffer_out_of_bounds);
    reg  [63:0] local_buffer_row_address_5_q;
    wire [63:0] local_buffer_address     = local_buffer_row_address_5_q + local_buffer_distance_5_q[63:0];
    reg         opens_1_q;
    reg         opens_2_q;
    reg         opens_3_q;
    reg         opens_4_q;
    reg         opens_5_q;
    wire        is_work_request          = valid_5_q & ~opens_5_q;
    reg         is_work_3_q;
    reg         is_work_4_q;
    reg         is_work_5_q;
    wire        is_wrong                 = local_buffer_fails | ~is_work_5_q;
    wire        wrong_work               = is_work_request & is_wrong;
    wire        right_work               = is_work_request & ~is_wrong;

    // ---- Send it, unless its stream has failed or ended
    assign ask        = valid_4_q;
    assign ask_stream = stream_4_q;
    reg  [80:0] issue_state [0:63];
    wire [80:0] issue_state_next;
    reg         issue_state_ahead_1_q;
    reg  [5:0]  stream_5_q;

    always @(posedge clk) begin
        issue_state_ahead_1_q <= valid_5_q & (stream_5_q == stream_4_q);
    end

    reg       issue_state_ahead_2_q;
    reg [5:0] stream_6_q;

    always @(posedge clk) begin
        issue_state_ahead_2_q <= valid_6_q & (stream_6_q == stream_4_q);
    end

    reg       issue_state_ahead_3_q;
    reg [5:0] stream_7_q;

    always @(posedge clk) begin
        issue_state_ahead_3_q <= valid_7_q & (stream_7_q == stream_4_q);
    end

    reg  [80:0] issue_state_decided_q;
    reg  [80:0] issue_state_kept_q;
    wire        write_issue_state = ~swept_q | valid_7_q;
    wire [5:0]  issue_state_row   = ~swept_q ? sweep_q : stream_7_q;
    wire [80:0] issue_state_word  = ~swept_q ? 81'd0 : issue_state_decided_q;
    reg  [80:0] issue_state_stored_q;
    reg  [80:0] issue_state_q;

    always @(posedge clk) begin
        issue_state_decided_q <= issue_state_next;
        issue_state_kept_q    <= issue_state_decided_q;
        issue_state_q         <=
            issue_state_ahead_1_q ? issue_state_next :
            issue_state_ahead_2_q ? issue_state_decided_q :
            issue_state_ahead_3_q ? issue_state_kept_q :
                                    issue_state_stored_q;
    end

    wire [31:0] now_send_msn    = issue_state_q[80:49];
    wire [31:0] now_request_msn = issue_state_q[48:17];
    wire        now_failed      = issue_state_q[16];
    wire [15:0] now_made        = issue_state_q[15:0];
    reg  [80:0] counted_old_q;
    reg  [80:0] counted_new_q;
    reg         counted_is_new_q;
    wire [80:0] counted         = counted_is_new_q ? counted_new_q : counted_old_q;

    always @(posedge clk) begin
        if (write_issue_state) begin
            issue_state[issue_state_row] <= issue_state_word;
        end
        if (valid_4_q) begin
            issue_state_stored_q <= issue_state[stream_4_q];
        end
        if (count) begin
            counted_old_q <= issue_state[count_stream];
        end
    end

    always @(posedge clk) begin
        if (count) begin
            counted_is_new_q <= write_issue_state & (issue_state_row == count_stream);
            counted_new_q    <= issue_state_word;
        end
    end

    assign made             = counted[15:0];
    reg         closed_6_q;
    wire        is_stopped    = now_failed | closed_6_q;
    reg         wrong_work_6_q;
    wire        fails         = ~is_stopped & wrong_work_6_q;
    reg         right_work_6_q;
    wire        is_sent       = ~is_stopped & right_work_6_q;
    reg  [6:0]  kind_3_q;
    reg  [6:0]  kind_4_q;
    reg  [6:0]  kind_5_q;
    reg  [6:0]  kind_6_q;
    reg         asks_5_q;
    reg         asks_6_q;
    wire        sends_request = is_sent & asks_6_q;
    wire        sends_send    = is_sent & (kind_6_q[3] | kind_6_q[1]);
    reg         opens_6_q;
    assign issue_state_next =
        opens_6_q ? {32'd1, 32'd1, 1'b0, now_made} :
                    {
                        now_send_msn + {31'd0, sends_send}, now_request_msn + {31'd0, sends_request},
                        now_failed | fails, now_made + {15'd0, is_sent}
                    };
    wire [31:0] msn           = asks_6_q ? now_request_msn : now_send_msn;

    // ---- A failed one is marked among those in progress; it ends its stream
    reg        opens_7_q;
    wire       is_built = valid_7_q & ~opens_7_q;
    reg  [6:0] kind_7_q;
    // A response of a word is data of the completion.
    wire        returns_word = (kind_7_q[5] | kind_7_q[4]) & (kind_7_q[4] | kind_7_q[1]);
    reg         fails_7_q;
    wire        has_failed   = is_built & fails_7_q;
    assign store          = is_built;
    assign store_stream   = stream_7_q;
    reg  [3:0]  slot_1_q;
    reg  [3:0]  slot_2_q;
    reg  [3:0]  slot_3_q;
    reg  [3:0]  slot_4_q;
    reg  [3:0]  slot_5_q;
    reg  [3:0]  slot_6_q;
    reg  [3:0]  slot_7_q;
    assign store_slot     = slot_7_q;
    reg  [31:0] octets_5_q;
    reg  [31:0] octets_6_q;
    reg  [31:0] octets_7_q;
    assign store_entry    = {
        work_request_7_q[552:489], work_request_7_q[487:484], work_request_7_q[488], octets_7_q,
        kind_7_q[5] | kind_7_q[4], returns_word, fails_7_q
    };
    assign failure_valid  = has_failed;
    assign failure_stream = stream_7_q;
    assign failure_fault  = 1'b0;

    // ---- Message
    reg  [31:0]  msn_7_q;
    wire [111:0] tagged_header = {
        1'b1, 1'b1, 4'd0, 2'd1, 2'd1, 2'd0, work_request_7_q[487:484], work_request_7_q[355:324],
        work_request_7_q[323:260]
    };
    // Requests share the Message Sequence Numbers of queue 1; all else is on queue 0.
    wire [143:0] untagged_header = {
        1'b0, 1'b1, 4'd0, 2'd1, 2'd1, 2'd0, work_request_7_q[487:484],
        work_request_7_q[355:324] & {32{kind_7_q[2]}}, (kind_7_q[5] | kind_7_q[4]) ? 32'd1 : 32'd0, msn_7_q,
        32'd0
    };
    wire [223:0] read_header     = {
        work_request_7_q[483:452], work_request_7_q[451:388], octets_7_q, work_request_7_q[355:324],
        work_request_7_q[323:260]
    };
    // Fields that an operation does not use are sent as zeros, masks as ones (RFC 7306 section 5.2.1).
    localparam [3:0] SWAP = 4'd1;
    wire swaps = work_request_7_q[259:256] == SWAP;
    localparam [3:0] CMP_SWAP = 4'd2;
    wire         compares        = work_request_7_q[259:256] == CMP_SWAP;
    wire [415:0] atomic_header   = {
        28'd0, work_request_7_q[259:256], msn_7_q, work_request_7_q[355:324], work_request_7_q[323:260],
        work_request_7_q[255:192], work_request_7_q[191:128] | {64{swaps}},
        work_request_7_q[127:64] & {64{compares}}, work_request_7_q[63:0] | {64{~compares}}
    };
    wire [415:0] rdmap_header    =
        kind_7_q[5] ? {read_header, 192'd0} :
        kind_7_q[4] ? atomic_header :
        kind_7_q[1] ? {work_request_7_q[255:192], 352'd0} :
                      416'd0;
    wire [559:0] header          = kind_7_q[6] ? {tagged_header, 448'd0} : {untagged_header, rdmap_header};
    wire [6:0]   header_length   =
        kind_7_q[6] ? 7'd14 :
        kind_7_q[5] ? 7'd46 :
        kind_7_q[4] ? 7'd70 :
        kind_7_q[1] ? 7'd26 :
                      7'd18;
    wire         enters_pipeline = moves_on & ~opened;
    wire         leaves_pipeline = valid_7_q & ~opens_7_q;
    reg          is_sent_7_q;
    wire         leaves_sent     = leaves_pipeline & is_sent_7_q;
    reg  [63:0]  local_buffer_address_6_q;
    reg  [63:0]  local_buffer_address_7_q;
    reg          moves_payload_5_q;
    reg          moves_payload_6_q;
    reg          moves_payload_7_q;
    assign buffered_in_valid         = leaves_pipeline;
    assign buffered_in_stream        = stream_7_q;
    assign buffered_in_header_length = header_length;
    generate
        for (i = 0; i < 70; i = i + 1) begin : each_buffered_in_header
            assign buffered_in_header[8 * i +: 8] = header[8 * (69 - i) +: 8];
        end
    endgenerate
    assign buffered_in_address       = local_buffer_address_7_q;
    assign buffered_in_length        = octets_7_q & {32{moves_payload_7_q}};
    assign buffered_in_ready = 1'b1;
    reg          buffered_buffer_valid_q;
    reg          buffered_buffer_empty_q;
    reg  [3:0]   buffered_buffer_head_q;
    reg  [3:0]   buffered_buffer_tail_q;
    reg  [3:0]   buffered_buffer_not_before_tail_q;
    wire         buffered_buffer_free  = ~buffered_buffer_valid_q | buffered_out_ready;
    wire         buffered_buffer_fetch = buffered_buffer_free & ~buffered_buffer_empty_q;
    reg  [668:0] buffered_buffer [0:15];
    wire [668:0] buffered_buffer_beat  = {
        buffered_in_stream, buffered_in_header_length, buffered_in_header, buffered_in_address,
        buffered_in_length
    };
    reg  [668:0] buffered_buffer_fetched_q;

    always @(posedge clk) begin
        if (buffered_in_valid) begin
            buffered_buffer[buffered_buffer_tail_q] <= buffered_buffer_beat;
        end
        if (buffered_buffer_fetch) begin
            buffered_buffer_fetched_q <= buffered_buffer[buffered_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire buffered_buffer_last_beat = buffered_buffer_head_q == ~buffered_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (buffered_buffer_free) begin
            buffered_buffer_valid_q <= ~buffered_buffer_empty_q;
        end
        if (buffered_buffer_fetch) begin
            buffered_buffer_head_q <= buffered_buffer_head_q + 4'd1;
        end
        if (buffered_in_valid) begin
            buffered_buffer_tail_q           <= buffered_buffer_tail_q + 4'd1;
            buffered_buffer_not_before_tail_q <= ~buffered_buffer_tail_q;
        end
        buffered_buffer_empty_q <=
            buffered_buffer_empty_q ? ~buffered_in_valid :
                                      (buffered_buffer_free & buffered_buffer_last_beat & ~buffered_in_valid);
        if (rst) begin
            buffered_buffer_valid_q          <= 1'b0;
            buffered_buffer_head_q           <= 4'd0;
            buffered_buffer_tail_q           <= 4'd0;
            buffered_buffer_not_before_tail_q <= 4'd0;
            buffered_buffer_empty_q          <= 1'b1;
        end
    end

    assign buffered_out_valid         = buffered_buffer_valid_q;
    assign buffered_out_stream        = buffered_buffer_fetched_q[668:663];
    assign buffered_out_header_length = buffered_buffer_fetched_q[662:656];
    assign buffered_out_header        = buffered_buffer_fetched_q[655:96];
    assign buffered_out_address       = buffered_buffer_fetched_q[95:32];
    assign buffered_out_length        = buffered_buffer_fetched_q[31:0];
    assign next_message_valid         = buffered_out_valid;
    assign next_message_stream        = buffered_out_stream;
    assign next_message_header_length = buffered_out_header_length;
    assign next_message_header        = buffered_out_header;
    assign next_message_address       = buffered_out_address;
    assign next_message_length        = buffered_out_length;
    assign buffered_out_ready         = next_message_ready;
    reg buffered_left_q;

    always @(posedge clk) begin
        buffered_left_q <= buffered_out_valid & next_message_ready;
        if (rst) begin
            buffered_left_q <= 1'b0;
        end
    end

    // The sums are made while it is decided whether one more place is reserved.
    wire [4:0] buffered_if_none     = buffered_reserved_q - {4'd0, buffered_left_q};
    wire [4:0] buffered_if_one_more = (buffered_reserved_q + 5'd1) - {4'd0, buffered_left_q};

    always @(posedge clk) begin
        buffered_reserved_q <= enters_pipeline ? buffered_if_one_more : buffered_if_none;
        if (rst) begin
            buffered_reserved_q <= 5'd0;
        end
    end

    // A place in the buffer of messages is reserved.
    reg        asks_7_q;
    reg        flags_buffer_valid_q;
    reg        flags_buffer_empty_q;
    reg  [3:0] flags_buffer_head_q;
    reg  [3:0] flags_buffer_tail_q;
    reg  [3:0] flags_buffer_not_before_tail_q;
    wire       flags_buffer_free  = ~flags_buffer_valid_q | next_flags_ready;
    wire       flags_buffer_fetch = flags_buffer_free & ~flags_buffer_empty_q;
    reg  [1:0] flags_buffer [0:15];
    wire [1:0] flags_buffer_beat  = {~leaves_sent, asks_7_q};
    reg  [1:0] flags_buffer_fetched_q;

    always @(posedge clk) begin
        if (leaves_pipeline) begin
            flags_buffer[flags_buffer_tail_q] <= flags_buffer_beat;
        end
        if (flags_buffer_fetch) begin
            flags_buffer_fetched_q <= flags_buffer[flags_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire flags_buffer_last_beat = flags_buffer_head_q == ~flags_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (flags_buffer_free) begin
            flags_buffer_valid_q <= ~flags_buffer_empty_q;
        end
        if (flags_buffer_fetch) begin
            flags_buffer_head_q <= flags_buffer_head_q + 4'd1;
        end
        if (leaves_pipeline) begin
            flags_buffer_tail_q            <= flags_buffer_tail_q + 4'd1;
            flags_buffer_not_before_tail_q <= ~flags_buffer_tail_q;
        end
        flags_buffer_empty_q <=
            flags_buffer_empty_q ? ~leaves_pipeline :
                                   (flags_buffer_free & flags_buffer_last_beat & ~leaves_pipeline);
        if (rst) begin
            flags_buffer_valid_q           <= 1'b0;
            flags_buffer_head_q            <= 4'd0;
            flags_buffer_tail_q            <= 4'd0;
            flags_buffer_not_before_tail_q <= 4'd0;
            flags_buffer_empty_q           <= 1'b1;
        end
    end

    assign next_flags_valid        = flags_buffer_valid_q;
    assign next_flags_abandons     = flags_buffer_fetched_q[1];
    assign next_flags_asks         = flags_buffer_fetched_q[0];
    wire fills_expecting = leaves_sent & asks_7_q;
    assign expecting_in_valid      = fills_expecting;
    assign expecting_in_stream     = stream_7_q;
    assign expecting_in_executor   = kind_7_q[4];
    assign expecting_in_identifier = msn_7_q;
    assign expecting_in_stag       = work_request_7_q[483:452];
    assign expecting_in_to         = work_request_7_q[451:388];
    assign expecting_in_length     = octets_7_q;
    wire [166:0] expecting_buffer_out;
    assign expecting_out_stream     = expecting_buffer_out[166:161];
    assign expecting_out_executor   = expecting_buffer_out[160];
    assign expecting_out_identifier = expecting_buffer_out[159:128];
    assign expecting_out_stag       = expecting_buffer_out[127:96];
    assign expecting_out_to         = expecting_buffer_out[95:32];
    assign expecting_out_length     = expecting_buffer_out[31:0];

    fifo #(.WIDTH(167), .DEPTH(16)) expecting_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (expecting_in_valid),
        .in_ready  (expecting_in_ready),
        .in_data   ({
            expecting_in_stream, expecting_in_executor, expecting_in_identifier, expecting_in_stag,
            expecting_in_to, expecting_in_length
        }),
        .out_valid (expecting_out_valid),
        .out_ready (expecting_out_ready),
        .out_data  (expecting_buffer_out)
    );

    assign known_valid         = expecting_out_valid;
    assign known_stream        = expecting_out_stream;
    assign known_executor      = expecting_out_executor;
    assign known_identifier    = expecting_out_identifier;
    assign known_stag          = expecting_out_stag;
    assign known_to            = expecting_out_to;
    assign known_length        = expecting_out_length;
    assign expecting_out_ready = known_ready;
    reg expecting_left_q;

    always @(posedge clk) begin
        expecting_left_q <= expecting_out_valid & known_ready;
        if (rst) begin
            expecting_left_q <= 1'b0;
        end
    end

    reg expecting_spared_q;

    always @(posedge clk) begin
        expecting_spared_q <= leaves_pipeline & ~fills_expecting;
        if (rst) begin
            expecting_spared_q <= 1'b0;
        end
    end

    wire [4:0] expecting_fewer = {4'd0, expecting_left_q} + {4'd0, expecting_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [4:0] expecting_if_none     = expecting_reserved_q - expecting_fewer;
    wire [4:0] expecting_if_one_more = (expecting_reserved_q + 5'd1) - expecting_fewer;

    always @(posedge clk) begin
        expecting_reserved_q <= enters_pipeline ? expecting_if_one_more : expecting_if_none;
        if (rst) begin
            expecting_reserved_q <= 5'd0;
        end
    end

    // ---- Pipeline registers
    always @(posedge clk) begin
        valid_1_q                       <= moves_on;
        valid_2_q                       <= valid_1_q;
        valid_3_q                       <= valid_2_q;
        valid_4_q                       <= valid_3_q;
        valid_5_q                       <= valid_4_q;
        valid_6_q                       <= valid_5_q;
        valid_7_q                       <= valid_6_q;
        work_request_in_q               <= work_request_in_q + 3'd1;
        work_request_out_q              <= work_request_out_q + 3'd1;
        stream_1_q                      <= stream;
        stream_2_q                      <= stream_1_q;
        octets_3_q                      <= octets;
        octets_4_q                      <= octets_3_q;
        asks_3_q                        <= asks;
        asks_4_q                        <= asks_3_q;
        moves_payload_3_q               <= moves_payload;
        moves_payload_4_q               <= moves_payload_3_q;
        row_4_q                         <= local_entry;
        local_key_3_q                   <= local_key;
        local_key_4_q                   <= local_key_3_q;
        local_to_3_q                    <= fetched[451:388];
        local_to_4_q                    <= local_to_3_q;
        stream_3_q                      <= stream_2_q;
        stream_4_q                      <= stream_3_q;
        domain_4_q                      <= domain;
        local_buffer_distance_5_q       <= local_buffer_distance;
        local_buffer_most_distance_5_q  <= local_buffer_most_distance;
        local_buffer_end_5_q            <= local_buffer_end;
        local_buffer_reaches_memory_5_q <= local_buffer_reaches_memory;
        local_buffer_refuses_5_q        <= local_buffer_refuses;
        local_buffer_row_address_5_q    <= row_address;
        opens_1_q                       <= opened;
        opens_2_q                       <= opens_1_q;
        opens_3_q                       <= opens_2_q;
        opens_4_q                       <= opens_3_q;
        opens_5_q                       <= opens_4_q;
        is_work_3_q                     <= is_work;
        is_work_4_q                     <= is_work_3_q;
        is_work_5_q                     <= is_work_4_q;
        stream_5_q                      <= stream_4_q;
        stream_6_q                      <= stream_5_q;
        stream_7_q                      <= stream_6_q;
        closed_6_q                      <= closed;
        wrong_work_6_q                  <= wrong_work;
        right_work_6_q                  <= right_work;
        kind_3_q                        <= {
            work_is_write, work_is_read, work_is_atomic, work_is_send, work_invalidates, work_is_immediate,
            work_is_write | work_is_read | work_is_atomic | work_is_send | work_is_immediate
        };
        kind_4_q                        <= kind_3_q;
        kind_5_q                        <= kind_4_q;
        kind_6_q                        <= kind_5_q;
        asks_5_q                        <= asks_4_q;
        asks_6_q                        <= asks_5_q;
        opens_6_q                       <= opens_5_q;
        opens_7_q                       <= opens_6_q;
        kind_7_q                        <= kind_6_q;
        fails_7_q                       <= fails;
        slot_1_q                        <= slot;
        slot_2_q                        <= slot_1_q;
        slot_3_q                        <= slot_2_q;
        slot_4_q                        <= slot_3_q;
        slot_5_q                        <= slot_4_q;
        slot_6_q                        <= slot_5_q;
        slot_7_q                        <= slot_6_q;
        octets_5_q                      <= octets_4_q;
        octets_6_q                      <= octets_5_q;
        octets_7_q                      <= octets_6_q;
        msn_7_q                         <= msn;
        is_sent_7_q                     <= is_sent;
        local_buffer_address_6_q        <= local_buffer_address;
        local_buffer_address_7_q        <= local_buffer_address_6_q;
        moves_payload_5_q               <= moves_payload_4_q;
        moves_payload_6_q               <= moves_payload_5_q;
        moves_payload_7_q               <= moves_payload_6_q;
        asks_7_q                        <= asks_6_q;
        if (rst) begin
            valid_1_q          <= 1'b0;
            valid_2_q          <= 1'b0;
            valid_3_q          <= 1'b0;
            valid_4_q          <= 1'b0;
            valid_5_q          <= 1'b0;
            valid_6_q          <= 1'b0;
            valid_7_q          <= 1'b0;
            work_request_in_q  <= 3'd4;
            work_request_out_q <= 3'd0;
        end
    end

    // Not read:
    // next_message_valid: the flags are valid with it
    // row_rights_remote_read, row_rights_remote_write, row_rights_remote_atomic, row_rights_invalidate: rights of the
    // peer
    // counted[80:49], counted[48:17], counted[16]: only messages are counted there
    // kind_7_q[0], kind_7_q[3], work_request_7_q[387:356]: used before
    // failure_ready: a stream fails once: there is room for all
    // buffered_in_ready, expecting_in_ready: its place is reserved
    wire unused = &{
        1'b0, next_message_valid, row_rights_remote_read, row_rights_remote_write, row_rights_remote_atomic,
        row_rights_invalidate, counted[80:49], counted[48:17], counted[16], kind_7_q[0], kind_7_q[3],
        work_request_7_q[387:356], failure_ready, buffered_in_ready, expecting_in_ready
    };
endmodule
`default_nettype wire
