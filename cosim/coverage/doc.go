// Package coverage tells what of the generated hardware the traffic of this project reaches: all vectors and fixed random runs,
// on Verilator.
//
// # Kinds
//
//   - line: a line of a procedural block, of those that Verilator counts
//   - branch: an arm of an if or case, also that of an else that is not written
//   - toggle: a bit of a port that rises, and one that falls, seen when the logic has settled before the clock. clk and rst are
//     not counted.
//   - bin: a message that came, by opcode, what was wrong with it, alignment, length, and row of the ordering tables; see Rules
//
// An item counts once for all instances of a module, and for all runs. What is not reached is waived in waivers.csv, with the
// reason, or is a hole. A waiver that waives nothing is a mistake too.
package coverage
