// request_order: what request_turns allows leaves once, by one way, as it was stored, and is reported over if it does not start; nothing of a stream
// starts once its STag was lost. Which requests may start, and that they do, is proven of request_turns. One stream and one of its slots, any, are
// watched.
// depth 1
// bound 20

// property one_way: a request starts, ends its stream or is stopped, and never two of these
// control one_way: fails                   = is_request & ~is_end & ~has_failed & stag_is_lost_3_q => fails                   = is_request & ~is_end & ~has_failed
// control one_way: stops = is_request & ~starts => stops = is_request
// property lost_does_not_start: a request whose STag is gone does not start
// control lost_does_not_start: starts                  = is_request & ~is_end & ~has_failed & ~stag_is_lost_3_q => starts                  = is_request & ~is_end & ~has_failed
// property nothing_after_failure: of a stream that has failed nothing starts but its end, until it is opened again, and it fails once
// control nothing_after_failure: ~has_failed & ~stag_is_lost_3_q => ~stag_is_lost_3_q
// control nothing_after_failure: stream_failed_ahead_1_q ? stream_failed_next => 1'b0 ? stream_failed_next
// control nothing_after_failure: stream_failed_ahead_2_q ? stream_failed_decided_q => 1'b0 ? stream_failed_decided_q
// control nothing_after_failure: stream_failed_ahead_3_q ? stream_failed_kept_q => 1'b0 ? stream_failed_kept_q
// property looked_up: the row of the STag is looked up for each request that enters
// control looked_up: assign recheck_enable = valid_1_q => assign recheck_enable = valid_1_q & chosen_1_q[0]
// property chosen_once: one request is chosen in a cycle, of a turn that has one, and its place in a buffer is free
// control chosen_once: kind_granted   = kind_asking & kind_turn_q => kind_granted   = kind_asking
// property whole_turns: of a turn each request is chosen once, in order, then the turn leaves
// control whole_turns: read_turn_ends = read_turn_only | read_ends_q => read_turn_ends = read_turn_only | 1'b1
// control whole_turns: read_turn_slot + read_had_q => read_turn_slot
// property fair: a turn whose executor has room waits for at most two others
// control fair: kind_candidates = (|kind_behind) ? kind_behind : kind_asking => kind_candidates = kind_asking
// property as_it_came: what a slot holds is what came in for it, and what is read of it is what it holds
// control as_it_came: item_number_q         <= in_number => item_number_q         <= in_response_msn
// control as_it_came: request_1_addr   = {chosen_stream, chosen_slot} => request_1_addr   = {chosen_stream, read_turn_slot}
// property reserved: a place is reserved for what is in the pipelines and in the buffers, so that none is full when something arrives
// control reserved: stopped_spared_q   <= starts => stopped_spared_q   <= 1'b0
// property right_set: an atomic starts with the set of its word: with at most 8 sets, the low bits of the number of the word
// control right_set: ^(request_address[63:3] & 61'h0000000000000002) => ^(request_address[63:3] & 61'h0000000000000003)
// invariant buffers_have_room: there is room for each request that starts, ends its stream, is stopped, or fails
// assume failures_accepted: failure_gather, which accepts the failure of a stream before the stream is opened again and fails again
// assume only_means_one: request_turns, whose turns say so; shown by request_turns/in_order
// invariant one_turn: one kind has its turn
// invariant position: how many requests of the first turn of a kind were chosen, and whether the next one is the last
// invariant nearer: the longer a turn waits, the fewer go before it
// invariant words: what was read is what is stored, and what is decided
// invariant quiet: until every stream has its state nothing happens
// invariant one_failure: of each stream one failure waits at most

