package wire

import (
	"bufio"
	"fmt"
	"io"
)

// Markdown writes the documentation of all headers, messages, error kinds and Terminate codes, as they are
// in the tables of this package.
func Markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	markdownHeaders(out)
	markdownMessages(out)
	markdownErrors(out)
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
	fmt.Fprintf(w, "\n## Messages\n\n| opcode | message | name | T | QN | octets after the DDP header |\n|---|---|---|---|---|---|\n")
	for _, m := range Messages {
		t, queue := "0", fmt.Sprint(m.Queue)
		if m.Tagged {
			t, queue = "1", ""
		}
		length := m.Length
		if m.Header != nil {
			length += ": `" + m.Header.Name + "`"
		}
		fmt.Fprintf(w, "| 0x%X | %s | `%s` | %s | %s | %s |\n", uint8(m.Opcode), m.Title, m.Name, t, queue, length)
	}
}

func markdownErrors(w io.Writer) {
	fmt.Fprintf(w, "\n## Error kinds\n\nThe first that applies, in this order; 15 before all others.\n\n")
	fmt.Fprintf(w, "| kind | name | when | Terminate |\n|---|---|---|---|\n")
	for _, r := range Errors {
		code := "none"
		if c, ok := r.Kind.Terminate(false); ok {
			code = c.String()
		}
		if r.Tagged != r.Untagged {
			code = fmt.Sprintf("T = 0: %v; T = 1: %v", r.Untagged, r.Tagged)
		}
		fmt.Fprintf(w, "| %d | `%s` | %s | %s |\n", r.Kind, r.Name, r.When, code)
	}
}

func markdownTerminateCodes(w io.Writer) {
	fmt.Fprintf(w, "\n## Terminate codes\n\n| layer | EType | code | meaning |\n|---|---|---|---|\n")
	for _, r := range TerminateCodes {
		fmt.Fprintf(w, "| %d %v | %d %s | 0x%02X | %s |\n",
			r.Layer, r.Layer, r.TerminateCode.EType, r.Type, r.TerminateCode.Code, r.Name)
	}
}
