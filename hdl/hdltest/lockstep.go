package hdltest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// Engine is a Verilog simulator.
type Engine int

// The Verilog simulators that a design is compared on.
const (
	Icarus    Engine = iota // four-state: an unknown bit that reaches an output is detected
	Verilator               // two-state
)

// Agree fails the test unless the designs behave in the engines as in hdl/sim; see [Compare].
func Agree(t testing.TB, seed uint64, cycles int, engines []Engine, designs ...*hdl.Design) {
	t.Helper()
	for _, e := range engines {
		require.NoError(t, Compare(t.TempDir(), e, seed, cycles, designs...))
	}
}

// Compare runs the designs in hdl/sim and in an engine, from the same pseudo-random state and on the same
// pseudo-random inputs. The error names the first output that differs, and the cycle. All designs are built together in dir.
func Compare(dir string, e Engine, seed uint64, cycles int, designs ...*hdl.Design) error {
	files, err := bench(seed, cycles, designs)
	if err != nil {
		return err
	}
	out, err := e.run(dir, files.sources)
	if err != nil {
		return err
	}
	if err := files.compare(out); err != nil {
		return fmt.Errorf("%s, seed %d: %w", e, seed, err)
	}
	return nil
}

// benchFiles is a test bench with its expected output.
type benchFiles struct {
	sources []hdl.File
	want    map[string]string // "design cycle" to outputs in hexadecimal
	ports   []string          // of each design, for messages
}

