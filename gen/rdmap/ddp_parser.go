package rdmap

import (
	"fmt"

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
	held := hdl.NewRegOf(m, "held", block.BeatOf(busBytes, streams), hdl.NoReset)
	valid := m.Reg("held_valid_q", 1, hdl.ResetTo(0))
	first := m.Reg("first_q", 1, hdl.ResetTo(1))
	more := m.Reg("more_follows_q", 1, hdl.NoReset)
	release := m.Wire("release_held", 1)
	goes := m.Wire("held_may_go", 1)
	ready := m.Let("rx_ready", valid.Not().Or(goes.Value))
	take := m.Let("take", p.Rx.Valid.And(ready))
	p.Rx.Accept(m, ready)
	data := m.Let("data", p.Rx.Data.Data.And(p.Rx.Data.Keep.Replicate(8)))
	taken := block.Beat{Data: data, Keep: p.Rx.Data.Keep, Last: p.Rx.Data.Last, User: p.Rx.Data.User}

	m.Section("Header octets and length of the segment up to the held beat")
	kept := block.KeptOctets(m, p.Rx.Data.Keep)
	length := m.Reg("length_q", 16, hdl.NoReset)
	slots := (HeaderOctets + busBytes - 1) / busBytes
	position := m.Reg("position_q", block.IndexWidth(slots+1), hdl.NoReset)
	m.Note("Index of the next beat among those of the header; stays at %d after the header.", slots)
	place := m.Let("place", hdl.Mux(first.Value, hdl.Zero(position.Width()), position.Value))
	next := m.Let("next_place", hdl.Mux(place.Is(uint64(slots)), place, place.Plus(1)))
	m.OnClock(
		hdl.If(take,
			valid.Set(hdl.Ones(1)),
			held.Set(taken),
			first.Set(p.Rx.Data.Last), more.Set(p.Rx.Data.Last.Not()),
			length.Set(hdl.Mux(first.Value, hdl.Zero(16), length.Value).Add(kept.ZeroExtend(16))),
			position.Set(next),
		).ElseIf(release.Value, valid.Set(hdl.Zero(1))),
	)
	head := collectHeader(m, take, first.Value, place, data, slots, busBytes)

	m.Section("Verdict: what the first octets decide is checked when the last of them arrives")
	rule, payloadLength := m.Wire("rule", spec.RuleBits), m.Wire("payload_length", 16)
	startCarries, carriesData := m.Wire("start_carries", 1), m.Wire("carries_data", 1)
	network := newHeader(m, "header", head.Truncate(8*18).ReverseOctets())
	tagged := network.fieldAs("is_tagged", 0, wire.DDPUntaggedTable, "t")
	start, taggedNow := data.Truncate(min(8*StartOctets, data.Width())), tagged
	if busBytes < StartOctets {
		start = hdl.Cat(data.Truncate(8*(StartOctets-busBytes)), head.Truncate(8*busBytes))
	} else {
		taggedNow = m.Let("tagged_now", hdl.Mux(first.Value, data.Bit(7), tagged))
	}
	isStart := m.Let("is_start", place.Is(uint64((StartOctets-1)/busBytes)))
	carries := m.Let("carries", hdl.Mux(isStart, startCarries.Value, carriesData.Value))
	hdl.Instance(m, "classify", DDPClassify(profile), DDPClassifyPorts{
		Enable: m.Let("takes_start", take.And(isStart)).In(), Start: m.Let("start", start.ReverseOctets()).In(),
		Header: network.bits.In(), Length: length.In(),
		Rule: rule.Out(), StartCarries: startCarries.Out(), CarriesData: carriesData.Out(), PayloadLength: payloadLength.Out(),
	})

	m.Section("Payload: the rest of the held beat and the start of the next one")
	payload := hdl.NewRegOf(m, "payload", block.BeatOf(busBytes, streams), hdl.NoReset)
	payloadValid := m.Reg("payload_valid_q", 1, hdl.ResetTo(0))
	payloadFree := m.Let("payload_free", payloadValid.Not().Or(p.Payload.Ready))
	started := payloadStarted(m, taggedNow, next, busBytes)
	realigned, ends := realign(m, tagged, held.Q, more.Value, taken, busBytes)
	m.Note("Whether the held beat has an octet of payload is known when it is taken.")
	emit := m.Reg("emit_q", 1, hdl.NoReset)
	keep := p.Rx.Data.Keep
	remains := hdl.Mux(taggedNow, keep.Bit(14%busBytes), keep.Bit(18%busBytes))
	m.OnClock(hdl.If(take, emit.Set(hdl.AllOf(carries, started, remains))))

	m.Section("Record")
	m.Note("The held beat leaves when the next one has arrived or it is the last, and its outputs are free.")
	complete := m.Let("complete", held.Q.Last.Or(p.Rx.Valid))
	m.Drive(goes.Out(), hdl.AllOf(emit.Not().Or(payloadFree), held.Q.Last.Not().Or(p.Record.Ready)))
	m.Drive(release.Out(), hdl.AllOf(valid.Value, complete, goes.Value))
	m.OnClock(
		hdl.If(release.Value.And(emit.Value),
			payloadValid.Set(hdl.Ones(1)),
			payload.Set(block.Beat{Data: realigned.Data, Keep: realigned.Keep, Last: ends, User: held.Q.User}),
		).ElseIf(p.Payload.Ready, payloadValid.Set(hdl.Zero(1))),
	)
	p.Payload.Drive(m, payloadValid.Value, payload.Q)
	m.Note("The record is that of the held beat, in registers until that leaves.")
	p.Record.Drive(m, hdl.AllOf(valid.Value, held.Q.Last, emit.Not().Or(payloadFree)), Record{Stream: held.Q.User, Rule: rule.Value,
		SegmentLength: length.Value, PayloadLength: payloadLength.Value, Header: head})
}

// collectHeader stores the beats of the header side by side. The first beat of a segment clears the others, so octets that do not
// arrive are zero.
func collectHeader(m *hdl.Module, take, first, place, data hdl.Value, slots, busBytes int) hdl.Value {
	var stmts hdl.Stmts
	var parts []hdl.Value // most significant first
	for i := range slots {
		octets := min(busBytes, HeaderOctets-i*busBytes)
		slot := m.Reg(fmt.Sprintf("header_%d_q", i), 8*octets, hdl.NoReset)
		parts = append([]hdl.Value{slot.Value}, parts...)
		if i == 0 {
			stmts = append(stmts, hdl.If(take.And(first), slot.Set(data.Truncate(8*octets))))
			continue
		}
		stmts = append(stmts, hdl.If(take.And(first), slot.Set(hdl.Zero(8*octets))).
			ElseIf(take.And(place.Is(uint64(i))), slot.Set(data.Truncate(8*octets))))
	}
	m.OnClock(stmts)
	return m.Let("header_octets", hdl.Cat(parts...))
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

// realign moves the octets after the DDP header to octet 0: the last octets of the held beat, followed by the first of the next beat
// which is inside the segment unless the held beat is its last. ends is 1 if none follows.
func realign(m *hdl.Module, tagged hdl.Value, held block.Beat, inside hdl.Value, next block.Beat, busBytes int) (out block.Beat, ends hdl.Value) {
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
	more := m.Let("more", hdl.Mux(tagged, taggedMore, untaggedMore))
	ends = m.Let("ends", held.Last.Or(next.Last.And(more.Not())))
	return out, ends
}
