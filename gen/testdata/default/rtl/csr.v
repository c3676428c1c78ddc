// csr holds the registers of the host behind AXI4-Lite. It accepts a write every other cycle and a read every third one
// as long as the responses are accepted at once. An access is answered after two cycles, a write two cycles after the
// later of its address and its data, which may arrive in either order. An access to no register gets SLVERR and has no
// effect.
//
// A command stays on its stream, stag, opening or weight, until it is accepted. The registers that describe it do not
// change meanwhile, because writes to them wait. Events are always accepted. The log holds the last 16 ends of streams;
// a newer one replaces the oldest. Counters count modulo 2^32. After reset the log is empty and everything else is 0.
//
// Built for bus_bytes 64, streams 64, stags 1024, ird 8, ord 8, receive_depth 16, send_depth 16, max_payload 1024.
`default_nettype none
module csr (
    input  wire        clk,
    input  wire        rst, // synchronous, active high

    // s_axil
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [11:0] s_axil_awaddr,  // octet address of the register; its two low bits are ignored
    input  wire [2:0]  s_axil_awprot,  // ignored
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,   // value to write
    input  wire [3:0]  s_axil_wstrb,   // octets to write
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,   // 0 OKAY, 2 SLVERR: nothing was written
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [11:0] s_axil_araddr,  // octet address of the register; its two low bits are ignored
    input  wire [2:0]  s_axil_arprot,  // ignored
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,   // value of the register
    output wire [1:0]  s_axil_rresp,   // 0 OKAY, 2 SLVERR: nothing to read, the data is 0

    // stag
    output wire        stag_valid,
    input  wire        stag_ready,
    output wire [23:0] stag_index,                      // upper 24 bits of the STag
    output wire        stag_entry_valid,                // the STag may be used
    output wire [7:0]  stag_entry_key,                  // low octet of the STag, chosen by the consumer
    output wire        stag_entry_rights_local_read,    // source of Sends and Writes of this node
    // buffer for Sends to this node and for results of its RDMA Reads and Atomics
    output wire        stag_entry_rights_local_write,
    output wire        stag_entry_rights_remote_read,   // source of RDMA Reads of the peer
    output wire        stag_entry_rights_remote_write,  // sink of RDMA Writes of the peer
    output wire        stag_entry_rights_remote_atomic, // target of Atomic Operations of the peer
    output wire        stag_entry_rights_invalidate,    // the peer may invalidate it by Send with Invalidate
    output wire        stag_entry_by_domain,            // 1: owner is a protection domain, 0: owner is a stream
    output wire [15:0] stag_entry_owner,                // stream or domain that the STag is associated with
    output wire [63:0] stag_entry_base,                 // tagged offset of the first octet
    output wire [63:0] stag_entry_length,               // octets; base + length is at most 2^64
    output wire [63:0] stag_entry_address,              // address of the first octet in memory

    // opening
    output wire        opening_valid,
    input  wire        opening_ready,
    output wire [5:0]  opening_stream, // number of the stream
    output wire        opening_open,   // 1 opens the stream, 0 closes it
    output wire [15:0] opening_domain, // protection domain; STags of the domain are associated with the stream

    // weight
    output wire        weight_valid,
    input  wire        weight_ready,
    output wire [5:0]  weight_stream, // number of the stream
    output wire [3:0]  weight_weight, // its octets, relative to those of other streams; 0 counts as 1

    // event
    input  wire        event_valid,
    output wire        event_ready,
    input  wire [5:0]  event_stream,     // number of the stream
    // 0 solicited, 1 this node has ended the stream, 2 the peer has, 3 receive request refused: ring full
    input  wire [1:0]  event_kind,
    // layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate
    input  wire [3:0]  event_term_layer,
    input  wire [3:0]  event_term_etype, // error type that the Terminate reports
    input  wire [7:0]  event_term_code,  // error code that the Terminate reports

    input  wire        ready, // all tables are initialized

    // count
    input  wire        count_segments_received,  // counts one
    input  wire        count_segments_discarded, // counts one
    input  wire        count_segments_in_error,  // counts one
    input  wire        count_messages_sent,      // counts one
    input  wire        count_segments_sent,      // counts one
    input  wire        count_segments_dropped,   // counts one
    input  wire        count_completions,        // counts one
    input  wire        count_ended,              // this node has ended a stream
    input  wire        count_closed,             // the peer has ended a stream
    input  wire        count_memory_errors,      // counts one
    input  wire        count_receives_refused,   // counts one
    input  wire        count_invalidations       // counts one
);
    localparam [11:0] ID                  = 12'd0;
    localparam [11:0] VERSION             = 12'd4;
    localparam [11:0] SCRATCH             = 12'd8;
    localparam [11:0] STATUS              = 12'd12;
    localparam [11:0] BUS_BYTES           = 12'd16;
    localparam [11:0] STREAMS             = 12'd20;
    localparam [11:0] STAGS               = 12'd24;
    localparam [11:0] IRD                 = 12'd28;
    localparam [11:0] ORD                 = 12'd32;
    localparam [11:0] RECEIVE_DEPTH       = 12'd36;
    localparam [11:0] SEND_DEPTH          = 12'd40;
    localparam [11:0] MAX_PAYLOAD         = 12'd44;
    localparam [11:0] FEATURES            = 12'd48;
    localparam [11:0] STAG_INDEX          = 12'd64;
    localparam [11:0] STAG_ACCESS         = 12'd68;
    localparam [11:0] STAG_OWNER          = 12'd72;
    localparam [11:0] STAG_BASE_LOW       = 12'd80;
    localparam [11:0] STAG_BASE_HIGH      = 12'd84;
    localparam [11:0] STAG_LENGTH_LOW     = 12'd88;
    localparam [11:0] STAG_LENGTH_HIGH    = 12'd92;
    localparam [11:0] STAG_ADDRESS_LOW    = 12'd96;
    localparam [11:0] STAG_ADDRESS_HIGH   = 12'd100;
    localparam [11:0] STAG_COMMAND        = 12'd104;
    localparam [11:0] STREAM_NUMBER       = 12'd112;
    localparam [11:0] STREAM_DOMAIN       = 12'd116;
    localparam [11:0] STREAM_COMMAND      = 12'd120;
    localparam [11:0] STREAM_WEIGHT       = 12'd124;
    localparam [11:0] SEGMENTS_RECEIVED   = 12'd128;
    localparam [11:0] SEGMENTS_DISCARDED  = 12'd132;
    localparam [11:0] SEGMENTS_IN_ERROR   = 12'd136;
    localparam [11:0] MESSAGES_SENT       = 12'd140;
    localparam [11:0] SEGMENTS_SENT       = 12'd144;
    localparam [11:0] SEGMENTS_DROPPED    = 12'd148;
    localparam [11:0] COMPLETIONS         = 12'd152;
    localparam [11:0] TERMINATES_SENT     = 12'd156;
    localparam [11:0] TERMINATES_RECEIVED = 12'd160;
    localparam [11:0] MEMORY_ERRORS       = 12'd164;
    localparam [11:0] RECEIVES_REFUSED    = 12'd168;
    localparam [11:0] INVALIDATIONS       = 12'd172;
    localparam [11:0] TERMINATES_LOST     = 12'd192;
    localparam [11:0] TERMINATE_LOG       = 12'd196;
    reg  stag_busy_q;
    reg  stream_busy_q;
    wire write_refused;

    // ---- A write starts when its address and data have arrived, in either order
    reg         write_address_valid_q;
    reg  [9:0]  write_word_q;
    reg         write_data_valid_q;
    reg  [31:0] write_data_q;
    reg  [3:0]  write_strobes_q;
    reg         write_response_valid_q;
    reg         write_response_refused_q;
    wire [11:0] write_address      = {write_word_q, 2'd0};
    wire [31:0] write_mask         = {
        {8{write_strobes_q[3]}}, {8{write_strobes_q[2]}}, {8{write_strobes_q[1]}}, {8{write_strobes_q[0]}}
    };
    wire [11:0] next_write_address = {s_axil_awaddr[11:2], 2'd0};
    reg         is_stag_register_q;
    wire        is_stag_register   =
          (next_write_address == STAG_INDEX)
        | (next_write_address == STAG_ACCESS)
        | (next_write_address == STAG_OWNER)
        | (next_write_address == STAG_BASE_LOW)
        | (next_write_address == STAG_BASE_HIGH)
        | (next_write_address == STAG_LENGTH_LOW)
        | (next_write_address == STAG_LENGTH_HIGH)
        | (next_write_address == STAG_ADDRESS_LOW)
        | (next_write_address == STAG_ADDRESS_HIGH)
        | (next_write_address == STAG_COMMAND);
    reg         is_stream_register_q;
    wire        is_stream_register =
          (next_write_address == STREAM_NUMBER)
        | (next_write_address == STREAM_DOMAIN)
        | (next_write_address == STREAM_COMMAND)
        | (next_write_address == STREAM_WEIGHT);
    // The registers that describe a command are stable until it is accepted.
    wire        write_waits  = (stag_busy_q & is_stag_register_q) | (stream_busy_q & is_stream_register_q);
    wire        write_starts =
        write_address_valid_q & write_data_valid_q & ~write_response_valid_q & ~write_waits;
    wire [31:0] written      = write_data_q & write_mask;
    // Whether there is room comes from registers: a write takes two cycles.
    wire write_address_free = ~write_address_valid_q;
    wire write_data_free    = ~write_data_valid_q;
    assign s_axil_awready = write_address_free;
    assign s_axil_wready  = write_data_free;

    always @(posedge clk) begin
        write_address_valid_q <= write_address_free ? s_axil_awvalid : ~write_starts;
        write_data_valid_q    <= write_data_free ? s_axil_wvalid : ~write_starts;
        if (write_address_free) begin
            write_word_q         <= s_axil_awaddr[11:2];
            is_stag_register_q   <= is_stag_register;
            is_stream_register_q <= is_stream_register;
        end
        if (write_data_free) begin
            write_data_q    <= s_axil_wdata;
            write_strobes_q <= s_axil_wstrb;
        end
        if (write_starts) begin
            write_response_valid_q   <= 1'b1;
            write_response_refused_q <= write_refused;
        end else if (s_axil_bready) begin
            write_response_valid_q <= 1'b0;
        end
        if (rst) begin
            write_address_valid_q  <= 1'b0;
            write_data_valid_q     <= 1'b0;
            write_response_valid_q <= 1'b0;
        end
    end

    assign s_axil_bvalid = write_response_valid_q;
    assign s_axil_bresp  = write_response_refused_q ? 2'd2 : 2'd0;

    // ---- Writable registers
    reg [31:0] scratch_q;
    reg [23:0] stag_index_q;
    reg [13:0] stag_access_q;
    reg [16:0] stag_owner_q;
    reg [31:0] stag_base_low_q;
    reg [31:0] stag_base_high_q;
    reg [31:0] stag_length_low_q;
    reg [31:0] stag_length_high_q;
    reg [31:0] stag_address_low_q;
    reg [31:0] stag_address_high_q;
    reg [15:0] stream_number_q;
    reg [15:0] stream_domain_q;
    reg [3:0]  stream_weight_q;

    always @(posedge clk) begin
        if (write_starts & (write_address == SCRATCH)) begin
            scratch_q <= (scratch_q & ~write_mask) | written;
        end
        if (write_starts & (write_address == STAG_INDEX)) begin
            stag_index_q <= (stag_index_q & ~write_mask[23:0]) | written[23:0];
        end
        if (write_starts & (write_address == STAG_ACCESS)) begin
            stag_access_q <= (stag_access_q & ~write_mask[13:0]) | written[13:0];
        end
        if (write_starts & (write_address == STAG_OWNER)) begin
            stag_owner_q <= (stag_owner_q & ~write_mask[16:0]) | written[16:0];
        end
        if (write_starts & (write_address == STAG_BASE_LOW)) begin
            stag_base_low_q <= (stag_base_low_q & ~write_mask) | written;
        end
        if (write_starts & (write_address == STAG_BASE_HIGH)) begin
            stag_base_high_q <= (stag_base_high_q & ~write_mask) | written;
        end
        if (write_starts & (write_address == STAG_LENGTH_LOW)) begin
            stag_length_low_q <= (stag_length_low_q & ~write_mask) | written;
        end
        if (write_starts & (write_address == STAG_LENGTH_HIGH)) begin
            stag_length_high_q <= (stag_length_high_q & ~write_mask) | written;
        end
        if (write_starts & (write_address == STAG_ADDRESS_LOW)) begin
            stag_address_low_q <= (stag_address_low_q & ~write_mask) | written;
        end
        if (write_starts & (write_address == STAG_ADDRESS_HIGH)) begin
            stag_address_high_q <= (stag_address_high_q & ~write_mask) | written;
        end
        if (write_starts & (write_address == STREAM_NUMBER)) begin
            stream_number_q <= (stream_number_q & ~write_mask[15:0]) | written[15:0];
        end
        if (write_starts & (write_address == STREAM_DOMAIN)) begin
            stream_domain_q <= (stream_domain_q & ~write_mask[15:0]) | written[15:0];
        end
        if (write_starts & (write_address == STREAM_WEIGHT)) begin
            stream_weight_q <= (stream_weight_q & ~write_mask[3:0]) | written[3:0];
        end
        if (rst) begin
            scratch_q           <= 32'd0;
            stag_index_q        <= 24'd0;
            stag_access_q       <= 14'd0;
            stag_owner_q        <= 17'd0;
            stag_base_low_q     <= 32'd0;
            stag_base_high_q    <= 32'd0;
            stag_length_low_q   <= 32'd0;
            stag_length_high_q  <= 32'd0;
            stag_address_low_q  <= 32'd0;
            stag_address_high_q <= 32'd0;
            stream_number_q     <= 16'd0;
            stream_domain_q     <= 16'd0;
            stream_weight_q     <= 4'd0;
        end
    end

    // ---- Commands to the STag table
    reg stag_store_q;
    localparam [31:0] STORE      = 32'd1;
    localparam [31:0] INVALIDATE = 32'd2;
    wire is_stag_command       = write_address == STAG_COMMAND;
    wire is_store              = written == STORE;
    wire stag_command_is_known = (~|stag_index_q[23:10]) & (is_store | (written == INVALIDATE));
    wire stag_command_begins   = write_starts & is_stag_command & stag_command_is_known;
    wire stag_command_refused  = is_stag_command & ~stag_command_is_known & (|written);

    always @(posedge clk) begin
        if (stag_command_begins) begin
            stag_busy_q  <= 1'b1;
            stag_store_q <= is_store;
        end else if (stag_ready) begin
            stag_busy_q <= 1'b0;
        end
        if (rst) begin
            stag_busy_q <= 1'b0;
        end
    end

    assign stag_valid                      = stag_busy_q;
    assign stag_index                      = stag_index_q;
    assign stag_entry_valid                = stag_store_q;
    assign stag_entry_key                  = stag_access_q[7:0];
    assign stag_entry_rights_local_read    = stag_access_q[8];
    assign stag_entry_rights_local_write   = stag_access_q[9];
    assign stag_entry_rights_remote_read   = stag_access_q[10];
    assign stag_entry_rights_remote_write  = stag_access_q[11];
    assign stag_entry_rights_remote_atomic = stag_access_q[12];
    assign stag_entry_rights_invalidate    = stag_access_q[13];
    assign stag_entry_by_domain            = stag_owner_q[16];
    assign stag_entry_owner                = stag_owner_q[15:0];
    assign stag_entry_base                 = {stag_base_high_q, stag_base_low_q};
    assign stag_entry_length               = {stag_length_high_q, stag_length_low_q};
    assign stag_entry_address              = {stag_address_high_q, stag_address_low_q};

    // ---- Commands to the streams
    reg stream_open_q;
    reg stream_weigh_q;
    localparam [31:0] WEIGH = 32'd3;
    localparam [31:0] OPEN  = 32'd1;
    localparam [31:0] CLOSE = 32'd2;
    wire is_stream_command       = write_address == STREAM_COMMAND;
    wire is_open                 = written == OPEN;
    wire stream_command_is_known =
        (~|stream_number_q[15:6]) & (is_open | (written == CLOSE) | (written == WEIGH));
    wire stream_command_begins   = write_starts & is_stream_command & stream_command_is_known;
    wire stream_command_refused  = is_stream_command & ~stream_command_is_known & (|written);

    always @(posedge clk) begin
        if (stream_command_begins) begin
            stream_busy_q  <= 1'b1;
            stream_open_q  <= is_open;
            stream_weigh_q <= written == WEIGH;
        end else if (stream_weigh_q ? weight_ready : opening_ready) begin
            stream_busy_q <= 1'b0;
        end
        if (rst) begin
            stream_busy_q <= 1'b0;
        end
    end

    assign opening_valid  = stream_busy_q & ~stream_weigh_q;
    assign opening_stream = stream_number_q[5:0];
    assign opening_open   = stream_open_q;
    assign opening_domain = stream_domain_q;
    assign weight_valid   = stream_busy_q & stream_weigh_q;
    assign weight_stream  = stream_number_q[5:0];
    assign weight_weight  = stream_weight_q;
    wire writable =
          (write_address == SCRATCH)
        | (write_address == STAG_INDEX)
        | (write_address == STAG_ACCESS)
        | (write_address == STAG_OWNER)
        | (write_address == STAG_BASE_LOW)
        | (write_address == STAG_BASE_HIGH)
        | (write_address == STAG_LENGTH_LOW)
        | (write_address == STAG_LENGTH_HIGH)
        | (write_address == STAG_ADDRESS_LOW)
        | (write_address == STAG_ADDRESS_HIGH)
        | (write_address == STAG_COMMAND)
        | (write_address == STREAM_NUMBER)
        | (write_address == STREAM_DOMAIN)
        | (write_address == STREAM_COMMAND)
        | (write_address == STREAM_WEIGHT);
    assign write_refused  = ~writable | stag_command_refused | stream_command_refused;

    // ---- Counters
    reg [31:0] segments_received_q;
    reg [31:0] segments_discarded_q;
    reg [31:0] segments_in_error_q;
    reg [31:0] messages_sent_q;
    reg [31:0] segments_sent_q;
    reg [31:0] segments_dropped_q;
    reg [31:0] completions_q;
    reg [31:0] terminates_sent_q;
    reg [31:0] terminates_received_q;
    reg [31:0] memory_errors_q;
    reg [31:0] receives_refused_q;
    reg [31:0] invalidations_q;

    always @(posedge clk) begin
        if (count_segments_received) begin
            segments_received_q <= segments_received_q + 32'd1;
        end
        if (count_segments_discarded) begin
            segments_discarded_q <= segments_discarded_q + 32'd1;
        end
        if (count_segments_in_error) begin
            segments_in_error_q <= segments_in_error_q + 32'd1;
        end
        if (count_messages_sent) begin
            messages_sent_q <= messages_sent_q + 32'd1;
        end
        if (count_segments_sent) begin
            segments_sent_q <= segments_sent_q + 32'd1;
        end
        if (count_segments_dropped) begin
            segments_dropped_q <= segments_dropped_q + 32'd1;
        end
        if (count_completions) begin
            completions_q <= completions_q + 32'd1;
        end
        if (count_ended) begin
            terminates_sent_q <= terminates_sent_q + 32'd1;
        end
        if (count_closed) begin
            terminates_received_q <= terminates_received_q + 32'd1;
        end
        if (count_memory_errors) begin
            memory_errors_q <= memory_errors_q + 32'd1;
        end
        if (count_receives_refused) begin
            receives_refused_q <= receives_refused_q + 32'd1;
        end
        if (count_invalidations) begin
            invalidations_q <= invalidations_q + 32'd1;
        end
        if (rst) begin
            segments_received_q   <= 32'd0;
            segments_discarded_q  <= 32'd0;
            segments_in_error_q   <= 32'd0;
            messages_sent_q       <= 32'd0;
            segments_sent_q       <= 32'd0;
            segments_dropped_q    <= 32'd0;
            completions_q         <= 32'd0;
            terminates_sent_q     <= 32'd0;
            terminates_received_q <= 32'd0;
            memory_errors_q       <= 32'd0;
            receives_refused_q    <= 32'd0;
            invalidations_q       <= 32'd0;
        end
    end

    // ---- Reads
    reg         read_response_valid_q;
    reg         read_response_refused_q;
    reg  [31:0] read_data_q;
    reg         read_from_log_q;
    reg         read_asked_q;
    wire        read_is_free = ~read_asked_q & ~read_response_valid_q;
    assign s_axil_arready = read_is_free;

    always @(posedge clk) begin
        read_asked_q <= s_axil_arvalid & read_is_free;
        if (rst) begin
            read_asked_q <= 1'b0;
        end
    end

    wire [11:0] read_address = {s_axil_araddr[11:2], 2'd0};
    // Which register it is, in one bit for each that can be read, is decoded as the address is accepted.
    reg reads_id_q;
    reg reads_version_q;
    reg reads_scratch_q;
    reg reads_status_q;
    reg reads_bus_bytes_q;
    reg reads_streams_q;
    reg reads_stags_q;
    reg reads_ird_q;
    reg reads_ord_q;
    reg reads_receive_depth_q;
    reg reads_send_depth_q;
    reg reads_max_payload_q;
    reg reads_features_q;
    reg reads_stag_index_q;
    reg reads_stag_access_q;
    reg reads_stag_owner_q;
    reg reads_stag_base_low_q;
    reg reads_stag_base_high_q;
    reg reads_stag_length_low_q;
    reg reads_stag_length_high_q;
    reg reads_stag_address_low_q;
    reg reads_stag_address_high_q;
    reg reads_stream_number_q;
    reg reads_stream_domain_q;
    reg reads_stream_weight_q;
    reg reads_segments_received_q;
    reg reads_segments_discarded_q;
    reg reads_segments_in_error_q;
    reg reads_messages_sent_q;
    reg reads_segments_sent_q;
    reg reads_segments_dropped_q;
    reg reads_completions_q;
    reg reads_terminates_sent_q;
    reg reads_terminates_received_q;
    reg reads_memory_errors_q;
    reg reads_receives_refused_q;
    reg reads_invalidations_q;
    reg reads_terminates_lost_q;
    reg reads_terminate_log_q;

    always @(posedge clk) begin
        if (read_is_free) begin
            reads_id_q                  <= read_address == ID;
            reads_version_q             <= read_address == VERSION;
            reads_scratch_q             <= read_address == SCRATCH;
            reads_status_q              <= read_address == STATUS;
            reads_bus_bytes_q           <= read_address == BUS_BYTES;
            reads_streams_q             <= read_address == STREAMS;
            reads_stags_q               <= read_address == STAGS;
            reads_ird_q                 <= read_address == IRD;
            reads_ord_q                 <= read_address == ORD;
            reads_receive_depth_q       <= read_address == RECEIVE_DEPTH;
            reads_send_depth_q          <= read_address == SEND_DEPTH;
            reads_max_payload_q         <= read_address == MAX_PAYLOAD;
            reads_features_q            <= read_address == FEATURES;
            reads_stag_index_q          <= read_address == STAG_INDEX;
            reads_stag_access_q         <= read_address == STAG_ACCESS;
            reads_stag_owner_q          <= read_address == STAG_OWNER;
            reads_stag_base_low_q       <= read_address == STAG_BASE_LOW;
            reads_stag_base_high_q      <= read_address == STAG_BASE_HIGH;
            reads_stag_length_low_q     <= read_address == STAG_LENGTH_LOW;
            reads_stag_length_high_q    <= read_address == STAG_LENGTH_HIGH;
            reads_stag_address_low_q    <= read_address == STAG_ADDRESS_LOW;
            reads_stag_address_high_q   <= read_address == STAG_ADDRESS_HIGH;
            reads_stream_number_q       <= read_address == STREAM_NUMBER;
            reads_stream_domain_q       <= read_address == STREAM_DOMAIN;
            reads_stream_weight_q       <= read_address == STREAM_WEIGHT;
            reads_segments_received_q   <= read_address == SEGMENTS_RECEIVED;
            reads_segments_discarded_q  <= read_address == SEGMENTS_DISCARDED;
            reads_segments_in_error_q   <= read_address == SEGMENTS_IN_ERROR;
            reads_messages_sent_q       <= read_address == MESSAGES_SENT;
            reads_segments_sent_q       <= read_address == SEGMENTS_SENT;
            reads_segments_dropped_q    <= read_address == SEGMENTS_DROPPED;
            reads_completions_q         <= read_address == COMPLETIONS;
            reads_terminates_sent_q     <= read_address == TERMINATES_SENT;
            reads_terminates_received_q <= read_address == TERMINATES_RECEIVED;
            reads_memory_errors_q       <= read_address == MEMORY_ERRORS;
            reads_receives_refused_q    <= read_address == RECEIVES_REFUSED;
            reads_invalidations_q       <= read_address == INVALIDATIONS;
            reads_terminates_lost_q     <= read_address == TERMINATES_LOST;
            reads_terminate_log_q       <= read_address == TERMINATE_LOG;
        end
    end

    wire reads_log = read_asked_q & reads_terminate_log_q;

    // ---- Log of the ends of streams
    // Counted modulo twice the depth: equal if the log is empty, one depth apart if it is full.
    reg  [4:0]  log_head_q;
    reg  [4:0]  log_tail_q;
    wire [4:0]  log_held = log_tail_q - log_head_q;
    reg  [31:0] terminates_lost_q;
    localparam [1:0] EVENT_ENDED  = 2'd1;
    localparam [1:0] EVENT_CLOSED = 2'd2;
    wire        is_closed  = event_kind == EVENT_CLOSED;
    wire        log_add    = event_valid & ((event_kind == EVENT_ENDED) | is_closed);
    assign event_ready = 1'b1;
    wire        log_remove = reads_log & (|log_held);
    wire        log_drop   = log_add & ~log_remove & log_held[4];
    reg  [22:0] log [0:15];
    // The oldest entry of a full log is read before the newest replaces it.
    reg [22:0] oldest_q;

    always @(posedge clk) begin
        if (log_add) begin
            log[log_tail_q[3:0]] <= {
                is_closed, event_stream, {event_term_layer, event_term_etype, event_term_code}
            };
        end
        if (log_remove) begin
            oldest_q <= log[log_head_q[3:0]];
        end
    end

    always @(posedge clk) begin
        if (log_add) begin
            log_tail_q <= log_tail_q + 5'd1;
        end
        if (log_remove | log_drop) begin
            log_head_q <= log_head_q + 5'd1;
        end
        if (log_drop) begin
            terminates_lost_q <= terminates_lost_q + 32'd1;
        end
        if (rst) begin
            log_tail_q        <= 5'd0;
            log_head_q        <= 5'd0;
            terminates_lost_q <= 32'd0;
        end
    end

    // ---- Read responses
    wire        readable =
          reads_id_q
        | reads_version_q
        | reads_scratch_q
        | reads_status_q
        | reads_bus_bytes_q
        | reads_streams_q
        | reads_stags_q
        | reads_ird_q
        | reads_ord_q
        | reads_receive_depth_q
        | reads_send_depth_q
        | reads_max_payload_q
        | reads_features_q
        | reads_stag_index_q
        | reads_stag_access_q
        | reads_stag_owner_q
        | reads_stag_base_low_q
        | reads_stag_base_high_q
        | reads_stag_length_low_q
        | reads_stag_length_high_q
        | reads_stag_address_low_q
        | reads_stag_address_high_q
        | reads_stream_number_q
        | reads_stream_domain_q
        | reads_stream_weight_q
        | reads_segments_received_q
        | reads_segments_discarded_q
        | reads_segments_in_error_q
        | reads_messages_sent_q
        | reads_segments_sent_q
        | reads_segments_dropped_q
        | reads_completions_q
        | reads_terminates_sent_q
        | reads_terminates_received_q
        | reads_memory_errors_q
        | reads_receives_refused_q
        | reads_invalidations_q
        | reads_terminates_lost_q
        | reads_terminate_log_q;
    wire [31:0] found    =
          32'd0
        | ({32{reads_id_q}} & 32'h524e4943)
        | ({32{reads_version_q}} & 32'd512)
        | ({32{reads_scratch_q}} & scratch_q)
        | ({32{reads_status_q}} & {29'd0, {ready, stream_busy_q, stag_busy_q}})
        | ({32{reads_bus_bytes_q}} & 32'd64)
        | ({32{reads_streams_q}} & 32'd64)
        | ({32{reads_stags_q}} & 32'd1024)
        | ({32{reads_ird_q}} & 32'd8)
        | ({32{reads_ord_q}} & 32'd8)
        | ({32{reads_receive_depth_q}} & 32'd16)
        | ({32{reads_send_depth_q}} & 32'd16)
        | ({32{reads_max_payload_q}} & 32'd1024)
        | ({32{reads_features_q}} & 32'd2)
        | ({32{reads_stag_index_q}} & {8'd0, stag_index_q})
        | ({32{reads_stag_access_q}} & {18'd0, stag_access_q})
        | ({32{reads_stag_owner_q}} & {15'd0, stag_owner_q})
        | ({32{reads_stag_base_low_q}} & stag_base_low_q)
        | ({32{reads_stag_base_high_q}} & stag_base_high_q)
        | ({32{reads_stag_length_low_q}} & stag_length_low_q)
        | ({32{reads_stag_length_high_q}} & stag_length_high_q)
        | ({32{reads_stag_address_low_q}} & stag_address_low_q)
        | ({32{reads_stag_address_high_q}} & stag_address_high_q)
        | ({32{reads_stream_number_q}} & {16'd0, stream_number_q})
        | ({32{reads_stream_domain_q}} & {16'd0, stream_domain_q})
        | ({32{reads_stream_weight_q}} & {28'd0, stream_weight_q})
        | ({32{reads_segments_received_q}} & segments_received_q)
        | ({32{reads_segments_discarded_q}} & segments_discarded_q)
        | ({32{reads_segments_in_error_q}} & segments_in_error_q)
        | ({32{reads_messages_sent_q}} & messages_sent_q)
        | ({32{reads_segments_sent_q}} & segments_sent_q)
        | ({32{reads_segments_dropped_q}} & segments_dropped_q)
        | ({32{reads_completions_q}} & completions_q)
        | ({32{reads_terminates_sent_q}} & terminates_sent_q)
        | ({32{reads_terminates_received_q}} & terminates_received_q)
        | ({32{reads_memory_errors_q}} & memory_errors_q)
        | ({32{reads_receives_refused_q}} & receives_refused_q)
        | ({32{reads_invalidations_q}} & invalidations_q)
        | ({32{reads_terminates_lost_q}} & terminates_lost_q);

    always @(posedge clk) begin
        read_response_valid_q <= read_response_valid_q ? ~s_axil_rready : read_asked_q;
        if (read_asked_q) begin
            read_data_q             <= found;
            read_from_log_q         <= log_remove;
            read_response_refused_q <= ~readable;
        end
        if (rst) begin
            read_response_valid_q <= 1'b0;
        end
    end

    assign s_axil_rvalid = read_response_valid_q;
    assign s_axil_rdata  =
        read_from_log_q ? {1'b1, oldest_q[22], {8'd0, oldest_q[21:16]}, oldest_q[15:0]} : read_data_q;
    assign s_axil_rresp  = read_response_refused_q ? 2'd2 : 2'd0;

    // Not read:
    // s_axil_awaddr[1:0], s_axil_araddr[1:0]: registers are words
    // s_axil_awprot, s_axil_arprot: every access is allowed
    wire unused = &{1'b0, s_axil_awaddr[1:0], s_axil_awprot, s_axil_araddr[1:0], s_axil_arprot};
endmodule
`default_nettype wire
