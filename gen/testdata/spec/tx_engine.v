// A command goes to the fetcher, if it has payload, and to the builder, in order. What a segment is made of is compared in tests, what is
// read for it is proven of tx_fetch.
// depth 1
// bound 8

// property in_order: a command goes straight to the builder only when no other waits
// control in_order: straight     = segment_ready & ~waiting_valid => straight     = segment_ready
// property once: a command that is taken is stored or goes to the builder
// control once: stored_valid          = taken & ~straight => stored_valid          = taken
// property fetched: the payload of a command is asked for in the cycle in which the command is taken, with its address and length
// control fetched: fetch_valid   = command_valid & has_room & (|command_payload_length) => fetch_valid   = command_valid & (|command_payload_length)
// property bounded_ahead: no command is taken when as many beats wait as hide the latency of memory
// control bounded_ahead: has_room = stored_ready & accepts_q => has_room = stored_ready & running
// invariant beats: whether commands are accepted is known a cycle ahead

wire spec_takes = command_valid & command_ready;
reg  spec_running;
always @(posedge clk) spec_running <= ~rst & running;
always @* if (started && !rst) begin
    if (segment_valid & segment_ready & ~waiting_valid) in_order: assert (spec_takes && !stored_valid);
    if (spec_takes & waiting_valid) in_order: assert (stored_valid);
    if (spec_takes) once: assert (stored_valid != (segment_valid & segment_ready & ~waiting_valid));
    if (spec_takes) bounded_ahead: assert (beats_q < 176 + 2 * (`MAX_PAYLOAD / `BUS_BYTES + 1));
    beats: assert (accepts_q == (spec_running && beats_q < 176 + 2 * (`MAX_PAYLOAD / `BUS_BYTES + 1)));
    if (fetch_valid & fetch_ready) fetched: assert (spec_takes && command_payload_length != 0 && fetch_address == command_address && fetch_length == command_payload_length);
end
