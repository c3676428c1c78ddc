// A command writes octet j of the payload, or of the 8 inline octets, to address + j, and no other octet. Bursts cover the octets
// without a gap and stay within their block. A command may be a piece of a packet, whose octet j is octet `from` + j of its beat of payload.
// depth 4
// bound 9
    localparam SPEC_B = `WIDTH_m_axi_wstrb;
    localparam SPEC_LOG = `WIDTH_task_from;

// assume not_empty: rx_check, which places nothing of a segment without payload, and 8 octets of an inline one; shown by rx_check/places_something
    always @* not_empty: assume (!command_valid || command_length != 16'd0);

// assume within_beat: falcon_scatter, whose piece ends in the beat inside which it begins; shown by falcon_scatter/within_beat
    wire [SPEC_LOG-1:0] spec_begins; // octet of its beat with which a piece begins
    wire spec_goes_on;               // another piece of the packet follows
    generate if (`HAS_command_from) begin
        assign {spec_begins, spec_goes_on} = {command_from, command_more};
        always @* within_beat: assume (!command_valid || command_from == 0 || command_length <= SPEC_B - command_from && !command_inline && !command_discard);
    end else assign {spec_begins, spec_goes_on} = 0;
    endgenerate

    // The command in execution, and the next one; next_free and next_keeps_q determine when they advance.
    reg  [63:0] spec_address, spec_kept_address, spec_data, spec_kept_data;
    reg  [15:0] spec_length, spec_kept_length;
    reg         spec_discard, spec_kept_discard, spec_inline, spec_kept_inline, spec_more, spec_kept_more;
    reg  [SPEC_LOG-1:0] spec_origin, spec_kept_origin;
    always @(posedge clk) begin
        if (next_free) {spec_address, spec_length, spec_discard, spec_inline, spec_data, spec_origin, spec_more} <= next_keeps_q ?
            {spec_kept_address, spec_kept_length, spec_kept_discard, spec_kept_inline, spec_kept_data, spec_kept_origin, spec_kept_more} :
            {command_address, command_length, command_discard, command_inline, command_data, spec_begins, spec_goes_on};
        if (!next_keeps_q) {spec_kept_address, spec_kept_length, spec_kept_discard, spec_kept_inline, spec_kept_data, spec_kept_origin, spec_kept_more} <=
            {command_address, command_length, command_discard, command_inline, command_data, spec_begins, spec_goes_on};
    end

    // The number of the next beat of memory of the command, or for a discard of the next beat of its packet.
    wire [SPEC_LOG-1:0] spec_from = spec_discard ? 0 : spec_address[SPEC_LOG-1:0];
    wire [SPEC_LOG-1:0] spec_kept_from = spec_kept_discard ? 0 : spec_kept_address[SPEC_LOG-1:0];
    wire [16:0] spec_all = (spec_from + spec_length - 17'd1) >> SPEC_LOG; // number of beats - 1
    wire [16:0] spec_kept_all = (spec_kept_from + spec_kept_length - 17'd1) >> SPEC_LOG;
    reg  [16:0] spec_beats;
    always @(posedge clk) spec_beats <= rst || move && spec_beats == spec_all ? 17'd0 : spec_beats + move;

    // The source rotated from its place in the beat to its offset in memory, and the previous source.
    wire [SPEC_LOG-1:0] spec_turn = spec_from - spec_origin, spec_kept_turn = spec_kept_from - spec_kept_origin;
    wire [8*SPEC_B-1:0] spec_source = spec_inline ? spec_data | (payload_tdata >> 64 << 64) : payload_tdata;
    wire [2*8*SPEC_B-1:0] spec_twice = {spec_source, spec_source} >> (8 * (SPEC_B - spec_turn));
    wire [8*SPEC_B-1:0] spec_turned = spec_twice[8*SPEC_B-1:0];
    reg  [8*SPEC_B-1:0] spec_before;
    reg  spec_some;
    always @(posedge clk) begin
        if (writes) spec_before <= spec_turned;
        spec_some <= !rst && (spec_some || writes);
    end
    reg  [8*SPEC_B-1:0] spec_octets;
    reg  [SPEC_B-1:0]   spec_strobe;
    reg  [20:0]         spec_octet;
    integer spec_i;
    always @* for (spec_i = 0; spec_i < SPEC_B; spec_i = spec_i + 1) begin
        spec_octet = {spec_beats, {SPEC_LOG{1'b0}}} + spec_i; // counted from the first beat of memory
        spec_strobe[spec_i] = spec_octet >= spec_from && spec_octet < {5'd0, spec_length} + spec_from;
        spec_octets[8*spec_i +: 8] = !spec_strobe[spec_i] ? 8'd0 : spec_i < spec_from ? spec_before[8*spec_i +: 8] : spec_turned[8*spec_i +: 8];
    end

    // The rotation takes three stages.
    wire [63:0] spec_begin = (spec_address[63:SPEC_LOG] + spec_beats) << SPEC_LOG;
    reg  spec_valid_1, spec_valid_2, spec_valid_3, spec_starts_1, spec_starts_2, spec_starts_3;
    reg  [8*SPEC_B-1:0] spec_octets_1, spec_octets_2, spec_octets_3, spec_turned_1, spec_turned_2, spec_turned_3;
    reg  [8*SPEC_B-1:0] spec_before_1, spec_before_2, spec_before_3;
    reg  [SPEC_B-1:0] spec_strobe_1, spec_strobe_2, spec_strobe_3;
    reg  [63:0] spec_begin_1, spec_begin_2, spec_begin_3;
    reg  spec_later_1, spec_later_2, spec_later_3;
    always @(posedge clk) begin
        {spec_valid_1, spec_valid_2, spec_valid_3} <= rst ? 3'd0 : {writes, spec_valid_1, spec_valid_2};
        {spec_starts_1, spec_starts_2, spec_starts_3} <= {burst_starts_q, spec_starts_1, spec_starts_2};
        {spec_octets_1, spec_octets_2, spec_octets_3} <= {spec_octets, spec_octets_1, spec_octets_2};
        {spec_turned_1, spec_turned_2, spec_turned_3} <= {spec_turned, spec_turned_1, spec_turned_2};
        {spec_before_1, spec_before_2, spec_before_3} <= {spec_before, spec_before_1, spec_before_2};
        {spec_strobe_1, spec_strobe_2, spec_strobe_3} <= {spec_strobe, spec_strobe_1, spec_strobe_2};
        {spec_begin_1, spec_begin_2, spec_begin_3} <= {spec_begin, spec_begin_1, spec_begin_2};
        {spec_later_1, spec_later_2, spec_later_3} <= {spec_beats != 0, spec_later_1, spec_later_2};
    end

// property octets_at_address: a beat writes the octets of the payload that belong to its address, and no others
// control octets_at_address: {source[55:0], source[63:56]} => {source[54:0], source[63:55]}
// control octets_at_address: carried_q <= turn_2_3_q => carried_q <= turn_1_2_q
// control octets_at_address: ~{8{last_2_q}} => 8'd255
// control octets_at_address: ~{8{first_2_q}} => 8'd255
    always @* if (started) begin
        octets_at_address: assert (beat_in_wvalid == spec_valid_3);
        if (spec_valid_3) octets_at_address: assert (beat_in_wdata == spec_octets_3 && beat_in_wstrb == spec_strobe_3);
    end

// property bursts_as_commanded: a burst begins where the previous one ended, and every beat of a placement belongs to a burst
// control bursts_as_commanded: place_in_block + 8'd1 => place_in_block + 8'd2
// control bursts_as_commanded: last_burst ? beats_left[7:0] : room_behind => room_behind
// control bursts_as_commanded: place_is_last | last; => place_is_last;
    reg [8:0] spec_room; // remaining beats of the latest burst
    always @(posedge clk) begin
        if (start) spec_room <= burst_beats;
        else if (move) spec_room <= spec_room - 9'd1;
    end
    always @* if (started) begin
        bursts_as_commanded: assert (address_in_awvalid == (spec_valid_3 && spec_starts_3));
        if (address_in_awvalid) bursts_as_commanded: assert (address_in_awaddr == spec_begin_3);
    end
    always @* if (started && writes && !rst) begin
        bursts_as_commanded: assert (start || spec_room != 0);
        bursts_as_commanded: assert (spec_beats <= spec_all && burst_beats + spec_beats <= spec_all || !start);
        bursts_as_commanded: assert (task_ready == (spec_beats == spec_all));
        bursts_as_commanded: assert (burst_ends == (start ? burst_beats == 0 : spec_room == 1));
    end

// property ends_once: only the last burst of the last piece of a packet ends its placement
// control ends_once: bursts_in_last = last_burst_1_q => bursts_in_last = 1'b1
    reg spec_ends_1;
    always @(posedge clk) spec_ends_1 <= spec_beats + burst_beats == spec_all && !spec_more;
    always @* if (started && bursts_in_valid) ends_once: assert (bursts_in_last == spec_ends_1);

// property stays_in_block: a burst does not cross the end of its block of 4 KiB or 256 beats
// control stays_in_block: beats_left <= {6'd0, room_behind} => beats_left <= {6'd1, room_behind}
    always @* if (started && start)
        stays_in_block: assert ({1'b0, place_in_block} + burst_beats <= {`WIDTH_place_in_block{1'b1}});

// property has_place: a beat, an address or a burst that leaves the pipeline has room in its buffer
// control has_place: <= beat_buffer_tail_q + 4'd1 => <= beat_buffer_tail_q
    always @* if (started) begin
        if (beat_in_wvalid) has_place: assert (spec_beats_stored < 16);
        if (address_in_awvalid) has_place: assert (spec_addresses_stored < 16);
        if (bursts_in_valid) has_place: assert (spec_bursts_stored < 512);
    end

// invariant as_commanded: the registers agree with the commands
    wire spec_piece_more, spec_kept_piece_more;
    generate if (`HAS_task_piece_more) assign {spec_piece_more, spec_kept_piece_more} = {task_piece_more, next_kept_piece_more_q};
    else assign {spec_piece_more, spec_kept_piece_more} = 0;
    endgenerate
    always @* if (started && next_valid_q) begin
        as_commanded: assert (spec_length != 16'd0 && !(spec_inline && spec_discard));
        if (spec_origin != 0) as_commanded: assert (spec_length <= SPEC_B - spec_origin && !spec_inline && !spec_discard);
        as_commanded: assert (task_discard == spec_discard && task_inline == spec_inline && task_pays == !spec_inline && task_data == spec_data);
        as_commanded: assert (task_beat == spec_address[63:SPEC_LOG] && task_behind == spec_all && task_from == spec_from && task_turn == spec_turn);
        as_commanded: assert (task_ends == spec_from + spec_length[SPEC_LOG-1:0]);
        as_commanded: assert (task_spills == ((spec_from + ((spec_length - 16'd1) & (SPEC_B - 1))) >= SPEC_B));
        as_commanded: assert (spec_beats <= spec_all);
        as_commanded: assert (beats_left == spec_all - spec_beats && last == (spec_beats == spec_all));
        as_commanded: assert (needs_payload == (!spec_inline && !(spec_beats != 0 && spec_beats == spec_all && task_spills)));
        if (`HAS_task_piece_more) as_commanded: assert (spec_piece_more == spec_more);
        if (!spec_discard) begin
            as_commanded: assert ({block, place_in_block} == spec_address[63:SPEC_LOG] + spec_beats);
            as_commanded: assert (burst_starts_q == (spec_beats == 0 || place_in_block == 0));
            as_commanded: assert (first_q || spec_room == (burst_starts_q ? 0 : last_burst ? beats_left + 1 : room_behind + 1));
            as_commanded: assert (spec_beats == 0 || spec_some);
        end
    end
    always @* if (started) begin
        as_commanded: assert (first_q == (spec_beats == 0));
        if (!next_valid_q) as_commanded: assert (first_q);
        if (first_q) as_commanded: assert (burst_starts_q && some_q && !last_q);
        as_commanded: assert (!next_keeps_q || next_valid_q);
        if (next_keeps_q) begin
            if (`HAS_task_piece_more) as_commanded: assert (spec_kept_piece_more == spec_kept_more);
            as_commanded: assert (spec_kept_length != 16'd0 && !(spec_kept_inline && spec_kept_discard));
            if (spec_kept_origin != 0) as_commanded: assert (spec_kept_length <= SPEC_B - spec_kept_origin && !spec_kept_inline && !spec_kept_discard);
            as_commanded: assert (next_kept_discard_q == spec_kept_discard && next_kept_inline_q == spec_kept_inline && next_kept_pays_q == !spec_kept_inline);
            as_commanded: assert (next_kept_data_q == spec_kept_data && next_kept_beat_q == spec_kept_address[63:SPEC_LOG]);
            as_commanded: assert (next_kept_behind_q == spec_kept_all && next_kept_from_q == spec_kept_from && next_kept_turn_q == spec_kept_turn);
            as_commanded: assert (next_kept_ends_q == spec_kept_from + spec_kept_length[SPEC_LOG-1:0]);
            as_commanded: assert (next_kept_spills_q == ((spec_kept_from + ((spec_kept_length - 16'd1) & (SPEC_B - 1))) >= SPEC_B));
        end
    end

// invariant on_the_way: the beat carried after the last stage precedes those being rotated
    wire [8*SPEC_B-1:0] spec_behind_3 = spec_valid_3 ? spec_turned_3 : carried_q;
    wire [8*SPEC_B-1:0] spec_behind_2 = spec_valid_2 ? spec_turned_2 : spec_behind_3;
    wire [8*SPEC_B-1:0] spec_behind_1 = spec_valid_1 ? spec_turned_1 : spec_behind_2;
    always @* if (started) begin
        on_the_way: assert (valid_1_q == spec_valid_1 && valid_2_q == spec_valid_2 && valid_3_q == spec_valid_3);
        if (spec_some) on_the_way: assert (spec_before == spec_behind_1);
        if (spec_valid_1 && spec_later_1) on_the_way: assert (spec_before_1 == spec_behind_2);
        if (spec_valid_2 && spec_later_2) on_the_way: assert (spec_before_2 == spec_behind_3);
        if (spec_valid_3 && spec_later_3) on_the_way: assert (spec_before_3 == carried_q);
    end

// invariant places: the number of reserved places is that of items stored, in the pipeline, or left but not counted yet
    wire [4:0] spec_beats_stored = beat_buffer_empty_q ? 5'd0 : beat_buffer_tail_q == beat_buffer_head_q ? 5'd16 : {1'b0, beat_buffer_tail_q - beat_buffer_head_q};
    wire [4:0] spec_addresses_stored = address_buffer_empty_q ? 5'd0 : address_buffer_tail_q == address_buffer_head_q ? 5'd16 : {1'b0, address_buffer_tail_q - address_buffer_head_q};
    wire [9:0] spec_bursts_stored = bursts_buffer_empty_q ? 10'd0 : bursts_buffer_tail_q == bursts_buffer_head_q ? 10'd512 : {1'b0, bursts_buffer_tail_q - bursts_buffer_head_q};
    always @* if (started) begin
        places: assert (beat_reserved_q == spec_beats_stored + beat_buffer_valid_q + beat_left_q + beat_spared_q + spec_valid_1 + spec_valid_2 + spec_valid_3);
        places: assert (address_reserved_q == spec_addresses_stored + address_buffer_valid_q + address_left_q +
            (spec_valid_1 && spec_starts_1) + (spec_valid_2 && spec_starts_2) + (spec_valid_3 && spec_starts_3));
        places: assert (bursts_reserved_q == spec_bursts_stored + bursts_buffer_valid_q + bursts_left_q + (spec_valid_1 && spec_starts_1));
        places: assert (beat_buffer_not_before_tail_q == ~(beat_buffer_tail_q - 1'b1));
        places: assert (address_buffer_not_before_tail_q == ~(address_buffer_tail_q - 1'b1));
        places: assert (bursts_buffer_not_before_tail_q == ~(bursts_buffer_tail_q - 1'b1));
        places: assert ((!beat_buffer_empty_q || beat_buffer_tail_q == beat_buffer_head_q) && (!address_buffer_empty_q || address_buffer_tail_q == address_buffer_head_q) &&
            (!bursts_buffer_empty_q || bursts_buffer_tail_q == bursts_buffer_head_q));
        places: assert (beat_reserved_q <= 16 && address_reserved_q <= 16 && bursts_reserved_q <= 512);
    end
