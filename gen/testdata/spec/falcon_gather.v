// A packet is sent as it is, or in a piece for each element of its list of which it has octets, in order, from where the packet before it has ended.
// An arbitrary QP is watched.
// depth 1
// bound 16

// property pieces: a piece is what the packet has of an element: its address, octets, and place in the packet
// control pieces: next_address + {32'd0, offset_q} => next_address
// control pieces: looks_at_rest ? next_place : => looks_at_rest ? place_q :
// control pieces: packet_left_q - piece_octets_q => packet_left_q
// control pieces: offset_q + {23'd0, piece_octets_q}} => {23'd0, piece_octets_q}}
// control pieces: lead + piece_octets_q[2:0] => piece_octets_q[2:0]
// control pieces: (packet_left_q <= element_left_q[8:0]) => (packet_left_q < element_left_q[8:0])
// property as_it_came: what goes with the packet goes with each of its pieces, and what has no list passes as it is
// control as_it_came: command_rsn, command_request_length, command_fence => ~command_rsn, command_request_length, command_fence
// property once: a packet is taken with its last piece
// control once: (sends ? ending_q : => (sends ? 1'b1 :
// property empty: an element without octets gives no piece
// control empty: sends & piece_room_q & has_octets => sends & piece_room_q
// property no_idle: a packet without a list leaves when it comes, if there is room and none before it is cut
// control no_idle: (is_idle & ~has_list)) & piece_room_q => (is_idle & ~has_list)) & piece_room_q & piece_ready
// assume has_octets_of_list: tx_turns; a packet with a list has at least one octet, and at most MTU octets
// assume in_use: work_ring; while a packet with a list is here, its elements are not said anew: a list of this ring has both places
// invariant cut: the packet that is cut is where it should be
// invariant stored: the elements of the watched QP are in memory, and where its last packet has ended
// invariant kept: what waits behind the piece on offer is the second one

(* anyconst *) reg [1:0] a_stream;
localparam SIDE = `WIDTH_piece_next - 64 - 16 - 3 - 2, PIECE = 64 + 16 + 3 + 2;

// ---- The elements of the QP, and where its last packet has ended
reg  [95:0] element_0, element_1;
reg         at_place, now_place;
reg  [31:0] at_offset, now_offset;
reg  [15:0] now_left;
reg         now_further;
reg  [2:0]  now_lead;
wire [95:0] now_element = now_place ? element_1 : element_0;
wire [31:0] now_rest = now_element[31:0] - now_offset;
wire        now_ends = now_left <= now_rest;
wire [15:0] now_octets = now_ends ? now_left : now_rest[15:0];
wire a_list = command_valid && command_list && command_stream == a_stream;
wire spec_steps = sends && piece_room_q; // an element
always @(posedge clk) begin
    if (rst) begin // memory has what it had
        {element_0, element_1} <= {elements[{a_stream, 1'b0}], elements[{a_stream, 1'b1}]};
        {at_place, at_offset} <= packet_ends && command_stream == a_stream ? {place_q, offset_q + piece_octets_q} : positions[a_stream];
    end
    if (listed_valid && listed_stream == a_stream) begin
        if (listed_place) element_1 <= {listed_address, listed_length}; else element_0 <= {listed_address, listed_length};
    end
    if (is_idle && a_list) {now_place, now_offset, now_left, now_further, now_lead} <= {command_first ? {command_element[0], 32'd0} : {at_place, at_offset},
        command_payload_length, 1'b0, command_header_length[2:0]};
    if (spec_steps && a_list) begin
        if (now_ends && !rst) {at_place, at_offset} <= {now_place, now_offset + now_octets};
        {now_place, now_offset, now_left} <= {now_place + 1'b1, 32'd0, now_left - now_octets};
        if (now_octets != 0) {now_further, now_lead} <= {1'b1, now_lead + now_octets[2:0]};
    end
end

// ---- Pieces on offer
wire [SIDE-1:0]  spec_side = {command_stream, command_kind, command_final, command_number, command_header_length, command_header, command_payload_length, command_beats, command_ends,
    command_type, command_cid, command_rsn, command_request_length, command_fence, command_unfit, command_refused_work, command_more, command_first, command_list, command_element};
wire spec_gives = command_valid && piece_room_q && (command_list ? sends && (!a_list || now_octets != 0) && (a_list || has_octets) : is_idle);
wire [PIECE-1:0] spec_piece = command_list ? {now_element[95:32] + now_offset, now_octets, now_lead, now_further, !now_ends} :
    {command_address, command_payload_length, command_header_length[2:0], 2'b00};
wire spec_leaves = piece_valid & piece_ready;
reg [1:0] spec_inside, spec_known; // known: it is of the watched QP, or has no list
reg [SIDE+PIECE-1:0] spec_pieces [0:1];
wire spec_second = spec_inside == 2 || spec_inside == 1 && !spec_leaves;
always @(posedge clk) begin
    if (spec_leaves) {spec_pieces[0], spec_known[0]} <= {spec_pieces[1], spec_known[1]};
    if (spec_gives) begin
        spec_pieces[spec_second] <= {spec_side, spec_piece};
        spec_known[spec_second] <= a_list || !command_list;
    end
    spec_inside <= rst ? 2'd0 : spec_inside + spec_gives - spec_leaves;
end
wire [SIDE+PIECE-1:0] spec_offered = {piece_stream, piece_kind, piece_final, piece_number, piece_header_length, piece_header, piece_payload_length, piece_beats, piece_ends,
    piece_type, piece_cid, piece_rsn, piece_request_length, piece_fence, piece_unfit, piece_refused_work, piece_more, piece_first, piece_list, piece_element,
    piece_address, piece_piece_octets, piece_piece_lead, piece_piece_further, piece_piece_more};
wire [SIDE+PIECE-1:0] spec_kept = {piece_kept_stream_q, piece_kept_kind_q, piece_kept_final_q, piece_kept_number_q, piece_kept_header_length_q, piece_kept_header_q,
    piece_kept_payload_length_q, piece_kept_beats_q, piece_kept_ends_q, piece_kept_type_q, piece_kept_cid_q, piece_kept_rsn_q, piece_kept_request_length_q, piece_kept_fence_q,
    piece_kept_unfit_q, piece_kept_refused_work_q, piece_kept_more_q, piece_kept_first_q, piece_kept_list_q, piece_kept_element_q,
    piece_kept_address_q, piece_kept_piece_octets_q, piece_kept_piece_lead_q, piece_kept_piece_further_q, piece_kept_piece_more_q};

always @* begin
    if (command_valid && command_list) has_octets_of_list: assume (command_payload_length != 0 && command_payload_length <= `MAX_PAYLOAD);
    if (a_list && listed_valid) in_use: assume (listed_stream != a_stream);
