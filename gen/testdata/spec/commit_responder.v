// Each result of a Flush, Verify or Atomic Write gives one message, in the order in which the results are taken: the response of the request that its stream
// began last, or what has failed. The Invalidate STag of the request is withdrawn before its response is offered. One stream, any, is watched.
// depth 1
// bound 12

// property once: each result taken gives one message, in that order, and there are no others
// control once: answer_valid_q      <= taken_valid_q => answer_valid_q      <= taken_valid_q | answer_valid_q
// control once: may_take          = taken_vacant_q | answer_vacant_q | => may_take          = 1'b1 |
// property of_its_result: a message has the stream, number and kind of its result
// control of_its_result: (atomic_write_number & {3{result_turn_q[1]}}) => (flush_number & {3{result_turn_q[1]}})
// control of_its_result: taken_from_q   <= result_turn_q => taken_from_q   <= result_asking
// property response: a response has the MSN, on queue 3, that its request came with, and the opcode of its kind; nothing follows but the digest of a Verify
// control response: answer_msn_q        <= tag_q[63:32] => answer_msn_q        <= tag_q[31:0]
// control response: VERIFY_RESPONSE & {5{answer_from_q[2]}} => VERIFY_RESPONSE & {5{answer_from_q[1]}}
// control response: 7'd18 + {1'b0, answer_octets_q} => 7'd18
// property failure: a failed result gives a message without octets that says whether a digest differs or the execution has failed
// control failure: answer_differs_q ? 3'd4 : 3'd3 => 3'd3
// control failure: & {7{~answer_fails_q}} => & 7'd127
// property withdrawn_first: the Invalidate STag of a successful request, and of no other, is withdrawn once, before its response is offered
// control withdrawn_first: withdraws_next = ~taken_fails_q & => withdraws_next =
// control withdrawn_first: offers            = answer_valid_q & ~withdraws_q => offers            = answer_valid_q
// property digest_stays: a Verify stays on offer until its message has left, so that its digest is there
// control digest_stays: verify_ready       = verify_is_answered_q => verify_ready       = result_granted[2]
// property at_once: a result is taken if one waits and there is room, at the latest in the next cycle
// control at_once: if (|result_asking) begin result_turn_q => if (|result_granted) begin result_turn_q
// excused handshake_begun: what begins is accepted in every cycle
// invariant room: the registers that decide agree with those that hold results
// invariant inside: what the stages hold are the results that were taken, in that order
// assume one_request: request_order, which begins no request of a stream before the one before is over

(* anyconst *) wire [`WIDTH_result_stream-1:0] a_stream;
localparam RESULT = `WIDTH_result_stream + `WIDTH_flush_number + 1 + 3;
wire [2:0] takes = {result_granted[2], atomic_write_valid & atomic_write_ready, flush_valid & flush_ready};
wire goes = message_valid & message_ready;

// ---- What the watched stream began last
reg  begun_q;
reg  [63:0] tag_then_q;
always @(posedge clk) begin
    if (begun_valid && begun_stream == a_stream) {begun_q, tag_then_q} <= {1'b1, begun_response_msn, begun_returned_invalidate_stag};
    if (rst) begun_q <= 0;
end

// ---- Results that were taken and have not left as messages: at most two. The one that leaves next is first
reg  [1:0] inside_q;
reg  [RESULT-1:0] first_q, second_q;
reg  withdrawn_q; // of the first
wire [RESULT-1:0] taken_result = {result_turn_q, takes[0] ? {flush_fails, flush_stream, flush_number} :
    takes[1] ? {atomic_write_fails, atomic_write_stream, atomic_write_number} : {verify_fails, verify_stream, verify_number}};
always @(posedge clk) begin
    inside_q    <= inside_q + (|takes) - goes;
    withdrawn_q <= !goes && (withdrawn_q || withdraw_valid && withdraw_ready);
    if (goes) first_q <= second_q;
    if (|takes) begin
        if (inside_q - goes == 0) first_q <= taken_result;
        second_q <= taken_result;
    end
    if (rst) {inside_q, withdrawn_q} <= 0;
end
wire [2:0] first_from = first_q[RESULT-1 -: 3];
wire first_fails = first_q[RESULT-4];
wire [`WIDTH_result_stream-1:0] first_stream = first_q[RESULT-5 -: `WIDTH_result_stream], second_stream = second_q[RESULT-5 -: `WIDTH_result_stream];
wire a_first = inside_q != 0 && first_stream == a_stream && begun_q, a_second = inside_q == 2 && second_stream == a_stream && begun_q;
wire a_inside = a_first | a_second;
reg  waited_q;
always @(posedge clk) waited_q <= !rst && |result_asking && !(|takes);

