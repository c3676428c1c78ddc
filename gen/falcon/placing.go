package falcon

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// Placing is what becomes of a packet's payload.
type Placing struct {
	Placement engine.Placement `hdl:"-"`
	List      hdl.Value        `doc:"1: the payload goes to several elements, or is discarded: its parts are on their way"`
}

// PlacingOf is the prototype.
func PlacingOf(c engine.Config) Placing {
	return Placing{Placement: engine.PlacementOf(c.Streams), List: hdl.Bits(1)}
}
