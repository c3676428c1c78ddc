package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// fate is the state of a QP.
type fate struct {
	Failed hdl.Value // it is in Error
	Pulls  hdl.Value // RMSN of the next pull if none is open
}

// messageOutcome is what is known of a message in progress; 0 of one of which nothing is over.
type messageOutcome struct {
	Done   hdl.Value // it is complete, and counted as such
	Closed hdl.Value // low bits of the number of its transactions that are closed
	Status hdl.Value // its first error
}

// reportState is how far the messages of a QP are reported.
type reportState struct {
	Reported hdl.Value // messages
	Early    hdl.Value // messages behind the oldest one that are complete
}

func fateOf(c engine.Config) fate { return fate{hdl.Bits(1), hdl.Bits(pullBits(c) + 1)} }
func messageOutcomeOf(c engine.Config) messageOutcome {
	return messageOutcome{hdl.Bits(1), hdl.Bits(openBits(c)), hdl.Bits(statusBits)}
}
func reportStateOf(c engine.Config) reportState {
	n := hdl.Bits(numberBits(c))
	return reportState{n, n}
}

// words declares the words of QPs that are read when the QP of an event is known. The result is the oldest message of a QP that is
// named.
func (u *transactions) words(valid, stream hdl.Value) hdl.Value {
	m, c := u.Module, u.c
	u.reads, u.readStream, u.readSlot = m.Wire("reads_words", 1), m.Wire("words_stream", block.IndexWidth(c.Streams)), m.Wire("words_slot", numberBits(c)-1)
	u.decides, u.decidedStream, u.decidedSlot = m.Wire("decides", 1), m.Wire("decided_stream", block.IndexWidth(c.Streams)), m.Wire("decided_slot", numberBits(c)-1)
	user := block.LoopUser{Read: u.reads.Value, Stream: u.readStream.Value, Deciding: u.decides.Value, Decided: u.decidedStream.Value}
	failed := hdl.Pack(fate{hdl.Ones(1), hdl.Zero(pullBits(c) + 1)})
	u.fates = block.NewContext(m, "fates", failed, u.sweep).Loop(user)
	u.progress = block.NewContext(m, "progress", hdl.Zero(hdl.PackedWidth(reportStateOf(c))), u.sweep).Loop(user)
	slots := block.IndexWidth(c.Streams) + block.IndexWidth(c.SendDepth)
	u.outcomes = block.NewContext(m, "outcomes", hdl.Zero(hdl.PackedWidth(messageOutcomeOf(c))), unswept(slots)).Loop(block.LoopUser{Read: u.reads.Value,
		Stream: hdl.Cat(u.readStream.Value, u.readSlot.Value), Deciding: u.decides.Value, Decided: hdl.Cat(u.decidedStream.Value, u.decidedSlot.Value)})
	oldest := hdl.Unpack(reportStateOf(c), u.progress.Latest("poked", valid, stream))
	m.Unused("only the number of the oldest message matters", oldest.Early)
	return oldest.Reported
}

