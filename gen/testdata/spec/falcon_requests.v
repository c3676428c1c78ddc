// What is taken has a place in every buffer behind its pipeline, reserved when it is taken: what is in a pipeline never waits there, and nothing
// is lost. A packet that has no credits, or waits for xoff or a window, holds no place, so it is in the way of no packet of another QP.
// depth 1
// gates
// bound 32

// property reserved: each place that is reserved is of one item in the pipeline or in the buffer, or of one that has just left
// control reserved: post_spared_q   <= post_valid_4_q & ~tells_of_message => post_spared_q   <= 1'b0
// control reserved: credit_queue_spared_q   <= credit_asks_q & ~credit_waits => credit_queue_spared_q   <= 1'b0
// invariant has_place: no buffer is full when an item arrives
// property takes_credits_back: credits that come back are taken unless a set-up is being carried out, or 6 returns wait to wake their QP
// control takes_credits_back: takes_credits = ~credited_reserved_q[3] & ~gate => takes_credits = ~credited_reserved_q[3] & ~gate & ~adds_q
// property xoff_stops: two cycles after xoff no packet of a request leaves, until two cycles after its end
// control xoff_stops: xoff_q | known_open => known_open
// property stays_behind: behind a packet that may not leave none of its turn does
// control stays_behind: is_dead = dead_q | judgement_5_q[6] => is_dead = dead_q
// property ends: a turn of which a packet may not leave ends with the next one that is looked at
// control ends: (~has_message_q | is_killed) => (~has_message_q)
// property looks_on: the QP that has its turn has a packet looked at in each cycle in which fewer than 12 packets and reports are on their way
// control looks_on: emits = turn_valid_q & has_room_q => emits = turn_valid_q & has_room_q & ~valid_1_q
// property one_token: a QP has at most one token, in one place, so the lists have room for all
// control one_token: creates_token = wakes_q & ~has_token => creates_token = wakes_q
// property prepares: a set-up is offered to be prepared until that is done, as it is; its first number is there from the second cycle on
// control prepares: written_q) & swept_q => written_q) & swept_q & ~returned_valid
// assume set_up_before: Falcon, which returns credits of connections that have been set up, and no set-up is carried out before the words are initialised
// assume woken_later: falcon_transactions, which takes nothing before its words of all QPs are initialised, as many as here
// excused handshake_prepare: the first number is there from the second cycle on; falcon_transactions takes it with the last of many steps, or when it has been there for long
// invariant lists_have_room: there is room for each token
// invariant words: what was read is what is stored, and what is decided
// invariant judged: of a packet that is looked at, something follows
// invariant prepared: the time between attempts runs while a set-up is prepared and not written
// invariant quiet: until every QP has its state nothing happens
// invariant together: the registers of the buffers of turns and packets agree with what is inside

(* hierconn *) wire [15:0] \post_buffer.spec_inside , \credited_buffer.spec_inside , \credit_queue_buffer.spec_inside , \close_queue_buffer.spec_inside , \nudge_buffer.spec_inside ;
wire [7:0] turns_stored = turn_buffer_empty_q ? 0 : turn_buffer_tail_q == turn_buffer_head_q ? 8 : (turn_buffer_tail_q - turn_buffer_head_q) % 8;
wire [7:0] packets_stored = packet_buffer_empty_q ? 0 : packet_buffer_tail_q == packet_buffer_head_q ? 16 : (packet_buffer_tail_q - packet_buffer_head_q) % 16;
wire [15:0] looked_at = valid_1_q + valid_2_q + valid_3_q + valid_4_q + valid_5_q;
wire [15:0] sending = looked_at + packet_valid_1_q + packet_valid_2_q + packet_valid_3_q + packets_stored + packet_buffer_valid_q;
wire [15:0] nudging = looked_at + \nudge_buffer.spec_inside ;
reg spec_had_room;
always @(posedge clk) spec_had_room <= !rst && sending < 12 && nudging < 12;

