package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitResult is a Flush, Verify or Atomic Write that has been executed, or has failed.
type commitResult struct {
	Stream hdl.Value `doc:"number of the stream"`
	Number hdl.Value `doc:"of the request, for its credit"`
	Fails  hdl.Value `doc:"1: it has failed"`
	Digest any       `hdl:"-"` // *commitDigest of a Verify
}

// commitDigest is the digest that a Verify returns.
type commitDigest struct {
	Differs hdl.Value `doc:"1: it has failed because the digest is not the one expected"`
	Octets  hdl.Value `hdl:"digest_octets" doc:"octets of the digest"`
	Digest  hdl.Value `doc:"octet i in [8i+7:8i], 0 from its end on"`
}

func commitResultOf(c engine.Config) commitResult {
	return commitResult{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(engine.NumberBits(c)), Fails: hdl.Bits(1)}
}

func verifyResultOf(c engine.Config) commitResult {
	r := commitResultOf(c)
	r.Digest = &commitDigest{Differs: hdl.Bits(1), Octets: hdl.Bits(6), Digest: hdl.Bits(8 * digestOctets)}
	return r
}

// CommitResponderPorts turn results into messages.
type CommitResponderPorts struct {
	Begun       hdl.Sink[engine.Begun] `doc:"requests that start; always accepted"`
	Flush       hdl.Sink[commitResult]
	AtomicWrite hdl.Sink[commitResult]
	Verify      hdl.Sink[commitResult]
	Withdraw    hdl.Source[engine.Withdrawal]
	Message     hdl.Source[engine.TxMessage]
}

const commitResponderDoc = `commit_responder is downstream of the executors of Flushes, Verifies and Atomic Writes. It turns each result into the message that sends
the response, on queue 3 (draft-talpey-rdma-commit-01 section 3.1), one per cycle, three cycles later. The results take turns. After
success the Invalidate STag of the request is withdrawn first (section 3.1.1.2). A failed result gives a message without octets, on
which the transmit side fails the stream, so that no later response leaves: its header says how it has failed.

A stream has one such request in progress. What its response needs is kept by stream from the time the request starts. The digest stays with
the Verify, which is accepted in the cycle after its message.`

// CommitResponder is one for all three, as they have responses of the same form.
func CommitResponder(c engine.Config) hdl.Block[CommitResponderPorts] {
	return hdl.Block[CommitResponderPorts]{
		Kind: "commit_responder", Params: c.Params("streams", "ird"), Doc: commitResponderDoc,
		Ports: CommitResponderPorts{Begun: hdl.NewSink(engine.BegunOf(c)), Flush: hdl.NewSink(commitResultOf(c)), AtomicWrite: hdl.NewSink(commitResultOf(c)),
			Verify: hdl.NewSink(verifyResultOf(c)), Withdraw: hdl.NewSource(engine.WithdrawalOf()), Message: hdl.NewSource(engine.TxMessageOf(c))},
		Build: func(m *hdl.Module, p CommitResponderPorts) { buildCommitResponder(m, p, c) },
	}
}

// Executors whose results the responder takes, in the order of their turns.
var committing = []string{"flush", "atomic_write", "verify"}

// turnVerify is the number of the last one.
const turnVerify = 2

// commitAnswer is a result with what its message needs.
type commitAnswer struct {
	Stream, Number, Fails, Differs, Octets hdl.Value
	From                                   hdl.Value // 1 bit per executor, the first in bit 0
	Msn, Invalidate                        hdl.Value
}

