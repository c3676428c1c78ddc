// work_ring holds the work requests of each stream that have not started, up to 16, and offers the oldest ones of
// all streams in turn. Number n since the opening of its stream is in slot n modulo 16. A stream with work is in a
// list once: when its turn comes, its oldest work request is offered; when that has started, the stream goes to the
// end of the list if it has more. A stream whose offer is refused leaves the list until it is freed; the others go
// on.
//
// A work request for a stream whose ring is full waits, together with all posted after it, for whatever stream, until
// one of its stream starts. A host that keeps at most 16 of a stream incomplete never sees this.
//
// Every change of a stream's state, a post, the end of a turn, an opening or freed, takes a cycle of its own and sees
// the result of the previous one, so no change is lost. Priority: opening, end of a turn, freed, post. freed occurs
// at most once in 3 cycles, and not with an opening or in the 2 cycles after one. An opening also withdraws the offer
// of its stream.
//
// A post is offered 3 cycles later at the earliest. The work requests of one stream are offered every 3 cycles, those
// of several every 2. After reset every ring is empty, and for one cycle per stream nothing is accepted.
//
// Built for streams 64, send_depth 16.
`default_nettype none
module work_ring (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // wqe
    input  wire        wqe_valid,
    output wire        wqe_ready,
    input  wire [5:0]  wqe_stream,              // number of the stream
    input  wire [63:0] wqe_id,                  // chosen by the host, returned in its completion
    input  wire        wqe_signaled,            // 1: always complete it; 0: only if it fails
    input  wire [3:0]  wqe_opcode,              // opcode of the operation
    input  wire [31:0] wqe_local_stag,          // STag: index in [31:8], key in [7:0]
    input  wire [63:0] wqe_local_to,            // tagged offset of the first octet
    input  wire [31:0] wqe_length,              // octets of the message; ignored for Atomics and Immediate Data
    input  wire [31:0] wqe_remote_stag,         // STag: index in [31:8], key in [7:0]
    input  wire [63:0] wqe_remote_to,           // tagged offset of the first octet
    input  wire [3:0]  wqe_atomic_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    input  wire [63:0] wqe_atomic_data,
    input  wire [63:0] wqe_atomic_mask,         // Add Mask or Swap Mask
    input  wire [63:0] wqe_atomic_compare,      // Compare Data
    input  wire [63:0] wqe_atomic_compare_mask, // Compare Mask

    input  wire        opened,        // empties the ring of opened_stream; no offer is accepted in such a cycle
    input  wire [5:0]  opened_stream, // number of the stream
    // the oldest work request of freed_stream may be issued now if it could not before
    input  wire        freed,
    input  wire [5:0]  freed_stream,  // number of the stream

    // offer
    output wire        offer_valid,
    input  wire        offer_ready,
    output wire [5:0]  offer_stream,              // number of the stream
    output wire [63:0] offer_id,                  // chosen by the host, returned in its completion
    output wire        offer_signaled,            // 1: always complete it; 0: only if it fails
    output wire [3:0]  offer_opcode,              // opcode of the operation
    output wire [31:0] offer_local_stag,          // STag: index in [31:8], key in [7:0]
    output wire [63:0] offer_local_to,            // tagged offset of the first octet
    output wire [31:0] offer_length,              // octets of the message; ignored for Atomics and Immediate Data
    output wire [31:0] offer_remote_stag,         // STag: index in [31:8], key in [7:0]
    output wire [63:0] offer_remote_to,           // tagged offset of the first octet
    output wire [3:0]  offer_atomic_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    output wire [63:0] offer_atomic_data,
    output wire [63:0] offer_atomic_mask,         // Add Mask or Swap Mask
    output wire [63:0] offer_atomic_compare,      // Compare Data
    output wire [63:0] offer_atomic_compare_mask, // Compare Mask

    output wire [4:0]  number,      // work requests of its stream issued since the opening, modulo twice the ring
    input  wire        refused,     // the accepted offer was not issued: the stream is left out until it is freed
    output wire        look,        // a work request of look_stream is offered in the next cycle
    output wire [5:0]  look_stream  // number of the stream
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

    // ---- One change per cycle: an opening, the end of a turn, freed, a post
    reg         offered_q;
    reg         offer_is_void_q;
    reg  [5:0]  offer_stream_q;
    reg         freed_q;
    reg  [5:0]  freed_stream_q;
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
    wire        post_waits;
    wire        offers         = offered_q & ~offer_is_void_q;
    wire        ends_turn      = offered_q & ~opened & (offer_is_void_q | offer_ready);
    wire        begins         = ends_turn & offers & ~refused;
    wire        is_refused     = ends_turn & offers & refused;
    wire        frees          = freed_q & ~opened & ~ends_turn;
    wire        posts_can_go   = swept_q & ~opened & ~ends_turn & ~freed_q;
    wire        ready          = posts_can_go & ~post_waits;
    assign wqe_ready = ready;
    wire        take           = ready & wqe_valid;
    wire        posts          = posts_can_go & (post_waits | wqe_valid);
    wire [5:0]  changed_stream =
        opened     ? opened_stream :
        ends_turn  ? offer_stream_q :
        freed_q    ? freed_stream_q :
        post_waits ? held_stream_q :
                     wqe_stream;
    reg         held_valid_q;
    reg  [5:0]  change_stream_q;
    reg         change_opens_q;
    reg         change_turn_q;
    reg         change_issued_q;
    reg         change_refused_q;
    reg         change_freed_q;
    reg         change_posts_q;

    always @(posedge clk) begin
        change_stream_q  <= changed_stream;
        change_opens_q   <= opened;
        change_turn_q    <= ends_turn;
        change_issued_q  <= begins;
        change_refused_q <= is_refused;
        change_freed_q   <= frees;
        change_posts_q   <= posts;
        if (freed) begin
            freed_q        <= 1'b1;
            freed_stream_q <= freed_stream;
        end else if (frees) begin
            freed_q <= 1'b0;
        end
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
        held_valid_q <= take | post_waits;
        if (rst) begin
            change_stream_q  <= 6'd0;
            change_opens_q   <= 1'b0;
            change_turn_q    <= 1'b0;
            change_issued_q  <= 1'b0;
            change_refused_q <= 1'b0;
            change_freed_q   <= 1'b0;
            change_posts_q   <= 1'b0;
            freed_q          <= 1'b0;
            held_valid_q     <= 1'b0;
        end
    end

    // ---- New state of the stream
    reg  [11:0] ring_states [0:63];
    wire [11:0] state_next;
    wire        changes           = change_opens_q | change_turn_q | change_freed_q | change_posts_q;
    wire        write_ring_states = ~swept_q | changes;
    wire [5:0]  ring_states_row   = ~swept_q ? sweep_q : change_stream_q;
    wire [11:0] ring_states_word  = ~swept_q ? 12'd0 : state_next;
    wire        read_state        = opened | ends_turn | frees | posts;
    reg  [11:0] state_old_q;
    reg  [11:0] state_new_q;
    reg         state_is_new_q;
    wire [11:0] state             = state_is_new_q ? state_new_q : state_old_q;
    // The top bit of the difference is set if the ring is full.
    wire [4:0] waiting = state[11:7] - state[6:2];
    wire       stores      = change_posts_q & ~waiting[4];
    assign post_waits = held_valid_q & ~stores;
    wire [4:0] posted_next = (state[11:7] + {4'd0, stores}) & {5{~change_opens_q}};
    wire [4:0] issued_next = (state[6:2] + {4'd0, change_issued_q}) & {5{~change_opens_q}};
    wire       goes_again  = change_turn_q & ~change_refused_q & (posted_next != issued_next);
    wire       joins       = ~state[1] & (state[0] ? change_freed_q : stores);
    assign state_next = {
        posted_next, issued_next, change_turn_q ? goes_again : (state[1] | joins),
        (state[0] | change_refused_q) & ~change_freed_q & ~change_opens_q
    };

    // ---- The list: read the state of its first stream, then the slot of its oldest work request
    wire       list_last_valid;
    wire       list_last_ready;
    wire [5:0] list_last_stream;
    wire       list_first_valid;
    wire       list_first_ready;
    wire [5:0] list_first_stream;
    assign list_last_valid  = goes_again | joins;
    assign list_last_stream = change_stream_q;
    wire [5:0] turns_out;
    assign list_first_stream = turns_out;

    bypass #(.WIDTH(6), .DEPTH(64)) turns (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (list_last_valid),
        .in_ready  (list_last_ready),
        .in_data   (list_last_stream),
        .out_valid (list_first_valid),
        .out_ready (list_first_ready),
        .out_data  (turns_out)
    );

    reg       next_valid_q;
    reg [5:0] next_stream_q;
    // Not while an opening may be about to reset its state, which is read again in every cycle.
    wire        advance     = next_valid_q & ~offered_q & ~opened & ~change_opens_q;
    wire        pop         = ~next_valid_q | advance;
    assign list_first_ready = pop;
    wire        read_next   = list_first_valid | next_valid_q;
    wire [5:0]  read_stream = pop ? list_first_stream : next_stream_q;
    reg  [11:0] next_state_old_q;
    reg  [11:0] next_state_new_q;
    reg         next_state_is_new_q;
    wire [11:0] next_state  = next_state_is_new_q ? next_state_new_q : next_state_old_q;

    always @(posedge clk) begin
        if (write_ring_states) begin
            ring_states[ring_states_row] <= ring_states_word;
        end
        if (read_state) begin
            state_old_q <= ring_states[changed_stream];
        end
        if (read_next) begin
            next_state_old_q <= ring_states[read_stream];
        end
    end

    always @(posedge clk) begin
        if (read_state) begin
            state_is_new_q <= write_ring_states & (ring_states_row == changed_stream);
            state_new_q    <= ring_states_word;
        end
        if (read_next) begin
            next_state_is_new_q <= write_ring_states & (ring_states_row == read_stream);
            next_state_new_q    <= ring_states_word;
        end
    end

    reg  [4:0]   offer_number_q;
    reg  [552:0] ring [0:1023];
    wire [552:0] stored_work = {
        held_id_q, held_signaled_q, held_opcode_q, held_local_stag_q, held_local_to_q, held_length_q,
        held_remote_stag_q, held_remote_to_q, held_atomic_opcode_q, held_atomic_data_q, held_atomic_mask_q,
        held_atomic_compare_q, held_atomic_compare_mask_q
    };
    reg  [552:0] oldest_q;

    wire [9:0] ring_write_addr = {held_stream_q, state[10:7]};
    wire [9:0] oldest_addr     = {next_stream_q, next_state[5:2]};
    always @(posedge clk) begin
        if (stores) begin
            ring[ring_write_addr] <= stored_work;
        end
        if (advance) begin
            oldest_q <= ring[oldest_addr];
        end
    end

    always @(posedge clk) begin
        if (pop) begin
            next_valid_q  <= list_first_valid;
            next_stream_q <= list_first_stream;
        end
        if (advance) begin
            offered_q       <= 1'b1;
            offer_stream_q  <= next_stream_q;
            offer_number_q  <= next_state[6:2];
            offer_is_void_q <= next_state[11:7] == next_state[6:2];
        end else if (ends_turn) begin
            offered_q <= 1'b0;
        end else if (opened & (opened_stream == offer_stream_q)) begin
            offer_is_void_q <= 1'b1;
        end
        if (rst) begin
            next_valid_q <= 1'b0;
            offered_q    <= 1'b0;
        end
    end

    // ---- Offer
    assign offer_valid               = offers;
    assign offer_stream              = offer_stream_q;
    assign offer_id                  = oldest_q[552:489];
    assign offer_signaled            = oldest_q[488];
    assign offer_opcode              = oldest_q[487:484];
    assign offer_local_stag          = oldest_q[483:452];
    assign offer_local_to            = oldest_q[451:388];
    assign offer_length              = oldest_q[387:356];
    assign offer_remote_stag         = oldest_q[355:324];
    assign offer_remote_to           = oldest_q[323:260];
    assign offer_atomic_opcode       = oldest_q[259:256];
    assign offer_atomic_data         = oldest_q[255:192];
    assign offer_atomic_mask         = oldest_q[191:128];
    assign offer_atomic_compare      = oldest_q[127:64];
    assign offer_atomic_compare_mask = oldest_q[63:0];
    assign number                    = offer_number_q;
    assign look                      = advance | offers;
    assign look_stream               = offered_q ? offer_stream_q : next_stream_q;

    // Not read:
    // waiting[3:0]: only whether the ring is full matters
    // list_last_ready: the list has room for all streams
    // next_state[1], next_state[0]: a stream whose turn comes is listed
    wire unused = &{1'b0, waiting[3:0], list_last_ready, next_state[1], next_state[0]};
endmodule
`default_nettype wire
