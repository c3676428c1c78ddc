// Package coverage measures the coverage of the generated hardware by this project's traffic: all vectors and fixed random runs, on
// Verilator.
//
// # Kinds
//
//   - line: a line of a procedural block, as counted by Verilator
//   - branch: an arm of an if or case, including an implicit else
//   - toggle: a rising or falling bit of a port, sampled when the logic has settled before the clock edge. clk and rst are not
//     counted.
//   - bin: a received message, by opcode, error, alignment, length, and row of the ordering tables; see RulesOf
//
// An item counts once for all instances of a module, and for all runs. An item that is not reached is waived in waivers.csv with
// a reason, or is a hole; with the extension commit, also in waivers_commit.csv. A waiver without effect is an error, too.
package coverage
