// A beat takes its octets into the state as crc_octets does, which divides by the polynomials of CRC32C (RFC 3720) and CRC-64/NVME bit by bit. A range
// begins with all ones, octets outside it count as zeros, and a later turn goes on from the state that its stream has left. One stream, any, is watched.
// uses crc_octets
// depth 7
// bound 12

// property step: the state behind a beat is the one before with the octets of the beat
// control step: crc32_sum[70], crc32_sum[71], crc32_others_4_q[31] => crc32_sum[70], crc32_others_4_q[31]
// control step: crc32_others_4_q <= crc32_others => crc32_others_4_q <= {crc32_others[30:0], crc32_others[31]}
// property opens: octets of zeros before a range change the state that its first octets bring with them into all ones
// alone opens
// control opens: 8'd171 >> offset_3_q => 8'd170 >> offset_3_q
// property outside: octets before the range and behind it count as zeros, the others as they are
// control outside: keep[3] ? beat_data[31:24] : 8'd0 => beat_data[31:24]
// property starts: a beat goes on from the state behind the one before; the first of a range from the state that opens it, that of a later turn from what was left
// control starts: if (valid_4_q & (last_4_q | leaves_4_q)) begin => if (valid_4_q & last_4_q) begin
// control starts: saved[stream_5_q] <= {fails, state} => saved[stream_4_q] <= {fails, state}
// property leaves_once: the state behind the last beat of a range comes five cycles after the beat, with what the beat said of it, and no other does
// control leaves_once: range_valid  = valid_5_q & last_5_q => range_valid  = valid_5_q
// control leaves_once: wide_5_q ? crc64_final_q : => wide_4_q ? crc64_final_q :
// property failure: a range has failed if one of its turns has
// control failure: failed_5_q | turn_failed_before_q => failed_5_q
// bounded starts 12: the induction would have to know the turn of each beat in the pipeline
// bounded failure 12: see starts
// assume one_bit: nobody; beats are added by exclusive-ors only, so what holds for each single bit of a state and its octets holds for their sums
// assume decoded: digest_unit, which decodes the place of the range in its first and last beat
// assume in_turn: digest_crc_turns, whose parts begin, resume, leave and end ranges so; shown by digest_crc_turns/in_turn, digest_crc_turns/resumed
// assume spaced: digest_unit, which has a turn of the same stream wait until its state is saved

localparam BUS = `BUS_BYTES, SB = `STREAM_BITS;
(* anyconst *) wire [7:0] a_bit;
(* anyconst *) wire [SB-1:0] a_stream;

