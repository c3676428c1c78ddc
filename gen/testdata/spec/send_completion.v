// send_completion: updates are counted one at a time, responses beside them, an end after all earlier responses. A stream that may have something to complete
// has exactly one token: it is retired only if its turn has seen the current state of the stream and left nothing to complete. An
// arbitrary stream is watched; tokens of all four are counted, since they share lists and buffers.
// depth 1
// bound 26

// property one_update: at most one update and one response are accepted per cycle, and none as an opening is tried
// control one_update: begins_q & ~tries_opening_q => begins_q
// property end_behind_responses: an end is accepted only when no response waits
// control end_behind_responses: listens & end_valid & ~response_valid => listens & end_valid
// property one_token: a stream has at most one token, in one place
// control one_token: & ~has_token => & ~1'b0
// control one_token: ~answered_has_token & ~update_gives_token => ~answered_has_token
// control one_token: again_valid  = turn_ends & keeps_token => again_valid  = turn_ends
// control one_token: turn_ends       = walk_valid_4_q & last_4_q => turn_ends       = walk_valid_4_q
// property not_forgotten: after an update that may complete something, a stream has a token until a turn has seen the update
// control not_forgotten: update_dropped_q | update_ended_q => update_dropped_q
// control not_forgotten: ~answered_has_token & ~update_gives_token => ~answered_has_token & ~update_gives_token & 1'b0
// property retires_knowing: a token is retired only if its turn has left nothing to complete and has seen the current state of the stream
// control retires_knowing: (done_4_q & more_4_q) | has_changed_4_q | update_comes => (done_4_q & more_4_q) | has_changed_4_q
// control retires_knowing: (done_4_q & more_4_q) | has_changed_4_q | update_comes => (done_4_q & more_4_q) | update_comes
// control retires_knowing: update_is_here | ({latest_answers_now, latest_now} != seen_by_walk_3_q) => ({latest_answers_now, latest_now} != seen_by_walk_3_q)
// property reserved: everything in the pipelines and buffers has a reserved place, so no buffer is full when an item arrives
// control reserved: completion_spared_q   <= walk_valid_3_q & ~completes => completion_spared_q   <= walk_valid_3_q
// invariant lists_have_room: each list has room for a token that enters it
// invariant buffers_have_room: there is room for each prepared turn and each completion
// property opens_at_rest: an opening takes effect only when its stream has no token, and openings take effect one at a time
// control opens_at_rest: deciding_q & update_opens_q & ~has_token => deciding_q & update_opens_q
// control opens_at_rest: opening_valid & ~opened_q & (&retry_q) => opening_valid & ~opened_q
// property freed_after_sweep: no stream is freed during the sweep, which takes one cycle per stream
// control freed_after_sweep: frees_q        <= turn_ends & advances_4_q => frees_q        <= 1'b1
// invariant quiet: nothing happens until the state of every stream is initialised
// invariant trying: an opening is tried every four cycles, the duration of an attempt
// invariant words: the words read include all stored and decided changes
// invariant walks: the work requests of a turn follow each other; the last one carries the token

