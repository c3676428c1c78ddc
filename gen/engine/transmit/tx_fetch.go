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
	More    any       `hdl:"-"` // *morePieces; nil if a segment has one piece
	Far     any       `hdl:"-"` // *engine.Far: in the buffer of tx_staging; nil if no memory is far
}

// morePieces says whether another piece of the segment follows, which begins where this one ends.
type morePieces struct {
	Is hdl.Value `hdl:"more" doc:"1: another piece of the segment follows"`
}

func txFetch(c engine.Config) TxFetch {
	f := TxFetch{Address: hdl.Bits(64), Length: hdl.Bits(16), Lead: hdl.Bits(block.IndexWidth(c.BusBytes)), Far: engine.FarOf(c, hdl.Bits(1))}
	if engine.Lists(c) {
		f.More = &morePieces{hdl.Bits(1)}
	}
	return f
}

// TxComing describes how beats that memory will deliver become the payload of one segment.
type TxComing struct {
	Behind hdl.Value `doc:"beats from memory after the first one"`
	Turn   hdl.Value `doc:"rotation of each beat in octets, towards higher indices"`
	Lead   hdl.Value `doc:"octets of the first beat of the segment before the payload"`
	Ends   hdl.Value `doc:"octets of the last beat of the segment up to the end of the payload; 0: all"`
	Late   hdl.Value `doc:"the first beat does not fill a beat of the segment"`
	Spill  hdl.Value `doc:"octets of the last beat are left over for one more beat of the segment"`
	End    any       `hdl:"-"` // *pieceEnd; nil if a segment has one piece
}

func txComing(c engine.Config) TxComing {
	place := hdl.Bits(block.IndexWidth(c.BusBytes))
	return TxComing{Behind: hdl.Bits(payloadBeatsWidth(c)), Turn: place, Lead: place, Ends: place, Late: hdl.Bits(1), Spill: hdl.Bits(1), End: pieceEndOf(c)}
}

// payloadBeatsWidth is the width of a count of beats of the longest payload, which has one more if unaligned.
func payloadBeatsWidth(c engine.Config) int { return bits.Len(uint(c.MaxPayload / c.BusBytes)) }

// txRead is a request as a number of beats.
type txRead struct {
	Beat    hdl.Value // address of the first beat, without the bits inside it
	Segment hdl.Value // beats of the segment after the first one
	Coming  TxComing
	Far     any // *engine.Far; nil if no memory is far
}

// TxFetchPorts read payload ahead of its segment.
type TxFetchPorts struct {
	Fetch  hdl.Sink[TxFetch]
	AR     hdl.Source[block.ARBeat] `hdl:"m_axi"`
	Coming hdl.Source[TxComing]
	Freed  hdl.In `doc:"one beat has left the payload buffer"`
}

const txFetchDoc = `tx_fetch reads payload from memory, in order, any number of octets from any address: beats of full bus width, in
bursts of at most 256 beats that do not cross a 4 KiB boundary (AXI4 section A3.4.1), one burst per cycle. The
first burst leaves two cycles after the request, once the payload buffer has room for the whole segment, so that
data from memory can always be stored. Two more requests can wait.`

// TxFetcher serves a payload buffer of room beats, at least those of the longest segment.
func TxFetcher(c engine.Config, room int) hdl.Block[TxFetchPorts] {
	return hdl.Block[TxFetchPorts]{
		Kind: "tx_fetch", Params: append([]hdl.Param{{Name: "bus_bytes", Value: c.BusBytes}, {Name: "max_payload", Value: c.MaxPayload}, {Name: "payload_room", Value: room}}, c.Params("far_memory_bit")...),
		Doc: txFetchDoc,
		Ports: TxFetchPorts{Fetch: hdl.NewSink(txFetch(c)), AR: hdl.NewSource(block.ARBeatOf()),
			Coming: hdl.NewSource(txComing(c)), Freed: hdl.NewIn(1)},
		Build: func(m *hdl.Module, p TxFetchPorts) { buildTxFetch(m, p, c, room) },
	}
}

func buildTxFetch(m *hdl.Module, p TxFetchPorts, c engine.Config, room int) {
	place, count := block.IndexWidth(c.BusBytes), payloadBeatsWidth(c)
	proto := txRead{Beat: hdl.Bits(64 - place), Segment: hdl.Bits(count), Coming: txComing(c), Far: engine.FarOf(c, hdl.Bits(1))}
	requests := hdl.NewStream(m, "read", proto)

	m.Section("Beats of the payload, in memory and in the segment")
	kept := block.NewSkid(m, "request", proto, requests.Source())
	p.Fetch.Accept(m, kept.Room)
	kept.Drive(p.Fetch.Valid.And(kept.Room), countBeats(m, p.Fetch.Data, place, count))

	m.Section("A request is taken when the payload buffer has room for its segment, and the last burst before it leaves")
	request := requests.Sink()
	valid := m.Reg("valid_q", 1, hdl.ResetTo(0))
	last := m.Reg("last_q", 1, hdl.NoReset)
	roomWidth := block.IndexWidth(room) + 1
	free := m.Reg("room_q", roomWidth, hdl.ResetTo(uint64(room)))
	segment := request.Data.Segment.ZeroExtend(roomWidth)
	over := m.Let("burst_is_over", valid.Not().Or(last.And(p.AR.Ready)))
	next := m.Let("next", segment.Lt(free.Value).And(over))
	take := m.Let("take", hdl.AllOf(request.Valid, next, p.Coming.Ready))
	request.Accept(m, next.And(p.Coming.Ready))
	p.Coming.Drive(m, request.Valid.And(next), request.Data.Coming)
	m.Note("One beat more than those after the first, subtracted.")
	reserved := m.Let("room_taken", segment.Not().And(take.Replicate(roomWidth)))
	back := p.Freed.Value.ZeroExtend(roomWidth)
	if end := request.Data.Coming.End; end != nil {
		m.Note("A beat that the next piece completes is one of that.")
		back = m.Let("room_back", back.Add(take.And(shares(end)).ZeroExtend(roomWidth)))
	}
	m.OnClock(free.Set(free.Add(reserved).Add(back)))

	buildBursts(m, p.AR, burstsOf{request.Data, take, over, valid, last}, c)
}

