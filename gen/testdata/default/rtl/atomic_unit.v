// atomic_unit executes the Atomic Operations of RFC 7306 section 5.1 on 64-bit words of memory behind AXI4: one per
// cycle, even when all hit one word, at any memory latency. Responses leave in request order. The octet at the lowest
// address is the least significant one of a word.
//
// A word that no atomic uses is read from memory in one bus-wide beat. While an atomic that uses it is in progress,
// that is until the response to its write arrives, later atomics take the word from this unit. So no other atomic
// comes between the read and the write of a word (section 5.3), and no read passes a write. Every atomic writes its
// word back, in one beat with 8 strobed octets. Its response does not wait for the write; written counts the writes
// that are in memory, modulo 2^width: the write of the n-th response is in memory when written is n.
//
// A request waits while the unit is full, or when its word is in no row and every row that it could use is in use.
// After reset the table is cleared, in as many cycles as the unit holds atomics; no request is accepted meanwhile.
// The read appears on the bus two cycles after its request is accepted, the response one cycle after the read data.
// Data and responses from memory are accepted at once, whatever stalls elsewhere; but a write response waits while
// failed holds as many reports as atomics can be in progress.
//
// If memory does not deliver a word (rresp not OKAY), its atomic fails, and so do those that would have taken the
// word from this unit: original is 0, and the write has no strobes. The next atomic that finds the word unused reads
// it again. A write that memory refuses (bresp not OKAY) counts as written and is reported on failed.
//
// Built for bus_bytes 64, atomic_depth 512, streams 64, retire.
`default_nettype none
module atomic_unit (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // req
    input  wire         req_valid,
    output wire         req_ready,
    input  wire [5:0]   req_stream,       // number of the stream
    input  wire [31:0]  req_number,       // of the request
    input  wire [31:0]  req_atomic_msn,   // MSN of the response on queue 3
    input  wire [31:0]  req_identifier,   // Request Identifier
    input  wire [63:0]  req_address,      // of the word in memory, a multiple of 8
    input  wire [3:0]   req_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    input  wire [63:0]  req_data,
    input  wire [63:0]  req_mask,         // Add Mask or Swap Mask
    input  wire [63:0]  req_compare,      // Compare Data
    input  wire [63:0]  req_compare_mask, // Compare Mask

    // response
    output wire         response_valid,
    input  wire         response_ready,
    output wire [5:0]   response_stream,     // number of the stream
    output wire [31:0]  response_number,     // number of the request
    output wire [31:0]  response_atomic_msn, // MSN of the response on queue 3
    output wire [31:0]  response_identifier, // Request Identifier
    output wire [63:0]  response_original,   // word before the Atomic; 0 if it failed
    output wire         response_failed,     // 1: memory did not deliver the word

    // failed: memory refused to write the word of an atomic that has already been answered
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    output wire [9:0]   written, // atomics whose write is in memory, modulo 2^(IndexWidth(AtomicDepth)+1)

    // m_axi
    output wire         m_axi_arvalid,
    input  wire         m_axi_arready,
    output wire         m_axi_arid,    // 0 payload, 1 words of atomics
    output wire [63:0]  m_axi_araddr,  // address of the first beat in octets, a multiple of the bus width
    output wire [7:0]   m_axi_arlen,   // beats - 1
    output wire [2:0]   m_axi_arsize,  // log2 of the octets per beat: always the bus width
    output wire [1:0]   m_axi_arburst, // always 1: incrementing
    input  wire         m_axi_rvalid,
    output wire         m_axi_rready,
    input  wire         m_axi_rid,     // that of the burst
    input  wire [511:0] m_axi_rdata,   // octets; the one at the lowest address in [7:0]
    input  wire [1:0]   m_axi_rresp,   // 0 OKAY, 2 SLVERR, 3 DECERR
    input  wire         m_axi_rlast,   // last beat of the burst
    output wire         m_axi_awvalid,
    input  wire         m_axi_awready,
    output wire         m_axi_awid,    // 0 payload, 1 words of atomics
    output wire [63:0]  m_axi_awaddr,  // address of the first beat in octets, a multiple of the bus width
    output wire [7:0]   m_axi_awlen,   // beats - 1
    output wire [2:0]   m_axi_awsize,  // log2 of the octets per beat: always the bus width
    output wire [1:0]   m_axi_awburst, // always 1: incrementing
    output wire         m_axi_wvalid,
    input  wire         m_axi_wready,
    output wire [511:0] m_axi_wdata,   // octets; the one at the lowest address in [7:0]
    output wire [63:0]  m_axi_wstrb,   // octets to write; may be none
    output wire         m_axi_wlast,   // last beat of the burst
    input  wire         m_axi_bvalid,
    output wire         m_axi_bready,
    input  wire         m_axi_bid,     // that of the burst
    input  wire [1:0]   m_axi_bresp,   // 0 OKAY, 2 SLVERR, 3 DECERR

    output wire         ready, // the table is cleared: requests are accepted

    // retire
    output wire         retire_valid,    // an atomic takes effect in this cycle
    output wire [5:0]   retire_stream,   // number of the stream
    output wire [3:0]   retire_opcode,   // AOpCode
    output wire [63:0]  retire_address,  // address of the word in memory
    output wire [63:0]  retire_original, // word before the atomic; 0 if it failed
    output wire [63:0]  retire_result,   // word after it; 0 if it failed
    output wire         retire_failed    // memory did not deliver the word: nothing took effect
);
    wire        issue;
    wire        released;
    wire [26:0] oldest_release;

    // ---- Atomics in progress: from issue to the response to the write
    reg [9:0] issued_q;
    reg [9:0] written_q;

    always @(posedge clk) begin
        if (issue) begin
            issued_q <= issued_q + 10'd1;
        end
        if (released) begin
            written_q <= written_q + 10'd1;
        end
        if (rst) begin
            issued_q  <= 10'd0;
            written_q <= 10'd0;
        end
    end

    wire [9:0] under_way = issued_q - written_q;
    wire       room      = ~under_way[9];
    assign written = written_q;

    // ---- Look up: the rows of the set are read while the request advances
    localparam STATE_CLEARING = 1'd0;
    localparam STATE_RUNNING  = 1'd1;
    reg        state_q;
    reg  [8:0] sweep_q;
    wire       is_running = state_q == STATE_RUNNING;
    assign ready = is_running;
    reg  [5:0]  lookup_stream_q;
    reg  [31:0] lookup_number_q;
    reg  [31:0] lookup_atomic_msn_q;
    reg  [31:0] lookup_identifier_q;
    reg  [60:0] lookup_word_q;
    reg  [3:0]  lookup_opcode_q;
    reg  [63:0] lookup_data_q;
    reg  [63:0] lookup_mask_q;
    reg  [63:0] lookup_compare_q;
    reg  [63:0] lookup_compare_mask_q;
    reg  [8:0]  lookup_set_q;
    reg         lookup_valid_q;
    wire        advance     = is_running & (~lookup_valid_q | issue);
    wire        take        = req_valid & advance;
    assign req_ready = advance;
    wire [8:0]  request_set = {
        ^(req_address[63:3] & 61'h0ecbd86a9c862100), ^(req_address[63:3] & 61'h0765ec354e431080),
        ^(req_address[63:3] & 61'h13b2f61aa7218840), ^(req_address[63:3] & 61'h09d97b0d5390c420),
        ^(req_address[63:3] & 61'h04ecbd86a9c86210), ^(req_address[63:3] & 61'h0cbd86a9c8621008),
        ^(req_address[63:3] & 61'h165ec354e4310804), ^(req_address[63:3] & 61'h1b2f61aa72188402),
        ^(req_address[63:3] & 61'h1d97b0d5390c4201)
    };

    always @(posedge clk) begin
        case (state_q)
            STATE_CLEARING: begin
                sweep_q <= sweep_q + 9'd1;
                if (&sweep_q) begin
                    state_q <= STATE_RUNNING;
                end
            end
            STATE_RUNNING: ;
            default: ;
        endcase
        if (advance) begin
            lookup_valid_q <= req_valid;
        end
        if (take) begin
            lookup_stream_q       <= req_stream;
            lookup_number_q       <= req_number;
            lookup_atomic_msn_q   <= req_atomic_msn;
            lookup_identifier_q   <= req_identifier;
            lookup_word_q         <= req_address[63:3];
            lookup_opcode_q       <= req_opcode;
            lookup_data_q         <= req_data;
            lookup_mask_q         <= req_mask;
            lookup_compare_q      <= req_compare;
            lookup_compare_mask_q <= req_compare_mask;
            lookup_set_q          <= request_set;
        end
        if (rst) begin
            sweep_q        <= 9'd0;
            state_q        <= STATE_CLEARING;
            lookup_valid_q <= 1'b0;
        end
    end

    // The rows are read for an accepted request, and again in each cycle in which it waits.
    wire       read_rows = take | lookup_valid_q;
    wire [8:0] read_set  = take ? request_set : lookup_set_q;

    // ---- Rows: {rest of the word's address, uses issued} and uses finished
    wire        clear        = ~is_running;
    wire [8:0]  issued_set   = is_running ? lookup_set_q : sweep_q;
    wire [61:0] issued_row;
    wire [8:0]  finished_set = is_running ? oldest_release[20:12] : sweep_q;
    wire [9:0]  finished_use = is_running ? oldest_release[9:0] : 10'd0;
    // A row released in this cycle still holds its word, and appears in use for one more cycle.
    wire        issue_0;
    reg  [61:0] rows_0 [0:511];
    reg  [61:0] row_0_old_q;
    reg  [61:0] row_0_new_q;
    reg         row_0_is_new_q;
    wire [61:0] row_0               = row_0_is_new_q ? row_0_new_q : row_0_old_q;
    wire        rows_0_write_enable = clear | issue_0;

    always @(posedge clk) begin
        if (rows_0_write_enable) begin
            rows_0[issued_set] <= issued_row;
        end
        if (read_rows) begin
            row_0_old_q <= rows_0[read_set];
        end
    end

    always @(posedge clk) begin
        if (read_rows) begin
            row_0_is_new_q <= rows_0_write_enable & (issued_set == read_set);
            row_0_new_q    <= issued_row;
        end
    end

    reg [9:0] uses_0 [0:511];
    reg [9:0] done_0_q;

    always @(posedge clk) begin
        if (clear | (released & (oldest_release[11:10] == 2'd0))) begin
            uses_0[finished_set] <= finished_use;
        end
        if (read_rows) begin
            done_0_q <= uses_0[read_set];
        end
    end

    wire        busy_0              = row_0[9:0] != done_0_q;
    wire        hit_0               = busy_0 & (row_0[61:10] == lookup_word_q[60:9]);
    wire        issue_1;
    reg  [61:0] rows_1 [0:511];
    reg  [61:0] row_1_old_q;
    reg  [61:0] row_1_new_q;
    reg         row_1_is_new_q;
    wire [61:0] row_1               = row_1_is_new_q ? row_1_new_q : row_1_old_q;
    wire        rows_1_write_enable = clear | issue_1;

    always @(posedge clk) begin
        if (rows_1_write_enable) begin
            rows_1[issued_set] <= issued_row;
        end
        if (read_rows) begin
            row_1_old_q <= rows_1[read_set];
        end
    end

    always @(posedge clk) begin
        if (read_rows) begin
            row_1_is_new_q <= rows_1_write_enable & (issued_set == read_set);
            row_1_new_q    <= issued_row;
        end
    end

    reg [9:0] uses_1 [0:511];
    reg [9:0] done_1_q;

    always @(posedge clk) begin
        if (clear | (released & (oldest_release[11:10] == 2'd1))) begin
            uses_1[finished_set] <= finished_use;
        end
        if (read_rows) begin
            done_1_q <= uses_1[read_set];
        end
    end

    wire        busy_1              = row_1[9:0] != done_1_q;
    wire        hit_1               = busy_1 & (row_1[61:10] == lookup_word_q[60:9]);
    wire        issue_2;
    reg  [61:0] rows_2 [0:511];
    reg  [61:0] row_2_old_q;
    reg  [61:0] row_2_new_q;
    reg         row_2_is_new_q;
    wire [61:0] row_2               = row_2_is_new_q ? row_2_new_q : row_2_old_q;
    wire        rows_2_write_enable = clear | issue_2;

    always @(posedge clk) begin
        if (rows_2_write_enable) begin
            rows_2[issued_set] <= issued_row;
        end
        if (read_rows) begin
            row_2_old_q <= rows_2[read_set];
        end
    end

    always @(posedge clk) begin
        if (read_rows) begin
            row_2_is_new_q <= rows_2_write_enable & (issued_set == read_set);
            row_2_new_q    <= issued_row;
        end
    end

    reg [9:0] uses_2 [0:511];
    reg [9:0] done_2_q;

    always @(posedge clk) begin
        if (clear | (released & (oldest_release[11:10] == 2'd2))) begin
            uses_2[finished_set] <= finished_use;
        end
        if (read_rows) begin
            done_2_q <= uses_2[read_set];
        end
    end

    wire        busy_2              = row_2[9:0] != done_2_q;
    wire        hit_2               = busy_2 & (row_2[61:10] == lookup_word_q[60:9]);
    wire        issue_3;
    reg  [61:0] rows_3 [0:511];
    reg  [61:0] row_3_old_q;
    reg  [61:0] row_3_new_q;
    reg         row_3_is_new_q;
    wire [61:0] row_3               = row_3_is_new_q ? row_3_new_q : row_3_old_q;
    wire        rows_3_write_enable = clear | issue_3;

    always @(posedge clk) begin
        if (rows_3_write_enable) begin
            rows_3[issued_set] <= issued_row;
        end
        if (read_rows) begin
            row_3_old_q <= rows_3[read_set];
        end
    end

    always @(posedge clk) begin
        if (read_rows) begin
            row_3_is_new_q <= rows_3_write_enable & (issued_set == read_set);
            row_3_new_q    <= issued_row;
        end
    end

    reg [9:0] uses_3 [0:511];
    reg [9:0] done_3_q;

    always @(posedge clk) begin
        if (clear | (released & (oldest_release[11:10] == 2'd3))) begin
            uses_3[finished_set] <= finished_use;
        end
        if (read_rows) begin
            done_3_q <= uses_3[read_set];
        end
    end

    wire busy_3 = row_3[9:0] != done_3_q;
    wire hit_3  = busy_3 & (row_3[61:10] == lookup_word_q[60:9]);

    // ---- Issue: the word is in the unit or on its way; otherwise it is read into an unused row
    reg         ar_valid_q;
    reg  [57:0] ar_beat_q;
    wire        hit         = hit_0 | hit_1 | hit_2 | hit_3;
    wire        fetch       = ~hit;
    wire        ar_free     = ~ar_valid_q | m_axi_arready;
    wire        can_issue   = hit | (~(busy_0 & busy_1 & busy_2 & busy_3) & ar_free);
    assign issue      = lookup_valid_q & room & can_issue;
    wire        read        = issue & fetch;
    wire        chosen_0    = hit ? hit_0 : ~busy_0;
    assign issue_0    = issue & chosen_0;
    wire        chosen_1    = hit ? hit_1 : (~busy_1 & busy_0);
    assign issue_1    = issue & chosen_1;
    wire        chosen_2    = hit ? hit_2 : (~busy_2 & busy_0 & busy_1);
    assign issue_2    = issue & chosen_2;
    wire        chosen_3    = hit ? hit_3 : (~busy_3 & busy_0 & busy_1 & busy_2);
    assign issue_3    = issue & chosen_3;
    wire [10:0] row         = {lookup_set_q, chosen_2 | chosen_3, chosen_1 | chosen_3};
    wire [9:0]  uses_before =
          (row_0[9:0] & {10{chosen_0}})
        | (row_1[9:0] & {10{chosen_1}})
        | (row_2[9:0] & {10{chosen_2}})
        | (row_3[9:0] & {10{chosen_3}});
    wire [9:0]  issued_uses = uses_before + 10'd1;
    assign issued_row = is_running ? {lookup_word_q[60:9], issued_uses} : 62'd0;

    always @(posedge clk) begin
        if (ar_free) begin
            ar_valid_q <= read;
        end
        if (read) begin
            ar_beat_q <= lookup_word_q[60:3];
        end
        if (rst) begin
            ar_valid_q <= 1'b0;
        end
    end

    assign m_axi_arvalid = ar_valid_q;
    assign m_axi_arid    = 1'b1;
    assign m_axi_araddr  = {ar_beat_q, 6'd0};
    assign m_axi_arlen   = 8'd0;
    assign m_axi_arsize  = 3'd6;
    assign m_axi_arburst = 2'd1;

    // ---- Words arrive from memory in the order of the reads
    wire        arrived_valid;
    wire        arrived_ready;
    wire        arrived_failed;
    wire [63:0] arrived_word;
    wire        kept_valid;
    wire        kept_ready;
    wire        kept_failed;
    wire [63:0] kept_word;
    wire        fetched_valid;
    wire        fetched_ready;
    wire        fetched_failed;
    wire [63:0] fetched_word;
    assign m_axi_rready = arrived_ready;
    wire       arrive = m_axi_rvalid & arrived_ready;
    reg  [8:0] reads_q;
    reg  [8:0] arrivals_q;

    always @(posedge clk) begin
        if (read) begin
            reads_q <= reads_q + 9'd1;
        end
        if (arrive) begin
            arrivals_q <= arrivals_q + 9'd1;
        end
        if (rst) begin
            reads_q    <= 9'd0;
            arrivals_q <= 9'd0;
        end
    end

    // The lane of the next beat is read ahead.
    reg  [2:0] lanes [0:511];
    wire [8:0] next_arrival = arrivals_q + {8'd0, arrive};
    reg  [2:0] lane_q;

    always @(posedge clk) begin
        if (read) begin
            lanes[reads_q] <= lookup_word_q[2:0];
        end
        lane_q <= lanes[next_arrival];
    end

    wire [511:0] arrived_octets_shifted = m_axi_rdata >> {lane_q, 6'd0};
    wire [63:0] arrived_octets = arrived_octets_shifted[63:0];
    wire        direct         = fetched_ready & ~kept_valid;
    assign arrived_valid  = m_axi_rvalid & ~direct;
    assign arrived_failed = |m_axi_rresp;
    assign arrived_word   = arrived_octets;
    wire [64:0] words_out;
    assign kept_failed    = words_out[64];
    assign kept_word      = words_out[63:0];

    fifo #(.WIDTH(65), .DEPTH(512)) words (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (arrived_valid),
        .in_ready  (arrived_ready),
        .in_data   ({arrived_failed, arrived_word}),
        .out_valid (kept_valid),
        .out_ready (kept_ready),
        .out_data  (words_out)
    );

    assign kept_ready     = fetched_ready;
    assign fetched_valid  = kept_valid | m_axi_rvalid;
    assign fetched_failed = kept_valid ? kept_failed : (|m_axi_rresp);
    assign fetched_word   = kept_valid ? kept_word : arrived_octets;

    // ---- Wait: issued atomics without a word yet
    reg [422:0] tasks [0:511];
    reg [11:0]  steps [0:511];
    // The row of the next atomic is read ahead, so that its stored word is read while the atomic advances.
    reg  [9:0] started_q;
    wire       execute_free;
    wire       start = (issued_q != started_q) & execute_free;

    always @(posedge clk) begin
        if (start) begin
            started_q <= started_q + 10'd1;
        end
        if (rst) begin
            started_q <= 10'd0;
        end
    end

    wire [8:0]  next_slot        = started_q[8:0] + {8'd0, start};
    reg  [11:0] next_step_old_q;
    reg  [11:0] next_step_new_q;
    reg         next_step_is_new_q;
    wire [11:0] next_step        = next_step_is_new_q ? next_step_new_q : next_step_old_q;
    wire [8:0]  steps_write_addr = issued_q[8:0];
    wire [11:0] steps_write_data = {fetch, row};

    always @(posedge clk) begin
        if (issue) begin
            steps[steps_write_addr] <= steps_write_data;
        end
        next_step_old_q <= steps[next_slot];
    end

    always @(posedge clk) begin
        next_step_is_new_q <= issue & (steps_write_addr == next_slot);
        next_step_new_q    <= steps_write_data;
    end

    reg [422:0] execute_task_q;

    always @(posedge clk) begin
        if (issue) begin
            tasks[issued_q[8:0]] <= {
                lookup_stream_q, lookup_number_q, lookup_atomic_msn_q, lookup_identifier_q, lookup_word_q,
                lookup_opcode_q, lookup_data_q, lookup_mask_q, lookup_compare_q, lookup_compare_mask_q
            };
        end
        if (start) begin
            execute_task_q <= tasks[started_q[8:0]];
        end
    end

    // ---- Execute: the word comes from memory, from the previous atomic, or from an earlier one
    reg         execute_valid_q;
    reg         execute_fetch_q;
    reg  [10:0] execute_row_q;
    reg  [5:0]  done_stream_q;
    reg  [31:0] done_number_q;
    reg  [31:0] done_atomic_msn_q;
    reg  [31:0] done_identifier_q;
    reg  [60:0] done_word_q;
    reg  [3:0]  done_opcode_q;
    reg  [10:0] done_row_q;
    reg  [63:0] done_original_q;
    reg         done_result_failed_q;
    reg  [63:0] done_result_word_q;
    reg         done_valid_q;
    reg         done_is_fresh_q;
    wire        done_free;
    reg  [64:0] words_in_use [0:2047];
    // The done registers keep an atomic after it has left; its result is stored only once.
    reg  [64:0] stored_old_q;
    reg  [64:0] stored_new_q;
    reg         stored_is_new_q;
    wire [64:0] stored                  = stored_is_new_q ? stored_new_q : stored_old_q;
    wire [10:0] stored_addr             = next_step[10:0];
    wire [64:0] words_in_use_write_data = {done_result_failed_q, done_result_word_q};

    always @(posedge clk) begin
        if (done_is_fresh_q) begin
            words_in_use[done_row_q] <= words_in_use_write_data;
        end
        if (start) begin
            stored_old_q <= words_in_use[stored_addr];
        end
    end

    always @(posedge clk) begin
        if (start) begin
            stored_is_new_q <= done_is_fresh_q & (done_row_q == stored_addr);
            stored_new_q    <= words_in_use_write_data;
        end
    end

    wire        forward         = done_row_q == execute_row_q;
    wire        failed_now      =
        execute_fetch_q ? fetched_failed :
        forward         ? done_result_failed_q :
                          stored[64];
    wire [63:0] original        =
        execute_fetch_q ? fetched_word :
        forward         ? done_result_word_q :
                          stored[63:0];
    assign fetched_ready = execute_valid_q & execute_fetch_q & done_free;
    wire        executed        = execute_valid_q & done_free & (~execute_fetch_q | fetched_valid);
    assign execute_free  = ~execute_valid_q | executed;
    wire [3:0]  op_code         = execute_task_q[259:256];
    wire [63:0] op_data         = execute_task_q[255:192];
    wire [63:0] op_mask         = execute_task_q[191:128];
    wire [63:0] op_compare      = execute_task_q[127:64];
    wire [63:0] op_compare_mask = execute_task_q[63:0];
    localparam [3:0] FETCH_ADD = 4'd0;
    localparam [3:0] CMP_SWAP  = 4'd2;

    // ---- FetchAdd: one carry chain, cut where a mask bit ends a field
    wire [63:0] keep = ~op_mask;
    // A mask bit is the top bit of a field: its carry out is dropped, so it adds as an exclusive or.
    wire [63:0] sum = ((original & keep) + (op_data & keep)) ^ ((original ^ op_data) & op_mask);

    // ---- CmpSwap: the masked bits are replaced when the compared bits are equal
    wire        equal   = ~|((op_compare ^ original) & op_compare_mask);
    wire [63:0] swapped = (original & keep) | (op_data & op_mask);

    // ---- Result
    wire [63:0] next =
        (op_code == FETCH_ADD)          ? sum :
        ((op_code == CMP_SWAP) & equal) ? swapped :
                                          original;

    always @(posedge clk) begin
        if (execute_free) begin
            execute_valid_q <= start;
        end
        if (start) begin
            execute_fetch_q <= next_step[11];
            execute_row_q   <= next_step[10:0];
        end
        if (done_free) begin
            done_valid_q <= executed;
        end
        if (executed) begin
            done_stream_q        <= execute_task_q[422:417];
            done_number_q        <= execute_task_q[416:385];
            done_atomic_msn_q    <= execute_task_q[384:353];
            done_identifier_q    <= execute_task_q[352:321];
            done_word_q          <= execute_task_q[320:260];
            done_opcode_q        <= op_code;
            done_row_q           <= execute_row_q;
            done_original_q      <= original & {64{~failed_now}};
            done_result_failed_q <= failed_now;
            done_result_word_q   <= next;
        end
        if (rst) begin
            execute_valid_q <= 1'b0;
            done_valid_q    <= 1'b0;
        end
    end

    // ---- Done: the response and the write leave independently
    reg         answered_q;
    reg         posted_q;
    wire        response_offered = done_valid_q & ~answered_q;
    assign response_valid      = response_offered;
    assign response_stream     = done_stream_q;
    assign response_number     = done_number_q;
    assign response_atomic_msn = done_atomic_msn_q;
    assign response_identifier = done_identifier_q;
    assign response_original   = done_original_q;
    assign response_failed     = done_result_failed_q;
    wire        post;
    wire        address_valid;
    wire        address_ready;
    wire [57:0] address_beat;
    wire        aw_valid;
    wire        aw_ready;
    wire [57:0] aw_beat;
    wire        data_valid;
    wire        data_ready;
    wire [2:0]  data_lane;
    wire        data_strobe;
    wire [63:0] data_word;
    wire        w_valid;
    wire        w_ready;
    wire [2:0]  w_lane;
    wire        w_strobe;
    wire [63:0] w_word;
    wire        can_post         = address_ready & data_ready;
    assign address_valid       = post;
    assign address_beat        = done_word_q[60:3];
    assign data_valid          = post;
    assign data_lane           = done_word_q[2:0];
    assign data_strobe         = ~done_result_failed_q;
    assign data_word           = done_result_word_q;
    wire [57:0] addresses_out;
    assign aw_beat             = addresses_out;

    fifo #(.WIDTH(58), .DEPTH(4)) addresses (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (address_valid),
        .in_ready  (address_ready),
        .in_data   (address_beat),
        .out_valid (aw_valid),
        .out_ready (aw_ready),
        .out_data  (addresses_out)
    );

    wire [67:0] results_out;
    assign w_lane   = results_out[67:65];
    assign w_strobe = results_out[64];
    assign w_word   = results_out[63:0];

    fifo #(.WIDTH(68), .DEPTH(4)) results (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (data_valid),
        .in_ready  (data_ready),
        .in_data   ({data_lane, data_strobe, data_word}),
        .out_valid (w_valid),
        .out_ready (w_ready),
        .out_data  (results_out)
    );

    assign aw_ready      = m_axi_awready;
    assign m_axi_awvalid = aw_valid;
    assign m_axi_awid    = 1'b1;
    assign m_axi_awaddr  = {aw_beat, 6'd0};
    assign m_axi_awlen   = 8'd0;
    assign m_axi_awsize  = 3'd6;
    assign m_axi_awburst = 2'd1;
    assign w_ready       = m_axi_wready;
    assign m_axi_wvalid  = w_valid;
    assign m_axi_wdata   = {w_word, w_word, w_word, w_word, w_word, w_word, w_word, w_word};
    assign m_axi_wstrb   = {
        {8{w_strobe & (w_lane == 3'd7)}}, {8{w_strobe & (w_lane == 3'd6)}}, {8{w_strobe & (w_lane == 3'd5)}},
        {8{w_strobe & (w_lane == 3'd4)}}, {8{w_strobe & (w_lane == 3'd3)}}, {8{w_strobe & (w_lane == 3'd2)}},
        {8{w_strobe & (w_lane == 3'd1)}}, {8{w_strobe & (w_lane == 3'd0)}}
    };
    assign m_axi_wlast   = 1'b1;
    assign post          = done_valid_q & ~posted_q & can_post;
    assign done_free     = ~done_valid_q | ((answered_q | response_ready) & (posted_q | can_post));

    always @(posedge clk) begin
        done_is_fresh_q <= executed;
        answered_q      <= ~done_free & (answered_q | (response_offered & response_ready));
        posted_q        <= ~done_free & (posted_q | post);
        if (rst) begin
            done_is_fresh_q <= 1'b0;
            answered_q      <= 1'b0;
            posted_q        <= 1'b0;
        end
    end

    assign retire_valid    = done_is_fresh_q;
    assign retire_stream   = done_stream_q;
    assign retire_opcode   = done_opcode_q;
    assign retire_address  = {done_word_q, 3'd0};
    assign retire_original = done_original_q;
    assign retire_result   = done_result_word_q & {64{~done_result_failed_q}};
    assign retire_failed   = done_result_failed_q;

    // ---- Write responses arrive in order: the oldest atomic releases its row
    reg [26:0] releases [0:511];
    // The release of the next response is read ahead.
    wire [8:0]  next_written = written_q[8:0] + {8'd0, released};
    reg  [26:0] release_q;

    always @(posedge clk) begin
        if (issue) begin
            releases[issued_q[8:0]] <= {lookup_stream_q, row, issued_uses};
        end
        release_q <= releases[next_written];
    end

    assign oldest_release = release_q;
    wire       refused_valid;
    wire       refused_ready;
    wire [5:0] refused_stream;
    wire       reported_valid;
    wire       reported_ready;
    wire [5:0] reported_stream;
    assign m_axi_bready   = refused_ready;
    assign released        = m_axi_bvalid & refused_ready;
    assign refused_valid   = m_axi_bvalid & (|m_axi_bresp);
    assign refused_stream  = oldest_release[26:21];
    wire [5:0] failures_out;
    assign reported_stream = failures_out;

    fifo #(.WIDTH(6), .DEPTH(512)) failures (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (refused_valid),
        .in_ready  (refused_ready),
        .in_data   (refused_stream),
        .out_valid (reported_valid),
        .out_ready (reported_ready),
        .out_data  (failures_out)
    );

    assign reported_ready = failed_ready;
    assign failed_valid   = reported_valid;
    assign failed_stream  = reported_stream;
    assign failed_fault   = 1'b0;

    // Not read:
    // under_way: only whether the unit is full matters
    // req_address[2:0]: a word is aligned
    // m_axi_rid, m_axi_bid: used by the arbiter
    // m_axi_rlast: every burst has one beat
    wire unused = &{
        1'b0, under_way, req_address[2:0], m_axi_rid, m_axi_rlast, m_axi_bid, arrived_octets_shifted[511:64]
    };
endmodule
`default_nettype wire
