// Package rnic runs the engine rnic, hardware and golden model side by side, between hosts that post work and a peer.
//
// A [Device] is the hardware on a simulator, with memory behind it, seen as a host and a network see it. A [Node] is a
// device and the golden model that follows it: whatever leaves the device is compared with what the model says. Where
// the standard leaves the order free, the model takes the order that the device shows; everything else is the model's.
package rnic
