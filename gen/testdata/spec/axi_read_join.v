// The bursts of both readers go to memory one by one, each unchanged, and what memory returns goes to the reader that asked. The second reader
// waits for the first one and pays for what it takes from it.
// depth 1
// bound 12

// property one_grant: at most one reader's burst is accepted per cycle, the one that is offered, when memory accepts it
// control one_grant: first_arready  = m_axi_arready & ~is_second => first_arready  = m_axi_arready
// property as_it_was: the offered burst is one that its reader offers, unchanged, and the top bit of its identifier says whose it is
// control as_it_was: is_second ? second_araddr : first_araddr => first_araddr
// control as_it_was: valid     = first_arvalid | second_may_q => valid     = first_arvalid | second_arvalid
// property stays: a burst that is offered and not accepted is offered in the next cycle
// control stays: waiting_q ? chosen_q : choice => choice
// property first_at_once: the first reader's burst is offered at once, unless one of the second is on offer already or was paid for
// control first_at_once: (~first_arvalid | credit_q[13]) => 1'b1
// property few: while the first reader asks, a burst of the second is offered only if fewer than 32 beats of the second are in progress
// control few: (second_has_few_q & ~second_took_q)); => second_has_few_q);
// control few: second_has_few_q <= ~|second_beats[11:5] => second_has_few_q <= ~|second_beats[11:6]
// property paid: the second reader goes before a waiting burst of the first only for beats of the first that pay for it, 32 for each of its own
// control paid: first_arlen} + 14'd1 => first_arlen} + 14'd4097
// control paid: credit_q  <= 14'd0 => credit_q  <= 14'd8192
// property routed: what memory returns goes to the reader that its identifier names, unchanged, once, when the first reader has room
// control routed: first_rvalid  = m_axi_rvalid & ~for_second => first_rvalid  = m_axi_rvalid
// control routed: second_rvalid = m_axi_rvalid & for_second & first_rready => second_rvalid = m_axi_rvalid & for_second
// property counted: the beats of the second reader in progress are counted
// control counted: second_took_beats_q <= {1'b0, second_arlen} + 9'd1 => second_took_beats_q <= {1'b0, second_arlen}
// control counted: - {11'd0, second_returns} => - 12'd0
// excused handshake_second_r: the second reader has room for all that it reads, and accepts data in every cycle
// invariant credit: the credit is at most what pays for the longest burst, and the beats of one of the first
// invariant chosen_waits: the side whose burst was offered but not accepted still has it
// assume returned: memory, which returns no beat that was not asked for
// assume bounded: digest_fetch and the buffer of hashes, which ask for far fewer beats than the counter can count

wire first_taken = first_arvalid & first_arready, second_taken = second_arvalid & second_arready;
wire returns_second = m_axi_rvalid & m_axi_rready & m_axi_rid[1];

// Beats of the second reader in progress, and cycles since a burst of the first was accepted.
reg [12:0] inside_q;
reg [7:0]  quiet_for_q;
// Beats of the first reader, less 32 for each beat of the second that was offered before a waiting burst of the first; no more than are of use.
reg [15:0] paid_q;
reg        was_offered_q, was_second_q, went_before_q;
wire       goes_before = was_offered_q ? went_before_q : first_arvalid & m_axi_arid[1];
wire [13:0] owes = {second_arlen + 9'd1, 5'd0};
wire [16:0] with_first = paid_q + first_arlen + 1'b1;
always @(posedge clk) begin
    inside_q      <= inside_q + (second_taken ? second_arlen + 9'd1 : 9'd0) - returns_second;
    quiet_for_q   <= first_taken ? 0 : quiet_for_q[7] ? quiet_for_q : quiet_for_q + 1'b1;
    was_offered_q <= m_axi_arvalid & ~m_axi_arready;
    was_second_q  <= m_axi_arid[1];
    went_before_q <= goes_before;
    if (first_taken) paid_q <= with_first[16] ? 16'hFFFF : with_first;
    if (second_taken & goes_before) paid_q <= paid_q - owes;
    if (rst) {inside_q, was_offered_q, went_before_q, paid_q, quiet_for_q} <= {13'd0, 1'b0, 1'b0, 16'd0, 8'd128};
end

always @* if (started && returns_second) returned: assume (inside_q != 0);
always @* if (started && second_taken) bounded: assume (inside_q + second_arlen < 13'd4095);
always @* if (started && !rst) begin
    one_grant: assert (!(first_taken & second_taken) && (m_axi_arvalid & m_axi_arready) == (first_taken | second_taken));
    if (m_axi_arvalid) as_it_was: assert (m_axi_arid[1] ? second_arvalid && `DATA_second_ar == {m_axi_arid[0], m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst} :
        first_arvalid && `DATA_first_ar == {m_axi_arid[0], m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst});
    if (m_axi_arvalid & m_axi_arready) as_it_was: assert (m_axi_arid[1] == second_taken);
    if (first_arvalid) as_it_was: assert (m_axi_arvalid);
    if (was_offered_q) stays: assert (m_axi_arvalid && m_axi_arid[1] == was_second_q);
    if (first_arvalid && m_axi_arid[1]) first_at_once: assert (was_offered_q || credit_q[13]);
    if (m_axi_arvalid && m_axi_arid[1] && !was_offered_q && quiet_for_q < 128) few: assert (inside_q < 32);
    if (second_taken && goes_before) paid: assert (paid_q >= owes);
    routed: assert ((m_axi_rvalid & m_axi_rready) == (first_rvalid & first_rready | second_rvalid) && !(first_rvalid & second_rvalid));
    routed: assert (first_rvalid == (m_axi_rvalid & ~m_axi_rid[1]) && second_rvalid == (m_axi_rvalid & m_axi_rready & m_axi_rid[1]));
    routed: assert ({first_rid, first_rdata, first_rresp, first_rlast} == {m_axi_rid[0], m_axi_rdata, m_axi_rresp, m_axi_rlast} &&
        {second_rid, second_rdata, second_rresp, second_rlast} == {m_axi_rid[0], m_axi_rdata, m_axi_rresp, m_axi_rlast});
    counted: assert (inside_q == second_beats_q + (second_took_q ? second_took_beats_q : 0) && inside_q < 4096);
    counted: assert (second_has_few_q == (second_beats_q < 32));
    counted: assert (first_is_quiet_q == quiet_for_q[7] && (first_is_quiet_q || quiet_q == quiet_for_q[6:0]));
    credit: assert (credit_q <= 14'd8447 && paid_q >= credit_q);
    if (was_offered_q && went_before_q) credit: assert (credit_q[13]);
    if (was_offered_q && went_before_q) chosen_waits: assert (was_second_q);
    chosen_waits: assert (waiting_q == was_offered_q && (!waiting_q || chosen_q == was_second_q));
    if (waiting_q) chosen_waits: assert (chosen_q ? second_arvalid && second_may_q : first_arvalid);
    if (second_may_q) chosen_waits: assert (second_arvalid && (first_is_quiet_q | second_has_few_q & ~second_took_q));
end
