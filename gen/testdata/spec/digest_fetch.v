// Each range is announced once, as it came, before its beats are asked for; then each of its beats is asked for once, in order, and those for a CRC
// only if the buffer has room for them.
// depth 1
// bound 40

// property job_as_it_came: a range is announced once, with what it is to its message and the place of its octets in its beats
// control job_as_it_came: job_behind  = last_octet[10:3] => job_behind  = past[10:3]
// control job_as_it_came: job_resumes = range_resumes_q => job_resumes = range_begins_q
// control job_as_it_came: job_end     = is_empty ? 3'd1 : past[2:0] => job_end     = is_empty ? 3'd1 : last_octet[2:0]
// property asked_once: bursts ask for the beats of the announced range, each once, in order, and for no others
// control asked_once: left_q         <= left_q - {4'd0, beats} => left_q         <= left_q
// control asked_once: fits ? left_q[2:0] : to_boundary => to_boundary
// control asked_once: beat_address_q <= beat_address_q + {57'd0, beats} => beat_address_q <= beat_address_q
// property whole: the next range is accepted when all beats of the one before are asked for
// control whole: if (last_q) begin state_q <= STATE_WAITING => if (1'b1) begin state_q <= STATE_WAITING
// property legal: a burst has at most 8 beats, does not cross a 4 KiB boundary, and has the identifier of its kind
// control legal: to_boundary = ~beat_address_q[2:0] => to_boundary = 3'd7
// control legal: m_axi_arid    = range_hashed_q => m_axi_arid    = 1'b0
// property room: beats for CRCs that are under way or in the buffer are counted, and no more are asked for than the buffer has room for
// control room: held_q       <= (held_q + reserved) - => held_q       <= held_q -
// property polite: soon after a short range no burst of a long one is asked for while many beats are under way or in the buffer
// control polite: may_hold = is_short | holds_few | since_short_q[8] => may_hold = 1'b1
// excused handshake_range: digest_unit lets a part for SHA-256 go before one for a CRC that is on offer; no property here needs the rule
// invariant states: the state is one of the five, and what it says of the range is so
// invariant counted: a burst is decided upon with the beats under way or in the buffer, and the cycles since a short range
// assume freed_once: digest_unit, which says so of each beat for a CRC once it has left the buffer

