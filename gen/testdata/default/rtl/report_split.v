// report_split routes each report of the transmit side: to the requester, which completes its work, or to
// request_order, which starts Atomics after a Read that is answered. It is combinational.
//
// Built for streams 64.
`default_nettype none
module report_split (

    // report
    input  wire       report_valid,
    output wire       report_ready,
    input  wire [5:0] report_stream,  // number of the stream
    input  wire [2:0] report_kind,    // as in the command
    input  wire       report_final,   // last segment of its message
    input  wire       report_dropped, // 1: not sent because its stream has ended

    // sent: reports on commands of the requester
    output wire       sent_valid,
    input  wire       sent_ready,
    output wire [5:0] sent_stream,  // number of the stream
    output wire [2:0] sent_kind,    // as in the command
    output wire       sent_final,   // last segment of its message
    output wire       sent_dropped, // 1: not sent because its stream has ended

    output wire       read_done, // the last segment of a Read has been sent or dropped; in the order of the Reads

    // count
    output wire       count_segments, // a segment was sent
    output wire       count_messages, // it was the last of its message
    output wire       count_dropped   // a segment was dropped: its stream has ended
);
    wire is_request = report_kind == 3'd4;
    wire taken      = report_valid & (~is_request | sent_ready);
    assign sent_valid     = report_valid & is_request;
    assign sent_stream    = report_stream;
    assign sent_kind      = report_kind;
    assign sent_final     = report_final;
    assign sent_dropped   = report_dropped;
    wire is_read    = report_kind == 3'd0;
    assign read_done      = taken & report_final & is_read;
    assign report_ready   = taken;
    wire is_segment = taken & ~report_dropped & (report_kind != 3'd3);
    assign count_segments = is_segment;
    assign count_messages = is_segment & report_final;
    assign count_dropped  = taken & report_dropped;
endmodule
`default_nettype wire
