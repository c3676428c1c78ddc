// Each request has one response, in the order of its stream, once the platform has answered for it. The properties watch an arbitrary
// slot, and an arbitrary request of an arbitrary stream.
// depth 1
// bound 22

// property asks: a flush with octets is offered to the platform in the cycle after it got its slot, unchanged, and no other
// control asks: flush_valid_q  <= takes & ~has_no_octets => flush_valid_q  <= takes
// property one_use: a slot is given only while it is free
// bounded one_use 22: the slots that are free are spread over a memory
// control one_use: frees_slot = responds_q & response_leaves => frees_slot = answer_valid_q
// property performed: a flush has its response once, and after an answer that came when the platform had accepted it
// bounded performed 22: so are the flushes that wait for their turn
// control performed: answer_valid_q & (asked_phase_q != answered_phase) => answer_valid_q
// property as_answered: the response says whether the platform failed; without octets it did not
// bounded as_answered 22: it follows from the two before
// control as_answered: answer_failed_q   <= s_axis_flush_done_tdata[16] & ~none_q => answer_failed_q   <= answer_valid_q
// property order: the responses of a stream are those of its requests, in order
// bounded order 22: the lists of the streams are spread over memories
// control order: (retired_now == deciding_count_q) | is_next => 1'b1
// property no_duplication: a stream has no response without a request
// bounded no_duplication 22: so does what no_duplication follows from
// control no_duplication: decides_q & is_first => decides_q
// excused handshake_response: shown with the others

(* anyconst *) wire [`WIDTH_slot-1:0] spec_slot;
wire spec_gets = takes & slot == spec_slot;
wire spec_answer = s_axis_flush_done_tvalid & s_axis_flush_done_tready & s_axis_flush_done_tdata[15:0] == spec_slot;
wire spec_has = over_q & over_slot_q == spec_slot;
reg  spec_taken, spec_unasked, spec_waits, spec_failed, spec_loaded;
reg  spec_asks;
reg  [127:0] spec_flush;
always @(posedge clk) begin
    spec_taken   <= ~rst & (spec_gets | spec_taken & ~spec_has);
    spec_unasked <= ~rst & (spec_gets ? ~has_no_octets : spec_unasked & ~(m_axis_flush_tready & m_axis_flush_tdata[127:112] == spec_slot));
    spec_waits   <= ~rst & (spec_gets ? ~has_no_octets : spec_waits & ~(spec_answer & ~spec_unasked));
    if (spec_gets) spec_failed <= 1'b0;
    else if (spec_waits & spec_answer & ~spec_unasked) spec_failed <= s_axis_flush_done_tdata[16];
    spec_loaded <= ~rst & (response_loads ? responds_q & over_slot_q == spec_slot : spec_loaded);
    spec_asks   <= ~rst & takes & ~has_no_octets;
    spec_flush  <= {{16 - `WIDTH_slot{1'b0}}, slot, 12'd0, waiting_visible, waiting_persistent, waiting_type, waiting_length, waiting_address};
end
reg spec_was_free;
always @(posedge clk) spec_was_free <= ~rst & (~m_axis_flush_tvalid | m_axis_flush_tready);

(* anyconst *) wire [`WIDTH_req_stream-1:0] spec_stream;
(* anyseq *) wire spec_pick;
wire spec_enters = `VALID_req & `READY_req & req_stream == spec_stream;
wire spec_leaves = `VALID_response & `READY_response & response_stream == spec_stream;
reg  [7:0] spec_inside, spec_ahead; // requests of the stream, and those before the watched one
reg  spec_watching;
reg  [`WIDTH_req_number+63:0] spec_watched;
always @(posedge clk) begin
    spec_inside <= rst ? 8'd0 : spec_inside + spec_enters - spec_leaves;
    if (!spec_watching) begin
        spec_watching <= spec_enters & spec_pick;
        spec_ahead    <= spec_inside - spec_leaves;
        spec_watched  <= {req_number, req_atomic_msn, req_identifier};
    end else if (spec_leaves) begin
        spec_watching <= |spec_ahead;
        spec_ahead    <= spec_ahead - 1'b1;
    end
    if (rst) spec_watching <= 1'b0;
end

always @* if (started && !rst) begin
    if (spec_asks) asks: assert (m_axis_flush_tvalid && m_axis_flush_tdata == spec_flush);
    if (spec_was_free & ~spec_asks) asks: assert (!m_axis_flush_tvalid);
    if (spec_gets) one_use: assert (!spec_taken);
    if (spec_has) performed: assert (spec_taken & ~spec_waits);
    if (response_valid & spec_loaded) as_answered: assert (response_failed == spec_failed);
    if (spec_watching && spec_ahead == 0 && response_valid && response_stream == spec_stream)
        order: assert ({response_number, response_atomic_msn, response_identifier} == spec_watched);
    if (response_valid && response_stream == spec_stream) no_duplication: assert (spec_inside != 0);
end
