// The accesses to one word, any word, happen one after the other as they came: each finds what the one before it left, and what
// it leaves is what the ALU made of the operands that came with it. The answer goes to whoever asked, once.

// depth 2
// bound 8
// property one_after_another: an access finds in its word what the access to that word before it left (RFC 7306 section 5.3)
// twin one_after_another: forward  = done_valid & (write_index_q == execute_index_q) => forward  = done_valid & (write_index_q == execute_index_q) & ~write_host_q
// property left_in_memory: the word in memory is what the last access to it left
// twin left_in_memory: words[write_index_q] <= done_result => words[write_index_q] <= done_original
// property write_only_by_access: a word changes only when an access to it is executed
// twin write_only_by_access: if (done_valid) begin => if (op_valid) begin
// property operands: a stream's access brings its own opcode, operands and masks to the ALU
// twin operands: execute_mask_q         <= req_mask => execute_mask_q         <= req_compare_mask
// property host_writes: a write of the host replaces the whole word by its data
// twin host_writes: op_mask         = execute_mask_q | {64{host_write}} => op_mask         = execute_mask_q
// property host_reads: a read of the host leaves the word as it is
// twin host_reads: op_data         = execute_data_q & {64{~host_read}} => op_data         = execute_data_q
// property order: accesses are answered in the order in which they were taken, each as who asked
// twin order: write_msn_q        <= execute_msn_q => write_msn_q        <= req_msn
// property no_loss: an access that was taken and not answered is inside
// twin no_loss: advance = ~execute_valid_q | op_ready => advance = ~execute_valid_q | op_ready | req_host
// property no_duplication: nothing is answered that was not taken
// twin no_duplication: execute_valid_q <= req_valid => execute_valid_q <= req_valid | execute_valid_q
// property answer_to_asker: the answer goes to the host or to the streams, never to both
// twin answer_to_asker: assign host_valid       = done_valid & write_host_q => assign host_valid       = done_valid
// invariant inside: the registers count what is inside
// invariant watched_inside: the watched access is one of those inside, as it was
// invariant fetched: what was fetched for the word is what it was when it was fetched

(* anyconst *) reg [`WIDTH_req_index-1:0] any_word;
wire spec_enters  = req_valid & req_ready;
wire spec_leaves  = done_valid & answered;
wire spec_writes  = done_valid & (write_index_q == any_word);

// What the word is after the last access that has computed, once one has.
reg        spec_known;
reg [63:0] spec_word;
always @(posedge clk) begin
    if (spec_writes) begin
        spec_known <= 1'b1;
        spec_word  <= done_result;
    end
    if (rst) spec_known <= 1'b0;
end
// The access that computes now was not there in the clock before: what it found shows.
reg spec_new;
always @(posedge clk) spec_new <= executed & ~rst;

// One access is watched.
(* anyseq *) wire spec_pick;
reg [1:0] spec_inside, spec_ahead;
reg       spec_watching;
reg       a_host;
reg [`WIDTH_req_stream-1:0] a_stream;
reg [31:0] a_msn, a_identifier;
reg [`WIDTH_req_index-1:0] a_index;
reg [3:0]  a_opcode;
reg [63:0] a_data, a_mask, a_compare, a_compare_mask;
always @(posedge clk) begin
    spec_inside <= rst ? 2'd0 : spec_inside + spec_enters - spec_leaves;
    if (!spec_watching) begin
        spec_watching <= spec_enters & spec_pick;
        spec_ahead    <= spec_inside - spec_leaves;
        {a_host, a_stream, a_msn, a_identifier, a_index, a_opcode} <= {req_host, req_stream, req_msn, req_identifier, req_index, req_opcode};
        {a_data, a_mask, a_compare, a_compare_mask} <= {req_data, req_mask, req_compare, req_compare_mask};
    end else if (spec_leaves) begin
        spec_watching <= |spec_ahead;
        spec_ahead    <= spec_ahead - 2'd1;
    end
    if (rst) spec_watching <= 1'b0;
end
wire spec_executes = spec_watching & execute_valid_q & (spec_ahead == done_valid);
wire spec_answers  = spec_watching & done_valid & (spec_ahead == 0);

always @* if (started && !rst) begin
    if (spec_known && spec_new && spec_writes) one_after_another: assert (done_original == spec_word);
    if (spec_known && !spec_writes) left_in_memory: assert (words[any_word] == spec_word);
    if (spec_executes && !a_host) operands: assert (op_valid && {op_opcode, op_data, op_mask, op_compare, op_compare_mask} ==
        {a_opcode, a_data, a_mask, a_compare, a_compare_mask});
    if (spec_executes && a_host && a_opcode == 4'd1) host_writes: assert (op_valid && op_opcode == 4'd2 && op_data == a_data &&
        &op_mask && ~|op_compare_mask);
    if (spec_executes && a_host && a_opcode == 4'd0) host_reads: assert (op_valid && op_opcode == 4'd0 && ~|op_data);
    if (spec_answers) order: assert ({write_host_q, write_stream_q, write_msn_q, write_identifier_q, write_index_q} ==
        {a_host, a_stream, a_msn, a_identifier, a_index});
    if (spec_inside != 0) no_loss: assert (execute_valid_q | done_valid);
    if (spec_inside == 0) no_duplication: assert (!execute_valid_q & !done_valid);
    answer_to_asker: assert (!(reply_valid & host_valid) && (reply_valid | host_valid) == done_valid);
    inside: assert (spec_inside == execute_valid_q + done_valid);
    watched_inside: assert (!spec_watching || (spec_ahead < spec_inside));
    if (spec_executes) watched_inside: assert ({execute_host_q, execute_stream_q, execute_msn_q, execute_identifier_q, execute_index_q,
        execute_opcode_q, execute_data_q, execute_mask_q, execute_compare_q, execute_compare_mask_q} ==
        {a_host, a_stream, a_msn, a_identifier, a_index, a_opcode, a_data, a_mask, a_compare, a_compare_mask});
    if (spec_known && execute_valid_q && execute_index_q == any_word && !spec_writes) fetched: assert (stored == spec_word);
end
reg  [63:0] spec_was;
reg         spec_could;
always @(posedge clk) begin
    spec_was   <= words[any_word];
    spec_could <= spec_writes;
end
always @* if (started && !spec_could) write_only_by_access: assert (words[any_word] == spec_was);
