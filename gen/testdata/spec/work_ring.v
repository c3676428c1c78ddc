// work_ring: a post whose ring is full blocks those after it, and no slot in use is overwritten. A stream with work that is not issued
// has exactly one token: it is retired only when there is no such work, and parked only if the stream was not freed since its counts
// were read. An arbitrary stream is watched; tokens of all four are counted, since they share lists and buffers.
// depth 1
// bound 18

// property no_overwrite: a work request is stored only when its ring has a free slot
// control no_overwrite: stores = deciding_q & ~is_full => stores = deciding_q
// property posts_wait: no post is accepted while one waits, or in the cycle in which one is found to wait
// control posts_wait: swept_q & ~post_stays => swept_q
// property one_at_a_time: a post and an opening are never decided in the same cycle
// control one_at_a_time: ~post_stays & ~opened_valid => ~post_stays
// property one_token: a stream has at most one token, in one place
// control one_token: creates_token = stores & ~has_token => creates_token = stores
// control one_token: passed_valid  = has_no_turn & has_changed => passed_valid  = has_no_turn
// property not_forgotten: a stream without a token has issued all its work requests
// control not_forgotten: creates_token = stores & ~has_token => creates_token = stores & ~has_token & ~held_signaled_q
// control not_forgotten: has_changed   = had_changed_5_q | changes_now => has_changed   = had_changed_5_q
// control not_forgotten: (deciding_q & (posted_stream_q == stream_4_q)) | (sofar_now => (sofar_now
// property parks_knowing: a token is parked only if its stream was not freed since its turn read the counts
// control parks_knowing: (freeing_q & (freeing_stream_q == stream_5_q)) => 1'b0
// control parks_knowing: (freeing_q & (freeing_stream_q == stream_4_q)) | => 1'b0 |
// property woken_when_freed: the parked token of a stream is woken when the stream is freed
// control woken_when_freed: wakes           = freeing_q & (freed_parked ^ free_woken) => wakes           = 1'b0 & (freed_parked ^ free_woken)
// property opens_at_rest: an opening takes effect when its stream has no token, or a parked one, which it frees
// control opens_at_rest: opening_q & (~has_token | opened_is_parked) => opening_q
// control opens_at_rest: ~(freed_valid_q | ( => ~((
// property reserved: everything in the pipelines and buffers has a reserved place, so no buffer is full when an item arrives
// control reserved: turn_spared_q   <= valid_3_q & ~gives_turn => turn_spared_q   <= valid_3_q
// invariant lists_have_room: each list has room for a token that enters it
// invariant buffers_have_room: there is room for each turn and each message
// assume freed_after_sweep: send_completion, which frees no stream before all counts are initialised; shown by send_completion/freed_after_sweep
// invariant quiet: nothing happens until the counts of every stream are initialised
// invariant words: the words read include all stored and decided changes
// invariant opens_its_own: the opening being decided is the one offered
// invariant walks: the work requests of a turn follow each other; the last one carries the token
// invariant looked: the values of the stream in the pipeline agree with its words when they were read
// invariant counts_first: the counts after a turn are written before its token is processed again

localparam N = `WIDTH_had_posted, LIST = `WIDTH_post_counts_update_q - N - 1, ISSUED = `WIDTH_was, TURN = `WIDTH_turn_buffer_out;
(* anyconst *) reg [1:0] a_stream;
(* hierconn *) wire [4*2-1:0] \new_list.spec_places , \again_list.spec_places , \woken_list.spec_places , \passed_list.spec_places ;
(* hierconn *) wire [1:0] \new_list.head_q , \again_list.head_q , \woken_list.head_q , \passed_list.head_q ;
(* hierconn *) wire [15:0] \new_list.spec_in_memory , \again_list.spec_in_memory , \woken_list.spec_in_memory , \passed_list.spec_in_memory ;
(* hierconn *) wire [15:0] \turn_buffer.spec_inside , \turn_buffer.spec_in_memory , \message_buffer.spec_inside ;
(* hierconn *) wire [8*TURN-1:0] \turn_buffer.spec_eight_places ;
(* hierconn *) wire [2:0] \turn_buffer.head_q ;

wire [N-1:0] spec_in_ring = had_posted - had_fetched_q;

