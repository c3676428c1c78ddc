// ddp_classify says of every header and length what the text of RFC 5041, RFC 5040 and RFC 7306 says, which ddp_segment has.
// uses ddp_segment
// bound 2
    wire [3:0]  specified_error;
    wire [15:0] specified_terminate, specified_header_length, specified_payload_length;
    wire        specified_carries_data;
    ddp_segment specification (
        .octets(header), .length(length), .error(specified_error), .terminate(specified_terminate),
        .carries_data(specified_carries_data), .header_length(specified_header_length), .payload_length(specified_payload_length)
    );

// property error_as_specified: the first error of a segment is found, and its Terminate has the layer, type and code of the RFCs
// twin error_as_specified: header[137:136] != 2'd1 => header[137:136] == 2'd0
// twin error_as_specified: 32'd3 < queue_number => 32'd4 < queue_number
// twin error_as_specified: 16'd52 => 16'd53
// twin error_as_specified: length < header_length => length <= header_length
// twin error_as_specified: (is_request | is_response | is_terminate) & (|mo) => (is_request | is_response) & (|mo)
// twin error_as_specified: {ERROR_DDP_VERSION, 4'd1, 4'd2, 8'h06} => {ERROR_DDP_VERSION, 4'd1, 4'd2, 8'h04}
    always @* begin
        error_as_specified: assert (error == specified_error);
        error_as_specified: assert ({term_layer, term_etype, term_code} == specified_terminate);
    end

// property data_as_specified: data is what follows the DDP header of a message that carries some, if buffer and opcode agree
// twin data_as_specified: wants_tagged = (opcode == RDMA_WRITE) | => wants_tagged =
// twin data_as_specified: is_tagged ? 16'd14 : 16'd18 => 16'd18
// twin data_as_specified: bad_tag | bad_queue_for_opcode | is_header_only); => bad_tag | bad_queue_for_opcode);
    always @* begin
        data_as_specified: assert (length < specified_header_length || carries_data == specified_carries_data);
        data_as_specified: assert (payload_length == specified_payload_length);
    end
