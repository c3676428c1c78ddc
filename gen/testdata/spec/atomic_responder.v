// The message is an Atomic Operation Response according to RFC 7306 section 5.2.2: the DDP header of an untagged segment on queue 3
// with the MSN of the response, the identifier of the request and the original word.
// depth 1
// bound 4

// property once: a response and its message are transferred in the same cycle
// control once: assign response_ready = message_ready => assign response_ready = message_ready & response_failed
// property header: DDP and RDMAP control, queue 3, MSN, offset 0 (RFC 5041 section 4.2, RFC 7306 section 5.2)
// control header: 32'd3, response_atomic_msn => 32'd3, response_number
// property answer: identifier and original value in network order; the octets after them are 0
// control answer: {response_identifier, response_original} => {response_identifier, response_original[31:0], response_original[63:32]}
// property failed: a failed response has no octets
// control failed: octets & {240{~response_failed}} => octets
// property final: the message is of the stream of the response, without payload
// control final: message_number = response_number => message_number = response_atomic_msn

function [7:0] spec_octet(input integer n); spec_octet = message_header[8 * n +: 8]; endfunction

always @* if (response_valid) begin
    once: assert (message_valid && response_ready == message_ready);
    final: assert (message_stream == response_stream && message_number == response_number && message_kind == `SEND_ATOMIC &&
        message_length == 0);
    if (response_failed) failed: assert (message_header_length == 0 && message_header == 0);
    else begin
        header: assert (message_header_length == 30 && {spec_octet(0), spec_octet(1)} == 16'h414b &&
            {spec_octet(2), spec_octet(3), spec_octet(4), spec_octet(5)} == 0 &&
            {spec_octet(6), spec_octet(7), spec_octet(8), spec_octet(9)} == 3 &&
            {spec_octet(10), spec_octet(11), spec_octet(12), spec_octet(13)} == response_atomic_msn &&
            {spec_octet(14), spec_octet(15), spec_octet(16), spec_octet(17)} == 0);
        answer: assert ({spec_octet(18), spec_octet(19), spec_octet(20), spec_octet(21)} == response_identifier &&
            {spec_octet(22), spec_octet(23), spec_octet(24), spec_octet(25), spec_octet(26), spec_octet(27), spec_octet(28),
                spec_octet(29)} ==
            response_original && message_header[559:240] == 0);
    end
end
