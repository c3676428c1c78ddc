package simulator

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrMissingTool matches a *MissingToolError (errors.Is).
	ErrMissingTool = errors.New("tool is not installed")
	// ErrUnknownEngine matches an *UnknownEngineError.
	ErrUnknownEngine = errors.New("unknown engine")
	// ErrDesign matches every error of Design.Check.
	ErrDesign = errors.New("design cannot be driven")
	// ErrClosed reports use of an engine after Close.
	ErrClosed = errors.New("engine is closed")
)

// MissingToolError names a program that an engine needs and the command that installs it.
type MissingToolError struct{ Tool, Install string }

func (e *MissingToolError) Error() string {
	return fmt.Sprintf("%s is not installed, or not in PATH; install it with: %s", e.Tool, e.Install)
}

func (e *MissingToolError) Is(target error) bool { return target == ErrMissingTool }

// UnknownEngineError names a nonexistent engine and the existing ones.
type UnknownEngineError struct {
	Name    string
	Allowed []string
}

func (e *UnknownEngineError) Error() string {
	return fmt.Sprintf("unknown engine %q; allowed: %s", e.Name, strings.Join(e.Allowed, ", "))
}

func (e *UnknownEngineError) Is(target error) bool { return target == ErrUnknownEngine }

// FailedError reports that the model failed. The instance cannot continue.
type FailedError struct {
	Cycle   uint64
	Message string
}

func (e *FailedError) Error() string {
	return fmt.Sprintf("model failed in cycle %d: %s", e.Cycle, e.Message)
}

// DiedError reports that the process of a simulator has died, which implies nothing about the design. The instance cannot
// continue.
type DiedError struct{ Tool, How string }

func (e *DiedError) Error() string {
	return fmt.Sprintf("%s died in the middle of the run (%s); run the command again, with more memory if the system ran out of it", e.Tool, e.How)
}

// UnknownError reports that an output is x or z that must be known: after reset, a valid, a ready, a field of a beat, or an
// output outside of streams. The instance cannot continue.
type UnknownError struct {
	Signal string // port
	Stream string // stream, if it is a field
	Value  string // in binary
	Cycle  uint64
	Seed   uint64
}

func (e *UnknownError) Error() string {
	of := ""
	if e.Stream != "" {
		of = " of a beat on " + e.Stream
	}
	return fmt.Sprintf("%s%s is unknown in cycle %d: %s (seed %d)", e.Signal, of, e.Cycle, e.Value, e.Seed)
}

// ProtocolError reports that the design broke a rule as the master of a memory. The instance cannot continue.
type ProtocolError struct {
	Memory  string
	Channel string // stream
	Cycle   uint64 // in which it was detected
	Rule    Rule
	Address uint64 // of the burst, if known
	Beats   int    // of the burst; with RuleLast, up to and including the last one; with RuleBounds, the first one out of bounds
}

func (e *ProtocolError) Error() string {
	return fmt.Sprintf("memory %s: %s breaks a rule in cycle %d: %s (address 0x%x, %d beats)",
		e.Memory, e.Channel, e.Cycle, e.Rule, e.Address, e.Beats)
}

// StuckError is the watchdog's report: beats are pending, but nothing moved for Idle cycles.
type StuckError struct {
	Cycle, Idle uint64
	Streams     []StreamState
}

// StreamState is the state of a stream in the last cycle that was run.
type StreamState struct {
	Name         string
	Dir          StreamDir
	Valid, Ready bool
	Queued       uint64
	Beats        uint64
}

func (e *StuckError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "stuck in cycle %d: no handshake for %d cycles", e.Cycle, e.Idle)
	for _, s := range e.Streams {
		fmt.Fprintf(&b, "\n  %-6s %s: valid %d, ready %d, %d beats passed, %d queued",
			s.Dir, s.Name, bit(s.Valid), bit(s.Ready), s.Beats, s.Queued)
	}
	return b.String()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
