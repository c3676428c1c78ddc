// rx_check keeps the receive state of each stream and decides on every segment, in order: message numbers and offsets
// of queues 0 to 3 (RFC 5041 section 7), receive requests, IRD, the region of the STag, the responses that the
// requester waits for (RFC 5040 sections 5 and 7, RFC 7306 sections 5, 6 and 8).
//
// A valid segment produces a placement of its payload, a delivery, or both. The first error of a stream ends it with
// one Terminate; so does a failure that another block reports. Payload of a segment that is not placed is discarded.
//
// A Write, Read Request or Atomic Request takes one cycle; a Send, Immediate Data or a response takes three, because
// its buffer is looked up first. After reset all streams are closed, one per cycle; nothing is accepted before that.
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
    input  wire [5:0]   record_rule,           // 0 valid, else the number of the rule that it breaks
    input  wire [15:0]  record_segment_length, // octets of the segment
    input  wire [15:0]  record_payload_length, // octets on the payload stream that go with it; 0: no packet there
    // first 70 octets of the segment, octet i in [8i+7:8i]; zero where the segment has none
    input  wire [559:0] record_header,

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 shuts it
    input  wire [15:0]  opening_domain, // protection domain: STags of that domain are associated with the stream

    // failure: of other blocks
    input  wire         failure_valid,
    output wire         failure_ready,
    input  wire [5:0]   failure_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request is gone
    input  wire         failure_fault,

    // expecting: what the requester will get an answer to
    input  wire         expecting_valid,
    output wire         expecting_ready,
    input  wire [5:0]   expecting_stream,     // number of the stream
    input  wire         expecting_executor,   // number of the executor at the peer
    input  wire [31:0]  expecting_identifier, // Request Identifier, of a request that has one
    input  wire [31:0]  expecting_stag,       // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  expecting_to,         // tagged offset of the first octet
    input  wire [31:0]  expecting_length,     // octets of the response

    // credit: what the responder has answered
    input  wire         credit_valid,
    output wire         credit_ready,
    input  wire [5:0]   credit_stream, // number of the stream
    input  wire [31:0]  credit_number, // of the request that is answered

    // region: row of the buffer or target
    output wire         region_enable, // look index up in this clock
    output wire [23:0]  region_index,  // upper 24 bits of an STag
    input  wire [223:0] region_entry,  // packed STagEntry, from the next clock on

    // invalidated: row of the STag that a Send with Invalidate names
    output wire         invalidated_enable, // look index up in this clock
    output wire [23:0]  invalidated_index,  // upper 24 bits of an STag
    input  wire [223:0] invalidated_entry,  // packed STagEntry, from the next clock on

    output wire         kill,       // that row becomes invalid
    output wire [23:0]  kill_index, // upper 24 bits of the STag

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
    output wire         place_discard, // 1: the payload goes nowhere
    output wire         place_inline,  // 1: the octets are those of data, not of the payload stream
    output wire [63:0]  place_address, // of the first octet in memory
    output wire [15:0]  place_length,  // octets, at least 1
    output wire [63:0]  place_data,    // octets of an inline placement, the first one in [7:0]

    input  wire [8:0]   placed, // number of the latest placement that is finished
    output wire [8:0]   begun,  // number of the latest placement that was begun

    // deliver
    output wire         deliver_valid,
    input  wire         deliver_ready,
    // 0 receive complete, 1 response complete, 2 request accepted, 3 this node ends the stream, 4 the peer has, 5 a
    // Write is complete for which requests wait
    output wire [2:0]   deliver_kind,
    output wire [8:0]   deliver_place,                  // number of the stream's latest placement
    output wire [63:0]  deliver_id,                     // of the receive request
    output wire [3:0]   deliver_opcode,                 // opcode of the message
    output wire [31:0]  deliver_length,                 // octets of the message
    // of DeliverEnd: the profile's number of the rule that a segment has broken; 0: no segment is the cause
    output wire [5:0]   deliver_rule,
    output wire         deliver_queue_waits,            // the request stays until it is released
    // this many requests, from Slot on, may go on, 0 to IRD; the item is no request then
    output wire [3:0]   deliver_queue_released,
    output wire [3:0]   deliver_queue_slot,             // of the item, or of the first request that is released
    output wire [5:0]   deliver_request_stream,         // number of the stream
    // number of the executor: 0 Read, 1 Atomic; then the end of the stream, and its silent end
    output wire [1:0]   deliver_request_kind,
    output wire [31:0]  deliver_request_number,         // of the request; the credit of its answer has it
    output wire [31:0]  deliver_request_stag,           // STag of the target or source
    output wire [63:0]  deliver_request_address,        // of the target or source in memory
    output wire [31:0]  deliver_request_response_msn,   // of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   deliver_request_term_layer,
    output wire [3:0]   deliver_request_term_etype,     // error type that the Terminate reports
    output wire [7:0]   deliver_request_term_code,      // error code that the Terminate reports
    output wire [5:0]   deliver_request_header_length,  // octets of Body that a Terminate gives back: 0, 14, 18 or 46
    output wire [15:0]  deliver_request_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; of an end the terminated header
    output wire [415:0] deliver_request_body,

    // count
    output wire         count_segments,    // a segment came
    output wire         count_discarded,   // it was for a stream that is not open
    output wire         count_errors,      // it ends its stream with an error
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

    wire fire;

    // ---- Take: an opening first, then a failure, then a segment
    reg  [5:0]   held_stream_q;
    reg  [5:0]   held_rule_q;
    reg  [15:0]  held_segment_length_q;
    reg  [15:0]  held_payload_length_q;
    reg  [559:0] held_header_q;
    reg  [5:0]   opening_stream_q;
    reg          opening_open_q;
    reg  [15:0]  opening_domain_q;
    reg          fault_q;
    reg          held_valid_q;
    reg          held_is_opening_q;
    reg          held_is_failure_q;
    wire         advance        = swept_q & (~held_valid_q | fire);
    wire         take_record    = advance & record_valid & ~opening_valid & ~failure_valid;
    wire         take           = advance & (opening_valid | failure_valid | record_valid);
    assign opening_ready = advance;
    assign failure_ready = advance & ~opening_valid;
    assign record_ready  = advance & ~(opening_valid | failure_valid);
    wire [5:0]   fetched_stream =
        opening_valid ? opening_stream :
        failure_valid ? failure_stream :
                        record_stream;
    wire [367:0] incoming;
    generate
        for (i = 0; i < 46; i = i + 1) begin : each_incoming
            assign incoming[8 * i +: 8] = record_header[8 * (45 - i) +: 8];
        end
    endgenerate
    wire [3:0]  incoming_opcode          = incoming[355:352];
    wire        incoming_is_tagged       = incoming[367];
    wire [31:0] incoming_stag            = incoming[351:320];
    wire [63:0] incoming_to              = incoming[319:256];
    wire [31:0] incoming_data_source_stag = incoming[95:64];
    wire [63:0] incoming_data_source_to  = incoming[63:0];
    wire [31:0] incoming_read_message_size = incoming[127:96];
    wire        incoming_is_read         = incoming_opcode == 4'd1;
    wire        incoming_is_atomic       = incoming_opcode == 4'd10;
    wire [31:0] incoming_remote_stag     = incoming[159:128];
    wire [63:0] incoming_remote_to       = incoming[127:64];
    wire        incoming_is_slow         =
        ~((incoming_opcode == 4'd0) | incoming_is_read | incoming_is_atomic);
    wire [31:0] incoming_region_stag     =
        incoming_is_tagged ? incoming_stag :
        incoming_is_atomic ? incoming_remote_stag :
                             incoming_data_source_stag;
    wire [63:0] incoming_region_to       =
        incoming_is_tagged ? incoming_to :
        incoming_is_atomic ? incoming_remote_to :
                             incoming_data_source_to;
    wire [31:0] incoming_region_length   =
        incoming_is_tagged ? {16'd0, record_payload_length} :
        incoming_is_atomic ? 32'd8 :
                             incoming_read_message_size;
    localparam [1:0] STEP_DECIDING = 2'd0;
    localparam [1:0] STEP_READING  = 2'd1;
    localparam [1:0] STEP_LOOKING  = 2'd2;
    reg [1:0] step_q;

    always @(posedge clk) begin
        if (advance) begin
            held_valid_q <= take;
        end
        if (take) begin
            held_stream_q         <= fetched_stream;
            held_rule_q           <= record_rule;
            held_segment_length_q <= record_segment_length;
            held_payload_length_q <= record_payload_length;
            held_header_q         <= record_header;
            fault_q               <= failure_fault;
            opening_stream_q      <= opening_stream;
            opening_open_q        <= opening_open;
            opening_domain_q      <= opening_domain;
            held_is_opening_q     <= opening_valid;
            held_is_failure_q     <= failure_valid & ~opening_valid;
        end
        case (step_q)
            STEP_DECIDING: begin
                if (take_record & incoming_is_slow) begin
                    step_q <= STEP_READING;
                end
            end
            STEP_READING: begin
                step_q <= STEP_LOOKING;
            end
            STEP_LOOKING: begin
                step_q <= STEP_DECIDING;
            end
            default: ;
        endcase
        if (rst) begin
            held_valid_q <= 1'b0;
            step_q       <= STEP_DECIDING;
        end
    end

    // ---- State of the streams
    // The sweep writes zeros: a closed stream. What else they say does not count before it is opened.
    reg  [237:0] stream_state [0:63];
    reg          update_valid_q;
    reg  [5:0]   update_stream_q;
    reg  [237:0] update_q;
    wire         write_stream_state = ~swept_q | update_valid_q;
    wire [5:0]   stream_state_row   = ~swept_q ? sweep_q : update_stream_q;
    wire [237:0] stream_state_word  = ~swept_q ? 238'd0 : update_q;
    reg  [237:0] stored_old_q;
    reg  [237:0] stored_new_q;
    reg          stored_is_new_q;
    wire [237:0] stored             = stored_is_new_q ? stored_new_q : stored_old_q;

    always @(posedge clk) begin
        if (write_stream_state) begin
            stream_state[stream_state_row] <= stream_state_word;
        end
        if (take) begin
            stored_old_q <= stream_state[fetched_stream];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            stored_is_new_q <= write_stream_state & (stream_state_row == fetched_stream);
            stored_new_q    <= stream_state_word;
        end
    end

    wire         forward          = update_valid_q & (update_stream_q == held_stream_q);
    wire [237:0] stream_state_now = forward ? update_q : stored;
    wire         now_open         = stream_state_now[237];
    wire [15:0]  now_domain       = stream_state_now[236:221];
    wire [8:0]   now_place        = stream_state_now[220:212];
    wire [31:0]  now_receive_msn  = stream_state_now[211:180];
    wire         now_within       = stream_state_now[179];
    wire [3:0]   now_opcode       = stream_state_now[178:175];
    wire [31:0]  now_offset       = stream_state_now[174:143];
    wire [4:0]   now_consumed     = stream_state_now[142:138];
    wire [31:0]  now_request_msn  = stream_state_now[137:106];
    wire [31:0]  now_response_msn = stream_state_now[105:74];
    wire [31:0]  now_answer_msn   = stream_state_now[73:42];
    wire [3:0]   now_awaited      = stream_state_now[41:38];
    wire [31:0]  now_received     = stream_state_now[37:6];
    wire         now_writing      = stream_state_now[5];
    wire         now_answering    = stream_state_now[4];
    wire [3:0]   now_waiting      = stream_state_now[3:0];

    // ---- Requests answered: the latest Message Sequence Number of queue 1 that the peer has its answer to
    wire        opens              = fire & held_is_opening_q;
    reg  [31:0] answered_msn [0:63];
    assign credit_ready = swept_q & ~opens;
    wire        write_answered_msn = ~swept_q | opens | credit_valid;
    wire [5:0]  answered_msn_row   =
        ~swept_q ? sweep_q :
        opens    ? held_stream_q :
                   credit_stream;
    wire [31:0] answered_msn_word  =
        ~swept_q ? 32'd0 :
        opens    ? 32'd0 :
                   credit_number;
    reg  [31:0] answered_msn_old_q;
    reg  [31:0] answered_msn_new_q;
    reg         answered_msn_is_new_q;
    wire [31:0] answered_msn_q     = answered_msn_is_new_q ? answered_msn_new_q : answered_msn_old_q;

    always @(posedge clk) begin
        if (write_answered_msn) begin
            answered_msn[answered_msn_row] <= answered_msn_word;
        end
        if (take) begin
            answered_msn_old_q <= answered_msn[fetched_stream];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            answered_msn_is_new_q <= write_answered_msn & (answered_msn_row == fetched_stream);
            answered_msn_new_q    <= answered_msn_word;
        end
    end

    // ---- Answers that the requester waits for, and the receive request in turn
    wire         is_reading  = step_q == STEP_READING;
    wire         is_looking  = step_q == STEP_LOOKING;
    reg  [3:0]   asked [0:63];
    reg  [160:0] awaited [0:511];
    reg          asked_is_read_q;
    wire         add_awaited = expecting_valid & asked_is_read_q & ~opens;
    assign expecting_ready = asked_is_read_q & ~opens;

    always @(posedge clk) begin
        asked_is_read_q <= swept_q & expecting_valid & ~add_awaited;
        if (rst) begin
            asked_is_read_q <= 1'b0;
        end
    end

    reg  [3:0] asked_before_old_q;
    reg  [3:0] asked_before_new_q;
    reg        asked_before_is_new_q;
    wire [3:0] asked_before = asked_before_is_new_q ? asked_before_new_q : asked_before_old_q;
    wire       write_asked  = ~swept_q | opens | add_awaited;
    wire [5:0] asked_row    =
        ~swept_q ? sweep_q :
        opens    ? held_stream_q :
                   expecting_stream;
    wire [3:0] asked_word   =
        ~swept_q ? 4'd0 :
        opens    ? 4'd0 :
                   (asked_before + 4'd1);
    reg  [3:0] asked_now_old_q;
    reg  [3:0] asked_now_new_q;
    reg        asked_now_is_new_q;
    wire [3:0] asked_now    = asked_now_is_new_q ? asked_now_new_q : asked_now_old_q;

    always @(posedge clk) begin
        if (write_asked) begin
            asked[asked_row] <= asked_word;
        end
        if (expecting_valid) begin
            asked_before_old_q <= asked[expecting_stream];
        end
        if (is_reading) begin
            asked_now_old_q <= asked[held_stream_q];
        end
    end

    always @(posedge clk) begin
        if (expecting_valid) begin
            asked_before_is_new_q <= write_asked & (asked_row == expecting_stream);
            asked_before_new_q    <= asked_word;
        end
        if (is_reading) begin
            asked_now_is_new_q <= write_asked & (asked_row == held_stream_q);
            asked_now_new_q    <= asked_word;
        end
    end

    reg  [160:0] awaited_old_q;
    reg  [160:0] awaited_new_q;
    reg          awaited_is_new_q;
    wire [160:0] awaited_q          = awaited_is_new_q ? awaited_new_q : awaited_old_q;
    wire [8:0]   awaited_addr       = {held_stream_q, now_awaited[2:0]};
    wire [8:0]   awaited_write_addr = {expecting_stream, asked_before[2:0]};
    wire [160:0] awaited_write_data = {
        expecting_executor, expecting_identifier, expecting_stag, expecting_to, expecting_length
    };

    always @(posedge clk) begin
        if (add_awaited) begin
            awaited[awaited_write_addr] <= awaited_write_data;
        end
        if (is_reading) begin
            awaited_old_q <= awaited[awaited_addr];
        end
    end

    always @(posedge clk) begin
        if (is_reading) begin
            awaited_is_new_q <= add_awaited & (awaited_write_addr == awaited_addr);
            awaited_new_q    <= awaited_write_data;
        end
    end

    wire        oldest_executor   = awaited_q[160];
    wire [31:0] oldest_identifier = awaited_q[159:128];
    wire [31:0] oldest_stag       = awaited_q[127:96];
    wire [63:0] oldest_to         = awaited_q[95:32];
    wire [31:0] oldest_length     = awaited_q[31:0];
    wire        awaits_nothing    = asked_now == now_awaited;
    assign ring_enable = is_reading;
    assign ring_stream = held_stream_q;
    assign ring_slot   = now_consumed[3:0];
    wire [63:0] request_id        = ring_entry[191:128];
    wire [31:0] request_stag      = ring_entry[127:96];
    wire [63:0] request_to        = ring_entry[95:32];
    wire [31:0] request_length    = ring_entry[31:0];
    wire        ring_is_empty     = ring_posted == now_consumed;

    // ---- Region: that of the header's STag, or of the buffer that was read
    wire [559:0] header;
    generate
        for (i = 0; i < 70; i = i + 1) begin : each_header
            assign header[8 * i +: 8] = held_header_q[8 * (69 - i) +: 8];
        end
    endgenerate
    wire [3:0] opcode = header[547:544];
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
    wire        is_write           = opcode == RDMA_WRITE;
    wire        is_read_response   = opcode == READ_RESPONSE;
    wire        is_send            =
        (opcode == SEND) | (opcode == SEND_INV) | (opcode == SEND_SE) | (opcode == SEND_SE_INV);
    wire        is_invalidating    = (opcode == SEND_INV) | (opcode == SEND_SE_INV);
    wire        is_immediate       = (opcode == IMMEDIATE) | (opcode == IMMEDIATE_SE);
    wire        is_terminate       = opcode == TERMINATE;
    wire        is_read_request    = opcode == READ_REQUEST;
    wire        is_atomic_request  = opcode == ATOMIC_REQUEST;
    wire        is_atomic_response = opcode == ATOMIC_RESPONSE;
    wire        is_tagged          = header[559];
    wire        is_last            = header[558];
    reg  [31:0] region_stag_q;
    reg  [63:0] region_to_q;
    reg  [31:0] region_length_q;
    wire [31:0] buffer_stag        = is_send ? request_stag : oldest_stag;
    wire [63:0] buffer_to          = is_send ? (request_to + {32'd0, now_offset}) : oldest_to;
    wire        look_at_buffer     = is_looking & ~is_read_response;

    always @(posedge clk) begin
        if (take) begin
            region_stag_q   <= incoming_region_stag;
            region_to_q     <= incoming_region_to;
            region_length_q <= incoming_region_length;
        end else if (look_at_buffer) begin
            region_stag_q   <= buffer_stag;
            region_to_q     <= buffer_to;
            region_length_q <= is_send ? {16'd0, held_payload_length_q} : 32'd8;
        end
    end

    assign region_enable      = take | look_at_buffer;
    assign region_index       = is_looking ? buffer_stag[31:8] : incoming_region_stag[31:8];
    assign invalidated_enable = take;
    wire [31:0] incoming_invalidate_stag = incoming[351:320];
    assign invalidated_index  = incoming_invalidate_stag[31:8];

    // ---- Decide
    wire        row_valid                = region_entry[223];
    wire [7:0]  row_key                  = region_entry[222:215];
    wire        row_rights_local_read    = region_entry[214];
    wire        row_rights_local_write   = region_entry[213];
    wire        row_rights_remote_read   = region_entry[212];
    wire        row_rights_remote_write  = region_entry[211];
    wire        row_rights_remote_atomic = region_entry[210];
    wire        row_rights_invalidate    = region_entry[209];
    wire        row_by_domain            = region_entry[208];
    wire [15:0] row_owner                = region_entry[207:192];
    wire [63:0] row_base                 = region_entry[191:128];
    wire [63:0] row_length               = region_entry[127:64];
    wire [63:0] row_address              = region_entry[63:0];
    wire        right                    =
        is_write          ? row_rights_remote_write :
        is_read_request   ? row_rights_remote_read :
        is_atomic_request ? row_rights_remote_atomic :
                            row_rights_local_write;
    wire        region_reaches_memory    = |region_length_q;
    // Where the octets end, and how much of the region is left behind them: negative when they end outside.
    wire [64:0] region_end   = {1'b0, region_to_q} + {33'd0, region_length_q};
    wire [63:0] region_base  = row_base;
    wire [65:0] region_slack = ({2'd0, region_base} + {2'd0, row_length}) - {1'b0, region_end};
    wire        region_bad_stag        =
        region_reaches_memory & (~row_valid | (row_key != region_stag_q[7:0]));
    wire        region_bad_association =
        region_reaches_memory & (row_owner != (row_by_domain ? now_domain : {10'd0, held_stream_q}));
    wire        region_bad_access      = region_reaches_memory & ~right;
    wire        region_to_wraps        = region_reaches_memory & region_end[64] & (|region_end[63:0]);
    wire        region_out_of_bounds   =
        region_reaches_memory & (region_slack[65] | (region_to_q < region_base));
    wire [63:0] region_address         = (row_address + region_to_q) - region_base;
    wire [31:0] missing        = oldest_length - now_received;
    wire [31:0] msn            = header[479:448];
    wire [31:0] payload_octets = {16'd0, held_payload_length_q};
    // Queue 0: Sends and Immediate Data
    wire        receives                 = is_send | is_immediate;
    wire [31:0] mo                       = header[447:416];
    wire        buffer_fails             =
        region_bad_stag | region_bad_association | region_bad_access | region_to_wraps | region_out_of_bounds;
    wire [32:0] message_end              = {1'b0, now_offset} + {1'b0, payload_octets};
    wire        inside_tagged            = now_writing | now_answering;
    wire        invalidated_row_valid    = invalidated_entry[223];
    wire [7:0]  invalidated_row_key      = invalidated_entry[222:215];
    wire        invalidated_row_rights_local_read = invalidated_entry[214];
    wire        invalidated_row_rights_local_write = invalidated_entry[213];
    wire        invalidated_row_rights_remote_read = invalidated_entry[212];
    wire        invalidated_row_rights_remote_write = invalidated_entry[211];
    wire        invalidated_row_rights_remote_atomic = invalidated_entry[210];
    wire        invalidated_row_rights_invalidate = invalidated_entry[209];
    wire        invalidated_row_by_domain = invalidated_entry[208];
    wire [15:0] invalidated_row_owner    = invalidated_entry[207:192];
    wire [63:0] invalidated_row_base     = invalidated_entry[191:128];
    wire [63:0] invalidated_row_length   = invalidated_entry[127:64];
    wire [63:0] invalidated_row_address  = invalidated_entry[63:0];
    wire [31:0] header_invalidate_stag = header[543:512];
    wire        may_be_invalidated     =
          ~(~invalidated_row_valid | (invalidated_row_key != header_invalidate_stag[7:0]))
        & (invalidated_row_owner == (invalidated_row_by_domain ? now_domain : {10'd0, held_stream_q}))
        & invalidated_row_rights_invalidate;
    // Queue 1: requests
    wire        asks       = is_read_request | is_atomic_request;
    wire [31:0] unanswered = now_request_msn - answered_msn_q;
    localparam [3:0] FETCH_ADD = 4'd0;
    localparam [3:0] CMP_SWAP  = 4'd2;
    wire [3:0] header_aopcode  = header[387:384];
    wire       is_known_atomic = (header_aopcode == FETCH_ADD) | (header_aopcode == CMP_SWAP);
    wire       is_unaligned    = |region_address[2:0];
    // Queue 2: Terminate
    // Queue 3: responses
    wire        is_reply                 = is_atomic_response;
    wire [31:0] header_original_request_identifier = header[415:384];
    wire [63:0] header_original_remote_data_value = header[383:320];
    wire        reply_is_awaited         = oldest_executor == 1'b1;
    wire [31:0] identifier               = header_original_request_identifier;
    // Read Responses, then what they share with Writes
    wire        is_tagged_access = is_write | is_read_response;
    wire        has_payload      = |held_payload_length_q;
    wire        begins_inside    = ~now_answering & (now_within | now_writing);
    wire        read_is_awaited  = oldest_executor == 1'b0;
    wire [63:0] next_to          = oldest_to + {32'd0, now_received};

    // ---- The first rule that is broken; what the parser has found comes first
    wire breaks_msn_out_of_range  =
          (receives & (msn != now_receive_msn))
        | (asks & (msn != now_request_msn))
        | (is_terminate & (msn != 32'd1))
        | (is_reply & (msn != now_answer_msn));
    wire breaks_no_receive_buffer = receives & ring_is_empty;
    wire breaks_ird_exceeded      = asks & (32'd8 < unanswered);
    wire breaks_no_atomic_outstanding = is_reply & awaits_nothing;
    wire breaks_wrong_mo          = receives & (mo != now_offset);
    wire breaks_opcode_changes    = receives & now_within & (opcode != now_opcode);
    wire breaks_unexpected_response =
        (is_reply & ~reply_is_awaited) | (is_read_response & (awaits_nothing | ~read_is_awaited));
    wire breaks_interleaved       =
          (receives & ~now_within & inside_tagged)
        | (is_reply & (inside_tagged | now_within))
        | (is_read_response & begins_inside);
    wire breaks_message_too_long  = is_send & ({1'b0, request_length} < message_end);
    wire breaks_read_too_long     = is_read_response & (missing < payload_octets);
    wire breaks_wrong_read_last   = is_read_response & (is_last != (payload_octets == missing));
    wire breaks_wrong_sink_stag   = is_read_response & has_payload & (region_stag_q != oldest_stag);
    wire breaks_wrong_sink_to     = is_read_response & has_payload & (region_to_q != next_to);
    wire breaks_wrong_identifier  = is_reply & (identifier != oldest_identifier);
    wire breaks_aopcode_not_supported = is_atomic_request & ~is_known_atomic;
    wire breaks_request_stag      = asks & region_bad_stag;
    wire breaks_request_association = asks & region_bad_association;
    wire breaks_request_access    = asks & region_bad_access;
    wire breaks_request_to_wrap   = asks & region_to_wraps;
    wire breaks_request_bounds    = asks & region_out_of_bounds;
    wire breaks_misaligned        = is_atomic_request & is_unaligned;
    wire breaks_tagged_stag       = is_tagged_access & region_bad_stag;
    wire breaks_tagged_association = is_tagged_access & region_bad_association;
    wire breaks_tagged_access     = is_tagged_access & region_bad_access;
    wire breaks_tagged_to_wrap    = is_tagged_access & region_to_wraps;
    wire breaks_tagged_bounds     = is_tagged_access & region_out_of_bounds;
    wire breaks_local             = (is_send & buffer_fails) | (is_reply & buffer_fails);
    wire breaks_cannot_invalidate = is_invalidating & is_last & ~may_be_invalidated;
    // RFC 5041 4: the segment ends inside its DDP header, or is empty (I-33)
    localparam [5:0] RULE_SHORT_HEADER          = 6'd1;
    localparam [5:0] RULE_TAGGED_DDP_VERSION    = 6'd2; // RFC 5041 7.1: T = 1 and DV is not 01b
    localparam [5:0] RULE_UNTAGGED_DDP_VERSION  = 6'd3; // RFC 5041 7.1: T = 0 and DV is not 01b
    localparam [5:0] RULE_NO_SUCH_QUEUE         = 6'd4; // RFC 5041 7.1: T = 0 and QN is above 3
    localparam [5:0] RULE_BAD_RDMAP_VERSION     = 6'd5; // RFC 5040 7.2: RV is not 01b
    localparam [5:0] RULE_RESERVED_OPCODE       = 6'd6; // RFC 5040 7.2: the opcode is 0xC to 0xF
    localparam [5:0] RULE_WRONG_T_BIT           = 6'd7; // RFC 5040 4.1: T is not what the opcode demands (I-34)
    localparam [5:0] RULE_WRONG_QUEUE           = 6'd8; // RFC 5040 4.1: QN is not the opcode's queue (I-34)
    // RFC 5041 7.1: MO is not 0 in a Read Request, Terminate, Atomic Request or Atomic Response (I-35)
    localparam [5:0] RULE_MO_NOT_ZERO           = 6'd9;
    // RFC 7306 6.3: the message is not one segment of the length that its header has (I-07, I-35)
    localparam [5:0] RULE_WRONG_LENGTH          = 6'd10;
    localparam [5:0] RULE_MSN_OUT_OF_RANGE      = 6'd11; // RFC 5041 7.1: MSN is not the next of the queue (I-37)
    localparam [5:0] RULE_NO_RECEIVE_BUFFER     = 6'd12; // RFC 5041 7.1: no receive request is posted
    // RFC 7306 5.2.2: IRD requests of the stream are not answered yet (I-37, I-82)
    localparam [5:0] RULE_IRD_EXCEEDED          = 6'd13;
    // RFC 7306 5.2.2: an Atomic Response comes and no request is outstanding (I-08, I-37)
    localparam [5:0] RULE_NO_ATOMIC_OUTSTANDING = 6'd14;
    // RFC 5041 7.1: MO is not the number of octets of the message before the segment (I-84)
    localparam [5:0] RULE_WRONG_MO              = 6'd15;
    // RFC 5040 4.1: the opcode is not that of the message's first segment (I-43)
    localparam [5:0] RULE_OPCODE_CHANGES        = 6'd16;
    // RFC 5040 5.2: the oldest outstanding request asks for another response, or for a Read Response none is (I-45,
    // I-80)
    localparam [5:0] RULE_UNEXPECTED_RESPONSE   = 6'd17;
    // RFC 5041 5.4: a Send, Immediate Data or a response begins inside another message (I-78)
    localparam [5:0] RULE_INTERLEAVED           = 6'd18;
    localparam [5:0] RULE_MESSAGE_TOO_LONG      = 6'd19; // RFC 5041 7.1: the message does not fit the receive buffer
    // RFC 5040 5.2: a Read Response has more octets than are missing (I-45)
    localparam [5:0] RULE_READ_TOO_LONG         = 6'd20;
    // RFC 5040 5.2: L of a Read Response does not say whether octets are still missing (I-45)
    localparam [5:0] RULE_WRONG_READ_LAST       = 6'd21;
    // RFC 5040 5.2: the STag of a Read Response is not the Data Sink STag (I-45)
    localparam [5:0] RULE_WRONG_SINK_STAG       = 6'd22;
    // RFC 5040 5.2: the TO of a Read Response is not that of the next missing octet (I-45)
    localparam [5:0] RULE_WRONG_SINK_TO         = 6'd23;
    // RFC 7306 5.2.2: the Original Request Identifier is not the oldest Atomic Request's (I-08)
    localparam [5:0] RULE_WRONG_IDENTIFIER      = 6'd24;
    localparam [5:0] RULE_AOPCODE_NOT_SUPPORTED = 6'd25; // RFC 7306 5.2.1: the AOpCode is not supported (I-03, I-04)
    // RFC 5040 7.2: no valid region has the STag that a request names
    localparam [5:0] RULE_REQUEST_STAG          = 6'd26;
    // RFC 5040 7.2: the STag that a request names belongs neither to the stream nor to its domain
    localparam [5:0] RULE_REQUEST_ASSOCIATION   = 6'd27;
    // RFC 5040 7.2: the STag does not permit what a request asks for
    localparam [5:0] RULE_REQUEST_ACCESS        = 6'd28;
    localparam [5:0] RULE_REQUEST_TO_WRAP       = 6'd29; // RFC 5040 7.2: TO + length of a request is above 2^64 (I-41)
    // RFC 5040 7.2: the octets that a request names are not wholly inside the region
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
    // RFC 5041 7.1: the octets of a tagged segment are not wholly inside the region
    localparam [5:0] RULE_TAGGED_BOUNDS         = 6'd36;
    localparam [5:0] RULE_LOCAL                 = 6'd37; // RFC 7306 8.1: local memory or a local STag fails (I-47)
    // RFC 5040 7.2: the Invalidate STag cannot be invalidated (I-44)
    localparam [5:0] RULE_CANNOT_INVALIDATE     = 6'd38;
    wire       is_wrong    = |held_rule_q;
    wire [5:0] broken_rule =
        is_wrong                     ? held_rule_q :
        breaks_msn_out_of_range      ? RULE_MSN_OUT_OF_RANGE :
        breaks_no_receive_buffer     ? RULE_NO_RECEIVE_BUFFER :
        breaks_ird_exceeded          ? RULE_IRD_EXCEEDED :
        breaks_no_atomic_outstanding ? RULE_NO_ATOMIC_OUTSTANDING :
        breaks_wrong_mo              ? RULE_WRONG_MO :
        breaks_opcode_changes        ? RULE_OPCODE_CHANGES :
        breaks_unexpected_response   ? RULE_UNEXPECTED_RESPONSE :
        breaks_interleaved           ? RULE_INTERLEAVED :
        breaks_message_too_long      ? RULE_MESSAGE_TOO_LONG :
        breaks_read_too_long         ? RULE_READ_TOO_LONG :
        breaks_wrong_read_last       ? RULE_WRONG_READ_LAST :
        breaks_wrong_sink_stag       ? RULE_WRONG_SINK_STAG :
        breaks_wrong_sink_to         ? RULE_WRONG_SINK_TO :
        breaks_wrong_identifier      ? RULE_WRONG_IDENTIFIER :
        breaks_aopcode_not_supported ? RULE_AOPCODE_NOT_SUPPORTED :
        breaks_request_stag          ? RULE_REQUEST_STAG :
        breaks_request_association   ? RULE_REQUEST_ASSOCIATION :
        breaks_request_access        ? RULE_REQUEST_ACCESS :
        breaks_request_to_wrap       ? RULE_REQUEST_TO_WRAP :
        breaks_request_bounds        ? RULE_REQUEST_BOUNDS :
        breaks_misaligned            ? RULE_MISALIGNED :
        breaks_tagged_stag           ? RULE_TAGGED_STAG :
        breaks_tagged_association    ? RULE_TAGGED_ASSOCIATION :
        breaks_tagged_access         ? RULE_TAGGED_ACCESS :
        breaks_tagged_to_wrap        ? RULE_TAGGED_TO_WRAP :
        breaks_tagged_bounds         ? RULE_TAGGED_BOUNDS :
        breaks_local                 ? RULE_LOCAL :
        breaks_cannot_invalidate     ? RULE_CANNOT_INVALIDATE :
                                       6'd0;
    wire       breaks_rule =
          is_wrong
        | breaks_msn_out_of_range
        | breaks_no_receive_buffer
        | breaks_ird_exceeded
        | breaks_no_atomic_outstanding
        | breaks_wrong_mo
        | breaks_opcode_changes
        | breaks_unexpected_response
        | breaks_interleaved
        | breaks_message_too_long
        | breaks_read_too_long
        | breaks_wrong_read_last
        | breaks_wrong_sink_stag
        | breaks_wrong_sink_to
        | breaks_wrong_identifier
        | breaks_aopcode_not_supported
        | breaks_request_stag
        | breaks_request_association
        | breaks_request_access
        | breaks_request_to_wrap
        | breaks_request_bounds
        | breaks_misaligned
        | breaks_tagged_stag
        | breaks_tagged_association
        | breaks_tagged_access
        | breaks_tagged_to_wrap
        | breaks_tagged_bounds
        | breaks_local
        | breaks_cannot_invalidate;
    // {layer, error type, error code}; 0 is a local catastrophic error.
    wire [15:0] terminate_of_rule =
        (broken_rule == RULE_SHORT_HEADER)          ? {4'd1, 4'd0, 8'h00} :
        (broken_rule == RULE_TAGGED_DDP_VERSION)    ? {4'd1, 4'd1, 8'h04} :
        (broken_rule == RULE_UNTAGGED_DDP_VERSION)  ? {4'd1, 4'd2, 8'h06} :
        (broken_rule == RULE_NO_SUCH_QUEUE)         ? {4'd1, 4'd2, 8'h01} :
        (broken_rule == RULE_BAD_RDMAP_VERSION)     ? {4'd0, 4'd2, 8'h05} :
        (broken_rule == RULE_RESERVED_OPCODE)       ? {4'd0, 4'd2, 8'h06} :
        (broken_rule == RULE_WRONG_T_BIT)           ? {4'd0, 4'd2, 8'h06} :
        (broken_rule == RULE_WRONG_QUEUE)           ? {4'd0, 4'd2, 8'h06} :
        (broken_rule == RULE_MO_NOT_ZERO)           ? {4'd1, 4'd2, 8'h04} :
        (broken_rule == RULE_WRONG_LENGTH)          ? {4'd0, 4'd2, 8'h07} :
        (broken_rule == RULE_MSN_OUT_OF_RANGE)      ? {4'd1, 4'd2, 8'h03} :
        (broken_rule == RULE_NO_RECEIVE_BUFFER)     ? {4'd1, 4'd2, 8'h02} :
        (broken_rule == RULE_IRD_EXCEEDED)          ? {4'd1, 4'd2, 8'h02} :
        (broken_rule == RULE_NO_ATOMIC_OUTSTANDING) ? {4'd1, 4'd2, 8'h02} :
        (broken_rule == RULE_WRONG_MO)              ? {4'd1, 4'd2, 8'h04} :
        (broken_rule == RULE_OPCODE_CHANGES)        ? {4'd0, 4'd2, 8'h06} :
        (broken_rule == RULE_UNEXPECTED_RESPONSE)   ? {4'd0, 4'd2, 8'h06} :
        (broken_rule == RULE_INTERLEAVED)           ? {4'd0, 4'd2, 8'h06} :
        (broken_rule == RULE_MESSAGE_TOO_LONG)      ? {4'd1, 4'd2, 8'h05} :
        (broken_rule == RULE_READ_TOO_LONG)         ? {4'd1, 4'd1, 8'h01} :
        (broken_rule == RULE_WRONG_READ_LAST)       ? {4'd0, 4'd2, 8'h07} :
        (broken_rule == RULE_WRONG_SINK_STAG)       ? {4'd1, 4'd1, 8'h00} :
        (broken_rule == RULE_WRONG_SINK_TO)         ? {4'd1, 4'd1, 8'h01} :
        (broken_rule == RULE_WRONG_IDENTIFIER)      ? {4'd0, 4'd2, 8'h07} :
        (broken_rule == RULE_AOPCODE_NOT_SUPPORTED) ? {4'd0, 4'd2, 8'h06} :
        (broken_rule == RULE_REQUEST_STAG)          ? {4'd0, 4'd1, 8'h00} :
        (broken_rule == RULE_REQUEST_ASSOCIATION)   ? {4'd0, 4'd1, 8'h03} :
        (broken_rule == RULE_REQUEST_ACCESS)        ? {4'd0, 4'd1, 8'h02} :
        (broken_rule == RULE_REQUEST_TO_WRAP)       ? {4'd0, 4'd1, 8'h04} :
        (broken_rule == RULE_REQUEST_BOUNDS)        ? {4'd0, 4'd1, 8'h01} :
        (broken_rule == RULE_MISALIGNED)            ? {4'd0, 4'd2, 8'h07} :
        (broken_rule == RULE_TAGGED_STAG)           ? {4'd1, 4'd1, 8'h00} :
        (broken_rule == RULE_TAGGED_ASSOCIATION)    ? {4'd1, 4'd1, 8'h02} :
        (broken_rule == RULE_TAGGED_ACCESS)         ? {4'd0, 4'd1, 8'h02} :
        (broken_rule == RULE_TAGGED_TO_WRAP)        ? {4'd1, 4'd1, 8'h03} :
        (broken_rule == RULE_TAGGED_BOUNDS)         ? {4'd1, 4'd1, 8'h01} :
        (broken_rule == RULE_CANNOT_INVALIDATE)     ? {4'd0, 4'd1, 8'h09} :
                                                      {4'd0, 4'd0, 8'h00};
    wire        is_local          = (broken_rule == RULE_SHORT_HEADER) | (broken_rule == RULE_LOCAL);
    wire        is_segment        = ~(held_is_opening_q | held_is_failure_q);
    wire        fails             = is_segment & now_open & breaks_rule;
    wire        is_right          = is_segment & now_open & ~breaks_rule;
    wire        places_word       = is_right & is_atomic_response;
    wire        places            =
        places_word | (is_right & (|held_payload_length_q) & (is_write | is_read_response | is_send));
    wire        discards          = is_segment & (|held_payload_length_q) & ~places;
    wire        completes_receive = is_right & (is_immediate | (is_send & is_last));
    wire        completes_answer  = is_right & (is_atomic_response | (is_read_response & is_last));
    wire        requests          = is_right & (is_read_request | is_atomic_request);
    wire        is_shut           = is_right & is_terminate;
    wire        terminates        = fails | (held_is_failure_q & now_open);
    // A request waits while a message of its stream is incomplete (RFC 7306 section 5.4). The segment that completes
    // the last of them releases all.
    wire still_within    = (is_right & is_send) ? ~is_last : now_within;
    wire still_writing   = (is_right & is_write) ? ~is_last : now_writing;
    wire still_answering = (is_right & is_read_response) ? ~is_last : now_answering;
    wire waits           = requests & (now_within | now_writing | now_answering);
    wire releases        = is_right & (|now_waiting) & ~(still_within | still_writing | still_answering);
    wire only_releases   = releases & is_write;
    wire delivers        =
        completes_receive | completes_answer | requests | is_shut | terminates | only_releases;

    // ---- What leaves
    reg  [5:0]   place_stream_q;
    reg          place_discard_q;
    reg          place_inline_q;
    reg  [63:0]  place_address_q;
    reg  [15:0]  place_length_q;
    reg  [63:0]  place_data_q;
    reg          place_valid_q;
    reg  [2:0]   deliver_kind_q;
    reg  [8:0]   deliver_place_q;
    reg  [63:0]  deliver_id_q;
    reg  [3:0]   deliver_opcode_q;
    reg  [31:0]  deliver_length_q;
    reg  [5:0]   deliver_rule_q;
    reg          deliver_queue_waits_q;
    reg  [3:0]   deliver_queue_released_q;
    reg  [3:0]   deliver_queue_slot_q;
    reg  [5:0]   deliver_request_stream_q;
    reg  [1:0]   deliver_request_kind_q;
    reg  [31:0]  deliver_request_number_q;
    reg  [31:0]  deliver_request_stag_q;
    reg  [63:0]  deliver_request_address_q;
    reg  [31:0]  deliver_request_response_msn_q;
    reg  [3:0]   deliver_request_term_layer_q;
    reg  [3:0]   deliver_request_term_etype_q;
    reg  [7:0]   deliver_request_term_code_q;
    reg  [5:0]   deliver_request_header_length_q;
    reg  [15:0]  deliver_request_segment_length_q;
    reg  [415:0] deliver_request_body_q;
    reg          deliver_valid_q;
    reg  [8:0]   begun_q;
    wire [8:0]   next_place   = begun_q + 9'd1;
    wire         place_free   = ~place_valid_q | place_ready;
    wire         deliver_free = ~deliver_valid_q | deliver_ready;
    // Numbers must not come round to placements that are under way.
    wire       has_number   = next_place != placed;
    wire       uses_place   = places | discards;
    assign fire =
          held_valid_q
        & (step_q == STEP_DECIDING)
        & (~uses_place | (place_free & has_number))
        & (~delivers | deliver_free);
    wire [8:0] place_number = places ? next_place : now_place;
    // Who invalidates an STag waits for the placements of all streams, so that the region is the host's again.
    wire [8:0] awaited_place = (completes_receive & is_invalidating & ~places) ? begun_q : place_number;
    wire [5:0] header_back   =
        (held_is_failure_q | is_local)                   ? 6'd0 :
        is_tagged                                        ? 6'd14 :
        (is_read_request & (held_segment_length_q == 16'd46) & (~|terminate_of_rule[15:12])) ? 6'd46 :
                                                           6'd18;
    localparam [2:0] DELIVER_RECEIVE = 3'd0;
    localparam [2:0] DELIVER_ANSWER  = 3'd1;
    localparam [2:0] DELIVER_REQUEST = 3'd2;
    localparam [2:0] DELIVER_END     = 3'd3;
    localparam [2:0] DELIVER_SHUT    = 3'd4;
    localparam [2:0] DELIVER_RELEASE = 3'd5;
    wire [3:0]  queue_slot        = requests ? now_request_msn[3:0] : (now_request_msn[3:0] - now_waiting);
    wire [3:0]  header_layer      = header[415:412];
    wire [3:0]  header_etype      = header[411:408];
    wire [7:0]  header_error_code = header[407:400];
    wire        stag_is_gone      = fault_q == 1'b1;
    wire [15:0] term_of_fault     = stag_is_gone ? {4'd0, 4'd1, 8'h00} : {4'd0, 4'd0, 8'h00};
    localparam [1:0] REQUEST_READ   = 2'd0;
    localparam [1:0] REQUEST_ATOMIC = 2'd1;
    localparam [1:0] REQUEST_END    = 2'd2;
    localparam [1:0] REQUEST_SHUT   = 2'd3;
    wire [31:0]  named_stag = is_send ? (header_invalidate_stag & {32{is_invalidating}}) : region_stag_q;
    wire [415:0] body       = terminates ? held_header_q[415:0] : held_header_q[559:144];

    always @(posedge clk) begin
        if (place_free) begin
            place_valid_q <= fire & uses_place;
        end
        if (fire & uses_place) begin
            place_stream_q  <= held_stream_q;
            place_discard_q <= ~places;
            place_inline_q  <= places_word;
            place_address_q <= region_address;
            place_length_q  <= places_word ? 16'd8 : held_payload_length_q;
            place_data_q    <= header_original_remote_data_value;
        end
        if (fire & places) begin
            begun_q <= next_place;
        end
        if (deliver_free) begin
            deliver_valid_q <= fire & delivers;
        end
        if (fire & delivers) begin
            deliver_kind_q                   <=
                completes_answer ? DELIVER_ANSWER :
                requests         ? DELIVER_REQUEST :
                terminates       ? DELIVER_END :
                is_shut          ? DELIVER_SHUT :
                only_releases    ? DELIVER_RELEASE :
                                   DELIVER_RECEIVE;
            deliver_place_q                  <= awaited_place;
            deliver_id_q                     <= request_id;
            deliver_opcode_q                 <= opcode;
            deliver_length_q                 <=
                is_immediate ? 32'd8 : (now_offset + {16'd0, held_payload_length_q});
            deliver_rule_q                   <= broken_rule & {6{fails}};
            deliver_queue_waits_q            <= waits;
            deliver_queue_released_q         <= now_waiting & {4{releases}};
            deliver_queue_slot_q             <= queue_slot;
            deliver_request_stream_q         <= held_stream_q;
            deliver_request_kind_q           <=
                terminates        ? REQUEST_END :
                is_shut           ? REQUEST_SHUT :
                is_atomic_request ? REQUEST_ATOMIC :
                                    REQUEST_READ;
            deliver_request_number_q         <= msn;
            deliver_request_stag_q           <= named_stag;
            deliver_request_address_q        <= region_address;
            deliver_request_response_msn_q   <= now_response_msn;
            deliver_request_term_layer_q     <=
                is_shut           ? header_layer :
                held_is_failure_q ? term_of_fault[15:12] :
                                    terminate_of_rule[15:12];
            deliver_request_term_etype_q     <=
                is_shut           ? header_etype :
                held_is_failure_q ? term_of_fault[11:8] :
                                    terminate_of_rule[11:8];
            deliver_request_term_code_q      <=
                is_shut           ? header_error_code :
                held_is_failure_q ? term_of_fault[7:0] :
                                    terminate_of_rule[7:0];
            deliver_request_header_length_q  <= header_back;
            deliver_request_segment_length_q <= held_segment_length_q;
            deliver_request_body_q           <= body;
        end
        if (rst) begin
            place_valid_q   <= 1'b0;
            begun_q         <= 9'd0;
            deliver_valid_q <= 1'b0;
        end
    end

    assign place_valid                    = place_valid_q;
    assign place_stream                   = place_stream_q;
    assign place_discard                  = place_discard_q;
    assign place_inline                   = place_inline_q;
    assign place_address                  = place_address_q;
    assign place_length                   = place_length_q;
    assign place_data                     = place_data_q;
    assign deliver_valid                  = deliver_valid_q;
    assign deliver_kind                   = deliver_kind_q;
    assign deliver_place                  = deliver_place_q;
    assign deliver_id                     = deliver_id_q;
    assign deliver_opcode                 = deliver_opcode_q;
    assign deliver_length                 = deliver_length_q;
    assign deliver_rule                   = deliver_rule_q;
    assign deliver_queue_waits            = deliver_queue_waits_q;
    assign deliver_queue_released         = deliver_queue_released_q;
    assign deliver_queue_slot             = deliver_queue_slot_q;
    assign deliver_request_stream         = deliver_request_stream_q;
    assign deliver_request_kind           = deliver_request_kind_q;
    assign deliver_request_number         = deliver_request_number_q;
    assign deliver_request_stag           = deliver_request_stag_q;
    assign deliver_request_address        = deliver_request_address_q;
    assign deliver_request_response_msn   = deliver_request_response_msn_q;
    assign deliver_request_term_layer     = deliver_request_term_layer_q;
    assign deliver_request_term_etype     = deliver_request_term_etype_q;
    assign deliver_request_term_code      = deliver_request_term_code_q;
    assign deliver_request_header_length  = deliver_request_header_length_q;
    assign deliver_request_segment_length = deliver_request_segment_length_q;
    assign deliver_request_body           = deliver_request_body_q;
    assign begun                          = begun_q;
    wire [4:0] requests_used = now_consumed + {4'd0, completes_receive};
    assign consumed_valid                 = fire & completes_receive;
    assign consumed_stream                = held_stream_q;
    assign consumed_count                 = requests_used;
    wire       invalidates   = fire & completes_receive & is_invalidating;
    assign kill                           = invalidates;
    assign kill_index                     = header_invalidate_stag[31:8];
    assign count_segments                 = fire & is_segment;
    assign count_discarded                = fire & is_segment & ~now_open;
    assign count_errors                   = fire & fails;
    assign count_invalidated              = invalidates;

    // ---- The stream from now on
    wire [31:0] progress   = now_offset + {16'd0, held_payload_length_q};
    wire [31:0] received   = now_received + {16'd0, held_payload_length_q};
    wire        asks_reply = is_atomic_request;

    always @(posedge clk) begin
        if (fire) begin
            update_valid_q  <= 1'b1;
            update_stream_q <= held_stream_q;
            update_q        <=
                held_is_opening_q ? {
                                        opening_open_q, opening_domain_q, 9'd0, 32'd1, 1'b0, 4'd0, 32'd0,
                                        5'd0, 32'd1, 32'd1, 32'd1, 4'd0, 32'd0, 1'b0, 1'b0, 4'd0
                                    } :
                                    {
                                        now_open & ~(terminates | is_shut), now_domain, place_number,
                                        now_receive_msn + {31'd0, completes_receive}, still_within,
                                        (is_right & is_send) ? opcode : now_opcode,
                                        (is_right & is_send) ? (progress & {32{~is_last}}) : now_offset,
                                        requests_used, now_request_msn + {31'd0, requests},
                                        now_response_msn + {31'd0, is_right & asks_reply},
                                        now_answer_msn + {31'd0, places_word},
                                        now_awaited + {3'd0, completes_answer},
                                        (is_right & is_read_response) ? (received & {32{~is_last}}) :
                                                                        now_received,
                                        still_writing, still_answering,
                                        (now_waiting + {3'd0, waits}) & {4{~releases}}
                                    };
        end
        if (rst) begin
            update_valid_q <= 1'b0;
        end
    end

    // Not read:
    // incoming, header: only its fields are read
    // incoming_invalidate_stag[7:0]: the key is compared with the row
    // region_slack[64:0]: only the sign matters
    // row_rights_local_read, row_rights_invalidate: rights of another use of the region
    // invalidated_row_rights_local_read, invalidated_row_rights_local_write, invalidated_row_rights_remote_read,
    // invalidated_row_rights_remote_write, invalidated_row_rights_remote_atomic, invalidated_row_base,
    // invalidated_row_length, invalidated_row_address: an invalidation reaches no memory
    // opening_stream_q: the held record has the stream
    wire unused = &{
        1'b0, incoming, header, incoming_invalidate_stag[7:0], region_slack[64:0], row_rights_local_read,
        row_rights_invalidate, invalidated_row_rights_local_read, invalidated_row_rights_local_write,
        invalidated_row_rights_remote_read, invalidated_row_rights_remote_write,
        invalidated_row_rights_remote_atomic, invalidated_row_base, invalidated_row_length,
        invalidated_row_address, opening_stream_q
    };
endmodule
`default_nettype wire
