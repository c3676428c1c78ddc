// rx_check: the queue managers of queues 0 to 3. What leaves for one stream is watched at the ports and counted; the counts say
// what may leave next. One stream stands for all: it is arbitrary but fixed. What is counted here is what stream_state holds.
// uses rule_terminate
// depth 1
// bound 14
(* anyconst *) reg [`WIDTH_record_stream-1:0] a_stream;

// assume classified: ddp_parser marks a segment whose T bit does not belong to its opcode, and one with an unknown opcode, as wrong; shown by ddp_parser/tag_and_opcode
wire [7:0] in_flags  = record_header[7:0];
wire [7:0] in_opcode = record_header[15:8];
always @* if (record_valid && record_rule == 0)
    classified: assume (in_opcode[3:0] < 12 && in_flags[7] == (in_opcode[3:0] == 0 || in_opcode[3:0] == 2));
// assume ring_holds: receive_ring keeps what it gives until it is read again; shown by receive_ring/stays_read
// assume row_holds: stag_table keeps what it gives until the port's next lookup; shown by stag_table/stays_found
reg [`WIDTH_ring_entry-1:0]   ring_entry_q;
reg [`WIDTH_ring_posted-1:0]  ring_posted_q;
reg [`WIDTH_region_entry-1:0] region_entry_q;
reg ring_was_read_q, row_was_read_q;
always @(posedge clk) begin
    ring_entry_q    <= ring_entry;
    ring_posted_q   <= ring_posted;
    region_entry_q  <= region_entry;
    ring_was_read_q <= ring_enable || rst;
    row_was_read_q  <= region_enable || rst;
end
always @* if (started && !ring_was_read_q) ring_holds: assume (ring_entry == ring_entry_q && ring_posted == ring_posted_q);
always @* if (started && !row_was_read_q) row_holds: assume (region_entry == region_entry_q);

// ---- What is seen at the ports in this clock: an item is new in the first clock in which it is offered
reg deliver_waited_q, place_waited_q;
reg a_opened_q, opened_open_q;
always @(posedge clk) begin
    deliver_waited_q <= deliver_valid && !deliver_ready && !rst;
    place_waited_q   <= place_valid && !place_ready && !rst;
    a_opened_q       <= opens && held_stream_q == a_stream && !rst;
    opened_open_q    <= opening_open_q;
end
wire delivered   = deliver_valid && !deliver_waited_q;
wire a_delivered = delivered && deliver_request_stream == a_stream;
wire a_placed    = place_valid && !place_waited_q && place_stream == a_stream;
wire a_received  = a_delivered && deliver_kind == DELIVER_RECEIVE;
wire a_answered  = a_delivered && deliver_kind == DELIVER_ANSWER;
wire a_requested = a_delivered && deliver_kind == DELIVER_REQUEST;
wire a_ended     = a_delivered && (deliver_kind == DELIVER_END || deliver_kind == DELIVER_SHUT);
wire a_wrote     = a_placed && !place_discard;
wire a_original  = a_wrote && place_inline;
wire a_atomic    = a_requested && deliver_request_kind == REQUEST_ATOMIC;

// ---- The segment behind it, as it was decided on
reg        was_send_q;
reg [31:0] its_mo_q, its_room_q;
reg [15:0] its_payload_q;
reg        its_last_q, was_segment_q;
always @(posedge clk) begin
    its_mo_q      <= header[447:416];
    its_room_q    <= ring_entry[31:0];
    its_payload_q <= held_payload_length_q;
    its_last_q    <= header[558];
    was_send_q    <= is_send;
    was_segment_q <= is_segment && fire && held_stream_q == a_stream && !rst;
end

// ---- What is counted since the stream's opening, before this clock's items and with them
reg        open_q,        // opened and not ended
           within_q;
