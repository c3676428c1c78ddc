package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// racedWork is a work request of a race, named by its R-Key.
type racedWork struct {
	model.WorkRequest
	offset uint32 // of what has been sent, or asked for
	sent   bool   // all of it, or with CE
	ce     bool
	fault  model.Status // first one
	at     int          // its place on its QP
}

// race drives everything at once, and checks what holds in any order: that packets continue their messages, that the limits hold, that
// a message ends early only after a fault, that work requests complete in order with their first fault, and that all complete.
type race struct {
	*initiatorRig
	works  []*racedWork
	posted [][]*racedWork // by QP
	open   []map[uint32]*racedWork
	packet []map[uint32]packet.Packet
	sn     []uint32
	rsn    []uint32 // first one
	done   []int
	early  int
	active int // QPs
}

func (g *race) take() {
	for _, b := range take[sentMessageBeat](g.bench, "packet") {
		s := b.Stream
		octets := append(append([]byte{}, b.Header[:b.HeaderLength]...), make([]byte, b.Length)...)
		octets = append(octets, make([]byte, -len(octets)&3)...)
		var p packet.Packet
		require.Equal(g.t, spec.None, p.Decode(octets, g.c.order))
		row, _ := p.Opcode.Operation()
		w := g.works[p.RKey]
		require.Same(g.t, g.posted[s][w.at], w)
		for _, before := range g.posted[s][:w.at] {
			require.True(g.t, before.sent || before.fault != 0 && before.Kind == spec.Read, "QP %d overtakes %+v", s, before)
		}
		require.False(g.t, w.sent, "%+v", w)
		require.Equal(g.t, w.VA+uint64(w.offset), p.VA)
		length := w.Local[0].Length
		octetsNow := min(length-w.offset, uint32(g.c.mtu))
		if p.CE {
			require.NotZero(g.t, w.fault)
			require.Equal(g.t, spec.Last, row.Position)
			octetsNow, w.sent, w.ce = 0, true, true
			if w.offset < length {
				g.early++
			}
		}
		if row.Has(spec.RETH) {
			require.Equal(g.t, octetsNow, p.Length)
		}
		if w.Kind == spec.Write && !p.CE {
			require.Equal(g.t, []any{w.offset == 0, w.offset+octetsNow == length}, []any{row.Position&spec.Starts != 0, row.Position&spec.Ends != 0})
			require.Equal(g.t, w.Local[0].VA+uint64(w.offset), b.Address)
		}
		if w.Fence && w.offset == 0 {
			for rsn := range g.open[s] {
				require.NotEqual(g.t, spec.PullRequest, kindOf(g.packet[s][rsn]), "Fence")
			}
		}
		w.offset += octetsNow
		w.sent = w.sent || w.offset == length
		g.sn[s]++
		require.Equal(g.t, []uint32{g.sn[s], g.rsn[s] + g.sn[s] - 1}, []uint32{p.SN, b.RSN})
		g.open[s][b.RSN], g.packet[s][b.RSN] = w, p
		for rsn := range g.open[s] {
			require.Less(g.t, b.RSN-rsn, uint32(g.c.window))
			if q := g.packet[s][rsn]; kindOf(q) == spec.PullRequest && kindOf(p) == spec.PullRequest {
				require.Less(g.t, p.RMSN-q.RMSN, uint32(g.c.ord))
			}
		}
		g.qps[s].credits = g.qps[s].credits.Add(spec.Cost(b.Type, b.RequestLength, g.c.unit))
		require.False(g.t, g.c.credits.Sub(g.qps[s].credits).Negative(), "QP %d has no credits", s)
		push(g.bench, "left", leftBeat{Stream: s, Kind: b.Kind, Final: true})
	}
	for _, r := range g.reports() {
		w := g.posted[r.Stream][g.done[r.Stream]]
		g.done[r.Stream]++
		require.Equal(g.t, []any{w.fault, false}, []any{r.Outcome, r.Dropped}, "%+v", w)
		require.True(g.t, w.sent || w.fault != 0 && w.Kind == spec.Read)
	}
}

// kindOf is the Falcon packet type of a packet.
func kindOf(p packet.Packet) spec.PacketType {
	row, _ := p.Opcode.Operation()
	return row.Packet
}

// finish closes a random open transaction of a QP, sometimes with a fault.
func (g *race) finish(s int, faults int) {
	list := make([]uint32, 0, len(g.open[s]))
	for rsn := g.rsn[s]; rsn != g.rsn[s]+g.sn[s]; rsn++ {
		if g.open[s][rsn] != nil {
			list = append(list, rsn)
		}
	}
	if len(list) == 0 {
		return
	}
	rsn := list[g.r.IntN(min(len(list), 1+g.r.IntN(8)))]
	w := g.open[s][rsn]
	delete(g.open[s], rsn)
	status := model.Success
	if g.r.IntN(100) < faults {
		status = model.RemoteAccess
		if w.fault == 0 {
			w.fault = status
		}
	}
	if w.Kind == spec.Write {
		c := completedBeat{CID: g.cid(s), RSN: rsn}
		if status != 0 {
			c.Code, c.ULP = spec.CompletedCIE, spec.AccessError
		}
		push(g.bench, "completed", c)
	} else {
		push(g.bench, "placed", placedBeat{CID: g.cid(s), RSN: rsn, Status: status})
	}
}

