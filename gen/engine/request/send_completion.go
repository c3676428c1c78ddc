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
	Answered   *hdl.Sink[engine.Answered] // nil if reports have responses
	Ended      hdl.Sink[engine.Ended]
	Opening    hdl.Sink[engine.Opening]
	Completion hdl.Source[engine.Completion]
	Abandoned  hdl.Sink[engine.Ended] `doc:"the message of a work request is not sent, nor is any later one"`
	Opened     hdl.Source[Reopened]

	Look        hdl.In  `doc:"fetch the progress of look_stream"`
	LookStream  hdl.In  `doc:"number of the stream"`
	Progress    hdl.Out `doc:"packed progress, in the next cycle"`
	Freed       hdl.Out `doc:"something of freed_stream is complete; its progress says so since the cycle before"`
	FreedStream hdl.Out `doc:"number of the stream"`
	Ask         hdl.In  `doc:"fetch whether ask_stream has ended"`
	AskStream   hdl.In  `doc:"number of the stream"`
	Closed      hdl.Out `doc:"it has, in the next cycle"`
	Count       hdl.Out `doc:"fetch the number of messages of count_stream"`
	CountStream hdl.Out `doc:"number of the stream"`
	Made        hdl.In  `doc:"messages, modulo 2^16, in the next cycle"`
	Store       hdl.In  `doc:"a work request is issued, or an entry changes"`
	StoreStream hdl.In  `doc:"number of the stream"`
	StoreSlot   hdl.In  `doc:"its slot in the ring"`
	StoreEntry  hdl.In  `doc:"packed underWay"`
}

const sendCompletionDoc = `send_completion tracks the work requests of a stream that are in progress, up to %[1]d, and completes them in posting
order. A Write, a Send or Immediate Data succeeds when its last segment is reported as sent; a Read or Atomic also
needs its response. Successful work requests complete only if they are signaled.

Reports, ends, abandoned work requests and openings are counted per stream, one per cycle, and so are responses beside
them, whatever else happens. A stream of which something may be complete has one token, which is in a list, or in the pipeline that completes
work requests, one per cycle, up to %[2]d of a stream in turn.

A dropped segment or an end closes the stream: what is not complete by then, in posting order, does not succeed. Once
the stream has ended, work requests in progress are flushed in order, or complete as failed if marked so: one for each
last segment that is reported, sent or dropped, and one for each abandoned work request when all messages are reported.
An opening forgets what is in progress.

freed says that a waiting work request may start. Fewer than 2^16 messages of a stream are unreported.`

// completionTurn is how many work requests of a stream complete in turn.
const completionTurn = 16

// SendCompletion keeps per stream: counts, a ring of work requests in progress, and a ring of responses.
func SendCompletion(c engine.Config) hdl.Block[SendCompletionPorts] {
	sw := block.IndexWidth(c.Streams)
	return hdl.Block[SendCompletionPorts]{
		Kind: "send_completion", Params: c.Params("streams", "send_depth", "ord"),
		Doc: fmt.Sprintf(sendCompletionDoc, c.SendDepth, completionTurn),
		Ports: SendCompletionPorts{
			Sent: hdl.NewSink(engine.WorkReportOf(c)), Answered: AnsweredSink(c), Ended: hdl.NewSink(engine.EndedOf(c.Streams)),
			Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Completion: hdl.NewSource(engine.CompletionOf(c)), Abandoned: hdl.NewSink(engine.EndedOf(c.Streams)),
			Opened: hdl.NewSource(ReopenedOf(c)),
			Look:   hdl.NewIn(1), LookStream: hdl.NewIn(sw), Progress: hdl.NewOut(hdl.PackedWidth(ProgressOf(c))), Freed: hdl.NewOut(1), FreedStream: hdl.NewOut(sw),
			Ask: hdl.NewIn(1), AskStream: hdl.NewIn(sw), Closed: hdl.NewOut(1), Count: hdl.NewOut(1), CountStream: hdl.NewOut(sw), Made: hdl.NewIn(messageCountBits),
			Store: hdl.NewIn(1), StoreStream: hdl.NewIn(sw), StoreSlot: hdl.NewIn(block.IndexWidth(c.SendDepth)), StoreEntry: hdl.NewIn(hdl.PackedWidth(UnderWayOf(c))),
		},
		Build: func(m *hdl.Module, p SendCompletionPorts) { buildSendCompletion(m, p, c) },
	}
}

