// stag_table holds the regions of memory that STags name (RFC 5041 section 4.2). Its four ports look up rows
// independently, each one per cycle: the entry appears in the next cycle and stays until the port's next lookup. A
// row that does not exist reads as zeros, which is not valid.
//
// An invalidation already affects the lookups of its own cycle; so does a write. A write waits in a cycle with an
// invalidation. After reset every row is invalidated, one per cycle: until ready, no write is accepted, invalidations
// have no effect, and every lookup finds nothing.
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

    // ---- Changes: the valid bits are in a separate memory, since an invalidation has no other field of its row
    wire         write_taken      = swept_q & ~invalidate;
    assign write_ready = write_taken;
    wire         write            = write_valid & swept_q & ~invalidate & (~|write_index[23:10]);
    wire         invalidate_row   = invalidate & (~|invalidate_index[23:10]);
    wire [223:0] written_entry    = {
        write_entry_valid, write_entry_key, write_entry_rights_local_read, write_entry_rights_local_write,
        write_entry_rights_remote_read, write_entry_rights_remote_write, write_entry_rights_remote_atomic,
        write_entry_rights_invalidate, write_entry_by_domain, write_entry_owner, write_entry_base,
        write_entry_length, write_entry_address
    };
    reg          valid_rows [0:1023];
    wire         write_valid_rows = ~swept_q | invalidate_row | write;
    wire [9:0]   valid_rows_row   =
        ~swept_q       ? sweep_q :
        invalidate_row ? invalidate_index[9:0] :
                         write_index[9:0];
    wire         valid_rows_word  =
        ~swept_q       ? 1'b0 :
        invalidate_row ? 1'b0 :
                         written_entry[223];
    reg  [222:0] regions [0:1023];

    // ---- Lookups: a row outside the table, or not yet swept, reads as zeros
    reg main_there_q;
    reg invalidated_there_q;
    reg local_there_q;
    reg recheck_there_q;

    always @(posedge clk) begin
        if (main_enable) begin
            main_there_q <= swept_q & (~|main_index[23:10]);
        end
        if (invalidated_enable) begin
            invalidated_there_q <= swept_q & (~|invalidated_index[23:10]);
        end
        if (local_enable) begin
            local_there_q <= swept_q & (~|local_index[23:10]);
        end
        if (recheck_enable) begin
            recheck_there_q <= swept_q & (~|recheck_index[23:10]);
        end
        if (rst) begin
            main_there_q        <= 1'b0;
            invalidated_there_q <= 1'b0;
            local_there_q       <= 1'b0;
            recheck_there_q     <= 1'b0;
        end
    end

    reg          main_valid_old_q;
    reg          main_valid_new_q;
    reg          main_valid_is_new_q;
    wire         main_valid             = main_valid_is_new_q ? main_valid_new_q : main_valid_old_q;
    reg  [222:0] main_region_old_q;
    reg  [222:0] main_region_new_q;
    reg          main_region_is_new_q;
    wire [222:0] main_region            = main_region_is_new_q ? main_region_new_q : main_region_old_q;
    assign main_entry        = {main_valid, main_region} & {224{main_there_q}};
    reg          invalidated_valid_old_q;
    reg          invalidated_valid_new_q;
    reg          invalidated_valid_is_new_q;
    wire         invalidated_valid      =
        invalidated_valid_is_new_q ? invalidated_valid_new_q : invalidated_valid_old_q;
    reg  [222:0] invalidated_region_old_q;
    reg  [222:0] invalidated_region_new_q;
    reg          invalidated_region_is_new_q;
    wire [222:0] invalidated_region     =
        invalidated_region_is_new_q ? invalidated_region_new_q : invalidated_region_old_q;
    assign invalidated_entry = {invalidated_valid, invalidated_region} & {224{invalidated_there_q}};
    reg          local_valid_old_q;
    reg          local_valid_new_q;
    reg          local_valid_is_new_q;
    wire         local_valid            = local_valid_is_new_q ? local_valid_new_q : local_valid_old_q;
    reg  [222:0] local_region_old_q;
    reg  [222:0] local_region_new_q;
    reg          local_region_is_new_q;
    wire [222:0] local_region           = local_region_is_new_q ? local_region_new_q : local_region_old_q;
    assign local_entry       = {local_valid, local_region} & {224{local_there_q}};
    reg          recheck_valid_old_q;
    reg          recheck_valid_new_q;
    reg          recheck_valid_is_new_q;
    wire         recheck_valid          = recheck_valid_is_new_q ? recheck_valid_new_q : recheck_valid_old_q;
    wire [9:0]   main_valid_addr        = main_index[9:0];
    wire [9:0]   invalidated_valid_addr = invalidated_index[9:0];
    wire [9:0]   local_valid_addr       = local_index[9:0];
    wire [9:0]   recheck_valid_addr     = recheck_index[9:0];

    always @(posedge clk) begin
        if (write_valid_rows) begin
            valid_rows[valid_rows_row] <= valid_rows_word;
        end
        if (main_enable) begin
            main_valid_old_q <= valid_rows[main_valid_addr];
        end
        if (invalidated_enable) begin
            invalidated_valid_old_q <= valid_rows[invalidated_valid_addr];
        end
        if (local_enable) begin
            local_valid_old_q <= valid_rows[local_valid_addr];
        end
        if (recheck_enable) begin
            recheck_valid_old_q <= valid_rows[recheck_valid_addr];
        end
    end

    always @(posedge clk) begin
        if (main_enable) begin
            main_valid_is_new_q <= write_valid_rows & (valid_rows_row == main_valid_addr);
            main_valid_new_q    <= valid_rows_word;
        end
        if (invalidated_enable) begin
            invalidated_valid_is_new_q <= write_valid_rows & (valid_rows_row == invalidated_valid_addr);
            invalidated_valid_new_q    <= valid_rows_word;
        end
        if (local_enable) begin
            local_valid_is_new_q <= write_valid_rows & (valid_rows_row == local_valid_addr);
            local_valid_new_q    <= valid_rows_word;
        end
        if (recheck_enable) begin
            recheck_valid_is_new_q <= write_valid_rows & (valid_rows_row == recheck_valid_addr);
            recheck_valid_new_q    <= valid_rows_word;
        end
    end

    reg  [222:0] recheck_region_old_q;
    reg  [222:0] recheck_region_new_q;
    reg          recheck_region_is_new_q;
    wire [222:0] recheck_region          =
        recheck_region_is_new_q ? recheck_region_new_q : recheck_region_old_q;
    wire [9:0]   main_region_addr        = main_index[9:0];
    wire [9:0]   regions_write_addr      = write_index[9:0];
    wire [222:0] regions_write_data      = written_entry[222:0];
    wire [9:0]   invalidated_region_addr = invalidated_index[9:0];
    wire [9:0]   local_region_addr       = local_index[9:0];
    wire [9:0]   recheck_region_addr     = recheck_index[9:0];

    always @(posedge clk) begin
        if (write) begin
            regions[regions_write_addr] <= regions_write_data;
        end
        if (main_enable) begin
            main_region_old_q <= regions[main_region_addr];
        end
        if (invalidated_enable) begin
            invalidated_region_old_q <= regions[invalidated_region_addr];
        end
        if (local_enable) begin
            local_region_old_q <= regions[local_region_addr];
        end
        if (recheck_enable) begin
            recheck_region_old_q <= regions[recheck_region_addr];
        end
    end

    always @(posedge clk) begin
        if (main_enable) begin
            main_region_is_new_q <= write & (regions_write_addr == main_region_addr);
            main_region_new_q    <= regions_write_data;
        end
        if (invalidated_enable) begin
            invalidated_region_is_new_q <= write & (regions_write_addr == invalidated_region_addr);
            invalidated_region_new_q    <= regions_write_data;
        end
        if (local_enable) begin
            local_region_is_new_q <= write & (regions_write_addr == local_region_addr);
            local_region_new_q    <= regions_write_data;
        end
        if (recheck_enable) begin
            recheck_region_is_new_q <= write & (regions_write_addr == recheck_region_addr);
            recheck_region_new_q    <= regions_write_data;
        end
    end

    assign recheck_entry = {recheck_valid, recheck_region} & {224{recheck_there_q}};
endmodule
`default_nettype wire
