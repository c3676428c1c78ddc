// Every block gets every opening once, as it is, and the next one comes when all have it.
// depth 1
// bound 5

// property once: no block is given an opening that it has taken
// control once: in_valid & ~taken_check_q => in_valid
// property no_idle: a block that did not take the opening is offered it, whatever the others do
// control no_idle: in_valid & ~taken_ring_q => in_valid & ~taken_ring_q & taken_work_q
// property no_loss: an opening is over when every block has taken it, and then at once
// control no_loss: & takes_ring &  => & 
// property as_it_was: what is on offer is the opening
// control as_it_was: assign work_open = in_open => assign work_open = ~in_open
// invariant told: the registers know who has taken it

wire [6:0] spec_valid = {check_valid, delivery_valid, order_valid, tx_valid, work_valid, ring_valid, failures_valid};
wire [6:0] spec_ready = {check_ready, delivery_ready, order_ready, tx_ready, work_ready, ring_ready, failures_ready};
wire [6:0] spec_told  = {taken_check_q, taken_delivery_q, taken_order_q, taken_tx_q, taken_work_q, taken_ring_q, taken_failures_q};
reg  [6:0] spec_has; // who has taken the opening
wire [6:0] spec_then = spec_has | spec_valid & spec_ready;
always @(posedge clk) spec_has <= (rst | in_valid & in_ready) ? 7'd0 : spec_then;

always @* if (started && !rst) begin
    once: assert (!(spec_valid & spec_has));
    if (in_valid) no_idle: assert (&(spec_valid | spec_has));
    if (in_valid) no_loss: assert (in_ready == &spec_then);
    if (!in_valid) no_loss: assert (spec_then == 7'd0);
    as_it_was: assert (`DATA_check == `DATA_in && `DATA_delivery == `DATA_in && `DATA_order == `DATA_in && `DATA_tx == `DATA_in &&
        `DATA_work == `DATA_in && `DATA_ring == `DATA_in && `DATA_failures == `DATA_in);
    told: assert (spec_told == spec_has);
end