// ---- The words of the streams, including decided changes, and the places of their tokens
wire [3:0] first_valid = {passed_first_valid, woken_first_valid, again_first_valid, new_first_valid};
wire [7:0] first_stream = {passed_first_stream, woken_first_stream, again_first_stream, new_first_stream};
wire [63:0] in_memory = {\passed_list.spec_in_memory , \woken_list.spec_in_memory , \again_list.spec_in_memory , \new_list.spec_in_memory };
wire [7:0] heads = {\passed_list.head_q , \woken_list.head_q , \again_list.head_q , \new_list.head_q };
wire [31:0] places = {\passed_list.spec_places , \woken_list.spec_places , \again_list.spec_places , \new_list.spec_places };
reg [N+LIST:0] one_posted, a_posted; // posted, the parity of tokens, and what is there of a list
reg [N:0] one_freed, a_freed;
reg [ISSUED-1:0] a_issued;
reg [3:0] created, was_retired, was_parked, was_woken, right_count, right_words;
reg [4*6-1:0] tokens;
reg [1:0] place;
reg [2:0] turn_place;
reg its_again;                  // the token of the watched stream is in the list again
integer spec_i, spec_j, spec_l;
always @* begin
    {a_posted, a_freed, a_issued, its_again} = 0;
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        one_posted = post_counts_update_valid_q && post_counts_update_stream_q == spec_i ? post_counts_update_q : post_counts[spec_i];
        one_freed  = free_counts_update_valid_q && free_counts_update_stream_q == spec_i ? free_counts_update_q : free_counts[spec_i];
        {created[spec_i], was_retired[spec_i], was_parked[spec_i], was_woken[spec_i]} = {one_posted[LIST], retired[spec_i], parked[spec_i], one_freed[0]};
        if (spec_i == a_stream) {a_posted, a_freed, a_issued} = {one_posted, one_freed, issue_counts[spec_i]};
        tokens[6*spec_i +: 6] = (created_q && created_stream_q == spec_i) + (new_merged_valid && new_merged_stream == spec_i)
            + (again_merged_valid && again_merged_stream == spec_i) + (woken_merged_valid && woken_merged_stream == spec_i)
            + (valid_1_q && stream_1_q == spec_i) + (valid_2_q && stream_2_q == spec_i) + (valid_3_q && stream_3_q == spec_i)
            + (valid_4_q && !gives_turn_4_q && stream_4_q == spec_i) + (valid_5_q && !gives_turn_5_q && stream_5_q == spec_i)
            + (turn_out_valid && turn_out_stream == spec_i) + (issue_valid_q && issue_of_stream_q == spec_i)
            + (issuing_q && issuing_last_q && issuing_stream_q == spec_i) + (was_parked[spec_i] ^ was_woken[spec_i]);
        for (spec_l = 0; spec_l < 4; spec_l = spec_l + 1) begin
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (first_valid[spec_l] && first_stream[2*spec_l +: 2] == spec_i);
            for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
                place = spec_j - heads[2*spec_l +: 2];
                tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place < in_memory[16*spec_l +: 16] && places[8*spec_l+2*spec_j +: 2] == spec_i);
                if (spec_l == 1 && place < in_memory[16*spec_l +: 16] && places[8*spec_l+2*spec_j +: 2] == a_stream) its_again = 1;
            end
        end
        for (spec_j = 0; spec_j < 8; spec_j = spec_j + 1) begin
            turn_place = spec_j - \turn_buffer.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] +
                (turn_place < \turn_buffer.spec_in_memory && \turn_buffer.spec_eight_places [TURN*spec_j+TURN-2 +: 2] == spec_i);
        end
        right_count[spec_i] = tokens[6*spec_i +: 6] == (swept_q ? created[spec_i] ^ was_retired[spec_i] : was_parked[spec_i] ^ was_woken[spec_i]);
        right_words[spec_i] = swept_q || sweep_q <= spec_i ||
            {one_posted, one_freed, was_retired[spec_i], was_parked[spec_i], issue_counts[spec_i]} == 0;
    end
    if (again_first_valid && again_first_stream == a_stream) its_again = 1;
end
wire a_has_token = created[a_stream] ^ was_retired[a_stream], a_parked = was_parked[a_stream] ^ was_woken[a_stream];
wire a_frees = freeing_q && freeing_stream_q == a_stream;
reg  [N-1:0] seen_freed_5_q;
reg  opened_a_parked_q;
always @(posedge clk) begin
    seen_freed_5_q <= seen_freed_4_q;
    opened_a_parked_q <= !rst && opens_now && posted_stream_q == a_stream && a_parked;
end
wire a_at_4 = valid_4_q && !gives_turn_4_q && stream_4_q == a_stream, a_at_5 = valid_5_q && !gives_turn_5_q && stream_5_q == a_stream;

