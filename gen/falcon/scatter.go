package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// ScatterPorts are payload and what becomes of it in, and its pieces out.
type ScatterPorts struct {
	Place   hdl.Sink[Placing]
	Part    hdl.Sink[PayloadPart] `doc:"of packets whose payload goes to several elements"`
	Payload hdl.Sink[block.Beat]
	Piece   hdl.Source[engine.Placement]
	Beats   hdl.Source[block.Beat] `doc:"payload, from a whole beat on for each piece; a beat with octets of several pieces is repeated for each"`
}

const scatterDoc = `falcon_scatter cuts the payload of packets whose receive has several elements into pieces. A part of the payload for one
element is one piece, or two if it begins inside a beat and goes beyond it: then the first one ends with the beat. Octets keep their
place in the beat.

A placement that is not of a list leaves a cycle after it has arrived, one per cycle, and its payload two cycles after. One that is takes a
cycle, and two for each part, three if that is two pieces; one that is discarded takes one for each part.`

// scatterAhead is how many pieces are ahead of their payload.
const scatterAhead = 16

// Scatter keeps no octets: it repeats beats.
func Scatter(c engine.Config) hdl.Block[ScatterPorts] {
	beat := block.BeatOf(c.BusBytes, c.Streams)
	return hdl.Block[ScatterPorts]{
		Kind: "falcon_scatter", Params: c.Params("bus_bytes", "streams", "max_payload"), Doc: scatterDoc,
		Ports: ScatterPorts{Place: hdl.NewSink(PlacingOf(c)), Part: hdl.NewSink(PayloadPartOf()), Payload: hdl.NewSink(beat), Piece: hdl.NewSource(engine.PlacementPieceOf(c)),
			Beats: hdl.NewSource(beat)},
		Build: func(m *hdl.Module, p ScatterPorts) { buildScatter(m, p, c) },
	}
}

// pieceBeats are the beats of a piece.
type pieceBeats struct {
	Whole  hdl.Value // all of a packet
	Behind hdl.Value // else: beats after the first one
	Stays  hdl.Value // the last one has octets of the next piece, too
}

// Steps of a packet with a list: a bit each.
const (
	scatterIdle    = iota // not one, or it has not begun
	scatterMeasure        // the next part
	scatterPiece          // its pieces

	scatterSteps = iota
)

