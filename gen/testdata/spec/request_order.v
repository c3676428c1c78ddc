// request_order: what request_turns allows leaves once, by one way, and nothing of a stream starts once its STag was lost. Which requests may start
// is proven of request_turns; whole streams are compared in tests.
// depth 1
// bound 8

// property one_way: a request starts, ends its stream or is stopped, and never two of these
// control one_way: is_request & ~is_end & ~has_failed & stag_is_lost_3_q => is_request & ~is_end & ~has_failed
// property lost_does_not_start: a request whose STag is gone does not start
// control lost_does_not_start: is_request & ~is_end & ~has_failed & ~stag_is_lost_3_q => is_request & ~is_end & ~has_failed
// property failed_does_not_start: nothing of a stream that has failed starts but its end
// control failed_does_not_start: is_request & ~is_end & ~has_failed & ~stag_is_lost_3_q => is_request & ~is_end & ~stag_is_lost_3_q
// property looked_up: the row of the STag is looked up for each request that enters
// control looked_up: assign recheck_enable = valid_1_q => assign recheck_enable = valid_1_q & chosen_1_q[0]
// property chosen_once: one request is chosen in a cycle, of a turn that has one
// control chosen_once: kind_granted   = kind_asking & kind_turn_q => kind_granted   = kind_asking

reg spec_entered_q;
always @(posedge clk) spec_entered_q <= chooses && !rst;
always @* if (started && !rst) begin
    one_way: assert ((starts + fails + 2'd0) <= 1);
    if (starts) lost_does_not_start: assert (!stag_is_lost_3_q);
    if (starts) failed_does_not_start: assert (!has_failed);
    if (spec_entered_q) looked_up: assert (recheck_enable);
    chosen_once: assert ((kind_granted & (kind_granted - 1'b1)) == 0);
end
// invariant one_turn: one kind has its turn
always @* if (started) one_turn: assert (kind_turn_q != 0 && (kind_turn_q & (kind_turn_q - 1'b1)) == 0);
