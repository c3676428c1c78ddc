package engine

import "github.com/rnicgen/rnicgen/hdl"

// Pending is 1 while step n is not finished. begun numbers the latest step that was begun, done the latest one
// that is finished; steps finish in order, are numbered modulo 2^width, and fewer than 2^width are under way.
//
// It keeps an ordering rule with one number instead of a list: whoever must wait remembers the number of the
// step. A number that is long past may look pending when the numbers come round again; that lasts no longer
// than the steps that are under way, and holds back too much rather than too little.
func Pending(n, begun, done hdl.Value) hdl.Value { return begun.Sub(n).Lt(begun.Sub(done)) }
