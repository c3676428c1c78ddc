package gen

import (
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Compile builds the top module of a configuration.
func Compile(c Config) (*hdl.Design, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if c.Profile == ProfileFalcon {
		return hdl.Compile(Falcon(c))
	}
	return hdl.Compile(RNIC(c))
}

// CompileOnMemory elaborates the engine of a configuration with the extension commit, with flush_adapter.
func CompileOnMemory(c Config) (*hdl.Design, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	return hdl.Compile(RNICOnMemory(c))
}

// InPlace are, for proofs, circuits that other blocks have inside themselves, each as a block of its own.
func InPlace(c Config) ([]*hdl.Design, error) {
	bypass, err := hdl.Compile(block.BypassOf(8, 4))
	if err != nil {
		return nil, err
	}
	split, err := hdl.Compile(transmit.ReportSplit(c.Engine()))
	return []*hdl.Design{bypass, split}, err
}

// Generate returns the files of a configuration: rtl/*.v, a file list for simulators and synthesis (rnic.f) and a FuseSoC core
// description (rnic.core); with the extension commit also adapter/*.v, the reference platform and a top with it, and their list
// (flush_adapter.f), which is used beside rnic.f. The result is reproducible: the same configuration gives the same bytes.
func Generate(c Config) ([]outdir.File, error) {
	design, err := Compile(c)
	if err != nil {
		return nil, err
	}
	var files []outdir.File
	var names []string
	for _, f := range design.Prefixed(c.ModulePrefix) {
		name := "rtl/" + f.Name
		names = append(names, name)
		files = append(files, outdir.File{Name: name, Data: []byte(f.Text)})
	}
	core, err := fuseSoC(c, names)
	if err != nil {
		return nil, err
	}
	if c.Protocol()&spec.Commit != 0 {
		adapter, err := adapterFiles(c, names)
		if err != nil {
			return nil, err
		}
		files = append(files, adapter...)
	}
	return append(files,
		outdir.File{Name: "rnic.f", Data: []byte(strings.Join(names, "\n") + "\n")},
		outdir.File{Name: "rnic.core", Data: core}), nil
}

// adapterFiles are the engine with the adapter of flushes for plain AXI4 memory, but for modules in rtl.
func adapterFiles(c Config, rtl []string) (files []outdir.File, err error) {
	design, err := CompileOnMemory(c)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range design.Prefixed(c.ModulePrefix) {
		if slices.Contains(rtl, "rtl/"+f.Name) {
			continue
		}
		name := "adapter/" + f.Name
		names = append(names, name)
		files = append(files, outdir.File{Name: name, Data: []byte(f.Text)})
	}
	return append(files, outdir.File{Name: "flush_adapter.f", Data: []byte(strings.Join(names, "\n") + "\n")}), nil
}
