// Each pull that is taken gives one response, in order, with the headers that falcon_packet reads from it, which is written from the text of
// RoF 8: READ Response Only for a Read, and for one that is refused with CE and without payload; ATOMIC Response for a refused Atomic.
// uses falcon_packet
// depth 1
// bound 6

// property order: each pull gives one response, in order, with its stream, number, connection and RSN
// control order: response_kept_rsn_q            <= req_rsn => response_kept_rsn_q            <= req_sn
// property headers: opcode of the service, CE of a refusal, Destination QP, SN, and STETH with the sink of the request (RoF 8.1.3)
// control headers: {req_sink_va, req_l_key} => {req_l_key, req_sink_va}
// property payload: the octets of a Read, with its pad, and Request Length is that of the packet; no payload of a refusal
// control payload: padded_octets + 16'd24 => req_length[15:0] + 16'd24
// assume short: falcon_check, which accepts Reads of at most MTU octets
// invariant kept: what waits behind the response on offer is of the second pull

localparam SPEC_OF = `WIDTH_req_stream + `WIDTH_req_number + `WIDTH_req_cid, SPEC_PULL = SPEC_OF + 32 + 32 + 24 + 1 + 96 + 1 + 64 + 32;
wire        spec_atomic;  // of a refusal
wire [63:0] spec_address;
wire [31:0] spec_length;
generate if (`HAS_req_atomic) begin
    assign {spec_atomic, spec_address, spec_length} = {req_atomic, 64'd0, 32'd0};
end else begin
    assign {spec_atomic, spec_address, spec_length} = {1'b0, req_address, req_length};
    always @* if (req_valid) short: assume (req_length <= 4096);
end endgenerate
wire [SPEC_PULL-1:0] spec_comes = {req_stream, req_number, req_cid, req_rsn, req_sn, req_remote, req_xrc, req_sink_va, req_l_key, spec_atomic, spec_address, spec_length};
wire spec_takes = req_valid & req_ready, spec_leaves = message_valid & message_ready;
reg  [1:0] spec_inside;
reg  [SPEC_PULL-1:0] spec_pulls [0:1];
always @(posedge clk) begin
    if (spec_leaves) spec_pulls[0] <= spec_pulls[1];
    if (spec_takes) spec_pulls[spec_inside == 2 || spec_inside == 1 && !spec_leaves] <= spec_comes;
    spec_inside <= rst ? 2'd0 : spec_inside + spec_takes - spec_leaves;
end

// The response on offer, and the one behind it.
wire [479:0] spec_header [0:1];
wire [2*(SPEC_OF+32)-1:0] spec_of;
wire [2*`WIDTH_message_header_length-1:0] spec_octets;
wire [191:0] spec_memory;
wire [31:0]  spec_request_length;
wire [1:0]   spec_right_order, spec_right_headers, spec_right_payload;
assign spec_header[0] = message_header, spec_header[1] = response_kept_header_q;
assign spec_of = {response_kept_stream_q, response_kept_number_q, response_kept_cid_q, response_kept_rsn_q, message_stream, message_number, message_cid, message_rsn};
assign spec_octets = {response_kept_header_length_q, message_header_length};
assign spec_memory = {response_kept_address_q, response_kept_length_q, message_address, message_length};
assign spec_request_length = {response_kept_request_length_q, message_request_length};
wire [1:0] spec_data = {response_kept_type_q == 3'd3 && !response_kept_fence_q && !response_kept_unfit_q, message_type == 3'd3 && !message_fence && !message_unfit};
wire [5:0] spec_kinds = {response_kept_kind_q, message_kind};
genvar spec_i, spec_o;
generate for (spec_i = 0; spec_i < 2; spec_i = spec_i + 1) begin : spec_each
    wire [479:0] ordered;
    for (spec_o = 0; spec_o < 60; spec_o = spec_o + 1) begin : octet
        assign ordered[8*(59-spec_o) +: 8] = spec_header[spec_i][8*spec_o +: 8];
    end
    wire [7:0]  opcode;
    wire [1:0]  pad;
    wire [23:0] qp;
    wire [63:0] va, sink_va;
    wire [31:0] sn, key;
    wire [5:0]  length;
    wire        ce, se, short_packet, bad_opcode, short_headers, bad_payload, wrong_version;
    falcon_packet #(.MIRRORED(`MIRRORED)) packet (
        .octets(ordered), .length(spec_request_length[16*spec_i +: 16]), .packet_type(3'd3), .opcode(opcode), .pad(pad), .ce(ce), .se(se), .destination_qp(qp),
        .sn(sn), .header_length(length), .short_packet(short_packet), .bad_opcode(bad_opcode), .short_headers(short_headers), .bad_payload(bad_payload),
        .wrong_version(wrong_version), .va(va), .sink_va(sink_va), .sink_key(key)
    );
    wire [SPEC_OF-1:0] of;
    wire [31:0] wants_rsn, wants_sn, wants_key, wants_octets;
    wire [23:0] wants_qp;
    wire [63:0] wants_va, wants_address;
    wire        xrc, atomic;
    assign {of, wants_rsn, wants_sn, wants_qp, xrc, wants_va, wants_key, atomic, wants_address, wants_octets} = spec_pulls[spec_i];
    assign spec_right_order[spec_i] = spec_of[(SPEC_OF+32)*spec_i +: SPEC_OF+32] == {of, wants_rsn} && spec_data[spec_i] &&
        spec_kinds[3*spec_i +: 3] == (`HAS_req_atomic ? `SEND_REFUSAL : `SEND_READ);
    assign spec_right_headers[spec_i] = !short_packet && !bad_opcode && !short_headers && !bad_payload && !wrong_version && !se && ce == `HAS_req_atomic &&
        opcode == {xrc ? 3'b101 : 3'b000, atomic ? 5'h12 : 5'h10} && qp == wants_qp && sn == wants_sn && sink_va == wants_va && key == wants_key && (!atomic || va == 0) &&
        length == spec_octets[`WIDTH_message_header_length*spec_i +: `WIDTH_message_header_length] && (spec_header[spec_i] >> 8 * length) == 0;
    assign spec_right_payload[spec_i] = spec_memory[96*spec_i +: 32] == wants_octets && (`HAS_req_atomic || spec_memory[96*spec_i + 32 +: 64] == wants_address) &&
        spec_request_length[16*spec_i +: 16] == length + wants_octets + pad && (wants_octets + pad) % 4 == 0;
end endgenerate

always @* if (started && !rst) begin
    order: assert (message_valid == (spec_inside != 0) && req_ready == (spec_inside != 2));
    if (message_valid) order: assert (spec_right_order[0]);
    if (message_valid) headers: assert (spec_right_headers[0]);
    if (message_valid) payload: assert (spec_right_payload[0]);
    kept: assert (spec_inside != 3 && response_keeps_q == (spec_inside == 2) && response_room_q == !response_keeps_q);
    if (response_keeps_q) kept: assert (spec_right_order[1] && spec_right_headers[1] && spec_right_payload[1]);
end
