// Each segment is sent whole, header then payload, and reported once.
// depth 1
// bound 11

// property in_order: the octets of a segment are those of its header, then its payload's
// control in_order: beats_before_payload_q - 3'd1 => beats_before_payload_q - 3'd2
// control in_order: {64'd0, header_q[479:64]} => {64'd0, header_q[478:64], 1'b0}
// property last_once: a segment's beats are full but the last, which alone says so and has what is left in its low octets
// control last_once: last_is_next = beats_left_q == 6'd2 => last_is_next = beats_left_q == 6'd3
// control last_once: | {8{full_q}} => | {8{1'b1}}
// property whole: segments are taken in order, each once, and what is sent is of the segment that was taken last, until its last beat
// control whole: stays    = comes & ~free => stays    = comes & ~free & ~segment_final
// property beside: all beats of a segment have its tag, the length of its header, and whether memory delivered its payload
// control beside: is_unread = carries_q & arrived_failed => is_unread = arrived_failed
// property no_gap: a segment whose payload is there is sent at once, if its last beat can be reported
// control no_gap: able       = has_octets & => able       = has_octets & ~payload_valid &
// property payload_together: a segment takes as much payload as it has, and what says that it is there, once
// control payload_together: payload_ready            = step & takes_payload_q => payload_ready            = step
// control payload_together: arrived_ready            = done & carries_q => arrived_ready            = done
// property reported: a segment is reported when its last beat is taken, in order
// control reported: {sent_stream_q, sent_kind_q, sent_final_q, 1'b0} => {sent_stream_q, sent_kind_q, 1'b1, 1'b0}
// property credited: the receive side is told of the last segment of a response when its last beat is taken, and of nothing else
// control credited: sent_completes_q          <= taken_segment[<N>] & is_response => sent_completes_q          <= taken_segment[<N>]
// property told: a failure is told of each segment whose payload memory did not deliver, with its tag
// control told: done & is_unread => done & carries_q
// assume asked: commands have at most 60 octets of header, at least one, 0 behind them; tx_turns counts their beats
// assume one_way: tx_engine offers a command directly only when no other waits; shown by tx_engine/in_order
// assume aligned: tx_realign, whose octets of payload stand where they stand in the segment, all others being 0
// invariant registers: they hold what is left of the segment, and what waits to be told

