// request_segments: what is offered behind the pipeline keeps the order that the receive side and the arbiter rely on.
// depth 1
// bound 12

// property expected_first: the command of a Read or Atomic is offered only when the receive side has accepted one more than have left
// control expected_first: ~next_flags_abandons & ~waits; => ~next_flags_abandons;
always @* if (started && command_valid && next_flags_asks) expected_first: assert (announced_q != 0);
// property abandoned_behind_failures: no work request is abandoned while a failure waits to be accepted
// control abandoned_behind_failures: next_flags_abandons & ~first_failure_valid; => next_flags_abandons;
always @* if (started && abandoned_valid) abandoned_behind_failures: assert (!failed_valid);
// property command_or_abandoned: a command is never offered with an abandoned work request
// control command_or_abandoned: next_flags_valid & ~next_flags_abandons & ~waits; => next_flags_valid & ~waits;
always @* if (started) command_or_abandoned: assert (!(command_valid && abandoned_valid));
// property none_cut_at_opening: no segment enters the pipeline in a cycle with an opening
// control none_cut_at_opening: may_enter & ~opened; => may_enter;
always @* if (started && opened) none_cut_at_opening: assert (!fetch);

// invariant none_is_known: the flag says whether none is announced
always @* if (started) none_is_known: assert (none_announced_q == (announced_q == 0));
