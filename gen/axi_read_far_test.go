package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/block"
)

// Nothing is lost, changed or delivered twice, and data reach the side that asked for them, even if they are interleaved.
func TestAXIReadFarUnderStalls(t *testing.T) {
	near, far := readBursts(500)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, block.AXIReadFar(16), 1)
		b.stall(idle, pressure)
		b.stream("far_r").chance = 0
		var asked [2][]readBurst
		var data [2][]readBeat
		onBeat(b, "m_axi_ar", func(a readBurst) {
			side := a.ArID >> block.AXIIDBits
			for i := range a.ArLen + 1 {
				beat := readBeat{RID: a.ArID, RData: noise(b.rand, 16), RResp: b.rand.IntN(4), RLast: i == a.ArLen}
				send(b, "m_axi_r", beat)
				beat.RID &= 1<<block.AXIIDBits - 1
				data[side] = append(data[side], beat)
			}
			a.ArID &= 1<<block.AXIIDBits - 1
			asked[side] = append(asked[side], a)
		})
		send(b, "near_ar", near...)
		send(b, "far_ar", far...)
		b.rest(300)
		same(t, near, asked[0])
		same(t, far, asked[1])
		same(t, data[0], received[readBeat](b, "near_r"))
		same(t, data[1], received[readBeat](b, "far_r"))
	})
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
