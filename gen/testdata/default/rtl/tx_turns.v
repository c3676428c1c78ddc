// tx_turns cuts messages into segments, one per cycle, and lets streams take turns by octets. The messages of a stream
// leave in the order in which they came, each complete before the next one begins (RFC 5041 section 5.2). What waits
// for its stream waits in a list of that stream, so that a message holds up no other stream; the lists share 512
// places.
//
// A turn brings a stream 1152 octets of header and payload times its weight. It lasts until the stream has nothing to
// send, or to the first segment that is sent with less than 128 octets left; what is then left or overspent, less
// than a segment, counts in the next turn, and so does the rest of the message. Without another stream that waits
// nothing is spent.
//
// While 16 streams or more have something to send, and one of the last 16 segments was all that its stream had, a
// turn brings 192 octets. A stream that still owes passes its turn on. So streams that have one short message at a time
// send several in the time of a segment, instead of one.
//
// When nothing waits, the first segment of a message leaves one cycle after the message came, otherwise a message is
// queued. The last message of a stream waits for two cycles while another one of the stream arrives.
//
// Of a stream of which a segment was dropped nothing is sent until it is opened again, so each of its messages ends
// with the next segment.
//
// Built for bus_bytes 64, streams 64, ird 8, send_depth 16, max_payload 1024.
`default_nettype none
module tx_turns (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // message
    input  wire         message_valid,
    output wire         message_ready,
    input  wire [5:0]   message_stream,        // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   message_kind,
    // of the answered request; of a message of the requester 1 if it has a response, otherwise 0
    input  wire [4:0]   message_number,
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   message_header_length,
    // as if the message had one segment, octet i in [8i+7:8i]; 0 from header_length on
    input  wire [559:0] message_header,
    input  wire [63:0]  message_address,       // of the first octet of payload in memory
    input  wire [31:0]  message_length,        // octets of payload, 32 bits

    // weight
    input  wire         weight_valid,
    output wire         weight_ready,
    input  wire [5:0]   weight_stream, // number of the stream
    input  wire [3:0]   weight_weight, // its octets, relative to those of other streams; 0 counts as 1

    input  wire         dropped,        // a segment of dropped_stream was dropped
    input  wire [5:0]   dropped_stream, // number of the stream
    input  wire         opened,         // opened_stream is opened or closed
    input  wire [5:0]   opened_stream,  // number of the stream

    // command
    output wire         command_valid,
    input  wire         command_ready,
    output wire [5:0]   command_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    output wire [2:0]   command_kind,
    output wire         command_final,          // last segment of its message
    // of the answered request; of a message of the requester 1 if it has a response, otherwise 0
    output wire [4:0]   command_number,
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    output wire [6:0]   command_header_length,
    output wire [559:0] command_header,         // octet i in [8i+7:8i]; 0 from header_length on
    output wire [63:0]  command_address,        // of the first octet of payload in memory
    output wire [15:0]  command_payload_length, // octets, 0 to MaxPayload
    output wire [4:0]   command_beats,          // beats of header and payload
    output wire [5:0]   command_ends,           // octets of the last beat; 0: all

    output wire         running  // every stream has its state after reset
);
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

    wire         message_left;
    assign running = swept_q;
    reg  [51:0]  sizes [0:511];
    reg  [638:0] contents [0:511];
    reg  [9:0]   next [0:511];
    reg          retired [0:63];
    reg          gone_q;
    reg  [5:0]   gone_stream_q;
    reg          gone_parity_q;
    reg  [5:0]   command_stream_q;
    reg  [2:0]   command_kind_q;
    reg          command_final_q;
    reg  [4:0]   command_number_q;
    reg  [6:0]   command_header_length_q;
    reg  [559:0] command_header_q;
    reg  [63:0]  command_address_q;
    reg  [15:0]  command_payload_length_q;
    reg  [4:0]   command_beats_q;
    reg  [5:0]   command_ends_q;
    reg          command_valid_q;
    reg          command_vacant_q;
    // Whether it can be loaded has many readers; what decides asks a register of its own.
    wire        command_loads = ~command_valid_q | command_ready;
    wire        command_free  = command_vacant_q | command_ready;
    wire        fresh_valid;
    wire        fresh_ready;
    wire [5:0]  fresh_stream;
    wire [8:0]  fresh_place;
    wire [21:0] fresh_index;
    wire        fresh_last;
    wire [15:0] fresh_credit;
    wire        fresh_parity;
    reg  [3:0]  fresh_token_reserved_q;
    wire        fresh_token_in_valid;
    wire        fresh_token_in_ready;
    wire [5:0]  fresh_token_in_stream;
    wire [8:0]  fresh_token_in_place;
    wire [21:0] fresh_token_in_index;
    wire        fresh_token_in_last;
    wire [15:0] fresh_token_in_credit;
    wire        fresh_token_in_parity;
    wire        fresh_token_out_valid;
    wire        fresh_token_out_ready;
    wire [5:0]  fresh_token_out_stream;
    wire [8:0]  fresh_token_out_place;
    wire [21:0] fresh_token_out_index;
    wire        fresh_token_out_last;
    wire [15:0] fresh_token_out_credit;
    wire        fresh_token_out_parity;

    // ---- Places: those never used, then those that are free again
    wire       freed_valid;
    wire       freed_ready;
    wire [8:0] freed_place;
    wire       free_valid;
    wire       free_ready;
    wire [8:0] free_place;
    assign freed_ready = 1'b1;
    reg        free_places_valid_q;
    reg        free_places_empty_q;
    reg  [8:0] free_places_head_q;
    reg  [8:0] free_places_tail_q;
    reg  [8:0] free_places_not_before_tail_q;
    wire       free_places_free  = ~free_places_valid_q | free_ready;
    wire       free_places_fetch = free_places_free & ~free_places_empty_q;
    reg  [8:0] free_places [0:511];
    wire [8:0] free_places_beat  = freed_place;
    reg  [8:0] free_places_fetched_q;

    always @(posedge clk) begin
        if (freed_valid) begin
            free_places[free_places_tail_q] <= free_places_beat;
        end
        if (free_places_fetch) begin
            free_places_fetched_q <= free_places[free_places_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire free_places_last_beat = free_places_head_q == ~free_places_not_before_tail_q;

    always @(posedge clk) begin
        if (free_places_free) begin
            free_places_valid_q <= ~free_places_empty_q;
        end
        if (free_places_fetch) begin
            free_places_head_q <= free_places_head_q + 9'd1;
        end
        if (freed_valid) begin
            free_places_tail_q            <= free_places_tail_q + 9'd1;
            free_places_not_before_tail_q <= ~free_places_tail_q;
        end
        free_places_empty_q <=
            free_places_empty_q ? ~freed_valid : (free_places_free & free_places_last_beat & ~freed_valid);
        if (rst) begin
            free_places_valid_q           <= 1'b0;
            free_places_head_q            <= 9'd0;
            free_places_tail_q            <= 9'd0;
            free_places_not_before_tail_q <= 9'd0;
            free_places_empty_q           <= 1'b1;
        end
    end

    assign free_valid = free_places_valid_q;
    assign free_place = free_places_fetched_q;
    reg  [9:0] used_q;
    wire [8:0] place = used_q[9] ? free_place : used_q[8:0];

    // ---- Accept a message; its first segment may leave at once
    reg  idle_q;
    reg  ready_q;
    assign message_ready = ready_q;
    wire has_one_segment  = (~|message_length[31:11]) & (~message_length[10] | (~|message_length[9:0]));
    wire has_two_segments =
        (~|message_length[9:0]) ? (message_length[31:10] == 22'd2) : (message_length[31:10] == 22'd1);
    wire takes            = message_valid & ready_q;
    wire opens_message    = takes & idle_q & command_free;
    wire is_queued        = takes & ~(opens_message & has_one_segment);
    reg  arriving_valid_q;
    wire reuses_place     = arriving_valid_q & used_q[9];
    assign free_ready    = reuses_place;
    // A message gets its place a cycle after it is taken. Whether there is one for another message is decided a cycle
    // before that arrives.
    wire       has_unused = ~used_q[9] & (~&used_q[8:1]);
    reg  [9:0] free_q;
    wire [9:0] free_after = (free_q + {9'd0, freed_valid}) - {9'd0, reuses_place};

    always @(posedge clk) begin
        free_q <= free_after;
        if (rst) begin
            free_q <= 10'd0;
        end
    end

    wire has_two_free = |free_after[9:1];
    wire has_free     = has_two_free | ((|free_after) & ~takes);

    always @(posedge clk) begin
        ready_q <=
            swept_q & ~(fresh_token_reserved_q[3] | (&fresh_token_reserved_q[2:0])) & (has_unused | has_free);
        if (rst) begin
            ready_q <= 1'b0;
        end
    end

    wire [10:0] first_length = has_one_segment ? message_length[10:0] : 11'd1024;
    // The header is rounded up beside the sum.
    wire [10:0] first_header_up  = {4'd0, message_header_length} + 11'd63;
    wire [10:0] first_rounded_up = first_length + first_header_up;
    wire [5:0]   first_ends           = first_length[5:0] + message_header_length[5:0];
    wire [551:0] message_other_octets = message_header[559:8];
    wire         message_t            = message_header[7];
    wire         message_l            = message_header[6];
    wire [5:0]   message_rsvd_dv      = message_header[5:0];
    reg  [10:0]  inside_q;
    wire [10:0]  inside_if_none       = inside_q - {10'd0, message_left};

    always @(posedge clk) begin
        if (arriving_valid_q & ~used_q[9]) begin
            used_q <= used_q + 10'd1;
        end
        inside_q <= is_queued ? (inside_if_none + 11'd1) : inside_if_none;
        idle_q   <= ~is_queued & (message_left ? (inside_q == 11'd1) : (~|inside_q));
        if (rst) begin
            used_q   <= 10'd0;
            inside_q <= 11'd0;
            idle_q   <= 1'b1;
        end
    end

    // ---- Put it at the end of the list of its stream; a stream that had nothing to send gets a token
    reg         arriving_begun_q;
    reg         arriving_last_q;
    reg         arriving_is_one_q;
    reg [5:0]   arriving_stream_q;
    reg [2:0]   arriving_kind_q;
    reg [4:0]   arriving_number_q;
    reg [6:0]   arriving_header_length_q;
    reg [559:0] arriving_header_q;
    reg [63:0]  arriving_address_q;
    reg [31:0]  arriving_length_q;

    always @(posedge clk) begin
        arriving_valid_q         <= is_queued;
        arriving_stream_q        <= message_stream;
        arriving_kind_q          <= message_kind;
        arriving_number_q        <= message_number;
        arriving_header_length_q <= message_header_length;
        arriving_header_q        <= message_header;
        arriving_address_q       <= message_address;
        arriving_length_q        <= message_length;
        arriving_begun_q         <= opens_message;
        arriving_is_one_q        <= has_one_segment;
        arriving_last_q          <= opens_message ? has_two_segments : has_one_segment;
        if (rst) begin
            arriving_valid_q <= 1'b0;
        end
    end

    reg  [9:0] lists [0:63];
    reg  [9:0] lists_update_q;
    reg  [9:0] lists_written_q;
    reg        lists_update_valid_q;
    reg  [5:0] lists_update_stream_q;
    wire       write_lists = ~swept_q | lists_update_valid_q;
    wire [5:0] lists_row   = ~swept_q ? sweep_q : lists_update_stream_q;
    wire [9:0] lists_word  = ~swept_q ? 10'd0 : lists_update_q;

    always @(posedge clk) begin
        lists_update_valid_q  <= arriving_valid_q;
        lists_update_stream_q <= arriving_stream_q;
        lists_written_q       <= lists_word;
        if (rst) begin
            lists_update_valid_q <= 1'b0;
        end
    end

    reg lists_is_decided_q;
    reg lists_is_written_q;

    always @(posedge clk) begin
        lists_is_decided_q <= arriving_valid_q & (arriving_stream_q == message_stream);
        lists_is_written_q <= write_lists & (lists_row == message_stream);
    end

    reg  [9:0] lists_stored_q;
    wire [9:0] lists_now    =
        lists_is_decided_q ? lists_update_q :
        lists_is_written_q ? lists_written_q :
                             lists_stored_q;
    wire [8:0] queue_last   = lists_now[9:1];
    wire       queue_parity = lists_now[0];
    reg        retired_old_q;
    reg        retired_new_q;
    reg        retired_is_new_q;
    wire       retired_q    = retired_is_new_q ? retired_new_q : retired_old_q;
    wire       was_retired  = (gone_q & (gone_stream_q == arriving_stream_q)) ? gone_parity_q : retired_q;
    wire       stream_waits = queue_parity ^ was_retired;
    wire       begins       = arriving_valid_q & ~stream_waits;

    always @(posedge clk) begin
        lists_update_q <= {place, queue_parity ^ ~stream_waits};
    end

    assign fresh_token_in_valid  = begins;
    assign fresh_token_in_stream = arriving_stream_q;
    assign fresh_token_in_place  = place;
    assign fresh_token_in_index  = {21'd0, arriving_begun_q};
    assign fresh_token_in_last   = arriving_last_q;
    assign fresh_token_in_credit = 16'd0;
    assign fresh_token_in_parity = queue_parity ^ ~stream_waits;
    wire [54:0] fresh_token_buffer_out;
    assign fresh_token_out_stream = fresh_token_buffer_out[54:49];
    assign fresh_token_out_place  = fresh_token_buffer_out[48:40];
    assign fresh_token_out_index  = fresh_token_buffer_out[39:18];
    assign fresh_token_out_last   = fresh_token_buffer_out[17];
    assign fresh_token_out_credit = fresh_token_buffer_out[16:1];
    assign fresh_token_out_parity = fresh_token_buffer_out[0];

    fifo #(.WIDTH(55), .DEPTH(8)) fresh_token_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (fresh_token_in_valid),
        .in_ready  (fresh_token_in_ready),
        .in_data   ({
            fresh_token_in_stream, fresh_token_in_place, fresh_token_in_index, fresh_token_in_last,
            fresh_token_in_credit, fresh_token_in_parity
        }),
        .out_valid (fresh_token_out_valid),
        .out_ready (fresh_token_out_ready),
        .out_data  (fresh_token_buffer_out)
    );

    assign fresh_valid           = fresh_token_out_valid;
    assign fresh_stream          = fresh_token_out_stream;
    assign fresh_place           = fresh_token_out_place;
    assign fresh_index           = fresh_token_out_index;
    assign fresh_last            = fresh_token_out_last;
    assign fresh_credit          = fresh_token_out_credit;
    assign fresh_parity          = fresh_token_out_parity;
    assign fresh_token_out_ready = fresh_ready;
    reg fresh_token_left_q;

    always @(posedge clk) begin
        fresh_token_left_q <= fresh_token_out_valid & fresh_ready;
        if (rst) begin
            fresh_token_left_q <= 1'b0;
        end
    end

    reg fresh_token_spared_q;

    always @(posedge clk) begin
        fresh_token_spared_q <= arriving_valid_q & stream_waits;
        if (rst) begin
            fresh_token_spared_q <= 1'b0;
        end
    end

    wire [3:0] fresh_token_fewer = {3'd0, fresh_token_left_q} + {3'd0, fresh_token_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] fresh_token_if_none     = fresh_token_reserved_q - fresh_token_fewer;
    wire [3:0] fresh_token_if_one_more = (fresh_token_reserved_q + 4'd1) - fresh_token_fewer;

    always @(posedge clk) begin
        fresh_token_reserved_q <= is_queued ? fresh_token_if_one_more : fresh_token_if_none;
        if (rst) begin
            fresh_token_reserved_q <= 4'd0;
        end
    end

    wire        last_is_full = (~|arriving_length_q[9:0]) & (|arriving_length_q[31:10]);
    wire [10:0] last_length  = {last_is_full, arriving_length_q[9:0]};
    wire [51:0] size         = {
        arriving_length_q[31:10] - {21'd0, last_is_full}, last_length,
        {1'b0, last_length} + {5'd0, arriving_header_length_q}, arriving_header_length_q
    };
    wire        cut_next_valid;
    wire        cut_next_ready;
    wire [5:0]  cut_next_stream;
    wire [8:0]  cut_next_place;
    wire [21:0] cut_next_index;
    wire        cut_next_last;
    wire [10:0] cut_next_last_length;

    // ---- List of the streams that have something to send
    wire        again_valid;
    wire        again_ready;
    wire [5:0]  again_stream;
    wire [8:0]  again_place;
    wire [21:0] again_index;
    wire        again_last;
    wire [15:0] again_credit;
    wire        again_parity;
    wire        token_valid;
    wire        token_ready;
    wire [5:0]  token_stream;
    wire [8:0]  token_place;
    wire [21:0] token_index;
    wire        token_last;
    wire [15:0] token_credit;
    wire        token_parity;
    wire        listed_valid;
    wire        listed_ready;
    wire [5:0]  listed_stream;
    wire [8:0]  listed_place;
    wire [21:0] listed_index;
    wire        listed_last;
    wire [15:0] listed_credit;
    wire        listed_parity;
    wire        next_turn_valid;
    wire        next_turn_ready;
    wire [5:0]  next_turn_stream;
    wire [8:0]  next_turn_place;
    wire [21:0] next_turn_index;
    wire        next_turn_last;
    wire [15:0] next_turn_credit;
    wire        next_turn_parity;
    wire [54:0] tokens_out;
    assign token_stream = tokens_out[54:49];
    assign token_place  = tokens_out[48:40];
    assign token_index  = tokens_out[39:18];
    assign token_last   = tokens_out[17];
    assign token_credit = tokens_out[16:1];
    assign token_parity = tokens_out[0];

    merge #(.WIDTH(55)) tokens (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (fresh_valid),
        .a_ready   (fresh_ready),
        .a_data    ({fresh_stream, fresh_place, fresh_index, fresh_last, fresh_credit, fresh_parity}),
        .b_valid   (again_valid),
        .b_ready   (again_ready),
        .b_data    ({again_stream, again_place, again_index, again_last, again_credit, again_parity}),
        .out_valid (token_valid),
        .out_ready (token_ready),
        .out_data  (tokens_out)
    );

    reg  [5:0]  upcoming_stream_q;
    reg  [8:0]  upcoming_place_q;
    reg  [21:0] upcoming_index_q;
    reg         upcoming_last_q;
    reg  [15:0] upcoming_credit_q;
    reg         upcoming_parity_q;
    reg         upcoming_valid_q;
    reg  [5:0]  upcoming_kept_stream_q;
    reg  [8:0]  upcoming_kept_place_q;
    reg  [21:0] upcoming_kept_index_q;
    reg         upcoming_kept_last_q;
    reg  [15:0] upcoming_kept_credit_q;
    reg         upcoming_kept_parity_q;
    reg         upcoming_keeps_q;
    reg         upcoming_room_q;
    wire        waiting_valid;
    wire        waiting_ready;
    wire [5:0]  waiting_stream;
    wire [8:0]  waiting_place;
    wire [21:0] waiting_index;
    wire        waiting_last;
    wire [15:0] waiting_credit;
    wire        waiting_parity;
    wire [54:0] turns_out;
    assign listed_stream = turns_out[54:49];
    assign listed_place  = turns_out[48:40];
    assign listed_index  = turns_out[39:18];
    assign listed_last   = turns_out[17];
    assign listed_credit = turns_out[16:1];
    assign listed_parity = turns_out[0];

    fifo #(.WIDTH(55), .DEPTH(64)) turns (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (waiting_valid),
        .in_ready  (waiting_ready),
        .in_data   ({
            waiting_stream, waiting_place, waiting_index, waiting_last, waiting_credit, waiting_parity
        }),
        .out_valid (listed_valid),
        .out_ready (listed_ready),
        .out_data  (turns_out)
    );

    wire        credited_valid;
    wire        credited_ready;
    wire [5:0]  credited_stream;
    wire [8:0]  credited_place;
    wire [21:0] credited_index;
    wire        credited_last;
    wire [15:0] credited_credit;
    wire        credited_parity;
    reg  [5:0]  credited_stream_q;
    reg  [8:0]  credited_place_q;
    reg  [21:0] credited_index_q;
    reg         credited_last_q;
    reg  [15:0] credited_credit_q;
    reg         credited_parity_q;
    reg         credited_valid_q;
    reg         credited_vacant_q;
    // Whether it can be loaded has many readers; what decides asks a register of its own.
    wire       credited_loads = ~credited_valid_q | credited_ready;
    wire       credited_free  = credited_vacant_q | credited_ready;
    reg  [6:0] waiting_streams_q;
    reg        is_crowded_q;
    wire       one_is_sent;
    reg  [4:0] segments_since_q;

    always @(posedge clk) begin
        waiting_streams_q <= (waiting_streams_q + {6'd0, begins}) - {6'd0, gone_q};
        if (gone_q) begin
            segments_since_q <= 5'd0;
        end else if (one_is_sent & ~segments_since_q[4]) begin
            segments_since_q <= segments_since_q + 5'd1;
        end
        is_crowded_q <= (|waiting_streams_q[6:4]) & ~segments_since_q[4];
        if (rst) begin
            waiting_streams_q <= 7'd0;
            segments_since_q  <= 5'd0;
            is_crowded_q      <= 1'b0;
        end
    end

    // ---- Credit of the next turn
    reg  [3:0]  weights [0:63];
    wire        write_weights = ~swept_q | weight_valid;
    wire [5:0]  weights_row   = ~swept_q ? sweep_q : weight_stream;
    wire [3:0]  weights_word  = ~swept_q ? 4'd0 : weight_weight;
    assign weight_ready = swept_q;
    reg         weighed_valid_q;
    reg  [5:0]  weighed_stream_q;
    reg  [8:0]  weighed_place_q;
    reg  [21:0] weighed_index_q;
    reg         weighed_last_q;
    reg  [15:0] weighed_credit_q;
    reg         weighed_parity_q;
    wire        weighed_free  = ~weighed_valid_q | credited_free;
    assign listed_ready = weighed_free;

    always @(posedge clk) begin
        if (weighed_free) begin
            weighed_valid_q  <= listed_valid;
            weighed_stream_q <= listed_stream;
            weighed_place_q  <= listed_place;
            weighed_index_q  <= listed_index;
            weighed_last_q   <= listed_last;
            weighed_credit_q <= listed_credit;
            weighed_parity_q <= listed_parity;
        end
        if (rst) begin
            weighed_valid_q <= 1'b0;
        end
    end

    reg  [3:0] weight_old_q;
    reg  [3:0] weight_new_q;
    reg        weight_is_new_q;
    wire [3:0] weight = weight_is_new_q ? weight_new_q : weight_old_q;

    always @(posedge clk) begin
        if (write_weights) begin
            weights[weights_row] <= weights_word;
        end
        if (weighed_free) begin
            weight_old_q <= weights[listed_stream];
        end
    end

    always @(posedge clk) begin
        if (weighed_free) begin
            weight_is_new_q <= write_weights & (weights_row == listed_stream);
            weight_new_q    <= weights_word;
        end
    end

    wire [3:0]  turn_weight  = {weight[3:1], weight[0] | (~|weight)};
    wire [15:0] turn_segment = is_crowded_q ? {5'd0, {turn_weight, 7'd0}} : {2'd0, {turn_weight, 10'd0}};
    wire [15:0] turn_header  = is_crowded_q ? {6'd0, {turn_weight, 6'd0}} : {5'd0, {turn_weight, 7'd0}};
    wire [15:0] turn_credit  = weighed_credit_q + turn_segment + turn_header;

    always @(posedge clk) begin
        if (credited_loads) begin
            credited_stream_q <= weighed_stream_q;
            credited_place_q  <= weighed_place_q;
            credited_index_q  <= weighed_index_q;
            credited_last_q   <= weighed_last_q;
            credited_credit_q <= turn_credit;
            credited_parity_q <= weighed_parity_q;
        end
        if (credited_free) begin
            credited_valid_q  <= weighed_valid_q;
            credited_vacant_q <= ~weighed_valid_q;
        end
        if (rst) begin
            credited_valid_q  <= 1'b0;
            credited_vacant_q <= 1'b1;
        end
    end

    assign credited_valid  = credited_valid_q;
    assign credited_stream = credited_stream_q;
    assign credited_place  = credited_place_q;
    assign credited_index  = credited_index_q;
    assign credited_last   = credited_last_q;
    assign credited_credit = credited_credit_q;
    assign credited_parity = credited_parity_q;
    // A stream that still owes passes its turn on, ahead of those that enter the list.
    wire        owes           = credited_credit[15];
    wire        passes         = credited_valid & owes;
    assign waiting_valid  = passes | token_valid;
    assign waiting_stream = passes ? credited_stream : token_stream;
    assign waiting_place  = passes ? credited_place : token_place;
    assign waiting_index  = passes ? credited_index : token_index;
    assign waiting_last   = passes ? credited_last : token_last;
    assign waiting_credit = passes ? credited_credit : token_credit;
    assign waiting_parity = passes ? credited_parity : token_parity;
    assign token_ready    = waiting_ready & ~passes;
    assign credited_ready = owes ? waiting_ready : upcoming_room_q;
    wire        upcoming_free  = ~upcoming_valid_q | next_turn_ready;
    wire [54:0] upcoming_next  =
        upcoming_keeps_q ? {
                               upcoming_kept_stream_q, upcoming_kept_place_q, upcoming_kept_index_q,
                               upcoming_kept_last_q, upcoming_kept_credit_q, upcoming_kept_parity_q
                           } :
                           {
                               credited_stream, credited_place, credited_index, credited_last,
                               credited_credit, credited_parity
                           };
    wire        upcoming_keeps =
        (upcoming_keeps_q | (credited_valid & ~owes & upcoming_room_q)) & ~upcoming_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (upcoming_free) begin
            upcoming_valid_q  <= upcoming_keeps_q | (credited_valid & ~owes & upcoming_room_q);
            upcoming_stream_q <= upcoming_next[54:49];
            upcoming_place_q  <= upcoming_next[48:40];
            upcoming_index_q  <= upcoming_next[39:18];
            upcoming_last_q   <= upcoming_next[17];
            upcoming_credit_q <= upcoming_next[16:1];
            upcoming_parity_q <= upcoming_next[0];
        end
        if (~upcoming_keeps_q) begin
            upcoming_kept_stream_q <= credited_stream;
            upcoming_kept_place_q  <= credited_place;
            upcoming_kept_index_q  <= credited_index;
            upcoming_kept_last_q   <= credited_last;
            upcoming_kept_credit_q <= credited_credit;
            upcoming_kept_parity_q <= credited_parity;
        end
        upcoming_keeps_q <= upcoming_keeps;
        upcoming_room_q  <= ~upcoming_keeps;
        if (rst) begin
            upcoming_valid_q <= 1'b0;
            upcoming_keeps_q <= 1'b0;
            upcoming_room_q  <= 1'b1;
        end
    end

    assign next_turn_valid  = upcoming_valid_q;
    assign next_turn_stream = upcoming_stream_q;
    assign next_turn_place  = upcoming_place_q;
    assign next_turn_index  = upcoming_index_q;
    assign next_turn_last   = upcoming_last_q;
    assign next_turn_credit = upcoming_credit_q;
    assign next_turn_parity = upcoming_parity_q;
    wire [5:0] stream_after = upcoming_keeps_q ? upcoming_kept_stream_q : credited_stream;
    wire       is_free;
    assign next_turn_ready  = is_free;
    reg  [8:0] arrived_place_q;

    always @(posedge clk) begin
        arrived_place_q <= place;
    end

    reg       opened_q;
    reg [5:0] opened_stream_q;

    always @(posedge clk) begin
        opened_q        <= opened;
        opened_stream_q <= opened_stream;
        if (rst) begin
            opened_q <= 1'b0;
        end
    end

    reg       dropped_q;
    reg [5:0] dropped_stream_q;

    always @(posedge clk) begin
        dropped_q        <= dropped;
        dropped_stream_q <= dropped_stream;
        if (rst) begin
            dropped_q <= 1'b0;
        end
    end

    // ---- The stream whose turn is next
    // A message that arrives while the list is read is not the oldest one: the token has been on its way for longer.
    wire next_is_free = ~next_turn_valid | is_free;
    reg  is_found_q;
    reg  next_list_is_decided_q;
    reg  next_list_is_written_q;

    always @(posedge clk) begin
        next_list_is_decided_q <= arriving_valid_q & (arriving_stream_q == stream_after);
        next_list_is_written_q <= write_lists & (lists_row == stream_after);
    end

    reg [9:0] next_list_stored_q;

    always @(posedge clk) begin
        if (write_lists) begin
            lists[lists_row] <= lists_word;
        end
        if (is_queued) begin
            lists_stored_q <= lists[message_stream];
        end
        next_list_stored_q <= lists[stream_after];
    end

    wire [9:0] next_list_now    =
        next_list_is_decided_q ? lists_update_q :
        next_list_is_written_q ? lists_written_q :
                                 next_list_stored_q;
    wire [8:0] next_list_last   = next_list_now[9:1];
    wire       next_list_parity = next_list_now[0];
    reg        stopped [0:63];
    wire       write_stopped = ~swept_q | opened_q | dropped_q;
    wire [5:0] stopped_row   =
        ~swept_q ? sweep_q :
        opened_q ? opened_stream_q :
                   dropped_stream_q;
    wire       stopped_word  =
        ~swept_q ? 1'b0 :
        opened_q ? 1'b0 :
                   1'b1;
    reg        known_more_q;
    reg  [8:0] known_newest_q;
    reg        known_stopped_q;
    reg        next_came_q;
    wire       next_has_more = next_list_last != next_turn_place;
    reg        next_stopped_old_q;
    reg        next_stopped_new_q;
    reg        next_stopped_is_new_q;
    wire       next_stopped  = next_stopped_is_new_q ? next_stopped_new_q : next_stopped_old_q;

    always @(posedge clk) begin
        if (write_stopped) begin
            stopped[stopped_row] <= stopped_word;
        end
        next_stopped_old_q <= stopped[stream_after];
    end

    always @(posedge clk) begin
        next_stopped_is_new_q <= write_stopped & (stopped_row == stream_after);
        next_stopped_new_q    <= stopped_word;
    end

    wire       next_state_more    = is_found_q ? next_has_more : known_more_q;
    wire [8:0] next_state_newest  = is_found_q ? next_list_last : known_newest_q;
    wire       next_state_stopped = is_found_q ? next_stopped : known_stopped_q;
    reg        next_arrives_q;
    wire       next_is_opened     = opened_q & (opened_stream_q == next_turn_stream);
    wire       next_is_dropped    = dropped_q & (dropped_stream_q == next_turn_stream);
    wire [8:0] next_newest        = (next_came_q & ~is_found_q) ? arrived_place_q : next_state_newest;
    wire       next_comes         = takes & (message_stream == next_turn_stream);
    wire       comes_after        = takes & (message_stream == stream_after);

    always @(posedge clk) begin
        is_found_q      <= next_is_free;
        next_came_q     <= next_arrives_q;
        known_more_q    <= (next_came_q & ~is_found_q) | next_state_more;
        known_newest_q  <= next_newest;
        known_stopped_q <= ~next_is_opened & (next_is_dropped | next_state_stopped);
        next_arrives_q  <= next_is_free ? comes_after : next_comes;
    end

    // ---- The stream that has its turn, and its oldest message
    reg [5:0]  piece_stream_q;
    reg [8:0]  piece_place_q;
    reg [21:0] piece_index_q;
    reg        piece_last_q;
    reg [10:0] piece_last_length_q;
    reg        piece_valid_q;
    reg [5:0]  piece_kept_stream_q;
    reg [8:0]  piece_kept_place_q;
    reg [21:0] piece_kept_index_q;
    reg        piece_kept_last_q;
    reg [10:0] piece_kept_last_length_q;
    reg        piece_keeps_q;
    reg        piece_room_q;
    reg [5:0]  again_stream_q;
    reg [8:0]  again_place_q;
    reg [21:0] again_index_q;
    reg        again_last_q;
    reg [15:0] again_credit_q;
    reg        again_parity_q;
    reg        again_valid_q;
    reg [5:0]  again_kept_stream_q;
    reg [8:0]  again_kept_place_q;
    reg [21:0] again_kept_index_q;
    reg        again_kept_last_q;
    reg [15:0] again_kept_credit_q;
    reg        again_kept_parity_q;
    reg        again_keeps_q;
    reg        again_room_q;
    // Whether a turn ends depends on few registers: both buffers have room; the segment is the last one of its message;
    // it is all that the
    // stream has.
    reg has_room_q;
    reg now_last_q;
    reg now_all_q;
    reg         now_valid_q;
    reg  [5:0]  now_stream_q;
    reg  [8:0]  now_place_q;
    reg  [21:0] now_index_q;
    reg  [15:0] now_credit_q;
    reg         now_parity_q;
    wire        turn_ends;
    wire        message_passes;
    assign is_free = ~now_valid_q | turn_ends;
    wire [8:0]  linked_place;
    wire [8:0]  place_of_turn =
        is_free        ? next_turn_place :
        message_passes ? linked_place :
                         now_place_q;
    reg  [9:0]  link_q;

    always @(posedge clk) begin
        if (arriving_valid_q & stream_waits) begin
            next[queue_last] <= {place, arriving_is_one_q};
        end
        link_q <= next[place_of_turn];
    end

    wire [8:0]  following_place = link_q[9:1];
    wire        following_last  = link_q[0];
    assign linked_place = following_place;
    reg  [51:0] size_q;

    always @(posedge clk) begin
        if (arriving_valid_q) begin
            sizes[place] <= size;
        end
        size_q <= sizes[place_of_turn];
    end

    wire [21:0] oldest_behind      = size_q[51:30];
    wire [10:0] oldest_last_length = size_q[29:19];
    wire [11:0] oldest_last_octets = size_q[18:7];
    wire [6:0]  oldest_header      = size_q[6:0];
    // A message counts two cycles after it arrives: then the link to it has been read.
    reg        now_more_q;
    reg  [8:0] now_newest_q;
    reg        now_stopped_q;
    reg        came_q;
    reg        arrives_q;
    reg        came_or_arrives_q;
    wire       now_is_opened   = opened_q & (opened_stream_q == now_stream_q);
    wire       now_is_dropped  = dropped_q & (dropped_stream_q == now_stream_q);
    wire [8:0] now_newest      = came_q ? arrived_place_q : now_newest_q;
    wire       linked_has_more = now_newest_q != linked_place;
    wire       comes_next      = is_free ? next_arrives_q : arrives_q;
    wire       message_comes   = takes & (message_stream == now_stream_q);
    wire       arrives_next    = is_free ? next_comes : message_comes;

    always @(posedge clk) begin
        came_q            <= comes_next;
        arrives_q         <= arrives_next;
        came_or_arrives_q <= comes_next | arrives_next;
        now_more_q        <=
            is_free ? ((next_came_q & ~is_found_q) | next_state_more) :
                      (came_q | (message_passes ? linked_has_more : now_more_q));
        now_newest_q      <= is_free ? next_newest : now_newest;
        now_stopped_q     <=
            is_free ? (~next_is_opened & (next_is_dropped | next_state_stopped)) :
                      (~now_is_opened & (now_is_dropped | now_stopped_q));
    end

    // ---- Its next segment
    wire        segment_goes = now_valid_q & has_room_q & ~(now_all_q & came_or_arrives_q);
    assign one_is_sent = segment_goes;
    wire [11:0] full_octets  = {2'd1, {3'd0, oldest_header}};
    wire [15:0] octets       = {4'd0, now_last_q ? oldest_last_octets : full_octets};
    wire [15:0] credit_left  = now_credit_q - octets;
    // Without a stream that waits for a turn nothing is spent.
    reg         suffices_q;
    wire        is_spent   = ~suffices_q & next_turn_valid;
    assign message_passes = now_valid_q & has_room_q & now_last_q & ~now_all_q & ~is_spent;
    assign turn_ends      = now_valid_q & has_room_q & (now_all_q ? ~came_or_arrives_q : is_spent);
    wire [21:0] index_next = (now_index_q + 22'd1) & {22{~now_last_q}};
    // Where the next segment is, and whether that is the last one of its message. If the stream is stopped, the next
    // one is.
    wire       rest_is_last  = (now_index_q + 22'd1) == oldest_behind;
    wire       last_next     = now_last_q ? following_last : rest_is_last;
    wire [8:0] place_behind  = now_last_q ? linked_place : now_place_q;
    wire       begins_last   = next_turn_last | (~next_is_opened & (next_is_dropped | next_state_stopped));
    wire       is_last_then  =
        (segment_goes ? last_next : now_last_q) | (~now_is_opened & (now_is_dropped | now_stopped_q));
    wire       begins_all    = begins_last & ~((next_came_q & ~is_found_q) | next_state_more);
    wire       is_all_then   = is_last_then & ~(came_q | (message_passes ? linked_has_more : now_more_q));
    wire       turn_suffices = ~next_turn_credit[15] & (|next_turn_credit[14:7]);
    wire       rest_suffices = ~credit_left[15] & (|credit_left[14:7]);

    always @(posedge clk) begin
        if (is_free) begin
            now_valid_q  <= next_turn_valid;
            now_stream_q <= next_turn_stream;
            now_place_q  <= next_turn_place;
            now_index_q  <= next_turn_index;
            now_credit_q <= next_turn_credit;
            now_parity_q <= next_turn_parity;
            suffices_q   <= turn_suffices;
        end else if (segment_goes) begin
            now_stream_q <= now_stream_q;
            now_place_q  <= place_behind;
            now_index_q  <= index_next;
            now_credit_q <= next_turn_valid ? credit_left : now_credit_q;
            now_parity_q <= now_parity_q;
            suffices_q   <= next_turn_valid ? rest_suffices : suffices_q;
        end
        now_last_q <= is_free ? begins_last : is_last_then;
        now_all_q  <= is_free ? begins_all : is_all_then;
        if (rst) begin
            now_valid_q <= 1'b0;
        end
    end

    wire        comes_again = segment_goes & is_spent & ~now_all_q;
    wire        again_free  = ~again_valid_q | again_ready;
    wire [54:0] again_next  =
        again_keeps_q ? {
                            again_kept_stream_q, again_kept_place_q, again_kept_index_q, again_kept_last_q,
                            again_kept_credit_q, again_kept_parity_q
                        } :
                        {now_stream_q, place_behind, index_next, last_next, credit_left, now_parity_q};
    wire        again_keeps = (again_keeps_q | comes_again) & ~again_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (again_free) begin
            again_valid_q  <= again_keeps_q | comes_again;
            again_stream_q <= again_next[54:49];
            again_place_q  <= again_next[48:40];
            again_index_q  <= again_next[39:18];
            again_last_q   <= again_next[17];
            again_credit_q <= again_next[16:1];
            again_parity_q <= again_next[0];
        end
        if (~again_keeps_q) begin
            again_kept_stream_q <= now_stream_q;
            again_kept_place_q  <= place_behind;
            again_kept_index_q  <= index_next;
            again_kept_last_q   <= last_next;
            again_kept_credit_q <= credit_left;
            again_kept_parity_q <= now_parity_q;
        end
        again_keeps_q <= again_keeps;
        again_room_q  <= ~again_keeps;
        if (rst) begin
            again_valid_q <= 1'b0;
            again_keeps_q <= 1'b0;
            again_room_q  <= 1'b1;
        end
    end

    assign again_valid  = again_valid_q;
    assign again_stream = again_stream_q;
    assign again_place  = again_place_q;
    assign again_index  = again_index_q;
    assign again_last   = again_last_q;
    assign again_credit = again_credit_q;
    assign again_parity = again_parity_q;

    // The token is taken back in the next cycle.
    always @(posedge clk) begin
        gone_q        <= segment_goes & now_all_q;
        gone_stream_q <= now_stream_q;
        gone_parity_q <= now_parity_q;
        if (rst) begin
            gone_q <= 1'b0;
        end
    end

    wire       write_retired = ~swept_q | gone_q;
    wire [5:0] retired_row   = ~swept_q ? sweep_q : gone_stream_q;
    wire       retired_word  = ~swept_q ? 1'b0 : gone_parity_q;

    always @(posedge clk) begin
        if (write_retired) begin
            retired[retired_row] <= retired_word;
        end
        if (is_queued) begin
            retired_old_q <= retired[message_stream];
        end
    end

    always @(posedge clk) begin
        if (is_queued) begin
            retired_is_new_q <= write_retired & (retired_row == message_stream);
            retired_new_q    <= retired_word;
        end
    end

    wire        piece_free  = ~piece_valid_q | cut_next_ready;
    wire [48:0] piece_next  =
        piece_keeps_q ? {
                            piece_kept_stream_q, piece_kept_place_q, piece_kept_index_q, piece_kept_last_q,
                            piece_kept_last_length_q
                        } :
                        {now_stream_q, now_place_q, now_index_q, now_last_q, oldest_last_length};
    wire        piece_keeps = (piece_keeps_q | segment_goes) & ~piece_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (piece_free) begin
            piece_valid_q       <= piece_keeps_q | segment_goes;
            piece_stream_q      <= piece_next[48:43];
            piece_place_q       <= piece_next[42:34];
            piece_index_q       <= piece_next[33:12];
            piece_last_q        <= piece_next[11];
            piece_last_length_q <= piece_next[10:0];
        end
        if (~piece_keeps_q) begin
            piece_kept_stream_q      <= now_stream_q;
            piece_kept_place_q       <= now_place_q;
            piece_kept_index_q       <= now_index_q;
            piece_kept_last_q        <= now_last_q;
            piece_kept_last_length_q <= oldest_last_length;
        end
        piece_keeps_q <= piece_keeps;
        piece_room_q  <= ~piece_keeps;
        if (rst) begin
            piece_valid_q <= 1'b0;
            piece_keeps_q <= 1'b0;
            piece_room_q  <= 1'b1;
        end
    end

    assign cut_next_valid       = piece_valid_q;
    assign cut_next_stream      = piece_stream_q;
    assign cut_next_place       = piece_place_q;
    assign cut_next_index       = piece_index_q;
    assign cut_next_last        = piece_last_q;
    assign cut_next_last_length = piece_last_length_q;

    always @(posedge clk) begin
        has_room_q <= ~(piece_keeps | again_keeps);
        if (rst) begin
            has_room_q <= 1'b1;
        end
    end

    // ---- Command of a segment of a message that waited
    reg        cut_valid_q;
    reg [5:0]  cut_stream_q;
    reg [8:0]  cut_place_q;
    reg [21:0] cut_index_q;
    reg        cut_last_q;
    reg [10:0] cut_last_length_q;
    reg        cut_vacant_q;
    // Whether it can be loaded has many readers; what decides asks a register of its own.
    wire cut_is_free = ~cut_valid_q | command_free;
    wire cut_takes   = cut_vacant_q | command_free;
    assign cut_next_ready = cut_takes;

    always @(posedge clk) begin
        if (cut_takes) begin
            cut_vacant_q <= ~cut_next_valid;
        end
        if (cut_is_free) begin
            cut_valid_q       <= cut_next_valid;
            cut_stream_q      <= cut_next_stream;
            cut_place_q       <= cut_next_place;
            cut_index_q       <= cut_next_index;
            cut_last_q        <= cut_next_last;
            cut_last_length_q <= cut_next_last_length;
        end
        if (rst) begin
            cut_vacant_q <= 1'b1;
            cut_valid_q  <= 1'b0;
        end
    end

    reg [638:0] contents_q;

    always @(posedge clk) begin
        if (arriving_valid_q) begin
            contents[place] <= {
                arriving_kind_q, arriving_number_q, arriving_header_length_q, arriving_header_q,
                arriving_address_q
            };
        end
        if (cut_is_free) begin
            contents_q <= contents[cut_next_place];
        end
    end

    wire [2:0]   contents_kind          = contents_q[638:636];
    wire [4:0]   contents_number        = contents_q[635:631];
    wire [6:0]   contents_header_length = contents_q[630:624];
    wire [559:0] contents_header        = contents_q[623:64];
    wire [63:0]  contents_address       = contents_q[63:0];
    reg          frees_q;
    reg  [8:0]   read_place_q;

    always @(posedge clk) begin
        frees_q      <= cut_next_valid & cut_is_free & cut_next_last;
        read_place_q <= cut_next_place;
        if (rst) begin
            frees_q <= 1'b0;
        end
    end

    assign freed_valid = frees_q;
    assign freed_place = read_place_q;
    wire [31:0] octets_before = {cut_index_q, 10'd0};
    wire [10:0] cut_length    = cut_last_q ? cut_last_length_q : 11'd1024;
    // The header is rounded up beside the sum.
    wire [10:0] cut_header_up  = {4'd0, contents_header_length} + 11'd63;
    wire [10:0] cut_rounded_up = cut_length + cut_header_up;
    wire [5:0]   cut_ends             = cut_length[5:0] + contents_header_length[5:0];
    wire         is_tagged            = contents_header[7];
    wire [63:0]  first_to             = {
        contents_header[55:48], contents_header[63:56], contents_header[71:64], contents_header[79:72],
        contents_header[87:80], contents_header[95:88], contents_header[103:96], contents_header[111:104]
    };
    wire [63:0]  tagged_offset        = first_to + {32'd0, octets_before};
    wire [31:0]  first_mo             = {
        contents_header[119:112], contents_header[127:120], contents_header[135:128], contents_header[143:136]
    };
    wire [31:0]  message_offset       = first_mo + octets_before;
    wire [447:0] octets_after_to      = contents_header[559:112];
    wire [47:0]  octets_before_to     = contents_header[47:0];
    wire [415:0] octets_after_mo      = contents_header[559:144];
    wire [111:0] octets_before_mo     = contents_header[111:0];
    wire [559:0] advanced_header      =
        is_tagged ? {
                        octets_after_to,
                        {
                            tagged_offset[7:0], tagged_offset[15:8], tagged_offset[23:16],
                            tagged_offset[31:24], tagged_offset[39:32], tagged_offset[47:40],
                            tagged_offset[55:48], tagged_offset[63:56]
                        },
                        octets_before_to
                    } :
                    {
                        octets_after_mo,
                        {
                            message_offset[7:0], message_offset[15:8], message_offset[23:16],
                            message_offset[31:24]
                        },
                        octets_before_mo
                    };
    wire [551:0] segment_other_octets = advanced_header[559:8];
    wire         segment_t            = advanced_header[7];
    wire         segment_l            = advanced_header[6];
    wire [5:0]   segment_rsvd_dv      = advanced_header[5:0];
    assign message_left = cut_valid_q & command_free & cut_last_q;

    // ---- Command
    wire command_enters = opens_message | cut_valid_q;

    always @(posedge clk) begin
        if (command_loads) begin
            command_stream_q         <= cut_valid_q ? cut_stream_q : message_stream;
            command_kind_q           <= cut_valid_q ? contents_kind : message_kind;
            command_final_q          <= cut_valid_q ? cut_last_q : has_one_segment;
            command_number_q         <= cut_valid_q ? contents_number : message_number;
            command_header_length_q  <= cut_valid_q ? contents_header_length : message_header_length;
            command_header_q         <=
                cut_valid_q ? {segment_other_octets, segment_t, segment_l & cut_last_q, segment_rsvd_dv} :
                              {message_other_octets, message_t, message_l & has_one_segment, message_rsvd_dv};
            command_address_q        <=
                cut_valid_q ? (contents_address + {32'd0, octets_before}) : message_address;
            command_payload_length_q <= cut_valid_q ? {5'd0, cut_length} : {5'd0, first_length};
            command_beats_q          <= cut_valid_q ? cut_rounded_up[10:6] : first_rounded_up[10:6];
            command_ends_q           <= cut_valid_q ? cut_ends : first_ends;
        end
        if (command_free) begin
            command_valid_q  <= command_enters;
            command_vacant_q <= ~command_enters;
        end
        if (rst) begin
            command_valid_q  <= 1'b0;
            command_vacant_q <= 1'b1;
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
    assign command_beats          = command_beats_q;
    assign command_ends           = command_ends_q;

    // Not read:
    // free_valid: counted
    // first_rounded_up[5:0], cut_rounded_up[5:0]: rounded up to whole beats
    // fresh_token_in_ready: its place is reserved
    // next_list_parity: the stream has a token
    // piece_room_q, again_room_q: has_room_q is of both
    // freed_ready: there is room for all places
    // cut_place_q: only its contents are of use
    wire unused = &{
        1'b0, free_valid, first_rounded_up[5:0], fresh_token_in_ready, next_list_parity, piece_room_q,
        again_room_q, freed_ready, cut_place_q, cut_rounded_up[5:0]
    };
endmodule
`default_nettype wire
