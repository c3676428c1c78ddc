package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Nothing is lost, changed or delivered twice, and data reach the side that asked for them, even if they are interleaved.
func TestAXIReadJoinUnderStalls(t *testing.T) {
	twoReaders(t, block.AXIReadJoin(16), "first", "second")
}

// twoReaders sends bursts of both sides to a block, at random, and data back. The second side is always ready, and the top bit of its identifier is 1.
func twoReaders[P any](t *testing.T, arbiter hdl.Block[P], names ...string) {
	bursts := [2][]readBurst{}
	bursts[0], bursts[1] = readBursts(500)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, arbiter, 1)
		b.stall(idle, pressure)
		b.stream(names[1] + "_r").chance = 0
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
		for i, name := range names {
			send(b, name+"_ar", bursts[i]...)
		}
		b.rest(300)
		for i, name := range names {
			same(t, bursts[i], asked[i])
			same(t, data[i], received[readBeat](b, name+"_r"))
		}
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
