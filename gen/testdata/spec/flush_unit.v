// Flushes are offered to the platform as requested, beats at both outputs stay until they are accepted, and each request has one response, when the
// platform has answered. One slot, any, is watched.
// depth 1
// bound 19

// property asks: a flush with octets is offered to the platform in the cycle after it got its slot, unchanged, and no other
// control asks: flush_valid_q  <= takes & ~has_no_octets => flush_valid_q  <= takes
// property no_overwriting: a request gets a slot only if the flush before it leaves, or has left
// control no_overwriting: flush_free & has_slot & running_q => has_slot & running_q
// property closed: before the memories are cleared no request gets a slot and no answer is accepted
// control closed: running_q & ~none_q => ~none_q
// property own_slot: a request gets a slot that no request has
// control own_slot: takes & all_used_q => takes & ~all_used_q
// bounded own_slot 19: the induction would have to know each slot that is free
// property after_answer: a request has its response after the platform has answered, unless it has no octets
// control after_answer: answer_valid_q & ( => answer_valid_q | (
// control after_answer: & ~is_early; => ;
// bounded after_answer 19: see own_slot
// property response: a response is that of a request in progress, and fails if the platform said so
// control response: s_axis_flush_done_tdata[16] & ~none_q => s_axis_flush_done_tdata[16]
// control response: answer_is_none_q | (asked_phase_q != answered_phase) => 1'b1
// bounded response 19: see own_slot
// invariant running: the memories are cleared when it says so
// invariant vacant: the registers that decide agree with those that are on offer

reg spec_asks, spec_was_free;
reg [127:0] spec_flush;
always @(posedge clk) begin
    spec_asks     <= ~rst & takes & ~has_no_octets;
    spec_was_free <= ~rst & (~m_axis_flush_tvalid | m_axis_flush_tready);
    spec_flush    <= {{16 - `WIDTH_slot{1'b0}}, slot, 12'd0, waiting_visible, waiting_persistent, waiting_type, waiting_length, waiting_address};
end

// ---- The request in the watched slot
(* anyconst *) wire [`WIDTH_slot-1:0] a_slot;
reg  here_q, empty_q, asked_q, answered_q, failed_q;
reg  [`WIDTH_waiting_stream-1:0] stream_q;
reg  [`WIDTH_waiting_number-1:0] number_q;
wire a_asks = m_axis_flush_tvalid & m_axis_flush_tready & m_axis_flush_tdata[127:112] == a_slot;
wire a_answer = s_axis_flush_done_tvalid & s_axis_flush_done_tready & s_axis_flush_done_tdata[15:0] == a_slot & asked_q & ~answered_q;
wire a_leaves = frees_slot & responding_slot == a_slot;
always @(posedge clk) begin
    if (a_asks) asked_q <= 1'b1;
    if (a_answer) {answered_q, failed_q} <= {1'b1, s_axis_flush_done_tdata[16]};
    if (a_leaves) here_q <= 1'b0;
    if (takes & slot == a_slot) begin
        {here_q, empty_q, asked_q, answered_q, failed_q} <= {1'b1, has_no_octets, 3'b000};
        {stream_q, number_q} <= {waiting_stream, waiting_number};
    end
    if (rst) here_q <= 1'b0;
end
reg  left_q;
reg  [`WIDTH_waiting_stream-1:0] left_stream_q;
reg  [`WIDTH_waiting_number-1:0] left_number_q;
reg  left_failed_q;
always @(posedge clk) begin
    left_q <= ~rst & a_leaves;
    {left_stream_q, left_number_q, left_failed_q} <= {stream_q, number_q, failed_q};
end

always @* if (started && !rst) begin
    if (spec_asks) asks: assert (m_axis_flush_tvalid && m_axis_flush_tdata == spec_flush);
    if (spec_was_free & ~spec_asks) asks: assert (!m_axis_flush_tvalid);
    if (takes) no_overwriting: assert (!m_axis_flush_tvalid | m_axis_flush_tready);
    if (~swept_q) closed: assert (!takes && !s_axis_flush_done_tready);
    if (takes && slot == a_slot) own_slot: assert (!here_q);
    if (a_leaves) after_answer: assert (empty_q || answered_q);
    if (a_leaves) response: assert (here_q);
    if (left_q) response: assert (response_valid && response_stream == left_stream_q && response_number == left_number_q && response_failed == left_failed_q);
    running: assert (swept_q | ~running_q);
    vacant: assert (flush_vacant_q == ~flush_valid_q && response_vacant_q == ~response_valid_q);
end
