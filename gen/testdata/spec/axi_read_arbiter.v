// The bursts of both readers go to memory one by one, alternating, and data returns to the side that requested it.
// depth 1
// bound 6

// property one_grant: at most one side's burst is accepted per cycle
// control one_grant: ~chosen_q : ~(atomic_arvalid & atomic_turn_q) => ~chosen_q : 1'b1
// property no_idle: a burst is offered whenever a side has one, and a side's burst is accepted when memory accepts it
// control no_idle: payload_arvalid | atomic_arvalid => payload_arvalid
// property as_it_was: the offered burst is that of the granted side, with the ID of the side
// control as_it_was: atomic ? atomic_araddr : payload_araddr => payload_araddr
// property fair: a waiting side is passed over at most once
// control fair: (atomic_turn_q | ~payload_arvalid) => ~payload_arvalid
// property no_loss: data is accepted from memory exactly when the side of its ID accepts it; atomics always do
// control no_loss: m_axi_rready = payload_rready; => m_axi_rready = payload_rready | for_atomic;
// property no_duplication: data is offered only to the side of its ID, unchanged
// control no_duplication: m_axi_rvalid & ~for_atomic => m_axi_rvalid
// excused handshake_atomic_r: the atomic unit accepts data in every cycle
// invariant chosen_waits: the side whose burst was offered but not accepted still has it
// invariant turn: a side that was passed over is next

wire spec_takes_payload = payload_arvalid & payload_arready;
wire spec_takes_atomic  = atomic_arvalid & atomic_arready;
reg  spec_passed_payload, spec_passed_atomic;
always @(posedge clk) begin
    spec_passed_payload <= ~rst & payload_arvalid & ~spec_takes_payload & (spec_passed_payload | spec_takes_atomic);
    spec_passed_atomic  <= ~rst & atomic_arvalid & ~spec_takes_atomic & (spec_passed_atomic | spec_takes_payload);
end

always @* if (started && !rst) begin
    one_grant: assert (!(spec_takes_payload & spec_takes_atomic));
    no_idle: assert (m_axi_arvalid == (payload_arvalid | atomic_arvalid) &&
        (m_axi_arvalid & m_axi_arready) == (spec_takes_payload | spec_takes_atomic));
    if (m_axi_arvalid) as_it_was: assert ({m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst} == (m_axi_arid ?
        {atomic_araddr, atomic_arlen, atomic_arsize, atomic_arburst} : {payload_araddr, payload_arlen, payload_arsize,
            payload_arburst}));
    if (m_axi_arvalid & m_axi_arready) as_it_was: assert (m_axi_arid == spec_takes_atomic);
    fair: assert (!(spec_passed_payload & spec_takes_atomic) && !(spec_passed_atomic & spec_takes_payload));
    no_loss: assert ((m_axi_rvalid & m_axi_rready) == (payload_rvalid & payload_rready | atomic_rvalid));
    no_duplication: assert (payload_rvalid == (m_axi_rvalid & ~m_axi_rid) &&
        atomic_rvalid == (m_axi_rvalid & m_axi_rid & payload_rready) &&
        `DATA_payload_r == `DATA_m_axi_r && `DATA_atomic_r == `DATA_m_axi_r);
    if (waiting_q) chosen_waits: assert (chosen_q ? atomic_arvalid : payload_arvalid);
    turn: assert (!(spec_passed_payload & (atomic_turn_q | waiting_q & chosen_q)) &&
        !(spec_passed_atomic & (~atomic_turn_q | waiting_q & ~chosen_q)));
end
