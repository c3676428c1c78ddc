// receive_ring holds the receive requests of each stream (RFC 5041 section 4.3), up to 16 unused ones, and accepts
// one per cycle. Request number n since the opening of its stream is in slot n modulo 16. A request that finds
// 16 waiting is refused: it is dropped and reported by an event. No request is accepted while such an event waits.
//
// A read does not see a request accepted in the same cycle, and may miss one accepted in the cycle before. A slot
// keeps its request until the stream has used it and its place is posted again. An opening waits until accepted
// requests are stored or refused, and for a cycle without consumed. After reset every ring is empty; for one cycle
// per stream nothing is accepted, reads return nothing meaningful, and consumed has no effect.
//
// Built for streams 64, receive_depth 16.
`default_nettype none
module receive_ring (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // rqe
    input  wire         rqe_valid,
    output wire         rqe_ready,
    input  wire [5:0]   rqe_stream, // number of the stream
    input  wire [63:0]  rqe_id,     // chosen by the host, returned in its completion
    input  wire [31:0]  rqe_stag,   // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  rqe_to,     // tagged offset of the first octet
    input  wire [31:0]  rqe_length, // octets of the buffer

    // opening: empties the stream's ring
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

    input  wire         enable,          // read the slot of the stream, and its number of posted requests
    input  wire [5:0]   stream,          // number of the stream
    input  wire [3:0]   slot,            // number of the request, modulo the ring
    output wire [191:0] entry,           // packed RingEntry, from the next cycle on
    output wire [4:0]   posted,          // requests posted since the opening, modulo twice the ring
    input  wire         consumed,        // the stream has used requests
    input  wire [5:0]   consumed_stream, // number of the stream
    input  wire [4:0]   consumed_count,  // requests used since the opening, modulo twice the ring

    // refused
    output wire         refused_valid,
    input  wire         refused_ready,
    output wire [5:0]   refused_stream,     // number of the stream
    // 0 solicited, 1 this node has ended the stream, 2 the peer has, 3 receive request refused: ring full
    output wire [1:0]   refused_kind,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   refused_term_layer,
    output wire [3:0]   refused_term_etype, // error type that the Terminate reports
    output wire [7:0]   refused_term_code   // error code that the Terminate reports
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

    // ---- Take: the counts of the stream are read while the request advances
    reg [5:0]  held_stream_q;
    reg [63:0] held_id_q;
    reg [31:0] held_stag_q;
    reg [63:0] held_to_q;
    reg [31:0] held_length_q;
    reg        held_valid_q;
    reg        refused_valid_q;
    // Nothing is taken while a refusal waits. The request that follows a refused one may be taken already: there is
    // room for its refusal.
    wire ready = swept_q & ~opening_valid & ~refused_valid_q;
    wire take  = ready & rqe_valid;
    wire opens = swept_q & opening_valid & ~held_valid_q & ~consumed;
    assign rqe_ready     = ready;
    assign opening_ready = opens;

    always @(posedge clk) begin
        held_valid_q <= take;
        if (ready) begin
            held_stream_q <= rqe_stream;
            held_id_q     <= rqe_id;
            held_stag_q   <= rqe_stag;
            held_to_q     <= rqe_to;
            held_length_q <= rqe_length;
        end
        if (rst) begin
            held_valid_q <= 1'b0;
        end
    end

    // ---- Counts of requests posted and used, modulo twice the ring: the top bit of their difference is set if it is
    // full
    reg  [4:0] posted_counts [0:63];
    reg  [4:0] used_counts [0:63];
    wire       store;
    wire [4:0] posted_next;
    wire       write_posted_counts = ~swept_q | opens | store;
    wire [5:0] posted_counts_row   =
        ~swept_q ? sweep_q :
        opens    ? opening_stream :
                   held_stream_q;
    wire [4:0] posted_counts_word  =
        ~swept_q ? 5'd0 :
        opens    ? 5'd0 :
                   posted_next;
    wire       write_used_counts   = ~swept_q | opens | consumed;
    wire [5:0] used_counts_row     =
        ~swept_q ? sweep_q :
        opens    ? opening_stream :
                   consumed_stream;
    wire [4:0] used_counts_word    =
        ~swept_q ? 5'd0 :
        opens    ? 5'd0 :
                   consumed_count;
    reg  [4:0] posted_before_old_q;
    reg  [4:0] posted_before_new_q;
    reg        posted_before_is_new_q;
    wire [4:0] posted_before       = posted_before_is_new_q ? posted_before_new_q : posted_before_old_q;
    reg  [4:0] used_old_q;
    reg  [4:0] used_new_q;
    reg        used_is_new_q;
    wire [4:0] used                = used_is_new_q ? used_new_q : used_old_q;

    always @(posedge clk) begin
        if (write_used_counts) begin
            used_counts[used_counts_row] <= used_counts_word;
        end
        if (take) begin
            used_old_q <= used_counts[rqe_stream];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            used_is_new_q <= write_used_counts & (used_counts_row == rqe_stream);
            used_new_q    <= used_counts_word;
        end
    end

    wire [4:0] waiting = posted_before - used;
    assign posted_next = posted_before + 5'd1;

    // ---- Store, or refuse
    wire       full         = waiting[4];
    reg  [5:0] refused_stream_q;
    reg  [5:0] next_refused_stream_q;
    reg        another_refused_q;
    assign store = held_valid_q & ~full;
    wire       refuses      = held_valid_q & full;
    wire       refusal_told = ~refused_valid_q | refused_ready;

    always @(posedge clk) begin
        if (refusal_told) begin
            refused_valid_q  <= another_refused_q | refuses;
            refused_stream_q <= another_refused_q ? next_refused_stream_q : held_stream_q;
        end
        if (refuses) begin
            next_refused_stream_q <= held_stream_q;
        end
        another_refused_q <= refusal_told ? (another_refused_q & refuses) : (another_refused_q | refuses);
        if (rst) begin
            refused_valid_q   <= 1'b0;
            another_refused_q <= 1'b0;
        end
    end

    assign refused_valid      = refused_valid_q;
    assign refused_stream     = refused_stream_q;
    assign refused_kind       = 2'd3;
    assign refused_term_layer = 4'd0;
    assign refused_term_etype = 4'd0;
    assign refused_term_code  = 8'h00;

    // ---- Read
    reg  [191:0] ring [0:1023];
    wire [191:0] stored_entry    = {held_id_q, held_stag_q, held_to_q, held_length_q};
    reg  [191:0] entry_old_q;
    reg  [191:0] entry_new_q;
    reg          entry_is_new_q;
    wire [191:0] entry_q         = entry_is_new_q ? entry_new_q : entry_old_q;
    wire [9:0]   entry_addr      = {stream, slot};
    wire [9:0]   ring_write_addr = {held_stream_q, posted_before[3:0]};

    always @(posedge clk) begin
        if (store) begin
            ring[ring_write_addr] <= stored_entry;
        end
        if (enable) begin
            entry_old_q <= ring[entry_addr];
        end
    end

    always @(posedge clk) begin
        if (enable) begin
            entry_is_new_q <= store & (ring_write_addr == entry_addr);
            entry_new_q    <= stored_entry;
        end
    end

    assign entry = entry_q;
    reg  [4:0] posted_old_q;
    reg  [4:0] posted_new_q;
    reg        posted_is_new_q;
    wire [4:0] posted_q = posted_is_new_q ? posted_new_q : posted_old_q;

    always @(posedge clk) begin
        if (write_posted_counts) begin
            posted_counts[posted_counts_row] <= posted_counts_word;
        end
        if (take) begin
            posted_before_old_q <= posted_counts[rqe_stream];
        end
        if (enable) begin
            posted_old_q <= posted_counts[stream];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            posted_before_is_new_q <= write_posted_counts & (posted_counts_row == rqe_stream);
            posted_before_new_q    <= posted_counts_word;
        end
        if (enable) begin
            posted_is_new_q <= write_posted_counts & (posted_counts_row == stream);
            posted_new_q    <= posted_counts_word;
        end
    end

    assign posted = posted_q;

    // Not read:
    // opening_open, opening_domain: an opening empties the ring, whether it opens or closes the stream
    // waiting[3:0]: only whether the ring is full matters
    wire unused = &{1'b0, opening_open, opening_domain, waiting[3:0]};
endmodule
`default_nettype wire
