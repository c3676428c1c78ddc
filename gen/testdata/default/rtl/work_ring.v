// work_ring holds the work requests of each stream until they are sent, and decides which are issued. Those of a stream
// are issued in posting order, and so are fetched. Number n of a stream is in slot n modulo 16. A work request is
// issued when fewer than 16 of its stream are in progress and, if it is a Read or Atomic, fewer than 8 of these are
// without a response.
//
// A stream with work has one token, which is in one of these places: a list of streams that may have a turn, the
// pipeline that gives turns, or parked until something of the stream is complete. A turn issues up to 16 work requests;
// streams take turns. A stream that has to wait holds up no other. While 7 turns wait to issue theirs, a turn that does
// not begin with a Read or Atomic, which waits for responses anyway, issues one: a stream with many work requests then
// takes no more than those that have one at a time.
//
// A work request for a stream whose ring is full waits, together with all posted after it, for whatever stream, until
// one of its stream is sent. A host that keeps at most 16 of a stream incomplete never sees this.
//
// An opening forgets what is in the ring. It waits until its stream has no turn; meanwhile no post is accepted. Posts
// are accepted, turns given, and streams freed at one per cycle each. After reset, for one cycle per stream, nothing is
// accepted.
//
// Built for streams 64, send_depth 16, ord 8.
`default_nettype none
module work_ring (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // wqe
    input  wire         wqe_valid,
    output wire         wqe_ready,
    input  wire [5:0]   wqe_stream,              // number of the stream
    input  wire [63:0]  wqe_id,                  // chosen by the host, returned in its completion
    input  wire         wqe_signaled,            // 1: always complete it; 0: only if it fails
    input  wire [3:0]   wqe_opcode,              // opcode of the operation
    input  wire [31:0]  wqe_local_stag,          // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  wqe_local_to,            // tagged offset of the first octet
    input  wire [31:0]  wqe_length,              // octets of the message; ignored for Atomics and Immediate Data
    input  wire [31:0]  wqe_remote_stag,         // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  wqe_remote_to,           // tagged offset of the first octet
    input  wire [3:0]   wqe_atomic_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    input  wire [63:0]  wqe_atomic_data,
    input  wire [63:0]  wqe_atomic_mask,         // Add Mask or Swap Mask
    input  wire [63:0]  wqe_atomic_compare,      // Compare Data
    input  wire [63:0]  wqe_atomic_compare_mask, // Compare Mask

    // opened
    input  wire         opened_valid,
    output wire         opened_ready,
    input  wire [5:0]   opened_stream,   // number of the stream
    input  wire [4:0]   opened_oldest,   // number of the next work request to complete
    input  wire [3:0]   opened_finished, // number of the next Read or Atomic to complete
    input  wire [15:0]  opened_domain,   // protection domain

    // message
    output wire         message_valid,
    input  wire         message_ready,
    output wire [5:0]   message_stream, // number of the stream
    output wire [4:0]   message_number, // of the work request on its stream, modulo twice the ring

    output wire         look,         // fetch the progress of look_stream
    output wire [5:0]   look_stream,  // number of the stream
    input  wire [8:0]   progress,     // packed progress, in the next cycle
    // something of freed_stream is complete; its progress says so since the cycle before
    input  wire         freed,
    input  wire [5:0]   freed_stream, // number of the stream
    input  wire         fetch,        // fetch a work request that was issued
    input  wire [5:0]   fetch_stream, // number of the stream
    input  wire [4:0]   fetch_number, // its number
    output wire [552:0] fetched,      // packed work request, 2 cycles later
    output wire         opens,        // opens_stream is opened or closed
    output wire [5:0]   opens_stream, // number of the stream
    output wire [15:0]  opens_domain  // protection domain
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

    reg  [8:0] issue_counts [0:63];
    reg  [4:0] fetch_counts [0:63];
    reg        retired [0:63];
    reg        parked [0:63];
    reg  [5:0] free_counts [0:63];
    reg        asks [0:1023];
    wire       opens_now;
    wire       turn_ends;

    // ---- Whose turn is next: streams with a new token, again, woken, not parked after all
    wire       new_valid;
    wire       new_ready;
    wire [5:0] new_stream;
    wire       new_first_valid;
    wire       new_first_ready;
    wire [5:0] new_first_stream;
    wire [5:0] new_list_out;
    assign new_first_stream = new_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) new_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (new_valid),
        .in_ready  (new_ready),
        .in_data   (new_stream),
        .out_valid (new_first_valid),
        .out_ready (new_first_ready),
        .out_data  (new_list_out)
    );

    wire       again_valid;
    wire       again_ready;
    wire [5:0] again_stream;
    wire       again_first_valid;
    wire       again_first_ready;
    wire [5:0] again_first_stream;
    wire [5:0] again_list_out;
    assign again_first_stream = again_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) again_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (again_valid),
        .in_ready  (again_ready),
        .in_data   (again_stream),
        .out_valid (again_first_valid),
        .out_ready (again_first_ready),
        .out_data  (again_list_out)
    );

    wire       woken_valid;
    wire       woken_ready;
    wire [5:0] woken_stream;
    wire       woken_first_valid;
    wire       woken_first_ready;
    wire [5:0] woken_first_stream;
    wire [5:0] woken_list_out;
    assign woken_first_stream = woken_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) woken_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (woken_valid),
        .in_ready  (woken_ready),
        .in_data   (woken_stream),
        .out_valid (woken_first_valid),
        .out_ready (woken_first_ready),
        .out_data  (woken_list_out)
    );

    wire       passed_valid;
    wire       passed_ready;
    wire [5:0] passed_stream;
    wire       passed_first_valid;
    wire       passed_first_ready;
    wire [5:0] passed_first_stream;
    wire [5:0] passed_list_out;
    assign passed_first_stream = passed_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) passed_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (passed_valid),
        .in_ready  (passed_ready),
        .in_data   (passed_stream),
        .out_valid (passed_first_valid),
        .out_ready (passed_first_ready),
        .out_data  (passed_list_out)
    );

    wire       new_merged_valid;
    wire       new_merged_ready;
    wire [5:0] new_merged_stream;
    wire [5:0] new_merge_out;
    assign new_merged_stream = new_merge_out;

    merge #(.WIDTH(6)) new_merge (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (new_first_valid),
        .a_ready   (new_first_ready),
        .a_data    (new_first_stream),
        .b_valid   (again_first_valid),
        .b_ready   (again_first_ready),
        .b_data    (again_first_stream),
        .out_valid (new_merged_valid),
        .out_ready (new_merged_ready),
        .out_data  (new_merge_out)
    );

    wire       again_merged_valid;
    wire       again_merged_ready;
    wire [5:0] again_merged_stream;
    wire [5:0] again_merge_out;
    assign again_merged_stream = again_merge_out;

    merge #(.WIDTH(6)) again_merge (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (woken_first_valid),
        .a_ready   (woken_first_ready),
        .a_data    (woken_first_stream),
        .b_valid   (passed_first_valid),
        .b_ready   (passed_first_ready),
        .b_data    (passed_first_stream),
        .out_valid (again_merged_valid),
        .out_ready (again_merged_ready),
        .out_data  (again_merge_out)
    );

    wire       woken_merged_valid;
    wire       woken_merged_ready;
    wire [5:0] woken_merged_stream;
    wire [5:0] woken_merge_out;
    assign woken_merged_stream = woken_merge_out;

    merge #(.WIDTH(6)) woken_merge (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (new_merged_valid),
        .a_ready   (new_merged_ready),
        .a_data    (new_merged_stream),
        .b_valid   (again_merged_valid),
        .b_ready   (again_merged_ready),
        .b_data    (again_merged_stream),
        .out_valid (woken_merged_valid),
        .out_ready (woken_merged_ready),
        .out_data  (woken_merge_out)
    );

    // ---- Free a stream: it may have to be woken; an opening frees it as well
    reg        freed_valid_q;
    reg  [5:0] freed_stream_q;
    reg        freeing_q;
    reg  [5:0] freeing_stream_q;
    wire       frees            = freed_valid_q | opens_now;
    wire [5:0] read_free_stream = freed_valid_q ? freed_stream_q : opened_stream;

    always @(posedge clk) begin
        freed_valid_q    <= freed;
        freed_stream_q   <= freed_stream;
        freeing_q        <= frees;
        freeing_stream_q <= read_free_stream;
        if (rst) begin
            freed_valid_q <= 1'b0;
            freeing_q     <= 1'b0;
        end
    end

    reg  [5:0] free_counts_update_q;
    reg  [5:0] free_counts_written_q;
    reg        free_counts_update_valid_q;
    reg  [5:0] free_counts_update_stream_q;
    wire       write_free_counts = ~swept_q | free_counts_update_valid_q;
    wire [5:0] free_counts_row   = ~swept_q ? sweep_q : free_counts_update_stream_q;
    wire [5:0] free_counts_word  = ~swept_q ? 6'd0 : free_counts_update_q;

    always @(posedge clk) begin
        free_counts_update_valid_q  <= freeing_q;
        free_counts_update_stream_q <= freeing_stream_q;
        free_counts_written_q       <= free_counts_word;
        if (rst) begin
            free_counts_update_valid_q <= 1'b0;
        end
    end

    reg free_counts_is_decided_q;
    reg free_counts_is_written_q;

    always @(posedge clk) begin
        free_counts_is_decided_q <= freeing_q & (freeing_stream_q == read_free_stream);
        free_counts_is_written_q <= write_free_counts & (free_counts_row == read_free_stream);
    end

    reg  [5:0] free_counts_stored_q;
    wire [5:0] free_counts_now =
        free_counts_is_decided_q ? free_counts_update_q :
        free_counts_is_written_q ? free_counts_written_q :
                                   free_counts_stored_q;
    wire [4:0] free_freed      = free_counts_now[5:1];
    wire       free_woken      = free_counts_now[0];
    reg        freed_parked_old_q;
    reg        freed_parked_new_q;
    reg        freed_parked_is_new_q;
    wire       freed_parked    = freed_parked_is_new_q ? freed_parked_new_q : freed_parked_old_q;
    wire       wakes           = freeing_q & (freed_parked ^ free_woken);

    always @(posedge clk) begin
        free_counts_update_q <= {free_freed + 5'd1, free_woken ^ wakes};
    end

    assign woken_valid  = wakes;
    assign woken_stream = freeing_stream_q;

    // ---- Post: the work request is held while the counts of its stream are read; it waits if the ring is full
    reg  [5:0]  held_stream_q;
    reg  [63:0] held_id_q;
    reg         held_signaled_q;
    reg  [3:0]  held_opcode_q;
    reg  [31:0] held_local_stag_q;
    reg  [63:0] held_local_to_q;
    reg  [31:0] held_length_q;
    reg  [31:0] held_remote_stag_q;
    reg  [63:0] held_remote_to_q;
    reg  [3:0]  held_atomic_opcode_q;
    reg  [63:0] held_atomic_data_q;
    reg  [63:0] held_atomic_mask_q;
    reg  [63:0] held_atomic_compare_q;
    reg  [63:0] held_atomic_compare_mask_q;
    reg  [5:0]  posted_stream_q;
    reg         deciding_q;
    reg         post_waits_q;
    reg         opening_q;
    wire        is_full;
    wire        post_stays    = post_waits_q | (deciding_q & is_full);
    wire        ready         = swept_q & ~post_stays & ~opened_valid;
    assign wqe_ready = ready;
    wire        take          = ready & wqe_valid;
    wire        tries_opening = swept_q & opened_valid & ~post_stays & ~opening_q;
    // The counts are read in every cycle, so that they do not wait for the decision to accept a post.
    wire [5:0] posted_stream =
        post_waits_q ? held_stream_q :
        opened_valid ? opened_stream :
                       wqe_stream;

    always @(posedge clk) begin
        deciding_q      <= take | post_waits_q;
        post_waits_q    <= deciding_q & is_full;
        opening_q       <= tries_opening;
        posted_stream_q <= posted_stream;
        if (take) begin
            held_stream_q              <= wqe_stream;
            held_id_q                  <= wqe_id;
            held_signaled_q            <= wqe_signaled;
            held_opcode_q              <= wqe_opcode;
            held_local_stag_q          <= wqe_local_stag;
            held_local_to_q            <= wqe_local_to;
            held_length_q              <= wqe_length;
            held_remote_stag_q         <= wqe_remote_stag;
            held_remote_to_q           <= wqe_remote_to;
            held_atomic_opcode_q       <= wqe_atomic_opcode;
            held_atomic_data_q         <= wqe_atomic_data;
            held_atomic_mask_q         <= wqe_atomic_mask;
            held_atomic_compare_q      <= wqe_atomic_compare;
            held_atomic_compare_mask_q <= wqe_atomic_compare_mask;
        end
        if (rst) begin
            deciding_q   <= 1'b0;
            post_waits_q <= 1'b0;
            opening_q    <= 1'b0;
        end
    end

    // ---- Store it; a stream without a token gets one
    reg  [5:0] post_counts [0:63];
    wire       stores = deciding_q & ~is_full;
    // A post that waits, or an opening, writes the same word again.
    wire       changes_posted    = deciding_q | opening_q;
    reg  [5:0] post_counts_update_q;
    reg  [5:0] post_counts_written_q;
    reg        post_counts_update_valid_q;
    reg  [5:0] post_counts_update_stream_q;
    wire       write_post_counts = ~swept_q | post_counts_update_valid_q;
    wire [5:0] post_counts_row   = ~swept_q ? sweep_q : post_counts_update_stream_q;
    wire [5:0] post_counts_word  = ~swept_q ? 6'd0 : post_counts_update_q;

    always @(posedge clk) begin
        post_counts_update_valid_q  <= changes_posted;
        post_counts_update_stream_q <= posted_stream_q;
        post_counts_written_q       <= post_counts_word;
        if (rst) begin
            post_counts_update_valid_q <= 1'b0;
        end
    end

    reg post_counts_is_decided_q;
    reg post_counts_is_written_q;

    always @(posedge clk) begin
        post_counts_is_decided_q <= changes_posted & (posted_stream_q == posted_stream);
        post_counts_is_written_q <= write_post_counts & (post_counts_row == posted_stream);
    end

    reg  [5:0] post_counts_stored_q;
    wire [5:0] post_counts_now =
        post_counts_is_decided_q ? post_counts_update_q :
        post_counts_is_written_q ? post_counts_written_q :
                                   post_counts_stored_q;
    wire [4:0] had_posted      = post_counts_now[5:1];
    wire       had_created     = post_counts_now[0];
    reg        had_retired_old_q;
    reg        had_retired_new_q;
    reg        had_retired_is_new_q;
    wire       had_retired     = had_retired_is_new_q ? had_retired_new_q : had_retired_old_q;
    // A slot that is freed in this very cycle counts later.
    reg [4:0] had_fetched_q;
    // The ring is full if as many were posted as were fetched, and as it has slots.
    assign is_full =
        post_counts_is_decided_q ? (
                                         (post_counts_update_q[5] != had_fetched_q[4])
                                       & (post_counts_update_q[4:1] == had_fetched_q[3:0])
                                   ) :
        post_counts_is_written_q ? (
                                         (post_counts_written_q[5] != had_fetched_q[4])
                                       & (post_counts_written_q[4:1] == had_fetched_q[3:0])
                                   ) :
                                   (
                                         (post_counts_stored_q[5] != had_fetched_q[4])
                                       & (post_counts_stored_q[4:1] == had_fetched_q[3:0])
                                   );
    wire has_token     = had_created ^ had_retired;
    wire creates_token = stores & ~has_token;

    always @(posedge clk) begin
        post_counts_update_q <= {
            opens_now ? opened_oldest : (had_posted + {4'd0, stores}), had_created ^ creates_token
        };
    end

    reg created_q;

    always @(posedge clk) begin
        created_q <= creates_token;
        if (rst) begin
            created_q <= 1'b0;
        end
    end

    reg [5:0] created_stream_q;

    always @(posedge clk) begin
        created_stream_q <= posted_stream_q;
    end

    assign new_valid  = created_q;
    assign new_stream = created_stream_q;
    reg  [552:0] ring [0:1023];
    wire [9:0]   stored_slot = {held_stream_q, had_posted[3:0]};
    // It is in the ring a cycle later, long before it can be fetched.
    reg stores_q;

    always @(posedge clk) begin
        stores_q <= stores;
    end

    reg [9:0] stored_slot_q;

    always @(posedge clk) begin
        stored_slot_q <= stored_slot;
    end

    reg [552:0] stored_work_q;

    always @(posedge clk) begin
        stored_work_q <= {
            held_id_q, held_signaled_q, held_opcode_q, held_local_stag_q, held_local_to_q, held_length_q,
            held_remote_stag_q, held_remote_to_q, held_atomic_opcode_q, held_atomic_data_q,
            held_atomic_mask_q, held_atomic_compare_q, held_atomic_compare_mask_q
        };
    end

    localparam [3:0] RDMA_WRITE     = 4'd0;
    localparam [3:0] READ_REQUEST   = 4'd1;
    localparam [3:0] SEND           = 4'd3;
    localparam [3:0] SEND_INV       = 4'd4;
    localparam [3:0] SEND_SE        = 4'd5;
    localparam [3:0] SEND_SE_INV    = 4'd6;
    localparam [3:0] IMMEDIATE      = 4'd8;
    localparam [3:0] IMMEDIATE_SE   = 4'd9;
    localparam [3:0] ATOMIC_REQUEST = 4'd10;
    wire work_is_write     = held_opcode_q == RDMA_WRITE;
    wire work_is_read      = held_opcode_q == READ_REQUEST;
    wire work_is_atomic    = held_opcode_q == ATOMIC_REQUEST;
    wire work_is_send      =
          (held_opcode_q == SEND)
        | (held_opcode_q == SEND_INV)
        | (held_opcode_q == SEND_SE)
        | (held_opcode_q == SEND_SE_INV);
    wire work_invalidates  = (held_opcode_q == SEND_INV) | (held_opcode_q == SEND_SE_INV);
    wire work_is_immediate = (held_opcode_q == IMMEDIATE) | (held_opcode_q == IMMEDIATE_SE);

    // ---- Fetch: the slot of a work request is free when it has been fetched
    reg [552:0] fetched_1_q;

    wire [9:0] fetched_1_addr = {fetch_stream, fetch_number[3:0]};
    always @(posedge clk) begin
        if (stores_q) begin
            ring[stored_slot_q] <= stored_work_q;
        end
        if (fetch) begin
            fetched_1_q <= ring[fetched_1_addr];
        end
    end

    reg [552:0] fetched_work_q;

    always @(posedge clk) begin
        fetched_work_q <= fetched_1_q;
    end

    assign fetched = fetched_work_q;
    reg       leaves_q;
    reg [5:0] left_stream_q;

    always @(posedge clk) begin
        left_stream_q <= fetch_stream;
    end

    reg [4:0] left_number_q;

    always @(posedge clk) begin
        left_number_q <= fetch_number;
    end

    always @(posedge clk) begin
        leaves_q <= fetch;
        if (rst) begin
            leaves_q <= 1'b0;
        end
    end

    wire       write_fetch_counts = ~swept_q | leaves_q | opens_now;
    wire [5:0] fetch_counts_row   =
        ~swept_q ? sweep_q :
        leaves_q ? left_stream_q :
                   posted_stream_q;
    wire [4:0] fetch_counts_word  =
        ~swept_q ? 5'd0 :
        leaves_q ? (left_number_q + 5'd1) :
                   opened_oldest;

    always @(posedge clk) begin
        if (write_fetch_counts) begin
            fetch_counts[fetch_counts_row] <= fetch_counts_word;
        end
        had_fetched_q <= fetch_counts[posted_stream];
    end

    // ---- Open: the stream has no token, or a parked one, which is woken
    reg  opened_parked_old_q;
    reg  opened_parked_new_q;
    reg  opened_parked_is_new_q;
    wire opened_parked = opened_parked_is_new_q ? opened_parked_new_q : opened_parked_old_q;
    reg  opened_freed_is_decided_q;
    reg  opened_freed_is_written_q;

    always @(posedge clk) begin
        opened_freed_is_decided_q <= freeing_q & (freeing_stream_q == posted_stream);
        opened_freed_is_written_q <= write_free_counts & (free_counts_row == posted_stream);
    end

    reg  [5:0] opened_freed_stored_q;
    wire [5:0] opened_freed_now =
        opened_freed_is_decided_q ? free_counts_update_q :
        opened_freed_is_written_q ? free_counts_written_q :
                                    opened_freed_stored_q;
    wire opened_is_parked = opened_parked ^ opened_freed_now[0];
    wire opened_is_quiet  =
        ~(freed_valid_q | (freeing_q & (freeing_stream_q == posted_stream_q)) | leaves_q | turn_ends);
    assign opens_now    = opening_q & (~has_token | opened_is_parked) & opened_is_quiet;
    assign opened_ready = opens_now;
    reg  opens_q;

    always @(posedge clk) begin
        opens_q <= opens_now;
        if (rst) begin
            opens_q <= 1'b0;
        end
    end

    assign opens = opens_q;
    reg [5:0] opens_stream_q;

    always @(posedge clk) begin
        opens_stream_q <= posted_stream_q;
    end

    assign opens_stream = opens_stream_q;
    reg [15:0] opens_domain_q;

    always @(posedge clk) begin
        opens_domain_q <= opened_domain;
    end

    assign opens_domain = opens_domain_q;
    wire       given_valid;
    wire       given_ready;
    wire [5:0] given_stream;
    wire [4:0] given_issued;
    wire [3:0] given_requests;
    wire [4:0] given_count;
    wire [4:0] given_asking;
    reg  [3:0] turn_reserved_q;
    wire       turn_in_valid;
    wire       turn_in_ready;
    wire [5:0] turn_in_stream;
    wire [4:0] turn_in_issued;
    wire [3:0] turn_in_requests;
    wire [4:0] turn_in_count;
    wire [4:0] turn_in_asking;
    wire       turn_out_valid;
    wire       turn_out_ready;
    wire [5:0] turn_out_stream;
    wire [4:0] turn_out_issued;
    wire [3:0] turn_out_requests;
    wire [4:0] turn_out_count;
    wire [4:0] turn_out_asking;

    // ---- Turn: what the stream has posted and issued, what is complete
    assign woken_merged_ready = ~turn_reserved_q[3];
    wire       takes_token = woken_merged_valid & ~turn_reserved_q[3];
    reg        valid_1_q;
    reg        valid_2_q;
    reg        valid_3_q;
    reg        valid_4_q;
    reg        valid_5_q;
    wire [5:0] stream      = woken_merged_stream;
    assign look               = takes_token;
    assign look_stream        = stream;
    reg        has_is_decided_q;
    reg        has_is_written_q;

    always @(posedge clk) begin
        has_is_decided_q <= changes_posted & (posted_stream_q == stream);
        has_is_written_q <= write_post_counts & (post_counts_row == stream);
    end

    reg  [5:0] has_stored_q;
    wire [5:0] has_now =
        has_is_decided_q ? post_counts_update_q :
        has_is_written_q ? post_counts_written_q :
                           has_stored_q;
    reg  [8:0] was_old_q;
    reg  [8:0] was_new_q;
    reg        was_is_new_q;
    wire [8:0] was = was_is_new_q ? was_new_q : was_old_q;
    reg        has_freed_is_decided_q;
    reg        has_freed_is_written_q;

    always @(posedge clk) begin
        has_freed_is_decided_q <= freeing_q & (freeing_stream_q == stream);
        has_freed_is_written_q <= write_free_counts & (free_counts_row == stream);
    end

    reg  [5:0] has_freed_stored_q;
    wire [5:0] has_freed_now =
        has_freed_is_decided_q ? free_counts_update_q :
        has_freed_is_written_q ? free_counts_written_q :
                                 has_freed_stored_q;
    wire [4:0] waiting     = has_now[5:1] - was[8:4];
    wire [4:0] in_progress = was[8:4] - progress[8:4];
    wire [3:0] unanswered  = was[3:0] - progress[3:0];
    reg  [5:0] stream_1_q;
    reg        first_asks_1_q;

    // ---- How many it may issue: of those that wait, within the limits
    reg is_crowded_q;

    always @(posedge clk) begin
        is_crowded_q <= turn_reserved_q[3] | (&turn_reserved_q[2:0]);
        if (rst) begin
            is_crowded_q <= 1'b0;
        end
    end

    wire       is_short   = is_crowded_q & ~first_asks_1_q;
    reg  [4:0] waiting_2_q;
    wire [4:0] some       =
        is_short              ? {4'd0, |waiting_2_q} :
        (waiting_2_q < 5'd16) ? waiting_2_q :
                                5'd16;
    reg  [4:0] in_progress_2_q;
    wire [4:0] issue_left = 5'd16 - in_progress_2_q;
    wire [4:0] may_issue  = (issue_left < 5'd16) ? issue_left : 5'd16;
    reg  [3:0] unanswered_2_q;
    wire [3:0] ask_left   = 4'd8 - unanswered_2_q;
    wire [4:0] may_ask    = {1'b0, ask_left};
    reg  [4:0] may_ask_3_q;
    wire       no_request = ~|may_ask_3_q;
    reg  [4:0] may_issue_3_q;
    reg        first_asks_3_q;
    wire       is_blocked = (~|may_issue_3_q) | (no_request & first_asks_3_q);
    reg  [4:0] some_3_q;
    wire [4:0] turn_count = (some_3_q < may_issue_3_q) ? some_3_q : may_issue_3_q;
    wire       is_idle    = ~|some_3_q;
    wire       gives_turn = valid_3_q & ~is_idle & ~is_blocked;
    reg  [5:0] stream_2_q;
    reg  [5:0] stream_3_q;
    reg  [4:0] first_2_q;
    reg  [4:0] first_3_q;
    reg  [3:0] requests_2_q;
    reg  [3:0] requests_3_q;
    assign turn_in_valid    = gives_turn;
    assign turn_in_stream   = stream_3_q;
    assign turn_in_issued   = first_3_q;
    assign turn_in_requests = requests_3_q;
    assign turn_in_count    = turn_count;
    assign turn_in_asking   = may_ask_3_q;
    wire [24:0] turn_buffer_out;
    assign turn_out_stream   = turn_buffer_out[24:19];
    assign turn_out_issued   = turn_buffer_out[18:14];
    assign turn_out_requests = turn_buffer_out[13:10];
    assign turn_out_count    = turn_buffer_out[9:5];
    assign turn_out_asking   = turn_buffer_out[4:0];

    fifo #(.WIDTH(25), .DEPTH(8)) turn_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (turn_in_valid),
        .in_ready  (turn_in_ready),
        .in_data   ({turn_in_stream, turn_in_issued, turn_in_requests, turn_in_count, turn_in_asking}),
        .out_valid (turn_out_valid),
        .out_ready (turn_out_ready),
        .out_data  (turn_buffer_out)
    );

    assign given_valid    = turn_out_valid;
    assign given_stream   = turn_out_stream;
    assign given_issued   = turn_out_issued;
    assign given_requests = turn_out_requests;
    assign given_count    = turn_out_count;
    assign given_asking   = turn_out_asking;
    assign turn_out_ready = given_ready;
    reg turn_left_q;

    always @(posedge clk) begin
        turn_left_q <= turn_out_valid & given_ready;
        if (rst) begin
            turn_left_q <= 1'b0;
        end
    end

    reg turn_spared_q;

    always @(posedge clk) begin
        turn_spared_q <= valid_3_q & ~gives_turn;
        if (rst) begin
            turn_spared_q <= 1'b0;
        end
    end

    wire [3:0] turn_fewer = {3'd0, turn_left_q} + {3'd0, turn_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] turn_if_none     = turn_reserved_q - turn_fewer;
    wire [3:0] turn_if_one_more = (turn_reserved_q + 4'd1) - turn_fewer;

    always @(posedge clk) begin
        turn_reserved_q <= takes_token ? turn_if_one_more : turn_if_none;
        if (rst) begin
            turn_reserved_q <= 4'd0;
        end
    end

    // ---- A token without a turn is retired or parked, unless its stream has work by now, or was freed
    reg sofar_is_decided_q;
    reg sofar_is_written_q;

    always @(posedge clk) begin
        sofar_is_decided_q <= changes_posted & (posted_stream_q == stream_3_q);
        sofar_is_written_q <= write_post_counts & (post_counts_row == stream_3_q);
    end

    reg [5:0] sofar_stored_q;

    always @(posedge clk) begin
        if (write_post_counts) begin
            post_counts[post_counts_row] <= post_counts_word;
        end
        post_counts_stored_q <= post_counts[posted_stream];
        if (takes_token) begin
            has_stored_q <= post_counts[stream];
        end
        if (valid_3_q) begin
            sofar_stored_q <= post_counts[stream_3_q];
        end
    end

    wire [5:0] sofar_now =
        sofar_is_decided_q ? post_counts_update_q :
        sofar_is_written_q ? post_counts_written_q :
                             sofar_stored_q;
    reg        sofar_freed_is_decided_q;
    reg        sofar_freed_is_written_q;

    always @(posedge clk) begin
        sofar_freed_is_decided_q <= freeing_q & (freeing_stream_q == stream_3_q);
        sofar_freed_is_written_q <= write_free_counts & (free_counts_row == stream_3_q);
    end

    reg [5:0] sofar_freed_stored_q;

    always @(posedge clk) begin
        if (write_free_counts) begin
            free_counts[free_counts_row] <= free_counts_word;
        end
        if (frees) begin
            free_counts_stored_q <= free_counts[read_free_stream];
        end
        opened_freed_stored_q <= free_counts[posted_stream];
        if (takes_token) begin
            has_freed_stored_q <= free_counts[stream];
        end
        if (valid_3_q) begin
            sofar_freed_stored_q <= free_counts[stream_3_q];
        end
    end

    wire [5:0] sofar_freed_now =
        sofar_freed_is_decided_q ? free_counts_update_q :
        sofar_freed_is_written_q ? free_counts_written_q :
                                   sofar_freed_stored_q;
    reg  retired_before_old_q;
    reg  retired_before_new_q;
    reg  retired_before_is_new_q;
    wire retired_before = retired_before_is_new_q ? retired_before_new_q : retired_before_old_q;
    reg  parked_before_old_q;
    reg  parked_before_new_q;
    reg  parked_before_is_new_q;
    wire parked_before  = parked_before_is_new_q ? parked_before_new_q : parked_before_old_q;
    // What is posted or freed in these very cycles counts.
    reg  [5:0] stream_4_q;
    reg  [4:0] seen_posted_2_q;
    reg  [4:0] seen_posted_3_q;
    reg  [4:0] seen_posted_4_q;
    wire       work_came     =
        (deciding_q & (posted_stream_q == stream_4_q)) | (sofar_now[5:1] != seen_posted_4_q);
    reg  [4:0] seen_freed_2_q;
    reg  [4:0] seen_freed_3_q;
    reg  [4:0] seen_freed_4_q;
    wire       was_freed     =
        (freeing_q & (freeing_stream_q == stream_4_q)) | (sofar_freed_now[5:1] != seen_freed_4_q);
    reg        is_idle_4_q;
    wire       had_changed   = is_idle_4_q ? work_came : was_freed;
    reg        is_idle_5_q;
    reg  [5:0] stream_5_q;
    wire       changes_now   =
        is_idle_5_q ? (deciding_q & (posted_stream_q == stream_5_q)) :
                      (freeing_q & (freeing_stream_q == stream_5_q));
    reg        gives_turn_4_q;
    reg        gives_turn_5_q;
    wire       has_no_turn   = valid_5_q & ~gives_turn_5_q;
    reg        had_changed_5_q;
    wire       has_changed   = had_changed_5_q | changes_now;
    wire       retires       = has_no_turn & is_idle_5_q & ~has_changed;
    wire       parks         = has_no_turn & ~is_idle_5_q & ~has_changed;
    reg        retired_before_5_q;
    wire       write_retired = ~swept_q | retires;
    wire [5:0] retired_row   = ~swept_q ? sweep_q : stream_5_q;
    wire       retired_word  = ~swept_q ? 1'b0 : ~retired_before_5_q;

    always @(posedge clk) begin
        if (write_retired) begin
            retired[retired_row] <= retired_word;
        end
        had_retired_old_q <= retired[posted_stream];
        if (valid_3_q) begin
            retired_before_old_q <= retired[stream_3_q];
        end
    end

    always @(posedge clk) begin
        had_retired_is_new_q <= write_retired & (retired_row == posted_stream);
        had_retired_new_q    <= retired_word;
        if (valid_3_q) begin
            retired_before_is_new_q <= write_retired & (retired_row == stream_3_q);
            retired_before_new_q    <= retired_word;
        end
    end

    reg        parked_before_5_q;
    wire       write_parked = ~swept_q | parks;
    wire [5:0] parked_row   = ~swept_q ? sweep_q : stream_5_q;
    wire       parked_word  = ~swept_q ? 1'b0 : ~parked_before_5_q;

    always @(posedge clk) begin
        if (write_parked) begin
            parked[parked_row] <= parked_word;
        end
        if (frees) begin
            freed_parked_old_q <= parked[read_free_stream];
        end
        opened_parked_old_q <= parked[posted_stream];
        if (valid_3_q) begin
            parked_before_old_q <= parked[stream_3_q];
        end
    end

    always @(posedge clk) begin
        if (frees) begin
            freed_parked_is_new_q <= write_parked & (parked_row == read_free_stream);
            freed_parked_new_q    <= parked_word;
        end
        opened_parked_is_new_q <= write_parked & (parked_row == posted_stream);
        opened_parked_new_q    <= parked_word;
        if (valid_3_q) begin
            parked_before_is_new_q <= write_parked & (parked_row == stream_3_q);
            parked_before_new_q    <= parked_word;
        end
    end

    assign passed_valid  = has_no_turn & has_changed;
    assign passed_stream = stream_5_q;

    // ---- Issue the work requests of a turn, one after another, up to a Read or Atomic beyond the limit
    reg  [3:0] message_reserved_q;
    wire       message_in_valid;
    wire       message_in_ready;
    wire [5:0] message_in_stream;
    wire [4:0] message_in_number;
    wire       message_out_valid;
    wire       message_out_ready;
    wire [5:0] message_out_stream;
    wire [4:0] message_out_number;
    wire       stops;
    reg  [5:0] issue_of_stream_q;
    reg  [4:0] issue_of_issued_q;
    reg  [3:0] issue_of_requests_q;
    reg  [4:0] issue_of_count_q;
    reg  [4:0] issue_of_asking_q;
    reg  [4:0] issue_number_q;
    reg  [4:0] issue_left_q;
    reg        issue_valid_q;
    reg        issue_first_q;
    reg        issue_last_q;
    reg        issue_exists_q;
    wire       issue_ends = issue_last_q | stops;
    wire       issue_goes = issue_valid_q & ~message_reserved_q[3];
    // The next walk does not wait for the decision to stop this one.
    wire issue_free = ~issue_valid_q | (~message_reserved_q[3] & issue_last_q);
    assign given_ready = issue_free;

    always @(posedge clk) begin
        if (issue_free) begin
            issue_valid_q       <= given_valid;
            issue_of_stream_q   <= given_stream;
            issue_of_issued_q   <= given_issued;
            issue_of_requests_q <= given_requests;
            issue_of_count_q    <= given_count;
            issue_of_asking_q   <= given_asking;
            issue_number_q      <= given_issued;
            issue_left_q        <= given_count;
            issue_first_q       <= 1'b1;
            issue_last_q        <= ~|given_count[4:1];
            issue_exists_q      <= |given_count;
        end else if (issue_goes) begin
            issue_valid_q  <= ~stops;
            issue_number_q <= issue_number_q + 5'd1;
            issue_left_q   <= issue_left_q - 5'd1;
            issue_first_q  <= 1'b0;
            issue_last_q   <= issue_left_q == 5'd2;
        end
        if (rst) begin
            issue_valid_q <= 1'b0;
        end
    end

    reg [5:0] issuing_stream_q;
    reg [4:0] issuing_number_q;
    reg [3:0] issuing_requests_q;
    reg [4:0] issuing_asking_q;
    reg       issuing_first_q;
    reg       issuing_last_q;
    reg       issuing_q;
    reg       asks_q;

    wire [9:0] first_asks_1_addr = {stream_1_q, was[7:4]};
    wire [9:0] asks_addr         = {issue_of_stream_q, issue_number_q[3:0]};
    always @(posedge clk) begin
        if (stores) begin
            asks[stored_slot] <= work_is_read | work_is_atomic;
        end
        if (valid_1_q) begin
            first_asks_1_q <= asks[first_asks_1_addr];
        end
        if (issue_goes) begin
            asks_q <= asks[asks_addr];
        end
    end

    always @(posedge clk) begin
        issuing_q          <= issue_goes;
        issuing_stream_q   <= issue_of_stream_q;
        issuing_number_q   <= issue_number_q;
        issuing_requests_q <= issue_of_requests_q;
        issuing_asking_q   <= issue_of_asking_q;
        issuing_first_q    <= issue_first_q;
        issuing_last_q     <= issue_ends;
        if (rst) begin
            issuing_q <= 1'b0;
        end
    end

    // What the turn has issued before it.
    reg  [3:0] requests_before_q;
    reg  [4:0] asking_before_q;
    reg  [4:0] issued_before_q;
    reg        stopped_q;
    wire [4:0] may_ask_now     = issuing_first_q ? issuing_asking_q : asking_before_q;
    wire       has_to_wait     = stopped_q | (asks_q & (~|may_ask_now));
    wire       issues          = issuing_q & ~has_to_wait;
    wire       issues_request  = issues & asks_q;
    wire [3:0] requests_issued =
        (issuing_first_q ? issuing_requests_q : requests_before_q) + {3'd0, issues_request};
    wire [4:0] issued_next     =
        issues          ? (issuing_number_q + 5'd1) :
        issuing_first_q ? issuing_number_q :
                          issued_before_q;
    wire       stopped_next    = issuing_q ? (~issuing_last_q & has_to_wait) : stopped_q;
    assign stops = stopped_next;

    always @(posedge clk) begin
        stopped_q <= stopped_next;
        if (issuing_q) begin
            requests_before_q <= requests_issued;
            asking_before_q   <= may_ask_now - {4'd0, issues_request};
            issued_before_q   <= issued_next;
        end
        if (rst) begin
            stopped_q <= 1'b0;
        end
    end

    wire ends_turn = issuing_q & issuing_last_q;
    assign again_valid  = ends_turn;
    assign again_stream = issuing_stream_q;

    // ---- A cycle later: the counts after the turn, and the message
    reg       turn_ended_q;
    reg       issues_q;
    reg       spares_q;
    reg [4:0] ended_issued_q;
    reg [3:0] ended_requests_q;
    reg [5:0] message_stream_q;
    reg [4:0] message_number_q;

    always @(posedge clk) begin
        turn_ended_q     <= ends_turn;
        issues_q         <= issues;
        spares_q         <= issuing_q & has_to_wait;
        ended_issued_q   <= issued_next;
        ended_requests_q <= requests_issued;
        message_stream_q <= issuing_stream_q;
        message_number_q <= issuing_number_q;
        if (rst) begin
            turn_ended_q <= 1'b0;
            issues_q     <= 1'b0;
            spares_q     <= 1'b0;
        end
    end

    assign turn_ends = turn_ended_q;
    wire       write_issue_counts = ~swept_q | turn_ended_q | opens_now;
    wire [5:0] issue_counts_row   =
        ~swept_q     ? sweep_q :
        turn_ended_q ? message_stream_q :
                       opened_stream;
    wire [8:0] issue_counts_word  =
        ~swept_q     ? 9'd0 :
        turn_ended_q ? {ended_issued_q, ended_requests_q} :
                       {opened_oldest, opened_finished};

    always @(posedge clk) begin
        if (write_issue_counts) begin
            issue_counts[issue_counts_row] <= issue_counts_word;
        end
        if (takes_token) begin
            was_old_q <= issue_counts[stream];
        end
    end

    always @(posedge clk) begin
        if (takes_token) begin
            was_is_new_q <= write_issue_counts & (issue_counts_row == stream);
            was_new_q    <= issue_counts_word;
        end
    end

    assign message_in_valid  = issues_q;
    assign message_in_stream = message_stream_q;
    assign message_in_number = message_number_q;
    wire [10:0] message_buffer_out;
    assign message_out_stream = message_buffer_out[10:5];
    assign message_out_number = message_buffer_out[4:0];

    fifo #(.WIDTH(11), .DEPTH(8)) message_buffer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (message_in_valid),
        .in_ready  (message_in_ready),
        .in_data   ({message_in_stream, message_in_number}),
        .out_valid (message_out_valid),
        .out_ready (message_out_ready),
        .out_data  (message_buffer_out)
    );

    assign message_valid     = message_out_valid;
    assign message_stream    = message_out_stream;
    assign message_number    = message_out_number;
    assign message_out_ready = message_ready;
    reg message_left_q;

    always @(posedge clk) begin
        message_left_q <= message_out_valid & message_ready;
        if (rst) begin
            message_left_q <= 1'b0;
        end
    end

    reg message_spared_q;

    always @(posedge clk) begin
        message_spared_q <= spares_q;
        if (rst) begin
            message_spared_q <= 1'b0;
        end
    end

    wire [3:0] message_fewer = {3'd0, message_left_q} + {3'd0, message_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [3:0] message_if_none     = message_reserved_q - message_fewer;
    wire [3:0] message_if_one_more = (message_reserved_q + 4'd1) - message_fewer;

    always @(posedge clk) begin
        message_reserved_q <= issue_goes ? message_if_one_more : message_if_none;
        if (rst) begin
            message_reserved_q <= 4'd0;
        end
    end

    // ---- Pipeline registers
    always @(posedge clk) begin
        valid_1_q          <= takes_token;
        valid_2_q          <= valid_1_q;
        valid_3_q          <= valid_2_q;
        valid_4_q          <= valid_3_q;
        valid_5_q          <= valid_4_q;
        stream_1_q         <= stream;
        waiting_2_q        <= waiting;
        in_progress_2_q    <= in_progress;
        unanswered_2_q     <= unanswered;
        may_ask_3_q        <= may_ask;
        may_issue_3_q      <= may_issue;
        first_asks_3_q     <= first_asks_1_q;
        some_3_q           <= some;
        stream_2_q         <= stream_1_q;
        stream_3_q         <= stream_2_q;
        first_2_q          <= was[8:4];
        first_3_q          <= first_2_q;
        requests_2_q       <= was[3:0];
        requests_3_q       <= requests_2_q;
        stream_4_q         <= stream_3_q;
        seen_posted_2_q    <= has_now[5:1];
        seen_posted_3_q    <= seen_posted_2_q;
        seen_posted_4_q    <= seen_posted_3_q;
        seen_freed_2_q     <= has_freed_now[5:1];
        seen_freed_3_q     <= seen_freed_2_q;
        seen_freed_4_q     <= seen_freed_3_q;
        is_idle_4_q        <= is_idle;
        is_idle_5_q        <= is_idle_4_q;
        stream_5_q         <= stream_4_q;
        gives_turn_4_q     <= gives_turn;
        gives_turn_5_q     <= gives_turn_4_q;
        had_changed_5_q    <= had_changed;
        retired_before_5_q <= retired_before;
        parked_before_5_q  <= parked_before;
        if (rst) begin
            valid_1_q <= 1'b0;
            valid_2_q <= 1'b0;
            valid_3_q <= 1'b0;
            valid_4_q <= 1'b0;
            valid_5_q <= 1'b0;
        end
    end

    // Not read:
    // woken_ready, new_ready, passed_ready, again_ready: there is room for all tokens
    // work_is_write | work_is_read | work_is_atomic | work_is_send | work_is_immediate, work_invalidates,
    // work_is_immediate, work_is_write, work_is_send: of no use here
    // opened_freed_now[5:1]: only whether its token was woken matters
    // has_now[0]: a token that has a turn exists
    // has_freed_now[0]: a token that has a turn is not parked
    // turn_in_ready, message_in_ready: its place is reserved
    // sofar_now[0], sofar_freed_now[0]: only changes of counts matter
    // issue_of_issued_q, issue_of_count_q, issue_exists_q: the walk has them; it is never empty
    wire unused = &{
        1'b0, woken_ready, new_ready,
        work_is_write | work_is_read | work_is_atomic | work_is_send | work_is_immediate, work_invalidates,
        work_is_immediate, work_is_write, work_is_send, opened_freed_now[5:1], has_now[0], has_freed_now[0],
        turn_in_ready, sofar_now[0], sofar_freed_now[0], passed_ready, issue_of_issued_q, issue_of_count_q,
        issue_exists_q, again_ready, message_in_ready
    };
endmodule
`default_nettype wire
