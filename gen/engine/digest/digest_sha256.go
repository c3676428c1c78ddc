package digest

import "github.com/rnicgen/rnicgen/hdl"

// sha256Digest is the digest of a message.
type sha256Digest struct {
	Octets hdl.Value `doc:"octet i in [8i+7:8i]"`
}

// turnStart begins a turn of a message.
type turnStart struct {
	Stream  hdl.Value `doc:"number of the stream"`
	Resumes hdl.Value `doc:"1: the hash value is the one that the stream saved, 0: the initial one"`
}

// SHA256Ports are turns and their words of padded messages in, digests out.
type SHA256Ports struct {
	Start  hdl.Sink[turnStart]
	Word   hdl.Sink[messageWord]
	Digest hdl.Source[sha256Digest]
}

const sha256Doc = `digest_sha256 computes SHA-256 (FIPS 180-4) of messages of several streams that take turns: 68 cycles per block of 16 words, one
round per cycle and four cycles for the sums of section 6.2.2 step 4, in which the working variables and the hash value move
along like in a round. Words are taken during the first rounds. At the beginning of a turn the working variables are zero,
and these four cycles load the hash value: two words per cycle, of the initial one or of the one that the stream has saved.

After the last word of a turn the hash value is saved, or it is the digest, which is on offer five cycles after the last round. No
turn starts before that, or before the digest is taken.`

// SHA256 has one message inside; others have saved their state.
func SHA256(streamBits int) hdl.Block[SHA256Ports] {
	return hdl.Block[SHA256Ports]{
		Kind: "digest_sha256", Params: []hdl.Param{{Name: "stream_bits", Value: streamBits}}, Doc: sha256Doc,
		Ports: SHA256Ports{Start: hdl.NewSink(turnStart{hdl.Bits(streamBits), hdl.Bits(1)}),
			Word: hdl.NewSink(messageWordOf()), Digest: hdl.NewSource(sha256Digest{hdl.Bits(256)})},
		Build: buildSHA256,
	}
}

// Steps of a block. In step n, word n - shaLoads enters; its round is executed two steps later, from step shaRounds on. The steps before
// add the working variables to the hash value.
const (
	shaLoads  = 2
	shaRounds = 4
	shaSteps  = shaRounds + 64
)

func buildSHA256(m *hdl.Module, p SHA256Ports) {
	m.Section("Steps; one that takes a word waits for it")
	step, isRound := m.Reg("step_q", 7, hdl.ResetTo(0)), m.Reg("is_round_q", 1, hdl.ResetTo(0))
	runs, loads := m.Reg("runs_q", 1, hdl.ResetTo(0)), m.Reg("loads_q", 1, hdl.ResetTo(0)) // a turn; its hash value
	stops, ends := m.Reg("stops_q", 1, hdl.ResetTo(0)), m.Reg("ends_q", 1, hdl.NoReset)    // the turn ends in this block, its message too
	takes, final, done := m.Reg("takes_q", 1, hdl.ResetTo(0)), m.Reg("final_q", 1, hdl.ResetTo(0)), m.Reg("done_q", 1, hdl.ResetTo(0))
	turn := hdl.NewRegOf(m, "turn", p.Start.Data, hdl.NoReset)
	advance := m.Let("advance", runs.And(takes.Not().Or(p.Word.Valid)))
	p.Word.Accept(m, takes.Value)
	isLast := m.Let("is_last_step", step.Is(shaSteps-1))
	next := m.Let("next_step", step.Plus(1).And(isLast.Not().Replicate(7)))
	enters := m.Let("word_enters", next.Minus(shaLoads).Lt(hdl.Const(7, 16)))
	loaded := m.Let("is_summed", step.Is(shaRounds-1))
	over := m.Let("turn_over", hdl.AllOf(advance, final.Value, loaded))
	idle := m.Let("is_idle", runs.Not().And(done.Not()))
	p.Start.Accept(m, idle)
	starts := m.Let("starts", idle.And(p.Start.Valid))
	m.OnClock(
		hdl.If(starts, turn.Set(p.Start.Data)),
		runs.Set(starts.Or(runs.And(over.Not()))), loads.Set(starts.Or(loads.And(advance.And(loaded).Not()))),
		done.Set(over.And(ends.Value).Or(done.And(p.Digest.Ready.Not()))),
		hdl.If(over, step.Set(hdl.Zero(7)), final.Set(hdl.Zero(1)), isRound.Set(hdl.Zero(1))).ElseIf(advance,
			step.Set(next), isRound.Set(next.Lt(hdl.Const(7, shaRounds)).Not()), takes.Set(enters.And(final.Not())),
			hdl.If(takes.Value, stops.Set(p.Word.Data.Last), ends.Set(p.Word.Data.Ends)),
			hdl.If(isLast, final.Set(stops.Value))))

	m.Section("The hash values of other turns: four rows of two words, in the order in which they are summed")
	m.Note("A row is saved in the cycle after its sum; row 0 is read before the first step.")
	saved := m.Memory("saved", 64, 4<<turn.Q.Stream.Width())
	saves, row := m.Reg("saves_q", 1, hdl.ResetTo(0)), m.Reg("saved_row_q", 2, hdl.NoReset)
	m.OnClock(saves.Set(hdl.AllOf(advance, final.Value, ends.Not())), row.Set(step.Truncate(2)))
	stream := m.Let("stream", hdl.Mux(starts, p.Start.Data.Stream, turn.Q.Stream))
	following := m.Let("following_row", step.Truncate(2).Plus(1).And(starts.Not().Replicate(2)))
	old := saved.Read("resumed_q", starts.Or(loads.And(advance)), hdl.Cat(stream, following), hdl.ReadOld)

	s := sha256Step{advance: advance, next: next, takes: takes.Value, word: p.Word.Data.Word, isRound: isRound.Value, restart: starts,
		loads: loads.Value, loaded: m.Let("loaded", hdl.Mux(turn.Q.Resumes, old, initialRow(m, step.Truncate(2))))}
	word, constant := s.schedule(m)
	hash := s.rounds(m, word, constant)
	saved.Write(saves.Value, hdl.Cat(turn.Q.Stream, row.Value), hdl.Cat(hash[4].Value, hash[0].Value))
	var octets []hdl.Value // most significant first
	for _, h := range hash {
		octets = append([]hdl.Value{h.ReverseOctets()}, octets...)
	}
	p.Digest.Drive(m, done.Value, sha256Digest{hdl.Cat(octets...)})
}

// initialRow is a row of the initial hash value: words 3 and 7 are first, words 0 and 4 last.
func initialRow(m *hdl.Module, row hdl.Value) hdl.Value {
	var rows []uint64
	for i := range 4 {
		rows = append(rows, sha256Initial[7-i]<<32|sha256Initial[3-i])
	}
	return table(m, "initial_words", row, 64, rows)
}
