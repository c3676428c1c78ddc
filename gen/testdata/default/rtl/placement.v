// placement writes to memory what each command says, in order: the next packet of the payload stream, 1 to 65535
// octets, or the 8 octets of an inline command, at any address. A discard consumes its packet and writes nothing;
// with inline there is no packet.
//
// Octets are rotated to their place on the bus, one beat of memory per cycle, also across packets: an aligned packet
// takes as many cycles as it has beats, an unaligned one a cycle more if it touches one more beat of memory. The
// first beat leaves two cycles after command and payload arrive. Octets that are not written are 0 and masked. Bursts
// have beats of full bus width and stay inside a block of 4 KiB, or of 2 KiB on a bus of 8 octets, where 256 beats
// end. An address is offered no later than its first beat.
//
// A placement is complete, and counted, when memory has answered the last of its bursts. If memory reports an error
// for a burst, the placement makes one failure, which is accepted before the placement counts as complete. Up to 511
// placements and 513 bursts can be in progress; the next one waits. Reset forgets them, and the count is 0.
//
// Built for bus_bytes 64, streams 64, retire.
`default_nettype none
module placement (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // command
    input  wire         command_valid,
    output wire         command_ready,
    input  wire [5:0]   command_stream,  // number of the stream
    input  wire         command_discard, // 1: the payload is discarded
    input  wire         command_inline,  // 1: the octets come from data instead of the payload stream
    input  wire [63:0]  command_address, // of the first octet in memory
    input  wire [15:0]  command_length,  // octets, at least 1
    input  wire [63:0]  command_data,    // octets of an inline placement, the first one in [7:0]

    // payload
    input  wire         payload_tvalid,
    output wire         payload_tready,
    input  wire [511:0] payload_tdata,  // octets; octet 0 in [7:0]
    input  wire [63:0]  payload_tkeep,  // valid octets, contiguous from octet 0; all of them except in the last beat
    input  wire         payload_tlast,  // last beat of the packet
    input  wire [5:0]   payload_tuser,  // number of the stream, the same in all beats of a packet

    // m_axi
    output wire         m_axi_awvalid,
    input  wire         m_axi_awready,
    output wire         m_axi_awid,    // 0 payload, 1 words of atomics
    output wire [63:0]  m_axi_awaddr,  // address of the first beat in octets, a multiple of the bus width
    output wire [7:0]   m_axi_awlen,   // beats - 1
    output wire [2:0]   m_axi_awsize,  // log2 of the octets per beat: always the bus width
    output wire [1:0]   m_axi_awburst, // always 1: incrementing
    output wire         m_axi_wvalid,
    input  wire         m_axi_wready,
    output wire [511:0] m_axi_wdata,   // octets; the one at the lowest address in [7:0]
    output wire [63:0]  m_axi_wstrb,   // octets to write; may be none
    output wire         m_axi_wlast,   // last beat of the burst
    input  wire         m_axi_bvalid,
    output wire         m_axi_bready,
    input  wire         m_axi_bid,     // that of the burst
    input  wire [1:0]   m_axi_bresp,   // 0 OKAY, 2 SLVERR, 3 DECERR

    output wire [8:0]   placed, // placements in memory, modulo 2^9

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    // retire
    output wire         retire_valid,  // a placement is in memory, or memory has refused it
    output wire [5:0]   retire_stream  // number of the stream
);
    genvar i;
    wire       new_burst_valid;
    wire       new_burst_ready;
    wire [5:0] new_burst_stream;
    wire       new_burst_last;
    wire       oldest_burst_valid;
    wire       oldest_burst_ready;
    wire [5:0] oldest_burst_stream;
    wire       oldest_burst_last;

    // ---- Take a command when the previous one ends
    reg  [5:0]  job_stream_q;
    reg         job_discard_q;
    reg         job_inline_q;
    reg  [63:0] job_data_q;
    reg  [5:0]  job_from_q;
    reg  [5:0]  job_to_q;
    reg         job_spills_q;
    reg         job_valid_q;
    reg  [8:0]  issued_q;
    reg  [8:0]  placed_q;
    wire        job_ends;
    wire        crowded    = &(issued_q - placed_q);
    wire        free       = (~job_valid_q | job_ends) & ~crowded;
    wire        take       = command_valid & free;
    assign command_ready = free;
    wire [5:0]  from       = command_address[5:0];
    wire [15:0] last_octet = command_length - 16'd1;
    wire [6:0]  end_octet  = {1'b0, from} + {1'b0, last_octet[5:0]};

    always @(posedge clk) begin
        if (take) begin
            job_valid_q   <= 1'b1;
            job_stream_q  <= command_stream;
            job_discard_q <= command_discard;
            job_inline_q  <= command_inline;
            job_data_q    <= command_data;
            job_from_q    <= from;
            job_to_q      <= end_octet[5:0];
            job_spills_q  <= end_octet[6];
        end else if (job_ends) begin
            job_valid_q <= 1'b0;
        end
        if (take & ~command_discard) begin
            issued_q <= issued_q + 9'd1;
        end
        if (rst) begin
            job_valid_q <= 1'b0;
            issued_q    <= 9'd0;
        end
    end

    // ---- Move a beat when it has arrived and its register is free; at the start of a burst, that of the address too
    reg         first_q;
    reg  [10:0] beats_left_q;
    reg  [51:0] block_q;
    reg  [5:0]  place_in_block_q;
    reg         address_valid_q;
    reg         beat_valid_q;
    wire        last          = ~|beats_left_q;
    wire        burst_starts  = first_q | (~|place_in_block_q);
    wire        burst_ends    = last | (&place_in_block_q);
    wire        needs_payload = ~job_inline_q & ~(last & job_spills_q);
    wire        beat_ready    =
        job_valid_q & ~job_discard_q & (~needs_payload | payload_tvalid) & (~beat_valid_q | m_axi_wready);
    wire        burst_ready   = beat_ready & burst_starts & (~address_valid_q | m_axi_awready);
    wire        start         = burst_ready & new_burst_ready;
    wire        move          = burst_starts ? start : beat_ready;
    wire        swallow       = job_valid_q & job_discard_q & ~job_inline_q;
    assign payload_tready = swallow | (move & needs_payload);
    wire swallowed = job_discard_q & (job_inline_q | (payload_tvalid & payload_tlast));
    assign job_ends = job_valid_q & (swallowed | (move & last));

    always @(posedge clk) begin
        if (take) begin
            first_q          <= 1'b1;
            beats_left_q     <= {1'b0, last_octet[15:6]} + {10'd0, end_octet[6]};
            block_q          <= command_address[63:12];
            place_in_block_q <= command_address[11:6];
        end else if (move) begin
            first_q          <= 1'b0;
            beats_left_q     <= beats_left_q - 11'd1;
            place_in_block_q <= place_in_block_q + 6'd1;
            if (&place_in_block_q) begin
                block_q <= block_q + 52'd1;
            end
        end
    end

    // ---- Align: octets are rotated to their place on the bus; those that do not fit go into the next beat
    wire [511:0] source    = job_inline_q ? {448'd0, job_data_q} : payload_tdata;
    wire [511:0] turned_1  = job_from_q[0] ? {source[503:0], source[511:504]} : source;
    wire [511:0] turned_2  = job_from_q[1] ? {turned_1[495:0], turned_1[511:496]} : turned_1;
    wire [511:0] turned_4  = job_from_q[2] ? {turned_2[479:0], turned_2[511:480]} : turned_2;
    wire [511:0] turned_8  = job_from_q[3] ? {turned_4[447:0], turned_4[511:448]} : turned_4;
    wire [511:0] turned_16 = job_from_q[4] ? {turned_8[383:0], turned_8[511:384]} : turned_8;
    wire [511:0] turned_32 = job_from_q[5] ? {turned_16[255:0], turned_16[511:256]} : turned_16;
    reg  [511:0] carried_q;
    // Masks of the octets at or after the first octet, and at or before the last one.
    wire [63:0]  behind_first  = {64{1'b1}} << job_from_q;
    wire [63:0]  ahead_of_last = {64{1'b1}} >> ~job_to_q;
    wire [511:0] fresh;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_fresh
            assign fresh[8 * i +: 8] = {8{behind_first[i]}};
        end
    endgenerate
    wire [511:0] octets        = (turned_32 & fresh) | (carried_q & ~fresh);
    wire [63:0]  strobe        = (behind_first | {64{~first_q}}) & (ahead_of_last | {64{~last}});
    reg  [511:0] beat_wdata_q;
    reg  [63:0]  beat_wstrb_q;
    reg          beat_wlast_q;

    wire [511:0] beat_wdata_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_beat_wdata_replicated
            assign beat_wdata_replicated[8 * i +: 8] = {8{strobe[i]}};
        end
    endgenerate
    always @(posedge clk) begin
        if (move) begin
            beat_valid_q <= 1'b1;
            carried_q    <= turned_32;
            beat_wdata_q <= octets & beat_wdata_replicated;
            beat_wstrb_q <= strobe;
            beat_wlast_q <= burst_ends;
        end else if (m_axi_wready) begin
            beat_valid_q <= 1'b0;
        end
        if (rst) begin
            beat_valid_q <= 1'b0;
        end
    end

    assign m_axi_wvalid = beat_valid_q;
    assign m_axi_wdata  = beat_wdata_q;
    assign m_axi_wstrb  = beat_wstrb_q;
    assign m_axi_wlast  = beat_wlast_q;

    // ---- Address of a burst
    reg  [57:0] address_q;
    reg  [5:0]  burst_beats_q;
    wire [5:0]  room_behind = ~place_in_block_q;
    wire        last_burst  = beats_left_q <= {5'd0, room_behind};

    always @(posedge clk) begin
        if (start) begin
            address_valid_q <= 1'b1;
            address_q       <= {block_q, place_in_block_q};
            burst_beats_q   <= last_burst ? beats_left_q[5:0] : room_behind;
        end else if (m_axi_awready) begin
            address_valid_q <= 1'b0;
        end
        if (rst) begin
            address_valid_q <= 1'b0;
        end
    end

    assign m_axi_awvalid       = address_valid_q;
    assign m_axi_awid          = 1'b0;
    assign m_axi_awaddr        = {address_q, 6'd0};
    assign m_axi_awlen         = {2'd0, burst_beats_q};
    assign m_axi_awsize        = 3'd6;
    assign m_axi_awburst       = 2'd1;
    assign new_burst_valid     = burst_ready;
    assign new_burst_stream    = job_stream_q;
    assign new_burst_last      = last_burst;
    wire [6:0] bursts_out;
    assign oldest_burst_stream = bursts_out[6:1];
    assign oldest_burst_last   = bursts_out[0];

    fifo #(.WIDTH(7), .DEPTH(512)) bursts (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (new_burst_valid),
        .in_ready  (new_burst_ready),
        .in_data   ({new_burst_stream, new_burst_last}),
        .out_valid (oldest_burst_valid),
        .out_ready (oldest_burst_ready),
        .out_data  (bursts_out)
    );

    // ---- Responses arrive in the order of the bursts
    reg failed_q;
    wire fails          = failed_q | (|m_axi_bresp);
    wire reports        = oldest_burst_last & fails;
    wire response_ready = oldest_burst_valid & (~reports | failed_ready);
    assign m_axi_bready       = response_ready;
    assign failed_valid       = m_axi_bvalid & oldest_burst_valid & reports;
    assign failed_stream      = oldest_burst_stream;
    assign failed_fault       = 1'b0;
    wire answered       = m_axi_bvalid & response_ready;
    assign oldest_burst_ready = answered;

    always @(posedge clk) begin
        if (answered) begin
            failed_q <= fails & ~oldest_burst_last;
            if (oldest_burst_last) begin
                placed_q <= placed_q + 9'd1;
            end
        end
        if (rst) begin
            failed_q <= 1'b0;
            placed_q <= 9'd0;
        end
    end

    assign placed        = placed_q;
    assign retire_valid  = answered & oldest_burst_last;
    assign retire_stream = oldest_burst_stream;

    // Not read:
    // payload_tkeep, payload_tuser: the command has the length and the stream
    // m_axi_bid: used by the arbiter
    wire unused = &{1'b0, payload_tkeep, payload_tuser, m_axi_bid};
endmodule
`default_nettype wire
