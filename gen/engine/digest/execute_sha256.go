package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// hashLane is what SHA-256 has on its way.
type hashLane struct {
	beats hdl.Sink[bufferedBeat]
	jobs  hdl.Sink[hashJob]
}

// hashJob says what the beats of a part are.
type hashJob struct {
	Of     partOf `hdl:"-"`
	Offset hdl.Value
	Length hdl.Value
}

// executeSHA256 gives the words of parts to SHA-256, one part after another. It returns 1 in a cycle in which a part is over.
func (u *digestUnit) executeSHA256(lane hashLane) (over hdl.Value) {
	m, beat, job := u.Module, lane.beats.Data, lane.jobs.Data
	m.Section("SHA-256 takes the words of a beat one after another")
	of := wordRange{Offset: job.Offset, Length: job.Length, Leaves: job.Of.Leaves, Ends: job.Of.Ends, Total: job.Of.Mark}
	ranges, words := hdl.NewStream(m, "word_range", of), hdl.NewStream(m, "word", messageWordOf())
	message := hdl.NewStream(m, "message", messageWordOf())
	hashed, hashes := hdl.NewStream(m, "hashed", memoryBeat{beat.Data}), hdl.NewStream(m, "hash", sha256Digest{hdl.Bits(256)})
	starts := hdl.NewStream(m, "start", turnStart{job.Of.Stream, job.Of.Resumes})
	hdl.Instance(m, "words", Words(u.busBytes, u.lengthBits), WordsPorts{Range: ranges.Sink(), Beat: hashed.Sink(), Word: words.Source()})
	block.Between(m, "message_word", words.Sink(), message.Source())
	hdl.Instance(m, "sha256", SHA256(u.streamBits), SHA256Ports{Start: starts.Sink(), Word: message.Sink(), Digest: hashes.Source()})
	u.hashes = hashes.Sink()

	m.Section("The part whose words are next")
	started, resumed := m.Reg("sha256_started_q", 1, hdl.ResetTo(0)), m.Reg("sha256_resumed_q", 1, hdl.NoReset)
	ranges.Source().Drive(m, lane.jobs.Valid, of)
	over = m.Let("sha256_over", ranges.Source().Ready)
	lane.jobs.Accept(m, over)
	asks := m.Let("asks_for_start", hdl.AllOf(lane.jobs.Valid, job.Of.Opens(), started.Not()))
	starts.Source().Drive(m, asks, turnStart{job.Of.Stream, job.Of.Resumes})
	start := m.Let("sha256_starts", asks.And(starts.Source().Ready))
	hashed.Source().Drive(m, lane.beats.Valid, memoryBeat{beat.Data})
	lane.beats.Accept(m, hashed.Source().Ready)
	m.Unused("a turn starts when the one before has saved its state", job.Of.Soon)

	m.Section("Whether memory has failed, in this turn or an earlier one")
	failed := m.Reg("sha256_turn_failed_q", 1, hdl.ResetTo(0))
	failures := m.Memory("failures", 1, 1<<u.streamBits)
	before := failures.Read("failed_before_q", lane.jobs.Valid, job.Of.Stream, hdl.ReadOld)
	here := m.Let("hashed_fails", failed.Or(hdl.AllOf(lane.beats.Valid, hashed.Source().Ready, beat.Failed)))
	fails := m.Let("sha256_fails", here.Or(resumed.And(before)))
	failures.Write(over.And(job.Of.Leaves), job.Of.Stream, fails)
	stream, hashFailed := m.Reg("hash_stream_q", u.streamBits, hdl.NoReset), m.Reg("hash_failed_q", 1, hdl.NoReset)
	u.hashStream, u.hashFailed = stream.Value, hashFailed.Value
	m.OnClock(
		hdl.If(start, resumed.Set(job.Of.Resumes)),
		started.Set(over.Not().And(started.Or(start))),
		failed.Set(here.And(hdl.AllOf(over, job.Of.Leaves.Or(job.Of.Ends)).Not())),
		hdl.If(over.And(job.Of.Ends), stream.Set(job.Of.Stream), hashFailed.Set(fails)))
	return over
}
