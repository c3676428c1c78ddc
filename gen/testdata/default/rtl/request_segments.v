// request_segments starts work requests, one after another, and makes the commands for their segments: at most 1024
// octets of payload each, the last one shorter; a message without octets is one segment. It makes one command per
// cycle for a long message, and accepts a work request every 2 cycles, a Read or Atomic every 3.
//
// A work request starts when its stream has a free place among those in progress and, for a Read or Atomic, among
// those without a response; otherwise it is refused. The local buffer is checked for each segment when its command is
// made. If the check fails, or the opcode is not one of a work request, nothing more of the message is sent and the
// failure is reported. If the stream ends, nothing more of the message is sent. In both cases the block waits until
// all commands are reported and then abandons the work request. On a stream that is not open it abandons the work
// request as soon as no command waits.
//
// The command of a Read or Atomic is offered after the receive side has accepted what to expect.
//
// Built for streams 64, send_depth 16, ord 8, max_payload 1024.
`default_nettype none
module request_segments (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // work: accepted in one cycle: it is issued or refused
    input  wire         work_valid,
    output wire         work_ready,
    input  wire [5:0]   work_stream,              // number of the stream
    input  wire [63:0]  work_id,                  // chosen by the host, returned in its completion
    input  wire         work_signaled,            // 1: always complete it; 0: only if it fails
    input  wire [3:0]   work_opcode,              // opcode of the operation
    input  wire [31:0]  work_local_stag,          // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  work_local_to,            // tagged offset of the first octet
    input  wire [31:0]  work_length,              // octets of the message; ignored for Atomics and Immediate Data
    input  wire [31:0]  work_remote_stag,         // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  work_remote_to,           // tagged offset of the first octet
    input  wire [3:0]   work_atomic_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    input  wire [63:0]  work_atomic_data,
    input  wire [63:0]  work_atomic_mask,         // Add Mask or Swap Mask
    input  wire [63:0]  work_atomic_compare,      // Compare Data
    input  wire [63:0]  work_atomic_compare_mask, // Compare Mask

    // work requests of its stream issued before, modulo twice the limit of those in progress
    input  wire [4:0]   number,
    output wire         refused, // it has to wait until something of its stream is complete

    // local
    output wire         local_enable, // look index up in this cycle
    output wire [23:0]  local_index,  // upper 24 bits of an STag
    input  wire [223:0] local_entry,  // packed STagEntry, from the next cycle on

    // command
    output wire         command_valid,
    input  wire         command_ready,
    output wire [5:0]   command_stream,         // number of the stream
    // number of the responding executor: 0 Read, 1 Atomic; then the end of the stream, its silent end, a message of the
    // requester
    output wire [2:0]   command_kind,
    output wire         command_final,          // last segment of its message
    output wire [31:0]  command_number,         // number of the answered request
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    output wire [6:0]   command_header_length,
    output wire [559:0] command_header,         // octet i in [8i+7:8i]; 0 from header_length on
    output wire [63:0]  command_address,        // of the first octet of payload in memory
    output wire [15:0]  command_payload_length, // octets, 0 to MaxPayload

    // expecting
    output wire         expecting_valid,
    input  wire         expecting_ready,
    output wire [5:0]   expecting_stream,     // number of the stream
    output wire         expecting_executor,   // number of the executor at the peer
    output wire [31:0]  expecting_identifier, // Request Identifier, for requests that have one
    output wire [31:0]  expecting_stag,       // STag: index in [31:8], key in [7:0]
    output wire [63:0]  expecting_to,         // tagged offset of the first octet
    output wire [31:0]  expecting_length,     // octets of the response

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    // abandoned: a work request was issued whose last command will never be reported
    output wire         abandoned_valid,
    input  wire         abandoned_ready,
    output wire [5:0]   abandoned_stream, // number of the stream

    input  wire         look,           // a work request of look_stream is offered in the next cycle
    input  wire [5:0]   look_stream,    // number of the stream
    input  wire [19:0]  state,          // packed sendState of its stream
    input  wire         busy,           // the state of busy_stream is about to change
    input  wire [5:0]   busy_stream,    // number of the stream
    output wire         store,          // an entry of the work requests in progress changes
    output wire [5:0]   store_stream,   // number of the stream
    output wire [3:0]   store_slot,     // its slot in the ring
    output wire [101:0] store_entry,    // packed underWay
    input  wire         opened,         // opened_stream is reset
    input  wire [5:0]   opened_stream,  // number of the stream
    input  wire [15:0]  opened_domain,  // protection domain
    input  wire         reported,       // a command was sent or dropped
    input  wire         closing,        // closing_stream has ended
    input  wire [5:0]   closing_stream  // number of the stream
);
    genvar i;
    localparam [2:0] STATE_IDLE       = 3'd0;
    localparam [2:0] STATE_SENDING    = 3'd1;
    localparam [2:0] STATE_ANNOUNCING = 3'd2;
    localparam [2:0] STATE_FAILING    = 3'd3;
    localparam [2:0] STATE_DRAINING   = 3'd4;
    localparam [2:0] STATE_ABANDONING = 3'd5;
    reg  [2:0] state_q;
    wire       is_idle       = state_q == STATE_IDLE;
    wire       is_sending    = state_q == STATE_SENDING;
    wire       is_announcing = state_q == STATE_ANNOUNCING;
    wire       is_failing    = state_q == STATE_FAILING;
    wire       is_abandoning = state_q == STATE_ABANDONING;
    reg  [5:0] sweep_q;
    reg        swept_q;

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

    // ---- The work request, and the position of the next segment in its message
    localparam [3:0] RDMA_WRITE     = 4'd0;
    localparam [3:0] READ_REQUEST   = 4'd1;
    localparam [3:0] SEND           = 4'd3;
    localparam [3:0] SEND_INV       = 4'd4;
    localparam [3:0] SEND_SE        = 4'd5;
    localparam [3:0] SEND_SE_INV    = 4'd6;
    localparam [3:0] IMMEDIATE      = 4'd8;
    localparam [3:0] IMMEDIATE_SE   = 4'd9;
    localparam [3:0] ATOMIC_REQUEST = 4'd10;
    wire        work_is_write     = work_opcode == RDMA_WRITE;
    wire        work_is_read      = work_opcode == READ_REQUEST;
    wire        work_is_atomic    = work_opcode == ATOMIC_REQUEST;
    wire        work_is_send      =
          (work_opcode == SEND)
        | (work_opcode == SEND_INV)
        | (work_opcode == SEND_SE)
        | (work_opcode == SEND_SE_INV);
    wire        work_invalidates  = (work_opcode == SEND_INV) | (work_opcode == SEND_SE_INV);
    wire        work_is_immediate = (work_opcode == IMMEDIATE) | (work_opcode == IMMEDIATE_SE);
    reg  [5:0]  work_stream_q;
    reg  [63:0] work_id_q;
    reg         work_signaled_q;
    reg  [3:0]  work_opcode_q;
    reg         work_write_q;
    reg         work_read_q;
    reg         work_atomic_q;
    reg         work_send_q;
    reg         work_invalidate_q;
    reg         work_immediate_q;
    reg         work_any_q;
    reg  [31:0] work_local_stag_q;
    reg  [31:0] work_remote_stag_q;
    reg  [31:0] work_length_q;
    reg  [3:0]  work_operands_opcode_q;
    reg  [63:0] work_operands_data_q;
    reg  [63:0] work_operands_mask_q;
    reg  [63:0] work_operands_compare_q;
    reg  [63:0] work_operands_compare_mask_q;
    reg  [63:0] at_local_q;
    reg  [63:0] at_remote_q;
    reg  [31:0] at_offset_q;
    reg  [31:0] at_left_q;
    wire        is_request        = work_read_q | work_atomic_q;
    wire [31:0] octets            = (work_atomic_q | work_immediate_q) ? 32'd8 : work_length_q;

    // ---- State of its stream, read in every cycle before one in which it is offered
    wire [5:0]  stream            = is_idle ? work_stream : work_stream_q;
    wire        begins;
    reg  [83:0] issue_state [0:63];
    reg  [31:0] issued_msn_q;
    reg  [15:0] issued_domain_q;
    reg  [3:0]  issued_slot_q;
    reg  [83:0] issue_state_old_q;
    reg  [83:0] issue_state_new_q;
    reg         issue_state_is_new_q;
    wire [83:0] issue_state_q     = issue_state_is_new_q ? issue_state_new_q : issue_state_old_q;
    wire        asks_for_response = work_is_read | work_is_atomic;
    wire        is_send           = work_is_send | work_is_immediate;
    wire        write_issue_state = ~swept_q | opened | begins;
    wire [5:0]  issue_state_row   =
        ~swept_q ? sweep_q :
        opened   ? opened_stream :
                   work_stream;
    wire [83:0] issue_state_word  =
        ~swept_q ? 84'd0 :
        opened   ? {32'd1, 32'd1, opened_domain, 4'd0} :
                   {
                       issue_state_q[83:52] + {31'd0, is_send},
                       issue_state_q[51:20] + {31'd0, asks_for_response}, issue_state_q[19:4],
                       issue_state_q[3:0] + {3'd0, asks_for_response}
                   };

    always @(posedge clk) begin
        if (write_issue_state) begin
            issue_state[issue_state_row] <= issue_state_word;
        end
        if (look) begin
            issue_state_old_q <= issue_state[look_stream];
        end
    end

    always @(posedge clk) begin
        if (look) begin
            issue_state_is_new_q <= write_issue_state & (issue_state_row == look_stream);
            issue_state_new_q    <= issue_state_word;
        end
    end

    // ---- May it be issued?
    // Counts are modulo twice the limit: the top bit of a difference is set when the limit is reached.
    wire [4:0] under_way  = number - state[17:13];
    wire [3:0] unanswered = issue_state_q[3:0] - state[7:4];
    wire limited = under_way[4] | (asks_for_response & unanswered[3]);
    wire decides = is_idle & work_valid & ~opened & ~(busy & (busy_stream == work_stream));
    assign work_ready = decides;
    assign refused    = limited;
    assign begins     = decides & ~limited;
    wire closes  = closing & (closing_stream == stream);
    reg  closed_q;

    // ---- Segment: the local buffer is looked up in the cycle before each check
    assign local_enable = begins | is_sending;
    assign local_index  = is_idle ? work_local_stag[31:8] : work_local_stag_q[31:8];
    wire        moves_payload  = work_write_q | work_send_q;
    wire        fits           = at_left_q <= 32'd1024;
    wire        last           = ~moves_payload | fits;
    wire [31:0] segment_length = fits ? at_left_q : 32'd1024;
    wire [31:0] checked_length           =
        is_request       ? octets :
        work_immediate_q ? 32'd0 :
                           segment_length;
    wire        local_buffer_reaches_memory = |checked_length;
    // End of the octets, and the rest of the region after them: negative if they end outside.
    wire [64:0] local_buffer_end   = {1'b0, at_local_q} + {33'd0, checked_length};
    wire [63:0] local_buffer_base  = local_entry[191:128];
    wire [65:0] local_buffer_slack =
        ({2'd0, local_buffer_base} + {2'd0, local_entry[127:64]}) - {1'b0, local_buffer_end};
    wire local_buffer_bad_stag    =
        local_buffer_reaches_memory & (~local_entry[223] | (local_entry[222:215] != work_local_stag_q[7:0]));
    wire local_buffer_bad_association =
          local_buffer_reaches_memory
        & (local_entry[207:192] != (local_entry[208] ? issued_domain_q : {10'd0, work_stream_q}));
    wire local_buffer_bad_access  =
        local_buffer_reaches_memory & ~(is_request ? local_entry[213] : local_entry[214]);
    wire local_buffer_to_wraps    =
        local_buffer_reaches_memory & local_buffer_end[64] & (|local_buffer_end[63:0]);
    wire local_buffer_out_of_bounds =
        local_buffer_reaches_memory & (local_buffer_slack[65] | (at_local_q < local_buffer_base));
    wire fails                    =
          is_sending
        & ~closed_q
        & (
                local_buffer_bad_stag
              | local_buffer_bad_association
              | local_buffer_bad_access
              | local_buffer_to_wraps
              | local_buffer_out_of_bounds
              | ~work_any_q
          );

    // ---- Command
    reg  [5:0]   held_stream_q;
    reg          held_final_q;
    reg  [6:0]   held_header_length_q;
    reg  [559:0] held_header_q;
    reg  [63:0]  held_address_q;
    reg  [15:0]  held_payload_length_q;
    reg          held_valid_q;
    reg  [15:0]  unreported_q;
    wire         free          = (~held_valid_q | command_ready) & (~&unreported_q);
    wire         proceeds      = is_sending & ~closed_q & ~fails & free;
    wire         announced     = is_announcing & expecting_ready;
    wire         makes_command = announced | (proceeds & ~is_request);
    wire [111:0] tagged_header = {
        1'b1, last, 4'd0, 2'd1, 2'd1, 2'd0, work_opcode_q, work_remote_stag_q, at_remote_q
    };
    // Requests share the Message Sequence Numbers of queue 1; all else is on queue 0.
    wire [143:0] untagged_header = {
        1'b0, last, 4'd0, 2'd1, 2'd1, 2'd0, work_opcode_q, work_remote_stag_q & {32{work_invalidate_q}},
        (work_read_q | work_atomic_q) ? 32'd1 : 32'd0, issued_msn_q, at_offset_q
    };
    wire [223:0] read_header     = {work_local_stag_q, at_local_q, octets, work_remote_stag_q, at_remote_q};
    // Fields that an operation does not use are sent as zeros, masks as ones (RFC 7306 section 5.2.1).
    localparam [3:0] SWAP = 4'd1;
    wire swaps = work_operands_opcode_q == SWAP;
    localparam [3:0] CMP_SWAP = 4'd2;
    wire         compares       = work_operands_opcode_q == CMP_SWAP;
    wire [415:0] atomic_header  = {
        28'd0, work_operands_opcode_q, issued_msn_q, work_remote_stag_q, at_remote_q, work_operands_data_q,
        work_operands_mask_q | {64{swaps}}, work_operands_compare_q & {64{compares}},
        work_operands_compare_mask_q | {64{~compares}}
    };
    wire [415:0] message_header =
        work_read_q      ? {read_header, 192'd0} :
        work_atomic_q    ? atomic_header :
        work_immediate_q ? {work_operands_data_q, 352'd0} :
                           416'd0;
    wire [559:0] header         = work_write_q ? {tagged_header, 448'd0} : {untagged_header, message_header};
    wire [6:0]   header_length  =
        work_write_q     ? 7'd14 :
        work_read_q      ? 7'd46 :
        work_atomic_q    ? 7'd70 :
        work_immediate_q ? 7'd26 :
                           7'd18;

    wire [559:0] held_header_reversed;
    generate
        for (i = 0; i < 70; i = i + 1) begin : each_held_header_reversed
            assign held_header_reversed[8 * i +: 8] = header[8 * (69 - i) +: 8];
        end
    endgenerate
    always @(posedge clk) begin
        if (makes_command) begin
            held_stream_q         <= work_stream_q;
            held_final_q          <= last;
            held_header_length_q  <= header_length;
            held_header_q         <= held_header_reversed;
            held_address_q        <= (local_entry[63:0] + at_local_q) - local_buffer_base;
            held_payload_length_q <= segment_length[15:0] & {16{moves_payload}};
            held_valid_q          <= 1'b1;
        end else if (command_ready) begin
            held_valid_q <= 1'b0;
        end
        if (makes_command & ~reported) begin
            unreported_q <= unreported_q + 16'd1;
        end else if (reported & ~makes_command) begin
            unreported_q <= unreported_q - 16'd1;
        end
        if (rst) begin
            held_valid_q <= 1'b0;
            unreported_q <= 16'd0;
        end
    end

    assign command_valid          = held_valid_q;
    assign command_stream         = held_stream_q;
    assign command_kind           = 3'd4;
    assign command_final          = held_final_q;
    assign command_number         = 32'd0;
    assign command_header_length  = held_header_length_q;
    assign command_header         = held_header_q;
    assign command_address        = held_address_q;
    assign command_payload_length = held_payload_length_q;
    assign expecting_valid        = is_announcing;
    assign expecting_stream       = work_stream_q;
    assign expecting_executor     = work_atomic_q;
    assign expecting_identifier   = issued_msn_q;
    assign expecting_stag         = work_local_stag_q;
    assign expecting_to           = at_local_q;
    assign expecting_length       = octets;

    // ---- Work requests in progress; a failed one is marked
    reg just_issued_q;
    assign store         = just_issued_q | fails;
    assign store_stream  = work_stream_q;
    assign store_slot    = issued_slot_q;
    assign store_entry   = {work_id_q, work_opcode_q, work_signaled_q, octets, fails};
    assign failed_valid  = is_failing;
    assign failed_stream = work_stream_q;
    assign failed_fault  = 1'b0;
    // Only after the commands of earlier messages have left.
    assign abandoned_valid  = is_abandoning & ~held_valid_q;
    assign abandoned_stream = work_stream_q;

    always @(posedge clk) begin
        just_issued_q <= begins;
        if (begins) begin
            work_stream_q                <= work_stream;
            work_id_q                    <= work_id;
            work_signaled_q              <= work_signaled;
            work_opcode_q                <= work_opcode;
            work_write_q                 <= work_is_write;
            work_read_q                  <= work_is_read;
            work_atomic_q                <= work_is_atomic;
            work_send_q                  <= work_is_send;
            work_invalidate_q            <= work_invalidates;
            work_immediate_q             <= work_is_immediate;
            work_any_q                   <=
                work_is_write | work_is_read | work_is_atomic | work_is_send | work_is_immediate;
            work_local_stag_q            <= work_local_stag;
            work_remote_stag_q           <= work_remote_stag;
            work_length_q                <= work_length;
            work_operands_opcode_q       <= work_atomic_opcode;
            work_operands_data_q         <= work_atomic_data;
            work_operands_mask_q         <= work_atomic_mask;
            work_operands_compare_q      <= work_atomic_compare;
            work_operands_compare_mask_q <= work_atomic_compare_mask;
            at_local_q                   <= work_local_to;
            at_remote_q                  <= work_remote_to;
            at_offset_q                  <= 32'd0;
            at_left_q                    <= work_length;
        end else if (makes_command) begin
            at_local_q  <= at_local_q + 64'd1024;
            at_remote_q <= at_remote_q + 64'd1024;
            at_offset_q <= at_offset_q + 32'd1024;
            at_left_q   <= at_left_q - 32'd1024;
        end
        if (begins) begin
            issued_msn_q    <= asks_for_response ? issue_state_q[51:20] : issue_state_q[83:52];
            issued_domain_q <= issue_state_q[19:4];
            issued_slot_q   <= number[3:0];
            closed_q        <= closes;
        end else if (closes) begin
            closed_q <= 1'b1;
        end
        case (state_q)
            STATE_IDLE: begin
                if (begins & state[19]) begin
                    state_q <= STATE_ABANDONING;
                end else if (begins) begin
                    state_q <= STATE_SENDING;
                end
            end
            STATE_SENDING: begin
                if (closed_q) begin
                    state_q <= STATE_DRAINING;
                end else if (fails) begin
                    state_q <= STATE_FAILING;
                end else if (proceeds & is_request) begin
                    state_q <= STATE_ANNOUNCING;
                end else if (proceeds & last) begin
                    state_q <= STATE_IDLE;
                end
            end
            STATE_ANNOUNCING: begin
                if (announced) begin
                    state_q <= STATE_IDLE;
                end
            end
            STATE_FAILING: begin
                if (failed_ready) begin
                    state_q <= STATE_DRAINING;
                end
            end
            STATE_DRAINING: begin
                if (~|unreported_q) begin
                    state_q <= STATE_ABANDONING;
                end
            end
            STATE_ABANDONING: begin
                if (abandoned_ready & ~held_valid_q) begin
                    state_q <= STATE_IDLE;
                end
            end
            default: ;
        endcase
        if (rst) begin
            just_issued_q <= 1'b0;
            state_q       <= STATE_IDLE;
        end
    end

    // Not read:
    // state[18], state[12:8], state[3:0]: only send_completion reads them
    // under_way[3:0], unanswered[2:0]: only whether the limit is reached matters
    // local_entry[212], local_entry[211], local_entry[210], local_entry[209]: rights of the peer
    // local_buffer_slack[64:0]: only the sign matters
    wire unused = &{
        1'b0, state[18], state[12:8], state[3:0], under_way[3:0], unanswered[2:0], local_entry[212],
        local_entry[211], local_entry[210], local_entry[209], local_buffer_slack[64:0]
    };
endmodule
`default_nettype wire
