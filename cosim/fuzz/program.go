package fuzz

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// Program encodes traffic as octets: the first ones give its length, its error rate, the stalls of ports and memory, the
// configuration it runs on, and the seed of its memory; each other octet is one choice of the traffic, in order. Any octets are a
// program. Choices after the last octet are drawn from a fixed seed, so that a program always means the same.
type Program []byte

const (
	headOctets   = 5
	mostMessages = 64
	mostOctets   = 4096
	mostSeeds    = 16
)

var (
	rates     = [...]float64{0, 0.02, 0.1, 0.3, 0.6}
	latencies = [...]simulator.Latency{{}, {Least: 1, Most: 40}, {Least: 1, Most: 600}}
)

func (p Program) head(i int) int {
	if i < len(p) {
		return int(p[i])
	}
	return 0
}

// chosen returns the index of the hardware that the program runs on.
func (p Program) chosen(hardware []Hardware) int { return p.head(4) % len(hardware) }

// Config returns the configuration that the program chooses.
func (p Program) Config(hardware []Hardware) gen.Config { return hardware[p.chosen(hardware)].Config }

// seed is that of memory.
func (p Program) seed(hardware []Hardware) uint64 {
	return 1 + uint64(p.head(4)/len(hardware)%mostSeeds)
}

func (p Program) messages() uint64   { return 1 + uint64(p.head(0)%mostMessages) }
func (p Program) errorRate() float64 { return rates[p.head(1)%len(rates)] }

func (p Program) latency() simulator.Latency { return latencies[p.head(2)%len(latencies)] }

func (p Program) stall() simulator.Stall {
	switch chance := p.head(3); {
	case chance >= 128:
		return simulator.Stall{Mode: simulator.StallRandom, Chance: chance - 64}
	case chance >= 96:
		return simulator.Stall{Mode: simulator.StallBursts, Chance: chance}
	}
	return simulator.Stall{}
}

// choices is a random source made of the octets after the header.
func (p Program) choices() rand.Source {
	return &choices{p[min(headOctets, len(p)):], rand.NewPCG(1, 9)}
}

type choices struct {
	octets []byte
	rest   rand.Source
}

// Uint64 replicates the octet: draws use the upper or the lower bits.
func (c *choices) Uint64() uint64 {
	if len(c.octets) == 0 {
		return c.rest.Uint64()
	}
	v := uint64(c.octets[0]) * 0x0101010101010101
	c.octets = c.octets[1:]
	return v
}

// mutate derives a new program from one, sometimes with parts of another one.
func mutate(p, other Program, r *rand.Rand) Program {
	out := append(Program(nil), p...)
	for n := 1 << r.IntN(5); n > 0; n-- {
		if len(out) < headOctets+1 {
			out = append(out, byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()))
		}
		at := r.IntN(len(out))
		switch r.IntN(8) {
		case 0:
			out[at] ^= 1 << r.IntN(8)
		case 1, 2:
			out[at] = byte(r.Uint32())
		case 3: // insert octets
			more := make(Program, 1+r.IntN(16))
			for i := range more {
				more[i] = byte(r.Uint32())
			}
			out = append(out[:at:at], append(more, out[at:]...)...)
		case 4: // remove octets
			end := min(len(out), at+1+r.IntN(16))
			out = append(out[:at:at], out[end:]...)
		case 5: // repeat octets
			end := min(len(out), at+1+r.IntN(64))
			out = append(out[:end:end], out[at:]...)
		case 6: // append the end of another
			if len(other) > 0 {
				out = append(out[:at:at], other[r.IntN(len(other)):]...)
			}
		default:
			out[r.IntN(min(headOctets, len(out)))] = byte(r.Uint32())
		}
	}
	return out[:min(len(out), mostOctets)]
}

// minimise reduces a program while it still fails, with at most the given number of runs.
func minimise(p Program, runs int, fails func(Program) bool) Program {
	try := func(q Program) bool {
		if runs--; runs < 0 || !fails(q) {
			return false
		}
		p = q
		return true
	}
	for n := mostMessages / 2; n > 0; n /= 2 { // fewer messages
		for len(p) > 0 && p.head(0)%mostMessages >= n {
			q := append(Program(nil), p...)
			if q[0] = byte(p.head(0)%mostMessages - n); !try(q) {
				break
			}
		}
	}
	for size := max(1, len(p)/2); size > 0; size /= 2 { // fewer octets
		for at := len(p) - size; at >= 0; at -= size {
			if at+size <= len(p) {
				try(append(p[:at:at], p[at+size:]...))
			}
		}
	}
	for at := range p { // simpler octets
		if q := append(Program(nil), p...); at < len(q) && q[at] != 0 {
			q[at] = 0
			try(q)
		}
	}
	return p
}

// String returns the program as accepted by --program.
func (p Program) String() string { return fmt.Sprintf("%x", []byte(p)) }

// Name identifies the program by its contents.
func (p Program) Name() string { return fmt.Sprintf("%x", sha256.Sum256(p))[:16] }