// ---- Tokens, and the words of the QPs with all that was decided
localparam TURN = $bits(turn_buffer_fetched_q);
(* hierconn *) wire [15:0] \new_list.spec_in_memory , \again_list.spec_in_memory ;
(* hierconn *) wire [4*2-1:0] \new_list.spec_places , \again_list.spec_places ;
(* hierconn *) wire [1:0] \new_list.head_q , \again_list.head_q ;
reg [4*6-1:0] tokens_of;
reg [3:0] created, was_retired, right_count, right_words;
reg [1:0] a_place;
reg [2:0] turn_place;
integer spec_i, spec_j;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    created[spec_i] = swept_q && (wakings_update_valid_q && wakings_update_stream_q == spec_i ? wakings_update_q[0] : wakings[spec_i][0]);
    was_retired[spec_i] = swept_q && retired[spec_i];
    tokens_of[6*spec_i +: 6] = (new_first_valid && new_first_stream == spec_i) + (again_first_valid && again_first_stream == spec_i)
        + (next_token_valid && next_token_stream == spec_i) + (load_valid_1_q && loaded_stream_1_q == spec_i) + (load_valid_2_q && loaded_stream_2_q == spec_i)
        + (turn_out_valid && turn_out_stream == spec_i) + (upcoming_valid_q && upcoming_stream_q == spec_i) + (upcoming_keeps_q && upcoming_kept_stream_q == spec_i)
        + (turn_valid_q && turn_stream_q == spec_i) + (valid_1_q && ends_turn_1_q && stream_1_q == spec_i) + (valid_2_q && ends_turn_2_q && stream_2_q == spec_i)
        + (valid_3_q && ends_turn_3_q && stream_3_q == spec_i) + (valid_4_q && ends_turn_4_q && stream_4_q == spec_i) + (valid_5_q && ends_turn_5_q && stream_5_q == spec_i)
        + (valid_6_q && ends_turn_6_q && stream_6_q == spec_i) + (valid_7_q && ends_turn_7_q && stream_7_q == spec_i);
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        a_place = spec_j - \new_list.head_q ;
        tokens_of[6*spec_i +: 6] = tokens_of[6*spec_i +: 6] + (a_place < \new_list.spec_in_memory && \new_list.spec_places [2*spec_j +: 2] == spec_i);
        a_place = spec_j - \again_list.head_q ;
        tokens_of[6*spec_i +: 6] = tokens_of[6*spec_i +: 6] + (a_place < \again_list.spec_in_memory && \again_list.spec_places [2*spec_j +: 2] == spec_i);
    end
    for (spec_j = 0; spec_j < 8; spec_j = spec_j + 1) begin
        turn_place = spec_j - turn_buffer_head_q;
        tokens_of[6*spec_i +: 6] = tokens_of[6*spec_i +: 6] + (turn_place < turns_stored && turn_buffer[spec_j][TURN-2 +: 2] == spec_i);
    end
    right_count[spec_i] = tokens_of[6*spec_i +: 6] == (created[spec_i] ^ was_retired[spec_i]);
    right_words[spec_i] = swept_q || sweep_q <= spec_i || !wakings[spec_i][0] && !retired[spec_i];
end

// ---- What is offered to be prepared
reg spec_offered;
reg [`WIDTH_setup_stream+`WIDTH_setup_cid+1:0] spec_prepare;
wire [`WIDTH_setup_stream+`WIDTH_setup_cid+1:0] spec_prepares = {prepare_stream, prepare_cid, prepare_errors, prepare_opens};
always @(posedge clk) begin
    spec_offered <= !rst && prepare_valid && !prepare_ready;
    spec_prepare <= spec_prepares;
end

reg [1:0] spec_xoff;
reg spec_void, spec_stopped, spec_killed;
always @(posedge clk) begin
    spec_xoff <= rst ? 2'd0 : {spec_xoff[0], xoff};
    spec_void <= void_4_q;
    if (valid_5_q) spec_stopped <= !ends_turn_5_q && (spec_stopped || !spec_void && !goes && !skips_rest);
    spec_killed <= !rst && is_killed && !turn_free;
    if (rst) spec_stopped <= 0;
end

always @* begin
    if (started && credits_valid) set_up_before: assume (swept_q);
    if (started && wake_valid) woken_later: assume (swept_q);