// ---- Beats, a stage after the other: what they say, and their octets
reg  [4:0] there_q; // stages 5 to 1
reg  [SB-1:0] stream_of [1:5];
reg  [4:0] says_of [1:5]; // first, resumes, leaves, last, wide
reg  [`WIDTH_beat_end:0] end_of [1:5]; // with failed
reg  [63:0] octets_of [1:4];
integer i;
always @(posedge clk) begin
    there_q <= rst ? 0 : {there_q[3:0], beat_valid};
    stream_of[1] <= beat_stream;
    says_of[1]   <= {beat_first, beat_resumes, beat_leaves, beat_last, beat_wide};
    end_of[1]    <= {beat_failed, beat_end};
    octets_of[1] <= octets;
    for (i = 2; i <= 5; i = i + 1) begin
        stream_of[i] <= stream_of[i-1];
        says_of[i]   <= says_of[i-1];
        end_of[i]    <= end_of[i-1];
    end
    for (i = 2; i <= 4; i = i + 1) octets_of[i] <= octets_of[i-1];
end
wire a_3 = there_q[2] && stream_of[3] == a_stream, a_4 = there_q[3] && stream_of[4] == a_stream, a_5 = there_q[4] && stream_of[5] == a_stream;

// ---- The state before the beat of stage 4: that of the register, and what enters with the octets
reg  [31:0] with_32_q, opening_32_q;
reg  [63:0] with_64_q, opening_64_q;
always @(posedge clk) begin
    {opening_32_q, opening_64_q} <= {crc32_opening, crc64_opening};
    with_32_q <= (crc32_opening & {32{first_3_q}}) ^ resumed[31:0];
    with_64_q <= (crc64_opening & {64{first_3_q}}) ^ resumed[63:0];
end
wire [31:0] before_32 = crc32_q ^ with_32_q, behind_32;
wire [63:0] before_64 = crc64_q ^ with_64_q, behind_64;
crc_octets #(.WIDTH(32), .POLYNOMIAL(32'h1EDC6F41), .OCTETS(BUS)) take_32 (.state(before_32), .octets(octets_of[4]), .count(BUS), .next(behind_32));
crc_octets #(.WIDTH(64), .POLYNOMIAL(64'hAD93D23594C93659), .OCTETS(BUS)) take_64 (.state(before_64), .octets(octets_of[4]), .count(BUS), .next(behind_64));
wire [127:0] one = 128'd1 << a_bit;

// ---- Octets before a range
wire [31:0] opened_32;
wire [63:0] opened_64;
crc_octets #(.WIDTH(32), .POLYNOMIAL(32'h1EDC6F41), .OCTETS(BUS - 1)) open_32 (.state(crc32_opening), .octets({8*(BUS - 1){1'b0}}), .count({5'd0, offset_3_q}), .next(opened_32));
crc_octets #(.WIDTH(64), .POLYNOMIAL(64'hAD93D23594C93659), .OCTETS(BUS - 1)) open_64 (.state(crc64_opening), .octets({8*(BUS - 1){1'b0}}), .count({5'd0, offset_3_q}), .next(opened_64));

wire [4:1] stays_open = {!says_of[4][2] && !says_of[4][1], !says_of[3][2] && !says_of[3][1], !says_of[2][2] && !says_of[2][1], !says_of[1][2] && !says_of[1][1]};
wire [4:1] opens_turn_of = {says_of[4][4] || says_of[4][3], says_of[3][4] || says_of[3][3], says_of[2][4] || says_of[2][3], says_of[1][4] || says_of[1][3]};
wire open_4 = turn_4_q, open_3 = there_q[3] ? stays_open[4] : open_4, open_2 = there_q[2] ? stays_open[3] : open_3, open_1 = there_q[1] ? stays_open[2] : open_2;

// ---- Turns, and what the watched stream has left
reg  turn_q, turn_4_q, known_q, left_failed_q, resumed_failed_q, turn_failed_q, resumes_known_q, turn_known_q;
reg  [SB-1:0] turn_stream_q;
reg  [63:0] left_q, left_then_q, previous_64_q;
reg  [31:0] previous_32_q;
always @(posedge clk) begin
    if (beat_valid) {turn_q, turn_stream_q} <= {!beat_leaves && !beat_last, beat_stream};
    if (a_5 && says_of[5][2]) {known_q, left_failed_q, left_q} <= {1'b1, range_failed, range_state};
    if (a_3) left_then_q <= left_q;
    if (there_q[3]) {previous_32_q, previous_64_q} <= {crc32_next, crc64_next};
    if (a_3 && (says_of[3][4] || says_of[3][3])) resumed_failed_q <= says_of[3][3] && left_failed_q;
    if (a_3) resumes_known_q <= known_q;
    if (there_q[3]) turn_4_q <= stays_open[4];
    if (a_4 && (says_of[4][4] || says_of[4][3])) {turn_failed_q, turn_known_q} <= {resumed_failed_q, resumes_known_q || !says_of[4][3]};
    if (rst) {turn_q, turn_4_q, known_q, resumes_known_q, turn_known_q} <= 0;
end

wire [BUS-1:0] before = (1 << beat_offset) - 1, up_to = beat_end == 0 ? {BUS{1'b1}} : (1 << beat_end) - 1;
wire [BUS-1:0] counts = (beat_first ? ~before : {BUS{1'b1}}) & (beat_last ? up_to : {BUS{1'b1}});
wire [31:0] start_32 = says_of[4][4] ? opening_32_q : says_of[4][3] ? left_then_q[31:0] : previous_32_q;
wire [63:0] start_64 = says_of[4][4] ? opening_64_q : says_of[4][3] ? left_then_q : previous_64_q;
always @* if (started && there_q[3]) one_bit: assume (octets_of[4] == one[63:0] && before_32 == one[95:64] && before_64 == one[127:64]);
always @* if (started && beat_valid) decoded: assume ((!beat_first || before_range == before) && (!beat_last || up_to_end == up_to));
always @* if (started && beat_valid) in_turn: assume ((beat_first ^ beat_resumes ^ turn_q) && !(beat_first && beat_resumes) && (!turn_q || beat_stream == turn_stream_q) && !(beat_leaves && beat_last));
always @* if (started && beat_valid && beat_resumes && beat_stream == a_stream) spaced: assume (!(there_q[0] && says_of[1][2] && stream_of[1] == a_stream) &&
    !(there_q[1] && says_of[2][2] && stream_of[2] == a_stream) && !(there_q[2] && says_of[3][2] && stream_of[3] == a_stream));
always @* if (started && !rst) begin
    if (there_q[3]) step: assert (crc32_next == behind_32 && crc64_next == behind_64);
    opens: assert (&opened_32 && &opened_64);
    if (beat_valid) outside: assert (octets == (beat_data & {{8{counts[7]}}, {8{counts[6]}}, {8{counts[5]}}, {8{counts[4]}}, {8{counts[3]}}, {8{counts[2]}}, {8{counts[1]}}, {8{counts[0]}}}));
    if (there_q[3] && (!says_of[4][3] || a_4 && resumes_known_q)) starts: assert (before_32 == start_32 && before_64 == start_64);
    leaves_once: assert (range_valid == (there_q[4] && says_of[5][1]));
    if (range_valid) leaves_once: assert (range_stream == stream_of[5] && {range_end, range_wide} == {end_of[5][`WIDTH_beat_end-1:0], says_of[5][0]} &&
        range_state == (says_of[5][0] ? previous_64_q : {32'd0, previous_32_q}));
    if (range_valid && a_5 && turn_known_q) failure: assert (range_failed == (end_of[5][`WIDTH_beat_end] || turn_failed_q));
    starts: assert (crc32_q == (turn_4_q ? previous_32_q : 0) && crc64_q == (turn_4_q ? previous_64_q : 0));
    starts: assert (turn_q == (there_q[0] ? stays_open[1] : open_1));
    if (there_q[0]) starts: assert (opens_turn_of[1] == !open_1);
    if (there_q[1]) starts: assert (opens_turn_of[2] == !open_2);
    if (there_q[2]) starts: assert (opens_turn_of[3] == !open_3);
    if (there_q[3]) starts: assert (opens_turn_of[4] == !open_4);
    if (known_q) starts: assert (saved[a_stream] == {left_failed_q, left_q});
end
