package gosim

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/engine/internal/enginetest"
	"github.com/rnicgen/rnicgen/cosim/engine/internal/testdesign"
)

func TestEngine(t *testing.T) { enginetest.Conform(t, Open) }

func TestWhatTheGoEngineCannotDo(t *testing.T) {
	_, err := Open(testdesign.Widen(), engine.Options{})
	assert.EqualError(t, err, "widen exists as Verilog only: the go engine cannot run it")
	_, err = Open(testdesign.FIFO(), engine.Options{Trace: "a.vcd"})
	assert.EqualError(t, err, "trace file a.vcd: the go engine writes no traces; the verilator engine does")
	_, err = Open(testdesign.FIFO(), engine.Options{RandomInit: true})
	assert.EqualError(t, err, "fifo: the go engine starts from the state which Design.Simulate gives")
}
