// Requests of a stream have their turns in order, each once, none before it is released; one of another kind, and the end of the stream,
// when all before it are over. No stream with requests is forgotten. Kinds and turns are watched of one stream and one of its requests,
// any; counts and tokens of all four, which share lists and FIFOs.
// depth 1
// bound 16

// property right_kind: a turn goes to the executor of every request that it covers
// control right_kind: at_waits_q <= at_since_q; => 1'b1;
// control right_kind: run_now     = has[1] ? has[<N>:<N>] : => run_now     =
// control right_kind: read_grant_valid  = (wants_turn_q[0] & => read_grant_valid  = (
// property waits_for_all: a request of another kind than the one before it, and the end, has its turn when all before it are over
// control waits_for_all: may_start     = token_some_q & (~token_differs_q | token_idle_q) => may_start     = token_some_q
// control waits_for_all: ~turn_is_taken & (~differs | is_idle) => ~turn_is_taken
// control waits_for_all: differs        = wants_turn_q[<N>] | follows_another => differs        = follows_another
// property in_order: turns of a stream cover its requests in the order of their slots, each once
// control in_order: granted_slot_q   <= token_issued_q => granted_slot_q   <= token_waits_q
// control in_order: {token_gone_q + given, => {token_gone_q + (given >> 1),
// property released: a turn covers no request that was not released, and none that the end of the stream dropped
// control released: may_start_q     <= ~arrive_releases & ~arrive_waits => may_start_q     <= ~arrive_releases
// control released: waiting       = had_waiting & {<N>{~drops_waiting_q}} => waiting       = had_waiting
// property one_at_a_time: one turn of a kind is granted in a cycle, and one of a stream
// control one_at_a_time: ~turn_is_taken & (~differs | is_idle) => (~differs | is_idle)
// property not_forgotten: a stream with requests that may have their turn has a token
// control not_forgotten: goes_again    = ~parks & (leaves_some | token_arrived_q | arrives_last) => goes_again    = ~parks & leaves_some
// control not_forgotten: creates_token  = item_valid_q & queues & ~has_token => creates_token  = item_valid_q & stores & queues & ~has_token
// property one_token: a stream has one token, in one place, or none
// control one_token: creates_token  = item_valid_q & queues & ~has_token => creates_token  = item_valid_q & queues
// control one_token: again_push_q   <= deciding_q & goes_again => again_push_q   <= deciding_q & (goes_again | parks)
// control one_token: passed_push_q   <= park_valid_q & is_over => passed_push_q   <= park_valid_q
// control one_token: wakes       = over_valid_q & is_parked & => wakes       = over_valid_q &
// property wakes_in_time: a token is parked only as long as something that its stream was issued is not over
// control wakes_in_time: | (ends_here & (park_ended_now[<N>:1] == park_before_last_q)) => | 1'b0
// control wakes_in_time: wakes       = over_valid_q & is_parked & => wakes       = 1'b0 & is_parked &
// property progress: a stream whose oldest request may start has its turn within 40 cycles; its token comes nearer in each of them
// control progress: new_push_q   <= creates_token & ~parks_new => new_push_q   <= creates_token & parks_new
// control progress: looking_q       <= next_valid_q => looking_q       <= next_valid_q & next_stream_q[0]
// invariant known: what an item wants is known as it arrives
// invariant lists_have_room: each list has room for the token that is put there
// property turns_have_room: each kind has room for the turn that is granted
// control turns_have_room: end_grant_valid  = (wants_turn_q[<N>] & => end_grant_valid  = 1'b1 | (wants_turn_q[<N>] &
// property own_slot: a request gets a slot that no other request of its stream has
// control own_slot: assign slot  = item_slot => assign slot  = had_came

// assume known_kind: rx_check, whose requests are for an executor, or end the stream
// assume has_slot: rx_check and the peer: no more requests of a stream than twice IRD wait for an executor (RFC 5040 section 6.6)
// assume counts_far: the executors: no more are in progress than they hold, and IRD
// assume end_comes_at_once: rx_check, which lets no end wait
// assume over_once: the executors and request_order, which report each request once, when its turn has left
// invariant one_list: one list, and one source of tokens to be parked, has the turn
// invariant quiet: until every stream has its words nothing happens
// invariant words: what was read is what is stored, and what is decided
// invariant counted: the words count what came, was issued and is over
// invariant looked: what is known of the stream in the pipeline holds, or it is known that more has arrived
// invariant kinds_kept: the slots have the kinds, and the latest run begins where they differ
// invariant watched_inside: the watched request is in its slot
// invariant parked_with: a token to be parked has the count of what was issued
// invariant parks_differ: a token is parked for a request that differs from the one before it
// invariant fresh: what was read of a stream that may start for some cycles says so

