// Four senders share the transmit side: each command goes once, as it was, no sender that can go is starved, and messages of
// one stream do not mix. One stream and two senders, any of them, are watched.
// depth 1
// bound 5

// property no_grant_without_request: a sender's command is taken only when it has one
// control no_grant_without_request: requests_ready = goes[3] => requests_ready = command_room_q
// property one_grant: not more than one sender's command is taken in a clock
// control one_grant: candidates & ~{ => candidates | {
// property no_idle: a command is taken when a sender has one that can go and there is room
// control no_idle: {requests_can_go, => {1'b0,
// property as_it_was: what is on offer is the oldest command that was taken and did not leave, and nothing if there is none
// control as_it_was: {685{goes[0]}} => {685{goes[1]}}
// property room: two commands are taken while none leaves
// control room: command_room_q <= ~command_keeps => command_room_q <= ~command_keeps & ~command_valid_q
// property fair: a command that can go is passed over at most once by each other sender
// control fair: able & behind_last_q => able & ~behind_last_q
// property together: between the first segment of a message and its final one no other sender's command of its stream is taken
// control together: & ~(requests_in_message_q & (requests_stream_q == read_stream)) => & 1'b1
// assume whole: the senders; each finishes its message before it begins another, and atomic and end have one segment
// invariant order: who was passed over comes before whoever passed it
// invariant behind: the senders behind the last one are those of higher numbers
// invariant middle: the registers know who is in the middle of the watched stream's message

wire [3:0] spec_valid = {requests_valid, end_valid, atomic_valid, read_valid};
wire [3:0] spec_ready = {requests_ready, end_ready, atomic_ready, read_ready};
wire [3:0] spec_takes = spec_valid & spec_ready;
wire [3:0] spec_final = {requests_final, end_final, atomic_final, read_final};

// Messages: whose is under way in the watched stream, and of read and requests in which stream.
(* anyconst *) wire [`WIDTH_command_stream-1:0] spec_stream;
wire [3:0] spec_of_stream = {requests_stream == spec_stream, end_stream == spec_stream, atomic_stream == spec_stream,
    read_stream == spec_stream};
reg  [3:0] spec_owner; // one bit, or none
reg  spec_reads, spec_asks; // read, requests are in the middle of a message
reg  [`WIDTH_command_stream-1:0] spec_reads_of, spec_asks_of;
always @(posedge clk) begin
    if (|(spec_takes & spec_of_stream)) spec_owner <= spec_takes & ~spec_final;
    else if (abandoned) spec_owner[3] <= 1'b0;
    if (|(spec_takes & spec_of_stream) & spec_takes[3] & abandoned) spec_owner[3] <= 1'b0;
    if (spec_takes[0]) spec_reads <= ~read_final;
    if (spec_takes[0]) spec_reads_of <= read_stream;
    if (spec_takes[3]) spec_asks_of <= requests_stream;
    spec_asks <= ~abandoned & (spec_takes[3] ? ~requests_final : spec_asks);
    if (rst) {spec_owner, spec_reads, spec_asks} <= 6'd0;
end
always @* if (started && !rst) begin
    if (atomic_valid) whole: assume (atomic_final);
    if (end_valid) whole: assume (end_final);
    if (read_valid & spec_reads) whole: assume (read_stream == spec_reads_of);
    if (requests_valid & spec_asks & ~abandoned) whole: assume (requests_stream == spec_asks_of);
end

// Turns: one sender waits, another one passes.
(* anyconst *) wire [1:0] spec_waits;
(* anyconst *) wire [1:0] spec_passes;
wire [3:0] spec_can_go = {requests_can_go, end_can_go, atomic_can_go, read_can_go};
reg  spec_passed;
always @(posedge clk) spec_passed <= ~rst & spec_can_go[spec_waits] & ~spec_takes[spec_waits] & (spec_passed |
    spec_takes[spec_passes]);
wire spec_passed_over = spec_passed & spec_can_go[spec_waits];
wire [1:0] spec_first = behind_last_q[1] ? 2'd1 : behind_last_q[2] ? 2'd2 : behind_last_q[3] ? 2'd3 : 2'd0;

// Commands that were taken and did not leave: two at most.
reg  [1:0] spec_inside;
wire [`WIDTH_chosen_command-1:0] spec_kept = {command_kept_stream_q, command_kept_kind_q, command_kept_final_q, command_kept_number_q,
    command_kept_header_length_q, command_kept_header_q, command_kept_address_q, command_kept_payload_length_q};
reg  [`WIDTH_chosen_command-1:0] spec_oldest, spec_newest;
wire [`WIDTH_chosen_command-1:0] spec_command = spec_takes[0] ? `DATA_read : spec_takes[1] ? `DATA_atomic : spec_takes[2] ?
    `DATA_end : `DATA_requests;
wire spec_enters = |spec_takes;
wire spec_leaves = command_valid & command_ready;
always @(posedge clk) begin
    spec_inside <= rst ? 2'd0 : spec_inside + spec_enters - spec_leaves;
    if (spec_leaves) spec_oldest <= spec_newest;
    if (spec_enters) spec_newest <= spec_command;
    if (spec_enters && spec_inside == spec_leaves) spec_oldest <= spec_command;
end
function [1:0] spec_place(input [1:0] sender); spec_place = sender - spec_first; endfunction

always @* if (started && !rst) begin
    no_grant_without_request: assert (!(spec_ready & ~spec_valid));
    one_grant: assert (!(spec_ready & (spec_ready - 4'd1)));
    no_idle: assert (command_room_q ? |spec_can_go == |spec_takes : !spec_takes);
    room: assert (command_room_q == (spec_inside < 2'd2) && spec_inside <= 2'd2);
    as_it_was: assert (command_valid == |spec_inside && (!command_valid || `DATA_command == spec_oldest));
    as_it_was: assert (command_keeps_q == spec_inside[1] && (!command_keeps_q || spec_kept == spec_newest) &&
        (spec_inside != 2'd1 || spec_oldest == spec_newest));
    if (spec_waits != spec_passes) fair: assert (!(spec_passed_over & spec_takes[spec_passes]));
    if (|spec_owner) together: assert (!(spec_takes & spec_of_stream & ~spec_owner));
    if (spec_passed_over && spec_waits != spec_passes) order: assert (spec_place(spec_waits) < spec_place(spec_passes));
    behind: assert (behind_last_q == 4'd0 || behind_last_q == 4'd8 || behind_last_q == 4'd12 || behind_last_q == 4'd14);
    middle: assert (read_in_message_q == spec_reads && requests_in_message_q == spec_asks &&
        (!spec_reads || read_stream_q == spec_reads_of) && (!spec_asks || requests_stream_q == spec_asks_of) &&
        spec_owner == {spec_asks && spec_asks_of == spec_stream, 2'b00, spec_reads && spec_reads_of == spec_stream});
end
