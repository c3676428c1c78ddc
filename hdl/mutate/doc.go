// Package mutate puts faults into a design: mutants, each of which differs from what was written in one small thing, as a slip
// of whoever writes a generator would, or a broken wire. All of them are in one design, which has one more input, mutant: with 0
// it is the design as it was written, with n it is mutant n. A test suite that cannot tell a mutant from the design has a hole,
// unless the two do the same.
//
// A mutant changes one expression where it is used, one assignment, one reset value, one arm of a case or two pins of an
// instance. No mutant makes a combinational loop, and none reads what was never set.
package mutate
