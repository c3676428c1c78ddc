// The parser outputs one record per segment, in order, with the verdict of ddp_segment, which is written from the text of the RFCs,
// for the received octets and length; and the octets after the DDP header as payload, each once, in order, aligned to octet 0.
// uses ddp_segment
// uses ddp_opcode
// depth 1
// bound 9

// assume packed: the sender on s_axis_rx; octets are packed from octet 0, and all beats except the last are full
    localparam SPEC_OCTETS = `WIDTH_s_axis_rx_tkeep;
    wire [SPEC_OCTETS-1:0] spec_all = {SPEC_OCTETS{1'b1}};
    always @* packed: assume ((s_axis_rx_tkeep & (s_axis_rx_tkeep + 1'b1)) == 0 && (s_axis_rx_tlast || s_axis_rx_tkeep == spec_all));
// assume short: the sender on s_axis_rx; a segment has at most 65535 octets, the maximum of MPA's ULPDU_Length
    always @* short: assume (!s_axis_rx_tvalid || {1'b0, spec_before} + SPEC_OCTETS <= 17'd65535);

    // The segment being received: its first 70 octets, its length, and its last beat so far.
    reg          spec_first;
    reg  [559:0] spec_octets;
    reg  [15:0]  spec_length;
    reg  [SPEC_OCTETS*8-1:0] spec_beat;
    reg  [SPEC_OCTETS-1:0]   spec_keep;
    wire [15:0]  spec_before = spec_first ? 16'd0 : spec_length;
    wire         spec_take   = s_axis_rx_tvalid && s_axis_rx_tready;
    reg  [SPEC_OCTETS*8-1:0] spec_data;
    reg  [15:0]  spec_kept;
    integer      spec_i;
    always @* begin
        spec_kept = 16'd0;
        for (spec_i = 0; spec_i < SPEC_OCTETS; spec_i = spec_i + 1) begin
            spec_data[8*spec_i +: 8] = s_axis_rx_tkeep[spec_i] ? s_axis_rx_tdata[8*spec_i +: 8] : 8'd0;
            spec_kept = spec_kept + s_axis_rx_tkeep[spec_i];
        end
    end
    reg  [559:0] spec_now; // including the current beat
    integer      spec_j;
    always @* begin
        spec_now = spec_first ? 560'd0 : spec_octets;
        for (spec_j = 0; spec_j < 70; spec_j = spec_j + 1)
            if (spec_before == spec_j / SPEC_OCTETS * SPEC_OCTETS) spec_now[8*spec_j +: 8] = spec_data[8*(spec_j % SPEC_OCTETS) +: 8];
    end
    always @(posedge clk) begin
        if (spec_take) begin
            spec_first  <= s_axis_rx_tlast;
            spec_octets <= spec_now;
            spec_length <= spec_before + spec_kept;
            spec_beat   <= spec_data;
            spec_keep   <= s_axis_rx_tkeep;
        end
        if (rst) spec_first <= 1'b1;
    end

    // Complete segments whose record has not left: at most one.
    reg  [`WIDTH_s_axis_rx_tuser+575:0] spec_oldest, spec_newest;
    reg  [1:0]   spec_waiting;
    wire         spec_whole = spec_take && s_axis_rx_tlast;
    wire [`WIDTH_s_axis_rx_tuser+575:0] spec_segment = {s_axis_rx_tuser, spec_now, spec_before + spec_kept};
    wire         spec_leaves = m_record_valid && m_record_ready;
    always @(posedge clk) begin
        spec_waiting <= spec_waiting + spec_whole - spec_leaves;
        if (spec_leaves) spec_oldest <= spec_newest;
        if (spec_whole) begin
            spec_newest <= spec_segment;
            if (spec_waiting == 2'd0 || spec_waiting == 2'd1 && spec_leaves) spec_oldest <= spec_segment;
        end
        if (rst) spec_waiting <= 2'd0;
    end

    // The verdict of ddp_segment on the oldest one.
    wire [559:0] spec_header = spec_oldest[575:16];
    wire [143:0] spec_ordered;
    genvar spec_o;
    generate for (spec_o = 0; spec_o < 18; spec_o = spec_o + 1) begin : spec_order
        assign spec_ordered[8*(17-spec_o) +: 8] = spec_header[8*spec_o +: 8];
    end endgenerate
    wire [5:0]  spec_rule;
    wire [15:0] spec_payload_length;
    ddp_segment #(.COMMIT(`COMMIT)) spec_verdict (
        .octets(spec_ordered), .length(spec_oldest[15:0]), .rule(spec_rule),
        .carries_data(), .header_length(), .payload_length(spec_payload_length)
    );

