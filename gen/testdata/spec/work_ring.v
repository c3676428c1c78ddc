// Work requests are offered in order, each one until it begins, none before it is posted, and no stream with work is forgotten.
// One stream and one of its slots, any of them, are watched; that a stream has one turn at a time is shown of all of four.
// depth 1
// bound 13
// excused handshake_offer: an opening takes back the offer of its stream, see offer_stays; request_segments sees the opening, too

// property in_order: what is offered of a stream is its oldest work request that did not begin, as it was posted, with its number
// control in_order: oldest_addr = {next_stream_q, => oldest_addr = {offer_stream_q,
// property no_use_beyond: a work request is offered only of a stream that has one
// control no_use_beyond: offer_is_void_q <= next_state => offer_is_void_q <= 1'b0 & next_state
// property no_overflow: a work request is kept only when its stream has fewer than the ring holds that did not begin
// control no_overflow: stores = change_posts_q & => stores = change_posts_q | change_posts_q &
// property no_loss: a work request that was taken waits until it is kept, as it was, and is kept once
// control no_loss: held_valid_q <= take | post_waits => held_valid_q <= take
// property counted: a work request begins when its offer is taken and not refused, and only then
// control counted: change_issued_q <= begins => change_issued_q <= ends_turn
// property no_idle: a stream with work is in the list, has its turn, or is left out until it is freed
// control no_idle: (posted_next != issued_next) => (posted_next == issued_next)
// property one_turn: a stream is in the list once, or has its turn
// control one_turn: joins = ~state[<N>] & => joins =
// property offer_stays: an offer stays as it is until it is taken or its stream is opened
// control offer_stays: opened & (opened_stream == offer_stream_q) => opened
// property looks_first: what is said of the offered stream elsewhere is looked up in the clock before it is offered, and while it is
// control looks_first: look = advance | offers => look = advance
// property none_before_swept: nothing is offered in as many clocks after reset as there are streams
// control none_before_swept: next_valid_q <= 1'b0; offered_q <= 1'b0; => next_valid_q <= 1'b0;
// assume freed_later: send_completion, which frees a stream after the sweep only; shown by send_completion/freed_after_sweep
// assume taken: request_segments, which takes no offer in a clock in which a stream is opened; shown by request_segments/none_taken_at_opening
// invariant remembered: the memories hold the counts and the slot
// invariant looked_up: the registers have what is read
// invariant has_place: the list has a place for each stream that is not in it

