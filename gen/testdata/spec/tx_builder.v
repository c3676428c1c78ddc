// Each segment is sent whole, header then payload, or dropped whole, and reported once. One stream, any of them, is watched for
// what may be sent of it.
// depth 1
// bound 11

// property in_order: the octets of a segment are those of its header, then its payload's
// control in_order: beats_before_payload_q - 4'd1 => beats_before_payload_q - 4'd2
// control in_order: {64'd0, header_q[559:64]} => {64'd0, header_q[558:64], 1'b0}
// property last_once: a segment's beats are full but the last, which alone says so and has what is left in its low octets
// control last_once: last_is_next = beats_left_q == 6'd2 => last_is_next = beats_left_q == 6'd3
// control last_once: | {8{full_q}} => | {8{1'b1}}
// property whole: segments are taken in order, each once, and what is sent is of the segment that was taken last, until its last beat
// control whole: stays = comes & ~free => stays = comes & ~free & ~segment_final
// control whole: free  = idle_q | done => free  = idle_q | step
// property no_gap: a segment whose payload is there is sent at once, if its last beat can be reported
// control no_gap: able & (silent | m_axis_tx_tready) => able & (silent | m_axis_tx_tready) & ~payload_valid
// property payload_together: a segment takes as much payload as it has, also when it is dropped, and what says that it is there, once
// control payload_together: payload_ready    = step & takes_payload_q => payload_ready    = step & takes_payload_q & ~silent
// control payload_together: arrived_ready    = done & carries_q => arrived_ready    = done
// property reported: a segment is reported when its last beat is taken or dropped, as what it was; whoever is told is told once
// control reported: {stream_q, kind_q, final_q, dropped, asks} => {stream_q, kind_q, final_q, ~passes, asks}
// control reported: asks = is_message_q & => asks = 1'b1 &
// control reported: reported_keeps = (reported_keeps_q | done) & ~reported_free => reported_keeps = reported_keeps_q & ~reported_free
// control reported: (~last_q | can_report) => 1'b1
// property credited: the receive side is told of the last segment of a response when its last beat is taken or dropped, and of nothing else
// control credited: completes_response_q <= taken_segment[<N>] & is_response => completes_response_q <= taken_segment[<N>]
// property silent_when_shut: nothing is sent of a stream that is not open, but the end of a failed one, and nothing that memory gave an error for
// control silent_when_shut: silent      = ~passes | has_fault | empty_q => silent      = ~passes | empty_q
// control silent_when_shut: (condition == STREAM_FAILED) & is_end_q => (condition == STREAM_FAILED)
// property told: a stream fails when memory gave an error for what an open one was to send, and is told of then
// control told: fails          = done & passes & lost => fails          = done & lost
// property at_most_one: a stream fails at most once between its openings
// control at_most_one: is_end_q ? STREAM_ENDED : STREAM_FAILED => is_end_q ? STREAM_ENDED : STREAM_OPEN
// assume asked: commands have at most 70 octets of header, 0 behind them, and no payload without a header or in an end; tx_turns counts their beats
// assume one_way: tx_engine offers a command directly only when no other waits; shown by tx_engine/in_order
// assume aligned: tx_realign, whose octets of payload stand where they stand in the segment, all others being 0
// invariant registers: they hold what is left of the segment
// invariant remembered: the memory knows what is sent of the watched stream

localparam SPEC_BUS = `WIDTH_m_axis_tx_tkeep, SPEC_SEGMENT = `WIDTH_taken_segment;
wire [SPEC_SEGMENT-1:0] spec_straight = {straight_stream, straight_kind, straight_final, straight_number, straight_header_length, straight_header,
    straight_carries, straight_beats, straight_short, straight_ends};
wire [SPEC_SEGMENT-1:0] spec_offered = straight_valid ? spec_straight : {segment_stream, segment_kind, segment_final, segment_number,
    segment_header_length, segment_header, segment_carries, segment_beats, segment_short, segment_ends};
