// Each segment is sent whole, and reported once, when its last beat is sent or dropped. What a segment is made of is compared in tests.
// depth 1
// bound 9

// property whole: the beats of a packet are of one stream, and a beat that is offered stays
// control whole: assign segment_ready = room_q => assign segment_ready = room_q | m_axis_tx_tready
// property reported_last: a segment is reported when its last beat is sent or dropped
// control reported_last: assign done = step & last_q => assign done = step
// property payload_in_step: payload is taken with the beat that it is in, and what says that it is there with the last beat
// control payload_in_step: assign payload_ready    = step & takes_payload_q => assign payload_ready    = step

reg  spec_inside; // a packet was begun and not ended
reg  [`WIDTH_m_axis_tx_tuser-1:0] spec_stream;
always @(posedge clk) begin
    if (m_axis_tx_tvalid & m_axis_tx_tready) {spec_inside, spec_stream} <= {~m_axis_tx_tlast, m_axis_tx_tuser};
    if (rst) spec_inside <= 1'b0;
end
always @* if (started && !rst) begin
    if (m_axis_tx_tvalid) payload_in_step: assert (!(payload_valid & payload_ready) || takes_payload_q);
    if (payload_ready) payload_in_step: assert (step & takes_payload_q);
    if (done) reported_last: assert (last_q);
    if (m_axis_tx_tvalid && !(m_axis_tx_tready)) whole: assert (!step);
end
