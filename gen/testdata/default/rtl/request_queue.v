// request_queue holds the requests of every stream, and its end, until the responder takes them. It has 16 slots per
// stream: 8 requests (IRD) and the end, so a peer that accepts no responses blocks no receive side.
//
// Requests leave in order of arrival, 2 cycles later at the earliest. A request that arrived inside an incomplete
// message of its stream (RFC 7306 section 5.4) stays in its slot and stalls no other stream. A release lets all
// waiting requests of its stream leave, in order, one per cycle; the next item is accepted when all of them have
// their turn. A request that is never released is overwritten when its slot is used again.
//
// Built for streams 64, ird 8.
`default_nettype none
module request_queue (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // in
    input  wire         in_valid,
    output wire         in_ready,
    input  wire         in_queue_waits,    // the request waits until it is released
    // releases this many requests, from slot on, 0 to IRD; if not 0, the item is no request
    input  wire [3:0]   in_queue_released,
    input  wire [3:0]   in_queue_slot,     // of the item, or of the first released request
    input  wire [5:0]   in_stream,         // number of the stream
    // number of the executor: 0 Read, 1 Atomic; then the end of the stream, and its silent end
    input  wire [1:0]   in_kind,
    input  wire [31:0]  in_number,         // number of the request; returned in its credit
    input  wire [31:0]  in_stag,           // STag of the target or source
    input  wire [63:0]  in_address,        // of the target or source in memory
    input  wire [31:0]  in_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]   in_term_layer,
    input  wire [3:0]   in_term_etype,     // error type that the Terminate reports
    input  wire [7:0]   in_term_code,      // error code that the Terminate reports
    input  wire [5:0]   in_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    input  wire [15:0]  in_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    input  wire [415:0] in_body,

    // out
    output wire         out_valid,
    input  wire         out_ready,
    output wire [5:0]   out_stream,         // number of the stream
    // number of the executor: 0 Read, 1 Atomic; then the end of the stream, and its silent end
    output wire [1:0]   out_kind,
    output wire [31:0]  out_number,         // number of the request; returned in its credit
    output wire [31:0]  out_stag,           // STag of the target or source
    output wire [63:0]  out_address,        // of the target or source in memory
    output wire [31:0]  out_response_msn,   // MSN of the response on queue 3
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   out_term_layer,
    output wire [3:0]   out_term_etype,     // error type that the Terminate reports
    output wire [7:0]   out_term_code,      // error code that the Terminate reports
    output wire [5:0]   out_header_length,  // octets of the body that a Terminate returns: 0, 14, 18 or 46
    output wire [15:0]  out_segment_length, // octets of the terminated segment
    // what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header
    output wire [415:0] out_body
);
    wire       turn_valid;
    wire       turn_ready;
    wire [5:0] turn_stream;
    wire [3:0] turn_slot;
    wire       next_valid;
    wire       next_ready;
    wire [5:0] next_stream;
    wire [3:0] next_slot;
    wire [9:0] turns_out;
    assign next_stream = turns_out[9:4];
    assign next_slot   = turns_out[3:0];

    fifo #(.WIDTH(10), .DEPTH(1024)) turns (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (turn_valid),
        .in_ready  (turn_ready),
        .in_data   ({turn_stream, turn_slot}),
        .out_valid (next_valid),
        .out_ready (next_ready),
        .out_data  (turns_out)
    );

    // ---- Store the item, and queue the slots that may leave
    reg  [3:0]   more_q;
    reg  [5:0]   released_stream_q;
    reg  [3:0]   released_slot_q;
    wire         releasing  = |more_q;
    wire         is_release = |in_queue_released;
    wire         take       = in_valid & ~releasing & turn_ready;
    assign in_ready    = ~releasing & turn_ready;
    reg  [621:0] slots [0:1023];
    assign turn_valid  = releasing | (in_valid & ~in_queue_waits);
    assign turn_stream = releasing ? released_stream_q : in_stream;
    assign turn_slot   = releasing ? released_slot_q : in_queue_slot;

    always @(posedge clk) begin
        if (take & is_release) begin
            more_q            <= in_queue_released - 4'd1;
            released_stream_q <= in_stream;
            released_slot_q   <= in_queue_slot + 4'd1;
        end else if (releasing & turn_ready) begin
            more_q          <= more_q - 4'd1;
            released_slot_q <= released_slot_q + 4'd1;
        end
        if (rst) begin
            more_q <= 4'd0;
        end
    end

    // ---- Leave
    reg  out_valid_q;
    wire fetch = next_valid & (~out_valid_q | out_ready);
    assign next_ready = ~out_valid_q | out_ready;
    // An item is stored at least one cycle before its turn.
    reg [621:0] out_q;

    wire [9:0] slots_write_addr = {in_stream, in_queue_slot};
    wire [9:0] out_addr         = {next_stream, next_slot};
    always @(posedge clk) begin
        if (take & ~is_release) begin
            slots[slots_write_addr] <= {
                in_stream, in_kind, in_number, in_stag, in_address, in_response_msn, in_term_layer,
                in_term_etype, in_term_code, in_header_length, in_segment_length, in_body
            };
        end
        if (fetch) begin
            out_q <= slots[out_addr];
        end
    end

    always @(posedge clk) begin
        if (fetch) begin
            out_valid_q <= 1'b1;
        end else if (out_ready) begin
            out_valid_q <= 1'b0;
        end
        if (rst) begin
            out_valid_q <= 1'b0;
        end
    end

    assign out_valid          = out_valid_q;
    assign out_stream         = out_q[621:616];
    assign out_kind           = out_q[615:614];
    assign out_number         = out_q[613:582];
    assign out_stag           = out_q[581:550];
    assign out_address        = out_q[549:486];
    assign out_response_msn   = out_q[485:454];
    assign out_term_layer     = out_q[453:450];
    assign out_term_etype     = out_q[449:446];
    assign out_term_code      = out_q[445:438];
    assign out_header_length  = out_q[437:432];
    assign out_segment_length = out_q[431:416];
    assign out_body           = out_q[415:0];
endmodule
`default_nettype wire
