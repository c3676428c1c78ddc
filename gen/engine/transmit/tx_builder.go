package transmit

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxSegment is a TxCommand without the address of its payload.
type TxSegment struct {
	Stream        hdl.Value `doc:"number of the stream"`
	Kind          hdl.Value `doc:"as in the command"`
	Final         hdl.Value `doc:"last segment of its message"`
	Number        hdl.Value `doc:"number of the answered request"`
	HeaderLength  hdl.Value `doc:"octets of the header"`
	Header        hdl.Value `doc:"octet i in [8i+7:8i]; 0 from header_length on"`
	PayloadLength hdl.Value `doc:"octets"`
}

func txSegment(config engine.Config) TxSegment {
	c := engine.TxCommandOf(config)
	return TxSegment{Stream: c.Stream, Kind: c.Kind, Final: c.Final, Number: c.Number, HeaderLength: c.HeaderLength, Header: c.Header,
		PayloadLength: c.PayloadLength}
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
	Segment hdl.Sink[TxSegment]
	Opening hdl.Sink[engine.Opening]
	Payload hdl.Sink[TxOctets]
	Arrived hdl.Sink[TxArrived]
	Tx      hdl.Source[block.Beat] `hdl:"m_axis_tx"`
	Report  hdl.Source[engine.TxReport]
	Credit  hdl.Source[engine.Credit] `doc:"a request of the peer that has been answered"`
	Failed  hdl.Source[engine.Failure]
	Running hdl.Out `doc:"every stream has been closed after reset"`
}

