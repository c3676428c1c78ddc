// opening_fork_64 distributes each opening of a stream to every block, and accepts the next one when all have taken it.
// Openings are at least 32 cycles apart, so that segments have the other cycles.
//
// Built for streams 64.
`default_nettype none
module opening_fork (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // in
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [5:0]  in_stream, // number of the stream
    input  wire        in_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0] in_domain, // protection domain; STags of the domain are associated with the stream

    // check
    output wire        check_valid,
    input  wire        check_ready,
    output wire [5:0]  check_stream, // number of the stream
    output wire        check_open,   // 1 opens the stream, 0 closes it
    output wire [15:0] check_domain, // protection domain; STags of the domain are associated with the stream

    // delivery
    output wire        delivery_valid,
    input  wire        delivery_ready,
    output wire [5:0]  delivery_stream, // number of the stream
    output wire        delivery_open,   // 1 opens the stream, 0 closes it
    output wire [15:0] delivery_domain, // protection domain; STags of the domain are associated with the stream

    // order
    output wire        order_valid,
    input  wire        order_ready,
    output wire [5:0]  order_stream, // number of the stream
    output wire        order_open,   // 1 opens the stream, 0 closes it
    output wire [15:0] order_domain, // protection domain; STags of the domain are associated with the stream

    // tx
    output wire        tx_valid,
    input  wire        tx_ready,
    output wire [5:0]  tx_stream, // number of the stream
    output wire        tx_open,   // 1 opens the stream, 0 closes it
    output wire [15:0] tx_domain, // protection domain; STags of the domain are associated with the stream

    // work
    output wire        work_valid,
    input  wire        work_ready,
    output wire [5:0]  work_stream, // number of the stream
    output wire        work_open,   // 1 opens the stream, 0 closes it
    output wire [15:0] work_domain, // protection domain; STags of the domain are associated with the stream

    // ring
    output wire        ring_valid,
    input  wire        ring_ready,
    output wire [5:0]  ring_stream, // number of the stream
    output wire        ring_open,   // 1 opens the stream, 0 closes it
    output wire [15:0] ring_domain, // protection domain; STags of the domain are associated with the stream

    // failures
    output wire        failures_valid,
    input  wire        failures_ready,
    output wire [5:0]  failures_stream, // number of the stream
    output wire        failures_open,   // 1 opens the stream, 0 closes it
    output wire [15:0] failures_domain  // protection domain; STags of the domain are associated with the stream
);
    wire all_taken;

    // ---- Pause after an opening
    reg  [4:0] pause_q;
    reg        rests_q;
    wire       offers = in_valid & ~rests_q;
    wire       passes = offers & all_taken;

    always @(posedge clk) begin
        rests_q <= passes | (rests_q & (pause_q != 5'd1));
        if (passes) begin
            pause_q <= 5'd31;
        end else if (|pause_q) begin
            pause_q <= pause_q - 5'd1;
        end
        if (rst) begin
            rests_q <= 1'b0;
            pause_q <= 5'd0;
        end
    end

    // ---- Offer an opening to each block until that has taken it
    reg taken_check_q;
    assign check_valid  = offers & ~taken_check_q;
    assign check_stream = in_stream;
    assign check_open   = in_open;
    assign check_domain = in_domain;

    always @(posedge clk) begin
        if (offers) begin
            taken_check_q <= (taken_check_q | check_ready) & ~all_taken;
        end
        if (rst) begin
            taken_check_q <= 1'b0;
        end
    end

    reg taken_delivery_q;
    assign delivery_valid  = offers & ~taken_delivery_q;
    assign delivery_stream = in_stream;
    assign delivery_open   = in_open;
    assign delivery_domain = in_domain;

    always @(posedge clk) begin
        if (offers) begin
            taken_delivery_q <= (taken_delivery_q | delivery_ready) & ~all_taken;
        end
        if (rst) begin
            taken_delivery_q <= 1'b0;
        end
    end

    reg taken_order_q;
    assign order_valid  = offers & ~taken_order_q;
    assign order_stream = in_stream;
    assign order_open   = in_open;
    assign order_domain = in_domain;

    always @(posedge clk) begin
        if (offers) begin
            taken_order_q <= (taken_order_q | order_ready) & ~all_taken;
        end
        if (rst) begin
            taken_order_q <= 1'b0;
        end
    end

    reg taken_tx_q;
    assign tx_valid  = offers & ~taken_tx_q;
    assign tx_stream = in_stream;
    assign tx_open   = in_open;
    assign tx_domain = in_domain;

    always @(posedge clk) begin
        if (offers) begin
            taken_tx_q <= (taken_tx_q | tx_ready) & ~all_taken;
        end
        if (rst) begin
            taken_tx_q <= 1'b0;
        end
    end

    reg taken_work_q;
    assign work_valid  = offers & ~taken_work_q;
    assign work_stream = in_stream;
    assign work_open   = in_open;
    assign work_domain = in_domain;

    always @(posedge clk) begin
        if (offers) begin
            taken_work_q <= (taken_work_q | work_ready) & ~all_taken;
        end
        if (rst) begin
            taken_work_q <= 1'b0;
        end
    end

    reg taken_ring_q;
    assign ring_valid  = offers & ~taken_ring_q;
    assign ring_stream = in_stream;
    assign ring_open   = in_open;
    assign ring_domain = in_domain;

    always @(posedge clk) begin
        if (offers) begin
            taken_ring_q <= (taken_ring_q | ring_ready) & ~all_taken;
        end
        if (rst) begin
            taken_ring_q <= 1'b0;
        end
    end

    reg taken_failures_q;
    assign failures_valid  = offers & ~taken_failures_q;
    assign failures_stream = in_stream;
    assign failures_open   = in_open;
    assign failures_domain = in_domain;

    always @(posedge clk) begin
        if (offers) begin
            taken_failures_q <= (taken_failures_q | failures_ready) & ~all_taken;
        end
        if (rst) begin
            taken_failures_q <= 1'b0;
        end
    end

    // Who has taken it comes from registers: the next opening is far away.
    assign all_taken =
          taken_check_q
        & taken_delivery_q
        & taken_order_q
        & taken_tx_q
        & taken_work_q
        & taken_ring_q
        & taken_failures_q;
    assign in_ready  = ~rests_q & all_taken;
endmodule
`default_nettype wire
