// The bursts of both writers go to memory one by one, alternating, each with all of its data and in the order of the addresses.
// Responses return to the side of their ID.
// depth 1
// bound 6

// property no_grant_without_request: a side's burst is accepted only if it is valid
// control no_grant_without_request: address_free & atomic_choice => address_free
// property one_grant: at most one side's burst and one side's data are accepted per cycle
// control one_grant: address_free & ~atomic_choice => address_free
// property no_idle: a waiting burst is accepted when at most one lacks data and the address can leave; its data is accepted from the next cycle on, or once all earlier bursts are complete
// control no_idle: ~next_q & (~address_valid_q | m_axi_awready) => ~next_q & ~address_valid_q
// property together: data is accepted only for the oldest burst that lacks data, and no burst begins while two lack data
// control together: next_q ? next_atomic_q : => 1'b0 ? next_atomic_q :
// property address_as_it_was: an accepted address is offered unchanged until memory accepts it, once
// control address_as_it_was: atomic_choice ? {atomic_awid => atomic_turn_q ? {atomic_awid
// property data_as_they_were: an accepted beat is offered unchanged until memory accepts it, once
// control data_as_they_were: payload_data_q ? {payload_wdata => payload_wvalid ? {payload_wdata
// property fair: a waiting burst is passed over at most once
// control fair: (atomic_turn_q | ~payload_awvalid) => ~payload_awvalid
// property answers: a response from memory is offered unchanged, only to the side of its ID, until that side accepts it
// control answers: answer_is_atomic ? atomic_bready : payload_bready => payload_bready
// invariant turn: a side that was passed over is next
// invariant open: the registers record which side's burst lacks data

wire spec_aw_payload = payload_awvalid & payload_awready;
wire spec_aw_atomic  = atomic_awvalid & atomic_awready;
wire spec_begins     = spec_aw_payload | spec_aw_atomic;
wire spec_w_payload  = payload_wvalid & payload_wready;
wire spec_w_atomic   = atomic_wvalid & atomic_wready;
wire spec_moves      = spec_w_payload | spec_w_atomic;
wire spec_last       = spec_w_payload & payload_wlast | spec_w_atomic & atomic_wlast;
reg  spec_open, spec_owner; // a burst lacks data, and the oldest of these belongs to atomics
reg  spec_next, spec_next_owner; // another one has begun
reg  spec_passed_payload, spec_passed_atomic;
reg  spec_address, spec_data, spec_answer;
reg  [`WIDTH_chosen_address-1:0] spec_address_taken;
reg  [`WIDTH_chosen_beat-1:0] spec_data_taken;
reg  [2:0] spec_answer_taken;
always @(posedge clk) begin
    spec_open <= ~rst & (spec_begins | spec_next | spec_open & ~spec_last);
    spec_next <= ~rst & (spec_begins | spec_next) & spec_open & ~spec_last;
    if (~spec_open | spec_last) spec_owner <= spec_next ? spec_next_owner : spec_aw_atomic;
    if (spec_begins) spec_next_owner <= spec_aw_atomic;
    spec_passed_payload <= ~rst & payload_awvalid & ~spec_aw_payload & (spec_passed_payload | spec_aw_atomic);
    spec_passed_atomic  <= ~rst & atomic_awvalid & ~spec_aw_atomic & (spec_passed_atomic | spec_aw_payload);
    spec_address <= ~rst & (spec_begins | spec_address & ~m_axi_awready);
    spec_data    <= ~rst & (spec_moves | spec_data & ~m_axi_wready);
    spec_answer  <= ~rst & (m_axi_bvalid & m_axi_bready |
        spec_answer & ~(payload_bvalid & payload_bready | atomic_bvalid & atomic_bready));
    if (spec_begins) spec_address_taken <= spec_aw_atomic ? `DATA_atomic_aw : `DATA_payload_aw;
    if (spec_moves)  spec_data_taken    <= spec_w_atomic ? `DATA_atomic_w : `DATA_payload_w;
    if (m_axi_bvalid & m_axi_bready) spec_answer_taken <= `DATA_m_axi_b;
end

always @* if (started && !rst) begin
    if (atomic_awready) no_grant_without_request: assert (atomic_awvalid);
    one_grant: assert (!(payload_awready & atomic_awready) && !(payload_wready & atomic_wready));
    if ((payload_awvalid | atomic_awvalid) & ~spec_next & (~m_axi_awvalid | m_axi_awready)) no_idle: assert (spec_begins);
    if ((~m_axi_wvalid | m_axi_wready) & spec_open & (spec_owner ? atomic_wvalid : payload_wvalid)) no_idle: assert (spec_moves);
    if (spec_begins) together: assert (!spec_next && (!spec_address | m_axi_awready));
    if (spec_moves) together: assert (spec_open && spec_w_atomic == spec_owner && (!spec_data | m_axi_wready));
    address_as_it_was: assert (m_axi_awvalid == spec_address && (!spec_address || `DATA_m_axi_aw == spec_address_taken));
    data_as_they_were: assert (m_axi_wvalid == spec_data && (!spec_data || `DATA_m_axi_w == spec_data_taken));
    fair: assert (!(spec_passed_payload & spec_aw_atomic) && !(spec_passed_atomic & spec_aw_payload));
    answers: assert (payload_bvalid == (spec_answer & ~spec_answer_taken[2]) &&
        atomic_bvalid == (spec_answer & spec_answer_taken[2]) &&
        (!spec_answer || `DATA_payload_b == spec_answer_taken && `DATA_atomic_b == spec_answer_taken) &&
        !(m_axi_bvalid & m_axi_bready & spec_answer & ~(payload_bvalid & payload_bready | atomic_bvalid & atomic_bready)));
    turn: assert (!(spec_passed_payload & atomic_turn_q) && !(spec_passed_atomic & ~atomic_turn_q));
    open: assert (open_q == spec_open && next_q == spec_next && (!open_q || atomic_owner_q == spec_owner && payload_data_q == !spec_owner) &&
        (!next_q || open_q && next_atomic_q == spec_next_owner));
end
