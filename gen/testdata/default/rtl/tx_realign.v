// tx_realign moves octets from their place in beats of memory to their place in beats of the segment, and clears what
// is not payload. It accepts and produces a beat per cycle; a segment takes as many cycles as it has beats of memory
// or of its own, whichever is more, also back to back: a complete beat may wait, so that the next segment enters
// while the rest of the previous one leaves.
//
// Payload is never stalled: its room has been reserved. So the cycles in which beats of the segment leave are known
// when a beat of memory arrives, and m_axi_rready comes from registers.
//
// Built for bus_bytes 64, max_payload 1024.
`default_nettype none
module tx_realign (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // coming
    input  wire         coming_valid,
    output wire         coming_ready,
    input  wire [4:0]   coming_behind, // beats from memory behind the first one
    input  wire [5:0]   coming_turn,   // rotation of each beat in octets, towards higher indices
    input  wire [5:0]   coming_lead,   // octets of the first beat of the segment before the payload
    input  wire [5:0]   coming_ends,   // octets of the last beat of the segment up to the end of the payload; 0: all
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
    output wire         payload_valid,  // a beat of payload
    output wire [511:0] payload_data,   // octets at their place in the segment, others 0
    output wire         payload_last,   // last beat of the segment
    output wire         payload_failed  // in the last beat: memory reported an error for the payload
);
    genvar i;

    // ---- The segment whose beats arrive, and what the next of them is
    reg  [5:0] job_turn_q;
    reg        job_spill_q;
    reg  [7:0] job_below_rows_q;
    reg  [7:0] job_below_row_q;
    reg  [7:0] job_below_octets_q;
    reg  [7:0] job_lead_rows_q;
    reg  [7:0] job_lead_row_q;
    reg  [7:0] job_lead_octets_q;
    reg  [7:0] job_end_rows_q;
    reg  [7:0] job_end_row_q;
    reg  [7:0] job_end_octets_q;
    reg        job_valid_q;
    reg  [4:0] beats_left_q;
    reg        first_q;
    reg        last_q;
    reg        spills_q;
    reg        closes_q;
    reg        late_q;
    reg        begins_q;
    reg        waits_next_q;
    wire       joins = ~late_q;
    // A beat that completes two of the segment is not accepted while a complete beat will wait.
    wire ready        = job_valid_q & ~(waits_next_q & spills_q & joins);
    wire take         = m_axi_rvalid & ready;
    wire next_segment = ~job_valid_q | (take & last_q);
    assign m_axi_rready = ready;
    assign coming_ready = next_segment;
    wire comes_in_one = ~|coming_behind;
    wire ends_next    = beats_left_q == 5'd1;

    always @(posedge clk) begin
        if (next_segment) begin
            job_valid_q        <= coming_valid;
            job_turn_q         <= coming_turn;
            job_spill_q        <= coming_spill;
            job_below_rows_q   <= {
                1'b0, 1'b0 | (coming_turn[5:3] == 3'd7),
                1'b0 | (coming_turn[5:3] == 3'd6) | (coming_turn[5:3] == 3'd7),
                1'b0 | (coming_turn[5:3] == 3'd5) | (coming_turn[5:3] == 3'd6) | (coming_turn[5:3] == 3'd7),
                  1'b0
                | (coming_turn[5:3] == 3'd4)
                | (coming_turn[5:3] == 3'd5)
                | (coming_turn[5:3] == 3'd6)
                | (coming_turn[5:3] == 3'd7),
                  1'b0
                | (coming_turn[5:3] == 3'd3)
                | (coming_turn[5:3] == 3'd4)
                | (coming_turn[5:3] == 3'd5)
                | (coming_turn[5:3] == 3'd6)
                | (coming_turn[5:3] == 3'd7),
                  1'b0
                | (coming_turn[5:3] == 3'd2)
                | (coming_turn[5:3] == 3'd3)
                | (coming_turn[5:3] == 3'd4)
                | (coming_turn[5:3] == 3'd5)
                | (coming_turn[5:3] == 3'd6)
                | (coming_turn[5:3] == 3'd7),
                  1'b0
                | (coming_turn[5:3] == 3'd1)
                | (coming_turn[5:3] == 3'd2)
                | (coming_turn[5:3] == 3'd3)
                | (coming_turn[5:3] == 3'd4)
                | (coming_turn[5:3] == 3'd5)
                | (coming_turn[5:3] == 3'd6)
                | (coming_turn[5:3] == 3'd7)
            };
            job_below_row_q    <= {
                coming_turn[5:3] == 3'd7, coming_turn[5:3] == 3'd6, coming_turn[5:3] == 3'd5,
                coming_turn[5:3] == 3'd4, coming_turn[5:3] == 3'd3, coming_turn[5:3] == 3'd2,
                coming_turn[5:3] == 3'd1, coming_turn[5:3] == 3'd0
            };
            job_below_octets_q <= {
                1'b0, 1'b0 | (coming_turn[2:0] == 3'd7),
                1'b0 | (coming_turn[2:0] == 3'd6) | (coming_turn[2:0] == 3'd7),
                1'b0 | (coming_turn[2:0] == 3'd5) | (coming_turn[2:0] == 3'd6) | (coming_turn[2:0] == 3'd7),
                  1'b0
                | (coming_turn[2:0] == 3'd4)
                | (coming_turn[2:0] == 3'd5)
                | (coming_turn[2:0] == 3'd6)
                | (coming_turn[2:0] == 3'd7),
                  1'b0
                | (coming_turn[2:0] == 3'd3)
                | (coming_turn[2:0] == 3'd4)
                | (coming_turn[2:0] == 3'd5)
                | (coming_turn[2:0] == 3'd6)
                | (coming_turn[2:0] == 3'd7),
                  1'b0
                | (coming_turn[2:0] == 3'd2)
                | (coming_turn[2:0] == 3'd3)
                | (coming_turn[2:0] == 3'd4)
                | (coming_turn[2:0] == 3'd5)
                | (coming_turn[2:0] == 3'd6)
                | (coming_turn[2:0] == 3'd7),
                  1'b0
                | (coming_turn[2:0] == 3'd1)
                | (coming_turn[2:0] == 3'd2)
                | (coming_turn[2:0] == 3'd3)
                | (coming_turn[2:0] == 3'd4)
                | (coming_turn[2:0] == 3'd5)
                | (coming_turn[2:0] == 3'd6)
                | (coming_turn[2:0] == 3'd7)
            };
            job_lead_rows_q    <= {
                1'b0, 1'b0 | (coming_lead[5:3] == 3'd7),
                1'b0 | (coming_lead[5:3] == 3'd6) | (coming_lead[5:3] == 3'd7),
                1'b0 | (coming_lead[5:3] == 3'd5) | (coming_lead[5:3] == 3'd6) | (coming_lead[5:3] == 3'd7),
                  1'b0
                | (coming_lead[5:3] == 3'd4)
                | (coming_lead[5:3] == 3'd5)
                | (coming_lead[5:3] == 3'd6)
                | (coming_lead[5:3] == 3'd7),
                  1'b0
                | (coming_lead[5:3] == 3'd3)
                | (coming_lead[5:3] == 3'd4)
                | (coming_lead[5:3] == 3'd5)
                | (coming_lead[5:3] == 3'd6)
                | (coming_lead[5:3] == 3'd7),
                  1'b0
                | (coming_lead[5:3] == 3'd2)
                | (coming_lead[5:3] == 3'd3)
                | (coming_lead[5:3] == 3'd4)
                | (coming_lead[5:3] == 3'd5)
                | (coming_lead[5:3] == 3'd6)
                | (coming_lead[5:3] == 3'd7),
                  1'b0
                | (coming_lead[5:3] == 3'd1)
                | (coming_lead[5:3] == 3'd2)
                | (coming_lead[5:3] == 3'd3)
                | (coming_lead[5:3] == 3'd4)
                | (coming_lead[5:3] == 3'd5)
                | (coming_lead[5:3] == 3'd6)
                | (coming_lead[5:3] == 3'd7)
            };
            job_lead_row_q     <= {
                coming_lead[5:3] == 3'd7, coming_lead[5:3] == 3'd6, coming_lead[5:3] == 3'd5,
                coming_lead[5:3] == 3'd4, coming_lead[5:3] == 3'd3, coming_lead[5:3] == 3'd2,
                coming_lead[5:3] == 3'd1, coming_lead[5:3] == 3'd0
            };
            job_lead_octets_q  <= {
                1'b0, 1'b0 | (coming_lead[2:0] == 3'd7),
                1'b0 | (coming_lead[2:0] == 3'd6) | (coming_lead[2:0] == 3'd7),
                1'b0 | (coming_lead[2:0] == 3'd5) | (coming_lead[2:0] == 3'd6) | (coming_lead[2:0] == 3'd7),
                  1'b0
                | (coming_lead[2:0] == 3'd4)
                | (coming_lead[2:0] == 3'd5)
                | (coming_lead[2:0] == 3'd6)
                | (coming_lead[2:0] == 3'd7),
                  1'b0
                | (coming_lead[2:0] == 3'd3)
                | (coming_lead[2:0] == 3'd4)
                | (coming_lead[2:0] == 3'd5)
                | (coming_lead[2:0] == 3'd6)
                | (coming_lead[2:0] == 3'd7),
                  1'b0
                | (coming_lead[2:0] == 3'd2)
                | (coming_lead[2:0] == 3'd3)
                | (coming_lead[2:0] == 3'd4)
                | (coming_lead[2:0] == 3'd5)
                | (coming_lead[2:0] == 3'd6)
                | (coming_lead[2:0] == 3'd7),
                  1'b0
                | (coming_lead[2:0] == 3'd1)
                | (coming_lead[2:0] == 3'd2)
                | (coming_lead[2:0] == 3'd3)
                | (coming_lead[2:0] == 3'd4)
                | (coming_lead[2:0] == 3'd5)
                | (coming_lead[2:0] == 3'd6)
                | (coming_lead[2:0] == 3'd7)
            };
            job_end_rows_q     <=
                  {
                      1'b0, 1'b0 | (coming_ends[5:3] == 3'd7),
                      1'b0 | (coming_ends[5:3] == 3'd6) | (coming_ends[5:3] == 3'd7),
                        1'b0
                      | (coming_ends[5:3] == 3'd5)
                      | (coming_ends[5:3] == 3'd6)
                      | (coming_ends[5:3] == 3'd7),
                        1'b0
                      | (coming_ends[5:3] == 3'd4)
                      | (coming_ends[5:3] == 3'd5)
                      | (coming_ends[5:3] == 3'd6)
                      | (coming_ends[5:3] == 3'd7),
                        1'b0
                      | (coming_ends[5:3] == 3'd3)
                      | (coming_ends[5:3] == 3'd4)
                      | (coming_ends[5:3] == 3'd5)
                      | (coming_ends[5:3] == 3'd6)
                      | (coming_ends[5:3] == 3'd7),
                        1'b0
                      | (coming_ends[5:3] == 3'd2)
                      | (coming_ends[5:3] == 3'd3)
                      | (coming_ends[5:3] == 3'd4)
                      | (coming_ends[5:3] == 3'd5)
                      | (coming_ends[5:3] == 3'd6)
                      | (coming_ends[5:3] == 3'd7),
                        1'b0
                      | (coming_ends[5:3] == 3'd1)
                      | (coming_ends[5:3] == 3'd2)
                      | (coming_ends[5:3] == 3'd3)
                      | (coming_ends[5:3] == 3'd4)
                      | (coming_ends[5:3] == 3'd5)
                      | (coming_ends[5:3] == 3'd6)
                      | (coming_ends[5:3] == 3'd7)
                  }
                | {8{~|coming_ends}};
            job_end_row_q      <= {
                coming_ends[5:3] == 3'd7, coming_ends[5:3] == 3'd6, coming_ends[5:3] == 3'd5,
                coming_ends[5:3] == 3'd4, coming_ends[5:3] == 3'd3, coming_ends[5:3] == 3'd2,
                coming_ends[5:3] == 3'd1, coming_ends[5:3] == 3'd0
            };
            job_end_octets_q   <= {
                1'b0, 1'b0 | (coming_ends[2:0] == 3'd7),
                1'b0 | (coming_ends[2:0] == 3'd6) | (coming_ends[2:0] == 3'd7),
                1'b0 | (coming_ends[2:0] == 3'd5) | (coming_ends[2:0] == 3'd6) | (coming_ends[2:0] == 3'd7),
                  1'b0
                | (coming_ends[2:0] == 3'd4)
                | (coming_ends[2:0] == 3'd5)
                | (coming_ends[2:0] == 3'd6)
                | (coming_ends[2:0] == 3'd7),
                  1'b0
                | (coming_ends[2:0] == 3'd3)
                | (coming_ends[2:0] == 3'd4)
                | (coming_ends[2:0] == 3'd5)
                | (coming_ends[2:0] == 3'd6)
                | (coming_ends[2:0] == 3'd7),
                  1'b0
                | (coming_ends[2:0] == 3'd2)
                | (coming_ends[2:0] == 3'd3)
                | (coming_ends[2:0] == 3'd4)
                | (coming_ends[2:0] == 3'd5)
                | (coming_ends[2:0] == 3'd6)
                | (coming_ends[2:0] == 3'd7),
                  1'b0
                | (coming_ends[2:0] == 3'd1)
                | (coming_ends[2:0] == 3'd2)
                | (coming_ends[2:0] == 3'd3)
                | (coming_ends[2:0] == 3'd4)
                | (coming_ends[2:0] == 3'd5)
                | (coming_ends[2:0] == 3'd6)
                | (coming_ends[2:0] == 3'd7)
            };
            beats_left_q       <= coming_behind;
            last_q             <= comes_in_one;
            spills_q           <= comes_in_one & coming_spill;
            closes_q           <= comes_in_one & ~coming_spill;
            first_q            <= 1'b1;
            late_q             <= coming_late;
            begins_q           <= 1'b1;
        end else if (take) begin
            beats_left_q <= beats_left_q - 5'd1;
            last_q       <= ends_next;
            spills_q     <= ends_next & job_spill_q;
            closes_q     <= ends_next & ~job_spill_q;
            first_q      <= 1'b0;
            late_q       <= 1'b0;
            begins_q     <= begins_q & late_q;
        end
        waits_next_q <= take & (spills_q | (waits_next_q & joins));
        if (rst) begin
            job_valid_q  <= 1'b0;
            waits_next_q <= 1'b0;
        end
    end

    // ---- The beat taken last, rotated, with the one before it, and what it completes
    reg         turned_valid_q;
    reg [511:0] turned_q;
    reg [511:0] carry_q;
    reg         spilled_q;
    reg         ended_q;
    reg         closed_q;
    reg         leaves_q;
    reg         failed_q;
    // Bit 1 of rresp is set in SLVERR and DECERR.
    wire         is_error     = m_axi_rresp[1];
    wire [511:0] turned_by_1  = job_turn_q[0] ? {m_axi_rdata[503:0], m_axi_rdata[511:504]} : m_axi_rdata;
    wire [511:0] turned_by_2  = job_turn_q[1] ? {turned_by_1[495:0], turned_by_1[511:496]} : turned_by_1;
    wire [511:0] turned_by_4  = job_turn_q[2] ? {turned_by_2[479:0], turned_by_2[511:480]} : turned_by_2;
    wire [511:0] turned_by_8  = job_turn_q[3] ? {turned_by_4[447:0], turned_by_4[511:448]} : turned_by_4;
    wire [511:0] turned_by_16 = job_turn_q[4] ? {turned_by_8[383:0], turned_by_8[511:384]} : turned_by_8;
    wire [511:0] turned_by_32 = job_turn_q[5] ? {turned_by_16[255:0], turned_by_16[511:256]} : turned_by_16;

    always @(posedge clk) begin
        turned_valid_q <= take;
        spilled_q      <= spills_q;
        ended_q        <= last_q;
        closed_q       <= closes_q;
        leaves_q       <= waits_next_q | (take & joins);
        turned_q       <= turned_by_32;
        if (turned_valid_q) begin
            carry_q <= turned_q;
        end
        if (take) begin
            failed_q <= is_error | (failed_q & ~first_q);
        end
        if (rst) begin
            turned_valid_q <= 1'b0;
            leaves_q       <= 1'b0;
        end
    end

    // ---- Octets of the segment: those below turn belong to the next beat, and outside the payload they are zero
    wire [63:0] below_turn    = {
        {8{job_below_rows_q[7]}} | ({8{job_below_row_q[7]}} & job_below_octets_q),
        {8{job_below_rows_q[6]}} | ({8{job_below_row_q[6]}} & job_below_octets_q),
        {8{job_below_rows_q[5]}} | ({8{job_below_row_q[5]}} & job_below_octets_q),
        {8{job_below_rows_q[4]}} | ({8{job_below_row_q[4]}} & job_below_octets_q),
        {8{job_below_rows_q[3]}} | ({8{job_below_row_q[3]}} & job_below_octets_q),
        {8{job_below_rows_q[2]}} | ({8{job_below_row_q[2]}} & job_below_octets_q),
        {8{job_below_rows_q[1]}} | ({8{job_below_row_q[1]}} & job_below_octets_q),
        {8{job_below_rows_q[0]}} | ({8{job_below_row_q[0]}} & job_below_octets_q)
    };
    wire [63:0] behind_header =
        ~{{8{job_lead_rows_q[7]}} | ({8{job_lead_row_q[7]}} & job_lead_octets_q), {8{job_lead_rows_q[6]}} | ({8{job_lead_row_q[6]}} & job_lead_octets_q), {8{job_lead_rows_q[5]}} | ({8{job_lead_row_q[5]}} & job_lead_octets_q), {8{job_lead_rows_q[4]}} | ({8{job_lead_row_q[4]}} & job_lead_octets_q), {8{job_lead_rows_q[3]}} | ({8{job_lead_row_q[3]}} & job_lead_octets_q), {8{job_lead_rows_q[2]}} | ({8{job_lead_row_q[2]}} & job_lead_octets_q), {8{job_lead_rows_q[1]}} | ({8{job_lead_row_q[1]}} & job_lead_octets_q), {8{job_lead_rows_q[0]}} | ({8{job_lead_row_q[0]}} & job_lead_octets_q)};
    wire [63:0] before_end    = {
        {8{job_end_rows_q[7]}} | ({8{job_end_row_q[7]}} & job_end_octets_q),
        {8{job_end_rows_q[6]}} | ({8{job_end_row_q[6]}} & job_end_octets_q),
        {8{job_end_rows_q[5]}} | ({8{job_end_row_q[5]}} & job_end_octets_q),
        {8{job_end_rows_q[4]}} | ({8{job_end_row_q[4]}} & job_end_octets_q),
        {8{job_end_rows_q[3]}} | ({8{job_end_row_q[3]}} & job_end_octets_q),
        {8{job_end_rows_q[2]}} | ({8{job_end_row_q[2]}} & job_end_octets_q),
        {8{job_end_rows_q[1]}} | ({8{job_end_row_q[1]}} & job_end_octets_q),
        {8{job_end_rows_q[0]}} | ({8{job_end_row_q[0]}} & job_end_octets_q)
    };
    wire [63:0] from_begin    = behind_header | {64{~begins_q}};
    wire [63:0] to_end        = before_end | {64{~closes_q}};
    reg  [63:0] carried_q;
    reg  [63:0] fresh_q;
    reg  [63:0] rest_q;
    wire        has_begun     = ~(begins_q & late_q);

    always @(posedge clk) begin
        carried_q <= below_turn & from_begin & to_end;
        fresh_q   <= ~below_turn & from_begin & to_end;
        rest_q    <= below_turn & (behind_header | {64{has_begun}}) & before_end;
    end

    // ---- A complete beat waits for one cycle behind another: a joined beat, or the rest of the last beat of a segment
    reg          waits_q;
    reg  [511:0] waiting_q;
    reg          waiting_last_q;
    reg          waiting_failed_q;
    wire [511:0] joined_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_joined_replicated
            assign joined_replicated[8 * i +: 8] = {8{carried_q[i]}};
        end
    endgenerate
    wire [511:0] joined_replicated_2;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_joined_replicated_2
            assign joined_replicated_2[8 * i +: 8] = {8{fresh_q[i]}};
        end
    endgenerate
    wire [511:0] joined = (carry_q & joined_replicated) | (turned_q & joined_replicated_2);

    wire [511:0] waiting_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_waiting_replicated
            assign waiting_replicated[8 * i +: 8] = {8{rest_q[i]}};
        end
    endgenerate
    always @(posedge clk) begin
        waits_q          <= waits_next_q;
        waiting_q        <= spilled_q ? (turned_q & waiting_replicated) : joined;
        waiting_last_q   <= ended_q;
        waiting_failed_q <= failed_q;
        if (rst) begin
            waits_q <= 1'b0;
        end
    end

    assign payload_valid  = leaves_q;
    assign payload_data   = waits_q ? waiting_q : joined;
    assign payload_last   = waits_q ? waiting_last_q : closed_q;
    assign payload_failed = waits_q ? waiting_failed_q : failed_q;

    // Not read:
    // m_axi_rid: used by the arbiter
    // m_axi_rlast: the fetcher has announced the number of beats
    // m_axi_rresp[0]: SLVERR and DECERR alike are errors
    wire unused = &{1'b0, m_axi_rid, m_axi_rlast, m_axi_rresp[0]};
endmodule
`default_nettype wire
