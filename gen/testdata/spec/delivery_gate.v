// delivery_gate: items leave in order of arrival, each only once every placement issued before it is in memory, and none
// leaves with success after a failure of its stream. One arbitrary but fixed stream stands for all.
// depth 2
// bound 10
(* anyconst *) reg [`WIDTH_failed_stream-1:0] a_stream;

// assume placed_in_order: placement finishes placements in the order in which rx_check issued them, and only issued ones
reg [`WIDTH_placed-1:0] done_q;
reg [`WIDTH_issued-1:0] begun_q;
always @(posedge clk) begin
    done_q  <= rst ? 0 : placed;
    begun_q <= rst ? 0 : issued;
end
wire [`WIDTH_placed-1:0] finished = placed - done_q;
wire [`WIDTH_placed-1:0] under_way = begun_q - done_q;
always @* if (started) placed_in_order: assume (finished <= under_way);
// assume begun_in_order: rx_check issues at most one placement per cycle, and none while all numbers are in use; shown by rx_check/begun_by_one
always @* if (started) begun_in_order: assume (issued == begun_q || (issued == begun_q + 1'b1 && issued != done_q));

// assume one_kind: rx_check gives each item one kind; shown by rx_check/one_kind
localparam KINDS = `WIDTH_deliver_kind;
wire [KINDS-1:0] other_kinds = deliver_kind & (deliver_kind - 1'b1);
always @* if (started && deliver_valid) one_kind: assume (deliver_kind != 0 && other_kinds == 0);
localparam DELIVER_RECEIVE = 6'd1, DELIVER_RESPONSE = 6'd2, DELIVER_END = 6'd8, DELIVER_CLOSE = 6'd16;

// ---- The placement of the offered item: whether it was in memory in some cycle since the item was offered
wire [`WIDTH_placed-1:0] behind  = begun_q - deliver_place; // placements issued after that of the item, before this cycle
wire [`WIDTH_placed-1:0] missing = begun_q - done_q;        // placements that were not in memory in the cycle before
wire in_memory = behind >= missing;
reg  was_in_memory_q, a_waited_q;
always @(posedge clk) begin
    a_waited_q      <= deliver_valid && !deliver_ready && !rst;
    was_in_memory_q <= deliver_valid && !deliver_ready && !rst && (in_memory || was_in_memory_q);
end
wire left = deliver_valid && deliver_ready;

// property leaves_in_memory: an item leaves only once the placement that it names, and so all earlier ones, was in memory
// control leaves_in_memory: has_arrived   = cleared_q | ~is_pending => has_arrived   = cleared_q | (placed != deliver_place)
always @* if (started && left) leaves_in_memory: assert (in_memory || was_in_memory_q);
// property request_in_memory: a request is offered to the responder under the same condition
// control request_in_memory: is_able & has_arrived & passes => is_able & passes
always @* if (started && request_valid) request_in_memory: assert (deliver_valid && (in_memory || was_in_memory_q));

// ---- Failures of the stream, and whether the offered item is after one
reg  failed_q;   // a placement of the stream has failed since its opening
wire a_fails = failed_valid && failed_ready && failed_stream == a_stream;
wire a_opens = opening_valid && opening_ready && opening_stream == a_stream;
always @(posedge clk) failed_q <= !rst && (a_fails || (failed_q && !a_opens));
// The stream had failed when the placement of the offered item was first in memory.
wire for_a       = deliver_request_stream == a_stream;
wire is_first    = deliver_valid && in_memory && !was_in_memory_q;
reg  failed_then_q;
wire failed_then = is_first ? failed_q && !a_opens : failed_then_q;
always @(posedge clk) failed_then_q <= !rst && deliver_valid && !deliver_ready && failed_then;

// property no_success_after_failure: an item after a failed placement of its stream leaves as lost: no success, no response, no request
// control no_success_after_failure: (troubled_q & asked_q & stream_failed) => (troubled_q & asked_q & stream_failed & is_response)
// control no_success_after_failure: is_listed        = item_is_failed_0 | item_is_failed_1 => is_listed        = item_is_failed_0
always @* if (started && for_a && left && failed_then) no_success_after_failure: assert (is_lost);
// property no_request_after_failure: no request of the stream starts after it, only its end, or it goes on as one that is refused
// control no_request_after_failure: ((is_request | deliver_queue_releases) & ~is_lost) => (is_request | deliver_queue_releases)
wire spec_refuses; // of a form that refuses requests: what waits is released all the same
generate if (`HAS_kind_of_request) assign spec_refuses = is_request ? kind_of_request == REFUSAL : deliver_queue_releases; else assign spec_refuses = 1'b0; endgenerate
always @* if (started && for_a && request_valid && failed_then) no_request_after_failure: assert (ends || spec_refuses);
// property lost_has_failed: no item is lost without a failure of its stream
// control lost_has_failed: (troubled_q & asked_q & stream_failed) => (troubled_q & asked_q)
// control lost_has_failed: failed_0_valid_q & (failed_0_stream_q == deliver_request_stream) => (failed_0_stream_q == deliver_request_stream)
reg any_failed_q;
always @(posedge clk) any_failed_q <= !rst && (a_fails || any_failed_q);
always @* if (started && for_a && deliver_valid && is_lost) lost_has_failed: assert (any_failed_q);

// ---- Outputs: each item causes exactly the outputs of its kind, once, with its own values, in the next cycle at the latest
reg left_q, kind_receive_q, lost_q, answer_q, end_q, event_q;
reg [`WIDTH_failed_stream-1:0] stream_q;
reg [63:0] id_q;
reg [31:0] length_q;
always @(posedge clk) begin
    left_q         <= left && !rst;
    kind_receive_q <= left && !rst && deliver_kind == DELIVER_RECEIVE;
    answer_q       <= left && !rst && deliver_kind == DELIVER_RESPONSE && !is_lost;
    end_q          <= left && !rst && (deliver_kind == DELIVER_END || deliver_kind == DELIVER_CLOSE);
    event_q        <= left && !rst && ((is_solicited && !is_lost) || ends);
    lost_q         <= is_lost;
    stream_q       <= deliver_request_stream;
    id_q           <= deliver_id;
    length_q       <= deliver_length;
end
reg completion_waited_q, answer_waited_q, end_waited_q, event_waited_q;
always @(posedge clk) begin
    completion_waited_q <= completion_valid && !completion_ready && !rst;
    answer_waited_q     <= answered_valid && !answered_ready && !rst;
    end_waited_q        <= ended_valid && !ended_ready && !rst;
    event_waited_q      <= event_valid && !event_ready && !rst;
end
// property completion_each_receive: each receive completes once, in order, with its id and length, and an error if it is lost; nothing else completes
// control completion_each_receive: completion_status_q <= is_lost ? 2'd3 : 2'd0 => completion_status_q <= is_request ? 2'd3 : 2'd0
always @* if (started) completion_each_receive: assert ((completion_valid && !completion_waited_q) == kind_receive_q
    && (!kind_receive_q || (completion_stream == stream_q && completion_id == id_q && completion_length == length_q
        && completion_recv && completion_status == (lost_q ? 3 : 0))));
// property answer_each_answer: each response that is not lost is reported once to the requester
// control answer_each_answer: wire        wants_response = is_response & ~is_lost; => wire        wants_response = is_response;
always @* if (started) answer_each_answer: assert ((answered_valid && !answer_waited_q) == answer_q && (!answer_q || answered_stream == stream_q));
// property end_each_end: each end of a stream is reported once, lost or not
// control end_each_end: wants_end = ends; => wants_end = is_end;
always @* if (started) end_each_end: assert ((ended_valid && !end_waited_q) == end_q && (!end_q || ended_stream == stream_q));
// property event_each_end: each end and each solicited receive that is not lost raises an event, and nothing else does
// control event_each_end: (is_solicited & ~is_lost) | ends => (is_solicited & ~is_lost) | is_end
always @* if (started) event_each_end: assert ((event_valid && !event_waited_q) == event_q && (!event_q || event_stream == stream_q));
// property request_each_request: a request or release that is not lost, or is refused, and each end, goes to the responder in the cycle in which the item leaves
// control request_each_request: (is_request | deliver_queue_releases) => is_request
always @* if (started)
    request_each_request: assert ((request_valid && request_ready) == (left && (ends || ((is_request || deliver_queue_releases) && (!is_lost || `HAS_kind_of_request)))) && request_stream == deliver_request_stream);

// ---- Invariants
// invariant cleared_means_in_memory: the placement of a released item was in memory
always @* if (started && cleared_q) cleared_means_in_memory: assert (a_waited_q && was_in_memory_q && swept_q);
// invariant quiet_before_swept: nothing leaves until every stream's mark is cleared
always @* if (started && !swept_q) quiet_before_swept: assert (!completion_valid_q && !event_valid_q && !response_valid_q && !end_valid_q && !cleared_q
    && !troubled_q && !asked_q && !failed_q && !any_failed_q && !left_q);
// invariant vacant: a register for an output is free exactly if it is not offered
always @* if (started) vacant: assert ({completion_vacant_q, event_vacant_q, response_vacant_q, end_vacant_q} ==
    ~{completion_valid_q, event_valid_q, response_valid_q, end_valid_q});
// invariant mark_is_kept: the mark is set exactly if the stream has failed
always @* if (started && (swept_q || sweep_q > a_stream)) mark_is_kept: assert (failed[a_stream] == failed_q);
// invariant failure_is_known: a failed stream is in the list, or the list was too short; the list has failed streams only, each once
wire listed_0 = failed_0_valid_q && failed_0_stream_q == a_stream;
wire listed_1 = failed_1_valid_q && failed_1_stream_q == a_stream;
always @* if (started && failed_q) failure_is_known: assert (troubled_q || listed_0 || listed_1);
always @* if (started && (listed_0 || listed_1)) failure_is_known: assert (failed_q && !(listed_0 && listed_1));
always @* if (started && failed_q) failure_is_known: assert (any_failed_q);
always @* if (started && (any_failed_q || troubled_q || failed_0_valid_q || failed_1_valid_q)) failure_is_known: assert (swept_q);
// invariant kept_is_of_failed: what a released item keeps
always @* if (started && for_a && cleared_q && was_lost_q) kept_is_of_failed: assert (any_failed_q);
// invariant asked_is_offered: the mark is read for the offered item
always @* if (started && asked_q) asked_is_offered: assert (a_waited_q && troubled_q && was_in_memory_q);
// invariant failure_was_read: a failure before the item's placement was in memory has been read
always @* if (started && for_a && failed_then_q) failure_was_read: assert (was_in_memory_q && (cleared_q ? was_lost_q : asked_q && stream_failed));
