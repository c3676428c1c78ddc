// send_completion tracks the work requests of a stream that are in progress, up to 16, and completes them in the
// order in which they started. A Write, a Send or Immediate Data succeeds when its last command is reported as sent;
// a Read or Atomic also needs its response. Successful work requests complete only if they are signaled.
//
// A dropped command or an abandoned work request closes the stream: nothing succeeds any more. Once the stream has
// ended, work requests in progress are flushed in order, or complete as failed if marked so: one for each last
// command that is reported, sent or dropped, and one for each abandoned work request. An opening forgets what is in
// progress. freed says that a waiting work request may start; it is 1 in the cycle in which the state changes
// accordingly.
//
// An update takes 3 cycles, plus 1 for each completion after the first; a report of a command that is neither final
// nor dropped takes 1. Updates wait while a completion is not accepted.
//
// Built for streams 64, send_depth 16, ord 8.
`default_nettype none
module send_completion (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // sent
    input  wire         sent_valid,
    output wire         sent_ready,
    input  wire [5:0]   sent_stream,  // number of the stream
    input  wire [2:0]   sent_kind,    // as in the command
    input  wire         sent_final,   // last segment of its message
    input  wire         sent_dropped, // 1: not sent because its stream has ended

    // answered
    input  wire         answered_valid,
    output wire         answered_ready,
    input  wire [5:0]   answered_stream, // number of the stream
    input  wire [63:0]  answered_data,   // data in the response, 64 bits; 0 for a Read

    // ended
    input  wire         ended_valid,
    output wire         ended_ready,
    input  wire [5:0]   ended_stream, // number of the stream

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

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

    // abandoned: the last command of the oldest work request without such a report will never be reported
    input  wire         abandoned_valid,
    output wire         abandoned_ready,
    input  wire [5:0]   abandoned_stream, // number of the stream

    input  wire         look,           // fetch the state of look_stream
    input  wire [5:0]   look_stream,    // number of the stream
    output wire [19:0]  state,          // packed sendState, from the next cycle on
    output wire         busy,           // the state of busy_stream is about to change
    output wire [5:0]   busy_stream,    // number of the stream
    output wire         freed,          // something of busy_stream is complete; in the next cycle it is no longer busy
    input  wire         store,          // a work request is issued, or an entry changes
    input  wire [5:0]   store_stream,   // number of the stream
    input  wire [3:0]   store_slot,     // its slot in the ring
    input  wire [101:0] store_entry,    // packed underWay
    output wire         opened,         // opening is accepted
    output wire         reported,       // a report of a command is accepted
    output wire         closing,        // closing_stream has ended
    output wire [5:0]   closing_stream  // number of the stream
);
    localparam [1:0] STATE_LISTENING = 2'd0;
    localparam [1:0] STATE_UPDATING  = 2'd1;
    localparam [1:0] STATE_FINISHING = 2'd2;
    reg [1:0] state_q;
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

    wire is_listening = (state_q == STATE_LISTENING) & swept_q;
    wire is_updating  = state_q == STATE_UPDATING;
    wire is_finishing = state_q == STATE_FINISHING;

    // ---- Updates: one at a time
    reg after_report_q;
    // An end is taken after earlier responses; reports and responses take turns.
    wire takes_response  = is_listening & answered_valid & (ended_valid | after_report_q | ~sent_valid);
    wire takes_end       = is_listening & ended_valid & ~answered_valid;
    wire takes_others    = is_listening & ~takes_response & ~ended_valid;
    wire takes_opening   = takes_others & opening_valid;
    wire takes_report    = takes_others & ~opening_valid & sent_valid;
    wire takes_abandoned = takes_others & ~opening_valid & ~sent_valid & abandoned_valid;
    assign answered_ready  = takes_response;
    assign ended_ready     = takes_end;
    assign opening_ready   = takes_opening;
    assign sent_ready      = takes_report;
    assign abandoned_ready = takes_abandoned;
    wire        is_dropped    = takes_report & sent_dropped;
    wire        is_final      = takes_report & sent_final;
    wire        is_update     = takes_end | takes_response | takes_abandoned | is_dropped | is_final;
    wire [5:0]  update_stream =
        takes_end      ? ended_stream :
        takes_report   ? sent_stream :
        takes_response ? answered_stream :
                         abandoned_stream;
    assign opened          = takes_opening;
    assign reported        = takes_report;
    assign closing         = takes_end | is_dropped;
    assign closing_stream  = update_stream;
    reg  [5:0]  update_stream_q;
    reg         update_sent_q;
    reg         update_answered_q;
    reg         update_closed_q;
    reg         update_ended_q;
    reg  [63:0] update_data_q;

    // ---- State of the stream
    reg         at_closed_q;
    reg         at_ended_q;
    reg  [4:0]  at_oldest_q;
    reg  [4:0]  at_sent_q;
    reg  [3:0]  at_finished_q;
    reg  [3:0]  at_answered_q;
    wire [19:0] at_next;
    wire        proceeds;
    wire        opens_stream     = takes_opening & opening_open;
    reg  [19:0] send_state [0:63];
    wire        write_send_state = ~swept_q | takes_opening | proceeds;
    wire [5:0]  send_state_row   =
        ~swept_q      ? sweep_q :
        takes_opening ? opening_stream :
                        update_stream_q;
    wire [19:0] send_state_word  =
        ~swept_q      ? {1'b1, 1'b1, 5'd0, 5'd0, 4'd0, 4'd0} :
        takes_opening ? {~opens_stream, ~opens_stream, 5'd0, 5'd0, 4'd0, 4'd0} :
                        at_next;
    // Updates are accepted while nothing is written.
    reg  [19:0] stored_q;
    reg  [19:0] looked_up_old_q;
    reg  [19:0] looked_up_new_q;
    reg         looked_up_is_new_q;
    wire [19:0] looked_up = looked_up_is_new_q ? looked_up_new_q : looked_up_old_q;

    always @(posedge clk) begin
        if (write_send_state) begin
            send_state[send_state_row] <= send_state_word;
        end
        if (is_update) begin
            stored_q <= send_state[update_stream];
        end
        if (look) begin
            looked_up_old_q <= send_state[look_stream];
        end
    end

    always @(posedge clk) begin
        if (look) begin
            looked_up_is_new_q <= write_send_state & (send_state_row == look_stream);
            looked_up_new_q    <= send_state_word;
        end
    end

    assign state       = looked_up;
    assign busy        = is_updating | is_finishing;
    assign busy_stream = update_stream_q;

    // ---- Rings of work requests in progress and of responses
    wire [3:0]   oldest               = is_updating ? stored_q[16:13] : (at_oldest_q[3:0] + 4'd1);
    wire         oldest_is_request;
    wire         fetch_oldest         = is_updating | proceeds;
    reg  [101:0] under_way [0:1023];
    reg  [101:0] oldest_old_q;
    reg  [101:0] oldest_new_q;
    reg          oldest_is_new_q;
    wire [101:0] oldest_q             = oldest_is_new_q ? oldest_new_q : oldest_old_q;
    wire [9:0]   oldest_addr          = {update_stream_q, oldest};
    wire [9:0]   under_way_write_addr = {store_stream, store_slot};

    always @(posedge clk) begin
        if (store) begin
            under_way[under_way_write_addr] <= store_entry;
        end
        if (fetch_oldest) begin
            oldest_old_q <= under_way[oldest_addr];
        end
    end

    always @(posedge clk) begin
        if (fetch_oldest) begin
            oldest_is_new_q <= store & (under_way_write_addr == oldest_addr);
            oldest_new_q    <= store_entry;
        end
    end

    reg  [63:0] responses [0:511];
    wire        keeps_response = is_updating & update_answered_q;
    // The oldest Read or Atomic waits to be sent or for its response: an update completes at most one.
    reg  [63:0] response_old_q;
    reg  [63:0] response_new_q;
    reg         response_is_new_q;
    wire [63:0] response             = response_is_new_q ? response_new_q : response_old_q;
    wire [8:0]  response_addr        = {update_stream_q, stored_q[6:4]};
    wire [8:0]  responses_write_addr = {update_stream_q, stored_q[2:0]};

    always @(posedge clk) begin
        if (keeps_response) begin
            responses[responses_write_addr] <= update_data_q;
        end
        if (is_updating) begin
            response_old_q <= responses[response_addr];
        end
    end

    always @(posedge clk) begin
        if (is_updating) begin
            response_is_new_q <= keeps_response & (responses_write_addr == response_addr);
            response_new_q    <= update_data_q;
        end
    end

    // ---- Is the oldest one done?
    localparam [3:0] READ_REQUEST   = 4'd1;
    localparam [3:0] ATOMIC_REQUEST = 4'd10;
    wire        oldest_returns_word = oldest_q[37:34] == ATOMIC_REQUEST;
    assign oldest_is_request = oldest_returns_word | (oldest_q[37:34] == READ_REQUEST);
    wire        is_out              = at_sent_q != at_oldest_q;
    wire        has_response        = at_answered_q != at_finished_q;
    wire        success             = is_out & ~at_closed_q & (~oldest_is_request | has_response);
    wire        done                = success | (is_out & at_ended_q);
    wire        completes           = done & (oldest_q[33] | ~success);
    reg  [5:0]  completion_stream_q;
    reg  [63:0] completion_id_q;
    reg  [1:0]  completion_status_q;
    reg  [3:0]  completion_opcode_q;
    reg         completion_recv_q;
    reg  [31:0] completion_length_q;
    reg  [63:0] completion_data_q;
    reg  [31:0] completion_stag_q;
    reg         completion_valid_q;
    wire        free                = ~completion_valid_q | completion_ready;
    assign proceeds          = is_finishing & (~completes | free);
    wire        emits_completion    = is_finishing & completes & free;
    wire [4:0]  oldest_next         = at_oldest_q + {4'd0, done};
    assign at_next           = {
        at_closed_q, at_ended_q, oldest_next, at_sent_q, at_finished_q + {3'd0, done & oldest_is_request},
        at_answered_q
    };
    wire        more                = done & (oldest_next != at_sent_q);
    reg         some_completed_q;
    assign freed             = proceeds & ~more & (some_completed_q | done);

    always @(posedge clk) begin
        if (emits_completion) begin
            completion_valid_q  <= 1'b1;
            completion_stream_q <= update_stream_q;
            completion_id_q     <= oldest_q[101:38];
            completion_status_q <=
                success     ? 2'd0 :
                oldest_q[0] ? 2'd2 :
                              2'd1;
            completion_opcode_q <= oldest_q[37:34];
            completion_recv_q   <= 1'b0;
            completion_length_q <= oldest_q[32:1];
            completion_data_q   <= response & {64{success & oldest_returns_word}};
            completion_stag_q   <= 32'd0;
        end else if (completion_ready) begin
            completion_valid_q <= 1'b0;
        end
        if (is_update) begin
            update_stream_q   <= update_stream;
            update_sent_q     <= takes_abandoned | is_final;
            update_answered_q <= takes_response;
            update_closed_q   <= takes_end | takes_abandoned | is_dropped;
            update_ended_q    <= takes_end;
            update_data_q     <= answered_data;
        end
        if (takes_report) begin
            after_report_q <= 1'b1;
        end else if (takes_response) begin
            after_report_q <= 1'b0;
        end
        some_completed_q <= is_finishing & (some_completed_q | (proceeds & done));
        if (is_updating) begin
            at_closed_q   <= stored_q[19] | update_closed_q;
            at_ended_q    <= stored_q[18] | update_ended_q;
            at_oldest_q   <= stored_q[17:13];
            at_sent_q     <= stored_q[12:8] + {4'd0, update_sent_q};
            at_finished_q <= stored_q[7:4];
            at_answered_q <= stored_q[3:0] + {3'd0, update_answered_q};
        end else if (proceeds) begin
            at_closed_q   <= at_closed_q;
            at_ended_q    <= at_ended_q;
            at_oldest_q   <= oldest_next;
            at_sent_q     <= at_sent_q;
            at_finished_q <= at_finished_q + {3'd0, done & oldest_is_request};
            at_answered_q <= at_answered_q;
        end
        case (state_q)
            STATE_LISTENING: begin
                if (is_update) begin
                    state_q <= STATE_UPDATING;
                end
            end
            STATE_UPDATING: begin
                state_q <= STATE_FINISHING;
            end
            STATE_FINISHING: begin
                if (proceeds & ~more) begin
                    state_q <= STATE_LISTENING;
                end
            end
            default: ;
        endcase
        if (rst) begin
            completion_valid_q <= 1'b0;
            after_report_q     <= 1'b0;
            state_q            <= STATE_LISTENING;
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

    // Not read:
    // sent_kind: only reports of this requester arrive
    // opening_domain: checked where segments are made
    wire unused = &{1'b0, sent_kind, opening_domain};
endmodule
`default_nettype wire