localparam W = `WIDTH_had_came;     // bits of a count
localparam SB = `WIDTH_slot;        // bits of a slot
localparam SLOTS = 1 << `WIDTH_slot;
localparam MOST = (1 << `WIDTH_had_came) - 4; // requests of a stream that are not over: counts are read up to 3 cycles late
(* anyconst *) reg [`WIDTH_arrive_stream-1:0] a_stream;

// ---- The words of the streams, with what is decided
reg [4*W-1:0] came, direct, had_turn, waiting_of, finished; // by stream
reg [3:0] created, retired, is_parked_now;
reg [`WIDTH_arrived_now-1:0] one_arrived, a_arrived;
reg [W:0] one_granted, one_parking, one_ended, a_parking, a_ended;
integer spec_i, spec_j;
always @* begin
    {a_arrived, a_parking, a_ended} = 0;
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        one_arrived = arrived_update_valid_q && arrived_update_stream_q == spec_i ? arrived_update_q : arrived[spec_i];
        one_ended   = ended_update_valid_q && ended_update_stream_q == spec_i ? ended_update_q : ended[spec_i];
        one_granted = granted[spec_i];
        one_parking = parking[spec_i];
        {came[W*spec_i +: W], direct[W*spec_i +: W], waiting_of[W*spec_i +: W]} = one_arrived[`WIDTH_arrived_now-1 -: 3*W];
        {created[spec_i], retired[spec_i], is_parked_now[spec_i]} = {one_arrived[0], one_granted[0], one_parking[0] ^ one_ended[0]};
        {had_turn[W*spec_i +: W], finished[W*spec_i +: W]} = {one_granted[W:1], one_ended[W:1]};
        if (spec_i == a_stream) {a_arrived, a_parking, a_ended} = {one_arrived, one_parking, one_ended};
    end
end
reg [4*W-1:0] issued, queued;   // had their turn; may have it
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    issued[W*spec_i +: W] = direct[W*spec_i +: W] + had_turn[W*spec_i +: W];
    queued[W*spec_i +: W] = came[W*spec_i +: W] - issued[W*spec_i +: W];
end
reg [3:0] remembered;           // none has requests that may have their turn, and no token
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) remembered[spec_i] = queued[W*spec_i +: W] == 0 || created[spec_i] != retired[spec_i];
wire [W-1:0] a_came, a_direct, a_waiting, a_run;
wire [`WIDTH_had_kind-1:0] a_kind;
wire a_begins, a_created;
assign {a_came, a_direct, a_waiting, a_kind, a_run, a_begins, a_created} = a_arrived;
wire [W-1:0] a_issued = issued[W*a_stream +: W], a_queued = queued[W*a_stream +: W];

