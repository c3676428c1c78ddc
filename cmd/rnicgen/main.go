// Command rnicgen generates RNIC hardware, runs it against its golden model, and writes test vectors.
//
// It exits with 0 when everything agrees, 1 when hardware and model (or a vector) differ, and 2 when it was called wrongly
// or was given something that it cannot use.
package main

import (
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
