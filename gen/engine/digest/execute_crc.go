package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// crcLane is what the CRCs have on their way.
type crcLane struct {
	beats hdl.Sink[bufferedBeat]
	jobs  hdl.Sink[crcJob]
}

// crcJob says what the beats of a part are.
type crcJob struct {
	Of     partOf `hdl:"-"`
	Empty  hdl.Value
	Offset hdl.Value
	End    hdl.Value
	Behind hdl.Value `doc:"beats after the first"`
}

// crcPart is the part whose beats are next.
type crcPart struct {
	Stream, Wide, Begins, Resumes, Leaves, Ends hdl.Value
	Empty, Offset, End                          hdl.Value
}

func crcPartOf(j crcJob) crcPart {
	return crcPart{Stream: j.Of.Stream, Wide: j.Of.Mark, Begins: j.Of.Begins, Resumes: j.Of.Resumes, Leaves: j.Of.Leaves, Ends: j.Of.Ends,
		Empty: j.Empty, Offset: j.Offset, End: j.End}
}

// executeCRC gives the beats of parts to the CRCs, one part after another. It returns 1 in a cycle in which a beat leaves the buffer.
func (u *digestUnit) executeCRC(lane crcLane) (freed hdl.Value) {
	m, beat, coming := u.Module, lane.beats.Data, lane.jobs.Data
	m.Section("The part whose beats are next: a CRC takes one per cycle")
	current := hdl.NewRegOf(m, "part", crcPartOf(coming), hdl.NoReset)
	octets := block.OctetCountOf(u.busBytes)
	before, upTo := hdl.NewRegOf(m, "before_range", octets, hdl.NoReset), hdl.NewRegOf(m, "up_to_end", octets, hdl.NoReset)
	idle, first := m.Reg("idle_q", 1, hdl.ResetTo(1)), m.Reg("first_q", 1, hdl.NoReset)
	left := m.Reg("beats_left_q", coming.Behind.Width(), hdl.NoReset)
	last, completes := m.Reg("last_q", 1, hdl.NoReset), m.Reg("completes_q", 1, hdl.NoReset) // beat of the part, and of its range
	failed := m.Reg("failed_q", 1, hdl.NoReset)
	m.Note("The last beat of a range waits until digest_multiply will be free, and its response the next but one.")
	ready := m.Let("crc_ready", idle.Not().And(completes.Not().Or(u.mayComplete.Value)))
	here := m.Let("beat_is_here", current.Q.Empty.Or(lane.beats.Valid))
	take := m.Let("takes_crc", ready.And(here))
	over := m.Let("part_over", take.And(last.Value))
	needs := m.Let("needs_beat", ready.And(current.Q.Empty.Not()))
	lane.beats.Accept(m, needs)
	freed = m.Let("beat_leaves", lane.beats.Valid.And(needs))
	fails := m.Let("turn_fails", failed.Or(freed.And(beat.Failed)))

	m.Section("The next part; one that resumes what has just left waits until the state is in memory")
	saving := m.Reg("saving_q", 2, hdl.ResetTo(0))
	mayBegin := m.Let("may_begin", coming.Of.Soon.And(saving.Any()).Not())
	next := m.Let("begins_next", idle.Or(over).And(mayBegin))
	lane.jobs.Accept(m, next)
	begins := m.Let("part_begins", next.And(lane.jobs.Valid))
	leaves := m.Let("leaves", over.And(current.Q.Leaves))
	opens, resumes := first.And(current.Q.Begins), first.And(current.Q.Resumes)
	only := coming.Behind.IsZero()
	m.OnClock(
		idle.Set(begins.Not().And(idle.Or(over))),
		hdl.If(begins,
			current.Set(crcPartOf(coming)), before.Set(block.DecodeOctets(coming.Offset)), upTo.Set(block.DecodeEnd(coming.End)),
			left.Set(coming.Behind), first.Set(hdl.Ones(1)), last.Set(only), completes.Set(only.And(coming.Of.Ends)),
			failed.Set(fails.And(coming.Of.Opens().Not())),
		).Else(
			failed.Set(fails),
			hdl.If(take, left.Set(left.Minus(1)), first.Set(hdl.Zero(1)), last.Set(left.Is(1)), completes.Set(left.Is(1).And(current.Q.Ends)))),
		hdl.If(leaves, saving.Set(hdl.Const(2, crcResumes-2))).ElseIf(saving.Any(), saving.Set(saving.Minus(1))))
	u.completes = m.Let("completes_crc", take.And(completes.Value))
	u.isWide = current.Q.Wide
	u.crcs(crcInput{take: take, first: m.Let("opens_range", opens), resumes: m.Let("resumes_range", resumes), leaves: last.And(current.Q.Leaves),
		last: completes.Value, fails: fails, part: current.Q, before: hdl.Pack(before.Q), upTo: hdl.Pack(upTo.Q), beat: beat})
	return freed
}

// crcInput is the beat that the CRCs take.
type crcInput struct {
	take, first, resumes, leaves, last, fails hdl.Value
	before, upTo                              hdl.Value // decoded octets
	part                                      crcPart
	beat                                      bufferedBeat
}

func (u *digestUnit) crcs(in crcInput) {
	m, place := u.Module, in.part.Offset.Width()
	m.Section("The CRCs")
	bit := func(name string) hdl.Wire { return m.Wire("crc_"+name, 1) }
	valid, wide, failed := bit("valid"), bit("wide"), bit("failed")
	state, end, stream := m.Wire("crc_state", 64), m.Wire("crc_end", place), m.Wire("crc_stream", u.streamBits)
	hdl.Instance(m, "crc", CRC(u.busBytes, u.streamBits), CRCPorts{
		Beat: crcBeat{Valid: in.take.In(), Stream: in.part.Stream.In(), Data: in.beat.Data.In(), First: in.first.In(), Resumes: in.resumes.In(), Leaves: in.leaves.In(), Last: in.last.In(),
			Before: in.before.In(), UpTo: in.upTo.In(), Offset: in.part.Offset.In(), End: in.part.End.In(), Wide: in.part.Wide.In(), Failed: in.fails.In()},
		Range: crcState{Valid: valid.Out(), Stream: stream.Out(), State: state.Out(), End: end.Out(), Wide: wide.Out(), Failed: failed.Out()}})
	checks := hdl.NewStream(m, "check", checkOf(u.streamBits))
	multiply := MultiplyPorts{Check: checks.Source()}
	multiply.Range.Valid, multiply.Range.Stream = valid.Value.In(), stream.Value.In()
	multiply.Range.State, multiply.Range.End = state.Value.In(), end.Value.In()
	multiply.Range.Wide, multiply.Range.Failed = wide.Value.In(), failed.Value.In()
	hdl.Instance(m, "multiply", Multiply(u.busBytes, u.streamBits), multiply)
	u.checks = checks.Sink()
}
