package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// SendCompletionPorts complete work requests.
type SendCompletionPorts struct {
	Sent       hdl.Sink[engine.TxReport]
	Answered   hdl.Sink[engine.Answered]
	Ended      hdl.Sink[engine.Ended]
	Opening    hdl.Sink[engine.Opening]
	Completion hdl.Source[engine.Completion]
	Abandoned  hdl.Sink[engine.Ended] `doc:"the last command of the oldest work request without such a report will never be reported"`

	Look        hdl.In  `doc:"fetch the state of look_stream"`
	LookStream  hdl.In  `doc:"number of the stream"`
	State       hdl.Out `doc:"packed sendState, from the next cycle on"`
	Busy        hdl.Out `doc:"the state of busy_stream is about to change"`
	BusyStream  hdl.Out `doc:"number of the stream"`
	Freed       hdl.Out `doc:"something of busy_stream is complete; in the next cycle it is no longer busy"`
	Store       hdl.In  `doc:"a work request is issued, or an entry changes"`
	StoreStream hdl.In  `doc:"number of the stream"`
	StoreSlot   hdl.In  `doc:"its slot in the ring"`
	StoreEntry  hdl.In  `doc:"packed underWay"`

	Opened        hdl.Out `doc:"opening is accepted"`
	Reported      hdl.Out `doc:"a report of a command is accepted"`
	Closing       hdl.Out `doc:"closing_stream has ended"`
	ClosingStream hdl.Out `doc:"number of the stream"`
}

// UnderWay is an issued work request that is not complete. Failed is set if its local buffer failed the check.
type UnderWay struct {
	ID       hdl.Value `hdl:"id"`
	Opcode   hdl.Value
	Signaled hdl.Value
	Length   hdl.Value
	Failed   hdl.Value
}

func underWay(c engine.Config) UnderWay {
	return UnderWay{ID: hdl.Bits(64), Opcode: hdl.Bits(c.Profile.OpcodeBits()), Signaled: hdl.Bits(1), Length: hdl.Bits(32), Failed: hdl.Bits(1)}
}

// SendState is the state of a stream. Work requests are counted modulo twice the limit of those in progress, Reads and Atomics modulo
// twice the limit of those without a response.
type SendState struct {
	Closed   hdl.Value // it has ended: nothing is issued, nothing succeeds
	Ended    hdl.Value // the end has been reported too: work requests in progress are flushed
	Oldest   hdl.Value // completed work requests, which is the number of the oldest one in progress
	Sent     hdl.Value // work requests whose last command is reported, or that are abandoned
	Finished hdl.Value // completed Reads and Atomics
	Answered hdl.Value // Reads and Atomics whose response is placed
}

func sendState(c engine.Config) SendState {
	d, o := block.IndexWidth(c.SendDepth)+1, block.IndexWidth(c.ORD)+1
	return SendState{Closed: hdl.Bits(1), Ended: hdl.Bits(1), Oldest: hdl.Bits(d), Sent: hdl.Bits(d), Finished: hdl.Bits(o), Answered: hdl.Bits(o)}
}

const sendCompletionDoc = `send_completion tracks the work requests of a stream that are in progress, up to %d, and completes them in the
order in which they started. A Write, a Send or Immediate Data succeeds when its last command is reported as sent;
a Read or Atomic also needs its response. Successful work requests complete only if they are signaled.

A dropped command or an abandoned work request closes the stream: nothing succeeds any more. Once the stream has
ended, work requests in progress are flushed in order, or complete as failed if marked so: one for each last
command that is reported, sent or dropped, and one for each abandoned work request. An opening forgets what is in
progress. freed says that a waiting work request may start; it is 1 in the cycle in which the state changes
accordingly.

An update takes 3 cycles, plus 1 for each completion after the first; a report of a command that is neither final
nor dropped takes 1. Updates wait while a completion is not accepted.`

// completionState is the state of send_completion.
type completionState int

