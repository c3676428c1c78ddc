// Command rnicgen generates RNIC hardware, runs it against its golden model, and writes test vectors.
//
// It exits with 0 when everything agrees, 1 when hardware and model (or a vector) differ, 2 when it was called wrongly, was given
// something that it cannot use, or when a tool, a file or a disk fails, and with 130 or 143 when it was interrupted.
package main

import (
	"os"
	"runtime"
)

func main() {
	// The simulation runs outside Go for long stretches, and its thread has to get back in at once: with as many places as
	// processors it would wait for one while the model and the runtime's own work have them.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.NumCPU() + 1)
	}
	os.Exit(run(untilSignal(os.Stderr), os.Args[1:], os.Stdout, os.Stderr))
}
