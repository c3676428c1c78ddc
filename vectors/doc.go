// Package vectors makes conformance vectors and replays them, for those who build such hardware and run it in a simulator of
// their own: for the top rnic_atomics tests of header parsing and of atomics, for the top rnic tests of the whole engine,
// requester and responder.
//
// What is tested is written down in package cases, what has to come out is said by the golden model, and the form of the file
// is described in package suite and by its JSON schema; for rnic these are the packages below rnic. The same tests also come as
// a self-checking Verilog bench with its memory images, and as a packet capture.
package vectors

// Generator is the name of the program in the files it writes.
const Generator = "rnicgen"
