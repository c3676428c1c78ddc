package bench

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
)

//go:embed rnic_tb.v.tmpl
var rnicText string

//go:embed axi_memory.v
var memoryText []byte

var rnicTemplate = template.Must(template.New("rnic_tb.v").Delims("<%", "%>").Parse(rnicText))

// rnicFacts fill the bench of rnic in.
type rnicFacts struct {
	Title                                       string
	BusBytes, StreamBits, Streams               int
	Tests, Lines, RxOctets, Works, Receives     int
	Regions, TxPackets, TxOctets, Completions   int
	Events, Moments, MemoryOctets, Block, Quiet int
	Ranges                                      int
	Timeout                                     int
	Registers, Counters                         []string
}

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
		Block: m.block + 128, Ranges: m.ranges, Quiet: 100, Timeout: 100000 + 8*c.Streams + 8*c.STags, // after a reset every stream, and every row, takes a clock
	}
	for _, name := range rnicsuite.CounterRegisters {
		f.Counters = append(f.Counters, fmt.Sprintf("%03x", rnicsuite.OffsetOf(name)))
	}
	for _, r := range gen.Registers {
		switch {
		case r.Name == "status", r.Name == rnicsuite.LogRegister, strings.HasPrefix(r.Name, "stag_"), strings.HasPrefix(r.Name, "stream_"):
			f.Registers = append(f.Registers, fmt.Sprintf("%s = 12'h%03x", strings.ToUpper(r.Name), r.Offset))
		}
	}
	var text bytes.Buffer
	if err := rnicTemplate.Execute(&text, f); err != nil {
		return nil, err
	}
	files := []outdir.File{
		{Name: "bench/rnic_tb.v", Data: text.Bytes()},
		{Name: "bench/axi_memory.v", Data: memoryText},
		{Name: "bench/pace.v", Data: paceText},
	}
	for _, i := range m.list() {
		files = append(files, outdir.File{Name: "bench/" + i.name, Data: i.whole()})
	}
	return files, nil
}
