// The executors, the end of streams and the requester share the transmit side: each message is forwarded once, unchanged, and no
// sender is starved.
// depth 1
// bound 5

// property one_grant: at most one sender's message is accepted per cycle
// control one_grant: requests_ready = has_turn[<N>] & message_free => requests_ready = message_free
// property no_idle: if a sender has a message and there is room, one is accepted, at the latest in the next cycle
// control no_idle: & (message_free | ~offers) => & message_free & offers
// property as_it_was: the accepted message that has not left is offered unchanged; without one nothing is offered
// control as_it_was: message_free     = ~message_valid_q | => message_free     = 1'b1 |
// property room: a message can be accepted when none is inside or the one inside leaves
// control room: message_free     = ~message_valid_q | message_ready => message_free     = ~message_valid_q
// property fair: a message is passed over at most once by each other sender
// control fair: candidates    = (|others_behind) ? => candidates    = 1'b0 ?
// invariant order: a sender that was passed over precedes the one that passed it
// invariant number: the turn is that of one sender

localparam S = `SPEAKERS + 2;  // senders
localparam LAST = S - 1;        // requests
wire [S-1:0] spec_valid = {requests_valid, end_valid, `EACH_SPEAKER(@_valid)};
wire [S-1:0] spec_ready = {requests_ready, end_ready, `EACH_SPEAKER(@_ready)};
wire [S-1:0] spec_takes = spec_valid & spec_ready;

// Fairness: one sender waits while another passes it.
localparam SB = $clog2(S);
(* anyconst *) wire [SB-1:0] spec_waits;
(* anyconst *) wire [SB-1:0] spec_passes;
reg  spec_passed;
wire [S-1:0] spec_waiting = 1'b1 << spec_waits, spec_passing = 1'b1 << spec_passes; // 0 if there is no sender of that number
wire spec_passes_now = |(spec_takes & spec_passing);
always @(posedge clk) spec_passed <= ~rst & |(spec_valid & ~spec_takes & spec_waiting) & (spec_passed | spec_passes_now);
wire spec_passed_over = spec_passed & |(spec_valid & spec_waiting);
integer spec_i;
reg [SB-1:0] spec_first; // whose turn it is
always @* begin
    spec_first = 0;
    for (spec_i = 0; spec_i < S; spec_i = spec_i + 1) if (has_turn[spec_i]) spec_first = spec_i;
end
generate if (`HAS_turn_q) begin
    always @* if (started && !rst) number: assert (turn_q < S);
end else begin
    always @* if (started && !rst) number: assert (has_turn_q != 0 && (has_turn_q & (has_turn_q - 1'b1)) == 0 && has_no_turn_q == ~has_turn_q);
end endgenerate

// A sender waited in the previous cycle, and nothing was accepted.
reg spec_idle;
always @(posedge clk) spec_idle <= ~rst & |spec_valid & ~|spec_takes;

// The accepted message that has not left.
reg  spec_inside;
localparam W = `WIDTH_chosen_message;
reg  [W-1:0] spec_oldest;
wire [S*W-1:0] spec_offered = {`DATA_requests, `DATA_end, `EACH_SPEAKER(`DATA_@)};
reg  [W-1:0] spec_message;
always @* begin
    spec_message = 0;
    for (spec_i = 0; spec_i < S; spec_i = spec_i + 1) if (spec_takes[spec_i]) spec_message = spec_offered[W*spec_i +: W];
end
wire spec_enters = |spec_takes;
wire spec_leaves = message_valid & message_ready;
always @(posedge clk) begin
    spec_inside <= ~rst & (spec_enters | spec_inside & ~spec_leaves);
    if (spec_enters) spec_oldest <= spec_message;
end
function [SB:0] spec_place(input [SB-1:0] sender); spec_place = sender < spec_first ? sender + S - spec_first : sender - spec_first; endfunction

always @* if (started && !rst) begin
    one_grant: assert (!(spec_ready & (spec_ready - 1'b1)));
    no_idle: assert (message_free ? !spec_idle || |spec_takes : !spec_takes);
    room: assert (message_free == (!spec_inside || message_ready));
    as_it_was: assert (message_valid == spec_inside && (!message_valid || `DATA_message == spec_oldest));
    if (spec_waits != spec_passes) fair: assert (!(spec_passed_over & spec_passes_now));
    if (spec_passed_over && spec_waits != spec_passes) order: assert (spec_place(spec_waits) < spec_place(spec_passes) && |spec_passing);
end
