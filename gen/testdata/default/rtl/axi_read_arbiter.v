// axi_read_arbiter shares one AXI4 read channel between the reader of payload and the reader of the atomic unit. When
// both wait they take turns, one burst per cycle; neither waits for an idle one. The identifier names the owner of a
// burst, 0 payload, 1 atomics, and routes the data back, as long as payload has room for a beat: the atomic unit always
// has. Only the turn is registered; the paths are combinational.
//
// Built for bus_bytes 64.
`default_nettype none
module axi_read_arbiter (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // payload
    input  wire         payload_arvalid,
    output wire         payload_arready,
    input  wire         payload_arid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
    input  wire [63:0]  payload_araddr,  // address of the first beat in octets, a multiple of the bus width
    input  wire [7:0]   payload_arlen,   // beats - 1
    input  wire [2:0]   payload_arsize,  // log2 of the octets per beat: always the bus width
    input  wire [1:0]   payload_arburst, // always 1: incrementing
    output wire         payload_rvalid,
    input  wire         payload_rready,
    output wire         payload_rid,     // that of the burst
    output wire [511:0] payload_rdata,   // octets; the one at the lowest address in [7:0]
    output wire [1:0]   payload_rresp,   // 0 OKAY, 2 SLVERR, 3 DECERR
    output wire         payload_rlast,   // last beat of the burst

    // atomic
    input  wire         atomic_arvalid,
    output wire         atomic_arready,
    input  wire         atomic_arid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
    input  wire [63:0]  atomic_araddr,  // address of the first beat in octets, a multiple of the bus width
    input  wire [7:0]   atomic_arlen,   // beats - 1
    input  wire [2:0]   atomic_arsize,  // log2 of the octets per beat: always the bus width
    input  wire [1:0]   atomic_arburst, // always 1: incrementing
    output wire         atomic_rvalid,
    input  wire         atomic_rready,
    output wire         atomic_rid,     // that of the burst
    output wire [511:0] atomic_rdata,   // octets; the one at the lowest address in [7:0]
    output wire [1:0]   atomic_rresp,   // 0 OKAY, 2 SLVERR, 3 DECERR
    output wire         atomic_rlast,   // last beat of the burst

    // m_axi
    output wire         m_axi_arvalid,
    input  wire         m_axi_arready,
    output wire         m_axi_arid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
    output wire [63:0]  m_axi_araddr,  // address of the first beat in octets, a multiple of the bus width
    output wire [7:0]   m_axi_arlen,   // beats - 1
    output wire [2:0]   m_axi_arsize,  // log2 of the octets per beat: always the bus width
    output wire [1:0]   m_axi_arburst, // always 1: incrementing
    input  wire         m_axi_rvalid,
    output wire         m_axi_rready,
    input  wire         m_axi_rid,     // that of the burst
    input  wire [511:0] m_axi_rdata,   // octets; the one at the lowest address in [7:0]
    input  wire [1:0]   m_axi_rresp,   // 0 OKAY, 2 SLVERR, 3 DECERR
    input  wire         m_axi_rlast    // last beat of the burst
);
    // ---- Addresses
    reg atomic_turn_q;
    reg waiting_q;
    reg chosen_q;
    // A side that was offered but not accepted stays chosen, so that the offer is stable.
    wire choice = atomic_arvalid & (atomic_turn_q | ~payload_arvalid);
    wire atomic = waiting_q ? chosen_q : choice;
    wire valid  = payload_arvalid | atomic_arvalid;

    always @(posedge clk) begin
        waiting_q <= valid & ~m_axi_arready;
        chosen_q  <= atomic;
        if (valid & m_axi_arready) begin
            atomic_turn_q <= ~atomic;
        end
        if (rst) begin
            waiting_q     <= 1'b0;
            atomic_turn_q <= 1'b0;
        end
    end

    // Whether a side is accepted does not depend on whether it is valid.
    assign payload_arready = m_axi_arready & (waiting_q ? ~chosen_q : ~(atomic_arvalid & atomic_turn_q));
    assign atomic_arready  = m_axi_arready & (waiting_q ? chosen_q : (atomic_turn_q | ~payload_arvalid));
    localparam ID_ATOMIC  = 1'd1;
    localparam ID_PAYLOAD = 1'd0;
    assign m_axi_arvalid = valid;
    assign m_axi_arid    = atomic ? ID_ATOMIC : ID_PAYLOAD;
    assign m_axi_araddr  = atomic ? atomic_araddr : payload_araddr;
    assign m_axi_arlen   = atomic ? atomic_arlen : payload_arlen;
    assign m_axi_arsize  = atomic ? atomic_arsize : payload_arsize;
    assign m_axi_arburst = atomic ? atomic_arburst : payload_arburst;

    // ---- Data
    wire for_atomic = m_axi_rid == ID_ATOMIC;
    // Memory sees no path from whose beat it is to whether it is accepted.
    assign payload_rvalid = m_axi_rvalid & ~for_atomic;
    assign payload_rid    = m_axi_rid;
    assign payload_rdata  = m_axi_rdata;
    assign payload_rresp  = m_axi_rresp;
    assign payload_rlast  = m_axi_rlast;
    assign atomic_rvalid  = m_axi_rvalid & for_atomic & payload_rready;
    assign atomic_rid     = m_axi_rid;
    assign atomic_rdata   = m_axi_rdata;
    assign atomic_rresp   = m_axi_rresp;
    assign atomic_rlast   = m_axi_rlast;
    assign m_axi_rready   = payload_rready;

    // Not read:
    // atomic_arid, payload_arid: replaced by the number of the side
    // atomic_rready: the unit has room for all that it reads
    wire unused = &{1'b0, atomic_arid, payload_arid, atomic_rready};
endmodule
`default_nettype wire
