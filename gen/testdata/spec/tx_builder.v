// Each segment is sent whole, header then payload, or dropped whole, and reported once. One stream, any of them, is watched for
// what may be sent of it.
// depth 1
// bound 9

// property in_order: the octets of a segment are those of its header, then its payload's
// control in_order: beats_before_payload_q - <N>'d1 => beats_before_payload_q - <N>'d2
// property last_once: a segment's beats are full but the last, which alone says so and has what is left in its low octets
// control last_once: wire last = beats_left_q <= <N>'d1 => wire last = beats_left_q <= <N>'d2
// property whole: what is sent is of the segment that was taken last, until its last beat
// control whole: wire free = swept_q & (~valid_q | done) => wire free = swept_q
// property no_gap: a segment whose payload is there is sent at once, if its last beat can be reported
// control no_gap: able & (silent | m_axis_tx_tready) => able & (silent | m_axis_tx_tready) & ~payload_valid
// property payload_together: a segment takes as much payload as it has, also when it is dropped, and what says that it is there, once
// control payload_together: payload_ready = step & takes_payload => payload_ready = step & takes_payload & ~silent
// property reported: a segment is reported once, when its last beat is taken or dropped, as what it was
// control reported: reported_kind = kind_q => reported_kind = segment_kind
// property credited: the receive side is told of the last segment of an answer when its last beat is taken or dropped, and of nothing else
// control credited: credited_valid = done & completes_response => credited_valid = done & final_q
// property silent_when_shut: nothing is sent of a stream that is not open, but the Terminate of a failed one, and nothing that memory gave an error for
// control silent_when_shut: lost = is_hollow | (carries_q & arrived_failed) => lost = is_hollow
// property told: a stream fails when memory gave an error for what an open one was to send, and is told of then
// control told: fails = done & passes & lost => fails = done & lost
// property at_most_one: a stream fails at most once between its openings
// control at_most_one: fails ? STREAM_FAILED => fails ? STREAM_OPEN
// assume asked: atomic_responder, read_responder, terminate_builder and request_segments, whose commands have at most 70 octets of header, 0 behind
//   them, and at most MaxPayload of payload, none without a header and none in a Terminate
// assume aligned: tx_realign, whose octets of payload stand where they stand in the segment, all others being 0
// invariant registers: they hold what is left of the segment
// invariant remembered: the memory knows what is sent of the watched stream

localparam SPEC_BUS = `WIDTH_m_axis_tx_tkeep;
localparam SPEC_MOST = 1 << `WIDTH_total_octets - 1; // octets of payload
wire spec_takes = segment_valid & segment_ready;
wire spec_sends = m_axis_tx_tvalid & m_axis_tx_tready;
reg  spec_busy, spec_carries, spec_has_octets;
reg  [`WIDTH_segment_stream-1:0] spec_of;
reg  [2:0]  spec_kind;
reg  [32:0] spec_about;
reg  [`WIDTH_segment_header-1:0] spec_header; // octets that were not sent
reg  [15:0] spec_head, spec_left; // octets that were not sent: of the header, of all
wire spec_done = reported_valid & reported_ready;
wire spec_pays = spec_carries & spec_head < SPEC_BUS; // the beat has payload
wire spec_last = spec_left <= SPEC_BUS;
wire spec_answers = spec_about[32] && (spec_kind == 3'd0 || spec_kind == 3'd1); // the last of an Atomic Response, a Read Response
wire spec_ends = spec_kind == 3'd2 || spec_kind == 3'd3; // Terminate, Shut
always @(posedge clk) begin
    if (spec_takes) begin
        {spec_of, spec_kind, spec_about, spec_header} <= {segment_stream, segment_kind, segment_final, segment_number,
            segment_header};
        spec_head       <= segment_header_length;
        spec_left       <= segment_header_length + segment_payload_length;
        spec_carries    <= segment_payload_length != 0;
        spec_has_octets <= segment_header_length != 0;
    end else if (step) begin
        spec_header <= spec_header >> 8 * SPEC_BUS;
        spec_head   <= spec_head < SPEC_BUS ? 0 : spec_head - SPEC_BUS;
        spec_left   <= spec_left - SPEC_BUS;
    end
    spec_busy <= ~rst & (spec_takes | spec_busy & ~spec_done);
end

