package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

const orderDoc = `falcon_order is the scoreboard of the target (RoF 6.2). What a packet causes at once leaves in the order of arrival. The part
that a push adds to its message takes effect at once, too, unless the QP is weakly ordered: then in the order of SN. It waits
in a memory, and so does an Atomic (I-70): those of a window of %[1]d SNs that is complete, and of the next one. A message
that takes a receive completes it with its last part.

Each cycle one QP has a turn: with its next arrival, or with a step of a walk over what waits. Either lets at most one waiting
part take effect, so that a QP whose packets arrive at full rate, %[1]d at a time in any order, loses no cycle. A QP of which
something may take effect has one token. While another one waits, a walk goes on for %[2]d parts. Walks use the cycles
without an arrival; one that has seen %[3]d arrivals of other QPs, or of its own that deliver something, has the next cycle. A pull
does not let a part take effect while an Atomic of its QP waits.

The answer to a packet and the completion of a receive of its QP leave as one delivery. So do the end of a QP and the completion of
the receive of its open message, if a part of that has taken effect with an error (I-103): the message need not be whole. Nothing
completes after that: receives without an error, or whose error waits for a lower SN, have no completion.

In the order of SN a part that does not continue the message before it, or does not start one after the end of that, ends the QP
in both error modes, and so does a pull inside a message, or an RMSN that is not the next one (I-117). An Atomic there is not executed. A part of a Send that does not continue its octets
lets its receive end in a length error, in Verbs compatible mode at once with the QP (I-104).

An Atomic that has not had its turn when the QP ends has been acknowledged, so it is refused (I-70): after the end, one per step,
in a walk like any other, of %[4]d steps for all that may wait. What this block finds itself ends the QP only when falcon_check has sent
the end. The same goes for a packet that is refused and ends its QP. Until then an Atomic that gets its turn is refused at once, and after an SN for which there is no room all that wait may be:
responses have no order relative to the event.

Messages use up their receives in the order of RMSN; on an unordered QP once those before are over. A message takes a receive of a
shared queue when its first packet arrives, so with the end of such a QP all those that its messages have taken, and not completed, are
flushed: of a weakly ordered QP, after the end, one in each of %[5]d more steps of the walk, for all RMSNs that may have one.

An opening forgets all of its QP, also Atomics that have not been refused yet: it frees their entries of the IRRQ. A QP that is
closed owes no answer.`

// walkSteps is how many steps a walk has in turn, walkPatience how many arrivals of other QPs it lets pass.
const (
	walkSteps    = 16
	walkPatience = 8
)

// Order holds per QP: a word for its numbers and one for its open message, the parts of twice Window packets, and IRD Atomics. What it has accepted
// has room at its outputs. A delivery is on offer in the 7th cycle after the arrival.
func Order(c engine.Config) hdl.Block[OrderPorts] {
	window := profileOf(c).Window
	return hdl.Block[OrderPorts]{
		Kind: "falcon_order", Params: append(c.Params("streams", "ird", "receive_depth"), hdl.Param{Name: "window", Value: window}),
		Doc: fmt.Sprintf(orderDoc, window, walkSteps, walkPatience, atomicSlots(c)+endTurns+1, c.ReceiveDepth), Ports: orderPorts(c),
		Build: func(m *hdl.Module, p OrderPorts) { buildOrder(m, p, c) },
	}
}

// Stages of the pipeline.
const (
	turnKnown    = 2 // the word of the QP's numbers: does a part take effect, the packet's own or one that waits?
	partKnown    = 3 // the part
	messageKnown = 4 // the word of the QP's message: what follows
	messageDone  = 5 // it leaves the pipeline
)

// orderPlaces is how many items are in the pipeline and in the buffer behind it.
const orderPlaces = 8

// scoreboard is what the parts of the block share.
type scoreboard struct {
	*hdl.Module
	c     engine.Config
	p     OrderPorts
	sweep block.Sweep
	pipe  *block.Pipeline

	walk      *walk
	delivered block.Reserved[engine.Delivery]
	failed    block.Reserved[engine.Failure]
	revoked   block.Reserved[Revocation]
	released  block.Reserved[engine.ReleasedList]

	// Of the item in a stage.
	stream, opens, packet *block.Signal
	last                  *block.Signal // a step that ends its turn
	steps                 *block.Signal // a step, of a walk or with a packet that delivers only its answer
	asks                  *block.Signal // a packet that delivers a request
	ends                  *block.Signal // the end of the QP, with a packet or without
	counts, weak, waits   *block.Signal
	own                   *block.Signal // arrivedPart
	request               *block.Signal // heldRequest
	response              *block.Signal // status that a response gives its work request
	shares                *block.Signal // the receives of the QP are of a shared queue
	taken                 takenReceive
}

// arrivedPart is a part with what the completion of its receive says.
type arrivedPart struct {
	Part
	Waits     hdl.Value // no part: an Atomic
	Verbs     hdl.Value
	Opcode    hdl.Value
	Word      hdl.Value
	Solicited hdl.Value
}

