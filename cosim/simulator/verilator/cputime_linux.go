package verilator

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the time which this thread has run: unlike the time of day, it stands still while other programs have the
// processor.
func cpuTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
