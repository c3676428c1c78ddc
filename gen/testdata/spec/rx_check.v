// rx_check: the queue managers of queues 0 to 3. What leaves for one stream is watched in the registers in front of the buffers and counted;
// the counts say what may leave next. One stream stands for all: it is arbitrary but fixed.
// uses rule_terminate
// uses ddp_opcode
// depth 1
// bound 24
(* anyconst *) reg [`WIDTH_record_stream-1:0] a_stream;

// assume classified: ddp_parser marks a segment whose T bit does not belong to its opcode, and one with an unknown opcode, as wrong; shown by ddp_parser/tag_and_opcode
wire [7:0] in_flags  = record_header[7:0];
wire [7:0] in_opcode = record_header[15:8];
wire in_known, in_tagged;
ddp_opcode #(.COMMIT(`COMMIT)) in_message (.opcode(in_opcode[4:0]), .known(in_known), .in_tagged(in_tagged), .queue(), .data(), .single(), .octets(), .at_least(), .replied(), .request());
always @* if (record_valid && record_rule == 0) classified: assume (in_known && in_flags[7] == in_tagged);

// ---- What a segment was decided by, until it leaves
reg        opening_10_q, opens_10_q, answering_9_q, answering_10_q, last_9_q, last_10_q, uses_region_9_q;
reg [31:0] room_5_q, room_6_q, room_7_q, room_8_q, room_9_q, room_10_q, room_q;
reg [`WIDTH_region_entry-1:0] row_7_q, row_8_q, row_9_q, row_10_q, row_q;
reg [63:0] to_7_q, to_8_q, to_9_q, to_10_q, to_q;
reg [31:0] stag_7_q, stag_8_q, stag_9_q, stag_10_q, stag_q;
reg [31:0] id_7_q, id_8_q, id_9_q, id_10_q, id_q;
reg        entitled_7_q, entitled_8_q, entitled_9_q;
reg [31:0] answered_3_q, answered_4_q, answered_5_q, answered_6_q, answered_7_q, answered_8_q, answered_9_q, answered_10_q, answered_then_q;
wire entitled = invalidated_row_valid && invalidated_row_key == invalidate_stag_6_q[7:0] && invalidated_row_rights_invalidate
    && invalidated_row_owner == (invalidated_row_by_domain ? domain_6_q : stream_6_q);
always @(posedge clk) begin
    {opening_10_q, opens_10_q} <= {is_opening_9_q, opens_9_q};
    {answering_10_q, answering_9_q} <= {answering_9_q, is_read_response_8_q};
    {last_10_q, last_9_q} <= {last_9_q, is_last_8_q};
    uses_region_9_q <= uses_region;
    {room_q, room_10_q, room_9_q, room_8_q, room_7_q, room_6_q, room_5_q} <= {room_10_q, room_9_q, room_8_q, room_7_q, room_6_q, room_5_q, request_length};
    {row_q, row_10_q, row_9_q, row_8_q, row_7_q} <= {row_10_q, row_9_q, row_8_q, row_7_q, region_entry_6_q};
    {to_q, to_10_q, to_9_q, to_8_q, to_7_q} <= {to_10_q, to_9_q, to_8_q, to_7_q, region_to_6_q};
    {stag_q, stag_10_q, stag_9_q, stag_8_q, stag_7_q} <= {stag_10_q, stag_9_q, stag_8_q, stag_7_q, its_stag_6_q};
    {id_q, id_10_q, id_9_q, id_8_q, id_7_q} <= {id_10_q, id_9_q, id_8_q, id_7_q, its_id_6_q};
    {entitled_9_q, entitled_8_q, entitled_7_q} <= {entitled_8_q, entitled_7_q, entitled};
    {answered_then_q, answered_10_q, answered_9_q, answered_8_q, answered_7_q, answered_6_q, answered_5_q, answered_4_q, answered_3_q} <=
        {answered_10_q, answered_9_q, answered_8_q, answered_7_q, answered_6_q, answered_5_q, answered_4_q, answered_3_q, answered_now_q};
end
reg [31:0] its_stag_6_q, its_stag_5_q, its_id_6_q, its_id_5_q;
always @(posedge clk) {its_stag_6_q, its_stag_5_q, its_id_6_q, its_id_5_q} <= {its_stag_5_q, region_stag, its_id_5_q, identifier_4_q};

// ---- What leaves in this clock
reg a_was_there_q, a_opened_q, opened_open_q, a_ended_q;
// What has just entered the buffers.
reg [`WIDTH_deliveries_in_kind-1:0] deliveries_kind_q;
reg [`WIDTH_deliveries_in_length-1:0] deliveries_length_q;
reg [`WIDTH_deliveries_in_opcode-1:0] deliveries_opcode_q;
reg [`WIDTH_deliveries_in_place-1:0] deliveries_place_q;
reg [`WIDTH_deliveries_in_queue_releases-1:0] deliveries_queue_releases_q;
reg [`WIDTH_deliveries_in_queue_waits-1:0] deliveries_queue_waits_q;
reg [`WIDTH_deliveries_in_request_kind-1:0] deliveries_request_kind_q;
reg [`WIDTH_deliveries_in_request_number-1:0] deliveries_request_number_q;
reg [`WIDTH_deliveries_in_request_response_msn-1:0] deliveries_request_response_msn_q;
reg [`WIDTH_deliveries_in_request_stream-1:0] deliveries_request_stream_q;
reg [`WIDTH_deliveries_in_valid-1:0] deliveries_valid_q;
reg [`WIDTH_places_in_address-1:0] places_address_q;
reg [`WIDTH_places_in_discard-1:0] places_discard_q;
reg [`WIDTH_places_in_inline-1:0] places_inline_q;
reg [`WIDTH_places_in_length-1:0] places_length_q;
reg [`WIDTH_places_in_stream-1:0] places_stream_q;
reg [`WIDTH_places_in_valid-1:0] places_valid_q;
always @(posedge clk) begin
    if (deliveries_in_valid) deliveries_kind_q <= deliveries_in_kind;
    if (deliveries_in_valid) deliveries_length_q <= deliveries_in_length;
    if (deliveries_in_valid) deliveries_opcode_q <= deliveries_in_opcode;
    if (deliveries_in_valid) deliveries_place_q <= deliveries_in_place;
    if (deliveries_in_valid) deliveries_queue_releases_q <= deliveries_in_queue_releases;
    if (deliveries_in_valid) deliveries_queue_waits_q <= deliveries_in_queue_waits;
    if (deliveries_in_valid) deliveries_request_kind_q <= deliveries_in_request_kind;
    if (deliveries_in_valid) deliveries_request_number_q <= deliveries_in_request_number;
    if (deliveries_in_valid) deliveries_request_response_msn_q <= deliveries_in_request_response_msn;
    if (deliveries_in_valid) deliveries_request_stream_q <= deliveries_in_request_stream;
    deliveries_valid_q <= deliveries_in_valid && !rst;
    if (places_in_valid) places_address_q <= places_in_address;
    if (places_in_valid) places_discard_q <= places_in_discard;
    if (places_in_valid) places_inline_q <= places_in_inline;
    if (places_in_valid) places_length_q <= places_in_length;
    if (places_in_valid) places_stream_q <= places_in_stream;
    places_valid_q <= places_in_valid && !rst;
