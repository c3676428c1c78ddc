// tx_builder sends segments in order, without a gap between header and payload or between segments. The first beat
// leaves one cycle after the segment arrives, if nothing is ahead of it and all its payload is present.
//
// A stream is open, failed or ended. A segment of a stream that is not open is dropped with its payload, except the
// end of a failed stream, sent or silent. If memory reported an error for a payload, the segment is dropped, the
// stream fails, and a failure is reported. The same holds for an Atomic Response without octets, which stands for a
// word that memory did not deliver. Either kind of end ends a stream. A dropped segment takes as many cycles as it
// has beats. Each segment is reported when its last beat is accepted or dropped; one without octets sends nothing.
// The last segment of a response is also reported to the receive side in the next cycle, however long its report
// waits: a peer that has the response may ask again.
//
// After reset every stream is ended, one per cycle, before the first segment or opening is accepted. An opening waits
// while the end of a stream is recorded.
//
// Built for bus_bytes 64, max_payload 1024, streams 64.
`default_nettype none
module tx_builder (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // segment
    input  wire         segment_valid,
    output wire         segment_ready,
    input  wire [5:0]   segment_stream,         // number of the stream
    input  wire [2:0]   segment_kind,           // as in the command
    input  wire         segment_final,          // last segment of its message
    input  wire [31:0]  segment_number,         // number of the answered request
    input  wire [6:0]   segment_header_length,  // octets of the header
    input  wire [559:0] segment_header,         // octet i in [8i+7:8i]; 0 from header_length on
    input  wire [15:0]  segment_payload_length, // octets

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

    // payload
    input  wire         payload_valid,
    output wire         payload_ready,
    input  wire [511:0] payload_data,  // octets at their place in the segment, others 0

    // arrived
    input  wire         arrived_valid,
    output wire         arrived_ready,
    input  wire         arrived_failed, // 1: memory reported an error for the payload

    // m_axis_tx
    output wire         m_axis_tx_tvalid,
    input  wire         m_axis_tx_tready,
    output wire [511:0] m_axis_tx_tdata,  // octets; octet 0 in [7:0]
    output wire [63:0]  m_axis_tx_tkeep,  // valid octets, contiguous from octet 0; all of them except in the last beat
    output wire         m_axis_tx_tlast,  // last beat of the packet
    output wire [5:0]   m_axis_tx_tuser,  // number of the stream, the same in all beats of a packet

    // report
    output wire         report_valid,
    input  wire         report_ready,
    output wire [5:0]   report_stream,  // number of the stream
    output wire [2:0]   report_kind,    // as in the command
    output wire         report_final,   // last segment of its message
    output wire         report_dropped, // 1: not sent because its stream has ended

    // credit: a request of the peer that has been answered
    output wire         credit_valid,
    input  wire         credit_ready,
    output wire [5:0]   credit_stream, // number of the stream
    output wire [31:0]  credit_number, // number of the answered request

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    output wire         running  // every stream has been closed after reset
);
    wire        reported_valid;
    wire        reported_ready;
    wire [5:0]  reported_stream;
    wire [2:0]  reported_kind;
    wire        reported_final;
    wire        reported_dropped;
    wire        failure_valid;
    wire        failure_ready;
    wire [5:0]  failure_stream;
    wire        failure_fault;
    wire        credited_valid;
    wire        credited_ready;
    wire [5:0]  credited_stream;
    wire [31:0] credited_number;
    wire        done;

    // ---- Take a segment, and look up the condition of its stream
    reg [5:0] sweep_q;
    reg       swept_q;

    always @(posedge clk) begin
        if (~swept_q) begin
            sweep_q <= sweep_q + 6'd1;
            if (&sweep_q) begin
                swept_q <= 1'b1;
            end
        end
        if (rst) begin
            sweep_q <= 6'd0;
            swept_q <= 1'b0;
        end
    end

    assign running       = swept_q;
    reg         valid_q;
    reg  [5:0]  stream_q;
    reg  [2:0]  kind_q;
    reg         final_q;
    reg  [31:0] number_q;
    wire        free = swept_q & (~valid_q | done);
    wire        take = segment_valid & free;
    assign segment_ready = free;

    always @(posedge clk) begin
        if (free) begin
            valid_q <= segment_valid;
        end
        if (take) begin
            stream_q <= segment_stream;
            kind_q   <= segment_kind;
            final_q  <= segment_final;
            number_q <= segment_number;
        end
        if (rst) begin
            valid_q <= 1'b0;
        end
    end

    localparam [1:0] STREAM_OPEN   = 2'd0;
    localparam [1:0] STREAM_FAILED = 2'd1;
    localparam [1:0] STREAM_ENDED  = 2'd2;
    reg  [1:0] conditions [0:63];
    reg  [1:0] condition_old_q;
    reg  [1:0] condition_new_q;
    reg        condition_is_new_q;
    wire [1:0] condition = condition_is_new_q ? condition_new_q : condition_old_q;

    // ---- Is it sent?
    reg carries_q;
    reg empty_q;
    localparam [2:0] SEND_END   = 3'd2;
    localparam [2:0] SEND_CLOSE = 3'd3;
    wire is_end      = (kind_q == SEND_END) | (kind_q == SEND_CLOSE);
    wire is_response = kind_q < SEND_END;
    wire passes      = (condition == STREAM_OPEN) | ((condition == STREAM_FAILED) & is_end);
    wire is_hollow   = empty_q & is_response;
    wire lost        = is_hollow | (carries_q & arrived_failed);
    wire dropped     = ~passes | lost;

    // ---- Its beats: the rest of the header, then the payload
    wire [10:0] total_octets = segment_payload_length[10:0] + {4'd0, segment_header_length};
    wire [10:0] rounded_up   = total_octets + 11'd63;
    reg  [559:0] header_q;
    reg  [4:0]   beats_left_q;
    reg  [5:0]   last_octets_q;
    wire         last          = beats_left_q <= 5'd1;
    reg          beats_before_payload_q;
    wire         takes_payload = carries_q & ~beats_before_payload_q;
    wire [511:0] data          = header_q[511:0] | (payload_data & {512{takes_payload}});
    wire [63:0]  keep          = last ? ({64{1'b1}} >> (6'd0 - last_octets_q)) : {64{1'b1}};
    wire         step;
    wire         silent        = dropped | empty_q;
    // The last beat waits until its report has room.
    wire completes_response = final_q & is_response;
    wire room               =
        reported_ready & (~lost | failure_ready) & (~completes_response | credited_ready);
    wire able               =
        valid_q & (~carries_q | arrived_valid) & (~takes_payload | payload_valid) & (~last | room);
    assign step = able & (silent | m_axis_tx_tready);
    assign done = step & last;

    always @(posedge clk) begin
        if (take) begin
            empty_q                <= ~|total_octets;
            header_q               <= segment_header;
            beats_left_q           <= rounded_up[10:6];
            last_octets_q          <= total_octets[5:0];
            carries_q              <= |segment_payload_length[10:0];
            beats_before_payload_q <= segment_header_length[6];
        end else if (step) begin
            header_q     <= {512'd0, header_q[559:512]};
            beats_left_q <= beats_left_q - 5'd1;
            if (beats_before_payload_q) begin
                beats_before_payload_q <= beats_before_payload_q - 1'b1;
            end
        end
    end

    assign payload_ready    = step & takes_payload;
    assign arrived_ready    = done & carries_q;
    assign m_axis_tx_tvalid = able & ~silent;
    assign m_axis_tx_tdata  = data;
    assign m_axis_tx_tkeep  = keep;
    assign m_axis_tx_tlast  = last;
    assign m_axis_tx_tuser  = stream_q;

    // ---- Report
    wire        fails = done & passes & lost;
    assign reported_valid   = done;
    assign reported_stream  = stream_q;
    assign reported_kind    = kind_q;
    assign reported_final   = final_q;
    assign reported_dropped = dropped;
    assign failure_valid    = fails;
    assign failure_stream   = stream_q;
    assign failure_fault    = 1'b0;
    assign credited_valid   = done & completes_response;
    assign credited_stream  = stream_q;
    assign credited_number  = number_q;
    wire [10:0] reports_out;
    assign report_stream    = reports_out[10:5];
    assign report_kind      = reports_out[4:2];
    assign report_final     = reports_out[1];
    assign report_dropped   = reports_out[0];

    fifo #(.WIDTH(11), .DEPTH(2)) reports (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (reported_valid),
        .in_ready  (reported_ready),
        .in_data   ({reported_stream, reported_kind, reported_final, reported_dropped}),
        .out_valid (report_valid),
        .out_ready (report_ready),
        .out_data  (reports_out)
    );

    wire [37:0] credits_out;
    assign credit_stream = credits_out[37:32];
    assign credit_number = credits_out[31:0];

    fifo #(.WIDTH(38), .DEPTH(2)) credits (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (credited_valid),
        .in_ready  (credited_ready),
        .in_data   ({credited_stream, credited_number}),
        .out_valid (credit_valid),
        .out_ready (credit_ready),
        .out_data  (credits_out)
    );

    wire [6:0] failures_out;
    assign failed_stream = failures_out[6:1];
    assign failed_fault  = failures_out[0];

    fifo #(.WIDTH(7), .DEPTH(2)) failures (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (failure_valid),
        .in_ready  (failure_ready),
        .in_data   ({failure_stream, failure_fault}),
        .out_valid (failed_valid),
        .out_ready (failed_ready),
        .out_data  (failures_out)
    );

    // ---- Changes of condition: the end or failure of the stream, an opening
    wire       ends             = done & passes & is_end;
    wire       changes          = ends | fails;
    assign opening_ready = swept_q & ~changes;
    wire       write_conditions = ~swept_q | ends | fails | opening_valid;
    wire [5:0] conditions_row   =
        ~swept_q ? sweep_q :
        ends     ? stream_q :
        fails    ? stream_q :
                   opening_stream;
    wire [1:0] conditions_word  =
        ~swept_q     ? STREAM_ENDED :
        ends         ? STREAM_ENDED :
        fails        ? STREAM_FAILED :
        opening_open ? STREAM_OPEN :
                       STREAM_ENDED;

    always @(posedge clk) begin
        if (write_conditions) begin
            conditions[conditions_row] <= conditions_word;
        end
        if (take) begin
            condition_old_q <= conditions[segment_stream];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            condition_is_new_q <= write_conditions & (conditions_row == segment_stream);
            condition_new_q    <= conditions_word;
        end
    end

    // Not read:
    // segment_payload_length[15:11]: at most MaxPayload
    // rounded_up[5:0]: rounded up to whole beats
    // opening_domain: checked on receive
    wire unused = &{1'b0, segment_payload_length[15:11], rounded_up[5:0], opening_domain};
endmodule
`default_nettype wire
