// Package synth synthesises a design with yosys for an FPGA family and estimates its timing: size, where each memory went, and the
// slowest paths with the lines of Go that made their ends.
//
// The delays are an estimate, not a vendor's: a fixed delay for each kind of cell and a net delay by fan-out. It tells which path is
// the slowest and whether a change made it slower. What place and route makes of it differs by a third either way.
package synth
