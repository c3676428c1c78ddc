// request_messages: the messages of a stream are numbered in order, each work request is sent or abandoned, and nothing of a stream is
// sent after one of its work requests has failed. The outputs keep the order that the receive side relies on. An arbitrary stream is
// watched.
// depth 1
// bound 22

// property expected_first: the message of a Read or Atomic is offered only if the receive side has accepted more announcements than such messages have left
// control expected_first: ~next_flags_abandons & ~waits; => ~next_flags_abandons;
// property abandoned_behind_failures: a work request is not offered as abandoned before all waiting failures are accepted
// control abandoned_behind_failures: may_abandon    = abandon_waits_q | ~first_failure_valid => may_abandon    = 1'b1
// property message_or_abandoned: a message and an abandoned work request are never offered in the same cycle
// control message_or_abandoned: next_flags_valid & ~next_flags_abandons & ~waits; => next_flags_valid & ~waits;
// property none_at_opening: no work request enters the pipeline in a cycle with an opening
// control none_at_opening: may_enter & ~opened; => may_enter;
// property numbered: after an opening, messages with a response have consecutive numbers from 1, and so have those without
// control numbered: issue_state_ahead_1_q ? issue_state_next : => 1'b0 ? issue_state_next :
// control numbered: issue_state_ahead_2_q ? issue_state_decided_q : => 1'b0 ? issue_state_decided_q :
// control numbered: issue_state_ahead_3_q ? issue_state_kept_q : => 1'b0 ? issue_state_kept_q :
// control numbered: sends_request = is_sent & asks_6_q => sends_request = asks_6_q
// property nothing_after_failure: nothing of a stream is sent between the failure of one of its work requests and its next opening
// control nothing_after_failure: is_stopped   = now_failed | closed_6_q => is_stopped   = closed_6_q
// property fails_once: a stream fails once between two openings
// control fails_once: fails        = ~is_stopped & => fails        =
// property once: a work request that leaves the pipeline is either sent or abandoned
// control once: flags_buffer_beat  = {~leaves_sent => flags_buffer_beat  = {1'b0
// property reserved: everything in the pipeline and buffers has a reserved place, so no buffer is full when an item arrives
// control reserved: expecting_spared_q   <= leaves_pipeline & ~fills_expecting => expecting_spared_q   <= leaves_pipeline
// invariant together: the buffers of messages and of their flags move together
// invariant buffers_have_room: there is room for each message, for its announcement to the receive side, and for each failure
// bounded handshake_message 22: announced_q does not wrap because of the flags in the buffer, for which there is no invariant
// assume failures_accepted: failure_gather, which accepts the failure of a stream before the stream is reopened and fails again
// assume opens_later: work_ring, which opens no stream before all counts are initialised
// invariant none_is_known: the flags record whether no announcement is outstanding, and whether an abandoned work request waits
// invariant words: the words read include all stored and decided changes
// invariant quiet: nothing happens until the state of every stream is initialised
// invariant one_verdict: a work request is not both valid and invalid
// invariant one_failure: at most one failure per stream waits

