// item_64_8_bypass_128 passes beats on in order, one a clock; when it is empty, in the clock in which they come. It holds
// those that nobody takes, 129 of them.
`default_nettype none
module item_64_8_bypass_128 (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [2:0]   in_kind,
    input  wire [8:0]   in_place,
    input  wire [63:0]  in_id,
    input  wire [3:0]   in_opcode,
    input  wire [31:0]  in_length,
    input  wire [5:0]   in_rule,
    input  wire         in_queue_waits,
    input  wire [3:0]   in_queue_released,
    input  wire [3:0]   in_queue_slot,
    input  wire [5:0]   in_request_stream,
    input  wire [1:0]   in_request_kind,
    input  wire [31:0]  in_request_msn,
    input  wire [31:0]  in_request_atomic_msn,
    input  wire [31:0]  in_request_stag,
    input  wire [63:0]  in_request_address,
    input  wire [3:0]   in_request_term_layer,
    input  wire [3:0]   in_request_term_etype,
    input  wire [7:0]   in_request_term_code,
    input  wire [5:0]   in_request_header_length,
    input  wire [15:0]  in_request_segment_length,
    input  wire [415:0] in_request_body,
    output wire         out_valid,
    input  wire         out_ready,
    output wire [2:0]   out_kind,
    output wire [8:0]   out_place,
    output wire [63:0]  out_id,
    output wire [3:0]   out_opcode,
    output wire [31:0]  out_length,
    output wire [5:0]   out_rule,
    output wire         out_queue_waits,
    output wire [3:0]   out_queue_released,
    output wire [3:0]   out_queue_slot,
    output wire [5:0]   out_request_stream,
    output wire [1:0]   out_request_kind,
    output wire [31:0]  out_request_msn,
    output wire [31:0]  out_request_atomic_msn,
    output wire [31:0]  out_request_stag,
    output wire [63:0]  out_request_address,
    output wire [3:0]   out_request_term_layer,
    output wire [3:0]   out_request_term_etype,
    output wire [7:0]   out_request_term_code,
    output wire [5:0]   out_request_header_length,
    output wire [15:0]  out_request_segment_length,
    output wire [415:0] out_request_body
);
    wire         stored_valid;
    wire         stored_ready;
    wire [2:0]   stored_kind;
    wire [8:0]   stored_place;
    wire [63:0]  stored_id;
    wire [3:0]   stored_opcode;
    wire [31:0]  stored_length;
    wire [5:0]   stored_rule;
    wire         stored_queue_waits;
    wire [3:0]   stored_queue_released;
    wire [3:0]   stored_queue_slot;
    wire [5:0]   stored_request_stream;
    wire [1:0]   stored_request_kind;
    wire [31:0]  stored_request_msn;
    wire [31:0]  stored_request_atomic_msn;
    wire [31:0]  stored_request_stag;
    wire [63:0]  stored_request_address;
    wire [3:0]   stored_request_term_layer;
    wire [3:0]   stored_request_term_etype;
    wire [7:0]   stored_request_term_code;
    wire [5:0]   stored_request_header_length;
    wire [15:0]  stored_request_segment_length;
    wire [415:0] stored_request_body;
    wire         waiting_valid;
    wire         waiting_ready;
    wire [2:0]   waiting_kind;
    wire [8:0]   waiting_place;
    wire [63:0]  waiting_id;
    wire [3:0]   waiting_opcode;
    wire [31:0]  waiting_length;
    wire [5:0]   waiting_rule;
    wire         waiting_queue_waits;
    wire [3:0]   waiting_queue_released;
    wire [3:0]   waiting_queue_slot;
    wire [5:0]   waiting_request_stream;
    wire [1:0]   waiting_request_kind;
    wire [31:0]  waiting_request_msn;
    wire [31:0]  waiting_request_atomic_msn;
    wire [31:0]  waiting_request_stag;
    wire [63:0]  waiting_request_address;
    wire [3:0]   waiting_request_term_layer;
    wire [3:0]   waiting_request_term_etype;
    wire [7:0]   waiting_request_term_code;
    wire [5:0]   waiting_request_header_length;
    wire [15:0]  waiting_request_segment_length;
    wire [415:0] waiting_request_body;

    item_64_8_fifo_128 fifo (
        .clk                        (clk),
        .rst                        (rst),
        .in_valid                   (stored_valid),
        .in_ready                   (stored_ready),
        .in_kind                    (stored_kind),
        .in_place                   (stored_place),
        .in_id                      (stored_id),
        .in_opcode                  (stored_opcode),
        .in_length                  (stored_length),
        .in_rule                    (stored_rule),
        .in_queue_waits             (stored_queue_waits),
        .in_queue_released          (stored_queue_released),
        .in_queue_slot              (stored_queue_slot),
        .in_request_stream          (stored_request_stream),
        .in_request_kind            (stored_request_kind),
        .in_request_msn             (stored_request_msn),
        .in_request_atomic_msn      (stored_request_atomic_msn),
        .in_request_stag            (stored_request_stag),
        .in_request_address         (stored_request_address),
        .in_request_term_layer      (stored_request_term_layer),
        .in_request_term_etype      (stored_request_term_etype),
        .in_request_term_code       (stored_request_term_code),
        .in_request_header_length   (stored_request_header_length),
        .in_request_segment_length  (stored_request_segment_length),
        .in_request_body            (stored_request_body),
        .out_valid                  (waiting_valid),
        .out_ready                  (waiting_ready),
        .out_kind                   (waiting_kind),
        .out_place                  (waiting_place),
        .out_id                     (waiting_id),
        .out_opcode                 (waiting_opcode),
        .out_length                 (waiting_length),
        .out_rule                   (waiting_rule),
        .out_queue_waits            (waiting_queue_waits),
        .out_queue_released         (waiting_queue_released),
        .out_queue_slot             (waiting_queue_slot),
        .out_request_stream         (waiting_request_stream),
        .out_request_kind           (waiting_request_kind),
        .out_request_msn            (waiting_request_msn),
        .out_request_atomic_msn     (waiting_request_atomic_msn),
        .out_request_stag           (waiting_request_stag),
        .out_request_address        (waiting_request_address),
        .out_request_term_layer     (waiting_request_term_layer),
        .out_request_term_etype     (waiting_request_term_etype),
        .out_request_term_code      (waiting_request_term_code),
        .out_request_header_length  (waiting_request_header_length),
        .out_request_segment_length (waiting_request_segment_length),
        .out_request_body           (waiting_request_body)
    );

    wire         is_empty = ~waiting_valid;
    assign stored_valid                  = in_valid & ~(is_empty & out_ready);
    assign stored_kind                   = in_kind;
    assign stored_place                  = in_place;
    assign stored_id                     = in_id;
    assign stored_opcode                 = in_opcode;
    assign stored_length                 = in_length;
    assign stored_rule                   = in_rule;
    assign stored_queue_waits            = in_queue_waits;
    assign stored_queue_released         = in_queue_released;
    assign stored_queue_slot             = in_queue_slot;
    assign stored_request_stream         = in_request_stream;
    assign stored_request_kind           = in_request_kind;
    assign stored_request_msn            = in_request_msn;
    assign stored_request_atomic_msn     = in_request_atomic_msn;
    assign stored_request_stag           = in_request_stag;
    assign stored_request_address        = in_request_address;
    assign stored_request_term_layer     = in_request_term_layer;
    assign stored_request_term_etype     = in_request_term_etype;
    assign stored_request_term_code      = in_request_term_code;
    assign stored_request_header_length  = in_request_header_length;
    assign stored_request_segment_length = in_request_segment_length;
    assign stored_request_body           = in_request_body;
    assign in_ready                      = stored_ready;
    assign waiting_ready                 = out_ready;
    wire [748:0] out      =
        is_empty ? {
                       in_kind, in_place, in_id, in_opcode, in_length, in_rule, in_queue_waits,
                       in_queue_released, in_queue_slot, in_request_stream, in_request_kind, in_request_msn,
                       in_request_atomic_msn, in_request_stag, in_request_address, in_request_term_layer,
                       in_request_term_etype, in_request_term_code, in_request_header_length,
                       in_request_segment_length, in_request_body
                   } :
                   {
                       waiting_kind, waiting_place, waiting_id, waiting_opcode, waiting_length, waiting_rule,
                       waiting_queue_waits, waiting_queue_released, waiting_queue_slot,
                       waiting_request_stream, waiting_request_kind, waiting_request_msn,
                       waiting_request_atomic_msn, waiting_request_stag, waiting_request_address,
                       waiting_request_term_layer, waiting_request_term_etype, waiting_request_term_code,
                       waiting_request_header_length, waiting_request_segment_length, waiting_request_body
                   };
    assign out_valid                     = waiting_valid | in_valid;
    assign out_kind                      = out[748:746];
    assign out_place                     = out[745:737];
    assign out_id                        = out[736:673];
    assign out_opcode                    = out[672:669];
    assign out_length                    = out[668:637];
    assign out_rule                      = out[636:631];
    assign out_queue_waits               = out[630];
    assign out_queue_released            = out[629:626];
    assign out_queue_slot                = out[625:622];
    assign out_request_stream            = out[621:616];
    assign out_request_kind              = out[615:614];
    assign out_request_msn               = out[613:582];
    assign out_request_atomic_msn        = out[581:550];
    assign out_request_stag              = out[549:518];
    assign out_request_address           = out[517:454];
    assign out_request_term_layer        = out[453:450];
    assign out_request_term_etype        = out[449:446];
    assign out_request_term_code         = out[445:438];
    assign out_request_header_length     = out[437:432];
    assign out_request_segment_length    = out[431:416];
    assign out_request_body              = out[415:0];
endmodule
`default_nettype wire
