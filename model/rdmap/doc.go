// Package rdmap is the golden model of RDMAP over DDP: DDP segments in, what they do to memory, and segments, completions
// and events out.
//
// It says what the hardware must do, for the reader of RFC 5040, RFC 5041 and RFC 7306, and is compared with the
// hardware segment by segment. It is untimed: a segment is taken, and all that follows from it is known when Receive
// returns. Where the hardware may choose, the model does not guess: the caller tells it in which order things took
// effect.
//
// An Engine is the whole protocol of a node, both directions of all streams: Sends, Immediate Data, RDMA Writes, RDMA
// Reads, Atomic Operations, Terminates, queues with their limits, STags with owners and rights, completions and events.
//
// # What an Engine leaves to its caller
//
// Each stream by itself is deterministic, given the order of the calls for it. These are the choices that a node has,
// and the calls by which the caller makes them:
//
//   - Requests of different streams, and with them Atomic Operations on one word, execute in the order of Execute.
//     Requests of one stream execute in the order in which they came. How long a request waits is free, so that a
//     Read's data may or may not have the effect of later Writes (RFC 5040 section 5.5, Read before Write), and so
//     that the request that is one too many for IRD is one only while the first of the others is not executed.
//   - A Send with Invalidate ends an STag when it is received. Whether a request of another stream, or one received
//     before, still uses the STag depends on which comes first, Execute or Receive.
//   - Responder and requester share a stream's way out. The segments of Execute are one sequence, those of Transmit
//     another; each leaves in its order, and the messages of the two come between each other, whole, as they like.
//     Transmit goes on until Execute has given the stream's last item: a work request may or may not still leave in
//     front of a Terminate.
//   - A stream that ends by itself, for a local buffer that its requester may not use, for a request that finds its
//     STag gone, or for a memory that fails, goes on receiving until Fail says that it has ended; a request ends it at
//     Execute at the latest. When a segment ends the stream first, the Terminate is the segment's (Executed.Instead).
//   - A message that was transmitted is done when Left says that it has left. Completions of receives and of work
//     requests are two sequences, each in the order of posting; so are events. What is not complete when the stream
//     is over is flushed, work requests behind its last item, receives at its end.
//   - PostReceive and PostSend take effect when they are called: a Send that meets an empty receive queue is in error.
package rdmap
