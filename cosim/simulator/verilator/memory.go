package verilator

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
)

// memories returns the state of an instance's memories.
func (d *driver) memories(n int) []*batch.Memory {
	memories := make([]*batch.Memory, n)
	for i := range memories {
		memories[i] = (*batch.Memory)(d.library.pointer(d.library.memory, d.instance, uintptr(i)))
	}
	return memories
}

func (d *driver) ReadMemory(memory int, address uint64, bytes []byte) {
	d.copy(d.library.memoryRead, memory, address, bytes)
}

func (d *driver) WriteMemory(memory int, address uint64, bytes []byte) {
	d.copy(d.library.memoryWrite, memory, address, bytes)
}

// copy passes the caller's bytes to the library. They are on the heap, because copy is called through an interface.
func (d *driver) copy(fn uintptr, memory int, address uint64, bytes []byte) {
	d.copied = [5]uintptr{d.instance, uintptr(memory), uintptr(address), uintptr(unsafe.Pointer(&bytes[0])), uintptr(len(bytes))}
	purego.SyscallN(fn, d.copied[:]...)
	runtime.KeepAlive(bytes)
}

// memories writes the accessors through which the memory agents reach the fields of their channels.
func (h *header) memories() {
	var names []string
	for i, m := range h.design.Memories {
		name := fmt.Sprintf("Memory%d", i)
		names = append(names, name)
		l := h.design.MemoryLayout(i)
		h.line("")
		h.line("// memory %s", m.Name)
		h.line("struct %s {", name)
		h.line("    static constexpr unsigned kMemory = %d;", i)
		h.line("    static constexpr uint64_t kBytes = %d;", m.Bytes)
		h.line("    static constexpr bool kWrites = %t, kReads = %t;", l.Writes, l.Reads)
		if l.Writes {
			h.line("    using AW = Stream%d;", l.AW.Stream)
			h.line("    using W = Stream%d;", l.W.Stream)
			h.line("    using B = Stream%d;", l.B.Stream)
			h.address("aw", l.AW)
			h.line("    static void wdata(const Vdut& dut, uint64_t* words) { %s }", h.words(l.W.Data, m.Bytes/8))
			h.line("    static void wstrb(const Vdut& dut, uint64_t* words) { %s }", h.words(l.W.Strb, (m.Bytes+63)/64))
			h.line("    static bool wlast(const Vdut& dut) { return dut.%s; }", h.port(l.W.Last))
			h.line("    static void respond(Vdut& dut, uint64_t id, uint64_t resp) {")
			h.line("        dut.%s = 1;", h.design.Streams[l.B.Stream].Valid)
			h.line("        dut.%s = id;", h.port(l.B.ID))
			h.line("        dut.%s = resp;", h.port(l.B.Resp))
			h.line("    }")
		}
		if l.Reads {
			h.line("    using AR = Stream%d;", l.AR.Stream)
			h.line("    using R = Stream%d;", l.R.Stream)
			h.address("ar", l.AR)
			h.line("    static void deliver(Vdut& dut, uint64_t id, const uint64_t* words, uint64_t resp, bool last) {")
			h.line("        dut.%s = 1;", h.design.Streams[l.R.Stream].Valid)
			h.line("        dut.%s = id;", h.port(l.R.ID))
			h.line("        put<0, %d>(words, dut.%s);", 8*m.Bytes, h.port(l.R.Data))
			h.line("        dut.%s = resp;", h.port(l.R.Resp))
			h.line("        dut.%s = last;", h.port(l.R.Last))
			h.line("    }")
		}
		h.line("};")
	}
	h.line("")
	h.line("using Memories = Types<%s>;", strings.Join(names, ", "))
	h.line("constexpr std::size_t kMemories = %d;", len(names))
}

func (h *header) port(i int) string { return h.design.Ports[i].Name }

// words reads a whole port into words.
func (h *header) words(port, words int) string {
	clear := ""
	for i := range words {
		clear += fmt.Sprintf("words[%d] = 0; ", i)
	}
	return fmt.Sprintf("%sget<0, %d>(dut.%s, words);", clear, h.design.Ports[port].Width, h.port(port))
}

func (h *header) address(channel string, c simulator.AddressChannel) {
	h.line("    static Address %s(const Vdut& dut) {", channel)
	h.line("        return {dut.%s, dut.%s, dut.%s + uint64_t{1}, dut.%s, dut.%s};",
		h.port(c.ID), h.port(c.Addr), h.port(c.Len), h.port(c.Size), h.port(c.Burst))
	h.line("    }")
}
