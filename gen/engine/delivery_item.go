package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Kinds of deliveries. A delivery is released once all earlier payload of its stream is in memory.
const (
	DeliverReceive  = iota // a message for a receive request is complete
	DeliverResponse        // the response to the oldest Read or Atomic of this node is complete
	DeliverRequest         // the peer's request may be executed
	DeliverEnd             // this node ends the stream
	DeliverClose           // the peer has ended the stream
	DeliverRelease         // a Write is complete that requests of its stream wait for
)

// Delivery is the effect of a segment other than the placement of its payload.
type Delivery struct {
	Kind    hdl.Value `doc:"0 receive complete, 1 response complete, 2 request accepted, 3 this node ends the stream, 4 the peer has, 5 a Write is complete that requests wait for"`
	Place   hdl.Value `doc:"number of the stream's latest placement"`
	ID      hdl.Value `hdl:"id" doc:"that of the receive request"`
	Opcode  hdl.Value `doc:"opcode of the message"`
	Length  hdl.Value `doc:"octets of the message"`
	Rule    hdl.Value `doc:"for kind 3: the profile's number of the rule that a segment broke; 0: no segment is the cause"`
	Queue   QueuePlace
	Request InboundRequest
}

func DeliveryOf(c Config) Delivery {
	profile := c.Profile
	return Delivery{Kind: hdl.Bits(3), Place: hdl.Bits(PlacementBits), ID: hdl.Bits(64), Opcode: hdl.Bits(profile.OpcodeBits()), Length: hdl.Bits(32),
		Rule: hdl.Bits(profile.RuleBits()), Queue: QueuePlaceOf(c), Request: InboundRequestOf(c)}
}

// NameDeliveries names the kinds of deliveries, by number.
func NameDeliveries(m *hdl.Module) (kinds [6]hdl.Value) {
	for i, name := range [...]string{"RECEIVE", "RESPONSE", "REQUEST", "END", "CLOSE", "RELEASE"} {
		kinds[i] = m.Constant("DELIVER_"+name, 3, uint64(i))
	}
	return kinds
}

// Ended reports to the requester that a stream has ended.
type Ended struct {
	Stream hdl.Value `doc:"number of the stream"`
}

func EndedOf(streams int) Ended { return Ended{Stream: hdl.Bits(block.IndexWidth(streams))} }

// Credit reports that a stream's request with this number has been answered.
type Credit struct {
	Stream hdl.Value `doc:"number of the stream"`
	Number hdl.Value `doc:"number of the answered request"`
}

func CreditOf(streams int) Credit {
	return Credit{Stream: hdl.Bits(block.IndexWidth(streams)), Number: hdl.Bits(32)}
}

// QueuePlace is the slot of an item in request_queue, and whether it has to wait there.
type QueuePlace struct {
	Waits    hdl.Value `doc:"the request waits until it is released"`
	Released hdl.Value `doc:"releases this many requests, from slot on, 0 to IRD; if not 0, the item is no request"`
	Slot     hdl.Value `doc:"of the item, or of the first released request"`
}

func QueuePlaceOf(c Config) QueuePlace {
	return QueuePlace{Waits: hdl.Bits(1), Released: hdl.Bits(WaitingBits(c)), Slot: hdl.Bits(QueueSlotBits(c))}
}

// WaitingBits is the width of a count of waiting requests, 0 to IRD.
func WaitingBits(c Config) int { return block.IndexWidth(c.IRD) + 1 }

// QueueSlots is the number of slots per stream: enough for IRD requests and the end of the stream.
func QueueSlots(c Config) int { return 2 * c.IRD }

func QueueSlotBits(c Config) int { return block.IndexWidth(QueueSlots(c)) }