end
always @* if (started && !rst) begin
    reserved: assert (packet_reserved_q == sending + packet_left_q + packet_spared_q && packet_reserved_q <= 16);
    reserved: assert (nudge_reserved_q == nudging + nudge_left_q + nudge_spared_q && nudge_reserved_q <= 16);
    if (has_room_q) reserved: assert (packet_reserved_q < 16 && nudge_reserved_q < 16);
    reserved: assert (post_reserved_q == accepts_q + post_valid_1_q + post_valid_2_q + post_valid_3_q + post_valid_4_q + \post_buffer.spec_inside + post_left_q + post_spared_q &&
        post_reserved_q <= 16);
    reserved: assert (credited_reserved_q == adds_q + \credited_buffer.spec_inside + credited_left_q && credited_reserved_q <= 8);
    reserved: assert (credit_queue_reserved_q == credit_asks_q + \credit_queue_buffer.spec_inside + credit_queue_left_q + credit_queue_spared_q && credit_queue_reserved_q <= 8);
    reserved: assert (close_queue_reserved_q == close_asks_q + \close_queue_buffer.spec_inside + close_queue_left_q + close_queue_spared_q && close_queue_reserved_q <= 8);
    reserved: assert (turn_reserved_q == load_valid_1_q + load_valid_2_q + turns_stored + turn_buffer_valid_q + turn_left_q && turn_reserved_q <= 8);
    has_place: assert ((!post_in_valid || post_in_ready) && (!credited_in_valid || credited_in_ready) && (!credit_queue_in_valid || credit_queue_in_ready) &&
        (!close_queue_in_valid || close_queue_in_ready) && (!nudge_in_valid || nudge_in_ready));
    if (turn_in_valid) has_place: assert (turns_stored < 8);
    if (packet_in_valid) has_place: assert (packets_stored < 16);
    if (adds_q + \credited_buffer.spec_inside < 6 && !gate) takes_credits_back: assert (returned_ready);
    one_token: assert (&right_count);
    if (spec_offered) prepares: assert (prepare_valid && spec_prepares == spec_prepare);
    lists_have_room: assert ((!new_valid || new_ready) && (!again_valid || again_ready));
    words: assert (&right_words);
    if (wakes_q) words: assert (had_created == created[wakes_stream_q] && had_retired == was_retired[wakes_stream_q]);
    if (valid_7_q) words: assert (retired_before == was_retired[stream_7_q]);
    if (valid_5_q && !spec_void) judged: assert (judgement_5_q[8:6] != 0);
    if (spec_stopped) judged: assert (dead_q);
    if (setup_may_q) prepared: assert (&setup_timer_q);
    if (setup_timer_q != 0 || setup_may_q) prepared: assert (prepared_q && !written_q && setup_valid);
    if (prepared_q || written_q) prepared: assert (setup_valid && prepared_q);
    together: assert (upcoming_room_q == !upcoming_keeps_q && (!upcoming_keeps_q || upcoming_valid_q));
    if (!swept_q) quiet: assert ({returned_valid, next_return_keeps_q, credited_valid, credit_asks_q, credit_valid_q, adds_q,
        over_valid, next_over_keeps_q, close_asks_q, close_valid_q, next_freed_valid_q, next_freed_keeps_q, accepts_q, post_valid_1_q, post_valid_2_q, post_valid_3_q, post_valid_4_q,
        posts_valid, post_valid_q, woken_valid, wakes_q, wakings_update_valid_q, new_first_valid, again_first_valid, next_token_valid, load_valid_1_q, load_valid_2_q, turn_out_valid,
        upcoming_valid_q, upcoming_keeps_q, turn_valid_q, valid_1_q, valid_2_q, valid_3_q, valid_4_q, valid_5_q, valid_6_q, valid_7_q, prepared_q, written_q, setup_timer_q,
        setup_may_q} == 0 && \credit_queue_buffer.spec_inside == 0 && \close_queue_buffer.spec_inside == 0);
    if (spec_xoff[1]) xoff_stops: assert (!goes);
    if (spec_stopped) stays_behind: assert (!goes && !skips_rest && !nudges);
    if (spec_killed && emits) ends: assert (turn_free);
    if (spec_had_room && turn_valid_q) looks_on: assert (emits);
    together: assert (~turn_buffer_not_before_tail_q == turn_buffer_tail_q - 1'b1 && (!turn_buffer_empty_q || turn_buffer_tail_q == turn_buffer_head_q) &&
        (turn_buffer_valid_q || turns_stored <= 1));
    together: assert (~packet_buffer_not_before_tail_q == packet_buffer_tail_q - 1'b1 && (!packet_buffer_empty_q || packet_buffer_tail_q == packet_buffer_head_q) &&
        (packet_buffer_valid_q || packets_stored <= 1));
end
