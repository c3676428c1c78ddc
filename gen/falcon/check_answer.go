package falcon

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// replyNames are the constants of the replies.
func replyNames(m *hdl.Module) map[spec.Reply]hdl.Value {
	names := map[spec.Reply]hdl.Value{}
	for r := spec.NoReply; r <= spec.CEResponse; r++ {
		names[r] = m.Constant(strings.ToUpper("reply_"+r.String()), replyBits, uint64(r))
	}
	return names
}

// answer is what Falcon gets for a request, in the stage after the decision: of the rows of spec by class of the broken rule, error mode, packet type and QP
// type. refusal is 1 if a pull is answered with a response in error, of which Falcon sees the acknowledgement first.
func (k *check) answer(stage int) (reply, code, refusal hdl.Value) {
	m, set := k.m, k.set
	names := replyNames(m)
	v := k.verdict
	class, pull, completes, ud := v.class.At(stage), k.is.pull.At(stage), set.completes.At(stage), set.ud.At(stage)
	classes := map[spec.Class]hdl.Value{}
	for c := spec.Unaddressed; c <= spec.Found; c++ {
		classes[c] = m.Let(fmt.Sprintf("is_class_%d", c), class.Is(uint64(c)))
	}
	by := func(mode spec.ErrorMode, t spec.PacketType, q spec.QPType) hdl.Value {
		var order []spec.Reply
		of := map[spec.Reply][]hdl.Value{}
		for c := spec.Unaddressed; c <= spec.Found; c++ {
			r := c.Consequence(mode).Reply(t, q)
			if r != spec.Ack && !slices.Contains(order, r) {
				order = append(order, r)
			}
			of[r] = append(of[r], classes[c])
		}
		var rows []hdl.When
		for _, r := range order {
			rows = append(rows, hdl.When{Cond: hdl.AnyOf(of[r]...), Then: names[r]})
		}
		return hdl.Select(names[spec.Ack], rows...)
	}
	m.Note("The class of the broken rule, the error mode, the packet type and the QP type decide.")
	connected := func(what string, t spec.PacketType) hdl.Value {
		inError, verbs := m.Let(what+"_complete_in_error", by(spec.CompleteInError, t, spec.QPRC)), m.Let(what+"_verbs", by(spec.Verbs, t, spec.QPRC))
		return m.Let(what, hdl.Mux(completes, inError, verbs))
	}
	push, toPull := connected("reply_to_push", spec.PushRequest), connected("reply_to_pull", spec.PullRequest)
	datagram := m.Let("reply_to_datagram", by(spec.Verbs, spec.PushRequest, spec.QPUD))
	found := m.Let("found_reply", hdl.Select(push, hdl.When{Cond: ud.And(pull), Then: names[spec.CID]}, hdl.When{Cond: ud, Then: datagram}, hdl.When{Cond: pull, Then: toPull}))
	request := pull.Or(k.is.push.At(stage))
	refusal = m.Let("answers_ce", hdl.AllOf(request, found.Eq(names[spec.CEResponse])))
	reply = m.Let("reply", hdl.Mux(refusal, names[spec.Ack], found.And(request.Replicate(replyBits))))
	codes := map[spec.ULPCode][]hdl.Value{}
	for _, row := range spec.Rules {
		if row.Code != spec.NoCode {
			codes[row.Code] = append(codes[row.Code], v.rule.At(stage).Is(uint64(row.Rule)))
		}
	}
	var rows []hdl.When
	for _, c := range []spec.ULPCode{spec.InvalidRequest, spec.AccessError, spec.OperationError} {
		is := m.Let(fmt.Sprintf("has_code_%02x", uint64(c)), hdl.AnyOf(codes[c]...))
		rows = append(rows, hdl.When{Cond: is, Then: hdl.Const(codeBits, uint64(c))})
	}
	some := m.Let("code_of_rule", hdl.Select(hdl.Zero(codeBits), rows...))
	has := m.Let("has_code", reply.Eq(names[spec.CIE]).Or(reply.Eq(names[spec.NRE])))
	code = m.Let("code", some.And(has.Replicate(codeBits)))
	return reply, code, refusal
}

// packetStatus is the status that a packet gives the receive of its message; that of a response its work request.
func (k *check) packetStatus(stage int) hdl.Value {
	m, rule := k.m, k.verdict.rule.At(stage)
	bad := k.verdict.refused.At(stage)
	status := func(s int) hdl.Value { return hdl.Const(statusBits, uint64(s)) }
	broken := func(r spec.Rule, s int) hdl.When {
		return hdl.When{Cond: rule.Is(uint64(r)), Then: status(s)}
	}
	ofReceive := m.Let("receive_status", hdl.Select(status(statusPeer), broken(spec.TooLong, statusLength), broken(spec.ReceiveBuffer, statusProtection)))
	ofWork := m.Let("response_status", hdl.Select(status(statusResponse), broken(spec.ResponseCE, statusRemote), broken(spec.SinkBuffer, statusProtection)))
	isRight := bad.Not().And(k.is.errs.At(stage).Not())
	return m.Let("packet_status", hdl.Select(ofReceive, hdl.When{Cond: isRight, Then: status(statusSuccess)}, hdl.When{Cond: k.is.data.At(stage), Then: ofWork}))
}
