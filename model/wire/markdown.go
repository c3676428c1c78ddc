package wire

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Markdown writes the documentation of all headers, messages, rules and Terminate codes, from the tables of this
// package and spec.
func Markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	markdownHeaders(out)
	markdownMessages(out)
	markdownRules(out)
	markdownTerminateCodes(out)
	return out.Flush()
}

func markdownHeaders(w io.Writer) {
	fmt.Fprintf(w, "## Headers\n\nBit 0 is the first transmitted bit. All fields are in network byte order.\n")
	for _, t := range append(Tables(), MPATables()...) {
		fmt.Fprintf(w, "\n### %s\n\n`%s`, %d octets, %s\n\n", t.Title, t.Name, t.Octets, t.Section)
		fmt.Fprintf(w, "| field | octet | bits | width | meaning |\n|---|---|---|---|---|\n")
		for _, f := range t.Fields {
			bits := fmt.Sprint(f.Offset)
			if f.Width > 1 {
				bits += fmt.Sprintf("..%d", f.Offset+f.Width-1)
			}
			fmt.Fprintf(w, "| `%s` | %d | %s | %d | %s |\n", f.Name, f.Octet(), bits, f.Width, f.Doc)
		}
	}
}

func markdownMessages(w io.Writer) {
	fmt.Fprintf(w, "\n## Messages\n\n| opcode | message | name | T | QN | octets after the DDP header | defined in |\n|---|---|---|---|---|---|---|\n")
	for i := range spec.Operations {
		m := &spec.Operations[i]
		t, queue := "0", fmt.Sprint(m.Queue)
		if m.Tagged {
			t, queue = "1", ""
		}
		length := m.Length
		if m.Header != "" {
			length += ": `" + m.Header + "`"
		}
		fmt.Fprintf(w, "| 0x%X | %s | `%s` | %s | %s | %s | %s |\n", uint8(m.Opcode), m.Title, m.Name, t, queue, length, strings.Join(m.Sections, ", "))
	}
}

func markdownRules(w io.Writer) {
	fmt.Fprintf(w, "\n## Rules\n\nThe rules that a segment can break. Of the rules that the segment alone decides, the first broken one in this order is reported.\n\n")
	fmt.Fprintf(w, "| rule | name | section | broken when | Terminate |\n|---|---|---|---|---|\n")
	for _, r := range spec.Rules {
		code := "none"
		if c, ok := r.Rule.Terminate(); ok {
			code = c.String()
		}
		fmt.Fprintf(w, "| %d | `%s` | %s | %s | %s |\n", r.Rule, r.Name, r.Section, r.Text, code)
	}
}

func markdownTerminateCodes(w io.Writer) {
	fmt.Fprintf(w, "\n## Terminate codes\n\n| layer | EType | code | meaning |\n|---|---|---|---|\n")
	for _, r := range spec.TerminateCodes {
		fmt.Fprintf(w, "| %d %v | %d %s | 0x%02X | %s |\n",
			r.Layer, r.Layer, r.TerminateCode.EType, r.Type, r.TerminateCode.Code, r.Name)
	}
}
