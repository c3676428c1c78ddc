// What is taken has a place in every buffer behind the pipeline, reserved when it is taken: what is in the pipeline never waits there, and nothing
// is lost. So a packet waits for nothing but room in these buffers, which what comes behind falcon_check empties.
// depth 1
// gates
// bound 30

// property reserved: each place that is reserved is of one item in the pipeline or in the buffer, or of one that has just left
// control reserved: places_spared_q   <= valid_15_q & ~uses_place => places_spared_q   <= 1'b0
// control reserved: arrivals_spared_q   <= valid_15_q & ~reports => arrivals_spared_q   <= 1'b0
// invariant has_place: no buffer is full when an item arrives
// property one_turn: an opening, a shared queue, a failure or a packet has the turn, and only if there is room for it
// control one_turn: failure_turn_q <= ready & failure_is_next => failure_turn_q <= ready & has_failure
// property comes_in: once all QPs have their words, a turn is given in each cycle, unless the buffers are nearly full or nearly all numbers of placements are in use
// control comes_in: ready = swept_q & has_room => ready = swept_q & has_room & ~valid_1_q
// property walks: the oldest item without a list leaves the pipeline at once, a part of one with a list if there is a place for it
// control walks: (walk_is_idle ? ~has_list : => (walk_is_idle ? ~has_list & ~valid_9_q :
// assume fails_once: the host, which opens a QP again when its failure has been reported; until then its words say that it has failed, for which there is no invariant
// invariant one_failure: of each QP one failure waits at most, so its list has room
// invariant together: the registers of the buffers agree with what is inside
// invariant quiet: until all QPs have their words nothing enters

wire [7:0] found_stored = found_empty_q ? 0 : found_tail_q == found_head_q ? 16 : (found_tail_q - found_head_q) % 16;
wire [7:0] parts_stored = parts_buffer_empty_q ? 0 : parts_buffer_tail_q == parts_buffer_head_q ? 16 : (parts_buffer_tail_q - parts_buffer_head_q) % 16;
wire [7:0] places_stored = places_buffer_empty_q ? 0 : places_buffer_tail_q == places_buffer_head_q ? 32 : (places_buffer_tail_q - places_buffer_head_q) % 32;
wire [7:0] arrivals_stored = arrivals_buffer_empty_q ? 0 : arrivals_buffer_tail_q == arrivals_buffer_head_q ? 64 : (arrivals_buffer_tail_q - arrivals_buffer_head_q) % 64;
wire [15:0] looked_up = valid_1_q + valid_2_q + valid_3_q + valid_4_q + valid_5_q + valid_6_q + valid_7_q;
wire [15:0] waiting = found_stored + found_valid_q;
wire [15:0] decided = valid_9_q + valid_10_q + valid_11_q + valid_12_q + valid_13_q + valid_14_q + valid_15_q;
wire [15:0] inside = looked_up + waiting + decided;

// ---- Failures of QPs that wait to be reported
(* hierconn *) wire [15:0] \ended_qps.spec_in_memory ;
(* hierconn *) wire [4*`WIDTH_ended_qps_out-1:0] \ended_qps.spec_places ;
(* hierconn *) wire [1:0] \ended_qps.head_q ;
reg [4*4-1:0] spec_waiting;
reg [3:0] one_each;
reg [1:0] a_place;
integer spec_i, spec_j;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    spec_waiting[4*spec_i +: 4] = ended_valid && ended_stream == spec_i;
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        a_place = spec_j - \ended_qps.head_q ;
        spec_waiting[4*spec_i +: 4] = spec_waiting[4*spec_i +: 4] + (a_place < \ended_qps.spec_in_memory && \ended_qps.spec_places [`WIDTH_ended_qps_out*(spec_j+1)-1 -: 2] == spec_i);
    end
    one_each[spec_i] = spec_waiting[4*spec_i +: 4] <= 1;
end

always @* if (started && ends_valid) fails_once: assume (spec_waiting[4*ends_stream +: 4] == 0);
always @* if (started && !rst) begin
    one_failure: assert (&one_each && (!ends_valid || ends_ready));
    reserved: assert (found_used_q == looked_up + waiting + found_left_q && found_used_q <= 17);
    reserved: assert (places_reserved_q == inside + places_stored + places_buffer_valid_q + places_left_q + places_spared_q && places_reserved_q <= 33);
    reserved: assert (arrivals_reserved_q == inside + arrivals_stored + arrivals_buffer_valid_q + arrivals_left_q + arrivals_spared_q && arrivals_reserved_q <= 65);
    reserved: assert (parts_reserved_q == part_9_q + part_10_q + part_11_q + part_12_q + parts_stored + parts_buffer_valid_q + parts_left_q && parts_reserved_q <= 16);
    if (places_in_valid) has_place: assert (places_stored < 32);
    if (arrivals_in_valid) has_place: assert (arrivals_stored < 64);
    if (parts_in_valid) has_place: assert (parts_stored < 16);
    if (valid_7_q) has_place: assert (found_stored < 16);
    one_turn: assert (opening_turn_q + queue_turn_q + failure_turn_q + packet_turn_q <= 3'd1);
    if (found_used_q > 16 || places_reserved_q > 32 || arrivals_reserved_q > 64) one_turn: assert (!take);
    if (swept_q && looked_up + waiting < 15 && inside + places_stored + places_buffer_valid_q < 30 && inside + arrivals_stored + arrivals_buffer_valid_q < 62 && !is_crowded_q) comes_in: assert (ready);
    if (found_waits && walk_is_idle && !has_list) walks: assert (found_pass);
    if (has_part && part_9_q + part_10_q + part_11_q + part_12_q + parts_stored + parts_buffer_valid_q < 15) walks: assert (part_goes);

    together: assert (~found_not_before_tail_q == found_tail_q - 1'b1 && (!found_empty_q || found_tail_q == found_head_q) && (found_valid_q || found_stored <= 1));
    together: assert (~parts_buffer_not_before_tail_q == parts_buffer_tail_q - 1'b1 && (!parts_buffer_empty_q || parts_buffer_tail_q == parts_buffer_head_q) &&
        (parts_buffer_valid_q || parts_stored <= 1));
    together: assert (~places_buffer_not_before_tail_q == places_buffer_tail_q - 1'b1 && (!places_buffer_empty_q || places_buffer_tail_q == places_buffer_head_q) &&
        (places_buffer_valid_q || places_stored <= 1));
    together: assert (~arrivals_buffer_not_before_tail_q == arrivals_buffer_tail_q - 1'b1 && (!arrivals_buffer_empty_q || arrivals_buffer_tail_q == arrivals_buffer_head_q) &&
        (arrivals_buffer_valid_q || arrivals_stored <= 1));
    if (!swept_q) quiet: assert (!take && inside == 0);
end
