// retire_monitor.v is the part of rnic_atomics_tb that watches the retire port.
`default_nettype none

// retire_monitor compares the executed accesses of the streams with an image; those of the host pass by.
module retire_monitor #(
    parameter STREAM_BITS = 1,
    parameter INDEX_BITS = 1,
    parameter RETIRED = 0,
    parameter RETIRED_FILE = ""
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   seek,
    input  wire [31:0]            seek_to,
    output reg  [31:0]            next,
    output reg  [31:0]            errors,
    output reg  [31:0]            compared,
    input  wire                   valid,
    input  wire                   host,
    input  wire [STREAM_BITS-1:0] stream,
    input  wire [3:0]             opcode,
    input  wire [INDEX_BITS-1:0]  index,
    input  wire [63:0]            original,
    input  wire [63:0]            result
);
    reg [211:0] retired [0:RETIRED];

    reg [31:0] tcid;
    reg [15:0] want_stream;
    reg [3:0]  want_opcode;
    reg [31:0] want_index;
    reg [63:0] want_original;
    reg [63:0] want_result;

    initial begin
        next = 0;
        errors = 0;
        compared = 0;
        $readmemh(RETIRED_FILE, retired);
        if (retired[RETIRED] !== {212{1'b1}}) begin
            $display("mismatch: the image of retire is missing, or is not whole");
            errors = 1;
        end
    end

    always @(posedge clk) begin
        if (seek) next = seek_to;
        if (!rst && valid !== 1'b0 && (valid !== 1'b1 || host !== 1'b0 && host !== 1'b1)) complain("valid or host", 0, 0);
        else if (!rst && valid === 1'b1 && !host) begin
            compared = compared + 1;
            {tcid, want_stream, want_opcode, want_index, want_original, want_result} = retired[next];
            if (next >= RETIRED) complain("an access too many", 0, 0);
            else begin
                if (stream !== want_stream[STREAM_BITS-1:0]) complain("stream", stream, want_stream);
                if (opcode !== want_opcode) complain("opcode", opcode, want_opcode);
                if (index !== want_index[INDEX_BITS-1:0]) complain("index", index, want_index);
                if (original !== want_original) complain("original", original, want_original);
                if (result !== want_result) complain("result", result, want_result);
            end
            next = next + 1;
        end
    end

    task complain;
        input [8*20-1:0] what;
        input [63:0]     is;
        input [63:0]     want;
        begin
            errors = errors + 1;
            if (errors <= 20)
                $display("mismatch: tcId %0d: retire: access %0d: %0s is %0h, expected %0h", tcid, next, what, is, want);
        end
    endtask
endmodule

`default_nettype wire
