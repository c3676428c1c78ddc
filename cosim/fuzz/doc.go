// Package fuzz looks for traffic on which rnic and its golden model differ, led by what the traffic reaches.
//
// A [Program] is octets that stand for the choices of the random traffic of package rnic: work that hosts post, what is wrong
// with it, segments spoiled on their way, memory that fails, stalls. Whatever the octets are, the traffic keeps to the rules
// under which only one outcome is right, so that a difference is a defect. Programs that reach lines, branches, bits of ports
// or functional bins that none reached before are kept, and changed further.
//
// What fails is made smaller and can be written down as a test vector.
package fuzz
