// tx_fetch reads payload from memory, in order, any number of octets from any address: beats of full bus width, in
// bursts of at most 256 beats that do not cross a 4 KiB boundary (AXI4 section A3.4.1), one burst per cycle. The
// first burst leaves one cycle after the request, once the payload buffer has room for the whole segment, so that
// data from memory can always be stored.
//
// Built for bus_bytes 64, max_payload 1024, payload_room 512.
`default_nettype none
module tx_fetch (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // fetch
    input  wire        fetch_valid,
    output wire        fetch_ready,
    input  wire [63:0] fetch_address, // of the first octet in memory
    input  wire [15:0] fetch_length,  // octets, 1 to MaxPayload
    input  wire [5:0]  fetch_lead,    // octets of header before them, modulo the bus width

    // m_axi
    output wire        m_axi_arvalid,
    input  wire        m_axi_arready,
    output wire        m_axi_arid,    // 0 payload, 1 words of atomics
    output wire [63:0] m_axi_araddr,  // address of the first beat in octets, a multiple of the bus width
    output wire [7:0]  m_axi_arlen,   // beats - 1
    output wire [2:0]  m_axi_arsize,  // log2 of the octets per beat: always the bus width
    output wire [1:0]  m_axi_arburst, // always 1: incrementing

    // coming
    output wire        coming_valid,
    input  wire        coming_ready,
    output wire [4:0]  coming_beats,  // beats from memory
    output wire [5:0]  coming_offset, // octets of the first beat before the payload
    output wire [5:0]  coming_ends,   // octets of the last beat up to the end of the payload; 0: all
    output wire [5:0]  coming_turn,   // rotation of each beat in octets, towards higher indices
    output wire        coming_late,   // the first beat does not fill a beat of the segment
    output wire        coming_spill,  // octets of the last beat are left over for one more beat of the segment

    input  wire        freed  // one beat has left the payload buffer
);
    // ---- Beats of the payload, in memory and in the segment
    wire [10:0] payload_length = fetch_length[10:0];
    wire [5:0]  offset         = fetch_address[5:0];
    wire [10:0] end_in_memory  = payload_length + {5'd0, offset};
    wire [10:0] end_in_segment = payload_length + {5'd0, fetch_lead};
    wire [10:0] memory_up      = end_in_memory + 11'd63;
    wire [4:0]  memory_beats = memory_up[10:6];
    wire [10:0] segment_up   = end_in_segment + 11'd63;
    wire [4:0] segment_beats = segment_up[10:6];
    wire       late          = fetch_lead < offset;

    // ---- The segment whose bursts are being issued
    reg        valid_q;
    reg        issued_q;
    reg [57:0] beat_address_q;
    reg [4:0]  left_q;
    reg [4:0]  needed_q;
    // A burst ends where 64 beats end in memory.
    wire [6:0] to_boundary = 7'd64 - {1'b0, beat_address_q[5:0]};
    wire       last_burst  = {2'd0, left_q} <= to_boundary;
    wire [6:0] burst       = last_burst ? {2'd0, left_q} : to_boundary;

    // ---- Unreserved room in the payload buffer
    reg  [9:0] room_q;
    wire       fits         = {5'd0, needed_q} <= room_q;
    wire       offer        = valid_q & (issued_q | fits);
    wire       issue        = offer & m_axi_arready;
    wire [4:0] reserved_now = needed_q & {5{issue & ~issued_q}};

    always @(posedge clk) begin
        room_q <= (room_q - {5'd0, reserved_now}) + {9'd0, freed};
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
    assign coming_ends   = end_in_memory[5:0];
    assign coming_turn   = fetch_lead - offset;
    assign coming_late   = late;
    assign coming_spill  = (segment_beats + {4'd0, late}) != memory_beats;

    always @(posedge clk) begin
        if (take) begin
            valid_q        <= 1'b1;
            issued_q       <= 1'b0;
            beat_address_q <= fetch_address[63:6];
            left_q         <= memory_beats;
            needed_q       <= segment_beats;
        end else if (issue) begin
            valid_q        <= ~last_burst;
            issued_q       <= 1'b1;
            beat_address_q <= beat_address_q + {51'd0, burst};
            left_q         <= left_q - burst[4:0];
        end
        if (rst) begin
            valid_q <= 1'b0;
        end
    end

    assign m_axi_arvalid = offer;
    assign m_axi_arid    = 1'b0;
    assign m_axi_araddr  = {beat_address_q, 6'd0};
    assign m_axi_arlen   = {1'b0, burst - 7'd1};
    assign m_axi_arsize  = 3'd6;
    assign m_axi_arburst = 2'd1;

    // Not read:
    // fetch_length[15:11]: at most MaxPayload
    // memory_up[5:0], segment_up[5:0]: rounded up to whole beats
    wire unused = &{1'b0, fetch_length[15:11], memory_up[5:0], segment_up[5:0]};
endmodule
`default_nettype wire
