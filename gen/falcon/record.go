package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Record describes one packet. If HasPayload is 1, PayloadLength octets are one packet on the payload stream; that of a packet for which a
// check is 1 has any length and must be discarded.
type Record struct {
	Transaction   Transaction
	Checks        Checks
	HasPayload    hdl.Value `doc:"the packet has a packet on the payload stream"`
	PayloadLength hdl.Value `doc:"octets of it, without pad"`
	Header        Header
}

// Checks are the rules that the octets of a packet break. Each is valid if those before it are 0; more is known once the QP is.
type Checks struct {
	ShortPacket  hdl.Value `doc:"the packet ends inside RBTH"`
	WrongVersion hdl.Value `doc:"Version is not 1"`
	BadOpcode    hdl.Value `doc:"the opcode is reserved, or of another Falcon packet type"`
	ShortHeaders hdl.Value `doc:"the packet ends inside the headers of its opcode"`
	BadPayload   hdl.Value `doc:"the octets after the headers are no multiple of 4, fewer than the pad, none in a Last of a push, or some where there are none; a Last or Only with CE may have any (I-74)"`
}

// Header is the fields of all headers. Those of a header that the opcode does not have have any value.
type Header struct {
	CE            hdl.Value `hdl:"ce" doc:"RBTH: Complete-in-Error"`
	SE            hdl.Value `hdl:"se" doc:"RBTH: Solicited Event"`
	Opcode        hdl.Value `doc:"RBTH: service in [7:5], operation in [4:0]"`
	DestinationQP hdl.Value `hdl:"destination_qp" doc:"RBTH: number of the QP"`
	SN            hdl.Value `hdl:"sn" doc:"RBTH: Sequence Number"`
	VA            hdl.Value `hdl:"va" doc:"RETH, AtomicETH: virtual address; AtomicAckETH: Original Data; DETH: Queue Key in [63:32], then Source QP"`
	RKey          hdl.Value `hdl:"r_key" doc:"RETH, AtomicETH: R-Key"`
	Length        hdl.Value `doc:"RETH: octets of the transaction"`
	Data          hdl.Value `doc:"AtomicETH: Swap / Add Data"`
	Compare       hdl.Value `doc:"AtomicETH: Compare Data"`
	RMSN          hdl.Value `hdl:"rmsn" doc:"SETH: Request Message Sequence Number"`
	Offset        hdl.Value `doc:"OETH: Message Offset"`
	SinkVA        hdl.Value `hdl:"sink_va" doc:"STETH: virtual address of the sink"`
	LKey          hdl.Value `hdl:"l_key" doc:"STETH: L-Key of the sink"`
	Word          hdl.Value `doc:"ImmDt: Immediate Data; IETH: R-Key to invalidate"`
	SRQ           hdl.Value `hdl:"srq" doc:"XRCETH: number of the shared receive queue"`
}

// srqBits is the width of the number of a shared receive queue.
const srqBits = 24

// lengthBits is the width of the octets of a packet.
const lengthBits = block.LengthBits

// RecordOf is the prototype.
func RecordOf(connections int) Record {
	bit, word, double := hdl.Bits(1), hdl.Bits(32), hdl.Bits(64)
	return Record{
		Transaction: Transaction{Type: hdl.Bits(typeBits), RSN: hdl.Bits(rsnBits), CID: hdl.Bits(block.IndexWidth(connections))},
		Checks:      Checks{ShortPacket: bit, WrongVersion: bit, BadOpcode: bit, ShortHeaders: bit, BadPayload: bit},
		HasPayload:  bit, PayloadLength: hdl.Bits(lengthBits),
		Header: Header{CE: bit, SE: bit, Opcode: hdl.Bits(spec.OpcodeBits), DestinationQP: hdl.Bits(24), SN: word, VA: double, RKey: word,
			Length: word, Data: double, Compare: double, RMSN: word, Offset: word, SinkVA: double, LKey: word, Word: word, SRQ: hdl.Bits(srqBits)},
	}
}
