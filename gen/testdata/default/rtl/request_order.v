// request_order stores the requests of every stream, and its end, until the executors take them: 16 slots per stream,
// so a peer that accepts no responses blocks no receive side. request_turns, inside it, decides when each may start
// (RFC 7306 section 7, RFC 5040 section 5.5). A request that arrived inside an incomplete message of its stream (RFC
// 7306 section 5.4) waits in its slot for its release; one that is never released is dropped when its stream ends or is
// opened again.
//
// If the STag of a request has been invalidated since the request was accepted, the stream fails with an invalid STag,
// and none of its requests starts any more. The lookup is made 2 cycles before the request reaches its executor, or the
// buffer in front of it.
//
// An executor whose buffer of 8 requests is full holds up no other. A request starts 6 cycles after it arrives, if
// nothing is ahead of it, 5 if it is the turn of its kind; requests start at one per cycle.
//
// Built for streams 64, ird 8, atomic_depth 512.
`default_nettype none
module request_order (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // in
    input  wire         in_valid,
    output wire         in_ready,
    input  wire         in_queue_waits,    // 1: the request stays until it is released
    input  wire         in_queue_first,    // 1: no other waits that may still be released
    input  wire         in_queue_releases, // 1: the item is no request; all requests of the stream that wait may go on
    input  wire [5:0]   in_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end; for an executor: 2 Read, 3 Atomic; others follow
    input  wire [1:0]   in_kind,
    input  wire [4:0]   in_number,         // low bits of the MSN of the request; returned in its credit
    input  wire [31:0]  in_stag,           // STag of the target or source
    input  wire [63:0]  in_address,        // of the target or source in memory
    input  wire [31:0]  in_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   in_term_layer,
    input  wire [3:0]   in_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   in_term_code,      // error code that the Terminate reports
    input  wire [5:0]   in_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    input  wire [15:0]  in_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    input  wire [415:0] in_body,

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

    // recheck
    output wire         recheck_enable, // look index up in this cycle
    output wire [23:0]  recheck_index,  // upper 24 bits of an STag
    input  wire [223:0] recheck_entry,  // packed STagEntry, from the next cycle on

    // read
    output wire         read_valid,
    input  wire         read_ready,
    output wire [5:0]   read_stream,    // number of the stream
    output wire [4:0]   read_number,    // of the request, for its credit
    output wire [63:0]  read_address,   // of the first octet in memory
    output wire [31:0]  read_length,    // octets, 32 bits, may be 0
    output wire [31:0]  read_sink_stag, // STag: index in [31:8], key in [7:0]
    output wire [63:0]  read_sink_to,   // tagged offset of the first octet

    // atomic
    output wire         atomic_valid,
    input  wire         atomic_ready,
    output wire [5:0]   atomic_stream,       // number of the stream
    output wire [4:0]   atomic_number,       // of the request, for its credit
    output wire [31:0]  atomic_atomic_msn,   // MSN of the response on queue 3
    output wire [31:0]  atomic_identifier,   // Request Identifier
    output wire [63:0]  atomic_address,      // of the word in memory, a multiple of 8
    output wire [8:0]   atomic_set,          // of the word in the table of atomics in progress: a hash of its address
    output wire [3:0]   atomic_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    output wire [63:0]  atomic_data,
    output wire [63:0]  atomic_mask,         // Add Mask or Swap Mask
    output wire [63:0]  atomic_compare,      // Compare Data
    output wire [63:0]  atomic_compare_mask, // Compare Mask

    // end
    output wire         end_valid,
    input  wire         end_ready,
    output wire [5:0]   end_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end; for an executor: 2 Read, 3 Atomic; others follow
    output wire [1:0]   end_kind,
    output wire [4:0]   end_number,         // low bits of the MSN of the request; returned in its credit
    output wire [31:0]  end_stag,           // STag of the target or source
    output wire [63:0]  end_address,        // of the target or source in memory
    output wire [31:0]  end_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   end_term_layer,
    output wire [3:0]   end_term_etype,     // error type that the Terminate reports
    output wire [7:0]   end_term_code,      // error code that the Terminate reports
    output wire [5:0]   end_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    output wire [15:0]  end_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    output wire [415:0] end_body,

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    // read_over
    input  wire         read_over_valid,
    output wire         read_over_ready,
    input  wire [5:0]   read_over_stream, // number of the stream

    // atomic_over
    input  wire         atomic_over_valid,
    output wire         atomic_over_ready,
    input  wire [5:0]   atomic_over_stream  // number of the stream
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

    // ---- Store each item in the slot that request_turns gives it, a cycle after it arrives
    wire         arrival_valid;
    wire         arrival_ready;
    wire [5:0]   arrival_stream;
    wire [1:0]   arrival_kind;
    wire         arrival_waits;
    wire         arrival_first;
    wire         arrival_releases;
    assign arrival_valid    = in_valid;
    assign arrival_stream   = in_stream;
    assign arrival_kind     = in_kind;
    assign arrival_waits    = in_queue_waits;
    assign arrival_first    = in_queue_first;
    assign arrival_releases = in_queue_releases;
    assign in_ready         = arrival_ready;
    reg  [5:0]   item_stream_q;
    reg  [1:0]   item_kind_q;
    reg  [4:0]   item_number_q;
    reg  [31:0]  item_stag_q;
    reg  [63:0]  item_address_q;
    reg  [31:0]  item_response_msn_q;
    reg  [3:0]   item_term_layer_q;
    reg  [3:0]   item_term_etype_q;
    reg  [7:0]   item_term_code_q;
    reg  [5:0]   item_header_length_q;
    reg  [15:0]  item_segment_length_q;
    reg  [415:0] item_body_q;

    always @(posedge clk) begin
        item_stream_q         <= in_stream;
        item_kind_q           <= in_kind;
        item_number_q         <= in_number;
        item_stag_q           <= in_stag;
        item_address_q        <= in_address;
        item_response_msn_q   <= in_response_msn;
        item_term_layer_q     <= in_term_layer;
        item_term_etype_q     <= in_term_etype;
        item_term_code_q      <= in_term_code;
        item_header_length_q  <= in_header_length;
        item_segment_length_q <= in_segment_length;
        item_body_q           <= in_body;
    end

    wire         store;
    wire [3:0]   slot;
    reg  [594:0] slots [0:1023];

    // ---- Turns
    wire       over_valid;
    wire       over_ready;
    wire [5:0] over_stream;
    wire       read_turn_valid;
    wire       read_turn_ready;
    wire [5:0] read_turn_stream;
    wire [3:0] read_turn_slot;
    wire       read_turn_only;
    wire [3:0] read_turn_more;
    wire       atomic_turn_valid;
    wire       atomic_turn_ready;
    wire [5:0] atomic_turn_stream;
    wire [3:0] atomic_turn_slot;
    wire       atomic_turn_only;
    wire [3:0] atomic_turn_more;
    wire       end_turn_valid;
    wire       end_turn_ready;
    wire [5:0] end_turn_stream;
    wire [3:0] end_turn_slot;
    wire       end_turn_only;
    wire [3:0] end_turn_more;

    request_turns turns (
        .clk             (clk),
        .rst             (rst),
        .arrive_valid    (arrival_valid),
        .arrive_ready    (arrival_ready),
        .arrive_stream   (arrival_stream),
        .arrive_kind     (arrival_kind),
        .arrive_waits    (arrival_waits),
        .arrive_first    (arrival_first),
        .arrive_releases (arrival_releases),
        .store           (store),
        .slot            (slot),
        .over_valid      (over_valid),
        .over_ready      (over_ready),
        .over_stream     (over_stream),
        .read_valid      (read_turn_valid),
        .read_ready      (read_turn_ready),
        .read_stream     (read_turn_stream),
        .read_slot       (read_turn_slot),
        .read_only       (read_turn_only),
        .read_more       (read_turn_more),
        .atomic_valid    (atomic_turn_valid),
        .atomic_ready    (atomic_turn_ready),
        .atomic_stream   (atomic_turn_stream),
        .atomic_slot     (atomic_turn_slot),
        .atomic_only     (atomic_turn_only),
        .atomic_more     (atomic_turn_more),
        .end_valid       (end_turn_valid),
        .end_ready       (end_turn_ready),
        .end_stream      (end_turn_stream),
        .end_slot        (end_turn_slot),
        .end_only        (end_turn_only),
        .end_more        (end_turn_more)
    );

    // ---- Choose a request whose buffer has room; kinds take turns. An opening goes first
    wire         stopped_valid;
    wire         stopped_ready;
    wire [5:0]   stopped_stream;
    reg  [3:0]   stopped_reserved_q;
    wire         stopped_in_valid;
    wire         stopped_in_ready;
    wire [5:0]   stopped_in_stream;
    wire         stopped_out_valid;
    wire         stopped_out_ready;
    wire [5:0]   stopped_out_stream;
    reg  [3:0]   end_reserved_q;
    wire         end_in_valid;
    wire         end_in_ready;
    wire [5:0]   end_in_stream;
    wire [1:0]   end_in_kind;
    wire [4:0]   end_in_number;
    wire [31:0]  end_in_stag;
    wire [63:0]  end_in_address;
    wire [31:0]  end_in_response_msn;
    wire [3:0]   end_in_term_layer;
    wire [3:0]   end_in_term_etype;
    wire [7:0]   end_in_term_code;
    wire [5:0]   end_in_header_length;
    wire [15:0]  end_in_segment_length;
    wire [415:0] end_in_body;
    wire         end_out_valid;
    wire         end_out_ready;
    wire [5:0]   end_out_stream;
    wire [1:0]   end_out_kind;
    wire [4:0]   end_out_number;
    wire [31:0]  end_out_stag;
    wire [63:0]  end_out_address;
    wire [31:0]  end_out_response_msn;
    wire [3:0]   end_out_term_layer;
    wire [3:0]   end_out_term_etype;
    wire [7:0]   end_out_term_code;
    wire [5:0]   end_out_header_length;
    wire [15:0]  end_out_segment_length;
    wire [415:0] end_out_body;
    reg          opens_q;

    always @(posedge clk) begin
        opens_q <= swept_q & opening_valid & ~opens_q;
        if (rst) begin
            opens_q <= 1'b0;
        end
    end

    wire        may_choose = ~opens_q & ~stopped_reserved_q[3];
    reg  [3:0]  read_reserved_q;
    wire        read_in_valid;
    wire        read_in_ready;
    wire [5:0]  read_in_stream;
    wire [4:0]  read_in_number;
    wire [63:0] read_in_address;
    wire [31:0] read_in_length;
    wire [31:0] read_in_sink_stag;
    wire [63:0] read_in_sink_to;
    wire        read_out_valid;
    wire        read_out_ready;
    wire [5:0]  read_out_stream;
    wire [4:0]  read_out_number;
    wire [63:0] read_out_address;
    wire [31:0] read_out_length;
    wire [31:0] read_out_sink_stag;
    wire [63:0] read_out_sink_to;
    reg  [3:0]  atomic_reserved_q;
    wire        atomic_in_valid;
    wire        atomic_in_ready;
    wire [5:0]  atomic_in_stream;
    wire [4:0]  atomic_in_number;
    wire [31:0] atomic_in_atomic_msn;
    wire [31:0] atomic_in_identifier;
    wire [63:0] atomic_in_address;
    wire [8:0]  atomic_in_set;
    wire [3:0]  atomic_in_opcode;
    wire [63:0] atomic_in_data;
    wire [63:0] atomic_in_mask;
    wire [63:0] atomic_in_compare;
    wire [63:0] atomic_in_compare_mask;
    wire        atomic_out_valid;
    wire        atomic_out_ready;
    wire [5:0]  atomic_out_stream;
    wire [4:0]  atomic_out_number;
    wire [31:0] atomic_out_atomic_msn;
    wire [31:0] atomic_out_identifier;
    wire [63:0] atomic_out_address;
    wire [8:0]  atomic_out_set;
    wire [3:0]  atomic_out_opcode;
    wire [63:0] atomic_out_data;
    wire [63:0] atomic_out_mask;
    wire [63:0] atomic_out_compare;
    wire [63:0] atomic_out_compare_mask;
    reg  [3:0]  read_had_q;
    reg  [3:0]  atomic_had_q;
    reg  [3:0]  end_had_q;
    localparam [1:0] REQUEST_END    = 2'd0;
    localparam [1:0] REQUEST_CLOSE  = 2'd1;
    localparam [1:0] REQUEST_READ   = 2'd2;
    localparam [1:0] REQUEST_ATOMIC = 2'd3;
    reg  [2:0] kind_turn_q;
    wire [2:0] kind_asking     = {
        end_turn_valid & may_choose & ~end_reserved_q[3],
        atomic_turn_valid & may_choose & ~atomic_reserved_q[3],
        read_turn_valid & may_choose & ~read_reserved_q[3]
    };
    wire [2:0] kind_behind     = kind_asking & {|kind_turn_q[1:0], kind_turn_q[0], 1'b0};
    wire [2:0] kind_candidates = (|kind_behind) ? kind_behind : kind_asking;
    wire [2:0] kind_granted    = kind_asking & kind_turn_q;

    always @(posedge clk) begin
        if (|kind_asking) begin
            kind_turn_q <= kind_candidates & ~{|kind_candidates[1:0], kind_candidates[0], 1'b0};
        end else if (
            |{
                (item_kind_q == REQUEST_END) | (item_kind_q == REQUEST_CLOSE), item_kind_q == REQUEST_ATOMIC,
                item_kind_q == REQUEST_READ
            }
        ) begin
            kind_turn_q <= {
                (item_kind_q == REQUEST_END) | (item_kind_q == REQUEST_CLOSE), item_kind_q == REQUEST_ATOMIC,
                item_kind_q == REQUEST_READ
            };
        end
        if (rst) begin
            kind_turn_q <= 3'd1;
        end
    end

    // What is read is of the kind that has its turn, whether it has a request or not.
    wire [3:0] read_next      = read_had_q + 4'd1;
    reg        read_ends_q;
    wire       read_turn_ends = read_turn_only | read_ends_q;
    assign read_turn_ready = kind_granted[0] & read_turn_ends;

    always @(posedge clk) begin
        if (kind_granted[0]) begin
            read_had_q  <= read_next & {4{~read_turn_ends}};
            read_ends_q <= (read_next == read_turn_more) & ~read_turn_ends;
        end
        if (rst) begin
            read_had_q  <= 4'd0;
            read_ends_q <= 1'b0;
        end
    end

    wire [3:0] atomic_next      = atomic_had_q + 4'd1;
    reg        atomic_ends_q;
    wire       atomic_turn_ends = atomic_turn_only | atomic_ends_q;
    assign atomic_turn_ready = kind_granted[1] & atomic_turn_ends;

    always @(posedge clk) begin
        if (kind_granted[1]) begin
            atomic_had_q  <= atomic_next & {4{~atomic_turn_ends}};
            atomic_ends_q <= (atomic_next == atomic_turn_more) & ~atomic_turn_ends;
        end
        if (rst) begin
            atomic_had_q  <= 4'd0;
            atomic_ends_q <= 1'b0;
        end
    end

    wire [3:0] end_next      = end_had_q + 4'd1;
    reg        end_ends_q;
    wire       end_turn_ends = end_turn_only | end_ends_q;
    assign end_turn_ready = kind_granted[2] & end_turn_ends;

    always @(posedge clk) begin
        if (kind_granted[2]) begin
            end_had_q  <= end_next & {4{~end_turn_ends}};
            end_ends_q <= (end_next == end_turn_more) & ~end_turn_ends;
        end
        if (rst) begin
            end_had_q  <= 4'd0;
            end_ends_q <= 1'b0;
        end
    end

    wire       chooses       = |kind_granted;
    wire [5:0] chosen_stream =
        kind_turn_q[0] ? read_turn_stream :
        kind_turn_q[1] ? atomic_turn_stream :
                         end_turn_stream;
    wire [3:0] chosen_slot   =
        kind_turn_q[0] ? (read_turn_slot + read_had_q) :
        kind_turn_q[1] ? (atomic_turn_slot + atomic_had_q) :
                         (end_turn_slot + end_had_q);
    assign opening_ready = opens_q;
    wire         enters = opens_q | chooses;
    reg          valid_1_q;
    reg          valid_2_q;
    reg          valid_3_q;
    reg          valid_4_q;
    wire [5:0]   stream = opens_q ? opening_stream : chosen_stream;
    reg  [594:0] request_1_q;

    wire [9:0] slots_write_addr = {item_stream_q, slot};
    wire [9:0] request_1_addr   = {chosen_stream, chosen_slot};
    always @(posedge clk) begin
        if (store) begin
            slots[slots_write_addr] <= {
                item_stream_q, item_kind_q, item_number_q, item_stag_q, item_address_q, item_response_msn_q,
                item_term_layer_q, item_term_etype_q, item_term_code_q, item_header_length_q,
                item_segment_length_q, item_body_q
            };
        end
        if (chooses) begin
            request_1_q <= slots[request_1_addr];
        end
    end

    // ---- Look up the row of its STag again
    assign recheck_enable = valid_1_q;
    assign recheck_index  = request_1_q[581:558];
    wire        row_valid                = recheck_entry[223];
    wire [7:0]  row_key                  = recheck_entry[222:215];
    wire        row_rights_local_read    = recheck_entry[214];
    wire        row_rights_local_write   = recheck_entry[213];
    wire        row_rights_remote_read   = recheck_entry[212];
    wire        row_rights_remote_write  = recheck_entry[211];
    wire        row_rights_remote_atomic = recheck_entry[210];
    wire        row_rights_invalidate    = recheck_entry[209];
    wire        row_by_domain            = recheck_entry[208];
    wire [15:0] row_owner                = recheck_entry[207:192];
    wire [63:0] row_base                 = recheck_entry[191:128];
    wire [63:0] row_length               = recheck_entry[127:64];
    wire [63:0] row_address              = recheck_entry[63:0];
    reg [594:0] request_2_q;
    // What follows the DDP header, octet 0 in the high bits.
    wire [415:0] named;
    generate
        for (i = 0; i < 52; i = i + 1) begin : each_named
            assign named[8 * i +: 8] = request_2_q[8 * (51 - i) +: 8];
        end
    endgenerate
    wire [31:0] named_read_message_size = named[319:288];
    reg  [2:0]  chosen_1_q;
    reg  [2:0]  chosen_2_q;
    wire        reaches_memory          =
        (chosen_2_q[0] & (|named_read_message_size)) | (chosen_2_q[1] & 1'b1);
    wire        stag_is_gone            = ~row_valid | (row_key != request_2_q[557:550]);
    wire        stag_is_lost            = reaches_memory & stag_is_gone;
    reg         stag_is_lost_3_q;

    // ---- Start it, unless its stream has failed or its STag is gone
    reg        stream_failed [0:63];
    wire       stream_failed_next;
    reg        stream_failed_ahead_1_q;
    reg  [5:0] stream_1_q;
    reg  [5:0] stream_2_q;

    always @(posedge clk) begin
        stream_failed_ahead_1_q <= valid_2_q & (stream_2_q == stream_1_q);
    end

    reg       stream_failed_ahead_2_q;
    reg [5:0] stream_3_q;

    always @(posedge clk) begin
        stream_failed_ahead_2_q <= valid_3_q & (stream_3_q == stream_1_q);
    end

    reg       stream_failed_ahead_3_q;
    reg [5:0] stream_4_q;

    always @(posedge clk) begin
        stream_failed_ahead_3_q <= valid_4_q & (stream_4_q == stream_1_q);
    end

    reg        stream_failed_decided_q;
    reg        stream_failed_kept_q;
    wire       write_stream_failed = ~swept_q | valid_4_q;
    wire [5:0] stream_failed_row   = ~swept_q ? sweep_q : stream_4_q;
    wire       stream_failed_word  = ~swept_q ? 1'b0 : stream_failed_decided_q;
    reg        stream_failed_stored_q;

    always @(posedge clk) begin
        if (write_stream_failed) begin
            stream_failed[stream_failed_row] <= stream_failed_word;
        end
        if (valid_1_q) begin
            stream_failed_stored_q <= stream_failed[stream_1_q];
        end
    end

    reg stream_failed_q;

    always @(posedge clk) begin
        stream_failed_decided_q <= stream_failed_next;
        stream_failed_kept_q    <= stream_failed_decided_q;
        stream_failed_q         <=
            stream_failed_ahead_1_q ? stream_failed_next :
            stream_failed_ahead_2_q ? stream_failed_decided_q :
            stream_failed_ahead_3_q ? stream_failed_kept_q :
                                      stream_failed_stored_q;
    end

    wire         has_failed             = stream_failed_q;
    reg  [594:0] request_3_q;
    wire [5:0]   request_stream         = request_3_q[594:589];
    wire [1:0]   request_kind           = request_3_q[588:587];
    wire [4:0]   request_number         = request_3_q[586:582];
    wire [31:0]  request_stag           = request_3_q[581:550];
    wire [63:0]  request_address        = request_3_q[549:486];
    wire [31:0]  request_response_msn   = request_3_q[485:454];
    wire [3:0]   request_term_layer     = request_3_q[453:450];
    wire [3:0]   request_term_etype     = request_3_q[449:446];
    wire [7:0]   request_term_code      = request_3_q[445:438];
    wire [5:0]   request_header_length  = request_3_q[437:432];
    wire [15:0]  request_segment_length = request_3_q[431:416];
    wire [415:0] request_body           = request_3_q[415:0];
    // What follows the DDP header, octet 0 in the high bits.
    wire [415:0] body;
    generate
        for (i = 0; i < 52; i = i + 1) begin : each_body
            assign body[8 * i +: 8] = request_body[8 * (51 - i) +: 8];
        end
    endgenerate
    wire [31:0] body_read_message_size  = body[319:288];
    wire [31:0] body_data_sink_stag     = body[415:384];
    wire [63:0] body_data_sink_to       = body[383:320];
    wire [3:0]  body_aopcode            = body[387:384];
    wire [63:0] body_add_or_swap_data   = body[255:192];
    wire [63:0] body_add_or_swap_mask   = body[191:128];
    wire [63:0] body_compare_data       = body[127:64];
    wire [63:0] body_compare_mask       = body[63:0];
    wire [8:0]  set_of_word             = {
        ^(request_address[63:3] & 61'h0ecbd86a9c862100), ^(request_address[63:3] & 61'h0765ec354e431080),
        ^(request_address[63:3] & 61'h13b2f61aa7218840), ^(request_address[63:3] & 61'h09d97b0d5390c420),
        ^(request_address[63:3] & 61'h04ecbd86a9c86210), ^(request_address[63:3] & 61'h0cbd86a9c8621008),
        ^(request_address[63:3] & 61'h165ec354e4310804), ^(request_address[63:3] & 61'h1b2f61aa72188402),
        ^(request_address[63:3] & 61'h1d97b0d5390c4201)
    };
    wire [31:0] body_request_identifier = body[383:352];
    reg         opens_1_q;
    reg         opens_2_q;
    reg         opens_3_q;
    wire        is_request              = valid_3_q & ~opens_3_q;
    reg  [2:0]  chosen_3_q;
    wire        is_end                  = chosen_3_q[2];
    wire        starts                  = is_request & ~is_end & ~has_failed & ~stag_is_lost_3_q;
    wire        fails                   = is_request & ~is_end & ~has_failed & stag_is_lost_3_q;
    assign stream_failed_next = opens_3_q ? 1'b0 : (has_failed | fails);
    wire        stops                   = is_request & ~starts;

    // ---- Buffers
    wire start_read = starts & chosen_3_q[0];
    assign read_in_valid     = start_read;
    assign read_in_stream    = request_stream;
    assign read_in_number    = request_number;
    assign read_in_address   = request_address;
    assign read_in_length    = body_read_message_size;
    assign read_in_sink_stag = body_data_sink_stag;
    assign read_in_sink_to   = body_data_sink_to;
    wire         read_buffer_stored_valid;
    wire         read_buffer_stored_ready;
    wire [5:0]   read_buffer_stored_stream;
    wire [4:0]   read_buffer_stored_number;
    wire [63:0]  read_buffer_stored_address;
    wire [31:0]  read_buffer_stored_length;
    wire [31:0]  read_buffer_stored_sink_stag;
    wire [63:0]  read_buffer_stored_sink_to;
    wire         read_buffer_waiting_valid;
    wire         read_buffer_waiting_ready;
    wire [5:0]   read_buffer_waiting_stream;
    wire [4:0]   read_buffer_waiting_number;
    wire [63:0]  read_buffer_waiting_address;
    wire [31:0]  read_buffer_waiting_length;
    wire [31:0]  read_buffer_waiting_sink_stag;
    wire [63:0]  read_buffer_waiting_sink_to;
    wire [202:0] read_buffer_out;
    assign read_buffer_waiting_stream    = read_buffer_out[202:197];
    assign read_buffer_waiting_number    = read_buffer_out[196:192];
    assign read_buffer_waiting_address   = read_buffer_out[191:128];
    assign read_buffer_waiting_length    = read_buffer_out[127:96];
    assign read_buffer_waiting_sink_stag = read_buffer_out[95:64];
    assign read_buffer_waiting_sink_to   = read_buffer_out[63:0];

    fifo #(.WIDTH(203), .DEPTH(8)) read_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (read_buffer_stored_valid),
        .in_ready  (read_buffer_stored_ready),
        .in_data   ({
            read_buffer_stored_stream, read_buffer_stored_number, read_buffer_stored_address,
            read_buffer_stored_length, read_buffer_stored_sink_stag, read_buffer_stored_sink_to
        }),
        .out_valid (read_buffer_waiting_valid),
        .out_ready (read_buffer_waiting_ready),
        .out_data  (read_buffer_out)
    );

    wire read_buffer_is_empty = ~read_buffer_waiting_valid;
    assign read_buffer_stored_valid     = read_in_valid & ~(read_buffer_is_empty & read_out_ready);
    assign read_buffer_stored_stream    = read_in_stream;
    assign read_buffer_stored_number    = read_in_number;
    assign read_buffer_stored_address   = read_in_address;
    assign read_buffer_stored_length    = read_in_length;
    assign read_buffer_stored_sink_stag = read_in_sink_stag;
    assign read_buffer_stored_sink_to   = read_in_sink_to;
    assign read_in_ready                = read_buffer_stored_ready;
    assign read_buffer_waiting_ready    = read_out_ready;
    assign read_out_valid               = read_buffer_waiting_valid | read_in_valid;
    assign read_out_stream              = read_buffer_is_empty ? read_in_stream : read_buffer_waiting_stream;
    assign read_out_number              = read_buffer_is_empty ? read_in_number : read_buffer_waiting_number;
    assign read_out_address             =
        read_buffer_is_empty ? read_in_address : read_buffer_waiting_address;
    assign read_out_length              = read_buffer_is_empty ? read_in_length : read_buffer_waiting_length;
    assign read_out_sink_stag           =
        read_buffer_is_empty ? read_in_sink_stag : read_buffer_waiting_sink_stag;
    assign read_out_sink_to             =
        read_buffer_is_empty ? read_in_sink_to : read_buffer_waiting_sink_to;
    assign read_valid                   = read_out_valid;
    assign read_stream                  = read_out_stream;
    assign read_number                  = read_out_number;
    assign read_address                 = read_out_address;
    assign read_length                  = read_out_length;
    assign read_sink_stag               = read_out_sink_stag;
    assign read_sink_to                 = read_out_sink_to;
    assign read_out_ready               = read_ready;
    reg  read_left_q;

    always @(posedge clk) begin
        read_left_q <= read_out_valid & read_ready;
        if (rst) begin
            read_left_q <= 1'b0;
        end
    end

    reg read_spared_q;

    always @(posedge clk) begin
        read_spared_q <= is_request & chosen_3_q[0] & ~start_read;
        if (rst) begin
            read_spared_q <= 1'b0;
        end
    end

    wire [3:0] read_fewer = {3'd0, read_left_q} + {3'd0, read_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] read_if_none     = read_reserved_q - read_fewer;
    wire [3:0] read_if_one_more = (read_reserved_q + 4'd1) - read_fewer;

    always @(posedge clk) begin
        read_reserved_q <= kind_granted[0] ? read_if_one_more : read_if_none;
        if (rst) begin
            read_reserved_q <= 4'd0;
        end
    end

    wire start_atomic = starts & chosen_3_q[1];
    assign atomic_in_valid        = start_atomic;
    assign atomic_in_stream       = request_stream;
    assign atomic_in_number       = request_number;
    assign atomic_in_atomic_msn   = request_response_msn;
    assign atomic_in_identifier   = body_request_identifier;
    assign atomic_in_address      = request_address;
    assign atomic_in_set          = set_of_word;
    assign atomic_in_opcode       = body_aopcode;
    assign atomic_in_data         = body_add_or_swap_data;
    assign atomic_in_mask         = body_add_or_swap_mask;
    assign atomic_in_compare      = body_compare_data;
    assign atomic_in_compare_mask = body_compare_mask;
    wire         atomic_buffer_stored_valid;
    wire         atomic_buffer_stored_ready;
    wire [5:0]   atomic_buffer_stored_stream;
    wire [4:0]   atomic_buffer_stored_number;
    wire [31:0]  atomic_buffer_stored_atomic_msn;
    wire [31:0]  atomic_buffer_stored_identifier;
    wire [63:0]  atomic_buffer_stored_address;
    wire [8:0]   atomic_buffer_stored_set;
    wire [3:0]   atomic_buffer_stored_opcode;
    wire [63:0]  atomic_buffer_stored_data;
    wire [63:0]  atomic_buffer_stored_mask;
    wire [63:0]  atomic_buffer_stored_compare;
    wire [63:0]  atomic_buffer_stored_compare_mask;
    wire         atomic_buffer_waiting_valid;
    wire         atomic_buffer_waiting_ready;
    wire [5:0]   atomic_buffer_waiting_stream;
    wire [4:0]   atomic_buffer_waiting_number;
    wire [31:0]  atomic_buffer_waiting_atomic_msn;
    wire [31:0]  atomic_buffer_waiting_identifier;
    wire [63:0]  atomic_buffer_waiting_address;
    wire [8:0]   atomic_buffer_waiting_set;
    wire [3:0]   atomic_buffer_waiting_opcode;
    wire [63:0]  atomic_buffer_waiting_data;
    wire [63:0]  atomic_buffer_waiting_mask;
    wire [63:0]  atomic_buffer_waiting_compare;
    wire [63:0]  atomic_buffer_waiting_compare_mask;
    wire [407:0] atomic_buffer_out;
    assign atomic_buffer_waiting_stream     = atomic_buffer_out[407:402];
    assign atomic_buffer_waiting_number     = atomic_buffer_out[401:397];
    assign atomic_buffer_waiting_atomic_msn = atomic_buffer_out[396:365];
    assign atomic_buffer_waiting_identifier = atomic_buffer_out[364:333];
    assign atomic_buffer_waiting_address    = atomic_buffer_out[332:269];
    assign atomic_buffer_waiting_set        = atomic_buffer_out[268:260];
    assign atomic_buffer_waiting_opcode     = atomic_buffer_out[259:256];
    assign atomic_buffer_waiting_data       = atomic_buffer_out[255:192];
    assign atomic_buffer_waiting_mask       = atomic_buffer_out[191:128];
    assign atomic_buffer_waiting_compare    = atomic_buffer_out[127:64];
    assign atomic_buffer_waiting_compare_mask = atomic_buffer_out[63:0];

    fifo #(.WIDTH(408), .DEPTH(8)) atomic_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (atomic_buffer_stored_valid),
        .in_ready  (atomic_buffer_stored_ready),
        .in_data   ({
            atomic_buffer_stored_stream, atomic_buffer_stored_number, atomic_buffer_stored_atomic_msn,
            atomic_buffer_stored_identifier, atomic_buffer_stored_address, atomic_buffer_stored_set,
            atomic_buffer_stored_opcode, atomic_buffer_stored_data, atomic_buffer_stored_mask,
            atomic_buffer_stored_compare, atomic_buffer_stored_compare_mask
        }),
        .out_valid (atomic_buffer_waiting_valid),
        .out_ready (atomic_buffer_waiting_ready),
        .out_data  (atomic_buffer_out)
    );

    wire atomic_buffer_is_empty = ~atomic_buffer_waiting_valid;
    assign atomic_buffer_stored_valid       = atomic_in_valid & ~(atomic_buffer_is_empty & atomic_out_ready);
    assign atomic_buffer_stored_stream      = atomic_in_stream;
    assign atomic_buffer_stored_number      = atomic_in_number;
    assign atomic_buffer_stored_atomic_msn  = atomic_in_atomic_msn;
    assign atomic_buffer_stored_identifier  = atomic_in_identifier;
    assign atomic_buffer_stored_address     = atomic_in_address;
    assign atomic_buffer_stored_set         = atomic_in_set;
    assign atomic_buffer_stored_opcode      = atomic_in_opcode;
    assign atomic_buffer_stored_data        = atomic_in_data;
    assign atomic_buffer_stored_mask        = atomic_in_mask;
    assign atomic_buffer_stored_compare     = atomic_in_compare;
    assign atomic_buffer_stored_compare_mask = atomic_in_compare_mask;
    assign atomic_in_ready                  = atomic_buffer_stored_ready;
    assign atomic_buffer_waiting_ready      = atomic_out_ready;
    assign atomic_out_valid                 = atomic_buffer_waiting_valid | atomic_in_valid;
    assign atomic_out_stream                =
        atomic_buffer_is_empty ? atomic_in_stream : atomic_buffer_waiting_stream;
    assign atomic_out_number                =
        atomic_buffer_is_empty ? atomic_in_number : atomic_buffer_waiting_number;
    assign atomic_out_atomic_msn            =
        atomic_buffer_is_empty ? atomic_in_atomic_msn : atomic_buffer_waiting_atomic_msn;
    assign atomic_out_identifier            =
        atomic_buffer_is_empty ? atomic_in_identifier : atomic_buffer_waiting_identifier;
    assign atomic_out_address               =
        atomic_buffer_is_empty ? atomic_in_address : atomic_buffer_waiting_address;
    assign atomic_out_set                   =
        atomic_buffer_is_empty ? atomic_in_set : atomic_buffer_waiting_set;
    assign atomic_out_opcode                =
        atomic_buffer_is_empty ? atomic_in_opcode : atomic_buffer_waiting_opcode;
    assign atomic_out_data                  =
        atomic_buffer_is_empty ? atomic_in_data : atomic_buffer_waiting_data;
    assign atomic_out_mask                  =
        atomic_buffer_is_empty ? atomic_in_mask : atomic_buffer_waiting_mask;
    assign atomic_out_compare               =
        atomic_buffer_is_empty ? atomic_in_compare : atomic_buffer_waiting_compare;
    assign atomic_out_compare_mask          =
        atomic_buffer_is_empty ? atomic_in_compare_mask : atomic_buffer_waiting_compare_mask;
    assign atomic_valid                     = atomic_out_valid;
    assign atomic_stream                    = atomic_out_stream;
    assign atomic_number                    = atomic_out_number;
    assign atomic_atomic_msn                = atomic_out_atomic_msn;
    assign atomic_identifier                = atomic_out_identifier;
    assign atomic_address                   = atomic_out_address;
    assign atomic_set                       = atomic_out_set;
    assign atomic_opcode                    = atomic_out_opcode;
    assign atomic_data                      = atomic_out_data;
    assign atomic_mask                      = atomic_out_mask;
    assign atomic_compare                   = atomic_out_compare;
    assign atomic_compare_mask              = atomic_out_compare_mask;
    assign atomic_out_ready                 = atomic_ready;
    reg  atomic_left_q;

    always @(posedge clk) begin
        atomic_left_q <= atomic_out_valid & atomic_ready;
        if (rst) begin
            atomic_left_q <= 1'b0;
        end
    end

    reg atomic_spared_q;

    always @(posedge clk) begin
        atomic_spared_q <= is_request & chosen_3_q[1] & ~start_atomic;
        if (rst) begin
            atomic_spared_q <= 1'b0;
        end
    end

    wire [3:0] atomic_fewer = {3'd0, atomic_left_q} + {3'd0, atomic_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] atomic_if_none     = atomic_reserved_q - atomic_fewer;
    wire [3:0] atomic_if_one_more = (atomic_reserved_q + 4'd1) - atomic_fewer;

    always @(posedge clk) begin
        atomic_reserved_q <= kind_granted[1] ? atomic_if_one_more : atomic_if_none;
        if (rst) begin
            atomic_reserved_q <= 4'd0;
        end
    end

    wire ends = is_request & is_end;
    assign end_in_valid          = ends;
    assign end_in_stream         = request_stream;
    assign end_in_kind           = request_kind;
    assign end_in_number         = request_number;
    assign end_in_stag           = request_stag;
    assign end_in_address        = request_address;
    assign end_in_response_msn   = request_response_msn;
    assign end_in_term_layer     = request_term_layer;
    assign end_in_term_etype     = request_term_etype;
    assign end_in_term_code      = request_term_code;
    assign end_in_header_length  = request_header_length;
    assign end_in_segment_length = request_segment_length;
    assign end_in_body           = request_body;
    assign end_in_ready = 1'b1;
    reg          end_buffer_valid_q;
    reg          end_buffer_empty_q;
    reg  [2:0]   end_buffer_head_q;
    reg  [2:0]   end_buffer_tail_q;
    reg  [2:0]   end_buffer_not_before_tail_q;
    wire         end_buffer_free  = ~end_buffer_valid_q | end_out_ready;
    wire         end_buffer_fetch = end_buffer_free & ~end_buffer_empty_q;
    reg  [594:0] end_buffer [0:7];
    wire [594:0] end_buffer_beat  = {
        end_in_stream, end_in_kind, end_in_number, end_in_stag, end_in_address, end_in_response_msn,
        end_in_term_layer, end_in_term_etype, end_in_term_code, end_in_header_length, end_in_segment_length,
        end_in_body
    };
    reg  [594:0] end_buffer_fetched_q;

    always @(posedge clk) begin
        if (end_in_valid) begin
            end_buffer[end_buffer_tail_q] <= end_buffer_beat;
        end
        if (end_buffer_fetch) begin
            end_buffer_fetched_q <= end_buffer[end_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire end_buffer_last_beat = end_buffer_head_q == ~end_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (end_buffer_free) begin
            end_buffer_valid_q <= ~end_buffer_empty_q;
        end
        if (end_buffer_fetch) begin
            end_buffer_head_q <= end_buffer_head_q + 3'd1;
        end
        if (end_in_valid) begin
            end_buffer_tail_q            <= end_buffer_tail_q + 3'd1;
            end_buffer_not_before_tail_q <= ~end_buffer_tail_q;
        end
        end_buffer_empty_q <=
            end_buffer_empty_q ? ~end_in_valid : (end_buffer_free & end_buffer_last_beat & ~end_in_valid);
        if (rst) begin
            end_buffer_valid_q           <= 1'b0;
            end_buffer_head_q            <= 3'd0;
            end_buffer_tail_q            <= 3'd0;
            end_buffer_not_before_tail_q <= 3'd0;
            end_buffer_empty_q           <= 1'b1;
        end
    end

    assign end_out_valid          = end_buffer_valid_q;
    assign end_out_stream         = end_buffer_fetched_q[594:589];
    assign end_out_kind           = end_buffer_fetched_q[588:587];
    assign end_out_number         = end_buffer_fetched_q[586:582];
    assign end_out_stag           = end_buffer_fetched_q[581:550];
    assign end_out_address        = end_buffer_fetched_q[549:486];
    assign end_out_response_msn   = end_buffer_fetched_q[485:454];
    assign end_out_term_layer     = end_buffer_fetched_q[453:450];
    assign end_out_term_etype     = end_buffer_fetched_q[449:446];
    assign end_out_term_code      = end_buffer_fetched_q[445:438];
    assign end_out_header_length  = end_buffer_fetched_q[437:432];
    assign end_out_segment_length = end_buffer_fetched_q[431:416];
    assign end_out_body           = end_buffer_fetched_q[415:0];
    assign end_valid              = end_out_valid;
    assign end_stream             = end_out_stream;
    assign end_kind               = end_out_kind;
    assign end_number             = end_out_number;
    assign end_stag               = end_out_stag;
    assign end_address            = end_out_address;
    assign end_response_msn       = end_out_response_msn;
    assign end_term_layer         = end_out_term_layer;
    assign end_term_etype         = end_out_term_etype;
    assign end_term_code          = end_out_term_code;
    assign end_header_length      = end_out_header_length;
    assign end_segment_length     = end_out_segment_length;
    assign end_body               = end_out_body;
    assign end_out_ready          = end_ready;
    reg end_left_q;

    always @(posedge clk) begin
        end_left_q <= end_out_valid & end_ready;
        if (rst) begin
            end_left_q <= 1'b0;
        end
    end

    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] end_if_none     = end_reserved_q - {3'd0, end_left_q};
    wire [3:0] end_if_one_more = (end_reserved_q + 4'd1) - {3'd0, end_left_q};

    always @(posedge clk) begin
        end_reserved_q <= kind_granted[2] ? end_if_one_more : end_if_none;
        if (rst) begin
            end_reserved_q <= 4'd0;
        end
    end

    assign stopped_in_valid  = stops;
    assign stopped_in_stream = request_stream;
    wire [5:0] stopped_buffer_out;
    assign stopped_out_stream = stopped_buffer_out;

    fifo #(.WIDTH(6), .DEPTH(8)) stopped_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (stopped_in_valid),
        .in_ready  (stopped_in_ready),
        .in_data   (stopped_in_stream),
        .out_valid (stopped_out_valid),
        .out_ready (stopped_out_ready),
        .out_data  (stopped_buffer_out)
    );

    assign stopped_valid     = stopped_out_valid;
    assign stopped_stream    = stopped_out_stream;
    assign stopped_out_ready = stopped_ready;
    reg stopped_left_q;

    always @(posedge clk) begin
        stopped_left_q <= stopped_out_valid & stopped_ready;
        if (rst) begin
            stopped_left_q <= 1'b0;
        end
    end

    reg stopped_spared_q;

    always @(posedge clk) begin
        stopped_spared_q <= starts;
        if (rst) begin
            stopped_spared_q <= 1'b0;
        end
    end

    wire [3:0] stopped_fewer = {3'd0, stopped_left_q} + {3'd0, stopped_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] stopped_if_none     = stopped_reserved_q - stopped_fewer;
    wire [3:0] stopped_if_one_more = (stopped_reserved_q + 4'd1) - stopped_fewer;

    always @(posedge clk) begin
        stopped_reserved_q <= chooses ? stopped_if_one_more : stopped_if_none;
        if (rst) begin
            stopped_reserved_q <= 4'd0;
        end
    end

    // ---- Pipeline registers
    always @(posedge clk) begin
        valid_1_q        <= enters;
        valid_2_q        <= valid_1_q;
        valid_3_q        <= valid_2_q;
        valid_4_q        <= valid_3_q;
        request_2_q      <= request_1_q;
        chosen_1_q       <= kind_granted;
        chosen_2_q       <= chosen_1_q;
        stag_is_lost_3_q <= stag_is_lost;
        stream_1_q       <= stream;
        stream_2_q       <= stream_1_q;
        stream_3_q       <= stream_2_q;
        stream_4_q       <= stream_3_q;
        request_3_q      <= request_2_q;
        opens_1_q        <= opens_q;
        opens_2_q        <= opens_1_q;
        opens_3_q        <= opens_2_q;
        chosen_3_q       <= chosen_2_q;
        if (rst) begin
            valid_1_q <= 1'b0;
            valid_2_q <= 1'b0;
            valid_3_q <= 1'b0;
            valid_4_q <= 1'b0;
        end
    end

    // ---- Requests that are over: those of the executors, those that do not start, and ends of streams
    wire       atomic_over_joined_valid;
    wire       atomic_over_joined_ready;
    wire [5:0] atomic_over_joined_stream;
    wire [5:0] atomic_over_merge_out;
    assign atomic_over_joined_stream = atomic_over_merge_out;

    merge #(.WIDTH(6)) atomic_over_merge (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (read_over_valid),
        .a_ready   (read_over_ready),
        .a_data    (read_over_stream),
        .b_valid   (atomic_over_valid),
        .b_ready   (atomic_over_ready),
        .b_data    (atomic_over_stream),
        .out_valid (atomic_over_joined_valid),
        .out_ready (atomic_over_joined_ready),
        .out_data  (atomic_over_merge_out)
    );

    wire [5:0] stopped_merge_out;
    assign over_stream = stopped_merge_out;

    merge #(.WIDTH(6)) stopped_merge (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (atomic_over_joined_valid),
        .a_ready   (atomic_over_joined_ready),
        .a_data    (atomic_over_joined_stream),
        .b_valid   (stopped_valid),
        .b_ready   (stopped_ready),
        .b_data    (stopped_stream),
        .out_valid (over_valid),
        .out_ready (over_ready),
        .out_data  (stopped_merge_out)
    );

    // ---- A stream fails once: there is room for all
    wire       failure_valid;
    wire       failure_ready;
    wire [5:0] failure_stream;
    wire       failure_fault;
    assign failure_valid  = fails;
    assign failure_stream = request_stream;
    assign failure_fault  = 1'b1;
    wire [6:0] failures_out;
    assign failed_stream = failures_out[6:1];
    assign failed_fault  = failures_out[0];

    fifo #(.WIDTH(7), .DEPTH(64)) failures (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (failure_valid),
        .in_ready  (failure_ready),
        .in_data   ({failure_stream, failure_fault}),
        .out_valid (failed_valid),
        .out_ready (failed_ready),
        .out_data  (failures_out)
    );

    // Not read:
    // opening_open, opening_domain: opened or closed, the stream begins anew
    // row_rights_local_read, row_rights_local_write, row_rights_remote_read, row_rights_remote_write,
    // row_rights_remote_atomic, row_rights_invalidate, row_by_domain, row_owner, row_base, row_length, row_address:
    // checked when the request was accepted
    // named, body: only its fields are read
    // request_stag: only the key was compared again
    // read_in_ready, atomic_in_ready, end_in_ready, stopped_in_ready: its place is reserved
    // failure_ready: there is room for all streams
    wire unused = &{
        1'b0, opening_open, opening_domain, row_rights_local_read, row_rights_local_write,
        row_rights_remote_read, row_rights_remote_write, row_rights_remote_atomic, row_rights_invalidate,
        row_by_domain, row_owner, row_base, row_length, row_address, named, request_stag, body, read_in_ready,
        atomic_in_ready, end_in_ready, stopped_in_ready, failure_ready
    };
endmodule
`default_nettype wire
