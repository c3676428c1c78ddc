package formal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// view is the Verilog for one run of the solver.
type view struct {
	goals    goals
	edit     func(string) string // of the printed text of the top; nil: unchanged
	control  bool                // the goal streams break their rule
	alone    bool                // the assumptions of the top's property file are dropped
	abstract bool                // children may do anything that the rules of their streams allow
}

// goals are the labels that must hold in a run. Those of an instance are prefixed with its name and a dot.
type goals []string

func (g goals) has(label string) bool { return slices.Contains(g, label) }

// cells are the assertions of the goals in the flat design, as a selection of yosys.
func (g goals) cells() string {
	var out []string
	for _, label := range g {
		out = append(out, "c:"+label, "c:"+label+again+"*")
		if !strings.Contains(label, ".") {
			out = append(out, "c:*."+label, "c:*."+label+again+"*")
		}
	}
	return strings.Join(out, " ") + strings.Repeat(" %u", len(out)-1)
}

// labelOf is the goal of an assertion in the flat design; one of the top itself may be inside a loop.
func (g goals) labelOf(cell string) string {
	cell, _, _ = strings.Cut(cell, again)
	if g.has(cell) {
		return cell
	}
	return cell[strings.LastIndex(cell, ".")+1:]
}

// verilog is the text of a view.
func (b Block) verilog(v view) (string, error) {
	if v.abstract {
		return b.abstraction(v), nil
	}
	out := &strings.Builder{}
	if err := b.references(out); err != nil {
		return "", err
	}
	parts := b.Design.Modules()
	for i, f := range b.Design.Specialised() {
		part := parts[i]
		spec, text := b.Specs[part.Name()], f.Text
		top := part.Name() == b.Design.Name()
		items, macros := "", ""
		switch {
		case top:
			text, items = b.top(text, v)
		case part.Clocked():
			items = clocking(text) + b.obligations(part, v)
		}
		if spec != nil {
			var err error
			if macros, err = b.defines(spec, part); err != nil {
				return "", err
			}
			items += spec.items(func(label, is string) role { return spec.role(v, top, label, is) })
		}
		out.WriteString(insert(text, macros, items))
	}
	return out.String(), nil
}

// references prints the additional modules that the property files use, each once.
func (b Block) references(out *strings.Builder) error {
	var done []string
	for _, s := range b.files() {
		for _, name := range s.Uses {
			text, is := b.References[name]
			if !is {
				return fmt.Errorf("%s: uses %s: there is no such module", s.File, name)
			}
			if !slices.Contains(done, name) {
				done = append(done, name)
				out.WriteString(text)
			}
		}
	}
	return nil
}

// top returns the text of the top with its items: a reset in the first cycle, and the rules of its streams.
func (b Block) top(text string, v view) (string, string) {
	if v.edit != nil {
		text = v.edit(text)
	}
	if !b.Design.Clocked() {
		text = clocked(text)
	}
	// A parent of a module that is proven for a single reset has a single reset too.
	once := slices.ContainsFunc(b.files(), func(s *Spec) bool { return s.ResetOnce })
	items := clocking(text) + reset(once)
	for _, s := range b.Design.Streams() {
		switch {
		case s.Sink && b.Specs[b.Design.Name()].Excuse(s.Name) == "":
			items += handshake(s, "assume", false)
		case v.goals.has(rule + s.Name):
			items += handshake(s, "assert", v.control)
		}
	}
	return text, items
}

// obligations are the rules of an instance's sinks that are goals.
func (b Block) obligations(part *hdl.Design, v view) string {
	out := ""
	for _, s := range part.Streams() {
		if slices.ContainsFunc(instances(b.Design.IR()), func(i *ir.Instance) bool {
			return i.Module.Name == part.Name() && v.goals.has(i.Name+"."+rule+s.Name)
		}) {
			out += handshake(s, "assert", v.control)
		}
	}
	return out
}

// role is the role of a statement: goals of the top must hold, proven properties of its children are assumed.
func (s *Spec) role(v view, top bool, label, is string) role {
	g := v.goals
	switch {
	case is == "assume" && top && v.alone:
		return drop
	case is == "assume":
		return assumption
	case top && g.has(label):
		return assertion
	case !top && s.property(label) != nil && s.property(label).Bounded == 0:
		return assumption
	}
	return drop
}

// abstraction is the top with children that may do anything that the rules of their streams allow.
func (b Block) abstraction(v view) string {
	out := &strings.Builder{}
	children := map[string]bool{}
	for _, i := range instances(b.Design.IR()) {
		children[i.Module.Name] = true
	}
	parts := b.Design.Modules()
	for i, f := range b.Design.Specialised() {
		part := parts[i]
		switch {
		case part.Name() == b.Design.Name():
			text, items := b.top(f.Text, v)
			out.WriteString(insert(text, "", items))
		case !part.Clocked():
			out.WriteString(f.Text)
		case children[part.Name()]:
			out.WriteString(b.stub(part, f.Text, v.control))
		}
	}
	return out.String()
}

// stub is a module whose outputs may do anything that the rules of its sources allow, and which asserts the rules at its sinks.
func (b Block) stub(d *hdl.Design, text string, control bool) string {
	const end = ");\n"
	out := &strings.Builder{}
	out.WriteString(text[:strings.Index(text, end)+len(end)])
	out.WriteString(clocking(text[:strings.Index(text, end)]))
	for _, p := range d.Ports() {
		if p.Out {
			fmt.Fprintf(out, "    (* anyseq *) wire [%d:0] any_%s;\n    assign %s = any_%s;\n", p.Width-1, p.Name, p.Name, p.Name)
		}
	}
	for _, s := range d.Streams() {
		if s.Sink {
			out.WriteString(handshake(s, "assert", control))
		} else if b.Specs[d.Name()].Excuse(s.Name) == "" {
			out.WriteString(handshake(s, "assume", false))
		}
	}
	return out.String() + "endmodule\n"
}

// instances are those of a module.
func instances(m *ir.Module) []*ir.Instance {
	var out []*ir.Instance
	for _, it := range m.Items {
		if i, is := it.(*ir.Instance); is {
			out = append(out, i)
		}
	}
	return out
}
