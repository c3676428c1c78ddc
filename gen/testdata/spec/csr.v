// A register reads as last written, or as counted; reads change only the log of Terminates; every access has one response, in
// order; a command is issued once. The properties follow an arbitrary register, counter and log entry. Addresses and widths are
// those of docs/registers.md.

// depth 1
// bound 6
// property reads_what_was_written: a writable register reads as the octets last written, whatever other accesses occur
// control reads_what_was_written: (stag_owner_q & ~write_mask[16:0]) | written[16:0] => (stag_owner_q & ~write_mask[16:0]) | stag_index_q[16:0]
// property counts: a counter is the number of cycles with its count input high, modulo 2^32
// control counts: segments_dropped_q <= segments_dropped_q + 32'd1 => segments_dropped_q <= segments_dropped_q + {31'd0, ~count_segments_sent}
// property unknown_read_is_refused: a read of an address without a readable register has the response SLVERR, any other OKAY
// control unknown_read_is_refused: <= read_address == STREAM_DOMAIN => <= read_address == STREAM_COMMAND
// property unknown_write_is_refused: a write to an address without a writable register has the response SLVERR
// control unknown_write_is_refused: | (write_address == STAG_COMMAND) | (write_address == STREAM_NUMBER) => | (write_address == STAG_COMMAND) | (write_address == TERMINATE_LOG) | (write_address == STREAM_NUMBER)
// property command_once: a command is issued to the STag table or the streams exactly when a valid command is written with response OKAY
// control command_once: stag_command_begins   = write_starts & is_stag_command & stag_command_is_known => stag_command_begins   = write_starts & is_stag_command & (|written)
// property command_is_what_was_written: a command carries the values of the registers that describe it
// control command_is_what_was_written: assign stag_entry_length               = {stag_length_high_q, stag_length_low_q} => assign stag_entry_length               = {stag_length_low_q, stag_length_high_q}
// property log_gives_oldest: a read of the log returns the oldest Terminate neither read nor lost
// control log_gives_oldest: log[log_head_q[3:0]] => log[log_head_q[3:0] ^ 4'd1]
// property log_is_empty: a read of an empty log returns 0
// control log_is_empty: log_remove         = reads_log & (|log_held) => log_remove         = reads_log
// property every_read_answered: each read has exactly one response
// control every_read_answered: ? ~s_axil_rready : read_asked_q => ? ~s_axil_rready : read_asked_q & (read_address != SCRATCH)
// property every_write_answered: each write has exactly one response, once address and data have arrived
// control every_write_answered: write_data_free ? s_axil_wvalid => write_data_free ? s_axil_wvalid | s_axil_awvalid
// invariant inside: the registers count the accesses in progress
// invariant followed: the register and the counter hold the values last written and counted
// invariant logged: the entry is in its slot
// invariant described: the registers record whether the write in progress is to a register that describes a command

(* anyconst *) reg [11:0] any_register;
(* anyconst *) reg [3:0]  any_counter;

function [31:0] bits(input [11:0] address); // of a register that the host can write and read; 0: none
    case (address)
        12'h008, 12'h050, 12'h054, 12'h058, 12'h05C, 12'h060, 12'h064: bits = 32'hFFFFFFFF;
        12'h040: bits = 32'h00FFFFFF;
        12'h044: bits = 32'h00003FFF;
        12'h048: bits = 32'h0001FFFF;
        12'h04C: bits = `HAS_stag_commit_q ? 32'h000001FF : 32'd0;
        12'h070, 12'h074: bits = 32'h0000FFFF;
        12'h07C: bits = 32'h0000000F;
        default: bits = 32'd0;
    endcase
endfunction
function is_counter(input [11:0] address);
    is_counter = address >= 12'h080 && address <= 12'h0AC;
endfunction
function is_readable(input [11:0] address);
    is_readable = address <= 12'h030 || |bits(address) || is_counter(address) || address == 12'h0C0 || address == 12'h0C4;
endfunction

