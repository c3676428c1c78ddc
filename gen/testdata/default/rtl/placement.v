// placement writes to memory what each command says, in order: the next packet of the payload stream, 1 to 65535
// octets, or the 8 octets of an inline command, at any address. A discard consumes its packet and writes nothing;
// with inline there is no packet.
//
// Octets are rotated to their place on the bus, one beat of memory per cycle, also across packets: an aligned packet
// takes as many cycles as it has beats, an unaligned one a cycle more if it touches one more beat of memory. The
// first beat leaves six cycles after command and payload arrive, with its address if that has no other ahead of it.
// Octets that are not written are 0 and masked. Bursts have beats of full bus width and stay inside a block of 4 KiB,
// or of 2 KiB on a bus of 8 octets, where 256 beats end.
//
// A placement is complete, and counted, when memory has answered the last of its bursts. If memory reports an error
// for a burst, the placement makes one failure, which is accepted before the placement counts as complete. Up to 511
// placements and 512 bursts can be in progress; the next one waits. Reset forgets them, and the count is 0.
//
// Built for bus_bytes 64, streams 64, retire.
`default_nettype none
module placement (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // command
    input  wire         command_valid,
    output wire         command_ready,
    input  wire [5:0]   command_stream,  // number of the stream
    input  wire         command_discard, // 1: the payload is discarded
    input  wire         command_inline,  // 1: the octets come from data instead of the payload stream
    input  wire [63:0]  command_address, // of the first octet in memory
    input  wire [15:0]  command_length,  // octets, at least 1
    input  wire [63:0]  command_data,    // octets of an inline placement, the first one in [7:0]

    // payload
    input  wire         payload_tvalid,
    output wire         payload_tready,
    input  wire [511:0] payload_tdata,  // octets; octet 0 in [7:0]
    input  wire [63:0]  payload_tkeep,  // valid octets, contiguous from octet 0; all of them except in the last beat
    input  wire         payload_tlast,  // last beat of the packet
    input  wire [5:0]   payload_tuser,  // number of the stream, the same in all beats of a packet

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
    input  wire [1:0]   m_axi_bresp,   // 0 OKAY, 2 SLVERR, 3 DECERR

    output wire [8:0]   placed, // placements in memory, modulo 2^9

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault,

    // retire
    output wire         retire_valid,  // a placement is in memory, or memory has refused it
    output wire [5:0]   retire_stream  // number of the stream
);
    genvar i;
    wire       finished;
    wire       oldest_burst_valid;
    wire       oldest_burst_ready;
    wire [5:0] oldest_burst_stream;
    wire       oldest_burst_last;

    // ---- Measure a command, unless too many placements are in progress
    wire        task_valid;
    wire        task_ready;
    wire [5:0]  task_stream;
    wire        task_discard;
    wire        task_inline;
    wire [63:0] task_data;
    wire        task_pays;
    wire [5:0]  task_turn;
    wire [57:0] task_beat;
    wire [10:0] task_behind;
    wire [5:0]  task_from;
    wire [5:0]  task_ends;
    wire        task_spills;
    reg  [5:0]  next_stream_q;
    reg         next_discard_q;
    reg         next_inline_q;
    reg  [63:0] next_data_q;
    reg         next_pays_q;
    reg  [5:0]  next_turn_q;
    reg  [57:0] next_beat_q;
    reg  [10:0] next_behind_q;
    reg  [5:0]  next_from_q;
    reg  [5:0]  next_ends_q;
    reg         next_spills_q;
    reg         next_valid_q;
    reg  [5:0]  next_kept_stream_q;
    reg         next_kept_discard_q;
    reg         next_kept_inline_q;
    reg  [63:0] next_kept_data_q;
    reg         next_kept_pays_q;
    reg  [5:0]  next_kept_turn_q;
    reg  [57:0] next_kept_beat_q;
    reg  [10:0] next_kept_behind_q;
    reg  [5:0]  next_kept_from_q;
    reg  [5:0]  next_kept_ends_q;
    reg         next_kept_spills_q;
    reg         next_keeps_q;
    reg         next_room_q;
    reg  [8:0]  in_progress_q;
    reg         crowded_q;
    reg         finished_q;
    wire        free   = next_room_q & ~crowded_q;
    wire        take   = command_valid & free;
    wire        begins = take & ~command_discard;
    wire [8:0]  remain = (in_progress_q + {8'd0, begins}) - {8'd0, finished_q};

    always @(posedge clk) begin
        finished_q    <= finished;
        in_progress_q <= remain;
        crowded_q     <= &remain;
        if (rst) begin
            finished_q    <= 1'b0;
            in_progress_q <= 9'd0;
            crowded_q     <= 1'b0;
        end
    end

    assign command_ready = free;
    // Without octets on the payload stream there is nothing to discard.
    wire        is_nothing = command_discard & command_inline;
    wire [5:0]  from       = command_address[5:0] & {6{~command_discard}};
    wire [16:0] end_octet  = {1'b0, command_length} + {11'd0, from};
    wire [16:0] last_octet = end_octet - 17'd1;
    // The last beat spills if the octets behind the first beat of payload do not reach it.
    wire [5:0] last_place = command_length[5:0] - 6'd1;
    wire [6:0] end_place  = {1'b0, last_place} + {1'b0, from};
    wire         next_free  = ~next_valid_q | task_ready;
    wire [160:0] next_next  =
        next_keeps_q ? {
                           next_kept_stream_q, next_kept_discard_q, next_kept_inline_q, next_kept_data_q,
                           next_kept_pays_q, next_kept_turn_q, next_kept_beat_q, next_kept_behind_q,
                           next_kept_from_q, next_kept_ends_q, next_kept_spills_q
                       } :
                       {
                           command_stream, command_discard, command_inline, command_data, ~command_inline,
                           {
                               from[5], from[4] ^ from[5], from[3], from[2] ^ from[3], from[1],
                               from[0] ^ from[1]
                           },
                           command_address[63:6], last_octet[16:6], from, end_octet[5:0], end_place[6]
                       };
    wire         next_keeps = (next_keeps_q | (take & ~is_nothing)) & ~next_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (next_free) begin
            next_valid_q   <= next_keeps_q | (take & ~is_nothing);
            next_stream_q  <= next_next[160:155];
            next_discard_q <= next_next[154];
            next_inline_q  <= next_next[153];
            next_data_q    <= next_next[152:89];
            next_pays_q    <= next_next[88];
            next_turn_q    <= next_next[87:82];
            next_beat_q    <= next_next[81:24];
            next_behind_q  <= next_next[23:13];
            next_from_q    <= next_next[12:7];
            next_ends_q    <= next_next[6:1];
            next_spills_q  <= next_next[0];
        end
        if (~next_keeps_q) begin
            next_kept_stream_q  <= command_stream;
            next_kept_discard_q <= command_discard;
            next_kept_inline_q  <= command_inline;
            next_kept_data_q    <= command_data;
            next_kept_pays_q    <= ~command_inline;
            next_kept_turn_q    <= {
                from[5], from[4] ^ from[5], from[3], from[2] ^ from[3], from[1], from[0] ^ from[1]
            };
            next_kept_beat_q    <= command_address[63:6];
            next_kept_behind_q  <= last_octet[16:6];
            next_kept_from_q    <= from;
            next_kept_ends_q    <= end_octet[5:0];
            next_kept_spills_q  <= end_place[6];
        end
        next_keeps_q <= next_keeps;
        next_room_q  <= ~next_keeps;
        if (rst) begin
            next_valid_q <= 1'b0;
            next_keeps_q <= 1'b0;
            next_room_q  <= 1'b1;
        end
    end

    assign task_valid   = next_valid_q;
    assign task_stream  = next_stream_q;
    assign task_discard = next_discard_q;
    assign task_inline  = next_inline_q;
    assign task_data    = next_data_q;
    assign task_pays    = next_pays_q;
    assign task_turn    = next_turn_q;
    assign task_beat    = next_beat_q;
    assign task_behind  = next_behind_q;
    assign task_from    = next_from_q;
    assign task_ends    = next_ends_q;
    assign task_spills  = next_spills_q;

    // ---- The next beat of a task
    reg         first_q;
    wire        move;
    reg  [51:0] block_q;
    reg  [5:0]  place_in_block_q;
    reg  [10:0] beats_left_q;
    reg         last_q;
    reg         some_q;
    reg         burst_starts_q;
    wire [51:0] block          = first_q ? task_beat[57:6] : block_q;
    wire [5:0]  place_in_block = first_q ? task_beat[5:0] : place_in_block_q;
    wire [10:0] beats_left     = first_q ? task_behind : beats_left_q;
    wire        last           = last_q | (~|task_behind);
    wire        needs_payload  = some_q & task_pays;
    wire        burst_ends     = last | (&place_in_block);
    wire        writes         = move & ~task_discard;
    // Behind inline octets is what happens to be there: it is not written.
    wire [511:0] source        = {payload_tdata[511:64], task_inline ? task_data : payload_tdata[63:0]};
    wire         place_is_last = &place_in_block;
    wire         last_is_next  = beats_left == 11'd1;

    always @(posedge clk) begin
        if (move) begin
            block_q          <= block + {51'd0, place_is_last};
            place_in_block_q <= place_in_block + 6'd1;
            beats_left_q     <= beats_left - 11'd1;
            first_q          <= last;
            last_q           <= last_is_next;
            some_q           <= ~(last_is_next & task_spills);
            burst_starts_q   <= place_is_last | last;
        end
        if (rst) begin
            first_q        <= 1'b1;
            last_q         <= 1'b0;
            some_q         <= 1'b1;
            burst_starts_q <= 1'b1;
        end
    end

    // ---- Address of a burst
    reg  [4:0]   address_reserved_q;
    wire         address_in_awvalid;
    wire         address_in_awready;
    wire         address_in_awid;
    wire [63:0]  address_in_awaddr;
    wire [7:0]   address_in_awlen;
    wire [2:0]   address_in_awsize;
    wire [1:0]   address_in_awburst;
    wire         address_out_awvalid;
    wire         address_out_awready;
    wire         address_out_awid;
    wire [63:0]  address_out_awaddr;
    wire [7:0]   address_out_awlen;
    wire [2:0]   address_out_awsize;
    wire [1:0]   address_out_awburst;
    reg  [4:0]   beat_reserved_q;
    wire         beat_in_wvalid;
    wire         beat_in_wready;
    wire [511:0] beat_in_wdata;
    wire [63:0]  beat_in_wstrb;
    wire         beat_in_wlast;
    wire         beat_out_wvalid;
    wire         beat_out_wready;
    wire [511:0] beat_out_wdata;
    wire [63:0]  beat_out_wstrb;
    wire         beat_out_wlast;
    reg  [9:0]   bursts_reserved_q;
    wire         bursts_in_valid;
    wire         bursts_in_ready;
    wire [5:0]   bursts_in_stream;
    wire         bursts_in_last;
    wire         bursts_out_valid;
    wire         bursts_out_ready;
    wire [5:0]   bursts_out_stream;
    wire         bursts_out_last;
    wire         burst_room  = ~address_reserved_q[4] & ~bursts_reserved_q[9];
    wire         start       = move & burst_starts_q & ~task_discard;
    wire [5:0]   room_behind = ~place_in_block;
    wire         last_burst  = beats_left <= {5'd0, room_behind};
    wire [5:0]   burst_beats = last_burst ? beats_left[5:0] : room_behind;

    // ---- Octets are rotated to their place on the bus; those that do not fit go into the next beat
    reg          valid_1_q;
    reg          valid_2_q;
    reg          valid_3_q;
    wire [511:0] turned_by_0_or_1   = task_turn[0] ? {source[503:0], source[511:504]} : source;
    wire [511:0] turned_by_2_or_3   =
        task_turn[0] ? {source[495:0], source[511:496]} : {source[487:0], source[511:488]};
    wire [511:0] turned_by_1        = task_turn[1] ? turned_by_2_or_3 : turned_by_0_or_1;
    reg  [511:0] turn_0_1_q;
    reg  [1:0]   turn_code_1_1_q;
    wire [511:0] turned_by_0_or_4   =
        turn_code_1_1_q[0] ? {turn_0_1_q[479:0], turn_0_1_q[511:480]} : turn_0_1_q;
    wire [511:0] turned_by_8_or_12  =
        turn_code_1_1_q[0] ? {turn_0_1_q[447:0], turn_0_1_q[511:448]} :
                             {turn_0_1_q[415:0], turn_0_1_q[511:416]};
    wire [511:0] turned_by_4        = turn_code_1_1_q[1] ? turned_by_8_or_12 : turned_by_0_or_4;
    reg  [511:0] turn_1_2_q;
    reg  [1:0]   turn_code_2_1_q;
    reg  [1:0]   turn_code_2_2_q;
    wire [511:0] turned_by_0_or_16  =
        turn_code_2_2_q[0] ? {turn_1_2_q[383:0], turn_1_2_q[511:384]} : turn_1_2_q;
    wire [511:0] turned_by_32_or_48 =
        turn_code_2_2_q[0] ? {turn_1_2_q[255:0], turn_1_2_q[511:256]} :
                             {turn_1_2_q[127:0], turn_1_2_q[511:128]};
    wire [511:0] turned_by_16       = turn_code_2_2_q[1] ? turned_by_32_or_48 : turned_by_0_or_16;
    reg  [511:0] turn_2_3_q;
    wire [7:0]   up_to_first_rows   = {
        1'b0, 1'b0 | (task_from[5:3] == 3'd7), 1'b0 | (task_from[5:3] == 3'd6) | (task_from[5:3] == 3'd7),
        1'b0 | (task_from[5:3] == 3'd5) | (task_from[5:3] == 3'd6) | (task_from[5:3] == 3'd7),
          1'b0
        | (task_from[5:3] == 3'd4)
        | (task_from[5:3] == 3'd5)
        | (task_from[5:3] == 3'd6)
        | (task_from[5:3] == 3'd7),
          1'b0
        | (task_from[5:3] == 3'd3)
        | (task_from[5:3] == 3'd4)
        | (task_from[5:3] == 3'd5)
        | (task_from[5:3] == 3'd6)
        | (task_from[5:3] == 3'd7),
          1'b0
        | (task_from[5:3] == 3'd2)
        | (task_from[5:3] == 3'd3)
        | (task_from[5:3] == 3'd4)
        | (task_from[5:3] == 3'd5)
        | (task_from[5:3] == 3'd6)
        | (task_from[5:3] == 3'd7),
          1'b0
        | (task_from[5:3] == 3'd1)
        | (task_from[5:3] == 3'd2)
        | (task_from[5:3] == 3'd3)
        | (task_from[5:3] == 3'd4)
        | (task_from[5:3] == 3'd5)
        | (task_from[5:3] == 3'd6)
        | (task_from[5:3] == 3'd7)
    };
    wire [7:0]   up_to_first_row    = {
        task_from[5:3] == 3'd7, task_from[5:3] == 3'd6, task_from[5:3] == 3'd5, task_from[5:3] == 3'd4,
        task_from[5:3] == 3'd3, task_from[5:3] == 3'd2, task_from[5:3] == 3'd1, task_from[5:3] == 3'd0
    };
    wire [7:0]   up_to_first_octets = {
        1'b0, 1'b0 | (task_from[2:0] == 3'd7), 1'b0 | (task_from[2:0] == 3'd6) | (task_from[2:0] == 3'd7),
        1'b0 | (task_from[2:0] == 3'd5) | (task_from[2:0] == 3'd6) | (task_from[2:0] == 3'd7),
          1'b0
        | (task_from[2:0] == 3'd4)
        | (task_from[2:0] == 3'd5)
        | (task_from[2:0] == 3'd6)
        | (task_from[2:0] == 3'd7),
          1'b0
        | (task_from[2:0] == 3'd3)
        | (task_from[2:0] == 3'd4)
        | (task_from[2:0] == 3'd5)
        | (task_from[2:0] == 3'd6)
        | (task_from[2:0] == 3'd7),
          1'b0
        | (task_from[2:0] == 3'd2)
        | (task_from[2:0] == 3'd3)
        | (task_from[2:0] == 3'd4)
        | (task_from[2:0] == 3'd5)
        | (task_from[2:0] == 3'd6)
        | (task_from[2:0] == 3'd7),
          1'b0
        | (task_from[2:0] == 3'd1)
        | (task_from[2:0] == 3'd2)
        | (task_from[2:0] == 3'd3)
        | (task_from[2:0] == 3'd4)
        | (task_from[2:0] == 3'd5)
        | (task_from[2:0] == 3'd6)
        | (task_from[2:0] == 3'd7)
    };
    wire [23:0]  up_to_first        = {up_to_first_rows, up_to_first_row, up_to_first_octets};
    reg  [23:0]  up_to_first_1_q;
    reg  [23:0]  up_to_first_2_q;
    wire [63:0]  below_first        = {
        {8{up_to_first_2_q[23]}} | ({8{up_to_first_2_q[15]}} & up_to_first_2_q[7:0]),
        {8{up_to_first_2_q[22]}} | ({8{up_to_first_2_q[14]}} & up_to_first_2_q[7:0]),
        {8{up_to_first_2_q[21]}} | ({8{up_to_first_2_q[13]}} & up_to_first_2_q[7:0]),
        {8{up_to_first_2_q[20]}} | ({8{up_to_first_2_q[12]}} & up_to_first_2_q[7:0]),
        {8{up_to_first_2_q[19]}} | ({8{up_to_first_2_q[11]}} & up_to_first_2_q[7:0]),
        {8{up_to_first_2_q[18]}} | ({8{up_to_first_2_q[10]}} & up_to_first_2_q[7:0]),
        {8{up_to_first_2_q[17]}} | ({8{up_to_first_2_q[9]}} & up_to_first_2_q[7:0]),
        {8{up_to_first_2_q[16]}} | ({8{up_to_first_2_q[8]}} & up_to_first_2_q[7:0])
    };
    wire [7:0]   up_to_end_rows     =
          {
              1'b0, 1'b0 | (task_ends[5:3] == 3'd7),
              1'b0 | (task_ends[5:3] == 3'd6) | (task_ends[5:3] == 3'd7),
              1'b0 | (task_ends[5:3] == 3'd5) | (task_ends[5:3] == 3'd6) | (task_ends[5:3] == 3'd7),
                1'b0
              | (task_ends[5:3] == 3'd4)
              | (task_ends[5:3] == 3'd5)
              | (task_ends[5:3] == 3'd6)
              | (task_ends[5:3] == 3'd7),
                1'b0
              | (task_ends[5:3] == 3'd3)
              | (task_ends[5:3] == 3'd4)
              | (task_ends[5:3] == 3'd5)
              | (task_ends[5:3] == 3'd6)
              | (task_ends[5:3] == 3'd7),
                1'b0
              | (task_ends[5:3] == 3'd2)
              | (task_ends[5:3] == 3'd3)
              | (task_ends[5:3] == 3'd4)
              | (task_ends[5:3] == 3'd5)
              | (task_ends[5:3] == 3'd6)
              | (task_ends[5:3] == 3'd7),
                1'b0
              | (task_ends[5:3] == 3'd1)
              | (task_ends[5:3] == 3'd2)
              | (task_ends[5:3] == 3'd3)
              | (task_ends[5:3] == 3'd4)
              | (task_ends[5:3] == 3'd5)
              | (task_ends[5:3] == 3'd6)
              | (task_ends[5:3] == 3'd7)
          }
        | {8{~|task_ends}};
    wire [7:0]   up_to_end_row      = {
        task_ends[5:3] == 3'd7, task_ends[5:3] == 3'd6, task_ends[5:3] == 3'd5, task_ends[5:3] == 3'd4,
        task_ends[5:3] == 3'd3, task_ends[5:3] == 3'd2, task_ends[5:3] == 3'd1, task_ends[5:3] == 3'd0
    };
    wire [7:0]   up_to_end_octets   = {
        1'b0, 1'b0 | (task_ends[2:0] == 3'd7), 1'b0 | (task_ends[2:0] == 3'd6) | (task_ends[2:0] == 3'd7),
        1'b0 | (task_ends[2:0] == 3'd5) | (task_ends[2:0] == 3'd6) | (task_ends[2:0] == 3'd7),
          1'b0
        | (task_ends[2:0] == 3'd4)
        | (task_ends[2:0] == 3'd5)
        | (task_ends[2:0] == 3'd6)
        | (task_ends[2:0] == 3'd7),
          1'b0
        | (task_ends[2:0] == 3'd3)
        | (task_ends[2:0] == 3'd4)
        | (task_ends[2:0] == 3'd5)
        | (task_ends[2:0] == 3'd6)
        | (task_ends[2:0] == 3'd7),
          1'b0
        | (task_ends[2:0] == 3'd2)
        | (task_ends[2:0] == 3'd3)
        | (task_ends[2:0] == 3'd4)
        | (task_ends[2:0] == 3'd5)
        | (task_ends[2:0] == 3'd6)
        | (task_ends[2:0] == 3'd7),
          1'b0
        | (task_ends[2:0] == 3'd1)
        | (task_ends[2:0] == 3'd2)
        | (task_ends[2:0] == 3'd3)
        | (task_ends[2:0] == 3'd4)
        | (task_ends[2:0] == 3'd5)
        | (task_ends[2:0] == 3'd6)
        | (task_ends[2:0] == 3'd7)
    };
    wire [23:0]  up_to_end          = {up_to_end_rows, up_to_end_row, up_to_end_octets};
    reg  [23:0]  up_to_end_1_q;
    reg  [23:0]  up_to_end_2_q;
    reg          last_1_q;
    reg          last_2_q;
    wire [63:0]  to_end             =
          {
              {8{up_to_end_2_q[23]}} | ({8{up_to_end_2_q[15]}} & up_to_end_2_q[7:0]),
              {8{up_to_end_2_q[22]}} | ({8{up_to_end_2_q[14]}} & up_to_end_2_q[7:0]),
              {8{up_to_end_2_q[21]}} | ({8{up_to_end_2_q[13]}} & up_to_end_2_q[7:0]),
              {8{up_to_end_2_q[20]}} | ({8{up_to_end_2_q[12]}} & up_to_end_2_q[7:0]),
              {8{up_to_end_2_q[19]}} | ({8{up_to_end_2_q[11]}} & up_to_end_2_q[7:0]),
              {8{up_to_end_2_q[18]}} | ({8{up_to_end_2_q[10]}} & up_to_end_2_q[7:0]),
              {8{up_to_end_2_q[17]}} | ({8{up_to_end_2_q[9]}} & up_to_end_2_q[7:0]),
              {8{up_to_end_2_q[16]}} | ({8{up_to_end_2_q[8]}} & up_to_end_2_q[7:0])
          }
        | ~{64{last_2_q}};
    wire [63:0]  fresh              = ~below_first & to_end;
    reg  [63:0]  fresh_3_q;
    reg          first_1_q;
    reg          first_2_q;
    wire [63:0]  old                = below_first & to_end & ~{64{first_2_q}};
    reg  [63:0]  old_3_q;
    reg  [511:0] carried_q;

    always @(posedge clk) begin
        if (valid_3_q) begin
            carried_q <= turn_2_3_q;
        end
    end

    wire [511:0] octets_replicated;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_octets_replicated
            assign octets_replicated[8 * i +: 8] = {8{fresh_3_q[i]}};
        end
    endgenerate
    wire [511:0] octets_replicated_2;
    generate
        for (i = 0; i < 64; i = i + 1) begin : each_octets_replicated_2
            assign octets_replicated_2[8 * i +: 8] = {8{old_3_q[i]}};
        end
    endgenerate
    wire [511:0] octets = (turn_2_3_q & octets_replicated) | (carried_q & octets_replicated_2);
    reg          ends_1_q;
    reg          ends_2_q;
    reg          ends_3_q;
    assign beat_in_wvalid = valid_3_q;
    assign beat_in_wdata  = octets;
    assign beat_in_wstrb  = fresh_3_q | old_3_q;
    assign beat_in_wlast  = ends_3_q;
    assign beat_in_wready = 1'b1;
    reg          beat_buffer_valid_q;
    reg          beat_buffer_empty_q;
    reg  [3:0]   beat_buffer_head_q;
    reg  [3:0]   beat_buffer_tail_q;
    reg  [3:0]   beat_buffer_not_before_tail_q;
    wire         beat_buffer_free  = ~beat_buffer_valid_q | beat_out_wready;
    wire         beat_buffer_fetch = beat_buffer_free & ~beat_buffer_empty_q;
    reg  [576:0] beat_buffer [0:15];
    wire [576:0] beat_buffer_beat  = {beat_in_wdata, beat_in_wstrb, beat_in_wlast};
    reg  [576:0] beat_buffer_fetched_q;

    always @(posedge clk) begin
        if (beat_in_wvalid) begin
            beat_buffer[beat_buffer_tail_q] <= beat_buffer_beat;
        end
        if (beat_buffer_fetch) begin
            beat_buffer_fetched_q <= beat_buffer[beat_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire beat_buffer_last_beat = beat_buffer_head_q == ~beat_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (beat_buffer_free) begin
            beat_buffer_valid_q <= ~beat_buffer_empty_q;
        end
        if (beat_buffer_fetch) begin
            beat_buffer_head_q <= beat_buffer_head_q + 4'd1;
        end
        if (beat_in_wvalid) begin
            beat_buffer_tail_q            <= beat_buffer_tail_q + 4'd1;
            beat_buffer_not_before_tail_q <= ~beat_buffer_tail_q;
        end
        beat_buffer_empty_q <=
            beat_buffer_empty_q ? ~beat_in_wvalid :
                                  (beat_buffer_free & beat_buffer_last_beat & ~beat_in_wvalid);
        if (rst) begin
            beat_buffer_valid_q           <= 1'b0;
            beat_buffer_head_q            <= 4'd0;
            beat_buffer_tail_q            <= 4'd0;
            beat_buffer_not_before_tail_q <= 4'd0;
            beat_buffer_empty_q           <= 1'b1;
        end
    end

    assign beat_out_wvalid = beat_buffer_valid_q;
    assign beat_out_wdata  = beat_buffer_fetched_q[576:65];
    assign beat_out_wstrb  = beat_buffer_fetched_q[64:1];
    assign beat_out_wlast  = beat_buffer_fetched_q[0];
    assign m_axi_wvalid    = beat_out_wvalid;
    assign m_axi_wdata     = beat_out_wdata;
    assign m_axi_wstrb     = beat_out_wstrb;
    assign m_axi_wlast     = beat_out_wlast;
    assign beat_out_wready = m_axi_wready;
    reg beat_left_q;

    always @(posedge clk) begin
        beat_left_q <= beat_out_wvalid & m_axi_wready;
        if (rst) begin
            beat_left_q <= 1'b0;
        end
    end

    reg beat_spared_q;

    always @(posedge clk) begin
        beat_spared_q <= move & task_discard;
        if (rst) begin
            beat_spared_q <= 1'b0;
        end
    end

    wire [4:0] beat_fewer = {4'd0, beat_left_q} + {4'd0, beat_spared_q};
    // The sums are made while it is decided whether one more place is reserved.
    wire [4:0] beat_if_none     = beat_reserved_q - beat_fewer;
    wire [4:0] beat_if_one_more = (beat_reserved_q + 5'd1) - beat_fewer;

    always @(posedge clk) begin
        beat_reserved_q <= move ? beat_if_one_more : beat_if_none;
        if (rst) begin
            beat_reserved_q <= 5'd0;
        end
    end

    // The address of a burst goes with its first beat.
    wire [57:0] address = {block, place_in_block};
    reg  [57:0] address_1_q;
    reg  [57:0] address_2_q;
    reg  [57:0] address_3_q;
    reg         starts_1_q;
    reg  [5:0]  stream_1_q;
    reg         last_burst_1_q;
    assign bursts_in_valid  = valid_1_q & starts_1_q;
    assign bursts_in_stream = stream_1_q;
    assign bursts_in_last   = last_burst_1_q;
    assign bursts_in_ready = 1'b1;
    reg        bursts_buffer_valid_q;
    reg        bursts_buffer_empty_q;
    reg  [8:0] bursts_buffer_head_q;
    reg  [8:0] bursts_buffer_tail_q;
    reg  [8:0] bursts_buffer_not_before_tail_q;
    wire       bursts_buffer_free  = ~bursts_buffer_valid_q | bursts_out_ready;
    wire       bursts_buffer_fetch = bursts_buffer_free & ~bursts_buffer_empty_q;
    reg  [6:0] bursts_buffer [0:511];
    wire [6:0] bursts_buffer_beat  = {bursts_in_stream, bursts_in_last};
    reg  [6:0] bursts_buffer_fetched_q;

    always @(posedge clk) begin
        if (bursts_in_valid) begin
            bursts_buffer[bursts_buffer_tail_q] <= bursts_buffer_beat;
        end
        if (bursts_buffer_fetch) begin
            bursts_buffer_fetched_q <= bursts_buffer[bursts_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire bursts_buffer_last_beat = bursts_buffer_head_q == ~bursts_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (bursts_buffer_free) begin
            bursts_buffer_valid_q <= ~bursts_buffer_empty_q;
        end
        if (bursts_buffer_fetch) begin
            bursts_buffer_head_q <= bursts_buffer_head_q + 9'd1;
        end
        if (bursts_in_valid) begin
            bursts_buffer_tail_q            <= bursts_buffer_tail_q + 9'd1;
            bursts_buffer_not_before_tail_q <= ~bursts_buffer_tail_q;
        end
        bursts_buffer_empty_q <=
            bursts_buffer_empty_q ? ~bursts_in_valid :
                                    (bursts_buffer_free & bursts_buffer_last_beat & ~bursts_in_valid);
        if (rst) begin
            bursts_buffer_valid_q           <= 1'b0;
            bursts_buffer_head_q            <= 9'd0;
            bursts_buffer_tail_q            <= 9'd0;
            bursts_buffer_not_before_tail_q <= 9'd0;
            bursts_buffer_empty_q           <= 1'b1;
        end
    end

    assign bursts_out_valid    = bursts_buffer_valid_q;
    assign bursts_out_stream   = bursts_buffer_fetched_q[6:1];
    assign bursts_out_last     = bursts_buffer_fetched_q[0];
    assign oldest_burst_valid  = bursts_out_valid;
    assign oldest_burst_stream = bursts_out_stream;
    assign oldest_burst_last   = bursts_out_last;
    assign bursts_out_ready    = oldest_burst_ready;
    reg bursts_left_q;

    always @(posedge clk) begin
        bursts_left_q <= bursts_out_valid & oldest_burst_ready;
        if (rst) begin
            bursts_left_q <= 1'b0;
        end
    end

    // The sums are made while it is decided whether one more place is reserved.
    wire [9:0] bursts_if_none     = bursts_reserved_q - {9'd0, bursts_left_q};
    wire [9:0] bursts_if_one_more = (bursts_reserved_q + 10'd1) - {9'd0, bursts_left_q};

    always @(posedge clk) begin
        bursts_reserved_q <= start ? bursts_if_one_more : bursts_if_none;
        if (rst) begin
            bursts_reserved_q <= 10'd0;
        end
    end

    reg       starts_2_q;
    reg       starts_3_q;
    reg [5:0] burst_beats_1_q;
    reg [5:0] burst_beats_2_q;
    reg [5:0] burst_beats_3_q;
    assign address_in_awvalid = valid_3_q & starts_3_q;
    assign address_in_awid    = 1'b0;
    assign address_in_awaddr  = {address_3_q, 6'd0};
    assign address_in_awlen   = {2'd0, burst_beats_3_q};
    assign address_in_awsize  = 3'd6;
    assign address_in_awburst = 2'd1;
    assign address_in_awready = 1'b1;
    reg         address_buffer_valid_q;
    reg         address_buffer_empty_q;
    reg  [3:0]  address_buffer_head_q;
    reg  [3:0]  address_buffer_tail_q;
    reg  [3:0]  address_buffer_not_before_tail_q;
    wire        address_buffer_free  = ~address_buffer_valid_q | address_out_awready;
    wire        address_buffer_fetch = address_buffer_free & ~address_buffer_empty_q;
    reg  [77:0] address_buffer [0:15];
    wire [77:0] address_buffer_beat  = {
        address_in_awid, address_in_awaddr, address_in_awlen, address_in_awsize, address_in_awburst
    };
    reg  [77:0] address_buffer_fetched_q;

    always @(posedge clk) begin
        if (address_in_awvalid) begin
            address_buffer[address_buffer_tail_q] <= address_buffer_beat;
        end
        if (address_buffer_fetch) begin
            address_buffer_fetched_q <= address_buffer[address_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire address_buffer_last_beat = address_buffer_head_q == ~address_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (address_buffer_free) begin
            address_buffer_valid_q <= ~address_buffer_empty_q;
        end
        if (address_buffer_fetch) begin
            address_buffer_head_q <= address_buffer_head_q + 4'd1;
        end
        if (address_in_awvalid) begin
            address_buffer_tail_q            <= address_buffer_tail_q + 4'd1;
            address_buffer_not_before_tail_q <= ~address_buffer_tail_q;
        end
        address_buffer_empty_q <=
            address_buffer_empty_q ? ~address_in_awvalid :
                                     (address_buffer_free & address_buffer_last_beat & ~address_in_awvalid);
        if (rst) begin
            address_buffer_valid_q           <= 1'b0;
            address_buffer_head_q            <= 4'd0;
            address_buffer_tail_q            <= 4'd0;
            address_buffer_not_before_tail_q <= 4'd0;
            address_buffer_empty_q           <= 1'b1;
        end
    end

    assign address_out_awvalid = address_buffer_valid_q;
    assign address_out_awid    = address_buffer_fetched_q[77];
    assign address_out_awaddr  = address_buffer_fetched_q[76:13];
    assign address_out_awlen   = address_buffer_fetched_q[12:5];
    assign address_out_awsize  = address_buffer_fetched_q[4:2];
    assign address_out_awburst = address_buffer_fetched_q[1:0];
    assign m_axi_awvalid       = address_out_awvalid;
    assign m_axi_awid          = address_out_awid;
    assign m_axi_awaddr        = address_out_awaddr;
    assign m_axi_awlen         = address_out_awlen;
    assign m_axi_awsize        = address_out_awsize;
    assign m_axi_awburst       = address_out_awburst;
    assign address_out_awready = m_axi_awready;
    reg address_left_q;

    always @(posedge clk) begin
        address_left_q <= address_out_awvalid & m_axi_awready;
        if (rst) begin
            address_left_q <= 1'b0;
        end
    end

    // The sums are made while it is decided whether one more place is reserved.
    wire [4:0] address_if_none     = address_reserved_q - {4'd0, address_left_q};
    wire [4:0] address_if_one_more = (address_reserved_q + 5'd1) - {4'd0, address_left_q};

    always @(posedge clk) begin
        address_reserved_q <= start ? address_if_one_more : address_if_none;
        if (rst) begin
            address_reserved_q <= 5'd0;
        end
    end

    // ---- Pipeline registers
    always @(posedge clk) begin
        valid_1_q       <= writes;
        valid_2_q       <= valid_1_q;
        valid_3_q       <= valid_2_q;
        turn_0_1_q      <= turned_by_1;
        turn_code_1_1_q <= task_turn[3:2];
        turn_1_2_q      <= turned_by_4;
        turn_code_2_1_q <= task_turn[5:4];
        turn_code_2_2_q <= turn_code_2_1_q;
        turn_2_3_q      <= turned_by_16;
        up_to_first_1_q <= up_to_first;
        up_to_first_2_q <= up_to_first_1_q;
        up_to_end_1_q   <= up_to_end;
        up_to_end_2_q   <= up_to_end_1_q;
        last_1_q        <= last;
        last_2_q        <= last_1_q;
        fresh_3_q       <= fresh;
        first_1_q       <= first_q;
        first_2_q       <= first_1_q;
        old_3_q         <= old;
        ends_1_q        <= burst_ends;
        ends_2_q        <= ends_1_q;
        ends_3_q        <= ends_2_q;
        address_1_q     <= address;
        address_2_q     <= address_1_q;
        address_3_q     <= address_2_q;
        starts_1_q      <= burst_starts_q;
        stream_1_q      <= task_stream;
        last_burst_1_q  <= last_burst;
        starts_2_q      <= starts_1_q;
        starts_3_q      <= starts_2_q;
        burst_beats_1_q <= burst_beats;
        burst_beats_2_q <= burst_beats_1_q;
        burst_beats_3_q <= burst_beats_2_q;
        if (rst) begin
            valid_1_q <= 1'b0;
            valid_2_q <= 1'b0;
            valid_3_q <= 1'b0;
        end
    end

    // ---- Move a beat when it is there and has room; at the start of a burst, its address too
    wire has_beat = task_valid & (~needs_payload | payload_tvalid);
    assign move           = has_beat & ~beat_reserved_q[4] & (~burst_starts_q | burst_room);
    assign task_ready     = move & last;
    assign payload_tready = move & needs_payload;

    // ---- Responses arrive in the order of the bursts
    reg       failing_q;
    reg       failed_q;
    reg [5:0] failed_stream_q;
    // The placement of a failure that is not accepted is not finished.
    wire       response_ready = oldest_burst_valid & ~failing_q;
    assign m_axi_bready       = response_ready;
    wire       answered       = m_axi_bvalid & response_ready;
    assign oldest_burst_ready = answered;
    wire       fails          = failed_q | (|m_axi_bresp);
    wire       ends           = answered & oldest_burst_last;
    wire       told           = failing_q & failed_ready;
    assign failed_valid       = failing_q;
    assign failed_stream      = failed_stream_q;
    assign failed_fault       = 1'b0;
    wire       is_finished    = told | (ends & ~fails);
    assign finished           = is_finished;
    reg  [8:0] placed_q;

    always @(posedge clk) begin
        if (answered) begin
            failed_q        <= fails & ~oldest_burst_last;
            failed_stream_q <= oldest_burst_stream;
        end
        failing_q <= (ends & fails) | (failing_q & ~told);
        if (is_finished) begin
            placed_q <= placed_q + 9'd1;
        end
        if (rst) begin
            failed_q  <= 1'b0;
            failing_q <= 1'b0;
            placed_q  <= 9'd0;
        end
    end

    assign placed        = placed_q;
    assign retire_valid  = is_finished;
    assign retire_stream = failing_q ? failed_stream_q : oldest_burst_stream;

    // Not read:
    // last_octet[5:0]: its place in its beat
    // end_place[5:0]: only the carry matters
    // beat_in_wready, bursts_in_ready, address_in_awready: its place is reserved
    // payload_tkeep, payload_tlast, payload_tuser: the command has the length and the stream
    // m_axi_bid: used by the arbiter
    wire unused = &{
        1'b0, last_octet[5:0], end_place[5:0], beat_in_wready, bursts_in_ready, address_in_awready,
        payload_tkeep, payload_tlast, payload_tuser, m_axi_bid
    };
endmodule
`default_nettype wire
