package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// The payload of a segment may be in several pieces of memory, if work requests may have several elements. Each piece has a command; the first
// one is that of the segment, of all others only the address and the piece count.

// Piece is what of a segment's payload a command has.
type Piece struct {
	Octets  hdl.Value `hdl:"piece_octets" doc:"octets at the address"`
	Lead    hdl.Value `hdl:"piece_lead" doc:"octets of the segment before them, modulo the bus width"`
	Further hdl.Value `hdl:"piece_further" doc:"1: of the segment of the command before"`
	More    hdl.Value `hdl:"piece_more" doc:"1: the next command has another piece"`
}

// PieceCommandOf is the prototype of a command with a piece.
func PieceCommandOf(c engine.Config) engine.TxCommand {
	t := engine.TxCommandOf(c)
	if engine.Lists(c) {
		t.Piece = &Piece{Octets: t.PayloadLength, Lead: hdl.Bits(block.IndexWidth(c.BusBytes)), Further: hdl.Bits(1), More: hdl.Bits(1)}
	}
	return t
}

// pieceEnd is how a piece ends.
type pieceEnd struct {
	More   hdl.Value // another piece follows
	Shares hdl.Value // in the last beat of this one
}

func pieceEndOf(c engine.Config) any {
	if !engine.Lists(c) {
		return nil
	}
	return &pieceEnd{hdl.Bits(1), hdl.Bits(1)}
}

// shares is 1 for a request that leaves its last beat to the next one.
func shares(end any) hdl.Value { return end.(*pieceEnd).Shares }

// TxPayloadEnd says how the piece ends whose last beat leaves.
type TxPayloadEnd struct {
	More   hdl.Out `doc:"in the last beat: another piece of the segment follows"`
	Shares hdl.Out `doc:"the same: and begins in this beat of the segment"`
}

// txEndWires carry a [TxPayloadEnd].
type txEndWires struct{ more, shares hdl.Wire }

func newTxEndWires(m *hdl.Module) txEndWires {
	return txEndWires{m.Wire("came_more", 1), m.Wire("came_shares", 1)}
}

// joinedPayload is payload by segments.
type joinedPayload struct{ valid, data, last, failed hdl.Value }

// join makes beats of segments of those of pieces: octets outside a piece are zero, and a beat that two pieces share is kept until the second
// one arrives. One cycle later.
func (w txPayloadWires) join(m *hdl.Module, end txEndWires) joinedPayload {
	m.Section("Pieces, joined")
	more := m.Let("piece_goes_on", w.last.And(end.more.Value))
	keeps := m.Let("beat_is_kept", hdl.AllOf(w.valid.Value, more, end.shares.Value))
	kept, failed := m.Reg("kept_octets_q", w.data.Width(), hdl.ResetTo(0)), m.Reg("kept_failed_q", 1, hdl.ResetTo(0))
	octets := m.Let("joined_octets", w.data.Or(kept.Value))
	fails := m.Let("joined_failed", w.failed.Or(failed.Value))
	valid, data, last, isFailed := m.Reg("joined_valid_q", 1, hdl.ResetTo(0)), m.Reg("joined_data_q", w.data.Width(), hdl.NoReset), m.Reg("joined_last_q", 1, hdl.NoReset), m.Reg("joined_failed_q", 1, hdl.NoReset)
	m.OnClock(valid.Set(w.valid.And(keeps.Not())), data.Set(octets), last.Set(w.last.And(more.Not())), isFailed.Set(fails),
		hdl.If(w.valid.Value, kept.Set(octets.And(keeps.Replicate(octets.Width()))), hdl.If(w.last.Value, failed.Set(fails.And(more)))))
	return joinedPayload{valid.Value, data.Value, last.Value, isFailed.Value}
}