// decide says what an event does.
func (u *transactions) decide(f found) {
	m, c, pipe := u.Module, u.c, u.pipe
	m.Section("Its QP and message")
	reads, stream, number := pipe.Valid(ownerKnown), f.stream.At(ownerKnown), f.number.At(ownerKnown)
	m.Drive(u.reads.Out(), reads)
	m.Drive(u.readStream.Out(), stream)
	m.Drive(u.readSlot.Out(), number.Truncate(numberBits(c)-1))
	end := hdl.LetOf(m, "message_end", hdl.Unpack(messageEndOf(c), u.packets.Read("packets_q", reads, slot(stream, number), hdl.ReadNew)))
	ended, posted := u.ended.Read("ended_now", reads, stream), u.posted.Read("posted_now", reads, stream)
	verbs := u.verbs.ReadAlone("verbs_now", reads, stream)
	sent, left := u.sent.Latest("sent_now", reads, stream), u.left.Latest("left_now", reads, stream)
	pullOpened := u.pullOpens.Read("pull_opened_q", reads, hdl.Cat(stream, f.pullPlace.At(ownerKnown)), hdl.ReadNew)

	m.Section("What it does")
	at := func(s *block.Signal) hdl.Value { return s.At(fateRead) }
	valid, stream, number := pipe.Valid(fateRead), at(f.stream), at(f.number)
	m.Drive(u.decides.Out(), valid)
	m.Drive(u.decidedStream.Out(), stream)
	m.Drive(u.decidedSlot.Out(), number.Truncate(numberBits(c)-1))
	is := hdl.LetOf(m, "had_fate", hdl.Unpack(fateOf(c), u.fates.Now))
	was := hdl.LetOf(m, "had_outcome", hdl.Unpack(messageOutcomeOf(c), u.outcomes.Now))
	has := hdl.LetOf(m, "had_progress", hdl.Unpack(reportStateOf(c), u.progress.Now))
	plus := func(v, is hdl.Value) hdl.Value { return v.Add(is.ZeroExtend(v.Width())) }
	live := m.Let("counts", at(f.open).And(is.Failed.Not()))
	errs := m.Let("errs", live.And(at(f.status).Any()))
	fatal := m.Let("ends_qp", errs.And(at(f.fatal).Or(verbs)))
	closed := m.Let("closed_with_it", plus(was.Closed, live))
	status := m.Let("first_status", hdl.Mux(was.Status.Any(), was.Status, at(f.status).And(errs.Replicate(statusBits))))
	top := numberBits(c) - 1
	isOldest := m.Let("is_oldest", number.Eq(has.Reported))
	isEnded := m.Let("is_ended", ended.Sub(number).Minus(1).Bit(top).Not())
	isLater := m.Let("is_reported", number.Sub(has.Reported).Bit(top))
	looks := m.Let("looks_at_message", hdl.AnyOf(live, at(f.poke), at(f.look)))
	complete := m.Let("is_complete", hdl.AllOf(looks, is.Failed.Not(), fatal.Not(), isEnded, isLater.Not(), closed.Eq(end.Packets)))
	reports := m.Let("reports_it", complete.And(isOldest))
	early := m.Let("is_early", hdl.AllOf(complete, isOldest.Not(), was.Done.Not(), at(f.poke).Not()))
	drops := m.Let("drops_it", hdl.AllOf(at(f.poke), is.Failed, isOldest, number.Ne(posted), sent.Eq(left)))
	advances := m.Let("advances", reports.Or(drops))
	one := pullBits(c) + 1
	fresh, next := fate{at(f.finish).Not(), hdl.Const(one, 1)}, fate{hdl.AnyOf(is.Failed, fatal, at(f.end)), plus(is.Pulls, live.And(at(f.pull)))}
	u.fates.Decide(hdl.Mux(at(f.set), hdl.Pack(fresh), hdl.Pack(next)))
	word := hdl.Pack(messageOutcome{was.Done.Or(early), closed, status})
	clears := m.Let("clears_outcome", advances.Or(at(f.set)))
	u.outcomes.Decide(word.And(clears.Not().Replicate(word.Width())))
	fewer := m.Let("fewer_early", advances.And(was.Done))
	u.progress.Decide(hdl.Pack(reportState{plus(has.Reported, advances), plus(has.Early, early).Sub(fewer.ZeroExtend(numberBits(c)))}))
	closes := m.Let("closes_pull", valid.And(at(f.set).Or(at(f.open).And(at(f.pull)))))
	u.pullClose.Write(closes, hdl.Cat(stream, at(f.pullPlace)), pullOpened)

	m.Section("A look at the oldest message follows")
	stops := m.Let("qp_ends", fatal.Or(at(f.end).And(is.Failed.Not())))
	follows := m.Let("follows", valid.And(hdl.AnyOf(reports.And(has.Early.Any()), drops, stops, at(f.look).And(is.Failed))))
	u.pokes.Drive(m, follows, token{stream})
	m.Unused("fewer follow than it has places: they go first", u.pokes.Ready)

	m.Section("What it tells")
	over := func(name string, v hdl.Value) hdl.Value { return pipe.Signal(name, fateRead, v).At(eventOver) }
	isOver := pipe.Valid(eventOver)
	toReport, dropped, of := over("report_goes", advances), over("report_drops", drops), f.stream.At(eventOver)
	known := over("report_status", status)
	wakes, fails := over("wake_goes", live), over("fails", fatal)
	answers := over("answer_goes", reports.And(end.Pull))
	u.originals.Write(valid.And(live).And(at(f.responds)), slot(stream, number), at(f.data))
	original := u.originals.Read("original_q", valid, slot(stream, number), hdl.ReadNew)
	enters := m.Let("enters_now", pipe.Valid(0))
	report := isOver.And(toReport)
	u.reports.Drive(enters, isOver.And(toReport.Not()), report, engine.TxReport{Stream: of, Kind: hdl.Const(c.Kinds().SendBits(), engine.KindMessage), Final: hdl.Ones(1), Dropped: dropped,
		Outcome: &outcome{Status: known, SourceQP: hdl.Zero(24)}})
	u.answers.Drive(enters, isOver.And(answers.Not()), isOver.And(answers), engine.Answered{Stream: of, Data: original.And(known.IsZero().Replicate(64))})
	u.wakes.Drive(enters, isOver.And(wakes.Not()), isOver.And(wakes), token{of})
	failure := hdl.NewStream(m, "failure", engine.FailureOf(c))
	failure.Source().Drive(m, isOver.And(fails), engine.LocalFailure(c, of))
	m.Unused("a QP fails once: there is room for all", failure.Source().Ready)
	block.Fifo(m, "failures", max(2, c.Streams), failure.Sink(), u.p.Failed)

	ofLeft := hdl.Unpack(fateOf(c), u.fates.Latest("fate_of_left", u.leaves.is, u.leaves.stream))
	m.Unused("only whether it is in Error matters", ofLeft.Pulls)
	m.Drive(u.leaves.failed.Out(), ofLeft.Failed)
}

