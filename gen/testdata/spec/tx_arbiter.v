// The executors, the end of streams and the requester share the transmit side: each command goes once, as it was, no sender that can go is starved, and messages of
// one stream do not mix. One stream and two senders, any of them, are watched. Only the first executor, read, and the requester have
// messages of several segments.
// depth 1
// bound 5

// property no_grant_without_request: a sender's command is taken only when it has one
// control no_grant_without_request: requests_ready = goes[<N>] => requests_ready = command_room_q
// property one_grant: not more than one sender's command is taken in a clock
// control one_grant: candidates & ~{ => candidates | {
// property no_idle: a command is taken when a sender has one that can go and there is room
// control no_idle: {requests_can_go, => {1'b0,
// property as_it_was: what is on offer is the oldest command that was taken and did not leave, and nothing if there is none
// control as_it_was: {<N>{goes[0]}} => {<N>{goes[1]}}
// property room: two commands are taken while none leaves
// control room: command_room_q <= ~command_keeps => command_room_q <= ~command_keeps & ~command_valid_q
// property fair: a command that can go is passed over at most once by each other sender
// control fair: able & behind_last_q => able & ~behind_last_q
// property together: between the first segment of a message and its final one no other sender's command of its stream is taken
// control together: & ~(requests_in_message_q & (requests_stream_q == read_stream)) => & 1'b1
// assume whole: the senders; each finishes its message before it begins another, and those but read and requests have one segment
// invariant order: who was passed over comes before whoever passed it
// invariant behind: the senders behind the last one are those of higher numbers
// invariant middle: the registers know who is in the middle of the watched stream's message

localparam S = `EXECUTORS + 2;  // senders
localparam LAST = S - 1;        // requests
wire [S-1:0] spec_valid = {requests_valid, end_valid, `EACH_EXECUTOR(@_valid)};
wire [S-1:0] spec_ready = {requests_ready, end_ready, `EACH_EXECUTOR(@_ready)};
wire [S-1:0] spec_takes = spec_valid & spec_ready;
wire [S-1:0] spec_final = {requests_final, end_final, `EACH_EXECUTOR(@_final)};

// Messages: whose is under way in the watched stream, and of read and requests in which stream.
(* anyconst *) wire [`WIDTH_command_stream-1:0] spec_stream;
wire [S-1:0] spec_of_stream = {requests_stream == spec_stream, end_stream == spec_stream, `EACH_EXECUTOR(@_stream == spec_stream)};
reg  [S-1:0] spec_owner; // one bit, or none
reg  spec_reads, spec_asks; // read, requests are in the middle of a message
reg  [`WIDTH_command_stream-1:0] spec_reads_of, spec_asks_of;
always @(posedge clk) begin
    if (|(spec_takes & spec_of_stream)) spec_owner <= spec_takes & ~spec_final;
    else if (abandoned) spec_owner[LAST] <= 1'b0;
    if (|(spec_takes & spec_of_stream) & spec_takes[LAST] & abandoned) spec_owner[LAST] <= 1'b0;
    if (spec_takes[0]) spec_reads <= ~read_final;
    if (spec_takes[0]) spec_reads_of <= read_stream;
    if (spec_takes[LAST]) spec_asks_of <= requests_stream;
    spec_asks <= ~abandoned & (spec_takes[LAST] ? ~requests_final : spec_asks);
    if (rst) {spec_owner, spec_reads, spec_asks} <= 0;
end
always @* if (started && !rst) begin
    whole: assume (&(~spec_valid[LAST-1:1] | spec_final[LAST-1:1]));
    if (read_valid & spec_reads) whole: assume (read_stream == spec_reads_of);
    if (requests_valid & spec_asks & ~abandoned) whole: assume (requests_stream == spec_asks_of);
end

// Turns: one sender waits, another one passes.
localparam SB = $clog2(S);
(* anyconst *) wire [SB-1:0] spec_waits;
(* anyconst *) wire [SB-1:0] spec_passes;
wire [S-1:0] spec_can_go = {requests_can_go, end_can_go, `EACH_EXECUTOR(@_can_go)};
reg  spec_passed;
wire [S-1:0] spec_waiting = 1'b1 << spec_waits, spec_passing = 1'b1 << spec_passes; // 0 for a number that no sender has
wire spec_passes_now = |(spec_takes & spec_passing);
always @(posedge clk) spec_passed <= ~rst & |(spec_can_go & ~spec_takes & spec_waiting) & (spec_passed | spec_passes_now);
wire spec_passed_over = spec_passed & |(spec_can_go & spec_waiting);
wire [S-1:0] spec_not_behind = ~behind_last_q;
reg  [SB-1:0] spec_first;
integer spec_i;
always @* begin
    spec_first = 0;
    for (spec_i = S - 1; spec_i > 0; spec_i = spec_i - 1) if (behind_last_q[spec_i]) spec_first = spec_i;
