// Every block gets every opening once, unchanged. The next opening is offered at least 32 cycles later, when all blocks have the first.
// depth 1
// bound 36

// property once: no block is offered an opening that it has already accepted
// control once: offers & ~taken_check_q => offers
// property no_idle: after the pause, a block that has not accepted the opening is offered it, whatever the other blocks do
// control no_idle: offers & ~taken_ring_q => offers & ~taken_ring_q & taken_work_q
// property no_loss: an opening is accepted in the cycle after every block has accepted it
// control no_loss: & taken_ring_q &  => & 
// property as_it_was: the opening is offered unchanged
// control as_it_was: assign work_open = in_open => assign work_open = ~in_open
// property pause: no block is offered an opening in the 31 cycles after one
// control pause: pause_q <= 5'd31 => pause_q <= 5'd30
// invariant told: the registers record which blocks have accepted the opening
// invariant counts: the pause ends 31 cycles after an opening

wire [6:0] spec_valid = {check_valid, delivery_valid, order_valid, tx_valid, work_valid, ring_valid, failures_valid};
wire [6:0] spec_ready = {check_ready, delivery_ready, order_ready, tx_ready, work_ready, ring_ready, failures_ready};
wire [6:0] spec_told  = {taken_check_q, taken_delivery_q, taken_order_q, taken_tx_q, taken_work_q, taken_ring_q, taken_failures_q};
reg  [6:0] spec_has; // blocks that have accepted the opening
wire [6:0] spec_then = spec_has | spec_valid & spec_ready;
always @(posedge clk) spec_has <= (rst | in_valid & in_ready) ? 7'd0 : spec_then;

reg  [4:0] spec_since; // cycles since an opening, up to 31
always @(posedge clk) spec_since <= rst ? 5'd31 : in_valid & in_ready ? 5'd0 : spec_since == 5'd31 ? 5'd31 : spec_since + 5'd1;
wire spec_over = spec_since == 5'd31;

always @* if (started && !rst) begin
    once: assert (!(spec_valid & spec_has));
    if (in_valid && spec_over) no_idle: assert (&(spec_valid | spec_has));
    if (in_valid) no_loss: assert (in_ready == (spec_over && &spec_has));
    if (!in_valid) no_loss: assert (spec_then == 7'd0);
    as_it_was: assert (`DATA_check == `DATA_in && `DATA_delivery == `DATA_in && `DATA_order == `DATA_in && `DATA_tx == `DATA_in &&
        `DATA_work == `DATA_in && `DATA_ring == `DATA_in && `DATA_failures == `DATA_in);
    if (!spec_over) pause: assert (spec_valid == 7'd0);
    counts: assert (pause_q == 5'd31 - spec_since && rests_q == (pause_q != 0));
    told: assert (spec_told == spec_has);
end