localparam RUN = `WIDTH_run_buffer_out;
(* anyconst *) reg [1:0] a_stream;
(* hierconn *) wire [4*2-1:0] \new_list.spec_places , \again_list.spec_places ;
(* hierconn *) wire [1:0] \new_list.head_q , \again_list.head_q ;
(* hierconn *) wire [15:0] \new_list.spec_in_memory , \again_list.spec_in_memory , \run_buffer.spec_in_memory ;
`ifdef IS_complete_valid
(* hierconn *) wire [4*2-1:0] \complete_list.spec_places ;
(* hierconn *) wire [1:0] \complete_list.head_q ;
(* hierconn *) wire [15:0] \complete_list.spec_in_memory ;
`endif
(* hierconn *) wire [15:0] \run_buffer.spec_inside , \completion_buffer.spec_inside ;
(* hierconn *) wire [8*RUN-1:0] \run_buffer.spec_eight_places ;
(* hierconn *) wire [2:0] \run_buffer.head_q ;

// ---- The state of the streams, including decided changes, and the places of their tokens
reg [`WIDTH_send_state_now-1:0] one_state, a_state;
reg [`WIDTH_answers_now-1:0] one_answers, a_answers;
reg [3:0] counted, answered, retired, right_count, right_words; // parities of the tokens created by updates, and by responses
reg [4*6-1:0] tokens;
reg [1:0] place;
reg [2:0] run_place;
integer spec_i, spec_j;
always @* begin
    {a_state, a_answers, answered} = 0;
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        one_state = send_state_update_valid_q && send_state_update_stream_q == spec_i ? send_state_update_q : send_state[spec_i];
        one_answers = answers_update_valid_q && answers_update_stream_q == spec_i ? answers_update_q : answers[spec_i];
        {counted[spec_i], retired[spec_i]} = {one_state[1], completed[spec_i][0]};
        if (spec_i == a_stream) {a_state, a_answers} = {one_state, one_answers};
        tokens[6*spec_i +: 6] = (new_first_valid && new_first_stream == spec_i) + (again_first_valid && again_first_stream == spec_i)
            + (new_merged_valid && new_merged_stream == spec_i)
            + (turn_valid_1_q && token_stream_1_q == spec_i) + (turn_valid_2_q && token_stream_2_q == spec_i)
            + (turn_valid_3_q && token_stream_3_q == spec_i) + (run_out_valid && run_out_stream == spec_i)
            + (walk_valid_q && walk_of_stream_q == spec_i) + (walk_valid_1_q && last_1_q && stream_1_q == spec_i)
            + (walk_valid_2_q && last_2_q && stream_2_q == spec_i) + (walk_valid_3_q && last_3_q && stream_3_q == spec_i)
            + (walk_valid_4_q && last_4_q && stream_4_q == spec_i);
        for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
            place = spec_j - \new_list.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place < \new_list.spec_in_memory && \new_list.spec_places [2*spec_j +: 2] == spec_i);
            place = spec_j - \again_list.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place < \again_list.spec_in_memory && \again_list.spec_places [2*spec_j +: 2] == spec_i);
        end
`ifdef IS_complete_valid
        answered[spec_i] = one_answers[0];
        tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (complete_first_valid && complete_first_stream == spec_i)
            + (again_merged_valid && again_merged_stream == spec_i);
        for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
            place = spec_j - \complete_list.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place < \complete_list.spec_in_memory && \complete_list.spec_places [2*spec_j +: 2] == spec_i);
        end
`endif
        for (spec_j = 0; spec_j < 8; spec_j = spec_j + 1) begin
            run_place = spec_j - \run_buffer.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] +
                (run_place < \run_buffer.spec_in_memory && \run_buffer.spec_eight_places [RUN*spec_j+RUN-2 +: 2] == spec_i);
        end
        right_count[spec_i] = tokens[6*spec_i +: 6] == (swept_q && (counted[spec_i] ^ answered[spec_i] ^ retired[spec_i]));
        right_words[spec_i] = swept_q || sweep_q <= spec_i || !counted[spec_i] && !answered[spec_i] && !retired[spec_i];
    end
end
wire a_has_token = counted[a_stream] ^ answered[a_stream] ^ retired[a_stream];

// ---- The state seen by the turn of the watched stream, and whether an update still needs a turn
reg [`WIDTH_answers_now+`WIDTH_send_state_now-1:0] seen_4_q;
reg  owed_q;
wire a_response = answer_deciding_q && !answer_opens_q && answer_stream_q == a_stream;
wire a_counts = deciding_q && !update_opens_q && update_stream_q == a_stream;
wire a_update = a_counts || a_response;

// A Read or Atomic that is sent may be complete if its response came first, or if the stream has ended.
`ifdef IS_complete_valid
localparam REQUEST = `WIDTH_answers_now - 1, ENDED = `WIDTH_send_state_now - 2;
wire [REQUEST-1:0] unanswered = a_state[2 +: REQUEST] - a_answers[1 +: REQUEST];
wire may_be_complete = !update_asks_q || unanswered[REQUEST-1] || a_state[ENDED];
`else
wire may_be_complete = 1;
`endif
wire a_needs  = a_counts && (update_final_q && may_be_complete || update_dropped_q || update_ended_q || update_abandoned_q) || a_response && `HAS_complete_valid;
wire a_ends   = turn_ends && stream_4_q == a_stream;
always @(posedge clk) begin
    seen_4_q <= seen_by_walk_3_q;
    owed_q   <= !rst && (a_needs || owed_q && !(a_ends && !keeps_token));
end

// Reports of the profile falcon have the responses.
wire spec_response, spec_takes_response;
generate if (`HAS_takes_response) begin
    assign spec_response = response_valid, spec_takes_response = takes_response;
end else begin
    assign spec_response = 1'b0, spec_takes_response = 1'b0;
end endgenerate

