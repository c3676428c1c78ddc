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
	Messages  uint64 // work requests of both ends
	Seed      uint64
	ErrorRate float64           // part of the messages that something is wrong with
	Latency   simulator.Latency // of memory
	Stall     simulator.Stall
	Unknown   bool   // start from unknown state, which no output may show; icarus
	Active    int    // streams that are used, the last one among them; 0: all
	Near      bool   // regions are side by side in one small piece of memory, as test vectors have it
	Epoch     uint64 // messages of an epoch; 0: as many as suit the error rate
	Quick     bool   // build in less time what runs slower
	Trace     string // waveform file of the first end
	Ordering  bool   // hold what the retire port reports to the ordering tables; slower; without errors only

	Coverage *simulator.Coverage // of the first end
	Observer Observer            // of the first end
	Choices  rand.Source         // what the traffic is drawn from, in place of the seed; memory and regions are the seed's
	Script   *Script             // is told what the first end is given

	Context  context.Context               // ends the run; nil: nothing does
	Progress func(messages, cycles uint64) // is told now and then; may be nil
	Design   *simulator.Design             // in place of that of Config; tests give one that is broken

	record *Recording // of what the first end is given
}

// Result says what a run was.
type Result struct {
	Messages uint64 // work requests done
	Cycles   uint64 // of the first end
	Elapsed  time.Duration
	Checked  Checked
	Ends     map[wire.TerminateCode]uint64 // Terminates of the hardware, by what they say
}

// ProgressError says that something does not come that should: a run that is stuck, or a completion that is missing.
type ProgressError struct{ err error }

func (e *ProgressError) Error() string { return "no progress: " + e.err.Error() }

// Unwrap is what is missing.
func (e *ProgressError) Unwrap() error { return e.err }

func noProgress(format string, args ...any) error { return &ProgressError{fmt.Errorf(format, args...)} }

// IsMismatch tells whether an error of Run is the hardware's: it differs from the model, does not go on, breaks a rule of
// its memory, or shows unknown state.
func IsMismatch(err error) bool {
	var differs *Difference
	var stands *ProgressError
	var breaks *simulator.ProtocolError
	var fails *simulator.FailedError
	var shows *simulator.UnknownError
	return errors.As(err, &differs) || errors.As(err, &stands) || errors.As(err, &breaks) || errors.As(err, &fails) || errors.As(err, &shows)
}
