// tx_engine sends segments in command order, each as one packet: header, then payload from memory. Payload is fetched
// ahead, for 210 beats of segments, to hide the latency of memory: m_axis_tx has a beat in every cycle as long as
// memory delivers one per cycle and the segments have as many beats as their payload has in memory. Once that many
// beats wait, no more commands are accepted from the second cycle on, so that later ones need not wait longer;
// a command whose fetch is on offer is still accepted. A segment starts when all its payload is present; one without
// payload starts one cycle after its command if nothing is ahead or sent. The first command that finds a segment being
// sent waits for two cycles more.
//
// Not sent are: segments of a stream that is not open; a segment whose payload memory reported an error for, which is
// reported as a failure, and from then on everything of its stream except the end, sent or silent; everything after
// that end. Each command is reported in order when its last beat is accepted or when it is dropped. A command with
// header_length 0 sends nothing and is only reported; as an Atomic Response it stands for a word that memory did not
// deliver, and also fails its stream.
//
// After reset all streams are closed, and nothing is accepted for one cycle per stream.
//
// Built for bus_bytes 64, max_payload 1024, streams 64, ird 8.
`default_nettype none
module tx_engine (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // command
    input  wire         command_valid,
    output wire         command_ready,
    input  wire [5:0]   command_stream,         // number of the stream
    // 0 the end of the stream, 1 its silent end, 2 a message of the requester; response of an executor: 3 Read, 4
    // Atomic; others follow
    input  wire [2:0]   command_kind,
    input  wire         command_final,          // last segment of its message
    // of the answered request; of a message of the requester 1 if it has a response, otherwise 0
    input  wire [4:0]   command_number,
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   command_header_length,
    input  wire [559:0] command_header,         // octet i in [8i+7:8i]; 0 from header_length on
    input  wire [63:0]  command_address,        // of the first octet of payload in memory
    input  wire [15:0]  command_payload_length, // octets, 0 to MaxPayload
    input  wire [4:0]   command_beats,          // beats of header and payload
    input  wire [5:0]   command_ends,           // octets of the last beat; 0: all

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

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
    input  wire         m_axi_rlast,   // last beat of the burst

    // m_axis_tx
    output wire         m_axis_tx_tvalid,
    input  wire         m_axis_tx_tready,
    output wire [511:0] m_axis_tx_tdata,  // octets; octet 0 in [7:0]
    output wire [63:0]  m_axis_tx_tkeep,  // valid octets, contiguous from octet 0; all of them except in the last beat
    output wire         m_axis_tx_tlast,  // last beat of the packet
    output wire [5:0]   m_axis_tx_tuser,  // number of the stream, the same in all beats of a packet

    // report
    output wire         report_valid,
    input  wire         report_ready,
    output wire [5:0]   report_stream,  // number of the stream
    output wire [2:0]   report_kind,    // as in the command
    output wire         report_final,   // last segment of its message
    output wire         report_dropped, // 1: not sent because its stream has ended
    output wire         report_asks,    // 1: a message of the requester that has a response, a Read or an Atomic

    // credit: a request of the peer that has been answered
    output wire         credit_valid,
    input  wire         credit_ready,
    output wire [5:0]   credit_stream, // number of the stream
    output wire [4:0]   credit_number, // of the answered request

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault
);
    wire running;

    // ---- A command goes to the fetcher, if it has payload, and to the builder: directly if none is waiting and none
    // is sent
    wire         fetch_valid;
    wire         fetch_ready;
    wire [63:0]  fetch_address;
    wire [15:0]  fetch_length;
    wire [5:0]   fetch_lead;
    wire         stored_valid;
    wire         stored_ready;
    wire [5:0]   stored_stream;
    wire [2:0]   stored_kind;
    wire         stored_final;
    wire [4:0]   stored_number;
    wire [6:0]   stored_header_length;
    wire [559:0] stored_header;
    wire         stored_carries;
    wire [4:0]   stored_beats;
    wire         stored_short;
    wire [5:0]   stored_ends;
    wire         waiting_valid;
    wire         waiting_ready;
    wire [5:0]   waiting_stream;
    wire [2:0]   waiting_kind;
    wire         waiting_final;
    wire [4:0]   waiting_number;
    wire [6:0]   waiting_header_length;
    wire [559:0] waiting_header;
    wire         waiting_carries;
    wire [4:0]   waiting_beats;
    wire         waiting_short;
    wire [5:0]   waiting_ends;
    wire         straight_valid;
    wire         straight_ready;
    wire [5:0]   straight_stream;
    wire [2:0]   straight_kind;
    wire         straight_final;
    wire [4:0]   straight_number;
    wire [6:0]   straight_header_length;
    wire [559:0] straight_header;
    wire         straight_carries;
    wire [4:0]   straight_beats;
    wire         straight_short;
    wire [5:0]   straight_ends;
    reg          accepts_q;
    wire         has_room       = stored_ready & accepts_q;
    wire         ready          = has_room & fetch_ready;
    wire         taken          = command_valid & ready;
    assign command_ready = ready;
    wire         carries        = |command_payload_length;
    wire         is_short       = ~|command_beats[4:1];
    assign fetch_valid   = command_valid & has_room & carries;
    assign fetch_address = command_address;
    assign fetch_length  = command_payload_length;
    assign fetch_lead    = command_header_length[5:0];
    reg          segments_full_q;
    reg  [7:0]   segments_not_before_head_q;
    assign stored_ready  = ~segments_full_q;
    wire         segments_store = stored_valid & ~segments_full_q;
    reg          segments_valid_q;
    reg          segments_empty_q;
    reg  [7:0]   segments_head_q;
    reg  [7:0]   segments_tail_q;
    reg  [7:0]   segments_not_before_tail_q;
    wire         segments_free  = ~segments_valid_q | waiting_ready;
    wire         segments_fetch = segments_free & ~segments_empty_q;
    reg  [594:0] segments [0:255];
    wire [594:0] segments_beat  = {
        stored_stream, stored_kind, stored_final, stored_number, stored_header_length, stored_header,
        stored_carries, stored_beats, stored_short, stored_ends
    };
    reg  [594:0] segments_fetched_q;

    always @(posedge clk) begin
        if (segments_store) begin
            segments[segments_tail_q] <= segments_beat;
        end
        if (segments_fetch) begin
            segments_fetched_q <= segments[segments_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire segments_last_beat = segments_head_q == ~segments_not_before_tail_q;

    always @(posedge clk) begin
        if (segments_free) begin
            segments_valid_q <= ~segments_empty_q;
        end
        if (segments_fetch) begin
            segments_head_q <= segments_head_q + 8'd1;
        end
        if (segments_store) begin
            segments_tail_q            <= segments_tail_q + 8'd1;
            segments_not_before_tail_q <= ~segments_tail_q;
        end
        segments_empty_q <=
            segments_empty_q ? ~segments_store : (segments_free & segments_last_beat & ~segments_store);
        if (rst) begin
            segments_valid_q           <= 1'b0;
            segments_head_q            <= 8'd0;
            segments_tail_q            <= 8'd0;
            segments_not_before_tail_q <= 8'd0;
            segments_empty_q           <= 1'b1;
        end
    end

    assign waiting_valid         = segments_valid_q;
    assign waiting_stream        = segments_fetched_q[594:589];
    assign waiting_kind          = segments_fetched_q[588:586];
    assign waiting_final         = segments_fetched_q[585];
    assign waiting_number        = segments_fetched_q[584:580];
    assign waiting_header_length = segments_fetched_q[579:573];
    assign waiting_header        = segments_fetched_q[572:13];
    assign waiting_carries       = segments_fetched_q[12];
    assign waiting_beats         = segments_fetched_q[11:7];
    assign waiting_short         = segments_fetched_q[6];
    assign waiting_ends          = segments_fetched_q[5:0];
    // With one place left, the memory is not full. The place before head is complemented.
    wire segments_last_place = segments_tail_q == ~segments_not_before_head_q;

    always @(posedge clk) begin
        if (segments_fetch) begin
            segments_not_before_head_q <= ~segments_head_q;
        end
        segments_full_q <= ~segments_fetch & (segments_full_q | (stored_valid & segments_last_place));
        if (rst) begin
            segments_not_before_head_q <= 8'd0;
            segments_full_q            <= 1'b0;
        end
    end

    wire passes = straight_ready & ~(segments_valid_q | ~segments_empty_q);
    assign straight_valid         = taken & passes;
    assign straight_stream        = command_stream;
    assign straight_kind          = command_kind;
    assign straight_final         = command_final;
    assign straight_number        = command_number;
    assign straight_header_length = command_header_length;
    assign straight_header        = command_header;
    assign straight_carries       = carries;
    assign straight_beats         = command_beats;
    assign straight_short         = is_short;
    assign straight_ends          = command_ends;
    assign stored_valid           = taken & ~passes;
    assign stored_stream          = command_stream;
    assign stored_kind            = command_kind;
    assign stored_final           = command_final;
    assign stored_number          = command_number;
    assign stored_header_length   = command_header_length;
    assign stored_header          = command_header;
    assign stored_carries         = carries;
    assign stored_beats           = command_beats;
    assign stored_short           = is_short;
    assign stored_ends            = command_ends;
    // Beats of the segments that waited a cycle ago.
    reg  [9:0] beats_q;
    wire       segment_comes  = taken & ~passes;
    wire       segment_leaves = waiting_valid & waiting_ready;
    wire       few_wait       = beats_q < 10'd210;
    // A fetch on offer stays.
    wire       fetch_is_held = fetch_valid & ~fetch_ready;
    reg  [9:0] beats_added_q;
    reg  [9:0] beats_removed_q;

    always @(posedge clk) begin
        beats_added_q   <= {5'd0, command_beats & {5{segment_comes}}};
        beats_removed_q <= {5'd0, waiting_beats & {5{segment_leaves}}};
        beats_q         <= (beats_q + beats_added_q) - beats_removed_q;
        accepts_q       <= running & (few_wait | fetch_is_held);
        if (rst) begin
            beats_added_q   <= 10'd0;
            beats_removed_q <= 10'd0;
            beats_q         <= 10'd0;
            accepts_q       <= 1'b0;
        end
    end

    // ---- Payload
    wire        freed;
    wire        announced_valid;
    wire        announced_ready;
    wire [4:0]  announced_behind;
    wire [5:0]  announced_turn;
    wire [5:0]  announced_lead;
    wire [5:0]  announced_ends;
    wire        announced_late;
    wire        announced_spill;
    wire        coming_valid;
    wire        coming_ready;
    wire [4:0]  coming_behind;
    wire [5:0]  coming_turn;
    wire [5:0]  coming_lead;
    wire [5:0]  coming_ends;
    wire        coming_late;
    wire        coming_spill;
    wire        burst_arvalid;
    wire        burst_arready;
    wire        burst_arid;
    wire [63:0] burst_araddr;
    wire [7:0]  burst_arlen;
    wire [2:0]  burst_arsize;
    wire [1:0]  burst_arburst;
    reg         read_arid_q;
    reg  [63:0] read_araddr_q;
    reg  [7:0]  read_arlen_q;
    reg  [2:0]  read_arsize_q;
    reg  [1:0]  read_arburst_q;
    reg         read_valid_q;
    reg         read_kept_arid_q;
    reg  [63:0] read_kept_araddr_q;
    reg  [7:0]  read_kept_arlen_q;
    reg  [2:0]  read_kept_arsize_q;
    reg  [1:0]  read_kept_arburst_q;
    reg         read_keeps_q;
    reg         read_room_q;
    assign burst_arready = read_room_q;
    wire        read_free  = ~read_valid_q | m_axi_arready;
    wire [77:0] read_next  =
        read_keeps_q ? {
                           read_kept_arid_q, read_kept_araddr_q, read_kept_arlen_q, read_kept_arsize_q,
                           read_kept_arburst_q
                       } :
                       {burst_arid, burst_araddr, burst_arlen, burst_arsize, burst_arburst};
    wire        read_keeps = (read_keeps_q | (burst_arvalid & read_room_q)) & ~read_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (read_free) begin
            read_valid_q   <= read_keeps_q | (burst_arvalid & read_room_q);
            read_arid_q    <= read_next[77];
            read_araddr_q  <= read_next[76:13];
            read_arlen_q   <= read_next[12:5];
            read_arsize_q  <= read_next[4:2];
            read_arburst_q <= read_next[1:0];
        end
        if (~read_keeps_q) begin
            read_kept_arid_q    <= burst_arid;
            read_kept_araddr_q  <= burst_araddr;
            read_kept_arlen_q   <= burst_arlen;
            read_kept_arsize_q  <= burst_arsize;
            read_kept_arburst_q <= burst_arburst;
        end
        read_keeps_q <= read_keeps;
        read_room_q  <= ~read_keeps;
        if (rst) begin
            read_valid_q <= 1'b0;
            read_keeps_q <= 1'b0;
            read_room_q  <= 1'b1;
        end
    end

    assign m_axi_arvalid = read_valid_q;
    assign m_axi_arid    = read_arid_q;
    assign m_axi_araddr  = read_araddr_q;
    assign m_axi_arlen   = read_arlen_q;
    assign m_axi_arsize  = read_arsize_q;
    assign m_axi_arburst = read_arburst_q;

    tx_fetch fetcher (
        .clk           (clk),
        .rst           (rst),
        .fetch_valid   (fetch_valid),
        .fetch_ready   (fetch_ready),
        .fetch_address (fetch_address),
        .fetch_length  (fetch_length),
        .fetch_lead    (fetch_lead),
        .m_axi_arvalid (burst_arvalid),
        .m_axi_arready (burst_arready),
        .m_axi_arid    (burst_arid),
        .m_axi_araddr  (burst_araddr),
        .m_axi_arlen   (burst_arlen),
        .m_axi_arsize  (burst_arsize),
        .m_axi_arburst (burst_arburst),
        .coming_valid  (announced_valid),
        .coming_ready  (announced_ready),
        .coming_behind (announced_behind),
        .coming_turn   (announced_turn),
        .coming_lead   (announced_lead),
        .coming_ends   (announced_ends),
        .coming_late   (announced_late),
        .coming_spill  (announced_spill),
        .freed         (freed)
    );

    wire        listed_valid;
    wire        listed_ready;
    wire [4:0]  listed_behind;
    wire [5:0]  listed_turn;
    wire [5:0]  listed_lead;
    wire [5:0]  listed_ends;
    wire        listed_late;
    wire        listed_spill;
    reg         outstanding_full_q;
    reg  [7:0]  outstanding_not_before_head_q;
    assign announced_ready = ~outstanding_full_q;
    wire        outstanding_store = announced_valid & ~outstanding_full_q;
    reg         outstanding_valid_q;
    reg         outstanding_empty_q;
    reg  [7:0]  outstanding_head_q;
    reg  [7:0]  outstanding_tail_q;
    reg  [7:0]  outstanding_not_before_tail_q;
    wire        outstanding_free  = ~outstanding_valid_q | listed_ready;
    wire        outstanding_fetch = outstanding_free & ~outstanding_empty_q;
    reg  [24:0] outstanding [0:255];
    wire [24:0] outstanding_beat  = {
        announced_behind, announced_turn, announced_lead, announced_ends, announced_late, announced_spill
    };
    reg  [24:0] outstanding_fetched_q;

    always @(posedge clk) begin
        if (outstanding_store) begin
            outstanding[outstanding_tail_q] <= outstanding_beat;
        end
        if (outstanding_fetch) begin
            outstanding_fetched_q <= outstanding[outstanding_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire outstanding_last_beat = outstanding_head_q == ~outstanding_not_before_tail_q;

    always @(posedge clk) begin
        if (outstanding_free) begin
            outstanding_valid_q <= ~outstanding_empty_q;
        end
        if (outstanding_fetch) begin
            outstanding_head_q <= outstanding_head_q + 8'd1;
        end
        if (outstanding_store) begin
            outstanding_tail_q            <= outstanding_tail_q + 8'd1;
            outstanding_not_before_tail_q <= ~outstanding_tail_q;
        end
        outstanding_empty_q <=
            outstanding_empty_q ? ~outstanding_store :
                                  (outstanding_free & outstanding_last_beat & ~outstanding_store);
        if (rst) begin
            outstanding_valid_q           <= 1'b0;
            outstanding_head_q            <= 8'd0;
            outstanding_tail_q            <= 8'd0;
            outstanding_not_before_tail_q <= 8'd0;
            outstanding_empty_q           <= 1'b1;
        end
    end

    assign listed_valid  = outstanding_valid_q;
    assign listed_behind = outstanding_fetched_q[24:20];
    assign listed_turn   = outstanding_fetched_q[19:14];
    assign listed_lead   = outstanding_fetched_q[13:8];
    assign listed_ends   = outstanding_fetched_q[7:2];
    assign listed_late   = outstanding_fetched_q[1];
    assign listed_spill  = outstanding_fetched_q[0];
    // With one place left, the memory is not full. The place before head is complemented.
    wire outstanding_last_place = outstanding_tail_q == ~outstanding_not_before_head_q;

    always @(posedge clk) begin
        if (outstanding_fetch) begin
            outstanding_not_before_head_q <= ~outstanding_head_q;
        end
        outstanding_full_q <=
            ~outstanding_fetch & (outstanding_full_q | (announced_valid & outstanding_last_place));
        if (rst) begin
            outstanding_not_before_head_q <= 8'd0;
            outstanding_full_q            <= 1'b0;
        end
    end

    reg  [4:0]  next_behind_q;
    reg  [5:0]  next_turn_q;
    reg  [5:0]  next_lead_q;
    reg  [5:0]  next_ends_q;
    reg         next_late_q;
    reg         next_spill_q;
    reg         next_valid_q;
    reg  [4:0]  next_kept_behind_q;
    reg  [5:0]  next_kept_turn_q;
    reg  [5:0]  next_kept_lead_q;
    reg  [5:0]  next_kept_ends_q;
    reg         next_kept_late_q;
    reg         next_kept_spill_q;
    reg         next_keeps_q;
    reg         next_room_q;
    assign listed_ready = next_room_q;
    wire        next_free  = ~next_valid_q | coming_ready;
    wire [24:0] next_next  =
        next_keeps_q ? {
                           next_kept_behind_q, next_kept_turn_q, next_kept_lead_q, next_kept_ends_q,
                           next_kept_late_q, next_kept_spill_q
                       } :
                       {listed_behind, listed_turn, listed_lead, listed_ends, listed_late, listed_spill};
    wire        next_keeps = (next_keeps_q | (listed_valid & next_room_q)) & ~next_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (next_free) begin
            next_valid_q  <= next_keeps_q | (listed_valid & next_room_q);
            next_behind_q <= next_next[24:20];
            next_turn_q   <= next_next[19:14];
            next_lead_q   <= next_next[13:8];
            next_ends_q   <= next_next[7:2];
            next_late_q   <= next_next[1];
            next_spill_q  <= next_next[0];
        end
        if (~next_keeps_q) begin
            next_kept_behind_q <= listed_behind;
            next_kept_turn_q   <= listed_turn;
            next_kept_lead_q   <= listed_lead;
            next_kept_ends_q   <= listed_ends;
            next_kept_late_q   <= listed_late;
            next_kept_spill_q  <= listed_spill;
        end
        next_keeps_q <= next_keeps;
        next_room_q  <= ~next_keeps;
        if (rst) begin
            next_valid_q <= 1'b0;
            next_keeps_q <= 1'b0;
            next_room_q  <= 1'b1;
        end
    end

    assign coming_valid  = next_valid_q;
    assign coming_behind = next_behind_q;
    assign coming_turn   = next_turn_q;
    assign coming_lead   = next_lead_q;
    assign coming_ends   = next_ends_q;
    assign coming_late   = next_late_q;
    assign coming_spill  = next_spill_q;
    wire         data_rvalid;
    wire         data_rready;
    wire         data_rid;
    wire [511:0] data_rdata;
    wire [1:0]   data_rresp;
    wire         data_rlast;
    reg          read_data_full_q;
    reg  [1:0]   read_data_not_before_head_q;
    assign m_axi_rready  = ~read_data_full_q;
    wire         read_data_store = m_axi_rvalid & ~read_data_full_q;
    reg          read_data_valid_q;
    reg          read_data_empty_q;
    reg  [1:0]   read_data_head_q;
    reg  [1:0]   read_data_tail_q;
    reg  [1:0]   read_data_not_before_tail_q;
    wire         read_data_free  = ~read_data_valid_q | data_rready;
    wire         read_data_fetch = read_data_free & ~read_data_empty_q;
    reg  [515:0] read_data [0:3];
    wire [515:0] read_data_beat  = {m_axi_rid, m_axi_rdata, m_axi_rresp, m_axi_rlast};
    reg  [515:0] read_data_fetched_q;

    always @(posedge clk) begin
        if (read_data_store) begin
            read_data[read_data_tail_q] <= read_data_beat;
        end
        if (read_data_fetch) begin
            read_data_fetched_q <= read_data[read_data_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire read_data_last_beat = read_data_head_q == ~read_data_not_before_tail_q;

    always @(posedge clk) begin
        if (read_data_free) begin
            read_data_valid_q <= ~read_data_empty_q;
        end
        if (read_data_fetch) begin
            read_data_head_q <= read_data_head_q + 2'd1;
        end
        if (read_data_store) begin
            read_data_tail_q            <= read_data_tail_q + 2'd1;
            read_data_not_before_tail_q <= ~read_data_tail_q;
        end
        read_data_empty_q <=
            read_data_empty_q ? ~read_data_store : (read_data_free & read_data_last_beat & ~read_data_store);
        if (rst) begin
            read_data_valid_q           <= 1'b0;
            read_data_head_q            <= 2'd0;
            read_data_tail_q            <= 2'd0;
            read_data_not_before_tail_q <= 2'd0;
            read_data_empty_q           <= 1'b1;
        end
    end

    assign data_rvalid = read_data_valid_q;
    assign data_rid    = read_data_fetched_q[515];
    assign data_rdata  = read_data_fetched_q[514:3];
    assign data_rresp  = read_data_fetched_q[2:1];
    assign data_rlast  = read_data_fetched_q[0];
    // With one place left, the memory is not full. The place before head is complemented.
    wire read_data_last_place = read_data_tail_q == ~read_data_not_before_head_q;

    always @(posedge clk) begin
        if (read_data_fetch) begin
            read_data_not_before_head_q <= ~read_data_head_q;
        end
        read_data_full_q <= ~read_data_fetch & (read_data_full_q | (m_axi_rvalid & read_data_last_place));
        if (rst) begin
            read_data_not_before_head_q <= 2'd0;
            read_data_full_q            <= 1'b0;
        end
    end

    wire         came_valid;
    wire [511:0] came_data;
    wire         came_last;
    wire         came_failed;

    tx_realign realign (
        .clk            (clk),
        .rst            (rst),
        .coming_valid   (coming_valid),
        .coming_ready   (coming_ready),
        .coming_behind  (coming_behind),
        .coming_turn    (coming_turn),
        .coming_lead    (coming_lead),
        .coming_ends    (coming_ends),
        .coming_late    (coming_late),
        .coming_spill   (coming_spill),
        .m_axi_rvalid   (data_rvalid),
        .m_axi_rready   (data_rready),
        .m_axi_rid      (data_rid),
        .m_axi_rdata    (data_rdata),
        .m_axi_rresp    (data_rresp),
        .m_axi_rlast    (data_rlast),
        .payload_valid  (came_valid),
        .payload_data   (came_data),
        .payload_last   (came_last),
        .payload_failed (came_failed)
    );

    // ---- Arrived payload, and the segments that it completes
    wire         payload_valid;
    wire         payload_ready;
    wire [511:0] payload_data;
    wire         arrived_valid;
    wire         arrived_ready;
    wire         arrived_failed;
    // The fetcher has reserved the room; there is a place for each command that waits or is sent.
    reg          payloads_valid_q;
    reg          payloads_empty_q;
    reg  [8:0]   payloads_head_q;
    reg  [8:0]   payloads_tail_q;
    reg  [8:0]   payloads_not_before_tail_q;
    wire         payloads_free  = ~payloads_valid_q | payload_ready;
    wire         payloads_fetch = payloads_free & ~payloads_empty_q;
    reg  [511:0] payloads [0:511];
    wire [511:0] payloads_beat  = came_data;
    reg  [511:0] payloads_fetched_q;

    always @(posedge clk) begin
        if (came_valid) begin
            payloads[payloads_tail_q] <= payloads_beat;
        end
        if (payloads_fetch) begin
            payloads_fetched_q <= payloads[payloads_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire payloads_last_beat = payloads_head_q == ~payloads_not_before_tail_q;

    always @(posedge clk) begin
        if (payloads_free) begin
            payloads_valid_q <= ~payloads_empty_q;
        end
        if (payloads_fetch) begin
            payloads_head_q <= payloads_head_q + 9'd1;
        end
        if (came_valid) begin
            payloads_tail_q            <= payloads_tail_q + 9'd1;
            payloads_not_before_tail_q <= ~payloads_tail_q;
        end
        payloads_empty_q <=
            payloads_empty_q ? ~came_valid : (payloads_free & payloads_last_beat & ~came_valid);
        if (rst) begin
            payloads_valid_q           <= 1'b0;
            payloads_head_q            <= 9'd0;
            payloads_tail_q            <= 9'd0;
            payloads_not_before_tail_q <= 9'd0;
            payloads_empty_q           <= 1'b1;
        end
    end

    assign payload_valid = payloads_valid_q;
    assign payload_data  = payloads_fetched_q;
    reg        arrivals_valid_q;
    reg        arrivals_empty_q;
    reg  [8:0] arrivals_head_q;
    reg  [8:0] arrivals_tail_q;
    reg  [8:0] arrivals_not_before_tail_q;
    wire       arrivals_free  = ~arrivals_valid_q | arrived_ready;
    wire       arrivals_fetch = arrivals_free & ~arrivals_empty_q;
    reg        arrivals [0:511];
    wire       arrivals_beat  = came_failed;
    reg        arrivals_fetched_q;

    always @(posedge clk) begin
        if (came_valid & came_last) begin
            arrivals[arrivals_tail_q] <= arrivals_beat;
        end
        if (arrivals_fetch) begin
            arrivals_fetched_q <= arrivals[arrivals_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire arrivals_last_beat = arrivals_head_q == ~arrivals_not_before_tail_q;

    always @(posedge clk) begin
        if (arrivals_free) begin
            arrivals_valid_q <= ~arrivals_empty_q;
        end
        if (arrivals_fetch) begin
            arrivals_head_q <= arrivals_head_q + 9'd1;
        end
        if (came_valid & came_last) begin
            arrivals_tail_q            <= arrivals_tail_q + 9'd1;
            arrivals_not_before_tail_q <= ~arrivals_tail_q;
        end
        arrivals_empty_q <=
            arrivals_empty_q ? ~(came_valid & came_last) :
                               (arrivals_free & arrivals_last_beat & ~(came_valid & came_last));
        if (rst) begin
            arrivals_valid_q           <= 1'b0;
            arrivals_head_q            <= 9'd0;
            arrivals_tail_q            <= 9'd0;
            arrivals_not_before_tail_q <= 9'd0;
            arrivals_empty_q           <= 1'b1;
        end
    end

    assign arrived_valid  = arrivals_valid_q;
    assign arrived_failed = arrivals_fetched_q;
    assign freed          = payload_valid & payload_ready;

    // ---- Segments
    tx_builder builder (
        .clk                    (clk),
        .rst                    (rst),
        .segment_valid          (waiting_valid),
        .segment_ready          (waiting_ready),
        .segment_stream         (waiting_stream),
        .segment_kind           (waiting_kind),
        .segment_final          (waiting_final),
        .segment_number         (waiting_number),
        .segment_header_length  (waiting_header_length),
        .segment_header         (waiting_header),
        .segment_carries        (waiting_carries),
        .segment_beats          (waiting_beats),
        .segment_short          (waiting_short),
        .segment_ends           (waiting_ends),
        .straight_valid         (straight_valid),
        .straight_ready         (straight_ready),
        .straight_stream        (straight_stream),
        .straight_kind          (straight_kind),
        .straight_final         (straight_final),
        .straight_number        (straight_number),
        .straight_header_length (straight_header_length),
        .straight_header        (straight_header),
        .straight_carries       (straight_carries),
        .straight_beats         (straight_beats),
        .straight_short         (straight_short),
        .straight_ends          (straight_ends),
        .opening_valid          (opening_valid),
        .opening_ready          (opening_ready),
        .opening_stream         (opening_stream),
        .opening_open           (opening_open),
        .opening_domain         (opening_domain),
        .payload_valid          (payload_valid),
        .payload_ready          (payload_ready),
        .payload_data           (payload_data),
        .arrived_valid          (arrived_valid),
        .arrived_ready          (arrived_ready),
        .arrived_failed         (arrived_failed),
        .m_axis_tx_tvalid       (m_axis_tx_tvalid),
        .m_axis_tx_tready       (m_axis_tx_tready),
        .m_axis_tx_tdata        (m_axis_tx_tdata),
        .m_axis_tx_tkeep        (m_axis_tx_tkeep),
        .m_axis_tx_tlast        (m_axis_tx_tlast),
        .m_axis_tx_tuser        (m_axis_tx_tuser),
        .report_valid           (report_valid),
        .report_ready           (report_ready),
        .report_stream          (report_stream),
        .report_kind            (report_kind),
        .report_final           (report_final),
        .report_dropped         (report_dropped),
        .report_asks            (report_asks),
        .credit_valid           (credit_valid),
        .credit_ready           (credit_ready),
        .credit_stream          (credit_stream),
        .credit_number          (credit_number),
        .failed_valid           (failed_valid),
        .failed_ready           (failed_ready),
        .failed_stream          (failed_stream),
        .failed_fault           (failed_fault),
        .running                (running)
    );
endmodule
`default_nettype wire
