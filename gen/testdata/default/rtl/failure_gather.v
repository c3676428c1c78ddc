// failure_gather_64 forwards the first failure of each stream since its opening and drops the others. It has room for
// one failure per stream, so that reporting a failure never stalls.
//
// Built for streams 64.
`default_nettype none
module failure_gather (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // opening
    input  wire        opening_valid,
    output wire        opening_ready,
    input  wire [5:0]  opening_stream, // number of the stream
    input  wire        opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0] opening_domain, // protection domain; STags of the domain are associated with the stream

    // placement
    input  wire        placement_valid,
    output wire        placement_ready,
    input  wire [5:0]  placement_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    input  wire        placement_fault,

    // atomic: write errors of the atomic unit
    input  wire        atomic_valid,
    output wire        atomic_ready,
    input  wire [5:0]  atomic_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    input  wire        atomic_fault,

    // order
    input  wire        order_valid,
    output wire        order_ready,
    input  wire [5:0]  order_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    input  wire        order_fault,

    // tx
    input  wire        tx_valid,
    output wire        tx_ready,
    input  wire [5:0]  tx_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    input  wire        tx_fault,

    // work
    input  wire        work_valid,
    output wire        work_ready,
    input  wire [5:0]  work_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    input  wire        work_fault,

    // out
    output wire        out_valid,
    input  wire        out_ready,
    output wire [5:0]  out_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire        out_fault,

    output wire        memory  // a failure caused by memory was accepted
);
    // ---- Pick: an opening first, then failures in order of priority
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

    reg        picked_valid_q;
    reg        picked_is_opening_q;
    reg  [5:0] picked_stream_q;
    reg        picked_fault_q;
    wire       free = swept_q & ~picked_valid_q;
    assign opening_ready = free;
    assign placement_ready = free & ~opening_valid;
    assign atomic_ready    = free & ~(opening_valid | placement_valid);
    assign tx_ready        = free & ~(opening_valid | placement_valid | atomic_valid);
    assign order_ready     = free & ~(opening_valid | placement_valid | atomic_valid | tx_valid);
    assign work_ready      =
        free & ~(opening_valid | placement_valid | atomic_valid | tx_valid | order_valid);
    assign memory          =
          (free & ~opening_valid & placement_valid)
        | (free & ~(opening_valid | placement_valid) & atomic_valid)
        | (free & ~(opening_valid | placement_valid | atomic_valid) & tx_valid);
    wire       take   =
        free & (opening_valid | placement_valid | atomic_valid | tx_valid | order_valid | work_valid);
    wire [5:0] stream =
        opening_valid   ? opening_stream :
        placement_valid ? placement_stream :
        atomic_valid    ? atomic_stream :
        tx_valid        ? tx_stream :
        order_valid     ? order_stream :
                          work_stream;

    // ---- Has the stream failed before?
    reg        failed [0:63];
    reg        failed_before_q;
    wire       settle;
    wire       write_failed = ~swept_q | settle;
    wire [5:0] failed_row   = ~swept_q ? sweep_q : picked_stream_q;
    wire       failed_word  = ~swept_q ? 1'b0 : ~picked_is_opening_q;

    always @(posedge clk) begin
        if (write_failed) begin
            failed[failed_row] <= failed_word;
        end
        if (take) begin
            failed_before_q <= failed[stream];
        end
    end

    wire       gathered_valid;
    wire       gathered_ready;
    wire [5:0] gathered_stream;
    wire       gathered_fault;
    wire       fresh = picked_valid_q & ~picked_is_opening_q & ~failed_before_q;
    assign settle = picked_valid_q & (~fresh | gathered_ready);

    always @(posedge clk) begin
        if (take) begin
            picked_valid_q      <= 1'b1;
            picked_is_opening_q <= opening_valid;
            picked_stream_q     <=
                opening_valid   ? opening_stream :
                placement_valid ? placement_stream :
                atomic_valid    ? atomic_stream :
                tx_valid        ? tx_stream :
                order_valid     ? order_stream :
                                  work_stream;
            picked_fault_q      <=
                opening_valid   ? 1'b0 :
                placement_valid ? placement_fault :
                atomic_valid    ? atomic_fault :
                tx_valid        ? tx_fault :
                order_valid     ? order_fault :
                                  work_fault;
        end else if (settle) begin
            picked_valid_q <= 1'b0;
        end
        if (rst) begin
            picked_valid_q <= 1'b0;
        end
    end

    assign gathered_valid  = fresh;
    assign gathered_stream = picked_stream_q;
    assign gathered_fault  = picked_fault_q;
    wire [6:0] room_out;
    assign out_stream      = room_out[6:1];
    assign out_fault       = room_out[0];

    fifo #(.WIDTH(7), .DEPTH(64)) room (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (gathered_valid),
        .in_ready  (gathered_ready),
        .in_data   ({gathered_stream, gathered_fault}),
        .out_valid (out_valid),
        .out_ready (out_ready),
        .out_data  (room_out)
    );

    // Not read:
    // opening_open, opening_domain: an opening resets the stream, whether it opens or closes it
    wire unused = &{1'b0, opening_open, opening_domain};
endmodule
`default_nettype wire
