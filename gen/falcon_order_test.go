package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
)

// openScores opens all QPs in a mode.
func openScores(t testing.TB, c scoreRun, mode int, verbs bool) (*scoreBench, []*scorePeer) {
	b := openScore(t, scoreConfig(c.streams, c.window, c.ird, c.depth), 1)
	b.windowOf = c.window
	var peers []*scorePeer
	for i := range c.streams {
		p := &scorePeer{b: b, rand: b.rand, stream: i}
		p.open(mode, verbs)
		peers = append(peers, p)
	}
	b.rest(2 * c.streams)
	for _, s := range b.order {
		s.at = nil
	}
	return b, peers
}

// only is a Send Only with an SN and an RMSN.
func (p *scorePeer) only(sn, rmsn uint32) scoreArrival {
	a := p.blank()
	p.answer(&a, 1)
	a.Counts, a.SN = true, sn
	a.Part = scorePart{Send: true, Starts: true, Ends: true, Receives: true, RMSN: rmsn, ID: p.id(rmsn), Octets: 8}
	return a
}

// late are the numbers from 1 to n, each span of them with the first one last.
func late(n, span int) (list []uint32) {
	for first := 1; first <= n; first += span {
		for i := 1; i <= span; i++ {
			list = append(list, uint32(first+i%span))
		}
	}
	return list
}

// reversed are the numbers from 1 to n, each span of them backwards.
func reversed(n, span int) (list []uint32) {
	for first := 1; first <= n; first += span {
		for i := span - 1; i >= 0; i-- {
			list = append(list, uint32(first+i))
		}
	}
	return list
}

// gaps counts the cycles between the first and the last handshake in which there was none.
func (b *scoreBench) gaps(stream string) int {
	at := b.stream(stream).at
	return at[len(at)-1] - at[0] + 1 - len(at)
}

// A QP whose packets arrive in any order loses no cycle, whatever its mode: messages of one packet arrive one per cycle.
func TestFalconOrderFullRate(t *testing.T) {
	for mode, name := range []string{"strong", "weak", "unordered", "datagrams"} {
		for _, order := range []string{"in order", "first one last", "reversed"} {
			if order != "in order" && (mode == scoreStrong || mode == scoreDatagrams) {
				continue
			}
			t.Run(name+", "+order, func(t *testing.T) {
				b, peers := openScores(t, scoreRun{streams: 2, window: 64, ird: 8, depth: 256}, mode, false)
				numbers := map[string][]uint32{"in order": late(512, 1), "first one last": late(512, 64), "reversed": reversed(512, 64)}[order]
				for _, n := range numbers {
					peers[0].send(peers[0].only(n, n))
				}
				b.end()
				assert.Zero(t, b.gaps("arrival"), "a cycle is lost")
				at := b.stream("deliver").at
				assert.Equal(t, 7, at[0]-b.stream("arrival").at[0], "latency")
				if mode != scoreWeak || order == "in order" {
					assert.Zero(t, b.gaps("deliver"))
					assert.Len(t, at, len(numbers))
				}
				t.Logf("%d packets, %d cycles in, %d out", len(numbers), len(numbers)+b.gaps("arrival"), at[len(at)-1]-b.stream("arrival").at[0])
			})
		}
	}
}

// After the missing SN has arrived, those that waited follow at one per cycle.
func TestFalconOrderDrain(t *testing.T) {
	for _, window := range []int{2, 8, 64, 256} {
		b, peers := openScores(t, scoreRun{streams: 4, window: window, ird: 8, depth: 256}, scoreWeak, false)
		for n := 2; n <= window; n++ {
			peers[0].send(peers[0].only(uint32(n), uint32(n)))
		}
		b.rest(20)
		before := len(b.stream("deliver").at)
		peers[0].send(peers[0].only(1, 1))
		b.end()
		at := b.stream("deliver").at[before:]
		require.Len(t, at, window)
		arrived := b.stream("arrival").at[window-1]
		t.Logf("window %d: the first after %d cycles, the last after %d", window, at[0]-arrived, at[window-1]-arrived)
		assert.LessOrEqual(t, at[window-1]-at[0], window+6)
		assert.Equal(t, window-2, at[window-1]-at[1], "one per cycle")
	}
}

// Many QPs whose packets arrive in any order, one packet per cycle: what they lose together is bounded, and nothing waits forever.
func TestFalconOrderManyAtOnce(t *testing.T) {
	for _, streams := range []int{2, 8, 64} {
		for _, span := range []int{2, 16, 64} {
			b, peers := openScores(t, scoreRun{streams: streams, window: 64, ird: 8, depth: 256}, scoreWeak, false)
			numbers := late(256, span)
			for _, n := range numbers {
				for _, p := range peers {
					p.send(p.only(n, n))
				}
			}
			b.end()
			packets := len(numbers) * streams
			t.Logf("%d QPs, %d packets in any order: %d packets in %d cycles", streams, span, packets, packets+b.gaps("arrival"))
			assert.Less(t, b.gaps("arrival"), packets/8+1)
		}
	}
}

