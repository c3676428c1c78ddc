// tx_realign moves octets from their place in beats of memory to their place in beats of the segment, and clears what
// is not payload. It accepts and produces a beat per cycle; a segment takes as many cycles as it has beats of memory
// or of its own, whichever is more, also back to back: a complete beat may wait, so that the next segment enters
// while the rest of the previous one leaves. A beat leaves three cycles after that with its last octet.
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
    input  wire [4:0]   coming_behind, // beats from memory after the first one
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
            job_turn_q         <= {
                coming_turn[5], coming_turn[4] ^ coming_turn[5], coming_turn[3],
                coming_turn[2] ^ coming_turn[3], coming_turn[1], coming_turn[0] ^ coming_turn[1]
            };
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

    // ---- The beats taken, rotated in steps, and what each completes
    reg          valid_1_q;
    reg          valid_2_q;
    reg          valid_3_q;
    wire         leaves             = waits_next_q | (take & joins);
    reg          leaves_valid_1_q;
    reg          leaves_valid_2_q;
    reg          leaves_valid_3_q;
    wire [511:0] turned_by_0_or_1   =
        job_turn_q[0] ? {m_axi_rdata[503:0], m_axi_rdata[511:504]} : m_axi_rdata;
    wire [511:0] turned_by_2_or_3   =
        job_turn_q[0] ? {m_axi_rdata[495:0], m_axi_rdata[511:496]} :
                        {m_axi_rdata[487:0], m_axi_rdata[511:488]};
    wire [511:0] turned_by_1        = job_turn_q[1] ? turned_by_2_or_3 : turned_by_0_or_1;
    reg  [511:0] turn_0_1_q;
    reg  [1:0]   turn_code_1_1_q;
    wire [511:0] turned_by_0_or_4   =
        turn_code_1_1_q[0] ? {turn_0_1_q[479:0], turn_0_1_q[511:480]} : turn_0_1_q;
    wire [511:0] turned_by_8_or_12  =
        turn_code_1_1_q[0] ? {turn_0_1_q[447:0], turn_0_1_q[511:448]} :
                             {turn_0_1_q[415:0], turn_0_1_q[511:416]};
    wire [511:0] turned_by_4        = turn_code_1_1_q[1] ? turned_by_8_or_12 : turned_by_0_or_4;
    reg  [511:0] turn_1_2_q;
    reg  [1:0]   turn_code_2_1_q;
    reg  [1:0]   turn_code_2_2_q;
    wire [511:0] turned_by_0_or_16  =
        turn_code_2_2_q[0] ? {turn_1_2_q[383:0], turn_1_2_q[511:384]} : turn_1_2_q;
    wire [511:0] turned_by_32_or_48 =
        turn_code_2_2_q[0] ? {turn_1_2_q[255:0], turn_1_2_q[511:256]} :
                             {turn_1_2_q[127:0], turn_1_2_q[511:128]};
    wire [511:0] turned_by_16       = turn_code_2_2_q[1] ? turned_by_32_or_48 : turned_by_0_or_16;
    reg  [511:0] turn_2_3_q;
    reg  [511:0] carry_q;
    reg          failed_q;
    // Bit 1 of rresp is set in SLVERR and DECERR.
    wire is_error = m_axi_rresp[1];

    always @(posedge clk) begin
        if (valid_3_q) begin
            carry_q <= turn_2_3_q;
        end
        if (take) begin
            failed_q <= is_error | (failed_q & ~first_q);
        end
    end

    reg failed_2_q;
    reg failed_3_q;

    // ---- Octets of the segment: those below turn belong to the next beat, and outside the payload they are zero
    wire [23:0] turn           = {job_below_rows_q, job_below_row_q, job_below_octets_q};
    reg  [23:0] turn_1_q;
    reg  [23:0] turn_2_q;
    wire [63:0] below_turn     = {
        {8{turn_2_q[23]}} | ({8{turn_2_q[15]}} & turn_2_q[7:0]),
        {8{turn_2_q[22]}} | ({8{turn_2_q[14]}} & turn_2_q[7:0]),
        {8{turn_2_q[21]}} | ({8{turn_2_q[13]}} & turn_2_q[7:0]),
        {8{turn_2_q[20]}} | ({8{turn_2_q[12]}} & turn_2_q[7:0]),
        {8{turn_2_q[19]}} | ({8{turn_2_q[11]}} & turn_2_q[7:0]),
        {8{turn_2_q[18]}} | ({8{turn_2_q[10]}} & turn_2_q[7:0]),
        {8{turn_2_q[17]}} | ({8{turn_2_q[9]}} & turn_2_q[7:0]),
        {8{turn_2_q[16]}} | ({8{turn_2_q[8]}} & turn_2_q[7:0])
    };
    wire [23:0] lead           = {job_lead_rows_q, job_lead_row_q, job_lead_octets_q};
    reg  [23:0] lead_1_q;
    reg  [23:0] lead_2_q;
    wire [63:0] before_payload = {
        {8{lead_2_q[23]}} | ({8{lead_2_q[15]}} & lead_2_q[7:0]),
        {8{lead_2_q[22]}} | ({8{lead_2_q[14]}} & lead_2_q[7:0]),
        {8{lead_2_q[21]}} | ({8{lead_2_q[13]}} & lead_2_q[7:0]),
        {8{lead_2_q[20]}} | ({8{lead_2_q[12]}} & lead_2_q[7:0]),
        {8{lead_2_q[19]}} | ({8{lead_2_q[11]}} & lead_2_q[7:0]),
        {8{lead_2_q[18]}} | ({8{lead_2_q[10]}} & lead_2_q[7:0]),
        {8{lead_2_q[17]}} | ({8{lead_2_q[9]}} & lead_2_q[7:0]),
        {8{lead_2_q[16]}} | ({8{lead_2_q[8]}} & lead_2_q[7:0])
    };
    wire [23:0] up_to_end      = {job_end_rows_q, job_end_row_q, job_end_octets_q};
    reg  [23:0] up_to_end_1_q;
    reg  [23:0] up_to_end_2_q;
    wire [63:0] before_end     = {
        {8{up_to_end_2_q[23]}} | ({8{up_to_end_2_q[15]}} & up_to_end_2_q[7:0]),
        {8{up_to_end_2_q[22]}} | ({8{up_to_end_2_q[14]}} & up_to_end_2_q[7:0]),
        {8{up_to_end_2_q[21]}} | ({8{up_to_end_2_q[13]}} & up_to_end_2_q[7:0]),
        {8{up_to_end_2_q[20]}} | ({8{up_to_end_2_q[12]}} & up_to_end_2_q[7:0]),
        {8{up_to_end_2_q[19]}} | ({8{up_to_end_2_q[11]}} & up_to_end_2_q[7:0]),
        {8{up_to_end_2_q[18]}} | ({8{up_to_end_2_q[10]}} & up_to_end_2_q[7:0]),
        {8{up_to_end_2_q[17]}} | ({8{up_to_end_2_q[9]}} & up_to_end_2_q[7:0]),
        {8{up_to_end_2_q[16]}} | ({8{up_to_end_2_q[8]}} & up_to_end_2_q[7:0])
    };
    wire        goes_on        = ~begins_q;
    reg         goes_on_1_q;
    reg         goes_on_2_q;
    wire [63:0] from_begin     = ~before_payload | {64{goes_on_2_q}};
    wire        continues      = ~closes_q;
    reg         continues_1_q;
    reg         continues_2_q;
    wire [63:0] to_end         = before_end | {64{continues_2_q}};
    wire        has_begun      = ~(begins_q & late_q);
    reg         has_begun_1_q;
    reg         has_begun_2_q;
    wire [63:0] rest           = below_turn & (~before_payload | {64{has_begun_2_q}}) & before_end;
    wire        spilled        = spills_q;
    reg         spilled_1_q;
    reg         spilled_2_q;
    wire [63:0] joined_old     = below_turn & from_begin & to_end;
    reg  [63:0] joined_old_3_q;
    wire [63:0] joined_fresh   = ~below_turn & from_begin & to_end;
    reg  [63:0] joined_fresh_3_q;
    wire [63:0] waits_old      = below_turn & from_begin & to_end & ~{64{spilled_2_q}};
    reg  [63:0] waits_old_3_q;
    wire [63:0] waits_fresh    = spilled_2_q ? rest : (~below_turn & from_begin & to_end);
    reg  [63:0] waits_fresh_3_q;

    // ---- A complete beat waits for one cycle after another: a joined beat, or the rest of the last beat of a segment
    reg          is_waiting_1_q;
    reg          is_waiting_2_q;
    reg          is_waiting_3_q;
    reg  [511:0] waiting_q;
    reg          waiting_last_q;
    reg          waiting_failed_q;
    wire [511:0] joined_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_joined_replicated
            assign joined_replicated[8 * i +: 8] = {8{joined_old_3_q[i]}};
        end
    endgenerate
    wire [511:0] joined_replicated_2;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_joined_replicated_2
            assign joined_replicated_2[8 * i +: 8] = {8{joined_fresh_3_q[i]}};
        end
    endgenerate
    wire [511:0] joined = (carry_q & joined_replicated) | (turn_2_3_q & joined_replicated_2);
    reg          ended_1_q;
    reg          ended_2_q;
    reg          ended_3_q;

    wire [511:0] waiting_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_waiting_replicated
            assign waiting_replicated[8 * i +: 8] = {8{waits_old_3_q[i]}};
        end
    endgenerate
    wire [511:0] waiting_replicated_2;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_waiting_replicated_2
            assign waiting_replicated_2[8 * i +: 8] = {8{waits_fresh_3_q[i]}};
        end
    endgenerate
    always @(posedge clk) begin
        waiting_q        <= (carry_q & waiting_replicated) | (turn_2_3_q & waiting_replicated_2);
        waiting_last_q   <= ended_3_q;
        waiting_failed_q <= failed_3_q;
    end

    assign payload_valid  = leaves_valid_3_q;
    assign payload_data   = is_waiting_3_q ? waiting_q : joined;
    reg closed_1_q;
    reg closed_2_q;
    reg closed_3_q;
    assign payload_last   = is_waiting_3_q ? waiting_last_q : closed_3_q;
    assign payload_failed = is_waiting_3_q ? waiting_failed_q : failed_3_q;

    // ---- Pipeline registers
    always @(posedge clk) begin
        valid_1_q        <= take;
        valid_2_q        <= valid_1_q;
        valid_3_q        <= valid_2_q;
        turn_0_1_q       <= turned_by_1;
        turn_code_1_1_q  <= job_turn_q[3:2];
        turn_1_2_q       <= turned_by_4;
        turn_code_2_1_q  <= job_turn_q[5:4];
        turn_code_2_2_q  <= turn_code_2_1_q;
        turn_2_3_q       <= turned_by_16;
        failed_2_q       <= failed_q;
        failed_3_q       <= failed_2_q;
        turn_1_q         <= turn;
        turn_2_q         <= turn_1_q;
        lead_1_q         <= lead;
        lead_2_q         <= lead_1_q;
        up_to_end_1_q    <= up_to_end;
        up_to_end_2_q    <= up_to_end_1_q;
        goes_on_1_q      <= goes_on;
        goes_on_2_q      <= goes_on_1_q;
        continues_1_q    <= continues;
        continues_2_q    <= continues_1_q;
        has_begun_1_q    <= has_begun;
        has_begun_2_q    <= has_begun_1_q;
        spilled_1_q      <= spilled;
        spilled_2_q      <= spilled_1_q;
        joined_old_3_q   <= joined_old;
        joined_fresh_3_q <= joined_fresh;
        waits_old_3_q    <= waits_old;
        waits_fresh_3_q  <= waits_fresh;
        is_waiting_1_q   <= waits_next_q;
        is_waiting_2_q   <= is_waiting_1_q;
        is_waiting_3_q   <= is_waiting_2_q;
        ended_1_q        <= last_q;
        ended_2_q        <= ended_1_q;
        ended_3_q        <= ended_2_q;
        closed_1_q       <= closes_q;
        closed_2_q       <= closed_1_q;
        closed_3_q       <= closed_2_q;
        if (rst) begin
            valid_1_q <= 1'b0;
            valid_2_q <= 1'b0;
            valid_3_q <= 1'b0;
        end
    end

    // ---- Pipeline registers
    always @(posedge clk) begin
        leaves_valid_1_q <= leaves;
        leaves_valid_2_q <= leaves_valid_1_q;
        leaves_valid_3_q <= leaves_valid_2_q;
        if (rst) begin
            leaves_valid_1_q <= 1'b0;
            leaves_valid_2_q <= 1'b0;
            leaves_valid_3_q <= 1'b0;
        end
    end

    // Not read:
    // m_axi_rid: used by the arbiter
    // m_axi_rlast: the fetcher has announced the number of beats
    // m_axi_rresp[0]: SLVERR and DECERR alike are errors
    wire unused = &{1'b0, m_axi_rid, m_axi_rlast, m_axi_rresp[0]};
endmodule
`default_nettype wire