// What is sent of the watched stream: 0 everything, 1 its end, 2 nothing.
(* anyconst *) wire [`WIDTH_segment_stream-1:0] spec_stream;
wire spec_opens = opening_valid & opening_ready & opening_stream == spec_stream;
wire spec_watched = spec_busy & spec_of == spec_stream;
wire spec_passes = spec_taken_as == 2'd0 || spec_taken_as == 2'd1 && spec_ends;
wire spec_lost = spec_carries & arrived_failed | ~spec_has_octets & spec_kind < 3'd2;
reg  [1:0] spec_condition, spec_taken_as;
reg  spec_has_failed;
wire [1:0] spec_condition_next = spec_opens ? (opening_open ? 2'd0 : 2'd2) :
    spec_watched & spec_done & spec_passes ? (spec_ends ? 2'd2 : spec_lost ? 2'd1 : spec_condition) : spec_condition;
wire spec_fails = failure_valid & failure_ready & failure_stream == spec_stream;
always @(posedge clk) begin
    spec_condition <= rst ? 2'd2 : spec_condition_next;
    if (spec_takes && segment_stream == spec_stream) spec_taken_as <= spec_condition_next;
    spec_has_failed <= ~rst & ~spec_opens & (spec_has_failed | spec_fails);
end

always @* if (segment_valid) asked: assume (segment_header_length <= `WIDTH_segment_header / 8 &&
    segment_payload_length <= SPEC_MOST && segment_kind <= 4 &&
    (segment_header >> 8 * segment_header_length) == 0 && (segment_payload_length == 0 || segment_header_length != 0 &&
        segment_kind != 2 && segment_kind != 3));
always @* if (payload_valid & spec_pays) aligned: assume ((payload_data & ~({8 * SPEC_BUS{1'b1}} << 8 * spec_head)) == 0);
always @* if (started && !rst) begin
    if (m_axis_tx_tvalid) begin
        in_order: assert (m_axis_tx_tdata == (spec_header[8 * SPEC_BUS - 1:0] | (spec_pays ? payload_data : 0)));
        last_once: assert (m_axis_tx_tlast == spec_last && m_axis_tx_tkeep == (spec_last ? (1 << spec_left) - 1 :
            {SPEC_BUS{1'b1}}));
        whole: assert (spec_busy && m_axis_tx_tuser == spec_of);
    end
    if (spec_takes) whole: assert (!spec_busy || spec_done);
    if (spec_sends) whole: assert (step);
    if (spec_busy & (~spec_carries | arrived_valid) & (~spec_pays | payload_valid) & reported_ready & failure_ready & credited_ready)
        no_gap: assert (m_axis_tx_tvalid ? step == m_axis_tx_tready : step);
    payload_together: assert ((payload_valid & payload_ready) == (step & spec_pays) &&
        (arrived_valid & arrived_ready) == (spec_done & spec_carries));
    if (step) payload_together: assert (spec_busy && (!spec_pays || payload_valid));
    reported: assert (spec_done == (step & spec_last));
    if (spec_done) reported: assert (spec_busy && {reported_stream, reported_kind, reported_final} == {spec_of,
        spec_kind, spec_about[32]});
    if (spec_done && spec_has_octets) reported: assert (reported_dropped == !spec_sends);
    credited: assert ((credited_valid & credited_ready) == (spec_done & spec_answers));
    if (credited_valid) credited: assert (spec_done && {credited_stream, credited_number} == {spec_of, spec_about[31:0]});
    if (spec_watched && m_axis_tx_tvalid) silent_when_shut: assert (spec_passes && !spec_lost && spec_has_octets);
    if (spec_watched && spec_done) told: assert (failure_valid == (spec_passes && spec_lost) &&
        reported_dropped == (!spec_passes || spec_lost));
    if (failure_valid) told: assert (spec_done && failure_ready && failure_stream == spec_of);
    if (spec_fails) at_most_one: assert (!spec_has_failed);
    registers: assert (valid_q == spec_busy && (!spec_busy || stream_q == spec_of &&
        {kind_q, final_q, number_q} == {spec_kind, spec_about} &&
        header_q == spec_header && beats_left_q == (spec_left + SPEC_BUS - 1) / SPEC_BUS &&
            last_octets_q == spec_left % SPEC_BUS &&
        carries_q == spec_carries && empty_q == !spec_has_octets && beats_before_payload_q == spec_head / SPEC_BUS &&
            spec_left <= 70 + SPEC_MOST &&
        spec_head <= 70 && spec_head <= spec_left && spec_has_octets == (spec_left != 0) && (!spec_carries ||
            spec_head < spec_left && spec_has_octets && !spec_ends) && (spec_header >> 8 * spec_head) == 0));
    if (swept_q || sweep_q > spec_stream) remembered: assert (conditions[spec_stream] == spec_condition);
    if (!swept_q) remembered: assert (!spec_busy && spec_condition == 2'd2 && !spec_has_failed);
    remembered: assert (spec_condition != 2'd3 && spec_taken_as != 2'd3 | !spec_watched);
    if (spec_watched) remembered: assert (condition == spec_taken_as && !(spec_has_failed && spec_taken_as == 2'd0));
    if (spec_has_failed) remembered: assert (spec_condition != 2'd0);
end
