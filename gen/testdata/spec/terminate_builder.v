// The message is a Terminate according to RFC 5040 section 4.8: the DDP header of an untagged segment on queue 2 with MSN 1, then
// the control word and the returned part of the segment in error.
// depth 1
// bound 4

// property once: a request and its message are transferred in the same cycle
// control once: assign req_ready = message_ready => assign req_ready = message_ready & ~is_silent
// property header: DDP and RDMAP control, queue 2, MSN 1, offset 0 (RFC 5041 section 4.2, RFC 5040 section 4.1)
// control header: 32'd2, 32'd1 => 32'd1, 32'd2
// property control: layer, type and code of the request, and the bits of the returned parts: segment length, DDP header, RDMAP header (section 4.8)
// control control: gives_header_back, gives_header_back, has_read_request => gives_header_back, has_read_request, gives_header_back
// property given_back: the length of the segment in error, then its header as received; all octets after it are 0
// control given_back: {32{is_untagged}} => {32{gives_header_back}}
// property length: the number of octets, 0 for a request to end silently
// control length: 7'd24 => 7'd22
// property final: the message is on the stream of the request, without payload
// control final: message_number = req_number => message_number = 32'd0

// assume asked: request_order, which passes only requests to terminate, silently or not, and rx_check, which sets the lengths
wire       spec_shut = req_kind == `REQUEST_CLOSE;
wire [9:0] spec_length = req_header_length;
function [7:0] spec_octet(input integer n); spec_octet = message_header[8 * n +: 8]; endfunction

always @* if (req_valid) begin
    once: assert (message_valid && req_ready == message_ready);
    final: assert (message_stream == req_stream && message_number == req_number && message_length == 0 &&
        message_kind == (spec_shut ? `SEND_CLOSE : `SEND_END));
    length: assert (message_header_length == (spec_shut ? 0 : spec_length == 0 ? 22 : spec_length + 24));
    if (spec_shut) header: assert (message_header == 0);
    else begin
        header: assert ({spec_octet(0), spec_octet(1)} == 16'h4147 && {spec_octet(2), spec_octet(3), spec_octet(4),
            spec_octet(5)} == 0 &&
            {spec_octet(6), spec_octet(7), spec_octet(8), spec_octet(9)} == 2 &&
            {spec_octet(10), spec_octet(11), spec_octet(12), spec_octet(13)} == 1 &&
            {spec_octet(14), spec_octet(15), spec_octet(16), spec_octet(17)} == 0);
        control: assert ({spec_octet(18), spec_octet(19), spec_octet(20), spec_octet(21)} == {req_term_layer, req_term_etype,
            req_term_code,
            spec_length == 0 ? 3'b000 : spec_length == 46 ? 3'b111 : 3'b110, 13'd0});
        given_back: assert ({spec_octet(22), spec_octet(23)} == (spec_length == 0 ? 0 : req_segment_length) &&
            message_header[559:192] == (req_body[367:0] & ~({368{1'b1}} << 8 * spec_length)));
    end
end
always @* if (req_valid) asked: assume ((req_kind == `REQUEST_END || spec_shut) && (req_header_length == 0 || req_header_length == 14 ||
    req_header_length == 18 || req_header_length == 46));
