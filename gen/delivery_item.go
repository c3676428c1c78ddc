package gen

import (
	"github.com/rnicgen/rnicgen/hdl"
)

// What a delivery tells, once everything that its stream sent before is in memory.
const (
	DeliverReceive = iota // a message for a receive request is complete
	DeliverAnswer         // the oldest Read or Atomic of this node has its answer
	DeliverRequest        // the peer's request may be executed
	DeliverEnd            // this node ends the stream
	DeliverShut           // the peer has ended the stream
	DeliverRelease        // a Write is complete for which requests of its stream wait
)

// Delivery is what follows from a segment beside the placement of its payload.
type Delivery struct {
	Kind    hdl.Value
	Place   hdl.Value // number of the stream's latest placement
	ID      hdl.Value `hdl:"id"` // of the receive request
	Opcode  hdl.Value
	Length  hdl.Value // octets of the message
	Rule    hdl.Value // of DeliverEnd: the profile's number of the rule that a segment has broken; 0: no segment is the cause
	Queue   QueuePlace
	Request InboundRequest
}

func delivery(c EngineConfig) Delivery {
	profile := c.Profile
	return Delivery{Kind: hdl.Bits(3), Place: hdl.Bits(placementBits), ID: hdl.Bits(64), Opcode: hdl.Bits(profile.OpcodeBits()), Length: hdl.Bits(32),
		Rule: hdl.Bits(profile.RuleBits()), Queue: queuePlace(c), Request: inboundRequest(c)}
}

// nameDeliveries names what a delivery tells, by its number.
func nameDeliveries(m *hdl.Module) (kinds [6]hdl.Value) {
	for i, name := range [...]string{"RECEIVE", "ANSWER", "REQUEST", "END", "SHUT", "RELEASE"} {
		kinds[i] = m.Constant("DELIVER_"+name, 3, uint64(i))
	}
	return kinds
}

// nameRequests names what an inbound request asks for, by its number.
func nameRequests(m *hdl.Module) (kinds [4]hdl.Value) {
	for i, name := range [...]string{"READ", "ATOMIC", "END", "SHUT"} {
		kinds[i] = m.Constant("REQUEST_"+name, 2, uint64(i))
	}
	return kinds
}

// Ended tells the requester that a stream has ended.
type Ended struct{ Stream hdl.Value }

func ended(streams int) Ended { return Ended{Stream: hdl.Bits(indexWidth(streams))} }

// Credit says that a stream's request with this number is answered.
type Credit struct {
	Stream hdl.Value
	Number hdl.Value
}

func credit(streams int) Credit {
	return Credit{Stream: hdl.Bits(indexWidth(streams)), Number: hdl.Bits(32)}
}
