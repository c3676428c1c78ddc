// atomic_check decides what becomes of each record, in order, one a clock. An Atomic Request that names the
// window rightly leaves as an access with the MSN of its response; everything else leaves as a record. The first
// error of a stream ends it: its later records have the error stream_terminated, and nothing of it is executed.
//
// Order of the checks (RFC 7306 sections 5.2.1 and 8.2): AOpCode, STag, TO wrap, bounds, alignment of the address.
// After reset the state of every stream is set up, one stream a clock, before the first record is taken.
`default_nettype none
module atomic_check_4096_64 (
    input  wire         clk,
    input  wire         rst,
    input  wire         record_valid,
    output wire         record_ready,
    input  wire [5:0]   record_stream,
    input  wire [3:0]   record_error,
    input  wire [3:0]   record_term_layer,
    input  wire [3:0]   record_term_etype,
    input  wire [7:0]   record_term_code,
    input  wire [15:0]  record_segment_length,
    input  wire [15:0]  record_payload_length,
    input  wire [559:0] record_header,
    input  wire         setup_valid,
    output wire         setup_ready,
    input  wire [5:0]   setup_stream,
    input  wire [31:0]  setup_msn,
    input  wire [31:0]  window_stag,
    input  wire [63:0]  window_base,
    output wire         access_valid,
    input  wire         access_ready,
    output wire         access_host,
    output wire [5:0]   access_stream,
    output wire [31:0]  access_msn,
    output wire [31:0]  access_identifier,
    output wire [11:0]  access_index,
    output wire [3:0]   access_opcode,
    output wire [63:0]  access_data,
    output wire [63:0]  access_mask,
    output wire [63:0]  access_compare,
    output wire [63:0]  access_compare_mask,
    output wire         other_valid,
    input  wire         other_ready,
    output wire [5:0]   other_stream,
    output wire [3:0]   other_error,
    output wire [3:0]   other_term_layer,
    output wire [3:0]   other_term_etype,
    output wire [7:0]   other_term_code,
    output wire [15:0]  other_segment_length,
    output wire [15:0]  other_payload_length,
    output wire [559:0] other_header
);
    genvar i;
    wire decide;

    // ---- Fetch: a stream's state is read while its record, or its set-up, moves on
    localparam STATE_CLEARING = 1'd0;
    localparam STATE_RUNNING  = 1'd1;
    reg          state_q;
    reg  [5:0]   sweep_q;
    reg  [5:0]   lookup_stream_q;
    reg  [3:0]   lookup_error_q;
    reg  [3:0]   lookup_term_layer_q;
    reg  [3:0]   lookup_term_etype_q;
    reg  [7:0]   lookup_term_code_q;
    reg  [15:0]  lookup_segment_length_q;
    reg  [15:0]  lookup_payload_length_q;
    reg  [559:0] lookup_header_q;
    reg          lookup_valid_q;
    reg          lookup_is_setup_q;
    reg  [31:0]  lookup_setup_msn_q;
    wire         is_running     = state_q == STATE_RUNNING;
    wire         advance        = is_running & (~lookup_valid_q | decide);
    wire         take           = advance & (setup_valid | record_valid);
    assign setup_ready  = advance;
    assign record_ready = advance & ~setup_valid;
    wire [5:0]   fetched_stream = setup_valid ? setup_stream : record_stream;

    always @(posedge clk) begin
        case (state_q)
            STATE_CLEARING: begin
                sweep_q <= sweep_q + 6'd1;
                if (&sweep_q) begin
                    state_q <= STATE_RUNNING;
                end
            end
            STATE_RUNNING: ;
            default: ;
        endcase
        if (advance) begin
            lookup_valid_q <= take;
        end
        if (take) begin
            lookup_stream_q         <= fetched_stream;
            lookup_error_q          <= record_error;
            lookup_term_layer_q     <= record_term_layer;
            lookup_term_etype_q     <= record_term_etype;
            lookup_term_code_q      <= record_term_code;
            lookup_segment_length_q <= record_segment_length;
            lookup_payload_length_q <= record_payload_length;
            lookup_header_q         <= record_header;
            lookup_is_setup_q       <= setup_valid;
            lookup_setup_msn_q      <= setup_msn;
        end
        if (rst) begin
            sweep_q        <= 6'd0;
            state_q        <= STATE_CLEARING;
            lookup_valid_q <= 1'b0;
        end
    end

    // ---- State memory: {terminated, MSN of the next response}
    // The last decision stays in the update registers. Writing it again changes nothing, and the record behind it sees it there.
    reg         update_valid_q;
    reg  [5:0]  update_stream_q;
    reg  [32:0] update_state_q;
    reg  [32:0] stream_state [0:63];
    wire        write_state    = ~is_running | update_valid_q;
    wire [5:0]  written_stream = is_running ? update_stream_q : sweep_q;
    wire [32:0] written_state  = is_running ? update_state_q : {1'b0, 32'd1};
    reg  [32:0] stored_state_old_q;
    reg  [32:0] stored_state_new_q;
    reg         stored_state_is_new_q;
    wire [32:0] stored_state   = stored_state_is_new_q ? stored_state_new_q : stored_state_old_q;

    always @(posedge clk) begin
        if (write_state) begin
            stream_state[written_stream] <= written_state;
        end
        if (take) begin
            stored_state_old_q <= stream_state[fetched_stream];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            stored_state_is_new_q <= write_state & (written_stream == fetched_stream);
            stored_state_new_q    <= written_state;
        end
    end

    wire        forward    = update_valid_q & (update_stream_q == lookup_stream_q);
    wire [32:0] stream_now = forward ? update_state_q : stored_state;

    // ---- Decide
    wire [559:0] header;
    generate
        for (i = 0; i < 70; i = i + 1) begin : each_header
            assign header[8 * i +: 8] = lookup_header_q[8 * (69 - i) +: 8];
        end
    endgenerate
    localparam [3:0] ATOMIC_REQUEST = 4'd10;
    wire is_atomic = header[547:544] == ATOMIC_REQUEST;
    localparam [3:0] FETCH_ADD = 4'd0;
    localparam [3:0] CMP_SWAP  = 4'd2;
    wire        bad_aopcode   = ~((header[387:384] == FETCH_ADD) | (header[387:384] == CMP_SWAP));
    wire        bad_stag      = header[351:320] != window_stag;
    wire [63:0] remote_to     = header[319:256];
    wire        to_wraps      = (&remote_to[63:3]) & (|remote_to[2:0]);
    wire [63:0] window_offset = remote_to - window_base;
    wire        out_of_bounds = 64'd32760 < window_offset;
    wire        unaligned     = |window_offset[2:0];
    localparam [3:0] ERROR_STREAM_TERMINATED = 4'd15;
    localparam [3:0] ERROR_ATOMIC_OPCODE     = 4'd10;
    localparam [3:0] ERROR_STAG              = 4'd11;
    localparam [3:0] ERROR_TO_WRAP           = 4'd12;
    localparam [3:0] ERROR_BOUNDS            = 4'd13;
    localparam [3:0] ERROR_ALIGNMENT         = 4'd14;
    // {error, layer, error type, error code}
    wire [19:0] fault   =
        stream_now[32]              ? {ERROR_STREAM_TERMINATED, 4'd0, 4'd0, 8'h00} :
        (|lookup_error_q)           ? {
                                          lookup_error_q, lookup_term_layer_q, lookup_term_etype_q,
                                          lookup_term_code_q
                                      } :
        (is_atomic & bad_aopcode)   ? {ERROR_ATOMIC_OPCODE, 4'd0, 4'd2, 8'h06} :
        (is_atomic & bad_stag)      ? {ERROR_STAG, 4'd0, 4'd1, 8'h00} :
        (is_atomic & to_wraps)      ? {ERROR_TO_WRAP, 4'd0, 4'd1, 8'h04} :
        (is_atomic & out_of_bounds) ? {ERROR_BOUNDS, 4'd0, 4'd1, 8'h01} :
        (is_atomic & unaligned)     ? {ERROR_ALIGNMENT, 4'd0, 4'd2, 8'h07} :
                                      20'd0;
    wire        execute = is_atomic & (~|fault[19:16]);

    always @(posedge clk) begin
        if (decide) begin
            update_valid_q  <= 1'b1;
            update_stream_q <= lookup_stream_q;
            update_state_q  <=
                lookup_is_setup_q ? {1'b0, lookup_setup_msn_q} :
                                    {stream_now[32] | (|fault[19:16]), stream_now[31:0] + {31'd0, execute}};
        end
        if (rst) begin
            update_valid_q <= 1'b0;
        end
    end

    // ---- Outcome
    reg  [5:0]   out_stream_q;
    reg  [3:0]   out_error_q;
    reg  [3:0]   out_term_layer_q;
    reg  [3:0]   out_term_etype_q;
    reg  [7:0]   out_term_code_q;
    reg  [15:0]  out_segment_length_q;
    reg  [15:0]  out_payload_length_q;
    reg  [559:0] out_header_q;
    reg          out_valid_q;
    reg          out_execute_q;
    reg  [11:0]  out_index_q;
    reg  [31:0]  out_msn_q;
    wire         out_free = ~out_valid_q | (out_execute_q ? access_ready : other_ready);
    assign decide = lookup_valid_q & (lookup_is_setup_q | out_free);

    always @(posedge clk) begin
        if (out_free) begin
            out_valid_q <= decide & ~lookup_is_setup_q;
        end
        if (decide & ~lookup_is_setup_q) begin
            out_stream_q         <= lookup_stream_q;
            out_error_q          <= fault[19:16];
            out_term_layer_q     <= fault[15:12];
            out_term_etype_q     <= fault[11:8];
            out_term_code_q      <= fault[7:0];
            out_segment_length_q <= lookup_segment_length_q;
            out_payload_length_q <= lookup_payload_length_q;
            out_header_q         <= lookup_header_q;
            out_execute_q        <= execute;
            out_index_q          <= window_offset[14:3];
            out_msn_q            <= stream_now[31:0];
        end
        if (rst) begin
            out_valid_q <= 1'b0;
        end
    end

    assign other_valid          = out_valid_q & ~out_execute_q;
    assign other_stream         = out_stream_q;
    assign other_error          = out_error_q;
    assign other_term_layer     = out_term_layer_q;
    assign other_term_etype     = out_term_etype_q;
    assign other_term_code      = out_term_code_q;
    assign other_segment_length = out_segment_length_q;
    assign other_payload_length = out_payload_length_q;
    assign other_header         = out_header_q;
    wire [559:0] out_header;
    generate
        for (i = 0; i < 70; i = i + 1) begin : each_out_header
            assign out_header[8 * i +: 8] = out_header_q[8 * (69 - i) +: 8];
        end
    endgenerate
    assign access_valid        = out_valid_q & out_execute_q;
    assign access_host         = 1'b0;
    assign access_stream       = out_stream_q;
    assign access_msn          = out_msn_q;
    assign access_identifier   = out_header[383:352];
    assign access_index        = out_index_q;
    assign access_opcode       = out_header[387:384];
    assign access_data         = out_header[255:192];
    assign access_mask         = out_header[191:128];
    assign access_compare      = out_header[127:64];
    assign access_compare_mask = out_header[63:0];

    wire unused = &{
        1'b0, header, out_header[559:416], out_header[415:388], out_header[351:320], out_header[319:256]
    };
endmodule
`default_nettype wire
