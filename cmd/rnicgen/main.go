// Command rnicgen generates RNIC hardware, runs it against its golden model, and writes test vectors.
//
// Exit codes: 0 agreement; 1 hardware and model (or a vector) differ; 2 bad usage or input, or a tool, file or disk
// that fails; 130 and 143 interrupted by SIGINT and SIGTERM.
package main

import (
	"os"
	"runtime"
)

func main() {
	// The simulation runs outside Go for long stretches, and its thread must get a P immediately on return. With
	// GOMAXPROCS equal to the number of processors it would wait while the model and the runtime hold all of them.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.NumCPU() + 1)
	}
	os.Exit(run(untilSignal(os.Stderr), os.Args[1:], os.Stdout, os.Stderr))
}