const txBuilderDoc = `tx_builder sends segments in order, without a gap between header and payload or between segments. The first beat
leaves one cycle after the segment arrives, if nothing is ahead of it and all its payload is present.

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
		Kind: "tx_builder", Params: c.Params("bus_bytes", "max_payload", "streams"),
		Doc: txBuilderDoc,
		Ports: TxBuilderPorts{Segment: hdl.NewSink(txSegment(c)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)),
			Payload: hdl.NewSink(txOctets(c.BusBytes)), Arrived: hdl.NewSink(txArrived()),
			Tx: hdl.NewSource(block.BeatOf(c.BusBytes, c.Streams)), Report: hdl.NewSource(engine.TxReportOf(c)), Credit: hdl.NewSource(engine.CreditOf(c.Streams)),
			Failed: hdl.NewSource(engine.FailureOf(c.Streams)), Running: hdl.NewOut(1)},
		Build: func(m *hdl.Module, p TxBuilderPorts) { buildTxBuilder(m, p, c) },
	}
}

func buildTxBuilder(m *hdl.Module, p TxBuilderPorts, c engine.Config) {
	reports := hdl.NewStream(m, "reported", engine.TxReportOf(c))
	failures := hdl.NewStream(m, "failure", engine.FailureOf(c.Streams))
	credits := hdl.NewStream(m, "credited", engine.CreditOf(c.Streams))
	done := m.Wire("done", 1)
	s := p.Segment.Data

	m.Section("Take a segment, and look up the condition of its stream")
	sweep := block.NewSweep(m, s.Stream.Width())
	swept := sweep.Done
	m.Drive(p.Running, swept)
	valid := m.Reg("valid_q", 1, hdl.ResetTo(0))
	stream := m.Reg("stream_q", s.Stream.Width(), hdl.NoReset)
	kind := m.Reg("kind_q", s.Kind.Width(), hdl.NoReset)
	final := m.Reg("final_q", 1, hdl.NoReset)
	number := m.Reg("number_q", 32, hdl.NoReset)
	free := m.Let("free", swept.And(valid.Not().Or(done.Value)))
	take := m.Let("take", p.Segment.Valid.And(free))
	p.Segment.Accept(m, free)
	m.OnClock(
		hdl.If(free, valid.Set(p.Segment.Valid)),
		hdl.If(take, stream.Set(s.Stream), kind.Set(s.Kind), final.Set(s.Final), number.Set(s.Number)))

	open, failed, ended := m.Constant("STREAM_OPEN", 2, streamOpen), m.Constant("STREAM_FAILED", 2, streamFailed), m.Constant("STREAM_ENDED", 2, streamEnded)
	conditions := block.NewContext(m, "conditions", ended, sweep)
	condition := conditions.Read("condition", take, s.Stream)

	m.Section("Is it sent?")
	carries, empty := m.Reg("carries_q", 1, hdl.NoReset), m.Reg("empty_q", 1, hdl.NoReset)
	kinds := c.Kinds()
	end := kinds.NameSend(m, kinds.End)
	isEnd := m.Let("is_end", kind.Eq(end).Or(kind.Eq(kinds.NameSend(m, kinds.Close))))
	isResponse := m.Let("is_response", kind.Lt(end))
	passes := m.Let("passes", condition.Eq(open).Or(condition.Eq(failed).And(isEnd)))
	isHollow := m.Let("is_hollow", empty.And(isResponse))
	lost := m.Let("lost", isHollow.Or(carries.And(p.Arrived.Data.Failed)))
	dropped := m.Let("dropped", passes.Not().Or(lost))

	m.Section("Its beats: the rest of the header, then the payload")
	beats := sequenceBeats(m, p, carries, empty, c)
	step := m.Wire("step", 1)
	silent := m.Let("silent", dropped.Or(beats.none))
	m.Note("The last beat waits until its report has room.")
	completes := m.Let("completes_response", final.And(isResponse))
	room := m.Let("room", hdl.AllOf(reports.Source().Ready, lost.Not().Or(failures.Source().Ready), completes.Not().Or(credits.Source().Ready)))
	able := m.Let("able", hdl.AllOf(valid.Value, carries.Not().Or(p.Arrived.Valid),
		beats.payload.Not().Or(p.Payload.Valid), beats.last.Not().Or(room)))
	m.Drive(step.Out(), able.And(silent.Or(p.Tx.Ready)))
	m.Drive(done.Out(), step.And(beats.last))
	m.OnClock(beats.load(take, step.Value))
	p.Payload.Accept(m, step.And(beats.payload))
	p.Arrived.Accept(m, done.And(carries.Value))
	p.Tx.Drive(m, able.And(silent.Not()), block.Beat{Data: beats.data, Keep: beats.keep, Last: beats.last, User: stream.Value})

	m.Section("Report")
	fails := m.Let("fails", hdl.AllOf(done.Value, passes, lost))
	reports.Source().Drive(m, done.Value, engine.TxReport{Stream: stream.Value, Kind: kind.Value, Final: final.Value, Dropped: dropped})
	failures.Source().Drive(m, fails, engine.Failure{Stream: stream.Value, Fault: engine.FaultOf(engine.FaultLocal)})
	credits.Source().Drive(m, done.And(completes), engine.Credit{Stream: stream.Value, Number: number.Value})
	block.Fifo(m, "reports", 2, reports.Sink(), p.Report)
	block.Fifo(m, "credits", 2, credits.Sink(), p.Credit)
	block.Fifo(m, "failures", 2, failures.Sink(), p.Failed)

	m.Section("Changes of condition: the end or failure of the stream, an opening")
	m.Unused("checked on receive", p.Opening.Data.Domain)
	ends := m.Let("ends", hdl.AllOf(done.Value, passes, isEnd))
	changes := m.Let("changes", ends.Or(fails))
	p.Opening.Accept(m, swept.And(changes.Not()))
	conditions.Write(block.Change{When: ends, Stream: stream.Value}, block.Change{When: fails, Stream: stream.Value, Word: failed},
		block.Change{When: p.Opening.Valid, Stream: p.Opening.Data.Stream, Word: hdl.Mux(p.Opening.Data.Open, open, ended)})
}

// beatSequence is the current beat of the current segment.
type beatSequence struct {
	data, keep hdl.Value
	last       hdl.Value
	payload    hdl.Value // it consumes a beat of payload
	none       hdl.Value // the segment has no octets
	load       func(take, step hdl.Value) hdl.Stmt
}

// sequenceBeats counts the beats of a segment and assembles each from header and payload. carries is 1 if the segment has payload,
// empty if it has no octets.
func sequenceBeats(m *hdl.Module, p TxBuilderPorts, carries, empty hdl.Reg, c engine.Config) beatSequence {
	octets, place, most := c.BusBytes, block.IndexWidth(c.BusBytes), c.Profile.HeaderOctets()
	s := p.Segment.Data
	width := bits.Len(uint(most + c.MaxPayload + octets - 1))
	length := s.PayloadLength.Truncate(min(16, width))
	m.Unused("at most MaxPayload", s.PayloadLength.Slice(15, length.Width()))
	total := m.Let("total_octets", length.ZeroExtend(width).Add(s.HeaderLength.ZeroExtend(width)))
	roundedUp := m.Let("rounded_up", total.Plus(uint64(octets-1)))
	m.Unused("rounded up to whole beats", roundedUp.Truncate(place))

	header := m.Reg("header_q", 8*most, hdl.NoReset)
	left := m.Reg("beats_left_q", width-place, hdl.NoReset)
	end := m.Reg("last_octets_q", place, hdl.NoReset)
	last := m.Let("last", left.Le(hdl.Const(left.Width(), 1)))
	behind := hdl.Zero(8 * most)
	if octets < most {
		behind = hdl.Cat(hdl.Zero(8*octets), header.Slice(8*most-1, 8*octets))
	}
	load := hdl.Stmts{
		empty.Set(total.IsZero()), header.Set(s.Header), left.Set(roundedUp.Slice(width-1, place)),
		end.Set(total.Truncate(place)), carries.Set(length.Any())}
	next := hdl.Stmts{header.Set(behind), left.Set(left.Sub(hdl.Const(left.Width(), 1)))}

	payload := carries.Value
	if headerBeats := most / octets; headerBeats > 0 {
		before := m.Reg("beats_before_payload_q", bits.Len(uint(headerBeats)), hdl.NoReset)
		load = append(load, before.Set(s.HeaderLength.Slice(6, place).Truncate(before.Width())))
		next = append(next, hdl.If(before.Any(), before.Set(before.Sub(hdl.Const(before.Width(), 1)))))
		payload = m.Let("takes_payload", carries.And(before.IsZero()))
	}
	head := header.ZeroExtend(8 * max(octets, most)).Truncate(8 * octets)
	return beatSequence{
		data: m.Let("data", head.Or(p.Payload.Data.Data.And(payload.Replicate(8*octets)))),
		keep: m.Let("keep", hdl.Mux(last, firstOctets(octets, end.Value), hdl.Ones(octets))),
		last: last, payload: payload, none: empty.Value,
		load: func(take, step hdl.Value) hdl.Stmt { return hdl.If(take, load...).ElseIf(step, next...) },
	}
}
