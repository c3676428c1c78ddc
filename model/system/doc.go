// Package system simulates many nodes, each a host, its memory and an RNIC, in a network, on the discrete-event engine akita.
//
// Components are joined by akita's ports and connections:
//
//	Host --Work, Receive--> RNIC --Segment--> Link --> Switch --> Link --> RNIC of another node
//	     <--Done, Event----   |
//	                          +--ReadReq, WriteReq--> akita's memory controller
//
// An RNIC is the golden model with the timing of the hardware (Timing), or the hardware itself, which cosim/system adds. Both send
// the same messages, so any node can be either. Its protocol is iWARP or RDMA over Falcon; in the latter case the RNIC includes the Falcon between
// it and its link (FalconTransport).
//
// Everything happens at edges of one clock. Components act in akita's primary events and connections deliver in secondary ones, so
// that no component sees what another does in the same cycle: results do not depend on the order in which an engine runs the events
// of a cycle.
//
// The components of a node, and the switch, are parts that only links join. A link has a latency, so parts can run for that long without
// knowing of each other: the parallel engine does it on all cores. Its results equal those of akita's serial engine.
package system
