package transmit

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// A segment with a tag has a number that the peer waits for, so it is always sent.

// numbered reports whether segments are.
func numbered(c engine.Config) bool { return c.Profile.MessageTag() != nil }

// TxBeside is what the beats of a numbered segment have beside their octets, the same in all of them.
type TxBeside struct {
	Tag          any       `hdl:"-"`
	HeaderLength hdl.Value `doc:"octets of the header"`
	Unread       hdl.Value `doc:"1: memory did not deliver the payload: the octets after the header are meaningless"`
}

// TxBeatOf is the prototype of a beat of a segment.
func TxBeatOf(c engine.Config) block.Beat {
	beat := block.BeatOf(c.BusBytes, c.Streams)
	if numbered(c) {
		beat.Beside = &TxBeside{Tag: c.Profile.MessageTag(), HeaderLength: hdl.Bits(bits.Len(uint(c.Profile.HeaderOctets()))), Unread: hdl.Bits(1)}
	}
	return beat
}

// TxFailureOf is the prototype of a failure to read payload; that of a numbered segment has its tag.
func TxFailureOf(c engine.Config) engine.Failure {
	f := engine.FailureOf(c)
	f.Tag = c.Profile.MessageTag()
	return f
}

// TxNumberedPorts send numbered segments whose payload has arrived.
type TxNumberedPorts struct {
	Segment  hdl.Sink[TxSegment]
	Straight hdl.Sink[TxSegment] `doc:"a segment when no other waits"`
	Payload  hdl.Sink[TxOctets]
	Arrived  hdl.Sink[TxArrived]
	Tx       hdl.Source[block.Beat] `hdl:"m_axis_tx"`
	Report   hdl.Source[engine.TxReport]
	Credit   hdl.Source[engine.Credit]  `doc:"a request of the peer that has been answered"`
	Failed   hdl.Source[engine.Failure] `doc:"a segment leaves whose payload memory did not deliver"`
}

const txNumberedDoc = `tx_numbered sends numbered segments in order, every one of them, without a gap between header and payload or between
segments. The first beat leaves one cycle after the segment arrives, if nothing is ahead of it and all its payload is
present. Straight ones are only taken when nothing is sent.

If memory reported an error for a payload, all beats of the segment say so, and a failure is reported: what follows
the header is for the next block to remove. No stream fails.

Each segment is reported when its last beat is accepted. The last segment of a response is also reported to the receive
side in the next cycle, however long its report waits: a peer that has the response may ask again.`

// TxNumbered is tx_builder for segments with a tag.
func TxNumbered(c engine.Config) hdl.Block[TxNumberedPorts] {
	return hdl.Block[TxNumberedPorts]{
		Kind: "tx_numbered", Params: c.Params("bus_bytes", "max_payload", "streams", "ird"),
		Doc: txNumberedDoc,
		Ports: TxNumberedPorts{Segment: hdl.NewSink(txSegment(c)), Straight: hdl.NewSink(txSegment(c)),
			Payload: hdl.NewSink(txOctets(c.BusBytes)), Arrived: hdl.NewSink(txArrived()),
			Tx: hdl.NewSource(TxBeatOf(c)), Report: hdl.NewSource(engine.TxReportOf(c)), Credit: hdl.NewSource(engine.CreditOf(c)),
			Failed: hdl.NewSource(TxFailureOf(c))},
		Build: func(m *hdl.Module, p TxNumberedPorts) { buildTxNumbered(m, p, c) },
	}
}

// numberedSegment is what is known of the segment that is sent, beside its beats.
type numberedSegment struct {
	Stream, Kind, Final, Number, HeaderLength hdl.Value
	Tag                                       any
	Completes                                 hdl.Value // a response
}

func buildTxNumbered(m *hdl.Module, p TxNumberedPorts, c engine.Config) {
	reports := block.NewSkid(m, "reported", engine.TxReportOf(c), p.Report)
	failures := block.NewSkid(m, "failure", TxFailureOf(c), p.Failed)
	credits := block.NewSkid(m, "credited", engine.CreditOf(c), p.Credit)
	done := m.Wire("done", 1)

	m.Section("The next segment can wait while one is sent")
	next := followSegments(m, p.Segment, p.Straight, done.Value, hdl.Ones(1))
	s := next.take(m, c)
	isResponse := m.Let("is_response", c.Kinds().NameSend(m, engine.KindMessage).Lt(s.Kind))
	now := numberedSegment{s.Stream, s.Kind, s.Final, s.Number, s.HeaderLength, s.Tag, s.Final.And(isResponse)}
	sent := hdl.NewRegOf(m, "sent", now, hdl.NoReset)
	m.OnClock(hdl.If(next.free, next.valid.Set(next.comes), next.idle.Set(next.comes.Not()), sent.Set(now)))

	m.Section("Its beats: the rest of the header, then the payload")
	carries := m.Reg("carries_q", 1, hdl.NoReset)
	beats := sequenceBeats(m, s, p.Payload.Data, carries, nil, c)
	step := m.Wire("step", 1)
	m.Note("The last beat waits until whatever may be reported of the segment has room.")
	tells := m.Let("can_report", hdl.AllOf(reports.Room, failures.Room, credits.Room))
	has := m.Let("has_octets", hdl.AllOf(next.valid.Value, carries.Not().Or(p.Arrived.Valid), beats.payload.Not().Or(p.Payload.Valid)))
	able := m.Let("able", has.And(beats.last.Not().Or(tells)))
	m.Drive(step.Out(), able.And(p.Tx.Ready))
	m.Drive(done.Out(), step.And(beats.last))
	m.OnClock(beats.load(next.idle.Value, next.comes, step.Value))
	p.Payload.Accept(m, step.And(beats.payload))
	p.Arrived.Accept(m, done.And(carries.Value))
	q := sent.Q
	unread := m.Let("is_unread", carries.And(p.Arrived.Data.Failed))
	p.Tx.Drive(m, able, block.Beat{Octets: block.Octets{Data: beats.data, Keep: beats.keep, Last: beats.last}, User: q.Stream,
		Beside: &TxBeside{Tag: q.Tag, HeaderLength: q.HeaderLength, Unread: unread}})

	m.Section("Report")
	reports.Drive(done.Value, engine.TxReport{Stream: q.Stream, Kind: q.Kind, Final: q.Final, Dropped: hdl.Zero(1)})
	failure := engine.LocalFailure(c, q.Stream)
	failure.Tag = q.Tag
	failures.Drive(done.And(unread), failure)
	credits.Drive(done.And(q.Completes), engine.Credit{Stream: q.Stream, Number: q.Number})
}
