// report_split sends each report of the transmit side to whom it concerns: the requester, which completes its work,
// or request_order, which lets Atomics go on behind a Read that is answered. It is combinational.
//
// Built for streams 2.
`default_nettype none
module report_split (

    // report
    input  wire       report_valid,
    output wire       report_ready,
    input  wire       report_stream,
    input  wire [2:0] report_kind,
    input  wire       report_final,
    input  wire       report_dropped,

    // sent
    output wire       sent_valid,
    input  wire       sent_ready,
    output wire       sent_stream,
    output wire [2:0] sent_kind,
    output wire       sent_final,
    output wire       sent_dropped,

    output wire       read_done,

    // count
    output wire       count_segments,
    output wire       count_messages,
    output wire       count_dropped
);
    wire is_request = report_kind == 3'd4;
    wire is_read    = report_kind == 3'd1;
    wire taken      = report_valid & (~is_request | sent_ready);
    assign sent_valid     = report_valid & is_request;
    assign sent_stream    = report_stream;
    assign sent_kind      = report_kind;
    assign sent_final     = report_final;
    assign sent_dropped   = report_dropped;
    assign read_done      = taken & report_final & is_read;
    assign report_ready   = taken;
    wire is_segment = taken & ~report_dropped & (report_kind != 3'd3);
    assign count_segments = is_segment;
    assign count_messages = is_segment & report_final;
    assign count_dropped  = taken & report_dropped;
endmodule
`default_nettype wire
