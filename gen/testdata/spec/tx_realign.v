// The payload of a segment is the meant octets of its beats of memory, turned by so many octets, and nothing else: octet k of the
// segment is octet k - turn of memory. Each beat leaves once, in order.
// depth 1
// bound 8
    localparam SPEC_B = `WIDTH_m_axi_rdata / 8;
    // The beat that comes: octets before the first or behind the last one are not meant.
    reg  spec_first;
    reg  [`WIDTH_coming_beats-1:0] spec_number;
    wire spec_ends = spec_number == coming_beats;
    wire spec_take = m_axi_rvalid && m_axi_rready;
    reg  [8*SPEC_B-1:0] spec_meant;
    integer spec_i;
    always @* for (spec_i = 0; spec_i < SPEC_B; spec_i = spec_i + 1)
        spec_meant[8*spec_i +: 8] = (spec_first && spec_i < coming_offset) || (spec_ends && coming_ends != 0 && spec_i >= coming_ends) ?
            8'd0 : m_axi_rdata[8*spec_i +: 8];

    // The beat that was taken last, the one before it in its segment, and how far they are turned.
    reg  [8*SPEC_B-1:0] spec_beat, spec_before;
    reg  [`WIDTH_coming_turn-1:0] spec_turn;
    reg  spec_held, spec_late, spec_last, spec_spills, spec_failed;
    always @(posedge clk) begin
        if (spec_take) begin
            spec_held   <= 1'b1;
            spec_beat   <= spec_meant;
            spec_before <= spec_first ? {8*SPEC_B{1'b0}} : spec_beat;
            spec_turn   <= coming_turn;
            spec_late   <= spec_first && coming_late;
            spec_last   <= spec_ends;
            spec_spills <= spec_ends && coming_spill;
            spec_failed <= m_axi_rresp[1] || !spec_first && spec_failed;
            spec_first  <= spec_ends;
            spec_number <= spec_ends ? 1 : spec_number + 1'b1;
        end else if (advance) spec_held <= 1'b0;
        if (rst) begin
            spec_held <= 1'b0; spec_first <= 1'b1; spec_number <= 1;
        end
    end
    // Two beats one after the other, seen from where they are turned to; what the last one has left comes alone.
    wire [8*SPEC_B-1:0] spec_joined = {spec_beat, spec_before} >> (8 * (SPEC_B - spec_turn));
    wire [8*SPEC_B-1:0] spec_rest   = {{8*SPEC_B{1'b0}}, spec_beat} >> (8 * (SPEC_B - spec_turn));

    // What is complete and has not left.
    reg  spec_waits, spec_wait_last, spec_wait_failed;
    reg  [8*SPEC_B-1:0] spec_wait;
    wire spec_gives  = spec_held && !spec_late;
    wire spec_leaves = payload_valid && payload_ready;
    wire [2:0] spec_owed = spec_waits + (advance ? !spec_late + spec_spills : 0) - spec_leaves;
    always @(posedge clk) begin
        if (advance && spec_spills) begin
            spec_wait <= spec_rest; spec_wait_last <= 1'b1; spec_wait_failed <= spec_failed;
        end else if (advance && !spec_late) begin
            spec_wait <= spec_joined; spec_wait_last <= spec_last; spec_wait_failed <= spec_failed;
        end
        spec_waits <= spec_owed != 0;
        if (rst) spec_waits <= 1'b0;
    end

// property octets_in_place: each octet of a segment is the one of memory that is meant, and all others are zero
// control octets_in_place: first_q ? (8'd255 << coming_offset) : 8'd255 => 8'd255
// control octets_in_place: turned_by_1[47:0] => turned_by_1[48:1]
// control octets_in_place: left & {64{~last_q}} => left
// control octets_in_place: spills_q ? left : joined => joined
    always @* if (started && payload_valid)
        octets_in_place: assert (payload_data == (spec_waits ? spec_wait : spec_joined));

// property last_and_failed: the last beat of a segment is marked, and that memory had an error for one of its beats
// control last_and_failed: last_q & ~spills_q => last_q
// control last_and_failed: failed_q & ~first_q => failed_q
    always @* if (started && payload_valid) begin
        last_and_failed: assert (payload_last == (spec_waits ? spec_wait_last : spec_last && !spec_spills));
        last_and_failed: assert (payload_failed == (spec_waits ? spec_wait_failed : spec_failed));
    end

// property each_once: a beat that is complete leaves once; none is lost, none comes from nowhere
// control each_once: spills_q | (waits_q & joins) => spills_q
// control each_once: turned_valid_q & joins => turned_valid_q
    always @* if (started) begin
        each_once: assert (payload_valid == (spec_waits || spec_gives));
        each_once: assert (spec_owed <= 1);
        each_once: assert (!advance || spec_held);
        each_once: assert (!(spec_leaves && !spec_waits) || advance);
    end

// invariant as_taken: what is held is the beat that was taken last, turned
    wire [2*8*SPEC_B-1:0] spec_turned = {spec_beat, spec_beat} >> (8 * (SPEC_B - spec_turn));
    wire [8*SPEC_B-1:0] spec_carry = spec_before >> (8 * (SPEC_B - spec_turn));
    always @* if (started) begin
        as_taken: assert (spec_first == first_q && spec_number == number_q && spec_held == turned_valid_q);
        as_taken: assert (waits_q == spec_waits);
        if (spec_held) begin
            as_taken: assert (turned_q == spec_turned[8*SPEC_B-1:0]);
            as_taken: assert (below_q == ((1 << spec_turn) - 1));
            as_taken: assert (late_q == spec_late && last_q == spec_last && spills_q == spec_spills && failed_q == spec_failed);
            as_taken: assert (carry_q == spec_carry);
            as_taken: assert (spec_first == spec_last && (!spec_spills || spec_last));
        end else begin
            as_taken: assert (spec_first ? carry_q == 0 : carry_q == spec_rest);
            as_taken: assert (spec_first || failed_q == spec_failed);
        end
        if (!spec_first && coming_valid) as_taken: assert (coming_turn == spec_turn);
        as_taken: assert (spec_first || coming_valid);
        if (spec_waits) as_taken: assert (waiting_data_q == spec_wait && waiting_last_q == spec_wait_last && waiting_failed_q == spec_wait_failed);
    end
