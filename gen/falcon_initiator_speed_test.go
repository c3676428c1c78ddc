package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/internal/long"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// write is a Write of so many octets.
func (g *initiatorRig) write(s, octets int) model.WorkRequest {
	g.id++
	return model.WorkRequest{QP: g.qps[s].number, ID: g.id, Kind: spec.Write, Local: []model.Element{{Key: sourceKey, VA: sourceBase, Length: uint32(octets)}}}
}

// perCycle are the handshakes of a stream per cycle, from the first to the last.
func perCycle(cycles []uint64) float64 {
	return float64(len(cycles)-1) / float64(cycles[len(cycles)-1]-cycles[0])
}

// echo completes every packet and gives its credits back a round trip after it left, for some cycles.
func (g *initiatorRig) echo(cycles, trip int) {
	const step = 4
	for range cycles / step {
		g.step(step)
		packets := take[sentMessageBeat](g.bench, "packet")
		for _, p := range packets {
			push(g.bench, "left", leftBeat{Stream: p.Stream, Kind: p.Kind, Final: true})
		}
		g.waiting = append(g.waiting, packets)
		if len(g.waiting) > trip/step {
			for _, p := range g.waiting[0] {
				if p.Type == spec.PullRequest {
					push(g.bench, "placed", placedBeat{CID: p.CID, RSN: p.RSN})
				} else {
					push(g.bench, "completed", completedBeat{CID: p.CID, RSN: p.RSN})
				}
				buffers := (p.RequestLength + g.c.unit - 1) / g.c.unit
				push(g.bench, "credits", returnedBeat{p.CID, creditCountBeat{1, buffers, 1, 0}})
			}
			g.waiting = g.waiting[1:]
		}
	}
}

// Packets per cycle: of one QP with a long message; with messages of one packet; of many QPs; and with everything completed and credits
// given back at the same rate.
func TestInitiatorThroughput(t *testing.T) {
	long.Test(t)
	t.Parallel()
	c := newInitiatorConfig()
	c.window, c.ord, c.depth, c.streams, c.mtu = 1024, 16, 1024, 16, 64
	t.Run("one QP, long message", func(t *testing.T) {
		g := newInitiatorRig(t, c, 1)
		push(g.bench, "message", g.message(3, g.write(3, 500*c.mtu)))
		g.run()
		gapless(t, g.cycles("packet"))
		require.Len(t, g.cycles("packet"), 500)
	})
	t.Run("one QP, short messages", func(t *testing.T) {
		g := newInitiatorRig(t, c, 1)
		for range 500 {
			push(g.bench, "message", g.message(3, g.write(3, 8)))
		}
		g.run()
		t.Logf("%.2f", perCycle(g.cycles("packet")))
		require.Len(t, g.cycles("packet"), 500)
		require.Greater(t, perCycle(g.cycles("packet")), 0.9)
	})
	t.Run("many QPs, long messages", func(t *testing.T) {
		g := newInitiatorRig(t, c, 1)
		for s := range c.streams {
			push(g.bench, "message", g.message(s, g.write(s, 100*c.mtu)))
		}
		g.run()
		t.Logf("%.2f", perCycle(g.cycles("packet")))
		require.Greater(t, perCycle(g.cycles("packet")), 0.95)
	})
	t.Run("many QPs, short messages", func(t *testing.T) {
		g := newInitiatorRig(t, c, 1)
		for i := range 600 {
			s := i % c.streams
			push(g.bench, "message", g.message(s, g.write(s, 8)))
		}
		g.run()
		t.Logf("%.2f", perCycle(g.cycles("packet")))
		require.Greater(t, perCycle(g.cycles("packet")), 0.95)
	})
	for name, streams := range map[string]int{"one QP": 1, "many QPs": c.streams} {
		for kind, octets := range map[string]int{"long": 20 * c.mtu, "short": 8} {
			t.Run("completed, "+name+", "+kind, func(t *testing.T) {
				g := newInitiatorRig(t, c, 1)
				sent, reported := 0, 0
				for range 60 {
					reported += len(g.reports())
					for range 64 * c.mtu / max(octets, c.mtu) {
						if sent-reported == c.depth {
							break
						}
						push(g.bench, "message", g.message(sent%streams, g.write(sent%streams, octets)))
						sent++
					}
					g.echo(64, 100)
				}
				g.echo(1500, 100)
				t.Logf("packets %.2f, reports %.2f per cycle", perCycle(g.cycles("packet")), perCycle(g.cycles("report")))
				require.Equal(t, sent, reported+len(g.reports()))
			})
		}
	}
	t.Run("one QP waits", func(t *testing.T) {
		c := c
		c.credits = spec.Credits{RequestTxPackets: 100, RequestTxBuffers: 1000, RequestRxPackets: 100, RequestRxBuffers: 100}
		g := newInitiatorRig(t, c, 1)
		g.stall(simulator.Stall{}, simulator.Stall{})
		for s := range 2 {
			push(g.bench, "message", g.message(s, g.write(s, 300*c.mtu)))
		}
		g.run()
		require.Len(t, g.cycles("packet"), 200)
		t.Logf("%.2f", perCycle(g.cycles("packet")))
	})
}

// A message of more than 2^31 octets: its packets are where they belong in memory and at the peer.
func TestInitiatorLongMessage(t *testing.T) {
	long.Test(t)
	t.Parallel()
	c := newInitiatorConfig()
	c.window, c.mtu = 256, 1<<14
	g := newInitiatorRig(t, c, 1)
	const stream, packets = 1, 1<<17 + 3
	w := g.write(stream, packets*c.mtu-5)
	w.VA = 0xFFFF_0000_1234
	push(g.bench, "message", g.message(stream, w))
	payload := make([]byte, c.mtu)
	for n := 0; n < packets; {
		g.step(32)
		for _, p := range take[sentMessageBeat](g.bench, "packet") {
			var x packet.Packet
			octets := append(append([]byte{}, p.Header[:p.HeaderLength]...), payload[:(p.Length+3)&^3]...)
			require.Equal(t, spec.None, x.Decode(octets, c.order))
			before := uint64(n * c.mtu)
			require.Equal(t, []uint64{sourceBase + before, w.VA + before}, []uint64{p.Address, x.VA}, "packet %d", n)
			push(g.bench, "left", leftBeat{Stream: p.Stream, Kind: p.Kind, Final: true})
			push(g.bench, "completed", completedBeat{CID: p.CID, RSN: p.RSN})
			push(g.bench, "credits", returnedBeat{p.CID, creditCountBeat{1, (p.RequestLength + c.unit - 1) / c.unit, 1, 0}})
			n++
		}
	}
	g.run()
	require.Equal(t, []workReportBeat{{Stream: stream, Kind: int(engine.KindMessage), Final: true}}, g.reports())
}
