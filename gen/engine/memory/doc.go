// Package memory holds the blocks between the engine and memory: placement of payload, the STag table.
package memory
