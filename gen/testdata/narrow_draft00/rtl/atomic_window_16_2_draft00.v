// atomic_window is a memory of 64-bit words on which one access a clock is read, computed and written back
// (RFC 7306 section 5.1), also when consecutive accesses hit one word: the result that is being written is
// forwarded to the access behind it. Nothing comes between the read and the write of an access (section 5.3).
`default_nettype none
module atomic_window_16_2_draft00 (
    input  wire        clk,
    input  wire        rst,
    input  wire        req_valid,
    output wire        req_ready,
    input  wire        req_host,
    input  wire        req_stream,
    input  wire [31:0] req_msn,
    input  wire [31:0] req_identifier,
    input  wire [3:0]  req_index,
    input  wire [3:0]  req_opcode,
    input  wire [63:0] req_data,
    input  wire [63:0] req_mask,
    input  wire [63:0] req_compare,
    input  wire [63:0] req_compare_mask,
    output wire        reply_valid,
    input  wire        reply_ready,
    output wire        reply_stream,
    output wire [31:0] reply_msn,
    output wire [31:0] reply_identifier,
    output wire [63:0] reply_original,
    output wire        host_valid,
    input  wire        host_ready,
    output wire [63:0] host_data
);
    wire        op_valid;
    wire        op_ready;
    wire [3:0]  op_opcode;
    wire [63:0] op_original;
    wire [63:0] op_data;
    wire [63:0] op_mask;
    wire [63:0] op_compare;
    wire [63:0] op_compare_mask;
    wire        done_valid;
    wire        done_ready;
    wire [63:0] done_original;
    wire [63:0] done_result;

    // ---- Read: the word is fetched while the access moves to the execute stage
    reg         execute_host_q;
    reg         execute_stream_q;
    reg  [31:0] execute_msn_q;
    reg  [31:0] execute_identifier_q;
    reg  [3:0]  execute_index_q;
    reg  [3:0]  execute_opcode_q;
    reg  [63:0] execute_data_q;
    reg  [63:0] execute_mask_q;
    reg  [63:0] execute_compare_q;
    reg  [63:0] execute_compare_mask_q;
    reg         execute_valid_q;
    wire        advance = ~execute_valid_q | op_ready;
    wire        take    = req_valid & advance;
    assign req_ready = advance;

    always @(posedge clk) begin
        if (advance) begin
            execute_valid_q <= req_valid;
        end
        if (take) begin
            execute_host_q         <= req_host;
            execute_stream_q       <= req_stream;
            execute_msn_q          <= req_msn;
            execute_identifier_q   <= req_identifier;
            execute_index_q        <= req_index;
            execute_opcode_q       <= req_opcode;
            execute_data_q         <= req_data;
            execute_mask_q         <= req_mask;
            execute_compare_q      <= req_compare;
            execute_compare_mask_q <= req_compare_mask;
        end
        if (rst) begin
            execute_valid_q <= 1'b0;
        end
    end

    reg [63:0] words [0:15];
    reg        write_host_q;
    reg        write_stream_q;
    reg [31:0] write_msn_q;
    reg [31:0] write_identifier_q;
    reg [3:0]  write_index_q;
    // A word that is written in this clock is read as the new one.
    reg  [63:0] stored_old_q;
    reg  [63:0] stored_new_q;
    reg         stored_is_new_q;
    wire [63:0] stored = stored_is_new_q ? stored_new_q : stored_old_q;

    always @(posedge clk) begin
        if (done_valid) begin
            words[write_index_q] <= done_result;
        end
        if (take) begin
            stored_old_q <= words[req_index];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            stored_is_new_q <= done_valid & (write_index_q == req_index);
            stored_new_q    <= done_result;
        end
    end

    // ---- Execute: the access ahead may still be writing the same word
    wire        forward  = done_valid & (write_index_q == execute_index_q);
    wire [63:0] original = forward ? done_result : stored;
    // The host writes by an unconditional swap of the whole word, and reads by adding nothing to it.
    localparam [3:0] HOST_WRITE = 4'd1;
    wire host_write = execute_host_q & (execute_opcode_q == HOST_WRITE);
    localparam [3:0] HOST_READ = 4'd0;
    wire host_read = execute_host_q & (execute_opcode_q == HOST_READ);
    localparam [3:0] CMP_SWAP  = 4'd2;
    localparam [3:0] FETCH_ADD = 4'd0;
    assign op_valid        = execute_valid_q;
    assign op_opcode       =
        host_write ? CMP_SWAP :
        host_read  ? FETCH_ADD :
                     execute_opcode_q;
    assign op_original     = original;
    assign op_data         = execute_data_q & {64{~host_read}};
    assign op_mask         = execute_mask_q | {64{host_write}};
    assign op_compare      = execute_compare_q;
    assign op_compare_mask = execute_compare_mask_q & {64{~host_write}};

    atomic_alu_draft00 alu (
        .clk              (clk),
        .rst              (rst),
        .req_valid        (op_valid),
        .req_ready        (op_ready),
        .req_opcode       (op_opcode),
        .req_original     (op_original),
        .req_data         (op_data),
        .req_mask         (op_mask),
        .req_compare      (op_compare),
        .req_compare_mask (op_compare_mask),
        .resp_valid       (done_valid),
        .resp_ready       (done_ready),
        .resp_original    (done_original),
        .resp_result      (done_result)
    );

    wire executed = execute_valid_q & op_ready;

    always @(posedge clk) begin
        if (executed) begin
            write_host_q       <= execute_host_q;
            write_stream_q     <= execute_stream_q;
            write_msn_q        <= execute_msn_q;
            write_identifier_q <= execute_identifier_q;
            write_index_q      <= execute_index_q;
        end
    end

    // ---- Write back, and answer whoever asked
    assign reply_valid      = done_valid & ~write_host_q;
    assign reply_stream     = write_stream_q;
    assign reply_msn        = write_msn_q;
    assign reply_identifier = write_identifier_q;
    assign reply_original   = done_original;
    assign host_valid       = done_valid & write_host_q;
    assign host_data        = done_original;
    wire answered = write_host_q ? host_ready : reply_ready;
    assign done_ready       = answered;
endmodule
`default_nettype wire
