// Only the first failure of each stream since its opening is forwarded, unchanged. The properties watch an arbitrary stream.
// depth 1
// bound 9

// property no_grant_without_request: at most one opening or failure is accepted per cycle, and only a valid one
// control no_grant_without_request: tx_ready = free & ~(opening_valid | placement_valid | atomic_valid) => tx_ready = free & ~(opening_valid | placement_valid)
// property no_idle: if no input is already picked, one of the waiting inputs is accepted
// control no_idle: work_ready = free & ~(opening_valid => work_ready = free & ~(work_valid | opening_valid
// property at_most_one: a stream's failure is forwarded only if it is the first since the stream's opening
// control at_most_one: fresh = picked_valid_q & ~picked_is_opening_q & ~failed_before_q => fresh = picked_valid_q & ~picked_is_opening_q
// property no_loss: the first failure since the opening is offered unchanged until the output accepts it
// control no_loss: 1'b0 : ~picked_is_opening_q => 1'b0 : 1'b1
// property counted: a failure caused by memory is counted when it is accepted
// control counted: (free & ~opening_valid & placement_valid) => (placement_valid)
// invariant swept: swept streams have not failed, and nothing is picked before the end of the sweep
// excused handshake_begun: what begins is accepted in every cycle
// invariant returned: a failure takes with it what the latest request of its stream returns, if the request returns anything and has failed itself
// invariant remembered: the memory records whether the watched stream has failed

localparam FAILURE = `WIDTH_gathered_stream + `WIDTH_gathered_fault;
localparam DIFFERS = 4; // with the extension commit this fault is not one of memory
wire spec_opens = opening_valid & opening_ready;
wire [4:0] spec_valid = {placement_valid, atomic_valid, tx_valid, order_valid, work_valid};
wire [4:0] spec_takes = spec_valid & {placement_ready, atomic_ready, tx_ready, order_ready, work_ready};
wire [FAILURE-1:0] spec_failure = {FAILURE{spec_takes[4]}} & `DATA_placement |
    {FAILURE{spec_takes[3]}} & `DATA_atomic | {FAILURE{spec_takes[2]}} & `DATA_tx |
    {FAILURE{spec_takes[1]}} & `DATA_order | {FAILURE{spec_takes[0]}} & `DATA_work;
wire [`WIDTH_gathered_stream-1:0] spec_failed_stream = spec_failure >> `WIDTH_gathered_fault;
wire [2:0] spec_fault = spec_failure[`WIDTH_gathered_fault-1:0];
wire [FAILURE-1:0] spec_gathered = {gathered_stream, gathered_fault};

(* anyconst *) wire [`WIDTH_gathered_stream-1:0] spec_stream;
reg  spec_failed, spec_owed; // since the opening; the failure is not forwarded yet
reg  [FAILURE-1:0] spec_first;
wire spec_fails = |spec_takes & spec_failed_stream == spec_stream;
always @(posedge clk) begin
    if (spec_opens && opening_stream == spec_stream) spec_failed <= 1'b0;
    else if (spec_fails) spec_failed <= 1'b1;
    if (spec_fails & ~spec_failed) spec_first <= spec_failure;
    spec_owed <= ~rst & (spec_fails & ~spec_failed | spec_owed & ~gathered_ready);
    if (rst) spec_failed <= 1'b0;
end
wire spec_picked = picked_valid_q & picked_stream_q == spec_stream;

always @* if (started && !rst) begin
    no_grant_without_request: assert (!(spec_takes & (spec_takes - 5'd1)) && !(spec_opens & |spec_takes));
    if (!picked_valid_q & swept_q & (opening_valid | |spec_valid)) no_idle: assert (spec_opens | |spec_takes);
    if (picked_valid_q) no_grant_without_request: assert (!spec_opens & ~|spec_takes);
    if (gathered_valid && gathered_stream == spec_stream) at_most_one: assert (spec_owed);
    if (spec_owed) no_loss: assert (gathered_valid && spec_gathered == spec_first);
    counted: assert (memory == (|spec_takes[4:2] && !(`COMMIT && spec_fault == DIFFERS)));
    swept: assert (!picked_valid_q || swept_q);
    if (swept_q && !spec_picked || !swept_q && sweep_q > spec_stream) remembered: assert (failed[spec_stream] == spec_failed);
    if (spec_picked) remembered: assert (picked_is_opening_q ? !spec_failed :
        spec_failed && failed_before_q == !spec_owed && failed[spec_stream] == failed_before_q);
    if (!spec_picked) remembered: assert (!spec_owed);
    if (!swept_q) remembered: assert (!spec_failed);
    if (spec_owed) remembered: assert (spec_gathered == spec_first);
end

// What the latest request of the watched stream returns, and what was so when its failure left the buffer.
generate if (`HAS_tags) begin
    reg  spec_tagged, spec_tag_known;
    reg  [128:0] spec_tag, spec_returned;
    wire [128:0] spec_begun = {begun_commits, begun_response_msn, begun_returned_control, begun_returned_invalidate_stag, begun_returned_msn,
        begun_returned_length};
    always @(posedge clk) begin
        if (begun_valid && begun_stream == spec_stream) {spec_tagged, spec_tag} <= {1'b1, spec_begun};
        if (tagged_free) {spec_tag_known, spec_returned} <= {spec_tagged, spec_tag};
        if (rst) {spec_tagged, spec_tag_known} <= 0;
    end
    wire spec_returns = spec_returned[128] && out_fault != 0;
    always @* if (started && !rst) begin
        returned: assert (begun_ready && (!spec_tagged || tags[spec_stream] == spec_tag));
        if (out_valid && out_stream == spec_stream && spec_tag_known) returned: assert (tag_q == spec_returned &&
            {out_control, out_invalidate_stag, out_msn, out_length} == (spec_returns ? spec_returned[95:0] : 96'd0));
    end
end endgenerate
