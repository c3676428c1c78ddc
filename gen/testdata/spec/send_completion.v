// send_completion: the work requests of a stream complete in the order in which they began, each once, none that was not
// reported; with success only before the stream is closed. One stream and one slot stand for all: they are arbitrary but fixed.
// depth 1
// bound 14
(* anyconst *) reg [`WIDTH_store_stream-1:0] a_stream;
(* anyconst *) reg [`WIDTH_store_slot-1:0]   a_slot;

wire a_report  = takes_report && sent_stream == a_stream;
wire a_last    = (a_report && sent_final) || (takes_abandoned && abandoned_stream == a_stream);
wire a_answer  = takes_response && answered_stream == a_stream;
wire a_end     = takes_end && ended_stream == a_stream;
wire a_closing = a_end || (takes_abandoned && abandoned_stream == a_stream) || (a_report && sent_dropped);
wire a_opening = takes_opening && opening_stream == a_stream;
wire a_turn    = is_finishing && proceeds && update_stream_q == a_stream;

// ---- What is known of the stream since its opening: last reports, work requests that are done, Reads and Atomics of them, responses
reg closed_q, ended_q;
reg [`WIDTH_at_oldest_q-1:0] reports_q, done_q, requests_q, answers_q;
reg [`WIDTH_store_entry-1:0] entry_q; // stored last in the slot
always @(posedge clk) begin
    closed_q   <= rst || (a_opening ? !opening_open : closed_q || a_closing);
    ended_q    <= rst || (a_opening ? !opening_open : ended_q || a_end);
    reports_q  <= rst || a_opening ? 0 : reports_q + a_last;
    answers_q  <= rst || a_opening ? 0 : answers_q + a_answer;
    done_q     <= rst || a_opening ? 0 : done_q + (a_turn && done);
    requests_q <= rst || a_opening ? 0 : requests_q + (a_turn && done && oldest_is_request);
    if (store && store_stream == a_stream && store_slot == a_slot) entry_q <= store_entry;
end
wire [`WIDTH_at_oldest_q-1:0] reported_open = reports_q - done_q;     // reported and not done
wire [`WIDTH_at_oldest_q-1:0] answered_open = answers_q - requests_q; // answered and not done
wire [`WIDTH_store_slot-1:0]  after_oldest  = store_slot - done_q[`WIDTH_store_slot-1:0];

// assume reported_is_under_way: request_segments has no more work requests of a stream under way than the ring has slots
always @* if (a_last) reported_is_under_way: assume (reported_open < `SEND_DEPTH);
// assume answered_is_under_way: rx_check delivers only responses that are waited for (rx_check: responses are counted)
always @* if (a_answer && !ended_q) answered_is_under_way: assume (answered_open < `ORD && answered_open < `SEND_DEPTH);
// assume stored_is_not_reported: request_segments stores a work request, and marks it as failed, before its last report
always @* if (store && store_stream == a_stream) stored_is_not_reported: assume (after_oldest >= reported_open && !reported_open[`WIDTH_store_slot]);

wire a_news = (is_updating || is_finishing) && update_stream_q == a_stream;

// ---- A completion as it appears, and what was known in the clock before
reg waited_q;
reg [`WIDTH_at_oldest_q-1:0] then_done_q;
reg then_reported_q, then_answered_q, then_closed_q, then_ended_q;
always @(posedge clk) begin
    waited_q        <= completion_valid && !completion_ready && !rst;
    then_done_q     <= done_q;
    then_reported_q <= reported_open != 0;
    then_answered_q <= answered_open != 0;
    then_closed_q   <= closed_q;
    then_ended_q    <= ended_q;
end
reg [`WIDTH_store_entry-1:0] then_entry_q;
always @(posedge clk) then_entry_q <= entry_q;
wire a_new        = completion_valid && !waited_q && completion_stream == a_stream;
wire succeeds     = completion_status == 0;
wire is_request_c = completion_opcode == READ_REQUEST || completion_opcode == ATOMIC_REQUEST;

// property none_invented: a work request completes only when its last command is reported, sent or dropped, or it is abandoned
// control none_invented: success | (is_out & at_ended_q) => success | at_ended_q
always @* if (started && a_new) none_invented: assert (then_reported_q);
// property in_order_once: the completion is of the oldest work request that is not done, with its id, opcode and length
// control in_order_once: oldest = is_updating ? stored_q => oldest = is_updating ? ~stored_q
always @* if (started && a_new && then_done_q[`WIDTH_store_slot-1:0] == a_slot)
    in_order_once: assert ({completion_id, completion_opcode} == then_entry_q[`WIDTH_store_entry-1 -: 68] && completion_length == then_entry_q[32:1]);
