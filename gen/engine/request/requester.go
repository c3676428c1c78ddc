package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// RequesterPorts are work requests in, commands and completions out.
type RequesterPorts struct {
	Work       hdl.Sink[engine.WorkRequest] `hdl:"wqe"`
	Opening    hdl.Sink[engine.Opening]
	Local      engine.STagLookup
	Command    hdl.Source[engine.TxCommand]
	Expecting  hdl.Source[engine.Expecting]
	Sent       hdl.Sink[engine.TxReport]
	Answered   hdl.Sink[engine.Answered]
	Ended      hdl.Sink[engine.Ended]
	Failed     hdl.Source[engine.Failure]
	Completion hdl.Source[engine.Completion]
	Abandons   hdl.Out `doc:"the current message has no more segments"`
}

const requesterDoc = `requester executes the work requests of the host: RDMA Writes and Reads, Sends, Immediate Data and Atomics (RFC
5040 section 5, RFC 7306 sections 5 and 6). It starts the work requests of a stream in posting order, cuts their
messages into segments, and completes them in that order. Streams take turns, one work request each. Per stream,
%[1]d work requests can be in progress and %[2]d Reads and Atomics without a response. A work request beyond these
limits waits in the ring of its stream while other streams go on.

The ring holds %[1]d. A work request that finds it full waits, together with all posted after it, for whatever
stream, until one of its stream starts: a host that keeps at most %[1]d of a stream incomplete never sees this.
Reports, responses and ends are accepted all the time.

Every command is reported as sent or dropped, and every end of a stream, also one caused by a failure or a dropped
command, arrives as ended. A work request on an ended stream is flushed after both: once the host has all
completions of a stream it may open the stream again. An opening empties the ring. After reset all streams are
closed, and for one cycle per stream nothing is accepted.`

// Requester combines work_ring, request_segments and send_completion.
func Requester(c engine.Config) hdl.Block[RequesterPorts] {
	return hdl.Block[RequesterPorts]{
		Kind: "requester", Params: c.Params("streams", "send_depth", "ord", "max_payload"),
		Doc: fmt.Sprintf(requesterDoc, c.SendDepth, c.ORD),
		Ports: RequesterPorts{
			Work: hdl.NewSink(engine.WorkRequestOf(c)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Local: engine.STagLookupOf(),
			Command: hdl.NewSource(engine.TxCommandOf(c)), Expecting: hdl.NewSource(engine.ExpectingOf(c)),
			Sent: hdl.NewSink(engine.TxReportOf(c)), Answered: hdl.NewSink(engine.AnsweredOf(c.Streams)), Ended: hdl.NewSink(engine.EndedOf(c.Streams)),
			Failed: hdl.NewSource(engine.FailureOf(c.Streams)), Completion: hdl.NewSource(engine.CompletionOf(c)),
			Abandons: hdl.NewOut(1),
		},
		Build: func(m *hdl.Module, p RequesterPorts) {
			sw := block.IndexWidth(c.Streams)
			abandoned := hdl.NewStream(m, "abandoned", engine.EndedOf(c.Streams))
			m.Drive(p.Abandons, abandoned.Sink().Valid.And(abandoned.Source().Ready))
			offered := hdl.NewStream(m, "offered", engine.WorkRequestOf(c))
			number, refused := m.Wire("number", block.IndexWidth(c.SendDepth)+1), m.Wire("refused", 1)
			look, lookStream := m.Wire("look", 1), m.Wire("look_stream", sw)
			state := m.Wire("state", hdl.PackedWidth(sendState(c)))
			busy, busyStream, freed := m.Wire("busy", 1), m.Wire("busy_stream", sw), m.Wire("freed", 1)
			store, storeStream := m.Wire("store", 1), m.Wire("store_stream", sw)
			storeSlot, storeEntry := m.Wire("store_slot", block.IndexWidth(c.SendDepth)), m.Wire("store_entry", hdl.PackedWidth(underWay(c)))
			opened, reported := m.Wire("opened", 1), m.Wire("reported", 1)
			closing, closingStream := m.Wire("closing", 1), m.Wire("closing_stream", sw)
			hdl.Instance(m, "rings", WorkRing(c), WorkRingPorts{
				Post: p.Work, Opened: opened.In(), OpenedStream: p.Opening.Data.Stream.In(), Freed: freed.In(), FreedStream: busyStream.In(),
				Offer: offered.Source(), Number: number.Out(), Refused: refused.In(), Look: look.Out(), LookStream: lookStream.Out(),
			})
			hdl.Instance(m, "segments", RequestSegments(c), RequestSegmentsPorts{
				Work: offered.Sink(), Number: number.In(), Refused: refused.Out(), Local: p.Local, Command: p.Command, Expecting: p.Expecting, Failed: p.Failed, Abandoned: abandoned.Source(),
				Look: look.In(), LookStream: lookStream.In(), State: state.In(), Busy: busy.In(), BusyStream: busyStream.In(),
				Store: store.Out(), StoreStream: storeStream.Out(), StoreSlot: storeSlot.Out(), StoreEntry: storeEntry.Out(),
				Opened: opened.In(), OpenedStream: p.Opening.Data.Stream.In(), OpenedDomain: p.Opening.Data.Domain.In(),
				Reported: reported.In(), Closing: closing.In(), ClosingStream: closingStream.In(),
			})
			hdl.Instance(m, "completion", SendCompletion(c), SendCompletionPorts{
				Sent: p.Sent, Answered: p.Answered, Ended: p.Ended, Opening: p.Opening, Completion: p.Completion, Abandoned: abandoned.Sink(),
				Look: look.In(), LookStream: lookStream.In(), State: state.Out(), Busy: busy.Out(), BusyStream: busyStream.Out(), Freed: freed.Out(),
				Store: store.In(), StoreStream: storeStream.In(), StoreSlot: storeSlot.In(), StoreEntry: storeEntry.In(),
				Opened: opened.Out(), Reported: reported.Out(), Closing: closing.Out(), ClosingStream: closingStream.Out(),
			})
		},
	}
}
