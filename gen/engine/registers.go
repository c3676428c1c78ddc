package engine

import "slices"

// RegisterAccess is the access that the host has to a register.
type RegisterAccess int

// The kinds of access.
const (
	ReadOnly    RegisterAccess = iota
	ReadWrite                  // reads return the last value written
	WriteOnly                  // a write is a command
	ReadRemoves                // each read removes the next item
)

func (a RegisterAccess) String() string {
	return [...]string{"read", "read, write", "write", "read removes"}[a]
}

// Register is one register of the host's AXI4-Lite port.
type Register struct {
	Name   string
	Offset int // octets
	Width  int // bits; higher ones are 0
	Access RegisterAccess
	Doc    string
	Fields []RegisterField // if it has more than one
}

// RegisterField is a bit field of a register.
type RegisterField struct {
	Name  string
	Low   int // number of the least significant bit
	Width int
	Doc   string
}

const RegisterAddressBits = 12

// Identity is the value of register id: "RNIC".
const Identity = 0x524E4943

// RegisterMap holds all registers of a profile, and the names of those that the profile names itself.
type RegisterMap struct {
	Registers     []Register
	Log           string // log of stream ends: the fields are the detail of the event, then stream, received, valid
	Lost          string // counter of ends lost from the log
	Ended, Closed string // counters of streams ended by this node and by the peer

	Constants map[string]uint64 // registers that describe the hardware of the profile
}

// Register returns the register with this name.
func (in RegisterMap) Register(name string) Register {
	i := slices.IndexFunc(in.Registers, func(r Register) bool { return r.Name == name })
	return in.Registers[i]
}

// Field returns the field with this name.
func (r Register) Field(name string) RegisterField {
	i := slices.IndexFunc(r.Fields, func(f RegisterField) bool { return f.Name == name })
	return r.Fields[i]
}
