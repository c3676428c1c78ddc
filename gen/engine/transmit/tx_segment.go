package transmit

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxSegment is a TxCommand without the address of its payload.
type TxSegment struct {
	Stream       hdl.Value `doc:"number of the stream"`
	Kind         hdl.Value `doc:"as in the command"`
	Final        hdl.Value `doc:"last segment of its message"`
	Number       hdl.Value `doc:"number of the answered request"`
	HeaderLength hdl.Value `doc:"octets of the header"`
	Header       hdl.Value `doc:"octet i in [8i+7:8i]; 0 from header_length on"`
	Carries      hdl.Value `doc:"payload follows the header"`
	Beats        hdl.Value `doc:"beats of header and payload"`
	Short        hdl.Value `doc:"one beat at most"`
	Ends         hdl.Value `doc:"octets of the last beat; 0: all"`
	Tag          any       `hdl:"-"` // what goes with it beside its octets; nil for none
}

func txSegment(config engine.Config) TxSegment {
	return segmentOf(engine.TxCommandOf(config), hdl.Bits(1), hdl.Bits(1))
}

// segmentOf is the segment of a command, which carries payload or not, and has one beat at most or more.
func segmentOf(c engine.TxCommand, carries, short hdl.Value) TxSegment {
	return TxSegment{Stream: c.Stream, Kind: c.Kind, Final: c.Final, Number: c.Number, HeaderLength: c.HeaderLength, Header: c.Header,
		Carries: carries, Beats: c.Beats, Short: short, Ends: c.Ends, Tag: c.Tag}
}

// TxOctets is one beat of payload, its octets at their place in the segment, all others zero.
type TxOctets struct {
	Data hdl.Value `doc:"octets at their place in the segment, others 0"`
}

func txOctets(busBytes int) TxOctets { return TxOctets{Data: hdl.Bits(8 * busBytes)} }

// TxArrived reports that all payload of one segment has arrived; with Failed, that memory reported an error for it.
type TxArrived struct {
	Failed hdl.Value `doc:"1: memory reported an error for the payload"`
}

func txArrived() TxArrived { return TxArrived{Failed: hdl.Bits(1)} }

// segmentFlow is the segment that is sent and the next one.
type segmentFlow struct {
	valid, idle hdl.Reg   // a segment is sent, or none is
	free, comes hdl.Value // the next one may be taken; it is there
	waits       hdl.Reg
	waiting     hdl.RegOf[TxSegment]
	in          hdl.Sink[TxSegment]
	straight    TxSegment
}

// followSegments accepts segments while may is 1; done is 1 in the last cycle of one.
func followSegments(m *hdl.Module, in, straight hdl.Sink[TxSegment], done, may hdl.Value) segmentFlow {
	f := segmentFlow{in: in, straight: straight.Data, valid: m.Reg("valid_q", 1, hdl.ResetTo(0)), idle: m.Reg("idle_q", 1, hdl.ResetTo(1))}
	f.free = m.Let("free", f.idle.Or(done))
	f.waiting = hdl.NewRegOf(m, "waiting", in.Data, hdl.NoReset)
	f.waits = m.Reg("waits_q", 1, hdl.ResetTo(0))
	room := m.Reg("room_q", 1, hdl.ResetTo(0))
	m.Note("Nothing waits when nothing is sent.")
	passes := m.Let("may_pass", room.And(f.idle.Value))
	straight.Accept(m, passes)
	f.comes = m.Let("comes", hdl.AnyOf(f.waits.Value, in.Valid.And(room.Value), straight.Valid.And(passes)))
	stays := m.Let("stays", f.comes.And(f.free.Not()))
	in.Accept(m, room.Value)
	m.OnClock(
		hdl.If(f.waits.Not(), f.waiting.Set(in.Data)),
		f.waits.Set(stays), room.Set(may.And(stays.Not())))
	return f
}

// take is the next segment.
func (f segmentFlow) take(m *hdl.Module, c engine.Config) TxSegment {
	return hdl.Unpack(txSegment(c), m.Let("taken_segment",
		hdl.Select(hdl.Pack(f.straight), hdl.When{Cond: f.waits.Value, Then: hdl.Pack(f.waiting.Q)}, hdl.When{Cond: f.in.Valid, Then: hdl.Pack(f.in.Data)})))
}