reg [31:0] receive_msn_q, request_msn_q, atomic_msn_q, answer_msn_q, offset_q;
reg [`WIDTH_placed-1:0]       place_q;
reg [`WIDTH_now_consumed-1:0] consumed_q;
reg [`WIDTH_now_awaited-1:0]  awaited_count_q;
wire        open_next        = a_opened_q ? opened_open_q : open_q && !a_ended;
wire [31:0] receive_msn_next = a_opened_q ? 1 : receive_msn_q + a_received;
wire [31:0] request_msn_next = a_opened_q ? 1 : request_msn_q + a_requested;
wire [31:0] atomic_msn_next  = a_opened_q ? 1 : atomic_msn_q + a_atomic;
wire [31:0] answer_msn_next  = a_opened_q ? 1 : answer_msn_q + a_original;
wire [31:0] offset_placed    = offset_q + (a_wrote && was_send_q ? place_length : 0);
wire [31:0] offset_next      = a_opened_q || (a_received && was_send_q) ? 0 : offset_placed;
wire [`WIDTH_placed-1:0]       place_next    = a_opened_q ? 0 : a_wrote ? begun : place_q;
wire [`WIDTH_now_consumed-1:0] consumed_next = a_opened_q ? 0 : consumed_q + a_received;
wire [`WIDTH_now_awaited-1:0]  awaited_next  = a_opened_q ? 0 : awaited_count_q + a_answered;
always @(posedge clk) begin
    open_q          <= open_next && !rst;
    receive_msn_q   <= rst ? 0 : receive_msn_next;
    request_msn_q   <= rst ? 0 : request_msn_next;
    atomic_msn_q    <= rst ? 0 : atomic_msn_next;
    answer_msn_q    <= rst ? 0 : answer_msn_next;
    offset_q        <= rst ? 0 : offset_next;
    place_q         <= rst ? 0 : place_next;
    consumed_q      <= rst ? 0 : consumed_next;
    awaited_count_q <= rst ? 0 : awaited_next;
end

// property nothing_after_end: after a stream's first error, or the peer's Terminate, nothing of it is delivered until it is opened anew
// twin nothing_after_end: now_open & ~(terminates | is_shut) => now_open & ~is_shut
always @* if (started && a_delivered) nothing_after_end: assert (open_q);
// property no_write_after_end: nor is any of its payload placed
// twin no_write_after_end: wire        is_right          = is_segment & now_open & => wire        is_right          = is_segment &
always @* if (started && a_wrote) no_write_after_end: assert (open_q);
// property no_write_with_error: the segment with the error is not placed
// twin no_write_with_error: wire        is_right          = is_segment & now_open & ~breaks_rule; => wire        is_right          = is_segment & now_open;
always @* if (started && a_delivered && deliver_kind == DELIVER_END) no_write_with_error: assert (!a_wrote);
// property rule_has_its_terminate: the Terminate of each rule has the layer, type and code of the RFCs
// twin rule_has_its_terminate: (broken_rule == RULE_CANNOT_INVALIDATE)     ? {4'd0, 4'd1, 8'h09} => (broken_rule == RULE_CANNOT_INVALIDATE)     ? {4'd0, 4'd2, 8'h09}
wire [15:0] spec_terminate;
rule_terminate spec_of_rule (.rule(broken_rule), .terminate(spec_terminate));
always @* if (started && count_errors) rule_has_its_terminate: assert (broken_rule != 0 && terminate_of_rule == spec_terminate);
// property one_terminate: a stream is ended at most once after its opening
// twin one_terminate: (held_is_failure_q & now_open) => held_is_failure_q
always @* if (started && a_ended) one_terminate: assert (open_q);

// property receive_msn: messages of queue 0 are delivered with MSN 1, 2, 3 ... modulo 2^32 (RFC 5041 section 7)
// twin receive_msn: (receives & (msn != now_receive_msn)) => (receives & (msn < now_receive_msn))
always @* if (started && a_received) receive_msn: assert (deliver_request_number == receive_msn_q);
// property request_msn: requests of queue 1 are delivered with MSN 1, 2, 3 ...
// twin request_msn: (asks & (msn != now_request_msn)) => (is_read_request & (msn != now_request_msn))
always @* if (started && a_requested) request_msn: assert (deliver_request_number == request_msn_q);
// property terminate_msn: the peer's Terminate, on queue 2, has MSN 1
// twin terminate_msn: (is_terminate & (msn != 32'd1)) => (is_terminate & (msn == 32'd0))
always @* if (started && a_delivered && deliver_kind == DELIVER_SHUT) terminate_msn: assert (deliver_request_number == 1);
// property answer_msn: Atomic Responses, on queue 3, are delivered with MSN 1, 2, 3 ...
// twin answer_msn: now_answer_msn + {31'd0, places_word} => now_answer_msn + {31'd0, completes_answer}
always @* if (started && a_answered && deliver_opcode == ATOMIC_RESPONSE) answer_msn: assert (a_original && deliver_request_number == answer_msn_q);
// property response_msn: Atomic Requests get the MSN of their response on queue 3 in order: 1, 2, 3 ...
// twin response_msn: now_response_msn + {31'd0, is_right & asks_reply} => now_response_msn + {31'd0, requests}
always @* if (started && a_atomic) response_msn: assert (deliver_request_response_msn == atomic_msn_q);

