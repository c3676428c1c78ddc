// tx_staging: who goes first, and that the data of tx_engine come from where they were asked for. Payload and the order of segments are compared
// with memory in tests.
// depth 1
// bound 12

// property pays: a far segment does not leave while far ones owe and another segment waits
// control pays: is_there & ~(far_owes_q & near_segment_valid) => is_there
// property owes: a far segment owes in the cycle behind it, until it is known how much
// control owes: far_owes_q <= leaves | ~is_paid => far_owes_q <= 1'b0
// property once: a segment that leaves is one of the two, and each is taken when it leaves
// control once: near_segment_ready = ~far_goes & leaving_room_q => near_segment_ready = leaving_room_q
// property memory_turn: data of memory pass only in the turn of a read of memory, and when nothing of the buffer is on offer
// control memory_turn: ~next_staged & ~staged_valid_q => ~next_staged
// property makes_room: a place is free again when the last beat of its segment has been read
// control makes_room: freed_q <= segment_is_read => freed_q <= reads_buffer
// invariant room: one more segment may leave unless two are on offer

wire spec_near_leaves = near_segment_valid & near_segment_ready;
reg  spec_left, spec_read;
always @(posedge clk) begin
    spec_left <= ~rst & leaves;
    spec_read <= ~rst & reads_buffer & (read_beats_q == reading_behind);
end

always @* if (started && !rst) begin
    pays: assert (!(leaves & far_owes_q & near_segment_valid));
    if (spec_left) owes: assert (far_owes_q);
    once: assert (!(leaves & spec_near_leaves) && (leaves | spec_near_leaves) == (leaving_room_q & (far_goes | near_segment_valid)));
    if (near_data_rvalid & near_data_rready) memory_turn: assert (next_valid & ~next_staged & ~staged_valid_q & reader_rvalid);
    makes_room: assert (freed == spec_read);
    room: assert (leaving_room_q == ~leaving_keeps_q && (leaving_valid_q || leaving_room_q));
end
