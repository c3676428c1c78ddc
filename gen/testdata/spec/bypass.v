// Every beat leaves once, in order and unchanged, whether through the FIFO or past it. The watched beat is the one watched in the FIFO.
// depth 1
// bound 6

// property order: the watched beat leaves unchanged, after those that entered before it
// control order: buffer_is_empty ? => ~in_valid ?
// property no_loss: while a beat is inside, it or an earlier one is offered
// control no_loss: ~(buffer_is_empty & out_ready) => buffer_is_empty & ~out_ready
// property no_duplication: only beats that are inside or arrive in this cycle are offered
// control no_duplication: ~(buffer_is_empty & out_ready) => 1'b1
// property no_latency: a beat that arrives when nothing is inside is offered in the same cycle
// control no_latency: buffer_waiting_valid | in_valid => buffer_waiting_valid
// property takes: a beat is accepted whenever the memory has room
// control takes: = buffer_stored_ready => = buffer_stored_ready & buffer_is_empty
// invariant same: the FIFO watches the same beat

wire spec_enters = in_valid & in_ready;
wire spec_leaves = out_valid & out_ready;
(* hierconn *) wire [15:0] \buffer.spec_inside ;
(* hierconn *) wire \buffer.spec_has_place ;
(* hierconn *) wire \buffer.spec_pick ;
(* hierconn *) wire \buffer.spec_watching ;
(* hierconn *) wire [15:0] \buffer.spec_ahead ;
(* hierconn *) wire [`WIDTH_out_data-1:0] \buffer.spec_watched ;
reg [15:0] spec_inside;
always @(posedge clk) spec_inside <= rst ? 0 : spec_inside + spec_enters - spec_leaves;

reg spec_watching;
reg [15:0] spec_ahead; // beats that leave before the watched one
reg [`WIDTH_out_data-1:0] spec_watched;
wire spec_stays = spec_enters & ~(spec_leaves & spec_inside == 0);
always @(posedge clk) begin
    if (!spec_watching) begin
        spec_watching <= spec_stays & \buffer.spec_pick ;
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
    if (\buffer.spec_has_place ) takes: assert (in_ready);
    same: assert (spec_inside == \buffer.spec_inside && spec_watching == \buffer.spec_watching &&
        (!spec_watching || spec_ahead == \buffer.spec_ahead && spec_watched == \buffer.spec_watched ));
end
