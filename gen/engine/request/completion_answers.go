package request

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// AnsweredSink is the input of responses, nil of a profile whose reports have them.
func AnsweredSink(c engine.Config) *hdl.Sink[engine.Answered] {
	if engine.WorkReportOf(c).Answer != nil {
		return nil
	}
	s := hdl.NewSink(engine.AnsweredOf(c.Streams))
	return &s
}

// answered is the stream of responses, nil if reports have them.
func (u *sendCompletion) answered() *hdl.Stream[engine.Answered] {
	if u.p.Answered == nil {
		return nil
	}
	s := hdl.NewStream(u.Module, "response", u.p.Answered.Data)
	return &s
}

// answers is what is counted of a stream as its responses arrive.
type answers struct {
	Count   hdl.Value // Reads and Atomics whose response was placed before the stream closed, like [Progress]
	Created hdl.Value // parity of the tokens created for them; without width if reports have the responses, and create them
}

// unpackAnswers is the word of a stream as its fields.
func (u *sendCompletion) unpackAnswers(word hdl.Value) answers {
	if u.p.Answered == nil {
		return answers{Count: word}
	}
	return hdl.Unpack(answers{hdl.Bits(requestBits(u.c)), hdl.Bits(1)}, word)
}

func (u *sendCompletion) packAnswers(a answers) hdl.Value {
	if u.p.Answered == nil {
		return a.Count
	}
	return hdl.Pack(a)
}

// answerBits is the width of the word of a stream, seenBits with that of its updates.
func answerBits(c engine.Config) int {
	if engine.WorkReportOf(c).Answer != nil {
		return requestBits(c)
	}
	return requestBits(c) + 1
}

func seenBits(c engine.Config) int { return hdl.PackedWidth(sendState(c)) + answerBits(c) }

// see is what is known of a stream, with all updates of earlier cycles, in the cycle after enable.
func (u *sendCompletion) see(name string, enable, stream hdl.Value) hdl.Value {
	return hdl.Cat(u.answers.Latest(name+"_answers", enable, stream), u.states.Latest(name, enable, stream))
}

// sends and answersSeen are its parts.
func (u *sendCompletion) sends(seen hdl.Value) SendState {
	return hdl.Unpack(sendState(u.c), seen.Truncate(hdl.PackedWidth(sendState(u.c))))
}

func (u *sendCompletion) answersSeen(seen hdl.Value) answers {
	return u.unpackAnswers(seen.Slice(seenBits(u.c)-1, hdl.PackedWidth(sendState(u.c))))
}

// answering is what the count of responses needs of the updates: an update is taken beside a response, or the report has it.
type answering struct {
	takes, stream, data   hdl.Value // a response is taken
	tries, opening, opens hdl.Value // an opening is tried, in the same cycle; it takes effect
	reads, named          hdl.Value // in the next cycle: the stream of the update is read
	update                completionUpdate
	needs                 func(responses hdl.Value) hdl.Value // it gets a token, unless it has one; responses is the count of its stream
	closed                hdl.Value                           // its stream is closed
	finished              hdl.Value                           // as an opening begins
}

// count counts one response per cycle. A stream that has no token gets one, unless the update beside it does it. created is the parity of the
// tokens that responses have created for the stream of the update, without width if they create none; needs is what a.needs returns.
func (u *sendCompletion) count(a answering) (created, needs hdl.Value) {
	m, c, apart := u.Module, u.c, u.p.Answered != nil
	if !apart {
		needs = a.needs(hdl.Value{})
	}
	m.Section("Responses: one per cycle")
	reading, deciding := m.Reg("answer_reading_q", 1, hdl.ResetTo(0)), m.Reg("answer_deciding_q", 1, hdl.ResetTo(0))
	stream := m.Let("answer_stream", hdl.Mux(a.tries, a.opening, a.stream))
	proto := struct{ Stream, Opens, Data hdl.Value }{stream, hdl.Bits(1), hdl.Bits(64)}
	chosen, now := hdl.NewRegOf(m, "chosen_answer", proto, hdl.NoReset), hdl.NewRegOf(m, "answer", proto, hdl.NoReset)
	next := proto
	next.Opens, next.Data = a.tries, a.data
	m.OnClock(reading.Set(a.tries.Or(a.takes)), deciding.Set(reading.Value), chosen.Set(next), now.Set(chosen.Q))
	o := now.Q
	comes := m.Let("answer_comes", deciding.And(o.Opens.Not()))
	changes := m.Let("changes_answers", comes.Or(a.opens))
	loop := block.NewContext(m, "answers", hdl.Zero(answerBits(c)), u.sweep).Loop(block.LoopUser{Read: reading.Value, Stream: chosen.Q.Stream, Deciding: changes, Decided: o.Stream})
	u.answers = loop
	had := u.unpackAnswers(loop.Now)
	closed, creates := a.closed, hdl.Value{}
	if apart {
		latest := u.unpackAnswers(loop.Latest("answers_of_update", a.reads, a.named))
		created, needs = latest.Created, a.needs(latest.Count)
		state := hdl.Unpack(sendState(c), u.states.Latest("state_of_answered", reading.Value, chosen.Q.Stream))
		m.Unused("counted by updates", state.Ended, state.Sent, state.Late, state.Abandoned, state.Reported, state.Opened)
		engine.UnusedTag(m, "counted by updates", state.Asked)
		done := hdl.Unpack(completedOf(c), u.completed.Read("completed_of_answered", reading.Value, chosen.Q.Stream))
		m.Unused("only whether there is a token matters", hdl.Pack(done.Progress), done.Lost)
		closed = state.Closed
		has := m.Let("answered_has_token", had.Created.Xor(state.Created).Xor(done.Retired))
		beside := m.Let("update_gives_token", needs.And(a.update.Stream.Eq(o.Stream)))
		creates = m.Let("answer_creates_token", hdl.AllOf(comes, has.Not(), beside.Not()))
		u.push("complete", creates, o.Stream)
	}
	counts := m.Let("response_counts", comes.And(closed.Not()))
	then := answers{Count: hdl.Mux(o.Opens, a.finished, had.Count.Add(counts.ZeroExtend(requestBits(c))))}
	if apart {
		then.Created = had.Created.Xor(creates)
	}
	loop.Decide(u.packAnswers(then))
	u.responses.Write(counts, hdl.Cat(o.Stream, had.Count.Truncate(block.IndexWidth(c.ORD))), o.Data)
	u.updates = append(u.updates, updated{comes, o.Stream})
	return created, needs
}