end
wire a_is_there = valid_10_q && stream_10_q == a_stream;
always @(posedge clk) begin
    a_was_there_q <= a_is_there && !rst;
    a_opened_q    <= a_is_there && opening_10_q && !rst;
    opened_open_q <= opens_10_q;
    a_ended_q     <= a_is_there && (terminates_10_q || is_close_10_q) && !rst;
end
wire delivered   = deliveries_valid_q;
wire a_delivered = delivered && deliveries_request_stream_q == a_stream;
wire a_placed    = places_valid_q && places_stream_q == a_stream;
wire a_received  = a_delivered && deliveries_kind_q == DELIVER_RECEIVE;
wire a_answered  = a_delivered && deliveries_kind_q == DELIVER_RESPONSE;
wire a_requested = a_delivered && deliveries_kind_q == DELIVER_REQUEST;
wire a_ended     = a_ended_q;
wire a_wrote     = a_placed && !places_discard_q;
wire a_original  = a_wrote && places_inline_q;
wire delivered_replied;
wire [31:0] delivered_queue;
ddp_opcode #(.COMMIT(`COMMIT)) delivered_message (.opcode(deliveries_opcode_q), .known(), .in_tagged(), .queue(delivered_queue), .data(), .single(), .octets(), .at_least(), .replied(delivered_replied),
    .request());
wire a_replied   = a_requested && delivered_replied; // its response goes to queue 3

// ---- The segment behind it
reg        was_send_q;
reg [31:0] its_mo_q;
reg [15:0] its_payload_q;
reg        its_last_q, was_segment_q;
always @(posedge clk) begin
    its_mo_q      <= leaving[447:416];
    its_payload_q <= leaving_record[575:560];
    its_last_q    <= leaving[558];
    was_send_q    <= is_send_10_q;
    was_segment_q <= is_segment_10_q && a_is_there && !rst;
end

