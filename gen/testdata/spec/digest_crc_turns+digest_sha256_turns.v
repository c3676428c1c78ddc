// Each range is read once, from its first octet to its last, in parts that follow each other. A range whose turn ends comes back behind the others, and
// its state is said to be saved and resumed exactly then. One stream, any, is watched.
// depth 1
// bound 14

// property whole: the parts of a range begin at its first octet, follow each other without a gap, and the last one ends with it
// control whole: range_left_q - {<N>'d0, length_q} => range_left_q
// control whole: chosen_address + {32'd0, octets_done} => chosen_address
// control whole: fits ? range_left_q[<N>:0] => fits ? most
// property size: a part has at most as many octets as allowed, and that many, or for a CRC as many as lead to a multiple of it, unless the range ends; only
// an empty range has an empty part
// control size: range_left_q <= { => range_left_q < {
// property begins: the first part of a range says so, and no other does
// control begins: part_begins_q  <= ~range_begun_q => part_begins_q  <= opens_q
// property in_turn: a turn is of one range: its first part begins the range or resumes it, its last part leaves it or ends it, and others do neither
// control in_turn: opens_q & range_begun_q => range_begun_q
// control in_turn: part_leaves_q  <= leaves => part_leaves_q  <= 1'b1
// property resumed: a range resumes exactly if it was left, and is said to resume soon if no other was left since
// control resumed: last_to_leave_q <= range_stream_q => last_to_leave_q <= waiting_stream
// control resumed: part_soon_q    <= resumes & => part_soon_q    <=
// property turns: a range leaves only if another one waits, and comes back behind it
// control turns: & waiting_valid; => ;
// property unchanged: a part has the mark of its range
// control unchanged: part_mark_q    <= chosen_mark => part_mark_q    <= range_mark
// invariant queue: the registers of the queue agree with the number of ranges inside
// invariant place: the watched range is in its place, as it is, and there is no other of its stream
// assume one_range: the unit of digests; request_order starts a request of a stream when the one before is over, and it has not had a turn

localparam OCTETS = 1 << `OCTET_BITS, STREAMS = 1 << `STREAM_BITS;
(* anyconst *) wire [`STREAM_BITS-1:0] a_stream;
wire arrives = range_valid & range_ready, leaves_queue = waiting_valid & waiting_ready, part_goes = part_valid & part_ready;

// ---- Ranges inside, and those that wait
reg  [`STREAM_BITS:0] inside_q;
wire [`STREAM_BITS:0] stored = waiting_ranges_empty_q ? 0 : waiting_ranges_tail_q == waiting_ranges_head_q ? STREAMS :
    (waiting_ranges_tail_q - waiting_ranges_head_q) % STREAMS;
wire [`STREAM_BITS:0] queued = stored + waiting_ranges_valid_q;
always @(posedge clk) inside_q <= rst ? 0 : inside_q + arrives - (part_goes & part_ends);

// ---- The watched range: what is left of it, how many wait before it, or whether it is its turn
reg  here_q, waits_q, fresh_q, saved_q, any_saved_q;
reg  [`STREAM_BITS:0] ahead_q;
reg  [`STREAM_BITS-1:0] saved_last_q;
reg  [`WIDTH_range_mark-1:0] mark_q;
reg  [63:0] base_q, at_q;
reg  [31:0] total_q, left_q;
wire a_part = part_valid && part_stream == a_stream;
always @(posedge clk) begin
    if (waits_q && leaves_queue) {waits_q, ahead_q} <= {ahead_q != 0, ahead_q - 1'b1};
    if (arrives && range_stream == a_stream) begin
        {here_q, waits_q, fresh_q, saved_q, mark_q, at_q, left_q} <= {4'b1110, range_mark, range_address, range_length};
        {base_q, total_q} <= {range_address, range_length};
        ahead_q <= queued - leaves_queue;
    end
    if (a_part && part_ready) begin
        {here_q, fresh_q, saved_q, at_q, left_q} <= {!part_ends, 1'b0, part_leaves, at_q + part_length, left_q - part_length};
    end
    if (state_q == STATE_RETURNING && range_stream_q == a_stream) {waits_q, ahead_q} <= {1'b1, queued};
    if (part_goes && part_leaves) {any_saved_q, saved_last_q} <= {1'b1, part_stream};
    if (rst) {here_q, waits_q, any_saved_q} <= 0;
end
wire [`WIDTH_waiting_ranges-1:0] a_range = {a_stream, !fresh_q, left_q};
wire [`WIDTH_ranges-1:0] a_fixed = {mark_q, base_q, total_q};
wire [`STREAM_BITS-1:0] a_place = waiting_ranges_head_q + ahead_q - waiting_ranges_valid_q;

