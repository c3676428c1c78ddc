package roce

import "fmt"

// Opcode is the BTH opcode: transport service in the upper 3 bits, operation in the lower 5.
type Opcode uint8

// Opcodes that this package's users look for.
const (
	SendOnly         Opcode = 0x04
	ReadRequest      Opcode = 0x0C
	ReadResponseOnly Opcode = 0x10
	Acknowledge      Opcode = 0x11
	AtomicAck        Opcode = 0x12
	CmpSwap          Opcode = 0x13
	FetchAdd         Opcode = 0x14
	Flush            Opcode = 0x1C
	AtomicWrite      Opcode = 0x1D
)

// headers is the set of extended headers after the BTH, which follow in the order of the constants.
type headers uint16

const (
	hasDETH headers = 1 << iota
	hasFETH
	hasRETH
	hasAtomicETH
	hasAETH
	hasAtomicAckETH
	hasImmDt
	hasIETH
	isResponse // no header: the packet responds to a request
)

// operations is indexed by the lower 5 bits, as the reliable connected service has them.
var operations = [32]struct {
	name    string
	headers headers
}{
	0x00: {"send_first", 0},
	0x01: {"send_middle", 0},
	0x02: {"send_last", 0},
	0x03: {"send_last_imm", hasImmDt},
	0x04: {"send_only", 0},
	0x05: {"send_only_imm", hasImmDt},
	0x06: {"write_first", hasRETH},
	0x07: {"write_middle", 0},
	0x08: {"write_last", 0},
	0x09: {"write_last_imm", hasImmDt},
	0x0A: {"write_only", hasRETH},
	0x0B: {"write_only_imm", hasRETH | hasImmDt},
	0x0C: {"read_request", hasRETH},
	0x0D: {"read_response_first", hasAETH | isResponse},
	0x0E: {"read_response_middle", isResponse},
	0x0F: {"read_response_last", hasAETH | isResponse},
	0x10: {"read_response_only", hasAETH | isResponse},
	0x11: {"acknowledge", hasAETH | isResponse},
	0x12: {"atomic_acknowledge", hasAETH | hasAtomicAckETH | isResponse},
	0x13: {"cmp_swap", hasAtomicETH},
	0x14: {"fetch_add", hasAtomicETH},
	0x16: {"send_last_inv", hasIETH},
	0x17: {"send_only_inv", hasIETH},
	0x1C: {"flush", hasFETH | hasRETH},
	0x1D: {"atomic_write", hasRETH},
}

// Services with known headers. Unreliable datagrams are Send Only, with or without immediate data.
const (
	serviceRC = 0
	serviceUC = 1
	serviceUD = 3
)

// layout finds name and headers; false: an opcode of which only the BTH is understood.
func (o Opcode) layout() (string, headers, bool) {
	op := operations[o&0x1F]
	service := map[Opcode]string{serviceRC: "rc", serviceUC: "uc", serviceUD: "ud"}[o>>5]
	low := o & 0x1F
	known := op.name != "" && service != "" &&
		(o>>5 == serviceRC || o>>5 == serviceUC && low <= 0x0B || o>>5 == serviceUD && (low == 0x04 || low == 0x05))
	if !known {
		return fmt.Sprintf("opcode_%02x", uint8(o)), 0, false
	}
	if o>>5 == serviceUD {
		op.headers |= hasDETH
	}
	return service + "_" + op.name, op.headers, true
}

// String is the name, such as rc_fetch_add.
func (o Opcode) String() string {
	name, _, _ := o.layout()
	return name
}
