// ddp_classify checks one DDP segment in the order of the layers: DDP (RFC 5041), then RDMAP (RFC 5040 section 4, RFC
// 7306 section 4). The first broken rule is reported. Reserved bits are ignored. What octets 0 to 9 decide is checked
// when they arrive and stored; header and length are those of the same segment, from the next cycle on. A segment of
// fewer octets is too short, whatever is stored.
`default_nettype none
module ddp_classify (
    input  wire         clk,
    input  wire         rst, // synchronous, active high
    input  wire         enable,         // start is that of a new segment; the last one counts
    input  wire [79:0]  start,          // octets 0 to 9, octet 0 most significant; octets that did not arrive are zero
    // octets 0 to 17 of the segment whose start arrived last, octet 0 most significant; octets that did not arrive are
    // zero
    input  wire [143:0] header,
    input  wire [15:0]  length,         // octets of the segment, 16 bits
    output wire         start_carries,  // payload follows the DDP header of the segment whose start arrives
    output wire         carries_data,   // the same of the segment whose start arrived last
    output wire [5:0]   rule,           // number of the first rule that the segment breaks; 0: none
    output wire [15:0]  payload_length  // octets of that payload
);
    localparam [3:0] RDMA_WRITE      = 4'd0;
    localparam [3:0] READ_REQUEST    = 4'd1;
    localparam [3:0] READ_RESPONSE   = 4'd2;
    localparam [3:0] TERMINATE       = 4'd7;
    localparam [3:0] IMMEDIATE       = 4'd8;
    localparam [3:0] IMMEDIATE_SE    = 4'd9;
    localparam [3:0] ATOMIC_REQUEST  = 4'd10;
    localparam [3:0] ATOMIC_RESPONSE = 4'd11;

    // ---- The start of a segment, and what its opcode requires
    wire        start_t               = start[79];
    wire [3:0]  start_opcode          = start[67:64];
    wire [31:0] start_queue_number    = start[31:0];
    wire        start_l               = start[78];
    wire [3:0]  start_ddp_reserved    = start[77:74];
    wire [1:0]  start_rdmap_reserved  = start[69:68];
    wire [31:0] start_invalidate_stag = start[63:32];
    wire       wants_tagged         = (start_opcode == RDMA_WRITE) | (start_opcode == READ_RESPONSE);
    wire [1:0] wants_queue          =
        ((start_opcode == READ_REQUEST) | (start_opcode == ATOMIC_REQUEST)) ? 2'd1 :
        (start_opcode == TERMINATE)                      ? 2'd2 :
        (start_opcode == ATOMIC_RESPONSE)                ? 2'd3 :
                                                           2'd0;
    wire [1:0] start_dv             = start[73:72];
    wire       bad_ddp_version      = start_dv != 2'd1;
    wire       bad_queue            = ~start_t & (|start_queue_number[31:2]);
    wire [1:0] start_rv             = start[71:70];
    wire       bad_rdmap_version    = start_rv != 2'd1;
    wire       bad_opcode           = 4'd11 < start_opcode;
    wire       bad_tag              = start_t != wants_tagged;
    wire       bad_queue_for_opcode = ~start_t & (start_queue_number[1:0] != wants_queue);
    wire       is_header_only       =
          (start_opcode == READ_REQUEST)
        | (start_opcode == IMMEDIATE)
        | (start_opcode == IMMEDIATE_SE)
        | (start_opcode == ATOMIC_REQUEST)
        | (start_opcode == ATOMIC_RESPONSE);
    wire       wants_zero_mo        =
          (start_opcode == READ_REQUEST)
        | (start_opcode == TERMINATE)
        | (start_opcode == ATOMIC_REQUEST)
        | (start_opcode == ATOMIC_RESPONSE);
    wire       is_single_segment    =
          (start_opcode == READ_REQUEST)
        | (start_opcode == TERMINATE)
        | (start_opcode == IMMEDIATE)
        | (start_opcode == IMMEDIATE_SE)
        | (start_opcode == ATOMIC_REQUEST)
        | (start_opcode == ATOMIC_RESPONSE);
    // Not a choice among constants: that becomes a reset, which is one step more.
    wire       wants_46     = start_opcode == READ_REQUEST;
    wire       wants_22     = start_opcode == TERMINATE;
    wire       wants_26     = (start_opcode == IMMEDIATE) | (start_opcode == IMMEDIATE_SE);
    wire       wants_70     = start_opcode == ATOMIC_REQUEST;
    wire       wants_30     = start_opcode == ATOMIC_RESPONSE;
    wire [6:0] wants_length =
          (7'd46 & {7{wants_46}})
        | (7'd22 & {7{wants_22}})
        | (7'd26 & {7{wants_26}})
        | (7'd70 & {7{wants_70}})
        | (7'd30 & {7{wants_30}});
    // Errors of length and Message Offset do not count here: payload may have left before they are found.
    wire       is_refused =
        bad_ddp_version | bad_queue | bad_rdmap_version | bad_opcode | bad_tag | bad_queue_for_opcode;
    wire       carries    = ~(is_refused | is_header_only);
    reg        start_bad_dv_q;
    reg        start_bad_queue_q;
    reg        start_bad_rv_q;
    reg        start_bad_opcode_q;
    reg        start_bad_tag_q;
    reg        start_bad_queue_for_opcode_q;
    reg        start_header_only_q;
    reg        start_carries_q;
    reg        start_zero_mo_q;
    reg        start_single_q;
    reg  [6:0] start_wants_length_q;

    always @(posedge clk) begin
        if (enable) begin
            start_bad_dv_q               <= bad_ddp_version;
            start_bad_queue_q            <= bad_queue;
            start_bad_rv_q               <= bad_rdmap_version;
            start_bad_opcode_q           <= bad_opcode;
            start_bad_tag_q              <= bad_tag;
            start_bad_queue_for_opcode_q <= bad_queue_for_opcode;
            start_header_only_q          <= is_header_only;
            start_carries_q              <= carries;
            start_zero_mo_q              <= wants_zero_mo;
            start_single_q               <= is_single_segment;
            start_wants_length_q         <= wants_length;
        end
    end

    assign start_carries = carries;
    assign carries_data  = start_carries_q;

    // ---- The whole segment
    wire        is_tagged = header[143];
    wire        last      = header[142];
    wire [31:0] mo        = header[31:0];

    // ---- Length: the octets that are required are few
    wire [15:0] header_length = is_tagged ? 16'd14 : 16'd18;
    wire        short_header  = (~|length[15:5]) & (length[4:0] < header_length[4:0]);
    wire [15:0] rest          = length - header_length;
    wire        is_long       = |length[15:7];

    // ---- Checks
    wire bad_mo       = start_zero_mo_q & (|mo);
    wire is_split     = ~last | (|mo);
    wire is_not_exact = start_header_only_q & (is_long | (length[6:0] != start_wants_length_q));
    wire is_too_short = ~is_long & (length[6:0] < start_wants_length_q);
    wire bad_length   = start_single_q & (is_split | is_not_exact | is_too_short);

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
        short_header                 ? RULE_SHORT_HEADER :
        (start_bad_dv_q & is_tagged) ? RULE_TAGGED_DDP_VERSION :
        start_bad_dv_q               ? RULE_UNTAGGED_DDP_VERSION :
        start_bad_queue_q            ? RULE_NO_SUCH_QUEUE :
        start_bad_rv_q               ? RULE_BAD_RDMAP_VERSION :
        start_bad_opcode_q           ? RULE_RESERVED_OPCODE :
        start_bad_tag_q              ? RULE_WRONG_T_BIT :
        start_bad_queue_for_opcode_q ? RULE_WRONG_QUEUE :
        bad_mo                       ? RULE_MO_NOT_ZERO :
        bad_length                   ? RULE_WRONG_LENGTH :
                                       6'd0;
    assign rule           = broken_rule;
    assign payload_length = rest & {16{start_carries_q & ~short_header}};

    // Not read:
    // start_l, start_ddp_reserved, start_rdmap_reserved, start_invalidate_stag: ignored on receive, or checked later
    // header[141:128]: checked with the start
    // header[127:32]: checked with the start, or against the state of the stream
    wire unused = &{
        1'b0, start_l, start_ddp_reserved, start_rdmap_reserved, start_invalidate_stag, header[141:128],
        header[127:32], rst
    };
endmodule
`default_nettype wire
