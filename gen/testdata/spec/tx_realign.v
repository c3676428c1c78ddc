// The payload of a segment consists of the selected octets of its beats of memory, rotated by turn octets: octet k of the segment
// is octet k - turn of memory. Each beat leaves once, in order.
// depth 4
// bound 11
    localparam SPEC_B = `WIDTH_m_axi_rdata / 8;
    // The segment whose beats arrive. Its offset in the segment and the rotation determine its offset in memory.
    reg  spec_busy, spec_first, spec_begins;
    reg  [`WIDTH_coming_behind-1:0] spec_left; // beats after the next one
    reg  [`WIDTH_coming_turn-1:0] spec_turn, spec_lead, spec_end; // spec_end is 0 for the whole beat
    reg  spec_is_late, spec_spill;
    wire [`WIDTH_coming_turn-1:0] spec_offset = spec_lead - spec_turn;
    wire [`WIDTH_coming_turn-1:0] spec_memory_end = spec_end - spec_turn;
    wire spec_ends  = spec_left == 0;
    wire spec_late  = spec_first && spec_is_late;
    wire spec_spills = spec_ends && spec_spill;
    wire spec_take  = m_axi_rvalid && m_axi_rready;
    wire spec_next  = coming_valid && coming_ready;
    always @(posedge clk) begin
        if (spec_next) begin
            {spec_left, spec_turn, spec_lead, spec_end, spec_is_late, spec_spill} <=
                {coming_behind, coming_turn, coming_lead, coming_ends, coming_late, coming_spill};
            {spec_first, spec_begins} <= 2'b11;
        end else if (spec_take) begin
            spec_left   <= spec_left - 1'b1;
            spec_first  <= 1'b0;
            spec_begins <= spec_begins && spec_late;
        end
        spec_busy <= !rst && (spec_next || spec_busy && !(spec_take && spec_ends));
    end
// assume described: tx_fetch, whose property announced states how beats of memory become beats of the segment
    wire [`WIDTH_coming_turn-1:0] spec_coming_offset = coming_lead - coming_turn;
    wire [`WIDTH_coming_turn-1:0] spec_coming_end = coming_ends - coming_turn;
    wire [15:0] spec_octets = (coming_behind + 1) * SPEC_B - spec_coming_offset - (spec_coming_end == 0 ? 0 : SPEC_B - spec_coming_end);
    always @* if (coming_valid) described: assume (spec_octets != 0 && spec_octets <= (coming_behind + 1) * SPEC_B &&
        coming_late == (coming_lead < spec_coming_offset) &&
        (coming_lead + spec_octets + SPEC_B - 1) / SPEC_B == coming_behind + 1 - coming_late + coming_spill);

    // The arriving beat, without the octets before the first or after the last selected one.
    reg  [8*SPEC_B-1:0] spec_meant;
    integer spec_i;
    always @* for (spec_i = 0; spec_i < SPEC_B; spec_i = spec_i + 1)
        spec_meant[8*spec_i +: 8] = (spec_first && spec_i < spec_offset) || (spec_ends && spec_memory_end != 0 && spec_i >= spec_memory_end) ?
            8'd0 : m_axi_rdata[8*spec_i +: 8];

    // The beat accepted last, the previous one of its segment, and their rotation.
    reg  [8*SPEC_B-1:0] spec_beat, spec_before, spec_raw, spec_raw_before;
    reg  [`WIDTH_coming_turn-1:0] spec_by, spec_header, spec_up_to;
    reg  spec_held, spec_was_first, spec_before_was_first, spec_was_late, spec_was_last, spec_spilled, spec_began, spec_failed;
    always @(posedge clk) begin
        if (spec_take) begin
            {spec_beat, spec_raw, spec_raw_before} <= {spec_meant, m_axi_rdata, spec_raw};
            spec_before_was_first <= spec_was_first;
            spec_before <= spec_first ? {8*SPEC_B{1'b0}} : spec_beat;
            {spec_by, spec_header, spec_up_to} <= {spec_turn, spec_lead, spec_end};
            {spec_was_first, spec_was_late, spec_was_last, spec_spilled, spec_began} <= {spec_first, spec_late, spec_ends, spec_spills, spec_begins};
            spec_failed <= m_axi_rresp[1] || !spec_first && spec_failed;
        end
        spec_held <= !rst && spec_take;
    end
    // Two consecutive beats joined and rotated; the rest of the last one makes a beat of its own.
    wire [8*SPEC_B-1:0] spec_joined = {spec_beat, spec_before} >> (8 * (SPEC_B - spec_by));
    wire [8*SPEC_B-1:0] spec_rest   = {{8*SPEC_B{1'b0}}, spec_beat} >> (8 * (SPEC_B - spec_by));

    // The complete beat that has not left, and the beat that leaves next, if any.
    reg  spec_waits, spec_wait_last, spec_wait_failed;
    reg  [8*SPEC_B-1:0] spec_wait;
    wire spec_gives  = spec_held && !spec_was_late;
    wire spec_leaves = spec_waits || spec_gives;
    wire [2:0] spec_owed = spec_waits + (spec_held ? !spec_was_late + spec_spilled : 0) - spec_leaves;
    always @(posedge clk) begin
        spec_wait        <= spec_spilled ? spec_rest : spec_joined;
        spec_wait_last   <= spec_was_last;
        spec_wait_failed <= spec_failed;
        spec_waits       <= !rst && spec_owed != 0;
    end
    // The rotation takes two more stages.
    reg  [8*SPEC_B+2:0] spec_leaving_1, spec_leaving_2; // valid, last, failed, octets
    always @(posedge clk) begin
        spec_leaving_1 <= {!rst && spec_leaves, spec_waits ? {spec_wait_last, spec_wait_failed, spec_wait} :
            {spec_was_last && !spec_spilled, spec_failed, spec_joined}};
        spec_leaving_2 <= {!rst && spec_leaving_1[8*SPEC_B+2], spec_leaving_1[8*SPEC_B+1:0]};
    end

// property octets_in_place: each octet of a segment is the selected octet of memory, and all others are zero
// control octets_in_place: ~before_payload | => 8'd255 |
// control octets_in_place: {m_axi_rdata[55:0], m_axi_rdata[63:56]} => {m_axi_rdata[54:0], m_axi_rdata[63:55]}
// control octets_in_place: before_end | => 8'd255 |
    always @* if (started && payload_valid) octets_in_place: assert (payload_data == spec_leaving_2[8*SPEC_B-1:0]);

// property last_and_failed: the last beat of a segment is marked as last, and as failed if memory had an error in one of its beats
// control last_and_failed: closed_1_q       <= closes_q => closed_1_q       <= last_q
// control last_and_failed: failed_q & ~first_q => failed_q
    always @* if (started && payload_valid)
        last_and_failed: assert ({payload_last, payload_failed} == spec_leaving_2[8*SPEC_B+1:8*SPEC_B]);

// property each_once: each complete beat leaves exactly once, and no others leave
// control each_once: spills_q | (waits_next_q & joins) => spills_q
// control each_once: = waits_next_q | (take & joins) => = waits_next_q | take
    always @* if (started) begin
        each_once: assert (payload_valid == spec_leaving_2[8*SPEC_B+2]);
        each_once: assert (spec_owed <= 1);
    end

// invariant as_announced: the registers hold the announcement of the segment
// invariant as_taken: the registers hold the beat accepted last, rotated
    wire [2*8*SPEC_B-1:0] spec_turned = {spec_raw, spec_raw} >> (8 * (SPEC_B - spec_by));
    wire [2*8*SPEC_B-1:0] spec_turned_before = {spec_raw_before, spec_raw_before} >> (8 * (SPEC_B - spec_by));
    // The beats after the first stage.
    reg  spec_held_2, spec_held_3, spec_was_first_2, spec_was_first_3;
    reg  [8*SPEC_B-1:0] spec_turned_2, spec_turned_3, spec_before_2, spec_before_3;
    always @(posedge clk) begin
        {spec_held_2, spec_held_3} <= {!rst && spec_held, !rst && spec_held_2};
        {spec_was_first_2, spec_was_first_3} <= {spec_was_first, spec_was_first_2};
        {spec_turned_2, spec_turned_3} <= {spec_turned[8*SPEC_B-1:0], spec_turned_2};
        {spec_before_2, spec_before_3} <= {spec_turned_before[8*SPEC_B-1:0], spec_before_2};
    end
    // A number of octets, decoded: the full rows, the row after them, and the octets in that row.
    localparam SPEC_ROWS = `WIDTH_job_below_rows_q, SPEC_ROW = `WIDTH_job_below_octets_q;
    function [2*SPEC_ROWS+SPEC_ROW-1:0] spec_marks(input [`WIDTH_coming_turn-1:0] n, input all);
        integer i;
        begin
            for (i = 0; i < SPEC_ROWS; i = i + 1) begin
                spec_marks[SPEC_ROWS+SPEC_ROW+i] = all || n / SPEC_ROW > i;
                spec_marks[SPEC_ROW+i] = n / SPEC_ROW == i;
            end
            for (i = 0; i < SPEC_ROW; i = i + 1) spec_marks[i] = n % SPEC_ROW > i;
        end
    endfunction
    // Octets of a last beat, from 1 to all, and the selected octets of the held beats.
    wire [15:0] spec_to = spec_memory_end == 0 ? SPEC_B : spec_memory_end;
    wire [`WIDTH_coming_turn-1:0] spec_was_end = spec_up_to - spec_by;
    wire [`WIDTH_coming_turn-1:0] spec_was_offset = spec_header - spec_by;
    wire [15:0] spec_was_to = spec_was_end == 0 ? SPEC_B : spec_was_end;
    reg  [8*SPEC_B-1:0] spec_masked, spec_masked_before;
    integer spec_j;
    always @* for (spec_j = 0; spec_j < SPEC_B; spec_j = spec_j + 1) begin
        spec_masked[8*spec_j +: 8] = spec_was_first && spec_j < spec_was_offset || spec_was_last && spec_j >= spec_was_to ? 8'd0 :
            spec_raw[8*spec_j +: 8];
        spec_masked_before[8*spec_j +: 8] = spec_was_first || spec_before_was_first && spec_j < spec_was_offset ? 8'd0 :
            spec_raw_before[8*spec_j +: 8];
    end
    always @* if (started) begin
        as_announced: assert (job_valid_q == spec_busy);
        if (spec_busy) begin
            as_announced: assert (job_turn_q == spec_turn && job_spill_q == spec_spill);
            as_announced: assert (spec_marks(spec_turn, 1'b0) == {job_below_rows_q, job_below_row_q, job_below_octets_q});
            as_announced: assert (spec_marks(spec_lead, 1'b0) == {job_lead_rows_q, job_lead_row_q, job_lead_octets_q});
            as_announced: assert (spec_marks(spec_end, spec_end == 0) == {job_end_rows_q, job_end_row_q, job_end_octets_q});
            as_announced: assert (beats_left_q == spec_left && last_q == spec_ends && spills_q == spec_spills && closes_q == (spec_ends && !spec_spill));
            as_announced: assert (first_q == spec_first && late_q == spec_late && begins_q == spec_begins);
            as_announced: assert (spec_is_late == (spec_lead < spec_offset) && (!spec_first || spec_begins));
            if (!spec_first) as_announced: assert (spec_by == spec_turn && spec_header == spec_lead && spec_up_to == spec_end && !spec_was_last);
            as_announced: assert (spec_spill == (spec_to + spec_turn > SPEC_B) && (!spec_first || !spec_ends || spec_offset < spec_to));
            if (!spec_first) as_announced: assert (spec_begins == (spec_was_first && spec_is_late));
        end
        as_taken: assert (waits_next_q == (spec_owed != 0));
        as_taken: assert (valid_1_q == spec_held && valid_2_q == spec_held_2 && valid_3_q == spec_held_3);
        as_taken: assert (leaves_valid_1_q == spec_leaves && leaves_valid_2_q == spec_leaving_1[8*SPEC_B+2] && leaves_valid_3_q == spec_leaving_2[8*SPEC_B+2]);
        if (spec_held) begin
            as_taken: assert (spec_spilled == (spec_was_last && spec_was_to + spec_by > SPEC_B));
            as_taken: assert (spec_was_late == (spec_was_first && spec_header < spec_was_offset));
            as_taken: assert (!spec_was_first || !spec_was_last || spec_was_offset < spec_was_to);
            as_taken: assert (spec_began == (spec_was_first || spec_before_was_first && spec_header < spec_was_offset));
            as_taken: assert (spec_before == spec_masked_before && failed_q == spec_failed);
            as_taken: assert (spec_was_first || spec_turned_before[8*SPEC_B-1:0] == (spec_held_2 ? spec_turned_2 : spec_held_3 ? spec_turned_3 : carry_q));
        end
        if (spec_held_2 && !spec_was_first_2) as_taken: assert (spec_before_2 == (spec_held_3 ? spec_turned_3 : carry_q));
        if (spec_held_3 && !spec_was_first_3) as_taken: assert (spec_before_3 == carry_q);
        if (spec_busy && !spec_first) as_taken: assert (spec_turned[8*SPEC_B-1:0] ==
            (spec_held ? spec_turned[8*SPEC_B-1:0] : spec_held_2 ? spec_turned_2 : spec_held_3 ? spec_turned_3 : carry_q));
        if (spec_held || spec_busy && !spec_first) as_taken: assert (spec_beat == spec_masked);
        if (spec_busy && !spec_first) as_taken: assert (failed_q == spec_failed);
    end
