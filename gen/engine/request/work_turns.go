package request

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// workTurn lets a stream issue Count work requests.
type workTurn struct {
	Stream   hdl.Value
	Issued   hdl.Value // the first one
	Requests hdl.Value // Reads and Atomics before it
	Count    hdl.Value // at least 1
	Asking   hdl.Value // of these, Reads and Atomics that may be issued
}

// Stages of the pipeline that gives turns, by what is known from there on.
const (
	wordsRead = 1 // the counts of the stream
	compared  = 2 // how many work requests it has, and may issue
	countable = 3 // how many it will issue
	settling  = 4 // whether anything has changed since
	settled   = 5 // whether a token that has no turn is parked, retired, or goes again
)

// turnDepth is how many turns are given ahead, pendingDepth how many work requests are issued ahead.
const (
	turnDepth    = 8
	pendingDepth = 8
)

// turns gives turns to streams, one per cycle.
func (u *workRing) turns() {
	m, c := u.Module, u.c
	count := hdl.Bits(bits.Len(turnMessages))
	proto := workTurn{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Issued: hdl.Bits(numberBits(c)), Requests: hdl.Bits(requestBits(c)), Count: count, Asking: count}
	given := hdl.NewStream(m, "given", proto)
	queue := block.NewReserved(m, "turn", turnDepth, proto, given.Source())

	m.Section("Turn: what the stream has posted and issued, what is complete")
	u.next.Accept(m, queue.Room)
	takes := m.Let("takes_token", u.next.Valid.And(queue.Room))
	pipe := block.NewPipeline(m, takes, settled)
	stream := pipe.Signal("stream", 0, u.next.Data.Stream)
	m.Drive(u.p.Look, takes)
	m.Drive(u.p.LookStream, stream.At(0))
	has := hdl.Unpack(postedOf(c), u.posts.Latest("has", takes, stream.At(0)))
	m.Unused("a token that has a turn exists", has.Created)
	engine.UnusedTag(m, "of no use there", has.List)
	was := hdl.Unpack(issuedOf(c), u.issued.Read("was", takes, stream.At(0)))
	times := hdl.Unpack(freedOf(c), u.frees.Latest("has_freed", takes, stream.At(0)))
	m.Unused("a token that has a turn is not parked", times.Woken)
	progress := hdl.Unpack(ProgressOf(c), u.p.Progress.Value)
	posted, freedTimes := pipe.Holds("seen_posted", wordsRead, has.Posted), pipe.Holds("seen_freed", wordsRead, times.Freed)
	first, requests := pipe.Holds("first", wordsRead, was.Issued), pipe.Holds("requests", wordsRead, was.Requests)
	waiting := pipe.Signal("waiting", wordsRead, has.Posted.Sub(was.Issued))
	used := pipe.Signal("in_progress", wordsRead, was.Issued.Sub(progress.place()))
	if lists(c) {
		m.Unused("places count", progress.Oldest)
	}
	unanswered := pipe.Signal("unanswered", wordsRead, was.Requests.Sub(progress.Finished))
	firstAsks := u.asks.Read("first_asks_1_q", pipe.Valid(wordsRead), u.slot(stream.At(wordsRead), was.Issued), hdl.ReadOld)

	m.Section("How many it may issue: of those that wait, within the limits")
	limit := func(name string, most int, n *block.Signal) *block.Signal {
		left := m.Let(name+"_left", hdl.Const(n.At(compared).Width(), uint64(most)).Sub(n.At(compared)))
		return pipe.Signal("may_"+name, compared, least(left, turnMessages))
	}
	crowded := m.Reg("is_crowded_q", 1, hdl.ResetTo(0))
	m.OnClock(crowded.Set(queue.Spare.Not()))
	asks := pipe.Holds("first_asks", compared, firstAsks)
	isShort := m.Let("is_short", crowded.And(asks.At(compared).Not()))
	one := waiting.At(compared).Any().ZeroExtend(count.Width())
	some := pipe.Signal("some", compared, hdl.Mux(isShort, one, least(waiting.At(compared), turnMessages)))
	room, asking := limit("issue", c.SendDepth, used), limit("ask", c.ORD, unanswered)
	noRequest := m.Let("no_request", asking.At(countable).IsZero())
	blocked := m.Let("is_blocked", room.At(countable).IsZero().Or(noRequest.And(asks.At(countable))))
	smaller := m.Let("turn_count", hdl.Mux(some.At(countable).Lt(room.At(countable)), some.At(countable), room.At(countable)))
	idle := pipe.Signal("is_idle", countable, some.At(countable).IsZero())
	gives := pipe.Signal("gives_turn", countable, hdl.AllOf(pipe.Valid(countable), idle.At(countable).Not(), blocked.Not()))
	queue.Drive(takes, pipe.Valid(countable).And(gives.At(countable).Not()), gives.At(countable), workTurn{Stream: stream.At(countable),
		Issued: first.At(countable), Requests: requests.At(countable), Count: smaller, Asking: asking.At(countable)})
	u.settle(pipe, stream, posted, freedTimes, idle, gives)
	u.issue(given.Sink())
	pipe.Close()
}

