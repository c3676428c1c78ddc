// The payload of a packet goes on whole, or in pieces: each part for an element is one piece, or two if it begins inside a beat and goes beyond it.
// A piece has the octets of its part, in order, and the beats of payload that have them. That what one side says reaches the other in order is
// proven of fifo.
// depth 1
// bound 10

// property pieces: what leaves are the pieces of what came, in order: a placement without a list as it is, a part at its address, with its octets
// control pieces: part_address + {61'd0, left_in_beat_q} => part_address + {61'd0, place_in_beat_q}
// control pieces: part_length - {13'd0, left_in_beat_q} => part_length - {13'd0, place_in_beat_q}
// control pieces: ({13'd0, left_in_beat_q} < part_length) => 1'b1
// control pieces: place_in_beat_q + part_length[2:0] => part_length[2:0]
// control pieces: sends & (spans_q | ~is_last_part_q) => sends & ~is_last_part_q
// property within_beat: a piece that begins inside a beat ends in it, and has the octets of a payload
// control within_beat: ({13'd0, left_in_beat_q} < part_length) => 1'b0
// property once: a part is taken when the pieces of the one before have left, and a placement with the last piece of its last part
// control once: part_ends            = piece_leaves & ~spans_q => part_ends            = piece_leaves
// control once: part_ends & is_last_part_q => part_ends
// property dropped: a placement of a list that is discarded leaves when all its parts have been taken
// control dropped: part_valid & part_last; => part_valid;
// property beats_of_piece: with a piece goes how many beats have octets of it, and whether the next piece has octets of the last one
// control beats_of_piece: octets_q - 16'd1 => octets_q
// control beats_of_piece: & (|end_in_beat_q) => & (~|end_in_beat_q)
// control beats_of_piece: ~is_last_part_q & (|end_in_beat_q) => (|end_in_beat_q)
// property beats: the oldest piece has its beats as they came; the last one stays if the next piece has octets of it
// control beats: beats_tready & ~(is_last_beat & piece_beats_stays) => beats_tready
// control beats: is_last_beat ? 13'd0 : => 1'b0 ? 13'd0 :
// property no_idle: a placement without a list leaves in the cycle in which it comes, if there is room and nothing before it is cut
// control no_idle: (~place_list | parts_dropped_q) & has_room => (~place_list | parts_dropped_q) & has_room & ~next_valid_q
// assume not_empty: falcon_check; a part has at least one octet
// assume from_payload: falcon_check; no octet of a list comes from elsewhere than the payload
// invariant cut: the part that is cut is the one that came last, where the octets before it end
// invariant kept: what waits behind the piece on offer is the second one

localparam B = `WIDTH_payload_tkeep, PIECE = `WIDTH_piece_stream + 66 + 16 + 64 + `WIDTH_piece_from + 1;
wire spec_takes = place_valid & place_ready, spec_takes_part = part_valid & part_ready, spec_leaves = piece_valid & piece_ready;
wire spec_cuts = place_list & !place_discard;

// ---- The part that is cut, and the octets of the packet before it, of which only their place in a beat matters
reg         p_is, p_second, p_last, p_dropped;   // its first piece has left; all parts of a discarded packet were taken
reg  [63:0] p_address;
reg  [15:0] p_length;
reg  [2:0]  p_from, spec_at;
wire [15:0] p_in_beat = p_from != 0 && p_length > B - p_from ? B - p_from : p_length;
wire        p_ends = p_second | p_in_beat == p_length;
wire        spec_gives = goes_straight | piece_leaves; // a piece
wire [63:0] spec_address = !spec_cuts ? place_address : p_second ? p_address + p_in_beat : p_address;
wire [15:0] spec_length = !spec_cuts ? place_length : p_second ? p_length - p_in_beat : p_in_beat;
wire [2:0]  spec_from = !spec_cuts | p_second ? 3'd0 : p_from;
wire        spec_more = spec_cuts & !(p_last & p_ends);
wire [PIECE-1:0] spec_piece = {place_stream, place_discard, place_inline, spec_address, spec_length, place_data, spec_from, spec_more};
wire [16:0] spec_end = spec_from + spec_length;
always @(posedge clk) begin
    if (spec_takes_part && spec_cuts) begin
        {p_is, p_second, p_last, p_address, p_length, p_from} <= {2'b10, part_last, part_address, part_length, spec_at};
        spec_at <= spec_at + part_length;
    end else if (spec_gives && spec_cuts) {p_is, p_second} <= {!p_ends, !p_ends};
    if (spec_takes_part && !spec_cuts) p_dropped <= part_last;
    if (spec_takes) {p_dropped, spec_at} <= 0;
    if (rst) {p_is, p_second, p_dropped, spec_at} <= 0;
end

// ---- Pieces on offer
reg [1:0] spec_inside;
reg [PIECE-1:0] spec_pieces [0:1];
always @(posedge clk) begin
    if (spec_leaves) spec_pieces[0] <= spec_pieces[1];
    if (spec_gives) spec_pieces[spec_inside == 2 || spec_inside == 1 && !spec_leaves] <= spec_piece;
    spec_inside <= rst ? 2'd0 : spec_inside + spec_gives - spec_leaves;
end
wire [PIECE-1:0] spec_offered = {piece_stream, piece_discard, piece_inline, piece_address, piece_length, piece_data, piece_from, piece_more};
wire [PIECE-1:0] spec_kept = {next_kept_stream_q, next_kept_discard_q, next_kept_inline_q, next_kept_address_q, next_kept_length_q, next_kept_data_q,
    next_kept_from_q, next_kept_more_q};

function spec_is_within(input [PIECE-1:0] piece); // from is in [3:1], the length in [83:68]
    spec_is_within = piece[3:1] == 0 || piece[83:68] <= B - piece[3:1] && piece[PIECE-1-`WIDTH_piece_stream -: 2] == 0;
