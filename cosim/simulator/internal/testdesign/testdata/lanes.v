// lanes does about as much work per cycle as a small network card: beats of 64 octets pass through eight stages of
// additions and rotations per lane, with keep, last and user in parallel.
`default_nettype none
module lanes (
    input  wire         clk,
    input  wire         rst,
    input  wire [511:0] s_tdata,
    input  wire [ 63:0] s_tkeep,
    input  wire         s_tlast,
    input  wire [ 11:0] s_tuser,
    input  wire         s_tvalid,
    output wire         s_tready,
    output wire [511:0] m_tdata,
    output wire [ 63:0] m_tkeep,
    output wire         m_tlast,
    output wire [ 11:0] m_tuser,
    output wire         m_tvalid,
    input  wire         m_tready
);
    wire [588:0] beat [0:8];
    wire [  8:0] full;
    wire         go = !full[8] || m_tready;

    assign s_tready = go;
    assign full[0]  = s_tvalid;
    assign beat[0]  = {s_tuser, s_tlast, s_tkeep, s_tdata};
    assign m_tvalid = full[8];
    assign {m_tuser, m_tlast, m_tkeep, m_tdata} = beat[8];

    genvar stage;
    genvar lane;
    generate
        for (stage = 0; stage < 8; stage = stage + 1) begin : g_stage
            reg [ 76:0] side_q;
            reg         full_q;
            assign full[stage+1]          = full_q;
            assign beat[stage+1][588:512] = side_q;

            always @(posedge clk) begin
                if (go) begin
                    full_q <= full[stage];
                    side_q <= beat[stage][588:512];
                end
                if (rst) full_q <= 1'b0;
            end

            for (lane = 0; lane < 8; lane = lane + 1) begin : g_lane
                reg  [63:0] word_q;
                wire [63:0] own   = beat[stage][64*lane+:64];
                wire [63:0] other = beat[stage][64*((lane+3)%8)+:64];
                wire [63:0] sum   = own + {other[40:0], other[63:41]};

                assign beat[stage+1][64*lane+:64] = word_q;

                always @(posedge clk) begin
                    if (go) word_q <= {sum[12:0], sum[63:13]} ^ {64{own[0]}};
                end
            end
        end
    endgenerate
endmodule
`default_nettype wire
