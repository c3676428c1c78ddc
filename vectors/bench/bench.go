// Package bench writes a suite as a self-checking Verilog-2005 bench: a script of commands and images of inputs and
// expected outputs, all read with $readmemh, and the bench that executes them.
//
// The bench depends only on the port names of the generated hardware, so it drives any design with these ports. It
// works at transaction level: outputs are compared in order, not by cycle.
package bench

import (
	"bytes"

	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

//go:embed rnic_tb.v.tmpl
var benchText string

//go:embed rnic_wrapper.v.tmpl
var wrapperText string

//go:embed example/foreign_nic.v.tmpl
var foreignText string

//go:embed example/foreign_wrapper.v.tmpl
var foreignWrapperText string

//go:embed formats.md
var formatsText []byte

//go:embed formats_commit.md
var formatsCommitText []byte

//go:embed axi_memory.v.tmpl
var memoryText string

//go:embed pace.v
var paceText []byte

// Files that every bench has.
const (
	paceFile   = "bench/pace.v"
	memoryFile = "bench/axi_memory.v"
)

// templates by the names of their files.
var templates = []*template.Template{parsed("bench/rnic_tb.v", benchText), parsed("bench/rnic_wrapper.v", wrapperText), parsed(memoryFile, memoryText),
	parsed("example/foreign_nic.v", foreignText), parsed("example/foreign_wrapper.v", foreignWrapperText)}

func parsed(name, text string) *template.Template {
	return template.Must(template.New(name).Delims("<%", "%>").Parse(text))
}

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

	Commit    bool     // the extension
	Flushes   int      // lines of their image
	Responses []string // opcodes of responses and the Terminate
	Terminate string   // its opcode
}

// more returns a bit number, or a number of bits, that the extension commit increases.
func (f facts) more(bit, by int) int {
	if f.Commit {
		bit += by
	}
	return bit
}

// Numbers of bits: of opcodes, of one in an image, and of the lines of images.
func (f facts) Top(bit int) int  { return f.more(bit, spec.MaxOpcodeBits-spec.OpcodeBits) }
func (f facts) Word(bit int) int { return f.more(bit, 4) }
func (f facts) Read(bit int) int { return f.more(bit, 1) }
func (f facts) Cqe(bit int) int  { return f.more(bit, 4) }
func (f facts) Work(bit int) int { return f.more(bit, 4*workMore) }
func (f facts) Row(bit int) int  { return f.more(bit, 4*rowMore) }

// Foreign is a number or a range of bits of the example, with the extension commit and without.
func (f facts) Foreign(with, without any) any {
	if f.Commit {
		return with
	}
	return without
}

// ReadID is the range of the IDs of reads, in its column.
func (f facts) ReadID() string {
	if f.Commit {
		return fmt.Sprintf("%-18s", "[1:0]")
	}
	return fmt.Sprintf("%18s", "")
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
		BusBytes: c.BusBytes, StreamBits: bitsFor(c.Streams), Streams: c.Streams, Tests: s.NumberOfTests, Lines: m.script.Lines,
		RxOctets: m.rx.Lines, Works: m.work.Lines, Receives: m.receives.Lines, Regions: m.regions.Lines, TxPackets: m.txPackets.Lines,
		TxOctets: m.txOctets.Lines, Completions: m.completions.Lines, Events: m.events.Lines, Moments: m.moments.Lines, MemoryOctets: m.octets.Lines,
		Block: m.block + 128, Ranges: m.ranges, Outcomes: m.outcomes, TestPackets: m.testPackets, Quiet: QuietCycles,
		Timeout: 100000 + 8*c.Streams + 8*c.STags, // after reset, each stream and each row takes a cycle
	}
	for _, name := range suite.CounterRegisters {
		f.Counters = append(f.Counters, fmt.Sprintf("%03x", suite.OffsetOf(name)))
	}
	f.DUT = c.TopModule()
	x := c.Protocol()
	if f.Commit = x&spec.Commit != 0; f.Commit {
		f.Flushes = m.flushes.Lines
	}
	opcode := func(op spec.Opcode) string { return fmt.Sprintf("%d'h%x", x.OpcodeBits(), uint8(op)) }
	for _, op := range x.All(spec.Responses | spec.Terminate) {
		f.Responses = append(f.Responses, opcode(op))
	}
	f.Terminate = opcode(spec.Terminate.Opcode())
	f.Log = fmt.Sprintf("%03x", suite.OffsetOf(suite.LogRegister))
	for _, r := range c.Registers() {
		switch {
		case r.Name == "status", strings.HasPrefix(r.Name, "stag_"), strings.HasPrefix(r.Name, "stream_"):
			f.Registers = append(f.Registers, fmt.Sprintf("%s = 12'h%03x", strings.ToUpper(r.Name), r.Offset))
		}
	}
	formats := formatsText
	if f.Commit {
		formats = slices.Concat(formatsText, formatsCommitText)
	}
	files := []outdir.File{{Name: paceFile, Data: paceText}, {Name: "bench/FORMATS.md", Data: formats}}
	for _, t := range templates {
		var text bytes.Buffer
		if err := t.Execute(&text, f); err != nil {
			return nil, err
		}
		files = append(files, outdir.File{Name: t.Name(), Data: text.Bytes()})
	}
	for _, i := range m.list() {
		files = append(files, outdir.File{Name: "bench/" + i.Name, Data: i.Whole()})
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

// MemoryFiles are the modules of the bench that every design needs: memory, and the stalls of ports.
func MemoryFiles() ([]outdir.File, error) {
	var text bytes.Buffer
	for _, t := range templates {
		if t.Name() == memoryFile {
			if err := t.Execute(&text, facts{}); err != nil {
				return nil, err
			}
		}
	}
	return []outdir.File{{Name: paceFile, Data: paceText}, {Name: memoryFile, Data: text.Bytes()}}, nil
}
