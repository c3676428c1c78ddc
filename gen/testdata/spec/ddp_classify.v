// ddp_classify says of every header and length what the text of RFC 5041, RFC 5040 and RFC 7306 says, which ddp_segment has.
// uses ddp_segment
// bound 2
    wire [5:0]  specified_rule;
    wire [15:0] specified_header_length, specified_payload_length;
    wire        specified_carries_data;
    ddp_segment specification (
        .octets(header), .length(length), .rule(specified_rule),
        .carries_data(specified_carries_data), .header_length(specified_header_length), .payload_length(specified_payload_length)
    );

// property error_as_specified: the first rule that a segment breaks is found
// control error_as_specified: header_dv != 2'd1 => header_dv == 2'd0
// control error_as_specified: 32'd3 < queue_number => 32'd4 < queue_number
// control error_as_specified: 16'd52 => 16'd53
// control error_as_specified: length < header_length => length <= header_length
// control error_as_specified: wants_zero_mo & (|mo) => is_header_only & (|mo)
// control error_as_specified: (bad_ddp_version & is_tagged) ? RULE_TAGGED_DDP_VERSION => (bad_ddp_version & is_tagged) ? RULE_UNTAGGED_DDP_VERSION
    always @* error_as_specified: assert (rule == specified_rule);

// property data_as_specified: data is what follows the DDP header of a message that carries some, if buffer and opcode agree
// control data_as_specified: wants_tagged = (opcode == RDMA_WRITE) | => wants_tagged =
// control data_as_specified: is_tagged ? 16'd14 : 16'd18 => 16'd18
// control data_as_specified: ~(is_refused | is_header_only); => ~is_refused;
    always @* begin
        data_as_specified: assert (length < specified_header_length || carries_data == specified_carries_data);
        data_as_specified: assert (payload_length == specified_payload_length);
    end
