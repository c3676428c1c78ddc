// The segments of an RDMA Read Response cover the requested octets in order and without a gap (RFC 5040 section 4.5).
// depth 1
// bound 6

// property no_idle: while an accepted Read has segments left, the next one is offered; otherwise the block is ready for a Read
// control no_idle: valid_q <= req_valid => valid_q <= req_valid & |req_length
// property no_duplication: nothing is offered once all segments of the accepted Read have left
// control no_duplication: ~valid_q | (command_ready & last) => ~valid_q
// property contiguous: a segment begins where the previous one ended, in memory and at the sink
// control contiguous: sink_to_q + 64'd<N> => sink_to_q + 64'd1
// property ddp_header: a tagged segment for the STag of the sink, with L set only in the last (RFC 5041 section 4.1)
// control ddp_header: {1'b1, last, => {1'b1, 1'b1,
// property length: all segments except the final one have the maximum payload, and the final one has the rest
// control length: left_q <= MAX_PAYLOAD => left_q < MAX_PAYLOAD
// property whole: all segments of a Read have its stream and number
// control whole: stream_q <= req_stream; => stream_q <= command_final ? req_stream : stream_q;
// invariant registers: the registers hold the rest of the Read

wire spec_takes = req_valid & req_ready;
wire spec_goes  = command_valid & command_ready;
reg  spec_busy;
reg  [`WIDTH_req_stream-1:0] spec_stream;
reg  [31:0] spec_msn, spec_stag, spec_left; // of the Read, as are the next addresses in memory and at the sink
reg  [63:0] spec_sink, spec_address;
always @(posedge clk) begin
    if (spec_takes) {spec_stream, spec_msn, spec_stag, spec_sink, spec_address, spec_left} <=
        {req_stream, req_number, req_sink_stag, req_sink_to, req_address, req_length};
    else if (spec_goes) begin
        spec_sink    <= spec_sink + command_payload_length;
        spec_address <= spec_address + command_payload_length;
        spec_left    <= spec_left - command_payload_length;
    end
    spec_busy <= ~rst & (spec_takes | spec_busy & ~(spec_goes & command_final));
end
function [7:0] spec_octet(input integer n); spec_octet = command_header[8 * n +: 8]; endfunction

always @* if (started && !rst) begin
    if (spec_busy) no_idle: assert (command_valid);
    if (!spec_busy) no_idle: assert (req_ready);
    if (!spec_busy) no_duplication: assert (!command_valid);
    if (spec_takes) no_duplication: assert (!spec_busy || spec_goes && command_final);
    if (command_valid) begin
        contiguous: assert (command_address == spec_address && {spec_octet(6), spec_octet(7), spec_octet(8), spec_octet(9),
            spec_octet(10), spec_octet(11), spec_octet(12), spec_octet(13)} == spec_sink);
        ddp_header: assert (command_header_length == 14 && {spec_octet(0), spec_octet(1)} == {1'b1, command_final, 14'h0142} &&
            {spec_octet(2), spec_octet(3), spec_octet(4), spec_octet(5)} == spec_stag && command_header[559:112] == 0);
        length: assert (command_final == (spec_left <= MAX_PAYLOAD) &&
            command_payload_length == (command_final ? spec_left : MAX_PAYLOAD));
        whole: assert (command_stream == spec_stream && command_number == spec_msn && command_kind == `SEND_READ);
    end
    if (spec_busy) registers: assert (stream_q == spec_stream && number_q == spec_msn && sink_stag_q == spec_stag &&
        sink_to_q == spec_sink &&
        address_q == spec_address && left_q == spec_left);
end
