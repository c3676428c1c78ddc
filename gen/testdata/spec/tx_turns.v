// tx_turns: turns end when a stream has spent its credit, and nothing is taken without a place. That messages leave whole and in order, and
// the order of turns, is compared with a reference in tests.
// depth 1
// bound 20

// property turn: with less than the longest payload left to spend, and another stream that waits, a turn ends with the segment
// control turn: suffices        = ~now_credit_q[<N>] & => suffices        = 1'b1 |
// property spends: a segment costs its octets, header and payload, if another stream waits
// control spends: is_last ? oldest_last_octets : full_octets => 1'b0 ? oldest_last_octets : full_octets
// property reserved: places in the buffer of tokens are reserved
// control reserved: fresh_token_spared_q <= arriving_valid_q & stream_waits => fresh_token_spared_q <= arriving_valid_q
// property at_once: only when nothing waits, a segment leaves ahead of the lists
// control at_once: opens_message   = takes & idle_q & => opens_message   = takes &
// invariant room: no message is taken without a place for it
// invariant idle: the register knows whether nothing waits

localparam MOST = 256;
(* hierconn *) wire [15:0] \fresh_token_buffer.spec_inside ;
wire [`WIDTH_now_credit_q-1:0] spec_credit_left = now_credit_q - (is_last ? oldest_last_octets : MOST + oldest_header);

always @* if (started && !rst) begin
    if (segment_goes && next_turn_valid && (now_credit_q < MOST || now_credit_q[`WIDTH_now_credit_q-1])) turn: assert (turn_ends);
    if (segment_goes && next_turn_valid) spends: assert (credit_left == spec_credit_left);
    reserved: assert (fresh_token_reserved_q <= 8 && fresh_token_reserved_q == \fresh_token_buffer.spec_inside + arriving_valid_q +
        fresh_token_left_q + fresh_token_spared_q);
    if (message_valid && message_ready) room: assert (free_again_valid || !used_q[`WIDTH_used_q-1]);
    if (opens_message) at_once: assert (inside_q == 0);
    idle: assert (idle_q == (inside_q == 0));
end
