package rnic

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// The report of a placement in far memory is that of the stream's oldest one, even of one that began before the stream was opened again.
func TestTracerOfReopenedStreams(t *testing.T) {
	c := gen.Default()
	c.FarMemoryBit = 32
	for _, placed := range []int{0, 1, 2} {
		tr := newTracer(c)
		write := step{kind: retireArrived, opcode: spec.Write.Opcode(), last: true, payload: true}
		placing := step{kind: retirePlacing, far: true}
		found := tr.add([]step{write, placing})
		tr.open(0)
		steps := []step{write, placing, {kind: retireArrived, opcode: spec.Immediate.Opcode(), last: true}}
		for range placed {
			steps = append(steps, step{kind: retireFarPlaced, far: true})
		}
		steps = append(steps, step{kind: retireDelivered, what: engine.DeliverReceive})
		for range 2 - placed {
			steps = append(steps, step{kind: retireFarPlaced, far: true})
		}
		for i := range steps {
			steps[i].clock = uint64(1 + i)
		}
		found = append(found, tr.add(steps)...)
		assert.Equal(t, placed < 2, len(found) > 0, "%d placed: %v", placed, found)
	}
}
