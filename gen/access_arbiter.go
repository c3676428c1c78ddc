package gen

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// AccessArbiterPorts joins the accesses of the streams and of the host.
type AccessArbiterPorts struct {
	Atomic hdl.Sink[AtomicAccess]
	Host   hdl.Sink[HostAccess]
	Access hdl.Source[AtomicAccess]
}

const accessArbiterDoc = `access_arbiter lets the streams' atomics and the host's accesses take turns when both wait; neither waits
for an idle other. It is combinational but for whose turn it is.`

// AccessArbiter is fair: a waiting side is passed over at most once.
func AccessArbiter(streams, words int) hdl.Block[AccessArbiterPorts] {
	return hdl.Block[AccessArbiterPorts]{
		Name: fmt.Sprintf("access_arbiter_%d_%d", words, streams),
		Doc:  accessArbiterDoc,
		Ports: AccessArbiterPorts{Atomic: hdl.NewSink(atomicAccess(streams, words)), Host: hdl.NewSink(hostAccess(words)),
			Access: hdl.NewSource(atomicAccess(streams, words))},
		Build: func(m *hdl.Module, p AccessArbiterPorts) {
			turn := m.Reg("host_turn_q", 1, hdl.ResetTo(0))
			waiting := m.Reg("waiting_q", 1, hdl.ResetTo(0))
			chosen := m.Reg("chosen_q", 1, hdl.NoReset)
			m.Note("A side that was offered and not taken stays chosen, so that the offer does not change.")
			choice := m.Let("choice", p.Host.Valid.And(turn.Or(p.Atomic.Valid.Not())))
			host := m.Let("host", hdl.Mux(waiting.Value, chosen.Value, choice))
			valid := m.Let("valid", p.Atomic.Valid.Or(p.Host.Valid))
			m.OnClock(
				waiting.Set(valid.And(p.Access.Ready.Not())),
				chosen.Set(host),
				hdl.If(valid.And(p.Access.Ready), turn.Set(host.Not())))
			p.Atomic.Accept(m, p.Access.Ready.And(host.Not()))
			p.Host.Accept(m, p.Access.Ready.And(host))
			a, h := p.Atomic.Data, p.Host.Data
			m.Unused(a.Tag.Host)
			pick := func(fromHost, fromAtomic hdl.Value) hdl.Value { return hdl.Mux(host, fromHost, fromAtomic) }
			// What a host access does not have is 0, so that its offer does not change with what the streams bring.
			atomicOnly := func(v hdl.Value) hdl.Value { return pick(hdl.Zero(v.Width()), v) }
			p.Access.Drive(m, valid, AtomicAccess{
				Tag: AccessTag{Host: host, Stream: atomicOnly(a.Tag.Stream), Msn: atomicOnly(a.Tag.Msn),
					Identifier: atomicOnly(a.Tag.Identifier), Index: pick(h.Index, a.Tag.Index)},
				Operands: AtomicOperands{
					Opcode: pick(h.Write.ZeroExtend(4), a.Operands.Opcode), Data: pick(h.Data, a.Operands.Data),
					Mask: atomicOnly(a.Operands.Mask), Compare: atomicOnly(a.Operands.Compare), CompareMask: atomicOnly(a.Operands.CompareMask)},
			})
		},
	}
}
