package request

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// walk completes the work requests of each run in order, up to the first that is not done.
func (u *sendCompletion) walk(runs hdl.Sink[completionRun]) {
	m, c, p := u.Module, u.c, u.p
	m.Section("Walk through the work requests that are out, one per cycle, as long as completions have room")
	buffer := block.NewReserved(m, "completion", completionDepth, engine.CompletionOf(c), p.Completion)
	stops := m.Wire("stops", 1)
	w := newWalk(m, "walk", runs, runs.Data.Progress.Oldest, runs.Data.Count, buffer.Room, stops.Value)
	run := w.data
	pipe := block.NewNamedPipeline(m, "walk_", w.goes, turnDone)
	stream, of, last := pipe.Signal("stream", 0, run.Stream), pipe.Holds("of", 0, w.number), pipe.Holds("last", 0, w.last)
	first, there := pipe.Holds("first", 0, w.first), pipe.Holds("exists", 0, w.exists)
	finished, answered := pipe.Holds("finished", 0, run.Progress.Finished), pipe.Holds("answers", 0, run.Answered)
	lost, ended, seen := pipe.Holds("lost", 0, run.Lost), pipe.Holds("ended", 0, run.Ended), pipe.Holds("seen_by_walk", 0, run.Seen)
	more := pipe.Holds("more", 0, run.More)
	m.Unused("the walk has them", run.Progress.Oldest, run.Count)
	var finishedPlaces *block.Signal
	if lists(c) {
		finishedPlaces = pipe.Holds("finished_places", 0, run.Progress.place())
	}
	late := pipe.Signal("walk_is_late", 0, w.number.Eq(run.Sent))

	m.Section("Is it done?")
	slot := block.IndexWidth(c.SendDepth)
	ring := m.Memory("under_way", hdl.PackedWidth(UnderWayOf(c)), c.Streams*c.SendDepth)
	ring.Write(p.Store.Value, hdl.Cat(p.StoreStream.Value, p.StoreSlot.Value), p.StoreEntry.Value)
	entry := pipe.Holds("entry", 1, ring.Read("entry_1_q", w.goes, hdl.Cat(run.Stream, w.number.Truncate(slot)), hdl.ReadOld))
	e := hdl.Unpack(UnderWayOf(c), entry.At(entryRead))
	is := func(s *block.Signal) hdl.Value { return s.At(entryRead) }
	valid := pipe.Valid(entryRead)
	m.Note("Reads and Atomics that were complete before it; whether one before it did not succeed, or in its turn is not done.")
	counted, stopped := m.Reg("counted_q", requestBits(c), hdl.NoReset), m.Reg("stopped_q", 1, hdl.ResetTo(0))
	lostBefore := m.Reg("lost_q", 1, hdl.NoReset)
	oldest, some := m.Reg("walked_q", numberBits(c), hdl.NoReset), m.Reg("some_done_q", 1, hdl.NoReset)
	var places hdl.Reg
	if lists(c) {
		places = m.Reg("walked_places_q", numberBits(c), hdl.NoReset)
	}
	finishedNow := m.Let("finished_before", hdl.Mux(is(first), is(finished), counted.Value))
	hasResponse := m.Let("has_response", is(answered).Ne(finishedNow))
	lostNow := m.Let("lost_before", hdl.Mux(is(first), is(lost), lostBefore.Value))
	success := pipe.Signal("success", entryRead, hdl.AllOf(lostNow.Not(), is(late).Not(), e.Asks.Not().Or(hasResponse)))
	goes := m.Let("goes_on", is(there).And(stopped.Not()))
	done := pipe.Signal("done", entryRead, goes.And(success.At(entryRead).Or(is(ended))))
	finishes := m.Let("finished_next", finishedNow.Add(done.At(entryRead).And(e.Asks).ZeroExtend(requestBits(c))))
	start := m.Let("walked_before", hdl.Mux(is(first), is(of), oldest.Value))
	walked := m.Let("walked_next", hdl.Mux(done.At(entryRead), is(of).Plus(1), start))
	loses := m.Let("lost_next", lostNow.Or(done.At(entryRead).And(success.At(entryRead).Not())))
	if lists(c) {
		m.Note("Its places are complete with it.")
		from := m.Let("places_before", hdl.Mux(is(first), is(finishedPlaces), places.Value))
		m.OnClock(hdl.If(valid, places.Set(hdl.Mux(done.At(entryRead), e.Behind.(*placeCount).Places, from))))
	}
	m.OnClock(hdl.If(valid, counted.Set(finishes), lostBefore.Set(loses), oldest.Set(walked), some.Set(done.At(entryRead).Or(is(first).Not().And(some.Value))),
		stopped.Set(done.At(entryRead).Not().And(is(last).Not()))))
	m.Note("The turn ends soon when one is not done. A later turn may have begun if its last one has been read.")
	passed := pipe.Valid(1).And(last.At(1)).Or(valid.And(is(last)))
	m.Drive(stops.Out(), stopped.And(m.Let("turn_has_ended", passed).Not()))
	response := u.responses.Read("response_q", valid, hdl.Cat(is(stream), finishedNow.Truncate(block.IndexWidth(c.ORD))), hdl.ReadNew)

	m.Section("Complete it")
	told := entryDone
	if u.outcomes != nil { // which take a cycle to judge
		told = turnDone
		response = pipe.Signal("response", entryDone, response).At(told)
	}
	here := func(s *block.Signal) hdl.Value { return s.At(told) }
	held := hdl.Unpack(UnderWayOf(c), here(entry))
	m.Unused("counted a cycle before", held.Asks)
	engine.UnusedTag(m, "counted a cycle before", held.Behind)
	status := func(n uint64) hdl.Value { return hdl.Const(2, n) }
	isDone := here(done)
	tells := held.Signaled.Or(here(success).Not())
	outcomes := []hdl.When{{Cond: here(success), Then: status(engine.StatusSuccess)}, {Cond: held.Failed, Then: status(engine.StatusProtection)}}
	if compared, is := held.Compared.(*comparedWork); is {
		differs := m.Let("differs", hdl.AllOf(here(success), compared.Compares, response.Bit(0)))
		tells, outcomes = tells.Or(differs), append([]hdl.When{{Cond: differs, Then: status(engine.StatusDiffers)}}, outcomes...)
	}
	data, outcome := here(success).And(held.Returns), any(nil)
	if u.outcomes != nil {
		m.Note("Its own outcome, if it was reported, which was before.")
		state := u.sends(seen.At(1))
		reported := pipe.Signal("is_reported", 1, state.Sent.Add(state.Late).Sub(of.At(1)).Minus(1).Bit(numberBits(c)-1).Not())
		read := u.outcomes.Read("outcome_q", valid, hdl.Cat(is(stream), is(of).Truncate(slot)), hdl.ReadOld)
		alone := pipe.Signal("own_outcome", entryDone, read.And(reported.At(entryDone).Replicate(read.Width())))
		own, fails := here(alone), here(pipe.Signal("fails_alone", entryDone, alone.At(entryDone).Any()))
		outcome = hdl.Unpack(c.Profile.OutcomeTag(), own)
		tells, data, outcomes = tells.Or(fails), data.And(fails.Not()), append([]hdl.When{{Cond: fails, Then: status(engine.StatusFailed)}}, outcomes...)
	}
	completes := m.Let("completes", hdl.AllOf(pipe.Valid(told), isDone, tells))
	buffer.Drive(w.goes, pipe.Valid(told).And(completes.Not()), completes, engine.Completion{Stream: here(stream), ID: held.ID,
		Status: hdl.Select(status(engine.StatusFlushed), outcomes...),
		Opcode: held.Opcode, Recv: hdl.Zero(1), Length: held.Length, Data: response.And(data.Replicate(64)), STag: hdl.Zero(32), Outcome: outcome})

	m.Section("End of a turn: progress. The token is retired unless the next turn has something to do")
	latest := u.see("latest", valid, is(stream))
	retired := hdl.Unpack(completedOf(c), u.completed.Read("latest_completed", valid, is(stream)))
	m.Unused("it is replaced", retired.Progress.Oldest, retired.Progress.Finished, retired.Lost)
	progress := Progress{Oldest: oldest.Value, Finished: counted.Value}
	if lists(c) {
		m.Unused("it is replaced", retired.Progress.place())
		progress.Places = &placeCount{places.Value}
	}
	changed := pipe.Signal("has_changed", entryDone, m.Let("update_is_here", u.comes(stream.At(entryDone))).Or(latest.Ne(seen.At(entryDone))))
	m.Note("Lost of a stream is the opposite of Opened in its state when one has not succeeded.")
	opened := u.sends(seen.At(entryDone)).Opened
	end := pipe.Signal("turn_end", entryDone, hdl.Pack(completed{Progress: progress, Lost: opened.Xor(lostBefore.Value), Retired: retired.Retired}))
	advances := pipe.Holds("advances", entryDone, some.Value)
	ends := m.Let("turn_ends", pipe.Valid(turnDone).And(last.At(turnDone)))
	keeps := m.Let("keeps_token", hdl.AnyOf(done.At(turnDone).And(more.At(turnDone)), changed.At(turnDone), m.Let("update_comes", u.comes(stream.At(turnDone)))))
	word := hdl.Unpack(completedOf(c), end.At(turnDone))
	word.Retired = word.Retired.Xor(keeps.Not())
	u.completed.Write(block.Change{When: ends, Stream: stream.At(turnDone), Word: hdl.Pack(word)})
	u.push("again", ends.And(keeps), stream.At(turnDone))
	freed, freedStream := m.Reg("frees_q", 1, hdl.ResetTo(0)), m.Reg("frees_stream_q", stream.At(turnDone).Width(), hdl.NoReset)
	m.OnClock(freed.Set(ends.And(advances.At(turnDone))), freedStream.Set(stream.At(turnDone)))
	m.Drive(p.Freed, freed.Value)
	m.Drive(p.FreedStream, freedStream.Value)
	pipe.Close()
}
