package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/block"
)

// Nothing is lost, changed or delivered twice, and data reach the side that asked for them, even if they are interleaved.
func TestAXIReadJoinUnderStalls(t *testing.T) {
	first, second := readBursts(500)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, block.AXIReadJoin(16), 1)
		b.stall(idle, pressure)
		b.stream("second_r").chance = 0
		var asked [2][]readBurst
		var data [2][]readBeat
		onBeat(b, "m_axi_ar", func(a readBurst) {
			side := a.ArID >> block.AXIIDBits
			asked[side] = append(asked[side], a)
			for i := range a.ArLen + 1 {
				beat := readBeat{RID: a.ArID, RData: noise(b.rand, 16), RResp: b.rand.IntN(4), RLast: i == a.ArLen}
				send(b, "m_axi_r", beat)
				beat.RID &= 1<<block.AXIIDBits - 1
				data[side] = append(data[side], beat)
			}
		})
		send(b, "first_ar", first...)
		send(b, "second_ar", second...)
		b.rest(300)
		same(t, first, asked[0])
		for i := range asked[1] {
			asked[1][i].ArID &= 1<<block.AXIIDBits - 1
		}
		same(t, second, asked[1])
		same(t, data[0], received[readBeat](b, "first_r"))
		same(t, data[1], received[readBeat](b, "second_r"))
	})
}

// The second side has what the first one leaves; a burst of it goes first once the first side was granted 32 times the longest burst, and
// then 32 times the beats of the burst before.
func TestAXIReadJoinTurns(t *testing.T) {
	for _, row := range []struct{ most, between int }{{127, 64}, {15, 512}, {0, 8192}} {
		t.Run(fmt.Sprintf("%d beats", row.most+1), func(t *testing.T) {
			b := openRig(t, block.AXIReadJoin(8), 1)
			var at []int
			n := 0
			onBeat(b, "m_axi_ar", func(a readBurst) {
				if a.ArID>>block.AXIIDBits == 1 {
					at = append(at, n)
					for i := range a.ArLen + 1 {
						send(b, "m_axi_r", readBeat{RID: a.ArID, RData: make([]byte, 8), RLast: i == a.ArLen})
					}
				}
				n++
			})
			const beats = 8 // of a burst of the second side: few, also while the one before is in progress
			k, next := row.between, 32*beats/(row.most+1)
			for range k + 2*next + 1 {
				send(b, "first_ar", readBurst{ArLen: row.most})
			}
			for range 6 {
				send(b, "second_ar", readBurst{ArLen: beats - 1})
			}
			b.rest(20)
			assert.Equal(t, []int{k, k + next + 1, k + 2*next + 2}, at[:3])
			rest := k + 2*next + 4
			assert.Equal(t, []int{rest, rest + 1, rest + 2}, at[3:], "when the first side has none")
		})
	}
}

// While the first side reads, the second one begins a burst only while less than 16 beats of it are in progress; once the first one has been
// quiet for 128 cycles, at any time.
func TestAXIReadJoinWaits(t *testing.T) {
	b := openRig(t, block.AXIReadJoin(8), 1)
	var at []int // cycles
	onBeat(b, "m_axi_ar", func(a readBurst) {
		if a.ArID>>block.AXIIDBits == 1 {
			at = append(at, b.cycle)
		}
	})
	steps := func(n int) {
		for range n {
			b.step()
		}
	}
	ask := func(lengths ...int) {
		send(b, "first_ar", readBurst{})
		steps(5)
		for _, n := range lengths {
			send(b, "second_ar", readBurst{ArLen: n - 1})
		}
		steps(20)
	}
	answer := func(beats int) {
		for range beats {
			send(b, "m_axi_r", readBeat{RID: 1 << block.AXIIDBits, RData: make([]byte, 8)})
		}
		steps(beats + 5)
	}
	ask(1, 30, 16, 1)
	assert.Len(t, at, 3, "31 beats are few, 47 are not")
	answer(15)
	assert.Len(t, at, 3)
	answer(1)
	assert.Len(t, at, 4)
	ask(16, 1)
	assert.Len(t, at, 4)
	steps(128)
	assert.Len(t, at, 6, "the first side is quiet")
	assert.Equal(t, at[4]+2, at[5])
}
