// Each reply leaves as one Atomic Operation Response of 30 octets (RFC 7306 section 5.2.2), octet by octet.
// depth 1
// bound 8

// property no_loss: a reply that was taken is on offer until its last octet has left
// twin no_loss: valid_q <= reply_valid => valid_q <= reply_valid & ~reply_identifier[0]
// property no_duplication: nothing is on offer when all that was taken has left, and a reply is taken when the one before it leaves
// twin no_duplication: & last) => )
// property in_order: the octets are those of the segment, from the first on
// twin in_order: 32'd3, reply_msn => 32'd1, reply_msn
// property keep: every beat is full but the last, which has what is left, in its low octets
// twin keep: assign m_axis_tx_tkeep = last ? => assign m_axis_tx_tkeep = ~last ?
// property ends: it marks the beat with octet 29, and no other
// twin ends: assign m_axis_tx_tlast = last => assign m_axis_tx_tlast = 1'b1
// property whole: all beats of a segment are of the stream of its reply
// twin whole: assign m_axis_tx_tuser = stream_q => assign m_axis_tx_tuser = reply_stream
// invariant rest: the register has the octets that did not leave

localparam SPEC_BUS = `WIDTH_m_axis_tx_tkeep;
wire spec_takes = reply_valid & reply_ready;
wire spec_goes  = m_axis_tx_tvalid & m_axis_tx_tready;
wire [239:0] spec_network = {16'h414b, 32'd0, 32'd3, reply_msn, 32'd0, reply_identifier, reply_original}; // octet 0 at the top
wire [239:0] spec_segment;
genvar spec_i;
generate
    for (spec_i = 0; spec_i < 30; spec_i = spec_i + 1)
        assign spec_segment[8 * spec_i +: 8] = spec_network[8 * (29 - spec_i) +: 8];
endgenerate
reg  spec_busy;
reg  [4:0] spec_sent; // octets, of 30
reg  [`WIDTH_reply_stream-1:0] spec_stream;
reg  [239:0] spec_rest; // octets that did not leave
wire [7:0]   spec_left = 8'd30 - spec_sent;
wire spec_ends = spec_left <= SPEC_BUS;
always @(posedge clk) begin
    if (spec_takes) {spec_stream, spec_rest, spec_sent} <= {reply_stream, spec_segment, 5'd0};
    else if (spec_goes) {spec_rest, spec_sent} <= {spec_rest >> 8 * SPEC_BUS, spec_sent + SPEC_BUS[4:0]};
    spec_busy <= ~rst & (spec_takes | spec_busy & ~(spec_goes & spec_ends));
end

always @* if (started && !rst) begin
    if (spec_busy) no_loss: assert (m_axis_tx_tvalid);
    if (!spec_busy) no_duplication: assert (!m_axis_tx_tvalid);
    no_duplication: assert (reply_ready == (!spec_busy || spec_goes && spec_ends));
    if (m_axis_tx_tvalid) begin
        in_order: assert (m_axis_tx_tdata == spec_rest[8 * SPEC_BUS - 1:0]);
        keep: assert (m_axis_tx_tkeep == (spec_ends ? (1 << spec_left) - 1 : {SPEC_BUS{1'b1}}));
        ends: assert (m_axis_tx_tlast == spec_ends);
        whole: assert (m_axis_tx_tuser == spec_stream);
    end
    if (spec_busy) rest: assert (rest_q == spec_rest && stream_q == spec_stream && spec_sent < 30 &&
        SPEC_BUS * beat_q == spec_sent);
end
