package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// ParserPorts are a stream of packets in, streams of records and payload out.
type ParserPorts struct {
	Rx      hdl.Sink[Beat]           `hdl:"s_axis_rx"`
	Record  hdl.Source[Record]       `hdl:"m_record"`
	Payload hdl.Source[block.Octets] `hdl:"m_axis_payload"`
}

const parserDoc = `falcon_parser takes RDMA packets apart (RDMA over Falcon 8). It produces one record per packet, in order, with the
fields of all headers, and for each packet with payload one packet with the octets after the headers, moved to
octet 0, without pad.

It accepts a beat per cycle as long as both outputs are accepted, for any sequence of packet types and lengths. A
record is on offer in the cycle after the last beat of its packet, the last payload one cycle after the record is
accepted; other payload leaves earlier, so a consumer that waits for the record must buffer the payload.`

// Parser is for buses of 8, 16, 32, 64 or 128 octets.
func Parser(order spec.BitOrder, busBytes, connections int) hdl.Block[ParserPorts] {
	return hdl.Block[ParserPorts]{
		Kind: "falcon_parser", Options: orderOptions(order), Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}, {Name: "connections", Value: connections}},
		Doc: parserDoc,
		Ports: ParserPorts{
			Rx:      hdl.NewSink(BeatOf(busBytes, connections)),
			Record:  hdl.NewSource(RecordOf(connections)),
			Payload: hdl.NewSource(block.OctetsOf(busBytes)),
		},
		Build: func(m *hdl.Module, ports ParserPorts) { buildParser(m, ports, order, busBytes, connections) },
	}
}

func buildParser(m *hdl.Module, p ParserPorts, order spec.BitOrder, busBytes, connections int) {
	m.Section("One beat is held until the next beat of its packet arrives; the last one is not held back")
	held, taken := block.NewHeldBeat(m, p.Rx), p.Rx.Data

	m.Section("Header octets and length of the packet up to the held beat")
	arrived := held.Collect(taken, HeaderOctets)

	m.Section("The first word of a packet decides how long its headers are, and whether payload follows")
	starts := newStarts(m, order, taken, held)
	start, places, offsets := starts.stored, starts.places(), newOffsets(starts, busBytes)
	carries := m.Let("carries", hdl.Mux(held.First, starts.now.Carries, start.Carries))
	remains := m.Let("remains", offsets.remains(offsets.now, taken.Keep))
	more := m.Let("more", offsets.remains(offsets.stored, taken.Keep))

	m.Section("Payload: the rest of the held beat and the start of the next one")
	payload := block.NewPacketPayload(held, p.Payload, block.OctetsOf(busBytes))
	if busBytes < 4<<wordBits {
		remains = remains.And(starts.reached(arrived.Next, busBytes))
	}
	payload.Emits(carries.And(remains))
	out := offsets.realign(m, held, taken, start.Pad)
	out.Last = payload.Ends(more)

	m.Section("Record")
	offered := payload.Drive(out, p.Record.Ready)
	checks, some, octets := verdict(m, start, arrived.Length)
	p.Record.Drive(m, offered, Record{
		Transaction: Transaction{Type: held.Beat.Type, RSN: held.Beat.RSN, CID: held.Beat.CID},
		Checks:      checks, HasPayload: some, PayloadLength: octets,
		Header: fields{m: m, order: order, octets: arrived.Octets, at: places}.record(start.XRCETH),
	})
}

// verdict checks the whole packet; some is 1 if it has payload, and octets is the length of that.
func verdict(m *hdl.Module, s start, length hdl.Value) (c Checks, some, octets hdl.Value) {
	rbth := hdl.Const(block.LengthBits, uint64(spec.RBTH.Octets()))
	headers := m.Let("headers", hdl.Cat(hdl.Zero(block.LengthBits-wordBits-2), s.Words, hdl.Zero(2)))
	c = Checks{ShortPacket: m.Let("short_packet", length.Lt(rbth)), WrongVersion: s.WrongVersion, BadOpcode: s.BadOpcode,
		ShortHeaders: m.Let("short_headers", length.Lt(headers))}
	rest := m.Let("rest", length.Sub(headers))
	follows := m.Let("something_follows", rest.Any())
	c.BadPayload = m.Let("bad_payload", hdl.AnyOf(rest.Truncate(2).Any(), follows.Not().And(s.Pad.Any()), s.Carries.Not().And(follows), s.Last.And(follows.Not())))
	some = m.Let("some", hdl.AllOf(s.Carries, c.ShortHeaders.Not(), follows))
	return c, some, m.Let("payload_octets", rest.Sub(s.Pad.ZeroExtend(block.LengthBits)))
}
