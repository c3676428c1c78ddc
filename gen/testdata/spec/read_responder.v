// The message is an RDMA Read Response (RFC 5040 section 4.5) with the requested octets.
// depth 1
// bound 4

// property once: a Read and its response are transferred in the same cycle
// control once: assign req_ready = message_ready => assign req_ready = message_ready & (|req_length)
// property ddp_header: a tagged message for the STag and TO of the sink (RFC 5041 section 4.1), with L set; the octets after it are 0
// control ddp_header: req_sink_stag, req_sink_to => req_sink_to[31:0], req_sink_stag, req_sink_to[63:32]
// property whole: the stream and number of the Read, and the requested octets
// control whole: message_address = req_address => message_address = req_sink_to

function [7:0] spec_octet(input integer n); spec_octet = message_header[8 * n +: 8]; endfunction

always @* if (req_valid) begin
    once: assert (message_valid && req_ready == message_ready);
    ddp_header: assert (message_header_length == 14 && {spec_octet(0), spec_octet(1)} == 16'hC142 &&
        {spec_octet(2), spec_octet(3), spec_octet(4), spec_octet(5)} == req_sink_stag && {spec_octet(6), spec_octet(7), spec_octet(8),
        spec_octet(9), spec_octet(10), spec_octet(11), spec_octet(12), spec_octet(13)} == req_sink_to && message_header[559:112] == 0);
    whole: assert (message_stream == req_stream && message_number == req_number && message_kind == `SEND_READ &&
        message_address == req_address && message_length == req_length);
end
