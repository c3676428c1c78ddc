package gen_test

import (
	"fmt"
	"testing"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/stretchr/testify/assert"
)

// readBursts returns distinct bursts; the IDs set by the sides are ignored.
func readBursts(n int) (payload, atomics []readBurst) {
	r := random(14)
	one := func(i int) readBurst {
		return readBurst{ArID: r.IntN(2), ArAddr: r.Uint64(), ArLen: i % 4, ArSize: r.IntN(8), ArBurst: r.IntN(4)}
	}
	for i := range n {
		payload, atomics = append(payload, one(r.IntN(4))), append(atomics, one(i))
	}
	return payload, atomics
}

func withID(id int, bursts []readBurst) (list []readBurst) {
	for _, b := range bursts {
		b.ArID = id
		list = append(list, b)
	}
	return list
}

// Nothing is lost or changed, each side keeps its order, data reach the side that requested them, and a waiting side is passed over
// at most once.
func TestAXIReadArbiterUnderStalls(t *testing.T) {
	payload, atomics := readBursts(500)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, block.AXIReadArbiter(16), 1)
		b.stall(idle, pressure)
		b.stream("atomic_r").chance = 0
		var asked [2][]readBurst
		var data [2][]readBeat
		passed, worst := [2]int{}, 0
		onBeat(b, "m_axi_ar", func(a readBurst) {
			asked[a.ArID] = append(asked[a.ArID], a)
			other := b.stream([]string{"atomic_ar", "payload_ar"}[a.ArID])
			passed[a.ArID] = 0
			if other.valid.Get() == 1 {
				passed[1-a.ArID]++
				worst = max(worst, passed[1-a.ArID])
			}
			for i := range a.ArLen + 1 {
				beat := readBeat{RID: a.ArID, RData: noise(b.rand, 16), RResp: b.rand.IntN(4), RLast: i == a.ArLen}
				data[a.ArID] = append(data[a.ArID], beat)
				send(b, "m_axi_r", beat)
			}
		})
		send(b, "payload_ar", payload...)
		send(b, "atomic_ar", atomics...)
		b.rest(300)
		same(t, withID(0, payload), asked[0])
		same(t, withID(1, atomics), asked[1])
		same(t, data[0], received[readBeat](b, "payload_r"))
		same(t, data[1], received[readBeat](b, "atomic_r"))
		assert.Equal(t, 1, worst, "times a waiting side was passed over")
	})
}

// One burst per cycle, in the cycle in which it arrives: the sides alternate if both wait; a single side has every cycle.
func TestAXIReadArbiterTurns(t *testing.T) {
	payload, atomics := readBursts(4)
	for _, row := range []struct {
		says             string
		payload, atomics int
		order            string
	}{
		{"both wait: alternating, payload first after reset", 4, 4, "01010101"},
		{"atomics alone", 0, 4, "1111"},
		{"payload alone", 4, 0, "0000"},
		{"fewer atomics", 4, 1, "01000"},
	} {
		t.Run(row.says, func(t *testing.T) {
			b := openRig(t, block.AXIReadArbiter(64), 1)
			order := ""
			onBeat(b, "m_axi_ar", func(a readBurst) { order += fmt.Sprint(a.ArID) })
			send(b, "payload_ar", payload[:row.payload]...)
			send(b, "atomic_ar", atomics[:row.atomics]...)
			b.rest(10)
			assert.Equal(t, row.order, order)
			gapless(t, b.stream("m_axi_ar").at)
			assert.Equal(t, 0, b.stream("m_axi_ar").at[0])
		})
	}
}

// Data pass at one beat per cycle, in the cycle in which they arrive.
func TestAXIReadArbiterDataRate(t *testing.T) {
	b := openRig(t, block.AXIReadArbiter(8), 1)
	for i := range 100 {
		send(b, "m_axi_r", readBeat{RID: i % 3 % 2, RData: noise(b.rand, 8)})
	}
	b.rest(10)
	gapless(t, b.stream("m_axi_r").at)
	assert.Len(t, b.stream("payload_r").at, 67)
	assert.Equal(t, []int{0, 2, 3, 5}, b.stream("payload_r").at[:4])
	assert.Equal(t, []int{1, 4, 7, 10}, b.stream("atomic_r").at[:4])
}

// Beats of the two IDs arrive in any order, even within bursts: each goes to its side once payload has room.
func TestAXIReadArbiterInterleaved(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, block.AXIReadArbiter(16), 2)
		b.stall(idle, 0)
		b.stream("payload_r").chance = pressure
		var want [2][]readBeat
		for range 500 {
			beat := readBeat{RID: b.rand.IntN(2), RData: noise(b.rand, 16), RResp: b.rand.IntN(4), RLast: b.rand.IntN(3) == 0}
			want[beat.RID] = append(want[beat.RID], beat)
			send(b, "m_axi_r", beat)
		}
		b.rest(20)
		same(t, want[0], received[readBeat](b, "payload_r"))
		same(t, want[1], received[readBeat](b, "atomic_r"))
	})
}

// A reset drops offered bursts and restores the initial turn.
func TestAXIReadArbiterReset(t *testing.T) {
	b := openRig(t, block.AXIReadArbiter(8), 1)
	b.stall(0, 256)
	send(b, "atomic_ar", readBurst{ArAddr: 1})
	for range 5 {
		b.step()
	}
	b.reset()
	b.stall(0, 0)
	send(b, "payload_ar", readBurst{ArAddr: 2})
	send(b, "atomic_ar", readBurst{ArAddr: 3})
	b.rest(10)
	same(t, []readBurst{{ArAddr: 2}, {ArAddr: 3, ArID: 1}}, received[readBurst](b, "m_axi_ar"))
}
