package engine

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Kinds of deliveries, by bit. A delivery is released once all earlier payload of its stream is in memory.
const (
	DeliverReceive  = iota // a message for a receive request is complete
	DeliverResponse        // the response to the oldest Read or Atomic of this node is complete
	DeliverRequest         // the peer's request may be executed
	DeliverEnd             // this node ends the stream
	DeliverClose           // the peer has ended the stream
	DeliverRelease         // a Write is complete that requests of its stream wait for

	DeliveryKinds = iota
)

// Delivery is the effect of a segment other than the placement of its payload.
type Delivery struct {
	Kind    hdl.Value `doc:"one bit is 1: 0 receive complete, 1 response complete, 2 request accepted, 3 this node ends the stream, 4 the peer has, 5 a Write is complete that requests wait for"`
	Place   hdl.Value `doc:"number of the stream's latest placement"`
	ID      hdl.Value `hdl:"id" doc:"that of the receive request"`
	Opcode  hdl.Value `doc:"opcode of the message"`
	Length  hdl.Value `doc:"octets of the message"`
	Rule    hdl.Value `doc:"for kind 3: the profile's number of the rule that a segment broke; 0: no segment is the cause"`
	Queue   QueuePlace
	Request InboundRequest
	Tag     any `hdl:"-"` // what the profile has beside it; nil for nothing
	Awaits  any `hdl:"-"` // *AwaitsFar: in front of far_gate; nil behind it, and if no memory is far
}

// AwaitsFar says that an item waits not only for the placements of its stream.
type AwaitsFar struct {
	Is hdl.Value `hdl:"awaits_far" doc:"1: it waits for the placements of all streams in far memory"`
}

func DeliveryOf(c Config) Delivery {
	profile := c.Profile
	return Delivery{Kind: hdl.Bits(DeliveryKinds), Place: hdl.Bits(PlacementBits), ID: hdl.Bits(64), Opcode: hdl.Bits(profile.OpcodeBits()), Length: hdl.Bits(32),
		Rule: hdl.Bits(profile.RuleBits()), Queue: QueuePlaceOf(), Request: InboundRequestOf(c), Tag: profile.DeliveryTag()}
}

// CheckedDeliveryOf is the prototype of a delivery as the receive side makes it.
func CheckedDeliveryOf(c Config) Delivery {
	d := DeliveryOf(c)
	if c.HasFar() {
		d.Awaits = &AwaitsFar{hdl.Bits(1)}
	}
	return d
}

// NameDeliveries names the values of [Delivery].Kind.
func NameDeliveries(m *hdl.Module) (kinds [DeliveryKinds]hdl.Value) {
	for i, name := range [...]string{"RECEIVE", "RESPONSE", "REQUEST", "END", "CLOSE", "RELEASE"} {
		kinds[i] = m.Constant("DELIVER_"+name, DeliveryKinds, 1<<i)
	}
	return kinds
}

// DeliveryNumber is the kind of a delivery as the number of its bit.
func DeliveryNumber(kind hdl.Value) hdl.Value {
	var number []hdl.Value // most significant bit first
	for b := bits.Len(DeliveryKinds-1) - 1; b >= 0; b-- {
		var has []hdl.Value
		for k := range DeliveryKinds {
			if k>>b&1 == 1 {
				has = append(has, kind.Bit(k))
			}
		}
		number = append(number, hdl.AnyOf(has...))
	}
	return hdl.Cat(number...)
}

// Ended reports to the requester that a stream has ended.
type Ended struct {
	Stream hdl.Value `doc:"number of the stream"`
}

func EndedOf(streams int) Ended { return Ended{Stream: hdl.Bits(block.IndexWidth(streams))} }

// NumberBits is the width of the number of a request from the peer: at most IRD and the one that arrives are not
// answered, fewer than 2^NumberBits.
func NumberBits(c Config) int { return bits.Len(uint(2*c.IRD + 1)) }

// Credit reports that a stream's request with this number has been answered.
type Credit struct {
	Stream hdl.Value `doc:"number of the stream"`
	Number hdl.Value `doc:"of the answered request"`
}

func CreditOf(c Config) Credit {
	return Credit{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(NumberBits(c))}
}

// Over says that a request of a stream is over: its effects are in memory, and its response, if it has one, is sent or on its way.
type Over struct {
	Stream hdl.Value `doc:"number of the stream"`
}

func OverOf(streams int) Over { return Over{Stream: hdl.Bits(block.IndexWidth(streams))} }

// QueuePlace says when an item of a stream may go on.
type QueuePlace struct {
	Waits    hdl.Value `doc:"1: the request stays until it is released"`
	First    hdl.Value `doc:"1: no other waits that may still be released"`
	Releases hdl.Value `doc:"1: the item is no request; all requests of the stream that wait may go on"`
}

func QueuePlaceOf() QueuePlace {
	return QueuePlace{Waits: hdl.Bits(1), First: hdl.Bits(1), Releases: hdl.Bits(1)}
}

// QueueSlots is how many requests of a stream have a slot: IRD requests of the present life of the stream and as many of the one before,
// with the end of the stream.
func QueueSlots(c Config) int { return 2 * c.IRD }

func QueueSlotBits(c Config) int { return block.IndexWidth(QueueSlots(c)) }

// RequestCountBits is the width of a count of a stream's requests. More than IRD of them can be in progress: one is answered, and the
// peer may send another, before its effects are in memory. The executors hold at most AtomicDepth of those.
func RequestCountBits(c Config) int { return block.IndexWidth(2*max(QueueSlots(c), c.AtomicDepth)) + 1 }
