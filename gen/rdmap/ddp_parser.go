package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// DDPParserPorts are a stream of segments in, streams of records and payload out.
type DDPParserPorts struct {
	Rx      hdl.Sink[block.Beat]   `hdl:"s_axis_rx"`
	Record  hdl.Source[Record]     `hdl:"m_record"`
	Payload hdl.Source[block.Beat] `hdl:"m_axis_payload"`
}

const ddpParserDoc = `ddp_parser takes DDP segments apart (RFC 5041 section 4, RFC 5040 section 4, RFC 7306 section 4). It produces one
record per segment, in order, and, for Writes, Read Responses, Sends and Terminates, one packet with the octets
after the DDP header, moved to octet 0.

It accepts a beat per cycle as long as both outputs are accepted, for any sequence of kinds and lengths. A record
is on offer in the cycle after the last beat of its segment, the last payload one cycle after the record is accepted;
other payload leaves earlier, so a consumer that waits for the record must buffer the payload. A malformed segment gives a record with the rule that it breaks.`

// DDPParser is for buses of 8, 16, 32, 64 or 128 octets. A segment has at most 65,535 octets, which MPA's
// 16-bit ULPDU_Length ensures.
func DDPParser(p Profile, busBytes, streams int) hdl.Block[DDPParserPorts] {
	return hdl.Block[DDPParserPorts]{
		Kind: "ddp_parser", Options: p.extensionOptions(), Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}, {Name: "streams", Value: streams}},
		Doc: ddpParserDoc,
		Ports: DDPParserPorts{
			Rx:      hdl.NewSink(block.BeatOf(busBytes, streams)),
			Record:  hdl.NewSource(RecordOf(streams)),
			Payload: hdl.NewSource(block.BeatOf(busBytes, streams)),
		},
		Build: func(m *hdl.Module, ports DDPParserPorts) { buildDDPParser(m, ports, p, busBytes, streams) },
	}
}

func buildDDPParser(m *hdl.Module, p DDPParserPorts, profile Profile, busBytes, streams int) {
	m.Section("One beat is held until the next beat of its segment arrives; the last one is not held back")
	held, rx := block.NewHeldBeat(m, p.Rx), p.Rx.Data
	data := m.Let("data", rx.Data.And(rx.Keep.Replicate(8)))
	taken := block.Beat{Octets: block.Octets{Data: data, Keep: rx.Keep, Last: rx.Last}, User: rx.User}

	m.Section("Header octets and length of the segment up to the held beat")
	arrived := held.CollectCleared(taken, HeaderOctets)
	head, place := arrived.Octets, arrived.Place

	m.Section("Verdict: what the first octets decide is checked when the last of them arrives")
	rule, payloadLength := m.Wire("rule", spec.RuleBits), m.Wire("payload_length", 16)
	startCarries, carriesData := m.Wire("start_carries", 1), m.Wire("carries_data", 1)
	network := newHeader(m, "header", head.Truncate(8*18).ReverseOctets())
	tagged := network.fieldAs("is_tagged", 0, wire.DDPUntaggedTable, "t")
	start, taggedNow := data.Truncate(min(8*StartOctets, data.Width())), tagged
	if busBytes < StartOctets {
		start = hdl.Cat(data.Truncate(8*(StartOctets-busBytes)), head.Truncate(8*busBytes))
	} else {
		taggedNow = m.Let("tagged_now", hdl.Mux(held.First, data.Bit(7), tagged))
	}
	isStart := m.Let("is_start", place.Is(uint64((StartOctets-1)/busBytes)))
	carries := m.Let("carries", hdl.Mux(isStart, startCarries.Value, carriesData.Value))
	newStart := isStart
	if busBytes < StartOctets {
		m.Note("A start is checked before it is taken, too: the record of the segment before has left when the first octets are held.")
	} else {
		newStart = m.Let("takes_start", held.Take.And(isStart))
	}
	hdl.Instance(m, "classify", DDPClassify(profile), DDPClassifyPorts{
		Enable: newStart.In(), Start: m.Let("start", start.ReverseOctets()).In(),
		Header: network.bits.In(), Length: arrived.Length.In(),
		Rule: rule.Out(), StartCarries: startCarries.Out(), CarriesData: carriesData.Out(), PayloadLength: payloadLength.Out(),
	})

	m.Section("Payload: the rest of the held beat and the start of the next one")
	payload := block.NewPacketPayload(held, p.Payload, block.BeatOf(busBytes, streams))
	started := payloadStarted(m, taggedNow, arrived.Next, busBytes)
	out, more := realign(m, tagged, held.Beat, held.Inside, taken, busBytes)
	out.Last = payload.Ends(more)
	remains := hdl.Mux(taggedNow, rx.Keep.Bit(14%busBytes), rx.Keep.Bit(18%busBytes))
	payload.Emits(hdl.AllOf(carries, started, remains))

	m.Section("Record")
	offered := payload.Drive(out, p.Record.Ready)
	m.Note("The record is that of the held beat, in registers until that leaves.")
	p.Record.Drive(m, offered, Record{Stream: held.Beat.User, Rule: rule.Value, SegmentLength: arrived.Length,
		PayloadLength: payloadLength.Value, Header: head})
}

// payloadStarted is 1 if a beat may have an octet after the DDP header. position is the number of beats of the segment up to and
// including it.
func payloadStarted(m *hdl.Module, tagged, position hdl.Value, busBytes int) hdl.Value {
	after := func(headerLength int) hdl.Value {
		return hdl.Const(position.Width(), uint64(headerLength/busBytes)).Lt(position)
	}
	if 14/busBytes == 18/busBytes {
		return m.Let("started", after(14))
	}
	return m.Let("started", hdl.Mux(tagged, after(14), after(18)))
}

// realign moves the octets after the DDP header to octet 0: the last octets of the held beat, followed by the first of the next beat,
// which is inside the segment unless the held beat is its last. more is 1 if the next beat has octets beyond these.
func realign(m *hdl.Module, tagged hdl.Value, held block.Beat, inside hdl.Value, next block.Beat, busBytes int) (out block.Beat, more hdl.Value) {
	shifted := func(by int) (data, keep, more hdl.Value) {
		s := by % busBytes
		data = hdl.Cat(next.Data.Truncate(8*s).And(inside.Replicate(8*s)), held.Data.Slice(8*busBytes-1, 8*s))
		keep = hdl.Cat(next.Keep.Truncate(s).And(inside.Replicate(s)), held.Keep.Slice(busBytes-1, s))
		return data, keep, next.Keep.Bit(s)
	}
	skipped := min(14%busBytes, 18%busBytes)
	m.Unused("always header", held.Data.Slice(8*skipped-1, 0), held.Keep.Slice(skipped-1, 0))
	taggedData, taggedKeep, taggedMore := shifted(14)
	untaggedData, untaggedKeep, untaggedMore := shifted(18)
	out.Data = m.Let("realigned_data", hdl.Mux(tagged, taggedData, untaggedData))
	out.Keep = m.Let("realigned_keep", hdl.Mux(tagged, taggedKeep, untaggedKeep))
	out.User = held.User
	return out, m.Let("more", hdl.Mux(tagged, taggedMore, untaggedMore))
}
