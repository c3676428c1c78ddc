// counter outputs one number per cycle from a register without reset, and ends the simulation at 100.
`default_nettype none
module counter (
    input  wire        clk,
    input  wire        rst,
    output wire [15:0] m_data,
    output wire        m_valid,
    input  wire        m_ready
);
    reg [15:0] start;
    reg [15:0] count_q;

    assign m_valid = !rst;
    assign m_data  = start + count_q;

    always @(posedge clk) begin
        start <= start;
        if (rst) count_q <= 16'd0;
        else if (m_ready) count_q <= count_q + 16'd1;
        if (count_q == 16'd100) $finish;
    end
endmodule
`default_nettype wire
