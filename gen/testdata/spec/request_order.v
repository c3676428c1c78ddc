// request_order: requests start once each, in order of arrival, a Read behind the Atomics of its stream, an Atomic behind its
// Reads, a Terminate behind all; none after the stream failed. One stream stands for all: it is arbitrary but fixed.
// depth 1
// bound 12
(* anyconst *) reg [`WIDTH_held_stream_q-1:0] a_stream;

// assume atomics_finish_in_order: atomic_unit answers and writes back only what was begun, and no more is under way than it holds
// assume reads_finish_in_order: read_responder finishes only Reads that were begun
reg [`WIDTH_atomic_written-1:0] written_q;
always @(posedge clk) written_q <= rst ? 0 : atomic_written;
wire [`WIDTH_atomic_written-1:0] unwritten_q  = atomics_issued_q - written_q;
wire [`WIDTH_atomic_written-1:0] unwritten    = atomics_issued_q - atomic_written;
wire [`WIDTH_atomic_written-1:0] unanswered   = atomics_issued_q - atomics_answered_q;
wire [`WIDTH_reads_issued_q-1:0] unread = reads_issued_q - reads_done_q;
always @* if (started) atomics_finish_in_order: assume (unwritten <= unwritten_q && (!atomic_answered || unanswered != 0));
always @* if (started && (unwritten > `ATOMIC_DEPTH || unanswered > `ATOMIC_DEPTH)) atomics_finish_in_order: assume (!atomic_ready);
always @* if (started && (unwritten == `ATOMIC_DEPTH + `ATOMIC_DEPTH - 1 || unanswered == `ATOMIC_DEPTH + `ATOMIC_DEPTH - 1)) atomics_finish_in_order: assume (!atomic_ready);
always @* if (started) reads_finish_in_order: assume (!read_done || unread != 0);
// assume row_holds: stag_table keeps what it gives until the port's next lookup; shown by stag_table/stays_found
reg [`WIDTH_recheck_entry-1:0] recheck_entry_q;
reg recheck_was_read_q;
always @(posedge clk) begin
    recheck_entry_q    <= recheck_entry;
    recheck_was_read_q <= recheck_enable || rst;
end
always @* if (started && !recheck_was_read_q) row_holds: assume (recheck_entry == recheck_entry_q);

wire a_atomic    = atomic_valid && atomic_ready && atomic_stream == a_stream;
wire a_read      = read_valid && read_ready && read_stream == a_stream;
wire a_end       = end_valid && end_ready && end_stream == a_stream;
wire a_failure   = failed_valid && failed_ready && failed_stream == a_stream;
wire a_reopening = leave && held_is_opening_q && held_stream_q == a_stream;

// ---- What of the stream is under way since its opening, counted from its latest request: how many of all that are begun have to finish before it has
reg [`WIDTH_atomic_written-1:0]       to_write_q, to_answer_q;
reg [`WIDTH_reads_issued_q-1:0] to_read_q;
wire [`WIDTH_atomic_written-1:0]       newly_written = unwritten_q - unwritten;
wire [`WIDTH_atomic_written-1:0]       to_write  = to_write_q > newly_written ? to_write_q - newly_written : 0;
reg  failed_q;
always @(posedge clk) begin
    to_write_q  <= rst || a_reopening ? 0 : a_atomic ? unwritten + 1'b1 : to_write;
    to_answer_q <= rst || a_reopening ? 0 : a_atomic ? unanswered + 1'b1 - atomic_answered : to_answer_q - (atomic_answered && to_answer_q != 0);
    to_read_q   <= rst || a_reopening ? 0 : a_read ? unread + 1'b1 - read_done : to_read_q - (read_done && to_read_q != 0);
    failed_q    <= !rst && !a_reopening && (a_failure || failed_q);
end

// property read_after_atomics: a Read starts only when the stream's Atomics are in memory and their responses on their way
// control read_after_atomics: | ((atomics_issued_q - now_atomic) < (atomics_issued_q - atomics_answered_q)) => | 1'b0
always @* if (started && read_valid && read_stream == a_stream) read_after_atomics: assert (to_write == 0 && to_answer_q == 0);
// property atomic_after_reads: an Atomic starts only when the stream's Reads are answered
// control atomic_after_reads: (reads_issued_q - now_read) < (reads_issued_q - reads_done_q) => (reads_issued_q - now_read) < reads_done_q
always @* if (started && atomic_valid && atomic_stream == a_stream) atomic_after_reads: assert (to_read_q == 0);
// property end_after_all: the end of the stream leaves only when all of the stream's requests are answered and its Atomics in memory
// control end_after_all: (after_read | after_atomic)) => after_read)
always @* if (started && end_valid && end_stream == a_stream)
    end_after_all: assert (to_write == 0 && to_answer_q == 0 && to_read_q == 0);
// property nothing_after_failure: once a request of the stream was stopped, none of it starts any more, and it fails once
// control nothing_after_failure: wire starts         = has_its_turn & ~now_failed & => wire starts         = has_its_turn &
always @* if (started && failed_q) nothing_after_failure: assert (!a_atomic && !a_read && !a_failure);
// property stag_is_there: what reaches memory starts only if its STag is valid and has its key in the latest lookup
// control stag_is_there: wire stag_is_gone   = ~row_valid | => wire stag_is_gone   = ~row_valid &
always @* if (started && (atomic_valid || (read_valid && read_length != 0)))
    stag_is_there: assert (recheck_entry[`WIDTH_recheck_entry-1] && recheck_entry[`WIDTH_recheck_entry-2 -: 8] == held_stag_q[7:0]);
// property looked_up_just_now: the lookup that it rests on is of the clock before, and of its STag
// control looked_up_just_now: assign recheck_enable = take | waits; => assign recheck_enable = take;
reg looked_up_q, waited_q;
reg [23:0] row_q;
always @(posedge clk) begin
    looked_up_q <= recheck_enable;
    if (recheck_enable) row_q <= recheck_index;
    waited_q    <= has_its_turn && !leave;
end
always @* if (started && is_request && !waited_q) looked_up_just_now: assert (looked_up_q && row_q == held_stag_q[31:8]);

// ---- Each request once: it comes in, then leaves by exactly one way, or is dropped because its stream has failed
wire comes = request_valid && request_ready;
wire opens = opening_valid && opening_ready;
wire [2:0] ways = (atomic_valid && atomic_ready) + (read_valid && read_ready) + (end_valid && end_ready) + (failed_valid && failed_ready);
reg  one_inside_q, inside_is_request_q;
reg  [31:0] number_q;
reg  [1:0]  kind_q;
reg  [`WIDTH_held_stream_q-1:0] stream_q;
always @(posedge clk) begin
    if (comes || opens) begin
        one_inside_q        <= !rst;
        inside_is_request_q <= comes;
        number_q            <= request_number;
        kind_q              <= request_kind;
        stream_q            <= opens ? opening_stream : request_stream;
    end else if (leave || rst) begin
        one_inside_q <= 0;
    end