end
always @* if (started && !rst) begin
    pieces: assert (piece_valid == (spec_inside != 0));
    if (piece_valid && spec_known[0]) pieces: assert (spec_offered[PIECE-1:0] == spec_pieces[0][PIECE-1:0]);
    if (piece_valid) as_it_came: assert (spec_offered[PIECE +: SIDE] == spec_pieces[0][PIECE +: SIDE]);
    if (command_valid && command_ready) once: assert (spec_gives);
    if (a_list && spec_steps) once: assert (command_ready == now_ends);
    if (a_list && spec_steps && now_octets == 0) empty: assert (!tells_piece);
    if (command_valid && !command_list && piece_room_q) no_idle: assert (command_ready);

    cut: assert ((step_q & (step_q - 1'b1)) == 0 && step_q != 0 && (is_idle || command_valid && command_list));
    if (!is_idle) cut: assert (packet_left_q != 0);
    if (sends) cut: assert (goes_on_q != ending_q && (ending_q ? piece_octets_q == packet_left_q : piece_octets_q < packet_left_q));
    else cut: assert (!goes_on_q && !ending_q);
    if (!is_idle && a_list) begin
        cut: assert (packet_left_q == now_left);
        if (finds) cut: assert (position_q == {now_place, now_offset});
        else cut: assert (place_q == now_place && offset_q == now_offset);
        if (looks_at_rest) cut: assert (element_q == now_element);
        if (measures) cut: assert (address_q == now_element[95:32] + now_offset && element_left_q == now_rest);
        if (sends) cut: assert (address_q == now_element[95:32] + now_offset && piece_octets_q == now_octets && ending_q == now_ends);
        if (measures || sends) cut: assert (element_q == (now_place ? element_0 : element_1));
        if (measures || sends) cut: assert (is_further_q == now_further && (!now_further || lead_q == now_lead));
        else cut: assert (!now_further);
        if (!now_further) cut: assert (now_lead == command_header_length[2:0]);
    end
    stored: assert (elements[{a_stream, 1'b0}] == element_0 && elements[{a_stream, 1'b1}] == element_1 && positions[a_stream] == {at_place, at_offset});
    kept: assert (spec_inside != 3 && piece_keeps_q == (spec_inside == 2) && piece_room_q == !piece_keeps_q);
    if (piece_keeps_q) kept: assert (spec_kept[PIECE +: SIDE] == spec_pieces[1][PIECE +: SIDE] && (!spec_known[1] || spec_kept == spec_pieces[1]));
end
