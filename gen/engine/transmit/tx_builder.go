package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxBuilderPorts send segments whose payload has arrived.
type TxBuilderPorts struct {
	Segment  hdl.Sink[TxSegment]
	Straight hdl.Sink[TxSegment] `doc:"a segment when no other waits"`
	Opening  hdl.Sink[engine.Opening]
	Payload  hdl.Sink[TxOctets]
	Arrived  hdl.Sink[TxArrived]
	Tx       hdl.Source[block.Beat] `hdl:"m_axis_tx"`
	Report   hdl.Source[engine.TxReport]
	Credit   hdl.Source[engine.Credit] `doc:"a request of the peer that has been answered"`
	Failed   hdl.Source[engine.Failure]
	Running  hdl.Out `doc:"every stream has been closed after reset"`
}

const txBuilderDoc = `tx_builder sends segments in order, without a gap between header and payload or between segments. The first beat
leaves one cycle after the segment arrives, if nothing is ahead of it and all its payload is present. Straight ones are
only taken when nothing is sent.

A stream is open, failed or ended. A segment of a stream that is not open is dropped with its payload, except the
end of a failed stream, sent or silent. If memory reported an error for a payload, the segment is dropped, the
stream fails, and a failure is reported. The same holds for an Atomic Response without octets, which stands for a
word that memory did not deliver. Either kind of end ends a stream. A dropped segment takes as many cycles as it
has beats. Each segment is reported when its last beat is accepted or dropped; one without octets sends nothing.
The last segment of a response is also reported to the receive side in the next cycle, however long its report
waits: a peer that has the response may ask again.

After reset every stream is ended, one per cycle, before the first segment or opening is accepted. An opening waits
while the end of a stream is recorded.`

// Conditions of a stream, with what is sent.
const (
	streamOpen   = iota // everything
	streamFailed        // its end
	streamEnded         // nothing
)

// TxBuilder keeps the condition of each stream in a memory.
func TxBuilder(c engine.Config) hdl.Block[TxBuilderPorts] {
	return hdl.Block[TxBuilderPorts]{
		Kind: "tx_builder", Params: c.Params("bus_bytes", "max_payload", "streams", "ird"),
		Doc: txBuilderDoc,
		Ports: TxBuilderPorts{Segment: hdl.NewSink(txSegment(c)), Straight: hdl.NewSink(txSegment(c)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)),
			Payload: hdl.NewSink(txOctets(c.BusBytes)), Arrived: hdl.NewSink(txArrived()),
			Tx: hdl.NewSource(block.BeatOf(c.BusBytes, c.Streams)), Report: hdl.NewSource(engine.TxReportOf(c)), Credit: hdl.NewSource(engine.CreditOf(c)),
			Failed: hdl.NewSource(engine.FailureOf(c)), Running: hdl.NewOut(1)},
		Build: func(m *hdl.Module, p TxBuilderPorts) { buildTxBuilder(m, p, c) },
	}
}

