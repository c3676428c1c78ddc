package coverage

import (
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Counter counts the messages received by a node, but not those of the extension commit, nor those that follow one. It is a rnic.Observer.
type Counter struct {
	config  gen.Config
	count   map[Message]int
	streams []binStream
}

// binStream is the message state of a stream.
type binStream struct {
	before    string    // operation of the most recently started message
	sending   bool      // within a Send
	writing   bool      // within a Write
	answering bool      // within a Read Response
	row       [2]string // of the Send and of the Write
}

// NewCounter makes a counter for a configuration.
func NewCounter(c gen.Config) *Counter {
	return &Counter{config: c, count: map[Message]int{}, streams: make([]binStream, c.Streams)}
}

// Reached lists the bins that have messages.
func (b *Counter) Reached() (list []Message) {
	for m := range b.count {
		list = append(list, m)
	}
	return list
}

// Opened resets the state of a stream.
func (b *Counter) Opened(stream uint32) { b.streams[stream] = binStream{before: "nothing"} }

// Took counts a message when it is complete or refused.
func (b *Counter) Took(t rnic.Taken) {
	s := &b.streams[t.Stream]
	view, found := wire.ClassifyWith(b.config.Protocol(), t.Segment)
	if found != spec.ShortHeader && ofExtension(b.config, view.Header.Opcode) {
		s.before = uncounted
		return
	}
	m := Message{Opcode: view.Header.Opcode.Name(), Error: t.Error, Align: none, Length: none, Row: none}
	if t.Failing {
		m.Error = spec.Local
	}
	switch {
	case found == spec.ShortHeader:
		m.Opcode = none
	case !view.Header.Opcode.Is(spec.Segments):
		m.Opcode = reserved
	}
	if m.Error == spec.ShortHeader || m.Error == spec.StreamNotOpen {
		b.count[m]++
		return
	}
	op, isOperation := operationOf(m.Opcode)
	later := false // not the first segment of its message
	if found != spec.None {
		if isOperation {
			m.Row = s.before
		}
		m.Length = b.length(len(view.Payload))
		b.add(m)
		return
	}
	last := view.Header.Last
	switch {
	case op == ordering.Send && isOperation || op == ordering.Immediate && isOperation:
		later = s.sending
		if !later {
			s.row[0] = s.before
			s.before = op.String()
		}
		m.Row, s.sending = s.row[0], !last
	case op == ordering.Write && isOperation:
		later = s.writing
		if !later {
			s.row[1] = s.before
			s.before = op.String()
		}
		m.Row, s.writing = s.row[1], !last
	case isOperation:
		m.Row = s.before
		s.before = op.String()
	case view.Header.Opcode.Is(spec.ReadResponse):
		later, s.answering = s.answering, !last
	}
	if m.Error == spec.None && !last {
		return
	}
	octets := len(view.Payload)
	if view.Header.Opcode.Is(spec.ReadRequest) {
		var r wire.ReadRequest
		_ = r.Decode(view.Payload) // its length is valid
		octets = int(r.ReadMessageSize)
		later = octets > b.config.MaxPayload
	}
	switch {
	case isFixed(m.Opcode):
		m.Length = "fixed"
	case later:
		m.Length = "segments"
	default:
		m.Length = b.length(octets)
	}
	if t.Placed {
		m.Align = b.align(t.Address)
	}
	b.add(m)
}

// uncounted stands for an operation of an extension.
const uncounted = "an extension"

// add counts a message.
func (b *Counter) add(m Message) {
	if m.Row != uncounted {
		b.count[m]++
	}
}

// ofExtension reports whether an opcode is one of an extension of a configuration: bins do not cover them.
func ofExtension(c gen.Config, op spec.Opcode) bool {
	row, known := c.Protocol().Operation(op)
	return known && row.Extension != 0
}

func (b *Counter) length(octets int) string {
	switch {
	case octets == 0:
		return "0"
	case octets < 8:
		return "1-7"
	case octets <= b.config.BusBytes:
		return "8-bus"
	}
	return "beats"
}

func (b *Counter) align(address uint64) string {
	switch {
	case address%uint64(b.config.BusBytes) == 0:
		return "bus"
	case address%8 == 0:
		return "word"
	}
	return "octet"
}
