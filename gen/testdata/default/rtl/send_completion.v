// send_completion tracks the work requests of a stream that are in progress, up to 16, and completes them in posting
// order. A Write, a Send or Immediate Data succeeds when its last segment is reported as sent; a Read or Atomic also
// needs its response. Successful work requests complete only if they are signaled.
//
// Reports, ends, abandoned work requests and openings are counted per stream, one per cycle, and so are responses
// beside them, whatever else happens. A stream of which something may be complete has one token, which is in a list, or
// in the pipeline that completes work requests, one per cycle, up to 16 of a stream in turn.
//
// A dropped segment or an end closes the stream: what is not complete by then, in posting order, does not succeed. Once
// the stream has ended, work requests in progress are flushed in order, or complete as failed if marked so: one for
// each last segment that is reported, sent or dropped, and one for each abandoned work request when all messages are
// reported. An opening forgets what is in progress.
//
// freed says that a waiting work request may start. Fewer than 2^16 messages of a stream are unreported.
//
// Built for streams 64, send_depth 16, ord 8.
`default_nettype none
module send_completion (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

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

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

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
    output wire [31:0]  completion_stag,   // invalidated STag

    // abandoned: the message of a work request is not sent, nor is any later one
    input  wire         abandoned_valid,
    output wire         abandoned_ready,
    input  wire [5:0]   abandoned_stream, // number of the stream

    // opened
    output wire         opened_valid,
    input  wire         opened_ready,
    output wire [5:0]   opened_stream,   // number of the stream
    output wire [4:0]   opened_oldest,   // number of the next work request to complete
    output wire [3:0]   opened_finished, // number of the next Read or Atomic to complete
    output wire [15:0]  opened_domain,   // protection domain

    input  wire         look,         // fetch the progress of look_stream
    input  wire [5:0]   look_stream,  // number of the stream
    output wire [8:0]   progress,     // packed progress, in the next cycle
    // something of freed_stream is complete; its progress says so since the cycle before
    output wire         freed,
    output wire [5:0]   freed_stream, // number of the stream
    input  wire         ask,          // fetch whether ask_stream has ended
    input  wire [5:0]   ask_stream,   // number of the stream
    output wire         closed,       // it has, in the next cycle
    output wire         count,        // fetch the number of messages of count_stream
    output wire [5:0]   count_stream, // number of the stream
    input  wire [15:0]  made,         // messages, modulo 2^16, in the next cycle
    input  wire         store,        // a work request is issued, or an entry changes
    input  wire [5:0]   store_stream, // number of the stream
    input  wire [3:0]   store_slot,   // its slot in the ring
    input  wire [103:0] store_entry   // packed underWay
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

    reg [10:0] completed [0:63];
    reg [63:0] responses [0:511];

    // ---- Streams of which something may be complete: new ones, and again
    wire       new_valid;
    wire       new_ready;
    wire [5:0] new_stream;
    wire       new_first_valid;
    wire       new_first_ready;
    wire [5:0] new_first_stream;
    wire [5:0] new_list_out;
    assign new_first_stream = new_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) new_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (new_valid),
        .in_ready  (new_ready),
        .in_data   (new_stream),
        .out_valid (new_first_valid),
        .out_ready (new_first_ready),
        .out_data  (new_list_out)
    );

    wire       again_valid;
    wire       again_ready;
    wire [5:0] again_stream;
    wire       again_first_valid;
    wire       again_first_ready;
    wire [5:0] again_first_stream;
    wire [5:0] again_list_out;
    assign again_first_stream = again_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) again_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (again_valid),
        .in_ready  (again_ready),
        .in_data   (again_stream),
        .out_valid (again_first_valid),
        .out_ready (again_first_ready),
        .out_data  (again_list_out)
    );

    wire       complete_valid;
    wire       complete_ready;
    wire [5:0] complete_stream;
    wire       complete_first_valid;
    wire       complete_first_ready;
    wire [5:0] complete_first_stream;
    wire [5:0] complete_list_out;
    assign complete_first_stream = complete_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) complete_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (complete_valid),
        .in_ready  (complete_ready),
        .in_data   (complete_stream),
        .out_valid (complete_first_valid),
        .out_ready (complete_first_ready),
        .out_data  (complete_list_out)
    );

    wire       new_merged_valid;
    wire       new_merged_ready;
    wire [5:0] new_merged_stream;
    wire [5:0] new_merge_out;
    assign new_merged_stream = new_merge_out;

    merge #(.WIDTH(6)) new_merge (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (new_first_valid),
        .a_ready   (new_first_ready),
        .a_data    (new_first_stream),
        .b_valid   (again_first_valid),
        .b_ready   (again_first_ready),
        .b_data    (again_first_stream),
        .out_valid (new_merged_valid),
        .out_ready (new_merged_ready),
        .out_data  (new_merge_out)
    );

    wire       again_merged_valid;
    wire       again_merged_ready;
    wire [5:0] again_merged_stream;
    wire [5:0] again_merge_out;
    assign again_merged_stream = again_merge_out;

    merge #(.WIDTH(6)) again_merge (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (complete_first_valid),
        .a_ready   (complete_first_ready),
        .a_data    (complete_first_stream),
        .b_valid   (new_merged_valid),
        .b_ready   (new_merged_ready),
        .b_data    (new_merged_stream),
        .out_valid (again_merged_valid),
        .out_ready (again_merged_ready),
        .out_data  (again_merge_out)
    );

    // ---- Updates: one per cycle
    wire        report_valid;
    wire        report_ready;
    wire [5:0]  report_stream;
    wire [2:0]  report_kind;
    wire        report_final;
    wire        report_dropped;
    wire        report_asks;
    wire        response_valid;
    wire        response_ready;
    wire [5:0]  response_stream;
    wire [63:0] response_data;
    wire        end_valid;
    wire        end_ready;
    wire [5:0]  end_stream;
    wire        left_valid;
    wire        left_ready;
    wire [5:0]  left_stream;
    reg  [5:0]  next_report_stream_q;
    reg  [2:0]  next_report_kind_q;
    reg         next_report_final_q;
    reg         next_report_dropped_q;
    reg         next_report_asks_q;
    reg         next_report_valid_q;
    reg  [5:0]  next_report_kept_stream_q;
    reg  [2:0]  next_report_kept_kind_q;
    reg         next_report_kept_final_q;
    reg         next_report_kept_dropped_q;
    reg         next_report_kept_asks_q;
    reg         next_report_keeps_q;
    reg         next_report_room_q;
    assign sent_ready = next_report_room_q;
    wire        next_report_free  = ~next_report_valid_q | report_ready;
    wire [11:0] next_report_next  =
        next_report_keeps_q ? {
                                  next_report_kept_stream_q, next_report_kept_kind_q,
                                  next_report_kept_final_q, next_report_kept_dropped_q,
                                  next_report_kept_asks_q
                              } :
                              {sent_stream, sent_kind, sent_final, sent_dropped, sent_asks};
    wire        next_report_keeps =
        (next_report_keeps_q | (sent_valid & next_report_room_q)) & ~next_report_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (next_report_free) begin
            next_report_valid_q   <= next_report_keeps_q | (sent_valid & next_report_room_q);
            next_report_stream_q  <= next_report_next[11:6];
            next_report_kind_q    <= next_report_next[5:3];
            next_report_final_q   <= next_report_next[2];
            next_report_dropped_q <= next_report_next[1];
            next_report_asks_q    <= next_report_next[0];
        end
        if (~next_report_keeps_q) begin
            next_report_kept_stream_q  <= sent_stream;
            next_report_kept_kind_q    <= sent_kind;
            next_report_kept_final_q   <= sent_final;
            next_report_kept_dropped_q <= sent_dropped;
            next_report_kept_asks_q    <= sent_asks;
        end
        next_report_keeps_q <= next_report_keeps;
        next_report_room_q  <= ~next_report_keeps;
        if (rst) begin
            next_report_valid_q <= 1'b0;
            next_report_keeps_q <= 1'b0;
            next_report_room_q  <= 1'b1;
        end
    end

    assign report_valid   = next_report_valid_q;
    assign report_stream  = next_report_stream_q;
    assign report_kind    = next_report_kind_q;
    assign report_final   = next_report_final_q;
    assign report_dropped = next_report_dropped_q;
    assign report_asks    = next_report_asks_q;
    reg  [5:0]  next_answer_stream_q;
    reg  [63:0] next_answer_data_q;
    reg         next_answer_valid_q;
    reg  [5:0]  next_answer_kept_stream_q;
    reg  [63:0] next_answer_kept_data_q;
    reg         next_answer_keeps_q;
    reg         next_answer_room_q;
    assign answered_ready = next_answer_room_q;
    wire        next_answer_free  = ~next_answer_valid_q | response_ready;
    wire [69:0] next_answer_next  =
        next_answer_keeps_q ? {next_answer_kept_stream_q, next_answer_kept_data_q} :
                              {answered_stream, answered_data};
    wire        next_answer_keeps =
        (next_answer_keeps_q | (answered_valid & next_answer_room_q)) & ~next_answer_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (next_answer_free) begin
            next_answer_valid_q  <= next_answer_keeps_q | (answered_valid & next_answer_room_q);
            next_answer_stream_q <= next_answer_next[69:64];
            next_answer_data_q   <= next_answer_next[63:0];
        end
        if (~next_answer_keeps_q) begin
            next_answer_kept_stream_q <= answered_stream;
            next_answer_kept_data_q   <= answered_data;
        end
        next_answer_keeps_q <= next_answer_keeps;
        next_answer_room_q  <= ~next_answer_keeps;
        if (rst) begin
            next_answer_valid_q <= 1'b0;
            next_answer_keeps_q <= 1'b0;
            next_answer_room_q  <= 1'b1;
        end
    end

    assign response_valid  = next_answer_valid_q;
    assign response_stream = next_answer_stream_q;
    assign response_data   = next_answer_data_q;
    reg  [5:0] next_end_stream_q;
    reg        next_end_valid_q;
    reg  [5:0] next_end_kept_stream_q;
    reg        next_end_keeps_q;
    reg        next_end_room_q;
    assign ended_ready     = next_end_room_q;
    wire       next_end_free  = ~next_end_valid_q | end_ready;
    wire [5:0] next_end_next  = next_end_keeps_q ? next_end_kept_stream_q : ended_stream;
    wire       next_end_keeps = (next_end_keeps_q | (ended_valid & next_end_room_q)) & ~next_end_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (next_end_free) begin
            next_end_valid_q  <= next_end_keeps_q | (ended_valid & next_end_room_q);
            next_end_stream_q <= next_end_next;
        end
        if (~next_end_keeps_q) begin
            next_end_kept_stream_q <= ended_stream;
        end
        next_end_keeps_q <= next_end_keeps;
        next_end_room_q  <= ~next_end_keeps;
        if (rst) begin
            next_end_valid_q <= 1'b0;
            next_end_keeps_q <= 1'b0;
            next_end_room_q  <= 1'b1;
        end
    end

    assign end_valid       = next_end_valid_q;
    assign end_stream      = next_end_stream_q;
    reg  [5:0] next_abandon_stream_q;
    reg        next_abandon_valid_q;
    reg  [5:0] next_abandon_kept_stream_q;
    reg        next_abandon_keeps_q;
    reg        next_abandon_room_q;
    assign abandoned_ready = next_abandon_room_q;
    wire       next_abandon_free  = ~next_abandon_valid_q | left_ready;
    wire [5:0] next_abandon_next  = next_abandon_keeps_q ? next_abandon_kept_stream_q : abandoned_stream;
    wire       next_abandon_keeps =
        (next_abandon_keeps_q | (abandoned_valid & next_abandon_room_q)) & ~next_abandon_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (next_abandon_free) begin
            next_abandon_valid_q  <= next_abandon_keeps_q | (abandoned_valid & next_abandon_room_q);
            next_abandon_stream_q <= next_abandon_next;
        end
        if (~next_abandon_keeps_q) begin
            next_abandon_kept_stream_q <= abandoned_stream;
        end
        next_abandon_keeps_q <= next_abandon_keeps;
        next_abandon_room_q  <= ~next_abandon_keeps;
        if (rst) begin
            next_abandon_valid_q <= 1'b0;
            next_abandon_keeps_q <= 1'b0;
            next_abandon_room_q  <= 1'b1;
        end
    end

    assign left_valid  = next_abandon_valid_q;
    assign left_stream = next_abandon_stream_q;
    reg       opened_q;
    reg [1:0] retry_q;
    reg       tries_opening_q;

    always @(posedge clk) begin
        retry_q         <= retry_q + 2'd1;
        tries_opening_q <= swept_q & opening_valid & ~opened_q & (&retry_q);
        if (rst) begin
            retry_q         <= 2'd0;
            tries_opening_q <= 1'b0;
        end
    end

    reg begins_q;

    always @(posedge clk) begin
        begins_q <= swept_q;
        if (rst) begin
            begins_q <= 1'b0;
        end
    end

    // An opening is tried first; an end is taken after earlier responses.
    wire listens         = begins_q & ~tries_opening_q;
    wire takes_end       = listens & end_valid & ~response_valid;
    wire takes_report    = listens & report_valid & ~end_valid;
    wire takes_abandoned = listens & left_valid & ~report_valid & ~end_valid;
    assign end_ready    = takes_end;
    assign report_ready = takes_report;
    assign left_ready   = takes_abandoned;
    wire [5:0] update_stream =
        tries_opening_q ? opening_stream :
        takes_end       ? end_stream :
        takes_report    ? report_stream :
                          left_stream;
    reg  [5:0] chosen_stream_q;
    reg        chosen_final_q;
    reg        chosen_dropped_q;
    reg        chosen_ended_q;
    reg        chosen_abandoned_q;
    reg        chosen_opens_q;
    reg        chosen_asks_q;
    reg  [5:0] update_stream_q;
    reg        update_final_q;
    reg        update_dropped_q;
    reg        update_ended_q;
    reg        update_abandoned_q;
    reg        update_opens_q;
    reg        update_asks_q;
    reg        reading_q;
    reg        deciding_q;

    always @(posedge clk) begin
        reading_q          <= tries_opening_q | takes_end | takes_report | takes_abandoned;
        deciding_q         <= reading_q;
        update_stream_q    <= chosen_stream_q;
        update_final_q     <= chosen_final_q;
        update_dropped_q   <= chosen_dropped_q;
        update_ended_q     <= chosen_ended_q;
        update_abandoned_q <= chosen_abandoned_q;
        update_opens_q     <= chosen_opens_q;
        update_asks_q      <= chosen_asks_q;
        chosen_stream_q    <= update_stream;
        chosen_final_q     <= takes_report & report_final;
        chosen_dropped_q   <= takes_report & report_dropped;
        chosen_ended_q     <= takes_end;
        chosen_abandoned_q <= takes_abandoned;
        chosen_opens_q     <= tries_opening_q;
        chosen_asks_q      <= takes_report & report_final & report_asks;
        if (rst) begin
            reading_q  <= 1'b0;
            deciding_q <= 1'b0;
        end
    end

    // ---- Count it; a stream of which something may be complete gets a token
    wire        opens;
    wire        counts_update    = deciding_q & ~update_opens_q;
    wire        changes_state    = counts_update | opens;
    reg  [38:0] send_state [0:63];
    reg  [38:0] send_state_update_q;
    reg  [38:0] send_state_written_q;
    reg         send_state_update_valid_q;
    reg  [5:0]  send_state_update_stream_q;
    wire        write_send_state = ~swept_q | send_state_update_valid_q;
    wire [5:0]  send_state_row   = ~swept_q ? sweep_q : send_state_update_stream_q;
    wire [38:0] send_state_word  =
        ~swept_q ? {1'b1, 1'b1, 5'd0, 5'd0, 5'd0, 16'd0, 4'd0, 1'b0, 1'b0} : send_state_update_q;

    always @(posedge clk) begin
        send_state_update_valid_q  <= changes_state;
        send_state_update_stream_q <= update_stream_q;
        send_state_written_q       <= send_state_word;
        if (rst) begin
            send_state_update_valid_q <= 1'b0;
        end
    end

    reg send_state_is_decided_q;
    reg send_state_is_written_q;

    always @(posedge clk) begin
        send_state_is_decided_q <= changes_state & (update_stream_q == chosen_stream_q);
        send_state_is_written_q <= write_send_state & (send_state_row == chosen_stream_q);
    end

    reg  [38:0] send_state_stored_q;
    wire [38:0] send_state_now =
        send_state_is_decided_q ? send_state_update_q :
        send_state_is_written_q ? send_state_written_q :
                                  send_state_stored_q;
    wire        had_closed     = send_state_now[38];
    wire        had_ended      = send_state_now[37];
    wire [4:0]  had_sent       = send_state_now[36:32];
    wire [4:0]  had_late       = send_state_now[31:27];
    wire [4:0]  had_abandoned  = send_state_now[26:22];
    wire [15:0] had_reported   = send_state_now[21:6];
    wire [3:0]  had_asked      = send_state_now[5:2];
    wire        had_created    = send_state_now[1];
    wire        had_opened     = send_state_now[0];
    reg  [10:0] had_completed_old_q;
    reg  [10:0] had_completed_new_q;
    reg         had_completed_is_new_q;
    wire [10:0] had_completed  = had_completed_is_new_q ? had_completed_new_q : had_completed_old_q;
    wire        takes_response = listens & response_valid;
    assign response_ready = takes_response;

    // ---- Responses: one per cycle
    reg         answer_reading_q;
    reg         answer_deciding_q;
    wire [5:0]  answer_stream = tries_opening_q ? opening_stream : response_stream;
    reg  [5:0]  chosen_answer_stream_q;
    reg         chosen_answer_opens_q;
    reg  [63:0] chosen_answer_data_q;
    reg  [5:0]  answer_stream_q;
    reg         answer_opens_q;
    reg  [63:0] answer_data_q;

    always @(posedge clk) begin
        answer_reading_q       <= tries_opening_q | takes_response;
        answer_deciding_q      <= answer_reading_q;
        chosen_answer_stream_q <= answer_stream;
        chosen_answer_opens_q  <= tries_opening_q;
        chosen_answer_data_q   <= response_data;
        answer_stream_q        <= chosen_answer_stream_q;
        answer_opens_q         <= chosen_answer_opens_q;
        answer_data_q          <= chosen_answer_data_q;
        if (rst) begin
            answer_reading_q  <= 1'b0;
            answer_deciding_q <= 1'b0;
        end
    end

    wire       answer_comes    = answer_deciding_q & ~answer_opens_q;
    wire       changes_answers = answer_comes | opens;
    reg  [4:0] answers [0:63];
    reg  [4:0] answers_update_q;
    reg  [4:0] answers_written_q;
    reg        answers_update_valid_q;
    reg  [5:0] answers_update_stream_q;
    wire       write_answers   = ~swept_q | answers_update_valid_q;
    wire [5:0] answers_row     = ~swept_q ? sweep_q : answers_update_stream_q;
    wire [4:0] answers_word    = ~swept_q ? 5'd0 : answers_update_q;

    always @(posedge clk) begin
        answers_update_valid_q  <= changes_answers;
        answers_update_stream_q <= answer_stream_q;
        answers_written_q       <= answers_word;
        if (rst) begin
            answers_update_valid_q <= 1'b0;
        end
    end

    reg answers_is_decided_q;
    reg answers_is_written_q;

    always @(posedge clk) begin
        answers_is_decided_q <= changes_answers & (answer_stream_q == chosen_answer_stream_q);
        answers_is_written_q <= write_answers & (answers_row == chosen_answer_stream_q);
    end

    reg  [4:0] answers_stored_q;
    wire [4:0] answers_now =
        answers_is_decided_q ? answers_update_q :
        answers_is_written_q ? answers_written_q :
                               answers_stored_q;
    reg        answers_of_update_is_decided_q;
    reg        answers_of_update_is_written_q;

    always @(posedge clk) begin
        answers_of_update_is_decided_q <= changes_answers & (answer_stream_q == chosen_stream_q);
        answers_of_update_is_written_q <= write_answers & (answers_row == chosen_stream_q);
    end

    reg  [4:0] answers_of_update_stored_q;
    wire [4:0] answers_of_update_now =
        answers_of_update_is_decided_q ? answers_update_q :
        answers_of_update_is_written_q ? answers_written_q :
                                         answers_of_update_stored_q;
    // A Read or Atomic is complete with its response, which then gives its stream a turn, unless it came first; or the
    // stream has ended.
    wire [3:0] unanswered_of_update = had_asked - answers_of_update_now[4:1];
    wire sent_may_be_complete = update_final_q & (~update_asks_q | unanswered_of_update[3] | had_ended);
    wire needs_turn           =
        counts_update & (sent_may_be_complete | update_dropped_q | update_ended_q | update_abandoned_q);
    reg  state_of_answered_is_decided_q;
    reg  state_of_answered_is_written_q;

    always @(posedge clk) begin
        state_of_answered_is_decided_q <= changes_state & (update_stream_q == chosen_answer_stream_q);
        state_of_answered_is_written_q <= write_send_state & (send_state_row == chosen_answer_stream_q);
    end

    reg  [38:0] state_of_answered_stored_q;
    wire [38:0] state_of_answered_now =
        state_of_answered_is_decided_q ? send_state_update_q :
        state_of_answered_is_written_q ? send_state_written_q :
                                         state_of_answered_stored_q;
    reg  [10:0] completed_of_answered_old_q;
    reg  [10:0] completed_of_answered_new_q;
    reg         completed_of_answered_is_new_q;
    wire [10:0] completed_of_answered =
        completed_of_answered_is_new_q ? completed_of_answered_new_q : completed_of_answered_old_q;
    wire answered_has_token   = answers_now[0] ^ state_of_answered_now[1] ^ completed_of_answered[0];
    wire update_gives_token   = needs_turn & (update_stream_q == answer_stream_q);
    wire answer_creates_token = answer_comes & ~answered_has_token & ~update_gives_token;
    assign complete_valid  = answer_creates_token;
    assign complete_stream = answer_stream_q;
    wire response_counts = answer_comes & ~state_of_answered_now[38];

    always @(posedge clk) begin
        answers_update_q <= {
            answer_opens_q ? had_completed[5:2] : (answers_now[4:1] + {3'd0, response_counts}),
            answers_now[0] ^ answer_creates_token
        };
    end

    wire has_token     = had_created ^ had_completed[0] ^ answers_of_update_now[0];
    wire creates_token = needs_turn & ~has_token;
    assign opens = deciding_q & update_opens_q & ~has_token;
    // What a dropped segment ends is late already.
    wire is_late = had_closed | update_dropped_q;

    always @(posedge clk) begin
        send_state_update_q <=
            update_opens_q ? {
                                 ~opening_open, ~opening_open, had_completed[10:6], 5'd0, 5'd0, had_reported,
                                 had_completed[5:2], had_created, had_completed[1]
                             } :
                             {
                                 is_late | update_ended_q, had_ended | update_ended_q,
                                 had_sent + {4'd0, update_final_q & ~is_late},
                                 had_late + {4'd0, update_final_q & is_late},
                                 had_abandoned + {4'd0, update_abandoned_q},
                                 had_reported + {15'd0, update_final_q}, had_asked + {3'd0, update_asks_q},
                                 had_created ^ creates_token, had_opened
                             };
    end

    assign new_valid  = creates_token;
    assign new_stream = update_stream_q;
    // A stream that is opened has no token, so no turn of it ends.
    reg asked_is_decided_q;
    reg asked_is_written_q;

    always @(posedge clk) begin
        asked_is_decided_q <= changes_state & (update_stream_q == ask_stream);
        asked_is_written_q <= write_send_state & (send_state_row == ask_stream);
    end

    reg  [38:0] asked_stored_q;
    wire [38:0] asked_now =
        asked_is_decided_q ? send_state_update_q :
        asked_is_written_q ? send_state_written_q :
                             asked_stored_q;
    assign closed = asked_now[38];

    // ---- Opening: counted first, then carried out where work requests are held
    reg [5:0]  reopened_stream_q;
    reg [4:0]  reopened_oldest_q;
    reg [3:0]  reopened_finished_q;
    reg [15:0] reopened_domain_q;

    always @(posedge clk) begin
        if (opens) begin
            opened_q            <= 1'b1;
            reopened_stream_q   <= update_stream_q;
            reopened_oldest_q   <= had_completed[10:6];
            reopened_finished_q <= had_completed[5:2];
            reopened_domain_q   <= opening_domain;
        end else if (opened_ready) begin
            opened_q <= 1'b0;
        end
        if (rst) begin
            opened_q <= 1'b0;
        end
    end

    assign opened_valid    = opened_q;
    assign opened_stream   = reopened_stream_q;
    assign opened_oldest   = reopened_oldest_q;
    assign opened_finished = reopened_finished_q;
    assign opened_domain   = reopened_domain_q;
    wire        opening_ends = opened_q & opened_ready;
    assign opening_ready   = opening_ends;
    wire        run_valid;
    wire        run_ready;
    wire [5:0]  run_stream;
    wire [4:0]  run_oldest;
    wire [3:0]  run_finished;
    wire [4:0]  run_count;
    wire [4:0]  run_sent;
    wire [3:0]  run_answered;
    wire        run_ended;
    wire        run_lost;
    wire        run_more;
    wire [43:0] run_seen;
    reg  [3:0]  run_reserved_q;
    wire        run_in_valid;
    wire        run_in_ready;
    wire [5:0]  run_in_stream;
    wire [4:0]  run_in_oldest;
    wire [3:0]  run_in_finished;
    wire [4:0]  run_in_count;
    wire [4:0]  run_in_sent;
    wire [3:0]  run_in_answered;
    wire        run_in_ended;
    wire        run_in_lost;
    wire        run_in_more;
    wire [43:0] run_in_seen;
    wire        run_out_valid;
    wire        run_out_ready;
    wire [5:0]  run_out_stream;
    wire [4:0]  run_out_oldest;
    wire [3:0]  run_out_finished;
    wire [4:0]  run_out_count;
    wire [4:0]  run_out_sent;
    wire [3:0]  run_out_answered;
    wire        run_out_ended;
    wire        run_out_lost;
    wire        run_out_more;
    wire [43:0] run_out_seen;

    // ---- Turn: what of the stream is out
    assign again_merged_ready = ~run_reserved_q[3];
    wire       takes_token  = again_merged_valid & ~run_reserved_q[3];
    reg        turn_valid_1_q;
    reg        turn_valid_2_q;
    reg        turn_valid_3_q;
    wire [5:0] token_stream = again_merged_stream;
    reg        seen_answers_is_decided_q;
    reg        seen_answers_is_written_q;

    always @(posedge clk) begin
        seen_answers_is_decided_q <= changes_answers & (answer_stream_q == token_stream);
        seen_answers_is_written_q <= write_answers & (answers_row == token_stream);
    end

    reg  [4:0] seen_answers_stored_q;
    wire [4:0] seen_answers_now =
        seen_answers_is_decided_q ? answers_update_q :
        seen_answers_is_written_q ? answers_written_q :
                                    seen_answers_stored_q;
    reg        seen_is_decided_q;
    reg        seen_is_written_q;

    always @(posedge clk) begin
        seen_is_decided_q <= changes_state & (update_stream_q == token_stream);
        seen_is_written_q <= write_send_state & (send_state_row == token_stream);
    end

    reg  [38:0] seen_stored_q;
    wire [38:0] seen_now       =
        seen_is_decided_q ? send_state_update_q :
        seen_is_written_q ? send_state_written_q :
                            seen_stored_q;
    reg  [10:0] seen_completed_old_q;
    reg  [10:0] seen_completed_new_q;
    reg         seen_completed_is_new_q;
    wire [10:0] seen_completed = seen_completed_is_new_q ? seen_completed_new_q : seen_completed_old_q;
    assign count        = takes_token;
    assign count_stream = token_stream;
    wire has_lost = seen_now[0] ^ seen_completed[1];
    // Abandoned work requests are out when all messages are reported.
    wire        is_drained         = seen_now[21:6] == made;
    wire [4:0]  reported           = seen_now[36:32] + seen_now[31:27];
    reg  [43:0] seen_2_q;
    reg  [4:0]  reported_2_q;
    reg         is_drained_2_q;
    wire [4:0]  out                = reported_2_q + (seen_2_q[26:22] & {5{is_drained_2_q}});
    wire [3:0]  unanswered_of_turn = seen_now[5:2] - seen_answers_now[4:1];
    wire [4:0]  waiting            = {
        2'd0, unanswered_of_turn[2:0] & {3{~seen_now[37] & ~unanswered_of_turn[3]}}
    };
    reg  [4:0]  waiting_2_q;
    reg  [8:0]  progress_2_q;
    wire [4:0]  run_length         = (out - waiting_2_q) - progress_2_q[8:4];
    reg  [43:0] seen_3_q;
    reg  [5:0]  token_stream_1_q;
    reg  [5:0]  token_stream_2_q;
    reg  [5:0]  token_stream_3_q;
    reg  [8:0]  progress_3_q;
    reg  [4:0]  run_length_3_q;
    reg         has_lost_2_q;
    reg         has_lost_3_q;
    assign run_in_valid    = turn_valid_3_q;
    assign run_in_stream   = token_stream_3_q;
    assign run_in_oldest   = progress_3_q[8:4];
    assign run_in_finished = progress_3_q[3:0];
    assign run_in_count    = (run_length_3_q < 5'd16) ? run_length_3_q : 5'd16;
    assign run_in_sent     = seen_3_q[36:32];
    assign run_in_answered = seen_3_q[43:40];
    assign run_in_ended    = seen_3_q[37];
    assign run_in_lost     = has_lost_3_q;
    assign run_in_more     = 5'd16 < run_length_3_q;
    assign run_in_seen     = seen_3_q;
    wire [75:0] run_buffer_out;
    assign run_out_stream   = run_buffer_out[75:70];
    assign run_out_oldest   = run_buffer_out[69:65];
    assign run_out_finished = run_buffer_out[64:61];
    assign run_out_count    = run_buffer_out[60:56];
    assign run_out_sent     = run_buffer_out[55:51];
    assign run_out_answered = run_buffer_out[50:47];
    assign run_out_ended    = run_buffer_out[46];
    assign run_out_lost     = run_buffer_out[45];
    assign run_out_more     = run_buffer_out[44];
    assign run_out_seen     = run_buffer_out[43:0];

    fifo #(.WIDTH(76), .DEPTH(8)) run_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (run_in_valid),
        .in_ready  (run_in_ready),
        .in_data   ({
            run_in_stream, run_in_oldest, run_in_finished, run_in_count, run_in_sent, run_in_answered,
            run_in_ended, run_in_lost, run_in_more, run_in_seen
        }),
        .out_valid (run_out_valid),
        .out_ready (run_out_ready),
        .out_data  (run_buffer_out)
    );

    assign run_valid     = run_out_valid;
    assign run_stream    = run_out_stream;
    assign run_oldest    = run_out_oldest;
    assign run_finished  = run_out_finished;
    assign run_count     = run_out_count;
    assign run_sent      = run_out_sent;
    assign run_answered  = run_out_answered;
    assign run_ended     = run_out_ended;
    assign run_lost      = run_out_lost;
    assign run_more      = run_out_more;
    assign run_seen      = run_out_seen;
    assign run_out_ready = run_ready;
    reg run_left_q;

    always @(posedge clk) begin
        run_left_q <= run_out_valid & run_ready;
        if (rst) begin
            run_left_q <= 1'b0;
        end
    end

    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] run_if_none     = run_reserved_q - {3'd0, run_left_q};
    wire [3:0] run_if_one_more = (run_reserved_q + 4'd1) - {3'd0, run_left_q};

    always @(posedge clk) begin
        run_reserved_q <= takes_token ? run_if_one_more : run_if_none;
        if (rst) begin
            run_reserved_q <= 4'd0;
        end
    end

    // ---- Pipeline registers
    always @(posedge clk) begin
        turn_valid_1_q   <= takes_token;
        turn_valid_2_q   <= turn_valid_1_q;
        turn_valid_3_q   <= turn_valid_2_q;
        seen_2_q         <= {seen_answers_now, seen_now};
        reported_2_q     <= reported;
        is_drained_2_q   <= is_drained;
        waiting_2_q      <= waiting;
        progress_2_q     <= {seen_completed[10:6], seen_completed[5:2]};
        seen_3_q         <= seen_2_q;
        token_stream_1_q <= token_stream;
        token_stream_2_q <= token_stream_1_q;
        token_stream_3_q <= token_stream_2_q;
        progress_3_q     <= progress_2_q;
        run_length_3_q   <= run_length;
        has_lost_2_q     <= has_lost;
        has_lost_3_q     <= has_lost_2_q;
        if (rst) begin
            turn_valid_1_q <= 1'b0;
            turn_valid_2_q <= 1'b0;
            turn_valid_3_q <= 1'b0;
        end
    end

    // ---- Walk through the work requests that are out, one per cycle, as long as completions have room
    reg  [3:0]  completion_reserved_q;
    wire        completion_in_valid;
    wire        completion_in_ready;
    wire [5:0]  completion_in_stream;
    wire [63:0] completion_in_id;
    wire [1:0]  completion_in_status;
    wire [3:0]  completion_in_opcode;
    wire        completion_in_recv;
    wire [31:0] completion_in_length;
    wire [63:0] completion_in_data;
    wire [31:0] completion_in_stag;
    wire        completion_out_valid;
    wire        completion_out_ready;
    wire [5:0]  completion_out_stream;
    wire [63:0] completion_out_id;
    wire [1:0]  completion_out_status;
    wire [3:0]  completion_out_opcode;
    wire        completion_out_recv;
    wire [31:0] completion_out_length;
    wire [63:0] completion_out_data;
    wire [31:0] completion_out_stag;
    wire        stops;
    reg  [5:0]  walk_of_stream_q;
    reg  [4:0]  walk_of_oldest_q;
    reg  [3:0]  walk_of_finished_q;
    reg  [4:0]  walk_of_count_q;
    reg  [4:0]  walk_of_sent_q;
    reg  [3:0]  walk_of_answered_q;
    reg         walk_of_ended_q;
    reg         walk_of_lost_q;
    reg         walk_of_more_q;
    reg  [43:0] walk_of_seen_q;
    reg  [4:0]  walk_number_q;
    reg  [4:0]  walk_left_q;
    reg         walk_valid_q;
    reg         walk_first_q;
    reg         walk_last_q;
    reg         walk_exists_q;
    wire        walk_ends = walk_last_q | stops;
    wire        walk_goes = walk_valid_q & ~completion_reserved_q[3];
    // The next walk does not wait for the decision to stop this one.
    wire walk_free = ~walk_valid_q | (~completion_reserved_q[3] & walk_last_q);
    assign run_ready = walk_free;

    always @(posedge clk) begin
        if (walk_free) begin
            walk_valid_q       <= run_valid;
            walk_of_stream_q   <= run_stream;
            walk_of_oldest_q   <= run_oldest;
            walk_of_finished_q <= run_finished;
            walk_of_count_q    <= run_count;
            walk_of_sent_q     <= run_sent;
            walk_of_answered_q <= run_answered;
            walk_of_ended_q    <= run_ended;
            walk_of_lost_q     <= run_lost;
            walk_of_more_q     <= run_more;
            walk_of_seen_q     <= run_seen;
            walk_number_q      <= run_oldest;
            walk_left_q        <= run_count;
            walk_first_q       <= 1'b1;
            walk_last_q        <= ~|run_count[4:1];
            walk_exists_q      <= |run_count;
        end else if (walk_goes) begin
            walk_valid_q  <= ~stops;
            walk_number_q <= walk_number_q + 5'd1;
            walk_left_q   <= walk_left_q - 5'd1;
            walk_first_q  <= 1'b0;
            walk_last_q   <= walk_left_q == 5'd2;
        end
        if (rst) begin
            walk_valid_q <= 1'b0;
        end
    end

    reg        walk_valid_1_q;
    reg        walk_valid_2_q;
    reg        walk_valid_3_q;
    reg        walk_valid_4_q;
    wire [5:0] stream = walk_of_stream_q;
    wire walk_is_late = walk_number_q == walk_of_sent_q;

    // ---- Is it done?
    reg [103:0] under_way [0:1023];
    reg [103:0] entry_1_q;

    wire [9:0] under_way_write_addr = {store_stream, store_slot};
    wire [9:0] entry_1_addr         = {walk_of_stream_q, walk_number_q[3:0]};
    always @(posedge clk) begin
        if (store) begin
            under_way[under_way_write_addr] <= store_entry;
        end
        if (walk_goes) begin
            entry_1_q <= under_way[entry_1_addr];
        end
    end

    reg [103:0] entry_2_q;
    // Reads and Atomics that were complete before it; whether one before it did not succeed, or in its turn is not
    // done.
    reg  [3:0] counted_q;
    reg        stopped_q;
    reg        lost_q;
    reg  [4:0] walked_q;
    reg        some_done_q;
    reg        first_1_q;
    reg        first_2_q;
    reg  [3:0] finished_1_q;
    reg  [3:0] finished_2_q;
    wire [3:0] finished_before = first_2_q ? finished_2_q : counted_q;
    reg  [3:0] answers_1_q;
    reg  [3:0] answers_2_q;
    wire       has_response    = answers_2_q != finished_before;
    reg        lost_1_q;
    reg        lost_2_q;
    wire       lost_before     = first_2_q ? lost_2_q : lost_q;
    reg        walk_is_late_1_q;
    reg        walk_is_late_2_q;
    wire       success         = ~lost_before & ~walk_is_late_2_q & (~entry_2_q[2] | has_response);
    reg        exists_1_q;
    reg        exists_2_q;
    wire       goes_on         = exists_2_q & ~stopped_q;
    reg        ended_1_q;
    reg        ended_2_q;
    wire       done            = goes_on & (success | ended_2_q);
    wire [3:0] finished_next   = finished_before + {3'd0, done & entry_2_q[2]};
    reg  [4:0] of_1_q;
    reg  [4:0] of_2_q;
    wire [4:0] walked_before   = first_2_q ? of_2_q : walked_q;
    wire [4:0] walked_next     = done ? (of_2_q + 5'd1) : walked_before;
    wire       lost_next       = lost_before | (done & ~success);
    reg        last_1_q;
    reg        last_2_q;

    always @(posedge clk) begin
        if (walk_valid_2_q) begin
            counted_q   <= finished_next;
            lost_q      <= lost_next;
            walked_q    <= walked_next;
            some_done_q <= done | (~first_2_q & some_done_q);
            stopped_q   <= ~done & ~last_2_q;
        end
        if (rst) begin
            stopped_q <= 1'b0;
        end
    end

    // The turn ends soon when one is not done. A later turn may have begun if its last one has been read.
    wire        turn_has_ended       = (walk_valid_1_q & last_1_q) | (walk_valid_2_q & last_2_q);
    assign stops = stopped_q & ~turn_has_ended;
    reg  [5:0]  stream_1_q;
    reg  [5:0]  stream_2_q;
    reg  [63:0] response_old_q;
    reg  [63:0] response_new_q;
    reg         response_is_new_q;
    wire [63:0] response             = response_is_new_q ? response_new_q : response_old_q;
    wire [8:0]  response_addr        = {stream_2_q, finished_before[2:0]};
    wire [8:0]  responses_write_addr = {answer_stream_q, answers_now[3:1]};

    always @(posedge clk) begin
        if (response_counts) begin
            responses[responses_write_addr] <= answer_data_q;
        end
        if (walk_valid_2_q) begin
            response_old_q <= responses[response_addr];
        end
    end

    always @(posedge clk) begin
        if (walk_valid_2_q) begin
            response_is_new_q <= response_counts & (responses_write_addr == response_addr);
            response_new_q    <= answer_data_q;
        end
    end

    // ---- Complete it
    reg [103:0] entry_3_q;
    reg        done_3_q;
    reg        success_3_q;
    wire       completes = walk_valid_3_q & done_3_q & (entry_3_q[35] | ~success_3_q);
    reg  [5:0] stream_3_q;
    assign completion_in_valid  = completes;
    assign completion_in_stream = stream_3_q;
    assign completion_in_id     = entry_3_q[103:40];
    assign completion_in_status =
        success_3_q  ? 2'd0 :
        entry_3_q[0] ? 2'd2 :
                       2'd1;
    assign completion_in_opcode = entry_3_q[39:36];
    assign completion_in_recv   = 1'b0;
    assign completion_in_length = entry_3_q[34:3];
    assign completion_in_data   = response & {64{success_3_q & entry_3_q[1]}};
    assign completion_in_stag   = 32'd0;
    wire [204:0] completion_buffer_out;
    assign completion_out_stream = completion_buffer_out[204:199];
    assign completion_out_id     = completion_buffer_out[198:135];
    assign completion_out_status = completion_buffer_out[134:133];
    assign completion_out_opcode = completion_buffer_out[132:129];
    assign completion_out_recv   = completion_buffer_out[128];
    assign completion_out_length = completion_buffer_out[127:96];
    assign completion_out_data   = completion_buffer_out[95:32];
    assign completion_out_stag   = completion_buffer_out[31:0];

    fifo #(.WIDTH(205), .DEPTH(8)) completion_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (completion_in_valid),
        .in_ready  (completion_in_ready),
        .in_data   ({
            completion_in_stream, completion_in_id, completion_in_status, completion_in_opcode,
            completion_in_recv, completion_in_length, completion_in_data, completion_in_stag
        }),
        .out_valid (completion_out_valid),
        .out_ready (completion_out_ready),
        .out_data  (completion_buffer_out)
    );

    assign completion_valid     = completion_out_valid;
    assign completion_stream    = completion_out_stream;
    assign completion_id        = completion_out_id;
    assign completion_status    = completion_out_status;
    assign completion_opcode    = completion_out_opcode;
    assign completion_recv      = completion_out_recv;
    assign completion_length    = completion_out_length;
    assign completion_data      = completion_out_data;
    assign completion_stag      = completion_out_stag;
    assign completion_out_ready = completion_ready;
    reg completion_left_q;

    always @(posedge clk) begin
        completion_left_q <= completion_out_valid & completion_ready;
        if (rst) begin
            completion_left_q <= 1'b0;
        end
    end

    reg completion_spared_q;

    always @(posedge clk) begin
        completion_spared_q <= walk_valid_3_q & ~completes;
        if (rst) begin
            completion_spared_q <= 1'b0;
        end
    end

    wire [3:0] completion_fewer = {3'd0, completion_left_q} + {3'd0, completion_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] completion_if_none     = completion_reserved_q - completion_fewer;
    wire [3:0] completion_if_one_more = (completion_reserved_q + 4'd1) - completion_fewer;

    always @(posedge clk) begin
        completion_reserved_q <= walk_goes ? completion_if_one_more : completion_if_none;
        if (rst) begin
            completion_reserved_q <= 4'd0;
        end
    end

    // ---- End of a turn: progress. The token is retired unless the next turn has something to do
    reg latest_answers_is_decided_q;
    reg latest_answers_is_written_q;

    always @(posedge clk) begin
        latest_answers_is_decided_q <= changes_answers & (answer_stream_q == stream_2_q);
        latest_answers_is_written_q <= write_answers & (answers_row == stream_2_q);
    end

    reg [4:0] latest_answers_stored_q;

    always @(posedge clk) begin
        if (write_answers) begin
            answers[answers_row] <= answers_word;
        end
        if (answer_reading_q) begin
            answers_stored_q <= answers[chosen_answer_stream_q];
        end
        if (reading_q) begin
            answers_of_update_stored_q <= answers[chosen_stream_q];
        end
        if (takes_token) begin
            seen_answers_stored_q <= answers[token_stream];
        end
        if (walk_valid_2_q) begin
            latest_answers_stored_q <= answers[stream_2_q];
        end
    end

    wire [4:0] latest_answers_now =
        latest_answers_is_decided_q ? answers_update_q :
        latest_answers_is_written_q ? answers_written_q :
                                      latest_answers_stored_q;
    reg        latest_is_decided_q;
    reg        latest_is_written_q;

    always @(posedge clk) begin
        latest_is_decided_q <= changes_state & (update_stream_q == stream_2_q);
        latest_is_written_q <= write_send_state & (send_state_row == stream_2_q);
    end

    reg [38:0] latest_stored_q;

    always @(posedge clk) begin
        if (write_send_state) begin
            send_state[send_state_row] <= send_state_word;
        end
        if (reading_q) begin
            send_state_stored_q <= send_state[chosen_stream_q];
        end
        if (answer_reading_q) begin
            state_of_answered_stored_q <= send_state[chosen_answer_stream_q];
        end
        if (ask) begin
            asked_stored_q <= send_state[ask_stream];
        end
        if (takes_token) begin
            seen_stored_q <= send_state[token_stream];
        end
        if (walk_valid_2_q) begin
            latest_stored_q <= send_state[stream_2_q];
        end
    end

    wire [38:0] latest_now       =
        latest_is_decided_q ? send_state_update_q :
        latest_is_written_q ? send_state_written_q :
                              latest_stored_q;
    reg  [10:0] latest_completed_old_q;
    reg  [10:0] latest_completed_new_q;
    reg         latest_completed_is_new_q;
    wire [10:0] latest_completed =
        latest_completed_is_new_q ? latest_completed_new_q : latest_completed_old_q;
    wire        update_is_here =
        (answer_comes & (answer_stream_q == stream_3_q)) | (counts_update & (update_stream_q == stream_3_q));
    reg  [43:0] seen_by_walk_1_q;
    reg  [43:0] seen_by_walk_2_q;
    reg  [43:0] seen_by_walk_3_q;
    wire        has_changed    = update_is_here | ({latest_answers_now, latest_now} != seen_by_walk_3_q);
    // Lost of a stream is the opposite of Opened in its state when one has not succeeded.
    wire [10:0] turn_end        = {walked_q, counted_q, seen_by_walk_3_q[0] ^ lost_q, latest_completed[0]};
    reg         last_3_q;
    reg         last_4_q;
    wire        turn_ends       = walk_valid_4_q & last_4_q;
    reg         done_4_q;
    reg         more_1_q;
    reg         more_2_q;
    reg         more_3_q;
    reg         more_4_q;
    reg         has_changed_4_q;
    reg  [5:0]  stream_4_q;
    wire        update_comes    =
        (answer_comes & (answer_stream_q == stream_4_q)) | (counts_update & (update_stream_q == stream_4_q));
    wire        keeps_token     = (done_4_q & more_4_q) | has_changed_4_q | update_comes;
    reg  [10:0] turn_end_4_q;
    wire        write_completed = ~swept_q | turn_ends;
    wire [5:0]  completed_row   = ~swept_q ? sweep_q : stream_4_q;
    wire [10:0] completed_word  =
        ~swept_q ? 11'd0 :
                   {turn_end_4_q[10:6], turn_end_4_q[5:2], turn_end_4_q[1], turn_end_4_q[0] ^ ~keeps_token};
    assign again_valid  = turn_ends & keeps_token;
    assign again_stream = stream_4_q;
    reg       frees_q;
    reg [5:0] frees_stream_q;
    reg       advances_4_q;

    always @(posedge clk) begin
        frees_q        <= turn_ends & advances_4_q;
        frees_stream_q <= stream_4_q;
        if (rst) begin
            frees_q <= 1'b0;
        end
    end

    assign freed        = frees_q;
    assign freed_stream = frees_stream_q;

    // ---- Pipeline registers
    always @(posedge clk) begin
        walk_valid_1_q   <= walk_goes;
        walk_valid_2_q   <= walk_valid_1_q;
        walk_valid_3_q   <= walk_valid_2_q;
        walk_valid_4_q   <= walk_valid_3_q;
        entry_2_q        <= entry_1_q;
        first_1_q        <= walk_first_q;
        first_2_q        <= first_1_q;
        finished_1_q     <= walk_of_finished_q;
        finished_2_q     <= finished_1_q;
        answers_1_q      <= walk_of_answered_q;
        answers_2_q      <= answers_1_q;
        lost_1_q         <= walk_of_lost_q;
        lost_2_q         <= lost_1_q;
        walk_is_late_1_q <= walk_is_late;
        walk_is_late_2_q <= walk_is_late_1_q;
        exists_1_q       <= walk_exists_q;
        exists_2_q       <= exists_1_q;
        ended_1_q        <= walk_of_ended_q;
        ended_2_q        <= ended_1_q;
        of_1_q           <= walk_number_q;
        of_2_q           <= of_1_q;
        last_1_q         <= walk_ends;
        last_2_q         <= last_1_q;
        stream_1_q       <= stream;
        stream_2_q       <= stream_1_q;
        entry_3_q        <= entry_2_q;
        done_3_q         <= done;
        success_3_q      <= success;
        stream_3_q       <= stream_2_q;
        seen_by_walk_1_q <= walk_of_seen_q;
        seen_by_walk_2_q <= seen_by_walk_1_q;
        seen_by_walk_3_q <= seen_by_walk_2_q;
        last_3_q         <= last_2_q;
        last_4_q         <= last_3_q;
        done_4_q         <= done_3_q;
        more_1_q         <= walk_of_more_q;
        more_2_q         <= more_1_q;
        more_3_q         <= more_2_q;
        more_4_q         <= more_3_q;
        has_changed_4_q  <= has_changed;
        stream_4_q       <= stream_3_q;
        turn_end_4_q     <= turn_end;
        advances_4_q     <= some_done_q;
        if (rst) begin
            walk_valid_1_q <= 1'b0;
            walk_valid_2_q <= 1'b0;
            walk_valid_3_q <= 1'b0;
            walk_valid_4_q <= 1'b0;
        end
    end

    // ---- Progress of streams, for what waits
    reg  [10:0] looked_up_old_q;
    reg  [10:0] looked_up_new_q;
    reg         looked_up_is_new_q;
    wire [10:0] looked_up = looked_up_is_new_q ? looked_up_new_q : looked_up_old_q;

    always @(posedge clk) begin
        if (write_completed) begin
            completed[completed_row] <= completed_word;
        end
        if (reading_q) begin
            had_completed_old_q <= completed[chosen_stream_q];
        end
        if (answer_reading_q) begin
            completed_of_answered_old_q <= completed[chosen_answer_stream_q];
        end
        if (takes_token) begin
            seen_completed_old_q <= completed[token_stream];
        end
        if (walk_valid_2_q) begin
            latest_completed_old_q <= completed[stream_2_q];
        end
        if (look) begin
            looked_up_old_q <= completed[look_stream];
        end
    end

    always @(posedge clk) begin
        if (reading_q) begin
            had_completed_is_new_q <= write_completed & (completed_row == chosen_stream_q);
            had_completed_new_q    <= completed_word;
        end
        if (answer_reading_q) begin
            completed_of_answered_is_new_q <= write_completed & (completed_row == chosen_answer_stream_q);
            completed_of_answered_new_q    <= completed_word;
        end
        if (takes_token) begin
            seen_completed_is_new_q <= write_completed & (completed_row == token_stream);
            seen_completed_new_q    <= completed_word;
        end
        if (walk_valid_2_q) begin
            latest_completed_is_new_q <= write_completed & (completed_row == stream_2_q);
            latest_completed_new_q    <= completed_word;
        end
        if (look) begin
            looked_up_is_new_q <= write_completed & (completed_row == look_stream);
            looked_up_new_q    <= completed_word;
        end
    end

    assign progress = {looked_up[10:6], looked_up[5:2]};

    // Not read:
    // report_kind: only reports of this requester arrive
    // unanswered_of_update[2:0]: only its sign matters
    // state_of_answered_now[37], state_of_answered_now[36:32], state_of_answered_now[31:27],
    // state_of_answered_now[26:22], state_of_answered_now[21:6], state_of_answered_now[0], state_of_answered_now[5:2]:
    // counted by updates
    // completed_of_answered[10:6], completed_of_answered[5:2], completed_of_answered[1]: only whether there is a token
    // matters
    // complete_ready, new_ready, again_ready: there is room for all tokens
    // asked_now[37], asked_now[36:32], asked_now[31:27], asked_now[26:22], asked_now[21:6], asked_now[1], asked_now[0],
    // asked_now[5:2]: only whether it is closed matters
    // seen_completed[0]: a token that has a turn exists
    // run_in_ready, completion_in_ready: its place is reserved
    // walk_of_oldest_q, walk_of_count_q: the walk has them
    // entry_3_q[2]: counted a cycle before
    // latest_completed[10:6], latest_completed[5:2], latest_completed[1]: it is replaced
    // looked_up[1], looked_up[0]: of no use there
    wire unused = &{
        1'b0, report_kind, unanswered_of_update[2:0], state_of_answered_now[37], state_of_answered_now[36:32],
        state_of_answered_now[31:27], state_of_answered_now[26:22], state_of_answered_now[21:6],
        state_of_answered_now[0], state_of_answered_now[5:2], completed_of_answered[10:6],
        completed_of_answered[5:2], completed_of_answered[1], complete_ready, new_ready, asked_now[37],
        asked_now[36:32], asked_now[31:27], asked_now[26:22], asked_now[21:6], asked_now[1], asked_now[0],
        asked_now[5:2], seen_completed[0], run_in_ready, walk_of_oldest_q, walk_of_count_q, entry_3_q[2],
        completion_in_ready, latest_completed[10:6], latest_completed[5:2], latest_completed[1], again_ready,
        looked_up[1], looked_up[0]
    };
endmodule
`default_nettype wire
