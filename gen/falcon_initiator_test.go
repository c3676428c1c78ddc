package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// steps runs random stimuli. Between two checks there are either those that only let more happen, in any number, or one error.
func (g *initiatorRig) steps(n int) {
	r := g.r
	for range n {
		s := r.IntN(len(g.qps))
		if q := g.qps[s]; g.m.InError(q.number) && len(q.posted) == 0 && r.IntN(3) == 0 {
			if r.IntN(2) == 0 {
				g.begin(s)
			}
			g.connect(s)
		}
		switch r.IntN(9) {
		case 0:
			g.setXoff(!g.xoff)
		case 1:
			if list := g.qps[s].opens(); len(list) > 0 {
				g.fault(s, list[r.IntN(len(list))])
			}
		case 2:
			if r.IntN(8) == 0 {
				g.end(s)
			}
		case 3: // of no open request
			q := g.qps[s]
			rsn := r.Uint32()
			if list := q.opens(); len(list) > 0 {
				rsn = list[len(list)-1] + 1 + r.Uint32N(40)
			}
			push(g.bench, "completed", completedBeat{CID: g.cid(s), RSN: rsn, Code: spec.CompletedNRE})
		case 4: // which ends its QP in its turn, unless others complete in error
			if w := g.work(s); !g.m.InError(g.qps[s].number) && r.IntN(4) == 0 {
				g.spoil(s, &w)
				g.post(s, w)
			}
		default:
			for n := 1 + r.IntN(20); n > 0; n-- {
				s := r.IntN(len(g.qps))
				if g.qps[s].ends { // with what may be its turn
					n = 0
				}
				list := g.qps[s].opens()
				switch k := r.IntN(8); {
				case k < 3:
					if w := g.work(s); !g.m.InError(g.qps[s].number) {
						if g.c.errors == spec.CompleteInError && r.IntN(12) == 0 {
							g.refuse(s)
							g.spoil(s, &w)
						}
						g.post(s, w)
					}
				case k == 3:
					g.giveBack(s, r.IntN(2) == 0)
				case len(list) > 0 && r.IntN(2) == 0:
					g.complete(s, list[0])
				case len(list) > 0:
					g.complete(s, list[r.IntN(len(list))])
				}
			}
		}
		g.check()
		if list := g.qps[s].opens(); len(list) > 0 {
			g.lookUp(s, list[r.IntN(len(list))])
			g.lookUp(s, list[0]-1-r.Uint32N(40))
			g.lookUp(s, list[len(list)-1]+1+r.Uint32N(40))
		}
	}
}

// drain lets everything complete. What waited for credits is sent after their return.
func (g *initiatorRig) drain() {
	g.setXoff(false)
	g.check()
	for range 500 {
		open := false
		for s, q := range g.qps {
			list := q.opens()
			if q.ends && len(list) > 0 { // one by one: any may be its turn
				list = list[:1]
			} else {
				g.giveBack(s, true)
			}
			for _, rsn := range list {
				g.complete(s, rsn)
			}
			open = open || len(q.posted) > 0
		}
		g.check()
		if !open {
			break
		}
	}
	for s, q := range g.qps {
		require.Empty(g.t, q.posted, "QP %d", s)
	}
}

// The packets, refusals to send, reports and failures of falcon_initiator are those of the golden model, whatever completes in whatever
// order, in all modes.
func TestInitiatorAgainstModel(t *testing.T) {
	long.Test(t)
	t.Parallel()
	base := newInitiatorConfig()
	few := spec.Credits{RequestTxPackets: 3, RequestTxBuffers: 5, RequestRxPackets: 4, RequestRxBuffers: 4}
	for name, change := range map[string]func(c *initiatorConfig){
		"default": func(c *initiatorConfig) {},
		"weak":    func(c *initiatorConfig) { c.ordering, c.errors, c.limited = spec.Weak, spec.CompleteInError, true },
		"mirrored": func(c *initiatorConfig) {
			c.order, c.errors, c.rsn, c.limited = spec.Mirrored, spec.CompleteInError, 1<<32-9, true
		},
		"xrc": func(c *initiatorConfig) {
			c.kind, c.errors, c.ordering = spec.QPXRCInitiator, spec.CompleteInError, spec.Weak
		},
		"window": func(c *initiatorConfig) {
			c.window, c.ord, c.depth, c.errors, c.limited = 2, 2, 2, spec.CompleteInError, true
		},
		"more pulls than places": func(c *initiatorConfig) {
			c.window, c.ord, c.depth, c.errors, c.limited = 4, 16, 4, spec.CompleteInError, true
		},
		"large":   func(c *initiatorConfig) { c.window, c.ord, c.depth, c.streams, c.limited = 256, 32, 32, 2, true },
		"credits": func(c *initiatorConfig) { c.credits, c.errors = few, spec.CompleteInError },
		"unit": func(c *initiatorConfig) {
			c.credits, c.unit, c.mtu = spec.Credits{RequestTxPackets: 9, RequestTxBuffers: 300, RequestRxPackets: 9, RequestRxBuffers: 200}, 8, 256
		},
		"ud":        func(c *initiatorConfig) { c.kind, c.errors = spec.QPUD, spec.CompleteInError },
		"ud verbs":  func(c *initiatorConfig) { c.kind, c.ordering = spec.QPUD, spec.Weak },
		"unordered": func(c *initiatorConfig) { c.ordering, c.errors = spec.Unordered, spec.CompleteInError },
		"many":      func(c *initiatorConfig) { c.streams, c.window, c.errors = 32, 8, spec.CompleteInError },
	} {
		t.Run(name, func(t *testing.T) {
			c := base
			change(&c)
			c.before = 1<<32 - 40
			for i, stall := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 128}, {Mode: simulator.StallBursts, Chance: 160}} {
				g := newInitiatorRig(t, c, uint64(len(name)+i))
				g.stall(stall, stall)
				g.steps(250)
				g.drain()
				if c.errors == spec.CompleteInError {
					require.Positive(t, g.refused)
				}
				t.Logf("%s %s: %d packets, %d refused, %d errors, %d dropped, %d lives", name, stall.Mode, g.packets, g.refused, g.errors, g.dropped, g.life)
			}
		})
	}
}
