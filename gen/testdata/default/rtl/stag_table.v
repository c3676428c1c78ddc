// stag_table holds the regions of memory that STags name (RFC 5041 section 4.2). Its four ports look up rows
// independently, each one per cycle: the entry appears in the next cycle and stays until the port's next lookup. The
// entry of a row that does not exist is not valid.
//
// An invalidation already affects the lookups of its own cycle. A write affects those from the second cycle after the
// one in which it is accepted, all of the row at once; it waits for the invalidations of the cycles before. After reset
// every row is invalidated, one per cycle: until ready, no write is accepted, invalidations have no effect, and every
// lookup finds nothing.
//
// Built for stags 1024.
`default_nettype none
module stag_table (
    input  wire         clk,
    input  wire         rst, // synchronous, active high

    // main
    input  wire         main_enable, // look index up in this cycle
    input  wire [23:0]  main_index,  // upper 24 bits of an STag
    output wire [223:0] main_entry,  // packed STagEntry, from the next cycle on

    // invalidated
    input  wire         invalidated_enable, // look index up in this cycle
    input  wire [23:0]  invalidated_index,  // upper 24 bits of an STag
    output wire [223:0] invalidated_entry,  // packed STagEntry, from the next cycle on

    // local
    input  wire         local_enable, // look index up in this cycle
    input  wire [23:0]  local_index,  // upper 24 bits of an STag
    output wire [223:0] local_entry,  // packed STagEntry, from the next cycle on

    // recheck
    input  wire         recheck_enable, // look index up in this cycle
    input  wire [23:0]  recheck_index,  // upper 24 bits of an STag
    output wire [223:0] recheck_entry,  // packed STagEntry, from the next cycle on

    input  wire         invalidate,       // invalidates the row of invalidate_index in this cycle
    input  wire [23:0]  invalidate_index, // upper 24 bits of the STag

    // write
    input  wire         write_valid,
    output wire         write_ready,
    input  wire [23:0]  write_index,                      // upper 24 bits of the STag
    input  wire         write_entry_valid,                // the STag may be used
    input  wire [7:0]   write_entry_key,                  // low octet of the STag, chosen by the consumer
    input  wire         write_entry_rights_local_read,    // source of Sends and Writes of this node
    // buffer for Sends to this node and for results of its RDMA Reads and Atomics
    input  wire         write_entry_rights_local_write,
    input  wire         write_entry_rights_remote_read,   // source of RDMA Reads of the peer
    input  wire         write_entry_rights_remote_write,  // sink of RDMA Writes of the peer
    input  wire         write_entry_rights_remote_atomic, // target of Atomic Operations of the peer
    input  wire         write_entry_rights_invalidate,    // the peer may invalidate it by Send with Invalidate
    input  wire         write_entry_by_domain,            // 1: owner is a protection domain, 0: owner is a stream
    input  wire [15:0]  write_entry_owner,                // stream or domain that the STag is associated with
    input  wire [63:0]  write_entry_base,                 // tagged offset of the first octet
    input  wire [63:0]  write_entry_length,               // octets; base + length is at most 2^64
    input  wire [63:0]  write_entry_address,              // address of the first octet in memory

    output wire         ready  // every row has been invalidated or written since reset
);
    // ---- After reset every row is invalidated, one per cycle
    reg [9:0] sweep_q;
    reg       swept_q;

    always @(posedge clk) begin
        if (~swept_q) begin
            sweep_q <= sweep_q + 10'd1;
            if (&sweep_q) begin
                swept_q <= 1'b1;
            end
        end
        if (rst) begin
            sweep_q <= 10'd0;
            swept_q <= 1'b0;
        end
    end

    assign ready = swept_q;

    // ---- Changes are kept for a cycle. The valid bits are in a separate memory: an invalidation has no other field of
    // its row
    reg         killing_q;
    reg  [9:0]  killed_row_q;
    reg         writing_q;
    reg  [23:0] written_index_q;
    reg         written_entry_valid_q;
    reg  [7:0]  written_entry_key_q;
    reg         written_entry_rights_local_read_q;
    reg         written_entry_rights_local_write_q;
    reg         written_entry_rights_remote_read_q;
    reg         written_entry_rights_remote_write_q;
    reg         written_entry_rights_remote_atomic_q;
    reg         written_entry_rights_invalidate_q;
    reg         written_entry_by_domain_q;
    reg  [15:0] written_entry_owner_q;
    reg  [63:0] written_entry_base_q;
    reg  [63:0] written_entry_length_q;
    reg  [63:0] written_entry_address_q;
    wire        write_goes  = writing_q & ~killing_q;
    wire        write_taken = swept_q & ~(writing_q & killing_q);
    assign write_ready = write_taken;

    always @(posedge clk) begin
        killing_q    <= invalidate & (~|invalidate_index[23:10]);
        killed_row_q <= invalidate_index[9:0];
        writing_q    <= (write_valid & write_taken) | (writing_q & killing_q);
        if (write_taken) begin
            written_index_q                  <= write_index;
            written_entry_valid_q            <= write_entry_valid;
            written_entry_key_q              <= write_entry_key;
            written_entry_rights_local_read_q <= write_entry_rights_local_read;
            written_entry_rights_local_write_q <= write_entry_rights_local_write;
            written_entry_rights_remote_read_q <= write_entry_rights_remote_read;
            written_entry_rights_remote_write_q <= write_entry_rights_remote_write;
            written_entry_rights_remote_atomic_q <= write_entry_rights_remote_atomic;
            written_entry_rights_invalidate_q <= write_entry_rights_invalidate;
            written_entry_by_domain_q        <= write_entry_by_domain;
            written_entry_owner_q            <= write_entry_owner;
            written_entry_base_q             <= write_entry_base;
            written_entry_length_q           <= write_entry_length;
            written_entry_address_q          <= write_entry_address;
        end
        if (rst) begin
            killing_q <= 1'b0;
            writing_q <= 1'b0;
        end
    end

    wire         write            = write_goes & (~|written_index_q[23:10]);
    wire [223:0] written_entry    = {
        written_entry_valid_q, written_entry_key_q, written_entry_rights_local_read_q,
        written_entry_rights_local_write_q, written_entry_rights_remote_read_q,
        written_entry_rights_remote_write_q, written_entry_rights_remote_atomic_q,
        written_entry_rights_invalidate_q, written_entry_by_domain_q, written_entry_owner_q,
        written_entry_base_q, written_entry_length_q, written_entry_address_q
    };
    reg          valid_rows [0:1023];
    wire         write_valid_rows = ~swept_q | killing_q | write;
    wire [9:0]   valid_rows_row   =
        ~swept_q  ? sweep_q :
        killing_q ? killed_row_q :
                    written_index_q[9:0];
    wire         valid_rows_word  =
        ~swept_q  ? 1'b0 :
        killing_q ? 1'b0 :
                    written_entry[223];
    reg  [222:0] regions [0:1023];

    // ---- Lookups. An invalidation of the same cycle, and of the one before, is not in the memory that is read
    reg  main_there_q;
    reg  main_fresh_q;
    reg  main_is_killed_row_q;
    reg  main_was_killed_q;
    reg  main_gone_q;
    wire main_is_gone = main_fresh_q ? (main_was_killed_q | (main_is_killed_row_q & killing_q)) : main_gone_q;

    always @(posedge clk) begin
        if (main_enable) begin
            main_there_q <= swept_q & (~|main_index[23:10]);
        end
        main_fresh_q         <= main_enable;
        main_gone_q          <= main_is_gone;
        main_is_killed_row_q <= main_index[9:0] == invalidate_index[9:0];
        main_was_killed_q    <= killing_q & (main_index[9:0] == killed_row_q);
        if (rst) begin
            main_there_q <= 1'b0;
            main_fresh_q <= 1'b0;
        end
    end

    reg          main_valid_q;
    wire         main_grants         = main_valid_q & main_there_q & ~main_is_gone;
    reg  [222:0] main_region_q;
    assign main_entry = {main_grants, main_region_q};
    reg          invalidated_there_q;
    reg          invalidated_fresh_q;
    reg          invalidated_is_killed_row_q;
    reg          invalidated_was_killed_q;
    reg          invalidated_gone_q;
    wire         invalidated_is_gone =
        invalidated_fresh_q ? (invalidated_was_killed_q | (invalidated_is_killed_row_q & killing_q)) :
                              invalidated_gone_q;

    always @(posedge clk) begin
        if (invalidated_enable) begin
            invalidated_there_q <= swept_q & (~|invalidated_index[23:10]);
        end
        invalidated_fresh_q         <= invalidated_enable;
        invalidated_gone_q          <= invalidated_is_gone;
        invalidated_is_killed_row_q <= invalidated_index[9:0] == invalidate_index[9:0];
        invalidated_was_killed_q    <= killing_q & (invalidated_index[9:0] == killed_row_q);
        if (rst) begin
            invalidated_there_q <= 1'b0;
            invalidated_fresh_q <= 1'b0;
        end
    end

    reg          invalidated_valid_q;
    wire         invalidated_grants = invalidated_valid_q & invalidated_there_q & ~invalidated_is_gone;
    reg  [222:0] invalidated_region_q;
    assign invalidated_entry = {invalidated_grants, invalidated_region_q};
    reg          local_there_q;
    reg          local_fresh_q;
    reg          local_is_killed_row_q;
    reg          local_was_killed_q;
    reg          local_gone_q;
    wire         local_is_gone      =
        local_fresh_q ? (local_was_killed_q | (local_is_killed_row_q & killing_q)) : local_gone_q;

    always @(posedge clk) begin
        if (local_enable) begin
            local_there_q <= swept_q & (~|local_index[23:10]);
        end
        local_fresh_q         <= local_enable;
        local_gone_q          <= local_is_gone;
        local_is_killed_row_q <= local_index[9:0] == invalidate_index[9:0];
        local_was_killed_q    <= killing_q & (local_index[9:0] == killed_row_q);
        if (rst) begin
            local_there_q <= 1'b0;
            local_fresh_q <= 1'b0;
        end
    end

    reg          local_valid_q;
    wire         local_grants    = local_valid_q & local_there_q & ~local_is_gone;
    reg  [222:0] local_region_q;
    assign local_entry = {local_grants, local_region_q};
    reg          recheck_there_q;
    reg          recheck_fresh_q;
    reg          recheck_is_killed_row_q;
    reg          recheck_was_killed_q;
    reg          recheck_gone_q;
    wire         recheck_is_gone =
        recheck_fresh_q ? (recheck_was_killed_q | (recheck_is_killed_row_q & killing_q)) : recheck_gone_q;

    always @(posedge clk) begin
        if (recheck_enable) begin
            recheck_there_q <= swept_q & (~|recheck_index[23:10]);
        end
        recheck_fresh_q         <= recheck_enable;
        recheck_gone_q          <= recheck_is_gone;
        recheck_is_killed_row_q <= recheck_index[9:0] == invalidate_index[9:0];
        recheck_was_killed_q    <= killing_q & (recheck_index[9:0] == killed_row_q);
        if (rst) begin
            recheck_there_q <= 1'b0;
            recheck_fresh_q <= 1'b0;
        end
    end

    reg recheck_valid_q;

    always @(posedge clk) begin
        if (write_valid_rows) begin
            valid_rows[valid_rows_row] <= valid_rows_word;
        end
        if (main_enable) begin
            main_valid_q <= valid_rows[main_index[9:0]];
        end
        if (invalidated_enable) begin
            invalidated_valid_q <= valid_rows[invalidated_index[9:0]];
        end
        if (local_enable) begin
            local_valid_q <= valid_rows[local_index[9:0]];
        end
        if (recheck_enable) begin
            recheck_valid_q <= valid_rows[recheck_index[9:0]];
        end
    end

    wire         recheck_grants = recheck_valid_q & recheck_there_q & ~recheck_is_gone;
    reg  [222:0] recheck_region_q;

    always @(posedge clk) begin
        if (write) begin
            regions[written_index_q[9:0]] <= written_entry[222:0];
        end
        if (main_enable) begin
            main_region_q <= regions[main_index[9:0]];
        end
        if (invalidated_enable) begin
            invalidated_region_q <= regions[invalidated_index[9:0]];
        end
        if (local_enable) begin
            local_region_q <= regions[local_index[9:0]];
        end
        if (recheck_enable) begin
            recheck_region_q <= regions[recheck_index[9:0]];
        end
    end

    assign recheck_entry = {recheck_grants, recheck_region_q};
endmodule
`default_nettype wire