// ---- What is counted since the stream's opening, before this clock's items and with them
reg        open_q;        // opened and not ended
reg [31:0] receive_msn_q, request_msn_q, reply_msn_q, answer_msn_q, offset_q;
reg [`WIDTH_placed-1:0]       place_q;
reg [`WIDTH_now_consumed-1:0] consumed_q;
reg [`WIDTH_now_awaited-1:0]  awaited_count_q;
wire        open_next        = a_opened_q ? opened_open_q : open_q && !a_ended;
wire [31:0] receive_msn_next = a_opened_q ? 1 : receive_msn_q + a_received;
wire [31:0] request_msn_next = a_opened_q ? 1 : request_msn_q + a_requested;
wire [31:0] reply_msn_next   = a_opened_q ? 1 : reply_msn_q + a_replied;
wire [31:0] answer_msn_next  = a_opened_q ? 1 : answer_msn_q + a_original;
wire [31:0] offset_placed    = offset_q + (a_wrote && was_send_q ? places_length_q : 0);
wire [31:0] offset_next      = a_opened_q || (a_received && was_send_q) ? 0 : offset_placed;
wire [`WIDTH_now_consumed-1:0] consumed_next = a_opened_q ? 0 : consumed_q + a_received;
wire [`WIDTH_now_awaited-1:0]  awaited_next  = a_opened_q ? 0 : awaited_count_q + a_answered;
reg  [`WIDTH_placed-1:0]       begun_then_q;
always @(posedge clk) begun_then_q <= issued;
wire begins_in_far; // the placement in stage 10 is in far memory: it has no number
wire waits_for_far; // the item in stage 10 waits for all that are
generate if (`HAS_begins_far_10_q) assign {begins_in_far, waits_for_far} = {begins_far_10_q, awaits_far_10_q}; else assign {begins_in_far, waits_for_far} = 2'd0; endgenerate
reg  was_far_q, waited_for_far_q;
always @(posedge clk) {was_far_q, waited_for_far_q} <= {begins_in_far, waits_for_far};
wire [`WIDTH_placed-1:0]       place_next    = a_opened_q ? 0 : a_wrote && !was_far_q ? begun_then_q : place_q;
always @(posedge clk) begin
    open_q          <= open_next && !rst;
    receive_msn_q   <= rst ? 0 : receive_msn_next;
    request_msn_q   <= rst ? 0 : request_msn_next;
    reply_msn_q     <= rst ? 0 : reply_msn_next;
    answer_msn_q    <= rst ? 0 : answer_msn_next;
    offset_q        <= rst ? 0 : offset_next;
    place_q         <= rst ? 0 : place_next;
    consumed_q      <= rst ? 0 : consumed_next;
    awaited_count_q <= rst ? 0 : awaited_next;
end

