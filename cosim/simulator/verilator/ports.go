package verilator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// designHeader writes design.h, the drivers' accessors of the ports: the only C++ that depends on the module.
func designHeader(d *simulator.Design) (string, error) {
	h := &header{design: d}
	h.line("// The drivers' access to the ports of module %s.", d.Top)
	h.line("#pragma once")
	h.line(`#include "Vdut.h"`)
	h.line(`#include "ports.h"`)
	for _, p := range []struct{ kind, port string }{{"Clock", d.Clock}, {"Reset", d.Reset}} {
		h.line("")
		h.line("struct %s {", p.kind)
		if p.port == "" {
			h.line("    static void set(Vdut&, bool) {}")
		} else {
			h.line("    static void set(Vdut& dut, bool on) { dut.%s = on; }", p.port)
		}
		h.line("};")
	}
	var words, sinks, sources []string
	for i, s := range d.Streams {
		layout, err := d.Layout(i)
		if err != nil {
			return "", err
		}
		name := fmt.Sprintf("Stream%d", i)
		if d.MemoryOf(i) >= 0 { // no ring
			words = append(words, "0")
			h.stream(i, s, layout)
			continue
		}
		words = append(words, fmt.Sprint(layout.Words))
		if s.Dir == simulator.Sink {
			sinks = append(sinks, name)
		} else {
			sources = append(sources, name)
		}
		h.stream(i, s, layout)
	}
	h.line("")
	h.line("using Sinks = Types<%s>;", strings.Join(sinks, ", "))
	h.line("using Sources = Types<%s>;", strings.Join(sources, ", "))
	h.line("constexpr std::array<uint64_t, %d> kStreamWords{%s};", len(words), strings.Join(words, ", "))
	h.memories()
	h.access()
	return h.String(), nil
}

type header struct {
	strings.Builder
	design *simulator.Design
}

func (h *header) line(format string, args ...any) {
	fmt.Fprintf(h, format+"\n", args...)
}

func (h *header) stream(i int, s simulator.Stream, layout simulator.Layout) {
	h.line("")
	h.line("// %s %s", s.Dir, s.Name)
	h.line("struct Stream%d {", i)
	h.line("    static constexpr unsigned kStream = %d, kWords = %d;", i, layout.Words)
	h.line("    static bool valid(const Vdut& dut) { return dut.%s; }", s.Valid)
	h.line("    static constexpr bool kMonitor = %t;", s.Monitor())
	if s.Monitor() {
		h.line("    static bool ready(const Vdut&) { return true; }")
	} else {
		h.line("    static bool ready(const Vdut& dut) { return dut.%s; }", s.Ready)
	}
	if s.Dir == simulator.Sink {
		h.line("    static void offer(Vdut& dut, const uint64_t* beat) {")
		h.line("        dut.%s = 1;", s.Valid)
		h.fields(layout, func(f simulator.Field, port string) string {
			return fmt.Sprintf("put<%d, %d>(beat, dut.%s)", f.Offset, f.Width, port)
		})
		h.line("    }")
		h.line("    // Complements the data, to expose a design that samples it without valid.")
		h.line("    static void withdraw(Vdut& dut) {")
		h.line("        dut.%s = 0;", s.Valid)
		h.fields(layout, func(f simulator.Field, port string) string {
			return fmt.Sprintf("invert<%d>(dut.%s)", f.Width, port)
		})
	} else {
		if s.Monitor() {
			h.line("    static void set_ready(Vdut&, bool) {}")
		} else {
			h.line("    static void set_ready(Vdut& dut, bool on) { dut.%s = on; }", s.Ready)
		}
		h.line("    static void collect(const Vdut& dut, uint64_t* beat) {")
		h.line("        for (unsigned i = 0; i < kWords; i++) beat[i] = 0;")
		h.fields(layout, func(f simulator.Field, port string) string {
			return fmt.Sprintf("get<%d, %d>(dut.%s, beat)", f.Offset, f.Width, port)
		})
	}
	h.line("    }")
	h.line("};")
}

func (h *header) fields(layout simulator.Layout, call func(f simulator.Field, port string) string) {
	for _, f := range layout.Fields {
		h.line("        %s;", call(f, h.design.Ports[f.Port].Name))
	}
}

// access writes the functions that access ports by index, and the trace hash.
func (h *header) access() {
	h.line("")
	h.line("inline uint64_t hash_ports(const Vdut& dut, uint64_t h) {")
	for _, p := range h.design.Ports {
		if p.Name == h.design.Clock || slices.Contains(h.design.Statics, p.Name) {
			continue
		}
		if valid := h.design.Qualifies(p.Name); valid != "" {
			h.line("    if (dut.%s) h = hash<%d>(h, dut.%s);", valid, p.Width, p.Name)
		} else {
			h.line("    h = hash<%d>(h, dut.%s);", p.Width, p.Name)
		}
	}
	h.line("    return h;")
	h.line("}")
	h.line("")
	h.line("inline void set_port(Vdut& dut, uint64_t port, const uint64_t* words) {")
	h.line("    switch (port) {")
	for i, p := range h.design.Ports {
		if p.Dir == simulator.In {
			h.line("    case %d: return put<0, %d>(words, dut.%s);", i, p.Width, p.Name)
		}
	}
	h.line("    }")
	h.line("}")
	h.line("")
	h.line("inline void get_port(const Vdut& dut, uint64_t port, uint64_t* words) {")
	h.line("    switch (port) {")
	for i, p := range h.design.Ports {
		h.line("    case %d: return get<0, %d>(dut.%s, words);", i, p.Width, p.Name)
	}
	h.line("    }")
	h.line("}")
}