end
// property executed_once: a request leaves by one way only, and only if it is inside
// control executed_once: assign end_valid          = ends; => assign end_valid          = ends | fails;
always @* if (started && ways != 0) executed_once: assert (ways == 1 && one_inside_q && inside_is_request_q && leave);
// property no_loss: a request that is inside leaves before the next is taken; without a way only if its stream has failed
// control no_loss: | dropped => | has_its_turn
always @* if (started && one_inside_q && (comes || opens)) no_loss: assert (leave);
always @* if (started && one_inside_q && inside_is_request_q && leave && ways == 0 && stream_q == a_stream) no_loss: assert (failed_q && kind_q[1] == 0);
// property keeps_its_values: what leaves is the request that came: stream, MSN and kind
// control keeps_its_values: assign read_number                 = held_number_q; => assign read_number                 = held_response_msn_q;
always @* if (started && atomic_valid) keeps_its_values: assert (atomic_stream == stream_q && atomic_number == number_q && kind_q == REQUEST_ATOMIC);
always @* if (started && read_valid) keeps_its_values: assert (read_stream == stream_q && read_number == number_q && kind_q == REQUEST_READ);
always @* if (started && end_valid) keeps_its_values: assert (end_stream == stream_q && end_number == number_q && kind_q == end_kind && kind_q[1]);

// ---- Invariants
wire a_known = swept_q || sweep_q > a_stream;
wire [`WIDTH_stream_state_now-1:0] a_state = swept_q && update_valid_q && update_stream_q == a_stream ? update_q : stream_state[a_stream];
wire a_failed;
wire [`WIDTH_atomic_written-1:0]       a_atomic_number;
wire [`WIDTH_reads_issued_q-1:0] a_read_number;
assign {a_failed, a_read_number, a_atomic_number} = a_state;
wire [`WIDTH_atomic_written-1:0]       since_atomic = atomics_issued_q - a_atomic_number;
wire [`WIDTH_reads_issued_q-1:0] since_read   = reads_issued_q - a_read_number;
// invariant state_is_kept: the stream's word holds its latest requests and its failure
always @* if (started && a_known) state_is_kept: assert (a_failed == failed_q);
// invariant numbers_are_kept: while the stream's latest Atomic, or Read, is under way the word has its number
always @* if (started && a_known && to_write_q != 0) numbers_are_kept: assert (since_atomic + to_write_q == unwritten_q);
always @* if (started && a_known && to_answer_q != 0) numbers_are_kept: assert (since_atomic + to_answer_q == unanswered);
always @* if (started && a_known && to_read_q != 0) numbers_are_kept: assert (since_read + to_read_q == unread);
// invariant fewer_than_begun: what is to finish is under way
always @* if (started) fewer_than_begun: assert (to_write_q <= unwritten_q && to_answer_q <= unanswered && to_read_q <= unread);
// invariant state_is_read: what was read of the stream is its state
always @* if (started && swept_q && held_valid_q && held_stream_q == a_stream) state_is_read: assert (stream_state_now == a_state);
// invariant held_is_inside: what is held came
always @* if (started) held_is_inside: assert (held_valid_q == one_inside_q && (!held_valid_q || (held_is_opening_q == !inside_is_request_q
    && held_stream_q == stream_q && (held_is_opening_q || (held_number_q == number_q && held_kind_q == kind_q)))));
// invariant quiet_before_swept: nothing is held before every stream has its word
always @* if (started && !swept_q) quiet_before_swept: assert (!held_valid_q && !update_valid_q && !failed_q && to_write_q == 0 && to_answer_q == 0 && to_read_q == 0);
