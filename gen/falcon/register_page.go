package falcon

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/engine"
)

// RegisterPage describes the registers in Markdown.
func RegisterPage() string {
	var b strings.Builder
	b.WriteString(registersIntroduction)
	engine.WriteRegisters(&b, registers)
	return b.String()
}

const registersIntroduction = `# Registers of the profile falcon

Generated from the register map. The port is a 32-bit AXI4-Lite slave with 12-bit addresses, as described in
[registers.md](registers.md): strobes, errors, and how commands wait, are the same, and so are the offsets of what both profiles have.

A QP is opened in three steps while nothing of it, and of its connection, is in progress:

1. ` + "`stream_command`" + ` 4 gives it its set-up: the registers ` + "`stream_mode`" + ` to ` + "`stream_ord`" + `.
2. ` + "`stream_command`" + ` 1 opens it in ` + "`stream_domain`" + `.
3. The host posts receives and work requests.

A shared receive queue that no QP uses is emptied by ` + "`" + `stream_command` + "`" + ` 4, too: ` + "`" + `stream_mode` + "`" + ` then says so, ` + "`" + `stream_number` + "`" + ` is its number. It exists from then on.

An XRC target sends no requests: it shares its connection with an XRC initiator, whose set-up gives the connection its credits.

A QP that went to Error has an event. Its work requests are completed with status 1, or with the outcome that they had; receives that are
left get no completion. When all work requests are complete and Falcon has nothing of the connection in progress, the QP may be opened again.
`
