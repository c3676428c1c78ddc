// Commands become segments, or are dropped, in order, and each is reported once. What a segment is made of is proven of
// tx_builder, what is read for it of tx_fetch.
// depth 1
// bound 8

// property no_loss: a command that was taken waits, is sent, or its report waits
// control no_loss: stored_valid = taken & ~straight => stored_valid = taken & ~straight & ~command_final
// property no_duplication: nothing is reported but commands that were taken
// control no_duplication: stored_valid = taken & ~straight => stored_valid = taken
// property in_order: a command that comes goes to the builder only when no other waits, and a waiting one goes first, as it was
// control in_order: straight = ~waiting_valid & segment_ready => straight = segment_ready
// property fetched: the payload of a command is asked for once, in the clock in which the command is taken, with its address, length and place
// control fetched: fetch_valid = command_valid & has_room & (|command_payload_length) => fetch_valid = command_valid & (|command_payload_length)
// invariant together: a segment is sent to its last beat before another one begins, all of it as of one stream
// invariant place_freed: a place of the payload buffer is free when the builder has taken its beat
// assume asked: atomic_responder, read_responder, terminate_builder and request_segments, as tx_builder says
// invariant sending: what was begun is what the builder has, and will not be dropped

wire spec_takes = command_valid & command_ready;
wire spec_tells = report_valid & report_ready;
(* hierconn *) wire [15:0] \segments.spec_inside ;
(* hierconn *) wire [15:0] \builder.reports.spec_inside ;
(* hierconn *) wire \builder.spec_busy ;
(* hierconn *) wire [`WIDTH_command_stream-1:0] \builder.spec_of ;
(* hierconn *) wire \builder.silent ;
(* hierconn *) wire \builder.carries_q ;
wire [15:0] spec_known = \segments.spec_inside + \builder.spec_busy + \builder.reports.spec_inside ;
reg  [15:0] spec_inside; // commands that were taken and not reported
reg  spec_begun; // a segment, and its last beat was not taken
reg  [`WIDTH_command_stream-1:0] spec_stream;
always @(posedge clk) begin
    spec_inside <= rst ? 0 : spec_inside + spec_takes - spec_tells;
    if (m_axis_tx_tvalid & m_axis_tx_tready) {spec_begun, spec_stream} <= {~m_axis_tx_tlast, m_axis_tx_tuser};
    if (rst) spec_begun <= 1'b0;
end
wire [`WIDTH_next_segment-1:0] spec_command = {command_stream, command_kind, command_final, command_number, command_header_length,
    command_header,
    command_payload_length};
wire [`WIDTH_next_segment-1:0] spec_segment = {segment_stream, segment_kind, segment_final, segment_number, segment_header_length,
    segment_header,
    segment_payload_length};
wire [`WIDTH_next_segment-1:0] spec_waiting = {waiting_stream, waiting_kind, waiting_final, waiting_number, waiting_header_length,
    waiting_header,
    waiting_payload_length};

localparam SPEC_MOST = 1 << `WIDTH_announced_beats + `WIDTH_fetch_lead - 1; // octets of payload
always @* if (command_valid) asked: assume (command_payload_length <= SPEC_MOST &&
    command_header_length <= `WIDTH_command_header / 8 && command_kind <= 4 &&
    (command_header >> 8 * command_header_length) == 0 && (command_payload_length == 0 || command_header_length != 0 &&
        command_kind != 2 && command_kind != 3));
always @* if (started && !rst) begin
    no_loss: assert (spec_inside <= spec_known);
    no_duplication: assert (spec_inside >= spec_known);
    if (report_valid) no_duplication: assert (spec_inside != 0);
    if (segment_valid) in_order: assert (waiting_valid ? spec_segment == spec_waiting : spec_segment == spec_command &&
        spec_takes);
    if (spec_takes) in_order: assert (!(waiting_valid & ~stored_valid) &&
        (stored_valid & stored_ready | segment_valid & segment_ready & ~waiting_valid));
    fetched: assert ((fetch_valid & fetch_ready) == (spec_takes && command_payload_length != 0));
    if (fetch_valid) fetched: assert (fetch_address == command_address && fetch_length == command_payload_length &&
        fetch_lead == (command_header_length & ((1 << `WIDTH_fetch_lead) - 1)));
    if (m_axis_tx_tvalid && spec_begun) together: assert (m_axis_tx_tuser == spec_stream);
    place_freed: assert (freed == (payload_valid & payload_ready));
    if (spec_begun) sending: assert (\builder.spec_busy && \builder.spec_of == spec_stream && !\builder.silent &&
        (!\builder.carries_q || arrived_valid));
end
