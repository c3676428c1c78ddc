// For every header and length ddp_classify gives the verdict of ddp_segment, which is written from RFC 5041, RFC 5040, RFC 7306 and
// draft-talpey-rdma-commit-01.
// uses ddp_segment
// uses ddp_opcode
// depth 1
// bound 4
    // The latest start.
    reg         spec_has;
    reg  [79:0] spec_start;
    always @(posedge clk) begin
        if (enable) {spec_has, spec_start} <= {1'b1, start};
        if (rst) spec_has <= 1'b0;
    end
// assume same: ddp_parser, whose header begins with the latest start, unless the segment has fewer octets
    always @* if (length >= 10) same: assume (spec_has && header[143:64] == spec_start);

    wire [5:0]  specified_rule;
    wire [15:0] specified_header_length, specified_payload_length;
    wire        specified_carries_data, specified_start_carries;
    ddp_segment #(.COMMIT(`COMMIT)) specification (
        .octets(header), .length(length), .rule(specified_rule),
        .carries_data(specified_carries_data), .header_length(specified_header_length), .payload_length(specified_payload_length)
    );
    ddp_segment #(.COMMIT(`COMMIT)) specification_of_start (
        .octets({start, 64'd0}), .length(16'd18), .rule(), .carries_data(specified_start_carries), .header_length(), .payload_length()
    );

// property error_as_specified: the rule reported is the first one that the segment breaks
// control error_as_specified: start_dv != 2'd1 => start_dv == 2'd0
// control error_as_specified: |start_queue_number[31:2] => |start_queue_number[31:3]
// control error_as_specified: 7'd70 => 7'd71
// control error_as_specified: length[4:0] < header_length[4:0] => length[4:0] <= header_length[4:0]
// control error_as_specified: start_zero_mo_q & (|mo) => start_single_q & (|mo)
// control error_as_specified: (start_bad_dv_q & is_tagged) ? RULE_TAGGED_DDP_VERSION => (start_bad_dv_q & is_tagged) ? RULE_UNTAGGED_DDP_VERSION
    always @* if (started && !rst) error_as_specified: assert (rule == specified_rule);

// property data_as_specified: data is the octets after the DDP header of a message that carries data, if buffer model and opcode agree
// control data_as_specified: wants_tagged = (start_opcode == RDMA_WRITE) | => wants_tagged =
// control data_as_specified: is_tagged ? 16'd14 : 16'd18 => 16'd18
// control data_as_specified: ~(is_refused | is_header_only); => ~is_refused;
    always @* if (started && !rst) begin
        data_as_specified: assert (start_carries == specified_start_carries);
        data_as_specified: assert (length < specified_header_length || carries_data == specified_carries_data);
        data_as_specified: assert (payload_length == specified_payload_length);
    end

// invariant stored: the checks of the start are stored
    wire        spec_known, spec_in_tagged, spec_data, spec_single, spec_at_least;
    wire [31:0] spec_wants;
    wire [15:0] spec_octets;
    ddp_opcode #(.COMMIT(`COMMIT)) spec_message (
        .opcode(spec_start[68:64]), .known(spec_known), .in_tagged(spec_in_tagged), .queue(spec_wants), .data(spec_data),
        .single(spec_single), .octets(spec_octets), .at_least(spec_at_least), .replied(), .request()
    );
    wire [31:0] spec_queue = spec_start[31:0];
    wire        spec_t = spec_start[79];
    always @* if (started && spec_has) begin
        stored: assert (start_bad_dv_q == (spec_start[73:72] != 2'd1) && start_bad_rv_q == (spec_start[71:70] != 2'd1));
        stored: assert (start_bad_queue_q == (!spec_t && spec_queue > 3) && start_bad_opcode_q == !spec_known);
        stored: assert (start_bad_tag_q == (spec_t != spec_in_tagged));
        stored: assert (start_bad_queue_for_opcode_q == (!spec_t && spec_queue[1:0] != spec_wants));
        stored: assert (start_header_only_q == (spec_single && !spec_at_least) && start_carries_q == !(start_bad_dv_q | start_bad_queue_q |
            start_bad_rv_q | start_bad_opcode_q | start_bad_tag_q | start_bad_queue_for_opcode_q | !spec_data));
        stored: assert (start_zero_mo_q == (spec_single && spec_wants != 0)); // not Immediate Data
        stored: assert (start_single_q == spec_single);
        stored: assert (start_wants_length_q == (spec_single ? spec_octets + (spec_in_tagged ? 16'd14 : 16'd18) : 16'd0));
    end
