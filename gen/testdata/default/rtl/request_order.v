// request_order starts the requests of the peer in order of arrival (RFC 7306 section 7, RFC 5040 section 5.5): a
// Read when the earlier Atomics of its stream are in memory and their responses have been handed to the transmit
// side, an Atomic when the earlier Reads are answered. Reads among themselves, and Atomics, follow each other without
// waiting. The end of a stream leaves when all its requests are answered.
//
// If the STag of a request has been invalidated since the request was accepted, the stream fails with an invalid
// STag, and none of its requests starts any more. Each stream has one word: the numbers of its latest Atomic and
// Read.
//
// Built for streams 64, atomic_depth 512.
`default_nettype none
module request_order (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // request
    input  wire         request_valid,
    output wire         request_ready,
    input  wire [5:0]   request_stream,         // number of the stream
    // number of the executor: 0 Read, 1 Atomic; then the end of the stream, and its silent end
    input  wire [1:0]   request_kind,
    input  wire [31:0]  request_number,         // number of the request; returned in its credit
    input  wire [31:0]  request_stag,           // STag of the target or source
    input  wire [63:0]  request_address,        // of the target or source in memory
    input  wire [31:0]  request_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   request_term_layer,
    input  wire [3:0]   request_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   request_term_code,      // error code that the Terminate reports
    input  wire [5:0]   request_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    input  wire [15:0]  request_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    input  wire [415:0] request_body,

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

    // recheck
    output wire         recheck_enable, // look index up in this cycle
    output wire [23:0]  recheck_index,  // upper 24 bits of an STag
    input  wire [223:0] recheck_entry,  // packed STagEntry, from the next cycle on

    // read
    output wire         read_valid,
    input  wire         read_ready,
    output wire [5:0]   read_stream,    // number of the stream
    output wire [31:0]  read_number,    // of the request
    output wire [63:0]  read_address,   // of the first octet in memory
    output wire [31:0]  read_length,    // octets, 32 bits, may be 0
    output wire [31:0]  read_sink_stag, // STag: index in [31:8], key in [7:0]
    output wire [63:0]  read_sink_to,   // tagged offset of the first octet

    // atomic
    output wire         atomic_valid,
    input  wire         atomic_ready,
    output wire [5:0]   atomic_stream,       // number of the stream
    output wire [31:0]  atomic_number,       // of the request
    output wire [31:0]  atomic_atomic_msn,   // MSN of the response on queue 3
    output wire [31:0]  atomic_identifier,   // Request Identifier
    output wire [63:0]  atomic_address,      // of the word in memory, a multiple of 8
    output wire [3:0]   atomic_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    output wire [63:0]  atomic_data,
    output wire [63:0]  atomic_mask,         // Add Mask or Swap Mask
    output wire [63:0]  atomic_compare,      // Compare Data
    output wire [63:0]  atomic_compare_mask, // Compare Mask

    // end
    output wire         end_valid,
    input  wire         end_ready,
    output wire [5:0]   end_stream,         // number of the stream
    // number of the executor: 0 Read, 1 Atomic; then the end of the stream, and its silent end
    output wire [1:0]   end_kind,
    output wire [31:0]  end_number,         // number of the request; returned in its credit
    output wire [31:0]  end_stag,           // STag of the target or source
    output wire [63:0]  end_address,        // of the target or source in memory
    output wire [31:0]  end_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   end_term_layer,
    output wire [3:0]   end_term_etype,     // error type that the Terminate reports
    output wire [7:0]   end_term_code,      // error code that the Terminate reports
    output wire [5:0]   end_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    output wire [15:0]  end_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    output wire [415:0] end_body,

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    // the last segment of a Read has been sent or dropped; in the order of the Reads
    input  wire         read_done,
    input  wire [9:0]   atomic_written,  // number of the latest atomic that is in memory
    // an atomic's response has been handed to the transmit side; in the order of the atomics
    input  wire         atomic_answered
);
    genvar i;
    wire leave;

    // ---- Fetch: the stream's word and the row of the STag
    reg [5:0]   held_stream_q;
    reg [1:0]   held_kind_q;
    reg [31:0]  held_number_q;
    reg [31:0]  held_stag_q;
    reg [63:0]  held_address_q;
    reg [31:0]  held_response_msn_q;
    reg [3:0]   held_term_layer_q;
    reg [3:0]   held_term_etype_q;
    reg [7:0]   held_term_code_q;
    reg [5:0]   held_header_length_q;
    reg [15:0]  held_segment_length_q;
    reg [415:0] held_body_q;
    reg         held_valid_q;
    reg         held_is_opening_q;
    reg [5:0]   sweep_q;
    reg         swept_q;

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

    wire advance = swept_q & (~held_valid_q | leave);
    wire take    = advance & (opening_valid | request_valid);
    assign opening_ready = advance;
    assign request_ready = advance & ~opening_valid;
    wire [5:0] fetched_stream = opening_valid ? opening_stream : request_stream;

    always @(posedge clk) begin
        if (advance) begin
            held_valid_q <= take;
        end
        if (take) begin
            held_stream_q         <= fetched_stream;
            held_kind_q           <= request_kind;
            held_number_q         <= request_number;
            held_stag_q           <= request_stag;
            held_address_q        <= request_address;
            held_response_msn_q   <= request_response_msn;
            held_term_layer_q     <= request_term_layer;
            held_term_etype_q     <= request_term_etype;
            held_term_code_q      <= request_term_code;
            held_header_length_q  <= request_header_length;
            held_segment_length_q <= request_segment_length;
            held_body_q           <= request_body;
            held_is_opening_q     <= opening_valid;
        end
        if (rst) begin
            held_valid_q <= 1'b0;
        end
    end

    // The row is looked up again in every cycle in which the request waits.
    wire        waits;
    assign recheck_enable = take | waits;
    assign recheck_index  = take ? request_stag[31:8] : held_stag_q[31:8];
    reg  [19:0] stream_state [0:63];
    reg         update_valid_q;
    reg  [5:0]  update_stream_q;
    reg  [19:0] update_q;
    wire        write_stream_state = ~swept_q | update_valid_q;
    wire [5:0]  stream_state_row   = ~swept_q ? sweep_q : update_stream_q;
    wire [19:0] stream_state_word  = ~swept_q ? 20'd0 : update_q;
    reg  [19:0] stored_old_q;
    reg  [19:0] stored_new_q;
    reg         stored_is_new_q;
    wire [19:0] stored             = stored_is_new_q ? stored_new_q : stored_old_q;

    always @(posedge clk) begin
        if (write_stream_state) begin
            stream_state[stream_state_row] <= stream_state_word;
        end
        if (take) begin
            stored_old_q <= stream_state[fetched_stream];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            stored_is_new_q <= write_stream_state & (stream_state_row == fetched_stream);
            stored_new_q    <= stream_state_word;
        end
    end

    wire        forward          = update_valid_q & (update_stream_q == held_stream_q);
    wire [19:0] stream_state_now = forward ? update_q : stored;
    wire        now_failed       = stream_state_now[19];
    wire [8:0]  now_read         = stream_state_now[18:10];
    wire [9:0]  now_atomic       = stream_state_now[9:0];

    // ---- Requests in progress
    reg  [8:0] reads_issued_q;
    reg  [8:0] reads_done_q;
    wire       after_read      = (reads_issued_q - now_read) < (reads_issued_q - reads_done_q);
    wire       read_has_number = (reads_issued_q + 9'd1) != reads_done_q;
    reg  [9:0] atomics_issued_q;
    reg  [9:0] atomics_answered_q;
    wire       after_atomic    =
          ((atomics_issued_q - now_atomic) < (atomics_issued_q - atomic_written))
        | ((atomics_issued_q - now_atomic) < (atomics_issued_q - atomics_answered_q));

    // ---- Start
    wire        row_valid                = recheck_entry[223];
    wire [7:0]  row_key                  = recheck_entry[222:215];
    wire        row_rights_local_read    = recheck_entry[214];
    wire        row_rights_local_write   = recheck_entry[213];
    wire        row_rights_remote_read   = recheck_entry[212];
    wire        row_rights_remote_write  = recheck_entry[211];
    wire        row_rights_remote_atomic = recheck_entry[210];
    wire        row_rights_invalidate    = recheck_entry[209];
    wire        row_by_domain            = recheck_entry[208];
    wire [15:0] row_owner                = recheck_entry[207:192];
    wire [63:0] row_base                 = recheck_entry[191:128];
    wire [63:0] row_length               = recheck_entry[127:64];
    wire [63:0] row_address              = recheck_entry[63:0];
    // What follows the DDP header, octet 0 in the high bits.
    wire [415:0] body;
    generate
        for (i = 0; i < 52; i = i + 1) begin : each_body
            assign body[8 * i +: 8] = held_body_q[8 * (51 - i) +: 8];
        end
    endgenerate
    wire [31:0] body_read_message_size  = body[319:288];
    wire [31:0] body_data_sink_stag     = body[415:384];
    wire [63:0] body_data_sink_to       = body[383:320];
    wire [3:0]  body_aopcode            = body[387:384];
    wire [63:0] body_add_or_swap_data   = body[255:192];
    wire [63:0] body_add_or_swap_mask   = body[191:128];
    wire [63:0] body_compare_data       = body[127:64];
    wire [63:0] body_compare_mask       = body[63:0];
    wire [31:0] body_request_identifier = body[383:352];
    localparam [1:0] REQUEST_READ   = 2'd0;
    localparam [1:0] REQUEST_ATOMIC = 2'd1;
    localparam [1:0] REQUEST_END    = 2'd2;
    localparam [1:0] REQUEST_CLOSE  = 2'd3;
    wire is_read        = held_kind_q == REQUEST_READ;
    wire is_atomic      = held_kind_q == REQUEST_ATOMIC;
    wire is_end         = (held_kind_q == REQUEST_END) | (held_kind_q == REQUEST_CLOSE);
    wire stag_is_gone   = ~row_valid | (row_key != held_stag_q[7:0]);
    wire reaches_memory = (is_read & (|body_read_message_size)) | is_atomic;
    wire is_request     = held_valid_q & ~held_is_opening_q;
    assign waits               =
          is_request
        & (is_read ? (after_atomic | ~read_has_number) : is_atomic ? after_read : (after_read | after_atomic));
    wire has_its_turn   = is_request & ~waits;
    wire starts         = has_its_turn & ~now_failed & ~(reaches_memory & stag_is_gone);
    wire ends           = has_its_turn & is_end;
    wire fails          = has_its_turn & ~now_failed & reaches_memory & stag_is_gone;
    wire dropped        = is_request & now_failed & ~is_end;
    wire start_read     = starts & is_read;
    assign read_valid          = start_read;
    assign read_stream         = held_stream_q;
    assign read_number         = held_number_q;
    assign read_address        = held_address_q;
    assign read_length         = body_read_message_size;
    assign read_sink_stag      = body_data_sink_stag;
    assign read_sink_to        = body_data_sink_to;
    wire start_atomic   = starts & is_atomic;
    assign atomic_valid        = start_atomic;
    assign atomic_stream       = held_stream_q;
    assign atomic_number       = held_number_q;
    assign atomic_atomic_msn   = held_response_msn_q;
    assign atomic_identifier   = body_request_identifier;
    assign atomic_address      = held_address_q;
    assign atomic_opcode       = body_aopcode;
    assign atomic_data         = body_add_or_swap_data;
    assign atomic_mask         = body_add_or_swap_mask;
    assign atomic_compare      = body_compare_data;
    assign atomic_compare_mask = body_compare_mask;
    assign leave               =
          held_valid_q
        & (
                held_is_opening_q
              | (start_read & read_ready)
              | (start_atomic & atomic_ready)
              | (ends & end_ready)
              | (fails & failed_ready)
              | dropped
          );
    assign end_valid           = ends;
    assign end_stream          = held_stream_q;
    assign end_kind            = held_kind_q;
    assign end_number          = held_number_q;
    assign end_stag            = held_stag_q;
    assign end_address         = held_address_q;
    assign end_response_msn    = held_response_msn_q;
    assign end_term_layer      = held_term_layer_q;
    assign end_term_etype      = held_term_etype_q;
    assign end_term_code       = held_term_code_q;
    assign end_header_length   = held_header_length_q;
    assign end_segment_length  = held_segment_length_q;
    assign end_body            = held_body_q;
    assign failed_valid        = fails;
    assign failed_stream       = held_stream_q;
    assign failed_fault        = 1'b1;

    // ---- New state of the stream
    always @(posedge clk) begin
        if (read_done) begin
            reads_done_q <= reads_done_q + 9'd1;
        end
        if (leave & start_read) begin
            reads_issued_q <= reads_issued_q + 9'd1;
        end
        if (rst) begin
            reads_done_q   <= 9'd0;
            reads_issued_q <= 9'd0;
        end
    end

    always @(posedge clk) begin
        if (atomic_answered) begin
            atomics_answered_q <= atomics_answered_q + 10'd1;
        end
        if (leave & start_atomic) begin
            atomics_issued_q <= atomics_issued_q + 10'd1;
        end
        if (rst) begin
            atomics_answered_q <= 10'd0;
            atomics_issued_q   <= 10'd0;
        end
    end

    always @(posedge clk) begin
        if (leave) begin
            update_valid_q  <= 1'b1;
            update_stream_q <= held_stream_q;
            update_q        <=
                  {
                      now_failed | fails, start_read ? (reads_issued_q + 9'd1) : now_read,
                      start_atomic ? (atomics_issued_q + 10'd1) : now_atomic
                  }
                & {20{~held_is_opening_q}};
        end
        if (rst) begin
            update_valid_q <= 1'b0;
        end
    end

    // Not read:
    // opening_open, opening_domain: an opening resets the stream, whether it opens or closes it
    // row_rights_local_read, row_rights_local_write, row_rights_remote_read, row_rights_remote_write,
    // row_rights_remote_atomic, row_rights_invalidate, row_by_domain, row_owner, row_base, row_length, row_address:
    // checked when the request was accepted
    // held_stag_q: only the key is compared again
    // body: only its fields are read
    wire unused = &{
        1'b0, opening_open, opening_domain, row_rights_local_read, row_rights_local_write,
        row_rights_remote_read, row_rights_remote_write, row_rights_remote_atomic, row_rights_invalidate,
        row_by_domain, row_owner, row_base, row_length, row_address, held_stag_q, body
    };
endmodule
`default_nettype wire