localparam MESSAGES = 16, STATE = `WIDTH_issue_state_q;
(* anyconst *) reg [1:0] a_stream;
(* hierconn *) wire [15:0] \expecting_buffer.spec_inside , \failures.spec_in_memory ;
// Announcements inside their buffer, a FIFO of its own or, if wide, in place; and what is built, which then waits a cycle.
wire [15:0] expecting_inside;
wire built_now, built_is_sent, built_waits;
generate if (`HAS_expecting_buffer_head_q) begin
    wire [3:0] stored = expecting_buffer_tail_q - expecting_buffer_head_q;
    assign expecting_inside = expecting_buffer_valid_q + (expecting_buffer_empty_q ? 0 : stored == 0 ? MESSAGES : stored);
    always @* if (started && !rst) together: assert (~expecting_buffer_not_before_tail_q == expecting_buffer_tail_q - 1'b1 && (!expecting_buffer_empty_q || stored == 0));
    always @* if (started && !rst && expecting_in_valid) buffers_have_room: assert (expecting_inside < MESSAGES);
end else begin
    assign expecting_inside = \expecting_buffer.spec_inside ;
end endgenerate
generate if (`HAS_is_made_q) begin
    reg built_q, sent_q;
    always @(posedge clk) {built_q, sent_q} <= {is_built && !rst, leaves_sent};
    assign {built_now, built_is_sent, built_waits} = {built_q, sent_q, built_q};
end else assign {built_now, built_is_sent, built_waits} = {is_built, leaves_sent, 1'b0};
endgenerate
wire [3:0]  messages_stored = buffered_buffer_tail_q - buffered_buffer_head_q;
wire [15:0] messages_inside = buffered_buffer_valid_q + (buffered_buffer_empty_q ? 0 : messages_stored == 0 ? MESSAGES : messages_stored);
(* hierconn *) wire [4*`WIDTH_failures_out-1:0] \failures.spec_places ;
(* hierconn *) wire [1:0] \failures.head_q ;

// ---- The state of the stream, including all decided work requests
reg  [31:0] send_q, request_q;
reg  [15:0] made_q;
reg  failed_q, failed_before_q;
wire a_decides = valid_6_q && stream_6_q == a_stream, a_leaves = valid_7_q && stream_7_q == a_stream;
wire a_sends = a_decides && is_sent;
always @(posedge clk) begin
    failed_before_q <= failed_q;
    if (a_decides && opens_6_q) {send_q, request_q, failed_q} <= {32'd1, 32'd1, 1'b0};
    else begin
        if (a_sends && asks_6_q) request_q <= request_q + 1'b1;
        if (a_sends && (kind_6_q[3] || kind_6_q[1])) send_q <= send_q + 1'b1;
        if (a_decides && fails) failed_q <= 1'b1;
        if (a_decides && is_sent) made_q <= made_q + 1'b1;
    end
    if (rst) {send_q, request_q, failed_q, made_q} <= 0;
end
wire [STATE-1:0] a_state = {send_q, request_q, failed_q, made_q};

// ---- Waiting failures
reg [4*4-1:0] waiting;
reg [3:0] one_each;
reg [1:0] place;
integer spec_i, spec_j;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    waiting[4*spec_i +: 4] = first_failure_valid && first_failure_stream == spec_i;
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        place = spec_j - \failures.head_q ;
        waiting[4*spec_i +: 4] = waiting[4*spec_i +: 4] + (place < \failures.spec_in_memory && \failures.spec_places [`WIDTH_failures_out*(spec_j+1)-2 +: 2] == spec_i);
    end
    one_each[spec_i] = waiting[4*spec_i +: 4] <= 1;
end
wire [15:0] in_pipeline = (valid_1_q && !opens_1_q) + (valid_2_q && !opens_2_q) + (valid_3_q && !opens_3_q) + (valid_4_q && !opens_4_q)
    + (valid_5_q && !opens_5_q) + (valid_6_q && !opens_6_q) + (valid_7_q && !opens_7_q) + built_waits;
reg abandoned_waited_q;
always @(posedge clk) abandoned_waited_q <= abandoned_valid && !abandoned_ready && !rst;

always @* if (started && has_failed) failures_accepted: assume (waiting[4*stream_7_q +: 4] == 0);
always @* if (started && opened) opens_later: assume (swept_q);
always @* if (started && !rst) begin
    if (message_valid && next_flags_asks) expected_first: assert (announced_q != 0);
    if (abandoned_valid && !abandoned_waited_q) abandoned_behind_failures: assert (!failed_valid);
    message_or_abandoned: assert (!(message_valid && abandoned_valid));
    if (opened) none_at_opening: assert (!fetch);
    if (a_decides && is_sent) numbered: assert (msn == (asks_6_q ? request_q : send_q));
    if (a_leaves && leaves_sent) nothing_after_failure: assert (!failed_q);
    if (a_leaves && has_failed) fails_once: assert (!failed_before_q);
    once: assert (leaves_pipeline == is_built && buffered_in_valid == built_now && (!built_now || flags_buffer_beat[1] == !built_is_sent));
    buffers_have_room: assert ((!buffered_in_valid || buffered_in_ready) && (!expecting_in_valid || expecting_in_ready) &&
        (!failure_valid || failure_ready));
    none_is_known: assert (none_announced_q == (announced_q == 0) && (!abandon_waits_q || next_flags_valid && next_flags_abandons));
    none_is_known: assert (abandon_waits_q == abandoned_waited_q);
    reserved: assert (buffered_reserved_q <= MESSAGES && buffered_reserved_q == messages_inside + in_pipeline + buffered_left_q);
    reserved: assert (expecting_reserved_q <= MESSAGES &&
        expecting_reserved_q == expecting_inside + in_pipeline + expecting_left_q + expecting_spared_q);
    together: assert ({flags_buffer_valid_q, flags_buffer_head_q, flags_buffer_tail_q, flags_buffer_empty_q} ==
        {buffered_buffer_valid_q, buffered_buffer_head_q, buffered_buffer_tail_q, buffered_buffer_empty_q});
    together: assert (flags_buffer_not_before_tail_q == buffered_buffer_not_before_tail_q);
    together: assert (~buffered_buffer_not_before_tail_q == buffered_buffer_tail_q - 1'b1);
    together: assert (!buffered_buffer_empty_q || messages_stored == 0);
    if (a_decides) words: assert (issue_state_q == a_state);
    if (a_leaves) words: assert (issue_state_decided_q == a_state);
    if (!a_leaves && (swept_q || sweep_q > a_stream)) words: assert (issue_state[a_stream] == a_state);
    if (valid_5_q && stream_5_q == a_stream) words: assert (issue_state_ahead_1_q == a_decides && issue_state_ahead_2_q == a_leaves &&
        (a_decides || a_leaves || (issue_state_ahead_3_q ? issue_state_kept_q : issue_state_stored_q) == a_state));
    if (!swept_q) quiet: assert ({begins_q, valid_1_q, valid_2_q, valid_3_q, valid_4_q, valid_5_q, valid_6_q, valid_7_q} == 0 && a_state == 0);
    if (valid_6_q) one_verdict: assert (!(wrong_work_6_q && right_work_6_q));
    one_failure: assert (&one_each);
end
