package rnic

import (
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
)

// Configurations draws plans from the whole range of allowed configurations, each with its own kind of traffic. The values of a
// field are dealt in turn, so that a few plans cover many of them, including both ends of the range.
//
// Every configuration is small enough to build and run in seconds; some have very many streams.
func Configurations(n int, seed uint64) (plans []Plan) {
	r := rand.New(rand.NewPCG(seed, 3))
	bus := newDeck(r, block.BusWidths...)
	streams, stags := newDeck(r, powers(2, 4096)...), newDeck(r, powers(16, 65536)...)
	ird, ord := newDeck(r, powers(1, 1024)...), newDeck(r, powers(2, 1024)...)
	receive, send := newDeck(r, powers(2, 1024)...), newDeck(r, powers(2, 1024)...)
	payload, atomics := newDeck(r, powers(256, 16384)...), newDeck(r, powers(4, 4096)...)
	retire, peer := newDeck(r, true, false, true), newDeck(r, "model", "rtl")
	extensions := newDeck(r, nil, []string{"draft00"}, []string{"commit"}, []string{"draft00", "commit"})
	rates := newDeck(r, 0, 0.01, 0.05, 0.2)
	latencies := newDeck(r, simulator.Latency{Least: 1, Most: 1}, simulator.Latency{Least: 1, Most: 20}, simulator.Latency{Least: 50, Most: 50},
		simulator.Latency{Least: 1, Most: 200})
	stalls := newDeck(r, simulator.Stall{}, simulator.Stall{Mode: simulator.StallRandom, Chance: 64}, simulator.Stall{Mode: simulator.StallRandom, Chance: 128},
		simulator.Stall{Mode: simulator.StallBursts, Chance: 128})
	far := newDeck(rand.New(rand.NewPCG(seed, 4)), 0, 12, 0, 32, 0, 33, 0, 63)
	for range n {
		c := gen.Default()
		c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD = bus.draw(), streams.draw(), stags.draw(), ird.draw(), ord.draw()
		c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth = receive.draw(), send.draw(), payload.draw(), atomics.draw()
		c.RetirePort = retire.draw()
		if list := extensions.draw(); list != nil {
			c.Extensions = slices.Clone(list)
		}
		if bit := far.draw(); c.Protocol() == 0 {
			c.FarMemoryBit = bit
		}
		kept := r.IntN(fitFields)
		if r.IntN(48) == 0 {
			c.Streams, kept = 8192<<r.IntN(2), 0
		}
		fit(&c, kept, r)
		p := Plan{Config: c, Peer: peer.draw(), Messages: 200 + r.Uint64N(1300), Seed: 1 + r.Uint64N(1<<32), ErrorRate: rates.draw(),
			Latency: latencies.draw(), Stall: stalls.draw(), Quick: true}
		if r.IntN(2) == 0 {
			p.Active = 1 + r.IntN(min(c.Streams, 40))
		}
		plans = append(plans, p)
	}
	return plans
}

// fitOctets limits the memory used by the tables of a drawn configuration.
const fitOctets = 96 << 20

// fitFields is the maximum number of fields that are reduced.
const fitFields = 5

// fit reduces a configuration until its tables fit; one of the fields is kept, streams first.
func fit(c *gen.Config, kept int, r *rand.Rand) {
	fields := [fitFields]struct {
		of    *int
		least int
	}{{&c.Streams, 2}, {&c.IRD, 1}, {&c.ORD, 2}, {&c.ReceiveDepth, 2}, {&c.SendDepth, 2}}
	for tableOctets(*c) > fitOctets {
		i := r.IntN(fitFields)
		if f := fields[i]; i != kept && *f.of > f.least {
			*f.of /= 2
		}
	}
}

// tableOctets estimates the simulation memory used by the tables of a configuration.
func tableOctets(c gen.Config) int {
	return c.Streams*(c.ReceiveDepth*24+c.SendDepth*108+c.IRD*2*56+c.ORD*24) + c.Streams*256 + c.STags*40
}

// powers returns the powers of two from least to most.
func powers(least, most int) (list []int) {
	for n := least; n <= most; n *= 2 {
		list = append(list, n)
	}
	return list
}

// deck deals its cards in random order, each once before any is repeated. The first and the last card are dealt early.
type deck[T any] struct {
	rand  *rand.Rand
	cards []T
	order []int // of the cards not yet dealt
}

// early bounds how late the first and the last card are dealt.
const early = 8

func newDeck[T any](r *rand.Rand, cards ...T) *deck[T] {
	return &deck[T]{rand: r, cards: slices.Clone(cards)}
}

func (d *deck[T]) draw() T {
	if len(d.order) == 0 {
		d.order = d.rand.Perm(len(d.cards))
		for _, card := range [...]int{0, len(d.cards) - 1} {
			for at := slices.Index(d.order, card); at >= early; at = slices.Index(d.order, card) {
				if to := d.rand.IntN(early); d.order[to] > 0 && d.order[to] < len(d.cards)-1 {
					d.order[at], d.order[to] = d.order[to], d.order[at]
				}
			}
		}
	}
	card := d.cards[d.order[0]]
	d.order = d.order[1:]
	return card
}