localparam SB = `WIDTH_slot, REQUEST = `WIDTH_request_1_q;
(* anyconst *) reg [1:0] a_stream;
(* anyconst *) reg [SB-1:0] a_slot;
(* hierconn *) wire [15:0] \read_buffer.spec_inside , \atomic_buffer.spec_inside , \stopped_buffer.spec_inside ;
(* hierconn *) wire [15:0] \failures.spec_in_memory ;
(* hierconn *) wire \turns.swept_q ;
(* hierconn *) wire [1:0] \turns.sweep_q ;
(* hierconn *) wire [4*`WIDTH_failures_out-1:0] \failures.spec_places ;
(* hierconn *) wire [1:0] \failures.head_q ;

// ---- Ends of streams in their buffer
wire [3:0] ends_in_memory = end_buffer_empty_q ? 0 : end_buffer_tail_q == end_buffer_head_q ? 8 : (end_buffer_tail_q - end_buffer_head_q) % 8;
wire [3:0] ends_inside = ends_in_memory + end_buffer_valid_q;
wire [2:0] end_before_tail = end_buffer_tail_q - 1'b1;

// ---- What came in, and what the watched slot holds
wire [REQUEST-1:0] comes = {in_stream, in_kind, in_number, in_stag, in_address, in_response_msn, in_term_layer, in_term_etype, in_term_code,
    in_header_length, in_segment_length, in_body};
reg  [REQUEST-1:0] came_q, held_q;
reg  stored_q, reads_it_q;
wire stores_it = store && came_q[REQUEST-1 -: 2] == a_stream && slot == a_slot;
always @(posedge clk) begin
    if (in_valid && in_ready) came_q <= comes;
    if (stores_it) {stored_q, held_q} <= {1'b1, came_q};
    reads_it_q <= chooses && !rst && stored_q && chosen_stream == a_stream && chosen_slot == a_slot && !stores_it;
    if (rst) stored_q <= 0;
end

// ---- Whether the stream has failed, with all that was decided
reg  failed_q;
wire a_decides = valid_3_q && stream_3_q == a_stream, a_leaves = valid_4_q && stream_4_q == a_stream;
always @(posedge clk) begin
    if (a_decides) failed_q <= !opens_3_q && (failed_q || fails);
    if (rst) failed_q <= 0;
end

// ---- Turns: what was chosen of the first one of each kind, and how long it waits
wire [2:0] turn_valid = {end_turn_valid, atomic_turn_valid, read_turn_valid};
wire [2:0] turns_leave = {end_turn_ready, atomic_turn_ready, read_turn_ready};
wire [2:0] only = {end_turn_only, atomic_turn_only, read_turn_only};
wire [2:0] last_is_next = {end_ends_q, atomic_ends_q, read_ends_q};
wire [3*SB-1:0] more = {end_turn_more, atomic_turn_more, read_turn_more}, had = {end_had_q, atomic_had_q, read_had_q};
wire [3*SB-1:0] slot_of = {end_turn_slot, atomic_turn_slot, read_turn_slot};
wire [5:0] stream_of = {end_turn_stream, atomic_turn_stream, read_turn_stream};
reg  [3*SB-1:0] chosen_q;      // requests of the first turn of the kind
reg  [3*3-1:0] waits_q;
reg  whole, position_is_right, is_fair, only_is_right;
integer spec_i, spec_j;
function [2:0] away;
    input [2:0] turn;
    input integer kind;
    away = turn[kind] ? 0 : turn[(kind + 2) % 3] ? 1 : 2;
endfunction
always @* begin
    {whole, position_is_right, is_fair, only_is_right} = 4'b1111;
    for (spec_i = 0; spec_i < 3; spec_i = spec_i + 1) begin
        if (kind_granted[spec_i]) whole = whole && turn_valid[spec_i] && chosen_stream == stream_of[2*spec_i +: 2] &&
            chosen_slot == slot_of[SB*spec_i +: SB] + chosen_q[SB*spec_i +: SB];
        if (turn_valid[spec_i] && turns_leave[spec_i]) whole = whole && kind_granted[spec_i] && chosen_q[SB*spec_i +: SB] == more[SB*spec_i +: SB];
        if (kind_granted[spec_i] && !turns_leave[spec_i]) whole = whole && chosen_q[SB*spec_i +: SB] < more[SB*spec_i +: SB];
        if (turn_valid[spec_i]) only_is_right = only_is_right && only[spec_i] == (more[SB*spec_i +: SB] == 0);
        position_is_right = position_is_right && had[SB*spec_i +: SB] == chosen_q[SB*spec_i +: SB] &&
            (turn_valid[spec_i] ? chosen_q[SB*spec_i +: SB] <= more[SB*spec_i +: SB] &&
                last_is_next[spec_i] == (chosen_q[SB*spec_i +: SB] != 0 && chosen_q[SB*spec_i +: SB] == more[SB*spec_i +: SB]) :
                chosen_q[SB*spec_i +: SB] == 0 && !last_is_next[spec_i]);
        if (waits_q[3*spec_i +: 3] != 0) is_fair = is_fair && waits_q[3*spec_i +: 3] + away(kind_turn_q, spec_i) <= 2;
    end
end
always @(posedge clk) for (spec_i = 0; spec_i < 3; spec_i = spec_i + 1) begin
    if (kind_granted[spec_i]) chosen_q[SB*spec_i +: SB] <= turns_leave[spec_i] ? 0 : chosen_q[SB*spec_i +: SB] + 1'b1;
    waits_q[3*spec_i +: 3] <= kind_asking[spec_i] && !kind_granted[spec_i] ? waits_q[3*spec_i +: 3] + 1'b1 : opens_q && !kind_granted[spec_i] ? waits_q[3*spec_i +: 3] : 0;
    if (rst) {chosen_q[SB*spec_i +: SB], waits_q[3*spec_i +: 3]} <= 0;
end

// ---- Failures that wait
reg [4*4-1:0] waiting;
reg [3:0] one_each;
reg [1:0] place;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    waiting[4*spec_i +: 4] = failed_valid && failed_stream == spec_i;
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        place = spec_j - \failures.head_q ;
        waiting[4*spec_i +: 4] = waiting[4*spec_i +: 4] + (place < \failures.spec_in_memory && \failures.spec_places [`WIDTH_failures_out*(spec_j+1)-2 +: 2] == spec_i);
    end
    one_each[spec_i] = waiting[4*spec_i +: 4] <= 1;