// settle retires the token of a stream without work, and parks that of one that has to wait, unless that has changed meanwhile.
func (u *workRing) settle(pipe *block.Pipeline, stream, posts, frees, idle, gives *block.Signal) {
	m, c := u.Module, u.c
	m.Section("A token without a turn is retired or parked, unless its stream has work by now, or was freed")
	asks := pipe.Valid(countable)
	sofar := hdl.Unpack(postedOf(c), u.posts.Latest("sofar", asks, stream.At(countable)))
	times := hdl.Unpack(freedOf(c), u.frees.Latest("sofar_freed", asks, stream.At(countable)))
	m.Unused("only changes of counts matter", sofar.Created, times.Woken)
	engine.UnusedTag(m, "of no use there", sofar.List)
	retired := pipe.Holds("retired_before", settling, u.retired.Read("retired_before", asks, stream.At(countable)))
	parked := pipe.Holds("parked_before", settling, u.parked.Read("parked_before", asks, stream.At(countable)))
	here := func(stage int, now struct{ is, stream hdl.Value }) hdl.Value {
		return now.is.And(now.stream.Eq(stream.At(stage)))
	}
	m.Note("What is posted or freed in these very cycles counts.")
	comes := m.Let("work_came", here(settling, u.stores).Or(sofar.Posted.Ne(posts.At(settling))))
	goes := m.Let("was_freed", here(settling, u.freesNow).Or(times.Freed.Ne(frees.At(settling))))
	had := pipe.Signal("had_changed", settling, hdl.Mux(idle.At(settling), comes, goes))
	now := m.Let("changes_now", hdl.Mux(idle.At(settled), here(settled, u.stores), here(settled, u.freesNow)))
	ends := m.Let("has_no_turn", pipe.Valid(settled).And(gives.At(settled).Not()))
	changed := m.Let("has_changed", had.At(settled).Or(now))
	retires := m.Let("retires", hdl.AllOf(ends, idle.At(settled), changed.Not()))
	parks := m.Let("parks", hdl.AllOf(ends, idle.At(settled).Not(), changed.Not()))
	u.retired.Write(block.Change{When: retires, Stream: stream.At(settled), Word: retired.At(settled).Not()})
	u.parked.Write(block.Change{When: parks, Stream: stream.At(settled), Word: parked.At(settled).Not()})
	u.push("passed", ends.And(changed), stream.At(settled))
}

