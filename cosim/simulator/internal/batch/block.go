// Package batch is common to all engines: the buffers between a caller and the driver of the pins, and a driver in Go.
package batch

import "github.com/rnicgen/rnicgen/cosim/simulator"

// Block is the state shared with a driver, which may be C++: shim/batch.h has the same structs. All fields are 64 bits
// wide, so that there is no padding to agree on.
type Block struct {
	Cycle     uint64 // clock edges since the start
	MaxCycles uint64 // of the next run or reset
	IdleLimit uint64 // idle cycles that end a run; 0: none
	Idle      uint64 // consecutive cycles without progress
	Hash      uint64
	Why       uint64 // simulator.Why of the last run
	Message   [256]byte
}

// Stream is the ring buffer of one stream with its driver's state. Beat n is in slot n mod Capacity.
type Stream struct {
	Data     *uint64 // Capacity * Words
	Stamps   *uint64 // the cycle of each slot's handshake, or nil
	Capacity uint64  // beats, a power of two
	Words    uint64  // per beat
	Head     uint64  // beats taken out since the start: accepted by the design, or popped
	Tail     uint64  // beats put in since the start: pushed, or transferred by the design
	Read     uint64  // stamps of a sink that the caller has taken
	Offered  uint64  // cycles with valid high
	Valid    uint64  // of a sink: a beat is offered; of a source: as last sampled for the watchdog
	Ready    uint64  // as last sampled for the watchdog
	Random   uint64  // state of the stall generator
	Mode     uint64  // simulator.StallMode
	Chance   uint64  // simulator.Stall.Chance
	Burst    uint64  // remaining cycles of the current run of StallBursts
	Stalled  uint64  // whether that run is stalled
}

// NewBlock prepares the state of an engine in Go memory. A driver in another language lays out its own.
func NewBlock(d *simulator.Design, o simulator.Options) (*Block, []Stream, error) {
	streams := make([]Stream, len(d.Streams))
	for i := range streams {
		layout, err := d.Layout(i)
		if err != nil {
			return nil, nil, err
		}
		s := &streams[i]
		s.Capacity, s.Words = uint64(o.Buffer), uint64(layout.Words)
		s.Random = Seed(o.Seed, uint64(i))
		if d.MemoryOf(i) >= 0 {
			continue // nothing is queued
		}
		s.Data = &make([]uint64, s.Capacity*s.Words)[0]
		if o.Stamps {
			s.Stamps = &make([]uint64, s.Capacity)[0]
		}
	}
	return &Block{Hash: HashStart}, streams, nil
}
