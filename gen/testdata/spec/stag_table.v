// stag_table: a lookup of any STag through any port returns the entry last written for it, and an invalid one once the STag is
// invalidated. The properties follow an arbitrary STag, port and bit of the entry.
// depth 2
// bound 24
(* anyconst *) reg [23:0] a_stag;
(* anyconst *) reg [2:0]  a_port;
(* anyconst *) reg [7:0]  a_bit;

wire [`WIDTH_sweep_q-1:0] a_row = a_stag[`WIDTH_sweep_q-1:0];
wire a_row_exists = a_row == a_stag;
// Ports of the extension commit, 4 and 5; without it nothing is looked up there.
wire [1:0]  spec_more_enable, spec_more_there;
wire [47:0] spec_more_index;
wire [2*`WIDTH_main_entry-1:0] spec_more_entry;
generate if (`HAS_revoke_enable) begin
    assign spec_more_enable = {withdraw_enable, revoke_enable};
    assign spec_more_index  = {withdraw_index, revoke_index};
    assign spec_more_entry  = {withdraw_entry, revoke_entry};
    assign spec_more_there  = {withdraw_there_q, revoke_there_q};
end else begin
    assign {spec_more_enable, spec_more_index, spec_more_entry, spec_more_there} = 0;
end endgenerate
wire [5:0] spec_enables = {spec_more_enable, recheck_enable, local_enable, invalidated_enable, main_enable};
wire [5:0] spec_there = {spec_more_there, recheck_there_q, local_there_q, invalidated_there_q, main_there_q};
wire [6*24-1:0] spec_indexes = {spec_more_index, recheck_index, local_index, invalidated_index, main_index};
wire [6*`WIDTH_main_entry-1:0] spec_entries = {spec_more_entry, recheck_entry, local_entry, invalidated_entry, main_entry};
wire a_enable = a_port < 6 && spec_enables[a_port];
wire [23:0] a_index = spec_indexes[24*a_port +: 24];
wire [`WIDTH_main_entry-1:0] a_entry = a_port < 6 ? spec_entries[`WIDTH_main_entry*a_port +: `WIDTH_main_entry] : 0;
wire a_grant   = a_entry[`WIDTH_main_entry-1];
wire a_lookup  = a_enable && a_index == a_stag;
wire a_killed  = ready && invalidate && invalidate_index == a_stag;

// The contents of a row except its valid bit, from the write port, in the order of a lookup.
wire [`WIDTH_regions + 24:0] spec_write = `DATA_write;
wire [`WIDTH_regions-1:0] spec_written = spec_write[`WIDTH_regions-1:0];

// The accepted write that does not affect lookups yet: it waits for the invalidations of earlier cycles.
reg  spec_waits, spec_waits_is, spec_waits_valid, spec_waits_bit, spec_killing;
wire a_written = spec_waits && !spec_killing && spec_waits_is;
always @(posedge clk) begin
    spec_waits   <= !rst && (write_valid && write_ready || spec_waits && spec_killing);
    spec_killing <= !rst && invalidate && invalidate_index[23:`WIDTH_sweep_q] == 0;
    if (write_valid && write_ready) begin
        spec_waits_is    <= write_index == a_stag && a_row_exists;
        spec_waits_valid <= write_entry_valid;
        spec_waits_bit   <= a_bit < `WIDTH_regions && spec_written[a_bit];
    end
end

// Expected state of the STag, for a lookup in this cycle and after this cycle's updates: valid, and the bit of its region.
reg  valid_q, bit_q;
wire valid_now  = !a_killed && valid_q;
wire valid_next = !a_killed && (a_written ? spec_waits_valid : valid_q);
wire bit_next   = a_written ? spec_waits_bit : bit_q;
// Whether the port's latest lookup was for the STag, and its expected result.
reg  looked_up_q, wanted_valid_q, wanted_bit_q;
// The STag was invalidated and not written since; the same at its latest lookup.
reg  dead_q, dead_then_q;
wire dead_now  = a_killed || dead_q;
wire dead_next = a_killed || (dead_q && !a_written);
always @(posedge clk) begin
    valid_q <= valid_next;
    bit_q   <= bit_next;
    dead_q  <= dead_next;
    if (a_enable) begin
        looked_up_q    <= a_lookup;
        wanted_valid_q <= ready && valid_now;
        wanted_bit_q   <= bit_q;
        dead_then_q    <= dead_now;
    end
    if (rst) begin
        valid_q        <= 0;
        dead_q         <= 0;
        looked_up_q    <= 0;
        wanted_valid_q <= 0;
        dead_then_q    <= 0;
    end
end

// property lookup_gives_row: a lookup returns a valid STag's entry as last written: its key, rights, owner, base, length and address
// control lookup_gives_row: written_entry_rights_remote_write_q, written_entry_rights_remote_atomic_q => written_entry_rights_remote_atomic_q, written_entry_rights_remote_write_q
always @* if (started && looked_up_q && wanted_valid_q)
    lookup_gives_row: assert (a_grant && (a_bit >= `WIDTH_regions || a_entry[a_bit] == wanted_bit_q));

