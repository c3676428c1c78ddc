package flush

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// FlushRequest asks for Length octets of memory, starting at Address, to be made persistent, globally visible, or both. Everything that
// was placed before it on its stream has been acknowledged by memory.
type FlushRequest struct {
	Stream     hdl.Value `doc:"number of the stream"`
	Number     hdl.Value `doc:"of the request, for its credit"`
	Tag        any       `hdl:"-"` // what the profile needs for the response
	Address    hdl.Value `doc:"of the first octet in memory"`
	Length     hdl.Value `doc:"octets, 32 bits, may be 0"`
	Type       hdl.Value `doc:"of the region, as registered: 0 plain, 1 flushable, 2 peer-to-peer"`
	Persistent hdl.Value `doc:"1: the octets have to become persistent"`
	Visible    hdl.Value `doc:"1: the octets have to become globally visible"`
}

// TypeBits is the width of the type of a region.
const TypeBits = 2

// FlushRequestOf is the prototype. The tag is that of the profile.
func FlushRequestOf(c engine.Config, tag any) FlushRequest {
	return FlushRequest{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(engine.NumberBits(c)), Tag: tag, Address: hdl.Bits(64),
		Length: hdl.Bits(32), Type: hdl.Bits(TypeBits), Persistent: hdl.Bits(1), Visible: hdl.Bits(1)}
}

// FlushResponse is the outcome of a FlushRequest, with its Stream, Number and Tag.
type FlushResponse struct {
	Stream hdl.Value `doc:"number of the stream"`
	Number hdl.Value `doc:"of the request"`
	Tag    any       `hdl:"-"` // of the request
	Failed hdl.Value `doc:"1: the platform could not flush"`
}

// FlushResponseOf is the prototype.
func FlushResponseOf(c engine.Config, tag any) FlushResponse {
	return FlushResponse{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(engine.NumberBits(c)), Tag: tag, Failed: hdl.Bits(1)}
}
