package verilog

import (
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// body prints the items in order: consecutive declarations in columns, blocks separated by empty lines.
func (p *printer) body(m *ir.Module) {
	var unused []*ir.Unused
	p.joined = true
	if hasLoops(m) {
		p.index = p.fresh("i")
		p.text("    genvar %s;\n", p.index)
		p.joined = false
	}
	for i := 0; i < len(m.Items); i++ {
		if n := run(m.Items[i:]); n > 0 {
			p.gapAfterBlock()
			p.declarations(m.Items[i : i+n])
			i += n - 1
			p.joined = false
			continue
		}
		switch it := m.Items[i].(type) {
		case *ir.Process:
			p.process(it)
		case *ir.MemoryPorts:
			p.memory(it.Memory)
		case *ir.Instance:
			p.instance(it)
		case *ir.Labels:
			n := enumerations(m.Items[i:])
			p.labels(m.Items[i : i+n])
			i += n - 1
		case ir.Section:
			p.gap()
			p.comment("    ", "---- "+string(it))
			p.joined = true
			continue
		case ir.Comment:
			if followedByBlock(m.Items[i:]) {
				p.gap()
			} else {
				p.gapAfterBlock()
			}
			p.comment("    ", string(it))
			p.joined = true
			continue
		case *ir.Unused:
			unused = append(unused, it)
			continue
		}
		p.joined = false
	}
	p.unused(m, unused)
}

// gap ends a paragraph.
func (p *printer) gap() {
	if !p.joined && !strings.HasSuffix(p.b.String(), "\n\n") {
		p.text("\n")
	}
}

// gapAfterBlock ends a paragraph after a block.
func (p *printer) gapAfterBlock() {
	if s := p.b.String(); strings.HasSuffix(s, "    end\n") || strings.HasSuffix(s, "    );\n") {
		p.gap()
	}
}

func (p *printer) comment(indent, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	width := maxColumns - len(indent+"// ")
	lines := strings.Split(text, "\n")
	for len(lines) > 0 {
		parts, n := lines[:1], 1
		if len(lines[0]) > width { // its last words begin the next line of its paragraph
			for n < len(lines) && continues(lines[n]) {
				n++
			}
			parts = wrapped(strings.Join(lines[:n], " "), width)
		}
		for _, part := range parts {
			p.text("%s\n", strings.TrimRight(indent+"// "+part, " "))
		}
		lines = lines[n:]
	}
}

// continues reports whether a line of a comment belongs to the paragraph of the one before it.
func continues(line string) bool { return line != "" && !strings.ContainsAny(line[:1], " *-") }

func followedByBlock(items []ir.Item) bool {
	for _, it := range items {
		switch it.(type) {
		case ir.Comment, *ir.Unused:
		case *ir.Process, *ir.MemoryPorts, *ir.Instance:
			return true
		default:
			return false
		}
	}
	return false
}

// run counts consecutive declarations to print in columns.
func run(items []ir.Item) int {
	for n, it := range items {
		switch it.(type) {
		case *ir.Signal, *ir.Memory, *ir.Drive:
		default:
			return n
		}
	}
	return len(items)
}

// unused lists the unread bits: those declared by the author, unselected bits of hoisted values, and rst if no register of a clocked
// module has a reset value.
func (p *printer) unused(m *ir.Module, list []*ir.Unused) {
	all := []*ir.Expr{zero}
	var whys []string
	what := map[string][]string{} // by reason
	for _, u := range list {
		p.hoist(u.Value, "unused")
		parts := []*ir.Expr{p.name(u.Value)}
		if parts[0].Op == ir.Concat {
			parts = parts[0].Args
		}
		all = append(all, parts...)
		if what[u.Why] == nil {
			whys = append(whys, u.Why)
		}
		what[u.Why] = append(what[u.Why], lines(parts)...)
	}
	all = append(all, p.leftovers()...)
	if m.Clocked && !readsReset(m) {
		all = append(all, &ir.Expr{Op: ir.Ref, Width: 1, Signal: &ir.Signal{Name: "rst", Width: 1}})
	}
	if len(all) > 1 {
		p.gap()
		if len(whys) > 0 {
			p.comment("    ", "Not read:")
		}
		for _, why := range whys {
			p.comment("    ", strings.Join(what[why], ", ")+": "+why)
		}
		p.b.WriteString(layout("    ", "wire "+p.fresh("unused")+" = &", &ir.Expr{Op: ir.Concat, Width: len(all), Args: all}, ";"))
	}
}

func readsReset(m *ir.Module) bool {
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			if it.Kind == ir.Register && it.Reset != nil {
				return true
			}
		case *ir.Instance:
			if it.Module.Clocked {
				return true
			}
		}
	}
	return false
}
