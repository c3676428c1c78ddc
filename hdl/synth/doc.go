// Package synth synthesises a design with yosys for an FPGA family and estimates its timing: size, mapping of each memory, and the
// slowest paths with the lines of Go that created their endpoints.
//
// The delays are not a vendor's but an estimate: a fixed delay per kind of cell and a net delay by fan-out. It shows which path is the
// slowest and whether a change made it slower. Results after place and route differ by up to a third either way.
package synth
