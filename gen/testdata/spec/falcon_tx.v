// Packets pass in order, each octet where it was, padded to whole words; of one that memory did not deliver its headers pass alone, with CE
// and without pad (RoF 8.1.1, I-24).
// depth 1
// bound 8

// property order: each beat that belongs to the packet gives one beat, in order, with its octets, the last one marked
// control order: enters        = takes & ~(s_axis_unread & (~|header_words_left)) => enters        = takes
// property padded: the octets of a beat are whole words
// control padded: padded_keep & header_octets => s_axis_tkeep & header_octets
// property headers_alone: a packet without its payload has CE = 1, Pad 0, and the length of its headers as Request Length
// control headers_alone: 32'h00100000 => 32'h00000000
// control headers_alone: s_axis_unread ? {10'd0, s_axis_header_length} => 1'b0 ? {10'd0, s_axis_header_length}
// property beside: type, Request Length, RSN and CID are those of the packet
// control beside: s_axis_rsn, s_axis_cid => s_axis_rsn, ~s_axis_cid
// assume packed: tx_numbered; octets are packed from octet 0, all beats but the last are full; shown by tx_numbered/last_once
// assume words: the tables of headers, each a number of words, of which three are RBTH
// assume same: tx_numbered; what goes with a packet is the same in all its beats; shown by tx_numbered/beside
// invariant kept: what waits behind the beat on offer is the second one, and the words left are those of the headers

localparam SPEC_BUS = `WIDTH_s_axis_tkeep, SPEC_BEAT = 9 * SPEC_BUS + 1 + 19 + 32 + `WIDTH_s_axis_cid;
reg         spec_first;  // the next beat is the first of a packet
reg  [15:0] spec_passed; // octets of the packet in beats before it, up to 64
reg  [`WIDTH_s_axis_cid+61:0] spec_side;
wire [`WIDTH_s_axis_cid+61:0] spec_comes = {s_axis_type, s_axis_cid, s_axis_rsn, s_axis_request_length, s_axis_header_length, s_axis_unread};
wire [15:0] spec_before = spec_first ? 16'd0 : spec_passed;
wire spec_takes = s_axis_tvalid & s_axis_tready, spec_leaves = m_axis_tx_tvalid & m_axis_tx_tready;
wire spec_enters = spec_takes & (!s_axis_unread | spec_before < s_axis_header_length);
wire spec_ends = s_axis_tlast | s_axis_unread & spec_before + SPEC_BUS >= s_axis_header_length;

// The beat that this one is to give.
reg  [8*SPEC_BUS-1:0] spec_data;
reg  [SPEC_BUS-1:0]   spec_keep;
integer spec_i;
always @* begin
    spec_data = s_axis_tdata;
    for (spec_i = 0; spec_i < SPEC_BUS; spec_i = spec_i + 1) begin
        spec_keep[spec_i] = s_axis_tkeep[spec_i / 4 * 4];
        if (s_axis_unread && spec_before + spec_i >= s_axis_header_length) begin
            spec_keep[spec_i] = 1'b0;
            spec_data[8*spec_i +: 8] = 8'd0;
        end
    end
    if (s_axis_unread && spec_before == 0) begin
        if (`MIRRORED) spec_data[13:11] = 3'b001; else spec_data[20:18] = 3'b100;
    end
end
wire [SPEC_BEAT-1:0] spec_gives = {spec_data, spec_keep, spec_ends, s_axis_unread ? {10'd0, s_axis_header_length} : s_axis_request_length, s_axis_type, s_axis_rsn, s_axis_cid};

reg  [1:0] spec_inside;
reg  [SPEC_BEAT-1:0] spec_beats [0:1];
reg  [1:0] spec_alone;   // they are of packets without payload
reg  [1:0] spec_begins;  // they are the first beats of packets
always @(posedge clk) begin
    if (spec_takes) begin
        spec_first  <= s_axis_tlast;
        spec_passed <= spec_before < 64 ? spec_before + SPEC_BUS : spec_before;
        spec_side   <= spec_comes;
    end
    if (spec_leaves) {spec_beats[0], spec_alone[0], spec_begins[0]} <= {spec_beats[1], spec_alone[1], spec_begins[1]};
    if (spec_enters) begin
        spec_beats[spec_inside == 2 || spec_inside == 1 && !spec_leaves]  <= spec_gives;
        spec_alone[spec_inside == 2 || spec_inside == 1 && !spec_leaves]  <= s_axis_unread;
        spec_begins[spec_inside == 2 || spec_inside == 1 && !spec_leaves] <= spec_before == 0;
    end
    spec_inside <= rst ? 2'd0 : spec_inside + spec_enters - spec_leaves;
    if (rst) spec_first <= 1'b1;
end
wire [8*SPEC_BUS-1:0] wants_data;
wire [SPEC_BUS-1:0]   wants_keep;
wire        wants_last;
wire [15:0] wants_length;
wire [2:0]  wants_type;
wire [31:0] wants_rsn;
wire [`WIDTH_s_axis_cid-1:0] wants_cid;
assign {wants_data, wants_keep, wants_last, wants_length, wants_type, wants_rsn, wants_cid} = spec_beats[0];
wire [SPEC_BEAT-1:0] spec_kept = {beat_kept_tdata_q, beat_kept_tkeep_q, beat_kept_tlast_q, beat_kept_tuser_q, beat_kept_tid_q, beat_kept_tdest_q};

always @* if (s_axis_tvalid) begin
    packed: assume (s_axis_tkeep != 0 && (s_axis_tkeep & (s_axis_tkeep + 1'b1)) == 0 && (s_axis_tlast || &s_axis_tkeep));
    words: assume (s_axis_header_length % 4 == 0 && s_axis_header_length >= 12 && s_axis_header_length <= 60 &&
        (!s_axis_tlast || spec_before + SPEC_BUS >= s_axis_header_length));
    same: assume (spec_first || spec_comes == spec_side);
end
always @* if (started && !rst) begin
    order: assert (m_axis_tx_tvalid == (spec_inside != 0) && s_axis_tready == (spec_inside != 2));
    if (m_axis_tx_tvalid) begin
        order: assert (m_axis_tx_tdata == wants_data && m_axis_tx_tlast == wants_last);
        padded: assert (m_axis_tx_tkeep == wants_keep);
        headers_alone: assert (m_axis_tx_tuser[18:3] == wants_length);
        if (spec_alone[0] && spec_begins[0]) headers_alone: assert (`MIRRORED ? m_axis_tx_tdata[13:11] == 3'b001 : m_axis_tx_tdata[20:18] == 3'b100);
        beside: assert ({m_axis_tx_tuser[2:0], m_axis_tx_tid, m_axis_tx_tdest} == {wants_type, wants_rsn, wants_cid});
    end
    kept: assert (spec_inside != 3 && beat_keeps_q == (spec_inside == 2) && beat_room_q == !beat_keeps_q && first_q == spec_first);
    if (beat_keeps_q) kept: assert (spec_kept == spec_beats[1]);
    if (spec_inside == 2 && spec_alone[1] && spec_begins[1]) kept: assert (`MIRRORED ? beat_kept_tdata_q[13:11] == 3'b001 : beat_kept_tdata_q[20:18] == 3'b100);
    if (!spec_first) kept: assert (header_words_left_q == (spec_passed < spec_side[6:1] ? (spec_side[6:1] - spec_passed) / 4 : 0) && spec_passed % SPEC_BUS == 0 &&
        spec_passed != 0 && spec_side[6:1] % 4 == 0 && spec_side[6:1] <= 60);
end