// While another QP uses every cycle, in order or not, what waits goes on.
func TestFalconOrderPatience(t *testing.T) {
	for _, span := range []int{1, 64} {
		b, peers := openScores(t, scoreRun{streams: 4, window: 64, ird: 8, depth: 256}, scoreWeak, false)
		numbers := late(2048, span)
		for _, n := range numbers[:2*span] {
			peers[1].send(peers[1].only(n, n))
		}
		for _, n := range late(64, 64) {
			peers[0].send(peers[0].only(n, n))
		}
		for _, n := range numbers[2*span:] {
			peers[1].send(peers[1].only(n, n))
		}
		last := 0
		b.delivers = func(d scoreDelivery) {
			if d.Request.Stream == 0 {
				last = b.cycle
			}
		}
		b.end()
		after := last - b.stream("arrival").at[2*span+63]
		t.Logf("another QP, %d packets in any order: the 64th completion came %d cycles after the missing packet", span, after)
		assert.LessOrEqual(t, after, 63*(1+8)+63*(1+8)/16*4, "8 arrivals pass for each step, and a few more for each turn")
	}
}

// So it does while the QP itself uses every cycle for responses to its own pulls, beside which nothing can take effect.
func TestFalconOrderPatienceWithItself(t *testing.T) {
	b, peers := openScores(t, scoreRun{streams: 4, window: 64, ird: 8, depth: 256}, scoreWeak, false)
	p, last := peers[0], 0
	for _, n := range late(64, 64) {
		p.send(p.only(n, n))
	}
	for range 2048 {
		a := p.blank()
		a.Kind = scoreReturn
		p.send(a)
	}
	b.delivers = func(d scoreDelivery) {
		if d.Kind&scoreReceive != 0 {
			last = b.cycle
		}
	}
	b.end()
	after := last - b.stream("arrival").at[63]
	t.Logf("the 64th completion came %d cycles after the missing packet", after)
	assert.LessOrEqual(t, after, 64*(1+8)+8)
}

// An SN for which there is no room, or that has taken effect, ends the QP (rule SNGap).
func TestFalconOrderBeyond(t *testing.T) {
	for _, c := range [][2]int{{2, 4}, {64, 4}, {2, 512}, {8, 64}} { // window, receives
		window := c[0]
		for _, sn := range []uint32{uint32(2*window) + 1, uint32(3 * window)} {
			b, peers := openScores(t, scoreRun{streams: 2, window: window, ird: 1, depth: c[1]}, scoreWeak, false)
			var got []scoreFailure
			onBeat(b.rig, "failed", func(f scoreFailure) { got = append(got, f) })
			var completed []uint64
			b.delivers = func(d scoreDelivery) {
				if d.Kind&scoreReceive != 0 {
					completed = append(completed, d.ID)
				}
			}
			peers[0].send(peers[0].only(sn, 1))
			b.rest(100)
			assert.Equal(t, []scoreFailure{{0, falcon.FaultWindow}}, got)
			for n := range uint32(2 * window) {
				peers[0].send(peers[0].only(n+1, n+1))
			}
			peers[1].send(peers[1].only(1, 1))
			b.skip = true
			b.rest(100)
			assert.Equal(t, []uint64{peers[1].id(1)}, completed)
			assert.Len(t, got, 1)
		}
	}
}

// The RMSN of a receive wraps at 2^32. The word of the QP is replaced by that of one that has got so far: above its lowest 10 bits are 16 of the RMSN.
func TestFalconOrderRMSNWraps(t *testing.T) {
	for first := uint32(1<<32 - 40); first > 1<<32-48; first-- {
		b, peers := openScores(t, scoreRun{streams: 2, window: 8, ird: 1, depth: 4}, scoreWeak, true)
		words, err := b.sim.Memory("message")
		require.NoError(t, err)
		words.Set(0, uint64(first&0xFFFF)<<(10+engine.NumberBits(b.c))|uint64(b.qps[0].life))
		b.qps[0].rmsn, b.qps[0].used = first, first-1
		for _, n := range reversed(64, 8) {
			peers[0].send(peers[0].only(n, first+n-1))
		}
		b.end()
		assert.False(t, b.qps[0].stopped)
		a := peers[0].only(65, first^1<<15+64)
		a.Verbs = false
		peers[0].send(a)
		b.end()
		assert.True(t, b.qps[0].stopped, "another RMSN")
	}
}
