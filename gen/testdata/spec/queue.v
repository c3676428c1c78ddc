// Every beat leaves the queue once, in order and unchanged. The properties watch an arbitrary beat, so what holds for it holds
// for all.

// depth 1
// bound 6
// property order: the watched beat is offered unchanged, after those that entered before it have left
// control order: fetched_q <= beats[head_q] => fetched_q <= beats[tail_q]
// property no_loss: while a beat is inside, it or an earlier one is offered, at the latest two cycles after it entered
// control no_loss: has_next   = aside_valid_q | fetched_valid_q | pass => has_next   = aside_valid_q | pass
// property no_duplication: nothing is offered when nothing is inside
// control no_duplication: has_next   = aside_valid_q | fetched_valid_q | pass => has_next   = aside_valid_q | fetched_valid_q | pass | out_valid_q
// property no_overflow: the watched beat is not overwritten
// control no_overflow: tail_q <=  => tail_q <= head_q & 
// property takes: a beat is accepted whenever the memory has room
// control takes: in_ready = ~full_q => in_ready = ~full_q & empty_q
// property no_latency: a beat that arrives when nothing is inside is offered in the next cycle
// control no_latency: & ~out_valid_q; => & ~out_valid_q & fetch;
// invariant counts: the registers agree with the number of beats inside
// invariant in_memory: the watched beat is one of those inside, and is stored unchanged in its place

wire spec_enters = `VALID_in & `READY_in;
wire spec_leaves = `VALID_out & `READY_out;
reg [15:0] spec_inside;
wire spec_has_place = spec_inside <= `DEPTH_beats;
wire [15:0] spec_in_memory = spec_inside - out_valid_q - aside_valid_q - fetched_valid_q;
reg spec_was_empty; // nothing was inside in the previous cycle
always @(posedge clk) begin
    spec_inside    <= rst ? 0 : spec_inside + spec_enters - spec_leaves;
    spec_was_empty <= !rst & spec_inside == 0;
end

(* anyseq *) wire spec_pick;
reg spec_watching;
reg [15:0] spec_ahead; // beats that leave before the watched one
reg [`WIDTH_in_data-1:0] spec_watched;
always @(posedge clk) begin
    if (!spec_watching) begin
        spec_watching <= spec_enters & spec_pick;
        spec_ahead    <= spec_inside - spec_leaves;
        spec_watched  <= in_data;
    end else if (spec_leaves) begin
        spec_watching <= |spec_ahead;
        spec_ahead    <= spec_ahead - 1;
    end
    if (rst) spec_watching <= 1'b0;
end
// Number of cycles for which something has been inside without being offered.
reg [1:0] spec_waits_q;
always @(posedge clk) spec_waits_q <= rst | `VALID_out | spec_inside == 0 ? 2'b00 : {spec_waits_q[0], 1'b1};
wire [1:0] spec_read = out_valid_q + aside_valid_q + fetched_valid_q;
wire spec_stored = spec_watching & spec_ahead >= spec_read;
wire [`WIDTH_head_q-1:0] spec_place = head_q + spec_ahead - spec_read;

always @* if (started && !rst) begin
    if (spec_watching && spec_ahead == 0 && `VALID_out) order: assert (out_data == spec_watched);
    if (spec_inside != 0 && spec_waits_q[1]) no_loss: assert (`VALID_out);
    if (spec_inside == 0) no_duplication: assert (!`VALID_out);
    if (spec_stored && spec_enters) no_overflow: assert (tail_q != spec_place);
    if (spec_has_place) takes: assert (`READY_in);
    if (spec_was_empty && spec_inside != 0) no_latency: assert (`VALID_out);
    counts: assert (spec_in_memory <= `DEPTH_beats && spec_inside >= spec_read && (out_valid_q || !aside_valid_q) && vacant_q == !out_valid_q &&
        full_q == (spec_in_memory == `DEPTH_beats) && empty_q == (spec_in_memory == 0) && tail_q == head_q + spec_in_memory[`WIDTH_head_q-1:0] &&
        ~not_before_head_q == head_q - 1'b1 && ~not_before_tail_q == tail_q - 1'b1);
    counts: assert (out_valid_q || spec_inside == 0 || !spec_waits_q[1] && (!spec_waits_q[0] || fetched_valid_q));
    in_memory: assert (!spec_watching || spec_ahead < spec_inside);
    if (spec_watching && aside_valid_q && spec_ahead == 1) in_memory: assert (aside_q == spec_watched);
    if (spec_watching && fetched_valid_q && spec_ahead == out_valid_q + aside_valid_q) in_memory: assert (fetched_q == spec_watched);
    if (spec_stored) in_memory: assert (beats[spec_place] == spec_watched);
end
