// Atomics are executed one after the other, in order, each on what the one before it left in its word (RFC 7306 section 5.3). One
// request, any, is watched from its acceptance to its response and to the end of its write, and one word, any, with all that use it.
// uses atomic_operation
// depth 1
// bound 12
// assume responds: memory, which answers only reads and writes that it was asked for (AXI4)

// property no_loss: a request that was taken and not answered is inside
// control no_loss: execute_valid_q <= start => execute_valid_q <= start & ~execute_valid_q
// property no_duplication: nothing is answered that was not taken and executed
// control no_duplication: execute_valid_q <= start => execute_valid_q <= start | executed
// property order: requests are answered in the order in which they were taken, each as who asked, with the word from before it
// control order: done_number_q <= execute_task_q[<N>:<N>] => done_number_q <= lookup_number_q
// property operands: an atomic is computed with its own opcode, operands and masks
// control operands: started_q[<N>:0]]; => next_slot];
// property result_as_specified: the word after an atomic is that of RFC 7306 sections 5.1.1 and 5.1.2, with draft00 also of its Swap
// control result_as_specified: (op_data & keep) => op_data
// control result_as_specified: ^ ((original ^ op_data) & op_mask) => ^ 64'd0
// control result_as_specified: ^ original) & op_compare_mask => ^ original) | op_compare_mask
// control result_as_specified: (original & keep) | (op_data & op_mask) => op_data & op_mask
// control result_as_specified: (op_code == FETCH_ADD) => (op_code != CMP_SWAP)
// property write_as_left: of each atomic that was executed one write leaves, in order, of what it left and to its word
// control write_as_left: address_beat = done_word_q => address_beat = execute_task_q[320:260]
// control write_as_left: data_word = done_result_word_q => data_word = done_original_q
// property no_write_unasked: nothing is written but what an executed atomic left
// control no_write_unasked: post = done_valid_q & ~posted_q & => post = done_valid_q &
// property failed_writes_nothing: an atomic whose word memory did not deliver says so, returns 0 and writes no octet
// control failed_writes_nothing: data_strobe = ~done_result_failed_q => data_strobe = 1'b1
// control failed_writes_nothing: original & {64{~failed_now}} => original
// property refusal_is_told: a write that memory refuses is reported for the stream of its atomic
// control refusal_is_told: refused_stream = oldest_release[<N>:<N>] => refused_stream = done_stream_q
// property no_request_unready: no request is taken before the table is cleared, nor more than the unit holds
// control no_request_unready: advance = is_running & => advance =
// control no_request_unready: room = ~under_way[<N>] => room = 1'b1
// property one_after_another: an atomic finds in its word what the one before it left, or its failure, as long as that is under way
// control one_after_another: forward ? => 1'b0 ?
// control one_after_another: hit_0 = busy_0 & => hit_0 = 1'b0 &
// bounded one_after_another 12: all that are under way share the rows of the table, of which the induction would have to know each
// property fetched: an atomic whose word no other uses finds what memory gave for its own read
// control fetched: kept_valid ? kept_word => 1'b0 ? kept_word
// bounded fetched 12: see one_after_another
// property no_read_in_use: a word is read only for an atomic that uses it, and when no write to it is under way
// control no_read_in_use: hit_0 = busy_0 & => hit_0 = 1'b0 &
// bounded no_read_in_use 12: see one_after_another
// invariant counts: the pointers of the stages count what has passed them
// invariant watched_inside: the watched request is in its stage, as it was

// ---- What an operation leaves: atomic_operation has the pseudocode bit by bit
wire [63:0] spec_result;
atomic_operation #(.DRAFT00(`DRAFT00)) specification (
    .opcode(op_code), .original(original), .data(op_data), .mask(op_mask), .compare(op_compare), .compare_mask(op_compare_mask), .result(spec_result)
);
always @* if (executed) result_as_specified: assert (next == spec_result);

// ---- What is counted, modulo 2^width: requests that were executed, answered, written
wire spec_enters      = req_valid & req_ready;
wire spec_answers     = response_valid & response_ready;
wire spec_delivered   = m_axi_rvalid & m_axi_rready;
reg [`WIDTH_written_q-1:0] spec_taken, spec_executed, spec_answered, spec_aw, spec_w;
reg [`WIDTH_written_q-1:0] spec_asked; // reads that memory was asked for and has not delivered
always @(posedge clk) begin
    spec_taken    <= spec_taken + spec_enters;
    spec_executed <= spec_executed + executed;
    spec_answered <= spec_answered + spec_answers;
    spec_aw       <= spec_aw + (m_axi_awvalid & m_axi_awready);
    spec_w        <= spec_w + (m_axi_wvalid & m_axi_wready);
    spec_asked    <= spec_asked + (m_axi_arvalid & m_axi_arready) - spec_delivered;
    if (rst) {spec_taken, spec_executed, spec_answered, spec_aw, spec_w, spec_asked} <= 0;
