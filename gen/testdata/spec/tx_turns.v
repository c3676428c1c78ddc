// tx_turns: turns end when a stream has spent its credit, and nothing is taken without a place. That messages leave whole and in order, and
// the order of turns, is compared with a reference in tests.
// depth 1
// bound 20

// property turn: with less than the longest payload left to spend, and another stream that waits, a turn ends with the segment
// control turn: rest_suffices = ~credit_left[<N>] & => rest_suffices = 1'b1 |
// control turn: turn_suffices = ~next_turn_credit[<N>] & => turn_suffices = 1'b1 |
// property spends: a segment costs its octets, header and payload, if another stream waits
// control spends: now_last_q ? oldest_last_octets : full_octets => 1'b0 ? oldest_last_octets : full_octets
// property reserved: places in the buffer of tokens are reserved
// control reserved: fresh_token_spared_q <= arriving_valid_q & stream_waits => fresh_token_spared_q <= arriving_valid_q
// property at_once: only when nothing waits, a segment leaves ahead of the lists
// control at_once: opens_message   = takes & idle_q & => opens_message   = takes &
// invariant suffices: whether the credit suffices for more than one segment is known with it
// invariant room: no message is taken without a place for it
// assume given: a place is free again only after it was given to a message; tests compare the messages in the lists
// invariant vacant: the output, and the register of cut segments before it, has a command or says that it is free
// invariant idle: the register says that nothing waits only when it is so

localparam MOST = 256, PLACES = 1 << `WIDTH_used_q - 1;
(* hierconn *) wire [15:0] \fresh_token_buffer.spec_inside ;
wire [`WIDTH_used_q-1:0] spec_free = free_places_valid_q + (free_places_empty_q ? 0 : free_places_tail_q == free_places_head_q ? PLACES :
    (free_places_tail_q - free_places_head_q) % PLACES);
wire [`WIDTH_used_q-2:0] spec_before_tail = free_places_tail_q - 1;
reg  [`WIDTH_used_q-1:0] spec_out;     // places of messages that wait
always @(posedge clk) spec_out <= rst ? 0 : spec_out + arriving_valid_q - frees_q;
always @* if (started && frees_q) given: assume (spec_out != 0);
wire [`WIDTH_now_credit_q-1:0] spec_credit_left = now_credit_q - (now_last_q ? oldest_last_octets : MOST + oldest_header);

always @* if (started && !rst) begin
    if (segment_goes && next_turn_valid && (now_credit_q < MOST || now_credit_q[`WIDTH_now_credit_q-1])) turn: assert (turn_ends);
    if (segment_goes && next_turn_valid) spends: assert (credit_left == spec_credit_left);
    if (now_valid_q) suffices: assert (suffices_q == (now_credit_q >= MOST && !now_credit_q[`WIDTH_now_credit_q-1]));
    reserved: assert (fresh_token_reserved_q <= 8 && fresh_token_reserved_q == \fresh_token_buffer.spec_inside + arriving_valid_q +
        fresh_token_left_q + fresh_token_spared_q);
    if (ready_q) reserved: assert (fresh_token_reserved_q < 8);
    room: assert (used_q <= PLACES && free_q <= used_q && free_q == spec_free && free_q + spec_out == used_q);
    room: assert ((!free_places_empty_q || free_places_tail_q == free_places_head_q) && free_places_not_before_tail_q == ~spec_before_tail);
    if (ready_q) room: assert (used_q <= PLACES - 2 || free_q > (arriving_valid_q && used_q == PLACES));
    if (arriving_valid_q && used_q == PLACES) room: assert (free_valid);
    if (opens_message) at_once: assert (inside_q == 0);
    vacant: assert (command_vacant_q == ~command_valid_q && cut_vacant_q == ~cut_valid_q);
    if (idle_q) idle: assert (inside_q == 0);
end
