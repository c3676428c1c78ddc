package suite

import (
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Sequence is a list of outcomes that come in order.
type Sequence struct {
	Port   string
	Stream uint32
	Second bool // of two on one port: requests, not answers; completions of work requests, not of receives
}

// Sequence tells to which an outcome belongs.
func (e *Expect) Sequence() Sequence {
	s := Sequence{Port: e.Port, Stream: e.Stream}
	switch {
	case e.Port == PortTx:
		s.Second = !isAnswer(e.Hex)
	case e.Completion != nil:
		s.Second = !e.Completion.Recv
	}
	return s
}

// isAnswer reports whether a segment is one of the responder: a Read Response, an Atomic Response, or a Terminate.
func isAnswer(segment []byte) bool {
	switch opcodeOf(segment).Class() {
	case spec.ReadResponse, spec.Terminate, spec.AtomicResponse:
		return true
	}
	return false
}

// IsTerminate reports whether the outcome is a Terminate on m_axis_tx, behind which nothing of its stream leaves.
func (e *Expect) IsTerminate() bool {
	return e.Port == PortTx && opcodeOf(e.Hex).Is(spec.Terminate)
}

func opcodeOf(segment []byte) wire.Opcode {
	if len(segment) < 2 {
		return 0
	}
	return wire.Opcode(segment[1] & 0xF)
}

// InError reports whether the outcome makes its test one with an error.
func (e *Expect) InError() bool {
	return e.IsTerminate() || e.Completion != nil && e.Completion.Status != Statuses[0] || e.Event != nil && e.Event.Kind != Kinds[0]
}
