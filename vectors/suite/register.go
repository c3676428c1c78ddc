package suite

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// Register is the value that a register had when it was read.
type Register struct {
	Name  string `json:"name"`
	Value uint32 `json:"value"` // of a counter: its increase since the start of the test
}

// Constant registers, which a test may read in addition to the counters and the log of Terminates. The log is empty at
// the start of a test.
var fixed = []string{"id", "version", "status", "bus_bytes", "streams", "stags", "ird", "ord", "receive_depth", "send_depth", "max_payload", "features"}

// LogRegister is the log of Terminates: each read removes an entry.
const LogRegister = "terminate_log"

// CounterRegisters lists the names of all counters.
var CounterRegisters = []string{"segments_received", "segments_discarded", "segments_in_error", "messages_sent", "segments_sent", "segments_dropped", "completions",
	"terminates_sent", "terminates_received", "memory_errors", "receives_refused", "invalidations", "terminates_lost"}

// IsCounter reports whether a register is a counter.
func IsCounter(name string) bool { return slices.Contains(CounterRegisters, name) }

// readable reports whether a test may read a register.
func readable(name string) bool {
	return name == LogRegister || slices.Contains(fixed, name) || IsCounter(name)
}

// OffsetOf returns the offset of a register.
func OffsetOf(name string) uint64 {
	for _, r := range gen.Registers {
		if r.Name == name {
			return uint64(r.Offset)
		}
	}
	return 0
}

// RegisterOf returns an outcome.
func RegisterOf(name string, value uint32) Expect {
	return Expect{Port: PortControl, Register: &Register{name, value}}
}

// Reads reports whether a test reads a register.
func (t *Test) Reads() bool {
	return slices.ContainsFunc(t.Input, func(in Input) bool { return in.Read != "" })
}
