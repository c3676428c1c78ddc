package block

import "github.com/rnicgen/rnicgen/hdl"

// Skid is a buffer of two beats in registers in front of a stream, with one cycle of latency and one beat per cycle. Whether it has
// room, and what it offers, comes from registers alone.
type Skid[T any] struct {
	Room    hdl.Value // a beat may enter
	m       *hdl.Module
	to      hdl.Source[T]
	out     hdl.RegOf[T]
	kept    hdl.RegOf[T]
	room    hdl.Reg
	valid   hdl.Reg
	keeping hdl.Reg
	name    string
}

// NewSkid declares the buffer in front of to. Its registers are name + "_..._q" and name + "_kept_..._q".
func NewSkid[T any](m *hdl.Module, name string, proto T, to hdl.Source[T]) Skid[T] {
	s := Skid[T]{m: m, to: to, name: name,
		out: hdl.NewRegOf(m, name, proto, hdl.NoReset), valid: m.Reg(name+"_valid_q", 1, hdl.ResetTo(0)),
		kept: hdl.NewRegOf(m, name+"_kept", proto, hdl.NoReset), keeping: m.Reg(name+"_keeps_q", 1, hdl.ResetTo(0))}
	s.room = m.Reg(name+"_room_q", 1, hdl.ResetTo(1))
	s.Room = s.room.Value
	return s
}

// First is the beat that is on offer in the next cycle, if any, when the one on offer leaves or none is; data enters.
func (s Skid[T]) First(data T) T {
	return hdl.Unpack(data, s.first(data))
}

func (s Skid[T]) first(data T) hdl.Value {
	return hdl.Mux(s.keeping.Value, hdl.Pack(s.kept.Q), hdl.Pack(data))
}

// Drive lets data enter if enters is 1, which it may only be with Room. The result is 1 if there is no room in the next cycle.
func (s Skid[T]) Drive(enters hdl.Value, data T) (full hdl.Value) {
	return s.drive(enters, data, s.first(data))
}

// DriveMasked is [Skid.Drive] for data that are 0 without Room: the end of an AND-OR, which the kept beat joins.
func (s Skid[T]) DriveMasked(enters hdl.Value, data T) {
	kept := hdl.Pack(s.kept.Q)
	s.drive(enters, data, hdl.Pack(data).Or(kept.And(s.keeping.Replicate(kept.Width()))))
}

func (s Skid[T]) drive(enters hdl.Value, data T, first hdl.Value) (full hdl.Value) {
	m := s.m
	free := m.Let(s.name+"_free", s.valid.Not().Or(s.to.Ready))
	next := m.Let(s.name+"_next", first)
	keeps := m.Let(s.name+"_keeps", s.keeping.Or(enters).And(free.Not()))
	m.Note("A beat that enters is kept when the one on offer stays. Whether there is room is in a register with few readers.")
	m.OnClock(
		hdl.If(free, s.valid.Set(s.keeping.Or(enters)), s.out.Set(hdl.Unpack(data, next))),
		hdl.If(s.keeping.Not(), s.kept.Set(data)),
		s.keeping.Set(keeps), s.room.Set(keeps.Not()))
	s.to.Drive(m, s.valid.Value, s.out.Q)
	return keeps
}

// Between puts a [Skid] between two streams.
func Between[T any](m *hdl.Module, name string, in hdl.Sink[T], out hdl.Source[T]) {
	s := NewSkid(m, name, in.Data, out)
	in.Accept(m, s.Room)
	s.Drive(in.Valid.And(s.Room), in.Data)
}
