// Package simulator runs a clocked design through its ready/valid streams, many transactions at a time.
//
// A simulator is fast, but a call into it is slow: a caller that set pins individually would spend most of its time in calls.
// Therefore the caller queues packed beats, an engine runs many cycles, and the caller collects the output beats. A driver
// next to the model handles the pins, the random stalls and the handshakes.
//
// Every engine drives the pins in exactly the same way (see Stall, and Engine for the order of events in a cycle), so
// different trace hashes of two engines for the same design mean that one of them is wrong.
package simulator

import (
	"context"
	"fmt"
	"math/bits"
)

// Engine is one running instance of a design. It is used from one goroutine at a time; different engines, including those of
// the same design, may run concurrently.
//
// In each cycle: sinks and sources set their pins; the logic settles; handshakes, stamps, and the trace hash are sampled;
// the clock rises. A stream is identified by its index in Design.Streams.
//
// Push, Pop, Accepted and Run do not allocate.
type Engine interface {
	// SetStatic drives a static input with the words of its value, low word first, from the next cycle on.
	SetStatic(port string, words ...uint64) error

	// SetStall sets how often the driver stalls a stream, from the next cycle on. Initially nothing is stalled.
	SetStall(stream int, stall Stall) error

	// Push queues packed beats for a sink and returns how many beats fit.
	Push(stream int, beats []uint64) (int, error)

	// Pop takes up to len(beats) / words-per-beat beats out of a source. With Options.Stamps, cycles receives the cycle in
	// which each was transferred; its length must be the number of beats, or it must be nil.
	Pop(stream int, beats, cycles []uint64) (int, error)

	// View returns the oldest beats of a source in place, without a copy: as many as are contiguous, and at least one if there
	// is one. They remain valid until the next Drop, Pop, Run or Reset. Drop removes n of them.
	View(stream int) ([]uint64, error)
	Drop(stream, n int) error

	// Lend makes the caller's beats the queue of an empty sink, without a copy. Exchange takes a source's buffer with its beats
	// and replaces it by another one of at least its size: Options.Buffer beats, a power of two. The memory belongs to the
	// engine until the beats are accepted, or the buffer is exchanged again. A sink that was lent beats accepts no pushes.
	// Neither works with Options.Stamps.
	Lend(stream int, beats []uint64) error
	Exchange(stream int, buffer []uint64) ([]uint64, error)

	// Accepted takes the cycles in which the design accepted beats of a sink, in order. It needs Options.Stamps. The space
	// of a beat is free for Push once its stamp has been taken.
	Accepted(stream int, cycles []uint64) (int, error)

	// Run advances up to maxCycles. It returns earlier when the buffer of a source fills up, or after idleCycles (0: no
	// such limit) consecutive cycles without a handshake, and without one prevented by a stall: Quiet if nothing is pending,
	// else Stuck. Cycles in which a memory latency elapses are not idle. The error is a *StuckError, a *FailedError, a
	// *ProtocolError, an *UnknownError, ErrClosed, or the cause for which Options.Context has ended.
	Run(maxCycles, idleCycles uint64) (Result, error)

	// Reset holds the reset for the given cycles, with every valid and ready low. It discards queued beats that were not
	// accepted, including the offered one; beats already output by the design can still be popped. Stall draws pause.
	Reset(cycles uint64) error

	// Memory gives access to one of Design.Memories.
	Memory(name string) (Memory, error)

	// Cycle returns the number of clock edges since the start, including those under reset.
	Cycle() uint64

	// TraceHash covers every port except the clock and the statics in every cycle of Run; the fields of a stream only while its
	// valid is high. It needs Options.Hash.
	TraceHash() uint64

	// Stats returns the statistics of a stream since the start.
	Stats(stream int) Stats

	// Peek reads a port after the last clock edge, with the logic settled, low word first.
	Peek(port string, words []uint64) error

	// Close frees the instance and completes the trace file.
	Close() error
}

// Result is the length of a run and the reason for its end.
type Result struct {
	Cycles uint64
	Why    Why
}

// Why is the reason for the end of a run.
type Why int

const (
	MaxCycles  Why = iota // all requested cycles have passed
	OutputFull            // a source's buffer, or a memory's log, has just become full, or a full one blocked all activity for idleCycles
	Quiet                 // every queued beat was accepted, followed by no activity
	Stuck                 // something is pending, without activity for idleCycles
	Failed                // the model failed ($finish, $stop, logic that does not settle), or the design broke a rule of its memory
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
	Queued  uint64 // beats in the buffer: of a sink, pushed but not accepted; of a source, not popped
	Beats   uint64 // handshakes
	Offered uint64 // cycles with valid high; without a stall on either side it equals Beats
}

// Options are common to all engines. The zero value is useful.
type Options struct {
	Seed        uint64 // for the stalls and, with RandomInit, the initial state
	Buffer      int    // capacity of each stream's buffer in beats, rounded up to a power of two; default 256
	ResetCycles uint64 // length of the initial reset; default 4
	Stamps      bool   // record the cycle of each handshake
	Hash        bool   // compute the trace hash
	RandomInit  bool   // start from random state instead of zeros
	Unknown     bool   // start from unknown state instead of zeros, and end a run if it reaches an output: *UnknownError; needs four-state icarus
	Quick       bool   // for short runs: faster build, slower simulation; verilator only
	Trace       string // waveform file, .vcd or .fst, from the first cycle on

	Coverage *Coverage // collect coverage; slower; verilator only

	Context context.Context // cancels the build of a model and each Run; its hclog logger receives warnings; may be nil
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

// TwoStates returns an error if the options need four states; name is that of a two-state engine.
func (o Options) TwoStates(name string) error {
	if o.Unknown {
		return fmt.Errorf("the %s engine has two states, but unknown state needs four; allowed: the icarus engine", name)
	}
	return nil
}