end
always @* begin
    if (m_axi_rvalid) responds: assume (spec_asked != 0);
    if (m_axi_bvalid) responds: assume (written != spec_aw && written != spec_w);
end
(* hierconn *) wire [15:0] \addresses.spec_inside ;
(* hierconn *) wire [`WIDTH_address_beat-1:0] \addresses.out_data ;
(* hierconn *) wire [4*`WIDTH_address_beat-1:0] \addresses.spec_places ;
(* hierconn *) wire [1:0] \addresses.head_q ;
(* hierconn *) wire [15:0] \results.spec_inside ;
(* hierconn *) wire [65:0] \results.out_data ;
(* hierconn *) wire [4*66-1:0] \results.spec_places ;
(* hierconn *) wire [1:0] \results.head_q ;
wire [`WIDTH_written_q-1:0] spec_aw_far       = spec_aw - written_q;
wire [`WIDTH_written_q-1:0] spec_w_far        = spec_w - written_q;
wire [`WIDTH_written_q-1:0] spec_executed_far = spec_executed - written_q;
wire [`WIDTH_written_q-1:0] spec_posted_far   = spec_executed_far - (done_valid_q & ~posted_q);
wire [`WIDTH_written_q-1:0] spec_started_far  = started_q - written_q;
wire [`WIDTH_written_q-1:0] spec_inside       = spec_taken - spec_answered;

