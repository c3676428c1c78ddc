package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// RNICRetire reports effects of the engine, each kind in order, in cycles in which its Valid is 1. It cannot be stalled. The ordering
// rules of RFC 5040 section 5.5 and RFC 7306 section 7 are stated in terms of these steps.
type RNICRetire struct {
	Arrived   RetireArrived
	Placed    *memory.PlacementRetire
	Delivered RetireDelivered
	Read      RetireRead
	Atomic    *engine.AtomicRetire
	FarAtomic *engine.AtomicRetire // nil if no memory is far
	Sent      RetireSent
	Placing   *memory.PlacementBegins // nil if no memory is far, nor FarPlaced
	FarPlaced *memory.PlacementRetire
}

// RetireArrived is a segment accepted by the receive side, even one that it will find invalid or discard.
type RetireArrived struct {
	Valid   hdl.Out `doc:"a segment is accepted"`
	Stream  hdl.Out `doc:"number of the RDMAP Stream"`
	Opcode  hdl.Out `doc:"RDMAP opcode"`
	Last    hdl.Out `doc:"last segment of its message"`
	Payload hdl.Out `doc:"it has payload"`
}

// RetireDelivered is an effect of a segment, once all earlier payload of its stream is in memory.
type RetireDelivered struct {
	Valid  hdl.Out `doc:"a message takes effect"`
	Stream hdl.Out `doc:"number of the RDMAP Stream"`
	Kind   hdl.Out `doc:"0 receive complete, 1 response complete, 2 request accepted, 3 stream ended, 4 stream ended by the peer, 5 RDMA Write complete that requests waited for"`
	Rule   hdl.Out `doc:"for kind 3: number of the rule that a segment broke (headers.md), 0 if no segment is the cause"`
}

// RetireRead is an RDMA Read that starts.
type RetireRead struct {
	Valid  hdl.Out `doc:"an RDMA Read starts"`
	Stream hdl.Out `doc:"number of the RDMAP Stream"`
}

// RetireSent is a segment that was sent, or dropped because its stream has ended.
type RetireSent struct {
	Valid   hdl.Out `doc:"a segment was sent or dropped"`
	Stream  hdl.Out `doc:"number of the RDMAP Stream"`
	Kind    hdl.Out `doc:"0 Terminate, 1 nothing: the end of a stream, 2 message of the requester, 3 Read Response, 4 Atomic Response; other responses follow in the order of the opcodes of their requests"`
	Final   hdl.Out `doc:"last segment of its message"`
	Dropped hdl.Out `doc:"it was dropped"`
}

func rnicRetire(c engine.Config) *RNICRetire {
	streams := c.Streams
	one, stream := hdl.NewOut(1), hdl.NewOut(block.IndexWidth(streams))
	r := &RNICRetire{
		Arrived:   RetireArrived{Valid: one, Stream: stream, Opcode: hdl.NewOut(c.Profile.OpcodeBits()), Last: one, Payload: one},
		Placed:    memory.PlacementRetireOf(streams),
		Delivered: RetireDelivered{Valid: one, Stream: stream, Kind: hdl.NewOut(3), Rule: hdl.NewOut(spec.RuleBits)},
		Read:      RetireRead{Valid: one, Stream: stream},
		Atomic:    engine.AtomicRetireOf(streams),
		Sent:      RetireSent{Valid: one, Stream: stream, Kind: hdl.NewOut(c.Kinds().SendBits()), Final: one, Dropped: one},
	}
	if c.HasFar() {
		r.FarAtomic, r.Placing, r.FarPlaced = engine.AtomicRetireOf(streams), memory.PlacementBeginsOf(streams), memory.PlacementRetireOf(streams)
	}
	return r
}

// drive reports what arrives, from registers if so many kinds of segments are told apart that its payload is known late.
func (r RetireArrived) drive(m *hdl.Module, valid, stream, opcode, last, payload hdl.Value, c engine.Config) {
	if engine.Stops(c) {
		reg := func(name string, v hdl.Value, reset hdl.Resetting) hdl.Value {
			q := m.Reg("arrived_"+name+"_q", v.Width(), reset)
			m.OnClock(q.Set(v))
			return q.Value
		}
		valid, stream, opcode = reg("valid", valid, hdl.ResetTo(0)), reg("stream", stream, hdl.NoReset), reg("opcode", opcode, hdl.NoReset)
		last, payload = reg("last", last, hdl.NoReset), reg("payload", payload, hdl.NoReset)
	}
	m.Drive(r.Valid, valid)
	m.Drive(r.Stream, stream)
	m.Drive(r.Opcode, opcode)
	m.Drive(r.Last, last)
	m.Drive(r.Payload, payload)
}

func (r RetireDelivered) drive(m *hdl.Module, valid, stream, kind, rule hdl.Value) {
	m.Drive(r.Valid, valid)
	m.Drive(r.Stream, stream)
	m.Drive(r.Kind, kind)
	m.Drive(r.Rule, rule)
}

func (r RetireRead) drive(m *hdl.Module, valid, stream hdl.Value) {
	m.Drive(r.Valid, valid)
	m.Drive(r.Stream, stream)
}

func (r RetireSent) drive(m *hdl.Module, valid, stream, kind, final, dropped hdl.Value) {
	m.Drive(r.Valid, valid)
	m.Drive(r.Stream, stream)
	m.Drive(r.Kind, kind)
	m.Drive(r.Final, final)
	m.Drive(r.Dropped, dropped)
}

// passes is 1 in a cycle in which an internal stream transfers a beat.
func passes[T any](s hdl.Stream[T]) hdl.Value { return s.Sink().Valid.And(s.Source().Ready) }
