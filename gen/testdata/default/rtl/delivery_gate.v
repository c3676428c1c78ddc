// delivery_gate holds each item until everything that its stream sent earlier is in memory. Only then does a Send or
// Immediate Data complete, and a Read or Atomic Request reach the responder (RFC 5040 section 5.5, RFC 7306 section
// 7). Items leave in order of arrival, so a request starts after the completions before it.
//
// After a failed placement a stream gets no further success: its receives complete with a memory error, its responses
// and requests are dropped. The failure travels to the receive side, which ends the stream. An item that has been
// released but is stalled stays released. Up to 8 failed streams are compared with each item at once; a stream is no
// longer failed when it is opened or closed. When more have failed at a time, every item takes one more cycle from then
// on.
//
// Built for streams 64, ird 8.
`default_nettype none
module delivery_gate (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // deliver
    input  wire         deliver_valid,
    output wire         deliver_ready,
    // one bit is 1: 0 receive complete, 1 response complete, 2 request accepted, 3 this node ends the stream, 4 the
    // peer has, 5 a Write is complete that requests wait for
    input  wire [5:0]   deliver_kind,
    input  wire [8:0]   deliver_place,                  // number of the stream's latest placement
    input  wire [63:0]  deliver_id,                     // that of the receive request
    input  wire [3:0]   deliver_opcode,                 // opcode of the message
    input  wire [31:0]  deliver_length,                 // octets of the message
    // for kind 3: the profile's number of the rule that a segment broke; 0: no segment is the cause
    input  wire [5:0]   deliver_rule,
    input  wire         deliver_queue_waits,            // 1: the request stays until it is released
    input  wire         deliver_queue_first,            // 1: no other waits that may still be released
    // 1: the item is no request; all requests of the stream that wait may go on
    input  wire         deliver_queue_releases,
    input  wire [5:0]   deliver_request_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end; for an executor: 2 Read, 3 Atomic; others follow
    input  wire [1:0]   deliver_request_kind,
    input  wire [4:0]   deliver_request_number,         // low bits of the MSN of the request; returned in its credit
    input  wire [31:0]  deliver_request_stag,           // STag of the target or source
    input  wire [63:0]  deliver_request_address,        // of the target or source in memory
    input  wire [31:0]  deliver_request_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   deliver_request_term_layer,
    input  wire [3:0]   deliver_request_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   deliver_request_term_code,      // error code that the Terminate reports
    input  wire [5:0]   deliver_request_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    input  wire [15:0]  deliver_request_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    input  wire [415:0] deliver_request_body,

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

    input  wire [8:0]   issued, // number of the latest issued placement
    input  wire [8:0]   placed, // number of the latest finished placement

    // failed
    input  wire         failed_valid,
    output wire         failed_ready,
    input  wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    input  wire         failed_fault,

    // completion
    output wire         completion_valid,
    input  wire         completion_ready,
    output wire [5:0]   completion_stream, // number of the stream
    output wire [63:0]  completion_id,     // that of the request
    // 0 success, 1 flushed: the stream ended first, 2 local protection error when the work request started, 3 memory
    // error, receives only (I-86)
    output wire [1:0]   completion_status,
    output wire [3:0]   completion_opcode, // opcode of the received message or of the work request
    output wire         completion_recv,   // 1 for a receive, 0 for a work request
    output wire [31:0]  completion_length, // octets received or transferred
    output wire [63:0]  completion_data,   // Immediate Data or an Atomic's original value
    output wire [31:0]  completion_stag,   // invalidated STag

    // event
    output wire         event_valid,
    input  wire         event_ready,
    output wire [5:0]   event_stream,     // number of the stream
    // 0 solicited, 1 this node has ended the stream, 2 the peer has, 3 receive request refused: ring full
    output wire [1:0]   event_kind,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   event_term_layer,
    output wire [3:0]   event_term_etype, // error type that the Terminate reports
    output wire [7:0]   event_term_code,  // error code that the Terminate reports

    // answered
    output wire         answered_valid,
    input  wire         answered_ready,
    output wire [5:0]   answered_stream, // number of the stream
    output wire [63:0]  answered_data,   // data in the response, 64 bits; 0 for a Read

    // ended
    output wire         ended_valid,
    input  wire         ended_ready,
    output wire [5:0]   ended_stream, // number of the stream

    // request
    output wire         request_valid,
    input  wire         request_ready,
    output wire         request_queue_waits,    // 1: the request stays until it is released
    output wire         request_queue_first,    // 1: no other waits that may still be released
    // 1: the item is no request; all requests of the stream that wait may go on
    output wire         request_queue_releases,
    output wire [5:0]   request_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end; for an executor: 2 Read, 3 Atomic; others follow
    output wire [1:0]   request_kind,
    output wire [4:0]   request_number,         // low bits of the MSN of the request; returned in its credit
    output wire [31:0]  request_stag,           // STag of the target or source
    output wire [63:0]  request_address,        // of the target or source in memory
    output wire [31:0]  request_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   request_term_layer,
    output wire [3:0]   request_term_etype,     // error type that the Terminate reports
    output wire [7:0]   request_term_code,      // error code that the Terminate reports
    output wire [5:0]   request_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    output wire [15:0]  request_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    output wire [415:0] request_body
);
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

    // ---- Failed streams: a list of a few, and a mark for each, looked up once the list was too short
    assign failed_ready  = swept_q;
    assign opening_ready = swept_q & ~failed_valid;
    wire       fails               = swept_q & failed_valid;
    wire       opens               = swept_q & opening_valid & ~failed_valid;
    reg        failed [0:63];
    wire       write_failed        = ~swept_q | failed_valid | opening_valid;
    wire [5:0] failed_row          =
        ~swept_q     ? sweep_q :
        failed_valid ? failed_stream :
                       opening_stream;
    wire       failed_word         =
        ~swept_q     ? 1'b0 :
        failed_valid ? 1'b1 :
                       1'b0;
    reg        failed_0_valid_q;
    reg  [5:0] failed_0_stream_q;
    reg        failed_1_valid_q;
    reg  [5:0] failed_1_stream_q;
    reg        failed_2_valid_q;
    reg  [5:0] failed_2_stream_q;
    reg        failed_3_valid_q;
    reg  [5:0] failed_3_stream_q;
    reg        failed_4_valid_q;
    reg  [5:0] failed_4_stream_q;
    reg        failed_5_valid_q;
    reg  [5:0] failed_5_stream_q;
    reg        failed_6_valid_q;
    reg  [5:0] failed_6_stream_q;
    reg        failed_7_valid_q;
    reg  [5:0] failed_7_stream_q;
    wire       failing_is_failed_0 = failed_0_valid_q & (failed_0_stream_q == failed_stream);
    wire       failing_is_failed_1 = failed_1_valid_q & (failed_1_stream_q == failed_stream);
    wire       failing_is_failed_2 = failed_2_valid_q & (failed_2_stream_q == failed_stream);
    wire       failing_is_failed_3 = failed_3_valid_q & (failed_3_stream_q == failed_stream);
    wire       failing_is_failed_4 = failed_4_valid_q & (failed_4_stream_q == failed_stream);
    wire       failing_is_failed_5 = failed_5_valid_q & (failed_5_stream_q == failed_stream);
    wire       failing_is_failed_6 = failed_6_valid_q & (failed_6_stream_q == failed_stream);
    wire       failing_is_failed_7 = failed_7_valid_q & (failed_7_stream_q == failed_stream);
    wire       fails_first         =
          fails
        & ~(
                failing_is_failed_0
              | failing_is_failed_1
              | failing_is_failed_2
              | failing_is_failed_3
              | failing_is_failed_4
              | failing_is_failed_5
              | failing_is_failed_6
              | failing_is_failed_7
          );
    wire [7:0] free_places         = {
        ~failed_7_valid_q, ~failed_6_valid_q, ~failed_5_valid_q, ~failed_4_valid_q, ~failed_3_valid_q,
        ~failed_2_valid_q, ~failed_1_valid_q, ~failed_0_valid_q
    };
    wire [7:0] place_taken         =
          free_places
        & ~{
              |free_places[6:0], |free_places[5:0], |free_places[4:0], |free_places[3:0], |free_places[2:0],
              |free_places[1:0], free_places[0], 1'b0
          }
        & {8{fails_first}};
    wire       list_overflows      = fails_first & (~|free_places);

    always @(posedge clk) begin
        if (place_taken[0]) begin
            failed_0_valid_q  <= 1'b1;
            failed_0_stream_q <= failed_stream;
        end else if (opens & (failed_0_stream_q == opening_stream)) begin
            failed_0_valid_q <= 1'b0;
        end
        if (place_taken[1]) begin
            failed_1_valid_q  <= 1'b1;
            failed_1_stream_q <= failed_stream;
        end else if (opens & (failed_1_stream_q == opening_stream)) begin
            failed_1_valid_q <= 1'b0;
        end
        if (place_taken[2]) begin
            failed_2_valid_q  <= 1'b1;
            failed_2_stream_q <= failed_stream;
        end else if (opens & (failed_2_stream_q == opening_stream)) begin
            failed_2_valid_q <= 1'b0;
        end
        if (place_taken[3]) begin
            failed_3_valid_q  <= 1'b1;
            failed_3_stream_q <= failed_stream;
        end else if (opens & (failed_3_stream_q == opening_stream)) begin
            failed_3_valid_q <= 1'b0;
        end
        if (place_taken[4]) begin
            failed_4_valid_q  <= 1'b1;
            failed_4_stream_q <= failed_stream;
        end else if (opens & (failed_4_stream_q == opening_stream)) begin
            failed_4_valid_q <= 1'b0;
        end
        if (place_taken[5]) begin
            failed_5_valid_q  <= 1'b1;
            failed_5_stream_q <= failed_stream;
        end else if (opens & (failed_5_stream_q == opening_stream)) begin
            failed_5_valid_q <= 1'b0;
        end
        if (place_taken[6]) begin
            failed_6_valid_q  <= 1'b1;
            failed_6_stream_q <= failed_stream;
        end else if (opens & (failed_6_stream_q == opening_stream)) begin
            failed_6_valid_q <= 1'b0;
        end
        if (place_taken[7]) begin
            failed_7_valid_q  <= 1'b1;
            failed_7_stream_q <= failed_stream;
        end else if (opens & (failed_7_stream_q == opening_stream)) begin
            failed_7_valid_q <= 1'b0;
        end
        if (rst) begin
            failed_0_valid_q <= 1'b0;
            failed_1_valid_q <= 1'b0;
            failed_2_valid_q <= 1'b0;
            failed_3_valid_q <= 1'b0;
            failed_4_valid_q <= 1'b0;
            failed_5_valid_q <= 1'b0;
            failed_6_valid_q <= 1'b0;
            failed_7_valid_q <= 1'b0;
        end
    end

    reg troubled_q;

    always @(posedge clk) begin
        if (list_overflows) begin
            troubled_q <= 1'b1;
        end
        if (rst) begin
            troubled_q <= 1'b0;
        end
    end

    // ---- May the item leave, and has its stream failed?
    // Once released, an item stays released, regardless of later failures and of placement numbers wrapping around
    // while it is stalled.
    reg cleared_q;
    reg was_lost_q;
    reg asked_q;
    // A placement counts a cycle after it is issued or finished; its item comes later than it is issued.
    reg [8:0] issued_q;
    reg [8:0] placed_q;
    reg       wraps_q;

    always @(posedge clk) begin
        issued_q <= issued;
        placed_q <= placed;
        wraps_q  <= issued < placed;
        if (rst) begin
            issued_q <= 9'd0;
            placed_q <= 9'd0;
            wraps_q  <= 1'b0;
        end
    end

    wire is_pending    =
        wraps_q ? ((placed_q < deliver_place) | (deliver_place <= issued_q)) :
                  ((placed_q < deliver_place) & (deliver_place <= issued_q));
    wire has_arrived   = cleared_q | ~is_pending;
    wire ask           = deliver_valid & has_arrived & troubled_q & ~asked_q & ~cleared_q;
    reg  stream_failed_old_q;
    reg  stream_failed_new_q;
    reg  stream_failed_is_new_q;
    wire stream_failed = stream_failed_is_new_q ? stream_failed_new_q : stream_failed_old_q;

    always @(posedge clk) begin
        if (write_failed) begin
            failed[failed_row] <= failed_word;
        end
        if (ask) begin
            stream_failed_old_q <= failed[deliver_request_stream];
        end
    end

    always @(posedge clk) begin
        if (ask) begin
            stream_failed_is_new_q <= write_failed & (failed_row == deliver_request_stream);
            stream_failed_new_q    <= failed_word;
        end
    end

    wire able             = swept_q & deliver_valid & (~troubled_q | asked_q | cleared_q);
    wire may_leave        = able & has_arrived;
    wire item_is_failed_0 = failed_0_valid_q & (failed_0_stream_q == deliver_request_stream);
    wire item_is_failed_1 = failed_1_valid_q & (failed_1_stream_q == deliver_request_stream);
    wire item_is_failed_2 = failed_2_valid_q & (failed_2_stream_q == deliver_request_stream);
    wire item_is_failed_3 = failed_3_valid_q & (failed_3_stream_q == deliver_request_stream);
    wire item_is_failed_4 = failed_4_valid_q & (failed_4_stream_q == deliver_request_stream);
    wire item_is_failed_5 = failed_5_valid_q & (failed_5_stream_q == deliver_request_stream);
    wire item_is_failed_6 = failed_6_valid_q & (failed_6_stream_q == deliver_request_stream);
    wire item_is_failed_7 = failed_7_valid_q & (failed_7_stream_q == deliver_request_stream);
    wire is_listed        =
          item_is_failed_0
        | item_is_failed_1
        | item_is_failed_2
        | item_is_failed_3
        | item_is_failed_4
        | item_is_failed_5
        | item_is_failed_6
        | item_is_failed_7;
    // What was decided before, or looked up, is known first; the list only counts for others.
    wire is_decided_lost = cleared_q ? was_lost_q : (troubled_q & asked_q & stream_failed);
    wire is_lost         = is_decided_lost | (is_listed & ~(cleared_q | troubled_q));

    // ---- Route
    wire is_receive  = deliver_kind[0];
    wire is_response = deliver_kind[1];
    wire is_request  = deliver_kind[2];
    wire is_end      = deliver_kind[3];
    wire is_close    = deliver_kind[4];
    wire ends        = is_end | is_close;
    localparam [3:0] SEND_SE         = 4'd5;
    localparam [3:0] SEND_SE_INV     = 4'd6;
    localparam [3:0] IMMEDIATE       = 4'd8;
    localparam [3:0] IMMEDIATE_SE    = 4'd9;
    localparam [3:0] ATOMIC_RESPONSE = 4'd11;
    wire is_immediate = (deliver_opcode == IMMEDIATE) | (deliver_opcode == IMMEDIATE_SE);
    // The first octets after the DDP header, as numbers: Immediate Data, or the identifier and word of a response.
    wire [63:0] immediate_data = {
        deliver_request_body[7:0], deliver_request_body[15:8], deliver_request_body[23:16],
        deliver_request_body[31:24], deliver_request_body[39:32], deliver_request_body[47:40],
        deliver_request_body[55:48], deliver_request_body[63:56]
    };
    wire [63:0] returned_word  = {
        deliver_request_body[39:32], deliver_request_body[47:40], deliver_request_body[55:48],
        deliver_request_body[63:56], deliver_request_body[71:64], deliver_request_body[79:72],
        deliver_request_body[87:80], deliver_request_body[95:88]
    };
    wire        is_solicited   =
          is_receive
        & ((deliver_opcode == SEND_SE) | (deliver_opcode == SEND_SE_INV) | (deliver_opcode == IMMEDIATE_SE));
    // Whether an item can leave does not depend on whether it is lost.
    wire        leave;
    reg  [5:0]  completion_stream_q;
    reg  [63:0] completion_id_q;
    reg  [1:0]  completion_status_q;
    reg  [3:0]  completion_opcode_q;
    reg         completion_recv_q;
    reg  [31:0] completion_length_q;
    reg  [63:0] completion_data_q;
    reg  [31:0] completion_stag_q;
    reg         completion_valid_q;
    reg         completion_vacant_q;
    // Whether it can be loaded has many readers; what decides asks a register of its own.
    wire completion_loads  = ~completion_valid_q | completion_ready;
    wire completion_free   = completion_vacant_q | completion_ready;
    wire wants_completion  = is_receive;
    wire completion_enters = leave & wants_completion;

    always @(posedge clk) begin
        if (completion_loads) begin
            completion_stream_q <= deliver_request_stream;
            completion_id_q     <= deliver_id;
            completion_status_q <= is_lost ? 2'd3 : 2'd0;
            completion_opcode_q <= deliver_opcode;
            completion_recv_q   <= 1'b1;
            completion_length_q <= deliver_length;
            completion_data_q   <= immediate_data & {64{is_immediate}};
            completion_stag_q   <= deliver_request_stag & {32{~is_immediate}};
        end
        if (completion_free) begin
            completion_valid_q  <= completion_enters;
            completion_vacant_q <= ~completion_enters;
        end
        if (rst) begin
            completion_valid_q  <= 1'b0;
            completion_vacant_q <= 1'b1;
        end
    end

    assign completion_valid  = completion_valid_q;
    assign completion_stream = completion_stream_q;
    assign completion_id     = completion_id_q;
    assign completion_status = completion_status_q;
    assign completion_opcode = completion_opcode_q;
    assign completion_recv   = completion_recv_q;
    assign completion_length = completion_length_q;
    assign completion_data   = completion_data_q;
    assign completion_stag   = completion_stag_q;
    reg [5:0] event_stream_q;
    reg [1:0] event_kind_q;
    reg [3:0] event_term_layer_q;
    reg [3:0] event_term_etype_q;
    reg [7:0] event_term_code_q;
    reg       event_valid_q;
    reg       event_vacant_q;
    // Whether it can be loaded has many readers; what decides asks a register of its own.
    wire event_loads  = ~event_valid_q | event_ready;
    wire event_free   = event_vacant_q | event_ready;
    wire wants_event  = (is_solicited & ~is_lost) | ends;
    wire event_enters = leave & wants_event;

    always @(posedge clk) begin
        if (event_loads) begin
            event_stream_q     <= deliver_request_stream;
            event_kind_q       <=
                is_end   ? 2'd1 :
                is_close ? 2'd2 :
                           2'd0;
            event_term_layer_q <= deliver_request_term_layer & {4{ends}};
            event_term_etype_q <= deliver_request_term_etype & {4{ends}};
            event_term_code_q  <= deliver_request_term_code & {8{ends}};
        end
        if (event_free) begin
            event_valid_q  <= event_enters;
            event_vacant_q <= ~event_enters;
        end
        if (rst) begin
            event_valid_q  <= 1'b0;
            event_vacant_q <= 1'b1;
        end
    end

    assign event_valid      = event_valid_q;
    assign event_stream     = event_stream_q;
    assign event_kind       = event_kind_q;
    assign event_term_layer = event_term_layer_q;
    assign event_term_etype = event_term_etype_q;
    assign event_term_code  = event_term_code_q;
    reg [5:0]  response_stream_q;
    reg [63:0] response_data_q;
    reg        response_valid_q;
    reg        response_vacant_q;
    // Whether it can be loaded has many readers; what decides asks a register of its own.
    wire response_loads  = ~response_valid_q | answered_ready;
    wire response_free   = response_vacant_q | answered_ready;
    wire wants_response  = is_response & ~is_lost;
    wire response_enters = leave & wants_response;

    always @(posedge clk) begin
        if (response_loads) begin
            response_stream_q <= deliver_request_stream;
            response_data_q   <= returned_word & {64{deliver_opcode == ATOMIC_RESPONSE}};
        end
        if (response_free) begin
            response_valid_q  <= response_enters;
            response_vacant_q <= ~response_enters;
        end
        if (rst) begin
            response_valid_q  <= 1'b0;
            response_vacant_q <= 1'b1;
        end
    end

    assign answered_valid  = response_valid_q;
    assign answered_stream = response_stream_q;
    assign answered_data   = response_data_q;
    reg [5:0] end_stream_q;
    reg       end_valid_q;
    reg       end_vacant_q;
    // Whether it can be loaded has many readers; what decides asks a register of its own.
    wire end_loads  = ~end_valid_q | ended_ready;
    wire end_free   = end_vacant_q | ended_ready;
    wire wants_end  = ends;
    wire end_enters = leave & wants_end;

    always @(posedge clk) begin
        if (end_loads) begin
            end_stream_q <= deliver_request_stream;
        end
        if (end_free) begin
            end_valid_q  <= end_enters;
            end_vacant_q <= ~end_enters;
        end
        if (rst) begin
            end_valid_q  <= 1'b0;
            end_vacant_q <= 1'b1;
        end
    end

    assign ended_valid  = end_valid_q;
    assign ended_stream = end_stream_q;
    wire is_for_responder = ends | is_request | deliver_queue_releases;
    wire passes           = ends | ((is_request | deliver_queue_releases) & ~is_lost);
    wire has_places       =
          (~is_receive | completion_free)
        & (~(is_solicited | ends) | event_free)
        & (~is_response | response_free)
        & (~ends | end_free);
    // A request leaves in the cycle in which it arrives, once the registers of everything else that the item reports
    // are free.
    wire is_able  = able & has_places;
    assign request_valid          = is_able & has_arrived & passes;
    assign request_queue_waits    = deliver_queue_waits;
    assign request_queue_first    = deliver_queue_first;
    assign request_queue_releases = deliver_queue_releases;
    assign request_stream         = deliver_request_stream;
    assign request_kind           = deliver_request_kind;
    assign request_number         = deliver_request_number;
    assign request_stag           = deliver_request_stag;
    assign request_address        = deliver_request_address;
    assign request_response_msn   = deliver_request_response_msn;
    assign request_term_layer     = deliver_request_term_layer;
    assign request_term_etype     = deliver_request_term_etype;
    assign request_term_code      = deliver_request_term_code;
    assign request_header_length  = deliver_request_header_length;
    assign request_segment_length = deliver_request_segment_length;
    assign request_body           = deliver_request_body;
    wire is_ready = able & has_places & (~is_for_responder | request_ready);
    assign leave                  = is_ready & has_arrived;
    assign deliver_ready          = leave;

    always @(posedge clk) begin
        cleared_q  <= may_leave & ~leave;
        was_lost_q <= is_lost;
        if (ask) begin
            asked_q <= 1'b1;
        end else if (leave) begin
            asked_q <= 1'b0;
        end
        if (rst) begin
            cleared_q <= 1'b0;
            asked_q   <= 1'b0;
        end
    end

    // Not read:
    // deliver_rule: only the retire port reports it
    // opening_open, opening_domain: an opening resets the stream, whether it opens or closes it
    // failed_fault: the placement is lost, whatever the fault
    // deliver_kind[5]: its item says what it releases
    wire unused = &{1'b0, deliver_rule, opening_open, opening_domain, failed_fault, deliver_kind[5]};
endmodule
`default_nettype wire
