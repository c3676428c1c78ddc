package verilator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// coverageFile lists for Verilator the signals that the shim reads: the ports of every module.
const coverageFile = "coverage.vlt"

func coverageText(d *simulator.Design) string {
	var text strings.Builder
	text.WriteString("`verilator_config\n")
	told := map[string]bool{}
	for _, in := range d.Instances {
		if told[in.Module] {
			continue
		}
		told[in.Module] = true
		for _, p := range in.Ports {
			fmt.Fprintf(&text, "public_flat_rd -module %q -var %q\n", in.Module, p.Name)
		}
	}
	return text.String()
}

// coverage is the data collected by an instance.
type coverage struct {
	to         *simulator.Coverage
	design     *simulator.Design
	names      string // as in coverageBlock
	rose, fell []uint64
}

// coverageBlock mirrors CoverageBlock in shim/coverage.h.
type coverageBlock struct {
	names      *byte
	namesSize  uint64
	rose, fell *uint64
	words      uint64
	counts     *uint32
	points     uint64
}

func (d *driver) openCoverage(design *simulator.Design, to *simulator.Coverage) {
	b := (*coverageBlock)(d.library.pointer(d.library.coverage, d.instance))
	d.coverage = &coverage{to, design, unsafe.String(b.names, b.namesSize), unsafe.Slice(b.rose, b.words), unsafe.Slice(b.fell, b.words)}
	to.Rose, to.Fell, to.Counts = d.coverage.rose, d.coverage.fell, unsafe.Slice(b.counts, b.points)
}

// closeCoverage adds the instance's coverage to the total.
func (d *driver) closeCoverage() error {
	c := d.coverage
	c.to.Rose, c.to.Fell, c.to.Counts = nil, nil, nil
	pins, err := c.pins()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "rnicgen-coverage-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "coverage.dat")
	name := append([]byte(path), 0)
	purego.SyscallN(d.library.coverageWrite, d.instance, uintptr(unsafe.Pointer(&name[0])))
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("coverage: %w", err)
	}
	points, err := readPoints(string(text))
	return errors.Join(err, c.to.Add(points, pins))
}

// pins returns the ports of all instances, in the design's order.
func (c *coverage) pins() ([]simulator.Pin, error) {
	type place struct{ first, width int }
	at := map[string]place{}
	words := 0
	for line := range strings.Lines(c.names) {
		var path, name string
		var width int
		if _, err := fmt.Sscan(line, &path, &name, &width); err != nil {
			return nil, fmt.Errorf("coverage: port %q: %w", line, err)
		}
		at[path+"."+name] = place{words, width}
		words += (width + 63) / 64
	}
	var pins []simulator.Pin
	for _, in := range c.design.Instances {
		for _, p := range in.Ports {
			is, known := at[in.Path+"."+p.Name]
			if !known || is.width != p.Width {
				return nil, fmt.Errorf("coverage: the model has no port %s.%s of %d bits", in.Path, p.Name, p.Width)
			}
			last := is.first + p.Words()
			pins = append(pins, simulator.Pin{Path: in.Path, Module: in.Module, Variant: in.Variant, Port: p.Name, Width: p.Width,
				Rose: append([]uint64(nil), c.rose[is.first:last]...), Fell: append([]uint64(nil), c.fell[is.first:last]...)})
		}
	}
	return pins, nil
}
