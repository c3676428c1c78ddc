package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/flush"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// traffic queues writes and reads of the RNIC, and returns what has to reach memory.
func (b *adapterRig) traffic(n int) (aw []awBeat, w []wBeat, ar []readBurst) {
	for i := range n {
		aw = append(aw, awBeat{AwID: b.rand.IntN(2), AwAddr: b.rand.Uint64(), AwLen: b.rand.IntN(4), AwSize: b.rand.IntN(8), AwBurst: 1})
		w = append(w, wBeat{WData: noise(b.rand, b.bus), WStrb: noise(b.rand, b.bus/8), WLast: i%3 == 0})
		ar = append(ar, readBurst{ArID: b.rand.IntN(3), ArAddr: b.rand.Uint64(), ArLen: b.rand.IntN(4), ArSize: b.rand.IntN(8), ArBurst: 1})
	}
	send(b.rig, "s_axi_aw", aw...)
	send(b.rig, "s_axi_w", w...)
	send(b.rig, "s_axi_ar", ar...)
	return aw, w, ar
}

// randomFlush is of no octet to a few pages, next to the limits of pages and beats.
func (b *adapterRig) randomFlush() {
	length := []uint32{0, 1, uint32(b.bus), 4096, 4097, 1 + b.rand.Uint32N(20000)}[b.rand.IntN(6)]
	address := operand(b.rand)>>1 + []uint64{0, 1, uint64(b.bus) - 1, 4095}[b.rand.IntN(4)]
	b.flush(address, length)
}

// A flush is done when all writes before it are answered and its reads are back, whatever memory does; all else passes unchanged.
func TestFlushAdapterUnderStalls(t *testing.T) {
	for _, bus := range block.BusWidths {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			for _, latency := range []int{1, 60} {
				b := openAdapter(t, bus, uint64(bus+latency))
				b.stall(idle, pressure)
				b.latency = latency
				b.fails = func(address uint64) bool { return address>>12%5 == 0 }
				_, w, ar := b.traffic(150)
				for range 40 {
					b.randomFlush()
				}
				b.finish()
				same(t, w, received[wBeat](b.rig, "m_axi_w"))
				same(t, ar, b.asked)
				same(t, b.given, received[readBeat](b.rig, "s_axi_r"))
				assert.Len(t, received[bBeat](b.rig, "s_axi_b"), 150)
			}
		})
	}
}

// Writes without a pause, of which some are always in progress, do not delay a flush for longer than those before it take.
func TestFlushAdapterBusyStream(t *testing.T) {
	b := openAdapter(t, 64, 1)
	b.latency = 100
	b.traffic(3000)
	for b.cycle < 2500 {
		b.step()
		if b.cycle%100 == 50 {
			b.flush(uint64(b.cycle)<<12, 64)
		}
	}
	require.NotEmpty(t, b.owedB[0])
	for _, f := range b.flushes[:20] {
		require.NotZero(t, f.over)
		assert.NotEmpty(t, f.needs)
		last := 0
		for _, w := range f.needs {
			last = max(last, b.writes[w].answered)
		}
		assert.Less(t, f.over-max(last, f.at), 120, "after the last write before it, and its own read")
	}
}

// While flushes read without a pause, the addresses of the RNIC wait a cycle at most, and its writes pass at full rate.
func TestFlushAdapterHoldsUpNobody(t *testing.T) {
	b := openAdapter(t, 64, 1)
	b.traffic(1000)
	for i := range 10 {
		b.flush(uint64(i)<<32, 1<<22)
	}
	for range 1500 {
		b.step()
	}
	gapless(t, b.stream("s_axi_aw").at)
	gapless(t, b.stream("s_axi_w").at)
	at := b.stream("s_axi_ar").at
	for i := 1; i < len(at); i++ {
		require.LessOrEqual(t, at[i]-at[i-1], 2)
	}
	assert.Greater(t, len(at), 700)
}

// With nothing else, a flush reads in the fifth cycle after it was offered, and is done a cycle after its data.
func TestFlushAdapterLatency(t *testing.T) {
	b := openAdapter(t, 64, 1)
	b.flush(0x12345, 1)
	b.finish()
	assert.Equal(t, []int{5}, b.stream("m_axi_ar").at)
	assert.Equal(t, b.stream("m_axi_r").at[0]+1, b.flushes[0].over)
}

// With memory that answers at once, a flush of one page is done in every cycle, even if all begin at the start of a page.
func TestFlushAdapterRate(t *testing.T) {
	b := openAdapter(t, 64, 1)
	for i := range 300 {
		b.flush(uint64(i)<<12, uint32(i%2))
	}
	b.finish()
	gapless(t, b.stream("m_axi_ar").at)
	gapless(t, b.stream("m_axis_flush_done").at)
}

// While nobody takes what is done, no more flushes are read for than there is room for their answers; writes and reads pass.
func TestFlushAdapterWaitsForRoom(t *testing.T) {
	b := openAdapter(t, 64, 1)
	b.traffic(200)
	b.stream("m_axis_flush_done").chance = 256
	for i := range 60 {
		b.flush(uint64(i)<<12, 64)
	}
	for range 500 {
		b.step()
	}
	assert.Len(t, b.asked, 200)
	assert.Len(t, b.writes, 200)
	assert.Less(t, b.taken, 40)
	b.stream("m_axis_flush_done").chance = 0
	b.finish()
}

// A flush whose reads wait for those of others is not delayed by the writes that pass it, however many these are.
func TestFlushAdapterManyWritesPass(t *testing.T) {
	for _, id := range []int{0, 1} {
		b := openAdapter(t, 8, 1)
		b.stream("m_axi_ar").chance = 256
		for i := range 6 {
			b.flush(uint64(i)<<12, 8)
		}
		for range 1<<15 + 20 {
			send(b.rig, "s_axi_aw", awBeat{AwID: id, AwBurst: 1})
			b.step()
		}
		require.Len(t, b.flushes, b.taken)
		b.stream("m_axi_ar").chance = 0
		b.finish()
	}
}

// A flush whose octets end after 2^32 octets from the start of its first page reads in all of its pages.
func TestFlushAdapterLongestRange(t *testing.T) {
	for _, row := range []struct {
		address uint64
		length  uint32
	}{{4095, 1<<32 - 1}, {2, 1<<32 - 1}, {1<<64 - 1<<32, 1<<32 - 1}, {1<<32 - 4096, 1<<31 + 1}} {
		b := openAdapter(t, 128, 1)
		b.flush(row.address, row.length)
		for range 600 {
			b.step()
		}
		assert.Zero(t, b.done)
		assert.Greater(t, len(b.stream("m_axi_ar").at), 500, "from %#x", row.address)
	}
}

func TestFlushAdapterVerilogIsClean(t *testing.T) {
	t.Parallel()
	for _, bus := range block.BusWidths {
		d, err := hdl.Compile(flush.FlushAdapter(bus))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}
