package block

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// LengthBits is the width of the length of a packet: at most 65,535 octets.
const LengthBits = 16

// PacketHeader is what has arrived of a packet up to its held beat.
type PacketHeader struct {
	Octets hdl.Value // the first octets, octet i in [8i+7:8i]
	Length hdl.Value // octets
	Place  hdl.Value // index of the next beat among those of the header; their number after them
	Next   hdl.Value // that of the beat after it
}

// Collect holds the beats that are taken, and keeps the first octets of their packet. Those of beats that have not arrived are of an earlier
// packet.
func (h HeldBeat[T]) Collect(taken T, octets int) PacketHeader {
	return h.collect(taken, octets, false)
}

// CollectCleared is Collect, with zero for the octets of beats that have not arrived: the first beat clears them.
func (h HeldBeat[T]) CollectCleared(taken T, octets int) PacketHeader {
	return h.collect(taken, octets, true)
}

func (h HeldBeat[T]) collect(taken T, octets int, clears bool) (p PacketHeader) {
	m, beat := h.m, taken.frame()
	busBytes := beat.Keep.Width()
	kept := KeptOctets(m, beat.Keep)
	length := m.Reg("length_q", LengthBits, hdl.NoReset)
	slots := (octets + busBytes - 1) / busBytes
	position := m.Reg("position_q", IndexWidth(slots+1), hdl.NoReset)
	m.Note("Index of the next beat among those of the header; stays at %d after the header.", slots)
	p.Place = m.Let("place", hdl.Mux(h.First, hdl.Zero(position.Width()), position.Value))
	p.Next = m.Let("next_place", hdl.Mux(p.Place.Is(uint64(slots)), p.Place, p.Place.Plus(1)))
	h.load(taken,
		length.Set(hdl.Mux(h.First, hdl.Zero(LengthBits), length.Value).Add(kept.ZeroExtend(LengthBits))),
		position.Set(p.Next))
	p.Length = length.Value

	var stmts hdl.Stmts
	var parts []hdl.Value // most significant first
	for i := range slots {
		bits := 8 * min(busBytes, octets-i*busBytes)
		slot := m.Reg(fmt.Sprintf("header_%d_q", i), bits, hdl.NoReset)
		parts = append([]hdl.Value{slot.Value}, parts...)
		begins, comes, set := h.Take.And(h.First), h.Take.And(p.Place.Is(uint64(i))), slot.Set(beat.Data.Truncate(bits))
		switch {
		case i == 0:
			stmts = append(stmts, hdl.If(begins, set))
		case clears:
			stmts = append(stmts, hdl.If(begins, slot.Set(hdl.Zero(bits))).ElseIf(comes, set))
		default:
			stmts = append(stmts, hdl.If(comes, set))
		}
	}
	m.OnClock(stmts)
	p.Octets = m.Let("header_octets", hdl.Cat(parts...))
	return p
}
