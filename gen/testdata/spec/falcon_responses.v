// A response leaves once, unchanged, behind earlier ones of its connection, and takes credits that its connection has. One that has to wait holds no
// place that others need, and is tried again when credits have come. An arbitrary connection is watched, and two of its responses.
// depth 1
// bound 34

// property as_it_came: a response leaves as it came
// control as_it_came: leaving_in_rsn = pops_5_q ? => leaving_in_rsn = passes_5_q ?
// property order: a response does not leave before an earlier one of its connection, unless it found no place
// control order: (fits & ~some_wait) => fits
// property once: what has entered and not left is inside, once: nothing is lost or duplicated
// control once: stores = is_response_3_q & ~passes => stores = is_response_3_q
// property credits: a response that pays finds the credits that it takes
// control credits: left_packets[15] | left_buffers[15] => left_packets[15]
// control credits: left_packets[15] | left_buffers[15] => left_buffers[15]
// control credits: state_ahead_1_q ? state_next => 1'b0 ? state_next
// property price: a response takes a packet, and as many buffers as its octets fill (FTP 8.2.3), once; what waited at a set-up takes nothing
// control price: {1'b0, response_1_q[15:0]} + 17'd63 => {1'b0, response_1_q[15:0]} + 17'd64
// property goes_on: a response whose connection has the credits, and of which none waits, does not wait, whatever others do
// control goes_on: fits & ~some_wait => fits & ~some_wait & ~now_retries & (cid_3_q != cid_4_q)
// property not_forgotten: while the first response that waits has the credits, or needs none, it is being tried, or a return of credits will have it tried
// control not_forgotten: (fits & ~some_wait) => 1'b0
// control not_forgotten: woken_in_valid   = return_valid_5_q & waits_for_return => woken_in_valid = 1'b0
// property one_retry: a connection is tried by at most one retry
// control one_retry: some_wait & ~now_retries => some_wait
// property reserved: what is on its way has a place that no waiting response holds, so no buffer is full when something arrives
// control reserved: leaving_spared_q <= keeps_no_place => leaving_spared_q <= 1'b0
// control reserved: woken_spared_q <= return_valid_5_q & ~waits_for_return => woken_spared_q <= 1'b0
// property takes: something enters in each cycle in which something can and fewer than 14 are on their way out; what waits for credits does not count
// control takes: swept_q & ~opens & ~leaving_reserved_q[4] => swept_q & ~opens & ~leaving_reserved_q[4] & ~valid_1_q
// property fair: a retry waits for at most one response, a response for at most one retry and one response of each other executor
// control fair: (retry_turn_q | ~chosen_valid) => ~chosen_valid
// control fair: (|others_behind) ? => 1'b0 ?
// assume few_credits: Falcon; a connection has fewer than 2^15 of each
// assume short: the executors; a response has at most MTU octets behind its headers
// invariant buffers_have_room: there is room for each retry and each return that wakes one
// invariant alike: what enters is one of a response, a retry, a return and a set-up
// invariant words: what was read is what is stored, and what is decided
// invariant counts: at most as many wait as there are places; those that need no credits are the first of them
// invariant follows: the watched responses are where they should be
// invariant together: the registers of the buffer agree with the number of beats inside
// invariant quiet: until every connection has its state nothing happens
// invariant turn: an executor that was passed over precedes the one that passed it, and a retry has its turn

