// Each report goes to whom it concerns, once, and counts once.
// depth 1
// bound 3

// property once: a report is over when, and only when, whom it concerns has taken it, if it concerns anyone
// control once: ~is_request | sent_ready => ~is_read | sent_ready
// property concerns: the requester is told of what it sent, and of nothing else
// control concerns: sent_valid = report_valid & is_request => sent_valid = report_valid
// property as_it_was: what is told is the report's
// control as_it_was: sent_stream = report_stream => sent_stream = ~report_stream
// property read_is_done: the last segment of a Read's answer is told of once, in the clock in which its report is over
// control read_is_done: taken & report_final & is_read => report_final & is_read
// property counts: a report that is over counts once, as a segment that left or as one that was dropped, but for that of a Shut
// control counts: taken & ~report_dropped => taken

wire spec_over = report_valid & report_ready;

always @* if (started && !rst) begin
    if (report_valid) once: assert (report_ready == (~sent_valid | sent_ready));
    concerns: assert (sent_valid == (report_valid && report_kind == 3'd4));
    if (sent_valid) as_it_was: assert (`DATA_sent == `DATA_report);
    read_is_done: assert (read_done == (spec_over && report_final && report_kind == 3'd0));
    counts: assert (count_dropped == (spec_over && report_dropped) &&
        count_segments == (spec_over && !report_dropped && report_kind != 3'd3) &&
        count_messages == (spec_over && !report_dropped && report_kind != 3'd3 && report_final));
end
