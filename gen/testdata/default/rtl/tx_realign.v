// tx_realign moves octets from their place in beats of memory to their place in beats of the segment, and clears what
// is not payload. It accepts and produces a beat per cycle; a segment takes as many cycles as it has beats of memory
// or of its own, whichever is more, also back to back: a complete beat may wait, so that the next segment enters
// while the rest of the previous one leaves.
//
// Built for bus_bytes 64, max_payload 1024.
`default_nettype none
module tx_realign (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // coming
    input  wire         coming_valid,
    output wire         coming_ready,
    input  wire [4:0]   coming_beats,  // beats from memory
    input  wire [5:0]   coming_offset, // octets of the first beat before the payload
    input  wire [5:0]   coming_ends,   // octets of the last beat up to the end of the payload; 0: all
    input  wire [5:0]   coming_turn,   // rotation of each beat in octets, towards higher indices
    input  wire         coming_late,   // the first beat does not fill a beat of the segment
    input  wire         coming_spill,  // octets of the last beat are left over for one more beat of the segment

    // m_axi
    input  wire         m_axi_rvalid,
    output wire         m_axi_rready,
    input  wire         m_axi_rid,    // that of the burst
    input  wire [511:0] m_axi_rdata,  // octets; the one at the lowest address in [7:0]
    input  wire [1:0]   m_axi_rresp,  // 0 OKAY, 2 SLVERR, 3 DECERR
    input  wire         m_axi_rlast,  // last beat of the burst

    // payload
    output wire         payload_valid,
    input  wire         payload_ready,
    output wire [511:0] payload_data,   // octets at their place in the segment, others 0
    output wire         payload_last,   // last beat of the segment
    output wire         payload_failed  // in the last beat: memory reported an error for the payload
);
    genvar i;
    wire advance;

    // ---- Clear what is not payload, and rotate the beat
    // SLVERR and DECERR.
    wire         is_error     = m_axi_rresp[1];
    reg          first_q;
    reg  [4:0]   number_q;
    wire         last         = number_q == coming_beats;
    wire [63:0]  from_begin   = first_q ? ({64{1'b1}} << coming_offset) : {64{1'b1}};
    wire [63:0]  to_end       = last ? ({64{1'b1}} >> (6'd0 - coming_ends)) : {64{1'b1}};
    wire [63:0]  meant_bits   = from_begin & to_end;
    wire [511:0] meant_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_meant_replicated
            assign meant_replicated[8 * i +: 8] = {8{meant_bits[i]}};
        end
    endgenerate
    wire [511:0] meant        = m_axi_rdata & meant_replicated;
    wire [511:0] turned_by_1  = coming_turn[0] ? {meant[503:0], meant[511:504]} : meant;
    wire [511:0] turned_by_2  = coming_turn[1] ? {turned_by_1[495:0], turned_by_1[511:496]} : turned_by_1;
    wire [511:0] turned_by_4  = coming_turn[2] ? {turned_by_2[479:0], turned_by_2[511:480]} : turned_by_2;
    wire [511:0] turned_by_8  = coming_turn[3] ? {turned_by_4[447:0], turned_by_4[511:448]} : turned_by_4;
    wire [511:0] turned_by_16 = coming_turn[4] ? {turned_by_8[383:0], turned_by_8[511:384]} : turned_by_8;
    wire [511:0] turned_by_32 = coming_turn[5] ? {turned_by_16[255:0], turned_by_16[511:256]} : turned_by_16;

    // ---- The rotated beat: octets in below belong to the next beat of the segment, the others to this one
    reg          turned_valid_q;
    reg  [511:0] turned_q;
    reg  [63:0]  below_q;
    reg          late_q;
    reg          last_q;
    reg          spills_q;
    reg          failed_q;
    wire         free = ~turned_valid_q | advance;
    wire         take = m_axi_rvalid & coming_valid & free;
    assign m_axi_rready = coming_valid & free;
    assign coming_ready = take & last;

    always @(posedge clk) begin
        if (take) begin
            turned_valid_q <= 1'b1;
            turned_q       <= turned_by_32;
            below_q        <= ~({64{1'b1}} << coming_turn);
            late_q         <= coming_late & first_q;
            last_q         <= last;
            spills_q       <= last & coming_spill;
            failed_q       <= is_error | (failed_q & ~first_q);
            first_q        <= last;
            number_q       <= last ? 5'd1 : (number_q + 5'd1);
        end else if (advance) begin
            turned_valid_q <= 1'b0;
        end
        if (rst) begin
            turned_valid_q <= 1'b0;
            first_q        <= 1'b1;
            number_q       <= 5'd1;
        end
    end

    // ---- Join the rest of the previous beat with the octets of this one
    reg  [511:0] carry_q;
    wire         joins  = ~late_q;
    wire [511:0] left_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_left_replicated
            assign left_replicated[8 * i +: 8] = {8{below_q[i]}};
        end
    endgenerate
    wire [511:0] left   = turned_q & left_replicated;
    wire [63:0]  joined_bits = ~below_q;
    wire [511:0] joined_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_joined_replicated
            assign joined_replicated[8 * i +: 8] = {8{joined_bits[i]}};
        end
    endgenerate
    wire [511:0] joined = carry_q | (turned_q & joined_replicated);

    always @(posedge clk) begin
        if (advance) begin
            carry_q <= left & {512{~last_q}};
        end
        if (rst) begin
            carry_q <= 512'd0;
        end
    end

    // ---- A complete beat waits while the previous one leaves: a joined beat, or the rest of the last beat of a
    // segment
    reg          waits_q;
    reg  [511:0] waiting_data_q;
    reg          waiting_last_q;
    reg          waiting_failed_q;
    wire         completes_two = joins & spills_q;
    assign payload_valid  = waits_q | (turned_valid_q & joins);
    assign payload_data   = waits_q ? waiting_data_q : joined;
    assign payload_last   = waits_q ? waiting_last_q : (last_q & ~spills_q);
    assign payload_failed = waits_q ? waiting_failed_q : failed_q;
    assign advance        =
        turned_valid_q & (waits_q ? (~completes_two & payload_ready) : (~joins | payload_ready));

    always @(posedge clk) begin
        if (advance & (spills_q | (waits_q & joins))) begin
            waits_q          <= 1'b1;
            waiting_data_q   <= spills_q ? left : joined;
            waiting_last_q   <= last_q;
            waiting_failed_q <= failed_q;
        end else if (payload_ready) begin
            waits_q <= 1'b0;
        end
        if (rst) begin
            waits_q <= 1'b0;
        end
    end

    // Not read:
    // m_axi_rid: used by the arbiter
    // m_axi_rlast: the fetcher has announced the number of beats
    // m_axi_rresp[0]: SLVERR and DECERR alike are errors
    wire unused = &{1'b0, m_axi_rid, m_axi_rlast, m_axi_rresp[0]};
endmodule
`default_nettype wire
