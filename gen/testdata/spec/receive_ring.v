// Each receive request is stored in its slot, in order, or refused if the ring is full, and no unused request is lost (RFC 5041
// section 4.3). The properties watch an arbitrary stream and slot.
// depth 1
// bound 14

// property no_loss: an accepted request is stored or refused, once, unchanged
// control no_loss: store = held_valid_q & ~full => store = held_valid_q & ~full & ~consumed
// property no_overflow: a request is stored only if the ring of its stream is not full
// control no_overflow: store = held_valid_q & ~full => store = held_valid_q
// property no_idle: a request is refused only if the ring of its stream is full
// control no_idle: used_is_new_q <= write_used_counts & => used_is_new_q <= write_used_counts & ~write_used_counts &
// property in_order: request number n since the stream's opening is stored in slot n modulo the depth
// control in_order: posted_before_is_new_q <= write_posted_counts & => posted_before_is_new_q <= ~write_posted_counts &
// property as_it_was: a slot reads as the request last stored in it
// control as_it_was: entry_is_new_q <= store & => entry_is_new_q <= ~store &
// property posted_count: posted reads as the number stored since the opening, including a request stored in the cycle of the read
// control posted_count: posted_is_new_q <= write_posted_counts & => posted_is_new_q <= ~write_posted_counts &
// property told: each refusal is reported once, for its stream
// control told: opening_valid & ~refused_valid_q => opening_valid
// property waits: an opening waits until the accepted request is stored or refused
// control waits: opens = swept_q & opening_valid & ~held_valid_q & ~consumed => opens = swept_q & opening_valid & ~consumed
// property stays_read: the output is stable until the next read
// control stays_read: entry_q = entry_is_new_q ? => entry_q = entry_is_new_q & enable ?
// assume used_were_posted: rx_check, which uses a request only after reading that it is posted
// invariant remembered: the memories hold the counts and the entry
// invariant looked_up: the registers hold the values read

localparam SPEC_DEPTH = 1 << `WIDTH_posted - 1;
(* anyconst *) wire [`WIDTH_stream-1:0] spec_stream;
(* anyconst *) wire [`WIDTH_slot-1:0] spec_slot;
wire spec_opens = opening_valid & opening_ready & opening_stream == spec_stream;
wire spec_uses  = swept_q & consumed & consumed_stream == spec_stream;
wire spec_keeps = store & held_stream_q == spec_stream;
wire spec_here  = posted_before[`WIDTH_slot-1:0] == spec_slot;
reg  [`WIDTH_posted-1:0] spec_posted, spec_used; // of the stream, since the opening, modulo twice the ring
wire [`WIDTH_posted-1:0] spec_waiting = spec_posted - spec_used;
wire [`WIDTH_posted-1:0] spec_uses_up = consumed_count - spec_used;
reg  spec_has; // the slot has an entry
reg  [`WIDTH_entry-1:0] spec_entry;
reg  spec_held, spec_reads;
reg  [1:0] spec_refusals; // waiting
reg  [`WIDTH_stream-1:0] spec_held_stream, spec_oldest, spec_newest; // of the waiting refusals
reg  [`WIDTH_entry-1:0] spec_held_entry;
always @(posedge clk) begin
    if (rst | spec_opens) {spec_posted, spec_used} <= 0;
    else begin
        if (spec_keeps) spec_posted <= spec_posted + 1'b1;
        if (spec_uses) spec_used <= consumed_count;
    end
    if (spec_keeps & spec_here) spec_entry <= spec_held_entry;
    spec_has <= ~rst & (spec_has | spec_keeps & spec_here);
    if (rqe_valid & rqe_ready) {spec_held_stream, spec_held_entry} <=
        {rqe_stream, rqe_id, rqe_stag, rqe_to, rqe_length};
    spec_held  <= ~rst & (rqe_valid & rqe_ready | spec_held & ~(store | refuses));
    spec_reads <= ~rst & swept_q & enable & stream == spec_stream;
    spec_refusals <= rst ? 2'd0 : spec_refusals + refuses - (refused_valid & refused_ready);
    if (refused_valid & refused_ready) spec_oldest <= spec_newest;
    if (refuses) spec_newest <= spec_held_stream;
    if (refuses && spec_refusals == (refused_valid & refused_ready)) spec_oldest <= spec_held_stream;
end
reg [`WIDTH_slot-1:0] spec_read_slot;
always @(posedge clk) spec_read_slot <= slot;

always @* if (spec_uses) used_were_posted: assume (spec_uses_up <= spec_waiting);
always @* if (started && !rst) begin
    if (rqe_valid & rqe_ready) no_loss: assert (!spec_held || store || refuses);
    if (store | refuses) no_loss: assert (spec_held && !(store & refuses) && held_stream_q == spec_held_stream && (refuses ||
        stored_entry == spec_held_entry));
    if (spec_held) no_loss: assert (store | refuses);
    if (spec_keeps) no_overflow: assert (spec_waiting < SPEC_DEPTH);
    if (refuses && held_stream_q == spec_stream) no_idle: assert (spec_waiting == SPEC_DEPTH);
    if (spec_keeps) in_order: assert (ring_write_addr == {spec_stream, spec_posted[`WIDTH_slot-1:0]});
    if (spec_reads && spec_has && spec_read_slot == spec_slot) as_it_was: assert (entry == spec_entry);
    if (spec_reads) posted_count: assert (posted == spec_posted);
    told: assert (refused_valid == |spec_refusals && (!refused_valid || refused_stream == spec_oldest && refused_kind == 2'd3));
    told: assert (spec_refusals != 2'd3 && !(spec_refusals == 2'd2 && spec_held));
    looked_up: assert (another_refused_q == spec_refusals[1] && (spec_refusals == 2'd0 || next_refused_stream_q == spec_newest) &&
        (spec_refusals != 2'd1 || spec_oldest == spec_newest));
    if (opening_valid & opening_ready) waits: assert (!spec_held && !consumed);
    remembered: assert (spec_waiting <= SPEC_DEPTH && (swept_q || spec_posted == 0 && spec_used == 0 && !spec_held && !spec_has));
    if (swept_q || sweep_q > spec_stream) remembered: assert (posted_counts[spec_stream] == spec_posted &&
        used_counts[spec_stream] == spec_used);
    if (spec_has) remembered: assert (ring[{spec_stream, spec_slot}] == spec_entry);
    looked_up: assert (held_valid_q == spec_held && (!spec_held || held_stream_q == spec_held_stream &&
        stored_entry == spec_held_entry));
    if (spec_held && spec_held_stream == spec_stream) looked_up: assert (posted_before == spec_posted && used == spec_used);
end
always @(posedge clk) if (started && !$past(enable) && !$past(rst)) stays_read: assert ($stable({entry, posted}));
