package spec

import "fmt"

// Opcode is the RDMAP opcode, 4 bits: RFC 5040 section 4.1 (0 to 7), RFC 7306 section 4.1 (8 to 0xB). Its methods know
// no extension: with one, the methods of Extensions.
type Opcode uint8

const (
	OpWrite          Opcode = 0x0 // RDMA Write
	OpReadRequest    Opcode = 0x1 // RDMA Read Request
	OpReadResponse   Opcode = 0x2 // RDMA Read Response
	OpSend           Opcode = 0x3 // Send
	OpSendInv        Opcode = 0x4 // Send with Invalidate
	OpSendSE         Opcode = 0x5 // Send with Solicited Event
	OpSendSEInv      Opcode = 0x6 // Send with Solicited Event and Invalidate
	OpTerminate      Opcode = 0x7 // Terminate
	OpImmediate      Opcode = 0x8 // Immediate Data
	OpImmediateSE    Opcode = 0x9 // Immediate Data with Solicited Event
	OpAtomicRequest  Opcode = 0xA // Atomic Request
	OpAtomicResponse Opcode = 0xB // Atomic Response
)

// OpcodeBits is the width of an opcode.
const OpcodeBits = 4

// Operation returns the opcode's row; an empty row and false for a reserved opcode.
func (o Opcode) Operation() (*Operation, bool) {
	if int(o) >= len(Operations) {
		return &noOperation, false
	}
	return &Operations[o], true
}

var noOperation Operation

// Class returns the class of the opcode's operation; 0 for a reserved opcode.
func (o Opcode) Class() Class {
	row, _ := o.Operation()
	return row.Class
}

// Is reports whether the opcode's operation is in one of the classes; a reserved opcode is in none.
func (o Opcode) Is(c Class) bool { return o.Class()&c != 0 }

// String returns the specification's name of the message.
func (o Opcode) String() string {
	if row, ok := o.Operation(); ok {
		return row.Title
	}
	return fmt.Sprintf("reserved opcode 0x%X", uint8(o))
}

// Name returns the snake-case name, as in JSON and the generated hardware.
func (o Opcode) Name() string {
	if row, ok := o.Operation(); ok {
		return row.Name
	}
	return fmt.Sprintf("reserved_%x", uint8(o))
}

// MarshalText writes Name.
func (o Opcode) MarshalText() ([]byte, error) { return []byte(o.Name()), nil }

// UnmarshalText reads a Name.
func (o *Opcode) UnmarshalText(text []byte) error {
	for c := Opcode(0); c < 1<<OpcodeBits; c++ {
		if c.Name() == string(text) {
			*o = c
			return nil
		}
	}
	return fmt.Errorf("spec: opcode name is %q; allowed: a name in the table of operations, such as rdma_write", text)
}
