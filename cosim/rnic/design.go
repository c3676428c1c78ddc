package rnic

import (
	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// memoryName names the memory connected to m_axi.
const memoryName = "memory"

// Design compiles rnic in a configuration for use by an engine.
func Design(c gen.Config) (*simulator.Design, error) { return compiled(c, gen.Compile) }

// DesignOnMemory is Design with flush_adapter: the device does its flushes itself, by reads of memory.
func DesignOnMemory(c gen.Config) (*simulator.Design, error) { return compiled(c, gen.CompileOnMemory) }

func compiled(c gen.Config, compile func(gen.Config) (*hdl.Design, error)) (*simulator.Design, error) {
	d, err := compile(c)
	if err != nil {
		return nil, err
	}
	e := DesignOf(c, d)
	return e, e.Check()
}

// DesignOf connects memory to a compiled rnic.
func DesignOf(c gen.Config, d *hdl.Design) *simulator.Design {
	e := designOf(c, d)
	e.Memories = []simulator.MemoryPort{{Name: memoryName, Prefix: "m_axi", Bytes: c.BusBytes}}
	return e
}

// DesignWithoutMemory is Design with the channels of m_axi as streams. With the extension commit it is DesignOnMemory so.
func DesignWithoutMemory(c gen.Config) (*simulator.Design, error) {
	compile := gen.Compile
	if c.Protocol()&spec.Commit != 0 {
		compile = gen.CompileOnMemory
	}
	d, err := compile(c)
	if err != nil {
		return nil, err
	}
	e := designOf(c, d)
	return e, e.Check()
}

func designOf(c gen.Config, d *hdl.Design) *simulator.Design {
	monitors := retiresOf(c)
	if !c.RetirePort {
		monitors = nil
	}
	return cosim.Design(d, monitors...)
}
