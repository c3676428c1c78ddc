package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitResult is a Flush, Verify or Atomic Write that has been executed, or has failed.
type commitResult struct {
	Stream hdl.Value `doc:"number of the stream"`
	Number hdl.Value `doc:"of the request, for its credit"`
	Tag    any       `hdl:"-"` // *commitTag
	Fails  hdl.Value `doc:"1: it has failed"`
	Digest any       `hdl:"-"` // *commitDigest of a Verify
}

// commitDigest is the digest that a Verify returns.
type commitDigest struct {
	Differs hdl.Value `doc:"1: it has failed because the digest is not the one expected"`
	Octets  hdl.Value `hdl:"digest_octets" doc:"octets of the digest"`
	Digest  hdl.Value `doc:"octet i in [8i+7:8i], 0 from its end on"`
}

func commitResultOf(c engine.Config, executor string) commitResult {
	message := engine.TxMessageOf(c)
	r := commitResult{Stream: message.Stream, Number: message.Number, Tag: commitTagOf(), Fails: hdl.Bits(1)}
	if executor == "verify" {
		r.Digest = &commitDigest{Differs: hdl.Bits(1), Octets: hdl.Bits(6), Digest: hdl.Bits(8 * digestOctets)}
	}
	return r
}

// CommitResponderPorts turn results into messages.
type CommitResponderPorts struct {
	Result   hdl.Sink[commitResult]
	Withdraw hdl.Source[engine.Withdrawal]
	Message  hdl.Source[engine.TxMessage]
}

const commitResponderDoc = `_responder is behind the executor of its requests. It turns each result into the message that sends the response, on queue 3 (draft-talpey-rdma-commit-01 section 3.1).
After success the Invalidate STag of the request is withdrawn first (section 3.1.1.2). A failed result gives a message without
octets, on which the transmit side fails the stream, so that no later response leaves: its header says what has failed. Only
whether the STag has been withdrawn is registered.`

// commitResponder is for one of the executors flush, verify and atomic_write.
func commitResponder(c engine.Config, executor string) hdl.Block[CommitResponderPorts] {
	return hdl.Block[CommitResponderPorts]{
		Kind: executor + "_responder", Params: c.Params("streams", "ird"), Doc: executor + commitResponderDoc,
		Ports: CommitResponderPorts{Result: hdl.NewSink(commitResultOf(c, executor)), Withdraw: hdl.NewSource(engine.WithdrawalOf()),
			Message: hdl.NewSource(engine.TxMessageOf(c))},
		Build: func(m *hdl.Module, p CommitResponderPorts) { buildCommitResponder(m, p, c, executor) },
	}
}

func buildCommitResponder(m *hdl.Module, p CommitResponderPorts, c engine.Config, executor string) {
	r, x := p.Result.Data, extensions(c)
	tag := r.Tag.(*commitTag)
	profile := c.Profile.(Profile)

	m.Section("Withdraw the Invalidate STag first")
	withdrawn := m.Reg("withdrawn_q", 1, hdl.ResetTo(0))
	withdraws := m.Let("withdraws", hdl.AllOf(r.Fails.Not(), tag.Returned.Invalidate.Any(), withdrawn.Not()))
	p.Withdraw.Drive(m, p.Result.Valid.And(withdraws), engine.Withdrawal{STag: tag.Returned.Invalidate})
	offers := m.Let("offers", p.Result.Valid.And(withdraws.Not()))
	done := m.Let("done", offers.And(p.Message.Ready))
	m.OnClock(withdrawn.Set(done.Not().And(withdrawn.Or(p.Result.Valid.And(withdraws).And(p.Withdraw.Ready)))))
	p.Result.Accept(m, withdraws.Not().And(p.Message.Ready))

	m.Section("Message: the response, or what has failed")
	var of request
	for _, each := range profile.requests() {
		if each.Executor == executor {
			of = each
		}
	}
	_, table := wire.DDPTables(x)
	header := m.Let("ddp_header", assemble(table, map[string]hdl.Value{
		"t": hdl.Zero(1), "l": hdl.Ones(1), "dv": hdl.Const(2, wire.DDPVersion), "rv": hdl.Const(2, wire.RDMAPVersion),
		"opcode":          nameOpcode(m, x, of.response.Opcode),
		"invalidate_stag": hdl.Zero(32), "queue_number": hdl.Const(32, uint64(spec.QueueAtomicResponse)),
		"msn": tag.ResponseMsn, "mo": hdl.Zero(32)})).ReverseOctets()
	length := hdl.Const(7, untagged)
	fault := engine.FaultOf(c, engine.FaultFails)
	if d, has := r.Digest.(*commitDigest); has {
		header, length = hdl.Cat(d.Digest, header), length.Add(d.Octets.ZeroExtend(7))
		fault = m.Let("fault", hdl.Mux(d.Differs, engine.FaultOf(c, engine.FaultDiffers), fault))
	}
	failure := hdl.Pack(hollowFailure{Fault: fault, Returned: tag.Returned})
	kinds := c.Kinds()
	octets := m.Let("octets", hdl.Mux(r.Fails, failure.ZeroExtend(8*HeaderOctets), header.ZeroExtend(8*HeaderOctets)))
	p.Message.Drive(m, offers, engine.TxMessage{Stream: r.Stream, Kind: kinds.NameSend(m, kinds.Response(executor)), Number: r.Number,
		HeaderLength: length.And(r.Fails.Not().Replicate(7)), Header: octets, Address: hdl.Zero(64), Length: hdl.Zero(32)})
}
