//go:build !linux

package verilator

import "time"

var start = time.Now()

// cpuTime is the time of day where threads have no clock of their own.
func cpuTime() time.Duration { return time.Since(start) }
