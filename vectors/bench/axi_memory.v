// axi_memory is the memory for the AXI4 master in rnic_tb: at most RANGES address ranges, BLOCK octets in total. Reads and writes
// each take effect in the order of their addresses, after a random number of cycles; a write is in memory before its response.
// An access outside the ranges, or a violation of the rules for bursts, is an error.
`default_nettype none

module axi_memory #(
    parameter BUS_BYTES = 8,
    parameter BLOCK = 4096,
    parameter RANGES = 1
) (
    input  wire                   clk,
    input  wire                   rst,
    output wire                   busy,
    output reg  [31:0]            errors,
    input  wire                   arvalid,
    output reg                    arready,
    input  wire                   arid,
    input  wire [63:0]            araddr,
    input  wire [7:0]             arlen,
    input  wire [2:0]             arsize,
    input  wire [1:0]             arburst,
    output reg                    rvalid,
    input  wire                   rready,
    output reg                    rid,
    output reg  [8*BUS_BYTES-1:0] rdata,
    output reg  [1:0]             rresp,
    output reg                    rlast,
    input  wire                   awvalid,
    output reg                    awready,
    input  wire                   awid,
    input  wire [63:0]            awaddr,
    input  wire [7:0]             awlen,
    input  wire [2:0]             awsize,
    input  wire [1:0]             awburst,
    input  wire                   wvalid,
    output reg                    wready,
    input  wire [8*BUS_BYTES-1:0] wdata,
    input  wire [BUS_BYTES-1:0]   wstrb,
    input  wire                   wlast,
    output reg                    bvalid,
    input  wire                   bready,
    output reg                    bid,
    output reg  [1:0]             bresp
);
    localparam DEPTH = 16;   // bursts per direction
    localparam BEATS = 1024; // of write data

    // Set by the bench.
    reg [7:0]  octets [0:BLOCK-1];
    reg [7:0]  want   [0:BLOCK-1];    // expected final contents
    reg [2:0]  fails  [0:BLOCK-1];    // bit 0: reads fail, bit 1: writes, bit 2: with DECERR, else SLVERR
    reg [31:0] low, high;             // octets that may have changed
    integer    ranges;                // in use; the octets of each follow those of the previous one
    reg [63:0] range_base [0:RANGES-1];
    reg [31:0] range_size [0:RANGES-1];
    reg [31:0] range_at   [0:RANGES-1];
    integer    near;                  // range of the octet looked up last

    reg [72:0] reads  [0:DEPTH-1];    // {id, len, address}
    reg [72:0] writes [0:DEPTH-1];
    reg [9*BUS_BYTES:0] data [0:BEATS-1]; // {last, strobes, octets}
    integer read_first, reads_held, write_first, writes_held, data_first, beats_held, lasts_held;
    integer read_wait, write_wait, beat, seed, i, k, r;
    reg        in_read, last, inside;
    reg [7:0]  len;
    reg [63:0] read_address, address;
    reg [7:0]  read_len;
    reg [BUS_BYTES-1:0]   strobes;
    reg [8*BUS_BYTES-1:0] word;
    wire       go_ar, go_aw, go_w, go_r, go_b;

    pace #(.PORT(7))  pace_ar (.clk(clk), .go(go_ar));
    pace #(.PORT(8))  pace_aw (.clk(clk), .go(go_aw));
    pace #(.PORT(9))  pace_w  (.clk(clk), .go(go_w));
    pace #(.PORT(10)) pace_r  (.clk(clk), .go(go_r));
    pace #(.PORT(11)) pace_b  (.clk(clk), .go(go_b));

    assign busy = arvalid !== 1'b0 || awvalid !== 1'b0 || wvalid !== 1'b0 || rvalid || bvalid || reads_held != 0 || writes_held != 0;

    // Transfers at the rising edge. Everything else changes at the falling edge, when nothing is sampled.
    reg        took_ar, took_r, took_aw, took_w, took_b;
    reg [72:0] ar_beat, aw_beat;
    reg [4:0]  ar_kind, aw_kind;      // {size, burst}
    reg [9*BUS_BYTES:0] w_beat;
    always @(posedge clk) begin
        took_ar <= !rst && arvalid !== 1'b0 && arready;
        took_r  <= !rst && rvalid && rready === 1'b1;
        took_aw <= !rst && awvalid !== 1'b0 && awready;
        took_w  <= !rst && wvalid !== 1'b0 && wready;
        took_b  <= !rst && bvalid && bready === 1'b1;
        ar_beat <= {arid, arlen, araddr};
        aw_beat <= {awid, awlen, awaddr};
        ar_kind <= {arsize, arburst};
        aw_kind <= {awsize, awburst};
        w_beat  <= {wlast, wstrb, wdata};
        if (!rst && (^{arvalid, awvalid, wvalid}) === 1'bx) complain("a valid is unknown", 64'd0);
    end

    initial begin
        errors = 0;
        ranges = 0;
        near = 0;
        low = BLOCK;
        high = 0;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        empty;
    end

    task empty;
        begin
            read_first = 0;
            reads_held = 0;
            write_first = 0;
            writes_held = 0;
            data_first = 0;
            beats_held = 0;
            lasts_held = 0;
            read_wait = 0;
            write_wait = 0;
            beat = 0;
            in_read = 1'b0;
            rvalid = 1'b0;
            bvalid = 1'b0;
            arready = 1'b0;
            awready = 1'b0;
            wready = 1'b0;
        end
    endtask

    task complain;
        input [8*48-1:0] what;
        input [63:0]     at;
        begin
            errors = errors + 1;
            if (errors <= 20) $display("mismatch: m_axi: %0s, address %h", what, at);
        end
    endtask

    // place looks up an octet by address: k is its number, or -1.
    task place;
        input [63:0] at;
        begin
            k = -1;
            if (near < ranges && at - range_base[near] < {32'd0, range_size[near]}) k = range_at[near] + at - range_base[near];
            else
                for (r = 0; r < ranges && k < 0; r = r + 1)
                    if (at - range_base[r] < {32'd0, range_size[r]}) begin
                        near = r;
                        k = range_at[r] + at - range_base[r];
                    end
        end
    endtask

    // touch marks an octet as possibly changed.
    task touch;
        input [31:0] octet;
        begin
            if (octet < low) low = octet;
            if (octet > high) high = octet;
        end
    endtask

    // rules checks the address of a burst.
    task rules;
        input [71:0] of; // {len, address}
        input [2:0]  width;
        input [1:0]  kind;
        begin
            if (kind !== 2'b01) complain("a burst is not incrementing", of[63:0]);
            if ((32'd1 << width) !== BUS_BYTES) complain("a beat is not as wide as the bus", of[63:0]);
            if (of[63:0] % BUS_BYTES !== 64'd0) complain("an address is not a multiple of the bus width", of[63:0]);
            if ({20'd0, of[11:0]} + ({24'd0, of[71:64]} + 1) * BUS_BYTES > 4096) complain("a burst crosses 4 KiB", of[63:0]);
        end
    endtask

    always @(negedge clk)
        if (rst) empty;
        else begin
            if (took_ar) begin
                reads[(read_first + reads_held) % DEPTH] = ar_beat;
                rules(ar_beat[71:0], ar_kind[4:2], ar_kind[1:0]);
                reads_held = reads_held + 1;
            end
            if (took_aw) begin
                writes[(write_first + writes_held) % DEPTH] = aw_beat;
                rules(aw_beat[71:0], aw_kind[4:2], aw_kind[1:0]);
                writes_held = writes_held + 1;
            end
            if (took_w) begin
                data[(data_first + beats_held) % BEATS] = w_beat;
                beats_held = beats_held + 1;
                if (w_beat[9*BUS_BYTES] === 1'b1) lasts_held = lasts_held + 1;
            end
            if (took_r) begin
                rvalid = 1'b0;
                if (rlast) in_read = 1'b0;
            end
            if (took_b) bvalid = 1'b0;

            // Reads: one beat per cycle.
            if (!in_read && reads_held != 0) begin
                if (read_wait == 0) begin
                    {rid, read_len, read_address} = reads[read_first];
                    read_first = (read_first + 1) % DEPTH;
                    reads_held = reads_held - 1;
                    read_wait = $unsigned($random(seed)) % 8;
                    beat = 0;
                    in_read = 1'b1;
                end
                else read_wait = read_wait - 1;
            end
            if (!rvalid && in_read && go_r === 1'b1) begin
                rresp = 2'b00;
                inside = 1'b0;
                for (i = 0; i < BUS_BYTES; i = i + 1) begin
                    place(read_address + i);
                    rdata[8*i +: 8] = 8'h00;
                    if (k >= 0) begin
                        inside = 1'b1;
                        rdata[8*i +: 8] = octets[k];
                        if (fails[k][0]) rresp = {1'b1, fails[k][2]};
                    end
                end
                if (!inside) complain("a read outside of memory", read_address);
                if (rresp != 2'b00) rdata = ~rdata;
                rlast = beat == read_len;
                read_address = read_address + BUS_BYTES;
                beat = beat + 1;
                rvalid = 1'b1;
            end

            // Writes: a complete burst, then its response.
            if (!bvalid && writes_held != 0 && lasts_held != 0 && go_b === 1'b1) begin
                if (write_wait == 0) begin
                    {bid, len, address} = writes[write_first];
                    write_first = (write_first + 1) % DEPTH;
                    writes_held = writes_held - 1;
                    write_wait = $unsigned($random(seed)) % 16;
                    bresp = 2'b00;
                    last = 1'b0;
                    for (i = 0; !last; i = i + 1) begin
                        {last, strobes, word} = data[data_first];
                        data_first = (data_first + 1) % BEATS;
                        beats_held = beats_held - 1;
                        put;
                        address = address + BUS_BYTES;
                    end
                    if (i != len + 1) complain("wlast is not on the last beat of a burst", address);
                    lasts_held = lasts_held - 1;
                    bvalid = 1'b1;
                end
                else write_wait = write_wait - 1;
            end

            arready = go_ar === 1'b1 && reads_held < DEPTH;
            awready = go_aw === 1'b1 && writes_held < DEPTH;
            wready  = go_w === 1'b1 && beats_held < BEATS;
        end

    // put writes one beat, completely or not at all.
    task put;
        integer n;
        reg     bad;
        begin
            bad = 1'b0;
            for (n = 0; n < BUS_BYTES; n = n + 1)
                if (strobes[n] !== 1'b0) begin
                    place(address + n);
                    if (k < 0) complain("a write outside of memory", address);
                    else if (fails[k][1]) begin
                        bad = 1'b1;
                        bresp = {1'b1, fails[k][2]};
                    end
                end
            for (n = 0; n < BUS_BYTES; n = n + 1)
                if (strobes[n] !== 1'b0 && !bad) begin
                    place(address + n);
                    if (k >= 0) begin
                        octets[k] = word[8*n +: 8];
                        touch(k);
                    end
                end
        end
    endtask
endmodule

`default_nettype wire
