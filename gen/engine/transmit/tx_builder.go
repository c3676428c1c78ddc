package transmit

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxSegment is a TxCommand without the address of its payload.
type TxSegment struct {
	Stream       hdl.Value `doc:"number of the stream"`
	Kind         hdl.Value `doc:"as in the command"`
	Final        hdl.Value `doc:"last segment of its message"`
	Number       hdl.Value `doc:"number of the answered request"`
	HeaderLength hdl.Value `doc:"octets of the header"`
	Header       hdl.Value `doc:"octet i in [8i+7:8i]; 0 from header_length on"`
	Carries      hdl.Value `doc:"payload follows the header"`
	Beats        hdl.Value `doc:"beats of header and payload"`
	Short        hdl.Value `doc:"one beat at most"`
	Ends         hdl.Value `doc:"octets of the last beat; 0: all"`
}

func txSegment(config engine.Config) TxSegment {
	return segmentOf(engine.TxCommandOf(config), hdl.Bits(1), hdl.Bits(1))
}

// segmentOf is the segment of a command, which carries payload or not, and has one beat at most or more.
func segmentOf(c engine.TxCommand, carries, short hdl.Value) TxSegment {
	return TxSegment{Stream: c.Stream, Kind: c.Kind, Final: c.Final, Number: c.Number, HeaderLength: c.HeaderLength, Header: c.Header,
		Carries: carries, Beats: c.Beats, Short: short, Ends: c.Ends}
}

// TxOctets is one beat of payload, its octets at their place in the segment, all others zero.
type TxOctets struct {
	Data hdl.Value `doc:"octets at their place in the segment, others 0"`
}

func txOctets(busBytes int) TxOctets { return TxOctets{Data: hdl.Bits(8 * busBytes)} }

// TxArrived reports that all payload of one segment has arrived; with Failed, that memory reported an error for it.
type TxArrived struct {
	Failed hdl.Value `doc:"1: memory reported an error for the payload"`
}

func txArrived() TxArrived { return TxArrived{Failed: hdl.Bits(1)} }

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

	m.Section("One segment can wait behind the one that is sent")
	sweep := block.NewSweep(m, p.Segment.Data.Stream.Width())
	swept := sweep.Done
	m.Drive(p.Running, swept)
	valid := m.Reg("valid_q", 1, hdl.ResetTo(0))
	idle := m.Reg("idle_q", 1, hdl.ResetTo(1))
	free := m.Let("free", idle.Or(done.Value))
	waiting := hdl.NewRegOf(m, "waiting", txSegment(c), hdl.NoReset)
	waits, room := m.Reg("waits_q", 1, hdl.ResetTo(0)), m.Reg("room_q", 1, hdl.ResetTo(0))
	m.Note("Nothing waits when nothing is sent.")
	straight := m.Let("may_pass", room.And(idle.Value))
	p.Straight.Accept(m, straight)
	comes := m.Let("comes", hdl.AnyOf(waits.Value, p.Segment.Valid.And(room.Value), p.Straight.Valid.And(straight)))
	stays := m.Let("stays", comes.And(free.Not()))
	p.Segment.Accept(m, room.Value)
	m.OnClock(
		hdl.If(waits.Not(), waiting.Set(p.Segment.Data)),
		waits.Set(stays), room.Set(swept.And(stays.Not())))

	m.Section("Take a segment, and look up the condition of its stream")
	s := hdl.Unpack(txSegment(c), m.Let("taken_segment",
		hdl.Select(hdl.Pack(p.Straight.Data), hdl.When{Cond: waits.Value, Then: hdl.Pack(waiting.Q)}, hdl.When{Cond: p.Segment.Valid, Then: hdl.Pack(p.Segment.Data)})))
	stream := m.Reg("stream_q", s.Stream.Width(), hdl.NoReset)
	kind := m.Reg("kind_q", s.Kind.Width(), hdl.NoReset)
	final := m.Reg("final_q", 1, hdl.NoReset)
	number := m.Reg("number_q", s.Number.Width(), hdl.NoReset)
	kinds := c.Kinds()
	end, message := kinds.NameSend(m, engine.KindEnd), kinds.NameSend(m, engine.KindMessage)
	isEnd, isResponse := m.Reg("is_end_q", 1, hdl.NoReset), m.Let("is_response", message.Lt(s.Kind))
	completes := m.Reg("completes_response_q", 1, hdl.NoReset)
	hollow := m.Reg("is_hollow_q", 1, hdl.NoReset)
	m.OnClock(
		hdl.If(free, valid.Set(comes), idle.Set(comes.Not()), stream.Set(s.Stream), kind.Set(s.Kind), final.Set(s.Final), number.Set(s.Number),
			isEnd.Set(s.Kind.Eq(end).Or(s.Kind.Eq(kinds.NameSend(m, engine.KindClose)))), completes.Set(s.Final.And(isResponse))))

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
	beats := sequenceBeats(m, s, p.Payload.Data, segmentFlags{carries, empty, hollow, isResponse}, c)
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
	p.Tx.Drive(m, able.And(silent.Not()), block.Beat{Data: beats.data, Keep: beats.keep, Last: beats.last, User: stream.Value})

	m.Section("Report")
	fails := m.Let("fails", hdl.AllOf(done.Value, passes, lost))
	reports.Drive(done.Value, engine.TxReport{Stream: stream.Value, Kind: kind.Value, Final: final.Value, Dropped: dropped})
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
	next := m.Let("next_condition", hdl.Mux(mayChange, hdl.Mux(isEnd.Value, ended, failed), opened))
	conditions.Write(block.Change{When: opening.Or(changes), Stream: hdl.Mux(mayChange, stream.Value, p.Opening.Data.Stream), Word: next})
	m.Note("Whether the segment that is taken is of that stream is compared beside the decision.")
	same, opens := m.Let("same_stream", stream.Eq(s.Stream)), m.Let("opens_next", opening.And(p.Opening.Data.Stream.Eq(s.Stream)))
	m.OnClock(hdl.If(free, changed.Set(hdl.Mux(changes, same, opens)), becomes.Set(next)))
}