// ---- One request is watched: a_number is its place among all
(* anyseq *) wire spec_pick;
reg        spec_waits, spec_starts; // it is taken and not executed; and not issued
reg        spec_answer_owed, spec_aw_owed, spec_w_owed, spec_b_owed;
wire       spec_watching = spec_answer_owed | spec_aw_owed | spec_w_owed | spec_b_owed;
reg [`WIDTH_written_q-1:0]  a_number;
reg [`WIDTH_req_stream-1:0] a_stream;
reg [31:0] a_msn, a_atomic_msn, a_identifier;
reg [60:0] a_word;
reg [3:0]  a_opcode;
reg [63:0] a_data, a_mask, a_compare, a_compare_mask;
reg        a_failed; // what became of it
reg [63:0] a_original, a_result;
wire spec_executes = spec_waits & executed & (spec_executed == a_number);
always @(posedge clk) begin
    if (!spec_watching & spec_enters & spec_pick) begin
        {spec_starts, spec_waits, spec_answer_owed, spec_aw_owed, spec_w_owed, spec_b_owed} <= ~6'd0;
        a_number <= spec_taken;
        {a_stream, a_msn, a_atomic_msn, a_identifier, a_word} <= {req_stream, req_number, req_atomic_msn, req_identifier, req_address[63:3]};
        {a_opcode, a_data, a_mask, a_compare, a_compare_mask} <= {req_opcode, req_data, req_mask, req_compare, req_compare_mask};
    end else begin
        if (issue && issued_q == a_number) spec_starts <= 1'b0;
        if (spec_executes) {spec_waits, a_failed, a_original, a_result} <= {1'b0, failed_now, original & {64{~failed_now}}, next};
        if (spec_answers && spec_answered == a_number) spec_answer_owed <= 1'b0;
        if (m_axi_awvalid & m_axi_awready && spec_aw == a_number) spec_aw_owed <= 1'b0;
        if (m_axi_wvalid & m_axi_wready && spec_w == a_number) spec_w_owed <= 1'b0;
        if (released && written_q == a_number) spec_b_owed <= 1'b0;
    end
    if (rst) {spec_waits, spec_answer_owed, spec_aw_owed, spec_w_owed, spec_b_owed} <= 0;
end
wire [`WIDTH_execute_task_q-1:0] spec_task = {a_stream, a_msn, a_atomic_msn, a_identifier, a_word,
    a_opcode, a_data, a_mask, a_compare, a_compare_mask};
wire [`WIDTH_written_q-1:0] spec_aw_ahead = a_number - spec_aw, spec_w_ahead = a_number - spec_w;
wire [1:0] spec_aw_place = \addresses.head_q + spec_aw_ahead[1:0] - 2'd1, spec_w_place = \results.head_q + spec_w_ahead[1:0] - 2'd1;
wire spec_aw_kept = spec_aw_owed & spec_aw_ahead < \addresses.spec_inside ;
wire spec_w_kept  = spec_w_owed & spec_w_ahead < \results.spec_inside ;

always @* if (started && !rst) begin
    if (spec_inside != 0) no_loss: assert (lookup_valid_q | (issued_q != started_q) | execute_valid_q | response_valid);
    if (spec_inside == 0) no_duplication: assert (!response_valid && !lookup_valid_q && !execute_valid_q);
    if (spec_answered == spec_executed) no_duplication: assert (!response_valid);
    if (spec_answer_owed && response_valid && spec_answered == a_number) order: assert (!spec_waits && {response_stream, response_number,
        response_atomic_msn, response_identifier, response_original, response_failed} ==
        {a_stream, a_msn, a_atomic_msn, a_identifier, a_original, a_failed});
    if (spec_executes) operands: assert ({op_code, op_data, op_mask, op_compare, op_compare_mask} ==
        {a_opcode, a_data, a_mask, a_compare, a_compare_mask});
    if (spec_aw_owed && m_axi_awvalid && spec_aw == a_number) write_as_left: assert (!spec_waits && m_axi_awaddr == {a_word, 3'd0});
    if (spec_w_owed && m_axi_wvalid && spec_w == a_number) write_as_left: assert (!spec_waits && (m_axi_wstrb == 0 || m_axi_wdata == a_result));
    if (spec_aw == spec_executed) no_write_unasked: assert (!m_axi_awvalid);
    if (spec_w == spec_executed) no_write_unasked: assert (!m_axi_wvalid);
    if (spec_w_owed && m_axi_wvalid && spec_w == a_number) failed_writes_nothing: assert (m_axi_wstrb == {8{~a_failed}});
    if (response_failed) failed_writes_nothing: assert (!response_valid || response_original == 0);
    if (spec_b_owed && refused_valid && written_q == a_number) refusal_is_told: assert (refused_stream == a_stream);
    if (spec_enters) no_request_unready: assert (ready);
    no_request_unready: assert (under_way <= `DEPTH_tasks);
    counts: assert (spec_taken == issued_q + lookup_valid_q && issued_q == written_q + under_way);
    counts: assert (started_q == spec_executed + execute_valid_q && spec_answered == spec_executed - (done_valid_q & ~answered_q));
    counts: assert (spec_posted_far == spec_aw_far + \addresses.spec_inside && spec_posted_far == spec_w_far + \results.spec_inside &&
        \addresses.spec_inside <= 5 && \results.spec_inside <= 5);
    counts: assert (spec_started_far <= under_way && spec_executed_far <= spec_started_far && spec_posted_far <= spec_executed_far &&
        spec_aw_far <= spec_posted_far && spec_w_far <= spec_posted_far);
    counts: assert ((done_valid_q || !(answered_q | posted_q)) && !(answered_q & posted_q));
    if (!is_running) counts: assert (!lookup_valid_q && issued_q == 0 && written_q == 0 && spec_executed == 0 && !execute_valid_q && !done_valid_q);
    if (written_q != started_q) counts: assert (release_q == releases[written_q[`WIDTH_written_q-2:0]]);
    if (spec_waits) watched_inside: assert (spec_answer_owed && spec_aw_owed && spec_w_owed && spec_b_owed &&
        a_number - spec_executed < spec_taken - spec_executed);
    if (spec_answer_owed) watched_inside: assert (a_number - spec_answered < spec_inside);
    if (spec_aw_owed) watched_inside: assert (spec_aw_ahead < spec_taken - spec_aw);
    if (spec_w_owed) watched_inside: assert (spec_w_ahead < spec_taken - spec_w);
    if (spec_b_owed) watched_inside: assert (a_number - written_q < spec_taken - written_q);
    if (spec_b_owed && !spec_waits) watched_inside: assert (a_number - written_q < spec_executed_far);
    if (spec_watching && !spec_b_owed) watched_inside: assert (!spec_aw_owed && !spec_w_owed);
    if (spec_watching && spec_starts) watched_inside: assert (spec_waits && lookup_valid_q && issued_q == a_number);
    if (spec_starts && spec_watching) watched_inside: assert ({lookup_stream_q, lookup_number_q, lookup_atomic_msn_q, lookup_identifier_q, lookup_word_q,
        lookup_opcode_q, lookup_data_q, lookup_mask_q, lookup_compare_q, lookup_compare_mask_q} == spec_task);
    if (spec_waits && !spec_starts) watched_inside: assert (execute_valid_q && a_number == spec_executed ? execute_task_q == spec_task
        : tasks[a_number[`WIDTH_written_q-2:0]] == spec_task && a_number - started_q < issued_q - started_q);
    if (spec_b_owed && !spec_starts) watched_inside: assert (a_number - written_q < under_way &&
        releases[a_number[`WIDTH_written_q-2:0]][`WIDTH_release_q-1 -: `WIDTH_req_stream] == a_stream);
    if (!spec_waits && (spec_answer_owed || spec_aw_owed & ~spec_aw_kept || spec_w_owed & ~spec_w_kept)) watched_inside: assert (done_valid_q && a_number == spec_executed - 1'b1 &&
        {done_stream_q, done_number_q, done_atomic_msn_q, done_identifier_q, done_word_q, done_original_q, done_result_failed_q, done_result_word_q} ==
        {a_stream, a_msn, a_atomic_msn, a_identifier, a_word, a_original, a_failed, a_result});
    if (!spec_waits && spec_watching) watched_inside: assert (!a_failed || a_original == 0);
    if (done_result_failed_q && done_valid_q) watched_inside: assert (done_original_q == 0);
    if (!spec_waits && spec_aw_owed) watched_inside: assert (spec_aw_kept || !posted_q);
    if (!spec_waits && spec_w_owed) watched_inside: assert (spec_w_kept || !posted_q && done_valid_q && a_number == spec_executed - 1'b1);
    if (spec_waits) watched_inside: assert (!spec_aw_kept && !spec_w_kept);
    if (spec_aw_kept) watched_inside: assert ((spec_aw_ahead == 0 ? \addresses.out_data :
        \addresses.spec_places [spec_aw_place * `WIDTH_address_beat +: `WIDTH_address_beat]) == a_word);
    if (spec_w_kept) watched_inside: assert ((spec_w_ahead == 0 ? \results.out_data : \results.spec_places [spec_w_place * 66 +: 66]) ==
        {a_word[0], ~a_failed, a_result});
end
// ---- One word is watched: who uses it, by the low bits of its number, and what the last that was executed left there
(* anyconst *) reg [60:0] any_word;
reg [`DEPTH_tasks-1:0] spec_mine;
reg [`WIDTH_written_q-1:0]  spec_users, spec_unwritten; // under way; executed and not written
reg        spec_was_used;              // in the clock before
reg [64:0] spec_left;
reg        spec_reading, spec_got;     // memory is read for it; it has answered
reg [`WIDTH_written_q-1:0]  spec_before;                // reads that memory answers before
reg [64:0] spec_given;
wire spec_issues   = issue & (lookup_word_q == any_word);
wire spec_finishes = released & spec_mine[written_q[`WIDTH_written_q-2:0]];
wire spec_is_next  = executed & spec_mine[spec_executed[`WIDTH_written_q-2:0]];
wire spec_gets     = spec_delivered & spec_reading & ~spec_got & (spec_before == 0);
wire spec_is_read  = spec_issues & read;
always @(posedge clk) begin
    if (issue) spec_mine[issued_q[`WIDTH_written_q-2:0]] <= lookup_word_q == any_word;
    spec_users     <= spec_users + spec_issues - spec_finishes;
    spec_unwritten <= spec_unwritten + spec_is_next - spec_finishes;
    spec_was_used  <= spec_users != 0;
    if (spec_is_next) {spec_reading, spec_left} <= {1'b0, failed_now, next};
    if (spec_delivered) spec_before <= spec_before - 1'b1;
    if (spec_gets) {spec_got, spec_given} <= {1'b1, |m_axi_rresp, m_axi_rdata};
    if (spec_is_read) {spec_reading, spec_got, spec_before} <= {2'b10, spec_asked + ar_valid_q - spec_delivered};
    if (rst) {spec_users, spec_unwritten, spec_was_used, spec_reading} <= 0;
end
always @* if (started && !rst) begin
    if (spec_is_next && !spec_reading) one_after_another: assert ({failed_now, original} == spec_left);
    if (spec_issues) one_after_another: assert (read ? spec_users == 0 : spec_users != 0 || spec_was_used);
    if (spec_is_next && spec_reading) fetched: assert ((spec_got || spec_gets) &&
        {failed_now, original} == (spec_got ? spec_given : {|m_axi_rresp, m_axi_rdata}));
    if (m_axi_arvalid && m_axi_araddr[63:3] == any_word) no_read_in_use: assert (spec_reading && !spec_got && spec_unwritten == 0);
end
