// Package engine runs a clocked design behind its ready/valid streams, many transactions at a time.
//
// A simulator is fast and a call into it is not: a caller which touched pins one by one would spend most of its time
// between the two. So the caller queues packed beats, an engine runs many cycles, and the caller collects the beats
// which came out. The pins, the random stalls and the handshakes are the business of a driver beside the model.
//
// Every engine drives the pins in exactly the same way (see Stall, and Engine for the order of events in a cycle), so
// the trace hashes of two engines over one design are equal or one of them is wrong.
package simulator

import (
	"context"
	"fmt"
	"math/bits"
)

// Engine is one running instance of a design. It is used from one goroutine at a time; different engines, also of the
// same design, may run at the same time.
//
// In each cycle: sinks and sources set their pins; the logic settles; handshakes, stamps, and the trace hash are taken;
// the clock rises. A stream is named by its index in Design.Streams.
//
// Push, Pop, Accepted and Run do not allocate.
type Engine interface {
	// SetStatic drives a static input with the words of its value, low word first, from the next cycle on.
	SetStatic(port string, words ...uint64) error

	// SetStall sets how often the driver holds a stream back, from the next cycle on. At first nothing is held back.
	SetStall(stream int, stall Stall) error

	// Push queues packed beats for a sink and returns how many beats there was room for.
	Push(stream int, beats []uint64) (int, error)

	// Pop takes up to len(beats) / words-a-beat beats out of a source. With Options.Stamps, cycles receives the cycle in
	// which each was handed over; it must be as long as the beats are many, or nil.
	Pop(stream int, beats, cycles []uint64) (int, error)

	// View shows the oldest beats of a source where they are, without a copy: as many as lie side by side, none only when
	// there is none. They stay until the next Drop, Pop, Run or Reset. Drop takes n of them out.
	View(stream int) ([]uint64, error)
	Drop(stream, n int) error

	// Lend makes the caller's beats the queue of a sink that is empty, without a copy, and Exchange takes a source's buffer with
	// the beats in it and goes on with another one of at least its size: Options.Buffer beats, a power of two. The memory is the
	// engine's until the beats are accepted, or the buffer is exchanged again. A sink that was lent beats takes no pushes.
	// Neither works with Options.Stamps.
	Lend(stream int, beats []uint64) error
	Exchange(stream int, buffer []uint64) ([]uint64, error)

	// Accepted takes the cycles in which the design accepted beats of a sink, in order. It needs Options.Stamps. The room
	// of a beat is free for Push when its stamp has been taken.
	Accepted(stream int, cycles []uint64) (int, error)

	// Run lets up to maxCycles pass. It returns earlier when the buffer of a source fills up, or after idleCycles (0: no
	// such limit) in a row in which no handshake happened and none was prevented by a stall: Quiet when nothing is
	// pending, else Stuck. Bursts whose latency runs in a memory are not idle. The error is a *StuckError, a *FailedError, a
	// *ProtocolError, an *UnknownError, ErrClosed, or the cause for which Options.Context has ended.
	Run(maxCycles, idleCycles uint64) (Result, error)

	// Reset holds the reset for some cycles, with every valid and ready low. It discards queued beats which were not
	// accepted, also the one on offer; beats which the design had handed over can still be popped. Stall draws pause.
	Reset(cycles uint64) error

	// Memory gives access to one of Design.Memories.
	Memory(name string) (Memory, error)

	// Cycle is the number of clock edges since the start, those under reset included.
	Cycle() uint64

	// TraceHash covers every port but the clock and the statics in every cycle that Run let pass; the fields of a stream while
	// its valid is high, when somebody may look at them. It needs Options.Hash.
	TraceHash() uint64

	// Stats counts what happened on a stream since the start.
	Stats(stream int) Stats

	// Peek reads a port as it is after the last clock edge, with the logic settled, low word first.
	Peek(port string, words []uint64) error

	// Close frees the instance and completes the trace file.
	Close() error
}

// Result says how long a run was and why it ended.
type Result struct {
	Cycles uint64
	Why    Why
}

// Why is the reason for which a run ended.
type Why int

const (
	MaxCycles  Why = iota // all cycles asked for have passed
	OutputFull            // a source's buffer, or a memory's log, has just become full, or a full one held everything up for idleCycles
	Quiet                 // every queued beat was accepted and nothing has happened since
	Stuck                 // something is pending and nothing has happened for idleCycles
	Failed                // the model gave up ($finish, $stop, logic which does not settle), or the design broke a rule of its memory
)

var whyNames = [...]string{"max cycles", "output full", "quiet", "stuck", "failed"}

func (w Why) String() string {
	if w < 0 || int(w) >= len(whyNames) {
		return "unknown"
	}
	return whyNames[w]
}

// Stats counts the traffic of one stream.
type Stats struct {
	Queued  uint64 // beats in the buffer: of a sink, pushed and not accepted; of a source, not popped
	Beats   uint64 // handshakes
	Offered uint64 // cycles with valid high; without a stall on either side it equals Beats
}

// Options are the same for every engine. The zero value is useful.
type Options struct {
	Seed        uint64 // of the stalls and, with RandomInit, of the initial state
	Buffer      int    // beats which each stream's buffer holds, rounded up to a power of two; default 256
	ResetCycles uint64 // length of the reset at the start; default 4
	Stamps      bool   // record the cycle of each handshake
	Hash        bool   // compute the trace hash
	RandomInit  bool   // start from random state instead of zeros
	Unknown     bool   // start from unknown state instead of zeros, and end a run that shows it: *UnknownError; four states: icarus
	Quick       bool   // the run is short: build in less time what runs slower; verilator
	Trace       string // waveform file, .vcd or .fst, from the first cycle on

	Coverage *Coverage // collect what is covered; slower; of the verilator engine

	Context context.Context // ends the build of a model, and each Run; its hclog logger is told what a user should know; nil: none
}

// WithDefaults returns the options with the defaults filled in.
func (o Options) WithDefaults() Options {
	if o.Buffer <= 0 {
		o.Buffer = 256
	}
	o.Buffer = 1 << bits.Len(uint(o.Buffer-1))
	if o.ResetCycles == 0 {
		o.ResetCycles = 4
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	return o
}

// TwoStates refuses, for an engine of that name, what takes four states.
func (o Options) TwoStates(name string) error {
	if o.Unknown {
		return fmt.Errorf("the %s engine has two states; unknown state takes four: allowed: the icarus engine", name)
	}
	return nil
}
