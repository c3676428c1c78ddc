// event_64_merge passes on the beats of two streams, one a clock, with one clock of latency. A waiting stream is passed
// over at most once.
`default_nettype none
module event_64_merge (
    input  wire       clk,
    input  wire       rst,
    input  wire       a_valid,
    output wire       a_ready,
    input  wire [5:0] a_stream,
    input  wire [1:0] a_kind,
    input  wire [3:0] a_term_layer,
    input  wire [3:0] a_term_etype,
    input  wire [7:0] a_term_code,
    input  wire       b_valid,
    output wire       b_ready,
    input  wire [5:0] b_stream,
    input  wire [1:0] b_kind,
    input  wire [3:0] b_term_layer,
    input  wire [3:0] b_term_etype,
    input  wire [7:0] b_term_code,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [5:0] out_stream,
    output wire [1:0] out_kind,
    output wire [3:0] out_term_layer,
    output wire [3:0] out_term_etype,
    output wire [7:0] out_term_code
);
    reg  [5:0]  out_stream_q;
    reg  [1:0]  out_kind_q;
    reg  [3:0]  out_term_layer_q;
    reg  [3:0]  out_term_etype_q;
    reg  [7:0]  out_term_code_q;
    reg         out_valid_q;
    reg         b_turn_q;
    wire        free   = ~out_valid_q | out_ready;
    wire        pick_b = b_valid & (b_turn_q | ~a_valid);
    wire        any    = a_valid | b_valid;
    assign a_ready = free & ~pick_b;
    assign b_ready = free & pick_b;
    wire [23:0] picked =
        pick_b ? {b_stream, b_kind, b_term_layer, b_term_etype, b_term_code} :
                 {a_stream, a_kind, a_term_layer, a_term_etype, a_term_code};

    always @(posedge clk) begin
        if (free) begin
            out_valid_q <= any;
            if (any) begin
                out_stream_q     <= picked[23:18];
                out_kind_q       <= picked[17:16];
                out_term_layer_q <= picked[15:12];
                out_term_etype_q <= picked[11:8];
                out_term_code_q  <= picked[7:0];
                b_turn_q         <= ~pick_b;
            end
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            b_turn_q    <= 1'b0;
        end
    end

    assign out_valid      = out_valid_q;
    assign out_stream     = out_stream_q;
    assign out_kind       = out_kind_q;
    assign out_term_layer = out_term_layer_q;
    assign out_term_etype = out_term_etype_q;
    assign out_term_code  = out_term_code_q;
endmodule
`default_nettype wire
