// fifo holds 16 beats. Input data is XORed with a static mask; level counts the stored beats, and the monitor shows each
// beat as it is stored.
`default_nettype none
module fifo (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] mask,
    input  wire [63:0] s_data,
    input  wire        s_last,
    input  wire        s_valid,
    output wire        s_ready,
    output wire [63:0] m_data,
    output wire        m_last,
    output wire        m_valid,
    input  wire        m_ready,
    output wire [ 4:0] level,
    output wire        stored_valid,
    output wire [63:0] stored_data
);
    reg [64:0] beats [0:15];
    reg [ 4:0] head_q;
    reg [ 4:0] tail_q;

    assign level           = tail_q - head_q;
    assign stored_valid    = s_valid && s_ready;
    assign stored_data     = s_data ^ mask;
    assign s_ready         = level != 5'd16;
    assign m_valid         = level != 5'd0;
    assign {m_last, m_data} = beats[head_q[3:0]];

    always @(posedge clk) begin
        if (s_valid && s_ready) begin
            beats[tail_q[3:0]] <= {s_last, s_data ^ mask};
            tail_q             <= tail_q + 5'd1;
        end
        if (m_valid && m_ready) head_q <= head_q + 5'd1;
        if (rst) begin
            head_q <= 5'd0;
            tail_q <= 5'd0;
        end
    end
endmodule
`default_nettype wire
