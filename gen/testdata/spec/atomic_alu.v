// The ALU computes for all operands what the pseudocode of RFC 7306 section 5.1 does, which atomic_operation has bit by bit, and
// with draft00 the Swap of draft-ietf-storm-rdmap-ext-00.
// uses atomic_operation
// depth 1
// bound 3
    wire [63:0] specified;
    atomic_operation #(.DRAFT00(`DRAFT00)) specification (
        .opcode(req_opcode), .original(req_original), .data(req_data), .mask(req_mask),
        .compare(req_compare), .compare_mask(req_compare_mask), .result(specified)
    );

// property result_as_specified: the word after the operation is that of RFC 7306 sections 5.1.1 and 5.1.2
// twin result_as_specified: (req_data & keep) => req_data
// twin result_as_specified: ^ ((req_original ^ req_data) & req_mask) => ^ 64'd0
// twin result_as_specified: ^ req_original) & req_compare_mask => ^ req_original) | req_compare_mask
// twin result_as_specified: (req_original & keep) | (req_data & req_mask) => req_data & req_mask
// twin result_as_specified: (req_opcode == FETCH_ADD) => (req_opcode != CMP_SWAP)
    always @(posedge clk) if (started && $past(req_valid && req_ready && !rst))
        result_as_specified: assert (resp_result == $past(specified));

// property original_returned: the word before the operation is returned with its result
// twin original_returned: resp_original_q <= req_original => resp_original_q <= next
    always @(posedge clk) if (started && $past(req_valid && req_ready && !rst))
        original_returned: assert (resp_original == $past(req_original));

// property one_answer: an operation that is taken has an answer in the next clock, and nothing else has
// twin one_answer: <= req_valid => <= req_valid & ~req_opcode[3]
    always @(posedge clk) if (started && $past(started) && !$past(rst))
        one_answer: assert (resp_valid == ($past(req_valid && req_ready) || $past(resp_valid && !resp_ready)));
