// Package vectors generates conformance vectors and replays them. They test requesters and responders, including
// third-party hardware in any simulator.
//
// The packages below cases define the tests, one package per profile; the golden model determines the expected
// outcomes; package meaning determines which requirements a test covers and on which decisions it depends; package
// suite and its JSON schema define the file format. The same tests are also written as a self-checking Verilog bench
// with memory images, and as a packet capture.
package vectors

// Generator is the name of the program in the files that it writes.
const Generator = "rnicgen"
