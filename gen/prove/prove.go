package prove

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

// Block is a module to prove.
type Block struct {
	Name, Kind string
	formal.Block
	twins bool // the first of its kind shows that its properties can fail
}

// ReadSpecs parses the property files of a file system, by kind.
func ReadSpecs(files fs.FS, dir string) (map[string]*formal.Spec, error) {
	names, err := fs.Glob(files, path.Join(dir, "*.v"))
	if err != nil {
		return nil, err
	}
	out := map[string]*formal.Spec{}
	var errs []error
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		s, err := formal.Parse(path.Base(name), string(text))
		errs = append(errs, err)
		out[strings.TrimSuffix(path.Base(name), ".v")] = s
	}
	return out, errors.Join(errs...)
}

// ReadReferences reads the specifications that property files use, by the name of their module.
func ReadReferences(files fs.FS, dir string) (map[string]string, error) {
	names, err := fs.Glob(files, path.Join(dir, "reference", "*.v"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		out[strings.TrimSuffix(path.Base(name), ".v")] = string(text)
	}
	return out, nil
}

// Blocks gives every module of the configurations its property files.
func Blocks(specs map[string]*formal.Spec, references map[string]string, configs ...gen.Config) ([]Block, error) {
	modules, err := Modules(configs...)
	if err != nil {
		return nil, err
	}
	of := map[string]*formal.Spec{}
	for _, m := range modules {
		of[m.Top()] = specs[gen.Kind(m.Top())]
	}
	var out []Block
	seen := map[string]bool{}
	for _, m := range modules {
		kind := gen.Kind(m.Top())
		out = append(out, Block{m.Top(), kind, formal.Block{Design: m, Specs: of, References: references, Options: options}, !seen[kind]})
		seen[kind] = true
	}
	return out, nil
}

// options are what a module's name says of it, for property files.
func options(module string) map[string]string {
	out := map[string]string{"DRAFT00": "0"}
	if strings.Contains(module, "_draft00") {
		out["DRAFT00"] = "1"
	}
	return out
}

// Complete tells which kinds have no property file, which property files have no kind, and which twins do not apply.
func Complete(blocks []Block, specs map[string]*formal.Spec) error {
	var errs []error
	kinds := map[string]bool{}
	for _, b := range blocks {
		s := specs[b.Kind]
		if s == nil && !kinds[b.Kind] {
			errs = append(errs, fmt.Errorf("block %s (%s): there is no %s/%s.v", b.Kind, b.Name, gen.SpecDir, b.Kind))
		}
		kinds[b.Kind] = true
		if s != nil && b.twins {
			errs = append(errs, s.CheckTwins(printed(b.Design)))
		}
	}
	for _, kind := range slices.Sorted(func(yield func(string) bool) {
		for kind := range specs {
			if !yield(kind) {
				return
			}
		}
	}) {
		if !kinds[kind] {
			errs = append(errs, fmt.Errorf("%s/%s.v: there is no block of this kind", gen.SpecDir, kind))
		}
	}
	return errors.Join(errs...)
}

// printed is the text of a design's top.
func printed(d *hdl.Design) string {
	files := d.Files()
	return files[len(files)-1].Text
}

// Row is one line of the report.
type Row struct {
	Block    string  `json:"block"`
	Property string  `json:"property"`
	Says     string  `json:"says,omitempty"`
	Kind     string  `json:"kind"`
	Depth    int     `json:"depth"`
	Solver   string  `json:"solver"`
	Seconds  float64 `json:"seconds"`
	Twin     string  `json:"twin,omitempty"`
	Detail   string  `json:"detail,omitempty"`
	Trace    string  `json:"trace,omitempty"`
	OK       bool    `json:"ok"`
}

// Prove proves a block.
func (b Block) Prove(ctx context.Context, o formal.Options) ([]Row, error) {
	results, err := b.Block.Prove(ctx, o, b.twins)
	if err != nil {
		return nil, err
	}
	var out []Row
	for _, r := range results {
		out = append(out, Row{Block: b.Name, Property: r.Property, Says: r.Says, Kind: string(r.Kind), Depth: r.Depth, Solver: o.Solver,
			Seconds: r.Time.Round(time.Millisecond).Seconds(), Twin: r.Twin, Detail: r.Detail, Trace: r.Trace, OK: r.OK()})
	}
	return out, nil
}
