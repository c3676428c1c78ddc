// atomic_alu computes RFC 7306 section 5.1 on one 64-bit word a clock, one clock of latency. A request is
// taken only when its result has a place to go; nothing is dropped under back-pressure.
`default_nettype none
module atomic_alu (
    input  wire        clk,
    input  wire        rst,
    input  wire        req_valid,
    output wire        req_ready,
    input  wire [3:0]  req_opcode,
    input  wire [63:0] req_original,
    input  wire [63:0] req_data,
    input  wire [63:0] req_mask,
    input  wire [63:0] req_compare,
    input  wire [63:0] req_compare_mask,
    output wire        resp_valid,
    input  wire        resp_ready,
    output wire [63:0] resp_original,
    output wire [63:0] resp_result
);
    localparam [3:0] FETCH_ADD = 4'd0;
    localparam [3:0] CMP_SWAP  = 4'd2;

    // ---- FetchAdd: one carry chain, cut where a mask bit ends a field
    wire [63:0] keep = ~req_mask;
    // A mask bit is the top bit of a field: its carry out is dropped, so it adds as an exclusive or.
    wire [63:0] sum = ((req_original & keep) + (req_data & keep)) ^ ((req_original ^ req_data) & req_mask);

    // ---- CmpSwap: the masked bits are replaced when the compared bits are equal
    wire        equal   = ~|((req_compare ^ req_original) & req_compare_mask);
    wire [63:0] swapped = (req_original & keep) | (req_data & req_mask);

    // ---- Result
    wire [63:0] next  =
        (req_opcode == FETCH_ADD)          ? sum :
        ((req_opcode == CMP_SWAP) & equal) ? swapped :
                                             req_original;
    reg  [63:0] resp_original_q;
    reg  [63:0] resp_result_q;
    reg         resp_valid_q;
    wire        ready = ~resp_valid_q | resp_ready;

    always @(posedge clk) begin
        if (ready) begin
            resp_valid_q    <= req_valid;
            resp_original_q <= req_original;
            resp_result_q   <= next;
        end
        if (rst) begin
            resp_valid_q <= 1'b0;
        end
    end

    assign req_ready     = ready;
    assign resp_valid    = resp_valid_q;
    assign resp_original = resp_original_q;
    assign resp_result   = resp_result_q;
endmodule
`default_nettype wire
