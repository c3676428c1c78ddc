package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
)

// Interfaces describes every port of the top module in Markdown.
func Interfaces(c Config) (string, error) {
	design, err := Compile(c)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Ports of `%s`\n\n", c.TopModule())
	fmt.Fprintf(&b, "Generated from the ports for a bus of %d octets and %d streams; widths in bits.\n", c.BusBytes, c.Streams)
	b.WriteString("A beat of a stream passes in a cycle in which valid and ready are both 1; once valid is 1, it and the data are stable until then.\n")
	b.WriteString("All inputs are sampled, and all outputs change, at the rising edge of `clk`.\n")
	row := func(p hdl.Port, doc string) {
		dir := "in"
		if p.Out {
			dir = "out"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d | %s |\n", p.Name, dir, p.Width, doc)
	}
	head := func(title, doc string) {
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		if doc != "" {
			fmt.Fprintf(&b, "%s.\n\n", strings.ToUpper(doc[:1])+doc[1:])
		}
		b.WriteString("| port | direction | width | meaning |\n|---|---|---|---|\n")
	}
	ports := map[string]hdl.Port{}
	for _, p := range design.Ports() {
		ports[p.Name] = p
	}
	head("Clock and constants", "")
	row(hdl.Port{Name: "clk", Width: 1}, "clock")
	row(hdl.Port{Name: "rst", Width: 1}, "synchronous reset, active high; afterwards one cycle per stream, or per row of a table, passes before the first segment is checked")
	inStream := map[string]bool{}
	for _, s := range design.Streams() {
		for _, n := range append(slices.Clone(s.Fields), s.Valid, s.Ready) {
			inStream[n] = true
		}
	}
	for _, p := range design.Ports() {
		if !inStream[p.Name] && !p.Out {
			row(p, p.Doc)
		}
	}
	for _, s := range design.Streams() {
		head(fmt.Sprintf("`%s`", s.Name), s.Doc)
		row(ports[s.Valid], "a beat is offered")
		row(ports[s.Ready], "the beat is accepted")
		for _, f := range s.Fields {
			row(ports[f], ports[f].Doc)
		}
	}
	if c.RetirePort {
		head("`retire`", "reports each effect, in order (option `retire_port`); it cannot be stalled")
		for _, p := range design.Ports() {
			if !inStream[p.Name] && p.Out {
				row(p, p.Doc)
			}
		}
	}
	return b.String(), nil
}
