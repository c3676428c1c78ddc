package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
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
	Kind    hdl.Value `doc:"0 receive complete, 1 response complete, 2 request accepted, 3 this node ends the stream, 4 the peer has, 5 a Write is complete for which requests wait"`
	Place   hdl.Value `doc:"number of the stream's latest placement"`
	ID      hdl.Value `hdl:"id" doc:"of the receive request"`
	Opcode  hdl.Value `doc:"opcode of the message"`
	Length  hdl.Value `doc:"octets of the message"`
	Rule    hdl.Value `doc:"of DeliverEnd: the profile's number of the rule that a segment has broken; 0: no segment is the cause"`
	Queue   QueuePlace
	Request InboundRequest
}

func DeliveryOf(c Config) Delivery {
	profile := c.Profile
	return Delivery{Kind: hdl.Bits(3), Place: hdl.Bits(PlacementBits), ID: hdl.Bits(64), Opcode: hdl.Bits(profile.OpcodeBits()), Length: hdl.Bits(32),
		Rule: hdl.Bits(profile.RuleBits()), Queue: QueuePlaceOf(c), Request: InboundRequestOf(c)}
}

// NameDeliveries names what a delivery tells, by its number.
func NameDeliveries(m *hdl.Module) (kinds [6]hdl.Value) {
	for i, name := range [...]string{"RECEIVE", "ANSWER", "REQUEST", "END", "SHUT", "RELEASE"} {
		kinds[i] = m.Constant("DELIVER_"+name, 3, uint64(i))
	}
	return kinds
}

// Ended tells the requester that a stream has ended.
type Ended struct {
	Stream hdl.Value `doc:"number of the stream"`
}

func EndedOf(streams int) Ended { return Ended{Stream: hdl.Bits(block.IndexWidth(streams))} }

// Credit says that a stream's request with this number is answered.
type Credit struct {
	Stream hdl.Value `doc:"number of the stream"`
	Number hdl.Value `doc:"of the request that is answered"`
}

func CreditOf(streams int) Credit {
	return Credit{Stream: hdl.Bits(block.IndexWidth(streams)), Number: hdl.Bits(32)}
}

// QueuePlace says where in request_queue an item of a stream is, and when it may go on.
type QueuePlace struct {
	Waits    hdl.Value `doc:"the request stays until it is released"`
	Released hdl.Value `doc:"this many requests, from Slot on, may go on, 0 to IRD; the item is no request then"`
	Slot     hdl.Value `doc:"of the item, or of the first request that is released"`
}

func QueuePlaceOf(c Config) QueuePlace {
	return QueuePlace{Waits: hdl.Bits(1), Released: hdl.Bits(WaitingBits(c)), Slot: hdl.Bits(QueueSlotBits(c))}
}

// WaitingBits is the width of a number of requests that wait, 0 to IRD.
func WaitingBits(c Config) int { return block.IndexWidth(c.IRD) + 1 }

// QueueSlots is how many items of a stream have a slot: IRD requests and the end of the stream.
func QueueSlots(c Config) int { return 2 * c.IRD }

func QueueSlotBits(c Config) int { return block.IndexWidth(QueueSlots(c)) }
