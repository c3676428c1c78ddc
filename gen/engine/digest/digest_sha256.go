package digest

import "github.com/rnicgen/rnicgen/hdl"

// sha256Digest is the digest of a message.
type sha256Digest struct {
	Octets hdl.Value `doc:"octet i in [8i+7:8i]"`
}

// SHA256Ports are words of padded messages in, digests out.
type SHA256Ports struct {
	Word   hdl.Sink[messageWord]
	Digest hdl.Source[sha256Digest]
}

const sha256Doc = `digest_sha256 computes SHA-256 (FIPS 180-4): 68 cycles per block of 16 words, one round per cycle and four cycles for the
sums of section 6.2.2 step 4, in which the working variables and the hash value move along like in a round. Words are taken
during the first rounds. The digest is on offer five cycles after the last round; no word of the next message is taken before
the digest is.

At the beginning of a message the working variables are zero, so that these sums also load the initial hash value.`

// SHA256 has one message inside.
func SHA256() hdl.Block[SHA256Ports] {
	return hdl.Block[SHA256Ports]{
		Kind: "digest_sha256", Doc: sha256Doc,
		Ports: SHA256Ports{Word: hdl.NewSink(messageWordOf()), Digest: hdl.NewSource(sha256Digest{hdl.Bits(256)})},
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
	takes, ends := m.Reg("takes_q", 1, hdl.ResetTo(0)), m.Reg("ends_q", 1, hdl.ResetTo(0)) // the message ends in this block
	final, done := m.Reg("final_q", 1, hdl.ResetTo(0)), m.Reg("done_q", 1, hdl.ResetTo(0))
	advance := m.Let("advance", done.Not().And(takes.Not().Or(p.Word.Valid)))
	p.Word.Accept(m, takes.Value)
	isLast := m.Let("is_last_step", step.Is(shaSteps-1))
	next := m.Let("next_step", step.Plus(1).And(isLast.Not().Replicate(7)))
	enters := m.Let("word_enters", next.Minus(shaLoads).Lt(hdl.Const(7, 16)))
	leaves := m.Let("digest_leaves", done.And(p.Digest.Ready))
	m.OnClock(
		hdl.If(leaves, step.Set(hdl.Zero(7)), final.Set(hdl.Zero(1)), done.Set(hdl.Zero(1)), isRound.Set(hdl.Zero(1))).ElseIf(advance,
			step.Set(next), isRound.Set(next.Lt(hdl.Const(7, shaRounds)).Not()), takes.Set(enters.And(final.Not())),
			hdl.If(takes.Value, ends.Set(p.Word.Data.Last)),
			hdl.If(isLast, final.Set(ends.Value)),
			done.Set(final.And(step.Is(shaRounds-1)))))

	s := sha256Step{advance: advance, next: next, takes: takes.Value, word: p.Word.Data.Word, isRound: isRound.Value, restart: leaves}
	word, constant := s.schedule(m)
	digest := s.rounds(m, word, constant)
	p.Digest.Drive(m, done.Value, sha256Digest{digest})
}
