// tx_fetch reads payload from memory, in order, any number of octets from any address: beats of the full bus
// width, in bursts of at most 256 beats that do not cross a 4 KiB boundary (AXI4 section A3.4.1), one burst a
// clock. The first burst comes one clock after the request. Before it there is room for the whole segment in
// the payload buffer, so that what memory gives can always be stored.
//
// Built for bus_bytes 8, max_payload 256, payload_room 512.
`default_nettype none
module tx_fetch (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // fetch
    input  wire        fetch_valid,
    output wire        fetch_ready,
    input  wire [63:0] fetch_address,
    input  wire [15:0] fetch_length,
    input  wire [2:0]  fetch_lead,

    // m_axi
    output wire        m_axi_arvalid,
    input  wire        m_axi_arready,
    output wire        m_axi_arid,    // 0 payload, 1 words of atomics
    output wire [63:0] m_axi_araddr,  // address of the first beat in octets, a multiple of the bus width
    output wire [7:0]  m_axi_arlen,   // beats - 1
    output wire [2:0]  m_axi_arsize,  // log2 of the octets a beat: always the bus width
    output wire [1:0]  m_axi_arburst, // always 1: incrementing

    // coming
    output wire        coming_valid,
    input  wire        coming_ready,
    output wire [5:0]  coming_beats,
    output wire [2:0]  coming_offset,
    output wire [2:0]  coming_ends,
    output wire [2:0]  coming_turn,
    output wire        coming_late,
    output wire        coming_spill,

    input  wire        freed  // one beat has left the payload buffer
);
    // ---- Beats of the payload, in memory and in the segment
    wire [8:0] payload_length = fetch_length[8:0];
    wire [2:0] offset         = fetch_address[2:0];
    wire [8:0] end_in_memory  = payload_length + {6'd0, offset};
    wire [8:0] end_in_segment = payload_length + {6'd0, fetch_lead};
    wire [8:0] memory_up      = end_in_memory + 9'd7;
    wire [5:0] memory_beats = memory_up[8:3];
    wire [8:0] segment_up   = end_in_segment + 9'd7;
    wire [5:0] segment_beats = segment_up[8:3];
    wire       late          = fetch_lead < offset;

    // ---- The segment whose bursts are on their way out
    reg        valid_q;
    reg        begun_q;
    reg [60:0] beat_address_q;
    reg [5:0]  left_q;
    reg [5:0]  needed_q;
    // A burst ends where 256 beats end in memory.
    wire [8:0] to_boundary = 9'd256 - {1'b0, beat_address_q[7:0]};
    wire       last_burst  = {3'd0, left_q} <= to_boundary;
    wire [8:0] burst       = last_burst ? {3'd0, left_q} : to_boundary;

    // ---- Room in the payload buffer that nothing is under way to
    reg  [9:0] room_q;
    wire       fits         = {4'd0, needed_q} <= room_q;
    wire       offer        = valid_q & (begun_q | fits);
    wire       issue        = offer & m_axi_arready;
    wire [5:0] reserved_now = needed_q & {6{issue & ~begun_q}};

    always @(posedge clk) begin
        room_q <= (room_q - {4'd0, reserved_now}) + {9'd0, freed};
        if (rst) begin
            room_q <= 10'd512;
        end
    end

    // ---- Requests and bursts
    wire next = ~valid_q | (issue & last_burst);
    wire take = fetch_valid & next & coming_ready;
    assign fetch_ready   = next & coming_ready;
    assign coming_valid  = fetch_valid & next;
    assign coming_beats  = memory_beats;
    assign coming_offset = offset;
    assign coming_ends   = end_in_memory[2:0];
    assign coming_turn   = fetch_lead - offset;
    assign coming_late   = late;
    assign coming_spill  = (segment_beats + {5'd0, late}) != memory_beats;

    always @(posedge clk) begin
        if (take) begin
            valid_q        <= 1'b1;
            begun_q        <= 1'b0;
            beat_address_q <= fetch_address[63:3];
            left_q         <= memory_beats;
            needed_q       <= segment_beats;
        end else if (issue) begin
            valid_q        <= ~last_burst;
            begun_q        <= 1'b1;
            beat_address_q <= beat_address_q + {52'd0, burst};
            left_q         <= left_q - burst[5:0];
        end
        if (rst) begin
            valid_q <= 1'b0;
        end
    end

    assign m_axi_arvalid = offer;
    assign m_axi_arid    = 1'b0;
    assign m_axi_araddr  = {beat_address_q, 3'd0};
    assign m_axi_arlen   = burst[7:0] - 8'd1;
    assign m_axi_arsize  = 3'd3;
    assign m_axi_arburst = 2'd1;

    wire unused = &{1'b0, fetch_length[15:9], memory_up[2:0], segment_up[2:0]};
endmodule
`default_nettype wire
