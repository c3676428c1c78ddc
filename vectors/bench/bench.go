// Package bench writes a suite as a self-checking Verilog-2005 bench: a script of commands and images of inputs and
// expected outputs, all read with $readmemh, and the bench that executes them.
//
// The bench depends only on the port names of the generated hardware, so it drives any design with these ports. It
// works at transaction level: outputs are compared in order, not by cycle.
package bench

import (
	"bytes"

	_ "embed"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

//go:embed rnic_tb.v.tmpl
var benchText string

//go:embed rnic_wrapper.v.tmpl
var wrapperText string

//go:embed example/foreign_nic.v
var foreignText []byte

//go:embed example/foreign_wrapper.v
var foreignWrapperText []byte

//go:embed formats.md
var formatsText []byte

//go:embed axi_memory.v
var memoryText []byte

//go:embed pace.v
var paceText []byte

var (
	benchTemplate   = template.Must(template.New("rnic_tb.v").Delims("<%", "%>").Parse(benchText))
	wrapperTemplate = template.Must(template.New("rnic_wrapper.v").Delims("<%", "%>").Parse(wrapperText))
)

// facts are the values for the templates.
type facts struct {
	Title                                       string
	BusBytes, StreamBits, Streams               int
	Tests, Lines, RxOctets, Works, Receives     int
	Regions, TxPackets, TxOctets, Completions   int
	Events, Moments, MemoryOctets, Block, Quiet int
	Timeout, Outcomes, TestPackets              int
	Ranges                                      int
	Registers, Counters                         []string
	Log                                         string // offset of the log of Terminates
	DUT                                         string // name of the top module
}

// QuietCycles is the number of cycles without a handshake that end a rest, unless +quiet=N overrides it.
const QuietCycles = 100

// Files writes the bench of a suite and its images, all in the folder bench.
func Files(s *suite.Suite) ([]outdir.File, error) {
	m, err := imagesOf(s)
	if err != nil {
		return nil, err
	}
	c := s.Config
	f := facts{
		Title:    fmt.Sprintf("%d octets of bus, %d streams, %d STags, extensions %v", c.BusBytes, c.Streams, c.STags, c.Extensions),
		BusBytes: c.BusBytes, StreamBits: bitsFor(c.Streams), Streams: c.Streams, Tests: s.NumberOfTests, Lines: m.script.lines,
		RxOctets: m.rx.lines, Works: m.work.lines, Receives: m.receives.lines, Regions: m.regions.lines, TxPackets: m.txPackets.lines,
		TxOctets: m.txOctets.lines, Completions: m.completions.lines, Events: m.events.lines, Moments: m.moments.lines, MemoryOctets: m.octets.lines,
		Block: m.block + 128, Ranges: m.ranges, Outcomes: m.outcomes, TestPackets: m.testPackets, Quiet: QuietCycles,
		Timeout: 100000 + 8*c.Streams + 8*c.STags, // after reset, each stream and each row takes a cycle
	}
	for _, name := range suite.CounterRegisters {
		f.Counters = append(f.Counters, fmt.Sprintf("%03x", suite.OffsetOf(name)))
	}
	f.DUT = c.TopModule()
	f.Log = fmt.Sprintf("%03x", suite.OffsetOf(suite.LogRegister))
	for _, r := range gen.Registers {
		switch {
		case r.Name == "status", strings.HasPrefix(r.Name, "stag_"), strings.HasPrefix(r.Name, "stream_"):
			f.Registers = append(f.Registers, fmt.Sprintf("%s = 12'h%03x", strings.ToUpper(r.Name), r.Offset))
		}
	}
	var text, wrapper bytes.Buffer
	if err := errors.Join(benchTemplate.Execute(&text, f), wrapperTemplate.Execute(&wrapper, f)); err != nil {
		return nil, err
	}
	files := []outdir.File{
		{Name: "bench/rnic_tb.v", Data: text.Bytes()},
		{Name: "bench/rnic_wrapper.v", Data: wrapper.Bytes()},
		{Name: "bench/axi_memory.v", Data: memoryText},
		{Name: "bench/pace.v", Data: paceText},
		{Name: "bench/FORMATS.md", Data: formatsText},
		{Name: "example/foreign_nic.v", Data: foreignText},
		{Name: "example/foreign_wrapper.v", Data: foreignWrapperText},
	}
	for _, i := range m.list() {
		files = append(files, outdir.File{Name: "bench/" + i.name, Data: i.whole()})
	}
	return files, nil
}

// bitsFor returns the number of bits, at least 1, to distinguish n values; n is a power of two.
func bitsFor(n int) int {
	bits := 0
	for n > 1<<bits {
		bits++
	}
	return max(1, bits)
}
