package synth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/internal/process"
)

// Report is the resource use of a design on an FPGA, and its estimated speed.
type Report struct {
	Target    string   `json:"target"`
	Module    string   `json:"module"`
	LUT       int      `json:"lut"` // logic alone
	FF        int      `json:"ff"`
	Carry     int      `json:"carry"`     // cells of carry chains
	LUTRAM    int      `json:"lut_ram"`   // cells
	BlockRAM  int      `json:"block_ram"` // cells, of any size
	DSP       int      `json:"dsp"`
	Levels    int      `json:"levels"`         // most LUTs, asynchronously read memories and carry chains on a path
	Delay     float64  `json:"delay_ns"`       // estimate of the slowest path, including ports of the module
	Inner     float64  `json:"inner_delay_ns"` // the same, register to register only
	Memories  []Memory `json:"memories"`
	Paths     []Path   `json:"paths"`           // the slowest, one per pair of registers
	Unmodeled []string `json:"unmodeled_cells"` // types of cells assumed to have no delay
	Routing   *Routing `json:"routing,omitempty"`
}

// Memory is the mapping of a memory.
type Memory struct {
	Name  string `json:"name"`
	Cell  string `json:"cell"` // type
	Cells int    `json:"cells"`
	Made  string `json:"made"` // line of Go
}

// Path is a slow path.
type Path struct {
	Delay   float64   `json:"delay_ns"`
	Levels  int       `json:"levels"`
	Start   string    `json:"start"` // register, memory or port
	End     string    `json:"end"`
	Made    [2]string `json:"made"`    // lines of Go of both ends
	Through []string  `json:"through"` // named signals between them
}

// Options of a synthesis.
type Options struct {
	Context context.Context // nil: none
	Paths   int             // maximum number
}

// CheckTools reports a missing tool.
func CheckTools() error {
	if _, err := exec.LookPath("yosys"); err != nil {
		return errors.New("yosys is not installed; install it with: apt-get install yosys")
	}
	return nil
}

// Run synthesises a design.
func Run(d *hdl.Design, t Target, o Options) (*Report, error) {
	if o.Context == nil {
		o.Context = context.Background()
	}
	dir, err := os.MkdirTemp("", "rnicgen-synth-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := synthesise(o.Context, dir, d.Files(), d.Top(), t); err != nil {
		return nil, fmt.Errorf("%s for %s: %w", d.Top(), t.Name, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "netlist.json"))
	if err != nil {
		return nil, err
	}
	n, err := readNetlist(text, d.Top())
	if err != nil {
		return nil, err
	}
	return report(d, &t, n, o.Paths), nil
}

// synthesise writes the files and netlist.json into dir.
func synthesise(ctx context.Context, dir string, files []hdl.File, top string, t Target) error {
	script := "read_verilog"
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644); err != nil {
			return err
		}
		script += " " + f.Name
	}
	script += "; " + strings.ReplaceAll(t.script, "TOP", top) + "; write_json netlist.json"
	if err := run(ctx, dir, "yosys", "-q", "-p", script); err != nil {
		return err
	}
	return process.Made("yosys", filepath.Join(dir, "netlist.json"))
}

// run runs a program; its error ends with what the program said of it.
func run(ctx context.Context, dir, program string, args ...string) error {
	cmd := process.Command(ctx, dir, program, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f := process.Unexplained(program, err, out.String()); f != nil {
		return f
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, reason(out.String()))
	}
	return nil
}

// reason is the first line of an output that begins with ERROR, or else its last one: nextpnr counts its errors at the end.
func reason(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "ERROR") }); i >= 0 {
		return lines[i]
	}
	return lines[len(lines)-1]
}

func report(d *hdl.Design, t *Target, n *netlist, paths int) *Report {
	r := &Report{Target: t.Name, Module: d.Top(), Memories: []Memory{}, Paths: []Path{}, Unmodeled: []string{}}
	memories := map[[2]string]int{}
	for name, c := range n.Cells {
		switch t.cellOf(c.Type).kind {
		case lut:
			r.LUT++
		case flipFlop:
			r.FF++
		case carry:
			r.Carry++
		case lutRAM:
			r.LUTRAM++
			memories[[2]string{memoryOf(name), c.Type}]++
		case blockRAM:
			r.BlockRAM++
			memories[[2]string{memoryOf(name), c.Type}]++
		case dsp:
			r.DSP++
		case other:
			if !slices.Contains(r.Unmodeled, c.Type) {
				r.Unmodeled = append(r.Unmodeled, c.Type)
			}
		}
	}
	slices.Sort(r.Unmodeled)
	for m, cells := range memories {
		r.Memories = append(r.Memories, Memory{Name: m[0], Cell: m[1], Cells: cells, Made: madeAt(d, m[0])})
	}
	slices.SortFunc(r.Memories, func(a, b Memory) int { return strings.Compare(a.Name+a.Cell, b.Name+b.Cell) })
	r.time(d, newTiming(t, n), n.names(), paths)
	return r
}

// time fills in the results of the timing graph.
func (r *Report) time(d *hdl.Design, g *timing, names map[bit]string, paths int) {
	named := func(p pin) string {
		switch {
		case p.outer:
			return p.port
		case signal(names[p.bit]) != "":
			return signal(names[p.bit])
		}
		return memoryOf(p.cell)
	}
	holder := map[string]string{} // register or memory of an end, by its output
	for b, s := range g.starts {
		if name := signal(names[b]); name != "" && (holder[s.cell] == "" || name < holder[s.cell]) {
			holder[s.cell] = name
		}
	}
	seen := map[[2]string]bool{}
	for _, e := range g.slowest() {
		r.Levels = max(r.Levels, e.levels)
		way := g.way(e.bit)
		start := pin{bit: way[0]}
		if s, is := g.starts[way[0]]; is {
			start = s
		}
		if !start.outer && !e.outer {
			r.Inner = math.Max(r.Inner, round(e.delay))
		}
		r.Delay = math.Max(r.Delay, round(e.delay))
		p := Path{Delay: round(e.delay), Levels: e.levels, Start: named(start), End: e.port, Through: []string{}}
		if !e.outer {
			if p.End = holder[e.cell]; p.End == "" {
				p.End = memoryOf(e.cell)
			}
		}
		if key := [2]string{p.Start, p.End}; seen[key] || len(r.Paths) >= paths {
			continue
		} else {
			seen[key] = true
		}
		for _, b := range way[1:] {
			if s := signal(names[b]); madeAt(d, s) != "" && (len(p.Through) == 0 || p.Through[len(p.Through)-1] != s) {
				p.Through = append(p.Through, s)
			}
		}
		p.Made = [2]string{madeAt(d, p.Start), madeAt(d, p.End)}
		r.Paths = append(r.Paths, p)
	}
}

func round(ns float64) float64 { return math.Round(100*ns) / 100 }
