package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// completing is how many ranges may be behind their last beat and not answered: one is in digest_multiply, the other is being answered.
// For SHA-256 a range counts from its first word.
const completing = 2

// execute gives the beats of the ranges, one range after another, to the algorithms. It returns 1 in a cycle in which a beat leaves the
// buffer.
func (u *digestUnit) execute() (freed hdl.Value) {
	m, beat, coming := u.Module, u.beats.Data, u.jobs.Data
	m.Section("The range whose beats are next; a CRC takes one per cycle")
	job := hdl.NewRegOf(m, "job", coming.Range, hdl.NoReset)
	octets := block.OctetCountOf(u.busBytes)
	before, upTo := hdl.NewRegOf(m, "before_range", octets, hdl.NoReset), hdl.NewRegOf(m, "up_to_end", octets, hdl.NoReset)
	idle, isCRC, isHash := m.Reg("idle_q", 1, hdl.ResetTo(1)), m.Reg("is_crc_q", 1, hdl.ResetTo(0)), m.Reg("is_sha256_q", 1, hdl.ResetTo(0))
	left := m.Reg("beats_left_q", coming.Behind.Width(), hdl.NoReset)
	first, last, failed := m.Reg("first_q", 1, hdl.NoReset), m.Reg("last_q", 1, hdl.NoReset), m.Reg("failed_q", 1, hdl.NoReset)
	begun := m.Reg("sha256_begun_q", 1, hdl.NoReset)
	count := m.Reg("completing_q", block.IndexWidth(completing+1), hdl.ResetTo(0))
	pause := m.Reg("pause_q", 5, hdl.ResetTo(0))
	m.Note("A last beat waits until digest_multiply will be free, and its response the next but one.")
	can := m.Reg("may_complete_q", 1, hdl.ResetTo(0))
	few := m.Let("few_complete", count.Lt(hdl.Const(count.Width(), completing)).And(pause.Lt(hdl.Const(5, 2))))
	ready := m.Let("crc_ready", isCRC.And(last.Not().Or(can.Value)))
	here := m.Let("beat_is_here", job.Q.Empty.Or(u.beats.Valid))
	take, completes := m.Let("takes_crc", ready.And(here)), m.Let("completes_crc", hdl.AllOf(isCRC.Value, last.Value, can.Value, here))

	m.Section("SHA-256 takes the words of a beat one after another")
	ranges, words := hdl.NewStream(m, "word_range", wordRange{coming.Range.Offset, coming.Range.Length}), hdl.NewStream(m, "word", messageWordOf())
	message := hdl.NewStream(m, "message", messageWordOf())
	hashed, hashes := hdl.NewStream(m, "hashed", memoryBeat{hdl.Bits(8 * u.busBytes)}), hdl.NewStream(m, "hash", sha256Digest{hdl.Bits(256)})
	begins := m.Let("begins_sha256", hdl.AllOf(isHash.Value, begun.Not(), can.Value))
	hashing := m.Let("is_hashing", isHash.And(begun.Value))
	ranges.Source().Drive(m, hashing, wordRange{Offset: job.Q.Offset, Length: job.Q.Length})
	hashed.Source().Drive(m, hashing.And(u.beats.Valid), memoryBeat{beat.Data})
	takeHashed := m.Let("takes_hashed", hashing.And(hashed.Source().Ready))
	over := m.Let("sha256_over", ranges.Source().Ready)
	hdl.Instance(m, "words", Words(u.busBytes), WordsPorts{Range: ranges.Sink(), Beat: hashed.Sink(), Word: words.Source()})
	block.Between(m, "message_word", words.Sink(), message.Source())
	hdl.Instance(m, "sha256", SHA256(), SHA256Ports{Word: message.Sink(), Digest: hashes.Source()})
	u.hashes = hashes.Sink()

	m.Section("The next range begins when the last beat is taken, or the last word")
	hashFailed := m.Reg("sha256_failed_q", 1, hdl.NoReset)
	u.hashFailed = hashFailed.Value
	needs := m.Let("needs_beat", ready.And(job.Q.Empty.Not()))
	u.beats.Accept(m, m.Let("accepts_beat", needs.Or(takeHashed)))
	freed = m.Let("beat_leaves", u.beats.Valid.And(needs.Or(takeHashed)))
	fails := m.Let("range_fails", failed.Or(freed.And(beat.Failed)))
	next := m.Let("begins_next", hdl.AnyOf(idle.Value, completes, over))
	u.jobs.Accept(m, next)
	toHash := m.Let("next_is_sha256", coming.Range.Algorithm.Is(AlgorithmSHA256))
	cycles := hdl.Mux(job.Q.Algorithm.Is(AlgorithmCRC64), hdl.Const(5, multiplyCycles(crc64)-1), hdl.Const(5, multiplyCycles(crc32c)-1))
	m.OnClock(
		hdl.If(next,
			idle.Set(u.jobs.Valid.Not()), isHash.Set(u.jobs.Valid.And(toHash)), isCRC.Set(u.jobs.Valid.And(toHash.Not())), job.Set(coming.Range), before.Set(block.DecodeOctets(coming.Range.Offset)), upTo.Set(block.DecodeEnd(coming.Range.End)),
			left.Set(coming.Behind), first.Set(hdl.Ones(1)), last.Set(coming.Behind.IsZero()),
			failed.Set(hdl.Zero(1)), begun.Set(hdl.Zero(1)),
		).Else(
			failed.Set(fails),
			hdl.If(begins, begun.Set(hdl.Ones(1))),
			hdl.If(take, left.Set(left.Minus(1)), first.Set(hdl.Zero(1)), last.Set(left.Is(1)))),
		hdl.If(over, hashFailed.Set(fails)),
		hdl.If(completes, pause.Set(cycles)).ElseIf(pause.Any(), pause.Set(pause.Minus(1))),
		can.Set(few.And(completes.Or(begins).Not())),
		count.Set(count.Add(completes.Or(begins).ZeroExtend(count.Width())).Sub(u.taken.ZeroExtend(count.Width()))))

	m.Section("The CRCs")
	u.crcs(crcInput{take: take, first: first.Value, last: last.Value, fails: fails, job: job.Q, before: hdl.Pack(before.Q), upTo: hdl.Pack(upTo.Q)})
	return freed
}