// SendState is what is counted of a stream as updates arrive. Work requests, and Reads and Atomics, are counted like [Progress].
type SendState struct {
	Closed    hdl.Value // nothing else succeeds
	Ended     hdl.Value // the end has been reported: work requests in progress are flushed
	Sent      hdl.Value // work requests whose last segment was reported before it closed
	Late      hdl.Value // and since
	Abandoned hdl.Value // work requests that are abandoned
	Reported  hdl.Value // messages, to their end
	Asked     any       `hdl:"-"` // *askedCount; nil if reports have the responses
	Created   hdl.Value // parity of the tokens created for them
	Opened    hdl.Value // differs from Lost of completed once a work request has not succeeded since the opening
}

func sendState(c engine.Config) SendState {
	number, bit := hdl.Bits(numberBits(c)), hdl.Bits(1)
	s := SendState{Closed: bit, Ended: bit, Sent: number, Late: number, Abandoned: number, Reported: hdl.Bits(messageCountBits),
		Created: bit, Opened: bit}
	if engine.WorkReportOf(c).Answer == nil {
		s.Asked = &askedCount{hdl.Bits(requestBits(c))}
	}
	return s
}

// completed is what is counted of a stream as its work requests complete.
type completed struct {
	Progress Progress  `hdl:"-"`
	Lost     hdl.Value // see Opened
	Retired  hdl.Value // parity of the tokens retired
}

func completedOf(c engine.Config) completed {
	return completed{Progress: ProgressOf(c), Lost: hdl.Bits(1), Retired: hdl.Bits(1)}
}

// completionUpdate is an update of a stream.
type completionUpdate struct {
	Stream, Final, Dropped, Ended, Abandoned, Opens hdl.Value

	Asks    any `hdl:"-"` // *engine.Asking; nil if reports have the responses
	Outcome any
}

// sendCompletion is what the parts of the block share.
type sendCompletion struct {
	*hdl.Module
	c     engine.Config
	p     SendCompletionPorts
	sweep block.Sweep

	states    block.Loop // SendState
	answers   block.Loop // answers
	completed block.Context
	responses *hdl.Memory
	outcomes  *hdl.Memory // of work requests whose last segment was reported; nil without outcomes

	lists   map[string]hdl.Source[token]
	next    hdl.Sink[token]
	updates []updated // in this cycle
}

// push puts the token of a stream in a list.
func (u *sendCompletion) push(list string, when, stream hdl.Value) {
	u.lists[list].Drive(u.Module, when, token{stream})
	u.Unused("there is room for all tokens", u.lists[list].Ready)
}

func buildSendCompletion(m *hdl.Module, p SendCompletionPorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	u := &sendCompletion{Module: m, c: c, p: p, sweep: sweep}
	u.completed = block.NewContext(m, "completed", hdl.Zero(hdl.PackedWidth(completedOf(c))), sweep)
	u.responses = m.Memory("responses", 64, c.Streams*c.ORD)
	if outcome := p.Sent.Data.Outcome; outcome != nil {
		u.outcomes = m.Memory("outcomes", hdl.PackedWidth(outcome), c.Streams*c.SendDepth)
	}
	m.Section("Streams of which something may be complete: new ones, and again")
	names := []string{"new", "again"}
	if p.Answered != nil {
		names = append(names, "complete")
	}
	u.lists, u.next = tokenLists(m, c, names...)
	u.update()
	u.complete()
}

// updated is a stream that is updated.
type updated struct{ is, stream hdl.Value }

// comes is 1 if a stream is updated in this cycle.
func (u *sendCompletion) comes(stream hdl.Value) (is hdl.Value) {
	for i, x := range u.updates {
		if now := x.is.And(x.stream.Eq(stream)); i == 0 {
			is = now
		} else {
			is = is.Or(now)
		}
	}
	return is
}

