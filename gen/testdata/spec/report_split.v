// Each report goes to its receiver once, and is counted once.
// depth 1
// bound 3

// property once: a report is accepted exactly when all its receivers accept it
// control once: (~report_is_request | sent_ready) => 1'b1
// control once: (~report_ends_read | read_over_ready) => 1'b1
// property concerns: the requester gets the reports of its own messages, and no others
// control concerns: sent_valid = report_valid & report_is_request => sent_valid = report_valid
// property as_it_was: the requester gets the report unchanged
// control as_it_was: sent_stream = report_stream => sent_stream = ~report_stream
// property request_is_over: request_order gets the stream of each last segment of a response that ends a request, such as a Read, and nothing else; if it was
// dropped, and the executor keeps its request until it is over, request_order is told to stop the stream instead
// control request_is_over: report_ends_read = report_final & => report_ends_read =
// control request_is_over: read_over_stream = report_stream => read_over_stream = ~report_stream
// property counts: an accepted report is counted once, as a sent or a dropped segment; a close that was not dropped is not counted
// control counts: report_taken & ~report_dropped => report_taken

wire spec_accepted = report_valid & report_ready;
wire spec_ends = |{`EACH_SENT(report_valid && report_final && report_kind == `SEND_@@)};
wire spec_stops = `HAS_stop_valid && spec_ends && report_dropped && !{`EACH_REPORTER(report_kind == `SEND_@@)}; // instead of being over
wire spec_stop_ready; // no stop waits for its receiver
generate if (`HAS_stop_valid) begin
    assign spec_stop_ready = ~stop_valid | stop_ready;
    always @* if (started && !rst) request_is_over: assert (stop_valid == spec_stops && (!stop_valid || stop_stream == report_stream));
end else assign spec_stop_ready = 1'b1; endgenerate

always @* if (started && !rst) begin
    if (report_valid) once: assert (report_ready == &{spec_stop_ready, ~sent_valid | sent_ready, `EACH_REPORTER(~@_over_valid | @_over_ready)});
    concerns: assert (sent_valid == (report_valid && report_kind == `SEND_MESSAGE));
    if (sent_valid) as_it_was: assert (`DATA_sent == `DATA_report);
    request_is_over: assert ({`EACH_REPORTER(@_over_valid)} == (spec_ends && !spec_stops));
    request_is_over: assert (&{`EACH_REPORTER(~@_over_valid | @_over_stream == report_stream)});
    counts: assert (count_dropped == (spec_accepted && report_dropped) &&
        count_segments == (spec_accepted && !report_dropped && report_kind != `SEND_CLOSE) &&
        count_messages == (spec_accepted && !report_dropped && report_kind != `SEND_CLOSE && report_final));
end
