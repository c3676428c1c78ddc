package order

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// DeliveryGatePorts report the effects of segments to the host, the requester and the responder.
type DeliveryGatePorts struct {
	Deliver hdl.Sink[engine.Delivery]
	Opening hdl.Sink[engine.Opening]
	Issued  hdl.In `doc:"number of the latest issued placement"`
	Placed  hdl.In `doc:"number of the latest finished placement"`
	Failed  hdl.Sink[engine.Failure]

	Completion hdl.Source[engine.Completion]
	Event      hdl.Source[engine.Event]
	Answered   hdl.Source[engine.Answered]
	Ended      hdl.Source[engine.Ended]
	Request    hdl.Source[QueuedRequest]
	Answer     *hdl.Source[any] `doc:"answers to segments, once their payload is in memory"`
}

const deliveryDoc = `delivery_gate holds each item until everything that its stream sent earlier is in memory. Only then does a Send or
Immediate Data complete, and a Read or Atomic Request reach the responder (RFC 5040 section 5.5, RFC 7306 section
7). Items leave in order of arrival, so a request starts after the completions before it.

After a failed placement a stream gets no further success: its receives complete with a memory error, its responses
and requests are dropped%s. The failure travels to the receive side, which ends the stream. An item that has been
released but is stalled stays released. Up to %d failed streams are compared with each item at once; a stream is no longer
failed when it is opened or closed. When more have failed at a time, every item takes one more cycle from then on.`

// requestsDoc says more of them.
func requestsDoc(c engine.Config) string {
	if _, has := engine.Refuser(c); has {
		return ", the latter by an answer that refuses them"
	}
	return ""
}

// listedFailures is how many failed streams are compared with an item.
func listedFailures(c engine.Config) int { return min(8, c.Streams/2) }

// DeliveryGate adds no latency to a request that need not wait.
func DeliveryGate(c engine.Config) hdl.Block[DeliveryGatePorts] {
	streams := c.Streams
	ports := DeliveryGatePorts{Deliver: hdl.NewSink(engine.DeliveryOf(c)), Opening: hdl.NewSink(engine.OpeningOf(streams)),
		Issued: hdl.NewIn(engine.PlacementBits), Placed: hdl.NewIn(engine.PlacementBits), Failed: hdl.NewSink(engine.FailureOf(c)),
		Completion: hdl.NewSource(engine.CompletionOf(c)), Event: hdl.NewSource(engine.EventOf(c)), Answered: hdl.NewSource(engine.DeliveredResponseOf(c)),
		Ended: hdl.NewSource(engine.EndedOf(streams)), Request: hdl.NewSource(QueuedRequestOf(c))}
	if tag := c.Profile.AnswerTag(); tag != nil {
		answer := hdl.NewSource(tag)
		ports.Answer = &answer
	}
	return hdl.Block[DeliveryGatePorts]{
		Kind: "delivery_gate", Params: []hdl.Param{{Name: "streams", Value: streams}, {Name: "ird", Value: c.IRD}},
		Doc: fmt.Sprintf(deliveryDoc, requestsDoc(c), listedFailures(c)), Ports: ports,
		Build: func(m *hdl.Module, p DeliveryGatePorts) { buildDeliveryGate(m, p, c) },
	}
}

