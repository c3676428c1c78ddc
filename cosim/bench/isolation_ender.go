package bench

import (
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// ender is a stream that ends at once, with a Terminate of this end or of the peer. Its host opens it again as soon as it may: when it
// has the event and the Terminate, if there is one, has left.
type ender struct {
	silent
	next   func(n uint64) []byte
	n      uint64 // segments since the stream was opened
	event  bool   // the host knows that the stream has ended
	left   bool   // its Terminate has left, or there is none
	writes int    // of registers, in progress
}

// segmentsPerLife is the number of segments that the peer sends before it learns that the stream has ended.
const segmentsPerLife = 4

func (a *ender) step(p *party, _ uint64) {
	switch {
	case a.writes > 0:
	case a.event && a.left && len(p.segments) == 0:
		// The last command does nothing: its response says that the one before it has taken effect.
		p.commands = append(p.commands, registerWrite("stream_number", p.stream), registerWrite("stream_domain", 0),
			registerWrite("stream_command", 1), registerWrite("stream_command", 0))
		a.writes = len(p.commands)
		a.event, a.left, a.n = false, false, 0
	case a.n < segmentsPerLife && len(p.segments) < ahead:
		p.segments = append(p.segments, a.next(a.n))
		a.n++
	}
}

func (a *ender) sent(_ *party, _ uint64, segment []byte) {
	var h wire.DDPHeader
	a.left = a.left || h.Decode(segment) == nil && h.Opcode == spec.Terminate.Opcode()
}

func (a *ender) reported(_ *party, _ uint64, e rnic.Event) {
	a.event = a.event || e.Kind == engine.EventEnded || e.Kind == engine.EventClosed
	a.left = a.left || e.Kind == engine.EventClosed
}

func (a *ender) answered(_ *party, n int) { a.writes -= n }
