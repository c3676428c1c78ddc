// Package vectors makes conformance vectors and replays them: tests of header parsing and of atomics, for those
// who build such a responder and run it in a simulator of their own.
//
// What is tested is written down in package cases, what has to come out is said by the golden model, and the
// form of the file is described in package suite and by its JSON schema. The same tests also come as a
// self-checking Verilog bench with its memory images, and as a packet capture.
package vectors

// Generator is the name of the program in the files it writes.
const Generator = "rnicgen"
