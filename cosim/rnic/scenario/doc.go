// Package scenario drives the engine rnic into states that random traffic does not reach: completely full buffers, ports stalled
// at the worst moment, registers and counters with exact expectations, streams and STags that change during traffic, counters
// that wrap, and messages of every length.
//
// A [Scenario] is a directed run with random content. It drives a rnic.Node, so that all hardware output is compared with the
// golden model; further expectations of a scenario come from the documentation of the top.
package scenario
