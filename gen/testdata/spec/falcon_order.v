// What is taken has a place in every buffer behind the pipeline, reserved when it is taken: what is in the pipeline never waits there, and nothing
// is lost. So an arrival waits for nothing but room in these buffers, and for the walk of a QP, for a bounded time.
// depth 1
// gates
// bound 24

// property reserved: each place that is reserved is of one item in the pipeline or in the buffer, or of one that has just left
// control reserved: delivery_spared_q   <= delivers_nothing => delivery_spared_q   <= 1'b0
// control reserved: failure_spared_q   <= fails_not => failure_spared_q   <= 1'b0
// control reserved: released_spared_q   <= releases_nothing => released_spared_q   <= 1'b0
// control reserved: revocation_spared_q   <= valid_5_q & ~revokes => revocation_spared_q   <= 1'b0
// invariant has_place: no buffer is full when an item arrives
// property comes_in: an arrival is taken unless an opening is being carried out, 8 items are on their way in a buffer, or the walk of a QP has been passed 8 times
// control comes_in: takes_arrival = ready & arrival_valid => takes_arrival = ready & arrival_valid & ~valid_1_q
// control comes_in: ready         = has_room & ~walk_passed_q[3] => ready         = has_room & ~walk_passed_q[3] & ~valid_1_q
// property walks_on: the walk of a QP is passed by at most 8 arrivals in a row
// control walks_on: ready         = has_room & ~walk_passed_q[3] => ready         = has_room
// property one_token: a QP has at most one token, in one place
// control one_token: (packet_3_q & ~has_token_now) => packet_3_q
// control one_token: (has_token_now & ~last_step_3_q) => has_token_now
// property not_forgotten: a QP of which the next number has come, so that it can take effect, has a token
// control not_forgotten: ready_after_3_q ? (has_token_now | packet_3_q) => ready_after_3_q ? has_token_now
// control not_forgotten: (has_token_now & ~last_step_3_q) => 1'b0
// invariant lists_have_room: there is room for each token
// invariant words: what was read is what is stored, and what is decided
// invariant walk_steps_on: a step of a walk is of the QP that has its token
// invariant quiet: until every QP has its state nothing happens
// invariant together: the registers of the buffer agree with what is inside
// invariant alike: an item enters if an arrival is taken or a walk goes on
// invariant passed: the walk that has been passed is the one that is busy

(* hierconn *) wire [15:0] \released_buffer.spec_inside , \failure_buffer.spec_inside , \revocation_buffer.spec_inside ;
wire [15:0] in_pipeline = valid_1_q + valid_2_q + valid_3_q + valid_4_q + valid_5_q;
wire [7:0] deliveries_stored = delivery_buffer_empty_q ? 0 : delivery_buffer_tail_q == delivery_buffer_head_q ? 16 : (delivery_buffer_tail_q - delivery_buffer_head_q) % 16;
wire [15:0] delivering = in_pipeline + deliveries_stored + delivery_buffer_valid_q, releasing = in_pipeline + \released_buffer.spec_inside ;
wire [15:0] failing = in_pipeline + \failure_buffer.spec_inside , revoking = in_pipeline + \revocation_buffer.spec_inside ;
reg [3:0] spec_passed; // arrivals since the walk has gone on
always @(posedge clk) spec_passed <= rst || walk_is_served ? 4'd0 : spec_passed + takes_arrival;

// ---- Tokens, and the words of the QPs with all that was decided
localparam READY = 42; // of a word of numbers
(* hierconn *) wire [15:0] \tokens.spec_in_memory , \tokens.spec_inside ;
(* hierconn *) wire [4*2-1:0] \tokens.spec_places ;
(* hierconn *) wire [1:0] \tokens.head_q ;
reg [4*4-1:0] tokens_of;
reg [3:0] spec_has, right_count, right_words, spec_ready;
reg [1:0] a_place;
integer spec_i, spec_j;
always @* for (spec_i = 0; spec_i < 4; spec_i = spec_i + 1) begin
    spec_has[spec_i] = swept_q && (has_token_update_valid_q && has_token_update_stream_q == spec_i ? has_token_update_q : has_token[spec_i]);
    spec_ready[spec_i] = swept_q && numbers[spec_i][READY] && !(valid_3_q && stream_3_q == spec_i);
    tokens_of[4*spec_i +: 4] = (token_push_q && token_stream_q == spec_i) + (waiting_token_valid && waiting_token_stream == spec_i) + (walk_busy_q && walk_stream_q == spec_i)
        + (valid_1_q && last_step_1_q && stream_1_q == spec_i) + (valid_2_q && last_step_2_q && stream_2_q == spec_i) + (valid_3_q && last_step_3_q && stream_3_q == spec_i);
    for (spec_j = 0; spec_j < 4; spec_j = spec_j + 1) begin
        a_place = spec_j - \tokens.head_q ;
        tokens_of[4*spec_i +: 4] = tokens_of[4*spec_i +: 4] + (a_place < \tokens.spec_in_memory && \tokens.spec_places [2*spec_j +: 2] == spec_i);
    end
    right_count[spec_i] = tokens_of[4*spec_i +: 4] == spec_has[spec_i];
    right_words[spec_i] = (!(valid_3_q && stream_3_q == spec_i) || has_token_now == spec_has[spec_i]) &&
        (swept_q || sweep_q <= spec_i || !has_token[spec_i] && !numbers[spec_i][READY]);
