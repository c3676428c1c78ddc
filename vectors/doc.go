// Package vectors makes conformance vectors and replays them, for those who build such hardware and run it in a simulator of
// their own, requester and responder.
//
// What is tested is written down in the packages below cases, one for each profile; what has to come out is said by the golden model; what
// a test shows, and on which decisions it rests, in package meaning; and the form of the file is described in package suite and by its
// JSON schema. The same tests also come as a self-checking Verilog bench with its memory images, and as a packet capture.
package vectors

// Generator is the name of the program in the files it writes.
const Generator = "rnicgen"
