// rnic_atomics takes DDP segments and executes their Atomic Requests (RFC 7306 section 5) on a memory window of
// its own: one a clock, also on one address. Each segment has exactly one outcome, in order of arrival: an Atomic
// Response on m_axis_tx, or a record on m_record with its payload on m_axis_payload.
//
// The window's first octet has the tagged offset window_base; its STag is window_stag. Both are constant while
// requests are in flight, and window_base + the window's size is at most 2^64. The host reads and writes words
// of the window through s_host and m_host, atomically with all requests. s_setup opens a stream again.
`default_nettype none
module rnic_atomics (
    input  wire         clk,
    input  wire         rst,
    input  wire         s_axis_rx_tvalid,
    output wire         s_axis_rx_tready,
    input  wire [511:0] s_axis_rx_tdata,
    input  wire [63:0]  s_axis_rx_tkeep,
    input  wire         s_axis_rx_tlast,
    input  wire [5:0]   s_axis_rx_tuser,
    input  wire         s_setup_valid,
    output wire         s_setup_ready,
    input  wire [5:0]   s_setup_stream,
    input  wire [31:0]  s_setup_msn,
    input  wire         s_host_valid,
    output wire         s_host_ready,
    input  wire         s_host_write,
    input  wire [11:0]  s_host_index,
    input  wire [63:0]  s_host_data,
    input  wire [31:0]  window_stag,
    input  wire [63:0]  window_base,
    output wire         m_axis_tx_tvalid,
    input  wire         m_axis_tx_tready,
    output wire [511:0] m_axis_tx_tdata,
    output wire [63:0]  m_axis_tx_tkeep,
    output wire         m_axis_tx_tlast,
    output wire [5:0]   m_axis_tx_tuser,
    output wire         m_record_valid,
    input  wire         m_record_ready,
    output wire [5:0]   m_record_stream,
    output wire [3:0]   m_record_error,
    output wire [3:0]   m_record_term_layer,
    output wire [3:0]   m_record_term_etype,
    output wire [7:0]   m_record_term_code,
    output wire [15:0]  m_record_segment_length,
    output wire [15:0]  m_record_payload_length,
    output wire [559:0] m_record_header,
    output wire         m_axis_payload_tvalid,
    input  wire         m_axis_payload_tready,
    output wire [511:0] m_axis_payload_tdata,
    output wire [63:0]  m_axis_payload_tkeep,
    output wire         m_axis_payload_tlast,
    output wire [5:0]   m_axis_payload_tuser,
    output wire         m_host_valid,
    input  wire         m_host_ready,
    output wire [63:0]  m_host_data,
    output wire         retire_valid,
    output wire         retire_host,
    output wire [5:0]   retire_stream,
    output wire [3:0]   retire_opcode,
    output wire [11:0]  retire_index,
    output wire [63:0]  retire_original,
    output wire [63:0]  retire_result
);
    wire         parsed_valid;
    wire         parsed_ready;
    wire [5:0]   parsed_stream;
    wire [3:0]   parsed_error;
    wire [3:0]   parsed_term_layer;
    wire [3:0]   parsed_term_etype;
    wire [7:0]   parsed_term_code;
    wire [15:0]  parsed_segment_length;
    wire [15:0]  parsed_payload_length;
    wire [559:0] parsed_header;
    wire         checked_valid;
    wire         checked_ready;
    wire         checked_host;
    wire [5:0]   checked_stream;
    wire [31:0]  checked_msn;
    wire [31:0]  checked_identifier;
    wire [11:0]  checked_index;
    wire [3:0]   checked_opcode;
    wire [63:0]  checked_data;
    wire [63:0]  checked_mask;
    wire [63:0]  checked_compare;
    wire [63:0]  checked_compare_mask;
    wire         access_valid;
    wire         access_ready;
    wire         access_host;
    wire [5:0]   access_stream;
    wire [31:0]  access_msn;
    wire [31:0]  access_identifier;
    wire [11:0]  access_index;
    wire [3:0]   access_opcode;
    wire [63:0]  access_data;
    wire [63:0]  access_mask;
    wire [63:0]  access_compare;
    wire [63:0]  access_compare_mask;
    wire         reply_valid;
    wire         reply_ready;
    wire [5:0]   reply_stream;
    wire [31:0]  reply_msn;
    wire [31:0]  reply_identifier;
    wire [63:0]  reply_original;

    ddp_parser_64_64 parser (
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
        .m_record_error          (parsed_error),
        .m_record_term_layer     (parsed_term_layer),
        .m_record_term_etype     (parsed_term_etype),
        .m_record_term_code      (parsed_term_code),
        .m_record_segment_length (parsed_segment_length),
        .m_record_payload_length (parsed_payload_length),
        .m_record_header         (parsed_header),
        .m_axis_payload_tvalid   (m_axis_payload_tvalid),
        .m_axis_payload_tready   (m_axis_payload_tready),
        .m_axis_payload_tdata    (m_axis_payload_tdata),
        .m_axis_payload_tkeep    (m_axis_payload_tkeep),
        .m_axis_payload_tlast    (m_axis_payload_tlast),
        .m_axis_payload_tuser    (m_axis_payload_tuser)
    );

    atomic_check_4096_64 check (
        .clk                   (clk),
        .rst                   (rst),
        .record_valid          (parsed_valid),
        .record_ready          (parsed_ready),
        .record_stream         (parsed_stream),
        .record_error          (parsed_error),
        .record_term_layer     (parsed_term_layer),
        .record_term_etype     (parsed_term_etype),
        .record_term_code      (parsed_term_code),
        .record_segment_length (parsed_segment_length),
        .record_payload_length (parsed_payload_length),
        .record_header         (parsed_header),
        .setup_valid           (s_setup_valid),
        .setup_ready           (s_setup_ready),
        .setup_stream          (s_setup_stream),
        .setup_msn             (s_setup_msn),
        .window_stag           (window_stag),
        .window_base           (window_base),
        .access_valid          (checked_valid),
        .access_ready          (checked_ready),
        .access_host           (checked_host),
        .access_stream         (checked_stream),
        .access_msn            (checked_msn),
        .access_identifier     (checked_identifier),
        .access_index          (checked_index),
        .access_opcode         (checked_opcode),
        .access_data           (checked_data),
        .access_mask           (checked_mask),
        .access_compare        (checked_compare),
        .access_compare_mask   (checked_compare_mask),
        .other_valid           (m_record_valid),
        .other_ready           (m_record_ready),
        .other_stream          (m_record_stream),
        .other_error           (m_record_error),
        .other_term_layer      (m_record_term_layer),
        .other_term_etype      (m_record_term_etype),
        .other_term_code       (m_record_term_code),
        .other_segment_length  (m_record_segment_length),
        .other_payload_length  (m_record_payload_length),
        .other_header          (m_record_header)
    );

    access_arbiter_4096_64 arbiter (
        .clk                 (clk),
        .rst                 (rst),
        .atomic_valid        (checked_valid),
        .atomic_ready        (checked_ready),
        .atomic_host         (checked_host),
        .atomic_stream       (checked_stream),
        .atomic_msn          (checked_msn),
        .atomic_identifier   (checked_identifier),
        .atomic_index        (checked_index),
        .atomic_opcode       (checked_opcode),
        .atomic_data         (checked_data),
        .atomic_mask         (checked_mask),
        .atomic_compare      (checked_compare),
        .atomic_compare_mask (checked_compare_mask),
        .host_valid          (s_host_valid),
        .host_ready          (s_host_ready),
        .host_write          (s_host_write),
        .host_index          (s_host_index),
        .host_data           (s_host_data),
        .access_valid        (access_valid),
        .access_ready        (access_ready),
        .access_host         (access_host),
        .access_stream       (access_stream),
        .access_msn          (access_msn),
        .access_identifier   (access_identifier),
        .access_index        (access_index),
        .access_opcode       (access_opcode),
        .access_data         (access_data),
        .access_mask         (access_mask),
        .access_compare      (access_compare),
        .access_compare_mask (access_compare_mask)
    );

    atomic_window_4096_64_retire window (
        .clk              (clk),
        .rst              (rst),
        .req_valid        (access_valid),
        .req_ready        (access_ready),
        .req_host         (access_host),
        .req_stream       (access_stream),
        .req_msn          (access_msn),
        .req_identifier   (access_identifier),
        .req_index        (access_index),
        .req_opcode       (access_opcode),
        .req_data         (access_data),
        .req_mask         (access_mask),
        .req_compare      (access_compare),
        .req_compare_mask (access_compare_mask),
        .reply_valid      (reply_valid),
        .reply_ready      (reply_ready),
        .reply_stream     (reply_stream),
        .reply_msn        (reply_msn),
        .reply_identifier (reply_identifier),
        .reply_original   (reply_original),
        .host_valid       (m_host_valid),
        .host_ready       (m_host_ready),
        .host_data        (m_host_data),
        .retire_valid     (retire_valid),
        .retire_host      (retire_host),
        .retire_stream    (retire_stream),
        .retire_opcode    (retire_opcode),
        .retire_index     (retire_index),
        .retire_original  (retire_original),
        .retire_result    (retire_result)
    );

    atomic_response_builder_64_64 builder (
        .clk              (clk),
        .rst              (rst),
        .reply_valid      (reply_valid),
        .reply_ready      (reply_ready),
        .reply_stream     (reply_stream),
        .reply_msn        (reply_msn),
        .reply_identifier (reply_identifier),
        .reply_original   (reply_original),
        .m_axis_tx_tvalid (m_axis_tx_tvalid),
        .m_axis_tx_tready (m_axis_tx_tready),
        .m_axis_tx_tdata  (m_axis_tx_tdata),
        .m_axis_tx_tkeep  (m_axis_tx_tkeep),
        .m_axis_tx_tlast  (m_axis_tx_tlast),
        .m_axis_tx_tuser  (m_axis_tx_tuser)
    );
endmodule
`default_nettype wire