// property nothing_after_end: after a stream's first error, or the peer's Terminate, nothing of it is delivered until it is opened anew
// control nothing_after_end: life_open & ~(terminates | is_close) => life_open & ~is_close
always @* if (started && a_delivered) nothing_after_end: assert (open_q);
// property no_write_after_end: nor is any of its payload placed
// control no_write_after_end: is_accepted       = is_segment_9_q & life_open & => is_accepted       = is_segment_9_q &
always @* if (started && a_wrote) no_write_after_end: assert (open_q);
// property no_write_with_error: the segment with the error is not placed
// control no_write_with_error: is_accepted       = is_segment_9_q & life_open & ~is_invalid; => is_accepted       = is_segment_9_q & life_open;
always @* if (started && a_delivered && deliveries_kind_q == DELIVER_END) no_write_with_error: assert (!a_wrote);
// property one_kind: a delivery has one kind
// control one_kind: delivers_request   ? DELIVER_REQUEST => delivers_request   ? (DELIVER_REQUEST | DELIVER_END)
wire [`WIDTH_deliver_kind-1:0] other_kinds = deliveries_kind_q & (deliveries_kind_q - 1'b1);
always @* if (started && delivered) one_kind: assert (deliveries_kind_q != 0 && other_kinds == 0);
// property rule_has_its_terminate: the Terminate of each rule has the layer, type and code of the RFCs
// control rule_has_its_terminate: (first_rule_10_q == RULE_CANNOT_INVALIDATE)     ? {4'd0, 4'd1, 8'h09} => (first_rule_10_q == RULE_CANNOT_INVALIDATE)     ? {4'd0, 4'd2, 8'h09}
wire [15:0] spec_terminate;
rule_terminate spec_of_rule (.rule(first_rule_10_q), .terminate(spec_terminate));
always @* if (started && count_errors) rule_has_its_terminate: assert (first_rule_10_q != 0 && terminate_of_rule == spec_terminate);
// property one_terminate: a stream is ended at most once after its opening
// control one_terminate: (is_failure_9_q & life_open) => is_failure_9_q
always @* if (started && a_ended) one_terminate: assert (open_q);

// property receive_msn: messages of queue 0 are delivered with MSN 1, 2, 3 ... modulo 2^32 (RFC 5041 section 7)
// control receive_msn: receives_2_q     ? now_receive_msn => receives_2_q     ? now_request_msn
always @* if (started && a_received) receive_msn: assert (deliveries_request_number_q == receive_msn_q);
// property request_msn: requests of queue 1 are delivered with MSN 1, 2, 3 ...
// control request_msn: is_request_2_q   ? now_request_msn => is_request_2_q   ? now_receive_msn
always @* if (started && a_requested) request_msn: assert (deliveries_request_number_q == request_msn_q);
// property terminate_msn: the peer's Terminate, on queue 2, has MSN 1
// control terminate_msn: is_terminate_2_q ? 32'd1 => is_terminate_2_q ? now_request_msn
always @* if (started && a_delivered && deliveries_kind_q == DELIVER_CLOSE) terminate_msn: assert (deliveries_request_number_q == 1);
// property answer_msn: responses on queue 3 are delivered with MSN 1, 2, 3 ...
// control answer_msn: now_reply_msn + {31'd0, is_reply_2_q} => now_reply_msn + {31'd0, completes_response}
always @* if (started && a_answered && delivered_queue == 3) answer_msn: assert (a_original && deliveries_request_number_q == answer_msn_q);
// property response_msn: requests whose response goes to queue 3 get its MSN in order: 1, 2, 3 ...
// control response_msn: now_response_msn + {31'd0, => now_response_msn + {31'd0, is_request_2_q |
always @* if (started && a_replied) response_msn: assert (deliveries_request_response_msn_q == reply_msn_q);

// property mo_continues: a segment of a Send that is placed begins where its message ended so far
// control mo_continues: wrong_mo = mo_2_q != now_offset => wrong_mo = mo_2_q < now_offset
always @* if (started && a_wrote && was_send_q) mo_continues: assert (its_mo_q == offset_q);
// property message_fits: no octet of a Send is placed beyond the receive request's buffer
// control message_fits: {1'b0, request_length} < message_end_4_q => {1'b0, request_length} < {1'b0, message_end_4_q[31:0] & 32'd0}
always @* if (started && a_wrote && was_send_q) message_fits: assert ({1'b0, offset_q} + places_length_q <= room_q);
// property message_length: a Send is delivered, on its segment with L, with the sum of what was placed of it
// control message_length: (message_end[31:0] & {32{~is_last_2_q}}) => message_end[31:0]
always @* if (started && a_received && was_send_q) message_length: assert (its_last_q && deliveries_length_q == offset_placed);
// property payload_leaves_once: each segment's payload leaves as one placement or discard of its length, and nothing else does
// control payload_leaves_once: uses_place               = places_10_q | brings_payload_10_q => uses_place               = places_10_q
always @* if (started)
    payload_leaves_once: assert (a_placed == (was_segment_q && (its_payload_q != 0 || a_original)) && (!a_placed || places_inline_q || places_length_q == its_payload_q));

// property receive_used_once: each message on queue 0 uses the next receive request, and nothing else uses one
// control receive_used_once: consumed_valid    = valid_10_q & is_accepted_10_q & completes_receive_10_q => consumed_valid    = valid_10_q & is_accepted_10_q & is_send_10_q
reg used_q;
always @(posedge clk) used_q <= consumed_valid && consumed_stream == a_stream && !rst;
always @* if (started) receive_used_once: assert (used_q == a_received);
always @* if (started && consumed_valid && consumed_stream == a_stream) receive_used_once: assert (consumed_count == consumed_next + 1'b1);
// property kill_is_entitled: an STag is invalidated only by a Send that is delivered, for a row that is valid, the stream's, and permits it
// control kill_is_entitled: | (invalidated_row_key != invalidate_stag_6_q[7:0]) => | 1'b0
reg killed_q;
always @(posedge clk) killed_q <= invalidate && stream_10_q == a_stream && !rst;
always @* if (started && invalidates) kill_is_entitled: assert (entitled_9_q);
always @* if (started && killed_q) kill_is_entitled: assert (a_received);
// property delivery_waits_for_placements: an item names the latest placement of its stream, so that it waits for all before it
// control delivery_waits_for_placements: places ? next_place : life_place => places ? issued_q : life_place
always @* if (started && a_delivered && !killed_q) delivery_waits_for_placements: assert (deliveries_place_q == place_next);
// property invalidation_waits_for_placements: a Send that invalidates an STag waits for the placements of all streams
// control invalidation_waits_for_placements: (is_accepted & names_invalidated_9_q & ~places) ? issued_q => (is_accepted & names_invalidated_9_q & ~places) ? life_place
always @* if (started && a_delivered && killed_q) invalidation_waits_for_placements: assert (deliveries_place_q == begun_then_q);

// invariant far_is_told: a placement is told as one in far memory exactly if its first octet is there, and an item waits for all of those exactly if it invalidates an STag
always @* if (started && a_wrote && `FAR_MEMORY_BIT != 0) far_is_told: assert (was_far_q == places_address_q[`FAR_MEMORY_BIT]);
always @* if (started && a_delivered && `FAR_MEMORY_BIT != 0) far_is_told: assert (waited_for_far_q == killed_q);

// What is invalidated behind a segment's lookup, and before it is decided.
reg [23:0] index_5_q, index_6_q, index_7_q, index_8_q, index_9_q;
reg        hit_6_q, hit_7_q, hit_8_q, hit_9_q;
always @(posedge clk) begin
    {index_9_q, index_8_q, index_7_q, index_6_q, index_5_q} <= {index_8_q, index_7_q, index_6_q, index_5_q, region_index};
    hit_6_q <= invalidate && invalidate_index == index_5_q;
    hit_7_q <= hit_6_q || invalidate && invalidate_index == index_6_q;
    hit_8_q <= hit_7_q || invalidate && invalidate_index == index_7_q;
    hit_9_q <= hit_8_q || invalidate && invalidate_index == index_8_q;
end
// property no_use_after_kill: a segment that is right does not reach a region that was invalidated since its row was looked up
// control no_use_after_kill: region_is_gone         = region_went_before_9_q | => region_is_gone         = 1'b0 |
// control no_use_after_kill: (region_may_go_9_q & invalidated_1_q) => 1'b0
always @* if (started && valid_9_q && is_accepted && uses_region_9_q) no_use_after_kill: assert (!hit_9_q && !(invalidate && invalidate_index == index_9_q));

// ---- Queue 1 and 3 against what is outstanding
// property ird_kept: no request is delivered while IRD requests wait for their answer (RFC 5040 section 5.1, 6.1)
// control ird_kept: < unanswered_4_q => < 32'd0
reg [31:0] answered_now_q;
wire a_credit = credit_valid && credit_ready && credit_stream == a_stream;
wire a_begins = begins_q && stream_2_q == a_stream;
always @(posedge clk) answered_now_q <= rst || a_begins ? 0 : a_credit ? credit_number : answered_now_q;
always @* if (started && a_requested) ird_kept: assert (request_msn_q - answered_then_q <= `IRD);
// ---- Memory against the regions, queue 3 and Read Responses against what was asked for
reg        was_answer_q, was_reply_q;
reg  [3:0] was_request_q; // place of the request that it responds to
wire [3:0] its_request;
ddp_opcode #(.COMMIT(`COMMIT)) its_message (.opcode(record_10_q[12:8]), .known(), .in_tagged(), .queue(), .data(), .single(), .octets(), .at_least(), .replied(), .request(its_request));
always @(posedge clk) begin
    was_answer_q     <= answering_10_q || is_reply_10_q;
    was_reply_q      <= is_reply_10_q;
    was_request_q    <= its_request;
