// widen packs four octets, or fewer up to a last one, into a 32-bit beat.
`default_nettype none
module widen (
    input  wire        clk,
    input  wire        rst,
    input  wire [ 7:0] s_data,
    input  wire        s_last,
    input  wire        s_valid,
    output wire        s_ready,
    output wire [31:0] m_data,
    output wire [ 3:0] m_keep,
    output wire        m_last,
    output wire        m_valid,
    input  wire        m_ready
);
    reg [31:0] data_q;
    reg [ 3:0] keep_q;
    reg        last_q;
    reg        done_q;

    wire take = s_valid && s_ready;
    wire give = m_valid && m_ready;

    assign s_ready = !done_q || m_ready;
    assign m_valid = done_q;
    assign m_data  = data_q;
    assign m_keep  = keep_q;
    assign m_last  = last_q;

    wire [31:0] data = give ? 32'd0 : data_q;
    wire [ 3:0] keep = give ? 4'd0 : keep_q;
    wire [31:0] place = {24'd0, s_data};

    always @(posedge clk) begin
        if (take) begin
            keep_q <= {keep[2:0], 1'b1};
            last_q <= s_last;
            done_q <= s_last || keep[2];
            case (keep)
                4'b0000: data_q <= data | place;
                4'b0001: data_q <= data | place << 8;
                4'b0011: data_q <= data | place << 16;
                default: data_q <= data | place << 24;
            endcase
        end else if (give) begin
            data_q <= 32'd0;
            keep_q <= 4'd0;
            last_q <= 1'b0;
            done_q <= 1'b0;
        end
        if (rst) begin
            data_q <= 32'd0;
            keep_q <= 4'd0;
            last_q <= 1'b0;
            done_q <= 1'b0;
        end
    end
endmodule
`default_nettype wire