always @* if (started && !rst) begin
    one_update: assert (tries_opening_q + takes_end + takes_report + takes_abandoned <= 3'd1 && !(tries_opening_q && spec_takes_response));
    if (takes_end) end_behind_responses: assert (!spec_response);
    one_token: assert (&right_count);
    if (owed_q) not_forgotten: assert (a_has_token);
    if (a_ends && !keeps_token) retires_knowing: assert (!(done_4_q && more_4_q) && !a_update && seen_4_q == {a_answers, a_state});
    lists_have_room: assert ((!new_valid || new_ready) && (!again_valid || again_ready));
    buffers_have_room: assert ((!run_in_valid || run_in_ready) && (!completion_in_valid || completion_in_ready));
    if (!swept_q) freed_after_sweep: assert (!freed);
    if (opens) opens_at_rest: assert (tokens[6*update_stream_q +: 6] == 0 && !opened_q);
`ifdef IS_complete_valid
    lists_have_room: assert (!complete_valid || complete_ready);
    if (!swept_q) quiet: assert (!complete_first_valid && !again_merged_valid);
    if (deciding_q) words: assert (answers_of_update_now[0] == answered[update_stream_q]);
    if (deciding_q && update_stream_q == a_stream) words: assert (answers_of_update_now == a_answers);
    if (answer_deciding_q) words: assert (state_of_answered_now[1] == counted[answer_stream_q] && completed_of_answered[0] == retired[answer_stream_q] &&
        answers_now[0] == answered[answer_stream_q]);
`endif
    if (!swept_q) quiet: assert ({answer_reading_q, answer_deciding_q, answers_update_valid_q} == 0);
    if (!swept_q) quiet: assert ({tries_opening_q, begins_q, reading_q, deciding_q, opened_q, send_state_update_valid_q, owed_q, turn_valid_1_q,
        turn_valid_2_q, turn_valid_3_q, walk_valid_q, walk_valid_1_q, walk_valid_2_q, walk_valid_3_q, walk_valid_4_q, new_first_valid,
        again_first_valid, new_merged_valid, run_out_valid, stopped_q} == 0 && &right_words);
    reserved: assert (run_reserved_q <= 8 &&
        run_reserved_q == \run_buffer.spec_inside + turn_valid_1_q + turn_valid_2_q + turn_valid_3_q + run_left_q);
    reserved: assert (completion_reserved_q <= 8 &&
        completion_reserved_q == \completion_buffer.spec_inside + walk_valid_1_q + walk_valid_2_q + walk_valid_3_q + (!`HAS_complete_valid && walk_valid_4_q) +
        completion_left_q + completion_spared_q);
    if (tries_opening_q) trying: assert (retry_q == 0 && !opened_q);
    if (reading_q && chosen_opens_q) trying: assert (retry_q == 1 && !opened_q);
    if (deciding_q && update_opens_q) trying: assert (retry_q == 2 && !opened_q);
    trying: assert ((reading_q && chosen_opens_q) == (answer_reading_q && chosen_answer_opens_q) && (deciding_q && update_opens_q) == (answer_deciding_q && answer_opens_q));
    if (reading_q && chosen_opens_q) trying: assert (chosen_answer_stream_q == chosen_stream_q);
    if (deciding_q && update_opens_q) trying: assert (answer_stream_q == update_stream_q);
    if (answer_deciding_q && answer_stream_q == a_stream) words: assert (answers_now == a_answers);
    if (deciding_q) words: assert (had_created == counted[update_stream_q] && had_completed[0] == retired[update_stream_q]);
    if (deciding_q && update_stream_q == a_stream) words: assert (send_state_now == a_state);
    if (walk_valid_3_q && stream_3_q == a_stream) words: assert ({latest_answers_now, latest_now} == {a_answers, a_state});
    if (walk_valid_3_q && last_3_q) words: assert (latest_completed[0] == retired[stream_3_q]);
    if (walk_valid_4_q && last_4_q) words: assert (turn_end_4_q[0] == retired[stream_4_q]);
    if (walk_valid_4_q && last_4_q && stream_4_q == a_stream && !has_changed_4_q) words: assert (seen_4_q == {a_answers, a_state});
    if (walk_valid_1_q && !last_1_q) walks: assert (walk_valid_q && !walk_first_q && walk_of_stream_q == stream_1_q);
    if (walk_valid_2_q && !last_2_q) walks: assert (walk_valid_1_q ? !first_1_q && stream_1_q == stream_2_q :
        walk_valid_q && !walk_first_q && walk_of_stream_q == stream_2_q);
    if (stopped_q) walks: assert (walk_valid_2_q || walk_valid_1_q || walk_valid_q && !walk_first_q);
end
