// Atomics are executed one after the other, in order, each on what the one before it left in its word (RFC 7306 section 5.3). One
// request, any, is watched from its acceptance until it is over; one word, any, with all that use it; and one write, any.
// uses atomic_operation
// depth 1
// bound 12
// assume same_set: request_order, whose atomics come with the set of their word; shown by request_order/right_set
// assume responds: memory, which answers only reads and writes that it was asked for (AXI4)

// property result_as_specified: the word after an atomic is that of RFC 7306 sections 5.1.1 and 5.1.2, with draft00 also of its Swap
// control result_as_specified: (execute_op_data_q & keep) + => execute_op_data_q +
// control result_as_specified: (original ^ execute_op_data_q) & execute_op_mask_q => (original ^ execute_op_data_q)
// control result_as_specified: (execute_op_compare_q ^ here_word_q) & => (execute_op_compare_q ^ here_word_q) |
// control result_as_specified: execute_op_compares_q & equal => execute_op_compares_q
// control result_as_specified: == FETCH_ADD => != CMP_SWAP
// property no_request_unready: no request is taken before the table is cleared, nor more than the unit holds
// control no_request_unready: room       = is_running & => room       =
// control no_request_unready: & ~in_progress_q[<N>] => | in_progress_q[0]
// property order: requests are answered in the order in which they were taken, each as who asked, with the word from before it
// control order: execute_number_q          <= task_q[<N>:<N>] => execute_number_q          <= req_number
// bounded order 16: the induction would have to know each request in each stage and buffer
// property operands: an atomic is computed with its own opcode, operands and masks
// control operands: next_start = start ? started_next_q => next_start = start ? started_q
// bounded operands 16: see order
// property failed_writes_nothing: an atomic whose word memory did not deliver says so and returns 0; words that failed are written without strobes
// control failed_writes_nothing: original & {64{~failed_now}} => original
// control failed_writes_nothing: data_strobe = ~posting_value_failed_q => data_strobe = 1'b1
// bounded failed_writes_nothing 16: see order
// property one_after_another: an atomic that does not fetch its word finds what the one before it left, or its failure
// control one_after_another: forward_q ? done_word_q => 1'b0 ? done_word_q
// bounded one_after_another 16: all in progress share the rows of the table, of which the induction would have to know each
// property fetched: an atomic that fetches its word finds what memory gave for its own read
// control fetched: kept_valid ? kept_word => 1'b0 ? kept_word
// bounded fetched 16: see one_after_another
// property no_read_in_use: a word is read only for an atomic that uses it, when all before it are executed and no write of it is under way
// control no_read_in_use: near_0 ? near_word_is_same => near_0 ? 1'b0
// bounded no_read_in_use 16: see one_after_another
// property write_as_left: what is written is what the executed atomics on the word have left, up to the read of it
// control write_as_left: value_q <= words_in_use[comparing_entry_row_q] => value_q <= words_in_use[entry_q[3:0]]
// bounded write_as_left 16: see one_after_another
// property over_in_memory: an atomic is over only when a write that was posted after it was executed is in memory, and it is answered
// control over_in_memory: (over_q != responses_q) => 1'b1
// control over_in_memory: & ~is_covered => & ~near_row_is_same_q
// bounded over_in_memory 16: see order
// property refusal_is_told: an atomic is reported as failed exactly if the first write that covers it is refused
// control refusal_is_told: refused[written_q[<N>:0]] <= |m_axi_bresp => refused[written_q[0]] <= |m_axi_bresp
// bounded refusal_is_told 16: see order

// ---- What an operation leaves: atomic_operation has the pseudocode bit by bit
reg [3:0]  spec_opcode;
reg [63:0] spec_mask;
always @(posedge clk) {spec_opcode, spec_mask} <= {task_q[259:256], task_q[191:128]};
wire [63:0] spec_result;
atomic_operation #(.DRAFT00(`DRAFT00)) specification (
    .opcode(spec_opcode), .original(original), .data(execute_op_data_q), .mask(spec_mask),
    .compare(execute_op_compare_q), .compare_mask(execute_op_compare_mask_q), .result(spec_result)
);
always @* if (started && !rst && executing_q) result_as_specified: assert (result == spec_result);

