package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/hdl"
)

// Element is an element of a Send or Write that several have.
type Element struct {
	Stream  hdl.Value `doc:"number of the QP"`
	Place   hdl.Value `doc:"in the ring of the QP"`
	Address hdl.Value `doc:"of its first octet in memory"`
	Length  hdl.Value `doc:"octets, 32 bits"`
}

// ListedElement tells of an element of a message before the first packet of that leaves; those of pushes count.
type ListedElement struct {
	Valid   hdl.Out
	Stream  hdl.Out `doc:"number of the QP"`
	Place   hdl.Out `doc:"in the ring of the QP"`
	Address hdl.Out `doc:"of its first octet in memory"`
	Length  hdl.Out `doc:"octets, 32 bits"`
}

func listedElementOf(c engine.Config) ListedElement {
	out := func(v hdl.Value) hdl.Out { return hdl.NewOut(v.Width()) }
	e := ElementOf(c)
	return ListedElement{hdl.NewOut(1), out(e.Stream), out(e.Place), out(e.Address), out(e.Length)}
}

// ListElement is a [ListedElement] at the other end.
type ListElement struct {
	Valid   hdl.In
	Stream  hdl.In `doc:"number of the QP"`
	Place   hdl.In `doc:"in the ring of the QP"`
	Address hdl.In `doc:"of its first octet in memory"`
	Length  hdl.In `doc:"octets, 32 bits"`
}

func listElementOf(c engine.Config) ListElement {
	in := func(v hdl.Value) hdl.In { return hdl.NewIn(v.Width()) }
	e := ElementOf(c)
	return ListElement{hdl.NewIn(1), in(e.Stream), in(e.Place), in(e.Address), in(e.Length)}
}

// ListWires carry elements from where they are known to where packets are gathered.
func ListWires(m *hdl.Module, c engine.Config) (from ListedElement, to ListElement) {
	e := ElementOf(c)
	valid, stream, place, address, length := m.Wire("listed", 1), m.Wire("listed_stream", e.Stream.Width()), m.Wire("listed_place", e.Place.Width()), m.Wire("listed_address", 64), m.Wire("listed_length", 32)
	return ListedElement{valid.Out(), stream.Out(), place.Out(), address.Out(), length.Out()}, ListElement{valid.In(), stream.In(), place.In(), address.In(), length.In()}
}

// ElementOf is the prototype.
func ElementOf(c engine.Config) Element {
	return Element{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Place: hdl.Bits(block.IndexWidth(c.SendDepth)), Address: hdl.Bits(64), Length: hdl.Bits(32)}
}

// GatherPorts are packets in, the pieces of their payload out.
type GatherPorts struct {
	Listed  ListElement
	Command hdl.Sink[engine.TxCommand]
	Piece   hdl.Source[engine.TxCommand]
}

const gatherDoc = `falcon_gather finds the octets of packets whose payload is that of several elements. A packet is one command if it has none
of these, or else one for each element of which it has octets. The packets of a message arrive in order, and each continues
where the one before it has ended.

A command without a list passes in one cycle, one per cycle. A packet with a list takes four cycles, the first one of a message three, and one for each
element, also for one without octets.`

// Gather keeps the elements of each QP, and where its next packet begins.
func Gather(c engine.Config) hdl.Block[GatherPorts] {
	return hdl.Block[GatherPorts]{
		Kind: "falcon_gather", Params: c.Params("bus_bytes", "streams", "send_depth", "max_payload"), Doc: gatherDoc,
		Ports: GatherPorts{Listed: listElementOf(c), Command: hdl.NewSink(engine.TxCommandOf(c)),
			Piece: hdl.NewSource(transmit.PieceCommandOf(c))},
		Build: func(m *hdl.Module, p GatherPorts) { buildGather(m, p, c) },
	}
}

// gatherPosition is where a packet begins.
type gatherPosition struct {
	Place  hdl.Value // of an element
	Offset hdl.Value // in it
}

// extent is an element in memory.
type extent struct{ Address, Length hdl.Value }

// Steps of a packet with a list: a bit each.
const (
	gatherIdle    = iota // where the packet before it ended is looked up
	gatherFind           // so is the element in which it did; not for the first packet of a message
	gatherRest           // what is left of that; the next element is looked up
	gatherMeasure        // the piece of it
	gatherPiece          // pieces leave, up to the one with which the packet ends

	gatherSteps = iota
)

