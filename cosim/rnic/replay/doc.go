// Package replay runs captured iWARP connections through the complete engine rnic: hardware and golden model are at both ends
// of every connection.
//
// A capture contains the traffic on the wire, but not what the hosts posted, registered and stored. A plan infers that from
// the segments: memory regions and their rights from successful accesses, the content of a Read's source from the Read
// Response, receive buffers from Sends, and work requests from the messages that a side sent. Each engine then receives what
// its side received, octet for octet except for numbers that a node chooses itself, and posts what its side had posted. The
// messages that the engines send are compared with the captured ones, as are the completions and all memory.
package replay
