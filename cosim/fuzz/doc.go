// Package fuzz is a coverage-guided search for traffic on which rnic and its golden model differ.
//
// A [Program] is a string of octets that encodes the choices of the random traffic of package rnic, or with RDMA over Falcon of package
// falcon: posted work, errors in it, corrupted segments, what is reordered or sent again, failing memory, stalls. Whatever the octets, the traffic obeys the rules under which only one outcome is
// valid, so that a difference is a defect. Programs that reach new lines, branches, port bits or functional bins are kept, and
// mutated further.
//
// A failing program is minimized, and one of the profile rdmap can be written as a test vector.
package fuzz
