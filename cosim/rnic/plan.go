package rnic

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Plan is a run of random traffic between two ends.
type Plan struct {
	Config    gen.Config
	Engine    string // one of engines.Names
	Peer      string // rtl or model
	Messages  uint64 // work requests of both ends together
	Seed      uint64
	ErrorRate float64           // fraction of faulty messages
	Latency   simulator.Latency // of memory
	Stall     simulator.Stall
	Unknown   bool   // start from unknown state, which must not reach an output; icarus only
	Active    int    // number of streams in use, including the last one; 0: all
	Near      bool   // regions are adjacent in one small piece of memory, as in test vectors
	Epoch     uint64 // messages per epoch; 0: chosen by the error rate
	Quick     bool   // faster build, slower simulation
	Trace     string // waveform file of the first end
	Ordering  bool   // check the reports of the retire port against the ordering tables; slower; only without errors

	Coverage *simulator.Coverage // of the first end
	Observer Observer            // of the first end
	Choices  rand.Source         // source of the traffic, in place of the seed; memory and regions still depend on the seed
	Script   *Script             // records the input of the first end

	Context  context.Context               // cancels the run; may be nil
	Progress func(messages, cycles uint64) // called from time to time; may be nil
	Design   *simulator.Design             // in place of that of Config; tests pass mutated designs

	record *Recording // of the first end's input
}

// Result summarizes a run.
type Result struct {
	Messages uint64 // work requests done
	Cycles   uint64 // of the first end
	Elapsed  time.Duration
	Checked  Checked
	Ends     map[wire.TerminateCode]uint64 // Terminates of the hardware, by code
}

// ProgressError reports that something expected is missing: the run is stuck, or a completion did not arrive.
type ProgressError struct{ err error }

func (e *ProgressError) Error() string { return "no progress: " + e.err.Error() }

// Unwrap returns the cause.
func (e *ProgressError) Unwrap() error { return e.err }

func noProgress(format string, args ...any) error { return &ProgressError{fmt.Errorf(format, args...)} }

// IsMismatch reports whether an error of Run is a fault of the hardware: it differs from the model, makes no progress, breaks a
// rule of its memory, or shows unknown state.
func IsMismatch(err error) bool {
	var differs *Difference
	var stands *ProgressError
	var breaks *simulator.ProtocolError
	var fails *simulator.FailedError
	var shows *simulator.UnknownError
	return errors.As(err, &differs) || errors.As(err, &stands) || errors.As(err, &breaks) || errors.As(err, &fails) || errors.As(err, &shows)
}
