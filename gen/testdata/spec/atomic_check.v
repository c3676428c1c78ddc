// Each record leaves once, in order: as an access when it is an Atomic Request that names the window rightly, else as a record
// with the error that comes first. One stream, any stream, is followed: its MSN, and whether an error has ended it.
// Where an opcode 1 goes is a matter of the extension draft00 and not said here.

// depth 1
// bound 8
// property executes_only_what_is_right: an access is an Atomic Request without an error, with an opcode, the STag of the window, and an aligned word inside of it
// twin executes_only_what_is_right: bad_stag      = header[351:320] != window_stag => bad_stag      = header[351:336] != window_stag[31:16]
// property executes_all_that_is_right: such a request of a stream that lives is an access
// twin executes_all_that_is_right: out_of_bounds = 64'd<N> < window_offset => out_of_bounds = 64'd<N> <= window_offset
// property names_the_word: the access is to the word that the request names (RFC 7306 section 5.2.1)
// twin names_the_word: out_index_q          <= window_offset => out_index_q          <= remote_to
// property nothing_after_error: nothing of a stream is executed after its first error until it is set up again, and nothing else is told of it
// twin nothing_after_error: {stream_now[32] | (|fault[19:16]), => {(|fault[19:16]) & (|lookup_error_q),
// property first_error: the error that is told is the first in the order of the checks, with its layer, type and code (RFC 7306 section 8.2)
// twin first_error: ERROR_TO_WRAP, 4'd0, 4'd1, 8'h04 => ERROR_TO_WRAP, 4'd0, 4'd1, 8'h05
// property msn: accesses of a stream are numbered without a gap from where its set-up says, from 1 after reset (RFC 7306 section 5.2.2)
// twin msn: stream_now[31:0] + {31'd0, execute} => stream_now[31:0] + 32'd1
// property order: records leave in the order in which they came, as they were
// twin order: out_header_q         <= lookup_header_q => out_header_q         <= record_header
// property no_loss: a record that came and did not leave is inside
// twin no_loss: advance        = is_running & (~lookup_valid_q | decide) => advance        = is_running
// property no_duplication: nothing leaves that did not come
// twin no_duplication: out_valid_q <= decide & ~lookup_is_setup_q => out_valid_q <= decide
// invariant inside: the registers count what is inside
// invariant watched_inside: the watched record is one of those inside, as it was
// invariant state_is_kept: the memory, or the decision that is on its way to it, is the state of the stream
// invariant state_is_fetched: the state that was fetched is that of the stream, unless it is on its way
// invariant clearing: until every stream is set up nothing is inside

(* anyconst *) reg [`WIDTH_record_stream-1:0] any_stream;
wire spec_enters = record_valid & record_ready;
wire spec_leaves = access_valid & access_ready | other_valid & other_ready;

// ---- The watched record
(* anyseq *) wire spec_pick;
wire spec_looked_up = lookup_valid_q & ~lookup_is_setup_q;
reg [1:0] spec_inside, spec_ahead;
reg       spec_watching;
reg [`WIDTH_record_stream-1:0] a_stream;
reg [15:0]  a_segment_length, a_payload_length;
reg [559:0] a_header;
reg [3:0]   a_error;
always @(posedge clk) begin
    spec_inside <= rst ? 2'd0 : spec_inside + spec_enters - spec_leaves;
    if (!spec_watching) begin
        spec_watching <= spec_enters & spec_pick;
        spec_ahead    <= spec_inside - spec_leaves;
        {a_stream, a_segment_length, a_payload_length, a_header, a_error} <=
            {record_stream, record_segment_length, record_payload_length, record_header, record_error};
    end else if (spec_leaves) begin
        spec_watching <= |spec_ahead;
        spec_ahead    <= spec_ahead - 2'd1;
    end
    if (rst) spec_watching <= 1'b0;
end
wire spec_decides = spec_watching & spec_looked_up & (spec_ahead == out_valid_q);
wire spec_out     = spec_watching & out_valid_q & (spec_ahead == 0);

// ---- What the record that is decided deserves, from its octets
function [63:0] octets(input [559:0] from, input integer first, input integer n);
    integer k;
    begin
        octets = 64'd0;
        for (k = 0; k < n; k = k + 1) octets = octets << 8 | from[8 * (first + k) +: 8];
    end
