// foreign_nic represents a third-party design: its names differ from those of rnic_tb, and it makes its own choices where the
// specifications leave them open. It contains the generated rnic, so that the example is complete.
//
// Frames have their first octet in the most significant byte of a word, a start, an end, and a count of the octets of each word.
// Requests and completions are one vector each. It is configured through one flat port, without registers.
`default_nettype none

module foreign_nic #(
    parameter BYTES = 8,
    parameter FLOWS_LOG2 = 1
) (
    input  wire                  clock,
    input  wire                  reset_n,
    input  wire                  in_push,
    output wire                  in_full,
    input  wire                  in_end,
    input  wire [7:0]            in_count,
    input  wire [8*BYTES-1:0]    in_word,
    input  wire [FLOWS_LOG2-1:0] in_flow,
    output wire                  out_push,
    input  wire                  out_full,
    output wire                  out_start,
    output wire                  out_end,
    output wire [7:0]            out_count,
    output reg  [8*BYTES-1:0]    out_word,
    output wire [FLOWS_LOG2-1:0] out_flow,
    input  wire                  work_push,
    output wire                  work_full,
    input  wire [FLOWS_LOG2-1:0] work_flow,
    input  wire [552:0]          work,     // {id, opcode, signaled, remote TO, remote STag, local TO, local STag, length, compare mask, compare, mask, data, AOpCode}
    input  wire                  buffer_push,
    output wire                  buffer_full,
    input  wire [FLOWS_LOG2-1:0] buffer_flow,
    input  wire [191:0]          buffer,   // {id, STag, TO, length}
    output wire                  done_push,
    input  wire                  done_full,
    output wire [FLOWS_LOG2-1:0] done_flow,
    output wire [198:0]          done,     // {is a buffer, status, opcode, STag, data, length, id}
    output wire                  note_push,
    input  wire                  note_full,
    output wire [FLOWS_LOG2-1:0] note_flow,
    output wire [17:0]           note,     // {kind, layer, type, code}
    output wire                  mem_ar_push,
    input  wire                  mem_ar_full,
    output wire [77:0]           mem_ar,   // {burst, size, length, address, ID}
    input  wire                  mem_r_push,
    output wire                  mem_r_full,
    input  wire [8*BYTES+3:0]    mem_r,    // {last, response, ID, data}
    output wire                  mem_aw_push,
    input  wire                  mem_aw_full,
    output wire [77:0]           mem_aw,
    output wire                  mem_w_push,
    input  wire                  mem_w_full,
    output wire [9*BYTES:0]      mem_w,    // {last, strobes, data}
    input  wire                  mem_b_push,
    output wire                  mem_b_full,
    input  wire [2:0]            mem_b,    // {response, ID}
    input  wire                  cfg_start,
    output wire                  cfg_idle,
    output reg                   cfg_bad,
    input  wire                  cfg_is_flow,
    input  wire                  cfg_on,   // open the flow, or make the key valid; 0: the opposite
    input  wire [15:0]           cfg_who,  // flow to open or shut; owner of the key
    input  wire [15:0]           cfg_group,
    input  wire                  cfg_shared,
    input  wire [31:0]           cfg_stag,
    input  wire [5:0]            cfg_may,
    input  wire [63:0]           cfg_to,
    input  wire [63:0]           cfg_size,
    input  wire [63:0]           cfg_place
);
    localparam [31:0] SALT = 32'hc0de0000; // its Request Identifiers are not MSNs

    // Frames in: reverse the octets, and remove the salt from the identifier of Atomic Responses.
    reg  [8*BYTES-1:0] rx_data;
    reg  [BYTES-1:0]   rx_keep;
    reg  [15:0]        rx_at;
    reg                rx_response_q;
    wire               rx_response = rx_at == 0 ? in_word[8*BYTES-1] == 1'b0 && in_word[8*BYTES-13 -: 4] == 4'hb : rx_response_q;
    integer            i;
    always @* begin
        rx_data = 0;
        rx_keep = 0;
        for (i = 0; i < BYTES; i = i + 1) begin
            rx_data[8*i +: 8] = in_word[8*(BYTES-1-i) +: 8];
            if (rx_response && rx_at + i >= 18 && rx_at + i < 22) rx_data[8*i +: 8] = rx_data[8*i +: 8] ^ SALT[8*(21-rx_at-i) +: 8];
            rx_keep[i] = i < in_count;
        end
    end
    always @(posedge clock)
        if (!reset_n) rx_at <= 0;
        else if (in_push && !in_full) begin
            rx_at <= in_end ? 16'd0 : rx_at + BYTES;
            rx_response_q <= rx_response;
        end

    // Frames out: the same for Atomic Requests; a segment that ends inside its header is an RDMAP error here, not a DDP error.
    wire [8*BYTES-1:0] tx_data;
    wire [BYTES-1:0]   tx_keep;
    reg  [15:0]        tx_at;
    reg  [3:0]         tx_opcode_q;
    wire [3:0]         tx_opcode = tx_at == 0 ? tx_data[11:8] : tx_opcode_q;
    reg  [7:0]         tx_count;
    reg  [7:0]         octet;
    integer            j;
    always @* begin
        tx_count = 0;
        out_word = 0;
        for (j = 0; j < BYTES; j = j + 1) begin
            octet = tx_data[8*j +: 8];
            if (tx_opcode == 4'ha && tx_at + j >= 22 && tx_at + j < 26) octet = octet ^ SALT[8*(25-tx_at-j) +: 8];
            if (tx_opcode == 4'h7 && tx_at + j == 18 && octet == 8'h10) octet = 8'h00;
            out_word[8*(BYTES-1-j) +: 8] = octet;
            tx_count = tx_count + {7'd0, tx_keep[j]};
        end
    end
    assign out_count = tx_count;
    assign out_start = tx_at == 0;
    always @(posedge clock)
        if (!reset_n) tx_at <= 0;
        else if (out_push && !out_full) begin
            tx_at <= out_end ? 16'd0 : tx_at + BYTES;
            tx_opcode_q <= tx_opcode;
        end
    wire [3:0] layer, kind;
    wire [7:0] code;
    assign note[15:12] = layer == 4'd1 && kind == 4'd0 ? 4'd0 : layer;
    assign note[11:0] = {kind, code};

    // Configuration: internal register writes, then polling until they have taken effect.
    reg  [3:0]  step;
    reg  [2:0]  state;
    localparam [2:0] IDLE = 0, WRITE = 1, ANSWER = 2, READ = 3, VALUE = 4;
    wire [11:0] address = cfg_is_flow ? 12'h070 + {8'd0, step} * 4 : step < 3 ? 12'h040 + {8'd0, step} * 4 : 12'h044 + {8'd0, step} * 4;
    wire [3:0]  last = cfg_is_flow ? 4'd2 : 4'd9;
    reg  [31:0] value;
    reg         aw_done, w_done;
    wire        awready, wready, bvalid, arready, rvalid;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;
    always @*
        if (cfg_is_flow) value = step == 0 ? {16'd0, cfg_who} : step == 1 ? {16'd0, cfg_group} : cfg_on ? 32'd1 : 32'd2;
        else
            case (step)
                4'd0: value = {8'd0, cfg_stag[31:8]};
                4'd1: value = {18'd0, cfg_may, cfg_stag[7:0]};
                4'd2: value = {15'd0, cfg_shared, cfg_who};
                4'd3: value = cfg_to[31:0];
                4'd4: value = cfg_to[63:32];
                4'd5: value = cfg_size[31:0];
                4'd6: value = cfg_size[63:32];
                4'd7: value = cfg_place[31:0];
                4'd8: value = cfg_place[63:32];
                default: value = cfg_on ? 32'd1 : 32'd2;
            endcase
    assign cfg_idle = state == IDLE;
    always @(posedge clock) begin
        aw_done <= state == WRITE && (aw_done || awready);
        w_done <= state == WRITE && (w_done || wready);
        case (state)
            IDLE: begin
                step <= 0;
                if (cfg_start) begin
                    state <= WRITE;
                    cfg_bad <= 1'b0;
                end
            end
            WRITE: if ((aw_done || awready) && (w_done || wready)) state <= ANSWER;
            ANSWER: if (bvalid) begin
                if (bresp != 0) cfg_bad <= 1'b1;
                step <= step + 1;
                state <= step == last ? READ : WRITE;
            end
            READ: if (arready) state <= VALUE;
            default: if (rvalid) state <= rdata == 32'd4 ? IDLE : READ;
        endcase
        if (!reset_n) begin
            state <= READ;
            step <= 0;
            cfg_bad <= 1'b0;
        end
    end

    wire tx_valid, ar_valid, aw_valid, w_valid, cqe_valid, event_valid, rx_ready, wqe_ready, rqe_ready, r_ready, b_ready;
    assign out_push = tx_valid;
    assign {in_full, work_full, buffer_full, mem_r_full, mem_b_full} = ~{rx_ready, wqe_ready, rqe_ready, r_ready, b_ready};
    // A failed request is flushed, regardless of the reason; a failed receive is not reported.
    wire [1:0] status;
    wire       untold = done[198] && status != 2'd0;
    assign done[197:196] = status == 2'd0 ? 2'd0 : 2'd1;
    assign {done_push, note_push, mem_ar_push, mem_aw_push, mem_w_push} = {cqe_valid && !untold, event_valid, ar_valid, aw_valid, w_valid};
    rnic engine (
        .clk(clock), .rst(!reset_n),
        .s_axis_rx_tvalid(in_push), .s_axis_rx_tready(rx_ready), .s_axis_rx_tdata(rx_data), .s_axis_rx_tkeep(rx_keep), .s_axis_rx_tlast(in_end), .s_axis_rx_tuser(in_flow),
        .m_axis_tx_tvalid(tx_valid), .m_axis_tx_tready(!out_full), .m_axis_tx_tdata(tx_data), .m_axis_tx_tkeep(tx_keep), .m_axis_tx_tlast(out_end), .m_axis_tx_tuser(out_flow),
        .wqe_valid(work_push), .wqe_ready(wqe_ready), .wqe_stream(work_flow), .wqe_id(work[552:489]), .wqe_opcode(work[488:485]),
        .wqe_signaled(work[484]), .wqe_remote_to(work[483:420]), .wqe_remote_stag(work[419:388]), .wqe_local_to(work[387:324]),
        .wqe_local_stag(work[323:292]), .wqe_length(work[291:260]), .wqe_atomic_compare_mask(work[259:196]), .wqe_atomic_compare(work[195:132]),
        .wqe_atomic_mask(work[131:68]), .wqe_atomic_data(work[67:4]), .wqe_atomic_opcode(work[3:0]),
        .rqe_valid(buffer_push), .rqe_ready(rqe_ready), .rqe_stream(buffer_flow), .rqe_id(buffer[191:128]), .rqe_stag(buffer[127:96]),
        .rqe_to(buffer[95:32]), .rqe_length(buffer[31:0]),
        .cqe_valid(cqe_valid), .cqe_ready(!done_full || untold), .cqe_stream(done_flow), .cqe_recv(done[198]), .cqe_status(status),
        .cqe_opcode(done[195:192]), .cqe_stag(done[191:160]), .cqe_data(done[159:96]), .cqe_length(done[95:64]), .cqe_id(done[63:0]),
        .event_valid(event_valid), .event_ready(!note_full), .event_stream(note_flow), .event_kind(note[17:16]),
        .event_term_layer(layer), .event_term_etype(kind), .event_term_code(code),
        .m_axi_arvalid(ar_valid), .m_axi_arready(!mem_ar_full), .m_axi_arid(mem_ar[0]), .m_axi_araddr(mem_ar[64:1]), .m_axi_arlen(mem_ar[72:65]), .m_axi_arsize(mem_ar[75:73]), .m_axi_arburst(mem_ar[77:76]),
        .m_axi_rvalid(mem_r_push), .m_axi_rready(r_ready), .m_axi_rdata(mem_r[8*BYTES-1:0]), .m_axi_rid(mem_r[8*BYTES]), .m_axi_rresp(mem_r[8*BYTES+1 +: 2]), .m_axi_rlast(mem_r[8*BYTES+3]),
        .m_axi_awvalid(aw_valid), .m_axi_awready(!mem_aw_full), .m_axi_awid(mem_aw[0]), .m_axi_awaddr(mem_aw[64:1]), .m_axi_awlen(mem_aw[72:65]), .m_axi_awsize(mem_aw[75:73]), .m_axi_awburst(mem_aw[77:76]),
        .m_axi_wvalid(w_valid), .m_axi_wready(!mem_w_full), .m_axi_wdata(mem_w[8*BYTES-1:0]), .m_axi_wstrb(mem_w[8*BYTES +: BYTES]), .m_axi_wlast(mem_w[9*BYTES]),
        .m_axi_bvalid(mem_b_push), .m_axi_bready(b_ready), .m_axi_bid(mem_b[0]), .m_axi_bresp(mem_b[2:1]),
        .s_axil_awvalid(state == WRITE && !aw_done), .s_axil_awready(awready), .s_axil_awaddr(address), .s_axil_awprot(3'b000),
        .s_axil_wvalid(state == WRITE && !w_done), .s_axil_wready(wready), .s_axil_wdata(value), .s_axil_wstrb(4'hf),
        .s_axil_bvalid(bvalid), .s_axil_bready(state == ANSWER), .s_axil_bresp(bresp),
        .s_axil_arvalid(state == READ), .s_axil_arready(arready), .s_axil_araddr(12'h00c), .s_axil_arprot(3'b000),
        .s_axil_rvalid(rvalid), .s_axil_rready(state == VALUE), .s_axil_rdata(rdata), .s_axil_rresp(rresp)
    );
endmodule

`default_nettype wire