// ---- Accesses
reg  [11:0] spec_read;
reg         spec_reads; // a read was accepted in the previous cycle
always @(posedge clk) begin
    spec_reads <= ~rst & s_axil_arvalid & s_axil_arready;
    if (s_axil_arvalid & s_axil_arready) spec_read <= {s_axil_araddr[11:2], 2'd0};
end
reg [1:0]   spec_addresses, spec_data, spec_answers; // accepted, without response; responses not accepted
reg         spec_reading;
reg [11:0]  spec_address;
reg [31:0]  spec_written;
reg [3:0]   spec_strobes;
always @(posedge clk) begin
    spec_addresses <= rst ? 2'd0 : spec_addresses + (s_axil_awvalid & s_axil_awready) - (s_axil_bvalid & s_axil_bready);
    spec_data      <= rst ? 2'd0 : spec_data + (s_axil_wvalid & s_axil_wready) - (s_axil_bvalid & s_axil_bready);
    spec_reading   <= ~rst & (spec_reads | (spec_reading & ~(s_axil_rvalid & s_axil_rready)));
    if (s_axil_awvalid & s_axil_awready) spec_address <= {s_axil_awaddr[11:2], 2'd0};
    if (s_axil_wvalid & s_axil_wready) {spec_written, spec_strobes} <= {s_axil_wdata, s_axil_wstrb};
end
wire [31:0] spec_mask = {{8{spec_strobes[3]}}, {8{spec_strobes[2]}}, {8{spec_strobes[1]}}, {8{spec_strobes[0]}}};
wire [31:0] spec_set  = spec_written & spec_mask;

// ---- The followed register and counter
reg [31:0] spec_value, spec_count;
wire [11:0] counting = {count_invalidations, count_receives_refused, count_memory_errors, count_closed, count_ended,
    count_completions, count_segments_dropped, count_segments_sent, count_messages_sent, count_segments_in_error, count_segments_discarded,
    count_segments_received};
reg        e_register, e_counter, e_readable, e_log, e_log_empty;
reg [31:0] e_value;
always @(posedge clk) begin
    if (write_starts && spec_address == any_register) spec_value <= (spec_value & ~spec_mask | spec_set) & bits(any_register);
    if (any_counter < 12 && counting[any_counter]) spec_count <= spec_count + 32'd1;
    if (spec_reads) begin
        e_register  <= spec_read == any_register && |bits(any_register);
        e_counter   <= any_counter < 12 && spec_read == 12'h080 + {any_counter, 2'd0};
        e_readable  <= is_readable(spec_read);
        e_log       <= spec_read == 12'h0C4;
        e_log_empty <= log_held == 0;
        e_value     <= |bits(any_register) && spec_read == any_register ? spec_value : spec_count;
    end
    if (rst) {spec_value, spec_count} <= 64'd0;
end
wire [8:0] spec_stag_commit, spec_commit_entry; // the register of the extension commit, and what a command has of it; [6] is the host's own
wire spec_reads_stag_commit;
generate if (`HAS_stag_commit_q) begin
    assign spec_stag_commit = stag_commit_q;
    assign spec_commit_entry = {stag_entry_tag_algorithm, 1'b0, stag_entry_tag_type, stag_entry_tag_needs_read, stag_entry_tag_verifiable, stag_entry_tag_visible,
        stag_entry_tag_persistent};
    assign spec_reads_stag_commit = reads_stag_commit_q;
end else begin
    assign spec_stag_commit = 9'd0;
    assign spec_commit_entry = 9'd0;
    assign spec_reads_stag_commit = 1'b0;
end endgenerate
wire [31:0] spec_register =
    any_register == 12'h008 ? scratch_q :
    any_register == 12'h040 ? stag_index_q :
    any_register == 12'h044 ? stag_access_q :
    any_register == 12'h048 ? stag_owner_q :
    any_register == 12'h04C ? spec_stag_commit :
    any_register == 12'h050 ? stag_base_low_q :
    any_register == 12'h054 ? stag_base_high_q :
    any_register == 12'h058 ? stag_length_low_q :
    any_register == 12'h05C ? stag_length_high_q :
    any_register == 12'h060 ? stag_address_low_q :
    any_register == 12'h064 ? stag_address_high_q :
    any_register == 12'h070 ? stream_number_q :
    any_register == 12'h074 ? stream_domain_q :
    any_register == 12'h07C ? stream_weight_q : 32'd0;
wire [12*32-1:0] spec_counters = {invalidations_q, receives_refused_q, memory_errors_q, terminates_received_q, terminates_sent_q, completions_q,
    segments_dropped_q, segments_sent_q, messages_sent_q, segments_in_error_q, segments_discarded_q, segments_received_q};

// ---- Commands: each offered command comes from a write
reg spec_stag, spec_stag_stores, spec_stream, spec_stream_opens, spec_stream_weighs, e_refused, e_command;
wire spec_stag_command   = write_starts && spec_address == 12'h068;
wire spec_stream_command = write_starts && spec_address == 12'h078;
wire spec_known          = spec_set == 32'd1 || spec_set == 32'd2 || spec_set == 32'd3 && spec_stream_command;
always @(posedge clk) begin
    spec_stag   <= ~rst & (spec_stag_command & ~write_refused & (spec_set != 0) | spec_stag & ~stag_ready);
    spec_stream <= ~rst & (spec_stream_command & ~write_refused & (spec_set != 0) | spec_stream & ~(spec_stream_weighs ? weight_ready : opening_ready));
    if (spec_stag_command) spec_stag_stores <= spec_set == 32'd1;
    if (spec_stream_command && spec_set != 0) {spec_stream_opens, spec_stream_weighs} <= {spec_set == 32'd1, spec_set == 32'd3};
    if (write_starts) begin
        e_command <= spec_stag_command || spec_stream_command;
        e_refused <= (spec_stag_command || spec_stream_command) ? (spec_set != 0 && !spec_known) : ~|bits(spec_address);
    end
end

// ---- An entry of the log
(* anyseq *) wire spec_pick;
reg        spec_watching, e_oldest;
reg [3:0]  spec_ahead;
reg [31:0] a_entry, e_entry;
wire       spec_logs = event_valid & (event_kind == 2'd1 | event_kind == 2'd2);
wire       spec_pops = spec_reads & (spec_read == 12'h0C4) & (log_held != 0);
wire [3:0] spec_at    = log_head_q + spec_ahead; // slot of the entry
wire       spec_drops = spec_logs & ~spec_pops & (log_held == 5'd16);
always @(posedge clk) begin
    if (!spec_watching) begin
        spec_watching <= spec_logs & spec_pick;
        spec_ahead    <= log_held - (spec_pops | spec_drops);
        a_entry       <= {1'b1, event_kind == 2'd2, 14'd0 | event_stream, event_term_layer, event_term_etype, event_term_code};
    end else if (spec_pops | spec_drops) begin
        spec_watching <= |spec_ahead;
        spec_ahead    <= spec_ahead - 4'd1;
    end
    if (spec_reads) begin
        e_oldest <= spec_pops & spec_watching & (spec_ahead == 0);
        e_entry  <= a_entry;
    end
    if (rst) spec_watching <= 1'b0;
end

always @* if (started && !rst) begin
    if (s_axil_rvalid && e_register) reads_what_was_written: assert (s_axil_rdata == e_value);
    if (s_axil_rvalid && e_counter) counts: assert (s_axil_rdata == e_value);
    if (s_axil_rvalid) unknown_read_is_refused: assert (s_axil_rresp == (e_readable ? 2'd0 : 2'd2));
    if (s_axil_bvalid && (e_refused || !e_command)) unknown_write_is_refused: assert (s_axil_bresp == (e_refused ? 2'd2 : 2'd0));
    command_once: assert (stag_valid == spec_stag && opening_valid == (spec_stream & ~spec_stream_weighs) && weight_valid == (spec_stream & spec_stream_weighs));
    if (spec_stag) command_is_what_was_written: assert (stag_entry_valid == spec_stag_stores);
    if (spec_stream && !spec_stream_weighs) command_is_what_was_written: assert (opening_open == spec_stream_opens);
    command_is_what_was_written: assert (
        (any_register != 12'h040 || stag_index == spec_value) &&
        (any_register != 12'h044 || {stag_entry_rights_invalidate, stag_entry_rights_remote_atomic, stag_entry_rights_remote_write,
            stag_entry_rights_remote_read, stag_entry_rights_local_write, stag_entry_rights_local_read, stag_entry_key} == spec_value) &&
        (any_register != 12'h048 || {stag_entry_by_domain, stag_entry_owner} == spec_value) &&
        (any_register != 12'h04C || spec_commit_entry == (spec_value & ~32'h40)) &&
        (any_register != 12'h050 || stag_entry_base[31:0] == spec_value) &&
        (any_register != 12'h054 || stag_entry_base[63:32] == spec_value) &&
        (any_register != 12'h058 || stag_entry_length[31:0] == spec_value) &&
        (any_register != 12'h05C || stag_entry_length[63:32] == spec_value) &&
        (any_register != 12'h060 || stag_entry_address[31:0] == spec_value) &&
        (any_register != 12'h064 || stag_entry_address[63:32] == spec_value) &&
        (any_register != 12'h074 || opening_domain == spec_value) &&
        (any_register != 12'h07C || weight_weight == spec_value));
    if (s_axil_rvalid && e_oldest) log_gives_oldest: assert (s_axil_rdata == e_entry);
    if (s_axil_rvalid && e_log && e_log_empty) log_is_empty: assert (s_axil_rdata == 0);
    every_read_answered: assert (s_axil_rvalid == spec_reading && (!s_axil_arready || !spec_reads && !s_axil_rvalid));
    inside: assert (read_asked_q == spec_reads && (!read_asked_q || spec_read[1:0] == 0 && !s_axil_rvalid));
    if (read_asked_q) inside: assert ({
        reads_id_q, reads_version_q, reads_scratch_q, reads_status_q, reads_bus_bytes_q, reads_streams_q, reads_stags_q, reads_ird_q,
        reads_ord_q, reads_receive_depth_q, reads_send_depth_q, reads_max_payload_q, reads_features_q, reads_stag_index_q,
        reads_stag_access_q, reads_stag_owner_q, reads_stag_base_low_q, reads_stag_base_high_q, reads_stag_length_low_q,
        reads_stag_length_high_q, reads_stag_address_low_q, reads_stag_address_high_q, reads_stream_number_q, reads_stream_domain_q,
        reads_stream_weight_q, reads_segments_received_q, reads_segments_discarded_q, reads_segments_in_error_q, reads_messages_sent_q,
        reads_segments_sent_q, reads_segments_dropped_q, reads_completions_q, reads_terminates_sent_q, reads_terminates_received_q,
        reads_memory_errors_q, reads_receives_refused_q, reads_invalidations_q, reads_terminates_lost_q, reads_terminate_log_q} == {
        spec_read == ID, spec_read == VERSION, spec_read == SCRATCH, spec_read == STATUS, spec_read == BUS_BYTES, spec_read == STREAMS,
        spec_read == STAGS, spec_read == IRD, spec_read == ORD, spec_read == RECEIVE_DEPTH, spec_read == SEND_DEPTH,
        spec_read == MAX_PAYLOAD, spec_read == FEATURES, spec_read == STAG_INDEX, spec_read == STAG_ACCESS, spec_read == STAG_OWNER,
        spec_read == STAG_BASE_LOW, spec_read == STAG_BASE_HIGH, spec_read == STAG_LENGTH_LOW, spec_read == STAG_LENGTH_HIGH,
        spec_read == STAG_ADDRESS_LOW, spec_read == STAG_ADDRESS_HIGH, spec_read == STREAM_NUMBER, spec_read == STREAM_DOMAIN,
        spec_read == STREAM_WEIGHT, spec_read == SEGMENTS_RECEIVED, spec_read == SEGMENTS_DISCARDED, spec_read == SEGMENTS_IN_ERROR,
        spec_read == MESSAGES_SENT, spec_read == SEGMENTS_SENT, spec_read == SEGMENTS_DROPPED, spec_read == COMPLETIONS,
        spec_read == TERMINATES_SENT, spec_read == TERMINATES_RECEIVED, spec_read == MEMORY_ERRORS, spec_read == RECEIVES_REFUSED,
        spec_read == INVALIDATIONS, spec_read == TERMINATES_LOST, spec_read == TERMINATE_LOG});
    if (read_asked_q) inside: assert (spec_reads_stag_commit == (`HAS_stag_commit_q && spec_read == 12'h04C));
    every_write_answered: assert (spec_addresses == write_address_valid_q + s_axil_bvalid && spec_data == write_data_valid_q + s_axil_bvalid);
    inside: assert (!write_address_valid_q || write_word_q == spec_address[11:2] && spec_address[1:0] == 0);
    inside: assert (!write_data_valid_q || {write_data_q, write_strobes_q} == {spec_written, spec_strobes});
    if (write_address_valid_q) described: assert (is_stag_register_q == (spec_address >= 12'h040 && spec_address <= (`HAS_stag_commit_q ? 12'h04C : 12'h048) ||
        spec_address >= 12'h050 && spec_address <= 12'h068) && is_stream_register_q == (spec_address >= 12'h070 && spec_address <= 12'h07C));
    followed: assert (spec_register == spec_value);
    followed: assert (any_counter >= 12 || spec_counters[32 * any_counter +: 32] == spec_count);
    logged: assert (log_held <= 5'd16);
    if (spec_watching) logged: assert (spec_ahead < log_held &&
        {1'b1, log[spec_at][`WIDTH_oldest_q-1], 14'd0 | log[spec_at][`WIDTH_oldest_q-2:16], log[spec_at][15:0]} == a_entry);
end
