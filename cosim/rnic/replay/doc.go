// Package replay runs captured iWARP connections through the whole engine rnic: hardware and golden model stand on both
// sides of every connection.
//
// A capture has what went over the wire, and not what the hosts had posted, registered and stored. A plan infers that from
// the segments: regions of memory with their rights from the accesses that succeeded, the content of a Read's source from
// the Read Response, receive buffers from the Sends, work requests from the messages that a side sent. Then each engine
// receives what its side received, octet for octet but for numbers that a node chooses for itself, and posts what its side
// had posted. Compared are the messages that the engines send with the captured ones, the completions, and all memory.
package replay