// ---- A response on the wire: octet i in [8i+7:8i]
wire [7:0] opcode = first_from[0] ? 8'd13 : first_from[1] ? 8'd17 : 8'd15;
wire [31:0] msn = tag_then_q[63:32];
wire [143:0] begins_with = {32'd0, msn[7:0], msn[15:8], msn[23:16], msn[31:24], 32'h03000000, 32'd0, 8'h40 | opcode, 8'h41};
wire [255:0] digest_of = first_from[2] ? verify_digest : 256'd0;

always @* if (started && begun_valid) one_request: assume (!(begun_stream == a_stream && (inside_q != 0 && first_stream == a_stream || inside_q == 2 && second_stream == a_stream)));
always @* if (started && |takes && begun_valid) one_request: assume (begun_stream != taken_result[RESULT-5 -: `WIDTH_result_stream]);
always @* if (started && !rst) begin
    if (message_valid) once: assert (inside_q != 0);
    once: assert (inside_q <= 2 && (takes & (takes - 1'b1)) == 0 && (!(|takes) || inside_q < 2 || goes));
    if (message_valid) of_its_result: assert ({message_stream, message_number} == first_q[`WIDTH_result_stream + `WIDTH_flush_number - 1:0] &&
        message_kind == (first_from[0] ? `SEND_FLUSH : first_from[1] ? `SEND_ATOMIC_WRITE : `SEND_VERIFY));
    if (message_valid && message_stream == a_stream && begun_q && !first_fails) response: assert (message_header == {160'd0, digest_of, begins_with} &&
        message_header_length == 7'd18 + (first_from[2] ? verify_digest_octets : 6'd0) && message_length == 0);
    if (message_valid && first_fails) failure: assert (message_header_length == 0 && message_header[2:0] == (first_from[2] && verify_differs ? 3'd4 : 3'd3) && message_length == 0);
    if (withdraw_valid) withdrawn_first: assert (inside_q != 0 && !first_fails && !withdrawn_q && !message_valid);
    if (withdraw_valid && a_first) withdrawn_first: assert (withdraw_stag == tag_then_q[31:0] && tag_then_q[31:0] != 0);
    if (message_valid && a_first) withdrawn_first: assert (withdrawn_q == (!first_fails && tag_then_q[31:0] != 0));
    if (inside_q != 0 && first_from[2] || inside_q == 2 && second_q[RESULT-1]) digest_stays: assert (verify_valid && !verify_ready && !takes[2]);
    at_once: assert (!waited_q || !(|result_asking) || |takes);
    room: assert (taken_vacant_q == !taken_valid_q && answer_vacant_q == !answer_valid_q && does_not_offer_q == !offers && (!withdraws_q || answer_valid_q));
    room: assert (inside_q == taken_valid_q + answer_valid_q && (result_turn_q == 1 || result_turn_q == 2 || result_turn_q == 4));
    if (answer_valid_q) inside: assert ({answer_from_q, answer_fails_q, answer_stream_q, answer_number_q} == first_q);
    if (taken_valid_q) inside: assert ({taken_from_q, taken_fails_q, taken_stream_q, taken_number_q} == (answer_valid_q ? second_q : first_q));
    if (inside_q == 2) inside: assert (!(first_from[2] && second_q[RESULT-1]));
    if (inside_q != 0) inside: assert (first_from == 1 || first_from == 2 || first_from == 4);
    if (inside_q == 2) inside: assert (second_q[RESULT-1 -: 3] == 1 || second_q[RESULT-1 -: 3] == 2 || second_q[RESULT-1 -: 3] == 4);
    inside: assert (verifies_q == (inside_q != 0 && first_from[2] || inside_q == 2 && second_q[RESULT-1] || verify_is_answered_q));
    if (verifies_q && !verify_is_answered_q) inside: assert (verify_valid && verify_fails == (first_from[2] && inside_q != 0 ? first_fails : second_q[RESULT-4]));
    if (verify_is_answered_q) inside: assert (!(inside_q != 0 && first_from[2] || inside_q == 2 && second_q[RESULT-1]));
    if (answer_valid_q && answer_from_q[2]) inside: assert (answer_differs_q == verify_differs && answer_octets_q == verify_digest_octets);
    if (answer_valid_q && !answer_from_q[2]) inside: assert (!answer_differs_q && answer_octets_q == 0);
    if (begun_q) inside: assert (tags[a_stream] == tag_then_q);
    if (answer_valid_q && a_first) inside: assert ({answer_msn_q, answer_invalidate_q} == tag_then_q && withdrawn_q + withdraws_q == (!first_fails && tag_then_q[31:0] != 0));
    if (withdraws_q) inside: assert (!withdrawn_q && !answer_fails_q);
    if (taken_valid_q && taken_stream_q == a_stream && begun_q) inside: assert (tag_q == tag_then_q);
    if (!answer_valid_q) inside: assert (!withdrawn_q);
end
