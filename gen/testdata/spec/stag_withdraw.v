// An STag is withdrawn by one write, which clears the valid bit of its row if the row is its; meanwhile the host's rows wait. Whatever else is written
// is what the host set.
// depth 1
// bound 12

// property host_as_it_was: outside a withdrawal the rows of the host are written at once, unchanged, and accepted when the table accepts them
// control host_as_it_was: write_index                      = is_idle ? host_index : withdraw_stag[31:8] => write_index                      = withdraw_stag[31:8]
// control host_as_it_was: write_entry_owner                = is_idle ? host_entry_owner : 16'd0 => write_entry_owner                = 16'd0
// property host_waits: no row of the host is accepted between the read and the end of a withdrawal
// control host_waits: host_ready                       = is_idle & write_ready => host_ready                       = write_ready
// property clears: a withdrawal writes nothing but an invalid row at the place of its STag
// control clears: is_idle ? host_entry_valid : 1'b0 => host_entry_valid
// property whole: a row of the host that is on offer is not replaced by a withdrawal before the table has it
// control whole: withdraw_valid & (~host_valid | write_ready) => withdraw_valid
// property reads_settled: the row is read after the change before it has its effect, and nothing is written between the read and the decision
// control reads_settled: if (write_ready) begin state_q <= STATE_LOOKS => if (1'b1) begin state_q <= STATE_LOOKS
// property only_its_own: a withdrawal writes once if the row is valid and has the key of the STag, otherwise not at all
// control only_its_own: is_valid = row_valid & (row_key == withdraw_stag[7:0]) => is_valid = row_valid
// control only_its_own: is_valid = row_valid & (row_key == withdraw_stag[7:0]) => is_valid = 1'b0
// property over_when_gone: it is accepted at once if there is nothing to withdraw, otherwise when its write has its effect and no other withdrawal writes
// control over_when_gone: (state_q == STATE_ENDS) & ends => (state_q == STATE_WRITES) & ends
// control over_when_gone: ends    = write_ready & ~others => ends    = write_ready
// invariant steps: the state is one of the six, and a withdrawal that began is on offer until it is over

// What the withdrawal in progress has done: whether it has read its row, whether the row was its, and what it wrote.
reg  read_q, decided_q, its_own_q, wrote_q, waited_q;
wire runs = state_q != STATE_IDLE, over = withdraw_valid & withdraw_ready;
wire writes = runs & write_valid & write_ready;
reg  had_host_q;
reg  [23:0] index_q;
wire owns = lookup_entry[`WIDTH_lookup_entry-1] && lookup_entry[`WIDTH_lookup_entry-2 -: 8] == withdraw_stag[7:0];
always @(posedge clk) begin
    read_q     <= runs && !over && (read_q || lookup_enable);
    decided_q  <= runs && !over && (decided_q || read_q);
    if (read_q && !decided_q) its_own_q <= owns;
    wrote_q    <= runs && !over && (wrote_q || writes);
    had_host_q <= host_valid && !host_ready && !runs && !rst;
    if (lookup_enable) index_q <= lookup_index;
    if (rst) {read_q, decided_q, wrote_q} <= 0;
end

always @* if (started && !rst) begin
    if (!runs) host_as_it_was: assert (`VALID_write == `VALID_host && `READY_host == `READY_write && `DATA_write == `DATA_host);
    if (runs) host_waits: assert (!host_ready);
    if (runs && write_valid) clears: assert (!write_entry_valid && write_index == withdraw_stag[31:8]);
    if (had_host_q) whole: assert (!runs);
    if (lookup_enable) reads_settled: assert (runs && !read_q && !wrote_q && waited_q && lookup_index == withdraw_stag[31:8]);
    if (runs && !decided_q) reads_settled: assert (!write_valid);
    if (over) only_its_own: assert (decided_q ? its_own_q && wrote_q : read_q && !owns);
    if (writes) only_its_own: assert (decided_q && its_own_q && !wrote_q);
    if (over && decided_q) over_when_gone: assert (wrote_q && write_ready && !others && gone);
    if (gone) over_when_gone: assert (over && decided_q);
    steps: assert (state_q <= 5 && (!runs || withdraw_valid));
    steps: assert (read_q == (state_q >= 3) && decided_q == (state_q >= 4) && wrote_q == (state_q == 5) && (!decided_q || its_own_q));
    if (read_q) steps: assert (index_q == withdraw_stag[31:8]);
    if (state_q == 2) steps: assert (waited_q);
end
always @(posedge clk) waited_q <= runs && write_ready && !rst;