end

// Commands that were taken and did not leave: two at most.
reg  [1:0] spec_inside;
wire [`WIDTH_chosen_command-1:0] spec_kept = {command_kept_stream_q, command_kept_kind_q, command_kept_final_q, command_kept_number_q,
    command_kept_header_length_q, command_kept_header_q, command_kept_address_q, command_kept_payload_length_q};
reg  [`WIDTH_chosen_command-1:0] spec_oldest, spec_newest;
localparam W = `WIDTH_chosen_command;
wire [S*W-1:0] spec_offered = {`DATA_requests, `DATA_end, `EACH_EXECUTOR(`DATA_@)};
reg  [W-1:0] spec_command;
always @* begin
    spec_command = 0;
    for (spec_i = 0; spec_i < S; spec_i = spec_i + 1) if (spec_takes[spec_i]) spec_command = spec_offered[W*spec_i +: W];
end
wire spec_enters = |spec_takes;
wire spec_leaves = command_valid & command_ready;
always @(posedge clk) begin
    spec_inside <= rst ? 2'd0 : spec_inside + spec_enters - spec_leaves;
    if (spec_leaves) spec_oldest <= spec_newest;
    if (spec_enters) spec_newest <= spec_command;
    if (spec_enters && spec_inside == spec_leaves) spec_oldest <= spec_command;
end
function [SB:0] spec_place(input [SB-1:0] sender); spec_place = sender < spec_first ? sender + S - spec_first : sender - spec_first; endfunction

always @* if (started && !rst) begin
    no_grant_without_request: assert (!(spec_ready & ~spec_valid));
    one_grant: assert (!(spec_ready & (spec_ready - 1'b1)));
    no_idle: assert (command_room_q ? |spec_can_go == |spec_takes : !spec_takes);
    room: assert (command_room_q == (spec_inside < 2'd2) && spec_inside <= 2'd2);
    as_it_was: assert (command_valid == |spec_inside && (!command_valid || `DATA_command == spec_oldest));
    as_it_was: assert (command_keeps_q == spec_inside[1] && (!command_keeps_q || spec_kept == spec_newest) &&
        (spec_inside != 2'd1 || spec_oldest == spec_newest));
    if (spec_waits != spec_passes) fair: assert (!(spec_passed_over & spec_passes_now));
    if (|spec_owner) together: assert (!(spec_takes & spec_of_stream & ~spec_owner));
    if (spec_passed_over && spec_waits != spec_passes) order: assert (spec_place(spec_waits) < spec_place(spec_passes) && |spec_passing);
    behind: assert (!behind_last_q[0] && (spec_not_behind & (spec_not_behind + 1'b1)) == 0);
    middle: assert (read_in_message_q == spec_reads && requests_in_message_q == spec_asks &&
        (!spec_reads || read_stream_q == spec_reads_of) && (!spec_asks || requests_stream_q == spec_asks_of) &&
        spec_owner == {spec_asks && spec_asks_of == spec_stream, {S-2{1'b0}}, spec_reads && spec_reads_of == spec_stream});
end