always @* if (started && freed) freed_after_sweep: assume (swept_q);
always @* if (started && !rst) begin
    if (stores) no_overwrite: assert (spec_in_ring != 1 << N - 1);
    if (wqe_valid && wqe_ready) posts_wait: assert (!post_waits_q && !(deciding_q && is_full));
    one_at_a_time: assert (!(deciding_q && opening_q));
    one_token: assert (&right_count);
    if (swept_q && !a_has_token) not_forgotten: assert (a_posted[N+LIST -: N] == a_issued[ISSUED-1 -: N]);
    if (parks && stream_5_q == a_stream) parks_knowing: assert (!a_frees && seen_freed_5_q == a_freed[N:1]);
    if (a_frees && a_parked) woken_when_freed: assert (woken_valid && woken_stream == a_stream);
    if (opens_now && posted_stream_q == a_stream) opens_at_rest: assert (!a_has_token || a_parked);
    if (opened_a_parked_q) opens_at_rest: assert (a_frees);
    lists_have_room: assert ((!new_valid || new_ready) && (!again_valid || again_ready) && (!woken_valid || woken_ready) && (!passed_valid || passed_ready));
    buffers_have_room: assert ((!turn_in_valid || turn_in_ready) && (!message_in_valid || message_in_ready));
    if (!swept_q) quiet: assert ({deciding_q, post_waits_q, opening_q, opens_q, created_q, freed_valid_q, freeing_q, free_counts_update_valid_q, post_counts_update_valid_q,
        first_valid, new_merged_valid, again_merged_valid, woken_merged_valid, valid_1_q, valid_2_q, valid_3_q, valid_4_q, valid_5_q, turn_out_valid,
        issue_valid_q, issuing_q, turn_ended_q, issues_q, stopped_q} == 0 && &right_words);
    reserved: assert (turn_reserved_q <= 8 &&
        turn_reserved_q == \turn_buffer.spec_inside + valid_1_q + valid_2_q + valid_3_q + turn_left_q + turn_spared_q);
    reserved: assert (message_reserved_q <= 8 &&
        message_reserved_q == \message_buffer.spec_inside + issuing_q + issues_q + spares_q + message_left_q + message_spared_q);
    if (deciding_q || opening_q) words: assert (had_created == created[posted_stream_q] && had_retired == was_retired[posted_stream_q]);
    if ((deciding_q || opening_q) && posted_stream_q == a_stream) words: assert (had_posted == a_posted[N+LIST -: N]);
    if (deciding_q) words: assert (posted_stream_q == held_stream_q);
    if (freeing_q) words: assert (freed_parked == was_parked[freeing_stream_q] && free_woken == was_woken[freeing_stream_q]);
    if (a_frees) words: assert (free_freed == a_freed[N:1]);
    if (opening_q) words: assert (opened_is_parked == (was_parked[posted_stream_q] ^ was_woken[posted_stream_q]));
    if (valid_4_q && !gives_turn_4_q) words: assert (retired_before == was_retired[stream_4_q] && parked_before == was_parked[stream_4_q]);
    if (valid_5_q && !gives_turn_5_q) words: assert (retired_before_5_q == was_retired[stream_5_q] && parked_before_5_q == was_parked[stream_5_q]);
    if (valid_4_q && stream_4_q == a_stream) words: assert (sofar_now == a_posted && sofar_freed_now == a_freed);
    if (opening_q) opens_its_own: assert (opened_valid && posted_stream_q == opened_stream);
    if (issuing_q && !issuing_last_q) walks: assert (issue_valid_q && !issue_first_q && issue_of_stream_q == issuing_stream_q);
    if (stopped_q) walks: assert (issuing_q ? !issuing_first_q : issue_valid_q && !issue_first_q);
    if (turn_ended_q && message_stream_q == a_stream) counts_first: assert (its_again);
    if (valid_1_q && stream_1_q == a_stream) looked: assert (was == a_issued);
    if (valid_2_q && stream_2_q == a_stream) looked: assert (waiting_2_q == seen_posted_2_q - a_issued[ISSUED-1 -: N]);
    if (valid_3_q && stream_3_q == a_stream) looked: assert ((some_3_q == 0) == (seen_posted_3_q == a_issued[ISSUED-1 -: N]));
    if (a_at_4) looked: assert (is_idle_4_q == (seen_posted_4_q == a_issued[ISSUED-1 -: N]));
    if (a_at_5 && is_idle_5_q && !had_changed_5_q) looked: assert (a_posted[N+LIST -: N] == a_issued[ISSUED-1 -: N]);
    if (a_at_5 && !is_idle_5_q && !had_changed_5_q) looked: assert (a_freed[N:1] == seen_freed_5_q);
end
