// The beats of both sides leave once, unchanged; neither side is starved.
// depth 1
// bound 6

// property no_grant_without_request: a side's beat is accepted only if it is valid
// control no_grant_without_request: free & pick_b => free
// property one_grant: at most one side's beat is accepted per cycle
// control one_grant: free & ~pick_b => free
// property no_idle: when the output is free and a side has a beat, one is accepted
// control no_idle: free & pick_b => free & pick_b & a_valid
// property no_loss: an accepted beat is offered in the next cycle, unchanged
// control no_loss: pick_b ? b_data => ~pick_b ? b_data
// property no_duplication: nothing is offered when all accepted beats have left
// control no_duplication: out_valid_q <= any => out_valid_q <= any | out_valid_q
// property order: a beat is accepted only if the previous one has left or leaves in this cycle
// control order: ~out_valid_q | out_ready => 1'b1
// property fair: a waiting beat is passed over at most once
// control fair: (b_turn_q | ~a_valid) => ~a_valid
// invariant turn: a side that was passed over is next

wire spec_takes_a = `VALID_a & `READY_a;
wire spec_takes_b = `VALID_b & `READY_b;
wire spec_leaves  = `VALID_out & `READY_out;
reg  spec_inside, spec_passed_a, spec_passed_b;
reg  [`WIDTH_picked-1:0] spec_taken;
always @(posedge clk) begin
    if (spec_takes_a | spec_takes_b) spec_taken <= spec_takes_a ? `DATA_a : `DATA_b;
    spec_inside   <= ~rst & (spec_takes_a | spec_takes_b | spec_inside & ~spec_leaves);
    spec_passed_a <= ~rst & `VALID_a & ~spec_takes_a & (spec_passed_a | spec_takes_b);
    spec_passed_b <= ~rst & `VALID_b & ~spec_takes_b & (spec_passed_b | spec_takes_a);
end

always @* if (started && !rst) begin
    if (`READY_b) no_grant_without_request: assert (`VALID_b);
    one_grant: assert (!(`READY_a & `READY_b));
    if ((`VALID_a | `VALID_b) & (~`VALID_out | `READY_out)) no_idle: assert (spec_takes_a | spec_takes_b);
    if (spec_inside) no_loss: assert (`VALID_out && `DATA_out == spec_taken);
    if (!spec_inside) no_duplication: assert (!`VALID_out);
    if (spec_takes_a | spec_takes_b) order: assert (!spec_inside | spec_leaves);
    fair: assert (!(spec_passed_a & spec_takes_b) && !(spec_passed_b & spec_takes_a));
    turn: assert (!(spec_passed_a & b_turn_q) && !(spec_passed_b & ~b_turn_q));
end
