// The bursts of three writers go to memory one by one, in turn, each with all of its data and in the order of the addresses.
// Responses return to the side of their ID.
// depth 1
// bound 6

// property no_grant_without_request: a side's burst is accepted only if it is valid
// control no_grant_without_request: address_free & choice[1] => address_free & ~choice[0]
// property one_grant: at most one side's burst and one side's data are accepted per cycle
// control one_grant: address_free & choice[0] => address_free & ~choice[1]
// property no_idle: a waiting burst is accepted when at most one lacks data and the address can leave; its data is accepted from the next cycle on, or once all earlier bursts are complete
// control no_idle: (~address_valid_q | m_axi_awready) => ~address_valid_q
// property together: data is accepted only for the oldest burst that lacks data, and no burst begins while two lack data
// control together: next_q | begun => begun
// property address_as_it_was: an accepted address is offered unchanged until memory accepts it, once, with the ID of its side, that of payload with its top bit
// control address_as_it_was: choice[2] ? {2'd3 => choice[2] ? {2'd2
// property data_as_they_were: an accepted beat is offered unchanged until memory accepts it, once
// control data_as_they_were: far_data_q ? {far_wdata => far_wvalid ? {far_wdata
// property fair: a waiting burst is passed over at most once by each other side
// control fair: choice[1:0], choice[2] => choice[2:0]
// property answers: a response from memory is offered unchanged, only to the side of its ID, until that side accepts it
// control answers: answer_bid_q[1] ? far_bready => answer_bid_q[1] ? atomic_bready
// invariant turn: a side that was passed over is next, or has the turn behind one that was not
// invariant open: the registers record which side's burst lacks data

wire [2:0] spec_valid  = {far_awvalid, atomic_awvalid, payload_awvalid};
wire [2:0] spec_ready  = {far_awready, atomic_awready, payload_awready};
wire [2:0] spec_aw     = spec_valid & spec_ready;
wire       spec_begins = |spec_aw;
wire [2:0] spec_wvalid = {far_wvalid, atomic_wvalid, payload_wvalid};
wire [2:0] spec_wready = {far_wready, atomic_wready, payload_wready};
wire [2:0] spec_w      = spec_wvalid & spec_wready;
wire       spec_moves  = |spec_w;
wire       spec_last   = |(spec_w & {far_wlast, atomic_wlast, payload_wlast});
wire [2:0] spec_bvalid = {far_bvalid, atomic_bvalid, payload_bvalid};
wire [2:0] spec_b      = spec_bvalid & {far_bready, atomic_bready, payload_bready};
reg  [2:0] spec_owner; // whose burst, the oldest one, lacks data
reg  [2:0] spec_next;  // whose burst has begun behind it
reg  [2:0] spec_passed_0, spec_passed_1, spec_passed_2; // sides that have passed over the waiting side
reg  spec_address, spec_data, spec_answer;
reg  [`WIDTH_chosen_address-1:0] spec_address_taken;
reg  [`WIDTH_chosen_beat-1:0] spec_data_taken;
reg  [3:0] spec_answer_taken;
wire [1:0] spec_id = spec_answer_taken[3:2];
always @(posedge clk) begin
    if (rst) {spec_owner, spec_next} <= 0;
    else if (~|spec_owner | spec_last) {spec_owner, spec_next} <= {spec_next | spec_aw, 3'd0};
    else spec_next <= spec_next | spec_aw;
    spec_passed_0 <= rst | ~spec_valid[0] | spec_aw[0] ? 0 : spec_passed_0 | spec_aw;
    spec_passed_1 <= rst | ~spec_valid[1] | spec_aw[1] ? 0 : spec_passed_1 | spec_aw;
    spec_passed_2 <= rst | ~spec_valid[2] | spec_aw[2] ? 0 : spec_passed_2 | spec_aw;
    spec_address <= ~rst & (spec_begins | spec_address & ~m_axi_awready);
    spec_data    <= ~rst & (spec_moves | spec_data & ~m_axi_wready);
    spec_answer  <= ~rst & (m_axi_bvalid & m_axi_bready | spec_answer & ~|spec_b);
    if (spec_begins) spec_address_taken <= spec_aw[2] ? {2'd3, far_awaddr, far_awlen, far_awsize, far_awburst} :
        spec_aw[1] ? {2'd1, atomic_awaddr, atomic_awlen, atomic_awsize, atomic_awburst} : {payload_awid[1], 1'b0, payload_awaddr, payload_awlen, payload_awsize, payload_awburst};
    if (spec_moves)  spec_data_taken    <= spec_w[2] ? `DATA_far_w : spec_w[1] ? `DATA_atomic_w : `DATA_payload_w;
    if (m_axi_bvalid & m_axi_bready) spec_answer_taken <= `DATA_m_axi_b;
end

always @* if (started && !rst) begin
    no_grant_without_request: assert (!(spec_ready & ~spec_valid));
    one_grant: assert (spec_ready[0] + spec_ready[1] + spec_ready[2] <= 2'd1 && spec_wready[0] + spec_wready[1] + spec_wready[2] <= 2'd1);
    if (|spec_valid & ~|spec_next & (~m_axi_awvalid | m_axi_awready)) no_idle: assert (spec_begins);
    if ((~m_axi_wvalid | m_axi_wready) & |(spec_owner & spec_wvalid)) no_idle: assert (spec_moves);
    if (spec_begins) together: assert (!spec_next && (!spec_address | m_axi_awready));
    if (spec_moves) together: assert (spec_w == spec_owner && (!spec_data | m_axi_wready));
    address_as_it_was: assert (m_axi_awvalid == spec_address && (!spec_address || `DATA_m_axi_aw == spec_address_taken));
    data_as_they_were: assert (m_axi_wvalid == spec_data && (!spec_data || `DATA_m_axi_w == spec_data_taken));
    fair: assert (!(spec_passed_0 & spec_aw) && !(spec_passed_1 & spec_aw) && !(spec_passed_2 & spec_aw));
    answers: assert (spec_bvalid == (!spec_answer ? 3'd0 : !spec_id[0] ? 3'd1 : spec_id[1] ? 3'd4 : 3'd2) &&
        (!spec_answer || `DATA_payload_b == spec_answer_taken && `DATA_atomic_b == spec_answer_taken[2:0] && `DATA_far_b == spec_answer_taken[2:0]) &&
        !(m_axi_bvalid & m_axi_bready & spec_answer & ~|spec_b));
    turn: assert (turn_q == 3'd1 || turn_q == 3'd2 || turn_q == 3'd4);
    turn: assert (!spec_passed_0[0] && !spec_passed_1[1] && !spec_passed_2[2]);
    turn: assert (!spec_passed_0 || turn_q == 3'd1 || turn_q == 3'd4 && !spec_passed_0[2]);
    turn: assert (!spec_passed_1 || turn_q == 3'd2 || turn_q == 3'd1 && !spec_passed_1[0]);
    turn: assert (!spec_passed_2 || turn_q == 3'd4 || turn_q == 3'd2 && !spec_passed_2[1]);
    open: assert (owner_q == spec_owner && next_q == spec_next && (!spec_owner || far_data_q == spec_owner[2] && atomic_data_q == spec_owner[1]) &&
        (!spec_next || spec_owner) && spec_owner != 3'd3 && spec_owner != 3'd5 && spec_owner != 3'd6 && spec_owner != 3'd7 &&
        spec_next != 3'd3 && spec_next != 3'd5 && spec_next != 3'd6 && spec_next != 3'd7);
end
