// The bursts read what was asked for, in order, and never more than there is room for.
// depth 1
// bound 8

// property once: a request is announced when it is taken, and only then
// control once: assign fetch_ready = next & coming_ready => assign fetch_ready = next
// property announced: what comes is described as it is: beats of memory, what of the first and last is meant, and how they become beats of the segment
// control announced: late = fetch_lead < offset => late = fetch_lead <= offset
// property in_order: a burst begins where the one before it ended, the first one in the beat of the first octet
// control in_order: beat_address_q + { => beat_address_q - {
// property complete: the last burst ends with the beat of the last octet
// control complete: left_q <= memory_beats => left_q <= segment_beats
// property no_duplication: nothing is read beyond the beat of the last octet, nor of a request that was not taken
// control no_duplication: valid_q <= ~last_burst => valid_q <= 1'b1
// property boundary: no burst crosses 4 KiB, and each has full beats to rising addresses (AXI4 section A3.4.1)
// control boundary: wire last_burst = { => wire last_burst = 1'b1 | {
// property room: no more beats are under way to the payload buffer than it has places, and the other places are counted
// control room: {<N>{issue & ~issued_q}} => {<N>{issue & issued_q}}
// assume asked: tx_engine, which asks for a payload only if there is one, and read_responder and request_segments, whose segments have at most MaxPayload octets
// assume reserved: tx_engine, whose payload buffer has only beats that were read
// invariant registers: they hold what is left

localparam SPEC_PLACE = `WIDTH_fetch_lead; // address bits in a beat
localparam SPEC_BUS = 1 << SPEC_PLACE;
localparam SPEC_MOST = 1 << `WIDTH_payload_length - 1; // octets of payload
localparam SPEC_ROOM = 1 << `WIDTH_room_q - 1;
wire spec_takes = fetch_valid & fetch_ready;
wire spec_goes  = m_axi_arvalid & m_axi_arready;
wire [15:0] spec_offset = fetch_address[SPEC_PLACE-1:0];
wire [15:0] spec_memory = (spec_offset + fetch_length + SPEC_BUS - 1) >> SPEC_PLACE; // beats
wire [15:0] spec_segment = (fetch_lead + fetch_length + SPEC_BUS - 1) >> SPEC_PLACE;

reg  spec_busy, spec_begun;
reg  [63-SPEC_PLACE:0] spec_at; // next beat to be read
reg  [15:0] spec_left, spec_needs, spec_used; // beats: to be read, of the segment, under way to the buffer or in it
wire [8:0] spec_burst = m_axi_arlen + 1;
wire spec_ends = spec_left == spec_burst;
always @(posedge clk) begin
    if (spec_takes) {spec_at, spec_left, spec_needs, spec_begun} <= {fetch_address[63:SPEC_PLACE], spec_memory, spec_segment,
        1'b0};
    else if (spec_goes) {spec_at, spec_left, spec_begun} <= {spec_at + spec_burst, spec_left - spec_burst, 1'b1};
    spec_busy <= ~rst & (spec_takes | spec_busy & ~(spec_goes & spec_ends));
    spec_used <= rst ? 0 : spec_used + (spec_goes & ~spec_begun ? spec_needs : 0) - freed;
end

always @* if (fetch_valid) asked: assume (fetch_length != 0 && fetch_length <= SPEC_MOST);
always @* if (freed) reserved: assume (spec_used != 0);
always @* if (started && !rst) begin
    once: assert (spec_takes == (coming_valid & coming_ready));
    if (coming_valid) announced: assert (fetch_valid && coming_beats == spec_memory && coming_offset == spec_offset &&
        coming_ends == ((spec_offset + fetch_length) & (SPEC_BUS - 1)) &&
            coming_turn == ((fetch_lead - spec_offset) & (SPEC_BUS - 1)) &&
        coming_late == (fetch_lead < spec_offset) && spec_segment == spec_memory - coming_late + coming_spill);
    if (m_axi_arvalid) begin
        in_order: assert (m_axi_araddr == {spec_at, {SPEC_PLACE{1'b0}}});
        no_duplication: assert (spec_busy && spec_burst <= spec_left);
        boundary: assert (m_axi_araddr[11:0] + (spec_burst << SPEC_PLACE) <= 4096 && m_axi_arsize == SPEC_PLACE &&
            m_axi_arburst == 2'd1);
        room: assert (spec_used + (spec_begun ? 0 : spec_needs) <= SPEC_ROOM);
    end
    if (spec_takes) complete: assert (!spec_busy || spec_goes && spec_ends);
    room: assert (spec_used <= SPEC_ROOM && room_q == SPEC_ROOM - spec_used);
    registers: assert (valid_q == spec_busy && (!spec_busy || issued_q == spec_begun &&
        beat_address_q == spec_at && left_q == spec_left && spec_left != 0 && needed_q == spec_needs));
end