const (
	completionListening completionState = iota // waiting for an update of a stream
	completionUpdating                         // the state of the stream has been fetched
	completionFinishing                        // the oldest work request in progress has been fetched
)

func (s completionState) String() string {
	return [...]string{"listening", "updating", "finishing"}[s]
}

// SendCompletion keeps per stream: counts, a ring of work requests in progress, and a ring of responses.
func SendCompletion(c engine.Config) hdl.Block[SendCompletionPorts] {
	sw := block.IndexWidth(c.Streams)
	return hdl.Block[SendCompletionPorts]{
		Kind: "send_completion", Params: c.Params("streams", "send_depth", "ord"),
		Doc: fmt.Sprintf(sendCompletionDoc, c.SendDepth),
		Ports: SendCompletionPorts{
			Sent: hdl.NewSink(engine.TxReportOf(c)), Answered: hdl.NewSink(engine.AnsweredOf(c.Streams)), Ended: hdl.NewSink(engine.EndedOf(c.Streams)),
			Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Completion: hdl.NewSource(engine.CompletionOf(c)), Abandoned: hdl.NewSink(engine.EndedOf(c.Streams)),
			Look: hdl.NewIn(1), LookStream: hdl.NewIn(sw), State: hdl.NewOut(hdl.PackedWidth(sendState(c))), Busy: hdl.NewOut(1), BusyStream: hdl.NewOut(sw), Freed: hdl.NewOut(1),
			Store: hdl.NewIn(1), StoreStream: hdl.NewIn(sw), StoreSlot: hdl.NewIn(block.IndexWidth(c.SendDepth)), StoreEntry: hdl.NewIn(hdl.PackedWidth(underWay(c))),
			Opened: hdl.NewOut(1), Reported: hdl.NewOut(1), Closing: hdl.NewOut(1), ClosingStream: hdl.NewOut(sw),
		},
		Build: func(m *hdl.Module, p SendCompletionPorts) { buildSendCompletion(m, p, c) },
	}
}

// completionUpdate is an update of a stream: a work request is sent or answered, the stream is closed or has ended.
type completionUpdate struct{ Stream, Sent, Answered, Closed, Ended, Data hdl.Value }