// issue issues the work requests of turns, one per cycle. A turn ends before a Read or Atomic that may not be issued.
func (u *workRing) issue(given hdl.Sink[workTurn]) {
	m, c := u.Module, u.c
	m.Section("Issue the work requests of a turn, one after another, up to a Read or Atomic beyond the limit")
	queue := block.NewReserved(m, "message", pendingDepth, WorkMessageOf(c), u.p.Message)
	stops := m.Wire("stops", 1)
	w := newWalk(m, "issue", given, given.Data.Issued, given.Data.Count, queue.Room, stops.Value)
	turn := w.data
	m.Unused("the walk has them; it is never empty", turn.Issued, turn.Count, w.exists)
	type issuing struct{ Stream, Number, Requests, Asking, First, Last hdl.Value }
	at := hdl.NewRegOf(m, "issuing", issuing{turn.Stream, turn.Issued, turn.Requests, turn.Asking, hdl.Bits(1), hdl.Bits(1)}, hdl.NoReset)
	valid := m.Reg("issuing_q", 1, hdl.ResetTo(0))
	isRequest := u.asks.Read("asks_q", w.goes, u.slot(turn.Stream, w.number), hdl.ReadOld)
	m.OnClock(valid.Set(w.goes), at.Set(issuing{turn.Stream, w.number, turn.Requests, turn.Asking, w.first, w.last}))

	q := at.Q
	m.Note("What the turn has issued before it.")
	requests, asking := m.Reg("requests_before_q", turn.Requests.Width(), hdl.NoReset), m.Reg("asking_before_q", turn.Asking.Width(), hdl.NoReset)
	issuedTo, stopped := m.Reg("issued_before_q", turn.Issued.Width(), hdl.NoReset), m.Reg("stopped_q", 1, hdl.ResetTo(0))
	before := func(first hdl.Value, later hdl.Reg) hdl.Value { return hdl.Mux(q.First, first, later.Value) }
	mayAsk := m.Let("may_ask_now", before(q.Asking, asking))
	waits := m.Let("has_to_wait", stopped.Or(isRequest.And(mayAsk.IsZero())))
	issues := m.Let("issues", valid.And(waits.Not()))
	asks := m.Let("issues_request", issues.And(isRequest))
	total := m.Let("requests_issued", before(q.Requests, requests).Add(asks.ZeroExtend(requests.Width())))
	next := m.Let("issued_next", hdl.Mux(issues, q.Number.Plus(1), before(q.Number, issuedTo)))
	stop := m.Let("stopped_next", hdl.Mux(valid.Value, q.Last.Not().And(waits), stopped.Value))
	m.Drive(stops.Out(), stop)
	m.OnClock(stopped.Set(stop), hdl.If(valid.Value, requests.Set(total), asking.Set(mayAsk.Sub(asks.ZeroExtend(asking.Width()))), issuedTo.Set(next)))
	ends := m.Let("ends_turn", valid.And(q.Last))
	u.push("again", ends, q.Stream)

	m.Section("A cycle later: the counts after the turn, and the message")
	written, pushed, spared := m.Reg("turn_ended_q", 1, hdl.ResetTo(0)), m.Reg("issues_q", 1, hdl.ResetTo(0)), m.Reg("spares_q", 1, hdl.ResetTo(0))
	word := hdl.NewRegOf(m, "ended", issued{Issued: hdl.Bits(next.Width()), Requests: hdl.Bits(total.Width())}, hdl.NoReset)
	message := hdl.NewRegOf(m, "message", WorkMessageOf(c), hdl.NoReset)
	m.OnClock(written.Set(ends), pushed.Set(issues), spared.Set(valid.And(waits)), word.Set(issued{Issued: next, Requests: total}),
		message.Set(WorkMessage{Stream: q.Stream, Number: q.Number}))
	m.Drive(u.writesIssue.Out(), written.Value)
	u.issued.Write(block.Change{When: written.Value, Stream: message.Q.Stream, Word: hdl.Pack(word.Q)},
		block.Change{When: u.opensNow.Value, Stream: u.p.Opened.Data.Stream, Word: hdl.Pack(issued{Issued: u.p.Opened.Data.place(), Requests: u.p.Opened.Data.Finished})})
	queue.Drive(w.goes, spared.Value, pushed.Value, message.Q)
}

// wide is a small number in another width; what does not fit is 0.
func wide(v hdl.Value, width int) hdl.Value {
	if width < v.Width() {
		return v.Truncate(width)
	}
	return v.ZeroExtend(width)
}
