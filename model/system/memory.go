package system

import (
	"github.com/sarchlab/akita/v3/mem/dram"
	"github.com/sarchlab/akita/v3/mem/idealmemcontroller"
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
)

// memoryClock is how many edges of an ideal memory's clock are in a cycle of the RNIC: it takes one access at each, so that an RNIC
// reads and writes a line in every cycle.
const memoryClock = 2

// memoryDepth is the number of accesses that wait in front of a memory, and of answers behind it.
const memoryDepth = 64

// dramBurst is the octets of a burst of a DRAM, of which akita's controller must have room for one more than the largest access has.
const dramBurst = 64

// newMemory returns a memory controller of akita, its port and its contents. Every access is of at most mostBurst octets.
func newMemory(name string, engine sim.Engine, f sim.Freq, m Memory) (sim.Component, sim.Port, *mem.Storage) {
	storage := mem.NewStorage(capacity)
	if m.Kind == DRAM {
		c := dram.MakeBuilder().WithEngine(engine).WithGlobalStorage(storage).WithTransactionQueueSize(memoryDepth + mostBurst/dramBurst).Build(name)
		return c, c.GetPortByName("Top"), storage
	}
	c := idealmemcontroller.MakeBuilder().WithEngine(engine).WithFreq(memoryClock * f).WithLatency(memoryClock * int(m.latency(f))).
		WithTopBufSize(memoryDepth).WithStorage(storage).Build(name)
	return c, c.GetPortByName("Top"), storage
}

// capacity is the number of octets of a node's memory; only what is used takes memory of the simulation.
const capacity = 1 << 36

// joined returns a connection of akita between two ports.
func joined(name string, engine sim.Engine, f sim.Freq, a, b sim.Port) *sim.DirectConnection {
	c := sim.NewDirectConnection(name, engine, f)
	c.PlugIn(a, memoryDepth)
	c.PlugIn(b, memoryDepth)
	return c
}
