package spec

import "fmt"

// Opcode is the RDMA opcode of RBTH, 8 bits: the service in bits 7:5, the operation in bits 4:0 (RoF 8.1.3).
type Opcode uint8

// OpcodeBits is the width of an opcode.
const OpcodeBits = 8

// Service is the transport service of an opcode, 3 bits.
type Service uint8

const (
	RC  Service = 0b000 // Reliable Connection
	UD  Service = 0b011 // Unreliable Datagram
	XRC Service = 0b101 // Extended Reliable Connection, InfiniBand's group (I-28)
)

// String returns the abbreviation.
func (s Service) String() string {
	switch s {
	case RC:
		return "RC"
	case UD:
		return "UD"
	case XRC:
		return "XRC"
	}
	return fmt.Sprintf("service(%d)", uint8(s))
}

// Service returns bits 7:5.
func (o Opcode) Service() Service { return Service(o >> 5) }

// Operation returns the opcode's row; nil and false for a reserved opcode.
func (o Opcode) Operation() (*Operation, bool) {
	row := byOpcode[o]
	return row, row != nil
}

// String returns the service and the specification's name of the packet type.
func (o Opcode) String() string {
	if row, known := o.Operation(); known {
		return o.Service().String() + " " + row.Title
	}
	return fmt.Sprintf("reserved opcode 0x%02X", uint8(o))
}

var byOpcode = func() (index [1 << OpcodeBits]*Operation) {
	for i := range Operations {
		index[Operations[i].Opcode] = &Operations[i]
	}
	return index
}()