// ---- The turn: that of the latest part, if it is not over
reg  turn_q;
reg  [`STREAM_BITS-1:0] turn_of_q;
always @(posedge clk) begin
    if (part_goes) {turn_q, turn_of_q} <= {!part_leaves && !part_ends, part_stream};
    if (rst) turn_q <= 0;
end

// ---- No other range is of the watched stream
reg  alone;
reg  [`STREAM_BITS-1:0] spec_place;
integer spec_i;
always @* begin
    alone = !(waiting_ranges_valid_q && waiting_stream == a_stream) || waits_q && ahead_q == 0;
    for (spec_i = 0; spec_i < STREAMS; spec_i = spec_i + 1) begin
        spec_place = waiting_ranges_head_q + spec_i;
        if (spec_i < stored && waiting_ranges[spec_place][`WIDTH_waiting_ranges-1 -: `STREAM_BITS] == a_stream)
            alone = alone && waits_q && ahead_q == spec_i + waiting_ranges_valid_q;
    end
end

always @* if (started && arrives) one_range: assume (!range_begun && inside_q < STREAMS && (range_stream != a_stream || !here_q));
always @* if (started && !rst) begin
    if (a_part) whole: assert (here_q && part_address == at_q && part_length <= left_q && part_ends == (part_length == left_q));
    if (a_part) size: assert (part_length <= OCTETS && (part_ends || (`HAS_behind_boundary ? (part_address[`OCTET_BITS-1:0] + part_length) % OCTETS == 0 : part_length == OCTETS)));
    if (a_part) size: assert (part_length != 0 || fresh_q && part_ends);
    if (a_part) begins: assert (part_begins == fresh_q);
    if (part_valid) in_turn: assert (turn_q ? part_stream == turn_of_q && !part_begins && !part_resumes : part_begins + part_resumes == 1);
    if (part_valid) in_turn: assert (!part_leaves || !part_ends);
    if (a_part) resumed: assert (part_resumes == saved_q && part_soon == (saved_q && saved_last_q == a_stream));
    if (part_valid && part_leaves) turns: assert (waiting_valid);
    if (state_q == STATE_RETURNING) turns: assert (queued != 0 && !range_ready);
    if (a_part) unchanged: assert (part_mark == mark_q);
    queue: assert (inside_q == queued + (state_q != STATE_CHOOSING) && inside_q <= STREAMS && (!waiting_ranges_empty_q || waiting_ranges_head_q == waiting_ranges_tail_q));
    queue: assert (waiting_ranges_not_before_tail_q == ~(waiting_ranges_tail_q - 1'b1));
    if (here_q) place: assert (waits_q ? ahead_q < queued : state_q != STATE_CHOOSING && range_stream_q == a_stream);
    if (!here_q) place: assert (!waits_q && !(state_q != STATE_CHOOSING && range_stream_q == a_stream));
    if (waits_q) place: assert ((ahead_q < waiting_ranges_valid_q ? waiting_ranges_fetched_q : waiting_ranges[a_place]) == a_range);
    if (waits_q) place: assert (!(state_q != STATE_CHOOSING && range_stream_q == a_stream) && !(turn_q && turn_of_q == a_stream));
    if (here_q) place: assert (fresh_q ? !saved_q : saved_q || turn_q && turn_of_q == a_stream);
    if (here_q && waits_q) place: assert (fresh_q != saved_q);
    if (here_q && saved_q) place: assert (any_saved_q && !(turn_q && turn_of_q == a_stream));
    if (here_q && !fresh_q) place: assert (left_q != 0);
    if (here_q) place: assert (ranges[a_stream] == a_fixed && left_q <= total_q && at_q == base_q + {32'd0, total_q - left_q});
    if (here_q && fresh_q) place: assert (left_q == total_q);
    if (`HAS_behind_boundary && here_q && !fresh_q) place: assert (at_q[`OCTET_BITS-1:0] == 0);
    if (here_q && !waits_q) place: assert (chosen_q == a_fixed && range_left_q == left_q && range_begun_q == !fresh_q);
    if (here_q && !waits_q && state_q == STATE_OFFERING) place: assert (address_q == at_q);
    if (here_q && !waits_q && state_q == STATE_CUTTING) place: assert (opens_q == (fresh_q || saved_q));
    if (any_saved_q) place: assert (last_to_leave_q == saved_last_q);
    place: assert (alone && (!turn_q || state_q == STATE_CUTTING || state_q == STATE_OFFERING));
    if (turn_q) place: assert (range_stream_q == turn_of_q && range_begun_q && !(state_q == STATE_CUTTING && opens_q));
    if (state_q == STATE_CUTTING) place: assert (turn_q || opens_q);
    if (state_q == STATE_RETURNING && range_stream_q == a_stream) place: assert (saved_q);
    if (state_q == STATE_OFFERING) place: assert (part_stream_q == range_stream_q && (turn_q ? !part_begins_q && !part_resumes_q : part_begins_q + part_resumes_q == 1));
end
