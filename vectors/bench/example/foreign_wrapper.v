// foreign_wrapper connects foreign_nic to rnic_tb: the ports on the left are those of bench/rnic_wrapper.v, those on the right the design's.
`default_nettype none

module foreign_wrapper #(
    parameter BUS_BYTES = 8,
    parameter STREAM_BITS = 1
) (
    input  wire                   clk, rst,
    input  wire                   s_axis_rx_tvalid, s_axis_rx_tlast,
    output wire                   s_axis_rx_tready,
    input  wire [8*BUS_BYTES-1:0] s_axis_rx_tdata,
    input  wire [BUS_BYTES-1:0]   s_axis_rx_tkeep,
    input  wire [STREAM_BITS-1:0] s_axis_rx_tuser,
    output wire                   m_axis_tx_tvalid, m_axis_tx_tlast,
    input  wire                   m_axis_tx_tready,
    output reg  [8*BUS_BYTES-1:0] m_axis_tx_tdata,
    output reg  [BUS_BYTES-1:0]   m_axis_tx_tkeep,
    output wire [STREAM_BITS-1:0] m_axis_tx_tuser,
    input  wire                   s_axis_wqe_valid, s_axis_wqe_signaled,
    output wire                   s_axis_wqe_ready,
    input  wire [STREAM_BITS-1:0] s_axis_wqe_stream,
    input  wire [63:0]            s_axis_wqe_id, s_axis_wqe_local_to, s_axis_wqe_remote_to,
    input  wire [31:0]            s_axis_wqe_local_stag, s_axis_wqe_length, s_axis_wqe_remote_stag,
    input  wire [3:0]             s_axis_wqe_opcode, s_axis_wqe_atomic_opcode,
    input  wire [63:0]            s_axis_wqe_atomic_data, s_axis_wqe_atomic_mask, s_axis_wqe_atomic_compare, s_axis_wqe_atomic_compare_mask,
    input  wire                   s_axis_rqe_valid,
    output wire                   s_axis_rqe_ready,
    input  wire [STREAM_BITS-1:0] s_axis_rqe_stream,
    input  wire [63:0]            s_axis_rqe_id, s_axis_rqe_to,
    input  wire [31:0]            s_axis_rqe_stag, s_axis_rqe_length,
    output wire                   m_axis_cqe_valid, m_axis_cqe_recv,
    input  wire                   m_axis_cqe_ready,
    output wire [STREAM_BITS-1:0] m_axis_cqe_stream,
    output wire [63:0]            m_axis_cqe_id, m_axis_cqe_data,
    output wire [1:0]             m_axis_cqe_status,
    output wire [3:0]             m_axis_cqe_opcode,
    output wire [31:0]            m_axis_cqe_length, m_axis_cqe_stag,
    output wire                   m_axis_event_valid,
    input  wire                   m_axis_event_ready,
    output wire [STREAM_BITS-1:0] m_axis_event_stream,
    output wire [1:0]             m_axis_event_kind,
    output wire [3:0]             m_axis_event_term_layer, m_axis_event_term_etype,
    output wire [7:0]             m_axis_event_term_code,
    output wire                   m_axi_arvalid, m_axi_arid,
    input  wire                   m_axi_arready,
    output wire [63:0]            m_axi_araddr,
    output wire [7:0]             m_axi_arlen,
    output wire [2:0]             m_axi_arsize,
    output wire [1:0]             m_axi_arburst,
    input  wire                   m_axi_rvalid, m_axi_rid, m_axi_rlast,
    output wire                   m_axi_rready,
    input  wire [8*BUS_BYTES-1:0] m_axi_rdata,
    input  wire [1:0]             m_axi_rresp,
    output wire                   m_axi_awvalid, m_axi_awid,
    input  wire                   m_axi_awready,
    output wire [63:0]            m_axi_awaddr,
    output wire [7:0]             m_axi_awlen,
    output wire [2:0]             m_axi_awsize,
    output wire [1:0]             m_axi_awburst,
    output wire                   m_axi_wvalid, m_axi_wlast,
    input  wire                   m_axi_wready,
    output wire [8*BUS_BYTES-1:0] m_axi_wdata,
    output wire [BUS_BYTES-1:0]   m_axi_wstrb,
    input  wire                   m_axi_bvalid, m_axi_bid,
    output wire                   m_axi_bready,
    input  wire [1:0]             m_axi_bresp,
    input  wire                   setup_valid, setup_row_valid, setup_by_domain,
    output wire                   setup_ready, setup_refused,
    input  wire [1:0]             setup_command,
    input  wire [STREAM_BITS-1:0] setup_stream,
    input  wire [15:0]            setup_domain, setup_owner,
    input  wire [23:0]            setup_index,
    input  wire [7:0]             setup_key,
    input  wire [5:0]             setup_rights,
    input  wire [63:0]            setup_base, setup_length, setup_address,
    output wire                   setup_has_registers,
    input  wire [11:0]            setup_register, // unused: there are none
    output wire [31:0]            setup_value
);
    // There the first octet is in the most significant byte, with a count of octets.
    reg  [8*BUS_BYTES-1:0] in_word;
    reg  [7:0]             in_count;
    wire [8*BUS_BYTES-1:0] out_word;
    wire [7:0]             out_count;
    wire                   out_start; // not needed
    integer                i;
    always @* begin
        in_count = 0;
        for (i = 0; i < BUS_BYTES; i = i + 1) begin
            in_word[8*i +: 8] = s_axis_rx_tdata[8*(BUS_BYTES-1-i) +: 8];
            in_count = in_count + {7'd0, s_axis_rx_tkeep[i]};
            m_axis_tx_tdata[8*i +: 8] = out_word[8*(BUS_BYTES-1-i) +: 8];
            m_axis_tx_tkeep[i] = i < out_count;
        end
    end

    // Full is the inverse of ready.
    wire in_full, work_full, buffer_full, r_full, b_full;
    assign {s_axis_rx_tready, s_axis_wqe_ready, s_axis_rqe_ready, m_axi_rready, m_axi_bready} = ~{in_full, work_full, buffer_full, r_full, b_full};

    assign setup_has_registers = 1'b0;
    assign setup_value = 32'd0;

    foreign_nic #(.BYTES(BUS_BYTES), .FLOWS_LOG2(STREAM_BITS)) nic (
        .clock(clk), .reset_n(!rst),
        .in_push(s_axis_rx_tvalid), .in_full(in_full), .in_end(s_axis_rx_tlast), .in_count(in_count), .in_word(in_word), .in_flow(s_axis_rx_tuser),
        .out_push(m_axis_tx_tvalid), .out_full(!m_axis_tx_tready), .out_start(out_start), .out_end(m_axis_tx_tlast), .out_count(out_count), .out_word(out_word), .out_flow(m_axis_tx_tuser),
        .work_push(s_axis_wqe_valid), .work_full(work_full), .work_flow(s_axis_wqe_stream),
        .work({s_axis_wqe_id, s_axis_wqe_opcode, s_axis_wqe_signaled, s_axis_wqe_remote_to, s_axis_wqe_remote_stag, s_axis_wqe_local_to, s_axis_wqe_local_stag, s_axis_wqe_length,
            s_axis_wqe_atomic_compare_mask, s_axis_wqe_atomic_compare, s_axis_wqe_atomic_mask, s_axis_wqe_atomic_data, s_axis_wqe_atomic_opcode}),
        .buffer_push(s_axis_rqe_valid), .buffer_full(buffer_full), .buffer_flow(s_axis_rqe_stream), .buffer({s_axis_rqe_id, s_axis_rqe_stag, s_axis_rqe_to, s_axis_rqe_length}),
        .done_push(m_axis_cqe_valid), .done_full(!m_axis_cqe_ready), .done_flow(m_axis_cqe_stream),
        .done({m_axis_cqe_recv, m_axis_cqe_status, m_axis_cqe_opcode, m_axis_cqe_stag, m_axis_cqe_data, m_axis_cqe_length, m_axis_cqe_id}),
        .note_push(m_axis_event_valid), .note_full(!m_axis_event_ready), .note_flow(m_axis_event_stream),
        .note({m_axis_event_kind, m_axis_event_term_layer, m_axis_event_term_etype, m_axis_event_term_code}),
        .mem_ar_push(m_axi_arvalid), .mem_ar_full(!m_axi_arready), .mem_ar({m_axi_arburst, m_axi_arsize, m_axi_arlen, m_axi_araddr, m_axi_arid}),
        .mem_r_push(m_axi_rvalid), .mem_r_full(r_full), .mem_r({m_axi_rlast, m_axi_rresp, m_axi_rid, m_axi_rdata}),
        .mem_aw_push(m_axi_awvalid), .mem_aw_full(!m_axi_awready), .mem_aw({m_axi_awburst, m_axi_awsize, m_axi_awlen, m_axi_awaddr, m_axi_awid}),
        .mem_w_push(m_axi_wvalid), .mem_w_full(!m_axi_wready), .mem_w({m_axi_wlast, m_axi_wstrb, m_axi_wdata}),
        .mem_b_push(m_axi_bvalid), .mem_b_full(b_full), .mem_b({m_axi_bresp, m_axi_bid}),

        // A set-up command becomes a command on the design's configuration port.
        .cfg_start(setup_valid), .cfg_idle(setup_ready), .cfg_bad(setup_refused), .cfg_is_flow(setup_command != 2'd1),
        .cfg_on(setup_command == 2'd1 ? setup_row_valid : setup_command == 2'd2),
        .cfg_who(setup_command == 2'd1 ? setup_owner : {{16-STREAM_BITS{1'b0}}, setup_stream}), .cfg_group(setup_domain), .cfg_shared(setup_by_domain),
        .cfg_stag({setup_index, setup_key}), .cfg_may(setup_rights), .cfg_to(setup_base), .cfg_size(setup_length), .cfg_place(setup_address)
    );
endmodule

`default_nettype wire
