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
	markdownCommit(out)
	return out.Flush()
}

func markdownHeaders(w io.Writer) {
	fmt.Fprintf(w, "## Headers\n\nBit 0 is the first transmitted bit. All fields are in network byte order.\n")
	markdownTables(w, append(Tables(), MPATables()...))
}

func markdownTables(w io.Writer, tables []*Table) {
	for _, t := range tables {
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
	fmt.Fprintf(w, "\n## Messages\n\n")
	markdownOperations(w, spec.Extensions(0).Operations())
}

func markdownOperations(w io.Writer, list []*spec.Operation) {
	fmt.Fprintf(w, "| opcode | message | name | T | QN | octets after the DDP header | defined in |\n|---|---|---|---|---|---|---|\n")
	for _, m := range list {
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
	markdownRuleRows(w, spec.Rules[:])
}

func markdownRuleRows(w io.Writer, rules []spec.RuleRow) {
	fmt.Fprintf(w, "| rule | name | section | broken when | Terminate |\n|---|---|---|---|---|\n")
	for _, r := range rules {
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

// markdownCommit writes what the extension commit adds.
func markdownCommit(w io.Writer) {
	fmt.Fprintf(w, "\n## With the extension `commit`\n\nThe opcode has five bits. Rules are checked in the order of I-53; `hash_mismatch` and `execution_failed` are found when a request is executed.\n")
	markdownTables(w, CommitTables())
	fmt.Fprintln(w)
	markdownOperations(w, spec.Commit.Operations()[len(spec.Operations):])
	fmt.Fprintln(w)
	markdownRuleRows(w, spec.CommitRules[:])
}
