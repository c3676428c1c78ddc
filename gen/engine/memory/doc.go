// Package memory holds the blocks between the engine and memory: placement of payload, the table of STags, arbiters of AXI4.
package memory
