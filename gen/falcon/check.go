package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// CheckPorts is the receive side between the parser and memory.
type CheckPorts struct {
	Record  hdl.Sink[Record]
	Setup   hdl.Sink[Setup] `doc:"of QPs that are closed"`
	Queue   hdl.Sink[SharedQueue]
	Opening hdl.Sink[engine.Opening] `doc:"opens or closes a QP"`
	Failure hdl.Sink[engine.Failure] `doc:"QPs that go to Error for a cause other than a packet"`
	Credit  hdl.Sink[engine.Credit]  `doc:"pulls whose response has left, each with the number of its request: the life of the QP in which it came"`

	Region          engine.STagLookup `doc:"row of the buffer or target"`
	Invalidated     engine.STagLookup `doc:"row of the R-Key in IETH"`
	Invalidate      hdl.Out           `doc:"invalidates an R-Key"`
	InvalidateIndex hdl.Out           `doc:"upper 24 bits of the R-Key to invalidate"`
	Ring            engine.RingLookup
	RingCount       engine.RingCount
	Consumed        engine.RingConsumed
	SharedRing      engine.RingLookup `doc:"of shared receive queues"`
	SharedCount     engine.RingCount
	SharedConsumed  engine.RingConsumed
	Over            OverCount
	Flush           FlushLookup
	Asked           AskedLookup

	Elements       engine.ElementLookup    `doc:"of receives with several"`
	SharedElements engine.ElementLookup    `doc:"of those of shared receive queues"`
	Part           hdl.Source[PayloadPart] `doc:"of packets whose receive has several elements, up to the last one of each ahead of its placement"`
	Place          hdl.Source[Placing]
	Placed         hdl.In  `doc:"number of the latest finished placement"`
	Issued         hdl.Out `doc:"number of the latest issued placement"`
	Arrival        hdl.Source[Arrival]
	Count          CheckCount
}

// AskedLookup is the read port of the open transactions of this node.
type AskedLookup struct {
	Enable hdl.Out
	CID    hdl.Out `hdl:"cid" doc:"local number of the connection"`
	RSN    hdl.Out `hdl:"rsn" doc:"Request Sequence Number"`
	Entry  hdl.In  `doc:"packed Expected, in the next cycle"`
}

// CheckCount has one pulse per event, one cycle long.
type CheckCount struct {
	Packets     hdl.Out `doc:"a packet was received"`
	Refused     hdl.Out `doc:"it breaks a rule"`
	Invalidated hdl.Out `doc:"it invalidates an R-Key"`
}

const checkDoc = `falcon_check decides on every packet as it arrives, against the state of its QP (RDMA over Falcon 6.2 to 6.9, 8.2, 8.3):
where it belongs, opcode and headers, SN, place and RMSN, what receives it, its length, and the memory that it names, in
this order. Each packet gives one arrival with the answer to Falcon, and a placement if it has payload.

SN and RMSN are counted from the first ones of the QP on. They must be the next ones on a strongly ordered QP. Otherwise number n may arrive once n - w has arrived, and
only once: w is %[4]d for SN of a weakly ordered QP, %[5]d, the entries of the IRRQ, for RMSN of pulls. The n-th message that
takes a receive takes the n-th one posted, or from a shared queue the next one when its first packet arrives. A pull that
finds all entries of the IRRQ taken, a message without a receive, one that has to have a receive of a shared queue
%[6]d messages or more after one that is not over, and, while such a NACK waits on a strongly ordered QP, every request but
the next gets RNR NACK; nothing of it counts.

A receive of a shared queue that is taken for a packet while its QP goes to Error is flushed: the arrival of the packet completes it.

Counts advance as if everything else were in order. What is not is either fatal, and the QP goes to Error, or an error
of the operation alone: its numbers count.

It accepts one packet per cycle, of any kind and QP, and decides %[1]d cycles later. A packet of a message whose receive has
several elements is in as many parts as elements that it touches, each looked up and checked like the buffer of one. At the
lookup of the receive it takes 3 cycles for each of them, 2 for each element before them, and one more. Meanwhile the packets after it wait:
the pipeline holds up to %[7]d before that point. After it the pipeline never stalls: a packet
is accepted only if the output buffers, %[2]d placements and %[3]d arrivals, have room. An opening takes as many turns as there are
numbers to forget. After reset all QPs are closed, one per cycle; nothing is accepted before that.`

// Depths of the output buffers.
const (
	placesAhead   = 32
	arrivalsAhead = 64
)

// checkWaiting is how many items are between the input of the pipeline and checkFound.
const checkWaiting = 16

