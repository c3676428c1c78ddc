// axi_write_arbiter shares one AXI4 write channel between payload and atomics, burst by burst: a waiting burst is
// passed over at most once. Data follow in the order of the addresses; they may arrive before, with or after their
// address, and in that case the other side waits. One more burst may begin while the data of a burst are incomplete, so
// that what accepts an address does not depend on data. Bursts of one beat pass one per cycle.
//
// Every output to memory is registered: one cycle of latency each way, two for data that come with their address.
// Responses are routed by bid: 0 to payload, 1 to atomics. A response that is not accepted holds up those after it, of
// either side. After reset no burst is in progress.
//
// Built for bus_bytes 64.
`default_nettype none
module axi_write_arbiter (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // payload
    input  wire         payload_awvalid,
    output wire         payload_awready,
    input  wire         payload_awid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
    input  wire [63:0]  payload_awaddr,  // address of the first beat in octets, a multiple of the bus width
    input  wire [7:0]   payload_awlen,   // beats - 1
    input  wire [2:0]   payload_awsize,  // log2 of the octets per beat: always the bus width
    input  wire [1:0]   payload_awburst, // always 1: incrementing
    input  wire         payload_wvalid,
    output wire         payload_wready,
    input  wire [511:0] payload_wdata,   // octets; the one at the lowest address in [7:0]
    input  wire [63:0]  payload_wstrb,   // octets to write; may be none
    input  wire         payload_wlast,   // last beat of the burst
    output wire         payload_bvalid,
    input  wire         payload_bready,
    output wire         payload_bid,     // that of the burst
    output wire [1:0]   payload_bresp,   // 0 OKAY, 2 SLVERR, 3 DECERR

    // atomic
    input  wire         atomic_awvalid,
    output wire         atomic_awready,
    input  wire         atomic_awid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
    input  wire [63:0]  atomic_awaddr,  // address of the first beat in octets, a multiple of the bus width
    input  wire [7:0]   atomic_awlen,   // beats - 1
    input  wire [2:0]   atomic_awsize,  // log2 of the octets per beat: always the bus width
    input  wire [1:0]   atomic_awburst, // always 1: incrementing
    input  wire         atomic_wvalid,
    output wire         atomic_wready,
    input  wire [511:0] atomic_wdata,   // octets; the one at the lowest address in [7:0]
    input  wire [63:0]  atomic_wstrb,   // octets to write; may be none
    input  wire         atomic_wlast,   // last beat of the burst
    output wire         atomic_bvalid,
    input  wire         atomic_bready,
    output wire         atomic_bid,     // that of the burst
    output wire [1:0]   atomic_bresp,   // 0 OKAY, 2 SLVERR, 3 DECERR

    // m_axi
    output wire         m_axi_awvalid,
    input  wire         m_axi_awready,
    output wire         m_axi_awid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
    output wire [63:0]  m_axi_awaddr,  // address of the first beat in octets, a multiple of the bus width
    output wire [7:0]   m_axi_awlen,   // beats - 1
    output wire [2:0]   m_axi_awsize,  // log2 of the octets per beat: always the bus width
    output wire [1:0]   m_axi_awburst, // always 1: incrementing
    output wire         m_axi_wvalid,
    input  wire         m_axi_wready,
    output wire [511:0] m_axi_wdata,   // octets; the one at the lowest address in [7:0]
    output wire [63:0]  m_axi_wstrb,   // octets to write; may be none
    output wire         m_axi_wlast,   // last beat of the burst
    input  wire         m_axi_bvalid,
    output wire         m_axi_bready,
    input  wire         m_axi_bid,     // that of the burst
    input  wire [1:0]   m_axi_bresp    // 0 OKAY, 2 SLVERR, 3 DECERR
);
    // ---- Data of the oldest burst that lacks some, from the cycle after its address on
    reg [511:0] data_wdata_q;
    reg [63:0]  data_wstrb_q;
    reg         data_wlast_q;
    reg         data_valid_q;
    reg         open_q;
    reg         atomic_owner_q;
    // The data, which are wide, have a register of their own for whose they are.
    reg          payload_data_q;
    wire         data_ready  = open_q & (~data_valid_q | m_axi_wready);
    assign payload_wready = data_ready & ~atomic_owner_q;
    assign atomic_wready  = data_ready & atomic_owner_q;
    wire [576:0] chosen_beat =
        payload_data_q ? {payload_wdata, payload_wstrb, payload_wlast} :
                         {atomic_wdata, atomic_wstrb, atomic_wlast};
    wire         move        = atomic_owner_q ? (data_ready & atomic_wvalid) : (data_ready & payload_wvalid);
    wire         is_last     =
        atomic_owner_q ? (atomic_wvalid & atomic_wlast) : (payload_wvalid & payload_wlast);
    wire         burst_ends  = data_ready & is_last;
    assign m_axi_wvalid   = data_valid_q;
    assign m_axi_wdata    = data_wdata_q;
    assign m_axi_wstrb    = data_wstrb_q;
    assign m_axi_wlast    = data_wlast_q;

    // ---- Address: at most one burst that has begun waits until the data of the one before it are complete
    reg         next_q;
    reg         next_atomic_q;
    reg         address_awid_q;
    reg  [63:0] address_awaddr_q;
    reg  [7:0]  address_awlen_q;
    reg  [2:0]  address_awsize_q;
    reg  [1:0]  address_awburst_q;
    reg         address_valid_q;
    reg         atomic_turn_q;
    wire        atomic_choice  = atomic_awvalid & (atomic_turn_q | ~payload_awvalid);
    wire        address_free   = ~next_q & (~address_valid_q | m_axi_awready);
    wire        begin_burst    = address_free & (payload_awvalid | atomic_awvalid);
    assign payload_awready = address_free & ~atomic_choice;
    assign atomic_awready  = address_free & atomic_choice;
    wire [77:0] chosen_address =
        atomic_choice ? {atomic_awid, atomic_awaddr, atomic_awlen, atomic_awsize, atomic_awburst} :
                        {payload_awid, payload_awaddr, payload_awlen, payload_awsize, payload_awburst};
    wire        data_over      = ~open_q | burst_ends;
    wire        next_owner     = next_q ? next_atomic_q : atomic_choice;

    always @(posedge clk) begin
        if (begin_burst) begin
            address_valid_q   <= 1'b1;
            address_awid_q    <= chosen_address[77];
            address_awaddr_q  <= chosen_address[76:13];
            address_awlen_q   <= chosen_address[12:5];
            address_awsize_q  <= chosen_address[4:2];
            address_awburst_q <= chosen_address[1:0];
            atomic_turn_q     <= ~atomic_choice;
            next_atomic_q     <= atomic_choice;
        end else if (m_axi_awready) begin
            address_valid_q <= 1'b0;
        end
        if (move) begin
            data_valid_q <= 1'b1;
            data_wdata_q <= chosen_beat[576:65];
            data_wstrb_q <= chosen_beat[64:1];
            data_wlast_q <= chosen_beat[0];
        end else if (m_axi_wready) begin
            data_valid_q <= 1'b0;
        end
        if (data_over) begin
            open_q         <= next_q | begin_burst;
            atomic_owner_q <= next_owner;
            payload_data_q <= ~next_owner;
        end
        next_q <= ~data_over & (next_q | begin_burst);
        if (rst) begin
            address_valid_q <= 1'b0;
            atomic_turn_q   <= 1'b0;
            data_valid_q    <= 1'b0;
            open_q          <= 1'b0;
            next_q          <= 1'b0;
        end
    end

    assign m_axi_awvalid = address_valid_q;
    assign m_axi_awid    = address_awid_q;
    assign m_axi_awaddr  = address_awaddr_q;
    assign m_axi_awlen   = address_awlen_q;
    assign m_axi_awsize  = address_awsize_q;
    assign m_axi_awburst = address_awburst_q;

    // ---- Responses
    reg        answer_bid_q;
    reg  [1:0] answer_bresp_q;
    reg        answer_valid_q;
    wire       answer_is_atomic = answer_bid_q == 1'b1;
    wire       answer_ready     = ~answer_valid_q | (answer_is_atomic ? atomic_bready : payload_bready);
    assign m_axi_bready = answer_ready;

    always @(posedge clk) begin
        if (answer_ready) begin
            answer_valid_q <= m_axi_bvalid;
            answer_bid_q   <= m_axi_bid;
            answer_bresp_q <= m_axi_bresp;
        end
        if (rst) begin
            answer_valid_q <= 1'b0;
        end
    end

    assign payload_bvalid = answer_valid_q & ~answer_is_atomic;
    assign payload_bid    = answer_bid_q;
    assign payload_bresp  = answer_bresp_q;
    assign atomic_bvalid  = answer_valid_q & answer_is_atomic;
    assign atomic_bid     = answer_bid_q;
    assign atomic_bresp   = answer_bresp_q;
endmodule
`default_nettype wire