// crcInput is the beat that the CRCs take.
type crcInput struct {
	take, first, last, fails hdl.Value
	before, upTo             hdl.Value // decoded octets
	job                      rangeOf
}

func (u *digestUnit) crcs(in crcInput) {
	m, place := u.Module, in.job.Offset.Width()
	bit := func(name string) hdl.Wire { return m.Wire("crc_"+name, 1) }
	valid, wide, failed := bit("valid"), bit("wide"), bit("failed")
	state, end := m.Wire("crc_state", 64), m.Wire("crc_end", place)
	hdl.Instance(m, "crc", CRC(u.busBytes), CRCPorts{
		Beat: crcBeat{Valid: in.take.In(), Data: u.beats.Data.Data.In(), First: in.first.In(), Last: in.last.In(), Before: in.before.In(), UpTo: in.upTo.In(), Offset: in.job.Offset.In(),
			End: in.job.End.In(), Wide: in.job.Algorithm.Is(AlgorithmCRC64).In(), Failed: in.fails.In()},
		Range: crcState{Valid: valid.Out(), State: state.Out(), End: end.Out(), Wide: wide.Out(), Failed: failed.Out()}})
	checks := hdl.NewStream(m, "check", checkOf())
	multiply := MultiplyPorts{Check: checks.Source()}
	multiply.Range.Valid, multiply.Range.State, multiply.Range.End = valid.Value.In(), state.Value.In(), end.Value.In()
	multiply.Range.Wide, multiply.Range.Failed = wide.Value.In(), failed.Value.In()
	hdl.Instance(m, "multiply", Multiply(u.busBytes), multiply)
	u.checks = checks.Sink()
}
