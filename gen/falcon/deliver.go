package falcon

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Delivered reports to Falcon and to the host. If payload before the packet is lost, memory has refused it: the QP fails, a push gets NACK NRE
// with an operation error instead of its acknowledgement. A pull stays acknowledged, as its response says CE, and so does a datagram (I-67).
// A receive keeps its first error.
func (p Profile) Delivered(m *hdl.Module, d engine.Delivery, ends, lost hdl.Value) engine.DeliveredView {
	tag := d.Tag.(*deliveryTag)
	got := tag.Received
	suffixed := func(name string, x spec.Suffix) hdl.Value {
		return opcodeIs(m, name, d.Opcode, func(row *spec.Operation) bool { return row.Suffix == x })
	}
	status := m.Let("outcome_status", hdl.Mux(got.Status.Any().Or(lost.Not()), got.Status, hdl.Const(statusBits, statusProtection)))
	succeeds := m.Let("succeeds", status.Eq(hdl.Const(statusBits, statusSuccess)))
	word := got.Word.And(succeeds.Replicate(32))
	datagram := opcodeIs(m, "is_datagram", d.Opcode, func(row *spec.Operation) bool { return row.Has(spec.DETH) })
	rule := d.Rule.And(ends.Replicate(spec.RuleBits))
	answers := m.Let("answers", tag.Answer.Reply.Any())
	pull := d.Request.Tag.(*Pull)
	return engine.DeliveredView{
		Response:  &Response{CID: pull.CID, RSN: pull.RSN, Status: got.Status},
		Solicited: got.Solicited.And(got.Status.IsZero()),
		Received:  word.And(suffixed("is_immediate", spec.Immediate).Replicate(32)).ZeroExtend(64),
		STag:      word.And(suffixed("invalidates", spec.Invalidate).Replicate(32)),
		Returned:  pull.Data.And(pull.Atomic.Replicate(64)),
		Detail:    &eventDetail{Rule: rule, Shared: hdl.Zero(1)},
		Outcome:   &outcome{Status: status, SourceQP: got.SourceQP.And(datagram.Replicate(24))},
		Answers:   answers, Answer: p.answerIf(m, tag, lost),
	}
}

// answerIf is the answer to a packet.
func (p Profile) answerIf(m *hdl.Module, tag *deliveryTag, lost hdl.Value) *Answer {
	a := tag.Answer
	reply := func(r spec.Reply) hdl.Value { return hdl.Const(a.Reply.Width(), uint64(r)) }
	refused := m.Let("is_acknowledged_in_vain", hdl.AllOf(lost, a.Reply.Eq(reply(spec.Ack)), tag.Push))
	return &Answer{CID: a.CID, RSN: a.RSN, Reply: m.Let("reply_to_packet", hdl.Mux(refused, reply(spec.NRE), a.Reply)),
		Code: hdl.Mux(refused, hdl.Const(a.Code.Width(), uint64(spec.OperationError)), a.Code), Timeout: a.Timeout}
}

// opcodeIs declares a signal that is 1 for the packet types that satisfy want.
func opcodeIs(m *hdl.Module, name string, opcode hdl.Value, want func(row *spec.Operation) bool) hdl.Value {
	var any []hdl.Value
	for _, row := range rows() {
		if want(row) {
			any = append(any, opcode.Eq(hdl.Const(spec.OpcodeBits, uint64(row.Opcode))))
		}
	}
	return m.Let(name, hdl.AnyOf(any...))
}