func buildSendCompletion(m *hdl.Module, p SendCompletionPorts, c engine.Config) {
	sw, dw, ow := block.IndexWidth(c.Streams), block.IndexWidth(c.SendDepth), block.IndexWidth(c.ORD)
	state := hdl.NewFSM(m, "state", completionListening, completionUpdating, completionFinishing)
	sweep := block.NewSweep(m, sw)
	swept := sweep.Done
	listening := m.Let("is_listening", state.Is(completionListening).And(swept))
	updating, finishing := m.Let("is_updating", state.Is(completionUpdating)), m.Let("is_finishing", state.Is(completionFinishing))

	m.Section("Updates: one at a time")
	afterReport := m.Reg("after_report_q", 1, hdl.ResetTo(0))
	m.Note("An end is taken after earlier responses; reports and responses take turns.")
	response := m.Let("takes_response", hdl.AllOf(listening, p.Answered.Valid, hdl.AnyOf(p.Ended.Valid, afterReport.Value, p.Sent.Valid.Not())))
	end := m.Let("takes_end", hdl.AllOf(listening, p.Ended.Valid, p.Answered.Valid.Not()))
	others := m.Let("takes_others", hdl.AllOf(listening, response.Not(), p.Ended.Valid.Not()))
	opens := m.Let("takes_opening", others.And(p.Opening.Valid))
	report := m.Let("takes_report", hdl.AllOf(others, p.Opening.Valid.Not(), p.Sent.Valid))
	abandon := m.Let("takes_abandoned", hdl.AllOf(others, p.Opening.Valid.Not(), p.Sent.Valid.Not(), p.Abandoned.Valid))
	m.Unused("only reports of this requester arrive", p.Sent.Data.Kind)
	m.Unused("checked where segments are made", p.Opening.Data.Domain)
	p.Answered.Accept(m, response)
	p.Ended.Accept(m, end)
	p.Opening.Accept(m, opens)
	p.Sent.Accept(m, report)
	p.Abandoned.Accept(m, abandon)
	drops := m.Let("is_dropped", report.And(p.Sent.Data.Dropped))
	final := m.Let("is_final", report.And(p.Sent.Data.Final))
	hasUpdate := m.Let("is_update", hdl.AnyOf(end, response, abandon, drops, final))
	stream := m.Let("update_stream", hdl.Select(p.Abandoned.Data.Stream,
		hdl.When{Cond: end, Then: p.Ended.Data.Stream}, hdl.When{Cond: report, Then: p.Sent.Data.Stream}, hdl.When{Cond: response, Then: p.Answered.Data.Stream}))
	m.Drive(p.Opened, opens)
	m.Drive(p.Reported, report)
	m.Drive(p.Closing, end.Or(drops))
	m.Drive(p.ClosingStream, stream)
	update := hdl.NewRegOf(m, "update", completionUpdate{hdl.Bits(sw), hdl.Bits(1), hdl.Bits(1), hdl.Bits(1), hdl.Bits(1), hdl.Bits(64)}, hdl.NoReset)

	m.Section("State of the stream")
	at := hdl.NewRegOf(m, "at", sendState(c), hdl.NoReset)
	next := m.Wire("at_next", hdl.PackedWidth(sendState(c)))
	proceeds := m.Wire("proceeds", 1)
	open := m.Let("opens_stream", opens.And(p.Opening.Data.Open))
	fresh := func(closed hdl.Value) hdl.Value {
		return hdl.Pack(SendState{Closed: closed, Ended: closed, Oldest: hdl.Zero(dw + 1), Sent: hdl.Zero(dw + 1), Finished: hdl.Zero(ow + 1), Answered: hdl.Zero(ow + 1)})
	}
	states := block.NewContext(m, "send_state", fresh(hdl.Ones(1)), sweep)
	states.Write(block.Change{When: opens, Stream: p.Opening.Data.Stream, Word: fresh(open.Not())},
		block.Change{When: proceeds.Value, Stream: update.Q.Stream, Word: next.Value})
	m.Note("Updates are accepted while nothing is written.")
	stored := hdl.Unpack(sendState(c), states.ReadAlone("stored", hasUpdate, stream))
	m.Drive(p.State, states.Read("looked_up", p.Look.Value, p.LookStream.Value))
	m.Drive(p.Busy, updating.Or(finishing))
	m.Drive(p.BusyStream, update.Q.Stream)

	m.Section("Rings of work requests in progress and of responses")
	oldest := m.Let("oldest", hdl.Mux(updating, stored.Oldest, at.Q.Oldest.Plus(1)).Truncate(dw))
	request := m.Wire("oldest_is_request", 1)
	fetch := m.Let("fetch_oldest", updating.Or(proceeds.Value))
	ring := m.Memory("under_way", hdl.PackedWidth(underWay(c)), c.Streams*c.SendDepth)
	ring.Write(p.Store.Value, hdl.Cat(p.StoreStream.Value, p.StoreSlot.Value), p.StoreEntry.Value)
	entry := hdl.Unpack(underWay(c), ring.Read("oldest_q", fetch, hdl.Cat(update.Q.Stream, oldest), hdl.ReadNew))
	responses := m.Memory("responses", 64, c.Streams*c.ORD)
	responses.Write(m.Let("keeps_response", updating.And(update.Q.Answered)), hdl.Cat(update.Q.Stream, stored.Answered.Truncate(ow)), update.Q.Data)
	m.Note("The oldest Read or Atomic waits to be sent or for its response: an update completes at most one.")
	original := responses.Read("response_q", updating, hdl.Cat(update.Q.Stream, stored.Finished.Truncate(ow)), hdl.ReadNew)

	m.Section("Is the oldest one done?")
	isRequest, returns := c.Profile.Answered(m, "oldest", entry.Opcode)
	m.Drive(request.Out(), isRequest)
	out := m.Let("is_out", at.Q.Sent.Ne(at.Q.Oldest))
	hasResponse := m.Let("has_response", at.Q.Answered.Ne(at.Q.Finished))
	success := m.Let("success", hdl.AllOf(out, at.Q.Closed.Not(), request.Not().Or(hasResponse)))
	done := m.Let("done", success.Or(out.And(at.Q.Ended)))
	completes := m.Let("completes", done.And(entry.Signaled.Or(success.Not())))
	completion := hdl.NewRegOf(m, "completion", engine.CompletionOf(c), hdl.NoReset)
	completionValid := m.Reg("completion_valid_q", 1, hdl.ResetTo(0))
	free := m.Let("free", completionValid.Not().Or(p.Completion.Ready))
	m.Drive(proceeds.Out(), finishing.And(completes.Not().Or(free)))
	emit := m.Let("emits_completion", finishing.And(completes).And(free))
	after := at.Q
	after.Oldest = m.Let("oldest_next", at.Q.Oldest.Add(done.ZeroExtend(dw+1)))
	after.Finished = at.Q.Finished.Add(done.And(request.Value).ZeroExtend(ow + 1))
	m.Drive(next.Out(), hdl.Pack(after))
	more := m.Let("more", done.And(after.Oldest.Ne(at.Q.Sent)))
	completed := m.Reg("some_completed_q", 1, hdl.NoReset)
	m.Drive(p.Freed, hdl.AllOf(proceeds.Value, more.Not(), completed.Or(done)))
	status := func(n uint64) hdl.Value { return hdl.Const(2, n) }
	m.OnClock(
		hdl.If(emit, completionValid.Set(hdl.Ones(1)), completion.Set(engine.Completion{Stream: update.Q.Stream, ID: entry.ID,
			Status: hdl.Select(status(engine.StatusFlushed), hdl.When{Cond: success, Then: status(engine.StatusSuccess)}, hdl.When{Cond: entry.Failed, Then: status(engine.StatusProtection)}),
			Opcode: entry.Opcode, Recv: hdl.Zero(1), Length: entry.Length, Data: original.And(success.And(returns).Replicate(64)), STag: hdl.Zero(32)}),
		).ElseIf(p.Completion.Ready, completionValid.Set(hdl.Zero(1))),
		hdl.If(hasUpdate, update.Set(completionUpdate{Stream: stream, Sent: abandon.Or(final), Closed: hdl.AnyOf(end, abandon, drops),
			Ended: end, Answered: response, Data: p.Answered.Data.Data})),
		hdl.If(report, afterReport.Set(hdl.Ones(1))).ElseIf(response, afterReport.Set(hdl.Zero(1))),
		completed.Set(finishing.And(completed.Or(proceeds.And(done)))),
		hdl.If(updating, at.Set(SendState{Closed: stored.Closed.Or(update.Q.Closed), Ended: stored.Ended.Or(update.Q.Ended), Oldest: stored.Oldest,
			Sent: stored.Sent.Add(update.Q.Sent.ZeroExtend(dw + 1)), Finished: stored.Finished, Answered: stored.Answered.Add(update.Q.Answered.ZeroExtend(ow + 1))})).
			ElseIf(proceeds.Value, at.Set(after)),
		state.Switch(
			state.In(completionListening, hdl.If(hasUpdate, state.Go(completionUpdating))),
			state.In(completionUpdating, state.Go(completionFinishing)),
			state.In(completionFinishing, hdl.If(proceeds.And(more.Not()), state.Go(completionListening))),
		),
	)
	p.Completion.Drive(m, completionValid.Value, completion.Q)
}
