// The check of a range is the complement of a product. One factor is the state that came; the other, taken through the octets of zeros behind the
// range, is 1. So the product, taken through them, is the state. The references divide by the polynomials of CRC32C (RFC 3720) and CRC-64/NVME.
// uses crc_octets
// uses crc_times
// depth 1
// bound 21

// property factor: the factor of a range, taken through the octets of zeros behind it, is 1
// control factor: 8'd253 >> range_end => 8'd252 >> range_end
// control factor: 8'd215 >> range_end => 8'd87 >> range_end
// property right: the check is the complement of the state times the factor, its most significant octet first
// control right: factor_q & {64{state_q[3]}}, 4'd0 => factor_q & {64{state_q[3]}}, 4'd1
// control right: if (range_valid) begin product_q <= 64'd0 => if (1'b0) begin product_q <= 64'd0
// property on_time: a check is on offer 10 cycles after a state of CRC32C, 18 after one of CRC-64/NVME, until it is accepted
// control on_time: range_wide ? 4'd15 : 4'd7 => range_wide ? 4'd15 : 4'd8
// property its_own: it is of the stream of the state, and failed if that has
// control its_own: failed_q <= range_failed => failed_q <= range_wide
// invariant counts: the counters are those of the cycles since the state came
// invariant replaced: what leaves the product at its highest power is replaced by the polynomial
// invariant steps: four bits of the state are used in a cycle
// assume not_early: digest_unit, which brings the next state when the check of the one before is accepted
// assume narrow: digest_crc, whose states of CRC32C have 32 bits

localparam BUS = `BUS_BYTES;
reg  [4:0]  age_q; // cycles since the state came; 0: there is none
reg  [`WIDTH_range_stream-1:0] its_stream_q;
reg  its_wide_q, its_failed_q;
wire [4:0] wanted = its_wide_q ? 5'd18 : 5'd10;
wire taken = check_valid & check_ready;

// ---- The factor, taken through the zeros
wire [7:0]  zeros = range_end == 0 ? 0 : BUS - range_end; // behind the range
wire [31:0] behind_factor_32;
wire [63:0] behind_factor_64;
crc_octets #(.WIDTH(32), .POLYNOMIAL(32'h1EDC6F41), .OCTETS(BUS - 1)) zeros_32 (.state(crc32_factor), .octets({8*(BUS - 1){1'b0}}), .count(zeros), .next(behind_factor_32));
crc_octets #(.WIDTH(64), .POLYNOMIAL(64'hAD93D23594C93659), .OCTETS(BUS - 1)) zeros_64 (.state(crc64_factor), .octets({8*(BUS - 1){1'b0}}), .count(zeros), .next(behind_factor_64));

// ---- The product, with the bits of the state that were used before this cycle and the one before
reg  [63:0] came_q, left_bits_q, factor_came_q, sum_q;
wire [31:0] next_32;
wire [63:0] next_64;
crc_times #(.WIDTH(32), .POLYNOMIAL(32'h1EDC6F41), .BITS(4)) times_32 (.sum(sum_q[31:0]), .bits(left_bits_q[3:0]), .factor(factor_came_q[31:0]), .next(next_32));
crc_times #(.WIDTH(64), .POLYNOMIAL(64'hAD93D23594C93659), .BITS(4)) times_64 (.sum(sum_q), .bits(left_bits_q[3:0]), .factor(factor_came_q), .next(next_64));
wire uses = age_q > 1 && age_q < wanted;
always @(posedge clk) begin
    if (age_q != 0 && age_q != wanted) age_q <= age_q + 1'b1;
    if (taken) age_q <= 0;
    if (uses) {sum_q, left_bits_q} <= {its_wide_q ? next_64 : {32'd0, next_32}, 4'd0, left_bits_q[63:4]};
    if (range_valid) begin
        {age_q, its_stream_q, its_wide_q, its_failed_q} <= {5'd1, range_stream, range_wide, range_failed};
        {left_bits_q, sum_q} <= {range_state, 64'd0};
        factor_came_q <= range_wide ? crc64_factor : {32'd0, crc32_factor};
    end
    if (rst) age_q <= 0;
end
wire [63:0] product = ~sum_q;
wire [63:0] reversed = {product[7:0], product[15:8], product[23:16], product[31:24], product[39:32], product[47:40], product[55:48], product[63:56]};

always @* if (started && range_valid) not_early: assume (age_q == 0 || taken);
always @* if (started && range_valid && !range_wide) narrow: assume (range_state[63:32] == 0);
always @* if (started && !rst) begin
    factor: assert (behind_factor_32 == 32'h80000000 && behind_factor_64 == 64'h8000000000000000);
    if (check_valid) right: assert (check_octets == (its_wide_q ? reversed : {32'd0, reversed[63:32]}));
    on_time: assert (check_valid == (age_q != 0 && age_q == wanted));
    if (check_valid) its_own: assert (check_stream == its_stream_q && check_failed == its_failed_q);
    counts: assert (busy_q == (age_q != 0 && age_q <= wanted - 2) && adds_q == uses && age_q <= wanted);
    if (busy_q) counts: assert (left_q == wanted - 2 - age_q);
    if (age_q != 0) counts: assert (wide_q == its_wide_q && stream_q == its_stream_q && failed_q == its_failed_q && factor_q == factor_came_q);
    if (age_q != 0) steps: assert (product_q == sum_q && (its_wide_q || factor_q[63:32] == 0 && sum_q[63:32] == 0));
    if (age_q == 1) steps: assert (state_q == left_bits_q && sum_q == 0);
    if (adds_q) steps: assert (state_q == left_bits_q >> 4);
    if (adds_q) replaced: assert (reduced[3:0] == (over_crc64_q | over_crc32c_q) && (its_wide_q ? over_crc32c_q == 0 : over_crc64_q == 0));
    if (adds_q) replaced: assert (term_q == ({{4'd0, factor_q & {64{left_bits_q[0]}}} << 1} ^ {{4'd0, factor_q & {64{left_bits_q[1]}}} << 2} ^
        {{4'd0, factor_q & {64{left_bits_q[2]}}} << 3} ^ {{4'd0, factor_q & {64{left_bits_q[3]}}} << 4}));
end