func (g *race) post(s int) {
	w := g.work(s)
	for w.Kind == spec.Send {
		w = g.work(s)
	}
	w.RKey, w.Suffix, w.Local = uint32(len(g.works)), spec.Plain, w.Local[:1]
	if w.Local[0].Length == 0 {
		w.Local[0].Length = 1
	}
	raced := &racedWork{WorkRequest: w, at: len(g.posted[s])}
	g.works, g.posted[s] = append(g.works, raced), append(g.posted[s], raced)
	push(g.bench, "message", g.message(s, w))
}

// A QP ends while its ring is full of messages of which nothing has been sent. The first message of its next life completes when all of it has, not when as much
// has as an earlier message in its place had.
func TestInitiatorEndsWithFullRing(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{2, 4, 8} {
		c := newInitiatorConfig()
		c.depth, c.window, c.errors = depth, 2, spec.CompleteInError
		g := newInitiatorRig(t, c, 1)
		for range depth {
			g.post(0, g.write(0, 8))
		}
		g.drain()
		g.setXoff(true)
		for range depth {
			g.post(0, g.write(0, 8))
		}
		g.check()
		require.Len(t, g.qps[0].posted, depth)
		g.end(0)
		g.check()
		g.connect(0)
		g.setXoff(false)
		g.post(0, g.write(0, 5*c.mtu))
		g.check()
		for range 4 {
			g.complete(0, g.qps[0].opens()[0])
			g.check()
			require.Len(t, g.qps[0].posted, 1)
		}
		g.drain()
	}
}

func TestInitiatorRaces(t *testing.T) {
	t.Parallel()
	few := spec.Credits{RequestTxPackets: 6, RequestTxBuffers: 12, RequestRxPackets: 7, RequestRxBuffers: 9}
	for _, tt := range []struct {
		name                string
		window, ord, faults int
		credits             spec.Credits
		active              int
	}{{"wide", 64, 16, 0, manyCredits, 4}, {"narrow", 2, 2, 0, manyCredits, 4}, {"credits", 16, 4, 0, few, 4}, {"one QP", 8, 4, 0, few, 1},
		{"faults", 16, 4, 8, manyCredits, 4}, {"faults and credits", 8, 2, 8, few, 4}, {"faults and one QP", 32, 8, 8, manyCredits, 1},
		{"faults and narrow", 2, 2, 8, manyCredits, 4}} {
		t.Run(tt.name, func(t *testing.T) {
			for i, stall := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 100}} {
				c := newInitiatorConfig()
				c.streams, c.window, c.ord, c.credits, c.errors, c.ordering = 4, tt.window, tt.ord, tt.credits, spec.CompleteInError, spec.Weak
				g := &race{active: tt.active, initiatorRig: newInitiatorRig(t, c, uint64(len(tt.name)+i)), posted: make([][]*racedWork, c.streams), sn: make([]uint32, c.streams), done: make([]int, c.streams)}
				for s := range c.streams {
					g.open, g.packet, g.rsn = append(g.open, map[uint32]*racedWork{}), append(g.packet, map[uint32]packet.Packet{}), append(g.rsn, g.firstRSN[s])
				}
				g.stall(stall, stall)
				for cycle := 0; ; cycle++ {
					s, busy := g.r.IntN(g.active), false
					if cycle < 3000 && len(g.posted[s])-g.done[s] < c.depth {
						g.post(s)
					}
					g.finish(g.r.IntN(g.active), tt.faults)
					if g.r.IntN(2) == 0 {
						g.giveBack(g.r.IntN(g.active), g.r.IntN(2) == 0)
					}
					if cycle < 3000 && g.r.IntN(10) == 0 {
						require.NoError(t, g.engine.SetStatic("xoff", g.r.Uint64N(2)))
					} else if cycle == 3000 {
						require.NoError(t, g.engine.SetStatic("xoff", 0))
					}
					g.step(1 + g.r.IntN(4))
					g.take()
					for s := range c.streams {
						busy = busy || g.done[s] < len(g.posted[s])
					}
					if !busy && cycle > 3000 {
						break
					}
					require.Less(t, cycle, 20000, "work requests do not complete: %v of %v", g.done, fmt.Sprint(len(g.works)))
				}
				t.Logf("%d work requests, %d ended early", len(g.works), g.early)
			}
		})
	}
}
