package hdl

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Collision is the result of a memory read when the same clock edge writes the same address.
type Collision uint8

// The collision modes; every read names one.
const (
	ReadOld Collision = iota // the word from before the write
	ReadNew                  // the word being written
)

// Memory is an array of words with one write port and any number of read ports, all synchronous.
type Memory struct {
	m    *Module
	ir   *ir.Memory
	addr int
}

// Memory declares depth words of width bits. Depth is a power of two and at least 2, so that every address
// names a word. Contents after power-up are unknown.
func (m *Module) Memory(name string, width, depth int) *Memory {
	mem := &ir.Memory{Name: name, Width: max(width, 1), Depth: depth, PCs: callers()}
	if width < 1 {
		m.fail(mem.PCs, "%s.%s: width %d: a word has at least 1 bit", m.ir.Name, name, width)
	}
	if depth < 2 || depth&(depth-1) != 0 {
		m.fail(mem.PCs, "%s.%s: depth %d is not a power of two of at least 2", m.ir.Name, name, depth)
		mem.Depth = 2
	}
	m.ir.Clocked = true
	m.add(mem)
	return &Memory{m, mem, bits.Len(uint(mem.Depth - 1))}
}

// Write stores data at addr at the clock edge when enable is 1. A memory has one write port.
func (mem *Memory) Write(enable, addr, data Value) {
	pcs := callers()
	if len(mem.ir.Writes) > 0 {
		mem.m.fail(pcs, "%s.%s: a second write port; a memory has one", mem.m.ir.Name, mem.ir.Name)
		return
	}
	mem.ir.Writes = append(mem.ir.Writes, &ir.MemoryWrite{
		Enable: mem.want("write enable", enable, 1), Addr: mem.want("write address", addr, mem.addr),
		Data: mem.want("write data", data, mem.ir.Width), PCs: pcs})
	mem.place()
}

// Read declares the register name, which takes the word at addr at the clock edge when enable is 1.
func (mem *Memory) Read(name string, enable, addr Value, mode Collision) Value {
	reg := mem.m.SizedReg(name, Size{mem.ir.Width, mem.ir.Bits}, NoReset)
	read := &ir.MemoryRead{Memory: mem.ir, Target: reg.s, ReadNew: mode == ReadNew,
		Enable: mem.want("read enable", enable, 1), Addr: mem.want("read address", addr, mem.addr)}
	reg.s.Read = read
	mem.ir.Reads = append(mem.ir.Reads, read)
	mem.place()
	return reg.Value
}

func (mem *Memory) want(what string, v Value, width int) *ir.Expr {
	if p, is := bad(mem.ir.Name+" "+what, width, v); is {
		return p.e
	}
	if strings.HasSuffix(what, "enable") && isZero(v.e) {
		return poison(width, "%s: the %s is always 0", mem.ir.Name, what).e
	}
	if v.Width() != width {
		return poison(width, "%s: the %s is %d bits, %s is %d bits", mem.ir.Name, what, width, describe(v.e), v.Width()).e
	}
	return v.e
}

// place moves the printed ports after everything that they mention so far.
func (mem *Memory) place() {
	items := &mem.m.ir.Items
	*items = slices.DeleteFunc(*items, func(it ir.Item) bool {
		ports, is := it.(*ir.MemoryPorts)
		return is && ports.Memory == mem.ir
	})
	mem.m.add(&ir.MemoryPorts{Memory: mem.ir})
}
