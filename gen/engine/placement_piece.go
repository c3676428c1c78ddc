package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// PlacementPiece is what a placement says that may be of a part of a packet's payload. All pieces of a packet are placed like one: they count,
// and fail, with the last one.
type PlacementPiece struct {
	From hdl.Value `doc:"octet of its first beat of payload with which it begins; 0 unless it has but one"`
	More hdl.Value `doc:"1: another piece of the same packet follows"`
}

// PlacementPieceOf is the prototype of a placement that may be a piece.
func PlacementPieceOf(c Config) Placement {
	p := PlacementOf(c.Streams)
	p.Piece = &PlacementPiece{From: hdl.Bits(block.IndexWidth(c.BusBytes)), More: hdl.Bits(1)}
	return p
}