end
wire [63:0] its_base = row_q[191:128], its_length = row_q[127:64], its_address = row_q[63:0];
// property placed_within_region: no octet is placed outside of the region that was looked up for it (RFC 5040 section 8.2, RFC 5041 section 5.2)
// control placed_within_region: (distance_7_q[64] | most_distance_7_q[64] | => (most_distance_7_q[64] |
// control placed_within_region: (distance_7_q[64] | most_distance_7_q[64] | => (distance_7_q[64] |
always @* if (started && a_wrote) placed_within_region: assert (row_q[`WIDTH_region_entry-1] && to_q >= its_base &&
    {2'd0, to_q} + places_length_q <= {2'd0, its_base} + its_length && places_address_q == its_address + to_q - its_base);
// property begun_by_one: at most one placement begins in a clock
// control begun_by_one: next_place = issued_q + 9'd1 => next_place = issued_q + 9'd2
always @(posedge clk) if (started && !$past(rst)) begun_by_one: assert (issued == $past(issued) || issued == $past(issued) + 1'b1);
// property places_something: no placement is of no octets
// control places_something: is_reply_8_q | (brings_payload & => is_reply_8_q | (is_segment_8_q &
always @* if (started && places_valid_q) places_something: assert (places_length_q != 0);
// property finds_room: what leaves the pipeline finds room
// control finds_room: ~(places_reserved_q[5] | deliveries_reserved_q[7] | is_crowded_q) => ~is_crowded_q
always @* if (started) finds_room: assert ((!places_in_valid || places_in_ready) && (!deliveries_in_valid || deliveries_in_ready));

// What the requester asked for since the opening, before an answer was looked up, and what it stored in one slot, any.
(* anyconst *) reg [`WIDTH_now_awaited-2:0] a_slot;
wire a_asks   = adds_awaited_q && awaited_stream_q == a_stream;
wire a_stores = a_asks && asked_count_q[`WIDTH_now_awaited-2:0] == a_slot;
reg  [`WIDTH_now_awaited-1:0] asked_count_q;
reg  [`WIDTH_awaited_q-1:0]   entry_q;
reg  entry_known_q;
localparam THEN = `WIDTH_now_awaited + `WIDTH_awaited_q + 1;
reg  [THEN-1:0] then_3_q, then_4_q, then_5_q, then_6_q, then_7_q, then_8_q, then_9_q, then_10_q, then_11_q;
wire [`WIDTH_now_awaited-1:0] asked_then_q;
wire [`WIDTH_awaited_q-1:0]   its_entry_q;
wire its_entry_known_q;
assign {asked_then_q, its_entry_q, its_entry_known_q} = then_11_q;
always @(posedge clk) begin
    asked_count_q <= rst || a_begins ? 0 : asked_count_q + a_asks;
    entry_q       <= a_stores ? {added_executor_q, added_identifier_q, added_stag_q, added_to_q, added_length_q} : entry_q;
    entry_known_q <= !rst && (entry_known_q || a_stores);
    {then_11_q, then_10_q, then_9_q, then_8_q, then_7_q, then_6_q, then_5_q, then_4_q, then_3_q} <=
        {then_10_q, then_9_q, then_8_q, then_7_q, then_6_q, then_5_q, then_4_q, then_3_q, asked_count_q, entry_q, entry_known_q};
end
// property answer_was_asked_for: a response is taken only while one is waited for that was asked, and is of its kind and for its sink
// STag, or with its Request Identifier (RFC 5040 section 5.2.1, RFC 7306 section 5.1)
// control answer_was_asked_for: awaits_nothing = asked_now_q == responses_done_3_q => awaits_nothing = 1'b0
// control answer_was_asked_for: wrong_identifier = oldest_identifier != identifier_4_q => wrong_identifier = 1'b0
// control answer_was_asked_for: wrong_sink_stag = named_stag_5_q != sink_stag_5_q => wrong_sink_stag = 1'b0
wire a_took_answer = a_answered || a_wrote && was_answer_q;
always @* if (started && a_took_answer) answer_was_asked_for: assert (was_answer_q && asked_then_q != awaited_count_q);
always @* if (started && a_took_answer && its_entry_known_q && awaited_count_q[`WIDTH_now_awaited-2:0] == a_slot)
    answer_was_asked_for: assert (its_entry_q[`WIDTH_awaited_q-1:160] == was_request_q &&
        (was_reply_q ? its_entry_q[159:128] == id_q : !a_wrote || its_entry_q[127:96] == stag_q));
// ---- Requests that come inside another message
reg sending_q, writing_q, answering_q, incomplete_then_q, completes_q;
reg waiting_q, waiting_then_q;
wire a_right   = a_is_there && is_accepted_10_q;
wire a_is_new  = a_is_there && opening_10_q;
wire sending   = a_right && is_send_10_q ? !last_10_q : sending_q;
wire writing   = a_right && is_write_10_q ? !last_10_q : writing_q;
wire answering = a_right && answering_10_q ? !last_10_q : answering_q;
wire incomplete = sending_q || writing_q || answering_q;
wire completes  = a_right && incomplete && !sending && !writing && !answering;
always @(posedge clk) begin
    sending_q   <= sending   && !a_is_new && !rst;
    writing_q   <= writing   && !a_is_new && !rst;
    answering_q <= answering && !a_is_new && !rst;
    waiting_q   <= !(a_is_new || completes || rst) && (waiting_q || a_right && is_request_10_q && incomplete);
    incomplete_then_q <= incomplete;
    completes_q       <= completes && !rst;
    waiting_then_q    <= waiting_q;
end
// property waits_inside: a request waits when it comes inside a Send, RDMA Write or Read Response of its stream, and nothing else does
// control waits_inside: is_request_2_q & (now_within | now_writing | now_reading) => is_request_2_q & (now_within | now_reading)
// control waits_inside: is_request_2_q & (now_within | now_writing | now_reading) => is_request_2_q & (now_writing | now_reading)
always @* if (started && a_delivered) waits_inside: assert (deliveries_queue_waits_q == (a_requested && incomplete_then_q));
// property released_when_complete: the segment with which nothing is incomplete any more releases all that wait, and no other does
// control released_when_complete: now_waiting & ~(still_within | still_writing | still_reading) => now_waiting & ~(still_within | still_reading)
// control released_when_complete: (releases_9_q & is_write_9_q) => 1'b0
always @* if (started && a_delivered) released_when_complete: assert (deliveries_queue_releases_q == (completes_q && waiting_then_q));
always @* if (started && completes_q && waiting_then_q) released_when_complete: assert (a_delivered);
// property begins_outside: a Send, Immediate Data or response that is delivered did not begin inside another message
// control begins_outside: (receives_2_q & not_within & inside_tagged) => 1'b0
reg inside_then_q;
wire begins = is_send_10_q || is_immediate_10_q ? !sending_q : answering_10_q ? !answering_q : is_reply_10_q;
always @(posedge clk) inside_then_q <= a_right && begins && (is_send_10_q || is_immediate_10_q ? writing_q || answering_q : incomplete) && !rst;
always @* if (started) begins_outside: assert (!inside_then_q);

// ---- Invariants: the state is what has left, and what is in the pipeline on top of it, as long as that is right
wire a_known = swept_q || sweep_q > a_stream;
wire [10:0] here = {valid_10_q && stream_10_q == a_stream, valid_9_q && stream_9_q == a_stream, valid_8_q && stream_8_q == a_stream, valid_7_q && stream_7_q == a_stream, valid_6_q && stream_6_q == a_stream, valid_5_q && stream_5_q == a_stream, valid_4_q && stream_4_q == a_stream, valid_3_q && stream_3_q == a_stream, valid_2_q && stream_2_q == a_stream, valid_1_q && stream_1_q == a_stream, take && stream == a_stream};
wire [10:2] opening = {opening_10_q, is_opening_9_q, is_opening_8_q, is_opening_7_q, is_opening_6_q, is_opening_5_q, is_opening_4_q, is_opening_3_q, is_opening_2_q};
wire [10:2] opens = {opens_10_q, opens_9_q, opens_8_q, opens_7_q, opens_6_q, opens_5_q, opens_4_q, opens_3_q, opens_2_q};
wire open_then = here[10] ? (opening_10_q ? opens_10_q : open_next && !terminates_10_q && !is_close_10_q) : open_next;
// invariant life_is_read: the stream's life is what has left, and what is decided
localparam LIFE = `WIDTH_placed + 1;
wire [`WIDTH_placed-1:0] place_then = here[10] ? (opening_10_q ? 0 : places_10_q && !begins_in_far ? issued : place_next) : place_next;
wire [LIFE-1:0] life_stored = here[10] ? stream_life_decided_q : stream_life[a_stream];
always @* if (started && a_known) life_is_read: assert (life_stored == {open_then, place_then});
always @* if (started && here[9]) life_is_read: assert (stream_life_q == life_stored);
always @* if (started && here[8]) life_is_read: assert (stream_life_ahead_1_q == here[9] && stream_life_ahead_2_q == here[10] && stream_life_ahead_3_q == a_was_there_q);
always @* if (started && a_was_there_q) life_is_read: assert (stream_life_kept_q == stream_life[a_stream]);
always @* if (started && here[8] && here[10:9] == 0 && !a_was_there_q) life_is_read: assert (stream_life_stored_q == stream_life[a_stream]);
// invariant quiet_before_swept: until every stream is shut nothing is taken
always @* if (started && !swept_q) quiet_before_swept: assert ({valid_10_q, valid_9_q, valid_8_q, valid_7_q, valid_6_q, valid_5_q, valid_4_q, valid_3_q, valid_2_q,
    valid_1_q, deliveries_valid_q, places_valid_q, places_spared_q, deliveries_spared_q, begins_q, adds_awaited_q, asked_update_valid_q, a_was_there_q, a_ended_q, opening_has_entered_q,
    opening_turn_q, failure_turn_q, segment_turn_q, places_left_q, deliveries_left_q} == 0
    && !open_q && !incomplete && !completes_q && waiting_q == 0 && !inside_then_q && !a_opened_q
    && receive_msn_q == 0 && request_msn_q == 0 && reply_msn_q == 0 && answer_msn_q == 0 && offset_q == 0 && place_q == 0 && consumed_q == 0
    && awaited_count_q == 0 && answered_now_q == 0 && asked_count_q == 0 && issued == 0 && places_reserved_q == 0 && deliveries_reserved_q == 0);
// invariant one_opening: an opening is accepted when it is counted
always @* if (started) one_opening: assert (opening_has_entered_q == (valid_1_q && is_opening_1_q || valid_2_q && is_opening_2_q) && begins_q == (valid_2_q && is_opening_2_q)
    && !(valid_1_q && is_opening_1_q && valid_2_q && is_opening_2_q));
// invariant delay_lines: what is kept for a stage comes out when the segment is there
always @* if (started) delay_lines: assert (record_in_q == record_out_q + 4'd8 && held_in_q == held_out_q + 3'd5);
// invariant turn_is_for_one: at most one has its turn, an opening or a failure only if it is there
wire has_turn = opening_turn_q || failure_turn_q || segment_turn_q;
always @* if (started) turn_is_for_one: assert (opening_turn_q + failure_turn_q + segment_turn_q <= 1
    && (!opening_turn_q || opening_valid && !opening_has_entered_q) && (!failure_turn_q || failure_valid));
// invariant room_is_counted: what is taken counts until it has left its buffer
(* hierconn *) wire [15:0] \places_ahead.spec_inside ;
(* hierconn *) wire [15:0] \deliveries_ahead.spec_inside ;
wire [7:0] in_pipeline = valid_1_q + valid_2_q + valid_3_q + valid_4_q + valid_5_q + valid_6_q + valid_7_q + valid_8_q + valid_9_q + valid_10_q;
always @* if (started) room_is_counted: assert (places_reserved_q == in_pipeline + places_spared_q + places_left_q + \places_ahead.spec_inside 
    && deliveries_reserved_q == in_pipeline + deliveries_spared_q + deliveries_left_q + \deliveries_ahead.spec_inside 
    && places_reserved_q + has_turn <= 33 && deliveries_reserved_q + has_turn <= 129);
// invariant right_is_open: what is right is of a stream that is open, and what is placed has octets
always @* if (started && a_is_there) right_is_open: assert (life_open_10_q == open_next);
always @* if (started && valid_10_q) right_is_open: assert (!(is_accepted_10_q || fails_10_q) || life_open_10_q && is_segment_10_q && !opening_10_q && !is_failure_10_q);
always @* if (started && valid_10_q) right_is_open: assert (!(is_accepted_10_q && fails_10_q) && (!terminates_10_q || life_open_10_q && (fails_10_q || is_failure_10_q)) && (!is_close_10_q || is_accepted_10_q)
    && (!places_10_q || is_accepted_10_q && (is_reply_10_q || brings_payload_10_q)));
// invariant rule_is_first: what breaks a rule has its number
always @* if (started && valid_9_q) rule_is_first: assert ((!breaks_before_stag_9_q || broken_rule_9_q != 0) && (!breaks_before_invalidation_9_q || broken_rule_9_q != 0) && stag_rule_9_q != 0
    && (!breaks_rule_9_q || broken_rule_9_q != 0 || region_went_before_9_q || invalidated_went_before_9_q));
always @* if (started && valid_10_q) rule_is_first: assert (!fails_10_q || first_rule_10_q != 0);
// invariant is_one: what is in the pipeline is a segment, an opening or a failure
// invariant payload_is_kept: the length of the payload comes out of the delay line as it went in
reg [15:0] payload_9_q, payload_10_q;
always @(posedge clk) {payload_10_q, payload_9_q} <= {payload_9_q, payload_length_8_q};
always @* if (started && valid_9_q) payload_is_kept: assert (brings_payload_9_q == (is_segment_9_q && payload_9_q != 0) && (!wants_place_9_q || is_reply_9_q || brings_payload_9_q));
always @* if (started && valid_10_q) payload_is_kept: assert (brings_payload_10_q == (is_segment_10_q && payload_10_q != 0) && record_10_q[575:560] == payload_10_q);
always @* if (started && places_valid_q) payload_is_kept: assert (places_length_q != 0);
always @* if (started && valid_1_q) is_one: assert (is_segment_1_q + is_opening_1_q + is_failure_1_q == 1);
always @* if (started && valid_2_q) is_one: assert (is_segment_2_q + is_opening_2_q + is_failure_2_q == 1);
wire [591:0] record_of_2 = record_way[record_in_q - 4'd1];
always @* if (started && valid_2_q) payload_is_kept: assert (record_of_2[575:560] == payload_length_2_q);
always @* if (started && valid_3_q) is_one: assert (is_segment_3_q + is_opening_3_q + is_failure_3_q == 1);
wire [591:0] record_of_3 = record_way[record_in_q - 4'd2];
always @* if (started && valid_3_q) payload_is_kept: assert (record_of_3[575:560] == payload_length_3_q);
always @* if (started && valid_4_q) is_one: assert (is_segment_4_q + is_opening_4_q + is_failure_4_q == 1);
wire [591:0] record_of_4 = record_way[record_in_q - 4'd3];
always @* if (started && valid_4_q) payload_is_kept: assert (record_of_4[575:560] == payload_length_4_q);
always @* if (started && valid_5_q) is_one: assert (is_segment_5_q + is_opening_5_q + is_failure_5_q == 1);
wire [591:0] record_of_5 = record_way[record_in_q - 4'd4];
always @* if (started && valid_5_q) payload_is_kept: assert (record_of_5[575:560] == payload_length_5_q);
always @* if (started && valid_6_q) is_one: assert (is_segment_6_q + is_opening_6_q + is_failure_6_q == 1);
wire [591:0] record_of_6 = record_way[record_in_q - 4'd5];
always @* if (started && valid_6_q) payload_is_kept: assert (record_of_6[575:560] == payload_length_6_q);
always @* if (started && valid_7_q) is_one: assert (is_segment_7_q + is_opening_7_q + is_failure_7_q == 1);
wire [591:0] record_of_7 = record_way[record_in_q - 4'd6];
always @* if (started && valid_7_q) payload_is_kept: assert (record_of_7[575:560] == payload_length_7_q);
always @* if (started && valid_8_q) is_one: assert (is_segment_8_q + is_opening_8_q + is_failure_8_q == 1);
wire [591:0] record_of_8 = record_way[record_in_q - 4'd7];
always @* if (started && valid_8_q) payload_is_kept: assert (record_of_8[575:560] == payload_length_8_q);
always @* if (started && valid_9_q) is_one: assert (is_segment_9_q + is_opening_9_q + is_failure_9_q == 1);
wire [591:0] record_of_9 = record_way[record_in_q - 4'd8];
always @* if (started && valid_9_q) payload_is_kept: assert (record_of_9[575:560] == payload_9_q);

// bounded no_write_with_error 20: it rests on more of what the pipeline holds than there are invariants for
// bounded receive_msn 20: it rests on more of what the pipeline holds than there are invariants for
// bounded request_msn 20: it rests on more of what the pipeline holds than there are invariants for
// bounded terminate_msn 20: it rests on more of what the pipeline holds than there are invariants for
// bounded answer_msn 20: it rests on more of what the pipeline holds than there are invariants for
// bounded response_msn 20: it rests on more of what the pipeline holds than there are invariants for
// bounded mo_continues 20: it rests on more of what the pipeline holds than there are invariants for
// bounded message_fits 20: it rests on more of what the pipeline holds than there are invariants for
// bounded message_length 20: it rests on more of what the pipeline holds than there are invariants for
// bounded payload_leaves_once 20: it rests on more of what the pipeline holds than there are invariants for
// bounded receive_used_once 20: it rests on more of what the pipeline holds than there are invariants for
// bounded kill_is_entitled 20: it rests on more of what the pipeline holds than there are invariants for
// bounded delivery_waits_for_placements 20: it rests on more of what the pipeline holds than there are invariants for
// bounded invalidation_waits_for_placements 20: it rests on more of what the pipeline holds than there are invariants for
// bounded no_use_after_kill 20: it rests on more of what the pipeline holds than there are invariants for
// bounded ird_kept 20: it rests on more of what the pipeline holds than there are invariants for
// bounded placed_within_region 20: it rests on more of what the pipeline holds than there are invariants for
// bounded answer_was_asked_for 20: it rests on more of what the pipeline holds than there are invariants for
// bounded waits_inside 20: it rests on more of what the pipeline holds than there are invariants for
// bounded released_when_complete 20: it rests on more of what the pipeline holds than there are invariants for
// bounded begins_outside 20: it rests on more of what the pipeline holds than there are invariants for
