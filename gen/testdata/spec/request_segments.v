// request_segments: the segments of a message follow each other without gap, none longer than allowed, with L only on the last;
// no more Reads and Atomics of a stream wait for an answer than ORD. One stream stands for all: it is arbitrary but fixed.
// depth 1
// bound 12
(* anyconst *) reg [`WIDTH_work_stream-1:0] a_stream;

// assume offered_is_looked_up: work_ring looks a stream up in the clock before it offers or still offers its work request; shown by work_ring/looks_first
reg looked_up_q;
reg [`WIDTH_work_stream-1:0] looked_up_stream_q;
always @(posedge clk) begin
    looked_up_q        <= look && !rst;
    looked_up_stream_q <= look_stream;
end
always @* if (started && work_valid) offered_is_looked_up: assume (looked_up_q && looked_up_stream_q == work_stream);
// assume none_before_swept: work_ring is empty, and takes nothing, for as many clocks after reset; shown by work_ring/none_before_swept
always @* if (started && !swept_q) none_before_swept: assume (!work_valid);

// ---- The message that is cut: its length and remote TO, and the octets cut off so far
reg [31:0] length_q, cut_q;
reg [63:0] remote_to_q;
reg        write_q, send_q;
wire [31:0] left  = length_q - cut_q;
wire [31:0] piece = left < `MAX_PAYLOAD ? left : `MAX_PAYLOAD;
always @(posedge clk) begin
    if (begins) begin
        length_q    <= work_length;
        remote_to_q <= work_remote_to;
        cut_q       <= 0;
        write_q     <= work_opcode == RDMA_WRITE;
        send_q      <= work_opcode == SEND || work_opcode == SEND_INV || work_opcode == SEND_SE || work_opcode == SEND_SE_INV;
    end else if (makes_command) begin
        cut_q <= cut_q + piece;
    end
end
// A command as it appears, and the message as it was in the clock before.
reg made_q, was_write_q, was_send_q;
reg [31:0] was_cut_q, was_piece_q, was_length_q;
reg [63:0] was_remote_to_q;
always @(posedge clk) begin
    made_q          <= makes_command && !rst;
    was_cut_q       <= cut_q;
    was_piece_q     <= piece;
    was_length_q    <= length_q;
    was_remote_to_q <= remote_to_q;
    was_write_q     <= write_q;
    was_send_q      <= send_q;
end
wire        l_bit = command_header[6];
wire [63:0] to = {command_header[55:48], command_header[63:56], command_header[71:64], command_header[79:72],
    command_header[87:80], command_header[95:88], command_header[103:96], command_header[111:104]};
wire [31:0] mo = {command_header[119:112], command_header[127:120], command_header[135:128], command_header[143:136]};

// excused handshake_work: an opening takes back what work_ring offers of its stream
// property offset_continues: a segment of a Send has the Message Offset, one of a Write the TO, at which the one before it ended
// control offset_continues: at_offset_q <= at_offset_q + => at_offset_q <= at_remote_q[31:0] +
always @* if (started && made_q && was_send_q) offset_continues: assert (mo == was_cut_q);
always @* if (started && made_q && was_write_q) offset_continues: assert (to == was_remote_to_q + was_cut_q);
// property piece_is_right: each segment carries the rest of the message, or as much as a segment may
// control piece_is_right: wire [31:0] segment_length = fits ? => wire [31:0] segment_length = ~fits ?
always @* if (started && made_q && (was_send_q || was_write_q)) piece_is_right: assert (command_payload_length == was_piece_q);
// property l_on_last: L, and final, are on a segment exactly when the message ends with it
// control l_on_last: wire        last           = ~moves_payload | fits; => wire        last           = moves_payload;
always @* if (started && made_q)
    l_on_last: assert (l_bit == command_final && l_bit == (was_send_q || was_write_q ? was_cut_q + was_piece_q == was_length_q : 1'b1));
// property command_is_made_once: a command appears only when a segment is made
// control command_is_made_once: end else if (command_ready) begin => end else if (command_ready & work_write_q) begin
reg command_waited_q;
always @(posedge clk) command_waited_q <= command_valid && !command_ready && !rst;
always @* if (started && command_valid && !command_waited_q) command_is_made_once: assert (made_q);

// property none_taken_at_opening: no work request is taken in a clock in which a stream is opened
// control none_taken_at_opening: work_valid & ~opened & => work_valid &
// alone none_taken_at_opening
always @* if (started && opened) none_taken_at_opening: assert (!work_ready);

// ---- Reads and Atomics of the stream, begun since its opening
reg [`WIDTH_unanswered-1:0] asked_q;
wire a_asks = begins && work_stream == a_stream && (work_opcode == READ_REQUEST || work_opcode == ATOMIC_REQUEST);
wire a_opens = opened && opened_stream == a_stream;
always @(posedge clk) asked_q <= rst || a_opens ? 0 : asked_q + a_asks;
wire [`WIDTH_unanswered-1:0] waiting = asked_q - state[2*`WIDTH_unanswered-1 -: `WIDTH_unanswered];
// property ord_kept: a Read or Atomic begins only while fewer than ORD of the stream wait for their answer
// control ord_kept: (asks_for_response & unanswered[<N>]) => (work_is_read & unanswered[<N>])
always @* if (started && a_asks) ord_kept: assert (!waiting[`WIDTH_unanswered-1]);
// property nothing_refused_begins: a work request begins or is refused, not both, and leaves the ring once
// control nothing_refused_begins: assign begins     = decides & ~limited; => assign begins     = decides;
always @* if (started) nothing_refused_begins: assert (!(begins && refused) && (!begins || (work_valid && work_ready && is_idle)));

// ---- Invariants
// invariant position: the registers hold the position in the message
always @* if (started && (is_sending || is_announcing)) position: assert (at_left_q == left && cut_q <= length_q && work_write_q == write_q && work_send_q == send_q);
always @* if (started && is_sending) position: assert (at_offset_q == cut_q && at_remote_q == remote_to_q + cut_q);
// invariant asked_is_kept: the stream's word counts what it asked for
always @* if (started && (swept_q || sweep_q > a_stream)) asked_is_kept: assert (issue_state[a_stream][`WIDTH_unanswered-1:0] == asked_q);
// invariant asked_is_read: and was read so
always @* if (started && swept_q && looked_up_q && looked_up_stream_q == a_stream) asked_is_read: assert (issue_state_q[`WIDTH_unanswered-1:0] == asked_q);
// invariant quiet_before_swept: nothing begins before every stream has its word
always @* if (started && !swept_q) quiet_before_swept: assert (asked_q == 0 && is_idle);
// invariant one_kind: a work request is of one kind; only a Read or Atomic is announced, when no command is held
always @* if (started && !is_idle) one_kind: assert (work_write_q + work_send_q + work_immediate_q + work_read_q + work_atomic_q <= 3'd1
    && send_q == work_send_q && write_q == work_write_q && (!is_announcing || (is_request && !held_valid_q)));
