// deadlock accepts five beats and then no more; it would output their sum after a sixth.
`default_nettype none
module deadlock (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] s_data,
    input  wire       s_valid,
    output wire       s_ready,
    output wire [7:0] m_data,
    output wire       m_valid,
    input  wire       m_ready
);
    reg [2:0] count_q;
    reg [7:0] sum_q;

    assign s_ready = count_q != 3'd5;
    assign m_valid = count_q == 3'd6;
    assign m_data  = m_ready ? sum_q : 8'd0;

    always @(posedge clk) begin
        if (s_valid && s_ready) begin
            count_q <= count_q + 3'd1;
            sum_q   <= sum_q + s_data;
        end
        if (rst) begin
            count_q <= 3'd0;
            sum_q   <= 8'd0;
        end
    end
endmodule
`default_nettype wire
