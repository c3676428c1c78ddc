// Package mutate measures whether the tests detect faults. It inserts mutants into the generated hardware (package hdl/mutate)
// and runs the project's tests against each of them: random messages compared with the golden model, and the test vectors.
//
// A mutant is killed if a test reports a mismatch, if the hardware does not become idle, or (counted separately) if all tests pass
// but a port changes in another cycle than committed (testdata). A mutant that survives all traffic is examined in its isolated
// module. It is killed by a committed input sequence on which the module's outputs differ (package hdl/mutate/sequence), or because
// a property proven of the module by induction cannot be proven of it; or it is proven equivalent to the original module (package
// hdl/mutate/equivalence); or it is open: a hole in the tests, or unneeded logic.
package mutate