// property success_while_open: nothing succeeds once a command of the stream was dropped, a work request abandoned, or the stream ended
// control success_while_open: is_out & ~at_closed_q & => is_out &
always @* if (started && a_new && succeeds) success_while_open: assert (!then_closed_q);
// property request_has_answer: a Read or Atomic succeeds only when its response is there
// control request_has_answer: (~oldest_is_request | has_response) => (~oldest_returns_word | has_response)
always @* if (started && a_new && succeeds && is_request_c) request_has_answer: assert (then_answered_q);
// property flush_after_end: nothing is flushed, or completes as failed, before the stream has ended
// control flush_after_end: (is_out & at_ended_q) => (is_out & at_closed_q)
always @* if (started && a_new && !succeeds) flush_after_end: assert (then_ended_q);
// property success_is_signaled: what succeeds completes only if it is signaled
// control success_is_signaled: wire        completes        = done & (oldest_q[33] | ~success); => wire        completes        = done;
always @* if (started && a_new && succeeds && then_done_q[`WIDTH_store_slot-1:0] == a_slot) success_is_signaled: assert (then_entry_q[33]);
// property freed_after_sweep: no stream is freed in as many clocks after reset as there are streams
// control freed_after_sweep: (state_q == STATE_LISTENING) & swept_q => (state_q == STATE_LISTENING)
always @* if (started && !swept_q) freed_after_sweep: assert (!freed);
// property none_left_behind: between news of the stream nothing waits that could complete
// control none_left_behind: (~oldest_is_request | has_response) => has_response
wire oldest_asks = entry_q[37:34] == READ_REQUEST || entry_q[37:34] == ATOMIC_REQUEST;
always @* if (started && !a_news && reported_open != 0 && done_q[`WIDTH_store_slot-1:0] == a_slot)
    none_left_behind: assert (closed_q ? !ended_q : oldest_asks && answered_open == 0);

// ---- Invariants
localparam A = `WIDTH_at_oldest_q;
wire [`WIDTH_state-1:0] a_kept = a_news && is_updating ? stored_q : send_state[a_stream];
wire a_closed  = a_news && is_finishing ? at_closed_q : a_kept[4*A+1] || (a_news && update_closed_q);
wire a_ended   = a_news && is_finishing ? at_ended_q : a_kept[4*A] || (a_news && update_ended_q);
wire [A-1:0] a_oldest   = a_news && is_finishing ? at_oldest_q : a_kept[3*A +: A];
wire [A-1:0] a_sent     = a_news && is_finishing ? at_sent_q : a_kept[2*A +: A] + (a_news && update_sent_q);
wire [A-1:0] a_finished = a_news && is_finishing ? at_finished_q : a_kept[A +: A];
wire [A-1:0] a_answered = a_news && is_finishing ? at_answered_q : a_kept[0 +: A] + (a_news && update_answered_q);
// invariant state_is_kept: the stream's state is what is known of it
always @* if (started && (swept_q || sweep_q > a_stream)) state_is_kept: assert (a_closed == closed_q && a_ended == ended_q
    && a_oldest == done_q && a_sent == reports_q && a_finished == requests_q && a_answered == answers_q);
// invariant entry_is_kept: the slot holds what was stored in it, and is read when its turn comes
reg entry_known_q;
always @(posedge clk) entry_known_q <= !rst && (entry_known_q || (store && store_stream == a_stream && store_slot == a_slot));
// assume oldest_was_stored: what is reported was stored
always @* if (started && reported_open != 0 && done_q[`WIDTH_store_slot-1:0] == a_slot) oldest_was_stored: assume (entry_known_q);
always @* if (started && entry_known_q) entry_is_kept: assert (under_way[{a_stream, a_slot}] == entry_q);
always @* if (started && a_news && is_finishing && reported_open != 0 && done_q[`WIDTH_store_slot-1:0] == a_slot) entry_is_kept: assert (oldest_q == entry_q);
// invariant counts_fit: no more is reported, or answered, than the rings hold
always @* if (started) counts_fit: assert (reported_open <= `SEND_DEPTH && (ended_q || answered_open <= `SEND_DEPTH));
// invariant states: there is no fourth state, and none is left before every stream is swept
always @* if (started) states: assert (state_q != 3 && (!(is_updating || is_finishing) || swept_q));
// invariant quiet_before_swept: nothing is known of a stream before the first opening
always @* if (started && !swept_q) quiet_before_swept: assert (!completion_valid && state_q == STATE_LISTENING && closed_q && ended_q
    && reports_q == 0 && done_q == 0 && requests_q == 0 && answers_q == 0);
