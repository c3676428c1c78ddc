package rdmap

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// Atomics on words in far memory have an atomic unit of their own, so that they keep none of the others waiting. A stream's Atomics in
// near and in far memory are requests of different kinds, so the later one starts when the earlier one is over.

const farAtomicName = "far_atomic"

// farAtomics is the executor.
func farAtomics(c engine.Config) engine.Executor {
	return engine.Executor{Name: farAtomicName, Request: engine.AtomicRequestOf(c), Words: true, Far: true,
		Build: func(m *hdl.Module, c engine.Config, s engine.ExecutorSite) { buildAtomics(m, "far_", c, s) }}
}

// kindOfRequest is the executor of a request, at the address of its memory.
func kindOfRequest(m *hdl.Module, c engine.Config, executors []hdl.Value, is []hdl.Value, address hdl.Value) (kinds []hdl.When, other hdl.Value) {
	if c.HasFar() {
		atomics := slices.IndexFunc(c.Profile.Executors(c), func(x engine.Executor) bool { return x.Name == "atomic" })
		isFar := m.Let("is_far_atomic", is[atomics].And(address.Bit(c.FarBit)))
		kinds = append(kinds, hdl.When{Cond: isFar, Then: executors[c.Kinds().Executor(farAtomicName)]})
	}
	for i := range is[1:] {
		kinds = append(kinds, hdl.When{Cond: is[1+i], Then: executors[1+i]})
	}
	return kinds, executors[0]
}