func buildTxBuilder(m *hdl.Module, p TxBuilderPorts, c engine.Config) {
	reports := block.NewSkid(m, "reported", engine.TxReportOf(c), p.Report)
	failures := block.NewSkid(m, "failure", engine.FailureOf(c), p.Failed)
	credits := block.NewSkid(m, "credited", engine.CreditOf(c), p.Credit)
	done := m.Wire("done", 1)

	m.Section("The next segment can wait while one is sent")
	sweep := block.NewSweep(m, p.Segment.Data.Stream.Width())
	swept := sweep.Done
	m.Drive(p.Running, swept)
	next := followSegments(m, p.Segment, p.Straight, done.Value, swept)
	valid, idle, free, comes := next.valid, next.idle, next.free, next.comes

	m.Section("Take a segment, and look up the condition of its stream")
	s := next.take(m, c)
	stream := m.Reg("stream_q", s.Stream.Width(), hdl.NoReset)
	kind := m.Reg("kind_q", s.Kind.Width(), hdl.NoReset)
	final := m.Reg("final_q", 1, hdl.NoReset)
	number := m.Reg("number_q", s.Number.Width(), hdl.NoReset)
	kinds := c.Kinds()
	end, message := kinds.NameSend(m, engine.KindEnd), kinds.NameSend(m, engine.KindMessage)
	isEnd, isResponse := m.Reg("is_end_q", 1, hdl.NoReset), m.Let("is_response", message.Lt(s.Kind))
	completes, isMessage := m.Reg("completes_response_q", 1, hdl.NoReset), m.Reg("is_message_q", 1, hdl.NoReset)
	hollow := m.Reg("is_hollow_q", 1, hdl.NoReset)
	m.OnClock(
		hdl.If(free, valid.Set(comes), idle.Set(comes.Not()), stream.Set(s.Stream), kind.Set(s.Kind), final.Set(s.Final), number.Set(s.Number),
			isEnd.Set(s.Kind.Eq(end).Or(s.Kind.Eq(kinds.NameSend(m, engine.KindClose)))), completes.Set(s.Final.And(isResponse)), isMessage.Set(s.Kind.Eq(message))))

	open, failed, ended := m.Constant("STREAM_OPEN", 2, streamOpen), m.Constant("STREAM_FAILED", 2, streamFailed), m.Constant("STREAM_ENDED", 2, streamEnded)
	conditions := block.NewContext(m, "conditions", ended, sweep)
	changed, becomes := m.Reg("condition_has_changed_q", 1, hdl.NoReset), m.Reg("new_condition_q", 2, hdl.NoReset)
	condition := m.Let("condition", hdl.Mux(changed.Value, becomes.Value, conditions.ReadBefore("stored_condition", free, s.Stream)))

	m.Section("Is it sent?")
	carries, empty := m.Reg("carries_q", 1, hdl.NoReset), m.Reg("empty_q", 1, hdl.NoReset)
	passes := m.Let("passes", condition.Eq(open).Or(condition.Eq(failed).And(isEnd.Value)))
	fault := m.Let("has_fault", carries.And(p.Arrived.Data.Failed))
	lost := m.Let("lost", hollow.Or(fault))
	dropped := m.Let("dropped", passes.Not().Or(lost))

	m.Section("Its beats: the rest of the header, then the payload")
	beats := sequenceBeats(m, s, p.Payload.Data, carries, func() hdl.Stmts {
		isEmpty := m.Let("is_empty", s.Beats.IsZero())
		return hdl.Stmts{empty.Set(isEmpty), hollow.Set(isEmpty.And(isResponse))}
	}, c)
	step := m.Wire("step", 1)
	silent := m.Let("silent", hdl.AnyOf(passes.Not(), fault, empty.Value))
	m.Note("The last beat waits until whatever may be reported of the segment has room.")
	tells := m.Let("can_report", hdl.AllOf(reports.Room, failures.Room, credits.Room))
	has := m.Let("has_octets", hdl.AllOf(valid.Value, carries.Not().Or(p.Arrived.Valid), beats.payload.Not().Or(p.Payload.Valid)))
	able := m.Let("able", has.And(beats.last.Not().Or(tells)))
	m.Drive(step.Out(), able.And(silent.Or(p.Tx.Ready)))
	m.Drive(done.Out(), step.And(beats.last))
	m.OnClock(beats.load(idle.Value, comes, step.Value))
	p.Payload.Accept(m, step.And(beats.payload))
	p.Arrived.Accept(m, done.And(carries.Value))
	p.Tx.Drive(m, able.And(silent.Not()), block.Beat{Octets: block.Octets{Data: beats.data, Keep: beats.keep, Last: beats.last}, User: stream.Value})

	m.Section("Report")
	fails := m.Let("fails", hdl.AllOf(done.Value, passes, lost))
	reports.Drive(done.Value, engine.TxReport{Stream: stream.Value, Kind: kind.Value, Final: final.Value, Dropped: dropped,
		Asks: &engine.Asking{Is: m.Let("asks", isMessage.And(number.Bit(0)))}})
	failure := engine.LocalFailure(c, stream.Value)
	if engine.Stops(c) {
		m.Note("A response without octets says in its header what has failed; of one whose payload has failed it counts for nothing.")
		failure.Fault = m.Let("fault_of_response", hdl.Mux(hollow.Value, c.Profile.Hollow(beats.header), failure.Fault))
	}
	failures.Drive(fails, failure)
	credits.Drive(done.And(completes.Value), engine.Credit{Stream: stream.Value, Number: number.Value})

	m.Section("Changes of condition: the end or failure of the stream, an opening")
	m.Unused("checked on receive", p.Opening.Data.Domain)
	changes := m.Let("changes", hdl.AllOf(done.Value, passes, isEnd.Or(lost)))
	m.Note("An opening waits for the last beat of a segment that may change a condition, whether it leaves or not.")
	mayChange := m.Let("may_change", hdl.AllOf(valid.Value, beats.last, hdl.AnyOf(isEnd.Value, hollow.Value, fault.And(p.Arrived.Valid))))
	opening := m.Let("takes_opening", p.Opening.Valid.And(mayChange.Not()))
	p.Opening.Accept(m, swept.And(mayChange.Not()))
	opened := m.Let("opened_condition", hdl.Mux(p.Opening.Data.Open, open, ended))
	then := m.Let("next_condition", hdl.Mux(mayChange, hdl.Mux(isEnd.Value, ended, failed), opened))
	conditions.Write(block.Change{When: opening.Or(changes), Stream: hdl.Mux(mayChange, stream.Value, p.Opening.Data.Stream), Word: then})
	m.Note("Whether the segment that is taken is of that stream is compared beside the decision.")
	same, opens := m.Let("same_stream", stream.Eq(s.Stream)), m.Let("opens_next", opening.And(p.Opening.Data.Stream.Eq(s.Stream)))
	m.OnClock(hdl.If(free, changed.Set(hdl.Mux(changes, same, opens)), becomes.Set(then)))
}