localparam P = `WIDTH_now_first, PLACES = 1 << P, STATE = `WIDTH_state_q, E = `EXECUTORS;
(* anyconst *) reg [1:0] a_cid;
(* hierconn *) wire [15:0] \retries.spec_inside , \retries.spec_in_memory , \woken_buffer.spec_inside , \woken_buffer.spec_in_memory ;
(* hierconn *) wire [4*6-1:0] \retries.spec_places ;
(* hierconn *) wire [8*6-1:0] \woken_buffer.spec_eight_places ;
(* hierconn *) wire [1:0] \retries.head_q ;
(* hierconn *) wire [2:0] \woken_buffer.head_q ;

// ---- What enters and leaves, of the ports
wire [E-1:0] spec_valid = {`EACH_EXECUTOR(@_valid)};
wire [E-1:0] spec_takes = spec_valid & {`EACH_EXECUTOR(@_ready)};
wire spec_enters = |spec_takes, spec_leaves = message_valid & message_ready;
localparam BEAT = `WIDTH_chosen;
wire [E*BEAT-1:0] spec_offered = {`EACH_EXECUTOR({@_stream, @_kind, @_number, @_header_length, @_header[`WIDTH_leaving_header-1:0], @_address, @_length[`WIDTH_leaving_length-1:0], @_cid, @_rsn, @_request_length})};
reg  [BEAT-1:0] spec_comes;
wire [BEAT-1:0] spec_goes = {message_stream, message_kind, message_number, message_header_length, message_header[`WIDTH_leaving_header-1:0], message_address,
    message_length[`WIDTH_leaving_length-1:0], message_cid, message_rsn, message_request_length};
integer spec_e;
always @* begin
    spec_comes = 0;
    for (spec_e = 0; spec_e < E; spec_e = spec_e + 1) if (spec_takes[spec_e]) spec_comes = spec_offered[BEAT*spec_e +: BEAT];
end
wire [15:0] spec_length = spec_comes[15:0];
wire [1:0]  spec_cid = spec_comes[49:48];
reg  [15:0] spec_inside;
always @(posedge clk) spec_inside <= rst ? 0 : spec_inside + spec_enters - spec_leaves;

// ---- The state of the connections, with all that was decided, and where their retries are
reg [STATE-1:0] one_state, a_state;
reg [31:0] a_granted;
reg [3:0] right_state, right_retries, right_words;
reg [15:0] all_wait;
reg [4*5-1:0] retries_of;
reg a_is_woken, all_retry, all_wake, right_costs;     // a return that wakes the watched connection has a place; what lists hold is of their kind
reg [1:0] a_place;
reg [2:0] woken_place;
integer spec_i, spec_j;
always @* begin
    {a_state, all_wait, a_is_woken} = 0;
    {all_retry, all_wake, right_costs} = 3'b111;
    a_granted = granted_update_valid_q && granted_update_stream_q == a_cid ? granted_update_q : granted[a_cid];
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        one_state = !swept_q ? 0 : valid_4_q && cid_4_q == spec_i ? state_decided_q : state[spec_i];
        if (spec_i == a_cid) a_state = one_state;
        all_wait = all_wait + one_state[P+2 +: P+1];
        right_state[spec_i] = one_state[P+2 +: P+1] <= PLACES && one_state[1 +: P+1] <= one_state[P+2 +: P+1] && (!one_state[0] || one_state[P+2 +: P+1] != 0);
        right_words[spec_i] = swept_q ? waits[spec_i] == |state[spec_i][P+2 +: P+1] : sweep_q <= spec_i || state[spec_i] == 0 && granted[spec_i] == 0 && !waits[spec_i];
        if (valid_3_q && cid_3_q == spec_i && state_q != one_state) right_words[spec_i] = 0;
        if (valid_2_q && cid_2_q == spec_i && !(state_ahead_1_q == (valid_3_q && cid_3_q == spec_i) && state_ahead_2_q == (valid_4_q && cid_4_q == spec_i) &&
            (state_ahead_1_q || state_ahead_2_q || (state_ahead_3_q ? state_kept_q : state_stored_q) == one_state))) right_words[spec_i] = 0;
        retries_of[5*spec_i +: 5] = (valid_1_q && is_retry_1_q && cid_1_q == spec_i) + (valid_2_q && is_retry_2_q && cid_2_q == spec_i)
            + (valid_3_q && is_retry_3_q && cid_3_q == spec_i) + (valid_4_q && tries_again_4_q && cid_4_q == spec_i)
            + (valid_5_q && tries_again_5_q && cid_5_q == spec_i) + (first_retry_valid && first_retry_cid == spec_i)
            + (try_valid && try_again && try_cid == spec_i) + (next_tries_valid_q && next_tries_again_q && next_tries_cid_q == spec_i)
            + (next_tries_keeps_q && next_tries_kept_again_q && next_tries_kept_cid_q == spec_i);
        for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
            a_place = spec_j - \retries.head_q ;
            retries_of[5*spec_i +: 5] = retries_of[5*spec_i +: 5] + (a_place < \retries.spec_in_memory && \retries.spec_places [6*spec_j+4 +: 2] == spec_i);
        end
        right_retries[spec_i] = retries_of[5*spec_i +: 5] == one_state[0];
    end
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        a_place = spec_j - \retries.head_q ;
        if (a_place < \retries.spec_in_memory ) begin
            if (!\retries.spec_places [6*spec_j]) all_retry = 0;
            if (\retries.spec_places [6*spec_j+4 +: 2] == a_cid && \retries.spec_places [6*spec_j+1 +: 3] != first_cost) right_costs = 0;
        end
    end
    for (spec_j = 0; spec_j < 8; spec_j = spec_j + 1) begin
        woken_place = spec_j - \woken_buffer.head_q ;
        if (woken_place < \woken_buffer.spec_in_memory ) begin
            if (\woken_buffer.spec_eight_places [6*spec_j]) all_wake = 0;
            if (\woken_buffer.spec_eight_places [6*spec_j+4 +: 2] == a_cid) a_is_woken = 1;
        end
    end
    if (wake_valid && wake_cid == a_cid || try_valid && !try_again && try_cid == a_cid || next_tries_valid_q && !next_tries_again_q && next_tries_cid_q == a_cid ||
        next_tries_keeps_q && !next_tries_kept_again_q && next_tries_kept_cid_q == a_cid || valid_1_q && is_return_1_q && cid_1_q == a_cid ||
        valid_2_q && is_return_2_q && cid_2_q == a_cid || valid_3_q && is_return_3_q && cid_3_q == a_cid) a_is_woken = 1;
    if (first_retry_valid && !first_retry_again) all_retry = 0;
    if (wake_valid && wake_again) all_wake = 0;
    if (first_retry_valid && first_retry_cid == a_cid && first_retry_buffers != first_cost) right_costs = 0;
    if (try_valid && try_again && try_cid == a_cid && try_buffers != first_cost) right_costs = 0;
    if (next_tries_valid_q && next_tries_again_q && next_tries_cid_q == a_cid && next_tries_buffers_q != first_cost) right_costs = 0;
    if (next_tries_keeps_q && next_tries_kept_again_q && next_tries_kept_cid_q == a_cid && next_tries_kept_buffers_q != first_cost) right_costs = 0;
end
wire [P:0]   a_waits = a_state[P+2 +: P+1], a_free = a_state[1 +: P+1];
wire [P-1:0] a_first = a_state[2*P+3 +: P];
wire a_decides = valid_3_q && cid_3_q == a_cid, a_leaves = valid_4_q && cid_4_q == a_cid;

// ---- The credits of the connection: those of its set-up, and what came back since, less what was paid
reg  [15:0] left_p, left_b, got_p, got_b; // got: in the last cycle
wire a_gets = return_valid_1_q && return_cid_1_q == a_cid;
wire [15:0] gets_p = a_gets ? return_count_1_q[31:16] : 16'd0, gets_b = a_gets ? return_count_1_q[15:0] : 16'd0;
wire a_opens = a_decides && is_setup_3_q;
wire a_pays = a_decides && !is_setup_3_q && pays;
wire [17:0] then_p = (a_opens ? amount_3_q[31:16] + {2'd0, got_p} : {2'd0, left_p}) + gets_p, then_b = (a_opens ? amount_3_q[15:0] + {2'd0, got_b} : {2'd0, left_b}) + gets_b;
always @(posedge clk) begin
    {got_p, got_b} <= {gets_p, gets_b};
    {left_p, left_b} <= {then_p[15:0] - (a_pays ? amount_3_q[31:16] : 16'd0), then_b[15:0] - (a_pays ? amount_3_q[15:0] : 16'd0)};
    if (rst) {left_p, left_b, got_p, got_b} <= 0;
end
wire [`WIDTH_cost-1:0] first_cost = a_leaves && stores_4_q && place_4_q == a_first ? cost_4_q : costs[{a_cid, a_first}];
wire first_may_leave = a_waits != 0 && (a_free != 0 || left_p >= 1 && left_b >= first_cost);
wire returns = return_valid_2_q && return_cid_2_q == a_cid || return_valid_3_q && return_cid_3_q == a_cid || return_valid_4_q && return_cid_4_q == a_cid ||
    return_valid_5_q && return_cid_5_q == a_cid && waits_for_return;

// ---- What is on its way out
wire [4:0] buffered = leaving_buffer_empty_q ? 0 : leaving_buffer_tail_q == leaving_buffer_head_q ? 16 : (leaving_buffer_tail_q - leaving_buffer_head_q) % 16;
wire [15:0] in_pipeline = (valid_1_q && !is_setup_1_q) + (valid_2_q && !is_setup_2_q) + (valid_3_q && !is_setup_3_q) + (valid_4_q && !is_setup_4_q) + (valid_5_q && !is_setup_5_q);
wire [15:0] on_its_way = in_pipeline + buffered + leaving_buffer_valid_q;
wire [15:0] returning = return_valid_1_q + return_valid_2_q + return_valid_3_q + return_valid_4_q + return_valid_5_q;

// ---- Two watched responses of the connection, the second behind the first
(* anyseq *) wire [1:0] spec_pick;
reg [1:0] w_waits, w_in_buffer, w_offered, w_beyond, w_was_free; // beyond: it found no place; was free: it waits since before a set-up
reg [2*3-1:0] w_stage;     // of the pipeline, or 0
reg [2*(P+1)-1:0] w_before; // waiting responses before it
reg [2*4-1:0] w_place;     // in the buffer
reg [BEAT-1:0] w_word;     // of the first
wire [1:0] w_inside = {|w_stage[5:3] | w_waits[1] | w_in_buffer[1] | w_offered[1], |w_stage[2:0] | w_waits[0] | w_in_buffer[0] | w_offered[0]};
wire [1:0] w_enters = spec_enters && spec_cid == a_cid ? {spec_pick[1] & w_inside[0] & !w_inside[1], spec_pick[0] & ~|w_inside} : 2'b00;
wire a_pops = a_decides && is_retry_3_q && (a_free != 0 || left_p >= amount_3_q[31:16] + got_p && left_b >= amount_3_q[15:0] + got_b);
wire a_fits = left_p >= amount_3_q[31:16] + got_p && left_b >= amount_3_q[15:0] + got_b;
reg [2*6-1:0] w_rank;      // the higher, the earlier it leaves
integer spec_w;
always @(posedge clk) begin
    for (spec_w = 0; spec_w < 2; spec_w = spec_w + 1) begin
        if (w_enters[spec_w]) w_beyond[spec_w] <= 0;
        w_stage[3*spec_w +: 3] <= w_enters[spec_w] ? 3'd1 : w_stage[3*spec_w +: 3] == 0 || w_stage[3*spec_w +: 3] == 5 ? 3'd0 : w_stage[3*spec_w +: 3] + 3'd1;
        if (w_stage[3*spec_w +: 3] == 3 && !(a_waits == PLACES || a_fits && a_waits == 0)) begin
            w_stage[3*spec_w +: 3] <= 3'd0;
            {w_waits[spec_w], w_was_free[spec_w]} <= 2'b10;
            w_before[(P+1)*spec_w +: P+1] <= a_waits;
        end
        if (w_stage[3*spec_w +: 3] == 3 && a_waits == PLACES) w_beyond[spec_w] <= 1;
        if (w_waits[spec_w] && a_pops) begin
            w_before[(P+1)*spec_w +: P+1] <= w_before[(P+1)*spec_w +: P+1] - 1;
            if (w_before[(P+1)*spec_w +: P+1] == 0) begin
                w_waits[spec_w] <= 0;
                w_stage[3*spec_w +: 3] <= 3'd4;
            end
        end
        if (w_waits[spec_w] && a_opens) w_was_free[spec_w] <= 1;
        if (w_stage[3*spec_w +: 3] == 5) begin
            w_in_buffer[spec_w] <= 1;
            w_place[4*spec_w +: 4] <= leaving_buffer_tail_q;
        end
        if (w_offered[spec_w] && message_ready) w_offered[spec_w] <= 0;
        if (w_in_buffer[spec_w] && leaving_buffer_fetch && leaving_buffer_head_q == w_place[4*spec_w +: 4]) {w_in_buffer[spec_w], w_offered[spec_w]} <= 2'b01;
    end
    if (w_enters[0]) w_word <= spec_comes;
    if (rst) {w_waits, w_in_buffer, w_offered, w_stage} <= 0;
end
reg [3:0] buffer_place;
always @* for (spec_w = 0; spec_w < 2; spec_w = spec_w + 1) begin
    buffer_place = w_place[4*spec_w +: 4] - leaving_buffer_head_q;
    w_rank[6*spec_w +: 6] = w_offered[spec_w] ? 6'd63 : w_in_buffer[spec_w] ? 6'd62 - buffer_place : w_stage[3*spec_w +: 3] >= 4 ? 6'd26 + w_stage[3*spec_w +: 3] :
        w_waits[spec_w] ? 6'd20 - w_before[(P+1)*spec_w +: P+1] : w_stage[3*spec_w +: 3];
end
reg [1:0] w_right; // each is in one place, and there
reg [P:0] w_this_before;
always @* for (spec_w = 0; spec_w < 2; spec_w = spec_w + 1) begin
    w_this_before = w_before[(P+1)*spec_w +: P+1];
    case (w_stage[3*spec_w +: 3])
        0: w_right[spec_w] = 1;
        1: w_right[spec_w] = valid_1_q && is_response_1_q && cid_1_q == a_cid;
        2: w_right[spec_w] = valid_2_q && is_response_2_q && cid_2_q == a_cid;
        3: w_right[spec_w] = a_decides && is_response_3_q;
        4: w_right[spec_w] = a_leaves && (pops_4_q || passes_4_q);
        5: w_right[spec_w] = valid_5_q && cid_5_q == a_cid && (pops_5_q || passes_5_q);
        default: w_right[spec_w] = 0;
    endcase
    if ((w_stage[3*spec_w +: 3] != 0) + w_waits[spec_w] + w_in_buffer[spec_w] + w_offered[spec_w] > 3'd1 ||
        w_waits[spec_w] && !(w_this_before < a_waits && w_was_free[spec_w] == (w_this_before < a_free)) ||
        w_in_buffer[spec_w] && (w_place[4*spec_w +: 4] - leaving_buffer_head_q) % 16 >= buffered || w_offered[spec_w] && !leaving_buffer_valid_q) w_right[spec_w] = 0;
end
wire [2:0]   w_at = w_stage[2:0];
wire [P-1:0] w_kept_at = a_first + w_before[P:0];
wire         w_is_fresh = a_leaves && stores_4_q && place_4_q == w_kept_at; // it is being stored
wire [15:0]  w_costs = (w_word[15:0] + `BUFFER_OCTETS - 1) / `BUFFER_OCTETS;

// ---- Turns
localparam EB = $clog2(E);
(* anyconst *) wire [EB-1:0] spec_waits;
(* anyconst *) wire [EB-1:0] spec_passes;
wire [E-1:0] spec_waiting = 1'b1 << spec_waits, spec_passing = 1'b1 << spec_passes; // 0 if there is no executor of that number
wire spec_retry_enters = next_try_valid & next_try_ready, spec_passes_now = |(spec_takes & spec_passing);
reg  spec_passed, spec_retry_passed, spec_responses_passed;
always @(posedge clk) begin
    spec_passed <= !rst && |(spec_valid & ~spec_takes & spec_waiting) && (spec_passed || spec_passes_now);
    spec_retry_passed <= !rst && next_try_valid && !next_try_ready && (spec_retry_passed || spec_enters);
    spec_responses_passed <= !rst && |spec_valid && !spec_enters && (spec_responses_passed || spec_retry_enters);
end
wire spec_passed_over = spec_passed && |(spec_valid & spec_waiting);
reg [EB-1:0] spec_first; // whose turn it is
always @* begin
    spec_first = 0;
    for (spec_e = 0; spec_e < E - 1; spec_e = spec_e + 1) if (last_chosen_q[spec_e]) spec_first = spec_e + 1;
end
function [EB:0] spec_place(input [EB-1:0] executor); spec_place = executor < spec_first ? executor + E - spec_first : executor - spec_first; endfunction

always @* if (spec_enters) short: assume (spec_length <= `MAX_PAYLOAD + `WIDTH_leaving_header / 8);
always @* if (started) few_credits: assume (then_p < 1 << 15 && then_b < 1 << 15);
always @* if (started && !rst) begin
    if (w_offered[0]) as_it_came: assert (message_valid && spec_goes == w_word && message_type == 3 && {message_fence, message_unfit, message_refused_work, message_more,
        message_first, message_list, message_element} == 0);
    if (&w_inside && !w_beyond[1]) order: assert (!w_offered[1] && w_rank[11:6] < w_rank[5:0]);
    once: assert (spec_inside == (valid_1_q && is_response_1_q) + (valid_2_q && is_response_2_q) + (valid_3_q && is_response_3_q) + all_wait
        + (valid_4_q && (pops_4_q || passes_4_q)) + (valid_5_q && (pops_5_q || passes_5_q)) + buffered + leaving_buffer_valid_q);
    if (a_pays) credits: assert (left_p >= amount_3_q[31:16] && left_b >= amount_3_q[15:0]);
    if (w_at == 3) price: assert (amount_3_q == {16'd1, w_costs} && a_pays == (a_waits == 0 && a_fits));
    if (w_waits[0] && w_before[P:0] == 0 && a_decides && is_retry_3_q) price: assert (amount_3_q == {16'd1, w_costs} && a_pays == (a_pops && !w_was_free[0]));
    if (w_at == 3 && a_fits && a_waits == 0) goes_on: assert (passes);
    if (first_may_leave) not_forgotten: assert (a_state[0] || a_is_woken || returns);
    one_retry: assert (&right_retries);
    reserved: assert (leaving_reserved_q <= 16 && leaving_reserved_q == on_its_way + leaving_left_q + leaving_spared_q);
    reserved: assert (woken_reserved_q <= 8 && woken_reserved_q == \woken_buffer.spec_inside + returning + woken_left_q + woken_spared_q);
    if (swept_q && !setup_valid && on_its_way < 14 && (|spec_valid || next_try_valid)) takes: assert (spec_enters || spec_retry_enters);
    if (spec_waits != spec_passes) fair: assert (!(spec_passed_over && spec_passes_now));
    fair: assert (!(spec_retry_passed && spec_enters) && !(spec_responses_passed && spec_retry_enters));

    buffers_have_room: assert ((!retry_valid || retry_ready) && (!woken_in_valid || woken_in_ready) && all_retry && all_wake);
    if (valid_1_q) alike: assert (is_response_1_q + is_retry_1_q + is_return_1_q + is_setup_1_q == 2'd1);
    if (valid_2_q) alike: assert (is_response_2_q + is_retry_2_q + is_return_2_q + is_setup_2_q == 2'd1);
    if (valid_3_q) alike: assert (is_response_3_q + is_retry_3_q + is_return_3_q + is_setup_3_q == 2'd1);
    if (valid_4_q) alike: assert (pops_4_q + passes_4_q + stores_4_q + is_setup_4_q <= 3'd1 && (!tries_again_4_q || !passes_4_q && !stores_4_q));
    if (valid_5_q) alike: assert (pops_5_q + passes_5_q + is_setup_5_q <= 2'd1);
    counts: assert (&right_state);
    words: assert (&right_words);
    if (valid_2_q && !is_setup_2_q) words: assert (amount_2_q == {16'd1, 16'd0} + cost_2_q);
    if (valid_3_q && !is_setup_3_q) words: assert (amount_3_q == {16'd1, 16'd0} + cost_3_q);
    if (valid_4_q) words: assert (still_wait_4_q == |state_decided_q[P+2 +: P+1]);
    if (return_valid_5_q && return_cid_5_q == a_cid) words: assert (waits_for_return == waits[a_cid]);
    if (a_gets) words: assert (granted_now == a_granted);
    if (valid_2_q && cid_2_q == a_cid) words: assert (granted_then_now == a_granted);
    if (a_decides) words: assert (allowed_3_q == {a_granted[31:16] - got_p - amount_3_q[31:16], a_granted[15:0] - got_b - amount_3_q[15:0]});
    if (swept_q) words: assert ({left_p, left_b} == {a_granted[31:16] - a_state[3*P+19 +: 16], a_granted[15:0] - a_state[3*P+3 +: 16]});
    counts: assert (left_p < 1 << 15 && left_b < 1 << 15 && left_p >= got_p && left_b >= got_b);
    if (got_p != 0 || got_b != 0) counts: assert (return_valid_2_q && return_cid_2_q == a_cid);
    if (a_leaves && stores_4_q) counts: assert (a_waits != 0 && place_4_q == a_first + a_waits[P-1:0] - 1'b1 && (a_waits != 1 || !a_state[0]));
    words: assert (right_costs);
    if (valid_1_q && is_retry_1_q && cid_1_q == a_cid) words: assert (first_costs_1_q == first_cost);
    if (valid_2_q && is_retry_2_q && cid_2_q == a_cid) words: assert (cost_2_q == first_cost);
    if (a_decides && is_retry_3_q) words: assert (cost_3_q == first_cost);
    if (a_leaves && tries_again_4_q) words: assert (next_first_4_q == a_first);
    if (valid_5_q && tries_again_5_q && cid_5_q == a_cid) words: assert (next_costs_q == first_cost);

    follows: assert (&w_right);
    if (&w_inside) follows: assert (w_rank[11:6] != w_rank[5:0]);
    if (w_inside[0]) follows: assert (w_word[15:0] <= `MAX_PAYLOAD + `WIDTH_leaving_header / 8 && w_word[49:48] == a_cid);
    case (w_at)
        1: follows: assert (response_1_q == w_word);
        2: follows: assert (response_2_q == w_word && cost_2_q == w_costs);
        3: follows: assert (response_3_q == w_word && cost_3_q == w_costs);
        4: follows: assert ((pops_4_q ? held[{a_cid, place_4_q}] : response_4_q) == w_word);
        5: follows: assert ((pops_5_q ? waited_q : response_5_q) == w_word);
    endcase
    if (w_waits[0]) follows: assert (w_is_fresh ? response_4_q == w_word && cost_4_q == w_costs :
        held[{a_cid, w_kept_at}] == w_word && costs[{a_cid, w_kept_at}] == w_costs);
    if (w_in_buffer[0]) follows: assert (leaving_buffer[w_place[3:0]] == w_word);
    if (w_offered[0]) follows: assert (leaving_buffer_fetched_q == w_word);

    together: assert (~leaving_buffer_not_before_tail_q == leaving_buffer_tail_q - 1'b1 && (!leaving_buffer_empty_q || leaving_buffer_head_q == leaving_buffer_tail_q));
    together: assert (next_tries_room_q == !next_tries_keeps_q && (!next_tries_keeps_q || next_tries_valid_q));
    together: assert (next_return_room_q == !next_return_keeps_q && (!next_return_keeps_q || next_return_valid_q));
    if (!swept_q) quiet: assert ({valid_1_q, valid_2_q, valid_3_q, valid_4_q, valid_5_q, return_valid_1_q, return_valid_2_q, return_valid_3_q, return_valid_4_q, return_valid_5_q,
        granted_update_valid_q, first_retry_valid, wake_valid, try_valid, next_tries_valid_q, left_p, left_b, got_p, got_b, w_inside, leaving_buffer_valid_q, spec_inside} == 0 &&
        leaving_buffer_empty_q && \retries.spec_inside == 0 && \woken_buffer.spec_inside == 0);
    if (spec_retry_passed) turn: assert (retry_turn_q && next_try_valid);
    if (spec_responses_passed) turn: assert (!retry_turn_q && |spec_valid);
    turn: assert ((last_chosen_q & (last_chosen_q - 1'b1)) == 0);
    if (spec_passed_over && spec_waits != spec_passes) turn: assert (spec_place(spec_waits) < spec_place(spec_passes) && |spec_passing);
end
