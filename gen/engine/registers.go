package engine

import "slices"

// RegisterAccess says what the host can do with a register.
type RegisterAccess int

// The kinds of access.
const (
	ReadOnly    RegisterAccess = iota
	ReadWrite                  // it holds what was written last
	WriteOnly                  // what is written is a command
	ReadRemoves                // each read takes the next item
)

func (a RegisterAccess) String() string {
	return [...]string{"read", "read, write", "write", "read removes"}[a]
}

// Register is one register of the host's AXI4-Lite port.
type Register struct {
	Name   string
	Offset int // octets
	Width  int // bits; those above are 0
	Access RegisterAccess
	Doc    string
	Fields []RegisterField // of a register that holds more than one thing
}

// RegisterField is some bits of a register.
type RegisterField struct {
	Name  string
	Low   int // number of the least significant bit
	Width int
	Doc   string
}

const RegisterAddressBits = 12

// Identity is what the register id holds: "RNIC".
const Identity = 0x524E4943

// RegisterMap is all registers of a profile, and the names of those that the profile calls by its own words.
type RegisterMap struct {
	Registers     []Register
	Log           string // of ends of streams: the fields are the detail of the event, then stream, received, valid
	Lost          string // ends that fell out of the log
	Ended, Closed string // counters of streams that this node, or the peer, has ended
}

// Register finds one in the map.
func (in RegisterMap) Register(name string) Register {
	i := slices.IndexFunc(in.Registers, func(r Register) bool { return r.Name == name })
	return in.Registers[i]
}

// Field finds one of its fields.
func (r Register) Field(name string) RegisterField {
	i := slices.IndexFunc(r.Fields, func(f RegisterField) bool { return f.Name == name })
	return r.Fields[i]
}
