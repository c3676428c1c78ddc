package verilog

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// key lists the numbers that a module was built for.
func (p *printer) key(m *ir.Module) {
	var words []string
	for _, n := range m.Params {
		words = append(words, fmt.Sprintf("%s %d", n.Name, n.Value))
	}
	if words = append(words, m.Options...); len(words) == 0 {
		return
	}
	if m.Doc != "" {
		p.text("//\n")
	}
	p.comment("", "Built for "+strings.Join(words, ", ")+".")
}

// maxColumns is the maximum width of a comment line.
const maxColumns = 120

// wrapped breaks a text into lines of at most width columns.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// clocking is the group of clk and rst, which need no title.
const clocking = " "

// ports prints the ports in groups. The comment of a port is on its line if there is room, otherwise above it.
func (p *printer) ports(m *ir.Module) {
	var list []*ir.Signal
	if m.Clocked {
		list = append(list, &ir.Signal{Name: "clk", Width: 1, Group: clocking}, &ir.Signal{Name: "rst", Width: 1, Group: clocking, Doc: "synchronous, active high"})
	}
	list = append(list, m.Ports...)
	bits := 0
	for _, s := range list {
		bits = max(bits, len(signalBits(s)))
	}
	names := 0 // longest name of the group
	for i, s := range list {
		if i == 0 || s.Group != list[i-1].Group {
			names = longest(list[i:])
			switch {
			case s.Group == clocking, s.Group == "" && (i == 0 || list[i-1].Group == clocking):
			case s.Group == "":
				p.text("\n")
			default:
				p.text("\n")
				p.comment("    ", s.Group)
			}
		}
		dir, comma := "input ", ","
		if s.Kind == ir.Output {
			dir = "output"
		}
		if i == len(list)-1 {
			comma = ""
		}
		line := fmt.Sprintf("    %s wire %s%s%s", dir, column(signalBits(s), bits), s.Name, comma)
		if s.Doc != "" {
			padded := line + strings.Repeat(" ", names+1-len(s.Name)-len(comma))
			if line = padded + " // " + s.Doc; len(line) > maxColumns {
				p.comment("    ", s.Doc)
				line = strings.TrimRight(padded, " ")
			}
		}
		p.text("%s\n", line)
	}
}

// longest is the length of the longest name in the group that list starts with.
func longest(list []*ir.Signal) (n int) {
	for _, s := range list {
		if s.Group != list[0].Group {
			break
		}
		n = max(n, len(s.Name))
	}
	return n
}
