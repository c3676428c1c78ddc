// tx_builder sends segments in order, without a gap between header and payload or between segments. The first beat
// leaves one cycle after the segment arrives, if nothing is ahead of it and all its payload is present. Straight ones
// are only taken when nothing is sent.
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
// Built for bus_bytes 64, max_payload 1024, streams 64, ird 8.
`default_nettype none
module tx_builder (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // segment
    input  wire         segment_valid,
    output wire         segment_ready,
    input  wire [5:0]   segment_stream,        // number of the stream
    input  wire [2:0]   segment_kind,          // as in the command
    input  wire         segment_final,         // last segment of its message
    input  wire [4:0]   segment_number,        // number of the answered request
    input  wire [6:0]   segment_header_length, // octets of the header
    input  wire [559:0] segment_header,        // octet i in [8i+7:8i]; 0 from header_length on
    input  wire         segment_carries,       // payload follows the header
    input  wire [4:0]   segment_beats,         // beats of header and payload
    input  wire         segment_short,         // one beat at most
    input  wire [5:0]   segment_ends,          // octets of the last beat; 0: all

    // straight: a segment when no other waits
    input  wire         straight_valid,
    output wire         straight_ready,
    input  wire [5:0]   straight_stream,        // number of the stream
    input  wire [2:0]   straight_kind,          // as in the command
    input  wire         straight_final,         // last segment of its message
    input  wire [4:0]   straight_number,        // number of the answered request
    input  wire [6:0]   straight_header_length, // octets of the header
    input  wire [559:0] straight_header,        // octet i in [8i+7:8i]; 0 from header_length on
    input  wire         straight_carries,       // payload follows the header
    input  wire [4:0]   straight_beats,         // beats of header and payload
    input  wire         straight_short,         // one beat at most
    input  wire [5:0]   straight_ends,          // octets of the last beat; 0: all

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
    output wire         report_asks,    // 1: a message of the requester that has a response, a Read or an Atomic

    // credit: a request of the peer that has been answered
    output wire         credit_valid,
    input  wire         credit_ready,
    output wire [5:0]   credit_stream, // number of the stream
    output wire [4:0]   credit_number, // of the answered request

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    output wire         running  // every stream has been closed after reset
);
    reg  [5:0] reported_stream_q;
    reg  [2:0] reported_kind_q;
    reg        reported_final_q;
    reg        reported_dropped_q;
    reg        reported_asks_q;
    reg        reported_valid_q;
    reg  [5:0] reported_kept_stream_q;
    reg  [2:0] reported_kept_kind_q;
    reg        reported_kept_final_q;
    reg        reported_kept_dropped_q;
    reg        reported_kept_asks_q;
    reg        reported_keeps_q;
    reg        reported_room_q;
    reg  [5:0] failure_stream_q;
    reg        failure_fault_q;
    reg        failure_valid_q;
    reg  [5:0] failure_kept_stream_q;
    reg        failure_kept_fault_q;
    reg        failure_keeps_q;
    reg        failure_room_q;
    reg  [5:0] credited_stream_q;
    reg  [4:0] credited_number_q;
    reg        credited_valid_q;
    reg  [5:0] credited_kept_stream_q;
    reg  [4:0] credited_kept_number_q;
    reg        credited_keeps_q;
    reg        credited_room_q;
    wire       done;

    // ---- The next segment can wait while one is sent
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

    assign running = swept_q;
    reg          valid_q;
    reg          idle_q;
    wire         free = idle_q | done;
    reg  [5:0]   waiting_stream_q;
    reg  [2:0]   waiting_kind_q;
    reg          waiting_final_q;
    reg  [4:0]   waiting_number_q;
    reg  [6:0]   waiting_header_length_q;
    reg  [559:0] waiting_header_q;
    reg          waiting_carries_q;
    reg  [4:0]   waiting_beats_q;
    reg          waiting_short_q;
    reg  [5:0]   waiting_ends_q;
    reg          waits_q;
    reg          room_q;
    // Nothing waits when nothing is sent.
    wire may_pass = room_q & idle_q;
    assign straight_ready = may_pass;
    wire comes    = waits_q | (segment_valid & room_q) | (straight_valid & may_pass);
    wire stays    = comes & ~free;
    assign segment_ready  = room_q;

    always @(posedge clk) begin
        if (~waits_q) begin
            waiting_stream_q        <= segment_stream;
            waiting_kind_q          <= segment_kind;
            waiting_final_q         <= segment_final;
            waiting_number_q        <= segment_number;
            waiting_header_length_q <= segment_header_length;
            waiting_header_q        <= segment_header;
            waiting_carries_q       <= segment_carries;
            waiting_beats_q         <= segment_beats;
            waiting_short_q         <= segment_short;
            waiting_ends_q          <= segment_ends;
        end
        waits_q <= stays;
        room_q  <= swept_q & ~stays;
        if (rst) begin
            waits_q <= 1'b0;
            room_q  <= 1'b0;
        end
    end

    // ---- Take a segment, and look up the condition of its stream
    wire [594:0] taken_segment =
        waits_q       ? {
                            waiting_stream_q, waiting_kind_q, waiting_final_q, waiting_number_q,
                            waiting_header_length_q, waiting_header_q, waiting_carries_q, waiting_beats_q,
                            waiting_short_q, waiting_ends_q
                        } :
        segment_valid ? {
                            segment_stream, segment_kind, segment_final, segment_number,
                            segment_header_length, segment_header, segment_carries, segment_beats,
                            segment_short, segment_ends
                        } :
                        {
                            straight_stream, straight_kind, straight_final, straight_number,
                            straight_header_length, straight_header, straight_carries, straight_beats,
                            straight_short, straight_ends
                        };
    reg  [5:0]   stream_q;
    reg  [2:0]   kind_q;
    reg          final_q;
    reg  [4:0]   number_q;
    localparam [2:0] SEND_END     = 3'd0;
    localparam [2:0] SEND_MESSAGE = 3'd2;
    reg  is_end_q;
    wire is_response = SEND_MESSAGE < taken_segment[588:586];
    reg  completes_response_q;
    reg  is_message_q;
    reg  is_hollow_q;
    localparam [2:0] SEND_CLOSE = 3'd1;

    always @(posedge clk) begin
        if (free) begin
            valid_q              <= comes;
            idle_q               <= ~comes;
            stream_q             <= taken_segment[594:589];
            kind_q               <= taken_segment[588:586];
            final_q              <= taken_segment[585];
            number_q             <= taken_segment[584:580];
            is_end_q             <=
                (taken_segment[588:586] == SEND_END) | (taken_segment[588:586] == SEND_CLOSE);
            completes_response_q <= taken_segment[585] & is_response;
            is_message_q         <= taken_segment[588:586] == SEND_MESSAGE;
        end
        if (rst) begin
            valid_q <= 1'b0;
            idle_q  <= 1'b1;
        end
    end

    localparam [1:0] STREAM_OPEN   = 2'd0;
    localparam [1:0] STREAM_FAILED = 2'd1;
    localparam [1:0] STREAM_ENDED  = 2'd2;
    reg  [1:0] conditions [0:63];
    reg        condition_has_changed_q;
    reg  [1:0] new_condition_q;
    reg  [1:0] stored_condition_q;
    wire [1:0] condition = condition_has_changed_q ? new_condition_q : stored_condition_q;

    // ---- Is it sent?
    reg  carries_q;
    reg  empty_q;
    wire passes    = (condition == STREAM_OPEN) | ((condition == STREAM_FAILED) & is_end_q);
    wire has_fault = carries_q & arrived_failed;
    wire lost      = is_hollow_q | has_fault;
    wire dropped   = ~passes | lost;

    // ---- Its beats: the rest of the header, then the payload
    reg  [559:0] header_q;
    reg  [4:0]   beats_left_q;
    reg  [7:0]   ends_rows_q;
    reg  [7:0]   ends_row_q;
    reg  [7:0]   ends_octets_q;
    reg          last_q;
    reg          full_q;
    wire         is_empty     = ~|taken_segment[11:7];
    wire         last_is_next = beats_left_q == 5'd2;
    reg          beats_before_payload_q;
    reg          takes_payload_q;
    wire         has_payload = carries_q & ~beats_before_payload_q;
    wire [511:0] data        = header_q[511:0] | (payload_data & {512{has_payload}});
    wire [63:0]  keep        =
          {
              {8{ends_rows_q[7]}} | ({8{ends_row_q[7]}} & ends_octets_q),
              {8{ends_rows_q[6]}} | ({8{ends_row_q[6]}} & ends_octets_q),
              {8{ends_rows_q[5]}} | ({8{ends_row_q[5]}} & ends_octets_q),
              {8{ends_rows_q[4]}} | ({8{ends_row_q[4]}} & ends_octets_q),
              {8{ends_rows_q[3]}} | ({8{ends_row_q[3]}} & ends_octets_q),
              {8{ends_rows_q[2]}} | ({8{ends_row_q[2]}} & ends_octets_q),
              {8{ends_rows_q[1]}} | ({8{ends_row_q[1]}} & ends_octets_q),
              {8{ends_rows_q[0]}} | ({8{ends_row_q[0]}} & ends_octets_q)
          }
        | {64{full_q}};
    wire         step;
    wire         silent      = ~passes | has_fault | empty_q;
    // The last beat waits until whatever may be reported of the segment has room.
    wire can_report = reported_room_q & failure_room_q & credited_room_q;
    wire has_octets = valid_q & (~carries_q | arrived_valid) & (~takes_payload_q | payload_valid);
    wire able       = has_octets & (~last_q | can_report);
    assign step = able & (silent | m_axis_tx_tready);
    assign done = step & last_q;
    // Nothing is inside, or the last beat: known a cycle before, for all uses.
    reg loads_q;

    // AND and OR, not a choice: a synchronous reset of the octets after the header would take the clock enable.
    always @(posedge clk) begin
        if (idle_q | step) begin
            header_q <=
                (taken_segment[572:13] & {560{loads_q}}) | ({512'd0, header_q[559:512]} & {560{~loads_q}});
            if (loads_q) begin
                empty_q                <= is_empty;
                is_hollow_q            <= is_empty & is_response;
                carries_q              <= taken_segment[12];
                beats_left_q           <= taken_segment[11:7];
                last_q                 <= taken_segment[6];
                full_q                 <= ~taken_segment[6];
                ends_rows_q            <=
                      {
                          1'b0, 1'b0 | (taken_segment[5:3] == 3'd7),
                          1'b0 | (taken_segment[5:3] == 3'd6) | (taken_segment[5:3] == 3'd7),
                            1'b0
                          | (taken_segment[5:3] == 3'd5)
                          | (taken_segment[5:3] == 3'd6)
                          | (taken_segment[5:3] == 3'd7),
                            1'b0
                          | (taken_segment[5:3] == 3'd4)
                          | (taken_segment[5:3] == 3'd5)
                          | (taken_segment[5:3] == 3'd6)
                          | (taken_segment[5:3] == 3'd7),
                            1'b0
                          | (taken_segment[5:3] == 3'd3)
                          | (taken_segment[5:3] == 3'd4)
                          | (taken_segment[5:3] == 3'd5)
                          | (taken_segment[5:3] == 3'd6)
                          | (taken_segment[5:3] == 3'd7),
                            1'b0
                          | (taken_segment[5:3] == 3'd2)
                          | (taken_segment[5:3] == 3'd3)
                          | (taken_segment[5:3] == 3'd4)
                          | (taken_segment[5:3] == 3'd5)
                          | (taken_segment[5:3] == 3'd6)
                          | (taken_segment[5:3] == 3'd7),
                            1'b0
                          | (taken_segment[5:3] == 3'd1)
                          | (taken_segment[5:3] == 3'd2)
                          | (taken_segment[5:3] == 3'd3)
                          | (taken_segment[5:3] == 3'd4)
                          | (taken_segment[5:3] == 3'd5)
                          | (taken_segment[5:3] == 3'd6)
                          | (taken_segment[5:3] == 3'd7)
                      }
                    | {8{~|taken_segment[5:0]}};
                ends_row_q             <= {
                    taken_segment[5:3] == 3'd7, taken_segment[5:3] == 3'd6, taken_segment[5:3] == 3'd5,
                    taken_segment[5:3] == 3'd4, taken_segment[5:3] == 3'd3, taken_segment[5:3] == 3'd2,
                    taken_segment[5:3] == 3'd1, taken_segment[5:3] == 3'd0
                };
                ends_octets_q          <= {
                    1'b0, 1'b0 | (taken_segment[2:0] == 3'd7),
                    1'b0 | (taken_segment[2:0] == 3'd6) | (taken_segment[2:0] == 3'd7),
                      1'b0
                    | (taken_segment[2:0] == 3'd5)
                    | (taken_segment[2:0] == 3'd6)
                    | (taken_segment[2:0] == 3'd7),
                      1'b0
                    | (taken_segment[2:0] == 3'd4)
                    | (taken_segment[2:0] == 3'd5)
                    | (taken_segment[2:0] == 3'd6)
                    | (taken_segment[2:0] == 3'd7),
                      1'b0
                    | (taken_segment[2:0] == 3'd3)
                    | (taken_segment[2:0] == 3'd4)
                    | (taken_segment[2:0] == 3'd5)
                    | (taken_segment[2:0] == 3'd6)
                    | (taken_segment[2:0] == 3'd7),
                      1'b0
                    | (taken_segment[2:0] == 3'd2)
                    | (taken_segment[2:0] == 3'd3)
                    | (taken_segment[2:0] == 3'd4)
                    | (taken_segment[2:0] == 3'd5)
                    | (taken_segment[2:0] == 3'd6)
                    | (taken_segment[2:0] == 3'd7),
                      1'b0
                    | (taken_segment[2:0] == 3'd1)
                    | (taken_segment[2:0] == 3'd2)
                    | (taken_segment[2:0] == 3'd3)
                    | (taken_segment[2:0] == 3'd4)
                    | (taken_segment[2:0] == 3'd5)
                    | (taken_segment[2:0] == 3'd6)
                    | (taken_segment[2:0] == 3'd7)
                };
                beats_before_payload_q <= taken_segment[579];
                takes_payload_q        <= taken_segment[12] & ~taken_segment[579];
                loads_q                <= ~comes | taken_segment[6];
            end else begin
                beats_left_q <= beats_left_q - 5'd1;
                last_q       <= last_is_next;
                full_q       <= ~last_is_next;
                if (beats_before_payload_q) begin
                    beats_before_payload_q <= beats_before_payload_q - 1'b1;
                    takes_payload_q        <= carries_q & (beats_before_payload_q == 1'b1);
                end
                loads_q <= last_is_next;
            end
        end
        if (rst) begin
            loads_q <= 1'b1;
        end
    end

    assign payload_ready    = step & takes_payload_q;
    assign arrived_ready    = done & carries_q;
    assign m_axis_tx_tvalid = able & ~silent;
    assign m_axis_tx_tdata  = data;
    assign m_axis_tx_tkeep  = keep;
    assign m_axis_tx_tlast  = last_q;
    assign m_axis_tx_tuser  = stream_q;

    // ---- Report
    wire        fails          = done & passes & lost;
    wire        asks           = is_message_q & number_q[0];
    wire        reported_free  = ~reported_valid_q | report_ready;
    wire [11:0] reported_next  =
        reported_keeps_q ? {
                               reported_kept_stream_q, reported_kept_kind_q, reported_kept_final_q,
                               reported_kept_dropped_q, reported_kept_asks_q
                           } :
                           {stream_q, kind_q, final_q, dropped, asks};
    wire        reported_keeps = (reported_keeps_q | done) & ~reported_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (reported_free) begin
            reported_valid_q   <= reported_keeps_q | done;
            reported_stream_q  <= reported_next[11:6];
            reported_kind_q    <= reported_next[5:3];
            reported_final_q   <= reported_next[2];
            reported_dropped_q <= reported_next[1];
            reported_asks_q    <= reported_next[0];
        end
        if (~reported_keeps_q) begin
            reported_kept_stream_q  <= stream_q;
            reported_kept_kind_q    <= kind_q;
            reported_kept_final_q   <= final_q;
            reported_kept_dropped_q <= dropped;
            reported_kept_asks_q    <= asks;
        end
        reported_keeps_q <= reported_keeps;
        reported_room_q  <= ~reported_keeps;
        if (rst) begin
            reported_valid_q <= 1'b0;
            reported_keeps_q <= 1'b0;
            reported_room_q  <= 1'b1;
        end
    end

    assign report_valid   = reported_valid_q;
    assign report_stream  = reported_stream_q;
    assign report_kind    = reported_kind_q;
    assign report_final   = reported_final_q;
    assign report_dropped = reported_dropped_q;
    assign report_asks    = reported_asks_q;
    wire       failure_free  = ~failure_valid_q | failed_ready;
    wire [6:0] failure_next  =
        failure_keeps_q ? {failure_kept_stream_q, failure_kept_fault_q} : {stream_q, 1'b0};
    wire       failure_keeps = (failure_keeps_q | fails) & ~failure_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (failure_free) begin
            failure_valid_q  <= failure_keeps_q | fails;
            failure_stream_q <= failure_next[6:1];
            failure_fault_q  <= failure_next[0];
        end
        if (~failure_keeps_q) begin
            failure_kept_stream_q <= stream_q;
            failure_kept_fault_q  <= 1'b0;
        end
        failure_keeps_q <= failure_keeps;
        failure_room_q  <= ~failure_keeps;
        if (rst) begin
            failure_valid_q <= 1'b0;
            failure_keeps_q <= 1'b0;
            failure_room_q  <= 1'b1;
        end
    end

    assign failed_valid  = failure_valid_q;
    assign failed_stream = failure_stream_q;
    assign failed_fault  = failure_fault_q;
    wire        credited_free  = ~credited_valid_q | credit_ready;
    wire [10:0] credited_next  =
        credited_keeps_q ? {credited_kept_stream_q, credited_kept_number_q} : {stream_q, number_q};
    wire        credited_keeps = (credited_keeps_q | (done & completes_response_q)) & ~credited_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (credited_free) begin
            credited_valid_q  <= credited_keeps_q | (done & completes_response_q);
            credited_stream_q <= credited_next[10:5];
            credited_number_q <= credited_next[4:0];
        end
        if (~credited_keeps_q) begin
            credited_kept_stream_q <= stream_q;
            credited_kept_number_q <= number_q;
        end
        credited_keeps_q <= credited_keeps;
        credited_room_q  <= ~credited_keeps;
        if (rst) begin
            credited_valid_q <= 1'b0;
            credited_keeps_q <= 1'b0;
            credited_room_q  <= 1'b1;
        end
    end

    assign credit_valid  = credited_valid_q;
    assign credit_stream = credited_stream_q;
    assign credit_number = credited_number_q;

    // ---- Changes of condition: the end or failure of the stream, an opening
    wire changes = done & passes & (is_end_q | lost);
    // An opening waits for the last beat of a segment that may change a condition, whether it leaves or not.
    wire       may_change       = valid_q & last_q & (is_end_q | is_hollow_q | (has_fault & arrived_valid));
    wire       takes_opening    = opening_valid & ~may_change;
    assign opening_ready = swept_q & ~may_change;
    wire [1:0] opened_condition = opening_open ? STREAM_OPEN : STREAM_ENDED;
    wire [1:0] next_condition   = may_change ? (is_end_q ? STREAM_ENDED : STREAM_FAILED) : opened_condition;
    wire       write_conditions = ~swept_q | takes_opening | changes;
    wire [5:0] conditions_row   =
        ~swept_q   ? sweep_q :
        may_change ? stream_q :
                     opening_stream;
    wire [1:0] conditions_word  = ~swept_q ? STREAM_ENDED : next_condition;

    always @(posedge clk) begin
        if (write_conditions) begin
            conditions[conditions_row] <= conditions_word;
        end
        if (free) begin
            stored_condition_q <= conditions[taken_segment[594:589]];
        end
    end

    // Whether the segment that is taken is of that stream is compared beside the decision.
    wire same_stream = stream_q == taken_segment[594:589];
    wire opens_next  = takes_opening & (opening_stream == taken_segment[594:589]);

    always @(posedge clk) begin
        if (free) begin
            condition_has_changed_q <= changes ? same_stream : opens_next;
            new_condition_q         <= next_condition;
        end
    end

    // Not read:
    // taken_segment[578:573]: whole beats of header count
    // opening_domain: checked on receive
    wire unused = &{1'b0, taken_segment[578:573], opening_domain};
endmodule
`default_nettype wire