// lookup answers what the receive side and falcon_requests ask.
func (u *transactions) lookup() {
	m, c, p := u.Module, u.c, u.p
	m.Section("What the response to a transaction must fit")
	l := p.Lookup
	place := m.Let("lookup_place", hdl.Cat(l.CID.Value, l.RSN.Value.Truncate(placeBits(c))))
	rsn := m.Reg("lookup_rsn_q", rsnBits, hdl.NoReset)
	m.OnClock(hdl.If(l.Enable.Value, rsn.Set(l.RSN.Value)))
	o := hdl.LetOf(m, "expected_of", hdl.Unpack(ownerOf(c), u.owners.Read("lookup_owner_q", l.Enable.Value, place, hdl.ReadOld)))
	e := hdl.Unpack(expectOf(), u.expects.Read("lookup_q", l.Enable.Value, place, hdl.ReadOld))
	opened, closed := u.opens.Read("lookup_opened_q", l.Enable.Value, place, hdl.ReadNew), u.closes.Read("lookup_closed_q", l.Enable.Value, place, hdl.ReadNew)
	m.Unused("of no use there", o.Number, o.Place)
	m.Drive(l.Expected, hdl.Pack(Expected{Open: opened.Xor(closed).And(o.RSN.Eq(rsn.Value)), Pull: o.Pull, Stream: o.Stream, SN: e.SN, Atomic: e.Atomic, SinkVA: e.SinkVA, LKey: e.LKey, Length: e.Length}))

	m.Section("What is known of a QP, a message, and the places of its next transaction")
	q := hdl.LetOf(m, "asked", hdl.Unpack(lookForOf(c), p.LookFor.Value))
	asks, at, pull := p.Look.Value, hdl.Cat(q.CID, q.Place), hdl.Cat(q.Stream, q.Pull)
	read := func(name string, memory *hdl.Memory, at hdl.Value) hdl.Value {
		return memory.Read(name, asks, at, hdl.ReadNew)
	}
	parity, pullParity := read("known_opened_q", u.opens, at), read("known_pull_opened_q", u.pullOpens, pull)
	is := hdl.Unpack(fateOf(c), u.fates.Latest("known_fate", asks, q.Stream))
	of := hdl.Unpack(messageOutcomeOf(c), u.outcomes.Latest("known_outcome", asks, hdl.Cat(q.Stream, q.Slot)))
	m.Unused("of no use there", of.Done, of.Closed)
	m.Drive(p.Known, hdl.Pack(known{Failed: is.Failed, InError: of.Status.Any(), Open: parity.Xor(read("known_closed_q", u.closes, at)), Parity: parity,
		PullOpen: pullParity.Xor(read("known_pull_closed_q", u.pullClose, pull)), PullParity: pullParity, Pulls: is.Pulls}))
}