// beatSequence is the current beat of the current segment.
type beatSequence struct {
	data, keep hdl.Value
	last       hdl.Value
	payload    hdl.Value                                  // it consumes a beat of payload
	header     hdl.Value                                  // octets of the header that are not sent
	load       func(idle, comes, step hdl.Value) hdl.Stmt // of the registers of a segment, which is there if valid
}

// segmentFlags are those of the segment that is sent: it has payload; it has no octets; it is hollow, an Atomic Response without octets.
// IsResponse belongs to the one that is taken.
type segmentFlags struct {
	carries, empty, hollow hdl.Reg
	isResponse             hdl.Value
}

// sequenceBeats assembles each beat of a segment from header and payload.
func sequenceBeats(m *hdl.Module, s TxSegment, octetsOfPayload TxOctets, f segmentFlags, c engine.Config) beatSequence {
	octets, place, most := c.BusBytes, block.IndexWidth(c.BusBytes), c.Profile.HeaderOctets()
	header := m.Reg("header_q", 8*most, hdl.NoReset)
	left := m.Reg("beats_left_q", s.Beats.Width(), hdl.NoReset)
	ends := hdl.NewRegOf(m, "ends", block.OctetCountOf(octets), hdl.NoReset)
	last, full := m.Reg("last_q", 1, hdl.NoReset), m.Reg("full_q", 1, hdl.NoReset)
	behind := hdl.Zero(8 * most)
	if octets < most {
		behind = hdl.Cat(hdl.Zero(8*octets), header.Slice(8*most-1, 8*octets))
	}
	isEmpty := m.Let("is_empty", s.Beats.IsZero())
	ending := m.Let("last_is_next", left.Is(2))
	load := hdl.Stmts{
		f.empty.Set(isEmpty), f.hollow.Set(isEmpty.And(f.isResponse)), f.carries.Set(s.Carries), left.Set(s.Beats),
		last.Set(s.Short), full.Set(s.Short.Not()), ends.Set(block.DecodeEnd(s.Ends))}
	next := hdl.Stmts{left.Set(left.Minus(1)), last.Set(ending), full.Set(ending.Not())}

	payload, pays := f.carries, f.carries.Value
	whole := most / octets // beats of the longest header without payload
	m.Unused("whole beats of header count", s.HeaderLength.Truncate(min(place, 7)))
	if whole > 0 {
		before := m.Reg("beats_before_payload_q", bits.Len(uint(whole)), hdl.NoReset)
		headerBeats := s.HeaderLength.Slice(6, place).Truncate(before.Width())
		payload = m.Reg("takes_payload_q", 1, hdl.NoReset)
		pays = m.Let("has_payload", f.carries.And(before.IsZero()))
		load = append(load, before.Set(headerBeats), payload.Set(s.Carries.And(headerBeats.IsZero())))
		next = append(next, hdl.If(before.Any(), before.Set(before.Minus(1)), payload.Set(f.carries.And(before.Is(1)))))
	}
	head := header.ZeroExtend(8 * max(octets, most)).Truncate(8 * octets)
	return beatSequence{
		data: m.Let("data", head.Or(octetsOfPayload.Data.And(pays.Replicate(8*octets)))),
		keep: m.Let("keep", ends.Q.Below().Or(full.Replicate(octets))),
		last: last.Value, payload: payload.Value, header: header.Value,
		load: func(idle, comes, step hdl.Value) hdl.Stmt {
			m.Note("Nothing is inside, or the last beat: known a cycle before, for all who ask.")
			loads := m.Reg("loads_q", 1, hdl.ResetTo(1))
			load := append(load, loads.Set(comes.Not().Or(s.Short)))
			next := append(next, loads.Set(ending))
			m.Note("AND and OR, not a choice: a synchronous reset of the octets behind the header would take the clock enable.")
			header := header.Set(s.Header.And(loads.Replicate(8 * most)).Or(behind.And(loads.Not().Replicate(8 * most))))
			return hdl.If(idle.Or(step), header, hdl.If(loads.Value, load...).Else(next...))
		},
	}
}
