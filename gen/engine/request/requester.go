package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// RequesterPorts are work requests in, messages and completions out.
type RequesterPorts struct {
	Work       hdl.Sink[engine.WorkRequest] `hdl:"wqe"`
	Opening    hdl.Sink[engine.Opening]
	Local      engine.STagLookup
	Message    hdl.Source[engine.TxMessage]
	Expecting  hdl.Source[engine.Expecting]
	Sent       hdl.Sink[engine.TxReport]
	Answered   *hdl.Sink[engine.Answered] // nil if reports have responses
	Ended      hdl.Sink[engine.Ended]
	Failed     hdl.Source[engine.Failure]
	Completion hdl.Source[engine.Completion]
}

const requesterDoc = `requester executes the work requests of the host: RDMA Writes and Reads, Sends, Immediate Data and Atomics (RFC
5040 section 5, RFC 7306 sections 5 and 6). It starts the work requests of a stream in posting order, makes their
messages, and completes them in that order. Per stream, %[1]d work requests can be in progress and %[2]d
Reads and Atomics without a response. A work request beyond these limits waits in the ring of its stream while other
streams go on.

It makes one message per cycle, and completes one work request per cycle. Streams take turns of up to %[3]d work
requests, fewer while others wait.

The ring holds %[1]d. A work request that finds it full waits, together with all posted after it, for whatever
stream, until one of its stream is sent: a host that keeps at most %[1]d of a stream incomplete never sees this.
Reports, responses and ends are accepted all the time.

Every segment is reported as sent or dropped, and every end of a stream, also one caused by a failure or a dropped
segment, arrives as ended. A work request on an ended stream is flushed after both: once the host has all
completions of a stream it may open the stream again. An opening empties the ring; it waits while a work request of its
stream is being issued. After reset all streams are closed, and for one cycle per stream nothing is accepted.`

// Requester combines work_ring, request_messages and send_completion.
func Requester(c engine.Config) hdl.Block[RequesterPorts] {
	return hdl.Block[RequesterPorts]{
		Kind: "requester", Params: c.Params("streams", "send_depth", "ird", "ord"),
		Doc: fmt.Sprintf(requesterDoc, c.SendDepth, c.ORD, turnMessages),
		Ports: RequesterPorts{
			Work: hdl.NewSink(engine.WorkRequestOf(c)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Local: engine.STagLookupOf(c),
			Message: hdl.NewSource(engine.TxMessageOf(c)), Expecting: hdl.NewSource(engine.ExpectingOf(c)),
			Sent: hdl.NewSink(engine.WorkReportOf(c)), Answered: AnsweredSink(c), Ended: hdl.NewSink(engine.EndedOf(c.Streams)),
			Failed: hdl.NewSource(engine.FailureOf(c)), Completion: hdl.NewSource(engine.CompletionOf(c)),
		},
		Build: func(m *hdl.Module, p RequesterPorts) {
			sw := block.IndexWidth(c.Streams)
			wires := func(name string) (is, stream hdl.Wire) { return m.Wire(name, 1), m.Wire(name+"_stream", sw) }
			abandoned, opened := hdl.NewStream(m, "abandoned", engine.EndedOf(c.Streams)), hdl.NewStream(m, "opened", ReopenedOf(c))
			issued := hdl.NewStream(m, "issued", WorkMessageOf(c))
			opens, opensStream := wires("opens")
			opensDomain := m.Wire("opens_domain", engine.DomainBits)
			var opensSlot *OpensSlot
			var openedSlot *OpenedSlot
			if lists(c) {
				slot := m.Wire("opens_slot", numberBits(c)-1)
				opensSlot, openedSlot = &OpensSlot{slot.Out()}, &OpenedSlot{slot.In()}
			}
			look, lookStream := wires("look")
			freed, freedStream := wires("freed")
			fetch, fetchStream := wires("fetch")
			ask, askStream := wires("ask")
			count, countStream := wires("count")
			store, storeStream := wires("store")
			progress, number := m.Wire("progress", hdl.PackedWidth(ProgressOf(c))), m.Wire("fetch_number", numberBits(c))
			fetched, closed, made := m.Wire("fetched", hdl.PackedWidth(waitingWorkOf(c))), m.Wire("closed", 1), m.Wire("made", messageCountBits)
			storeSlot, storeEntry := m.Wire("store_slot", block.IndexWidth(c.SendDepth)), m.Wire("store_entry", hdl.PackedWidth(UnderWayOf(c)))
			hdl.Instance(m, "rings", WorkRing(c), WorkRingPorts{
				Post: p.Work, Opened: opened.Sink(), Message: issued.Source(), Look: look.Out(), LookStream: lookStream.Out(), Progress: progress.In(),
				Freed: freed.In(), FreedStream: freedStream.In(), Fetch: fetch.In(), FetchStream: fetchStream.In(), FetchNumber: number.In(),
				Fetched: fetched.Out(), Opens: opens.Out(), OpensStream: opensStream.Out(), OpensDomain: opensDomain.Out(),
				OpensSlot: opensSlot,
			})
			hdl.Instance(m, "messages", RequestMessages(c), RequestMessagesPorts{
				Work: issued.Sink(), Local: p.Local, Message: p.Message, Expecting: p.Expecting, Failed: p.Failed, Abandoned: abandoned.Source(),
				Fetch: fetch.Out(), FetchStream: fetchStream.Out(), FetchNumber: number.Out(), Fetched: fetched.In(),
				Ask: ask.Out(), AskStream: askStream.Out(), Closed: closed.In(), Count: count.In(), CountStream: countStream.In(), Made: made.Out(),
				Store: store.Out(), StoreStream: storeStream.Out(), StoreSlot: storeSlot.Out(), StoreEntry: storeEntry.Out(),
				Opened: opens.In(), OpenedStream: opensStream.In(), OpenedDomain: opensDomain.In(), OpenedSlot: openedSlot,
			})
			hdl.Instance(m, "completion", SendCompletion(c), SendCompletionPorts{
				Sent: p.Sent, Answered: p.Answered, Ended: p.Ended, Opening: p.Opening, Completion: p.Completion, Abandoned: abandoned.Sink(), Opened: opened.Source(),
				Look: look.In(), LookStream: lookStream.In(), Progress: progress.Out(), Freed: freed.Out(), FreedStream: freedStream.Out(),
				Ask: ask.In(), AskStream: askStream.In(), Closed: closed.Out(), Count: count.Out(), CountStream: countStream.Out(), Made: made.In(),
				Store: store.In(), StoreStream: storeStream.In(), StoreSlot: storeSlot.In(), StoreEntry: storeEntry.In(),
			})
		},
	}
}
