// What a command places is in memory where it says: octet j of the payload, or of the 8 inline octets, at address + j, and no other
// octet is written. Bursts follow each other without a gap and stay in their block.
// depth 1
// bound 8
    localparam SPEC_B = `WIDTH_m_axi_wstrb;
    localparam SPEC_LOG = `WIDTH_job_from_q;

// assume not_empty: rx_check, which places nothing of a segment without payload, and 8 octets of an inline one; shown by rx_check/places_something
    always @* not_empty: assume (!command_valid || command_length != 16'd0);

    // The command that is being executed, and which beat of memory of it comes next.
    reg  [63:0] spec_address;
    reg  [15:0] spec_length, spec_beats;
    wire        spec_take = command_valid && command_ready;
    wire [16:0] spec_reach = command_address[SPEC_LOG-1:0] + command_length - 17'd1; // of the last octet, from the first beat on
    always @(posedge clk) begin
        if (spec_take) begin
            spec_address <= command_address;
            spec_length  <= command_length;
            spec_beats   <= 16'd0;
        end else if (move) spec_beats <= spec_beats + 16'd1;
    end
    wire [16:0] spec_all = (spec_address[SPEC_LOG-1:0] + spec_length - 17'd1) >> SPEC_LOG; // beats but one
    wire [SPEC_LOG-1:0] spec_from = spec_address[SPEC_LOG-1:0];

    // Two beats of the source one after the other, seen from where the address puts them.
    wire [8*SPEC_B-1:0] spec_source = job_inline_q ? job_data_q : payload_tdata;
    reg  [8*SPEC_B-1:0] spec_before;
    always @(posedge clk) if (move) spec_before <= spec_source;
    wire [8*SPEC_B-1:0] spec_window = {spec_source, spec_before} >> (8 * (SPEC_B - spec_from));
    reg  [8*SPEC_B-1:0] spec_data;
    reg  [SPEC_B-1:0]   spec_strobe;
    reg  [20:0]         spec_octet;
    integer spec_i;
    always @* for (spec_i = 0; spec_i < SPEC_B; spec_i = spec_i + 1) begin
        spec_octet = {spec_beats, {SPEC_LOG{1'b0}}} + spec_i; // counted from the first beat of memory on
        spec_strobe[spec_i] = spec_octet >= spec_from && spec_octet < {5'd0, spec_length} + spec_from;
        spec_data[8*spec_i +: 8] = spec_strobe[spec_i] ? spec_window[8*spec_i +: 8] : 8'd0;
    end

// property octets_at_address: a beat has the octets of the payload that its address says, and writes no others
// control octets_at_address: turned_1[47:0] => turned_1[48:1]
// control octets_at_address: (turned_4 & fresh) | (carried_q & ~fresh) => turned_4
// control octets_at_address: ahead_of_last | {8{~last}} => 8'd255
// control octets_at_address: behind_first | {8{~first_q}} => 8'd255
    always @(posedge clk) if (started && $past(started && move && !rst)) begin
        octets_at_address: assert (m_axi_wvalid && m_axi_wdata == $past(spec_data));
        octets_at_address: assert (m_axi_wstrb == $past(spec_strobe));
    end

// property bursts_as_commanded: a burst begins where the one before it has ended, and all beats of a placement are in one
// control bursts_as_commanded: place_in_block_q + 8'd1 => place_in_block_q + 8'd2
// control bursts_as_commanded: last_burst ? beats_left_q[7:0] : room_behind => room_behind
// control bursts_as_commanded: first_q | (~|place_in_block_q) => ~|place_in_block_q
    reg [8:0] spec_room; // beats that the last burst has left
    always @(posedge clk) begin
        if (start) spec_room <= last_burst ? beats_left_q[7:0] : room_behind;
        else if (move) spec_room <= spec_room - 9'd1;
    end
    always @(posedge clk) if (started && $past(started && start && !rst)) begin
        bursts_as_commanded: assert (m_axi_awvalid && m_axi_awaddr == {$past(spec_address[63:SPEC_LOG] + spec_beats), {SPEC_LOG{1'b0}}});
        bursts_as_commanded: assert (m_axi_awlen + $past(spec_beats) <= $past(spec_all));
        bursts_as_commanded: assert (m_axi_awlen == spec_room);
    end
    always @* if (started && move && !rst) begin
        bursts_as_commanded: assert (start || spec_room != 0);
        bursts_as_commanded: assert (spec_beats <= spec_all);
        bursts_as_commanded: assert (job_ends == (spec_beats == spec_all));
        bursts_as_commanded: assert (burst_ends == (start ? (last_burst ? beats_left_q[7:0] : room_behind) == 0 : spec_room == 1));
    end

// property stays_in_block: a burst does not leave its block of 4 KiB, or of 256 beats
// control stays_in_block: beats_left_q <= {6'd0, room_behind} => beats_left_q <= {6'd1, room_behind}
    always @* if (started && m_axi_awvalid)
        stays_in_block: assert ({1'b0, m_axi_awaddr[SPEC_LOG +: `WIDTH_place_in_block_q]} + m_axi_awlen <= {`WIDTH_place_in_block_q{1'b1}});

// invariant as_commanded: the registers say what the command said
    always @* if (started && job_valid_q) begin
        as_commanded: assert (job_from_q == spec_from && job_to_q == spec_from + spec_length[SPEC_LOG-1:0] - 1'b1);
        as_commanded: assert (spec_length != 16'd0);
        as_commanded: assert (job_spills_q == ((spec_from + ((spec_length - 1'b1) & (SPEC_B - 1))) >= SPEC_B));
        if (!job_discard_q) begin
            as_commanded: assert (first_q == (spec_beats == 16'd0) && spec_beats <= spec_all && beats_left_q == spec_all - spec_beats);
            as_commanded: assert ({block_q, place_in_block_q} == spec_address[63:SPEC_LOG] + spec_beats);
            as_commanded: assert (first_q || carried_q == spec_turned[8*SPEC_B-1:0]);
            as_commanded: assert (first_q || spec_room == (last_burst && place_in_block_q != 0 ? beats_left_q + 1 : place_in_block_q == 0 ? 0 : room_behind + 1));
        end
    end
    wire [2*8*SPEC_B-1:0] spec_turned = {spec_before, spec_before} >> (8 * (SPEC_B - spec_from));
    always @* if (started && m_axi_awvalid)
        as_commanded: assert ({1'b0, address_q[`WIDTH_place_in_block_q-1:0]} + burst_beats_q <= {`WIDTH_place_in_block_q{1'b1}});
