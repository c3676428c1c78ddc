package engine

import "github.com/rnicgen/rnicgen/hdl"

// Pending is 1 while step n is not finished. issued is the number of the latest step issued, done that of the latest step finished; wraps
// is 1 if issued is less than done. Steps finish in order and are numbered modulo 2^width; fewer than 2^width are in progress.
//
// An ordering rule thus needs one number instead of a list: a waiter stores the number of the step. An old number may look pending
// again after wraparound; that lasts no longer than the steps in progress and only delays the waiter, never releases it early.
func Pending(n, issued, done, wraps hdl.Value) hdl.Value {
	after, until := done.Lt(n), n.Le(issued)
	return hdl.Mux(wraps, after.Or(until), after.And(until))
}
