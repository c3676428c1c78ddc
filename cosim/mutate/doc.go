// Package mutate asks whether the tests would have found a slip. It puts mutants into the generated hardware (package
// hdl/mutate) and runs what the project ships against each of them: random messages with the golden model beside them, and the
// test vectors.
//
// A mutant is killed when a verdict says that the hardware is wrong, when the hardware does not come to rest, or, told apart,
// when all verdicts are right and something is visible at a port in another clock than is committed (testdata). What no traffic
// kills is looked at in its module by itself. It is killed by a committed sequence of inputs on which the module shows something
// else (package hdl/mutate/sequence), or because what induction proves of the module is not proven of it; or it is shown to do
// the same as the module that was written (package hdl/mutate/equivalence); or it is open: a hole in the tests, or logic that nobody
// needs.
package mutate
