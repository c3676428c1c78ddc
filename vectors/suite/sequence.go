package suite

import (
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Sequence identifies an ordered list of outcomes.
type Sequence struct {
	Port   string
	Stream uint32
	Second bool // the second of two on one port: requests rather than responses; completions of work requests rather than receives
}

// Sequence returns the sequence of an outcome.
func (e *Expect) Sequence() Sequence {
	s := Sequence{Port: e.Port, Stream: e.Stream}
	switch {
	case e.Port == PortTx:
		s.Second = !isResponse(e.Hex)
	case e.Completion != nil:
		s.Second = !e.Completion.Recv
	}
	return s
}

// isResponse reports whether a segment comes from the responder: a Read Response, an Atomic Response, or a Terminate.
func isResponse(segment []byte) bool {
	switch opcodeOf(segment).Class() {
	case spec.ReadResponse, spec.Terminate, spec.AtomicResponse:
		return true
	}
	return false
}

// IsTerminate reports whether the outcome is a Terminate on m_axis_tx, the last segment of its stream.
func (e *Expect) IsTerminate() bool {
	return e.Port == PortTx && opcodeOf(e.Hex).Is(spec.Terminate)
}

func opcodeOf(segment []byte) wire.Opcode {
	if len(segment) < 2 {
		return 0
	}
	return wire.Opcode(segment[1] & 0xF)
}

// InError reports whether the outcome makes its test an error test.
func (e *Expect) InError() bool {
	return e.IsTerminate() || e.Completion != nil && e.Completion.Status != Statuses[0] || e.Event != nil && e.Event.Kind != Kinds[0]
}
