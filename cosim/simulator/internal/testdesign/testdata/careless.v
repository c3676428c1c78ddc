// careless has a bug: it samples the data one cycle after accepting it.
`default_nettype none
module careless (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] s_data,
    input  wire       s_valid,
    output wire       s_ready,
    output wire [7:0] m_data,
    output wire       m_valid,
    input  wire       m_ready
);
    reg       fresh_q;
    reg       valid_q;
    reg [7:0] data_q;

    assign s_ready = !fresh_q && !valid_q;
    assign m_valid = valid_q;
    assign m_data  = data_q;

    always @(posedge clk) begin
        fresh_q <= s_valid && s_ready;
        if (fresh_q) begin
            data_q  <= s_data;
            valid_q <= 1'b1;
        end
        if (m_valid && m_ready) valid_q <= 1'b0;
        if (rst) begin
            fresh_q <= 1'b0;
            valid_q <= 1'b0;
        end
    end
endmodule
`default_nettype wire
