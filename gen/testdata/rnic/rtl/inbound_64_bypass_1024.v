// inbound_64_bypass_1024 passes beats on in order, one a clock; when it is empty, in the clock in which they come. It holds
// those that nobody takes, 1025 of them.
`default_nettype none
module inbound_64_bypass_1024 (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [5:0]   in_stream,
    input  wire [1:0]   in_kind,
    input  wire [31:0]  in_msn,
    input  wire [31:0]  in_atomic_msn,
    input  wire [31:0]  in_stag,
    input  wire [63:0]  in_address,
    input  wire [3:0]   in_term_layer,
    input  wire [3:0]   in_term_etype,
    input  wire [7:0]   in_term_code,
    input  wire [5:0]   in_header_length,
    input  wire [15:0]  in_segment_length,
    input  wire [415:0] in_body,
    output wire         out_valid,
    input  wire         out_ready,
    output wire [5:0]   out_stream,
    output wire [1:0]   out_kind,
    output wire [31:0]  out_msn,
    output wire [31:0]  out_atomic_msn,
    output wire [31:0]  out_stag,
    output wire [63:0]  out_address,
    output wire [3:0]   out_term_layer,
    output wire [3:0]   out_term_etype,
    output wire [7:0]   out_term_code,
    output wire [5:0]   out_header_length,
    output wire [15:0]  out_segment_length,
    output wire [415:0] out_body
);
    wire         stored_valid;
    wire         stored_ready;
    wire [5:0]   stored_stream;
    wire [1:0]   stored_kind;
    wire [31:0]  stored_msn;
    wire [31:0]  stored_atomic_msn;
    wire [31:0]  stored_stag;
    wire [63:0]  stored_address;
    wire [3:0]   stored_term_layer;
    wire [3:0]   stored_term_etype;
    wire [7:0]   stored_term_code;
    wire [5:0]   stored_header_length;
    wire [15:0]  stored_segment_length;
    wire [415:0] stored_body;
    wire         waiting_valid;
    wire         waiting_ready;
    wire [5:0]   waiting_stream;
    wire [1:0]   waiting_kind;
    wire [31:0]  waiting_msn;
    wire [31:0]  waiting_atomic_msn;
    wire [31:0]  waiting_stag;
    wire [63:0]  waiting_address;
    wire [3:0]   waiting_term_layer;
    wire [3:0]   waiting_term_etype;
    wire [7:0]   waiting_term_code;
    wire [5:0]   waiting_header_length;
    wire [15:0]  waiting_segment_length;
    wire [415:0] waiting_body;

    inbound_64_fifo_1024 fifo (
        .clk                (clk),
        .rst                (rst),
        .in_valid           (stored_valid),
        .in_ready           (stored_ready),
        .in_stream          (stored_stream),
        .in_kind            (stored_kind),
        .in_msn             (stored_msn),
        .in_atomic_msn      (stored_atomic_msn),
        .in_stag            (stored_stag),
        .in_address         (stored_address),
        .in_term_layer      (stored_term_layer),
        .in_term_etype      (stored_term_etype),
        .in_term_code       (stored_term_code),
        .in_header_length   (stored_header_length),
        .in_segment_length  (stored_segment_length),
        .in_body            (stored_body),
        .out_valid          (waiting_valid),
        .out_ready          (waiting_ready),
        .out_stream         (waiting_stream),
        .out_kind           (waiting_kind),
        .out_msn            (waiting_msn),
        .out_atomic_msn     (waiting_atomic_msn),
        .out_stag           (waiting_stag),
        .out_address        (waiting_address),
        .out_term_layer     (waiting_term_layer),
        .out_term_etype     (waiting_term_etype),
        .out_term_code      (waiting_term_code),
        .out_header_length  (waiting_header_length),
        .out_segment_length (waiting_segment_length),
        .out_body           (waiting_body)
    );

    wire         is_empty = ~waiting_valid;
    assign stored_valid          = in_valid & ~(is_empty & out_ready);
    assign stored_stream         = in_stream;
    assign stored_kind           = in_kind;
    assign stored_msn            = in_msn;
    assign stored_atomic_msn     = in_atomic_msn;
    assign stored_stag           = in_stag;
    assign stored_address        = in_address;
    assign stored_term_layer     = in_term_layer;
    assign stored_term_etype     = in_term_etype;
    assign stored_term_code      = in_term_code;
    assign stored_header_length  = in_header_length;
    assign stored_segment_length = in_segment_length;
    assign stored_body           = in_body;
    assign in_ready              = stored_ready;
    assign waiting_ready         = out_ready;
    wire [621:0] out      =
        is_empty ? {
                       in_stream, in_kind, in_msn, in_atomic_msn, in_stag, in_address, in_term_layer,
                       in_term_etype, in_term_code, in_header_length, in_segment_length, in_body
                   } :
                   {
                       waiting_stream, waiting_kind, waiting_msn, waiting_atomic_msn, waiting_stag,
                       waiting_address, waiting_term_layer, waiting_term_etype, waiting_term_code,
                       waiting_header_length, waiting_segment_length, waiting_body
                   };
    assign out_valid             = waiting_valid | in_valid;
    assign out_stream            = out[621:616];
    assign out_kind              = out[615:614];
    assign out_msn               = out[613:582];
    assign out_atomic_msn        = out[581:550];
    assign out_stag              = out[549:518];
    assign out_address           = out[517:454];
    assign out_term_layer        = out[453:450];
    assign out_term_etype        = out[449:446];
    assign out_term_code         = out[445:438];
    assign out_header_length     = out[437:432];
    assign out_segment_length    = out[431:416];
    assign out_body              = out[415:0];
endmodule
`default_nettype wire
