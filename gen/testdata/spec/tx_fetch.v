// The bursts read the requested octets, in order, and never more than there is room for.
// depth 1
// bound 8

// property once: each request is announced once, in order, when its reads begin; two can wait
// control once: coming_valid = read_valid & next => coming_valid = read_valid
// control once: request_room_q <= ~request_keeps => request_room_q <= 1'b1
// property announced: an announcement gives the number of beats of memory, the octets used of the first and last, and how they become beats of the segment
// control announced: late = fetch_lead < offset => late = fetch_lead <= offset
// property in_order: a burst begins where the previous one ended, the first one at the beat of the first octet
// control in_order: beat_address_q[<N>:<N>] + => beat_address_q[<N>:<N>] -
// property complete: the last burst ends with the beat of the last octet
// control complete: fits = behind <= => fits = behind >=
// property no_duplication: nothing is read beyond the beat of the last octet, nor without a request
// control no_duplication: valid_q <= take => valid_q <= read_valid
// property boundary: no burst crosses a 4 KiB boundary, and each is an incrementing burst of full beats (AXI4 section A3.4.1)
// control boundary: length_q <= fits ? => length_q <= 1'b1 ?
// property room: the beats in the payload buffer or on their way to it do not exceed its capacity, and room_q is the number of free places
// control room: {<N>{take}} => {<N>{take & ~last_q}}
// assume asked: tx_engine, which requests payload only for a segment that has some, and tx_turns, whose segments have at most MaxPayload octets
// assume reserved: tx_engine, whose payload buffer frees only beats that were read
// invariant registers: they hold the beats left to be read, and the waiting requests

