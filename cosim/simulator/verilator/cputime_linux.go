package verilator

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time of this thread: unlike wall-clock time, it does not advance while other programs run.
func cpuTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