endfunction

// ---- Beats of the oldest piece
wire spec_moves = beats_tvalid & beats_tready;
reg  [12:0] spec_passed;
wire spec_ends = piece_beats_whole ? payload_tlast : spec_passed == piece_beats_behind;
always @(posedge clk) spec_passed <= rst || spec_moves && spec_ends ? 13'd0 : spec_passed + spec_moves;

always @* begin
    if (part_valid) not_empty: assume (part_length != 0);
    if (place_valid && place_list) from_payload: assume (!place_inline);
end
always @* if (started && !rst) begin
    pieces: assert (piece_valid == (spec_inside != 0) && (!piece_valid || spec_offered == spec_pieces[0]));
    if (piece_valid) within_beat: assert (spec_is_within(spec_offered));
    if (spec_takes_part) once: assert (place_valid && place_list && (place_discard ? !p_dropped : !p_is));
    if (spec_takes) once: assert (spec_gives && (!spec_cuts || p_is && p_last && p_ends));
    if (spec_gives) once: assert (place_valid && (spec_cuts ? p_is && spec_takes == (p_last && p_ends) : spec_takes));
    if (spec_takes && place_list && place_discard) dropped: assert (p_dropped);
    if (spec_gives) beats_of_piece: assert (place_inline && !spec_cuts ? !task_valid : task_valid && task_ready && task_whole == !spec_cuts);
    else beats_of_piece: assert (!task_valid);
    if (spec_gives && spec_cuts) beats_of_piece: assert (task_behind == (spec_end - 17'd1) / B && task_stays == (spec_more && spec_end % B != 0));
    if (spec_gives && !spec_cuts) beats_of_piece: assert (!task_stays);
    beats: assert (beats_tvalid == (piece_beats_valid && payload_tvalid) && {beats_tdata, beats_tkeep, beats_tlast, beats_tuser} ==
        {payload_tdata, payload_tkeep, payload_tlast, payload_tuser});
    if (payload_tvalid) beats: assert (payload_tready == (spec_moves && !(spec_ends && piece_beats_stays)));
    if (piece_beats_valid) beats: assert (piece_beats_ready == (spec_moves && spec_ends));
    if (place_valid && !place_list && is_idle && next_room_q && task_ready) no_idle: assert (spec_takes);

    cut: assert ({is_idle, measures, sends} == 1 || {is_idle, measures, sends} == 2 || {is_idle, measures, sends} == 4);
    cut: assert (p_is == sends && parts_dropped_q == p_dropped && (is_idle || place_valid && spec_cuts) && (!p_dropped || place_valid && place_list && place_discard));
    if (is_idle) cut: assert (spec_at == 0);
    else cut: assert (sends || place_in_beat_q == spec_at && left_in_beat_q == 3'd0 - spec_at);
    if (sends) cut: assert ({address_q, octets_q, from_q, spans_q, is_last_part_q, end_in_beat_q} == {spec_address, spec_length, spec_from, !p_ends, p_last, spec_at} &&
        (!spans_q || {address_behind_q, octets_behind_q} == {p_address + p_in_beat, p_length - p_in_beat}));
    if (sends) cut: assert (p_length != 0 && (p_from + p_length) % B == spec_at && (!p_second || p_in_beat != p_length));
    kept: assert (spec_inside != 3 && next_keeps_q == (spec_inside == 2) && next_room_q == !next_keeps_q && (!next_keeps_q || spec_kept == spec_pieces[1] && spec_is_within(spec_kept)));
    kept: assert (spec_passed == beats_passed_q && oldest_room_q == !oldest_keeps_q && (!oldest_keeps_q || oldest_valid_q));
end