end
wire walks_1 = valid_1_q && !packet_1_q && !opens_1_q, walks_2 = valid_2_q && !packet_2_q && !opens_2_q, walks_3 = valid_3_q && !packet_3_q && !opens_3_q;
wire its_1 = walk_busy_q && walk_stream_q == stream_1_q || last_step_1_q, its_2 = walk_busy_q && walk_stream_q == stream_2_q || last_step_2_q ||
    valid_1_q && last_step_1_q && stream_1_q == stream_2_q;
wire its_3 = walk_busy_q && walk_stream_q == stream_3_q || last_step_3_q || valid_1_q && last_step_1_q && stream_1_q == stream_3_q ||
    valid_2_q && last_step_2_q && stream_2_q == stream_3_q;

always @* if (started && !rst) begin
    one_token: assert (&right_count);
    if (|spec_ready) not_forgotten: assert ((spec_ready & ~spec_has) == 0);
    lists_have_room: assert (!token_valid || token_ready);
    words: assert (&right_words);
    if (valid_3_q) words: assert (ready_after_3_q == numbers_decided_q[READY]);
    if (valid_3_q && opens_3_q) words: assert (!ready_after_3_q && !packet_3_q);
    walk_steps_on: assert ((!walks_1 || its_1) && (!walks_2 || its_2) && (!walks_3 || its_3));
    walk_steps_on: assert (!(valid_1_q && last_step_1_q) || walks_1);
    walk_steps_on: assert (!(valid_2_q && last_step_2_q) || walks_2);
    walk_steps_on: assert (!(valid_3_q && last_step_3_q) || walks_3);
    if (valid_1_q && opens_1_q) walk_steps_on: assert (!packet_1_q && !number_comes_1_q);
    if (valid_2_q && opens_2_q) walk_steps_on: assert (!packet_2_q && !number_comes_2_q);
    if (!swept_q) quiet: assert ({takes, valid_1_q, valid_2_q, valid_3_q, valid_4_q, valid_5_q, token_push_q, walk_busy_q, waiting_token_valid, has_token_update_valid_q} == 0 &&
        \tokens.spec_inside == 0);
    reserved: assert (delivery_reserved_q == delivering + delivery_left_q + delivery_spared_q && delivery_reserved_q <= 16);
    reserved: assert (released_reserved_q == releasing + released_left_q + released_spared_q && released_reserved_q <= 8);
    reserved: assert (failure_reserved_q == failing + failure_left_q + failure_spared_q && failure_reserved_q <= 8);
    reserved: assert (revocation_reserved_q == revoking + revocation_left_q + revocation_spared_q && revocation_reserved_q <= 8);
    if (delivery_in_valid) has_place: assert (deliveries_stored < 16);
    has_place: assert ((!released_in_valid || released_in_ready) && (!failure_in_valid || failure_in_ready) &&
        (!revocation_in_valid || revocation_in_ready));
    if (settled_q && delivering < 14 && releasing < 6 && failing < 6 && revoking < 6 && !walk_passed_q[3] && arrival_valid) comes_in: assert (takes_arrival && arrival_ready);
    walks_on: assert (spec_passed <= 8);
    together: assert (~delivery_buffer_not_before_tail_q == delivery_buffer_tail_q - 1'b1 && (!delivery_buffer_empty_q || delivery_buffer_tail_q == delivery_buffer_head_q) &&
        (delivery_buffer_valid_q || deliveries_stored <= 1));
    alike: assert (takes == (takes_arrival || walk_steps));
    passed: assert (spec_passed == walk_passed_q && (spec_passed == 0 || walk_busy_q));
end
