package block

import "github.com/rnicgen/rnicgen/hdl"

// PacketPayload is the register in front of a stream of payload. It is loaded when the held beat leaves, if that has payload.
type PacketPayload[T framed, P any] struct {
	held  HeldBeat[T]
	to    hdl.Source[P]
	beat  hdl.RegOf[P]
	valid hdl.Reg
	emit  hdl.Reg
	free  hdl.Value
}

// NewPacketPayload declares the register.
func NewPacketPayload[T framed, P any](held HeldBeat[T], to hdl.Source[P], proto P) *PacketPayload[T, P] {
	p := &PacketPayload[T, P]{held: held, to: to, beat: hdl.NewRegOf(held.m, "payload", proto, hdl.NoReset),
		valid: held.m.Reg("payload_valid_q", 1, hdl.ResetTo(0))}
	p.free = held.m.Let("payload_free", p.valid.Not().Or(to.Ready))
	return p
}

// Emits says whether the beat that is taken has an octet of payload.
func (p *PacketPayload[T, P]) Emits(has hdl.Value) {
	m := p.held.m
	m.Note("Whether the held beat has an octet of payload is known when it is taken.")
	p.emit = m.Reg("emit_q", 1, hdl.NoReset)
	m.OnClock(hdl.If(p.held.Take, p.emit.Set(has)))
}

// Ends is 1 if the payload of the held beat is the last of its packet; more is 1 if the next beat has octets beyond those that leave with it.
func (p *PacketPayload[T, P]) Ends(more hdl.Value) hdl.Value {
	return p.held.m.Let("ends", p.held.isLast().Or(p.held.next.Data.frame().Last.And(more.Not())))
}

// Drive drives the stream with the payload of the held beat, which leaves once recordReady is 1 if it is the last of its packet.
// It returns when the record of the packet is on offer.
func (p *PacketPayload[T, P]) Drive(data P, recordReady hdl.Value) (recordValid hdl.Value) {
	m, goes, isLast := p.held.m, p.emit.Not().Or(p.free), p.held.isLast()
	leaves := p.held.leave(goes.And(isLast.Not().Or(recordReady)))
	m.OnClock(
		hdl.If(leaves.And(p.emit.Value), p.valid.Set(hdl.Ones(1)), p.beat.Set(data)).
			ElseIf(p.to.Ready, p.valid.Set(hdl.Zero(1))),
	)
	p.to.Drive(m, p.valid.Value, p.beat.Q)
	return hdl.AllOf(p.held.valid.Value, isLast, goes)
}