func buildScatter(m *hdl.Module, p ScatterPorts, c engine.Config) {
	place := block.IndexWidth(c.BusBytes)
	out := block.NewSkid(m, "next", engine.PlacementPieceOf(c), p.Piece)
	beats, next := hdl.NewStream(m, "piece_beats", pieceBeatsOf(c)), hdl.NewStream(m, "waiting_beats", pieceBeatsOf(c))
	tasks := hdl.NewStream(m, "task", pieceBeatsOf(c))
	block.Fifo(m, "tasks", scatterAhead, tasks.Sink(), next.Source())
	block.Between(m, "oldest", next.Sink(), beats.Source())
	room := m.Let("has_room", out.Room.And(tasks.Source().Ready))

	m.Section("A placement without a list passes; of one that is discarded the parts go first")
	in, some := p.Place.Data, p.Place.Valid
	step := m.Reg("step_q", scatterSteps, hdl.ResetTo(1<<scatterIdle))
	to := func(n int) hdl.Stmt { return step.Set(hdl.Const(scatterSteps, 1<<n)) }
	idle, measures, sends := m.Let("is_idle", step.Bit(scatterIdle)), m.Let("measures", step.Bit(scatterMeasure)), m.Let("sends", step.Bit(scatterPiece))
	dropped := m.Reg("parts_dropped_q", 1, hdl.ResetTo(0))
	waits := m.Let("waits", idle.And(some))
	straight := m.Let("goes_straight", hdl.AllOf(waits, in.List.Not().Or(dropped.Value), room))
	drops := m.Let("drops_parts", hdl.AllOf(waits, in.List, in.Placement.Discard, dropped.Not()))
	begins := m.Let("begins", hdl.AllOf(waits, in.List, in.Placement.Discard.Not()))

	m.Section("The octets of a part in the beat in which it begins, and those after that")
	part := p.Part.Data
	reg := func(name string, width int) hdl.Reg { return m.Reg(name+"_q", width, hdl.NoReset) }
	at, from, end := reg("place_in_beat", place), reg("from", place), reg("end_in_beat", place)
	address, octets, last := reg("address", 64), reg("octets", lengthBits), reg("is_last_part", 1)
	spans, behind, addressBehind := reg("spans", 1), reg("octets_behind", lengthBits), reg("address_behind", 64)
	left := reg("left_in_beat", place)
	m.Note("A part that begins with a beat is one piece.")
	inBeat := left.ZeroExtend(lengthBits)
	goesOn := m.Let("goes_beyond_beat", at.Any().And(inBeat.Lt(part.Length)))
	takes := m.Let("takes_part", measures.And(p.Part.Valid))
	sent := m.Let("piece_leaves", sends.And(room))
	ends := m.Let("part_ends", sent.And(spans.Not()))
	m.OnClock(
		hdl.If(begins, to(scatterMeasure), at.Set(hdl.Zero(place)), left.Set(hdl.Zero(place))),
		hdl.If(takes, to(scatterPiece), address.Set(part.Address), octets.Set(hdl.Mux(goesOn, inBeat, part.Length)), from.Set(at.Value), spans.Set(goesOn),
			behind.Set(part.Length.Sub(inBeat)), addressBehind.Set(part.Address.Add(left.ZeroExtend(64))), last.Set(part.Last), end.Set(at.Add(part.Length.Truncate(place)))),
		hdl.If(sent, address.Set(addressBehind.Value), octets.Set(behind.Value), from.Set(hdl.Zero(place)), spans.Set(hdl.Zero(1)), at.Set(end.Value), left.Set(end.Not().Plus(1))),
		hdl.If(ends, hdl.If(last.Value, to(scatterIdle)).Else(to(scatterMeasure))),
		hdl.If(drops, dropped.Set(p.Part.Valid.And(part.Last))).ElseIf(straight, dropped.Set(hdl.Zero(1))))
	p.Part.Accept(m, measures.Or(drops))
	p.Place.Accept(m, m.Let("is_done", hdl.Mux(idle, straight, ends.And(last.Value))))

	m.Section("A piece, and its beats")
	leaves := straight.Or(sent)
	more := m.Let("has_more", sends.And(spans.Or(last.Not())))
	piece := in.Placement
	piece.Address = m.Let("address", hdl.Mux(sends, address.Value, in.Placement.Address))
	piece.Length = m.Let("octets", hdl.Mux(sends, octets.ZeroExtend(16), in.Placement.Length))
	piece.Piece = &engine.PlacementPiece{From: from.And(sends.Replicate(place)), More: more}
	out.Drive(leaves, piece)
	m.Note("A piece that begins inside a beat ends there, too.")
	whole := octets.Minus(1).Slice(lengthBits-1, place)
	tasks.Source().Drive(m, leaves.And(sends.Or(in.Placement.Inline.Not())), pieceBeats{Whole: sends.Not(), Behind: m.Let("beats_behind", whole.And(from.Any().Not().Replicate(whole.Width()))),
		Stays: hdl.AllOf(sends, spans.Not(), last.Not(), end.Any())})
	repeatBeats(m, p, beats.Sink())
}

func pieceBeatsOf(c engine.Config) pieceBeats {
	return pieceBeats{Whole: hdl.Bits(1), Behind: hdl.Bits(lengthBits - block.IndexWidth(c.BusBytes)), Stays: hdl.Bits(1)}
}

// repeatBeats gives each piece its beats. One that the next piece needs, too, stays.
func repeatBeats(m *hdl.Module, p ScatterPorts, of hdl.Sink[pieceBeats]) {
	m.Section("Beats of the oldest piece")
	passed := m.Reg("beats_passed_q", of.Data.Behind.Width(), hdl.ResetTo(0))
	valid := m.Let("has_beat", of.Valid.And(p.Payload.Valid))
	last := m.Let("is_last_beat", hdl.Mux(of.Data.Whole, p.Payload.Data.Last, passed.Eq(of.Data.Behind)))
	p.Beats.Drive(m, valid, p.Payload.Data)
	moves := m.Let("beat_moves", valid.And(p.Beats.Ready))
	p.Payload.Accept(m, m.Let("beat_is_used", hdl.AllOf(of.Valid, p.Beats.Ready, last.And(of.Data.Stays).Not())))
	of.Accept(m, m.Let("piece_is_over", hdl.AllOf(p.Payload.Valid, p.Beats.Ready, last)))
	m.OnClock(hdl.If(moves, passed.Set(hdl.Mux(last, hdl.Zero(passed.Width()), passed.Plus(1)))))
}
