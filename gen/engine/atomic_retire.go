package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// AtomicRetire reports one executed atomic, in the clock in which Valid is 1: not later than its answer and its write
// are offered. The order of the reports is the order in which the atomics take effect.
type AtomicRetire struct {
	Valid    hdl.Out `doc:"an atomic takes effect in this clock"`
	Stream   hdl.Out `doc:"number of the stream"`
	Opcode   hdl.Out `doc:"AOpCode"`
	Address  hdl.Out `doc:"address of the word in memory"`
	Original hdl.Out `doc:"word before the atomic; 0 when failed"`
	Result   hdl.Out `doc:"word after it; 0 when failed"`
	Failed   hdl.Out `doc:"the memory did not deliver the word: nothing took effect"`
}

func AtomicRetireOf(streams int) *AtomicRetire {
	return &AtomicRetire{Valid: hdl.NewOut(1), Stream: hdl.NewOut(block.IndexWidth(streams)), Opcode: hdl.NewOut(4),
		Address: hdl.NewOut(64), Original: hdl.NewOut(64), Result: hdl.NewOut(64), Failed: hdl.NewOut(1)}
}
