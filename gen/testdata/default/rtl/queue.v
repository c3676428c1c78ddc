// queue forwards beats in order: one per cycle in, one per cycle out. It holds DEPTH beats in its memory, two read from
// it ahead, and one at its output, which is a register. Nothing on the way to a wide or distant consumer comes from a
// memory, and the pointers do not wait for that consumer. A beat that finds the queue empty is on offer in the next
// cycle; others go through the memory, which takes two cycles more.
`default_nettype none
module queue #(
    parameter WIDTH = 64, // bits of a beat
    parameter DEPTH = 16  // beats in memory: a power of two, at least 2
) (
    input  wire             clk,
    input  wire             rst, // synchronous, active high

    // in: beats to store
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [WIDTH-1:0] in_data,  // one beat

    // out: the same beats, in order
    output wire             out_valid,
    input  wire             out_ready,
    output wire [WIDTH-1:0] out_data   // one beat
);
    localparam INDEX = $clog2(DEPTH);
    reg             out_valid_q;
    reg [WIDTH-1:0] out_q;
    reg             fetched_valid_q;
    reg             vacant_q;
    reg             aside_valid_q;
    reg [WIDTH-1:0] aside_q;
    reg [INDEX-1:0] head_q;
    reg [INDEX-1:0] tail_q;
    reg [INDEX-1:0] not_before_head_q;
    reg [INDEX-1:0] not_before_tail_q;
    reg             full_q;
    reg             empty_q;
    // A beat bypasses the memory when nothing is inside.
    wire pass  = in_valid & empty_q & ~fetched_valid_q & ~aside_valid_q & ~out_valid_q;
    wire store = in_valid & ~full_q & ~pass;
    assign in_ready = ~full_q;
    // A beat that was read moves to the output or aside, unless another is there already: then none is read.
    wire fetch = ~empty_q & ~(fetched_valid_q & aside_valid_q);
    // Whether the output is free has many readers; what decides asks a register of its own.
    wire             out_free = ~out_valid_q | out_ready;
    wire             is_free  = vacant_q | out_ready;
    reg  [WIDTH-1:0] beats [0:DEPTH-1];
    // What bypasses the memory is written, too, and overwritten by the next: the write does not wait for that decision.
    reg [WIDTH-1:0] fetched_q;

    always @(posedge clk) begin
        if (in_valid & ~full_q) begin
            beats[tail_q] <= in_data;
        end
        if (fetch) begin
            fetched_q <= beats[head_q];
        end
    end

    // With one place or one beat left, the memory is neither full nor empty. The places before head and tail,
    // complemented to be 0
    // after reset, are registers, so that no sum is compared.
    wire last_place = tail_q == ~not_before_head_q;
    wire last_beat  = head_q == ~not_before_tail_q;
    wire has_next   = aside_valid_q | fetched_valid_q | pass;

    always @(posedge clk) begin
        if (out_free) begin
            out_q <=
                aside_valid_q   ? aside_q :
                fetched_valid_q ? fetched_q :
                                  in_data;
        end
        if (is_free) begin
            out_valid_q <= has_next;
            vacant_q    <= ~has_next;
        end
        if (~aside_valid_q | is_free) begin
            aside_q <= fetched_q;
        end
        aside_valid_q   <= is_free ? (aside_valid_q & fetched_valid_q) : (aside_valid_q | fetched_valid_q);
        fetched_valid_q <= fetch | (fetched_valid_q & aside_valid_q & ~is_free);
        if (fetch) begin
            head_q            <= head_q + 1'b1;
            not_before_head_q <= ~head_q;
        end
        if (store) begin
            tail_q            <= tail_q + 1'b1;
            not_before_tail_q <= ~tail_q;
        end
        full_q  <= ~fetch & (full_q | (in_valid & last_place));
        empty_q <= empty_q ? ~store : (fetch & last_beat & ~in_valid);
        if (rst) begin
            out_valid_q       <= 1'b0;
            vacant_q          <= 1'b1;
            aside_valid_q     <= 1'b0;
            fetched_valid_q   <= 1'b0;
            head_q            <= {INDEX{1'b0}};
            not_before_head_q <= {INDEX{1'b0}};
            tail_q            <= {INDEX{1'b0}};
            not_before_tail_q <= {INDEX{1'b0}};
            full_q            <= 1'b0;
            empty_q           <= 1'b1;
        end
    end

    assign out_valid = out_valid_q;
    assign out_data  = out_q;
endmodule
`default_nettype wire
