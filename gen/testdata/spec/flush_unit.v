// Flushes are offered to the platform as requested, and beats at both outputs stay until they are accepted. That each request has one
// response, in the order of its stream and after its answer, is shown by tests: the state that says so is spread over memories.
// depth 1
// bound 19

// property asks: a flush with octets is offered to the platform in the cycle after it got its slot, unchanged, and no other
// control asks: flush_valid_q  <= takes & ~has_no_octets => flush_valid_q  <= takes
// property no_overwriting: a request gets a slot only if the flush before it leaves, or has left
// control no_overwriting: flush_free & has_slot & running_q => has_slot & running_q
// property closed: before the memories are cleared no request gets a slot and no answer is accepted
// control closed: running_q & ~(none_q | passed_q => ~(none_q | passed_q
// invariant running: the memories are cleared when it says so
// invariant vacant: the registers that decide agree with those that are on offer

reg spec_asks, spec_was_free;
reg [127:0] spec_flush;
always @(posedge clk) begin
    spec_asks     <= ~rst & takes & ~has_no_octets;
    spec_was_free <= ~rst & (~m_axis_flush_tvalid | m_axis_flush_tready);
    spec_flush    <= {{16 - `WIDTH_slot{1'b0}}, slot, 12'd0, waiting_visible, waiting_persistent, waiting_type, waiting_length, waiting_address};
end

always @* if (started && !rst) begin
    if (spec_asks) asks: assert (m_axis_flush_tvalid && m_axis_flush_tdata == spec_flush);
    if (spec_was_free & ~spec_asks) asks: assert (!m_axis_flush_tvalid);
    if (takes) no_overwriting: assert (!m_axis_flush_tvalid | m_axis_flush_tready);
    if (~swept_q) closed: assert (!takes && !s_axis_flush_done_tready);
    running: assert (swept_q | ~running_q);
    vacant: assert (flush_vacant_q == ~flush_valid_q && response_vacant_q == ~response_valid_q);
end
