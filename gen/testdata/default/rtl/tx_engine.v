// tx_engine sends segments in command order, each as one packet: header, then payload from memory. Payload is fetched
// ahead, for as many commands as the buffers hold, to hide the latency of memory: m_axis_tx has a beat in every cycle
// as long as memory delivers one per cycle and the segments have as many beats as their payload has in memory. A
// segment starts when all its payload is present; one without payload starts one cycle after its command if nothing
// is ahead.
//
// Not sent are: segments of a stream that is not open; a segment whose payload memory reported an error for, which is
// reported as a failure, and from then on everything of its stream except the end, sent or silent; everything after
// that end. Each command is reported in order when its last beat is accepted or when it is dropped. A command with
// header_length 0 sends nothing and is only reported; as an Atomic Response it stands for a word that memory did not
// deliver, and also fails its stream.
//
// After reset all streams are closed, and nothing is accepted for one cycle per stream.
//
// Built for bus_bytes 64, max_payload 1024, streams 64.
`default_nettype none
module tx_engine (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // command
    input  wire         command_valid,
    output wire         command_ready,
    input  wire [5:0]   command_stream,         // number of the stream
    // number of the responding executor: 0 Read, 1 Atomic; then the end of the stream, its silent end, a message of the
    // requester
    input  wire [2:0]   command_kind,
    input  wire         command_final,          // last segment of its message
    input  wire [31:0]  command_number,         // number of the answered request
    // octets of the header; 0 for a silent end, and for a response whose word memory did not deliver
    input  wire [6:0]   command_header_length,
    input  wire [559:0] command_header,         // octet i in [8i+7:8i]; 0 from header_length on
    input  wire [63:0]  command_address,        // of the first octet of payload in memory
    input  wire [15:0]  command_payload_length, // octets, 0 to MaxPayload

    // opening
    input  wire         opening_valid,
    output wire         opening_ready,
    input  wire [5:0]   opening_stream, // number of the stream
    input  wire         opening_open,   // 1 opens the stream, 0 closes it
    input  wire [15:0]  opening_domain, // protection domain; STags of the domain are associated with the stream

    // m_axi
    output wire         m_axi_arvalid,
    input  wire         m_axi_arready,
    output wire         m_axi_arid,    // 0 payload, 1 words of atomics
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

    // credit: a request of the peer that has been answered
    output wire         credit_valid,
    input  wire         credit_ready,
    output wire [5:0]   credit_stream, // number of the stream
    output wire [31:0]  credit_number, // number of the answered request

    // failed
    output wire         failed_valid,
    input  wire         failed_ready,
    output wire [5:0]   failed_stream, // number of the stream
    // 0 memory, or a buffer that does not allow the access; 1 the STag of an accepted request was invalidated
    output wire         failed_fault
);
    wire running;

    // ---- A command goes to the fetcher, if it has payload, and to the builder: directly if none is waiting
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
    wire [31:0]  stored_number;
    wire [6:0]   stored_header_length;
    wire [559:0] stored_header;
    wire [15:0]  stored_payload_length;
    wire         waiting_valid;
    wire         waiting_ready;
    wire [5:0]   waiting_stream;
    wire [2:0]   waiting_kind;
    wire         waiting_final;
    wire [31:0]  waiting_number;
    wire [6:0]   waiting_header_length;
    wire [559:0] waiting_header;
    wire [15:0]  waiting_payload_length;
    wire         segment_valid;
    wire         segment_ready;
    wire [5:0]   segment_stream;
    wire [2:0]   segment_kind;
    wire         segment_final;
    wire [31:0]  segment_number;
    wire [6:0]   segment_header_length;
    wire [559:0] segment_header;
    wire [15:0]  segment_payload_length;
    wire         has_room     = stored_ready & running;
    wire         ready        = has_room & fetch_ready;
    wire         taken        = command_valid & ready;
    assign command_ready          = ready;
    assign fetch_valid            = command_valid & has_room & (|command_payload_length);
    assign fetch_address          = command_address;
    assign fetch_length           = command_payload_length;
    assign fetch_lead             = command_header_length[5:0];
    wire         straight     = ~waiting_valid & segment_ready;
    assign stored_valid           = taken & ~straight;
    assign stored_stream          = command_stream;
    assign stored_kind            = command_kind;
    assign stored_final           = command_final;
    assign stored_number          = command_number;
    assign stored_header_length   = command_header_length;
    assign stored_header          = command_header;
    assign stored_payload_length  = command_payload_length;
    wire [624:0] next_segment =
        waiting_valid ? {
                            waiting_stream, waiting_kind, waiting_final, waiting_number,
                            waiting_header_length, waiting_header, waiting_payload_length
                        } :
                        {
                            command_stream, command_kind, command_final, command_number,
                            command_header_length, command_header, command_payload_length
                        };
    assign segment_valid          = waiting_valid | taken;
    assign segment_stream         = next_segment[624:619];
    assign segment_kind           = next_segment[618:616];
    assign segment_final          = next_segment[615];
    assign segment_number         = next_segment[614:583];
    assign segment_header_length  = next_segment[582:576];
    assign segment_header         = next_segment[575:16];
    assign segment_payload_length = next_segment[15:0];
    assign waiting_ready          = segment_ready;
    wire [624:0] segments_out;
    assign waiting_stream         = segments_out[624:619];
    assign waiting_kind           = segments_out[618:616];
    assign waiting_final          = segments_out[615];
    assign waiting_number         = segments_out[614:583];
    assign waiting_header_length  = segments_out[582:576];
    assign waiting_header         = segments_out[575:16];
    assign waiting_payload_length = segments_out[15:0];

    fifo #(.WIDTH(625), .DEPTH(256)) segments (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (stored_valid),
        .in_ready  (stored_ready),
        .in_data   ({
            stored_stream, stored_kind, stored_final, stored_number, stored_header_length, stored_header,
            stored_payload_length
        }),
        .out_valid (waiting_valid),
        .out_ready (waiting_ready),
        .out_data  (segments_out)
    );

    // ---- Payload
    wire         freed;
    wire         announced_valid;
    wire         announced_ready;
    wire [4:0]   announced_beats;
    wire [5:0]   announced_offset;
    wire [5:0]   announced_ends;
    wire [5:0]   announced_turn;
    wire         announced_late;
    wire         announced_spill;
    wire         coming_valid;
    wire         coming_ready;
    wire [4:0]   coming_beats;
    wire [5:0]   coming_offset;
    wire [5:0]   coming_ends;
    wire [5:0]   coming_turn;
    wire         coming_late;
    wire         coming_spill;
    wire         came_valid;
    wire         came_ready;
    wire [511:0] came_data;
    wire         came_last;
    wire         came_failed;

    tx_fetch fetcher (
        .clk           (clk),
        .rst           (rst),
        .fetch_valid   (fetch_valid),
        .fetch_ready   (fetch_ready),
        .fetch_address (fetch_address),
        .fetch_length  (fetch_length),
        .fetch_lead    (fetch_lead),
        .m_axi_arvalid (m_axi_arvalid),
        .m_axi_arready (m_axi_arready),
        .m_axi_arid    (m_axi_arid),
        .m_axi_araddr  (m_axi_araddr),
        .m_axi_arlen   (m_axi_arlen),
        .m_axi_arsize  (m_axi_arsize),
        .m_axi_arburst (m_axi_arburst),
        .coming_valid  (announced_valid),
        .coming_ready  (announced_ready),
        .coming_beats  (announced_beats),
        .coming_offset (announced_offset),
        .coming_ends   (announced_ends),
        .coming_turn   (announced_turn),
        .coming_late   (announced_late),
        .coming_spill  (announced_spill),
        .freed         (freed)
    );

    wire [24:0] outstanding_out;
    assign coming_beats  = outstanding_out[24:20];
    assign coming_offset = outstanding_out[19:14];
    assign coming_ends   = outstanding_out[13:8];
    assign coming_turn   = outstanding_out[7:2];
    assign coming_late   = outstanding_out[1];
    assign coming_spill  = outstanding_out[0];

    fifo #(.WIDTH(25), .DEPTH(256)) outstanding (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (announced_valid),
        .in_ready  (announced_ready),
        .in_data   ({
            announced_beats, announced_offset, announced_ends, announced_turn, announced_late, announced_spill
        }),
        .out_valid (coming_valid),
        .out_ready (coming_ready),
        .out_data  (outstanding_out)
    );

    tx_realign realign (
        .clk            (clk),
        .rst            (rst),
        .coming_valid   (coming_valid),
        .coming_ready   (coming_ready),
        .coming_beats   (coming_beats),
        .coming_offset  (coming_offset),
        .coming_ends    (coming_ends),
        .coming_turn    (coming_turn),
        .coming_late    (coming_late),
        .coming_spill   (coming_spill),
        .m_axi_rvalid   (m_axi_rvalid),
        .m_axi_rready   (m_axi_rready),
        .m_axi_rid      (m_axi_rid),
        .m_axi_rdata    (m_axi_rdata),
        .m_axi_rresp    (m_axi_rresp),
        .m_axi_rlast    (m_axi_rlast),
        .payload_valid  (came_valid),
        .payload_ready  (came_ready),
        .payload_data   (came_data),
        .payload_last   (came_last),
        .payload_failed (came_failed)
    );

    // ---- Arrived payload, and the segments that it completes
    wire         octets_valid;
    wire         octets_ready;
    wire [511:0] octets_data;
    wire         payload_valid;
    wire         payload_ready;
    wire [511:0] payload_data;
    wire         complete_valid;
    wire         complete_ready;
    wire         complete_failed;
    wire         arrived_valid;
    wire         arrived_ready;
    wire         arrived_failed;
    wire         countable = ~came_last | complete_ready;
    assign octets_valid    = came_valid & countable;
    assign octets_data     = came_data;
    assign complete_valid  = came_valid & came_last & octets_ready;
    assign complete_failed = came_failed;
    assign came_ready      = octets_ready & countable;
    wire [511:0] payloads_out;
    assign payload_data    = payloads_out;

    fifo #(.WIDTH(512), .DEPTH(512)) payloads (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (octets_valid),
        .in_ready  (octets_ready),
        .in_data   (octets_data),
        .out_valid (payload_valid),
        .out_ready (payload_ready),
        .out_data  (payloads_out)
    );

    wire arrivals_out;
    assign arrived_failed = arrivals_out;

    fifo #(.WIDTH(1), .DEPTH(256)) arrivals (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (complete_valid),
        .in_ready  (complete_ready),
        .in_data   (complete_failed),
        .out_valid (arrived_valid),
        .out_ready (arrived_ready),
        .out_data  (arrivals_out)
    );

    assign freed = payload_valid & payload_ready;

    // ---- Segments
    tx_builder builder (
        .clk                    (clk),
        .rst                    (rst),
        .segment_valid          (segment_valid),
        .segment_ready          (segment_ready),
        .segment_stream         (segment_stream),
        .segment_kind           (segment_kind),
        .segment_final          (segment_final),
        .segment_number         (segment_number),
        .segment_header_length  (segment_header_length),
        .segment_header         (segment_header),
        .segment_payload_length (segment_payload_length),
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
