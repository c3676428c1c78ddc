// falcon_packet is one packet of RDMA over Falcon, written by hand from the text of RoF 8: what its opcode demands, the fields of its
// headers, and the checks that its octets break. Octet 0 is octets[479:472]. With MIRRORED, bit number i of a figure is the bit of weight
// 2^i of a word, otherwise the leftmost bit is the most significant (I-24). XRC has the operations of RC (I-28).
`default_nettype none
module falcon_packet #(parameter MIRRORED = 0) (
    input  wire [479:0] octets,
    input  wire [15:0]  length,
    input  wire [2:0]   packet_type,      // of Falcon
    output wire [7:0]   opcode,
    output wire [1:0]   pad,
    output wire         ce, se,
    output wire [23:0]  destination_qp,
    output wire [31:0]  sn,
    output reg          known,            // the opcode is not reserved
    output reg  [2:0]   wants_type,       // Falcon packet type of the opcode
    output reg          carries,          // payload may follow its headers
    output reg          is_last,          // payload must
    output wire         has_xrceth,
    output wire [5:0]   header_length,    // octets of its headers
    // The first of these that is 1 is what is wrong.
    output wire         short_packet, bad_opcode, short_headers, bad_payload,
    output wire         wrong_version,    // besides, unless the packet is short
    // Headers of the opcode, and their fields.
    output reg          reth, seth, oeth, steth, immdt, atomic_eth, atomic_ack_eth, deth,
    output reg  [3:0]   seth_at, steth_at, immdt_at, // their words behind RBTH and XRCETH
    output wire [63:0]  va,               // the first 8 octets of RETH, AtomicETH, AtomicAckETH or DETH
    output wire [31:0]  r_key, reth_length,
    output wire [63:0]  swap_add_data, compare_data,
    output wire [31:0]  rmsn, message_offset,
    output wire [63:0]  sink_va,
    output wire [31:0]  sink_key,
    output wire [31:0]  immediate,        // of ImmDt or IETH
    output wire [23:0]  srq
);
    wire [31:0] first = octets[479:448], second = octets[447:416], fourth = octets[383:352];
    assign opcode         = MIRRORED == 1 ? first[31:24] : first[7:0];
    assign se             = MIRRORED == 1 ? first[23] : first[8];
    assign pad            = MIRRORED == 1 ? first[21:20] : first[11:10];
    assign ce             = MIRRORED == 1 ? first[19] : first[12];
    wire [3:0] version    = MIRRORED == 1 ? first[3:0] : first[31:28];
    assign destination_qp = MIRRORED == 1 ? second[23:0] : second[31:8];
    assign srq            = MIRRORED == 1 ? fourth[23:0] : fourth[31:8];
    assign sn             = octets[415:384];

    // Headers behind RBTH and XRCETH, by opcode.
    wire is_rc = opcode[7:5] == 3'b000, is_ud = opcode[7:5] == 3'b011, is_xrc = opcode[7:5] == 3'b101;
    reg  [3:0] words;
    always @* begin
        {reth, seth, oeth, steth, immdt, atomic_eth, atomic_ack_eth, deth} = 8'd0;
        {words, seth_at, steth_at, immdt_at} = 16'd0;
        known = is_rc || is_xrc; wants_type = 3'd5; carries = 1'b1; is_last = 1'b0;
        case (opcode[4:0])
            5'h00, 5'h01, 5'h02, 5'h04: begin seth = 1; oeth = 1; words = 2; end                          // SEND First, Middle, Last, Only
            5'h03, 5'h05, 5'h16, 5'h17: begin seth = 1; oeth = 1; immdt = 1; immdt_at = 2; words = 3; end // with Immediate, with Invalidate
            5'h06, 5'h07, 5'h08, 5'h0A: begin reth = 1; words = 4; end                                    // WRITE First, Middle, Last, Only
            5'h09, 5'h0B: begin reth = 1; seth = 1; seth_at = 4; immdt = 1; immdt_at = 5; words = 6; end  // with Immediate
            5'h0C: begin reth = 1; seth = 1; seth_at = 4; steth = 1; steth_at = 5; words = 8; end         // READ Request
            5'h0D, 5'h0E, 5'h0F, 5'h10: begin steth = 1; words = 3; end                                   // READ Response
            5'h12: begin atomic_ack_eth = 1; steth = 1; steth_at = 2; words = 5; end                      // ATOMIC Response
            5'h13, 5'h14: begin atomic_eth = 1; seth = 1; seth_at = 7; steth = 1; steth_at = 8; words = 11; end // ATOMIC CmpSwap, FetchAdd
            default: known = 1'b0;
        endcase
        case (opcode[4:0])
            5'h0C, 5'h13, 5'h14: begin wants_type = 3'd0; carries = 1'b0; end       // pull requests
            5'h0D, 5'h0E, 5'h0F, 5'h10: wants_type = 3'd3;                          // pull data
            5'h12: begin wants_type = 3'd3; carries = 1'b0; end
            default: ;
        endcase
        case (opcode[4:0])
            5'h02, 5'h03, 5'h08, 5'h09, 5'h16: is_last = 1'b1; // of pushes
            default: ;
        endcase
        if (is_ud) begin // SEND Only, with Immediate: DETH instead of SETH and OETH
            known = opcode[4:0] == 5'h04 || opcode[4:0] == 5'h05;
            {deth, seth, oeth} = 3'b100;
        end
    end
    assign has_xrceth    = is_xrc && wants_type != 3'd3; // requests only
    assign header_length = {words, 2'd0} + (has_xrceth ? 6'd16 : 6'd12);

    wire [351:0] others = has_xrceth ? octets[351:0] : octets[383:32];
    function [95:0] three(input [3:0] at); three = others[351 - 32*at -: 96]; endfunction
    assign {va, r_key}            = three(4'd0);
    assign reth_length            = others[255:224];
    assign swap_add_data          = others[255:192];
    assign compare_data           = others[191:128];
    assign rmsn                   = others[351 - 32*seth_at -: 32];
    assign message_offset         = others[319:288];
    assign {sink_va, sink_key}    = three(steth_at);
    assign immediate              = others[351 - 32*immdt_at -: 32];

    wire [15:0] rest     = length - header_length;
    assign short_packet  = length < 16'd12;
    assign wrong_version = version != 4'd1;
    assign bad_opcode    = !known || packet_type != wants_type;
    assign short_headers = length < header_length;
    assign bad_payload   = rest % 4 != 0 || rest < pad || !carries && rest != 0 || is_last && rest == 0;
endmodule
`default_nettype wire