func buildDeliveryGate(m *hdl.Module, p DeliveryGatePorts, c engine.Config) {
	streams := c.Streams
	sweep := block.NewSweep(m, block.IndexWidth(streams))
	swept := sweep.Done
	d := p.Deliver.Data

	m.Section("Failed streams: a list of a few, and a mark for each, looked up once the list was too short")
	p.Failed.Accept(m, swept)
	p.Opening.Accept(m, swept.And(p.Failed.Valid.Not()))
	m.Unused("only the retire port reports it", p.Deliver.Data.Rule)
	m.Unused("an opening resets the stream, whether it opens or closes it", p.Opening.Data.Open, p.Opening.Data.Domain)
	m.Unused("the placement is lost, whatever the fault", p.Failed.Data.Fault)
	fails, opens := m.Let("fails", swept.And(p.Failed.Valid)), m.Let("opens", hdl.AllOf(swept, p.Opening.Valid, p.Failed.Valid.Not()))
	marks := block.NewContext(m, "failed", hdl.Zero(1), sweep)
	marks.Write(block.Change{When: p.Failed.Valid, Stream: p.Failed.Data.Stream, Word: hdl.Ones(1)},
		block.Change{When: p.Opening.Valid, Stream: p.Opening.Data.Stream})
	list := newFailedStreams(m, listedFailures(c), fails, p.Failed.Data.Stream, opens, p.Opening.Data.Stream)
	troubled := m.Reg("troubled_q", 1, hdl.ResetTo(0))
	m.OnClock(hdl.If(list.overflows, troubled.Set(hdl.Ones(1))))

	m.Section("May the item leave, and has its stream failed?")
	m.Note("Once released, an item stays released, regardless of later failures and of placement numbers wrapping around while it is stalled.")
	cleared, kept := m.Reg("cleared_q", 1, hdl.ResetTo(0)), m.Reg("was_lost_q", 1, hdl.NoReset)
	asked := m.Reg("asked_q", 1, hdl.ResetTo(0))
	m.Note("A placement counts a cycle after it is issued or finished; its item comes later than it is issued.")
	issued, placed := m.Reg("issued_q", engine.PlacementBits, hdl.ResetTo(0)), m.Reg("placed_q", engine.PlacementBits, hdl.ResetTo(0))
	wraps := m.Reg("wraps_q", 1, hdl.ResetTo(0))
	m.OnClock(issued.Set(p.Issued.Value), placed.Set(p.Placed.Value), wraps.Set(p.Issued.Value.Lt(p.Placed.Value)))
	pending := m.Let("is_pending", engine.Pending(d.Place, issued.Value, placed.Value, wraps.Value))
	arrived := m.Let("has_arrived", cleared.Or(pending.Not()))
	ask := m.Let("ask", hdl.AllOf(p.Deliver.Valid, arrived, troubled.Value, asked.Not(), cleared.Not()))
	hit := marks.Read("stream_failed", ask, d.Request.Stream)
	able := m.Let("able", hdl.AllOf(swept, p.Deliver.Valid, hdl.AnyOf(troubled.Not(), asked.Value, cleared.Value)))
	may := m.Let("may_leave", able.And(arrived))
	listed := m.Let("is_listed", list.has("item", d.Request.Stream))
	m.Note("What was decided before, or looked up, is known first; the list only counts for others.")
	decided := m.Let("is_decided_lost", hdl.Mux(cleared.Value, kept.Value, hdl.AllOf(troubled.Value, asked.Value, hit)))
	lost := m.Let("is_lost", decided.Or(listed.And(cleared.Or(troubled.Value).Not())))

	m.Section("Route")
	is := func(name string, kind int) hdl.Value { return m.Let(name, d.Kind.Bit(kind)) }
	m.Unused("its item says what it releases", d.Kind.Bit(engine.DeliverRelease))
	isReceive, isResponse := is("is_receive", engine.DeliverReceive), is("is_response", engine.DeliverResponse)
	isRequest, isEnd, isClose := is("is_request", engine.DeliverRequest), is("is_end", engine.DeliverEnd), is("is_close", engine.DeliverClose)
	ends := m.Let("ends", isEnd.Or(isClose))
	r := d.Request
	view := c.Profile.Delivered(m, d, ends, lost)
	solicits := m.Let("is_solicited", isReceive.And(view.Solicited))

	m.Note("Whether an item can leave does not depend on whether it is lost.")
	leave := m.Wire("leave", 1)
	completion := hold(m, "completion", p.Completion, engine.CompletionOf(c), isReceive, isReceive, leave.Value, engine.Completion{Stream: r.Stream, ID: d.ID,
		Status: hdl.Mux(lost, hdl.Const(2, engine.StatusMemory), hdl.Const(2, engine.StatusSuccess)), Opcode: d.Opcode, Recv: hdl.Ones(1), Length: d.Length,
		Data: view.Received, STag: view.STag, Outcome: view.Outcome})
	kind := hdl.Select(hdl.Const(2, engine.EventSolicited), hdl.When{Cond: isEnd, Then: hdl.Const(2, engine.EventEnded)},
		hdl.When{Cond: isClose, Then: hdl.Const(2, engine.EventClosed)})
	event := hold(m, "event", p.Event, engine.EventOf(c), solicits.Or(ends), solicits.And(lost.Not()).Or(ends), leave.Value, engine.Event{Stream: r.Stream, Kind: kind, Detail: view.Detail})
	response := hold(m, "response", p.Answered, engine.DeliveredResponseOf(c), isResponse, isResponse.And(lost.Not()), leave.Value, engine.Answered{Stream: r.Stream,
		Data: view.Returned, Tag: view.Response})
	end := hold(m, "end", p.Ended, engine.EndedOf(streams), ends, ends, leave.Value, engine.Ended{Stream: r.Stream})
	releases := d.Queue.Releases
	asks := m.Let("is_for_responder", hdl.AnyOf(ends, isRequest, releases))
	goesOn := isRequest.Or(releases).And(lost.Not())
	if n, has := engine.Refuser(c); has {
		m.Note("A request behind lost payload is refused: the peer waits for an answer.")
		refusal := m.Constant("REFUSAL", r.Kind.Width(), c.Kinds().Request(c.Profile.Executors(c)[n].Name))
		goesOn, r.Kind = isRequest.Or(releases), m.Let("kind_of_request", hdl.Mux(isRequest.And(lost), refusal, r.Kind))
	}
	passes := m.Let("passes", ends.Or(goesOn))
	free := []hdl.Value{completion, event, response, end}
	if p.Answer != nil {
		free = append(free, hold(m, "answer", *p.Answer, c.Profile.AnswerTag(), view.Answers, view.Answers, leave.Value, view.Answer))
	}
	places := m.Let("has_places", hdl.AllOf(free...))
	m.Note("A request leaves in the cycle in which it arrives, once the registers of everything else that the item reports are free.")
	p.Request.Drive(m, hdl.AllOf(m.Let("is_able", able.And(places)), arrived, passes), QueuedRequest{Queue: d.Queue, Request: r})
	m.Drive(leave.Out(), m.Let("is_ready", hdl.AllOf(able, places, asks.Not().Or(p.Request.Ready))).And(arrived))
	p.Deliver.Accept(m, leave.Value)
	m.OnClock(
		cleared.Set(may.And(leave.Not())), kept.Set(lost),
		hdl.If(ask, asked.Set(hdl.Ones(1))).ElseIf(leave.Value, asked.Set(hdl.Zero(1))))
}

// hold drives a source from a register that is loaded with data in the cycle of leave if wanted is 1. The result is 1 if the register can
// be loaded, or if the item needs none.
func hold[T any](m *hdl.Module, name string, to hdl.Source[T], proto T, needs, wanted, leave hdl.Value, data T) hdl.Value {
	offer := block.NewOffer(m, name, proto, to)
	offer.Drive(m.Let(name+"_enters", leave.And(m.Let("wants_"+name, wanted))), data)
	return needs.Not().Or(offer.Free)
}