wire its_end_kind = item_kind_q == REQUEST_END || item_kind_q == REQUEST_CLOSE;
wire a_item    = item_valid_q && item_stream_q == a_stream;
wire a_stores  = a_item && stores;
wire a_direct_now = a_item && starts_at_once;
wire a_decides = deciding_q && token_stream_q == a_stream;
wire a_drops = !item_waits_q || item_first_q; // what was not released before it
wire [SB-1:0] next_slot = a_came + (a_drops ? 0 : a_waiting);
reg  [W-1:0] own_came_q, own_waiting_q; // requests that may have their turn, and those that wait for a release
always @(posedge clk) begin
    if (a_item && stores) {own_came_q, own_waiting_q} <= {own_came_q + !item_waits_q, (a_drops ? {W{1'b0}} : own_waiting_q) + item_waits_q};
    if (a_item && !stores) {own_came_q, own_waiting_q} <= {own_came_q + own_waiting_q, {W{1'b0}}};
    if (rst) {own_came_q, own_waiting_q} <= 0;
end
wire a_ending  = over_valid_q && over_stream_q == a_stream;

// ---- What is counted outside, by stream: requests that had their turn and are not over; turns that have not left, by kind
localparam T = `EXECUTORS + 1;  // kinds of turns
localparam E = `EXECUTORS;      // the end
wire [T-1:0] grants = {end_grant_valid, `EACH_EXECUTOR(@_grant_valid)};
wire [T*2-1:0] grant_streams = {end_grant_stream, `EACH_EXECUTOR(@_grant_stream)};
wire [T-1:0] leaves = {end_valid & end_ready, `EACH_EXECUTOR(@_valid & @_ready)};
wire [T*2-1:0] leave_streams = {end_stream, `EACH_EXECUTOR(@_stream)};
reg [4*8-1:0] running_q;
reg [T*4*4-1:0] turns_q;
always @(posedge clk) begin
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        running_q[8*spec_i +: 8] <= rst ? 0 : running_q[8*spec_i +: 8] + (item_valid_q && item_stream_q == spec_i && starts_at_once)
            + (deciding_q && token_stream_q == spec_i ? given : 0) - (over_valid && over_ready && over_stream == spec_i);
        for (spec_j = 0; spec_j < T; spec_j = spec_j + 1)
            turns_q[16*spec_j + 4*spec_i +: 4] <= rst ? 0 : turns_q[16*spec_j + 4*spec_i +: 4] + (grants[spec_j] && grant_streams[2*spec_j +: 2] == spec_i)
                - (leaves[spec_j] && leave_streams[2*spec_j +: 2] == spec_i && turns_q[16*spec_j + 4*spec_i +: 4] != 0);
    end
end
reg [4*6-1:0] turns_of;         // that have not left, or are about to be stored
reg [6*T-1:0] turns_of_kind;
always @* begin
    turns_of_kind = 0;
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        turns_of[6*spec_i +: 6] = |granting_q && granted_stream_q == spec_i;
        for (spec_j = 0; spec_j < T; spec_j = spec_j + 1) begin
            turns_of[6*spec_i +: 6] = turns_of[6*spec_i +: 6] + turns_q[16*spec_j + 4*spec_i +: 4];
            turns_of_kind[6*spec_j +: 6] = turns_of_kind[6*spec_j +: 6] + turns_q[16*spec_j + 4*spec_i +: 4];
        end
    end
end
wire [7:0] a_running = running_q[8*a_stream +: 8], item_running = running_q[8*item_stream_q +: 8];
wire [7:0] item_has = queued[W*item_stream_q +: W] + waiting;
always @* if (arrive_valid && !arrive_releases) known_kind: assume (arrive_kind <= `REQUEST_LAST);
always @* if (started && item_valid_q && stores) begin
    has_slot: assume (item_has + turns_of[6*item_stream_q +: 6] < SLOTS);
    counts_far: assume (item_has + item_running < MOST);
    end_comes_at_once: assume (!its_end_kind || !item_waits_q);
end
always @* if (started && over_valid && over_ready) over_once: assume (running_q[8*over_stream +: 8] > turns_of[6*over_stream +: 6]);

// ---- The watched request
(* anyseq *) wire spec_pick;
reg watched_q, its_fence_q;
reg [`WIDTH_had_kind-1:0] last_kind_q, its_kind_q;
reg [W-1:0] its_number_q;
wire its_fence = its_end_kind || item_kind_q != last_kind_q || a_drops && a_waiting != 0;
wire [W-1:0] its_place = its_number_q - a_issued;
wire its_turn = a_decides && may_start && its_place < given;
wire its_end  = a_stores && a_drops && its_place >= a_queued;
always @(posedge clk) begin
    if (a_stores) last_kind_q <= item_kind_q;
    if (!watched_q || its_turn || its_end) begin
        watched_q    <= a_stores && !starts_at_once && spec_pick;
        its_fence_q  <= its_fence;
        its_kind_q   <= item_kind_q;
        its_number_q <= a_came + (a_drops ? 0 : a_waiting);
    end
    if (rst) {watched_q, last_kind_q} <= 0;
end
always @* if (started && !rst) begin
    if (its_turn && watched_q) right_kind: assert (token_kind_q == its_kind_q);
    if (its_turn && watched_q && its_fence_q) waits_for_all: assert (its_place == 0 && a_running == 0);
    if (a_direct_now && its_fence) waits_for_all: assert (a_running == 0 && a_queued == 0);
end

// ---- Turns as they are granted
reg [W-1:0] granted_q;              // requests of the stream that were in a turn
reg decided_q;
reg [`WIDTH_had_kind-1:0] decided_kind_q;
reg [W-1:0] decided_given_q;
wire a_granting = |granting_q && granted_stream_q == a_stream;
wire [T-1:0] its_turn_kind = {decided_kind_q == REQUEST_END || decided_kind_q == REQUEST_CLOSE, `EACH_EXECUTOR(decided_kind_q == REQUEST_@@)};
wire [T-1:0] item_turn = {its_end_kind, `EACH_EXECUTOR(item_kind_q == REQUEST_@@)};
wire [T-1:0] direct_turns = item_turn & {T{item_valid_q && starts_at_once}};
wire [T*SB-1:0] grant_slots = {end_grant_slot, `EACH_EXECUTOR(@_grant_slot)};
wire [T*SB-1:0] grant_more = {end_grant_more, `EACH_EXECUTOR(@_grant_more)};
wire [T-1:0] grant_only = {end_grant_only, `EACH_EXECUTOR(@_grant_only)};
reg  grants_right;
always @* begin
    grants_right = 1;
    for (spec_j = 0; spec_j < T; spec_j = spec_j + 1)
        if (grants[spec_j] && grant_streams[2*spec_j +: 2] == a_stream)
            grants_right = grants_right && grant_slots[SB*spec_j +: SB] == granted_q[SB-1:0] &&
                grant_more[SB*spec_j +: SB] == (a_granting ? decided_given_q - 1'b1 : 0) && grant_only[spec_j] == (grant_more[SB*spec_j +: SB] == 0);
end
always @(posedge clk) begin
    granted_q <= rst ? 0 : granted_q + a_direct_now + (a_granting ? granted_more_q + 1'b1 : 0);
    decided_q <= a_decides && may_start && !rst;
    decided_kind_q  <= token_kind_q;
    decided_given_q <= given;
end
wire [W-1:0] decided_far = granted_q + (decided_q ? decided_given_q : 0);
always @* if (started && !rst) begin
    one_at_a_time: assert ((granting_q & direct_turns) == 0 && (granting_q & granting_q - 1'b1) == 0 && !(a_granting && a_direct_now));
    right_kind: assert (grants == (granting_q | direct_turns) && (!decided_q || granting_q == its_turn_kind));
    in_order: assert (a_granting == decided_q && grants_right);
    if (a_direct_now) in_order: assert (a_queued == 0);
    if (swept_q) in_order: assert (a_issued == decided_far);
    if (decided_q) in_order: assert (granted_slot_q == granted_q[SB-1:0] && decided_given_q != 0 && decided_given_q <= SLOTS &&
        granted_more_q == decided_given_q - 1'b1 && granted_only_q == (decided_given_q == 1));
    if (a_decides) released: assert (given <= a_queued);
    if (swept_q) released: assert (a_came == own_came_q && a_waiting == own_waiting_q);
    if (!swept_q) quiet: assert (own_came_q == 0 && own_waiting_q == 0);
    if (item_valid_q) known: assert (wants_turn_q == {item_kind_q == REQUEST_END || item_kind_q == REQUEST_CLOSE, item_kind_q == REQUEST_ATOMIC,
        item_kind_q == REQUEST_READ} && drops_waiting_q == (!item_releases_q && (!item_waits_q || item_first_q)) &&
        may_start_q == (!item_releases_q && !item_waits_q));
    if (a_direct_now) released: assert (!item_waits_q && !item_releases_q);
    if (swept_q) not_forgotten: assert (&remembered);
    if (a_stores) own_slot: assert (slot == next_slot);
end

// ---- Where the tokens of four streams are
(* hierconn *) wire [4*`WIDTH_new_stream-1:0] \new_list.spec_places , \again_list.spec_places , \woken_list.spec_places , \passed_list.spec_places ;
(* hierconn *) wire [1:0] \new_list.head_q , \again_list.head_q , \woken_list.head_q , \passed_list.head_q ;
(* hierconn *) wire [15:0] \new_list.spec_in_memory , \again_list.spec_in_memory , \woken_list.spec_in_memory , \passed_list.spec_in_memory ;
(* hierconn *) wire [4*`WIDTH_new_parks_out-1:0] \new_parks.spec_places , \granted_parks.spec_places ;
(* hierconn *) wire [1:0] \new_parks.head_q , \granted_parks.head_q ;
(* hierconn *) wire [15:0] \new_parks.spec_in_memory , \granted_parks.spec_in_memory ;
localparam P = `WIDTH_new_parks_out;
reg [1:0] place_of;
reg [4*6-1:0] tokens;          // by stream: how many there are
reg [3:0] right_count, right_words;
reg parks_right;               // tokens of the stream in the FIFOs have the count
always @* begin
    parks_right = (!(new_to_park_valid && new_to_park_stream == a_stream) || new_to_park_issued == a_issued) &&
        (!(granted_to_park_valid && granted_to_park_stream == a_stream) || granted_to_park_issued == a_issued);
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        tokens[6*spec_i +: 6] = (new_first_valid && new_first_stream == spec_i) + (again_first_valid && again_first_stream == spec_i)
            + (woken_first_valid && woken_first_stream == spec_i) + (passed_first_valid && passed_first_stream == spec_i)
            + (new_to_park_valid && new_to_park_stream == spec_i) + (granted_to_park_valid && granted_to_park_stream == spec_i)
            + (new_push_q && new_stream_q == spec_i) + (again_push_q && again_stream_q == spec_i)
            + (woken_push_q && woken_stream_q == spec_i) + (passed_push_q && passed_stream_q == spec_i)
            + (new_parks_q && new_parked_stream_q == spec_i) + (granted_parks_q && granted_parked_stream_q == spec_i)
            + (next_valid_q && next_stream_q == spec_i) + (looking_q && looked_stream_q == spec_i) + (counting_q && counted_stream_q == spec_i)
            + (reading_q && at_stream_q == spec_i) + (deciding_q && token_stream_q == spec_i) + (park_valid_q && park_stream_q == spec_i)
            + is_parked_now[spec_i];
        for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
            place_of = spec_j - \new_list.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place_of < \new_list.spec_in_memory && \new_list.spec_places [2*spec_j +: 2] == spec_i);
            place_of = spec_j - \again_list.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place_of < \again_list.spec_in_memory && \again_list.spec_places [2*spec_j +: 2] == spec_i);
            place_of = spec_j - \woken_list.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place_of < \woken_list.spec_in_memory && \woken_list.spec_places [2*spec_j +: 2] == spec_i);
            place_of = spec_j - \passed_list.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place_of < \passed_list.spec_in_memory && \passed_list.spec_places [2*spec_j +: 2] == spec_i);
            place_of = spec_j - \new_parks.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place_of < \new_parks.spec_in_memory && \new_parks.spec_places [P*spec_j+W +: 2] == spec_i);
            if (place_of < \new_parks.spec_in_memory && \new_parks.spec_places [P*spec_j+W +: 2] == a_stream)
                parks_right = parks_right && \new_parks.spec_places [P*spec_j +: W] == a_issued;
            place_of = spec_j - \granted_parks.head_q ;
            tokens[6*spec_i +: 6] = tokens[6*spec_i +: 6] + (place_of < \granted_parks.spec_in_memory && \granted_parks.spec_places [P*spec_j+W +: 2] == spec_i);
            if (place_of < \granted_parks.spec_in_memory && \granted_parks.spec_places [P*spec_j+W +: 2] == a_stream)
                parks_right = parks_right && \granted_parks.spec_places [P*spec_j +: W] == a_issued;
        end
        right_count[spec_i] = tokens[6*spec_i +: 6] == (swept_q ? created[spec_i] ^ retired[spec_i] : is_parked_now[spec_i]);
        right_words[spec_i] = swept_q || sweep_q <= spec_i || {arrived[spec_i], granted[spec_i], parking[spec_i], ended[spec_i]} == 0;
    end
end
always @* if (started && !rst) begin
    one_token: assert (&right_count);
    if (swept_q && is_parked_now[a_stream]) wakes_in_time: assert (a_running + a_ending != 0);
    lists_have_room: assert ((!new_valid || new_ready) && (!again_valid || again_ready) && (!woken_valid || woken_ready) &&
        (!passed_valid || passed_ready) && (!new_park_valid || new_park_ready) && (!granted_park_valid || granted_park_ready));
    turns_have_room: assert (&{!end_grant_valid || end_grant_ready, `EACH_EXECUTOR(!@_grant_valid || @_grant_ready)});
end

// ---- Invariants
(* hierconn *) wire [15:0] \end_turns.spec_inside , `EACH_EXECUTOR(\@_turns.spec_inside );
wire [16*T-1:0] turns_inside = {\end_turns.spec_inside , `EACH_EXECUTOR(\@_turns.spec_inside )};
reg  [T-1:0] turns_counted;    // the FIFO of each kind has no more than were granted and have not left
always @* for (spec_i = 0; spec_i < T; spec_i = spec_i + 1) turns_counted[spec_i] = turns_inside[16*spec_i +: 16] <= turns_of_kind[6*spec_i +: 6];
localparam K = `WIDTH_had_kind;
reg  [K:0] next_of, kind_at;   // {kind, differs} of the request behind the oldest one of the stream
reg  [3:0] fence_at;           // the request so far behind the oldest one differs from the one before it
reg  chain, run_right;         // a request that does not differ has the kind of the one before it
always @* begin
    next_of = 0;
    chain = 1;
    run_right = a_begins ? a_run - a_came < a_waiting : 1'b1;
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        kind_at = kinds[{a_stream, a_issued[SB-1:0] + spec_i[SB-1:0]}];
        fence_at[spec_i] = kind_at[0];
        if (spec_i == 1) next_of = kind_at;
        if (spec_i != 0 && spec_i < a_queued + a_waiting && !kind_at[0]) chain = chain && kind_at[K:1] == kinds[{a_stream, a_issued[SB-1:0] + spec_i[SB-1:0] - 1'b1}][K:1];
        if (spec_i + 1 == a_queued + a_waiting) chain = chain && kind_at[K:1] == a_kind;
        if (spec_i != 0 && spec_i < a_queued && kind_at[0] && !a_begins) run_right = run_right && a_run - a_issued - spec_i[W-1:0] < a_queued - spec_i[W-1:0];
        if (spec_i >= a_queued && spec_i < a_queued + a_waiting && kind_at[0]) run_right = run_right && a_begins &&
            a_run - a_issued - spec_i[W-1:0] < a_queued + a_waiting - spec_i[W-1:0];
    end
end
reg [3:0] ends_differ;         // from the request before them
reg [K:0] one_kind;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    ends_differ[spec_i] = 1;
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        one_kind = kinds[{spec_i[1:0], issued[W*spec_i +: SB] + spec_j[SB-1:0]}];
        if (spec_j < queued[W*spec_i +: W] + waiting_of[W*spec_i +: W] && (one_kind[K:1] == REQUEST_END || one_kind[K:1] == REQUEST_CLOSE))
            ends_differ[spec_i] = ends_differ[spec_i] && one_kind[0];
    end
end
function mixed;                // of so many requests, one differs from the one before it
    input [W-1:0] n;
    input [3:0] fences;
    mixed = n > 1 && fences[1] || n > 2 && fences[2] || n > 3 && fences[3];
endfunction
reg  [4*W-1:0] total_over;     // accepted
reg  [3:0] counts_right;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    total_over[W*spec_i +: W] = finished[W*spec_i +: W] + (over_valid_q && over_stream_q == spec_i);
    counts_right[spec_i] = queued[W*spec_i +: W] <= SLOTS && waiting_of[W*spec_i +: W] <= SLOTS &&
        queued[W*spec_i +: W] + waiting_of[W*spec_i +: W] + turns_of[6*spec_i +: 6] <= SLOTS &&
        running_q[8*spec_i +: 8] + queued[W*spec_i +: W] + waiting_of[W*spec_i +: W] <= MOST && running_q[8*spec_i +: 8] <= MOST &&
        turns_of[6*spec_i +: 6] <= running_q[8*spec_i +: 8] &&
        turns_q[16*E + 4*spec_i +: 4] + (granting_q[E] && granted_stream_q == spec_i) <= 1 &&
        running_q[8*spec_i +: W] == issued[W*spec_i +: W] - total_over[W*spec_i +: W];
    for (spec_j = 0; spec_j < E; spec_j = spec_j + 1) counts_right[spec_i] = counts_right[spec_i] && turns_q[16*spec_j + 4*spec_i +: 4] <= SLOTS;
end
wire [W-1:0] late_item = total_over[W*item_stream_q +: W] - had_ended_q[W:1], late_look = total_over[W*looked_stream_q +: W] - has_ended_q[W:1];
wire [`WIDTH_arrived_now-1:0] look_arrived = arrived_update_valid_q && arrived_update_stream_q == looked_stream_q ? arrived_update_q : arrived[looked_stream_q];
wire [`WIDTH_arrived_now-1:0] item_arrived = arrived_update_valid_q && arrived_update_stream_q == item_stream_q ? arrived_update_q : arrived[item_stream_q];
wire [W:0] over_ended = ended_update_valid_q && ended_update_stream_q == over_stream_q ? ended_update_q : ended[over_stream_q];
wire [W:0] park_ended_all = ended_update_valid_q && ended_update_stream_q == park_stream_q ? ended_update_q : ended[park_stream_q];
wire [W:0] item_granted = granted[item_stream_q], look_granted = granted[looked_stream_q];
wire [W:0] counted_granted = granted[counted_stream_q], at_granted = granted[at_stream_q], token_granted = granted[token_stream_q];
wire [W:0] park_parking = parking[park_stream_q], over_parking = parking[over_stream_q], update_ended = ended[ended_update_stream_q];
wire [W-1:0] look_issued = issued[W*looked_stream_q +: W], look_queued = queued[W*looked_stream_q +: W];
wire [W-1:0] count_issued = issued[W*counted_stream_q +: W], count_queued = queued[W*counted_stream_q +: W];
wire [W-1:0] at_issued = issued[W*at_stream_q +: W], at_queued = queued[W*at_stream_q +: W];
wire [W-1:0] token_issued = issued[W*token_stream_q +: W], token_queued = queued[W*token_stream_q +: W];
wire [K:0] at_kind = kinds[{at_stream_q, at_issued[SB-1:0]}], token_first = kinds[{token_stream_q, token_issued[SB-1:0]}];
wire [W-1:0] has_came = has[`WIDTH_has-1 -: W], has_direct = has[`WIDTH_has-W-1 -: W];
wire [W-1:0] has_queued = has_came - look_issued, counted_queued = counted_came_q - count_issued;
always @* if (started && !rst) begin
    one_list: assert (list_turn_q != 0 && (list_turn_q & list_turn_q - 1'b1) == 0 && (park_turn_q == 1 || park_turn_q == 2));
    if (!swept_q) quiet: assert ({item_valid_q, arrived_update_valid_q, new_push_q, new_parks_q, next_valid_q, looking_q, counting_q, reading_q, deciding_q,
        again_push_q, granted_parks_q, |granting_q, park_valid_q, over_valid_q, ended_update_valid_q, woken_push_q, passed_push_q,
        new_first_valid, again_first_valid, woken_first_valid, passed_first_valid, new_to_park_valid, granted_to_park_valid,
        end_valid, `EACH_EXECUTOR(@_valid)} == 0 &&
        running_q == 0 && turns_q == 0 && granted_q == 0 && !decided_q && !watched_q && last_kind_q == 0 && &right_words);
    words: assert (arrived_is_not_decided_q != arrived_is_decided_q && arrived_is_not_written_q != arrived_is_written_q);
    if (item_valid_q) words: assert (arrived_now == item_arrived && had_granted == item_granted);
    if (item_valid_q && !settled_has_changed_q) words: assert (settled_q == item_arrived);
    if (over_valid_q) words: assert (ended_now == over_ended && parked_word == over_parking);
    if (park_valid_q) words: assert (park_before[0] == park_parking[0] && park_ended_now == park_ended_all);
    if (looking_q) words: assert (was_granted == look_granted);
    if (counting_q) words: assert ({counted_gone_q, counted_retired_q} == counted_granted);
    if (reading_q) words: assert ({at_gone_q, at_retired_q} == at_granted);
    if (deciding_q) words: assert ({token_gone_q, token_retired_q} == token_granted);
    if (swept_q) begin
        counted: assert (&counts_right && a_kind == last_kind_q);
        counted: assert (&turns_counted);
        if (ended_update_valid_q) counted: assert (ended_update_q[W:1] == update_ended[W:1] + 1'b1);
        if (item_valid_q) counted: assert (late_item <= 3);
        if (looking_q) counted: assert (late_look <= 3);
        kinds_kept: assert (chain && run_right && &ends_differ);
    end
    if (looking_q) looked: assert ((arrived_meanwhile_q || has == look_arrived) && has_queued <= look_queued && has_direct == direct[W*looked_stream_q +: W]);
    if (looking_q && looked_stream_q == a_stream) looked: assert (!mixed(has_queued, fence_at) || has_came - run_now < has_queued);
    if (counting_q) looked: assert (counted_issued_q == count_issued && counted_queued <= count_queued &&
        (counted_arrived_q || counted_queued == count_queued) && (counted_over_q != count_issued || running_q[8*counted_stream_q +: 8] == 0));
    if (counting_q && counted_stream_q == a_stream) looked: assert (!mixed(counted_queued, fence_at) || counted_came_q - counted_run_q < counted_queued);
    if (reading_q) looked: assert (at_issued_q == at_issued && at_waits_q <= at_queued && (at_arrived_q || at_waits_q == at_queued) &&
        (!at_idle_q || running_q[8*at_stream_q +: 8] == 0) && (at_waits_q == 0 || first_kind_q == at_kind));
    if (reading_q && at_stream_q == a_stream) looked: assert ((!mixed(at_waits_q, fence_at) || at_since_q < at_waits_q) &&
        (at_waits_q < 2 || second_kind_q == next_of));
    if (deciding_q) looked: assert (token_issued_q == token_issued && token_waits_q <= token_queued &&
        (token_arrived_q || arrives_last || token_waits_q == token_queued) &&
        (!token_idle_q || running_q[8*token_stream_q +: 8] == 0) && token_some_q == (token_waits_q != 0) && token_one_q == (token_waits_q == 1) &&
        (token_waits_q == 0 || {token_kind_q, token_differs_q} == token_first));
    if (a_decides) looked: assert (!(mixed(token_waits_q, fence_at) && token_one_run_q) && (token_waits_q < 2 || token_next_differs_q == next_of[0]));
    if (watched_q) watched_inside: assert (its_place < a_queued + a_waiting && kinds[{a_stream, its_number_q[SB-1:0]}] == {its_kind_q, its_fence_q});
    parked_with: assert (parks_right);
    if (new_parks_q && new_parked_stream_q == a_stream) parked_with: assert (new_parked_issued_q == a_issued);
    if (granted_parks_q && granted_parked_stream_q == a_stream) parked_with: assert (granted_parked_issued_q == a_issued);
    if (park_valid_q && park_stream_q == a_stream) parked_with: assert (park_issued_q == a_issued && park_before_last_q == a_issued - 1'b1);
    if (swept_q && is_parked_now[a_stream]) parked_with: assert (a_parking[W:1] == a_issued - 1'b1);
end

// ---- How many cycles it takes at most until the stream has its turn, from where its token is
wire may_go = swept_q && a_queued != 0 && (a_running == 0 || !fence_at[0]);
reg  [7:0] able_for_q;         // cycles in which the oldest request may start
reg  fresh_q;                  // what was read of the stream is not older than that
function [7:0] away;           // turns until that of a list
    input [3:0] turn;
    input [1:0] list;
    away = turn[list] ? 0 : turn[list - 2'd1] ? 1 : turn[list - 2'd2] ? 2 : 3;
endfunction
wire [3:0] first_is_its = {passed_first_stream == a_stream, woken_first_stream == a_stream, again_first_stream == a_stream, new_first_stream == a_stream};
wire [3:0] first_valid  = {passed_first_valid, woken_first_valid, again_first_valid, new_first_valid};
wire [63:0] in_memory   = {\passed_list.spec_in_memory , \woken_list.spec_in_memory , \again_list.spec_in_memory , \new_list.spec_in_memory };
wire [7:0]  heads       = {\passed_list.head_q , \woken_list.head_q , \again_list.head_q , \new_list.head_q };
wire [31:0] places      = {\passed_list.spec_places , \woken_list.spec_places , \again_list.spec_places , \new_list.spec_places };
reg  [7:0] rank;
reg  [1:0] from_head;
reg  parks_differ_now;
wire a_reads = next_valid_q && next_stream_q == a_stream;
always @* begin
    rank = 100;
    parks_differ_now = 0;
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        if (first_valid[spec_i] && first_is_its[spec_i]) rank = 6 + away(list_turn_q, spec_i[1:0]);
        for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
            from_head = spec_j[1:0] - heads[2*spec_i +: 2];
            if (from_head < in_memory[16*spec_i +: 16] && places[8*spec_i+2*spec_j +: 2] == a_stream)
                rank = 10 + 4 * from_head + away(list_turn_q, spec_i[1:0]);
        end
    end
    if (new_to_park_valid && new_to_park_stream == a_stream) {parks_differ_now, rank} = {1'b1, 8'd24 + park_turn_q[1]};
    if (granted_to_park_valid && granted_to_park_stream == a_stream) {parks_differ_now, rank} = {1'b1, 8'd24 + park_turn_q[0]};
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        from_head = spec_j[1:0] - \new_parks.head_q ;
        if (from_head < \new_parks.spec_in_memory && \new_parks.spec_places [P*spec_j+W +: 2] == a_stream)
            {parks_differ_now, rank} = {1'b1, 8'd26 + {from_head, 1'b0} + park_turn_q[1]};
        from_head = spec_j[1:0] - \granted_parks.head_q ;
        if (from_head < \granted_parks.spec_in_memory && \granted_parks.spec_places [P*spec_j+W +: 2] == a_stream)
            {parks_differ_now, rank} = {1'b1, 8'd26 + {from_head, 1'b0} + park_turn_q[0]};
    end
    if (again_push_q && again_stream_q == a_stream || new_push_q && new_stream_q == a_stream || woken_push_q && woken_stream_q == a_stream ||
        passed_push_q && passed_stream_q == a_stream) rank = 22;
    if (park_valid_q && park_stream_q == a_stream || is_parked_now[a_stream]) {parks_differ_now, rank} = {1'b1, 8'd23};
    if (new_parks_q && new_parked_stream_q == a_stream || granted_parks_q && granted_parked_stream_q == a_stream)
        {parks_differ_now, rank} = {1'b1, 8'd32};
    if (a_reads) rank = 5;
    if (looking_q && looked_stream_q == a_stream) rank = fresh_q ? 4 : 36;
    if (counting_q && counted_stream_q == a_stream) rank = fresh_q ? 3 : 35;
    if (reading_q && at_stream_q == a_stream) rank = fresh_q ? 2 : 34;
    if (a_decides) rank = fresh_q ? 1 : 33;
end
always @(posedge clk) begin
    able_for_q <= rst || !may_go || a_decides && may_start ? 0 : able_for_q + 1;
    if (a_reads) fresh_q <= able_for_q >= 4;
    if (rst) fresh_q <= 0;
end
always @* if (started && !rst) begin
    progress: assert (able_for_q <= 40);
    if (able_for_q >= 4) progress: assert (able_for_q + rank <= 40);
    if (able_for_q != 0) fresh: assert (may_go);
    if (able_for_q >= 1 && fence_at[0]) fresh: assert (!a_ending);
    if (able_for_q >= 2 && fence_at[0]) fresh: assert (!(ended_update_valid_q && ended_update_stream_q == a_stream));
    if (fresh_q && looking_q && looked_stream_q == a_stream) fresh: assert (able_for_q > 4 && has_queued != 0 && (!fence_at[0] || has_ended_q[W:1] == look_issued));
    if (fresh_q && counting_q && counted_stream_q == a_stream) fresh: assert (able_for_q > 4 && counted_queued != 0 && (!fence_at[0] || counted_over_q == count_issued));
    if (fresh_q && reading_q && at_stream_q == a_stream) fresh: assert (able_for_q > 4 && at_waits_q != 0 && (!fence_at[0] || at_idle_q));
    if (fresh_q && a_decides) fresh: assert (able_for_q > 4 && token_some_q && (!fence_at[0] || token_idle_q));
    if (swept_q && parks_differ_now) parks_differ: assert (a_queued != 0 && fence_at[0]);
    if (!swept_q) quiet: assert (able_for_q == 0 && !fresh_q);
end
