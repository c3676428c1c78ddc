// What is taken has a place in every buffer behind the pipeline, reserved when it is taken: what is in the pipeline never waits there, and nothing
// is lost. So a completion, an answer or a set-up waits for nothing but room in these buffers.
// depth 1
// bound 110

// property reserved: each place that is reserved is of one item in the pipeline or in the buffer, or of one that has just left
// control reserved: reported_spared_q   <= valid_6_q & ~report_goes_6_q => reported_spared_q   <= 1'b0
// control reserved: wakes_spared_q   <= valid_6_q & ~wake_goes_6_q => wakes_spared_q   <= 1'b0
// control reserved: drained_spared_q   <= left_q & ~left_tells => drained_spared_q   <= 1'b0
// property has_place: no buffer is full when an item arrives
// control has_place: takes_left = swept_q & ~drained_reserved_q[2] => takes_left = swept_q
// property comes_in: one of the inputs is taken in each cycle behind one in which fewer than 12 items are on their way in each buffer
// control comes_in: enters          = has_room_q & => enters          = has_room_q & ~valid_1_q &
// property one: what is taken is one of a QP that is looked at again, a step of a set-up, and an event
// control one: offered_ready = may_take & ~takes_step => offered_ready = may_take
// property fair: a set-up waits for at most one event between its steps
// control fair: (setup_turn_q | ~offered_valid) => ~offered_valid
// property follow_up: what follows from an event goes first, so its list is never full
// control follow_up: poked_ready = has_room_q => poked_ready = has_room_q & ~poked_valid
// assume failures_accepted: failure_gather, which accepts the failure of a QP before its set-up is over and it fails again
// excused handshake_prepare: its first number is there from the second cycle on
// invariant one_failure: of each QP one failure waits at most
// invariant setup_turn: a set-up that was passed over has its turn

(* hierconn *) wire [15:0] \reported_buffer.spec_inside , \wakes_buffer.spec_inside , \drained_buffer.spec_inside ;
(* hierconn *) wire [15:0] \pokes.spec_inside , \failures.spec_in_memory ;
(* hierconn *) wire [4*`WIDTH_failures_out-1:0] \failures.spec_places ;
(* hierconn *) wire [1:0] \failures.head_q ;
wire [15:0] in_pipeline = valid_1_q + valid_2_q + valid_3_q + valid_4_q + valid_5_q + valid_6_q;
wire [15:0] reporting = in_pipeline + \reported_buffer.spec_inside , waking = in_pipeline + \wakes_buffer.spec_inside ;
wire spec_has_room = swept_q && place_swept_q && reporting < 12 && waking < 12;
reg  spec_had_room, spec_passed;
wire spec_event = offered_valid & offered_ready;
always @(posedge clk) begin
    spec_had_room <= !rst && spec_has_room;
    spec_passed <= !rst && prepare_valid && !takes_step && (spec_passed || spec_event);
end

// ---- Waiting failures
reg [4*4-1:0] spec_waiting;
reg [3:0] one_each;
reg [1:0] a_place;
integer spec_i, spec_j;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    spec_waiting[4*spec_i +: 4] = failed_valid && failed_stream == spec_i;
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        a_place = spec_j - \failures.head_q ;
        spec_waiting[4*spec_i +: 4] = spec_waiting[4*spec_i +: 4] + (a_place < \failures.spec_in_memory && \failures.spec_places [`WIDTH_failures_out*(spec_j+1)-1 -: 2] == spec_i);
    end
    one_each[spec_i] = spec_waiting[4*spec_i +: 4] <= 1;
end

always @* if (started && valid_6_q && fails_6_q) failures_accepted: assume (spec_waiting[4*stream_6_q +: 4] == 0);
always @* if (started && !rst) begin
    follow_up: assert (\pokes.spec_inside + valid_1_q + valid_2_q + valid_3_q + valid_4_q + valid_5_q <= 6 && (!poke_valid || poke_ready));
    one_failure: assert (&one_each && (!failure_valid || failure_ready));
    reserved: assert (reported_reserved_q == reporting + reported_left_q + reported_spared_q && reported_reserved_q <= 16);
    reserved: assert (wakes_reserved_q == waking + wakes_left_q + wakes_spared_q && wakes_reserved_q <= 16);
    reserved: assert (drained_reserved_q == \drained_buffer.spec_inside + left_q + drained_left_q + drained_spared_q && drained_reserved_q <= 4);
    if (has_room_q) reserved: assert (reported_reserved_q < 16 && wakes_reserved_q < 16);
    has_place: assert ((!reported_in_valid || reported_in_ready) && (!wakes_in_valid || wakes_in_ready) &&
        (!drained_in_valid || drained_in_ready));
    if (spec_had_room && (poked_valid || prepare_valid || offered_valid)) comes_in: assert (enters);
    one: assert (enters == (poked_valid && poked_ready || takes_step || spec_event) && (poked_valid && poked_ready) + takes_step + spec_event <= 2'd1);
    fair: assert (!(spec_passed && prepare_valid && spec_event));
    setup_turn: assert (!spec_passed || setup_turn_q);
end
