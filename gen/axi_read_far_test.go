package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/block"
)

// Nothing is lost, changed or delivered twice, and data reach the side that asked for them, even if they are interleaved.
func TestAXIReadFarUnderStalls(t *testing.T) {
	twoReaders(t, block.AXIReadFar(16), "near", "far")
}

// Waiting sides take turns, and an idle one costs nothing.
func TestAXIReadFarTurns(t *testing.T) {
	b := openRig(t, block.AXIReadFar(8), 1)
	var sides []int
	onBeat(b, "m_axi_ar", func(a readBurst) { sides = append(sides, a.ArID>>block.AXIIDBits) })
	for range 4 {
		send(b, "near_ar", readBurst{})
		send(b, "far_ar", readBurst{})
	}
	for range 8 {
		b.step()
	}
	assert.Equal(t, []int{0, 1, 0, 1, 0, 1, 0, 1}, sides)
	for range 3 {
		send(b, "far_ar", readBurst{})
	}
	for range 3 {
		b.step()
	}
	assert.Equal(t, []int{1, 1, 1}, sides[8:])
}