// update counts one update per cycle, and one response.
func (u *sendCompletion) update() {
	m, c, p := u.Module, u.c, u.p
	m.Section("Updates: one per cycle")
	sent, answered := hdl.NewStream(m, "report", p.Sent.Data), u.answered()
	ended, abandoned := hdl.NewStream(m, "end", p.Ended.Data), hdl.NewStream(m, "left", p.Abandoned.Data)
	block.Between(m, "next_report", p.Sent, sent.Source())
	if answered != nil {
		block.Between(m, "next_answer", *p.Answered, answered.Source())
	}
	block.Between(m, "next_end", p.Ended, ended.Source())
	block.Between(m, "next_abandon", p.Abandoned, abandoned.Source())
	opened := m.Reg("opened_q", 1, hdl.ResetTo(0))
	retry := m.Reg("retry_q", 2, hdl.ResetTo(0))
	tries := m.Reg("tries_opening_q", 1, hdl.ResetTo(0))
	m.OnClock(retry.Set(retry.Plus(1)), tries.Set(hdl.AllOf(u.sweep.Done, p.Opening.Valid, opened.Not(), retry.All())))
	begins := m.Reg("begins_q", 1, hdl.ResetTo(0))
	m.OnClock(begins.Set(u.sweep.Done))
	m.Note("An opening is tried first; an end is taken after earlier responses.")
	listens := m.Let("listens", begins.And(tries.Not()))
	r, hasReport, hasEnd := sent.Sink().Data, sent.Sink().Valid, ended.Sink().Valid
	ends := listens.And(hasEnd)
	if answered != nil {
		ends = ends.And(answered.Sink().Valid.Not())
	}
	end := m.Let("takes_end", ends)
	report := m.Let("takes_report", hdl.AllOf(listens, hasReport, hasEnd.Not()))
	abandon := m.Let("takes_abandoned", hdl.AllOf(listens, abandoned.Sink().Valid, hasReport.Not(), hasEnd.Not()))
	ended.Sink().Accept(m, end)
	sent.Sink().Accept(m, report)
	abandoned.Sink().Accept(m, abandon)
	m.Unused("only reports of this requester arrive", r.Kind)
	stream := m.Let("update_stream", hdl.Select(abandoned.Sink().Data.Stream, hdl.When{Cond: tries.Value, Then: p.Opening.Data.Stream},
		hdl.When{Cond: end, Then: ended.Sink().Data.Stream}, hdl.When{Cond: report, Then: r.Stream}))
	bit, asks := hdl.Bits(1), any(nil)
	if r.Asks != nil {
		asks = &engine.Asking{Is: hdl.AllOf(report, r.Final, r.Asks.(*engine.Asking).Is)}
	}
	proto := completionUpdate{Stream: stream, Final: bit, Dropped: bit, Ended: bit, Abandoned: bit, Opens: bit, Asks: r.Asks, Outcome: r.Outcome}
	chosen, update := hdl.NewRegOf(m, "chosen", proto, hdl.NoReset), hdl.NewRegOf(m, "update", proto, hdl.NoReset)
	reading, deciding := m.Reg("reading_q", 1, hdl.ResetTo(0)), m.Reg("deciding_q", 1, hdl.ResetTo(0))
	m.OnClock(reading.Set(hdl.AnyOf(tries.Value, end, report, abandon)), deciding.Set(reading.Value), update.Set(chosen.Q),
		chosen.Set(completionUpdate{Stream: stream, Final: report.And(r.Final), Dropped: report.And(r.Dropped), Ended: end, Abandoned: abandon, Opens: tries.Value, Asks: asks, Outcome: r.Outcome}))
	reads, named := reading.Value, chosen.Q.Stream

	m.Section("Count it; a stream of which something may be complete gets a token")
	o := update.Q
	opens := m.Wire("opens", 1)
	counts := m.Let("counts_update", deciding.And(o.Opens.Not()))
	changes := m.Let("changes_state", counts.Or(opens.Value))
	number := numberBits(c)
	shut := SendState{Closed: hdl.Ones(1), Ended: hdl.Ones(1), Sent: hdl.Zero(number), Late: hdl.Zero(number), Abandoned: hdl.Zero(number), Reported: hdl.Zero(messageCountBits),
		Created: hdl.Zero(1), Opened: hdl.Zero(1), Asked: u.asks(hdl.Zero(requestBits(c)))}
	states := block.NewContext(m, "send_state", hdl.Pack(shut), u.sweep)
	u.states = states.Loop(block.LoopUser{Read: reads, Stream: named, Deciding: changes, Decided: o.Stream})
	now := hdl.LetOf(m, "had", hdl.Unpack(sendState(c), u.states.Now))
	done := hdl.Unpack(completedOf(c), u.completed.Read("had_completed", reads, named))
	needs := func(responses hdl.Value) hdl.Value {
		final := o.Final
		if asks, is := o.Asks.(*engine.Asking); is {
			m.Note("A Read or Atomic is complete with its response, which then gives its stream a turn, unless it came first; or the stream has ended.")
			before := u.unanswered("update", now, responses)
			m.Unused("only its sign matters", before.Truncate(before.Width()-1))
			final = m.Let("sent_may_be_complete", final.And(hdl.AnyOf(asks.Is.Not(), before.isNegative(), now.Ended)))
		}
		return m.Let("needs_turn", counts.And(hdl.AnyOf(final, o.Dropped, o.Ended, o.Abandoned)))
	}
	a := answering{takes: report, stream: r.Stream, opens: opens.Value, tries: tries.Value, opening: p.Opening.Data.Stream, update: o, needs: needs, closed: now.Closed, finished: done.Progress.Finished, reads: reads, named: named}
	if answered != nil {
		a.takes = m.Let("takes_response", listens.And(answered.Sink().Valid))
		a.stream, a.data = answered.Sink().Data.Stream, answered.Sink().Data.Data
		answered.Sink().Accept(m, a.takes)
	} else {
		answer := r.Answer.(*engine.WorkAnswer)
		a.takes, a.data = report.And(answer.Answers), answer.Data
	}
	created, needsTurn := u.count(a)
	has := now.Created.Xor(done.Retired)
	if created.Width() > 0 {
		has = has.Xor(created)
	}
	hasToken := m.Let("has_token", has)
	creates := m.Let("creates_token", needsTurn.And(hasToken.Not()))
	m.Drive(opens.Out(), hdl.AllOf(deciding.Value, o.Opens, hasToken.Not()))
	count := func(v, is hdl.Value) hdl.Value { return v.Add(is.ZeroExtend(v.Width())) }
	m.Note("What a dropped segment ends is late already.")
	late := m.Let("is_late", now.Closed.Or(o.Dropped))
	word := hdl.Pack(SendState{Closed: late.Or(o.Ended), Ended: now.Ended.Or(o.Ended), Sent: count(now.Sent, o.Final.And(late.Not())), Late: count(now.Late, o.Final.And(late)),
		Abandoned: count(now.Abandoned, o.Abandoned), Reported: count(now.Reported, o.Final), Created: now.Created.Xor(creates), Opened: now.Opened, Asked: u.asked(now, o.Asks)})
	fresh := shut
	fresh.Closed, fresh.Ended = p.Opening.Data.Open.Not(), p.Opening.Data.Open.Not()
	fresh.Sent, fresh.Reported = done.Progress.Oldest, now.Reported
	fresh.Created, fresh.Opened, fresh.Asked = now.Created, done.Lost, u.asks(done.Progress.Finished)
	u.states.Decide(hdl.Mux(o.Opens, hdl.Pack(fresh), word))
	u.push("new", creates, o.Stream)
	m.Note("A stream that is opened has no token, so no turn of it ends.")
	u.updates = append(u.updates, updated{counts, o.Stream})
	if u.outcomes != nil {
		m.Note("The outcome of the work request that is reported.")
		place := func(n hdl.Value) hdl.Value { return n.Truncate(number - 1) }
		u.outcomes.Write(deciding.And(o.Final), hdl.Cat(o.Stream, place(now.Sent).Add(place(now.Late))), hdl.Pack(o.Outcome))
	}
	asked := hdl.Unpack(sendState(c), u.states.Latest("asked", p.Ask.Value, p.AskStream.Value))
	m.Unused("only whether it is closed matters", asked.Ended, asked.Sent, asked.Late, asked.Abandoned, asked.Reported, asked.Created, asked.Opened)
	engine.UnusedTag(m, "only whether it is closed matters", asked.Asked)
	m.Drive(p.Closed, asked.Closed)

	m.Section("Opening: counted first, then carried out where work requests are held")
	reopened := hdl.NewRegOf(m, "reopened", ReopenedOf(c), hdl.NoReset)
	m.OnClock(
		hdl.If(opens.Value, opened.Set(hdl.Ones(1)), reopened.Set(Reopened{Stream: o.Stream, Oldest: done.Progress.Oldest, Finished: done.Progress.Finished, Domain: p.Opening.Data.Domain, Places: done.Progress.Places})).
			ElseIf(p.Opened.Ready, opened.Set(hdl.Zero(1))))
	p.Opened.Drive(m, opened.Value, reopened.Q)
	p.Opening.Accept(m, m.Let("opening_ends", opened.And(p.Opened.Ready)))
}
