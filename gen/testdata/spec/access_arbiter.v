// Each access goes to exactly one grant, the streams' atomics and the host's accesses in turn.
// depth 1
// bound 6

// property no_grant_without_request: a side's access is taken only when it has one
// twin no_grant_without_request: access_ready & host; => access_ready;
// property one_grant: not more than one side's access is taken in a clock
// twin one_grant: access_ready & ~host => access_ready
// property no_idle: an access is on offer whenever a side has one, and one is taken when it is
// twin no_idle: atomic_valid | host_valid => atomic_valid
// property as_it_was: what is on offer is the access of the side that is granted, and says whose it is
// twin as_it_was: host ? host_index : atomic_index => atomic_index
// property fair: a side that waits is passed over at most once
// twin fair: (host_turn_q | ~atomic_valid) => ~atomic_valid
// invariant chosen_waits: the side whose offer was not taken still has its access
// invariant turn: a side that was passed over has its turn next

wire spec_takes_atomic = atomic_valid & atomic_ready;
wire spec_takes_host   = host_valid & host_ready;
reg  spec_passed_atomic, spec_passed_host;
always @(posedge clk) begin
    spec_passed_atomic <= ~rst & atomic_valid & ~spec_takes_atomic & (spec_passed_atomic | spec_takes_host);
    spec_passed_host   <= ~rst & host_valid & ~spec_takes_host & (spec_passed_host | spec_takes_atomic);
end

always @* if (started && !rst) begin
    if (host_ready) no_grant_without_request: assert (host_valid);
    if (atomic_ready & access_valid) no_grant_without_request: assert (atomic_valid);
    one_grant: assert (!(atomic_ready & host_ready));
    no_idle: assert (access_valid == (atomic_valid | host_valid) &&
        (access_valid & access_ready) == (spec_takes_atomic | spec_takes_host));
    if (access_valid) as_it_was: assert (access_host ? host_valid && {access_index, access_opcode, access_data,
            access_stream, access_msn, access_identifier, access_mask, access_compare, access_compare_mask} ==
            {host_index, 3'd0, host_write, host_data, {(`WIDTH_access_stream + 256){1'b0}}} :
        atomic_valid && {access_stream, access_msn, access_identifier, access_index, access_opcode, access_data,
            access_mask, access_compare, access_compare_mask} == {atomic_stream, atomic_msn, atomic_identifier,
            atomic_index, atomic_opcode, atomic_data, atomic_mask, atomic_compare, atomic_compare_mask});
    if (access_valid & access_ready) as_it_was: assert (access_host == spec_takes_host);
    fair: assert (!(spec_passed_atomic & spec_takes_host) && !(spec_passed_host & spec_takes_atomic));
    if (waiting_q) chosen_waits: assert (chosen_q ? host_valid : atomic_valid);
    turn: assert (!(spec_passed_atomic & (host_turn_q | waiting_q & chosen_q)) &&
        !(spec_passed_host & (~host_turn_q | waiting_q & ~chosen_q)));
end
