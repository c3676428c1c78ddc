package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// weight is what an event would do, without the words of its QP and the outcome of its message.
type weight struct {
	ends      *block.Signal // its status ends the QP
	status    *block.Signal // that it gives its message: 0 none
	completes *block.Signal // its message may be complete
	closed    *block.Signal // low bits of the number of transactions of its message that must be closed before it
	drops     *block.Signal // its message is dropped if it is the oldest one of a QP in Error
	isPull    *block.Signal // its message is
	pull      *block.Signal // parity of the place of its pull
}

// weigh looks up the message of an event, and says what it does if its QP is as it seems.
func (u *transactions) weigh(f found) (w weight) {
	m, c, pipe := u.Module, u.c, u.pipe
	m.Section("Its message: what is sent of it, and what its QP has sent")
	m.Note("A message that ends in this cycle has an open transaction, or a look at it follows.")
	reads, stream := pipe.Valid(ownerKnown), f.stream.At(ownerKnown)
	end := hdl.LetOf(m, "message_end", hdl.Unpack(messageEndOf(c), u.packets.Read("packets_q", reads, f.slot.At(ownerKnown), hdl.ReadOld)))
	ended, posted := u.ended.ReadBefore("ended_now", reads, stream), u.posted.Read("posted_now", reads, stream)
	mode := hdl.LetOf(m, "mode", hdl.Unpack(modeOf(), u.modes.ReadAlone("modes_now", reads, stream)))
	sent, left := u.sent.Latest("sent_now", reads, stream), u.left.Latest("left_now", reads, stream)
	m.Note("A pull that is closed is open, so that its place is not taken in this cycle.")
	pulls := u.pullOpens.Read("pull_opened_q", reads, hdl.Cat(stream, f.pullPlace.At(ownerKnown)), hdl.ReadOld)

	at := func(s *block.Signal) hdl.Value { return s.At(wordsRead) }
	number, signal := at(f.number), func(name string, v hdl.Value) *block.Signal { return pipe.Signal(name, wordsRead, v) }
	isEnded := m.Let("is_ended", ended.Sub(number).Minus(1).Bit(numberBits(c)-1).Not())
	looks := m.Let("looks_at_message", hdl.AnyOf(at(f.open), at(f.poke), at(f.look)))
	w.status = signal("status_of_it", at(f.status).And(at(f.open).Replicate(statusBits)))
	m.Note("An unfit work request ends a UD QP too: no packet of it was lost. One that is refused ends none.")
	fatal := m.Let("is_fatal_to_qp", hdl.Mux(at(f.unfit), mode.Verbs.And(at(f.refused).Not()), hdl.AllOf(mode.Datagram.Not(), at(f.fatal).Or(mode.Verbs))))
	w.ends = signal("may_end_qp", hdl.AllOf(at(f.open), at(f.status).Any(), fatal))
	w.completes = signal("may_complete", hdl.AllOf(looks, isEnded, at(w.ends).Not()))
	w.drops = signal("may_drop", hdl.AllOf(at(f.poke), number.Ne(posted), sent.Eq(left)))
	w.closed = signal("closed_before_it", hdl.Mux(at(f.open), end.Fewer, end.Packets))
	w.isPull, w.pull = pipe.Holds("is_pull_message", wordsRead, end.Pull), pipe.Holds("pull_opened", wordsRead, pulls)
	return w
}