// property mo_continues: a segment of a Send that is placed begins where its message ended so far
// twin mo_continues: (mo != now_offset) => (mo < now_offset)
always @* if (started && a_wrote && was_send_q) mo_continues: assert (its_mo_q == offset_q);
// property message_fits: no octet of a Send is placed beyond the receive request's buffer
// twin message_fits: {1'b0, request_length} < message_end => {1'b0, request_length} < {1'b0, now_offset}
always @* if (started && a_wrote && was_send_q) message_fits: assert ({1'b0, offset_q} + place_length <= its_room_q);
// property message_length: a Send is delivered, on its segment with L, with the sum of what was placed of it
// twin message_length: (progress & {32{~is_last}}) => progress
always @* if (started && a_received && was_send_q) message_length: assert (its_last_q && deliver_length == offset_placed);
// property payload_leaves_once: each segment's payload leaves as one placement or discard of its length, and nothing else does
// twin payload_leaves_once: wire        discards          = is_segment & (|held_payload_length_q) & ~places; => wire        discards          = is_segment & (|held_payload_length_q) & ~places & now_open;
always @* if (started && a_stream == place_stream)
    payload_leaves_once: assert (a_placed == (was_segment_q && (its_payload_q != 0 || a_original)) && (!a_placed || place_inline || place_length == its_payload_q));

// property receive_used_once: each message on queue 0 uses the next receive request, and nothing else uses one
// twin receive_used_once: assign consumed_valid                 = fire & completes_receive; => assign consumed_valid                 = fire & is_right & receives;
reg used_q;
always @(posedge clk) used_q <= consumed_valid && consumed_stream == a_stream && !rst;
always @* if (started) receive_used_once: assert (used_q == a_received && (!consumed_valid || consumed_stream != a_stream || consumed_count == consumed_next + 1'b1));
// property kill_is_entitled: an STag is invalidated only by a Send that is delivered, for a row that is valid, the stream's, and permits it
// twin kill_is_entitled: is_invalidating & is_last & ~may_be_invalidated => is_invalidating & is_last & ~invalidated_row_valid
reg killed_q;
always @(posedge clk) killed_q <= kill && held_stream_q == a_stream && !rst;
// property delivery_waits_for_placements: an item names the latest placement of its stream, so that it waits for all before it
// twin delivery_waits_for_placements: places ? next_place : now_place => places ? begun_q : now_place
always @* if (started && a_delivered && !killed_q) delivery_waits_for_placements: assert (deliver_place == place_next);
// property invalidation_waits_for_placements: a Send that invalidates an STag waits for the placements of all streams
// twin invalidation_waits_for_placements: (completes_receive & is_invalidating & ~places) ? begun_q => (completes_receive & is_invalidating & ~places) ? now_place
always @* if (started && a_delivered && killed_q) invalidation_waits_for_placements: assert (deliver_place == begun);
always @* if (started && kill) kill_is_entitled: assert (invalidated_row_valid && invalidated_row_key == header[519:512]
    && invalidated_row_rights_invalidate && invalidated_row_owner == (invalidated_row_by_domain ? now_domain : held_stream_q));
always @* if (started && killed_q) kill_is_entitled: assert (a_received);

// ---- Queue 1 and 3 against what is outstanding
// property ird_kept: no request is delivered while IRD requests wait for their answer (RFC 5040 section 5.1, 6.1)
// twin ird_kept: < unanswered) => < now_received)
reg [31:0] answered_now_q, answered_then_q;
wire a_credit = credit_valid && credit_ready && credit_stream == a_stream;
always @(posedge clk) begin
    answered_now_q <= rst || (opens && held_stream_q == a_stream) ? 0 : a_credit ? credit_number : answered_now_q;
    if (take) answered_then_q <= opens && held_stream_q == a_stream ? 0 : a_credit ? credit_number : answered_now_q;
end
reg [31:0] unanswered_then_q;
always @(posedge clk) unanswered_then_q <= request_msn_next - answered_then_q;
always @* if (started && a_requested) ird_kept: assert (unanswered_then_q <= `IRD);
// ---- Memory against the regions, queue 3 and Read Responses against what was asked for
reg [`WIDTH_region_entry-1:0] its_row_q;
reg [31:0] its_stag_q, its_identifier_q;
reg        was_answer_q, was_atomic_q;
always @(posedge clk) begin
    its_row_q        <= region_entry;
    its_stag_q       <= region_stag_q;
    its_identifier_q <= identifier;
    was_answer_q     <= is_read_response || is_atomic_response;
    was_atomic_q     <= is_atomic_response;
end
reg  [63:0] its_to_q;
always @(posedge clk) its_to_q <= region_to_q;
wire [63:0] its_base = its_row_q[191:128], its_length = its_row_q[127:64], its_address = its_row_q[63:0];
// property placed_within_region: no octet is placed outside of the region that was looked up for it (RFC 5040 section 8.2, RFC 5041 section 5.2)
// twin placed_within_region: (region_slack[65] | (region_to_q < region_base)) => (region_to_q < region_base)
// twin placed_within_region: (region_slack[65] | (region_to_q < region_base)) => region_slack[65]
always @* if (started && a_wrote) placed_within_region: assert (its_row_q[`WIDTH_region_entry-1] && its_to_q >= its_base &&
    {2'd0, its_to_q} + place_length <= {2'd0, its_base} + its_length && place_address == its_address + its_to_q - its_base);
// property begun_by_one: at most one placement begins in a clock, and none with a number that one has which is not in memory
// twin begun_by_one: has_number = next_place != placed => has_number = 1'b1
always @(posedge clk) if (started && !$past(rst)) begun_by_one: assert (begun == $past(begun) || begun == $past(begun) + 1'b1 && begun != $past(placed));
// property places_something: no placement is of no octets
// twin places_something: (is_right & (|held_payload_length_q) & => (is_right &
always @* if (started && place_valid) places_something: assert (place_length != 0);

// What the requester asked for since the opening, before an answer was looked up, and what it stored in one slot, any.
(* anyconst *) reg [`WIDTH_now_awaited-2:0] a_slot;
wire a_asks   = expecting_valid && expecting_ready && expecting_stream == a_stream;
wire a_stores = a_asks && asked_count_q[`WIDTH_now_awaited-2:0] == a_slot;
reg  [`WIDTH_now_awaited-1:0] asked_count_q, asked_then_q;
reg  [`WIDTH_awaited_q-1:0]   entry_q, its_entry_q;
reg  entry_known_q, its_entry_known_q;
wire [`WIDTH_now_awaited-1:0] asked_next = opens && held_stream_q == a_stream ? 0 : asked_count_q + a_asks;
wire [`WIDTH_awaited_q-1:0]   entry_next = a_stores ? {expecting_executor, expecting_identifier, expecting_stag, expecting_to, expecting_length} : entry_q;
always @(posedge clk) begin
    asked_count_q <= rst ? 0 : asked_next;
    entry_q       <= entry_next;
    entry_known_q <= !rst && (entry_known_q || a_stores);
    if (is_reading) {asked_then_q, its_entry_q, its_entry_known_q} <= {asked_next, entry_next, entry_known_q || a_stores};
end
// property answer_was_asked_for: a Read Response or Atomic Response is taken only while one is waited for that was asked, and is
// of its kind and for its sink STag, or with its Request Identifier (RFC 5040 section 5.2.1, RFC 7306 section 5.1)
// twin answer_was_asked_for: awaits_nothing = asked_now == now_awaited => awaits_nothing = 1'b0
// twin answer_was_asked_for: (identifier != oldest_identifier) => 1'b0
// twin answer_was_asked_for: (region_stag_q != oldest_stag) => 1'b0
wire a_took_answer = a_answered || a_wrote && was_answer_q;
always @* if (started && a_took_answer) answer_was_asked_for: assert (was_answer_q && asked_then_q != awaited_count_q);
always @* if (started && a_took_answer && its_entry_known_q && awaited_count_q[`WIDTH_now_awaited-2:0] == a_slot)
    answer_was_asked_for: assert (its_entry_q[`WIDTH_awaited_q-1] == was_atomic_q &&
        (was_atomic_q ? its_entry_q[159:128] == its_identifier_q : !a_wrote || its_entry_q[127:96] == its_stag_q));
// ---- Requests that come inside another message
reg sending_q, writing_q, answering_q, incomplete_then_q, completes_q;
reg [`WIDTH_now_waiting-1:0] waiting_q, waiting_then_q;
wire a_right   = fire && is_right && held_stream_q == a_stream;
wire a_begins  = fire && held_is_opening_q && held_stream_q == a_stream;
wire sending   = a_right && is_send ? !is_last : sending_q;
wire writing   = a_right && is_write ? !is_last : writing_q;
wire answering = a_right && is_read_response ? !is_last : answering_q;
wire incomplete = sending_q || writing_q || answering_q;
wire completes  = a_right && incomplete && !sending && !writing && !answering;
always @(posedge clk) begin
    sending_q   <= sending   && !a_begins && !rst;
    writing_q   <= writing   && !a_begins && !rst;
    answering_q <= answering && !a_begins && !rst;
    waiting_q   <= a_begins || completes || rst ? 0 : waiting_q + (a_right && asks && incomplete);
    incomplete_then_q <= incomplete;
    completes_q       <= completes && !rst;
    waiting_then_q    <= waiting_q;
end
// property waits_inside: a request waits when it comes inside a Send, RDMA Write or Read Response of its stream, and nothing else does
// twin waits_inside: requests & (now_within | now_writing | now_answering) => requests & (now_within | now_answering)
// twin waits_inside: requests & (now_within | now_writing | now_answering) => requests & (now_writing | now_answering)
always @* if (started && a_delivered) waits_inside: assert (deliver_queue_waits == (a_requested && incomplete_then_q));
// property released_when_complete: the segment with which nothing is incomplete any more releases all that wait, and no other does
// twin released_when_complete: is_right & (|now_waiting) & ~(still_within | still_writing | still_answering) => is_right & (|now_waiting) & ~(still_within | still_answering)
// twin released_when_complete: wire only_releases   = releases & is_write; => wire only_releases   = 1'b0;
always @* if (started && a_delivered) released_when_complete: assert (deliver_queue_released == (completes_q ? waiting_then_q : 0));
always @* if (started && completes_q && waiting_then_q != 0) released_when_complete: assert (a_delivered);
// property begins_outside: a Send, Immediate Data or response that is delivered did not begin inside another message
// twin begins_outside: (receives & ~now_within & inside_tagged) => 1'b0
reg inside_then_q;
wire begins = is_send || is_immediate ? !sending_q : is_read_response ? !answering_q : is_atomic_response;
always @(posedge clk) inside_then_q <= a_right && begins && (is_send || is_immediate ? writing_q || answering_q : incomplete) && !rst;
always @* if (started) begins_outside: assert (!inside_then_q);

// ---- Invariants
wire a_known = swept_q || sweep_q > a_stream;
wire [`WIDTH_stream_state_now-1:0] a_state = swept_q && update_valid_q && update_stream_q == a_stream ? update_q : stream_state[a_stream];
wire a_open, a_within, a_writing, a_answering;
wire [`WIDTH_now_waiting-1:0] a_waiting;
wire [15:0] a_domain;
wire [`WIDTH_placed-1:0] a_place;
wire [31:0] a_receive_msn, a_offset, a_request_msn, a_atomic_msn, a_answer_msn, a_octets;
wire [3:0] a_opcode;
wire [`WIDTH_now_consumed-1:0] a_consumed;
wire [`WIDTH_now_awaited-1:0] a_awaited;
assign {a_open, a_domain, a_place, a_receive_msn, a_within, a_opcode, a_offset, a_consumed, a_request_msn, a_atomic_msn,
    a_answer_msn, a_awaited, a_octets, a_writing, a_answering, a_waiting} = a_state;
// invariant open_is_kept: the state says whether the stream is open
always @* if (started && a_known) open_is_kept: assert (a_open == open_next);
// invariant messages_are_kept: the state says which messages are incomplete, and how many requests wait
always @* if (started && a_known) messages_are_kept: assert (a_within == sending_q && a_writing == writing_q && a_answering == answering_q && a_waiting == waiting_q
    && (incomplete || waiting_q == 0));
always @* if (started && !a_known) messages_are_kept: assert (!incomplete && waiting_q == 0 && !completes_q);
// invariant counts_are_kept: the state holds what was counted
always @* if (started && a_known) counts_are_kept: assert (a_receive_msn == receive_msn_next && a_request_msn == request_msn_next
    && a_atomic_msn == atomic_msn_next && a_answer_msn == answer_msn_next && a_place == place_next
    && a_consumed == consumed_next && a_awaited == awaited_next && a_offset == offset_next);
// invariant state_is_read: what was read of the stream is its state
always @* if (started && swept_q && held_valid_q && held_stream_q == a_stream) state_is_read: assert (stream_state_now == a_state);
// invariant quiet_before_swept: until every stream is shut nothing is held, decided or offered
always @* if (started && !swept_q) quiet_before_swept: assert (!held_valid_q && !update_valid_q && !deliver_valid && !place_valid
    && step_q == STEP_DECIDING && !open_q && !a_opened_q && !asked_is_read_q && receive_msn_q == 0 && request_msn_q == 0 && atomic_msn_q == 0
    && answer_msn_q == 0 && offset_q == 0 && place_q == 0 && consumed_q == 0 && awaited_count_q == 0 && answered_now_q == 0
    && begun == 0);
// invariant steps: only a segment is looked up, and no Write or request
always @* if (started) steps: assert (step_q != 3 && (step_q == STEP_DECIDING || (held_valid_q && is_segment && !is_write && !asks)) && !(held_is_opening_q && held_is_failure_q && held_valid_q));
// invariant decided: what is new at the ports was decided on in the clock before
always @* if (started) decided: assert ((!a_placed && !a_delivered) || (update_valid_q && update_stream_q == a_stream && !a_opened_q));
// invariant segments_are_classified: what the parser guarantees holds for what is held
always @* if (started && held_valid_q && is_segment && held_rule_q == 0)
    segments_are_classified: assert (opcode < 12 && is_tagged == (is_write || is_read_response));
// invariant answered_is_read: the credit is as it was when the segment was taken
always @* if (started && a_known) answered_is_read: assert (answered_msn[a_stream] == answered_now_q);
always @* if (started && held_valid_q && held_stream_q == a_stream) answered_is_read: assert (answered_msn_q == answered_then_q);
// invariant region_is_of_payload: the octets that are looked up are those that are placed
always @* if (started && held_valid_q && is_segment && held_rule_q == 0 && (is_tagged || step_q == STEP_DECIDING))
    region_is_of_payload: assert (!(is_tagged || is_send || is_atomic_response) ||
        region_length_q == (is_atomic_response ? 8 : held_payload_length_q));
// invariant asked_is_kept: memory holds what was asked for, and what was read of it is that
wire a_looked_up = held_valid_q && is_segment && held_stream_q == a_stream && (is_read_response || is_atomic_response) && !is_reading;
always @* if (started && a_known) asked_is_kept: assert (asked[a_stream] == asked_count_q);
always @* if (started && asked_is_read_q) asked_is_kept: assert (expecting_valid && (expecting_stream != a_stream || asked_before == asked_count_q));
always @* if (started && entry_known_q) asked_is_kept: assert (awaited[{a_stream, a_slot}] == entry_q);
always @* if (started && !a_known) asked_is_kept: assert (asked_count_q == 0);
always @* if (started && a_looked_up) asked_is_kept: assert (asked_now == asked_then_q);
always @* if (started && a_looked_up && its_entry_known_q && now_awaited[`WIDTH_now_awaited-2:0] == a_slot) asked_is_kept: assert (awaited_q == its_entry_q);