localparam SPEC_PLACE = `WIDTH_fetch_lead; // address bits in a beat
localparam SPEC_BUS = 1 << SPEC_PLACE;
localparam SPEC_MOST = 1 << `WIDTH_payload_length - 1; // octets of payload
localparam SPEC_ROOM = 1 << `WIDTH_room_q - 1;
wire spec_asks  = fetch_valid & fetch_ready;
wire spec_takes = coming_valid & coming_ready;
wire spec_goes  = m_axi_arvalid & m_axi_arready;

// Waiting requests: at most two.
reg  [1:0] spec_waiting;
reg  [79+SPEC_PLACE:0] spec_oldest, spec_newest;
wire [79+SPEC_PLACE:0] spec_request = {fetch_address, fetch_length, fetch_lead};
always @(posedge clk) begin
    spec_waiting <= rst ? 2'd0 : spec_waiting + spec_asks - spec_takes;
    if (spec_takes) spec_oldest <= spec_newest;
    if (spec_asks) spec_newest <= spec_request;
    if (spec_asks && spec_waiting == spec_takes) spec_oldest <= spec_request;
end
wire [63:0] spec_address;
wire [15:0] spec_length;
wire [SPEC_PLACE-1:0] spec_lead;
assign {spec_address, spec_length, spec_lead} = spec_oldest;
wire [15:0] spec_offset = spec_address[SPEC_PLACE-1:0];
wire [15:0] spec_memory = (spec_offset + spec_length + SPEC_BUS - 1) >> SPEC_PLACE; // beats
wire [15:0] spec_segment = (spec_lead + spec_length + SPEC_BUS - 1) >> SPEC_PLACE;
// The newest request, as kept.
wire [63:0] spec_kept_address;
wire [15:0] spec_kept_length;
wire [SPEC_PLACE-1:0] spec_kept_lead;
assign {spec_kept_address, spec_kept_length, spec_kept_lead} = spec_newest;
wire [15:0] spec_kept_offset = spec_kept_address[SPEC_PLACE-1:0];
wire [15:0] spec_kept_memory = (spec_kept_offset + spec_kept_length + SPEC_BUS - 1) >> SPEC_PLACE;
wire [15:0] spec_kept_segment = (spec_kept_lead + spec_kept_length + SPEC_BUS - 1) >> SPEC_PLACE;
wire spec_kept_late = spec_kept_lead < spec_kept_offset;

reg  spec_busy;
reg  [63-SPEC_PLACE:0] spec_at; // next beat to be read
reg  [15:0] spec_left, spec_used; // beats: still to be read; in the buffer or on their way to it
wire [8:0] spec_burst = m_axi_arlen + 1;
wire spec_ends = spec_left == spec_burst;
always @(posedge clk) begin
    if (spec_takes) {spec_at, spec_left} <= {spec_address[63:SPEC_PLACE], spec_memory};
    else if (spec_goes) {spec_at, spec_left} <= {spec_at + spec_burst, spec_left - spec_burst};
    spec_busy <= ~rst & (spec_takes | spec_busy & ~(spec_goes & spec_ends));
    spec_used <= rst ? 0 : spec_used + (spec_takes ? spec_segment : 0) - freed;
end

always @* if (fetch_valid) asked: assume (fetch_length != 0 && fetch_length <= SPEC_MOST);
always @* if (freed) reserved: assume (spec_used != 0);
always @* if (started && !rst) begin
    once: assert (spec_takes == take && fetch_ready == (spec_waiting < 2) && spec_waiting <= 2 && read_valid == |spec_waiting);
    if (coming_valid) once: assert (|spec_waiting && spec_segment <= SPEC_ROOM - spec_used);
    if (read_valid) announced: assert (coming_behind + 1 == spec_memory && coming_lead == spec_lead &&
        coming_ends == ((spec_lead + spec_length) & (SPEC_BUS - 1)) && coming_turn == ((spec_lead - spec_offset) & (SPEC_BUS - 1)) &&
        coming_late == (spec_lead < spec_offset) && spec_segment == spec_memory - coming_late + coming_spill);
    if (m_axi_arvalid) begin
        in_order: assert (m_axi_araddr == {spec_at, {SPEC_PLACE{1'b0}}});
        no_duplication: assert (spec_busy && spec_burst <= spec_left);
        boundary: assert (m_axi_araddr[11:0] + (spec_burst << SPEC_PLACE) <= 4096 && m_axi_arsize == SPEC_PLACE &&
            m_axi_arburst == 2'd1);
        complete: assert (last_q == spec_ends);
    end
    if (spec_takes) complete: assert (!spec_busy || spec_goes && spec_ends);
    room: assert (spec_used <= SPEC_ROOM && room_q == SPEC_ROOM - spec_used);
    registers: assert (valid_q == spec_busy);
    if (spec_busy) registers: assert (beat_address_q == spec_at && spec_left != 0 && spec_left <= SPEC_MOST / SPEC_BUS + 1 &&
        (last_q ? spec_burst == spec_left : left_q == spec_left - spec_burst - 1 &&
            ((spec_at + spec_burst) & (4096 / SPEC_BUS > 256 ? 255 : 4096 / SPEC_BUS - 1)) == 0));
    if (|spec_waiting) registers: assert (spec_length != 0 && spec_length <= SPEC_MOST && read_beat == spec_address[63:SPEC_PLACE] &&
        read_segment + 1 == spec_segment);
    registers: assert (request_keeps_q == spec_waiting[1] && (spec_waiting != 2'd1 || spec_oldest == spec_newest));
    if (request_keeps_q) registers: assert (spec_kept_length != 0 && spec_kept_length <= SPEC_MOST &&
        request_kept_beat_q == spec_kept_address[63:SPEC_PLACE] && request_kept_segment_q + 1 == spec_kept_segment &&
        request_kept_coming_behind_q + 1 == spec_kept_memory && request_kept_coming_lead_q == spec_kept_lead &&
        request_kept_coming_ends_q == ((spec_kept_lead + spec_kept_length) & (SPEC_BUS - 1)) &&
        request_kept_coming_turn_q == ((spec_kept_lead - spec_kept_offset) & (SPEC_BUS - 1)) &&
        request_kept_coming_late_q == spec_kept_late && spec_kept_segment == spec_kept_memory - spec_kept_late + request_kept_coming_spill_q);
end
