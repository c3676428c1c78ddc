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
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
)

//go:embed rnic_tb.v.tmpl
var rnicText string

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

var (
	rnicTemplate    = template.Must(template.New("rnic_tb.v").Delims("<%", "%>").Parse(rnicText))
	wrapperTemplate = template.Must(template.New("rnic_wrapper.v").Delims("<%", "%>").Parse(wrapperText))
)

// rnicFacts fill the bench of rnic in.
type rnicFacts struct {
	Title                                       string
	BusBytes, StreamBits, Streams               int
	Tests, Lines, RxOctets, Works, Receives     int
	Regions, TxPackets, TxOctets, Completions   int
	Events, Moments, MemoryOctets, Block, Quiet int
	Timeout, Outcomes, TestPackets              int
	Ranges                                      int
	Registers, Counters                         []string
	Log                                         string // offset of the log of Terminates
}

// QuietCycles without a handshake end a rest, unless +quiet=N says something else.
const QuietCycles = 100

// RNICFiles writes the bench of a suite of rnic and its images, all in the folder bench.
func RNICFiles(s *rnicsuite.Suite) ([]outdir.File, error) {
	m, err := rnicImagesOf(s)
	if err != nil {
		return nil, err
	}
	c := s.Config
	f := rnicFacts{
		Title:    fmt.Sprintf("%d octets of bus, %d streams, %d STags, extensions %v", c.BusBytes, c.Streams, c.STags, c.Extensions),
		BusBytes: c.BusBytes, StreamBits: bitsFor(c.Streams), Streams: c.Streams, Tests: s.NumberOfTests, Lines: m.script.lines,
		RxOctets: m.rx.lines, Works: m.work.lines, Receives: m.receives.lines, Regions: m.regions.lines, TxPackets: m.txPackets.lines,
		TxOctets: m.txOctets.lines, Completions: m.completions.lines, Events: m.events.lines, Moments: m.moments.lines, MemoryOctets: m.octets.lines,
		Block: m.block + 128, Ranges: m.ranges, Outcomes: m.outcomes, TestPackets: m.testPackets, Quiet: QuietCycles,
		Timeout: 100000 + 8*c.Streams + 8*c.STags, // after a reset every stream, and every row, takes a clock
	}
	for _, name := range rnicsuite.CounterRegisters {
		f.Counters = append(f.Counters, fmt.Sprintf("%03x", rnicsuite.OffsetOf(name)))
	}
	f.Log = fmt.Sprintf("%03x", rnicsuite.OffsetOf(rnicsuite.LogRegister))
	for _, r := range gen.Registers {
		switch {
		case r.Name == "status", strings.HasPrefix(r.Name, "stag_"), strings.HasPrefix(r.Name, "stream_"):
			f.Registers = append(f.Registers, fmt.Sprintf("%s = 12'h%03x", strings.ToUpper(r.Name), r.Offset))
		}
	}
	var text, wrapper bytes.Buffer
	if err := errors.Join(rnicTemplate.Execute(&text, f), wrapperTemplate.Execute(&wrapper, f)); err != nil {
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
