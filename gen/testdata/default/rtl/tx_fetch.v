// tx_fetch reads payload from memory, in order, any number of octets from any address: beats of full bus width, in
// bursts of at most 256 beats that do not cross a 4 KiB boundary (AXI4 section A3.4.1), one burst per cycle. The
// first burst leaves two cycles after the request, once the payload buffer has room for the whole segment, so that
// data from memory can always be stored. Two more requests can wait.
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
    output wire        m_axi_arid,    // 0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it
    output wire [63:0] m_axi_araddr,  // address of the first beat in octets, a multiple of the bus width
    output wire [7:0]  m_axi_arlen,   // beats - 1
    output wire [2:0]  m_axi_arsize,  // log2 of the octets per beat: always the bus width
    output wire [1:0]  m_axi_arburst, // always 1: incrementing

    // coming
    output wire        coming_valid,
    input  wire        coming_ready,
    output wire [4:0]  coming_behind, // beats from memory after the first one
    output wire [5:0]  coming_turn,   // rotation of each beat in octets, towards higher indices
    output wire [5:0]  coming_lead,   // octets of the first beat of the segment before the payload
    output wire [5:0]  coming_ends,   // octets of the last beat of the segment up to the end of the payload; 0: all
    output wire        coming_late,   // the first beat does not fill a beat of the segment
    output wire        coming_spill,  // octets of the last beat are left over for one more beat of the segment

    input  wire        freed  // one beat has left the payload buffer
);
    wire        read_valid;
    wire        read_ready;
    wire [57:0] read_beat;
    wire [4:0]  read_segment;
    wire [4:0]  read_coming_behind;
    wire [5:0]  read_coming_turn;
    wire [5:0]  read_coming_lead;
    wire [5:0]  read_coming_ends;
    wire        read_coming_late;
    wire        read_coming_spill;

    // ---- Beats of the payload, in memory and in the segment
    reg  [57:0] request_beat_q;
    reg  [4:0]  request_segment_q;
    reg  [4:0]  request_coming_behind_q;
    reg  [5:0]  request_coming_turn_q;
    reg  [5:0]  request_coming_lead_q;
    reg  [5:0]  request_coming_ends_q;
    reg         request_coming_late_q;
    reg         request_coming_spill_q;
    reg         request_valid_q;
    reg  [57:0] request_kept_beat_q;
    reg  [4:0]  request_kept_segment_q;
    reg  [4:0]  request_kept_coming_behind_q;
    reg  [5:0]  request_kept_coming_turn_q;
    reg  [5:0]  request_kept_coming_lead_q;
    reg  [5:0]  request_kept_coming_ends_q;
    reg         request_kept_coming_late_q;
    reg         request_kept_coming_spill_q;
    reg         request_keeps_q;
    reg         request_room_q;
    assign fetch_ready = request_room_q;
    wire [10:0] payload_length = fetch_length[10:0];
    wire [5:0] offset = fetch_address[5:0];
    // The last octet is in the beat in which the one before its end is.
    wire [10:0] end_in_memory        = payload_length + {5'd0, offset};
    wire [10:0] last_octet_in_memory = end_in_memory - 11'd1;
    wire [4:0]  memory_behind         = last_octet_in_memory[10:6];
    wire [10:0] end_in_segment        = payload_length + {5'd0, fetch_lead};
    wire [10:0] last_octet_in_segment = end_in_segment - 11'd1;
    wire [4:0] segment_behind = last_octet_in_segment[10:6];
    wire        late          = fetch_lead < offset;
    wire        request_free  = ~request_valid_q | read_ready;
    wire [87:0] request_next  =
        request_keeps_q ? {
                              request_kept_beat_q, request_kept_segment_q, request_kept_coming_behind_q,
                              request_kept_coming_turn_q, request_kept_coming_lead_q,
                              request_kept_coming_ends_q, request_kept_coming_late_q,
                              request_kept_coming_spill_q
                          } :
                          {
                              fetch_address[63:6], segment_behind, memory_behind, fetch_lead - offset,
                              fetch_lead, end_in_segment[5:0], late,
                              (segment_behind + {4'd0, late}) != memory_behind
                          };
    wire        request_keeps = (request_keeps_q | (fetch_valid & request_room_q)) & ~request_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (request_free) begin
            request_valid_q         <= request_keeps_q | (fetch_valid & request_room_q);
            request_beat_q          <= request_next[87:30];
            request_segment_q       <= request_next[29:25];
            request_coming_behind_q <= request_next[24:20];
            request_coming_turn_q   <= request_next[19:14];
            request_coming_lead_q   <= request_next[13:8];
            request_coming_ends_q   <= request_next[7:2];
            request_coming_late_q   <= request_next[1];
            request_coming_spill_q  <= request_next[0];
        end
        if (~request_keeps_q) begin
            request_kept_beat_q          <= fetch_address[63:6];
            request_kept_segment_q       <= segment_behind;
            request_kept_coming_behind_q <= memory_behind;
            request_kept_coming_turn_q   <= fetch_lead - offset;
            request_kept_coming_lead_q   <= fetch_lead;
            request_kept_coming_ends_q   <= end_in_segment[5:0];
            request_kept_coming_late_q   <= late;
            request_kept_coming_spill_q  <= (segment_behind + {4'd0, late}) != memory_behind;
        end
        request_keeps_q <= request_keeps;
        request_room_q  <= ~request_keeps;
        if (rst) begin
            request_valid_q <= 1'b0;
            request_keeps_q <= 1'b0;
            request_room_q  <= 1'b1;
        end
    end

    assign read_valid         = request_valid_q;
    assign read_beat          = request_beat_q;
    assign read_segment       = request_segment_q;
    assign read_coming_behind = request_coming_behind_q;
    assign read_coming_turn   = request_coming_turn_q;
    assign read_coming_lead   = request_coming_lead_q;
    assign read_coming_ends   = request_coming_ends_q;
    assign read_coming_late   = request_coming_late_q;
    assign read_coming_spill  = request_coming_spill_q;

    // ---- A request is taken when the payload buffer has room for its segment, and the last burst before it leaves
    reg        valid_q;
    reg        last_q;
    reg  [9:0] room_q;
    wire       burst_is_over = ~valid_q | (last_q & m_axi_arready);
    wire       next          = ({5'd0, read_segment} < room_q) & burst_is_over;
    wire       take          = read_valid & next & coming_ready;
    assign read_ready    = next & coming_ready;
    assign coming_valid  = read_valid & next;
    assign coming_behind = read_coming_behind;
    assign coming_turn   = read_coming_turn;
    assign coming_lead   = read_coming_lead;
    assign coming_ends   = read_coming_ends;
    assign coming_late   = read_coming_late;
    assign coming_spill  = read_coming_spill;
    // One beat more than those after the first, subtracted.
    wire [9:0] room_taken = ~{5'd0, read_segment} & {10{take}};

    always @(posedge clk) begin
        room_q <= room_q + room_taken + {9'd0, freed};
        if (rst) begin
            room_q <= 10'd512;
        end
    end

    // ---- The burst on offer
    // A burst ends where 64 beats end in memory. Counts are those of beats after a first one.
    reg  [57:0] beat_address_q;
    reg  [5:0]  length_q;
    reg  [5:0]  left_q;
    wire [5:0]  behind      = {1'b0, read_coming_behind};
    wire [5:0]  to_boundary = ~read_beat[5:0];
    wire        fits        = behind <= to_boundary;
    // Those after the burst: all but the first of the next burst.
    wire [5:0] rest = (behind - to_boundary) - 6'd1;

    always @(posedge clk) begin
        if (burst_is_over) begin
            valid_q        <= take;
            last_q         <= fits;
            beat_address_q <= read_beat;
            length_q       <= fits ? behind : to_boundary;
            left_q         <= rest;
        end else if (m_axi_arready) begin
            beat_address_q <= {beat_address_q[57:6] + 52'd1, 6'd0};
            last_q         <= 1'b1;
            length_q       <= left_q;
        end
        if (rst) begin
            valid_q <= 1'b0;
        end
    end

    assign m_axi_arvalid = valid_q;
    assign m_axi_arid    = 1'b0;
    assign m_axi_araddr  = {beat_address_q, 6'd0};
    assign m_axi_arlen   = {2'd0, length_q};
    assign m_axi_arsize  = 3'd6;
    assign m_axi_arburst = 2'd1;

    // Not read:
    // fetch_length[15:11]: at most MaxPayload
    // last_octet_in_memory[5:0], last_octet_in_segment[5:0]: whole beats
    // end_in_memory[5:0]: what counts is the end in the segment
    wire unused = &{
        1'b0, fetch_length[15:11], last_octet_in_memory[5:0], last_octet_in_segment[5:0], end_in_memory[5:0]
    };
endmodule
`default_nettype wire
