// Package engine is what the blocks of an RDMA engine have in common, whatever protocol it carries: the configuration, the bundles
// that pass between blocks, AXI, and the [Profile] that the protocol is asked through. The blocks lie in the folders:
//
//	memory    placement, the table of STags, arbiters of AXI4
//	order     when an effect of a segment may be seen, and when a request may start
//	atomic    the atomic unit
//	request   work requests: rings, segments, completions
//	transmit  segments on their way out
//	host      registers, receive requests, openings and failures of streams
//
// Nothing here names an opcode, decodes a header or knows what ends a stream on the wire.
package engine
