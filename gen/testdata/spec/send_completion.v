// send_completion: updates are counted one at a time, an end behind the responses before it.
// depth 1
// bound 12

// property one_update: at most one update is taken in a cycle
// control one_update: begins_q & ~tries_opening_q => begins_q
always @* if (started) one_update: assert (tries_opening_q + takes_response + takes_end + takes_report + takes_abandoned <= 3'd1);
// property end_behind_responses: an end is taken only when no response waits
// control end_behind_responses: listens & end_valid & ~response_valid => listens & end_valid
always @* if (started && takes_end) end_behind_responses: assert (!response_valid);
// property turn_is_counted: progress of a stream is written only at the end of its turn
// control turn_is_counted: turn_ends = walk_valid_4_q & last_4_q => turn_ends = walk_valid_4_q
always @* if (started && turn_ends) turn_is_counted: assert (last_4_q && walk_valid_4_q);
