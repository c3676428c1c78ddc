package suite

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// Register is the value that a register had when it was read.
type Register struct {
	Name  string `json:"name"`
	Value uint32 `json:"value"` // of a counter: by how much it has grown since the test began
}

// Registers that a test reads beside the counters: what never changes, and the log of Terminates, which is empty when a test begins.
var fixed = []string{"id", "version", "status", "bus_bytes", "streams", "stags", "ird", "ord", "receive_depth", "send_depth", "max_payload", "features"}

// LogRegister is the log of Terminates: each reading removes an entry.
const LogRegister = "terminate_log"

// CounterRegisters are the names of all counters.
var CounterRegisters = []string{"segments_received", "segments_discarded", "segments_in_error", "messages_sent", "segments_sent", "segments_dropped", "completions",
	"terminates_sent", "terminates_received", "memory_errors", "receives_refused", "invalidations", "terminates_lost"}

// IsCounter reports whether a register is one of them.
func IsCounter(name string) bool { return slices.Contains(CounterRegisters, name) }

// readable reports whether a test may read a register.
func readable(name string) bool {
	return name == LogRegister || slices.Contains(fixed, name) || IsCounter(name)
}

// OffsetOf is where a register is.
func OffsetOf(name string) uint64 {
	for _, r := range gen.Registers {
		if r.Name == name {
			return uint64(r.Offset)
		}
	}
	return 0
}

// RegisterOf makes an outcome.
func RegisterOf(name string, value uint32) Expect {
	return Expect{Port: PortControl, Register: &Register{name, value}}
}

// Reads reports whether a test reads a register.
func (t *Test) Reads() bool {
	return slices.ContainsFunc(t.Input, func(in Input) bool { return in.Read != "" })
}
