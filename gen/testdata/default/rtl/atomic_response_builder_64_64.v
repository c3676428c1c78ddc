// atomic_response_builder sends each reply as an Atomic Operation Response: one DDP segment of 30 octets on
// queue 3 (RFC 7306 section 5.2.2 and appendix A.2), without a gap between consecutive ones.
`default_nettype none
module atomic_response_builder_64_64 (
    input  wire         clk,
    input  wire         rst,
    input  wire         reply_valid,
    output wire         reply_ready,
    input  wire [5:0]   reply_stream,
    input  wire [31:0]  reply_msn,
    input  wire [31:0]  reply_identifier,
    input  wire [63:0]  reply_original,
    output wire         m_axis_tx_tvalid,
    input  wire         m_axis_tx_tready,
    output wire [511:0] m_axis_tx_tdata,
    output wire [63:0]  m_axis_tx_tkeep,
    output wire         m_axis_tx_tlast,
    output wire [5:0]   m_axis_tx_tuser
);
    genvar i;

    // ---- The segment in network order
    localparam [3:0] ATOMIC_RESPONSE = 4'd11;
    wire [143:0] ddp_header   = {
        1'b0, 1'b1, 4'd0, 2'd1, 2'd1, 2'd0, ATOMIC_RESPONSE, 32'd0, 32'd3, reply_msn, 32'd0
    };
    wire [95:0]  rdmap_header = {reply_identifier, reply_original};
    wire [239:0] octets_octets = {ddp_header, rdmap_header};
    wire [239:0] octets;
    generate
        for (i = 0; i < 30; i = i + 1) begin : each_octets
            assign octets[8 * i +: 8] = octets_octets[8 * (29 - i) +: 8];
        end
    endgenerate

    // ---- Its beats, octet 0 first
    reg  [511:0] rest_q;
    reg  [5:0]   stream_q;
    reg          valid_q;
    wire         ready = ~valid_q | m_axis_tx_tready;
    assign reply_ready = ready;

    always @(posedge clk) begin
        if (ready) begin
            valid_q <= reply_valid;
        end
        if (reply_valid & ready) begin
            rest_q   <= {272'd0, octets};
            stream_q <= reply_stream;
        end
        if (rst) begin
            valid_q <= 1'b0;
        end
    end

    assign m_axis_tx_tvalid = valid_q;
    assign m_axis_tx_tdata  = rest_q;
    assign m_axis_tx_tkeep  = {34'd0, {30{1'b1}}};
    assign m_axis_tx_tlast  = 1'b1;
    assign m_axis_tx_tuser  = stream_q;
endmodule
`default_nettype wire