reg  spec_waits;                    // a segment was taken and not begun
reg  [SPEC_SEGMENT-1:0] spec_waiting, spec_now;
wire spec_comes  = segment_valid & segment_ready | straight_valid & straight_ready;
wire spec_begins = (!spec_busy | done) & (spec_waits | spec_comes);
wire [SPEC_SEGMENT-1:0] spec_next = spec_waits ? spec_waiting : spec_offered;
wire [`WIDTH_segment_stream-1:0] next_stream;
wire [2:0]  next_kind;
wire        next_final, next_carries, next_short;
wire [`WIDTH_segment_number-1:0] next_number;
wire [`WIDTH_segment_header_length-1:0] next_length;
wire [`WIDTH_segment_header-1:0] next_header;
wire [`WIDTH_segment_beats-1:0] next_beats;
wire [`WIDTH_segment_ends-1:0] next_ends;
assign {next_stream, next_kind, next_final, next_number, next_length, next_header, next_carries, next_beats, next_short, next_ends} = spec_next;

// ---- The segment that is sent or dropped, and what of it is left
reg  spec_busy, spec_carries, spec_empty, spec_final;
reg  [`WIDTH_segment_stream-1:0] spec_of;
reg  [2:0]  spec_kind;
reg  [`WIDTH_segment_number-1:0] spec_number;
reg  [`WIDTH_segment_header-1:0] spec_header;
reg  [7:0]  spec_head, spec_beats;  // octets of header, beats of all
reg  [`WIDTH_segment_ends-1:0] spec_last_octets;
wire spec_pays = spec_carries & spec_head < SPEC_BUS;
wire spec_last = spec_beats <= 1;
wire spec_answers = spec_final && spec_kind > SEND_MESSAGE;
wire spec_ends = spec_kind == SEND_END || spec_kind == SEND_CLOSE;
wire [SPEC_BUS-1:0] spec_keep = spec_last_octets == 0 ? {SPEC_BUS{1'b1}} : (1 << spec_last_octets) - 1;
always @(posedge clk) begin
    spec_waits <= !rst & (spec_waits | spec_comes) & !spec_begins;
    if (spec_comes) spec_waiting <= spec_offered;
    if (spec_begins) begin
        {spec_of, spec_kind, spec_final, spec_number, spec_header} <= {next_stream, next_kind, next_final, next_number, next_header};
        {spec_carries, spec_empty, spec_last_octets} <= {next_carries, next_beats == 0, next_ends};
        {spec_head, spec_beats} <= {1'b0, next_length, 2'd0, next_beats};
    end else if (step) begin
        spec_header <= spec_header >> 8 * SPEC_BUS;
        spec_head   <= spec_head < SPEC_BUS ? 0 : spec_head - SPEC_BUS;
        spec_beats  <= spec_beats - 1;
    end
    spec_busy <= !rst & (spec_begins | spec_busy & !done);
end
wire spec_sends = m_axis_tx_tvalid & m_axis_tx_tready;

// ---- What is told and was not accepted
reg  [2:0] owed_reports, owed_failures, owed_credits;
always @(posedge clk) begin
    owed_reports  <= rst ? 0 : owed_reports + done - (report_valid & report_ready);
    owed_failures <= rst ? 0 : owed_failures + fails - (failed_valid & failed_ready);
    owed_credits  <= rst ? 0 : owed_credits + (done & spec_answers) - (credit_valid & credit_ready);
end
reg  told_q, was_done_q, was_free_q;
reg  [7:0] was_report_q;
always @(posedge clk) begin
    was_done_q <= done & !rst;
    was_free_q <= owed_reports == 0 || owed_reports == 1 && report_valid && report_ready;
    was_report_q <= {spec_of, spec_kind, spec_final, !spec_passes | spec_lost, spec_kind == SEND_MESSAGE && spec_number[0]};
end

// ---- What is sent of the watched stream: 0 everything, 1 its end, 2 nothing
(* anyconst *) wire [`WIDTH_segment_stream-1:0] spec_stream;
wire spec_opens = opening_valid & opening_ready & opening_stream == spec_stream;
wire spec_watched = spec_busy & spec_of == spec_stream;
wire spec_passes = spec_taken_as == 2'd0 || spec_taken_as == 2'd1 && spec_ends;
wire spec_lost = spec_carries & arrived_failed | spec_empty & spec_kind > SEND_MESSAGE;
reg  [1:0] spec_condition, spec_taken_as;
reg  spec_has_failed;
wire [1:0] spec_condition_next = spec_opens ? (opening_open ? 2'd0 : 2'd2) :
    spec_watched & done & spec_passes ? (spec_ends ? 2'd2 : spec_lost ? 2'd1 : spec_condition) : spec_condition;
wire spec_fails = fails && stream_q == spec_stream;
always @(posedge clk) begin
    spec_condition <= rst ? 2'd2 : spec_condition_next;
    if (spec_begins && next_stream == spec_stream) spec_taken_as <= spec_condition_next;
    spec_has_failed <= !rst & !spec_opens & (spec_has_failed | spec_fails);
end

always @* if (segment_valid | straight_valid) asked: assume (right(spec_offered));
always @* one_way: assume (!(segment_valid & straight_valid));
always @* if (payload_valid & spec_pays) aligned: assume ((payload_data & ~({8 * SPEC_BUS{1'b1}} << 8 * spec_head)) == 0);
always @* if (started && !rst) begin
    if (m_axis_tx_tvalid) begin
        in_order: assert (m_axis_tx_tdata == (spec_header[8 * SPEC_BUS - 1:0] | (spec_pays ? payload_data : 0)));
        last_once: assert (m_axis_tx_tlast == spec_last && m_axis_tx_tkeep == (spec_last ? spec_keep : {SPEC_BUS{1'b1}}));
        whole: assert (spec_busy && m_axis_tx_tuser == spec_of);
    end
    if (spec_comes) whole: assert (!spec_waits);
    if (spec_begins) whole: assert (taken_segment == spec_next && comes && free);
    whole: assert (!spec_sends || step);
    if (spec_busy & (!spec_carries | arrived_valid) & (!spec_pays | payload_valid) & owed_reports < 2 & owed_failures < 2 & owed_credits < 2)
        no_gap: assert (m_axis_tx_tvalid ? step == m_axis_tx_tready : step);
    payload_together: assert ((payload_valid & payload_ready) == (step & spec_pays) && (arrived_valid & arrived_ready) == (done & spec_carries));
    payload_together: assert (!(payload_ready & !payload_valid) && !(arrived_ready & !arrived_valid));
    if (step) payload_together: assert (spec_busy);
    reported: assert (done == (step & spec_last));
    reported: assert (owed_reports == reported_valid_q + reported_keeps_q && owed_failures == failure_valid_q + failure_keeps_q);
    if (done && spec_watched) reported: assert (dropped == (!spec_passes || spec_lost));
    if (was_done_q && was_free_q && was_report_q[7:6] == spec_stream) reported: assert (report_valid && {report_stream, report_kind, report_final, report_dropped, report_asks} == was_report_q);
    credited: assert (owed_credits == credited_valid_q + credited_keeps_q);
    if (spec_watched && m_axis_tx_tvalid) silent_when_shut: assert (spec_passes && !spec_lost && !spec_empty);
    if (spec_watched && done) told: assert (fails == (spec_passes && spec_lost));
    if (fails) told: assert (done && stream_q == spec_of);
    if (spec_fails) at_most_one: assert (!spec_has_failed);
    registers: assert (valid_q == spec_busy && idle_q == !spec_busy && waits_q == spec_waits && (!spec_waits || spec_busy) && loads_q == (!spec_busy || spec_last));
    registers: assert (reported_room_q == !reported_keeps_q && failure_room_q == !failure_keeps_q && credited_room_q == !credited_keeps_q);
    registers: assert (room_q == (swept_q && !first_q && !spec_waits) && (!reported_keeps_q || reported_valid_q) &&
        (!failure_keeps_q || failure_valid_q) && (!credited_keeps_q || credited_valid_q));
    if (spec_waits) registers: assert ({waiting_stream_q, waiting_kind_q, waiting_final_q, waiting_number_q, waiting_header_length_q, waiting_header_q,
        waiting_carries_q, waiting_beats_q, waiting_short_q, waiting_ends_q} == spec_waiting);
    if (spec_waits) registers: assert (right(spec_waiting));
    if (spec_busy) registers: assert ({stream_q, kind_q, final_q, number_q} == {spec_of, spec_kind, spec_final, spec_number} && header_q == spec_header &&
        beats_left_q == spec_beats && carries_q == spec_carries && empty_q == spec_empty && is_hollow_q == (spec_empty && spec_kind > SEND_MESSAGE) && is_message_q == (spec_kind == SEND_MESSAGE) &&
        is_end_q == spec_ends && completes_response_q == spec_answers && takes_payload_q == spec_pays && beats_before_payload_q == spec_head / SPEC_BUS &&
        last_q == spec_last && full_q == !spec_last);
    if (spec_busy) registers: assert (spec_head <= 70 && (spec_header >> 8 * spec_head) == 0 && (!spec_empty || spec_beats == 0 && spec_head == 0) &&
        (spec_empty || spec_beats != 0) && (!spec_carries || !spec_empty && !spec_ends && SPEC_BUS * spec_beats > spec_head));
    if (spec_busy) registers: assert ({{2{ends_rows_q[3]}} | {2{ends_row_q[3]}} & ends_octets_q, {2{ends_rows_q[2]}} | {2{ends_row_q[2]}} & ends_octets_q,
        {2{ends_rows_q[1]}} | {2{ends_row_q[1]}} & ends_octets_q, {2{ends_rows_q[0]}} | {2{ends_row_q[0]}} & ends_octets_q} == spec_keep);
    if (swept_q || sweep_q > spec_stream) remembered: assert (conditions[spec_stream] == spec_condition);
    if (!swept_q) remembered: assert (!spec_busy && !spec_waits && spec_condition == 2'd2 && !spec_has_failed);
    remembered: assert (spec_condition != 2'd3 && (spec_taken_as != 2'd3 || !spec_watched));
    if (spec_watched) remembered: assert (condition == spec_taken_as && !(spec_has_failed && spec_taken_as == 2'd0));
    if (spec_has_failed) remembered: assert (spec_condition != 2'd0);
end
reg first_q;                        // the first cycle after the sweep
always @(posedge clk) first_q <= !swept_q || rst;
function right;                     // what was assumed of a segment
    input [SPEC_SEGMENT-1:0] s;
    reg [`WIDTH_segment_header-1:0] header;
    reg [`WIDTH_segment_header_length-1:0] length;
    reg [`WIDTH_segment_beats-1:0] beats;
    reg [`WIDTH_segment_ends-1:0] ends_at;
    reg carries, short;
    reg [2:0] kind;
    reg [9:0] octets;
    begin
        {length, header, carries, beats, short, ends_at} = s;
        kind = s[SPEC_SEGMENT-`WIDTH_segment_stream-1 -: 3];
        octets = ends_at == 0 ? SPEC_BUS * beats : SPEC_BUS * (beats - 1) + ends_at;
        right = short == (beats <= 1) && length <= 70 && kind <= 4 && (header >> 8 * length) == 0 && (carries ? length != 0 && beats != 0 && octets > length && kind != SEND_END && kind != SEND_CLOSE :
            beats == (length + 10'd7) / SPEC_BUS && ends_at == length % SPEC_BUS);
    end
endfunction
