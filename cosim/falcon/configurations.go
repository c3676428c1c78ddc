package falcon

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// STags is how many rows a table of regions must have for so many pairs.
func STags(pairs int) int {
	rows := 16
	for rows < rowVictim+pairs {
		rows *= 2
	}
	return rows
}

// Configurations draws configurations from a seed, each with traffic of its own.
func Configurations(n int, seed uint64) (list []Plan) {
	r := rand.New(rand.NewPCG(seed, 0xC0F1))
	for range n {
		list = append(list, configuration(r))
	}
	return list
}

func configuration(r *rand.Rand) Plan {
	of := func(list ...int) int { return list[r.IntN(len(list))] }
	c := gen.DefaultOf(gen.ProfileFalcon)
	c.BusBytes, c.Streams, c.MaxPayload = of(8, 16, 32, 64, 128), of(2, 4, 16, 64, 256), of(256, 512, 1024, 4096)
	c.ORD = of(2, 4, 8, 32)
	c.IRD = c.ORD * of(1, 1, 4) // at least, for the peer
	c.ReceiveDepth, c.SendDepth, c.AtomicDepth = of(2, 4, 16, 64, 256, 1024), of(2, 4, 16, 64), of(4, 16, 512)
	c.Window, c.BufferOctets = of(16, 32, 64, 256), of(16, 64, 1024)
	c.BitOrder = []spec.BitOrder{spec.Drawn, spec.Mirrored}[r.IntN(2)].String()
	c.STags = max(STags(c.Streams), of(16, 128, 1024))
	p := Plan{Config: c, Seed: r.Uint64N(1 << 32), Peer: []string{"model", "rtl"}[r.IntN(2)], Operations: 4000, Pairs: min(c.Streams, of(1, 2, 8, 64)),
		ErrorRate: []float64{0, 0.01, 0.05}[r.IntN(3)], Latency: simulator.Latency{Least: 1, Most: uint64(of(1, 40, 300))}}
	if r.IntN(2) == 0 {
		p.Stall = simulator.Stall{Mode: []simulator.StallMode{simulator.StallRandom, simulator.StallBursts}[r.IntN(2)], Chance: of(16, 96, 200)}
	}
	return p
}
