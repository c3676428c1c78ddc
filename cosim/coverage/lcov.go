package coverage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// lcov writes the coverage of a design in lcov format: DA for lines, BRDA for the arms of ifs and cases (block 0) and for the
// rising and falling bits of ports (block 1, at the line that declares the port). File names are relative to a folder.
func lcov(name, folder string, d *simulator.Design, c *simulator.Coverage) []byte {
	type branch struct {
		line, block int
		taken       uint64
	}
	lines := map[string]map[int]uint64{}
	branches := map[string][]branch{}
	for _, f := range d.Files {
		lines[f.Name] = map[int]uint64{}
	}
	for _, p := range c.Points {
		for _, n := range p.Lines {
			lines[p.File][n] = max(lines[p.File][n], p.Count)
		}
		if p.Arm != "" {
			branches[p.File] = append(branches[p.File], branch{p.Line, 0, p.Count})
		}
	}
	pins := map[string]simulator.Pin{} // all instances of a module together
	var order []string
	for _, p := range c.Pins {
		key := p.Variant + "." + p.Port
		is, known := pins[key]
		if !known {
			order = append(order, key)
			is = simulator.Pin{Module: p.Module, Variant: p.Variant, Port: p.Port, Width: p.Width, Rose: make([]uint64, len(p.Rose)), Fell: make([]uint64, len(p.Fell))}
		}
		for w := range p.Rose {
			is.Rose[w] |= p.Rose[w]
			is.Fell[w] |= p.Fell[w]
		}
		pins[key] = is
	}
	text := map[string][]string{}
	for _, f := range d.Files {
		text[f.Name] = strings.Split(f.Text, "\n")
	}
	for _, key := range order {
		p := pins[key]
		file := p.Module + ".v"
		line := portLine(text[file], p.Port)
		for bit := range p.Width {
			for _, edge := range [][]uint64{p.Rose, p.Fell} {
				branches[file] = append(branches[file], branch{line, 1, edge[bit/64] >> (bit % 64) & 1})
			}
		}
	}
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "TN:%s\nSF:%s/%s\n", name, folder, file)
		list := branches[file]
		slices.SortStableFunc(list, func(x, y branch) int { return 2*(x.line-y.line) + x.block - y.block })
		hit, n := 0, 0
		for i, r := range list {
			if n++; i == 0 || list[i-1].line != r.line || list[i-1].block != r.block {
				n = 0
			}
			if r.taken > 0 {
				hit++
			}
			fmt.Fprintf(&b, "BRDA:%d,%d,%d,%d\n", r.line, r.block, n, r.taken)
		}
		fmt.Fprintf(&b, "BRF:%d\nBRH:%d\n", len(list), hit)
		hit = 0
		for _, n := range slices.Sorted(maps.Keys(lines[file])) {
			if lines[file][n] > 0 {
				hit++
			}
			fmt.Fprintf(&b, "DA:%d,%d\n", n, lines[file][n])
		}
		fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", len(lines[file]), hit)
	}
	return []byte(b.String())
}