end
wire [3:0] on_the_way_1 = {4{valid_1_q && !opens_1_q}} & {1'b1, chosen_1_q}, on_the_way_2 = {4{valid_2_q && !opens_2_q}} & {1'b1, chosen_2_q};
wire [3:0] on_the_way_3 = {4{valid_3_q && !opens_3_q}} & {1'b1, chosen_3_q};

always @* if (started && fails) failures_accepted: assume (waiting[4*failure_stream +: 4] == 0);
always @* if (started) only_means_one: assume (only_is_right);
always @* if (started && !rst) begin
    one_way: assert (starts + ends + fails <= 2'd1 && start_read + start_atomic + ends + stops <= 2'd2 && !(starts && stops));
    if (is_request) one_way: assert (stops == !starts && (!starts || start_read + start_atomic == 2'd1));
    if (start_atomic) right_set: assert (set_of_word == request_address[`WIDTH_set_of_word+2:3]);
    if (starts) lost_does_not_start: assert (!stag_is_lost_3_q);
    if (a_decides && starts) nothing_after_failure: assert (!failed_q);
    if (a_decides && fails) nothing_after_failure: assert (!failed_q);
    if (chooses) chosen_once: assert ((kind_granted & (kind_granted - 1'b1)) == 0 && !opens_q && !stopped_reserved_q[3] &&
        !(kind_granted & {end_reserved_q[3], atomic_reserved_q[3], read_reserved_q[3]}));
    if (valid_1_q) looked_up: assert (recheck_enable && recheck_index == request_1_q[581:558]);
    whole_turns: assert (whole);
    fair: assert (waits_q[2:0] <= 2 && waits_q[5:3] <= 2 && waits_q[8:6] <= 2);
    if (store) as_it_came: assert ({item_stream_q, item_kind_q, item_number_q, item_stag_q, item_address_q, item_response_msn_q, item_term_layer_q,
        item_term_etype_q, item_term_code_q, item_header_length_q, item_segment_length_q, item_body_q} == came_q);
    if (stored_q) as_it_came: assert (slots[{a_stream, a_slot}] == held_q);
    buffers_have_room: assert ((!read_in_valid || read_in_ready) && (!atomic_in_valid || atomic_in_ready) && (!end_in_valid || ends_in_memory < 8) &&
        (!stopped_in_valid || stopped_in_ready) && (!failure_valid || failure_ready));
    one_turn: assert (kind_turn_q == 1 || kind_turn_q == 2 || kind_turn_q == 4);
    position: assert (position_is_right);
    nearer: assert (is_fair);
    reserved: assert (read_reserved_q <= 8 && atomic_reserved_q <= 8 && end_reserved_q <= 8 && stopped_reserved_q <= 8);
    reserved: assert (read_reserved_q == \read_buffer.spec_inside + on_the_way_1[0] + on_the_way_2[0] + on_the_way_3[0] + read_left_q + read_spared_q);
    reserved: assert (atomic_reserved_q == \atomic_buffer.spec_inside + on_the_way_1[1] + on_the_way_2[1] + on_the_way_3[1] + atomic_left_q + atomic_spared_q);
    reserved: assert (end_reserved_q == ends_inside + on_the_way_1[2] + on_the_way_2[2] + on_the_way_3[2] + end_left_q);
    reserved: assert (stopped_reserved_q == \stopped_buffer.spec_inside + on_the_way_1[3] + on_the_way_2[3] + on_the_way_3[3] + stopped_left_q + stopped_spared_q);
    reserved: assert ((!end_buffer_empty_q || end_buffer_tail_q == end_buffer_head_q) && end_buffer_not_before_tail_q == ~end_before_tail);
    if (a_decides) words: assert (stream_failed_q == failed_q);
    if (a_leaves) words: assert (stream_failed_decided_q == failed_q);
    if (!a_leaves && (swept_q || sweep_q > a_stream)) words: assert (stream_failed[a_stream] == failed_q);
    if (valid_2_q && stream_2_q == a_stream) words: assert (stream_failed_ahead_1_q == a_decides && stream_failed_ahead_2_q == a_leaves &&
        (a_decides || a_leaves || (stream_failed_ahead_3_q ? stream_failed_kept_q : stream_failed_stored_q) == failed_q));
    if (is_request) words: assert (chosen_3_q == 1 || chosen_3_q == 2 || chosen_3_q == 4);
    if (valid_2_q && !opens_2_q) words: assert (chosen_2_q == 1 || chosen_2_q == 2 || chosen_2_q == 4);
    if (valid_1_q && !opens_1_q) words: assert (chosen_1_q == 1 || chosen_1_q == 2 || chosen_1_q == 4);
    if (reads_it_q) as_it_came: assert (valid_1_q && request_1_q == held_q);
    if (!swept_q) quiet: assert ({opens_q, valid_1_q, valid_2_q, valid_3_q, valid_4_q, turn_valid} == 0 && !failed_q);
    quiet: assert (\turns.swept_q == swept_q && \turns.sweep_q == sweep_q);
    one_failure: assert (&one_each);
end
