package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// AtomicRetire reports one executed atomic in each cycle in which Valid is 1, no later than one cycle after its response is offered, and
// before its write is. Atomics are reported in the order in which they take effect.
type AtomicRetire struct {
	Valid    hdl.Out `doc:"an atomic takes effect in this cycle"`
	Stream   hdl.Out `doc:"number of the stream"`
	Opcode   hdl.Out `doc:"AOpCode"`
	Address  hdl.Out `doc:"address of the word in memory"`
	Original hdl.Out `doc:"word before the atomic; 0 if it failed"`
	Result   hdl.Out `doc:"word after it; 0 if it failed"`
	Failed   hdl.Out `doc:"memory did not deliver the word: nothing took effect"`
}

func AtomicRetireOf(streams int) *AtomicRetire {
	return &AtomicRetire{Valid: hdl.NewOut(1), Stream: hdl.NewOut(block.IndexWidth(streams)), Opcode: hdl.NewOut(4),
		Address: hdl.NewOut(64), Original: hdl.NewOut(64), Result: hdl.NewOut(64), Failed: hdl.NewOut(1)}
}
