package gen

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// What a delivery tells, once everything that its stream sent before is in memory.
const (
	DeliverReceive   = iota // a Send or Immediate Data is complete
	DeliverAnswer           // the oldest Read or Atomic of this node has its answer
	DeliverRequest          // the peer's request may be executed
	DeliverTerminate        // this node ends the stream
	DeliverShut             // the peer has ended the stream by a Terminate
	DeliverRelease          // an RDMA Write is complete for which requests of its stream wait
)

// Delivery is what follows from a segment beside the placement of its payload.
type Delivery struct {
	Kind    hdl.Value
	Place   hdl.Value // number of the stream's latest placement
	ID      hdl.Value `hdl:"id"` // of the receive request
	Opcode  hdl.Value
	Length  hdl.Value // octets of the message
	Rule    hdl.Value // of DeliverTerminate: the spec.Rule that a segment has broken; 0: no segment is the reason
	Queue   QueuePlace
	Request InboundRequest
}

func delivery(c Config) Delivery {
	return Delivery{Kind: hdl.Bits(3), Place: hdl.Bits(placementBits), ID: hdl.Bits(64), Opcode: hdl.Bits(spec.OpcodeBits), Length: hdl.Bits(32),
		Rule: hdl.Bits(spec.RuleBits), Queue: queuePlace(c), Request: inboundRequest(c.Streams)}
}

// nameDeliveries names what a delivery tells, by its number.
func nameDeliveries(m *hdl.Module) (kinds [6]hdl.Value) {
	for i, name := range [...]string{"RECEIVE", "ANSWER", "REQUEST", "TERMINATE", "SHUT", "RELEASE"} {
		kinds[i] = m.Constant("DELIVER_"+name, 3, uint64(i))
	}
	return kinds
}

// nameRequests names what an inbound request asks for, by its number.
func nameRequests(m *hdl.Module) (kinds [4]hdl.Value) {
	for i, name := range [...]string{"READ", "ATOMIC", "TERMINATE", "SHUT"} {
		kinds[i] = m.Constant("REQUEST_"+name, 2, uint64(i))
	}
	return kinds
}

// Ended tells the requester that a stream has ended.
type Ended struct{ Stream hdl.Value }

func ended(streams int) Ended { return Ended{Stream: hdl.Bits(indexWidth(streams))} }

// Credit says that a stream's request with this Message Sequence Number on queue 1 is answered.
type Credit struct {
	Stream hdl.Value
	Msn    hdl.Value
}

func credit(streams int) Credit {
	return Credit{Stream: hdl.Bits(indexWidth(streams)), Msn: hdl.Bits(32)}
}