func arrivedPartOf(c engine.Config) arrivedPart {
	a, received := ArrivalOf(c), receivedOf()
	a.Part.RMSN = hdl.Bits(rmsnBits)
	return arrivedPart{Part: a.Part, Waits: a.Waits, Verbs: a.Verbs, Opcode: a.Delivery.Opcode, Word: received.Word, Solicited: received.Solicited}
}

func buildOrder(m *hdl.Module, p OrderPorts, c engine.Config) {
	u := &scoreboard{Module: m, c: c, p: p, sweep: block.NewSweep(m, block.IndexWidth(c.Streams))}
	u.delivered = block.NewWideReserved(m, "delivery", 2*orderPlaces, engine.DeliveryOf(c), p.Deliver)
	u.failed = block.NewReserved(m, "failure", orderPlaces, engine.FailureOf(c), p.Failed)
	u.revoked = block.NewReserved(m, "revocation", orderPlaces, RevocationOf(), p.Revoke)
	u.released = block.NewReserved(m, "released", orderPlaces, engine.ReleasedListOf(c), p.Release)
	u.take()
	turn := u.turns()
	part := u.parts(turn)
	u.report(turn, part, u.messages(turn, part))
	u.pipe.Close()
}

// take lets an arrival, or a step of a walk, enter the pipeline.
func (u *scoreboard) take() {
	m, in := u.Module, u.p.Arrival.Data
	m.Section("An arrival, or a step of a walk")
	d := in.Delivery
	m.Note("The two cycles after an opening are empty, so that nothing reads what the opening has not written yet.")
	opened, settled := m.Reg("opened_q", 1, hdl.ResetTo(0)), m.Reg("settled_q", 1, hdl.ResetTo(0))
	room := m.Let("has_room", hdl.AllOf(settled.Value, u.delivered.Room, u.failed.Room, u.revoked.Room, u.released.Room))
	u.walk = newWalk(m, u.c.Streams)
	ready := m.Let("ready", room.And(u.walk.insists.Not()))
	takes := m.Let("takes_arrival", ready.And(u.p.Arrival.Valid))
	u.p.Arrival.Accept(m, ready)
	steps := m.Let("walk_steps", hdl.AllOf(room, u.walk.busy.Value, takes.Not()))
	last := u.walk.goes(m, steps, takes, d.Request.Stream, m.Let("is_answer_alone", d.Kind.IsZero()))
	opens, packet := m.Let("opens", takes.And(in.Opens)), m.Let("takes_packet", takes.And(in.Opens.Not()))
	m.OnClock(opened.Set(opens), settled.Set(u.sweep.Done.And(opens.Or(opened.Value).Not())))

	m.Note("Which QP has the turn does not wait for whether there is room.")
	arrives := m.Let("arrival_goes", u.p.Arrival.Valid.And(u.walk.insists.Not()))
	u.pipe = block.NewPipeline(m, m.Let("takes", room.And(arrives.Or(u.walk.busy.Value))), messageDone)
	u.stream = u.pipe.Signal("stream", 0, hdl.Mux(arrives, d.Request.Stream, u.walk.stream.Value))
	u.opens, u.packet, u.last = u.pipe.Holds("opens", 0, opens), u.pipe.Holds("packet", 0, packet), u.pipe.Holds("last_step", 0, last)
	u.steps = u.pipe.Signal("steps", 0, steps.Or(packet.And(d.Kind.IsZero())))
	asks := hdl.Const(engine.DeliveryKinds, 1<<engine.DeliverRequest)
	u.asks = u.pipe.Signal("asks", 0, packet.And(d.Kind.Eq(asks)))
	u.ends = u.pipe.Signal("ends_qp", 0, packet.And(d.Kind.Bit(engine.DeliverEnd).Or(d.Kind.Bit(engine.DeliverClose))))
	u.counts, u.weak = u.pipe.Signal("counts", 0, packet.And(in.Counts)), u.pipe.Holds("weak", 0, in.Weak)
	u.waits = u.pipe.Signal("waits", 0, hdl.AllOf(packet, in.Counts, in.Weak, in.Waits))
	r := d.Tag.(*deliveryTag).Received
	u.response = u.pipe.Holds("response_status", 0, r.Status)
	u.shares = u.pipe.Holds("shares", 0, in.Shares)
	u.taken = u.takes(packet)
	part := in.Part
	part.RMSN = part.RMSN.Truncate(rmsnBits)
	u.own = u.pipe.Holds("own", 0, hdl.Pack(arrivedPart{Part: part, Waits: in.Waits.And(in.Weak), Verbs: in.Verbs, Opcode: d.Opcode, Word: r.Word, Solicited: r.Solicited}))
	u.request = u.pipe.Holds("request", 0, hdl.Pack(heldRequestOf(d.Request))).Later(partKnown)
}
