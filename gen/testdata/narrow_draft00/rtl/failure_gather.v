// failure_gather_2 passes on the first failure of each stream since its opening and swallows the others. It has
// room for one failure of every stream, so that who fails is never held up.
//
// Built for streams 2.
`default_nettype none
module failure_gather (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // opening
    input  wire        opening_valid,
    output wire        opening_ready,
    input  wire        opening_stream, // number of the RDMAP Stream
    input  wire        opening_open,   // 1 opens the stream, 0 shuts it
    input  wire [15:0] opening_domain, // protection domain: STags of that domain are associated with the stream

    // placement
    input  wire        placement_valid,
    output wire        placement_ready,
    input  wire        placement_stream,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]  placement_term_layer,
    input  wire [3:0]  placement_term_etype, // error type that the Terminate reports
    input  wire [7:0]  placement_term_code,  // error code that the Terminate reports

    // atomic
    input  wire        atomic_valid,
    output wire        atomic_ready,
    input  wire        atomic_stream,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]  atomic_term_layer,
    input  wire [3:0]  atomic_term_etype, // error type that the Terminate reports
    input  wire [7:0]  atomic_term_code,  // error code that the Terminate reports

    // order
    input  wire        order_valid,
    output wire        order_ready,
    input  wire        order_stream,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]  order_term_layer,
    input  wire [3:0]  order_term_etype, // error type that the Terminate reports
    input  wire [7:0]  order_term_code,  // error code that the Terminate reports

    // tx
    input  wire        tx_valid,
    output wire        tx_ready,
    input  wire        tx_stream,
    input  wire [3:0]  tx_term_layer, // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]  tx_term_etype, // error type that the Terminate reports
    input  wire [7:0]  tx_term_code,  // error code that the Terminate reports

    // work
    input  wire        work_valid,
    output wire        work_ready,
    input  wire        work_stream,
    input  wire [3:0]  work_term_layer, // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]  work_term_etype, // error type that the Terminate reports
    input  wire [7:0]  work_term_code,  // error code that the Terminate reports

    // out
    output wire        out_valid,
    input  wire        out_ready,
    output wire        out_stream,
    output wire [3:0]  out_term_layer, // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]  out_term_etype, // error type that the Terminate reports
    output wire [7:0]  out_term_code,  // error code that the Terminate reports

    output wire        memory
);
    // ---- Pick: an opening first, then the failures in this order
    reg sweep_q;
    reg swept_q;

    always @(posedge clk) begin
        if (~swept_q) begin
            sweep_q <= sweep_q + 1'b1;
            if (sweep_q) begin
                swept_q <= 1'b1;
            end
        end
        if (rst) begin
            sweep_q <= 1'b0;
            swept_q <= 1'b0;
        end
    end

    reg        picked_valid_q;
    reg        picked_is_opening_q;
    reg        picked_stream_q;
    reg  [3:0] picked_term_layer_q;
    reg  [3:0] picked_term_etype_q;
    reg  [7:0] picked_term_code_q;
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
    wire take   =
        free & (opening_valid | placement_valid | atomic_valid | tx_valid | order_valid | work_valid);
    wire stream =
        opening_valid   ? opening_stream :
        placement_valid ? placement_stream :
        atomic_valid    ? atomic_stream :
        tx_valid        ? tx_stream :
        order_valid     ? order_stream :
                          work_stream;

    // ---- Has the stream failed before?
    reg  failed [0:1];
    reg  failed_before_q;
    wire settle;
    wire write_failed = ~swept_q | settle;
    wire failed_row   = ~swept_q ? sweep_q : picked_stream_q;
    wire failed_word  = ~swept_q ? 1'b0 : ~picked_is_opening_q;

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
    wire       gathered_stream;
    wire [3:0] gathered_term_layer;
    wire [3:0] gathered_term_etype;
    wire [7:0] gathered_term_code;
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
            picked_term_layer_q <=
                opening_valid   ? 4'd0 :
                placement_valid ? placement_term_layer :
                atomic_valid    ? atomic_term_layer :
                tx_valid        ? tx_term_layer :
                order_valid     ? order_term_layer :
                                  work_term_layer;
            picked_term_etype_q <=
                opening_valid   ? 4'd0 :
                placement_valid ? placement_term_etype :
                atomic_valid    ? atomic_term_etype :
                tx_valid        ? tx_term_etype :
                order_valid     ? order_term_etype :
                                  work_term_etype;
            picked_term_code_q  <=
                opening_valid   ? 8'h00 :
                placement_valid ? placement_term_code :
                atomic_valid    ? atomic_term_code :
                tx_valid        ? tx_term_code :
                order_valid     ? order_term_code :
                                  work_term_code;
        end else if (settle) begin
            picked_valid_q <= 1'b0;
        end
        if (rst) begin
            picked_valid_q <= 1'b0;
        end
    end

    assign gathered_valid      = fresh;
    assign gathered_stream     = picked_stream_q;
    assign gathered_term_layer = picked_term_layer_q;
    assign gathered_term_etype = picked_term_etype_q;
    assign gathered_term_code  = picked_term_code_q;
    wire [16:0] room_out;
    assign out_stream          = room_out[16];
    assign out_term_layer      = room_out[15:12];
    assign out_term_etype      = room_out[11:8];
    assign out_term_code       = room_out[7:0];

    fifo #(.WIDTH(17), .DEPTH(2)) room (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (gathered_valid),
        .in_ready  (gathered_ready),
        .in_data   ({gathered_stream, gathered_term_layer, gathered_term_etype, gathered_term_code}),
        .out_valid (out_valid),
        .out_ready (out_ready),
        .out_data  (room_out)
    );

    wire unused = &{1'b0, opening_open, opening_domain};
endmodule
`default_nettype wire