// property lookup_finds_only_valid: a lookup of an invalid STag, or of a row not swept yet, returns an invalid entry
// control lookup_finds_only_valid: written_entry[<N>]; => 1'b1;
always @* if (started && looked_up_q && !wanted_valid_q) lookup_finds_only_valid: assert (!a_grant);

// property no_grant_after_kill: once an STag is invalidated, even in the same cycle, no lookup returns it as valid until it is rewritten
// control no_grant_after_kill: ~swept_q | killing_q | write; => ~swept_q | write;
always @* if (started && looked_up_q && dead_then_q) no_grant_after_kill: assert (!a_grant);

// property stays_found: the result of a lookup is stable until the port's next lookup
// control stays_found: if (main_enable) begin main_there_q => if (1'b1) begin main_there_q
always @(posedge clk) if (started && !$past(a_enable) && !$past(rst)) stays_found: assert ($stable(a_entry));

// property nowhere_is_not_valid: an STag beyond the table is never valid
// control nowhere_is_not_valid: main_there_q <= swept_q & => main_there_q <= swept_q |
always @* if (started && looked_up_q && !a_row_exists) nowhere_is_not_valid: assert (!a_grant);

// property write_waits: a write is accepted once every row is swept, unless the previous one waits for an invalidation
// control write_waits: write_taken = swept_q & => write_taken = swept_q |
always @* if (started) write_waits: assert (write_ready == (ready && !(spec_waits && spec_killing)));

// property stays_ready: once ready, the table is ready until the next reset
// control stays_ready: ready = swept_q; => ready = swept_q & ~invalidate;
reg was_ready_q;
always @(posedge clk) was_ready_q <= ready && !rst;
always @* if (started && was_ready_q) stays_ready: assert (ready);

// invariant row_is_kept: a swept row is valid in memory exactly if the STag is, and no row is before all are swept
always @* if (started && a_row_exists && (swept_q || sweep_q > a_row)) begin
    row_is_kept: assert ((valid_rows[a_row] && !(killing_q && killed_row_q == a_row)) == valid_q);
    if (!swept_q) row_is_kept: assert (!valid_rows[a_row]);
end
// invariant region_is_kept: the stored region of a valid STag is as written
wire [`WIDTH_regions-1:0] a_region = regions[a_row];
always @* if (started && valid_q) region_is_kept: assert (a_bit >= `WIDTH_regions || a_region[a_bit] == bit_q);
// invariant nothing_before_ready: no STag is valid before ready, and no STag beyond the table ever
always @* if (started && (!swept_q || !a_row_exists)) nothing_before_ready: assert (!valid_q && !(dead_q && !swept_q));
// invariant dead_is_not_valid: an invalidated STag is not valid, nor was it at its latest lookup
always @* if (started) dead_is_not_valid: assert (!(dead_q && valid_q) && !(dead_then_q && wanted_valid_q));
// invariant nowhere_is_not_there: a lookup beyond the table finds no row
always @* if (started && looked_up_q && !a_row_exists)
    nowhere_is_not_there: assert (!spec_there[a_port]);
// invariant change_is_kept: the registers hold the latest changes
always @* if (started) begin
    change_is_kept: assert (writing_q == spec_waits && killing_q == spec_killing && (!writing_q || swept_q));
    if (writing_q) begin
        change_is_kept: assert (spec_waits_is == (written_index_q == a_stag && a_row_exists));
        if (spec_waits_is) change_is_kept: assert (spec_waits_valid == written_entry_valid_q && (a_bit >= `WIDTH_regions || written_entry[a_bit] == spec_waits_bit));
    end
end
