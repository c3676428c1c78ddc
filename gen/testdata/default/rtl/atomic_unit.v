// atomic_unit executes the Atomic Operations of RFC 7306 section 5.1 on 64-bit words of memory behind AXI4: one per
// cycle, even when all hit one word, at any memory latency. Responses leave in request order. The octet at the lowest
// address is the least significant one of a word.
//
// A word that no atomic uses is read from memory in one bus-wide beat. While an atomic that uses it is in progress,
// that is until the response to its write arrives, later atomics take the word from this unit. So no other atomic
// happens between the read and the write of a word (section 5.3), and no read passes a write.
//
// Words are written back in one beat with 8 strobed octets. A write carries its word as it is when the write is posted,
// and so covers every atomic on the word that has been executed by then: an atomic whose write would follow posts none.
// So one word takes one atomic per cycle, however few writes memory takes. Responses do not wait for writes; over
// reports each atomic, in order, when a write that covers it is in memory and its response has been taken.
//
// A request is accepted while fewer atomics are in progress than the unit holds, from acceptance until they are over.
// It waits inside while its word is in no row and every row that it could use is in use. After reset the table is
// cleared, in as many cycles as the unit holds atomics; no request is accepted meanwhile. The read appears on the bus
// three cycles after its request is accepted, the response two cycles after the read data, from registers. Data and
// responses from memory are accepted at once, whatever stalls elsewhere. No path leads from an input to an output.
//
// If memory does not deliver a word (rresp not OKAY), its atomic fails, and so do those that would have taken the
// word from this unit: original is 0, and the write has no strobes. The next atomic that finds the word unused reads
// it again. A write that memory refuses (bresp not OKAY) counts as one that is in memory: each atomic that it covers is
// over, and is reported on failed one cycle later.
//
// Built for bus_bytes 64, atomic_depth 512, streams 64, ird 8, retire.
`default_nettype none
module atomic_unit (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // req
    input  wire         req_valid,
    output wire         req_ready,
    input  wire [5:0]   req_stream,       // number of the stream
    input  wire [4:0]   req_number,       // of the request, for its credit
    input  wire [31:0]  req_atomic_msn,   // MSN of the response on queue 3
    input  wire [31:0]  req_identifier,   // Request Identifier
    input  wire [63:0]  req_address,      // of the word in memory, a multiple of 8
    input  wire [8:0]   req_set,          // of the word in the table of atomics in progress: a hash of its address
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
    output wire [4:0]   response_number,     // number of the request
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

    // over: an atomic is in memory and its response has been accepted, in the order of the atomics
    output wire         over_valid,
    input  wire         over_ready,
    output wire [5:0]   over_stream, // number of the stream

    // m_axi
    output wire         m_axi_arvalid,
    input  wire         m_axi_arready,
    output wire         m_axi_arid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
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
    output wire         m_axi_awid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
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
    wire        leaves;
    wire [22:0] oldest_write;

    // ---- Accept: as many atomics are in progress as the unit holds, from acceptance until they are over
    localparam STATE_CLEARING = 1'd0;
    localparam STATE_RUNNING  = 1'd1;
    reg       state_q;
    reg [8:0] sweep_q;

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
        if (rst) begin
            sweep_q <= 9'd0;
            state_q <= STATE_CLEARING;
        end
    end

    wire        is_running = state_q == STATE_RUNNING;
    assign ready     = is_running;
    reg  [9:0]  in_progress_q;
    reg  [10:0] accepted_q;
    wire        room       = is_running & ~in_progress_q[9];
    assign req_ready = room;
    wire        take       = req_valid & room;

    always @(posedge clk) begin
        if (take) begin
            accepted_q <= accepted_q + 11'd1;
        end
        in_progress_q <= (in_progress_q + {9'd0, take}) - {9'd0, leaves};
        if (rst) begin
            accepted_q    <= 11'd0;
            in_progress_q <= 10'd0;
        end
    end

    wire [60:0]  req_word = req_address[63:3];
    reg  [334:0] tasks [0:511];
    reg  [5:0]   streams [0:511];

    // ---- Look up: a request as it is accepted, or one that could not be issued again
    reg  [10:0] lookup_q;
    reg  [10:0] accepted_before_q;
    reg         missed_q;
    reg  [10:0] issued_q;
    reg         looks_up_latest_q;
    wire        looks_up          = looks_up_latest_q ? take : (lookup_q != accepted_before_q);
    reg  [69:0] requests [0:511];
    wire        has_looked_up_all = (lookup_q == accepted_q) & ~take;
    // A request that is looked up again is read ahead.
    wire        looks_up_waiting = ~looks_up_latest_q & (lookup_q != accepted_before_q);
    wire [8:0]  next_waiting     = missed_q ? issued_q[8:0] : (lookup_q[8:0] + {8'd0, looks_up_waiting});
    reg  [69:0] request_q;

    always @(posedge clk) begin
        if (take) begin
            requests[accepted_q[8:0]] <= {req_set, req_word};
        end
        request_q <= requests[next_waiting];
    end

    reg  [8:0]  comparing_set_q;
    reg  [60:0] comparing_word_q;
    reg  [8:0]  deciding_set_q;
    reg  [60:0] deciding_word_q;
    reg  [8:0]  decided_set_q;
    reg  [60:0] decided_word_q;
    wire [8:0]  reading_set  = looks_up_latest_q ? req_set : request_q[69:61];
    wire [60:0] reading_word = looks_up_latest_q ? req_word : request_q[60:0];
    reg         is_comparing_q;
    reg         is_deciding_q;

    always @(posedge clk) begin
        accepted_before_q <= accepted_q;
        if (missed_q) begin
            lookup_q <= issued_q;
        end else if (looks_up) begin
            lookup_q <= lookup_q + 11'd1;
        end
        looks_up_latest_q <= ~missed_q & (looks_up_latest_q | has_looked_up_all);
        is_comparing_q    <= looks_up & ~missed_q;
        is_deciding_q     <= is_comparing_q & ~missed_q;
        comparing_set_q   <= reading_set;
        comparing_word_q  <= reading_word;
        deciding_set_q    <= comparing_set_q;
        deciding_word_q   <= comparing_word_q;
        decided_set_q     <= deciding_set_q;
        decided_word_q    <= deciding_word_q;
        if (rst) begin
            accepted_before_q <= 11'd0;
            lookup_q          <= 11'd0;
            looks_up_latest_q <= 1'b1;
            is_comparing_q    <= 1'b0;
            is_deciding_q     <= 1'b0;
        end
    end

    wire        last_read_valid;
    wire        last_read_ready;
    wire [57:0] last_read_beat;
    wire        ar_valid;
    wire        ar_ready;
    wire [57:0] ar_beat;
    reg  [8:0]  reads_q;
    reg  [4:0]  read_left_q;
    reg         read_room_q;
    wire [4:0]  read_waiting = reads_q[4:0] - read_left_q;

    always @(posedge clk) begin
        if (ar_valid & m_axi_arready) begin
            read_left_q <= read_left_q + 5'd1;
        end
        read_room_q <= ~|read_waiting[4:3];
        if (rst) begin
            read_left_q <= 5'd0;
            read_room_q <= 1'b0;
        end
    end

    wire decides = is_deciding_q & ~missed_q;

    // ---- Rows: the atomics that use them, and what memory has of them
    wire        clear       = ~is_running;
    wire [8:0]  written_set = is_running ? deciding_set_q : sweep_q;
    wire [8:0]  done_set    = is_running ? oldest_write[22:14] : sweep_q;
    wire [11:0] done        = is_running ? {oldest_write[11:1], oldest_write[0]} : 12'd0;
    // What the requests one and two cycles ahead take is newer than what was read.
    wire        near_set_is_same  = comparing_set_q == deciding_set_q;
    wire        far_set_is_same   = comparing_set_q == decided_set_q;
    wire        near_word_is_same = comparing_word_q == deciding_word_q;
    wire        far_word_is_same  = comparing_word_q == decided_word_q;
    wire        take_0;
    wire [63:0] written_row_0;
    reg  [63:0] rows_0 [0:511];
    reg  [63:0] row_0_q;

    always @(posedge clk) begin
        if (clear | take_0) begin
            rows_0[written_set] <= written_row_0;
        end
        row_0_q <= rows_0[reading_set];
    end

    reg [11:0] dones_0 [0:511];
    reg [11:0] done_0_q;

    always @(posedge clk) begin
        if (clear | (m_axi_bvalid & (oldest_write[13:12] == 2'd0))) begin
            dones_0[done_set] <= done;
        end
        done_0_q <= dones_0[reading_set];
    end

    wire [10:0] missing_0 = row_0_q[11:1] - done_0_q[11:1];
    wire        is_busy_0     = ~missing_0[10] | (row_0_q[0] != done_0_q[0]);
    wire [51:0] tag_differs_0 = row_0_q[63:12] ^ comparing_word_q[60:9];
    wire [17:0] tag_0_groups  = {
        ~tag_differs_0[51], ~|tag_differs_0[50:48], ~|tag_differs_0[47:45], ~|tag_differs_0[44:42],
        ~|tag_differs_0[41:39], ~|tag_differs_0[38:36], ~|tag_differs_0[35:33], ~|tag_differs_0[32:30],
        ~|tag_differs_0[29:27], ~|tag_differs_0[26:24], ~|tag_differs_0[23:21], ~|tag_differs_0[20:18],
        ~|tag_differs_0[17:15], ~|tag_differs_0[14:12], ~|tag_differs_0[11:9], ~|tag_differs_0[8:6],
        ~|tag_differs_0[5:3], ~|tag_differs_0[2:0]
    };
    wire [18:0] tag_0_carry   = {1'b0, tag_0_groups} + 19'd1;
    reg  took_0_q;
    reg  left_period_0_q;
    wire near_0       = take_0 & near_set_is_same;
    wire far_0        = took_0_q & far_set_is_same;
    reg  busy_0_q;
    reg  hit_0_q;
    reg  period_0_q;
    wire new_period_0 = written_row_0[0];

    always @(posedge clk) begin
        took_0_q        <= take_0;
        left_period_0_q <= new_period_0;
        busy_0_q        <= near_0 | far_0 | is_busy_0;
        hit_0_q         <=
            near_0 ? near_word_is_same :
            far_0  ? far_word_is_same :
                     (is_busy_0 & tag_0_carry[18]);
        period_0_q      <=
            near_0 ? new_period_0 :
            far_0  ? left_period_0_q :
                     row_0_q[0];
        if (rst) begin
            took_0_q <= 1'b0;
        end
    end

    wire        take_1;
    wire [63:0] written_row_1;
    reg  [63:0] rows_1 [0:511];
    reg  [63:0] row_1_q;

    always @(posedge clk) begin
        if (clear | take_1) begin
            rows_1[written_set] <= written_row_1;
        end
        row_1_q <= rows_1[reading_set];
    end

    reg [11:0] dones_1 [0:511];
    reg [11:0] done_1_q;

    always @(posedge clk) begin
        if (clear | (m_axi_bvalid & (oldest_write[13:12] == 2'd1))) begin
            dones_1[done_set] <= done;
        end
        done_1_q <= dones_1[reading_set];
    end

    wire [10:0] missing_1 = row_1_q[11:1] - done_1_q[11:1];
    wire        is_busy_1     = ~missing_1[10] | (row_1_q[0] != done_1_q[0]);
    wire [51:0] tag_differs_1 = row_1_q[63:12] ^ comparing_word_q[60:9];
    wire [17:0] tag_1_groups  = {
        ~tag_differs_1[51], ~|tag_differs_1[50:48], ~|tag_differs_1[47:45], ~|tag_differs_1[44:42],
        ~|tag_differs_1[41:39], ~|tag_differs_1[38:36], ~|tag_differs_1[35:33], ~|tag_differs_1[32:30],
        ~|tag_differs_1[29:27], ~|tag_differs_1[26:24], ~|tag_differs_1[23:21], ~|tag_differs_1[20:18],
        ~|tag_differs_1[17:15], ~|tag_differs_1[14:12], ~|tag_differs_1[11:9], ~|tag_differs_1[8:6],
        ~|tag_differs_1[5:3], ~|tag_differs_1[2:0]
    };
    wire [18:0] tag_1_carry   = {1'b0, tag_1_groups} + 19'd1;
    reg  took_1_q;
    reg  left_period_1_q;
    wire near_1       = take_1 & near_set_is_same;
    wire far_1        = took_1_q & far_set_is_same;
    reg  busy_1_q;
    reg  hit_1_q;
    reg  period_1_q;
    wire new_period_1 = written_row_1[0];

    always @(posedge clk) begin
        took_1_q        <= take_1;
        left_period_1_q <= new_period_1;
        busy_1_q        <= near_1 | far_1 | is_busy_1;
        hit_1_q         <=
            near_1 ? near_word_is_same :
            far_1  ? far_word_is_same :
                     (is_busy_1 & tag_1_carry[18]);
        period_1_q      <=
            near_1 ? new_period_1 :
            far_1  ? left_period_1_q :
                     row_1_q[0];
        if (rst) begin
            took_1_q <= 1'b0;
        end
    end

    wire        take_2;
    wire [63:0] written_row_2;
    reg  [63:0] rows_2 [0:511];
    reg  [63:0] row_2_q;

    always @(posedge clk) begin
        if (clear | take_2) begin
            rows_2[written_set] <= written_row_2;
        end
        row_2_q <= rows_2[reading_set];
    end

    reg [11:0] dones_2 [0:511];
    reg [11:0] done_2_q;

    always @(posedge clk) begin
        if (clear | (m_axi_bvalid & (oldest_write[13:12] == 2'd2))) begin
            dones_2[done_set] <= done;
        end
        done_2_q <= dones_2[reading_set];
    end

    wire [10:0] missing_2 = row_2_q[11:1] - done_2_q[11:1];
    wire        is_busy_2     = ~missing_2[10] | (row_2_q[0] != done_2_q[0]);
    wire [51:0] tag_differs_2 = row_2_q[63:12] ^ comparing_word_q[60:9];
    wire [17:0] tag_2_groups  = {
        ~tag_differs_2[51], ~|tag_differs_2[50:48], ~|tag_differs_2[47:45], ~|tag_differs_2[44:42],
        ~|tag_differs_2[41:39], ~|tag_differs_2[38:36], ~|tag_differs_2[35:33], ~|tag_differs_2[32:30],
        ~|tag_differs_2[29:27], ~|tag_differs_2[26:24], ~|tag_differs_2[23:21], ~|tag_differs_2[20:18],
        ~|tag_differs_2[17:15], ~|tag_differs_2[14:12], ~|tag_differs_2[11:9], ~|tag_differs_2[8:6],
        ~|tag_differs_2[5:3], ~|tag_differs_2[2:0]
    };
    wire [18:0] tag_2_carry   = {1'b0, tag_2_groups} + 19'd1;
    reg  took_2_q;
    reg  left_period_2_q;
    wire near_2       = take_2 & near_set_is_same;
    wire far_2        = took_2_q & far_set_is_same;
    reg  busy_2_q;
    reg  hit_2_q;
    reg  period_2_q;
    wire new_period_2 = written_row_2[0];

    always @(posedge clk) begin
        took_2_q        <= take_2;
        left_period_2_q <= new_period_2;
        busy_2_q        <= near_2 | far_2 | is_busy_2;
        hit_2_q         <=
            near_2 ? near_word_is_same :
            far_2  ? far_word_is_same :
                     (is_busy_2 & tag_2_carry[18]);
        period_2_q      <=
            near_2 ? new_period_2 :
            far_2  ? left_period_2_q :
                     row_2_q[0];
        if (rst) begin
            took_2_q <= 1'b0;
        end
    end

    wire        take_3;
    wire [63:0] written_row_3;
    reg  [63:0] rows_3 [0:511];
    reg  [63:0] row_3_q;

    always @(posedge clk) begin
        if (clear | take_3) begin
            rows_3[written_set] <= written_row_3;
        end
        row_3_q <= rows_3[reading_set];
    end

    reg [11:0] dones_3 [0:511];
    reg [11:0] done_3_q;

    always @(posedge clk) begin
        if (clear | (m_axi_bvalid & (oldest_write[13:12] == 2'd3))) begin
            dones_3[done_set] <= done;
        end
        done_3_q <= dones_3[reading_set];
    end

    wire [10:0] missing_3 = row_3_q[11:1] - done_3_q[11:1];
    wire        is_busy_3     = ~missing_3[10] | (row_3_q[0] != done_3_q[0]);
    wire [51:0] tag_differs_3 = row_3_q[63:12] ^ comparing_word_q[60:9];
    wire [17:0] tag_3_groups  = {
        ~tag_differs_3[51], ~|tag_differs_3[50:48], ~|tag_differs_3[47:45], ~|tag_differs_3[44:42],
        ~|tag_differs_3[41:39], ~|tag_differs_3[38:36], ~|tag_differs_3[35:33], ~|tag_differs_3[32:30],
        ~|tag_differs_3[29:27], ~|tag_differs_3[26:24], ~|tag_differs_3[23:21], ~|tag_differs_3[20:18],
        ~|tag_differs_3[17:15], ~|tag_differs_3[14:12], ~|tag_differs_3[11:9], ~|tag_differs_3[8:6],
        ~|tag_differs_3[5:3], ~|tag_differs_3[2:0]
    };
    wire [18:0] tag_3_carry   = {1'b0, tag_3_groups} + 19'd1;
    reg  took_3_q;
    reg  left_period_3_q;
    wire near_3       = take_3 & near_set_is_same;
    wire far_3        = took_3_q & far_set_is_same;
    reg  busy_3_q;
    reg  hit_3_q;
    reg  period_3_q;
    wire new_period_3 = written_row_3[0];

    always @(posedge clk) begin
        took_3_q        <= take_3;
        left_period_3_q <= new_period_3;
        busy_3_q        <= near_3 | far_3 | is_busy_3;
        hit_3_q         <=
            near_3 ? near_word_is_same :
            far_3  ? far_word_is_same :
                     (is_busy_3 & tag_3_carry[18]);
        period_3_q      <=
            near_3 ? new_period_3 :
            far_3  ? left_period_3_q :
                     row_3_q[0];
        if (rst) begin
            took_3_q <= 1'b0;
        end
    end

    // ---- Decide: the way of the word, or else the first that is not in use; a claim flips the period of the row
    wire hit             = hit_0_q | hit_1_q | hit_2_q | hit_3_q;
    wire set_is_full     = busy_0_q & busy_1_q & busy_2_q & busy_3_q;
    wire claims_0        = ~busy_0_q & ~hit;
    wire chosen_0        = hit_0_q | claims_0;
    assign take_0 = decides & (hit_0_q | (claims_0 & read_room_q));
    wire leaves_period_0 = period_0_q ^ ~hit_0_q;
    // A cleared row is in no use: its last atomic is the one before the first.
    assign written_row_0 =
        is_running ? {deciding_word_q[60:9], issued_q, leaves_period_0} :
                     {deciding_word_q[60:9], 11'd2047, 1'b0};
    wire claims_1        = ~busy_1_q & busy_0_q & ~hit;
    wire chosen_1        = hit_1_q | claims_1;
    assign take_1        = decides & (hit_1_q | (claims_1 & read_room_q));
    wire leaves_period_1 = period_1_q ^ ~hit_1_q;
    // A cleared row is in no use: its last atomic is the one before the first.
    assign written_row_1 =
        is_running ? {deciding_word_q[60:9], issued_q, leaves_period_1} :
                     {deciding_word_q[60:9], 11'd2047, 1'b0};
    wire claims_2        = ~busy_2_q & busy_0_q & busy_1_q & ~hit;
    wire chosen_2        = hit_2_q | claims_2;
    assign take_2        = decides & (hit_2_q | (claims_2 & read_room_q));
    wire leaves_period_2 = period_2_q ^ ~hit_2_q;
    // A cleared row is in no use: its last atomic is the one before the first.
    assign written_row_2 =
        is_running ? {deciding_word_q[60:9], issued_q, leaves_period_2} :
                     {deciding_word_q[60:9], 11'd2047, 1'b0};
    wire claims_3        = ~busy_3_q & busy_0_q & busy_1_q & busy_2_q & ~hit;
    wire chosen_3        = hit_3_q | claims_3;
    assign take_3        = decides & (hit_3_q | (claims_3 & read_room_q));
    wire leaves_period_3 = period_3_q ^ ~hit_3_q;
    // A cleared row is in no use: its last atomic is the one before the first.
    assign written_row_3 =
        is_running ? {deciding_word_q[60:9], issued_q, leaves_period_3} :
                     {deciding_word_q[60:9], 11'd2047, 1'b0};
    wire [1:0] way    = {chosen_2 | chosen_3, chosen_1 | chosen_3};
    wire       period =
          (leaves_period_0 & chosen_0)
        | (leaves_period_1 & chosen_1)
        | (leaves_period_2 & chosen_2)
        | (leaves_period_3 & chosen_3);

    // ---- Issue: the word is in the unit or on its way; otherwise it is read into an unused row
    wire can_issue = hit | (~set_is_full & read_room_q);
    wire issue     = decides & can_issue;

    always @(posedge clk) begin
        missed_q <= decides & ~can_issue;
        if (issue) begin
            issued_q <= issued_q + 11'd1;
        end
        if (rst) begin
            missed_q <= 1'b0;
            issued_q <= 11'd0;
        end
    end

    wire        fetch = ~hit;
    wire [10:0] row   = {deciding_set_q, way};
    wire        reads = issue & fetch;
    reg         read_valid_q;
    reg  [57:0] read_beat_q;

    always @(posedge clk) begin
        if (reads) begin
            reads_q <= reads_q + 9'd1;
        end
        read_valid_q <= reads;
        read_beat_q  <= deciding_word_q[60:3];
        if (rst) begin
            reads_q      <= 9'd0;
            read_valid_q <= 1'b0;
        end
    end

    assign last_read_valid = read_valid_q;
    assign last_read_beat  = read_beat_q;
    wire        addresses_to_read_stored_valid;
    wire        addresses_to_read_stored_ready;
    wire [57:0] addresses_to_read_stored_beat;
    wire        addresses_to_read_waiting_valid;
    wire        addresses_to_read_waiting_ready;
    wire [57:0] addresses_to_read_waiting_beat;
    wire [57:0] addresses_to_read_out;
    assign addresses_to_read_waiting_beat = addresses_to_read_out;

    fifo #(.WIDTH(58), .DEPTH(8)) addresses_to_read (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (addresses_to_read_stored_valid),
        .in_ready  (addresses_to_read_stored_ready),
        .in_data   (addresses_to_read_stored_beat),
        .out_valid (addresses_to_read_waiting_valid),
        .out_ready (addresses_to_read_waiting_ready),
        .out_data  (addresses_to_read_out)
    );

    wire addresses_to_read_is_empty = ~addresses_to_read_waiting_valid;
    assign addresses_to_read_stored_valid  = last_read_valid & ~(addresses_to_read_is_empty & ar_ready);
    assign addresses_to_read_stored_beat   = last_read_beat;
    assign last_read_ready                 = addresses_to_read_stored_ready;
    assign addresses_to_read_waiting_ready = ar_ready;
    assign ar_valid                        = addresses_to_read_waiting_valid | last_read_valid;
    assign ar_beat                         =
        addresses_to_read_is_empty ? last_read_beat : addresses_to_read_waiting_beat;
    assign ar_ready                        = m_axi_arready;
    assign m_axi_arvalid                   = ar_valid;
    assign m_axi_arid                      = 1'b1;
    assign m_axi_araddr                    = {ar_beat, 6'd0};
    assign m_axi_arlen                     = 8'd0;
    assign m_axi_arsize                    = 3'd6;
    assign m_axi_arburst                   = 2'd1;

    // ---- Wait: issued atomics that are not executed
    reg        issued_valid_q;
    reg        issued_waits_q;
    reg        issued_fetch_q;
    reg [10:0] issued_row_q;

    always @(posedge clk) begin
        issued_valid_q <= issue;
        issued_waits_q <= fetch;
        issued_fetch_q <= fetch;
        issued_row_q   <= row;
        if (rst) begin
            issued_valid_q <= 1'b0;
        end
    end

    wire        last_issued_valid;
    wire        last_issued_ready;
    wire        last_issued_waits;
    wire        last_issued_fetch;
    wire [10:0] last_issued_row;
    wire        queued_valid;
    wire        queued_ready;
    wire        queued_waits;
    wire        queued_fetch;
    wire [10:0] queued_row;
    assign last_issued_valid = issued_valid_q;
    assign last_issued_waits = issued_waits_q;
    assign last_issued_fetch = issued_fetch_q;
    assign last_issued_row   = issued_row_q;
    wire        steps_stored_valid;
    wire        steps_stored_ready;
    wire        steps_stored_waits;
    wire        steps_stored_fetch;
    wire [10:0] steps_stored_row;
    wire        steps_waiting_valid;
    wire        steps_waiting_ready;
    wire        steps_waiting_waits;
    wire        steps_waiting_fetch;
    wire [10:0] steps_waiting_row;
    wire [12:0] steps_out;
    assign steps_waiting_waits = steps_out[12];
    assign steps_waiting_fetch = steps_out[11];
    assign steps_waiting_row   = steps_out[10:0];

    fifo #(.WIDTH(13), .DEPTH(512)) steps (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (steps_stored_valid),
        .in_ready  (steps_stored_ready),
        .in_data   ({steps_stored_waits, steps_stored_fetch, steps_stored_row}),
        .out_valid (steps_waiting_valid),
        .out_ready (steps_waiting_ready),
        .out_data  (steps_out)
    );

    wire        steps_is_empty = ~steps_waiting_valid;
    assign steps_stored_valid  = last_issued_valid & ~(steps_is_empty & queued_ready);
    assign steps_stored_waits  = last_issued_waits;
    assign steps_stored_fetch  = last_issued_fetch;
    assign steps_stored_row    = last_issued_row;
    assign last_issued_ready   = steps_stored_ready;
    assign steps_waiting_ready = queued_ready;
    assign queued_valid        = steps_waiting_valid | last_issued_valid;
    assign queued_waits        = steps_is_empty ? last_issued_waits : steps_waiting_waits;
    assign queued_fetch        = steps_is_empty ? last_issued_fetch : steps_waiting_fetch;
    assign queued_row          = steps_is_empty ? last_issued_row : steps_waiting_row;
    wire        next_valid;
    wire        next_ready;
    wire        next_waits;
    wire        next_fetch;
    wire [10:0] next_row;
    reg         next_aside_q;
    reg  [12:0] next_beat_q;
    assign queued_ready        = ~next_aside_q;

    always @(posedge clk) begin
        next_aside_q <= (next_aside_q | queued_valid) & ~next_ready;
        if (~next_aside_q) begin
            next_beat_q <= {queued_waits, queued_fetch, queued_row};
        end
        if (rst) begin
            next_aside_q <= 1'b0;
        end
    end

    assign next_valid = next_aside_q | queued_valid;
    assign next_waits = next_aside_q ? next_beat_q[12] : queued_waits;
    assign next_fetch = next_aside_q ? next_beat_q[11] : queued_fetch;
    assign next_row   = next_aside_q ? next_beat_q[10:0] : queued_row;

    // ---- Words arrive from memory in the order of the reads
    wire        last_arrived_valid;
    wire        last_arrived_ready;
    wire        last_arrived_failed;
    wire [63:0] last_arrived_word;
    wire        kept_valid;
    wire        kept_ready;
    wire        kept_failed;
    wire [63:0] kept_word;
    wire        fetched_valid;
    wire        fetched_ready;
    wire        fetched_failed;
    wire [63:0] fetched_word;
    assign m_axi_rready = 1'b1;
    reg [8:0] arrivals_q;

    always @(posedge clk) begin
        if (m_axi_rvalid) begin
            arrivals_q <= arrivals_q + 9'd1;
        end
        if (rst) begin
            arrivals_q <= 9'd0;
        end
    end

    // The lane of the next beat is read ahead. A lane of no read is overwritten by the next one.
    reg  [2:0] lanes [0:511];
    wire [8:0] next_arrival = arrivals_q + {8'd0, m_axi_rvalid};
    reg  [2:0] lane_q;

    always @(posedge clk) begin
        if (decides) begin
            lanes[reads_q] <= deciding_word_q[2:0];
        end
        lane_q <= lanes[next_arrival];
    end

    wire [511:0] arrived_octets_shifted = m_axi_rdata >> {lane_q, 6'd0};
    wire [63:0] arrived_octets = arrived_octets_shifted[63:0];
    wire        direct         = fetched_ready & ~kept_valid;
    reg         arrived_valid_q;
    reg         arrived_failed_q;
    reg  [63:0] arrived_word_q;

    always @(posedge clk) begin
        arrived_valid_q  <= m_axi_rvalid & ~direct;
        arrived_failed_q <= |m_axi_rresp;
        arrived_word_q   <= arrived_octets;
        if (rst) begin
            arrived_valid_q <= 1'b0;
        end
    end

    assign last_arrived_valid   = arrived_valid_q;
    assign last_arrived_failed  = arrived_failed_q;
    assign last_arrived_word    = arrived_word_q;
    wire        words_stored_valid;
    wire        words_stored_ready;
    wire        words_stored_failed;
    wire [63:0] words_stored_word;
    wire        words_waiting_valid;
    wire        words_waiting_ready;
    wire        words_waiting_failed;
    wire [63:0] words_waiting_word;
    wire [64:0] words_out;
    assign words_waiting_failed = words_out[64];
    assign words_waiting_word   = words_out[63:0];

    fifo #(.WIDTH(65), .DEPTH(512)) words (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (words_stored_valid),
        .in_ready  (words_stored_ready),
        .in_data   ({words_stored_failed, words_stored_word}),
        .out_valid (words_waiting_valid),
        .out_ready (words_waiting_ready),
        .out_data  (words_out)
    );

    wire        words_is_empty = ~words_waiting_valid;
    assign words_stored_valid  = last_arrived_valid & ~(words_is_empty & kept_ready);
    assign words_stored_failed = last_arrived_failed;
    assign words_stored_word   = last_arrived_word;
    assign last_arrived_ready  = words_stored_ready;
    assign words_waiting_ready = kept_ready;
    assign kept_valid          = words_waiting_valid | last_arrived_valid;
    assign kept_failed         = words_is_empty ? last_arrived_failed : words_waiting_failed;
    assign kept_word           = words_is_empty ? last_arrived_word : words_waiting_word;
    assign kept_ready          = fetched_ready;
    assign fetched_valid       = kept_valid | m_axi_rvalid;
    assign fetched_failed      = kept_valid ? kept_failed : (|m_axi_rresp);
    assign fetched_word        = kept_valid ? kept_word : arrived_octets;
    reg  [10:0] done_row_q;
    reg         done_failed_q;
    reg  [63:0] done_word_q;
    reg         done_valid_q;
    reg         executing_q;
    reg  [10:0] execute_row_q;

    // ---- Start: the word of the next atomic is here, and its response has room
    reg  [8:0]  started_q;
    reg  [10:0] responses_q;
    wire        executed_valid;
    wire        executed_ready;
    wire [5:0]  executed_stream;
    wire [4:0]  executed_number;
    wire [31:0] executed_atomic_msn;
    wire [31:0] executed_identifier;
    wire [63:0] executed_original;
    wire        executed_failed;
    wire        answer_valid;
    wire        answer_ready;
    wire [5:0]  answer_stream;
    wire [4:0]  answer_number;
    wire [31:0] answer_atomic_msn;
    wire [31:0] answer_identifier;
    wire [63:0] answer_original;
    wire        answer_failed;
    wire        oldest_answer_valid;
    wire        oldest_answer_ready;
    wire [5:0]  oldest_answer_stream;
    wire [4:0]  oldest_answer_number;
    wire [31:0] oldest_answer_atomic_msn;
    wire [31:0] oldest_answer_identifier;
    wire [63:0] oldest_answer_original;
    wire        oldest_answer_failed;
    wire        answers           = answer_valid & response_ready;
    reg  [4:0]  responses_left_q;
    reg         responses_room_q;
    wire [4:0]  responses_waiting = started_q[4:0] - responses_left_q;

    always @(posedge clk) begin
        if (answers) begin
            responses_left_q <= responses_left_q + 5'd1;
        end
        responses_room_q <= ~|responses_waiting[4:3];
        if (rst) begin
            responses_left_q <= 5'd0;
            responses_room_q <= 1'b0;
        end
    end

    reg         step_waits_q;
    reg         step_fetch_q;
    reg  [10:0] step_row_q;
    reg         step_valid_q;
    wire        can_start  = responses_room_q & (~step_waits_q | fetched_valid);
    wire        start      = step_valid_q & can_start;
    wire        takes_step = ~step_valid_q | can_start;
    assign next_ready    = takes_step;
    wire        takes_word = step_valid_q & step_waits_q & responses_room_q;
    assign fetched_ready = takes_word;
    reg  [8:0]  started_next_q;
    wire [8:0]  next_start = start ? started_next_q : started_q;
    // The operands of the next atomic are read ahead.
    reg [334:0] task_q;

    always @(posedge clk) begin
        if (take) begin
            tasks[accepted_q[8:0]] <= {
                req_stream, req_number, req_atomic_msn, req_identifier, req_opcode, req_data, req_mask,
                req_compare, req_compare_mask
            };
        end
        task_q <= tasks[next_start];
    end

    localparam [3:0] FETCH_ADD = 4'd0;
    localparam [3:0] CMP_SWAP  = 4'd2;
    wire        task_adds     = task_q[259:256] == FETCH_ADD;
    wire        task_compares = task_q[259:256] == CMP_SWAP;
    reg  [5:0]  execute_stream_q;
    reg  [4:0]  execute_number_q;
    reg  [31:0] execute_atomic_msn_q;
    reg  [31:0] execute_identifier_q;
    reg         execute_op_adds_q;
    reg         execute_op_changes_q;
    reg         execute_op_compares_q;
    reg  [63:0] execute_op_data_q;
    reg  [63:0] execute_op_mask_q;
    reg  [63:0] execute_op_compare_q;
    reg  [63:0] execute_op_compare_mask_q;

    // ---- The word comes from memory, from one of the atomics ahead, or from an earlier one
    reg [64:0] words_in_use [0:2047];
    // The word of the next atomic is read ahead, and again in each cycle in which it waits.
    wire [10:0] read_row            = (step_valid_q & ~can_start) ? step_row_q : next_row;
    reg  [64:0] stored_q;
    reg         forward_q;
    reg         here_failed_q;
    reg  [63:0] here_word_q;
    wire        same_as_done        = done_valid_q & (done_row_q == step_row_q);
    reg  [10:0] before_done_row_q;
    reg         before_done_failed_q;
    reg  [63:0] before_done_word_q;
    reg         before_done_valid_q;
    wire        same_as_before_done = before_done_valid_q & (before_done_row_q == step_row_q);
    wire        forward             = executing_q & (execute_row_q == step_row_q) & ~step_fetch_q;

    always @(posedge clk) begin
        if (~step_valid_q | can_start) begin
            step_valid_q <= next_valid;
            step_waits_q <= next_waits;
            step_fetch_q <= next_fetch;
            step_row_q   <= next_row;
        end
        if (start) begin
            started_q      <= started_next_q;
            started_next_q <= started_next_q + 9'd1;
        end
        executing_q               <= start;
        execute_row_q             <= step_row_q;
        execute_stream_q          <= task_q[334:329];
        execute_number_q          <= task_q[328:324];
        execute_atomic_msn_q      <= task_q[323:292];
        execute_identifier_q      <= task_q[291:260];
        execute_op_adds_q         <= task_adds;
        execute_op_changes_q      <= task_adds;
        execute_op_compares_q     <= task_compares;
        execute_op_data_q         <= task_q[255:192];
        execute_op_mask_q         <= task_q[191:128];
        execute_op_compare_q      <= task_q[127:64];
        execute_op_compare_mask_q <= task_q[63:0];
        forward_q                 <= forward;
        here_failed_q             <=
            step_fetch_q        ? fetched_failed :
            same_as_done        ? done_failed_q :
            same_as_before_done ? before_done_failed_q :
                                  stored_q[64];
        here_word_q               <=
            step_fetch_q        ? fetched_word :
            same_as_done        ? done_word_q :
            same_as_before_done ? before_done_word_q :
                                  stored_q[63:0];
        before_done_row_q         <= done_row_q;
        before_done_failed_q      <= done_failed_q;
        before_done_word_q        <= done_word_q;
        before_done_valid_q       <= done_valid_q;
        if (rst) begin
            step_valid_q        <= 1'b0;
            started_q           <= 9'd0;
            started_next_q      <= 9'd1;
            executing_q         <= 1'b0;
            before_done_valid_q <= 1'b0;
        end
    end

    // ---- Execute
    wire [63:0] original = forward_q ? done_word_q : here_word_q;

    // ---- FetchAdd: one carry chain, cut where a mask bit ends a field
    wire [63:0] keep    = ~execute_op_mask_q;
    wire [63:0] changes = (original ^ execute_op_data_q) & execute_op_mask_q;
    // A mask bit is the top bit of a field: its carry out is dropped, so it adds as an exclusive or.
    wire [63:0] sum = (execute_op_data_q & keep) + (original & keep);

    // ---- CmpSwap: the masked bits are replaced when the compared bits are equal
    // Both possible originals are compared at once, so that the comparison does not wait for the selection.
    wire [63:0] ahead_differs = (execute_op_compare_q ^ done_word_q) & execute_op_compare_mask_q;
    wire [31:0] ahead_groups  = {
        ~|ahead_differs[63:62], ~|ahead_differs[61:60], ~|ahead_differs[59:58], ~|ahead_differs[57:56],
        ~|ahead_differs[55:54], ~|ahead_differs[53:52], ~|ahead_differs[51:50], ~|ahead_differs[49:48],
        ~|ahead_differs[47:46], ~|ahead_differs[45:44], ~|ahead_differs[43:42], ~|ahead_differs[41:40],
        ~|ahead_differs[39:38], ~|ahead_differs[37:36], ~|ahead_differs[35:34], ~|ahead_differs[33:32],
        ~|ahead_differs[31:30], ~|ahead_differs[29:28], ~|ahead_differs[27:26], ~|ahead_differs[25:24],
        ~|ahead_differs[23:22], ~|ahead_differs[21:20], ~|ahead_differs[19:18], ~|ahead_differs[17:16],
        ~|ahead_differs[15:14], ~|ahead_differs[13:12], ~|ahead_differs[11:10], ~|ahead_differs[9:8],
        ~|ahead_differs[7:6], ~|ahead_differs[5:4], ~|ahead_differs[3:2], ~|ahead_differs[1:0]
    };
    wire [32:0] ahead_carry   = {1'b0, ahead_groups} + 33'd1;
    wire [63:0] here_differs = (execute_op_compare_q ^ here_word_q) & execute_op_compare_mask_q;
    wire [31:0] here_groups  = {
        ~|here_differs[63:62], ~|here_differs[61:60], ~|here_differs[59:58], ~|here_differs[57:56],
        ~|here_differs[55:54], ~|here_differs[53:52], ~|here_differs[51:50], ~|here_differs[49:48],
        ~|here_differs[47:46], ~|here_differs[45:44], ~|here_differs[43:42], ~|here_differs[41:40],
        ~|here_differs[39:38], ~|here_differs[37:36], ~|here_differs[35:34], ~|here_differs[33:32],
        ~|here_differs[31:30], ~|here_differs[29:28], ~|here_differs[27:26], ~|here_differs[25:24],
        ~|here_differs[23:22], ~|here_differs[21:20], ~|here_differs[19:18], ~|here_differs[17:16],
        ~|here_differs[15:14], ~|here_differs[13:12], ~|here_differs[11:10], ~|here_differs[9:8],
        ~|here_differs[7:6], ~|here_differs[5:4], ~|here_differs[3:2], ~|here_differs[1:0]
    };
    wire [32:0] here_carry   = {1'b0, here_groups} + 33'd1;
    wire equal = (forward_q & ahead_carry[32]) | (~forward_q & here_carry[32]);

    // ---- Result
    wire        changes_masked = execute_op_changes_q | (execute_op_compares_q & equal);
    wire [63:0] unmasked       = execute_op_adds_q ? sum : original;
    wire [63:0] result         = unmasked ^ (changes & {64{changes_masked}});
    wire        failed_now     = forward_q ? done_failed_q : here_failed_q;
    reg  [10:0] executed_q;

    always @(posedge clk) begin
        done_valid_q  <= executing_q;
        done_row_q    <= execute_row_q;
        done_failed_q <= failed_now;
        done_word_q   <= result;
        if (done_valid_q) begin
            executed_q <= executed_q + 11'd1;
        end
        if (rst) begin
            done_valid_q <= 1'b0;
            executed_q   <= 11'd0;
        end
    end

    // ---- Respond
    wire [63:0] intact_original = original & {64{~failed_now}};
    assign executed_valid      = executing_q;
    assign executed_stream     = execute_stream_q;
    assign executed_number     = execute_number_q;
    assign executed_atomic_msn = execute_atomic_msn_q;
    assign executed_identifier = execute_identifier_q;
    assign executed_original   = intact_original;
    assign executed_failed     = failed_now;
    wire         responses_stored_valid;
    wire         responses_stored_ready;
    wire [5:0]   responses_stored_stream;
    wire [4:0]   responses_stored_number;
    wire [31:0]  responses_stored_atomic_msn;
    wire [31:0]  responses_stored_identifier;
    wire [63:0]  responses_stored_original;
    wire         responses_stored_failed;
    wire         responses_waiting_valid;
    wire         responses_waiting_ready;
    wire [5:0]   responses_waiting_stream;
    wire [4:0]   responses_waiting_number;
    wire [31:0]  responses_waiting_atomic_msn;
    wire [31:0]  responses_waiting_identifier;
    wire [63:0]  responses_waiting_original;
    wire         responses_waiting_failed;
    wire [139:0] responses_out;
    assign responses_waiting_stream     = responses_out[139:134];
    assign responses_waiting_number     = responses_out[133:129];
    assign responses_waiting_atomic_msn = responses_out[128:97];
    assign responses_waiting_identifier = responses_out[96:65];
    assign responses_waiting_original   = responses_out[64:1];
    assign responses_waiting_failed     = responses_out[0];

    fifo #(.WIDTH(140), .DEPTH(8)) responses (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (responses_stored_valid),
        .in_ready  (responses_stored_ready),
        .in_data   ({
            responses_stored_stream, responses_stored_number, responses_stored_atomic_msn,
            responses_stored_identifier, responses_stored_original, responses_stored_failed
        }),
        .out_valid (responses_waiting_valid),
        .out_ready (responses_waiting_ready),
        .out_data  (responses_out)
    );

    wire         responses_is_empty = ~responses_waiting_valid;
    assign responses_stored_valid      = executed_valid & ~(responses_is_empty & oldest_answer_ready);
    assign responses_stored_stream     = executed_stream;
    assign responses_stored_number     = executed_number;
    assign responses_stored_atomic_msn = executed_atomic_msn;
    assign responses_stored_identifier = executed_identifier;
    assign responses_stored_original   = executed_original;
    assign responses_stored_failed     = executed_failed;
    assign executed_ready              = responses_stored_ready;
    assign responses_waiting_ready     = oldest_answer_ready;
    assign oldest_answer_valid         = responses_waiting_valid | executed_valid;
    assign oldest_answer_stream        = responses_is_empty ? executed_stream : responses_waiting_stream;
    assign oldest_answer_number        = responses_is_empty ? executed_number : responses_waiting_number;
    assign oldest_answer_atomic_msn    =
        responses_is_empty ? executed_atomic_msn : responses_waiting_atomic_msn;
    assign oldest_answer_identifier    =
        responses_is_empty ? executed_identifier : responses_waiting_identifier;
    assign oldest_answer_original      = responses_is_empty ? executed_original : responses_waiting_original;
    assign oldest_answer_failed        = responses_is_empty ? executed_failed : responses_waiting_failed;
    reg  [5:0]   response_stream_q;
    reg  [4:0]   response_number_q;
    reg  [31:0]  response_atomic_msn_q;
    reg  [31:0]  response_identifier_q;
    reg  [63:0]  response_original_q;
    reg          response_failed_q;
    reg          response_valid_q;
    reg  [5:0]   response_kept_stream_q;
    reg  [4:0]   response_kept_number_q;
    reg  [31:0]  response_kept_atomic_msn_q;
    reg  [31:0]  response_kept_identifier_q;
    reg  [63:0]  response_kept_original_q;
    reg          response_kept_failed_q;
    reg          response_keeps_q;
    reg          response_room_q;
    assign oldest_answer_ready         = response_room_q;
    wire         response_free      = ~response_valid_q | answer_ready;
    wire [139:0] response_next      =
        response_keeps_q ? {
                               response_kept_stream_q, response_kept_number_q, response_kept_atomic_msn_q,
                               response_kept_identifier_q, response_kept_original_q, response_kept_failed_q
                           } :
                           {
                               oldest_answer_stream, oldest_answer_number, oldest_answer_atomic_msn,
                               oldest_answer_identifier, oldest_answer_original, oldest_answer_failed
                           };
    wire         response_keeps     =
        (response_keeps_q | (oldest_answer_valid & response_room_q)) & ~response_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (response_free) begin
            response_valid_q      <= response_keeps_q | (oldest_answer_valid & response_room_q);
            response_stream_q     <= response_next[139:134];
            response_number_q     <= response_next[133:129];
            response_atomic_msn_q <= response_next[128:97];
            response_identifier_q <= response_next[96:65];
            response_original_q   <= response_next[64:1];
            response_failed_q     <= response_next[0];
        end
        if (~response_keeps_q) begin
            response_kept_stream_q     <= oldest_answer_stream;
            response_kept_number_q     <= oldest_answer_number;
            response_kept_atomic_msn_q <= oldest_answer_atomic_msn;
            response_kept_identifier_q <= oldest_answer_identifier;
            response_kept_original_q   <= oldest_answer_original;
            response_kept_failed_q     <= oldest_answer_failed;
        end
        response_keeps_q <= response_keeps;
        response_room_q  <= ~response_keeps;
        if (rst) begin
            response_valid_q <= 1'b0;
            response_keeps_q <= 1'b0;
            response_room_q  <= 1'b1;
        end
    end

    assign answer_valid        = response_valid_q;
    assign answer_stream       = response_stream_q;
    assign answer_number       = response_number_q;
    assign answer_atomic_msn   = response_atomic_msn_q;
    assign answer_identifier   = response_identifier_q;
    assign answer_original     = response_original_q;
    assign answer_failed       = response_failed_q;
    assign response_valid      = answer_valid;
    assign response_stream     = answer_stream;
    assign response_number     = answer_number;
    assign response_atomic_msn = answer_atomic_msn;
    assign response_identifier = answer_identifier;
    assign response_original   = answer_original;
    assign response_failed     = answer_failed;
    assign answer_ready        = response_ready;

    always @(posedge clk) begin
        if (answers) begin
            responses_q <= responses_q + 11'd1;
        end
        if (rst) begin
            responses_q <= 11'd0;
        end
    end

    // ---- Report the atomic that was executed in the cycle before
    reg [60:0] retiring_words [0:511];
    reg [60:0] task_word_q;

    always @(posedge clk) begin
        if (take) begin
            retiring_words[accepted_q[8:0]] <= req_word;
        end
        task_word_q <= retiring_words[next_start];
    end

    reg [60:0] execute_word_q;
    reg [3:0]  execute_opcode_q;
    reg [5:0]  retire_stream_q;
    reg [3:0]  retire_opcode_q;
    reg [60:0] retire_word_q;
    reg [63:0] retire_original_q;

    always @(posedge clk) begin
        execute_word_q    <= task_word_q;
        execute_opcode_q  <= task_q[259:256];
        retire_stream_q   <= execute_stream_q;
        retire_opcode_q   <= execute_opcode_q;
        retire_word_q     <= execute_word_q;
        retire_original_q <= intact_original;
    end

    assign retire_valid    = done_valid_q;
    assign retire_stream   = retire_stream_q;
    assign retire_opcode   = retire_opcode_q;
    assign retire_address  = {retire_word_q, 3'd0};
    assign retire_original = retire_original_q;
    assign retire_result   = done_word_q & {64{~done_failed_q}};
    assign retire_failed   = done_failed_q;

    // ---- Visit: the executed atomics in order, and the words in use as they are now
    reg  [73:0] entries [0:511];
    reg  [10:0] visit_q;
    reg  [10:0] visited_q;
    reg         write_waits_q;
    reg         is_visiting_q;
    wire        visits     = (visit_q != executed_q) & ~write_waits_q;
    wire [10:0] next_visit = write_waits_q ? visited_q : (visit_q + {10'd0, visits});
    reg  [73:0] entry_q;

    always @(posedge clk) begin
        if (issue) begin
            entries[issued_q[8:0]] <= {deciding_word_q, row, period, fetch};
        end
        entry_q <= entries[next_visit[8:0]];
    end

    reg [60:0] comparing_entry_word_q;
    reg [10:0] comparing_entry_row_q;
    reg        comparing_entry_period_q;
    reg        comparing_entry_first_q;
    reg [60:0] visiting_word_q;
    reg [10:0] visiting_row_q;
    reg        visiting_period_q;
    reg        visiting_first_q;
    reg [10:0] comparing_number_q;
    reg        is_comparing_entry_q;
    reg [64:0] value_q;

    always @(posedge clk) begin
        if (done_valid_q) begin
            words_in_use[done_row_q] <= {done_failed_q, done_word_q};
        end
        stored_q <= words_in_use[read_row];
        value_q <= words_in_use[comparing_entry_row_q];
    end

    reg  [10:0] visiting_count_q;
    wire        visiting = is_visiting_q & ~write_waits_q;

    // ---- Cover: the last write of the row, of one of the two visits ahead or of an earlier one
    reg  [21:0] coverings [0:2047];
    reg  [21:0] covering_q;
    reg  [10:0] last_covering_count_q;
    reg  [10:0] last_covering_write_q;
    reg         near_row_is_same_q;
    reg         far_row_is_same_q;
    reg  [10:0] found_covering_count_q;
    reg  [10:0] found_covering_write_q;
    reg         behind_found_q;
    wire [10:0] older_covering_count = far_row_is_same_q ? last_covering_count_q : covering_q[21:11];
    wire [10:0] older_covering_write = far_row_is_same_q ? last_covering_write_q : covering_q[10:0];
    wire [10:0] behind_older         = comparing_number_q - older_covering_count;
    wire [10:0] behind_last = visited_q - last_covering_count_q;
    wire        is_covered = ~visiting_first_q & (near_row_is_same_q ? behind_last[10] : behind_found_q);
    wire [21:0] covered_by =
        near_row_is_same_q ? {last_covering_count_q, last_covering_write_q} :
                             {found_covering_count_q, found_covering_write_q};
    reg  [10:0] posted_q;
    wire        write_room;
    wire        post       = visiting & ~is_covered & write_room;
    wire        passes     = visiting & (is_covered | write_room);
    // A write covers what had been executed when the word was read.
    wire [21:0] latest_covering = is_covered ? covered_by : {visiting_count_q, posted_q};

    always @(posedge clk) begin
        if (post) begin
            coverings[visiting_row_q] <= {visiting_count_q, posted_q};
        end
        covering_q <= coverings[entry_q[12:2]];
    end

    // ---- Post the write, and tell which write covers the atomic
    reg [60:0] posting_word_q;
    reg        posting_value_failed_q;
    reg [63:0] posting_value_word_q;
    reg        has_passed_q;
    reg        is_posting_q;

    always @(posedge clk) begin
        visit_q                  <= next_visit;
        comparing_number_q       <= visit_q;
        comparing_entry_word_q   <= entry_q[73:13];
        comparing_entry_row_q    <= entry_q[12:2];
        comparing_entry_period_q <= entry_q[1];
        comparing_entry_first_q  <= entry_q[0];
        visiting_word_q          <= comparing_entry_word_q;
        visiting_row_q           <= comparing_entry_row_q;
        visiting_period_q        <= comparing_entry_period_q;
        visiting_first_q         <= comparing_entry_first_q;
        visiting_count_q         <= executed_q;
        is_comparing_entry_q     <= visits;
        is_visiting_q            <= is_comparing_entry_q & ~write_waits_q;
        far_row_is_same_q        <= visiting & (visiting_row_q == entry_q[12:2]);
        near_row_is_same_q       <= visiting & (visiting_row_q == comparing_entry_row_q);
        found_covering_count_q   <= older_covering_count;
        found_covering_write_q   <= older_covering_write;
        behind_found_q           <= behind_older[10];
        last_covering_count_q    <= latest_covering[21:11];
        last_covering_write_q    <= latest_covering[10:0];
        write_waits_q            <= visiting & ~is_covered & ~write_room;
        if (passes) begin
            visited_q <= visited_q + 11'd1;
        end
        if (post) begin
            posted_q <= posted_q + 11'd1;
        end
        has_passed_q           <= passes;
        is_posting_q           <= post;
        posting_word_q         <= visiting_word_q;
        posting_value_failed_q <= value_q[64];
        posting_value_word_q   <= value_q[63:0];
        if (rst) begin
            visit_q              <= 11'd0;
            is_comparing_entry_q <= 1'b0;
            is_visiting_q        <= 1'b0;
            write_waits_q        <= 1'b0;
            visited_q            <= 11'd0;
            posted_q             <= 11'd0;
            has_passed_q         <= 1'b0;
            is_posting_q         <= 1'b0;
        end
    end

    reg  [22:0] writes [0:511];
    wire        cover_valid;
    wire        cover_ready;
    wire [10:0] cover_write;
    wire        covered_valid;
    wire        covered_ready;
    wire [10:0] covered_write;
    assign cover_valid = has_passed_q;
    assign cover_write = last_covering_write_q;
    wire [10:0] covers_out;
    assign covered_write = covers_out;

    fifo #(.WIDTH(11), .DEPTH(512)) covers (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (cover_valid),
        .in_ready  (cover_ready),
        .in_data   (cover_write),
        .out_valid (covered_valid),
        .out_ready (covered_ready),
        .out_data  (covers_out)
    );

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
    assign address_valid = is_posting_q;
    assign address_beat  = posting_word_q[60:3];
    assign data_valid    = is_posting_q;
    assign data_lane     = posting_word_q[2:0];
    assign data_strobe   = ~posting_value_failed_q;
    assign data_word     = posting_value_word_q;
    wire [57:0] addresses_out;
    assign aw_beat = addresses_out;

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

    reg  [3:0] addresses_left_q;
    reg        addresses_room_q;
    wire [3:0] addresses_waiting = posted_q[3:0] - addresses_left_q;

    always @(posedge clk) begin
        if (aw_valid & m_axi_awready) begin
            addresses_left_q <= addresses_left_q + 4'd1;
        end
        addresses_room_q <= ~|addresses_waiting[3:2];
        if (rst) begin
            addresses_left_q <= 4'd0;
            addresses_room_q <= 1'b0;
        end
    end

    reg  [3:0] data_left_q;
    reg        data_room_q;
    wire [3:0] data_waiting = posted_q[3:0] - data_left_q;

    always @(posedge clk) begin
        if (w_valid & m_axi_wready) begin
            data_left_q <= data_left_q + 4'd1;
        end
        data_room_q <= ~|data_waiting[3:2];
        if (rst) begin
            data_left_q <= 4'd0;
            data_room_q <= 1'b0;
        end
    end

    wire may_post = addresses_room_q & data_room_q;
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
    assign write_room    = may_post;

    // ---- Write responses arrive in order
    assign m_axi_bready = 1'b1;
    reg [10:0] written_q;

    always @(posedge clk) begin
        if (m_axi_bvalid) begin
            written_q <= written_q + 11'd1;
        end
        if (rst) begin
            written_q <= 11'd0;
        end
    end

    // The write of the next response is read ahead.
    wire [8:0]  next_written = written_q[8:0] + {8'd0, m_axi_bvalid};
    reg  [22:0] write_q;

    always @(posedge clk) begin
        if (post) begin
            writes[posted_q[8:0]] <= {visiting_row_q, visiting_count_q, visiting_period_q};
        end
        write_q <= writes[next_written];
    end

    assign oldest_write = write_q;
    // An atomic may be as many writes late as two times the atomics in progress.
    reg refused [0:1023];

    // ---- An atomic is over when its write is in memory and its response has been accepted
    reg  [10:0] oldest_write_q;
    reg         oldest_valid_q;
    reg  [10:0] over_q;
    reg         reporting_q;
    wire        is_reported;
    wire        next_cover_valid;
    wire        next_cover_ready;
    wire [10:0] next_cover_write;
    reg         next_cover_aside_q;
    reg  [10:0] next_cover_beat_q;
    assign covered_ready = ~next_cover_aside_q;

    always @(posedge clk) begin
        next_cover_aside_q <= (next_cover_aside_q | covered_valid) & ~next_cover_ready;
        if (~next_cover_aside_q) begin
            next_cover_beat_q <= covered_write;
        end
        if (rst) begin
            next_cover_aside_q <= 1'b0;
        end
    end

    assign next_cover_valid = next_cover_aside_q | covered_valid;
    assign next_cover_write = next_cover_aside_q ? next_cover_beat_q : covered_write;
    reg        oldest_is_written_q;
    wire       report_free = ~reporting_q | is_reported;
    assign leaves           = oldest_valid_q & oldest_is_written_q & (over_q != responses_q) & report_free;
    wire       takes_cover = ~oldest_valid_q | leaves;
    assign next_cover_ready = takes_cover;
    reg  [5:0] over_stream_q;

    always @(posedge clk) begin
        if (take) begin
            streams[accepted_q[8:0]] <= req_stream;
        end
        if (leaves) begin
            over_stream_q <= streams[over_q[8:0]];
        end
    end

    reg over_refused_q;

    always @(posedge clk) begin
        if (m_axi_bvalid) begin
            refused[written_q[9:0]] <= |m_axi_bresp;
        end
        if (leaves) begin
            over_refused_q <= refused[oldest_write_q[9:0]];
        end
    end

    wire [10:0] next_writes_ahead = next_cover_write - written_q;
    wire [10:0] writes_ahead = oldest_write_q - written_q;

    always @(posedge clk) begin
        if (takes_cover) begin
            oldest_valid_q <= next_cover_valid;
            oldest_write_q <= next_cover_write;
        end
        oldest_is_written_q <= takes_cover ? (|next_writes_ahead[10:9]) : (|writes_ahead[10:9]);
        if (leaves) begin
            over_q <= over_q + 11'd1;
        end
        if (report_free) begin
            reporting_q <= leaves;
        end
        if (rst) begin
            oldest_valid_q <= 1'b0;
            over_q         <= 11'd0;
            reporting_q    <= 1'b0;
        end
    end

    // ---- Report: a refused write with each atomic that it covers
    wire       refusal_valid;
    wire       refusal_ready;
    wire [5:0] refusal_stream;
    wire       reported_valid;
    wire       reported_ready;
    wire [5:0] reported_stream;
    // The room for a refusal stays until it is used.
    wire       offers_over = reporting_q & refusal_ready;
    assign over_valid      = offers_over;
    assign over_stream     = over_stream_q;
    assign is_reported     = offers_over & over_ready;
    assign refusal_valid   = reporting_q & over_ready & over_refused_q;
    assign refusal_stream  = over_stream_q;
    wire [5:0] failures_out;
    assign reported_stream = failures_out;

    fifo #(.WIDTH(6), .DEPTH(2)) failures (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (refusal_valid),
        .in_ready  (refusal_ready),
        .in_data   (refusal_stream),
        .out_valid (reported_valid),
        .out_ready (reported_ready),
        .out_data  (failures_out)
    );

    assign reported_ready = failed_ready;
    assign failed_valid   = reported_valid;
    assign failed_stream  = reported_stream;
    assign failed_fault   = 1'b0;

    // Not read:
    // req_address[2:0]: a word is aligned
    // read_waiting, responses_waiting, addresses_waiting, data_waiting: compared with a power of two
    // missing_0, missing_1, missing_2, missing_3, behind_older, behind_last: only the sign matters
    // tag_0_carry, tag_1_carry, tag_2_carry, tag_3_carry, ahead_carry, here_carry: only the last carry matters
    // last_read_ready, executed_ready: it has room
    // last_issued_ready, cover_ready: there is a place for all atomics in progress
    // last_arrived_ready: there is a place for the words of all atomics in progress
    // m_axi_rid, m_axi_bid: used by the arbiter
    // m_axi_rlast: every burst has one beat
    // address_ready, data_ready: a write has room before it is posted
    // next_writes_ahead, writes_ahead: only whether it is one of the writes without response matters
    wire unused = &{
        1'b0, req_address[2:0], read_waiting, missing_0, tag_0_carry, missing_1, tag_1_carry, missing_2,
        tag_2_carry, missing_3, tag_3_carry, last_read_ready, last_issued_ready, last_arrived_ready,
        m_axi_rid, m_axi_rlast, responses_waiting, ahead_carry, here_carry, executed_ready, behind_older,
        behind_last, cover_ready, address_ready, data_ready, addresses_waiting, data_waiting, m_axi_bid,
        next_writes_ahead, writes_ahead, arrived_octets_shifted[511:64]
    };
endmodule
`default_nettype wire
