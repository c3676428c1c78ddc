// The parser outputs one record per packet, in order, with the fields and checks of falcon_packet, which is written from the text of RoF 8,
// for the received octets; and the octets after the headers as payload, each once, in order, aligned to octet 0, without pad.
// uses falcon_packet
// depth 1
// bound 12

// assume packed: Falcon; octets are packed from octet 0, and all beats except the last are full
    localparam SPEC_OCTETS = `WIDTH_s_axis_rx_tkeep;
    wire [SPEC_OCTETS-1:0] spec_all = {SPEC_OCTETS{1'b1}};
    always @* packed: assume ((s_axis_rx_tkeep & (s_axis_rx_tkeep + 1'b1)) == 0 && (s_axis_rx_tlast || s_axis_rx_tkeep == spec_all));
// assume short: Falcon; a packet has at most 65535 octets
    always @* short: assume (!s_axis_rx_tvalid || {1'b0, spec_before} + SPEC_OCTETS <= 17'd65535);
// assume same: Falcon; the sideband is the same in all beats of a packet
    always @* same: assume (!s_axis_rx_tvalid || spec_first || {s_axis_rx_tuser, s_axis_rx_tid, s_axis_rx_tdest} == spec_side);

    // The packet up to the latest beat: its first 60 octets, its length, its sideband and that beat.
    reg          spec_first; // the next beat is the first of a packet
    reg  [479:0] spec_octets;
    reg  [15:0]  spec_length;
    reg  [`WIDTH_s_axis_rx_tdest+34:0] spec_side;
    reg  [SPEC_OCTETS*8-1:0] spec_beat;
    reg  [SPEC_OCTETS-1:0]   spec_keep;
    wire [15:0]  spec_before = spec_first ? 16'd0 : spec_length;
    wire         spec_take   = s_axis_rx_tvalid && s_axis_rx_tready;
    reg  [15:0]  spec_kept, spec_held; // octets of the next beat, and of the latest
    reg  [479:0] spec_now;             // including the next beat
    integer      spec_i;
    always @* begin
        spec_kept = 16'd0;
        spec_held = 16'd0;
        for (spec_i = 0; spec_i < SPEC_OCTETS; spec_i = spec_i + 1) begin
            spec_kept = spec_kept + s_axis_rx_tkeep[spec_i];
            spec_held = spec_held + spec_keep[spec_i];
        end
        spec_now = spec_octets;
        for (spec_i = 0; spec_i < 60; spec_i = spec_i + 1)
            if (spec_before == spec_i / SPEC_OCTETS * SPEC_OCTETS) spec_now[8*spec_i +: 8] = s_axis_rx_tdata[8*(spec_i % SPEC_OCTETS) +: 8];
    end
    always @(posedge clk) begin
        if (spec_take) begin
            spec_first  <= s_axis_rx_tlast;
            spec_octets <= spec_now;
            spec_length <= spec_before + spec_kept;
            spec_side   <= {s_axis_rx_tuser, s_axis_rx_tid, s_axis_rx_tdest};
            spec_beat   <= s_axis_rx_tdata;
            spec_keep   <= s_axis_rx_tkeep;
        end
        if (rst) spec_first <= 1'b1;
    end

    // What falcon_packet says of it.
    wire [479:0] spec_ordered;
    genvar spec_o;
    generate for (spec_o = 0; spec_o < 60; spec_o = spec_o + 1) begin : spec_order
        assign spec_ordered[8*(59-spec_o) +: 8] = spec_octets[8*spec_o +: 8];
    end endgenerate
    wire [7:0]  spec_opcode;
    wire [1:0]  spec_pad;
    wire [2:0]  spec_wants;
    wire [23:0] spec_qp, spec_srq;
    wire [63:0] spec_va, spec_data, spec_compare, spec_sink;
    wire [31:0] spec_sn, spec_r_key, spec_reth_length, spec_rmsn, spec_offset, spec_sink_key, spec_word;
    wire [5:0]  spec_header;
    wire [3:0]  spec_seth_at, spec_steth_at, spec_immdt_at;
    wire        spec_ce, spec_se, spec_known, spec_could_carry, spec_last, spec_xrceth, spec_short_packet, spec_bad_opcode, spec_short_headers,
                spec_bad_payload, spec_wrong_version, spec_reth, spec_seth, spec_oeth, spec_steth, spec_immdt, spec_atomic, spec_ack, spec_deth;
    falcon_packet #(.MIRRORED(`MIRRORED)) spec_packet (
        .octets(spec_ordered), .length(spec_length), .packet_type(spec_side[`WIDTH_s_axis_rx_tdest+32 +: 3]),
        .opcode(spec_opcode), .pad(spec_pad), .ce(spec_ce), .se(spec_se), .destination_qp(spec_qp), .sn(spec_sn), .known(spec_known),
        .wants_type(spec_wants), .carries(spec_could_carry), .is_last(spec_last), .has_xrceth(spec_xrceth), .header_length(spec_header),
        .short_packet(spec_short_packet), .bad_opcode(spec_bad_opcode), .short_headers(spec_short_headers), .bad_payload(spec_bad_payload),
        .wrong_version(spec_wrong_version), .reth(spec_reth), .seth(spec_seth), .oeth(spec_oeth), .steth(spec_steth), .immdt(spec_immdt),
        .atomic_eth(spec_atomic), .atomic_ack_eth(spec_ack), .deth(spec_deth), .seth_at(spec_seth_at),
        .steth_at(spec_steth_at), .immdt_at(spec_immdt_at), .va(spec_va), .r_key(spec_r_key), .reth_length(spec_reth_length),
        .swap_add_data(spec_data), .compare_data(spec_compare), .rmsn(spec_rmsn), .message_offset(spec_offset), .sink_va(spec_sink),
        .sink_key(spec_sink_key), .immediate(spec_word), .srq(spec_srq)
    );
    wire        spec_carries = spec_known && spec_could_carry;

    // Complete packets whose record has not left: at most one, which is the latest.
    reg  [1:0]  spec_waiting;
    always @(posedge clk) begin
        spec_waiting <= spec_waiting + (spec_take && s_axis_rx_tlast) - (m_record_valid && m_record_ready);
        if (rst) spec_waiting <= 2'd0;
    end

// property one_record: each packet has exactly one record, in order of arrival, and there are no others
// control one_record: m_record_valid                 = held_valid_q & held_tlast_q & => m_record_valid                 = held_valid_q &
    always @* if (formal_started) begin
        one_record: assert (!m_record_valid || spec_waiting == 2'd1 && spec_first);
        one_record: assert (spec_waiting == (held_valid_q && held_tlast_q));
    end

// property checks_as_specified: a record has the transaction of its packet and the checks of falcon_packet, each if those before it are 0
// control checks_as_specified: length_q < 16'd12 => length_q < 16'd11
// control checks_as_specified: s_axis_rx_tuser != wants_type => s_axis_rx_tuser[1:0] != wants_type[1:0]
// control checks_as_specified: short_headers     = length_q < headers => short_headers     = length_q <= headers
// control checks_as_specified: | (start_last_q & ~something_follows) => | (start_last_q & something_follows)
    always @* if (formal_started && m_record_valid) begin
        checks_as_specified: assert ({m_record_transaction_type, m_record_transaction_rsn, m_record_transaction_cid} == spec_side);
        checks_as_specified: assert (m_record_checks_short_packet == spec_short_packet);
        if (!spec_short_packet) begin
            checks_as_specified: assert (m_record_checks_wrong_version == spec_wrong_version && m_record_checks_bad_opcode == spec_bad_opcode);
            if (!spec_bad_opcode) checks_as_specified: assert (m_record_checks_short_headers == spec_short_headers);
            if (!spec_bad_opcode && !spec_short_headers) checks_as_specified: assert (m_record_checks_bad_payload == spec_bad_payload);
        end
    end

// property fields_as_specified: a record has the fields of the headers of its packet, if that has them whole
// control fields_as_specified: m_record_header_ce             = header_octets => m_record_header_ce             = ~header_octets
// control fields_as_specified: seth_at_40_q ? => seth_at_40_q & ~start_xrceth_q ?
// control fields_as_specified: start_xrceth_q        <= has_xrceth => start_xrceth_q        <= is_xrc
// control fields_as_specified: payload_octets    = rest - => payload_octets    = rest +
    always @* if (formal_started && m_record_valid && !spec_short_packet && !spec_bad_opcode && !spec_short_headers) begin
        fields_as_specified: assert ({m_record_header_ce, m_record_header_se} == {spec_ce, spec_se} && m_record_header_opcode == spec_opcode);
        fields_as_specified: assert (m_record_header_destination_qp == spec_qp && m_record_header_sn == spec_sn);
        if (spec_reth || spec_atomic || spec_ack || spec_deth) fields_as_specified: assert (m_record_header_va == spec_va);
        if (spec_reth || spec_atomic) fields_as_specified: assert (m_record_header_r_key == spec_r_key);
        if (spec_reth) fields_as_specified: assert (m_record_header_length == spec_reth_length);
        if (spec_atomic) fields_as_specified: assert (m_record_header_data == spec_data && m_record_header_compare == spec_compare);
        if (spec_seth) fields_as_specified: assert (m_record_header_rmsn == spec_rmsn);
        if (spec_oeth) fields_as_specified: assert (m_record_header_offset == spec_offset);
        if (spec_steth) fields_as_specified: assert (m_record_header_sink_va == spec_sink && m_record_header_l_key == spec_sink_key);
        if (spec_immdt) fields_as_specified: assert (m_record_header_word == spec_word);
        if (spec_xrceth) fields_as_specified: assert (m_record_header_srq == spec_srq);
        if (m_record_has_payload && !spec_bad_payload) fields_as_specified: assert (m_record_payload_length == spec_length - spec_header - spec_pad);
    end

    // The octets after the headers that have left, in whole beats, and the rest of the packet as far as it has arrived.
    reg  [15:0] spec_left;
    wire        spec_emits = spec_carries && spec_length > spec_header + spec_left;
    always @(posedge clk) begin
        if (release_held) spec_left <= held_tlast_q ? 16'd0 : spec_left + (emit_q ? SPEC_OCTETS : 0);
        if (rst) spec_left <= 16'd0;
    end
    wire        spec_ended = held_tlast_q || s_axis_rx_tlast;
    wire [15:0] spec_total = (held_tlast_q ? spec_length : spec_length + spec_kept) - spec_header;
    wire [15:0] spec_rest  = spec_total - spec_left;
    wire [15:0] spec_skip  = spec_header + spec_left - (spec_length - spec_held);

    // The latest beat of payload: its octets, how many, and whether that is known, which it is not of a packet in error.
    reg         spec_pending, spec_exact, spec_ends;
    reg  [SPEC_OCTETS*8-1:0] spec_window;
    reg  [15:0] spec_octets_left;
    reg  [SPEC_OCTETS-1:0] spec_mask;
    always @(posedge clk) begin
        if (m_axis_payload_tready) spec_pending <= 1'b0;
        if (release_held && spec_emits) begin
            spec_pending <= 1'b1;
            spec_window  <= {s_axis_rx_tdata, spec_beat} >> {spec_skip[7:0], 3'd0};
            spec_ends    <= spec_ended && spec_rest <= SPEC_OCTETS;
            spec_exact   <= !spec_ended || spec_total % 4 == 0;
            spec_octets_left <= !spec_ended || spec_rest - spec_pad > SPEC_OCTETS ? SPEC_OCTETS : spec_rest - spec_pad;
        end
        if (rst) spec_pending <= 1'b0;
    end
    reg  [SPEC_OCTETS*8-1:0] spec_valid; // bits of the octets on offer
    always @* for (spec_i = 0; spec_i < SPEC_OCTETS; spec_i = spec_i + 1) begin
        spec_mask[spec_i] = spec_i < spec_octets_left;
        spec_valid[8*spec_i +: 8] = {8{m_axis_payload_tkeep[spec_i]}};
    end

// property payload_as_specified: payload consists of the octets after the headers without the pad, in order, from octet 0 of a packet
// control payload_as_specified: shifts_by_a_word ? {s_axis_rx_tdata[31:0] => shifts_by_a_word ? {s_axis_rx_tdata[32:1]
// control payload_as_specified: next_words_end         = ~s_axis_rx_tkeep[4] => next_words_end         = s_axis_rx_tkeep[4]
// control payload_as_specified: {4{more_follows_q}} => 4'd15
// control payload_as_specified: s_axis_rx_tlast & ~more => s_axis_rx_tlast
    always @* if (formal_started) begin
        payload_as_specified: assert (m_axis_payload_tvalid == spec_pending);
        if (m_axis_payload_tvalid) begin
            payload_as_specified: assert (((m_axis_payload_tdata ^ spec_window) & spec_valid) == 0);
            payload_as_specified: assert (m_axis_payload_tkeep[0] && (m_axis_payload_tkeep & (m_axis_payload_tkeep + 1'b1)) == 0);
            payload_as_specified: assert (m_axis_payload_tlast == spec_ends && (m_axis_payload_tlast || m_axis_payload_tkeep == spec_all));
            if (spec_exact) payload_as_specified: assert (m_axis_payload_tkeep == spec_mask);
        end
    end

// property payload_whole: when a record leaves, all payload of its packet has left or leaves; it says whether there is any
// control payload_whole: carries & remains => carries & remains & ~s_axis_rx_tlast
// control payload_whole: some              = start_carries_q & => some              = start_xrceth_q &
    always @* if (formal_started && m_record_valid && m_record_ready) begin
        payload_whole: assert (release_held && m_record_has_payload == (spec_carries && spec_length > spec_header));
        payload_whole: assert (m_record_has_payload == (spec_left != 16'd0 || emit_q));
        payload_whole: assert (!m_record_has_payload || spec_length <= spec_header + spec_left + (emit_q ? SPEC_OCTETS : 0));
    end

// property none_lost: a beat is taken only when none is held or the held one leaves
// control none_lost: complete = held_tlast_q | s_axis_rx_tvalid => complete = held_tlast_q
    always @* if (formal_started && spec_take && held_valid_q) none_lost: assert (release_held);

// invariant held_as_came: the held beat is the latest one received
// invariant place_is_length: the position in beats agrees with the length in octets
// invariant left_is_place: the payload that has left follows from the position
// invariant start_as_came: what the first word decides is stored with the first beat, with the flag whether a beat emits payload
    wire [15:0] spec_started = spec_length - spec_held; // octets before the held beat
    reg  [479:0] spec_arrived; // bits of the octets of beats that have arrived
    always @* for (spec_i = 0; spec_i < 60; spec_i = spec_i + 1) spec_arrived[8*spec_i +: 8] = {8{spec_i / SPEC_OCTETS * SPEC_OCTETS <= spec_started}};
    wire [15:0] spec_whole_beats = spec_header / SPEC_OCTETS * SPEC_OCTETS;
    always @* if (formal_started) begin
        if (held_valid_q) begin
            held_as_came: assert (held_tdata_q == spec_beat && held_tkeep_q == spec_keep && {held_tuser_q, held_tid_q, held_tdest_q} == spec_side);
            held_as_came: assert (length_q == spec_length && spec_length >= spec_held && spec_started % SPEC_OCTETS == 0);
            held_as_came: assert (held_tlast_q == first_q && more_follows_q == !held_tlast_q);
            held_as_came: assert ((held_tkeep_q & (held_tkeep_q + 1'b1)) == 0 && (held_tlast_q || held_tkeep_q == spec_all));
            held_as_came: assert (((header_octets ^ spec_octets) & spec_arrived) == 0);
            left_is_place: assert (spec_left == (spec_carries && spec_started > spec_whole_beats ? spec_started - spec_whole_beats : 16'd0));
            start_as_came: assert (start_pad_q == spec_pad && start_wrong_version_q == spec_wrong_version && start_bad_opcode_q == spec_bad_opcode);
            start_as_came: assert (start_carries_q == spec_carries && emit_q == spec_emits);
            if (spec_known) begin
                start_as_came: assert ({start_words_q, 2'd0} == spec_header && start_xrceth_q == spec_xrceth && start_last_q == spec_last);
                start_as_came: assert ({`EACH_OFFSET(payload_at_@_q)} == {`EACH_OFFSET((spec_carries && spec_header % SPEC_OCTETS == @))});
                start_as_came: assert ({seth_at_28_q, seth_at_40_q} == {spec_seth_at == 4'd4, spec_seth_at == 4'd7});
                start_as_came: assert ({steth_at_12_q, steth_at_20_q, steth_at_44_q} ==
                    {spec_steth && spec_steth_at == 4'd0, spec_steth_at == 4'd2, spec_steth_at == 4'd8});
                start_as_came: assert (immdt_at_32_q == (spec_immdt_at == 4'd5));
            end
        end else left_is_place: assert (!first_q || spec_left == 16'd0);
        held_as_came: assert (spec_first == first_q && (first_q || held_valid_q));
        place_is_length: assert (!held_valid_q || position_q != 0 && position_q * SPEC_OCTETS < 60 + SPEC_OCTETS);
        place_is_length: assert (!held_valid_q || (position_q * SPEC_OCTETS < 60 ? spec_started + SPEC_OCTETS == position_q * SPEC_OCTETS : spec_started + SPEC_OCTETS >= position_q * SPEC_OCTETS));
    end