localparam SPEC_BUS = `WIDTH_m_axis_tx_tkeep, SPEC_SEGMENT = `WIDTH_taken_segment, SPEC_TAG = 3 + `WIDTH_segment_cid + 32 + 16 + 2;
wire [SPEC_SEGMENT-1:0] spec_offered = straight_valid ? `DATA_straight : `DATA_segment;
reg  spec_waits;                    // a segment was taken and not begun
reg  [SPEC_SEGMENT-1:0] spec_waiting;
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
wire [SPEC_TAG-1:0] next_tag;
assign {next_stream, next_kind, next_final, next_number, next_length, next_header, next_carries, next_beats, next_short, next_ends, next_tag} = spec_next;

// ---- The segment that is sent, and what of it is left
reg  spec_busy, spec_carries, spec_final;
reg  [`WIDTH_segment_stream-1:0] spec_of;
reg  [2:0]  spec_kind;
reg  [`WIDTH_segment_number-1:0] spec_number;
reg  [`WIDTH_segment_header-1:0] spec_header;
reg  [`WIDTH_segment_header_length-1:0] spec_length;
reg  [7:0]  spec_head, spec_beats;  // octets of header, beats of all
reg  [`WIDTH_segment_ends-1:0] spec_last_octets;
reg  [SPEC_TAG-1:0] spec_tag;
wire spec_pays = spec_carries & spec_head < SPEC_BUS;
wire spec_last = spec_beats <= 1;
wire spec_answers = spec_final && spec_kind > SEND_MESSAGE;
wire spec_unread = spec_carries & arrived_failed;
wire [SPEC_BUS-1:0] spec_keep = spec_last_octets == 0 ? {SPEC_BUS{1'b1}} : (1 << spec_last_octets) - 1;
wire spec_sends = m_axis_tx_tvalid & m_axis_tx_tready;
always @(posedge clk) begin
    spec_waits <= !rst & (spec_waits | spec_comes) & !spec_begins;
    if (spec_comes) spec_waiting <= spec_offered;
    if (spec_begins) begin
        {spec_of, spec_kind, spec_final, spec_number, spec_header, spec_length, spec_tag} <= {next_stream, next_kind, next_final, next_number, next_header, next_length, next_tag};
        {spec_carries, spec_last_octets} <= {next_carries, next_ends};
        spec_head  <= next_length;
        spec_beats <= next_beats;
    end else if (spec_sends) begin
        spec_header <= spec_header >> 8 * SPEC_BUS;
        spec_head   <= spec_head < SPEC_BUS ? 0 : spec_head - SPEC_BUS;
        spec_beats  <= spec_beats - 1;
    end
    spec_busy <= !rst & (spec_begins | spec_busy & !done);
end

// ---- What is told and was not accepted, of which the latest
reg  [2:0] owed_reports, owed_failures, owed_credits;
reg  [`WIDTH_segment_stream+3:0] latest_report;
reg  [`WIDTH_segment_stream+SPEC_TAG-1:0] latest_failure;
reg  [`WIDTH_segment_stream+`WIDTH_segment_number-1:0] latest_credit;
wire spec_is_over = spec_sends & spec_last;
always @(posedge clk) begin
    owed_reports  <= rst ? 0 : owed_reports + spec_is_over - (report_valid & report_ready);
    owed_failures <= rst ? 0 : owed_failures + (spec_is_over & spec_unread) - (failed_valid & failed_ready);
    owed_credits  <= rst ? 0 : owed_credits + (spec_is_over & spec_answers) - (credit_valid & credit_ready);
    if (spec_is_over) latest_report <= {spec_of, spec_kind, spec_final};
    if (spec_is_over & spec_unread) latest_failure <= {spec_of, spec_tag};
    if (spec_is_over & spec_answers) latest_credit <= {spec_of, spec_number};
end

always @* if (segment_valid | straight_valid) asked: assume (right(spec_offered));
always @* one_way: assume (!(segment_valid & straight_valid));
always @* if (payload_valid & spec_pays) aligned: assume ((payload_data & ~({8 * SPEC_BUS{1'b1}} << 8 * spec_head)) == 0);
always @* if (started && !rst) begin
    if (m_axis_tx_tvalid) begin
        in_order: assert (m_axis_tx_tdata == (spec_header[8 * SPEC_BUS - 1:0] | (spec_pays ? payload_data : 0)));
        last_once: assert (m_axis_tx_tlast == spec_last && m_axis_tx_tkeep == (spec_last ? spec_keep : {SPEC_BUS{1'b1}}));
        whole: assert (spec_busy && m_axis_tx_tuser == spec_of);
        beside: assert ({m_axis_tx_type, m_axis_tx_cid, m_axis_tx_rsn, m_axis_tx_request_length, m_axis_tx_fence, m_axis_tx_unfit} == spec_tag &&
            m_axis_tx_header_length == spec_length && m_axis_tx_unread == spec_unread);
    end
    if (spec_comes) whole: assert (!spec_waits);
    if (spec_begins) whole: assert (taken_segment == spec_next && comes && free);
    whole: assert (spec_sends == step && done == spec_is_over);
    if (spec_busy & (!spec_carries | arrived_valid) & (!spec_pays | payload_valid) & owed_reports < 2 & owed_failures < 2 & owed_credits < 2)
        no_gap: assert (m_axis_tx_tvalid);
    payload_together: assert ((payload_valid & payload_ready) == (spec_sends & spec_pays) && (arrived_valid & arrived_ready) == (spec_is_over & spec_carries));
    payload_together: assert (!(payload_ready & !payload_valid) && !(arrived_ready & !arrived_valid));
    reported: assert (owed_reports <= 2 && report_valid == (owed_reports != 0));
    if (owed_reports == 1) reported: assert ({report_stream, report_kind, report_final, report_dropped} == {latest_report, 1'b0});
    credited: assert (owed_credits <= 2 && credit_valid == (owed_credits != 0));
    if (owed_credits == 1) credited: assert ({credit_stream, credit_number} == latest_credit);
    told: assert (owed_failures <= 2 && failed_valid == (owed_failures != 0));
    if (owed_failures == 1) told: assert ({failed_stream, failed_type, failed_cid, failed_rsn, failed_request_length, failed_fence, failed_unfit} == latest_failure && failed_fault == 0);
    registers: assert (valid_q == spec_busy && idle_q == !spec_busy && waits_q == spec_waits && (!spec_waits || spec_busy) && loads_q == (!spec_busy || spec_last));
    registers: assert (reported_room_q == !reported_keeps_q && failure_room_q == !failure_keeps_q && credited_room_q == !credited_keeps_q);
    registers: assert (reported_keeps_q == (owed_reports == 2) && failure_keeps_q == (owed_failures == 2) && credited_keeps_q == (owed_credits == 2));
    if (owed_reports == 2) registers: assert ({reported_kept_stream_q, reported_kept_kind_q, reported_kept_final_q, reported_kept_dropped_q} == {latest_report, 1'b0});
    if (owed_credits == 2) registers: assert ({credited_kept_stream_q, credited_kept_number_q} == latest_credit);
    if (owed_failures == 2) registers: assert ({failure_kept_stream_q, failure_kept_type_q, failure_kept_cid_q, failure_kept_rsn_q, failure_kept_request_length_q,
        failure_kept_fence_q, failure_kept_unfit_q} == latest_failure && failure_kept_fault_q == 0);
    if (spec_waits) registers: assert ({waiting_stream_q, waiting_kind_q, waiting_final_q, waiting_number_q, waiting_header_length_q, waiting_header_q,
        waiting_carries_q, waiting_beats_q, waiting_short_q, waiting_ends_q, waiting_type_q, waiting_cid_q, waiting_rsn_q, waiting_request_length_q,
        waiting_fence_q, waiting_unfit_q} == spec_waiting && right(spec_waiting));
    registers: assert (room_q == (spec_may_take_q && !spec_waits));
    if (spec_busy) registers: assert ({sent_stream_q, sent_kind_q, sent_final_q, sent_number_q, sent_header_length_q} == {spec_of, spec_kind, spec_final, spec_number, spec_length} &&
        {sent_tag_type_q, sent_tag_cid_q, sent_tag_rsn_q, sent_tag_request_length_q, sent_tag_fence_q, sent_tag_unfit_q} == spec_tag && header_q == spec_header &&
        beats_left_q == spec_beats && carries_q == spec_carries && sent_completes_q == spec_answers && takes_payload_q == spec_pays &&
        beats_before_payload_q == spec_head / SPEC_BUS && last_q == spec_last && full_q == !spec_last);
    if (spec_busy) registers: assert (spec_head <= 60 && (spec_header >> 8 * spec_head) == 0 && spec_beats != 0 && (!spec_carries || SPEC_BUS * spec_beats > spec_head));
    if (spec_busy) registers: assert ({{2{ends_rows_q[3]}} | {2{ends_row_q[3]}} & ends_octets_q, {2{ends_rows_q[2]}} | {2{ends_row_q[2]}} & ends_octets_q,
        {2{ends_rows_q[1]}} | {2{ends_row_q[1]}} & ends_octets_q, {2{ends_rows_q[0]}} | {2{ends_row_q[0]}} & ends_octets_q} == spec_keep);
end
reg spec_may_take_q;                // from the cycle behind the first one after a reset
always @(posedge clk) spec_may_take_q <= !rst;
function right;                     // what was assumed of a segment
    input [SPEC_SEGMENT-1:0] s;
    reg [`WIDTH_segment_header-1:0] header;
    reg [`WIDTH_segment_header_length-1:0] length;
    reg [`WIDTH_segment_beats-1:0] beats;
    reg [`WIDTH_segment_ends-1:0] ends_at;
    reg [SPEC_TAG-1:0] tag;
    reg carries, short;
    reg [9:0] octets;
    begin
        {length, header, carries, beats, short, ends_at, tag} = s;
        octets = ends_at == 0 ? SPEC_BUS * beats : SPEC_BUS * (beats - 1) + ends_at;
        right = short == (beats <= 1) && length != 0 && length <= 60 && (header >> 8 * length) == 0 && beats != 0 &&
            (carries ? octets > length : octets == length);
    end
endfunction
