package rnic

import (
	"github.com/rnicgen/rnicgen/model/wire"
)

// Segment is a DDP segment on a stream.
type Segment struct {
	Stream uint32
	Octets []byte
}

// Event is one beat of the event port.
type Event struct {
	Stream uint32
	Kind   uint8 // gen.EventSolicited and the like
	Term   wire.TerminateCode
}

// Completion is one beat of the cqe port; Status is one of gen.StatusSuccess and the like.
type Completion struct {
	Stream uint32
	ID     uint64
	Status uint8
	Opcode wire.Opcode
	Recv   bool
	Length uint32
	Data   uint64
	STag   uint32
}

// Retired is an atomic that took effect.
type Retired struct {
	Stream           uint32
	Opcode           wire.AOpCode
	Address          uint64
	Original, Result uint64
	Failed           bool
	Far              bool // by the unit for far memory
}

// Output is everything a device has produced since the last call of Take, each kind in order.
type Output struct {
	Segments    []Segment
	Completions []Completion
	Events      []Event
	Retired     []Retired
	Flushes     []Flush
	Busy        bool // the device was not yet idle

	steps []step // of the retire port; with Options.Stamps, or two atomic units, in the order of their cycles
}
