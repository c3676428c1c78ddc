// The bursts of both readers go to memory one by one, alternating, and data returns to the side that requested it.
// depth 1
// bound 6

// property one_grant: at most one side's burst is accepted per cycle
// control one_grant: ~chosen_q : ~(far_arvalid & far_side_turn_q) => ~chosen_q : 1'b1
// property no_idle: a burst is offered whenever a side has one, and a side's burst is accepted when memory accepts it
// control no_idle: near_arvalid | far_arvalid => near_arvalid
// property as_it_was: the offered burst is that of the granted side, with the ID of the side
// control as_it_was: {far_arid, far_araddr, => {far_arid, near_araddr,
// property fair: a waiting side is passed over at most once
// control fair: (far_side_turn_q | ~near_arvalid) => ~near_arvalid
// property no_loss: data is accepted from memory exactly when the side of its ID accepts it; that of far memory always does
// control no_loss: m_axi_rready = near_rready; => m_axi_rready = near_rready | for_far_side;
// property no_duplication: data is offered only to the side of its ID, unchanged
// control no_duplication: m_axi_rvalid & ~for_far_side => m_axi_rvalid
// excused handshake_far_r: the reader of far memory accepts data in every cycle
// invariant chosen_waits: the side whose burst was offered but not accepted still has it
// invariant turn: a side that was passed over is next

wire spec_takes_near = near_arvalid & near_arready;
wire spec_takes_far  = far_arvalid & far_arready;
reg  spec_passed_near, spec_passed_far;
always @(posedge clk) begin
    spec_passed_near <= ~rst & near_arvalid & ~spec_takes_near & (spec_passed_near | spec_takes_far);
    spec_passed_far  <= ~rst & far_arvalid & ~spec_takes_far & (spec_passed_far | spec_takes_near);
end

always @* if (started && !rst) begin
    one_grant: assert (!(spec_takes_near & spec_takes_far));
    no_idle: assert (m_axi_arvalid == (near_arvalid | far_arvalid) &&
        (m_axi_arvalid & m_axi_arready) == (spec_takes_near | spec_takes_far));
    if (m_axi_arvalid) as_it_was: assert ({m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst} == (m_axi_arid[1] ?
        {far_araddr, far_arlen, far_arsize, far_arburst} : {near_araddr, near_arlen, near_arsize,
            near_arburst}));
    if (m_axi_arvalid & m_axi_arready) as_it_was: assert (m_axi_arid == {spec_takes_far, spec_takes_far ? far_arid : near_arid});
    fair: assert (!(spec_passed_near & spec_takes_far) && !(spec_passed_far & spec_takes_near));
    no_loss: assert ((m_axi_rvalid & m_axi_rready) == (near_rvalid & near_rready | far_rvalid));
    no_duplication: assert (near_rvalid == (m_axi_rvalid & ~m_axi_rid[1]) &&
        far_rvalid == (m_axi_rvalid & m_axi_rid[1] & near_rready) && near_rid == m_axi_rid[0] && far_rid == m_axi_rid[0] &&
        {near_rdata, near_rresp, near_rlast} == {m_axi_rdata, m_axi_rresp, m_axi_rlast} &&
        {far_rdata, far_rresp, far_rlast} == {m_axi_rdata, m_axi_rresp, m_axi_rlast});
    if (waiting_q) chosen_waits: assert (chosen_q ? far_arvalid : near_arvalid);
    turn: assert (!(spec_passed_near & (far_side_turn_q | waiting_q & chosen_q)) &&
        !(spec_passed_far & (~far_side_turn_q | waiting_q & ~chosen_q)));
end
