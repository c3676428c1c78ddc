// ddp_parser takes DDP segments apart (RFC 5041 section 4, RFC 5040 section 4, RFC 7306 section 4). It produces one
// record per segment, in order, and, for Writes, Read Responses, Sends and Terminates, one packet with the octets
// after the DDP header, moved to octet 0.
//
// It accepts a beat per cycle as long as both outputs are accepted, for any sequence of kinds and lengths. A record
// is on offer in the cycle after the last beat of its segment, the last payload one cycle after the record is accepted;
// other payload leaves earlier, so a consumer that waits for the record must buffer the payload. A malformed segment
// gives a record with the rule that it breaks.
//
// Built for bus_bytes 64, streams 64.
`default_nettype none
module ddp_parser (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // s_axis_rx
    input  wire         s_axis_rx_tvalid,
    output wire         s_axis_rx_tready,
    input  wire [511:0] s_axis_rx_tdata,  // octets; octet 0 in [7:0]
    input  wire [63:0]  s_axis_rx_tkeep,  // valid octets, contiguous from octet 0; all of them except in the last beat
    input  wire         s_axis_rx_tlast,  // last beat of the packet
    input  wire [5:0]   s_axis_rx_tuser,  // number of the stream, the same in all beats of a packet

    // m_record
    output wire         m_record_valid,
    input  wire         m_record_ready,
    output wire [5:0]   m_record_stream,         // number of the RDMAP Stream
    output wire [5:0]   m_record_rule,           // 0 valid, else the number of the broken rule
    output wire [15:0]  m_record_segment_length, // octets of the segment
    output wire [15:0]  m_record_payload_length, // octets of its packet on the payload stream; 0: no packet
    // first 70 octets of the segment, octet i in [8i+7:8i]; zero after the end of the segment
    output wire [559:0] m_record_header,

    // m_axis_payload
    output wire         m_axis_payload_tvalid,
    input  wire         m_axis_payload_tready,
    output wire [511:0] m_axis_payload_tdata,  // octets; octet 0 in [7:0]
    // valid octets, contiguous from octet 0; all of them except in the last beat
    output wire [63:0]  m_axis_payload_tkeep,
    output wire         m_axis_payload_tlast,  // last beat of the packet
    output wire [5:0]   m_axis_payload_tuser   // number of the stream, the same in all beats of a packet
);
    genvar i;

    // ---- One beat is held until the next beat of its segment arrives; the last one is not held back
    reg  [511:0] held_tdata_q;
    reg  [63:0]  held_tkeep_q;
    reg          held_tlast_q;
    reg  [5:0]   held_tuser_q;
    reg          held_valid_q;
    reg          first_q;
    reg          more_follows_q;
    wire         release_held;
    wire         held_may_go;
    wire         rx_ready = ~held_valid_q | held_may_go;
    wire         take     = s_axis_rx_tvalid & rx_ready;
    assign s_axis_rx_tready = rx_ready;
    wire [511:0] data_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_data_replicated
            assign data_replicated[8 * i +: 8] = {8{s_axis_rx_tkeep[i]}};
        end
    endgenerate
    wire [511:0] data     = s_axis_rx_tdata & data_replicated;

    // ---- Header octets and length of the segment up to the held beat
    // The last valid octet, one-hot, and its number.
    wire [63:0] last_octet  = s_axis_rx_tkeep & ~{1'b0, s_axis_rx_tkeep[63:1]};
    wire [5:0]  last_number = {
        |(last_octet & 64'hffffffff00000000), |(last_octet & 64'hffff0000ffff0000),
        |(last_octet & 64'hff00ff00ff00ff00), |(last_octet & 64'hf0f0f0f0f0f0f0f0),
        |(last_octet & 64'hcccccccccccccccc), |(last_octet & 64'haaaaaaaaaaaaaaaa)
    };
    wire [6:0]  kept        = {1'b0, last_number} + {6'd0, s_axis_rx_tkeep[0]};
    reg  [15:0] length_q;
    reg  [1:0]  position_q;
    // Index of the next beat among those of the header; stays at 2 after the header.
    wire [1:0] place      = first_q ? 2'd0 : position_q;
    wire [1:0] next_place = (place == 2'd2) ? place : (place + 2'd1);

    always @(posedge clk) begin
        if (take) begin
            held_valid_q   <= 1'b1;
            held_tdata_q   <= data;
            held_tkeep_q   <= s_axis_rx_tkeep;
            held_tlast_q   <= s_axis_rx_tlast;
            held_tuser_q   <= s_axis_rx_tuser;
            first_q        <= s_axis_rx_tlast;
            more_follows_q <= ~s_axis_rx_tlast;
            length_q       <= (first_q ? 16'd0 : length_q) + {9'd0, kept};
            position_q     <= next_place;
        end else if (release_held) begin
            held_valid_q <= 1'b0;
        end
        if (rst) begin
            held_valid_q <= 1'b0;
            first_q      <= 1'b1;
        end
    end

    reg [511:0] header_0_q;
    reg [47:0]  header_1_q;

    always @(posedge clk) begin
        if (take & first_q) begin
            header_0_q <= data;
        end
        if (take & first_q) begin
            header_1_q <= 48'd0;
        end else if (take & (place == 2'd1)) begin
            header_1_q <= data[47:0];
        end
    end

    wire [559:0] header_octets = {header_1_q, header_0_q};

    // ---- Verdict: what the first octets decide is checked when the last of them arrives
    wire [5:0]   rule;
    wire [15:0]  payload_length;
    wire         start_carries;
    wire         carries_data;
    wire [143:0] header;
    generate
        for (i = 0; i < 18; i = i + 1) begin : each_header
            assign header[8 * i +: 8] = header_octets[8 * (17 - i) +: 8];
        end
    endgenerate
    wire         is_tagged   = header[143];
    wire         tagged_now  = first_q ? data[7] : is_tagged;
    wire         is_start    = place == 2'd0;
    wire         carries     = is_start ? start_carries : carries_data;
    wire         takes_start = take & is_start;
    wire [79:0]  start;
    generate
        for (i = 0; i < 10; i = i + 1) begin : each_start
            assign start[8 * i +: 8] = data[8 * (9 - i) +: 8];
        end
    endgenerate

    ddp_classify classify (
        .clk            (clk),
        .rst            (rst),
        .enable         (takes_start),
        .start          (start),
        .header         (header),
        .length         (length_q),
        .start_carries  (start_carries),
        .carries_data   (carries_data),
        .rule           (rule),
        .payload_length (payload_length)
    );

    // ---- Payload: the rest of the held beat and the start of the next one
    reg  [511:0] payload_tdata_q;
    reg  [63:0]  payload_tkeep_q;
    reg          payload_tlast_q;
    reg  [5:0]   payload_tuser_q;
    reg          payload_valid_q;
    wire         payload_free = ~payload_valid_q | m_axis_payload_tready;
    wire         started      = 2'd0 < next_place;
    wire [511:0] realigned_data =
        is_tagged ? {data[111:0] & {112{more_follows_q}}, held_tdata_q[511:112]} :
                    {data[143:0] & {144{more_follows_q}}, held_tdata_q[511:144]};
    wire [63:0]  realigned_keep =
        is_tagged ? {s_axis_rx_tkeep[13:0] & {14{more_follows_q}}, held_tkeep_q[63:14]} :
                    {s_axis_rx_tkeep[17:0] & {18{more_follows_q}}, held_tkeep_q[63:18]};
    wire         more           = is_tagged ? s_axis_rx_tkeep[14] : s_axis_rx_tkeep[18];
    wire         ends           = held_tlast_q | (s_axis_rx_tlast & ~more);
    // Whether the held beat has an octet of payload is known when it is taken.
    reg emit_q;

    always @(posedge clk) begin
        if (take) begin
            emit_q <= carries & started & (tagged_now ? s_axis_rx_tkeep[14] : s_axis_rx_tkeep[18]);
        end
    end

    // ---- Record
    // The held beat leaves when the next one has arrived or it is the last, and its outputs are free.
    wire complete = held_tlast_q | s_axis_rx_tvalid;
    assign held_may_go  = (~emit_q | payload_free) & (~held_tlast_q | m_record_ready);
    assign release_held = held_valid_q & complete & held_may_go;

    always @(posedge clk) begin
        if (release_held & emit_q) begin
            payload_valid_q <= 1'b1;
            payload_tdata_q <= realigned_data;
            payload_tkeep_q <= realigned_keep;
            payload_tlast_q <= ends;
            payload_tuser_q <= held_tuser_q;
        end else if (m_axis_payload_tready) begin
            payload_valid_q <= 1'b0;
        end
        if (rst) begin
            payload_valid_q <= 1'b0;
        end
    end

    assign m_axis_payload_tvalid = payload_valid_q;
    assign m_axis_payload_tdata  = payload_tdata_q;
    assign m_axis_payload_tkeep  = payload_tkeep_q;
    assign m_axis_payload_tlast  = payload_tlast_q;
    assign m_axis_payload_tuser  = payload_tuser_q;
    // The record is that of the held beat, in registers until that leaves.
    assign m_record_valid          = held_valid_q & held_tlast_q & (~emit_q | payload_free);
    assign m_record_stream         = held_tuser_q;
    assign m_record_rule           = rule;
    assign m_record_segment_length = length_q;
    assign m_record_payload_length = payload_length;
    assign m_record_header         = header_octets;

    // Not read:
    // held_tdata_q[111:0], held_tkeep_q[13:0]: always header
    wire unused = &{1'b0, held_tdata_q[111:0], held_tkeep_q[13:0]};
endmodule
`default_nettype wire
