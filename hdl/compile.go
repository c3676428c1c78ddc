package hdl

import (
	"errors"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
	"github.com/rnicgen/rnicgen/hdl/internal/verilog"
)

// Design is a checked hierarchy of modules.
type Design struct {
	top     *ir.Module
	modules []*ir.Module // each once, children before parents
}

// File is one printed module.
type File struct{ Name, Text string }

// Port is one port of the top module.
type Port struct {
	Name  string
	Width int
	Out   bool
	Doc   string // the doc tag of the field that declares it
}

// StreamPort is a ready/valid stream of the top module: the names of its ports.
type StreamPort struct {
	Name         string
	Doc          string // the doc tag of the field that declares it
	Sink         bool   // data enters the module
	Valid, Ready string
	Fields       []string
}

// pass checks one module and reports its mistakes.
type pass func(m *ir.Module) []error

// passes run in this order; a module with mistakes in one of them is not passed to later ones.
var passes = []pass{checkNames, checkOwners, checkDrivers, checkReaders}

// Option changes what [Compile] checks.
type Option func(*elaboration)

// AnyNesting allows arbitrarily nested expressions, for random designs.
func AnyNesting(e *elaboration) { e.anyNesting = true }

// Compile builds a block and everything in it and checks the result. The error joins all mistakes; see [Errors].
func Compile[P any](b Block[P], options ...Option) (*Design, error) {
	elab := &elaboration{}
	for _, o := range options {
		o(elab)
	}
	top := build(elab, b, callers())
	var errs []error
	var modules []*ir.Module
	for _, m := range elab.modules {
		errs = append(errs, m.check()...)
		modules = append(modules, m.ir)
	}
	if errs == nil {
		errs = checkLoops(modules)
	}
	if errs != nil {
		return nil, joinErrors(errs)
	}
	for _, m := range elab.modules {
		bypassReads(m.ir)
	}
	design := &Design{top: top.ir}
	named, kinds := sameText{}, sameText{}
	for _, m := range elab.modules {
		first, same := named.add(m.ir.Name, m.ir, verilog.Module)
		if first {
			design.modules = append(design.modules, m.ir)
		} else if !same {
			errs = append(errs, errorf(m.ir.PCs, "%s: two different modules have this name; put what differs into it", m.ir.Name))
			continue
		}
		if _, same = kinds.add(m.ir.Kind, m.ir, func(m *ir.Module) string { return verilog.Parametric(m, "", false) }); !same {
			errs = append(errs, errorf(m.ir.PCs, "%s: two modules of this kind differ in more than parameters", m.ir.Kind))
		}
	}
	if errs != nil {
		return nil, joinErrors(errs)
	}
	return design, nil
}

// sameText compares modules that must have the same text, by what they share. Most are alone and are not printed.
type sameText map[string]*onceText

type onceText struct {
	module *ir.Module
	text   string // "": not printed yet
}

// add reports whether a module is the first one, and whether it has the text of that.
func (s sameText) add(key string, m *ir.Module, text func(*ir.Module) string) (first, same bool) {
	before, seen := s[key]
	if !seen {
		s[key] = &onceText{module: m}
		return true, true
	}
	if before.text == "" {
		before.text = text(before.module)
	}
	return false, text(m) == before.text
}

// check returns the mistakes made while the module was built, or else those that the passes find.
func (m *Module) check() []error {
	for _, err := range poisons(m.ir) {
		m.mistake(err)
	}
	if m.errs != nil {
		return m.errs
	}
	for _, p := range passes {
		if found := p(m.ir); found != nil {
			return found
		}
	}
	if m.elab.anyNesting {
		return nil
	}
	return checkNesting(m.ir)
}

// joinErrors reports each mistake once, even if its block is used more than once.
func joinErrors(errs []error) error {
	var out []error
	told := map[string]bool{}
	for _, err := range errs {
		if text := err.Error(); !told[text] {
			told[text] = true
			out = append(out, err)
		}
	}
	return errors.Join(out...)
}

// Modules returns each module of the design as a separate design, children before parents, the top last.
func (d *Design) Modules() []*Design {
	var out []*Design
	for _, m := range d.modules {
		within := map[string]bool{}
		collect(m, within)
		part := &Design{top: m}
		for _, n := range d.modules {
			if within[n.Name] {
				part.modules = append(part.modules, n)
			}
		}
		out = append(out, part)
	}
	return out
}

