// Package transmit sends segments, with payload from memory.
package transmit
