// ddp_classify checks one DDP segment in the order of the layers: DDP (RFC 5041), then RDMAP (RFC 5040
// section 4, RFC 7306 section 4). The first error found is the one reported. Reserved bits are ignored.
`default_nettype none
module ddp_classify (
    input  wire [143:0] header,
    input  wire [15:0]  length,
    output wire [3:0]   error,
    output wire [3:0]   term_layer,
    output wire [3:0]   term_etype,
    output wire [7:0]   term_code,
    output wire         carries_data,
    output wire [15:0]  payload_length
);
    // ---- Header fields
    wire        is_tagged    = header[143];
    wire        last         = header[142];
    wire [3:0]  opcode       = header[131:128];
    wire [31:0] queue_number = header[95:64];
    wire [31:0] mo           = header[31:0];

    // ---- What the opcode demands
    localparam [3:0] RDMA_WRITE      = 4'd0;
    localparam [3:0] READ_REQUEST    = 4'd1;
    localparam [3:0] READ_RESPONSE   = 4'd2;
    localparam [3:0] TERMINATE       = 4'd7;
    localparam [3:0] IMMEDIATE       = 4'd8;
    localparam [3:0] IMMEDIATE_SE    = 4'd9;
    localparam [3:0] ATOMIC_REQUEST  = 4'd10;
    localparam [3:0] ATOMIC_RESPONSE = 4'd11;
    wire       wants_tagged   = (opcode == RDMA_WRITE) | (opcode == READ_RESPONSE);
    wire       is_request     = (opcode == READ_REQUEST) | (opcode == ATOMIC_REQUEST);
    wire       is_terminate   = opcode == TERMINATE;
    wire       is_response    = opcode == ATOMIC_RESPONSE;
    wire       is_immediate   = (opcode == IMMEDIATE) | (opcode == IMMEDIATE_SE);
    wire [1:0] wants_queue    =
        is_request   ? 2'd1 :
        is_terminate ? 2'd2 :
        is_response  ? 2'd3 :
                       2'd0;
    wire       is_header_only = is_request | is_response | is_immediate;

    // ---- Octets after the DDP header
    wire [15:0] header_length = is_tagged ? 16'd14 : 16'd18;
    wire        short_header  = length < header_length;
    wire [15:0] rest          = length - header_length;
    wire [15:0] wants_rest    =
        (opcode == READ_REQUEST)   ? 16'd28 :
        (opcode == ATOMIC_REQUEST) ? 16'd52 :
        is_response                ? 16'd12 :
                                     16'd8;

    // ---- Checks
    wire bad_ddp_version      = header[137:136] != 2'd1;
    wire bad_queue            = ~is_tagged & (32'd3 < queue_number);
    wire bad_rdmap_version    = header[135:134] != 2'd1;
    wire bad_opcode           = ATOMIC_RESPONSE < opcode;
    wire bad_tag              = is_tagged != wants_tagged;
    wire bad_queue_for_opcode = ~is_tagged & (queue_number[1:0] != wants_queue);
    wire bad_mo               = (is_request | is_response | is_terminate) & (|mo);
    wire is_split             = ~last | (|mo);
    wire is_not_exact         = is_split | (rest != wants_rest);
    wire is_cut_terminate     = ~last | (rest < 16'd4);
    wire bad_length           = (is_header_only & is_not_exact) | (is_terminate & is_cut_terminate);

    // ---- Verdict
    localparam [3:0] ERROR_SHORT_HEADER   = 4'd1;
    localparam [3:0] ERROR_DDP_VERSION    = 4'd2;
    localparam [3:0] ERROR_QUEUE_NUMBER   = 4'd3;
    localparam [3:0] ERROR_RDMAP_VERSION  = 4'd4;
    localparam [3:0] ERROR_OPCODE         = 4'd5;
    localparam [3:0] ERROR_TAGGED_FLAG    = 4'd6;
    localparam [3:0] ERROR_QUEUE_MISMATCH = 4'd7;
    localparam [3:0] ERROR_MESSAGE_OFFSET = 4'd8;
    localparam [3:0] ERROR_LENGTH         = 4'd9;
    // {error, layer, error type, error code}
    wire [19:0] fault =
        short_header                  ? {ERROR_SHORT_HEADER, 4'd1, 4'd0, 8'h00} :
        (bad_ddp_version & is_tagged) ? {ERROR_DDP_VERSION, 4'd1, 4'd1, 8'h04} :
        bad_ddp_version               ? {ERROR_DDP_VERSION, 4'd1, 4'd2, 8'h06} :
        bad_queue                     ? {ERROR_QUEUE_NUMBER, 4'd1, 4'd2, 8'h01} :
        bad_rdmap_version             ? {ERROR_RDMAP_VERSION, 4'd0, 4'd2, 8'h05} :
        bad_opcode                    ? {ERROR_OPCODE, 4'd0, 4'd2, 8'h06} :
        bad_tag                       ? {ERROR_TAGGED_FLAG, 4'd0, 4'd2, 8'h06} :
        bad_queue_for_opcode          ? {ERROR_QUEUE_MISMATCH, 4'd0, 4'd2, 8'h06} :
        bad_mo                        ? {ERROR_MESSAGE_OFFSET, 4'd1, 4'd2, 8'h04} :
        bad_length                    ? {ERROR_LENGTH, 4'd0, 4'd2, 8'h07} :
                                        20'd0;
    assign error      = fault[19:16];
    assign term_layer = fault[15:12];
    assign term_etype = fault[11:8];
    assign term_code  = fault[7:0];
    // Errors of the length and of the Message Offset do not count here: they are found when payload may have left.
    wire carries =
        ~(bad_ddp_version | bad_queue | bad_rdmap_version | bad_opcode | bad_tag | bad_queue_for_opcode | is_header_only);
    assign carries_data   = carries;
    assign payload_length = (carries & ~short_header) ? rest : 16'd0;

    wire unused = &{1'b0, header[141:138], header[133:132], header[127:96], header[63:32]};
endmodule
`default_nettype wire
