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

	Flush Flush // on m_axis_flush: equal flushes are a sequence
}

// Sequence returns the sequence of an outcome.
func (e *Expect) Sequence() Sequence {
	s := Sequence{Port: e.Port, Stream: e.Stream}
	switch {
	case e.Port == PortTx:
		s.Second = !isResponse(e.Hex)
	case e.Completion != nil:
		s.Second = !e.Completion.Recv
	case e.Flush != nil:
		s.Flush = *e.Flush
	}
	return s
}

// isResponse reports whether a segment comes from the responder: a response or a Terminate.
func isResponse(segment []byte) bool {
	return spec.AllExtensions.Is(opcodeOf(segment), spec.Responses|spec.Terminate)
}

// IsTerminate reports whether the outcome is a Terminate on m_axis_tx, the last segment of its stream.
func (e *Expect) IsTerminate() bool {
	return e.Port == PortTx && opcodeOf(e.Hex).Is(spec.Terminate)
}

// opcodeOf returns the opcode of a segment on m_axis_tx: without extensions, the bits above it are 0.
func opcodeOf(segment []byte) wire.Opcode {
	if len(segment) < 2 {
		return 0
	}
	return wire.Opcode(segment[1] & (1<<spec.MaxOpcodeBits - 1))
}

// InError reports whether the outcome makes its test an error test.
func (e *Expect) InError() bool {
	return e.IsTerminate() || e.Completion != nil && e.Completion.Status != Statuses[0] || e.Event != nil && e.Event.Kind != Kinds[0]
}
