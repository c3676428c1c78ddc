// Every beat leaves the FIFO once, in order and unchanged. The properties watch an arbitrary beat, so what holds for it holds
// for all.

// depth 1
// bound 6
// property order: the watched beat leaves unchanged, after those that entered before it
// control order: fetched_q <= beats[head_q] => fetched_q <= beats[tail_q]
// property no_loss: while a beat is inside, it or an earlier one is offered
// control no_loss: <= fetch | pass => <= fetch
// property no_duplication: nothing is offered when nothing is inside
// control no_duplication: <= fetch | pass => <= fetch | pass | out_valid_q
// property no_overflow: the watched beat is not overwritten
// control no_overflow: tail_q <=  => tail_q <= head_q & 
// property takes: a beat is accepted whenever the memory has room
// control takes: in_ready = ~full_q => in_ready = ~full_q & empty_q
// invariant counts: the registers agree with the number of beats inside
// invariant in_memory: the watched beat is one of those inside, and is stored unchanged in its place

wire spec_enters = `VALID_in & `READY_in;
wire spec_leaves = `VALID_out & `READY_out;
reg [15:0] spec_inside;
wire spec_has_place = spec_inside <= `DEPTH_beats;
wire [15:0] spec_in_memory = spec_inside - out_valid_q;
always @(posedge clk) spec_inside <= rst ? 0 : spec_inside + spec_enters - spec_leaves;

// The first four places of memory, for a parent whose FIFO has no more.
wire [4*`WIDTH_in_data-1:0] spec_places = {beats[3 % `DEPTH_beats], beats[2 % `DEPTH_beats], beats[1], beats[0]};

// The first eight places.
wire [8*`WIDTH_in_data-1:0] spec_eight_places = {beats[7 % `DEPTH_beats], beats[6 % `DEPTH_beats], beats[5 % `DEPTH_beats], beats[4 % `DEPTH_beats],
    spec_places};

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
wire [`WIDTH_head_q-1:0] spec_place = head_q + spec_ahead - 1'b1;
wire spec_stored = spec_watching & |spec_ahead;

always @* if (started && !rst) begin
    if (spec_watching && spec_ahead == 0) order: assert (`VALID_out && out_data == spec_watched);
    if (spec_inside != 0) no_loss: assert (`VALID_out);
    if (spec_inside == 0) no_duplication: assert (!`VALID_out);
    if (spec_stored && spec_enters) no_overflow: assert (tail_q != spec_place);
    if (spec_has_place) takes: assert (`READY_in);
    counts: assert (spec_in_memory <= `DEPTH_beats && (out_valid_q || spec_in_memory == 0) &&
        full_q == (spec_in_memory == `DEPTH_beats) && empty_q == (spec_in_memory == 0) &&
        tail_q == head_q + spec_in_memory[`WIDTH_head_q-1:0] &&
        ~not_before_head_q == head_q - 1'b1 && ~not_before_tail_q == tail_q - 1'b1);
    in_memory: assert (!spec_watching || spec_ahead < spec_inside);
    if (spec_stored) in_memory: assert (beats[spec_place] == spec_watched);
end
