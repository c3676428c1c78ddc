package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// txPiece is a segment that leaves in a turn.
type txPiece struct {
	Stream     hdl.Value
	Place      hdl.Value // of its message
	Index      hdl.Value // of the segment in its message
	Last       hdl.Value // it is the last one
	LastLength hdl.Value // octets of payload of the last one
	Far        any       `hdl:"-"` // *engine.Far
}

func (t *txTurns) piece() txPiece {
	token := t.token()
	return txPiece{Stream: token.Stream, Place: token.Place, Index: token.Index, Last: hdl.Bits(1), LastLength: t.size().LastLength, Far: token.Far}
}

// cut makes the command of a segment of a message that waited, and of one after another if there is room. The place of a message is free
// in the cycle after its last segment was taken.
func (t *txTurns) cut(next hdl.Sink[txPiece], room hdl.Value) (command engine.TxCommand, isCut hdl.Value) {
	m, c := t.Module, t.c
	m.Section("Command of a segment of a message that waited")
	valid, piece := m.Reg("cut_valid_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "cut", t.piece(), hdl.NoReset)
	vacant := m.Reg("cut_vacant_q", 1, hdl.ResetTo(1))
	m.Note("Whether it can be loaded has many readers; what decides asks a register of its own.")
	free, takes := m.Let("cut_is_free", valid.Not().Or(room)), m.Let("cut_takes", vacant.Or(room))
	next.Accept(m, takes)
	m.OnClock(hdl.If(takes, vacant.Set(next.Valid.Not())), hdl.If(free, valid.Set(next.Valid), piece.Set(next.Data)))
	of := hdl.LetOf(m, "contents", hdl.Unpack(t.content(), t.contents.Read("contents_q", free, next.Data.Place, hdl.ReadOld)))
	frees, place := m.Reg("frees_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "read", t.place(), hdl.NoReset)
	m.OnClock(frees.Set(hdl.AllOf(next.Valid, free, next.Data.Last)), place.Set(txPlace{next.Data.Place}))
	t.freed.Drive(m, frees.Value, place.Q)
	m.Unused("there is room for all places", t.freed.Ready)

	s := piece.Q
	m.Unused("only its contents are of use", s.Place)
	before := m.Let("octets_before", hdl.Cat(s.Index, hdl.Zero(t.lengthBits()-1)))
	length := m.Let("cut_length", hdl.Mux(s.Last, s.LastLength, hdl.Const(t.lengthBits(), uint64(c.MaxPayload))))
	beats, ends := segmentBeats(m, "cut", length, of.HeaderLength, c)
	return engine.TxCommand{Stream: s.Stream, Kind: of.Kind, Final: s.Last, Number: of.Number, HeaderLength: of.HeaderLength,
		Header: c.Profile.Cut(m, of.Header, before, s.Last), Address: of.Address.Add(before.ZeroExtend(64)), PayloadLength: length.ZeroExtend(16),
		Beats: beats, Ends: ends, Tag: of.Tag, Far: s.Far}, valid.Value
}

// segmentBeats measures a segment: its beats, and the octets of the last one, 0 for all.
func segmentBeats(m *hdl.Module, name string, payload, header hdl.Value, c engine.Config) (beats, ends hdl.Value) {
	width, place := engine.SegmentOctetsBits(c), block.IndexWidth(c.BusBytes)
	m.Note("The header is rounded up beside the sum.")
	up := m.Let(name+"_header_up", header.ZeroExtend(width).Plus(uint64(c.BusBytes-1)))
	rounded := m.Let(name+"_rounded_up", payload.ZeroExtend(width).Add(up))
	m.Unused("rounded up to whole beats", rounded.Truncate(place))
	ends = m.Let(name+"_ends", payload.Truncate(place).Add(header.ZeroExtend(max(place, header.Width())).Truncate(place)))
	return rounded.Slice(width-1, place), ends
}
