// diverge has a combinational loop that does not settle while the input data is 7.
`default_nettype none
module diverge (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] s_data,
    input  wire       s_valid,
    output wire       s_ready,
    output wire [7:0] m_data,
    output wire       m_valid,
    input  wire       m_ready
);
    reg started_q;
    /* verilator lint_off UNOPTFLAT */
    wire loop;
    /* verilator lint_on UNOPTFLAT */
    assign loop    = (s_valid && s_data == 8'd7) ? !loop : started_q;
    assign s_ready = m_ready;
    assign m_valid = s_valid;
    assign m_data  = s_data ^ {8{loop}};

    always @(posedge clk) started_q <= !rst;
endmodule
`default_nettype wire
