package rnic

import (
	"errors"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Memory selects the behavior of the memory behind a device where AXI4 leaves a subordinate free. The zero value is the fastest
// and most orderly memory, and its errors are SLVERR.
type Memory struct {
	Interleave  bool                            // interleave data of reads with different IDs
	LateReady   bool                            // assert ready for an address or data only after its valid
	Outstanding int                             // bursts held in each direction, 1 to simulator.MaxOutstanding; 0: the maximum
	Channels    [memoryChannels]simulator.Stall // of AW, W, B, AR and R; replace Options.Stall where set
	Decode      uint64                          // seed that selects the parts of faulty memory that respond DECERR; 0: none
}

const memoryChannels = 5

var memoryChannelNames = [memoryChannels]string{"m_axi_aw", "m_axi_w", "m_axi_b", "m_axi_ar", "m_axi_r"}

// DrawMemory draws the behavior of a memory with the given latency. The memory holds enough bursts to sustain at least one every
// 16 cycles at that latency.
func DrawMemory(seed uint64, latency simulator.Latency) Memory {
	r := rand.New(rand.NewPCG(seed, 0xA814))
	m := Memory{Interleave: r.IntN(4) > 0, LateReady: r.IntN(4) == 0, Decode: r.Uint64() | 1}
	if r.IntN(2) == 0 {
		m.Outstanding = min(simulator.MaxOutstanding, max(1+r.IntN(1<<r.IntN(9)), int(min(latency.Most, 1<<12)/16)))
	}
	for i := range m.Channels {
		switch r.IntN(6) {
		case 0:
			m.Channels[i] = simulator.Stall{Mode: simulator.StallRandom, Chance: 1 + r.IntN(192)}
		case 1:
			m.Channels[i] = simulator.Stall{Mode: simulator.StallBursts, Chance: 1 + r.IntN(96)}
		}
	}
	return m
}

// setMemory applies the options to the device's memory; the stall of all streams is already set on its channels.
func (d *Device) setMemory(o Memory) error {
	d.decode = o.Decode
	errs := []error{d.memory.SetInterleave(o.Interleave), d.memory.SetLateReady(o.LateReady)}
	if o.Outstanding != 0 {
		errs = append(errs, d.memory.SetOutstanding(o.Outstanding))
	}
	for i, stall := range o.Channels {
		if stall.Mode != simulator.StallNone {
			errs = append(errs, d.Stall(memoryChannelNames[i], stall))
		}
	}
	return errors.Join(errs...)
}

// errorLine is the length of the widest beat: a range of whole lines is the same on every bus.
const errorLine = 128

// scatter reduces a range to single lines: the first, a middle and the last line of a page, some consecutive lines, and the
// last quarter of the range.
func scatter(r simulator.Range) (lines []simulator.Range) {
	for _, at := range []uint64{0, 2048, 4096 - errorLine, 8192 - 5*errorLine, 8192 - 3*errorLine} {
		line := r
		line.First += at
		line.Last = line.First + errorLine - 1
		if at < r.Last-r.First {
			lines = append(lines, line)
		}
	}
	r.First += ((r.Last-r.First)/4*3 + errorLine - 1) &^ (errorLine - 1)
	return append(lines, r)
}

// SetErrors sets the ranges of memory that respond with errors. With Memory.Decode, parts of them respond DECERR instead of
// SLVERR, by page or from the middle of a page, so that a burst can hit both.
func (d *Device) SetErrors(ranges ...simulator.Range) error {
	if d.decode != 0 {
		ranges = mixErrors(ranges, rand.New(rand.NewPCG(d.decode, 0)))
	}
	return d.memory.SetErrors(ranges...)
}

// mixErrors divides ranges into at most as many parts as a memory supports, each with one kind of error.
func mixErrors(ranges []simulator.Range, r *rand.Rand) (parts []simulator.Range) {
	each := simulator.MaxErrorRanges / max(1, len(ranges))
	for _, whole := range ranges {
		rest := whole
		for n := each; n > 1 && rest.Last-rest.First >= 2*errorLine; n-- {
			part := rest
			lines := (rest.Last - rest.First) / errorLine
			part.Last = rest.First&^(errorLine-1) + errorLine*(1+r.Uint64N(max(1, lines/2))) - 1
			part.Decode = r.IntN(2) == 0
			parts, rest.First = append(parts, part), part.Last+1
		}
		rest.Decode = r.IntN(2) == 0
		parts = append(parts, rest)
	}
	return parts
}
