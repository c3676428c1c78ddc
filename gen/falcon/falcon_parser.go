package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// ParserPorts are a stream of packets in, streams of records and payload out.
type ParserPorts struct {
	Rx      hdl.Sink[Beat]     `hdl:"s_axis_rx"`
	Record  hdl.Source[Record] `hdl:"m_record"`
	Payload hdl.Source[Octets] `hdl:"m_axis_payload"`
}

const parserDoc = `falcon_parser takes RDMA packets apart (RDMA over Falcon 8). It produces one record per packet, in order, with the fields
of all headers, and for each packet with payload one packet with the octets after the headers, moved to octet 0,
without pad.

It accepts a beat per cycle as long as both outputs are accepted, for any sequence of packet types and lengths. A
record is on offer in the cycle after the last beat of its packet, the last payload one cycle after the record is
accepted; other payload leaves earlier, so a consumer that waits for the record must buffer the payload.`

// lengthBits is the width of the length of a packet: at most 65,535 octets.
const lengthBits = 16

// Parser is for buses of 8, 16, 32, 64 or 128 octets.
func Parser(order spec.BitOrder, busBytes, connections int) hdl.Block[ParserPorts] {
	b := hdl.Block[ParserPorts]{
		Kind: "falcon_parser", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}, {Name: "connections", Value: connections}},
		Doc: parserDoc,
		Ports: ParserPorts{
			Rx:      hdl.NewSink(BeatOf(busBytes, connections)),
			Record:  hdl.NewSource(RecordOf(connections)),
			Payload: hdl.NewSource(OctetsOf(busBytes)),
		},
		Build: func(m *hdl.Module, ports ParserPorts) { buildParser(m, ports, order, busBytes, connections) },
	}
	if order != spec.Drawn {
		b.Options = []string{order.String()}
	}
	return b
}

func buildParser(m *hdl.Module, p ParserPorts, order spec.BitOrder, busBytes, connections int) {
	m.Section("One beat is held until the next beat of its packet arrives; the last one is not held back")
	held := hdl.NewRegOf(m, "held", BeatOf(busBytes, connections), hdl.NoReset)
	valid := m.Reg("held_valid_q", 1, hdl.ResetTo(0))
	first := m.Reg("first_q", 1, hdl.ResetTo(1))
	inside := m.Reg("more_follows_q", 1, hdl.NoReset)
	release := m.Wire("release_held", 1)
	goes := m.Wire("held_may_go", 1)
	ready := m.Let("rx_ready", valid.Not().Or(goes.Value))
	take := m.Let("take", p.Rx.Valid.And(ready))
	p.Rx.Accept(m, ready)
	taken := p.Rx.Data

	m.Section("Header octets and length of the packet up to the held beat")
	kept := block.KeptOctets(m, taken.Keep)
	length := m.Reg("length_q", lengthBits, hdl.NoReset)
	slots := (HeaderOctets + busBytes - 1) / busBytes
	position := m.Reg("position_q", block.IndexWidth(slots+1), hdl.NoReset)
	m.Note("Index of the next beat among those of the headers; stays at %d after them.", slots)
	index := m.Let("index", hdl.Mux(first.Value, hdl.Zero(position.Width()), position.Value))
	next := m.Let("next_index", hdl.Mux(index.Is(uint64(slots)), index, index.Plus(1)))
	m.OnClock(
		hdl.If(take,
			valid.Set(hdl.Ones(1)),
			held.Set(taken),
			first.Set(taken.Last), inside.Set(taken.Last.Not()),
			length.Set(hdl.Mux(first.Value, hdl.Zero(lengthBits), length.Value).Add(kept.ZeroExtend(lengthBits))),
			position.Set(next),
		).ElseIf(release.Value, valid.Set(hdl.Zero(1))),
	)
	head := collect(m, take, index, taken.Data, slots, busBytes)

	m.Section("The first word of a packet decides how long its headers are, and whether payload follows")
	starts := newStarts(m, order, taken, take, first.Value)
	start, places, offsets := starts.stored, starts.places(), newOffsets(starts, busBytes)
	carries := m.Let("carries", hdl.Mux(first.Value, starts.now.Carries, start.Carries))
	remains := m.Let("remains", offsets.remains(offsets.now, taken.Keep))
	more := m.Let("more", offsets.remains(offsets.stored, taken.Keep))

	m.Section("Payload: the rest of the held beat and the start of the next one")
	payload := hdl.NewRegOf(m, "payload", OctetsOf(busBytes), hdl.NoReset)
	payloadValid := m.Reg("payload_valid_q", 1, hdl.ResetTo(0))
	payloadFree := m.Let("payload_free", payloadValid.Not().Or(p.Payload.Ready))
	m.Note("Whether the held beat has an octet after the headers is known when it is taken.")
	emit := m.Reg("emit_q", 1, hdl.NoReset)
	if busBytes < 4<<wordBits {
		remains = remains.And(starts.reached(next, busBytes))
	}
	m.OnClock(hdl.If(take, emit.Set(carries.And(remains))))
	out := offsets.realign(m, held.Q, inside.Value, taken, start.Pad)
	out.Last = m.Let("ends", held.Q.Last.Or(taken.Last.And(more.Not())))

	m.Section("Record")
	m.Note("The held beat leaves when the next one has arrived or it is the last, and its outputs are free.")
	complete := m.Let("complete", held.Q.Last.Or(p.Rx.Valid))
	m.Drive(goes.Out(), hdl.AllOf(emit.Not().Or(payloadFree), held.Q.Last.Not().Or(p.Record.Ready)))
	m.Drive(release.Out(), hdl.AllOf(valid.Value, complete, goes.Value))
	m.OnClock(
		hdl.If(release.Value.And(emit.Value), payloadValid.Set(hdl.Ones(1)), payload.Set(out)).
			ElseIf(p.Payload.Ready, payloadValid.Set(hdl.Zero(1))),
	)
	p.Payload.Drive(m, payloadValid.Value, payload.Q)
	checks, some, octets := verdict(m, start, length.Value)
	p.Record.Drive(m, hdl.AllOf(valid.Value, held.Q.Last, emit.Not().Or(payloadFree)), Record{
		Transaction: Transaction{Type: held.Q.Type, RSN: held.Q.RSN, CID: held.Q.CID},
		Checks:      checks, HasPayload: some, PayloadLength: octets, Header: fields{m: m, order: order, octets: head, at: places}.record(start.XRCETH),
	})
}