// ---- What is counted, modulo 16
wire spec_enters = req_valid & req_ready;
wire spec_answers = response_valid & response_ready;
wire spec_overs = over_valid & over_ready;
reg [3:0] spec_taken, spec_executed, spec_answered, spec_over, spec_aw, spec_w, spec_b, spec_posts;
reg [3:0] spec_asked; // reads that memory was asked for and has not delivered
always @(posedge clk) begin
    spec_taken    <= spec_taken + spec_enters;
    spec_executed <= spec_executed + executing_q;
    spec_answered <= spec_answered + spec_answers;
    spec_over     <= spec_over + spec_overs;
    spec_aw       <= spec_aw + (m_axi_awvalid & m_axi_awready);
    spec_w        <= spec_w + (m_axi_wvalid & m_axi_wready);
    spec_b        <= spec_b + (m_axi_bvalid & m_axi_bready);
    spec_posts    <= spec_posts + post;
    spec_asked    <= spec_asked + (m_axi_arvalid & m_axi_arready) - m_axi_rvalid;
    if (rst) {spec_taken, spec_executed, spec_answered, spec_over, spec_aw, spec_w, spec_b, spec_posts, spec_asked} <= 0;
end
always @* begin
    if (req_valid) same_set: assume (req_set == req_address[`WIDTH_req_set+2:3]);
    if (m_axi_rvalid) responds: assume (spec_asked != 0);
    if (m_axi_bvalid) responds: assume (spec_b != spec_aw && spec_b != spec_w);
end

// ---- One request is watched: a_number is its place among all
(* anyseq *) wire spec_pick;
reg        spec_watching, spec_waits, spec_written, spec_covered;
reg [1:0]  spec_since; // it has been executed for one cycle, for two
reg [3:0]  a_number, a_write;
reg [`WIDTH_req_stream-1:0] a_stream;
localparam SPEC_TAG = `WIDTH_task_q - 260; // of the request, returned with its response: all but opcode and operands
wire [SPEC_TAG-1:0] spec_tag_in = `DATA_req >> 64 + `WIDTH_req_set + 260, spec_tag_out = `DATA_response >> 65;
reg [SPEC_TAG-1:0] a_tag;
reg [60:0] a_word;
reg [3:0]  a_opcode;
reg [63:0] a_data, a_mask, a_compare, a_compare_mask;
reg        a_failed, a_refused;
reg [63:0] a_original;
wire spec_executes = spec_watching & spec_waits & executing_q & (spec_executed == a_number);
wire spec_covers   = spec_watching & spec_since[1] & ~spec_covered & post & (visiting_word_q == a_word);
always @(posedge clk) begin
    spec_since <= {spec_since[0], spec_watching & ~spec_waits};
    if (!spec_watching & spec_enters & spec_pick) begin
        {spec_watching, spec_waits, spec_written, spec_covered} <= 4'b1100;
        spec_since <= 0;
        a_number   <= spec_taken;
        {a_tag, a_stream, a_word} <= {spec_tag_in, req_stream, req_address[63:3]};
        {a_opcode, a_data, a_mask, a_compare, a_compare_mask} <= {req_opcode, req_data, req_mask, req_compare, req_compare_mask};
    end else if (spec_watching) begin
        if (spec_executes) {spec_waits, a_failed, a_original} <= {1'b0, failed_now, intact_original};
        if (spec_covers) {spec_covered, a_write} <= {1'b1, spec_posts};
        if (spec_covered & m_axi_bvalid & spec_b == a_write) {spec_written, a_refused} <= {1'b1, |m_axi_bresp};
        if (spec_overs && spec_over == a_number) spec_watching <= 1'b0;
    end
    if (rst) {spec_watching, spec_waits} <= 0;
end
always @* if (started && !rst) begin
    if (spec_enters) no_request_unready: assert (ready && in_progress_q < `DEPTH_tasks);
    if (response_valid) order: assert (spec_answered != spec_executed || executing_q);
    if (spec_watching && response_valid && spec_answered == a_number) order: assert ((!spec_waits || spec_executes) &&
        {spec_tag_out, response_original, response_failed} == {a_tag, spec_waits ? {intact_original, failed_now} : {a_original, a_failed}});
    if (spec_executes) operands: assert ({spec_opcode, execute_op_data_q, spec_mask, execute_op_compare_q, execute_op_compare_mask_q} ==
        {a_opcode, a_data, a_mask, a_compare, a_compare_mask});
    if (response_valid && response_failed) failed_writes_nothing: assert (response_original == 0);
    if (spec_watching && over_valid && spec_over == a_number) over_in_memory: assert (spec_written && spec_answered - a_number - 1'b1 < 8);
    if (spec_watching && spec_written && spec_overs && spec_over == a_number) refusal_is_told: assert (refusal_valid == a_refused &&
        (!a_refused || refusal_stream == a_stream));
    if (!spec_overs) refusal_is_told: assert (!refusal_valid);
end

// ---- One word is watched: who uses it, by the low bits of its number, and what the last that was executed left there
(* anyconst *) reg [60:0] any_word;
reg [`DEPTH_tasks-1:0] spec_mine;
reg [3:0]  spec_unexecuted;       // accepted on the word and not executed
reg [64:0] spec_left, spec_left_before, spec_left_read;
reg        spec_reading, spec_got; // memory is read for it; it has answered
reg [3:0]  spec_before;           // reads that memory answers before
reg [64:0] spec_given;
reg [15:0] spec_is_write;         // by number of a write: it is one of the word
reg [3:0]  spec_writing;          // posted and not in memory
wire spec_mine_enters = spec_enters & (req_address[63:3] == any_word);
wire spec_mine_now    = executing_q & spec_mine[spec_executed[`WIDTH_accepted_q-3:0]];
wire spec_asks        = m_axi_arvalid & m_axi_arready & (m_axi_araddr[63:3] == any_word);
wire spec_gets        = m_axi_rvalid & spec_reading & ~spec_got & (spec_before == 0);
wire spec_posts_mine  = post & (visiting_word_q == any_word);
wire spec_ends_mine   = m_axi_bvalid & spec_is_write[spec_b];
always @(posedge clk) begin
    if (spec_enters) spec_mine[spec_taken[`WIDTH_accepted_q-3:0]] <= req_address[63:3] == any_word;
    spec_unexecuted <= spec_unexecuted + spec_mine_enters - spec_mine_now;
    if (spec_mine_now) {spec_reading, spec_left} <= {1'b0, failed_now, result};
    spec_left_before <= spec_left;
    spec_left_read   <= spec_left_before;
    if (m_axi_rvalid) spec_before <= spec_before - 1'b1;
    if (spec_gets) {spec_got, spec_given} <= {1'b1, |m_axi_rresp, m_axi_rdata};
    if (spec_asks) {spec_reading, spec_got, spec_before} <= {2'b10, spec_asked - m_axi_rvalid};
    if (post) spec_is_write[spec_posts] <= visiting_word_q == any_word;
    spec_writing <= spec_writing + spec_posts_mine - spec_ends_mine;
    if (rst) {spec_unexecuted, spec_reading, spec_writing} <= 0;
end
always @* if (started && !rst) begin
    if (spec_mine_now && !spec_reading) one_after_another: assert ({failed_now, original} == spec_left);
    if (spec_mine_now && spec_reading) fetched: assert (spec_got && {failed_now, original} == spec_given);
    if (m_axi_arvalid && m_axi_araddr[63:3] == any_word) no_read_in_use: assert (!spec_reading && spec_unexecuted != 0 && spec_writing == 0);
    if (spec_posts_mine) write_as_left: assert (value_q == spec_left_read);
end

// ---- One write is watched from its post to memory
reg        spec_w_watching, spec_aw_owed, spec_w_owed;
reg [3:0]  y_number;
reg [60:0] y_word;
reg [64:0] y_value;
always @(posedge clk) begin
    if (!spec_w_watching & post & spec_pick) begin
        {spec_w_watching, spec_aw_owed, spec_w_owed} <= 3'b111;
        {y_number, y_word, y_value} <= {spec_posts, visiting_word_q, value_q};
    end else begin
        if (m_axi_awvalid & m_axi_awready && spec_aw == y_number) spec_aw_owed <= 1'b0;
        if (m_axi_wvalid & m_axi_wready && spec_w == y_number) spec_w_owed <= 1'b0;
        if (m_axi_bvalid && spec_b == y_number) spec_w_watching <= 1'b0;
    end
    if (rst) {spec_w_watching, spec_aw_owed, spec_w_owed} <= 0;
end
always @* if (started && !rst && spec_w_watching) begin
    if (spec_aw_owed && m_axi_awvalid && spec_aw == y_number) write_as_left: assert (m_axi_awaddr == {y_word, 3'd0});
    if (spec_w_owed && m_axi_wvalid && spec_w == y_number) write_as_left: assert (m_axi_wstrb == 0 || m_axi_wdata == y_value[63:0]);
    if (spec_w_owed && m_axi_wvalid && spec_w == y_number) failed_writes_nothing: assert (m_axi_wstrb == {8{~y_value[64]}});
end
