// What enters leaves once, in order, as it was, also past the FIFO. One beat is watched on its way, the same as in the FIFO.
// depth 1
// bound 6

// property order: the watched beat leaves when those that entered before it have left, with the value that it had
// control order: beats_is_empty ? => ~in_valid ?
// property no_loss: a beat that entered and did not leave is on offer, or one that entered before it is
// control no_loss: ~(beats_is_empty & out_ready) => beats_is_empty & ~out_ready
// property no_duplication: nothing is on offer but what is inside and what comes in this clock
// control no_duplication: ~(beats_is_empty & out_ready) => 1'b1
// property no_latency: a beat that finds it empty is on offer in the clock in which it comes
// control no_latency: beats_waiting_valid | in_valid => beats_waiting_valid
// property takes: a beat is taken as long as there is a place in memory
// control takes: = beats_stored_ready => = beats_stored_ready & beats_is_empty
// invariant same: the FIFO watches the same beat

wire spec_enters = in_valid & in_ready;
wire spec_leaves = out_valid & out_ready;
(* hierconn *) wire [15:0] \beats.spec_inside ;
(* hierconn *) wire \beats.spec_has_place ;
(* hierconn *) wire \beats.spec_pick ;
(* hierconn *) wire \beats.spec_watching ;
(* hierconn *) wire [15:0] \beats.spec_ahead ;
(* hierconn *) wire [`WIDTH_out_data-1:0] \beats.spec_watched ;
reg [15:0] spec_inside;
always @(posedge clk) spec_inside <= rst ? 0 : spec_inside + spec_enters - spec_leaves;

reg spec_watching;
reg [15:0] spec_ahead; // beats that leave before the watched one
reg [`WIDTH_out_data-1:0] spec_watched;
wire spec_stays = spec_enters & ~(spec_leaves & spec_inside == 0);
always @(posedge clk) begin
    if (!spec_watching) begin
        spec_watching <= spec_stays & \beats.spec_pick ;
        spec_ahead    <= spec_inside - spec_leaves;
        spec_watched  <= `DATA_in;
    end else if (spec_leaves) begin
        spec_watching <= |spec_ahead;
        spec_ahead    <= spec_ahead - 1;
    end
    if (rst) spec_watching <= 1'b0;
end

always @* if (started && !rst) begin
    if (spec_watching && spec_ahead == 0) order: assert (out_valid && out_data == spec_watched);
    if (spec_inside == 0 && spec_leaves) order: assert (spec_enters && out_data == `DATA_in);
    if (spec_inside != 0) no_loss: assert (out_valid);
    if (spec_inside == 0) no_duplication: assert (out_valid == in_valid);
    if (spec_inside == 0 && in_valid) no_latency: assert (out_valid && out_data == `DATA_in);
    if (\beats.spec_has_place ) takes: assert (in_ready);
    same: assert (spec_inside == \beats.spec_inside && spec_watching == \beats.spec_watching &&
        (!spec_watching || spec_ahead == \beats.spec_ahead && spec_watched == \beats.spec_watched ));
end
