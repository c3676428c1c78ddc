package transmit

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxFetch requests the payload of one segment: Length octets of memory from Address on, at least one. Lead is the index in a beat at
// which they begin in the segment.
type TxFetch struct {
	Address hdl.Value `doc:"of the first octet in memory"`
	Length  hdl.Value `doc:"octets, 1 to MaxPayload"`
	Lead    hdl.Value `doc:"octets of header before them, modulo the bus width"`
}

func txFetch(c engine.Config) TxFetch {
	return TxFetch{Address: hdl.Bits(64), Length: hdl.Bits(16), Lead: hdl.Bits(block.IndexWidth(c.BusBytes))}
}

// TxComing describes how beats that memory will deliver become the payload of one segment.
type TxComing struct {
	Beats  hdl.Value `doc:"beats from memory"`
	Offset hdl.Value `doc:"octets of the first beat before the payload"`
	Ends   hdl.Value `doc:"octets of the last beat up to the end of the payload; 0: all"`
	Turn   hdl.Value `doc:"rotation of each beat in octets, towards higher indices"`
	Late   hdl.Value `doc:"the first beat does not fill a beat of the segment"`
	Spill  hdl.Value `doc:"octets of the last beat are left over for one more beat of the segment"`
}

func txComing(c engine.Config) TxComing {
	place := hdl.Bits(block.IndexWidth(c.BusBytes))
	return TxComing{Beats: hdl.Bits(payloadBeatsWidth(c)), Offset: place, Ends: place, Turn: place, Late: hdl.Bits(1), Spill: hdl.Bits(1)}
}

// payloadBeatsWidth is the width of a count of beats of the longest payload, which has one more if unaligned.
func payloadBeatsWidth(c engine.Config) int { return bits.Len(uint(c.MaxPayload / c.BusBytes)) }

// TxFetchPorts read payload ahead of its segment.
type TxFetchPorts struct {
	Fetch  hdl.Sink[TxFetch]
	AR     hdl.Source[block.ARBeat] `hdl:"m_axi"`
	Coming hdl.Source[TxComing]
	Freed  hdl.In `doc:"one beat has left the payload buffer"`
}

const txFetchDoc = `tx_fetch reads payload from memory, in order, any number of octets from any address: beats of full bus width, in
bursts of at most 256 beats that do not cross a 4 KiB boundary (AXI4 section A3.4.1), one burst per cycle. The
first burst leaves one cycle after the request, once the payload buffer has room for the whole segment, so that
data from memory can always be stored.`

// TxFetcher serves a payload buffer of room beats, at least those of the longest segment.
func TxFetcher(c engine.Config, room int) hdl.Block[TxFetchPorts] {
	return hdl.Block[TxFetchPorts]{
		Kind: "tx_fetch", Params: []hdl.Param{{Name: "bus_bytes", Value: c.BusBytes}, {Name: "max_payload", Value: c.MaxPayload}, {Name: "payload_room", Value: room}},
		Doc: txFetchDoc,
		Ports: TxFetchPorts{Fetch: hdl.NewSink(txFetch(c)), AR: hdl.NewSource(block.ARBeatOf()),
			Coming: hdl.NewSource(txComing(c)), Freed: hdl.NewIn(1)},
		Build: func(m *hdl.Module, p TxFetchPorts) { buildTxFetch(m, p, c, room) },
	}
}

