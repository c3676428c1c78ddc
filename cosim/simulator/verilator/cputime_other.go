//go:build !linux

package verilator

import "time"

var start = time.Now()

// cpuTime is wall-clock time on systems without per-thread processor time.
func cpuTime() time.Duration { return time.Since(start) }