func bench(seed uint64, cycles int, designs []*hdl.Design) (*benchFiles, error) {
	b := &benchFiles{want: map[string]string{}}
	text := &strings.Builder{}
	fmt.Fprintf(text, "module bench(input wire clk);\n    reg [31:0] cycle = 0;\n")
	files, err := sources(designs)
	if err != nil {
		return nil, err
	}
	b.sources = files
	for i, d := range designs {
		if err := b.add(text, i, d, seed+uint64(i), cycles); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(text, "    always @(posedge clk) begin\n        cycle <= cycle + 1;\n        if (cycle == %d) $finish;\n    end\nendmodule\n", cycles-1)
	b.sources = append(b.sources, hdl.File{Name: "bench.v", Text: text.String()})
	return b, nil
}

// add writes the part of the bench for one design: inputs from a file, initial state, printing of outputs.
func (b *benchFiles) add(text *strings.Builder, i int, d *hdl.Design, seed uint64, cycles int) error {
	s, err := sim.New(d, sim.RandomInit(seed))
	if err != nil {
		return err
	}
	var ins []sim.Input
	var outs []sim.Signal
	pins, inBits, outBits := []string{}, 0, 0
	bind := func(name, bus string, from, width int) string {
		return fmt.Sprintf(".%s(%s_%d[%d:%d])", name, bus, i, from+width-1, from)
	}
	ports := d.Ports()
	if d.Clocked() {
		pins = append(pins, ".clk(clk)")
		ports = append([]hdl.Port{{Name: "rst", Width: 1}}, ports...)
	}
	for _, p := range ports {
		sig, err := s.Signal(p.Name)
		if err != nil {
			return err
		}
		if p.Out {
			outs = append(outs, sig)
			pins = append(pins, bind(p.Name, "out", outBits, p.Width))
			outBits += p.Width
			continue
		}
		in, err := s.Input(p.Name)
		if err != nil {
			return err
		}
		ins = append(ins, in)
		pins = append(pins, bind(p.Name, "in", inBits, p.Width))
		inBits += p.Width
	}
	fmt.Fprintf(text, "    reg [%d:0] stimulus_%d [0:%d];\n    wire [%d:0] in_%d = stimulus_%d[cycle];\n    wire [%d:0] out_%d;\n",
		max(inBits, 1)-1, i, cycles-1, max(inBits, 1)-1, i, i, max(outBits, 1)-1, i)
	fmt.Fprintf(text, "    %s dut_%d(%s);\n", d.Top(), i, strings.Join(pins, ", "))
	fmt.Fprintf(text, "    always @(posedge clk) $display(\"%d %%0d %%h\", cycle, out_%d);\n", i, i)
	fmt.Fprintf(text, "    initial begin\n        $readmemh(\"stimulus_%d.hex\", stimulus_%d);\n", i, i)
	initialise(text, s, fmt.Sprintf("dut_%d", i))
	fmt.Fprintf(text, "    end\n")
	b.sources = append(b.sources, hdl.File{Name: fmt.Sprintf("stimulus_%d.hex", i), Text: b.drive(i, s, ins, outs, seed, cycles)})
	names := []string{}
	for _, o := range outs {
		names = append([]string{fmt.Sprintf("%s[%d]", o.Name, o.Width)}, names...)
	}
	b.ports = append(b.ports, d.Top()+": {"+strings.Join(names, ", ")+"}")
	return nil
}

// initialise sets the registers and memories of the Verilog model to the initial state of the Go model.
func initialise(text *strings.Builder, s *sim.Sim, dut string) {
	for _, name := range s.Registers() {
		r, _ := s.Signal(name)
		fmt.Fprintf(text, "        %s.%s = %d'h%s;\n", dut, name, r.Width, hex(r.Width, r))
	}
	for _, m := range s.Memories() {
		words := make([]uint64, (m.Width+63)/64)
		for a := range m.Depth {
			m.Get(a, words)
			fmt.Fprintf(text, "        %s.%s[%d] = %d'h%s;\n", dut, m.Name, a, m.Width, hexWords(m.Width, words))
		}
	}
}

// drive steps the Go model and returns its inputs as a file for $readmemh.
func (b *benchFiles) drive(i int, s *sim.Sim, ins []sim.Input, outs []sim.Signal, seed uint64, cycles int) string {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	text := &strings.Builder{}
	for c := range cycles {
		stimulus := &joined{}
		for _, in := range ins {
			words := make([]uint64, (in.Width+63)/64)
			in.GetWords(words)
			if in.Name == "rst" {
				words[0] = 0
				if c == 1 || c > 2 && r.IntN(64) == 0 {
					words[0] = 1
				}
			} else {
				draw(r, words)
			}
			in.SetWords(words)
			in.GetWords(words)
			stimulus.add(in.Width, words)
		}
		s.Eval()
		outputs := &joined{}
		for _, o := range outs {
			words := make([]uint64, (o.Width+63)/64)
			o.GetWords(words)
			outputs.add(o.Width, words)
		}
		s.Step()
		fmt.Fprintln(text, stimulus.hex())
		b.want[fmt.Sprintf("%d %d", i, c)] = outputs.hex()
	}
	return text.String()
}

// draw draws the next value of an input: often at the ends of the range, sometimes unchanged.
func draw(r *rand.Rand, words []uint64) {
	switch r.IntN(8) {
	case 0:
		return
	case 1:
		clear(words)
	case 2:
		for i := range words {
			words[i] = ^uint64(0)
		}
	case 3:
		clear(words)
		words[0] = r.Uint64N(4)
	case 4:
		clear(words)
		words[r.IntN(len(words))] = 1 << r.IntN(64)
	default:
		for i := range words {
			words[i] = r.Uint64()
		}
	}
}

// compare reads the lines "design cycle outputs" and requires each expected one exactly once.
func (b *benchFiles) compare(printed string) error {
	seen := 0
	for _, l := range strings.Split(printed, "\n") {
		f := strings.Fields(l)
		if len(f) != 3 {
			continue
		}
		want, known := b.want[f[0]+" "+f[1]]
		if !known {
			continue
		}
		seen++
		if got := strings.TrimLeft(f[2], "0"); got != strings.TrimLeft(want, "0") {
			var design int
			fmt.Sscan(f[0], &design)
			return fmt.Errorf("%s in cycle %s: Verilog says %s, hdl/sim says %s", b.ports[design], f[1], f[2], want)
		}
	}
	if seen != len(b.want) {
		return fmt.Errorf("%d of %d lines were printed:\n%s", seen, len(b.want), printed)
	}
	return nil
}

// joined is a value assembled from the lowest bit up.
type joined struct {
	words []uint64
	width int
}

func (j *joined) add(width int, words []uint64) {
	for done := 0; done < width; done += 64 {
		n := min(64, width-done)
		v, sh := words[done/64]&(^uint64(0)>>(64-n)), j.width%64
		for len(j.words)*64 < j.width+n {
			j.words = append(j.words, 0)
		}
		j.words[j.width/64] |= v << sh
		if sh+n > 64 {
			j.words[j.width/64+1] |= v >> (64 - sh)
		}
		j.width += n
	}
}

func (j *joined) hex() string { return hexWords(j.width, j.words) }

func hex(width int, s sim.Signal) string {
	words := make([]uint64, (width+63)/64)
	s.GetWords(words)
	return hexWords(width, words)
}

func hexWords(width int, words []uint64) string {
	b := &strings.Builder{}
	for i := len(words) - 1; i >= 0; i-- {
		fmt.Fprintf(b, "%016x", words[i])
	}
	text := b.String()
	return text[len(text)-max(1, (width+3)/4):]
}
