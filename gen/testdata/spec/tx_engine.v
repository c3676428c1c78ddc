// A command goes to the fetcher, if it has payload, and to the builder, in order. The contents of segments are checked by tests, the
// reads for them are proven in tx_fetch.
// depth 1
// bound 18

// property in_order: a command goes directly to the builder only when no other waits, and in that cycle
// control in_order: = straight_ready & ~(segments_valid_q | ~segments_empty_q) => = straight_ready
// property once: an accepted command is either stored or goes directly to the builder
// control once: stored_valid            = taken & ~passes => stored_valid            = taken
// property fetched: the payload of a command is requested in the cycle in which the command is accepted, with its address and length
// control fetched: = command_valid & has_room & carries; => = command_valid & carries;
// property bounded_ahead: no command is accepted if enough beats waited, two cycles ago, to hide the latency of memory, unless its fetch was on offer
// control bounded_ahead: has_room = stored_ready & accepts_q => has_room = stored_ready & running
// invariant beats: whether commands are accepted is known a cycle ahead

wire spec_takes = command_valid & command_ready;
wire spec_runs; // the memory of streams, of a form that has one, is swept
generate if (`HAS_running) assign spec_runs = running; else assign spec_runs = 1'b1; endgenerate
reg  spec_running, spec_few;
always @(posedge clk) spec_running <= ~rst & spec_runs;
always @(posedge clk) spec_few <= fetch_valid & ~fetch_ready | beats_q < 176 + 2 * (`MAX_PAYLOAD / `BUS_BYTES + 1);
always @* if (started && !rst) begin
    if (straight_valid) in_order: assert (spec_takes && straight_ready && !waiting_valid && segments_empty_q);
    if (spec_takes) once: assert (stored_valid != (straight_valid & straight_ready));
    if (straight_valid | stored_valid) once: assert (spec_takes);
    if (spec_takes) bounded_ahead: assert (spec_few);
    if (spec_running) beats: assert (spec_runs);
    if (accepts_q) beats: assert (spec_running && spec_few);
    if (fetch_valid & fetch_ready) fetched: assert (spec_takes && command_payload_length != 0 && fetch_address == command_address && fetch_length == command_payload_length);
end
