// vector_monitors.v has the parts of rnic_atomics_tb that watch its ports.
`default_nettype none

// packet_monitor compares the packets of an AXI4-Stream with an image. Octets that tkeep leaves out may be
// anything.
module packet_monitor #(
    parameter NAME = "",
    parameter BUS_BYTES = 8,
    parameter STREAM_BITS = 1,
    parameter PACKETS = 0,
    parameter OCTETS = 0,
    parameter PACKETS_FILE = "",
    parameter OCTETS_FILE = ""
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   seek,    // go on with packet seek_to
    input  wire [31:0]            seek_to,
    output reg  [31:0]            next,    // packet that is expected next
    output reg  [31:0]            errors,
    output reg  [31:0]            compared,
    input  wire                   tvalid,
    input  wire                   tready,
    input  wire [8*BUS_BYTES-1:0] tdata,
    input  wire [BUS_BYTES-1:0]   tkeep,
    input  wire                   tlast,
    input  wire [STREAM_BITS-1:0] tuser
);
    reg [111:0] packets [0:PACKETS]; // {tcId, stream, octets, number of the first octet}
    reg [7:0]   octets  [0:OCTETS];

    reg [31:0] tcid;
    reg [15:0] stream;
    reg [31:0] length;
    reg [31:0] first;
    reg [31:0] at;                   // octet of the packet with which the beat starts
    reg        wrong;
    integer    lane;

    initial begin
        next = 0;
        at = 0;
        errors = 0;
        compared = 0;
        $readmemh(PACKETS_FILE, packets);
        $readmemh(OCTETS_FILE, octets);
        if (packets[PACKETS] !== {112{1'b1}} || octets[OCTETS] !== 8'hff) begin
            $display("mismatch: an image of %0s is missing, or is not whole", NAME);
            errors = 1;
        end
    end

    always @(posedge clk) begin
        if (seek) begin
            next = seek_to;
            at = 0;
        end
        if (rst) at = 0;
        else if (tvalid !== 1'b0 && tvalid !== 1'b1) complain("tvalid is unknown");
        else if (tvalid === 1'b1 && tready === 1'b1) begin
            compared = compared + 1;
            {tcid, stream, length, first} = packets[next];
            if (next >= PACKETS) complain("is a packet too many");
            else begin
                if (tuser !== stream[STREAM_BITS-1:0]) complain("tuser is wrong");
                wrong = 1'b0;
                for (lane = 0; lane < BUS_BYTES; lane = lane + 1)
                    if (tkeep[lane] !== (at + lane < length)) wrong = 1'b1;
                if (wrong || tlast !== (at + BUS_BYTES >= length)) complain("the packet's length is wrong");
                wrong = 1'b0;
                for (lane = 0; lane < BUS_BYTES; lane = lane + 1)
                    if (at + lane < length && tdata[8*lane +: 8] !== octets[first + at + lane]) wrong = 1'b1;
                if (wrong) complain("an octet is wrong");
            end
            at = at + BUS_BYTES;
            if (tlast !== 1'b0) begin
                at = 0;
                next = next + 1;
            end
        end
    end

    task complain;
        input [8*32-1:0] what;
        begin
            errors = errors + 1;
            if (errors <= 20)
                $display("mismatch: tcId %0d: %0s: packet %0d from octet %0d: %0s; stream %0d, tkeep %b, tlast %b, tdata %h",
                    tcid, NAME, next, at, what, tuser, tkeep, tlast, tdata);
        end
    endtask
endmodule

// record_monitor compares the records with an image.
module record_monitor #(
    parameter STREAM_BITS = 1,
    parameter RECORDS = 0,
    parameter RECORDS_FILE = ""
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   seek,
    input  wire [31:0]            seek_to,
    output reg  [31:0]            next,
    output reg  [31:0]            errors,
    output reg  [31:0]            compared,
    input  wire                   valid,
    input  wire                   ready,
    input  wire [STREAM_BITS-1:0] stream,
    input  wire [3:0]             error,
    input  wire [3:0]             term_layer,
    input  wire [3:0]             term_etype,
    input  wire [7:0]             term_code,
    input  wire [15:0]            segment_length,
    input  wire [15:0]            payload_length,
    input  wire [559:0]           header
);
    reg [659:0] records [0:RECORDS];

    reg [31:0]  tcid;
    reg [15:0]  want_stream;
    reg [3:0]   want_error;
    reg [3:0]   want_layer;
    reg [3:0]   want_etype;
    reg [7:0]   want_code;
    reg [15:0]  want_segment;
    reg [15:0]  want_payload;
    reg [559:0] want_header;

    initial begin
        next = 0;
        errors = 0;
        compared = 0;
        $readmemh(RECORDS_FILE, records);
        if (records[RECORDS] !== {660{1'b1}}) begin
            $display("mismatch: the image of m_record is missing, or is not whole");
            errors = 1;
        end
    end

    always @(posedge clk) begin
        if (seek) next = seek_to;
        if (!rst && valid !== 1'b0 && valid !== 1'b1) complain("valid", 0, 0);
        else if (!rst && valid === 1'b1 && ready === 1'b1) begin
            compared = compared + 1;
            {tcid, want_stream, want_error, want_layer, want_etype, want_code, want_segment, want_payload, want_header} = records[next];
            if (next >= RECORDS) complain("a record too many", 0, 0);
            else begin
                if (stream !== want_stream[STREAM_BITS-1:0]) complain("stream", stream, want_stream);
                if (error !== want_error) complain("error", error, want_error);
                if (term_layer !== want_layer) complain("term_layer", term_layer, want_layer);
                if (term_etype !== want_etype) complain("term_etype", term_etype, want_etype);
                if (term_code !== want_code) complain("term_code", term_code, want_code);
                if (segment_length !== want_segment) complain("segment_length", segment_length, want_segment);
                if (payload_length !== want_payload) complain("payload_length", payload_length, want_payload);
                if (header !== want_header) complain("header", header, want_header);
            end
            next = next + 1;
        end
    end

    task complain;
        input [8*20-1:0] what;
        input [559:0]    is;
        input [559:0]    want;
        begin
            errors = errors + 1;
            if (errors <= 20)
                $display("mismatch: tcId %0d: m_record: record %0d: %0s is %0h, expected %0h", tcid, next, what, is, want);
        end
    endtask
endmodule

// answer_monitor compares the answers of the host port with an image. Where a word was undefined its answer is not
// compared, but has to come.
module answer_monitor #(
    parameter ANSWERS = 0,
    parameter ANSWERS_FILE = ""
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        seek,
    input  wire [31:0] seek_to,
    output reg  [31:0] next,
    output reg  [31:0] errors,
    output reg  [31:0] compared,
    input  wire        valid,
    input  wire        ready,
    input  wire [63:0] data
);
    reg [99:0] answers [0:ANSWERS];

    reg [31:0] tcid;
    reg [3:0]  defined;
    reg [63:0] want;

    initial begin
        next = 0;
        errors = 0;
        compared = 0;
        $readmemh(ANSWERS_FILE, answers);
        if (answers[ANSWERS] !== {100{1'b1}}) begin
            $display("mismatch: the image of m_host is missing, or is not whole");
            errors = 1;
        end
    end

    always @(posedge clk) begin
        if (seek) next = seek_to;
        if (!rst && valid !== 1'b0 && valid !== 1'b1) complain("valid");
        else if (!rst && valid === 1'b1 && ready === 1'b1) begin
            {tcid, defined, want} = answers[next];
            if (next >= ANSWERS) complain("an answer too many");
            else if (defined[0]) begin
                compared = compared + 1;
                if (data !== want) complain("data");
            end
            next = next + 1;
        end
    end

    task complain;
        input [8*20-1:0] what;
        begin
            errors = errors + 1;
            if (errors <= 20)
                $display("mismatch: tcId %0d: m_host: answer %0d: %0s is %h, expected %h", tcid, next, what, data, want);
        end
    endtask
endmodule

`default_nettype wire
