// Package rdmap is the golden model of RDMAP over DDP. It takes DDP segments and work requests, updates memory, and
// produces segments, completions and events.
//
// It defines the required behaviour of the hardware, is written for readers of RFC 5040, RFC 5041 and RFC 7306, and is
// compared with the hardware segment by segment. It is untimed: all consequences of a segment are known when Receive
// returns. Where the hardware has a choice, the model does not guess: the caller determines the order in which things
// take effect.
//
// An Engine is the complete protocol of a node, both directions of all streams: Sends, Immediate Data, RDMA Writes,
// RDMA Reads, Atomic Operations, Terminates, queues with their limits, STags with owners and rights, completions and
// events. With the extension Commit it is also Flush, Verify and Atomic Write, on a platform whose caches lose what has
// not been flushed.
//
// # Choices of the caller
//
// Each stream is deterministic, given the order of its calls. These are the choices of a node and the calls by which
// the caller makes them:
//
//   - Requests of different streams, and thus Atomic Operations on one word, execute in the order of the calls to
//     Execute. Requests of one stream execute in order of arrival. How long a request waits is free: a Read's data may
//     or may not reflect later Writes (RFC 5040 section 5.5, Read before Write), and whether a request exceeds IRD
//     depends on whether the oldest one has been executed.
//   - A Send with Invalidate invalidates an STag when it is received. Whether a request of another stream, or one
//     received earlier, can still use the STag depends on which is called first, Execute or Receive.
//   - Responder and requester share a stream's transmit path. The segments of Execute and those of Transmit are two
//     sequences, each sent in order; their messages interleave freely but are not split. Transmit continues until
//     Execute has returned the stream's last item: a work request may or may not still be sent before a Terminate.
//   - A stream that ends for a local cause (a local buffer that its requester may not use, a request whose STag has
//     been invalidated, or a memory error) continues to receive until Fail is called; a failing request ends it in
//     Execute at the latest. If a segment ends the stream first, the Terminate is that of the segment
//     (Executed.Instead).
//   - A transmitted message is done when Left is called. Completions of receives and of work requests are two
//     sequences, each in the order of posting; events are a third. Requests that are incomplete when the stream closes
//     are flushed: work requests after its last item, receives when it ends.
//   - With the extension Commit the platform may move any line to storage or to other observers at any time: Evict of
//     Platform. What a Verify finds, and what a crash leaves, depends on it, except for octets that were flushed.
//   - PostReceive and PostSend take effect when called: a Send that finds an empty receive queue is an error.
package rdmap