// countBeats measures a request.
func countBeats(m *hdl.Module, f TxFetch, place, count int) txRead {
	width := place + count
	length := m.Let("payload_length", f.Length.Truncate(width))
	m.Unused("at most MaxPayload", f.Length.Slice(15, width))
	offset := m.Let("offset", f.Address.Truncate(place))
	m.Note("The last octet is in the beat in which the one before its end is.")
	behind := func(name string, before hdl.Value) (beats, end hdl.Value) {
		past := m.Let("end_in_"+name, length.Add(before.ZeroExtend(width)))
		octet := m.Let("last_octet_in_"+name, past.Minus(1))
		m.Unused("whole beats", octet.Truncate(place))
		return m.Let(name+"_behind", octet.Slice(width-1, place)), past.Truncate(place)
	}
	memory, past := behind("memory", offset)
	segment, ends := behind("segment", f.Lead)
	m.Unused("what counts is the end in the segment", past)
	late := m.Let("late", f.Lead.Lt(offset))
	var end any
	if more, is := f.More.(*morePieces); is {
		end = &pieceEnd{More: more.Is, Shares: m.Let("shares_beat", more.Is.And(ends.Any()))}
	}
	return txRead{Beat: f.Address.Slice(63, place), Segment: segment, Coming: TxComing{Behind: memory, Turn: f.Lead.Sub(offset),
		Lead: f.Lead, Ends: ends, Late: late, Spill: segment.Add(late.ZeroExtend(count)).Ne(memory), End: end}, Far: f.Far}
}

// burstsOf is the request that may be taken: over is 1 if no burst of another one will be left; a burst on offer is valid, and may be
// the last of its request.
type burstsOf struct {
	request     txRead
	take, over  hdl.Value
	valid, last hdl.Reg
}

// buildBursts offers the bursts of a request from registers. The burst after the one on offer is known a cycle before it is.
func buildBursts(m *hdl.Module, to hdl.Source[block.ARBeat], b burstsOf, c engine.Config) {
	place, count := block.IndexWidth(c.BusBytes), payloadBeatsWidth(c)
	span := min(256, 4096/c.BusBytes)
	spanWidth := block.IndexWidth(span)
	wide := max(count, spanWidth)
	m.Section("The burst on offer")
	m.Note("A burst ends where %d beats end in memory. Counts are those of beats after a first one.", span)
	address := m.Reg("beat_address_q", 64-place, hdl.NoReset)
	length := m.Reg("length_q", spanWidth, hdl.NoReset)
	left := m.Reg("left_q", wide, hdl.NoReset)
	behind := m.Let("behind", b.request.Coming.Behind.ZeroExtend(wide))
	toBoundary := m.Let("to_boundary", b.request.Beat.Truncate(spanWidth).Not())
	fits := m.Let("fits", behind.Le(toBoundary.ZeroExtend(wide)))
	m.Note("Those after the burst: all but the first of the next burst.")
	rest := m.Let("rest", behind.Sub(toBoundary.ZeroExtend(wide)).Minus(1))
	next := hdl.Stmts{b.last.Set(hdl.Ones(1)), length.Set(left.Truncate(spanWidth))}
	if wide > spanWidth {
		spans := left.Slice(wide-1, spanWidth)
		ends := m.Let("ends", spans.IsZero())
		next = hdl.Stmts{b.last.Set(ends), length.Set(hdl.Mux(ends, left.Truncate(spanWidth), hdl.Ones(spanWidth))),
			left.Set(hdl.Cat(spans.Minus(1), left.Truncate(spanWidth)))}
	}
	id := hdl.Const(block.AXIIDBits, block.AXIPayload)
	if mark := b.request.Far; mark != nil {
		far := m.Reg("is_far_q", 1, hdl.NoReset)
		m.OnClock(hdl.If(b.over, far.Set(engine.IsFar(mark))))
		id = far.Value
	}
	m.OnClock(
		hdl.If(b.over,
			b.valid.Set(b.take), b.last.Set(fits), address.Set(b.request.Beat),
			length.Set(hdl.Mux(fits, behind.Truncate(spanWidth), toBoundary)), left.Set(rest),
		).ElseIf(to.Ready, address.Set(hdl.Cat(address.Slice(63-place, spanWidth).Plus(1), hdl.Zero(spanWidth))), next))
	to.Drive(m, b.valid.Value, block.ARBeat{ID: id, Addr: hdl.Cat(address.Value, hdl.Zero(place)),
		Len: length.ZeroExtend(8), Size: hdl.Const(3, uint64(place)), Burst: hdl.Const(2, 1)})
}
