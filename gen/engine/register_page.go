package engine

import (
	"fmt"
	"strings"
)

// WriteRegisters writes a table of registers in Markdown, and one of the fields of each.
func WriteRegisters(b *strings.Builder, list []Register) {
	b.WriteString("\n| offset | register | access | bits | meaning |\n|---|---|---|---|---|\n")
	for _, r := range list {
		fmt.Fprintf(b, "| 0x%03X | `%s` | %s | %s | %s |\n", r.Offset, r.Name, r.Access, bitRange(0, r.Width), r.Doc)
	}
	for _, r := range list {
		if len(r.Fields) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n## `%s`\n\n| field | bits | meaning |\n|---|---|---|\n", r.Name)
		for _, f := range r.Fields {
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.Name, bitRange(f.Low, f.Width), f.Doc)
		}
	}
}

// bitRange formats the bits of a register or field.
func bitRange(low, width int) string {
	if width == 1 {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d..%d", low+width-1, low)
}