func buildTxFetch(m *hdl.Module, p TxFetchPorts, c engine.Config, room int) {
	place, count := block.IndexWidth(c.BusBytes), payloadBeatsWidth(c)
	f := p.Fetch.Data

	m.Section("Beats of the payload, in memory and in the segment")
	width := place + count
	length := m.Let("payload_length", f.Length.Truncate(width))
	m.Unused("at most MaxPayload", f.Length.Slice(15, width))
	offset := m.Let("offset", f.Address.Truncate(place))
	end := m.Let("end_in_memory", length.Add(offset.ZeroExtend(width)))
	endInSegment := m.Let("end_in_segment", length.Add(f.Lead.ZeroExtend(width)))
	beats := func(name string, octets hdl.Value) hdl.Value {
		up := m.Let(name+"_up", octets.Plus(uint64(c.BusBytes-1)))
		m.Unused("rounded up to whole beats", up.Truncate(place))
		return m.Let(name+"_beats", up.Slice(width-1, place))
	}
	inMemory, inSegment := beats("memory", end), beats("segment", endInSegment)
	late := m.Let("late", f.Lead.Lt(offset))

	m.Section("The segment whose bursts are being issued")
	valid := m.Reg("valid_q", 1, hdl.ResetTo(0))
	issued := m.Reg("issued_q", 1, hdl.NoReset)
	address := m.Reg("beat_address_q", 64-place, hdl.NoReset)
	left := m.Reg("left_q", count, hdl.NoReset)
	needed := m.Reg("needed_q", count, hdl.NoReset)
	span := min(256, 4096/c.BusBytes)
	spanWidth := block.IndexWidth(span)
	m.Note("A burst ends where %d beats end in memory.", span)
	toBoundary := m.Let("to_boundary", hdl.Const(spanWidth+1, uint64(span)).Sub(address.Truncate(spanWidth).ZeroExtend(spanWidth+1)))
	wide := max(count, spanWidth+1)
	last := m.Let("last_burst", left.ZeroExtend(wide).Le(toBoundary.ZeroExtend(wide)))
	burst := m.Let("burst", hdl.Mux(last, left.ZeroExtend(wide), toBoundary.ZeroExtend(wide)))

	m.Section("Unreserved room in the payload buffer")
	roomWidth := block.IndexWidth(room) + 1
	free := m.Reg("room_q", roomWidth, hdl.ResetTo(uint64(room)))
	fits := m.Let("fits", needed.ZeroExtend(roomWidth).Le(free.Value))
	offer := m.Let("offer", valid.And(issued.Or(fits)))
	issue := m.Let("issue", offer.And(p.AR.Ready))
	reserved := m.Let("reserved_now", needed.And(issue.And(issued.Not()).Replicate(count)))
	m.OnClock(free.Set(free.Sub(reserved.ZeroExtend(roomWidth)).Add(p.Freed.Value.ZeroExtend(roomWidth))))

	m.Section("Requests and bursts")
	next := m.Let("next", valid.Not().Or(issue.And(last)))
	take := m.Let("take", hdl.AllOf(p.Fetch.Valid, next, p.Coming.Ready))
	p.Fetch.Accept(m, next.And(p.Coming.Ready))
	p.Coming.Drive(m, p.Fetch.Valid.And(next), TxComing{Beats: inMemory, Offset: offset, Ends: end.Truncate(place),
		Turn: f.Lead.Sub(offset), Late: late, Spill: inSegment.Add(late.ZeroExtend(count)).Ne(inMemory)})
	m.OnClock(
		hdl.If(take,
			valid.Set(hdl.Ones(1)), issued.Set(hdl.Zero(1)), address.Set(f.Address.Slice(63, place)),
			left.Set(inMemory), needed.Set(inSegment),
		).ElseIf(issue,
			valid.Set(last.Not()), issued.Set(hdl.Ones(1)),
			address.Set(address.Add(burst.ZeroExtend(64-place))), left.Set(left.Sub(burst.Truncate(count)))))
	p.AR.Drive(m, offer, block.ARBeat{ID: hdl.Const(block.AXIIDBits, block.AXIPayload), Addr: hdl.Cat(address.Value, hdl.Zero(place)),
		Len: lessOne(burst), Size: hdl.Const(3, uint64(place)), Burst: hdl.Const(2, 1)})
}

// lessOne is the encoding of a burst length in AXI4.
func lessOne(beats hdl.Value) hdl.Value {
	width := beats.Width()
	return beats.Sub(hdl.Const(width, 1)).ZeroExtend(max(width, 8)).Truncate(8)
}
