package rnic

import (
	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
)

// memoryName is the memory behind m_axi.
const memoryName = "memory"

// Design compiles rnic of a configuration for an engine. It has the retire port, which the model follows.
func Design(c gen.Config) (*engine.Design, error) {
	c.RetirePort = true
	if err := c.Check(); err != nil {
		return nil, err
	}
	d, err := hdl.Compile(gen.RNIC(c))
	if err != nil {
		return nil, err
	}
	e := cosim.Design(d, "retire_atomic")
	e.Memories = []engine.MemoryPort{{Name: memoryName, Prefix: "m_axi", Bytes: c.BusBytes}}
	return e, e.Check()
}
