package transmit

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// txCut is a segment of a message that waited, one cycle before its command.
type txCut struct {
	valid hdl.Reg
	room  hdl.Value // one may enter
	piece hdl.RegOf[txPiece]
}

func (t *txTurns) newCut(room hdl.Value) txCut {
	valid := t.Reg("cut_valid_q", 1, hdl.ResetTo(0))
	proto := txPiece{Stream: t.token().Stream, Index: hdl.Bits(t.indexBits()), Last: hdl.Bits(1), LastLength: t.size().LastLength}
	return txCut{valid: valid, room: t.Let("cut_room", valid.Not().Or(room)), piece: hdl.NewRegOf(t.Module, "cut", proto, hdl.NoReset)}
}

// fill makes the command of the segment.
func (t *txTurns) fill(cut txCut, enters, place hdl.Value, piece txPiece) engine.TxCommand {
	m, c := t.Module, t.c
	m.Section("Command of a segment of a message that waited")
	m.OnClock(hdl.If(cut.room, cut.valid.Set(enters), cut.piece.Set(piece)))
	s := cut.piece.Q
	of := hdl.LetOf(m, "contents", hdl.Unpack(t.content(), t.contents.Read("contents_q", cut.room, place, hdl.ReadOld)))
	before := m.Let("octets_before", hdl.Cat(s.Index, hdl.Zero(t.lengthBits()-1)))
	length := hdl.Mux(s.Last, s.LastLength, hdl.Const(t.lengthBits(), uint64(c.MaxPayload)))
	return engine.TxCommand{Stream: s.Stream, Kind: of.Kind, Final: s.Last, Number: of.Number, HeaderLength: of.HeaderLength,
		Header: c.Profile.Cut(m, of.Header, before, s.Last), Address: of.Address.Add(before.ZeroExtend(64)), PayloadLength: length.ZeroExtend(16)}
}
