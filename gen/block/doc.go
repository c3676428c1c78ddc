// Package block is the library for the blocks of the engine. It is independent of any protocol.
package block

import "github.com/rnicgen/rnicgen/hdl"

// Word is a beat of any bundle, packed into one value.
type Word struct {
	Data hdl.Value `doc:"one beat"`
}

// defaultWidth and defaultDepth are the printed defaults of parameters; every instance overrides them.
const (
	defaultWidth = 64
	defaultDepth = 16
)

func widthOf(width hdl.Size) hdl.Parameter {
	return hdl.NewParameter("WIDTH", "bits of a beat", width, defaultWidth)
}

func depthOf(depth hdl.Size) hdl.Parameter {
	return hdl.NewParameter("DEPTH", "beats in memory: a power of two, at least 2", depth, defaultDepth)
}
