// Each result of the atomic unit gives one ATOMIC Response, in order, with the headers that falcon_packet reads from it, which is written from
// the text of RoF 8; one that failed has CE, and is reported to the host.
// uses falcon_packet
// depth 1
// bound 6

// property order: each result gives one response, in order, with its stream, number, connection and RSN, and without payload
// control order: response_kept_rsn_q            <= response_rsn => response_kept_rsn_q            <= response_sn
// property headers: opcode of the service, CE if it failed, Destination QP, SN, Original Data, and STETH with the sink of the request (RoF 8.1.3)
// control headers: {response_sink_va, response_l_key} => {response_l_key, response_sink_va}
// property told: each result that failed is reported once, in order, with its stream
// control told: takes & response_failed => takes
// assume nothing: atomic_unit, whose result is 0 for a word that memory did not deliver
// invariant kept: what waits behind the response or the failure on offer is of the second one

localparam SPEC_OF = `WIDTH_response_stream + `WIDTH_response_number + `WIDTH_response_cid, SPEC_RESULT = SPEC_OF + 32 + 32 + 24 + 1 + 96 + 64 + 1;
wire [SPEC_RESULT-1:0] spec_comes = {response_stream, response_number, response_cid, response_rsn, response_sn, response_remote, response_xrc, response_sink_va,
    response_l_key, response_original, response_failed};
wire spec_takes = response_valid & response_ready, spec_leaves = message_valid & message_ready;
wire spec_fails = spec_takes & response_failed, spec_tells = failed_valid & failed_ready;
reg  [1:0] spec_inside, spec_failed;
reg  [SPEC_RESULT-1:0] spec_results [0:1];
reg  [`WIDTH_response_stream-1:0] spec_failures [0:1];
always @(posedge clk) begin
    if (spec_leaves) spec_results[0] <= spec_results[1];
    if (spec_takes) spec_results[spec_inside == 2 || spec_inside == 1 && !spec_leaves] <= spec_comes;
    if (spec_tells) spec_failures[0] <= spec_failures[1];
    if (spec_fails) spec_failures[spec_failed == 2 || spec_failed == 1 && !spec_tells] <= response_stream;
    spec_inside <= rst ? 2'd0 : spec_inside + spec_takes - spec_leaves;
    spec_failed <= rst ? 2'd0 : spec_failed + spec_fails - spec_tells;
end

// The response on offer, and the one behind it.
wire [479:0] spec_header [0:1];
wire [2*(SPEC_OF+32)-1:0] spec_of;
wire [1:0]   spec_bare, spec_right_order, spec_right_headers;
assign spec_header[0] = message_header, spec_header[1] = response_kept_header_q;
assign spec_of = {response_kept_stream_q, response_kept_number_q, response_kept_cid_q, response_kept_rsn_q, message_stream, message_number, message_cid, message_rsn};
assign spec_bare[0] = {message_kind, message_header_length, message_length, message_type, message_request_length, message_fence, message_unfit} ==
    {3'd`SEND_ATOMIC, 6'd32, 32'd0, 3'd3, 16'd32, 2'b00};
assign spec_bare[1] = {response_kept_kind_q, response_kept_header_length_q, response_kept_length_q, response_kept_type_q, response_kept_request_length_q,
    response_kept_fence_q, response_kept_unfit_q} == {3'd`SEND_ATOMIC, 6'd32, 32'd0, 3'd3, 16'd32, 2'b00};
genvar spec_i, spec_o;
generate for (spec_i = 0; spec_i < 2; spec_i = spec_i + 1) begin : spec_each
    wire [479:0] ordered;
    for (spec_o = 0; spec_o < 60; spec_o = spec_o + 1) begin : octet
        assign ordered[8*(59-spec_o) +: 8] = spec_header[spec_i][8*spec_o +: 8];
    end
    wire [7:0]  opcode;
    wire [23:0] qp;
    wire [63:0] va, sink_va;
    wire [31:0] sn, key;
    wire [5:0]  length;
    wire        ce, se, short_packet, bad_opcode, short_headers, bad_payload, wrong_version;
    falcon_packet #(.MIRRORED(`MIRRORED)) packet (
        .octets(ordered), .length(16'd32), .packet_type(3'd3), .opcode(opcode), .ce(ce), .se(se), .destination_qp(qp), .sn(sn), .header_length(length),
        .short_packet(short_packet), .bad_opcode(bad_opcode), .short_headers(short_headers), .bad_payload(bad_payload), .wrong_version(wrong_version),
        .va(va), .sink_va(sink_va), .sink_key(key)
    );
    wire [SPEC_OF-1:0] of;
    wire [31:0] wants_rsn, wants_sn, wants_key;
    wire [23:0] wants_qp;
    wire [63:0] wants_va, original;
    wire        xrc, failed;
    assign {of, wants_rsn, wants_sn, wants_qp, xrc, wants_va, wants_key, original, failed} = spec_results[spec_i];
    assign spec_right_order[spec_i] = spec_of[(SPEC_OF+32)*spec_i +: SPEC_OF+32] == {of, wants_rsn} && spec_bare[spec_i];
    assign spec_right_headers[spec_i] = !short_packet && !bad_opcode && !short_headers && !bad_payload && !wrong_version && !se && ce == failed &&
        opcode == {xrc ? 3'b101 : 3'b000, 5'h12} && qp == wants_qp && sn == wants_sn && sink_va == wants_va && key == wants_key && va == (failed ? 64'd0 : original) &&
        length == 32 && (spec_header[spec_i] >> 8 * 32) == 0;
end endgenerate

always @* if (response_valid && response_failed) nothing: assume (response_original == 0);
always @* if (started && !rst) begin
    order: assert (message_valid == (spec_inside != 0) && response_ready == (spec_inside != 2 && spec_failed != 2));
    if (message_valid) order: assert (spec_right_order[0]);
    if (message_valid) headers: assert (spec_right_headers[0]);
    told: assert (failed_valid == (spec_failed != 0));
    if (failed_valid) told: assert (failed_stream == spec_failures[0] && failed_fault == 0);
    kept: assert (spec_inside != 3 && response_keeps_q == (spec_inside == 2) && response_room_q == !response_keeps_q);
    kept: assert (spec_failed != 3 && failure_keeps_q == (spec_failed == 2) && failure_room_q == !failure_keeps_q);
    if (response_keeps_q) kept: assert (spec_right_order[1] && spec_right_headers[1]);
    if (failure_keeps_q) kept: assert (failure_kept_stream_q == spec_failures[1] && failure_kept_fault_q == 0);
end
