// access_arbiter lets the streams' atomics and the host's accesses take turns when both wait; neither waits
// for an idle other. It is combinational but for whose turn it is.
`default_nettype none
module access_arbiter_16_2 (
    input  wire        clk,
    input  wire        rst,
    input  wire        atomic_valid,
    output wire        atomic_ready,
    input  wire        atomic_host,
    input  wire        atomic_stream,
    input  wire [31:0] atomic_msn,
    input  wire [31:0] atomic_identifier,
    input  wire [3:0]  atomic_index,
    input  wire [3:0]  atomic_opcode,
    input  wire [63:0] atomic_data,
    input  wire [63:0] atomic_mask,
    input  wire [63:0] atomic_compare,
    input  wire [63:0] atomic_compare_mask,
    input  wire        host_valid,
    output wire        host_ready,
    input  wire        host_write,
    input  wire [3:0]  host_index,
    input  wire [63:0] host_data,
    output wire        access_valid,
    input  wire        access_ready,
    output wire        access_host,
    output wire        access_stream,
    output wire [31:0] access_msn,
    output wire [31:0] access_identifier,
    output wire [3:0]  access_index,
    output wire [3:0]  access_opcode,
    output wire [63:0] access_data,
    output wire [63:0] access_mask,
    output wire [63:0] access_compare,
    output wire [63:0] access_compare_mask
);
    reg host_turn_q;
    reg waiting_q;
    reg chosen_q;
    // A side that was offered and not taken stays chosen, so that the offer does not change.
    wire choice = host_valid & (host_turn_q | ~atomic_valid);
    wire host   = waiting_q ? chosen_q : choice;
    wire valid  = atomic_valid | host_valid;

    always @(posedge clk) begin
        waiting_q <= valid & ~access_ready;
        chosen_q  <= host;
        if (valid & access_ready) begin
            host_turn_q <= ~host;
        end
        if (rst) begin
            waiting_q   <= 1'b0;
            host_turn_q <= 1'b0;
        end
    end

    assign atomic_ready = access_ready & ~host;
    assign host_ready   = access_ready & host;
    assign access_valid        = valid;
    assign access_host         = host;
    assign access_stream       = host ? 1'b0 : atomic_stream;
    assign access_msn          = host ? 32'd0 : atomic_msn;
    assign access_identifier   = host ? 32'd0 : atomic_identifier;
    assign access_index        = host ? host_index : atomic_index;
    assign access_opcode       = host ? {3'd0, host_write} : atomic_opcode;
    assign access_data         = host ? host_data : atomic_data;
    assign access_mask         = host ? 64'd0 : atomic_mask;
    assign access_compare      = host ? 64'd0 : atomic_compare;
    assign access_compare_mask = host ? 64'd0 : atomic_compare_mask;

    wire unused = &{1'b0, atomic_host};
endmodule
`default_nettype wire
