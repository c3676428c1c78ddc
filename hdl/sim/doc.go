// Package sim simulates a checked design in plain Go, so that a block can be tested without other tools and the printed Verilog can be
// compared with an independent implementation.
//
// The hierarchy is flattened into one graph, in which equal expressions are one node and constants are
// folded. The graph is compiled into a list of instructions over an array of 64-bit words; a value of more
// than 64 bits takes several words, the low one first, and the unused high bits of a value are always 0.
// One clock cycle runs the parts of the list whose operands have changed, from top to bottom, and then updates all registers and memories
// at once.
package sim
