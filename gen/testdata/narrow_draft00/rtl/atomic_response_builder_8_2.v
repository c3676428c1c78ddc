// atomic_response_builder sends each reply as an Atomic Operation Response: one DDP segment of 30 octets on
// queue 3 (RFC 7306 section 5.2.2 and appendix A.2), without a gap between consecutive ones.
`default_nettype none
module atomic_response_builder_8_2 (
    input  wire        clk,
    input  wire        rst,
    input  wire        reply_valid,
    output wire        reply_ready,
    input  wire        reply_stream,
    input  wire [31:0] reply_msn,
    input  wire [31:0] reply_identifier,
    input  wire [63:0] reply_original,
    output wire        m_axis_tx_tvalid,
    input  wire        m_axis_tx_tready,
    output wire [63:0] m_axis_tx_tdata,
    output wire [7:0]  m_axis_tx_tkeep,
    output wire        m_axis_tx_tlast,
    output wire        m_axis_tx_tuser
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
    reg  [255:0] rest_q;
    reg          stream_q;
    reg          valid_q;
    reg  [1:0]   beat_q;
    wire         last  = beat_q == 2'd3;
    wire         ready = ~valid_q | (m_axis_tx_tready & last);
    assign reply_ready = ready;

    always @(posedge clk) begin
        if (ready) begin
            valid_q <= reply_valid;
            beat_q  <= 2'd0;
            if (reply_valid) begin
                rest_q   <= {16'd0, octets};
                stream_q <= reply_stream;
            end
        end else if (m_axis_tx_tready) begin
            beat_q <= beat_q + 2'd1;
            rest_q <= {64'd0, rest_q[255:64]};
        end
        if (rst) begin
            valid_q <= 1'b0;
            beat_q  <= 2'd0;
        end
    end

    assign m_axis_tx_tvalid = valid_q;
    assign m_axis_tx_tdata  = rest_q[63:0];
    assign m_axis_tx_tkeep  = last ? {2'd0, 6'd63} : 8'd255;
    assign m_axis_tx_tlast  = last;
    assign m_axis_tx_tuser  = stream_q;
endmodule
`default_nettype wire