func buildGather(m *hdl.Module, p GatherPorts, c engine.Config) {
	l := p.Listed
	element := Element{l.Stream.Value, l.Place.Value, l.Address.Value, l.Length.Value}
	elements := m.Memory("elements", hdl.PackedWidth(extent{element.Address, element.Length}), c.Streams*c.SendDepth)
	elements.Write(l.Valid.Value, hdl.Cat(element.Stream, element.Place), hdl.Pack(extent{element.Address, element.Length}))
	out := block.NewSkid(m, "piece", transmit.PieceCommandOf(c), p.Piece)

	m.Section("The packet, and how far it is")
	in, place := p.Command.Data, element.Place.Width()
	sent := in.Tag.(*Sent)
	m.Unused("the ring has fewer places", sent.Element.Slice(elementBits-1, place))
	step := m.Reg("step_q", gatherSteps, hdl.ResetTo(1<<gatherIdle))
	to := func(n int) hdl.Stmt { return step.Set(hdl.Const(gatherSteps, 1<<n)) }
	is := func(name string, n int) hdl.Value { return m.Let(name, step.Bit(n)) }
	idle, finds, rests, measures, sends := is("is_idle", gatherIdle), is("finds", gatherFind), is("looks_at_rest", gatherRest), is("measures", gatherMeasure), is("sends", gatherPiece)
	lists := m.Let("has_list", p.Command.Valid.And(sent.List))
	proto := gatherPosition{element.Place, element.Length}
	positions := m.Memory("positions", hdl.PackedWidth(proto), c.Streams)
	begins := m.Let("looks_up", idle.And(lists))
	before := hdl.Unpack(proto, positions.Read("position_q", begins, in.Stream, hdl.ReadOld))
	at := m.Reg("place_q", place, hdl.NoReset)
	offset := m.Reg("offset_q", 32, hdl.NoReset)
	first := sent.Element.Truncate(place)

	m.Section("What is left of the packet, and of the element; the next element is read")
	width := engine.SegmentOctetsBits(c)
	left, rest, address := m.Reg("packet_left_q", width, hdl.NoReset), m.Reg("element_left_q", 32, hdl.NoReset), m.Reg("address_q", 64, hdl.NoReset)
	goesOn, ending, octets := m.Reg("goes_on_q", 1, hdl.ResetTo(0)), m.Reg("ending_q", 1, hdl.ResetTo(0)), m.Reg("piece_octets_q", width, hdl.NoReset)
	passes, ends := m.Let("next_element", goesOn.And(out.Room)), m.Let("packet_ends", ending.And(out.Room))
	next := m.Let("next_place", at.Plus(1))
	read := hdl.LetOf(m, "next", hdl.Unpack(extent{element.Address, element.Length}, elements.Read("element_q", hdl.AnyOf(begins, finds, rests, passes),
		hdl.Cat(in.Stream, m.Let("read_place", hdl.Select(at.Plus(2&(1<<place-1)), hdl.When{Cond: idle, Then: first}, hdl.When{Cond: finds, Then: before.Place}, hdl.When{Cond: rests, Then: next}))), hdl.ReadOld)))
	after := m.Let("packet_left_after", left.Sub(octets.Value))
	measure := func(name string, left, rest hdl.Value) hdl.Stmts {
		enough := m.Let(name+"_is_enough", rest.Slice(31, width).Any().Or(left.Le(rest.Truncate(width))))
		return hdl.Stmts{goesOn.Set(enough.Not()), ending.Set(enough), octets.Set(hdl.Mux(enough, left, rest.Truncate(width)))}
	}
	m.OnClock(
		hdl.If(begins, hdl.If(sent.First, to(gatherRest)).Else(to(gatherFind)), at.Set(first), offset.Set(hdl.Zero(32)), left.Set(in.PayloadLength.Truncate(width))),
		hdl.If(finds, to(gatherRest), at.Set(before.Place), offset.Set(before.Offset)),
		hdl.If(rests, to(gatherMeasure), rest.Set(read.Length.Sub(offset.Value)), address.Set(read.Address.Add(offset.ZeroExtend(64)))),
		hdl.If(measures, to(gatherPiece), measure("first", left.Value, rest.Value)),
		hdl.If(passes, at.Set(next), offset.Set(hdl.Zero(32)), left.Set(after), address.Set(read.Address), measure("next", after, read.Length)),
		hdl.If(ends, to(gatherIdle), ending.Set(hdl.Zero(1))))
	positions.Write(ends, in.Stream, hdl.Pack(gatherPosition{at.Value, offset.Add(octets.ZeroExtend(32))}))

	m.Section("A command for each piece; the first one is that of the packet")
	further, lead := m.Reg("is_further_q", 1, hdl.NoReset), m.Reg("lead_q", block.IndexWidth(c.BusBytes), hdl.NoReset)
	some := m.Let("has_octets", octets.Any())
	leadNow := m.Let("lead", hdl.Mux(further.Value, lead.Value, transmit.Lead(in.HeaderLength, lead.Width())))
	tells := m.Let("tells_piece", hdl.AllOf(sends, out.Room, some))
	m.OnClock(hdl.If(rests, further.Set(hdl.Zero(1))), hdl.If(tells, further.Set(hdl.Ones(1)), lead.Set(leadNow.Add(low(octets.Value, lead.Width())))))
	straight := m.Let("passes_straight", hdl.AllOf(idle, p.Command.Valid, sent.List.Not(), out.Room))
	p.Command.Accept(m, m.Let("accepts", hdl.Mux(sends, ending.Value, idle.And(lists.Not())).And(out.Room)))
	command := in
	command.Address = m.Let("gathered_address", hdl.Mux(sends, address.Value, in.Address))
	command.Piece = &transmit.Piece{Octets: m.Let("octets", hdl.Mux(sends, octets.ZeroExtend(16), in.PayloadLength)), Lead: hdl.Mux(sends, leadNow, transmit.Lead(in.HeaderLength, lead.Width())),
		Further: sends.And(further.Value), More: sends.And(ending.Not())}
	out.Drive(tells.Or(straight), command)
}
