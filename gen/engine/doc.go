// Package engine holds what the blocks of an RDMA engine share, independently of the protocol: the configuration, the bundles
// that pass between blocks, and the [Profile] through which blocks reach the protocol. The blocks are in these packages:
//
//	memory    placement, the table of STags, arbiters of AXI4
//	order     when an effect of a segment becomes visible, and when a request may start
//	atomic    the atomic unit
//	request   work requests: rings, segments, completions
//	transmit  outgoing segments
//	flush     ranges of memory that have to be persistent or globally visible
//	host      registers, receive requests, openings and failures of streams
//
// Nothing here names an opcode, decodes a header or knows how a stream is ended on the wire.
package engine
