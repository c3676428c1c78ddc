// Package rnic runs the engine rnic, hardware and golden model side by side, between hosts that post work and a peer.
//
// A [Device] is the hardware on a simulator, with memory behind it, seen as a host and a network see it. A [Node] is a
// device and the golden model that follows it: whatever leaves the device is compared with what the model says. Where
// the standard leaves the order free, the model takes the order that the device shows; everything else is the model's.
//
// # Runs
//
// Run joins two ends, a Node and a Node or a model, in epochs. In each, hosts post random work; a part of the messages has
// something wrong, as posted or as received: every kind of segment that is refused, memory that answers with errors, local
// buffers that may not be used, receive queues that are empty, STags that are invalidated while they are in use. At the end
// of an epoch all traffic comes to rest, and every stream on which something was wrong is ended. Then nothing may be missing.
// The streams that have ended are opened anew.
//
// Memory does what AXI4 permits, drawn by the seed: see [DrawMemory].
//
// # What is compared
//
//   - every octet of every segment that leaves, Terminates included, in the order of its stream
//   - completions of receives and of work requests: each request has one, or was not signaled and has succeeded
//   - events, and that those of Terminates say what the Terminates do
//   - every atomic in the order of execution: address, operation, word before and after
//   - memory that traffic can change, at the end of each epoch; accesses outside of what the regions' rights permit end the run
//   - the counters in the registers, and the log of Terminates
//   - every report of the retire port: of segments one by one, of the rest how many on which stream
//   - that messages of a stream do not mix
//   - with Plan.Ordering, in runs without errors, the steps that the retire port reports, with the ordering tables
//
// # What is not
//
//   - the order between streams, and between the ports
//   - when anything happens, but for what has happened when the device is at rest
//   - which of two right outcomes it is, where there are two: comments that begin with "Either" name them
//   - the point at which a stream has ended that no segment is the reason of: the least number of segments that explains memory and
//     completions is taken, and the registers segments_discarded and segments_in_error are not compared then
//   - what a word is that memory does not give back as it was written, and fields that mean nothing
//   - memory_errors, once memory may fail
package rnic
