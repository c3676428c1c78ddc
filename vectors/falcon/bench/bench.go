package bench

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	rdmap "github.com/rnicgen/rnicgen/vectors/bench"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

//go:embed falcon_tb.v.tmpl
var benchText string

var benchTemplate = template.Must(template.New("falcon_tb.v").Delims("<%", "%>").Parse(benchText))

// Stream is a stream of the design, for the template.
type Stream struct {
	Name, Valid, Ready string
	Width              int
	Fields             []Field // the first one from bit 0 of a beat
}

// Field is a port of a stream.
type Field struct {
	Port  string
	Width int
}

// Range is the declaration of the port's width.
func (f Field) Range() string { return fmt.Sprintf("[%d:0]", f.Width-1) }

// Bits is the width of a line of its image.
func (s Stream) Bits() int { return (s.Width + 3) / 4 * 4 }

// Packed is the concatenation of the fields.
func (s Stream) Packed() string {
	var names []string
	for i := len(s.Fields) - 1; i >= 0; i-- {
		names = append(names, s.Fields[i].Port)
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// facts are the values for the template.
type facts struct {
	Top, Title                        string
	BusBytes, Quiet, Idle             int
	Inputs                            []inputFacts
	Outputs                           []Stream // but those of memory and registers
	Others                            []Stream // of memory
	Tests, Lines, Tx, Octets, Answers int
	Completions, Events, Memory       int
	Block, Ranges, Longest            int
	Status                            string // address of the register
	Classes                           []string
}

type inputFacts struct {
	Stream
	Lines, Number int
	File          string
}

// Files writes the bench of a suite, all in the folder bench; nothing if there is no hardware of its configuration. Its tests are those that
// need nothing that the hardware lacks, and no host that counts work requests.
func Files(s *suite.Suite) ([]outdir.File, error) {
	c := s.Config.Config
	h := hardware.Config(c)
	if h.Check() != nil {
		return nil, nil
	}
	design, err := falcon.Design(h)
	if err != nil {
		return nil, err
	}
	w, streams, err := newScript(h, design)
	if err != nil {
		return nil, err
	}
	r := &recorder{script: w, design: design}
	device, err := falcon.OnEngine(h, design, r)
	if err != nil {
		return nil, err
	}
	s.Each(func(g *suite.Group, t *suite.Test) {
		if err == nil && hardware.Lacks(c, g, t) == "" && !hardware.Counts(c, g) {
			err = w.test(hardware.Runner{Config: c, Device: device}, g, t)
		}
	})
	if err != nil {
		return nil, err
	}
	w.command(commandEnd, 0, uint32(w.tests), 0)
	return w.files(h, streams)
}

// newScript returns an empty script, and the streams of a design.
func newScript(h gen.Config, design *simulator.Design) (*script, []Stream, error) {
	order, _ := h.Order()
	w := &script{lines: &rdmap.Image{Name: "script.hex", Width: 30}, tx: &rdmap.Image{Name: "tx_packets.hex", Width: 29}, octets: &rdmap.Image{Name: "tx_octets.hex", Width: 2},
		answers: &rdmap.Image{Name: "answers.hex", Width: 17}, completions: &rdmap.Image{Name: "completions.hex", Width: 63}, events: &rdmap.Image{Name: "events.hex", Width: 8},
		memory: &rdmap.Image{Name: "memory_octets.hex", Width: 2}, numbers: masks{order}}
	var all []Stream
	for i, s := range design.Streams {
		layout, err := design.Layout(i)
		if err != nil {
			return nil, nil, err
		}
		x := Stream{Name: s.Name, Valid: s.Valid, Ready: s.Ready}
		for j, f := range layout.Fields {
			x.Fields, x.Width = append(x.Fields, Field{s.Fields[j], f.Width}), x.Width+f.Width
		}
		all = append(all, x)
		if s.Dir == simulator.Sink && !strings.HasPrefix(s.Name, registerPort) && !strings.HasPrefix(s.Name, "m_axi") {
			w.inputs = append(w.inputs, &input{Stream: x, image: &rdmap.Image{Name: s.Name + ".hex", Width: (x.Width + 3) / 4}})
		}
	}
	return w, all, nil
}

// test records a test.
func (s *script) test(r hardware.Runner, g *suite.Group, t *suite.Test) error {
	s.tests++
	s.group, s.steps = g, nil
	s.command(commandTest, 0, uint32(t.TcID), 0)
	octets := 0
	for _, m := range g.Memory {
		s.command(commandRange, 0, uint32(m.Octets), uint64(m.Address))
		s.command(commandFill, 0, m.Seed, 0)
		octets += m.Octets
	}
	s.block, s.ranges = max(s.block, octets), max(s.ranges, len(g.Memory))
	r.Begun = func() {
		s.steps = t.Steps
		s.begin()
	}
	if _, err := r.Run(g, t); err != nil {
		return fmt.Errorf("tcId %d: %w", t.TcID, err)
	}
	for _, c := range t.Memory {
		at, err := s.place(c.Address)
		if err != nil {
			return fmt.Errorf("tcId %d: %w", t.TcID, err)
		}
		s.command(commandChange, 0, uint32(at), both(len(c.Hex), s.memory.Octets(c.Hex)))
	}
	s.command(commandCheck, 0, 0, 0)
	return nil
}

// masks give the numbers that the hardware has for QPs and connections of a test, as [hardware.Runner] does, and packets with them.
type masks struct{ order spec.BitOrder }

func (masks) QP(number uint32) uint32 { return number ^ hardware.QPMask }
func (masks) CID(cid uint32) uint32   { return cid ^ hardware.CIDMask }

// Sent is a packet of the design. It has the number of the design's QP in the header of a datagram; others have only numbers of the peer.
func (m masks) Sent(octets []byte) []byte {
	var p packet.Packet
	p.Decode(octets, m.order)
	at := spec.RBTH.Octets()
	if p.Opcode.Service() != spec.UD || len(octets) < at+spec.DETH.Octets() {
		return octets
	}
	out := bytes.Clone(octets)
	f := spec.DETH.Table(m.order).MustField("source_qp")
	number, _ := f.Get(out[at:])
	f.Set(out[at:], number^hardware.QPMask)
	return out
}

func (s *script) files(h gen.Config, streams []Stream) ([]outdir.File, error) {
	f := facts{Top: h.TopModule(), Title: fmt.Sprintf("%d octets of bus, bit order %s", h.BusBytes, h.BitOrder), BusBytes: h.BusBytes, Quiet: falcon.QuietCycles, Idle: idle, Tests: s.tests, Lines: s.lines.Lines, Tx: s.tx.Lines,
		Octets: s.octets.Lines, Answers: s.answers.Lines, Completions: s.completions.Lines, Events: s.events.Lines, Memory: s.memory.Lines, Block: s.block + 128, Ranges: s.ranges,
		Longest: s.longest, Classes: classes()}
	for _, r := range h.Registers() {
		if r.Name == "status" {
			f.Status = fmt.Sprintf("12'h%03x", r.Offset)
		}
	}
	for i, in := range s.inputs {
		f.Inputs = append(f.Inputs, inputFacts{in.Stream, in.image.Lines, i, in.image.Name})
	}
	for _, x := range streams {
		switch {
		case strings.HasPrefix(x.Name, "m_axi_"):
			f.Others = append(f.Others, x)
		case x.Name == "m_axis_tx", x.Name == "answer", x.Name == "cqe", x.Name == "event":
			f.Outputs = append(f.Outputs, x)
		}
	}
	var text bytes.Buffer
	if err := benchTemplate.Execute(&text, f); err != nil {
		return nil, err
	}
	files, err := rdmap.MemoryFiles()
	config, failed := yaml.Marshal(h)
	if err != nil || failed != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	files = append(files, outdir.File{Name: "bench/falcon_tb.v", Data: text.Bytes()}, outdir.File{Name: "bench/rnic.yaml", Data: config})
	images := []*rdmap.Image{s.lines, s.tx, s.octets, s.answers, s.completions, s.events, s.memory}
	for _, in := range s.inputs {
		images = append(images, in.image)
	}
	for _, i := range images {
		files = append(files, outdir.File{Name: "bench/" + i.Name, Data: i.Whole()})
	}
	return files, nil
}
