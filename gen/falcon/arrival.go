package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Arrival is a packet that falcon_check has decided on, in the order of arrival, or an opening.
type Arrival struct {
	Opens  hdl.Value `doc:"1: no packet; the QP is opened or closed, and what is known of it forgotten"`
	Weak   hdl.Value `doc:"1: a request of a weakly ordered QP: its part takes effect in the order of SN; otherwise at once"`
	Counts hdl.Value `doc:"1: a request that counts as received (I-61), or a datagram that is taken: its part takes effect; not the end of the QP"`
	Shares hdl.Value `doc:"1: the receives of the QP are those of a shared queue"`
	Takes  hdl.Value `doc:"1: its message takes a receive of the shared queue with this packet"`
	SN     hdl.Value `hdl:"sn" doc:"Sequence Number of a request, counted from the first one of the QP"`
	Part   Part
	Waits  hdl.Value `doc:"1: the request of the delivery waits for all lower SNs (I-70); the delivery itself has only the answer"`
	Verbs  hdl.Value `doc:"1: a message in error ends the QP: connected, with Verbs compatible errors"`

	// At once: the answer, a pull, a response, the end of the QP, a receive that is flushed; its stream is that of the arrival. Opcode, and Word, Solicited and SourceQP
	// of its tag, are those of the packet, for the receive that it completes.
	Delivery engine.Delivery `hdl:"-"`
}

// Faults of packets that had been accepted one by one, beside those of the engine.
const (
	FaultIncomplete = 2 + iota // rule Incomplete
	FaultRMSN                  // rule BadRMSN
	FaultPlace                 // rule OutOfPlace: in the order of SN it does not continue the message before it, or is inside one and not of it
	FaultWindow                // rule SNGap: the SN is twice the window, or more, above the first one that has not taken effect
)

// Part is what a request adds to the messages of its QP.
type Part struct {
	Send     hdl.Value `doc:"of a Send"`
	Write    hdl.Value `doc:"of a Write"`
	Pull     hdl.Value `doc:"no part, but a pull: on a weakly ordered QP not inside a message"`
	Starts   hdl.Value `doc:"First or Only"`
	Ends     hdl.Value `doc:"Last or Only"`
	Receives hdl.Value `doc:"of a message that takes a receive: a Send, or the Last or Only of a Write with Immediate"`
	Provided hdl.Value `doc:"1: the message has one; 0: its shared queue is unknown"`
	Refused  hdl.Value `doc:"it got CIE"`
	Status   hdl.Value `doc:"of the receive because of this packet: 0 success"`
	RMSN     hdl.Value `hdl:"rmsn" doc:"of a message that takes a receive, which is posted; of a datagram its number on the QP, from 1"`
	Offset   hdl.Value `doc:"Message Offset of a Send"`
	Octets   hdl.Value `doc:"of payload of a Send"`
	ID       hdl.Value `hdl:"id" doc:"that of the receive with this RMSN"`
	Use      ListUse   `doc:"of its elements"`
	Revokes  hdl.Value `doc:"1: the end of the message invalidates the R-Key of IETH; weakly ordered QPs only, others have done it"`
}

// ArrivalOf is the prototype.
func ArrivalOf(c engine.Config) Arrival {
	bit, word := hdl.Bits(1), hdl.Bits(32)
	return Arrival{Opens: bit, Weak: bit, Counts: bit, Shares: bit, Takes: bit, SN: word, Waits: bit, Verbs: bit, Delivery: engine.DeliveryOf(c),
		Part: Part{Send: bit, Write: bit, Pull: bit, Starts: bit, Ends: bit, Receives: bit, Provided: bit, Refused: bit, Status: hdl.Bits(statusBits), RMSN: word, Offset: word,
			Octets: hdl.Bits(lengthBits), ID: hdl.Bits(64), Use: listUseOf(c), Revokes: bit}}
}

// OrderPorts is the scoreboard of the target.
type OrderPorts struct {
	Arrival hdl.Sink[Arrival]
	Deliver hdl.Source[engine.Delivery] `doc:"has a bit for each kind: a pull, or the end of the QP, may be one delivery with a receive that completes"`

	Over    OverReport
	Flush   FlushReport
	Failed  hdl.Source[engine.Failure]      `doc:"a message was in error that had been accepted packet by packet"`
	Release hdl.Source[engine.ReleasedList] `doc:"elements of a shared queue whose receive completes"`
	Revoke  hdl.Source[Revocation]          `doc:"an R-Key that a message invalidates as it completes"`
}

// OverReport says how many messages of a QP are over that have an RMSN: as many receives of its ring are used. It does so of an opening, too.
type OverReport struct {
	Valid  hdl.Out
	Stream hdl.Out `doc:"number of the QP"`
	Life   hdl.Out `doc:"of the QP: the number of the request in the arrival of its opening"`
	Count  hdl.Out `doc:"messages since the opening, low bits"`
}

// FlushReport is the read port of the QPs of which receives are being flushed.
type FlushReport struct {
	Stream hdl.In  `doc:"number of the QP"`
	Goes   hdl.Out `doc:"1: more will follow; valid in the next cycle"`
}

// overBits is the width of a count of messages that are over: a message 2^(overBits-1) or more ahead of it is fatal (I-72).
func overBits(c engine.Config) int {
	return max(block.IndexWidth(spec.MessageWindow)+2, block.IndexWidth(c.ReceiveDepth)+2)
}

func orderPorts(c engine.Config) OrderPorts {
	return OrderPorts{Arrival: hdl.NewSink(ArrivalOf(c)), Deliver: hdl.NewSource(engine.DeliveryOf(c)),
		Over:   OverReport{Valid: hdl.NewOut(1), Stream: hdl.NewOut(block.IndexWidth(c.Streams)), Life: hdl.NewOut(engine.NumberBits(c)), Count: hdl.NewOut(overBits(c))},
		Flush:  FlushReport{Stream: hdl.NewIn(block.IndexWidth(c.Streams)), Goes: hdl.NewOut(1)},
		Failed: hdl.NewSource(engine.FailureOf(c)), Revoke: hdl.NewSource(RevocationOf()), Release: hdl.NewSource(engine.ReleasedListOf(c))}
}
