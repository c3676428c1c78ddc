// The executors, the end of streams and the requester share the transmit side: each message goes once, as it was, and no sender is starved.
// depth 1
// bound 5

// property no_grant_without_request: a sender's message is taken only when it has one
// control no_grant_without_request: requests_ready = goes[<N>] => requests_ready = message_room_q
// property one_grant: not more than one sender's message is taken in a clock
// control one_grant: candidates & ~{ => candidates | {
// property no_idle: a message is taken when a sender has one and there is room
// control no_idle: {requests_valid, => {1'b0,
// property as_it_was: what is on offer is the oldest message that was taken and did not leave, and nothing if there is none
// control as_it_was: {<N>{goes[0]}} => {<N>{goes[1]}}
// property room: two messages are taken while none leaves
// control room: message_room_q <= ~message_keeps => message_room_q <= ~message_keeps & ~message_valid_q
// property fair: a message is passed over at most once by each other sender
// control fair: able & behind_last_q => able & ~behind_last_q
// invariant order: who was passed over comes before whoever passed it
// invariant behind: the senders behind the last one are those of higher numbers

localparam S = `EXECUTORS + 2;  // senders
localparam LAST = S - 1;        // requests
wire [S-1:0] spec_valid = {requests_valid, end_valid, `EACH_EXECUTOR(@_valid)};
wire [S-1:0] spec_ready = {requests_ready, end_ready, `EACH_EXECUTOR(@_ready)};
wire [S-1:0] spec_takes = spec_valid & spec_ready;

// Turns: one sender waits, another one passes.
localparam SB = $clog2(S);
(* anyconst *) wire [SB-1:0] spec_waits;
(* anyconst *) wire [SB-1:0] spec_passes;
reg  spec_passed;
wire [S-1:0] spec_waiting = 1'b1 << spec_waits, spec_passing = 1'b1 << spec_passes; // 0 for a number that no sender has
wire spec_passes_now = |(spec_takes & spec_passing);
always @(posedge clk) spec_passed <= ~rst & |(spec_valid & ~spec_takes & spec_waiting) & (spec_passed | spec_passes_now);
wire spec_passed_over = spec_passed & |(spec_valid & spec_waiting);
wire [S-1:0] spec_not_behind = ~behind_last_q;
reg  [SB-1:0] spec_first;
integer spec_i;
always @* begin
    spec_first = 0;
    for (spec_i = S - 1; spec_i > 0; spec_i = spec_i - 1) if (behind_last_q[spec_i]) spec_first = spec_i;
end

// Messages that were taken and did not leave: two at most.
reg  [1:0] spec_inside;
wire [`WIDTH_chosen_message-1:0] spec_kept = {message_kept_stream_q, message_kept_kind_q, message_kept_number_q,
    message_kept_header_length_q, message_kept_header_q, message_kept_address_q, message_kept_length_q};
reg  [`WIDTH_chosen_message-1:0] spec_oldest, spec_newest;
localparam W = `WIDTH_chosen_message;
wire [S*W-1:0] spec_offered = {`DATA_requests, `DATA_end, `EACH_EXECUTOR(`DATA_@)};
reg  [W-1:0] spec_message;
always @* begin
    spec_message = 0;
    for (spec_i = 0; spec_i < S; spec_i = spec_i + 1) if (spec_takes[spec_i]) spec_message = spec_offered[W*spec_i +: W];
end
wire spec_enters = |spec_takes;
wire spec_leaves = message_valid & message_ready;
always @(posedge clk) begin
    spec_inside <= rst ? 2'd0 : spec_inside + spec_enters - spec_leaves;
    if (spec_leaves) spec_oldest <= spec_newest;
    if (spec_enters) spec_newest <= spec_message;
    if (spec_enters && spec_inside == spec_leaves) spec_oldest <= spec_message;
end
function [SB:0] spec_place(input [SB-1:0] sender); spec_place = sender < spec_first ? sender + S - spec_first : sender - spec_first; endfunction

always @* if (started && !rst) begin
    no_grant_without_request: assert (!(spec_ready & ~spec_valid));
    one_grant: assert (!(spec_ready & (spec_ready - 1'b1)));
    no_idle: assert (message_room_q ? |spec_valid == |spec_takes : !spec_takes);
    room: assert (message_room_q == (spec_inside < 2'd2) && spec_inside <= 2'd2);
    as_it_was: assert (message_valid == |spec_inside && (!message_valid || `DATA_message == spec_oldest));
    as_it_was: assert (message_keeps_q == spec_inside[1] && (!message_keeps_q || spec_kept == spec_newest) &&
        (spec_inside != 2'd1 || spec_oldest == spec_newest));
    if (spec_waits != spec_passes) fair: assert (!(spec_passed_over & spec_passes_now));
    if (spec_passed_over && spec_waits != spec_passes) order: assert (spec_place(spec_waits) < spec_place(spec_passes) && |spec_passing);
    behind: assert (!behind_last_q[0] && (spec_not_behind & (spec_not_behind + 1'b1)) == 0);
end
