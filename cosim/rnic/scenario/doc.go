// Package scenario drives the engine rnic where random traffic does not go: buffers that are full to the last place, ports that
// are held at the worst moment, registers and counters with exact expectations, streams and STags that change beside traffic,
// counts that wrap, and messages of every length.
//
// A [Scenario] is a directed run with random content. It drives a rnic.Node, so that all that leaves the hardware is compared
// with the golden model; what a scenario says beyond that is its own expectation, from the documentation of the top.
package scenario
