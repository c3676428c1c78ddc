// request_queue: what leaves is what was stored in the slot whose turn it is; every item that need not wait has a turn when it
// is taken, every request that is released has one, and no other has. The child passes turns on once and in order.
// depth 1
// bound 10
wire enters = in_valid & in_ready;
wire gives  = turn_valid & turn_ready;
wire leaves = out_valid & out_ready;
(* hierconn *) wire [15:0] \turns.spec_inside ;

// ---- Turns
reg [`WIDTH_more_q-1:0]      left_q;         // requests of the latest release without a turn
reg [`WIDTH_in_stream-1:0]   left_stream_q;
reg [`WIDTH_in_queue_slot-1:0] left_slot_q;
wire is_a_release = enters && in_queue_released != 0;
always @(posedge clk) begin
    if (is_a_release) begin
        left_q        <= in_queue_released - 1;
        left_stream_q <= in_stream;
        left_slot_q   <= in_queue_slot + 1;
    end else if (left_q != 0 && gives) begin
        left_q        <= left_q - 1;
        left_slot_q   <= left_slot_q + 1;
    end
    if (rst) left_q <= 0;
end
// assume no_release_waits: rx_check marks as waiting only what is a request
always @* if (in_valid) no_release_waits: assume (!(in_queue_waits && in_queue_released != 0));
// property turn_of_item: an item that need not wait, or the first request of a release, has its turn when it is taken
// control turn_of_item: releasing ? released_slot_q : in_queue_slot => released_slot_q
always @* if (started && enters && !in_queue_waits) turn_of_item: assert (gives && turn_stream == in_stream && turn_slot == in_queue_slot);
// property waits: a request that waits gets no turn when it comes
// control waits: (in_valid & ~in_queue_waits) => in_valid
always @* if (started && enters && in_queue_waits) waits: assert (!gives);
// property turn_of_released: each request of a release gets its turn, once, in the order of the slots, before anything else is taken
// control turn_of_released: released_slot_q   <= released_slot_q + <N>'d1; => released_slot_q   <= released_slot_q;
// control turn_of_released: in_queue_released - <N>'d1; => in_queue_released;
always @* if (started && left_q != 0) turn_of_released: assert (turn_valid && turn_stream == left_stream_q && turn_slot == left_slot_q && !enters);
always @* if (started && left_q == 0 && gives) turn_of_released: assert (enters);

// ---- What leaves: one slot stands for all, it is arbitrary but fixed
(* anyconst *) reg [`WIDTH_in_stream+`WIDTH_in_queue_slot-1:0] a_slot;
reg [`WIDTH_out_q-1:0] stored_q, its_q;
reg known_q, its_known_q;
wire stores = enters && in_queue_released == 0 && {in_stream, in_queue_slot} == a_slot;
always @(posedge clk) begin
    if (stores) stored_q <= {in_stream, in_kind, in_number, in_stag, in_address, in_response_msn, in_term_layer, in_term_etype, in_term_code,
        in_header_length, in_segment_length, in_body};
    known_q <= !rst && (known_q || stores);
    if (next_valid && next_ready) begin
        its_q       <= stored_q;
        its_known_q <= known_q && {next_stream, next_slot} == a_slot;
    end
    if (rst) its_known_q <= 0;
end
// property value: what leaves is what was stored in its slot
// control value: wire [<N>:0] out_addr         = {next_stream, next_slot}; => wire [9:0] out_addr         = {turn_stream, turn_slot};
always @* if (started && out_valid && its_known_q) value: assert (out_q == its_q);
// property each_turn_once: as many items leave as turns were given, and one is on offer or about to be as long as there are turns
// control each_turn_once: ~out_valid_q | out_ready; => 1'b1;
reg [15:0] spec_inside;
always @(posedge clk) spec_inside <= rst ? 0 : spec_inside + gives - leaves;
always @* if (started) each_turn_once: assert (spec_inside == \turns.spec_inside + out_valid);

// ---- Invariants
// invariant counted: the registers are what is left of a release
always @* if (started) counted: assert (more_q == left_q && (left_q == 0 || (released_stream_q == left_stream_q && released_slot_q == left_slot_q)));
// invariant in_memory: the slot holds what was stored
always @* if (started && known_q) in_memory: assert (slots[a_slot] == stored_q);
