// Package bench writes a suite as a Verilog-2005 bench that checks itself: one script of commands, images of what
// goes in and of what has to come out, all read with $readmemh, and the bench that plays them.
//
// The bench knows nothing of the generated hardware but the names of its ports, so that it drives any design
// that has them. It is transaction-level: what comes out is compared in order, not in time.
package bench

import (
	"bytes"
	_ "embed"
	"fmt"
	"text/template"

	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

//go:embed rnic_atomics_tb.v.tmpl
var benchText string

//go:embed vector_monitors.v
var monitorsText []byte

//go:embed pace.v
var paceText []byte

//go:embed retire_monitor.v
var retireText []byte

// The delimiters are no Verilog.
var benchTemplate = template.Must(template.New("rnic_atomics_tb.v").Delims("<%", "%>").Parse(benchText))

// facts fill the bench in.
type facts struct {
	Title                                        string
	BusBytes, StreamBits, IndexBits              int
	RetirePort                                   bool
	Tests, Lines, RxOctets                       int
	TxPackets, TxOctets, Payloads, PayloadOctets int
	Records, Answers, Retired                    int
	Timeout                                      int
}

// Files writes the bench of a suite and its images, all in the folder bench.
func Files(s *suite.Suite) ([]outdir.File, error) {
	images, err := imagesOf(s)
	if err != nil {
		return nil, err
	}
	c := s.Config
	f := facts{
		Title:    fmt.Sprintf("%d octets of bus, %d streams, %d words, extensions %v", c.BusBytes, c.Streams, c.WindowWords, c.Extensions),
		BusBytes: c.BusBytes, StreamBits: bitsFor(c.Streams), IndexBits: bitsFor(c.WindowWords), RetirePort: c.RetirePort,
		Tests: s.NumberOfTests, Lines: images.script.lines, RxOctets: images.rx.lines,
		TxPackets: images.tx.packets.lines, TxOctets: images.tx.octets.lines,
		Payloads: images.payload.packets.lines, PayloadOctets: images.payload.octets.lines,
		Records: images.records.lines, Answers: images.answers.lines, Retired: images.retired.lines,
		Timeout: 10000 + 2*c.Streams, // after a reset every stream takes a clock
	}
	var text bytes.Buffer
	if err := benchTemplate.Execute(&text, f); err != nil {
		return nil, err
	}
	files := []outdir.File{
		{Name: "bench/rnic_atomics_tb.v", Data: text.Bytes()},
		{Name: "bench/vector_monitors.v", Data: monitorsText},
		{Name: "bench/pace.v", Data: paceText},
	}
	if c.RetirePort {
		files = append(files, outdir.File{Name: "bench/retire_monitor.v", Data: retireText})
	}
	for _, i := range images.list(c.RetirePort) {
		files = append(files, outdir.File{Name: "bench/" + i.name, Data: i.whole()})
	}
	return files, nil
}

// bitsFor is the number of bits that tell n things apart; n is a power of two.
func bitsFor(n int) int {
	bits := 0
	for n > 1<<bits {
		bits++
	}
	return max(1, bits)
}
