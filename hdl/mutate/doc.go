// Package mutate inserts faults into a design: mutants, each of which differs from the original in one small change, like a slip in the
// generator or a broken wire. All of them are in one design with an additional input, mutant: 0 selects the original, n mutant n. A test
// suite that does not distinguish a mutant from the original has a gap, unless the two are equivalent.
//
// A mutant changes one expression where it is used, one assignment, one reset value, one arm of a case or two pins of an
// instance. No mutant creates a combinational loop or reads a value that was never set.
package mutate
