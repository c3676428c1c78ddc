// rx_check keeps the receive state of each stream and decides on every segment, in order: message numbers and offsets
// of queues 0 to 3 (RFC 5041 section 7), receive requests, IRD, the region of the STag, the responses that the
// requester waits for (RFC 5040 sections 5 and 7, RFC 7306 sections 5, 6 and 8).
//
// A valid segment produces a placement of its payload, a delivery, or both. The first error of a stream ends it with
// one Terminate; so does a failure that another block reports. Payload of a segment that is not placed is discarded.
//
// It accepts one segment per cycle, of any kind and stream, and decides 9 cycles later. The pipeline never stalls: a
// segment is accepted only if the output buffers, 32 placements and 128 deliveries, have room for its results. The
// counts of a stream advance as if every segment were valid, since the first invalid one ends the stream. After reset
// all streams are closed, one per cycle; nothing is accepted before that.
//
// Built for streams 64, ird 8, ord 8, receive_depth 16.
`default_nettype none
module rx_check (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // record
    input  wire         record_valid,
    output wire         record_ready,
    input  wire [5:0]   record_stream,         // number of the RDMAP Stream
    input  wire [5:0]   record_rule,           // 0 valid, else the number of the broken rule
    input  wire [15:0]  record_segment_length, // octets of the segment
    input  wire [15:0]  record_payload_length, // octets of its packet on the payload stream; 0: no packet
    // first 70 octets of the segment, octet i in [8i+7:8i]; zero after the end of the segment
    input  wire [559:0] record_header,

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

    // failure: failures of other blocks
    input  wire         failure_valid,
    output wire         failure_ready,
    input  wire [5:0]   failure_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    input  wire         failure_fault,

    // expecting: responses that the requester waits for
    input  wire         expecting_valid,
    output wire         expecting_ready,
    input  wire [5:0]   expecting_stream,     // number of the stream
    input  wire         expecting_executor,   // number of the executor at the peer
    input  wire [31:0]  expecting_identifier, // Request Identifier, for requests that have one
    input  wire [31:0]  expecting_stag,       // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  expecting_to,         // tagged offset of the first octet
    input  wire [31:0]  expecting_length,     // octets of the response

    // credit: requests that the responder has answered
    input  wire         credit_valid,
    output wire         credit_ready,
    input  wire [5:0]   credit_stream, // number of the stream
    input  wire [4:0]   credit_number, // of the answered request

    // region: row of the buffer or target
    output wire         region_enable, // look index up in this cycle
    output wire [23:0]  region_index,  // upper 24 bits of an STag
    input  wire [223:0] region_entry,  // packed STagEntry, from the next cycle on

    // invalidated: row of the STag named by a Send with Invalidate
    output wire         invalidated_enable, // look index up in this cycle
    output wire [23:0]  invalidated_index,  // upper 24 bits of an STag
    input  wire [223:0] invalidated_entry,  // packed STagEntry, from the next cycle on

    output wire         invalidate,       // invalidates an STag
    output wire [23:0]  invalidate_index, // upper 24 bits of the STag to invalidate

    // ring
    output wire         ring_enable,
    output wire [5:0]   ring_stream, // number of the stream
    output wire [3:0]   ring_slot,   // number of the request, modulo the ring
    input  wire [191:0] ring_entry,  // packed RingEntry
    input  wire [4:0]   ring_posted, // requests posted to the stream, modulo twice the ring

    // consumed
    output wire         consumed_valid,
    output wire [5:0]   consumed_stream, // number of the stream
    output wire [4:0]   consumed_count,  // requests used, modulo twice the ring

    // place
    output wire         place_valid,
    input  wire         place_ready,
    output wire [5:0]   place_stream,  // number of the stream
    output wire         place_discard, // 1: the payload is discarded
    output wire         place_inline,  // 1: the octets come from data instead of the payload stream
    output wire [63:0]  place_address, // of the first octet in memory
    output wire [15:0]  place_length,  // octets, at least 1
    output wire [63:0]  place_data,    // octets of an inline placement, the first one in [7:0]

    input  wire [8:0]   placed, // number of the latest finished placement
    output wire [8:0]   issued, // number of the latest issued placement

    // deliver
    output wire         deliver_valid,
    input  wire         deliver_ready,
    // one bit is 1: 0 receive complete, 1 response complete, 2 request accepted, 3 this node ends the stream, 4 the
    // peer has, 5 a Write is complete that requests wait for
    output wire [5:0]   deliver_kind,
    output wire [8:0]   deliver_place,                  // number of the stream's latest placement
    output wire [63:0]  deliver_id,                     // that of the receive request
    output wire [3:0]   deliver_opcode,                 // opcode of the message
    output wire [31:0]  deliver_length,                 // octets of the message
    // for kind 3: the profile's number of the rule that a segment broke; 0: no segment is the cause
    output wire [5:0]   deliver_rule,
    output wire         deliver_queue_waits,            // 1: the request stays until it is released
    output wire         deliver_queue_first,            // 1: no other waits that may still be released
    // 1: the item is no request; all requests of the stream that wait may go on
    output wire         deliver_queue_releases,
    output wire [5:0]   deliver_request_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end; for an executor: 2 Read, 3 Atomic; others follow
    output wire [1:0]   deliver_request_kind,
    output wire [4:0]   deliver_request_number,         // low bits of the MSN of the request; returned in its credit
    output wire [31:0]  deliver_request_stag,           // STag of the target or source
    output wire [63:0]  deliver_request_address,        // of the target or source in memory
    output wire [31:0]  deliver_request_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   deliver_request_term_layer,
    output wire [3:0]   deliver_request_term_etype,     // error type that the Terminate reports
    output wire [7:0]   deliver_request_term_code,      // error code that the Terminate reports
    output wire [5:0]   deliver_request_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    output wire [15:0]  deliver_request_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    output wire [415:0] deliver_request_body,

    // count
    output wire         count_segments,    // a segment was received
    output wire         count_discarded,   // its stream is not open
    output wire         count_errors,      // it is in error and ends its stream
    output wire         count_invalidated  // it invalidates an STag
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

    // ---- Take: an opening first, then a failure, then a segment. Whose turn it is is known a cycle before
    wire has_room;
    wire ready           = swept_q & has_room;
    reg  opening_turn_q;
    reg  failure_turn_q;
    reg  segment_turn_q;
    reg  opening_has_entered_q;
    wire opening_is_next = opening_valid & ~opening_has_entered_q & ~opening_turn_q;
    wire failure_is_next = failure_valid & ~failure_turn_q & ~opening_is_next;

    always @(posedge clk) begin
        opening_turn_q <= ready & opening_is_next;
        failure_turn_q <= ready & failure_is_next;
        segment_turn_q <= ready & ~(opening_is_next | failure_is_next);
        if (rst) begin
            opening_turn_q <= 1'b0;
            failure_turn_q <= 1'b0;
            segment_turn_q <= 1'b0;
        end
    end

    assign failure_ready = failure_turn_q;
    assign record_ready  = segment_turn_q;
    wire         take   = opening_turn_q | failure_turn_q | (segment_turn_q & record_valid);
    reg          valid_1_q;
    reg          valid_2_q;
    reg          valid_3_q;
    reg          valid_4_q;
    reg          valid_5_q;
    reg          valid_6_q;
    reg          valid_7_q;
    reg          valid_8_q;
    reg          valid_9_q;
    reg          valid_10_q;
    wire [5:0]   stream =
        opening_turn_q ? opening_stream :
        failure_turn_q ? failure_stream :
                         record_stream;
    reg  [559:0] header_1_q;
    reg  [15:0]  segment_length_1_q;
    reg  [15:0]  payload_length_1_q;
    wire [591:0] record = {segment_length_1_q, payload_length_1_q, header_1_q};
    reg  [3:0]   record_in_q;
    reg  [3:0]   record_out_q;
    reg  [591:0] record_way [0:15];
    reg  [591:0] record_10_q;

    always @(posedge clk) begin
        if (valid_1_q) begin
            record_way[record_in_q] <= record;
        end
        if (valid_9_q) begin
            record_10_q <= record_way[record_out_q];
        end
    end

    wire [559:0] octets;
    generate
        for (i = 0; i < 70; i = i + 1) begin : each_octets
            assign octets[8 * i +: 8] = header_1_q[8 * (69 - i) +: 8];
        end
    endgenerate
    localparam [3:0] RDMA_WRITE      = 4'd0;
    localparam [3:0] READ_REQUEST    = 4'd1;
    localparam [3:0] READ_RESPONSE   = 4'd2;
    localparam [3:0] SEND            = 4'd3;
    localparam [3:0] SEND_INV        = 4'd4;
    localparam [3:0] SEND_SE         = 4'd5;
    localparam [3:0] SEND_SE_INV     = 4'd6;
    localparam [3:0] TERMINATE       = 4'd7;
    localparam [3:0] IMMEDIATE       = 4'd8;
    localparam [3:0] IMMEDIATE_SE    = 4'd9;
    localparam [3:0] ATOMIC_REQUEST  = 4'd10;
    localparam [3:0] ATOMIC_RESPONSE = 4'd11;
    wire [3:0]  opcode                   = octets[547:544];
    reg         is_segment_1_q;
    wire        is_write                 = is_segment_1_q & (opcode == RDMA_WRITE);
    wire        is_read_response         = is_segment_1_q & (opcode == READ_RESPONSE);
    wire        is_send                  =
          is_segment_1_q
        & ((opcode == SEND) | (opcode == SEND_INV) | (opcode == SEND_SE) | (opcode == SEND_SE_INV));
    wire        is_invalidating          = is_segment_1_q & ((opcode == SEND_INV) | (opcode == SEND_SE_INV));
    wire        is_immediate             =
        is_segment_1_q & ((opcode == IMMEDIATE) | (opcode == IMMEDIATE_SE));
    wire        is_terminate             = is_segment_1_q & (opcode == TERMINATE);
    wire        is_read_request          = is_segment_1_q & (opcode == READ_REQUEST);
    wire        is_atomic_request        = is_segment_1_q & (opcode == ATOMIC_REQUEST);
    wire        is_atomic_response       = is_segment_1_q & (opcode == ATOMIC_RESPONSE);
    wire        is_request               = is_read_request | is_atomic_request;
    wire        is_reply                 = is_atomic_response;
    wire        is_tagged                = octets[559];
    wire        is_last                  = octets[558];
    wire [31:0] octets_invalidate_stag   = octets[543:512];
    wire [31:0] octets_stag              = octets[543:512];
    wire [63:0] octets_to                = octets[511:448];
    wire [31:0] octets_data_source_stag  = octets[287:256];
    wire [63:0] octets_data_source_to    = octets[255:192];
    wire [31:0] octets_read_message_size = octets[319:288];
    wire [31:0] octets_remote_stag       = octets[351:320];
    wire [63:0] octets_remote_to         = octets[319:256];
    wire [31:0] named_stag               =
        is_tagged       ? octets_stag :
        is_read_request ? octets_data_source_stag :
                          octets_remote_stag;
    wire [63:0] named_to                 =
        is_tagged       ? octets_to :
        is_read_request ? octets_data_source_to :
                          octets_remote_to;
    wire [31:0] region_length            =
        (is_tagged | is_send) ? {16'd0, payload_length_1_q} :
        is_reply              ? 32'd8 :
        is_read_request       ? octets_read_message_size :
                                32'd8;
    // An opening is accepted when it resets the counts.
    reg  begins_q;
    assign opening_ready = begins_q;
    reg  is_opening_1_q;
    wire opening_is_taken = valid_1_q & is_opening_1_q;

    always @(posedge clk) begin
        begins_q <= opening_is_taken;
        if (begins_q) begin
            opening_has_entered_q <= 1'b0;
        end else if (opening_turn_q) begin
            opening_has_entered_q <= 1'b1;
        end
        if (rst) begin
            begins_q              <= 1'b0;
            opening_has_entered_q <= 1'b0;
        end
    end

    // ---- State of the streams
    // The sweep writes zeros; they have no meaning before the stream is opened.
    reg  [224:0] stream_state [0:63];
    wire [224:0] stream_state_next;
    reg          stream_state_ahead_1_q;
    reg  [5:0]   stream_1_q;

    always @(posedge clk) begin
        stream_state_ahead_1_q <= valid_1_q & (stream_1_q == stream);
    end

    reg       stream_state_ahead_2_q;
    reg [5:0] stream_2_q;

    always @(posedge clk) begin
        stream_state_ahead_2_q <= valid_2_q & (stream_2_q == stream);
    end

    reg       stream_state_ahead_3_q;
    reg [5:0] stream_3_q;

    always @(posedge clk) begin
        stream_state_ahead_3_q <= valid_3_q & (stream_3_q == stream);
    end

    reg  [224:0] stream_state_decided_q;
    reg  [224:0] stream_state_kept_q;
    wire         write_stream_state = ~swept_q | valid_3_q;
    wire [5:0]   stream_state_row   = ~swept_q ? sweep_q : stream_3_q;
    wire [224:0] stream_state_word  = ~swept_q ? 225'd0 : stream_state_decided_q;
    reg  [224:0] stream_state_stored_q;

    always @(posedge clk) begin
        if (write_stream_state) begin
            stream_state[stream_state_row] <= stream_state_word;
        end
        if (take) begin
            stream_state_stored_q <= stream_state[stream];
        end
    end

    reg [224:0] stream_state_q;

    always @(posedge clk) begin
        stream_state_decided_q <= stream_state_next;
        stream_state_kept_q    <= stream_state_decided_q;
        stream_state_q         <=
            stream_state_ahead_1_q ? stream_state_next :
            stream_state_ahead_2_q ? stream_state_decided_q :
            stream_state_ahead_3_q ? stream_state_kept_q :
                                     stream_state_stored_q;
    end

    wire [15:0] now_domain         = stream_state_q[224:209];
    wire [31:0] now_receive_msn    = stream_state_q[208:177];
    wire        now_within         = stream_state_q[176];
    wire [3:0]  now_opcode         = stream_state_q[175:172];
    wire [31:0] now_offset         = stream_state_q[171:140];
    wire [4:0]  now_consumed       = stream_state_q[139:135];
    wire [31:0] now_request_msn    = stream_state_q[134:103];
    wire [31:0] now_response_msn   = stream_state_q[102:71];
    wire [31:0] now_reply_msn      = stream_state_q[70:39];
    wire [3:0]  now_awaited        = stream_state_q[38:35];
    wire [31:0] now_received       = stream_state_q[34:3];
    wire        now_writing        = stream_state_q[2];
    wire        now_reading        = stream_state_q[1];
    wire        now_waiting        = stream_state_q[0];
    reg  [15:0] payload_length_2_q;
    reg         is_last_2_q;
    reg         is_immediate_2_q;
    reg         is_send_2_q;
    wire        completes_receive  = is_immediate_2_q | (is_send_2_q & is_last_2_q);
    reg         is_reply_2_q;
    reg         is_read_response_2_q;
    wire        completes_response = is_reply_2_q | (is_read_response_2_q & is_last_2_q);
    wire [32:0] message_end        = {1'b0, now_offset} + {17'd0, payload_length_2_q};
    wire [4:0]  receives_used      = now_consumed + {4'd0, completes_receive};
    // A request waits while a message of its stream is incomplete (RFC 7306 section 5.4). The segment that completes
    // the last one releases all.
    wire        still_within  = is_send_2_q ? ~is_last_2_q : now_within;
    reg         is_write_2_q;
    wire        still_writing = is_write_2_q ? ~is_last_2_q : now_writing;
    wire        still_reading = is_read_response_2_q ? ~is_last_2_q : now_reading;
    reg         is_request_2_q;
    wire        waits         = is_request_2_q & (now_within | now_writing | now_reading);
    wire        waits_first   = waits & ~now_waiting;
    wire        releases      = now_waiting & ~(still_within | still_writing | still_reading);
    reg         is_atomic_request_2_q;
    wire [31:0] received      = now_received + {16'd0, payload_length_2_q};
    reg  [3:0]  opcode_2_q;
    reg         is_opening_2_q;
    reg  [15:0] opens_domain_1_q;
    reg  [15:0] opens_domain_2_q;
    assign stream_state_next =
        is_opening_2_q ? {
                             opens_domain_2_q, 32'd1, 1'b0, 4'd0, 32'd0, 5'd0, 32'd1, 32'd1, 32'd1, 4'd0,
                             32'd0, 1'b0, 1'b0, 1'b0
                         } :
                         {
                             now_domain, now_receive_msn + {31'd0, completes_receive}, still_within,
                             is_send_2_q ? opcode_2_q : now_opcode,
                             is_send_2_q ? (message_end[31:0] & {32{~is_last_2_q}}) : now_offset,
                             receives_used, now_request_msn + {31'd0, is_request_2_q},
                             now_response_msn + {31'd0, is_atomic_request_2_q},
                             now_reply_msn + {31'd0, is_reply_2_q}, now_awaited + {3'd0, completes_response},
                             is_read_response_2_q ? (received & {32{~is_last_2_q}}) : now_received,
                             still_writing, still_reading, (now_waiting | waits) & ~releases
                         };
    // A change in the cycle of a lookup is visible from the next cycle on.
    // ---- MSN of the latest request from the peer (queue 1) that has been answered, its low bits
    reg  [4:0] answered_msn [0:63];
    assign credit_ready = swept_q & ~begins_q;
    wire       write_answered_msn = ~swept_q | begins_q | credit_valid;
    wire [5:0] answered_msn_row   =
        ~swept_q ? sweep_q :
        begins_q ? stream_2_q :
                   credit_stream;
    wire [4:0] answered_msn_word  =
        ~swept_q ? 5'd0 :
        begins_q ? 5'd0 :
                   credit_number;
    reg  [4:0] answered_msn_q;

    always @(posedge clk) begin
        if (write_answered_msn) begin
            answered_msn[answered_msn_row] <= answered_msn_word;
        end
        if (valid_2_q) begin
            answered_msn_q <= answered_msn[stream_2_q];
        end
    end

    // ---- Awaited responses, and the next receive request
    wire        accepts_expecting = swept_q & ~opening_is_taken;
    assign expecting_ready = accepts_expecting;
    reg         adds_awaited_q;
    reg  [5:0]  awaited_stream_q;
    reg         added_executor_q;
    reg  [31:0] added_identifier_q;
    reg  [31:0] added_stag_q;
    reg  [63:0] added_to_q;
    reg  [31:0] added_length_q;
    wire [5:0]  awaiting_stream   = opening_is_taken ? stream_1_q : expecting_stream;
    wire        expecting_enters  = accepts_expecting & expecting_valid;

    always @(posedge clk) begin
        adds_awaited_q     <= expecting_enters;
        awaited_stream_q   <= awaiting_stream;
        added_executor_q   <= expecting_executor;
        added_identifier_q <= expecting_identifier;
        added_stag_q       <= expecting_stag;
        added_to_q         <= expecting_to;
        added_length_q     <= expecting_length;
        if (rst) begin
            adds_awaited_q <= 1'b0;
        end
    end

    reg  [3:0] asked [0:63];
    reg  [3:0] asked_update_q;
    reg  [3:0] asked_written_q;
    reg        asked_update_valid_q;
    reg  [5:0] asked_update_stream_q;
    wire       write_asked = ~swept_q | asked_update_valid_q;
    wire [5:0] asked_row   = ~swept_q ? sweep_q : asked_update_stream_q;
    wire [3:0] asked_word  = ~swept_q ? 4'd0 : asked_update_q;

    always @(posedge clk) begin
        asked_update_valid_q  <= adds_awaited_q | begins_q;
        asked_update_stream_q <= awaited_stream_q;
        asked_written_q       <= asked_word;
        if (rst) begin
            asked_update_valid_q <= 1'b0;
        end
    end

    reg asked_is_decided_q;
    reg asked_is_written_q;

    always @(posedge clk) begin
        asked_is_decided_q <= (adds_awaited_q | begins_q) & (awaited_stream_q == awaiting_stream);
        asked_is_written_q <= write_asked & (asked_row == awaiting_stream);
    end

    reg  [3:0] asked_stored_q;
    wire [3:0] asked_now  =
        asked_is_decided_q ? asked_update_q :
        asked_is_written_q ? asked_written_q :
                             asked_stored_q;
    wire [3:0] asked_next = begins_q ? 4'd0 : (asked_now + 4'd1);

    always @(posedge clk) begin
        asked_update_q <= asked_next;
    end

    reg [160:0] awaited [0:511];
    // Neither read sees what this cycle decides.
    reg  [3:0] asked_now_old_q;
    reg  [3:0] asked_now_new_q;
    reg        asked_now_is_new_q;
    wire [3:0] asked_now_q = asked_now_is_new_q ? asked_now_new_q : asked_now_old_q;

    always @(posedge clk) begin
        if (write_asked) begin
            asked[asked_row] <= asked_word;
        end
        if (expecting_enters | opening_is_taken) begin
            asked_stored_q <= asked[awaiting_stream];
        end
        if (valid_2_q) begin
            asked_now_old_q <= asked[stream_2_q];
        end
    end

    always @(posedge clk) begin
        if (valid_2_q) begin
            asked_now_is_new_q <= write_asked & (asked_row == stream_2_q);
            asked_now_new_q    <= asked_word;
        end
    end

    reg [160:0] awaited_q;

    wire [8:0] awaited_write_addr = {awaited_stream_q, asked_now[2:0]};
    wire [8:0] awaited_addr       = {stream_2_q, now_awaited[2:0]};
    always @(posedge clk) begin
        if (adds_awaited_q) begin
            awaited[awaited_write_addr] <= {
                added_executor_q, added_identifier_q, added_stag_q, added_to_q, added_length_q
            };
        end
        if (valid_2_q) begin
            awaited_q <= awaited[awaited_addr];
        end
    end

    reg  [160:0] awaited_4_q;
    wire         oldest_executor   = awaited_4_q[160];
    wire [31:0]  oldest_identifier = awaited_4_q[159:128];
    wire [31:0]  oldest_stag       = awaited_4_q[127:96];
    wire [63:0]  oldest_to         = awaited_4_q[95:32];
    wire [31:0]  oldest_length     = awaited_4_q[31:0];
    reg  [3:0]   responses_done_3_q;
    wire         awaits_nothing    = asked_now_q == responses_done_3_q;
    assign ring_enable = valid_2_q;
    assign ring_stream = stream_2_q;
    assign ring_slot   = now_consumed[3:0];
    reg  [191:0] ring_entry_4_q;
    wire [63:0]  request_id        = ring_entry_4_q[191:128];
    wire [31:0]  request_stag      = ring_entry_4_q[127:96];
    wire [63:0]  request_to        = ring_entry_4_q[95:32];
    wire [31:0]  request_length    = ring_entry_4_q[31:0];
    reg  [4:0]   consumed_3_q;
    wire         ring_is_empty     = ring_posted == consumed_3_q;

    // ---- Region: that of the STag in the header, or of the buffer found
    reg  [31:0] named_stag_2_q;
    reg  [31:0] named_stag_3_q;
    reg  [31:0] named_stag_4_q;
    reg         is_send_3_q;
    reg         is_send_4_q;
    reg         is_reply_3_q;
    reg         is_reply_4_q;
    wire [31:0] region_stag =
        is_send_4_q  ? request_stag :
        is_reply_4_q ? oldest_stag :
                       named_stag_4_q;
    wire [7:0]  region_key  = region_stag[7:0];
    assign region_enable      = valid_4_q;
    assign region_index       = region_stag[31:8];
    assign invalidated_enable = valid_4_q;
    reg  [31:0] invalidate_stag_2_q;
    reg  [31:0] invalidate_stag_3_q;
    reg  [31:0] invalidate_stag_4_q;
    assign invalidated_index  = invalidate_stag_4_q[31:8];
    // Next octet of the buffer, for a Send or the response to a Read.
    reg  [31:0] offset_3_q;
    reg  [31:0] received_before_3_q;
    wire [31:0] octets_before  = is_send_3_q ? offset_3_q : received_before_3_q;
    reg  [31:0] octets_before_4_q;
    wire [63:0] next_to        = (is_send_4_q ? request_to : oldest_to) + {32'd0, octets_before_4_q};
    reg         is_send_5_q;
    reg         is_reply_5_q;
    reg  [63:0] next_to_5_q;
    reg  [63:0] named_to_2_q;
    reg  [63:0] named_to_3_q;
    reg  [63:0] named_to_4_q;
    reg  [63:0] named_to_5_q;
    wire [63:0] region_to      = (is_send_5_q | is_reply_5_q) ? next_to_5_q : named_to_5_q;
    reg  [31:0] region_length_2_q;
    reg  [31:0] region_length_3_q;
    reg  [31:0] region_length_4_q;
    reg  [31:0] region_length_5_q;
    wire [64:0] region_end     = {1'b0, region_to} + {33'd0, region_length_5_q};
    wire        reaches_memory = |region_length_2_q;
    // Distance of the first octet from the start of the region, and its maximum; either is negative if out of bounds.
    reg  [223:0] region_entry_6_q;
    wire         row_valid                = region_entry_6_q[223];
    wire [7:0]   row_key                  = region_entry_6_q[222:215];
    wire         row_rights_local_read    = region_entry_6_q[214];
    wire         row_rights_local_write   = region_entry_6_q[213];
    wire         row_rights_remote_read   = region_entry_6_q[212];
    wire         row_rights_remote_write  = region_entry_6_q[211];
    wire         row_rights_remote_atomic = region_entry_6_q[210];
    wire         row_rights_invalidate    = region_entry_6_q[209];
    wire         row_by_domain            = region_entry_6_q[208];
    wire [15:0]  row_owner                = region_entry_6_q[207:192];
    wire [63:0]  row_base                 = region_entry_6_q[191:128];
    wire [63:0]  row_length               = region_entry_6_q[127:64];
    wire [63:0]  row_address              = region_entry_6_q[63:0];
    reg  [63:0] region_to_6_q;
    wire [64:0] distance               = {1'b0, region_to_6_q} - {1'b0, row_base};
    reg  [31:0] region_length_6_q;
    wire [64:0] most_distance          = {1'b0, row_length} - {33'd0, region_length_6_q};
    reg         reaches_memory_3_q;
    reg         reaches_memory_4_q;
    reg         reaches_memory_5_q;
    reg         reaches_memory_6_q;
    reg  [7:0]  region_key_5_q;
    reg  [7:0]  region_key_6_q;
    reg  [5:0]  stream_4_q;
    reg  [5:0]  stream_5_q;
    reg  [5:0]  stream_6_q;
    reg  [15:0] domain_3_q;
    reg  [15:0] domain_4_q;
    reg  [15:0] domain_5_q;
    reg  [15:0] domain_6_q;
    reg         is_write_3_q;
    reg         is_write_4_q;
    reg         is_write_5_q;
    reg         is_write_6_q;
    reg         is_read_request_2_q;
    reg         is_read_request_3_q;
    reg         is_read_request_4_q;
    reg         is_read_request_5_q;
    reg         is_read_request_6_q;
    reg         is_atomic_request_3_q;
    reg         is_atomic_request_4_q;
    reg         is_atomic_request_5_q;
    reg         is_atomic_request_6_q;
    wire        has_right              =
        is_write_6_q          ? row_rights_remote_write :
        is_read_request_6_q   ? row_rights_remote_read :
        is_atomic_request_6_q ? row_rights_remote_atomic :
                                row_rights_local_write;
    wire        region_bad_stag        = reaches_memory_6_q & (~row_valid | (row_key != region_key_6_q));
    wire        region_bad_association =
        reaches_memory_6_q & (row_owner != (row_by_domain ? domain_6_q : {10'd0, stream_6_q}));
    wire        region_bad_access      = reaches_memory_6_q & ~has_right;
    reg  [64:0] region_end_6_q;
    wire        region_to_wraps        = reaches_memory_6_q & region_end_6_q[64] & (|region_end_6_q[63:0]);
    reg  [64:0] distance_7_q;
    reg  [64:0] most_distance_7_q;
    reg         reaches_memory_7_q;
    wire        region_out_of_bounds   =
          reaches_memory_7_q
        & (distance_7_q[64] | most_distance_7_q[64] | (most_distance_7_q[63:0] < distance_7_q[63:0]));
    reg  [63:0] row_address_7_q;
    wire [63:0] region_address         = row_address_7_q + distance_7_q[63:0];
    reg         region_bad_stag_7_q;
    reg         region_bad_association_7_q;
    reg         region_bad_access_7_q;
    reg         region_to_wraps_7_q;
    wire        region_fails           =
          region_bad_stag_7_q
        | region_bad_association_7_q
        | region_bad_access_7_q
        | region_to_wraps_7_q
        | region_out_of_bounds;

    // ---- Rules of messages, checked against the counts of the stream
    wire [31:0] msn            = octets[479:448];
    wire [31:0] mo             = octets[447:416];
    wire        receives       = is_send | is_immediate;
    reg         receives_2_q;
    reg         is_terminate_2_q;
    wire [31:0] expected_msn   =
        receives_2_q     ? now_receive_msn :
        is_request_2_q   ? now_request_msn :
        is_terminate_2_q ? 32'd1 :
                           now_reply_msn;
    wire        has_msn        = receives | is_request | is_terminate | is_reply;
    reg  [31:0] msn_2_q;
    wire        wrong_msn      = msn_2_q != expected_msn;
    reg         has_msn_2_q;
    wire        inside_tagged  = now_writing | now_reading;
    reg  [31:0] mo_2_q;
    wire        wrong_mo       = mo_2_q != now_offset;
    wire        other_opcode   = opcode_2_q != now_opcode;
    wire        not_within     = ~now_within;
    wire        inside_message = inside_tagged | now_within;
    wire        begins_inside  = ~now_reading & (now_within | now_writing);

    // ---- Rules of outstanding operations, checked against receive requests and awaited responses
    reg         receives_3_q;
    reg  [32:0] message_end_3_q;
    reg  [32:0] message_end_4_q;
    wire        is_beyond_buffer = {1'b0, request_length} < message_end_4_q;
    // At most IRD requests are not answered, so a few bits of an MSN suffice.
    reg  [4:0]  request_msn_3_q;
    wire [4:0]  unanswered               = request_msn_3_q - answered_msn_q;
    reg  [4:0]  unanswered_4_q;
    wire        exceeds_ird              = 5'd8 < unanswered_4_q;
    reg         is_request_3_q;
    reg         is_request_4_q;
    wire        awaits_tagged            = oldest_executor == 1'b0;
    wire [31:0] octets_original_request_identifier = octets[415:384];
    wire [31:0] identifier               = octets_original_request_identifier;
    wire        awaits_another           = oldest_executor != 1'b1;
    reg  [31:0] identifier_2_q;
    reg  [31:0] identifier_3_q;
    reg  [31:0] identifier_4_q;
    wire        wrong_identifier         = oldest_identifier != identifier_4_q;
    reg         awaits_nothing_4_q;
    wire        awaits_no_read           = awaits_nothing_4_q | ~awaits_tagged;
    reg         is_read_response_3_q;
    reg         is_read_response_4_q;
    reg  [31:0] received_before_4_q;
    wire [31:0] missing                  = oldest_length - received_before_4_q;
    reg  [15:0] payload_length_3_q;
    reg  [15:0] payload_length_4_q;
    reg  [15:0] payload_length_5_q;
    wire        has_payload              = |payload_length_1_q;
    reg  [31:0] missing_5_q;
    wire        is_beyond_read           = missing_5_q < {16'd0, payload_length_5_q};
    reg         is_read_response_5_q;
    reg         is_last_3_q;
    reg         is_last_4_q;
    reg         is_last_5_q;
    wire        wrong_last               = is_last_5_q != ({16'd0, payload_length_5_q} == missing_5_q);
    reg  [31:0] named_stag_5_q;
    reg  [31:0] sink_stag_5_q;
    wire        wrong_sink_stag          = named_stag_5_q != sink_stag_5_q;
    reg         has_payload_2_q;
    reg         has_payload_3_q;
    reg         has_payload_4_q;
    reg         has_payload_5_q;
    wire        wrong_sink_to            = named_to_5_q != next_to_5_q;

    // ---- Rules of memory access
    reg          is_send_6_q;
    reg          is_send_7_q;
    reg          is_reply_6_q;
    reg          is_reply_7_q;
    reg  [223:0] invalidated_entry_6_q;
    wire         invalidated_row_valid    = invalidated_entry_6_q[223];
    wire [7:0]   invalidated_row_key      = invalidated_entry_6_q[222:215];
    wire         invalidated_row_rights_local_read = invalidated_entry_6_q[214];
    wire         invalidated_row_rights_local_write = invalidated_entry_6_q[213];
    wire         invalidated_row_rights_remote_read = invalidated_entry_6_q[212];
    wire         invalidated_row_rights_remote_write = invalidated_entry_6_q[211];
    wire         invalidated_row_rights_remote_atomic = invalidated_entry_6_q[210];
    wire         invalidated_row_rights_invalidate = invalidated_entry_6_q[209];
    wire         invalidated_row_by_domain = invalidated_entry_6_q[208];
    wire [15:0]  invalidated_row_owner    = invalidated_entry_6_q[207:192];
    wire [63:0]  invalidated_row_base     = invalidated_entry_6_q[191:128];
    wire [63:0]  invalidated_row_length   = invalidated_entry_6_q[127:64];
    wire [63:0]  invalidated_row_address  = invalidated_entry_6_q[63:0];
    reg  [31:0] invalidate_stag_5_q;
    reg  [31:0] invalidate_stag_6_q;
    wire        cannot_be_invalidated =
          ~invalidated_row_valid
        | (invalidated_row_key != invalidate_stag_6_q[7:0])
        | (invalidated_row_owner != (invalidated_row_by_domain ? domain_6_q : {10'd0, stream_6_q}))
        | ~invalidated_row_rights_invalidate;
    reg         is_invalidating_2_q;
    reg         is_invalidating_3_q;
    reg         is_invalidating_4_q;
    reg         is_invalidating_5_q;
    reg         is_invalidating_6_q;
    reg         is_last_6_q;
    wire        is_tagged_access      = is_write | is_read_response;
    reg         is_tagged_access_2_q;
    reg         is_tagged_access_3_q;
    reg         is_tagged_access_4_q;
    reg         is_tagged_access_5_q;
    reg         is_tagged_access_6_q;
    reg         is_request_5_q;
    reg         is_request_6_q;
    reg         is_tagged_access_7_q;
    reg         is_request_7_q;
    localparam [3:0] FETCH_ADD = 4'd0;
    localparam [3:0] CMP_SWAP  = 4'd2;
    wire [3:0] octets_aopcode    = octets[387:384];
    wire       is_unknown_atomic = ~((octets_aopcode == FETCH_ADD) | (octets_aopcode == CMP_SWAP));
    wire       is_unaligned      = |region_address[2:0];
    reg        is_atomic_request_7_q;
    // RFC 5041 4: the segment ends inside its DDP header, or is empty (I-33)
    localparam [5:0] RULE_SHORT_HEADER          = 6'd1;
    localparam [5:0] RULE_TAGGED_DDP_VERSION    = 6'd2; // RFC 5041 7.1: T = 1 and DV is not 01b
    localparam [5:0] RULE_UNTAGGED_DDP_VERSION  = 6'd3; // RFC 5041 7.1: T = 0 and DV is not 01b
    localparam [5:0] RULE_NO_SUCH_QUEUE         = 6'd4; // RFC 5041 7.1: T = 0 and QN is above 3
    localparam [5:0] RULE_BAD_RDMAP_VERSION     = 6'd5; // RFC 5040 7.2: RV is not 01b
    localparam [5:0] RULE_RESERVED_OPCODE       = 6'd6; // RFC 5040 7.2: the opcode is 0xC to 0xF
    localparam [5:0] RULE_WRONG_T_BIT           = 6'd7; // RFC 5040 4.1: T does not match the opcode (I-34)
    localparam [5:0] RULE_WRONG_QUEUE           = 6'd8; // RFC 5040 4.1: QN is not the opcode's queue (I-34)
    // RFC 5041 7.1: MO is not 0 in a Read Request, Terminate, Atomic Request or Atomic Response (I-35)
    localparam [5:0] RULE_MO_NOT_ZERO           = 6'd9;
    // RFC 7306 6.3: the message is not a single segment with the length of its header (I-07, I-35)
    localparam [5:0] RULE_WRONG_LENGTH          = 6'd10;
    localparam [5:0] RULE_MSN_OUT_OF_RANGE      = 6'd11; // RFC 5041 7.1: MSN is not the next of the queue (I-37)
    localparam [5:0] RULE_NO_RECEIVE_BUFFER     = 6'd12; // RFC 5041 7.1: no receive request is posted
    // RFC 7306 5.2.2: the stream already has IRD unanswered requests (I-37, I-82)
    localparam [5:0] RULE_IRD_EXCEEDED          = 6'd13;
    // RFC 7306 5.2.2: an Atomic Response arrives while no request is outstanding (I-08, I-37)
    localparam [5:0] RULE_NO_ATOMIC_OUTSTANDING = 6'd14;
    // RFC 5041 7.1: MO is not the number of octets already received of the message (I-84)
    localparam [5:0] RULE_WRONG_MO              = 6'd15;
    // RFC 5040 4.1: the opcode is not that of the message's first segment (I-43)
    localparam [5:0] RULE_OPCODE_CHANGES        = 6'd16;
    // RFC 5040 5.2: the oldest outstanding request requires another response, or a Read Response arrives while none is
    // outstanding (I-45, I-80)
    localparam [5:0] RULE_UNEXPECTED_RESPONSE   = 6'd17;
    // RFC 5041 5.4: a Send, Immediate Data or a response begins inside another message (I-78)
    localparam [5:0] RULE_INTERLEAVED           = 6'd18;
    localparam [5:0] RULE_MESSAGE_TOO_LONG      = 6'd19; // RFC 5041 7.1: the message does not fit the receive buffer
    // RFC 5040 5.2: a Read Response has more octets than requested (I-45)
    localparam [5:0] RULE_READ_TOO_LONG         = 6'd20;
    // RFC 5040 5.2: L of a Read Response is set although octets are missing, or clear although none is (I-45)
    localparam [5:0] RULE_WRONG_READ_LAST       = 6'd21;
    // RFC 5040 5.2: the STag of a Read Response is not the Data Sink STag (I-45)
    localparam [5:0] RULE_WRONG_SINK_STAG       = 6'd22;
    // RFC 5040 5.2: the TO of a Read Response is not that of the next missing octet (I-45)
    localparam [5:0] RULE_WRONG_SINK_TO         = 6'd23;
    // RFC 7306 5.2.2: the Original Request Identifier is not that of the oldest Atomic Request (I-08)
    localparam [5:0] RULE_WRONG_IDENTIFIER      = 6'd24;
    localparam [5:0] RULE_AOPCODE_NOT_SUPPORTED = 6'd25; // RFC 7306 5.2.1: the AOpCode is not supported (I-03, I-04)
    // RFC 5040 7.2: no valid region has the STag named by a request
    localparam [5:0] RULE_REQUEST_STAG          = 6'd26;
    // RFC 5040 7.2: the STag named by a request belongs neither to the stream nor to its domain
    localparam [5:0] RULE_REQUEST_ASSOCIATION   = 6'd27;
    localparam [5:0] RULE_REQUEST_ACCESS        = 6'd28; // RFC 5040 7.2: the STag does not permit the requested access
    localparam [5:0] RULE_REQUEST_TO_WRAP       = 6'd29; // RFC 5040 7.2: TO + length of a request is above 2^64 (I-41)
    // RFC 5040 7.2: the octets named by a request are not entirely inside the region
    localparam [5:0] RULE_REQUEST_BOUNDS        = 6'd30;
    // RFC 7306 8.2: the resolved address of an Atomic is not a multiple of 8 (I-05)
    localparam [5:0] RULE_MISALIGNED            = 6'd31;
    // RFC 5041 7.1: no valid region has the STag of a tagged segment
    localparam [5:0] RULE_TAGGED_STAG           = 6'd32;
    // RFC 5041 7.1: the STag of a tagged segment belongs neither to the stream nor to its domain
    localparam [5:0] RULE_TAGGED_ASSOCIATION    = 6'd33;
    // RFC 5040 7.2: the STag of a tagged segment does not permit the access (I-41)
    localparam [5:0] RULE_TAGGED_ACCESS         = 6'd34;
    // RFC 5041 7.1: TO + length of a tagged segment is above 2^64 (I-41)
    localparam [5:0] RULE_TAGGED_TO_WRAP        = 6'd35;
    // RFC 5041 7.1: the octets of a tagged segment are not entirely inside the region
    localparam [5:0] RULE_TAGGED_BOUNDS         = 6'd36;
    localparam [5:0] RULE_LOCAL                 = 6'd37; // RFC 7306 8.1: local memory or a local STag fails (I-47)
    // RFC 5040 7.2: the Invalidate STag cannot be invalidated (I-44)
    localparam [5:0] RULE_CANNOT_INVALIDATE     = 6'd38;

    // ---- First broken rule; one found by the parser has priority
    wire       breaks_msn_out_of_range  = has_msn_2_q & wrong_msn;
    reg        breaks_msn_out_of_range_3_q;
    reg        breaks_msn_out_of_range_4_q;
    reg        breaks_msn_out_of_range_5_q;
    reg        breaks_msn_out_of_range_6_q;
    reg        breaks_msn_out_of_range_7_q;
    reg        breaks_msn_out_of_range_8_q;
    wire       breaks_no_receive_buffer = receives_3_q & ring_is_empty;
    reg        breaks_no_receive_buffer_4_q;
    reg        breaks_no_receive_buffer_5_q;
    reg        breaks_no_receive_buffer_6_q;
    reg        breaks_no_receive_buffer_7_q;
    reg        breaks_no_receive_buffer_8_q;
    wire       breaks_ird_exceeded      = is_request_4_q & exceeds_ird;
    reg        breaks_ird_exceeded_5_q;
    reg        breaks_ird_exceeded_6_q;
    reg        breaks_ird_exceeded_7_q;
    reg        breaks_ird_exceeded_8_q;
    wire       breaks_no_atomic_outstanding = is_reply_3_q & awaits_nothing;
    reg        breaks_no_atomic_outstanding_4_q;
    reg        breaks_no_atomic_outstanding_5_q;
    reg        breaks_no_atomic_outstanding_6_q;
    reg        breaks_no_atomic_outstanding_7_q;
    reg        breaks_no_atomic_outstanding_8_q;
    wire       breaks_wrong_mo          = receives_2_q & wrong_mo;
    reg        breaks_wrong_mo_3_q;
    reg        breaks_wrong_mo_4_q;
    reg        breaks_wrong_mo_5_q;
    reg        breaks_wrong_mo_6_q;
    reg        breaks_wrong_mo_7_q;
    reg        breaks_wrong_mo_8_q;
    wire       breaks_opcode_changes    = receives_2_q & now_within & other_opcode;
    reg        breaks_opcode_changes_3_q;
    reg        breaks_opcode_changes_4_q;
    reg        breaks_opcode_changes_5_q;
    reg        breaks_opcode_changes_6_q;
    reg        breaks_opcode_changes_7_q;
    reg        breaks_opcode_changes_8_q;
    wire       breaks_unexpected_response =
        (is_reply_4_q & awaits_another) | (is_read_response_4_q & awaits_no_read);
    reg        breaks_unexpected_response_5_q;
    reg        breaks_unexpected_response_6_q;
    reg        breaks_unexpected_response_7_q;
    reg        breaks_unexpected_response_8_q;
    wire       breaks_interleaved       =
          (receives_2_q & not_within & inside_tagged)
        | (is_reply_2_q & inside_message)
        | (is_read_response_2_q & begins_inside);
    reg        breaks_interleaved_3_q;
    reg        breaks_interleaved_4_q;
    reg        breaks_interleaved_5_q;
    reg        breaks_interleaved_6_q;
    reg        breaks_interleaved_7_q;
    reg        breaks_interleaved_8_q;
    wire       breaks_message_too_long  = is_send_4_q & is_beyond_buffer;
    reg        breaks_message_too_long_5_q;
    reg        breaks_message_too_long_6_q;
    reg        breaks_message_too_long_7_q;
    reg        breaks_message_too_long_8_q;
    wire       breaks_read_too_long     = is_read_response_5_q & is_beyond_read;
    reg        breaks_read_too_long_6_q;
    reg        breaks_read_too_long_7_q;
    reg        breaks_read_too_long_8_q;
    wire       breaks_wrong_read_last   = is_read_response_5_q & wrong_last;
    reg        breaks_wrong_read_last_6_q;
    reg        breaks_wrong_read_last_7_q;
    reg        breaks_wrong_read_last_8_q;
    wire       breaks_wrong_sink_stag   = is_read_response_5_q & has_payload_5_q & wrong_sink_stag;
    reg        breaks_wrong_sink_stag_6_q;
    reg        breaks_wrong_sink_stag_7_q;
    reg        breaks_wrong_sink_stag_8_q;
    wire       breaks_wrong_sink_to     = is_read_response_5_q & has_payload_5_q & wrong_sink_to;
    reg        breaks_wrong_sink_to_6_q;
    reg        breaks_wrong_sink_to_7_q;
    reg        breaks_wrong_sink_to_8_q;
    wire       breaks_wrong_identifier  = is_reply_4_q & wrong_identifier;
    reg        breaks_wrong_identifier_5_q;
    reg        breaks_wrong_identifier_6_q;
    reg        breaks_wrong_identifier_7_q;
    reg        breaks_wrong_identifier_8_q;
    wire       breaks_aopcode_not_supported = is_atomic_request & is_unknown_atomic;
    reg        breaks_aopcode_not_supported_2_q;
    reg        breaks_aopcode_not_supported_3_q;
    reg        breaks_aopcode_not_supported_4_q;
    reg        breaks_aopcode_not_supported_5_q;
    reg        breaks_aopcode_not_supported_6_q;
    reg        breaks_aopcode_not_supported_7_q;
    reg        breaks_aopcode_not_supported_8_q;
    wire       breaks_request_stag      = is_request_6_q & region_bad_stag;
    reg        breaks_request_stag_7_q;
    reg        breaks_request_stag_8_q;
    wire       breaks_request_association = is_request_6_q & region_bad_association;
    reg        breaks_request_association_7_q;
    reg        breaks_request_association_8_q;
    wire       breaks_request_access    = is_request_6_q & region_bad_access;
    reg        breaks_request_access_7_q;
    reg        breaks_request_access_8_q;
    wire       breaks_request_to_wrap   = is_request_6_q & region_to_wraps;
    reg        breaks_request_to_wrap_7_q;
    reg        breaks_request_to_wrap_8_q;
    wire       breaks_request_bounds    = is_request_7_q & region_out_of_bounds;
    reg        breaks_request_bounds_8_q;
    wire       breaks_misaligned        = is_atomic_request_7_q & is_unaligned;
    reg        breaks_misaligned_8_q;
    wire       breaks_tagged_stag       = is_tagged_access_6_q & region_bad_stag;
    reg        breaks_tagged_stag_7_q;
    reg        breaks_tagged_stag_8_q;
    wire       breaks_tagged_association = is_tagged_access_6_q & region_bad_association;
    reg        breaks_tagged_association_7_q;
    reg        breaks_tagged_association_8_q;
    wire       breaks_tagged_access     = is_tagged_access_6_q & region_bad_access;
    reg        breaks_tagged_access_7_q;
    reg        breaks_tagged_access_8_q;
    wire       breaks_tagged_to_wrap    = is_tagged_access_6_q & region_to_wraps;
    reg        breaks_tagged_to_wrap_7_q;
    reg        breaks_tagged_to_wrap_8_q;
    wire       breaks_tagged_bounds     = is_tagged_access_7_q & region_out_of_bounds;
    reg        breaks_tagged_bounds_8_q;
    wire       breaks_local             = (is_send_7_q & region_fails) | (is_reply_7_q & region_fails);
    reg        breaks_local_8_q;
    wire       breaks_cannot_invalidate = is_invalidating_6_q & is_last_6_q & cannot_be_invalidated;
    reg        breaks_cannot_invalidate_7_q;
    reg        breaks_cannot_invalidate_8_q;
    reg  [5:0] rule_1_q;
    reg  [5:0] rule_2_q;
    reg  [5:0] rule_3_q;
    reg  [5:0] rule_4_q;
    reg  [5:0] rule_5_q;
    reg  [5:0] rule_6_q;
    reg  [5:0] rule_7_q;
    reg  [5:0] rule_8_q;
    wire       is_malformed             = |rule_8_q;
    wire [5:0] broken_rule              =
        is_malformed                     ? rule_8_q :
        breaks_msn_out_of_range_8_q      ? RULE_MSN_OUT_OF_RANGE :
        breaks_no_receive_buffer_8_q     ? RULE_NO_RECEIVE_BUFFER :
        breaks_ird_exceeded_8_q          ? RULE_IRD_EXCEEDED :
        breaks_no_atomic_outstanding_8_q ? RULE_NO_ATOMIC_OUTSTANDING :
        breaks_wrong_mo_8_q              ? RULE_WRONG_MO :
        breaks_opcode_changes_8_q        ? RULE_OPCODE_CHANGES :
        breaks_unexpected_response_8_q   ? RULE_UNEXPECTED_RESPONSE :
        breaks_interleaved_8_q           ? RULE_INTERLEAVED :
        breaks_message_too_long_8_q      ? RULE_MESSAGE_TOO_LONG :
        breaks_read_too_long_8_q         ? RULE_READ_TOO_LONG :
        breaks_wrong_read_last_8_q       ? RULE_WRONG_READ_LAST :
        breaks_wrong_sink_stag_8_q       ? RULE_WRONG_SINK_STAG :
        breaks_wrong_sink_to_8_q         ? RULE_WRONG_SINK_TO :
        breaks_wrong_identifier_8_q      ? RULE_WRONG_IDENTIFIER :
        breaks_aopcode_not_supported_8_q ? RULE_AOPCODE_NOT_SUPPORTED :
        breaks_request_stag_8_q          ? RULE_REQUEST_STAG :
        breaks_request_association_8_q   ? RULE_REQUEST_ASSOCIATION :
        breaks_request_access_8_q        ? RULE_REQUEST_ACCESS :
        breaks_request_to_wrap_8_q       ? RULE_REQUEST_TO_WRAP :
        breaks_request_bounds_8_q        ? RULE_REQUEST_BOUNDS :
        breaks_misaligned_8_q            ? RULE_MISALIGNED :
        breaks_tagged_stag_8_q           ? RULE_TAGGED_STAG :
        breaks_tagged_association_8_q    ? RULE_TAGGED_ASSOCIATION :
        breaks_tagged_access_8_q         ? RULE_TAGGED_ACCESS :
        breaks_tagged_to_wrap_8_q        ? RULE_TAGGED_TO_WRAP :
        breaks_tagged_bounds_8_q         ? RULE_TAGGED_BOUNDS :
        breaks_local_8_q                 ? RULE_LOCAL :
        breaks_cannot_invalidate_8_q     ? RULE_CANNOT_INVALIDATE :
                                           6'd0;

    // ---- STags invalidated since their lookup, by a segment 1 or more cycles ahead
    wire invalidates;
    reg  invalidated_1_q;
    reg  invalidated_2_q;
    reg  invalidated_3_q;
    reg  invalidated_4_q;

    always @(posedge clk) begin
        invalidated_1_q <= invalidates;
        invalidated_2_q <= invalidated_1_q;
        invalidated_3_q <= invalidated_2_q;
        invalidated_4_q <= invalidated_3_q;
        if (rst) begin
            invalidated_1_q <= 1'b0;
            invalidated_2_q <= 1'b0;
            invalidated_3_q <= 1'b0;
            invalidated_4_q <= 1'b0;
        end
    end

    reg         is_write_7_q;
    reg         is_write_8_q;
    reg         is_read_response_6_q;
    reg         is_read_response_7_q;
    reg         is_read_response_8_q;
    reg         reaches_memory_8_q;
    reg         is_request_8_q;
    reg         is_send_8_q;
    reg         is_reply_8_q;
    wire        uses_region              =
          reaches_memory_8_q
        & (is_write_8_q | is_read_response_8_q | is_request_8_q | is_send_8_q | is_reply_8_q);
    reg         is_invalidating_7_q;
    reg         is_invalidating_8_q;
    reg         is_last_7_q;
    reg         is_last_8_q;
    wire        names_invalidated        = is_invalidating_8_q & is_last_8_q;
    wire        region_ahead_1           = region_stag[31:8] == invalidate_stag_5_q[31:8];
    reg         region_ahead_1_5_q;
    reg         region_ahead_1_6_q;
    reg         region_ahead_1_7_q;
    reg         region_ahead_1_8_q;
    wire        region_ahead_2           = region_stag[31:8] == invalidate_stag_6_q[31:8];
    reg         region_ahead_2_5_q;
    reg         region_ahead_2_6_q;
    reg         region_ahead_2_7_q;
    reg         region_ahead_2_8_q;
    reg  [31:0] invalidate_stag_7_q;
    wire        region_ahead_3           = region_stag[31:8] == invalidate_stag_7_q[31:8];
    reg         region_ahead_3_5_q;
    reg         region_ahead_3_6_q;
    reg         region_ahead_3_7_q;
    reg         region_ahead_3_8_q;
    reg  [31:0] invalidate_stag_8_q;
    wire        region_ahead_4           = region_stag[31:8] == invalidate_stag_8_q[31:8];
    reg         region_ahead_4_5_q;
    reg         region_ahead_4_6_q;
    reg         region_ahead_4_7_q;
    reg         region_ahead_4_8_q;
    reg  [31:0] invalidate_stag_9_q;
    wire        region_ahead_5           = region_stag[31:8] == invalidate_stag_9_q[31:8];
    reg         region_ahead_5_5_q;
    reg         region_ahead_5_6_q;
    reg         region_ahead_5_7_q;
    reg         region_ahead_5_8_q;
    wire        region_went_before       =
          uses_region
        & (
                (region_ahead_2_8_q & invalidated_1_q)
              | (region_ahead_3_8_q & invalidated_2_q)
              | (region_ahead_4_8_q & invalidated_3_q)
              | (region_ahead_5_8_q & invalidated_4_q)
          );
    wire        region_may_go            = uses_region & region_ahead_1_8_q;
    reg         region_went_before_9_q;
    reg         region_may_go_9_q;
    wire        region_is_gone           = region_went_before_9_q | (region_may_go_9_q & invalidated_1_q);
    wire        invalidated_ahead_1      = invalidate_stag_4_q[31:8] == invalidate_stag_5_q[31:8];
    reg         invalidated_ahead_1_5_q;
    reg         invalidated_ahead_1_6_q;
    reg         invalidated_ahead_1_7_q;
    reg         invalidated_ahead_1_8_q;
    wire        invalidated_ahead_2      = invalidate_stag_4_q[31:8] == invalidate_stag_6_q[31:8];
    reg         invalidated_ahead_2_5_q;
    reg         invalidated_ahead_2_6_q;
    reg         invalidated_ahead_2_7_q;
    reg         invalidated_ahead_2_8_q;
    wire        invalidated_ahead_3      = invalidate_stag_4_q[31:8] == invalidate_stag_7_q[31:8];
    reg         invalidated_ahead_3_5_q;
    reg         invalidated_ahead_3_6_q;
    reg         invalidated_ahead_3_7_q;
    reg         invalidated_ahead_3_8_q;
    wire        invalidated_ahead_4      = invalidate_stag_4_q[31:8] == invalidate_stag_8_q[31:8];
    reg         invalidated_ahead_4_5_q;
    reg         invalidated_ahead_4_6_q;
    reg         invalidated_ahead_4_7_q;
    reg         invalidated_ahead_4_8_q;
    wire        invalidated_ahead_5      = invalidate_stag_4_q[31:8] == invalidate_stag_9_q[31:8];
    reg         invalidated_ahead_5_5_q;
    reg         invalidated_ahead_5_6_q;
    reg         invalidated_ahead_5_7_q;
    reg         invalidated_ahead_5_8_q;
    wire        invalidated_went_before  =
          names_invalidated
        & (
                (invalidated_ahead_2_8_q & invalidated_1_q)
              | (invalidated_ahead_3_8_q & invalidated_2_q)
              | (invalidated_ahead_4_8_q & invalidated_3_q)
              | (invalidated_ahead_5_8_q & invalidated_4_q)
          );
    wire        invalidated_may_go       = names_invalidated & invalidated_ahead_1_8_q;
    reg         invalidated_went_before_9_q;
    reg         invalidated_may_go_9_q;
    wire        invalidated_is_gone      =
        invalidated_went_before_9_q | (invalidated_may_go_9_q & invalidated_1_q);
    wire [5:0]  stag_rule                =
        (is_write_8_q | is_read_response_8_q) ? RULE_TAGGED_STAG :
        is_request_8_q                        ? RULE_REQUEST_STAG :
                                                RULE_LOCAL;
    wire        breaks_before_stag       =
        (is_write_8_q | is_read_response_8_q) ? (
                                                      (|rule_8_q)
                                                    | breaks_msn_out_of_range_8_q
                                                    | breaks_no_receive_buffer_8_q
                                                    | breaks_ird_exceeded_8_q
                                                    | breaks_no_atomic_outstanding_8_q
                                                    | breaks_wrong_mo_8_q
                                                    | breaks_opcode_changes_8_q
                                                    | breaks_unexpected_response_8_q
                                                    | breaks_interleaved_8_q
                                                    | breaks_message_too_long_8_q
                                                    | breaks_read_too_long_8_q
                                                    | breaks_wrong_read_last_8_q
                                                    | breaks_wrong_sink_stag_8_q
                                                    | breaks_wrong_sink_to_8_q
                                                    | breaks_wrong_identifier_8_q
                                                    | breaks_aopcode_not_supported_8_q
                                                    | breaks_request_stag_8_q
                                                    | breaks_request_association_8_q
                                                    | breaks_request_access_8_q
                                                    | breaks_request_to_wrap_8_q
                                                    | breaks_request_bounds_8_q
                                                    | breaks_misaligned_8_q
                                                ) :
        is_request_8_q                        ? (
                                                      (|rule_8_q)
                                                    | breaks_msn_out_of_range_8_q
                                                    | breaks_no_receive_buffer_8_q
                                                    | breaks_ird_exceeded_8_q
                                                    | breaks_no_atomic_outstanding_8_q
                                                    | breaks_wrong_mo_8_q
                                                    | breaks_opcode_changes_8_q
                                                    | breaks_unexpected_response_8_q
                                                    | breaks_interleaved_8_q
                                                    | breaks_message_too_long_8_q
                                                    | breaks_read_too_long_8_q
                                                    | breaks_wrong_read_last_8_q
                                                    | breaks_wrong_sink_stag_8_q
                                                    | breaks_wrong_sink_to_8_q
                                                    | breaks_wrong_identifier_8_q
                                                    | breaks_aopcode_not_supported_8_q
                                                ) :
                                                (
                                                      (|rule_8_q)
                                                    | breaks_msn_out_of_range_8_q
                                                    | breaks_no_receive_buffer_8_q
                                                    | breaks_ird_exceeded_8_q
                                                    | breaks_no_atomic_outstanding_8_q
                                                    | breaks_wrong_mo_8_q
                                                    | breaks_opcode_changes_8_q
                                                    | breaks_unexpected_response_8_q
                                                    | breaks_interleaved_8_q
                                                    | breaks_message_too_long_8_q
                                                    | breaks_read_too_long_8_q
                                                    | breaks_wrong_read_last_8_q
                                                    | breaks_wrong_sink_stag_8_q
                                                    | breaks_wrong_sink_to_8_q
                                                    | breaks_wrong_identifier_8_q
                                                    | breaks_aopcode_not_supported_8_q
                                                    | breaks_request_stag_8_q
                                                    | breaks_request_association_8_q
                                                    | breaks_request_access_8_q
                                                    | breaks_request_to_wrap_8_q
                                                    | breaks_request_bounds_8_q
                                                    | breaks_misaligned_8_q
                                                    | breaks_tagged_stag_8_q
                                                    | breaks_tagged_association_8_q
                                                    | breaks_tagged_access_8_q
                                                    | breaks_tagged_to_wrap_8_q
                                                    | breaks_tagged_bounds_8_q
                                                );
    wire        breaks_before_invalidation =
          (|rule_8_q)
        | breaks_msn_out_of_range_8_q
        | breaks_no_receive_buffer_8_q
        | breaks_ird_exceeded_8_q
        | breaks_no_atomic_outstanding_8_q
        | breaks_wrong_mo_8_q
        | breaks_opcode_changes_8_q
        | breaks_unexpected_response_8_q
        | breaks_interleaved_8_q
        | breaks_message_too_long_8_q
        | breaks_read_too_long_8_q
        | breaks_wrong_read_last_8_q
        | breaks_wrong_sink_stag_8_q
        | breaks_wrong_sink_to_8_q
        | breaks_wrong_identifier_8_q
        | breaks_aopcode_not_supported_8_q
        | breaks_request_stag_8_q
        | breaks_request_association_8_q
        | breaks_request_access_8_q
        | breaks_request_to_wrap_8_q
        | breaks_request_bounds_8_q
        | breaks_misaligned_8_q
        | breaks_tagged_stag_8_q
        | breaks_tagged_association_8_q
        | breaks_tagged_access_8_q
        | breaks_tagged_to_wrap_8_q
        | breaks_tagged_bounds_8_q
        | breaks_local_8_q;
    reg  [5:0]  broken_rule_9_q;
    reg         breaks_before_stag_9_q;
    reg  [5:0]  stag_rule_9_q;
    reg         breaks_before_invalidation_9_q;
    wire [5:0]  first_rule               =
        (region_is_gone & ~breaks_before_stag_9_q)       ? stag_rule_9_q :
        (invalidated_is_gone & ~breaks_before_invalidation_9_q & ~region_is_gone) ? RULE_CANNOT_INVALIDATE :
                                                           broken_rule_9_q;
    wire        breaks_rule              =
          is_malformed
        | breaks_msn_out_of_range_8_q
        | breaks_no_receive_buffer_8_q
        | breaks_ird_exceeded_8_q
        | breaks_no_atomic_outstanding_8_q
        | breaks_wrong_mo_8_q
        | breaks_opcode_changes_8_q
        | breaks_unexpected_response_8_q
        | breaks_interleaved_8_q
        | breaks_message_too_long_8_q
        | breaks_read_too_long_8_q
        | breaks_wrong_read_last_8_q
        | breaks_wrong_sink_stag_8_q
        | breaks_wrong_sink_to_8_q
        | breaks_wrong_identifier_8_q
        | breaks_aopcode_not_supported_8_q
        | breaks_request_stag_8_q
        | breaks_request_association_8_q
        | breaks_request_access_8_q
        | breaks_request_to_wrap_8_q
        | breaks_request_bounds_8_q
        | breaks_misaligned_8_q
        | breaks_tagged_stag_8_q
        | breaks_tagged_association_8_q
        | breaks_tagged_access_8_q
        | breaks_tagged_to_wrap_8_q
        | breaks_tagged_bounds_8_q
        | breaks_local_8_q
        | breaks_cannot_invalidate_8_q
        | region_went_before
        | invalidated_went_before;

    // ---- Decide
    reg  [9:0] stream_life [0:63];
    wire [9:0] stream_life_next;
    reg        stream_life_ahead_1_q;
    reg  [5:0] stream_7_q;
    reg  [5:0] stream_8_q;

    always @(posedge clk) begin
        stream_life_ahead_1_q <= valid_8_q & (stream_8_q == stream_7_q);
    end

    reg       stream_life_ahead_2_q;
    reg [5:0] stream_9_q;

    always @(posedge clk) begin
        stream_life_ahead_2_q <= valid_9_q & (stream_9_q == stream_7_q);
    end

    reg       stream_life_ahead_3_q;
    reg [5:0] stream_10_q;

    always @(posedge clk) begin
        stream_life_ahead_3_q <= valid_10_q & (stream_10_q == stream_7_q);
    end

    reg  [9:0] stream_life_decided_q;
    reg  [9:0] stream_life_kept_q;
    wire       write_stream_life = ~swept_q | valid_10_q;
    wire [5:0] stream_life_row   = ~swept_q ? sweep_q : stream_10_q;
    wire [9:0] stream_life_word  = ~swept_q ? 10'd0 : stream_life_decided_q;
    reg  [9:0] stream_life_stored_q;

    always @(posedge clk) begin
        if (write_stream_life) begin
            stream_life[stream_life_row] <= stream_life_word;
        end
        if (valid_7_q) begin
            stream_life_stored_q <= stream_life[stream_7_q];
        end
    end

    reg [9:0] stream_life_q;

    always @(posedge clk) begin
        stream_life_decided_q <= stream_life_next;
        stream_life_kept_q    <= stream_life_decided_q;
        stream_life_q         <=
            stream_life_ahead_1_q ? stream_life_next :
            stream_life_ahead_2_q ? stream_life_decided_q :
            stream_life_ahead_3_q ? stream_life_kept_q :
                                    stream_life_stored_q;
    end

    wire        life_open      = stream_life_q[9];
    wire [8:0]  life_place     = stream_life_q[8:0];
    reg         is_segment_2_q;
    reg         is_segment_3_q;
    reg         is_segment_4_q;
    reg         is_segment_5_q;
    reg         is_segment_6_q;
    reg         is_segment_7_q;
    reg         is_segment_8_q;
    reg         is_segment_9_q;
    reg         breaks_rule_9_q;
    wire        is_invalid     = breaks_rule_9_q | region_is_gone | invalidated_is_gone;
    wire        fails          = is_segment_9_q & life_open & is_invalid;
    wire        is_accepted    = is_segment_9_q & life_open & ~is_invalid;
    reg         is_failure_1_q;
    reg         is_failure_2_q;
    reg         is_failure_3_q;
    reg         is_failure_4_q;
    reg         is_failure_5_q;
    reg         is_failure_6_q;
    reg         is_failure_7_q;
    reg         is_failure_8_q;
    reg         is_failure_9_q;
    wire        terminates     = fails | (is_failure_9_q & life_open);
    reg         is_terminate_3_q;
    reg         is_terminate_4_q;
    reg         is_terminate_5_q;
    reg         is_terminate_6_q;
    reg         is_terminate_7_q;
    reg         is_terminate_8_q;
    reg         is_terminate_9_q;
    wire        is_close       = is_accepted & is_terminate_9_q;
    reg  [15:0] payload_length_6_q;
    reg  [15:0] payload_length_7_q;
    reg  [15:0] payload_length_8_q;
    wire        brings_payload = (|payload_length_8_q) & is_segment_8_q;
    wire        wants_place    =
        is_reply_8_q | (brings_payload & (is_write_8_q | is_read_response_8_q | is_send_8_q));
    reg         wants_place_9_q;
    wire        places         = is_accepted & wants_place_9_q;
    reg  [8:0]  issued_q;
    wire [8:0]  next_place     = issued_q + 9'd1;
    wire [8:0]  place_number   = places ? next_place : life_place;

    always @(posedge clk) begin
        if (valid_9_q & places) begin
            issued_q <= next_place;
        end
        if (rst) begin
            issued_q <= 9'd0;
        end
    end

    reg is_opening_3_q;
    reg is_opening_4_q;
    reg is_opening_5_q;
    reg is_opening_6_q;
    reg is_opening_7_q;
    reg is_opening_8_q;
    reg is_opening_9_q;
    reg opens_1_q;
    reg opens_2_q;
    reg opens_3_q;
    reg opens_4_q;
    reg opens_5_q;
    reg opens_6_q;
    reg opens_7_q;
    reg opens_8_q;
    reg opens_9_q;
    assign stream_life_next = {
        is_opening_9_q ? opens_9_q : (life_open & ~(terminates | is_close)),
        place_number & {9{~is_opening_9_q}}
    };
    reg names_invalidated_9_q;
    assign invalidates      = valid_9_q & is_accepted & names_invalidated_9_q;
    // An invalidation waits for the placements of all streams, so that the host owns the region afterwards.
    wire [8:0] awaited_place   = (is_accepted & names_invalidated_9_q & ~places) ? issued_q : place_number;
    reg        completes_receive_3_q;
    reg        completes_receive_4_q;
    reg        completes_receive_5_q;
    reg        completes_receive_6_q;
    reg        completes_receive_7_q;
    reg        completes_receive_8_q;
    reg        completes_receive_9_q;
    reg        completes_response_3_q;
    reg        completes_response_4_q;
    reg        completes_response_5_q;
    reg        completes_response_6_q;
    reg        completes_response_7_q;
    reg        completes_response_8_q;
    reg        completes_response_9_q;
    reg        is_request_9_q;
    reg        releases_3_q;
    reg        releases_4_q;
    reg        releases_5_q;
    reg        releases_6_q;
    reg        releases_7_q;
    reg        releases_8_q;
    reg        releases_9_q;
    reg        is_write_9_q;
    wire       brings_delivery =
          completes_receive_9_q
        | completes_response_9_q
        | is_request_9_q
        | is_terminate_9_q
        | (releases_9_q & is_write_9_q);

    // ---- Terminate of the rule
    reg [5:0] first_rule_10_q;
    // {layer, error type, error code}; 0 is a local catastrophic error.
    wire [15:0] terminate_of_rule =
        (first_rule_10_q == RULE_SHORT_HEADER)          ? {4'd1, 4'd0, 8'h00} :
        (first_rule_10_q == RULE_TAGGED_DDP_VERSION)    ? {4'd1, 4'd1, 8'h04} :
        (first_rule_10_q == RULE_UNTAGGED_DDP_VERSION)  ? {4'd1, 4'd2, 8'h06} :
        (first_rule_10_q == RULE_NO_SUCH_QUEUE)         ? {4'd1, 4'd2, 8'h01} :
        (first_rule_10_q == RULE_BAD_RDMAP_VERSION)     ? {4'd0, 4'd2, 8'h05} :
        (first_rule_10_q == RULE_RESERVED_OPCODE)       ? {4'd0, 4'd2, 8'h06} :
        (first_rule_10_q == RULE_WRONG_T_BIT)           ? {4'd0, 4'd2, 8'h06} :
        (first_rule_10_q == RULE_WRONG_QUEUE)           ? {4'd0, 4'd2, 8'h06} :
        (first_rule_10_q == RULE_MO_NOT_ZERO)           ? {4'd1, 4'd2, 8'h04} :
        (first_rule_10_q == RULE_WRONG_LENGTH)          ? {4'd0, 4'd2, 8'h07} :
        (first_rule_10_q == RULE_MSN_OUT_OF_RANGE)      ? {4'd1, 4'd2, 8'h03} :
        (first_rule_10_q == RULE_NO_RECEIVE_BUFFER)     ? {4'd1, 4'd2, 8'h02} :
        (first_rule_10_q == RULE_IRD_EXCEEDED)          ? {4'd1, 4'd2, 8'h02} :
        (first_rule_10_q == RULE_NO_ATOMIC_OUTSTANDING) ? {4'd1, 4'd2, 8'h02} :
        (first_rule_10_q == RULE_WRONG_MO)              ? {4'd1, 4'd2, 8'h04} :
        (first_rule_10_q == RULE_OPCODE_CHANGES)        ? {4'd0, 4'd2, 8'h06} :
        (first_rule_10_q == RULE_UNEXPECTED_RESPONSE)   ? {4'd0, 4'd2, 8'h06} :
        (first_rule_10_q == RULE_INTERLEAVED)           ? {4'd0, 4'd2, 8'h06} :
        (first_rule_10_q == RULE_MESSAGE_TOO_LONG)      ? {4'd1, 4'd2, 8'h05} :
        (first_rule_10_q == RULE_READ_TOO_LONG)         ? {4'd1, 4'd1, 8'h01} :
        (first_rule_10_q == RULE_WRONG_READ_LAST)       ? {4'd0, 4'd2, 8'h07} :
        (first_rule_10_q == RULE_WRONG_SINK_STAG)       ? {4'd1, 4'd1, 8'h00} :
        (first_rule_10_q == RULE_WRONG_SINK_TO)         ? {4'd1, 4'd1, 8'h01} :
        (first_rule_10_q == RULE_WRONG_IDENTIFIER)      ? {4'd0, 4'd2, 8'h07} :
        (first_rule_10_q == RULE_AOPCODE_NOT_SUPPORTED) ? {4'd0, 4'd2, 8'h06} :
        (first_rule_10_q == RULE_REQUEST_STAG)          ? {4'd0, 4'd1, 8'h00} :
        (first_rule_10_q == RULE_REQUEST_ASSOCIATION)   ? {4'd0, 4'd1, 8'h03} :
        (first_rule_10_q == RULE_REQUEST_ACCESS)        ? {4'd0, 4'd1, 8'h02} :
        (first_rule_10_q == RULE_REQUEST_TO_WRAP)       ? {4'd0, 4'd1, 8'h04} :
        (first_rule_10_q == RULE_REQUEST_BOUNDS)        ? {4'd0, 4'd1, 8'h01} :
        (first_rule_10_q == RULE_MISALIGNED)            ? {4'd0, 4'd2, 8'h07} :
        (first_rule_10_q == RULE_TAGGED_STAG)           ? {4'd1, 4'd1, 8'h00} :
        (first_rule_10_q == RULE_TAGGED_ASSOCIATION)    ? {4'd1, 4'd1, 8'h02} :
        (first_rule_10_q == RULE_TAGGED_ACCESS)         ? {4'd0, 4'd1, 8'h02} :
        (first_rule_10_q == RULE_TAGGED_TO_WRAP)        ? {4'd1, 4'd1, 8'h03} :
        (first_rule_10_q == RULE_TAGGED_BOUNDS)         ? {4'd1, 4'd1, 8'h01} :
        (first_rule_10_q == RULE_CANNOT_INVALIDATE)     ? {4'd0, 4'd1, 8'h09} :
                                                          {4'd0, 4'd0, 8'h00};
    wire        is_local          = (first_rule_10_q == RULE_SHORT_HEADER) | (first_rule_10_q == RULE_LOCAL);
    reg         fails_10_q;
    reg         is_accepted_10_q;
    reg         terminates_10_q;
    reg         is_close_10_q;
    reg         places_10_q;
    reg         brings_payload_9_q;
    reg         brings_payload_10_q;
    reg  [8:0]  awaited_place_10_q;
    reg         brings_delivery_10_q;
    wire        delivers          = (is_accepted_10_q & brings_delivery_10_q) | terminates_10_q;
    assign issued            = issued_q;
    reg         completes_receive_10_q;
    assign consumed_valid    = valid_10_q & is_accepted_10_q & completes_receive_10_q;
    assign consumed_stream   = stream_10_q;
    reg  [4:0]  receives_used_3_q;
    reg  [4:0]  receives_used_4_q;
    reg  [4:0]  receives_used_5_q;
    reg  [4:0]  receives_used_6_q;
    reg  [4:0]  receives_used_7_q;
    reg  [4:0]  receives_used_8_q;
    reg  [4:0]  receives_used_9_q;
    reg  [4:0]  receives_used_10_q;
    assign consumed_count    = receives_used_10_q;
    assign invalidate        = invalidated_1_q;
    reg  [31:0] invalidate_stag_10_q;
    assign invalidate_index  = invalidate_stag_10_q[31:8];
    reg         is_segment_10_q;
    assign count_segments    = valid_10_q & is_segment_10_q;
    reg         life_open_10_q;
    assign count_discarded   = valid_10_q & is_segment_10_q & ~life_open_10_q;
    assign count_errors      = valid_10_q & fails_10_q;
    assign count_invalidated = invalidated_1_q;

    // ---- Placement and delivery
    wire [591:0] leaving_record = record_10_q;
    wire [559:0] leaving;
    generate
        for (i = 0; i < 70; i = i + 1) begin : each_leaving
            assign leaving[8 * i +: 8] = leaving_record[8 * (69 - i) +: 8];
        end
    endgenerate
    reg         completes_response_10_q;
    wire        delivers_response        = is_accepted_10_q & completes_response_10_q;
    reg         is_request_10_q;
    wire        delivers_request         = is_accepted_10_q & is_request_10_q;
    reg         waits_3_q;
    reg         waits_4_q;
    reg         waits_5_q;
    reg         waits_6_q;
    reg         waits_7_q;
    reg         waits_8_q;
    reg         waits_9_q;
    reg         waits_10_q;
    wire        delivers_waiting         = delivers_request & waits_10_q;
    reg         releases_10_q;
    wire        delivers_release         = is_accepted_10_q & releases_10_q;
    reg         is_write_10_q;
    wire        only_releases            = delivers_release & is_write_10_q;
    wire        uses_place               = places_10_q | brings_payload_10_q;
    reg         is_reply_9_q;
    reg         is_reply_10_q;
    wire        places_word              = places_10_q & is_reply_10_q;
    reg  [63:0] region_address_8_q;
    reg  [63:0] region_address_9_q;
    reg  [63:0] region_address_10_q;
    wire [63:0] leaving_original_remote_data_value = leaving[383:320];
    reg         is_failure_10_q;
    reg         is_tagged_2_q;
    reg         is_tagged_3_q;
    reg         is_tagged_4_q;
    reg         is_tagged_5_q;
    reg         is_tagged_6_q;
    reg         is_tagged_7_q;
    reg         is_tagged_8_q;
    reg         is_tagged_9_q;
    reg         is_tagged_10_q;
    reg         is_read_request_7_q;
    reg         is_read_request_8_q;
    reg         is_read_request_9_q;
    reg         is_read_request_10_q;
    wire [5:0]  header_back              =
        (is_failure_10_q | is_local)                     ? 6'd0 :
        is_tagged_10_q                                   ? 6'd14 :
        (is_read_request_10_q & (leaving_record[591:576] == 16'd46) & (~|terminate_of_rule[15:12])) ? 6'd46 :
                                                           6'd18;
    localparam [5:0] DELIVER_RECEIVE  = 6'd1;
    localparam [5:0] DELIVER_RESPONSE = 6'd2;
    localparam [5:0] DELIVER_REQUEST  = 6'd4;
    localparam [5:0] DELIVER_END      = 6'd8;
    localparam [5:0] DELIVER_CLOSE    = 6'd16;
    localparam [5:0] DELIVER_RELEASE  = 6'd32;
    reg  [31:0]  response_msn_3_q;
    reg  [31:0]  response_msn_4_q;
    wire [159:0] held = {request_id, region_stag, message_end_4_q[31:0], response_msn_4_q};
    reg  [2:0]   held_in_q;
    reg  [2:0]   held_out_q;
    reg  [159:0] held_way [0:7];
    reg  [159:0] held_10_q;

    always @(posedge clk) begin
        if (valid_4_q) begin
            held_way[held_in_q] <= held;
        end
        if (valid_9_q) begin
            held_10_q <= held_way[held_out_q];
        end
    end

    wire [63:0] leaving_id         = held_10_q[159:96];
    wire [31:0] leaving_stag       = held_10_q[95:64];
    wire [31:0] leaving_length     = held_10_q[63:32];
    wire [31:0] leaving_number     = held_10_q[31:0];
    reg  [3:0]  opcode_3_q;
    reg  [3:0]  opcode_4_q;
    reg  [3:0]  opcode_5_q;
    reg  [3:0]  opcode_6_q;
    reg  [3:0]  opcode_7_q;
    reg  [3:0]  opcode_8_q;
    reg  [3:0]  opcode_9_q;
    reg  [3:0]  opcode_10_q;
    reg         is_immediate_3_q;
    reg         is_immediate_4_q;
    reg         is_immediate_5_q;
    reg         is_immediate_6_q;
    reg         is_immediate_7_q;
    reg         is_immediate_8_q;
    reg         is_immediate_9_q;
    reg         is_immediate_10_q;
    reg         waits_first_3_q;
    reg         waits_first_4_q;
    reg         waits_first_5_q;
    reg         waits_first_6_q;
    reg         waits_first_7_q;
    reg         waits_first_8_q;
    reg         waits_first_9_q;
    reg         waits_first_10_q;
    wire [3:0]  leaving_layer      = leaving[415:412];
    wire [3:0]  leaving_etype      = leaving[411:408];
    wire [7:0]  leaving_error_code = leaving[407:400];
    reg         fault_1_q;
    reg         fault_2_q;
    reg         fault_3_q;
    reg         fault_4_q;
    reg         fault_5_q;
    reg         fault_6_q;
    reg         fault_7_q;
    reg         fault_8_q;
    reg         fault_9_q;
    reg         fault_10_q;
    wire        stag_is_gone       = fault_10_q == 1'b1;
    wire [15:0] term_of_fault      = stag_is_gone ? {4'd0, 4'd1, 8'h00} : {4'd0, 4'd0, 8'h00};
    localparam [1:0] REQUEST_END    = 2'd0;
    localparam [1:0] REQUEST_CLOSE  = 2'd1;
    localparam [1:0] REQUEST_READ   = 2'd2;
    localparam [1:0] REQUEST_ATOMIC = 2'd3;
    reg         is_atomic_request_8_q;
    reg         is_atomic_request_9_q;
    reg         is_atomic_request_10_q;
    wire [31:0] leaving_msn = leaving[479:448];
    reg          is_send_9_q;
    reg          is_send_10_q;
    reg          is_invalidating_9_q;
    reg          is_invalidating_10_q;
    wire [31:0]  delivered_stag =
        is_send_10_q ? (invalidate_stag_10_q & {32{is_invalidating_10_q}}) : leaving_stag;
    wire [415:0] body           = terminates_10_q ? leaving_record[415:0] : leaving_record[559:144];
    wire         places_in_valid;
    wire         places_in_ready;
    wire [5:0]   places_in_stream;
    wire         places_in_discard;
    wire         places_in_inline;
    wire [63:0]  places_in_address;
    wire [15:0]  places_in_length;
    wire [63:0]  places_in_data;
    wire         places_out_valid;
    wire         places_out_ready;
    wire [5:0]   places_out_stream;
    wire         places_out_discard;
    wire         places_out_inline;
    wire [63:0]  places_out_address;
    wire [15:0]  places_out_length;
    wire [63:0]  places_out_data;
    assign places_in_valid   = valid_10_q & uses_place;
    assign places_in_stream  = stream_10_q;
    assign places_in_discard = ~places_10_q;
    assign places_in_inline  = places_word;
    assign places_in_address = region_address_10_q;
    assign places_in_length  = places_word ? 16'd8 : leaving_record[575:560];
    assign places_in_data    = leaving_original_remote_data_value;
    wire [151:0] places_ahead_out;
    assign places_out_stream  = places_ahead_out[151:146];
    assign places_out_discard = places_ahead_out[145];
    assign places_out_inline  = places_ahead_out[144];
    assign places_out_address = places_ahead_out[143:80];
    assign places_out_length  = places_ahead_out[79:64];
    assign places_out_data    = places_ahead_out[63:0];

    queue #(.WIDTH(152), .DEPTH(32)) places_ahead (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (places_in_valid),
        .in_ready  (places_in_ready),
        .in_data   ({
            places_in_stream, places_in_discard, places_in_inline, places_in_address, places_in_length,
            places_in_data
        }),
        .out_valid (places_out_valid),
        .out_ready (places_out_ready),
        .out_data  (places_ahead_out)
    );

    assign place_valid      = places_out_valid;
    assign place_stream     = places_out_stream;
    assign place_discard    = places_out_discard;
    assign place_inline     = places_out_inline;
    assign place_address    = places_out_address;
    assign place_length     = places_out_length;
    assign place_data       = places_out_data;
    assign places_out_ready = place_ready;
    reg places_left_q;

    always @(posedge clk) begin
        places_left_q <= places_out_valid & place_ready;
        if (rst) begin
            places_left_q <= 1'b0;
        end
    end

    wire         deliveries_in_valid;
    wire         deliveries_in_ready;
    wire [5:0]   deliveries_in_kind;
    wire [8:0]   deliveries_in_place;
    wire [63:0]  deliveries_in_id;
    wire [3:0]   deliveries_in_opcode;
    wire [31:0]  deliveries_in_length;
    wire [5:0]   deliveries_in_rule;
    wire         deliveries_in_queue_waits;
    wire         deliveries_in_queue_first;
    wire         deliveries_in_queue_releases;
    wire [5:0]   deliveries_in_request_stream;
    wire [1:0]   deliveries_in_request_kind;
    wire [4:0]   deliveries_in_request_number;
    wire [31:0]  deliveries_in_request_stag;
    wire [63:0]  deliveries_in_request_address;
    wire [31:0]  deliveries_in_request_response_msn;
    wire [3:0]   deliveries_in_request_term_layer;
    wire [3:0]   deliveries_in_request_term_etype;
    wire [7:0]   deliveries_in_request_term_code;
    wire [5:0]   deliveries_in_request_header_length;
    wire [15:0]  deliveries_in_request_segment_length;
    wire [415:0] deliveries_in_request_body;
    wire         deliveries_out_valid;
    wire         deliveries_out_ready;
    wire [5:0]   deliveries_out_kind;
    wire [8:0]   deliveries_out_place;
    wire [63:0]  deliveries_out_id;
    wire [3:0]   deliveries_out_opcode;
    wire [31:0]  deliveries_out_length;
    wire [5:0]   deliveries_out_rule;
    wire         deliveries_out_queue_waits;
    wire         deliveries_out_queue_first;
    wire         deliveries_out_queue_releases;
    wire [5:0]   deliveries_out_request_stream;
    wire [1:0]   deliveries_out_request_kind;
    wire [4:0]   deliveries_out_request_number;
    wire [31:0]  deliveries_out_request_stag;
    wire [63:0]  deliveries_out_request_address;
    wire [31:0]  deliveries_out_request_response_msn;
    wire [3:0]   deliveries_out_request_term_layer;
    wire [3:0]   deliveries_out_request_term_etype;
    wire [7:0]   deliveries_out_request_term_code;
    wire [5:0]   deliveries_out_request_header_length;
    wire [15:0]  deliveries_out_request_segment_length;
    wire [415:0] deliveries_out_request_body;
    assign deliveries_in_valid              = valid_10_q & delivers;
    assign deliveries_in_kind               =
        delivers_response ? DELIVER_RESPONSE :
        delivers_request  ? DELIVER_REQUEST :
        terminates_10_q   ? DELIVER_END :
        is_close_10_q     ? DELIVER_CLOSE :
        only_releases     ? DELIVER_RELEASE :
                            DELIVER_RECEIVE;
    assign deliveries_in_place              = awaited_place_10_q;
    assign deliveries_in_id                 = leaving_id;
    assign deliveries_in_opcode             = opcode_10_q;
    assign deliveries_in_length             = is_immediate_10_q ? 32'd8 : leaving_length;
    assign deliveries_in_rule               = first_rule_10_q & {6{fails_10_q}};
    assign deliveries_in_queue_waits        = delivers_waiting;
    assign deliveries_in_queue_first        = delivers_waiting & waits_first_10_q;
    assign deliveries_in_queue_releases     = delivers_release;
    assign deliveries_in_request_stream     = stream_10_q;
    assign deliveries_in_request_kind       =
        terminates_10_q        ? REQUEST_END :
        is_close_10_q          ? REQUEST_CLOSE :
        is_atomic_request_10_q ? REQUEST_ATOMIC :
                                 REQUEST_READ;
    assign deliveries_in_request_number     = leaving_msn[4:0];
    assign deliveries_in_request_stag       = delivered_stag;
    assign deliveries_in_request_address    = region_address_10_q;
    assign deliveries_in_request_response_msn = leaving_number;
    assign deliveries_in_request_term_layer =
        is_close_10_q   ? leaving_layer :
        is_failure_10_q ? term_of_fault[15:12] :
                          terminate_of_rule[15:12];
    assign deliveries_in_request_term_etype =
        is_close_10_q   ? leaving_etype :
        is_failure_10_q ? term_of_fault[11:8] :
                          terminate_of_rule[11:8];
    assign deliveries_in_request_term_code  =
        is_close_10_q   ? leaving_error_code :
        is_failure_10_q ? term_of_fault[7:0] :
                          terminate_of_rule[7:0];
    assign deliveries_in_request_header_length = header_back;
    assign deliveries_in_request_segment_length = leaving_record[591:576];
    assign deliveries_in_request_body       = body;
    wire [718:0] deliveries_ahead_out;
    assign deliveries_out_kind              = deliveries_ahead_out[718:713];
    assign deliveries_out_place             = deliveries_ahead_out[712:704];
    assign deliveries_out_id                = deliveries_ahead_out[703:640];
    assign deliveries_out_opcode            = deliveries_ahead_out[639:636];
    assign deliveries_out_length            = deliveries_ahead_out[635:604];
    assign deliveries_out_rule              = deliveries_ahead_out[603:598];
    assign deliveries_out_queue_waits       = deliveries_ahead_out[597];
    assign deliveries_out_queue_first       = deliveries_ahead_out[596];
    assign deliveries_out_queue_releases    = deliveries_ahead_out[595];
    assign deliveries_out_request_stream    = deliveries_ahead_out[594:589];
    assign deliveries_out_request_kind      = deliveries_ahead_out[588:587];
    assign deliveries_out_request_number    = deliveries_ahead_out[586:582];
    assign deliveries_out_request_stag      = deliveries_ahead_out[581:550];
    assign deliveries_out_request_address   = deliveries_ahead_out[549:486];
    assign deliveries_out_request_response_msn = deliveries_ahead_out[485:454];
    assign deliveries_out_request_term_layer = deliveries_ahead_out[453:450];
    assign deliveries_out_request_term_etype = deliveries_ahead_out[449:446];
    assign deliveries_out_request_term_code = deliveries_ahead_out[445:438];
    assign deliveries_out_request_header_length = deliveries_ahead_out[437:432];
    assign deliveries_out_request_segment_length = deliveries_ahead_out[431:416];
    assign deliveries_out_request_body      = deliveries_ahead_out[415:0];

    queue #(.WIDTH(719), .DEPTH(128)) deliveries_ahead (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (deliveries_in_valid),
        .in_ready  (deliveries_in_ready),
        .in_data   ({
            deliveries_in_kind, deliveries_in_place, deliveries_in_id, deliveries_in_opcode,
            deliveries_in_length, deliveries_in_rule, deliveries_in_queue_waits, deliveries_in_queue_first,
            deliveries_in_queue_releases, deliveries_in_request_stream, deliveries_in_request_kind,
            deliveries_in_request_number, deliveries_in_request_stag, deliveries_in_request_address,
            deliveries_in_request_response_msn, deliveries_in_request_term_layer,
            deliveries_in_request_term_etype, deliveries_in_request_term_code,
            deliveries_in_request_header_length, deliveries_in_request_segment_length,
            deliveries_in_request_body
        }),
        .out_valid (deliveries_out_valid),
        .out_ready (deliveries_out_ready),
        .out_data  (deliveries_ahead_out)
    );

    assign deliver_valid                  = deliveries_out_valid;
    assign deliver_kind                   = deliveries_out_kind;
    assign deliver_place                  = deliveries_out_place;
    assign deliver_id                     = deliveries_out_id;
    assign deliver_opcode                 = deliveries_out_opcode;
    assign deliver_length                 = deliveries_out_length;
    assign deliver_rule                   = deliveries_out_rule;
    assign deliver_queue_waits            = deliveries_out_queue_waits;
    assign deliver_queue_first            = deliveries_out_queue_first;
    assign deliver_queue_releases         = deliveries_out_queue_releases;
    assign deliver_request_stream         = deliveries_out_request_stream;
    assign deliver_request_kind           = deliveries_out_request_kind;
    assign deliver_request_number         = deliveries_out_request_number;
    assign deliver_request_stag           = deliveries_out_request_stag;
    assign deliver_request_address        = deliveries_out_request_address;
    assign deliver_request_response_msn   = deliveries_out_request_response_msn;
    assign deliver_request_term_layer     = deliveries_out_request_term_layer;
    assign deliver_request_term_etype     = deliveries_out_request_term_etype;
    assign deliver_request_term_code      = deliveries_out_request_term_code;
    assign deliver_request_header_length  = deliveries_out_request_header_length;
    assign deliver_request_segment_length = deliveries_out_request_segment_length;
    assign deliver_request_body           = deliveries_out_request_body;
    assign deliveries_out_ready           = deliver_ready;
    reg deliveries_left_q;

    always @(posedge clk) begin
        deliveries_left_q <= deliveries_out_valid & deliver_ready;
        if (rst) begin
            deliveries_left_q <= 1'b0;
        end
    end

    // ---- Room: an item counts from the cycle after it is taken until it has left its buffer, which has room for one
    // more
    reg [5:0] places_reserved_q;
    reg       places_spared_q;

    always @(posedge clk) begin
        places_spared_q <= valid_10_q & ~uses_place;
        if (rst) begin
            places_spared_q <= 1'b0;
        end
    end

    // The count changes by +1, 0, -1 or -2.
    wire places_fewer  = (places_spared_q & places_left_q) | (~take & (places_spared_q | places_left_q));
    wire places_by_one = take ^ places_spared_q ^ places_left_q;

    always @(posedge clk) begin
        places_reserved_q <= places_reserved_q + {{5{places_fewer}}, places_by_one};
        if (rst) begin
            places_reserved_q <= 6'd0;
        end
    end

    reg [7:0] deliveries_reserved_q;
    reg       deliveries_spared_q;

    always @(posedge clk) begin
        deliveries_spared_q <= valid_10_q & ~delivers;
        if (rst) begin
            deliveries_spared_q <= 1'b0;
        end
    end

    // The count changes by +1, 0, -1 or -2.
    wire deliveries_fewer  =
        (deliveries_spared_q & deliveries_left_q) | (~take & (deliveries_spared_q | deliveries_left_q));
    wire deliveries_by_one = take ^ deliveries_spared_q ^ deliveries_left_q;

    always @(posedge clk) begin
        deliveries_reserved_q <= deliveries_reserved_q + {{7{deliveries_fewer}}, deliveries_by_one};
        if (rst) begin
            deliveries_reserved_q <= 8'd0;
        end
    end

    // Numbers must not wrap around to placements in progress: 16 are kept for those in the pipeline.
    reg is_crowded_q;

    wire [8:0] is_crowded_difference = issued_q - placed;
    always @(posedge clk) begin
        is_crowded_q <= &is_crowded_difference[8:4];
        if (rst) begin
            is_crowded_q <= 1'b0;
        end
    end

    assign has_room = ~(places_reserved_q[5] | deliveries_reserved_q[7] | is_crowded_q);

    // ---- Pipeline registers
    always @(posedge clk) begin
        valid_1_q                        <= take;
        valid_2_q                        <= valid_1_q;
        valid_3_q                        <= valid_2_q;
        valid_4_q                        <= valid_3_q;
        valid_5_q                        <= valid_4_q;
        valid_6_q                        <= valid_5_q;
        valid_7_q                        <= valid_6_q;
        valid_8_q                        <= valid_7_q;
        valid_9_q                        <= valid_8_q;
        valid_10_q                       <= valid_9_q;
        header_1_q                       <= record_header;
        segment_length_1_q               <= record_segment_length;
        payload_length_1_q               <= record_payload_length;
        record_in_q                      <= record_in_q + 4'd1;
        record_out_q                     <= record_out_q + 4'd1;
        is_segment_1_q                   <= segment_turn_q;
        is_opening_1_q                   <= opening_turn_q;
        stream_1_q                       <= stream;
        stream_2_q                       <= stream_1_q;
        stream_3_q                       <= stream_2_q;
        payload_length_2_q               <= payload_length_1_q;
        is_last_2_q                      <= is_last;
        is_immediate_2_q                 <= is_immediate;
        is_send_2_q                      <= is_send;
        is_reply_2_q                     <= is_reply;
        is_read_response_2_q             <= is_read_response;
        is_write_2_q                     <= is_write;
        is_request_2_q                   <= is_request;
        is_atomic_request_2_q            <= is_atomic_request;
        opcode_2_q                       <= opcode;
        is_opening_2_q                   <= is_opening_1_q;
        opens_domain_1_q                 <= opening_domain;
        opens_domain_2_q                 <= opens_domain_1_q;
        awaited_4_q                      <= awaited_q;
        responses_done_3_q               <= now_awaited;
        ring_entry_4_q                   <= ring_entry;
        consumed_3_q                     <= now_consumed;
        named_stag_2_q                   <= named_stag;
        named_stag_3_q                   <= named_stag_2_q;
        named_stag_4_q                   <= named_stag_3_q;
        is_send_3_q                      <= is_send_2_q;
        is_send_4_q                      <= is_send_3_q;
        is_reply_3_q                     <= is_reply_2_q;
        is_reply_4_q                     <= is_reply_3_q;
        invalidate_stag_2_q              <= octets_invalidate_stag;
        invalidate_stag_3_q              <= invalidate_stag_2_q;
        invalidate_stag_4_q              <= invalidate_stag_3_q;
        offset_3_q                       <= now_offset;
        received_before_3_q              <= now_received;
        octets_before_4_q                <= octets_before;
        is_send_5_q                      <= is_send_4_q;
        is_reply_5_q                     <= is_reply_4_q;
        next_to_5_q                      <= next_to;
        named_to_2_q                     <= named_to;
        named_to_3_q                     <= named_to_2_q;
        named_to_4_q                     <= named_to_3_q;
        named_to_5_q                     <= named_to_4_q;
        region_length_2_q                <= region_length;
        region_length_3_q                <= region_length_2_q;
        region_length_4_q                <= region_length_3_q;
        region_length_5_q                <= region_length_4_q;
        region_entry_6_q                 <= region_entry;
        region_to_6_q                    <= region_to;
        region_length_6_q                <= region_length_5_q;
        reaches_memory_3_q               <= reaches_memory;
        reaches_memory_4_q               <= reaches_memory_3_q;
        reaches_memory_5_q               <= reaches_memory_4_q;
        reaches_memory_6_q               <= reaches_memory_5_q;
        region_key_5_q                   <= region_key;
        region_key_6_q                   <= region_key_5_q;
        stream_4_q                       <= stream_3_q;
        stream_5_q                       <= stream_4_q;
        stream_6_q                       <= stream_5_q;
        domain_3_q                       <= now_domain;
        domain_4_q                       <= domain_3_q;
        domain_5_q                       <= domain_4_q;
        domain_6_q                       <= domain_5_q;
        is_write_3_q                     <= is_write_2_q;
        is_write_4_q                     <= is_write_3_q;
        is_write_5_q                     <= is_write_4_q;
        is_write_6_q                     <= is_write_5_q;
        is_read_request_2_q              <= is_read_request;
        is_read_request_3_q              <= is_read_request_2_q;
        is_read_request_4_q              <= is_read_request_3_q;
        is_read_request_5_q              <= is_read_request_4_q;
        is_read_request_6_q              <= is_read_request_5_q;
        is_atomic_request_3_q            <= is_atomic_request_2_q;
        is_atomic_request_4_q            <= is_atomic_request_3_q;
        is_atomic_request_5_q            <= is_atomic_request_4_q;
        is_atomic_request_6_q            <= is_atomic_request_5_q;
        region_end_6_q                   <= region_end;
        distance_7_q                     <= distance;
        most_distance_7_q                <= most_distance;
        reaches_memory_7_q               <= reaches_memory_6_q;
        row_address_7_q                  <= row_address;
        region_bad_stag_7_q              <= region_bad_stag;
        region_bad_association_7_q       <= region_bad_association;
        region_bad_access_7_q            <= region_bad_access;
        region_to_wraps_7_q              <= region_to_wraps;
        receives_2_q                     <= receives;
        is_terminate_2_q                 <= is_terminate;
        msn_2_q                          <= msn;
        has_msn_2_q                      <= has_msn;
        mo_2_q                           <= mo;
        receives_3_q                     <= receives_2_q;
        message_end_3_q                  <= message_end;
        message_end_4_q                  <= message_end_3_q;
        request_msn_3_q                  <= now_request_msn[4:0];
        unanswered_4_q                   <= unanswered;
        is_request_3_q                   <= is_request_2_q;
        is_request_4_q                   <= is_request_3_q;
        identifier_2_q                   <= identifier;
        identifier_3_q                   <= identifier_2_q;
        identifier_4_q                   <= identifier_3_q;
        awaits_nothing_4_q               <= awaits_nothing;
        is_read_response_3_q             <= is_read_response_2_q;
        is_read_response_4_q             <= is_read_response_3_q;
        received_before_4_q              <= received_before_3_q;
        payload_length_3_q               <= payload_length_2_q;
        payload_length_4_q               <= payload_length_3_q;
        payload_length_5_q               <= payload_length_4_q;
        missing_5_q                      <= missing;
        is_read_response_5_q             <= is_read_response_4_q;
        is_last_3_q                      <= is_last_2_q;
        is_last_4_q                      <= is_last_3_q;
        is_last_5_q                      <= is_last_4_q;
        named_stag_5_q                   <= named_stag_4_q;
        sink_stag_5_q                    <= oldest_stag;
        has_payload_2_q                  <= has_payload;
        has_payload_3_q                  <= has_payload_2_q;
        has_payload_4_q                  <= has_payload_3_q;
        has_payload_5_q                  <= has_payload_4_q;
        is_send_6_q                      <= is_send_5_q;
        is_send_7_q                      <= is_send_6_q;
        is_reply_6_q                     <= is_reply_5_q;
        is_reply_7_q                     <= is_reply_6_q;
        invalidated_entry_6_q            <= invalidated_entry;
        invalidate_stag_5_q              <= invalidate_stag_4_q;
        invalidate_stag_6_q              <= invalidate_stag_5_q;
        is_invalidating_2_q              <= is_invalidating;
        is_invalidating_3_q              <= is_invalidating_2_q;
        is_invalidating_4_q              <= is_invalidating_3_q;
        is_invalidating_5_q              <= is_invalidating_4_q;
        is_invalidating_6_q              <= is_invalidating_5_q;
        is_last_6_q                      <= is_last_5_q;
        is_tagged_access_2_q             <= is_tagged_access;
        is_tagged_access_3_q             <= is_tagged_access_2_q;
        is_tagged_access_4_q             <= is_tagged_access_3_q;
        is_tagged_access_5_q             <= is_tagged_access_4_q;
        is_tagged_access_6_q             <= is_tagged_access_5_q;
        is_request_5_q                   <= is_request_4_q;
        is_request_6_q                   <= is_request_5_q;
        is_tagged_access_7_q             <= is_tagged_access_6_q;
        is_request_7_q                   <= is_request_6_q;
        is_atomic_request_7_q            <= is_atomic_request_6_q;
        breaks_msn_out_of_range_3_q      <= breaks_msn_out_of_range;
        breaks_msn_out_of_range_4_q      <= breaks_msn_out_of_range_3_q;
        breaks_msn_out_of_range_5_q      <= breaks_msn_out_of_range_4_q;
        breaks_msn_out_of_range_6_q      <= breaks_msn_out_of_range_5_q;
        breaks_msn_out_of_range_7_q      <= breaks_msn_out_of_range_6_q;
        breaks_msn_out_of_range_8_q      <= breaks_msn_out_of_range_7_q;
        breaks_no_receive_buffer_4_q     <= breaks_no_receive_buffer;
        breaks_no_receive_buffer_5_q     <= breaks_no_receive_buffer_4_q;
        breaks_no_receive_buffer_6_q     <= breaks_no_receive_buffer_5_q;
        breaks_no_receive_buffer_7_q     <= breaks_no_receive_buffer_6_q;
        breaks_no_receive_buffer_8_q     <= breaks_no_receive_buffer_7_q;
        breaks_ird_exceeded_5_q          <= breaks_ird_exceeded;
        breaks_ird_exceeded_6_q          <= breaks_ird_exceeded_5_q;
        breaks_ird_exceeded_7_q          <= breaks_ird_exceeded_6_q;
        breaks_ird_exceeded_8_q          <= breaks_ird_exceeded_7_q;
        breaks_no_atomic_outstanding_4_q <= breaks_no_atomic_outstanding;
        breaks_no_atomic_outstanding_5_q <= breaks_no_atomic_outstanding_4_q;
        breaks_no_atomic_outstanding_6_q <= breaks_no_atomic_outstanding_5_q;
        breaks_no_atomic_outstanding_7_q <= breaks_no_atomic_outstanding_6_q;
        breaks_no_atomic_outstanding_8_q <= breaks_no_atomic_outstanding_7_q;
        breaks_wrong_mo_3_q              <= breaks_wrong_mo;
        breaks_wrong_mo_4_q              <= breaks_wrong_mo_3_q;
        breaks_wrong_mo_5_q              <= breaks_wrong_mo_4_q;
        breaks_wrong_mo_6_q              <= breaks_wrong_mo_5_q;
        breaks_wrong_mo_7_q              <= breaks_wrong_mo_6_q;
        breaks_wrong_mo_8_q              <= breaks_wrong_mo_7_q;
        breaks_opcode_changes_3_q        <= breaks_opcode_changes;
        breaks_opcode_changes_4_q        <= breaks_opcode_changes_3_q;
        breaks_opcode_changes_5_q        <= breaks_opcode_changes_4_q;
        breaks_opcode_changes_6_q        <= breaks_opcode_changes_5_q;
        breaks_opcode_changes_7_q        <= breaks_opcode_changes_6_q;
        breaks_opcode_changes_8_q        <= breaks_opcode_changes_7_q;
        breaks_unexpected_response_5_q   <= breaks_unexpected_response;
        breaks_unexpected_response_6_q   <= breaks_unexpected_response_5_q;
        breaks_unexpected_response_7_q   <= breaks_unexpected_response_6_q;
        breaks_unexpected_response_8_q   <= breaks_unexpected_response_7_q;
        breaks_interleaved_3_q           <= breaks_interleaved;
        breaks_interleaved_4_q           <= breaks_interleaved_3_q;
        breaks_interleaved_5_q           <= breaks_interleaved_4_q;
        breaks_interleaved_6_q           <= breaks_interleaved_5_q;
        breaks_interleaved_7_q           <= breaks_interleaved_6_q;
        breaks_interleaved_8_q           <= breaks_interleaved_7_q;
        breaks_message_too_long_5_q      <= breaks_message_too_long;
        breaks_message_too_long_6_q      <= breaks_message_too_long_5_q;
        breaks_message_too_long_7_q      <= breaks_message_too_long_6_q;
        breaks_message_too_long_8_q      <= breaks_message_too_long_7_q;
        breaks_read_too_long_6_q         <= breaks_read_too_long;
        breaks_read_too_long_7_q         <= breaks_read_too_long_6_q;
        breaks_read_too_long_8_q         <= breaks_read_too_long_7_q;
        breaks_wrong_read_last_6_q       <= breaks_wrong_read_last;
        breaks_wrong_read_last_7_q       <= breaks_wrong_read_last_6_q;
        breaks_wrong_read_last_8_q       <= breaks_wrong_read_last_7_q;
        breaks_wrong_sink_stag_6_q       <= breaks_wrong_sink_stag;
        breaks_wrong_sink_stag_7_q       <= breaks_wrong_sink_stag_6_q;
        breaks_wrong_sink_stag_8_q       <= breaks_wrong_sink_stag_7_q;
        breaks_wrong_sink_to_6_q         <= breaks_wrong_sink_to;
        breaks_wrong_sink_to_7_q         <= breaks_wrong_sink_to_6_q;
        breaks_wrong_sink_to_8_q         <= breaks_wrong_sink_to_7_q;
        breaks_wrong_identifier_5_q      <= breaks_wrong_identifier;
        breaks_wrong_identifier_6_q      <= breaks_wrong_identifier_5_q;
        breaks_wrong_identifier_7_q      <= breaks_wrong_identifier_6_q;
        breaks_wrong_identifier_8_q      <= breaks_wrong_identifier_7_q;
        breaks_aopcode_not_supported_2_q <= breaks_aopcode_not_supported;
        breaks_aopcode_not_supported_3_q <= breaks_aopcode_not_supported_2_q;
        breaks_aopcode_not_supported_4_q <= breaks_aopcode_not_supported_3_q;
        breaks_aopcode_not_supported_5_q <= breaks_aopcode_not_supported_4_q;
        breaks_aopcode_not_supported_6_q <= breaks_aopcode_not_supported_5_q;
        breaks_aopcode_not_supported_7_q <= breaks_aopcode_not_supported_6_q;
        breaks_aopcode_not_supported_8_q <= breaks_aopcode_not_supported_7_q;
        breaks_request_stag_7_q          <= breaks_request_stag;
        breaks_request_stag_8_q          <= breaks_request_stag_7_q;
        breaks_request_association_7_q   <= breaks_request_association;
        breaks_request_association_8_q   <= breaks_request_association_7_q;
        breaks_request_access_7_q        <= breaks_request_access;
        breaks_request_access_8_q        <= breaks_request_access_7_q;
        breaks_request_to_wrap_7_q       <= breaks_request_to_wrap;
        breaks_request_to_wrap_8_q       <= breaks_request_to_wrap_7_q;
        breaks_request_bounds_8_q        <= breaks_request_bounds;
        breaks_misaligned_8_q            <= breaks_misaligned;
        breaks_tagged_stag_7_q           <= breaks_tagged_stag;
        breaks_tagged_stag_8_q           <= breaks_tagged_stag_7_q;
        breaks_tagged_association_7_q    <= breaks_tagged_association;
        breaks_tagged_association_8_q    <= breaks_tagged_association_7_q;
        breaks_tagged_access_7_q         <= breaks_tagged_access;
        breaks_tagged_access_8_q         <= breaks_tagged_access_7_q;
        breaks_tagged_to_wrap_7_q        <= breaks_tagged_to_wrap;
        breaks_tagged_to_wrap_8_q        <= breaks_tagged_to_wrap_7_q;
        breaks_tagged_bounds_8_q         <= breaks_tagged_bounds;
        breaks_local_8_q                 <= breaks_local;
        breaks_cannot_invalidate_7_q     <= breaks_cannot_invalidate;
        breaks_cannot_invalidate_8_q     <= breaks_cannot_invalidate_7_q;
        rule_1_q                         <= record_rule;
        rule_2_q                         <= rule_1_q;
        rule_3_q                         <= rule_2_q;
        rule_4_q                         <= rule_3_q;
        rule_5_q                         <= rule_4_q;
        rule_6_q                         <= rule_5_q;
        rule_7_q                         <= rule_6_q;
        rule_8_q                         <= rule_7_q;
        is_write_7_q                     <= is_write_6_q;
        is_write_8_q                     <= is_write_7_q;
        is_read_response_6_q             <= is_read_response_5_q;
        is_read_response_7_q             <= is_read_response_6_q;
        is_read_response_8_q             <= is_read_response_7_q;
        reaches_memory_8_q               <= reaches_memory_7_q;
        is_request_8_q                   <= is_request_7_q;
        is_send_8_q                      <= is_send_7_q;
        is_reply_8_q                     <= is_reply_7_q;
        is_invalidating_7_q              <= is_invalidating_6_q;
        is_invalidating_8_q              <= is_invalidating_7_q;
        is_last_7_q                      <= is_last_6_q;
        is_last_8_q                      <= is_last_7_q;
        region_ahead_1_5_q               <= region_ahead_1;
        region_ahead_1_6_q               <= region_ahead_1_5_q;
        region_ahead_1_7_q               <= region_ahead_1_6_q;
        region_ahead_1_8_q               <= region_ahead_1_7_q;
        region_ahead_2_5_q               <= region_ahead_2;
        region_ahead_2_6_q               <= region_ahead_2_5_q;
        region_ahead_2_7_q               <= region_ahead_2_6_q;
        region_ahead_2_8_q               <= region_ahead_2_7_q;
        invalidate_stag_7_q              <= invalidate_stag_6_q;
        region_ahead_3_5_q               <= region_ahead_3;
        region_ahead_3_6_q               <= region_ahead_3_5_q;
        region_ahead_3_7_q               <= region_ahead_3_6_q;
        region_ahead_3_8_q               <= region_ahead_3_7_q;
        invalidate_stag_8_q              <= invalidate_stag_7_q;
        region_ahead_4_5_q               <= region_ahead_4;
        region_ahead_4_6_q               <= region_ahead_4_5_q;
        region_ahead_4_7_q               <= region_ahead_4_6_q;
        region_ahead_4_8_q               <= region_ahead_4_7_q;
        invalidate_stag_9_q              <= invalidate_stag_8_q;
        region_ahead_5_5_q               <= region_ahead_5;
        region_ahead_5_6_q               <= region_ahead_5_5_q;
        region_ahead_5_7_q               <= region_ahead_5_6_q;
        region_ahead_5_8_q               <= region_ahead_5_7_q;
        region_went_before_9_q           <= region_went_before;
        region_may_go_9_q                <= region_may_go;
        invalidated_ahead_1_5_q          <= invalidated_ahead_1;
        invalidated_ahead_1_6_q          <= invalidated_ahead_1_5_q;
        invalidated_ahead_1_7_q          <= invalidated_ahead_1_6_q;
        invalidated_ahead_1_8_q          <= invalidated_ahead_1_7_q;
        invalidated_ahead_2_5_q          <= invalidated_ahead_2;
        invalidated_ahead_2_6_q          <= invalidated_ahead_2_5_q;
        invalidated_ahead_2_7_q          <= invalidated_ahead_2_6_q;
        invalidated_ahead_2_8_q          <= invalidated_ahead_2_7_q;
        invalidated_ahead_3_5_q          <= invalidated_ahead_3;
        invalidated_ahead_3_6_q          <= invalidated_ahead_3_5_q;
        invalidated_ahead_3_7_q          <= invalidated_ahead_3_6_q;
        invalidated_ahead_3_8_q          <= invalidated_ahead_3_7_q;
        invalidated_ahead_4_5_q          <= invalidated_ahead_4;
        invalidated_ahead_4_6_q          <= invalidated_ahead_4_5_q;
        invalidated_ahead_4_7_q          <= invalidated_ahead_4_6_q;
        invalidated_ahead_4_8_q          <= invalidated_ahead_4_7_q;
        invalidated_ahead_5_5_q          <= invalidated_ahead_5;
        invalidated_ahead_5_6_q          <= invalidated_ahead_5_5_q;
        invalidated_ahead_5_7_q          <= invalidated_ahead_5_6_q;
        invalidated_ahead_5_8_q          <= invalidated_ahead_5_7_q;
        invalidated_went_before_9_q      <= invalidated_went_before;
        invalidated_may_go_9_q           <= invalidated_may_go;
        broken_rule_9_q                  <= broken_rule;
        breaks_before_stag_9_q           <= breaks_before_stag;
        stag_rule_9_q                    <= stag_rule;
        breaks_before_invalidation_9_q   <= breaks_before_invalidation;
        stream_7_q                       <= stream_6_q;
        stream_8_q                       <= stream_7_q;
        stream_9_q                       <= stream_8_q;
        stream_10_q                      <= stream_9_q;
        is_segment_2_q                   <= is_segment_1_q;
        is_segment_3_q                   <= is_segment_2_q;
        is_segment_4_q                   <= is_segment_3_q;
        is_segment_5_q                   <= is_segment_4_q;
        is_segment_6_q                   <= is_segment_5_q;
        is_segment_7_q                   <= is_segment_6_q;
        is_segment_8_q                   <= is_segment_7_q;
        is_segment_9_q                   <= is_segment_8_q;
        breaks_rule_9_q                  <= breaks_rule;
        is_failure_1_q                   <= failure_turn_q;
        is_failure_2_q                   <= is_failure_1_q;
        is_failure_3_q                   <= is_failure_2_q;
        is_failure_4_q                   <= is_failure_3_q;
        is_failure_5_q                   <= is_failure_4_q;
        is_failure_6_q                   <= is_failure_5_q;
        is_failure_7_q                   <= is_failure_6_q;
        is_failure_8_q                   <= is_failure_7_q;
        is_failure_9_q                   <= is_failure_8_q;
        is_terminate_3_q                 <= is_terminate_2_q;
        is_terminate_4_q                 <= is_terminate_3_q;
        is_terminate_5_q                 <= is_terminate_4_q;
        is_terminate_6_q                 <= is_terminate_5_q;
        is_terminate_7_q                 <= is_terminate_6_q;
        is_terminate_8_q                 <= is_terminate_7_q;
        is_terminate_9_q                 <= is_terminate_8_q;
        payload_length_6_q               <= payload_length_5_q;
        payload_length_7_q               <= payload_length_6_q;
        payload_length_8_q               <= payload_length_7_q;
        wants_place_9_q                  <= wants_place;
        is_opening_3_q                   <= is_opening_2_q;
        is_opening_4_q                   <= is_opening_3_q;
        is_opening_5_q                   <= is_opening_4_q;
        is_opening_6_q                   <= is_opening_5_q;
        is_opening_7_q                   <= is_opening_6_q;
        is_opening_8_q                   <= is_opening_7_q;
        is_opening_9_q                   <= is_opening_8_q;
        opens_1_q                        <= opening_open;
        opens_2_q                        <= opens_1_q;
        opens_3_q                        <= opens_2_q;
        opens_4_q                        <= opens_3_q;
        opens_5_q                        <= opens_4_q;
        opens_6_q                        <= opens_5_q;
        opens_7_q                        <= opens_6_q;
        opens_8_q                        <= opens_7_q;
        opens_9_q                        <= opens_8_q;
        names_invalidated_9_q            <= names_invalidated;
        completes_receive_3_q            <= completes_receive;
        completes_receive_4_q            <= completes_receive_3_q;
        completes_receive_5_q            <= completes_receive_4_q;
        completes_receive_6_q            <= completes_receive_5_q;
        completes_receive_7_q            <= completes_receive_6_q;
        completes_receive_8_q            <= completes_receive_7_q;
        completes_receive_9_q            <= completes_receive_8_q;
        completes_response_3_q           <= completes_response;
        completes_response_4_q           <= completes_response_3_q;
        completes_response_5_q           <= completes_response_4_q;
        completes_response_6_q           <= completes_response_5_q;
        completes_response_7_q           <= completes_response_6_q;
        completes_response_8_q           <= completes_response_7_q;
        completes_response_9_q           <= completes_response_8_q;
        is_request_9_q                   <= is_request_8_q;
        releases_3_q                     <= releases;
        releases_4_q                     <= releases_3_q;
        releases_5_q                     <= releases_4_q;
        releases_6_q                     <= releases_5_q;
        releases_7_q                     <= releases_6_q;
        releases_8_q                     <= releases_7_q;
        releases_9_q                     <= releases_8_q;
        is_write_9_q                     <= is_write_8_q;
        first_rule_10_q                  <= first_rule;
        fails_10_q                       <= fails;
        is_accepted_10_q                 <= is_accepted;
        terminates_10_q                  <= terminates;
        is_close_10_q                    <= is_close;
        places_10_q                      <= places;
        brings_payload_9_q               <= brings_payload;
        brings_payload_10_q              <= brings_payload_9_q;
        awaited_place_10_q               <= awaited_place;
        brings_delivery_10_q             <= brings_delivery;
        completes_receive_10_q           <= completes_receive_9_q;
        receives_used_3_q                <= receives_used;
        receives_used_4_q                <= receives_used_3_q;
        receives_used_5_q                <= receives_used_4_q;
        receives_used_6_q                <= receives_used_5_q;
        receives_used_7_q                <= receives_used_6_q;
        receives_used_8_q                <= receives_used_7_q;
        receives_used_9_q                <= receives_used_8_q;
        receives_used_10_q               <= receives_used_9_q;
        invalidate_stag_10_q             <= invalidate_stag_9_q;
        is_segment_10_q                  <= is_segment_9_q;
        life_open_10_q                   <= life_open;
        completes_response_10_q          <= completes_response_9_q;
        is_request_10_q                  <= is_request_9_q;
        waits_3_q                        <= waits;
        waits_4_q                        <= waits_3_q;
        waits_5_q                        <= waits_4_q;
        waits_6_q                        <= waits_5_q;
        waits_7_q                        <= waits_6_q;
        waits_8_q                        <= waits_7_q;
        waits_9_q                        <= waits_8_q;
        waits_10_q                       <= waits_9_q;
        releases_10_q                    <= releases_9_q;
        is_write_10_q                    <= is_write_9_q;
        is_reply_9_q                     <= is_reply_8_q;
        is_reply_10_q                    <= is_reply_9_q;
        region_address_8_q               <= region_address;
        region_address_9_q               <= region_address_8_q;
        region_address_10_q              <= region_address_9_q;
        is_failure_10_q                  <= is_failure_9_q;
        is_tagged_2_q                    <= is_tagged;
        is_tagged_3_q                    <= is_tagged_2_q;
        is_tagged_4_q                    <= is_tagged_3_q;
        is_tagged_5_q                    <= is_tagged_4_q;
        is_tagged_6_q                    <= is_tagged_5_q;
        is_tagged_7_q                    <= is_tagged_6_q;
        is_tagged_8_q                    <= is_tagged_7_q;
        is_tagged_9_q                    <= is_tagged_8_q;
        is_tagged_10_q                   <= is_tagged_9_q;
        is_read_request_7_q              <= is_read_request_6_q;
        is_read_request_8_q              <= is_read_request_7_q;
        is_read_request_9_q              <= is_read_request_8_q;
        is_read_request_10_q             <= is_read_request_9_q;
        response_msn_3_q                 <= now_response_msn;
        response_msn_4_q                 <= response_msn_3_q;
        held_in_q                        <= held_in_q + 3'd1;
        held_out_q                       <= held_out_q + 3'd1;
        opcode_3_q                       <= opcode_2_q;
        opcode_4_q                       <= opcode_3_q;
        opcode_5_q                       <= opcode_4_q;
        opcode_6_q                       <= opcode_5_q;
        opcode_7_q                       <= opcode_6_q;
        opcode_8_q                       <= opcode_7_q;
        opcode_9_q                       <= opcode_8_q;
        opcode_10_q                      <= opcode_9_q;
        is_immediate_3_q                 <= is_immediate_2_q;
        is_immediate_4_q                 <= is_immediate_3_q;
        is_immediate_5_q                 <= is_immediate_4_q;
        is_immediate_6_q                 <= is_immediate_5_q;
        is_immediate_7_q                 <= is_immediate_6_q;
        is_immediate_8_q                 <= is_immediate_7_q;
        is_immediate_9_q                 <= is_immediate_8_q;
        is_immediate_10_q                <= is_immediate_9_q;
        waits_first_3_q                  <= waits_first;
        waits_first_4_q                  <= waits_first_3_q;
        waits_first_5_q                  <= waits_first_4_q;
        waits_first_6_q                  <= waits_first_5_q;
        waits_first_7_q                  <= waits_first_6_q;
        waits_first_8_q                  <= waits_first_7_q;
        waits_first_9_q                  <= waits_first_8_q;
        waits_first_10_q                 <= waits_first_9_q;
        fault_1_q                        <= failure_fault;
        fault_2_q                        <= fault_1_q;
        fault_3_q                        <= fault_2_q;
        fault_4_q                        <= fault_3_q;
        fault_5_q                        <= fault_4_q;
        fault_6_q                        <= fault_5_q;
        fault_7_q                        <= fault_6_q;
        fault_8_q                        <= fault_7_q;
        fault_9_q                        <= fault_8_q;
        fault_10_q                       <= fault_9_q;
        is_atomic_request_8_q            <= is_atomic_request_7_q;
        is_atomic_request_9_q            <= is_atomic_request_8_q;
        is_atomic_request_10_q           <= is_atomic_request_9_q;
        is_send_9_q                      <= is_send_8_q;
        is_send_10_q                     <= is_send_9_q;
        is_invalidating_9_q              <= is_invalidating_8_q;
        is_invalidating_10_q             <= is_invalidating_9_q;
        if (rst) begin
            valid_1_q    <= 1'b0;
            valid_2_q    <= 1'b0;
            valid_3_q    <= 1'b0;
            valid_4_q    <= 1'b0;
            valid_5_q    <= 1'b0;
            valid_6_q    <= 1'b0;
            valid_7_q    <= 1'b0;
            valid_8_q    <= 1'b0;
            valid_9_q    <= 1'b0;
            valid_10_q   <= 1'b0;
            record_in_q  <= 4'd8;
            record_out_q <= 4'd0;
            held_in_q    <= 3'd5;
            held_out_q   <= 3'd0;
        end
    end

    // Not read:
    // octets, leaving: only its fields are read
    // row_rights_local_read, row_rights_invalidate: rights for other uses of the region
    // invalidated_row_rights_local_read, invalidated_row_rights_local_write, invalidated_row_rights_remote_read,
    // invalidated_row_rights_remote_write, invalidated_row_rights_remote_atomic, invalidated_row_base,
    // invalidated_row_length, invalidated_row_address: an invalidation accesses no memory
    // leaving_msn[31:5]: a few bits of an MSN suffice for its credit
    // places_in_ready, deliveries_in_ready: room was reserved when the segment was accepted
    wire unused = &{
        1'b0, octets, row_rights_local_read, row_rights_invalidate, invalidated_row_rights_local_read,
        invalidated_row_rights_local_write, invalidated_row_rights_remote_read,
        invalidated_row_rights_remote_write, invalidated_row_rights_remote_atomic, invalidated_row_base,
        invalidated_row_length, invalidated_row_address, leaving, leaving_msn[31:5], places_in_ready,
        deliveries_in_ready, is_crowded_difference[3:0]
    };
endmodule
`default_nettype wire