localparam ROOM = 512, FEW = 32, SOON = 256, OCTETS = `BUS_BYTES, PLACE = $clog2(OCTETS);
wire comes = range_valid & range_ready, announced = job_valid & job_ready, asked = m_axi_arvalid & m_axi_arready;
reg  busy_q, given_q;               // a range is inside; it is announced
reg  [`WIDTH_range_mark + `WIDTH_range_stream + 5:0] of_q;
reg  [63:0] from_q;
reg  [`WIDTH_range_length-1:0] octets_q;
reg  [63:PLACE] next_q;             // the beat that is asked for next
reg  [9:0]  left_now_q;             // beats that are not asked for
wire [10:0] past_last = range_address[PLACE-1:0] + range_length;
wire [9:0]  all_beats = range_length == 0 ? 0 : (past_last + OCTETS - 1) >> PLACE;
wire [8:0]  burst = m_axi_arlen + 9'd1;
reg  [9:0]  spec_held_q;            // beats for CRCs under way or in the buffer
reg  [8:0]  since_q;                // cycles since a burst of a short range was first offered, up to SOON
reg  offered_q;
wire begins_burst = m_axi_arvalid & ~offered_q;
wire short = of_q[4] & of_q[0], hashed = of_q[`WIDTH_range_mark + `WIDTH_range_stream + 5];
always @(posedge clk) begin
    offered_q <= m_axi_arvalid & ~m_axi_arready;
    if (comes) begin
        {busy_q, given_q} <= 2'b10;
        {of_q, from_q, octets_q} <= {range_hashed, range_stream, range_mark, range_begins, range_resumes, range_soon, range_leaves, range_ends, range_address, range_length};
        {next_q, left_now_q} <= {range_address[63:PLACE], all_beats};
    end
    if (announced) {busy_q, given_q} <= {left_now_q != 0, 1'b1};
    if (asked) {busy_q, next_q, left_now_q} <= {left_now_q != burst, next_q + burst, left_now_q - burst};
    spec_held_q <= spec_held_q + (reserves & ~hashed ? beats : 4'd0) - freed;
    since_q     <= reserves & short ? 0 : since_q < SOON ? since_q + 1'b1 : since_q;
    if (rst) {offered_q, busy_q, spec_held_q, since_q} <= {12'd0, 9'd256};
end

always @* if (started && freed) freed_once: assume (spec_held_q != 0);
always @* if (started && !rst) begin
    if (job_valid) job_as_it_came: assert (busy_q && !given_q && {job_hashed, job_stream, job_mark, job_begins, job_resumes, job_soon, job_leaves, job_ends} == of_q &&
        job_length == octets_q && job_empty == (octets_q == 0));
    if (job_valid && !job_empty) job_as_it_came: assert (job_offset == from_q[PLACE-1:0] && job_behind == left_now_q - 1'b1 &&
        job_end == (from_q[PLACE-1:0] + octets_q) % OCTETS);
    if (job_valid && job_empty) job_as_it_came: assert (job_offset == 1 && job_end == 1 && job_behind == 0 && left_now_q == 0);
    if (m_axi_arvalid) asked_once: assert (busy_q && given_q && m_axi_araddr == {next_q, {PLACE{1'b0}}} && burst <= left_now_q);
    whole: assert (range_ready == !busy_q);
    if (m_axi_arvalid) legal: assert (burst <= 8 && m_axi_araddr[11:0] + burst * OCTETS <= 4096 && m_axi_arid == hashed && m_axi_arsize == PLACE && m_axi_arburst == 1);
    room: assert (held_q == spec_held_q && spec_held_q <= ROOM);
    if (begins_burst && !hashed && !short && since_q < SOON) polite: assert (spec_held_q - burst < FEW);
    states: assert (state_q <= 4 && asks_q == (state_q == STATE_ASKING) && busy_q == (state_q != STATE_WAITING) && (!offered_q || asks_q));
    if (busy_q) states: assert (given_q == (state_q > STATE_MEASURING) && {range_hashed_q, range_stream_q, range_mark_q, range_begins_q, range_resumes_q, range_soon_q,
        range_leaves_q, range_ends_q} == of_q && range_address_q == from_q && range_length_q == octets_q);
    if (state_q > STATE_MEASURING) states: assert (beat_address_q == next_q && left_q + 1'b1 == left_now_q && octets_q != 0);
    if (state_q == STATE_MEASURING) states: assert (next_q == from_q[63:PLACE] && left_now_q == (octets_q == 0 ? 0 : ({8'd0, from_q[PLACE-1:0]} + octets_q + OCTETS - 1) >> PLACE));
    if (state_q > STATE_BURSTING) states: assert (length_q <= left_q && last_q == (length_q == left_q) && length_q <= ~next_q[PLACE+2:PLACE]);
    if (enough_q) states: assert (state_q == STATE_RESERVING);
    if (enough_q && !hashed) counted: assert (spec_held_q + length_q < ROOM && (short || since_q >= SOON || spec_held_q < FEW));
    if (asks_q && !offered_q && !hashed) counted: assert (spec_held_q <= ROOM && (short || since_q >= SOON || spec_held_q < FEW + beats));
    counted: assert (since_short_q <= 256 && since_q <= SOON);
    if (short_came_q) counted: assert (since_q == 0 && (asks_q || state_q == STATE_WAITING || state_q == STATE_BURSTING));
    if (!short_came_q) counted: assert (since_short_q[8] ? since_q >= SOON : since_q == since_short_q + 1'b1);
end