// property one_record: each segment has exactly one record, in order of arrival, and there are no others
// control one_record: m_record_valid          = held_valid_q & held_tlast_q & => m_record_valid          = held_valid_q &
    always @* if (formal_started) one_record: assert (!m_record_valid || spec_waiting != 2'd0);
    always @* if (formal_started) one_record: assert (spec_waiting == (held_valid_q && held_tlast_q));

// property record_as_specified: a record has the stream, octets and length of its segment, and the verdict of ddp_segment
// control record_as_specified: {12'd0, kept} => {12'd0, 4'd8}
// control record_as_specified: m_record_header         = header_octets => m_record_header         = header_octets ^ 560'd1
// control record_as_specified: m_record_rule           = rule => m_record_rule           = rule & 6'd7
    always @* if (formal_started && m_record_valid) begin
        record_as_specified: assert (m_record_header == spec_header);
        record_as_specified: assert (m_record_segment_length == spec_oldest[15:0]);
        record_as_specified: assert (m_record_stream == spec_oldest[`WIDTH_s_axis_rx_tuser+575:576]);
        record_as_specified: assert (m_record_rule == spec_rule);
        record_as_specified: assert (m_record_payload_length == spec_payload_length);
    end

// property tag_and_opcode: a segment without error has a known opcode and the T bit required by it (RFC 5040 section 4.2)
// control tag_and_opcode: m_record_rule           = rule => m_record_rule           = rule & 6'd56
    wire record_known, record_in_tagged;
    ddp_opcode #(.COMMIT(`COMMIT)) record_message (
        .opcode(m_record_header[12:8]), .known(record_known), .in_tagged(record_in_tagged), .queue(), .data(), .single(), .octets(), .at_least(),
        .replied(), .request()
    );
    always @* if (formal_started && m_record_valid && m_record_rule == 0)
        tag_and_opcode: assert (record_known && m_record_header[7] == record_in_tagged);

    // The held beat, and the number of octets of its segment that have left as payload.
    wire [5:0]   held_rule;
    wire [15:0]  held_header, held_payload;
    wire         held_carries;
    wire [143:0] held_ordered;
    generate for (spec_o = 0; spec_o < 18; spec_o = spec_o + 1) begin : held_order
        assign held_ordered[8*(17-spec_o) +: 8] = spec_octets[8*spec_o +: 8];
    end endgenerate
    ddp_segment #(.COMMIT(`COMMIT)) held_verdict (
        .octets(held_ordered), .length(spec_length), .rule(held_rule),
        .carries_data(held_carries), .header_length(held_header), .payload_length(held_payload)
    );
    reg  [15:0] spec_left;
    reg  [15:0] spec_leaving;
    always @* begin
        spec_leaving = 16'd0;
        for (spec_i = 0; spec_i < SPEC_OCTETS; spec_i = spec_i + 1) spec_leaving = spec_leaving + realigned_keep[spec_i];
        if (!emit_q) spec_leaving = 16'd0;
    end
    always @(posedge clk) begin
        if (release_held) spec_left <= held_tlast_q ? 16'd0 : spec_left + spec_leaving;
        if (rst) spec_left <= 16'd0;
    end
    // The octets of the segment from the held beat on, and the window of the next payload.
    reg  [15:0] spec_held;
    always @* begin
        spec_held = 16'd0;
        for (spec_i = 0; spec_i < SPEC_OCTETS; spec_i = spec_i + 1) spec_held = spec_held + spec_keep[spec_i];
    end
    wire [15:0] spec_skip = held_header + spec_left - (spec_length - spec_held);
    wire [2*SPEC_OCTETS*8-1:0] spec_window = {spec_data & {SPEC_OCTETS*8{~held_tlast_q}}, spec_beat} >> {spec_skip[7:0], 3'd0};
    wire [2*SPEC_OCTETS-1:0]   spec_there  = {s_axis_rx_tkeep & {SPEC_OCTETS{~held_tlast_q}}, spec_keep} >> spec_skip[7:0];

// property payload_as_specified: payload consists of the octets after the DDP header, in order, from octet 0 of a packet
// control payload_as_specified: data[47:0] & => data[48:1] &
// control payload_as_specified: held_tdata_q[63:16] => {held_tdata_q[63:24], 8'd0}
// control payload_as_specified: payload_tuser_q <= held_tuser_q => payload_tuser_q <= s_axis_rx_tuser
    always @(posedge clk) if (formal_started && $past(formal_started && release_held && emit_q && !rst)) begin
        payload_as_specified: assert (m_axis_payload_tvalid && $past(spec_skip < 2 * SPEC_OCTETS));
        payload_as_specified: assert (m_axis_payload_tdata == $past(spec_window[SPEC_OCTETS*8-1:0]));
        payload_as_specified: assert (m_axis_payload_tkeep == $past(spec_there[SPEC_OCTETS-1:0]));
        payload_as_specified: assert (m_axis_payload_tuser == $past(spec_user));
    end
    reg  [1:0] spec_user;
    always @(posedge clk) if (spec_take) spec_user <= s_axis_rx_tuser;

// property payload_whole: all octets of a segment's payload have left when its record is output, and its packet ends with the last
// control payload_whole: s_axis_rx_tlast & ~more => s_axis_rx_tlast
// control payload_whole: carries & started => carries & started & ~s_axis_rx_tlast
    always @* if (formal_started && release_held && !rst) begin
        if (held_tlast_q) payload_whole: assert (spec_left + spec_leaving == held_payload);
        if (held_tlast_q && emit_q) payload_whole: assert (ends);
        if (!held_tlast_q && emit_q) payload_whole: assert (ends == (s_axis_rx_tlast && spec_left + spec_leaving == spec_length + spec_kept - held_header));
    end

// invariant newest_is_held: a segment that ends in the held beat is the newest
// invariant held_as_came: the held beat is the latest one received
// invariant place_is_length: the position in beats agrees with the length in octets
// invariant left_is_place: the payload that has left follows from the position
    wire [15:0] spec_started = spec_length - spec_held; // octets before the held beat
    wire [15:0] spec_whole_beats = spec_octets[7] ? 14 / SPEC_OCTETS * SPEC_OCTETS : 18 / SPEC_OCTETS * SPEC_OCTETS;
    wire [15:0] spec_could = spec_started < spec_whole_beats ? 16'd0 : spec_started - spec_whole_beats;
    wire [15:0] spec_can = spec_length < held_header ? 16'd0 : spec_length - held_header;
    wire spec_begun = position_q > (spec_octets[7] ? 14 : 18) / SPEC_OCTETS; // the held beat has octets after the header, or could have
// invariant checked_at_start: the checks of the first ten octets are stored once the tenth has arrived, with the flag whether the beat emits payload
    (* hierconn *) wire \classify.start_bad_dv_q ;
    (* hierconn *) wire \classify.start_bad_queue_q ;
    (* hierconn *) wire \classify.start_bad_rv_q ;
    (* hierconn *) wire \classify.start_bad_opcode_q ;
    (* hierconn *) wire \classify.start_bad_tag_q ;
    (* hierconn *) wire \classify.start_bad_queue_for_opcode_q ;
    (* hierconn *) wire \classify.start_header_only_q ;
    (* hierconn *) wire \classify.start_carries_q ;
    wire        held_known, held_in_tagged, held_data, held_single, held_at_least;
    wire [31:0] held_wants;
    ddp_opcode #(.COMMIT(`COMMIT)) held_message (
        .opcode(spec_octets[12:8]), .known(held_known), .in_tagged(held_in_tagged), .queue(held_wants), .data(held_data),
        .single(held_single), .octets(), .at_least(held_at_least), .replied(), .request()
    );
    wire [31:0] spec_queue = {spec_octets[55:48], spec_octets[63:56], spec_octets[71:64], spec_octets[79:72]};
    wire        spec_t = spec_octets[7];
    wire [6:0]  spec_flags = {spec_octets[1:0] != 2'd1, !spec_t && spec_queue > 3, spec_octets[15:14] != 2'd1, !held_known,
        spec_t != held_in_tagged, !spec_t && spec_queue[1:0] != held_wants, held_single && !held_at_least};
    always @* if (formal_started && held_valid_q) begin
        if (spec_length >= 10) checked_at_start: assert (spec_flags == {\classify.start_bad_dv_q , \classify.start_bad_queue_q ,
            \classify.start_bad_rv_q , \classify.start_bad_opcode_q , \classify.start_bad_tag_q ,
            \classify.start_bad_queue_for_opcode_q , \classify.start_header_only_q } && \classify.start_carries_q == (!spec_flags[6:1] && held_data));
        checked_at_start: assert (emit_q == (held_carries && spec_begun && spec_keep[(spec_octets[7] ? 14 : 18) % SPEC_OCTETS]));
        checked_at_start: assert (more_follows_q == !held_tlast_q);
    end
    always @* if (formal_started) begin
        if (held_valid_q) begin
            held_as_came: assert (held_tdata_q == spec_beat && held_tkeep_q == spec_keep && held_tuser_q == spec_user);
            held_as_came: assert (header_octets == spec_octets && length_q == spec_length);
            held_as_came: assert (held_tlast_q == first_q && (held_tkeep_q & (held_tkeep_q + 1'b1)) == 0);
            held_as_came: assert (held_tlast_q || held_tkeep_q == spec_all);
            held_as_came: assert (spec_length >= spec_held);
            left_is_place: assert (spec_left == (held_carries && spec_begun ? (spec_could < spec_can ? spec_could : spec_can) : 16'd0));
        end else left_is_place: assert (first_q ? spec_left == 16'd0 : 1'b1);
        held_as_came: assert (spec_first == first_q);
        held_as_came: assert (first_q || header_octets == spec_octets && length_q == spec_length);
        held_as_came: assert (first_q || held_valid_q);
        place_is_length: assert ((first_q || position_q != 0) && (!held_valid_q || position_q * SPEC_OCTETS < 70 + SPEC_OCTETS));
        place_is_length: assert (!held_valid_q || (position_q * SPEC_OCTETS < 70 ? spec_started + SPEC_OCTETS == position_q * SPEC_OCTETS : spec_started + SPEC_OCTETS >= position_q * SPEC_OCTETS));
        newest_is_held: assert (!(held_valid_q && held_tlast_q) || spec_newest == {spec_user, spec_octets, spec_length});
        newest_is_held: assert (spec_waiting != 2'd1 || spec_oldest == spec_newest);
    end
