// rnic is an RDMAP engine on external memory, requester and responder: RDMA Write and Read, the four Sends, Immediate
// Data, masked Atomics, Terminate (RFC 5040, RFC 5041, RFC 7306).
//
// DDP segments of many streams come in order on s_axis_rx and leave on m_axis_tx. The host posts work on wqe and
// buffers on rqe, and takes completions and events. Memory is behind m_axi. Streams and STags are set up through
// s_axil.
//
// Built for bus_bytes 64, streams 64, stags 1024, ird 8, ord 8, receive_depth 16, send_depth 16, max_payload 1024,
// atomic_depth 512, retire.
`default_nettype none
module rnic (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // s_axis_rx: DDP segments (ULPDUs) in, one per packet; an empty one is a last beat with tkeep 0
    input  wire         s_axis_rx_tvalid,
    output wire         s_axis_rx_tready,
    input  wire [511:0] s_axis_rx_tdata,  // octets; octet 0 in [7:0]
    input  wire [63:0]  s_axis_rx_tkeep,  // valid octets, contiguous from octet 0; all of them except in the last beat
    input  wire         s_axis_rx_tlast,  // last beat of the packet
    input  wire [5:0]   s_axis_rx_tuser,  // number of the stream, the same in all beats of a packet

    // m_axis_tx: DDP segments out, one per packet
    output wire         m_axis_tx_tvalid,
    input  wire         m_axis_tx_tready,
    output wire [511:0] m_axis_tx_tdata,  // octets; octet 0 in [7:0]
    output wire [63:0]  m_axis_tx_tkeep,  // valid octets, contiguous from octet 0; all of them except in the last beat
    output wire         m_axis_tx_tlast,  // last beat of the packet
    output wire [5:0]   m_axis_tx_tuser,  // number of the stream, the same in all beats of a packet

    // wqe: work requests; one beyond send_depth incomplete ones of its stream may stall all later ones
    input  wire         wqe_valid,
    output wire         wqe_ready,
    input  wire [5:0]   wqe_stream,              // number of the stream
    input  wire [63:0]  wqe_id,                  // chosen by the host, returned in its completion
    input  wire         wqe_signaled,            // 1: always complete it; 0: only if it fails
    input  wire [3:0]   wqe_opcode,              // opcode of the operation
    input  wire [31:0]  wqe_local_stag,          // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  wqe_local_to,            // tagged offset of the first octet
    input  wire [31:0]  wqe_length,              // octets of the message; ignored for Atomics and Immediate Data
    input  wire [31:0]  wqe_remote_stag,         // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  wqe_remote_to,           // tagged offset of the first octet
    input  wire [3:0]   wqe_atomic_opcode,       // AOpCode of an Atomic
    // Add Data or Swap Data; for Immediate Data its 8 octets, the first one most significant
    input  wire [63:0]  wqe_atomic_data,
    input  wire [63:0]  wqe_atomic_mask,         // Add Mask or Swap Mask
    input  wire [63:0]  wqe_atomic_compare,      // Compare Data
    input  wire [63:0]  wqe_atomic_compare_mask, // Compare Mask

    // rqe: receive requests
    input  wire         rqe_valid,
    output wire         rqe_ready,
    input  wire [5:0]   rqe_stream, // number of the stream
    input  wire [63:0]  rqe_id,     // chosen by the host, returned in its completion
    input  wire [31:0]  rqe_stag,   // STag: index in [31:8], key in [7:0]
    input  wire [63:0]  rqe_to,     // tagged offset of the first octet
    input  wire [31:0]  rqe_length, // octets of the buffer

    // cqe: completions of work and receive requests
    output wire         cqe_valid,
    input  wire         cqe_ready,
    output wire [5:0]   cqe_stream, // number of the stream
    output wire [63:0]  cqe_id,     // that of the request
    // 0 success, 1 flushed: the stream ended first, 2 local protection error when the work request started, 3 memory
    // error, receives only (I-86)
    output wire [1:0]   cqe_status,
    output wire [3:0]   cqe_opcode, // opcode of the received message or of the work request
    output wire         cqe_recv,   // 1 for a receive, 0 for a work request
    output wire [31:0]  cqe_length, // octets received or transferred
    output wire [63:0]  cqe_data,   // Immediate Data or an Atomic's original value
    output wire [31:0]  cqe_stag,   // invalidated STag

    // event: events reported to the host besides completions
    output wire         event_valid,
    input  wire         event_ready,
    output wire [5:0]   event_stream,     // number of the stream
    // 0 solicited, 1 this node has ended the stream, 2 the peer has, 3 receive request refused: ring full
    output wire [1:0]   event_kind,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    output wire [3:0]   event_term_layer,
    output wire [3:0]   event_term_etype, // error type that the Terminate reports
    output wire [7:0]   event_term_code,  // error code that the Terminate reports

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

    // s_axil
    input  wire         s_axil_awvalid,
    output wire         s_axil_awready,
    input  wire [11:0]  s_axil_awaddr,  // octet address of the register; its two low bits are ignored
    input  wire [2:0]   s_axil_awprot,  // ignored
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    input  wire [31:0]  s_axil_wdata,   // value to write
    input  wire [3:0]   s_axil_wstrb,   // octets to write
    output wire         s_axil_bvalid,
    input  wire         s_axil_bready,
    output wire [1:0]   s_axil_bresp,   // 0 OKAY, 2 SLVERR: nothing was written
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    input  wire [11:0]  s_axil_araddr,  // octet address of the register; its two low bits are ignored
    input  wire [2:0]   s_axil_arprot,  // ignored
    output wire         s_axil_rvalid,
    input  wire         s_axil_rready,
    output wire [31:0]  s_axil_rdata,   // value of the register
    output wire [1:0]   s_axil_rresp,   // 0 OKAY, 2 SLVERR: nothing to read, the data is 0

    // retire_arrived
    output wire         retire_arrived_valid,   // a segment is accepted
    output wire [5:0]   retire_arrived_stream,  // number of the RDMAP Stream
    output wire [3:0]   retire_arrived_opcode,  // RDMAP opcode
    output wire         retire_arrived_last,    // last segment of its message
    output wire         retire_arrived_payload, // it has payload

    // retire_placed
    output wire         retire_placed_valid,  // a placement is in memory, or memory has refused it
    output wire [5:0]   retire_placed_stream, // number of the stream

    // retire_delivered
    output wire         retire_delivered_valid,  // a message takes effect
    output wire [5:0]   retire_delivered_stream, // number of the RDMAP Stream
    // 0 receive complete, 1 response complete, 2 request accepted, 3 stream ended, 4 stream ended by the peer, 5 RDMA
    // Write complete that requests waited for
    output wire [2:0]   retire_delivered_kind,
    // for kind 3: number of the rule that a segment broke (headers.md), 0 if no segment is the cause
    output wire [5:0]   retire_delivered_rule,

    // retire_read
    output wire         retire_read_valid,  // an RDMA Read starts
    output wire [5:0]   retire_read_stream, // number of the RDMAP Stream

    // retire_atomic
    output wire         retire_atomic_valid,    // an atomic takes effect in this cycle
    output wire [5:0]   retire_atomic_stream,   // number of the stream
    output wire [3:0]   retire_atomic_opcode,   // AOpCode
    output wire [63:0]  retire_atomic_address,  // address of the word in memory
    output wire [63:0]  retire_atomic_original, // word before the atomic; 0 if it failed
    output wire [63:0]  retire_atomic_result,   // word after it; 0 if it failed
    output wire         retire_atomic_failed,   // memory did not deliver the word: nothing took effect

    // retire_sent
    output wire         retire_sent_valid,   // a segment was sent or dropped
    output wire [5:0]   retire_sent_stream,  // number of the RDMAP Stream
    // 0 Terminate, 1 nothing: the end of a stream, 2 message of the requester, 3 Read Response, 4 Atomic Response;
    // other responses follow in the order of the opcodes of their requests
    output wire [2:0]   retire_sent_kind,
    output wire         retire_sent_final,   // last segment of its message
    output wire         retire_sent_dropped  // it was dropped
);
    // ---- Set-up
    wire        opened_valid;
    wire        opened_ready;
    wire [5:0]  opened_stream;
    wire        opened_open;
    wire [15:0] opened_domain;
    wire        row_valid;
    wire        row_ready;
    wire [23:0] row_index;
    wire        row_entry_valid;
    wire [7:0]  row_entry_key;
    wire        row_entry_rights_local_read;
    wire        row_entry_rights_local_write;
    wire        row_entry_rights_remote_read;
    wire        row_entry_rights_remote_write;
    wire        row_entry_rights_remote_atomic;
    wire        row_entry_rights_invalidate;
    wire        row_entry_by_domain;
    wire [15:0] row_entry_owner;
    wire [63:0] row_entry_base;
    wire [63:0] row_entry_length;
    wire [63:0] row_entry_address;
    wire        weighed_valid;
    wire        weighed_ready;
    wire [5:0]  weighed_stream;
    wire [3:0]  weighed_weight;
    wire        open_check_valid;
    wire        open_check_ready;
    wire [5:0]  open_check_stream;
    wire        open_check_open;
    wire [15:0] open_check_domain;
    wire        open_gate_valid;
    wire        open_gate_ready;
    wire [5:0]  open_gate_stream;
    wire        open_gate_open;
    wire [15:0] open_gate_domain;
    wire        open_order_valid;
    wire        open_order_ready;
    wire [5:0]  open_order_stream;
    wire        open_order_open;
    wire [15:0] open_order_domain;
    wire        open_tx_valid;
    wire        open_tx_ready;
    wire [5:0]  open_tx_stream;
    wire        open_tx_open;
    wire [15:0] open_tx_domain;
    wire        open_work_valid;
    wire        open_work_ready;
    wire [5:0]  open_work_stream;
    wire        open_work_open;
    wire [15:0] open_work_domain;
    wire        open_ring_valid;
    wire        open_ring_ready;
    wire [5:0]  open_ring_stream;
    wire        open_ring_open;
    wire [15:0] open_ring_domain;
    wire        open_failures_valid;
    wire        open_failures_ready;
    wire [5:0]  open_failures_stream;
    wire        open_failures_open;
    wire [15:0] open_failures_domain;

    opening_fork opening (
        .clk             (clk),
        .rst             (rst),
        .in_valid        (opened_valid),
        .in_ready        (opened_ready),
        .in_stream       (opened_stream),
        .in_open         (opened_open),
        .in_domain       (opened_domain),
        .check_valid     (open_check_valid),
        .check_ready     (open_check_ready),
        .check_stream    (open_check_stream),
        .check_open      (open_check_open),
        .check_domain    (open_check_domain),
        .delivery_valid  (open_gate_valid),
        .delivery_ready  (open_gate_ready),
        .delivery_stream (open_gate_stream),
        .delivery_open   (open_gate_open),
        .delivery_domain (open_gate_domain),
        .order_valid     (open_order_valid),
        .order_ready     (open_order_ready),
        .order_stream    (open_order_stream),
        .order_open      (open_order_open),
        .order_domain    (open_order_domain),
        .tx_valid        (open_tx_valid),
        .tx_ready        (open_tx_ready),
        .tx_stream       (open_tx_stream),
        .tx_open         (open_tx_open),
        .tx_domain       (open_tx_domain),
        .work_valid      (open_work_valid),
        .work_ready      (open_work_ready),
        .work_stream     (open_work_stream),
        .work_open       (open_work_open),
        .work_domain     (open_work_domain),
        .ring_valid      (open_ring_valid),
        .ring_ready      (open_ring_ready),
        .ring_stream     (open_ring_stream),
        .ring_open       (open_ring_open),
        .ring_domain     (open_ring_domain),
        .failures_valid  (open_failures_valid),
        .failures_ready  (open_failures_ready),
        .failures_stream (open_failures_stream),
        .failures_open   (open_failures_open),
        .failures_domain (open_failures_domain)
    );

    // ---- STags
    wire         region_enable;
    wire [23:0]  region_index;
    wire [223:0] region_entry;
    wire         invalidated_enable;
    wire [23:0]  invalidated_index;
    wire [223:0] invalidated_entry;
    wire         local_enable;
    wire [23:0]  local_index;
    wire [223:0] local_entry;
    wire         recheck_enable;
    wire [23:0]  recheck_index;
    wire [223:0] recheck_entry;
    wire         invalidate;
    wire [23:0]  invalidate_index;
    wire         rows_ready;

    stag_table stags (
        .clk                              (clk),
        .rst                              (rst),
        .main_enable                      (region_enable),
        .main_index                       (region_index),
        .main_entry                       (region_entry),
        .invalidated_enable               (invalidated_enable),
        .invalidated_index                (invalidated_index),
        .invalidated_entry                (invalidated_entry),
        .local_enable                     (local_enable),
        .local_index                      (local_index),
        .local_entry                      (local_entry),
        .recheck_enable                   (recheck_enable),
        .recheck_index                    (recheck_index),
        .recheck_entry                    (recheck_entry),
        .invalidate                       (invalidate),
        .invalidate_index                 (invalidate_index),
        .write_valid                      (row_valid),
        .write_ready                      (row_ready),
        .write_index                      (row_index),
        .write_entry_valid                (row_entry_valid),
        .write_entry_key                  (row_entry_key),
        .write_entry_rights_local_read    (row_entry_rights_local_read),
        .write_entry_rights_local_write   (row_entry_rights_local_write),
        .write_entry_rights_remote_read   (row_entry_rights_remote_read),
        .write_entry_rights_remote_write  (row_entry_rights_remote_write),
        .write_entry_rights_remote_atomic (row_entry_rights_remote_atomic),
        .write_entry_rights_invalidate    (row_entry_rights_invalidate),
        .write_entry_by_domain            (row_entry_by_domain),
        .write_entry_owner                (row_entry_owner),
        .write_entry_base                 (row_entry_base),
        .write_entry_length               (row_entry_length),
        .write_entry_address              (row_entry_address),
        .ready                            (rows_ready)
    );

    // ---- Receive: segments, buffers, placement
    wire         parsed_valid;
    wire         parsed_ready;
    wire [5:0]   parsed_stream;
    wire [5:0]   parsed_rule;
    wire [15:0]  parsed_segment_length;
    wire [15:0]  parsed_payload_length;
    wire [559:0] parsed_header;
    wire         parsed_payload_tvalid;
    wire         parsed_payload_tready;
    wire [511:0] parsed_payload_tdata;
    wire [63:0]  parsed_payload_tkeep;
    wire         parsed_payload_tlast;
    wire [5:0]   parsed_payload_tuser;
    wire         payload_tvalid;
    wire         payload_tready;
    wire [511:0] payload_tdata;
    wire [63:0]  payload_tkeep;
    wire         payload_tlast;
    wire [5:0]   payload_tuser;

    ddp_parser parser (
        .clk                     (clk),
        .rst                     (rst),
        .s_axis_rx_tvalid        (s_axis_rx_tvalid),
        .s_axis_rx_tready        (s_axis_rx_tready),
        .s_axis_rx_tdata         (s_axis_rx_tdata),
        .s_axis_rx_tkeep         (s_axis_rx_tkeep),
        .s_axis_rx_tlast         (s_axis_rx_tlast),
        .s_axis_rx_tuser         (s_axis_rx_tuser),
        .m_record_valid          (parsed_valid),
        .m_record_ready          (parsed_ready),
        .m_record_stream         (parsed_stream),
        .m_record_rule           (parsed_rule),
        .m_record_segment_length (parsed_segment_length),
        .m_record_payload_length (parsed_payload_length),
        .m_record_header         (parsed_header),
        .m_axis_payload_tvalid   (parsed_payload_tvalid),
        .m_axis_payload_tready   (parsed_payload_tready),
        .m_axis_payload_tdata    (parsed_payload_tdata),
        .m_axis_payload_tkeep    (parsed_payload_tkeep),
        .m_axis_payload_tlast    (parsed_payload_tlast),
        .m_axis_payload_tuser    (parsed_payload_tuser)
    );

    reg          payload_buffer_full_q;
    reg  [9:0]   payload_buffer_not_before_head_q;
    assign parsed_payload_tready = ~payload_buffer_full_q;
    wire         payload_buffer_store = parsed_payload_tvalid & ~payload_buffer_full_q;
    reg          payload_buffer_valid_q;
    reg          payload_buffer_empty_q;
    reg  [9:0]   payload_buffer_head_q;
    reg  [9:0]   payload_buffer_tail_q;
    reg  [9:0]   payload_buffer_not_before_tail_q;
    wire         payload_buffer_free  = ~payload_buffer_valid_q | payload_tready;
    wire         payload_buffer_fetch = payload_buffer_free & ~payload_buffer_empty_q;
    reg  [582:0] payload_buffer [0:1023];
    wire [582:0] payload_buffer_beat  = {
        parsed_payload_tdata, parsed_payload_tkeep, parsed_payload_tlast, parsed_payload_tuser
    };
    reg  [582:0] payload_buffer_fetched_q;

    always @(posedge clk) begin
        if (payload_buffer_store) begin
            payload_buffer[payload_buffer_tail_q] <= payload_buffer_beat;
        end
        if (payload_buffer_fetch) begin
            payload_buffer_fetched_q <= payload_buffer[payload_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire payload_buffer_last_beat = payload_buffer_head_q == ~payload_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (payload_buffer_free) begin
            payload_buffer_valid_q <= ~payload_buffer_empty_q;
        end
        if (payload_buffer_fetch) begin
            payload_buffer_head_q <= payload_buffer_head_q + 10'd1;
        end
        if (payload_buffer_store) begin
            payload_buffer_tail_q            <= payload_buffer_tail_q + 10'd1;
            payload_buffer_not_before_tail_q <= ~payload_buffer_tail_q;
        end
        payload_buffer_empty_q <=
            payload_buffer_empty_q ? ~payload_buffer_store :
                                     (payload_buffer_free & payload_buffer_last_beat & ~payload_buffer_store);
        if (rst) begin
            payload_buffer_valid_q           <= 1'b0;
            payload_buffer_head_q            <= 10'd0;
            payload_buffer_tail_q            <= 10'd0;
            payload_buffer_not_before_tail_q <= 10'd0;
            payload_buffer_empty_q           <= 1'b1;
        end
    end

    assign payload_tvalid = payload_buffer_valid_q;
    assign payload_tdata  = payload_buffer_fetched_q[582:71];
    assign payload_tkeep  = payload_buffer_fetched_q[70:7];
    assign payload_tlast  = payload_buffer_fetched_q[6];
    assign payload_tuser  = payload_buffer_fetched_q[5:0];
    // With one place left, the memory is not full. The place before head is complemented.
    wire payload_buffer_last_place = payload_buffer_tail_q == ~payload_buffer_not_before_head_q;

    always @(posedge clk) begin
        if (payload_buffer_fetch) begin
            payload_buffer_not_before_head_q <= ~payload_buffer_head_q;
        end
        payload_buffer_full_q <=
              ~payload_buffer_fetch
            & (payload_buffer_full_q | (parsed_payload_tvalid & payload_buffer_last_place));
        if (rst) begin
            payload_buffer_not_before_head_q <= 10'd0;
            payload_buffer_full_q            <= 1'b0;
        end
    end

    wire         ring_enable;
    wire [5:0]   ring_stream;
    wire [3:0]   ring_slot;
    wire [191:0] ring_entry;
    wire [4:0]   ring_posted;
    wire         consumed;
    wire [5:0]   consumed_stream;
    wire [4:0]   consumed_count;
    wire         refused_valid;
    wire         refused_ready;
    wire [5:0]   refused_stream;
    wire [1:0]   refused_kind;
    wire [3:0]   refused_term_layer;
    wire [3:0]   refused_term_etype;
    wire [7:0]   refused_term_code;

    receive_ring receives (
        .clk                (clk),
        .rst                (rst),
        .rqe_valid          (rqe_valid),
        .rqe_ready          (rqe_ready),
        .rqe_stream         (rqe_stream),
        .rqe_id             (rqe_id),
        .rqe_stag           (rqe_stag),
        .rqe_to             (rqe_to),
        .rqe_length         (rqe_length),
        .opening_valid      (open_ring_valid),
        .opening_ready      (open_ring_ready),
        .opening_stream     (open_ring_stream),
        .opening_open       (open_ring_open),
        .opening_domain     (open_ring_domain),
        .enable             (ring_enable),
        .stream             (ring_stream),
        .slot               (ring_slot),
        .entry              (ring_entry),
        .posted             (ring_posted),
        .consumed           (consumed),
        .consumed_stream    (consumed_stream),
        .consumed_count     (consumed_count),
        .refused_valid      (refused_valid),
        .refused_ready      (refused_ready),
        .refused_stream     (refused_stream),
        .refused_kind       (refused_kind),
        .refused_term_layer (refused_term_layer),
        .refused_term_etype (refused_term_etype),
        .refused_term_code  (refused_term_code)
    );

    wire         failed_valid;
    wire         failed_ready;
    wire [5:0]   failed_stream;
    wire         failed_fault;
    wire         expecting_valid;
    wire         expecting_ready;
    wire [5:0]   expecting_stream;
    wire         expecting_executor;
    wire [31:0]  expecting_identifier;
    wire [31:0]  expecting_stag;
    wire [63:0]  expecting_to;
    wire [31:0]  expecting_length;
    wire         credit_valid;
    wire         credit_ready;
    wire [5:0]   credit_stream;
    wire [4:0]   credit_number;
    wire         place_valid;
    wire         place_ready;
    wire [5:0]   place_stream;
    wire         place_discard;
    wire         place_inline;
    wire [63:0]  place_address;
    wire [15:0]  place_length;
    wire [63:0]  place_data;
    wire         item_valid;
    wire         item_ready;
    wire [5:0]   item_kind;
    wire [8:0]   item_place;
    wire [63:0]  item_id;
    wire [3:0]   item_opcode;
    wire [31:0]  item_length;
    wire [5:0]   item_rule;
    wire         item_queue_waits;
    wire         item_queue_first;
    wire         item_queue_releases;
    wire [5:0]   item_request_stream;
    wire [1:0]   item_request_kind;
    wire [4:0]   item_request_number;
    wire [31:0]  item_request_stag;
    wire [63:0]  item_request_address;
    wire [31:0]  item_request_response_msn;
    wire [3:0]   item_request_term_layer;
    wire [3:0]   item_request_term_etype;
    wire [7:0]   item_request_term_code;
    wire [5:0]   item_request_header_length;
    wire [15:0]  item_request_segment_length;
    wire [415:0] item_request_body;
    wire [8:0]   issued;
    wire [8:0]   placed;
    wire         segment_received;
    wire         segment_discarded;
    wire         segment_in_error;
    wire         stag_invalidated;

    rx_check check (
        .clk                            (clk),
        .rst                            (rst),
        .record_valid                   (parsed_valid),
        .record_ready                   (parsed_ready),
        .record_stream                  (parsed_stream),
        .record_rule                    (parsed_rule),
        .record_segment_length          (parsed_segment_length),
        .record_payload_length          (parsed_payload_length),
        .record_header                  (parsed_header),
        .opening_valid                  (open_check_valid),
        .opening_ready                  (open_check_ready),
        .opening_stream                 (open_check_stream),
        .opening_open                   (open_check_open),
        .opening_domain                 (open_check_domain),
        .failure_valid                  (failed_valid),
        .failure_ready                  (failed_ready),
        .failure_stream                 (failed_stream),
        .failure_fault                  (failed_fault),
        .expecting_valid                (expecting_valid),
        .expecting_ready                (expecting_ready),
        .expecting_stream               (expecting_stream),
        .expecting_executor             (expecting_executor),
        .expecting_identifier           (expecting_identifier),
        .expecting_stag                 (expecting_stag),
        .expecting_to                   (expecting_to),
        .expecting_length               (expecting_length),
        .credit_valid                   (credit_valid),
        .credit_ready                   (credit_ready),
        .credit_stream                  (credit_stream),
        .credit_number                  (credit_number),
        .region_enable                  (region_enable),
        .region_index                   (region_index),
        .region_entry                   (region_entry),
        .invalidated_enable             (invalidated_enable),
        .invalidated_index              (invalidated_index),
        .invalidated_entry              (invalidated_entry),
        .invalidate                     (invalidate),
        .invalidate_index               (invalidate_index),
        .ring_enable                    (ring_enable),
        .ring_stream                    (ring_stream),
        .ring_slot                      (ring_slot),
        .ring_entry                     (ring_entry),
        .ring_posted                    (ring_posted),
        .consumed_valid                 (consumed),
        .consumed_stream                (consumed_stream),
        .consumed_count                 (consumed_count),
        .place_valid                    (place_valid),
        .place_ready                    (place_ready),
        .place_stream                   (place_stream),
        .place_discard                  (place_discard),
        .place_inline                   (place_inline),
        .place_address                  (place_address),
        .place_length                   (place_length),
        .place_data                     (place_data),
        .placed                         (placed),
        .issued                         (issued),
        .deliver_valid                  (item_valid),
        .deliver_ready                  (item_ready),
        .deliver_kind                   (item_kind),
        .deliver_place                  (item_place),
        .deliver_id                     (item_id),
        .deliver_opcode                 (item_opcode),
        .deliver_length                 (item_length),
        .deliver_rule                   (item_rule),
        .deliver_queue_waits            (item_queue_waits),
        .deliver_queue_first            (item_queue_first),
        .deliver_queue_releases         (item_queue_releases),
        .deliver_request_stream         (item_request_stream),
        .deliver_request_kind           (item_request_kind),
        .deliver_request_number         (item_request_number),
        .deliver_request_stag           (item_request_stag),
        .deliver_request_address        (item_request_address),
        .deliver_request_response_msn   (item_request_response_msn),
        .deliver_request_term_layer     (item_request_term_layer),
        .deliver_request_term_etype     (item_request_term_etype),
        .deliver_request_term_code      (item_request_term_code),
        .deliver_request_header_length  (item_request_header_length),
        .deliver_request_segment_length (item_request_segment_length),
        .deliver_request_body           (item_request_body),
        .count_segments                 (segment_received),
        .count_discarded                (segment_discarded),
        .count_errors                   (segment_in_error),
        .count_invalidated              (stag_invalidated)
    );

    wire         place_failed_valid;
    wire         place_failed_ready;
    wire [5:0]   place_failed_stream;
    wire         place_failed_fault;
    wire         place_failed_gate_valid;
    wire         place_failed_gate_ready;
    wire [5:0]   place_failed_gate_stream;
    wire         place_failed_gate_fault;
    wire         place_failed_gather_valid;
    wire         place_failed_gather_ready;
    wire [5:0]   place_failed_gather_stream;
    wire         place_failed_gather_fault;
    wire         place_axi_awvalid;
    wire         place_axi_awready;
    wire         place_axi_awid;
    wire [63:0]  place_axi_awaddr;
    wire [7:0]   place_axi_awlen;
    wire [2:0]   place_axi_awsize;
    wire [1:0]   place_axi_awburst;
    wire         place_axi_wvalid;
    wire         place_axi_wready;
    wire [511:0] place_axi_wdata;
    wire [63:0]  place_axi_wstrb;
    wire         place_axi_wlast;
    wire         place_axi_bvalid;
    wire         place_axi_bready;
    wire         place_axi_bid;
    wire [1:0]   place_axi_bresp;

    placement placement (
        .clk             (clk),
        .rst             (rst),
        .command_valid   (place_valid),
        .command_ready   (place_ready),
        .command_stream  (place_stream),
        .command_discard (place_discard),
        .command_inline  (place_inline),
        .command_address (place_address),
        .command_length  (place_length),
        .command_data    (place_data),
        .payload_tvalid  (payload_tvalid),
        .payload_tready  (payload_tready),
        .payload_tdata   (payload_tdata),
        .payload_tkeep   (payload_tkeep),
        .payload_tlast   (payload_tlast),
        .payload_tuser   (payload_tuser),
        .m_axi_awvalid   (place_axi_awvalid),
        .m_axi_awready   (place_axi_awready),
        .m_axi_awid      (place_axi_awid),
        .m_axi_awaddr    (place_axi_awaddr),
        .m_axi_awlen     (place_axi_awlen),
        .m_axi_awsize    (place_axi_awsize),
        .m_axi_awburst   (place_axi_awburst),
        .m_axi_wvalid    (place_axi_wvalid),
        .m_axi_wready    (place_axi_wready),
        .m_axi_wdata     (place_axi_wdata),
        .m_axi_wstrb     (place_axi_wstrb),
        .m_axi_wlast     (place_axi_wlast),
        .m_axi_bvalid    (place_axi_bvalid),
        .m_axi_bready    (place_axi_bready),
        .m_axi_bid       (place_axi_bid),
        .m_axi_bresp     (place_axi_bresp),
        .placed          (placed),
        .failed_valid    (place_failed_valid),
        .failed_ready    (place_failed_ready),
        .failed_stream   (place_failed_stream),
        .failed_fault    (place_failed_fault),
        .retire_valid    (retire_placed_valid),
        .retire_stream   (retire_placed_stream)
    );

    reg  place_failure_first_has_q;
    reg  place_failure_second_has_q;
    assign place_failed_gate_valid    = place_failed_valid & ~place_failure_first_has_q;
    assign place_failed_gate_stream   = place_failed_stream;
    assign place_failed_gate_fault    = place_failed_fault;
    assign place_failed_gather_valid  = place_failed_valid & ~place_failure_second_has_q;
    assign place_failed_gather_stream = place_failed_stream;
    assign place_failed_gather_fault  = place_failed_fault;
    wire place_failure_first  = place_failure_first_has_q | place_failed_gate_ready;
    wire place_failure_second = place_failure_second_has_q | place_failed_gather_ready;
    wire place_failure_done   = place_failure_first & place_failure_second;

    always @(posedge clk) begin
        if (place_failed_valid) begin
            place_failure_first_has_q  <= place_failure_first & ~place_failure_done;
            place_failure_second_has_q <= place_failure_second & ~place_failure_done;
        end
        if (rst) begin
            place_failure_first_has_q  <= 1'b0;
            place_failure_second_has_q <= 1'b0;
        end
    end

    assign place_failed_ready = place_failure_done;

    // ---- Deliver: effects of segments, once all earlier payload of the stream is in memory
    wire         received_valid;
    wire         received_ready;
    wire [5:0]   received_stream;
    wire [63:0]  received_id;
    wire [1:0]   received_status;
    wire [3:0]   received_opcode;
    wire         received_recv;
    wire [31:0]  received_length;
    wire [63:0]  received_data;
    wire [31:0]  received_stag;
    wire         delivered_event_valid;
    wire         delivered_event_ready;
    wire [5:0]   delivered_event_stream;
    wire [1:0]   delivered_event_kind;
    wire [3:0]   delivered_event_term_layer;
    wire [3:0]   delivered_event_term_etype;
    wire [7:0]   delivered_event_term_code;
    wire         answered_valid;
    wire         answered_ready;
    wire [5:0]   answered_stream;
    wire [63:0]  answered_data;
    wire         stream_end_valid;
    wire         stream_end_ready;
    wire [5:0]   stream_end_stream;
    wire         inbound_valid;
    wire         inbound_ready;
    wire         inbound_queue_waits;
    wire         inbound_queue_first;
    wire         inbound_queue_releases;
    wire [5:0]   inbound_stream;
    wire [1:0]   inbound_kind;
    wire [4:0]   inbound_number;
    wire [31:0]  inbound_stag;
    wire [63:0]  inbound_address;
    wire [31:0]  inbound_response_msn;
    wire [3:0]   inbound_term_layer;
    wire [3:0]   inbound_term_etype;
    wire [7:0]   inbound_term_code;
    wire [5:0]   inbound_header_length;
    wire [15:0]  inbound_segment_length;
    wire [415:0] inbound_body;

    delivery_gate gate (
        .clk                            (clk),
        .rst                            (rst),
        .deliver_valid                  (item_valid),
        .deliver_ready                  (item_ready),
        .deliver_kind                   (item_kind),
        .deliver_place                  (item_place),
        .deliver_id                     (item_id),
        .deliver_opcode                 (item_opcode),
        .deliver_length                 (item_length),
        .deliver_rule                   (item_rule),
        .deliver_queue_waits            (item_queue_waits),
        .deliver_queue_first            (item_queue_first),
        .deliver_queue_releases         (item_queue_releases),
        .deliver_request_stream         (item_request_stream),
        .deliver_request_kind           (item_request_kind),
        .deliver_request_number         (item_request_number),
        .deliver_request_stag           (item_request_stag),
        .deliver_request_address        (item_request_address),
        .deliver_request_response_msn   (item_request_response_msn),
        .deliver_request_term_layer     (item_request_term_layer),
        .deliver_request_term_etype     (item_request_term_etype),
        .deliver_request_term_code      (item_request_term_code),
        .deliver_request_header_length  (item_request_header_length),
        .deliver_request_segment_length (item_request_segment_length),
        .deliver_request_body           (item_request_body),
        .opening_valid                  (open_gate_valid),
        .opening_ready                  (open_gate_ready),
        .opening_stream                 (open_gate_stream),
        .opening_open                   (open_gate_open),
        .opening_domain                 (open_gate_domain),
        .issued                         (issued),
        .placed                         (placed),
        .failed_valid                   (place_failed_gate_valid),
        .failed_ready                   (place_failed_gate_ready),
        .failed_stream                  (place_failed_gate_stream),
        .failed_fault                   (place_failed_gate_fault),
        .completion_valid               (received_valid),
        .completion_ready               (received_ready),
        .completion_stream              (received_stream),
        .completion_id                  (received_id),
        .completion_status              (received_status),
        .completion_opcode              (received_opcode),
        .completion_recv                (received_recv),
        .completion_length              (received_length),
        .completion_data                (received_data),
        .completion_stag                (received_stag),
        .event_valid                    (delivered_event_valid),
        .event_ready                    (delivered_event_ready),
        .event_stream                   (delivered_event_stream),
        .event_kind                     (delivered_event_kind),
        .event_term_layer               (delivered_event_term_layer),
        .event_term_etype               (delivered_event_term_etype),
        .event_term_code                (delivered_event_term_code),
        .answered_valid                 (answered_valid),
        .answered_ready                 (answered_ready),
        .answered_stream                (answered_stream),
        .answered_data                  (answered_data),
        .ended_valid                    (stream_end_valid),
        .ended_ready                    (stream_end_ready),
        .ended_stream                   (stream_end_stream),
        .request_valid                  (inbound_valid),
        .request_ready                  (inbound_ready),
        .request_queue_waits            (inbound_queue_waits),
        .request_queue_first            (inbound_queue_first),
        .request_queue_releases         (inbound_queue_releases),
        .request_stream                 (inbound_stream),
        .request_kind                   (inbound_kind),
        .request_number                 (inbound_number),
        .request_stag                   (inbound_stag),
        .request_address                (inbound_address),
        .request_response_msn           (inbound_response_msn),
        .request_term_layer             (inbound_term_layer),
        .request_term_etype             (inbound_term_etype),
        .request_term_code              (inbound_term_code),
        .request_header_length          (inbound_header_length),
        .request_segment_length         (inbound_segment_length),
        .request_body                   (inbound_body)
    );

    // ---- Respond
    wire         terminate_valid;
    wire         terminate_ready;
    wire [5:0]   terminate_stream;
    wire [1:0]   terminate_kind;
    wire [4:0]   terminate_number;
    wire [31:0]  terminate_stag;
    wire [63:0]  terminate_address;
    wire [31:0]  terminate_response_msn;
    wire [3:0]   terminate_term_layer;
    wire [3:0]   terminate_term_etype;
    wire [7:0]   terminate_term_code;
    wire [5:0]   terminate_header_length;
    wire [15:0]  terminate_segment_length;
    wire [415:0] terminate_body;
    wire         order_failed_valid;
    wire         order_failed_ready;
    wire [5:0]   order_failed_stream;
    wire         order_failed_fault;
    wire         read_valid;
    wire         read_ready;
    wire [5:0]   read_stream;
    wire [4:0]   read_number;
    wire [63:0]  read_address;
    wire [31:0]  read_length;
    wire [31:0]  read_sink_stag;
    wire [63:0]  read_sink_to;
    wire         read_message_valid;
    wire         read_message_ready;
    wire [5:0]   read_message_stream;
    wire [2:0]   read_message_kind;
    wire [4:0]   read_message_number;
    wire [6:0]   read_message_header_length;
    wire [559:0] read_message_header;
    wire [63:0]  read_message_address;
    wire [31:0]  read_message_length;
    wire         read_over_valid;
    wire         read_over_ready;
    wire [5:0]   read_over_stream;
    wire         read_reported_valid;
    wire         read_reported_ready;
    wire [5:0]   read_reported_stream;
    wire [5:0]   read_overs_out;
    assign read_over_stream = read_overs_out;

    fifo #(.WIDTH(6), .DEPTH(16)) read_overs (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (read_reported_valid),
        .in_ready  (read_reported_ready),
        .in_data   (read_reported_stream),
        .out_valid (read_over_valid),
        .out_ready (read_over_ready),
        .out_data  (read_overs_out)
    );

    wire         response_to_read_valid;
    wire         response_to_read_ready;
    wire [5:0]   response_to_read_stream;
    wire [2:0]   response_to_read_kind;
    wire [4:0]   response_to_read_number;
    wire [6:0]   response_to_read_header_length;
    wire [559:0] response_to_read_header;
    wire [63:0]  response_to_read_address;
    wire [31:0]  response_to_read_length;

    read_responder read_responder (
        .req_valid             (read_valid),
        .req_ready             (read_ready),
        .req_stream            (read_stream),
        .req_number            (read_number),
        .req_address           (read_address),
        .req_length            (read_length),
        .req_sink_stag         (read_sink_stag),
        .req_sink_to           (read_sink_to),
        .message_valid         (response_to_read_valid),
        .message_ready         (response_to_read_ready),
        .message_stream        (response_to_read_stream),
        .message_kind          (response_to_read_kind),
        .message_number        (response_to_read_number),
        .message_header_length (response_to_read_header_length),
        .message_header        (response_to_read_header),
        .message_address       (response_to_read_address),
        .message_length        (response_to_read_length)
    );

    reg  [5:0]   read_responses_stream_q;
    reg  [2:0]   read_responses_kind_q;
    reg  [4:0]   read_responses_number_q;
    reg  [6:0]   read_responses_header_length_q;
    reg  [559:0] read_responses_header_q;
    reg  [63:0]  read_responses_address_q;
    reg  [31:0]  read_responses_length_q;
    reg          read_responses_valid_q;
    reg  [5:0]   read_responses_kept_stream_q;
    reg  [2:0]   read_responses_kept_kind_q;
    reg  [4:0]   read_responses_kept_number_q;
    reg  [6:0]   read_responses_kept_header_length_q;
    reg  [559:0] read_responses_kept_header_q;
    reg  [63:0]  read_responses_kept_address_q;
    reg  [31:0]  read_responses_kept_length_q;
    reg          read_responses_keeps_q;
    reg          read_responses_room_q;
    assign response_to_read_ready = read_responses_room_q;
    wire         read_responses_free  = ~read_responses_valid_q | read_message_ready;
    wire [676:0] read_responses_next  =
        read_responses_keeps_q ? {
                                     read_responses_kept_stream_q, read_responses_kept_kind_q,
                                     read_responses_kept_number_q, read_responses_kept_header_length_q,
                                     read_responses_kept_header_q, read_responses_kept_address_q,
                                     read_responses_kept_length_q
                                 } :
                                 {
                                     response_to_read_stream, response_to_read_kind, response_to_read_number,
                                     response_to_read_header_length, response_to_read_header,
                                     response_to_read_address, response_to_read_length
                                 };
    wire         read_responses_keeps =
        (read_responses_keeps_q | (response_to_read_valid & read_responses_room_q)) & ~read_responses_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (read_responses_free) begin
            read_responses_valid_q         <=
                read_responses_keeps_q | (response_to_read_valid & read_responses_room_q);
            read_responses_stream_q        <= read_responses_next[676:671];
            read_responses_kind_q          <= read_responses_next[670:668];
            read_responses_number_q        <= read_responses_next[667:663];
            read_responses_header_length_q <= read_responses_next[662:656];
            read_responses_header_q        <= read_responses_next[655:96];
            read_responses_address_q       <= read_responses_next[95:32];
            read_responses_length_q        <= read_responses_next[31:0];
        end
        if (~read_responses_keeps_q) begin
            read_responses_kept_stream_q     <= response_to_read_stream;
            read_responses_kept_kind_q       <= response_to_read_kind;
            read_responses_kept_number_q     <= response_to_read_number;
            read_responses_kept_header_length_q <= response_to_read_header_length;
            read_responses_kept_header_q     <= response_to_read_header;
            read_responses_kept_address_q    <= response_to_read_address;
            read_responses_kept_length_q     <= response_to_read_length;
        end
        read_responses_keeps_q <= read_responses_keeps;
        read_responses_room_q  <= ~read_responses_keeps;
        if (rst) begin
            read_responses_valid_q <= 1'b0;
            read_responses_keeps_q <= 1'b0;
            read_responses_room_q  <= 1'b1;
        end
    end

    assign read_message_valid         = read_responses_valid_q;
    assign read_message_stream        = read_responses_stream_q;
    assign read_message_kind          = read_responses_kind_q;
    assign read_message_number        = read_responses_number_q;
    assign read_message_header_length = read_responses_header_length_q;
    assign read_message_header        = read_responses_header_q;
    assign read_message_address       = read_responses_address_q;
    assign read_message_length        = read_responses_length_q;
    wire         atomic_valid;
    wire         atomic_ready;
    wire [5:0]   atomic_stream;
    wire [4:0]   atomic_number;
    wire [31:0]  atomic_atomic_msn;
    wire [31:0]  atomic_identifier;
    wire [63:0]  atomic_address;
    wire [8:0]   atomic_set;
    wire [3:0]   atomic_opcode;
    wire [63:0]  atomic_data;
    wire [63:0]  atomic_mask;
    wire [63:0]  atomic_compare;
    wire [63:0]  atomic_compare_mask;
    wire         atomic_message_valid;
    wire         atomic_message_ready;
    wire [5:0]   atomic_message_stream;
    wire [2:0]   atomic_message_kind;
    wire [4:0]   atomic_message_number;
    wire [6:0]   atomic_message_header_length;
    wire [559:0] atomic_message_header;
    wire [63:0]  atomic_message_address;
    wire [31:0]  atomic_message_length;
    wire         atomic_over_valid;
    wire         atomic_over_ready;
    wire [5:0]   atomic_over_stream;
    wire         atomic_ended_valid;
    wire         atomic_ended_ready;
    wire [5:0]   atomic_ended_stream;
    reg  [5:0]   atomic_ended_kept_stream_q;
    reg          atomic_ended_kept_valid_q;
    reg  [5:0]   atomic_ended_kept_kept_stream_q;
    reg          atomic_ended_kept_keeps_q;
    reg          atomic_ended_kept_room_q;
    assign atomic_ended_ready         = atomic_ended_kept_room_q;
    wire         atomic_ended_kept_free  = ~atomic_ended_kept_valid_q | atomic_over_ready;
    wire [5:0]   atomic_ended_kept_next  =
        atomic_ended_kept_keeps_q ? atomic_ended_kept_kept_stream_q : atomic_ended_stream;
    wire         atomic_ended_kept_keeps =
          (atomic_ended_kept_keeps_q | (atomic_ended_valid & atomic_ended_kept_room_q))
        & ~atomic_ended_kept_free;

    // A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.
    always @(posedge clk) begin
        if (atomic_ended_kept_free) begin
            atomic_ended_kept_valid_q  <=
                atomic_ended_kept_keeps_q | (atomic_ended_valid & atomic_ended_kept_room_q);
            atomic_ended_kept_stream_q <= atomic_ended_kept_next;
        end
        if (~atomic_ended_kept_keeps_q) begin
            atomic_ended_kept_kept_stream_q <= atomic_ended_stream;
        end
        atomic_ended_kept_keeps_q <= atomic_ended_kept_keeps;
        atomic_ended_kept_room_q  <= ~atomic_ended_kept_keeps;
        if (rst) begin
            atomic_ended_kept_valid_q <= 1'b0;
            atomic_ended_kept_keeps_q <= 1'b0;
            atomic_ended_kept_room_q  <= 1'b1;
        end
    end

    assign atomic_over_valid  = atomic_ended_kept_valid_q;
    assign atomic_over_stream = atomic_ended_kept_stream_q;
    wire         atomic_failed_valid;
    wire         atomic_failed_ready;
    wire [5:0]   atomic_failed_stream;
    wire         atomic_failed_fault;
    wire         atomic_table_ready;
    wire         atomic_axi_awvalid;
    wire         atomic_axi_awready;
    wire         atomic_axi_awid;
    wire [63:0]  atomic_axi_awaddr;
    wire [7:0]   atomic_axi_awlen;
    wire [2:0]   atomic_axi_awsize;
    wire [1:0]   atomic_axi_awburst;
    wire         atomic_axi_wvalid;
    wire         atomic_axi_wready;
    wire [511:0] atomic_axi_wdata;
    wire [63:0]  atomic_axi_wstrb;
    wire         atomic_axi_wlast;
    wire         atomic_axi_bvalid;
    wire         atomic_axi_bready;
    wire         atomic_axi_bid;
    wire [1:0]   atomic_axi_bresp;
    wire         atomic_axi_arvalid;
    wire         atomic_axi_arready;
    wire         atomic_axi_arid;
    wire [63:0]  atomic_axi_araddr;
    wire [7:0]   atomic_axi_arlen;
    wire [2:0]   atomic_axi_arsize;
    wire [1:0]   atomic_axi_arburst;
    wire         atomic_axi_rvalid;
    wire         atomic_axi_rready;
    wire         atomic_axi_rid;
    wire [511:0] atomic_axi_rdata;
    wire [1:0]   atomic_axi_rresp;
    wire         atomic_axi_rlast;
    wire         atomic_response_valid;
    wire         atomic_response_ready;
    wire [5:0]   atomic_response_stream;
    wire [4:0]   atomic_response_number;
    wire [31:0]  atomic_response_atomic_msn;
    wire [31:0]  atomic_response_identifier;
    wire [63:0]  atomic_response_original;
    wire         atomic_response_failed;

    atomic_unit atomic_unit (
        .clk                 (clk),
        .rst                 (rst),
        .req_valid           (atomic_valid),
        .req_ready           (atomic_ready),
        .req_stream          (atomic_stream),
        .req_number          (atomic_number),
        .req_atomic_msn      (atomic_atomic_msn),
        .req_identifier      (atomic_identifier),
        .req_address         (atomic_address),
        .req_set             (atomic_set),
        .req_opcode          (atomic_opcode),
        .req_data            (atomic_data),
        .req_mask            (atomic_mask),
        .req_compare         (atomic_compare),
        .req_compare_mask    (atomic_compare_mask),
        .response_valid      (atomic_response_valid),
        .response_ready      (atomic_response_ready),
        .response_stream     (atomic_response_stream),
        .response_number     (atomic_response_number),
        .response_atomic_msn (atomic_response_atomic_msn),
        .response_identifier (atomic_response_identifier),
        .response_original   (atomic_response_original),
        .response_failed     (atomic_response_failed),
        .failed_valid        (atomic_failed_valid),
        .failed_ready        (atomic_failed_ready),
        .failed_stream       (atomic_failed_stream),
        .failed_fault        (atomic_failed_fault),
        .over_valid          (atomic_ended_valid),
        .over_ready          (atomic_ended_ready),
        .over_stream         (atomic_ended_stream),
        .m_axi_arvalid       (atomic_axi_arvalid),
        .m_axi_arready       (atomic_axi_arready),
        .m_axi_arid          (atomic_axi_arid),
        .m_axi_araddr        (atomic_axi_araddr),
        .m_axi_arlen         (atomic_axi_arlen),
        .m_axi_arsize        (atomic_axi_arsize),
        .m_axi_arburst       (atomic_axi_arburst),
        .m_axi_rvalid        (atomic_axi_rvalid),
        .m_axi_rready        (atomic_axi_rready),
        .m_axi_rid           (atomic_axi_rid),
        .m_axi_rdata         (atomic_axi_rdata),
        .m_axi_rresp         (atomic_axi_rresp),
        .m_axi_rlast         (atomic_axi_rlast),
        .m_axi_awvalid       (atomic_axi_awvalid),
        .m_axi_awready       (atomic_axi_awready),
        .m_axi_awid          (atomic_axi_awid),
        .m_axi_awaddr        (atomic_axi_awaddr),
        .m_axi_awlen         (atomic_axi_awlen),
        .m_axi_awsize        (atomic_axi_awsize),
        .m_axi_awburst       (atomic_axi_awburst),
        .m_axi_wvalid        (atomic_axi_wvalid),
        .m_axi_wready        (atomic_axi_wready),
        .m_axi_wdata         (atomic_axi_wdata),
        .m_axi_wstrb         (atomic_axi_wstrb),
        .m_axi_wlast         (atomic_axi_wlast),
        .m_axi_bvalid        (atomic_axi_bvalid),
        .m_axi_bready        (atomic_axi_bready),
        .m_axi_bid           (atomic_axi_bid),
        .m_axi_bresp         (atomic_axi_bresp),
        .ready               (atomic_table_ready),
        .retire_valid        (retire_atomic_valid),
        .retire_stream       (retire_atomic_stream),
        .retire_opcode       (retire_atomic_opcode),
        .retire_address      (retire_atomic_address),
        .retire_original     (retire_atomic_original),
        .retire_result       (retire_atomic_result),
        .retire_failed       (retire_atomic_failed)
    );

    atomic_responder atomic_responder (
        .response_valid        (atomic_response_valid),
        .response_ready        (atomic_response_ready),
        .response_stream       (atomic_response_stream),
        .response_number       (atomic_response_number),
        .response_atomic_msn   (atomic_response_atomic_msn),
        .response_identifier   (atomic_response_identifier),
        .response_original     (atomic_response_original),
        .response_failed       (atomic_response_failed),
        .message_valid         (atomic_message_valid),
        .message_ready         (atomic_message_ready),
        .message_stream        (atomic_message_stream),
        .message_kind          (atomic_message_kind),
        .message_number        (atomic_message_number),
        .message_header_length (atomic_message_header_length),
        .message_header        (atomic_message_header),
        .message_address       (atomic_message_address),
        .message_length        (atomic_message_length)
    );

    request_order order (
        .clk                 (clk),
        .rst                 (rst),
        .in_valid            (inbound_valid),
        .in_ready            (inbound_ready),
        .in_queue_waits      (inbound_queue_waits),
        .in_queue_first      (inbound_queue_first),
        .in_queue_releases   (inbound_queue_releases),
        .in_stream           (inbound_stream),
        .in_kind             (inbound_kind),
        .in_number           (inbound_number),
        .in_stag             (inbound_stag),
        .in_address          (inbound_address),
        .in_response_msn     (inbound_response_msn),
        .in_term_layer       (inbound_term_layer),
        .in_term_etype       (inbound_term_etype),
        .in_term_code        (inbound_term_code),
        .in_header_length    (inbound_header_length),
        .in_segment_length   (inbound_segment_length),
        .in_body             (inbound_body),
        .opening_valid       (open_order_valid),
        .opening_ready       (open_order_ready),
        .opening_stream      (open_order_stream),
        .opening_open        (open_order_open),
        .opening_domain      (open_order_domain),
        .recheck_enable      (recheck_enable),
        .recheck_index       (recheck_index),
        .recheck_entry       (recheck_entry),
        .read_valid          (read_valid),
        .read_ready          (read_ready),
        .read_stream         (read_stream),
        .read_number         (read_number),
        .read_address        (read_address),
        .read_length         (read_length),
        .read_sink_stag      (read_sink_stag),
        .read_sink_to        (read_sink_to),
        .atomic_valid        (atomic_valid),
        .atomic_ready        (atomic_ready),
        .atomic_stream       (atomic_stream),
        .atomic_number       (atomic_number),
        .atomic_atomic_msn   (atomic_atomic_msn),
        .atomic_identifier   (atomic_identifier),
        .atomic_address      (atomic_address),
        .atomic_set          (atomic_set),
        .atomic_opcode       (atomic_opcode),
        .atomic_data         (atomic_data),
        .atomic_mask         (atomic_mask),
        .atomic_compare      (atomic_compare),
        .atomic_compare_mask (atomic_compare_mask),
        .end_valid           (terminate_valid),
        .end_ready           (terminate_ready),
        .end_stream          (terminate_stream),
        .end_kind            (terminate_kind),
        .end_number          (terminate_number),
        .end_stag            (terminate_stag),
        .end_address         (terminate_address),
        .end_response_msn    (terminate_response_msn),
        .end_term_layer      (terminate_term_layer),
        .end_term_etype      (terminate_term_etype),
        .end_term_code       (terminate_term_code),
        .end_header_length   (terminate_header_length),
        .end_segment_length  (terminate_segment_length),
        .end_body            (terminate_body),
        .failed_valid        (order_failed_valid),
        .failed_ready        (order_failed_ready),
        .failed_stream       (order_failed_stream),
        .failed_fault        (order_failed_fault),
        .read_over_valid     (read_over_valid),
        .read_over_ready     (read_over_ready),
        .read_over_stream    (read_over_stream),
        .atomic_over_valid   (atomic_over_valid),
        .atomic_over_ready   (atomic_over_ready),
        .atomic_over_stream  (atomic_over_stream)
    );

    wire         terminate_message_valid;
    wire         terminate_message_ready;
    wire [5:0]   terminate_message_stream;
    wire [2:0]   terminate_message_kind;
    wire [4:0]   terminate_message_number;
    wire [6:0]   terminate_message_header_length;
    wire [559:0] terminate_message_header;
    wire [63:0]  terminate_message_address;
    wire [31:0]  terminate_message_length;
    wire         work_message_valid;
    wire         work_message_ready;
    wire [5:0]   work_message_stream;
    wire [2:0]   work_message_kind;
    wire [4:0]   work_message_number;
    wire [6:0]   work_message_header_length;
    wire [559:0] work_message_header;
    wire [63:0]  work_message_address;
    wire [31:0]  work_message_length;
    wire         next_message_valid;
    wire         next_message_ready;
    wire [5:0]   next_message_stream;
    wire [2:0]   next_message_kind;
    wire [4:0]   next_message_number;
    wire [6:0]   next_message_header_length;
    wire [559:0] next_message_header;
    wire [63:0]  next_message_address;
    wire [31:0]  next_message_length;

    terminate_builder terminate_builder (
        .req_valid             (terminate_valid),
        .req_ready             (terminate_ready),
        .req_stream            (terminate_stream),
        .req_kind              (terminate_kind),
        .req_number            (terminate_number),
        .req_stag              (terminate_stag),
        .req_address           (terminate_address),
        .req_response_msn      (terminate_response_msn),
        .req_term_layer        (terminate_term_layer),
        .req_term_etype        (terminate_term_etype),
        .req_term_code         (terminate_term_code),
        .req_header_length     (terminate_header_length),
        .req_segment_length    (terminate_segment_length),
        .req_body              (terminate_body),
        .message_valid         (terminate_message_valid),
        .message_ready         (terminate_message_ready),
        .message_stream        (terminate_message_stream),
        .message_kind          (terminate_message_kind),
        .message_number        (terminate_message_number),
        .message_header_length (terminate_message_header_length),
        .message_header        (terminate_message_header),
        .message_address       (terminate_message_address),
        .message_length        (terminate_message_length)
    );

    wire         end_message_valid;
    wire         end_message_ready;
    wire [5:0]   end_message_stream;
    wire [2:0]   end_message_kind;
    wire [4:0]   end_message_number;
    wire [6:0]   end_message_header_length;
    wire [559:0] end_message_header;
    wire [63:0]  end_message_address;
    wire [31:0]  end_message_length;
    reg          end_buffer_full_q;
    reg          end_buffer_not_before_head_q;
    assign terminate_message_ready = ~end_buffer_full_q;
    wire         end_buffer_store = terminate_message_valid & ~end_buffer_full_q;
    reg          end_buffer_valid_q;
    reg          end_buffer_empty_q;
    reg          end_buffer_head_q;
    reg          end_buffer_tail_q;
    reg          end_buffer_not_before_tail_q;
    wire         end_buffer_free  = ~end_buffer_valid_q | end_message_ready;
    wire         end_buffer_fetch = end_buffer_free & ~end_buffer_empty_q;
    reg  [676:0] end_buffer [0:1];
    wire [676:0] end_buffer_beat  = {
        terminate_message_stream, terminate_message_kind, terminate_message_number,
        terminate_message_header_length, terminate_message_header, terminate_message_address,
        terminate_message_length
    };
    reg  [676:0] end_buffer_fetched_q;

    always @(posedge clk) begin
        if (end_buffer_store) begin
            end_buffer[end_buffer_tail_q] <= end_buffer_beat;
        end
        if (end_buffer_fetch) begin
            end_buffer_fetched_q <= end_buffer[end_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire end_buffer_last_beat = end_buffer_head_q == ~end_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (end_buffer_free) begin
            end_buffer_valid_q <= ~end_buffer_empty_q;
        end
        if (end_buffer_fetch) begin
            end_buffer_head_q <= end_buffer_head_q + 1'b1;
        end
        if (end_buffer_store) begin
            end_buffer_tail_q            <= end_buffer_tail_q + 1'b1;
            end_buffer_not_before_tail_q <= ~end_buffer_tail_q;
        end
        end_buffer_empty_q <=
            end_buffer_empty_q ? ~end_buffer_store :
                                 (end_buffer_free & end_buffer_last_beat & ~end_buffer_store);
        if (rst) begin
            end_buffer_valid_q           <= 1'b0;
            end_buffer_head_q            <= 1'b0;
            end_buffer_tail_q            <= 1'b0;
            end_buffer_not_before_tail_q <= 1'b0;
            end_buffer_empty_q           <= 1'b1;
        end
    end

    assign end_message_valid         = end_buffer_valid_q;
    assign end_message_stream        = end_buffer_fetched_q[676:671];
    assign end_message_kind          = end_buffer_fetched_q[670:668];
    assign end_message_number        = end_buffer_fetched_q[667:663];
    assign end_message_header_length = end_buffer_fetched_q[662:656];
    assign end_message_header        = end_buffer_fetched_q[655:96];
    assign end_message_address       = end_buffer_fetched_q[95:32];
    assign end_message_length        = end_buffer_fetched_q[31:0];
    // With one place left, the memory is not full. The place before head is complemented.
    wire end_buffer_last_place = end_buffer_tail_q == ~end_buffer_not_before_head_q;

    always @(posedge clk) begin
        if (end_buffer_fetch) begin
            end_buffer_not_before_head_q <= ~end_buffer_head_q;
        end
        end_buffer_full_q <=
            ~end_buffer_fetch & (end_buffer_full_q | (terminate_message_valid & end_buffer_last_place));
        if (rst) begin
            end_buffer_not_before_head_q <= 1'b0;
            end_buffer_full_q            <= 1'b0;
        end
    end

    // ---- Request
    wire        sent_valid;
    wire        sent_ready;
    wire [5:0]  sent_stream;
    wire [2:0]  sent_kind;
    wire        sent_final;
    wire        sent_dropped;
    wire        sent_asks;
    wire        work_failed_valid;
    wire        work_failed_ready;
    wire [5:0]  work_failed_stream;
    wire        work_failed_fault;
    wire        work_done_valid;
    wire        work_done_ready;
    wire [5:0]  work_done_stream;
    wire [63:0] work_done_id;
    wire [1:0]  work_done_status;
    wire [3:0]  work_done_opcode;
    wire        work_done_recv;
    wire [31:0] work_done_length;
    wire [63:0] work_done_data;
    wire [31:0] work_done_stag;

    requester requester (
        .clk                     (clk),
        .rst                     (rst),
        .wqe_valid               (wqe_valid),
        .wqe_ready               (wqe_ready),
        .wqe_stream              (wqe_stream),
        .wqe_id                  (wqe_id),
        .wqe_signaled            (wqe_signaled),
        .wqe_opcode              (wqe_opcode),
        .wqe_local_stag          (wqe_local_stag),
        .wqe_local_to            (wqe_local_to),
        .wqe_length              (wqe_length),
        .wqe_remote_stag         (wqe_remote_stag),
        .wqe_remote_to           (wqe_remote_to),
        .wqe_atomic_opcode       (wqe_atomic_opcode),
        .wqe_atomic_data         (wqe_atomic_data),
        .wqe_atomic_mask         (wqe_atomic_mask),
        .wqe_atomic_compare      (wqe_atomic_compare),
        .wqe_atomic_compare_mask (wqe_atomic_compare_mask),
        .opening_valid           (open_work_valid),
        .opening_ready           (open_work_ready),
        .opening_stream          (open_work_stream),
        .opening_open            (open_work_open),
        .opening_domain          (open_work_domain),
        .local_enable            (local_enable),
        .local_index             (local_index),
        .local_entry             (local_entry),
        .message_valid           (work_message_valid),
        .message_ready           (work_message_ready),
        .message_stream          (work_message_stream),
        .message_kind            (work_message_kind),
        .message_number          (work_message_number),
        .message_header_length   (work_message_header_length),
        .message_header          (work_message_header),
        .message_address         (work_message_address),
        .message_length          (work_message_length),
        .expecting_valid         (expecting_valid),
        .expecting_ready         (expecting_ready),
        .expecting_stream        (expecting_stream),
        .expecting_executor      (expecting_executor),
        .expecting_identifier    (expecting_identifier),
        .expecting_stag          (expecting_stag),
        .expecting_to            (expecting_to),
        .expecting_length        (expecting_length),
        .sent_valid              (sent_valid),
        .sent_ready              (sent_ready),
        .sent_stream             (sent_stream),
        .sent_kind               (sent_kind),
        .sent_final              (sent_final),
        .sent_dropped            (sent_dropped),
        .sent_asks               (sent_asks),
        .answered_valid          (answered_valid),
        .answered_ready          (answered_ready),
        .answered_stream         (answered_stream),
        .answered_data           (answered_data),
        .ended_valid             (stream_end_valid),
        .ended_ready             (stream_end_ready),
        .ended_stream            (stream_end_stream),
        .failed_valid            (work_failed_valid),
        .failed_ready            (work_failed_ready),
        .failed_stream           (work_failed_stream),
        .failed_fault            (work_failed_fault),
        .completion_valid        (work_done_valid),
        .completion_ready        (work_done_ready),
        .completion_stream       (work_done_stream),
        .completion_id           (work_done_id),
        .completion_status       (work_done_status),
        .completion_opcode       (work_done_opcode),
        .completion_recv         (work_done_recv),
        .completion_length       (work_done_length),
        .completion_data         (work_done_data),
        .completion_stag         (work_done_stag)
    );

    // ---- Transmit
    tx_arbiter tx_arbiter (
        .clk                    (clk),
        .rst                    (rst),
        .read_valid             (read_message_valid),
        .read_ready             (read_message_ready),
        .read_stream            (read_message_stream),
        .read_kind              (read_message_kind),
        .read_number            (read_message_number),
        .read_header_length     (read_message_header_length),
        .read_header            (read_message_header),
        .read_address           (read_message_address),
        .read_length            (read_message_length),
        .atomic_valid           (atomic_message_valid),
        .atomic_ready           (atomic_message_ready),
        .atomic_stream          (atomic_message_stream),
        .atomic_kind            (atomic_message_kind),
        .atomic_number          (atomic_message_number),
        .atomic_header_length   (atomic_message_header_length),
        .atomic_header          (atomic_message_header),
        .atomic_address         (atomic_message_address),
        .atomic_length          (atomic_message_length),
        .end_valid              (end_message_valid),
        .end_ready              (end_message_ready),
        .end_stream             (end_message_stream),
        .end_kind               (end_message_kind),
        .end_number             (end_message_number),
        .end_header_length      (end_message_header_length),
        .end_header             (end_message_header),
        .end_address            (end_message_address),
        .end_length             (end_message_length),
        .requests_valid         (work_message_valid),
        .requests_ready         (work_message_ready),
        .requests_stream        (work_message_stream),
        .requests_kind          (work_message_kind),
        .requests_number        (work_message_number),
        .requests_header_length (work_message_header_length),
        .requests_header        (work_message_header),
        .requests_address       (work_message_address),
        .requests_length        (work_message_length),
        .message_valid          (next_message_valid),
        .message_ready          (next_message_ready),
        .message_stream         (next_message_stream),
        .message_kind           (next_message_kind),
        .message_number         (next_message_number),
        .message_header_length  (next_message_header_length),
        .message_header         (next_message_header),
        .message_address        (next_message_address),
        .message_length         (next_message_length)
    );

    wire         segment_valid;
    wire         segment_ready;
    wire [5:0]   segment_stream;
    wire [2:0]   segment_kind;
    wire         segment_final;
    wire [4:0]   segment_number;
    wire [6:0]   segment_header_length;
    wire [559:0] segment_header;
    wire [63:0]  segment_address;
    wire [15:0]  segment_payload_length;
    wire [4:0]   segment_beats;
    wire [5:0]   segment_ends;
    wire         report_valid;
    wire         report_ready;
    wire [5:0]   report_stream;
    wire [2:0]   report_kind;
    wire         report_final;
    wire         report_dropped;
    wire         report_asks;
    wire         turns_running;
    wire         tx_failed_valid;
    wire         tx_failed_ready;
    wire [5:0]   tx_failed_stream;
    wire         tx_failed_fault;
    wire         payload_axi_arvalid;
    wire         payload_axi_arready;
    wire         payload_axi_arid;
    wire [63:0]  payload_axi_araddr;
    wire [7:0]   payload_axi_arlen;
    wire [2:0]   payload_axi_arsize;
    wire [1:0]   payload_axi_arburst;
    wire         payload_axi_rvalid;
    wire         payload_axi_rready;
    wire         payload_axi_rid;
    wire [511:0] payload_axi_rdata;
    wire [1:0]   payload_axi_rresp;
    wire         payload_axi_rlast;

    tx_engine tx (
        .clk                    (clk),
        .rst                    (rst),
        .command_valid          (segment_valid),
        .command_ready          (segment_ready),
        .command_stream         (segment_stream),
        .command_kind           (segment_kind),
        .command_final          (segment_final),
        .command_number         (segment_number),
        .command_header_length  (segment_header_length),
        .command_header         (segment_header),
        .command_address        (segment_address),
        .command_payload_length (segment_payload_length),
        .command_beats          (segment_beats),
        .command_ends           (segment_ends),
        .opening_valid          (open_tx_valid),
        .opening_ready          (open_tx_ready),
        .opening_stream         (open_tx_stream),
        .opening_open           (open_tx_open),
        .opening_domain         (open_tx_domain),
        .m_axi_arvalid          (payload_axi_arvalid),
        .m_axi_arready          (payload_axi_arready),
        .m_axi_arid             (payload_axi_arid),
        .m_axi_araddr           (payload_axi_araddr),
        .m_axi_arlen            (payload_axi_arlen),
        .m_axi_arsize           (payload_axi_arsize),
        .m_axi_arburst          (payload_axi_arburst),
        .m_axi_rvalid           (payload_axi_rvalid),
        .m_axi_rready           (payload_axi_rready),
        .m_axi_rid              (payload_axi_rid),
        .m_axi_rdata            (payload_axi_rdata),
        .m_axi_rresp            (payload_axi_rresp),
        .m_axi_rlast            (payload_axi_rlast),
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
        .failed_valid           (tx_failed_valid),
        .failed_ready           (tx_failed_ready),
        .failed_stream          (tx_failed_stream),
        .failed_fault           (tx_failed_fault)
    );

    tx_turns tx_turns (
        .clk                    (clk),
        .rst                    (rst),
        .message_valid          (next_message_valid),
        .message_ready          (next_message_ready),
        .message_stream         (next_message_stream),
        .message_kind           (next_message_kind),
        .message_number         (next_message_number),
        .message_header_length  (next_message_header_length),
        .message_header         (next_message_header),
        .message_address        (next_message_address),
        .message_length         (next_message_length),
        .weight_valid           (weighed_valid),
        .weight_ready           (weighed_ready),
        .weight_stream          (weighed_stream),
        .weight_weight          (weighed_weight),
        .dropped                (report_valid & report_ready & report_dropped),
        .dropped_stream         (report_stream),
        .opened                 (open_tx_valid & open_tx_ready),
        .opened_stream          (open_tx_stream),
        .command_valid          (segment_valid),
        .command_ready          (segment_ready),
        .command_stream         (segment_stream),
        .command_kind           (segment_kind),
        .command_final          (segment_final),
        .command_number         (segment_number),
        .command_header_length  (segment_header_length),
        .command_header         (segment_header),
        .command_address        (segment_address),
        .command_payload_length (segment_payload_length),
        .command_beats          (segment_beats),
        .command_ends           (segment_ends),
        .running                (turns_running)
    );

    wire report_is_request = report_kind == 3'd2;
    assign sent_valid           = report_valid & report_is_request;
    assign sent_stream          = report_stream;
    assign sent_kind            = report_kind;
    assign sent_final           = report_final;
    assign sent_dropped         = report_dropped;
    assign sent_asks            = report_asks;
    wire report_ends_read  = report_final & (report_kind == 3'd3);
    assign read_reported_valid  = report_valid & report_ends_read;
    assign read_reported_stream = report_stream;
    wire report_taken      =
        report_valid & (~report_is_request | sent_ready) & (~report_ends_read | read_reported_ready);
    assign report_ready         = report_taken;
    wire report_is_segment = report_taken & ~report_dropped & (report_kind != 3'd1);

    // ---- Failures end streams
    wire memory_error;

    failure_gather failure_gather (
        .clk              (clk),
        .rst              (rst),
        .opening_valid    (open_failures_valid),
        .opening_ready    (open_failures_ready),
        .opening_stream   (open_failures_stream),
        .opening_open     (open_failures_open),
        .opening_domain   (open_failures_domain),
        .placement_valid  (place_failed_gather_valid),
        .placement_ready  (place_failed_gather_ready),
        .placement_stream (place_failed_gather_stream),
        .placement_fault  (place_failed_gather_fault),
        .atomic_valid     (atomic_failed_valid),
        .atomic_ready     (atomic_failed_ready),
        .atomic_stream    (atomic_failed_stream),
        .atomic_fault     (atomic_failed_fault),
        .order_valid      (order_failed_valid),
        .order_ready      (order_failed_ready),
        .order_stream     (order_failed_stream),
        .order_fault      (order_failed_fault),
        .tx_valid         (tx_failed_valid),
        .tx_ready         (tx_failed_ready),
        .tx_stream        (tx_failed_stream),
        .tx_fault         (tx_failed_fault),
        .work_valid       (work_failed_valid),
        .work_ready       (work_failed_ready),
        .work_stream      (work_failed_stream),
        .work_fault       (work_failed_fault),
        .out_valid        (failed_valid),
        .out_ready        (failed_ready),
        .out_stream       (failed_stream),
        .out_fault        (failed_fault),
        .memory           (memory_error)
    );

    // ---- Memory
    axi_write_arbiter write_arbiter (
        .clk             (clk),
        .rst             (rst),
        .payload_awvalid (place_axi_awvalid),
        .payload_awready (place_axi_awready),
        .payload_awid    (place_axi_awid),
        .payload_awaddr  (place_axi_awaddr),
        .payload_awlen   (place_axi_awlen),
        .payload_awsize  (place_axi_awsize),
        .payload_awburst (place_axi_awburst),
        .payload_wvalid  (place_axi_wvalid),
        .payload_wready  (place_axi_wready),
        .payload_wdata   (place_axi_wdata),
        .payload_wstrb   (place_axi_wstrb),
        .payload_wlast   (place_axi_wlast),
        .payload_bvalid  (place_axi_bvalid),
        .payload_bready  (place_axi_bready),
        .payload_bid     (place_axi_bid),
        .payload_bresp   (place_axi_bresp),
        .atomic_awvalid  (atomic_axi_awvalid),
        .atomic_awready  (atomic_axi_awready),
        .atomic_awid     (atomic_axi_awid),
        .atomic_awaddr   (atomic_axi_awaddr),
        .atomic_awlen    (atomic_axi_awlen),
        .atomic_awsize   (atomic_axi_awsize),
        .atomic_awburst  (atomic_axi_awburst),
        .atomic_wvalid   (atomic_axi_wvalid),
        .atomic_wready   (atomic_axi_wready),
        .atomic_wdata    (atomic_axi_wdata),
        .atomic_wstrb    (atomic_axi_wstrb),
        .atomic_wlast    (atomic_axi_wlast),
        .atomic_bvalid   (atomic_axi_bvalid),
        .atomic_bready   (atomic_axi_bready),
        .atomic_bid      (atomic_axi_bid),
        .atomic_bresp    (atomic_axi_bresp),
        .m_axi_awvalid   (m_axi_awvalid),
        .m_axi_awready   (m_axi_awready),
        .m_axi_awid      (m_axi_awid),
        .m_axi_awaddr    (m_axi_awaddr),
        .m_axi_awlen     (m_axi_awlen),
        .m_axi_awsize    (m_axi_awsize),
        .m_axi_awburst   (m_axi_awburst),
        .m_axi_wvalid    (m_axi_wvalid),
        .m_axi_wready    (m_axi_wready),
        .m_axi_wdata     (m_axi_wdata),
        .m_axi_wstrb     (m_axi_wstrb),
        .m_axi_wlast     (m_axi_wlast),
        .m_axi_bvalid    (m_axi_bvalid),
        .m_axi_bready    (m_axi_bready),
        .m_axi_bid       (m_axi_bid),
        .m_axi_bresp     (m_axi_bresp)
    );

    axi_read_arbiter read_arbiter (
        .clk             (clk),
        .rst             (rst),
        .payload_arvalid (payload_axi_arvalid),
        .payload_arready (payload_axi_arready),
        .payload_arid    (payload_axi_arid),
        .payload_araddr  (payload_axi_araddr),
        .payload_arlen   (payload_axi_arlen),
        .payload_arsize  (payload_axi_arsize),
        .payload_arburst (payload_axi_arburst),
        .payload_rvalid  (payload_axi_rvalid),
        .payload_rready  (payload_axi_rready),
        .payload_rid     (payload_axi_rid),
        .payload_rdata   (payload_axi_rdata),
        .payload_rresp   (payload_axi_rresp),
        .payload_rlast   (payload_axi_rlast),
        .atomic_arvalid  (atomic_axi_arvalid),
        .atomic_arready  (atomic_axi_arready),
        .atomic_arid     (atomic_axi_arid),
        .atomic_araddr   (atomic_axi_araddr),
        .atomic_arlen    (atomic_axi_arlen),
        .atomic_arsize   (atomic_axi_arsize),
        .atomic_arburst  (atomic_axi_arburst),
        .atomic_rvalid   (atomic_axi_rvalid),
        .atomic_rready   (atomic_axi_rready),
        .atomic_rid      (atomic_axi_rid),
        .atomic_rdata    (atomic_axi_rdata),
        .atomic_rresp    (atomic_axi_rresp),
        .atomic_rlast    (atomic_axi_rlast),
        .m_axi_arvalid   (m_axi_arvalid),
        .m_axi_arready   (m_axi_arready),
        .m_axi_arid      (m_axi_arid),
        .m_axi_araddr    (m_axi_araddr),
        .m_axi_arlen     (m_axi_arlen),
        .m_axi_arsize    (m_axi_arsize),
        .m_axi_arburst   (m_axi_arburst),
        .m_axi_rvalid    (m_axi_rvalid),
        .m_axi_rready    (m_axi_rready),
        .m_axi_rid       (m_axi_rid),
        .m_axi_rdata     (m_axi_rdata),
        .m_axi_rresp     (m_axi_rresp),
        .m_axi_rlast     (m_axi_rlast)
    );

    // ---- Host
    wire         completion_valid;
    wire         completion_ready;
    wire [5:0]   completion_stream;
    wire [63:0]  completion_id;
    wire [1:0]   completion_status;
    wire [3:0]   completion_opcode;
    wire         completion_recv;
    wire [31:0]  completion_length;
    wire [63:0]  completion_data;
    wire [31:0]  completion_stag;
    wire         received_before_valid;
    wire         received_before_ready;
    wire [5:0]   received_before_stream;
    wire [63:0]  received_before_id;
    wire [1:0]   received_before_status;
    wire [3:0]   received_before_opcode;
    wire         received_before_recv;
    wire [31:0]  received_before_length;
    wire [63:0]  received_before_data;
    wire [31:0]  received_before_stag;
    reg          completion_buffer_full_q;
    reg  [1:0]   completion_buffer_not_before_head_q;
    assign received_ready = ~completion_buffer_full_q;
    wire         completion_buffer_store = received_valid & ~completion_buffer_full_q;
    reg          completion_buffer_valid_q;
    reg          completion_buffer_empty_q;
    reg  [1:0]   completion_buffer_head_q;
    reg  [1:0]   completion_buffer_tail_q;
    reg  [1:0]   completion_buffer_not_before_tail_q;
    wire         completion_buffer_free  = ~completion_buffer_valid_q | received_before_ready;
    wire         completion_buffer_fetch = completion_buffer_free & ~completion_buffer_empty_q;
    reg  [204:0] completion_buffer [0:3];
    wire [204:0] completion_buffer_beat  = {
        received_stream, received_id, received_status, received_opcode, received_recv, received_length,
        received_data, received_stag
    };
    reg  [204:0] completion_buffer_fetched_q;

    always @(posedge clk) begin
        if (completion_buffer_store) begin
            completion_buffer[completion_buffer_tail_q] <= completion_buffer_beat;
        end
        if (completion_buffer_fetch) begin
            completion_buffer_fetched_q <= completion_buffer[completion_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire completion_buffer_last_beat = completion_buffer_head_q == ~completion_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (completion_buffer_free) begin
            completion_buffer_valid_q <= ~completion_buffer_empty_q;
        end
        if (completion_buffer_fetch) begin
            completion_buffer_head_q <= completion_buffer_head_q + 2'd1;
        end
        if (completion_buffer_store) begin
            completion_buffer_tail_q         <= completion_buffer_tail_q + 2'd1;
            completion_buffer_not_before_tail_q <= ~completion_buffer_tail_q;
        end
        completion_buffer_empty_q <=
            completion_buffer_empty_q ? ~completion_buffer_store :
                                        (
                                              completion_buffer_free
                                            & completion_buffer_last_beat
                                            & ~completion_buffer_store
                                        );
        if (rst) begin
            completion_buffer_valid_q        <= 1'b0;
            completion_buffer_head_q         <= 2'd0;
            completion_buffer_tail_q         <= 2'd0;
            completion_buffer_not_before_tail_q <= 2'd0;
            completion_buffer_empty_q        <= 1'b1;
        end
    end

    assign received_before_valid  = completion_buffer_valid_q;
    assign received_before_stream = completion_buffer_fetched_q[204:199];
    assign received_before_id     = completion_buffer_fetched_q[198:135];
    assign received_before_status = completion_buffer_fetched_q[134:133];
    assign received_before_opcode = completion_buffer_fetched_q[132:129];
    assign received_before_recv   = completion_buffer_fetched_q[128];
    assign received_before_length = completion_buffer_fetched_q[127:96];
    assign received_before_data   = completion_buffer_fetched_q[95:32];
    assign received_before_stag   = completion_buffer_fetched_q[31:0];
    // With one place left, the memory is not full. The place before head is complemented.
    wire completion_buffer_last_place = completion_buffer_tail_q == ~completion_buffer_not_before_head_q;

    always @(posedge clk) begin
        if (completion_buffer_fetch) begin
            completion_buffer_not_before_head_q <= ~completion_buffer_head_q;
        end
        completion_buffer_full_q <=
              ~completion_buffer_fetch
            & (completion_buffer_full_q | (received_valid & completion_buffer_last_place));
        if (rst) begin
            completion_buffer_not_before_head_q <= 2'd0;
            completion_buffer_full_q         <= 1'b0;
        end
    end

    wire [204:0] completions_out;
    assign completion_stream = completions_out[204:199];
    assign completion_id     = completions_out[198:135];
    assign completion_status = completions_out[134:133];
    assign completion_opcode = completions_out[132:129];
    assign completion_recv   = completions_out[128];
    assign completion_length = completions_out[127:96];
    assign completion_data   = completions_out[95:32];
    assign completion_stag   = completions_out[31:0];

    merge #(.WIDTH(205)) completions (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (received_before_valid),
        .a_ready   (received_before_ready),
        .a_data    ({
            received_before_stream, received_before_id, received_before_status, received_before_opcode,
            received_before_recv, received_before_length, received_before_data, received_before_stag
        }),
        .b_valid   (work_done_valid),
        .b_ready   (work_done_ready),
        .b_data    ({
            work_done_stream, work_done_id, work_done_status, work_done_opcode, work_done_recv,
            work_done_length, work_done_data, work_done_stag
        }),
        .out_valid (completion_valid),
        .out_ready (completion_ready),
        .out_data  (completions_out)
    );

    wire        completed          = completion_valid & cqe_ready;
    assign cqe_valid             = completion_valid;
    assign cqe_stream            = completion_stream;
    assign cqe_id                = completion_id;
    assign cqe_status            = completion_status;
    assign cqe_opcode            = completion_opcode;
    assign cqe_recv              = completion_recv;
    assign cqe_length            = completion_length;
    assign cqe_data              = completion_data;
    assign cqe_stag              = completion_stag;
    assign completion_ready      = cqe_ready;
    wire        reported_event_valid;
    wire        reported_event_ready;
    wire [5:0]  reported_event_stream;
    wire [1:0]  reported_event_kind;
    wire [3:0]  reported_event_term_layer;
    wire [3:0]  reported_event_term_etype;
    wire [7:0]  reported_event_term_code;
    wire        logged_valid;
    wire        logged_ready;
    wire [5:0]  logged_stream;
    wire [1:0]  logged_kind;
    wire [3:0]  logged_term_layer;
    wire [3:0]  logged_term_etype;
    wire [7:0]  logged_term_code;
    wire        delivered_before_valid;
    wire        delivered_before_ready;
    wire [5:0]  delivered_before_stream;
    wire [1:0]  delivered_before_kind;
    wire [3:0]  delivered_before_term_layer;
    wire [3:0]  delivered_before_term_etype;
    wire [7:0]  delivered_before_term_code;
    reg         event_buffer_full_q;
    reg  [1:0]  event_buffer_not_before_head_q;
    assign delivered_event_ready = ~event_buffer_full_q;
    wire        event_buffer_store = delivered_event_valid & ~event_buffer_full_q;
    reg         event_buffer_valid_q;
    reg         event_buffer_empty_q;
    reg  [1:0]  event_buffer_head_q;
    reg  [1:0]  event_buffer_tail_q;
    reg  [1:0]  event_buffer_not_before_tail_q;
    wire        event_buffer_free  = ~event_buffer_valid_q | delivered_before_ready;
    wire        event_buffer_fetch = event_buffer_free & ~event_buffer_empty_q;
    reg  [23:0] event_buffer [0:3];
    wire [23:0] event_buffer_beat  = {
        delivered_event_stream, delivered_event_kind, delivered_event_term_layer, delivered_event_term_etype,
        delivered_event_term_code
    };
    reg  [23:0] event_buffer_fetched_q;

    always @(posedge clk) begin
        if (event_buffer_store) begin
            event_buffer[event_buffer_tail_q] <= event_buffer_beat;
        end
        if (event_buffer_fetch) begin
            event_buffer_fetched_q <= event_buffer[event_buffer_head_q];
        end
    end

    // With one beat left, the memory is not empty. The place before tail is complemented.
    wire event_buffer_last_beat = event_buffer_head_q == ~event_buffer_not_before_tail_q;

    always @(posedge clk) begin
        if (event_buffer_free) begin
            event_buffer_valid_q <= ~event_buffer_empty_q;
        end
        if (event_buffer_fetch) begin
            event_buffer_head_q <= event_buffer_head_q + 2'd1;
        end
        if (event_buffer_store) begin
            event_buffer_tail_q            <= event_buffer_tail_q + 2'd1;
            event_buffer_not_before_tail_q <= ~event_buffer_tail_q;
        end
        event_buffer_empty_q <=
            event_buffer_empty_q ? ~event_buffer_store :
                                   (event_buffer_free & event_buffer_last_beat & ~event_buffer_store);
        if (rst) begin
            event_buffer_valid_q           <= 1'b0;
            event_buffer_head_q            <= 2'd0;
            event_buffer_tail_q            <= 2'd0;
            event_buffer_not_before_tail_q <= 2'd0;
            event_buffer_empty_q           <= 1'b1;
        end
    end

    assign delivered_before_valid      = event_buffer_valid_q;
    assign delivered_before_stream     = event_buffer_fetched_q[23:18];
    assign delivered_before_kind       = event_buffer_fetched_q[17:16];
    assign delivered_before_term_layer = event_buffer_fetched_q[15:12];
    assign delivered_before_term_etype = event_buffer_fetched_q[11:8];
    assign delivered_before_term_code  = event_buffer_fetched_q[7:0];
    // With one place left, the memory is not full. The place before head is complemented.
    wire event_buffer_last_place = event_buffer_tail_q == ~event_buffer_not_before_head_q;

    always @(posedge clk) begin
        if (event_buffer_fetch) begin
            event_buffer_not_before_head_q <= ~event_buffer_head_q;
        end
        event_buffer_full_q <=
            ~event_buffer_fetch & (event_buffer_full_q | (delivered_event_valid & event_buffer_last_place));
        if (rst) begin
            event_buffer_not_before_head_q <= 2'd0;
            event_buffer_full_q            <= 1'b0;
        end
    end

    wire [23:0] events_out;
    assign reported_event_stream     = events_out[23:18];
    assign reported_event_kind       = events_out[17:16];
    assign reported_event_term_layer = events_out[15:12];
    assign reported_event_term_etype = events_out[11:8];
    assign reported_event_term_code  = events_out[7:0];

    merge #(.WIDTH(24)) events (
        .clk       (clk),
        .rst       (rst),
        .a_valid   (delivered_before_valid),
        .a_ready   (delivered_before_ready),
        .a_data    ({
            delivered_before_stream, delivered_before_kind, delivered_before_term_layer,
            delivered_before_term_etype, delivered_before_term_code
        }),
        .b_valid   (refused_valid),
        .b_ready   (refused_ready),
        .b_data    ({
            refused_stream, refused_kind, refused_term_layer, refused_term_etype, refused_term_code
        }),
        .out_valid (reported_event_valid),
        .out_ready (reported_event_ready),
        .out_data  (events_out)
    );

    reg  event_first_has_q;
    reg  event_second_has_q;
    assign event_valid       = reported_event_valid & ~event_first_has_q;
    assign event_stream      = reported_event_stream;
    assign event_kind        = reported_event_kind;
    assign event_term_layer  = reported_event_term_layer;
    assign event_term_etype  = reported_event_term_etype;
    assign event_term_code   = reported_event_term_code;
    assign logged_valid      = reported_event_valid & ~event_second_has_q;
    assign logged_stream     = reported_event_stream;
    assign logged_kind       = reported_event_kind;
    assign logged_term_layer = reported_event_term_layer;
    assign logged_term_etype = reported_event_term_etype;
    assign logged_term_code  = reported_event_term_code;
    wire event_first  = event_first_has_q | event_ready;
    wire event_second = event_second_has_q | logged_ready;
    wire event_done   = event_first & event_second;

    always @(posedge clk) begin
        if (reported_event_valid) begin
            event_first_has_q  <= event_first & ~event_done;
            event_second_has_q <= event_second & ~event_done;
        end
        if (rst) begin
            event_first_has_q  <= 1'b0;
            event_second_has_q <= 1'b0;
        end
    end

    assign reported_event_ready = event_done;

    // ---- Retire port: handshakes between the blocks
    assign retire_arrived_valid    = parsed_valid & parsed_ready;
    assign retire_arrived_stream   = parsed_stream;
    wire [15:0] retire_arrived_opcode_reversed = {parsed_header[7:0], parsed_header[15:8]};
    assign retire_arrived_opcode   = retire_arrived_opcode_reversed[3:0];
    assign retire_arrived_last     = retire_arrived_opcode_reversed[14];
    assign retire_arrived_payload  = |parsed_payload_length;
    assign retire_delivered_valid  = item_valid & item_ready;
    assign retire_delivered_stream = item_request_stream;
    assign retire_delivered_kind   = {
        item_kind[4] | item_kind[5], item_kind[2] | item_kind[3], item_kind[1] | item_kind[3] | item_kind[5]
    };
    assign retire_delivered_rule   = item_rule & {6{item_kind[3]}};
    assign retire_read_valid       = read_valid & read_ready;
    assign retire_read_stream      = read_stream;
    assign retire_sent_valid       = report_valid & report_ready;
    assign retire_sent_stream      = report_stream;
    assign retire_sent_kind        = report_kind;
    assign retire_sent_final       = report_final;
    assign retire_sent_dropped     = report_dropped;

    csr csr (
        .clk                             (clk),
        .rst                             (rst),
        .s_axil_awvalid                  (s_axil_awvalid),
        .s_axil_awready                  (s_axil_awready),
        .s_axil_awaddr                   (s_axil_awaddr),
        .s_axil_awprot                   (s_axil_awprot),
        .s_axil_wvalid                   (s_axil_wvalid),
        .s_axil_wready                   (s_axil_wready),
        .s_axil_wdata                    (s_axil_wdata),
        .s_axil_wstrb                    (s_axil_wstrb),
        .s_axil_bvalid                   (s_axil_bvalid),
        .s_axil_bready                   (s_axil_bready),
        .s_axil_bresp                    (s_axil_bresp),
        .s_axil_arvalid                  (s_axil_arvalid),
        .s_axil_arready                  (s_axil_arready),
        .s_axil_araddr                   (s_axil_araddr),
        .s_axil_arprot                   (s_axil_arprot),
        .s_axil_rvalid                   (s_axil_rvalid),
        .s_axil_rready                   (s_axil_rready),
        .s_axil_rdata                    (s_axil_rdata),
        .s_axil_rresp                    (s_axil_rresp),
        .stag_valid                      (row_valid),
        .stag_ready                      (row_ready),
        .stag_index                      (row_index),
        .stag_entry_valid                (row_entry_valid),
        .stag_entry_key                  (row_entry_key),
        .stag_entry_rights_local_read    (row_entry_rights_local_read),
        .stag_entry_rights_local_write   (row_entry_rights_local_write),
        .stag_entry_rights_remote_read   (row_entry_rights_remote_read),
        .stag_entry_rights_remote_write  (row_entry_rights_remote_write),
        .stag_entry_rights_remote_atomic (row_entry_rights_remote_atomic),
        .stag_entry_rights_invalidate    (row_entry_rights_invalidate),
        .stag_entry_by_domain            (row_entry_by_domain),
        .stag_entry_owner                (row_entry_owner),
        .stag_entry_base                 (row_entry_base),
        .stag_entry_length               (row_entry_length),
        .stag_entry_address              (row_entry_address),
        .opening_valid                   (opened_valid),
        .opening_ready                   (opened_ready),
        .opening_stream                  (opened_stream),
        .opening_open                    (opened_open),
        .opening_domain                  (opened_domain),
        .weight_valid                    (weighed_valid),
        .weight_ready                    (weighed_ready),
        .weight_stream                   (weighed_stream),
        .weight_weight                   (weighed_weight),
        .event_valid                     (logged_valid),
        .event_ready                     (logged_ready),
        .event_stream                    (logged_stream),
        .event_kind                      (logged_kind),
        .event_term_layer                (logged_term_layer),
        .event_term_etype                (logged_term_etype),
        .event_term_code                 (logged_term_code),
        .ready                           (rows_ready & atomic_table_ready & turns_running),
        .count_segments_received         (segment_received),
        .count_segments_discarded        (segment_discarded),
        .count_segments_in_error         (segment_in_error),
        .count_messages_sent             (report_is_segment & report_final),
        .count_segments_sent             (report_is_segment),
        .count_segments_dropped          (report_taken & report_dropped),
        .count_completions               (completed),
        .count_ended                     (logged_valid & logged_ready & (logged_kind == 2'd1)),
        .count_closed                    (logged_valid & logged_ready & (logged_kind == 2'd2)),
        .count_memory_errors             (memory_error),
        .count_receives_refused          (logged_valid & logged_ready & (logged_kind == 2'd3)),
        .count_invalidations             (stag_invalidated)
    );

    wire unused = &{1'b0, retire_arrived_opcode_reversed[15], retire_arrived_opcode_reversed[13:4]};
endmodule
`default_nettype wire
