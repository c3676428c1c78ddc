// ddp_classify checks one DDP segment in the order of the layers: DDP (RFC 5041), then RDMAP (RFC 5040 section 4, RFC
// 7306 section 4). The first broken rule is reported. Reserved bits are ignored.
`default_nettype none
module ddp_classify (
    input  wire [143:0] header,         // octets 0 to 17, octet 0 most significant; octets that did not arrive are zero
    input  wire [15:0]  length,         // octets of the segment, 16 bits
    output wire [5:0]   rule,           // number of the first rule that the segment breaks; 0: none
    output wire         carries_data,   // payload follows the DDP header; depends on octets 0 to 9 only
    output wire [15:0]  payload_length  // octets of that payload
);
    // ---- Header fields
    wire        is_tagged             = header[143];
    wire        last                  = header[142];
    wire [3:0]  opcode                = header[131:128];
    wire [31:0] queue_number          = header[95:64];
    wire [31:0] mo                    = header[31:0];
    wire [3:0]  header_ddp_reserved   = header[141:138];
    wire [1:0]  header_rdmap_reserved = header[133:132];
    wire [31:0] header_invalidate_stag = header[127:96];
    wire [31:0] header_msn             = header[63:32];

    // ---- Requirements of the opcode
    localparam [3:0] RDMA_WRITE      = 4'd0;
    localparam [3:0] READ_REQUEST    = 4'd1;
    localparam [3:0] READ_RESPONSE   = 4'd2;
    localparam [3:0] TERMINATE       = 4'd7;
    localparam [3:0] IMMEDIATE       = 4'd8;
    localparam [3:0] IMMEDIATE_SE    = 4'd9;
    localparam [3:0] ATOMIC_REQUEST  = 4'd10;
    localparam [3:0] ATOMIC_RESPONSE = 4'd11;
    wire       wants_tagged      = (opcode == RDMA_WRITE) | (opcode == READ_RESPONSE);
    wire [1:0] wants_queue       =
        ((opcode == READ_REQUEST) | (opcode == ATOMIC_REQUEST)) ? 2'd1 :
        (opcode == TERMINATE)                            ? 2'd2 :
        (opcode == ATOMIC_RESPONSE)                      ? 2'd3 :
                                                           2'd0;
    wire       is_header_only    =
          (opcode == READ_REQUEST)
        | (opcode == IMMEDIATE)
        | (opcode == IMMEDIATE_SE)
        | (opcode == ATOMIC_REQUEST)
        | (opcode == ATOMIC_RESPONSE);
    wire       wants_zero_mo     =
          (opcode == READ_REQUEST)
        | (opcode == TERMINATE)
        | (opcode == ATOMIC_REQUEST)
        | (opcode == ATOMIC_RESPONSE);
    wire       is_single_segment =
          (opcode == READ_REQUEST)
        | (opcode == TERMINATE)
        | (opcode == IMMEDIATE)
        | (opcode == IMMEDIATE_SE)
        | (opcode == ATOMIC_REQUEST)
        | (opcode == ATOMIC_RESPONSE);

    // ---- Octets after the DDP header
    wire [15:0] header_length = is_tagged ? 16'd14 : 16'd18;
    wire        short_header  = length < header_length;
    wire [15:0] rest          = length - header_length;
    wire [15:0] wants_rest    =
        (opcode == READ_REQUEST)                         ? 16'd28 :
        (opcode == TERMINATE)                            ? 16'd4 :
        ((opcode == IMMEDIATE) | (opcode == IMMEDIATE_SE)) ? 16'd8 :
        (opcode == ATOMIC_REQUEST)                       ? 16'd52 :
        (opcode == ATOMIC_RESPONSE)                      ? 16'd12 :
                                                           16'd0;

    // ---- Checks
    wire [1:0] header_dv            = header[137:136];
    wire       bad_ddp_version      = header_dv != 2'd1;
    wire       bad_queue            = ~is_tagged & (32'd3 < queue_number);
    wire [1:0] header_rv            = header[135:134];
    wire       bad_rdmap_version    = header_rv != 2'd1;
    wire       bad_opcode           = 4'd11 < opcode;
    wire       bad_tag              = is_tagged != wants_tagged;
    wire       bad_queue_for_opcode = ~is_tagged & (queue_number[1:0] != wants_queue);
    wire       bad_mo               = wants_zero_mo & (|mo);
    wire       is_split             = ~last | (|mo);
    wire       is_not_exact         = is_header_only & (rest != wants_rest);
    wire       bad_length           = is_single_segment & (is_split | is_not_exact | (rest < wants_rest));

    // ---- Verdict
    // RFC 5041 4: the segment ends inside its DDP header, or is empty (I-33)
    localparam [5:0] RULE_SHORT_HEADER         = 6'd1;
    localparam [5:0] RULE_TAGGED_DDP_VERSION   = 6'd2; // RFC 5041 7.1: T = 1 and DV is not 01b
    localparam [5:0] RULE_UNTAGGED_DDP_VERSION = 6'd3; // RFC 5041 7.1: T = 0 and DV is not 01b
    localparam [5:0] RULE_NO_SUCH_QUEUE        = 6'd4; // RFC 5041 7.1: T = 0 and QN is above 3
    localparam [5:0] RULE_BAD_RDMAP_VERSION    = 6'd5; // RFC 5040 7.2: RV is not 01b
    localparam [5:0] RULE_RESERVED_OPCODE      = 6'd6; // RFC 5040 7.2: the opcode is 0xC to 0xF
    localparam [5:0] RULE_WRONG_T_BIT          = 6'd7; // RFC 5040 4.1: T does not match the opcode (I-34)
    localparam [5:0] RULE_WRONG_QUEUE          = 6'd8; // RFC 5040 4.1: QN is not the opcode's queue (I-34)
    // RFC 5041 7.1: MO is not 0 in a Read Request, Terminate, Atomic Request or Atomic Response (I-35)
    localparam [5:0] RULE_MO_NOT_ZERO          = 6'd9;
    // RFC 7306 6.3: the message is not a single segment with the length of its header (I-07, I-35)
    localparam [5:0] RULE_WRONG_LENGTH         = 6'd10;
    wire [5:0] broken_rule =
        short_header                  ? RULE_SHORT_HEADER :
        (bad_ddp_version & is_tagged) ? RULE_TAGGED_DDP_VERSION :
        bad_ddp_version               ? RULE_UNTAGGED_DDP_VERSION :
        bad_queue                     ? RULE_NO_SUCH_QUEUE :
        bad_rdmap_version             ? RULE_BAD_RDMAP_VERSION :
        bad_opcode                    ? RULE_RESERVED_OPCODE :
        bad_tag                       ? RULE_WRONG_T_BIT :
        bad_queue_for_opcode          ? RULE_WRONG_QUEUE :
        bad_mo                        ? RULE_MO_NOT_ZERO :
        bad_length                    ? RULE_WRONG_LENGTH :
                                        6'd0;
    assign rule = broken_rule;
    // Errors of length and Message Offset do not count here: payload may have left before they are found.
    wire is_refused =
        bad_ddp_version | bad_queue | bad_rdmap_version | bad_opcode | bad_tag | bad_queue_for_opcode;
    wire carries    = ~(is_refused | is_header_only);
    assign carries_data   = carries;
    assign payload_length = (carries & ~short_header) ? rest : 16'd0;

    // Not read:
    // header_ddp_reserved, header_rdmap_reserved: reserved: ignored on receive
    // header_invalidate_stag, header_msn: checked against the state of the stream
    wire unused = &{1'b0, header_ddp_reserved, header_rdmap_reserved, header_invalidate_stag, header_msn};
endmodule
`default_nettype wire