localparam SPEC_COUNT = `WIDTH_number; // bits of a count
localparam SPEC_DEPTH = 1 << `WIDTH_number - 1;
localparam SPEC_STREAMS = 1 << `WIDTH_offer_stream;
(* anyconst *) wire [`WIDTH_offer_stream-1:0] spec_stream;
(* anyconst *) wire [`WIDTH_number-2:0] spec_slot;
wire spec_changes = change_stream_q == spec_stream;
wire spec_keeps   = stores & spec_changes;
reg  [`WIDTH_number-1:0] spec_posted, spec_begun; // of the stream, since the opening, modulo twice the ring
wire [`WIDTH_number-1:0] spec_waiting = spec_posted - spec_begun;
wire spec_listed   = ring_states[spec_stream][1];
wire spec_left_out = ring_states[spec_stream][0];
reg  spec_held, spec_began, spec_has;
reg  [`WIDTH_offer_stream-1:0] spec_held_stream, spec_began_stream;
reg  [`WIDTH_stored_work-1:0] spec_held_work, spec_work;
wire [`WIDTH_stored_work-1:0] spec_post = `DATA_wqe;
wire [`WIDTH_stored_work-1:0] spec_offer = `DATA_offer;
wire spec_takes = wqe_valid & wqe_ready;
wire [`WIDTH_number-2:0] spec_behind = spec_slot - spec_begun[`WIDTH_number-2:0]; // how far the slot is from the oldest one
always @(posedge clk) begin
    if (rst | change_opens_q & spec_changes) {spec_posted, spec_begun} <= 0;
    else begin
        if (spec_keeps) spec_posted <= spec_posted + 1'b1;
        if (spec_began && spec_began_stream == spec_stream) spec_begun <= spec_begun + 1'b1;
    end
    if (spec_takes) {spec_held_stream, spec_held_work} <= {wqe_stream, spec_post};
    spec_held <= ~rst & (spec_takes | spec_held & ~stores);
    if (spec_keeps && spec_posted[`WIDTH_number-2:0] == spec_slot) {spec_has, spec_work} <= {1'b1, spec_held_work};
    spec_began <= ~rst & offer_valid & offer_ready & ~refused;
    spec_began_stream <= offer_stream;
    if (rst) spec_has <= 1'b0;
end

// Where each of four streams is: in the list, at its head, or offered.
(* hierconn *) wire [4*`WIDTH_offer_stream-1:0] \turns.buffer.spec_places ;
(* hierconn *) wire [`WIDTH_offer_stream-1:0] \turns.buffer.head_q ;
(* hierconn *) wire [`WIDTH_offer_stream:0] \turns.buffer.held_q ;
(* hierconn *) wire \turns.buffer.out_valid_q ;
(* hierconn *) wire [`WIDTH_offer_stream-1:0] \turns.buffer.out_data ;
reg  [4*4-1:0] spec_places; // how often
reg  [`WIDTH_offer_stream-1:0] spec_from_head;
integer spec_i, spec_j;
always @* begin
    for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
        spec_places[4*spec_i +: 4] = (\turns.buffer.out_valid_q && \turns.buffer.out_data == spec_i) +
            (next_valid_q && next_stream_q == spec_i) + (offered_q && offer_stream_q == spec_i);
        for (spec_j = 0; spec_j < 4 && spec_j < SPEC_STREAMS; spec_j = spec_j + 1) begin
            spec_from_head = spec_j - \turns.buffer.head_q ;
            if (spec_from_head < \turns.buffer.held_q &&
                \turns.buffer.spec_places [`WIDTH_offer_stream*spec_j +: `WIDTH_offer_stream] == spec_i)
                spec_places[4*spec_i +: 4] = spec_places[4*spec_i +: 4] + 1;
        end
    end
end
reg  [3:0] spec_one_turn;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1)
    spec_one_turn[spec_i] = spec_i >= SPEC_STREAMS || (swept_q ?
        spec_places[4*spec_i +: 4] + (change_turn_q && change_stream_q == spec_i) == ring_states[spec_i][1] :
        spec_places[4*spec_i +: 4] == 0 && !(sweep_q > spec_i && ring_states[spec_i][1]));

reg  [`WIDTH_stored_work+`WIDTH_offer_stream+`WIDTH_number-1:0] spec_offered;
reg  spec_stays;
always @(posedge clk) begin
    spec_offered <= {`DATA_offer, number};
    spec_stays   <= ~rst & offer_valid & ~offer_ready & ~(opened && opened_stream == offer_stream);
end

always @* if (freed) freed_later: assume (swept_q);
always @* if (opened) taken: assume (!offer_ready);
wire spec_offers = offer_valid & offer_stream == spec_stream;
always @* if (started && !rst) begin
    if (spec_offers) in_order: assert (number == spec_begun && (number[`WIDTH_number-2:0] != spec_slot ||
        spec_offer == spec_work));
    if (spec_offers) no_use_beyond: assert (spec_waiting != 0);
    if (spec_keeps) no_overflow: assert (spec_waiting < SPEC_DEPTH);
    if (spec_takes) no_loss: assert (!spec_held || stores);
    if (stores) no_loss: assert (spec_held && change_stream_q == spec_held_stream && stored_work == spec_held_work);
    if (spec_keeps) no_loss: assert (ring_write_addr == {spec_stream, spec_posted[`WIDTH_number-2:0]});
    counted: assert (change_issued_q == spec_began && (!spec_began || change_stream_q == spec_began_stream && change_turn_q &&
        !change_opens_q));
    if (spec_waiting != 0) no_idle: assert (spec_listed || spec_left_out);
    one_turn: assert (&spec_one_turn);
    if (spec_stays) offer_stays: assert (offer_valid && {`DATA_offer, number} == spec_offered);
    remembered: assert (spec_waiting <= SPEC_DEPTH && (swept_q || spec_posted == 0 && spec_begun == 0 && !spec_held));
    if (swept_q || sweep_q > spec_stream) remembered: assert (ring_states[spec_stream][2 +: 2 * SPEC_COUNT] == {spec_posted,
        spec_begun});
    if (!swept_q && sweep_q > spec_stream) remembered: assert (!spec_listed && !spec_left_out);
    if (spec_behind < spec_waiting) remembered: assert (spec_has && ring[{spec_stream, spec_slot}] == spec_work);
    looked_up: assert (held_valid_q == spec_held && (!spec_held || held_stream_q == spec_held_stream &&
        stored_work == spec_held_work) &&
        (!change_posts_q || spec_held && change_stream_q == spec_held_stream) &&
            change_opens_q + change_turn_q + change_freed_q + change_posts_q <= 1);
    if (changes) looked_up: assert (state == ring_states[change_stream_q]);
    if (next_valid_q) looked_up: assert (next_state == ring_states[next_stream_q]);
    if (change_issued_q && spec_changes) looked_up: assert (spec_waiting != 0);
    if (change_opens_q && spec_changes && offered_q && offer_stream_q == spec_stream) looked_up: assert (offer_is_void_q);
    if (!swept_q) looked_up: assert (!offered_q && !next_valid_q && !change_turn_q && !change_posts_q && !freed_q &&
        !change_freed_q);
    has_place: assert (list_last_ready || !list_last_valid);
end
reg  spec_looks;
reg  [`WIDTH_offer_stream-1:0] spec_looks_stream;
always @(posedge clk) {spec_looks, spec_looks_stream} <= {look & ~rst, look_stream};
always @* if (started && offer_valid) looks_first: assert (spec_looks && spec_looks_stream == offer_stream);
always @* if (started && !swept_q) none_before_swept: assert (!offer_valid);
