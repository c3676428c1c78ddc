package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// fence posts a fenced work request after a Read, which is over some cycles later.
func (g *initiatorRig) fence(s, delay int, change func(w *model.WorkRequest)) {
	read, fenced := g.write(s, 8), g.write(s, 8)
	read.Kind, read.Local[0].Key, read.Local[0].VA = spec.Read, sinkKey, sinkBase
	g.post(s, read)
	g.check()
	fenced.Fence = true
	change(&fenced)
	g.post(s, fenced)
	g.step(delay)
	g.complete(s, g.qps[s].opens()[0])
	g.check()
}

// What a QP waits for arrives in any cycle after its message: credits, a completion in a full window, a response for a Fence. Nothing else
// happens that could wake it.
func TestInitiatorFreedAtAnyCycle(t *testing.T) {
	t.Parallel()
	c := newInitiatorConfig()
	c.window, c.ord, c.errors = 2, 2, spec.CompleteInError
	one := spec.Credits{RequestTxPackets: 1, RequestTxBuffers: 2, RequestRxPackets: 1, RequestRxBuffers: 2}
	for name, run := range map[string]func(g *initiatorRig, s int, delay int){
		"credits": func(g *initiatorRig, s, delay int) {
			g.post(s, g.write(s, 2*c.mtu))
			g.step(delay)
			push(g.bench, "credits", returnedBeat{g.cid(s), creditsOf(one)})
			g.m.Return(g.qps[s].number, one)
			g.check()
			g.m.Return(g.qps[s].number, one)
			push(g.bench, "credits", returnedBeat{g.cid(s), creditsOf(one)})
		},
		"window": func(g *initiatorRig, s, delay int) {
			g.post(s, g.write(s, 2*c.mtu))
			g.check()
			g.post(s, g.write(s, 8))
			g.step(delay)
			g.complete(s, g.qps[s].opens()[0])
			g.check()
		},
		"Fence":       func(g *initiatorRig, s, delay int) { g.fence(s, delay, func(*model.WorkRequest) {}) },
		"unfit Fence": func(g *initiatorRig, s, delay int) { g.fence(s, delay, func(w *model.WorkRequest) { g.spoil(s, w) }) },
	} {
		t.Run(name, func(t *testing.T) {
			c := c
			if name == "credits" {
				c.credits = one
			}
			g := newInitiatorRig(t, c, 1)
			for delay := range 60 {
				s := delay % c.streams
				run(g, s, delay)
				for _, rsn := range g.qps[s].opens() {
					g.complete(s, rsn)
				}
				g.check()
				require.Empty(t, g.qps[s].posted, "delay %d", delay)
			}
		})
	}
}

// Messages of a QP in Error are dropped when its packets have left, be they as many as the window has: a later life of the QP never meets them.
func TestInitiatorDropsAfterPackets(t *testing.T) {
	t.Parallel()
	c := newInitiatorConfig()
	c.window = 64
	for _, n := range []int{2, c.window} {
		g := newInitiatorRig(t, c, 1)
		push(g.bench, "message", g.message(1, g.write(1, (n+1)*c.mtu)))
		if n < c.window {
			push(g.bench, "message", g.message(1, g.write(1, 8)))
		}
		g.run()
		packets := take[sentMessageBeat](g.bench, "packet")
		require.GreaterOrEqual(t, len(packets), n)
		push(g.bench, "ended", endedStreamBeat{1})
		for _, p := range packets {
			g.run()
			require.Empty(t, g.reports())
			push(g.bench, "left", leftBeat{Stream: 1, Kind: p.Kind, Final: true})
		}
		g.run()
		reports := g.reports()
		require.NotEmpty(t, reports)
		require.Equal(t, workReportBeat{Stream: 1, Kind: int(packets[0].Kind), Final: true, Dropped: true}, reports[0])
		push(g.bench, "message", g.message(1, g.write(1, 8))) // on its way when the QP ended
		g.run()
		require.Len(t, g.reports(), 1)
		require.Empty(t, take[sentMessageBeat](g.bench, "packet"))
	}
}

// A set-up arrives while the QP has a token after the turns of others, because what was posted last was dropped with what was before it:
// nothing of that is sent.
func TestInitiatorSetsUpBehindTurns(t *testing.T) {
	t.Parallel()
	c := newInitiatorConfig()
	c.streams, c.window, c.ord, c.depth = 16, 64, 4, 8
	const s = 1
	for delay := 40; delay < 240; delay += 8 {
		g := newInitiatorRig(t, c, 1)
		push(g.bench, "ended", endedStreamBeat{s})
		g.run()
		for other := range c.streams {
			if other != s {
				push(g.bench, "message", g.message(other, g.write(other, c.window*c.mtu)))
			}
		}
		g.step(100)
		push(g.bench, "message", g.message(s, g.write(s, 8)))
		g.step(delay)
		push(g.bench, "message", g.message(s, g.write(s, 8)))
		for dropped := 0; dropped < 2; g.step(1) {
			dropped += len(g.reports())
		}
		g.connect(s)
		packets := take[sentMessageBeat](g.bench, "packet")
		for _, p := range packets {
			require.NotEqual(t, s, p.Stream, "delay %d", delay)
		}
		require.Len(t, packets, (c.streams-1)*c.window)
		push(g.bench, "message", g.message(s, g.write(s, 8)))
		g.run()
		packets = take[sentMessageBeat](g.bench, "packet")
		require.Len(t, packets, 1, "delay %d", delay)
		require.Equal(t, g.firstRSN[s], packets[0].RSN)
	}
}