// collect stores the beats of the headers side by side. Octets that do not arrive are those of an earlier packet.
func collect(m *hdl.Module, take, index, data hdl.Value, slots, busBytes int) hdl.Value {
	var stmts hdl.Stmts
	var parts []hdl.Value // most significant first
	for i := range slots {
		bits := 8 * min(busBytes, HeaderOctets-i*busBytes)
		slot := m.Reg(fmt.Sprintf("header_%d_q", i), bits, hdl.NoReset)
		parts = append([]hdl.Value{slot.Value}, parts...)
		stmts = append(stmts, hdl.If(take.And(index.Is(uint64(i))), slot.Set(data.Truncate(bits))))
	}
	m.OnClock(stmts)
	return m.Let("header_octets", hdl.Cat(parts...))
}

// verdict checks the whole packet; some is 1 if it has payload, and octets is the length of that.
func verdict(m *hdl.Module, s start, length hdl.Value) (c Checks, some, octets hdl.Value) {
	rbth := hdl.Const(lengthBits, uint64(spec.RBTH.Octets()))
	headers := m.Let("headers", hdl.Cat(hdl.Zero(lengthBits-wordBits-2), s.Words, hdl.Zero(2)))
	c = Checks{ShortPacket: m.Let("short_packet", length.Lt(rbth)), WrongVersion: s.WrongVersion, BadOpcode: s.BadOpcode,
		ShortHeaders: m.Let("short_headers", length.Lt(headers))}
	rest := m.Let("rest", length.Sub(headers))
	follows := m.Let("something_follows", rest.Any())
	c.BadPayload = m.Let("bad_payload", hdl.AnyOf(rest.Truncate(2).Any(), follows.Not().And(s.Pad.Any()), s.Carries.Not().And(follows), s.Last.And(follows.Not())))
	some = m.Let("some", hdl.AllOf(s.Carries, c.ShortHeaders.Not(), follows))
	return c, some, m.Let("payload_octets", rest.Sub(s.Pad.ZeroExtend(lengthBits)))
}
