// foreign_wrapper puts foreign_nic behind rnic_tb: the ports on the left are those of bench/rnic_wrapper.v, those on the right the design's.
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
    input  wire                   wqe_valid, wqe_signaled,
    output wire                   wqe_ready,
    input  wire [STREAM_BITS-1:0] wqe_stream,
    input  wire [63:0]            wqe_id, wqe_local_to, wqe_remote_to,
    input  wire [31:0]            wqe_local_stag, wqe_length, wqe_remote_stag,
    input  wire [3:0]             wqe_opcode, wqe_atomic_opcode,
    input  wire [63:0]            wqe_atomic_data, wqe_atomic_mask, wqe_atomic_compare, wqe_atomic_compare_mask,
    input  wire                   rqe_valid,
    output wire                   rqe_ready,
    input  wire [STREAM_BITS-1:0] rqe_stream,
    input  wire [63:0]            rqe_id, rqe_to,
    input  wire [31:0]            rqe_stag, rqe_length,
    output wire                   cqe_valid, cqe_recv,
    input  wire                   cqe_ready,
    output wire [STREAM_BITS-1:0] cqe_stream,
    output wire [63:0]            cqe_id, cqe_data,
    output wire [1:0]             cqe_status,
    output wire [3:0]             cqe_opcode,
    output wire [31:0]            cqe_length, cqe_stag,
    output wire                   event_valid,
    input  wire                   event_ready,
    output wire [STREAM_BITS-1:0] event_stream,
    output wire [1:0]             event_kind,
    output wire [3:0]             event_term_layer, event_term_etype,
    output wire [7:0]             event_term_code,
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
    input  wire [11:0]            setup_register, // never used: there are none
    output wire [31:0]            setup_value
);
    // The first octet is in the most significant byte there, and a count says how many octets there are.
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

    // Full is the contrary of ready.
    wire in_full, work_full, buffer_full, r_full, b_full;
    assign {s_axis_rx_tready, wqe_ready, rqe_ready, m_axi_rready, m_axi_bready} = ~{in_full, work_full, buffer_full, r_full, b_full};

    assign setup_has_registers = 1'b0;
    assign setup_value = 32'd0;

    foreign_nic #(.BYTES(BUS_BYTES), .FLOWS_LOG2(STREAM_BITS)) nic (
        .clock(clk), .reset_n(!rst),
        .in_push(s_axis_rx_tvalid), .in_full(in_full), .in_end(s_axis_rx_tlast), .in_count(in_count), .in_word(in_word), .in_flow(s_axis_rx_tuser),
        .out_push(m_axis_tx_tvalid), .out_full(!m_axis_tx_tready), .out_start(out_start), .out_end(m_axis_tx_tlast), .out_count(out_count), .out_word(out_word), .out_flow(m_axis_tx_tuser),
        .work_push(wqe_valid), .work_full(work_full), .work_flow(wqe_stream),
        .work({wqe_id, wqe_opcode, wqe_signaled, wqe_remote_to, wqe_remote_stag, wqe_local_to, wqe_local_stag, wqe_length,
            wqe_atomic_compare_mask, wqe_atomic_compare, wqe_atomic_mask, wqe_atomic_data, wqe_atomic_opcode}),
        .buffer_push(rqe_valid), .buffer_full(buffer_full), .buffer_flow(rqe_stream), .buffer({rqe_id, rqe_stag, rqe_to, rqe_length}),
        .done_push(cqe_valid), .done_full(!cqe_ready), .done_flow(cqe_stream),
        .done({cqe_recv, cqe_status, cqe_opcode, cqe_stag, cqe_data, cqe_length, cqe_id}),
        .note_push(event_valid), .note_full(!event_ready), .note_flow(event_stream),
        .note({event_kind, event_term_layer, event_term_etype, event_term_code}),
        .mem_ar_push(m_axi_arvalid), .mem_ar_full(!m_axi_arready), .mem_ar({m_axi_arburst, m_axi_arsize, m_axi_arlen, m_axi_araddr, m_axi_arid}),
        .mem_r_push(m_axi_rvalid), .mem_r_full(r_full), .mem_r({m_axi_rlast, m_axi_rresp, m_axi_rid, m_axi_rdata}),
        .mem_aw_push(m_axi_awvalid), .mem_aw_full(!m_axi_awready), .mem_aw({m_axi_awburst, m_axi_awsize, m_axi_awlen, m_axi_awaddr, m_axi_awid}),
        .mem_w_push(m_axi_wvalid), .mem_w_full(!m_axi_wready), .mem_w({m_axi_wlast, m_axi_wstrb, m_axi_wdata}),
        .mem_b_push(m_axi_bvalid), .mem_b_full(b_full), .mem_b({m_axi_bresp, m_axi_bid}),

        // A command of set-up is one of its own configuration port.
        .cfg_start(setup_valid), .cfg_idle(setup_ready), .cfg_bad(setup_refused), .cfg_is_flow(setup_command != 2'd1),
        .cfg_on(setup_command == 2'd1 ? setup_row_valid : setup_command == 2'd2),
        .cfg_who(setup_command == 2'd1 ? setup_owner : {{16-STREAM_BITS{1'b0}}, setup_stream}), .cfg_group(setup_domain), .cfg_shared(setup_by_domain),
        .cfg_stag({setup_index, setup_key}), .cfg_may(setup_rights), .cfg_to(setup_base), .cfg_size(setup_length), .cfg_place(setup_address)
    );
endmodule

`default_nettype wire