// decide says what an event does. What its message is beside others of the QP has been compared a stage before.
func (u *transactions) decide(f found, w weight) {
	m, c, pipe := u.Module, u.c, u.pipe
	m.Section("What it does")
	at := func(s *block.Signal) hdl.Value { return s.At(decided) }
	valid, stream := pipe.Valid(decided), at(f.stream)
	is := hdl.LetOf(m, "had_fate", hdl.Unpack(fateOf(c), u.fates.Now))
	was := hdl.LetOf(m, "had_outcome", hdl.Unpack(messageOutcomeOf(c), u.outcomes.Now))
	has := hdl.LetOf(m, "had_progress", hdl.Unpack(reportStateOf(c), u.progress.Now))
	plus := func(v, is hdl.Value) hdl.Value { return v.Add(is.ZeroExtend(v.Width())) }
	advances := m.Wire("advances", 1)
	alive := is.Failed.Not()
	live := m.Let("counts", at(f.open).And(alive))
	fatal := m.Let("ends_qp", at(w.ends).And(alive))
	closed := m.Let("closed_with_it", plus(was.Closed, live))
	isOldest, isLater, isFull := u.compare(f, w, has.Reported, closed, advances.Value)
	complete := m.Let("is_complete", hdl.AllOf(at(w.completes), alive, isFull))
	reports := m.Let("reports_it", complete.And(isOldest))
	early := m.Let("is_early", hdl.AllOf(complete, isOldest.Not(), isLater.Not(), was.Done.Not(), at(f.poke).Not()))
	drops := m.Let("drops_it", hdl.AllOf(at(w.drops), is.Failed, isOldest))
	m.Drive(advances.Out(), reports.Or(drops))
	status := m.Let("first_status", hdl.Mux(was.Status.Any(), was.Status, at(w.status).And(alive.Replicate(statusBits))))
	fresh, next := fate{at(f.finish).Not(), at(f.data).Truncate(pullBits(c) + 1)}, fate{hdl.AnyOf(is.Failed, at(w.ends), at(f.end)), plus(is.Pulls, live.And(at(f.pull)))}
	u.fates.Decide(m, hdl.Mux(at(f.set), hdl.Pack(fresh), hdl.Pack(next)))
	word := hdl.Pack(messageOutcome{was.Done.Or(early), closed, status})
	clears := m.Let("clears_outcome", advances.Or(at(f.set)))
	u.outcomes.Decide(m, word.And(clears.Not().Replicate(word.Width())))
	fewer := m.Let("fewer_early", advances.And(was.Done))
	u.progress.Decide(m, hdl.Pack(reportState{plus(has.Reported, advances.Value), plus(has.Early, early).Sub(fewer.ZeroExtend(numberBits(c)))}))
	closes := m.Let("closes_pull", valid.And(at(f.set).Or(at(f.open).And(at(f.pull)))))
	u.pullClose.Write(closes, hdl.Cat(stream, at(f.pullPlace)), at(w.pull))

	m.Section("A look at the oldest message follows")
	stops := m.Let("qp_ends", fatal.Or(at(f.end).And(alive)))
	follows := m.Let("follows", valid.And(hdl.AnyOf(reports.And(has.Early.Any()), drops, stops, at(f.look).And(is.Failed))))
	u.pokes.Drive(m, follows, token{stream})
	m.Unused("fewer follow than it has places: they go first", u.pokes.Ready)
	u.tell(f, told{answers: reports.And(at(w.isPull)), advances: advances.Value, drops: drops, live: live, fatal: fatal, status: status})
}

// compare says of an event in the stage of the decision whether its message is the oldest one of the QP, whether it was reported, and
// whether all its transactions are closed with it. These are compared a stage before: also with what the event ahead decides.
func (u *transactions) compare(f found, w weight, reported, closed, advances hdl.Value) (isOldest, isLater, isFull hdl.Value) {
	m, c, top := u.Module, u.c, numberBits(u.c)-1
	number, before := f.number.At(wordsRead), w.closed.At(wordsRead)
	of := func(word hdl.Value) hdl.Value { return hdl.Unpack(reportStateOf(c), word).Reported }
	after := m.Let("reported_if_it_advances", reported.Plus(1))
	early := func(name string, is func(reported hdl.Value) hdl.Value) hdl.Value {
		ahead := m.Let(name+"_behind", hdl.Mux(advances, is(after), is(reported)))
		return u.progress.Early(name, ahead, func(word hdl.Value) hdl.Value { return is(of(word)) })
	}
	isOldest = early("is_oldest", func(reported hdl.Value) hdl.Value { return number.Eq(reported) })
	isLater = early("is_reported", func(reported hdl.Value) hdl.Value { return number.Sub(reported).Bit(top) })
	m.Note("Nothing counts of a message whose outcome is cleared ahead of it.")
	ahead := m.Let("is_full_behind", closed.Eq(before))
	isFull = u.outcomes.Early("is_full", ahead, func(word hdl.Value) hdl.Value {
		return hdl.Unpack(messageOutcomeOf(c), word).Closed.Eq(before)
	})
	return isOldest, isLater, isFull
}