func buildCommitResponder(m *hdl.Module, p CommitResponderPorts, c engine.Config) {
	m.Section("What is kept of the latest request of each stream")
	begun := p.Begun.Data
	kept := begun.Tag.(*begunTag)
	p.Begun.Accept(m, hdl.Ones(1))
	m.Unused("a result is of such a request", kept.Commits)
	m.Unused("of a failure only", kept.Returned.Control, kept.Returned.Msn, kept.Returned.Length)
	type answering struct{ Msn, Invalidate hdl.Value }
	tags := m.Memory("tags", 64, c.Streams)
	tags.Write(p.Begun.Valid, begun.Stream, hdl.Cat(kept.ResponseMsn, kept.Returned.Invalidate))

	m.Section("Take a result, and read that")
	verify := p.Verify.Data.Digest.(*commitDigest)
	answered := m.Reg("verify_is_answered_q", 1, hdl.ResetTo(0))
	valid, from := m.Reg("taken_valid_q", 1, hdl.ResetTo(0)), m.Reg("taken_from_q", len(committing), hdl.NoReset)
	has, withdraws := m.Reg("answer_valid_q", 1, hdl.ResetTo(0)), m.Reg("withdraws_q", 1, hdl.ResetTo(0))
	m.Note("Whether a stage can be loaded has many readers; what decides asks registers of its own.")
	vacant, vacantBehind, silent := m.Reg("taken_vacant_q", 1, hdl.ResetTo(1)), m.Reg("answer_vacant_q", 1, hdl.ResetTo(1)), m.Reg("does_not_offer_q", 1, hdl.ResetTo(1))
	offers := m.Let("offers", has.And(withdraws.Not()))
	done := m.Let("done", offers.And(p.Message.Ready))
	free := m.Let("is_free", has.Not().Or(done))
	loads := m.Let("taken_free", valid.Not().Or(free))
	may := m.Let("may_take", hdl.AnyOf(vacant.Value, vacantBehind.Value, silent.Not().And(p.Message.Ready)))
	verifying := m.Reg("verifies_q", 1, hdl.ResetTo(0))
	sinks := []hdl.Sink[commitResult]{p.Flush, p.AtomicWrite, p.Verify}
	asks := []hdl.Value{may.And(p.Flush.Valid), may.And(p.AtomicWrite.Valid), hdl.AllOf(may, p.Verify.Valid, verifying.Not())}
	turn, granted := block.Rotate(m, "result", asks)
	var stream, number, fails hdl.Value
	for i, s := range sinks {
		pick := func(v hdl.Value) hdl.Value { return v.And(turn.Bit(i).Replicate(v.Width())) }
		if i == 0 {
			stream, number, fails = pick(s.Data.Stream), pick(s.Data.Number), pick(s.Data.Fails)
			continue
		}
		stream, number, fails = stream.Or(pick(s.Data.Stream)), number.Or(pick(s.Data.Number)), fails.Or(pick(s.Data.Fails))
	}
	stream = m.Let("result_stream", stream)
	p.Flush.Accept(m, granted.Bit(0))
	p.AtomicWrite.Accept(m, granted.Bit(1))
	p.Verify.Accept(m, answered.Value)
	now := hdl.NewRegOf(m, "taken", commitResultOf(c), hdl.NoReset)
	tag := tags.Read("tag_q", loads, stream, hdl.ReadOld)
	m.OnClock(
		hdl.If(loads, from.Set(turn), now.Set(commitResult{Stream: stream, Number: number, Fails: fails})),
		hdl.If(may, valid.Set(granted.Any()), vacant.Set(granted.Any().Not())))

	m.Section("Withdraw the Invalidate STag first")
	invalidate := tag.Truncate(32)
	answer := hdl.NewRegOf(m, "answer", commitAnswer{Stream: stream, Number: number, Fails: hdl.Bits(1), Differs: hdl.Bits(1), Octets: verify.Octets,
		From: hdl.Bits(len(committing)), Msn: hdl.Bits(32), Invalidate: hdl.Bits(32)}, hdl.NoReset)
	a := answer.Q
	p.Withdraw.Drive(m, withdraws.Value, engine.Withdrawal{STag: a.Invalidate})
	isVerify := m.Let("is_verify", from.Bit(turnVerify))
	withdrawsNext := m.Let("withdraws_next", now.Q.Fails.Not().And(invalidate.Any()))
	m.OnClock(
		hdl.If(free, has.Set(valid.Value), vacantBehind.Set(valid.Not()), withdraws.Set(valid.And(withdrawsNext)), silent.Set(valid.And(withdrawsNext.Not()).Not()),
			answer.Set(commitAnswer{Stream: now.Q.Stream, Number: now.Q.Number, Fails: now.Q.Fails, Differs: verify.Differs.And(isVerify),
				Octets: verify.Octets.And(isVerify.Replicate(6)), From: from.Value, Msn: tag.Slice(63, 32), Invalidate: invalidate})).
			ElseIf(withdraws.And(p.Withdraw.Ready), withdraws.Set(hdl.Zero(1)), silent.Set(hdl.Zero(1))),
		answered.Set(done.And(a.From.Bit(turnVerify))),
		hdl.If(granted.Bit(turnVerify), verifying.Set(hdl.Ones(1))).ElseIf(answered.Value, verifying.Set(hdl.Zero(1))))

	m.Section("Message: the response, or what has failed")
	x, kinds := extensions(c), c.Kinds()
	var opcode, kind hdl.Value
	for _, r := range c.Profile.(Profile).requests() {
		for i, name := range committing {
			if r.Executor != name {
				continue
			}
			is := a.From.Bit(i)
			code, send := nameOpcode(m, x, r.response.Opcode), kinds.NameSend(m, kinds.Response(name))
			code, send = code.And(is.Replicate(code.Width())), send.And(is.Replicate(send.Width()))
			if opcode.Width() > 0 {
				code, send = opcode.Or(code), kind.Or(send)
			}
			opcode, kind = code, send
		}
	}
	_, table := wire.DDPTables(x)
	header := m.Let("ddp_header", assemble(table, map[string]hdl.Value{
		"t": hdl.Zero(1), "l": hdl.Ones(1), "dv": hdl.Const(2, wire.DDPVersion), "rv": hdl.Const(2, wire.RDMAPVersion),
		"opcode":          m.Let("response_opcode", opcode),
		"invalidate_stag": hdl.Zero(32), "queue_number": hdl.Const(32, uint64(spec.QueueAtomicResponse)),
		"msn": a.Msn, "mo": hdl.Zero(32)})).ReverseOctets()
	succeeds := a.Fails.Not()
	digest := m.Let("digest", verify.Digest.And(succeeds.And(a.From.Bit(turnVerify)).Replicate(8*digestOctets)))
	fault := m.Let("fault", hdl.Mux(a.Differs, engine.FaultOf(c, engine.FaultDiffers), engine.FaultOf(c, engine.FaultFails)))
	octets := m.Let("octets", hdl.Mux(a.Fails, fault.ZeroExtend(header.Width()), header))
	length := hdl.Const(7, untagged).Add(a.Octets.ZeroExtend(7))
	p.Message.Drive(m, offers, engine.TxMessage{Stream: a.Stream, Kind: kind, Number: a.Number,
		HeaderLength: length.And(succeeds.Replicate(7)), Header: hdl.Cat(digest, octets).ZeroExtend(8 * HeaderOctets), Address: hdl.Zero(64), Length: hdl.Zero(32)})
}

// withoutConstants is a message read from a memory, whose bits that are always 0 take no part in the choice among messages: the Invalidate STag, the
// upper octets of the queue number, the MO, what follows the longest digest, and the payload.
func withoutConstants(m *hdl.Module, t engine.TxMessage) engine.TxMessage {
	octets := func(from, to int) hdl.Value { return t.Header.Slice(8*to-1, 8*from) }
	zeros := func(octets int) hdl.Value { return hdl.Zero(8 * octets) }
	const end = untagged + digestOctets
	m.Unused("always 0", octets(2, 9), octets(14, untagged), octets(end, HeaderOctets), t.Address, t.Length)
	t.Header = hdl.Cat(zeros(HeaderOctets-end), octets(untagged, end), zeros(untagged-14), octets(9, 14), zeros(9-2), octets(0, 2))
	t.Address, t.Length = hdl.Zero(64), hdl.Zero(32)
	return t
}