// FromIR makes a design from modules modified by a tool below hdl: children before parents, the top last, each module once. It fails if
// there is a combinational loop.
func FromIR(modules []*ir.Module) (*Design, error) {
	if errs := checkLoops(modules); errs != nil {
		return nil, joinErrors(errs)
	}
	return &Design{top: modules[len(modules)-1], modules: modules}, nil
}

// collect lists a module and everything in it.
func collect(m *ir.Module, within map[string]bool) {
	within[m.Name] = true
	for _, it := range m.Items {
		if inst, is := it.(*ir.Instance); is {
			collect(inst.Module, within)
		}
	}
}

// Place is an instance of a module in a design.
type Place struct {
	Path   string // hierarchical name from the top module, with dots
	Module string // with all numbers
	Kind   string
	Ports  []Port // without clk and rst
}

// Places lists the top module and every instance in it, parents before children.
func (d *Design) Places() []Place { return places(nil, d.top.Kind, d.top) }

func places(out []Place, path string, m *ir.Module) []Place {
	out = append(out, Place{path, m.Name, m.Kind, (&Design{top: m}).Ports()})
	for _, it := range m.Items {
		if inst, is := it.(*ir.Instance); is {
			out = places(out, path+"."+inst.Name, inst.Module)
		}
	}
	return out
}

// Top is the name of the top module as printed by [Design.Files].
func (d *Design) Top() string { return d.top.Kind }

// Name is the name of the top module with all its numbers.
func (d *Design) Name() string { return d.top.Name }

// Has reports whether the top module was built with an option.
func (d *Design) Has(option string) bool { return slices.Contains(d.top.Options, option) }

// Params are the numbers that the top module was built for.
func (d *Design) Params() []Param {
	var out []Param
	for _, p := range d.top.Params {
		out = append(out, Param(p))
	}
	for _, p := range d.top.Parameters {
		if p.Formula == "" {
			out = append(out, Param{strings.ToLower(p.Name), p.Value})
		}
	}
	return out
}

// IR is the top module as data, for tools below hdl.
func (d *Design) IR() *ir.Module { return d.top }

// Files prints the design as Verilog-2005, one file per kind of module, children before parents.
func (d *Design) Files() []File { return d.Prefixed("") }

// Prefixed is [Design.Files] with a prefix before the name of every module, so that two designs can be linked into one.
func (d *Design) Prefixed(prefix string) []File {
	var out []File
	printed := map[string]bool{}
	for _, m := range d.modules {
		if !printed[m.Kind] {
			printed[m.Kind] = true
			out = append(out, File{prefix + m.Kind + ".v", verilog.Parametric(m, prefix, m == d.top)})
		}
	}
	return out
}

// Specialised prints every module without parameters, children before parents: for tools that process modules one by one, or change one
// of several that share a file in [Design.Files].
func (d *Design) Specialised() []File {
	var out []File
	for _, m := range d.modules {
		out = append(out, File{m.Name + ".v", verilog.Module(m)})
	}
	return out
}

// Clocked reports whether the top module has clk and rst.
func (d *Design) Clocked() bool { return d.top.Clocked }

// Ports lists the ports of the top module without clk and rst.
func (d *Design) Ports() []Port {
	var out []Port
	for _, s := range d.top.Ports {
		out = append(out, Port{s.Name, s.Width, s.Kind == ir.Output, s.Doc})
	}
	return out
}

// Streams lists the streams of the top module. Streams that share the name of a port, as the channels of a bus do, are named after their
// valid: m_axi_aw, m_axi_w.
func (d *Design) Streams() []StreamPort {
	var out []StreamPort
	of := map[string]int{}
	for _, s := range d.top.Streams {
		of[s.Name]++
	}
	for _, s := range d.top.Streams {
		p := StreamPort{Name: s.Name, Doc: s.Doc, Sink: s.Sink, Valid: s.Valid.Name, Ready: s.Ready.Name}
		if of[s.Name] > 1 {
			p.Name = strings.TrimSuffix(p.Valid, "valid")
		}
		for _, f := range s.Fields {
			p.Fields = append(p.Fields, f.Name)
		}
		out = append(out, p)
	}
	return out
}
