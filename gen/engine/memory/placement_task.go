package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// placementTask is a command, measured. From and Ends are octets of a beat.
type placementTask struct {
	Stream, Discard, Inline, Data hdl.Value
	Pays                          hdl.Value // it has a packet of the payload stream
	Turn                          hdl.Value // code of the rotation of payload
	Beat                          hdl.Value // number of the first beat in memory
	Behind                        hdl.Value // beats behind it: of memory, or of a packet to discard
	From                          hdl.Value // before the first octet of the placement, in its first beat
	Ends                          hdl.Value // up to the last octet, in the last beat; 0: all
	Spills                        hdl.Value // the last beat of memory consists of octets of an earlier payload beat
	Piece                         any       // *taskPiece; nil if each is all of a packet's payload
	Side                          any       // *taskSide; nil if no memory is far
}

// taskSide says in which memory a placement is.
type taskSide struct {
	Far     hdl.Value // its first octet is in far memory
	Crosses hdl.Value // its octets are in near and in far memory
}

// taskPiece is what counts of a [engine.PlacementPiece] once its beats are measured.
type taskPiece struct{ More hdl.Value }

// placementTaskOf is the prototype for commands with pieces like this one, or nil.
func placementTaskOf(c engine.Config, piece any) placementTask {
	bit, place := hdl.Bits(1), block.IndexWidth(c.BusBytes)
	if piece != nil {
		piece = &taskPiece{bit}
	}
	var side any
	if c.HasFar() {
		side = &taskSide{bit, bit}
	}
	return placementTask{Piece: piece, Side: side, Stream: hdl.Bits(block.IndexWidth(c.Streams)), Discard: bit, Inline: bit, Pays: bit, Data: hdl.Bits(64),
		Beat: hdl.Bits(64 - place), Behind: hdl.Bits(17 - place), From: hdl.Bits(place), Ends: hdl.Bits(place), Turn: hdl.Bits(place), Spills: bit}
}

// measurePlacement counts the beats of a command. Octets to discard keep their place.
func measurePlacement(m *hdl.Module, c engine.Placement, config engine.Config) placementTask {
	place := block.IndexWidth(config.BusBytes)
	from := m.Let("from", c.Address.Truncate(place).And(c.Discard.Not().Replicate(place)))
	end := m.Let("end_octet", c.Length.ZeroExtend(17).Add(from.ZeroExtend(17)))
	reach := m.Let("last_octet", end.Minus(1))
	m.Unused("its place in its beat", reach.Truncate(place))
	m.Note("The last beat spills if the octets behind the first beat of payload do not reach it.")
	lastPlace := m.Let("last_place", c.Length.Truncate(place).Minus(1))
	spills := m.Let("end_place", lastPlace.ZeroExtend(place+1).Add(from.ZeroExtend(place+1)))
	m.Unused("only the carry matters", spills.Truncate(place))
	task := placementTask{Stream: c.Stream, Discard: c.Discard, Inline: c.Inline, Pays: c.Inline.Not(), Data: c.Data, Beat: c.Address.Slice(63, place),
		Behind: reach.Slice(16, place), From: from, Turn: block.TurnCode(from), Ends: end.Truncate(place), Spills: spills.Bit(place)}
	if piece, is := c.Piece.(*engine.PlacementPiece); is {
		m.Note("Octets of a piece are turned from their place in payload.")
		task.Turn, task.Piece = block.TurnCode(m.Let("distance", from.Sub(piece.From))), &taskPiece{piece.More}
	}
	if config.HasFar() {
		task.Side = measureSide(m, c, config.FarBit)
	}
	return task
}

// measureSide finds the memory of a placement. Two memories meet where the bits below the far bit are 0.
func measureSide(m *hdl.Module, c engine.Placement, bit int) *taskSide {
	low := min(bit, 16)
	reach := m.Let("reach", c.Address.Truncate(low).ZeroExtend(17).Add(c.Length.ZeroExtend(17)).Minus(1))
	m.Unused("only what crosses a boundary matters", reach.Truncate(low))
	crosses := reach.Slice(16, low).Any()
	if bit > low {
		crosses = crosses.And(c.Address.Slice(bit-1, low).All())
	}
	return &taskSide{Far: c.Address.Bit(bit), Crosses: m.Let("crosses", crosses.And(c.Discard.Not()))}
}
