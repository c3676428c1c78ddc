package synth

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// madeAt is the line of Go that created a signal, memory or instance, by its name in the flat netlist; empty if it is not one of the
// design.
func madeAt(d *hdl.Design, name string) string {
	m := d.IR()
	parts := strings.Split(signal(name), ".")
	for i, part := range parts {
		next := (*ir.Module)(nil)
		for _, it := range m.Items {
			switch it := it.(type) {
			case *ir.Signal:
				if it.Name == part {
					return line(it.PCs)
				}
			case *ir.Memory:
				if it.Name == part {
					return line(it.PCs)
				}
			case *ir.Instance:
				if it.Name == part && i < len(parts)-1 {
					next = it.Module
				}
			}
		}
		for _, p := range m.Ports {
			if p.Name == part {
				return line(p.PCs)
			}
		}
		if next == nil {
			return ""
		}
		m = next
	}
	return ""
}

// line is the innermost call outside package hdl, as package/file.go:line.
func line(pcs []uintptr) string {
	frames := ir.Outside(pcs)
	if len(frames) == 0 {
		return ""
	}
	return place(frames[0])
}

// place removes the module path from the package.
func place(f runtime.Frame) string {
	folder, rest, _ := strings.Cut(f.Function[strings.LastIndex(f.Function, "/")+1:], ".")
	_ = rest
	whole := f.Function[:strings.LastIndex(f.Function, "/")+1] + folder
	if parts := strings.SplitN(whole, "/", 4); len(parts) == 4 && strings.Contains(parts[0], ".") {
		whole = parts[3]
	}
	return fmt.Sprintf("%s/%s:%d", whole, filepath.Base(f.File), f.Line)
}
