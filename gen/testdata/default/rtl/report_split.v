// report_split routes each report of the transmit side: to the requester, which completes its work, or to
// request_order, which starts other requests after a Read that is answered. It is combinational.
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

    // sent: what the requester sent
    output wire       sent_valid,
    input  wire       sent_ready,
    output wire [5:0] sent_stream,  // number of the stream
    output wire [2:0] sent_kind,    // as in the command
    output wire       sent_final,   // last segment of its message
    output wire       sent_dropped, // 1: not sent because its stream has ended

    // read_over
    output wire       read_over_valid,
    input  wire       read_over_ready,
    output wire [5:0] read_over_stream, // number of the stream

    // count
    output wire       count_segments, // a segment left
    output wire       count_messages, // it was the last of its message
    output wire       count_dropped   // a segment was dropped: its stream has ended
);
    wire is_request = report_kind == 3'd2;
    wire ends_read  = report_final & (report_kind == 3'd3);
    wire taken      = report_valid & (~is_request | sent_ready) & (~ends_read | read_over_ready);
    assign sent_valid       = report_valid & is_request;
    assign sent_stream      = report_stream;
    assign sent_kind        = report_kind;
    assign sent_final       = report_final;
    assign sent_dropped     = report_dropped;
    assign read_over_valid  = report_valid & ends_read;
    assign read_over_stream = report_stream;
    assign report_ready     = taken;
    wire is_segment = taken & ~report_dropped & (report_kind != 3'd1);
    assign count_segments   = is_segment;
    assign count_messages   = is_segment & report_final;
    assign count_dropped    = taken & report_dropped;
endmodule
`default_nettype wire
