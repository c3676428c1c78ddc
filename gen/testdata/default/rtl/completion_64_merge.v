// completion_64_merge passes on the beats of two streams, one a clock, with one clock of latency. A waiting stream is passed
// over at most once.
`default_nettype none
module completion_64_merge (
    input  wire        clk,
    input  wire        rst,
    input  wire        a_valid,
    output wire        a_ready,
    input  wire [5:0]  a_stream,
    input  wire [63:0] a_id,
    input  wire [1:0]  a_status,
    input  wire [3:0]  a_opcode,
    input  wire        a_recv,
    input  wire [31:0] a_length,
    input  wire [63:0] a_data,
    input  wire [31:0] a_stag,
    input  wire        b_valid,
    output wire        b_ready,
    input  wire [5:0]  b_stream,
    input  wire [63:0] b_id,
    input  wire [1:0]  b_status,
    input  wire [3:0]  b_opcode,
    input  wire        b_recv,
    input  wire [31:0] b_length,
    input  wire [63:0] b_data,
    input  wire [31:0] b_stag,
    output wire        out_valid,
    input  wire        out_ready,
    output wire [5:0]  out_stream,
    output wire [63:0] out_id,
    output wire [1:0]  out_status,
    output wire [3:0]  out_opcode,
    output wire        out_recv,
    output wire [31:0] out_length,
    output wire [63:0] out_data,
    output wire [31:0] out_stag
);
    reg  [5:0]   out_stream_q;
    reg  [63:0]  out_id_q;
    reg  [1:0]   out_status_q;
    reg  [3:0]   out_opcode_q;
    reg          out_recv_q;
    reg  [31:0]  out_length_q;
    reg  [63:0]  out_data_q;
    reg  [31:0]  out_stag_q;
    reg          out_valid_q;
    reg          b_turn_q;
    wire         free   = ~out_valid_q | out_ready;
    wire         pick_b = b_valid & (b_turn_q | ~a_valid);
    wire         any    = a_valid | b_valid;
    assign a_ready = free & ~pick_b;
    assign b_ready = free & pick_b;
    wire [204:0] picked =
        pick_b ? {b_stream, b_id, b_status, b_opcode, b_recv, b_length, b_data, b_stag} :
                 {a_stream, a_id, a_status, a_opcode, a_recv, a_length, a_data, a_stag};

    always @(posedge clk) begin
        if (free) begin
            out_valid_q <= any;
            if (any) begin
                out_stream_q <= picked[204:199];
                out_id_q     <= picked[198:135];
                out_status_q <= picked[134:133];
                out_opcode_q <= picked[132:129];
                out_recv_q   <= picked[128];
                out_length_q <= picked[127:96];
                out_data_q   <= picked[95:32];
                out_stag_q   <= picked[31:0];
                b_turn_q     <= ~pick_b;
            end
        end
        if (rst) begin
            out_valid_q <= 1'b0;
            b_turn_q    <= 1'b0;
        end
    end

    assign out_valid  = out_valid_q;
    assign out_stream = out_stream_q;
    assign out_id     = out_id_q;
    assign out_status = out_status_q;
    assign out_opcode = out_opcode_q;
    assign out_recv   = out_recv_q;
    assign out_length = out_length_q;
    assign out_data   = out_data_q;
    assign out_stag   = out_stag_q;
endmodule
`default_nettype wire