// Check keeps the state of a QP in one word, and its windows of expected numbers in one word per number.
func Check(c engine.Config) hdl.Block[CheckPorts] {
	sw, slot, p := block.IndexWidth(c.Streams), block.IndexWidth(c.ReceiveDepth), profileOf(c)
	ring := func() engine.RingLookup {
		return engine.RingLookup{Enable: hdl.NewOut(1), Stream: hdl.NewOut(sw), Slot: hdl.NewOut(slot), Entry: hdl.NewIn(hdl.PackedWidth(engine.ListedEntryOf(c))), Posted: hdl.NewIn(slot + 1)}
	}
	count := func() engine.RingCount {
		return engine.RingCount{Enable: hdl.NewOut(1), Stream: hdl.NewOut(sw), Posted: hdl.NewIn(32)}
	}
	consumed := func() engine.RingConsumed {
		return engine.RingConsumed{Valid: hdl.NewOut(1), Stream: hdl.NewOut(sw), Count: hdl.NewOut(slot + 1)}
	}
	return hdl.Block[CheckPorts]{
		Kind: "falcon_check", Options: orderOptions(profileOf(c).Order), Params: append(c.Params("streams", "ird", "receive_depth", "max_payload"),
			hdl.Param{Name: "connections", Value: p.Connections}, hdl.Param{Name: "window", Value: p.Window}),
		Doc: fmt.Sprintf(checkDoc, checkDecided, placesAhead, arrivalsAhead, p.Window, c.IRD, c.ReceiveDepth, checkWaiting),
		Ports: CheckPorts{
			Record: hdl.NewSink(RecordOf(p.Connections)), Setup: hdl.NewSink(SetupOf(c)), Queue: hdl.NewSink(SharedQueueOf(c)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)),
			Failure: hdl.NewSink(engine.FailureOf(c)), Credit: hdl.NewSink(engine.CreditOf(c)),
			Region: engine.STagLookupOf(c), Invalidated: engine.STagLookupOf(c), Invalidate: hdl.NewOut(1), InvalidateIndex: hdl.NewOut(24),
			Ring: ring(), RingCount: count(), Consumed: consumed(), SharedRing: ring(), SharedCount: count(),
			SharedConsumed: consumed(), Over: OverCount{Valid: hdl.NewIn(1), Stream: hdl.NewIn(sw), Life: hdl.NewIn(engine.NumberBits(c)), Count: hdl.NewIn(overBits(c))},
			Flush:    FlushLookup{Stream: hdl.NewOut(sw), Goes: hdl.NewIn(1)},
			Asked:    AskedLookup{Enable: hdl.NewOut(1), CID: hdl.NewOut(p.cid().Width()), RSN: hdl.NewOut(rsnBits), Entry: hdl.NewIn(hdl.PackedWidth(ExpectedOf(c)))},
			Elements: engine.ElementLookupOf(c), SharedElements: engine.ElementLookupOf(c), Part: hdl.NewSource(PayloadPartOf()),
			Place: hdl.NewSource(PlacingOf(c)), Placed: hdl.NewIn(engine.PlacementBits), Issued: hdl.NewOut(engine.PlacementBits),
			Arrival: hdl.NewSource(ArrivalOf(c)), Count: CheckCount{hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1)},
		},
		Build: func(m *hdl.Module, p CheckPorts) { buildCheck(m, p, c) },
	}
}

// Stages of the pipeline, named after what is known from there on.
const (
	checkTaken    = 1  // the packet
	checkSet      = 2  // the set-up of its QP
	checkCounted  = 4  // the state of the QP
	checkNumbered = 5  // the numbers that may arrive
	checkTakes    = 6  // which receive of a shared queue it takes
	checkFound    = 8  // the receive, the open transaction, and so the region to access
	checkLooked   = 10 // the row of the region
	checkJudged   = 12 // the broken rules
	checkDecided  = 13 // whether the QP is open, and the first broken rule
	checkLeaving  = 15 // the placement and the arrival
)

func buildCheck(m *hdl.Module, p CheckPorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	k := &check{m: m, c: c, p: p, sweep: sweep, profile: profileOf(c)}
	room := m.Wire("has_room", 1)
	k.places = block.NewWideReserved(m, "places", placesAhead, PlacingOf(c), p.Place)
	k.arrivals = block.NewWideReserved(m, "arrivals", arrivalsAhead, ArrivalOf(c), p.Arrival)
	k.take(m.Let("ready", sweep.Done.And(room.Value)))
	k.view()
	k.setUp()
	k.answers()
	k.relate()
	k.share()
	k.findMessage()
	k.count()
	k.numbers()
	k.find()
	k.judge()
	k.decide()
	k.leave(room)
	k.pipe.Close()
}

// check is an item in the pipeline of falcon_check: a packet, a turn of an opening, a shared queue, or a failure.
type check struct {
	m       *hdl.Module
	c       engine.Config
	p       CheckPorts
	sweep   block.Sweep
	profile Profile
	pipe    *block.Pipeline
	failed  hdl.Source[qpFailed] // QPs that a packet has moved to Error

	begins hdl.Wire // an opening has taken effect

	lives          block.Loop // answeredPulls
	answered, life hdl.Value  // of the QP, in stage checkSet+1: pulls that are answered; its life

	places   block.Reserved[Placing]
	arrivals block.Reserved[Arrival]

	stream                         *block.Signal
	isOpening, isFailure, isPacket *block.Signal
	isQueue                        *block.Signal     // a SharedQueue
	opens, domain                  *block.Signal     // of an opening
	number, lastTurn               *block.Signal     // of a turn of an opening
	cause                          *block.Signal     // of a failure: the rule that a packet broke; 0: none
	again                          *block.Signal     // a QP that a packet has moved to Error enters again
	record                         Record            // in stage checkTaken
	kept                           func() keptPacket // in stage checkLeaving
	sn                             *block.Signal     // counted from the first one of the QP

	checks func(stage int) Checks // of the parser

	is     packetClass
	set    checkSetup
	state  checkState
	shared sharedReceive

	messages block.Stage // messageSlot
	slot     messageSlot // in stage checkCounted: that of the packet's RMSN
	begun    hdl.Value   // in stage checkCounted: another packet of the same message has arrived
	joins    hdl.Wire    // the packet counts for it

	gate    *block.Gate // in front of checkFound
	parts   checkParts
	found   checkTarget
	rules   engine.RuleSet[spec.Rule]
	word    *block.Signal // it places the word of an Atomic
	revokes *block.Signal // it ends a message that invalidates an R-Key
	verdict checkVerdict
}

func (k *check) signal(name string, stage int, v hdl.Value) *block.Signal {
	return k.pipe.Signal(name, stage, v)
}
func (k *check) holds(name string, stage int, v hdl.Value) *block.Signal {
	return k.pipe.Holds(name, stage, v)
}

// qpFailed is a QP that a packet has moved to Error.
type qpFailed struct{ Stream, Rule hdl.Value }
