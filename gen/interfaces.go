package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
)

// Interfaces describes every port of the top module in Markdown, from the ports themselves.
func Interfaces(c Config) (string, error) {
	design, err := Compile(c)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Ports of `%s`\n\n", c.TopModule())
	fmt.Fprintf(&b, "Generated from the ports for a bus of %d octets and %d streams; widths in bits.\n", c.BusBytes, c.Streams)
	b.WriteString("A beat of a stream passes in a clock in which valid and ready are both 1; once valid is 1, it and the data stay until then.\n")
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
	row(hdl.Port{Name: "rst", Width: 1}, "synchronous reset, active high; afterwards one clock a stream, or a row of a table, passes before the first segment is checked")
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
		row(ports[s.Valid], "there is a beat")
		row(ports[s.Ready], "the beat is taken")
		for _, f := range s.Fields {
			row(ports[f], ports[f].Doc)
		}
	}
	if c.RetirePort {
		head("`retire`", "reports what takes effect, in the order in which it does (option `retire_port`); it cannot be held back")
		for _, p := range design.Ports() {
			if !inStream[p.Name] && p.Out {
				row(p, p.Doc)
			}
		}
	}
	return b.String(), nil
}