endfunction
wire [559:0] r         = lookup_header_q;
wire         r_atomic  = r[11:8] == 4'd10;
wire [3:0]   r_opcode  = octets(r, 21, 1);
wire [31:0]  r_stag    = octets(r, 26, 4);
wire [63:0]  r_to      = octets(r, 30, 8);
wire [64:0]  r_end     = {1'b0, r_to} + 65'd7;
wire [63:0]  r_offset  = r_to - window_base;
wire [63:0]  r_size    = 64'd8 << `WIDTH_access_index;
// {error, layer, error type, error code}
wire [19:0] r_deserves =
    spec_dead                                            ? {4'd15, 16'd0} :
    lookup_error_q != 0                                  ? {lookup_error_q, lookup_term_layer_q, lookup_term_etype_q, lookup_term_code_q} :
    !r_atomic                                            ? 20'd0 :
    r_opcode > 4'd2                                      ? {4'd10, 16'h0206} :
    r_stag != window_stag                                ? {4'd11, 16'h0100} :
    r_end[64]                                            ? {4'd12, 16'h0104} :
    r_offset >= r_size || r_size - r_offset < 64'd8      ? {4'd13, 16'h0101} :
    r_offset % 8 != 0                                    ? {4'd14, 16'h0207} :
                                                           20'd0;
wire r_executes = r_atomic & (r_deserves[19:16] == 0);
wire r_unsaid   = ~spec_dead & (lookup_error_q == 0) & r_atomic & (r_opcode == 4'd1);

// ---- The state of the stream, after what has been decided
reg        spec_dead;
reg [31:0] spec_msn;
wire       spec_decide = decide & (lookup_stream_q == any_stream);
always @(posedge clk) begin
    if (spec_decide) begin
        {spec_dead, spec_msn} <=
            lookup_is_setup_q ? {1'b0, lookup_setup_msn_q} :
            r_unsaid          ? {|fault[19:16], spec_msn + {31'd0, ~|fault[19:16]}} :
                                {spec_dead | (|r_deserves[19:16]), spec_msn + {31'd0, r_executes}};
    end
    if (rst) {spec_dead, spec_msn} <= {1'b0, 32'd1};
end

// What is on offer, if it is of the stream.
reg        e_mine, e_executes, e_dead, e_unsaid;
reg [19:0] e_deserves;
reg [31:0] e_msn;
reg [`WIDTH_access_index-1:0] e_index;
always @(posedge clk) begin
    if (decide && !lookup_is_setup_q) begin
        e_mine     <= lookup_stream_q == any_stream;
        e_unsaid   <= r_unsaid;
        e_dead     <= spec_dead;
        e_executes <= r_executes;
        e_deserves <= r_deserves;
        e_msn      <= spec_msn;
        e_index    <= r_offset >> 3;
    end
end
wire spec_mine = out_valid_q & e_mine;

always @* if (started && !rst) begin
    if (spec_mine && !e_unsaid && access_valid) executes_only_what_is_right: assert (e_executes || e_dead);
    if (spec_mine && !e_unsaid && e_executes) executes_all_that_is_right: assert (access_valid);
    if (spec_mine && e_executes && access_valid) names_the_word: assert (access_index == e_index && !access_host);
    if (spec_mine && e_dead) nothing_after_error: assert (!access_valid && other_error == 4'd15);
    if (spec_mine && !e_unsaid && !e_executes && !e_dead && other_valid) first_error: assert (
        {other_error, other_term_layer, other_term_etype, other_term_code} == e_deserves);
    if (spec_mine && access_valid && !e_dead) msn: assert (access_msn == e_msn);
    if (spec_out) order: assert ({out_stream_q, out_segment_length_q, out_payload_length_q, out_header_q} ==
        {a_stream, a_segment_length, a_payload_length, a_header});
    if (spec_out && access_valid) order: assert ({access_stream, access_identifier, access_opcode} ==
        {a_stream, a_header[183:176], a_header[191:184], a_header[199:192], a_header[207:200], a_header[171:168]} &&
        access_data == octets(a_header, 38, 8) && access_mask == octets(a_header, 46, 8) &&
        access_compare == octets(a_header, 54, 8) && access_compare_mask == octets(a_header, 62, 8));
    if (spec_inside != 0) no_loss: assert (spec_looked_up | out_valid_q);
    if (spec_inside == 0) no_duplication: assert (!spec_looked_up & !out_valid_q);
    inside: assert (spec_inside == spec_looked_up + out_valid_q);
    watched_inside: assert (!spec_watching || spec_ahead < spec_inside);
    if (spec_decides) watched_inside: assert ({lookup_stream_q, lookup_segment_length_q, lookup_payload_length_q, lookup_header_q, lookup_error_q} ==
        {a_stream, a_segment_length, a_payload_length, a_header, a_error});
    clearing: assert (is_running || !(lookup_valid_q | update_valid_q | out_valid_q));
    if (is_running && update_valid_q && update_stream_q == any_stream) state_is_kept: assert (update_state_q == {spec_dead, spec_msn});
    if (is_running && !(update_valid_q && update_stream_q == any_stream)) state_is_kept: assert (stream_state[any_stream] == {spec_dead, spec_msn});
    if (!is_running) state_is_kept: assert ({spec_dead, spec_msn} == {1'b0, 32'd1} && (sweep_q <= any_stream || stream_state[any_stream] == {1'b0, 32'd1}));
    if (lookup_valid_q && lookup_stream_q == any_stream && !forward) state_is_fetched: assert (stored_state == {spec_dead, spec_msn});
end
